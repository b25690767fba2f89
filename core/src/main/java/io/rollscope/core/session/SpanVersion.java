package io.rollscope.core.session;

import io.rollscope.core.time.Nanos;

/** One version of a span, as a request or a line of a file reports it. */
public interface SpanVersion<V extends SpanVersion<V>> {
  /** End, or {@link Nanos#OPEN}. */
  long endNs();

  /** Compares what two versions with the same end say; 0 only if they say the same. */
  int compareContent(V other);

  /** This version with what only the other one says in addition. */
  V and(V weaker);
}
