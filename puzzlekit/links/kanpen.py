"""Links of kanpen.net: a file with the rows of a board, or the body of a link of puzz.link."""

from __future__ import annotations

import re
from urllib.parse import unquote

from puzzlekit.errors import InputError, option
from puzzlekit.lang import Instance, PuzzleType
from puzzlekit.links import ParsedPuzzle, puzzlink, pzprv3

LINK = re.compile(
    r"\s*(?:https?://)?(?:www\.)?kanpen\.net/([a-z]{1,30})\.html"
    r"\?(problem|pzpr)=([^\s&#]{1,100000})(?:[&#]\S*)?\s*",
    re.IGNORECASE,
)


def recognises(text: str) -> bool:
    """Return whether a text is a link of the site with the data of a puzzle."""
    return LINK.fullmatch(text) is not None


def read(text: str, puzzle_type: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzle of a link. Raises InputError if it has an error."""
    match = LINK.fullmatch(text)
    assert match is not None
    name, notation, data = match.groups()
    if notation == "pzpr":
        return puzzlink.read(f"{puzzlink.SITE}{name}/{data}", puzzle_type)
    rows = unquote(data).replace("_", " ").strip("/")
    return pzprv3.read(f"pzprv3/{name}/{rows}/", puzzle_type)


def write(puzzle: Instance) -> str:
    """Raise InputError: links of kanpen.net are only read."""
    raise InputError(
        "links of kanpen.net are read, and not written",
        help=f"{option('format')} puzzlink writes a link",
    )
