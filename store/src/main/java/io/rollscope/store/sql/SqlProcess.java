package io.rollscope.store.sql;

import io.rollscope.store.sql.SqlFrames.Frame;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * The server's side of one {@link SqlChild}: one query at a time. A thread watches it from its
 * start to its end, kills it when it takes too much, and ends it when nobody asks any more.
 */
final class SqlProcess {
  /** Why a process was ended. */
  enum End {
    MEMORY,
    TIME,
    CRASH,
    IDLE
  }

  private static final long LOOK_MS = 50;

  /** What a shell says of a process that was ended by SIGXCPU. */
  private static final int CPU_LIMIT = 128 + 24;

  private static final Duration END_LIMIT = Duration.ofSeconds(30);
  private static final Duration START_LIMIT = Duration.ofSeconds(30);

  /** A process cancels its query itself; this is for one that does not. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  /** What a process may have after a query and get another one. */
  private static final double REUSABLE_SHARE = 0.5;

  private final Process process;
  private final SqlLimits limits;
  private final BiConsumer<SqlProcess, End> ended;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final CountDownLatch over = new CountDownLatch(1);

  private boolean busy = true;
  private long sinceNs = System.nanoTime();
  private long limitNs = START_LIMIT.toNanos();
  private End end;

  private SqlProcess(Process process, SqlLimits limits, BiConsumer<SqlProcess, End> ended) {
    this.process = process;
    this.limits = limits;
    this.ended = ended;
    this.in = new DataInputStream(new BufferedInputStream(process.getInputStream(), 64 << 10));
    this.out = new DataOutputStream(new BufferedOutputStream(process.getOutputStream(), 64 << 10));
  }

  /**
   * Starts a process, which is then busy.
   *
   * @param ended called once, on a thread of its own, with the reason why it ended
   */
  static SqlProcess start(
      SqlProgram program, List<Path> folders, SqlLimits limits, BiConsumer<SqlProcess, End> ended)
      throws SqlUnavailableException {
    SqlProcess started;
    try {
      started = new SqlProcess(program.start(), limits, ended);
    } catch (IOException e) {
      ended.accept(null, End.CRASH);
      throw new SqlUnavailableException("sql: its process cannot be started: " + e.getMessage());
    }
    Thread watcher = new Thread(started::watch, "rollscope-sql-watch");
    watcher.setDaemon(true);
    watcher.start();
    try {
      String settings =
          limits.query().toSeconds()
              + folders.stream().map(f -> "\0" + f).collect(Collectors.joining());
      SqlFrames.write(started.out, SqlFrames.START, settings);
      started.out.flush();
      Frame ready = SqlFrames.read(started.in, SqlFrames.MAX_ANSWER);
      if (ready.kind() != SqlFrames.READY || !ready.text().equals(SqlFrames.VERSION)) {
        throw new IOException("not ready");
      }
      return started;
    } catch (IOException e) {
      started.process.destroyForcibly();
      started.end();
      throw new SqlUnavailableException("sql: its process ended " + started.exit());
    }
  }

  long pid() {
    return process.pid();
  }

  /** Takes it for a query, unless it has ended. */
  synchronized boolean claim() {
    if (end != null || !process.isAlive()) {
      return false;
    }
    busy = true;
    sinceNs = System.nanoTime();
    limitNs = limits.query().plus(GRACE).toNanos();
    return true;
  }

  /** Gives it back; false if it should get no other query. */
  synchronized boolean release() {
    if (end != null || isWornOut()) {
      kill(End.IDLE);
      return false;
    }
    busy = false;
    sinceNs = System.nanoTime();
    return true;
  }

  private boolean isWornOut() {
    long cpuSeconds = process.info().totalCpuDuration().map(Duration::toSeconds).orElse(0L);
    return cpuSeconds > SqlProgram.CPU_SECONDS / 2
        || ResidentMemory.of(process.pid()) > limits.residentBytes() * REUSABLE_SHARE;
  }

  /**
   * The answer as JSON. The process is claimed.
   *
   * @throws SqlUnavailableException if the process ended before it had answered
   */
  byte[] query(String views, String select, long mostBytes)
      throws SqlRefusedException, SqlUnavailableException, SQLException {
    try {
      SqlFrames.write(out, SqlFrames.QUERY, Long.toString(mostBytes));
      SqlFrames.write(out, SqlFrames.VIEWS, views);
      SqlFrames.write(out, SqlFrames.SELECT, select);
      out.flush();
      return answer(mostBytes);
    } catch (IOException e) {
      process.destroyForcibly();
      if (end() == End.TIME) {
        throw new SQLTimeoutException("sql: " + limits.query().toSeconds() + " s (expected: less)");
      }
      throw new SqlUnavailableException(
          end() == End.MEMORY
              ? "sql: killed: more than "
                  + limits.residentBytes() / 1_000_000
                  + " MB of memory (expected: less)"
              : "sql: its process ended " + exit());
    }
  }

  private byte[] answer(long mostBytes) throws IOException, SqlRefusedException, SQLException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    while (true) {
      Frame frame = SqlFrames.read(in, SqlFrames.MAX_ANSWER);
      switch (frame.kind()) {
        case SqlFrames.DATA -> {
          answer.writeBytes(frame.bytes());
          if (answer.size() > JsonAnswer.HARD_LIMIT * mostBytes) {
            throw new IOException("answer: more bytes than allowed");
          }
        }
        case SqlFrames.END -> {
          return answer.toByteArray();
        }
        case SqlFrames.REFUSED -> throw new SqlRefusedException(frame.text());
        case SqlFrames.TIMEOUT -> throw new SQLTimeoutException(frame.text());
        case SqlFrames.FAILED -> throw new SQLException(frame.text());
        default -> throw new IOException("frame: kind " + frame.kind());
      }
    }
  }

  private void watch() {
    try {
      while (!process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
        look();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
    }
    synchronized (this) {
      if (end == null) {
        end =
            switch (process.onExit().join().exitValue()) {
              case SqlChild.OUT_OF_MEMORY -> End.MEMORY;
              case CPU_LIMIT -> End.TIME;
              default -> End.CRASH;
            };
      }
    }
    ended.accept(this, end);
    over.countDown();
  }

  private synchronized void look() {
    long elapsed = System.nanoTime() - sinceNs;
    if (ResidentMemory.of(process.pid()) > limits.residentBytes()) {
      kill(End.MEMORY);
    } else if (busy && elapsed > limitNs) {
      kill(End.TIME);
    } else if (!busy && elapsed > limits.idle().toNanos()) {
      kill(End.IDLE);
    }
  }

  /** Ends it, which loses nothing; the first reason counts. */
  synchronized void kill(End why) {
    if (end == null) {
      end = why;
    }
    process.destroyForcibly();
  }

  /** Why it ended, once that is counted. */
  private End end() {
    try {
      if (!over.await(END_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        return End.CRASH;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      return end;
    }
  }

  private String exit() {
    return "by itself, exit code "
        + (process.isAlive() ? "unknown" : process.exitValue())
        + " (expected: an answer; other queries go on)";
  }
}
