package io.rollscope.cli.demo;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.trace.v1.Span;
import io.rollscope.simulator.Playback;
import io.rollscope.simulator.Settings;
import io.rollscope.simulator.Timeline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the demo sends, as it arrives on the wire. */
class OtelRunTest {
  private record Sent<T>(String instance, T what) {}

  private final List<Sent<Span>> spans = new CopyOnWriteArrayList<>();
  private final List<Sent<LogRecord>> records = new CopyOnWriteArrayList<>();
  private HttpServer server;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::receive);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (exchange.getRequestURI().getPath().equals("/v1/traces")) {
        for (var resource : ExportTraceServiceRequest.parseFrom(body).getResourceSpansList()) {
          String instance = text(resource.getResource().getAttributesList(), INSTANCE);
          resource.getScopeSpansList().stream()
              .flatMap(scope -> scope.getSpansList().stream())
              .forEach(span -> spans.add(new Sent<>(instance, span)));
        }
      } else {
        for (var resource : ExportLogsServiceRequest.parseFrom(body).getResourceLogsList()) {
          String instance = text(resource.getResource().getAttributesList(), INSTANCE);
          resource.getScopeLogsList().stream()
              .flatMap(scope -> scope.getLogRecordsList().stream())
              .forEach(record -> records.add(new Sent<>(instance, record)));
        }
      }
      exchange.sendResponseHeaders(200, -1);
    }
  }

  private static final String INSTANCE = "service.instance.id";

  private static String text(List<KeyValue> attributes, String key) {
    return attributes.stream()
        .filter(a -> a.getKey().equals(key))
        .map(KeyValue::getValue)
        .map(AnyValue::getStringValue)
        .findFirst()
        .orElse(null);
  }

  private List<LogRecord> records(String event) {
    return records.stream().map(Sent::what).filter(r -> r.getEventName().equals(event)).toList();
  }

  private Set<String> instances(String event) {
    return records.stream()
        .filter(r -> r.what().getEventName().equals(event))
        .map(Sent::instance)
        .collect(toSet());
  }

  private void play(int events, boolean withDeath) throws IOException {
    URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    OtelRun run = new OtelRun("demo", address, null);
    try (Playback playback =
        new Playback(Settings.demo(), new Timeline(1_790_000_000_000_000_000L, 1), run)) {
      playback.rush(events / 2);
      if (withDeath) {
        run.killOne();
      }
      playback.rush(events);
    }
  }

  @Test
  void everySpanIsToldWhenItStartsWithItsNameAndParent() throws IOException {
    play(6_000, false);

    Map<ByteString, LogRecord> starts =
        records("rollscope.span.start").stream()
            .collect(Collectors.toMap(LogRecord::getSpanId, Function.identity()));
    List<Span> told =
        spans.stream().map(Sent::what).filter(s -> starts.containsKey(s.getSpanId())).toList();
    assertThat(told).hasSizeGreaterThan(1_000);
    for (Span span : told) {
      LogRecord start = starts.get(span.getSpanId());
      assertThat(start.getTraceId()).isEqualTo(span.getTraceId());
      assertThat(start.getTimeUnixNano()).isEqualTo(span.getStartTimeUnixNano());
      assertThat(text(start.getAttributesList(), "rollscope.span.name")).isEqualTo(span.getName());
      String parent = text(start.getAttributesList(), "rollscope.span.parent_id");
      assertThat(parent == null ? "" : parent).isEqualTo(hex(span.getParentSpanId()));
      assertThat(start.hasBody()).isFalse();
      assertThat(start.getAttributesList()).containsAll(atStart(span));
    }
    assertThat(starts).hasSizeGreaterThan(told.size());
  }

  private static List<KeyValue> atStart(Span span) {
    Set<String> later = Set.of("rl.status", "rl.reason", "error.type");
    return span.getAttributesList().stream().filter(a -> !later.contains(a.getKey())).toList();
  }

  private static String hex(ByteString bytes) {
    return java.util.HexFormat.of().formatHex(bytes.toByteArray());
  }

  @Test
  void sessionsEndWithAStatusAndAreAcceptedWhenTrainedOn() throws IOException {
    play(12_000, false);

    List<Span> sessions =
        spans.stream()
            .map(Sent::what)
            .filter(s -> "session".equals(text(s.getAttributesList(), "rl.kind")))
            .toList();
    assertThat(sessions)
        .extracting(s -> text(s.getAttributesList(), "rl.status"))
        .contains("completed", "rejected", "failed")
        .doesNotContainNull();
    Set<ByteString> roots = sessions.stream().map(Span::getSpanId).collect(toSet());
    List<LogRecord> verdicts = records("rollscope.session.final");
    assertThat(verdicts).isNotEmpty();
    assertThat(verdicts).allMatch(v -> roots.contains(v.getSpanId()));
    assertThat(verdicts)
        .extracting(v -> text(v.getAttributesList(), "rl.status"))
        .containsOnly("accepted");
  }

  @Test
  void everyProcessBeatsAndOnlyTheDeadOneEndsWithoutAWord() throws IOException {
    play(6_000, true);

    Set<String> ended = instances("rollscope.process.end");
    Set<String> dead =
        instances("rollscope.beat").stream().filter(i -> !ended.contains(i)).collect(toSet());
    assertThat(ended).hasSizeGreaterThan(9);
    assertThat(dead).hasSize(1);
    Set<ByteString> closed = spans.stream().map(s -> s.what().getSpanId()).collect(toSet());
    assertThat(records)
        .as("the dead process has left open spans")
        .anyMatch(
            r ->
                dead.contains(r.instance())
                    && r.what().getEventName().equals("rollscope.span.start")
                    && !closed.contains(r.what().getSpanId()));
  }
}
