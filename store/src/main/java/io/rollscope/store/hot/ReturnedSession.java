package io.rollscope.store.hot;

import io.rollscope.otlp.record.SpanRecord;
import java.util.List;

/**
 * What segments hold of a session that something new came in for.
 *
 * @param parts how many rows of it segments hold
 */
public record ReturnedSession(SessionKey key, int parts, List<SealedSpan> spans) {

  /** A span in a segment, without its attributes. */
  public record SealedSpan(SpanRecord span, long selfNs, long receivedNs) {}
}
