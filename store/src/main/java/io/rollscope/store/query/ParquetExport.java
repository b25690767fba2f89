package io.rollscope.store.query;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** All spans of a store as one Parquet file, with the columns and in the order of segments. */
public final class ParquetExport {
  private static final String ORDER = " ORDER BY run, batch, session, start_ns, span_id";

  private ParquetExport() {}

  /** Writes the file and returns how many spans it has. */
  public static long spans(Snapshots snapshots, Path file) throws IOException {
    String name = "'" + file.toString().replace("'", "''") + "'";
    try (Snapshot snapshot = snapshots.take();
        Statement statement = snapshot.connection().createStatement()) {
      statement.execute(
          "COPY (SELECT * FROM spans"
              + ORDER
              + ") TO "
              + name
              + " (FORMAT parquet, COMPRESSION zstd)");
      try (ResultSet count = statement.executeQuery("SELECT count(*) FROM " + name)) {
        count.next();
        return count.getLong(1);
      }
    } catch (SQLException e) {
      throw new IOException(file + ": cannot be written: " + e.getMessage(), e);
    }
  }
}
