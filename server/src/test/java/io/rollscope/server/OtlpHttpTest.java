package io.rollscope.server;

import static java.net.http.HttpRequest.BodyPublishers.noBody;
import static java.net.http.HttpRequest.BodyPublishers.ofByteArray;
import static java.net.http.HttpRequest.BodyPublishers.ofInputStream;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UnknownFieldSet;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.trace.v1.Span;
import io.rollscope.otlp.Signal;
import io.rollscope.store.Incoming;
import io.rollscope.store.Receipt;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The duties of an OTLP/HTTP receiver, as a client sees them. */
class OtlpHttpTest {
  private static final String PROTOBUF = "application/x-protobuf";
  private static final int LIMIT = 64 << 20;

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

  static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    return out.toByteArray();
  }

  private static HttpRequest.Builder post(String type, byte[] body) {
    return door.otlp("/v1/traces").header("Content-Type", type).POST(ofByteArray(body));
  }

  @Test
  void requestArrivesWithRoomInFrontAndIsAcknowledgedEmpty() throws Exception {
    byte[] body = TestSpans.request(TestSpans.span(1), TestSpans.span(2));

    HttpResponse<byte[]> answer = door.sendForBytes(post(PROTOBUF, body));

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type")).contains(PROTOBUF);
    assertThat(answer.body()).isEmpty();
    Incoming incoming = door.taken.element();
    assertThat(incoming.signal()).isEqualTo(Signal.TRACES);
    assertThat(incoming.request().spans()).hasSize(2);
    assertThat(Arrays.copyOfRange(incoming.bytes(), Incoming.HEAD, incoming.bytes().length))
        .isEqualTo(body);
  }

  @Test
  void compressedRequestArrivesAsIfItWereNot() throws Exception {
    byte[] body = TestSpans.request(TestSpans.span(1));

    HttpResponse<byte[]> answer =
        door.sendForBytes(post(PROTOBUF, gzip(body)).header("Content-Encoding", "gzip"));

    assertThat(answer.statusCode()).isEqualTo(200);
    byte[] taken = door.taken.element().bytes();
    assertThat(Arrays.copyOfRange(taken, Incoming.HEAD, taken.length)).isEqualTo(body);
  }

  @Test
  void jsonIsAnsweredInJson() throws Exception {
    String json =
        """
        {"resourceSpans":[{"scopeSpans":[{"spans":[
          {"traceId":"5B8EFFF798038103D269B633813FC60C","spanId":"eee19b7ec3c1b174","name":"a",
           "startTimeUnixNano":"1700000000000000000","endTimeUnixNano":1700000001000000000}]}]}]}
        """;

    HttpResponse<byte[]> answer =
        door.sendForBytes(
            post("application/json; charset=utf-8", json.getBytes(StandardCharsets.UTF_8)));

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type").orElse(""))
        .startsWith("application/json");
    assertThat(new String(answer.body(), StandardCharsets.UTF_8)).isEqualTo("{}");
    assertThat(door.taken.element().request().spans().get(0).spanId())
        .isEqualTo(0xeee19b7ec3c1b174L);
  }

  @Test
  void rejectedSpansAreCountedAndExplained() throws Exception {
    byte[] body =
        TestSpans.request(
            TestSpans.span(1),
            TestSpans.span(2).setStartTimeUnixNano(0),
            TestSpans.span(3).setStartTimeUnixNano(0));

    HttpResponse<byte[]> answer = door.sendForBytes(post(PROTOBUF, body));

    assertThat(answer.statusCode()).isEqualTo(200);
    var partial = ExportTraceServiceResponse.parseFrom(answer.body()).getPartialSuccess();
    assertThat(partial.getRejectedSpans()).isEqualTo(2);
    assertThat(partial.getErrorMessage()).startsWith("2 spans rejected: 2 × ").contains("expected");
    assertThat(door.taken).hasSize(1);
  }

  @Test
  void requestWithoutAnythingUsableIsAnsweredAndNotStored() throws Exception {
    HttpResponse<byte[]> answer =
        door.sendForBytes(
            post(PROTOBUF, TestSpans.request(TestSpans.span(1).setStartTimeUnixNano(0))));

    var partial = ExportTraceServiceResponse.parseFrom(answer.body()).getPartialSuccess();
    assertThat(partial.getRejectedSpans()).isEqualTo(1);
    assertThat(door.taken).isEmpty();
  }

  @Test
  void whatTheStoreRefusesCountsAsRejected() throws Exception {
    door.intake =
        incoming ->
            CompletableFuture.completedFuture(
                new Receipt(Map.of("too many open spans (expected: at most 5)", 1L)));

    HttpResponse<byte[]> answer =
        door.sendForBytes(post(PROTOBUF, TestSpans.request(TestSpans.span(1))));

    var partial = ExportTraceServiceResponse.parseFrom(answer.body()).getPartialSuccess();
    assertThat(partial.getRejectedSpans()).isEqualTo(1);
    assertThat(partial.getErrorMessage())
        .isEqualTo("1 span rejected: 1 × too many open spans (expected: at most 5)");
  }

  @Test
  void repairedSpansAreAWarningWithoutRejection() throws Exception {
    byte[] body =
        TestSpans.request(TestSpans.span(1).setEndTimeUnixNano(1_600_000_000_000_000_000L));

    HttpResponse<byte[]> answer = door.sendForBytes(post(PROTOBUF, body));

    var partial = ExportTraceServiceResponse.parseFrom(answer.body()).getPartialSuccess();
    assertThat(partial.getRejectedSpans()).isZero();
    assertThat(partial.getErrorMessage()).startsWith("1 span repaired");
  }

  /** Somebody puts a table of data into attributes. */
  @Test
  void attributesThatAreLeftOutOrCutAreAWarningAndCounted() throws Exception {
    Span.Builder span = TestSpans.span(1).addAttributes(TestSpans.text("long", "x".repeat(70_000)));
    for (int i = 0; i < 1_200; i++) {
      span.addAttributes(TestSpans.text("k" + i, "v"));
    }

    HttpResponse<byte[]> answer = door.sendForBytes(post(PROTOBUF, TestSpans.request(span)));

    var partial = ExportTraceServiceResponse.parseFrom(answer.body()).getPartialSuccess();
    assertThat(partial.getRejectedSpans()).isZero();
    assertThat(partial.getErrorMessage())
        .isEqualTo(
            "201 attributes left out (expected: at most 1000 each);"
                + " 1 attribute cut (expected: at most 65536 bytes, of a name or id 1024)");
    assertThat(door.get("/metrics").body())
        .contains("rollscope_cut_attributes_total{how=\"left_out\",signal=\"traces\"} 201.0")
        .contains("rollscope_cut_attributes_total{how=\"cut\",signal=\"traces\"} 1.0");
  }

  @Test
  void bytesThatAreNoRequestAreRefusedWithAStatus() throws Exception {
    HttpResponse<byte[]> answer = door.sendForBytes(post(PROTOBUF, new byte[] {1, 2, 3}));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.headers().firstValue("content-type")).contains(PROTOBUF);
    UnknownFieldSet status = UnknownFieldSet.parseFrom(answer.body());
    assertThat(status.getField(1).getVarintList()).containsExactly(3L);
    assertThat(status.getField(2).getLengthDelimitedList().get(0).toStringUtf8()).isNotEmpty();
  }

  @Test
  void brokenJsonIsRefusedWithAJsonStatus() throws Exception {
    HttpResponse<byte[]> answer =
        door.sendForBytes(
            post("application/json", "{\"resourceSpans\":".getBytes(StandardCharsets.UTF_8)));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(new String(answer.body(), StandardCharsets.UTF_8))
        .startsWith("{\"code\":3,\"message\":\"");
  }

  @Test
  void tornGzipIsRefused() throws Exception {
    byte[] compressed = gzip(TestSpans.request(TestSpans.span(1)));

    HttpResponse<byte[]> answer =
        door.sendForBytes(
            post(PROTOBUF, Arrays.copyOf(compressed, compressed.length - 9))
                .header("Content-Encoding", "gzip"));

    assertThat(answer.statusCode()).isEqualTo(400);
  }

  @Test
  void otherContentTypesAndEncodingsAreNotSupported() throws Exception {
    assertThat(door.send(post("text/plain", TestSpans.request(TestSpans.span(1)))).statusCode())
        .isEqualTo(415);
    assertThat(door.send(door.otlp("/v1/traces").POST(noBody())).statusCode()).isEqualTo(415);
    HttpResponse<String> answer =
        door.send(
            post(PROTOBUF, TestSpans.request(TestSpans.span(1)))
                .header("Content-Encoding", "zstd"));
    assertThat(answer.statusCode()).isEqualTo(415);
    assertThat(answer.body()).contains("zstd (expected: gzip or identity)");
    assertThat(door.taken).isEmpty();
  }

  @Test
  void otherMethodsAreNotAllowed() throws Exception {
    HttpResponse<String> answer = door.send(door.otlp("/v1/traces").GET());

    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("allow")).contains("POST");
  }

  @Test
  void unknownPathIsNotFound() throws Exception {
    HttpResponse<String> answer = door.send(door.otlp("/v1/profiles").POST(noBody()));

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).contains("/v1/traces");
  }

  @Test
  void bodyOverTheLimitIsTooLargeAndTheSenderGetsToKnow() throws Exception {
    HttpResponse<String> announced = door.send(post(PROTOBUF, new byte[LIMIT + 1]));
    HttpResponse<String> chunked =
        door.send(
            door.otlp("/v1/traces")
                .header("Content-Type", PROTOBUF)
                .POST(ofInputStream(() -> zeros(LIMIT + 1))));

    assertThat(announced.statusCode()).isEqualTo(413);
    assertThat(chunked.statusCode()).isEqualTo(413);
    assertThat(door.door.bytesInFlight()).isZero();
  }

  private static InputStream zeros(int count) {
    int piece = 1 << 20;
    return new SequenceInputStream(
        Collections.enumeration(
            Collections.nCopies(count / piece, piece).stream()
                .map(n -> new ByteArrayInputStream(new byte[n]))
                .toList())) {
      private int rest = count % piece;

      @Override
      public int read(byte[] b, int off, int len) throws IOException {
        int read = super.read(b, off, len);
        if (read < 0 && rest > 0) {
          rest--;
          return 1;
        }
        return read;
      }
    };
  }

  @Test
  void smallBombIsTooLargeWithoutBeingUnpacked() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      byte[] zeros = new byte[1 << 20];
      for (int i = 0; i < 200; i++) {
        gzip.write(zeros);
      }
    }

    HttpResponse<String> answer =
        door.send(post(PROTOBUF, out.toByteArray()).header("Content-Encoding", "gzip"));

    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body())
        .contains("decompressed body: more than ")
        .contains("(expected: at most 200 times as many, or 8388608)");
  }

  @Test
  void bodyThatIsTooLargeOnceDecompressedIsRefused() throws Exception {
    byte[] plain = new byte[LIMIT + 1];
    Random random = new Random(1);
    for (int i = 0; i < plain.length; i += 200) {
      plain[i] = (byte) random.nextInt();
    }

    HttpResponse<String> answer =
        door.send(post(PROTOBUF, gzip(plain)).header("Content-Encoding", "gzip"));

    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).contains("decompressed body: more than 67108864 bytes");
  }

  @Test
  void connectionStaysUsableAfterARefusal() throws Exception {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), door.door.otlpHttp().getPort())) {
      String head = "POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(new byte[100_000]);
      assertThat(RawHttp.answer(socket.getInputStream()))
          .startsWith("HTTP/1.1 415 Unsupported Media Type");
      socket
          .getOutputStream()
          .write(
              "GET /v1/logs HTTP/1.1\r\nHost: localhost\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      assertThat(RawHttp.answer(socket.getInputStream()))
          .startsWith("HTTP/1.1 405 Method Not Allowed");
    }
  }

  @Test
  void clientThatAsksFirstIsToldToContinue() throws Exception {
    HttpResponse<byte[]> answer =
        door.sendForBytes(
            post(PROTOBUF, TestSpans.request(TestSpans.span(1))).expectContinue(true));

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(door.taken).hasSize(1);
  }

  @Test
  void pathsAreServedOnThePortOfTheApiToo() throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(door.door.url() + "/v1/traces"))
            .header("Content-Type", PROTOBUF)
            .POST(ofByteArray(TestSpans.request(TestSpans.span(1))));

    assertThat(door.send(request).statusCode()).isEqualTo(200);
    assertThat(door.taken).hasSize(1);
  }
}
