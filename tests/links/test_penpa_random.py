"""Random pages of Penpa+, read as random types: no single mark is dropped,
but for what is known as decoration.
"""

import random
from typing import Any

import pytest

from puzzlekit.lang import PuzzleType, read_type
from puzzlekit.links.drawn_fields import positions_of
from puzzlekit.links.link_format import links_of
from puzzlekit.links.penpa_format import Page
from tests.links.test_penpa_marks import (
    Places,
    is_background,
    is_blank,
    is_on_the_rim,
    result,
    says_so_twice,
    without_one,
)
from tests.shipped import ROOT

P = Places(3, 3, 1, 1)
TEXTS: list[Any] = [
    ["1", 1, "1"],
    ["0", 1, "1"],
    ["2", 6, "1"],
    ["?", 1, "1"],
    [" ", 6, "1"],
    [" ", 1, "1"],
    ["A", 1, "1"],
    ["3_1", 1, "2"],
]
TEXTS += [["12", 1, "4"], [[0, 1, 0], 1, "7"], [[1, 1, 0], 1, "7"], ["x", 7, "1"], ["<", 1, "6"]]
SYMBOLS: list[Any] = [
    [1, "circle_L", 1],
    [2, "circle_M", 1],
    [3, "circle_S", 1],
    [1, "star", 1],
    [2, "math", 1],
    [3, "math", 2],
]
SYMBOLS += [
    [5, "arrow_S", 1],
    [[0, 1, 0, 0, 0, 0, 1, 0], "arrow_fouredge_B", 1],
    [[1, 0, 1, 0], "cross", 1],
    [1, "kakuro", 1],
]
SYMBOLS += [
    [2, "kakuro", 1],
    [2, "square_L", 1],
    [1, "tents", 1],
    [3, "battleship_B", 1],
    [4, "ox_B", 1],
    [2, "tri", 1],
]
SYMBOLS += [[5, "inequality", 1], [9, "firefly", 1]]
BOARD = [(row, column) for row in range(1, 4) for column in range(1, 4)]
AROUND = [(row, column) for row in range(5) for column in range(5)]  # with a rim


def some_page(chance: random.Random) -> Page:
    problem: dict[str, Any] = {"killercages": [], "thermo": [], "arrows": []}
    for _ in range(chance.randint(1, 7)):
        part = chance.choice(
            [
                "surface",
                "number",
                "symbol",
                "numberS",
                "lineE",
                "line",
                *problem,
                "deletelineE",
                "cage",
            ]
        )
        cell = chance.choice(BOARD if chance.random() < 0.7 else AROUND)
        point = str(chance.choice([0, 0, P.size, 2 * P.size, 3 * P.size]) + P.cell(*cell))
        line = chance.choice([P.right, P.below])(*cell)
        marks: dict[str, Any] = {
            "surface": {str(P.cell(*cell)): chance.choice([1, 2, 3, 4, 5, 8])},
            "number": {point: chance.choice(TEXTS)},
            "symbol": {point: chance.choice(SYMBOLS)},
            "numberS": {
                P.quarter(*cell, chance.randrange(4)): chance.choice(
                    [["1", 1], ["3+", 1], [" 2", 4]]
                )
            },
            "lineE": {line: chance.choice([2, 21, 13, 80])},
            "line": {f"{P.cell(*cell)},{P.cell(cell[0], cell[1] + 1)}": 3},
            "deletelineE": {line: 1},
            "cage": {f"{P.quarter(*cell, 0)},{P.quarter(*cell, 1)}": 10},
        }
        if part in marks:
            problem[part] = {**problem.get(part, {}), **marks[part]}
        else:
            problem[part] = [
                *problem[part],
                [P.cell(*place) for place in chance.sample(BOARD, chance.randint(1, 3))],
            ]
    return P.page(problem)


def says_nothing(part: str, key: Any, own: Page, kind: PuzzleType) -> bool:
    """Whether a mark is decoration, or another one says the same."""
    if isinstance(own.problem[part], list):
        return False
    beside_hole = part == "lineE" and "_" in links_of(kind).drawn
    return (
        own.problem[part][key] == 80
        or part == "deletelineE"
        or beside_hole
        or is_margin(part, key, own)
        or is_blank(part, key, own.problem)
        or is_unknown(part, key, own, kind)
        or is_background(part, key, own, kind)
        or says_so_twice(part, key, own)
        or is_on_the_rim(part, key, own)
    )


def is_margin(part: str, key: Any, own: Page) -> bool:
    """Whether a mark is the colour of a cell outside, or the sign of one for clues."""
    if part == "symbol" and own.problem[part][key][1] != "kakuro":
        return False
    return part in ("surface", "symbol") and int(key) not in own.cells


def is_unknown(part: str, key: Any, own: Page, kind: PuzzleType) -> bool:
    """Whether a mark is a clue that is not told, of a type in which it says nothing."""
    alike = any(field.unknown == "." for field in kind.fields.values())
    return alike and part in ("number", "numberS") and own.problem[part][key][0] == "?"


@pytest.mark.parametrize("seed", range(4))
def test_no_mark_of_a_random_page_is_dropped(seed: int) -> None:
    chance = random.Random(seed)
    kinds = [read_type(path) for path in chance.sample(sorted(ROOT.glob("puzzles/*.yaml")), 20)]
    for kind in filter(positions_of, kinds):
        for _ in range(12):
            own = some_page(chance)
            whole = result(own, kind)
            for part, key, less in without_one(own.problem):
                if not isinstance(whole, str) and not says_nothing(part, key, own, kind):
                    assert result(P.page(less), kind) != whole, (kind.name, part, key, own.problem)
