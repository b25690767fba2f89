package io.rollscope.store.metric;

import io.rollscope.store.metric.Exposition.Family;
import io.rollscope.store.metric.Exposition.Point;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** Makes an exposition: one series per name and label set, of all processes together. */
final class Exposing {
  /** Nothing came from a process for so long: what it said is no longer so. */
  private static final long SILENT_NS = 300_000_000_000L;

  private final Exposition.Rules rules;
  private final long nowNs;
  private final Exposition.Heard heard;
  private final Map<String, Draft> families = new TreeMap<>();
  private long exposed;
  private long leftOut;

  private record Draft(
      BookMetric like, String type, Map<NavigableMap<String, String>, Point> points) {}

  Exposing(Exposition.Rules rules, long nowNs, Exposition.Heard heard) {
    this.rules = rules;
    this.nowNs = nowNs;
    this.heard = heard;
  }

  Exposition of(Collection<BookMetric> metrics) {
    metrics.stream()
        .filter(this::isClients)
        .sorted(Comparator.comparing((BookMetric m) -> m.name).thenComparing(m -> m.run))
        .forEach(this::add);
    List<Family> all = new ArrayList<>();
    Set<String> used = new HashSet<>();
    families.forEach(
        (name, draft) -> {
          if (!Collections.disjoint(used, names(name, draft.type()))) {
            leftOut += draft.points().size();
          } else if (!draft.points().isEmpty()) {
            used.addAll(names(name, draft.type()));
            String help = draft.like().help == null ? "" : draft.like().help;
            all.add(new Family(name, draft.type(), help, sorted(draft.points().values())));
          }
        });
    return new Exposition(all, leftOut);
  }

  /** What samples of a family are called. */
  private static List<String> names(String name, String type) {
    return switch (type) {
      case "counter" -> List.of(name, name + "_total");
      case "histogram" -> List.of(name, name + "_bucket", name + "_sum", name + "_count");
      case "summary" -> List.of(name, name + "_sum", name + "_count");
      default -> List.of(name);
    };
  }

  private static List<Point> sorted(Collection<Point> points) {
    return points.stream().sorted(Comparator.comparing(p -> p.labels().toString())).toList();
  }

  /** What was scraped from engines is for Prometheus to scrape there, not here once more. */
  private boolean isClients(BookMetric metric) {
    return !metric.scraped || metric.name.startsWith(rules.namespace() + "_");
  }

  private void add(BookMetric metric) {
    String type = type(metric);
    String full = Names.metric(rules.namespace(), metric.name);
    String name = type.equals("counter") ? withoutTotal(full) : full;
    Draft draft = families.computeIfAbsent(name, key -> new Draft(metric, type, new HashMap<>()));
    boolean same =
        draft.type().equals(type)
            && draft.like().name.equals(metric.name)
            && Arrays.equals(draft.like().bounds, metric.bounds);
    for (LabelSet set : metric.labelSets.values()) {
      Point point = same ? point(metric, set) : null;
      if (point != null && (draft.points().size() >= rules.mostPerFamily() || isFull())) {
        leftOut++;
      } else if (point != null) {
        exposed += draft.points().put(point.labels(), point) == null ? 1 : 0;
      } else if (!same) {
        leftOut++;
      }
    }
  }

  private boolean isFull() {
    return exposed >= rules.mostInAll();
  }

  static String withoutTotal(String name) {
    return name.endsWith("_total") ? name.substring(0, name.length() - "_total".length()) : name;
  }

  private static String type(BookMetric metric) {
    return switch (metric.kind) {
      case "histogram", "exponential_histogram" -> "histogram";
      case "summary" -> "summary";
      case "sum" -> metric.monotonic ? "counter" : "gauge";
      default -> "gauge";
    };
  }

  /** Null if no process that has it is alive. */
  private Point point(BookMetric metric, LabelSet set) {
    Series newest = null;
    Totals all = set.before.copy();
    boolean sum = metric.kind.equals("sum");
    for (Series one : set.series.values()) {
      boolean alive = isAlive(one);
      if (alive && (newest == null || one.timeNs > newest.timeNs)) {
        newest = one;
      }
      if (one.last != null && (metric.addsUp() || (sum && alive))) {
        all.add(one.last);
      }
    }
    if (newest == null || newest.last == null) {
      return null;
    }
    boolean gauge = metric.kind.equals("gauge");
    return new Point(
        labels(metric, set.labels),
        gauge ? newest.last.value : all.value,
        all.count,
        metric.bounds == null ? newest.quantiles : metric.bounds,
        metric.bounds == null ? null : all.buckets,
        newest.quantileValues);
  }

  private boolean isAlive(Series one) {
    long last = Math.max(one.receivedNs, heard.ns(one.instance));
    return !one.stale && nowNs - last < SILENT_NS;
  }

  /** Runs are told apart by the labels of RL-Insight, or else by one more label. */
  private static NavigableMap<String, String> labels(
      BookMetric metric, NavigableMap<String, String> own) {
    NavigableMap<String, String> labels = new TreeMap<>();
    boolean reserved = metric.bounds != null || metric.kind.equals("summary");
    own.forEach(
        (key, value) -> {
          boolean clash = reserved && (key.equals("le") || key.equals("quantile"));
          labels.putIfAbsent((clash ? "exported_" : "") + Names.label(key), value);
        });
    if (!(own.containsKey("project") && own.containsKey("experiment_name"))) {
      String clash = labels.put("run", metric.run);
      if (clash != null) {
        labels.put("exported_run", clash);
      }
    }
    return labels;
  }
}
