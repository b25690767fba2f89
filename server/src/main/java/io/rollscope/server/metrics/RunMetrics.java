package io.rollscope.server.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.rollscope.store.hot.RunFigures;
import io.rollscope.store.hot.StageTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** What spans tell of runs. Runs and stages are bounded. */
public final class RunMetrics implements MultiCollector {
  /** How many runs are told of, the newest. */
  public static final int MOST_RUNS = 20;

  private static final int MOST_STAGES = 100;
  private static final List<Double> BOUNDS = bounds();

  private final Supplier<List<RunFigures>> figures;
  private final TailShares tails;

  /**
   * @param figures of at most {@link #MOST_RUNS} runs
   */
  public RunMetrics(Supplier<List<RunFigures>> figures, TailShares tails) {
    this.figures = figures;
    this.tails = tails;
  }

  private static List<Double> bounds() {
    List<Double> bounds = new ArrayList<>(StageTimes.BOUNDS_S);
    bounds.add(Double.POSITIVE_INFINITY);
    return bounds;
  }

  @Override
  public MetricSnapshots collect() {
    GaugeSnapshot.Builder sessions = gauge("sessions", "Sessions of a run by status.");
    GaugeSnapshot.Builder open = gauge("open_spans", "Spans open now, by stage.");
    GaugeSnapshot.Builder oldest =
        gauge("oldest_open_seconds", "Age of the oldest open span, by stage.");
    GaugeSnapshot.Builder batch =
        gauge("batch_duration_seconds", "Duration of the newest batch that has ended.");
    GaugeSnapshot.Builder tail =
        gauge("tail_share", "Share of that batch in which nine of ten sessions had ended.");
    CounterSnapshot.Builder dropped =
        CounterSnapshot.builder()
            .name("rollscope_run_dropped")
            .help("What processes of the run had to drop, and verdicts without a session.");
    HistogramSnapshot.Builder durations =
        HistogramSnapshot.builder()
            .name("rollscope_run_stage_duration_seconds")
            .help("Durations of closed spans by stage; after a restart from the last million.");
    for (RunFigures run : figures.get()) {
      Labels named = Labels.of("run", run.run());
      run.sessions()
          .forEach(
              (status, count) ->
                  point(sessions, named.add("status", word(status)), count.doubleValue()));
      run.open().entrySet().stream()
          .limit(MOST_STAGES)
          .forEach(
              e -> {
                Labels stage = named.add("stage", e.getKey());
                point(open, stage, (double) e.getValue().count());
                point(oldest, stage, e.getValue().oldestS());
              });
      run.durations()
          .forEach((stage, times) -> durations.dataPoint(histogram(named, stage, times)));
      if (run.batch() != null) {
        point(batch, named, run.batch().durationS());
        Double share = tails.of(run.run(), run.batch().batch());
        if (share != null) {
          point(tail, named, share);
        }
      }
      run.dropped()
          .forEach(
              (what, count) ->
                  dropped.dataPoint(
                      CounterDataPointSnapshot.builder()
                          .labels(named.add("what", what))
                          .value(count.doubleValue())
                          .build()));
    }
    return MetricSnapshots.of(
        sessions.build(),
        open.build(),
        oldest.build(),
        batch.build(),
        tail.build(),
        dropped.build(),
        durations.build());
  }

  private static String word(Enum<?> status) {
    return status.name().toLowerCase(Locale.ROOT);
  }

  private static GaugeSnapshot.Builder gauge(String name, String help) {
    return GaugeSnapshot.builder().name("rollscope_run_" + name).help(help);
  }

  private static void point(GaugeSnapshot.Builder gauge, Labels labels, double value) {
    gauge.dataPoint(GaugeDataPointSnapshot.builder().labels(labels).value(value).build());
  }

  private static HistogramDataPointSnapshot histogram(
      Labels run, String stage, RunFigures.Durations times) {
    List<Long> counts = new ArrayList<>();
    for (long count : times.counts()) {
      counts.add(count);
    }
    return HistogramDataPointSnapshot.builder()
        .labels(run.add("stage", stage))
        .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS, counts))
        .sum(times.sumS())
        .build();
  }
}
