package io.rollscope.store.query;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which series there are. Files of points do not change: each is looked at once, and of series that
 * are known from another only at the cheap columns. Thread-safe.
 */
public final class SeriesIndex {
  private static final int MOST = 500_000;
  static final List<String> PROCESS =
      List.of("service", "instance", "host", "worker_role", "worker_rank");

  private static final String SEEN =
      "SELECT run, name, series, min(time_ns), max(time_ns), arg_max(value, time_ns),"
          + " bool_or(train_step IS NOT NULL), arg_max(step_source, time_ns) FROM ";

  private static final String ABOUT =
      "SELECT run, name, series, first(kind), first(unit), first(temporality),"
          + " coalesce(first(monotonic), false), first(labels), first(service), first(instance),"
          + " first(host), first(worker_role), first(worker_rank) FROM ";

  private record Id(String run, String name, long series) {}

  private record Seen(Id id, long first, long last, Double value, boolean step, String source) {}

  private final Map<Id, SeriesInfo> known = new HashMap<>();
  private final Set<String> files = new HashSet<>();

  /** All series of a run, by name. */
  synchronized Map<String, List<SeriesInfo>> of(Query query, String run) throws SQLException {
    Snapshot.MetricSources sources = query.metrics();
    files.retainAll(sources.files().keySet());
    for (var file : sources.files().entrySet()) {
      if (!files.contains(file.getKey())) {
        look(query, "(" + file.getValue() + ")");
        files.add(file.getKey());
      }
    }
    // What ended before the first file is no longer stored, unless it is in memory: looked at last.
    known.values().removeIf(s -> s.lastNs < sources.sinceNs());
    look(query, sources.hot());
    Map<String, List<SeriesInfo>> byName = new TreeMap<>();
    known.values().stream()
        .filter(s -> s.run.equals(run))
        .forEach(s -> byName.computeIfAbsent(s.name, name -> new ArrayList<>()).add(s));
    byName.values().forEach(all -> all.sort(java.util.Comparator.comparingLong(s -> s.series)));
    return byName;
  }

  /** Forgets a run that was deleted. */
  public synchronized void forget(String run) {
    known.keySet().removeIf(id -> id.run().equals(run));
  }

  private void look(Query query, String rows) throws SQLException {
    List<Seen> seen =
        query.list(Sql.of(SEEN + rows + " GROUP BY run, name, series"), SeriesIndex::seen);
    List<Seen> fresh = seen.stream().filter(s -> !known.containsKey(s.id())).toList();
    if (!fresh.isEmpty()) {
      String numbers =
          fresh.stream().map(s -> "(" + s.id().series() + ")").collect(Collectors.joining(","));
      String some =
          seen.size() == fresh.size()
              ? rows
              : "(SELECT r.* FROM "
                  + rows
                  + " r SEMI JOIN (VALUES "
                  + numbers
                  + ") f(s) ON s = series)";
      query.each(Sql.of(ABOUT + some + " GROUP BY run, name, series"), this::add);
    }
    for (Seen one : seen) {
      SeriesInfo info = known.get(one.id());
      if (info != null) {
        info.saw(one.first(), one.last(), one.value(), one.step(), one.source());
      }
    }
  }

  private static Seen seen(ResultSet row) throws SQLException {
    double value = row.getDouble(6);
    return new Seen(
        new Id(row.getString(1), row.getString(2), row.getLong(3)),
        row.getLong(4),
        row.getLong(5),
        row.wasNull() || !Double.isFinite(value) ? null : value,
        row.getBoolean(7),
        row.getString(8));
  }

  private void add(ResultSet row) throws SQLException {
    if (known.size() >= MOST) {
      return;
    }
    Map<String, String> process = new TreeMap<>();
    for (int i = 0; i < PROCESS.size(); i++) {
      String value = row.getString(9 + i);
      if (value != null) {
        process.put(PROCESS.get(i), value);
      }
    }
    Id id = new Id(row.getString(1), row.getString(2), row.getLong(3));
    known.putIfAbsent(
        id,
        new SeriesInfo(
            id.run(),
            id.name(),
            id.series(),
            row.getString(4),
            row.getString(5),
            row.getString(6),
            row.getBoolean(7),
            new TreeMap<>(Cells.attributes(row, 8)),
            process));
  }
}
