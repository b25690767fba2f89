package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollscope.server.ServerOptions.Scrape;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can be in the way when an operator starts a collector. */
class CollectorStartTest {
  @TempDir private Path data;

  private ServerOptions options(int port, int otlpHttp, int otlpGrpc) {
    return new ServerOptions(
        data,
        "127.0.0.1",
        port,
        otlpHttp,
        otlpGrpc,
        null,
        List.of(),
        false,
        null,
        List.of(),
        Scrape.DEFAULT);
  }

  private static ServerSocket taken() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @Test
  void portInUseIsNamedWithItsOptionAndNothingStaysOpen() throws Exception {
    try (ServerSocket other = taken()) {
      int port = other.getLocalPort();

      assertThatThrownBy(() -> Collector.start(options(port, 0, 0)))
          .isInstanceOf(StartException.class)
          .hasMessage(
              "port: %d is in use (expected: a free one; --port chooses another, 0 any)", port);
      assertThatThrownBy(() -> Collector.start(options(0, port, 0)))
          .hasMessageContaining("--otlp-http-port");
      assertThatThrownBy(() -> Collector.start(options(0, 0, port)))
          .hasMessageContaining("--otlp-grpc-port");
    }
    Collector.start(options(0, 0, 0)).close();
  }

  @Test
  void portsOfAFailedStartAreFreeAgain() throws Exception {
    int free;
    try (ServerSocket socket = taken()) {
      free = socket.getLocalPort();
    }
    try (ServerSocket other = taken()) {
      assertThatThrownBy(() -> Collector.start(options(free, 0, other.getLocalPort())))
          .isInstanceOf(StartException.class);
    }
    try (Collector collector = Collector.start(options(free, 0, 0))) {
      assertThat(collector.url().getPort()).isEqualTo(free);
    }
  }

  @Test
  void dataFolderOfAnotherServerIsNamed() throws Exception {
    try (Collector first = Collector.start(options(0, 0, 0))) {
      assertThat(first.otlpGrpc()).startsWith("127.0.0.1:");

      assertThatThrownBy(() -> Collector.start(options(0, 0, 0)))
          .isInstanceOf(StartException.class)
          .hasMessageStartingWith("data: " + data + " is in use by another process (expected: ");
    }
  }

  @Test
  void fileInPlaceOfTheDataFolderIsNamed() throws Exception {
    Path file = Files.writeString(data.resolve("file"), "no folder");

    assertThatThrownBy(
            () -> Collector.start(TestDoor.options(file, "127.0.0.1", null, List.of(), false)))
        .isInstanceOf(StartException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("expected: ");
  }

  @Test
  void unknownFormatOfAFollowedFolderIsNamed() {
    ServerOptions.WatchedFolder folder =
        new ServerOptions.WatchedFolder(data, "no-such-format", null);
    ServerOptions options =
        new ServerOptions(
            data,
            "127.0.0.1",
            0,
            0,
            0,
            null,
            List.of(),
            false,
            null,
            List.of(folder),
            Scrape.DEFAULT);

    assertThatThrownBy(() -> Collector.start(options))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("no-such-format");
  }

  @Test
  void addressOfAnotherMachineIsNamed() {
    assertThatThrownBy(
            () ->
                Collector.start(TestDoor.options(data, "203.0.113.1", "a-token", List.of(), false)))
        .isInstanceOf(StartException.class)
        .hasMessage("host: 203.0.113.1 (expected: an address of this machine)");
  }
}
