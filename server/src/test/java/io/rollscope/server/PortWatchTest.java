package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A port stops accepting, for whatever reason: nobody must have to restart the server. */
class PortWatchTest {
  @TempDir private Path data;

  private record Listening(InetSocketAddress address, AtomicInteger reopened)
      implements PortWatch.Watched {
    @Override
    public String name() {
      return "--otlp-http-port";
    }

    @Override
    public Connections connections() {
      return new Connections(10);
    }

    @Override
    public void reopen() {
      reopened.incrementAndGet();
    }
  }

  /** The kernel completes connections for a socket whose process never accepts them. */
  @Test
  void aSocketThatListensAndNeverAcceptsIsNoticed() throws Exception {
    try (ServerSocket deaf = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      AtomicInteger reopened = new AtomicInteger();
      Listening port = new Listening((InetSocketAddress) deaf.getLocalSocketAddress(), reopened);
      PortWatch watch = new PortWatch(List.of(port), Duration.ofMillis(200));

      watch.look();
      assertThat(watch.trouble())
          .isEqualTo(
              "--otlp-http-port: port "
                  + deaf.getLocalPort()
                  + " takes no connections: not accepted within 0 s");
      assertThat(reopened).hasValue(0);

      watch.look();
      assertThat(reopened).hasValue(1);
      assertThat(watch.trouble()).isEmpty();
    }
  }

  @Test
  void aPortThatIsClosedIsNamedAndOpenedAnew() throws Exception {
    try (TestDoor door = TestDoor.patient(data)) {
      int port = door.door.otlpHttp().getPort();
      door.door.lookAtPorts();
      assertThat(door.get("/readyz").statusCode()).isEqualTo(200);
      door.door.servers().stream()
          .filter(server -> server.activeLocalPort() == port)
          .forEach(server -> server.stop().join());

      door.door.lookAtPorts();
      var answer = door.get("/readyz");
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body())
          .contains("--otlp-http-port: port " + port + " takes no connections");

      door.door.lookAtPorts();
      assertThat(
              door.send(
                      door.otlp("/v1/traces")
                          .header("Content-Type", "application/x-protobuf")
                          .POST(BodyPublishers.ofByteArray(TestSpans.request(TestSpans.span(1)))))
                  .statusCode())
          .isEqualTo(200);
      assertThat(door.door.otlpHttp().getPort()).isEqualTo(port);
      assertThat(door.get("/readyz").statusCode()).isEqualTo(200);
    }
  }
}
