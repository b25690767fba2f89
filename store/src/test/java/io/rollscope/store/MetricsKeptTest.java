package io.rollscope.store;

import static io.rollscope.store.TestStore.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.rollscope.core.metric.MetricsReport;
import io.rollscope.core.view.RunSummary;
import io.rollscope.store.metric.Exposition;
import io.rollscope.store.testkit.OldSegments;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the store keeps of metrics: step, staleness, series, what is wrong, what is exposed. */
class MetricsKeptTest {
  private static final Exposition.Rules RULES = Exposition.Rules.of("ns");
  private static final String STEPS =
      "select name, train_step, step_source from metrics order by time_ns, name";

  private final AtomicLong clock = new AtomicLong(Sender.at(100));
  @TempDir Path data;
  @TempDir Path copy;

  private static void batch(TestStore store, long trace, double at, long step) {
    store
        .sender()
        .span(trace, 1, 0, "rollout", at, at + 8)
        .attribute("rl.kind", "session")
        .attribute("rl.session.id", "s-" + trace)
        .attribute("rl.train_step", step)
        .send();
  }

  private static void awaitPoints(TestStore store, long points) {
    await(() -> store.store().numbers().points() == points);
  }

  private static List<String> exposed(TestStore store) {
    return store.store().exposition(RULES).families().stream()
        .flatMap(
            f ->
                f.points().stream()
                    .map(p -> f.name() + "|" + f.type() + "|" + p.labels() + "|" + p.value()))
        .toList();
  }

  /** Engines and trainers that know nothing of steps. */
  @Test
  void aPointWithoutStepHasThatOfTheNewestBatchOfItsTime() throws Exception {
    List<String> expected =
        List.of("a|null|none", "b|4|batch", "c|5|batch", "d|99|sent", "e|7|scraped");
    try (TestStore store = TestStore.open(data, clock)) {
      batch(store, 1, 20, 4);
      batch(store, 2, 40, 5);
      store.sender().send(Points.of("run-1", "p1").gauge("a", 10, 1).gauge("b", 30, 1));
      store.sender().send(Points.of("run-1", "p1").gauge("c", 50, 1));
      store.sender().send(Points.of("run-1", "p1").gauge("d", 51, 1, "rl.train_step", "99"));
      store.sender().send(Points.scraped("run-1", "p1").gauge("e", 52, 1, "rl.train_step", "7"));
      awaitPoints(store, 5);
      assertThat(store.query(STEPS)).isEqualTo(expected);
      try (TestStore again = TestStore.open(store.killed(copy), clock)) {
        assertThat(again.query(STEPS)).as("read back").isEqualTo(expected);
      }
      store.sealAll();
      assertThat(store.query(STEPS)).as("sealed").isEqualTo(expected);
    }
  }

  /** The spans are in a segment, the points that follow are not, when the server is killed. */
  @Test
  void sealedBatchesTellTheStepAfterAKill() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      batch(store, 1, 20, 4);
      store.awaitSpans(1);
      store.sealAll();
      store.sender().send(Points.of("run-1", "p1").gauge("a", 130, 1));
      awaitPoints(store, 1);
      try (TestStore again = TestStore.open(store.killed(copy), clock)) {
        assertThat(again.query(STEPS)).containsExactly("a|4|batch");
      }
    }
  }

  @Test
  void aPointWithoutValueIsStale() throws Exception {
    String rows = "select value, stale, count, bounds from metrics order by time_ns";
    try (TestStore store = TestStore.open(data, clock)) {
      store.sender().send(Points.of("run-1", "p1").gauge("g", 50, 3).stale("g", 60));
      awaitPoints(store, 2);
      assertThat(store.query(rows)).containsExactly("3.0|false|null|null", "null|true|null|null");
      store.seal();
      assertThat(store.query(rows)).containsExactly("3.0|false|null|null", "null|true|null|null");
    }
  }

  /**
   * One process, one label set: one series, whatever the order of labels, the step and a restart.
   */
  @Test
  void aSeriesIsAMetricWithItsLabelsInAProcess() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      store.sender().send(Points.of("run-1", "p1").gauge("g", 50, 1, "a", "1", "b", "x"));
      store.sender().send(Points.of("run-1", "p1").gauge("g", 51, 2, "b", "x", "a", "1"));
      store
          .sender()
          .send(
              Points.of("run-1", "p1").gauge("g", 52, 3, "a", "1", "rl.train_step", "3", "b", "x"));
      store.sender().send(Points.of("run-1", "p2").gauge("g", 53, 4, "a", "1", "b", "x"));
      store.sender().send(Points.of("run-1", "p1").gauge("g", 54, 5, "a", "2", "b", "x"));
      store.sender().send(Points.of("run-1", "p1").gauge("h", 55, 6, "a", "1", "b", "x"));
      awaitPoints(store, 6);
      assertThat(
              store.query(
                  "select list(value order by value) from metrics group by series order by 1"))
          .containsExactly("[1.0, 2.0, 3.0]", "[4.0]", "[5.0]", "[6.0]");
    }
  }

  /** A data folder of an earlier version is opened, read and merged. */
  @Test
  void filesWithoutTheNewColumnsAreRead() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      store.sender().send(Points.of("run-1", "p1").gauge("g", 50, 1, "rl.train_step", "3"));
      awaitPoints(store, 1);
      store.seal();
    }
    OldSegments.withoutColumnsOfPoints(data);
    String rows =
        "select name, value, step_source, stale, series is not null from metrics order by time_ns";
    try (TestStore store = TestStore.open(data, clock)) {
      assertThat(store.query(rows)).containsExactly("g|1.0|sent|false|true");
      for (int i = 0; i < 9; i++) {
        store.sender().send(Points.of("run-1", "p1").gauge("h", 160 + 100 * i, i));
        awaitPoints(store, 1L + i);
        store.seal();
      }
      store.passUntil(60, () -> store.store().numbers().segments() < 5);
      assertThat(store.query(rows))
          .hasSize(10)
          .contains("g|1.0|sent|false|true", "h|8.0|none|false|true");
    }
  }

  /** A run of which only metrics are known. */
  @Test
  void metricsAloneMakeARun() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      store.sender().send(Points.of("only-metrics", "p1").gauge("g", 50, 1).gauge("g", 90, 2));
      awaitPoints(store, 2);
      assertThat(store.store().runs()).extracting(RunSummary::run).containsExactly("only-metrics");
      assertThat(store.store().runs().get(0).firstS()).isEqualTo(1_800_000_050.0);
      assertThat(store.store().runs().get(0).lastS()).isEqualTo(1_800_000_090.0);
      store.seal();
      assertThat(store.store().runs()).hasSize(1);
    }
    try (TestStore store = TestStore.open(data, clock)) {
      assertThat(store.store().runs()).extracting(RunSummary::run).containsExactly("only-metrics");
      store.store().deleteRun("only-metrics");
      assertThat(store.store().runs()).isEmpty();
      assertThat(store.query("select count(*) from metrics")).containsExactly("0");
      assertThat(exposed(store)).isEmpty();
    }
  }

  /** The engine goes on when the run that it worked for is over. */
  @Test
  void whatIsScrapedDoesNotKeepARunAlive() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      store.sender().span(1, 1, 0, "rollout", 20, 30).send();
      store.pass(600);
      store.sender().send(Points.scraped("run-1", "host:8000").gauge("g", 699, 1));
      store.sender().send(Points.scraped("engine", "host:8000").gauge("g", 699, 1));
      awaitPoints(store, 2);
      assertThat(store.store().runs())
          .extracting(r -> r.run() + "|" + r.state() + "|" + r.lastS())
          .containsExactly("engine|live|1.800000699E9", "run-1|finished|1.80000003E9");
    }
  }

  @Test
  void countersAddUpOverProcessesAndTheirLives() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      store.sender().send(Points.of("r", "p1").counter("steps", 10, 50, 5, "w", "a"));
      store.sender().send(Points.of("r", "p2").counter("steps", 20, 51, 7, "w", "a"));
      store.sender().send(Points.of("r", "p1").counter("steps", 55, 60, 2, "w", "a"));
      store.sender().send(Points.of("r", "p2").counter("steps", 20, 61, 9, "w", "a"));
      store.sender().send(Points.of("r", "p3").delta("steps", 60, 61, 4, "w", "a"));
      store.sender().send(Points.of("r", "p3").delta("steps", 61, 62, 1, "w", "a"));
      store.sender().send(Points.of("r", "p1").gauge("reward", 60, 0.5).gauge("reward", 61, 0.6));
      store.sender().send(Points.of("r", "p2").gauge("reward", 60.5, 0.4));
      awaitPoints(store, 9);
      assertThat(exposed(store))
          .containsExactly("ns_reward|gauge|{run=r}|0.6", "ns_steps|counter|{run=r, w=a}|21.0");
    }
  }

  /** What is exposed must not fall because the collector was restarted. */
  @Test
  void countersGoOnAfterARestart() throws Exception {
    Path killed;
    try (TestStore store = TestStore.open(data, clock)) {
      for (int i = 1; i <= 5; i++) {
        store.sender().send(Points.of("r", "p" + i).counter("steps", 10, 50 + i, 10));
        store.sender().send(Points.of("r", "p").histogram("h", true, 50, 50 + i, 3, 1, 1, 0, 0));
        awaitPoints(store, 2L * i);
        store.seal();
      }
      killed = store.killed(copy);
    }
    for (Path folder : List.of(data, killed)) {
      try (TestStore store = TestStore.open(folder, clock)) {
        store.sender().send(Points.of("r", "p1").counter("steps", 10, 400, 11));
        store.sender().send(Points.of("r", "p").histogram("h", true, 390, 400, 3, 1, 1, 0, 0));
        List<String> expected =
            List.of("ns_h|histogram|{run=r}|18.0", "ns_steps|counter|{run=r}|51.0");
        await(() -> exposed(store).equals(expected));
        var h = store.store().exposition(RULES).families().get(0).points().get(0);
        assertThat(h.buckets()).containsExactly(6, 6, 0, 0);
        assertThat(h.count()).isEqualTo(12);
      }
    }
  }

  /** A worker dies: what it last said is no longer so. */
  @Test
  void metricsOfTheDeadAreNotExposed() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      store.sender().send(Points.of("r", "p1").gauge("a", 50, 1).gauge("b", 50, 2));
      store.sender().send(Points.of("r", "p1").stale("b", 60));
      awaitPoints(store, 3);
      assertThat(exposed(store)).containsExactly("ns_a|gauge|{run=r}|1.0");
      store.pass(301);
      assertThat(exposed(store)).isEmpty();
    }
  }

  @Test
  void exponentialHistogramsHaveUsualBuckets() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      // Scale 0: buckets (1,2], (2,4], (4,8].
      store.sender().send(Points.of("r", "p1").exponential("e", 10, 50, 20, 0, 0, 3, 2, 1));
      awaitPoints(store, 1);
      var point = store.store().exposition(RULES).families().get(0).points().get(0);
      assertThat(point.count()).isEqualTo(6);
      long below = 0;
      for (int i = 0; i < point.bounds().length; i++) {
        below += point.buckets()[i];
        double bound = point.bounds()[i];
        assertThat(below)
            .as("le %s", bound)
            .isEqualTo(bound < 2 ? 0 : bound < 4 ? 3 : bound < 8 ? 5 : 6);
      }
    }
  }

  @Test
  void engineMetricsThatWereScrapedAreNotExposedOnceMore() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      store
          .sender()
          .send(
              Points.scraped("r", "host:9092")
                  .gauge("ns_reward", 50, 1, "project", "p", "experiment_name", "e"));
      store
          .sender()
          .send(Points.scraped("r", "host:8000").gauge("vllm:num_requests_running", 50, 2));
      awaitPoints(store, 2);
      assertThat(exposed(store))
          .containsExactly("ns_reward|gauge|{experiment_name=e, project=p}|1.0");
    }
  }

  // ---- what is wrong ---------------------------------------------------------------------------

  @Test
  void whatIsWrongIsCountedAndShown() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      Sender sender = store.sender();
      sender.send(Points.of("r", "p").gauge("kind", 50, 1).counter("kind", 10, 51, 2));
      sender.send(
          Points.of("r", "p").gauge("labels", 50, 1, "a", "x").gauge("labels", 50, 1, "b", "x"));
      sender.send(Points.of("r", "p").gauge("nan", 50, Double.NaN).gauge("größe (cm)", 50, 1));
      sender.send(
          Points.of("r", "p").gauge("order", 50, 1).gauge("order", 49, 1).gauge("order", 50, 2));
      sender.send(Points.of("r", "p").gauge("order", 50, 1));
      Receipt receipt =
          sender.send(Points.of("r", "p").delta("neg", 40, 50, -1).delta("neg", 50, 60, 2));
      assertThat(receipt.refused().values()).containsExactly(1L);
      awaitPoints(store, 12);
      assertThat(store.store().metricProblems("r"))
          .containsExactly(
              new MetricsReport.Problem(
                  "kind", "kind_conflict", "a monotonic sum, first a gauge", 1),
              new MetricsReport.Problem("labels", "label_conflict", "also with labels [b]", 1),
              new MetricsReport.Problem("nan", "not_a_number", "NaN", 1),
              new MetricsReport.Problem("größe (cm)", "invalid_name", "exposed as gr__e__cm_", 1),
              new MetricsReport.Problem("order", "out_of_order", "1000 ms before another one", 1),
              new MetricsReport.Problem("order", "same_time", null, 1),
              new MetricsReport.Problem("order", "duplicate", null, 1),
              new MetricsReport.Problem("neg", "negative_increment", "an increment of -1.0", 1));
      assertThat(store.store().numbers().metricProblems())
          .contains(entry("duplicate", 1L), entry("cardinality", 0L), entry("not_a_number", 1L));
      assertThat(store.query("select count(*) from metrics")).containsExactly("10");
    }
  }

  /** Somebody makes the session's id a label. */
  @Test
  void tooManyLabelSetsAreRefusedAndTheLabelIsNamed() throws Exception {
    try (TestStore store = TestStore.open(data, clock)) {
      Points many = Points.of("r", "p");
      for (int i = 0; i < 2_010; i++) {
        many.gauge("m", 50, 1, "session", "s-" + i, "role", i % 2 == 0 ? "a" : "b");
      }
      many.gauge("other", 50, 1);
      Receipt receipt = store.sender().send(many);
      assertThat(receipt.refused())
          .containsExactlyEntriesOf(
              Map.of(
                  "metric: too many label sets (expected: at most 2000 of a metric of a run)",
                  10L));
      awaitPoints(store, 2_011);
      assertThat(store.query("select name, count(*) from metrics group by 1 order by 1"))
          .containsExactly("m|2000", "other|1");
      assertThat(store.store().metricProblems("r"))
          .containsExactly(
              new MetricsReport.Problem("m", "cardinality", "label session has 2000 values", 10));
      try (TestStore again = TestStore.open(store.killed(copy), clock)) {
        assertThat(again.query("select count(*) from metrics")).containsExactly("2001");
      }
    }
  }
}
