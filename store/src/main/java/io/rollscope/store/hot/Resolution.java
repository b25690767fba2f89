package io.rollscope.store.hot;

import io.rollscope.otlp.record.Said;
import io.rollscope.otlp.record.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Where the spans of a trace belong, told from the whole trace (contracts.md 2.14): children come
 * in before their parents, and the one that names run and session may be the last.
 */
final class Resolution {
  private final SealedSpans sealed;
  private final Function<SessionKey, HotSession> sessionFor;
  private final Function<SessionKey, HotSession> known;
  private final Consumer<HotSession> emptied;
  private final WaitingVerdicts waiting;

  /** What a span's ancestors say is found out once each time a trace is looked at. */
  private int round;

  /**
   * @param sessionFor finds a session, or makes it
   * @param known finds a session, or null
   * @param emptied is told of a session whose last span turned out to belong elsewhere
   */
  Resolution(
      SealedSpans sealed,
      Function<SessionKey, HotSession> sessionFor,
      Function<SessionKey, HotSession> known,
      Consumer<HotSession> emptied,
      WaitingVerdicts waiting) {
    this.waiting = waiting;
    this.sealed = sealed;
    this.sessionFor = sessionFor;
    this.known = known;
    this.emptied = emptied;
  }

  void resolve(HotTrace trace) {
    round++;
    forgetInferred(trace);
    String run = runOf(trace);
    Map<Long, HotSpan> orphans = new HashMap<>(4);
    for (HotSpan span : trace.spans) {
      if (!span.sealed && !span.sealing) { // It stays where its segment says it is.
        assign(span, run, trace);
      }
      span.session.run.saw(span, trace.newsNs);
      long parent = span.told.parentId();
      if (parent != 0 && !span.session.key.lane() && trace.find(parent) == null) {
        orphans.merge(parent, span, Resolution::earlier);
      }
      span.session.newsNs = Math.max(span.session.newsNs, trace.newsNs);
    }
    // What an old trace lacks is missing, not still going on: its time must not last until now.
    boolean over = trace.spans.stream().allMatch(s -> HotRun.isHistory(s, trace.newsNs));
    infer(trace, orphans, over);
    deliverVerdicts(trace, run);
  }

  private static HotSpan earlier(HotSpan a, HotSpan b) {
    return a.told.startNs() <= b.told.startNs() ? a : b;
  }

  private void assign(HotSpan span, String runOfTrace, HotTrace trace) {
    Said said = span.told.said();
    String run = said.run() != null ? said.run() : runOfTrace;
    String session = sessionSaid(span, trace);
    span.undecided |= !trace.namesRun;
    boolean lane = session == null && said.alone();
    String id = session;
    if (lane) {
      id = said.lane() != null ? said.lane() : span.stage();
    } else if (session == null) {
      id = trace.id();
    }
    SessionKey now = span.session == null ? null : span.session.key;
    if (now != null
        && now.lane() == lane
        && Objects.equals(now.id(), id)
        && Objects.equals(now.run(), run)) {
      span.session.changed();
      return;
    }
    HotSession before = span.session;
    if (before != null) {
      before.remove(span);
      before.revised |= before.parts > 0; // Its row in a segment counts the time of this span.
      if (before.spans.isEmpty() && before.parts == 0) {
        emptied.accept(before);
      }
    }
    sessionFor.apply(new SessionKey(run, id, lane)).add(span);
  }

  /** What the span or its nearest ancestor that says something says; null if none does. */
  private String sessionSaid(HotSpan span, HotTrace trace) {
    List<HotSpan> way = new ArrayList<>(4);
    HotSpan at = span;
    String said = null;
    boolean undecided = false;
    while (true) {
      if (at.saidRound == round) { // Also when ids go round in a circle.
        said = at.saidSession;
        undecided = at.undecided;
        break;
      }
      at.saidRound = round;
      at.saidSession = null;
      at.undecided = false;
      way.add(at);
      if (at.told.said().session() != null) {
        said = at.told.said().session();
        break;
      }
      if ((at.sealed || at.sealing) && at.session != null && !at.session.key.lane()) {
        said = at.session.key.id();
        break;
      }
      if (at.told.parentId() == 0) {
        break;
      }
      HotSpan above = trace.find(at.told.parentId());
      if (above == null) {
        undecided = true;
        break;
      }
      at = above;
    }
    for (HotSpan below : way) {
      below.saidSession = said;
      below.undecided = undecided;
    }
    return said;
  }

  /** The same in whatever order its spans came in. */
  private static String runOf(HotTrace trace) {
    String named = null;
    String fallback = null;
    for (HotSpan span : trace.spans) {
      named = least(named, span.told.said().run());
      fallback = least(fallback, span.told.origin().runFallback());
    }
    for (Verdict verdict : trace.verdicts.values()) {
      named = least(named, verdict.said().run());
      fallback = least(fallback, verdict.origin().runFallback());
    }
    trace.namesRun = named != null;
    return named != null ? named : fallback;
  }

  private static String least(String a, String b) {
    return a == null || (b != null && b.compareTo(a) < 0) ? b : a;
  }

  // ---- parents not yet seen --------------------------------------------------------------------

  private void infer(HotTrace trace, Map<Long, HotSpan> orphans, boolean over) {
    List<Inferred> inferred = new ArrayList<>(orphans.size());
    orphans.forEach(
        (parent, child) -> {
          if (!(trace.maybeSealed && sealed.holds(trace.high, trace.low, parent))) {
            trace.orphaned = true;
            if (!over) {
              Inferred one = new Inferred(parent, child);
              inferred.add(one);
              child.session.inferred.add(one);
              child.session.changed();
            }
          }
        });
    trace.inferred = inferred.isEmpty() ? List.of() : inferred;
  }

  /** What was inferred is told anew, or its time is over. */
  static void forgetInferred(HotTrace trace) {
    Set<HotSession> concerned = new HashSet<>();
    for (Inferred one : trace.inferred) {
      if (one.child().session != null) {
        concerned.add(one.child().session);
      }
    }
    for (HotSession session : concerned) {
      session.inferred.removeIf(one -> one.child().trace == trace);
      session.changed();
    }
    trace.inferred = List.of();
    trace.orphaned = false;
  }

  // ---- verdicts --------------------------------------------------------------------------------

  private void deliverVerdicts(HotTrace trace, String run) {
    trace.verdictWaits = false;
    if (trace.verdicts.isEmpty()) {
      return;
    }
    Iterator<Verdict> verdicts = trace.verdicts.values().iterator();
    while (verdicts.hasNext()) {
      Verdict verdict = verdicts.next();
      HotSpan span = trace.find(verdict.spanId());
      HotSession session = span != null && !span.session.key.lane() ? span.session : null;
      SessionKey named = named(verdict, run);
      if (session == null && named != null) {
        session = known.apply(named);
      }
      if (session == null) {
        trace.verdictWaits = true;
        waiting.add(trace, verdict, named);
        continue;
      }
      waiting.remove(trace, verdict.spanId());
      deliver(verdict, session, trace);
      if (span == null) {
        verdicts.remove(); // The session may leave long before this trace does.
      }
    }
  }

  private static void deliver(Verdict verdict, HotSession session, HotTrace trace) {
    boolean newer = session.verdict == null || session.verdict.timeNs() <= verdict.timeNs();
    if (newer && !verdict.equals(session.verdict)) {
      session.verdict = verdict;
      session.revised = session.parts > 0;
    }
    session.newsNs = Math.max(session.newsNs, trace.newsNs);
    session.run.lastNs = Math.max(session.run.lastNs, verdict.timeNs());
    session.changed();
  }

  private static SessionKey named(Verdict verdict, String runOfTrace) {
    String session = verdict.said().session();
    String run = verdict.said().run() != null ? verdict.said().run() : runOfTrace;
    return session == null ? null : new SessionKey(run, session, false);
  }
}
