package io.rollscope.store.query;

import io.rollscope.core.diagnosis.FindingsReport.NotJudged;
import io.rollscope.core.table.SpanTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The work of a stored run, read back into a table as folders are read into. Of a run with too many
 * spans it is that of the newest steps.
 */
final class StoredWork {
  private static final String SPAN_COLUMNS =
      SessionRows.SPAN_COLUMNS + ", " + SessionRows.TOKEN_COLUMNS;

  private static final int TOKENS = 20;
  private static final int FURTHER = 22;
  private static final String UNFINISHED = "status IN ('queued', 'running')";

  /** A training step, and how many spans its sessions have; the step may be null. */
  private record Step(Long step, long spans) {}

  private final Query query;
  private final Selection selection;
  private final int mostSpans;
  private final SessionRows rows = new SessionRows();
  private Long sinceNs;
  private final List<NotJudged> leftOut = new ArrayList<>();

  private StoredWork(Query query, Question question, int mostSpans) throws SQLException {
    this.query = query;
    this.selection = Selection.of(query, question).holdSessions(query);
    this.mostSpans = mostSpans;
  }

  /** Reads the sessions in scope, and the work of processes. */
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
    Map<String, StoredSession> waiting = new LinkedHashMap<>();
    query.each(
        Sql.of("SELECT " + StoredSession.COLUMNS + " FROM")
            .plus(chosen)
            .plus("ORDER BY start_ns, session"),
        row -> {
          StoredSession one = StoredSession.of(row);
          waiting.put(one.facts().key(), one);
        });
    List<StoredSession> sessions = List.copyOf(waiting.values());
    readSpans(chosen, waiting);
    waiting.values().forEach(one -> one.end(rows)); // Those without spans only wait.
    SpanTable table = rows.table();
    sessions.forEach(one -> one.inferGroup(table));
  }

  private void readSpans(Sql chosen, Map<String, StoredSession> waiting) throws SQLException {
    String[] last = {null};
    query.each(
        Sql.of("SELECT * FROM (")
            .plus(selection.spans(SPAN_COLUMNS + ", session AS id", "session IS NOT NULL"))
            .plus(since())
            .plus(") WHERE id IN (SELECT session FROM")
            .plus(chosen)
            .plus(") ORDER BY id, start_ns, span_id"),
        row -> {
          String session = row.getString(FURTHER);
          if (last[0] != null && !last[0].equals(session)) {
            waiting.remove(last[0]).end(rows);
          }
          last[0] = session;
          rows.addSpan(row, waiting.get(session).facts().at());
          rows.addTokens(row, TOKENS);
        });
    if (last[0] != null) {
      waiting.remove(last[0]).end(rows);
    }
  }

  /** Of the work of processes the newest part, if there is too much. */
  private void readLanes() throws SQLException {
    query.each(
        Sql.of("SELECT * FROM (SELECT * FROM (")
            .plus(selection.laneSpans(SPAN_COLUMNS + ", lane, clock"))
            .plus(since())
            .plus(") ORDER BY start_ns DESC, span_id LIMIT ?) ORDER BY start_ns, span_id", mostSpans),
        row -> {
          String clock = row.getString(FURTHER + 1);
          boolean relative = clock != null && !clock.equals("utc");
          rows.addLaneSpan(row, row.getString(FURTHER), relative);
          rows.addTokens(row, TOKENS);
        });
  }

  private Sql since() {
    return sinceNs == null ? Sql.of("") : Sql.of("AND start_ns >= ?", sinceNs);
  }
}
