package io.rollscope.otlp.record;

import io.rollscope.core.session.LateFacts;
import io.rollscope.core.session.SessionVerdict;

/**
 * A {@code rollscope.session.final} record, or several: what became of the session of that span.
 *
 * @param timeNs of the decision; if nothing was decided, of the newest record
 * @param status null if nothing was decided
 */
public record Verdict(
    long traceHigh,
    long traceLow,
    long spanId,
    long timeNs,
    String status,
    String reason,
    Said said,
    Origin origin,
    LateFacts lateFacts)
    implements SessionVerdict {

  /** Both together, in whatever order they came; this object itself if the other adds nothing. */
  public Verdict and(Verdict other) {
    boolean holds = holdsAgainst(other);
    Verdict holding = holds ? this : other;
    LateFacts facts = holding.lateFacts.and((holds ? other : this).lateFacts);
    return facts.equals(holding.lateFacts) ? holding : holding.with(facts);
  }

  private Verdict with(LateFacts facts) {
    return new Verdict(traceHigh, traceLow, spanId, timeNs, status, reason, said, origin, facts);
  }

  @Override
  public String sourceStatus() {
    return said.sourceStatus();
  }
}
