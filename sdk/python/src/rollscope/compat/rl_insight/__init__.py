"""RL-Insight's online monitor by its own names: change the import line, and what it recorded arrives at Rollscope.

    import rollscope.compat.rl_insight as insight          # was: import rl_insight as insight

    insight.init(project="verl", experiment_name="demo")
    insight.metric_gauge("reward", 0.71, worker="w0")
    with insight.trace_state("rollout", state_lane_id="replica_0"):
        ...

Both generations of the names are here: `metric_value`, `metric_distribution`, `close` and the first form of
`update_prometheus_config` come from the first one. Neither Ray nor Prometheus is needed. A name or an argument that is
not known is one warning, and does nothing. See docs/sdk-compat.md.
"""

from __future__ import annotations

from typing import Any

from .._unknown import unknown
from ._agent_loop import agent_loop_lane_id, agent_loop_session
from ._metrics import metric_count, metric_distribution, metric_gauge, metric_histogram, metric_value
from ._monitor import close, finish, init
from ._prometheus import ArchivedExperimentError, update_prometheus_config
from ._trace import trace_op, trace_span, trace_state

#: The version of RL-Insight whose names these are.
__version__ = "0.3.0"

__all__ = [
    "ArchivedExperimentError",
    "__version__",
    "agent_loop_lane_id",
    "agent_loop_session",
    "close",
    "finish",
    "init",
    "metric_count",
    "metric_distribution",
    "metric_gauge",
    "metric_histogram",
    "metric_value",
    "trace_op",
    "trace_span",
    "trace_state",
    "update_prometheus_config",
]


def __getattr__(name: str) -> Any:
    return unknown("rl_insight", name)
