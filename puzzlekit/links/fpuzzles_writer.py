"""Writes a puzzle as the data of f-puzzles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from puzzlekit.boards import Cell
from puzzlekit.errors import InputError
from puzzlekit.lang import BoundPuzzle
from puzzlekit.links.fpuzzles_reader import FLAGS, LINES, OUTSIDE, PARITY, PEAKS, SIDES, SUMS, WAYS
from puzzlekit.links.puzzlink_writer import is_stated


def board_parts(puzzle: BoundPuzzle) -> Iterator[tuple[str, Any]]:
    """Yield the parts of the data of a puzzle, each with its name.

    Raises:
        InputError: The puzzle has a field that f-puzzles lacks.
    """
    spec, given = puzzle.bound_from, _Given(puzzle)
    board = given["grid"]
    size = board.height
    if board.width != size or len(board.cells) != size * size:
        raise InputError("f-puzzles has one square board, without holes")
    sides = {side: given[side] for side in SIDES if given[side]}
    given.refuse_others(bool(sides))
    yield "size", size
    if spec is not None and (title := spec[1].text("title")):
        yield "title", title
    yield "grid", _grid(given, size)
    if given["diagonal"]:
        yield from (("diagonal+", True), ("diagonal-", True))
    yield from ((flag, True) for flag in FLAGS if given.states(flag))
    several = {
        **{name: [{"lines": [_names(line)]} for line in given[name]] for name in LINES},
        "arrow": [{"cells": _names(line[:1]), "lines": [_names(line)]} for line in given["arrow"]],
        "killercage": list(_cages(given)),
        "extraregion": [{"cells": _names(group)} for group in given["extraregion"]],
        "clone": [{"cells": _names(g[:1]), "cloneCells": [_name(cell)]} for g in given["clone"] for cell in g[1:]],
        "difference": [{"cells": _names((a, b)), "value": str(k)} for a, b, k in (*given["difference"], *_bars(given))],
        "ratio": [{"cells": _names((a, b)), "value": str(k)} for a, b, k in given["ratio"]],
        "xv": [{"cells": _names((a, b)), "value": _sum_name(k)} for a, b, k in given["xv"]],
        **{name: [{"cell": _name(cell)} for cell in given[name]] for name in PEAKS},
        **{name: [{"cell": _name(cell)} for cell in board.having(given.value(name))] for name in PARITY},
        "quadruple": [
            {"cells": _names((c, c.step("right"), c.step("down"), c.step("down_right"))), "values": list(map(int, ks))}
            for c, ks in given["quadruple"]
        ],
        "littlekillersum": [_diagonal(*clue) for clue in given["littlekillersum"]],
        **{name: list(_clues(sides, size)) for name in OUTSIDE if given.states(name)},
    }
    for name, items in several.items():
        if items:
            yield name, items
    unmarked = set(given["negative"])
    negative = [name for name, numbers in (("ratio", {2}), ("xv", set(SUMS.values()))) if numbers & unmarked]
    ratios = {2, *(k for _, _, k in given["ratio"])} if "ratio" in negative else set()
    if unmarked != ratios | (set(SUMS.values()) if "xv" in negative else set()):
        raise InputError("f-puzzles rules out the ratio 2 and those of dots, and the sums 5 and 10 together")
    if negative:
        yield "negative", negative


class _Given:
    """The values of a puzzle by the names of f-puzzles' parts; an empty row for a part that the type lacks."""

    def __init__(self, puzzle: BoundPuzzle) -> None:
        self.puzzle = puzzle
        self.parts = puzzle.puzzle.board_parts

    def __getitem__(self, part: str) -> Any:
        value = self.puzzle.data[self.parts[part][0]] if part in self.parts else None
        return () if value is None else value

    def value(self, part: str) -> str:
        """The value of a field that a part stands for."""
        return self.parts[part][1] if part in self.parts else ""

    def states(self, part: str) -> bool:
        """Whether the puzzle has a part that stands for a value: itself, in a row, or yes."""
        value = self[part]
        return value is True if not self.value(part) else self.value(part) in (value if isinstance(value, tuple) else (value,))

    def refuse_others(self, clues_outside: bool) -> None:
        """Raise InputError if a field says something that no part does."""
        known = {field for field, _ in self.parts.values()}
        for field in self.puzzle.puzzle.fields:
            if field not in known and not is_stated(self.puzzle, field, {}):
                raise InputError(f"f-puzzles has no {field}")
        if clues_outside and not any(map(self.states, OUTSIDE)):
            raise InputError("f-puzzles has no such clues outside")


def _grid(given: _Given, size: int) -> list[list[dict[str, Any]]]:
    board, box = given["grid"], given["size"]
    if not given["region"] and box.rows * box.columns != size:
        raise InputError("f-puzzles has one board, all cells of which are in boxes")
    labels = given["region"].values if given["region"] else {}
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels.values()))}

    def cell(place: Cell) -> dict[str, Any]:
        value = board.values[place]
        own = {"value": value, "given": True} if isinstance(value, int) else {}
        marks = {"givenPencilMarks": list(given["givenPencilMarks"][place])} if place in given["givenPencilMarks"] else {}
        usual = (place.row - 1) // box.rows * (size // box.columns) + (place.column - 1) // box.columns
        return {**own, **marks, "region": numbers[labels[place]] if labels else usual}

    return [[cell(Cell(row, column)) for column in range(1, size + 1)] for row in range(1, size + 1)]


def _cages(given: _Given) -> Iterator[dict[str, Any]]:
    cells: dict[str, list[Cell]] = {}
    sums = given["killersum"]
    for cell, label in given["killercage"].values.items() if given["killercage"] else ():
        if label is not None:
            cells.setdefault(label, []).append(cell)
    for label, own in cells.items():
        yield {"cells": _names(own)} | ({"value": str(sums[label])} if label in sums else {})


def _bars(given: _Given) -> Iterator[tuple[Cell, Cell, int]]:
    return ((bar[0], bar[1], 1) for bar in given["consecutive"])


def _sum_name(total: int) -> str:
    names = {number: name for name, number in SUMS.items()}
    if total not in names:
        raise InputError(f"f-puzzles has pairs with the sums 5 and 10, not {total}")
    return names[total]


def _diagonal(first: Cell, way: str, total: int) -> dict[str, Any]:
    return {
        "cell": _name(first.step(way, -1)),
        "direction": next(short for short, own in WAYS.items() if own == way),
        "value": str(total),
    }


def _clues(sides: Mapping[str, Sequence[int | None]], size: int) -> Iterator[dict[str, Any]]:
    for side, clues in sides.items():
        for line, clue in enumerate(clues, 1):
            if clue is not None:
                place = {"top": (0, line), "bottom": (size + 1, line), "left": (line, 0), "right": (line, size + 1)}[side]
                yield {"cell": "R{}C{}".format(*place), "value": str(clue)}


def _name(cell: Cell) -> str:
    return f"R{cell.row}C{cell.column}"


def _names(cells: Sequence[Cell]) -> list[str]:
    return [_name(cell) for cell in cells]
