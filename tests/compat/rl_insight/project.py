"""RL-Insight: the tests of what a trainer calls. Its server's, its hub's and its Ray client's are of machinery that Rollscope has not."""

MARKER = "rl_insight/api.py"


def suites(original):
    for name in ("test_api.py", "test_agent_loop.py", "utils/test_prometheus_utils.py"):
        if (original / "tests/monitor/ut" / name).exists():
            # They replace private parts of the modules, so that they cannot run on the exchanged module alone.
            yield f"tests/monitor/ut/{name}", lambda mode: None if mode == "exchanged" else {}
