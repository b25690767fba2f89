package io.rollscope.simulator.cluster;

import io.rollscope.formats.json.JsonText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What one process tells: spans when they end, starts of those that are still open when it sends,
 * beats, metrics, and its own end. It sends every other second, and what it has not sent is lost
 * with it.
 */
final class ProcessLog {
  /** The Python SDK sends so often. */
  private static final long SEND_EVERY_NS = 2_000_000_000L;

  private static final String SCOPE = "{\"scope\":{\"name\":\"rollscope\",\"version\":\"0.1.0\"},";

  /**
   * Who tells.
   *
   * @param clockNs what is added to virtual time for the time on its host
   */
  record Identity(
      String run, String role, int rank, String host, long pid, String instance, long clockNs) {}

  private final Identity identity;
  private final Spool spool;
  private final OutputStream out;
  private final String resource;
  private final JsonText json = new JsonText();
  private final Set<Span> open = new LinkedHashSet<>();
  private final List<Span> begun = new ArrayList<>();
  private final List<Span> ended = new ArrayList<>();
  private long sendAtNs = SEND_EVERY_NS;
  private long dropped;
  private boolean isOver;

  ProcessLog(Identity identity, Spool spool) throws IOException {
    this.identity = identity;
    this.spool = spool;
    out = spool.open(identity.host, identity.pid, identity.instance);
    JsonText text = new JsonText().raw("\"resource\":{\"attributes\":");
    Attributes.of(
            "service.name", "rollscope",
            "service.instance.id", identity.instance,
            "host.name", identity.host,
            "process.pid", identity.pid,
            "rl.run.id", identity.run,
            "rl.run.name", identity.run,
            "rl.worker.role", identity.role,
            "rl.worker.rank", identity.rank,
            "telemetry.sdk.name", "rollscope",
            "telemetry.sdk.language", "python",
            "telemetry.sdk.version", "0.1.0")
        .write(text);
    resource = text.raw("},").toString();
  }

  Identity identity() {
    return identity;
  }

  boolean isOver() {
    return isOver;
  }

  Span start(Span span) throws IOException {
    if (isOver) {
      return span;
    }
    sendIfDue(span.startNs);
    spool.countSpan(span);
    open.add(span);
    begun.add(span);
    return span;
  }

  void end(Span span, long nowNs) throws IOException {
    if (isOver || !open.remove(span)) {
      return;
    }
    sendIfDue(nowNs);
    span.endNs = nowNs;
    ended.add(span);
  }

  void fail(Span span, long nowNs, String type, String message) throws IOException {
    span.errorType = type;
    span.errorMessage = message;
    span.attributes.put("error.type", type).put("error.message", message);
    end(span, nowNs);
  }

  /** The span ends and is not sent: the queue was full. */
  void drop(Span span) {
    if (open.remove(span)) {
      begun.remove(span);
      dropped++;
    }
  }

  void beat(long nowNs) throws IOException {
    if (!isOver) {
      sendIfDue(nowNs);
      sign("rollscope.beat", nowNs);
    }
  }

  void gauge(String name, double value, long nowNs, Attributes attributes) throws IOException {
    if (isOver || !spool.isWritten()) {
      return;
    }
    beginMetric(name).raw("\"gauge\":{\"dataPoints\":[{");
    point(value, nowNs, attributes).raw("}]}");
    endMetric();
  }

  void sum(String name, double value, long nowNs, Attributes attributes) throws IOException {
    if (isOver || !spool.isWritten()) {
      return;
    }
    beginMetric(name).raw("\"sum\":{\"dataPoints\":[{");
    point(value, nowNs, attributes).raw(",\"startTimeUnixNano\":\"").number(wall(0)).raw("\"}],");
    json.raw("\"aggregationTemporality\":2,\"isMonotonic\":true}");
    endMetric();
  }

  /** It ends in order. */
  void finish(long nowNs) throws IOException {
    if (!isOver) {
      send();
      sign("rollscope.process.end", nowNs);
    }
    close();
  }

  /** The trace ends here, and the process goes on: all that it would have sent soon is there. */
  void cut() throws IOException {
    if (!isOver) {
      send();
    }
    close();
  }

  /** It is gone, and what it had not sent with it. */
  void kill(long nowNs) throws IOException {
    sendIfDue(nowNs);
    close();
  }

  private void close() throws IOException {
    isOver = true;
    out.close();
  }

  private long wall(long virtualNs) {
    return virtualNs + identity.clockNs;
  }

  private void sendIfDue(long nowNs) throws IOException {
    if (nowNs >= sendAtNs) {
      send();
      sendAtNs = nowNs - nowNs % SEND_EVERY_NS + SEND_EVERY_NS;
    }
  }

  private void send() throws IOException {
    if (spool.isWritten()) {
      sendStarts();
      sendSpans();
    }
    begun.clear();
    ended.clear();
  }

  private void sendStarts() throws IOException {
    begun.removeIf(span -> span.endNs >= 0);
    if (begun.isEmpty()) {
      return;
    }
    beginLogs();
    String separator = "";
    for (Span span : begun) {
      json.raw(separator).raw("{\"timeUnixNano\":\"").number(wall(span.startNs));
      json.raw("\",\"eventName\":\"rollscope.span.start\",\"attributes\":");
      Attributes about = Attributes.of("rollscope.span.name", span.name);
      span.attributes.write(
          json, span.knownAtStart, about.put("rollscope.span.parent_id", span.parent));
      json.raw(",\"traceId\":").string(span.trace).raw(",\"spanId\":").string(span.id).raw('}');
      separator = ",";
    }
    endLine("]}]}]}");
  }

  private void sendSpans() throws IOException {
    if (ended.isEmpty()) {
      return;
    }
    json.raw("{\"resourceSpans\":[{").raw(resource).raw("\"scopeSpans\":[").raw(SCOPE);
    json.raw("\"spans\":[");
    String separator = "";
    for (Span span : ended) {
      write(span, separator);
      separator = ",";
    }
    endLine("]}]}]}");
  }

  private void write(Span span, String separator) {
    json.raw(separator).raw("{\"traceId\":").string(span.trace);
    json.raw(",\"spanId\":").string(span.id);
    if (span.parent != null) {
      json.raw(",\"parentSpanId\":").string(span.parent);
    }
    json.raw(",\"name\":").string(span.name).raw(",\"kind\":1,\"startTimeUnixNano\":\"");
    json.number(wall(span.startNs)).raw("\",\"endTimeUnixNano\":\"").number(wall(span.endNs));
    json.raw('"');
    if (span.errorType != null) {
      json.raw(",\"events\":[{\"timeUnixNano\":\"").number(wall(span.endNs));
      json.raw("\",\"name\":\"exception\",\"attributes\":");
      Attributes.of("exception.type", span.errorType, "exception.message", span.errorMessage)
          .write(json);
      json.raw("}],\"status\":{\"code\":2,\"message\":").string(span.errorMessage).raw('}');
    }
    if (span.attributes.size() > 0) {
      json.raw(",\"attributes\":");
      span.attributes.write(json);
    }
    json.raw('}');
  }

  private void sign(String event, long nowNs) throws IOException {
    if (!spool.isWritten()) {
      return;
    }
    beginLogs();
    json.raw("{\"timeUnixNano\":\"").number(wall(nowNs)).raw("\",\"eventName\":\"").raw(event);
    json.raw("\",\"attributes\":");
    Attributes.of(
            "rollscope.open_spans",
            open.size(),
            "rollscope.dropped.spans",
            dropped,
            "rollscope.dropped.starts",
            0,
            "rollscope.dropped.metrics",
            0)
        .write(json);
    endLine("}]}]}]}");
  }

  private void beginLogs() {
    json.raw("{\"resourceLogs\":[{").raw(resource).raw("\"scopeLogs\":[").raw(SCOPE);
    json.raw("\"logRecords\":[");
  }

  private JsonText beginMetric(String name) {
    json.raw("{\"resourceMetrics\":[{").raw(resource).raw("\"scopeMetrics\":[").raw(SCOPE);
    return json.raw("\"metrics\":[{\"name\":").string(name).raw(',');
  }

  private JsonText point(double value, long nowNs, Attributes attributes) {
    json.raw("\"timeUnixNano\":\"").number(wall(nowNs)).raw("\",\"attributes\":");
    attributes.write(json);
    return json.raw(",\"asDouble\":").number(value);
  }

  private void endMetric() throws IOException {
    endLine("}]}]}]}");
  }

  private void endLine(String brackets) throws IOException {
    out.write(json.raw(brackets).raw('\n').toString().getBytes(StandardCharsets.UTF_8));
    json.clear();
  }
}
