package io.rollscope.core.metric;

import io.rollscope.core.stats.IndexSort;
import io.rollscope.core.table.ByteColumn;
import io.rollscope.core.table.IntColumn;
import io.rollscope.core.table.LongColumn;
import io.rollscope.core.table.TableFullException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The points of a run in memory, by column. They may come in any order and several times: what is
 * said twice counts once. Not thread-safe.
 */
public final class PointTable implements MetricPoints<RuntimeException> {
  /** Label sets of one metric; a server takes no more either. */
  public static final int MOST_LABEL_SETS = 2_000;

  private static final int MOST_SERIES = 200_000;
  private static final int MOST_POINTS = 1 << 30;
  private static final int BYTES_PER_SERIES = 1_000;
  private static final int NONE = -1;
  private static final byte STALE = 1;
  private static final byte INCREMENT = 2;
  private static final byte STEPPED = 4;
  private static final byte SCRAPED = 8;

  /** In the order, and while it is made. */
  private static final int ORDER_BYTES = 2 * Integer.BYTES;

  /**
   * A point to be added.
   *
   * @param startNs 0 when unknown
   * @param value of gauges and sums, else null
   * @param state of histograms and summaries, else null
   * @param step that it names, or null
   * @param increment whether it tells what was added, not where the series stands
   * @param stale whether the series has no value any more
   */
  public record Point(
      long startNs,
      long timeNs,
      Double value,
      HistogramState state,
      Long step,
      boolean increment,
      boolean stale,
      boolean scraped) {}

  /** A series and the points that it has: a range of {@link #order}. */
  private static final class Entry {
    final MetricSeries.Identity identity;
    int from;
    int to;

    Entry(MetricSeries.Identity identity) {
      this.identity = identity;
    }
  }

  /** Tells the step of a moment. */
  @FunctionalInterface
  public interface StepAt {
    /** The step that was on at that time, or null. */
    Long at(long timeNs);
  }

  private final List<Entry> entries = new ArrayList<>();
  private final Map<Long, Integer> numbers = new HashMap<>();
  private final Map<String, Set<Long>> labelSets = new HashMap<>();

  private final IntColumn entry = new IntColumn(NONE);
  private final LongColumn start = new LongColumn(0);
  private final LongColumn time = new LongColumn(0);
  private final LongColumn value = new LongColumn(0);
  private final LongColumn step = new LongColumn(0);
  private final ByteColumn flags = new ByteColumn((byte) 0);

  /** Of histograms: where their state is. */
  private final IntColumn state = new IntColumn(NONE);

  private final HistogramColumns histograms = new HistogramColumns();
  private int count;

  private final Map<String, Map<String, MetricsReport.Problem>> problems = new LinkedHashMap<>();

  /** Points by series, then time, without those that are there twice; null when some are new. */
  private int[] order;

  private StepAt stepAt = timeNs -> null;
  private Map<String, List<MetricSeries>> known;
  private final Map<String, Long> pointCounts = new HashMap<>();

  // ---- taking in -------------------------------------------------------------------------------

  /**
   * Whether there is room for a metric with these labels; their number is the same for equal ones.
   */
  public boolean admits(String name, long labelSet) {
    Set<Long> sets = labelSets.computeIfAbsent(name, n -> new HashSet<>());
    if (sets.contains(labelSet)) {
      return true;
    }
    return sets.size() < MOST_LABEL_SETS && entries.size() < MOST_SERIES && sets.add(labelSet);
  }

  /** The number of a series that is known, or -1. */
  public int find(long series) {
    return numbers.getOrDefault(series, NONE);
  }

  /** The number of a series that is new. */
  public int add(MetricSeries.Identity identity) {
    numbers.put(identity.series(), entries.size());
    entries.add(new Entry(identity));
    return entries.size() - 1;
  }

  /** Adds a point to a series. */
  public void add(int series, Point point) {
    if (count == MOST_POINTS) {
      throw new TableFullException(
          "metrics: more than " + MOST_POINTS + " points of a run (expected: fewer)");
    }
    entry.set(count, series);
    start.set(count, point.startNs());
    time.set(count, point.timeNs());
    double number = point.value() == null ? Double.NaN : point.value();
    value.set(count, Double.doubleToLongBits(number));
    if (point.step() != null) {
      step.set(count, point.step());
    }
    int said =
        (point.stale() ? STALE : 0)
            | (point.increment() ? INCREMENT : 0)
            | (point.step() != null ? STEPPED : 0)
            | (point.scraped() ? SCRAPED : 0);
    flags.set(count, (byte) said);
    if (point.state() != null) {
      state.set(count, histograms.add(point.state()));
    }
    count++;
    order = null;
  }

  /** Counts a point that was refused. */
  public void problem(String metric, PointProblem what, String detail) {
    String problem = what.word();
    problems
        .computeIfAbsent(metric, m -> new LinkedHashMap<>())
        .merge(
            problem,
            new MetricsReport.Problem(metric, problem, detail, 1),
            (a, b) -> new MetricsReport.Problem(metric, problem, b.detail(), a.count() + 1));
  }

  /** What step points belong to that name none. */
  public void steps(StepAt steps) {
    stepAt = steps;
    known = null;
  }

  public boolean isEmpty() {
    return count == 0;
  }

  /** Memory held, about. */
  public long bytes() {
    return entry.bytes()
        + start.bytes()
        + time.bytes()
        + value.bytes()
        + step.bytes()
        + flags.bytes()
        + state.bytes()
        + histograms.bytes()
        + (long) BYTES_PER_SERIES * entries.size()
        + (long) ORDER_BYTES * count;
  }

  // ---- answers ---------------------------------------------------------------------------------

  /** Which metrics there are. */
  public MetricsReport metrics(String source, String run) {
    Map<String, List<MetricSeries>> series = series();
    List<MetricsReport.Problem> found =
        problems.values().stream().flatMap(of -> of.values().stream()).toList();
    return MetricList.of(series, pointCounts, run, source).with(found);
  }

  /** Lines of some. */
  public ChartReport chart(ChartQuestion question, String source, String run) {
    return Chart.of(this, series(), question, source, run);
  }

  private Map<String, List<MetricSeries>> series() {
    sort();
    if (known != null) {
      return known;
    }
    known = new TreeMap<>();
    pointCounts.clear();
    for (Entry one : entries) {
      if (one.from < one.to) {
        MetricSeries series = new MetricSeries(one.identity);
        series.saw(seen(one));
        known.computeIfAbsent(series.name(), n -> new ArrayList<>()).add(series);
        pointCounts.merge(series.name(), (long) one.to - one.from, Long::sum);
      }
    }
    known.values().forEach(all -> all.sort(Comparator.comparingLong(MetricSeries::series)));
    return known;
  }

  private MetricSeries.Seen seen(Entry one) {
    Double first = null;
    Double last = null;
    Double least = null;
    Double greatest = null;
    Long lastStep = null;
    for (int i = one.from; i < one.to; i++) {
      int point = order[i];
      double v = value(point);
      if (Double.isFinite(v)) {
        first = first == null ? v : first;
        last = v;
        least = least == null ? v : Math.min(least, v);
        greatest = greatest == null ? v : Math.max(greatest, v);
      }
      Long at = step(point);
      lastStep = at == null ? lastStep : at;
    }
    int newest = order[one.to - 1];
    return new MetricSeries.Seen(
        time.get(order[one.from]),
        time.get(newest),
        first,
        last,
        least,
        greatest,
        lastStep,
        stepSource(newest));
  }

  private String stepSource(int point) {
    if (is(point, STEPPED)) {
      return is(point, SCRAPED) ? "scraped" : "sent";
    }
    return step(point) == null ? "none" : "batch";
  }

  private boolean is(int point, byte flag) {
    return (flags.get(point) & flag) != 0;
  }

  private double value(int point) {
    return Double.longBitsToDouble(value.get(point));
  }

  private Long step(int point) {
    return is(point, STEPPED) ? (Long) step.get(point) : stepAt.at(time.get(point));
  }

  // ---- order -----------------------------------------------------------------------------------

  private void sort() {
    if (order != null) {
      return;
    }
    known = null;
    int[] sorted = new int[count];
    Arrays.setAll(sorted, i -> i);
    IndexSort.sort(sorted, count, this::isBefore);
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (kept == 0 || !isSame(sorted[kept - 1], sorted[i])) {
        sorted[kept++] = sorted[i];
      }
    }
    order = Arrays.copyOf(sorted, kept);
    entries.forEach(one -> one.to = one.from = 0);
    for (int i = 0; i < kept; i++) {
      Entry one = entries.get(entry.get(order[i]));
      one.from = one.to == 0 ? i : one.from;
      one.to = i + 1;
    }
  }

  /** Of points of one time the order must not depend on which was read first. */
  private boolean isBefore(int a, int b) {
    if (entry.get(a) != entry.get(b)) {
      return entry.get(a) < entry.get(b);
    }
    if (time.get(a) != time.get(b)) {
      return time.get(a) < time.get(b);
    }
    if (start.get(a) != start.get(b)) {
      return start.get(a) < start.get(b);
    }
    if (value.get(a) != value.get(b)) {
      return value.get(a) < value.get(b);
    }
    return histograms.compare(state.get(a), state.get(b)) < 0;
  }

  private boolean isSame(int a, int b) {
    return entry.get(a) == entry.get(b)
        && time.get(a) == time.get(b)
        && start.get(a) == start.get(b)
        && value.get(a) == value.get(b)
        && flags.get(a) == flags.get(b)
        && step.get(a) == step.get(b)
        && histograms.compare(state.get(a), state.get(b)) == 0;
  }

  // ---- what charts are made of -----------------------------------------------------------------

  /** Takes points of a window one by one. */
  @FunctionalInterface
  private interface PointTaker {
    void take(int point, Long step);
  }

  private void each(Entry one, PointWindow window, PointTaker taker) {
    for (int i = one.from; i < one.to; i++) {
      Long at = step(order[i]);
      if (window.holds(time.get(order[i]), at)) {
        taker.take(order[i], at);
      }
    }
  }

  private Entry entry(long series) {
    return entries.get(numbers.get(series));
  }

  /** The series of a metric, under whichever name its points came. */
  private List<MetricSeries> named(String name) {
    List<MetricSeries> all = new ArrayList<>();
    MetricNames.stored(name).forEach(one -> all.addAll(series().getOrDefault(one, List.of())));
    return all;
  }

  @Override
  public Extent extent(String name, PointWindow window) {
    Extent[] all = new Extent[1];
    for (MetricSeries series : named(name)) {
      each(
          entry(series.series()),
          window,
          (point, at) -> {
            long t = time.get(point);
            long n = series.series();
            Extent one = new Extent(t, t, n, n, at, at);
            all[0] = all[0] == null ? one : united(all[0], one);
          });
    }
    return all[0];
  }

  private static Extent united(Extent a, Extent b) {
    return new Extent(
        Math.min(a.firstNs(), b.firstNs()),
        Math.max(a.lastNs(), b.lastNs()),
        Math.min(a.firstSeries(), b.firstSeries()),
        Math.max(a.lastSeries(), b.lastSeries()),
        a.firstStep() == null || (b.firstStep() != null && b.firstStep() < a.firstStep())
            ? b.firstStep()
            : a.firstStep(),
        a.lastStep() == null || (b.lastStep() != null && b.lastStep() > a.lastStep())
            ? b.lastStep()
            : a.lastStep());
  }

  @Override
  public long usualDistanceNs(String name, PointWindow window, long series, long other) {
    List<Long> distances = new ArrayList<>();
    for (long one : series == other ? new long[] {series} : new long[] {series, other}) {
      long[] before = {Long.MIN_VALUE};
      each(
          entry(one),
          window,
          (point, at) -> {
            long t = time.get(point);
            if (!is(point, STALE)) {
              if (before[0] != Long.MIN_VALUE && t > before[0]) {
                distances.add(t - before[0]);
              }
              before[0] = t;
            }
          });
    }
    long[] sorted = distances.stream().mapToLong(Long::longValue).sorted().toArray();
    int n = sorted.length;
    return n == 0 ? 0 : (long) ((sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0);
  }

  @Override
  public Long lastStepBefore(String name, long wanted) {
    Long[] found = new Long[1];
    PointWindow before = new PointWindow(null, null, true, null, wanted);
    for (MetricSeries series : named(name)) {
      each(
          entry(series.series()),
          before,
          (point, at) -> found[0] = found[0] == null ? at : (Long) Math.max(found[0], at));
    }
    return found[0];
  }

  private long place(ChartGrid grid, int point, Long at) {
    return grid.place(grid.bySteps() ? at : time.get(point));
  }

  /** What the points of a series at one place have in common. */
  private static final class Gauge {
    final At at;
    double sum;
    double last = Double.NaN;
    int count;
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    boolean ended;

    Gauge(At at) {
      this.at = at;
    }
  }

  @Override
  public void gauges(
      String name, PointWindow window, ChartGroups groups, ChartGrid grid, GaugeTaker taker) {
    for (int g = 0; g < groups.groups().size(); g++) {
      int group = g;
      Map<Long, List<Gauge>> byPlace = new TreeMap<>();
      for (MetricSeries series : groups.groups().get(g).series()) {
        Map<Long, Gauge> own = new HashMap<>();
        each(
            entry(series.series()),
            window,
            (point, at) -> {
              long place = place(grid, point, at);
              Gauge gauge =
                  own.computeIfAbsent(place, p -> new Gauge(new At(group, series.series(), place)));
              gauge.ended |= is(point, STALE);
              double v = value(point);
              if (Double.isFinite(v)) {
                gauge.sum += v;
                gauge.count++;
                gauge.last = v;
                gauge.min = Math.min(gauge.min, v);
                gauge.max = Math.max(gauge.max, v);
              }
            });
        own.forEach(
            (place, gauge) -> byPlace.computeIfAbsent(place, p -> new ArrayList<>()).add(gauge));
      }
      for (List<Gauge> gauges : byPlace.values()) {
        for (Gauge one : gauges) {
          double mean = one.count == 0 ? Double.NaN : one.sum / one.count;
          taker.take(one.at, grid.bySteps() ? one.last : mean, one.min, one.max, one.ended);
        }
      }
    }
  }

  /** Where a counter stood at the end of a place, after one of its starts. */
  private record Stood(At at, long startNs, long timeNs, double last, double most) {}

  @Override
  public void counters(
      String name, PointWindow window, ChartGroups groups, ChartGrid grid, CounterTaker taker) {
    eachSeries(
        groups,
        (group, series) -> {
          Map<List<Long>, Stood> places = new LinkedHashMap<>();
          Map<Long, Double> grown = new LinkedHashMap<>();
          each(
              entry(series),
              window,
              (point, at) -> {
                double v = value(point);
                if (!Double.isFinite(v)) {
                  return;
                }
                long place = place(grid, point, at);
                if (is(point, INCREMENT)) {
                  grown.merge(place, v, Double::sum);
                  return;
                }
                Stood now =
                    new Stood(
                        new At(group, series, place), start.get(point), time.get(point), v, v);
                places.merge(
                    List.of(now.startNs(), place),
                    now,
                    (a, b) ->
                        new Stood(a.at, a.startNs, b.timeNs, b.last, Math.max(a.most, b.most)));
              });
          grown.forEach((place, sum) -> taker.grew(new At(group, series, place), sum));
          places.values().stream()
              .sorted(Comparator.comparingLong(Stood::timeNs))
              .forEach(s -> taker.stood(s.at, s.startNs, s.timeNs, s.last, s.most));
        });
  }

  /** Takes the series of groups. */
  @FunctionalInterface
  private interface SeriesTaker {
    void take(int group, long series);
  }

  private static void eachSeries(ChartGroups groups, SeriesTaker taker) {
    for (int g = 0; g < groups.groups().size(); g++) {
      for (MetricSeries series : groups.groups().get(g).series()) {
        taker.take(g, series.series());
      }
    }
  }

  @Override
  public void histograms(
      String name, PointWindow window, ChartGroups groups, ChartGrid grid, HistogramTaker taker) {
    eachSeries(
        groups,
        (group, series) -> {
          Map<List<Long>, Integer> last = new LinkedHashMap<>();
          Map<Integer, Long> places = new HashMap<>();
          each(
              entry(series),
              window,
              (point, at) -> {
                if (state.get(point) != NONE && !is(point, INCREMENT)) {
                  long place = place(grid, point, at);
                  places.put(point, place);
                  Integer before = last.put(List.of(start.get(point), place), point);
                  places.remove(before == null ? NONE : before);
                }
              });
          last.values().stream()
              .sorted(Comparator.comparingLong(time::get))
              .forEach(
                  point ->
                      taker.take(
                          new At(group, series, places.get(point)),
                          start.get(point),
                          time.get(point),
                          histograms.get(state.get(point))));
        });
  }

  @Override
  public void increments(
      String name, PointWindow window, ChartGroups groups, ChartGrid grid, ObservedAt observed) {
    eachSeries(
        groups,
        (group, series) ->
            each(
                entry(series),
                window,
                (point, at) -> {
                  if (state.get(point) != NONE && is(point, INCREMENT)) {
                    long place = place(grid, point, at);
                    histograms.get(state.get(point)).addTo(observed.of(group, place));
                  }
                }));
  }
}
