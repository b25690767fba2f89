package io.rollscope.store.hot;

import io.rollscope.core.model.Kind;
import io.rollscope.core.session.TraceResolver;
import io.rollscope.core.session.TraceSpans;
import io.rollscope.otlp.record.Said;
import io.rollscope.otlp.record.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** Puts the spans and verdicts of a trace where {@link TraceResolver} says that they belong. */
final class Resolution implements TraceSpans {
  private final SealedSpans sealed;
  private final Function<SessionKey, HotSession> sessionFor;
  private final Function<SessionKey, HotSession> known;
  private final Consumer<HotSession> emptied;
  private final Consumer<HotTrace> lookUp;
  private final WaitingVerdicts waiting;
  private final TraceResolver resolver = new TraceResolver();
  private HotTrace trace;
  private int[] parents = new int[16];
  private boolean[] inSealedLane = new boolean[16];

  /**
   * @param sessionFor finds a session, or makes it
   * @param known finds a session, or null
   * @param emptied is told of a session whose last span turned out to belong elsewhere
   * @param lookUp is told of a trace to look for in segments
   */
  Resolution(
      SealedSpans sealed,
      Function<SessionKey, HotSession> sessionFor,
      Function<SessionKey, HotSession> known,
      Consumer<HotSession> emptied,
      Consumer<HotTrace> lookUp,
      WaitingVerdicts waiting) {
    this.waiting = waiting;
    this.sealed = sealed;
    this.sessionFor = sessionFor;
    this.known = known;
    this.emptied = emptied;
    this.lookUp = lookUp;
  }

  void resolve(HotTrace of) {
    forgetInferred(of);
    of.orphaned = false;
    look(of);
    resolver.resolve(this);
    for (Verdict verdict : trace.verdicts.values()) {
      resolver.name(verdict.said().run(), verdict.origin().runFallback());
      trace.newestNs = Math.max(trace.newestNs, verdict.decidedNs());
    }
    trace.namesRun = resolver.namesRun();
    String run = resolver.run();
    for (int i = 0; i < trace.spans.size(); i++) {
      HotSpan span = trace.spans.get(i);
      if (!span.sealed && !span.sealing) { // It stays where its segment says it is.
        assign(span, i, run);
      }
      span.session.run.saw(span, trace.newsNs);
      span.session.newsNs = Math.max(span.session.newsNs, trace.newsNs);
    }
    infer();
    deliverVerdicts(run);
  }

  /** Finds out which span is the parent of which. */
  private void look(HotTrace of) {
    trace = of;
    int count = trace.spans.size();
    if (parents.length < count) {
      parents = new int[Math.max(count, 2 * parents.length)];
      inSealedLane = new boolean[parents.length];
    }
    for (int i = 0; i < count; i++) {
      HotSpan span = trace.spans.get(i);
      span.index = i;
      trace.newestNs = Math.max(trace.newestNs, span.heardNs());
    }
    Arrays.fill(inSealedLane, 0, count, false);
    for (int i = 0; i < count; i++) {
      long parentId = trace.spans.get(i).told.parentId();
      HotSpan parent = parentId == 0 ? null : trace.find(parentId);
      parents[i] = parent != null ? parent.index : parentId == 0 ? NO_PARENT : NOT_SEEN;
      if (parents[i] == NOT_SEEN && isSealed(parentId)) {
        parents[i] = NO_PARENT;
        inSealedLane[i] = !trace.unsure;
        if (!trace.lookedUp) {
          trace.lookedUp = true;
          trace.unsure = true;
          lookUp.accept(trace);
        }
      }
    }
  }

  private boolean isSealed(long spanId) {
    return trace.maybeSealed && sealed.holds(trace.high, trace.low, spanId);
  }

  private void assign(HotSpan span, int i, String runOfTrace) {
    Said said = span.told.said();
    String run = said.run() != null ? said.run() : runOfTrace;
    String id = resolver.session(i);
    boolean lane = resolver.isLane(i);
    span.undecided = resolver.isUndecided(i) || !trace.namesRun;
    if (lane) {
      id = resolver.lane(i);
      int batchOf = resolver.batchOf(i);
      span.around = batchOf < 0 || batchOf == i ? null : trace.spans.get(batchOf).told.said();
    } else if (id == null) {
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
      before.withdraw(trace.verdicts.get(span.told.spanId()));
      before.revised |= before.parts > 0; // Its row in a segment counts the time of this span.
      if (before.spans.isEmpty() && before.parts == 0) {
        emptied.accept(before);
      }
    }
    sessionFor.apply(new SessionKey(run, id, lane)).add(span);
  }

  // ---- the trace, as it is resolved ------------------------------------------------------------

  @Override
  public int count() {
    return trace.spans.size();
  }

  @Override
  public long spanId(int i) {
    return trace.spans.get(i).told.spanId();
  }

  @Override
  public long parentId(int i) {
    return trace.spans.get(i).told.parentId();
  }

  @Override
  public int parent(int i) {
    return parents[i];
  }

  @Override
  public long start(int i) {
    return trace.spans.get(i).told.startNs();
  }

  @Override
  public String run(int i) {
    return trace.spans.get(i).told.said().run();
  }

  @Override
  public String service(int i) {
    return trace.spans.get(i).told.origin().runFallback();
  }

  @Override
  public String session(int i) {
    String named = trace.spans.get(i).told.said().session();
    SessionKey stays = named == null ? sealedIn(i) : null;
    return stays != null && !stays.lane() ? stays.id() : named;
  }

  @Override
  public String lane(int i) {
    SessionKey stays = sealedIn(i);
    return stays != null && stays.lane() ? stays.id() : trace.spans.get(i).told.said().lane();
  }

  @Override
  public boolean namesBatch(int i) {
    Said said = trace.spans.get(i).told.said();
    return said.batch() != null || said.trainStep() != null;
  }

  @Override
  public String stage(int i) {
    return trace.spans.get(i).stage();
  }

  /** Where a segment says that it is, or null. */
  private SessionKey sealedIn(int i) {
    HotSpan span = trace.spans.get(i);
    return (span.sealed || span.sealing) && span.session != null ? span.session.key : null;
  }

  @Override
  public boolean isAlone(int i) {
    return trace.spans.get(i).told.said().alone();
  }

  /** Also what a segment has the parent of, and no session: it is in a lane there. */
  @Override
  public boolean isWorkOfProcess(int i) {
    Kind kind = trace.spans.get(i).told.kind();
    return inSealedLane[i] || (isAlone(i) && kind != Kind.BATCH && kind != Kind.TASK);
  }

  // ---- parents not yet seen --------------------------------------------------------------------

  private void infer() {
    List<Inferred> inferred = new ArrayList<>(0);
    resolver.forEachMissing(
        (parent, i) -> {
          HotSpan child = trace.spans.get(i);
          trace.orphaned = true;
          Inferred one = new Inferred(parent, child);
          if (!one.isOver()) {
            inferred.add(one);
            child.session.inferred.add(one);
            child.session.changed();
          }
        });
    trace.inferred = inferred.isEmpty() ? List.of() : inferred;
  }

  /** What was inferred is told anew, or its time is over. */
  static void forgetInferred(HotTrace trace) {
    if (trace.inferred.isEmpty()) {
      return;
    }
    Set<HotSession> concerned = new HashSet<>();
    for (Inferred one : trace.inferred) {
      if (one.child().session != null) {
        concerned.add(one.child().session);
      }
    }
    for (HotSession session : concerned) {
      session.inferred.removeIf(one -> one.child().trace == trace);
      session.revised |= session.parts > 0; // Its row in a segment counts them as open.
      session.changed();
    }
    trace.inferred = List.of();
  }

  // ---- verdicts --------------------------------------------------------------------------------

  private void deliverVerdicts(String run) {
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
      deliver(verdict, session);
      if (span == null) {
        verdicts.remove(); // The session may leave long before this trace does.
      }
    }
  }

  private void deliver(Verdict verdict, HotSession session) {
    Verdict known = session.verdict;
    Verdict now = known == null ? verdict : known.and(verdict);
    if (!now.equals(known)) {
      session.verdict = now;
      session.revised = session.parts > 0;
    }
    session.newsNs = Math.max(session.newsNs, trace.newsNs);
    session.run.lastNs = Math.max(session.run.lastNs, verdict.decidedNs());
    session.changed();
  }

  private static SessionKey named(Verdict verdict, String runOfTrace) {
    String session = verdict.said().session();
    String run = verdict.said().run() != null ? verdict.said().run() : runOfTrace;
    return session == null ? null : new SessionKey(run, session, false);
  }
}
