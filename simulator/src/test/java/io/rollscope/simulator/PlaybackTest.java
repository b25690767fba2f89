package io.rollscope.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlaybackTest {
  private static final long NOW_NS = 1_790_000_000_000_000_000L;
  private static final double NOW_S = 1_790_000_000;
  private static final Pattern TIMESTAMP = Pattern.compile("\"timestamp_s\":([0-9.]+)");

  @TempDir Path folder;

  @Test
  void rushWritesExactlyTheEventsAskedFor() throws IOException {
    Timeline timeline = new Timeline(NOW_NS, 1);
    Settings settings = Settings.demo();
    try (Playback playback =
        new Playback(settings, timeline, TraceFormat.XTUNER.open(folder, settings, timeline))) {
      playback.rush(12_345);
      assertThat(playback.events()).isEqualTo(12_345);
    }

    assertThat(lines()).hasSize(12_345);
  }

  @Test
  void rushEndsWithTheRun() throws IOException {
    Timeline timeline = new Timeline(NOW_NS, 1);
    Settings settings = oneStep();
    try (Playback playback =
        new Playback(settings, timeline, TraceFormat.XTUNER.open(folder, settings, timeline))) {
      playback.rush(Long.MAX_VALUE);
    }

    assertThat(lines()).hasSize((int) RecordedRun.of(settings).events().count());
  }

  /** A live viewer next to the run: what happened is in the files, what did not is not. */
  @Test
  void everySleepFindsTheFilesUpToDate() throws IOException {
    List<Double> behind = new ArrayList<>();
    FakePace pace =
        new FakePace(
            NOW_NS,
            now -> {
              double newest = lines().stream().mapToDouble(PlaybackTest::timestamp).max().orElse(0);
              if (newest > 0) {
                behind.add(now / 1e9 - newest);
              }
              if (behind.size() == 60) {
                throw new InterruptedException();
              }
            });

    play(Settings.demo(), 1, pace);

    assertThat(behind).hasSize(60).allMatch(seconds -> seconds < 20 && seconds > -0.1);
    assertThat(Thread.interrupted()).as("the interrupt is not swallowed").isTrue();
  }

  @Test
  void timestampsAreThoseOfTheWallClockAtEverySpeed() throws IOException {
    FakePace pace = new FakePace(NOW_NS, now -> {});
    play(oneStep(), 10, pace);

    long virtualNs = lengthNs(oneStep());
    double first = lines().stream().mapToDouble(PlaybackTest::timestamp).min().orElseThrow();
    double last = lines().stream().mapToDouble(PlaybackTest::timestamp).max().orElseThrow();
    assertThat(first).isCloseTo(NOW_S, within(0.01));
    assertThat(last).isBetween(NOW_S + 3, NOW_S + virtualNs / 1e10 + 0.1);
    assertThat(pace.nowNs() - NOW_NS).isEqualTo(Math.round(virtualNs / 10.0));
  }

  @Test
  void durationsShrinkWithTheSpeed() throws IOException {
    play(oneStep(), 100, new FakePace(NOW_NS, now -> {}));

    assertThat(lines())
        .filteredOn(line -> line.contains("generate_group.end"))
        .isNotEmpty()
        .allMatch(line -> elapsed(line) < 2);
  }

  /** A demo that shows some minutes of history at once. */
  @Test
  void runThatBeganInThePastIsCaughtUpWithoutWaiting() throws IOException {
    Settings settings = oneStep();
    Timeline timeline = new Timeline(NOW_NS - 3_600_000_000_000L, 1);
    FakePace pace =
        new FakePace(
            NOW_NS,
            now -> {
              throw new AssertionError("no sleep is needed");
            });
    try (Playback playback =
        new Playback(settings, timeline, TraceFormat.XTUNER.open(folder, settings, timeline))) {
      playback.live(pace);
      assertThat(playback.inFlight()).isZero();
    }

    assertThat(lines()).isNotEmpty();
  }

  @Test
  void interruptedPlaybackLeavesWholeLines() throws IOException {
    Thread.currentThread().interrupt();
    play(Settings.demo(), 1, new FakePace(NOW_NS, now -> {}));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(lines()).isEmpty();

    int[] sleeps = {0};
    FakePace pace =
        new FakePace(
            NOW_NS,
            now -> {
              if (++sleeps[0] == 200) {
                Thread.currentThread().interrupt();
              }
            });
    play(Settings.demo(), 1, pace);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(lines()).isNotEmpty().allMatch(line -> line.endsWith("}"));
  }

  @Test
  void realClockIsTheSystems() throws InterruptedException {
    Pace pace = Pace.system();
    long before = pace.nowNs();

    pace.sleep(1);

    assertThat(pace.nowNs()).isGreaterThanOrEqualTo(before);
    assertThat(before / 1e9).isCloseTo(System.currentTimeMillis() / 1e3, within(60.0));
  }

  private void play(Settings settings, double speed, Pace pace) throws IOException {
    try (Playback playback =
        Playback.startingNow(settings, TraceFormat.XTUNER, folder, speed, pace)) {
      playback.live(pace);
    }
  }

  private static Settings oneStep() {
    Settings demo = Settings.demo();
    return demo.withWorkload(demo.workload().withBatches(1));
  }

  private static long lengthNs(Settings settings) throws IOException {
    Simulation simulation = new Simulation(settings, new Timeline(0, 1), new RecordedRun());
    while (!simulation.isOver()) {
      simulation.advance();
    }
    return simulation.nowNs();
  }

  private List<String> lines() {
    try (Stream<Path> files = Files.list(folder)) {
      List<String> lines = new ArrayList<>();
      for (Path file : files.toList()) {
        lines.addAll(Files.readAllLines(file));
      }
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double timestamp(String line) {
    return number(TIMESTAMP, line);
  }

  private static double elapsed(String line) {
    return number(Pattern.compile("\"elapsed_s\":([0-9.e-]+)"), line);
  }

  private static double number(Pattern pattern, String line) {
    Matcher matcher = pattern.matcher(line);
    assertThat(matcher.find()).as(line).isTrue();
    return Double.parseDouble(matcher.group(1));
  }
}
