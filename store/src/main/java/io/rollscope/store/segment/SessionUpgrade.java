package io.rollscope.store.segment;

import io.rollscope.core.model.Status;
import io.rollscope.core.session.LateFacts;
import io.rollscope.core.session.SessionStatus;
import io.rollscope.store.hot.ReturnedSession;
import io.rollscope.store.hot.ReturnedSession.Decided;
import io.rollscope.store.hot.ReturnedSession.Row;
import io.rollscope.store.hot.SealedSummary;
import io.rollscope.store.hot.SessionKey;
import io.rollscope.store.hot.SessionRow;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/**
 * Version 3: sessions know when their work ended, when they were done by themselves and what may
 * have been a wait for siblings (contracts.md 5.7 to 5.11). Those that an earlier version sealed
 * are summarised anew from their spans, in all segments that hold some, one segment after another.
 * The new files count when the manifest lists all of them: after a crash the folder is as it was.
 */
final class SessionUpgrade {
  /** Spans of so many are in memory at a time, about. */
  private static final long SPANS_AT_ONCE = 250_000;

  private static final long PROGRESS_NS = 2_000_000_000L;

  private static final String SEVERAL =
      """
      CREATE OR REPLACE TEMP TABLE several AS
      WITH parts AS (
        SELECT run, session, part, list_position(%1$s, filename) AS place
        FROM read_parquet(%1$s, filename = true))
      SELECT run, session, place, part < last AS outdated
      FROM parts JOIN (
        SELECT run, session, max(part) AS last FROM parts GROUP BY run, session HAVING count(*) > 1)
      USING (run, session)""";

  private static final String HOLDERS =
      """
      SELECT DISTINCT other.place FROM several other JOIN several mine USING (run, session)
      WHERE mine.place = %1$d AND NOT mine.outdated AND other.place <> %1$d""";

  /**
   * A lost span of earlier versions has no end: its session's window had. Their own word for a
   * status is the source's, where that has no other.
   */
  private static final String SPANS =
      """
      WITH mine AS (
        SELECT * FROM read_parquet(%1$s)
        ANTI JOIN (SELECT run, session FROM several WHERE place = %2$d AND outdated)
        USING (run, session) WHERE hash(run, session) %% %3$d = %4$d),
      found AS (
        SELECT %5$s FROM read_parquet(%6$s) SEMI JOIN mine USING (run, session))
      SELECT found.* REPLACE (CASE WHEN outcome = 'lost' AND found.end_ns IS NULL
          THEN greatest(found.start_ns, mine.end_ns) ELSE found.end_ns END AS end_ns,
          coalesce(found.source_status, found.status) AS source_status),
        mine.part AS row_part, mine.verdict_ns AS row_verdict_ns, mine.status AS row_status,
        mine.source_status AS row_source_status, mine.reason AS row_reason,
        mine.batch AS row_batch, mine.end_ns AS row_end_ns, mine.span_count AS row_spans,
        mine.open_count AS row_open
      FROM found JOIN mine ON mine.run = found.run AND mine.session = found.session
      ORDER BY found.run, found.session""";

  private static final String RENEWED =
      """
      SELECT * FROM upgraded UNION ALL BY NAME
      SELECT * FROM read_parquet(%s) ANTI JOIN upgraded USING (run, session)
      ORDER BY run, batch NULLS FIRST, session""";

  private final Segments segments;
  private final long nowNs;
  private final SealedSummary summary = new SealedSummary();
  private long toldNs = System.nanoTime();

  SessionUpgrade(Segments segments, long nowNs) {
    this.segments = segments;
    this.nowNs = nowNs;
  }

  /** Sets aside what cannot be read. */
  void run() throws IOException {
    System.err.println(
        "rollscope: "
            + segments.folder()
            + ": upgraded to version "
            + Manifest.VERSION
            + " (sessions of "
            + segments.manifest().segments().stream().filter(s -> s.sessions() > 0).count()
            + " segments are summarised anew from their spans)");
    while (true) {
      try {
        segments.upgraded(renewed());
        return;
      } catch (SQLException e) {
        if (segments.setAsideUnreadable(nowNs) == 0) {
          throw new IOException(
              segments.folder() + ": cannot be upgraded: " + Segments.firstLine(e), e);
        }
      }
    }
  }

  private List<Segment> renewed() throws SQLException, IOException {
    List<Segment> all = new ArrayList<>(segments.manifest().segments());
    List<Segment> holders = all.stream().filter(s -> s.sessions() > 0).toList();
    if (holders.isEmpty()) {
      return all;
    }
    try (Connection connection = segments.duck().connect();
        Statement statement = connection.createStatement()) {
      String files = holders.stream().map(s -> path(s.sessionsFile())).collect(list());
      statement.execute(SEVERAL.formatted(files));
      for (int i = 0; i < holders.size(); i++) {
        Segment segment = holders.get(i);
        Path file = segments.folder().resolve(segment.sessionsFile());
        if (FileMetadata.version(FileMetadata.of(statement, file)) < Manifest.VERSION) {
          all.set(all.indexOf(segment), renewed(statement, holders, i));
        }
        tell(i + 1, holders.size());
      }
    }
    segments.disk().forceFolder(segments.folder());
    return all;
  }

  private void tell(int done, int of) {
    if (done < of && System.nanoTime() - toldNs >= PROGRESS_NS) {
      toldNs = System.nanoTime();
      System.err.println(
          "rollscope: " + segments.folder() + ": " + done + " of " + of + " segments");
    }
  }

  private Segment renewed(Statement statement, List<Segment> holders, int at)
      throws SQLException, IOException {
    Segment segment = holders.get(at);
    List<Segment> from = new ArrayList<>(List.of(segment));
    try (ResultSet others = statement.executeQuery(HOLDERS.formatted(at + 1))) {
      while (others.next()) {
        from.add(holders.get(others.getInt(1) - 1));
      }
    }
    String spans =
        from.stream().filter(s -> s.spans() > 0).map(s -> path(s.spansFile())).collect(list());
    String before = path(segment.sessionsFile());
    long pieces = spans.equals("[]") ? 0 : 1 + segment.spans() / SPANS_AT_ONCE;
    segments
        .duck()
        .run(
            new SessionRows(segments.duck().allocator(), List.<SessionRow>of().iterator()),
            "CREATE OR REPLACE TABLE upgraded AS SELECT * FROM rows");
    for (long piece = 0; piece < pieces; piece++) {
      String sql = SPANS.formatted(before, at + 1, pieces, piece, Returning.SPAN_COLUMNS, spans);
      try (ResultSet rows = statement.executeQuery(sql)) {
        segments
            .duck()
            .run(
                new SessionRows(segments.duck().allocator(), new Summaries(rows)),
                "INSERT INTO upgraded SELECT * FROM rows");
      }
    }
    String name = Segment.sessionsFile(segment.number(), Manifest.VERSION);
    Path fresh = segments.fresh(name);
    segments
        .duck()
        .run(
            Segments.copy(
                RENEWED.formatted(before), fresh, List.of(), segments.manifest().points()));
    segments.duck().run("DROP TABLE upgraded");
    return segment.withSessions(Manifest.VERSION, segments.finish(fresh, name));
  }

  private String path(String file) {
    return Duck.quoted(segments.folder().resolve(file).toString());
  }

  private static Collector<CharSequence, ?, String> list() {
    return Collectors.joining(", ", "[", "]");
  }

  /** Session after session, from rows of spans in their order. */
  private final class Summaries implements Iterator<SessionRow> {
    private final ResultSet rows;
    private boolean more;
    private SessionRow next;

    Summaries(ResultSet rows) throws SQLException {
      this.rows = rows;
      more = rows.next();
    }

    @Override
    public boolean hasNext() {
      try {
        while (next == null && more) {
          next = read();
        }
      } catch (SQLException e) {
        throw new IllegalStateException(Segments.firstLine(e), e);
      }
      return next != null;
    }

    @Override
    public SessionRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      SessionRow row = next;
      next = null;
      return row;
    }

    private SessionRow read() throws SQLException {
      SessionKey key = new SessionKey(rows.getString(1), rows.getString(2), false);
      String word = rows.getString(34);
      Status status = SessionStatus.ofVerdict(word);
      String source = rows.getString(35);
      source = SessionStatus.ofWord(source) == status ? source : word;
      long decidedNs = rows.getLong(33);
      Decided decided =
          rows.wasNull()
              ? null
              : new Decided(decidedNs, word, source, rows.getString(36), LateFacts.NONE);
      Row row = new Row(rows.getString(37), status, rows.getLong(39));
      long endNs = rows.getLong(38);
      long open = rows.getLong(40);
      ReturnedSession session =
          new ReturnedSession(key, rows.getInt(32) + 1, row, decided, new ArrayList<>());
      do {
        session.spans().add(Returning.sealedSpan(rows));
        more = rows.next();
      } while (more && key.run().equals(rows.getString(1)) && key.id().equals(rows.getString(2)));
      return summary.of(session, endNs, open);
    }
  }
}
