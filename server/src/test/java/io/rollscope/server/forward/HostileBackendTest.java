package io.rollscope.server.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The backend spans are forwarded to is broken, or somebody else's. */
class HostileBackendTest {
  private static final Parcel BATCH = new Parcel(new byte[100], 0, 7);
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(500);

  /** What it does on a connection once a request has come. */
  @FunctionalInterface
  private interface Answer {
    void to(Socket client) throws IOException;
  }

  private static Delivery.Result send(Duration patience, Answer answer) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread thread = new Thread(() -> serve(server, answer));
      thread.setDaemon(true);
      thread.start();
      URI url = URI.create("http://127.0.0.1:" + server.getLocalPort());
      return new Delivery(url, Map.of(), patience).send(BATCH);
    }
  }

  private static void serve(ServerSocket server, Answer answer) {
    while (!server.isClosed()) {
      try (Socket client = server.accept()) {
        readRequest(client.getInputStream());
        answer.to(client);
      } catch (IOException e) {
        // The client has gone: as it should.
      }
    }
  }

  private static void readRequest(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("gone");
      }
      head.append(Character.toLowerCase((char) next));
    }
    int at = head.indexOf("content-length: ") + "content-length: ".length();
    in.readNBytes(Integer.parseInt(head.substring(at, head.indexOf("\r\n", at))));
  }

  private static void write(Socket client, String text) throws IOException {
    client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Until the client closes the connection. */
  private static void hold(Socket client) throws IOException {
    while (client.getInputStream().read() >= 0) {
      // Nothing comes.
    }
  }

  @Test
  void silenceIsAnErrorInTime() throws Exception {
    Delivery.Result result = send(SHORT, HostileBackendTest::hold);

    assertThat(result.retry()).isTrue();
    assertThat(result.failure()).isNotEmpty();
  }

  @Test
  void aBodyThatNeverEndsIsAnErrorInTimeAndItsConnectionIsClosed() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    // On a slow machine patience may end before the answer begins.
    for (Duration patience = SHORT; begun.getCount() > 0; patience = patience.multipliedBy(2)) {
      Delivery.Result result =
          send(
              patience,
              client -> {
                write(client, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx");
                begun.countDown();
                hold(client);
                closed.countDown();
              });
      assertThat(result.retry()).isTrue();
      assertThat(result.failure()).isNotEmpty();
    }
    assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void headersThatNeverEndAreAnErrorInTime() throws Exception {
    Delivery.Result result =
        send(
            SHORT,
            client -> {
              write(client, "HTTP/1.1 200 OK\r\n");
              OutputStream out = client.getOutputStream();
              byte[] header =
                  ("x: " + "y".repeat(1_000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
              while (true) {
                out.write(header);
              }
            });

    assertThat(result.retry()).isTrue();
    assertThat(result.failure()).isNotEmpty();
  }

  @Test
  void garbageIsTriedAgain() throws Exception {
    Delivery.Result result =
        send(LONG, client -> write(client, "\u0000\u0001 no HTTP at all\r\n\r\n"));

    assertThat(result.retry()).isTrue();
  }

  @Test
  void aResetIsTriedAgain() throws Exception {
    Delivery.Result result = send(LONG, client -> client.setSoLinger(true, 0));

    assertThat(result.retry()).isTrue();
  }

  @Test
  void aRedirectIsNotFollowed() throws Exception {
    Delivery.Result result =
        send(
            LONG,
            client ->
                write(
                    client,
                    String.join(
                        "\r\n", "HTTP/1.1 307 Go", "Location: /", "Content-Length: 0", "", "")));

    assertThat(result.retry()).isFalse();
    assertThat(result.rejected()).isEqualTo(7);
    assertThat(result.failure()).isEqualTo("answers 307");
  }

  /** More than the heap, if it were kept. */
  @Test
  void ofAHugeAnswerLittleIsRead() throws Exception {
    long[] sent = new long[1];
    Delivery.Result result =
        send(
            LONG,
            client -> {
              write(client, "HTTP/1.1 400 No\r\nContent-Length: 9000000000\r\n\r\n");
              byte[] piece = new byte[1 << 16];
              while (true) {
                client.getOutputStream().write(piece);
                sent[0] += piece.length;
              }
            });

    assertThat(result.retry()).isFalse();
    assertThat(result.failure()).isEqualTo("answers 400");
    assertThat(sent[0]).isLessThan(100 << 20);
  }

  @Test
  void aPageIsNoDelivery() throws Exception {
    Delivery.Result result =
        send(
            LONG,
            client ->
                write(
                    client,
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p/>"));

    assertThat(result.retry()).isFalse();
    assertThat(result.rejected()).isEqualTo(7);
  }

  @Test
  void absurdWaitsAreBounded() throws Exception {
    for (String wait : new String[] {"999999", "99999999999999999999", "-5", "Wed, 01 Jan 3000"}) {
      Delivery.Result result =
          send(
              LONG,
              client ->
                  write(
                      client,
                      "HTTP/1.1 429 Wait\r\nRetry-After: "
                          + wait
                          + "\r\nContent-Length: 0\r\n\r\n"));

      assertThat(result.retry()).isTrue();
      assertThat(result.retryAfterMs()).isBetween(0L, 300_000L);
    }
  }
}
