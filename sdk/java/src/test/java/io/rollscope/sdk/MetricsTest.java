package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Names, kinds and labels that do not fit, and too many of them. */
class MetricsTest {
  private final Quick quick = new Quick();

  private long dropped() {
    return MemoryTransport.number(
        quick.transport.logs("rollscope.process.end").get(0), "rollscope.dropped.metrics");
  }

  private List<String> names() {
    return quick.transport.metrics().stream().map(Metric::getName).distinct().toList();
  }

  @Test
  void conflictsAreToldOnceAndCounted() {
    try (Rollscope rs = quick.builder().build()) {
      rs.phase("so that there is a last word").close();
      rs.counter("tokens").add(1);
      rs.gauge("tokens").set(2);
      rs.gauge("tokens").set(3);
      rs.counter("calls").with("tool", "a").add(1);
      rs.counter("calls").add(1);
      rs.counter("calls").with("judge", "b").add(1);
      rs.counter("down").add(-1);
      rs.counter("down").add(Double.NaN);
      rs.histogram("length").record(Double.POSITIVE_INFINITY);
      rs.gauge("").set(1);
      rs.gauge(null).set(1);
    }
    assertThat(names()).containsExactlyInAnyOrder("tokens", "calls");
    assertThat(dropped()).isEqualTo(9);
    assertThat(quick.warnings)
        .containsExactly(
            "rollscope: gauge tokens: is a counter already; not sent",
            "rollscope: counter calls: labels [] (expected: [tool], as at first); not sent",
            "rollscope: counter down: -1.0 (expected: 0 or more); not sent",
            "rollscope: histogram length: Infinity (expected: a finite number); not sent",
            "rollscope: gauge:  (expected: a name of 1 to 255 characters); not sent");
  }

  @Test
  void seriesBeyondTheLimitAreDroppedAndTheLabelIsNamed() {
    try (Rollscope rs = quick.builder().build()) {
      for (int i = 0; i < 2_010; i++) {
        rs.counter("calls").with("sample", i).with("tool", i % 3).add(1);
      }
    }
    assertThat(dropped()).isEqualTo(10);
    assertThat(quick.warnings)
        .containsExactly(
            "rollscope: counter calls: more than 2000 series; further ones are not sent (label"
                + " sample has 2000 values)");
    long points =
        quick.transport.metrics().stream().mapToLong(m -> m.getSum().getDataPointsCount()).sum();
    assertThat(points).isEqualTo(2_000);
  }

  @Test
  void labelsAreOneSeriesInWhateverOrder() {
    try (Rollscope rs = quick.builder().build()) {
      rs.counter("calls").with("a", "1").with("b", "2").add(1);
      rs.counter("calls").with("b", "2").with("a", "1").add(1);
    }
    Metric calls = quick.transport.metrics().get(0);
    assertThat(calls.getSum().getDataPointsList()).hasSize(1);
    assertThat(calls.getSum().getDataPoints(0).getAsDouble()).isEqualTo(2);
  }

  @Test
  void bucketsCanBeChosenAndTheFirstStay() {
    try (Rollscope rs = quick.builder().buckets(1, 10).build()) {
      rs.histogram("usual").record(10);
      rs.histogram("own", new double[] {5}).record(5);
      rs.histogram("own", new double[] {7}).record(6);
    }
    HistogramDataPoint usual = point("usual");
    assertThat(usual.getExplicitBoundsList()).containsExactly(1.0, 10.0);
    assertThat(usual.getBucketCountsList()).containsExactly(0L, 1L, 0L);
    assertThat(point("own").getBucketCountsList()).containsExactly(1L, 1L);
    assertThat(quick.warnings)
        .containsExactly(
            "rollscope: histogram own: has other buckets already; values go into those");
  }

  private HistogramDataPoint point(String name) {
    return quick.transport.metrics().stream()
        .filter(m -> m.getName().equals(name))
        .reduce((a, b) -> b)
        .orElseThrow()
        .getHistogram()
        .getDataPoints(0);
  }
}
