"""Writes a puzzle as the data of f-puzzles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from puzzlekit.boards import Cell
from puzzlekit.errors import InputError
from puzzlekit.lang import BoundPuzzle
from puzzlekit.links.fpuzzles_reader import FLAGS, LINES, OUTSIDE, PARITY, PEAKS, SIDES, SUMS, WAYS


def board_parts(puzzle: BoundPuzzle) -> Iterator[tuple[str, Any]]:
    """Yield the parts of the data of a puzzle, each with its name.

    Raises:
        InputError: The puzzle has a field that f-puzzles lacks.
    """
    data, spec = puzzle.data, puzzle.bound_from
    board = data["givens"]
    size = board.height
    if board.width != size or len(board.cells) != size * size:
        raise InputError("f-puzzles has one square board, without holes")
    sides = {side: data[side] for side in SIDES if data[side] is not None}
    if data["clueless"] is not None or (sides and data["outside"] == "sums"):
        raise InputError(f"f-puzzles has no {'clueless' if data['clueless'] else 'outside: sums'}")
    yield "size", size
    if spec is not None and (title := spec[1].text("title")):
        yield "title", title
    yield "grid", _grid(data, size, puzzle.scope["boxes"])
    if data["diagonals"]:
        yield from (("diagonal+", True), ("diagonal-", True))
    for flag, (field, value) in FLAGS.items():
        if data[field] is True if value == "yes" else value in data[field]:
            yield flag, True
    parity = {sign: [{"cell": _name(cell)} for cell in board.having(sign)] for sign in PARITY.values()}
    several = {
        **{name: [{"lines": [_names(line)]} for line in data[field]] for name, field in LINES.items()},
        "arrow": [{"cells": _names(line[:1]), "lines": [_names(line)]} for line in data["arrows"]],
        "killercage": list(_cages(data)),
        "extraregion": [{"cells": _names(group)} for group in data["groups"]],
        "clone": [{"cells": _names(g[:1]), "cloneCells": [_name(cell)]} for g in data["clones"] for cell in g[1:]],
        "difference": [{"cells": _names((a, b)), "value": str(k)} for a, b, k in (*data["differences"], *_bars(data))],
        "ratio": [{"cells": _names((a, b)), "value": str(k)} for a, b, k in data["ratios"]],
        "xv": [{"cells": _names((a, b)), "value": _sum_name(k)} for a, b, k in data["pair_sums"]],
        **{name: [{"cell": _name(cell)} for cell in data[field]] for name, field in PEAKS.items()},
        **{name: parity[sign] for name, sign in PARITY.items()},
        "quadruple": [
            {"cells": _names((c, c.step("right"), c.step("down"), c.step("down_right"))), "values": list(map(int, ks))}
            for c, ks in data["quadruples"]
        ],
        "littlekillersum": [_diagonal(*clue) for clue in data["little_killers"]],
        **{name: list(_clues(sides, size)) for name, own in OUTSIDE.items() if own == data["outside"]},
    }
    for name, items in several.items():
        if items:
            yield name, items
    unmarked = set(data["unmarked"])
    negative = [name for name, numbers in (("ratio", {2}), ("xv", set(SUMS.values()))) if numbers & unmarked]
    ratios = {2, *(k for _, _, k in data["ratios"])} if "ratio" in negative else set()
    if unmarked != ratios | (set(SUMS.values()) if "xv" in negative else set()):
        raise InputError("f-puzzles rules out the ratio 2 and those of dots, and the sums 5 and 10 together")
    if negative:
        yield "negative", negative


def _grid(data: Mapping[str, Any], size: int, boxes: Sequence[Sequence[Cell]]) -> list[list[dict[str, Any]]]:
    board = data["givens"]
    region = {cell: number for number, box in enumerate(boxes) for cell in box}
    if len(region) < size * size:
        raise InputError("f-puzzles has one board, all cells of which are in boxes")

    def cell(place: Cell) -> dict[str, Any]:
        value = board.values[place]
        given = {"value": value, "given": True} if isinstance(value, int) else {}
        marks = {"givenPencilMarks": list(data["candidates"][place])} if place in data["candidates"] else {}
        return {**given, **marks, "region": region[place]}

    return [[cell(Cell(row, column)) for column in range(1, size + 1)] for row in range(1, size + 1)]


def _cages(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    cells: dict[str, list[Cell]] = {}
    for cell, label in data["cages"].values.items() if data["cages"] is not None else ():
        if label is not None:
            cells.setdefault(label, []).append(cell)
    for label, own in cells.items():
        yield {"cells": _names(own)} | ({"value": str(data["sums"][label])} if label in data["sums"] else {})


def _bars(data: Mapping[str, Any]) -> Iterator[tuple[Cell, Cell, int]]:
    return ((bar[0], bar[1], 1) for bar in data["bars"])


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
