"""How much memory the machine has, and how much a process and those that it started take. Read from Linux's /proc."""

from __future__ import annotations

import os
from collections.abc import Iterator

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
