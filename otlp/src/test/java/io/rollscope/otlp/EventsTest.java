package io.rollscope.otlp;

import static io.rollscope.otlp.Otlp.NOW;
import static io.rollscope.otlp.Otlp.attribute;
import static io.rollscope.otlp.Otlp.decode;
import static io.rollscope.otlp.Otlp.decodeOne;
import static io.rollscope.otlp.Otlp.id;
import static io.rollscope.otlp.Otlp.resource;
import static io.rollscope.otlp.Otlp.span;
import static io.rollscope.otlp.Otlp.texts;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.Event;
import io.opentelemetry.proto.trace.v1.Span.Link;
import io.opentelemetry.proto.trace.v1.Status;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import io.rollscope.core.model.Outcome;
import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.SpanRecord;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Events and links of spans are kept as JSON among the attributes. */
class EventsTest {
  private static Event.Builder event(String name) {
    return Event.newBuilder().setTimeUnixNano(NOW).setName(name);
  }

  @Test
  void eventsAndLinksAreAttributes() throws BadRequestException {
    Span.Builder span =
        span()
            .addAttributes(attribute("a", 1))
            .addEvents(
                event("first \"token\"")
                    .addAttributes(attribute("n", 7))
                    .addAttributes(attribute("list", List.of("x", 0.5)))
                    .setDroppedAttributesCount(2))
            .addEvents(event("last"))
            .setDroppedEventsCount(3)
            .addLinks(
                Link.newBuilder()
                    .setTraceId(id("00112233445566778899aabbccddeeff"))
                    .setSpanId(id("0123456789abcdef"))
                    .setTraceState("k=v")
                    .addAttributes(attribute("why", "retry")));
    assertThat(texts(decodeOne(resource(), span).attributes()))
        .containsExactly(
            Map.entry("a", "1"),
            Map.entry(
                "otel.events",
                "[{\"time_ns\":\"1700000000000000000\",\"name\":\"first \\\"token\\\"\","
                    + "\"attributes\":{\"n\":7,\"list\":[\"x\",0.5]},\"dropped_attributes\":2},"
                    + "{\"time_ns\":\"1700000000000000000\",\"name\":\"last\"},{\"missing\":3}]"),
            Map.entry(
                "otel.links",
                "[{\"trace_id\":\"00112233445566778899aabbccddeeff\","
                    + "\"span_id\":\"0123456789abcdef\",\"trace_state\":\"k=v\","
                    + "\"attributes\":{\"why\":\"retry\"}}]"));
  }

  @Test
  void aSpanWithNothingButEventsHasThem() throws BadRequestException {
    assertThat(texts(decodeOne(resource(), span().addEvents(event("e"))).attributes()))
        .containsOnlyKeys("otel.events");
  }

  @Test
  void tooManyAreCutAndCounted() throws BadRequestException {
    Span.Builder span = span();
    for (int i = 0; i < 100; i++) {
      span.addEvents(event("x".repeat(1_000)));
    }
    Attributes attributes = decodeOne(resource(), span).attributes();
    String json = texts(attributes).get("otel.events");
    long shown = json.split("time_ns", -1).length - 1L;
    assertThat(json.length()).isBetween(60_000, Attributes.MAX_VALUE_BYTES);
    assertThat(shown).isBetween(55L, 65L);
    assertThat(json).endsWith(",{\"missing\":" + (100 - shown) + "}]");
    assertThat(attributes.visit((k, kf, kt, v, vf, vt) -> {})).isEqualTo(100 - shown);
  }

  @Test
  void oneThatIsTooLongAloneLeavesItsCount() throws BadRequestException {
    Span.Builder span = span().addEvents(event("x".repeat(100_000)));
    assertThat(texts(decodeOne(resource(), span).attributes()))
        .containsEntry("otel.events", "[{\"missing\":1}]");
  }

  @Test
  void anAttributeOfTheSameNameIsTheSenders() throws BadRequestException {
    Span.Builder span =
        span().addAttributes(attribute("otel.events", "mine")).addEvents(event("e"));
    assertThat(texts(decodeOne(resource(), span).attributes()))
        .containsExactly(Map.entry("otel.events", "mine"));
  }

  /** They are looked at when a segment is written, where nobody could be told any more. */
  @Test
  void aMalformedEventIsRefusedAtOnce() {
    byte[] bytes = Otlp.traces(resource(), span().addEvents(event("name")).build()).toByteArray();
    int at = new String(bytes, ISO_8859_1).lastIndexOf("name");
    bytes[at - 1] = 9; // Longer than the event.
    assertThatThrownBy(() -> RequestDecoder.decode(Signal.TRACES, bytes, 0, NOW))
        .isInstanceOf(BadRequestException.class);
  }

  /** In a checkpoint. */
  @Test
  void theySurviveBeingWrittenAgain() throws BadRequestException {
    Span failed =
        span()
            .addEvents(
                event("exception")
                    .addAttributes(attribute("exception.type", "OOM"))
                    .addAttributes(attribute("exception.message", "no memory")))
            .addLinks(Link.newBuilder().setTraceId(id("00112233445566778899aabbccddeeff")))
            .setDroppedLinksCount(4)
            .setStatus(Status.newBuilder().setCode(StatusCode.STATUS_CODE_ERROR))
            .build();
    SpanRecord told = decode(resource(), failed).spans().get(0);
    SpanRecord again =
        RequestDecoder.decode(Signal.TRACES, RequestWriter.traces(List.of(told)), 0, NOW)
            .spans()
            .get(0);
    assertThat(again).isEqualTo(told);
    assertThat(texts(again.attributes())).isEqualTo(texts(told.attributes()));
    assertThat(again.errorType()).isEqualTo("OOM");
    assertThat(again.outcome()).isEqualTo(Outcome.ERROR);
  }
}
