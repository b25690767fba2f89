"""XTuner: the tracer's tests of pull request 1891 (a module `trace.py`) and of main (a package `trace`)."""

MARKER = "xtuner/v1/rl"


def suites(original):
    yield "tests/rl/test_trace.py", lambda mode: {}
