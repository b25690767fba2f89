"""Thousands of connections to each port of a real server, silent ones and such that send a byte: others are served."""

import argparse
import json
import os
import re
import resource
import shutil
import socket
import sys
import tempfile
import time
import urllib.parse
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import limits  # noqa: E402

CLIENTS = 40
TRICKLE = b"POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{"


def connect(port, number):
    """From one of many addresses of this machine: each client has a share only."""
    here = socket.socket()
    here.bind((f"127.0.7.{number % CLIENTS + 1}", 0))
    here.connect(("127.0.0.1", port))
    return here


def metric(server, name):
    with urllib.request.urlopen(server.addresses["url"] + "/metrics", timeout=60) as answer:
        found = re.search(rf"^{name} (\S+)$", answer.read().decode(), re.M)
    return float(found.group(1)) if found else float("nan")


def resident_mb(pid):
    """Of the process and what it started: the launcher may be a shell."""
    total = 0
    for folder in os.listdir("/proc"):
        if folder.isdigit():
            try:
                with open(f"/proc/{folder}/stat") as stat, open(f"/proc/{folder}/statm") as memory:
                    mine = int(folder) == pid or int(stat.read().rsplit(")", 1)[1].split()[1]) == pid
                    total += int(memory.read().split()[1]) * mine
            except OSError:
                pass
    return total * resource.getpagesize() / 2**20


def served(server, number):
    begin = time.monotonic()
    status = limits.post(server, limits.spans("r", range(number, number + 1)))[0]
    return status == 200, f"{status} after {time.monotonic() - begin:.1f} s"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--connections", type=int, default=10_000, help="per port")
    wanted = parser.parse_args().connections
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    each = min(wanted, (hard - 500) // 3)
    data = tempfile.mkdtemp()
    server = limits.started(data, "-Xmx1g")
    held = []
    try:
        ports = [urllib.parse.urlsplit(server.addresses[name]).port for name in ("url", "otlp_http")]
        ports.append(int(server.addresses["otlp_grpc"].rsplit(":", 1)[1]))
        begin = time.monotonic()
        for number in range(each):
            for port in ports:
                held.append(connect(port, number))
            if number % 2:
                try:
                    held[-2].sendall(TRICKLE)
                except OSError:
                    pass  # Closed at once: it was one too many.
        took = time.monotonic() - begin
        print(f"# {len(held)} connections in {took:.0f} s, {metric(server, 'rollscope_connections'):.0f} open,"
              f" {metric(server, 'rollscope_connections_refused'):.0f} refused, {resident_mb(server.process.pid):.0f} MB")
        fine, why = served(server, 1)
        limits.tell(fine, "others are served while they are open", why)
        in_flight = metric(server, "rollscope_requests_in_flight_bytes")
        limits.tell(in_flight < 4096 * each, "a byte takes little room", f"{in_flight:.0f} bytes")
        ready = server.ask("/readyz")
        limits.tell(ready == {"status": "ok"}, "it is ready", json.dumps(ready))
        for connection in held:
            connection.close()
        held.clear()
        fine, why = served(server, 2)
        limits.tell(fine, "they are served when those are closed", why)
    finally:
        for connection in held:
            connection.close()
        server.stop()
        shutil.rmtree(data, ignore_errors=True)
    sys.exit(limits.failed)


if __name__ == "__main__":
    main()
