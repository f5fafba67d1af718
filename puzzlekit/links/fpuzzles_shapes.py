"""The constraints of f-puzzles whose objects are lines of a field: each with its reader and its
writer, in `SHAPES`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from puzzlekit.boards import Cell
from puzzlekit.errors import InputError
from puzzlekit.sentences.formatting import counted

CELL = re.compile(r"R(\d{1,2})C(\d{1,2})")
SUMS = {"V": 5, "X": 10}
WAYS = {"DR": "down_right", "DL": "down_left", "UR": "up_right", "UL": "up_left"}


@dataclass(frozen=True)
class Item:
    """An object in the data, with its name for messages and the side of the board."""

    data: Mapping[str, Any]
    where: str
    size: int

    def cell(self, key: str = "cell", beyond: int = 0) -> tuple[int, int]:
        """Return the row and the column of a cell; `beyond` is 1 if it may stand outside."""
        return self.cell_of(self.data.get(key), f"{self.where}.{key}", beyond)

    def cell_of(self, text: Any, where: str, beyond: int = 0) -> tuple[int, int]:
        """Return the row and the column of a cell by its name."""
        found = CELL.fullmatch(str(text))
        cell = (int(found[1]), int(found[2])) if found else (-1, -1)
        if not all(1 - beyond <= part <= self.size + beyond for part in cell):
            raise InputError(
                f"{where}: expected a cell of {self.size} × {self.size}, such as R1C2, got {str(text)[:20]!r}"
            )
        return cell

    def cells(self, key: str = "cells", number: int = 0) -> list[str]:
        """Return the cells of a list, as specs write them."""
        return self._cells(self.data.get(key), key, number)

    def _cells(self, cells: Any, key: str, number: int = 0) -> list[str]:
        if not isinstance(cells, list) or (number and len(cells) != number):
            expected = counted(number, "cell") if number else "a list of cells"
            raise InputError(f"{self.where}.{key}: expected {expected}, got {str(cells)[:40]}")
        return ["r{}c{}".format(*self.cell_of(cell, f"{self.where}.{key}")) for cell in cells]

    def lines(self) -> Iterator[list[str]]:
        """Yield the cells of each line that is not empty."""
        lines = self.data.get("lines", [])
        if not isinstance(lines, list):
            raise InputError(f"{self.where}.lines: expected a list of lines")
        return (self._cells(line, "lines") for line in lines if line)

    def number(self, default: int | None = None) -> int:
        """Return the value."""
        text = str(self.data.get("value", "") if self.data.get("value") is not None else "").strip()
        if not text and default is not None:
            return default
        if not re.fullmatch(r"\d{1,6}", text):
            raise InputError(f"{self.where}.value: expected a number, got {text[:20]!r}")
        return int(text)


def _lines(item: Item) -> list[str]:
    return [" ".join(line) for line in item.lines()]


def _whispers(item: Item) -> list[str]:
    if item.number(5) != 5:
        raise InputError(
            f"{item.where}.value: neighbours differ by 5 here, not by {item.data['value']}"
        )
    return _lines(item)


def _arrows(item: Item) -> list[Any]:
    """Return an arrow of one cell as its cells, and one of several as those of its number and those
    of its line.
    """
    lines = item.data.get("lines", [])
    circle = item.cells() if not isinstance(lines, list) or any(lines) else []
    rests = [line[1:] for line in item.lines() if len(line) > 1]
    return [" ".join(circle + rest) if len(circle) == 1 else [circle, rest] for rest in rests]


def _clones(item: Item) -> list[str]:
    cells = item.cells()
    return list(map(" ".join, zip(cells, item.cells("cloneCells", len(cells)))))


def _pairs(usual: int) -> Callable[[Item], list[str]]:
    return lambda item: [" ".join([*item.cells(number=2), str(item.number(usual))])]


def _sums(item: Item) -> list[str]:
    pair, name = item.cells(number=2), item.data.get("value")
    if not isinstance(name, str) or name not in SUMS:
        raise InputError(f"{item.where}.value: expected X or V, got {str(name)[:20]}")
    return [" ".join([*pair, str(SUMS[name])])]


def _sum_name(total: int) -> str:
    names = {number: name for name, number in SUMS.items()}
    if total not in names:
        raise InputError(f"f-puzzles has pairs with the sums 5 and 10, not {total}")
    return names[total]


def _corners(item: Item) -> list[str]:
    names, values = item.data.get("cells") or [], item.data.get("values")
    cells = sorted(
        item.cell_of(cell, item.where) for cell in (names if isinstance(names, list) else [names])
    )
    r, c = cells[0] if cells else (0, 0)
    if cells != [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)]:
        raise InputError(f"{item.where}.cells: expected four cells around a corner")
    if not isinstance(values, list) or any(
        not re.fullmatch(r"[1-9]", str(value)) for value in values
    ):
        raise InputError(f"{item.where}.values: expected digits up to 9, got {str(values)[:40]}")
    return [f"r{r}c{c} {''.join(map(str, values))}"] if values else []


def _diagonal_sums(item: Item) -> list[str]:
    way, (r, c) = item.data.get("direction"), item.cell(beyond=1)
    if not isinstance(way, str) or way not in WAYS:
        raise InputError(
            f"{item.where}.direction: expected one of {', '.join(WAYS)}, got {str(way)[:20]}"
        )
    first = item.cell_of(
        f"R{r + (1 if 'D' in way else -1)}C{c + (1 if 'R' in way else -1)}", item.where
    )
    return ["r{}c{}".format(*first) + f" {WAYS[way]} {item.number()}"]


def name_of(cell: Cell) -> str:
    return f"R{cell.row}C{cell.column}"


def names_of(cells: Sequence[Cell]) -> list[str]:
    return [name_of(cell) for cell in cells]


def _line_items(line: Sequence[Cell]) -> Iterator[dict[str, Any]]:
    yield {"lines": [names_of(line)]}


def _arrow_items(line: Any) -> Iterator[dict[str, Any]]:
    pill, rest = (line[:1], line[1:]) if isinstance(line[0], Cell) else line
    yield {"cells": names_of(pill), "lines": [names_of([pill[-1], *rest])]}


def _cell_items(cell: Cell) -> Iterator[dict[str, Any]]:
    yield {"cells": [name_of(cell)]}


def _pair_items(pair: tuple[Cell, Cell, int]) -> Iterator[dict[str, Any]]:
    yield {"cells": names_of(pair[:2]), "value": str(pair[2])}


def _corner_items(corner: tuple[Cell, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    cell, digits = corner
    around = (cell, cell.step("right"), cell.step("down"), cell.step("down_right"))
    yield {"cells": names_of(around), "values": list(map(int, digits))}


def _diagonal_items(clue: tuple[Cell, str, int]) -> Iterator[dict[str, Any]]:
    first, way, total = clue
    short = next(short for short, own in WAYS.items() if own == way)
    yield {"cell": name_of(first.step(way, -1)), "direction": short, "value": str(total)}


# the lines of a field for an object of the data, and the objects for an item of the field
SHAPES: dict[str, tuple[Callable[[Item], list[Any]], Callable[[Any], Iterator[dict[str, Any]]]]] = {
    "thermometer": (_lines, _line_items),
    "slowthermometer": (_lines, _line_items),
    "palindrome": (_lines, _line_items),
    "renban": (_lines, _line_items),
    "whispers": (_whispers, _line_items),
    "betweenline": (_lines, _line_items),
    "entropicline": (_lines, _line_items),
    "regionsumline": (_lines, _line_items),
    "zipperline": (_lines, _line_items),
    "rowindexer": (Item.cells, _cell_items),
    "columnindexer": (Item.cells, _cell_items),
    "boxindexer": (Item.cells, _cell_items),
    "arrow": (_arrows, _arrow_items),
    "killercage": (lambda item: [], lambda cage: iter([cage])),  # all of them are one board
    "extraregion": (
        lambda item: [" ".join(item.cells())],
        lambda group: iter([{"cells": names_of(group)}]),
    ),
    "clone": (
        _clones,
        lambda group: (
            {"cells": names_of(group[:1]), "cloneCells": [name_of(cell)]} for cell in group[1:]
        ),
    ),
    "difference": (_pairs(1), _pair_items),
    "ratio": (_pairs(2), _pair_items),
    "xv": (_sums, lambda pair: iter([{"cells": names_of(pair[:2]), "value": _sum_name(pair[2])}])),
    "minimum": (
        lambda item: ["r{}c{}".format(*item.cell())],
        lambda cell: iter([{"cell": name_of(cell)}]),
    ),
    "maximum": (
        lambda item: ["r{}c{}".format(*item.cell())],
        lambda cell: iter([{"cell": name_of(cell)}]),
    ),
    "odd": (lambda item: [], lambda cell: iter([{"cell": name_of(cell)}])),  # signs of given cells
    "even": (lambda item: [], lambda cell: iter([{"cell": name_of(cell)}])),
    "quadruple": (_corners, _corner_items),
    "littlekillersum": (_diagonal_sums, _diagonal_items),
}
