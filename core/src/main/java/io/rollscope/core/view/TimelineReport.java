package io.rollscope.core.view;

import java.util.List;
import java.util.Locale;

/**
 * Spans of a window, by column, in order of lane and start. Words stand once in a list and are
 * named by their place in it.
 *
 * @param fromNs the window's beginning; all times count from here
 * @param toNs the window's end
 * @param by what makes a lane
 * @param lanes labels of the lanes
 * @param lane per span: place in {@code lanes}
 * @param name per span: place in {@code names}, its raw name
 * @param stage per span: place in {@code stages}
 * @param kind per span: place in {@code kinds}
 * @param outcome per span: place in {@code outcomes}
 * @param session per span: place in {@code sessions}, or -1
 * @param error per span: place in {@code errors}, or -1
 * @param overlaps per span, where lanes are lanes of states: place in {@code overlapped} of the
 *     state that its process had open on the same lane when it began, or -1
 * @param parent per span: place of its parent in these lists, or -1
 * @param depth per span: how many spans of these lists are around it
 * @param startNs per span: start after {@code fromNs}; negative when before
 * @param durationNs per span: how long it took; for an open one up to now
 * @param selfNs per span: time in which it was what its session was doing
 * @param open per span: whether it has not ended
 * @param spanId per span: its id, or null
 * @param laneInfo what is known of the lanes
 * @param leftOut how many shorter spans of the window are not here
 */
public record TimelineReport(
    String source,
    String run,
    long fromNs,
    long toNs,
    String by,
    List<String> lanes,
    List<String> names,
    List<String> stages,
    List<String> kinds,
    List<String> outcomes,
    List<String> sessions,
    List<String> errors,
    List<String> overlapped,
    int[] lane,
    int[] name,
    int[] stage,
    int[] kind,
    int[] outcome,
    int[] session,
    int[] error,
    int[] overlaps,
    int[] parent,
    int[] depth,
    long[] startNs,
    long[] durationNs,
    long[] selfNs,
    boolean[] open,
    String[] spanId,
    LaneInfo laneInfo,
    long leftOut) {
  public static final int DEFAULT_BUDGET = 5_000;
  public static final int MAX_BUDGET = 200_000;

  /** What makes a lane. */
  public enum By {
    SESSION,
    WORKER,
    TASK,
    LANE;

    /** The word used in the API. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The one with this word. */
    public static By named(String word) {
      for (By by : values()) {
        if (by.word().equals(word)) {
          return by;
        }
      }
      throw new IllegalArgumentException(
          "lane: " + word + " (expected: session, worker, task or lane)");
    }
  }
}
