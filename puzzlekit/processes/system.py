"""Processes and their memory, as the system reports and bounds them."""

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

from puzzlekit.errors import InputError, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _typeshed import StrPath

UNBOUNDED = ("win32", "emscripten")  # platforms that cannot limit the memory of a process
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def machine_memory() -> int | None:
    """Return the bytes of the machine, or of a lower control group limit; None if unknown."""
    bounds = [*_total(), *_group_bounds()]
    return min(bounds) if bounds else None


def _total() -> Iterator[int]:
    for line in contents("/proc/meminfo").splitlines():
        if line.startswith("MemTotal:"):
            kilobytes = line.split()[1]
            yield int(kilobytes) * 1024


def _group_bounds() -> Iterator[int]:
    """Yield the memory limits of the control groups (versions 2 and 1) and of their parents."""
    for line in contents("/proc/self/cgroup").splitlines():
        number, controllers, path = line.split(":", 2)
        if number == "0":
            root, name = "/sys/fs/cgroup", "memory.max"
        elif "memory" in controllers.split(","):
            root, name = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
        else:
            continue
        folders = [folder for folder in path.split("/") if folder]
        for depth in range(len(folders) + 1):
            file = "/".join((root, *folders[:depth], name))
            text = contents(file).strip()
            if text.isdigit():
                yield int(text)


def lock_file(file: int) -> bool:
    """Lock an open file until it is closed or this process ends.

    Returns whether no other process has locked it; always true where there are no such locks.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def contents(path: StrPath) -> str:
    """Return the text of a file; empty if it cannot be read."""
    try:
        with open(path) as file:  # noqa: PTH123 (pathlib takes time to load)
            return file.read()
    except OSError:
        return ""


def bytes_of(size: str) -> int:
    """Return the bytes that `--memory` names: `500M`, `2G`, or a number. Raises InputError."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", size.strip(), re.IGNORECASE)
    if match is None:
        raise InputError(
            f"{option('memory')} {size}: expected a number with K, M, G or T, such as 500M"
        )
    if sys.platform in UNBOUNDED:
        raise InputError(f"{option('memory')}: this platform cannot limit the memory of a process")
    number, unit = match.groups()
    return int(float(number) * UNITS[unit.upper()])


def bound_memory(most: int) -> None:
    """Limit the memory of this process and of each child to so many bytes.

    Raises OSError or ValueError if the system refuses.
    """
    if sys.platform not in UNBOUNDED:
        import resource

        # on Linux, of memory that is used and not only reserved
        limit = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
        _, hard_limit = resource.getrlimit(limit)
        resource.setrlimit(limit, (most, hard_limit))


def memory_is_bounded() -> bool:
    """Return whether the memory of this process and its children is limited."""
    if sys.platform in UNBOUNDED:
        return False
    import resource

    for limit in (resource.RLIMIT_DATA, resource.RLIMIT_AS):
        soft_limit, _ = resource.getrlimit(limit)
        if soft_limit != resource.RLIM_INFINITY:
            return True
    return False


def peak_memory() -> int:
    """Return the most bytes that this process ever used; 0 where the system does not say."""
    if sys.platform in UNBOUNDED:
        return 0
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def children(pid: int) -> list[int]:
    """Return the children of a process, and the processes it adopted."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208
    except OSError:
        return []
    pids: list[int] = []
    for thread in threads:
        pids += map(int, contents(f"/proc/{pid}/task/{thread}/children").split())
    return pids


def tree(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    processes = [pid]
    for process in processes:
        processes += children(process)
    return processes


def largest_beyond(pid: int, bound: int) -> int | None:
    """Return the largest process of a tree that uses more than `bound` bytes, else None."""
    processes = tree(pid)
    if sum(map(resident, processes)) <= bound:
        return None
    sizes = {process: _proportional(process) for process in processes}
    if sum(sizes.values()) <= bound:
        return None
    return max(processes, key=sizes.__getitem__)


def resident(pid: int) -> int:
    """Return the resident bytes of a process; shared pages count in full."""
    fields = contents(f"/proc/{pid}/statm").split()
    if not fields:
        return 0
    pages = int(fields[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _proportional(pid: int) -> int:
    """Return the resident bytes of a process, slowly: shared pages are divided evenly."""
    for line in contents(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            kilobytes = line.split()[1]
            return int(kilobytes) * 1024
    return resident(pid)


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process; 0 if it has ended.

    Where the system has no such clock, this is the time on the wall.
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
    """Return the name of a signal."""
    if number in set(signal.Signals):
        return signal.Signals(number).name
    return f"signal {number}"


def prctl(option: int, value: int) -> None:
    """Set a property of this process, on Linux."""
    if sys.platform == "linux":
        _libc().prctl(option, value, 0, 0, 0)


@cache
def _libc() -> Any:
    import ctypes  # takes time to load

    return None if sys.platform == "win32" else ctypes.CDLL(None)
