package io.rollscope.store.sql;

import io.rollscope.store.sql.SqlProcess.End;
import java.io.Closeable;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Answers users' SQL: each query is alone in a process, so that one which brings its process down
 * takes no other with it. Processes are started on demand and used again. After {@value
 * #MOST_CRASHES} crashes within a minute none is started for a while; those that run go on.
 * Thread-safe.
 */
public final class SqlProcesses implements Closeable {
  static final int MOST_CRASHES = 3;
  private static final long CRASH_WINDOW_NS = Duration.ofMinutes(1).toNanos();

  /** An answer is in the server's memory as a whole. */
  private static final long MOST_BYTES = Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 16);

  private final SqlSnapshots snapshots;
  private final SqlProgram program;
  private final SqlLimits limits;
  private final LongSupplier nanoTime;
  private final Semaphore turns;
  private final Deque<SqlProcess> idle = new ArrayDeque<>();
  private final Set<SqlProcess> running = new HashSet<>();
  private final Deque<Long> crashes = new ArrayDeque<>();
  private final Map<String, Long> kills = new TreeMap<>();
  private long starts;
  private Long pausedUntilNs;
  private boolean closed;

  public SqlProcesses(SqlSnapshots snapshots, SqlLimits limits) {
    this(snapshots, limits, System::nanoTime);
  }

  SqlProcesses(SqlSnapshots snapshots, SqlLimits limits, LongSupplier nanoTime) {
    this.snapshots = snapshots;
    this.program = new SqlProgram(snapshots::folder);
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.turns = new Semaphore(limits.processes(), true);
    for (End end : End.values()) {
      if (end != End.IDLE) {
        kills.put(word(end), 0L);
      }
    }
  }

  private static String word(End end) {
    return end.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Runs a SELECT; its answer as JSON, {@code {"columns":…,"rows":…,"truncated":…}}.
   *
   * @throws SqlRefusedException if it is no SELECT, does not work, or takes too much memory
   * @throws SQLTimeoutException if it takes too long
   * @throws SqlUnavailableException if its process was killed or cannot be started
   */
  public byte[] query(String sql)
      throws SqlRefusedException, SqlUnavailableException, SQLException {
    SqlText.check(sql);
    awaitTurn();
    try (SqlSnapshot snapshot = snapshots.take()) {
      SqlProcess process = process();
      try {
        return process.query(snapshot.definitions(), sql, MOST_BYTES);
      } finally {
        giveBack(process);
      }
    } finally {
      turns.release();
    }
  }

  private void awaitTurn() throws SQLException {
    try {
      if (!turns.tryAcquire(limits.query().toMillis(), TimeUnit.MILLISECONDS)) {
        throw new SQLTimeoutException(
            "sql: other queries are running (expected: at most "
                + limits.processes()
                + " at a time)");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("sql: interrupted", e);
    }
  }

  private SqlProcess process() throws SqlUnavailableException {
    synchronized (this) {
      while (!idle.isEmpty()) {
        SqlProcess process = idle.pop();
        if (process.claim()) {
          return process;
        }
      }
      checkPause();
      starts++;
    }
    SqlProcess process = SqlProcess.start(program, snapshots.folders(), limits, this::ended);
    synchronized (this) {
      if (process.claim()) { // Otherwise it has ended, and the query will be told why.
        running.add(process);
      }
      if (closed) {
        process.kill(End.IDLE);
      }
    }
    return process;
  }

  private void checkPause() throws SqlUnavailableException {
    if (closed) {
      throw new SqlUnavailableException("sql: the server stops");
    }
    if (pausedUntilNs == null) {
      return;
    }
    long left = pausedUntilNs - nanoTime.getAsLong();
    if (left <= 0) {
      pausedUntilNs = null;
      return;
    }
    Duration wait = Duration.ofSeconds(Math.max(1, Duration.ofNanos(left).toSeconds()));
    throw new SqlUnavailableException(
        "sql: paused, because "
            + MOST_CRASHES
            + " of its processes crashed within a minute (expected: a retry in "
            + wait.toSeconds()
            + " s)",
        wait);
  }

  private void giveBack(SqlProcess process) {
    if (process.release()) {
      synchronized (this) {
        idle.push(process);
      }
    }
  }

  /** Called by the thread that watches the process; null for one that did not even start. */
  private void ended(SqlProcess process, End why) {
    boolean last;
    synchronized (this) {
      running.remove(process);
      idle.remove(process);
      last = running.isEmpty();
      kills.computeIfPresent(word(why), (end, count) -> count + 1);
      if (why == End.CRASH) {
        crashed();
      }
    }
    if (last) {
      snapshots.trim();
    }
  }

  private void crashed() {
    long now = nanoTime.getAsLong();
    crashes.add(now);
    while (now - crashes.peek() > CRASH_WINDOW_NS) {
      crashes.remove();
    }
    if (crashes.size() >= MOST_CRASHES) {
      crashes.clear();
      pausedUntilNs = now + limits.pause().toNanos();
    }
  }

  public synchronized SqlNumbers numbers() {
    return new SqlNumbers(starts, Map.copyOf(kills));
  }

  /** Process ids, for tests that end them. */
  synchronized Set<Long> pids() {
    Set<Long> pids = new HashSet<>();
    running.forEach(process -> pids.add(process.pid()));
    return pids;
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      running.forEach(process -> process.kill(End.IDLE));
    }
  }
}
