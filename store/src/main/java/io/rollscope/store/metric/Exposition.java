package io.rollscope.store.metric;

import java.util.List;
import java.util.NavigableMap;

/**
 * Client metrics for others to scrape.
 *
 * @param leftOut series beyond the limits, or of a name that another metric has
 */
public record Exposition(List<Family> families, long leftOut) {

  /**
   * What is exposed.
   *
   * @param namespace that all names begin with
   */
  public record Rules(String namespace, int mostPerFamily, int mostInAll) {
    public static Rules of(String namespace) {
      return new Rules(namespace, 2_000, 20_000);
    }
  }

  /** When something last came from a process; 0 if that is not known. */
  @FunctionalInterface
  public interface Heard {
    long ns(String instance);
  }

  /**
   * All series of a name.
   *
   * @param name without {@code _total}
   * @param type {@code counter}, {@code gauge}, {@code histogram} or {@code summary}
   */
  public record Family(String name, String type, String help, List<Point> points) {}

  /**
   * One series.
   *
   * @param value of counters and gauges; of others the sum of what was observed
   * @param bounds upper bounds of a histogram's buckets, or quantiles of a summary
   * @param buckets of a histogram, not cumulative, one more than bounds; else null
   * @param quantileValues of a summary, else null
   */
  public record Point(
      NavigableMap<String, String> labels,
      double value,
      long count,
      double[] bounds,
      long[] buckets,
      double[] quantileValues) {}
}
