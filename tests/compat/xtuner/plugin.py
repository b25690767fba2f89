"""XTuner without what needs a GPU or a cluster, with Rollscope's tracer in the place of its own."""
import ast
import importlib.machinery
import importlib.util
import json
import logging
import os
import pathlib
import sys
import types

MODE = os.environ["ROLLSCOPE_COMPAT_MODE"]
ORIGINAL = pathlib.Path(os.environ["ROLLSCOPE_COMPAT_ORIGINAL"])
ROOT = pathlib.Path(__file__).resolve().parents[3]
RL = ORIGINAL / "xtuner" / "v1" / "rl"
IS_1891 = (RL / "trace.py").exists()
TRACE = "xtuner.v1.rl.trace"


def stand_in(name, **contents):
    module = types.ModuleType(name)
    module.__dict__.update(contents)
    module.__spec__ = importlib.machinery.ModuleSpec(name, None)
    put(name, module)
    return module


def put(name, module):
    sys.modules[name] = module
    parent, _, last = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], last, module)


def package(name):
    """Its modules are the original's, its __init__ is not run."""
    stand_in(name, __path__=[str(ORIGINAL.joinpath(*name.split(".")))])


def trainer():
    """What the trainer of 1891 does about tracing, as it is: the rest needs GPUs."""
    tree = ast.parse((ORIGINAL / "xtuner" / "v1" / "train" / "rl_trainer.py").read_text())
    [found] = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "BaseRLTrainer"]
    names = ("_init_trace", "_maybe_start_trace_viewer", "_close_trace", "exp_dir")
    found.body = [node for node in found.body if isinstance(node, ast.FunctionDef) and node.name in names]
    tree.body = [found]
    trace = importlib.import_module(TRACE)
    used = {name: getattr(trace, name) for name in ("TraceConfig", "configure_trace", "close_trace")}
    module = stand_in("xtuner.v1.train.rl_trainer", Path=pathlib.Path, get_rank=lambda: 0, **used)
    exec(compile(tree, "rl_trainer.py", "exec", flags=__import__("__future__").annotations.compiler_flag), module.__dict__)


class Recorded:
    """Rollscope's transport that keeps what is sent, and shows it as OpenTelemetry's exporter in memory does."""

    content_type = "application/json"

    def __init__(self):
        self._spans = []

    def send(self, signal, body, timeout):
        from rollscope import Result

        if signal == "traces":
            for resource in json.loads(body)["resourceSpans"]:
                self._spans += [span for scope in resource["scopeSpans"] for span in scope["spans"]]
        return Result("sent")

    def close(self):
        """There is nothing to close."""

    def finished(self, exporter):
        import rollscope

        rollscope.flush()
        return tuple(map(self._readable, self._spans))

    @classmethod
    def _readable(cls, span):
        from opentelemetry.sdk.trace import Event, ReadableSpan
        from opentelemetry.trace import SpanContext, Status, StatusCode, TraceFlags

        def context(span_id):
            return SpanContext(int(span["traceId"], 16), int(span_id, 16), False, TraceFlags(1))

        return ReadableSpan(
            span["name"],
            context=context(span["spanId"]),
            parent=context(span["parentSpanId"]) if span.get("parentSpanId") else None,
            attributes=cls._attributes(span),
            events=[Event(event["name"], cls._attributes(event), int(event["timeUnixNano"])) for event in span.get("events", ())],
            status=Status(StatusCode(span.get("status", {}).get("code", 0))),
        )

    @classmethod
    def _attributes(cls, thing):
        return {each["key"]: cls._value(each["value"]) for each in thing.get("attributes", ())}

    @classmethod
    def _value(cls, value):
        [(kind, plain)] = value.items()
        if kind == "arrayValue":
            return [cls._value(each) for each in plain["values"]]
        return int(plain) if kind == "intValue" else plain


def exchange():
    os.environ["ROLLSCOPE_HOME"] = str(ROOT)
    from rollscope.compat import xtuner

    put(TRACE, xtuner)
    if IS_1891:
        return
    for name in ("api", "runtime", "rollout_api"):
        sys.modules[f"{TRACE}.{name}"] = getattr(xtuner, name)
    # The tests patch these two of XTuner's to switch tracing on.
    xtuner.api._ensure_trace_runtime_from_env = xtuner.api.is_trace_enabled = lambda: True
    os.environ["XTUNER_TRACE_ENABLED"] = "1"
    if MODE == "read-back":
        import rollscope
        from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

        recorded = Recorded()
        rollscope.init(run="compat", transport=recorded)
        InMemorySpanExporter.get_finished_spans = lambda exporter: recorded.finished(exporter)


for each in ("recipe", "xtuner", "xtuner.tools", "xtuner.v1", "xtuner.v1.rl", "xtuner.v1.rl.utils", "xtuner.v1.data_proto", "xtuner.v1.train"):
    package(each)
stand_in("xtuner.v1.rl.utils.misc", find_free_ports=None)
stand_in("xtuner.v1.utils", get_logger=lambda *names, **more: logging.getLogger("xtuner"))
stand_in("xtuner.v1.utils.logger", get_logger=sys.modules["xtuner.v1.utils"].get_logger)
stand_in("xtuner.v1.data_proto.utils", calculate_seq_staleness=lambda model_step, current_train_step: current_train_step - model_step - 1)
if MODE != "control":
    exchange()
if IS_1891:
    trainer()
