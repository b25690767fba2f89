package io.rollscope.formats.otlp;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.time.Nanos;

/**
 * One span as its sender described it; what only its trace can tell is null.
 *
 * @param endNs {@link Nanos#OPEN} if it has not ended
 * @param service fallback for the run
 * @param lane the track it is a state of, or null
 * @param alone whether it never makes a session of its trace
 * @param file number of the file, with {@code offset} where its line is
 */
record OtlpSpan(
    long traceHigh,
    long traceLow,
    long id,
    long parent,
    SpanName name,
    Kind kind,
    long startNs,
    long endNs,
    Outcome outcome,
    String error,
    Coordinates at,
    String run,
    String service,
    String session,
    String lane,
    boolean alone,
    Status verdict,
    String reason,
    int file,
    long offset) {

  boolean isOpen() {
    return endNs == Nanos.OPEN;
  }

  String traceId() {
    return String.format("%016x%016x", traceHigh, traceLow);
  }

  /** Whether this version of a span is to be kept rather than the other. */
  boolean beats(OtlpSpan other) {
    if (isOpen() != other.isOpen()) {
      return !isOpen();
    }
    if (endNs != other.endNs && !isOpen()) {
      return endNs > other.endNs;
    }
    return toString().compareTo(other.toString()) > 0;
  }
}
