package io.rollscope.store.query;

import io.rollscope.core.diagnosis.FindingsReport.NotJudged;
import io.rollscope.core.model.Coordinates;
import io.rollscope.core.table.SpanTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The work of a stored run, read back into a table as folders are read into. Of a run with too many
 * spans it is that of the newest steps.
 */
final class StoredWork {
  private static final int FURTHER = SpanNumbers.FURTHER;
  private static final String UNFINISHED = "status IN ('queued', 'running')";

  /** A training step, and how many spans its sessions have; the step may be null. */
  private record Step(Long step, long spans) {}

  private final Query query;
  private final Selection selection;
  private final int mostSpans;
  private final SessionRows rows = new SessionRows();
  private final SpanNumbers numbers = new SpanNumbers(rows);
  private Long sinceNs;
  private final List<NotJudged> leftOut = new ArrayList<>();

  private StoredWork(Query query, Question question, int mostSpans) throws SQLException {
    this.query = query;
    this.selection = Selection.of(query, question).holdSessions(query);
    this.mostSpans = mostSpans;
  }

  /** Reads the sessions, and the work of processes. */
  static StoredWork read(Query query, Question question, int mostSpans) throws SQLException {
    StoredWork work = new StoredWork(query, question, mostSpans);
    work.readSessions(work.newest());
    work.readLanes();
    return work;
  }

  SpanTable table() {
    return rows.table();
  }

  /** What there was too much of. */
  List<NotJudged> leftOut() {
    return leftOut;
  }

  /** Which sessions to look at: a relation of their rows. */
  private Sql newest() throws SQLException {
    List<Step> steps =
        query.list(
            Sql.of("SELECT train_step, sum(span_count)::BIGINT FROM")
                .plus(selection.sessions())
                .plus("GROUP BY train_step ORDER BY train_step DESC NULLS LAST"),
            row -> new Step(Cells.longOrNull(row, 1), row.getLong(2)));
    long all = steps.stream().mapToLong(Step::spans).sum();
    if (all <= mostSpans) {
      return selection.sessions();
    }
    Long first = firstThatFits(steps);
    query.execute(
        Sql.of("CREATE OR REPLACE TEMP TABLE newest AS SELECT * FROM (SELECT *,")
            .plus("sum(span_count) OVER (ORDER BY " + UNFINISHED + " DESC,")
            .plus("train_step DESC NULLS LAST, start_ns DESC, session) AS upto FROM")
            .plus(selection.sessions())
            .plus(first == null ? Sql.of("") : ofSteps(first))
            .plus(first == null ? Sql.of(") WHERE upto <= ?", mostSpans) : Sql.of(")")));
    sinceNs =
        query.first(
            Sql.of("SELECT min(least(start_ns, work_start_ns)) FROM newest"),
            row -> Cells.longOrNull(row, 1));
    String kept = first == null ? "the newest sessions" : "step " + first + " and later";
    leftOut.add(
        new NotJudged(
            "all",
            String.format(
                Locale.ROOT,
                "The run has %,d spans, of which at most %,d are looked at: %s, and all that is"
                    + " unfinished.",
                all,
                mostSpans,
                kept)));
    return Sql.of("newest");
  }

  /** A session that hangs may be of any step. */
  private static Sql ofSteps(long first) {
    return Sql.of("WHERE train_step >= ? OR " + UNFINISHED, first);
  }

  /** The oldest step that is read, and all after it; null if not even the newest fits. */
  private Long firstThatFits(List<Step> newestFirst) {
    Long first = null;
    long spans = 0;
    for (Step step : newestFirst) {
      spans += step.spans();
      if (step.step() == null || spans > mostSpans) {
        break;
      }
      first = step.step();
    }
    return first;
  }

  private void readSessions(Sql chosen) throws SQLException {
    List<StoredSession> sessions =
        query.list(
            Sql.of("SELECT " + StoredSession.COLUMNS + " FROM")
                .plus(chosen)
                .plus("ORDER BY start_ns, session"),
            StoredSession::of);
    query.execute(
        Sql.of("CREATE OR REPLACE TEMP TABLE numbered AS SELECT session,")
            .plus("(row_number() OVER (ORDER BY start_ns, session) - 1)::INTEGER AS number FROM")
            .plus(chosen));
    Sql spans =
        Sql.of("(SELECT * FROM (")
            .plus(selection.spans("*", "session IS NOT NULL" + since()))
            .plus(") JOIN numbered USING (session))");
    numbers.readWords(query, spans);
    int[] next = {0};
    query.each(
        Sql.of("SELECT " + SpanNumbers.COLUMNS + ", number FROM")
            .plus(spans)
            .plus("ORDER BY number, start_ns, span_id"),
        row -> {
          int session = row.getInt(FURTHER);
          while (next[0] < session) {
            sessions.get(next[0]++).end(rows);
          }
          numbers.add(row, 0, sessions.get(session).facts().at());
        });
    sessions.subList(next[0], sessions.size()).forEach(one -> one.end(rows));
    SpanTable table = rows.table();
    sessions.forEach(one -> one.inferGroup(table));
  }

  /** Of the work of processes the newest part, if there is too much. */
  private void readLanes() throws SQLException {
    Sql lanes = selection.laneSpans("*").plus(since());
    Long first =
        query.first(
            Sql.of("SELECT start_ns FROM (")
                .plus(lanes)
                .plus(") ORDER BY start_ns DESC LIMIT 1 OFFSET ?", mostSpans),
            row -> Cells.longOrNull(row, 1));
    if (first != null) {
      lanes = lanes.plus("AND start_ns > ?", first);
    }
    Sql spans = Sql.of("(").plus(lanes).plus(")");
    numbers.readWords(query, spans);
    query.each(
        Sql.of("SELECT " + SpanNumbers.COLUMNS + ", lane, clock FROM")
            .plus(spans)
            .plus("ORDER BY start_ns, span_id"),
        row -> {
          String clock = row.getString(FURTHER + 1);
          boolean relative = clock != null && !clock.equals("utc");
          numbers.add(row, rows.lane(row.getString(FURTHER), relative), Coordinates.NONE);
          rows.moveIfMany();
        });
  }

  private String since() {
    return sinceNs == null ? "" : " AND start_ns >= " + sinceNs;
  }
}
