package io.rollscope.cli;

import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.problem.WrongUsage;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.Durations;
import io.rollscope.cli.render.ProgressBar;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.ReportContext.SkippedLines;
import io.rollscope.formats.chrome.ConvertInputs;
import io.rollscope.formats.chrome.PerfConverter;
import io.rollscope.formats.chrome.ProcessClock;
import io.rollscope.formats.chrome.SessionsConverter;
import io.rollscope.formats.folder.RunData;
import io.rollscope.formats.folder.RunNames;
import io.rollscope.formats.otlp.OtlpWriter;
import io.rollscope.formats.output.OutputFile;
import io.rollscope.formats.scan.Skipped;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Traces for other people's viewers. */
@Command(
    name = "convert",
    description = "Turns traces into one file that Perfetto, chrome://tracing or OTLP tools open.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "AReaL perf traces become one Chrome trace, ranks on one clock and threads under",
      "their names; session traces of any format become one track per session, one",
      "process per worker.",
      "",
      "Examples:",
      "  rollscope convert logs/exp/trial              (to logs/exp/trial/traces.json)",
      "  rollscope convert perf_tracer/traces-r*.jsonl -o all.json",
      "  rollscope convert --compat areal --align none DIR     (as AReaL's own writes)",
      "  rollscope convert runs/exp1 --to otlp -o - | gzip > exp1.otlp.jsonl.gz",
      "  rollscope convert runs/exp1 --to parquet    (the columns: docs/storage.md)",
    })
final class ConvertCommand implements Callable<Integer> {
  enum Target {
    CHROME,
    OTLP,
    PARQUET
  }

  enum Alignment {
    BARRIER,
    NONE
  }

  enum Compatibility {
    AREAL
  }

  @Parameters(paramLabel = "IN", arity = "1..*", description = "Folders, files or globs.")
  private List<String> inputs;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT",
      description =
          "The file to write, - for stdout (default: traces.json, or x.json for x.jsonl).")
  private String output;

  @Option(
      names = "--to",
      paramLabel = "TARGET",
      defaultValue = "chrome",
      description = "chrome, otlp or parquet (default: chrome).")
  private Target target;

  @Option(
      names = "--align",
      paramLabel = "HOW",
      defaultValue = "barrier",
      description = "Put the clocks of ranks together by barriers, or none (default: barrier).")
  private Alignment align;

  @Option(
      names = "--compat",
      paramLabel = "TOOL",
      description = "areal: exactly the events AReaL's converter writes.")
  private Compatibility compat;

  @Option(
      names = "--display-time-unit",
      paramLabel = "UNIT",
      defaultValue = "ms",
      description = "ms or ns, for the viewer (default: ms).")
  private String unit;

  @Mixin private ReadOptions read;

  @Option(names = "--quiet", description = "No progress, no notes.")
  private boolean quiet;

  @Override
  public Integer call() throws IOException {
    if (!unit.equals("ms") && !unit.equals("ns")) {
      throw new WrongUsage("--display-time-unit", unit, "ms or ns");
    }
    Console console = Console.system(quiet);
    Skipped skipped = new Skipped();
    ConvertInputs found = resolve(skipped);
    boolean perf = read.as == null ? !found.perf().isEmpty() : read.as.equals("areal-perf");
    if (compat != null && !(perf && target == Target.CHROME)) {
      throw new WrongUsage("--compat", "areal", "AReaL perf traces, to Chrome");
    }
    if (perf && target != Target.CHROME && found.others().isEmpty()) {
      throw Failure.of(
          "--to " + target.name().toLowerCase(Locale.ROOT),
          String.join(" ", inputs),
          "session traces; perf traces go to chrome");
    }
    try {
      if (target == Target.PARQUET) {
        return convertToParquet(found, console);
      }
      return perf && target == Target.CHROME
          ? convertPerf(found, skipped, console)
          : convertSessions(found, console);
    } catch (IOException e) {
      // A reader such as head has seen enough.
      if ("-".equals(output) && String.valueOf(e.getMessage()).contains("Broken pipe")) {
        return 0;
      }
      throw e;
    }
  }

  private ConvertInputs resolve(Skipped skipped) throws IOException {
    try {
      return ConvertInputs.resolve(inputs, skipped);
    } catch (FileNotFoundException e) {
      throw new Failure(e.getMessage(), e);
    }
  }

  private OutputFile open(ConvertInputs found) throws IOException {
    if ("-".equals(output)) {
      return OutputFile.standardOut();
    }
    return OutputFile.at(path(found), found.all());
  }

  private Path path(ConvertInputs found) {
    if (output != null) {
      return Path.of(output);
    }
    Path usual = found.defaultOutput();
    if (target == Target.CHROME) {
      return usual;
    }
    // Not .jsonl: the next command would read it as part of the source.
    String name = usual.getFileName().toString().replaceFirst("\\.json$", "");
    return usual.resolveSibling(name + (target == Target.OTLP ? ".otlp" : ".parquet"));
  }

  private int convertPerf(ConvertInputs found, Skipped skipped, Console console)
      throws IOException {
    List<Path> files = ofRun(read.as == null ? found.perf() : found.all(), console);
    PerfConverter.Options options =
        new PerfConverter.Options(compat != null, align == Alignment.BARRIER, unit);
    PerfConverter.Result result;
    try (OutputFile out = open(found);
        ProgressBar bar = console.progress("converting", 2 * size(files))) {
      result = new PerfConverter(options).onProgress(bar::advance).convert(files, out);
      out.commit();
    }
    skipped.addShifted(result.skipped(), 1);
    if (!quiet) {
      console.skipped(lines(skipped));
      result.clocks().stream().filter(c -> c.pairs() > 0).forEach(c -> console.note(clock(c)));
      if (!found.others().isEmpty()) {
        console.note(
            found.others().size()
                + " files are no perf traces and were left out; name their folder to convert them");
      }
      written(found, console, result.events(), "events");
    }
    return read.strict && skipped.count() > 0 ? 1 : 0;
  }

  /** The files of the run the user named; all files if none was named. */
  private List<Path> ofRun(List<Path> files, Console console) {
    TreeSet<String> runs = new TreeSet<>();
    files.forEach(f -> runs.add(RunNames.ofTrial(f)));
    if (read.run == null) {
      if (runs.size() > 1 && !quiet) {
        console.note("several runs in one trace: " + String.join(", ", runs) + " (--run chooses)");
      }
      return files;
    }
    if (!runs.contains(read.run)) {
      throw Failure.of("--run", read.run, "one of " + String.join(", ", runs));
    }
    return files.stream().filter(f -> RunNames.ofTrial(f).equals(read.run)).toList();
  }

  private static long size(List<Path> files) throws IOException {
    long sum = 0;
    for (Path file : files) {
      sum += Files.size(file);
    }
    return sum;
  }

  private static String clock(ProcessClock clock) {
    return String.format(
        Locale.ROOT,
        "clock of %s: shifted by %.6f s (spread %s over %d barriers)",
        clock.worker().label() == null ? "unknown rank" : clock.worker().label(),
        Nanos.toSeconds(clock.offsetNs()),
        Durations.human(Nanos.toSeconds(clock.spreadNs())),
        clock.pairs());
  }

  private int convertSessions(ConvertInputs found, Console console) throws IOException {
    OpenSource opened = new OpenSource(inputs, read, console);
    RunData data = opened.readAll();
    try (OutputFile out = open(found)) {
      if (target == Target.OTLP) {
        OtlpWriter.Result result = OtlpWriter.write(data.table(), data.id(), out);
        out.commit();
        report(found, console, result.spans() - result.sessions(), "spans");
        if (result.leftOut() > 0 && !quiet) {
          console.note(result.leftOut() + " spans on a clock of their own were left out");
        }
      } else {
        SessionsConverter.Result result =
            new SessionsConverter(data.table(), data.table().newestInstant(), unit).convert(out);
        out.commit();
        report(found, console, result.slices() - result.sessions(), "spans");
      }
    }
    return opened.finish(quiet);
  }

  private int convertToParquet(ConvertInputs found, Console console) throws IOException {
    read.format();
    try (OutputFile out = open(found)) {
      ParquetConversion.Result result = ParquetConversion.convert(found.all(), read, out, console);
      if (result.spans() == 0) {
        throw Failure.of("IN", String.join(" ", inputs), "spans in it");
      }
      out.commit();
      report(found, console, result.spans(), "spans");
      if (!quiet) {
        console.skipped(FolderSending.skipped(result.read()));
        result
            .read()
            .rejected()
            .forEach((why, count) -> console.note(count + " were left out: " + why));
      }
      boolean complete = result.read().skippedLines() == 0 && result.read().rejected().isEmpty();
      return read.strict && !complete ? 1 : 0;
    }
  }

  private void report(ConvertInputs found, Console console, long count, String what) {
    if (!quiet) {
      written(found, console, count, what);
    }
  }

  private void written(ConvertInputs found, Console console, long count, String what) {
    if (!"-".equals(output)) {
      console.note(String.format(Locale.ROOT, "%,d %s in %s", count, what, path(found)));
    }
  }

  private static SkippedLines lines(Skipped skipped) {
    return new SkippedLines(
        skipped.count(),
        skipped.examples().stream()
            .map(e -> new SkippedLines.Example(e.file(), e.line(), e.reason()))
            .toList());
  }
}
