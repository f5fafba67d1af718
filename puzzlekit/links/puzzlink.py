"""Links of puzz.link and of the sites that share its notation."""

from __future__ import annotations

import re

from puzzlekit.errors import InputError
from puzzlekit.lang import BoundPuzzle, PuzzleType
from puzzlekit.links import Imported

LINK = re.compile(r"\s*(?:https?://)?[\w.-]+(?::\d+)?/[^\s?#]*\?(?:[\w.]+=[^&/]*&)*[\w.-]+/")


def recognises(text: str) -> bool:
    """Return whether the text is a link whose query begins with a name and a slash."""
    return LINK.match(text) is not None


def read(text: str, kind: PuzzleType | None = None) -> list[Imported]:
    raise InputError("not yet")


def write(puzzle: BoundPuzzle) -> str:
    raise InputError("not yet")
