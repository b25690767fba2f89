package io.rollscope.store.query;

import io.rollscope.core.stats.Durations.Summary;
import io.rollscope.core.view.ErrorGroups.ErrorGroup;
import io.rollscope.core.view.ReportContext;
import io.rollscope.core.view.SessionSteps;
import io.rollscope.core.view.SessionsReport;
import io.rollscope.core.view.SessionsView;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How the sessions fared: {@link io.rollscope.core.view.SessionsView}, told by SQL. */
final class SessionsSummary {
  private static final int MAX_WORDS = 1_000;
  private static final int SHOWN_ERRORS = 20;
  private static final double NANOSECONDS = 1e9;

  /** An error text is counted by its type: messages are too many. */
  private static final String REASON_TYPE =
      "coalesce(nullif(regexp_extract(reason, '^([\\w.()]+): ', 1), ''), reason)";

  private final Query query;
  private final Question question;
  private final Selection selection;

  private SessionsSummary(Query query, Question question) throws SQLException {
    this.query = query;
    this.question = question;
    this.selection = Selection.of(query, question).holdSessions(query);
  }

  /**
   * Makes the report.
   *
   * @param batchSize AReaL's consumer batch size, or null to tell steps by what sessions name
   */
  static SessionsReport of(Query query, Question question, Integer batchSize, ReportContext context)
      throws SQLException {
    return new SessionsSummary(query, question).report(batchSize, context);
  }

  private SessionsReport report(Integer batchSize, ReportContext context) throws SQLException {
    StoredSteps steps = StoredSteps.read(query, selection, question, batchSize);
    SessionSteps.Result told = steps.result(batchSize);
    Map<String, Integer> spanCounts = new LinkedHashMap<>();
    int open = spanCounts(spanCounts);
    return new SessionsReport(
        context.source(),
        context.run(),
        question.scope().word(),
        steps.count(),
        counts("coalesce(source_status, 'unknown')"),
        counts("status"),
        counts(REASON_TYPE),
        inOrder(
            counts("coalesce(worker_rank::VARCHAR, 'unknown')"),
            Comparator.comparing(String::length).thenComparing(s -> s)),
        inOrder(counts("worker_role"), Comparator.naturalOrder()),
        metrics(),
        spanCounts,
        counters(),
        open,
        told.rule(),
        told.note(),
        told.steps(),
        told.unassigned(),
        steps.steps().batches(told),
        errors(),
        context.otherRuns(),
        context.skippedLines());
  }

  /** How many sessions have each value, most frequent first; NULL does not count. */
  private Map<String, Integer> counts(String value) throws SQLException {
    Map<String, Integer> counts = new LinkedHashMap<>();
    query.each(
        Sql.of("SELECT " + value + " AS word, count(*) AS n FROM")
            .plus(selection.sessions())
            .plus("GROUP BY word HAVING word IS NOT NULL ORDER BY n DESC, word")
            .plus("LIMIT " + MAX_WORDS),
        row -> counts.put(row.getString(1), row.getInt(2)));
    return counts;
  }

  private static Map<String, Integer> inOrder(
      Map<String, Integer> counts, Comparator<String> order) {
    Map<String, Integer> sorted = new TreeMap<>(order);
    sorted.putAll(counts);
    return sorted;
  }

  private Map<String, Long> counters() throws SQLException {
    Map<String, Long> counters = new TreeMap<>();
    query.each(
        Sql.of("SELECT c.key, greatest(least(sum(c.value), 9223372036854775807),")
            .plus(
                "-9223372036854775808)::BIGINT FROM (SELECT unnest(map_entries(counters)) AS c FROM")
            .plus(selection.sessions())
            .plus("WHERE counters IS NOT NULL) GROUP BY c.key ORDER BY c.key LIMIT " + MAX_WORDS),
        row -> counters.put(row.getString(1), row.getLong(2)));
    return counters;
  }

  private int spanCounts(Map<String, Integer> counts) throws SQLException {
    int[] open = {0};
    query.each(
        Sql.of("SELECT stage, count(*) AS n, count(*) - count(end_ns) FROM (")
            .plus(selection.spans("stage, end_ns", "session IS NOT NULL AND " + Words.WORK))
            .plus(") GROUP BY stage ORDER BY n DESC, stage LIMIT " + MAX_WORDS),
        row -> {
          counts.put(row.getString(1), row.getInt(2));
          open[0] += row.getInt(3);
        });
    return open[0];
  }

  /**
   * Those that have ended although nothing says when they were finalised; not those whose source
   * tells that of others. How long a lost session would have taken, nobody knows.
   */
  private void findEnded() throws SQLException {
    query.execute(
        Sql.of("CREATE OR REPLACE TEMP TABLE ended AS SELECT session FROM")
            .plus(selection.sessions())
            .plus("WHERE NOT finalised AND status NOT IN ('queued', 'running', 'lost')"));
    if (query.first(Sql.of("SELECT 1 FROM ended LIMIT 1"), row -> true) != null) {
      query.execute(
          Sql.of(
                  "DELETE FROM ended WHERE session IN (SELECT session FROM spans WHERE run = ?",
                  question.run())
              .plus("AND session IS NOT NULL AND kind = 'session')"));
    }
  }

  private Map<String, Summary> metrics() throws SQLException {
    Map<String, Summary> waits = new LinkedHashMap<>();
    findEnded();
    Sql ended =
        Sql.of("FROM")
            .plus(selection.sessions())
            .plus("WHERE (finalised OR session IN")
            .plus("(SELECT session FROM ended))");
    summaries(
        Sql.of("SELECT 'total_s' AS name, wall_ns AS d")
            .plus(ended)
            .plus("UNION ALL SELECT 'work_s', work_ns")
            .plus(ended)
            .plus("UNION ALL SELECT 'queue_s', queue_ns")
            .plus(ended)
            .plus("UNION ALL SELECT 'gap_s', gap_ns")
            .plus(ended)
            .plus("UNION ALL SELECT 'barrier_s', barrier_ns")
            .plus(ended)
            .plus("AND finalised"),
        NANOSECONDS,
        waits);
    Map<String, Summary> stages = new TreeMap<>();
    summaries(
        Sql.of("SELECT any_value(stage) || '_s' AS name, sum(d)::BIGINT AS d FROM (")
            .plus(
                selection.spans(
                    "session, stage, greatest(0, end_ns - start_ns) AS d",
                    "session IS NOT NULL AND end_ns IS NOT NULL AND " + Words.CLOSED_WORK))
            .plus(") GROUP BY session, stage"),
        NANOSECONDS,
        stages);
    stages.forEach(waits::putIfAbsent);
    return SessionsView.inOrder(waits, amounts());
  }

  /** What sessions earned and used, where they say so. */
  private Map<String, Summary> amounts() throws SQLException {
    Map<String, Summary> amounts = new HashMap<>();
    Sql values = null;
    for (String column :
        List.of(SessionsView.REWARD, SessionsView.INPUT_TOKENS, SessionsView.OUTPUT_TOKENS)) {
      Sql some =
          Sql.of("SELECT '%1$s' AS name, %1$s::DOUBLE AS d FROM".formatted(column))
              .plus(selection.sessions())
              .plus("WHERE %s IS NOT NULL".formatted(column));
      values = values == null ? some : values.plus("UNION ALL").plus(some);
    }
    summaries(values, 1, amounts);
    return amounts;
  }

  /**
   * Distributions of columns {@code name} and {@code d}.
   *
   * @param unit what one of {@code d} is divided by
   */
  private void summaries(Sql values, double unit, Map<String, Summary> into) throws SQLException {
    query.each(
        Sql.of("SELECT name, count(*) AS n, sum(d),")
            .plus("quantile_cont(d, [0, 1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99]) FROM (")
            .plus(values)
            .plus(") GROUP BY name ORDER BY n DESC, name LIMIT " + MAX_WORDS),
        row -> into.put(row.getString(1), summary(row, unit)));
  }

  private static Summary summary(ResultSet row, double unit) throws SQLException {
    int count = row.getInt(2);
    double[] q = Cells.doubles(row, 4);
    return new Summary(
        count,
        row.getDouble(3) / unit / count,
        q[0] / unit,
        q[1] / unit,
        q[2] / unit,
        q[3] / unit,
        q[4] / unit,
        q[5] / unit,
        q[6] / unit,
        q[7] / unit);
  }

  private List<ErrorGroup> errors() throws SQLException {
    return query.list(
        Sql.of("SELECT stage, error, count(*) AS n, min(session) FROM (")
            .plus(
                selection.spans(
                    "stage, " + Words.ERROR + " AS error, session",
                    "session IS NOT NULL AND outcome = 'error' AND " + Words.CLOSED_WORK))
            .plus(") GROUP BY stage, error ORDER BY n DESC, stage, error LIMIT " + SHOWN_ERRORS),
        row ->
            new ErrorGroup(row.getString(1), row.getString(2), row.getLong(3), row.getString(4)));
  }
}
