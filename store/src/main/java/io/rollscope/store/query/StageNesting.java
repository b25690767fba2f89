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

  /**
   * @param corrections of self times, or null if there are none
   */
  static List<NestingNode> of(Query query, WorkSpans spans, Sql corrections) throws SQLException {
    StageNesting found = new StageNesting(query);
    found.read(spans);
    if (corrections != null) {
      query.execute(
          Sql.of("UPDATE nested SET self_ns = self_ns + ns FROM (")
              .plus("SELECT hash(session, span_id) AS c, sum(ns)::BIGINT AS ns FROM (")
              .plus(corrections)
              .plus(") GROUP BY session, span_id) WHERE id = c"));
    }
    long placed = found.placeFrom(Sql.of("FROM nested WHERE up IS NULL"));
    long all = query.first(Sql.of("SELECT count(*) FROM nested"), row -> row.getLong(1));
    if (placed
        < all) { // Some lie in spans that are not there: only then it costs to look for them.
      found.placeFrom(
          Sql.of("FROM nested n WHERE up IS NOT NULL")
              .plus("AND NOT EXISTS (FROM nested p WHERE p.id = n.up)"));
    }
    return found.nesting.list();
  }

  /** Places these spans inside nothing, and what is inside them; returns how many that are. */
  private long placeFrom(Sql outermost) throws SQLException {
    long here = place(Sql.of("SELECT *, 0::BIGINT AS above").plus(outermost), 0);
    long placed = here;
    for (int level = 1; here > 0 && level <= Nesting.MOST_DEEP; level++) {
      here =
          place(
              Sql.of("SELECT n.*, p.branch AS above FROM nested n JOIN level_" + (level - 1))
                  .plus("p ON p.id = n.up"),
              level);
      placed += here;
    }
    return placed;
  }

  private void read(WorkSpans spans) throws SQLException {
    String ids =
        "hash(session, span_id) AS id,"
            + " CASE WHEN parent_id IS NOT NULL THEN hash(session, parent_id) END AS up";
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
