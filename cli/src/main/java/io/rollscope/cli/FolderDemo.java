package io.rollscope.cli;

import io.rollscope.cli.problem.Failure;
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
import java.util.List;
import java.util.stream.Stream;

/** The demo without a server: a folder of XTuner traces that keeps growing, shown live. */
final class FolderDemo {
  /** The run begins so long before the demo, so that there is something to see at once. */
  private static final long HISTORY_NS = 90_000_000_000L;

  private final Path folder;
  private final long seed;
  private final double speed;

  FolderDemo(Path folder, long seed, double speed) {
    this.folder = folder;
    this.seed = seed;
    this.speed = speed;
  }

  /** Plays and shows until the user leaves. */
  void show(Console console) throws IOException {
    if (Files.exists(folder) && isUsed(folder)) {
      throw Failure.of("--dir", folder, "a new or empty folder");
    }
    Files.createDirectories(folder);
    Thread player = play();
    try {
      showFolder(console);
    } finally {
      player.interrupt();
    }
  }

  private static boolean isUsed(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return true;
    }
    try (Stream<Path> inside = Files.list(folder)) {
      return inside.findAny().isPresent();
    }
  }

  private Thread play() {
    Settings settings = Settings.demo().withSeed(seed);
    Pace pace = Pace.system();
    Timeline timeline = new Timeline(pace.nowNs() - HISTORY_NS, speed);
    Playback playback =
        new Playback(settings, timeline, TraceFormat.XTUNER.open(folder, settings, timeline));
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

  private void showFolder(Console console) throws IOException {
    OpenSource opened = new OpenSource(List.of(folder.toString()), new ReadOptions(), console);
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
