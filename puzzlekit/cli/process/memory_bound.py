"""The memory of a process tree, read from /proc on Linux, and the bound that `--memory` sets."""

from __future__ import annotations

import os
import sys

from puzzlekit.cli.process import shared_page
from puzzlekit.errors import InputError
from puzzlekit.memory import bound_memory, bytes_of, contents


def children(pid: int) -> list[int]:
    """The children of a process, and the processes it adopted."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208
    except OSError:
        return []
    return [int(child) for thread in threads for child in contents(f"/proc/{pid}/task/{thread}/children").split()]


def tree(pid: int) -> list[int]:
    """A process and all its descendants."""
    found = [pid]
    for process in found:
        found += children(process)
    return found


def resident(pid: int) -> int:
    """The resident bytes of a process; shared pages count in full."""
    fields = contents(f"/proc/{pid}/statm").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") if fields else 0


def proportional(pid: int) -> int:
    """The resident bytes of a process; shared pages count in part. Slower than `resident`."""
    for line in contents(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return resident(pid)


def beyond(pid: int, bound: int) -> int | None:
    """The largest process of a tree that uses more than `bound` bytes, else None."""
    processes = tree(pid)
    if sum(map(resident, processes)) <= bound:
        return None
    sizes = {process: proportional(process) for process in processes}
    return max(processes, key=sizes.__getitem__) if sum(sizes.values()) > bound else None


def limit_memory(size: str) -> None:
    """Limit the memory of this process and of each child: `500M`, `2G`, or a number of bytes.

    Raises InputError for an invalid size, and if the platform has no such limit.
    """
    try:
        bound_memory(bytes_of(size))
    except (ValueError, OSError) as error:
        raise InputError(f"--memory {size}: {error}") from None
    shared_page.bounded()
    sys.unraisablehook = _drop_memory_errors


def _drop_memory_errors(unraisable: sys.UnraisableHookArgs) -> None:
    """Report no MemoryError that a destructor of a library drops: the command reports its own."""
    if not isinstance(unraisable.exc_value, MemoryError):
        sys.__unraisablehook__(unraisable)
