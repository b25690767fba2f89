package io.rollscope.cli;

import io.rollscope.cli.config.Settings;
import io.rollscope.cli.demo.ServedDemo;
import io.rollscope.cli.process.EndSignal;
import io.rollscope.cli.process.ForegroundServer;
import io.rollscope.cli.process.ServerReport;
import io.rollscope.cli.process.TemporaryFolder;
import io.rollscope.cli.render.Console;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The demo with a server. */
final class ServerDemo {
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("'demo'-yyyyMMdd-HHmmss");

  private final Path data;
  private final Integer port;
  private final long seed;
  private final double speed;
  private final Duration duration;

  /**
   * @param data folder to keep, or null for one that is deleted
   * @param port of page and API, or null for the usual one if it is free
   * @param duration after which it ends, or null
   */
  ServerDemo(Path data, Integer port, long seed, double speed, Duration duration) {
    this.data = data;
    this.port = port;
    this.seed = seed;
    this.speed = speed;
    this.duration = duration;
  }

  /** Runs until the end is asked for. */
  void run(Console console) throws IOException {
    EndSignal end = EndSignal.install();
    Path temporary = data == null ? Files.createTempDirectory("rollscope-demo-") : null;
    try (ForegroundServer server =
        ForegroundServer.start(
            settings(data == null ? temporary : data),
            Map.of(),
            List.of(),
            null,
            null,
            Rollscope.Version.number())) {
      announce(server.report(), console);
      ServedDemo demo =
          ServedDemo.begin(
              NAME.format(LocalDateTime.now(ZoneId.systemDefault())),
              io.rollscope.simulator.Settings.demo().withSeed(seed),
              speed,
              URI.create(server.report().otlpHttp()),
              server.token());
      end.await(duration);
      console.hint("closing …");
      demo.close();
    } finally {
      if (temporary != null) {
        TemporaryFolder.delete(temporary);
      }
    }
  }

  private Settings settings(Path folder) throws IOException {
    Map<String, List<String>> flags =
        Map.of(
            "data", List.of(folder.toString()),
            "port", List.of(port == null ? freeOr(18080) : port.toString()),
            "otlp-http-port", List.of(freeOr(4318)),
            "otlp-grpc-port", List.of(freeOr(4317)));
    return Settings.gather(flags, Map.of(), Set.of(), Set.of());
  }

  /** The usual port if nobody has it, else any: a demo is no reason to complain. */
  private static String freeOr(int usual) {
    try (ServerSocket probe = new ServerSocket(usual, 1, InetAddress.getLoopbackAddress())) {
      return Integer.toString(probe.getLocalPort());
    } catch (IOException e) {
      return "0";
    }
  }

  private static void announce(ServerReport server, Console console) {
    List<String> lines =
        List.of(
            "A simulated run is being collected. Look at it:",
            "  in a browser    " + server.url(),
            "  in a terminal   rollscope live " + server.url(),
            "                  rollscope hotspots " + server.url(),
            "                  rollscope query --url "
                + server.url()
                + " 'select stage, count(*) from spans group by 1'",
            "  your own spans  OTEL_EXPORTER_OTLP_ENDPOINT=" + server.otlpHttp(),
            "An agent process dies after 30 s; its sessions are lost 30 s later. Ctrl+C ends.");
    lines.forEach(console.out()::println);
    console.out().flush();
  }
}
