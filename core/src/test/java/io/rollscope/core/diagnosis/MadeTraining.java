package io.rollscope.core.diagnosis;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SessionFacts;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.Scope;
import java.util.List;

/** A made-up run of a trainer, engines and a judge; times in seconds since its start. */
final class MadeTraining {
  private static final long EPOCH_NS = 1_700_000_000_000_000_000L;
  private static final int NONE = -1;

  private final SpanTable table = new SpanTable();
  private long ids;

  /** What the trainer did. */
  MadeTraining step(long number, double from, double ready, double trained, double synced) {
    state("wait_rollout", number, from, ready);
    state("train.forward_backward", number, ready, trained);
    if (synced > trained) {
      state("weight_sync", number, trained, synced);
    }
    return this;
  }

  private void state(String name, long step, double from, double to) {
    int lane = table.laneNumber("trainer_0");
    Coordinates at =
        new Coordinates(null, step, null, null, null, null, new Worker("trainer", 0L), null);
    add(lane, Kind.STATE, name, from, to, at, 0);
  }

  /** The calls that follow are of this session. */
  Session session(long step, String task, int sibling, String taskName) {
    return new Session(step, task, sibling, taskName);
  }

  Session session(long step, String task, int sibling) {
    return session(step, task, sibling, "math");
  }

  final class Session {
    private final Coordinates at;
    private final String id;
    private final int number;

    private Session(long step, String task, int sibling, String taskName) {
      at =
          new Coordinates(
              null, step, null, null, task, taskName, new Worker("agent", (long) sibling), null);
      id = task + "." + sibling;
      number = table.sessionNumber(id);
      verdict(Status.ACCEPTED);
    }

    Session verdict(Status status) {
      table.describe(
          number,
          new SessionFacts(
              id,
              null,
              null,
              null,
              at,
              Nanos.UNKNOWN,
              Nanos.UNKNOWN,
              status,
              null,
              RewardAndTokens.NONE,
              false));
      return this;
    }

    /** A call of the agent. */
    Session call(String name, double from, double to) {
      add(number, Kind.PHASE, name, from, to, at, 0);
      return this;
    }

    /** A call of an engine, in a call of the agent that takes as long. */
    Session engine(int rank, double from, double to, long read, long wrote) {
      long around = add(number, Kind.PHASE, "generate", from, to, at, 0);
      Coordinates there =
          new Coordinates(
              null,
              at.trainStep(),
              null,
              null,
              at.task(),
              at.taskName(),
              new Worker("engine", (long) rank),
              null);
      add(number, Kind.PHASE, "engine.generate", from, to, there, around);
      table.tokens(table.rows() - 1, read, wrote);
      return this;
    }

    /** How long the last call waited in a queue; negative if it does not say. */
    Session queued(double seconds) {
      if (seconds >= 0) {
        table.queued(table.rows() - 1, Nanos.fromSeconds(seconds));
      }
      return this;
    }
  }

  private long add(
      int s, Kind kind, String name, double from, double to, Coordinates at, long parent) {
    long id = ++ids;
    table.add(
        s,
        RowKind.of(RowKind.SPAN, Outcome.OK, kind),
        table.nameNumber(new SpanName(name, name)),
        EPOCH_NS + Nanos.fromSeconds(from),
        EPOCH_NS + Nanos.fromSeconds(to),
        table.placeNumber(at),
        NONE,
        0,
        id,
        parent);
    return id;
  }

  RunWork work() {
    return RunWorkBuilder.of(table, Scope.ALL);
  }

  FindingsReport report(Scope scope) {
    ReportContext context =
        new ReportContext("made", "run", new ReportContext.SkippedLines(0, List.of()));
    return FindingsView.of(table, scope, context);
  }

  static Causes detect(RunWork work, Detector... detectors) {
    Causes causes = new Causes();
    List.of(detectors).forEach(detector -> detector.detect(work, causes));
    return causes;
  }

  static Causes detect(MadeTraining run, Detector... detectors) {
    return detect(run.work(), detectors);
  }
}
