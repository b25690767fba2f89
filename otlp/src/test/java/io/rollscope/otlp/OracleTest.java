package io.rollscope.otlp;

import static io.rollscope.otlp.Otlp.NOW;
import static io.rollscope.otlp.Otlp.texts;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.record.Request;
import io.rollscope.otlp.record.SpanRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Our decoder and our JSON against the generated classes. */
class OracleTest {
  private static final long DAY = 86_400_000_000_000L;

  @Property(tries = 500)
  void spansAreWhatTheGeneratedClassesSay(@ForAll long seed) throws BadRequestException {
    var message = (ExportTraceServiceRequest) new RandomMessages(seed).request(Signal.TRACES);

    Request request = RequestDecoder.decode(Signal.TRACES, message.toByteArray(), 0, NOW);

    Deque<SpanRecord> records = new ArrayDeque<>(request.spans());
    long refused = 0;
    for (ResourceSpans resource : message.getResourceSpansList()) {
      for (var scope : resource.getScopeSpansList()) {
        for (Span span : scope.getSpansList()) {
          List<KeyValue> attributes = resource.getResource().getAttributesList();
          if (isUsable(span) && !isOdd(records.peek(), span, attributes)) {
            requireSame(records.remove(), span, attributes);
          } else {
            refused++;
          }
        }
      }
    }
    assertThat(records).isEmpty();
    assertThat(request.rejectedCount()).isEqualTo(refused);
  }

  /** Otherwise the properties here and of the writer would say little. */
  @Test
  void randomRequestsHoldSomethingOfEverything() throws BadRequestException {
    long spans = 0;
    long starts = 0;
    long failed = 0;
    long verdicts = 0;
    long signs = 0;
    long points = 0;
    for (int seed = 0; seed < 300; seed++) {
      RandomMessages messages = new RandomMessages(seed);
      Request traces = decode(Signal.TRACES, messages);
      Request logs = decode(Signal.LOGS, messages);
      spans += traces.spans().size();
      failed += traces.spans().stream().filter(s -> s.outcome() == Outcome.ERROR).count();
      starts += logs.spans().size();
      verdicts += logs.verdicts().size();
      signs += logs.signs().size();
      points += decode(Signal.METRICS, messages).points().size();
    }

    assertThat(List.of(spans, failed, starts, verdicts, signs, points)).allMatch(n -> n > 20);
  }

  private static Request decode(Signal signal, RandomMessages messages) throws BadRequestException {
    return RequestDecoder.decode(signal, messages.request(signal).toByteArray(), 0, NOW);
  }

  @Property(tries = 300)
  void jsonIsTheSameMessage(@ForAll Signal signal, @ForAll long seed) throws Exception {
    Message message = new RandomMessages(seed).request(signal);
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    try (JsonGenerator out = new JsonFactory().createGenerator(json)) {
      write(out, message);
    }

    byte[] protobuf = JsonRequests.toProtobuf(signal, json.toByteArray());

    assertThat(message.getParserForType().parseFrom(protobuf)).isEqualTo(message);
  }

  private static boolean isUsable(Span span) {
    long start = span.getStartTimeUnixNano();
    long end = span.getEndTimeUnixNano();
    int parent = span.getParentSpanId().size();
    return isId(span.getTraceId(), 16)
        && isId(span.getSpanId(), 8)
        && (parent == 0 || parent == 8)
        && start > 0
        && start <= NOW + DAY
        && end >= 0
        && end <= NOW + DAY;
  }

  /** Whether a span was refused for its run or session, and holds an id that may be the reason. */
  private static boolean isOdd(SpanRecord next, Span span, List<KeyValue> resource) {
    boolean refused =
        next == null
            || next.spanId() != span.getSpanId().asReadOnlyByteBuffer().getLong()
            || next.startNs() != span.getStartTimeUnixNano();
    return refused && (hasOddId(span.getAttributesList()) || hasOddId(resource));
  }

  private static boolean hasOddId(List<KeyValue> attributes) {
    return firsts(attributes).entrySet().stream()
        .filter(e -> Arrays.stream(Key.values()).anyMatch(k -> k.text().equals(e.getKey())))
        .anyMatch(e -> e.getValue().getStringValue().indexOf('\n') >= 0);
  }

  private static boolean isId(ByteString id, int length) {
    return id.size() == length && !id.equals(ByteString.copyFrom(new byte[length]));
  }

  private static void requireSame(SpanRecord record, Span span, List<KeyValue> resource) {
    ByteBuffer trace = span.getTraceId().asReadOnlyByteBuffer();
    assertThat(record.traceHigh()).isEqualTo(trace.getLong());
    assertThat(record.traceLow()).isEqualTo(trace.getLong());
    assertThat(record.spanId()).isEqualTo(span.getSpanId().asReadOnlyByteBuffer().getLong());
    assertThat(record.parentId())
        .isEqualTo(
            span.getParentSpanId().isEmpty()
                ? 0
                : span.getParentSpanId().asReadOnlyByteBuffer().getLong());
    if (span.getNameBytes().size() > 1_024) {
      assertThat(span.getName()).startsWith(record.name());
      assertThat(record.name().length()).isGreaterThan(300);
    } else {
      assertThat(record.name()).isEqualTo(span.getName().isEmpty() ? "unknown" : span.getName());
    }
    assertThat(record.startNs()).isEqualTo(span.getStartTimeUnixNano());
    assertThat(record.endNs())
        .isEqualTo(
            span.getEndTimeUnixNano() == 0
                ? Nanos.OPEN
                : Math.max(span.getStartTimeUnixNano(), span.getEndTimeUnixNano()));
    Map<String, String> texts = texts(record.attributes());
    requireSameElements(
        texts.remove("otel.events"), span.getEventsCount(), span.getDroppedEventsCount());
    requireSameElements(
        texts.remove("otel.links"), span.getLinksCount(), span.getDroppedLinksCount());
    String dropped = texts.remove("otel.dropped_attributes_count");
    int count = span.getDroppedAttributesCount();
    assertThat(dropped).isEqualTo(count == 0 ? null : Integer.toUnsignedString(count));
    requireSameTexts(texts, span.getAttributesList());
    requireSameTexts(texts(record.origin().attributes()), resource);
  }

  private static void requireSameElements(String json, int count, int dropped) {
    if (count == 0 && dropped == 0) {
      assertThat(json).isNull();
      return;
    }
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      int elements = 0;
      assertThat(parser.nextToken()).isEqualTo(JsonToken.START_ARRAY);
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        elements++;
        parser.skipChildren();
      }
      assertThat(parser.nextToken()).isNull();
      assertThat(elements).isEqualTo(count + (dropped == 0 ? 0 : 1));
    } catch (IOException e) {
      throw new AssertionError(json, e);
    }
    assertThat(json.endsWith("{\"missing\":" + Integer.toUnsignedString(dropped) + "}]"))
        .isEqualTo(dropped != 0);
  }

  private static void requireSameTexts(Map<String, String> texts, List<KeyValue> attributes) {
    Map<String, AnyValue> expected = firsts(attributes);
    assertThat(texts.keySet()).containsExactlyElementsOf(expected.keySet());
    expected.forEach(
        (key, value) -> {
          switch (value.getValueCase()) {
            case STRING_VALUE -> assertThat(texts.get(key)).isEqualTo(value.getStringValue());
            case INT_VALUE -> assertThat(texts.get(key)).isEqualTo("" + value.getIntValue());
            case BOOL_VALUE -> assertThat(texts.get(key)).isEqualTo("" + value.getBoolValue());
            case DOUBLE_VALUE ->
                assertThat(Double.parseDouble(texts.get(key)))
                    .isEqualTo((Double) value.getDoubleValue());
            case BYTES_VALUE ->
                assertThat(Base64.getDecoder().decode(texts.get(key)))
                    .isEqualTo(value.getBytesValue().toByteArray());
            case ARRAY_VALUE -> assertThat(texts.get(key)).startsWith("[").endsWith("]");
            case KVLIST_VALUE -> assertThat(texts.get(key)).startsWith("{").endsWith("}");
            default -> assertThat(texts.get(key)).isEmpty();
          }
        });
  }

  private static Map<String, AnyValue> firsts(List<KeyValue> attributes) {
    return attributes.stream()
        .collect(toMap(KeyValue::getKey, KeyValue::getValue, (a, b) -> a, LinkedHashMap::new));
  }

  /** OTLP/JSON as its specification has it. */
  private static void write(JsonGenerator out, Message message) throws IOException {
    out.writeStartObject();
    for (Map.Entry<FieldDescriptor, Object> e : message.getAllFields().entrySet()) {
      out.writeFieldName(e.getKey().getJsonName());
      if (e.getKey().isRepeated()) {
        out.writeStartArray();
        for (Object element : (List<?>) e.getValue()) {
          writeValue(out, e.getKey(), element);
        }
        out.writeEndArray();
      } else {
        writeValue(out, e.getKey(), e.getValue());
      }
    }
    out.writeEndObject();
  }

  private static void writeValue(JsonGenerator out, FieldDescriptor field, Object value)
      throws IOException {
    switch (field.getType()) {
      case MESSAGE -> write(out, (Message) value);
      case STRING -> out.writeString((String) value);
      case BOOL -> out.writeBoolean((Boolean) value);
      case DOUBLE -> out.writeNumber((Double) value);
      case ENUM -> out.writeNumber(((EnumValueDescriptor) value).getNumber());
      case INT32, SINT32 -> out.writeNumber((Integer) value);
      case UINT32, FIXED32 -> out.writeNumber(Integer.toUnsignedLong((Integer) value));
      case INT64, SFIXED64 -> out.writeString(Long.toString((Long) value));
      case UINT64, FIXED64 -> out.writeString(Long.toUnsignedString((Long) value));
      case BYTES -> {
        byte[] bytes = ((ByteString) value).toByteArray();
        boolean id = field.getName().endsWith("_id");
        out.writeString(
            id ? HexFormat.of().formatHex(bytes) : Base64.getEncoder().encodeToString(bytes));
      }
      default -> throw new AssertionError(field);
    }
  }
}
