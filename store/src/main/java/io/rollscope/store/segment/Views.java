package io.rollscope.store.segment;

import io.rollscope.store.hot.HotStore.HotPoint;
import io.rollscope.store.hot.Sealing;
import io.rollscope.store.query.SiblingWaitsSql;
import io.rollscope.store.query.Snapshot;
import io.rollscope.store.query.Snapshot.MetricSources;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The views {@code spans}, {@code sessions}, {@code states} and {@code metrics} over segments and a
 * copy of the hot rows; for the store itself also {@code accounted} (sessions without what depends
 * on others), {@code history} (those that are only in segments) and {@code recent} (about the last
 * million spans). Each copy has tables of its own, which go when there is a newer copy and nobody
 * uses them any more. One thread copies and connects at a time; any may close.
 */
public final class Views {
  private static final long RECENT_ROWS = 1_000_000;

  private final Duck duck;
  private final Path folder;
  private final MetricFiles metricFiles;
  private final Map<Long, Integer> users = new HashMap<>();
  private long made;
  private long newest;

  public Views(Duck duck, Path folder, MetricFiles metricFiles) {
    this.duck = duck;
    this.folder = folder;
    this.metricFiles = metricFiles;
  }

  private static final String VIEWS =
      """
      CREATE TEMP VIEW spans AS %s;
      CREATE TEMP VIEW history AS %s;
      CREATE TEMP VIEW accounted AS SELECT * REPLACE (
          coalesce(work_ns, wall_ns - barrier_ns - unaccounted_ns) AS work_ns,
          coalesce(own_ns, wall_ns - barrier_ns - unaccounted_ns) AS own_ns)
        FROM (SELECT * FROM history UNION ALL BY NAME %s);
      CREATE TEMP VIEW sessions AS %s;
      CREATE TEMP VIEW states AS SELECT * FROM spans WHERE lane IS NOT NULL;
      CREATE TEMP VIEW metrics AS %s;
      CREATE TEMP VIEW recent AS %s""";

  /** Tables of which each copy of the hot rows has its own. */
  private static final List<String> TABLES =
      List.of("hot_spans", "hot_sessions", "hot_metrics", "later");

  /**
   * What a connection sees.
   *
   * @param copy number of the copy of the hot rows
   * @param inMemory runs of which the copy has rows
   * @param laterParts whether there are sessions of which a later part replaces an earlier one
   */
  public record State(long copy, List<Segment> segments, boolean laterParts, Set<String> inMemory) {

    /** Segments never change; what is in memory may be other in the next copy. */
    private Object version(String run) {
      return inMemory.contains(run)
          ? (Object) copy
          : segments.stream().filter(s -> s.runs().containsKey(run)).map(Segment::number).toList();
    }

    private String table(String name) {
      return name + "_" + copy;
    }
  }

  /** Where the tables of a copy are: SQL that can stand after FROM. */
  @FunctionalInterface
  private interface HotRows {
    String table(String name);
  }

  /** Copies hot rows into DuckDB. */
  public State copy(Sealing.Batch hot, List<HotPoint> points, Manifest manifest)
      throws SQLException {
    long copy = ++made;
    duck.run(
        new SpanRows(duck.allocator(), hot.spans()),
        "CREATE TABLE hot_spans_" + copy + " AS SELECT * FROM rows");
    duck.run(
        new SessionRows(duck.allocator(), hot.sessions().iterator()),
        "CREATE TABLE hot_sessions_" + copy + " AS SELECT * FROM rows");
    duck.run(
        new PointRows(duck.allocator(), points.iterator()),
        "CREATE TABLE hot_metrics_" + copy + " AS SELECT * FROM rows");
    List<Segment> segments = manifest.segments();
    duck.run("CREATE TABLE later_" + copy + " AS " + later(copy, segments));
    Set<String> inMemory =
        hot.groups().stream().map(g -> g.key().run()).collect(Collectors.toSet());
    State state = new State(copy, segments, duck.isAny("later_" + copy), inMemory);
    long before;
    synchronized (this) {
      before = newest;
      newest = copy;
      users.put(copy, 0);
    }
    dropUnused(before);
    return state;
  }

  /** Which sessions have a later part than their first, and which is the last. There are few. */
  private String later(long copy, List<Segment> segments) {
    String hot = "SELECT run, session, part FROM hot_sessions_" + copy + " WHERE part > 0";
    String sealed = files(segments, Segment::sessions, Segment::sessionsFile);
    String all =
        sealed == null
            ? hot
            : hot + " UNION ALL SELECT run, session, part FROM " + sealed + " WHERE part > 0";
    return "SELECT run, session, max(part) AS part FROM (" + all + ") GROUP BY run, session";
  }

  private void dropUnused(long copy) {
    synchronized (this) {
      if (copy == newest || !Integer.valueOf(0).equals(users.get(copy))) {
        return;
      }
      users.remove(copy);
    }
    try {
      for (String table : TABLES) {
        duck.run("DROP TABLE IF EXISTS " + table + "_" + copy);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("a copy that nobody uses cannot be dropped", e);
    }
  }

  /** A connection that sees this state, which is the newest or in use. */
  public Snapshot connect(State state) throws SQLException {
    long copy = state.copy();
    synchronized (this) {
      users.merge(copy, 1, Integer::sum);
    }
    try {
      return new Snapshot(
          define(duck.connect(), state), sources(state), state::version, () -> leave(copy));
    } catch (SQLException | RuntimeException | Error e) {
      leave(copy);
      throw e;
    }
  }

  private MetricSources sources(State state) throws SQLException {
    Map<String, String> files = new LinkedHashMap<>();
    for (String name : metricNames(state)) {
      files.put(name, metricFiles.read(List.of(name)));
    }
    long since =
        state.segments().stream()
            .filter(s -> s.points() > 0)
            .mapToLong(Segment::startNs)
            .min()
            .orElse(Long.MAX_VALUE);
    return new MetricSources(files, "hot_metrics_" + state.copy(), since);
  }

  private void leave(long copy) {
    synchronized (this) {
      users.merge(copy, -1, Integer::sum);
    }
    dropUnused(copy);
  }

  /** Writes the hot rows of a state, which is in use, for another process to read. */
  public void export(State state, Path to) throws SQLException {
    for (String name : TABLES) {
      duck.run(
          "COPY "
              + state.table(name)
              + " TO "
              + Duck.quoted(exported(to, name))
              + " (FORMAT parquet, COMPRESSION snappy)");
    }
  }

  private static String exported(Path folder, String table) {
    return folder.resolve(table + ".parquet").toString();
  }

  /**
   * SQL that creates the views in another process.
   *
   * @param hot folder with exported hot rows
   */
  public String definitions(State state, Path hot) throws SQLException {
    return definitions(state, name -> "read_parquet(" + Duck.quoted(exported(hot, name)) + ")");
  }

  private Connection define(Connection connection, State state) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(definitions(state, state::table));
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  private String metrics(State state, HotRows rows) throws SQLException {
    String hot = "SELECT * FROM " + rows.table("hot_metrics");
    String sealed = metricFiles.read(metricNames(state));
    return sealed == null ? hot : sealed + " UNION ALL BY NAME " + hot;
  }

  private static List<String> metricNames(State state) {
    return state.segments().stream().filter(s -> s.points() > 0).map(Segment::metricsFile).toList();
  }

  private String definitions(State state, HotRows rows) throws SQLException {
    String hotSpans = rows.table("hot_spans");
    String spans = union(state, hotSpans, Segment::spans, Segment::spansFile);
    String metrics = metrics(state, rows);
    String sealed = files(state.segments(), Segment::sessions, Segment::sessionsFile);
    String hot = "SELECT * EXCLUDE (part) FROM " + rows.table("hot_sessions");
    String history = hot + " WHERE false";
    if (sealed != null) {
      history = "SELECT s.* EXCLUDE (part) FROM " + sealed + " s";
    }
    if (sealed != null && state.laterParts()) {
      // A later part of a session replaces the earlier ones.
      history +=
          " ANTI JOIN "
              + rows.table("later")
              + " l ON l.run = s.run AND l.session = s.session AND l.part > s.part";
    }
    return VIEWS.formatted(
        spans,
        history,
        hot,
        SiblingWaitsSql.ofAll(),
        metrics,
        union(newest(state), hotSpans, Segment::spans, Segment::spansFile));
  }

  /** Only the newest segments, of about a million rows. */
  private static State newest(State state) {
    List<Segment> newest = new ArrayList<>();
    long rows = 0;
    for (int i = state.segments().size() - 1; i >= 0 && rows < RECENT_ROWS; i--) {
      newest.add(state.segments().get(i));
      rows += state.segments().get(i).spans();
    }
    return new State(state.copy(), newest, false, Set.of());
  }

  private String union(
      State state, String rows, ToLongFunction<Segment> count, Function<Segment, String> file) {
    String hot = "SELECT * FROM " + rows;
    String sealed = files(state.segments(), count, file);
    return sealed == null ? hot : "SELECT * FROM " + sealed + " UNION ALL " + hot;
  }

  private String files(
      List<Segment> segments, ToLongFunction<Segment> count, Function<Segment, String> file) {
    String names =
        segments.stream()
            .filter(s -> count.applyAsLong(s) > 0)
            .map(s -> Duck.quoted(folder.resolve(file.apply(s)).toString()))
            .collect(Collectors.joining(", "));
    // By name: files of earlier versions have fewer columns.
    return names.isEmpty() ? null : "read_parquet([" + names + "], union_by_name = true)";
  }
}
