package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More connections come than the process may open files. */
class DescriptorsTest {
  private static final int LIMIT = 320;
  private static final byte[] QUESTION =
      "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  @TempDir private Path data;

  @Test
  void connectionsLeaveAQuarterToFiles() {
    assertThat(new Descriptors(1_000_000, 150).connectionsPerPort(3, 10_000)).isEqualTo(10_000);
    assertThat(new Descriptors(1_024, 124).connectionsPerPort(3, 10_000)).isEqualTo(225);
    assertThat(new Descriptors(320, 120).connectionsPerPort(3, 10_000)).isEqualTo(45);
    assertThat(new Descriptors(100, 90).connectionsPerPort(3, 10_000)).isEqualTo(16);
    assertThat(new Descriptors(Long.MAX_VALUE, 0).connectionsPerPort(3, 10_000)).isEqualTo(10_000);
  }

  /**
   * A server in a process of its own; says where it is and ends when its input does. Between two
   * bytes of its input it has all the files open that it may.
   */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws Exception {
      try (RealServer server = RealServer.start(Path.of(args[0]))) {
        System.out.println(server.collector.otlpHttp());
        System.out.println(server.collector.url());
        while (System.in.read() >= 0) {
          List<FileInputStream> files = openAll();
          System.out.println("full");
          int next = System.in.read();
          for (FileInputStream file : files) {
            file.close();
          }
          if (next < 0) {
            return;
          }
        }
      }
    }

    private static List<FileInputStream> openAll() {
      List<FileInputStream> files = new ArrayList<>(LIMIT);
      try {
        while (true) {
          files.add(new FileInputStream("/dev/null"));
        }
      } catch (IOException e) {
        return files; // Too many open files.
      }
    }
  }

  private Process start() throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
            "sh",
            "-c",
            "ulimit -n " + LIMIT + " && exec \"$@\"",
            "sh",
            java,
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Child.class.getName(),
            data.resolve("data").toString())
        .redirectError(data.resolve("log").toFile())
        .start();
  }

  @Test
  void aServerThatHadTooManyConnectionsTakesThemAgain() throws Exception {
    Process server = start();
    try (BufferedReader out = server.inputReader(StandardCharsets.UTF_8)) {
      String otlp = out.readLine();
      assertThat(otlp).as(() -> read(data.resolve("log"))).startsWith("http://127.0.0.1:");
      int port = URI.create(otlp).getPort();
      int api = URI.create(out.readLine()).getPort();
      readClasses(port, api);
      List<SocketChannel> idle = new ArrayList<>();
      try {
        for (int i = 0; i < 400; i++) {
          idle.add(
              SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
        }
        try (Socket asking = new Socket(InetAddress.getLoopbackAddress(), api)) {
          Waiting.until(() -> refused(asking) > 0);
        }
        assertThat(RawHttp.get(api, "/readyz", "Host: localhost").status()).isEqualTo(200);
        assertThat(getFrom("127.0.0.2", port)).as("another client").startsWith("HTTP/1.1 ");
      } finally {
        for (SocketChannel channel : idle) {
          channel.close();
        }
      }
      Waiting.until(() -> answers(port));
      assertThat(RawHttp.get(api, "/readyz", "Host: localhost").status()).isEqualTo(200);
    } finally {
      end(server);
    }
  }

  /** Each class of a test is a file of its own, which a server that is installed has open. */
  private static void readClasses(int port, int api) throws IOException {
    assertThat(getFrom("127.0.0.1", port)).startsWith("HTTP/1.1 404 ");
    assertThat(RawHttp.get(api, "/metrics", "Host: localhost").status()).isEqualTo(200);
    assertThat(RawHttp.get(api, "/readyz", "Host: localhost").status()).isEqualTo(200);
  }

  private static void end(Process server) throws Exception {
    server.getOutputStream().close();
    if (!server.waitFor(60, TimeUnit.SECONDS)) {
      server.destroyForcibly().waitFor();
    }
  }

  /** Accepting fails then, which is reported with a time: nothing may be read for that. */
  @Test
  void aServerThatHadNoFilesLeftAnswersAgain() throws Exception {
    Process server = start();
    try (BufferedReader out = server.inputReader(StandardCharsets.UTF_8)) {
      String otlp = out.readLine();
      assertThat(otlp).as(() -> read(data.resolve("log"))).startsWith("http://127.0.0.1:");
      int port = URI.create(otlp).getPort();
      readClasses(port, URI.create(out.readLine()).getPort());

      server.getOutputStream().write('x');
      server.getOutputStream().flush();
      assertThat(out.readLine()).isEqualTo("full");
      try (Socket waiting = new Socket(InetAddress.getLoopbackAddress(), port)) {
        Waiting.until(() -> read(data.resolve("log")).contains("accept"));
        server.getOutputStream().write('x');
        server.getOutputStream().flush();

        waiting.setSoTimeout(60_000);
        waiting.getOutputStream().write(QUESTION);
        assertThat(RawHttp.answer(waiting.getInputStream())).startsWith("HTTP/1.1 404 ");
      }
    } finally {
      end(server);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Asks on one connection: a new one for each question would soon be one too many itself. */
  private static double refused(Socket api) throws IOException {
    String request = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
    api.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
    return RawHttp.answer(api.getInputStream())
        .lines()
        .filter(line -> line.startsWith("rollscope_connections_refused "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
        .sum();
  }

  private static boolean answers(int port) {
    try {
      return getFrom("127.0.0.1", port).startsWith("HTTP/1.1 404 ");
    } catch (IOException e) {
      return false;
    }
  }

  private static String getFrom(String client, int port) throws IOException {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(client), 0)) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(QUESTION);
      return RawHttp.answer(socket.getInputStream());
    }
  }
}
