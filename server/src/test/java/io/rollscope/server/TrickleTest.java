package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many connections send a byte each, and then next to nothing. */
class TrickleTest {
  /** Enough to take all the room of a heap of 1 GB, if each byte took 64 kB of it. */
  private static final int ENOUGH = 2_100;

  /** Or as many as one client may have where few files may be open. */
  private static final int CONNECTIONS =
      Math.min(ENOUGH, Descriptors.now().connectionsPerPort(3, 10_000) * 2 / 3);

  private static final String HEAD =
      String.join(
          "\r\n",
          "POST /v1/traces HTTP/1.1",
          "Host: localhost",
          "Content-Type: application/x-protobuf",
          "Content-Length: 1000000",
          "",
          "");

  @TempDir private static Path data;
  private static TestDoor door;
  private static long hoursNs;

  @BeforeAll
  static void open() throws StartException {
    door = TestDoor.patient(data);
  }

  @AfterAll
  static void close() {
    door.close();
  }

  private static void passAnHour() {
    hoursNs += 3_600_000_000_000L;
    door.door.endSlowBodies(System.nanoTime() + hoursNs);
  }

  private static InetSocketAddress port() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), door.door.otlpHttp().getPort());
  }

  private static int post() throws IOException, InterruptedException {
    return door.send(
            door.otlp("/v1/traces")
                .header("Content-Type", "application/x-protobuf")
                .POST(BodyPublishers.ofByteArray(TestSpans.request(TestSpans.span(1)))))
        .statusCode();
  }

  @Test
  void aByteTakesLittleRoomAndThoseWhoSendNothingElseAreEnded() throws Exception {
    List<SocketChannel> trickles = new ArrayList<>();
    try {
      ByteBuffer begin = ByteBuffer.wrap((HEAD + "x").getBytes(StandardCharsets.US_ASCII));
      InetSocketAddress port = port();
      for (int i = 0; i < CONNECTIONS; i++) {
        SocketChannel trickle = SocketChannel.open(port);
        trickles.add(trickle);
        trickle.write(begin.duplicate());
        if (trickles.size() % 100 == 0) {
          Waiting.until(() -> door.door.bytesInFlight() >= 1_000L * trickles.size());
        }
      }

      assertThat(door.door.bytesInFlight()).isLessThan(2_000L * CONNECTIONS);
      assertThat(post()).isEqualTo(200);

      passAnHour();
      for (int left = CONNECTIONS; left > 0; left -= 100) {
        long room = 2_000L * Math.max(0, left - 100);
        Waiting.until(() -> door.door.bytesInFlight() <= room);
      }
    } finally {
      for (SocketChannel trickle : trickles) {
        trickle.close();
      }
    }
  }

  @Test
  void aSlowBodyIsToldAndItsConnectionClosed() throws Exception {
    try (Socket socket = new Socket(port().getAddress(), port().getPort())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write((HEAD + "x").getBytes(StandardCharsets.US_ASCII));
      Waiting.until(() -> door.door.bytesInFlight() > 0);
      passAnHour();

      assertThat(RawHttp.answer(socket.getInputStream()))
          .startsWith("HTTP/1.1 408 ")
          .contains("body: less than 5000 bytes in 3600 s");
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  /** A large batch over a slow line. */
  @Test
  void aBodyThatKeepsComingMayTakeItsTime() throws Exception {
    byte[] body =
        TestSpans.request(
            TestSpans.span(1).addAttributes(TestSpans.text("k", "v".repeat(160_000))));
    try (Socket socket = new Socket(port().getAddress(), port().getPort())) {
      socket.setSoTimeout(60_000);
      String head = HEAD.replace("1000000", Integer.toString(body.length));
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      int sent = 0;
      // Room is at most twice of what has come: each time at least 5,000 bytes are new.
      for (int soFar : new int[] {20_000, 60_000, 150_000}) {
        socket.getOutputStream().write(body, sent, soFar - sent);
        sent = soFar;
        Waiting.until(() -> door.door.bytesInFlight() >= soFar);
        passAnHour();
      }
      socket.getOutputStream().write(body, sent, body.length - sent);

      assertThat(RawHttp.answer(socket.getInputStream())).startsWith("HTTP/1.1 200 ");
    }
  }
}
