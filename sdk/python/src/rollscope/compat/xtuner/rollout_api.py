"""What XTuner's main branch has in `xtuner.v1.rl.trace.rollout_api`: spans of a sample wherever it is worked on.

A sample is anything with `extra_fields` and a `rollout_id` (or a `uid`). While it travels, its extra fields hold the context of the caller and the
chain of its calls so far.
"""

from __future__ import annotations

import contextlib
import inspect
import os
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple

from ... import _propagation, _values
from ..._decorate import disguised
from .._recording import say_once, short
from .._unknown import forgiving
from . import _runtime
from ._current import LONGEST_PATH, PATH, NamedBlock, carried_path, inject_trace_context, mapping, name_of
from ._runtime import TRACE_ROLLOUT_ENABLED_ENV
from ._samples import get, word_of

TRACE_CARRIER_EXTRA_FIELD = "_xtuner_trace_carrier"
TRACE_CALL_CHAIN_EXTRA_FIELD = "_xtuner_trace_call_chain"

__all__ = [
    "TRACE_CALL_CHAIN_EXTRA_FIELD",
    "TRACE_CARRIER_EXTRA_FIELD",
    "TRACE_ROLLOUT_ENABLED_ENV",
    "attach_rollout_trace_carrier",
    "extract_rollout_trace_parent_carrier",
    "is_rollout_trace_enabled",
    "rollout_state_final_attributes",
    "rollout_state_initial_attributes",
    "trace_rollout_endpoint",
    "trace_rollout_remote",
]


@forgiving(False)
def is_rollout_trace_enabled() -> bool:
    return os.environ.get(TRACE_ROLLOUT_ENABLED_ENV) == "1" and _runtime.is_trace_enabled()


@forgiving()
def trace_rollout_endpoint(
    span_name: str,
    *,
    target_arg: str = "rollout_state",
    initial_attributes: Optional[Callable[[Any, Any], Mapping[str, Any]]] = None,
) -> Callable[[Any], Any]:
    """Decorator: each call is a span of the sample in the argument `target_arg`; of a list, or of no sample, it is work of the process."""
    name = name_of(span_name)

    def decorate(function: Any) -> Any:
        try:
            signature: Optional[inspect.Signature] = inspect.signature(function)
        except (TypeError, ValueError):
            signature = None

        def begin(args: Any, more: Any) -> Optional["_Endpoint"]:
            try:
                bound = signature.bind(*args, **more).arguments if signature is not None else more
                owner = bound.get("self", args[0] if args else None)
                return _Endpoint(name, bound.get(target_arg), owner, initial_attributes)
            except TypeError:
                return None  # the call itself will say what is wrong with it
            except BaseException as error:
                say_once("call of " + name, "not recorded: %s", _values.error_text(error))
                return None

        async def endpoint(*args: Any, **more: Any) -> Any:
            call = begin(args, more) if is_rollout_trace_enabled() else None
            if call is None:
                return await function(*args, **more)
            with call:
                call.result = await function(*args, **more)
            return call.result

        def plain_endpoint(*args: Any, **more: Any) -> Any:
            call = begin(args, more) if is_rollout_trace_enabled() else None
            if call is None:
                return function(*args, **more)
            with call:
                call.result = function(*args, **more)
            return call.result

        return disguised(endpoint if inspect.iscoroutinefunction(function) else plain_endpoint, function)

    return decorate


class _Endpoint:
    """One call. It is itself what ends it: attributes of the result, the chain taken off the sample by the outermost call."""

    result: Any = None

    def __init__(self, name: str, target: Any, owner: Any, initial: Optional[Callable[[Any, Any], Mapping[str, Any]]]) -> None:
        self._sample = target if _is_state(target) else None
        self._is_outermost = False
        carrier = None
        attributes: Dict[str, Any] = {}
        if self._sample is None:
            if not _values.is_a(target, (list, tuple)):
                say_once(name, "%s (expected: a sample); recorded without one", type(target).__name__)
        else:
            attributes = rollout_state_initial_attributes(target)
            if initial is not None:
                attributes = {"xtuner.rollout_id": attributes.get("xtuner.rollout_id"), **mapping(name, _asked(name, initial, owner, target))}
            carrier = extract_rollout_trace_parent_carrier(target)
            extra = target.extra_fields
            self._is_outermost = TRACE_CALL_CHAIN_EXTRA_FIELD not in extra
            chain = [*_chain(extra, carrier), name][-LONGEST_PATH:]
            extra[TRACE_CALL_CHAIN_EXTRA_FIELD] = attributes[PATH] = chain
        attributes.setdefault("xtuner.stage", name)
        self._block = NamedBlock(name, attributes, carrier)

    def __enter__(self) -> None:
        self._span = self._block.enter()

    def __exit__(self, kind: Any, error: Optional[BaseException], traceback: Any) -> None:
        try:
            self._block.leave()
            if self._sample is not None:
                result = self.result if _is_state(self.result) else self._sample
                if error is None:
                    self._span.set_attributes(rollout_state_final_attributes(result))
                if self._is_outermost:
                    for each in (self._sample, result):
                        each.extra_fields.pop(TRACE_CALL_CHAIN_EXTRA_FIELD, None)
        except BaseException as broken:
            say_once("end of rollout calls", "%s", _values.error_text(broken))
        self._block.end(error)


def _asked(name: str, initial: Callable[[Any, Any], Mapping[str, Any]], owner: Any, target: Any) -> Any:
    try:
        return dict(initial(owner, target))
    except Exception as error:
        say_once("initial_attributes of " + name, "%s; the call goes on without them", _values.error_text(error))
        return None


@forgiving()
def trace_rollout_remote(remote_method: Any, *args: Any, target: Any = None, **kwargs: Any) -> Any:
    """`remote_method.remote(…)`, with the caller's context in the extra fields of the one sample among the arguments."""
    if not is_rollout_trace_enabled():
        return remote_method.remote(*args, **kwargs)
    found = [target] if target is not None else [value for value in (*args, *kwargs.values()) if _is_state(value)]
    if len(found) != 1 or not _is_state(found[0]):
        say_once("trace_rollout_remote", "%s samples among the arguments (expected: 1); the call goes on without its context", len(found))
        return remote_method.remote(*args, **kwargs)
    with attach_rollout_trace_carrier(found[0], inject_trace_context({})):
        return remote_method.remote(*args, **kwargs)


@forgiving()
@contextlib.contextmanager
def attach_rollout_trace_carrier(rollout_state: Any, carrier: Mapping[str, str]) -> Iterator[None]:
    """Puts it into the sample's extra fields for as long as the block runs."""
    extra = get(rollout_state, "extra_fields")
    if not carrier or not _values.is_a(extra, dict):
        yield
        return
    before = {TRACE_CARRIER_EXTRA_FIELD: extra[TRACE_CARRIER_EXTRA_FIELD]} if TRACE_CARRIER_EXTRA_FIELD in extra else {}
    extra[TRACE_CARRIER_EXTRA_FIELD] = dict(carrier)
    try:
        yield
    finally:
        extra.pop(TRACE_CARRIER_EXTRA_FIELD, None)
        extra.update(before)


@forgiving(None)
def extract_rollout_trace_parent_carrier(rollout_state: Any) -> Optional[Dict[str, str]]:
    """Takes it out again; None if there is none."""
    extra = get(rollout_state, "extra_fields")
    carrier = extra.pop(TRACE_CARRIER_EXTRA_FIELD, None) if _values.is_a(extra, dict) else None
    return {_values.text(key): _values.text(value) for key, value in carrier.items()} if isinstance(carrier, Mapping) else None


@forgiving({})
def rollout_state_initial_attributes(rollout_state: Any) -> Dict[str, Any]:
    extra = get(rollout_state, "extra_fields")
    extra = extra if _values.is_a(extra, dict) else {}
    rollout_id = get(rollout_state, "rollout_id")
    attributes = {
        "xtuner.status": word_of(get(rollout_state, "status")),
        "xtuner.rollout_id": get(rollout_state, "uid") if rollout_id is None else rollout_id,
        "xtuner.group_id": get(rollout_state, "group_id"),
        "xtuner.session_id": get(rollout_state, "session_id"),
        "xtuner.task_name": get(rollout_state, "task_name") or extra.get("task_name"),
        "xtuner.producer_future_step": extra.get("producer_future_step"),
        "prompt.tokens": _length(get(rollout_state, "prompt_ids")),
    }
    return {key: value for key, value in attributes.items() if value is not None}


@forgiving({})
def rollout_state_final_attributes(rollout_state: Any) -> Dict[str, Any]:
    reward = get(rollout_state, "reward")
    reward = reward if isinstance(reward, Mapping) else {}
    attributes = {
        **rollout_state_initial_attributes(rollout_state),
        "finish_reason": get(rollout_state, "finish_reason"),
        "error.message": get(rollout_state, "error_msg"),
        "completion.tokens": _length(get(rollout_state, "response_ids")),
        "reward.score": reward.get("score"),
        "reward.pass": reward.get("pass"),
    }
    return {key: value for key, value in attributes.items() if value is not None}


def _is_state(value: Any) -> bool:
    if value is None or _values.is_a(value, (str, bytes, int, float, list, tuple, dict)):
        return False
    extra = get(value, "extra_fields")
    return _values.is_a(extra, dict) and (get(value, "rollout_id") is not None or get(value, "uid") is not None)


def _length(values: Any) -> Optional[int]:
    try:
        return None if values is None else len(values)
    except BaseException:
        return None


def _chain(extra: Mapping[str, Any], carrier: Optional[Mapping[str, str]]) -> Tuple[str, ...]:
    """The calls of the sample so far: as its extra fields hold them, else as its caller's context does."""
    chain: Any = extra.get(TRACE_CALL_CHAIN_EXTRA_FIELD)
    if chain is None and carrier is not None:
        return carried_path(_propagation.extract(carrier))
    names: List[Any] = chain.split("->") if _values.is_a(chain, str) else list(chain) if _values.is_a(chain, (list, tuple)) else []
    return tuple(short(name).strip() for name in names[-LONGEST_PATH:] if short(name).strip())
