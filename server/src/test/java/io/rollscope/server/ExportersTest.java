package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.logs.OtlpGrpcLogRecordExporter;
import io.opentelemetry.exporter.otlp.metrics.OtlpGrpcMetricExporter;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.logs.export.SimpleLogRecordProcessor;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.rollscope.otlp.record.MetricPoint;
import io.rollscope.otlp.record.SpanRecord;
import io.rollscope.store.Incoming;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** OpenTelemetry's own exporters send to us, over both transports, plain and compressed. */
class ExportersTest {
  @TempDir private static Path data;
  private static TestDoor door;

  @BeforeAll
  static void open() throws StartException {
    door = TestDoor.open(data);
  }

  @AfterAll
  static void close() {
    door.close();
  }

  @BeforeEach
  void forget() {
    door.forget();
  }

  private static void awaitSuccess(CompletableResultCode result) {
    assertThat(result.join(10, TimeUnit.SECONDS).isSuccess()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"grpc,none", "grpc,gzip", "http,none", "http,gzip"})
  void spansArrive(String transport, String compression) {
    SpanExporter exporter =
        transport.equals("grpc")
            ? OtlpGrpcSpanExporter.builder()
                .setEndpoint("http://" + door.door.otlpGrpc())
                .setCompression(compression)
                .build()
            : OtlpHttpSpanExporter.builder()
                .setEndpoint(door.door.otlpHttp() + "/v1/traces")
                .setCompression(compression)
                .build();
    try (SdkTracerProvider tracers =
        SdkTracerProvider.builder()
            .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
            .build()) {
      Span parent = tracers.get("test").spanBuilder("rollout").startSpan();
      Span child =
          tracers
              .get("test")
              .spanBuilder("generate")
              .setParent(Context.root().with(parent))
              .setAttribute("rl.session.id", "s-1")
              .startSpan();
      child.end();
      parent.end();
      awaitSuccess(tracers.forceFlush());

      List<SpanRecord> spans = taken().flatMap(i -> i.request().spans().stream()).toList();
      assertThat(spans).extracting(SpanRecord::name).containsExactly("generate", "rollout");
      assertThat(Long.toHexString(spans.get(0).parentId()))
          .isEqualTo(parent.getSpanContext().getSpanId().replaceFirst("^0+", ""));
      assertThat(spans.get(0).said().session()).isEqualTo("s-1");
    }
  }

  @ParameterizedTest
  @CsvSource({"grpc,gzip", "http,gzip"})
  void startRecordsArrive(String transport, String compression) {
    LogRecordExporter exporter =
        transport.equals("grpc")
            ? OtlpGrpcLogRecordExporter.builder()
                .setEndpoint("http://" + door.door.otlpGrpc())
                .setCompression(compression)
                .build()
            : OtlpHttpLogRecordExporter.builder()
                .setEndpoint(door.door.otlpHttp() + "/v1/logs")
                .setCompression(compression)
                .build();
    try (SdkTracerProvider tracers = SdkTracerProvider.builder().build();
        SdkLoggerProvider loggers =
            SdkLoggerProvider.builder()
                .addLogRecordProcessor(SimpleLogRecordProcessor.create(exporter))
                .build()) {
      Span span = tracers.get("test").spanBuilder("generate").startSpan();
      loggers
          .get("test")
          .logRecordBuilder()
          .setEventName("rollscope.span.start")
          .setContext(Context.root().with(span))
          .setTimestamp(1_700_000_000, TimeUnit.SECONDS)
          .setAttribute(AttributeKey.stringKey("rollscope.span.name"), "generate")
          .emit();
      awaitSuccess(loggers.forceFlush());

      List<SpanRecord> spans = taken().flatMap(i -> i.request().spans().stream()).toList();
      assertThat(spans).hasSize(1);
      assertThat(spans.get(0).isOpen()).isTrue();
      assertThat(spans.get(0).name()).isEqualTo("generate");
    }
  }

  @ParameterizedTest
  @CsvSource({"grpc,none", "http,gzip"})
  void metricsArrive(String transport, String compression) {
    MetricExporter exporter =
        transport.equals("grpc")
            ? OtlpGrpcMetricExporter.builder()
                .setEndpoint("http://" + door.door.otlpGrpc())
                .setCompression(compression)
                .build()
            : OtlpHttpMetricExporter.builder()
                .setEndpoint(door.door.otlpHttp() + "/v1/metrics")
                .setCompression(compression)
                .build();
    try (SdkMeterProvider meters =
        SdkMeterProvider.builder()
            .registerMetricReader(PeriodicMetricReader.create(exporter))
            .build()) {
      meters
          .get("test")
          .counterBuilder("tokens")
          .build()
          .add(42, Attributes.of(AttributeKey.stringKey("rl.run.id"), "r1"));
      awaitSuccess(meters.forceFlush());

      List<MetricPoint> points = taken().flatMap(i -> i.request().points().stream()).toList();
      assertThat(points).extracting(MetricPoint::name).contains("tokens");
      assertThat(points).extracting(MetricPoint::value).contains(42.0);
    }
  }

  private static Stream<Incoming> taken() {
    return door.taken.stream();
  }

  @ParameterizedTest
  @CsvSource({"grpc", "http"})
  void exporterWithAWrongTokenFailsAndWithTheRightOneSucceeds(String transport)
      throws StartException {
    try (TestDoor locked =
        TestDoor.open(
            data,
            options -> TestDoor.options(data, "127.0.0.1", "secret-token", List.of(), false))) {
      assertThat(export(locked, transport, "wrong").isSuccess()).isFalse();
      assertThat(export(locked, transport, "secret-token").isSuccess()).isTrue();
      assertThat(locked.taken).hasSize(1);
    }
  }

  private static CompletableResultCode export(TestDoor to, String transport, String token) {
    Map<String, String> headers = Map.of("Authorization", "Bearer " + token);
    SpanExporter exporter =
        transport.equals("grpc")
            ? OtlpGrpcSpanExporter.builder()
                .setEndpoint("http://" + to.door.otlpGrpc())
                .setHeaders(() -> headers)
                .build()
            : OtlpHttpSpanExporter.builder()
                .setEndpoint(to.door.otlpHttp() + "/v1/traces")
                .setHeaders(() -> headers)
                .build();
    CapturedSpans spans = new CapturedSpans();
    try (SdkTracerProvider tracers = SdkTracerProvider.builder().addSpanProcessor(spans).build();
        exporter) {
      tracers.get("test").spanBuilder("a").startSpan().end();
      return exporter.export(spans.ended()).join(10, TimeUnit.SECONDS);
    }
  }
}
