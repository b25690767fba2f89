package io.rollscope.formats.otlp;

import io.rollscope.core.session.LateFacts;
import io.rollscope.core.session.SessionVerdict;
import io.rollscope.otlp.record.Verdict;

/**
 * A {@code rollscope.session.final} record, or several: what became of the session of a span.
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
    String session,
    LateFacts lateFacts)
    implements SessionVerdict {

  static ReadVerdict of(Verdict verdict) {
    return new ReadVerdict(
        verdict.spanId(),
        verdict.timeNs(),
        verdict.status(),
        verdict.sourceStatus(),
        verdict.reason(),
        verdict.said().run(),
        verdict.said().session(),
        verdict.lateFacts());
  }

  /** Both together; this object itself if the other adds nothing. */
  ReadVerdict and(ReadVerdict other) {
    boolean holds = holdsAgainst(other);
    ReadVerdict holding = holds ? this : other;
    LateFacts facts = holding.lateFacts.and((holds ? other : this).lateFacts);
    return facts.equals(holding.lateFacts) ? holding : holding.with(facts);
  }

  private ReadVerdict with(LateFacts facts) {
    return new ReadVerdict(spanId, timeNs, status, sourceStatus, reason, run, session, facts);
  }
}
