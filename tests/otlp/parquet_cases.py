"""The sealed Parquet files, read by somebody else's reader: their columns are a public interface."""
import glob
import json
import os
import subprocess
import tempfile

import pyarrow as pa
import pyarrow.parquet as pq

from collector import ROOT
from sdk_cases import same
from sender import HOST, PID, RANK, span_id, trace_id

TEXT, WHOLE, NUMBER, FLAG = pa.string(), pa.int64(), pa.float64(), pa.bool_()
MAP = pa.map_(TEXT, TEXT)
PIECE = pa.struct({"stage": TEXT, "kind": TEXT, "span_id": TEXT, "from_ns": WHOLE, "to_ns": WHOLE})

# In the order of contracts.md 7.5.
SPANS = {
    **{"run": TEXT, "batch": TEXT, "train_step": WHOLE, "model_step": WHOLE, "future_step": WHOLE, "task": TEXT},
    **{"task_name": TEXT, "session": TEXT, "trace_id": TEXT, "span_id": TEXT, "parent_id": TEXT, "kind": TEXT},
    **{"name": TEXT, "stage": TEXT, "start_ns": WHOLE, "end_ns": WHOLE, "self_ns": WHOLE, "outcome": TEXT},
    **{"status": TEXT, "source_status": TEXT, "reason": TEXT, "error_type": TEXT, "error_message": TEXT},
    **{"worker_role": TEXT, "worker_rank": WHOLE, "host": TEXT, "pid": WHOLE, "instance": TEXT, "lane": TEXT},
    **{"attempt": WHOLE, "clock": TEXT, "attributes": MAP, "source": TEXT, "ingest_ns": WHOLE},
}
SESSIONS = {
    **{"run": TEXT, "session": TEXT, "trace_id": TEXT, "batch": TEXT, "train_step": WHOLE, "model_step": WHOLE},
    **{"future_step": WHOLE, "task": TEXT, "task_name": TEXT, "status": TEXT, "source_status": TEXT, "reason": TEXT},
    **{"worker_role": TEXT, "worker_rank": WHOLE, "start_ns": WHOLE, "end_ns": WHOLE, "finalised": FLAG},
    **{"span_count": WHOLE, "open_count": WHOLE, "error_count": WHOLE, "work_start_ns": WHOLE, "work_end_ns": WHOLE},
    **{"wall_ns": WHOLE, "queue_ns": WHOLE, "gap_ns": WHOLE, "barrier_ns": WHOLE, "unaccounted_ns": WHOLE},
    **{"outside_ns": WHOLE, "clock": TEXT, "verdict_ns": WHOLE, "part": WHOLE, "counters": pa.map_(TEXT, WHOLE)},
    **{"work_ns": WHOLE, "own_ns": WHOLE, "inferred_group": TEXT, "candidates": pa.list_(PIECE), "restated": pa.list_(PIECE)},
    **{"reward": NUMBER, "input_tokens": WHOLE, "output_tokens": WHOLE},
    **{"reward_ns": WHOLE, "input_tokens_ns": WHOLE, "output_tokens_ns": WHOLE},
}
METRICS = {
    **{"run": TEXT, "train_step": WHOLE, "name": TEXT, "unit": TEXT, "kind": TEXT, "temporality": TEXT},
    **{"monotonic": FLAG, "start_ns": WHOLE, "time_ns": WHOLE, "value": NUMBER, "count": WHOLE, "sum": NUMBER},
    **{"min": NUMBER, "max": NUMBER, "bounds": pa.list_(NUMBER), "bucket_counts": pa.list_(WHOLE)},
    **{"quantile_values": pa.list_(NUMBER), "scale": WHOLE, "zero_count": WHOLE, "zero_threshold": NUMBER},
    **{"bucket_offset": WHOLE, "negative_offset": WHOLE, "negative_counts": pa.list_(WHOLE), "worker_role": TEXT},
    **{"worker_rank": WHOLE, "host": TEXT, "pid": WHOLE, "instance": TEXT, "service": TEXT, "labels": MAP},
    **{"source": TEXT, "ingest_ns": WHOLE, "step_source": TEXT, "stale": FLAG, "series": WHOLE},
}


def _files(collector, kind):
    found = sorted(glob.glob(os.path.join(collector.data, "segments", "v1", f"{kind}-*.parquet")))
    assert found, f"no {kind}-*.parquet in {collector.data}/segments/v1"
    return found


def _rows(collector, kind, run):
    return [row for file in _files(collector, kind) for row in pq.read_table(file).to_pylist() if row["run"] == run]


def _plain(kind):
    """Lists and maps by what they hold; the names of their inner fields are nobody's business."""
    if pa.types.is_list(kind):
        return f"list<{kind.value_type}>"
    return f"map<{kind.key_type}, {kind.item_type}>" if pa.types.is_map(kind) else str(kind)


def columns_have_their_names_types_and_order(collector, _stories):
    for kind, wanted in (("spans", SPANS), ("sessions", SESSIONS), ("metrics", METRICS)):
        for file in _files(collector, kind):
            schema = pq.read_schema(file)
            same([(f.name, _plain(f.type)) for f in schema], [(name, _plain(of)) for name, of in wanted.items()])
            compression = pq.read_metadata(file).row_group(0).column(0).compression
            same(compression, "ZSTD")


def spans_are_sealed_with_their_values(collector, stories):
    for story in stories:
        rows = {row["span_id"]: row for row in _rows(collector, "spans", story.run) if row["session"] == "s-done"}
        same(set(rows), {span_id(s) for s in (story.root, story.generate, story.reward)})
        generate = dict(rows[span_id(story.generate)])
        attributes = dict(generate.pop("attributes"))
        assert generate.pop("ingest_ns") >= story.at(10)
        wanted = dict.fromkeys(SPANS) | {
            **{"run": story.run, "batch": "train_step=5", "train_step": 5, "task": "t-1", "session": "s-done"},
            **{"trace_id": trace_id(story.root), "span_id": span_id(story.generate), "parent_id": span_id(story.root)},
            **{"kind": "phase", "name": "generate", "stage": "generate", "start_ns": story.at(1), "end_ns": story.at(4)},
            **{"self_ns": 3_000_000_000, "outcome": "ok", "worker_role": "rollout", "worker_rank": RANK, "host": HOST},
            **{"pid": PID, "instance": story.sender.instance, "clock": "utc", "source": "otlp"},
        }
        same(generate, {name: value for name, value in wanted.items() if name not in ("attributes", "ingest_ns")})
        same(attributes["gen_ai.usage.output_tokens"], "128")
        same(rows[span_id(story.reward)]["error_message"], "no answer")


def sessions_are_sealed_with_their_accounts(collector, stories):
    for story in stories:
        rows = [row for row in _rows(collector, "sessions", story.run) if row["session"] == "s-done"]
        same(len(rows), 1)
        waits = ("wall_ns", "queue_ns", "gap_ns", "barrier_ns", "unaccounted_ns", "outside_ns")
        same([rows[0][name] // 10**9 for name in waits], [10, 1, 1, 4, 0, 0])
        facts = ("status", "source_status", "reason", "finalised", "span_count", "open_count", "error_count")
        same([rows[0][name] for name in facts], ["rejected", "rejected", "low score", True, 3, 0, 1])


def metric_points_are_sealed(collector, stories):
    for story in stories:
        rows = {row["name"]: row for row in _rows(collector, "metrics", story.run)}
        same(set(rows), {"rl.samples", "rl.queued", "rl.kl", "rl.reward", "rl.tokens"})
        same((rows["rl.samples"]["value"], dict(rows["rl.samples"]["labels"])), (7.0, {"engine": "vllm"}))
        same((rows["rl.reward"]["bounds"], rows["rl.reward"]["bucket_counts"]), ([1.5, 2.5], [1, 1, 1]))
        tokens = rows["rl.tokens"]
        same((tokens["scale"], tokens["bucket_offset"], tokens["bucket_counts"]), (0, -1, [1, 1, 1, 1]))


def folders_convert_to_the_same_columns(collector, _stories):
    """`convert --to parquet`, of a folder with one session, a finished and an open span."""
    with tempfile.TemporaryDirectory() as folder:
        traces, out = os.path.join(folder, "traces.jsonl"), os.path.join(folder, "out.parquet")
        ids = {"traceId": "5b8efff798038103d269b633813fc60c"}
        spans = [
            {**ids, "spanId": "eee19b7ec3c1b174", "name": "generate", "startTimeUnixNano": "1000000000", "endTimeUnixNano": "3000000000"},
            {**ids, "spanId": "eee19b7ec3c1b175", "name": "judge", "startTimeUnixNano": "3000000000", "endTimeUnixNano": "0"},
        ]
        resource = {"attributes": [{"key": "rl.run.id", "value": {"stringValue": "it's"}}]}
        with open(traces, "w", encoding="utf-8") as file:
            json.dump({"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": spans}]}]}, file)
            file.write("\n")
        command = [os.path.join(ROOT, "rollscope"), "convert", traces, "--to", "parquet", "-o", out]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        same((done.returncode, done.stderr), (0, f"note: 2 spans in {out}\n"))
        same(sorted(os.listdir(folder)), ["out.parquet", "traces.jsonl"])
        schema = pq.read_schema(out)
        same([(f.name, _plain(f.type)) for f in schema], [(name, _plain(of)) for name, of in SPANS.items()])
        rows = [(r["run"], r["name"], r["start_ns"], r["end_ns"], r["outcome"]) for r in pq.read_table(out).to_pylist()]
        same(rows, [("it's", "generate", 10**9, 3 * 10**9, "ok"), ("it's", "judge", 3 * 10**9, None, "open")])


CASES = (
    columns_have_their_names_types_and_order,
    spans_are_sealed_with_their_values,
    sessions_are_sealed_with_their_accounts,
    metric_points_are_sealed,
    folders_convert_to_the_same_columns,
)
