package io.rollscope.server.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.rollscope.store.sql.SqlNumbers;
import java.util.function.Supplier;

/** How the processes for users' SQL fare, read when Prometheus asks. */
public final class SqlMetrics implements MultiCollector {
  private final Supplier<SqlNumbers> numbers;

  public SqlMetrics(Supplier<SqlNumbers> numbers) {
    this.numbers = numbers;
  }

  @Override
  public MetricSnapshots collect() {
    SqlNumbers now = numbers.get();
    CounterSnapshot.Builder kills =
        CounterSnapshot.builder()
            .name("rollscope_sql_process_kills")
            .help("Processes for SQL that were killed or crashed, by reason.");
    now.kills()
        .forEach(
            (reason, count) ->
                kills.dataPoint(
                    CounterDataPointSnapshot.builder()
                        .labels(Labels.of("reason", reason))
                        .value((double) count)
                        .build()));
    return MetricSnapshots.of(
        CounterSnapshot.builder()
            .name("rollscope_sql_process_starts")
            .help("Processes for SQL that were started.")
            .dataPoint(CounterDataPointSnapshot.builder().value((double) now.starts()).build())
            .build(),
        kills.build());
  }
}
