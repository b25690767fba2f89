package io.rollscope.store.segment;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Changes segments that exist: drops old ones, merges small ones, rewrites those that hold a run to
 * be deleted. Files that are no longer listed stay for a while, because a query may be reading
 * them.
 */
public final class Upkeep {
  /** Segments of fewer spans than this are merged. */
  private static final long SMALL = 250_000;

  private static final long MOST_ROWS = 1_000_000;
  private static final int FEW = 8;
  private static final long LINGER_NS = 90_000_000_000L;
  private static final long SETTLED_NS = 60_000_000_000L;

  private final Segments segments;
  private final Map<String, Long> deleted = new HashMap<>();

  public Upkeep(Segments segments) {
    this.segments = segments;
  }

  // ---- age -------------------------------------------------------------------------------------

  /** Drops segments everything of which is older. Returns how many. */
  public int dropBefore(long ns, long nowNs) throws IOException {
    List<Segment> gone =
        segments.manifest().segments().stream().filter(s -> s.endNs() < ns).toList();
    if (!gone.isEmpty()) {
      exchange(gone, List.of(), nowNs);
    }
    return gone.size();
  }

  // ---- small segments --------------------------------------------------------------------------

  /** Merges the oldest small segments that lie beside each other, if there are many. */
  public boolean compact(long nowNs) throws IOException {
    List<Segment> group = new ArrayList<>();
    long rows = 0;
    for (Segment segment : segments.manifest().segments()) {
      long size = segment.spans() + segment.points();
      boolean small = size < SMALL && nowNs - segment.sealedNs() > SETTLED_NS;
      if (!small || rows + size > MOST_ROWS) {
        if (group.size() >= FEW) {
          break;
        }
        group.clear();
        rows = 0;
      }
      if (small) {
        group.add(segment);
        rows += size;
      }
    }
    if (group.size() < FEW) {
      return false;
    }
    exchange(
        group,
        List.of(
            rewrite(
                group,
                "true",
                "QUALIFY row_number() OVER (PARTITION BY trace_id, span_id ORDER BY end_ns DESC NULLS LAST) = 1")),
        nowNs);
    return true;
  }

  // ---- runs ------------------------------------------------------------------------------------

  /** Removes a run. Returns how many spans went. */
  public long deleteRun(String run, long nowNs) throws IOException {
    long spans = 0;
    for (Segment segment : segments.manifest().segments()) {
      if (segment.runs().containsKey(run)) {
        spans += segment.runs().get(run);
        List<Segment> rest =
            segment.runs().size() == 1
                ? List.of()
                : List.of(
                    rewrite(List.of(segment), "run IS DISTINCT FROM " + Duck.quoted(run), ""));
        exchange(List.of(segment), rest, nowNs);
      }
    }
    return spans;
  }

  // ---- rewriting -------------------------------------------------------------------------------

  /** Writes one segment of the rows of several. */
  private Segment rewrite(List<Segment> from, String where, String dedupe) throws IOException {
    long number = segments.manifest().next();
    segments.freeNumber(number);
    Segment name = new Segment(number, 1, 1, 1, 0, 0, 0, 0, Map.of());
    long sealedNs = from.stream().mapToLong(Segment::sealedNs).max().orElse(0);
    try (Connection connection = segments.duck().connect();
        Statement statement = connection.createStatement()) {
      long bytes = 0;
      List<Segment> some = from.stream().filter(s -> s.spans() > 0).toList();
      String order = " ORDER BY run, batch NULLS FIRST, session NULLS LAST, start_ns";
      bytes += copy(statement, some, Segment::spansFile, where, dedupe + order, name.spansFile());
      some = from.stream().filter(s -> s.sessions() > 0).toList();
      String newest =
          dedupe.isEmpty()
              ? ""
              : "QUALIFY row_number() OVER (PARTITION BY run, session ORDER BY part DESC) = 1";
      order = " ORDER BY run, batch NULLS FIRST, session";
      bytes +=
          copy(statement, some, Segment::sessionsFile, where, newest + order, name.sessionsFile());
      some = from.stream().filter(s -> s.points() > 0).toList();
      order = " ORDER BY run, name, time_ns";
      bytes += copy(statement, some, Segment::metricsFile, where, order, name.metricsFile());
      segments.disk().forceFolder(segments.folder());
      return describe(statement, name, bytes, sealedNs);
    } catch (SQLException e) {
      throw new IOException(segments.folder() + ": cannot rewrite: " + Segments.firstLine(e), e);
    }
  }

  private long copy(
      Statement statement,
      List<Segment> from,
      Function<Segment, String> file,
      String where,
      String rest,
      String name)
      throws SQLException, IOException {
    if (from.isEmpty()) {
      return 0;
    }
    String files =
        from.stream()
            .map(s -> Duck.quoted(segments.folder().resolve(file.apply(s)).toString()))
            .collect(Collectors.joining(", "));
    Path fresh = segments.folder().resolve(name + ".new");
    statement.execute(
        "COPY (SELECT * FROM read_parquet(["
            + files
            + "]) WHERE "
            + where
            + " "
            + rest
            + ") TO "
            + Duck.quoted(fresh.toString())
            + Segments.OPTIONS);
    return segments.finish(fresh, name);
  }

  private Segment describe(Statement statement, Segment name, long bytes, long sealedNs)
      throws SQLException, IOException {
    Map<String, Long> runs = new HashMap<>();
    long[] extent = {Long.MAX_VALUE, Long.MIN_VALUE};
    long spans =
        count(
            statement,
            name.spansFile(),
            "run, min(start_ns), max(coalesce(end_ns, start_ns))",
            runs,
            extent,
            true);
    long points =
        count(
            statement, name.metricsFile(), "run, min(time_ns), max(time_ns)", runs, extent, false);
    long sessions =
        count(
            statement,
            name.sessionsFile(),
            "run, min(start_ns), max(start_ns)",
            new HashMap<>(),
            new long[2],
            false);
    return new Segment(
        name.number(), spans, sessions, points, bytes, extent[0], extent[1], sealedNs, runs);
  }

  private long count(
      Statement statement,
      String file,
      String columns,
      Map<String, Long> runs,
      long[] extent,
      boolean spans)
      throws SQLException, IOException {
    if (!segments.disk().list(segments.folder()).contains(file)) {
      return 0;
    }
    long all = 0;
    Path path = segments.folder().resolve(file);
    try (ResultSet rows =
        statement.executeQuery(
            "SELECT "
                + columns
                + ", count(*) FROM read_parquet("
                + Duck.quoted(path.toString())
                + ") GROUP BY run")) {
      while (rows.next()) {
        extent[0] = Math.min(extent[0], rows.getLong(2));
        extent[1] = Math.max(extent[1], rows.getLong(3));
        all += rows.getLong(4);
        runs.merge(rows.getString(1), spans ? rows.getLong(4) : 0L, Long::sum);
      }
    }
    return all;
  }

  /** Lists other segments instead of these. */
  private void exchange(List<Segment> out, List<Segment> in, long nowNs) throws IOException {
    Manifest before = segments.manifest();
    Set<Long> gone = out.stream().map(Segment::number).collect(Collectors.toSet());
    List<Segment> after = new ArrayList<>();
    boolean placed = false;
    for (Segment segment : before.segments()) {
      if (!gone.contains(segment.number())) {
        after.add(segment);
      } else if (!placed) {
        placed = true;
        in.stream().filter(s -> s.spans() + s.sessions() + s.points() > 0).forEach(after::add);
      }
    }
    segments.replace(
        new Manifest(Manifest.VERSION, before.next() + in.size(), before.points(), after));
    for (Segment segment : out) {
      Segments.files(segment).forEach(file -> deleted.put(file, nowNs));
    }
  }

  /** Removes files that were let go long enough ago. */
  public void removeDeleted(long nowNs) throws IOException {
    for (String file : new HashSet<>(deleted.keySet())) {
      if (nowNs - deleted.get(file) > LINGER_NS) {
        segments.disk().delete(segments.folder().resolve(file));
        deleted.remove(file);
      }
    }
  }
}
