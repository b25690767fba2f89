"""AReaL: the tracer's tests of pull requests 539 and 569 and of main, and those of its converter."""

MARKER = "areal/utils/perf_tracer.py"


def suites(original):
    for name in ("test_perf_tracer.py", "test_perf_trace_converter.py"):
        for folder in ("tests", "areal/tests"):
            if (original / folder / name).exists():
                reads_back = name == "test_perf_tracer.py"
                yield f"{folder}/{name}", lambda mode, reads_back=reads_back: {} if reads_back or mode != "read-back" else None
