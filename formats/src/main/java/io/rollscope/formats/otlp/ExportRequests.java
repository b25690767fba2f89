package io.rollscope.formats.otlp;

import io.rollscope.core.time.Nanos;
import io.rollscope.formats.json.JsonText;
import java.io.IOException;
import java.io.OutputStream;

/** Writes spans as export requests, one per line, all of one resource. */
final class ExportRequests {
  private static final int SPANS_PER_LINE = 200;

  private static final int BLOCK = 1 << 20;

  private final JsonText json = new JsonText();
  private final OutputStream out;
  private final String run;
  private long spans;
  private int inLine;
  private String separator = "";
  private boolean events;

  ExportRequests(String run, OutputStream out) {
    this.run = run;
    this.out = out;
  }

  long spans() {
    return spans;
  }

  /** Begins a span; its attributes follow, then {@link #endAttributes}. */
  void begin(String trace, String id, String parent, String name, long start, long end)
      throws IOException {
    if (inLine == SPANS_PER_LINE) {
      endLine();
    }
    if (inLine++ == 0) {
      beginLine();
    } else {
      json.raw(",");
    }
    spans++;
    json.raw("{\"traceId\":\"").raw(trace).raw("\",\"spanId\":\"").raw(id);
    if (!parent.isEmpty()) {
      json.raw("\",\"parentSpanId\":\"").raw(parent);
    }
    json.raw("\",\"name\":").string(name).raw(",\"kind\":1,\"startTimeUnixNano\":\"");
    // 0 would mean that nothing is known; a relative clock may begin there.
    long from = Math.max(1, start);
    json.number(from).raw("\",\"endTimeUnixNano\":\"");
    json.number(end == Nanos.OPEN ? 0 : Math.max(from, end)).raw("\",\"attributes\":[");
    separator = "";
    events = false;
  }

  private void beginLine() {
    json.raw("{\"resourceSpans\":[{\"resource\":{\"attributes\":[");
    separator = "";
    attribute("service.name", "rollscope");
    attribute("rl.run.id", run);
    json.raw("]},\"scopeSpans\":[{\"scope\":{\"name\":\"rollscope\"},\"spans\":[");
  }

  /** Nothing for null. */
  void attribute(String key, String value) {
    if (value != null) {
      json.raw(separator).raw("{\"key\":").string(key).raw(",\"value\":{\"stringValue\":");
      json.string(value).raw("}}");
      separator = ",";
    }
  }

  /** Nothing for null. */
  void attribute(String key, Long value) {
    if (value != null) {
      json.raw(separator).raw("{\"key\":").string(key).raw(",\"value\":{\"intValue\":\"");
      json.number(value).raw("\"}}");
      separator = ",";
    }
  }

  void endAttributes() {
    json.raw("]");
  }

  /** Something that happened during the span. */
  void event(String name, long timeNs) {
    json.raw(events ? "," : ",\"events\":[");
    events = true;
    json.raw("{\"timeUnixNano\":\"").number(Math.max(1, timeNs)).raw("\",\"name\":");
    json.string(name).raw("}");
  }

  void failed() {
    json.raw(",\"status\":{\"code\":2}");
  }

  void end() throws IOException {
    json.raw(events ? "]}" : "}");
    if (json.length() >= BLOCK) {
      json.drainTo(out);
    }
  }

  private void endLine() {
    json.raw("]}]}]}\n");
    inLine = 0;
  }

  void finish() throws IOException {
    if (inLine > 0) {
      endLine();
    }
    json.drainTo(out);
  }
}
