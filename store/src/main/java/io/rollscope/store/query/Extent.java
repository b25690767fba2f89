package io.rollscope.store.query;

import java.sql.SQLException;

/** A window of time; where its ends are not given, they are those of the sessions in scope. */
record Extent(long from, long to) {

  static Extent of(Query query, Selection selection, Long fromNs, Long toNs, long nowNs)
      throws SQLException {
    if (fromNs != null && toNs != null) {
      return checked(fromNs, toNs);
    }
    Extent whole =
        query.first(
            Sql.of("SELECT min(start_ns), max(end_ns) FROM (SELECT start_ns, end_ns FROM")
                .plus(selection.sessions())
                .plus("UNION ALL")
                .plus(selection.laneSpans("start_ns, coalesce(end_ns, start_ns)"))
                .plus(")"),
            row -> {
              Long first = Cells.longOrNull(row, 1);
              return first == null
                  ? new Extent(nowNs, nowNs)
                  : new Extent(first, Math.max(first, row.getLong(2)) + 1);
            });
    long from =
        fromNs == null ? Math.min(whole.from(), toNs == null ? whole.from() : toNs) : fromNs;
    return checked(from, toNs == null ? Math.max(from, whole.to()) : toNs);
  }

  private static Extent checked(long from, long to) {
    if (to < from) {
      throw new IllegalArgumentException(
          "window: " + from + " to " + to + " (expected: from <= to)");
    }
    return new Extent(from, to);
  }
}
