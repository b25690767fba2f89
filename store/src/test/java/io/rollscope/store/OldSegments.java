package io.rollscope.store;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

/** Makes a closed store's folder look as an earlier version would have written it. */
final class OldSegments {
  private OldSegments() {}

  /** Before there were {@code step_source}, {@code stale} and {@code series}. */
  static void withoutNewColumns(Path data) throws Exception {
    Path folder = data.resolve("segments/v1");
    ObjectMapper json = new ObjectMapper();
    Path manifest = folder.resolve("manifest.json");
    ObjectNode tree = (ObjectNode) json.readTree(manifest.toFile());
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.filter(f -> f.getFileName().toString().startsWith("metrics-")).toList();
    }
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement()) {
      for (Path file : files) {
        long before = Files.size(file);
        Path old = folder.resolve("old");
        statement.execute(
            "COPY (SELECT * EXCLUDE (step_source, stale, series) FROM '"
                + file
                + "') TO '"
                + old
                + "' (FORMAT parquet)");
        Files.move(old, file, StandardCopyOption.REPLACE_EXISTING);
        long grown = Files.size(file) - before;
        for (var segment : (ArrayNode) tree.get("segments")) {
          String name = String.format("metrics-%08d.parquet", segment.get("number").asLong());
          if (file.getFileName().toString().equals(name)) {
            ((ObjectNode) segment).put("bytes", segment.get("bytes").asLong() + grown);
          }
        }
      }
    }
    json.writeValue(manifest.toFile(), tree);
    Files.deleteIfExists(data.resolve("metrics.state"));
  }
}
