package io.rollscope.store.query;

import io.rollscope.core.accounting.Accounting;
import io.rollscope.core.accounting.Pieces;
import io.rollscope.core.pairing.SessionSpans;
import io.rollscope.core.table.SessionFacts;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How many sessions were in each stage or wait over time, from the sweep of the accounting. */
final class Occupancy {
  static final int MAX_BUCKETS = 2_000;

  /** Spans are held for a few sessions at a time; these bound how long it takes. */
  private static final int MAX_SPANS = 2_000_000;

  private static final int SESSIONS_AT_ONCE = 2_000;
  private static final int MAX_STAGES = 1_000;
  private static final String OTHER = "(other)";

  /** A session's window. */
  private record Lifetime(SessionFacts facts, long to) {
    boolean isFinalised() {
      return facts.finalisedNs() != Nanos.UNKNOWN;
    }
  }

  private final Extent extent;
  private final int buckets;
  private final double width;
  private final double[] alive;
  private final Map<String, double[]> stages = new HashMap<>();
  private final Map<String, double[]> waits = new LinkedHashMap<>();
  private final Accounting accounting = new Accounting();
  private SessionRows rows = new SessionRows();
  private List<Lifetime> waiting = new ArrayList<>();

  private Occupancy(Extent extent, int buckets) {
    this.extent = extent;
    this.buckets = buckets;
    this.width = (double) (extent.to() - extent.from()) / buckets;
    this.alive = new double[buckets];
    for (String wait : List.of("queue", "gap", "barrier", "unaccounted")) {
      waits.put(wait, new double[buckets]);
    }
  }

  static OccupancyReport of(
      Query query, Question question, Long fromNs, Long toNs, int buckets, String source)
      throws SQLException {
    if (buckets < 1 || buckets > MAX_BUCKETS) {
      throw new IllegalArgumentException(
          "buckets: " + buckets + " (expected: from 1 to " + MAX_BUCKETS + ")");
    }
    Selection selection = Selection.of(query, question);
    Extent extent = Extent.of(query, selection, fromNs, toNs, question.nowNs());
    Occupancy occupancy = new Occupancy(extent, buckets);
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
    int seen = occupancy.read(query, question);
    return occupancy.report(question, source, seen, all - seen);
  }

  private int read(Query query, Question question) throws SQLException {
    Map<String, Lifetime> lifetimes = new LinkedHashMap<>();
    query.each(
        Sql.of("SELECT " + SessionRows.FACT_COLUMNS + " FROM occupants ORDER BY session"),
        row -> {
          boolean goesOn = row.getString(12).equals("running") && row.getString(17).equals("utc");
          SessionFacts facts = SessionRows.facts(row, Nanos.UNKNOWN);
          boolean now = goesOn && facts.finalisedNs() == Nanos.UNKNOWN;
          lifetimes.put(facts.key(), new Lifetime(facts, now ? question.nowNs() : row.getLong(15)));
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
          String session = row.getString(19);
          if (current[0] != null && !current[0].equals(session)) {
            end(lifetimes.remove(current[0]));
          }
          current[0] = session;
          rows.addSpan(row);
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
      accounting.tell((leaf, from, to) -> add(place(spans, leaf), from, to));
      long from = lifetime.facts().submittedNs();
      accounting.account(spans, from, lifetime.to(), lifetime.isFinalised());
      add(alive, from, Math.max(from, lifetime.to()));
    }
    rows = new SessionRows();
    waiting = new ArrayList<>();
  }

  private double[] place(SessionSpans spans, int leaf) {
    return switch (leaf) {
      case Pieces.QUEUE -> waits.get("queue");
      case Pieces.GAP -> waits.get("gap");
      case Pieces.BARRIER -> waits.get("barrier");
      case Pieces.UNACCOUNTED -> waits.get("unaccounted");
      default -> {
        String stage = spans.stage(leaf);
        boolean known = stages.size() < MAX_STAGES || stages.containsKey(stage);
        yield stages.computeIfAbsent(known ? stage : OTHER, s -> new double[buckets]);
      }
    };
  }

  /** Adds a time to the buckets it lies in. */
  private void add(double[] place, long from, long to) {
    // Differences are exact as doubles; the times themselves would not be.
    double begin = (double) (Math.max(from, extent.from()) - extent.from());
    double end = (double) (Math.min(to, extent.to()) - extent.from());
    if (begin >= end) {
      return;
    }
    int last = Math.min(buckets - 1, (int) (end / width));
    for (int b = (int) (begin / width); b <= last; b++) {
      double inside = Math.min(end, (b + 1) * width) - Math.max(begin, b * width);
      place[b] += Math.max(0, inside) / width;
    }
  }

  private OccupancyReport report(Question question, String source, int seen, long leftOut) {
    double[] starts = new double[buckets];
    for (int b = 0; b < buckets; b++) {
      starts[b] = (extent.from() + b * width) / 1e9;
    }
    Map<String, double[]> byTime = new LinkedHashMap<>();
    stages.entrySet().stream()
        .sorted(
            (a, b) -> {
              int order = Double.compare(sum(b.getValue()), sum(a.getValue()));
              return order != 0 ? order : a.getKey().compareTo(b.getKey());
            })
        .forEach(e -> byTime.put(e.getKey(), e.getValue()));
    return new OccupancyReport(
        source,
        question.run(),
        question.scope().word(),
        extent.from(),
        extent.to(),
        width,
        starts,
        alive,
        byTime,
        waits,
        seen,
        leftOut);
  }

  private static double sum(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum;
  }
}
