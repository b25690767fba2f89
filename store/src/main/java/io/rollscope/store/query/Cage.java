package io.rollscope.store.query;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Locks a DuckDB instance for users' SQL: no file but the segments, no extension, bounded memory,
 * nothing on disk, and no way to change any of this. Writing into the segment folder is not refused
 * by DuckDB; {@link SelectGate} sees to that.
 */
public final class Cage {
  private static final List<String> SETTINGS =
      List.of(
          "SET memory_limit = '1GB'",
          "SET threads = 2",
          "SET temp_directory = ''",
          "SET autoinstall_known_extensions = false",
          "SET autoload_known_extensions = false",
          "SET allow_community_extensions = false",
          "SET allow_persistent_secrets = false",
          "SET enable_logging = false");

  private Cage() {}

  /**
   * Locks the instance of this connection, for good.
   *
   * @param segmentFolder the only folder whose files can be read, those below included
   */
  public static void lock(Connection connection, Path segmentFolder) throws SQLException {
    String folder;
    try {
      folder = segmentFolder.toRealPath().toString();
    } catch (IOException e) {
      throw new SQLException(
          "segment folder: " + segmentFolder + " (expected: one that exists)", e);
    }
    try (Statement statement = connection.createStatement()) {
      for (String setting : SETTINGS) {
        statement.execute(setting);
      }
      // SET takes no parameters; the folder is the operator's, not a user's.
      statement.execute("SET allowed_directories = ['" + folder.replace("'", "''") + "/']");
      statement.execute("SET enable_external_access = false");
      statement.execute("SET lock_configuration = true");
    }
  }
}
