"""Boards of digits as a line of characters, row by row, or as a grid with rulers.

A type says which fields they fill: `line: {board: FIELD, size: FIELD, candidates: FIELD}`. A cell
is one character: a digit, a letter above 9, or a sign of an empty cell; or two characters, `01` to
`99`. After the board, a comment or the solution may stand. Nine characters a cell are its
candidates. A link may hold a board as the value of a parameter; a file may begin with lines that
begin with `#`. A line of HoDoKu's library has a board, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product
from math import isqrt
from typing import Any

from puzzlekit.boards import Cell
from puzzlekit.catalogue import find
from puzzlekit.errors import InputError
from puzzlekit.lang import Instance, PuzzleType, read_type
from puzzlekit.links import ParsedPuzzle, type_with
from puzzlekit.links.link_format import links_of

SIZES = (4, 6, 8, 9, 10, 12, 15, 16, 20, 25)  # the sides of boards
# by the number of characters: boards with one character a cell, and with two
ONE = {size * size: size for size in SIZES}
TWO = {2 * size * size: size for size in SIZES if size > 9}
CANDIDATES = 9**3
NAME = "line"
EMPTY = ".0-*_xX"
DIGITS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BOARD = re.compile(r"\s*([0-9A-Za-z.*_-]{16,2000})(?:[\s;,#].*)?", re.DOTALL)
# as ?bd=… and ?s=…
LINK = re.compile(r"[^\s?#]*\?(?:[\w.]+=[^&\s]*&)*?\w+=([0-9.]{81,}+)(?:[&#]|$)")
# of HoDoKu: a step, digits, the board with + before what is solved, candidates
HODOKU = re.compile(r"\s*:[0-9]{4}(?:-[0-9])?:[^:\s]*:([0-9.+]{60,180}):[0-9 ]*:.*\s*")
HEADER = re.compile(r"^\s*(?:#.*|\[Puzzle\]\s*)$\n?", re.MULTILINE | re.IGNORECASE)
MOST = 20_000  # characters of a grid


def box_of(size: int) -> tuple[int, int]:
    """Return the rows and the columns of the usual box: as square as it can be, wider than high.

    Examples:
        >>> box_of(9), box_of(6), box_of(7)
        ((3, 3), (2, 3), (1, 7))
    """
    height = isqrt(size)
    while size % height:
        height -= 1
    return height, size // height


def recognises(text: str) -> bool:
    """Return whether the text is a board on a line, or a grid of several lines, or a link with a
    board.
    """
    if "\n" in text.strip():
        return len(text) < MOST and _grid(text) is not None
    if HODOKU.fullmatch(text):
        return True
    match = _line(text)
    return match is not None and _is_board(match[1])


def _line(text: str) -> re.Match[str] | None:
    """Return the match of a board in a link or on a line."""
    text = text.strip()
    is_word = len(text.split(maxsplit=1)) == 1
    link = LINK.match(text) if is_word else None
    return link or BOARD.fullmatch(text)


def _is_board(text: str) -> bool:
    """Return whether a text is the characters of a board: of the right number, and hardly a word or
    a name.
    """
    length = len(text)
    if length not in ONE and length not in TWO and length != CANDIDATES:
        return False
    if length == 16 and not re.search(r"[.0*_-]", text):
        return False
    if re.fullmatch(r"[0-9.*_x-]+", text):
        return True
    has_letters = ONE.get(length, 0) > 9
    return has_letters and re.fullmatch(r"[0-9A-Y.*_-]+", text.upper()) is not None


def _grid(text: str) -> str | None:
    """Return the characters of a grid of several lines, without its header and its rulers; None if
    it is no grid.
    """
    stripped = [line.strip() for line in HEADER.sub("", text).splitlines()]
    lines = list(filter(None, stripped))
    if not lines or any(re.search(r"[^0-9A-Ya-y.*_|+\s-]", line) for line in lines):
        return None
    first_word = lines[0].split()[0]
    if _is_board(first_word) and len(lines) != len(lines[0]):  # a board on each line
        return None
    rows = [line for line in lines if not re.fullmatch(r"[-+|=\s]{3,}", line)]
    joined = re.sub(r"[|+\s]", "", "".join(rows))
    for candidate in (joined.replace("-", ""), joined):
        if _is_board(candidate):
            return candidate
    return None


def read(text: str, puzzle_type: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzle of a board.

    Raises:
        InputError: A character is no cell, or a digit is too large.
    """
    line_type = puzzle_type
    if line_type is None or NAME not in links_of(line_type).boards:
        line_type = read_type(find(type_with(NAME)))
    puzzle_type = puzzle_type or line_type
    names = links_of(line_type).boards[NAME]
    if any(field not in puzzle_type.fields for field in names.values()):
        raise InputError(
            f"{puzzle_type.name} has no boards of digits on a line; {line_type.name} has"
        )
    hodoku = HODOKU.fullmatch(text)
    board, rest = (_given_digits(hodoku[1]), "") if hodoku else _board_and_rest(text)
    fields: dict[str, Any]
    if len(board) == CANDIDATES:
        fields = {names["board"]: ["........."] * 9, names["candidates"]: _candidates(board)}
        return [ParsedPuzzle(puzzle_type.name, fields)]
    length = len(board)
    size = ONE.get(length) or TWO[length]
    fields = {names["board"]: _rows(board, size)}
    box = box_of(size)
    if box != (3, 3):
        height, width = box
        fields[names["size"]] = f"{height}x{width}"
    answer = rest.split()[0] if rest else ""
    if len(answer) == length and set(answer).isdisjoint(EMPTY):
        fields["expect"] = {"solutions": 1, "answer": _rows(answer, size)}
    return [ParsedPuzzle(puzzle_type.name, fields)]


def _given_digits(board: str) -> str:
    """Return the board of a line of HoDoKu without the digits that are solved. Raises InputError if
    it has not 81 cells.
    """
    given = re.sub(r"\+[0-9]", ".", board)
    if len(given) != 81 or "+" in given:
        raise InputError(f"a line of HoDoKu has a board of 81 cells, got {len(given)}")
    return given


def _board_and_rest(text: str) -> tuple[str, str]:
    """Return the characters of the board, and what stands behind them on its line."""
    if "\n" in text.strip():
        grid = _grid(text)
        if grid is not None:
            return grid, ""
    match = _line(text)
    assert match is not None
    rest = match.string[match.end(1) :]
    return match[1], rest.strip(" ;,#\t\n")


def _rows(board: str, size: int) -> list[str]:
    """Return the rows of a board as a spec writes them, `.` for an empty cell."""
    width = 2 if len(board) in TWO else 1
    begins_at_zero = width == 1 and size > 9 and _has_zero(board, size)
    cells = []
    for start in range(0, len(board), width):
        text = board[start : start + width]
        cells.append(_cell(text, size, begins_at_zero, start + 1))
    separator = " " if size > 9 else ""
    starts = range(0, len(cells), size)
    return [separator.join(cells[start : start + size]) for start in starts]


def _has_zero(board: str, size: int) -> bool:
    """Return whether 0 is a digit, as there are other empty cells and the last digit is missing."""
    last_digit = DIGITS[size - 1]
    return "0" in board and "." in board and last_digit not in board.upper()


def _cell(text: str, size: int, begins_at_zero: bool, position: int) -> str:
    """Return the number in a cell, whose first character has this position in the board."""
    if text == "0" and begins_at_zero:
        return "1"
    if set(text) <= set(EMPTY):
        return "."
    number = _number(text, begins_at_zero)
    if not 1 <= number <= size:
        raise InputError(
            f"character {position} of the board:"
            f" expected a digit up to {size} or an empty cell, got {text!r}"
        )
    return str(number)


def _number(text: str, begins_at_zero: bool) -> int:
    """Return the number that one or two characters state; 0 if they state none."""
    if len(text) == 2:
        return int(text) if text.isdecimal() else 0
    return DIGITS.find(text.upper()) + 1 + begins_at_zero


def _candidates(board: str) -> Mapping[str, str]:
    candidates = {}
    cells = product(range(1, 10), range(1, 10))
    for number, (row, column) in enumerate(cells):
        start = 9 * number
        signs = board[start : start + 9]
        for position, (sign, digit) in enumerate(zip(signs, DIGITS), start + 1):
            if sign not in (".", "0", digit):
                raise InputError(
                    f"character {position} of the board: expected {digit} or ., got {sign!r}"
                )
        digits = filter(DIGITS.__contains__, signs)
        candidates[f"r{row}c{column}"] = " ".join(digits) or "[]"
    return candidates


def write(puzzle: Instance) -> str:
    """Return the board of a puzzle as a line.

    Raises:
        InputError: The puzzle is not of the type, or it has more than givens and the usual boxes.
    """
    names = links_of(puzzle.type).boards.get(NAME)
    if names is None or puzzle.bound_from is None:
        raise InputError(f"a line has a board of {type_with(NAME)}, not of {puzzle.type.name}")
    _, spec, settings, *_ = puzzle.bound_from
    extra = {*spec.nodes, *(settings or {})}
    extra -= {names["board"], names["size"]}
    if extra:
        raise InputError(
            f"a line has only the given digits, and this puzzle has the field {min(extra)}"
        )
    board = puzzle.data[names["board"]]
    size = isqrt(len(board.cells))
    is_square = board.height == board.width == size
    box = puzzle.data[names["size"]]
    if size not in SIZES or not is_square or tuple(box) != box_of(size):
        raise InputError("a line has a square board with the usual boxes")
    sides = range(1, size + 1)
    values = [board.values[Cell(row, column)] for row, column in product(sides, sides)]
    if any(isinstance(value, str) for value in values):
        raise InputError("a line has only digits, not even and odd cells")
    digits = ["." if value is None else DIGITS[value - 1] for value in values]
    return "".join(digits)
