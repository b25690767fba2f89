package io.rollscope.store.sql;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Locks a DuckDB instance for users' SQL: no file but those of the views, no extension, bounded
 * memory, nothing on disk, and no way to change any of this. Writing into the allowed folders is
 * not refused by DuckDB; {@link SelectGate} sees to that.
 */
final class SqlSandbox {
  private static final List<String> SETTINGS =
      List.of(
          // Below what a process may take: most queries that need more are refused with a reason.
          "SET memory_limit = '800MB'",
          "SET threads = 2",
          "SET temp_directory = ''",
          "SET autoinstall_known_extensions = false",
          "SET autoload_known_extensions = false",
          "SET allow_community_extensions = false",
          "SET allow_persistent_secrets = false",
          "SET enable_logging = false");

  private SqlSandbox() {}

  /**
   * Locks the instance of this connection, for good.
   *
   * @param folders the only folders whose files can be read, those below included
   */
  static void lock(Connection connection, List<Path> folders) throws SQLException {
    List<String> allowed = new ArrayList<>();
    for (Path folder : folders) {
      allowed.add("'" + real(folder).replace("'", "''") + "/'");
    }
    try (Statement statement = connection.createStatement()) {
      for (String setting : SETTINGS) {
        statement.execute(setting);
      }
      // SET takes no parameters; the folders are the operator's, not a user's.
      statement.execute("SET allowed_directories = [" + String.join(", ", allowed) + "]");
      statement.execute("SET enable_external_access = false");
      statement.execute("SET lock_configuration = true");
    }
  }

  private static String real(Path folder) throws SQLException {
    try {
      return folder.toRealPath().toString();
    } catch (IOException e) {
      throw new SQLException("folder: " + folder + " (expected: one that exists)", e);
    }
  }
}
