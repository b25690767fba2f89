package io.rollscope.benchmarks.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The numbers of a benchmark mean nothing if what is sent is not what is said. */
final class BodyStreamTest {
  private static final int SET = 9 * 500;
  private static final long NOW = 1_800_000_000_000_000_000L;

  private final AtomicLong taken = new AtomicLong();

  @Test
  void noIdRepeatsAlthoughTheSameBodiesAreSentAgainAndAgain() throws Exception {
    List<Span> spans = otlpSpans(stream("otlp", "0"), 27 * 4);
    assertThat(spans).hasSize(12 * SET);
    assertThat(ids(spans)).hasSize(12 * SET);
    assertThat(values(spans, "gen_ai.request.id")).hasSize(12 * SET);
    assertThat(values(spans, "rl.train_step")).hasSizeLessThanOrEqualTo(8);
    assertThat(values(spans, "url.full")).hasSize(64);
  }

  @Test
  void everySessionHasNineSpansThatLieInTheirParents() throws Exception {
    List<Span> spans = otlpSpans(stream("otlp", "0"), 9);
    Map<String, Span> byId = new HashMap<>();
    Map<String, Integer> bySession = new HashMap<>();
    for (Span span : spans) {
      byId.put(hex(span.getSpanId().toByteArray()), span);
      bySession.merge(hex(span.getTraceId().toByteArray()), 1, Integer::sum);
      assertThat(span.getAttributesCount()).isEqualTo(10);
    }
    assertThat(bySession).hasSize(500).allSatisfy((trace, n) -> assertThat(n).isEqualTo(9));
    for (Span span : spans) {
      if (!span.getParentSpanId().isEmpty()) {
        Span parent = byId.get(hex(span.getParentSpanId().toByteArray()));
        assertThat(parent.getTraceId()).isEqualTo(span.getTraceId());
        assertThat(parent.getStartTimeUnixNano()).isLessThan(span.getStartTimeUnixNano());
        assertThat(parent.getEndTimeUnixNano()).isGreaterThan(span.getEndTimeUnixNano());
      }
    }
  }

  @Test
  void jsonSaysTheSameAsProtobuf() throws Exception {
    List<Span> expected = otlpSpans(stream("otlp", "1"), 9);
    taken.set(0);
    BodyStream json = stream("json", "1");
    int at = 0;
    for (int i = 0; i < 9; i++) {
      JsonNode request = new ObjectMapper().readTree(text(json.next()));
      JsonNode spans = request.at("/resourceSpans/0/scopeSpans/0/spans");
      for (JsonNode span : spans) {
        Span same = expected.get(at++);
        assertThat(span.get("traceId").textValue()).isEqualTo(hex(same.getTraceId().toByteArray()));
        assertThat(span.get("spanId").textValue()).isEqualTo(hex(same.getSpanId().toByteArray()));
        assertThat(span.get("startTimeUnixNano").asLong()).isEqualTo(same.getStartTimeUnixNano());
        assertThat(span.get("endTimeUnixNano").asLong()).isEqualTo(same.getEndTimeUnixNano());
        for (int a = 0; a < same.getAttributesCount(); a++) {
          JsonNode value = span.get("attributes").get(a).get("value");
          assertThat(value.elements().next().asText()).isEqualTo(text(same.getAttributes(a)));
        }
      }
    }
    assertThat(at).isEqualTo(SET);
  }

  @Test
  void aFillOfSoManySpansEndsAfterThem() {
    BodyStream stream = stream("otlp", "0", "--spans", "9000");
    int bodies = 0;
    while (stream.next() != null) {
      bodies++;
    }
    assertThat(bodies).isEqualTo(18);
  }

  private BodyStream stream(String format, String varied, String... more) {
    List<String> args = new ArrayList<>(List.of("--format", format, "--varied", varied));
    args.addAll(List.of("--seed", "7", "--spacing-us", "1000"));
    args.addAll(List.of(more));
    return new BodyStream(
        LoadOptions.parse(NOW, args.toArray(String[]::new)), new NoConnection(), taken, 0);
  }

  private static List<Span> otlpSpans(BodyStream stream, int bodies) throws Exception {
    List<Span> spans = new ArrayList<>();
    for (int i = 0; i < bodies; i++) {
      ExportTraceServiceRequest request = ExportTraceServiceRequest.parseFrom(stream.next());
      spans.addAll(request.getResourceSpans(0).getScopeSpans(0).getSpansList());
    }
    return spans;
  }

  private static Set<String> ids(List<Span> spans) {
    Set<String> ids = new HashSet<>();
    spans.forEach(
        s -> ids.add(hex(s.getTraceId().toByteArray()) + hex(s.getSpanId().toByteArray())));
    return ids;
  }

  private static Set<String> values(List<Span> spans, String key) {
    Set<String> values = new HashSet<>();
    for (Span span : spans) {
      for (KeyValue attribute : span.getAttributesList()) {
        if (attribute.getKey().equals(key)) {
          values.add(text(attribute));
        }
      }
    }
    return values;
  }

  private static String text(KeyValue attribute) {
    return switch (attribute.getValue().getValueCase()) {
      case INT_VALUE -> Long.toString(attribute.getValue().getIntValue());
      case DOUBLE_VALUE -> Double.toString(attribute.getValue().getDoubleValue());
      default -> attribute.getValue().getStringValue();
    };
  }

  private static String text(ByteBuffer body) {
    byte[] bytes = new byte[body.remaining()];
    body.get(bytes);
    return new String(bytes, UTF_8);
  }

  private static String hex(byte[] id) {
    return HexFormat.of().formatHex(id);
  }
}
