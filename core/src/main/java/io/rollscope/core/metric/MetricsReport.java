package io.rollscope.core.metric;

import java.util.List;
import java.util.Map;

/**
 * The metrics of a run.
 *
 * @param leftOut metrics beyond the limit
 * @param problems what could not be kept as it was sent
 */
public record MetricsReport(
    String source, String run, List<Metric> metrics, long leftOut, List<Problem> problems) {

  /**
   * One metric.
   *
   * @param monotonic whether it only grows: a counter
   * @param labels by name, the first values of each; also what tells processes apart
   * @param points of all its series
   * @param firstValue the earliest value, or null if it has no single ones; likewise the others
   * @param lastStep the step of the newest point that belongs to one
   * @param stepSource how the step of its newest point is known
   */
  public record Metric(
      String name,
      String kind,
      String unit,
      boolean monotonic,
      String temporality,
      long series,
      long points,
      Map<String, List<String>> labels,
      double firstS,
      double lastS,
      Double firstValue,
      Double minValue,
      Double maxValue,
      Double lastValue,
      Long lastStep,
      boolean hasStep,
      String stepSource) {

    /** Whether it is shown by what was added. */
    public boolean addsUp() {
      return !hasBuckets() && (monotonic || "delta".equals(temporality));
    }

    public boolean hasBuckets() {
      return kind.endsWith("histogram");
    }
  }

  /** Something that is wrong with points of a metric, how often, and an example. */
  public record Problem(String metric, String problem, String detail, long count) {}

  /** The same with these problems. */
  public MetricsReport with(List<Problem> found) {
    return new MetricsReport(source, run, metrics, leftOut, found);
  }
}
