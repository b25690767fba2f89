package io.rollscope.server;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.Arrays;

/** Requests with spans. */
final class TestSpans {
  static final String TRACE = "0102030405060708090a0b0c0d0e0f10";

  private TestSpans() {}

  /** A span of one second. */
  static Span.Builder span(int id) {
    byte[] trace = new byte[16];
    for (int i = 0; i < trace.length; i++) {
      trace[i] = (byte) (i + 1);
    }
    return Span.newBuilder()
        .setTraceId(ByteString.copyFrom(trace))
        .setSpanId(ByteString.copyFrom(new byte[] {0, 0, 0, 0, 0, 0, 0, (byte) id}))
        .setName("generate")
        .setStartTimeUnixNano(1_700_000_000_000_000_000L)
        .setEndTimeUnixNano(1_700_000_001_000_000_000L);
  }

  static KeyValue text(String key, String value) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setValue(AnyValue.newBuilder().setStringValue(value))
        .build();
  }

  static byte[] request(Span.Builder... spans) {
    ScopeSpans.Builder scope = ScopeSpans.newBuilder();
    Arrays.stream(spans).forEach(scope::addSpans);
    return ExportTraceServiceRequest.newBuilder()
        .addResourceSpans(ResourceSpans.newBuilder().addScopeSpans(scope))
        .build()
        .toByteArray();
  }
}
