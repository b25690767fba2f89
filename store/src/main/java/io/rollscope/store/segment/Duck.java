package io.rollscope.store.segment;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.duckdb.DuckDBConnection;

/** The store's DuckDB: in memory, without extensions, fed by Arrow. */
public final class Duck implements AutoCloseable {
  static {
    // Arrow checks every write into its buffers otherwise; ours make room before they write.
    System.setProperty("arrow.enable_unsafe_memory_access", "true");
    System.setProperty("arrow.enable_null_check_for_get", "false");
  }

  private final DuckDBConnection root;
  private final BufferAllocator allocator = new RootAllocator();

  private Duck(DuckDBConnection root) {
    this.root = root;
  }

  /**
   * @param temporary folder for what does not fit into memory
   */
  public static Duck open(Path temporary) throws SQLException {
    Properties settings = new Properties();
    int threads = Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors()));
    settings.setProperty("threads", String.valueOf(threads));
    settings.setProperty("memory_limit", "2GB");
    settings.setProperty("temp_directory", temporary.toString());
    settings.setProperty("autoinstall_known_extensions", "false");
    settings.setProperty("autoload_known_extensions", "false");
    Duck duck = new Duck((DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:", settings));
    duck.run("SET GLOBAL parquet_metadata_cache = true");
    return duck;
  }

  /** Another connection to the same data; to be closed by the caller. */
  public Connection connect() throws SQLException {
    return root.duplicate();
  }

  BufferAllocator allocator() {
    return allocator;
  }

  /**
   * Runs a statement in which {@code rows} stands for these rows. Closes the reader.
   *
   * @param sql uses the name {@code rows}
   */
  void run(RowReader<?> rows, String sql) throws SQLException {
    try (rows;
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator);
        DuckDBConnection connection = root.duplicate()) {
      Data.exportArrayStream(allocator, rows, stream);
      connection.registerArrowStream("rows", stream);
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    } catch (java.io.IOException e) {
      throw new SQLException(e);
    }
  }

  /** Runs a statement. */
  public void run(String sql) throws SQLException {
    try (Connection connection = root.duplicate();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Whether a table has any rows. */
  boolean isAny(String table) throws SQLException {
    try (Connection connection = root.duplicate();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT 1 FROM " + table + " LIMIT 1")) {
      return rows.next();
    }
  }

  /** A text as SQL writes it. */
  static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  @Override
  public void close() throws SQLException {
    root.close();
    allocator.close();
  }
}
