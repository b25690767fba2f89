package io.rollscope.store.query;

import io.rollscope.store.query.TraceReport.Span;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** Finds a trace, in whatever run its spans are. */
final class Trace {
  private static final int MAX_SPANS = 10_000;

  private Trace() {}

  static TraceReport of(Query query, String traceId) throws SQLException {
    String id = traceId.toLowerCase(Locale.ROOT);
    Sql where = Sql.of("FROM spans WHERE trace_id = ?", id);
    List<Span> spans =
        query.list(
            Sql.of("SELECT run, session, task, batch, span_id, parent_id, kind, name, stage,")
                .plus("start_ns, end_ns, self_ns, outcome,")
                .plus("nullif(concat_ws(': ', error_type, error_message), ''),")
                .plus("worker_role, worker_rank, lane, clock, attributes")
                .plus(where)
                .plus("ORDER BY start_ns, span_id LIMIT " + MAX_SPANS),
            row ->
                new Span(
                    row.getString(1),
                    row.getString(2),
                    row.getString(3),
                    row.getString(4),
                    row.getString(5),
                    row.getString(6),
                    row.getString(7),
                    row.getString(8),
                    row.getString(9),
                    row.getString(10),
                    row.getString(11),
                    row.getString(12),
                    row.getString(13),
                    row.getString(14),
                    Cells.worker(row, 15).label(),
                    row.getString(17),
                    row.getString(18),
                    Cells.attributes(row, 19)));
    long all =
        spans.size() < MAX_SPANS
            ? spans.size()
            : query.first(Sql.of("SELECT count(*)").plus(where), row -> row.getLong(1));
    return new TraceReport(id, spans, all - spans.size());
  }
}
