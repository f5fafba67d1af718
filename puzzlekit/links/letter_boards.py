"""What notations of boards of letters share: the signs of blocks, and where words begin.

A type names the field of the board in its section `links`, for `ipuz` and for `puz`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from yaml.nodes import ScalarNode

from puzzlekit.boards import Cell, Grid
from puzzlekit.errors import InputError
from puzzlekit.lang import BoundPuzzle, PuzzleType
from puzzlekit.lang.data.grids import GridOf
from puzzlekit.lang.data.scalars import Choice, Union
from puzzlekit.links import Imported

HOLE = "_"
EMPTY = "."
Rows = Sequence[Sequence[str | None]]  # the value of each cell: a block, a letter or None; `_` for a hole


def block_of(kind: PuzzleType, notation: str) -> str:
    """Return how the board of a type writes a block.

    Raises:
        InputError: The type has no such notation, or its board has no blocks.
    """
    if notation not in kind.boards:
        raise InputError(f"{kind.name} has no {notation} in its section links")
    field = kind.fields[kind.boards[notation]["board"]].type
    item: object = field.item if isinstance(field, GridOf) else None
    signs = [one for one in (item.items if isinstance(item, Union) else [item]) if isinstance(one, Choice)]
    if not signs:
        raise InputError(f"{kind.name} has no blocks: the field {kind.boards[notation]['board']} is a {field}")
    return signs[0].names[0]


def imported(kind: PuzzleType, notation: str, rows: Rows, title: str, author: str) -> Imported:
    """Return the puzzle of a board."""
    about = {"title": title.strip(), "source": author.strip()}
    lines = [" ".join(EMPTY if value is None else value for value in row) for row in rows]
    return Imported(kind.name, {**{key: text for key, text in about.items() if text}, kind.boards[notation]["board"]: lines})


def rows_of(puzzle: BoundPuzzle, notation: str) -> Rows:
    """Return the board of a puzzle.

    Raises:
        InputError: The type has no such notation, or the spec has more: a list, or a value of `--set`. The name of a
            lexicon is left out.
    """
    kind = puzzle.puzzle
    block_of(kind, notation)
    name = kind.boards[notation]["board"]
    assert puzzle.bound_from is not None
    _, spec, settings, *_ = puzzle.bound_from
    lists = {other for other, (_, node) in spec.nodes.items() if not isinstance(node, ScalarNode)}
    if more := sorted((lists | set(settings or ())) - {name}):
        raise InputError(f"{notation} has only the board, and this puzzle has the field {more[0]}")
    board: Grid = puzzle.data[name]
    high, wide = max(cell.row for cell in board.cells), max(cell.column for cell in board.cells)
    return [[board.values.get(Cell(row, column), HOLE) for column in range(1, wide + 1)] for row in range(1, high + 1)]


def title_of(puzzle: BoundPuzzle) -> str:
    """Return the title of a puzzle, or of its type."""
    assert puzzle.bound_from is not None
    text: Any = puzzle.bound_from[1].text("title")
    return str(text or puzzle.puzzle.title)


def numbers(rows: Rows, block: str) -> dict[tuple[int, int], int]:
    """Return the number of each cell, by row and column from 0, where a word of two letters or more begins.

    Examples:
        >>> numbers([["#", None, None], [None, None, "#"]], "#")
        {(0, 1): 1, (1, 0): 2}
    """

    def white(row: int, column: int) -> bool:
        return 0 <= row < len(rows) and 0 <= column < len(rows[row]) and rows[row][column] not in (block, HOLE)

    found: dict[tuple[int, int], int] = {}
    for row, values in enumerate(rows):
        for column in range(len(values)):
            across = white(row, column + 1) and not white(row, column - 1)
            down = white(row + 1, column) and not white(row - 1, column)
            if white(row, column) and (across or down):
                found[row, column] = len(found) + 1
    return found
