"""Agent loops: one trajectory group of one sample, as RL-Insight's agent dashboard knows them."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence

from ... import _values
from .._unknown import forgiving, unknown
from . import _trace
from ._metrics import record
from ._monitor import Monitor, active

#: RL-Insight's words for the end of a session, in Rollscope's.
_STATUS = {
    "success": "completed",
    "failure": "failed",
    "error": "failed",
    "empty": "dropped",
    "capacity_exhausted": "dropped",
}


@forgiving("")
def agent_loop_lane_id(experiment_name: Any, sample: Any, session: Any, traj: Any = 0) -> str:
    """The lane of a trajectory."""
    said = (("experiment", experiment_name), ("sample", sample), ("session", session), ("traj", traj))
    return "/".join("%s=%s" % (key, _text(value)) for key, value in said)


@forgiving()
def agent_loop_session(
    *,
    project: Any = None,
    experiment_name: Any,
    sample: Any,
    session: Any,
    traj: Any = 0,
    uid: Any = None,
    global_steps: Any = None,
    session_id: Any = None,
) -> "AgentLoopSession":
    """Begins a session. Spans with its `identity` as attributes belong to it; `finish` says what became of it."""
    said = {
        "project": _text(project),
        "experiment_name": _text(experiment_name),
        "sample": _text(sample),
        "session": _text(session),
        "traj": _text(traj),
        "state_lane_id": agent_loop_lane_id(experiment_name, sample, session, traj),
        "uid": _text(uid),
        "global_steps": _number(global_steps),
        "session_id": _text(session_id),
    }
    monitor = active()
    if monitor is not None:
        if not said["project"]:
            said["project"] = monitor.identity.get("project", "")
        monitor.labelled(said, warn=False)
    return AgentLoopSession(said)


class AgentLoopSession:
    """`identity` goes into the attributes of the spans of this session."""

    def __init__(self, identity: Dict[str, Any]) -> None:
        self.identity = identity
        self.start_ns = 0 if active() is None else _trace._now()

    def __getattr__(self, name: str) -> Any:
        return unknown("AgentLoopSession", name)

    @forgiving(None)
    def finish(
        self,
        *,
        trajectories: Sequence[Any],
        status: str,
        runner_name: Optional[str] = None,
        reward_source: Optional[str] = None,
        finished: Optional[bool] = None,
    ) -> None:
        """Sends the session's span, and gauges that list its trajectories. These have `chain_id`, `reward_score` and `num_turns`."""
        monitor = active()
        if monitor is None:
            return
        end_ns = _trace._now()
        start_ns = self.start_ns or end_ns
        trajectories = _listed(trajectories)
        self._send_index(monitor, trajectories, start_ns, end_ns)
        attributes = {
            "rl.kind": "session",
            **self.identity,
            "monitor.trace_source": "session",
            "runner_name": _text(runner_name),
            "status": _text(status),
            "num_trajectories": len(trajectories),
            "reward_source": _text(reward_source),
            "finished": _flag(finished),
            **_verdict(status),
        }
        _trace.finished_span(monitor, "agent_session", start_ns, end_ns, monitor.labelled(attributes, warn=False))

    def _send_index(self, monitor: Monitor, trajectories: List[Any], start_ns: int, end_ns: int) -> None:
        run = {key: self.identity[key] for key in ("project", "experiment_name", "global_steps")}
        sample = {**run, "sample": self.identity["sample"]}
        session = {**sample, "session": self.identity["session"]}
        key = "sample=%(sample)s/session=%(session)s" % session
        self._gauge(monitor, "run_info", 1, {**run, "title": "Experiment · %(experiment_name)s" % run})
        self._gauge(monitor, "sample_info", 1, {**sample, "title": "Sample %(sample)s" % sample})
        self._gauge(monitor, "session_info", 1, {**session, "sess_key": key, "title": "Session %(session)s" % session})
        for index, trajectory in enumerate(trajectories):
            number = _trajectory_number(trajectory, index)
            labels = {**session, "traj": number, "leaf": "%s/traj=%s" % (key, number), "title": _title(trajectory, number)}
            self._gauge(monitor, "traj_info", 1, labels)
        self._gauge(monitor, "first_turn_unixtime", start_ns / 1e9, run)
        self._gauge(monitor, "last_turn_unixtime", end_ns / 1e9, run)

    def _gauge(self, monitor: Monitor, name: str, value: float, labels: Mapping[str, Any]) -> None:
        record(monitor, "gauge", "agent_loop_" + name, value, "", monitor.labelled(labels, warn=False))


def _listed(trajectories: Any) -> List[Any]:
    try:
        return list(trajectories or ())
    except BaseException:
        return []


def _flag(value: Any) -> Any:
    try:
        return "" if value is None else bool(value)
    except BaseException:
        return _text(value)


def _verdict(status: Any) -> Dict[str, str]:
    word = _STATUS.get(_text(status))
    return {} if word is None else {"rl.status": word, "rl.reason": _text(status)}


def _trajectory_number(trajectory: Any, index: int) -> int:
    """Chains are counted from 1, trajectories from 0."""
    chain = _values.whole(_of(trajectory, "chain_id"))
    return index if chain is None or abs(chain) >= 1 << 63 else chain - 1


def _title(trajectory: Any, number: int) -> str:
    reward = _of(trajectory, "reward_score")
    turns = _of(trajectory, "num_turns")
    return "Trajectory #%d · reward %s · %s turns" % (number, _reward(reward), _text(turns) or "0")


def _reward(value: Any) -> str:
    try:
        return "%g" % float(value)
    except BaseException:
        return "unknown"


def _of(trajectory: Any, key: str) -> Any:
    try:
        return trajectory.get(key) if isinstance(trajectory, Mapping) else getattr(trajectory, key, None)
    except BaseException:
        return None


def _text(value: Any) -> str:
    return "" if value is None else _values.text(value)


def _number(value: Any) -> Any:
    """A step stays a number: the dashboards compare it as one."""
    if value is None or _values.is_a(value, (int, float)):
        return "" if value is None else value
    try:
        return int(_values.text(value))
    except ValueError:
        return _values.text(value)
