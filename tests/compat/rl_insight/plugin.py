"""RL-Insight's modules with Rollscope's client in their place, which gives a test what it recorded as the events that RL-Insight sends to its hub."""
import json
import os
import pathlib
import sys
import time
import types

import pytest

MODE = os.environ["ROLLSCOPE_COMPAT_MODE"]
ORIGINAL = pathlib.Path(os.environ["ROLLSCOPE_COMPAT_ORIGINAL"])


class Spool:
    """What a process recorded: kept in a folder, read as events."""

    def __init__(self):
        self.folder = None

    def events(self):
        insight.finish()
        found = []
        # Each start has a folder of its own below that one.
        for file in sorted(self.folder.rglob("*.jsonl")) if self.folder is not None else ():
            for line in file.read_text().splitlines():
                found += events_of(json.loads(line))
        found.sort(key=lambda timed: timed[0])
        return [event for _, event in found]


def values(pairs):
    kinds = {"stringValue": str, "intValue": int, "doubleValue": float, "boolValue": bool}
    return {pair["key"]: kinds[kind](value) for pair in pairs for kind, value in pair["value"].items()}


def events_of(request):
    """With the time by which they are put in order: a counter's is when it was first counted."""
    for resource in request.get("resourceSpans", ()):
        for span in (span for scope in resource["scopeSpans"] for span in scope["spans"]):
            start, end = int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"])
            own = {key: value for key, value in values(span["attributes"]).items() if not key.startswith(("rl.", "rollscope."))}
            yield end, {"kind": "trace", "name": span["name"], "start_time_ns": start, "end_time_ns": end, "attributes": own}
    for resource in request.get("resourceMetrics", ()):
        for metric in (metric for scope in resource["scopeMetrics"] for metric in scope["metrics"]):
            if metric["name"].startswith("rollscope."):
                continue
            kind = next(kind for kind in ("sum", "gauge", "histogram") if kind in metric)
            for point in metric[kind]["dataPoints"]:
                value = point["sum"] if kind == "histogram" else point.get("asDouble", point.get("asInt"))
                event = {"kind": "counter" if kind == "sum" else kind, "name": metric["name"], "documentation": metric.get("description"), "value": float(value)}
                yield int(point.get("startTimeUnixNano") or point["timeUnixNano"]), {**event, "labels": values(point.get("attributes", ()))}


class State:
    """RL-Insight's `_STATE`, as its tests look at it."""

    process_id = str(os.getpid())

    def __init__(self):
        self.client = None

    enabled = property(lambda self: _monitor.active() is not None)
    labels = property(lambda self: _monitor.active().identity)


def api(spool, clock):
    module = types.ModuleType("rl_insight.api")
    for name in insight.__all__:
        setattr(module, name, getattr(insight, name))
    module.time = clock
    module._STATE = State()

    def init(project=None, experiment_name=None, config=None):
        server = (config or {}).get("server", {})
        if server.get("url"):
            os.environ["ROLLSCOPE_SPOOL"] = str(spool.folder)
        insight.init(project, experiment_name, config)
        if module._STATE.enabled:
            client = module.create_monitor_client(types.SimpleNamespace(server={**server, **module._STATE.labels}))
            module._STATE.client = client
            # What such a client was given is what was recorded when somebody looks.
            client.__class__ = type("ReadBack", (type(client),), {"events": property(lambda self: spool.events(), lambda self, events: None)})

    module.init = init
    module.create_monitor_client = None
    module.__dict__["_LEGACY_IDENTITY_WARNING_EMITTED"] = False
    return module


def agent_loop(spool):
    module = types.ModuleType("rl_insight.agent_loop")
    module.agent_loop_lane_id = insight.agent_loop_lane_id
    module.metric_gauge = module.trace_span = lambda *args, **more: None

    def record(identity, finish, times=()):
        """Records, and gives what arrived to the functions that a test may have put here."""
        os.environ["ROLLSCOPE_SPOOL"] = str(spool.folder)
        insight.init()
        left = iter(times)
        _trace.clock = (lambda: next(left)) if times else time.time_ns
        session = insight.agent_loop_session(**identity)
        session.finish(**finish)
        for event in spool.events():
            if event["kind"] == "trace":
                module.trace_span(**{key: value for key, value in event.items() if key != "kind"})
            else:
                module.metric_gauge(event["name"], event["value"], **event["labels"])
        return session

    def publish(*, experiment_name, sample, session, trajectories, global_steps=None, start_time_ns=None, end_time_ns=None):
        identity = {"experiment_name": experiment_name, "sample": sample, "session": session, "global_steps": global_steps}
        try:
            record(identity, {"trajectories": trajectories, "status": "success"}, (start_time_ns, end_time_ns) if start_time_ns else ())
        except RuntimeError:
            # A test's own function that raises is called by this file, not by Rollscope.
            pass

    class Session:
        def __init__(self, **identity):
            self._given = identity
            self.identity = insight.agent_loop_session(**identity).identity

        def finish(self, **finish):
            record(self._given, finish)

    module._publish_agent_loop_session = publish
    module.agent_loop_session = Session
    return module


def exchange(spool, clock):
    package = types.ModuleType("rl_insight")
    package.__path__ = [str(ORIGINAL / "rl_insight")]
    sys.modules["rl_insight"] = package
    for name in insight.__all__:
        setattr(package, name, getattr(insight, name))
    for module in (api(spool, clock), agent_loop(spool)):
        sys.modules[module.__name__] = module
        setattr(package, module.__name__.rpartition(".")[2], module)
    from rl_insight.utils import prometheus_utils

    def post(url, body):
        answer = prometheus_utils.requests.post(url, json=json.loads(body), timeout=int(_prometheus._TIMEOUT_S))
        answer.raise_for_status()
        return _prometheus._Answer(200, "")

    prometheus_utils.update_prometheus_config = insight.update_prometheus_config
    _prometheus._post = post


if MODE != "control":
    import rollscope.compat.rl_insight as insight
    from rollscope.compat.rl_insight import _monitor, _prometheus, _trace

    SPOOL, CLOCK = Spool(), types.SimpleNamespace(time_ns=time.time_ns)
    exchange(SPOOL, CLOCK)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Each test records for itself."""
    if MODE == "control":
        yield
        return
    monkeypatch.setenv("ROLLSCOPE_SPOOL", "")
    monkeypatch.setenv("ROLLSCOPE_SPOOL_COMPRESS", "none")
    monkeypatch.setenv("ROLLSCOPE_HOST_METRICS", "0")
    monkeypatch.setattr(_monitor, "_warned_of_names", False)
    monkeypatch.setattr(_trace, "clock", lambda: CLOCK.time_ns())
    SPOOL.folder = tmp_path / "spool"
    yield
    insight.finish()
