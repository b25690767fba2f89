package io.rollscope.store.query;

import io.rollscope.core.view.ErrorsReport;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Errors grouped by cause, with examples. */
final class Errors {
  private static final int MAX_GROUPS = 1_000;
  private static final int EXAMPLES = 5;

  private Errors() {}

  static ErrorsReport of(Query query, Question question, int limit, String source)
      throws SQLException {
    Selection selection = Selection.of(query, question);
    String stage = question.filter().stage();
    Sql failed =
        selection.spans(
            "stage, " + Words.ERROR + " AS error, coalesce(session, lane, '') AS place, end_ns",
            "outcome = 'error' AND " + Words.CLOSED_WORK);
    Sql groups =
        Sql.of("WITH failed AS (")
            .plus(failed)
            .plus("), places AS (SELECT stage, error, place, count(*) AS n, min(end_ns) AS first,")
            .plus("max(end_ns) AS last FROM failed")
            .plus(stage == null ? Sql.of("") : Sql.of("WHERE stage = ?", stage))
            .plus("GROUP BY stage, error, place)")
            .plus("SELECT stage, error, sum(n) AS n, count(*), min(first), max(last),")
            .plus("min(place, " + EXAMPLES + "), count(*) OVER ()")
            .plus("FROM places GROUP BY stage, error ORDER BY n DESC, stage, error")
            .plus("LIMIT ?", Math.max(1, Math.min(limit, MAX_GROUPS)));
    long[] all = {0};
    List<ErrorsReport.Group> shown = new ArrayList<>();
    query.each(
        groups,
        row -> {
          all[0] = row.getLong(8);
          List<String> examples = new ArrayList<>();
          for (Object place : (Object[]) row.getArray(7).getArray()) {
            examples.add((String) place);
          }
          shown.add(
              new ErrorsReport.Group(
                  row.getString(1),
                  row.getString(2),
                  row.getLong(3),
                  row.getLong(4),
                  row.getLong(5) / 1e9,
                  row.getLong(6) / 1e9,
                  examples));
        });
    return new ErrorsReport(
        source, question.run(), question.scope().word(), shown, all[0] - shown.size());
  }
}
