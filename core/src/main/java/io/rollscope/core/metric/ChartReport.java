package io.rollscope.core.metric;

import java.util.List;
import java.util.Map;

/**
 * Lines over common places of an axis. What is not known is NaN.
 *
 * @param axis {@code time} or {@code step}
 * @param x seconds since the epoch at which a point begins, or steps
 * @param bucketS how long a point lasts; null for steps
 * @param heatmap of a histogram, if asked for
 * @param leftOut lines beyond the limit
 */
public record ChartReport(
    String source,
    String run,
    String axis,
    double[] x,
    Double bucketS,
    List<Line> series,
    Heatmap heatmap,
    long leftOut,
    boolean truncated) {

  /**
   * One line.
   *
   * @param min lowest of what a point stands for; likewise max
   */
  public record Line(
      String name,
      Map<String, String> labels,
      String kind,
      String unit,
      double[] y,
      double[] min,
      double[] max) {}

  /**
   * How many observations were in which bucket at which place.
   *
   * @param bounds upper ones; the last may be infinite, which is null in JSON
   * @param counts by place, then by bound
   */
  public record Heatmap(double[] bounds, List<double[]> counts) {}

  /** The same as read from JSON, where infinity is null: only the last bound can be infinite. */
  public ChartReport withInfiniteBound() {
    if (heatmap != null && heatmap.bounds().length > 0) {
      int last = heatmap.bounds().length - 1;
      if (Double.isNaN(heatmap.bounds()[last])) {
        heatmap.bounds()[last] = Double.POSITIVE_INFINITY;
      }
    }
    return this;
  }
}
