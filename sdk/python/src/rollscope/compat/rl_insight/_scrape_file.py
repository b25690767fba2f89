"""Adds targets to a Prometheus configuration file, whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from typing import Any, Dict, Iterator, List

from ... import _values

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    fcntl = None  # type: ignore[assignment]


def merge(path: str, job: str, addresses: List[str]) -> None:
    """Adds the addresses to the job; everything else in the file stays, except comments."""
    yaml = _yaml()
    path = os.path.realpath(path)
    with _locked(os.path.dirname(path)):
        config = _read(yaml, path)
        if _add(config, path, job, addresses):
            _write(path, yaml.safe_dump(config, sort_keys=False, allow_unicode=True))


def _yaml() -> Any:
    try:
        import yaml
    except ImportError:
        raise RuntimeError("PyYAML: not installed (expected: pip install 'rollscope[prometheus]', to write Prometheus' configuration)") from None
    return yaml


@contextlib.contextmanager
def _locked(folder: str) -> Iterator[None]:
    """One process at a time: others may be adding theirs. The folder is locked, because the file is replaced."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _read(yaml: Any, path: str) -> Dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            config = yaml.safe_load(file)
    except FileNotFoundError:
        return {}
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ValueError("%s: %s (expected: YAML)" % (path, " ".join(_values.text(error).split()))) from None
    if config is None:
        return {}
    if not isinstance(config, dict):
        raise ValueError("%s: %s (expected: a mapping with scrape_configs)" % (path, type(config).__name__))
    return config


def _add(config: Dict[str, Any], path: str, job: str, addresses: List[str]) -> bool:
    """Whether something changed."""
    jobs = _list(config, "scrape_configs", path)
    own = next((each for each in jobs if isinstance(each, dict) and each.get("job_name") == job), None)
    if own is None:
        own = {"job_name": job}
        jobs.append(own)
    groups = _list(own, "static_configs", path)
    known = {target for group in groups if isinstance(group, dict) for target in group.get("targets") or ()}
    new = [address for address in dict.fromkeys(addresses) if address not in known]
    if not new:
        return False
    # Targets without labels of their own share a group.
    plain = next((group for group in groups if isinstance(group, dict) and not group.get("labels")), None)
    if plain is None:
        groups.append({"targets": new})
    else:
        plain["targets"] = [*(plain.get("targets") or ()), *new]
    return True


def _list(holder: Dict[str, Any], key: str, path: str) -> List[Any]:
    found = holder.get(key)
    if found is None:
        found = holder[key] = []
    if not isinstance(found, list):
        raise ValueError("%s: %s: %s (expected: a list)" % (path, key, type(found).__name__))
    return found


def _write(path: str, text: str) -> None:
    mode = os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o644
    handle, new = tempfile.mkstemp(dir=os.path.dirname(path), prefix="." + os.path.basename(path))
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(new, mode)
        os.replace(new, path)
    except BaseException:
        os.unlink(new)
        raise
