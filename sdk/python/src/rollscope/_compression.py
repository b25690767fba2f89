"""Compression of what is written to a folder. Each piece of data becomes a frame of its own, so that a file can be read as far as it was written."""

from __future__ import annotations

import gzip
import zlib
from typing import IO, Any, Callable, Dict, Optional, Tuple

try:
    import zstandard  # type: ignore[import-not-found, unused-ignore]
except ImportError:
    zstandard = None  # type: ignore[assignment, unused-ignore]
try:
    from compression import zstd as _zstd  # type: ignore[import-not-found, unused-ignore]  # Python 3.14
except ImportError:
    _zstd = None

#: By name: what file names end with.
SUFFIXES: Dict[str, str] = {"zstd": ".zst", "gzip": ".gz", "none": ""}


def has_zstd() -> bool:
    return _zstd is not None or zstandard is not None


def best() -> str:
    return "zstd" if has_zstd() else "gzip"


def compressor(name: str) -> Callable[[bytes], bytes]:
    """Makes a whole frame of some data; level 1, because the levels above save little and cost a multiple."""
    if name == "gzip":
        return _gzip_member
    if name == "none":
        return bytes
    if _zstd is not None:
        options = {_zstd.CompressionParameter.compression_level: 1, _zstd.CompressionParameter.checksum_flag: 1}
        return lambda data: bytes(_zstd.compress(data, options=options))
    frames = zstandard.ZstdCompressor(level=1, write_checksum=True)
    return lambda data: bytes(frames.compress(data))


def _gzip_member(data: bytes) -> bytes:
    member = zlib.compressobj(1, zlib.DEFLATED, 31)
    return member.compress(data) + member.flush()


def count(path: str, what: bytes) -> Optional[int]:
    """How often this is in a file, compressed or not; None if that cannot be found out."""
    try:
        with _open(path) as file:
            found, before = 0, b""
            while True:
                try:
                    data = file.read(1 << 20)
                except (EOFError, zlib.error):  # ends in the middle of a frame
                    return found
                if not data:
                    return found
                data = before + data
                found += data.count(what)
                before = data[max(0, len(data) - len(what) + 1) :]
    except Exception:
        return None


def _open(path: str) -> "IO[bytes]":
    if path.endswith(".gz"):
        return gzip.open(path)  # type: ignore[return-value]
    if not path.endswith(".zst"):
        return open(path, "rb")
    if _zstd is not None:
        opened: Any = _zstd.open(path)
    else:
        opened = zstandard.ZstdDecompressor().stream_reader(open(path, "rb"), read_across_frames=True)
    return opened  # type: ignore[no-any-return]
