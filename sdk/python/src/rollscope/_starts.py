"""What the processes of one start of a run have in common, so that they write to one folder."""

from __future__ import annotations

import os
import re
import time
from typing import Mapping, Optional

#: Ids that a launcher gives to all processes of a start, on all machines. Ray's job id is none: it begins anew with each cluster.
_LAUNCHERS = ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "TORCHELASTIC_RUN_ID")
_BEGAN = time.time()


def key(environment: Mapping[str, str]) -> str:
    """The launcher's id, else when the run was started."""
    for variable in _LAUNCHERS:
        value = environment.get(variable, "").strip()
        if value == "none" and variable == "TORCHELASTIC_RUN_ID":
            # torchrun without --rdzv-id: its workers have itself in common, on this machine.
            return _readable(_began(os.getppid()) or _BEGAN)
        if value:
            restart = environment.get("SLURM_RESTART_COUNT", "").strip() if variable == "SLURM_JOB_ID" else ""
            return value if restart in ("", "0") else "%s.%s" % (value, restart)
    return _readable(_BEGAN)


def file_name(text: str) -> str:
    """The text as the name of a file, on any file system."""
    return re.sub(r"[^\w.+=@-]+", "_", text, flags=re.ASCII).lstrip(".")[:200] or "_"


def _readable(seconds: float) -> str:
    return time.strftime("%Y%m%dT%H%M%S", time.gmtime(seconds))


def _began(pid: int) -> Optional[float]:
    """When a process began; None if this system does not say."""
    try:
        with open("/proc/%d/stat" % pid, "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        with open("/proc/stat", "rb") as file:
            boot = next(int(line.split()[1]) for line in file if line.startswith(b"btime "))
        return boot + ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, StopIteration):
        return None
