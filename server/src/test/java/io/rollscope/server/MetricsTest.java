package io.rollscope.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleGauge;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentSelector;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.View;
import io.opentelemetry.sdk.metrics.export.AggregationTemporalitySelector;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.resources.Resource;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Metrics of OpenTelemetry's SDK, through a real server to API and exposition. */
class MetricsTest {
  private static final AttributeKey<String> WORKER = AttributeKey.stringKey("worker");

  @TempDir Path data;
  private RealServer server;

  @BeforeEach
  void start() throws Exception {
    server = RealServer.start(data);
  }

  @AfterEach
  void close() throws Exception {
    server.close();
  }

  private SdkMeterProvider process(String instance, boolean delta) {
    OtlpHttpMetricExporter exporter =
        OtlpHttpMetricExporter.builder()
            .setEndpoint(server.collector.otlpHttp() + "/v1/metrics")
            .setAggregationTemporalitySelector(
                delta
                    ? AggregationTemporalitySelector.deltaPreferred()
                    : AggregationTemporalitySelector.alwaysCumulative())
            .build();
    return SdkMeterProvider.builder()
        .setResource(
            Resource.create(
                Attributes.builder()
                    .put("service.name", "trainer")
                    .put("service.instance.id", instance)
                    .put("rl.run.id", "gsm8k/1")
                    .build()))
        .registerView(
            InstrumentSelector.builder().setName("wide").build(),
            View.builder().setAggregation(Aggregation.base2ExponentialBucketHistogram()).build())
        .registerMetricReader(
            PeriodicMetricReader.builder(exporter).setInterval(Duration.ofHours(1)).build())
        .build();
  }

  private static void flush(SdkMeterProvider meters) {
    assertThat(meters.forceFlush().join(10, TimeUnit.SECONDS).isSuccess()).isTrue();
  }

  private void record(String instance, boolean delta, int times) {
    try (SdkMeterProvider meters = process(instance, delta)) {
      Meter meter = meters.get("test");
      LongCounter steps =
          meter.counterBuilder("train.steps").setDescription("Steps \"done\"\\.").build();
      DoubleHistogram latency =
          meter
              .histogramBuilder("latency")
              .setExplicitBucketBoundariesAdvice(java.util.List.of(0.5, 1.0))
              .build();
      DoubleHistogram wide = meter.histogramBuilder("wide").build();
      DoubleGauge reward = meter.gaugeBuilder("reward").build();
      for (int i = 0; i < times; i++) {
        steps.add(2, Attributes.of(WORKER, "w\"0\n"));
        latency.record(0.2 + i);
        wide.record(3);
        reward.set(i, Attributes.of(WORKER, "w0", AttributeKey.longKey("rl.train_step"), 7L));
        flush(meters);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatTheSdkCountsIsExposed(boolean delta) throws Exception {
    record("p1", delta, 3);
    record("p2", delta, 1);
    Waiting.until(
        () -> server.metric("ns_train_steps_total{run=\"gsm8k/1\",worker=\"w\\\"0\\n\"}") == 8);
    String text = server.text("/metrics");
    assertThat(text)
        .contains("# HELP ns_train_steps_total Steps \"done\"\\\\.\n")
        .contains("# TYPE ns_train_steps_total counter\n")
        .contains("# TYPE ns_latency histogram\n")
        .contains("ns_latency_bucket{run=\"gsm8k/1\",le=\"0.5\"} 2\n")
        .contains("ns_latency_bucket{run=\"gsm8k/1\",le=\"1.0\"} 2\n")
        .contains("ns_latency_bucket{run=\"gsm8k/1\",le=\"+Inf\"} 4\n")
        .contains("ns_latency_count{run=\"gsm8k/1\"} 4\n")
        .contains("ns_wide_bucket{run=\"gsm8k/1\",le=\"2.5\"} 0\n")
        .contains("ns_wide_bucket{run=\"gsm8k/1\",le=\"5.0\"} 4\n")
        .contains("ns_reward{run=\"gsm8k/1\",worker=\"w0\"} 0.0\n");
    HttpResponse<String> open =
        server.get("/metrics", "application/openmetrics-text; version=1.0.0");
    assertThat(open.headers().firstValue("content-type").orElse(""))
        .startsWith("application/openmetrics-text");
    assertThat(open.body())
        .contains("# TYPE ns_train_steps counter\n")
        .contains("ns_train_steps_total{run=\"gsm8k/1\"")
        .endsWith("# EOF\n")
        .containsOnlyOnce("# EOF");
  }

  @Test
  void whatTheSdkSendsIsListedAndDrawn() throws Exception {
    record("p1", false, 3);
    Waiting.until(() -> listed("reward").path("last_value").doubleValue() == 2);
    JsonNode reward = listed("reward");
    assertThat(reward.path("kind").textValue()).isEqualTo("gauge");
    assertThat(reward.path("has_step").booleanValue()).isTrue();
    assertThat(reward.path("step_source").textValue()).isEqualTo("sent");
    assertThat(reward.path("labels").path("worker").get(0).textValue()).isEqualTo("w0");
    JsonNode chart =
        server.json("runs/gsm8k%2F1/metrics/data?name=reward&axis=step&where=worker:w0");
    assertThat(chart.path("x").toString()).isEqualTo("[7.0]");
    assertThat(chart.path("series").get(0).path("y").toString()).isEqualTo("[2.0]");
    JsonNode percentiles =
        server.json("runs/gsm8k%2F1/metrics/data?name=latency&name=wide&agg=p50");
    assertThat(percentiles.path("series")).hasSize(2);
    // From before the process began: what it had counted by its first report counts too.
    long from = Instant.now().getEpochSecond() - 600;
    JsonNode heat =
        server.json("runs/gsm8k%2F1/metrics/data?name=latency&agg=heatmap&from_s=" + from);
    assertThat(heat.path("heatmap").path("bounds").get(0).doubleValue()).isEqualTo(0.5);
    assertThat(server.json("runs/gsm8k%2F1/annotations").path("batches")).isEmpty();
  }

  private JsonNode listed(String name) throws Exception {
    for (JsonNode metric : server.json("runs/gsm8k%2F1/metrics").path("metrics")) {
      if (metric.path("name").textValue().equals(name)) {
        return metric;
      }
    }
    return MissingNode.getInstance();
  }

  @Test
  void aWrongQuestionIsTold() throws Exception {
    record("p1", false, 1);
    Waiting.until(() -> !listed("reward").isMissingNode());
    String[] wrong = {
      "metrics/data | name: 0 of them (expected: 1 to 20)",
      "metrics/data?name=nope | name: nope (expected: a metric that runs/{run}/metrics lists)",
      "metrics/data?name=reward&axis=x | axis: x (expected: time or step)",
      "metrics/data?name=reward&agg=p42 | agg: p42 (expected: none, mean, min, max, sum, p50, p90, p95, p99 or heatmap)",
      "metrics/data?name=reward&points=1 | points: 1 (expected: 2 to 2000)",
      "metrics/data?name=reward&where=x | where: x (expected: label:value)",
      "metrics/data?name=reward&from_step=x | from_step: x (expected: a whole number)",
      "metrics/data?name=reward&from_s=5&to_s=4 | to_s: 4 (expected: later than from_s)",
      "metrics/data?name=reward&agg=heatmap | agg: heatmap of reward, a gauge (expected: a histogram)",
      "metrics/data?name=reward&step=3 | parameter: step (expected: name, axis, from_s, to_s, from_step, to_step, agg, by, where, points, bucket_s, as)",
      "annotations?from_s=now | from_s: now (expected: seconds since the epoch)"
    };
    for (String one : wrong) {
      String[] parts = one.split(" \\| ");
      HttpResponse<String> response = server.get("/api/v1/runs/gsm8k%2F1/" + parts[0], "*/*");
      assertThat(response.statusCode()).as(one).isEqualTo(400);
      assertThat(response.body()).contains(parts[1]);
    }
  }

  @Test
  void spansTellOfRuns() throws Exception {
    server.post("/v1/traces", RealServer.spans(1, 10));
    Waiting.until(
        () ->
            server.metric(
                    "rollscope_run_stage_duration_seconds_count{run=\"r\",stage=\"generate\"}")
                == 10);
    assertThat(server.metric("rollscope_run_sessions{run=\"r\",status=\"completed\"}"))
        .isEqualTo(1);
    assertThat(server.metric("rollscope_run_dropped_total{run=\"r\",what=\"spans\"}")).isZero();
    assertThat(
            server.metric(
                "rollscope_run_stage_duration_seconds_bucket{run=\"r\",stage=\"generate\",le=\"1.0\"}"))
        .isZero();
  }
}
