package io.rollscope.store.query;

import io.rollscope.core.metric.MetricSeries;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which series there are. Files of points do not change: each is looked at once, and of series that
 * are known from another only at the cheap columns. Thread-safe.
 */
public final class SeriesIndex {
  private static final int MOST = 500_000;

  private static final String SEEN =
      "SELECT run, name, series, min(time_ns), max(time_ns),"
          + " arg_min(value, time_ns) FILTER (isfinite(value)),"
          + " arg_max(value, time_ns) FILTER (isfinite(value)),"
          + " min(value) FILTER (isfinite(value)), max(value) FILTER (isfinite(value)),"
          + " arg_max(train_step, time_ns), arg_max(step_source, time_ns), count(*) FROM ";

  private static final String ABOUT =
      "SELECT run, name, series, first(kind), first(unit), first(temporality),"
          + " coalesce(first(monotonic), false), first(labels), first(service), first(instance),"
          + " first(host), first(worker_role), first(worker_rank) FROM ";

  private record Id(String run, String name, long series) {}

  private record Seen(Id id, MetricSeries.Seen said, long points) {}

  /** A metric of a run. */
  private record Metric(String run, String name) {}

  /** What a run has. */
  record Series(Map<String, List<MetricSeries>> byName, Map<String, Long> points) {}

  private final Map<Id, MetricSeries> known = new HashMap<>();

  /** How many points of each metric are in each file that was looked at. */
  private final Map<String, Map<Metric, Long>> files = new HashMap<>();

  /** All series of a run, by name. */
  synchronized Series of(Query query, String run) throws SQLException {
    Snapshot.MetricSources sources = query.metrics();
    files.keySet().retainAll(sources.files().keySet());
    for (var file : sources.files().entrySet()) {
      if (!files.containsKey(file.getKey())) {
        files.put(file.getKey(), look(query, "(" + file.getValue() + ")"));
      }
    }
    // What ended before the first file is no longer stored, unless it is in memory: looked at last.
    known.values().removeIf(s -> s.lastNs() < sources.sinceNs());
    Map<String, Long> points = new TreeMap<>();
    add(look(query, sources.hot()), run, points);
    files.values().forEach(counts -> add(counts, run, points));
    Map<String, List<MetricSeries>> byName = new TreeMap<>();
    known.forEach(
        (id, series) -> {
          if (id.run().equals(run)) {
            byName.computeIfAbsent(id.name(), name -> new ArrayList<>()).add(series);
          }
        });
    byName.values().forEach(all -> all.sort(Comparator.comparingLong(MetricSeries::series)));
    return new Series(byName, points);
  }

  private static void add(Map<Metric, Long> counts, String run, Map<String, Long> points) {
    counts.forEach(
        (metric, count) -> {
          if (metric.run().equals(run)) {
            points.merge(metric.name(), count, Long::sum);
          }
        });
  }

  /** Forgets a run that was deleted. */
  public synchronized void forget(String run) {
    known.keySet().removeIf(id -> id.run().equals(run));
  }

  /** How many points there are of each metric. */
  private Map<Metric, Long> look(Query query, String rows) throws SQLException {
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
    Map<Metric, Long> points = new HashMap<>();
    for (Seen one : seen) {
      MetricSeries series = known.get(one.id());
      if (series != null) {
        series.saw(one.said());
      }
      points.merge(new Metric(one.id().run(), one.id().name()), one.points(), Long::sum);
    }
    return points;
  }

  private static Seen seen(ResultSet row) throws SQLException {
    return new Seen(
        new Id(row.getString(1), row.getString(2), row.getLong(3)),
        new MetricSeries.Seen(
            row.getLong(4),
            row.getLong(5),
            Cells.doubleOrNull(row, 6),
            Cells.doubleOrNull(row, 7),
            Cells.doubleOrNull(row, 8),
            Cells.doubleOrNull(row, 9),
            Cells.longOrNull(row, 10),
            row.getString(11)),
        row.getLong(12));
  }

  private void add(ResultSet row) throws SQLException {
    if (known.size() >= MOST) {
      return;
    }
    Map<String, String> process = new TreeMap<>();
    for (int i = 0; i < MetricSeries.PROCESS.size(); i++) {
      String value = row.getString(9 + i);
      if (value != null) {
        process.put(MetricSeries.PROCESS.get(i), value);
      }
    }
    Id id = new Id(row.getString(1), row.getString(2), row.getLong(3));
    known.putIfAbsent(
        id,
        new MetricSeries(
            new MetricSeries.Identity(
                id.name(),
                id.series(),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getBoolean(7),
                new TreeMap<>(Cells.attributes(row, 8)),
                process)));
  }
}
