package io.rollscope.core.view;

import io.rollscope.core.model.Status;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.pairing.SessionState;
import io.rollscope.core.stats.Durations;
import io.rollscope.core.stats.IndexSort;
import io.rollscope.core.table.ProcessSign;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.LiveBoard.OpenSession;
import io.rollscope.core.view.LiveReport.OpenSpanSummary;
import io.rollscope.core.view.LiveReport.Row;
import io.rollscope.core.view.LiveReport.TaskSummary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes one report from a board. */
final class LiveReports {
  private static final int SUSPECT_FACTOR = 2;

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

  LiveReport report(int maxRows) {
    LiveTally tally = board.tally(nowNs);
    Drops drops = new Drops();
    for (ProcessSign process : table.processes()) {
      tally.worker(process.worker().label());
      drops.add(process);
    }
    return new LiveReport(
        Nanos.toSeconds(nowNs),
        false,
        context.source(),
        context.run(),
        board.scope().word(),
        board.eventCount(),
        table.rows(),
        sessionSummary(),
        taskSummary(),
        openSpanSummaries(),
        rows(maxRows),
        tally.workers(worker -> null),
        tally.batch(),
        tally.finishedLastMinute(),
        table.processes().isEmpty() ? Map.of() : drops.totals(),
        drops.worst(),
        context.otherRuns(),
        context.skippedLines());
  }

  private Map<String, Integer> sessionSummary() {
    Map<String, Integer> summary = new LinkedHashMap<>();
    summary.put("total", board.inScopeCount());
    for (Status s :
        List.of(
            Status.RUNNING,
            Status.QUEUED,
            Status.COMPLETED,
            Status.ACCEPTED,
            Status.REJECTED,
            Status.FAILED,
            Status.DROPPED,
            Status.CANCELLED,
            Status.LOST)) {
      summary.put(s.word(), board.byStatus()[s.ordinal()]);
    }
    return summary;
  }

  private TaskSummary taskSummary() {
    Map<String, Integer> stages = new LinkedHashMap<>();
    for (OpenSession session : board.openSessions()) {
      stages.merge(stage(session.names()[session.newest()]), 1, Integer::sum);
    }
    Map<String, Integer> sorted = new LinkedHashMap<>();
    stages.entrySet().stream()
        .sorted(
            Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(e -> sorted.put(e.getKey(), e.getValue()));
    int total = board.inScopeCount();
    int running = board.openSessions().size();
    return new TaskSummary(total, running, total - running, sorted);
  }

  private String stage(int name) {
    return table.nameOf(name).stage();
  }

  // ---- open spans by name ----------------------------------------------------------------------

  private static final class Ages {
    final Durations ages = new Durations();
    long oldest = -1;
    int oldestSession;
    String worker;
  }

  private List<OpenSpanSummary> openSpanSummaries() {
    Map<Integer, Ages> byName = new LinkedHashMap<>();
    board.openSessions().forEach(session -> addAges(session, byName));
    board.openLanes().forEach(lane -> addAges(lane, byName));
    List<OpenSpanSummary> summaries = new ArrayList<>();
    byName.forEach((name, ages) -> summaries.add(summary(table.nameOf(name), ages)));
    summaries.sort(
        Comparator.comparing((OpenSpanSummary s) -> overdue(s.oldestAgeS(), s.usualP95S()))
            .thenComparing(OpenSpanSummary::oldestAgeS)
            .reversed()
            .thenComparing(OpenSpanSummary::oldestSession));
    return summaries;
  }

  private void addAges(OpenSession session, Map<Integer, Ages> byName) {
    for (int i = 0; i < session.names().length; i++) {
      Ages ages = byName.computeIfAbsent(session.names()[i], n -> new Ages());
      long age = age(session, i);
      ages.ages.add(age);
      if (age > ages.oldest) {
        ages.oldest = age;
        ages.oldestSession = session.session();
        ages.worker = session.workers()[i];
      }
    }
  }

  private OpenSpanSummary summary(SpanName name, Ages ages) {
    Double usual = board.usualP95(name.stage());
    double oldest = Nanos.toSeconds(ages.oldest);
    return new OpenSpanSummary(
        name.raw(),
        name.stage(),
        ages.ages.count(),
        oldest,
        ages.ages.seconds(.5),
        ages.ages.seconds(.95),
        usual,
        isSuspect(oldest, usual),
        table.traceId(ages.oldestSession),
        table.key(ages.oldestSession),
        ages.worker);
  }

  private long age(OpenSession session, int i) {
    return Math.max(0, board.now(session.session(), nowNs) - session.starts()[i]);
  }

  /** How many times its usual time something has been open; unknown ranks after all known. */
  private static double overdue(double age, Double usual) {
    return usual == null ? -1 : usual == 0 ? Double.MAX_VALUE : age / usual;
  }

  private static boolean isSuspect(double age, Double usual) {
    return usual != null && age > SUSPECT_FACTOR * usual;
  }

  // ---- sessions --------------------------------------------------------------------------------

  /** Open ones first, most overdue on top; then the rest, newest news first. */
  private List<Row> rows(int maxRows) {
    List<Row> rows = new ArrayList<>();
    for (OpenSession session : board.openSessions()) {
      rows.add(aged(session));
    }
    rows.sort(
        Comparator.comparing((Row r) -> overdue(r.openAgeS(), r.usualP95S()))
            .thenComparing(Row::openAgeS)
            .reversed()
            .thenComparing(Row::session));
    int room = maxRows - rows.size();
    if (room <= 0) {
      return List.copyOf(rows.subList(0, maxRows));
    }
    List<Row> idle = board.idleRows(room, this::idleRows);
    rows.addAll(idle.subList(0, Math.min(room, idle.size())));
    return rows;
  }

  /** Only the age of an open session, and what follows from it, changes by itself. */
  private Row aged(OpenSession session) {
    Row row = board.openRow(session.session(), s -> row(s, session));
    double age = Nanos.toSeconds(age(session, session.newest()));
    Double usual = board.usualP95(row.stage());
    return row.withAge(age, usual, isSuspect(age, usual));
  }

  /** Rows of sessions without open spans; they do not depend on what time it is. */
  private List<Row> idleRows(int maxRows) {
    int[] idle = board.inScope();
    int count = 0;
    for (int s : idle) {
      if (board.openSession(s) == null) {
        idle[count++] = s;
      }
    }
    IndexSort.sort(idle, count, this::isNewer);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count && rows.size() < maxRows; i++) {
      rows.add(row(idle[i], null));
    }
    return rows;
  }

  private boolean isNewer(int a, int b) {
    long latestA = board.latest(a);
    long latestB = board.latest(b);
    return latestA != latestB ? latestA > latestB : table.key(a).compareTo(table.key(b)) < 0;
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
        spans.rowCount(),
        worker,
        state.at().trainStep(),
        table.taskId(s) < 0 ? state.at().task() : table.task(s),
        Scope.batchOf(state.at()),
        start == Nanos.UNKNOWN ? null : Nanos.toSeconds(start));
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
}
