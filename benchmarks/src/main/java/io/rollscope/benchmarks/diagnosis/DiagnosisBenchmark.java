package io.rollscope.benchmarks.diagnosis;

import com.sun.management.OperatingSystemMXBean;
import io.rollscope.simulator.faults.FaultyRun;
import io.rollscope.simulator.faults.FaultyRuns;
import io.rollscope.simulator.faults.Truth;
import io.rollscope.simulator.faults.WriteRuns;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Judges diagnosis on runs whose truth is known, and times it. Prints Markdown.
 *
 * <p>{@code fixed FOLDER}, {@code fresh FOLDER COUNT SEED}: writes the runs into the folder and
 * judges them. {@code known FOLDER}: judges what is there. {@code large FOLDER SPANS}: writes one
 * run of about so many spans. {@code speed FOLDER TIMES}: reads and diagnoses a folder so often.
 */
public final class DiagnosisBenchmark {
  private DiagnosisBenchmark() {}

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[1]);
    List<String> lines =
        switch (args[0]) {
          case "fixed" -> {
            write(FaultyRuns.all(), folder);
            yield judge(folder, "Fixed runs");
          }
          case "fresh" -> {
            long seed = Long.parseLong(args[3]);
            write(FaultyRuns.fresh(Integer.parseInt(args[2]), seed), folder);
            yield judge(folder, "Fresh runs, seed " + seed);
          }
          case "known" -> judge(folder, "Runs of another generator");
          case "large" -> large(folder, Long.parseLong(args[2]));
          case "speed" -> speed(folder, Integer.parseInt(args[2]));
          default ->
              throw new IllegalArgumentException(
                  "mode: " + args[0] + " (expected: fixed, fresh, known, large, speed)");
        };
    lines.forEach(System.out::println);
  }

  private static void write(List<FaultyRun> runs, Path folder) throws IOException {
    for (FaultyRun run : runs) {
      WriteRuns.write(run, folder.resolve(run.name()));
    }
  }

  private static List<String> judge(Path folder, String title) throws IOException {
    List<Path> runs;
    try (Stream<Path> found = Files.list(folder)) {
      runs = found.filter(run -> Files.exists(run.resolve("truth.json"))).sorted().toList();
    }
    List<Judgement> judgements = new ArrayList<>();
    for (Path run : runs) {
      KnownRun truth = KnownRun.read(run.resolve("truth.json"));
      judgements.add(Judge.judge(truth, new Diagnosis(run.resolve("data")).findings()));
    }
    return new Scores(judgements).lines(title);
  }

  /** A run like that of a large cluster, with a slow engine to be found. */
  private static List<String> large(Path folder, long spans) throws IOException {
    Truth truth = WriteRuns.write(FaultyRuns.large(spans), folder);
    return List.of(
        String.format(
            Locale.ROOT, "%,d spans of %,d sessions written", truth.spans(), truth.sessions()),
        "");
  }

  private static List<String> speed(Path folder, int times) throws IOException {
    List<Spent> reading = new ArrayList<>();
    List<Spent> judging = new ArrayList<>();
    long rows = 0;
    for (int i = 0; i < times; i++) {
      Spent begun = Spent.now();
      Diagnosis diagnosis = new Diagnosis(folder.resolve("data"));
      Spent read = Spent.now();
      diagnosis.findings();
      reading.add(read.minus(begun));
      judging.add(Spent.now().minus(read));
      rows = diagnosis.run().table().rows();
    }
    return List.of(
        "## Speed",
        "",
        "One virtual machine for all rounds; CPU is of all its threads, in the best round.",
        "",
        "| what | promised | best | median | CPU |",
        "| --- | --- | --- | --- | --- |",
        String.format(Locale.ROOT, "| reading %,d rows |  | %s |", rows, cells(reading)),
        "| judging them | ≤ 1.5 s with reading | " + cells(judging) + " |");
  }

  private static String cells(List<Spent> rounds) {
    rounds.sort(Comparator.comparingDouble(Spent::wallS));
    Spent best = rounds.get(0);
    return String.format(
        Locale.ROOT,
        "%.2f s | %.2f s | %.2f s",
        best.wallS,
        rounds.get(rounds.size() / 2).wallS,
        best.cpuS);
  }

  /** Time, of the clock and of the processors. */
  private record Spent(double wallS, double cpuS) {
    static Spent now() {
      OperatingSystemMXBean system =
          ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
      return new Spent(System.nanoTime() / 1e9, system.getProcessCpuTime() / 1e9);
    }

    Spent minus(Spent earlier) {
      return new Spent(wallS - earlier.wallS, cpuS - earlier.cpuS);
    }
  }
}
