package io.rollscope.cli.demo;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Event;
import io.rollscope.core.model.Outcome;
import io.rollscope.formats.xtuner.XTunerFormat;
import io.rollscope.simulator.TraceFolder;
import io.rollscope.simulator.TrainingSpan;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells a simulated run to a server. Sessions are dealt out to agent processes, which own them;
 * generation happens in the processes of rollout workers. One agent process dies after a while: its
 * sessions are lost, and a new process takes over those that begin later.
 */
final class OtelRun implements TraceFolder {
  private static final int AGENTS = 4;
  private static final Fleet.Place MORTAL = new Fleet.Place("agent", AGENTS - 1);

  /** Sessions that hang are kept for ever by the simulation, but not here. */
  private static final int MOST_SESSIONS = 10_000;

  private static final String LAST_SPAN = "put_generated_group";
  private static final String OUTERMOST = "producer.generate_group";

  /** A session under way, with its open spans, innermost last. */
  private static final class Session {
    final OtelProcess owner;
    final Span root;
    final List<OpenSpan> open = new ArrayList<>();
    String lastError;

    Session(OtelProcess owner, Span root) {
      this.owner = owner;
      this.root = root;
    }

    Span innermost() {
      return open.isEmpty() ? root : open.get(open.size() - 1).span();
    }
  }

  private record OpenSpan(String name, OtelProcess process, Span span) {}

  /** A session that waits for being trained on. */
  private record Done(OtelProcess owner, Span root, long trainStep) {}

  private final Fleet fleet;
  private final Map<String, Session> sessions =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Session> eldest) {
          return size() > MOST_SESSIONS;
        }
      };
  private final List<Done> untrained = new ArrayList<>();
  private long dealt;

  OtelRun(String run, URI server, String token) {
    this.fleet = new Fleet(run, server, token);
  }

  /** One of the agent processes is killed. */
  synchronized void killOne() {
    fleet.at(MORTAL).die();
  }

  @Override
  public synchronized void session(long pid, Event event) {
    Session session = sessions.get(event.session());
    if (session == null) {
      session = begin(event);
      sessions.put(event.session(), session);
    }
    if (event instanceof Event.Start start && session.owner.isAlive()) {
      OtelProcess process = processOf(session, start);
      Span span =
          process.start(
              start.name(), session.innermost(), start.timeNs(), attributes(start, "phase"));
      session.open.add(new OpenSpan(start.name(), process, span));
    } else if (event instanceof Event.End end) {
      end(session, end);
    }
  }

  private Session begin(Event event) {
    OtelProcess owner = fleet.at(new Fleet.Place("agent", dealt++ % AGENTS));
    long startNs = event instanceof Event.End end ? end.timeNs() - end.elapsedNs() : event.timeNs();
    Span root = owner.start("session", null, startNs, attributes(event, "session"));
    return new Session(owner, root);
  }

  private OtelProcess processOf(Session session, Event.Start start) {
    Long rank = start.at().worker().rank();
    return rank == null ? session.owner : fleet.at(new Fleet.Place("rollout", rank));
  }

  private void end(Session session, Event.End end) {
    int last = session.open.size() - 1;
    if (last < 0 || !session.open.get(last).name().equals(end.name())) {
      endWithoutStart(session, end);
      return;
    }
    OpenSpan open = session.open.remove(last);
    if (end.error() != null) {
      session.lastError = end.error();
      open.span().setStatus(StatusCode.ERROR, end.error());
      open.span().setAttribute("error.type", end.error().replaceFirst(":.*", ""));
    }
    if (open.process().isAlive()) {
      open.process().end(open.span(), end.timeNs());
    }
    boolean cancelled = end.outcome() == Outcome.CANCELLED && end.name().endsWith(OUTERMOST);
    if (end.name().endsWith(LAST_SPAN) || cancelled) {
      finish(session, end);
    }
  }

  /** Some work is told only when it is over; and what a dead process did not start ends unheard. */
  private static void endWithoutStart(Session session, Event.End end) {
    if (session.owner.isAlive()) {
      session.owner.finished(
          end.name(),
          session.innermost(),
          end.timeNs() - end.elapsedNs(),
          end.timeNs(),
          attributes(end, "phase"));
    }
  }

  private void finish(Session session, Event.End end) {
    sessions.remove(end.session());
    if (!session.owner.isAlive()) {
      return;
    }
    String status =
        switch (end.at().sourceStatus()) {
          case "failed" -> "failed";
          case "aborted" -> "cancelled";
          case "filtered" -> "rejected";
          default -> "completed";
        };
    session.root.setAttribute("rl.status", status);
    if (status.equals("rejected")) {
      session.root.setAttribute("rl.reason", "all rewards of the group are equal");
    } else if (!status.equals("completed") && session.lastError != null) {
      session.root.setAttribute("rl.reason", session.lastError);
    }
    session.owner.end(session.root, end.timeNs());
    if (status.equals("completed") && end.at().trainStep() != null) {
      untrained.add(new Done(session.owner, session.root, end.at().trainStep()));
    }
  }

  @Override
  public synchronized void training(TrainingSpan span) {
    AttributesBuilder attributes =
        Attributes.builder().put("rl.kind", "op").put("rl.op.category", span.category());
    if (span.step() != null) {
      attributes.put("rl.train_step", span.step() + 1);
    }
    fleet
        .at(new Fleet.Place("trainer", span.rank()))
        .finished(span.name(), null, span.startNs(), span.endNs(), attributes.build());
    if (span.name().equals("train.ppo_update") && span.step() != null) {
      accept(span.step() + 1, span.endNs());
    }
  }

  /** What was trained on is accepted: a verdict that comes long after the session's end. */
  private void accept(long trainStep, long timeNs) {
    Attributes accepted = Attributes.builder().put("rl.status", "accepted").build();
    for (Done done : untrained) {
      if (done.trainStep() <= trainStep && done.owner().isAlive()) {
        done.owner().verdict(done.root(), timeNs, accepted);
      }
    }
    untrained.removeIf(done -> done.trainStep() <= trainStep);
  }

  private static Attributes attributes(Event event, String kind) {
    Coordinates at = event.at();
    AttributesBuilder attributes =
        Attributes.builder()
            .put("rl.kind", kind)
            .put("rl.session.id", event.session())
            .put("rl.task.id", at.task())
            .put("rl.task.name", at.taskName())
            .put("rl.batch.id", at.batch());
    if (kind.equals("phase")) {
      attributes.put("rl.stage", XTunerFormat.stageOf(event.name()));
    }
    put(attributes, "rl.train_step", at.trainStep());
    put(attributes, "rl.model_step", at.modelStep());
    put(attributes, "rl.future_step", at.futureStep());
    return attributes.build();
  }

  private static void put(AttributesBuilder attributes, String key, Long value) {
    if (value != null) {
      attributes.put(key, value);
    }
  }

  @Override
  public void flush() {}

  @Override
  public synchronized void close() {
    fleet.end();
  }
}
