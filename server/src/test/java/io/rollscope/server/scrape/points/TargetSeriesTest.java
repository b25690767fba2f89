package io.rollscope.server.scrape.points;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.otlp.RequestDecoder;
import io.rollscope.otlp.Signal;
import io.rollscope.otlp.record.MetricPoint;
import io.rollscope.server.scrape.Expositions;
import io.rollscope.server.scrape.text.Family;
import io.rollscope.server.scrape.text.Labels;
import io.rollscope.store.Incoming;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From expositions to points, over several scrapes. */
class TargetSeriesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long T0 = 1_794_725_900 * SECOND;
  private static final long CREATED = 1_794_725_807_500_000_000L;

  private final Remarks remarks = new Remarks();
  private TargetSeries series = new TargetSeries("vllm", "gpu1:8000", Labels.NONE);

  private List<MetricPoint> up(int atS, List<Family> families) throws Exception {
    return decoded(series.up(at(atS), families, remarks));
  }

  private List<MetricPoint> up(int atS, String... lines) throws Exception {
    return up(atS, Expositions.text(lines));
  }

  private static TargetSeries.Scrape at(int seconds) {
    return new TargetSeries.Scrape("default-run", T0 + seconds * SECOND, 0.25);
  }

  private static List<MetricPoint> decoded(byte[] request) throws Exception {
    return RequestDecoder.decode(Signal.METRICS, request, Incoming.HEAD, T0).points();
  }

  private static MetricPoint named(List<MetricPoint> points, String name) {
    List<MetricPoint> found = points.stream().filter(p -> p.name().equals(name)).toList();
    assertThat(found).as(name).hasSize(1);
    return found.get(0);
  }

  private static Map<String, String> labels(MetricPoint point) {
    Map<String, String> labels = new TreeMap<>();
    point.attributes().forEach(labels::put);
    return labels;
  }

  private static boolean isStale(MetricPoint point) {
    return point.value() == null && point.count() == null;
  }

  @ParameterizedTest
  @ValueSource(strings = {"vllm.txt", "vllm.openmetrics"})
  void engineMetricsAreTheSameFromBothFormats(String file) throws Exception {
    List<MetricPoint> points = up(0, Expositions.families(file));

    MetricPoint running = named(points, "vllm:num_requests_running");
    assertThat(running.kind()).isEqualTo("gauge");
    assertThat(running.value()).isEqualTo(17);
    assertThat(running.run()).isEqualTo("default-run");
    assertThat(running.origin().service()).isEqualTo("vllm");
    assertThat(running.origin().instance()).isEqualTo("gpu1:8000");
    assertThat(running.timeNs()).isEqualTo(T0);
    MetricPoint tokens = named(points, "vllm:generation_tokens_total");
    assertThat(tokens.kind()).isEqualTo("sum");
    assertThat(tokens.monotonic()).isTrue();
    assertThat(tokens.temporality()).isEqualTo("cumulative");
    assertThat(tokens.startNs()).isEqualTo(CREATED);
    MetricPoint latency = named(points, "vllm:e2e_request_latency_seconds");
    assertThat(latency.bounds()).containsExactly(0.3, 1, 5, 30);
    assertThat(latency.counts()).containsExactly(1, 2, 1, 1, 1);
    assertThat(latency.count()).isEqualTo(6);
    assertThat(latency.sum()).isEqualTo(125.5);
    assertThat(latency.startNs()).isEqualTo(CREATED);
    assertThat(named(points, "vllm:iteration_tokens_total").startNs()).isEqualTo(CREATED);
    assertThat(points).noneMatch(p -> p.name().endsWith("_created"));
    assertThat(remarks.text()).isNull();
  }

  @Test
  void summariesStatesAndNotANumberAreKept() throws Exception {
    List<MetricPoint> points = up(0, Expositions.families("sglang.openmetrics"));

    MetricPoint queue = named(points, "sglang:queue_time_seconds");
    assertThat(queue.kind()).isEqualTo("summary");
    assertThat(queue.count()).isEqualTo(1);
    assertThat(queue.sum()).isEqualTo(1.5);
    assertThat(named(points, "sglang:cache_hit_rate").value()).isNaN();
    assertThat(points.stream().filter(p -> p.name().equals("sglang:scheduler_state")))
        .extracting(MetricPoint::value)
        .containsExactlyInAnyOrder(0.0, 1.0);
  }

  @Test
  void quantilesOfSummariesAreKept() throws Exception {
    MetricPoint gc =
        named(
            up(
                0,
                "# TYPE gc summary",
                "gc{quantile=\"0.5\"} 0.25",
                "gc{quantile=\"1\"} 4",
                "gc_sum 10",
                "gc_count 7"),
            "gc");

    assertThat(gc.bounds()).containsExactly(0.5, 1);
    assertThat(gc.values()).containsExactly(0.25, 4);
  }

  /** RL-Insight's hub: the identity on each metric, and the step as a gauge among them. */
  @Test
  void identityOfSeriesIsTheirRunAndTheStepIsOnAll() throws Exception {
    List<MetricPoint> points = up(0, Expositions.families("hub.txt"));

    MetricPoint reward = named(points, "rl_insight_monitor_reward_mean");
    assertThat(reward.run()).isEqualTo("verl/demo");
    assertThat(reward.trainStep()).isEqualTo(42);
    assertThat(points).allMatch(p -> p.trainStep() == 42);
    assertThat(named(points, "awkward").run()).isEqualTo("default-run");
    assertThat(named(points, "up").run()).isEqualTo("default-run");
  }

  @Test
  void everyScrapeTellsOfItself() throws Exception {
    List<MetricPoint> points = up(0, "a 1", "b{x=\"1\"} 2", "b{x=\"2\"} 3");

    assertThat(named(points, "up").value()).isEqualTo(1);
    assertThat(named(points, "scrape_duration_seconds").value()).isEqualTo(0.25);
    assertThat(named(points, "scrape_samples_scraped").value()).isEqualTo(3);
    assertThat(decoded(series.down(at(15))).stream().filter(p -> p.name().equals("up")))
        .extracting(MetricPoint::value)
        .containsExactly(0.0);
  }

  /** An engine is restarted between two scrapes. */
  @Test
  void counterThatFellCountsFromTheScrapeBefore() throws Exception {
    String[] type = {"# TYPE c counter"};
    assertThat(named(up(0, type[0], "c 5"), "c").startNs()).isZero();
    assertThat(named(up(15, type[0], "c 7"), "c").startNs()).isZero();
    assertThat(named(up(30, type[0], "c 3"), "c").startNs()).isEqualTo(T0 + 15 * SECOND);
    assertThat(named(up(45, type[0], "c 9"), "c").startNs()).isEqualTo(T0 + 15 * SECOND);
  }

  @Test
  void histogramThatFellCountsFromTheScrapeBefore() throws Exception {
    String type = "# TYPE h histogram";
    up(0, type, "h_bucket{le=\"1\"} 2", "h_bucket{le=\"+Inf\"} 4");

    MetricPoint after = named(up(15, type, "h_bucket{le=\"1\"} 1", "h_bucket{le=\"+Inf\"} 3"), "h");

    assertThat(after.startNs()).isEqualTo(T0);
    assertThat(after.counts()).containsExactly(1, 2);
  }

  @Test
  void seriesThatIsNotThereAnyMoreIsSaidToBeGoneOnce() throws Exception {
    up(0, "a 1", "b 2");

    MetricPoint gone = named(up(15, "a 1"), "b");
    assertThat(isStale(gone)).isTrue();
    assertThat(gone.timeNs()).isEqualTo(T0 + 15 * SECOND);
    assertThat(up(30, "a 1")).noneMatch(p -> p.name().equals("b"));
  }

  @Test
  void everythingOfATargetThatIsDownIsGoneOnce() throws Exception {
    up(0, "# TYPE h histogram", "h_bucket{le=\"+Inf\"} 4", "a 1");

    List<MetricPoint> down = decoded(series.down(at(15)));
    assertThat(isStale(named(down, "a"))).isTrue();
    assertThat(isStale(named(down, "h"))).isTrue();
    assertThat(named(down, "h").kind()).isEqualTo("histogram");
    assertThat(decoded(series.down(at(30)))).hasSize(3);
    assertThat(named(decoded(series.end(at(45))), "up").value()).isNull();
  }

  @Test
  void labelsOfTheTargetWinAndTheOthersAreRenamed() throws Exception {
    series =
        new TargetSeries(
            "j", "h:1", Labels.of(Map.of("replica", "3", "project", "p", "experiment_name", "e")));

    MetricPoint point =
        named(up(0, "a{replica=\"0\",project=\"p\",exported_replica=\"x\"} 1"), "a");

    assertThat(labels(point))
        .isEqualTo(
            Map.of(
                "replica", "3",
                "exported_replica", "x",
                "exported_exported_replica", "0",
                "project", "p",
                "experiment_name", "e"));
    assertThat(point.run()).isEqualTo("p/e");
  }

  @Test
  void whatCannotBeUsedIsSaidAndTheRestIsKept() throws Exception {
    List<MetricPoint> points =
        up(
            0,
            "a 1",
            "a 2",
            "b{__name__=\"x\"} 1",
            "# TYPE h histogram",
            "h_bucket{le=\"1\"} 5",
            "h_bucket{le=\"+Inf\"} 4");

    assertThat(named(points, "a").value()).isEqualTo(1);
    assertThat(points).hasSize(4);
    assertThat(remarks.text())
        .isEqualTo(
            "h: a histogram with buckets that do not grow (left out);"
                + " a: twice with the same labels (the first is kept);"
                + " b: a label that begins with __ (left out)");
  }

  @Test
  void timesOfSamplesAreTheirsAndSuchSeriesAreNotSaidToBeGone() throws Exception {
    assertThat(named(up(0, "a 1 1794725800000"), "a").timeNs())
        .isEqualTo(1_794_725_800_000_000_000L);
    assertThat(up(15, "b 1")).noneMatch(p -> p.name().equals("a"));
  }
}
