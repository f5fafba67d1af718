"""Boards of digits as a line of characters, row by row, or as a grid with rulers.

A type says which fields they fill: `line: {board: FIELD, size: FIELD, candidates: FIELD}`. A cell
is one character: a digit, a letter above 9, or a sign of an empty cell; or two characters, `01` to
`99`. After the board, a comment or the solution may stand. Nine characters a cell are its
candidates. A link may hold a board as the value of a parameter; a file may begin with lines that
begin with `#`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isqrt
from typing import Any

from puzzlekit.boards import Cell
from puzzlekit.catalogue import find
from puzzlekit.errors import InputError
from puzzlekit.lang import Instance, PuzzleType, read_type
from puzzlekit.links import ParsedPuzzle, type_with
from puzzlekit.links.form import links_of

SIZES = (4, 6, 8, 9, 10, 12, 15, 16, 20, 25)  # the sides of boards
ONE = {size * size: size for size in SIZES}  # by the number of characters
TWO = {2 * size * size: size for size in SIZES if size > 9}
CANDIDATES = 9**3
NAME = "line"
EMPTY = ".0-*_xX"
DIGITS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BOARD = re.compile(r"\s*([0-9A-Za-z.*_-]{16,2000})(?:[\s;,#].*)?", re.DOTALL)
LINK = re.compile(
    r"[^\s?#]*\?(?:[\w.]+=[^&\s]*&)*?\w+=([0-9.]{81,}+)(?:[&#]|$)"
)  # as ?bd=… and ?s=…
HEADER = re.compile(r"^\s*(?:#.*|\[Puzzle\]\s*)$\n?", re.MULTILINE | re.IGNORECASE)
MOST = 20_000  # characters of a grid


def box_of(size: int) -> tuple[int, int]:
    """Return the rows and the columns of the usual box: as square as it can be, wider than high.

    Examples:
        >>> box_of(9), box_of(6), box_of(7)
        ((3, 3), (2, 3), (1, 7))
    """
    high = next(rows for rows in range(isqrt(size), 0, -1) if size % rows == 0)
    return high, size // high


def recognises(text: str) -> bool:
    """Return whether the text is a board on a line, or a grid of several lines, or a link with a
    board.
    """
    if "\n" in text.strip():
        return len(text) < MOST and _grid(text) is not None
    found = _line(text)
    return found is not None and _is_board(found[1])


def _line(text: str) -> re.Match[str] | None:
    """Return the match of a board in a link or on a line."""
    text = text.strip()
    return (LINK.match(text) if len(text.split(maxsplit=1)) == 1 else None) or BOARD.fullmatch(text)


def _is_board(text: str) -> bool:
    """Return whether a text is the characters of a board: of the right number, and hardly a word or
    a name.
    """
    plain = re.fullmatch(r"[0-9.*_x-]+", text) is not None
    letters = ONE.get(len(text), 0) > 9 and re.fullmatch(r"[0-9A-Y.*_-]+", text.upper()) is not None
    size = len(text) in ONE or len(text) in TWO or len(text) == CANDIDATES
    return (
        size and (plain or letters) and (len(text) > 16 or re.search(r"[.0*_-]", text) is not None)
    )


def _grid(text: str) -> str | None:
    """Return the characters of a grid of several lines, without its header and its rulers; None if
    it is no grid.
    """
    lines = [line.strip() for line in HEADER.sub("", text).splitlines() if line.strip()]
    if not lines or any(re.search(r"[^0-9A-Ya-y.*_|+\s-]", line) for line in lines):
        return None
    if _is_board(lines[0].split()[0]) and len(lines) != len(lines[0]):  # a board on each line
        return None
    joined = "".join(
        re.sub(r"[|+\s]", "", line) for line in lines if not re.fullmatch(r"[-+|=\s]{3,}", line)
    )
    found = [candidate for candidate in (joined.replace("-", ""), joined) if _is_board(candidate)]
    return found[0] if found else None


def read(text: str, kind: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzle of a board.

    Raises:
        InputError: A character is no cell, or a digit is too large.
    """
    known = (
        kind
        if kind is not None and NAME in links_of(kind).boards
        else read_type(find(type_with(NAME)))
    )
    kind, parts = kind or known, links_of(known).boards[NAME]
    if any(field not in kind.fields for field in parts.values()):
        raise InputError(f"{kind.name} has no boards of digits on a line; {known.name} has")
    rest = ""
    board = _grid(text) if "\n" in text.strip() else None
    if board is None:
        found = _line(text)
        assert found is not None
        board, rest = found[1], found.string[found.end(1) :].strip(" ;,#\t\n")
    if len(board) == CANDIDATES:
        return [
            ParsedPuzzle(
                kind.name,
                {parts["board"]: ["........."] * 9, parts["candidates"]: _candidates(board)},
            )
        ]
    size = ONE.get(len(board)) or TWO[len(board)]
    rows = _rows(board, size)
    fields: dict[str, Any] = {
        parts["board"]: [" ".join(row) if size > 9 else "".join(row) for row in rows]
    }
    if box_of(size) != (3, 3):
        fields[parts["size"]] = "{}x{}".format(*box_of(size))
    answer = rest.split()[0] if rest else ""
    if len(answer) == len(board) and not set(answer) & set(".*_-xX0"):
        solved = _rows(answer, size)
        fields["expect"] = {
            "solutions": 1,
            "answer": [(" " if size > 9 else "").join(row) for row in solved],
        }
    return [ParsedPuzzle(kind.name, fields)]


def _rows(board: str, size: int) -> list[list[str]]:
    """Return the cells of a board, `.` for an empty one."""
    width = 2 if len(board) in TWO else 1
    texts = [board[start : start + width] for start in range(0, len(board), width)]
    zero = (
        width == 1
        and size > 9
        and {"0", "."} <= set(board)
        and DIGITS[size - 1] not in board.upper()
    )
    cells = [_cell(text, size, zero, 1 + width * number) for number, text in enumerate(texts)]
    return [cells[start : start + size] for start in range(0, len(cells), size)]


def _cell(text: str, size: int, zero: bool, place: int) -> str:
    """Return the number in a cell; with `zero`, the digits begin at 0."""
    if text == "0" and zero:
        return "1"
    if not set(text) - set(EMPTY):
        return "."
    value = (
        int(text) if text.isdecimal() and len(text) == 2 else DIGITS.find(text.upper()) + 1 + zero
    )
    if not 1 <= value <= size or (len(text) == 2 and not text.isdecimal()):
        raise InputError(
            f"character {place} of the board: expected a digit up to {size} or an empty cell, got {text!r}"
        )
    return str(value)


def _candidates(board: str) -> Mapping[str, str]:
    found = {}
    for number in range(81):
        marks = board[9 * number : 9 * number + 9]
        wrong = next(
            (
                at
                for at, (mark, digit) in enumerate(zip(marks, DIGITS))
                if mark not in (".", "0", digit)
            ),
            None,
        )
        if wrong is not None:
            place = 9 * number + wrong + 1
            raise InputError(
                f"character {place} of the board: expected {DIGITS[wrong]} or ., got {marks[wrong]!r}"
            )
        found[f"r{number // 9 + 1}c{number % 9 + 1}"] = (
            " ".join(mark for mark in marks if mark in DIGITS) or "[]"
        )
    return found


def write(puzzle: Instance) -> str:
    """Return the board of a puzzle as a line.

    Raises:
        InputError: The puzzle is not of the type, or it has more than givens and the usual boxes.
    """
    parts = links_of(puzzle.type).boards.get(NAME)
    if parts is None or puzzle.bound_from is None:
        raise InputError(f"a line has a board of {type_with(NAME)}, not of {puzzle.type.name}")
    _, spec, settings, *_ = puzzle.bound_from
    board = puzzle.data[parts["board"]]
    if other := sorted({*spec.nodes, *(settings or {})} - {parts["board"], parts["size"]}):
        raise InputError(
            f"a line has only the given digits, and this puzzle has the field {other[0]}"
        )
    size = isqrt(len(board.cells))
    if (
        size not in SIZES
        or (board.height, board.width) != (size, size)
        or tuple(puzzle.data[parts["size"]]) != box_of(size)
    ):
        raise InputError("a line has a square board with the usual boxes")
    values = [
        board.values[Cell(row, column)]
        for row in range(1, size + 1)
        for column in range(1, size + 1)
    ]
    if any(isinstance(value, str) for value in values):
        raise InputError("a line has only digits, not even and odd cells")
    return "".join("." if value is None else DIGITS[value - 1] for value in values)
