"""The progress of a player, which a command reads from a file or from standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

from puzzlekit.errors import InputError
from puzzlekit.options import Option

PROGRESS_BYTES = 1_000_000

Progress = Annotated[
    Path | None,
    Option("progress instead of the spec's: a YAML file, or - for standard input", "FILE|-"),
]


def read_progress_file(path: Path | None) -> dict[str, Any] | None:
    """Return the progress in a file; None without a file.

    It is under the key `progress`, or is the complete mapping of the file.

    Raises:
        Problems: It is no YAML mapping.
        InputError: It cannot be read, or is a spec without progress.
    """
    from puzzlekit.reading import read_text
    from puzzlekit.source import parse
    from puzzlekit.yaml_nodes import plain_node

    if path is None:
        return None
    if str(path) == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed: there is no progress to read")
        text = sys.stdin.read(PROGRESS_BYTES)
    else:
        text = read_text(path)
    _, root = parse("<progress>" if str(path) == "-" else str(path), text)
    mapping: dict[str, Any] = plain_node(root)
    progress = mapping.get("progress")
    if "puzzle" in mapping and progress is None:
        raise InputError(
            f"--progress {path}: this spec has no progress",
            help="write into it progress: {NAME OF AN UNKNOWN: …}, or name another file",
        )
    return progress if isinstance(progress, dict) else mapping
