package io.rollscope.store.testkit;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

/** Makes a closed store's folder look as an earlier version would have written it. */
public final class OldSegments {
  private OldSegments() {}

  /** Points without {@code step_source}, {@code stale} and {@code series}. */
  public static void withoutColumnsOfPoints(Path data) throws IOException, SQLException {
    takeAway(data, "metrics-", "step_source, stale, series");
    Files.deleteIfExists(data.resolve("metrics.state"));
  }

  /** Sessions without what they counted, the ends of their work, and candidates. */
  public static void withoutColumnsOfSessions(Path data) throws IOException, SQLException {
    takeAway(data, "sessions-", "counters, work_ns, own_ns, inferred_group, candidates, restated");
  }

  private static void takeAway(Path data, String prefix, String columns)
      throws IOException, SQLException {
    Path folder = data.resolve("segments/v1");
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.filter(f -> f.getFileName().toString().startsWith(prefix)).toList();
    }
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement()) {
      for (Path file : files) {
        Path old = folder.resolve("old");
        statement.execute(
            "COPY (SELECT * EXCLUDE ("
                + columns
                + ") FROM '"
                + file
                + "') TO '"
                + old
                + "' (FORMAT parquet)");
        Files.move(old, file, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    asVersion1(folder);
  }

  /** With a manifest as it was before there were checksums, for the files that are there. */
  private static void asVersion1(Path folder) throws IOException {
    ObjectMapper json = new ObjectMapper();
    Path manifest = folder.resolve("manifest.json");
    ObjectNode tree = (ObjectNode) json.readTree(manifest.toFile());
    tree.put("version", 1);
    tree.remove("damaged");
    for (var segment : (ArrayNode) tree.get("segments")) {
      long bytes = 0;
      for (var names = segment.get("sums").fieldNames(); names.hasNext(); ) {
        bytes += Files.size(folder.resolve(names.next()));
      }
      ((ObjectNode) segment).put("bytes", bytes).remove("sums");
    }
    json.writeValue(manifest.toFile(), tree);
  }
}
