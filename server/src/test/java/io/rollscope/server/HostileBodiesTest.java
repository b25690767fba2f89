package io.rollscope.server;

import static java.net.http.HttpRequest.BodyPublishers.ofByteArray;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import io.opentelemetry.proto.trace.v1.Span;
import io.rollscope.otlp.Signal;
import io.rollscope.server.receive.GrpcReceiver;
import io.rollscope.store.Receipt;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Somebody sends bodies that are small, and claim to be much. */
class HostileBodiesTest {
  private static final String PROTOBUF = "application/x-protobuf";
  private static final String JSON = "application/json";
  private static final int LARGE = 6 << 18;

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

  /** Twice as many bytes: resources without anything in them. */
  private static byte[] emptyResources(int count) {
    byte[] bytes = new byte[2 * count];
    for (int i = 0; i < bytes.length; i += 2) {
      bytes[i] = 0x0a;
    }
    return bytes;
  }

  private static byte[] emptyObjects(Signal signal, int count) {
    String field =
        switch (signal) {
          case TRACES -> "resourceSpans";
          case LOGS -> "resourceLogs";
          case METRICS -> "resourceMetrics";
        };
    return ("{\"" + field + "\":[" + "{},".repeat(count) + "{}]}").getBytes(UTF_8);
  }

  private static java.net.http.HttpRequest.Builder post(Signal signal, String type, byte[] body) {
    return door.otlp("/v1/" + signal.name().toLowerCase(Locale.ROOT))
        .header("Content-Type", type)
        .POST(ofByteArray(body));
  }

  private static HttpResponse<String> send(Signal signal, String type, byte[] body)
      throws IOException, InterruptedException {
    return door.send(post(signal, type, body));
  }

  private static HttpResponse<String> sendPacked(Signal signal, String type, byte[] packed)
      throws IOException, InterruptedException {
    return door.send(post(signal, type, packed).header("Content-Encoding", "gzip"));
  }

  /** The review's: 61 kB that cost half a minute. */
  @Test
  void emptyResourcesThatCompressWellAreTooLarge() throws Exception {
    byte[] packed = OtlpHttpTest.gzip(emptyResources(31_000_000));
    assertThat(packed.length).isLessThan(70_000);

    HttpResponse<String> answer = sendPacked(Signal.TRACES, PROTOBUF, packed);

    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body())
        .contains("decompressed body: more than ")
        .contains("(expected: at most 200 times as many, or 8388608)");
    assertThat(door.door.bytesInFlight()).isZero();
  }

  @Test
  void emptyObjectsThatCompressWellAreTooLarge() throws Exception {
    byte[] packed = OtlpHttpTest.gzip(emptyObjects(Signal.TRACES, 20_000_000));

    HttpResponse<String> answer = sendPacked(Signal.TRACES, JSON, packed);

    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).contains("decompressed body: more than ");
  }

  @ParameterizedTest
  @EnumSource(Signal.class)
  void tooManyElementsAreTooLargeInAnyForm(Signal signal) throws Exception {
    HttpResponse<String> plain = send(signal, PROTOBUF, emptyResources(200_000));
    HttpResponse<String> packed =
        sendPacked(signal, PROTOBUF, OtlpHttpTest.gzip(emptyResources(200_000)));
    HttpResponse<String> json = send(signal, JSON, emptyObjects(signal, 400_000));

    assertThat(plain.statusCode()).isEqualTo(413);
    assertThat(plain.body()).contains("request: too many resources (expected: at most 100000");
    assertThat(packed.statusCode()).isEqualTo(413);
    assertThat(json.statusCode()).isEqualTo(413);
    assertThat(json.body()).contains("too many objects (expected: at most 300000");
    assertThat(door.taken).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Signal.class)
  void overGrpcTheyExhaustResources(Signal signal) throws Exception {
    byte[] few = emptyResources(200_000);
    byte[] packed = OtlpHttpTest.gzip(emptyResources(5_000_000));

    assertThat(grpc(signal, false, few).headers().get("grpc-status")).isEqualTo("8");
    assertThat(grpc(signal, true, packed).headers().get("grpc-status")).isEqualTo("8");
  }

  private static AggregatedHttpResponse grpc(Signal signal, boolean gzip, byte[] message) {
    byte[] body =
        ByteBuffer.allocate(5 + message.length)
            .put((byte) (gzip ? 1 : 0))
            .putInt(message.length)
            .put(message)
            .array();
    RequestHeaders head =
        RequestHeaders.builder(HttpMethod.POST, GrpcReceiver.path(signal))
            .add(HttpHeaderNames.CONTENT_TYPE, "application/grpc")
            .add(HttpHeaderNames.TE, "trailers")
            .add("grpc-encoding", gzip ? "gzip" : "identity")
            .build();
    return WebClient.builder("h2c://" + door.door.otlpGrpc())
        .responseTimeout(Duration.ofSeconds(60))
        .writeTimeout(Duration.ofSeconds(60))
        .build()
        .execute(HttpRequest.of(head, HttpData.wrap(body)))
        .aggregate()
        .join();
  }

  /** Spans of one stage differ in ids and times only. */
  @Test
  void aRealExportersRepetitiveBatchIsTaken() throws Exception {
    Random random = new Random(1);
    Span.Builder[] spans = new Span.Builder[10_000];
    for (int i = 0; i < spans.length; i++) {
      byte[] id = new byte[8];
      random.nextBytes(id);
      spans[i] =
          TestSpans.span(1)
              .setSpanId(ByteString.copyFrom(id))
              .addAttributes(TestSpans.text("prompt", "Think step by step. ".repeat(60)));
    }
    byte[] plain = TestSpans.request(spans);
    byte[] packed = OtlpHttpTest.gzip(plain);
    assertThat(plain.length).isGreaterThan(12_000_000);
    assertThat(plain.length / packed.length).as("ratio").isGreaterThan(50);

    assertThat(sendPacked(Signal.TRACES, PROTOBUF, packed).statusCode()).isEqualTo(200);
    assertThat(door.taken.element().request().spans()).hasSize(10_000);
  }

  /** A gateway catches up with a day of spans; a worker sends its beat. */
  @Test
  void smallRequestsDoNotWaitForLargeOnes() throws Exception {
    int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
    CountDownLatch goOn = new CountDownLatch(1);
    List<CompletableFuture<Integer>> large = new ArrayList<>();
    try {
      CountDownLatch working = new CountDownLatch(threads);
      door.intake =
          incoming -> {
            if (incoming.bytes().length >= LARGE) {
              working.countDown();
              await(goOn);
            }
            return CompletableFuture.completedFuture(Receipt.ALL_TAKEN);
          };
      Span.Builder span = TestSpans.span(1).addAttributes(TestSpans.text("k", "v".repeat(60_000)));
      Span.Builder[] spans = new Span.Builder[LARGE / 50_000];
      Arrays.fill(spans, span);
      byte[] plain = TestSpans.request(spans);
      byte[] packed = OtlpHttpTest.gzip(plain);
      for (int i = 0; i < 4 * threads; i++) {
        boolean gzip = i % 2 == 0;
        large.add(
            CompletableFuture.supplyAsync(
                () -> {
                  try {
                    return (gzip
                            ? sendPacked(Signal.TRACES, PROTOBUF, packed)
                            : send(Signal.TRACES, PROTOBUF, plain))
                        .statusCode();
                  } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                },
                task -> new Thread(task).start()));
      }
      working.await();

      byte[] small = TestSpans.request(TestSpans.span(2));
      assertThat(send(Signal.TRACES, PROTOBUF, small).statusCode()).isEqualTo(200);
      assertThat(sendPacked(Signal.TRACES, PROTOBUF, OtlpHttpTest.gzip(small)).statusCode())
          .isEqualTo(200);
      assertThat(large).noneMatch(CompletableFuture::isDone);
    } finally {
      goOn.countDown();
    }
    for (CompletableFuture<Integer> one : large) {
      assertThat(one.get()).isEqualTo(200);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] times(byte[] member, int count) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(member.length * count);
    for (int i = 0; i < count; i++) {
      out.writeBytes(member);
    }
    return out.toByteArray();
  }

  @Test
  void emptyGzipMembersWithoutNumberAreRefused() throws Exception {
    byte[] members = times(OtlpHttpTest.gzip(new byte[0]), 300_000);

    HttpResponse<String> answer = sendPacked(Signal.TRACES, PROTOBUF, members);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("gzip: more than 10000 members (expected: a gzip stream)");
  }

  /** Parallel compressors write one for each piece. */
  @Test
  void severalGzipMembersAreOneBody() throws Exception {
    byte[] one = OtlpHttpTest.gzip(TestSpans.request(TestSpans.span(1)));

    assertThat(sendPacked(Signal.TRACES, PROTOBUF, times(one, 1_000)).statusCode()).isEqualTo(200);
    assertThat(door.taken.element().request().spans()).hasSize(1_000);
  }

  @Test
  void gzipThatIsNoneIsRefused() throws Exception {
    byte[] good = OtlpHttpTest.gzip(TestSpans.request(TestSpans.span(1)));
    byte[] wrongChecksum = good.clone();
    wrongChecksum[good.length - 5]++;
    byte[] wrongLength = good.clone();
    wrongLength[good.length - 1]++;
    byte[] reserved = good.clone();
    reserved[3] = (byte) 0x80;
    byte[] longExtra = good.clone();
    longExtra[3] = 4;
    byte[] endlessName = Arrays.copyOf(good, 10);
    endlessName[3] = 8;
    byte[] garbageBehind = Arrays.copyOf(good, good.length + 20);

    for (byte[] body :
        List.of(
            new byte[0],
            new byte[] {0x1f, (byte) 0x8b},
            TestSpans.request(TestSpans.span(1)),
            wrongChecksum,
            wrongLength,
            reserved,
            longExtra,
            endlessName,
            garbageBehind)) {
      HttpResponse<String> answer = sendPacked(Signal.TRACES, JSON, body);
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).contains("gzip: ").contains("(expected: a gzip stream)");
    }
    assertThat(door.taken).isEmpty();
  }
}
