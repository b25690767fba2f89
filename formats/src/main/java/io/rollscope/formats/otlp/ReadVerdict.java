package io.rollscope.formats.otlp;

import io.rollscope.core.session.SessionVerdict;
import io.rollscope.otlp.record.Verdict;

/**
 * A {@code rollscope.session.final} record: what became of the session of a span.
 *
 * @param run that it names, or null
 * @param session that it names, or null
 */
record ReadVerdict(
    long spanId,
    long timeNs,
    String status,
    String sourceStatus,
    String reason,
    String run,
    String session)
    implements SessionVerdict {

  static ReadVerdict of(Verdict verdict) {
    return new ReadVerdict(
        verdict.spanId(),
        verdict.timeNs(),
        verdict.status(),
        verdict.sourceStatus(),
        verdict.reason(),
        verdict.said().run(),
        verdict.said().session());
  }

  static ReadVerdict newer(ReadVerdict a, ReadVerdict b) {
    return a.holdsAgainst(b) ? a : b;
  }
}
