"""Code, else ROLLSCOPE_*, else OTEL_*, else the default; what is wrong in the environment never ends a training run."""
import logging
import os
import subprocess
import sys
import threading

import pytest

import rollscope
from rollscope import _checks, _settings


def of(environment=None, **said):
    return _settings.from_code(environment or {}, said)


@pytest.fixture(autouse=True)
def forget_what_was_said():
    _checks._said.clear()


ROLLSCOPE_VARIABLES = [
    ("ROLLSCOPE_URL", "host:4318", "url", "http://host:4318"),
    ("ROLLSCOPE_URL", " https://host/base ", "url", "https://host/base"),
    ("ROLLSCOPE_RUN", "r", "run", "r"),
    ("ROLLSCOPE_RUN_ID", "r1", "run_id", "r1"),
    ("ROLLSCOPE_PROJECT", "p", "project", "p"),
    ("ROLLSCOPE_TOKEN", "t", "token", "t"),
    ("ROLLSCOPE_SPOOL", "/tmp/spool", "spool", "/tmp/spool"),
    ("ROLLSCOPE_ROLE", "judge", "role", "judge"),
    ("ROLLSCOPE_RANK", "3", "rank", 3),
    ("RANK", "4", "rank", 4),
    ("SLURM_PROCID", "5", "rank", 5),
    ("OMPI_COMM_WORLD_RANK", "6", "rank", 6),
    *[("ROLLSCOPE_ENABLED", word, "enabled", True) for word in ("1", "true", "Yes", "ON")],
    *[("ROLLSCOPE_ENABLED", word, "enabled", False) for word in ("0", "false", "No", "OFF")],
    ("ROLLSCOPE_ENABLED", "", "enabled", None),
    ("ROLLSCOPE_VIEWER", "1", "viewer", True),
    ("ROLLSCOPE_VIEWER", "0", "viewer", False),
]
OTEL_VARIABLES = [
    ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4318", "url", "http://c:4318"),
    ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://c/v1/traces", "url", "http://c"),
    ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://c/odd", "signal_urls", {"traces": "http://c/odd"}),
    ("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "http://c/l", "signal_urls", {"logs": "http://c/l"}),
    ("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "http://c/m", "signal_urls", {"metrics": "http://c/m"}),
    ("OTEL_EXPORTER_OTLP_HEADERS", "a=b, c%2Dd=e%20f", "headers", {"a": "b", "c-d": "e f"}),
    ("OTEL_EXPORTER_OTLP_TIMEOUT", "2500", "timeout_s", 2.5),
    ("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip", "compress", True),
    ("OTEL_EXPORTER_OTLP_COMPRESSION", "none", "compress", False),
    ("OTEL_EXPORTER_OTLP_CERTIFICATE", "/ca.pem", "certificate", "/ca.pem"),
    ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf", "compress", False),
    ("OTEL_RESOURCE_ATTRIBUTES", "zone=a,team=b%2Cc", "resource", {"zone": "a", "team": "b,c"}),
    ("OTEL_SERVICE_NAME", "trainer", "resource", {"service.name": "trainer"}),
    ("OTEL_SDK_DISABLED", "true", "enabled", False),
    ("OTEL_SDK_DISABLED", "false", "enabled", None),
]


@pytest.mark.parametrize("variable, value, setting, expected", ROLLSCOPE_VARIABLES + OTEL_VARIABLES)
def test_a_variable_is_read(caplog, variable, value, setting, expected):
    assert getattr(of({variable: value}), setting) == expected
    assert not caplog.messages


GARBAGE = [
    ("ROLLSCOPE_URL", "ftp://host", "url", None),
    ("ROLLSCOPE_URL", "host:port", "url", None),
    ("ROLLSCOPE_URL", "http://[::1", "url", None),
    ("ROLLSCOPE_URL", "http://a b", "url", None),
    ("ROLLSCOPE_URL", "http://" + "a" * 70 + "\u00e4", "url", None),
    ("ROLLSCOPE_URL", "://", "url", None),
    ("ROLLSCOPE_ENABLED", "maybe", "enabled", None),
    ("ROLLSCOPE_VIEWER", "2", "viewer", False),
    ("ROLLSCOPE_RANK", "-1", "rank", None),
    ("ROLLSCOPE_RANK", "1.5", "rank", None),
    ("RANK", "٣", "rank", None),
    ("RANK", "9" * 5000, "rank", None),
    ("ROLLSCOPE_TOKEN", "a\nb", "token", None),
    ("ROLLSCOPE_TOKEN", "ключ", "token", None),
    ("OTEL_EXPORTER_OTLP_ENDPOINT", "grpc://x", "url", None),
    ("OTEL_EXPORTER_OTLP_HEADERS", "novalue", "headers", {}),
    ("OTEL_EXPORTER_OTLP_HEADERS", "a=b%0d%0aEvil: yes", "headers", {}),
    ("OTEL_EXPORTER_OTLP_HEADERS", "a b=c", "headers", {}),
    ("OTEL_EXPORTER_OTLP_TIMEOUT", "soon", "timeout_s", 10.0),
    ("OTEL_EXPORTER_OTLP_TIMEOUT", "0", "timeout_s", 10.0),
    ("OTEL_EXPORTER_OTLP_TIMEOUT", "99999999999999", "timeout_s", 10.0),
    ("OTEL_EXPORTER_OTLP_COMPRESSION", "zstd", "compress", False),
    ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "url", None),
    ("OTEL_RESOURCE_ATTRIBUTES", "zone", "resource", {}),
    ("OTEL_SDK_DISABLED", "perhaps", "enabled", None),
]


@pytest.mark.parametrize("variable, value, setting, default", GARBAGE)
def test_garbage_in_the_environment_is_one_warning_and_the_default(caplog, variable, value, setting, default):
    for _ in range(3):  # the import reads it, and every init
        assert getattr(of({variable: value}), setting) == default
    [message] = caplog.messages
    assert variable in message and "(expected: " in message and message.endswith("; ignored")


def test_a_token_is_never_written_to_a_log(caplog):
    of({"ROLLSCOPE_TOKEN": "geheim\u00e4"})
    with pytest.raises(ValueError, match="token") as raised:
        of(token="geheim\n2")
    assert "geheim" not in caplog.text + str(raised.value)


WRONG_IN_CODE = [
    ("run", ""),
    ("run", 7),
    ("url", "ftp://x"),
    ("url", 4318),
    ("url", "http://h:99999"),
    ("spool", ""),
    ("spool", "/proc/nobody/may/write"),
    ("spool", 7),
    ("token", "a\nb"),
    ("rank", -1),
    ("rank", True),
    ("rank", "0"),
    ("enabled", "no"),
    ("viewer", 1),
    ("content", 0),
    ("content", 1 << 20),
    ("buffer", 1),
    ("timeout_s", 0),
    ("timeout_s", float("nan")),
    ("resource", ["a"]),
    ("nonsense", 1),
]


@pytest.mark.parametrize("name, value", WRONG_IN_CODE)
def test_a_wrong_value_in_code_raises_and_says_what_was_expected(name, value):
    with pytest.raises(ValueError, match=r"\(expected: "):
        rollscope.Rollscope(**{name: value})


def test_numpy_numbers_are_numbers():
    numpy = pytest.importorskip("numpy")
    assert type(of(rank=numpy.int64(3)).rank) is int


def test_code_wins_over_rollscope_wins_over_opentelemetry(tmp_path):
    both = {"ROLLSCOPE_URL": "ours:1", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://otel:1", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://otel:2/v1/traces"}
    assert of(both).urls()["traces"] == "http://ours:1/v1/traces"
    assert of(both, url="code:1").urls()["traces"] == "http://code:1/v1/traces"
    assert of({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://otel:2/t"}, url="code:1").urls()["traces"] == "http://code:1/v1/traces"
    assert of({"ROLLSCOPE_RANK": "1", "RANK": "2"}, rank=3).rank == 3
    assert of({"ROLLSCOPE_RANK": "1", "RANK": "2"}).rank == 1
    assert of({"ROLLSCOPE_ENABLED": "1", "OTEL_SDK_DISABLED": "true"}).is_on
    assert not of({"ROLLSCOPE_URL": "h:1", "ROLLSCOPE_ENABLED": "0"}).is_on
    assert of({"ROLLSCOPE_ENABLED": "0"}, enabled=True).is_on
    assert of({"OTEL_SERVICE_NAME": "env", "OTEL_RESOURCE_ATTRIBUTES": "zone=a"}, resource={"zone": "b"}).resource == {"service.name": "env", "zone": "b"}
    spool = str(tmp_path)
    assert of({"ROLLSCOPE_SPOOL": spool}, url="code:1").spool is None
    assert of({"ROLLSCOPE_URL": "h:1"}, spool=spool).url is None
    assert of(spool=spool, url="h:1").spool == of(url="h:1", spool=spool).spool == spool


def test_specific_endpoints_are_used_as_they_stand():
    settings = of({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:1/base/", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "http://m:2/in?x=1"})
    assert settings.urls() == {"traces": "http://c:1/base/v1/traces", "logs": "http://c:1/base/v1/logs", "metrics": "http://m:2/in?x=1"}


@pytest.mark.parametrize(
    "environment, on",
    [({}, False), ({"ROLLSCOPE_RUN": "r"}, False), ({"ROLLSCOPE_URL": "h:1"}, True), ({"ROLLSCOPE_SPOOL": "/tmp/s"}, True), ({"ROLLSCOPE_ENABLED": "1"}, True)],
)
def test_on_if_there_is_somewhere_to_send(environment, on):
    assert of(environment).is_on is on


def test_the_run_is_what_was_said_first():
    def run(settings):
        found = settings.resource_attributes("i")
        return found["rl.run.id"], found["rl.run.name"]

    assert run(of(run="n")) == ("n", "n")
    assert run(of(run="n", run_id="i")) == ("i", "n")
    assert run(of(run_id="i")) == ("i", "i")
    assert run(of({"OTEL_RESOURCE_ATTRIBUTES": "rl.run.id=o"})) == ("o", "o")
    assert run(of({"OTEL_RESOURCE_ATTRIBUTES": "rl.run.id=o"}, run="n")) == ("n", "n")
    assert run(of())[0] == os.path.splitext(os.path.basename(sys.argv[0]))[0] or run(of())[0] == "run"


def test_the_environment_of_a_child_says_the_same_again():
    mine = of({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:1"}, run="n", run_id="i", project="p", token="t", rank=3, role="x")
    child = of(mine.environment())
    assert (child.url, child.run, child.run_id, child.project, child.token, child.enabled) == ("http://c:1", "n", "i", "p", "t", True)
    assert (child.rank, child.role) == (None, None)


CHILD = """
import threading, time, sys
import rollscope as rs
rs.init()
for clock in ("time_ns", "monotonic", "perf_counter", "time", "monotonic_ns"):
    setattr(time, clock, lambda: sys.exit("the clock was read"))
import rollscope._span, rollscope._metrics, rollscope._recorder
for module in (rollscope._span, rollscope._metrics, rollscope._recorder):
    module.time_ns = time.time_ns
@rs.trace("f")
def f(): return 1
@rs.trace
def g():
    yield 1
with rs.batch(train_step=1) as batch, rs.task("t") as task, batch.task("u"), task.session(), batch.session(), rs.session() as session:
    with rs.phase("p", a=1) as phase, rs.state("s", lane="l"):
        phase.set(b=2).event("e"); phase.fail("x"); phase.add_event("e"); phase.set_attribute("a", 1)
    session.accepted(); session.rejected("r"); session.failed(ValueError()); session.dropped(); session.cancelled(); session.count("c")
    assert f() == 1 and list(g()) == [1]
    rs.counter("c").add(1); rs.gauge("g").set(1); rs.histogram("h").record(1)
    assert rs.inject() == {} and rs.environment() == {} and rs.runtime_env({"pip": ["x"]}) == {"pip": ["x"]}
    rs.get().tracer_provider.get_tracer("t").start_span("s").end()
assert rs.flush() and rs.close() and rs.dropped() == {"spans": 0, "starts": 0, "metrics": 0}
assert threading.active_count() == 1, threading.enumerate()
print("done")
"""


@pytest.mark.parametrize("environment", [{}, {"ROLLSCOPE_ENABLED": "0", "ROLLSCOPE_URL": "127.0.0.1:9"}, {"OTEL_SDK_DISABLED": "true", "ROLLSCOPE_URL": "127.0.0.1:9"}])
def test_disabled_reads_no_clock_and_starts_no_thread(environment):
    done = subprocess.run([sys.executable, "-c", CHILD], env={**os.environ, **environment}, capture_output=True, text=True)
    assert (done.stdout, done.stderr, done.returncode) == ("done\n", "", 0)


def test_configured_but_idle_starts_no_thread():
    before = threading.active_count()
    client = rollscope.Rollscope(run="r", url="127.0.0.1:9")
    assert threading.active_count() == before
    assert client.close()


def test_a_bad_spool_in_the_environment_does_not_end_the_import():
    code = "import rollscope as rs\nwith rs.phase('p'): pass\nprint(rs.get().enabled, rs.close(1))"
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "ROLLSCOPE_SPOOL": "/proc/no/spool"}, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("True False\n", 0)
    assert "/proc/no/spool" in done.stderr and "Traceback" not in done.stderr


def test_disabled_leaves_the_context_of_others_alone():
    from opentelemetry import trace
    from opentelemetry.sdk.trace import TracerProvider

    client = rollscope.Rollscope()
    with TracerProvider().get_tracer("t").start_as_current_span("theirs") as theirs:
        with client.session(), client.phase("p"):
            assert trace.get_current_span() is theirs
        with client.tracer_provider.get_tracer("t").start_as_current_span("nothing"):
            assert trace.get_current_span().get_span_context() == theirs.get_span_context()


@pytest.mark.parametrize("buckets", [[], [2, 1], [1, 1], [float("nan")], [1, float("nan"), 2], [1, float("inf")]])
def test_wrong_buckets_raise(buckets):
    with pytest.raises(ValueError, match="buckets"):
        rollscope.Rollscope().histogram("h", buckets=buckets)


@pytest.mark.parametrize("name", ["", " ", None, 7])
def test_a_metric_without_a_name_raises(name):
    with pytest.raises(ValueError, match="metric"):
        rollscope.Rollscope().counter(name)


def test_what_is_said_goes_to_the_log_named_rollscope(caplog):
    with caplog.at_level(logging.WARNING, "rollscope"):
        of({"ROLLSCOPE_ENABLED": "maybe"})
    assert [record.name for record in caplog.records] == ["rollscope"]
