package io.rollscope.store.query;

import io.rollscope.core.accounting.SiblingWaits;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.table.SessionFacts;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.OccupancyBuckets;
import io.rollscope.core.view.OccupancyReport;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How many sessions were in each stage or wait over time, from the sweep of the accounting. */
final class Occupancy {
  /** Spans are held for a few sessions at a time; these bound how long it takes. */
  private static final int MAX_SPANS = 2_000_000;

  private static final int SESSIONS_AT_ONCE = 2_000;

  /** A session's window. */
  private record Lifetime(SessionFacts facts, long to, long othersEnd) {
    boolean isFinalised() {
      return facts.finalisedNs() != Nanos.UNKNOWN;
    }
  }

  private final OccupancyBuckets buckets;
  private SessionRows rows = new SessionRows();
  private List<Lifetime> waiting = new ArrayList<>();

  private Occupancy(OccupancyBuckets buckets) {
    this.buckets = buckets;
  }

  static OccupancyReport of(
      Query query, Question question, Long fromNs, Long toNs, int buckets, String source)
      throws SQLException {
    Selection selection = Selection.of(query, question);
    Extent extent = Extent.of(query, selection, fromNs, toNs, question.nowNs());
    OccupancyBuckets counted = new OccupancyBuckets(extent.from(), extent.to(), buckets);
    Occupancy occupancy = new Occupancy(counted);
    Sql inWindow =
        Sql.of("FROM")
            .plus(selection.sessions())
            .plus("WHERE start_ns < ? AND end_ns > ?", extent.to(), extent.from());
    long all = query.first(Sql.of("SELECT count(*)").plus(inWindow), row -> row.getLong(1));
    query.execute(
        Sql.of("CREATE OR REPLACE TEMP TABLE occupants AS SELECT * FROM (SELECT *,")
            .plus("sum(span_count + 1) OVER (ORDER BY hash(session), session) AS upto")
            .plus(inWindow)
            .plus(") WHERE upto <= " + MAX_SPANS));
    int seen = occupancy.read(query, question, selection);
    return counted.report(source, question.run(), question.scope().word(), seen, all - seen);
  }

  private int read(Query query, Question question, Selection selection) throws SQLException {
    Map<String, Lifetime> lifetimes = new LinkedHashMap<>();
    query.each(
        Sql.of("SELECT " + SessionRows.FACT_COLUMNS + ", others_end_ns FROM")
            .plus(selection.sessionsInGroups(Sql.of("occupants"), Sql.of("TRUE")))
            .plus("ORDER BY session"),
        row -> {
          boolean goesOn = row.getString(12).equals("running") && row.getString(17).equals("utc");
          SessionFacts facts = SessionRows.facts(row, Nanos.UNKNOWN);
          boolean now = goesOn && facts.finalisedNs() == Nanos.UNKNOWN;
          Long others = Cells.longOrNull(row, 22);
          lifetimes.put(
              facts.key(),
              new Lifetime(
                  facts,
                  now ? question.nowNs() : row.getLong(15),
                  others == null ? SiblingWaits.NOBODY : others));
        });
    int seen = lifetimes.size();
    String[] current = {null};
    query.each(
        Sql.of("SELECT " + SessionRows.SPAN_COLUMNS + ", session FROM spans")
            .plus("WHERE run = ?", question.run())
            .plus("AND start_ns >= (SELECT min(least(start_ns, work_start_ns)) FROM occupants)")
            .plus("AND session IN (SELECT session FROM occupants)")
            .plus("ORDER BY session, start_ns, span_id"),
        row -> {
          String session = row.getString(20);
          if (current[0] != null && !current[0].equals(session)) {
            end(lifetimes.remove(current[0]));
          }
          current[0] = session;
          rows.addSpan(row, lifetimes.get(session).facts().at());
        });
    if (current[0] != null) {
      end(lifetimes.remove(current[0]));
    }
    lifetimes.values().forEach(this::end); // Those without spans only wait.
    account();
    return seen;
  }

  private void end(Lifetime lifetime) {
    rows.endSession(lifetime.facts(), Nanos.UNKNOWN);
    waiting.add(lifetime);
    if (waiting.size() == SESSIONS_AT_ONCE) {
      account();
    }
  }

  private void account() {
    SpanTable table = rows.table();
    SessionSpans spans = new SessionSpans(table);
    for (int s = 0; s < waiting.size(); s++) {
      Lifetime lifetime = waiting.get(s);
      spans.load(s);
      buckets.addSession(
          spans,
          lifetime.facts().submittedNs(),
          lifetime.to(),
          lifetime.isFinalised(),
          lifetime.othersEnd());
    }
    rows = new SessionRows();
    waiting = new ArrayList<>();
  }
}
