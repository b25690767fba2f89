"""Whether a value of a setting makes sense. In code a wrong one is an error, in the environment it is left out."""

from __future__ import annotations

import logging
import operator
import os
import re
import urllib.parse
from typing import Any, Dict, Mapping, Optional, Set, Tuple

from . import _compression, _values

log = logging.getLogger("rollscope")

LONGEST_TIMEOUT_S = 3600
LEAST_SPOOL_BYTES = 1 << 20
_INT64 = (1 << 63) - 1
_YES = ("1", "true", "yes", "on")
_NO = ("0", "false", "no", "off")
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")
_SIZE = re.compile(r"([0-9]{1,18}) ?([KMGT]?)(i?B)?\Z", re.IGNORECASE)
_TEXTS = ("run", "run_id", "project", "role")
_TRUTHS = ("enabled", "viewer", "quiet", "host_metrics", "stacks")


def expected(what: str, value: object, wanted: str) -> ValueError:
    return ValueError("%s: %s (expected: %s)" % (what, _values.text(value), wanted))


def normal_url(url: str, what: str = "url") -> str:
    """`host:4318` means http."""
    given = url if "://" in url else "http://" + url
    try:
        parts = urllib.parse.urlsplit(given)
        parts.port
        (parts.hostname or "").encode("idna")
    except ValueError:
        raise expected(what, url, "host:port or http(s)://host:port") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not url.isprintable() or " " in url:
        raise expected(what, url, "host:port or http(s)://host:port")
    return given


def checked(name: str, value: Any) -> Any:
    if name in _TEXTS:
        if not isinstance(value, str) or not value.strip():
            raise expected(name, value, "a text that is not blank")
        return value.strip()
    if name == "token":
        if not isinstance(value, str) or not value.strip() or not _is_header_value(value.strip()):
            raise ValueError("token: given (expected: printable ASCII characters)")
        return value.strip()
    if name in _TRUTHS:
        if not isinstance(value, bool):
            raise expected(name, value, "True or False")
        return value
    if name == "url":
        if not isinstance(value, str):
            raise expected(name, value, "host:port or http(s)://host:port")
        return normal_url(value)
    if name == "spool":
        return _folder(name, value)
    if name == "spool_compress":
        if value not in _compression.SUFFIXES:
            raise expected(name, value, "zstd, gzip or none")
        if value == "zstd" and not _compression.has_zstd():
            raise expected(name, value, "gzip or none; zstd after `pip install rollscope[zstd]`")
        return value
    if name == "spool_max_bytes":
        return _size(name, value, LEAST_SPOOL_BYTES)
    if name == "rank":
        return _whole(name, value, 0, _INT64)
    if name == "buffer":
        return _whole(name, value, 16, _INT64)
    if name == "content":
        return None if value is False else _values.MAX_TEXT if value is True else _whole(name, value, 1, _values.MAX_CONTENT)
    if name == "timeout_s":
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= LONGEST_TIMEOUT_S:
            raise expected(name, value, "seconds, more than 0 and at most %d" % LONGEST_TIMEOUT_S)
        return float(value)
    if name == "resource":
        if not isinstance(value, Mapping):
            raise expected(name, value, "attributes by name")
        return _values.own(value) or {}
    raise expected("setting", name, "one that rollscope.init has")


def _whole(name: str, value: Any, least: int, most: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if isinstance(value, bool) or not least <= number <= most:
        raise expected(name, value, "a whole number from %d to %d" % (least, most))
    return number


def _size(name: str, value: Any, least: int) -> int:
    """Bytes; as a text with a unit, too: `20G` is 20 times 1024 times 1024 times 1024."""
    found = _SIZE.match(value) if isinstance(value, str) else None
    try:
        size = int(found.group(1)) << 10 * " KMGT".index(found.group(2).upper() or " ") if found else operator.index(value)
    except TypeError:
        size = -1
    if isinstance(value, bool) or not least <= size <= _INT64:
        raise expected(name, value, "bytes, at least %d, or a text like 20G" % least)
    return size


def _folder(name: str, value: Any) -> str:
    try:
        folder = os.fspath(value)
        if not isinstance(folder, str) or not folder:
            raise TypeError
        os.makedirs(folder, exist_ok=True)
    except (TypeError, ValueError, OSError) as error:
        why = " (%s)" % error if isinstance(error, OSError) else ""
        raise expected(name, "%s%s" % (_values.text(value), why), "a folder that can be written to") from None
    return folder


def _is_header_value(value: str) -> bool:
    return value.isascii() and value.isprintable()


_said: Set[str] = set()


class Reading:
    """Reads variables; says once what is wrong with one, and goes on without it."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    def _ignore(self, problem: object) -> None:
        """Once per process: the environment is read at the import and at `init`."""
        if str(problem) not in _said:
            _said.add(str(problem))
            log.warning("rollscope: %s; ignored", problem)

    def text(self, name: str) -> Optional[str]:
        return self._environment.get(name, "").strip() or None

    def url(self, name: str) -> Optional[str]:
        value = self.text(name)
        try:
            return None if value is None else normal_url(value, name)
        except ValueError as error:
            self._ignore(error)
            return None

    def token(self, name: str) -> Optional[str]:
        value = self.text(name)
        if value is not None and not _is_header_value(value):
            self._ignore("%s: given (expected: printable ASCII characters)" % name)
            return None
        return value

    def word(self, name: str, known: Tuple[str, ...]) -> Optional[str]:
        value = self.text(name)
        if value is not None and value not in known:
            self._ignore(expected(name, value, " or ".join(known)))
            return None
        return value

    def yes_or_no(self, name: str) -> Optional[bool]:
        value = self.text(name)
        if value is None:
            return None
        if value.lower() in _YES:
            return True
        if value.lower() not in _NO:
            self._ignore(expected(name, value, "1 or 0"))
            return None
        return False

    def whole(self, name: str, least: int = 0, most: int = _INT64) -> Optional[int]:
        value = self.text(name)
        if value is None:
            return None
        if not (value.isascii() and value.isdigit() and len(value) < 20 and least <= int(value) <= most):
            self._ignore(expected(name, value, "a whole number from %d to %d" % (least, most)))
            return None
        return int(value)

    def size(self, name: str, least: int) -> Optional[int]:
        value = self.text(name)
        try:
            return None if value is None else _size(name, value, least)
        except ValueError as error:
            self._ignore(error)
            return None

    def headers(self, name: str) -> Dict[str, str]:
        found = {}
        for key, value in self.pairs(name).items():
            if _HEADER.match(key) and _is_header_value(value):
                found[key] = value
            else:
                self._ignore("%s: %s (expected: names and values of HTTP headers)" % (name, _values.text(ascii(key))))
        return found

    def pairs(self, name: str) -> Dict[str, str]:
        found: Dict[str, str] = {}
        for pair in (self.text(name) or "").split(","):
            key, equals, value = pair.partition("=")
            if equals and key.strip():
                found[urllib.parse.unquote(key.strip())] = urllib.parse.unquote(value.strip())
            elif pair.strip():
                self._ignore(expected(name, pair.strip(), "key=value"))
        return found
