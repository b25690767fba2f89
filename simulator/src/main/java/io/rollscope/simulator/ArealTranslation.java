package io.rollscope.simulator;

import io.rollscope.core.model.Event;
import io.rollscope.core.model.Outcome;
import io.rollscope.formats.areal.ArealEvent;
import io.rollscope.formats.areal.ArealEvent.Arg;
import io.rollscope.formats.areal.ArealEvent.Phase;
import io.rollscope.formats.areal.ArealEvent.TracedThread;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells the story of a run in AReaL's terms: a session has phases and a verdict, tasks are dealt
 * out to the ranks, and what a rank does is a perf event.
 */
final class ArealTranslation implements LimitedSink {

  /** Takes what a rank records. */
  interface Out {
    void write(int rank, ArealEvent event) throws IOException;
  }

  private record Live(int rank, long number, long task, long sample) {}

  private static final long PENDING_PART = 50;
  private static final List<String> TOOLS = List.of("python", "search", "browser");

  private final int ranks;
  private final long maxSessions;
  private final long maxPerfEvents;
  private final Out out;
  private final Map<String, Live> live = new HashMap<>();
  private final long[] sessionsOfRank;
  private String lastTask = "";
  private long sample;
  private long sessions;
  private long finalised;
  private long perfEvents;

  ArealTranslation(int ranks, long maxSessions, long maxPerfEvents, Out out) {
    this.ranks = ranks;
    this.maxSessions = maxSessions;
    this.maxPerfEvents = maxPerfEvents;
    this.out = out;
    sessionsOfRank = new long[ranks];
  }

  /** Its sessions are submitted, and have a verdict but for a few that hang or are last. */
  @Override
  public boolean isFull() {
    return perfEvents >= maxPerfEvents
        && sessions >= maxSessions
        && finalised >= maxSessions - maxSessions / PENDING_PART;
  }

  @Override
  public long taken() {
    return sessions + perfEvents;
  }

  @Override
  public void training(TrainingSpan span) throws IOException {
    List<Arg> args = List.of();
    if (span.step() != null) {
      Arg step = new Arg("global_step", span.step());
      args =
          span.name().equals("train.rollout")
              ? List.of(step, new Arg("epoch_step", span.step()))
              : List.of(step);
    }
    int rank = (int) span.rank();
    TracedThread main = new TracedThread(ArealFolder.pid(rank), "MainThread");
    perf(
        rank,
        new ArealEvent.Scope(
            span.name(), span.category(), main, span.startNs(), span.endNs(), args, null));
  }

  @Override
  public void session(long pid, Event event) throws IOException {
    if (event instanceof Event.Start start) {
      if (start.name().equals(SpanNames.AGENT_GROUP)) {
        submit(start);
      } else {
        started(live.get(start.session()), start);
      }
    } else if (event instanceof Event.End end) {
      ended(live.get(end.session()), end);
    }
  }

  private void submit(Event.Start start) throws IOException {
    long task = Long.parseLong(start.at().task());
    int rank = (int) (task % ranks);
    sample++;
    if (!start.at().task().equals(lastTask)) {
      lastTask = start.at().task();
      sample = 0;
      perf(
          rank,
          new ArealEvent.Instant(
              "batch_task_dispatcher.continously_submit",
              "scheduler",
              new TracedThread(ArealFolder.pid(rank) + 9, "TaskProducer"),
              start.timeNs(),
              List.of(new Arg("data", 1L))));
    }
    // Sessions over the limit are still known, without a number, for their perf events.
    long number = sessions < maxSessions ? sessionsOfRank[rank]++ : -1;
    live.put(start.session(), new Live(rank, number, task, sample));
    if (number >= 0) {
      sessions++;
      out.write(rank, new ArealEvent.Submitted(number, task, start.timeNs()));
    }
  }

  private void started(Live session, Event.Start start) throws IOException {
    if (session == null || session.number < 0) {
      return;
    }
    if (start.name().equals(SpanNames.CONTROLLER)) {
      out.write(session.rank, new ArealEvent.Counted(session.number, "turns", 1));
    }
    Phase phase = phase(start.name());
    if (phase != null) {
      out.write(session.rank, new ArealEvent.PhaseStarted(session.number, phase, start.timeNs()));
    }
  }

  private void ended(Live session, Event.End end) throws IOException {
    if (session == null) {
      return;
    }
    Phase phase = phase(end.name());
    if (phase != null && session.number >= 0) {
      out.write(session.rank, new ArealEvent.PhaseEnded(session.number, phase, end.timeNs()));
    }
    switch (end.name()) {
      case SpanNames.TOOL_CALL -> toolCalled(session, end);
      case SpanNames.AGENT_SAMPLE -> sampleFinished(session, end);
      case SpanNames.AGENT_GROUP -> {
        if (end.outcome() == Outcome.CANCELLED) {
          finalise(session, end, "rejected", "returned_none");
        }
      }
      case SpanNames.PUT_GROUP -> {
        switch (end.at().sourceStatus()) {
          case "completed" -> finalise(session, end, "accepted", null);
          case "filtered" -> finalise(session, end, "rejected", "rejected");
          default -> finalise(session, end, "failed", "workflow_exception");
        }
      }
      default -> {}
    }
  }

  private void toolCalled(Live session, Event.End end) throws IOException {
    if (end.outcome() == Outcome.ERROR && session.number >= 0) {
      out.write(session.rank, new ArealEvent.Counted(session.number, "tool_errors", 1));
    }
    String tool = TOOLS.get((int) (session.task % TOOLS.size()));
    asyncScope(session, end, "agent.execute_tool", "io", List.of(new Arg("tool_name", tool)));
  }

  private void sampleFinished(Live session, Event.End end) throws IOException {
    List<Arg> args = List.of(new Arg("task_id", session.task), new Arg("sample", session.sample));
    asyncScope(session, end, "workflow.sample", "compute", args);
  }

  private void asyncScope(Live session, Event.End end, String name, String category, List<Arg> args)
      throws IOException {
    TracedThread runner = new TracedThread(ArealFolder.pid(session.rank) + 7, "AsyncTaskRunner");
    long startNs = end.timeNs() - end.elapsedNs();
    perf(
        session.rank,
        new ArealEvent.Scope(name, category, runner, startNs, end.timeNs(), args, exception(end)));
  }

  private static String exception(Event.End end) {
    if (end.error() != null) {
      return end.error().substring(0, end.error().indexOf(':'));
    }
    return RolloutStatus.FAILED.word.equals(end.at().sourceStatus()) ? "RuntimeError" : null;
  }

  private void finalise(Live session, Event.End end, String status, String reason)
      throws IOException {
    live.remove(end.session());
    if (session.number >= 0) {
      finalised++;
      out.write(
          session.rank, new ArealEvent.Finalised(session.number, status, reason, end.timeNs()));
    }
  }

  private void perf(int rank, ArealEvent event) throws IOException {
    if (perfEvents < maxPerfEvents) {
      perfEvents++;
      out.write(rank, event);
    }
  }

  private static Phase phase(String span) {
    return switch (span) {
      case SpanNames.ENGINE -> Phase.GENERATE;
      case SpanNames.JUDGE -> Phase.REWARD;
      case SpanNames.TOOL_CALL -> Phase.TOOLCALL;
      default -> null;
    };
  }
}
