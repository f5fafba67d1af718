"""The memory of the machine and of a process tree, and a bound on it; read from /proc on Linux."""

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
    """The bytes of the machine, or of a lower control group limit; None if unknown."""
    known = [*_total(), *_group_bounds()]
    return min(known) if known else None


def _total() -> Iterator[int]:
    for line in _read("/proc/meminfo").splitlines():
        if line.startswith("MemTotal:"):
            yield int(line.split()[1]) * 1024


def _group_bounds() -> Iterator[int]:
    """The memory limits of this process's control groups and their parents, versions 2 and 1."""
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
    """The children of a process, and the processes it adopted."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208
    except OSError:
        return []
    return [int(child) for thread in threads for child in _read(f"/proc/{pid}/task/{thread}/children").split()]


def tree(pid: int) -> list[int]:
    """A process and all its descendants."""
    found = [pid]
    for process in found:
        found += children(process)
    return found


def resident(pid: int) -> int:
    """The resident bytes of a process; shared pages count in full."""
    fields = _read(f"/proc/{pid}/statm").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") if fields else 0


def proportional(pid: int) -> int:
    """The resident bytes of a process; shared pages count in part. Slower than `resident`."""
    for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
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


def _read(path: StrPath) -> str:
    try:
        with open(path) as file:  # noqa: PTH123 (pathlib takes time to load)
            return file.read()
    except OSError:
        return ""


UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def limit_memory(size: str) -> None:
    """Limit the memory of this process and of each child: `500M`, `2G`, or a number of bytes.

    Raises InputError for an invalid size, and if the platform has no such limit.
    """
    read = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", size.strip(), re.IGNORECASE)
    if read is None:
        raise InputError(f"--memory {size}: expected a number with K, M, G or T, such as 500M")
    number = int(float(read[1]) * UNITS[read[2].upper()])
    if sys.platform == "win32":
        raise InputError("--memory: this platform cannot limit the memory of a process")
    import resource

    # on Linux, of memory that is used and not only reserved
    kind = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    try:
        resource.setrlimit(kind, (number, resource.getrlimit(kind)[1]))
    except (ValueError, OSError) as error:
        raise InputError(f"--memory {size}: {error}") from None
    shared_page.bounded()
    sys.unraisablehook = _drop_memory_errors


def _drop_memory_errors(unraisable: sys.UnraisableHookArgs) -> None:
    """Report no MemoryError that a destructor of a library drops: the command reports its own."""
    if not isinstance(unraisable.exc_value, MemoryError):
        sys.__unraisablehook__(unraisable)
