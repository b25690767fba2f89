"""`TraceConfig`: XTuner's nine settings."""

from __future__ import annotations

import os
from typing import Any, Dict, Mapping, Optional, Union

from ..._checks import expected

TRACE_VIEWER_SCOPE_LATEST_PRODUCE_BATCH = "latest-produce-batch"
TRACE_VIEWER_SCOPE_ALL = "all"
_SCOPES = (TRACE_VIEWER_SCOPE_LATEST_PRODUCE_BATCH, TRACE_VIEWER_SCOPE_ALL)
_YES_OR_NO = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


class TraceConfig:
    """What is traced, where to, and how it is shown. A key that is not one of these is a ValueError."""

    FIELDS = (
        "enabled",
        "output_dir",
        "max_events",
        "max_events_per_trace",
        "viewer_enabled",
        "viewer_host",
        "viewer_port",
        "viewer_refresh_interval_s",
        "viewer_scope",
    )

    def __init__(
        self,
        *,
        enabled: bool = False,
        output_dir: Union[str, "os.PathLike[str]", None] = None,
        max_events: int = 100_000,
        max_events_per_trace: int = 256,
        viewer_enabled: bool = True,
        viewer_host: str = "127.0.0.1",
        viewer_port: int = 0,
        viewer_refresh_interval_s: float = 1.0,
        viewer_scope: str = TRACE_VIEWER_SCOPE_LATEST_PRODUCE_BATCH,
        **unknown: Any,
    ) -> None:
        for name in unknown:
            raise expected("TraceConfig", name, "one of " + ", ".join(self.FIELDS))
        self.enabled = _yes_or_no("enabled", enabled)
        self.output_dir = _folder(output_dir)
        self.max_events = _whole("max_events", max_events)
        self.max_events_per_trace = _whole("max_events_per_trace", max_events_per_trace)
        self.viewer_enabled = _yes_or_no("viewer_enabled", viewer_enabled)
        self.viewer_host = _host(viewer_host)
        self.viewer_port = _port(viewer_port)
        self.viewer_refresh_interval_s = _seconds("viewer_refresh_interval_s", viewer_refresh_interval_s)
        if viewer_scope not in _SCOPES:
            raise expected("viewer_scope", viewer_scope, " or ".join(_SCOPES))
        self.viewer_scope = viewer_scope

    @classmethod
    def of(cls, config: Any) -> "TraceConfig":
        """Of XTuner's own class, of a mapping, or of nothing."""
        if config is None:
            return cls()
        if isinstance(config, Mapping):
            return cls(**config)
        said = {name: getattr(config, name) for name in cls.FIELDS if hasattr(config, name)}
        if "enabled" not in said:
            raise expected("trace config", config, "a TraceConfig")
        return cls(**said)

    def model_dump(self) -> Dict[str, Any]:
        return {name: getattr(self, name) for name in self.FIELDS}

    def model_copy(self, *, update: Optional[Mapping[str, Any]] = None, deep: bool = False) -> "TraceConfig":
        return TraceConfig(**{**self.model_dump(), **(update or {})})

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


def _port(value: Any) -> int:
    port = _whole("viewer_port", value)
    if not 0 <= port <= 65535:
        raise expected("viewer_port", value, "0 to 65535")
    return port


def _host(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise expected("viewer_host", value, "an address")
    return value


def _folder(value: Any) -> Optional[str]:
    if value is None:
        return None
    try:
        return os.fsdecode(value)
    except TypeError:
        raise expected("output_dir", value, "a folder") from None
