package io.rollscope.cli;

import io.rollscope.cli.problem.WrongUsage;
import io.rollscope.cli.render.Console;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A simulated run to look at. */
@Command(
    name = "demo",
    description = "Simulates an asynchronous GRPO run and collects it, until Ctrl+C.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A server is started, and a dozen simulated processes tell it of their spans",
      "through the OpenTelemetry SDK. One worker is slow, judges fail now and then,",
      "before long something hangs, and after half a minute an agent process dies:",
      "half a minute later its sessions are lost. With --dir there is no server: the run",
      "is written as XTuner producer traces and shown live in this terminal.",
      "",
      "Examples:",
      "  rollscope demo                   then, elsewhere: rollscope live URL",
      "  rollscope demo --speed 10 --seed 7 --data demo-data",
      "  rollscope demo --dir my-run      then, elsewhere: rollscope hotspots my-run",
    })
final class DemoCommand implements Callable<Integer> {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The server's data folder, kept (default: one that is deleted).")
  private Path data;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Page and API (default: 18080 if free; else any).")
  private Integer port;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "No server: write the traces to this new folder and show them.")
  private Path folder;

  @Option(
      names = "--speed",
      paramLabel = "X",
      defaultValue = "1",
      description = "How many times faster than real (default: 1).")
  private double speed;

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Another run.")
  private long seed;

  @Option(
      names = "--duration",
      paramLabel = "S",
      description = "End after so many seconds (default: at Ctrl+C).")
  private Double seconds;

  @Option(names = "--quiet", description = "No progress, no notes.")
  private boolean quiet;

  @Override
  public Integer call() throws IOException {
    if (!(speed > 0 && speed <= 1_000)) {
      throw new WrongUsage("--speed", speed, "above 0, at most 1000");
    }
    if (seconds != null && !(seconds > 0 && seconds <= 1e6)) {
      throw new WrongUsage("--duration", seconds, "above 0, at most 1000000");
    }
    if (port != null && (port < 0 || port > 65_535)) {
      throw new WrongUsage("--port", port, "0 to 65535; 0 for a free one");
    }
    Console console = Console.system(quiet);
    if (folder != null) {
      refuseWithFolder("--data", data);
      refuseWithFolder("--port", port);
      refuseWithFolder("--duration", seconds);
      new FolderDemo(folder, seed, speed).show(console);
    } else {
      Duration duration = seconds == null ? null : Duration.ofMillis(Math.round(seconds * 1000));
      new ServerDemo(data, port, seed, speed, duration).run(console);
    }
    return 0;
  }

  private static void refuseWithFolder(String option, Object value) {
    if (value != null) {
      throw new WrongUsage(option, value, "either " + option + " or --dir, which has no server");
    }
  }
}
