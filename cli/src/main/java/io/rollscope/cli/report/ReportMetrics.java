package io.rollscope.cli.report;

import io.rollscope.core.metric.AnnotationsReport;
import io.rollscope.core.metric.ChartQuestion;
import io.rollscope.core.metric.ChartQuestion.Aggregation;
import io.rollscope.core.metric.ChartReport;
import io.rollscope.core.metric.MetricsReport;
import io.rollscope.core.metric.MetricsReport.Metric;
import io.rollscope.core.report.RunReports;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The metrics of a run, and the answers to the questions that charts ask when they are opened. They
 * are as coarse as a picture of the whole run; a server gives finer ones of a window.
 *
 * @param list those that are here
 * @param points most places of a line
 * @param answers to one question about one metric each
 */
public record ReportMetrics(
    MetricsReport list, int points, List<Answer> answers, AnnotationsReport annotations) {
  private static final int POINTS = 300;
  private static final int HEAT_COLUMNS = 100;
  private static final int MOST_METRICS = 300;

  /** The page draws no more of a chart. */
  private static final int MOST_LINES = 24;

  /** About 15 MB of JSON, a third of that in the file. */
  private static final long MOST_CELLS = 1_500_000;

  private static final List<Aggregation> BANDS =
      List.of(Aggregation.P50, Aggregation.P90, Aggregation.P99);

  /**
   * An answer; the first four say what was asked, in the words of the API.
   *
   * @param data what {@code metrics/data} answers
   */
  public record Answer(String name, String axis, String agg, String as, ChartReport data) {}

  /** Of a run; null if it has none. */
  static ReportMetrics of(RunReports run) throws IOException {
    MetricsReport all = run.metrics();
    if (all.metrics().isEmpty()) {
      return null;
    }
    return new Gathering(run, all).gather();
  }

  private static final class Gathering {
    private final RunReports run;
    private final MetricsReport all;
    private final List<Answer> answers = new ArrayList<>();
    private final long fromNs;
    private final long toNs;
    private long cells;

    Gathering(RunReports run, MetricsReport all) {
      this.run = run;
      this.all = all;
      // Doubles are good to a quarter of a microsecond.
      double first = all.metrics().stream().mapToDouble(Metric::firstS).min().orElse(0);
      double last = all.metrics().stream().mapToDouble(Metric::lastS).max().orElse(0);
      this.fromNs = Math.round(first * 1e6) * 1_000 - 1_000;
      this.toNs = Math.round(last * 1e6) * 1_000 + 2_000;
    }

    ReportMetrics gather() throws IOException {
      List<Metric> kept = new ArrayList<>();
      for (Metric metric : all.metrics()) {
        if (kept.size() == MOST_METRICS || cells > MOST_CELLS) {
          break;
        }
        kept.add(metric);
        if (metric.hasBuckets()) {
          for (Aggregation percentile : BANDS) {
            add(metric, percentile, POINTS, null);
          }
          add(metric, Aggregation.HEATMAP, HEAT_COLUMNS, null);
        } else {
          add(metric, metric.addsUp() ? Aggregation.SUM : Aggregation.MEAN, POINTS, null);
        }
      }
      align(kept);
      for (Metric metric : kept) {
        if (metric.series() > 1 && !metric.hasBuckets() && cells <= MOST_CELLS) {
          add(metric, Aggregation.NONE, POINTS, null);
        }
      }
      MetricsReport list =
          new MetricsReport(
              all.source(),
              all.run(),
              kept,
              all.leftOut() + all.metrics().size() - kept.size(),
              all.problems());
      return new ReportMetrics(list, POINTS, answers, run.annotations(null, null));
    }

    /** Charts show several metrics at once: on the clock all have the places of the finest. */
    private void align(List<Metric> kept) throws IOException {
      List<Answer> lines =
          answers.stream().filter(a -> a.axis().equals("time") && isLine(a.agg())).toList();
      double finest = lines.stream().mapToDouble(a -> a.data().bucketS()).min().orElse(0);
      for (Answer answer : lines) {
        if (answer.data().bucketS() > finest) {
          answers.remove(answer);
          Metric metric =
              kept.stream().filter(m -> m.name().equals(answer.name())).findFirst().orElseThrow();
          Aggregation how = Aggregation.named(answer.agg());
          add(metric, how, false, POINTS, Math.round(finest * 1e9));
        }
      }
    }

    private static boolean isLine(String agg) {
      return agg.equals(Aggregation.SUM.word()) || agg.equals(Aggregation.MEAN.word());
    }

    private void add(Metric metric, Aggregation how, int points, Long widthNs) throws IOException {
      add(metric, how, false, points, widthNs);
      if (metric.hasStep()) {
        add(metric, how, true, points, null);
      }
    }

    private void add(Metric metric, Aggregation how, boolean steps, int points, Long widthNs)
        throws IOException {
      boolean rate = metric.addsUp();
      ChartQuestion question =
          new ChartQuestion(
              List.of(metric.name()),
              steps,
              steps ? null : (Long) fromNs,
              steps ? null : (Long) toNs,
              null,
              null,
              how,
              List.of(),
              Map.of(),
              points,
              widthNs,
              rate);
      ChartReport data = slim(run.chart(question), how);
      cells += (long) data.x().length * (1 + 3L * data.series().size());
      answers.add(
          new Answer(metric.name(), data.axis(), how.word(), rate ? "rate" : "value", data));
    }

    /** Without what the page does not draw: more lines, and bands of several lines or sums. */
    private static ChartReport slim(ChartReport data, Aggregation how) {
      boolean heat = how == Aggregation.HEATMAP;
      boolean bare = data.series().size() > 1 || how == Aggregation.SUM;
      List<ChartReport.Line> lines =
          data.series().stream()
              .limit(heat ? 0 : MOST_LINES)
              .map(
                  line ->
                      new ChartReport.Line(
                          line.name(),
                          line.labels(),
                          line.kind(),
                          line.unit(),
                          line.y(),
                          bare ? null : line.min(),
                          bare ? null : line.max()))
              .toList();
      long leftOut = heat ? 0 : data.leftOut() + data.series().size() - lines.size();
      return new ChartReport(
          data.source(),
          data.run(),
          data.axis(),
          data.x(),
          data.bucketS(),
          lines,
          data.heatmap(),
          leftOut,
          leftOut > 0);
    }
  }
}
