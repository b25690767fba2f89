package io.rollscope.server.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.rollscope.server.tail.TailNumbers;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** What following folders tells about itself; one label value per folder. */
public final class TailMetrics implements MultiCollector {
  private final Supplier<List<TailNumbers>> numbers;

  public TailMetrics(Supplier<List<TailNumbers>> numbers) {
    this.numbers = numbers;
  }

  @Override
  public MetricSnapshots collect() {
    List<TailNumbers> now = numbers.get();
    return MetricSnapshots.of(
        gauge("tail_lag_bytes", "Bytes of files not yet durable.", now, TailNumbers::lagBytes),
        gauge(
            "tail_lag_seconds",
            "Seconds since everything read was durable.",
            now,
            TailNumbers::lagSeconds),
        gauge("tail_files", "Files followed.", now, TailNumbers::files),
        gauge(
            "tail_failing",
            "1 while a folder cannot be followed.",
            now,
            n -> n.lastError() == null ? 0 : 1),
        counter("tail_read_bytes", "Bytes read.", now, TailNumbers::bytesRead),
        counter("tail_spans", "Spans told, open and closed.", now, TailNumbers::spans),
        counter("tail_retries", "Requests the store put off.", now, TailNumbers::retries),
        counter("tail_retold_spans", "Spans told with another end.", now, TailNumbers::retold),
        counter("tail_skipped_lines", "Lines not understood.", now, TailNumbers::skippedLines));
  }

  private static GaugeSnapshot gauge(
      String name, String help, List<TailNumbers> now, ToDoubleFunction<TailNumbers> value) {
    GaugeSnapshot.Builder metric = GaugeSnapshot.builder().name("rollscope_" + name).help(help);
    for (TailNumbers folder : now) {
      metric.dataPoint(
          GaugeDataPointSnapshot.builder()
              .labels(labels(folder))
              .value(value.applyAsDouble(folder))
              .build());
    }
    return metric.build();
  }

  private static CounterSnapshot counter(
      String name, String help, List<TailNumbers> now, ToDoubleFunction<TailNumbers> value) {
    CounterSnapshot.Builder metric = CounterSnapshot.builder().name("rollscope_" + name).help(help);
    for (TailNumbers folder : now) {
      metric.dataPoint(
          CounterDataPointSnapshot.builder()
              .labels(labels(folder))
              .value(value.applyAsDouble(folder))
              .build());
    }
    return metric.build();
  }

  private static Labels labels(TailNumbers folder) {
    return Labels.of("folder", folder.folder().toString());
  }
}
