package io.rollscope.store.query;

import io.rollscope.store.query.ChartQuestion.Aggregation;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Makes a chart of metrics. */
final class Chart {
  /** Points of all lines of counters and histograms, which are put together here. */
  private static final int MOST_STATES = 400_000;

  private static final int MOST_HISTOGRAM_STATES = 40_000;

  private final Query query;
  private final ChartQuestion question;
  private final String source;
  private final List<ChartLine> lines = new ArrayList<>();
  private HistogramLines histogram;
  private long leftOut;

  private Chart(Query query, ChartQuestion question, String source) {
    this.query = query;
    this.question = question;
    this.source = source;
  }

  static ChartReport of(Query query, SeriesIndex index, ChartQuestion question, String source)
      throws SQLException {
    return new Chart(query, question, source).make(index.of(query, question.run()));
  }

  private ChartReport make(Map<String, List<SeriesInfo>> known) throws SQLException {
    Map<String, ChartGroups> chosen = new LinkedHashMap<>();
    for (String name : question.names()) {
      if (!known.containsKey(name)) {
        throw new IllegalArgumentException(
            "name: " + name + " (expected: a metric that runs/{run}/metrics lists)");
      }
      ChartGroups groups = ChartGroups.of(known.get(name), question);
      leftOut += groups.leftOut();
      if (!groups.groups().isEmpty()) {
        chosen.put(name, groups);
      }
    }
    boolean sum = question.aggregation() == Aggregation.SUM;
    ChartGrid grid = ChartGrid.of(query, question, most(chosen), sum ? 2 : 1);
    for (Map.Entry<String, ChartGroups> one : chosen.entrySet()) {
      draw(one.getKey(), one.getValue(), grid);
    }
    NavigableSet<Long> places = new TreeSet<>();
    lines.forEach(line -> line.places(places));
    double[] x = places.stream().mapToDouble(grid::x).toArray();
    return new ChartReport(
        source,
        question.run(),
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
      SeriesInfo like = groups.groups().get(0).like();
      int states = like.isHistogram() ? MOST_HISTOGRAM_STATES : MOST_STATES;
      if (like.isHistogram() || like.isCounter()) {
        most = Math.min(most, Math.max(10, states / groups.seriesCount()));
      }
    }
    return most;
  }

  private void draw(String name, ChartGroups groups, ChartGrid grid) throws SQLException {
    groups.write(query);
    SeriesInfo like = groups.groups().get(0).like();
    if (like.isHistogram() || like.kind.equals("summary")) {
      HistogramLines drawn = HistogramLines.of(query, question, name, groups, grid);
      lines.addAll(drawn.lines());
      histogram = question.aggregation() == Aggregation.HEATMAP ? drawn : null;
    } else if (question.aggregation() == Aggregation.HEATMAP) {
      throw new IllegalArgumentException(
          "agg: heatmap of " + name + ", a " + like.kind + " (expected: a histogram)");
    } else if (like.isCounter()) {
      lines.addAll(CounterLines.of(query, question, name, groups, grid));
    } else {
      lines.addAll(GaugeLines.of(query, question, name, groups, grid));
    }
  }
}
