package io.rollscope.core.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollscope.core.metric.ChartQuestion.Aggregation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Points in memory: as a folder's lines bring them, in any order and some of them twice. */
class PointTableTest {
  private static final long T0 = 1_750_000_000_000_000_000L;
  private static final long SECOND = 1_000_000_000L;

  private final PointTable table = new PointTable();

  private int series(String name, String kind, boolean monotonic, String worker) {
    long number = (name + worker).hashCode();
    int known = table.find(number);
    return known >= 0
        ? known
        : table.add(
            new MetricSeries.Identity(
                name,
                number,
                kind,
                null,
                kind.equals("gauge") ? null : "cumulative",
                monotonic,
                new TreeMap<>(Map.of("worker", worker)),
                Map.of()));
  }

  private void gauge(String worker, int second, double value, Long step) {
    table.add(
        series("g", "gauge", false, worker),
        new PointTable.Point(0, T0 + second * SECOND, value, null, step, false, false, false));
  }

  private void counter(int start, int second, double value) {
    table.add(
        series("c", "sum", true, "a"),
        new PointTable.Point(
            T0 + start * SECOND, T0 + second * SECOND, value, null, null, false, false, false));
  }

  private ChartReport chart(String name, boolean steps, Aggregation how) {
    return table.chart(ChartQuestion.of(List.of(name), steps, how, false), "here", "r");
  }

  @Test
  void pointsInAnyOrderAndTwiceAreThoseInOrder() {
    for (int second : new int[] {30, 10, 20, 10, 30, 0}) {
      gauge("a", second, second / 10.0, null);
    }
    assertThat(chart("g", false, Aggregation.NONE).series().get(0).y()).containsExactly(0, 1, 2, 3);
    MetricsReport.Metric listed = table.metrics("here", "r").metrics().get(0);
    assertThat(listed.points()).isEqualTo(4);
    assertThat(listed.firstValue()).isEqualTo(0);
    assertThat(listed.lastValue()).isEqualTo(3);
  }

  @Test
  void aStepOfAGaugeIsItsLastValue() {
    gauge("a", 10, 1, 1L);
    gauge("a", 20, 5, 1L);
    gauge("b", 15, 3, 1L);
    gauge("a", 30, Double.NaN, 2L);
    ChartReport mean = chart("g", true, Aggregation.MEAN);
    assertThat(mean.x()).containsExactly(1);
    assertThat(mean.series().get(0).y()).containsExactly(4);
    assertThat(mean.series().get(0).min()).containsExactly(1);
    assertThat(mean.series().get(0).max()).containsExactly(5);
    MetricsReport.Metric listed = table.metrics("here", "r").metrics().get(0);
    assertThat(listed.lastStep()).isEqualTo(2);
    assertThat(listed.lastValue()).as("NaN is no value").isEqualTo(5);
  }

  @Test
  void pointsWithoutAStepBelongToTheBatchThatWasOn() {
    gauge("a", 10, 1, null);
    gauge("a", 20, 2, null);
    table.steps(timeNs -> timeNs < T0 + 15 * SECOND ? null : (Long) 7L);
    assertThat(chart("g", true, Aggregation.NONE).x()).containsExactly(7);
    assertThat(table.metrics("here", "r").metrics().get(0).stepSource()).isEqualTo("batch");
  }

  @Test
  void aCounterThatBeginsAgainGrowsFromZero() {
    for (int i = 0; i < 3; i++) {
      counter(0, 10 + 10 * i, 10 * (i + 1));
    }
    counter(35, 40, 4);
    counter(35, 50, 9);
    assertThat(chart("c", false, Aggregation.NONE).series().get(0).y())
        .containsExactly(10, 10, 4, 5);
  }

  @Test
  void labelSetsHaveALimitAndWhatIsBeyondIsCounted() {
    int refused = 0;
    for (int i = 0; i < PointTable.MOST_LABEL_SETS + 5; i++) {
      if (table.admits("g", i)) {
        gauge("w" + i, 10, i, null);
      } else {
        table.problem("g", PointProblem.CARDINALITY, "too many");
        refused++;
      }
    }
    assertThat(refused).isEqualTo(5);
    MetricsReport report = table.metrics("here", "r");
    assertThat(report.metrics().get(0).series()).isEqualTo(PointTable.MOST_LABEL_SETS);
    assertThat(report.problems())
        .containsExactly(new MetricsReport.Problem("g", "cardinality", "too many", 5));
    ChartReport chart = chart("g", false, Aggregation.NONE);
    assertThat(chart.series()).hasSize(200);
    assertThat(chart.leftOut()).isEqualTo(PointTable.MOST_LABEL_SETS - 200L);
  }

  @Test
  void histogramsAreKeptAsTheyCame() {
    HistogramState state =
        new HistogramState(
            7, 12.5, new double[] {1, 2}, new double[] {3, 4, 0}, 0, 0, 0, 0, 0, new double[0]);
    HistogramState wide =
        new HistogramState(3, -2, null, new double[] {1}, 4, 1, 0.5, -3, 2, new double[] {0, 1});
    HistogramColumns columns = new HistogramColumns();
    int one = columns.add(state);
    int other = columns.add(wide);
    assertThat(columns.get(one)).usingRecursiveComparison().isEqualTo(state);
    assertThat(columns.get(other)).usingRecursiveComparison().isEqualTo(wide);
    assertThat(columns.compare(one, columns.add(state))).isZero();
    assertThat(columns.compare(one, other)).isNotZero();
  }

  @Test
  void aMillionPointsTakeLessThanAHundredBytesEach() {
    int points = 1_000_000;
    for (int i = 0; i < points; i++) {
      gauge("w" + i % 4, i, i, null);
    }
    assertThat(table.metrics("here", "r").metrics().get(0).points()).isEqualTo(points);
    assertThat(table.bytes()).isLessThan(100L * points);
    assertThat(chart("g", false, Aggregation.MEAN).x().length).isLessThanOrEqualTo(501);
  }

  @Test
  void anUnknownMetricIsRefused() {
    assertThatThrownBy(() -> chart("nope", true, Aggregation.MEAN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name: nope (expected: a metric");
  }
}
