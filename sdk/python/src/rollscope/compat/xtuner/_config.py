"""`TraceConfig`: the settings of both of XTuner's generations."""

from __future__ import annotations

import inspect
import os
from typing import Any, Callable, Dict, Mapping, Optional, Tuple, Union

from ..._checks import expected

TRACE_VIEWER_SCOPE_LATEST_PRODUCE_BATCH = "latest-produce-batch"
TRACE_VIEWER_SCOPE_ALL = "all"
TraceViewerScope = str
_SCOPES = (TRACE_VIEWER_SCOPE_LATEST_PRODUCE_BATCH, TRACE_VIEWER_SCOPE_ALL)
_YES_OR_NO = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


def _yes_or_no(name: str, value: Any) -> bool:
    if value is True or value is False:
        return value
    word = _YES_OR_NO.get(str(value).lower()) if isinstance(value, (int, str)) else None
    if word is None:
        raise expected(name, value, "true or false")
    return word


def _whole(name: str, value: Any) -> int:
    try:
        if isinstance(value, (int, str)) or value == int(value):
            return int(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise expected(name, value, "a whole number")


def _seconds(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise expected(name, value, "seconds") from None


def _port(name: str, value: Any) -> int:
    port = _whole(name, value)
    if not 0 <= port <= 65535:
        raise expected(name, value, "0 to 65535")
    return port


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise expected(name, value, "a text that is not empty")
    return value


def _folder(name: str, value: Any) -> Optional[str]:
    if value is None:
        return None
    try:
        return os.path.expanduser(os.fsdecode(value))
    except TypeError:
        raise expected(name, value, "a folder") from None


def _scope(name: str, value: Any) -> str:
    if value not in _SCOPES:
        raise expected(name, value, " or ".join(_SCOPES))
    return str(value)


def _as_it_is(name: str, value: Any) -> Any:
    return value


_Setting = Tuple[Any, Callable[[str, Any], Any]]
#: Defaults and checks, by name.
_BOTH: Dict[str, _Setting] = {"enabled": (False, _yes_or_no), "output_dir": (None, _folder)}
_OF_1891: Dict[str, _Setting] = {
    "max_events": (100_000, _whole),
    "max_events_per_trace": (256, _whole),
    "viewer_enabled": (True, _yes_or_no),
    "viewer_host": ("127.0.0.1", _text),
    "viewer_port": (0, _port),
    "viewer_refresh_interval_s": (1.0, _seconds),
    "viewer_scope": (TRACE_VIEWER_SCOPE_LATEST_PRODUCE_BATCH, _scope),
}
_OF_MAIN: Dict[str, _Setting] = {
    "service_name": ("xtuner-rollout", _text),
    "xtuner_viewer_enabled": (False, _yes_or_no),
    "xtuner_viewer_host": ("127.0.0.1", _text),
    "xtuner_viewer_port": (18080, _port),
    "xtuner_viewer_jaeger_query_url": (None, _as_it_is),
    "enable_rollout_trace": (False, _yes_or_no),
}
_SETTINGS = {**_BOTH, **_OF_1891, **_OF_MAIN}


class TraceConfig:
    """What is traced, where to, and how it is shown. A key that is not one of these is a ValueError, as in XTuner.

    It is of pull request 1891, unless a setting of the main branch is given; it shows the settings of the generations that were used.
    """

    __signature__ = inspect.Signature([inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default) for name, (default, _) in _SETTINGS.items()])

    enabled: bool
    output_dir: Optional[str]
    max_events: int
    max_events_per_trace: int
    viewer_enabled: bool
    viewer_host: str
    viewer_port: int
    viewer_refresh_interval_s: float
    viewer_scope: str
    service_name: str
    xtuner_viewer_enabled: bool
    xtuner_viewer_host: str
    xtuner_viewer_port: int
    xtuner_viewer_jaeger_query_url: Optional[str]
    enable_rollout_trace: bool

    def __init__(self, **said: Any) -> None:
        for name in said:
            if name not in _SETTINGS:
                raise expected("TraceConfig", name, "one of " + ", ".join(_SETTINGS))
        for name, (default, checked) in _SETTINGS.items():
            setattr(self, name, checked(name, said.get(name, default)))
        self.is_main = any(name in said for name in _OF_MAIN)
        is_1891 = not self.is_main or any(name in said for name in _OF_1891)
        self._shown = [*_BOTH, *(_OF_1891 if is_1891 else ()), *(_OF_MAIN if self.is_main else ())]

    @property
    def viewer(self) -> Optional[Tuple[str, int]]:
        """Host and port of the page; None if there is to be none."""
        if self.is_main:
            return (self.xtuner_viewer_host, self.xtuner_viewer_port) if self.xtuner_viewer_enabled else None
        return (self.viewer_host, self.viewer_port) if self.viewer_enabled else None

    @classmethod
    def of(cls, config: Any) -> "TraceConfig":
        """Of XTuner's own class, of a mapping, or of nothing."""
        if config is None:
            return cls()
        if isinstance(config, Mapping):
            return cls(**config)
        if isinstance(config, cls):
            return config
        said = {name: getattr(config, name) for name in _SETTINGS if hasattr(config, name)}
        if "enabled" not in said:
            raise expected("trace config", config, "a TraceConfig")
        return cls(**said)

    def model_dump(self, **how: Any) -> Dict[str, Any]:
        return {name: getattr(self, name) for name in self._shown}

    def model_copy(self, *, update: Optional[Mapping[str, Any]] = None, deep: bool = False) -> "TraceConfig":
        return TraceConfig(**{**self.model_dump(), **(update or {})})

    @classmethod
    def model_validate(cls, config: Any, **how: Any) -> "TraceConfig":
        return cls.of(config)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """XTuner's trainer has it as a field of a pydantic model."""
        from pydantic_core import core_schema

        shown = core_schema.plain_serializer_function_ser_schema(cls.model_dump)
        return core_schema.no_info_plain_validator_function(cls.of, serialization=shown)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TraceConfig) and self.model_dump() == other.model_dump()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "TraceConfig(%s)" % ", ".join("%s=%r" % pair for pair in self.model_dump().items())
