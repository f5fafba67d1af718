"""What a setter asks of a puzzle besides its difficulty: how its clues lie, and which of them say
nothing or too much.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable
from random import Random
from typing import Any

from puzzlekit.api import Puzzle, Query
from puzzlekit.boards import Cell, images
from puzzlekit.errors import Problems
from puzzlekit.lang import Instance, making_of
from puzzlekit.making.fields import FieldCell, clue_fields, clues_in, places_in, with_clues
from puzzlekit.making.taste import Taste
from puzzlekit.model import Constraint, Model, variables_of
from puzzlekit.presolve import presolve

NUMBERS = ("density", "symmetry", "empty", "taste", "trivial", "redundant")


def quality(puzzle: Puzzle, within: float) -> dict[str, Any]:
    """Return numbers about the clues of a puzzle with one solution.

    Args:
        puzzle: The puzzle.
        within: Seconds of the processor for what takes long.

    Returns:
        `density`, the share of spots that have a clue; `symmetry`, what leaves the cells with
        clues where they are: `rotate` by 180 degrees, `mirror` left to right, `flip` top to bottom,
        or `diagonal`; `empty`, the cells of the largest rectangle without a clue; `taste`, the
        merits less the flaws that `prefer` of the type counts, None without it; `trivial`, how many
        clues alone decide all unknowns that they are about, if these are several; `redundant`,
        how many clues may each be left out with one solution left. The last two are None if they
        take too long. All are None for a puzzle without fields of clues.
    """
    data = puzzle.instance.data
    spots = places_in(data, clue_fields(puzzle.type, data))
    clues = {spot for spot, clue in spots.items() if clue is not None}
    clue_cells = _cells_of(clues)
    board = _cells_of(spots)
    numbers: dict[str, Any] = dict.fromkeys(NUMBERS)
    if spots:
        numbers["density"] = round(len(clues) / len(spots), 3)
    if board:
        numbers["symmetry"] = symmetries(clue_cells, board)
        numbers["empty"] = largest_rectangle(board - clue_cells)
    prefer = making_of(puzzle.type).prefer
    if prefer is not None:
        numbers["taste"] = Taste(prefer, Random(0)).score(data)
    if not clues:
        return numbers
    end = time.process_time() + within
    trivial = redundant = 0
    for spot in sorted(clues, key=repr):
        if time.process_time() >= end:
            return numbers
        is_trivial, is_redundant = _judged(puzzle, spot)
        trivial += is_trivial
        redundant += is_redundant
    return numbers | {"trivial": trivial, "redundant": redundant}


def _cells_of(spots: Iterable[FieldCell]) -> set[Cell]:
    return {key for _, key in spots if isinstance(key, Cell)}


def _judged(puzzle: Puzzle, spot: FieldCell) -> tuple[bool, bool]:
    """Return whether a clue is trivial, and whether it is redundant."""
    data = puzzle.instance.data
    fields = [spot[0]]
    clues = clues_in(data, fields)
    del clues[spot]
    fewer = with_clues(data, fields, clues, {})
    try:
        without = Puzzle(puzzle.type, puzzle.spec, Instance(puzzle.type, fewer, checked=False))
        run = without.run(Query(limit=2, ordered=False))
        solutions = list(run)
    except Problems:  # it must be there
        return False, False
    if run.interrupted:
        raise KeyboardInterrupt
    is_redundant = len(solutions) == 1 and run.status == "complete"
    remaining = {str(constraint.origin) for constraint in without.model.constraints}
    constraints = puzzle.model.constraints
    of_clue = [each for each in constraints if str(each.origin) not in remaining]
    return _decides(puzzle.model, of_clue), is_redundant


def _decides(model: Model, constraints: Collection[Constraint]) -> bool:
    """Return whether constraints leave one value to each of several unknowns that they are
    about.
    """
    unknowns = variables_of(*(constraint.condition for constraint in constraints))
    if len(unknowns) < 2:
        return False
    domains = {variable: model.domains[variable] for variable in unknowns}
    presolved = presolve(Model(domains, tuple(constraints), None))
    return all(len(domain) == 1 for domain in presolved.domains.values())


def symmetries(cells: Collection[Cell], board: Collection[Cell]) -> list[str]:
    """Return the symmetries of some cells of a board, as `puzzlekit.boards.images` names them.

    Examples:
        >>> board = [Cell(row, column) for row in (1, 2) for column in (1, 2)]
        >>> symmetries([Cell(1, 1), Cell(2, 2)], board)
        ['rotate', 'diagonal']
    """
    height = max(cell.row for cell in board)
    width = max(cell.column for cell in board)
    members = set(cells)
    return [
        name
        for name in ("rotate", "mirror", "flip", "diagonal")
        if all(images(cell, height, width, name) <= members for cell in members)
    ]


def largest_rectangle(cells: Collection[Cell]) -> int:
    """Return how many cells the largest rectangle has that consists of some cells.

    Examples:
        >>> largest_rectangle([Cell(1, 1), Cell(1, 2), Cell(2, 1), Cell(2, 2), Cell(3, 1)])
        4
    """
    free = set(cells)
    largest = 0
    for top in free:
        widest: int | None = None  # of all rows so far
        row = top.row
        while Cell(row, top.column) in free:
            width = 0
            while Cell(row, top.column + width) in free and (widest is None or width < widest):
                width += 1
            widest = width
            largest = max(largest, widest * (row - top.row + 1))
            row += 1
    return largest
