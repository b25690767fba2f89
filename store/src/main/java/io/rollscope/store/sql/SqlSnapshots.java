package io.rollscope.store.sql;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** Gives the views {@code spans}, {@code sessions}, {@code states} and {@code metrics} as files. */
public interface SqlSnapshots {
  /** To be closed by the caller. */
  SqlSnapshot take() throws SQLException;

  /** A folder of this process alone, for what processes are started from. */
  Path folder() throws SQLException;

  /** The only folders whose files the views read. */
  List<Path> folders();

  /** Removes copies that only the next query would use. */
  void trim();
}
