package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.rollscope.sdk.internal.otel.RollscopeTelemetry;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Code written for OpenTelemetry's API, and our phases, see each other. */
class OpenTelemetryTest {
  private final Quick quick = new Quick();

  private io.opentelemetry.proto.trace.v1.Span sent(String name) {
    return quick.transport.spans().stream()
        .filter(s -> s.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, String> attributes(io.opentelemetry.proto.trace.v1.Span span) {
    Map<String, String> all = new HashMap<>();
    span.getAttributesList().forEach(a -> all.put(a.getKey(), a.getValue().getStringValue()));
    return all;
  }

  @Test
  void phaseIsTheCurrentSpanOfOtherCode() {
    try (Rollscope rs = quick.builder().build()) {
      assertThat(Span.current().getSpanContext().isValid()).isFalse();
      try (Session session = rs.session()) {
        try (Phase phase = rs.phase("generate")) {
          assertThat(Span.current()).isSameAs(phase.span());
          Span.current().setAttribute("by", "others");
          Span child = rs.openTelemetry().getTracer("http").spanBuilder("GET").startSpan();
          child.end();
        }
        assertThat(Span.current()).isSameAs(session.span());
      }
      assertThat(Span.current().getSpanContext().isValid()).isFalse();
    }
    assertThat(sent("GET").getParentSpanId()).isEqualTo(sent("generate").getSpanId());
    assertThat(sent("GET").getTraceId()).isEqualTo(sent("session").getTraceId());
    assertThat(attributes(sent("generate"))).containsEntry("by", "others");
    assertThat(attributes(sent("GET"))).doesNotContainKey("rl.kind");
  }

  /** A library that was set up with OpenTelemetry's own SDK works inside of ours. */
  @Test
  void spansOfOpenTelemetrysSdkStandBetweenOurs() {
    try (Rollscope rs = quick.builder().build();
        SdkTracerProvider other = SdkTracerProvider.builder().build()) {
      Span theirs;
      try (Session session = rs.session()) {
        theirs = other.get("x").spanBuilder("theirs").startSpan();
        assertThat(theirs.getSpanContext().getTraceId())
            .isEqualTo(session.span().getSpanContext().getTraceId());
        try (var scope = theirs.makeCurrent()) {
          rs.phase("inside").close();
        }
      }
      rs.flush(Quick.PATIENCE);
      assertThat(hex(sent("inside").getParentSpanId().toByteArray()))
          .isEqualTo(theirs.getSpanContext().getSpanId());
      assertThat(attributes(sent("inside"))).doesNotContainKey("rl.kind");
    }
  }

  private static String hex(byte[] bytes) {
    return java.util.HexFormat.of().formatHex(bytes);
  }

  @Test
  void everythingTheApiCanSayArrives() {
    SpanContext other =
        SpanContext.create(
            "0af7651916cd43dd8448eb211c80319c",
            "b7ad6b7169203331",
            TraceFlags.getSampled(),
            TraceState.builder().put("k", "v").build());
    try (Rollscope rs = quick.builder().stackTraces(true).build()) {
      Tracer tracer =
          rs.openTelemetry()
              .getTracerProvider()
              .tracerBuilder("lib")
              .setInstrumentationVersion("2")
              .build();
      Span span =
          tracer
              .spanBuilder("old name")
              .setSpanKind(SpanKind.CLIENT)
              .setNoParent()
              .addLink(other, Attributes.of(AttributeKey.longKey("n"), 1L))
              .setStartTimestamp(Instant.ofEpochSecond(1_700_000_000))
              .setAttribute(AttributeKey.stringArrayKey("list"), List.of("a", "b"))
              .setAttribute("double", 0.5)
              .startSpan();
      span.addEvent("first token", Attributes.of(AttributeKey.longKey("n"), 7L));
      span.addEvent("timed", 1_700_000_001_000L, TimeUnit.MILLISECONDS);
      span.recordException(new IllegalStateException("odd"));
      span.setStatus(StatusCode.ERROR, "it broke");
      span.updateName("new name");
      assertThat(span.isRecording()).isTrue();
      span.end(1_700_000_002_000L, TimeUnit.MILLISECONDS);
      assertThat(span.isRecording()).isFalse();
      span.setAttribute("late", 1).updateName("late").addEvent("late").end();
      rs.flush(Quick.PATIENCE);
    }
    var span = sent("new name");
    assertThat(quick.transport.spans()).hasSize(1);
    assertThat(span.getKindValue()).isEqualTo(3);
    assertThat(span.getStartTimeUnixNano()).isEqualTo(1_700_000_000_000_000_000L);
    assertThat(span.getEndTimeUnixNano()).isEqualTo(1_700_000_002_000_000_000L);
    assertThat(span.getParentSpanId()).isEmpty();
    assertThat(span.getStatus().getCodeValue()).isEqualTo(2);
    assertThat(span.getStatus().getMessage()).isEqualTo("it broke");
    assertThat(span.getEventsList())
        .extracting(e -> e.getName())
        .containsExactly("first token", "timed", "exception");
    assertThat(span.getEvents(1).getTimeUnixNano()).isEqualTo(1_700_000_001_000_000_000L);
    assertThat(span.getEvents(2).getAttributesList())
        .extracting(a -> a.getKey())
        .containsExactly("exception.type", "exception.message", "exception.stacktrace");
    assertThat(hex(span.getLinks(0).getTraceId().toByteArray())).isEqualTo(other.getTraceId());
    assertThat(span.getLinks(0).getTraceState()).isEqualTo("k=v");
    assertThat(span.getAttributesList())
        .extracting(a -> a.getKey())
        .containsExactly("rl.kind", "list", "double");
  }

  @Test
  void oneBuilderMakesSpansThatDoNotShare() {
    try (Rollscope rs = quick.builder().build()) {
      var builder = rs.openTelemetry().getTracer("x").spanBuilder("twice").setAttribute("a", 1);
      Span first = builder.startSpan();
      Span second = builder.startSpan();
      first.setAttribute("only", "first");
      first.end();
      second.end();
      rs.flush(Quick.PATIENCE);
    }
    assertThat(quick.transport.spans())
        .extracting(s -> s.getAttributesCount())
        .containsExactly(3, 2);
  }

  @Test
  void explicitKindIsTaken() {
    try (Rollscope rs = quick.builder().build()) {
      Span session =
          rs.openTelemetry()
              .getTracer("x")
              .spanBuilder("episode")
              .setAttribute("rl.kind", "session")
              .startSpan();
      try (var scope = session.makeCurrent()) {
        rs.phase("inside").close();
      }
      session.end();
    }
    assertThat(attributes(sent("episode"))).containsEntry("rl.kind", "session");
    assertThat(attributes(sent("inside"))).doesNotContainKey("rl.kind");
  }

  @Test
  void contextGoesOutAndComesBackByW3cHeaders() {
    Map<String, String> headers = new HashMap<>();
    try (Rollscope rs = quick.builder().build();
        Batch batch = rs.batch(12);
        Session session = rs.session("s 1")) {
      Context mine = Context.current().with(Baggage.builder().put("mine", "1").build());
      try (var scope = mine.makeCurrent();
          Phase phase = rs.phase("call")) {
        rs.inject(headers);
        assertThat(headers.get("traceparent"))
            .isEqualTo(
                "00-"
                    + session.span().getSpanContext().getTraceId()
                    + "-"
                    + phase.span().getSpanContext().getSpanId()
                    + "-01");
        assertThat(headers.get("baggage")).contains("mine=1", "rl.train_step=12");
      }
    }
    Baggage seen =
        Baggage.fromContext(
            RollscopeTelemetry.W3C
                .getTextMapPropagator()
                .extract(Context.root(), headers, new MapGetter()));
    assertThat(seen.getEntryValue("rl.session.id")).isEqualTo("s 1");

    Quick elsewhere = new Quick();
    try (Rollscope rs = elsewhere.builder().build()) {
      Map<String, String> received = new HashMap<>();
      headers.forEach((k, v) -> received.put(k.toUpperCase(java.util.Locale.ROOT), v));
      try (var scope = rs.extract(received).makeCurrent()) {
        rs.phase("remote").close();
        rs.state("busy", "engine").close();
      }
    }
    var remote = elsewhere.transport.spans().get(0);
    assertThat(remote.getTraceId()).isEqualTo(sent("call").getTraceId());
    assertThat(remote.getParentSpanId()).isEqualTo(sent("call").getSpanId());
    assertThat(attributes(remote)).isEmpty();
  }

  @Test
  void remoteParentThatSaysNothingMakesAPlainSpan() {
    Map<String, String> headers =
        Map.of("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    try (Rollscope rs = quick.builder().build()) {
      try (var scope = rs.extract(headers).makeCurrent()) {
        rs.phase("remote").close();
      }
      rs.phase("local").close();
    }
    assertThat(attributes(sent("remote"))).isEmpty();
    assertThat(attributes(sent("local"))).containsEntry("rl.kind", "op");
  }

  /** A worker process that the trainer starts. */
  @Test
  void childProcessBelongsToThePhaseThatStartedIt() {
    Map<String, String> variables;
    try (Rollscope rs = quick.builder().run("r").token("t").build();
        Batch batch = rs.batch(3);
        Phase phase = rs.phase("start workers")) {
      variables = rs.environment();
    }
    assertThat(variables)
        .containsEntry("ROLLSCOPE_RUN", "r")
        .containsEntry("ROLLSCOPE_RUN_ID", "r")
        .containsEntry("ROLLSCOPE_TOKEN", "t")
        .containsEntry("ROLLSCOPE_ENABLED", "1")
        .containsKeys("TRACEPARENT", "BAGGAGE");
    Quick child = new Quick();
    try (Rollscope rs = child.builder(variables).build()) {
      rs.phase("load").close();
      rs.session("s").close();
    }
    var load = child.transport.spans().get(0);
    assertThat(load.getParentSpanId()).isEqualTo(sent("start workers").getSpanId());
    assertThat(attributes(load)).containsEntry("rl.kind", "op").containsKey("rl.train_step");
    var session = child.transport.spans().get(1);
    assertThat(session.getParentSpanId()).isEmpty();
    assertThat(attributes(session)).containsKey("rl.train_step");
  }

  private static final class MapGetter
      implements io.opentelemetry.context.propagation.TextMapGetter<Map<String, String>> {
    @Override
    public Iterable<String> keys(Map<String, String> carrier) {
      return carrier.keySet();
    }

    @Override
    public String get(Map<String, String> carrier, String key) {
      return carrier.get(key);
    }
  }
}
