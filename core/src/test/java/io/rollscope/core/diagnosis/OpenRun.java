package io.rollscope.core.diagnosis;

import io.rollscope.core.diagnosis.FindingsReport.Finding;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.table.ProcessSign;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SessionFacts;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.Scope;
import java.util.List;
import java.util.Set;

/** A made-up run with groups, steps, workers, parents and processes; times in seconds. */
final class OpenRun {
  private static final Set<String> KINDS =
      Set.of(
          "hung_call",
          "hung_worker",
          "dead_process",
          "global_stall",
          "failing_service",
          "retry_storm",
          "stale_data",
          "rejects_rising",
          "clock_skew",
          "data_loss");

  private final SpanTable table = new SpanTable();
  private long ids = 1;

  private static Worker worker(String id) {
    String[] parts = id.split(":", 2);
    return new Worker(parts[0], Long.valueOf(parts[1]));
  }

  private static Coordinates at(String task, Long step, String worker) {
    String batch = step == null ? null : "step-" + step;
    return new Coordinates(batch, step, null, null, task, null, worker(worker), null);
  }

  private static long ns(Double seconds) {
    return seconds == null ? Nanos.OPEN : Nanos.fromSeconds(seconds);
  }

  /** Begins a session of a task of a step. */
  Session session(String id, String task, long step) {
    return new Session(id, task, step);
  }

  /** Work of a process. */
  OpenRun lane(String worker, String stage, Long step, double from, Double to) {
    int lane = table.laneNumber(worker);
    byte kind = RowKind.of(RowKind.SPAN, to == null ? Outcome.OPEN : Outcome.OK, Kind.STATE);
    add(lane, kind, stage, from, to, at(null, step, worker), null, 0);
    return this;
  }

  /** A process says something of itself. */
  OpenRun beat(String worker, String host, double at) {
    return sign(worker, "first", host, at, false, 0);
  }

  OpenRun sign(
      String worker, String instance, String host, double at, boolean ended, long dropped) {
    table.heard(
        new ProcessSign(
            worker + instance, worker(worker), host, 17L, ns(at), ended, dropped, 0, 0, 0, 0));
    return this;
  }

  private long add(
      int session,
      byte kind,
      String stage,
      double from,
      Double to,
      Coordinates where,
      String error,
      long parent) {
    long id = ids++;
    int place = table.placeNumber(where);
    int row =
        table.add(
            session,
            kind,
            table.nameNumber(new SpanName(stage, stage)),
            ns(from),
            ns(to),
            place,
            error == null ? -1 : table.noteNumber(error),
            0,
            id,
            parent);
    table.place(row, place);
    return id;
  }

  FindingsReport report() {
    ReportContext context =
        new ReportContext("made", "run", new ReportContext.SkippedLines(0, List.of()));
    return FindingsView.of(table, Scope.ALL, context);
  }

  /** Of the kinds that are about standstills, failures and records. */
  private List<Finding> findings() {
    return report().findings().stream().filter(f -> KINDS.contains(f.kind())).toList();
  }

  /** Ids of what was found, the most important first. */
  List<String> found() {
    return findings().stream().map(f -> f.state() + " " + f.id()).toList();
  }

  Finding first() {
    return findings().get(0);
  }

  /** The open work of the run. */
  RunWork work() {
    return RunWorkBuilder.of(table, Scope.ALL);
  }

  /** Tells the calls of one session. */
  final class Session {
    private final int number;
    private final String id;
    private final String task;
    private final long step;

    /** The call told last. */
    private long last;

    private Session(String id, String task, long step) {
      this.id = id;
      this.task = task;
      this.step = step;
      this.number = table.sessionNumber(id);
      decided(null, null, null, null);
    }

    /** When it was submitted and judged. */
    Session decided(Double from, Double to, Status verdict, String reason) {
      table.describe(
          number,
          new SessionFacts(
              id,
              null,
              task,
              null,
              at(task, step, "agent:0"),
              from == null ? Nanos.UNKNOWN : ns(from),
              to == null ? Nanos.UNKNOWN : ns(to),
              verdict,
              reason,
              RewardAndTokens.NONE,
              false));
      return this;
    }

    Session call(String stage, String worker, double from, double to) {
      return call(stage, worker, from, to, Outcome.OK, null);
    }

    Session error(String stage, String worker, double from, double to, String error) {
      return call(stage, worker, from, to, Outcome.ERROR, error);
    }

    Session open(String stage, String worker, double from) {
      return call(stage, worker, from, null, Outcome.OPEN, null);
    }

    /** A call inside the one told last. */
    Session inside(String stage, String worker, double from, Double to) {
      Outcome outcome = to == null ? Outcome.OPEN : Outcome.OK;
      byte kind = RowKind.of(RowKind.SPAN, outcome, Kind.PHASE);
      add(number, kind, stage, from, to, at(task, step, worker), null, last);
      return this;
    }

    private Session call(
        String stage, String worker, double from, Double to, Outcome outcome, String error) {
      byte kind = RowKind.of(RowKind.SPAN, outcome, Kind.PHASE);
      last = add(number, kind, stage, from, to, at(task, step, worker), error, 0);
      return this;
    }

    /** What the call told last wrote. */
    Session wrote(long tokens) {
      table.tokens(table.rows() - 1, 0, tokens);
      return this;
    }
  }
}
