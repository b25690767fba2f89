package io.rollscope.store.query;

import io.rollscope.store.query.Timeline.By;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * What is known of the lanes of a timeline, by column: the n-th entry is about the n-th lane, null
 * where there is nothing to say.
 */
public record LaneInfo(
    String[] session,
    String[] task,
    String[] taskName,
    String[] worker,
    String[] status,
    String[] batch,
    Double[] startS,
    Double[] wallS) {

  /** What the labels themselves say. */
  static LaneInfo of(List<String> lanes, By by) {
    String[] labels = lanes.toArray(String[]::new);
    int size = labels.length;
    return new LaneInfo(
        by == By.SESSION ? labels : new String[size],
        by == By.TASK ? labels : new String[size],
        new String[size],
        by == By.WORKER ? labels : new String[size],
        new String[size],
        new String[size],
        new Double[size],
        new Double[size]);
  }

  /** Adds what a row of {@code sessions} says, from the task on. */
  void add(int lane, ResultSet row) throws SQLException {
    task[lane] = row.getString(2);
    taskName[lane] = row.getString(3);
    worker[lane] = Cells.worker(row, 4).label();
    status[lane] = row.getString(6);
    batch[lane] = row.getString(7);
    startS[lane] = Cells.secondsOrNull(row, 8);
    wallS[lane] = Cells.secondsOrNull(row, 9);
  }
}
