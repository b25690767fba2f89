package io.rollscope.core.pairing;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Which span of a session lies in which: by the source's ids, else by time, in the innermost span
 * around it. The object is a buffer, used for one session after another.
 */
public final class SpanParents {
  private static final int NONE = -1;
  private int[] around = new int[64];

  /**
   * The parent of each span, or -1; never in a circle.
   *
   * @param order as {@link SessionSpans#drawOrder} gives it
   * @param now until when open spans count
   */
  public int[] of(SessionSpans spans, int[] order, long now) {
    int[] parent = new int[spans.count()];
    Arrays.fill(parent, NONE);
    if (spans.hasParents()) {
      byIds(spans, order, parent);
    } else {
      byTime(spans, order, now, parent);
    }
    return parent;
  }

  /** A parent must be drawn before its children, which also keeps circles out. */
  private static void byIds(SessionSpans spans, int[] order, int[] parent) {
    Map<Long, Integer> drawn = new HashMap<>();
    for (int i : order) {
      Integer above = spans.parentId(i) == 0 ? null : drawn.get(spans.parentId(i));
      parent[i] = above == null ? NONE : above;
      if (spans.spanId(i) != 0) {
        drawn.putIfAbsent(spans.spanId(i), i);
      }
    }
  }

  /**
   * Of the spans that began before, those that end before another of them that began later can be
   * forgotten: whatever still comes inside them is inside the later one, too. So the rest ends ever
   * earlier, and the last of it is the innermost.
   */
  private void byTime(SessionSpans spans, int[] order, long now, int[] parent) {
    if (around.length < order.length) {
      around = new int[order.length];
    }
    int count = 0;
    for (int i : order) {
      long end = spans.end(i, now);
      while (count > 0 && spans.end(around[count - 1], now) < end) {
        count--;
      }
      boolean inside = count > 0 && spans.end(around[count - 1], now) > spans.start(i);
      parent[i] = inside ? around[count - 1] : NONE;
      around[count++] = i;
    }
  }
}
