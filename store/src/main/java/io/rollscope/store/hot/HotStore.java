package io.rollscope.store.hot;

import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import io.rollscope.core.steps.Steps;
import io.rollscope.core.time.Nanos;
import io.rollscope.otlp.record.MetricPoint;
import io.rollscope.otlp.record.Origin;
import io.rollscope.otlp.record.Request;
import io.rollscope.otlp.record.Sign;
import io.rollscope.otlp.record.SpanRecord;
import io.rollscope.otlp.record.StackRecord;
import io.rollscope.otlp.record.Verdict;
import io.rollscope.store.journal.Position;
import io.rollscope.store.metric.MetricBook;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Everything in memory. Requests go in with {@link #apply}; {@link #settle} finds out where their
 * spans belong.
 */
public final class HotStore {
  private record TraceId(long high, long low) {}

  private final SealedSpans sealed;
  private final int maxOpenSpans;
  private final Map<TraceId, HotTrace> traces = new HashMap<>();
  private final List<HotTrace> dirty = new ArrayList<>();

  /** Those with parents of which only children were heard of. */
  private final Set<HotTrace> inferring = new LinkedHashSet<>();

  /**
   * Oldest first, so that what came in together is sealed together: a span left behind would pin
   * the request it came with in memory, and its journal file on disk.
   */
  private final Map<SessionKey, HotSession> sessions = new LinkedHashMap<>();

  private final Map<String, HotRun> runs = new LinkedHashMap<>();
  private final Processes processes = new Processes();
  private final WaitingVerdicts waiting = new WaitingVerdicts();
  private final Resolution resolution;
  private final Counts counts = new Counts();
  private List<HotPoint> points = new ArrayList<>();
  private final RecentPoints recentPoints = new RecentPoints();
  private final Steps steps = new Steps();
  private final MetricBook book;
  private final Position bookUpTo;
  private List<SessionKey> newcomers = new ArrayList<>();
  private HotRun seenAsOf;
  private List<HotTrace> knownTraces = new ArrayList<>();
  private long version;
  private long orphansNs;

  /** How often spans without their parent are looked for, and how long they wait before. */
  private static final long ORPHANS_NS = 10_000_000_000L;

  private static final long ORPHAN_NS = 300_000_000_000L;

  /**
   * A metric point with when and where it came in.
   *
   * @param trainStep that it belongs to, or null
   * @param stepSource how that is known: {@code sent}, {@code scraped}, {@code batch}, {@code none}
   */
  public record HotPoint(
      MetricPoint point, Long trainStep, String stepSource, long receivedNs, Position position) {}

  /**
   * @param book where series stand
   * @param bookUpTo what the book knows of the journal, when it is read back
   */
  public HotStore(SealedSpans sealed, int maxOpenSpans, MetricBook book, Position bookUpTo) {
    this.book = book;
    this.bookUpTo = bookUpTo;
    this.sealed = sealed;
    this.maxOpenSpans = maxOpenSpans;
    this.resolution =
        new Resolution(
            sealed,
            this::sessionFor,
            sessions::get,
            this::forget,
            trace -> knownTraces.add(trace),
            waiting);
  }

  // ---- taking in -------------------------------------------------------------------------------

  /**
   * Takes in a durable request.
   *
   * @param receivedNs when it came in, by our clock
   * @param position where the journal holds it
   */
  public void apply(Request request, long receivedNs, Position position) {
    version++;
    counts.repaired += request.repaired();
    HotTrace trace = null;
    for (SpanRecord span : request.spans()) {
      if (trace == null || trace.high != span.traceHigh() || trace.low != span.traceLow()) {
        trace = trace(span.traceHigh(), span.traceLow());
      }
      add(trace, span, receivedNs, position.file());
      if (span.said().trainStep() != null) {
        String run = span.said().run();
        steps.began(
            run == null ? span.origin().runFallback() : run,
            span.said().trainStep(),
            span.startNs());
      }
    }
    for (Verdict verdict : request.verdicts()) {
      counts.verdicts++;
      processes.heard(verdict.origin(), receivedNs, Nanos.UNKNOWN);
      HotTrace of = trace(verdict.traceHigh(), verdict.traceLow());
      if (of.maybeSealed && sealed.holds(verdict)) {
        counts.duplicates++;
      } else {
        of.addVerdict(verdict);
        if (verdict.said().session() != null && verdict.said().run() != null) {
          newcomers.add(new SessionKey(verdict.said().run(), verdict.said().session(), false));
        }
      }
      touch(of, receivedNs);
    }
    for (StackRecord stack : request.stacks()) {
      add(stack, receivedNs);
    }
    for (Sign sign : request.signs()) {
      counts.beats++;
      processes.sign(sign, receivedNs);
      run(sign.run() == null ? sign.origin().runFallback() : sign.run()).sign(sign, receivedNs);
    }
    for (MetricPoint point : request.points()) {
      counts.points++;
      processes.heard(point.origin(), receivedNs, Nanos.UNKNOWN);
      take(point, receivedNs, position);
    }
  }

  private void take(MetricPoint point, long receivedNs, Position position) {
    if (!recentPoints.add(point, receivedNs)) {
      counts.duplicatePoints++;
      book.duplicate(point);
      return;
    }
    boolean inBook = position.compareTo(bookUpTo) <= 0;
    if (inBook ? book.took(point) : book.take(point, receivedNs)) {
      points.add(hot(point, receivedNs, position));
      run(point.runOrFallback()).saw(point, receivedNs);
    }
  }

  private HotPoint hot(MetricPoint point, long receivedNs, Position position) {
    if (point.trainStep() != null) {
      String source = point.scraped() ? "scraped" : "sent";
      return new HotPoint(point, point.trainStep(), source, receivedNs, position);
    }
    Long step = steps.at(point.runOrFallback(), point.timeNs());
    return new HotPoint(point, step, step == null ? "none" : "batch", receivedNs, position);
  }

  /** Where series of metrics stand. */
  public MetricBook book() {
    return book;
  }

  /** When batches began. */
  public Steps steps() {
    return steps;
  }

  /** These points are in a segment: if they come again, they are known. */
  public void knows(List<MetricPoint> sealedPoints, long receivedNs, Position position) {
    for (MetricPoint point : sealedPoints) {
      boolean fresh = recentPoints.add(point, receivedNs);
      if (fresh && position.compareTo(bookUpTo) > 0) {
        book.take(point, receivedNs);
      }
    }
  }

  private HotTrace trace(long high, long low) {
    TraceId id = new TraceId(high, low);
    HotTrace trace = traces.get(id);
    if (trace == null) {
      trace = new HotTrace(high, low, sealed.mayHoldTrace(high, low));
      traces.put(id, trace);
      if (trace.maybeSealed) {
        trace.unsure = true;
        trace.lookedUp = true;
        knownTraces.add(trace);
      }
    }
    return trace;
  }

  private void add(HotTrace trace, SpanRecord span, long receivedNs, long journalFile) {
    processes.heard(span.origin(), receivedNs, span.isOpen() ? span.startNs() : span.endNs());
    HotSpan known = trace.find(span.spanId());
    if (known == null) {
      if (trace.maybeSealed && sealed.holds(span.traceHigh(), span.traceLow(), span.spanId())) {
        counts.duplicates++;
      } else if (span.isOpen() && counts.open >= maxOpenSpans) {
        counts.refused(OPEN_LIMIT, 1);
      } else {
        HotSpan fresh = new HotSpan(trace, span, receivedNs, journalFile);
        trace.add(fresh);
        counts.added(fresh);
        if (fresh.isOpen()) {
          processes.opened(fresh);
        }
      }
    } else if (known.sealed || known.sealing) {
      counts.duplicates++;
    } else {
      boolean wasOpen = known.isOpen();
      if (!known.merge(span)) {
        counts.duplicates++;
      } else {
        known.bytes += HotSpan.bytes(span);
        counts.bytes += HotSpan.bytes(span);
      }
      if (wasOpen && !known.isOpen()) {
        counts.closed();
        Processes.closed(known);
      }
      if (known.session != null) {
        known.session.changed();
      }
    }
    touch(trace, receivedNs);
  }

  /** Where the work of a span stood is one more version of it (contracts.md 3.20). */
  private void add(StackRecord stack, long receivedNs) {
    processes.heard(stack.origin(), receivedNs, stack.timeNs());
    HotTrace trace = traces.get(new TraceId(stack.traceHigh(), stack.traceLow()));
    HotSpan span = trace == null ? null : trace.find(stack.spanId());
    String why = refusal(stack, span, receivedNs);
    if (why != null) {
      counts.refused(why, 1);
      return;
    }
    SpanRecord version = span.told.with(span.told.said(), stack.attributes());
    if (span.merge(version)) {
      span.bytes += HotSpan.bytes(version);
      counts.bytes += HotSpan.bytes(version);
      touch(trace, receivedNs);
    }
  }

  private String refusal(StackRecord stack, HotSpan span, long receivedNs) {
    if (span == null || span.sealed || span.sealing) {
      return NO_SPAN;
    }
    String instance = stack.origin().instance();
    if (instance == null || !instance.equals(span.told.origin().instance())) {
      return OTHER_PROCESS;
    }
    if (span.hasStack() || !processes.takesStack(instance, receivedNs)) {
      return MANY_STACKS;
    }
    return null;
  }

  /**
   * Of which spans the process that has just sent a beat is to record the stacks; each is asked for
   * once.
   */
  public List<Long> wantedStacks(Origin origin, long nowNs) {
    Processes.Life process = processes.asking(origin);
    return process == null ? List.of() : WantedStacks.of(process, processes, nowNs);
  }

  /** What is said of stacks that are dropped. */
  public static final String NO_SPAN = "a stack of no span in memory (expected: one that is open)";

  public static final String OTHER_PROCESS =
      "a stack of a span of another process (expected: service.instance.id as in its start)";

  public static final String MANY_STACKS =
      "a stack too many (expected: one of a span, six a minute of a process)";

  /** What a sender is told when a span cannot be shown as open. */
  public static final String OPEN_LIMIT =
      "too many open spans (expected: fewer open at a time than the server's limit)";

  /** What is said of a verdict that was dropped. */
  public static final String NO_SESSION =
      "a verdict without a session (expected: its span within a day)";

  /** Something about a trace changed, and nothing came in. */
  void lookAgain(HotTrace trace) {
    touch(trace, trace.newsNs);
  }

  private void touch(HotTrace trace, long receivedNs) {
    trace.newsNs = Math.max(trace.newsNs, receivedNs);
    if (!trace.dirty) {
      trace.dirty = true;
      dirty.add(trace);
    }
  }

  // ---- finding out where spans belong ----------------------------------------------------------

  /** Brings sessions up to date with what was applied. */
  public void settle() {
    for (int i = 0; i < dirty.size(); i++) { // It grows: a session may be one a verdict waits for.
      HotTrace trace = dirty.get(i);
      trace.dirty = false;
      resolution.resolve(trace);
      if (trace.inferred.isEmpty()) {
        inferring.remove(trace);
      } else {
        inferring.add(trace);
      }
      if (trace.spans.isEmpty() && trace.verdicts.isEmpty()) {
        traces.remove(new TraceId(trace.high, trace.low), trace);
      }
    }
    if (!dirty.isEmpty()) {
      dirty.clear();
      forgetMissing();
    }
  }

  /** What the run went on without for long enough is missing. */
  private void forgetMissing() {
    Iterator<HotTrace> each = inferring.iterator();
    while (each.hasNext()) {
      HotTrace trace = each.next();
      boolean waits =
          trace.inferred.stream().anyMatch(one -> one.child().session != null && !one.isOver());
      if (!waits) {
        Resolution.forgetInferred(trace);
        each.remove();
      }
    }
  }

  private HotSession sessionFor(SessionKey key) {
    HotSession session = sessions.get(key);
    if (session == null) {
      session = create(key);
      newcomers.add(key);
    }
    return session;
  }

  private HotSession create(SessionKey key) {
    HotRun run = run(key.run());
    HotSession session = new HotSession(key, run);
    sessions.put(key, session);
    run.sessions.add(session);
    waiting.of(key).forEach(this::lookAgain);
    return session;
  }

  HotRun run(String name) {
    return runs.computeIfAbsent(name, HotRun::new);
  }

  // ---- sessions that come back -----------------------------------------------------------------

  /**
   * What is new here since the last call and may be in segments.
   *
   * <p>Nothing of them is sealed before they were looked for.
   */
  public record Newcomers(List<SessionKey> sessions, List<HotTrace> traces) {
    public boolean isEmpty() {
      return sessions.isEmpty() && traces.isEmpty();
    }
  }

  /**
   * Everything that the journal brought back: a session that is open for hours has parts in
   * segments whose ids are forgotten.
   */
  public Newcomers takeReplayed() {
    settle();
    return taken(newcomers.stream().filter(key -> !key.lane()).distinct().toList());
  }

  /** What is new and, by its ids, may be in segments of the last hour. */
  public Newcomers takeNewcomers() {
    settle();
    List<SessionKey> known = new ArrayList<>();
    for (SessionKey key : newcomers) {
      HotSession session = sessions.get(key);
      boolean unsure = session == null || session.unsure;
      if (unsure && !key.lane() && sealed.mayHold(key)) {
        known.add(key);
      } else if (session != null) {
        session.unsure = false;
      }
    }
    return taken(known);
  }

  private Newcomers taken(List<SessionKey> known) {
    Newcomers taken = new Newcomers(known, knownTraces);
    newcomers = new ArrayList<>();
    knownTraces = new ArrayList<>();
    return taken;
  }

  /** These were looked for; what was found of them is back. */
  public void lookedUp(Newcomers known) {
    for (SessionKey key : known.sessions()) {
      HotSession session = sessions.get(key);
      if (session != null) {
        session.unsure = false;
      }
    }
    for (HotTrace trace : known.traces()) {
      trace.unsure = false;
      lookAgain(trace); // What of its parents did not come back is in no session.
    }
  }

  /** They could not be looked for; they will be taken again. */
  public void putBack(Newcomers known) {
    newcomers.addAll(known.sessions());
    knownTraces.addAll(known.traces());
  }

  /**
   * What waits for something that may be in any segment: verdicts for their session, at most so
   * many, and spans for their parent, which may name it.
   */
  public Newcomers takeWaiting(int most, long nowNs) {
    settle();
    Newcomers wanted = waiting.toSearch(most, nowNs);
    if (nowNs - orphansNs >= ORPHANS_NS || nowNs < orphansNs) {
      orphansNs = nowNs;
      forEachTrace(
          trace -> {
            boolean old = trace.orphaned && nowNs - trace.newsNs > ORPHAN_NS;
            if (old && !trace.searched && wanted.traces().size() < most) {
              trace.searched = true;
              wanted.traces().add(trace);
            }
          });
    }
    return wanted;
  }

  /** They could not be looked for in all segments; they will be taken again. */
  public void searchAgain(Newcomers wanted) {
    waiting.searchAgain(wanted);
    wanted.traces().forEach(trace -> trace.searched = false);
  }

  public int waitingVerdicts() {
    return waiting.count();
  }

  /** Drops verdicts that waited too long, and says so. */
  public void expireVerdicts(long nowNs) {
    waiting.expire(
        nowNs,
        (trace, verdict) -> {
          counts.refused(NO_SESSION, 1);
          HotRun run = runs.get(WaitingVerdicts.runOf(verdict));
          if (run != null) {
            run.droppedVerdicts++;
          }
          lookAgain(trace);
        });
  }

  /** Segments hold spans of a session that has news: their times come back. */
  public void returned(ReturnedSession back) {
    HotSession known = sessions.get(back.key());
    if (known == null || known.parts == 0) {
      HotSession session = known == null ? create(back.key()) : known;
      session.run.returned(back.key().id(), back.row());
      rejoin(session, back);
    }
  }

  /** Segments hold a session in two rows that do not know of each other: they become one. */
  public void reunited(ReturnedSession back) {
    HotSession known = sessions.get(back.key());
    HotSession session = known == null ? create(back.key()) : known;
    if (!session.reunited) {
      session.run.returned(back.key().id(), back.row());
      session.goneSpans = 0;
      session.goneErrors = 0;
      session.goneCounters = Map.of();
      session.sealedSelfNs = 0;
      for (HotSpan span : session.spans) {
        session.sealedSelfNs += span.sealed ? span.selfNs : 0;
      }
      rejoin(session, back);
      session.reunited = true;
      session.revised = true;
    }
  }

  @SuppressWarnings("ReferenceEquality") // which of two records, not what they say
  private void rejoin(HotSession session, ReturnedSession back) {
    version++;
    session.parts = Math.max(session.parts, back.parts());
    session.unsure = false;
    Verdict decided = back.verdict();
    if (decided != null) {
      session.verdict = session.verdict == null ? decided : decided.and(session.verdict);
    }
    session.revised = session.verdict != decided;
    session.changed();
    for (ReturnedSession.SealedSpan one : back.spans()) {
      SpanRecord told = one.span();
      HotTrace trace = trace(told.traceHigh(), told.traceLow());
      HotSpan known = trace.find(told.spanId());
      if (known == null) {
        HotSpan span = one.in(trace);
        session.sealedSelfNs += span.selfNs;
        counts.skeletons++;
        trace.add(span);
        session.add(span);
        session.run.sawSealed(told);
        touch(trace, trace.newsNs);
      } else if (known.session == session && !known.sealed && !known.sealing && !told.isOpen()) {
        known.sealed = true; // It came again, too late to be recognised at once.
        known.selfNs = one.selfNs();
        session.sealedSelfNs += known.selfNs;
        sealed(known);
        counts.duplicates++;
        known.strip();
      }
    }
  }

  // ---- giving away -----------------------------------------------------------------------------

  /** These spans are in a segment now; only their times stay, for their session. */
  void sealed(Collection<SpanRow> rows) {
    version++;
    for (SpanRow row : rows) {
      HotSpan span = row.span();
      span.sealed = true;
      span.sealing = false;
      span.session.sealedSelfNs += row.selfNs();
      span.selfNs = row.selfNs();
      sealed(span);
    }
  }

  private void sealed(HotSpan span) {
    counts.sealed(span);
    Processes.closed(span);
  }

  /** The oldest points, at most about this many: all of a request or none. */
  public List<HotPoint> oldestPoints(int most) {
    int end = Math.min(most, points.size());
    while (end > 0
        && end < points.size()
        && points.get(end).position().equals(points.get(end - 1).position())) {
      end++;
    }
    return List.copyOf(points.subList(0, end));
  }

  /** The oldest points are in a segment now. */
  public void dropPoints(int count) {
    points.subList(0, count).clear();
  }

  /** Nobody could be heard while the store was closed. */
  public void excuseSilence(long nowNs) {
    processes.excuse(nowNs);
  }

  // ---- for the journal -------------------------------------------------------------------------

  /**
   * What must be written into the journal once more before older files go.
   *
   * @param verdicts with when they came in, as far as that matters; else 0
   */
  public record Restated(
      List<SpanRecord> spans,
      IdentityHashMap<Verdict, Long> verdicts,
      List<Sign> signs,
      List<Moved> moved) {

    /** They are in this file now, except those that something was added to in the meantime. */
    @SuppressWarnings("ReferenceEquality") // a span that changed got a new record
    public void moveTo(long journalFile) {
      for (Moved one : moved) {
        if (one.span().told == one.as()) {
          one.span().journalFile = journalFile;
        }
      }
    }
  }

  /** A span, and as what it was written. */
  public record Moved(HotSpan span, SpanRecord as) {}

  /** The oldest journal file that holds a closed span or a point that is in no segment. */
  public long oldestUnsealedFile() {
    long[] oldest = {points.isEmpty() ? Long.MAX_VALUE : points.get(0).position().file()};
    forEachTrace(
        trace -> {
          for (HotSpan span : trace.spans) {
            if (!span.sealed && !isRestated(span)) {
              oldest[0] = Math.min(oldest[0], span.journalFile);
            }
          }
        });
    return oldest[0];
  }

  private static boolean isRestated(HotSpan span) {
    return span.isOpen() || span.undecided;
  }

  /**
   * What is open, or waits to know where it belongs, and is in a file before this one; also what
   * shows that a parent not yet seen goes on, though it be in a segment.
   */
  public Restated restated(long beforeFile) {
    IdentityHashMap<Verdict, Long> verdicts = new IdentityHashMap<>();
    Restated all = new Restated(new ArrayList<>(), verdicts, new ArrayList<>(), new ArrayList<>());
    forEachTrace(
        trace -> {
          for (HotSpan span : trace.spans) {
            if (!span.sealed && isRestated(span) && span.journalFile < beforeFile) {
              restate(span, all);
            }
          }
          for (Inferred one : trace.inferred) {
            if (one.child().sealed && one.child().journalFile < beforeFile) {
              restate(one.child(), all);
            }
          }
          trace.verdicts.values().forEach(verdict -> verdicts.put(verdict, 0L));
        });
    // The trace that a session's verdict came with may be forgotten before the session.
    for (HotSession session : sessions.values()) {
      if (session.verdict != null) {
        verdicts.put(session.verdict, 0L);
      }
    }
    waiting.forEach(verdicts::put);
    processes.restate(all.signs()::add);
    return all;
  }

  private static void restate(HotSpan span, Restated all) {
    span.detach();
    all.spans().addAll(span.versions == null ? List.of(span.told) : span.versions);
    all.moved().add(new Moved(span, span.told));
  }

  // ---- history ---------------------------------------------------------------------------------

  /**
   * What segments hold, counted anew.
   *
   * @param told sessions that are only in segments
   * @param spans in segments, by run
   */
  public void recount(List<HotRun.History> told, Map<String, Long> spans) {
    version++;
    runs.values().forEach(HotRun::forgetCounts);
    told.forEach(one -> run(one.run()).history(one));
    spans.forEach((run, count) -> run(run).sealedSpans = count);
    Set<String> waitingRuns = new HashSet<>();
    points.forEach(point -> waitingRuns.add(point.point().runOrFallback()));
    runs.values()
        .forEach(
            run -> {
              if (!spans.containsKey(run.name) && !waitingRuns.contains(run.name)) {
                run.forgetPoints();
              }
            });
    dropEmptyRuns();
  }

  /** The board no longer lists finished sessions of before. */
  public void dropCards(long beforeNs) {
    runs.values().forEach(run -> run.dropCards(beforeNs));
  }

  /**
   * A session that is only in segments.
   *
   * @param startNs when it was submitted, else first heard of
   * @param lastNs when something last happened in it
   * @param latest name of the span in which that was
   * @param heardFrom where that was
   * @param words stages and errors of its spans
   */
  public record Finished(
      String session,
      String traceId,
      String taskName,
      Status status,
      String sourceStatus,
      String reason,
      String batch,
      Long trainStep,
      String task,
      Worker worker,
      long startNs,
      int spans,
      long lastNs,
      String latest,
      Worker heardFrom,
      Set<String> words) {}

  /** The board lists it; it is counted already. Nothing happens if its run was deleted. */
  public void finished(String run, Finished session) {
    HotRun of = runs.get(run);
    if (of != null) {
      of.cards.put(session.session(), LiveView.card(of, session));
    }
  }

  /** Which processes took sessions of a run with them that are only in segments. */
  public Deaths deaths(String run) {
    return run(run).deaths;
  }

  /** When something last happened in a run's spans in segments. */
  public void happened(String run, String clock, long ns) {
    run(run).happened(clock, ns);
  }

  /** What a run's spans in segments say of its project and framework. */
  public void about(String run, String project, String system) {
    run(run).about(project, system);
  }

  /** Closed spans of a stage that are in segments; counts as {@link StageTimes} has them. */
  public void took(String run, String stage, long[] counts, double sumS) {
    run(run).stageTimes.add(stage, counts, sumS);
  }

  /** Segments hold metric points of a run. */
  public void points(String run, long firstNs, long lastNs) {
    run(run).points(firstNs, lastNs);
  }

  /** A closed span that is in a segment. */
  public void usual(String run, String stage, long endNs, long durationNs) {
    run(run).usual.add(stage, endNs, durationNs);
  }

  /** Forgets everything of a run. Returns how many spans that no segment holds went. */
  public long forgetRun(String name) {
    settle();
    waiting.forgetRun(name, (trace, verdict) -> lookAgain(trace));
    recentPoints.clear(); // It may be sent again.
    steps.forget(name);
    book.forget(name);
    HotRun run = runs.remove(name);
    long spans = 0;
    if (run != null) {
      for (HotSession session : List.copyOf(run.sessions)) {
        for (HotSpan span : session.spans) {
          if (!span.sealed) {
            spans++;
            sealed(span);
            span.sealed = true;
          }
        }
        session.inferred.clear();
        remove(session);
      }
    }
    version++;
    return spans;
  }

  /** Forgets a session whose spans are all in segments. */
  void remove(HotSession session) {
    dropSkeletons(session);
    if (!session.spans.isEmpty()) {
      throw new IllegalStateException("a span that no segment holds is about to be forgotten");
    }
    forget(session);
  }

  /** Forgets what of a session is in segments. */
  void dropSkeletons(HotSession session) {
    drop(session.spans.stream().filter(s -> s.sealed).toList());
  }

  /** Forgets spans that are in segments. */
  void drop(List<HotSpan> spans) {
    Set<HotTrace> concerned = new HashSet<>();
    for (HotSpan span : spans) {
      HotSession session = span.session;
      session.goneSpans++;
      session.goneErrors += span.told.outcome() == Outcome.ERROR ? 1 : 0;
      session.goneCounters = SpanCounters.sum(session.goneCounters, span.counters());
      if (!session.key.lane() && !span.trace.verdicts.isEmpty()) {
        span.trace.verdicts.remove(span.told.spanId()); // Its session knows it.
      }
      session.remove(span);
      counts.forgotten();
      concerned.add(span.trace);
    }
    for (HotTrace trace : concerned) {
      trace.maybeSealed = true;
      trace.lookedUp = false;
      trace.removeGone();
      if (trace.spans.isEmpty() && !trace.dirty && !trace.verdictWaits) {
        traces.remove(new TraceId(trace.high, trace.low), trace);
      }
    }
  }

  /** Forgets runs that have neither sessions nor history: what they had was another run's. */
  void dropEmptyRuns() {
    runs.values().removeIf(HotRun::isEmpty);
  }

  /** Forgets traces of which only verdicts came in, and for a long time nothing else. */
  void dropEmptyTraces(long before) {
    traces
        .values()
        .removeIf(t -> t.spans.isEmpty() && !t.dirty && !t.verdictWaits && t.newsNs < before);
  }

  private void forget(HotSession session) {
    sessions.remove(session.key);
    session.run.sessions.remove(session);
  }

  // ---- looking ---------------------------------------------------------------------------------

  /**
   * Lets the open work of a run count up to then, until {@link #asOfNow}. Returns false if that
   * would change nothing.
   */
  public boolean asOf(String run, long nowNs, long clockNs) {
    HotRun of = runs.get(run);
    boolean other = of != null && of.isOtherTime(nowNs, clockNs) && of.hasOpen();
    if (other) {
      of.asOfNs = nowNs;
      seenAsOf = of;
    }
    return other;
  }

  /** The open work of every run counts as is usual. */
  public void asOfNow() {
    if (seenAsOf != null) {
      seenAsOf.asOfNs = Nanos.UNKNOWN;
      seenAsOf = null;
    }
  }

  public Collection<HotSession> sessions() {
    return sessions.values();
  }

  public HotSession session(SessionKey key) {
    return sessions.get(key);
  }

  public Map<String, HotRun> runs() {
    return runs;
  }

  public Processes processes() {
    return processes;
  }

  public Counts counts() {
    return counts;
  }

  public int traceCount() {
    return traces.size();
  }

  public int pointCount() {
    return points.size();
  }

  public List<HotPoint> points() {
    return points;
  }

  /** Changes with every request and every seal. */
  public long version() {
    return version;
  }

  void forEachTrace(Consumer<HotTrace> visitor) {
    traces.values().forEach(visitor);
  }
}
