package io.rollscope.core.view;

import io.rollscope.core.view.TimelineReport.By;
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
  public static LaneInfo of(List<String> lanes, By by) {
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
}
