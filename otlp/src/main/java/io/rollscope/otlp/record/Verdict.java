package io.rollscope.otlp.record;

import io.rollscope.core.session.SessionVerdict;

/** A {@code rollscope.session.final} record: what became of the session of that span. */
public record Verdict(
    long traceHigh,
    long traceLow,
    long spanId,
    long timeNs,
    String status,
    String reason,
    Said said,
    Origin origin)
    implements SessionVerdict {

  @Override
  public String sourceStatus() {
    return said.sourceStatus();
  }
}
