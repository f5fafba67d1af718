"""The scripts and the style sheet of pages on which puzzles are played.

A page has the bundle of all scripts, which `npm run bundle` writes; the page of `serve` loads them
one by one.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

BUNDLE = "page.min.js"
SHEET = "board.css"


@cache
def play_file(name: str) -> str | None:
    """Return the text of a script or style sheet; None if there is no such file."""
    file = files("puzzlekit.play").joinpath("static", name)
    return file.read_text(encoding="utf-8") if file.is_file() else None
