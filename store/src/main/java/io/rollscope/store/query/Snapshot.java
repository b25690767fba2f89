package io.rollscope.store.query;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/**
 * A connection whose views do not change while it is open.
 *
 * @param metrics where the view of that name comes from
 * @param versions what answers that are kept go by
 * @param released told once it is closed
 */
public record Snapshot(
    Connection connection, MetricSources metrics, Versions versions, Runnable released)
    implements AutoCloseable {

  /** Tells states of a run apart. */
  @FunctionalInterface
  public interface Versions {
    /** As long as this stays equal, nothing of the run is new; null when that is not known. */
    Object of(String run);
  }

  /**
   * The parts of the view {@code metrics}: files, which never change, and the rest.
   *
   * @param files SQL that reads a file, by its name
   * @param hot table of the points in memory
   * @param sinceNs no file has an earlier point
   */
  public record MetricSources(Map<String, String> files, String hot, long sinceNs) {
    public static final MetricSources NONE = new MetricSources(Map.of(), "metrics", 0);
  }

  @Override
  public void close() throws SQLException {
    try {
      connection.close();
    } finally {
      released.run();
    }
  }
}
