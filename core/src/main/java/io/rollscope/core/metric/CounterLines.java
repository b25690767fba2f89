package io.rollscope.core.metric;

import io.rollscope.core.metric.MetricPoints.At;
import io.rollscope.core.stats.Percentiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Lines of counters: how much each grew in each place. A process that starts again, which its start
 * time or a smaller value tells, grows from zero.
 */
final class CounterLines implements MetricPoints.CounterTaker {
  private final ChartQuestion question;
  private final ChartGrid grid;
  private final List<ChartLine> lines = new ArrayList<>();

  /** By group, then place, then series. */
  private final List<Map<Long, Map<Long, Growth>>> growth = new ArrayList<>();

  /**
   * What a series grew by, and in how many seconds. A rate is told by these and not by the width of
   * a place: points are not as regular as places, and the last place is not over yet.
   */
  private record Growth(double grown, double seconds) {
    Growth plus(Growth more) {
      return new Growth(grown + more.grown, seconds + more.seconds);
    }

    double perSecond() {
      return seconds > 0 ? grown / seconds : 0;
    }
  }

  /** Where a series stood at the end of the place before. */
  private At before;

  private long beforeStartNs;
  private long beforeNs;
  private double beforeValue;

  private CounterLines(ChartQuestion question, ChartGrid grid) {
    this.question = question;
    this.grid = grid;
  }

  static <E extends Exception> List<ChartLine> of(
      MetricPoints<E> points,
      ChartQuestion question,
      String name,
      ChartGroups groups,
      ChartGrid grid)
      throws E {
    CounterLines counters = new CounterLines(question, grid);
    for (ChartGroups.Group group : groups.groups()) {
      counters.lines.add(new ChartLine(name, group.labels(), group.like()));
      counters.growth.add(new TreeMap<>());
    }
    points.counters(name, grid.withLead(points, question, name), groups, grid, counters);
    counters.draw();
    return counters.lines;
  }

  @Override
  public void grew(At at, double increments) {
    add(at, at.place(), new Growth(increments, grid.seconds()));
  }

  @Override
  public void stood(At at, long startNs, long timeNs, double last, double most) {
    if (before == null || before.series() != at.series()) {
      boolean young = startNs > 0 && startNs < timeNs && isInside(startNs);
      if (young) {
        add(at, at.place(), new Growth(last, (timeNs - startNs) / 1e9));
      }
    } else {
      double grown;
      if (startNs > beforeNs && beforeStartNs > 0) {
        grown = last;
      } else if (last >= beforeValue && most <= last) {
        grown = last - beforeValue;
      } else {
        grown = Math.max(0, most - beforeValue) + last;
      }
      add(at, before.place() + 1, new Growth(grown, (timeNs - beforeNs) / 1e9));
    }
    before = at;
    beforeStartNs = startNs;
    beforeNs = timeNs;
    beforeValue = last;
  }

  private boolean isInside(long ns) {
    return grid.bySteps() || ns >= grid.from();
  }

  /** What grew since the place before is spread over all places since. */
  private void add(At at, long from, Growth all) {
    long to = at.place();
    long first = grid.bySteps() ? to : Math.min(from, to);
    long places = to - first + 1;
    Growth share = new Growth(all.grown() / places, all.seconds() / places);
    for (long place = Math.max(0, first); place <= to; place++) {
      growth
          .get(at.group())
          .computeIfAbsent(place, p -> new HashMap<>())
          .merge(at.series(), share, Growth::plus);
    }
  }

  private void draw() {
    boolean rate = question.rate() && !grid.bySteps();
    for (int g = 0; g < lines.size(); g++) {
      ChartLine line = lines.get(g);
      growth
          .get(g)
          .forEach(
              (place, values) -> {
                double[] sorted =
                    values.values().stream()
                        .mapToDouble(v -> rate ? v.perSecond() : v.grown())
                        .sorted()
                        .toArray();
                line.put(place, aggregate(sorted), sorted[0], sorted[sorted.length - 1]);
              });
    }
  }

  private double aggregate(double[] sorted) {
    return switch (question.aggregation()) {
      case NONE, SUM, HEATMAP -> Arrays.stream(sorted).sum();
      case MEAN -> Arrays.stream(sorted).average().orElse(Double.NaN);
      case MIN -> sorted[0];
      case MAX -> sorted[sorted.length - 1];
      case P50, P90, P95, P99 -> Percentiles.ofSorted(sorted, question.aggregation().quantile());
    };
  }
}
