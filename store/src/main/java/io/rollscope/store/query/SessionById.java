package io.rollscope.store.query;

import io.rollscope.core.table.SessionFacts;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionView;
import java.sql.SQLException;
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

  /** Attributes of more spans than these say nothing new. */
  private static final int ATTRIBUTE_SPANS = 1_000;

  private static final int MAX_ATTRIBUTES = 1_000;

  private record Found(SessionFacts facts, long endNs, long spans, String status) {
    /** Whether its window ends where its row says: neither at a finalisation nor now. */
    boolean endsAsTold() {
      return facts.finalisedNs() == Nanos.UNKNOWN
          && (!status.equals("running") || facts.relativeClock());
    }
  }

  private SessionById() {}

  static Optional<SessionReport> of(
      Query query, String run, String session, long nowNs, ReportContext context)
      throws SQLException {
    Found found =
        query.first(
            Sql.of(
                "SELECT "
                    + SessionRows.FACT_COLUMNS
                    + ", span_count FROM sessions WHERE run = ? AND session = ? LIMIT 1",
                run,
                session),
            row ->
                new Found(
                    SessionRows.facts(row, Nanos.UNKNOWN),
                    row.getLong(15),
                    row.getLong(18),
                    row.getString(12)));
    if (found == null) {
      return Optional.empty();
    }
    Sql where = where(query, run, session, found);
    SessionRows rows = new SessionRows();
    query.each(
        Sql.of("SELECT " + SessionRows.SPAN_COLUMNS + " FROM spans WHERE")
            .plus(where)
            .plus("ORDER BY start_ns, span_id LIMIT " + MAX_SPANS),
        rows::addSpan);
    rows.endSession(found.facts(), found.endsAsTold() ? found.endNs() : Nanos.UNKNOWN);
    addSiblings(query, run, found.facts(), rows);
    SpanTable table = rows.table();
    return Optional.of(
        SessionView.of(
            table,
            table.findSession(found.facts().key()),
            found.facts().relativeClock() ? Nanos.UNKNOWN : nowNs,
            new SessionView.SourceLines(attributes(query, where), null),
            context));
  }

  /** Within its batch if all its spans are there: that is where segments need not be searched. */
  private static Sql where(Query query, String run, String session, Found found)
      throws SQLException {
    Sql anywhere = Sql.of("run = ? AND session = ?", run, session);
    String batch = found.facts().at().batch();
    if (batch == null) {
      return anywhere;
    }
    Sql inBatch = Sql.of("run = ? AND batch = ? AND session = ?", run, batch, session);
    long there =
        query.first(
            Sql.of("SELECT count(*) FROM spans WHERE").plus(inBatch), row -> row.getLong(1));
    return there == found.spans() ? inBatch : anywhere;
  }

  private static void addSiblings(Query query, String run, SessionFacts facts, SessionRows rows)
      throws SQLException {
    if (facts.task() == null) {
      return;
    }
    query.each(
        Sql.of(
            "SELECT "
                + SessionRows.FACT_COLUMNS
                + " FROM sessions WHERE run = ? AND task = ? AND session <> ?"
                + " ORDER BY start_ns, session LIMIT "
                + MAX_SIBLINGS,
            run,
            facts.task(),
            facts.key()),
        row -> rows.endSession(SessionRows.facts(row, row.getLong(15)), Nanos.UNKNOWN));
  }

  /** Of all its spans; where two say different things, the newer. */
  private static Map<String, String> attributes(Query query, Sql where) throws SQLException {
    Map<String, String> all = new LinkedHashMap<>();
    List<Map<String, String>> newestFirst =
        query.list(
            Sql.of("SELECT attributes FROM spans WHERE")
                .plus(where)
                .plus("ORDER BY coalesce(end_ns, start_ns) DESC, start_ns DESC, span_id")
                .plus("LIMIT " + ATTRIBUTE_SPANS),
            row -> Cells.attributes(row, 1));
    for (Map<String, String> attributes : newestFirst) {
      attributes.forEach(
          (key, value) -> {
            if (all.size() < MAX_ATTRIBUTES) {
              all.putIfAbsent(key, value);
            }
          });
    }
    return all;
  }
}
