package io.rollscope.formats.otlp;

import io.rollscope.core.model.Status;

/**
 * A {@code rollscope.session.final} record: what became of the session of a span.
 *
 * @param status null for a word that means nothing here
 * @param reason or null
 * @param run id of the run, or null
 * @param session id of the session, or null
 * @param service fallback for the run
 */
record OtlpVerdict(
    long traceHigh,
    long traceLow,
    long spanId,
    long timeNs,
    Status status,
    String reason,
    String run,
    String session,
    String service) {

  /** The newest holds; of two of the same time always the same one. */
  OtlpVerdict or(OtlpVerdict other) {
    if (timeNs != other.timeNs) {
      return timeNs > other.timeNs ? this : other;
    }
    return toString().compareTo(other.toString()) >= 0 ? this : other;
  }
}
