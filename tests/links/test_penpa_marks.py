"""Marks of Penpa+ pages: what others draw is read by a field, or named;
nothing is dropped in silence.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import puzzlekit
from puzzlekit import links
from puzzlekit.errors import InputError
from puzzlekit.lang import PuzzleType, read_type
from puzzlekit.links import penpa
from puzzlekit.links.drawn_fields import fields_of, positions_of
from puzzlekit.links.drawn_readers import READERS, UNKNOWN_SYMBOLS
from puzzlekit.links.penpa_drawing import drawing_of
from puzzlekit.links.penpa_format import Page, page_of
from puzzlekit.links.section import DRAWN
from tests.links.test_penpa import link
from tests.shipped import ROOT, SMALLEST, SPECS

Problem = Mapping[str, Any]


class Places:
    """The numbers of the points of a page, counted as the format says;
    rows and columns of the board count from 1.
    """

    def __init__(
        self, rows: int, columns: int, top: int = 0, left: int = 0, down: int = 0, right: int = 0
    ) -> None:
        self.rows, self.columns, self.top, self.left, self.more = (
            rows,
            columns,
            top,
            left,
            (down, right),
        )
        self.across = columns + left + right + 4
        self.size = self.across * (rows + top + down + 4)

    def cell(self, row: int, column: int) -> int:
        return self.across * (row + 1 + self.top) + column + 1 + self.left

    def cells(self, value: Any, *places: tuple[int, int]) -> dict[str, Any]:
        return {str(self.cell(*place)): value for place in places}

    def corner(self, row: int, column: int) -> str:
        """The lower right corner of a cell."""
        return str(self.size + self.cell(row, column))

    def quarter(self, row: int, column: int, quarter: int) -> str:
        return str(4 * self.size + 4 * self.cell(row, column) + quarter)

    def below(self, row: int, column: int) -> str:
        """The line below a cell."""
        return f"{self.corner(row, column - 1)},{self.corner(row, column)}"

    def right(self, row: int, column: int) -> str:
        """The line on the right of a cell."""
        return f"{self.corner(row - 1, column)},{self.corner(row, column)}"

    def box(self, row: int, column: int) -> list[str]:
        """The lines around a cell."""
        around = (
            self.below(row - 1, column),
            self.right(row, column - 1),
            self.right(row, column),
            self.below(row, column),
        )
        return list(around)

    def page(self, problem: Problem) -> Page:
        cells = [
            self.cell(row, column)
            for row in range(1, self.rows + 1)
            for column in range(1, self.columns + 1)
        ]
        return Page(
            self.columns + self.left + self.more[1],
            self.rows + self.top + self.more[0],
            cells,
            problem,
        )


P = Places(2, 2)
OUT = Places(2, 2, 1, 1)  # with a row above and a column on the left
TWO = Places(2, 2, 2, 2)
BANK = Places(2, 2, down=4, right=3)
FOUR = Places(4, 4)


def thick(*lines: str) -> dict[str, int]:
    return dict.fromkeys(lines, 2)


BOXES = thick(*(FOUR.below(2, n) for n in range(1, 5)), *(FOUR.right(n, 2) for n in range(1, 5)))
CAGE = [[P.cell(1, 1), P.cell(1, 2)]]
NO_SUM = {
    "lineE": BOXES,
    "number": FOUR.cells(["1", 1, "1"], (1, 1)),
    "killercages": [[FOUR.cell(1, 1), FOUR.cell(1, 2)]],
}
ARROW = "arrow_fouredge_B"


def on(number: int, of: int = 8) -> list[int]:
    """A style with one part that is on."""
    return [int(part == number) for part in range(1, of + 1)]


def test_each_place_has_a_reader() -> None:
    assert {*DRAWN} == {*READERS}


# what strangers draw, as the type that it is for, the places of its page, its marks,
# and fields that are read
READ: dict[str, tuple[str, Places, Problem, dict[str, Any]]] = {
    "boxes of a sudoku": (
        "sudoku",
        FOUR,
        {"lineE": BOXES, "number": FOUR.cells(["1", 1, "1"], (1, 1))},
        {
            "givens": ["1 . . .", *[". . . ."] * 3],
            "regions": ["A A B B"] * 2 + ["C C D D"] * 2,
            "cages": None,
            "sums": None,
        },
    ),
    "clues that are all 0": (
        "slant",
        Places(2, 2),
        {"number": {Places(2, 2).corner(1, 1): ["0", 1, "1"]}},
        {"clues": [". . .", ". 0 .", ". . ."]},
    ),
    "a given in a cage without a sum": (
        "sudoku",
        FOUR,
        NO_SUM,
        {
            "givens": ["1 . . .", *[". . . ."] * 3],
            "cages": ["A A . .", *[". . . ."] * 3],
            "sums": None,
        },
    ),
    "cages instead of regions": (
        "kenken",
        P,
        {
            "killercages": [[P.cell(1, 2), P.cell(2, 2)], [P.cell(1, 1), P.cell(2, 1)]],
            "numberS": {P.quarter(1, 2, 0): ["3+", 1], P.quarter(1, 1, 0): ["1-", 1]},
        },
        {"cages": ["B A", "B A"], "clues": {"A": "3+", "B": "1-"}},
    ),
    "a cage of lines only": (
        "killer",
        P,
        {
            "cage": dict.fromkeys(
                [
                    f"{P.quarter(1, 1, 0)},{P.quarter(1, 1, 1)}",
                    f"{P.quarter(1, 1, 0)},{P.quarter(1, 1, 2)}",
                    f"{P.quarter(1, 1, 1)},{P.quarter(1, 2, 0)}",
                    f"{P.quarter(1, 1, 2)},{P.quarter(1, 1, 3)}",
                    f"{P.quarter(1, 1, 3)},{P.quarter(1, 2, 2)}",
                    f"{P.quarter(1, 2, 0)},{P.quarter(1, 2, 1)}",
                    f"{P.quarter(1, 2, 1)},{P.quarter(1, 2, 3)}",
                    f"{P.quarter(1, 2, 2)},{P.quarter(1, 2, 3)}",
                ],
                10,
            ),
            "numberS": {P.quarter(1, 1, 0): [" 3 ", 1]},
        },
        {"cages": ["A A", ". ."], "sums": {"A": "3"}},
    ),
    **{
        f"circles of style {style}, {size}": (
            "masyu",
            P,
            {
                "symbol": P.cells([style, f"circle_{size}", 1], (1, 1))
                | P.cells([2, f"circle_{size}", 1], (1, 2))
            },
            {"pearls": ["w b", ". ."]},
        )
        for style, size in [(1, "L"), (4, "M"), (6, "S"), (7, "SS"), (8, "L"), (10, "M"), (13, "S")]
    },
    **{
        f"grey circles of style {style}": (
            "sudoku",
            FOUR,
            {"symbol": FOUR.cells([style, "circle_M", 1], (1, 1))},
            {"givens": ["o . . .", *[". . . ."] * 3]},
        )
        for style in (3, 5, 9)
    },
    "a circled blank": (
        "nurikabe",
        P,
        {"number": P.cells([" ", 6, "1"], (1, 2))},
        {"clues": [". ?", ". ."]},
    ),
    "a boxed blank": ("kuromasu", P, {"lineE": thick(*P.box(1, 2))}, {"clues": [". ?", ". ."]}),
    "a region of one cell": (
        "usoone",
        P,
        {"lineE": thick(*P.box(1, 1))},
        {"regions": ["A B", "B B"], "clues": [". .", ". ."]},
    ),
    "a white square": (
        "cave",
        P,
        {"symbol": P.cells([1, "square_L", 1], (1, 2))},
        {"clues": [". ?", ". ."]},
    ),
    "a circle under each number": (
        "nurikabe",
        P,
        {
            "number": P.cells(["2", 1, "1"], (1, 2), (2, 1)),
            "symbol": P.cells([1, "circle_L", 1], (1, 2), (2, 1)),
        },
        {"clues": [". 2", "2 ."]},
    ),
    "a blank text": (
        "slitherlink",
        P,
        {"number": P.cells(["2", 1, "1"], (1, 2)) | P.cells([" ", 1, "1"], (2, 2))},
        {"clues": [". 2", ". ?"]},
    ),
    "numbers on corners": (
        "slant",
        P,
        {
            "number": {P.corner(1, 1): ["2", 1, "10"], P.corner(0, 0): ["1", 1, "10"]},
            "symbol": {P.corner(1, 1): [1, "circle_M", 2], P.corner(0, 0): [1, "circle_M", 2]},
        },
        {"clues": ["1 . .", ". 2 .", ". . ."]},
    ),
    **{
        f"arrows: {name} {style}": (
            "castle_wall",
            P,
            {
                "surface": P.cells(8, (1, 1)),
                "number": P.cells(["2", 1, "1"], (1, 1)),
                "symbol": P.cells([style, name, 1], (1, 1)),
            },
            {"colours": ["g .", ". ."], "numbers": ["2 .", ". ."], "arrows": [f"{way} .", ". ."]},
        )
        for name, style, way in [
            ("arrow_S", 5, "e"),
            ("arrow_N_B", 3, "n"),
            ("arrow_B_W", 7, "s"),
            ("arrow_tri_G", 1, "w"),
            ("arrow_GP", 5, "e"),
            ("arrow_Short", 3, "n"),
            ("arrow_cross", on(1, 4), "w"),
            ("arrow_eight", on(3), "n"),
            *((ARROW, on(number), way) for number, way in enumerate("eswnwnes", 1)),
        ]
    },
    "an arrow of a number": (
        "castle_wall",
        P,
        {"surface": P.cells(4, (1, 1)), "number": P.cells(["2_3", 4, "2"], (1, 1))},
        {"colours": ["b .", ". ."], "numbers": ["2 .", ". ."], "arrows": ["s .", ". ."]},
    ),
    "an arrow beside a number": (
        "yajilin",
        P,
        {
            "surface": P.cells(3, (1, 1)),
            "number": P.cells(["2", 1, "1"], (1, 1)),
            "symbol": P.cells([on(7), ARROW, 2], (1, 1)),
        },
        {"clues": ["2e .", ". ."]},
    ),
    "boxes around clues": (
        "yajilin",
        P,
        {
            "surface": P.cells(3, (1, 1), (2, 2)),
            "number": P.cells(["1_2", 1, "2"], (1, 1)),
            "lineE": thick(*P.box(1, 1), *P.box(2, 2)),
        },
        {"clues": ["1e .", ". x"]},
    ),
    **{
        f"crosses of {name} {style}": (
            "forbidden_four",
            P,
            {"symbol": P.cells([style, name, 1], (1, 1))},
            {"given": ["x .", ". ."]},
        )
        for name, style in [("star", 0), ("ox_B", 4), ("ox_G", 7), ("line", 6)]
    },
    "bars, plus and minus": (
        "tatamibari",
        P,
        {
            "symbol": P.cells([2, "math", 1], (1, 1))
            | P.cells([3, "math", 1], (1, 2))
            | P.cells([1, "bars_B", 1], (2, 1))
            | P.cells([1, "line", 1], (2, 2))
        },
        {"signs": ["+ -", "| -"]},
    ),
    "black squares": (
        "akari",
        P,
        {
            "symbol": P.cells([2, "square_LL", 1], (1, 1), (1, 2)),
            "number": P.cells(["1", 4, "1"], (1, 2)),
        },
        {"walls": ["x 1", ". ."]},
    ),
    "squares and triangles": (
        "hakoiri_masashi",
        P,
        {
            "symbol": P.cells([1, "square_M", 1], (1, 1)) | P.cells([1, "triup_M", 1], (1, 2)),
            "lineE": thick(P.right(1, 1), P.right(2, 1)),
        },
        {"givens": ["s t", ". ."]},
    ),
    "half cells of kakuro": (
        "kakuro",
        P,
        {
            "symbol": P.cells([2, "kakuro", 1], (1, 1)) | P.cells([1, "kakuro", 1], (1, 2), (2, 1)),
            "numberS": {P.quarter(1, 2, 2): ["4", 4], P.quarter(2, 1, 1): ["4", 4]},
        },
        {"board": ["\\ 4\\", "\\4 ."]},
    ),
    "shaded cells outside": (
        "tents",
        OUT,
        {
            "number": OUT.cells(["1", 1, "1"], (0, 1), (0, 2), (1, 0), (2, 0)),
            "surface": OUT.cells(3, (0, 1), (0, 2), (1, 0), (2, 0)),
            "symbol": OUT.cells([1, "tents", 1], (1, 1)),
        },
        {"columns": "1 1", "rows": "1 1", "trees": ["T .", ". ."]},
    ),
    "clues on the other side": (
        "kakurasu",
        OUT,
        {"number": OUT.cells(["1", 1, "1"], (0, 1)) | OUT.cells(["2", 1, "1"], (2, 0))},
        {"columns": "1 .", "rows": ". 2"},
    ),
    "numbers of rows and columns": (
        "kakurasu",
        OUT,
        {
            "number": {
                **OUT.cells(["1", 1, "1"], (0, 1), (1, 0)),
                **OUT.cells(["2", 1, "1"], (0, 2), (2, 0)),
                **OUT.cells(["3", 1, "1"], (3, 1), (2, 3)),
            }
        },
        {"columns": "3 .", "rows": ". 3"},
    ),
    "rows of clues with signs": (
        "magnets",
        TWO,
        {
            "number": TWO.cells(["1", 1, "1"], (-1, 1), (0, 2), (1, -1), (2, 0)),
            "symbol": TWO.cells([2, "math", 1], (-1, -1)) | TWO.cells([3, "math", 1], (0, 0)),
            "lineE": thick(TWO.below(1, 1), TWO.below(1, 2)),
        },
        {"top": "1 .", "bottom": ". 1", "left": "1 .", "right": ". 1"},
    ),
    "corner numbers of rooms": (
        "heyawake",
        P,
        {"lineE": thick(P.right(1, 1), P.right(2, 1)), "numberS": {P.quarter(1, 1, 0): ["1", 1]}},
        {"rooms": ["A B", "A B"], "clues": ["1 .", ". ."]},
    ),
    "composite digits": (
        "slitherlink",
        P,
        {"symbol": P.cells([[1, 0, 1, 1, 0, 1, 1], "degital", 1], (1, 1))},
        {"clues": ["3 .", ". ."]},
    ),
    "one digit of those a cell may have": (
        "sudoku",
        FOUR,
        {"number": FOUR.cells([on(3, 10), 1, "7"], (1, 1))},
        {"givens": ["3 . . .", *[". . . ."] * 3]},
    ),
    "dots between cells": (
        "sudoku",
        FOUR,
        {
            "symbol": {
                str(3 * FOUR.size + FOUR.cell(1, 1)): [1, "circle_SS", 1],
                str(2 * FOUR.size + FOUR.cell(1, 1)): [2, "circle_SS", 1],
                str(2 * FOUR.size + FOUR.cell(3, 4)): [8, "circle_S", 1],
            },
            "number": {str(2 * FOUR.size + FOUR.cell(3, 4)): ["3", 1, "1"]},
        },
        {"differences": ["r1c1 r1c2 1", "r3c4 r4c4 3"], "ratios": ["r1c1 r2c1 2"]},
    ),
    "sums between cells": (
        "sudoku",
        FOUR,
        {
            "number": {
                str(3 * FOUR.size + FOUR.cell(1, 1)): ["V", 1, "1"],
                str(2 * FOUR.size + FOUR.cell(1, 1)): ["x", 6, "5"],
            }
        },
        {"pair_sums": ["r1c1 r1c2 5", "r1c1 r2c1 10"]},
    ),
    "digits in circles": (
        "binairo",
        P,
        {"symbol": P.cells([8, "circle_L", 1], (1, 1)) | P.cells([2, "circle_L", 1], (2, 2))},
        {"givens": ["0 .", ". 1"]},
    ),
    "signs between cells, as texts": (
        "futoshiki",
        P,
        {
            "number": {
                str(3 * P.size + P.cell(1, 1)): ["<", 1, "6"],
                str(2 * P.size + P.cell(1, 1)): ["∨", 1, "6"],
            }
        },
        {"signs": ["r1c1 < r1c2", "r1c1 > r2c1"]},
    ),
    "black dots of galaxies": (
        "spiral_galaxies",
        P,
        {"symbol": {P.corner(1, 1): [2, "circle_S", 1]}},
        {"circles": ["x .", ". ."]},
    ),
    "arrows and thermometers": (
        "sudoku",
        FOUR,
        {
            "arrows": [[FOUR.cell(1, 1), FOUR.cell(1, 2)]],
            "symbol": FOUR.cells([1, "circle_L", 1], (1, 1)),
            "thermo": [[FOUR.cell(2, 1), FOUR.cell(2, 2)]],
        },
        {"arrows": ["r1c1 r1c2"], "thermometers": ["r2c1 r2c2"]},
    ),
    "a fleet": (
        "battleships",
        BANK,
        {
            "symbol": {str(BANK.cell(3, n)): [n + 1, "battleship_B", 1] for n in (1, 2)}
            | BANK.cells([1, "battleship_G", 1], (5, 1)),
            "surface": BANK.cells(1, (5, 3), (5, 4)),
        },
        {"fleet": {"2": "2", "1": "1"}},
    ),
    "pieces": (
        "statue_park",
        BANK,
        {"surface": BANK.cells(8, (3, 1), (4, 1), (4, 2), (3, 4))},
        {"pieces": {"A": "#. ##", "B": "#"}},
    ),
    "parts of ships": (
        "battleships",
        OUT,
        {
            "number": OUT.cells(["1", 1, "1"], (0, 1)),
            "symbol": {str(OUT.cell(1, n)): [n, "battleship_B", 1] for n in (1, 2)},
        },
        {"given": ["o m", ". ."]},
    ),
    "lines in a cell": (
        "pipelink",
        P,
        {"symbol": P.cells([[1, 1, 0, 0], "cross", 1], (1, 1))},
        {"pieces": ["se .", ". ."]},
    ),
    "clues where four cells meet": (
        "mathrax",
        P,
        {"number": {P.corner(1, 1): ["3+", 1, "6"]} | P.cells(["1", 1, "1"], (1, 1))},
        {"clues": ["3+ _"], "givens": ["1 .", ". ."]},
    ),
    "black cells as holes": (
        "double_back",
        P,
        {"surface": P.cells(1, (1, 1)), "lineE": thick(P.below(1, 2))},
        {"regions": ["_ A", "B B"]},
    ),
    "black cells with arrows": (
        "makaro",
        P,
        {
            "surface": P.cells(1, (1, 1), (2, 2)),
            "symbol": P.cells([5, "arrow_N_W", 1], (1, 1)) | P.cells([3, "arrow_N_W", 1], (2, 2)),
            "lineE": thick(*P.box(1, 1), *P.box(2, 2)),
        },
        {"givens": ["> .", ". ^"]},
    ),
    "boxes of a killer": (
        "killer",
        FOUR,
        {
            "lineE": BOXES,
            "killercages": [[FOUR.cell(1, 1), FOUR.cell(1, 2)]],
            "numberS": {FOUR.quarter(1, 1, 0): ["3", 1]},
        },
        {"box": "2x2", "sums": {"A": "3"}},
    ),
    "colours of regions": (
        "star_battle",
        P,
        {
            "surface": P.cells(3, (1, 1), (2, 1)) | P.cells(2, (1, 2), (2, 2)),
            "lineE": thick(P.right(1, 1), P.right(2, 1)),
        },
        {"regions": ["A B", "A B"]},
    ),
    "long diagonals": (
        "sudoku",
        FOUR,
        {
            "number": FOUR.cells(["1", 1, "1"], (1, 2)),
            "lineE": {
                f"{FOUR.corner(0, 0)},{FOUR.corner(4, 4)}": 12,
                f"{FOUR.corner(0, 4)},{FOUR.corner(4, 0)}": 3,
            },
        },
        {"diagonals": "yes"},
    ),
    "digits at corners": (
        "sudoku",
        FOUR,
        {
            "number": {FOUR.corner(1, 1): ["12", 1, "6"]},
            "symbol": {FOUR.corner(1, 1): [1, "circle_M", 2]},
        },
        {"quadruples": ["r1c1 12"]},
    ),
    "lines of no effect": (
        "slitherlink",
        P,
        {
            "number": P.cells(["2", 1, "1"], (1, 2)),
            "lineE": {**thick(P.below(0, 1), P.right(1, 2)), P.right(1, 1): 80},
            "deletelineE": {P.below(2, 1): 1},
        },
        {"clues": [". 2", ". ."]},
    ),
}


@pytest.fixture(scope="module")
def kind_of() -> Any:
    known: dict[str, PuzzleType] = {}
    return lambda name: known.setdefault(name, read_type(ROOT / f"puzzles/{name}.yaml"))


@pytest.mark.parametrize("name", READ)
def test_marks_of_others_are_read(name: str, kind_of: Any) -> None:
    kind, places, problem, expected = READ[name]
    drawing = drawing_of(places.page(problem))
    found = fields_of(kind_of(kind), drawing)
    assert not drawing.unread()
    assert {name: found.get(name) for name in expected} == expected


# what no field of a type stands for, with its name
UNREAD: dict[str, tuple[str, Problem, str]] = {
    "a wall inside a room": (
        "heyawake",
        {"lineE": thick(P.right(1, 1))},
        "thick line between r1c1 and r1c2",
    ),
    "lines where no field reads them": (
        "masyu",
        {"lineE": thick(P.right(1, 1), P.below(1, 1))},
        "thick line between r1c1 and r1c2",
    ),
    "a dashed line": ("heyawake", {"lineE": {P.right(1, 1): 13}}, "lineE 13 between r1c1 and r1c2"),
    "a colour": ("slitherlink", {"surface": P.cells(5, (1, 1))}, "colour 5 at r1c1"),
    "colours of some regions": (
        "star_battle",
        {"surface": P.cells(3, (1, 1)), "lineE": thick(P.right(1, 1), P.right(2, 1))},
        "colour 3 at r1c1",
    ),
    "a circle under one of two numbers": (
        "slitherlink",
        {
            "number": P.cells(["2", 1, "1"], (1, 1), (2, 2)),
            "symbol": P.cells([1, "circle_L", 1], (1, 1)),
        },
        "circle_L 1 at r1c1",
    ),
    "grey dots on sides": (
        "sudoku",
        {"symbol": {str(3 * P.size + P.cell(1, 1)): [5, "circle_SS", 1]}},
        "circle_SS 5 between r1c1 and r1c2",
    ),
    "a number on a side": (
        "sudoku",
        {"number": {str(3 * P.size + P.cell(1, 1)): ["7", 1, "1"]}},
        "text '7' between r1c1 and r1c2",
    ),
    "an unknown symbol": (
        "masyu",
        {"symbol": P.cells([3, "firefly", 1], (1, 2))},
        "firefly 3 at r1c2",
    ),
    "a symbol outside": (
        "masyu",
        {"symbol": P.cells([1, "battleship_B", 1], (1, 3))},
        "battleship_B 1 at r1c3",
    ),
    "a word": ("slitherlink", {"number": P.cells(["max", 1, "1"], (1, 2))}, "text 'max' at r1c2"),
    "text outside": ("slitherlink", {"number": P.cells(["2", 1, "1"], (1, 3))}, "text '2' at r1c3"),
    "a circle under the only number": (
        "hitori",
        {"number": P.cells(["2", 1, "1"], (1, 1)), "symbol": P.cells([1, "circle_L", 1], (1, 1))},
        "circle_L 1 at r1c1",
    ),
    "a circle around nothing": (
        "sudoku",
        {"number": P.cells([" ", 7, "1"], (1, 1))},
        "circle of '' at r1c1",
    ),
    "cages that overlap": (
        "killer",
        {"killercages": [*CAGE, [P.cell(1, 2), P.cell(2, 2)]]},
        "cage at r1c2",
    ),
    "a bent ship outside": (
        "battleships",
        {"number": P.cells(["1", 1, "1"], (0, 1)), "surface": P.cells(1, (3, 1), (3, 2), (4, 1))},
        "colour 1 at r3c1",
    ),
    **{
        f"circles in {what}": (
            "balance_loop",
            {"symbol": P.cells([1, "circle_L", 1], (1, 1)) | P.cells(other, (1, 2))},
            f"circle_L 1 at r1c1; {other[1]} {other[0]} at r1c2",
        )
        for what, other in [("two sizes", [1, "circle_S", 1]), ("two styles", [8, "circle_L", 1])]
    },
    "black and grey cells": (
        "akari",
        {
            "surface": P.cells(4, (1, 1)) | P.cells(8, (1, 2)),
            "number": P.cells(["2", 1, "1"], (2, 2)),
        },
        "colour 4 at r1c1; colour 8 at r1c2",
    ),
    "cages over regions": (
        "kenken",
        {
            "lineE": thick(P.right(1, 1), P.right(2, 1)),
            "killercages": [[P.cell(1, 2), P.cell(2, 2)]],
            "numberS": {P.quarter(1, 1, 0): ["3+", 1]},
        },
        "cage at r1c2",
    ),
    "a line outside": (
        "pipelink",
        {"line": {f"{P.cell(1, 1)},{P.cell(1, 2)}": 3, f"{P.cell(1, 3)},{P.cell(1, 4)}": 3}},
        "line at r1c3",
    ),
    **{
        f"lines of style {style}": (
            "pipelink",
            {
                "line": {
                    f"{P.cell(1, 1)},{P.cell(1, 2)}": 3,
                    f"{P.cell(1, 1)},{P.cell(2, 1)}": style,
                }
            },
            f"line {style} at r1c1",
        )
        for style in (2, 10, 12, 13, 30, 40, 98)
    },
    "a line of two cells": (
        "pipelink",
        {"line": {f"{P.cell(1, 1)},{P.cell(1, 3)}": 3}},
        "line 3 at r1c1",
    ),
    "a colour of one region": (
        "star_battle",
        {"surface": P.cells(3, (1, 1), (2, 1)), "lineE": thick(P.right(1, 1), P.right(2, 1))},
        "colour 3 at r1c1",
    ),
    "a second clue of a region": (
        "factors",
        {"numberS": {P.quarter(1, 1, 0): ["2", 1], P.quarter(2, 2, 0): ["3", 1]}},
        "small text '3' at r2c2",
    ),
    "a blank where a number must be": (
        "dominosa",
        {"number": P.cells(["1", 1, "1"], (1, 1)) | P.cells([" ", 1, "1"], (1, 2))},
        "blank text at r1c2",
    ),
    "digits that a cell may have": (
        "sudoku",
        {"number": P.cells([[1, 1, 0], 1, "7"], (1, 1))},
        "number ",
    ),
    "a line through cells": (
        "slitherlink",
        {"line": {f"{P.cell(1, 1)},{P.cell(1, 2)}": 3}},
        "line at r1c1",
    ),
    "a free line": (
        "slitherlink",
        {"freeline": {f"{P.cell(1, 1)},{P.cell(2, 2)}": 3}},
        "freeline 3 at r1c1",
    ),
    "a wall": (
        "slitherlink",
        {"wall": {f"{2 * P.size + P.cell(1, 1)},{2 * P.size + P.cell(1, 2)}": 2}},
        "wall 2 ",
    ),
    "a line of the grid that is gone": (
        "slitherlink",
        {"deletelineE": {P.right(1, 1): 1}},
        "deletelineE 1 between r1c1 and r1c2",
    ),
    "a cage": ("slitherlink", {"killercages": CAGE}, "cage at r1c1"),
    "an open cage": (
        "killer",
        {"cage": {f"{P.quarter(1, 1, 0)},{P.quarter(1, 1, 1)}": 10}},
        "gap in a cage",
    ),
    "a digit over a number": (
        "slitherlink",
        {
            "number": P.cells(["2", 1, "1"], (1, 1)),
            "symbol": P.cells([[1, 0, 1, 1, 0, 1, 1], "degital", 1], (1, 1)),
        },
        "symbol [[1, 0, 1, 1, 0, 1, 1], 'degital', 1] at r1c1",
    ),
    "two arrows alike": (
        "yajilin",
        {
            "number": P.cells(["2_2", 1, "2"], (2, 2)) | P.cells(["2", 1, "1"], (1, 1)),
            "symbol": P.cells([[1, 0, 0, 0, 0, 0, 1, 0], ARROW, 2], (1, 1)),
        },
        f"{ARROW} 1,7 at r1c1",
    ),
    "an arrow": ("slitherlink", {"arrows": CAGE}, "arrow at r1c1"),
    "a thermometer": ("slitherlink", {"thermo": CAGE}, "thermometer at r1c1"),
    "a path": ("sudoku", {"nobulbthermo": CAGE}, "line at r1c1"),
    "a polygon": ("slitherlink", {"polygon": CAGE}, "polygon at r1c1"),
    "a frame": ("slitherlink", {"squareframe": CAGE}, "squareframe at r1c1"),
    "a small text on a side": (
        "slitherlink",
        {"numberS": {str(8 * P.size + 4 * P.cell(1, 1)): ["3", 1]}},
        "numberS ['3', 1] at r1c1",
    ),
}

BESIDE: dict[str, tuple[str, Problem]] = {  # what the types read on these pages
    **dict.fromkeys(
        ("slitherlink", "heyawake", "balance_loop"), ("number", P.cells(["2", 1, "1"], (2, 1)))
    ),
    "sudoku": ("number", P.cells(["1", 1, "1"], (2, 1))),
    "masyu": ("symbol", P.cells([2, "circle_L", 1], (2, 1))),
    "pipelink": ("symbol", P.cells([[1, 0, 1, 0], "cross", 1], (2, 1))),
}


@pytest.mark.parametrize("name", UNREAD)
def test_marks_that_no_field_stands_for_are_named(name: str, kind_of: Any) -> None:
    kind, problem, expected = UNREAD[name]
    part, marks = BESIDE.get(kind, ("", {}))
    whole = {**problem, part: {**marks, **problem.get(part, {})}} if marks else problem
    text = link(P.page(whole))
    with pytest.raises(InputError) as error:
        links.read(text, kind_of(kind))
    assert expected in str(error.value)
    assert links.read(text, kind_of(kind), ignore_symbols=True)[0].unread


CASES = [folder / "shared" / "cases" for folder in (ROOT.parent, ROOT.parent.parent)]
STRANGE = sorted(path for folder in CASES for path in folder.glob("penpa-kc-*.link"))
KINDS = {
    "balanceloop": "balance_loop",
    "battleship": "battleships",
    "calcudoku": "kenken",
    "castlewall": "castle_wall",
    "doubleback": "double_back",
    "easyas": "abc_end_view",
    "starbattle": "star_battle",
    "statuepark": "statue_park",
    "yinyang": "yin_yang",
}
REFUSED = {  # with what the message says
    **dict.fromkeys(("cave1", "lits1", "slitherlink1", "starbattle1"), "the grid is 'hex'"),
    "kurotto1": "the grid is 'cairo_pentagonal'",
    "slitherlink2": "the grid is 'tri'",
}
SUPPLIED = {
    "battleship0": {"fleet": "{4: 1, 3: 2, 2: 3, 1: 3}"},
    "easyas0": {"letters": "a b c"},
}  # what no page shows


@pytest.mark.skipif(not STRANGE, reason="the cases are not part of the project")
@pytest.mark.parametrize("path", STRANGE, ids=lambda path: path.stem)
def test_the_pages_of_others_have_one_solution(path: Path, kind_of: Any) -> None:
    name = path.stem.removeprefix("penpa-kc-")
    kind = kind_of(KINDS.get(name[:-1], name[:-1]))
    text = path.read_text("utf-8").strip()
    if name in REFUSED:
        with pytest.raises(InputError, match=REFUSED[name]):
            links.read(text, kind)
    else:
        assert (
            len(list(puzzlekit.load(kind.name, text, settings=SUPPLIED.get(name)).solve(limit=2)))
            == 1
        )


@pytest.mark.parametrize(
    ("part", "mark", "colour", "unread"),
    [
        ("surface", 5, "rgba(0,0,0,1)", []),
        ("surface", 4, "#C0E0FF", ["colour 5 at r1c1"]),
        ("surface", 4, "#ff0000", ["surface 4 in #ff0000 at r1c1"]),
        ("symbol", [2, "square_L", 1], "rgba(0, 0, 0, 1)", []),
        ("symbol", [2, "square_L", 1], "#ffffff", ["symbol [2, 'square_L', 1] in #ffffff at r1c1"]),
        ("number", ["2", 1, "1"], "#ff0000", []),
    ],
)
def test_a_colour_that_replaces_that_of_a_style_counts(
    part: str, mark: Any, colour: str, unread: list[str], kind_of: Any
) -> None:
    key = str(P.cell(1, 1))
    drawing = drawing_of(replace(P.page({part: {key: mark}}), custom_colours={part: {key: colour}}))
    fields = fields_of(kind_of("akari"), drawing)
    assert (drawing.unread(), fields["walls"][0] == ". .") == (unread, bool(unread))


@pytest.mark.parametrize(
    ("kind", "problem", "field", "value"),
    [
        ("star_battle", {"lineE": thick(P.right(1, 1), P.right(2, 1))}, "stars", "1"),
        ("abc_end_view", {"number": OUT.cells(["A", 1, "1"], (0, 1))}, "letters", "a"),
        ("battleships", {"number": OUT.cells(["1", 1, "1"], (0, 1))}, "fleet", "{1: 1}"),
    ],
)
def test_what_a_page_does_not_show_is_supplied_by_a_setting(
    kind: str, problem: Problem, field: str, value: str, kind_of: Any
) -> None:
    text = link((P if kind == "star_battle" else OUT).page(problem))
    (found,) = links.read(text, kind_of(kind))
    assert found.fields[field] is None
    with pytest.raises(
        InputError, match=rf"the field {field} is missing.*(?s:.*)settings\['{field}'\] supplies it"
    ):
        puzzlekit.load(kind, text)
    assert puzzlekit.load(kind, text, settings={field: value}).type.name == kind


def test_the_kind_of_clues_outside_is_not_shown_only_if_there_are_some(kind_of: Any) -> None:
    inside, around = (
        {"number": OUT.cells(["1", 1, "1"], (1, 1), *more)} for more in ([], [(0, 1)])
    )
    assert "outside" not in links.read(link(OUT.page(inside)), kind_of("sudoku"))[0].fields
    assert links.read(link(OUT.page(around)), kind_of("sudoku"))[0].fields["outside"] is None


def test_a_field_that_a_page_must_show_is_named(kind_of: Any) -> None:
    with pytest.raises(InputError, match="the link does not show the field cages of killer"):
        links.read(link(P.page({"number": P.cells(["2", 1, "1"], (1, 1))})), kind_of("killer"))


def test_a_page_of_another_type_is_refused(kind_of: Any) -> None:
    with pytest.raises(InputError, match="the link shows nothing that masyu has"):
        links.read(link(P.page({})), kind_of("masyu"))
    with pytest.raises(InputError, match="the link shows nothing that masyu has"):
        links.read(link(P.page({"number": P.cells(["2", 1, "1"], (1, 1))})), kind_of("masyu"))
    ours = penpa.write(puzzlekit.load(None, SPECS["slitherlink/tiny"]).instance)
    with pytest.raises(InputError, match="the link is a puzzle of slitherlink, not of masyu"):
        links.read(ours, kind_of("masyu"))


# Every mark counts --------------------------------------------------------------------------------


def without_one(problem: Problem) -> Iterator[tuple[str, Any, Problem]]:
    """Yield the marks of a page, each with the page without it."""
    for part, marks in problem.items():
        if isinstance(marks, list):
            for number, mark in enumerate(marks):
                yield part, mark, {**problem, part: [*marks[:number], *marks[number + 1 :]]}
        elif not part.startswith("command"):
            for key in marks:
                yield (
                    part,
                    key,
                    {
                        **problem,
                        part: {other: mark for other, mark in marks.items() if other != key},
                    },
                )


def result(own: Page, kind: PuzzleType) -> object:
    """What a page gives: the fields and what is unread, or a refusal."""
    try:
        found = penpa.read(link(own), kind)[0]
    except InputError as error:
        return str(error)
    return found.fields, found.unread


def is_on_the_rim(part: str, key: str, own: Page) -> bool:
    """Whether it is a line around the board, which says nothing."""
    if part != "lineE":
        return False
    across = own.columns + 4
    one, other = (int(point) % (across * (own.rows + 4)) for point in key.split(","))
    cells = {other, other + (across if other - one == 1 else 1)}
    return not cells <= set(own.cells)


@pytest.mark.sampled(40)
@pytest.mark.parametrize("spec", SMALLEST)
def test_no_mark_of_a_page_is_dropped(spec: str, kind_of: Any) -> None:
    """Without any single mark, a page gives another spec, or the difference is named,
    or the page is refused.
    """
    puzzle = puzzlekit.load(None, SPECS[spec])
    try:
        own = page_of(penpa.write(puzzle.instance).split("p=")[1])
    except InputError:
        return  # it has no page
    kind = kind_of(spec.split("/")[0])
    strange = replace(own, source="", rules="")
    whole = result(strange, kind)
    parts: dict[str, int] = {}
    for part, key, less in without_one(own.problem):
        if is_on_the_rim(part, key, own):
            continue
        excused = is_background(part, key, own, kind) or says_so_twice(part, key, own)
        assert (
            isinstance(whole, str)
            or excused
            or result(replace(strange, problem=less), kind) != whole
        ), (part, key)
        parts[part] = parts.get(part, 0) + 1
        if parts[part] <= 2:  # the picture of each is drawn again, which takes long
            assert result(replace(own, problem=less), kind) != result(own, kind), (part, key)


def names_of_mark(part: str, key: str, own: Page) -> set[str]:
    """The names that the mark of a cell has."""
    drawing = drawing_of(replace(own, problem={part: {key: own.problem[part][key]}}))
    return {name for cell in drawing.cells() for name, _ in drawing.names_at(cell)}


def is_background(part: str, key: Any, own: Page, kind: PuzzleType) -> bool:
    """Whether a mark that the type knows stands under the only text:
    nothing can be compared with it.
    """
    texts = own.problem.get("number", {})
    if part not in ("surface", "symbol") or len(texts) != 1 or key not in texts:
        return False
    known = {
        mark
        for where in positions_of(kind).values()
        if isinstance(where, Mapping)
        for mark in where
    }
    return not known.isdisjoint(names_of_mark(part, key, own))


def says_so_twice(part: str, key: Any, own: Page) -> bool:
    """Whether it is `?` in a circle or a square, which says the same without it."""
    if (
        part != "number"
        or own.problem[part][key][0] != "?"
        or key not in own.problem.get("symbol", {})
    ):
        return False
    return not names_of_mark("symbol", key, own).isdisjoint(UNKNOWN_SYMBOLS)


DECORATION = {
    "lines of no effect": ("lineE", "deletelineE"),
    "arrows and thermometers": ("symbol",),
    "shaded cells outside": ("surface",),
    "digits at corners": ("symbol",),
}


@pytest.mark.parametrize("name", READ)
def test_no_mark_of_others_is_dropped(name: str, kind_of: Any) -> None:
    kind, places, problem, _ = READ[name]
    own = places.page(problem)
    whole = result(own, kind_of(kind))
    decoration = DECORATION.get(name, ())
    for part, key, less in without_one(problem):
        if (
            part not in decoration
            and not (part == "lineE" and is_on_the_rim(part, key, own))
            and not is_blank(part, key, problem)
            and not is_background(part, key, own, kind_of(kind))
        ):
            assert (
                isinstance(whole, str) or result(replace(own, problem=less), kind_of(kind)) != whole
            ), (part, key)


def is_blank(part: str, key: Any, problem: Problem) -> bool:
    """Whether a mark is a text without a sign or a circle, which is decoration."""
    return part == "number" and problem[part][key] == [" ", 1, "1"]
