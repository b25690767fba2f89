package io.rollscope.store.segment;

import io.rollscope.store.journal.Position;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a Parquet file says of itself beside its rows, for a folder that loses its manifest. */
final class FileMetadata {
  private static final String VERSION = "rollscope_version";
  private static final String REPLACES = "rollscope_replaces";
  private static final String POINTS = "rollscope_points";

  private FileMetadata() {}

  /** As an option of {@code COPY}. */
  static String option(Collection<Long> replaces, Position points) {
    String numbers = replaces.stream().map(String::valueOf).collect(Collectors.joining(","));
    return "KV_METADATA {%s: '%d', %s: '%s', %s: '%d/%d'}"
        .formatted(
            VERSION, Manifest.VERSION, REPLACES, numbers, POINTS, points.file(), points.offset());
  }

  /** What a file says of itself. */
  static Map<String, String> of(Statement statement, Path file) throws SQLException {
    Map<String, String> found = new HashMap<>();
    String sql =
        "SELECT decode(key), decode(value) FROM parquet_kv_metadata("
            + Duck.quoted(file.toString())
            + ")";
    try (ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        found.put(rows.getString(1), rows.getString(2));
      }
    }
    return found;
  }

  /** Version of the folder it was written for. */
  static int version(Map<String, String> metadata) {
    return Integer.parseInt(metadata.getOrDefault(VERSION, "1"));
  }

  /** Numbers of the segments that this one was made of. */
  static List<Long> replaced(Map<String, String> metadata) {
    return Stream.of(metadata.getOrDefault(REPLACES, "").split(","))
        .filter(number -> !number.isEmpty())
        .map(Long::valueOf)
        .toList();
  }

  /** Up to where the journal's metric points were in segments when this was written. */
  static Position points(Map<String, String> metadata) {
    String[] parts = metadata.getOrDefault(POINTS, "0/0").split("/", 2);
    return new Position(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
  }
}
