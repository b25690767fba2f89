package io.rollscope.store.sql;

import java.util.ArrayList;
import java.util.List;

/**
 * An answer as a whole.
 *
 * @param truncated whether there are more rows, beyond the limit on rows or on size
 */
record SqlResult(List<SqlColumn> columns, List<List<Object>> rows, boolean truncated) {

  /** Collects the answer of a runner. */
  static final class Collector implements SqlRunner.Answer {
    private List<SqlColumn> columns;
    private final List<List<Object>> rows = new ArrayList<>();
    private boolean truncated;

    @Override
    public void columns(List<SqlColumn> all) {
      columns = all;
    }

    @Override
    public boolean row(List<Object> cells) {
      rows.add(cells);
      return true;
    }

    @Override
    public void end(boolean more) {
      truncated = more;
    }

    SqlResult result() {
      return new SqlResult(columns, rows, truncated);
    }
  }
}
