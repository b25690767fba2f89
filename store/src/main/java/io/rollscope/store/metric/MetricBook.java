package io.rollscope.store.metric;

import io.rollscope.core.metric.MetricsReport;
import io.rollscope.core.metric.PointProblem;
import io.rollscope.core.metric.PointTable;
import io.rollscope.otlp.Key;
import io.rollscope.otlp.record.MetricPoint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * Where every series stands. Points go in in the order of the journal; what is wrong with them is
 * counted. Only {@link #refused} may be asked without the store's lock.
 */
public final class MetricBook {
  /** Label sets of one metric of one run. */
  public static final int MOST_LABEL_SETS = PointTable.MOST_LABEL_SETS;

  private static final int MOST_LABEL_SETS_IN_ALL = 200_000;
  private static final int MOST_SERIES = 500_000;
  private static final int MOST_LABEL_NAMES = 100;
  private static final long HOUR_NS = 3_600_000_000_000L;
  private static final long DAY_NS = 24 * HOUR_NS;
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_.:/-]*");

  private static final String TOO_MANY =
      "metric: too many label sets (expected: at most 2000 of a metric of a run)";
  private static final String NEGATIVE =
      "sum: negative increment (expected: 0 or more, for it only grows)";

  private record Id(String run, String name) {}

  private final Map<Id, BookMetric> metrics = new ConcurrentHashMap<>();
  private final Problems problems = new Problems();
  private final AtomicInteger labelSets = new AtomicInteger();
  private int series;
  private long sweptNs;

  /** Takes a point in; false if it is refused. */
  public boolean take(MetricPoint point, long receivedNs) {
    String run = point.runOrFallback();
    if (point.isNegativeIncrement()) {
      problem(point, PointProblem.NEGATIVE_INCREMENT, "an increment of " + point.value());
      return false;
    }
    sweep(receivedNs);
    Id id = new Id(run, point.name());
    BookMetric metric = metrics.get(id);
    if (metric == null) {
      if (point.stale()) {
        return true;
      }
      metric = BookMetric.of(point);
      if (!NAME.matcher(point.name()).matches()) {
        problem(point, PointProblem.INVALID_NAME, "exposed as " + Names.metric("", point.name()));
      }
    }
    LabelSet labels = metric.labelSets.get(point.labelSet());
    if (labels == null) {
      if (isFull(metric)) {
        problem(point, PointProblem.CARDINALITY, offence(metric));
        return false;
      }
      labels = new LabelSet(labels(point));
      checkNames(metric, labels.labels, point);
      metrics.put(id, metric);
      metric.labelSets.put(point.labelSet(), labels);
      labelSets.incrementAndGet();
    }
    if (!metric.isOfKind(point)) {
      String kinds = "a " + word(point) + ", first a " + metric.kind;
      problem(point, PointProblem.KIND_CONFLICT, kinds);
      return true;
    }
    take(metric, labels, point, receivedNs);
    return true;
  }

  /** Whether a point that the book knows was taken, not refused. */
  public boolean took(MetricPoint point) {
    return refused(List.of(point)).isEmpty();
  }

  /** A point that is known already. */
  public void duplicate(MetricPoint point) {
    problem(point, PointProblem.DUPLICATE, null);
  }

  private void take(BookMetric metric, LabelSet labels, MetricPoint point, long receivedNs) {
    Series one = labels.series.get(point.series());
    if (one == null) {
      if (series >= MOST_SERIES) {
        return;
      }
      one = new Series(point.origin().instance());
      labels.series.put(point.series(), one);
      series++;
    } else if (point.timeNs() < one.timeNs) {
      long late = (one.timeNs - point.timeNs()) / 1_000_000;
      problem(point, PointProblem.OUT_OF_ORDER, late + " ms before another one");
      return;
    } else if (point.timeNs() == one.timeNs && !point.stale() && !one.stale) {
      problem(point, PointProblem.SAME_TIME, null);
      return;
    }
    Double value = point.count() == null ? point.value() : point.sum();
    if (value != null && !Double.isFinite(value)) {
      problem(point, PointProblem.NOT_A_NUMBER, String.valueOf(value));
      if (metric.addsUp()) {
        return;
      }
    }
    labels.take(one, point, metric, receivedNs);
  }

  private void problem(MetricPoint point, PointProblem problem, String detail) {
    problems.add(point.runOrFallback(), point.name(), problem, detail);
  }

  private static String word(MetricPoint point) {
    boolean counter = Boolean.TRUE.equals(point.monotonic());
    return counter ? "monotonic " + point.kind() : point.kind();
  }

  // ---- label sets ------------------------------------------------------------------------------

  private boolean isFull(BookMetric metric) {
    return metric.labelSets.size() >= MOST_LABEL_SETS || labelSets.get() >= MOST_LABEL_SETS_IN_ALL;
  }

  private static NavigableMap<String, String> labels(MetricPoint point) {
    NavigableMap<String, String> labels = new TreeMap<>();
    point.attributes().forEach(labels::put);
    if (point.trainStep() != null) {
      labels.remove(Key.TRAIN_STEP.text());
    }
    return labels;
  }

  private void checkNames(
      BookMetric metric, NavigableMap<String, String> labels, MetricPoint point) {
    if (metric.labelNames.size() < MOST_LABEL_NAMES
        && metric.labelNames.add(Set.copyOf(labels.keySet()))
        && metric.labelNames.size() > 1) {
      problem(point, PointProblem.LABEL_CONFLICT, "also with labels " + labels.keySet());
    }
  }

  /** Which label there are too many values of. */
  private static String offence(BookMetric metric) {
    if (metric.offender == null) {
      Map<String, Set<String>> values = new HashMap<>();
      for (LabelSet set : metric.labelSets.values()) {
        set.labels.forEach((k, v) -> values.computeIfAbsent(k, key -> new HashSet<>()).add(v));
      }
      metric.offender =
          values.entrySet().stream()
              .max(java.util.Comparator.comparingInt(e -> e.getValue().size()))
              .map(e -> "label " + e.getKey() + " has " + e.getValue().size() + " values")
              .orElse("all metrics together have too many label sets");
    }
    return metric.offender;
  }

  // ---- what a sender is told -------------------------------------------------------------------

  /** How many of these points will be refused, by reason, as far as can be told before. */
  public Map<String, Long> refused(List<MetricPoint> points) {
    Map<String, Long> refused = new HashMap<>();
    Map<Id, Set<Long>> fresh = new HashMap<>();
    for (MetricPoint point : points) {
      if (point.isNegativeIncrement()) {
        refused.merge(NEGATIVE, 1L, Long::sum);
      } else if (isBeyond(point, fresh)) {
        refused.merge(TOO_MANY, 1L, Long::sum);
      }
    }
    return refused;
  }

  private boolean isBeyond(MetricPoint point, Map<Id, Set<Long>> fresh) {
    Id id = new Id(point.runOrFallback(), point.name());
    BookMetric metric = metrics.get(id);
    if (metric != null && metric.labelSets.containsKey(point.labelSet())) {
      return false;
    }
    Set<Long> beside = fresh.computeIfAbsent(id, key -> new HashSet<>());
    int known = metric == null ? 0 : metric.labelSets.size();
    if (beside.contains(point.labelSet())) {
      return false;
    }
    if (known + beside.size() < MOST_LABEL_SETS && labelSets.get() < MOST_LABEL_SETS_IN_ALL) {
      beside.add(point.labelSet());
      return false;
    }
    return true;
  }

  // ---- forgetting ------------------------------------------------------------------------------

  /** Once an hour: series that were silent for an hour, label sets that were for a day. */
  private void sweep(long nowNs) {
    if (nowNs - sweptNs < HOUR_NS) {
      return;
    }
    sweptNs = nowNs;
    for (BookMetric metric : metrics.values()) {
      metric.labelSets.values().removeIf(set -> isOver(set, metric, nowNs));
    }
    metrics.values().removeIf(metric -> metric.labelSets.isEmpty());
    labelSets.set(metrics.values().stream().mapToInt(m -> m.labelSets.size()).sum());
  }

  private boolean isOver(LabelSet set, BookMetric metric, long nowNs) {
    long heard = set.series.values().stream().mapToLong(s -> s.receivedNs).max().orElse(0);
    set.heardNs = Math.max(set.heardNs, heard);
    series -= set.forgetSilent(nowNs - HOUR_NS, metric);
    boolean over = set.heardNs < nowNs - DAY_NS;
    if (over) {
      series -= set.series.size();
    }
    return over;
  }

  /** Forgets everything of a run. */
  public void forget(String run) {
    for (BookMetric metric : List.copyOf(metrics.values())) {
      if (metric.run.equals(run)) {
        metrics.remove(new Id(run, metric.name));
        labelSets.addAndGet(-metric.labelSets.size());
        series -= metric.labelSets.values().stream().mapToInt(s -> s.series.size()).sum();
      }
    }
    problems.forget(run);
  }

  // ---- looking ---------------------------------------------------------------------------------

  Collection<BookMetric> metrics() {
    return metrics.values();
  }

  /** Puts back what a file remembers. */
  void restore(BookMetric metric) {
    metrics.put(new Id(metric.run, metric.name), metric);
    labelSets.addAndGet(metric.labelSets.size());
    series += metric.labelSets.values().stream().mapToInt(s -> s.series.size()).sum();
  }

  /** How often each problem occurred. */
  public Map<String, Long> problemCounts() {
    return problems.totals();
  }

  /** What is wrong with the metrics of a run. */
  public List<MetricsReport.Problem> problems(String run) {
    return new ArrayList<>(problems.of(run));
  }

  /** What others may scrape. */
  public Exposition exposition(Exposition.Rules rules, long nowNs, Exposition.Heard heard) {
    return new Exposing(rules, nowNs, heard).of(metrics.values());
  }
}
