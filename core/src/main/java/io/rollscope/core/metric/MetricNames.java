package io.rollscope.core.metric;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What metrics are called (contracts.md 2.18). RL-Insight's hub exposes {@code train_step} as
 * {@code rl_insight_monitor_train_step_total}; a client that records to Rollscope sends {@code
 * train_step}. Both are one metric.
 */
public final class MetricNames {
  /** What RL-Insight's hub puts in front of every name, unless its user chose something else. */
  public static final String NAMESPACE = "rl_insight_monitor";

  private static final String HUB = NAMESPACE + "_";
  private static final String TOTAL = "_total";

  private MetricNames() {}

  /** How Prometheus may spell a name below a namespace, with which it may begin already. */
  public static String exposed(String namespace, String name) {
    String plain = sanitised(name, true);
    if (namespace.isEmpty() || plain.startsWith(namespace + "_")) {
      return plain.isEmpty() || isDigit(plain.charAt(0)) ? "_" + plain : plain;
    }
    return namespace + "_" + plain;
  }

  /** The exposed name of a metric; without the suffix that its samples have if it counts. */
  public static String family(String namespace, String name, boolean counter) {
    String exposed = exposed(namespace, name);
    return counter ? without(exposed, TOTAL) : exposed;
  }

  /** How Prometheus may spell a label. */
  public static String label(String name) {
    String plain = sanitised(name, false);
    boolean reserved = plain.isEmpty() || isDigit(plain.charAt(0));
    return reserved ? "_" + plain : plain.startsWith("__") ? "x" + plain : plain;
  }

  /** Whether two metrics of one family are one: {@code a.b} and {@code a/b} are not. */
  public static boolean areOne(String namespace, String one, String other) {
    String prefix = namespace + "_";
    return one.equals(other) || one.startsWith(prefix) || other.startsWith(prefix);
  }

  /**
   * What a run's metrics are listed as: a hub's under the name that its client gave.
   *
   * @param stored the names as they came, and whether the metric counts
   * @return the listed name of each
   */
  static Map<String, String> listed(Map<String, Boolean> stored) {
    Map<String, SortedSet<String>> sent = new TreeMap<>();
    stored.forEach(
        (name, counter) -> {
          if (!name.startsWith(HUB)) {
            sent.computeIfAbsent(family("", name, counter), f -> new TreeSet<>()).add(name);
          }
        });
    Map<String, String> listed = new TreeMap<>();
    stored.forEach(
        (name, counter) -> {
          String plain = name.substring(name.startsWith(HUB) ? HUB.length() : 0);
          String given = counter ? without(plain, TOTAL) : plain;
          SortedSet<String> same = sent.get(family("", plain, counter));
          boolean own = !name.startsWith(HUB);
          listed.put(name, own ? name : same == null ? given : same.first());
        });
    return listed;
  }

  /**
   * The series of a run by the listed names.
   *
   * @param stored by the names as they came
   */
  static Map<String, List<MetricSeries>> byListed(Map<String, List<MetricSeries>> stored) {
    Map<String, Boolean> counters = new TreeMap<>();
    stored.forEach(
        (name, all) -> counters.put(name, all.stream().anyMatch(MetricSeries::isCounter)));
    Map<String, List<MetricSeries>> byListed = new TreeMap<>();
    listed(counters)
        .forEach(
            (name, listed) ->
                byListed.computeIfAbsent(listed, l -> new ArrayList<>()).addAll(stored.get(name)));
    byListed.values().forEach(all -> all.sort(Comparator.comparingLong(MetricSeries::series)));
    return byListed;
  }

  /** The series of a metric by any of its names; none if the run has no such metric. */
  static List<MetricSeries> find(Map<String, List<MetricSeries>> byListed, String asked) {
    List<MetricSeries> exact = byListed.get(asked);
    if (exact != null) {
      return exact;
    }
    List<String> names = stored(asked);
    return byListed.values().stream()
        .filter(all -> all.stream().anyMatch(series -> names.contains(series.name())))
        .findFirst()
        .orElse(List.of());
  }

  /** The names that a metric may be stored under, whichever of them is asked for. */
  public static List<String> stored(String asked) {
    if (asked.startsWith(HUB)) {
      String plain = asked.substring(HUB.length());
      return List.of(asked, plain, without(plain, TOTAL)).stream().distinct().toList();
    }
    String hub = HUB + sanitised(asked, true);
    return List.of(asked, hub, without(hub, TOTAL) + TOTAL).stream().distinct().toList();
  }

  private static String without(String name, String end) {
    return name.endsWith(end) ? name.substring(0, name.length() - end.length()) : name;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static String sanitised(String name, boolean colons) {
    StringBuilder plain = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_';
      plain.append(letter || (colons && c == ':') ? c : '_');
    }
    return plain.toString();
  }
}
