package io.rollscope.core.metric;

import io.rollscope.core.metric.MetricPoints.Extent;
import java.util.HashMap;
import java.util.Map;

/**
 * The places of a chart's axis: stretches of time, or of steps, of the same width.
 *
 * @param from where the first one begins, in nanoseconds or steps; a multiple of the width, so that
 *     a chart does not tremble when it is moved
 * @param to where the last one ends
 * @param intervalsNs how far apart points of a series usually are, by metric
 */
public record ChartGrid(
    boolean bySteps, long from, long to, long width, Map<String, Long> intervalsNs) {
  private static final long LEAD_NS = 300_000_000_000L;
  private static final long LEAST_NS = 1_000_000;

  /**
   * @param most places
   * @param coarser how many usual intervals a place must hold at least
   */
  static <E extends Exception> ChartGrid of(
      MetricPoints<E> points, ChartQuestion question, int most, double coarser) throws E {
    Map<String, Extent> extents = new HashMap<>();
    for (String name : question.names()) {
      Extent extent = points.extent(name, question.window());
      if (extent != null) {
        extents.put(name, extent);
      }
    }
    return question.bySteps()
        ? steps(extents, question, most)
        : time(points, extents, question, most, coarser);
  }

  private static <E extends Exception> ChartGrid time(
      MetricPoints<E> points,
      Map<String, Extent> extents,
      ChartQuestion question,
      int most,
      double coarser)
      throws E {
    Map<String, Long> intervals = new HashMap<>();
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (Map.Entry<String, Extent> one : extents.entrySet()) {
      Extent extent = one.getValue();
      // Two series tell for all.
      intervals.put(
          one.getKey(),
          points.usualDistanceNs(
              one.getKey(), question.window(), extent.firstSeries(), extent.lastSeries()));
      first = Math.min(first, extent.firstNs());
      last = Math.max(last, extent.lastNs() + 1);
    }
    boolean nothing = extents.isEmpty();
    long from = question.fromNs() != null ? question.fromNs() : nothing ? 0 : first;
    long to = question.toNs() != null ? question.toNs() : nothing ? 1 : last;
    long extent = Math.max(1, to - from);
    long interval = intervals.values().stream().mapToLong(Long::longValue).min().orElse(0);
    long wanted = question.widthNs() == null ? Math.round(interval * coarser) : question.widthNs();
    int places = question.widthNs() == null ? most : ChartQuestion.MAX_POINTS;
    long width = Math.max((extent + places - 1) / places, wanted);
    width = Math.max(LEAST_NS, width);
    long begin = Math.floorDiv(from, width) * width;
    return new ChartGrid(false, begin, Math.max(to, begin + 1), width, intervals);
  }

  private static ChartGrid steps(Map<String, Extent> extents, ChartQuestion question, int most) {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (Extent extent : extents.values()) {
      if (extent.firstStep() != null) {
        first = Math.min(first, extent.firstStep());
        last = Math.max(last, extent.lastStep());
      }
    }
    boolean nothing = first > last;
    long from = question.fromStep() != null ? question.fromStep() : nothing ? 0 : first;
    long to = question.toStep() != null ? question.toStep() + 1 : nothing ? 1 : last + 1;
    long width = Math.max(1, (Math.max(1, to - from) + most - 1) / most);
    return new ChartGrid(true, Math.floorDiv(from, width) * width, to, width, Map.of());
  }

  /** What is asked for, and before it what tells where series stood when the chart begins. */
  <E extends Exception> PointWindow withLead(
      MetricPoints<E> points, ChartQuestion question, String name) throws E {
    if (!bySteps) {
      long lead = Math.max(LEAD_NS, 3 * intervalsNs.getOrDefault(name, 0L));
      return new PointWindow(from - lead, to, false, null, null);
    }
    Long before = points.lastStepBefore(name, from);
    return new PointWindow(
        question.fromNs(), question.toNs(), true, before == null ? from : before, to);
  }

  /** Which place a time or step is at; before the first one, a negative one. */
  long place(long at) {
    return at < from ? -1 : (at - from) / width;
  }

  /** The value of the axis at a place. */
  double x(long place) {
    long at = from + place * width;
    return bySteps ? at : at / 1e9;
  }

  double seconds() {
    return width / 1e9;
  }

  /** How many places further the next point may be for a line of this metric to go there. */
  long reach(String name) {
    return Math.round(2.5 * intervalsNs.getOrDefault(name, 0L) / width);
  }
}
