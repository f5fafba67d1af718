"""Cells as data: `list[cell] in board`."""

from typing import Any

import pytest

from puzzlekit.boards import Cell
from puzzlekit.lang import bind, read_spec, spec_of_values, type_of_text
from puzzlekit.lang.unused import unused_values
from tests.lang.languages import places_of, type_with

G = '  g: "grid[int | None]"\n'
BOARD = "g: |\n  1..\n  ._.\n"


def data_of(field: str, spec: str) -> Any:
    return bind(
        type_of_text("t.yaml", type_with(f'"{field}"', G)), read_spec("s.yaml", BOARD + spec)
    ).data["f"]


@pytest.mark.parametrize(
    ("field", "spec", "value"),
    [
        ("cell", "f: r12c3", Cell(12, 3)),
        ("list[cell] in g", "f: r1c1 r2c3", (Cell(1, 1), Cell(2, 3))),
        (
            "list[list[cell]] in g",
            "f: |\n  r1c1 r1c2\n  r2c3\n",
            ((Cell(1, 1), Cell(1, 2)), (Cell(2, 3),)),
        ),
        ("tuple[cell, int]", "f: r1c1 7", (Cell(1, 1), 7)),
        ("map[symbol, list[cell]]", "f: {A: r1c1 r1c2}", {"A": (Cell(1, 1), Cell(1, 2))}),
        ("map[cell, int]", "f: {r1c2: 3}", {Cell(1, 2): 3}),
        ("list[cell | choice(none) | None]", "f: r1c1 none .", (Cell(1, 1), "none", None)),
    ],
)
def test_cells_are_read(field: str, spec: str, value: Any) -> None:
    assert data_of(field, spec) == value


@pytest.mark.parametrize(
    ("field", "spec", "found"),
    [
        (
            "cell",
            "f: 1 2",
            [("'1 2' is not a cell: write its row and its column, as in r1c2", 4, 4)],
        ),
        (
            "cell",
            "f: r1c1x",
            [("'r1c1x' is not a cell: write its row and its column, as in r1c2", 4, 4)],
        ),
        (
            "cell",
            "f: r1c1234",
            [("'r1c1234' is not a cell: write its row and its column, as in r1c2", 4, 4)],
        ),
        (
            "cell",
            "f: r١c1",
            [("'r١c1' is not a cell: write its row and its column, as in r1c2", 4, 4)],
        ),
        (
            "list[cell] in g",
            "f: r1c1 r2c2 r9c9 r0c1",
            [
                ("r2c2 is not a cell of a board of 2 x 3", 4, 9),
                ("r9c9 is not a cell of a board of 2 x 3", 4, 14),
                ("r0c1 is not a cell of a board of 2 x 3", 4, 19),
            ],
        ),
        ("list[cell] in g.given", "f: r1c1 r1c2", [("r1c2 is not one of r1c1", 4, 9)]),
        (
            "map[cell in g, int]",
            "f: {r1c2: 3, r2c2: 4}",
            [("r2c2 is not a cell of a board of 2 x 3", 4, 14)],
        ),
    ],
)
def test_wrong_cells(field: str, spec: str, found: list[tuple[str, int, int]]) -> None:
    assert places_of(type_with(f'"{field}"', G), BOARD + spec) == found


@pytest.mark.parametrize("values", [[["r1c1", Cell(1, 2)]], [[(1, 1), (1, 2)]], ["r1c1 r1c2"]])
def test_values_of_python(values: Any) -> None:
    kind = type_of_text("t.yaml", type_with('"list[list[cell]]"'))
    assert bind(kind, spec_of_values({"f": values}, kind.fields)).data["f"] == (
        (Cell(1, 1), Cell(1, 2)),
    )


def test_cells_that_are_an_index_are_used() -> None:
    text = type_with('"list[cell]"', G, "let:\n  n: sum(g[f])\n").replace(
        "  x: bool", "  x: between(0, n)"
    )
    bound = bind(type_of_text("t.yaml", text), read_spec("s.yaml", "g: 12\nf: r1c1 r1c2\n"))
    assert unused_values(bound) == []
