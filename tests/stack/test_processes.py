"""Started, probed, told apart, and ended without a rest."""
import os
import signal
import subprocess

from stack import answers, free_port, is_alive, wait_until

GRAFANA = """
    import http.server, sys
    ini = open(sys.argv[sys.argv.index("--config") + 1]).read()
    port = int([line.split("=")[1] for line in ini.splitlines() if line.startswith("http_port")][0])
    class Health(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200 if self.path == "/api/health" else 404)
            self.end_headers()
        def log_message(self, *words): pass
    http.server.HTTPServer(("127.0.0.1", port), Health).serve_forever()
"""


def test_started_in_the_background_all_parts_are_ready_and_stop_ends_them(stack):
    said = stack.start()
    assert "rollscope   ready" in said and "prometheus  ready" in said
    parts = stack.parts()
    assert {name: part["state"] for name, part in parts.items()} == {"rollscope": "ready", "prometheus": "ready"}
    assert answers(parts["prometheus"]["url"] + "/-/ready") and answers(parts["rollscope"]["url"] + "/readyz")
    again = stack.call(*stack.start_arguments("--detach"))
    assert again.returncode == 0 and "already running" in again.stdout
    done = stack.stop()
    assert done.returncode == 0 and done.stdout == "stopped prometheus, rollscope\n"
    assert not any(is_alive(part["pid"]) for part in parts.values())
    done = stack.stop()
    assert done.returncode == 0 and "no stack is running" in done.stdout


def test_what_is_generated_is_clean(stack):
    stack.start()
    config = os.path.join(stack.data, "stack", "prometheus.yml")
    done = subprocess.run(["promtool", "check", "config", config], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_program_that_is_missing_is_named(stack):
    done = stack.call(*stack.start_arguments("--with", "tempo"))
    assert done.returncode == 1
    assert done.stderr == "rollscope: tempo: not found on the PATH (expected: an installed one; --tempo FILE says where)\n"


def test_an_unknown_part_is_wrong_usage(stack):
    done = stack.call(*stack.start_arguments("--with", "jaeger"))
    assert (done.returncode, done.stderr) == (2, "rollscope: --with: jaeger (expected: prometheus, tempo or grafana)\n")


def test_a_part_that_ends_at_once_is_told_with_its_last_words_and_nothing_is_left(stack, program):
    broken = program("grafana", 'import sys; sys.exit("no such plugin: ☃")\n')
    done = stack.call(*stack.start_arguments("--with", "prometheus,grafana", "--grafana", broken, "--grafana-port", str(free_port())))
    assert done.returncode == 1
    assert done.stderr.startswith("rollscope: grafana: ended: no such plugin: ☃ (expected: a start; see "), done.stderr
    assert stack.parts() == {}
    assert not answers(f"http://127.0.0.1:{stack.port}/-/ready")


def test_a_port_in_use_is_told(stack, program):
    port = free_port()
    squatter = subprocess.Popen([program("squatter", GRAFANA), "--config", write_ini(stack, port)])
    try:
        wait_until(lambda: answers(f"http://127.0.0.1:{port}/api/health"), "the squatter")
        done = stack.call(*stack.start_arguments("--with", "grafana", "--grafana", program("grafana", GRAFANA), "--grafana-port", str(port)))
        assert done.returncode == 1
        assert f"grafana: something answers at http://127.0.0.1:{port} (expected: a free port" in done.stderr
    finally:
        squatter.kill()
        squatter.wait()


def write_ini(stack, port):
    path = os.path.join(stack.environment["HOME"], "squatter.ini")
    with open(path, "w", encoding="ascii") as out:
        out.write(f"http_port = {port}\n")
    return path


def test_ctrl_c_ends_all_of_it(stack, program):
    process = stack.in_foreground("--with", "prometheus,grafana", "--grafana", program("grafana", GRAFANA), "--grafana-port", str(free_port()))
    parts = wait_until_ready(stack, {"rollscope", "prometheus", "grafana"})
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    assert not any(is_alive(part["pid"]) for part in parts.values())


def test_nothing_outlives_a_foreground_stack_that_is_killed(stack):
    process = stack.in_foreground("--with", "prometheus")
    parts = wait_until_ready(stack, {"rollscope", "prometheus"})
    process.kill()
    process.wait()
    wait_until(lambda: not any(is_alive(part["pid"]) for part in parts.values()), "all parts to end")


def test_a_part_that_dies_later_is_told_and_shown(stack):
    process = stack.in_foreground("--with", "prometheus")
    parts = wait_until_ready(stack, {"rollscope", "prometheus"})
    os.kill(parts["prometheus"]["pid"], signal.SIGKILL)
    wait_until(lambda: stack.parts()["prometheus"]["state"] == "dead", "the death to be seen")
    assert "prometheus has ended: " in first_line(process.stderr, "has ended")
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0


def first_line(stream, word):
    for line in stream:
        if word in line:
            return line
    raise AssertionError(f"no line with {word!r}")


def wait_until_ready(stack, names):
    wait_until(lambda: {n for n, part in stack.parts().items() if part["state"] == "ready"} == names, f"{names} to be ready")
    return stack.parts()


def test_compose_writes_a_file_and_what_it_mounts(stack, tmp_path):
    done = subprocess.run([os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "rollscope"), "stack", "compose", "-o", "docker-compose.yml"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    import yaml

    services = yaml.safe_load((tmp_path / "docker-compose.yml").read_text())["services"]
    assert set(services) == {"rollscope", "prometheus", "tempo", "grafana"}
    for service in services.values():
        assert ":latest" not in service["image"] and ":" in service["image"]
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    mounts = [mount.split(":")[0] for service in services.values() for mount in service["volumes"] if mount.startswith("./")]
    assert all((tmp_path / mount).exists() for mount in mounts)
    config = tmp_path / "rollscope-stack" / "prometheus.yml"
    assert subprocess.run(["promtool", "check", "config", "--syntax-only", str(config)], capture_output=True).returncode == 0
