"""What a setter asks of a puzzle besides its difficulty: how its clues lie, and which of them say
nothing or too much.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from typing import Any

from puzzlekit.api import Puzzle, Query
from puzzlekit.boards import Cell
from puzzlekit.errors import Problems
from puzzlekit.lang import Instance
from puzzlekit.making.fields import FieldCell, clue_fields, clues_in, places_in, with_clues
from puzzlekit.model import Constraint, Model, variables_of
from puzzlekit.presolve.pipeline import presolve


def quality(puzzle: Puzzle, within: float) -> dict[str, Any]:
    """Return numbers about the clues of a puzzle with one solution.

    Args:
        puzzle: The puzzle.
        within: Seconds of the processor for what takes long.

    Returns:
        `density`, the share of places that have a clue; `symmetry`, what leaves the cells with
        clues where they are: `rotate` by 180 degrees, `mirror` left to right, `flip` top to bottom,
        or `transpose`; `empty`, the cells of the largest rectangle without a clue; `trivial`, how
        many clues alone decide all unknowns that they are about, if these are several; `redundant`,
        how many clues may each be left out with one solution left. The last two are None if they
        take too long. All are None for a puzzle without fields of clues.
    """
    places = places_in(puzzle.instance.data, clue_fields(puzzle.type, puzzle.instance.data))
    clues = {spot for spot, value in places.items() if value is not None}
    cells = {spot[1] for spot in clues if isinstance(spot[1], Cell)}
    board = {spot[1] for spot in places if isinstance(spot[1], Cell)}
    found: dict[str, Any] = {
        "density": round(len(clues) / len(places), 3) if places else None,
        "symmetry": symmetries(cells, board) if board else None,
        "empty": largest_rectangle(board - cells) if board else None,
        "trivial": None,
        "redundant": None,
    }
    if clues:
        end, judged = time.process_time() + within, list[tuple[bool, bool]]()
        for spot in sorted(clues, key=repr):
            if time.process_time() >= end:
                return found
            judged.append(_judged(puzzle, spot))
        found |= {
            "trivial": sum(trivial for trivial, _ in judged),
            "redundant": sum(spare for _, spare in judged),
        }
    return found


def _judged(puzzle: Puzzle, spot: FieldCell) -> tuple[bool, bool]:
    """Return whether a clue is trivial, and whether it is redundant."""
    name = spot[0]
    others = {
        other: clue
        for other, clue in clues_in(puzzle.instance.data, [name]).items()
        if other != spot
    }
    data = with_clues(puzzle.instance.data, [name], others, {})
    try:
        without = Puzzle(puzzle.type, puzzle.spec, Instance(puzzle.type, data, checked=False))
        solutions = len(list(without.run(Query(limit=2, ordered=False))))
    except Problems:  # it must be there
        return False, False
    known = {str(constraint.origin) for constraint in without.model.constraints}
    own = [
        constraint for constraint in puzzle.model.constraints if str(constraint.origin) not in known
    ]
    return _decides(puzzle.model, own), solutions == 1


def _decides(model: Model, constraints: Collection[Constraint]) -> bool:
    """Return whether constraints leave one value to each of several unknowns that they are about."""
    unknowns = variables_of(*(constraint.condition for constraint in constraints))
    if len(unknowns) < 2:
        return False
    domains = {variable: model.domains[variable] for variable in unknowns}
    return all(
        len(domain) == 1
        for domain in presolve(Model(domains, tuple(constraints), None)).domains.values()
    )


def symmetries(cells: Collection[Cell], board: Collection[Cell]) -> list[str]:
    """Return the symmetries of some cells of a board.

    Examples:
        >>> board = [Cell(row, column) for row in (1, 2) for column in (1, 2)]
        >>> symmetries([Cell(1, 1), Cell(2, 2)], board)
        ['rotate', 'transpose']
    """
    height, width = max(cell.row for cell in board), max(cell.column for cell in board)
    images: Mapping[str, set[Cell]] = {
        "rotate": {Cell(height + 1 - cell.row, width + 1 - cell.column) for cell in cells},
        "mirror": {Cell(cell.row, width + 1 - cell.column) for cell in cells},
        "flip": {Cell(height + 1 - cell.row, cell.column) for cell in cells},
        "transpose": {Cell(cell.column, cell.row) for cell in cells},
    }
    return [name for name, image in images.items() if image == set(cells)]


def largest_rectangle(cells: Collection[Cell]) -> int:
    """Return how many cells the largest rectangle has that consists of some cells.

    Examples:
        >>> largest_rectangle([Cell(1, 1), Cell(1, 2), Cell(2, 1), Cell(2, 2), Cell(3, 1)])
        4
    """
    free, most = set(cells), 0
    for top in free:
        wide = None
        row = top.row
        while Cell(row, top.column) in free:
            run = 0
            while Cell(row, top.column + run) in free and (wide is None or run < wide):
                run += 1
            wide = run
            most = max(most, wide * (row - top.row + 1))
            row += 1
    return most
