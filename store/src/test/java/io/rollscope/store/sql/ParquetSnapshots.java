package io.rollscope.store.sql;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Three spans in a file, as a store would give them. */
final class ParquetSnapshots implements SqlSnapshots {
  final Path folder;
  final Path segments;
  final AtomicInteger trims = new AtomicInteger();

  ParquetSnapshots(Path parent) throws Exception {
    folder = Files.createDirectories(parent.resolve("tmp-sql"));
    segments = Files.createDirectories(parent.resolve("segments"));
    try (Connection c = DriverManager.getConnection("jdbc:duckdb:");
        Statement s = c.createStatement()) {
      s.execute("COPY (SELECT 'run' AS run, range AS start_ns FROM range(3)) TO '" + file() + "'");
    }
  }

  private Path file() {
    return segments.resolve("spans.parquet");
  }

  @Override
  public SqlSnapshot take() {
    return new SqlSnapshot(
        "CREATE TEMP VIEW spans AS SELECT * FROM read_parquet('" + file() + "')", () -> {});
  }

  @Override
  public Path folder() {
    return folder;
  }

  @Override
  public List<Path> folders() {
    return List.of(segments);
  }

  @Override
  public void trim() {
    trims.incrementAndGet();
  }
}
