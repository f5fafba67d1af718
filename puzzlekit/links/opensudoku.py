"""Boards of OpenSudoku: its XML, and the data of one board, with a line of its version.

A board goes to the fields that a type names under `line:`. What a player has entered is not read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from xml.etree.ElementTree import Element

from puzzlekit.errors import InputError, option
from puzzlekit.lang import Instance, PuzzleType
from puzzlekit.links import ParsedPuzzle, digit_line
from puzzlekit.links.xml_text import parsed_xml

XML = re.compile(r"\s*<")
ROOT = re.compile(r"<opensudoku[\s>]")
HEAD_LENGTH = 4000  # characters in which the root element begins
VERSION = re.compile(r"\s*version: ([0-9]{1,2})\s*\n")
# a cell: its value, its notes (0 for none) and whether the player may change it
CELL = re.compile(r"([0-9])\|(?:0\||[0-9]+\|\||[0-9,]*-?\|)([01])\|")
TWO_NOTES = re.compile(r"([0-9])\|(?:[0-9]+\|(?:\|)?){2}([01])\|")  # from version 4 on
CELLS = 81


def recognises(text: str) -> bool:
    """Return whether a text is the XML, or begins with a version and has cells."""
    if XML.match(text):
        return ROOT.search(text[:HEAD_LENGTH]) is not None
    version = VERSION.match(text)
    if version is None:
        return False
    end = version.end()
    return "|" in text[end : end + 2]


def read(text: str, puzzle_type: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzles of a file.

    Raises:
        InputError: The file is not well-formed, or a board has not 81 cells.
    """
    if not XML.match(text):
        return [_puzzle(text, "", puzzle_type)]
    root = parsed_xml(text)
    games = list(root.iter("game"))
    if not games:
        raise InputError("the file has no game")
    title = root.findtext("name", "").strip() if len(games) == 1 else ""
    return [_puzzle(_cells_of(game), title, puzzle_type) for game in games]


def _cells_of(game: Element) -> str:
    return game.get("data", "").strip()


def _puzzle(cells: str, title: str, puzzle_type: PuzzleType | None) -> ParsedPuzzle:
    board = _board(cells)
    (puzzle,) = digit_line.read(board, puzzle_type)
    return replace(puzzle, fields={"title": title, **puzzle.fields}) if title else puzzle


def _board(text: str) -> str:
    """Return the given digits as a line."""
    version = VERSION.match(text)
    if version is None:
        if not re.fullmatch(rf"[0-9]{{{CELLS}}}", text):
            raise InputError(f"a board of OpenSudoku has {CELLS} digits, got {text[:20]!r}")
        return text
    cells = _cells(text[version.end() :].strip(), int(version[1]))
    if len(cells) != CELLS:
        raise InputError(f"a board of OpenSudoku has {CELLS} cells, got {len(cells)}")
    return "".join("0" if changeable == "1" else value for value, changeable in cells)


def _cells(text: str, version: int) -> Sequence[tuple[str, str]]:
    """Return the value of each cell, and whether the player may change it."""
    pattern = TWO_NOTES if version > 3 else CELL
    cells = []
    position = 0
    while match := pattern.match(text, position):
        cells.append((match[1], match[2]))
        position = match.end()
    if position < len(text):
        beginning = text[position : position + 12]
        raise InputError(f"cell {len(cells) + 1}: {beginning!r} has no meaning")
    return cells


def write(puzzle: Instance) -> str:
    """Raise InputError: boards of OpenSudoku are only read."""
    raise InputError(
        "boards of OpenSudoku are read, and not written",
        help=f"{option('format')} line writes the digits",
    )
