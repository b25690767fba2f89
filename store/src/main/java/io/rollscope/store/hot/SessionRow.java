package io.rollscope.store.hot;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.model.Status;
import io.rollscope.core.session.LateFacts;
import io.rollscope.core.session.SessionSummary;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A session as the store's {@code sessions} rows tell it. A later part replaces the ones before.
 *
 * @param endNs end of its window: finalised, last activity, or now
 * @param workStartNs {@link Nanos#UNKNOWN} without any work
 * @param verdictNs time of the record that decided its status, or {@link Nanos#UNKNOWN}
 * @param lateFacts the part of what it earned and used that was reported apart from its spans
 * @param unaccountedNs what is left, so that self times as stored plus waits equal the wall time
 * @param workNs from its start to the end of its last own work (contracts.md 5.7)
 * @param ownNs from its start to when it was done by itself (contracts.md 5.8)
 * @param inferredGroup the group its source was seen to draw it in, or null (contracts.md 2.12)
 * @param candidates leaf time that may have been a wait for siblings (contracts.md 5.9)
 * @param restated self time by span beyond what the rows of its spans say, which were written
 *     before all of it was known; {@code unaccountedNs} includes it
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
    Map<String, Long> counters,
    long workNs,
    long ownNs,
    String inferredGroup,
    List<SpanTime> candidates,
    List<SpanTime> restated,
    LateFacts lateFacts) {

  /** Time of a span: from when to when, or from 0 on where only its length counts. */
  public record SpanTime(HotSpan span, long fromNs, long toNs) {}

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
        session.openCount(),
        session.errorCount(),
        time.workFromNs(),
        time.workToNs(),
        a.wall(),
        a.queue(),
        a.gap(),
        a.barrier(),
        a.wall() - stored - a.queue() - a.gap() - a.barrier(),
        a.outside(),
        session.verdict == null ? Nanos.UNKNOWN : session.verdict.decidedNs(),
        session.counters(),
        a.workEnd() - time.fromNs(),
        a.ownEnd() - time.fromNs(),
        session.inferredGroup(),
        candidates(session, a),
        restated(session, a),
        session.verdict == null ? LateFacts.NONE : session.verdict.lateFacts());
  }

  /** Who is in no group waits for nobody. */
  private static List<SpanTime> candidates(HotSession session, Accounting a) {
    boolean alone = session.facts().task() == null && session.inferredGroup() == null;
    if (alone || a.candidateCount() == 0) {
      return List.of();
    }
    List<SpanTime> all = new ArrayList<>(a.candidateCount());
    for (int k = 0; k < a.candidateCount(); k++) {
      HotSpan span = session.spans.get(a.candidateLeaf(k));
      all.add(new SpanTime(span, a.candidateFrom(k), a.candidateTo(k)));
    }
    return all;
  }

  private static List<SpanTime> restated(HotSession session, Accounting a) {
    List<SpanTime> all = new ArrayList<>(0);
    for (int i = 0; i < session.spans.size(); i++) {
      HotSpan span = session.spans.get(i);
      if (span.sealed && a.self(i) != span.selfNs) {
        all.add(new SpanTime(span, 0, a.self(i) - span.selfNs));
      }
    }
    return all;
  }
}
