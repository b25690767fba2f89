"""What the tracers of XTuner and AReaL have in common: a client of their own, points, and words that are said once."""

from __future__ import annotations

import dataclasses
import functools
import logging
import os
from typing import Any, Callable, Dict, Mapping, Optional, Set, Type, TypeVar

from .. import _settings, _values
from .._client import Rollscope
from .._recorder import Recorder
from .._span import Span

log = logging.getLogger("rollscope")

F = TypeVar("F", bound=Callable[..., Any])

#: The key by which the server knows the source's own word for the state of a session, whatever the source.
SOURCE_STATUS = "xtuner.status"
#: The server refuses a span with a longer name or id.
LONGEST_NAME = 256

_said: Set[str] = set()


def say_once(what: str, message: str, *values: Any) -> None:
    """A warning about something that may go wrong at every call."""
    if what not in _said and len(_said) < 1000:
        _said.add(what)
        log.warning("rollscope: %s: " + message, *(_values.readable(_values.text(each)) for each in (what, *values)))


def open_client(
    folder: Optional[str],
    run: Optional[str],
    *,
    role: Optional[str] = None,
    rank: Optional[int] = None,
    source: Optional[str] = None,
    service: Optional[str] = None,
) -> Rollscope:
    """A client that sends where this process was told to (`rollscope.init`, `ROLLSCOPE_*`), else spools into the folder.

    It is not the process's own, because role, rank and source are said of everything that a client sends.
    """
    from .. import get

    process = get()
    if process.enabled and process._transport is not None:
        # A transport belongs to one sender.
        return process
    client = Rollscope()
    settings = dataclasses.replace(process._settings) if process.enabled else _settings.from_code(os.environ, {})
    if settings.enabled is False:
        return client
    # The process has a viewer of its own then, and XTuner's config has settings for one.
    settings.viewer = settings.viewer and not process.enabled and source is None
    if folder and not (settings.url or settings.spool or settings.signal_urls):
        settings.spool, settings.spool_start = folder, ""  # that of this run already
    settings.enabled = True
    if settings.run is None and settings.run_id is None:
        settings.run = run
    settings.run_id = str(settings.resource_attributes("")["rl.run.id"])
    settings.role = settings.role if role is None else role
    settings.rank = settings.rank if rank is None else rank
    said = {"rollscope.source": source, "service.name": service}
    settings.resource = {**settings.resource, **{key: value for key, value in said.items() if value is not None}}
    client._configure(settings)
    return client


class Live:
    """Stands for whichever client there is when a decorated function is called; there may be none yet when it is decorated."""

    def __init__(self, find: Callable[[], Optional[Rollscope]]) -> None:
        self._find = find

    @property
    def _recorder(self) -> Optional[Recorder]:
        client = self._find()
        return None if client is None else client._recorder


def close_client(client: Rollscope) -> None:
    from .. import get

    if client is get():
        client.flush()
    else:
        client.close()


def unhurt(default: Any = None, held: Type[BaseException] = BaseException) -> Callable[[F], F]:
    """Decorator for calls in the middle of a training: what goes wrong in them is said once, and they return the default.

    `held`: Exception for those that wait, because somebody may press Ctrl+C meanwhile.
    """

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def wrapper(*args: Any, **more: Any) -> Any:
            try:
                return function(*args, **more)
            except held as error:
                say_once(function.__qualname__, "%s", _values.error_text(error))
                return default

        return wrapper  # type: ignore[return-value]

    return decorate


def short(value: Any) -> str:
    return _values.text(value)[:LONGEST_NAME]


def named(prefix: str, values: Mapping[str, Any]) -> Dict[str, Any]:
    """Somebody's values as attributes that cannot be mistaken for ours. Texts of prompts keep their names, by which they are left out."""
    try:
        return {key if type(key) is str and key in _values.CONTENT_KEYS else prefix + short(key): value for key, value in dict(values).items()}
    except BaseException:
        return {"rollscope.unreadable": "<%s>" % type(values).__name__}


def add_event(around: Optional[Span], name: str, attributes: Mapping[str, Any], time_ns: int) -> bool:
    """Puts something that happened onto the span around it; False if there is none that can take it."""
    if around is None or around.end_ns or (around.events is not None and len(around.events) >= _values.MAX_ATTRIBUTES):
        return False
    around.add_event(name, attributes, time_ns)
    return True


def add_point(recorder: Recorder, name: str, trace_id: int, parent_id: int, attributes: Dict[str, Any], time_ns: int) -> None:
    """Something that happened where no span is around it: a span without length. It is no work and enters no statistics."""
    own = _values.own({**attributes, "rl.kind": "task", "rollscope.point": True})
    Span(recorder, name, trace_id, parent_id, False, None, own, time_ns).end(time_ns)
