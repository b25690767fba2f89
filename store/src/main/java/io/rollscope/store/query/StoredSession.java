package io.rollscope.store.query;

import io.rollscope.core.table.SessionFacts;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * What is known of a session without its spans, which start from {@code firstNs} to {@code lastNs}.
 *
 * @param group the group it was seen to be begun in, or null
 * @param endNs when it was last heard of
 * @param spans how many it has
 */
record StoredSession(
    SessionFacts facts,
    String group,
    long endNs,
    long spans,
    String status,
    long firstNs,
    long lastNs) {

  /** What {@link #of} reads, of {@code accounted}. */
  static final String COLUMNS =
      SessionRows.FACT_COLUMNS
          + ", span_count, least(start_ns, work_start_ns), greatest(end_ns, work_end_ns)";

  static StoredSession of(ResultSet row) throws SQLException {
    return new StoredSession(
        SessionRows.facts(row, Nanos.UNKNOWN),
        row.getString(18),
        row.getLong(15),
        row.getLong(22),
        row.getString(12),
        row.getLong(23),
        row.getLong(24));
  }

  /** The spans added to {@code rows} since the last session are its. */
  void end(SessionRows rows) {
    boolean now = status.equals("running") && !facts.relativeClock();
    boolean asTold = facts.finalisedNs() == Nanos.UNKNOWN && !now;
    rows.endSession(facts, asTold ? endNs : Nanos.UNKNOWN);
  }

  /** To be called once it is in the table. */
  void inferGroup(SpanTable table) {
    if (group != null) {
      table.inferGroup(table.findSession(facts.key()), group, endNs);
    }
  }
}
