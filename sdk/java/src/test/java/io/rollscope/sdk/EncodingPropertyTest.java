package io.rollscope.sdk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.rollscope.otlp.JsonRequests;
import io.rollscope.otlp.RequestDecoder;
import io.rollscope.otlp.record.Request;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What OpenTelemetry's messages and our own decoder read back is what was recorded. */
class EncodingPropertyTest {
  /** A phase as somebody might record it. */
  record Recording(String name, List<Map.Entry<String, Object>> attributes, boolean fails) {}

  @Provide
  Arbitrary<List<Recording>> recordings() {
    Arbitrary<String> text =
        Arbitraries.oneOf(
            Arbitraries.strings().ofMaxLength(20),
            Arbitraries.strings().ascii().ofMinLength(100).ofMaxLength(300),
            Arbitraries.of("", "\ud800", "é\u0000\"\\", "\uD83D\uDE00"));
    Arbitrary<Object> value =
        Arbitraries.oneOf(
            text.map(t -> (Object) t),
            Arbitraries.longs().map(l -> (Object) l),
            Arbitraries.doubles().map(d -> (Object) d),
            Arbitraries.of(Double.NaN, Double.NEGATIVE_INFINITY, true, false),
            Arbitraries.longs().list().ofMaxSize(4).map(l -> (Object) l),
            text.list().ofMaxSize(4).map(l -> (Object) l),
            Arbitraries.doubles().list().ofMinSize(1).ofMaxSize(4).map(l -> (Object) l));
    Arbitrary<String> key =
        Arbitraries.oneOf(
            Arbitraries.strings().alpha().ofLength(2), text.filter(t -> !t.isEmpty()));
    return Combinators.combine(
            text,
            Combinators.combine(key, value).as(Map::entry).list().ofMaxSize(40),
            Arbitraries.of(true, false))
        .as(Recording::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(5);
  }

  /** The same recorded twice, as protobuf and as JSON. */
  private static List<MemoryTransport.Request> sent(List<Recording> all, boolean json) {
    List<MemoryTransport.Request> requests = new ArrayList<>();
    Transport transport =
        new Transport() {
          @Override
          public Form form() {
            return json ? Form.JSON : Form.PROTOBUF;
          }

          @Override
          public Sent send(Signal signal, byte[] body) {
            requests.add(new MemoryTransport.Request(signal, body));
            return Sent.all();
          }
        };
    try (Rollscope rs =
        Rollscope.builder().environment(Map.of()).run("r").transport(transport).build()) {
      for (Recording one : all) {
        try (Phase phase = rs.phase(one.name())) {
          one.attributes().forEach(a -> phase.set(a.getKey(), a.getValue()));
          if (one.fails()) {
            phase.failed(new IllegalStateException(one.name()));
          }
        }
        rs.gauge("g").set(one.name().length(), 1);
        rs.counter("c").with("label", one.name()).add(1);
        rs.histogram("h").record(one.attributes().size());
      }
    }
    return requests;
  }

  private static Message parsed(Signal signal, byte[] body) throws Exception {
    return switch (signal) {
      case TRACES -> ExportTraceServiceRequest.parseFrom(body);
      case LOGS -> ExportLogsServiceRequest.parseFrom(body);
      case METRICS -> ExportMetricsServiceRequest.parseFrom(body);
    };
  }

  @Property(tries = 100)
  void openTelemetryReadsWhatWasRecorded(@ForAll("recordings") List<Recording> all)
      throws Exception {
    List<Span> spans = new ArrayList<>();
    for (MemoryTransport.Request request : sent(all, false)) {
      Message message = parsed(request.signal(), request.body());
      assertThat(message.getUnknownFields().asMap()).isEmpty();
      assertThat(message.toByteArray()).hasSameSizeAs(request.body());
      if (message instanceof ExportTraceServiceRequest traces) {
        spans.addAll(traces.getResourceSpans(0).getScopeSpans(0).getSpansList());
      }
    }
    assertThat(spans).hasSameSizeAs(all);
    for (int i = 0; i < spans.size(); i++) {
      Recording one = all.get(i);
      String name = one.name().isEmpty() ? "unknown" : wellFormed(one.name());
      assertThat(spans.get(i).getName()).isEqualTo(name);
      assertThat(attributes(spans.get(i))).isEqualTo(expected(one));
    }
  }

  private static Map<String, Object> attributes(Span span) {
    Map<String, Object> all = new LinkedHashMap<>();
    for (KeyValue attribute : span.getAttributesList()) {
      boolean own = attribute.getKey().matches("rl\\.kind|rollscope\\.cut|error\\..*");
      if (!own) {
        Object before = all.put(attribute.getKey(), value(attribute.getValue()));
        assertThat(before).as("twice: " + attribute.getKey()).isNull();
      }
    }
    return all;
  }

  private static Object value(AnyValue value) {
    return switch (value.getValueCase()) {
      case STRING_VALUE -> value.getStringValue();
      case BOOL_VALUE -> value.getBoolValue();
      case INT_VALUE -> value.getIntValue();
      case DOUBLE_VALUE -> value.getDoubleValue();
      case ARRAY_VALUE ->
          value.getArrayValue().getValuesList().stream().map(v -> value(v)).toList();
      default -> throw new AssertionError(value);
    };
  }

  private static Map<String, Object> expected(Recording one) {
    Map<String, Object> all = new LinkedHashMap<>();
    for (Map.Entry<String, Object> entry : one.attributes()) {
      Object value = entry.getValue();
      all.put(
          wellFormed(entry.getKey()),
          value instanceof String text
              ? wellFormed(text)
              : value instanceof List<?> list
                  ? list.stream().map(e -> e instanceof String t ? wellFormed(cut(t)) : e).toList()
                  : value);
    }
    return all;
  }

  private static String cut(String text) {
    return io.rollscope.sdk.internal.span.Values.cut(text, 256);
  }

  /** As UTF-8 has it: halves of characters are question marks. */
  private static String wellFormed(String text) {
    return new String(text.getBytes(UTF_8), UTF_8);
  }

  @Property(tries = 50)
  void ourDecoderTakesEverything(@ForAll("recordings") List<Recording> all) throws Exception {
    int spans = 0;
    int points = 0;
    for (MemoryTransport.Request request : sent(all, false)) {
      Request decoded =
          RequestDecoder.decode(
              io.rollscope.otlp.Signal.valueOf(request.signal().name()),
              request.body(),
              0,
              System.currentTimeMillis() * 1_000_000);
      assertThat(decoded.rejected()).isEmpty();
      assertThat(decoded.repaired()).isZero();
      spans += decoded.spans().size();
      points += decoded.points().size();
    }
    assertThat(spans).isEqualTo(all.size());
    assertThat(points).isGreaterThan(all.size());
  }

  @Property(tries = 50)
  void jsonSaysTheSameAsProtobuf(@ForAll("recordings") List<Recording> all) throws Exception {
    List<MemoryTransport.Request> json = sent(all, true);
    List<MemoryTransport.Request> protobuf = sent(all, false);
    assertThat(json).hasSameSizeAs(protobuf);
    for (int i = 0; i < json.size(); i++) {
      Signal signal = json.get(i).signal();
      assertThat(new String(json.get(i).body(), UTF_8)).doesNotContain("\n");
      byte[] read =
          JsonRequests.lineToProtobuf(
              io.rollscope.otlp.Signal.valueOf(signal.name()), json.get(i).body());
      assertThat(shape(parsed(signal, read)))
          .isEqualTo(shape(parsed(signal, protobuf.get(i).body())));
    }
  }

  /** Without ids, times and the process, which differ from one recording to the next. */
  private static String shape(Message message) {
    return message
        .toString()
        .replaceAll("(?m)^ *(trace_id|span_id|[a-z_]*time_unix_nano):.*\\n", "")
        .replaceAll("(?s)key: \"service.instance.id\".*?string_value: \"[^\"]*\"", "");
  }
}
