package io.rollscope.store;

import io.rollscope.core.model.Status;
import io.rollscope.core.model.Worker;
import io.rollscope.store.hot.HotRun;
import io.rollscope.store.hot.HotStore;
import io.rollscope.store.hot.HotStore.HotPoint;
import io.rollscope.store.hot.Sealing;
import io.rollscope.store.hot.StageTimes;
import io.rollscope.store.query.Snapshot;
import io.rollscope.store.query.Snapshots;
import io.rollscope.store.segment.Duck;
import io.rollscope.store.segment.Manifest;
import io.rollscope.store.segment.Segment;
import io.rollscope.store.segment.Segments;
import io.rollscope.store.segment.Views;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Connections that see segments and hot rows. Hot rows are copied into DuckDB when somebody asks,
 * at most once a second: nobody sees the difference, and taking in is spared the work.
 */
final class LiveSnapshots implements Snapshots {
  private static final long FRESH_NS = 1_000_000_000L;

  /** So many are copied in a moment. */
  private static final long FEW_ROWS = 10_000;

  private static final String SESSIONS =
      "SELECT run, batch, status, count(*), sum(span_count), min(start_ns), max(end_ns),"
          + " any_value(train_step), any_value(model_step), any_value(future_step) FROM history"
          + " GROUP BY run, batch, status ORDER BY max(end_ns)";

  private static final String DURATIONS =
      "SELECT run, stage, end_ns, end_ns - start_ns FROM recent WHERE kind NOT IN ('batch', 'task',"
          + " 'session') AND end_ns IS NOT NULL QUALIFY row_number() OVER (PARTITION BY run, stage"
          + " ORDER BY end_ns DESC) <= 1000";

  private static final String STAGE_TIMES =
      " FROM recent WHERE kind NOT IN ('batch', 'task', 'session') AND end_ns IS NOT NULL"
          + " GROUP BY run, stage ORDER BY count(*) DESC";

  private static final String POINTS =
      "SELECT run, min(time_ns), max(time_ns) FROM metrics GROUP BY run";

  /** A session's row ends with its verdict; work may have gone on. */
  private static final String LAST_EVENTS =
      "SELECT run, clock, max(greatest(start_ns, end_ns)) FROM spans GROUP BY run, clock";

  private static final String ABOUT =
      "SELECT attributes['rl.project'], attributes['rl.system'] FROM spans WHERE run = ? LIMIT 1";

  private static final String DEATHS =
      """
      SELECT run, instance, worker_role, worker_rank, host, pid, max(end_ns), session,
        any_value(s.batch)
      FROM spans s SEMI JOIN history h ON h.run = s.run AND h.session = s.session
        AND h.status = 'lost'
      WHERE outcome = 'lost' AND instance IS NOT NULL
      GROUP BY run, instance, worker_role, worker_rank, host, pid, session""";

  private static final int MOST_RUNS = 200;

  private final StoreOptions options;
  private final HotStore hot;
  private final ReentrantLock hotLock;
  private final Segments segments;
  private final Views views;
  private final Sealing sealing;
  private final Runnable suspect;
  private Views.State state;
  private long copiedNs;
  private long copiedVersion = -1;

  LiveSnapshots(
      StoreOptions options,
      HotStore hot,
      ReentrantLock hotLock,
      Segments segments,
      Duck duck,
      Runnable suspect) {
    this.suspect = suspect;
    this.options = options;
    this.hot = hot;
    this.hotLock = hotLock;
    this.segments = segments;
    this.views = new Views(duck, segments.folder(), segments.metricFiles());
    this.sealing = new Sealing(hot, options.sealAfter().toNanos());
  }

  @Override
  public synchronized Snapshot take() throws SQLException {
    try {
      return views.connect(current());
    } catch (SQLException e) {
      failed(e);
      throw e;
    }
  }

  @Override
  public synchronized Snapshot take(String run, long nowNs) throws SQLException {
    Rows rows = rows(run, nowNs);
    if (rows == null) {
      return take();
    }
    state = null; // What is usual is copied anew.
    return views.connect(views.copy(rows.spans(), rows.points(), rows.manifest()));
  }

  /** What is in memory with the open work of a run up to then; null if that is the usual time. */
  private Rows rows(String run, long nowNs) {
    long clock = options.clock().getAsLong();
    hotLock.lock();
    try {
      return hot.asOf(run, nowNs, clock) ? rows(clock) : null;
    } finally {
      hot.asOfNow();
      hotLock.unlock();
    }
  }

  @Override
  public void failed(SQLException e) {
    if (!(e instanceof SQLTimeoutException)) {
      suspect.run();
    }
  }

  private Views.State current() throws SQLException {
    long now = options.clock().getAsLong();
    if (state != null && now - copiedNs < FRESH_NS && now >= copiedNs) {
      return state;
    }
    Rows rows;
    hotLock.lock();
    try {
      boolean nothingNew =
          hot.version() == copiedVersion
              && hot.counts().open() == 0
              && segments.manifest().segments().equals(state == null ? null : state.segments());
      if (state != null && nothingNew) {
        return state;
      }
      rows = rows(now);
      copiedVersion = hot.version();
    } finally {
      hotLock.unlock();
    }
    copiedNs = now;
    state = views.copy(rows.spans(), rows.points(), rows.manifest());
    return state;
  }

  /** Hot rows, and the segments beside them. */
  private record Rows(Sealing.Batch spans, List<HotPoint> points, Manifest manifest) {}

  /** The caller holds the lock. */
  private Rows rows(long nowNs) {
    return new Rows(sealing.everything(nowNs), List.copyOf(hot.points()), segments.manifest());
  }

  /** A state and what keeps its hot rows where they are. */
  record Held(Views.State state, Snapshot snapshot) implements AutoCloseable {
    @Override
    public void close() throws SQLException {
      snapshot.close();
    }
  }

  /** For users' SQL: shows at once what was received or deleted, unless much is in memory. */
  synchronized Held hold() throws SQLException {
    if (hasNews()) {
      state = null;
    }
    Views.State held = current();
    return new Held(held, views.connect(held));
  }

  private boolean hasNews() {
    hotLock.lock();
    try {
      boolean few = hot.counts().hot() + hot.points().size() <= FEW_ROWS;
      return state != null
          && (few && hot.version() != copiedVersion
              || !segments.manifest().segments().equals(state.segments()));
    } finally {
      hotLock.unlock();
    }
  }

  Views views() {
    return views;
  }

  /** Any span of a run tells its project and framework. */
  private void loadRuns(Connection connection) throws SQLException {
    List<String> runs = hot.runs().keySet().stream().limit(MOST_RUNS).toList();
    try (PreparedStatement statement = connection.prepareStatement(ABOUT)) {
      for (String run : runs) {
        statement.setString(1, run);
        try (ResultSet row = statement.executeQuery()) {
          if (row.next()) {
            hot.about(run, row.getString(1), row.getString(2));
          }
        }
      }
    }
  }

  /** A process that died stays listed, also after a restart of ours. */
  private void loadDeaths(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery(DEATHS)) {
      while (row.next()) {
        Worker worker = new Worker(row.getString(3), (Long) row.getObject(4));
        hot.deaths(row.getString(1))
            .add(
                row.getString(2),
                worker,
                row.getString(5),
                (Long) row.getObject(6),
                row.getLong(7),
                row.getString(8),
                row.getString(9));
      }
    }
  }

  /** Tells the board what segments hold, when the store is opened. */
  void loadHistory() throws IOException {
    if (segments.manifest().segments().isEmpty()) {
      return;
    }
    recount();
    try (Snapshot snapshot = take();
        Statement statement = snapshot.connection().createStatement()) {
      hotLock.lock();
      try {
        try (ResultSet rows = statement.executeQuery(DURATIONS)) {
          while (rows.next()) {
            hot.usual(rows.getString(1), rows.getString(2), rows.getLong(3), rows.getLong(4));
          }
        }
        loadStageTimes(statement);
        try (ResultSet rows = statement.executeQuery(LAST_EVENTS)) {
          while (rows.next()) {
            hot.happened(rows.getString(1), rows.getString(2), rows.getLong(3));
          }
        }
        try (ResultSet rows = statement.executeQuery(POINTS)) {
          while (rows.next()) {
            hot.points(rows.getString(1), rows.getLong(2), rows.getLong(3));
          }
        }
        loadRuns(snapshot.connection());
        loadDeaths(statement);
      } finally {
        hotLock.unlock();
      }
    } catch (SQLException e) {
      throw new IOException("segments cannot be read: " + Segments.firstLine(e), e);
    }
  }

  /**
   * Tells the board which sessions have ended. Sessions leave memory and come back only on the
   * thread that calls this, so that none is listed twice.
   */
  void listFinished() throws IOException {
    if (segments.manifest().segments().isEmpty()) {
      return;
    }
    try (Snapshot snapshot = take()) {
      FinishedSessions.load(snapshot.connection(), hot, hotLock);
    } catch (SQLException e) {
      throw new IOException("segments cannot be read: " + Segments.firstLine(e), e);
    }
  }

  private void loadStageTimes(Statement statement) throws SQLException {
    StringBuilder below = new StringBuilder();
    for (double bound : StageTimes.BOUNDS_S) {
      below
          .append(", count(*) FILTER (end_ns - start_ns <= ")
          .append(Math.round(bound * 1e9))
          .append(')');
    }
    String sql = "SELECT run, stage, sum(end_ns - start_ns) / 1e9, count(*)" + below + STAGE_TIMES;
    try (ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        long[] counts = new long[StageTimes.BOUNDS_S.size() + 1];
        long before = 0;
        for (int i = 0; i < counts.length; i++) {
          boolean last = i == counts.length - 1;
          long upTo = rows.getLong(last ? 4 : 5 + i);
          counts[i] = upTo - before;
          before = upTo;
        }
        hot.took(rows.getString(1), rows.getString(2), counts, rows.getDouble(3));
      }
    }
  }

  /**
   * Counts anew how many sessions of which batch ended how. Sessions leave memory and come back
   * only on the thread that calls this, so that nothing is counted twice.
   */
  void recount() throws IOException {
    List<HotRun.History> told = new ArrayList<>();
    try (Snapshot snapshot = takeFresh();
        Statement statement = snapshot.connection().createStatement();
        ResultSet rows = statement.executeQuery(SESSIONS)) {
      while (rows.next()) {
        told.add(
            new HotRun.History(
                rows.getString(1),
                rows.getString(2),
                Status.valueOf(rows.getString(3).toUpperCase(Locale.ROOT)),
                rows.getInt(4),
                rows.getLong(5),
                rows.getLong(6),
                rows.getLong(7),
                (Long) rows.getObject(8),
                (Long) rows.getObject(9),
                (Long) rows.getObject(10)));
      }
    } catch (SQLException e) {
      throw new IOException("segments cannot be read: " + Segments.firstLine(e), e);
    }
    Map<String, Long> spans = new HashMap<>();
    for (Segment segment : segments.manifest().segments()) {
      segment.runs().forEach((run, count) -> spans.merge(run, count, Long::sum));
    }
    hotLock.lock();
    try {
      hot.recount(told, spans);
    } finally {
      hotLock.unlock();
    }
  }

  private synchronized Snapshot takeFresh() throws SQLException {
    state = null;
    return views.connect(current());
  }
}
