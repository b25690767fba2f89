package io.rollscope.server.scrape.points;

import io.rollscope.server.scrape.points.PointValue.Kind;
import io.rollscope.server.scrape.text.Family;
import io.rollscope.server.scrape.text.Labels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Turns the scrapes of one target, one after the other, into requests. */
public final class TargetSeries {
  private static final String STEP = "training_global_step";
  private static final double MAX_STEP = 9.0e15;

  private final String job;
  private final String target;
  private final Labels labels;
  private final SeriesMemory memory = new SeriesMemory();

  /**
   * @param labels what the target's owner says of all its series
   */
  public TargetSeries(String job, String target, Labels labels) {
    this.job = job;
    this.target = target;
    this.labels = labels;
  }

  /**
   * When and for whom a scrape was.
   *
   * @param run of series that name none themselves
   * @param timeNs when it began, in nanoseconds since the epoch
   */
  public record Scrape(String run, long timeNs, double durationS) {}

  /** How many series the last scrape had. */
  public int size() {
    return memory.size();
  }

  /** The request for an exposition. */
  public byte[] up(Scrape scrape, List<Family> families, Remarks remarks) {
    memory.beginScrape();
    List<Point> points = new ArrayList<>();
    for (Measure measure : Measures.of(families, remarks)) {
      Labels all = merged(measure.labels());
      Point point =
          all == null
              ? null
              : memory.take(
                  new SeriesKey(runOf(all, scrape), measure.name(), measure.kind(), all),
                  measure,
                  scrape.timeNs());
      if (point != null) {
        points.add(point);
      } else {
        remarks.add(
            measure.name()
                + (all == null
                    ? ": a label that begins with __ (left out)"
                    : ": twice with the same labels (the first is kept)"));
      }
    }
    int samples = families.stream().mapToInt(f -> f.samples().size()).sum();
    points.addAll(memory.gone(scrape.timeNs()));
    about(scrape, 1, samples, points);
    return MetricsRequest.write(points, job, target, steps(points));
  }

  /** The request for a scrape that failed: everything the target had is gone. */
  public byte[] down(Scrape scrape) {
    memory.beginScrape();
    List<Point> points = new ArrayList<>(memory.gone(scrape.timeNs()));
    about(scrape, 0, 0, points);
    return MetricsRequest.write(points, job, target, Map.of());
  }

  /** The request for a target that is scraped no longer. */
  public byte[] end(Scrape scrape) {
    memory.beginScrape();
    List<Point> points = new ArrayList<>(memory.gone(scrape.timeNs()));
    for (String name : List.of("up", "scrape_duration_seconds", "scrape_samples_scraped")) {
      points.add(new Point(key(scrape, name), null, 0, scrape.timeNs(), null));
    }
    return MetricsRequest.write(points, job, target, Map.of());
  }

  private void about(Scrape scrape, int up, int samples, List<Point> points) {
    add(scrape, "up", up, points);
    add(scrape, "scrape_duration_seconds", scrape.durationS(), points);
    add(scrape, "scrape_samples_scraped", samples, points);
  }

  private void add(Scrape scrape, String name, double value, List<Point> points) {
    points.add(
        new Point(key(scrape, name), null, 0, scrape.timeNs(), new PointValue.Single(value)));
  }

  private SeriesKey key(Scrape scrape, String name) {
    return new SeriesKey(runOf(labels, scrape), name, Kind.GAUGE, labels);
  }

  private static String runOf(Labels all, Scrape scrape) {
    String project = all.get("project");
    String experiment = all.get("experiment_name");
    return project == null || experiment == null ? scrape.run() : project + "/" + experiment;
  }

  /**
   * With the target's labels, which win; null if a name is one that scrapers keep to themselves.
   */
  private Labels merged(Labels exposed) {
    Map<String, String> all = new HashMap<>();
    boolean[] hidden = {false};
    exposed.forEach(
        (name, value) -> {
          all.put(name, value);
          hidden[0] |= name.startsWith("__");
        });
    if (hidden[0]) {
      return null;
    }
    if (labels.isEmpty()) {
      return exposed;
    }
    labels.forEach(
        (name, value) -> {
          String other = all.put(name, value);
          if (other != null && !other.equals(value)) {
            String renamed = "exported_" + name;
            while (all.containsKey(renamed) || labels.get(renamed) != null) {
              renamed = "exported_" + renamed;
            }
            all.put(renamed, other);
          }
        });
    return Labels.of(all);
  }

  /** The train step of each run; a run that does not tell has that of the others, if they agree. */
  private static Map<String, Long> steps(List<Point> points) {
    Map<String, Long> steps = new HashMap<>();
    Set<String> runs = new TreeSet<>();
    for (Point point : points) {
      SeriesKey series = point.series();
      runs.add(series.run());
      if (series.kind() == Kind.GAUGE
          && series.name().endsWith(STEP)
          && point.value() instanceof PointValue.Single number
          && isStep(number.value())) {
        steps.merge(series.run(), (long) number.value(), Math::max);
      }
    }
    if (Set.copyOf(steps.values()).size() == 1) {
      long only = steps.values().iterator().next();
      runs.forEach(run -> steps.putIfAbsent(run, only));
    }
    return steps;
  }

  private static boolean isStep(double value) {
    return value >= 0 && value < MAX_STEP && value == Math.rint(value);
  }
}
