"""The constraints of f-puzzles whose objects are lines of a field: each with its reader and its
writer, in `SHAPES`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from puzzlekit.boards import Cell
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError
from puzzlekit.sentences import counted

CELL = re.compile(r"R(\d{1,2})C(\d{1,2})")
SUMS = {"V": 5, "X": 10}
SUM_NAMES = {total: name for name, total in SUMS.items()}
DIRECTIONS = {"DR": "down_right", "DL": "down_left", "UR": "up_right", "UL": "up_left"}
DIRECTION_NAMES = {direction: name for name, direction in DIRECTIONS.items()}


def cell_text(cell: tuple[int, int]) -> str:
    """Return a cell as specs write it."""
    row, column = cell
    return f"r{row}c{column}"


@dataclass(frozen=True)
class ConstraintObject:
    """An object of a constraint.

    Attributes:
        entries: Its entries.
        where: Its name for messages.
        size: The side of the board.
    """

    entries: Mapping[str, Any]
    where: str
    size: int

    def cell(self, key: str = "cell", beyond: int = 0) -> tuple[int, int]:
        """Return the row and the column of a cell; `beyond` is 1 if it may stand outside."""
        name = self.entries.get(key)
        return self.cell_of(name, f"{self.where}.{key}", beyond)

    def cell_of(self, text: Any, where: str, beyond: int = 0) -> tuple[int, int]:
        """Return the row and the column of a cell by its name."""
        match = CELL.fullmatch(str(text))
        if match is not None:
            row, column = map(int, match.groups())
            lowest = 1 - beyond
            highest = self.size + beyond
            if lowest <= min(row, column) and max(row, column) <= highest:
                return row, column
        beginning = str(text)[:20]
        raise InputError(
            f"{where}: expected a cell of {self.size} × {self.size}, such as R1C2,"
            f" got {beginning!r}"
        )

    def cells(self, key: str = "cells", number: int = 0) -> list[str]:
        """Return the cells of a list, as specs write them."""
        return self._cells(self.entries.get(key), key, number)

    def _cells(self, cells: Any, key: str, number: int = 0) -> list[str]:
        where = f"{self.where}.{key}"
        if not isinstance(cells, list) or (number and len(cells) != number):
            expected = counted(number, "cell") if number else "a list of cells"
            raise InputError(f"{where}: expected {expected}, got {str(cells)[:40]}")
        return [cell_text(self.cell_of(cell, where)) for cell in cells]

    def lines(self) -> Iterator[list[str]]:
        """Yield the cells of each line that is not empty."""
        lines = self.entries.get("lines", [])
        if not isinstance(lines, list):
            raise InputError(f"{self.where}.lines: expected a list of lines")
        return (self._cells(line, "lines") for line in lines if line)

    def number(self, default: int | None = None) -> int:
        """Return the value."""
        value = self.entries.get("value")
        text = "" if value is None else str(value).strip()
        if not text and default is not None:
            return default
        if not re.fullmatch(r"\d{1,6}", text):
            raise InputError(f"{self.where}.value: expected a number, got {text[:20]!r}")
        return int(text)


def _read_lines(constraint: ConstraintObject) -> list[str]:
    return [" ".join(line) for line in constraint.lines()]


def _read_whispers(constraint: ConstraintObject) -> list[str]:
    if constraint.number(5) != 5:
        difference = constraint.entries["value"]
        raise InputError(
            f"{constraint.where}.value: neighbours differ by 5 here, not by {difference}"
        )
    return _read_lines(constraint)


def _read_arrows(constraint: ConstraintObject) -> list[Any]:
    """Return an arrow of one cell as its cells, and one of several as those of its number and those
    of its line.
    """
    lines = constraint.entries.get("lines", [])
    circle = []
    if not isinstance(lines, list) or any(lines):
        circle = constraint.cells()
    arrows: list[Any] = []
    for _, *line in constraint.lines():
        if line and len(circle) == 1:
            arrows.append(" ".join(circle + line))
        elif line:
            arrows.append([circle, line])
    return arrows


def _read_clones(constraint: ConstraintObject) -> list[str]:
    cells = constraint.cells()
    clones = constraint.cells("cloneCells", len(cells))
    return [f"{cell} {clone}" for cell, clone in zip(cells, clones)]


def _read_pairs(default: int) -> Callable[[ConstraintObject], list[str]]:
    def read(constraint: ConstraintObject) -> list[str]:
        pair = " ".join(constraint.cells(number=2))
        return [f"{pair} {constraint.number(default)}"]

    return read


def _read_sums(constraint: ConstraintObject) -> list[str]:
    pair = " ".join(constraint.cells(number=2))
    name = constraint.entries.get("value")
    if not isinstance(name, str) or name not in SUMS:
        raise InputError(f"{constraint.where}.value: expected X or V, got {str(name)[:20]}")
    return [f"{pair} {SUMS[name]}"]


def _read_corners(constraint: ConstraintObject) -> list[str]:
    names = constraint.entries.get("cells") or []
    if not isinstance(names, list):
        names = [names]
    cells = sorted(constraint.cell_of(name, constraint.where) for name in names)
    if not cells or cells != _block(*cells[0]):
        raise InputError(f"{constraint.where}.cells: expected four cells around a corner")
    digits = constraint.entries.get("values")
    if not isinstance(digits, list) or not all(map(_is_digit, digits)):
        raise InputError(
            f"{constraint.where}.values: expected digits up to 9, got {str(digits)[:40]}"
        )
    if not digits:
        return []
    text = "".join(map(str, digits))
    return [f"{cell_text(cells[0])} {text}"]


def _block(row: int, column: int) -> list[tuple[int, int]]:
    """Return four cells around a corner, from the first one on."""
    below, right = row + 1, column + 1
    return [(row, column), (row, right), (below, column), (below, right)]


def _is_digit(digit: Any) -> bool:
    return re.fullmatch(r"[1-9]", str(digit)) is not None


def _read_diagonal_sums(constraint: ConstraintObject) -> list[str]:
    name = constraint.entries.get("direction")
    row, column = constraint.cell(beyond=1)
    if not isinstance(name, str) or name not in DIRECTIONS:
        names = ", ".join(DIRECTIONS)
        raise InputError(
            f"{constraint.where}.direction: expected one of {names}, got {str(name)[:20]}"
        )
    row += 1 if "D" in name else -1
    column += 1 if "R" in name else -1
    first = constraint.cell_of(f"R{row}C{column}", constraint.where)
    total = constraint.number()
    return [f"{cell_text(first)} {DIRECTIONS[name]} {total}"]


def _read_group(constraint: ConstraintObject) -> list[str]:
    return [" ".join(constraint.cells())]


def _read_cell(constraint: ConstraintObject) -> list[str]:
    return [cell_text(constraint.cell())]


def _read_elsewhere(constraint: ConstraintObject) -> list[str]:
    """Return no lines, as all objects together fill a board."""
    return []


def name_of(cell: Cell) -> str:
    return f"R{cell.row}C{cell.column}"


def names_of(cells: Sequence[Cell]) -> list[str]:
    return list(map(name_of, cells))


Objects = Iterator[dict[str, Any]]


def _write_line(line: Sequence[Cell]) -> Objects:
    yield {"lines": [names_of(line)]}


def _write_arrow(arrow: Any) -> Objects:
    if isinstance(arrow[0], Cell):
        pill, line = arrow[:1], arrow[1:]
    else:
        pill, line = arrow
    names = names_of([pill[-1], *line])
    yield {"cells": names_of(pill), "lines": [names]}


def _write_in_cells(cell: Cell) -> Objects:
    yield {"cells": [name_of(cell)]}


def _write_cell(cell: Cell) -> Objects:
    yield {"cell": name_of(cell)}


def _write_object(constraint: dict[str, Any]) -> Objects:
    yield constraint


def _write_group(group: Sequence[Cell]) -> Objects:
    yield {"cells": names_of(group)}


def _write_clones(group: Sequence[Cell]) -> Objects:
    first, *clones = map(name_of, group)
    for clone in clones:
        yield {"cells": [first], "cloneCells": [clone]}


def _write_pair(pair: tuple[Cell, Cell, int]) -> Objects:
    first, second, number = pair
    yield {"cells": names_of([first, second]), "value": str(number)}


def _write_sum(pair: tuple[Cell, Cell, int]) -> Objects:
    first, second, total = pair
    if total not in SUM_NAMES:
        raise InputError(f"f-puzzles has pairs with the sums 5 and 10, not {total}")
    yield {"cells": names_of([first, second]), "value": SUM_NAMES[total]}


def _write_corner(corner: tuple[Cell, Sequence[Any]]) -> Objects:
    cell, digits = corner
    block = (cell, cell.step("right"), cell.step("down"), cell.step("down_right"))
    yield {"cells": names_of(block), "values": list(map(int, digits))}


def _write_diagonal_sum(clue: tuple[Cell, str, int]) -> Objects:
    first, direction, total = clue
    outside = first.step(direction, -1)
    yield {
        "cell": name_of(outside),
        "direction": DIRECTION_NAMES[direction],
        "value": str(total),
    }


class ShapeFormat(NamedTuple):
    """How the objects of a constraint are read and written.

    Attributes:
        read: Returns the lines of a field for an object.
        write: Yields the objects for an element of the field.
    """

    read: Callable[[ConstraintObject], list[Any]]
    write: Callable[[Any], Objects]


_LINES = ShapeFormat(_read_lines, _write_line)
_INDEXERS = ShapeFormat(ConstraintObject.cells, _write_in_cells)
_CELLS = ShapeFormat(_read_cell, _write_cell)
SHAPES: dict[str, ShapeFormat] = {
    "thermometer": _LINES,
    "slowthermometer": _LINES,
    "palindrome": _LINES,
    "renban": _LINES,
    "whispers": ShapeFormat(_read_whispers, _write_line),
    "betweenline": _LINES,
    "entropicline": _LINES,
    "regionsumline": _LINES,
    "zipperline": _LINES,
    "rowindexer": _INDEXERS,
    "columnindexer": _INDEXERS,
    "boxindexer": _INDEXERS,
    "arrow": ShapeFormat(_read_arrows, _write_arrow),
    "killercage": ShapeFormat(_read_elsewhere, _write_object),
    "extraregion": ShapeFormat(_read_group, _write_group),
    "clone": ShapeFormat(_read_clones, _write_clones),
    "difference": ShapeFormat(_read_pairs(1), _write_pair),
    "ratio": ShapeFormat(_read_pairs(2), _write_pair),
    "xv": ShapeFormat(_read_sums, _write_sum),
    "minimum": _CELLS,
    "maximum": _CELLS,
    "odd": ShapeFormat(_read_elsewhere, _write_cell),
    "even": ShapeFormat(_read_elsewhere, _write_cell),
    "quadruple": ShapeFormat(_read_corners, _write_corner),
    "littlekillersum": ShapeFormat(_read_diagonal_sums, _write_diagonal_sum),
}
