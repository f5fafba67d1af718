"""Sudoku's relatives, on one grid or several."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from tests.corpus.kinds.shipped import box
from tests.corpus.notation import Case, Kind, Page, cell, line, values

CORNERS = {  # the upper left cells of grids that overlap
    "ButterflySudoku": "1,1 1,4 4,1 4,4",
    "Gattai8Sudoku": "1,1 1,13 1,25 7,7 7,19 13,1 13,13 13,25",
    "SamuraiSudoku": "1,1 1,13 7,7 13,1 13,13",
    "ShogunSudoku": "1,1 1,13 1,25 1,37 7,7 7,19 7,31 13,1 13,13 13,25 13,37",
    "SoheiSudoku": "1,7 7,1 7,13 13,7",
    "SumoSudoku": "1,1 1,13 1,25 7,7 7,19 13,1 13,13 13,25 19,7 19,19 25,1 25,13 25,25",
    "WindmillSudoku": "1,4 4,13 7,7 10,1 13,10",
    "Clueless1Sudoku": "1,1 1,10 1,19 10,1 10,10 10,19 19,1 19,10 19,19",
    "Clueless2Sudoku": "1,1 1,10 1,19 10,1 10,10 10,19 19,1 19,10 19,19",
}


def overlapping(kind: str, fields: Mapping[str, Any], problem: Page, solution: Page) -> Case:
    """Several grids; - is an empty cell or, outside the grids, none."""
    corners = [tuple(map(int, pair.split(","))) for pair in CORNERS[kind].split()]
    inside = {(r + i, c + j) for r, c in corners for i in range(9) for j in range(9)}
    givens = [
        [word if (r, c) in inside else "_" for c, word in enumerate(row, 1)]
        for r, row in enumerate(problem.cells(), 1)
    ]
    return {"givens": givens, "corners": [cell(*corner) for corner in corners], **fields}, values(
        "digit", solution
    )


def consecutive(problem: Page, solution: Page) -> Case:
    """Without boxes. A second board has bits for bars: 1 to the right, 2 below."""
    bars = []
    for r, row in enumerate(problem.board(1), 1):
        for c, word in enumerate(row, 1):
            bars += [[cell(r, c), cell(r, c + 1)]] * (int(word) & 1) + [
                [cell(r, c), cell(r + 1, c)]
            ] * (int(word) >> 1 & 1)
    spec = {"givens": problem.cells(), "box": (1, problem.width), "consecutive": True, "bars": bars}
    return spec, values("digit", solution)


def even_odd(problem: Page, solution: Page) -> Case:
    return {"givens": problem.cells(E="e", O="o"), "box": box(problem.width)}, values(
        "digit", solution
    )


def jigsaw(problem: Page, solution: Page) -> Case:
    return {
        "givens": problem.cells(),
        "box": (1, problem.width),
        "regions": problem.board(1),
    }, values("digit", solution)


def with_clues(outside: str, problem: Page, solution: Page) -> Case:
    """Clues at the top, bottom, left and right, then the board."""
    sides = {
        side: line(problem.rows[number])
        for number, side in enumerate(("top", "bottom", "left", "right"))
    }
    return {
        "givens": problem.cells(after=4),
        "box": box(problem.width),
        "outside": outside,
        **sides,
    }, values("digit", solution)


FIELDS = {"Clueless1Sudoku": {"clueless": "centres"}, "Clueless2Sudoku": {"clueless": "boxes"}}
KINDS = {
    **{kind: Kind("sudoku", partial(overlapping, kind, FIELDS.get(kind, {}))) for kind in CORNERS},
    "ConsecutiveSudoku": Kind("sudoku", consecutive),
    "EvenOddSudoku": Kind("sudoku", even_odd),
    "JigsawSudoku": Kind("sudoku", jigsaw),
    "MarginSudoku": Kind("sudoku", partial(with_clues, "sums")),
    "SkyscraperSudoku": Kind("sudoku", partial(with_clues, "skyscrapers")),
}
