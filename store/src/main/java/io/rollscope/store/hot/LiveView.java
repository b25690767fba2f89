package io.rollscope.store.hot;

import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import io.rollscope.core.session.SessionSummary;
import io.rollscope.core.stats.Durations;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.Drops;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.LiveReport.OpenSpanSummary;
import io.rollscope.core.view.LiveReport.Row;
import io.rollscope.core.view.LiveReport.TaskSummary;
import io.rollscope.core.view.LiveTally;
import io.rollscope.core.view.ReportContext.SkippedLines;
import io.rollscope.otlp.record.Origin;
import io.rollscope.otlp.record.Sign;
import io.rollscope.store.LiveQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes one live report of a run (contracts.md 6.6). */
public final class LiveView {
  private static final List<Status> ORDER =
      List.of(
          Status.RUNNING,
          Status.QUEUED,
          Status.COMPLETED,
          Status.ACCEPTED,
          Status.REJECTED,
          Status.FAILED,
          Status.DROPPED,
          Status.CANCELLED,
          Status.LOST);

  private final HotRun run;
  private final LiveQuery query;
  private final Processes processes;
  private final long nowNs;
  private final BatchScope scope;
  private final RowFilter filter;

  private final int[] byStatus = new int[Status.values().length];
  private final Map<String, Integer> stages = new HashMap<>();
  private final Map<String, Open> open = new HashMap<>();
  private final TopRows top;
  private final LiveTally tally = new LiveTally();
  private final LiveWorkers workers = new LiveWorkers();
  private long events;
  private long unsealed;
  private int running;

  private LiveView(HotRun run, LiveQuery query, Processes processes, long nowNs) {
    this.run = run;
    this.query = query;
    this.processes = processes;
    this.nowNs = nowNs;
    scope = new BatchScope(run, query.scope());
    filter = new RowFilter(query);
    top = new TopRows(query.offset() + query.limit());
  }

  /** Looks at a run; the store must be settled. */
  public static LiveReport of(HotRun run, LiveQuery query, Processes processes, long nowNs) {
    return new LiveView(run, query, processes, nowNs).report();
  }

  private static boolean isSuspect(double age, Double usual) {
    return usual != null && age > 2 * usual;
  }

  /** All open spans of one name. */
  private static final class Open {
    final Durations ages = new Durations();
    String stage;
    long oldest = -1;
    HotSpan span;
    HotSession session;
  }

  private LiveReport report() {
    for (HotSession session : run.sessions) {
      for (HotSpan span : session.spans) {
        unsealed += span.sealed ? 0 : 1;
      }
      if (session.key.lane()) {
        session.spans.forEach(s -> sawOpen(session, s));
      } else {
        add(session);
      }
    }
    addGone();
    run.eachProcess(this::addProcess);
    int total = 0;
    Map<String, Integer> summary = new LinkedHashMap<>();
    summary.put("total", 0);
    for (Status status : ORDER) {
      total += byStatus[status.ordinal()];
      summary.put(status.word(), byStatus[status.ordinal()]);
    }
    summary.put("total", total);
    Drops drops = run.drops();
    Map<String, Long> dropped = drops.totals();
    dropped.put("verdicts", run.droppedVerdicts);
    return new LiveReport(
        Nanos.toSeconds(run.now(nowNs)),
        run.isPast(),
        "",
        query.run(),
        query.scope().word(),
        events,
        run.sealedSpans + unsealed,
        summary,
        new TaskSummary(total, running, total - running, mostFirst(stages)),
        openSpans(),
        top.rows(query.offset(), this::row),
        tally.workers(worker -> workers.state(worker, processes, nowNs)),
        tally.batch(),
        tally.finishedLastMinute(),
        dropped,
        drops.worst(),
        List.of(),
        new SkippedLines(0, List.of()));
  }

  private void add(HotSession session) {
    SessionSummary<HotSpan> facts = session.facts();
    Status status = session.status(processes, nowNs);
    if (goesOn(status)) {
      session.spans.forEach(s -> sawOpen(session, s));
      for (Inferred one : session.inferred) {
        saw(Inferred.NAME, Inferred.NAME, session.now(nowNs) - one.startNs(), one.child(), session);
      }
    }
    if (!scope.includes(facts.batch(), status)) {
      return;
    }
    byStatus[status.ordinal()]++;
    events += session.spans.size() + session.goneSpans;
    tally(session, facts, status);
    String stage = stage(session, facts, status);
    if (stage != null) {
      running++;
      stages.merge(stage, 1, Integer::sum);
    }
    if (filter.passes(session, facts, status, stage)) {
      offer(session, facts, stage);
    }
  }

  private void offer(HotSession session, SessionSummary<HotSpan> facts, String stage) {
    if (stage == null) {
      top.offerIdle(session, facts.lastNs() == Nanos.UNKNOWN ? 0 : Nanos.toSeconds(facts.lastNs()));
    } else {
      Double usual = facts.newestOpen() == null ? null : run.usual.p95(stage);
      top.offerOpen(session, openAge(session, facts), usual);
    }
  }

  /** How long what it is in has been open, in seconds. */
  private double openAge(HotSession session, SessionSummary<HotSpan> facts) {
    long since =
        facts.newestOpen() != null
            ? facts.newestOpen().told.startNs()
            : session.inferred.stream().mapToLong(Inferred::startNs).min().orElse(nowNs);
    return Nanos.toSeconds(Math.max(0, session.now(nowNs) - since));
  }

  /** What was decided holds, whatever spans of it never ended. */
  private static boolean goesOn(Status status) {
    return status == Status.RUNNING || status == Status.LOST;
  }

  /** What it is in: its newest open span; a parent not yet seen if nothing else is open. */
  private static String stage(HotSession session, SessionSummary<HotSpan> facts, Status status) {
    if (!goesOn(status)) {
      return null;
    }
    if (facts.newestOpen() != null) {
      return facts.newestOpen().stage();
    }
    return session.inferred.isEmpty() ? null : Inferred.NAME;
  }

  private Row row(HotSession session) {
    SessionSummary<HotSpan> facts = session.facts();
    Status status = session.status(processes, nowNs);
    String stage = stage(session, facts, status);
    HotSpan newest = stage == null ? null : facts.newestOpen();
    Double age = stage == null ? null : (Double) openAge(session, facts);
    String name = stage == null ? null : newest == null ? Inferred.NAME : newest.told.name();
    Double usual = newest == null ? null : run.usual.p95(stage);
    String worker = newest == null ? null : workers.label(newest);
    return new Row(
        session.traceId() == null ? session.key.id() : session.traceId(),
        session.key.id(),
        facts.taskName(),
        status.word(),
        facts.sourceStatus(),
        stage,
        facts.latest() == null ? null : facts.latest().told.name(),
        name,
        age,
        usual,
        age != null && isSuspect(age, usual),
        facts.lastNs() == Nanos.UNKNOWN ? null : Nanos.toSeconds(facts.lastNs()),
        session.spans.size() + session.goneSpans,
        worker == null ? facts.worker().label() : worker,
        facts.trainStep(),
        facts.task(),
        facts.batch(),
        start(facts) == Nanos.UNKNOWN ? null : Nanos.toSeconds(start(facts)));
  }

  private static long start(SessionSummary<HotSpan> facts) {
    return facts.submittedNs() == Nanos.UNKNOWN ? facts.firstNs() : facts.submittedNs();
  }

  // ---- workers and batches ---------------------------------------------------------------------

  private void tally(HotSession session, SessionSummary<HotSpan> facts, Status status) {
    boolean unfinished = status.isUnfinished();
    tally.ended(workers.label(facts.worker().role(), facts.worker().rank()), status);
    tally.sessions(
        facts.batch(), facts.trainStep(), start(facts), facts.lastNs(), 1, unfinished ? 0 : 1);
    if (facts.latest() != null) {
      String worker = workers.label(facts.latest());
      tally.happened(worker, facts.lastNs());
      workers.runs(worker, facts.latest().told.origin().instance());
    }
    if (!unfinished) {
      tally.endedAgo(session.now(nowNs) - facts.lastNs());
    }
    if (goesOn(status)) {
      for (HotSpan span : session.spans) {
        if (span.isOpen() && !isMadeUp(span)) {
          String worker = workers.label(span);
          tally.open(worker, session.now(nowNs) - span.told.startNs());
          workers.runs(worker, span.told.origin().instance());
        }
      }
    }
  }

  /** A process that beats is there although it may do nothing. */
  private void addProcess(Sign last) {
    Origin origin = last.origin();
    String worker = workers.label(origin.workerRole(), origin.workerRank());
    tally.worker(worker);
    workers.runs(worker, origin.instance());
  }

  static String worker(HotSpan span) {
    return new Worker(span.told.said().workerRole(), span.told.said().workerRank()).label();
  }

  /** The row of a session that is about to leave. */
  static Row lastRow(HotRun run, HotSession session, Processes processes, long nowNs) {
    LiveView view =
        new LiveView(
            run, LiveQuery.of(run.name, io.rollscope.core.view.Scope.ALL, 1), processes, nowNs);
    return view.row(session);
  }

  private void addGone() {
    run.gone.forEach(
        (batch, gone) -> {
          for (Status status : ORDER) {
            int sessions = gone.byStatus[status.ordinal()];
            if (scope.includes(batch.isEmpty() ? null : batch, status)) {
              byStatus[status.ordinal()] += sessions;
              tally.sessions(
                  batch.isEmpty() ? null : batch,
                  gone.trainStep,
                  gone.firstNs,
                  gone.lastNs,
                  sessions,
                  status.isUnfinished() ? 0 : sessions);
            }
          }
        });
    for (HotRun.Card card : run.cards.values()) {
      if (scope.includes(card.batch(), card.status())) {
        events += card.spans();
        tally(card);
        if (filter.passes(card)) {
          top.offer(card.row());
        }
      }
    }
  }

  /** How many sessions its batch has is known without it. */
  private void tally(HotRun.Card card) {
    tally.ended(card.row().worker(), card.status());
    if (card.row().latestTimestampS() != null) {
      long last = Math.round(card.row().latestTimestampS() * 1e9);
      tally.happened(card.row().worker(), last);
      if (!card.status().isUnfinished()) {
        tally.endedAgo(run.now(nowNs) - last);
      }
    }
  }

  // ---- open spans by name ----------------------------------------------------------------------

  /** Containers count, except those that following a folder adds: its format knows none. */
  private void sawOpen(HotSession session, HotSpan span) {
    if (span.isOpen() && !isMadeUp(span)) {
      long age = session.now(nowNs) - span.told.startNs();
      saw(span.told.name(), span.stage(), age, span, session);
    }
  }

  private static boolean isMadeUp(HotSpan span) {
    return span.told.kind().isContainer() && !span.recordsParents();
  }

  private void saw(String name, String stage, long age, HotSpan span, HotSession session) {
    Open of = open.computeIfAbsent(name, n -> new Open());
    long since = Math.max(0, age);
    of.ages.add(since);
    boolean older = since > of.oldest;
    if (older || (since == of.oldest && session.key.id().compareTo(of.session.key.id()) < 0)) {
      of.oldest = since;
      of.stage = stage;
      of.span = span;
      of.session = session;
    }
  }

  private List<OpenSpanSummary> openSpans() {
    List<OpenSpanSummary> summaries = new ArrayList<>();
    open.forEach(
        (name, of) -> {
          Double usual = run.usual.p95(of.stage);
          double oldest = Nanos.toSeconds(of.oldest);
          summaries.add(
              new OpenSpanSummary(
                  name,
                  of.stage,
                  of.ages.count(),
                  oldest,
                  of.ages.seconds(.5),
                  of.ages.seconds(.95),
                  usual,
                  isSuspect(oldest, usual),
                  of.span.trace.id(),
                  of.session.key.id(),
                  worker(of.span)));
        });
    summaries.sort(
        Comparator.comparing((OpenSpanSummary s) -> TopRows.overdue(s.oldestAgeS(), s.usualP95S()))
            .thenComparing(OpenSpanSummary::oldestAgeS)
            .reversed()
            .thenComparing(OpenSpanSummary::oldestSession));
    return summaries;
  }

  private static Map<String, Integer> mostFirst(Map<String, Integer> counts) {
    Map<String, Integer> sorted = new LinkedHashMap<>();
    counts.entrySet().stream()
        .sorted(
            Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(e -> sorted.put(e.getKey(), e.getValue()));
    return sorted;
  }
}
