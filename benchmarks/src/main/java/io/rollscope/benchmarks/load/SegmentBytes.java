package io.rollscope.benchmarks.load;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Says what sealed spans take, from the metadata of the Parquet files: one {@code name value} pair
 * a line, in bytes per span; the attributes by themselves, because they are the sender's.
 */
public final class SegmentBytes {
  private static final String BY_COLUMN =
      """
      select split_part(path_in_schema, ',', 1) as column_name,
             sum(total_compressed_size) as bytes
      from parquet_metadata(?) group by all order by bytes desc
      """;
  private static final String ROWS = "select sum(num_rows) from parquet_file_metadata(?)";

  private SegmentBytes() {}

  /** {@code PATTERN}: which files hold spans. */
  public static void main(String[] args) throws SQLException {
    String files = Path.of(args[0]).toString();
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:")) {
      double rows = rows(duck, files);
      double attributes = 0;
      double core = 0;
      try (PreparedStatement query = duck.prepareStatement(BY_COLUMN)) {
        query.setString(1, files);
        try (ResultSet columns = query.executeQuery()) {
          while (columns.next()) {
            String column = columns.getString(1).strip();
            double bytes = columns.getLong(2) / rows;
            System.out.printf("column.%s %.2f%n", column, bytes);
            attributes += column.equals("attributes") ? bytes : 0;
            core += column.equals("attributes") ? 0 : bytes;
          }
        }
      }
      System.out.printf("sealed_spans %.0f%n", rows);
      System.out.printf("core_bytes %.2f%n", core);
      System.out.printf("attribute_bytes %.2f%n", attributes);
    }
  }

  private static long rows(Connection duck, String files) throws SQLException {
    try (PreparedStatement query = duck.prepareStatement(ROWS)) {
      query.setString(1, files);
      try (ResultSet rows = query.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    }
  }
}
