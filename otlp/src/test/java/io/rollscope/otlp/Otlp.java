package io.rollscope.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.Request;
import io.rollscope.otlp.record.SpanRecord;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Requests made with the generated classes, which are the oracle of our decoder. */
final class Otlp {
  /** When requests come in: 2023-11-14. */
  static final long NOW = 1_700_000_000_000_000_000L;

  static final String TRACE = "5b8efff798038103d269b633813fc60c";
  static final String SPAN = "eee19b7ec3c1b174";
  static final String PARENT = "eee19b7ec3c1b173";

  private Otlp() {}

  static KeyValue attribute(String key, Object value) {
    return KeyValue.newBuilder().setKey(key).setValue(value(value)).build();
  }

  /** Null is a value that is not set. */
  static AnyValue value(Object value) {
    AnyValue.Builder any = AnyValue.newBuilder();
    if (value instanceof String s) {
      any.setStringValue(s);
    } else if (value instanceof Boolean b) {
      any.setBoolValue(b);
    } else if (value instanceof Integer i) {
      any.setIntValue(i);
    } else if (value instanceof Long l) {
      any.setIntValue(l);
    } else if (value instanceof Double d) {
      any.setDoubleValue(d);
    } else if (value instanceof byte[] b) {
      any.setBytesValue(ByteString.copyFrom(b));
    } else if (value instanceof List<?> list) {
      ArrayValue.Builder values = ArrayValue.newBuilder();
      list.forEach(v -> values.addValues(value(v)));
      any.setArrayValue(values);
    } else if (value instanceof Map<?, ?> map) {
      KeyValueList.Builder values = KeyValueList.newBuilder();
      map.forEach((k, v) -> values.addValues(attribute((String) k, v)));
      any.setKvlistValue(values);
    }
    return any.build();
  }

  static ByteString id(String hex) {
    return ByteString.copyFrom(HexFormat.of().parseHex(hex));
  }

  /** A span of a second that is all right. */
  static Span.Builder span() {
    return Span.newBuilder()
        .setTraceId(id(TRACE))
        .setSpanId(id(SPAN))
        .setParentSpanId(id(PARENT))
        .setName("generate")
        .setStartTimeUnixNano(NOW - 2_000_000_000L)
        .setEndTimeUnixNano(NOW - 1_000_000_000L);
  }

  static Resource resource(KeyValue... attributes) {
    return Resource.newBuilder().addAllAttributes(List.of(attributes)).build();
  }

  static ExportTraceServiceRequest traces(Resource resource, Span... spans) {
    return ExportTraceServiceRequest.newBuilder()
        .addResourceSpans(
            ResourceSpans.newBuilder()
                .setResource(resource)
                .addScopeSpans(ScopeSpans.newBuilder().addAllSpans(List.of(spans))))
        .build();
  }

  static ExportLogsServiceRequest logs(Resource resource, LogRecord... records) {
    return ExportLogsServiceRequest.newBuilder()
        .addResourceLogs(
            ResourceLogs.newBuilder()
                .setResource(resource)
                .addScopeLogs(ScopeLogs.newBuilder().addAllLogRecords(List.of(records))))
        .build();
  }

  static ExportMetricsServiceRequest metrics(Resource resource, Metric... metrics) {
    return ExportMetricsServiceRequest.newBuilder()
        .addResourceMetrics(
            ResourceMetrics.newBuilder()
                .setResource(resource)
                .addScopeMetrics(ScopeMetrics.newBuilder().addAllMetrics(List.of(metrics))))
        .build();
  }

  static Request decode(Resource resource, Span... spans) throws BadRequestException {
    return RequestDecoder.decode(Signal.TRACES, traces(resource, spans).toByteArray(), 0, NOW);
  }

  static SpanRecord decodeOne(Resource resource, Span.Builder span) throws BadRequestException {
    Request request = decode(resource, span.build());
    if (request.spans().size() != 1) {
      throw new AssertionError("refused: " + request.rejected());
    }
    return request.spans().get(0);
  }

  static Map<String, String> texts(Attributes attributes) {
    Map<String, String> texts = new LinkedHashMap<>();
    attributes.forEach(
        (k, v) -> {
          if (texts.put(k, v) != null) {
            throw new AssertionError("twice: " + k);
          }
        });
    return texts;
  }

  /** The same by the faster way. */
  static List<String> visited(Attributes attributes) {
    List<String> texts = new ArrayList<>();
    attributes.visit(
        (k, kf, kt, v, vf, vt) ->
            texts.add(new String(k, kf, kt - kf, UTF_8) + "=" + new String(v, vf, vt - vf, UTF_8)));
    return texts;
  }
}
