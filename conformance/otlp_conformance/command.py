"""The command line: which checks, against what, and how to say the results."""
import argparse
import fnmatch
import sys
import time

from otlp_conformance.registry import LEVELS, MUST, SHOULD, Failed, Skipped, every_check
from otlp_conformance.report import FAIL, PASS, REPORTS, SKIP, Result
from otlp_conformance.target import Target
from otlp_conformance.verify import VERIFIERS


def parser():
    p = argparse.ArgumentParser(prog="conformance/run", description="Checks an OTLP receiver from outside.")
    p.add_argument("--http", metavar="URL", help="OTLP/HTTP, without /v1/…: http://127.0.0.1:4318")
    p.add_argument("--grpc", metavar="HOST:PORT", help="OTLP/gRPC; with https:// in front: over TLS")
    p.add_argument("--format", choices=REPORTS, default="text")
    p.add_argument("--only", metavar="ID", nargs="+", default=[], help="ids, beginnings of ids, or patterns with *")
    p.add_argument("--skip", metavar="ID", nargs="+", default=[], help="the same, left out")
    p.add_argument("--level", choices=[x.lower() for x in LEVELS], default="extra", help="must: only these; should: these two")
    p.add_argument("--list", action="store_true", help="print ids, levels and sentences, and check nothing")
    p.add_argument("--header", metavar="'NAME: VALUE'", action="append", default=[], help="for every request; may be repeated")
    for transport in ("http", "grpc"):
        p.add_argument(
            f"--{transport}-limit", metavar="BYTES", type=int, default=64 << 20, help="size of the largest message (default: 64 MiB)"
        )
    p.add_argument("--log-event", metavar="NAME", default="", help="event name of log records, if only some are taken")
    p.add_argument("--pressure", metavar="MIB", type=int, default=0, help="half-sent requests to provoke back-pressure with")
    p.add_argument("--verify", metavar="KIND=URL", help=f"look into the receiver; KIND: {', '.join(VERIFIERS)}")
    return p


def main(arguments):
    p = parser()
    options = p.parse_args(arguments)
    selected = [c for c in every_check() if _is_wanted(c, options)]
    if not selected:
        p.error(f"--only {' '.join(options.only)}: no such check (expected: some of --list)")
    if options.list:
        for c in selected:
            print(f"{c.id}\t{c.level}\t{c.says}")
        return 0
    if not options.http and not options.grpc:
        p.error("--http, --grpc: neither given (expected: at least one)")
    if options.http and not options.http.startswith(("http://", "https://")):
        options.http = "http://" + options.http
    target = Target(
        options.http,
        options.grpc,
        [_header(p, h) for h in options.header],
        options.http_limit,
        options.grpc_limit,
        options.log_event,
        _verifier(p, options),
        options.pressure,
    )
    try:
        unreachable = target.unreachable()
        if unreachable:
            print(f"conformance: {unreachable} (expected: a receiver that listens there)", file=sys.stderr)
            return 2
        return _run(selected, target, REPORTS[options.format]())
    finally:
        target.close()


def _run(selected, target, report):
    results = []
    report.begin()
    for c in selected:
        results.append(_result(c, target))
        report.add(results[-1])
    report.end(results)
    return 1 if any(r.outcome == FAIL for r in results) else 0


def _result(c, target):
    begin = time.monotonic()
    try:
        outcome, observed = PASS, c.run(target) or ""
    except Failed as e:
        outcome, observed = FAIL, str(e)
    except Skipped as e:
        outcome, observed = SKIP, str(e)
    except OSError as e:  # no connection, no answer in time, hung up
        outcome, observed = FAIL, f"{type(e).__name__}: {e}"
    except Exception as e:  # an answer nobody foresaw must not end the other checks
        outcome, observed = FAIL, f"unexpected {type(e).__name__}: {e}"
    return Result(c.id, c.level, c.says, outcome, observed, round(time.monotonic() - begin, 3))


def _is_wanted(c, options):
    levels = {"must": (MUST,), "should": (MUST, SHOULD), "extra": LEVELS}[options.level]
    named = not options.only or any(_matches(c.id, x) for x in options.only)
    return c.level in levels and named and not any(_matches(c.id, x) for x in options.skip)


def _matches(id, wanted):
    return id == wanted or id.startswith(wanted.rstrip(".") + ".") or fnmatch.fnmatchcase(id, wanted)


def _header(p, text):
    name, colon, value = text.partition(":")
    if not colon:
        p.error(f"--header {text} (expected: 'Name: value')")
    return name.strip(), value.strip()


def _verifier(p, options):
    if not options.verify:
        return None
    kind, _, url = options.verify.partition("=")
    if kind not in VERIFIERS or not url:
        p.error(f"--verify {options.verify} (expected: KIND=URL with KIND of {', '.join(VERIFIERS)})")
    return VERIFIERS[kind](url if "://" in url else "http://" + url, [_header(p, h) for h in options.header])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
