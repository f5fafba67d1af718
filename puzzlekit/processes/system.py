"""What the system says of processes and their memory, and how it bounds them."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

from puzzlekit.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _typeshed import StrPath

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def machine_memory() -> int | None:
    """The bytes of the machine, or of a lower control group limit; None if unknown."""
    known = [*_total(), *_group_bounds()]
    return min(known) if known else None


def _total() -> Iterator[int]:
    for line in contents("/proc/meminfo").splitlines():
        if line.startswith("MemTotal:"):
            yield int(line.split()[1]) * 1024


def _group_bounds() -> Iterator[int]:
    """The memory limits of this process's control groups and their parents, versions 2 and 1."""
    for line in contents("/proc/self/cgroup").splitlines():
        number, controllers, path = line.split(":", 2)
        if number == "0":
            root, name = "/sys/fs/cgroup", "memory.max"
        elif "memory" in controllers.split(","):
            root, name = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
        else:
            continue
        parts = [part for part in path.split("/") if part]
        for depth in range(len(parts) + 1):
            text = contents("/".join((root, *parts[:depth], name))).strip()
            if text.isdigit():
                yield int(text)


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def contents(path: StrPath) -> str:
    """The text of a file; empty if it cannot be read."""
    try:
        with open(path) as file:  # noqa: PTH123 (pathlib takes time to load)
            return file.read()
    except OSError:
        return ""


def bytes_of(size: str) -> int:
    """The number of bytes that `--memory` names: `500M`, `2G`, or a number. Raises InputError."""
    read = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", size.strip(), re.IGNORECASE)
    if read is None:
        raise InputError(f"--memory {size}: expected a number with K, M, G or T, such as 500M")
    if sys.platform == "win32":
        raise InputError("--memory: this platform cannot limit the memory of a process")
    return int(float(read[1]) * UNITS[read[2].upper()])


def bound_memory(most: int) -> None:
    """Limit the memory of this process and of each child to so many bytes.

    Raises OSError or ValueError if the system refuses.
    """
    if sys.platform != "win32":
        import resource

        # on Linux, of memory that is used and not only reserved
        kind = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
        resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))


def memory_is_bounded() -> bool:
    """Whether the memory of this process and its children is limited."""
    if sys.platform == "win32":
        return False
    import resource

    return any(
        resource.getrlimit(kind)[0] != resource.RLIM_INFINITY
        for kind in (resource.RLIMIT_DATA, resource.RLIMIT_AS)
    )


def peak_memory() -> int:
    """The most bytes that this process ever held; 0 where the system does not say."""
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (
        1 if sys.platform == "darwin" else 1024
    )


def children(pid: int) -> list[int]:
    """The children of a process, and the processes it adopted."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208
    except OSError:
        return []
    return [
        int(child)
        for thread in threads
        for child in contents(f"/proc/{pid}/task/{thread}/children").split()
    ]


def tree(pid: int) -> list[int]:
    """A process and all its descendants."""
    found = [pid]
    for process in found:
        found += children(process)
    return found


def largest_beyond(pid: int, bound: int) -> int | None:
    """The largest process of a tree that uses more than `bound` bytes, else None."""
    processes = tree(pid)
    if sum(map(resident, processes)) <= bound:
        return None
    sizes = {process: _proportional(process) for process in processes}
    return max(processes, key=sizes.__getitem__) if sum(sizes.values()) > bound else None


def resident(pid: int) -> int:
    """The resident bytes of a process; shared pages count in full."""
    fields = contents(f"/proc/{pid}/statm").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") if fields else 0


def _proportional(pid: int) -> int:
    """The resident bytes of a process; shared pages count in part. Slower than `resident`."""
    for line in contents(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return resident(pid)


def processor_seconds(pid: int) -> float:
    """The processor time of a process, 0 if it has ended; where the system has no such clock, the
    time on the wall.
    """
    clock_of = getattr(_libc(), "clock_getcpuclockid", None)
    if clock_of is None:
        return time.monotonic()
    import ctypes

    clock = ctypes.c_int()
    if clock_of(pid, ctypes.byref(clock)) == 0:
        with suppress(OSError):
            return time.clock_gettime(clock.value)
    return 0.0


def signal_name(number: int) -> str:
    """The name of a signal."""
    return signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"


def prctl(option: int, value: int) -> None:
    """Set a property of this process, on Linux."""
    if sys.platform == "linux":
        _libc().prctl(option, value, 0, 0, 0)


@cache
def _libc() -> Any:
    import ctypes  # takes time to load

    return None if sys.platform == "win32" else ctypes.CDLL(None)
