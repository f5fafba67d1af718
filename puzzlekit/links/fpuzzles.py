"""Links of f-puzzles: a square board of digits with constraints, as JSON that LZ-string has compressed.

The section `links` of a type says which fields the parts of the data fill. A constraint that the type lacks is
refused by its name; what is only drawn or noted is skipped.
"""

from __future__ import annotations

import json
import re
from urllib.parse import unquote

from puzzlekit.catalogue import find
from puzzlekit.errors import InputError
from puzzlekit.lang import BoundPuzzle, PuzzleType, read_type
from puzzlekit.limits import limits
from puzzlekit.links import Imported
from puzzlekit.links.digit_boards import type_with
from puzzlekit.links.fpuzzles_reader import fields_of_board
from puzzlekit.links.fpuzzles_writer import board_parts
from puzzlekit.links.lz_string import compress, decompress

SITE = "https://f-puzzles.com/?load="
LINK = re.compile(r"\s*(?:https?://)?[\w.-]*/?[^\s?#]*\?load=([^&\s]*)[^\s]*\s*|\s*fpuzzles([A-Za-z0-9+/=%]{8,})\s*")


def recognises(text: str) -> bool:
    """Return whether the text is a link with data to load."""
    return LINK.fullmatch(text) is not None


def read(text: str, kind: PuzzleType | None = None) -> list[Imported]:
    """Return the puzzle of a link.

    Raises:
        InputError: The link has an error, or a constraint that the type lacks.
    """
    found = LINK.fullmatch(text)
    assert found is not None
    packed = re.sub(r"\s", "+", unquote(found[1] or found[2] or ""))
    plain = decompress(packed, limits().reading.file_characters)
    try:
        data = json.loads(plain)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the data of the link: {error}") from None
    if not isinstance(data, dict):
        raise InputError("the data of the link: expected an object")
    known = kind if kind is not None and kind.board_parts else read_type(find(type_with("fpuzzles")))
    return [Imported((kind or known).name, fields_of_board(data, known.board_parts))]


def write(puzzle: BoundPuzzle) -> str:
    """Return a link to a puzzle.

    Raises:
        InputError: The puzzle is not of the type, or has a field that the site lacks.
    """
    if not puzzle.puzzle.board_parts:
        raise InputError(f"f-puzzles has no {puzzle.puzzle.name}")
    return SITE + compress(json.dumps(dict(board_parts(puzzle)), separators=(",", ":")))
