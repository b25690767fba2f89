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
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.filter(f -> f.getFileName().toString().startsWith("metrics-")).toList();
    }
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement()) {
      for (Path file : files) {
        Path old = folder.resolve("old");
        statement.execute(
            "COPY (SELECT * EXCLUDE (step_source, stale, series) FROM '"
                + file
                + "') TO '"
                + old
                + "' (FORMAT parquet)");
        Files.move(old, file, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    asVersion1(data);
    Files.deleteIfExists(data.resolve("metrics.state"));
  }

  /** With a manifest as it was before there were checksums, for the files that are there. */
  static void asVersion1(Path data) throws Exception {
    Path folder = data.resolve("segments/v1");
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
