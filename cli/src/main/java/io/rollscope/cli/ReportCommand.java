package io.rollscope.cli;

import io.rollscope.cli.problem.WrongUsage;
import io.rollscope.cli.remote.Api;
import io.rollscope.cli.remote.RemoteRun;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.ProgressBar;
import io.rollscope.cli.report.FolderReport;
import io.rollscope.cli.report.ReportData;
import io.rollscope.cli.report.ReportMetrics;
import io.rollscope.cli.report.ReportPage;
import io.rollscope.cli.report.ServerReport;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.Scope;
import io.rollscope.formats.folder.RunData;
import io.rollscope.formats.folder.TraceFile;
import io.rollscope.formats.output.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The page as a file. */
@Command(
    name = "report",
    description = "Writes the page with its data as one HTML file, to mail or to keep.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "The file needs no server and no network: findings, hotspots, timeline,",
      "sessions, steps, every session, and what was open at the end. Of more than",
      "600,000 spans it keeps those of the slowest, failed and open sessions and of a",
      "fair sample of the others, and says so; statistics are always about all. Metrics",
      "become charts of the whole run, with at most 300 points a line.",
      "",
      "Examples:",
      "  rollscope report runs/exp1            (to runs/exp1/producer_trace_hotspots.html)",
      "  rollscope report logs/exp/trial -o trial.html",
      "  rollscope report logs/exp/trial -B 60         steps by AReaL's rule",
      "  rollscope report runs/exp1 --scope all --now 1781000880",
      "  rollscope report http://gpu-login:18080 --run exp1 --batch train_step=12",
    })
final class ReportCommand implements Callable<Integer> {
  private static final String XTUNER_NAME = "producer_trace_hotspots.html";
  private static final String NAME = "rollscope-report.html";

  @Parameters(
      paramLabel = "SRC",
      arity = "0..*",
      description =
          "A folder, a file or a glob of traces, or a server's URL (default: the server that"
              + " runs here).")
  private List<String> sources = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description =
          "The file to write, - for stdout (default: rollscope-report.html; for an XTuner folder"
              + " producer_trace_hotspots.html in it).")
  private String output;

  @Option(
      names = "--scope",
      paramLabel = "SCOPE",
      description =
          "all; latest: the batch with the highest step; active: unfinished sessions and the"
              + " batch with the newest event (default: all; latest for an XTuner folder).")
  private String scope;

  @Option(names = "--batch", paramLabel = "ID", description = "Only events of this batch.")
  private String batch;

  @Option(
      names = {"-B", "--consumer-batch-size"},
      paramLabel = "N",
      description = "Tell steps by AReaL's rule: N tasks are consumed per step.")
  private Integer batchSize;

  @Mixin private NowOption now;
  @Mixin private ReadOptions read;
  @Mixin private TokenOption token;

  @Option(names = "--quiet", description = "No progress, no notes.")
  private boolean quiet;

  @Override
  public Integer call() throws IOException {
    if (batchSize != null && batchSize < 1) {
      throw new WrongUsage("-B", batchSize, "a batch size of at least 1");
    }
    ScopeOptions.of(scope, batch, Scope.ALL);
    long nowNs = now.nanos();
    ReportPage page = ReportPage.load();
    Console console = Console.system(quiet);
    Api server = token.serverOf(sources);
    return server == null ? ofFolder(page, nowNs, console) : ofServer(page, server, console);
  }

  private int ofServer(ReportPage page, Api server, Console console) throws IOException {
    read.refuseForServer();
    Path target = target(Path.of(NAME));
    RemoteRun run = RemoteRun.choose(server, read.run);
    Scope meant = ScopeOptions.of(scope, batch, Scope.ALL);
    SourceCommand.requireBatch(run, meant);
    ServerReport report = new ServerReport(run, meant, now.nanos(), batchSize);
    ReportData data;
    try (ProgressBar bar = console.steps("asking", ServerReport.WORK)) {
      data = report.gather(Nanos.ofClock(), bar::advance);
    }
    write(page, data, target, List.of(), console);
    if (!quiet) {
      console.otherRuns(run.others());
    }
    return 0;
  }

  private int ofFolder(ReportPage page, long nowNs, Console console) throws IOException {
    OpenSource opened = new OpenSource(sources, read, console).withMetrics();
    RunData run = opened.readAll();
    List<TraceFile> files = opened.reader().files();
    boolean xtuner = files.stream().allMatch(f -> f.format().id().equals("xtuner"));
    Scope meant = ScopeOptions.of(scope, batch, xtuner ? Scope.LATEST : Scope.ALL);
    SourceCommand.requireBatch(opened.reports(run), meant);
    Path target = target(xtuner ? folderOf(files).resolve(XTUNER_NAME) : Path.of(NAME));
    FolderReport report =
        new FolderReport(
            run, files, meant, opened.context(), nowNs, batchSize, FolderReport.BUDGET);
    ReportData data;
    try (ProgressBar bar = console.steps("building", report.work())) {
      data = report.gather(Nanos.ofClock(), bar::advance);
    }
    write(page, data, target, files.stream().map(TraceFile::path).toList(), console);
    return opened.finish(quiet);
  }

  /** Where the traces are; where they lie in several folders, the one around these. */
  private static Path folderOf(List<TraceFile> files) {
    Path around = files.get(0).path().toAbsolutePath().normalize().getParent();
    for (TraceFile file : files) {
      while (!file.path().toAbsolutePath().normalize().startsWith(around)) {
        around = around.getParent();
      }
    }
    Path here = Path.of("").toAbsolutePath();
    return around.startsWith(here) ? here.relativize(around) : around;
  }

  /** The file to write; null is stdout. */
  private Path target(Path usual) {
    if ("-".equals(output)) {
      return null;
    }
    try {
      Path target = output == null ? usual : Path.of(output);
      if (Files.isDirectory(target)) {
        throw new WrongUsage("-o", output, "a file, not a folder");
      }
      return target;
    } catch (InvalidPathException e) {
      throw new WrongUsage("-o", output, "the name of a file");
    }
  }

  private void write(
      ReportPage page, ReportData data, Path target, List<Path> inputs, Console console)
      throws IOException {
    try (OutputFile out =
            target == null ? OutputFile.standardOut() : OutputFile.at(target, inputs);
        ProgressBar bar = console.progress("writing", ReportPage.work(data))) {
      page.write(data, out.stream(), bar::advance);
      out.commit();
    }
    if (target != null && !quiet) {
      console.note(
          String.format(
              Locale.ROOT,
              "%,d sessions and %,d spans in %s (%s)",
              data.sessions().total(),
              data.hotspots().spanCount(),
              target,
              size(Files.size(target))));
      tellSample(data, console);
      ReportMetrics metrics = data.metrics();
      if (metrics != null && metrics.list().leftOut() > 0) {
        console.note(
            String.format(
                Locale.ROOT,
                "charts of %,d metrics are in it; %,d more are left out",
                metrics.list().metrics().size(),
                metrics.list().leftOut()));
      }
    }
  }

  private static void tellSample(ReportData data, Console console) {
    ReportData.Sampled sampled = data.sampled();
    if (sampled != null) {
      console.note(
          String.format(
              Locale.ROOT,
              "spans of %,d sessions are in it (%,d of %,d spans): the slowest, failed and open"
                  + " ones and a fair sample of the others; statistics are about all",
              sampled.sessionsKept(),
              sampled.spansKept(),
              sampled.spansTotal()));
    }
  }

  private static String size(long bytes) {
    return bytes < 1_000_000
        ? String.format(Locale.ROOT, "%d kB", Math.max(1, bytes / 1_000))
        : String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
  }
}
