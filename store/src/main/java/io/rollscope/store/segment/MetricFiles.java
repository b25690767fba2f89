package io.rollscope.store.segment;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads files of metric points alike, whichever columns they have: those written before version 0.2
 * lack {@code step_source}, {@code stale} and {@code series}. Which ones do is looked up once.
 */
public final class MetricFiles {
  /** What the missing columns would hold, as far as the others tell. */
  private static final String OLD_COLUMNS =
      "*, CASE WHEN train_step IS NULL THEN 'none' ELSE 'sent' END AS step_source,"
          + " false AS stale, (hash(name, labels, service, instance, host, pid, worker_role,"
          + " worker_rank) >> 1)::BIGINT AS series";

  private static final int MOST_REMEMBERED = 100_000;

  private final Duck duck;
  private final Path folder;
  private final Set<String> complete = new HashSet<>();
  private final Set<String> old = new HashSet<>();

  MetricFiles(Duck duck, Path folder) {
    this.duck = duck;
    this.folder = folder;
  }

  /** SQL that reads these files; null if there are none. */
  synchronized String read(List<String> names) throws SQLException {
    look(names);
    List<String> parts = new ArrayList<>();
    List<String> fresh = names.stream().filter(complete::contains).toList();
    List<String> before = names.stream().filter(old::contains).toList();
    if (!fresh.isEmpty()) {
      parts.add("SELECT * FROM read_parquet([" + quoted(fresh) + "])");
    }
    if (!before.isEmpty()) {
      parts.add("SELECT " + OLD_COLUMNS + " FROM read_parquet([" + quoted(before) + "])");
    }
    return parts.isEmpty() ? null : String.join(" UNION ALL BY NAME ", parts);
  }

  private void look(List<String> names) throws SQLException {
    if (complete.size() + old.size() > MOST_REMEMBERED) { // Most are long gone.
      complete.clear();
      old.clear();
    }
    List<String> unknown =
        names.stream().filter(n -> !complete.contains(n) && !old.contains(n)).toList();
    if (unknown.isEmpty()) {
      return;
    }
    old.addAll(unknown);
    try (Connection connection = duck.connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT DISTINCT file_name FROM parquet_schema(["
                    + quoted(unknown)
                    + "]) WHERE name = 'series'")) {
      while (rows.next()) {
        String name = Path.of(rows.getString(1)).getFileName().toString();
        old.remove(name);
        complete.add(name);
      }
    }
  }

  private String quoted(List<String> names) {
    return names.stream()
        .map(name -> Duck.quoted(folder.resolve(name).toString()))
        .collect(Collectors.joining(", "));
  }
}
