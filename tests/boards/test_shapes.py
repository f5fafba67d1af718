"""Shapes and where they can lie; rectangles."""

import pickle
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from puzzlekit.boards import (
    Cell,
    Cells,
    Grid,
    Placement,
    Shape,
    board,
    hexagons,
    placements,
    polyominoes,
    rectangles,
    torus,
    triangles,
)
from puzzlekit.errors import InputError

QUICK = settings(derandomize=True, deadline=None, max_examples=60)
BOARDS = st.sets(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1).map(
    lambda cells: Grid({Cell(*cell): None for cell in cells})
)
PENTOMINOES = {
    "F": ".##/##./.#.",
    "I": "#####",
    "L": "#./#./#./##",
    "N": ".#/.#/##/#.",
    "P": "##/##/#.",
    "T": "###/.#./.#.",
    "U": "#.#/###",
    "V": "#../#../###",
    "W": "#../##./.##",
    "X": ".#./###/.#.",
    "Y": ".#/##/.#/.#",
    "Z": "##./.#./.##",
}


def shape(text: str) -> Shape:
    return Shape(
        (r, c) for r, row in enumerate(text.split("/")) for c, char in enumerate(row) if char == "#"
    )


def test_a_shape_has_no_place_of_its_own() -> None:
    assert Shape([(2, 5), (2, 6), (3, 5)]) == Shape([(0, 1), (0, 0), (1, 0)])
    assert [str(shape(text)) for text in PENTOMINOES.values()] == [*PENTOMINOES.values()]


def test_the_ways_of_the_pentominoes() -> None:
    ways = [len(shape(text).turns()) for text in PENTOMINOES.values()]
    assert ways == [8, 2, 8, 8, 8, 4, 4, 4, 4, 1, 8, 4]
    assert sum(len(shape(text).turns(reflect=False)) for text in PENTOMINOES.values()) == 41
    assert (
        sum(len(shape(text).turns(rotate=False, reflect=False)) for text in PENTOMINOES.values())
        == 12
    )
    assert [len(shape("#./##").turns(*how)) for how in product((True, False), repeat=2)] == [
        4,
        4,
        2,
        1,
    ]


def grown(form: str, size: int) -> list[Shape]:
    """Each connected shape of so many hexagons or triangles that is the first of its turns."""
    whole = hexagons(board(9, 9)) if form == "hexagon" else triangles(board(9, 9))
    cells = {frozenset([cell]) for cell in (Cell(5, 5), Cell(5, 6))}
    for _ in range(size - 1):
        cells = {
            found | {near}
            for found in cells
            for cell in found
            for near in whole.neighbours(cell)
            if near not in found
        }
    turns = {
        Shape((row - 1, column - 1) for row, column in found).turns(form=whole.form)
        for found in cells
    }
    firsts = {
        min((shape, form == "triangle" and shape.odd) for shape in own): own[0] for own in turns
    }
    return [*firsts.values()]


@pytest.mark.parametrize(
    ("form", "size", "free", "fixed"),  # OEIS A000228, A001207; A000577, A001420
    [
        ("hexagon", 3, 3, 11),
        ("hexagon", 4, 7, 44),
        ("triangle", 3, 1, 6),
        ("triangle", 4, 3, 14),
        ("triangle", 6, 12, 94),
    ],
)
def test_the_ways_of_polyhexes_and_polyiamonds(form: Any, size: int, free: int, fixed: int) -> None:
    found = grown(form, size)
    assert len(found) == free
    assert sum(len(shape.turns(form=form)) for shape in found) == fixed


def test_triangles_that_point_the_other_way_are_another_shape() -> None:
    up, down = shape("#"), shape(".#")
    assert [
        place.cells[0] for place in placements({"x": up}, triangles(board(2, 2)), rotate=False)
    ] == [(1, 1), (2, 2)]
    assert [
        place.cells[0] for place in placements({"x": down}, triangles(board(2, 2)), rotate=False)
    ] == [(1, 2), (2, 1)]
    assert len(placements({"x": up}, triangles(board(2, 2)))) == 4
    assert pickle.loads(pickle.dumps(down)).odd


def test_places_have_a_piece_and_cells() -> None:
    places = placements({"I": shape("##"), "O": shape("#")}, board(2, 2))
    assert [str(place) for place in places[:4]] == [
        "I at r1c1 r1c2",
        "I at r2c1 r2c2",
        "I at r1c1 r2c1",
        "I at r1c2 r2c2",
    ]
    assert [place.piece for place in places[4:]] == ["O"] * 4
    assert places[0] == Placement("I", Cells([Cell(1, 1), Cell(1, 2)]))
    assert len({Placement("A", places[0].cells), places[0]}) == 2


def test_what_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlekit.boards.shapes.PLACEMENTS", 2_000)
    with pytest.raises(InputError, match="too many placements on this board: more than 2,000"):
        placements({i: shape("##") for i in range(10)}, board(12, 12))
    monkeypatch.setattr("puzzlekit.boards.shapes.PLACEMENT_CELLS", 10_000)
    with pytest.raises(InputError, match="10,000 cells"):
        rectangles(board(12, 12))


@QUICK
@given(
    BOARDS,
    st.sampled_from([*PENTOMINOES.values(), "#", "##", "#.#", "##/#."]),
    st.booleans(),
    st.booleans(),
)
def test_every_place_once(grid: Grid, text: str, rotate: bool, reflect: bool) -> None:
    found = [place.cells for place in placements({"x": shape(text)}, grid, rotate, reflect)]
    assert len(set(found)) == len(found)
    turns = set(shape(text).turns(rotate, reflect))
    moved = {
        tuple(sorted(Cell(r + dr, c + dc) for r, c in turned))
        for turned in turns
        for dr, dc in product(range(5), repeat=2)
    }
    assert {tuple(cells) for cells in found} == {
        cells for cells in moved if set(cells) <= set(grid.cells)
    }


@QUICK
@given(BOARDS, st.one_of(st.none(), st.integers(0, 6)), st.data())
def test_every_rectangle_once(grid: Grid, largest: int | None, data: st.DataObject) -> None:
    found = rectangles(grid, largest)
    blocks = {
        tuple(Cell(r, c) for r in range(a.row, b.row + 1) for c in range(a.column, b.column + 1))
        for a, b in product(grid.cells, repeat=2)
        if a.row <= b.row and a.column <= b.column
    }
    whole = {
        block
        for block in blocks
        if set(block) <= set(grid.cells) and len(block) <= (largest or 16 * (largest is None))
    }
    assert {tuple(cells) for cells in found} == whole and len(found) == len(whole)
    only = data.draw(st.sets(st.sampled_from(grid.cells)))
    sizes = {cell: data.draw(st.none() | st.integers(0, 6)) for cell in sorted(only)}
    around = rectangles(grid, largest, sizes)
    alone = [(block, *only & set(block)) for block in whole if len(only & set(block)) == 1]
    assert {tuple(cells) for cells in around} == {
        block for block, cell in alone if sizes[cell] in (None, len(block))
    }
    assert len(around) == len(set(around))


@QUICK
@given(BOARDS, st.integers(1, 4))
def test_every_polyomino_once(grid: Grid, size: int) -> None:
    found = polyominoes(grid, size)
    groups = {(cell,) for cell in grid.cells}
    for _ in range(size - 1):
        groups = {
            tuple(sorted((*group, near)))
            for group in groups
            for cell in group
            for near in grid.neighbours(cell)
            if near not in group
        }
    assert {tuple(cells) for cells in found} == groups and len(found) == len(groups)


def test_the_number_of_polyominoes() -> None:
    """Fixed polyominoes (OEIS A001168) reach every place of a large board that is far from its
    edges.
    """
    middle = Cell(7, 7)
    for size, fixed in ((1, 1), (2, 2), (3, 6), (4, 19), (5, 63)):
        assert sum(middle in cells for cells in polyominoes(board(13, 13), size)) == size * fixed
    assert len(polyominoes(torus(2, 2), 2)) == 4 and polyominoes(board(2, 2), 0) == ()
    with pytest.raises(InputError, match="too many polyominoes on this board"):
        polyominoes(board(6, 6), 30)
