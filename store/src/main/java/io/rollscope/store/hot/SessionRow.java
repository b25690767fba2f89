package io.rollscope.store.hot;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.model.Status;
import io.rollscope.core.session.SessionSummary;
import io.rollscope.core.time.Nanos;
import java.util.Map;

/**
 * A session as the store's {@code sessions} rows tell it. A later part replaces the ones before.
 *
 * @param endNs end of its window: finalised, last activity, or now
 * @param workStartNs {@link Nanos#UNKNOWN} without any work
 * @param verdictNs time of the record that decided its status, or {@link Nanos#UNKNOWN}
 * @param unaccountedNs what is left, so that self times as stored plus waits equal the wall time
 */
public record SessionRow(
    SessionKey key,
    int part,
    String traceId,
    SessionSummary<HotSpan> facts,
    String clock,
    Status status,
    long startNs,
    long endNs,
    boolean finalised,
    long spanCount,
    long openCount,
    long errorCount,
    long workStartNs,
    long workEndNs,
    long wallNs,
    long queueNs,
    long gapNs,
    long barrierNs,
    long unaccountedNs,
    long outsideNs,
    long verdictNs,
    Map<String, Long> counters) {

  /** Accounts for a session as it is now; also tells each of its spans its self time. */
  static SessionRow of(HotSession session, SessionTime time, Processes processes, long nowNs) {
    Status status = session.status(processes, nowNs);
    time.account(session, status, nowNs);
    Accounting a = time.accounting();
    long stored = session.sealedSelfNs;
    for (HotSpan span : session.spans) {
      stored += span.sealed ? 0 : span.selfNs;
    }
    return new SessionRow(
        session.key,
        session.parts,
        session.traceId(),
        session.facts(),
        session.clock(),
        status,
        time.fromNs(),
        time.toNs(),
        time.finalised(),
        (long) session.spans.size() + session.goneSpans,
        session.facts().openCount() + session.inferred.size(),
        session.errorCount(),
        time.workFromNs(),
        time.workToNs(),
        a.wall(),
        a.queue(),
        a.gap(),
        a.barrier(),
        a.wall() - stored - a.queue() - a.gap() - a.barrier(),
        a.outside(),
        session.verdict == null ? Nanos.UNKNOWN : session.verdict.timeNs(),
        session.counters());
  }
}
