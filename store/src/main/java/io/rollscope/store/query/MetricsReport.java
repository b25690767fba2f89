package io.rollscope.store.query;

import java.util.List;
import java.util.Map;

/** The metrics of a run. */
public record MetricsReport(String source, String run, List<Metric> metrics, long leftOut) {

  /**
   * One metric.
   *
   * @param monotonic whether it only grows: a counter
   * @param labels by name, the first values of each; also what tells processes apart
   * @param stepSource how the step of its newest point is known
   */
  public record Metric(
      String name,
      String kind,
      String unit,
      boolean monotonic,
      String temporality,
      long series,
      Map<String, List<String>> labels,
      double firstS,
      double lastS,
      Double lastValue,
      boolean hasStep,
      String stepSource) {}
}
