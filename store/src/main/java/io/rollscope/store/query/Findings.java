package io.rollscope.store.query;

import io.rollscope.core.diagnosis.FindingsReport;
import io.rollscope.core.diagnosis.FindingsReport.NotJudged;
import io.rollscope.core.diagnosis.FindingsView;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.table.ProcessSign;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.ReportContext;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What is wrong with a stored run: its spans go into a table, of which {@link FindingsView} tells
 * what it tells of a folder's. Of a run with too many spans the newest steps are read.
 */
final class Findings {
  /** Reading them takes about two seconds and 100 MB, which is what a person waits for. */
  static final int MOST_SPANS = 1_000_000;

  private static final String SPAN_COLUMNS =
      SessionRows.SPAN_COLUMNS + ", " + SessionRows.TOKEN_COLUMNS;

  private static final int TOKENS = 20;
  private static final int FURTHER = 22;
  private static final String UNFINISHED = "status IN ('queued', 'running')";

  /** A training step, and how many spans its sessions have; the step may be null. */
  private record Step(Long step, long spans) {}

  private final Query query;
  private final Question question;
  private final Selection selection;
  private final int mostSpans;
  private final SessionRows rows = new SessionRows();
  private Long sinceNs;
  private final List<NotJudged> leftOut = new ArrayList<>();

  private Findings(Query query, Question question, int mostSpans) throws SQLException {
    this.query = query;
    this.question = question;
    this.selection = Selection.of(query, question).holdSessions(query);
    this.mostSpans = mostSpans;
  }

  static FindingsReport of(
      Query query,
      Question question,
      List<ProcessSign> processes,
      int mostSpans,
      ReportContext context)
      throws SQLException {
    Findings findings = new Findings(query, question, mostSpans);
    SpanTable table = findings.read();
    processes.forEach(table::heard);
    boolean onOwnClock = table.newestEvent() == Nanos.UNKNOWN;
    ReportRequest request =
        ReportRequest.of(question.scope())
            .filter(question.filter())
            .now(onOwnClock ? Nanos.UNKNOWN : question.nowNs());
    return FindingsView.of(table, request, context).butNot(findings.leftOut);
  }

  private SpanTable read() throws SQLException {
    readSessions(newest());
    return rows.table();
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
    readLanes();
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
