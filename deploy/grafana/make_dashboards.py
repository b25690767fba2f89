#!/usr/bin/env python3
"""Writes dashboards/*.json. Run it after a change here; a test compares what it writes with what is checked in."""
import json
import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
PROMETHEUS = {"type": "prometheus", "uid": "prometheus"}
TEMPO = {"type": "tempo", "uid": "tempo"}
CLIENT = '{project=~"$project", experiment_name=~"$experiment"}'
RUN = '{run=~"$run"}'


def variable(name, query, label):
    return {
        "name": name,
        "label": label,
        "type": "query",
        "datasource": PROMETHEUS,
        "query": {"query": query, "refId": name},
        "refresh": 2,
        "includeAll": True,
        "allValue": ".*",
        "multi": True,
        "current": {"text": "All", "value": "$__all"},
    }


class Board:
    """Panels, two or three in a row, under headings."""

    def __init__(self, uid, title, variables):
        self._panels = []
        self._y = 0
        self._x = 0
        self._board = {
            "uid": uid,
            "title": title,
            "tags": ["rollscope"],
            "schemaVersion": 39,
            "editable": True,
            "refresh": "10s",
            "time": {"from": "now-1h", "to": "now"},
            "templating": {"list": variables},
        }

    def row(self, title):
        self._line()
        self._panels.append({"type": "row", "title": title, "gridPos": {"x": 0, "y": self._y, "w": 24, "h": 1}})
        self._y += 1

    def _line(self):
        if self._x:
            self._x, self._y = 0, self._y + 8

    def _put(self, panel, width=8):
        if self._x + width > 24:
            self._line()
        panel["id"] = len(self._panels) + 1
        panel["gridPos"] = {"x": self._x, "y": self._y, "w": width, "h": 8}
        self._x += width
        self._panels.append(panel)

    def series(self, title, queries, unit="short", width=8, kind="timeseries", help=""):
        """`queries`: expressions with the name of each line."""
        targets = [
            {"refId": chr(65 + n), "datasource": PROMETHEUS, "expr": expr, "legendFormat": legend}
            for n, (expr, legend) in enumerate(queries)
        ]
        self._put(
            {
                "type": kind,
                "title": title,
                "description": help,
                "datasource": PROMETHEUS,
                "fieldConfig": {"defaults": {"unit": unit, "custom": {"showPoints": "never"}}, "overrides": []},
                "targets": targets,
            },
            width,
        )

    def by_step(self, title, metric, unit="short"):
        """A gauge over the training step: both are joined by time, the step is the axis."""
        step = "rl_insight_monitor_training_global_step" + CLIENT
        self._put(
            {
                "type": "trend",
                "title": title + " by step",
                "datasource": PROMETHEUS,
                "options": {"xField": "step"},
                "fieldConfig": {"defaults": {"unit": unit}, "overrides": []},
                "targets": [
                    {"refId": "A", "datasource": PROMETHEUS, "expr": "max(%s)" % step, "legendFormat": "step"},
                    {"refId": "B", "datasource": PROMETHEUS, "expr": "avg(%s%s)" % (metric, CLIENT), "legendFormat": title},
                ],
                "transformations": [
                    {"id": "joinByField", "options": {"byField": "Time", "mode": "inner"}},
                    {"id": "groupBy", "options": {"fields": {"step": {"operation": "groupby"}, title: {"operation": "aggregate", "aggregations": ["lastNotNull"]}}}},
                ],
            }
        )

    def lanes(self, title):
        self._put(
            {
                "type": "table",
                "title": title,
                "description": "From Tempo: the spans that it finds first, at most 1000 traces with 100 each. "
                "Rollscope's own timeline draws them all, and what is still open.",
                "datasource": TEMPO,
                "targets": [
                    {
                        "refId": "A",
                        "datasource": TEMPO,
                        "queryType": "traceql",
                        # A search answers with the name only if it is selected. 100 is the most that Tempo gives unless configured.
                        "query": '{ span.state_lane_id != "" || span.rl.lane != "" } | select(name, span.state_lane_id, span.rl.lane)',
                        "limit": 1000,
                        "spss": 100,
                        "tableType": "spans",
                    }
                ],
            },
            24,
        )

    def save(self, folder, name):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            json.dump({**self._board, "panels": self._panels}, out, indent=1, sort_keys=True)
            out.write("\n")


def training(folder):
    step = "rl_insight_monitor_training_global_step"
    board = Board(
        "rollscope-training",
        "Training",
        [
            variable("project", "label_values(%s, project)" % step, "Project"),
            variable("experiment", 'label_values(%s{project=~"$project"}, experiment_name)' % step, "Experiment"),
        ],
    )

    def client(name):
        return "rl_insight_monitor_" + name + CLIENT

    def band(name):
        return [(client("%s_%s" % (name, part)), "%s {{experiment_name}}" % part) for part in ("min", "mean", "max")]

    board.row("By step")
    board.by_step("reward", "rl_insight_monitor_critic_rewards_mean")
    board.by_step("response length", "rl_insight_monitor_response_length_mean")
    board.by_step("time per step", "rl_insight_monitor_perf_time_per_step", "s")
    board.row("Over time")
    board.series("Training step", [(client("training_global_step"), "{{experiment_name}}")])
    board.series("Reward", band("critic_rewards"))
    board.series("Score", band("critic_score"))
    board.series("Response length", band("response_length"))
    board.series("Entropy", [(client("actor_entropy"), "{{experiment_name}}")])
    board.series("KL loss", [(client("actor_kl_loss"), "{{experiment_name}}")])
    board.series("Policy gradient loss", [(client("actor_pg_loss"), "{{experiment_name}}")])
    board.series("Gradient norm", [(client("actor_grad_norm"), "{{experiment_name}}")])
    board.series("Clipped fraction", [(client("actor_pg_clipfrac"), "{{experiment_name}}")], "percentunit")
    board.row("Speed")
    board.series("Time per step", [(client("perf_time_per_step"), "{{experiment_name}}")], "s")
    board.series("Throughput", [(client("perf_throughput"), "{{experiment_name}}")])
    board.series("Time by part", [(client("timing_s_" + part), part) for part in ("gen", "reward", "old_log_prob", "update_actor")], "s")
    board.save(folder, "training.json")


def rollout(folder):
    board = Board("rollscope-rollout", "Rollouts", [variable("run", "label_values(rollscope_run_sessions, run)", "Run")])
    quantile = 'histogram_quantile(%s, sum by (le, stage) (rate(rollscope_run_stage_duration_seconds_bucket{run=~"$run"}[5m])))'
    board.row("Sessions")
    board.series("Sessions by status", [("sum by (status) (rollscope_run_sessions%s)" % RUN, "{{status}}")])
    board.series("Finished per minute", [('sum by (status) (delta(rollscope_run_sessions{run=~"$run", status!~"running|queued"}[1m]))', "{{status}}")])
    board.series("Dropped before they arrived", [("sum by (what) (rollscope_run_dropped_total%s)" % RUN, "{{what}}")])
    board.row("Stages")
    board.series("Open work by stage", [("sum by (stage) (rollscope_run_open_spans%s)" % RUN, "{{stage}}")])
    board.series("Oldest open work", [("max by (stage) (rollscope_run_oldest_open_seconds%s)" % RUN, "{{stage}}")], "s")
    board.series("Stage duration, p95", [(quantile % "0.95", "{{stage}}")], "s")
    board.series("Stage duration, p50", [(quantile % "0.5", "{{stage}}")], "s")
    board.row("Batches")
    board.series("Duration of the newest batch", [("rollscope_run_batch_duration_seconds" + RUN, "{{run}}")], "s")
    board.series("Share of the tail", [("rollscope_run_tail_share" + RUN, "{{run}}")], "percentunit", help="Time after 90 % of a batch's sessions have ended, as a part of the batch.")
    board.row("States")
    board.lanes("State lanes")
    board.save(folder, "rollout.json")


def engines(folder):
    board = Board("rollscope-engines", "Engines", [])

    def quantiles(name):
        return [("histogram_quantile(%s, sum by (le) (rate(%s_bucket[5m])))" % (q, name), "p%g" % (100 * float(q))) for q in ("0.5", "0.95", "0.99")]

    board.row("vLLM")
    board.series("Requests", [("sum by (instance) (vllm:num_requests_running)", "running {{instance}}"), ("sum by (instance) (vllm:num_requests_waiting)", "waiting {{instance}}")])
    board.series("KV cache", [("max by (instance) (vllm:kv_cache_usage_perc)", "{{instance}}")], "percentunit")
    board.series("Tokens per second", [("sum(rate(vllm:prompt_tokens_total[1m]))", "prompt"), ("sum(rate(vllm:generation_tokens_total[1m]))", "generation")])
    board.series("Time to first token", quantiles("vllm:time_to_first_token_seconds"), "s")
    board.series("Inter-token latency", quantiles("vllm:inter_token_latency_seconds"), "s")
    board.series("Request latency", quantiles("vllm:e2e_request_latency_seconds"), "s")
    board.series("Prefix cache hits", [("sum(rate(vllm:prefix_cache_hits_total[5m])) / sum(rate(vllm:prefix_cache_queries_total[5m]))", "hit rate")], "percentunit")
    board.series("Preemptions", [("sum by (instance) (rate(vllm:num_preemptions_total[5m]))", "{{instance}}")])
    board.row("SGLang")
    board.series("Requests", [("sum by (instance) (sglang:num_running_reqs)", "running {{instance}}"), ("sum by (instance) (sglang:num_queue_reqs)", "queued {{instance}}")])
    board.series("Token usage", [("max by (instance) (sglang:token_usage)", "{{instance}}")], "percentunit")
    board.series("Generation throughput", [("sum by (instance) (sglang:gen_throughput)", "{{instance}}")])
    board.series("Cache hit rate", [("avg by (instance) (sglang:cache_hit_rate)", "{{instance}}")], "percentunit")
    board.series("Time to first token", quantiles("sglang:time_to_first_token_seconds"), "s")
    board.series("Request latency", quantiles("sglang:e2e_request_latency_seconds"), "s")
    board.save(folder, "engines.json")


def health(folder):
    board = Board("rollscope-health", "Rollscope's health", [])
    board.row("Receiving")
    board.series("Requests", [("sum by (signal, status) (rate(rollscope_requests_total[1m]))", "{{signal}} {{status}}")], "reqps")
    board.series("Spans, starts, points", [("rate(rollscope_%s_total[1m])" % what, what) for what in ("spans", "span_starts", "metric_points")])
    board.series("Refused", [("sum by (reason) (rate(rollscope_rejected_items_total[5m]))", "{{reason}}"), ("sum(rate(rollscope_requests_total{status!~\"200|OK\"}[5m]))", "requests")])
    board.series("In memory", [("rollscope_open_spans", "open spans"), ("rollscope_hot_spans", "hot spans"), ("rollscope_sessions_in_memory", "sessions")])
    board.series("Processes", [("rollscope_processes", "known"), ("rollscope_lost_processes", "lost")])
    board.row("Keeping")
    board.series("fsync", [("histogram_quantile(%s, sum by (le) (rate(rollscope_fsync_seconds_bucket[5m])))" % q, "p%g" % (100 * float(q))) for q in ("0.5", "0.99")], "s")
    board.series("Journal", [("rollscope_journal_queue_frames", "frames waiting"), ("rollscope_journal_files", "files")])
    board.series("Segments", [("rollscope_segment_bytes", "bytes")], "bytes")
    board.series("Up", [("up", "{{job}} {{instance}}")])
    board.save(folder, "health.json")


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "dashboards")
    for write in (training, rollout, engines, health):
        write(folder)


if __name__ == "__main__":
    main()
