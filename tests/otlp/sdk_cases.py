"""What a run shows that the OpenTelemetry SDK told of, over the API and by SQL."""
import urllib.parse

from sender import HOST, PID, RANK, span_id, trace_id
from story import SECOND

WORKER = f"[rollout] rank {RANK}"


def _path(story, rest):
    return f"runs/{urllib.parse.quote(story.run, safe='')}/{rest}"


def same(was, wanted):
    assert was == wanted, f"was: {was} (expected: {wanted})"


def live_board_shows_what_is_open_and_what_is_lost(collector, story):
    def board():
        story.beat()
        live = collector.get(_path(story, "live"))
        counts = {status: n for status, n in live["session_summary"].items() if n}
        rows = {r["session"]: (r["status"], r["open_span"], r["worker"], r["train_step"]) for r in live["rows"]}
        spans = {(s["span"], s["open_count"], s["oldest_session"]) for s in live["open_span_summaries"]}
        return counts, rows, spans

    wanted = (
        {"total": 3, "running": 1, "rejected": 1, "lost": 1},
        {
            "s-done": ("rejected", None, WORKER, 5),
            "s-running": ("running", "toolcall", WORKER, 5),
            "s-lost": ("lost", None, WORKER, 5),
        },
        {("toolcall", 1, "s-running"), ("rollout", 1, "s-running")},
    )
    collector.wait_for(board, wanted)


def finished_session_adds_up_and_has_its_verdict(collector, story):
    # Reports may be a second behind the live board.
    collector.wait_for(lambda: collector.get(_path(story, "sessions/s-done"))["status"], "rejected")
    session = collector.get(_path(story, "sessions/s-done"))
    facts = ("trace_id", "task", "batch", "status", "source_status", "reason", "finalised", "wall_s")
    same(
        tuple(session[f] for f in facts),
        (trace_id(story.root), "t-1", "train_step=5", "rejected", "rejected", "low score", True, 10.0),
    )
    same({s["stage"]: s["self_s"] for s in session["stages"]}, {"generate": 3.0, "reward": 1.0})
    waits = {"queue_s": 1.0, "gap_s": 1.0, "siblings_s": 0.0, "barrier_s": 4.0, "unaccounted_s": 0.0, "outside_s": 0.0}
    same(session["waits"], waits)
    same([s["error"] for s in session["spans"]], [None, None, "ValueError: no answer"])


def trace_has_ids_times_and_attributes_exactly(collector, story):
    spans = {s["span_id"]: s for s in collector.get(f"traces/{trace_id(story.root)}")["spans"]}
    same(set(spans), {span_id(s) for s in (story.root, story.generate, story.reward)})
    generate = spans[span_id(story.generate)]
    facts = ("run", "session", "parent_id", "name", "start_ns", "end_ns", "outcome")
    same(
        tuple(generate[f] for f in facts),
        (story.run, "s-done", span_id(story.root), "generate", str(story.at(1)), str(story.at(4)), "ok"),
    )
    told = {"gen_ai.usage.output_tokens": "128", "temperature": "0.5", "stop": "true", "tools": '["search","python"]'}
    same({key: generate["attributes"].get(key) for key in told}, told)


def spans_by_sql(collector, story):
    story.beat()
    rows = collector.query(
        f"select session, name, (start_ns - {story.begin}) // {SECOND}, (end_ns - {story.begin}) // {SECOND}, outcome,"
        f" error_type, attempt, host, pid, worker_rank from spans where run = '{story.run}' order by session, start_ns"
    )
    where = (HOST, PID, RANK)
    same(
        rows,
        [
            ("s-done", "rollout", 0, 10, "ok", None, None, *where),
            ("s-done", "generate", 1, 4, "ok", None, None, *where),
            ("s-done", "reward", 5, 6, "error", "ValueError", None, *where),
            ("s-lost", "rollout", 2, 21, "lost", None, None, *where),
            ("s-lost", "generate", 3, 21, "lost", None, None, *where),
            ("s-running", "rollout", 2, None, "open", None, None, *where),
            ("s-running", "toolcall", 3, None, "open", None, 2, *where),
        ],
    )


def metrics_by_sql(collector, story):
    rows = collector.query(
        "select name, kind, temporality, monotonic, value, count, sum, min, max, bounds, bucket_counts, scale, zero_count,"
        f" bucket_offset, labels['engine'] from metrics where run = '{story.run}' order by name"
    )
    empty = (None,) * 4
    same(
        rows,
        [
            ("rl.kl", "gauge", None, None, 0.25, *empty, None, None, None, None, None, "vllm"),
            ("rl.queued", "sum", "cumulative", False, 3.0, *empty, None, None, None, None, None, None),
            ("rl.reward", "histogram", "cumulative", None, None, 3, 6.0, 1.0, 3.0, [1.5, 2.5], [1, 1, 1], *empty),
            ("rl.samples", "sum", "cumulative", True, 7.0, *empty, None, None, None, None, None, "vllm"),
            # Scale 0: buckets end at 1, 2, 4 and 8; the zero stands apart.
            ("rl.tokens", "exponential_histogram", "cumulative", None, None, 5, 15.0, 0.0, 8.0, None, [1, 1, 1, 1], 0, 1, -1, None),
        ],
    )


CASES = (
    live_board_shows_what_is_open_and_what_is_lost,
    finished_session_adds_up_and_has_its_verdict,
    trace_has_ids_times_and_attributes_exactly,
    spans_by_sql,
    metrics_by_sql,
)
# What no longer changes: the spans of a silent process are open for half a minute only.
LASTING = (
    finished_session_adds_up_and_has_its_verdict,
    trace_has_ids_times_and_attributes_exactly,
    metrics_by_sql,
)
