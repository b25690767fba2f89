"""What the real OpenTelemetry SDK for Python sends, kept and charted."""
import urllib.parse

import pytest

pytest.importorskip("opentelemetry.exporter.otlp.proto.http.metric_exporter", reason="opentelemetry-exporter-otlp-proto-http not found")

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter  # noqa: E402
from opentelemetry.sdk.metrics import Counter, Histogram, MeterProvider  # noqa: E402
from opentelemetry.sdk.metrics.export import AggregationTemporality, PeriodicExportingMetricReader  # noqa: E402
from opentelemetry.sdk.metrics.view import ExponentialBucketHistogramAggregation, View  # noqa: E402
from opentelemetry.sdk.resources import Resource  # noqa: E402


def provider(server, run, temporality, views=()):
    preferred = {Counter: temporality, Histogram: temporality}
    exporter = OTLPMetricExporter(endpoint=server.otlp + "/v1/metrics", preferred_temporality=preferred)
    reader = PeriodicExportingMetricReader(exporter, export_interval_millis=3_600_000)
    return MeterProvider([reader], resource=Resource.create({"rl.run.id": run}), views=views)


def chart(server, run, name, **more):
    return server.get(f"runs/{urllib.parse.quote(run, safe='')}/metrics/data", name=name, axis="step", **more)


@pytest.mark.parametrize("temporality", [AggregationTemporality.CUMULATIVE, AggregationTemporality.DELTA], ids=["cumulative", "delta"])
def test_counters_gauges_and_histograms_by_step(server, temporality):
    run = f"otel-{temporality.name.lower()}"
    meters = provider(server, run, temporality)
    meter = meters.get_meter("trainer")
    tokens, reward, latency = meter.create_counter("tokens"), meter.create_gauge("reward"), meter.create_histogram("latency")
    for step in range(3):
        # The step is an attribute of the point, and no part of the series.
        at = {"worker": "w0", "rl.train_step": step}
        tokens.add(100 * (step + 1), at)
        reward.set(0.5 + step, at)
        for value in (1, 2, 300):
            latency.record(value, at)
        assert meters.force_flush()
    points = server.wait_for(lambda: server.metrics(run, "train_step = 2 and name = 'reward'"), lambda found: len(found) == 1)
    assert (points[0]["value"], points[0]["labels"], points[0]["step_source"]) == (2.5, {"worker": "w0"}, "sent")
    meters.shutdown()
    rewards = server.wait_for(lambda: chart(server, run, "reward"), lambda answer: answer["x"] == [0, 1, 2])
    assert rewards["series"][0]["y"] == [0.5, 1.5, 2.5]
    kinds = {row["name"]: (row["kind"], row["temporality"]) for row in server.metrics(run)}
    assert kinds["tokens"] == ("sum", temporality.name.lower())
    assert kinds["latency"] == ("histogram", temporality.name.lower())


def test_exponential_histograms_give_percentiles(server):
    run = "otel-exponential"
    exponential = [View(instrument_name="latency", aggregation=ExponentialBucketHistogramAggregation())]
    meters = provider(server, run, AggregationTemporality.DELTA, exponential)
    latency = meters.get_meter("trainer").create_histogram("latency")
    for value in range(1, 101):
        latency.record(value, {"rl.train_step": 7})
    assert meters.force_flush()
    meters.shutdown()
    [point] = server.wait_for(lambda: server.metrics(run), lambda found: len(found) == 1)
    assert (point["kind"], point["count"], point["sum"], point["train_step"]) == ("exponential_histogram", 100, 5050, 7)
    p50 = server.wait_for(lambda: chart(server, run, "latency", agg="p50"), lambda answer: answer["x"] == [7])
    assert p50["series"][0]["y"][0] == pytest.approx(50, rel=0.05)
