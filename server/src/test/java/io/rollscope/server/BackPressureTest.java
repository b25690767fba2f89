package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UnknownFieldSet;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.rollscope.otlp.Signal;
import io.rollscope.server.receive.GrpcReceiver;
import io.rollscope.store.Receipt;
import io.rollscope.store.journal.Failing;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The disk is full or slow: senders are told when to come back, and come back. */
class BackPressureTest {
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

  private static HttpResponse<byte[]> post() throws IOException, InterruptedException {
    return door.sendForBytes(
        door.otlp("/v1/traces")
            .header("Content-Type", "application/x-protobuf")
            .POST(BodyPublishers.ofByteArray(TestSpans.request(TestSpans.span(1)))));
  }

  @Test
  void fullQueueMeansTooManyRequests() throws Exception {
    door.intake = i -> CompletableFuture.failedFuture(Failing.busy(Duration.ofMillis(1500)));

    HttpResponse<byte[]> answer = post();

    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(answer.headers().firstValue("retry-after")).contains("2");
    UnknownFieldSet status = UnknownFieldSet.parseFrom(answer.body());
    assertThat(status.getField(1).getVarintList()).containsExactly(14L);
    assertRetryInfo(status, 1, 500_000_000);
  }

  @Test
  void failingDiskMeansUnavailable() throws Exception {
    door.intake = i -> CompletableFuture.failedFuture(Failing.disk(Duration.ofSeconds(5)));

    HttpResponse<byte[]> answer = post();

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("retry-after")).contains("5");
  }

  @Test
  void overGrpcBothAreUnavailableWithRetryInfo() throws Exception {
    door.intake = i -> CompletableFuture.failedFuture(Failing.busy(Duration.ofMillis(1500)));

    HttpHeaders trailers = grpc(framed(TestSpans.request(TestSpans.span(1)))).headers();

    assertThat(trailers.get("grpc-status")).isEqualTo("14");
    byte[] details = Base64.getDecoder().decode(trailers.get("grpc-status-details-bin"));
    assertRetryInfo(UnknownFieldSet.parseFrom(details), 1, 500_000_000);
  }

  private static void assertRetryInfo(UnknownFieldSet status, long seconds, long nanos)
      throws IOException {
    UnknownFieldSet any =
        UnknownFieldSet.parseFrom(status.getField(3).getLengthDelimitedList().get(0));
    assertThat(any.getField(1).getLengthDelimitedList().get(0).toStringUtf8())
        .isEqualTo("type.googleapis.com/google.rpc.RetryInfo");
    UnknownFieldSet info =
        UnknownFieldSet.parseFrom(any.getField(2).getLengthDelimitedList().get(0));
    UnknownFieldSet delay =
        UnknownFieldSet.parseFrom(info.getField(1).getLengthDelimitedList().get(0));
    assertThat(delay.getField(1).getVarintList()).containsExactly(seconds);
    assertThat(delay.getField(2).getVarintList()).containsExactly(nanos);
  }

  private static byte[] framed(byte[] message) {
    return ByteBuffer.allocate(5 + message.length)
        .put((byte) 0)
        .putInt(message.length)
        .put(message)
        .array();
  }

  /** No client of OpenTelemetry shows what is in the trailers, so this one speaks HTTP/2. */
  private static AggregatedHttpResponse grpc(byte[] body, String... headers) {
    RequestHeaders head =
        RequestHeaders.builder(HttpMethod.POST, GrpcReceiver.path(Signal.TRACES))
            .add(HttpHeaderNames.CONTENT_TYPE, "application/grpc")
            .add(HttpHeaderNames.TE, "trailers")
            .build();
    RequestHeaders all =
        headers.length == 0 ? head : head.toBuilder().add(headers[0], headers[1]).build();
    return WebClient.builder("h2c://" + door.door.otlpGrpc())
        .responseTimeout(Duration.ofSeconds(30))
        .writeTimeout(Duration.ofSeconds(30))
        .build()
        .execute(HttpRequest.of(all, HttpData.wrap(body)))
        .aggregate()
        .join();
  }

  @Test
  void brokenGrpcMessagesAreInvalid() {
    byte[] whole = framed(TestSpans.request(TestSpans.span(1)));

    assertThat(status(grpc(new byte[0]))).isEqualTo("3");
    assertThat(status(grpc(Arrays.copyOf(whole, whole.length - 1)))).isEqualTo("3");
    assertThat(status(grpc(framed(new byte[] {1, 2, 3})))).isEqualTo("3");
    byte[] compressed = whole.clone();
    compressed[0] = 1;
    assertThat(status(grpc(compressed))).isEqualTo("3");
    assertThat(status(grpc(whole, "grpc-encoding", "zstd"))).isEqualTo("12");
    assertThat(grpc(whole).trailers().get("grpc-status")).isEqualTo("0");
  }

  @Test
  void grpcMessageOverTheLimitExhaustsResources() {
    AggregatedHttpResponse answer = grpc(framed(new byte[(64 << 20) + 1]));

    assertThat(status(answer)).isEqualTo("8");
    assertThat(door.door.bytesInFlight()).isZero();
  }

  @Test
  void grpcMessageAtTheLimitIsLookedAt() {
    assertThat(status(grpc(framed(new byte[64 << 20])))).isEqualTo("3");
  }

  private static String status(AggregatedHttpResponse answer) {
    return answer.headers().get("grpc-status");
  }

  @Test
  void unknownGrpcMethodIsUnimplemented() {
    AggregatedHttpResponse answer =
        WebClient.of("h2c://" + door.door.otlpGrpc())
            .execute(
                RequestHeaders.of(
                    HttpMethod.POST,
                    "/opentelemetry.proto.collector.profiles.v1.ProfilesService/Export",
                    HttpHeaderNames.CONTENT_TYPE,
                    "application/grpc"))
            .aggregate()
            .join();

    assertThat(status(answer)).isEqualTo("12");
  }

  @Test
  void personWhoOpensTheGrpcPortInABrowserIsToldWhatItIs() throws Exception {
    int port = Integer.parseInt(door.door.otlpGrpc().replaceFirst(".*:", ""));

    RawHttp.Raw answer = RawHttp.get(port, "/", "Host: localhost");

    assertThat(answer.status()).isEqualTo(415);
    assertThat(answer.text()).contains("gRPC");
  }

  @ParameterizedTest
  @CsvSource({"grpc", "http"})
  void realExporterComesBackUntilTheDiskWorksAgain(String transport) {
    AtomicInteger tries = new AtomicInteger();
    door.intake =
        incoming ->
            tries.incrementAndGet() < 3
                ? CompletableFuture.failedFuture(Failing.disk(Duration.ofSeconds(1)))
                : CompletableFuture.completedFuture(Receipt.ALL_TAKEN);
    RetryPolicy retries =
        RetryPolicy.builder()
            .setMaxAttempts(5)
            .setInitialBackoff(Duration.ofMillis(10))
            .setMaxBackoff(Duration.ofMillis(20))
            .build();
    SpanExporter exporter =
        transport.equals("grpc")
            ? OtlpGrpcSpanExporter.builder()
                .setEndpoint("http://" + door.door.otlpGrpc())
                .setRetryPolicy(retries)
                .build()
            : OtlpHttpSpanExporter.builder()
                .setEndpoint(door.door.otlpHttp() + "/v1/traces")
                .setRetryPolicy(retries)
                .build();
    CapturedSpans spans = new CapturedSpans();
    try (SdkTracerProvider tracers = SdkTracerProvider.builder().addSpanProcessor(spans).build();
        exporter) {
      tracers.get("test").spanBuilder("a").startSpan().end();
      assertThat(exporter.export(spans.ended()).join(20, TimeUnit.SECONDS).isSuccess()).isTrue();
    }
    assertThat(tries).hasValue(3);
  }
}
