package io.rollscope.store.hot;

import io.rollscope.core.model.Outcome;
import io.rollscope.core.model.Worker;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.LiveReport.ProcessLine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Processes of a run that ended with open work, and what they took with them. */
public final class Deaths {
  private static final int MOST = 1_000;

  /** One process. */
  private static final class Death {
    final Worker worker;
    final String host;
    final Long pid;
    final Set<String> sessions = new HashSet<>();
    final Set<String> batches = new TreeSet<>();
    long lastNs = Nanos.UNKNOWN;

    Death(Worker worker, String host, Long pid) {
      this.worker = worker;
      this.host = host;
      this.pid = pid;
    }
  }

  private final Map<String, Death> byInstance = new HashMap<>();

  Deaths() {}

  /** Begins with what others know. */
  Deaths(Deaths known) {
    known.byInstance.forEach(
        (instance, death) -> {
          Death mine = death(instance, death.worker, death.host, death.pid);
          mine.sessions.addAll(death.sessions);
          mine.batches.addAll(death.batches);
          mine.lastNs = death.lastNs;
        });
  }

  private Death death(String instance, Worker worker, String host, Long pid) {
    return byInstance.computeIfAbsent(instance, i -> new Death(worker, host, pid));
  }

  /** A session is lost; the store has just looked at its status. */
  void add(HotSession session) {
    for (HotSpan span : session.spans) {
      String instance = span.told.origin().instance();
      if (instance != null && span.outcome() == Outcome.LOST) {
        add(
            instance,
            worker(span),
            span.told.origin().host(),
            span.told.origin().pid(),
            span.endNs(),
            session.key.id(),
            session.facts().batch());
      }
    }
  }

  /** What the process says it is, else what the span says. */
  private static Worker worker(HotSpan span) {
    Worker process = new Worker(span.told.origin().workerRole(), span.told.origin().workerRank());
    return process.equals(Worker.UNKNOWN)
        ? new Worker(span.workerRole(), span.workerRank())
        : process;
  }

  /** A process took a session with it. */
  public void add(
      String instance,
      Worker worker,
      String host,
      Long pid,
      long lastNs,
      String session,
      String batch) {
    if (byInstance.size() < MOST || byInstance.containsKey(instance)) {
      Death death = death(instance, worker, host, pid);
      death.sessions.add(session);
      death.lastNs = Math.max(death.lastNs, lastNs);
      if (batch != null) {
        death.batches.add(batch);
      }
    }
  }

  /** A session is back. */
  void returned(String session) {
    byInstance.values().removeIf(d -> d.sessions.remove(session) && d.sessions.isEmpty());
  }

  /** The newest first. */
  List<ProcessLine> lines(HotRun run) {
    List<ProcessLine> lines = new ArrayList<>();
    for (Death death : byInstance.values()) {
      lines.add(
          new ProcessLine(
              death.worker.label(),
              death.worker.role(),
              death.worker.rank(),
              death.host,
              death.pid,
              "lost",
              Nanos.toSeconds(death.lastNs),
              death.sessions.size(),
              List.copyOf(death.batches),
              run.isReplaced(death.worker, death.lastNs)));
    }
    lines.sort(ProcessLine.NEWEST_FIRST);
    return lines;
  }
}
