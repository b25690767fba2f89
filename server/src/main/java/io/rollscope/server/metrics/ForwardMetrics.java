package io.rollscope.server.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.rollscope.server.forward.ForwardNumbers;
import java.util.List;
import java.util.function.Supplier;

/** How forwarding spans goes, by backend. */
public final class ForwardMetrics implements MultiCollector {
  private final Supplier<List<ForwardNumbers>> numbers;

  public ForwardMetrics(Supplier<List<ForwardNumbers>> numbers) {
    this.numbers = numbers;
  }

  @Override
  public MetricSnapshots collect() {
    CounterSnapshot.Builder spans = counter("spans", "Spans that the backend took.");
    CounterSnapshot.Builder dropped = counter("dropped_spans", "Spans it did not get, by reason.");
    CounterSnapshot.Builder retries = counter("retries", "Requests to be sent once more.");
    GaugeSnapshot.Builder queue = gauge("queue_bytes", "Bytes of spans that wait.");
    GaugeSnapshot.Builder failing = gauge("failing", "1 while the backend takes nothing.");
    for (ForwardNumbers now : numbers.get()) {
      Labels url = Labels.of("url", now.url());
      spans.dataPoint(point(url, now.spans()));
      now.dropped()
          .forEach((reason, count) -> dropped.dataPoint(point(url.add("reason", reason), count)));
      retries.dataPoint(point(url, now.retries()));
      queue.dataPoint(
          GaugeDataPointSnapshot.builder().labels(url).value((double) now.queuedBytes()).build());
      failing.dataPoint(
          GaugeDataPointSnapshot.builder()
              .labels(url)
              .value(now.failure() == null ? 0 : 1)
              .build());
    }
    return MetricSnapshots.of(
        spans.build(), dropped.build(), retries.build(), queue.build(), failing.build());
  }

  private static CounterSnapshot.Builder counter(String name, String help) {
    return CounterSnapshot.builder().name("rollscope_forward_" + name).help(help);
  }

  private static GaugeSnapshot.Builder gauge(String name, String help) {
    return GaugeSnapshot.builder().name("rollscope_forward_" + name).help(help);
  }

  private static CounterDataPointSnapshot point(Labels labels, long value) {
    return CounterDataPointSnapshot.builder().labels(labels).value((double) value).build();
  }
}
