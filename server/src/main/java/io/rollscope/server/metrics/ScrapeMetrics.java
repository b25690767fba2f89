package io.rollscope.server.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.rollscope.server.scrape.ScrapeNumbers;
import java.util.function.Supplier;

/** What scraping tells about itself. */
public final class ScrapeMetrics implements MultiCollector {
  private final Supplier<ScrapeNumbers> numbers;

  public ScrapeMetrics(Supplier<ScrapeNumbers> numbers) {
    this.numbers = numbers;
  }

  @Override
  public MetricSnapshots collect() {
    ScrapeNumbers now = numbers.get();
    GaugeSnapshot targets =
        GaugeSnapshot.builder()
            .name("rollscope_scrape_targets")
            .help("Targets, by how their last scrape went.")
            .dataPoint(state("up", now.up()))
            .dataPoint(state("down", now.down()))
            .dataPoint(state("new", now.waiting()))
            .build();
    GaugeSnapshot series =
        GaugeSnapshot.builder()
            .name("rollscope_scrape_series")
            .help("Series of all targets in their last scrapes.")
            .dataPoint(GaugeDataPointSnapshot.builder().value((double) now.series()).build())
            .build();
    return MetricSnapshots.of(
        targets,
        series,
        counter("scrapes", "Scrapes that ended.", now.scrapes()),
        counter("failed_scrapes", "Scrapes that failed.", now.failed()),
        counter("scraped_samples", "Samples scraped.", now.samples()),
        counter("lost_scrapes", "Scrapes that the store did not take.", now.lost()));
  }

  private static GaugeDataPointSnapshot state(String word, int count) {
    return GaugeDataPointSnapshot.builder().labels(Labels.of("state", word)).value(count).build();
  }

  private static CounterSnapshot counter(String name, String help, long value) {
    return CounterSnapshot.builder()
        .name("rollscope_" + name)
        .help(help)
        .dataPoint(CounterDataPointSnapshot.builder().value((double) value).build())
        .build();
  }
}
