package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody hides a second request in a body, for a proxy that reads its end otherwise. */
class RequestHeadsTest {
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

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static String head(String... headers) {
    return "POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-protobuf\r\n"
        + String.join("\r\n", headers)
        + "\r\n\r\n";
  }

  private static byte[] chunked(byte[] body) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int from = 0; from < body.length; from += 10) {
      int length = Math.min(10, body.length - from);
      out.writeBytes(ascii(Integer.toHexString(length) + ";a=b\r\n"));
      out.write(body, from, length);
      out.writeBytes(ascii("\r\n"));
    }
    out.writeBytes(ascii("0\r\nx: trailer\r\n\r\n"));
    return out.toByteArray();
  }

  private static Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), door.door.otlpHttp().getPort());
    socket.setSoTimeout(60_000);
    return socket;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "transfer-encoding: chunked\r\nCONTENT-LENGTH: 5",
        "Transfer-Encoding : chunked\r\nContent-Length: 5",
        "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: identity",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding:\r\n chunked",
      })
  void bodiesWithTwoEndsAreRefusedAndTheConnectionIsClosed(String headers) throws Exception {
    try (Socket socket = connect()) {
      socket
          .getOutputStream()
          .write(
              ascii(head(headers) + "0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"));

      assertThat(RawHttp.answer(socket.getInputStream()))
          .startsWith("HTTP/1.1 400 ")
          .contains("(expected: ");
      assertThat(socket.getInputStream().readAllBytes()).isEmpty();
    }
    assertThat(door.taken).isEmpty();
  }

  /** Also byte by byte, and behind requests of every kind. */
  @Test
  void requestsOfEveryKindPassOneAfterTheOther() throws Exception {
    byte[] body = TestSpans.request(TestSpans.span(1));
    ByteArrayOutputStream requests = new ByteArrayOutputStream();
    requests.writeBytes(ascii(head("Content-Length: " + body.length)));
    requests.writeBytes(body);
    requests.writeBytes(ascii("\r\nGET /none HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    requests.writeBytes(ascii(head("Transfer-Encoding: chunked")));
    requests.writeBytes(chunked(body));
    try (Socket socket = connect()) {
      socket.setTcpNoDelay(true);
      for (byte b : requests.toByteArray()) {
        socket.getOutputStream().write(b);
      }
      assertThat(RawHttp.answer(socket.getInputStream())).startsWith("HTTP/1.1 200 ");
      assertThat(RawHttp.answer(socket.getInputStream())).startsWith("HTTP/1.1 404 ");
      assertThat(RawHttp.answer(socket.getInputStream())).startsWith("HTTP/1.1 200 ");
      socket
          .getOutputStream()
          .write(ascii(head("Content-Length: 5", "Transfer-Encoding: chunked")));
      assertThat(RawHttp.answer(socket.getInputStream())).startsWith("HTTP/1.1 400 ");
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
    assertThat(door.taken).hasSize(2);
  }
}
