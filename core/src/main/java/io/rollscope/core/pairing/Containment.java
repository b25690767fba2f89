package io.rollscope.core.pairing;

import io.rollscope.core.stats.IndexSort;

/**
 * Which span lies directly inside which, told by time alone: around a span is the one that contains
 * it and started last. Of two with the same times the one whose name comes first lies inside, as in
 * the accounting of sources without parent ids.
 */
public final class Containment {
  private final SessionSpans spans;
  private int[] order = new int[64];
  private int[] around = new int[64];
  private int[] open = new int[64];

  public Containment(SessionSpans spans) {
    this.spans = spans;
  }

  /** Looks at the session that is loaded. */
  public void find() {
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
    IndexSort.sort(order, count, this::isOuter);
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

  private boolean isOuter(int a, int b) {
    if (spans.start(a) != spans.start(b)) {
      return spans.start(a) < spans.start(b);
    }
    if (spans.end(a) != spans.end(b)) {
      return spans.end(a) > spans.end(b);
    }
    return spans.name(a) != spans.name(b) && rawName(a).compareTo(rawName(b)) > 0;
  }

  private String rawName(int i) {
    return spans.table().nameOf(spans.name(i)).raw();
  }

  /** The span directly around this one, or -1. */
  public int around(int i) {
    return around[i];
  }
}
