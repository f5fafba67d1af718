"""Marks that a command is given: in the spec, in a file, or on standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

from puzzlekit.errors import InputError
from puzzlekit.options import Option

MARKS_BYTES = 1_000_000

Marks = Annotated[
    Path | None,
    Option("marks instead of the spec's: a YAML file, or - for standard input", "FILE|-"),
]


def read_marks_file(path: Path | None) -> dict[str, Any] | None:
    """Return the marks in a file; None without one. They stand under `marks`, or are all that it holds.

    Raises:
        Problems: It is no YAML mapping.
        InputError: It cannot be read.
    """
    from puzzlekit.reading import read_text
    from puzzlekit.source import parse
    from puzzlekit.yaml_nodes import plain_node

    if path is None:
        return None
    if str(path) == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed: there are no marks to read")
        text = sys.stdin.read(MARKS_BYTES)
    else:
        text = read_text(path)
    _, root = parse("<marks>" if str(path) == "-" else str(path), text)
    found: dict[str, Any] = plain_node(root)
    inner = found.get("marks")
    return inner if isinstance(inner, dict) else found
