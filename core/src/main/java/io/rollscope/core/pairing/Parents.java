package io.rollscope.core.pairing;

import java.util.HashMap;
import java.util.Map;

/**
 * Which span of a session lies directly in which: by id where the source says so, else by time. The
 * object is a buffer, used for one session after another.
 */
public final class Parents {
  private static final int NONE = -1;

  private final SessionSpans spans;
  private final Containment containment;
  private int[] parent = new int[64];

  public Parents(SessionSpans spans) {
    this.spans = spans;
    this.containment = new Containment(spans);
  }

  /** Looks at the session that is loaded. */
  public void find() {
    int count = spans.count();
    if (parent.length < count) {
      parent = new int[Math.max(count, parent.length * 2)];
    }
    if (spans.hasParents() && findById()) {
      return;
    }
    containment.find();
    for (int i = 0; i < count; i++) {
      parent[i] = containment.around(i);
    }
  }

  /** False if no span has an id. */
  private boolean findById() {
    Map<Long, Integer> byId = new HashMap<>();
    for (int i = 0; i < spans.count(); i++) {
      if (spans.spanId(i) != 0) {
        byId.putIfAbsent(spans.spanId(i), i);
      }
    }
    for (int i = 0; i < spans.count(); i++) {
      Integer above = byId.get(spans.parentId(i));
      parent[i] = above == null || spans.spanId(above) == spans.spanId(i) ? NONE : above;
    }
    return !byId.isEmpty();
  }

  /** The span directly around this one, or -1. Senders may name parents in a circle. */
  public int of(int i) {
    return parent[i];
  }
}
