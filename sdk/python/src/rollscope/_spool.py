"""Requests in files of a folder, for clusters where no port can be opened. `rollscope watch FOLDER` reads them as they grow."""

from __future__ import annotations

import logging
import os
import re
import socket
import time
from typing import Any, Dict, List, NamedTuple, Optional, Set

from . import _compression, _json
from .transport import Result

log = logging.getLogger("rollscope")

PIECE_BYTES = 64 << 20
PIECE_S = 3600.0
#: A process that lives writes a beat every ten seconds: after this long its last piece counts as finished.
_SILENT_S = 900.0
_SMALLEST_PIECE = 1 << 14
_PIECE = re.compile(r"(rollscope-.+)-(\d{6,})\.jsonl(\.zst|\.gz)?\Z", re.DOTALL)
_SPAN = b'"endTimeUnixNano":"'


class _Piece(NamedTuple):
    path: str
    stem: str
    number: int
    size: int
    written: float


class SpoolTransport:
    """OTLP-JSON lines in compressed pieces. Each process writes pieces of its own; they share the limit of the folder.

    compress: "zstd", "gzip" or "none". max_bytes: what all pieces in the folder may take; the oldest finished ones are deleted.
    piece_bytes, piece_s: when the next piece begins.
    """

    content_type = _json.CONTENT_TYPE

    def __init__(
        self,
        folder: str,
        instance: str,
        compress: Optional[str] = None,
        max_bytes: Optional[int] = None,
        piece_bytes: int = PIECE_BYTES,
        piece_s: float = PIECE_S,
    ) -> None:
        compress = compress or _compression.best()
        self._folder = os.path.abspath(folder)
        self._instance = instance
        self._suffix = ".jsonl" + _compression.SUFFIXES[compress]
        self._compress = _compression.compressor(compress)
        self._max_bytes = max_bytes
        self._piece_bytes = piece_bytes
        self._piece_s = piece_s
        self._pid = 0
        #: What was deleted to stay below `max_bytes`, by this process.
        self.deleted = {"pieces": 0, "spans": 0}

    def _begin(self) -> None:
        """Each process writes pieces of its own, a forked one too."""
        self._pid = os.getpid()
        self._stem = "rollscope-%s-%d-%s" % (socket.gethostname(), self._pid, self._instance[:8])
        self._number = 0
        self._file: Any = None
        self._size = 0
        self._spans: Dict[str, int] = {}
        self._warned: Set[str] = set()
        self.deleted = {"pieces": 0, "spans": 0}

    def send(self, signal: str, body: bytes, timeout: float) -> Result:
        if self._pid != os.getpid():
            self._begin()
        frame = self._compress(body + b"\n")
        try:
            if self._file is None or self._is_finished(len(frame)):
                self._open_next()
            written = 0
            while written < len(frame):  # a full disk takes a part before it refuses the rest
                written += self._file.write(memoryview(frame)[written:])
        except OSError as error:
            self._give_up()
            return Result("retry", message="%s: %s" % (self._folder, error))
        self._size += len(frame)
        if self._max_bytes is not None and signal == "traces":
            path = self._file.name
            self._spans[path] = self._spans.get(path, 0) + body.count(_SPAN)
        return Result("sent")

    def _is_finished(self, more: int) -> bool:
        """Also one that somebody has deleted: what is written to it would be gone."""
        is_full = self._size > 0 and self._size + more > self._limit
        is_old = time.monotonic() - self._opened > self._piece_s
        return is_full or is_old or (self._counts_links and os.fstat(self._file.fileno()).st_nlink == 0)

    def _open_next(self) -> None:
        self.close()
        os.makedirs(self._folder, exist_ok=True)
        path = os.path.join(self._folder, "%s-%06d%s" % (self._stem, self._number, self._suffix))
        self._number += 1
        self._file = open(path, "xb", buffering=0)
        self._size, self._opened, self._limit = 0, time.monotonic(), self._piece_bytes
        state = os.fstat(self._file.fileno())
        self._counts_links = state.st_nlink > 0  # some file systems know no links
        if self._max_bytes is not None:
            self._make_room(self._max_bytes, state.st_mtime)

    def _give_up(self) -> None:
        """Half a frame may stand there now. It goes, and so does a file that holds nothing else; the next attempt opens another."""
        if self._file is None:
            return
        try:
            if self._size:
                self._file.truncate(self._size)
            else:
                os.unlink(self._file.name)
        except OSError:
            pass
        self.close()

    def close(self) -> None:
        file, self._file = getattr(self, "_file", None), None
        if file is not None:
            try:
                file.close()
            except OSError:
                pass

    # ── the limit of the folder ──

    def _make_room(self, max_bytes: int, now: float) -> None:
        """Deletes the oldest finished pieces, whoever wrote them, until each writer has room for one that is full."""
        pieces = self._pieces()
        present = {piece.path for piece in pieces}
        self._spans = {path: spans for path, spans in self._spans.items() if path in present}
        last = {piece.stem: piece.number for piece in sorted(pieces, key=lambda piece: piece.number)}
        finished = [piece for piece in pieces if piece.number < last[piece.stem] or piece.written < now - _SILENT_S]
        writers = max(1, len(pieces) - len(finished))
        self._limit = max(_SMALLEST_PIECE, min(self._piece_bytes, max_bytes // (4 * writers)))
        too_much = sum(piece.size for piece in finished) + writers * self._limit - max_bytes
        for piece in sorted(finished, key=lambda piece: (piece.written, piece.path)):
            if too_much <= 0:
                return
            if self._delete(piece):
                too_much -= piece.size

    def _pieces(self) -> List[_Piece]:
        found = []
        with os.scandir(self._folder) as entries:
            for entry in entries:
                name = _PIECE.match(entry.name)
                try:
                    if name and entry.is_file(follow_symlinks=False):
                        state = entry.stat(follow_symlinks=False)
                        found.append(_Piece(entry.path, name.group(1), int(name.group(2)), state.st_size, state.st_mtime))
                except OSError:
                    pass  # deleted meanwhile, by another process
        return found

    def _delete(self, piece: _Piece) -> bool:
        """Whether it is no longer there. Counted by the process that deleted it."""
        spans = self._spans.pop(piece.path, None)
        if spans is None:
            spans = _compression.count(piece.path, _SPAN)
        try:
            os.unlink(piece.path)
        except FileNotFoundError:
            return True
        except OSError as error:
            self._warn("%s: a piece cannot be deleted to stay below the limit: %s" % (self._folder, error.strerror))
            return False
        self._warn("%s: the oldest pieces are deleted to stay below the limit of %d bytes" % (self._folder, self._max_bytes or 0))
        self.deleted = {"pieces": self.deleted["pieces"] + 1, "spans": self.deleted["spans"] + (spans or 0)}
        return True

    def _warn(self, message: str) -> None:
        """Each message once."""
        if message not in self._warned and len(self._warned) < 20:
            self._warned.add(message)
            log.warning("rollscope: %s", message)
