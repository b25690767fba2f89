package io.rollscope.core.view;

import io.rollscope.core.accounting.Group;
import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.table.ProcessSign;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.LiveBoard.OpenSession;
import io.rollscope.core.view.LiveReport.ProcessLine;
import io.rollscope.core.view.LiveReport.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Makes one live report of what a board knows. */
final class LiveReports implements LiveReportBuilder.Source<Integer> {
  private static final long SILENT_NS = 30_000_000_000L;
  private static final String SILENT = "silent";

  private final LiveBoard board;
  private final SpanTable table;
  private final ReportContext context;
  private final long nowNs;

  LiveReports(LiveBoard board, ReportContext context, long nowNs) {
    this.board = board;
    this.table = board.table();
    this.context = context;
    this.nowNs = nowNs;
  }

  LiveReport report(SessionFilter filter, int skipped, int maxRows) {
    LiveReportBuilder<Integer> builder =
        new LiveReportBuilder<>(this, board::usualP95, skipped, maxRows);
    board.openSessions().forEach(session -> addOpen(session, builder));
    board.openLanes().forEach(lane -> addOpen(lane, builder));
    for (int s : board.inScope()) {
      builder.sessions(board.status(s), 1);
      builder.events(board.events(s));
      OpenSession open = board.openSession(s);
      String stage = open == null ? null : stage(open);
      if (stage != null) {
        builder.runs(stage);
      }
      if (filter.isEmpty() || filter.passes(subject(s, stage))) {
        offer(s, open, builder);
      }
    }
    board.tally(nowNs, builder.tally());
    Drops drops = new Drops();
    for (ProcessSign process : table.processes()) {
      builder.tally().worker(process.worker().label());
      drops.add(process);
    }
    List<Row> rows = builder.rows();
    List<ProcessLine> processes = processes();
    Map<String, Long> dropped = drops.totals();
    dropped.put("verdicts", 0L);
    return new LiveReport(
        Nanos.toSeconds(nowNs),
        false,
        context.source(),
        context.run(),
        board.scope().word(),
        builder.eventCount(),
        table.events(),
        builder.sessionSummary(),
        builder.taskSummary(),
        builder.openSpans(),
        rows,
        builder.tally().workers(worker -> state(worker, processes)),
        processes,
        builder.tally().batch(),
        builder.tally().finishedLastMinute(),
        builder.overdue(),
        dropped,
        drops.worst(),
        context.otherRuns(),
        context.skippedLines());
  }

  private void addOpen(OpenSession session, LiveReportBuilder<Integer> builder) {
    int s = session.session();
    builder.begin(table.key(s), () -> table.traceId(s), board.now(s, nowNs));
    for (int i = 0; i < session.names().length; i++) {
      SpanName name = table.nameOf(session.names()[i]);
      builder.open(
          name.raw(),
          name.stage(),
          session.starts()[i],
          session.workers()[i],
          session.parents()[i],
          null);
    }
    builder.end(session.newest(), table.isLane(s) ? null : s);
  }

  private String stage(OpenSession session) {
    return table.nameOf(session.names()[session.newest()]).stage();
  }

  private double age(OpenSession session) {
    long since = session.starts()[session.newest()];
    return Nanos.toSeconds(Math.max(0, board.now(session.session(), nowNs) - since));
  }

  private void offer(int s, OpenSession open, LiveReportBuilder<Integer> builder) {
    if (open == null) {
      long latest = board.latest(s);
      builder.offerIdle(table.key(s), latest == Nanos.UNKNOWN ? 0 : Nanos.toSeconds(latest), s);
    } else {
      builder.offerOpen(table.key(s), age(open), board.usualP95(stage(open)), s);
    }
  }

  /** On a board the stage of a session is the one it is in. */
  private SessionFilter.Subject subject(int s, String stage) {
    return new ScopeFilter.Subject(board.load(s)) {
      @Override
      public boolean isOfStage(String wanted) {
        return wanted.equals(stage);
      }
    };
  }

  // ---- sessions --------------------------------------------------------------------------------

  @Override
  public Group waitingGroup(Integer s) {
    OpenSession open = board.openSession(s);
    return open != null && open.waits() ? board.group(s) : null;
  }

  @Override
  public Set<Group> atWork(Set<Group> groups) {
    return board.atWork(groups);
  }

  /** A file says nothing of when its lines came. */
  @Override
  public double delayS(String process) {
    return 0;
  }

  /** Only the age of an open session, and what follows from it, changes by itself. */
  @Override
  public Row row(Integer s) {
    OpenSession open = board.openSession(s);
    Row row = board.row(s, n -> row(n, open));
    return open == null ? row : row.withAge(age(open), board.usualP95(row.stage()), row.suspect());
  }

  private Row row(int s, OpenSession session) {
    SessionSpans spans = board.load(s);
    SessionState state = SessionState.of(spans);
    String stage = null;
    String openSpan = null;
    String worker = state.at().worker().label();
    if (session != null) {
      SpanName name = table.nameOf(session.names()[session.newest()]);
      stage = name.stage();
      openSpan = name.raw();
      String here = session.workers()[session.newest()];
      worker = here == null ? worker : here;
    }
    int latest = spans.latestRow();
    long start = LivePlaces.startOf(table, spans);
    boolean done = state.status() == Status.QUEUED && spans.count() > 0;
    return new Row(
        table.traceId(s),
        table.key(s),
        state.at().taskName(),
        state.status().word(),
        state.sourceStatus(),
        stage,
        latest < 0 ? null : latestStage(latest),
        openSpan,
        null,
        null,
        false,
        latest < 0 ? null : Nanos.toSeconds(spans.latestTime()),
        spans.eventCount(),
        worker,
        state.at().trainStep(),
        table.taskId(s) < 0 ? state.at().task() : table.task(s),
        Scope.batchOf(state.at()),
        start == Nanos.UNKNOWN ? null : Nanos.toSeconds(start),
        done ? Row.VERDICT : null);
  }

  /** What happened last, as sources with separate starts and ends write it. */
  private String latestStage(int row) {
    String raw = table.nameOf(table.name(row)).raw();
    byte kind = table.kind(row);
    return switch (RowKind.form(kind)) {
      case RowKind.START -> raw + ".start";
      case RowKind.END ->
          raw + (RowKind.outcome(kind) == io.rollscope.core.model.Outcome.OK ? ".end" : ".error");
      default -> raw;
    };
  }

  // ---- processes -------------------------------------------------------------------------------

  /** Those that said goodbye with open work, and those that are silent while others beat. */
  private List<ProcessLine> processes() {
    List<ProcessLine> troubled = new ArrayList<>();
    for (ProcessSign process : table.processes()) {
      boolean silent = !process.ended() && table.newestEvent() - process.timeNs() > SILENT_NS;
      if (process.ended() || silent) {
        ProcessLine line = line(process);
        if (line.sessions() > 0) {
          troubled.add(line);
        }
      }
    }
    troubled.sort(ProcessLine.NEWEST_FIRST);
    return troubled;
  }

  private ProcessLine line(ProcessSign process) {
    Worker worker = process.worker();
    Status taken = process.ended() ? Status.LOST : Status.RUNNING;
    int sessions = 0;
    long since = process.ended() ? Nanos.UNKNOWN : process.timeNs();
    Set<String> batches = new TreeSet<>();
    SessionSpans spans = new SessionSpans(table);
    for (int s : board.ofStatus(taken)) {
      spans.load(s);
      long last = Nanos.UNKNOWN;
      for (int i = 0; i < spans.count(); i++) {
        if (spans.isUnended(i) && spans.at(i).worker().equals(worker)) {
          last = Math.max(last, spans.isOpen(i) ? spans.start(i) : spans.end(i));
        }
      }
      if (last != Nanos.UNKNOWN) {
        sessions++;
        since = process.ended() ? Math.max(since, last) : since;
        if (board.batch(s) != null) {
          batches.add(board.batch(s));
        }
      }
    }
    long lastNs = since;
    boolean replaced =
        table.processes().stream()
            .anyMatch(p -> p.worker().equals(worker) && p.timeNs() > lastNs && !p.ended());
    return new ProcessLine(
        worker.label(),
        worker.role(),
        worker.rank(),
        process.host(),
        process.pid(),
        process.ended() ? "lost" : SILENT,
        Nanos.toSeconds(lastNs),
        sessions,
        List.copyOf(batches),
        replaced);
  }

  private static String state(String worker, List<ProcessLine> processes) {
    return processes.stream()
        .filter(p -> SILENT.equals(p.state()) && worker.equals(p.worker()))
        .map(ProcessLine::state)
        .findFirst()
        .orElse(null);
  }
}
