package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client's machine goes to sleep in the middle of a request. */
class SlowClientTest {
  private static final int HALF = 100_000;

  @TempDir private static Path data;
  private static TestDoor door;

  @BeforeAll
  static void open() throws StartException {
    door = TestDoor.impatient(data, Duration.ofSeconds(1));
  }

  @AfterAll
  static void close() {
    door.close();
  }

  private static Socket begin(String head) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), door.door.otlpHttp().getPort());
    socket.setSoTimeout(20_000);
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static String post(String header) {
    return String.join(
        "\r\n",
        "POST /v1/traces HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/x-protobuf",
        header,
        "",
        "");
  }

  @Test
  void requestThatNeverEndsIsGivenUpAndItsMemoryIsFree() throws Exception {
    try (Socket socket = begin(post("Content-Length: " + 2 * HALF))) {
      socket.getOutputStream().write(new byte[HALF]);
      Waiting.until(() -> door.door.bytesInFlight() >= HALF);

      assertThat(RawHttp.answer(socket.getInputStream())).startsWith("HTTP/1.1 408 ");
      Waiting.until(() -> door.door.bytesInFlight() == 0);
    }
    assertThat(door.taken).isEmpty();
  }

  @Test
  void connectionWithoutARequestIsClosed() throws Exception {
    try (Socket socket = begin("")) {
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void headersThatNeverEndAreGivenUp() throws Exception {
    try (Socket socket = begin("POST /v1/traces HTTP/1.1\r\nHost: local")) {
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void clientThatLeavesInTheMiddleIsForgotten() throws Exception {
    try (Socket socket = begin(post("Transfer-Encoding: chunked"))) {
      OutputStream out = socket.getOutputStream();
      out.write((Integer.toHexString(HALF) + "\r\n").getBytes(StandardCharsets.US_ASCII));
      out.write(new byte[HALF]);
      Waiting.until(() -> door.door.bytesInFlight() >= HALF);
    }
    Waiting.until(() -> door.door.bytesInFlight() == 0);
  }
}
