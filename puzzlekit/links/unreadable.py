"""What a text is that no notation reads: a name for it, and what would read it."""

from __future__ import annotations

import json
import re

from puzzlekit.errors import InputError

HEAD_LENGTH = 2000  # characters that are looked at
SHORT_LINK = "a short link holds no puzzle: open it, and copy the long link of its page"
PLAIN_RUNS = "save it as .non, or give its runs to the fields of the type"
# what a text begins with, its name, and what would read it
SIGNS = (
    (
        r"https?://(?:www\.)?(?:tinyurl\.com|bit\.ly|t\.co|goo\.gl|git\.io)/",
        "a short link",
        SHORT_LINK,
    ),
    (r"\S*(?:sudokupad\.app|crackingthecryptic\.com)/", "a short link of SudokuPad", SHORT_LINK),
    (r"\S*penpa", "a link of Penpa without its data", SHORT_LINK),
    (
        r"[0-9]+(?:x[0-9]+)?[0-9a-zA-Z.]*#\S+$",
        "a random seed of Simon Tatham's puzzles, which is no board",
        "copy the game ID with a colon: Game > Specific",
    ),
    (r"<!doctype html|<html", "a web page", "copy the link of the puzzle, or its data"),
    (r"<\?xml|<[a-zA-Z]", "XML of an unknown notation", "webpbn and OpenSudoku are read"),
    (r"%PDF", "a PDF document", ""),
    (r"%!PS", "a PostScript document", ""),
    (r"#d\s*\n|: rows", "a picture for the solver of Olšák", PLAIN_RUNS),
    (r"[0-9]{1,3}[ \t]+[0-9]{1,3}[ \t]*\n[0-9 ,\t]*\n", "numbers without a name", PLAIN_RUNS),
    (
        r"(?:puzzle|data|variables|rules|givens)\s*:",
        "YAML",
        "it is a spec or a type: solve, draw and check read it",
    ),
    (r"[\w.-]+://", "a link", "docs/links.md lists the sites"),
)


def refusal(text: str) -> InputError:
    """Return the error for a text that no notation recognises: one line that names it.

    Examples:
        >>> str(refusal("https://tinyurl.com/abc"))
        "'https://tinyurl.com/abc' is a short link, and no notation reads it"
    """
    head = text[:HEAD_LENGTH].strip()
    line = head.splitlines()[0].strip()[:60] if head else ""
    sign = _sign_of(head)
    if sign is not None:
        name, help = sign
        return InputError(f"{line!r} is {name}, and no notation reads it", help=help)
    if head[:1] in "{[" and _is_json(text):
        return InputError("this is JSON of an unknown notation", help="ipuz is read")
    begins = f"this begins with {line!r}, and" if line else "this is empty, and"
    return InputError(f"{begins} no notation reads it", help="docs/links.md lists what is read")


def is_named(text: str) -> bool:
    """Return whether it is known what a text is, by what it begins with."""
    return _sign_of(text[:HEAD_LENGTH].strip()) is not None


def _sign_of(head: str) -> tuple[str, str] | None:
    """Return the name of what begins like that, and what would read it; None if it is unknown."""
    for pattern, name, help in SIGNS:
        if re.match(pattern, head, re.IGNORECASE):
            return name, help
    return None


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
