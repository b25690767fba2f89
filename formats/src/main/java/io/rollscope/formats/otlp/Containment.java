package io.rollscope.formats.otlp;

import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.stats.IndexSort;

/**
 * Which span lies directly inside which, told by time alone: around a span is the one that contains
 * it and started last.
 */
final class Containment {
  private final SessionSpans spans;
  private int[] order = new int[64];
  private int[] around = new int[64];
  private int[] open = new int[64];

  Containment(SessionSpans spans) {
    this.spans = spans;
  }

  /** Looks at the session that is loaded. */
  void find() {
    int count = spans.count();
    if (order.length < count) {
      int size = Math.max(count, order.length * 2);
      order = new int[size];
      around = new int[size];
      open = new int[size];
    }
    for (int i = 0; i < count; i++) {
      order[i] = i;
    }
    IndexSort.sort(
        order,
        count,
        (a, b) ->
            spans.start(a) != spans.start(b)
                ? spans.start(a) < spans.start(b)
                : spans.end(a) > spans.end(b));
    int depth = 0;
    for (int k = 0; k < count; k++) {
      int span = order[k];
      int kept = 0;
      around[span] = -1;
      for (int d = 0; d < depth; d++) {
        if (spans.end(open[d]) > spans.start(span)) {
          open[kept++] = open[d];
          if (spans.end(open[d]) >= spans.end(span)) {
            around[span] = open[d];
          }
        }
      }
      depth = kept;
      open[depth++] = span;
    }
  }

  /** The span directly around this one, or -1. */
  int around(int i) {
    return around[i];
  }
}
