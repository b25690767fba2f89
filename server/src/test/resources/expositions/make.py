"""Writes the expositions in this folder with the real prometheus_client (0.26.0), with the metric names of vLLM, SGLang and RL-Insight's hub:
python3 make.py FOLDER"""
import sys

from prometheus_client import CollectorRegistry, Counter, Enum, Gauge, Histogram, Info, Summary, generate_latest
from prometheus_client.openmetrics.exposition import generate_latest as generate_openmetrics

CREATED = 1794725807.5


def vllm():
    registry = CollectorRegistry()
    names = ("model_name", "engine")
    values = ("Qwen/Qwen3-8B", "0")
    Gauge("vllm:num_requests_running", "Number of requests in model execution batches.", names, registry=registry).labels(*values).set(17)
    Gauge("vllm:num_requests_waiting", "Number of requests waiting to be processed.", names, registry=registry).labels(*values).set(3)
    Gauge("vllm:kv_cache_usage_perc", "KV-cache usage. 1 means 100 percent usage.", names, registry=registry).labels(*values).set(0.8125)
    sleep = Gauge("vllm:engine_sleep_state", "Engine sleep state.", (*names, "sleep_state"), registry=registry)
    for state, value in (("awake", 1), ("weights_offloaded", 0), ("discard_all", 0)):
        sleep.labels(*values, state).set(value)
    Counter("vllm:num_preemptions", "Cumulative number of preemption from the engine.", names, registry=registry).labels(*values).inc(2)
    Counter("vllm:generation_tokens", "Number of generation tokens processed.", names, registry=registry).labels(*values).inc(4096)
    finished = Counter("vllm:request_success", "Count of successfully processed requests.", (*names, "finished_reason"), registry=registry)
    for reason, count in (("stop", 100), ("length", 12), ("abort", 1)):
        finished.labels(*values, reason).inc(count)
    tokens = Histogram("vllm:iteration_tokens_total", "Histogram of number of tokens per engine_step.", names, buckets=(1, 8, 64, 512), registry=registry).labels(*values)
    latency = Histogram("vllm:e2e_request_latency_seconds", "Histogram of e2e request latency in seconds.", names, buckets=(0.3, 1, 5, 30), registry=registry).labels(*values)
    for seconds in (0.25, 0.5, 0.75, 4, 20, 100):
        latency.observe(seconds)
        tokens.observe(16 * seconds)
    Info("vllm:cache_config", "Information of the LLMEngine CacheConfig", registry=registry).info({"block_size": "16", "enable_prefix_caching": "True"})
    return registry


def sglang():
    registry = CollectorRegistry()
    names = ("model_name", "tp_rank")
    values = ("meta-llama/Llama-3.1-8B", "0")
    for name, value in (("num_running_reqs", 162), ("num_queue_reqs", 2826), ("token_usage", 0.28), ("gen_throughput", 86.5), ("cache_hit_rate", float("nan"))):
        Gauge(f"sglang:{name}", name, names, registry=registry).labels(*values).set(value)
    Counter("sglang:num_aborted_requests_total", "Requests aborted.", names, registry=registry).labels(*values).inc(9)
    stage = Histogram("sglang:per_stage_req_latency_seconds", "Latency by stage.", (*names, "stage"), buckets=(0.1, 1, 10), registry=registry)
    for name in ("prefill_waiting", "decode_forward"):
        for seconds in (0.05, 0.5, 5, 50):
            stage.labels(*values, name).observe(seconds)
    summary = Summary("sglang:queue_time_seconds", "Queue time.", names, registry=registry).labels(*values)
    summary.observe(1.5)
    Enum("sglang:scheduler_state", "What the scheduler does.", states=["idle", "busy"], registry=registry).state("busy")
    return registry


def hub():
    registry = CollectorRegistry()
    names = ("experiment_name", "project", "worker")
    Counter("rl_insight_monitor_train_step", "Counter train_step", names, registry=registry).labels("demo", "verl", "t0").inc(3)
    Gauge("rl_insight_monitor_reward_mean", "Gauge reward_mean", names, registry=registry).labels("demo", "verl", "t0").set(1.02)
    Gauge("rl_insight_monitor_training_global_step", "Gauge training_global_step", names, registry=registry).labels("demo", "verl", "t0").set(42)
    latency = Histogram("rl_insight_monitor_step_latency_ms", "Histogram step_latency_ms", names, registry=registry).labels("demo", "verl", "t0")
    for i in range(3):
        latency.observe(200 + 20 * i)
    Gauge("awkward", 'help with \\ and\nlines "in" quotes', ("path",), registry=registry).labels('C:\\dir "x"\nü').set(-1.5e-7)
    return registry


def without_now(text):
    """Creation times are when this program ran: one that is always the same."""
    lines = []
    for line in text.splitlines(keepends=True):
        if not line.startswith("#") and "_created" in line.split("{")[0].split(" ")[0]:
            line = line.rsplit(" ", 1)[0] + f" {CREATED}\n"
        lines.append(line)
    return "".join(lines)


folder = sys.argv[1]
for name, registry in (("vllm", vllm()), ("sglang", sglang()), ("hub", hub())):
    for end, generate in (("txt", generate_latest), ("openmetrics", generate_openmetrics)):
        with open(f"{folder}/{name}.{end}", "w", encoding="utf-8", newline="") as out:
            out.write(without_now(generate(registry, escaping="allow-utf-8").decode()))
