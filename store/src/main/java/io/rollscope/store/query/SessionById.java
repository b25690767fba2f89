package io.rollscope.store.query;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionView;
import io.rollscope.core.view.SpanAttributes;
import io.rollscope.core.view.SpanStack;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All about one session: its rows go into a small table, of which {@link SessionView} tells what it
 * tells of a folder's. The store keeps spans, not the source's lines: {@code events} is null.
 */
final class SessionById {
  private static final int MAX_SPANS = 100_000;
  private static final int MAX_SIBLINGS = 64;

  private static final int MAX_ATTRIBUTES = 1_000;

  private SessionById() {}

  static Optional<SessionReport> of(
      Query query, String run, String session, long nowNs, ReportContext context)
      throws SQLException {
    StoredSession found = find(query, run, session);
    if (found == null) {
      return Optional.empty();
    }
    Spans spans = read(query, run, session, found);
    SessionRows rows = spans.rows;
    found.end(rows);
    List<StoredSession> siblings = siblings(query, run, found);
    addSpans(query, run, siblings, rows);
    SpanTable table = rows.table();
    found.inferGroup(table);
    siblings.forEach(one -> one.inferGroup(table));
    return Optional.of(
        SessionView.of(
            table,
            table.findSession(found.facts().key()),
            found.facts().relativeClock() ? Nanos.UNKNOWN : nowNs,
            new SessionView.SourceLines(spans.attributes(), null, spans.ofEach),
            context));
  }

  /** The session alone, for those who draw it. */
  static Optional<SpanTable> table(Query query, String run, String session) throws SQLException {
    StoredSession found = find(query, run, session);
    if (found == null) {
      return Optional.empty();
    }
    SessionRows rows = read(query, run, session, found).rows;
    rows.endSession(found.facts(), Nanos.UNKNOWN);
    return Optional.of(rows.table());
  }

  /**
   * Spans have an index of sessions (Parquet's Bloom filters), which says the batch; if that does
   * not help, all rows are searched.
   */
  private static StoredSession find(Query query, String run, String session) throws SQLException {
    String batch =
        query.first(
            Sql.of("SELECT batch FROM spans WHERE run = ? AND session = ? LIMIT 1", run, session),
            row -> row.getString(1));
    StoredSession found =
        batch == null
            ? null
            : find(query, Sql.of("run = ? AND batch = ? AND session = ?", run, batch, session));
    return found != null ? found : find(query, Sql.of("run = ? AND session = ?", run, session));
  }

  private static StoredSession find(Query query, Sql where) throws SQLException {
    return query.first(
        Sql.of("SELECT " + StoredSession.COLUMNS + " FROM accounted WHERE")
            .plus(where)
            .plus("LIMIT 1"),
        StoredSession::of);
  }

  /** From its batch if all its spans are there: then other segments need not be searched. */
  private static Spans read(Query query, String run, String session, StoredSession found)
      throws SQLException {
    String batch = found.facts().at().batch();
    if (batch != null) {
      Sql inBatch = Sql.of("run = ? AND batch = ? AND session = ?", run, batch, session);
      Spans spans = Spans.read(query, inBatch, found.facts().at());
      if (spans.count == Math.min(MAX_SPANS, found.spans())) {
        return spans;
      }
    }
    return Spans.read(query, Sql.of("run = ? AND session = ?", run, session), found.facts().at());
  }

  /** Its spans, and what they say together: where two differ, the newer. */
  private static final class Spans {
    final SessionRows rows = new SessionRows();
    private final Map<String, Said> said = new LinkedHashMap<>();
    final SpanAttributes ofEach = new SpanAttributes();
    private int count;

    private record Said(long atNs, String value) {}

    static Spans read(Query query, Sql where, Coordinates session) throws SQLException {
      Spans spans = new Spans();
      query.each(
          Sql.of("SELECT " + SessionRows.SPAN_COLUMNS + ", coalesce(end_ns, start_ns), attributes")
              .plus("FROM spans WHERE")
              .plus(where)
              .plus("ORDER BY start_ns, span_id LIMIT " + MAX_SPANS),
          row -> spans.add(row, session));
      return spans;
    }

    private void add(ResultSet row, Coordinates session) throws SQLException {
      rows.addSpan(row, session);
      long at = row.getLong(20);
      Map<String, String> attributes = Cells.attributes(row, 21);
      ofEach.add(count++, attributes);
      attributes.forEach(
          (key, value) -> {
            Said before = said.get(key);
            boolean news = before == null ? said.size() < MAX_ATTRIBUTES : at >= before.atNs();
            if (news && !SpanStack.isPart(key)) {
              said.put(key, new Said(at, value));
            }
          });
    }

    /** The newest first. */
    Map<String, String> attributes() {
      Map<String, String> attributes = new LinkedHashMap<>();
      said.entrySet().stream()
          .sorted(
              Comparator.comparingLong((Map.Entry<String, Said> e) -> -e.getValue().atNs())
                  .thenComparing(Map.Entry::getKey))
          .forEach(e -> attributes.put(e.getKey(), e.getValue().value()));
      return attributes;
    }
  }

  /** The other sessions of its group (contracts.md 2.11), in order of their ids. */
  private static List<StoredSession> siblings(Query query, String run, StoredSession of)
      throws SQLException {
    String task = of.facts().task();
    String batch = of.facts().at().batch();
    if (task == null && of.group() == null) {
      return List.of();
    }
    return query.list(
        Sql.of("SELECT " + StoredSession.COLUMNS + " FROM accounted WHERE run = ?", run)
            .plus(batch == null ? Sql.of("AND batch IS NULL") : Sql.of("AND batch = ?", batch))
            .plus(
                task == null ? "AND task IS NULL AND inferred_group = ?" : "AND task = ?",
                task == null ? of.group() : task)
            .plus("AND session <> ? ORDER BY session LIMIT " + MAX_SIBLINGS, of.facts().key()),
        StoredSession::of);
  }

  /** Their spans say when they were done. */
  private static void addSpans(
      Query query, String run, List<StoredSession> sessions, SessionRows rows) throws SQLException {
    if (sessions.isEmpty()) {
      return;
    }
    Map<String, StoredSession> waiting = new LinkedHashMap<>();
    sessions.forEach(one -> waiting.put(one.facts().key(), one));
    long firstNs = sessions.stream().mapToLong(StoredSession::firstNs).min().getAsLong();
    long lastNs = sessions.stream().mapToLong(StoredSession::lastNs).max().getAsLong();
    String marks = String.join(", ", Collections.nCopies(sessions.size(), "?"));
    String[] last = {null};
    query.each(
        Sql.of("SELECT " + SessionRows.SPAN_COLUMNS + ", session FROM spans WHERE run = ?", run)
            .plus("AND start_ns BETWEEN ? AND ?", firstNs, lastNs)
            .plus(new Sql("AND session IN (" + marks + ")", List.copyOf(waiting.keySet())))
            .plus("ORDER BY session, start_ns, span_id LIMIT " + MAX_SPANS),
        row -> {
          String session = row.getString(20);
          if (last[0] != null && !last[0].equals(session)) {
            waiting.remove(last[0]).end(rows);
          }
          last[0] = session;
          rows.addSpan(row, waiting.get(session).facts().at());
        });
    if (last[0] != null) {
      waiting.remove(last[0]).end(rows);
    }
    waiting.values().forEach(one -> one.end(rows));
  }
}
