package io.rollscope.otlp;

import static io.rollscope.otlp.Otlp.NOW;
import static io.rollscope.otlp.Otlp.attribute;
import static io.rollscope.otlp.Otlp.resource;
import static io.rollscope.otlp.Otlp.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.opentelemetry.proto.metrics.v1.Summary;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.rollscope.otlp.record.MetricPoint;
import io.rollscope.otlp.record.Request;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetricDecodingTest {
  private static final long SERIES = -3036469276195312871L;

  @Test
  void aGaugeIsANumberWithItsStep() throws BadRequestException {
    MetricPoint p =
        decodeOne(
            metric()
                .setUnit("tok/s")
                .setGauge(
                    Gauge.newBuilder()
                        .addDataPoints(
                            number()
                                .setAsDouble(2.5)
                                .addAttributes(attribute("replica", 3))
                                .addAttributes(attribute("rl.train_step", 17)))));

    assertThat(p.name()).isEqualTo("m");
    assertThat(p.unit()).isEqualTo("tok/s");
    assertThat(p.kind()).isEqualTo("gauge");
    assertThat(p.temporality()).isNull();
    assertThat(p.monotonic()).isNull();
    assertThat(p.timeNs()).isEqualTo(NOW);
    assertThat(p.startNs()).isZero();
    assertThat(p.value()).isEqualTo(2.5);
    assertThat(p.count()).isNull();
    assertThat(p.bounds()).isNull();
    assertThat(p.counts()).isNull();
    assertThat(p.trainStep()).isEqualTo(17);
    assertThat(p.run()).isEqualTo("r1");
    assertThat(p.origin().service()).isEqualTo("vllm");
    assertThat(texts(p.attributes()))
        .containsExactly(entry("replica", "3"), entry("rl.train_step", "17"));
  }

  @Test
  void aSumKnowsHowItIsAggregated() throws BadRequestException {
    MetricPoint p =
        decodeOne(
            metric()
                .setSum(
                    Sum.newBuilder()
                        .setAggregationTemporality(
                            AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE)
                        .setIsMonotonic(true)
                        .addDataPoints(number().setAsInt(-7).setStartTimeUnixNano(NOW - 5))));

    assertThat(p.kind()).isEqualTo("sum");
    assertThat(p.temporality()).isEqualTo("cumulative");
    assertThat(p.monotonic()).isTrue();
    assertThat(p.value()).isEqualTo(-7);
    assertThat(p.startNs()).isEqualTo(NOW - 5);
    assertThat(p.unit()).isNull();
  }

  @Test
  void aHistogramHasBucketsAndTotals() throws BadRequestException {
    MetricPoint p =
        decodeOne(
            metric()
                .setHistogram(
                    Histogram.newBuilder()
                        .setAggregationTemporality(
                            AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA)
                        .addDataPoints(
                            histogram(List.of(1L, 0L, 4L), List.of(0.5, 2.0))
                                .setCount(5)
                                .setSum(9.5)
                                .setMin(0.1)
                                .setMax(4))));

    assertThat(p.kind()).isEqualTo("histogram");
    assertThat(p.temporality()).isEqualTo("delta");
    assertThat(p.counts()).containsExactly(1, 0, 4);
    assertThat(p.bounds()).containsExactly(0.5, 2);
    assertThat(p.count()).isEqualTo(5);
    assertThat(p.sum()).isEqualTo(9.5);
    assertThat(p.min()).isEqualTo(0.1);
    assertThat(p.max()).isEqualTo(4);
    assertThat(p.value()).isNull();
  }

  @Test
  void whatAHistogramDoesNotSayStaysUnknown() throws BadRequestException {
    MetricPoint p =
        decodeOne(
            metric()
                .setHistogram(
                    Histogram.newBuilder()
                        .addDataPoints(histogram(List.of(), List.of()).setCount(5))));

    assertThat(p.sum()).isNull();
    assertThat(p.min()).isNull();
    assertThat(p.max()).isNull();
    assertThat(p.counts()).isEmpty();
  }

  @Test
  void anExponentialHistogramHasTwoRanges() throws BadRequestException {
    MetricPoint p =
        decodeOne(
            metric()
                .setExponentialHistogram(
                    ExponentialHistogram.newBuilder()
                        .addDataPoints(
                            ExponentialHistogramDataPoint.newBuilder()
                                .setTimeUnixNano(NOW)
                                .setCount(9)
                                .setSum(-3)
                                .setScale(-2)
                                .setZeroCount(1)
                                .setZeroThreshold(0.25)
                                .setMin(-8)
                                .setMax(8)
                                .addAttributes(attribute("a", "b"))
                                .setPositive(
                                    ExponentialHistogramDataPoint.Buckets.newBuilder()
                                        .setOffset(-3)
                                        .addAllBucketCounts(List.of(1L, 300L)))
                                .setNegative(
                                    ExponentialHistogramDataPoint.Buckets.newBuilder()
                                        .setOffset(4)
                                        .addBucketCounts(6)))));

    assertThat(p.kind()).isEqualTo("exponential_histogram");
    assertThat(p.count()).isEqualTo(9);
    assertThat(p.sum()).isEqualTo(-3);
    assertThat(p.min()).isEqualTo(-8);
    assertThat(p.max()).isEqualTo(8);
    assertThat(p.counts()).containsExactly(1, 300);
    assertThat(p.bounds()).isNull();
    assertThat(p.exponential().scale()).isEqualTo(-2);
    assertThat(p.exponential().zeroCount()).isEqualTo(1);
    assertThat(p.exponential().zeroThreshold()).isEqualTo(0.25);
    assertThat(p.exponential().offset()).isEqualTo(-3);
    assertThat(p.exponential().negativeOffset()).isEqualTo(4);
    assertThat(p.exponential().negativeCounts()).containsExactly(6);
    assertThat(texts(p.attributes())).containsExactly(entry("a", "b"));
  }

  @Test
  void aSummaryHasQuantiles() throws BadRequestException {
    MetricPoint p =
        decodeOne(
            metric()
                .setSummary(
                    Summary.newBuilder()
                        .addDataPoints(
                            SummaryDataPoint.newBuilder()
                                .setTimeUnixNano(NOW)
                                .setCount(4)
                                .setSum(10)
                                .addQuantileValues(quantile(0.5, 2))
                                .addQuantileValues(quantile(0.99, 5)))));

    assertThat(p.kind()).isEqualTo("summary");
    assertThat(p.bounds()).containsExactly(0.5, 0.99);
    assertThat(p.values()).containsExactly(2, 5);
    assertThat(p.count()).isEqualTo(4);
    assertThat(p.sum()).isEqualTo(10);
    assertThat(p.counts()).isNull();
  }

  /** Prometheus staleness, as the collector passes it on. */
  @Test
  void aPointWithoutRecordedValueHasNone() throws BadRequestException {
    MetricPoint p =
        decodeOne(
            metric()
                .setGauge(Gauge.newBuilder().addDataPoints(number().setAsDouble(0).setFlags(1))));

    assertThat(p.value()).isNull();
    assertThat(p.stale()).isTrue();
    assertThat(p.help()).isEqualTo("of something");
  }

  /** The hash is in files: it must never change. */
  @Test
  void aSeriesHasItsHashForEver() throws BadRequestException {
    MetricPoint p =
        decodeOne(
            metric()
                .setGauge(
                    Gauge.newBuilder()
                        .addDataPoints(
                            number()
                                .addAttributes(attribute("replica", 3))
                                .addAttributes(attribute("rl.train_step", 17))
                                .addAttributes(attribute("model", "m")))));
    MetricPoint q =
        decodeOne(
            metric()
                .setGauge(
                    Gauge.newBuilder()
                        .addDataPoints(
                            number()
                                .addAttributes(attribute("model", "m"))
                                .addAttributes(attribute("replica", 3)))));

    assertThat(p.series()).isEqualTo(q.series()).isEqualTo(SERIES);
    assertThat(p.labelSet()).isEqualTo(q.labelSet());
  }

  @Test
  void whatIsWrongWithAPointIsNamed() throws BadRequestException {
    requireRefused(
        metric().setName("").setGauge(Gauge.newBuilder().addDataPoints(number())),
        "name: none (expected: a metric's name)");
    requireRefused(
        metric().setGauge(Gauge.newBuilder().addDataPoints(number().setTimeUnixNano(0))),
        "time: 0 (expected: nanoseconds since 1970)");
    requireRefused(
        metric().setGauge(Gauge.newBuilder().addDataPoints(number().setTimeUnixNano(-1))),
        "time: in the future (expected: at most a day ahead of the collector's clock)");
    requireRefused(
        metric()
            .setHistogram(
                Histogram.newBuilder().addDataPoints(histogram(List.of(1L), List.of(0.5)))),
        "histogram: bucket counts and bounds do not fit (expected: one count more than bounds)");
    requireRefused(
        metric()
            .setHistogram(
                Histogram.newBuilder()
                    .addDataPoints(
                        histogram(
                            Collections.nCopies(4_098, 0L), Collections.nCopies(4_097, 0.0)))),
        "histogram: too many buckets (expected: at most 4096)");
  }

  private static Metric.Builder metric() {
    return Metric.newBuilder().setName("m").setDescription("of something");
  }

  private static NumberDataPoint.Builder number() {
    return NumberDataPoint.newBuilder().setTimeUnixNano(NOW);
  }

  private static HistogramDataPoint.Builder histogram(List<Long> counts, List<Double> bounds) {
    return HistogramDataPoint.newBuilder()
        .setTimeUnixNano(NOW)
        .addAllBucketCounts(counts)
        .addAllExplicitBounds(bounds);
  }

  private static SummaryDataPoint.ValueAtQuantile quantile(double at, double value) {
    return SummaryDataPoint.ValueAtQuantile.newBuilder().setQuantile(at).setValue(value).build();
  }

  private static MetricPoint decodeOne(Metric.Builder metric) throws BadRequestException {
    Request request = decode(metric);
    assertThat(request.rejected()).isEmpty();
    assertThat(request.points()).hasSize(1);
    return request.points().get(0);
  }

  private static void requireRefused(Metric.Builder metric, String reason)
      throws BadRequestException {
    assertThat(decode(metric).rejected()).containsExactly(entry(reason, 1L));
  }

  private static Request decode(Metric.Builder metric) throws BadRequestException {
    byte[] bytes =
        Otlp.metrics(
                resource(attribute("service.name", "vllm"), attribute("rl.run.id", "r1")),
                metric.build())
            .toByteArray();
    return RequestDecoder.decode(Signal.METRICS, bytes, 0, NOW);
  }
}
