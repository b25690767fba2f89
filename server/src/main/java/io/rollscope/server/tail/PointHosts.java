package io.rollscope.server.tail;

import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.stats.IndexSort;
import java.util.function.IntPredicate;

/**
 * Finds the span during which something happened: of those around it the one that started last.
 * Points are asked for in order of time.
 */
final class PointHosts {
  private final SessionSpans spans;
  private int[] order = new int[64];
  private int[] open = new int[64];
  private int count;
  private int next;
  private int depth;

  PointHosts(SessionSpans spans) {
    this.spans = spans;
  }

  /**
   * Looks at the session that is loaded.
   *
   * @param eligible which spans may have points
   */
  void begin(IntPredicate eligible) {
    if (order.length < spans.count()) {
      order = new int[Math.max(spans.count(), 2 * order.length)];
      open = new int[order.length];
    }
    count = 0;
    next = 0;
    depth = 0;
    for (int i = 0; i < spans.count(); i++) {
      if (eligible.test(i)) {
        order[count++] = i;
      }
    }
    IndexSort.sort(order, count, (a, b) -> spans.start(a) < spans.start(b));
  }

  /** The span around this instant, or -1. */
  int at(long timeNs) {
    while (next < count && spans.start(order[next]) <= timeNs) {
      open[depth++] = order[next++];
    }
    int kept = 0;
    for (int d = 0; d < depth; d++) {
      if (spans.end(open[d]) >= timeNs) {
        open[kept++] = open[d];
      }
    }
    depth = kept;
    return depth == 0 ? -1 : open[depth - 1];
  }
}
