package io.rollscope.store.sql;

import java.time.Duration;

/**
 * What users' SQL may take.
 *
 * @param processes at most so many at once, each with one query at a time
 * @param residentBytes a process that has more in memory is killed
 * @param query a query that takes longer is cancelled
 * @param idle a process without a query for so long is ended
 * @param pause no process is started for so long after {@link SqlProcesses#MOST_CRASHES} crashes
 */
public record SqlLimits(
    int processes, long residentBytes, Duration query, Duration idle, Duration pause) {
  public static final SqlLimits DEFAULT =
      new SqlLimits(
          2, 1_250_000_000, Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ofSeconds(30));
}
