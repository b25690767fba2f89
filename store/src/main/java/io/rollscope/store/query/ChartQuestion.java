package io.rollscope.store.query;

import java.util.List;
import java.util.Map;

/**
 * What a chart of metrics is to show.
 *
 * @param fromNs null for the beginning; likewise the others
 * @param aggregation what becomes of several series
 * @param by labels that are kept apart
 * @param where labels and the values they must have
 * @param points most points per line
 * @param rate whether counters are shown per second, not per point
 */
public record ChartQuestion(
    String run,
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
    boolean rate) {
  public static final int MAX_POINTS = 2_000;
  public static final int DEFAULT_POINTS = 500;
  public static final int MAX_NAMES = 20;

  /** What becomes of several series, and of a histogram. */
  public enum Aggregation {
    NONE("none", "avg(v)", -1),
    MEAN("mean", "avg(v)", -1),
    MIN("min", "min(lo)", -1),
    MAX("max", "max(hi)", -1),
    SUM("sum", "sum(v)", -1),
    P50("p50", "quantile_cont(v, 0.5)", 0.5),
    P90("p90", "quantile_cont(v, 0.9)", 0.9),
    P95("p95", "quantile_cont(v, 0.95)", 0.95),
    P99("p99", "quantile_cont(v, 0.99)", 0.99),
    HEATMAP("heatmap", "avg(v)", -1);

    private final String word;
    private final String sql;
    private final double quantile;

    Aggregation(String word, String sql, double quantile) {
      this.word = word;
      this.sql = sql;
      this.quantile = quantile;
    }

    public String word() {
      return word;
    }

    /**
     * Over values {@code v}, which are the means of what lies between {@code lo} and {@code hi}.
     */
    String sql() {
      return sql;
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
