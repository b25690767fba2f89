package io.rollscope.core.accounting;

import io.rollscope.core.model.Kind;
import io.rollscope.core.time.Nanos;

/** The spans of one session, by number, as accounting looks at them. */
public interface SpanSet {
  int count();

  long start(int i);

  /** End, or {@link Nanos#OPEN}. */
  long end(int i);

  /** End, or {@code now} (but not before the start) for an open span. */
  default long end(int i, long now) {
    return end(i) == Nanos.OPEN ? Math.max(start(i), now) : end(i);
  }

  Kind kind(int i);

  /** Whether it is work that can take time: no container, and not only inferred. */
  boolean isWork(int i);

  /** 0 when the source gives none. */
  long spanId(int i);

  /** 0 for a root. */
  long parentId(int i);

  /** Whether the source records which span caused which. */
  boolean hasParents();

  /** Whether spans were put into each other by time, also if that is written down as parents. */
  default boolean isNestedByTime() {
    return !hasParents();
  }

  String rawName(int i);
}
