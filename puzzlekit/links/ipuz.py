"""Files of ipuz: a board of letters as JSON. Clues, the solution, looks and what is filled in are
not read.

The type is the one that the file names by its kind, `http://ipuz.org/KIND#1`; its section `links`
has `ipuz: {kind: KIND, board: FIELD}`. The functions from `block_of` on serve other notations of
boards of letters as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from yaml.nodes import ScalarNode

from puzzlekit.boards import Grid, rows_over
from puzzlekit.catalogue import find, is_known
from puzzlekit.errors import InputError
from puzzlekit.lang import Instance, PuzzleType, read_type
from puzzlekit.lang.data.collections import BOARD_SIDE, GridOf
from puzzlekit.lang.data.scalars import Choice, Union
from puzzlekit.links import ParsedPuzzle
from puzzlekit.links.form import links_of

NAME = "ipuz"
BEGIN = re.compile(r"\s*(?:ipuz\s*\(\s*)?\{")  # some files call a function with the data
SITE = re.compile(r'"(?:version|kind)"\s*:\s*(?:\[\s*)?"https?://ipuz\.org/')
HOLE = "_"
EMPTY = "."
Rows = Sequence[
    Sequence[str | None]
]  # the value of each cell: a block, a letter or None; `_` for a hole
KIND = re.compile(r"https?://ipuz\.org/([a-z]{1,30})(?:#\d+)?")


def recognises(text: str) -> bool:
    """Return whether a text is JSON that names a version or a kind of ipuz."""
    return BEGIN.match(text) is not None and SITE.search(text) is not None


def read(text: str, kind: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzle of a file.

    Raises:
        InputError: The text is no JSON, its kind is not known, or a cell has an error.
    """
    try:
        data = json.loads(re.sub(r"\A\s*ipuz\s*\(|\)\s*(?:;\s*)?\Z", "", text))
    except (ValueError, RecursionError) as error:
        raise InputError(f"the file is not JSON: {error}") from None
    name = _kind_in(data)
    if kind is None:
        kind = read_type(find(name)) if is_known(name) else None
    if kind is None or links_of(kind).boards.get(NAME, {}).get("kind") != name:
        whose = "no type has" if kind is None else f"{kind.name} does not have"
        raise InputError(f"kind: {whose} {name} as its kind of ipuz")
    rows = _rows(data, block_of(kind, NAME))
    about = [data.get(key) if isinstance(data.get(key), str) else "" for key in ("title", "author")]
    return [imported(kind, NAME, rows, about[0] or "", about[1] or "")]


def _kind_in(data: Mapping[str, Any]) -> str:
    """Return the only kind that the data names."""
    kinds = data.get("kind")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    found = KIND.fullmatch(kinds[0]) if len(kinds) == 1 and isinstance(kinds[0], str) else None
    if found is None:
        raise InputError(
            f"kind: expected one kind such as http://ipuz.org/name#1, got {str(kinds)[:80]}"
        )
    return found[1]


def _rows(data: Mapping[str, Any], block: str) -> Rows:
    """Return the board in the data."""
    sides = data.get("dimensions")
    wide, high = (
        sides.get(key) if isinstance(sides, dict) else None for key in ("width", "height")
    )
    if not (
        type(wide) is int
        and type(high) is int
        and 1 <= wide <= BOARD_SIDE
        and 1 <= high <= BOARD_SIDE
    ):
        raise InputError(
            f"dimensions: expected a width and a height up to {BOARD_SIDE}, got {str(sides)[:60]}"
        )
    rows = data.get("puzzle")
    if not isinstance(rows, list) or len(rows) != high:
        raise InputError(f"puzzle: expected {high} rows")
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list) or len(row) != wide:
            raise InputError(f"puzzle: expected {wide} cells in row {number}")
    theirs = str(data.get("block", "#"))
    return [
        [_value(cell, theirs, block, f"r{row}c{column}") for column, cell in enumerate(cells, 1)]
        for row, cells in enumerate(rows, 1)
    ]


def _value(cell: Any, theirs: str, block: str, place: str) -> str | None:
    """Return what the board has in a cell: a number or a label of theirs is an empty cell."""
    given = None
    if isinstance(cell, dict):
        style = cell.get("style")
        if isinstance(style, dict) and "barred" in style:
            raise InputError(f"puzzle, {place}: bars between cells cannot be read")
        given = cell.get("value")
        cell = cell.get("cell", 0)
    if cell is None:
        return HOLE
    if cell == theirs:
        return block
    if not isinstance(cell, int | str):
        raise InputError(f"puzzle, {place}: expected a cell, got {str(cell)[:40]!r}")
    if given in (None, ""):
        return None
    if not isinstance(given, str) or len(given) != 1 or not given.isalpha():
        raise InputError(
            f"puzzle, {place}: expected one letter as the value, got {str(given)[:40]!r}"
        )
    return given.lower()


def write(puzzle: Instance) -> str:
    """Return the file of a puzzle: its title and its board, with numbers where words begin, and no
    clues.

    Raises:
        InputError: The type has no such files, or the puzzle has more than a board.
    """
    rows = rows_of(puzzle, NAME)
    block = block_of(puzzle.type, NAME)
    label = numbers(rows, block)

    def cell(row: int, column: int, value: str | None) -> Any:
        if value in (HOLE, block):
            return None if value == HOLE else "#"
        number = label.get((row, column), 0)
        return number if value is None else {"cell": number, "value": value.upper()}

    head = {
        "version": "http://ipuz.org/v2",
        "kind": [f"http://ipuz.org/{links_of(puzzle.type).boards[NAME]['kind']}#1"],
        "title": title_of(puzzle),
        "dimensions": {"width": len(rows[0]), "height": len(rows)},
    }
    cells = [
        [cell(row, column, value) for column, value in enumerate(values)]
        for row, values in enumerate(rows)
    ]
    lines = [
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()
    ]
    board = ",\n".join(json.dumps(row, ensure_ascii=False) for row in cells)
    return "{\n" + ",\n".join([*lines, f'"puzzle": [\n{board}\n]']) + "\n}\n"


def block_of(kind: PuzzleType, notation: str) -> str:
    """Return how the board of a type writes a block.

    Raises:
        InputError: The type has no such notation, or its board has no blocks.
    """
    parts = links_of(kind).boards.get(notation)
    if parts is None:
        raise InputError(f"{kind.name} has no {notation} in its section links")
    field = kind.fields[parts["board"]].type
    item: object = field.item if isinstance(field, GridOf) else None
    signs = [
        one
        for one in (item.items if isinstance(item, Union) else [item])
        if isinstance(one, Choice)
    ]
    if not signs:
        raise InputError(f"{kind.name} has no blocks: the field {parts['board']} is a {field}")
    return signs[0].names[0]


def imported(kind: PuzzleType, notation: str, rows: Rows, title: str, author: str) -> ParsedPuzzle:
    """Return the puzzle of a board."""
    about = {"title": title.strip(), "source": author.strip()}
    lines = [" ".join(EMPTY if value is None else value for value in row) for row in rows]
    return ParsedPuzzle(
        kind.name,
        {
            **{key: text for key, text in about.items() if text},
            links_of(kind).boards[notation]["board"]: lines,
        },
    )


def rows_of(puzzle: Instance, notation: str) -> Rows:
    """Return the board of a puzzle.

    Raises:
        InputError: The type has no such notation, or the spec has more: a list, or a value of
            `--set`. The name of a lexicon is left out.
    """
    kind = puzzle.type
    block_of(kind, notation)
    name = links_of(kind).boards[notation]["board"]
    assert puzzle.bound_from is not None
    _, spec, settings, *_ = puzzle.bound_from
    lists = {other for other, (_, node) in spec.nodes.items() if not isinstance(node, ScalarNode)}
    if more := sorted((lists | set(settings or ())) - {name}):
        raise InputError(f"{notation} has only the board, and this puzzle has the field {more[0]}")
    board: Grid = puzzle.data[name]
    return rows_over(board.values, HOLE)


def title_of(puzzle: Instance) -> str:
    """Return the title of a puzzle, or of its type."""
    assert puzzle.bound_from is not None
    text: Any = puzzle.bound_from[1].text("title")
    return str(text or puzzle.type.title)


def numbers(rows: Rows, block: str) -> dict[tuple[int, int], int]:
    """Return the number of each cell, by row and column from 0, where a word of two letters or more
    begins.

    Examples:
        >>> numbers([["#", None, None], [None, None, "#"]], "#")
        {(0, 1): 1, (1, 0): 2}
    """

    def white(row: int, column: int) -> bool:
        return (
            0 <= row < len(rows)
            and 0 <= column < len(rows[row])
            and rows[row][column] not in (block, HOLE)
        )

    found: dict[tuple[int, int], int] = {}
    for row, values in enumerate(rows):
        for column in range(len(values)):
            across = white(row, column + 1) and not white(row, column - 1)
            down = white(row + 1, column) and not white(row - 1, column)
            if white(row, column) and (across or down):
                found[row, column] = len(found) + 1
    return found
