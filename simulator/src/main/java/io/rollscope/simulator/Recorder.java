package io.rollscope.simulator;

import io.rollscope.core.model.Event;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Worker;
import java.io.IOException;
import java.util.Map;

/**
 * Tells the sink what happens. Recording takes a moment, so no two events of a process or of a
 * session have the same time.
 */
final class Recorder {
  private static final double MOMENT_NS = 20_000;

  private final Agenda agenda;
  private final Timeline timeline;
  private final Sink sink;
  private final long momentNs;

  Recorder(Agenda agenda, Timeline timeline, Sink sink) {
    this.agenda = agenda;
    this.timeline = timeline;
    this.sink = sink;
    // A moment on the wall clock: in a fast run, events must not fall together in the file.
    momentNs = Math.max(1, Math.round(MOMENT_NS * timeline.speed()));
  }

  void start(Session session, SimulatedProcess process, String name) throws IOException {
    start(session, process, name, Worker.UNKNOWN);
  }

  void start(Session session, SimulatedProcess process, String name, Worker worker)
      throws IOException {
    long now = tick(session, process);
    session.open.push(new Session.OpenSpan(name, process, worker, now));
    sink.session(
        process.pid,
        new Event.Start(
            session.id, name, timeline.at(now), session.task.at(session.status, worker)));
  }

  /** The innermost span ends well. */
  void end(Session session, String name) throws IOException {
    end(session, name, Outcome.OK, null);
  }

  /** The innermost span, which has this name, ends. */
  void end(Session session, String name, Outcome outcome, String error) throws IOException {
    Session.OpenSpan span = session.open.pop();
    if (!span.name().equals(name)) {
      throw new IllegalStateException(
          "innermost span: " + span.name() + " (expected: " + name + ")");
    }
    long now = tick(session, span.process());
    long elapsedNs = timeline.at(now) - timeline.at(span.startNs());
    sink.session(
        span.process().pid,
        new Event.End(
            session.id,
            name,
            timeline.at(now),
            session.task.at(session.status, span.worker()),
            elapsedNs,
            outcome,
            error,
            Map.of()));
  }

  /** Every open span of the session is left by an exception, the innermost first. */
  void cancel(Session session, String error) throws IOException {
    while (!session.open.isEmpty()) {
      end(session, session.open.peek().name(), Outcome.CANCELLED, error);
    }
  }

  /** A session came to be: XTuner only records the end of that. */
  void sampled(Session session, SimulatedProcess process, double seconds) throws IOException {
    long now = tick(session, process);
    sink.session(
        process.pid,
        new Event.End(
            session.id,
            SpanNames.SAMPLE_GROUP,
            timeline.at(now),
            session.task.at(session.status, Worker.UNKNOWN),
            Math.round(seconds * 1e9 / timeline.speed()),
            Outcome.OK,
            null,
            Map.of()));
  }

  /** A trainer did something between two virtual times. */
  void training(String name, String category, long rank, Long step, long startNs, long endNs)
      throws IOException {
    sink.training(
        new TrainingSpan(name, category, rank, step, timeline.at(startNs), timeline.at(endNs)));
  }

  private long tick(Session session, SimulatedProcess process) {
    long last = Math.max(process.lastNs, session.lastNs);
    long now = Math.max(agenda.nowNs(), last + momentNs);
    process.lastNs = now;
    session.lastNs = now;
    return now;
  }
}
