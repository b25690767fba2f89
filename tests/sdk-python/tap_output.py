"""What pytest-tap leaves out: the values of a comparison that failed, and tests that fail when their fixtures end."""
import io
import os

from _pytest._io import TerminalWriter


def pytest_configure(config):
    # Comparisons are written with the writer of the terminal, which is not there beside TAP.
    if config.getoption("tap_stream"):
        config.get_terminal_writer = lambda: TerminalWriter(io.StringIO())


def pytest_runtest_logreport(report):
    """A test that failed at its end fails the suite, too."""
    if report.when == "teardown" and report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        print(f"not ok - {report.nodeid}, at its end", *(f"# {line}" for line in report.longreprtext.splitlines()), sep="\n", flush=True)
