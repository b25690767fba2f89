package io.rollscope.store.metric;

import io.rollscope.core.metric.MetricsReport;
import io.rollscope.core.metric.PointProblem;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was wrong with metric points since the store was opened: counted, with an example each. */
public final class Problems {
  private static final int MOST = 2_000;
  private static final int MOST_PER_RUN = 100;

  private record Place(String run, String metric, PointProblem problem) {}

  private static final class Found {
    String detail;
    long count;
  }

  private final Map<PointProblem, Long> totals = new EnumMap<>(PointProblem.class);
  private final Map<Place, Found> places = new LinkedHashMap<>();

  /**
   * @param detail of the newest one; null leaves the one before
   */
  void add(String run, String metric, PointProblem problem, String detail) {
    totals.merge(problem, 1L, Long::sum);
    Place place = new Place(run, metric, problem);
    Found found = places.get(place);
    if (found == null) {
      if (places.size() >= MOST) {
        return;
      }
      found = new Found();
      places.put(place, found);
    }
    found.count++;
    found.detail = detail == null ? found.detail : detail;
  }

  boolean knows(String run, String metric, PointProblem problem) {
    return places.containsKey(new Place(run, metric, problem));
  }

  /** How often each occurred. */
  Map<String, Long> totals() {
    Map<String, Long> all = new LinkedHashMap<>();
    for (PointProblem problem : PointProblem.values()) {
      all.put(problem.word(), totals.getOrDefault(problem, 0L));
    }
    return all;
  }

  /** What is wrong in a run, the first first. */
  List<MetricsReport.Problem> of(String run) {
    return places.entrySet().stream()
        .filter(e -> e.getKey().run().equals(run))
        .limit(MOST_PER_RUN)
        .map(
            e ->
                new MetricsReport.Problem(
                    e.getKey().metric(),
                    e.getKey().problem().word(),
                    e.getValue().detail,
                    e.getValue().count))
        .toList();
  }

  void forget(String run) {
    places.keySet().removeIf(place -> place.run().equals(run));
  }
}
