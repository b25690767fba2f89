package io.rollscope.store.hot;

import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Status;
import io.rollscope.core.session.GroupMark;
import io.rollscope.core.session.LateFacts;
import io.rollscope.core.session.UndatedVerdict;
import io.rollscope.otlp.record.Said;
import io.rollscope.otlp.record.SpanRecord;
import io.rollscope.otlp.record.Verdict;
import java.util.List;
import java.util.Map;

/**
 * What segments hold of a session that something new came in for.
 *
 * @param parts how many rows of it segments hold
 * @param row the last of them
 * @param decided the record that decided its status, or null
 */
public record ReturnedSession(
    SessionKey key, int parts, Row row, Decided decided, List<SealedSpan> spans) {

  /** What counts of it as long as it is in segments only. */
  public record Row(String batch, Status status, long spans) {}

  /**
   * A verdict in a segment.
   *
   * @param status null if nothing was decided, and only reward or tokens came later
   */
  public record Decided(
      long timeNs, String status, String sourceStatus, String reason, LateFacts lateFacts) {}

  /**
   * A span in a segment.
   *
   * @param attributes of a session's span; of others what it earned and used
   */
  public record SealedSpan(
      SpanRecord span, long selfNs, long receivedNs, Map<String, String> attributes) {

    /** As it is in memory. */
    HotSpan in(HotTrace trace) {
      HotSpan hot = new HotSpan(trace, span, receivedNs, 0);
      hot.sealed = true;
      hot.counted = true;
      hot.selfNs = selfNs;
      boolean ofSession = span.kind() == Kind.SESSION;
      hot.counters = ofSession ? SpanCounters.of(attributes) : Map.of();
      hot.inferredGroup = attributes.get(GroupMark.ATTRIBUTE);
      hot.undatedVerdict = attributes.containsKey(UndatedVerdict.ATTRIBUTE);
      return hot;
    }
  }

  /** The record that decided, as far as it is known; null if none did. */
  Verdict verdict() {
    if (decided == null || spans.isEmpty()) {
      return null;
    }
    SpanRecord span = spans.get(0).span();
    Said said =
        new Said(
            key.run(),
            key.id(),
            null,
            false,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            decided.status(),
            decided.sourceStatus(),
            decided.reason());
    return new Verdict(
        span.traceHigh(),
        span.traceLow(),
        span.spanId(),
        decided.timeNs(),
        decided.status(),
        decided.reason(),
        said,
        span.origin(),
        decided.lateFacts());
  }
}
