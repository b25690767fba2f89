"""Samples: what is recognised as one, and what is said of it.

Everything here looks at objects of the training and may meet anything: a getter that throws, a number where a text was.
"""

from __future__ import annotations

import hashlib
from typing import Any, Dict, List, Mapping, NamedTuple, Optional

from ... import _values
from .._recording import SOURCE_STATUS, named, short
from .._unknown import forgiving

TRACE_EXTRA_TRAIN_STEP = "_trace_train_step"
TRACE_EXTRA_MODEL_STEP = "_trace_model_step"
TRACE_EXTRA_PRODUCER_FUTURE_STEP = "_trace_producer_future_step"
TRACE_EXTRA_PRODUCE_BATCH_ID = "_trace_produce_batch_id"

#: Arguments of the calls that have a meaning; others are kept as `xtuner.<name>`.
_KNOWN = frozenset(
    (
        "task_name",
        "uid",
        "session_uid",
        "status",
        "train_step",
        "model_step",
        "producer_future_step",
        "produce_batch_id",
        "worker_rank",
        "elapsed_s",
        "error_msg",
        "timestamp_s",
    )
)

_STAGES = {
    "xtuner.producer.sample_group": "sampler",
    "xtuner.producer.generate_group": "producer.generate",
    "xtuner.producer.put_generated_group": "producer.put",
    "xtuner.rollout_controller.generate": "rollout.generate",
    "xtuner.rollout_engine.generate": "engine.generate",
    "xtuner.judger.judge": "judger",
}
_IDENTITY = ("rl.", "xtuner.uid", "xtuner.session_uid")
_MOST_SAMPLES = 4096
_FIRST = 8


@forgiving(None)
def build_trace_id(task_name: Optional[str], uid: Any) -> Optional[str]:
    """The session of a sample; None without a uid."""
    return None if uid is None else "%s:%s" % (task_name or "unknown", uid)


@forgiving(None)
def build_produce_batch_id(train_step: Optional[int], model_step: Optional[int], producer_future_step: Optional[int]) -> Optional[str]:
    steps = {"train_step": train_step, "model_step": model_step, "producer_future_step": producer_future_step}
    if all(step is None for step in steps.values()):
        return None
    return "/".join("%s=%s" % (name, "none" if step is None else step) for name, step in steps.items())


def stage_of(name: str) -> str:
    """The name that people are shown."""
    return _STAGES.get(name) or (name[len("xtuner.") :] if name.startswith("xtuner.") else name) or "unknown"


class Sample(NamedTuple):
    """One sample as it is now, in Rollscope's words."""

    session: str
    attributes: Dict[str, Any]

    @property
    def status(self) -> Optional[str]:
        return self.attributes.get(SOURCE_STATUS)

    def news(self) -> Dict[str, Any]:
        """What an event says that the span around it does not."""
        return {key: value for key, value in self.attributes.items() if not key.startswith(_IDENTITY)}

    def trace_id(self, run: str) -> int:
        """The same in every process of the run: nothing else travels with a sample."""
        digest = hashlib.sha256(b"%s\0%s\0" % (run.encode("utf-8", "replace"), self.session.encode("utf-8", "replace")))
        return int.from_bytes(digest.digest()[:16], "big") or 1


def is_sample(value: Any) -> bool:
    """Of either generation."""
    try:
        if value is None or isinstance(value, (str, bytes, int, float, type, Mapping)):
            return False
    except BaseException:
        return False
    return _has(value, "uid") and (_has(value, "status") or _has(value, "task_name"))


def _has(value: Any, name: str) -> bool:
    try:
        return hasattr(value, name)
    except BaseException:
        return False


def samples_in(value: Any) -> List[Any]:
    """The sample, or those in a list of them."""
    if is_sample(value):
        return [value]
    try:
        # A long list of something else is not looked through.
        if _values.is_a(value, (list, tuple)) and any(is_sample(each) for each in value[:_FIRST]):
            return [each for each in value[:_MOST_SAMPLES] if is_sample(each)]
    except BaseException:
        pass  # a list of somebody's own
    return []


def is_rollout(value: Any) -> bool:
    """A sample of XTuner's main branch: its session is its `rollout_id`, which the spans around it name."""
    return _has(value, "rollout_id")


def resolve(sample: Any, said: Mapping[str, Any]) -> Dict[str, Any]:
    """What is known of it: what the caller says, else what the producer wrote into its extra fields, else its attributes."""
    extra = get(sample, "extra_fields")
    extra = extra if _values.is_a(extra, dict) else {}

    def known(name: str, key: Optional[str] = None) -> Any:
        value = said.get(name)
        if value is None and key is not None:
            value = extra.get(key)
        return value

    train_step = known("train_step", TRACE_EXTRA_TRAIN_STEP)
    model_step = _first(known("model_step", TRACE_EXTRA_MODEL_STEP), sample, "model_step")
    future_step = known("producer_future_step", TRACE_EXTRA_PRODUCER_FUTURE_STEP)
    batch = known("produce_batch_id", TRACE_EXTRA_PRODUCE_BATCH_ID)
    if batch is None:
        batch = build_produce_batch_id(train_step, model_step, future_step)
    return {
        "status": word_of(_first(known("status"), sample, "status")),
        "task_name": _first(known("task_name"), sample, "task_name"),
        "uid": _first(known("uid"), sample, "uid"),
        "session_uid": _first(known("session_uid"), sample, "session_uid"),
        "train_step": train_step,
        "model_step": model_step,
        "producer_future_step": future_step,
        "produce_batch_id": batch,
        "worker_rank": known("worker_rank"),
    }


def facts(known: Mapping[str, Any], said: Mapping[str, Any]) -> Dict[str, Any]:
    """Attributes, in Rollscope's words."""
    words = {
        "rl.task.name": _short(known["task_name"]),
        "rl.batch.id": _short(known["produce_batch_id"]),
        "rl.train_step": _values.whole(known["train_step"]),
        "rl.model_step": _values.whole(known["model_step"]),
        "rl.future_step": _values.whole(known["producer_future_step"]),
        "rl.worker.rank": _values.whole(known["worker_rank"]),
        "xtuner.uid": _short(known["uid"]),
        "xtuner.session_uid": _short(known["session_uid"]),
        SOURCE_STATUS: _short(known["status"]),
    }
    attributes = {key: value for key, value in words.items() if value is not None}
    attributes.update(_values.own(named("xtuner.", {key: value for key, value in said.items() if key not in _KNOWN})) or {})
    return attributes


def read(sample: Any, said: Mapping[str, Any]) -> Optional[Sample]:
    """None without a uid."""
    known = resolve(sample, said)
    if known["uid"] is None:
        return None
    task_name = known["task_name"]
    session = short("%s:%s" % (short(task_name) or "unknown" if task_name is not None else "unknown", short(known["uid"])))
    return Sample(session, {"rl.session.id": session, **facts(known, said)})


def get(sample: Any, name: str) -> Any:
    try:
        return getattr(sample, name, None)
    except BaseException:
        return None


def word_of(status: Any) -> Any:
    """The word of an enum, or the word itself."""
    word = get(status, "value")
    return status if word is None else word


def _first(said: Any, sample: Any, name: str) -> Any:
    return said if said is not None else get(sample, name)


def _short(value: Any) -> Optional[str]:
    return None if value is None else short(value)
