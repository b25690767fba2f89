package io.rollscope.store.query;

import io.rollscope.core.view.HotspotsReport.NestingNode;
import io.rollscope.core.view.Nesting;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What ran inside what, level by level: first the spans inside nothing, then those inside them, and
 * so on. Spans are named by a hash of session and id; a branch of the tree by a hash of its stages.
 */
final class StageNesting {
  private static final long ROOT = 0;

  private final Query query;
  private final Nesting nesting = new Nesting();
  private final Map<Long, Nesting.Branch> branches = new HashMap<>();

  private StageNesting(Query query) {
    this.query = query;
    branches.put(ROOT, nesting.root());
  }

  static List<NestingNode> of(Query query, WorkSpans spans) throws SQLException {
    StageNesting found = new StageNesting(query);
    found.read(spans);
    Sql roots =
        Sql.of("SELECT *, 0::BIGINT AS above FROM nested n")
            .plus("WHERE NOT EXISTS (FROM nested p WHERE p.id = n.up)");
    long placed = found.place(roots, 0);
    for (int level = 1; placed > 0 && level <= Nesting.MOST_DEEP; level++) {
      Sql inside =
          Sql.of("SELECT n.*, p.branch AS above FROM nested n JOIN level_" + (level - 1))
              .plus("p ON p.id = n.up");
      placed = found.place(inside, level);
    }
    return found.nesting.list();
  }

  private void read(WorkSpans spans) throws SQLException {
    String ids = "hash(session, span_id) AS id, hash(session, parent_id) AS up";
    query.execute(
        Sql.of("CREATE OR REPLACE TEMP TABLE nested AS SELECT " + ids)
            .plus(", stage, d, self_ns FROM (")
            .plus(spans.read(", session, span_id, parent_id"))
            .plus(") WHERE session IS NOT NULL UNION ALL SELECT " + ids)
            .plus(", NULL, 0, 0 FROM (")
            .plus(spans.containers())
            .plus(")"));
  }

  /** Puts the spans of one level in their branches; returns how many there are. */
  private long place(Sql spans, int level) throws SQLException {
    String table = "level_" + level;
    query.execute(
        Sql.of("CREATE OR REPLACE TEMP TABLE " + table + " AS SELECT id, above, stage, d, self_ns,")
            .plus("CASE WHEN stage IS NULL THEN above")
            .plus("ELSE (hash(above, stage) // 2)::BIGINT END AS branch FROM (")
            .plus(spans)
            .plus(")"));
    query.each(
        Sql.of("SELECT branch, above, stage, count(*), sum(d)::HUGEINT, sum(self_ns)::HUGEINT")
            .plus("FROM " + table + " WHERE stage IS NOT NULL GROUP BY branch, above, stage"),
        this::add);
    if (level > 0) {
      query.execute(Sql.of("DROP TABLE level_" + (level - 1)));
    }
    return query.first(Sql.of("SELECT count(*) FROM " + table), row -> row.getLong(1));
  }

  private void add(ResultSet row) throws SQLException {
    Nesting.Branch above = branches.get(row.getLong(2));
    Nesting.Branch branch = nesting.inside(above, row.getString(3));
    branches.put(row.getLong(1), branch);
    branch.add(row.getInt(4), (BigInteger) row.getObject(5), (BigInteger) row.getObject(6));
  }
}
