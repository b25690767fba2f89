package io.rollscope.formats.otlp;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.time.Nanos;
import java.util.Map;

/**
 * One span as its sender described it; what only its trace can tell is null.
 *
 * @param endNs {@link Nanos#OPEN} if it has not ended
 * @param service fallback for the run
 * @param instance its process, or null
 * @param lane the track it is a state of, or null
 * @param alone whether it never makes a session of its trace
 * @param counters what a session counted; empty for other spans
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
    String instance,
    String session,
    String lane,
    boolean alone,
    Status verdict,
    String reason,
    Map<String, Long> counters,
    int file,
    long offset) {

  boolean isOpen() {
    return endNs == Nanos.OPEN;
  }

  String traceId() {
    return String.format("%016x%016x", traceHigh, traceLow);
  }

  /**
   * Two versions of a span as one (contracts.md 3.12): closed beats open, then the later end wins;
   * what only the other says is added.
   */
  OtlpSpan with(OtlpSpan other) {
    return beats(other) ? and(other) : other.and(this);
  }

  private boolean beats(OtlpSpan other) {
    if (isOpen() != other.isOpen()) {
      return !isOpen();
    }
    if (endNs != other.endNs && !isOpen()) {
      return endNs > other.endNs;
    }
    return toString().compareTo(other.toString()) > 0;
  }

  private OtlpSpan and(OtlpSpan other) {
    return new OtlpSpan(
        traceHigh,
        traceLow,
        id,
        parent,
        name,
        kind,
        startNs,
        endNs,
        outcome,
        error,
        at.or(other.at),
        either(run, other.run),
        either(service, other.service),
        either(instance, other.instance),
        either(session, other.session),
        either(lane, other.lane),
        alone || other.alone,
        either(verdict, other.verdict),
        either(reason, other.reason),
        counters.isEmpty() ? other.counters : counters,
        file,
        offset);
  }

  private static <T> T either(T preferred, T other) {
    return preferred != null ? preferred : other;
  }

  /** The same span of a process that is known to be dead. */
  OtlpSpan lost() {
    return new OtlpSpan(
        traceHigh,
        traceLow,
        id,
        parent,
        name,
        kind,
        startNs,
        endNs,
        Outcome.LOST,
        error,
        at,
        run,
        service,
        instance,
        session,
        lane,
        alone,
        verdict,
        reason,
        counters,
        file,
        offset);
  }
}
