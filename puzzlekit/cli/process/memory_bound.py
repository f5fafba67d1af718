"""How much memory the machine has, how much a process tree takes, and a bound on it. Read from Linux's /proc."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator

from puzzlekit.cli.process import shared_page
from puzzlekit.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _typeshed import StrPath


def machine_memory() -> int | None:
    """The bytes that this process may count on: the machine's memory, or a control group's bound below it. None: not known."""
    known = [*_total(), *_group_bounds()]
    return min(known) if known else None


def _total() -> Iterator[int]:
    for line in _read("/proc/meminfo").splitlines():
        if line.startswith("MemTotal:"):
            yield int(line.split()[1]) * 1024


def _group_bounds() -> Iterator[int]:
    """The bounds of this process's control groups and of those around them, in version 2 and version 1."""
    for line in _read("/proc/self/cgroup").splitlines():
        number, controllers, path = line.split(":", 2)
        if number == "0":
            root, name = "/sys/fs/cgroup", "memory.max"
        elif "memory" in controllers.split(","):
            root, name = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
        else:
            continue
        parts = [part for part in path.split("/") if part]
        for depth in range(len(parts) + 1):
            text = _read("/".join((root, *parts[:depth], name))).strip()
            if text.isdigit():
                yield int(text)


def children(pid: int) -> list[int]:
    """The processes that a process started, and those that were left to it."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208
    except OSError:
        return []
    return [int(child) for thread in threads for child in _read(f"/proc/{pid}/task/{thread}/children").split()]


def tree(pid: int) -> list[int]:
    """A process and all that it started, directly or not."""
    found = [pid]
    for process in found:
        found += children(process)
    return found


def resident(pid: int) -> int:
    """The bytes of a process that are in memory; what it shares with others counts in full."""
    fields = _read(f"/proc/{pid}/statm").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") if fields else 0


def proportional(pid: int) -> int:
    """The bytes of a process that are in memory; what it shares with others counts in part. Takes longer to find out."""
    for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return resident(pid)


def beyond(pid: int, bound: int) -> int | None:
    """Where a process and all that it started take more than `bound` bytes: the one that takes most. Else None."""
    processes = tree(pid)
    if sum(map(resident, processes)) <= bound:
        return None
    sizes = {process: proportional(process) for process in processes}
    return max(processes, key=sizes.__getitem__) if sum(sizes.values()) > bound else None


def _read(path: StrPath) -> str:
    try:
        with open(path) as file:  # noqa: PTH123 (pathlib takes time to load)
            return file.read()
    except OSError:
        return ""


UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def limit_memory(size: str) -> None:
    """Let this process, and each that it starts, have no more than this: `500M`, `2G`, or a number of bytes.

    Raises InputError for what is no size, and where the platform has no such bound.
    """
    read = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", size.strip(), re.IGNORECASE)
    if read is None:
        raise InputError(f"--memory {size}: write a number with K, M or G, such as 500M")
    number = int(float(read[1]) * UNITS[read[2].upper()])
    if sys.platform == "win32":
        raise InputError("--memory: this platform has no bound on a process's memory")
    import resource

    kind = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS  # of what is used, not of what is reserved
    try:
        resource.setrlimit(kind, (number, resource.getrlimit(kind)[1]))
    except (ValueError, OSError) as error:
        raise InputError(f"--memory {size}: {error}") from None
    shared_page.bounded()
