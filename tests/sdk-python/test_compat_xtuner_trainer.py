"""XTuner's trainer around rollscope.compat.xtuner: it starts a viewer of its own, on the same port, and logs where it is."""
import importlib
import json
import os
import socket
import sys
import urllib.request
from pathlib import Path

import pytest
from server import ROLLSCOPE
from test_viewer import answers, free_port
from xtuner_parts import sample, unsaid  # noqa: F401

import rollscope.compat.xtuner as compat
from rollscope.compat.xtuner import TraceConfig, close_trace, configure_trace, trace_span

#: What XTuner has at this place reads files of its own, and fails if the port is taken.
ORIGINAL = """
import http.server
def start_trace_viewer(trace_dir, *, host="127.0.0.1", port=0, refresh_interval_s=1.0, scope="latest-produce-batch"):
    raise AssertionError("XTuner's own viewer was started")
def build_viewer_payload(trace_dir):
    return {"rows": []}
"""


class Trainer:
    """The part of XTuner's trainer that is about its viewer."""

    def __init__(self, find_viewer):
        self._find_viewer = find_viewer
        self.logged = []

    def init_trace(self, config, folder):
        if config.enabled and config.output_dir is None:
            config = config.model_copy(update={"output_dir": folder / "producer_trace"})
        configure_trace(config)
        self._handle = self._find_viewer()(
            Path(config.output_dir),
            host=config.viewer_host,
            port=config.viewer_port,
            refresh_interval_s=config.viewer_refresh_interval_s,
            scope=config.viewer_scope,
        )
        self.logged.append(f"Producer Trace Viewer: {self._handle.url}")

    def close_trace(self):
        self._handle.close()
        close_trace()


@pytest.fixture
def original(tmp_path, monkeypatch):
    """A package in XTuner's place; returns what imports its module, late as the trainer does."""
    folder = tmp_path / "site" / "xtuner" / "tools"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("")
    (folder / "producer_trace_viewer.py").write_text(ORIGINAL)
    monkeypatch.syspath_prepend(tmp_path / "site")
    yield lambda: importlib.import_module("xtuner.tools.producer_trace_viewer")
    close_trace()
    for name in [name for name in sys.modules if name.partition(".")[0] == "xtuner"]:
        del sys.modules[name]


@pytest.fixture
def launcher(monkeypatch):
    monkeypatch.setenv("ROLLSCOPE_HOME", os.path.dirname(ROLLSCOPE))


def live(url):
    with urllib.request.urlopen(f"{url}/api/v1/runs/exp/live?scope=all", timeout=10) as answer:
        return [row["session"] for row in json.load(answer)["rows"]]


@pytest.mark.parametrize("imported", ["before", "after", "changed"])
def test_the_trainers_own_viewer_is_ours(server, original, launcher, tmp_path, capfd, imported):
    """Before: XTuner's module was loaded when tracing was set up. Changed: the trainer imports our function."""
    if imported == "before":
        original()
    trainer = Trainer((lambda: compat.start_trace_viewer) if imported == "changed" else lambda: original().start_trace_viewer)
    port = free_port()
    trainer.init_trace(TraceConfig(enabled=True, viewer_port=port, viewer_refresh_interval_s=2.5, viewer_scope="all"), tmp_path / "exp")
    url = f"http://127.0.0.1:{port}"
    assert trainer.logged == [f"Producer Trace Viewer: {url}"]
    assert capfd.readouterr().out == f"Producer Trace Viewer: {url}\n"
    with trace_span(sample(5), "work"):
        server.wait_for(lambda: live(url), ["gsm8k:5"])
    trainer.close_trace()
    assert not answers(url)
    if imported != "changed":
        with pytest.raises(AssertionError, match="own viewer"):
            original().start_trace_viewer(tmp_path)


def test_a_port_that_is_taken_costs_one_warning_and_not_the_training(server, original, launcher, tmp_path, caplog):
    """A second run on the same machine, with the same configuration."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        trainer = Trainer(lambda: original().start_trace_viewer)
        trainer.init_trace(TraceConfig(enabled=True, viewer_port=port), tmp_path / "exp")
    url = trainer.logged[0].split(": ", 1)[1]
    assert answers(url) and not url.endswith(f":{port}")
    assert [record.getMessage() for record in caplog.records] == [f"rollscope: viewer: port {port} of 127.0.0.1 is taken; a free one is used"]
    trainer.close_trace()


def test_what_is_sent_to_a_server_is_shown_there(server, run, original, tmp_path, monkeypatch):
    monkeypatch.setenv("ROLLSCOPE_URL", server.otlp)
    monkeypatch.setenv("ROLLSCOPE_RUN", run)
    monkeypatch.setenv("ROLLSCOPE_DATA", server.data)
    monkeypatch.setenv("ROLLSCOPE_HOME", os.path.dirname(ROLLSCOPE))
    trainer = Trainer(lambda: original().start_trace_viewer)
    trainer.init_trace(TraceConfig(enabled=True, viewer_port=free_port()), tmp_path / "exp")
    assert trainer.logged == [f"Producer Trace Viewer: {server.url}"]
    trainer.close_trace()
    assert answers(server.url)


def test_without_the_launcher_the_trainer_goes_on(original, tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("ROLLSCOPE_HOME", str(tmp_path))
    trainer = Trainer(lambda: original().start_trace_viewer)
    trainer.init_trace(TraceConfig(enabled=True), tmp_path / "exp")
    assert trainer.logged == ["Producer Trace Viewer: none"]
    assert {"no viewer" in record.getMessage() for record in caplog.records} == {True}
    trainer.close_trace()


def test_a_stand_in_of_a_test_stays(original, tmp_path, monkeypatch):
    """XTuner's own test of its trainer puts a mock there, and asks what it was called with."""
    module, mock = original(), object()
    monkeypatch.setattr(module, "start_trace_viewer", mock)
    configure_trace(TraceConfig(enabled=True, output_dir=tmp_path / "d", viewer_enabled=False))
    assert module.start_trace_viewer is mock
    close_trace()
    assert module.start_trace_viewer is mock


def test_xtuner_is_not_imported_for_it(original, tmp_path):
    configure_trace(TraceConfig(enabled=True, output_dir=tmp_path / "d", viewer_enabled=False))
    assert "xtuner" not in sys.modules
    close_trace()
    assert not [finder for finder in sys.meta_path if type(finder).__module__.startswith("rollscope")]
    assert original().build_viewer_payload(tmp_path) == {"rows": []}
    assert original().start_trace_viewer.__module__ == "xtuner.tools.producer_trace_viewer"


def test_a_folder_of_xtuners_own_files_is_shown(server, launcher, tmp_path):
    """An older run, opened by the same call."""
    line = {"trace_id": "gsm8k:1", "stage": "work.start", "timestamp_s": 1780000000.0, "uid": 1, "task_name": "gsm8k"}
    folder = tmp_path / "exp" / "producer_trace"
    folder.mkdir(parents=True)
    (folder / "producer_trace_1_0001_000000.jsonl").write_text(json.dumps(line) + "\n")
    handle = compat.start_trace_viewer(folder)
    try:
        server.wait_for(lambda: live(handle.url), ["gsm8k:1"])
    finally:
        handle.close()
    assert handle.closed and not answers(handle.url)


def test_mains_trainer_has_its_viewer_from_the_config(server, launcher, tmp_path, capfd):
    """Its `TraceConfig` names the viewer otherwise, and the runtime starts it."""
    folder = tmp_path / "exp" / "otel"
    port = free_port()
    runtime = configure_trace(TraceConfig(enabled=True, output_dir=folder, xtuner_viewer_enabled=True, xtuner_viewer_port=port))
    try:
        assert (runtime.enabled, runtime.mode, runtime.run_id, runtime.service_name) == (True, "driver", "exp", "xtuner-rollout")
        assert (runtime.trace_viewer_url, runtime.trace_viewer_port, runtime.run_dir) == (f"http://127.0.0.1:{port}", port, folder)
        assert capfd.readouterr().out == f"Producer Trace Viewer: http://127.0.0.1:{port}\n"
        assert compat.current_trace_runtime() is runtime
    finally:
        close_trace()
    assert compat.current_trace_runtime() is None and not answers(f"http://127.0.0.1:{port}")
    assert configure_trace().mode == "disabled"
    close_trace()
