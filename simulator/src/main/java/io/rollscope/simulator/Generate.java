package io.rollscope.simulator;

import io.rollscope.core.model.Event;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Writes large trace folders for benchmarks: a program of its own. */
public final class Generate {
  private static final long FIXED_START_NS = 1_781_000_000_000_000_000L;
  private static final long LARGE = 500_000;
  private static final long REPORT_EVERY_NS = 1_000_000_000;
  private static final int STEPS_PER_LOOK = 1024;

  private final GenerateOptions options;
  private final Settings settings;
  private final Pace pace;
  private final PrintStream progress;

  private Generate(GenerateOptions options, Pace pace, PrintStream progress) {
    this.options = options;
    this.pace = pace;
    this.progress = progress;
    boolean isLarge = Math.max(options.events(), options.sessions()) >= LARGE;
    settings = (isLarge ? Settings.large() : Settings.demo()).withSeed(options.seed());
  }

  public static void main(String[] args) {
    System.exit(run(Pace.system(), System.err, args));
  }

  /** The exit code: 0 when all is written, 1 when it could not be, 2 for a wrong call. */
  static int run(Pace pace, PrintStream err, String... args) {
    if (List.of(args).contains("--help")) {
      err.print(GenerateOptions.USAGE);
      return 0;
    }
    try {
      GenerateOptions options = GenerateOptions.parse(args);
      refuseToMix(options.out());
      new Generate(options, pace, err).write();
      return 0;
    } catch (IllegalArgumentException e) {
      err.println(e.getMessage());
      err.print(GenerateOptions.USAGE);
      return 2;
    } catch (IOException e) {
      err.println("cannot write: " + e);
      return 1;
    }
  }

  /** Trace files are appended to, so a second run would mix with the first. */
  private static void refuseToMix(Path out) throws IOException {
    if (!Files.exists(out)) {
      return;
    }
    if (!Files.isDirectory(out)) {
      throw new IllegalArgumentException("--out: " + out + " (expected: a folder)");
    }
    try (Stream<Path> files = Files.list(out)) {
      if (files.findAny().isPresent()) {
        throw new IllegalArgumentException("--out: " + out + " (expected: an empty folder)");
      }
    }
  }

  private void write() throws IOException {
    long startNs = options.endsNow() ? pace.nowNs() - lengthNs() : FIXED_START_NS;
    Timeline timeline = new Timeline(startNs, 1);
    switch (options.format()) {
      case XTUNER -> {
        XTunerFolder folder = new XTunerFolder(options.out());
        write(timeline, new SessionEventLimit(folder, options.events()), folder);
      }
      case AREAL -> {
        int ranks = settings.fleet().trainerRanks();
        ArealFolder folder =
            new ArealFolder(options.out(), ranks, startNs, options.sessions(), options.events());
        write(timeline, folder, folder);
      }
    }
  }

  private void write(Timeline timeline, LimitedSink sink, Closeable files) throws IOException {
    try (files) {
      simulate(timeline, sink, "written");
    }
    progress.println();
  }

  /** How long the run will be, found by a run that is not written. */
  private long lengthNs() throws IOException {
    LimitedSink sink =
        switch (options.format()) {
          case XTUNER -> new SessionEventLimit(new Nowhere(), options.events());
          case AREAL ->
              new ArealTranslation(
                  settings.fleet().trainerRanks(),
                  options.sessions(),
                  options.events(),
                  (rank, event) -> {});
        };
    return simulate(new Timeline(0, 1), sink, "planned");
  }

  /** Runs until the sink is full; the virtual time of the last event. */
  private long simulate(Timeline timeline, LimitedSink sink, String done) throws IOException {
    Simulation simulation = new Simulation(settings, timeline, sink);
    long beganNs = pace.nowNs();
    long reportedNs = beganNs;
    for (long steps = 1; !sink.isFull(); steps++) {
      simulation.advance();
      if (steps % STEPS_PER_LOOK == 0 && pace.nowNs() - reportedNs >= REPORT_EVERY_NS) {
        reportedNs = pace.nowNs();
        report(sink.taken(), reportedNs - beganNs, done);
      }
    }
    report(sink.taken(), pace.nowNs() - beganNs, done);
    return simulation.nowNs();
  }

  private void report(long taken, long elapsedNs, String done) {
    double perSecond = taken / (Math.max(1, elapsedNs) / 1e9);
    progress.printf(
        Locale.ROOT, "\r%,d %s, %.1f s, %,.0f/s   ", taken, done, elapsedNs / 1e9, perSecond);
    progress.flush();
  }

  private static final class Nowhere implements Sink {
    @Override
    public void session(long pid, Event event) {}

    @Override
    public void training(TrainingSpan span) {}
  }
}
