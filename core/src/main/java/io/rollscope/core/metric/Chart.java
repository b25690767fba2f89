package io.rollscope.core.metric;

import io.rollscope.core.metric.ChartQuestion.Aggregation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Makes a chart of metrics.
 *
 * @param <E> what goes wrong when points are read
 */
public final class Chart<E extends Exception> {
  /** Points of all lines of counters and histograms, which are held until they are drawn. */
  private static final int MOST_STATES = 400_000;

  /** Those of gauges pass by one after the other. */
  private static final int MOST_GAUGE_STATES = 2_000_000;

  private static final int MOST_HISTOGRAM_STATES = 40_000;

  private final MetricPoints<E> points;
  private final ChartQuestion question;
  private final String source;
  private final String run;
  private final List<ChartLine> lines = new ArrayList<>();
  private HistogramLines histogram;
  private long leftOut;

  private Chart(MetricPoints<E> points, ChartQuestion question, String source, String run) {
    this.points = points;
    this.question = question;
    this.source = source;
    this.run = run;
  }

  /**
   * Lines of metrics.
   *
   * @param points of the run
   * @param known all series of the run, by name
   * @param source what the report says it comes from
   */
  public static <E extends Exception> ChartReport of(
      MetricPoints<E> points,
      Map<String, List<MetricSeries>> known,
      ChartQuestion question,
      String source,
      String run)
      throws E {
    return new Chart<>(points, question, source, run).make(known);
  }

  private ChartReport make(Map<String, List<MetricSeries>> known) throws E {
    Map<String, ChartGroups> chosen = new LinkedHashMap<>();
    Map<String, List<MetricSeries>> listed = MetricNames.byListed(known);
    for (String name : question.names()) {
      List<MetricSeries> series = MetricNames.find(listed, name);
      if (series.isEmpty()) {
        throw new IllegalArgumentException(
            "name: " + name + " (expected: a metric that runs/{run}/metrics lists)");
      }
      ChartGroups groups = ChartGroups.of(series, question);
      leftOut += groups.leftOut();
      if (!groups.groups().isEmpty()) {
        chosen.put(name, groups);
      }
    }
    boolean sum = question.aggregation() == Aggregation.SUM;
    ChartGrid grid = ChartGrid.of(points, question, most(chosen), sum ? 2 : 1);
    for (Map.Entry<String, ChartGroups> one : chosen.entrySet()) {
      draw(one.getKey(), one.getValue(), grid);
    }
    NavigableSet<Long> places = new TreeSet<>();
    lines.forEach(line -> line.places(places));
    double[] x = places.stream().mapToDouble(grid::x).toArray();
    return new ChartReport(
        source,
        run,
        question.bySteps() ? "step" : "time",
        x,
        question.bySteps() ? null : (Double) grid.seconds(),
        lines.stream().map(line -> line.at(places)).toList(),
        histogram == null ? null : ChartHeatmap.of(histogram, places),
        leftOut,
        leftOut > 0);
  }

  /** Fewer places when there are very many series. */
  private int most(Map<String, ChartGroups> chosen) {
    int most = question.points();
    for (ChartGroups groups : chosen.values()) {
      MetricSeries like = groups.groups().get(0).like();
      int states =
          like.isHistogram()
              ? MOST_HISTOGRAM_STATES
              : like.isCounter() ? MOST_STATES : MOST_GAUGE_STATES;
      most = Math.min(most, Math.max(10, states / groups.seriesCount()));
    }
    return most;
  }

  private void draw(String name, ChartGroups groups, ChartGrid grid) throws E {
    MetricSeries like = groups.groups().get(0).like();
    if (like.isHistogram() || like.kind.equals("summary")) {
      HistogramLines drawn = HistogramLines.of(points, question, name, groups, grid);
      lines.addAll(drawn.lines());
      histogram = question.aggregation() == Aggregation.HEATMAP ? drawn : null;
    } else if (question.aggregation() == Aggregation.HEATMAP) {
      throw new IllegalArgumentException(
          "agg: heatmap of " + name + ", a " + like.kind + " (expected: a histogram)");
    } else if (like.isCounter()) {
      lines.addAll(CounterLines.of(points, question, name, groups, grid));
    } else {
      lines.addAll(GaugeLines.of(points, question, name, groups, grid));
    }
  }
}
