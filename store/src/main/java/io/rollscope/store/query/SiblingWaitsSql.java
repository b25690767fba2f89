package io.rollscope.store.query;

/**
 * What waiting for siblings cost each session (contracts.md 5.9), as SQL: it is found when it is
 * asked for, from all sessions of the group.
 */
public final class SiblingWaitsSql {
  private static final String GROUP = "coalesce('t' || task, 'i' || inferred_group)";

  private static final String BEFORE_SESSIONS =
      """
      SELECT *, CASE WHEN others_end_ns IS NULL OR candidates IS NULL THEN 0
          ELSE list_sum(list_transform(candidates, c ->
            greatest(0, least(c.to_ns, others_end_ns) - c.from_ns))) END::BIGINT AS siblings_ns
      FROM (
        SELECT s.*, CASE WHEN ends[1] = start_ns + own_ns THEN ends[2] ELSE ends[1] END
          AS others_end_ns
        FROM""";

  private static final String BEFORE_GROUPS =
      """
      s LEFT JOIN (
          SELECT run AS r, batch AS b, %1$s AS g, max(start_ns + own_ns, 2) AS ends
          FROM""";

  private static final String AFTER_GROUPS =
      """
          WHERE task IS NOT NULL OR inferred_group IS NOT NULL
          GROUP BY run, batch, %1$s)
        ON r = run AND b IS NOT DISTINCT FROM batch AND g = %1$s)""";

  private SiblingWaitsSql() {}

  /** All columns of {@code accounted}, {@code others_end_ns} and {@code siblings_ns}, of all. */
  public static String ofAll() {
    return of(Sql.of("accounted"), Sql.of("accounted")).text();
  }

  /**
   * The same of some sessions.
   *
   * @param sessions rows of {@code accounted}
   * @param groups rows of {@code accounted}, with everybody who is in a group with one of them
   */
  static Sql of(Sql sessions, Sql groups) {
    return Sql.of(BEFORE_SESSIONS)
        .plus(sessions)
        .plus(BEFORE_GROUPS.formatted(GROUP))
        .plus(groups)
        .plus(AFTER_GROUPS.formatted(GROUP));
  }
}
