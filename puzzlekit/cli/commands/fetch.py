"""`puzzlekit fetch`: write the spec of a published puzzle."""

from __future__ import annotations

from pathlib import Path

from puzzlekit.api.fetch import Web
from puzzlekit.api.fetch import fetch as fetched
from puzzlekit.cli.screen import progress
from puzzlekit.cli.whole_files import writable, write


def fetch(kind: str, which: str, base: str | None, out: Path | None, timeout: float, refresh: bool) -> int:
    """Print the spec, or write it to a file; returns the exit code."""
    if out is not None:
        writable("--out", out)
    with progress(f"fetching {which}"):
        text = fetched(kind, which, base, Web(timeout=timeout, refresh=refresh))
    if out is None:
        print(text, end="")
    else:
        write(out, text)
        print(out)
    return 0
