package io.rollscope.core.accounting;

import io.rollscope.core.model.Status;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;

/**
 * The wall time of a session.
 *
 * @param from when it was submitted, else when it was first heard of
 * @param to when it was finalised; for an unfinished one now; else when it was last heard of
 * @param finalised whether {@code to} is a finalisation
 */
public record Window(long from, long to, boolean finalised) {

  /** Of the session loaded in {@code spans}; {@code now} on the session's own clock. */
  public static Window of(SessionSpans spans, Status status, long now) {
    SpanTable table = spans.table();
    int s = spans.session();
    long from = table.submitted(s);
    long earliest = spans.earliestTime();
    if (from == Nanos.UNKNOWN) {
      from = earliest == Nanos.UNKNOWN ? now : earliest;
    }
    long to = table.finalised(s);
    boolean finalised = to != Nanos.UNKNOWN;
    if (!finalised) {
      long latest = spans.latestTime();
      boolean goesOn = status == Status.RUNNING;
      to = goesOn ? now : latest == Nanos.UNKNOWN ? from : latest;
    }
    return new Window(from, Math.max(from, to), finalised);
  }
}
