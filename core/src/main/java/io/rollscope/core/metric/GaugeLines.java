package io.rollscope.core.metric;

import io.rollscope.core.metric.MetricPoints.At;
import io.rollscope.core.stats.Percentiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Lines of gauges: the mean of each stretch of time, or what a step ended with. */
final class GaugeLines {
  private final ChartQuestion question;
  private final List<ChartLine> lines = new ArrayList<>();

  /** What the series of a group had at the place that is looked at. */
  private At at;

  private double[] values = new double[16];
  private int count;
  private double min;
  private double max;
  private boolean ended;

  private GaugeLines(ChartQuestion question) {
    this.question = question;
  }

  static <E extends Exception> List<ChartLine> of(
      MetricPoints<E> points,
      ChartQuestion question,
      String name,
      ChartGroups groups,
      ChartGrid grid)
      throws E {
    GaugeLines gauges = new GaugeLines(question);
    groups.groups().forEach(g -> gauges.lines.add(new ChartLine(name, g.labels(), g.like())));
    points.gauges(name, question.window(), groups, grid, gauges::take);
    gauges.draw();
    gauges.lines.forEach(line -> line.fill(grid.reach(name)));
    return gauges.lines;
  }

  private void take(At one, double value, double least, double greatest, boolean over) {
    if (at == null || at.group() != one.group() || at.place() != one.place()) {
      draw();
      at = one;
      count = 0;
      min = Double.POSITIVE_INFINITY;
      max = Double.NEGATIVE_INFINITY;
      ended = true;
    }
    ended &= over;
    if (Double.isNaN(value)) {
      return;
    }
    if (count == values.length) {
      values = Arrays.copyOf(values, 2 * count);
    }
    values[count++] = value;
    min = Math.min(min, least);
    max = Math.max(max, greatest);
  }

  private void draw() {
    if (at == null) {
      return;
    }
    ChartLine line = lines.get(at.group());
    if (count > 0) {
      line.put(at.place(), aggregate(), min, max);
    }
    if (ended) {
      line.end(at.place());
    }
  }

  private double aggregate() {
    return switch (question.aggregation()) {
      case NONE, MEAN, HEATMAP -> Arrays.stream(values, 0, count).sum() / count;
      case SUM -> Arrays.stream(values, 0, count).sum();
      case MIN -> min;
      case MAX -> max;
      case P50, P90, P95, P99 -> {
        double[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        yield Percentiles.ofSorted(sorted, question.aggregation().quantile());
      }
    };
  }
}
