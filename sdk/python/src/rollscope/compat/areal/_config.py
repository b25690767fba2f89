"""AReaL's two configs. Any object with the same attributes does, AReaL's own among them."""

from __future__ import annotations

import getpass
import os
from dataclasses import dataclass
from typing import Any, Iterable, List, Optional

from .._recording import say_once

#: A folder, in which AReaL's own files are written besides.
FILES = "ROLLSCOPE_COMPAT_FILES"

@dataclass
class SessionTracerConfig:
    """Whether sessions are recorded. `flush_threshold` is that of AReaL's own files (`ROLLSCOPE_COMPAT_FILES`)."""

    enabled: bool = False
    flush_threshold: int = 256


@dataclass
class PerfTracerConfig:
    """Whether scopes and sessions are recorded, and for which run. `profile_steps` has no effect; `save_interval` is that of AReaL's own files."""

    experiment_name: str
    trial_name: str
    fileroot: str
    enabled: bool = False
    save_interval: int = 1
    profile_steps: Optional[List[int]] = None
    session_tracer: Optional[SessionTracerConfig] = None


def run_name(config: Any) -> Optional[str]:
    parts = [getattr(config, name, None) for name in ("experiment_name", "trial_name")]
    return "/".join(str(part) for part in parts if part) or None


def spool_folder(config: Any) -> Optional[str]:
    """Beside the folders that AReaL's tracer would write."""
    fileroot = getattr(config, "fileroot", None)
    return _folder(os.fspath(fileroot), config, "rollscope") if fileroot else None


def compat_file(config: Any, subfolder: str, name: str, rank: int, role: Optional[str]) -> Optional[str]:
    """Where AReaL's own file is written besides, in the layout that its tools know."""
    root = os.environ.get(FILES)
    folder = _folder(root, config, subfolder, *([role] if role else [])) if root else None
    return os.path.join(folder, "%s-r%d.jsonl" % (name, rank)) if folder else None


def _folder(root: str, config: Any, *last: str) -> str:
    parts = [str(part) for part in (getattr(config, "experiment_name", None), getattr(config, "trial_name", None)) if part]
    return os.path.join(os.path.expanduser(os.path.expandvars(root)), "logs", _user(), *parts, *last)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return str(os.getuid())


def say_what_has_no_effect(config: Any) -> None:
    sessions = getattr(config, "session_tracer", None)
    files = bool(os.environ.get(FILES))
    said = []
    if getattr(config, "save_interval", 1) != 1 and not files:
        said.append("save_interval")
    if getattr(config, "profile_steps", None):
        said.append("profile_steps")
        _check_steps(config.profile_steps)
    if sessions is not None and getattr(sessions, "flush_threshold", 256) != 256 and not files:
        said.append("flush_threshold")
    if said:
        say_once(", ".join(said), "no effect: everything is sent within a second, and nothing is profiled")


def _check_steps(steps: Any) -> None:
    for step in steps if isinstance(steps, Iterable) else (steps,):
        try:
            int(step)
        except (TypeError, ValueError):
            say_once("an entry of profile_steps", "%r (expected: whole numbers); left out", step)
