package io.rollscope.store.metric;

import io.rollscope.core.metric.MetricNames;
import io.rollscope.store.metric.Exposition.Family;
import io.rollscope.store.metric.Exposition.Point;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
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

  /** A family: what of clients has the same labels becomes one series. */
  private record Draft(
      BookMetric like, String type, Map<NavigableMap<String, String>, List<Part>> parts) {}

  /** A label set of a metric. */
  private record Part(BookMetric metric, LabelSet set) {}

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
          List<Point> points = points(draft);
          if (!Collections.disjoint(used, names(name, draft.type()))) {
            leftOut += points.size();
          } else if (!points.isEmpty()) {
            used.addAll(names(name, draft.type()));
            String help = draft.like().help == null ? "" : draft.like().help;
            all.add(new Family(name, draft.type(), help, sorted(points)));
          }
        });
    return new Exposition(all, leftOut);
  }

  private List<Point> points(Draft draft) {
    List<Point> points = new ArrayList<>();
    draft
        .parts()
        .forEach(
            (labels, parts) -> {
              Point point = point(labels, parts);
              if (point != null && (points.size() >= rules.mostPerFamily() || isFull())) {
                leftOut++;
              } else if (point != null) {
                points.add(point);
                exposed++;
              }
            });
    return points;
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
    String name = MetricNames.family(rules.namespace(), metric.name, type.equals("counter"));
    Draft draft =
        families.computeIfAbsent(name, key -> new Draft(metric, type, new LinkedHashMap<>()));
    for (LabelSet set : metric.labelSets.values()) {
      List<Part> parts =
          draft.parts().computeIfAbsent(labels(metric, set.labels), l -> new ArrayList<>(1));
      boolean same =
          parts.isEmpty()
              || MetricNames.areOne(rules.namespace(), parts.get(0).metric().name, metric.name);
      if (draft.type().equals(type) && same) {
        parts.add(new Part(metric, set));
      } else {
        leftOut++;
      }
    }
  }

  private boolean isFull() {
    return exposed >= rules.mostInAll();
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
  private Point point(NavigableMap<String, String> labels, List<Part> parts) {
    Series newest = null;
    Totals all = new Totals();
    double[] bounds = finest(parts);
    for (Part part : parts) {
      BookMetric metric = part.metric();
      all.add(part.set().before.in(metric.bounds, bounds));
      boolean sum = metric.kind.equals("sum");
      for (Series one : part.set().series.values()) {
        boolean alive = isAlive(one);
        if (alive && (newest == null || one.timeNs > newest.timeNs)) {
          newest = one;
        }
        if (one.last != null && (metric.addsUp() || (sum && alive))) {
          all.add(one.last.in(metric.bounds, bounds));
        }
      }
    }
    if (newest == null || newest.last == null) {
      return null;
    }
    boolean gauge = parts.get(0).metric().kind.equals("gauge");
    return new Point(
        labels,
        gauge ? newest.last.value : all.value,
        all.count,
        bounds == null ? newest.quantiles : bounds,
        bounds == null ? null : all.buckets,
        newest.quantileValues);
  }

  /** The most buckets that any has: a hub's histogram is merged with what its client sends now. */
  private static double[] finest(List<Part> parts) {
    double[] finest = null;
    for (Part part : parts) {
      double[] bounds = part.metric().bounds;
      finest = finest == null || bounds.length > finest.length ? bounds : finest;
    }
    return finest;
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
          labels.putIfAbsent((clash ? "exported_" : "") + MetricNames.label(key), value);
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
