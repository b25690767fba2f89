package io.rollscope.cli;

import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.ProgressBar;
import io.rollscope.cli.terminal.LiveSource;
import io.rollscope.core.report.RunReports;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.Scope;
import io.rollscope.formats.folder.FolderReader;
import io.rollscope.formats.folder.FolderRun;
import io.rollscope.formats.folder.Formats;
import io.rollscope.formats.folder.RunData;
import io.rollscope.formats.folder.RunNames;
import io.rollscope.formats.folder.SourcePath;
import io.rollscope.formats.folder.TraceFormat;
import io.rollscope.formats.otlp.OtlpFormat;
import io.rollscope.formats.scan.Skipped;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A source the user named, being read; knows which run was meant and what to say about it. */
final class OpenSource implements RunSource {
  /** Tables may take this part of the heap; the rest is for the answers. */
  private static final double TABLE_SHARE = 0.75;

  private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");

  private final ReadOptions options;
  private final Console console;
  private final String name;
  private final SourcePath path;
  private FolderReader reader;
  private boolean metrics;

  OpenSource(List<String> sources, ReadOptions options, Console console) {
    this.options = options;
    this.console = console;
    this.path = SourcePath.of(sources);
    this.name = String.join(" ", sources);
    this.reader = newReader(null);
    if (!path.exists()) {
      throw Failure.of("source", name, "an existing folder or file, or a glob");
    }
  }

  private FolderReader newReader(String run) {
    long limit = (long) (Runtime.getRuntime().maxMemory() * TABLE_SHARE);
    FolderReader fresh = new FolderReader(path, options.format(), run, limit);
    if (metrics) {
      fresh.substitute(OtlpFormat::withMetrics);
    }
    return fresh;
  }

  /** With metrics, which otherwise are not read: there may be very many. */
  OpenSource withMetrics() {
    metrics = true;
    return this;
  }

  /** Reads all there is, once. */
  RunData readAll() throws IOException {
    load(true);
    return run();
  }

  @Override
  public RunReports reports() throws IOException {
    return reports(readAll());
  }

  RunReports reports(RunData run) {
    return new FolderRun(run, reader.files(), context(), Nanos.ofClock());
  }

  @Override
  public LiveSource follow(Scope scope, int rows, boolean screen) throws IOException {
    follow();
    return new LiveFeed(this, scope);
  }

  @Override
  public int finish(ReportContext.SkippedLines said, boolean quiet) {
    return finish(quiet);
  }

  /** Reads what is there now; {@link #poll} goes on from here. */
  void follow() throws IOException {
    load(false);
  }

  /** Takes in what was appended; true if anything was. */
  boolean poll() throws IOException {
    return reader.poll();
  }

  private void load(boolean complete) throws IOException {
    // --run selects among the runs the source names, or else names the only one.
    reader = newReader(null);
    read(complete);
    boolean unknown = options.run != null && !reader.runs().ids().contains(options.run);
    if (unknown && reader.runs().ids().size() == 1) {
      reader = newReader(options.run);
      read(complete);
    }
    if (reader.files().isEmpty() && complete) {
      throw nothingRecognised();
    }
  }

  private void read(boolean complete) throws IOException {
    try (ProgressBar bar = console.progress("reading", reader.pendingBytes())) {
      reader.onProgress(bar::advance);
      if (complete) {
        reader.readAll();
      } else {
        reader.poll();
      }
    } finally {
      reader.onProgress(bytes -> {});
    }
  }

  private Failure nothingRecognised() {
    List<String> found = new ArrayList<>();
    for (Path file : reader.unrecognised()) {
      found.add(file.getFileName() + " (unknown)");
    }
    for (Skipped.Example e : reader.skipped().examples()) {
      found.add(Path.of(e.file()).getFileName() + " (" + e.reason() + ")");
    }
    String looked =
        Formats.all().stream().map(TraceFormat::description).collect(Collectors.joining("; "));
    String shown =
        found.isEmpty()
            ? "no *.jsonl files"
            : found.stream().limit(5).collect(Collectors.joining(", "))
                + (found.size() > 5 ? ", …" : "");
    return Failure.of("no traces in " + name, "found " + shown, looked);
  }

  /** The run to look at. */
  RunData run() {
    if (options.run == null) {
      RunData newest = reader.runs().newest();
      return newest == null ? RunData.none(RunNames.ofFolder(path.folder())) : newest;
    }
    if (!reader.runs().ids().contains(options.run)) {
      throw Failure.of("--run", options.run, "one of " + String.join(", ", reader.runs().ids()));
    }
    return reader.runs().run(options.run);
  }

  FolderReader reader() {
    return reader;
  }

  String name() {
    return name;
  }

  ReportContext context() {
    return new ReportContext(name, run().id(), otherRuns(), skippedLines());
  }

  private ReportContext.SkippedLines skippedLines() {
    Skipped skipped = reader.skipped();
    return new ReportContext.SkippedLines(
        skipped.count(),
        skipped.examples().stream()
            .map(e -> new ReportContext.SkippedLines.Example(e.file(), e.line(), e.reason()))
            .toList());
  }

  private List<String> otherRuns() {
    List<String> others = new ArrayList<>(reader.runs().ids());
    others.remove(run().id());
    return others;
  }

  /** What the user should know beside the answer. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (!reader.unrecognised().isEmpty()) {
      notes.add(
          "not a known trace format: "
              + reader.unrecognised().stream()
                  .limit(5)
                  .map(p -> p.getFileName().toString())
                  .collect(Collectors.joining(", "))
              + (reader.unrecognised().size() > 5 ? ", …" : ""));
    }
    RunData run = run();
    if (run.begun().size() > 1) {
      int times = run.begun().size();
      notes.add(
          "run "
              + run.id()
              + ": begun "
              + (times == 2 ? "twice" : times + " times")
              + " in this folder, at "
              + run.begun().stream()
                  .limit(5)
                  .map(OpenSource::minute)
                  .collect(Collectors.joining(" and at "))
              + (times > 5 ? ", …" : "")
              + " (their sessions are shown together; give each its own rl.run.id)");
    }
    return notes;
  }

  private static String minute(long ns) {
    return MINUTE.format(
        Instant.ofEpochSecond(Math.floorDiv(ns, 1_000_000_000L)).atZone(ZoneId.systemDefault()));
  }

  /** Prints what was skipped; the exit code that follows from it. */
  int finish(boolean quiet) {
    if (!quiet) {
      console.skipped(skippedLines());
      console.otherRuns(otherRuns());
      notes().forEach(console::note);
    }
    long skipped = reader.skipped().count();
    if (!options.strict || skipped == 0) {
      return 0;
    }
    console.error("--strict: " + skipped + " lines or files skipped (expected: none)");
    return 1;
  }
}
