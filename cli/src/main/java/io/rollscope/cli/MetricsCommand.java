package io.rollscope.cli;

import io.rollscope.cli.OutputOptions.Format;
import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.problem.WrongUsage;
import io.rollscope.cli.remote.Api;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.CsvReport;
import io.rollscope.cli.render.JsonReport;
import io.rollscope.cli.render.MetricsTable;
import io.rollscope.cli.render.NearestNames;
import io.rollscope.core.metric.ChartQuestion;
import io.rollscope.core.metric.ChartQuestion.Aggregation;
import io.rollscope.core.metric.ChartReport;
import io.rollscope.core.metric.MetricsReport;
import io.rollscope.core.metric.MetricsReport.Metric;
import io.rollscope.core.report.RunReports;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What does a run measure, and what came of it? */
@Command(
    name = "metrics",
    description = "What a run measures: its metrics, or the values of some by step or time.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Without a name it lists the metrics. With names it prints a line per step or",
      "stretch of time and a column per series: of gauges the last value of the step or",
      "the mean of the time, of counters what was added, of histograms the mean.",
      "",
      "Examples:",
      "  rollscope metrics runs/exp1",
      "  rollscope metrics runs/exp1 reward kl          by step, where steps are known",
      "  rollscope metrics runs/exp1 queue --by time --labels worker_role=rollout",
      "  rollscope metrics runs/exp1 latency --agg p95",
      "  rollscope metrics http://gpu-login:18080 --run exp1 reward --format csv",
      "  rollscope metrics http://gpu-login:18080 --format json | jq '.metrics[].name'",
    })
final class MetricsCommand implements Callable<Integer> {
  private static final int SPARK_POINTS = 16;
  private static final int MOST_SPARKS = 200;
  private static final int NEAREST = 3;

  enum By {
    STEP,
    TIME
  }

  @Parameters(
      index = "0",
      paramLabel = "SRC",
      arity = "0..1",
      description =
          "A folder, a file or a quoted glob of traces, or a server's URL (default: the server"
              + " that runs here).")
  private String src;

  @Parameters(
      index = "1..*",
      paramLabel = "NAME",
      description = "Metrics whose values are shown; without any all are listed.")
  private List<String> names = List.of();

  @Option(
      names = "--by",
      paramLabel = "AXIS",
      description = "step or time (default: step where the steps are known).")
  private By by;

  @Option(
      names = "--labels",
      paramLabel = "KEY=VALUE",
      description =
          "Only series with this label; several values of one label are alternatives. A worker's"
              + " service, instance, host, worker_role and worker_rank can be named like labels.")
  private List<String> labels = List.of();

  @Option(
      names = "--agg",
      paramLabel = "HOW",
      description =
          "All series in one line: mean, min, max, sum, p50, p90, p95 or p99; of histograms those"
              + " of what they observed (default: none, a line per series).")
  private String aggregation = Aggregation.NONE.word();

  @Option(
      names = "--points",
      paramLabel = "N",
      description = "Lines at most, from 2 to 2,000 (default: 500); steps are put together.")
  private int points = ChartQuestion.DEFAULT_POINTS;

  @Mixin private ReadOptions read;
  @Mixin private OutputOptions output;
  @Mixin private TokenOption token;

  @Override
  public Integer call() throws IOException {
    Aggregation how = how();
    Map<String, List<String>> where = where();
    if (points < 2 || points > ChartQuestion.MAX_POINTS) {
      throw new WrongUsage("--points", points, "2 to " + ChartQuestion.MAX_POINTS);
    }
    Console console = Console.system(output.quiet);
    List<String> wanted = List.copyOf(new LinkedHashSet<>(names));
    if (wanted.size() > ChartQuestion.MAX_NAMES) {
      throw new WrongUsage(
          "NAME", wanted.size() + " of them", "at most " + ChartQuestion.MAX_NAMES);
    }
    if (wanted.isEmpty() && (by != null || !labels.isEmpty() || how != Aggregation.NONE)) {
      throw new WrongUsage("NAME", "none", "a metric's; --by, --labels and --agg are about values");
    }
    RunSource source = source(console);
    RunReports run = source.reports();
    MetricsReport known = run.metrics();
    if (wanted.isEmpty()) {
      list(known, run, console);
    } else {
      values(wanted, known, run, where, how, console);
    }
    return source.finish(null, output.quiet);
  }

  private RunSource source(Console console) throws IOException {
    List<String> sources = src == null ? List.of() : List.of(src);
    Api server = token.serverOf(sources);
    return server == null
        ? new OpenSource(sources, read, console).withMetrics()
        : new ServerSource(server, read, console);
  }

  private Aggregation how() {
    try {
      Aggregation how = Aggregation.named(aggregation);
      if (how != Aggregation.HEATMAP) {
        return how;
      }
    } catch (IllegalArgumentException e) {
      // Said below, in the words of this command.
    }
    throw new WrongUsage("--agg", aggregation, "none, mean, min, max, sum, p50, p90, p95 or p99");
  }

  private Map<String, List<String>> where() {
    Map<String, List<String>> where = new LinkedHashMap<>();
    for (String label : labels) {
      int at = label.indexOf('=');
      if (at <= 0) {
        throw new WrongUsage("--labels", label, "KEY=VALUE");
      }
      where
          .computeIfAbsent(label.substring(0, at), key -> new ArrayList<>())
          .add(label.substring(at + 1));
    }
    return where;
  }

  // ---- the list --------------------------------------------------------------------------------

  private void list(MetricsReport known, RunReports run, Console console) throws IOException {
    Map<String, double[]> lines =
        output.format == Format.TABLE ? lines(known, run, console) : Map.of();
    output.print(
        known, Metric.class, known.metrics(), console, MetricsTable.list(known, lines, console));
    if (!output.quiet) {
      MetricsTable.notes(known).forEach(console::note);
    }
  }

  /** The course of each metric, where a terminal can show it. */
  private static Map<String, double[]> lines(MetricsReport known, RunReports run, Console console)
      throws IOException {
    Map<String, double[]> lines = new LinkedHashMap<>();
    if (!console.drawsBlocks()) {
      return lines;
    }
    List<Metric> some = known.metrics().stream().limit(MOST_SPARKS).toList();
    for (boolean counters : new boolean[] {true, false}) {
      List<String> names =
          some.stream().filter(m -> m.addsUp() == counters).map(Metric::name).toList();
      for (int from = 0; from < names.size(); from += ChartQuestion.MAX_NAMES) {
        List<String> part =
            names.subList(from, Math.min(names.size(), from + ChartQuestion.MAX_NAMES));
        ChartQuestion question =
            ChartQuestion.of(part, false, counters ? Aggregation.SUM : Aggregation.MEAN, counters)
                .points(SPARK_POINTS, null);
        run.chart(question).series().forEach(line -> lines.put(line.name(), line.y()));
      }
    }
    return lines;
  }

  // ---- values ----------------------------------------------------------------------------------

  private void values(
      List<String> names,
      MetricsReport known,
      RunReports run,
      Map<String, List<String>> where,
      Aggregation how,
      Console console)
      throws IOException {
    Map<String, Metric> byName =
        known.metrics().stream().collect(Collectors.toMap(Metric::name, m -> m));
    for (String name : names) {
      if (!byName.containsKey(name)) {
        throw Failure.of("metric", name, expected(name, known));
      }
    }
    boolean steps =
        by == By.STEP || (by == null && names.stream().allMatch(n -> byName.get(n).hasStep()));
    ChartReport chart =
        run.chart(ChartQuestion.of(names, steps, how, false).where(where).points(points, null));
    switch (output.format) {
      case JSON -> JsonReport.write(chart, console.out());
      case CSV ->
          CsvReport.write(MetricsTable.Value.class, MetricsTable.rows(chart), console.out());
      case TABLE -> MetricsTable.values(chart, byName, console).forEach(console.out()::println);
    }
    console.out().flush();
    if (!output.quiet) {
      boolean stepless = steps && names.stream().noneMatch(n -> byName.get(n).hasStep());
      MetricsTable.notes(chart, stepless, where).forEach(console::note);
    }
  }

  private static String expected(String name, MetricsReport known) {
    if (known.metrics().isEmpty()) {
      return "a run with metrics; " + known.run() + " has none";
    }
    List<String> nearest =
        NearestNames.of(name, known.metrics().stream().map(Metric::name).toList(), NEAREST);
    return nearest.isEmpty()
        ? "one that is listed without a name"
        : String.join(" or ", nearest) + "; all are listed without a name";
  }
}
