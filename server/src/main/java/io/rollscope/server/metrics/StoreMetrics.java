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
import io.rollscope.store.StoreNumbers;
import io.rollscope.store.journal.Damage;
import io.rollscope.store.journal.JournalNumbers;
import io.rollscope.store.journal.LatencyHistogram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What the store knows about itself, read when Prometheus asks. */
public final class StoreMetrics implements MultiCollector {
  private static final int MAX_REASONS = 50;

  private final Supplier<StoreNumbers> numbers;

  public StoreMetrics(Supplier<StoreNumbers> numbers) {
    this.numbers = numbers;
  }

  @Override
  public MetricSnapshots collect() {
    StoreNumbers now = numbers.get();
    MetricSnapshots.Builder all = MetricSnapshots.builder();
    received(now, all);
    memory(now, all);
    segments(now, all);
    journal(now.journal(), all);
    recovery(now, all);
    return all.build();
  }

  private static void received(StoreNumbers now, MetricSnapshots.Builder all) {
    counter(all, "spans", "Spans received that have ended.", now.spans());
    counter(all, "span_starts", "Records received that say a span began.", now.starts());
    counter(all, "verdicts", "Verdicts on sessions received.", now.verdicts());
    counter(all, "beats", "Signs of life received.", now.beats());
    counter(all, "metric_points", "Metric points received.", now.points());
    counter(all, "duplicate_spans", "Spans received that were known.", now.duplicates());
    counter(all, "duplicate_points", "Points received that were known.", now.duplicatePoints());
    counter(
        all,
        "repaired_spans",
        "Spans that ended before they began, kept with zero length.",
        now.repaired());
    counter(
        all,
        "cut_events",
        "Events and links of spans left out of segments: more than 64 kB of them.",
        now.cutEvents());
    labelled(
        all,
        "refused_items",
        "Items well formed but not taken by the store, by reason.",
        "reason",
        bounded(now.refused()));
    labelled(
        all,
        "metric_problems",
        "Metric points with something wrong, kept or not; runs/{run}/metrics tells which.",
        "problem",
        now.metricProblems());
  }

  private static void labelled(
      MetricSnapshots.Builder all,
      String name,
      String help,
      String label,
      Map<String, Long> values) {
    CounterSnapshot.Builder counter =
        CounterSnapshot.builder().name("rollscope_" + name).help(help);
    values.forEach(
        (value, count) ->
            counter.dataPoint(
                CounterDataPointSnapshot.builder()
                    .labels(Labels.of(label, value))
                    .value((double) count)
                    .build()));
    all.metricSnapshot(counter.build());
  }

  private static Map<String, Long> bounded(Map<String, Long> reasons) {
    return reasons.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .limit(MAX_REASONS)
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static void memory(StoreNumbers now, MetricSnapshots.Builder all) {
    gauge(all, "open_spans", "Spans open now.", now.openSpans());
    gauge(all, "hot_spans", "Spans in memory, open ones included.", now.hotSpans());
    gauge(all, "traces_in_memory", "Traces in memory.", now.traces());
    gauge(all, "sessions_in_memory", "Sessions in memory.", now.sessions());
    gauge(all, "processes", "Processes that sent signs of life.", now.processes());
    gauge(all, "lost_processes", "Processes silent for too long.", now.lostProcesses());
    gauge(all, "waiting_verdicts", "Verdicts without a session so far.", now.waitingVerdicts());
    gauge(all, "queued_requests", "Durable requests not yet visible.", now.queuedRequests());
  }

  private static void segments(StoreNumbers now, MetricSnapshots.Builder all) {
    gauge(all, "segments", "Parquet files.", now.segments());
    gauge(all, "segment_rows", "Rows in Parquet files.", now.segmentRows());
    gauge(all, "segment_bytes", "Bytes of Parquet files.", now.segmentBytes());
    gauge(all, "damaged_segments", "Damaged, and set aside.", now.damagedSegments());
    counter(all, "seals", "Segments written.", now.seals());
    counter(all, "seal_failures", "Attempts to write a segment that failed.", now.sealFailures());
  }

  private static void journal(JournalNumbers now, MetricSnapshots.Builder all) {
    counter(all, "journal_frames", "Frames made durable.", now.framesAppended());
    counter(all, "journal_written_bytes", "Bytes made durable.", now.bytesAppended());
    counter(all, "journal_refused_frames", "Frames refused: queue full.", now.framesRefused());
    counter(all, "journal_failures", "Failures of the disk.", now.failures());
    gauge(all, "journal_queue_frames", "Frames waiting for the disk.", now.framesInFlight());
    gauge(all, "journal_queue_bytes", "Bytes waiting for the disk.", now.bytesInFlight());
    gauge(all, "journal_files", "Journal files.", now.files());
    all.metricSnapshot(histogram(now.forces()));
  }

  private static HistogramSnapshot histogram(LatencyHistogram forces) {
    List<Double> bounds = new ArrayList<>(forces.upperBounds());
    bounds.add(Double.POSITIVE_INFINITY);
    return HistogramSnapshot.builder()
        .name("rollscope_fsync_seconds")
        .help("How long the journal's fsync took.")
        .dataPoint(
            HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, forces.counts()))
                .sum(forces.sumSeconds())
                .build())
        .build();
  }

  private static void recovery(StoreNumbers now, MetricSnapshots.Builder all) {
    gauge(all, "recovery_frames", "Frames read back at start.", now.recovery().frames());
    gauge(all, "recovery_cut_bytes", "Torn tail cut at start.", now.recovery().cutBytes());
    List<Damage> damages = now.recovery().damages();
    gauge(all, "recovery_damages", "Damaged parts passed over at start.", damages.size());
    gauge(
        all,
        "recovery_damaged_bytes",
        "Bytes of damaged parts passed over at start.",
        damages.stream().mapToLong(Damage::bytes).sum());
  }

  private static void counter(MetricSnapshots.Builder all, String name, String help, long value) {
    all.metricSnapshot(
        CounterSnapshot.builder()
            .name("rollscope_" + name)
            .help(help)
            .dataPoint(CounterDataPointSnapshot.builder().value((double) value).build())
            .build());
  }

  private static void gauge(MetricSnapshots.Builder all, String name, String help, long value) {
    all.metricSnapshot(
        GaugeSnapshot.builder()
            .name("rollscope_" + name)
            .help(help)
            .dataPoint(GaugeDataPointSnapshot.builder().value((double) value).build())
            .build());
  }
}
