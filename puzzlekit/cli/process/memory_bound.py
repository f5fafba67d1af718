"""`--memory`: a bound on what this process and those that it starts may take."""

from __future__ import annotations

import re
import sys

from puzzlekit.cli.process import shared_page
from puzzlekit.errors import InputError

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
