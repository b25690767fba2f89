package io.rollscope.core.metric;

import java.util.List;
import java.util.Map;

/**
 * What a chart of metrics is to show.
 *
 * @param fromNs null for the beginning; likewise the others, and {@code toStep} is in it
 * @param aggregation what becomes of several series
 * @param by labels that are kept apart
 * @param where labels and the values they must have
 * @param points most points per line
 * @param widthNs how long each stretch of time is, or null for what suits the points: charts of one
 *     width can be put side by side
 * @param rate whether counters are shown per second, not per point
 */
public record ChartQuestion(
    List<String> names,
    boolean bySteps,
    Long fromNs,
    Long toNs,
    Long fromStep,
    Long toStep,
    Aggregation aggregation,
    List<String> by,
    Map<String, List<String>> where,
    int points,
    Long widthNs,
    boolean rate) {
  public static final int MAX_POINTS = 2_000;
  public static final int DEFAULT_POINTS = 500;
  public static final int MAX_NAMES = 20;

  /** All of some metrics, over time or by step. */
  public static ChartQuestion of(
      List<String> names, boolean bySteps, Aggregation aggregation, boolean rate) {
    return new ChartQuestion(
        names,
        bySteps,
        null,
        null,
        null,
        null,
        aggregation,
        List.of(),
        Map.of(),
        DEFAULT_POINTS,
        null,
        rate);
  }

  /** With only these series. */
  public ChartQuestion where(Map<String, List<String>> labels) {
    return new ChartQuestion(
        names,
        bySteps,
        fromNs,
        toNs,
        fromStep,
        toStep,
        aggregation,
        by,
        labels,
        points,
        widthNs,
        rate);
  }

  /** With so many points at most, and each stretch of time so long; null for what suits. */
  public ChartQuestion points(int most, Long eachNs) {
    return new ChartQuestion(
        names, bySteps, fromNs, toNs, fromStep, toStep, aggregation, by, where, most, eachNs, rate);
  }

  /** What of a metric is asked for. */
  PointWindow window() {
    return new PointWindow(
        fromNs, toNs, bySteps, fromStep, toStep == null ? null : (Long) (toStep + 1));
  }

  /** What becomes of several series, and of a histogram. */
  public enum Aggregation {
    NONE("none", -1),
    MEAN("mean", -1),
    MIN("min", -1),
    MAX("max", -1),
    SUM("sum", -1),
    P50("p50", 0.5),
    P90("p90", 0.9),
    P95("p95", 0.95),
    P99("p99", 0.99),
    HEATMAP("heatmap", -1);

    private final String word;
    private final double quantile;

    Aggregation(String word, double quantile) {
      this.word = word;
      this.quantile = quantile;
    }

    public String word() {
      return word;
    }

    /** Negative if it is none. */
    double quantile() {
      return quantile;
    }

    public static Aggregation named(String word) {
      for (Aggregation one : values()) {
        if (one.word.equals(word)) {
          return one;
        }
      }
      throw new IllegalArgumentException(
          "agg: " + word + " (expected: none, mean, min, max, sum, p50, p90, p95, p99 or heatmap)");
    }
  }
}
