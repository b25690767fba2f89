package io.rollscope.store;

import static io.rollscope.store.TestStore.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.rollscope.core.metric.AnnotationsReport;
import io.rollscope.core.metric.ChartQuestion;
import io.rollscope.core.metric.ChartQuestion.Aggregation;
import io.rollscope.core.metric.ChartReport;
import io.rollscope.core.metric.MetricsReport;
import io.rollscope.store.query.Reports;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Charts of metrics, from memory and from segments. */
class ChartTest {
  private static final double NONE = Double.NaN;
  private static final double T0 = Sender.T0 / 1e9;

  private final AtomicLong clock = new AtomicLong(Sender.at(1_000));
  @TempDir Path data;
  private TestStore store;
  private Reports reports;
  private long sent;

  @BeforeEach
  void open() throws Exception {
    store = TestStore.open(data, clock);
    reports = new Reports(store.store().snapshots(), "here");
  }

  @AfterEach
  void close() throws Exception {
    store.close();
  }

  private void send(int points, Points request) {
    store.sender().send(request);
    sent += points;
    await(() -> store.store().numbers().points() == sent);
    store.pass(2);
  }

  private static ChartQuestion ask(String name, Aggregation aggregation, String... by) {
    return question(name, false, null, null, aggregation, List.of(by), Map.of(), 100, false);
  }

  private static ChartQuestion steps(String name, Aggregation aggregation) {
    return question(name, true, null, null, aggregation, List.of(), Map.of(), 100, false);
  }

  private static ChartQuestion question(
      String name,
      boolean steps,
      Double from,
      Double to,
      Aggregation aggregation,
      List<String> by,
      Map<String, List<String>> where,
      int points,
      boolean rate) {
    return new ChartQuestion(
        List.of(name),
        steps,
        from == null ? null : (Long) Sender.at(from),
        to == null ? null : (Long) Sender.at(to),
        null,
        null,
        aggregation,
        by,
        where,
        points,
        null,
        rate);
  }

  /** Two replicas, every ten seconds, a little apart. */
  private void twoReplicas() {
    for (int i = 0; i < 6; i++) {
      send(1, Points.of("r", "p1").gauge("g", 100 + 10 * i, i, "replica", "a", "model", "m"));
      send(1, Points.of("r", "p2").gauge("g", 103 + 10 * i, 10 + i, "replica", "b", "model", "m"));
    }
  }

  @Test
  void gaugesAreLinesByLabel() throws Exception {
    twoReplicas();
    ChartReport chart = reports.chart("r", ask("g", Aggregation.NONE));
    assertThat(chart.axis()).isEqualTo("time");
    assertThat(chart.bucketS()).isEqualTo(10);
    assertThat(chart.x()).containsExactly(x(100), x(110), x(120), x(130), x(140), x(150));
    assertThat(chart.series()).hasSize(2);
    ChartReport.Line a = chart.series().get(0);
    assertThat(a.labels())
        .containsEntry("replica", "a")
        .containsEntry("model", "m")
        .containsEntry("instance", "p1");
    assertThat(a.y()).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(chart.series().get(1).y()).containsExactly(10, 11, 12, 13, 14, 15);
    store.passUntil(11, () -> store.store().numbers().segments() > 0);
    store.pass(2);
    assertThat(reports.chart("r", ask("g", Aggregation.NONE)).series().get(0).y())
        .as("sealed")
        .containsExactly(0, 1, 2, 3, 4, 5);
  }

  private static double x(double seconds) {
    return T0 + seconds;
  }

  @Test
  void seriesAreAggregatedOverLabels() throws Exception {
    twoReplicas();
    assertThat(reports.chart("r", ask("g", Aggregation.MEAN)).series().get(0).y())
        .containsExactly(5, 6, 7, 8, 9, 10);
    assertThat(reports.chart("r", ask("g", Aggregation.MAX)).series().get(0).y())
        .containsExactly(10, 11, 12, 13, 14, 15);
    assertThat(reports.chart("r", ask("g", Aggregation.P90)).series().get(0).y()[0])
        .isCloseTo(9, within(1e-9));
    ChartReport mean = reports.chart("r", ask("g", Aggregation.MEAN, "replica"));
    assertThat(mean.series())
        .extracting(ChartReport.Line::labels)
        .containsExactly(Map.of("replica", "a"), Map.of("replica", "b"));
    ChartReport sum = reports.chart("r", ask("g", Aggregation.SUM));
    assertThat(sum.bucketS()).as("wide enough for a point of each").isEqualTo(20);
    assertThat(sum.series().get(0).y()).containsExactly(11, 15, 19);
    ChartReport one =
        reports.chart(
            "r",
            question(
                "g",
                false,
                null,
                null,
                Aggregation.MEAN,
                List.of(),
                Map.of("replica", List.of("b")),
                100,
                false));
    assertThat(one.series().get(0).y()[0]).isEqualTo(10);
    assertThat(mean.series().get(0).min()).containsExactly(0, 1, 2, 3, 4, 5);
  }

  /** One is measured every ten seconds, the other once a minute. */
  @Test
  void aLineWithFewPointsIsWholeBesideOneWithMany() throws Exception {
    for (int i = 0; i <= 12; i++) {
      send(1, Points.of("r", "p1").gauge("often", 100 + 10 * i, i));
    }
    for (int i = 0; i <= 2; i++) {
      send(1, Points.of("r", "p1").gauge("rarely", 100 + 60 * i, 6 * i));
    }
    ChartQuestion both =
        new ChartQuestion(
            List.of("often", "rarely"),
            false,
            null,
            null,
            null,
            null,
            Aggregation.NONE,
            List.of(),
            Map.of(),
            100,
            null,
            false);
    ChartReport chart = reports.chart("r", both);
    assertThat(chart.series().get(1).y()).containsExactly(chart.series().get(0).y()).hasSize(13);
  }

  @Test
  void aWindowIsDrawnCoarserWhenItIsLong() throws Exception {
    twoReplicas();
    ChartReport chart =
        reports.chart(
            "r",
            question(
                "g",
                false,
                100.0,
                160.0,
                Aggregation.MEAN,
                List.of(),
                Map.of("replica", List.of("a")),
                3,
                false));
    assertThat(chart.x()).containsExactly(x(100), x(120), x(140));
    assertThat(chart.series().get(0).y()).containsExactly(0.5, 2.5, 4.5);
    assertThat(chart.series().get(0).min()).containsExactly(0, 2, 4);
    assertThat(chart.series().get(0).max()).containsExactly(1, 3, 5);
  }

  /** A worker dies and comes back. */
  @Test
  void aLineBreaksWhereItsSeriesEnded() throws Exception {
    for (int i = 0; i < 4; i++) {
      send(1, Points.of("r", "p1").gauge("g", 100 + 10 * i, i));
    }
    send(1, Points.of("r", "p1").stale("g", 140));
    for (int i = 6; i < 9; i++) {
      send(1, Points.of("r", "p1").gauge("g", 100 + 10 * i, i));
    }
    assertThat(reports.chart("r", ask("g", Aggregation.NONE)).series().get(0).y())
        .containsExactly(0, 1, 2, 3, NONE, 6, 7, 8);
  }

  /** A worker starts again without anybody telling, and another with a start time. */
  @Test
  void countersGrowAlsoThroughRestarts() throws Exception {
    double[] values = {10, 20, 30, 5, 15, 25};
    for (int i = 0; i < values.length; i++) {
      send(1, Points.of("r", "p1").counter("c", 5, 100 + 10 * i, values[i]));
    }
    ChartReport grown = reports.chart("r", ask("c", Aggregation.NONE));
    assertThat(grown.x()).containsExactly(x(110), x(120), x(130), x(140), x(150));
    assertThat(grown.series().get(0).y()).containsExactly(10, 10, 5, 10, 10);
    ChartReport rate =
        reports.chart(
            "r",
            question("c", false, null, null, Aggregation.NONE, List.of(), Map.of(), 100, true));
    assertThat(rate.series().get(0).y()).containsExactly(1, 1, 0.5, 1, 1);
    for (int i = 0; i < 3; i++) {
      send(1, Points.of("r", "p1").counter("d", 50, 100 + 10 * i, 40 + 10 * i));
    }
    for (int i = 0; i < 3; i++) {
      send(1, Points.of("r", "p1").counter("d", 125, 130 + 10 * i, 70 + 10 * i));
    }
    assertThat(reports.chart("r", ask("d", Aggregation.NONE)).series().get(0).y())
        .as("70 after a start is all new")
        .containsExactly(10, 10, 70, 10, 10);
  }

  /** Scrapes are never exactly on time, and the newest stretch of time is not over yet. */
  @Test
  void ratesAreNeitherBentByIrregularPointsNorHalfAtTheEnd() throws Exception {
    for (int at : new int[] {100, 112, 119, 131, 139, 152, 161}) {
      send(1, Points.of("r", "p1").counter("c", 5, at, 4.0 * at));
    }
    for (Aggregation aggregation : List.of(Aggregation.NONE, Aggregation.SUM)) {
      ChartReport rate =
          reports.chart(
              "r", question("c", false, null, null, aggregation, List.of(), Map.of(), 100, true));
      assertThat(rate.series().get(0).y()).isNotEmpty().containsOnly(4.0);
    }
  }

  @Test
  void aChartThatBeginsInTheMiddleKnowsWhereCountersStood() throws Exception {
    for (int i = 0; i < 6; i++) {
      send(1, Points.of("r", "p1").counter("c", 5, 100 + 10 * i, 100 + 7 * i));
    }
    ChartReport chart =
        reports.chart(
            "r",
            question("c", false, 130.0, 160.0, Aggregation.NONE, List.of(), Map.of(), 100, false));
    assertThat(chart.series().get(0).y()).containsExactly(7, 7, 7);
  }

  @Test
  void incrementsAreAddedUp() throws Exception {
    for (int i = 0; i < 4; i++) {
      send(1, Points.of("r", "p1").delta("c", 100 + 10 * i, 110 + 10 * i, 3));
      send(1, Points.of("r", "p2").delta("c", 100 + 10 * i, 111 + 10 * i, 4));
    }
    assertThat(reports.chart("r", ask("c", Aggregation.SUM)).series().get(0).y()).contains(14.0);
    assertThat(
            java.util.Arrays.stream(
                    reports.chart("r", ask("c", Aggregation.SUM)).series().get(0).y())
                .sum())
        .isEqualTo(28);
  }

  @Test
  void stepsAreAnAxis() throws Exception {
    for (int step = 1; step <= 3; step++) {
      for (int i = 0; i < 3; i++) {
        int at = 100 * step + 10 * i;
        String label = String.valueOf(step);
        send(
            2,
            Points.of("r", "p1")
                .gauge("g", at, 10 * step + i, "rl.train_step", label)
                .counter("c", 5, at, at, "rl.train_step", label));
      }
    }
    send(1, Points.of("r", "p1").gauge("g", 999, 7));
    ChartReport gauge = reports.chart("r", steps("g", Aggregation.NONE));
    assertThat(gauge.axis()).isEqualTo("step");
    assertThat(gauge.x()).containsExactly(1, 2, 3);
    assertThat(gauge.series().get(0).y())
        .as("what the step ended with")
        .containsExactly(12, 22, 32);
    assertThat(gauge.series().get(0).min()).containsExactly(10, 20, 30);
    assertThat(reports.chart("r", steps("c", Aggregation.NONE)).series().get(0).y())
        .as("what was added since the step before")
        .containsExactly(120, 100, 100);
    ChartQuestion two =
        new ChartQuestion(
            List.of("c"),
            true,
            null,
            null,
            2L,
            2L,
            Aggregation.NONE,
            List.of(),
            Map.of(),
            100,
            null,
            false);
    assertThat(reports.chart("r", two).x()).containsExactly(2);
    assertThat(reports.chart("r", two).series().get(0).y()).containsExactly(100);
  }

  /** Bounds are 1, 2 and 5. */
  @Test
  void histogramsGivePercentilesOfWhatWasNew() throws Exception {
    send(1, Points.of("r", "p1").histogram("h", false, 5, 100, 1_000, 500, 500, 0, 0));
    send(1, Points.of("r", "p1").histogram("h", false, 5, 110, 1_030, 500, 500, 10, 0));
    send(1, Points.of("r", "p1").histogram("h", false, 5, 120, 1_040, 510, 500, 10, 0));
    send(1, Points.of("r", "p1").histogram("h", false, 125, 130, 4, 0, 4, 0, 0));
    double[] p50 = reports.chart("r", ask("h", Aggregation.P50)).series().get(0).y();
    assertThat(p50).containsExactly(new double[] {3.5, 0.5, 1.5}, within(1e-9));
    double[] mean = reports.chart("r", ask("h", Aggregation.MEAN)).series().get(0).y();
    assertThat(mean).containsExactly(new double[] {3, 1, 1}, within(1e-9));
    ChartReport heat = reports.chart("r", ask("h", Aggregation.HEATMAP));
    assertThat(heat.heatmap().bounds()).containsExactly(1, 2, 5);
    assertThat(heat.heatmap().counts())
        .containsExactly(new double[] {0, 0, 10}, new double[] {10, 0, 0}, new double[] {0, 4, 0});
    assertThat(heat.x()).containsExactly(x(110), x(120), x(130));
  }

  @Test
  void incrementsOfHistogramsAreAddedUp() throws Exception {
    for (int i = 0; i < 3; i++) {
      send(1, Points.of("r", "p1").histogram("h", true, 100 + 10 * i, 110 + 10 * i, 6, 0, 4, 0, 0));
      send(
          1, Points.of("r", "p2").histogram("h", true, 100 + 10 * i, 110 + 10 * i, 16, 0, 0, 4, 0));
    }
    ChartReport chart = reports.chart("r", ask("h", Aggregation.MAX));
    assertThat(chart.series().get(0).y()).containsExactly(5, 5, 5);
    assertThat(reports.chart("r", ask("h", Aggregation.P50)).series().get(0).y())
        .containsExactly(2, 2, 2);
    assertThat(reports.chart("r", ask("h", Aggregation.MEAN)).series().get(0).y())
        .containsExactly(2.75, 2.75, 2.75);
  }

  /** Scale 1 has buckets of √2; the SDK has widened them to scale 0 in between. */
  @Test
  void exponentialHistogramsAreComparedAcrossScales() throws Exception {
    send(1, Points.of("r", "p1").exponential("e", 5, 100, 10, 1, 0, 3, 2, 1));
    send(1, Points.of("r", "p1").exponential("e", 5, 110, 40, 0, 0, 5, 1, 10));
    ChartReport chart = reports.chart("r", ask("e", Aggregation.HEATMAP));
    // 4 to 8: without the 4 it would look like 0 to 8.
    assertThat(chart.heatmap().bounds()).containsExactly(4, 8);
    assertThat(chart.heatmap().counts()).containsExactly(new double[] {0, 10});
    assertThat(reports.chart("r", ask("e", Aggregation.P50)).series().get(0).y())
        .containsExactly(6);
  }

  @Test
  void metricsAreListed() throws Exception {
    twoReplicas();
    send(1, Points.of("r", "p1").counter("c", 5, 100, 3, "rl.train_step", "7"));
    send(1, Points.of("other", "p1").gauge("x", 100, 1));
    MetricsReport listed = reports.metrics("r");
    assertThat(listed.metrics())
        .containsExactly(
            new MetricsReport.Metric(
                "c",
                "sum",
                null,
                true,
                "cumulative",
                1,
                1,
                Map.of(),
                T0 + 100,
                T0 + 100,
                3.0,
                3.0,
                3.0,
                3.0,
                7L,
                true,
                "sent"),
            new MetricsReport.Metric(
                "g",
                "gauge",
                null,
                false,
                null,
                2,
                12,
                Map.of(
                    "replica",
                    List.of("a", "b"),
                    "model",
                    List.of("m"),
                    "instance",
                    List.of("p1", "p2")),
                T0 + 100,
                T0 + 153,
                0.0,
                0.0,
                15.0,
                15.0,
                null,
                false,
                "none"));
    store.passUntil(11, () -> store.store().numbers().segments() > 0);
    send(1, Points.of("r", "p1").gauge("g", 900, 99, "replica", "a", "model", "m"));
    assertThat(reports.metrics("r").metrics().get(1).lastValue()).isEqualTo(99);
    assertThat(reports.metrics("r").metrics().get(1).series()).isEqualTo(2);
    for (int i = 0; i < 2; i++) { // Asked twice, counted once.
      assertThat(reports.metrics("r").metrics().get(1).points()).isEqualTo(13);
    }
  }

  @Test
  void anUnknownMetricIsSaid() {
    assertThatThrownBy(() -> reports.chart("r", ask("nope", Aggregation.MEAN)))
        .hasMessageContaining("name: nope (expected: a metric");
  }

  @Test
  void aHeatmapIsOfHistograms() {
    send(1, Points.of("r", "p1").gauge("g", 100, 1));
    assertThatThrownBy(() -> reports.chart("r", ask("g", Aggregation.HEATMAP)))
        .hasMessageContaining("agg: heatmap of g, a gauge (expected: a histogram)");
  }

  @Test
  void batchesAndWeightSyncsAreAnnotations() throws Exception {
    Sender sender = store.sender().begin("r", "p1");
    sender
        .span(1, 1, 0, "rollout", 100, 130)
        .attribute("rl.kind", "session")
        .attribute("rl.session.id", "s-1")
        .attribute("rl.train_step", 4);
    sender
        .span(2, 1, 0, "rollout", 110, -1)
        .attribute("rl.kind", "session")
        .attribute("rl.session.id", "s-2")
        .attribute("rl.train_step", 5);
    for (int i = 0; i < 3; i++) {
      sender
          .span(10 + i, 1, 0, "sync_weights", 131 + i, 140 + i)
          .attribute("rl.kind", "state")
          .attribute("rl.lane", "engine-" + i);
    }
    sender
        .span(20, 1, 0, "sync_weights", 200, -1)
        .attribute("rl.kind", "state")
        .attribute("rl.lane", "engine-0");
    sender
        .span(21, 1, 0, "train", 150, 160)
        .attribute("rl.kind", "state")
        .attribute("rl.lane", "trainer");
    sender.send();
    await(() -> store.store().numbers().openSpans() == 2);
    store.pass(2);
    AnnotationsReport report = reports.annotations("r", null, null);
    assertThat(report.batches())
        .extracting(b -> b.trainStep() + "|" + (b.startS() - T0) + "|" + b.open())
        .containsExactly("4|100.0|false", "5|110.0|true");
    assertThat(report.weightSyncs())
        .extracting(
            s ->
                s.stage()
                    + "|"
                    + (s.startS() - T0)
                    + "|"
                    + (s.endS() == null ? null : s.endS() - T0)
                    + "|"
                    + s.count())
        .containsExactly("sync_weights|131.0|142.0|3", "sync_weights|200.0|null|1");
    assertThat(reports.annotations("r", Sender.at(150), Sender.at(190)).weightSyncs()).isEmpty();
  }
}
