package io.rollscope.store.segment;

import io.rollscope.store.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tells from the files of a segment what the manifest should say of it. */
final class SegmentContents {
  private final Statement statement;
  private final Path folder;
  private final List<String> present;
  private final Map<String, Long> runs = new HashMap<>();
  private long startNs = Long.MAX_VALUE;
  private long endNs = Long.MIN_VALUE;
  private long ingestNs;

  private SegmentContents(Statement statement, Path folder, List<String> present) {
    this.statement = statement;
    this.folder = folder;
    this.present = present;
  }

  /**
   * Reads the files of this number.
   *
   * @param sessionsVersion that in the name of its file of sessions
   * @param sealedNs when it was written, or null: not before its newest row came in
   */
  static Segment of(
      Statement statement, Disk disk, Path folder, long number, int sessionsVersion, Long sealedNs)
      throws SQLException, IOException {
    return new SegmentContents(statement, folder, disk.list(folder))
        .read(number, sessionsVersion, sealedNs);
  }

  private Segment read(long number, int sessionsVersion, Long sealedNs) throws SQLException {
    long spans =
        count(
            Segment.file("spans", number),
            "min(start_ns), max(coalesce(end_ns, start_ns)), max(ingest_ns)",
            true);
    long points =
        count(Segment.file("metrics", number), "min(time_ns), max(time_ns), max(ingest_ns)", false);
    String sessionsFile = Segment.sessionsFile(number, sessionsVersion);
    long sessions = count(sessionsFile, "min(start_ns), max(end_ns), 0", false);
    long sealed = sealedNs != null ? sealedNs : ingestNs > 0 ? ingestNs : Math.max(0, endNs);
    return new Segment(
        number,
        spans,
        sessions,
        points,
        0,
        startNs,
        endNs,
        sealed,
        runs,
        Map.of(),
        sessionsVersion);
  }

  private long count(String file, String columns, boolean spans) throws SQLException {
    if (!present.contains(file)) {
      return 0;
    }
    String sql =
        """
        SELECT run, count(*), %s
        FROM read_parquet(%s)
        GROUP BY run
        """
            .formatted(columns, Duck.quoted(folder.resolve(file).toString()));
    long all = 0;
    try (ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        all += rows.getLong(2);
        runs.merge(rows.getString(1), spans ? rows.getLong(2) : 0L, Long::sum);
        startNs = Math.min(startNs, rows.getLong(3));
        endNs = Math.max(endNs, rows.getLong(4));
        ingestNs = Math.max(ingestNs, rows.getLong(5));
      }
    }
    return all;
  }
}
