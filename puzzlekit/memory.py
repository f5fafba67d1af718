"""The memory of the machine, and a bound on what this process and its children use."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from puzzlekit.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _typeshed import StrPath

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
