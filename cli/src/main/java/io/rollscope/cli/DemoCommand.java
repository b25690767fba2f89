package io.rollscope.cli;

import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.problem.WrongUsage;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.LiveTable;
import io.rollscope.cli.terminal.LiveScreen;
import io.rollscope.core.view.Scope;
import io.rollscope.simulator.Pace;
import io.rollscope.simulator.Playback;
import io.rollscope.simulator.Settings;
import io.rollscope.simulator.Timeline;
import io.rollscope.simulator.TraceFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A simulated run to look at. */
@Command(
    name = "demo",
    description = "Simulates an asynchronous GRPO run and shows it live, until q or Ctrl+C.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "The run is written as an XTuner producer trace that keeps growing. One worker",
      "is slow, judges fail now and then, and before long something hangs: see it",
      "rise to the top.",
      "",
      "Examples:",
      "  rollscope demo",
      "  rollscope demo --speed 10 --seed 7",
      "  rollscope demo --dir my-run      then, elsewhere: rollscope hotspots my-run",
    })
final class DemoCommand implements Callable<Integer> {
  /** The run begins so long before the demo, so that there is something to see at once. */
  private static final long HISTORY_NS = 90_000_000_000L;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Write the traces here and keep them (default: a folder that is deleted).")
  private Path folder;

  @Option(
      names = "--speed",
      paramLabel = "X",
      defaultValue = "1",
      description = "How many times faster than real (default: 1).")
  private double speed;

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Another run.")
  private long seed;

  @Override
  public Integer call() throws IOException {
    if (!(speed > 0 && speed <= 1_000)) {
      throw new WrongUsage("--speed", speed, "above 0, at most 1000");
    }
    boolean keep = folder != null;
    Path run = keep ? folder : Files.createTempDirectory("rollscope-demo-").resolve("demo");
    if (Files.exists(run) && isUsed(run)) {
      throw Failure.of("--dir", run, "a new or empty folder");
    }
    Files.createDirectories(run);
    Thread player = play(run);
    Runnable cleanUp = () -> end(player, keep ? null : run.getParent());
    Thread hook = new Thread(cleanUp, "rollscope-demo-clean-up");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      show(run, Console.system(false));
    } finally {
      Runtime.getRuntime().removeShutdownHook(hook);
      cleanUp.run();
    }
    return 0;
  }

  private static boolean isUsed(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return true;
    }
    try (Stream<Path> inside = Files.list(folder)) {
      return inside.findAny().isPresent();
    }
  }

  private Thread play(Path run) {
    Settings settings = Settings.demo().withSeed(seed);
    Pace pace = Pace.system();
    Timeline timeline = new Timeline(pace.nowNs() - HISTORY_NS, speed);
    Playback playback =
        new Playback(settings, timeline, TraceFormat.XTUNER.open(run, settings, timeline));
    Thread player =
        new Thread(
            () -> {
              try (playback) {
                playback.live(pace);
              } catch (IOException e) {
                System.err.println(
                    "rollscope: simulator: " + e.getMessage() + " (expected: a writable folder)");
              }
            },
            "rollscope-simulator");
    player.setDaemon(true);
    player.start();
    return player;
  }

  private static void end(Thread player, Path delete) {
    player.interrupt();
    try {
      player.join(2_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (delete == null) {
      return;
    }
    try (Stream<Path> paths = Files.walk(delete)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      System.err.println("note: could not delete " + delete);
    }
  }

  private static void show(Path run, Console console) throws IOException {
    OpenSource opened = new OpenSource(List.of(run.toString()), new ReadOptions(), console);
    opened.follow();
    LiveFeed feed = new LiveFeed(opened, Scope.ACTIVE);
    if (console.isTerminal()) {
      new LiveScreen(feed, console.style()).show();
    } else {
      LiveCommand.follow(
          feed,
          console,
          LiveCommand.TABLE_ROWS,
          report -> LiveTable.lines(report, console).forEach(console.out()::println));
    }
  }
}
