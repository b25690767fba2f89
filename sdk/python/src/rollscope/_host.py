"""What each beat says of the process itself: its CPU, its memory, how late its event loops are, and the GPUs that it sees.

Measured by the sender's thread, which must not wait for anything: event loops answer until the next beat, and NVML is asked on
a thread of its own, because its calls can hang with the driver.
"""

from __future__ import annotations

import ctypes
import os
import queue
import threading
import time
import weakref
from typing import Any, Callable, Dict, List, NamedTuple, Optional

from ._metrics import Point
from ._stacks import running_loops

#: More event loops than this in one process are no training.
_MAX_LOOPS = 16
_MAX_GPUS = 64
_NVML = "libnvidia-ml.so.1"
_UUID_BYTES = 96


class _Value(NamedTuple):
    """What one gauge says; None if it is not known."""

    name: str
    unit: str
    description: str
    value: Optional[float]
    gpu: Optional[int] = None

    def point(self, labels: Dict[str, str]) -> Point:
        attributes: Dict[str, Any] = dict(labels) if self.gpu is None else {**labels, "hw.id": str(self.gpu)}
        return Point("gauge", self.name, self.unit, self.description, time.time_ns(), 0, attributes, float(self.value or 0))


class HostMetrics:
    """Gauges of a worker: role and rank are labels of each, empty where they are not known."""

    def __init__(self, role: Optional[str], rank: Optional[int], clock: Callable[[], float] = time.monotonic) -> None:
        self._labels = {"role": role or "", "rank": "" if rank is None else str(rank)}
        self._clock = clock
        self._measured = clock()
        self._cpu_s = time.process_time()
        self._probes: List[_Probe] = []
        self._gpus = _Gpus()

    def points(self) -> List[Point]:
        """The values since the last call."""
        now, cpu_s = self._clock(), time.process_time()
        found: List[_Value] = []
        if now > self._measured:
            cores = (cpu_s - self._cpu_s) / (now - self._measured)
            found.append(_Value("process.cpu.usage", "{cpu}", "Cores that the process keeps busy", cores))
        self._measured, self._cpu_s = now, cpu_s
        found.append(_Value("process.memory.usage", "By", "Resident memory of the process", _resident_bytes()))
        found.append(_Value("process.event_loop.lag", "s", "How long a call waits for the process's event loop", self._probe(now)))
        for gpu in self._gpus.ask():
            found += gpu.values()
        return [value.point(self._labels) for value in found if value.value is not None]

    def close(self) -> None:
        self._gpus.close()

    def _probe(self, now: float) -> Optional[float]:
        """How late the latest event loop was since the last call; each is woken once until it has answered."""
        waited = [lag for lag in (probe.lag_s(now) for probe in self._probes) if lag is not None]
        self._probes = [probe for probe in self._probes if probe.is_under_way()]
        asked = {id(probe.loop()) for probe in self._probes}
        for loop in running_loops()[:_MAX_LOOPS]:
            if id(loop) not in asked and len(self._probes) < _MAX_LOOPS:
                try:
                    self._probes.append(_Probe(loop, self._clock))
                except (RuntimeError, TypeError):  # closed meanwhile; or of a kind that cannot be referred to
                    pass
        return max(waited, default=None)


class _Probe:
    """A call that an event loop makes as soon as it comes to it."""

    def __init__(self, loop: Any, clock: Callable[[], float]) -> None:
        self.loop = weakref.ref(loop)
        self._clock = clock
        self._sent = clock()
        self._made: Optional[float] = None
        loop.call_soon_threadsafe(self._make)

    def _make(self) -> None:
        self._made = self._clock()

    def is_under_way(self) -> bool:
        loop = self.loop()
        return self._made is None and loop is not None and bool(loop.is_running())

    def lag_s(self, now: float) -> Optional[float]:
        """At least, while it is under way; None if the loop ended before."""
        if self._made is not None:
            return self._made - self._sent
        return now - self._sent if self.is_under_way() else None


def _resident_bytes() -> Optional[int]:
    """Where there is Linux's /proc; elsewhere the standard library knows only the peak."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read(200).split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        return None


# ── GPUs ──


class _Gpu(NamedTuple):
    """One reading; None is what the device does not say."""

    number: int
    busy: Optional[float]
    used: Optional[int]
    total: Optional[int]

    def values(self) -> List[_Value]:
        return [
            _Value("hw.gpu.utilization", "1", "Share of the time in which the GPU computed", self.busy, self.number),
            _Value("hw.gpu.memory.usage", "By", "GPU memory in use, by all processes", self.used, self.number),
            _Value("hw.gpu.memory.limit", "By", "GPU memory", self.total, self.number),
        ]


class _Gpus:
    """A thread that asks NVML when it is told to. While a call hangs, nothing is asked and nothing new is known."""

    def __init__(self) -> None:
        self._orders: "queue.SimpleQueue[bool]" = queue.SimpleQueue()
        self._read: "queue.SimpleQueue[List[_Gpu]]" = queue.SimpleQueue()
        self._thread: Optional[threading.Thread] = None
        self._waits = False

    def ask(self) -> List[_Gpu]:
        """What was read since the last call, and the order to read again."""
        if self._thread is None:
            thread = threading.Thread(target=self._run, name="rollscope-gpu", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # no thread to be had, or the interpreter is ending
                return []
            self._thread = thread
        found: List[_Gpu] = []
        try:
            found = self._read.get_nowait()
            self._waits = False
        except queue.Empty:
            pass
        if not self._waits and self._thread.is_alive():
            self._waits = True
            self._orders.put(True)
        return found

    def close(self) -> None:
        self._orders.put(False)

    def _run(self) -> None:
        """Ends at once where there is no NVML."""
        try:
            nvml = _Nvml()
            while self._orders.get():
                self._read.put(nvml.read())
        except Exception:  # no library, no driver, an older one: then there is nothing to say
            pass


class _Nvml:
    """NVIDIA's management library, as far as it is needed here."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(_NVML)
        self._call("nvmlInit_v2")

    def _call(self, name: str, *arguments: Any) -> None:
        code = getattr(self._library, name)(*arguments)
        if code:
            raise OSError("%s: %d" % (name, code))

    def read(self) -> List[_Gpu]:
        count = ctypes.c_uint()
        self._call("nvmlDeviceGetCount_v2", ctypes.byref(count))
        devices = {}
        for number in range(min(count.value, _MAX_GPUS)):
            device = ctypes.c_void_p()
            try:
                self._call("nvmlDeviceGetHandleByIndex_v2", ctypes.c_uint(number), ctypes.byref(device))
                devices[number] = device
            except OSError:  # one that is lost, or of somebody else
                pass
        return [self._gpu(number, devices[number]) for number in _visible(devices, self._uuid)]

    def _gpu(self, number: int, device: ctypes.c_void_p) -> _Gpu:
        rates, memory = (ctypes.c_uint * 2)(), (ctypes.c_ulonglong * 3)()
        busy: Optional[float] = None
        used: Optional[int] = None
        total: Optional[int] = None
        try:
            self._call("nvmlDeviceGetUtilizationRates", device, rates)  # GPU, memory: percent
            busy = rates[0] / 100
        except OSError:
            pass
        try:
            self._call("nvmlDeviceGetMemoryInfo", device, memory)  # total, free, used: bytes
            total, used = memory[0], memory[2]
        except OSError:
            pass
        return _Gpu(number, busy, used, total)

    def _uuid(self, device: ctypes.c_void_p) -> str:
        text = ctypes.create_string_buffer(_UUID_BYTES)
        try:
            self._call("nvmlDeviceGetUUID", device, text, ctypes.c_uint(_UUID_BYTES))
        except OSError:
            return ""
        return text.value.decode("ascii", "replace")


def _visible(devices: Dict[int, Any], uuid: Callable[[Any], str]) -> List[int]:
    """Numbers of those that CUDA shows to this process: up to the first entry that is none."""
    said = os.environ.get("CUDA_VISIBLE_DEVICES")
    if said is None:
        return list(devices)
    found: List[int] = []
    for entry in said.split(",")[:_MAX_GPUS]:
        text = entry.strip()
        if text.isascii() and text.isdigit():
            number = int(text)
        else:
            number = next((n for n, device in devices.items() if text and uuid(device).startswith(text)), -1)
        if number not in devices or number in found:
            break
        found.append(number)
    return found
