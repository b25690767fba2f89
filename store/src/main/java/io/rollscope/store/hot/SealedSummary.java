package io.rollscope.store.hot;

import io.rollscope.store.hot.ReturnedSession.SealedSpan;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Summarises sessions that are in segments from their spans there, as sealing does from those in
 * memory. A buffer, used for one session after another.
 */
public final class SealedSummary {
  private final SessionTime time = new SessionTime();
  private final Processes none = new Processes();
  private HotRun run;

  private record TraceId(long high, long low) {}

  /**
   * A session's row anew, as of when it was written.
   *
   * @param known its row, and its spans in all segments
   * @param endNs end of its window, as that row has it
   * @param openCount how many of its spans were open, parents inclusive that were only inferred
   * @return null if its row counts spans that segments do not hold: they are in memory, or gone
   */
  public SessionRow of(ReturnedSession known, long endNs, long openCount) {
    if (run == null || !run.name.equals(known.key().run())) {
      run = new HotRun(known.key().run());
    }
    run.asOfNs = endNs;
    run.lastRelativeNs = endNs;
    HotSession session = new HotSession(known.key(), run);
    session.parts = known.parts() - 1;
    session.verdict = known.verdict();
    Map<TraceId, HotTrace> traces = new HashMap<>();
    for (SealedSpan one : known.spans()) {
      TraceId id = new TraceId(one.span().traceHigh(), one.span().traceLow());
      HotTrace trace = traces.computeIfAbsent(id, t -> new HotTrace(t.high, t.low, false));
      if (trace.find(one.span().spanId()) == null) { // A copy may have come too late to be known.
        HotSpan span = one.in(trace);
        trace.add(span);
        session.add(span);
        session.sealedSelfNs += span.selfNs;
      }
    }
    if (session.spans.size() < known.row().spans()) {
      return null;
    }
    session.status(none, endNs);
    infer(session, openCount - session.openCount());
    return SessionRow.of(session, time, none, endNs);
  }

  /** Parents that were believed to be open when the row was written (contracts.md 3.10). */
  private static void infer(HotSession session, long count) {
    if (count <= 0) {
      return;
    }
    List<HotSpan> sorted =
        session.spans.stream().sorted(Comparator.comparingLong(HotSpan::startNs)).toList();
    Set<Long> parents = new HashSet<>();
    for (HotSpan span : sorted) {
      boolean orphan = span.parentId() != 0 && span.trace.find(span.parentId()) == null;
      if (orphan && parents.size() < count && parents.add(span.parentId())) {
        session.inferred.add(new Inferred(span.parentId(), span));
      }
    }
    session.changed();
  }
}
