package io.rollscope.store.segment;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

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
        segments.manifest().segments().stream()
            .filter(s -> Math.max(s.endNs(), s.sealedNs()) < ns)
            .toList();
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
      boolean settled = nowNs - segment.sealedNs() > SETTLED_NS;
      boolean small = size < SMALL && settled && segments.isJoined(segment);
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

  /** Hashes of a run's ids in the segments since then: when it is gone, it may be sent again. */
  public long[] hashes(String run, long sinceNs) throws IOException {
    List<Segment> some =
        segments.manifest().segments().stream()
            .filter(s -> s.runs().containsKey(run) && s.sealedNs() >= sinceNs)
            .toList();
    LongStream.Builder hashes = LongStream.builder();
    try (Connection connection = segments.duck().connect();
        Statement statement = connection.createStatement()) {
      for (Segment segment : some) {
        if (segment.spans() == 0 || segment.sessions() == 0) {
          continue;
        }
        String verdicts =
            "(SELECT session AS s, max(verdict_ns) AS v FROM "
                + file(segment.sessionsFile())
                + " WHERE run = "
                + Duck.quoted(run)
                + " GROUP BY ALL)";
        String sql =
            "SELECT trace_id, span_id, v FROM "
                + file(segment.spansFile())
                + " LEFT JOIN "
                + verdicts
                + " ON s = session WHERE run = "
                + Duck.quoted(run);
        try (ResultSet rows = statement.executeQuery(sql)) {
          while (rows.next()) {
            long high = Long.parseUnsignedLong(rows.getString(1), 0, 16, 16);
            long low = Long.parseUnsignedLong(rows.getString(1), 16, 32, 16);
            long span = Long.parseUnsignedLong(rows.getString(2), 16);
            hashes.add(Hashes.span(high, low, span));
            long verdict = rows.getLong(3);
            if (!rows.wasNull()) {
              hashes.add(Hashes.verdict(high, low, span, verdict));
            }
          }
        }
      }
    } catch (SQLException e) {
      throw new IOException(segments.folder() + ": cannot read: " + Segments.firstLine(e), e);
    }
    return hashes.build().sorted().toArray();
  }

  private String file(String name) {
    return "read_parquet(" + Duck.quoted(segments.folder().resolve(name).toString()) + ")";
  }

  /** Removes a run. Returns how many spans went. */
  public long deleteRun(String run, long nowNs) throws IOException {
    List<Segment> out =
        segments.manifest().segments().stream().filter(s -> s.runs().containsKey(run)).toList();
    List<Segment> in = new ArrayList<>();
    for (Segment segment : out) {
      if (segment.runs().size() > 1) {
        try {
          in.add(rewrite(List.of(segment), "run IS DISTINCT FROM " + Duck.quoted(run), ""));
        } catch (IOException | RuntimeException | Error e) {
          in.forEach(segments::discard);
          throw e;
        }
      }
    }
    exchange(out, in, nowNs);
    return out.stream().mapToLong(s -> s.runs().get(run)).sum();
  }

  // ---- rewriting -------------------------------------------------------------------------------

  /** Writes one segment of the rows of several. */
  private Segment rewrite(List<Segment> from, String where, String dedupe) throws IOException {
    long number = segments.takeNumber();
    Segment name = new Segment(number, 1, 1, 1, 0, 0, 0, 0, Map.of(), Map.of(), 0);
    long sealedNs = from.stream().mapToLong(Segment::sealedNs).max().orElse(0);
    List<Long> replaces = from.stream().map(Segment::number).toList();
    Map<String, FileSum> sums = new HashMap<>();
    try (Connection connection = segments.duck().connect();
        Statement statement = connection.createStatement()) {
      Copying copying = new Copying(statement, where, replaces, sums);
      String order = " ORDER BY run, batch NULLS FIRST, session NULLS LAST, start_ns";
      List<Segment> some = from.stream().filter(s -> s.spans() > 0).toList();
      copying.copy(rows(some, Segment::spansFile), dedupe + order, name.spansFile());
      String newest =
          dedupe.isEmpty()
              ? ""
              : "QUALIFY row_number() OVER (PARTITION BY run, session ORDER BY part DESC) = 1";
      order = " ORDER BY run, batch NULLS FIRST, session";
      some = from.stream().filter(s -> s.sessions() > 0).toList();
      copying.copy(rows(some, Segment::sessionsFile), newest + order, name.sessionsFile());
      some = from.stream().filter(s -> s.points() > 0).toList();
      String points = segments.metricFiles().read(some.stream().map(Segment::metricsFile).toList());
      copying.copy(points, " ORDER BY run, name, series, time_ns", name.metricsFile());
      segments.disk().forceFolder(segments.folder());
      Segment written =
          SegmentContents.of(statement, segments.disk(), segments.folder(), number, 0, sealedNs);
      name.files().stream().filter(f -> !written.files().contains(f)).forEach(segments::remove);
      sums.keySet().retainAll(written.files());
      return written.with(sums);
    } catch (SQLException e) {
      segments.discard(name);
      throw new IOException(segments.folder() + ": cannot rewrite: " + Segments.firstLine(e), e);
    } catch (IOException | RuntimeException | Error e) {
      segments.discard(name);
      throw e;
    }
  }

  /** SQL that reads these files, or null if there are none. */
  private String rows(List<Segment> from, Function<Segment, String> file) {
    String files =
        from.stream()
            .map(s -> Duck.quoted(segments.folder().resolve(file.apply(s)).toString()))
            .collect(Collectors.joining(", "));
    return from.isEmpty()
        ? null
        : "SELECT * FROM read_parquet([" + files + "], union_by_name = true)";
  }

  /** Writes the files of a segment that replaces others, and notes their checksums. */
  private final class Copying {
    private final Statement statement;
    private final String where;
    private final List<Long> replaces;
    private final Map<String, FileSum> sums;

    Copying(Statement statement, String where, List<Long> replaces, Map<String, FileSum> sums) {
      this.statement = statement;
      this.where = where;
      this.replaces = replaces;
      this.sums = sums;
    }

    void copy(String rows, String rest, String name) throws SQLException, IOException {
      if (rows == null) {
        return;
      }
      Path fresh = segments.fresh(name);
      String chosen = "SELECT * FROM (" + rows + ") WHERE " + where + " " + rest;
      statement.execute(Segments.copy(chosen, fresh, replaces, segments.manifest().points()));
      sums.put(name, segments.finish(fresh, name));
    }
  }

  /** Lists other segments instead of these. */
  private void exchange(List<Segment> out, List<Segment> in, long nowNs) throws IOException {
    List<Segment> after = new ArrayList<>(segments.manifest().segments());
    after.removeAll(out);
    in.stream().filter(s -> !s.files().isEmpty()).forEach(after::add);
    after.sort(Comparator.comparingLong(Segment::sealedNs).thenComparing(Segment::number));
    segments.replace(after, in);
    for (Segment segment : out) {
      segment.files().forEach(file -> deleted.put(file, nowNs));
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
