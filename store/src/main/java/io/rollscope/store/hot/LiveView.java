package io.rollscope.store.hot;

import io.rollscope.core.accounting.Group;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.session.SessionSummary;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.Drops;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.LiveReport.Row;
import io.rollscope.core.view.LiveReportBuilder;
import io.rollscope.core.view.LiveTally;
import io.rollscope.core.view.ReportContext.SkippedLines;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.ScopeRule;
import io.rollscope.core.view.SessionFilter;
import io.rollscope.otlp.record.Origin;
import io.rollscope.otlp.record.Sign;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/** Makes one live report of a run in memory. */
public final class LiveView implements LiveReportBuilder.Source<HotSession> {
  private static final int USUAL_ROWS = 100;

  private final HotRun run;
  private final ReportRequest request;
  private final Processes processes;
  private final long clockNs;
  private final long nowNs;
  private final ScopeRule scope;
  private final LiveReportBuilder<HotSession> board;
  private final LiveTally tally;
  private final LiveWorkers workers = new LiveWorkers();
  private final Deaths deaths;
  private final List<HotSpan> open = new ArrayList<>();
  private long unsealed;
  private SessionSummary<HotSpan> last; // Mostly the next is in the same batch.
  private Coordinates lastAt;

  private LiveView(HotRun run, ReportRequest request, Processes processes, long clockNs) {
    this.run = run;
    this.request = request;
    this.processes = processes;
    this.clockNs = clockNs;
    this.nowNs = request.nowNs() == Nanos.UNKNOWN ? run.now(clockNs) : request.nowNs();
    this.scope = new ScopeRule(request.scope());
    int skipped = request.cursor() == null ? 0 : Integer.parseInt(request.cursor());
    this.board =
        new LiveReportBuilder<>(this, run.usual::p95, skipped, request.limitOr(USUAL_ROWS));
    this.tally = board.tally();
    this.deaths = new Deaths(run.deaths);
  }

  /**
   * Looks at a run; the store must be settled.
   *
   * @param clockNs our own clock
   */
  public static LiveReport of(
      HotRun run, ReportRequest request, Processes processes, long clockNs) {
    return new LiveView(run, request, processes, clockNs).report();
  }

  private LiveReport report() {
    findBatch();
    for (HotSession session : run.sessions) {
      for (HotSpan span : session.spans) {
        unsealed += span.sealed ? 0 : 1;
      }
      if (session.key.lane()) {
        addOpen(session, null);
      } else {
        add(session);
      }
    }
    addGone();
    run.eachProcess(this::addProcess);
    Drops drops = run.drops();
    Map<String, Long> dropped = drops.totals();
    dropped.put("verdicts", run.droppedVerdicts);
    List<Row> rows = board.rows();
    return new LiveReport(
        Nanos.toSeconds(nowNs),
        request.nowNs() == Nanos.UNKNOWN && !run.isLive(clockNs),
        "",
        run.name,
        request.scope().word(),
        board.eventCount(),
        run.sealedSpans + unsealed,
        board.sessionSummary(),
        board.taskSummary(),
        board.openSpans(),
        rows,
        tally.workers(worker -> workers.state(worker, processes, clockNs)),
        deaths.lines(run),
        tally.batch(),
        tally.finishedLastMinute(),
        board.overdue(),
        dropped,
        drops.worst(),
        List.of(),
        new SkippedLines(0, List.of()));
  }

  // ---- scope -----------------------------------------------------------------------------------

  private void findBatch() {
    if (!scope.needsSessions()) {
      return;
    }
    for (var entry : run.gone.entrySet()) {
      HotRun.Gone gone = entry.getValue();
      if (gone.total() > 0) {
        String batch = entry.getKey().isEmpty() ? null : entry.getKey();
        scope.see("", at(batch, gone.trainStep, gone.modelStep, gone.futureStep), gone.lastNs);
      }
    }
    for (HotSession session : run.sessions) {
      if (!session.key.lane()) {
        SessionSummary<HotSpan> facts = session.facts();
        session.status(processes, clockNs); // Whether it is lost, and until when it was heard of.
        scope.see(session.key.id(), at(facts), session.lastNs());
      }
    }
  }

  private Coordinates at(SessionSummary<HotSpan> facts) {
    boolean again =
        last != null
            && Objects.equals(last.batch(), facts.batch())
            && Objects.equals(last.trainStep(), facts.trainStep())
            && Objects.equals(last.modelStep(), facts.modelStep())
            && Objects.equals(last.futureStep(), facts.futureStep());
    if (!again) {
      last = facts;
      lastAt = at(facts.batch(), facts.trainStep(), facts.modelStep(), facts.futureStep());
    }
    return lastAt;
  }

  /** A batch that only its steps are known of has no name of its own. */
  private static Coordinates at(String batch, Long train, Long model, Long future) {
    boolean named = batch != null && !batch.equals(Scope.batchOf(train, model, future));
    return new Coordinates(
        named ? batch : null, train, model, future, null, null, Worker.UNKNOWN, null);
  }

  /** A session that has gone on to another batch is still in scope with what it did before. */
  private boolean isInScope(HotSession session, SessionSummary<HotSpan> facts, Status status) {
    if (scope.includes(facts.batch(), status)) {
      return true;
    }
    String narrowed = scope.narrowedTo();
    return narrowed != null && session.spans.stream().anyMatch(s -> narrowed.equals(s.batch()));
  }

  // ---- sessions --------------------------------------------------------------------------------

  private void add(HotSession session) {
    SessionSummary<HotSpan> facts = session.facts();
    Status status =
        scope.needsSessions() ? session.statusAsSeen() : session.status(processes, clockNs);
    if (status == Status.LOST) {
      deaths.add(session);
    }
    if (!isInScope(session, facts, status)) {
      return;
    }
    HotSpan newest = status == Status.RUNNING ? addOpen(session, session) : null;
    board.sessions(status, 1);
    board.events(session.spans.size() + session.goneSpans);
    tally(session, facts, status);
    String stage = stage(session, newest, status);
    if (stage != null) {
      board.runs(stage);
    }
    SessionFilter filter = request.filter();
    if (!filter.isEmpty() && !filter.passes(new Subject(session, facts, status, stage))) {
      return;
    }
    if (stage == null) {
      board.offerIdle(session.key.id(), Math.max(0, Nanos.toSeconds(session.lastNs())), session);
    } else {
      board.offerOpen(
          session.key.id(),
          age(session, newest),
          newest == null ? null : run.usual.p95(stage),
          session);
    }
  }

  /** What time it is on the session's own clock. */
  private long now(HotSession session) {
    return HotRun.isRelative(session.clock()) ? run.lastRelativeNs : nowNs;
  }

  /**
   * Tells of the open spans of a session or lane; containers count, except those that following a
   * folder adds: its format knows none. Returns the one it stands in, or null.
   */
  private HotSpan addOpen(HotSession session, HotSession of) {
    open.clear();
    for (HotSpan span : session.spans) {
      if (span.isOpen() && !isMadeUp(span) && !span.isLost(processes, clockNs)) {
        open.add(span);
      }
    }
    if (open.isEmpty() && (of == null || session.inferred.isEmpty())) {
      return null;
    }
    int newest = newest(open);
    board.begin(session.key.id(), () -> traceId(session), now(session));
    for (HotSpan span : open) {
      board.open(
          span.told.name(),
          span.stage(),
          span.told.startNs(),
          workers.label(span),
          around(span),
          span.told.origin().instance());
    }
    for (int i = 0; of != null && i < session.inferred.size(); i++) {
      HotSpan child = session.inferred.get(i).child();
      long since = session.inferred.get(i).startNs();
      board.open(Inferred.NAME, Inferred.NAME, since, workers.label(child), -1, null);
    }
    board.end(newest, of);
    return newest < 0 ? null : open.get(newest);
  }

  private static String traceId(HotSession session) {
    return session.traceId() == null ? session.key.id() : session.traceId();
  }

  /** Number of the open span around this one, or -1. */
  private int around(HotSpan span) {
    for (int i = 0; span.told.parentId() != 0 && i < open.size(); i++) {
      if (open.get(i).told.spanId() == span.told.parentId()) {
        return i;
      }
    }
    return -1;
  }

  /** The one that began last, a container only if nothing else is open. */
  private static int newest(List<HotSpan> open) {
    int newest = -1;
    for (int i = 0; i < open.size(); i++) {
      newest = newest < 0 || isNewer(open.get(i), open.get(newest)) ? i : newest;
    }
    return newest;
  }

  private static boolean isNewer(HotSpan a, HotSpan b) {
    boolean container = a.told.kind().isContainer();
    if (container != b.told.kind().isContainer()) {
      return !container;
    }
    return a.told.startNs() != b.told.startNs()
        ? a.told.startNs() > b.told.startNs()
        : Long.compareUnsigned(a.told.spanId(), b.told.spanId()) < 0;
  }

  private static boolean isMadeUp(HotSpan span) {
    return span.told.kind().isContainer() && !span.recordsParents();
  }

  /** What it is in: its newest open span; a parent not yet seen if nothing else is open. */
  private static String stage(HotSession session, HotSpan newest, Status status) {
    if (newest != null) {
      return newest.stage();
    }
    return status != Status.RUNNING || session.inferred.isEmpty() ? null : Inferred.NAME;
  }

  /** How long what it is in has been open, in seconds. */
  private double age(HotSession session, HotSpan newest) {
    long since =
        newest != null
            ? newest.told.startNs()
            : session.inferred.stream().mapToLong(Inferred::startNs).min().orElse(nowNs);
    return Nanos.toSeconds(Math.max(0, now(session) - since));
  }

  @Override
  public Row row(HotSession session) {
    SessionSummary<HotSpan> facts = session.facts();
    Status status = session.status(processes, clockNs);
    HotSpan newest = null;
    if (status == Status.RUNNING) {
      List<HotSpan> here =
          session.spans.stream()
              .filter(s -> s.isOpen() && !isMadeUp(s) && !s.isLost(processes, clockNs))
              .toList();
      newest = here.isEmpty() ? null : here.get(newest(here));
    }
    String stage = stage(session, newest, status);
    String name = stage == null ? null : newest == null ? Inferred.NAME : newest.told.name();
    String worker = newest == null ? null : workers.label(newest);
    long last = session.lastNs();
    long start = start(facts);
    boolean done = status == Status.QUEUED && facts.latest() != null;
    return new Row(
        traceId(session),
        session.key.id(),
        facts.taskName(),
        status.word(),
        facts.sourceStatus(),
        stage,
        facts.latest() == null ? null : facts.latest().told.name(),
        name,
        stage == null ? null : (Double) age(session, newest),
        newest == null ? null : run.usual.p95(stage),
        false,
        last == Nanos.UNKNOWN ? null : Nanos.toSeconds(last),
        session.spans.size() + session.goneSpans,
        worker == null ? facts.worker().label() : worker,
        facts.trainStep(),
        facts.task(),
        facts.batch(),
        start == Nanos.UNKNOWN ? null : Nanos.toSeconds(start),
        done ? Row.VERDICT : null);
  }

  /** When it was submitted, else first heard of. */
  static long start(SessionSummary<HotSpan> facts) {
    return facts.submittedNs() == Nanos.UNKNOWN ? facts.firstNs() : facts.submittedNs();
  }

  // ---- who waits for whom ----------------------------------------------------------------------

  @Override
  public Group waitingGroup(HotSession session) {
    return waitingGroup(session, processes, clockNs);
  }

  static Group waitingGroup(HotSession session, Processes processes, long clockNs) {
    return waits(session, processes, clockNs) ? group(session) : null;
  }

  private static boolean waits(HotSession session, Processes processes, long clockNs) {
    List<HotSpan> here =
        session.spans.stream()
            .filter(s -> s.isOpen() && !isMadeUp(s) && !s.isLost(processes, clockNs))
            .toList();
    HotSpan newest = here.isEmpty() ? null : here.get(newest(here));
    boolean endedChild = false;
    for (HotSpan span : session.spans) {
      if (newest != null && isInside(span, newest)) {
        if (span.isOpen()) {
          return false;
        }
        endedChild = true;
      }
    }
    return endedChild;
  }

  /** Where no parents are recorded, what began later: nothing newer is open. */
  private static boolean isInside(HotSpan span, HotSpan newest) {
    return newest.recordsParents()
        ? newest.spanId() == span.parentId()
        : span.startNs() > newest.startNs();
  }

  private static Group group(HotSession session) {
    return Group.of(session.facts().batch(), session.facts().task(), session.inferredGroup());
  }

  @Override
  public Set<Group> atWork(Set<Group> groups) {
    return atWork(run, groups, processes, clockNs);
  }

  static Set<Group> atWork(HotRun run, Set<Group> groups, Processes processes, long clockNs) {
    Set<Group> found = new HashSet<>();
    for (HotSession session : run.sessions) {
      Group group = session.key.lane() ? null : group(session);
      if (group != null
          && groups.contains(group)
          && session.status(processes, clockNs).isUnfinished()
          && !waits(session, processes, clockNs)) {
        found.add(group);
      }
    }
    return found;
  }

  @Override
  public double delayS(String instance) {
    return processes.delayS(instance);
  }

  // ---- workers and batches ---------------------------------------------------------------------

  private void tally(HotSession session, SessionSummary<HotSpan> facts, Status status) {
    boolean unfinished = status.isUnfinished();
    tally.ended(workers.label(facts.worker().role(), facts.worker().rank()), status);
    tally.sessions(
        facts.batch(), facts.trainStep(), start(facts), session.lastNs(), 1, unfinished ? 0 : 1);
    if (facts.latest() != null) {
      String worker = workers.label(facts.latest());
      tally.happened(worker, session.lastNs());
      workers.runs(worker, facts.latest().told.origin().instance());
    }
    if (!unfinished) {
      tally.endedAgo(now(session) - session.lastNs());
    }
    for (int i = 0; status == Status.RUNNING && i < open.size(); i++) {
      HotSpan span = open.get(i);
      String worker = workers.label(span);
      tally.open(worker, now(session) - span.told.startNs());
      workers.runs(worker, span.told.origin().instance());
    }
  }

  /** A process that beats is there although it may do nothing. */
  private void addProcess(Sign last) {
    Origin origin = last.origin();
    String worker = workers.label(origin.workerRole(), origin.workerRank());
    tally.worker(worker);
    workers.runs(worker, origin.instance());
  }

  // ---- sessions that left ----------------------------------------------------------------------

  /** What the board keeps of a session that is about to leave. */
  static HotRun.Card card(HotRun run, HotSession session, Processes processes, long clockNs) {
    SessionSummary<HotSpan> facts = session.facts();
    ReportRequest all = ReportRequest.of(Scope.ALL).limit(1);
    LiveView view = new LiveView(run, all, processes, clockNs);
    Row row = view.row(session);
    Status status = session.status(processes, clockNs);
    Subject subject = new Subject(session, facts, status, row.stage());
    return new HotRun.Card(
        row,
        facts.batch(),
        status,
        session.spans.size() + session.goneSpans,
        session.lastNs(),
        facts.worker(),
        facts.latest() == null ? null : view.workers.label(facts.latest()),
        facts.reason(),
        run.words(subject.words()));
  }

  /** The same of one that had left before this process began. */
  static HotRun.Card card(HotRun run, HotStore.Finished of) {
    Row row =
        new Row(
            of.traceId() == null ? of.session() : of.traceId(),
            of.session(),
            of.taskName(),
            of.status().word(),
            of.sourceStatus(),
            null,
            of.latest(),
            null,
            null,
            null,
            false,
            Nanos.toSeconds(of.lastNs()),
            of.spans(),
            of.worker().label(),
            of.trainStep(),
            of.task(),
            of.batch(),
            Nanos.toSeconds(of.startNs()),
            of.status() == Status.QUEUED ? Row.VERDICT : null);
    return new HotRun.Card(
        row,
        of.batch(),
        of.status(),
        of.spans(),
        of.lastNs(),
        of.worker(),
        of.heardFrom().label(),
        of.reason(),
        run.words(of.words()));
  }

  private void addGone() {
    run.gone.forEach(
        (batch, gone) -> {
          String id = batch.isEmpty() ? null : batch;
          for (Status status : Status.values()) {
            int sessions = gone.byStatus[status.ordinal()];
            if (sessions > 0 && scope.includes(id, status)) {
              board.sessions(status, sessions);
              tally.sessions(
                  id,
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
        board.events(card.spans());
        tally(card);
        if (request.filter().isEmpty() || request.filter().passes(card)) {
          board.offer(card.row());
        }
      }
    }
  }

  /** How many sessions its batch has is known without it. */
  private void tally(HotRun.Card card) {
    tally.ended(workers.label(card.worker().role(), card.worker().rank()), card.status());
    if (card.row().latestTimestampS() != null) {
      tally.happened(card.heardFrom(), card.lastNs());
      if (!card.status().isUnfinished()) {
        tally.endedAgo(nowNs - card.lastNs());
      }
    }
  }

  /** A session as filters see it. */
  private record Subject(HotSession of, SessionSummary<HotSpan> facts, Status status, String stage)
      implements SessionFilter.Subject {
    @Override
    public String session() {
      return of.key.id();
    }

    @Override
    public String traceId() {
      return of.traceId();
    }

    @Override
    public String task() {
      return facts.task();
    }

    @Override
    public String taskName() {
      return facts.taskName();
    }

    @Override
    public Worker worker() {
      return facts.worker();
    }

    @Override
    public String reason() {
      return facts.reason();
    }

    @Override
    public boolean isOfStage(String wanted) {
      return wanted.equals(stage);
    }

    @Override
    public boolean anySpan(Predicate<String> like) {
      return words().stream().anyMatch(like);
    }

    /** Stages and errors of its spans. */
    Set<String> words() {
      Set<String> words = new HashSet<>();
      for (HotSpan span : of.spans) {
        words.add(span.stage());
        if (span.error() != null) {
          words.add(span.error());
        }
      }
      return words;
    }
  }
}
