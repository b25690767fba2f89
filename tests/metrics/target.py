"""A process with metrics, as trainers and engines have them: python target.py PORT STEPS [LABEL=VALUE…]
Prints the port when it answers, and lives until its standard input ends."""
import sys

from prometheus_client import Counter, Gauge, Histogram, start_http_server

port, steps = int(sys.argv[1]), int(sys.argv[2])
labels = dict(argument.split("=", 1) for argument in sys.argv[3:])


def own(metric):
    return metric.labels(**labels) if labels else metric


count = own(Counter("rl_insight_monitor_train_step", "Counter train_step", list(labels)))
reward = own(Gauge("rl_insight_monitor_reward_mean", "Gauge reward_mean", list(labels)))
latency = own(Histogram("rl_insight_monitor_step_latency_ms", "Histogram step_latency_ms", list(labels)))
step = own(Gauge("rl_insight_monitor_training_global_step", "Gauge training_global_step", list(labels)))
for i in range(steps):
    count.inc()
    reward.set(1 + 0.01 * i)
    latency.observe(200 + 20 * i)
    step.set(i + 1)
server, _ = start_http_server(port, addr="127.0.0.1")
print(server.server_port, flush=True)
sys.stdin.read()
