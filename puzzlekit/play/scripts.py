"""The scripts and the style sheet of pages on which puzzles are played.

A page has a bundle of the scripts that all pages need, which `npm run bundle` writes, after bundles
of what only some need. The page of `serve` loads the scripts one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

BUNDLE = "page.min.js"
EXTRAS = {"book": "book.min.js", "hints": "hints.min.js"}  # bundles of what only some pages need
SHEET = "board.css"


@cache
def play_file(name: str) -> str | None:
    """Return the text of a script or style sheet; None if there is no such file."""
    file = files("puzzlekit.play").joinpath("static", name)
    return file.read_text(encoding="utf-8") if file.is_file() else None


def page_script(extras: Iterable[str]) -> str:
    """Return the script of a page with some of `EXTRAS`."""
    names = [*(EXTRAS[extra] for extra in extras), BUNDLE]
    return "\n".join(play_file(name) or "" for name in names)
