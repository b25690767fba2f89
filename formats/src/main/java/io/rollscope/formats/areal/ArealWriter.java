package io.rollscope.formats.areal;

import io.rollscope.formats.json.JsonLinesFile;
import io.rollscope.formats.json.JsonText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Writes the session and perf traces of one process into the folder of an AReaL trial: {@code
 * session_tracer[/role]/sessions-r{rank}.jsonl} and {@code
 * perf_tracer[/role]/traces-r{rank}.jsonl}.
 *
 * <p>A session's row appears when it is finalised; sessions that are still alive at {@link #close}
 * are written as {@code pending}. Not safe for use by several threads.
 */
public final class ArealWriter implements AutoCloseable {
  private final Path sessionFile;
  private final Path perfFile;
  private final ArealProcess process;
  private final ChromeEvents chromeEvents;
  private final Map<Long, TracedSession> alive = new LinkedHashMap<>();
  private final Set<Long> namedThreads = new HashSet<>();
  private final JsonText line = new JsonText();
  private JsonLinesFile sessions;
  private JsonLinesFile perf;

  /** A file is created when it gets its first line. */
  public ArealWriter(Path trial, ArealProcess process) {
    this.process = process;
    chromeEvents = new ChromeEvents(process);
    sessionFile = folder(trial, "session_tracer").resolve("sessions-r" + process.rank() + ".jsonl");
    perfFile = folder(trial, "perf_tracer").resolve("traces-r" + process.rank() + ".jsonl");
  }

  /** Records an event; it refuses one of a session that is unknown or already finalised. */
  public void write(ArealEvent event) throws IOException {
    if (event instanceof ArealEvent.Submitted submitted) {
      alive.put(submitted.session(), new TracedSession(submitted));
    } else if (event instanceof ArealEvent.PhaseStarted started) {
      alive(started.session()).start(started.phase(), started.timeNs());
    } else if (event instanceof ArealEvent.PhaseEnded ended) {
      alive(ended.session()).end(ended.phase(), ended.timeNs());
    } else if (event instanceof ArealEvent.Counted counted) {
      alive(counted.session()).count(counted.counter(), counted.by());
    } else if (event instanceof ArealEvent.Finalised verdict) {
      writeRow(alive(verdict.session()), verdict);
      alive.remove(verdict.session());
    } else if (event instanceof ArealEvent.Scope scope) {
      introduce(scope.thread());
      chromeEvents.append(line, scope);
      writePerfLine();
    } else if (event instanceof ArealEvent.Instant instant) {
      introduce(instant.thread());
      chromeEvents.append(line, instant);
      writePerfLine();
    }
  }

  /** Makes every written line visible to other processes. */
  public void flush() throws IOException {
    if (sessions != null) {
      sessions.flush();
    }
    if (perf != null) {
      perf.flush();
    }
  }

  @Override
  public void close() throws IOException {
    for (TracedSession session : alive.values()) {
      writeRow(session, null);
    }
    alive.clear();
    try {
      if (sessions != null) {
        sessions.close();
      }
    } finally {
      if (perf != null) {
        perf.close();
      }
    }
    sessions = null;
    perf = null;
  }

  private Path folder(Path trial, String tracer) {
    Path folder = trial.resolve(tracer);
    return process.role() == null ? folder : folder.resolve(process.role());
  }

  private TracedSession alive(long number) {
    TracedSession session = alive.get(number);
    if (session == null) {
      throw new IllegalArgumentException(
          "session: " + number + " (expected: one that is submitted and not finalised)");
    }
    return session;
  }

  private void writeRow(TracedSession session, ArealEvent.Finalised verdict) throws IOException {
    if (sessions == null) {
      sessions = new JsonLinesFile(sessionFile);
    }
    line.clear();
    session.appendTo(line, process, verdict);
    sessions.append(line);
  }

  /** Names a thread, and the process with its first thread, before the first event there. */
  private void introduce(ArealEvent.TracedThread thread) throws IOException {
    line.clear();
    if (!namedThreads.add(thread.id())) {
      return;
    }
    chromeEvents.appendThreadName(line, thread);
    writePerfLine();
    if (namedThreads.size() == 1) {
      chromeEvents.appendProcessName(line);
      writePerfLine();
      chromeEvents.appendProcessOrder(line);
      writePerfLine();
    }
  }

  private void writePerfLine() throws IOException {
    if (perf == null) {
      perf = new JsonLinesFile(perfFile);
    }
    perf.append(line);
    line.clear();
  }
}
