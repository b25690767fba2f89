package io.rollscope.store.query;

import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.HotspotsReport.WorkerStats;
import java.sql.SQLException;
import java.util.List;

/** The stages of each worker. */
record StageWorkers(List<WorkerStats> lines, int leftOut) {

  /**
   * @param corrections of self times, or null if there are none
   */
  static StageWorkers of(Query query, WorkSpans spans, Sql corrections) throws SQLException {
    int[] all = {0};
    String columns = ", worker_role, worker_rank, outcome";
    Sql read = spans.read(columns);
    if (corrections != null) {
      read =
          Sql.of("SELECT * REPLACE (self_ns + coalesce(ns, 0) AS self_ns) FROM (")
              .plus(spans.read(columns + ", session, span_id"))
              .plus(") LEFT JOIN (SELECT session AS s, span_id AS i, sum(ns) AS ns FROM (")
              .plus(corrections)
              .plus(") GROUP BY session, span_id) ON s = session AND i = span_id");
    }
    List<WorkerStats> lines =
        query.list(
            Sql.of("SELECT " + Words.WORKER + " AS worker, stage, count(*), sum(open),")
                .plus("count(*) FILTER (open = 0 AND outcome = 'error'), sum(d) AS total,")
                .plus("sum(self_ns), quantile_cont(d, [0.5, 0.95]), count(*) OVER () FROM (")
                .plus(read)
                .plus(") WHERE worker_role IS NOT NULL OR worker_rank IS NOT NULL")
                .plus("GROUP BY worker_role, worker_rank, stage")
                .plus("ORDER BY total DESC, worker, stage LIMIT ?", HotspotsReport.MOST_WORKERS),
            row -> {
              double[] quantiles = Cells.doubles(row, 8);
              all[0] = row.getInt(9);
              return new WorkerStats(
                  row.getString(1),
                  row.getString(2),
                  row.getInt(3),
                  row.getInt(4),
                  row.getInt(5),
                  row.getDouble(6) / 1e9,
                  row.getDouble(7) / 1e9,
                  quantiles[0] / 1e9,
                  quantiles[1] / 1e9);
            });
    return new StageWorkers(lines, Math.max(0, all[0] - lines.size()));
  }
}
