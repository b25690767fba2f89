package io.rollscope.store.query;

import java.sql.SQLException;

/**
 * Gives connections on which the views {@code spans}, {@code sessions}, {@code states} and {@code
 * metrics} show everything stored, open spans included, as of about now. Columns: docs/storage.md.
 */
@FunctionalInterface
public interface Snapshots {
  /** To be closed by the caller. */
  Snapshot take() throws SQLException;

  /** The same, with what is open in a run accounted for up to then. To be closed by the caller. */
  default Snapshot take(String run, long nowNs) throws SQLException {
    return take();
  }

  /** A statement of ours failed on such a connection: what is stored may be damaged. */
  default void failed(SQLException e) {}
}
