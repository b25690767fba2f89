package io.rollscope.core.metric;

import io.rollscope.core.metric.MetricPoints.At;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Lines of histograms: what was observed in each place, of all series of a group together. */
final class HistogramLines {
  private final ChartQuestion question;
  private final ChartGrid grid;
  private final List<ChartLine> lines = new ArrayList<>();
  private final List<Map<Long, Observations>> observed = new ArrayList<>();
  private final Map<Long, HistogramState> before = new HashMap<>();
  private final Map<Long, Long> beforeNs = new HashMap<>();

  private HistogramLines(ChartQuestion question, ChartGrid grid) {
    this.question = question;
    this.grid = grid;
  }

  static <E extends Exception> HistogramLines of(
      MetricPoints<E> points,
      ChartQuestion question,
      String name,
      ChartGroups groups,
      ChartGrid grid)
      throws E {
    HistogramLines histograms = new HistogramLines(question, grid);
    for (ChartGroups.Group group : groups.groups()) {
      histograms.lines.add(new ChartLine(name, group.labels(), group.like()));
      histograms.observed.add(new TreeMap<>());
    }
    PointWindow lead = grid.withLead(points, question, name);
    points.histograms(name, lead, groups, grid, histograms::take);
    points.increments(name, question.window(), groups, grid, histograms::at);
    histograms.draw();
    return histograms;
  }

  List<ChartLine> lines() {
    return lines;
  }

  private void take(At at, long startNs, long timeNs, HistogramState now) {
    HistogramState last = before.put(at.series(), now);
    Long lastNs = beforeNs.put(at.series(), timeNs);
    boolean young = startNs > 0 && startNs < timeNs && (grid.bySteps() || startNs >= grid.from());
    if (last == null) {
      if (young) {
        add(at, now);
      }
      return;
    }
    HistogramState grown = startNs > lastNs ? null : now.since(last);
    add(at, grown == null ? now : grown);
  }

  private Observations at(int group, long place) {
    return observed.get(group).computeIfAbsent(place, p -> new Observations());
  }

  private void add(At at, HistogramState grown) {
    if (at.place() >= 0) {
      grown.addTo(at(at.group(), at.place()));
    }
  }

  private void draw() {
    for (int g = 0; g < lines.size(); g++) {
      ChartLine line = lines.get(g);
      observed
          .get(g)
          .forEach((place, all) -> line.put(place, value(all), all.lowest(), all.highest()));
    }
  }

  private double value(Observations all) {
    if (question.rate()) {
      return grid.bySteps() ? all.count() : all.count() / grid.seconds();
    }
    return switch (question.aggregation()) {
      case NONE, MEAN -> all.mean();
      case HEATMAP -> all.count();
      case SUM -> all.sum();
      case MIN -> all.lowest();
      case MAX -> all.highest();
      case P50, P90, P95, P99 -> all.quantile(question.aggregation().quantile());
    };
  }

  /** What was observed at a place, in all groups. */
  Observations all(long place) {
    Observations all = new Observations();
    observed.forEach(
        byPlace -> {
          if (byPlace.containsKey(place)) {
            all.add(byPlace.get(place));
          }
        });
    return all;
  }
}
