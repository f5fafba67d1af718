"""Boards: their cells, lines, boxes and neighbours, with holes."""

import pytest
from hypothesis import given, settings, strategies as st

from puzzlekit.boards import Cell, Cells, Corner, Grid, HexBoard, board
from puzzlekit.boards.grid import Torus
from puzzlekit.errors import InputError

QUICK = settings(derandomize=True, deadline=None, max_examples=60)
LATTICE = Grid.of_rows(["abc", "d.e", "fgh"])


def names(groups) -> list[str]:
    return [" ".join(map(str, group)) for group in groups]


def test_cells_are_named_as_people_write_them() -> None:
    assert (str(Cell(1, 2)), repr(Cell(3, 4))) == ("r1c2", "r3c4")
    assert str(Cells([Cell(1, 1), Cell(1, 2)])) == "r1c1–r1c2"
    assert (str(Cells([], "")), str(Cells([Cell(1, 1)], "row 1"))) == ("no cells", "row 1")


def test_rows_columns_and_diagonals() -> None:
    assert names(LATTICE.rows) == ["r1c1 r1c2 r1c3", "r2c1 r2c3", "r3c1 r3c2 r3c3"]
    assert [str(column) for column in LATTICE.columns] == ["column 1", "column 2", "column 3"]
    assert names(LATTICE.all_diagonals)[:5] == [
        "r3c1",
        "r2c1 r3c2",
        "r1c1 r3c3",
        "r1c2 r2c3",
        "r1c3",
    ]
    assert names(LATTICE.all_diagonals)[5:] == [
        "r1c1",
        "r2c1 r1c2",
        "r3c1 r1c3",
        "r3c2 r2c3",
        "r3c3",
    ]
    assert [str(d) for d in LATTICE.all_diagonals[1::5]] == [
        "falling diagonal from r2c1",
        "rising diagonal from r2c1",
    ]
    assert (LATTICE.height, LATTICE.width, len(LATTICE), list(LATTICE)) == (
        3,
        3,
        8,
        list("abcdefgh"),
    )
    assert (LATTICE[Cell(2, 3)], "g" in LATTICE, "z" in LATTICE) == ("e", True, False)


def test_a_row_without_cells_is_empty() -> None:
    assert [len(row) for row in Grid.of_rows(["a", ".", "b"]).rows] == [1, 0, 1]


def test_boxes_tile_the_board() -> None:
    assert [len(box) for box in board(4, 6).boxes((2, 3))] == [6] * 4
    assert [len(box) for box in board(3, 3).boxes((2, 2))] == [4, 2, 2, 1]
    assert names(board(2, 2).boxes((1, 2))) == ["r1c1 r1c2", "r2c1 r2c2"]


def test_windows_have_no_hole() -> None:
    assert len(board(4, 5).windows(2, 3)) == 3 * 3
    assert LATTICE.windows(2, 2) == ()
    assert names(LATTICE.windows(1, 3)) == ["r1c1 r1c2 r1c3", "r3c1 r3c2 r3c3"]
    assert board(2, 2).windows(3, 1) == ()


def test_slots_stop_at_holes() -> None:
    assert [str(slot) for slot in LATTICE.slots()] == [
        "r1c1 across",
        "r3c1 across",
        "r1c1 down",
        "r1c3 down",
    ]
    assert [len(slot) for slot in LATTICE.slots(1)] == [3, 1, 1, 3, 3, 1, 3, 1]
    assert LATTICE.slots(4) == ()


def test_regions_are_cells_of_equal_value() -> None:
    assert names(Grid.of_rows(["aab", "bba"]).regions) == ["r1c1 r1c2 r2c3", "r1c3 r2c1 r2c2"]
    assert len(board(2, 2).regions) == 0


def test_rays_stop_at_holes_or_go_on_behind_them() -> None:
    assert names(LATTICE.rays(Cell(3, 2))) == ["", "r3c3", "", "r3c1"]
    assert names(LATTICE.rays(Cell(3, 2), through_holes=True)) == ["r1c2", "r3c3", "", "r3c1"]
    assert names(board(3, 4).rays(Cell(3, 2))) == ["r2c2 r1c2", "r3c3 r3c4", "", "r3c1"]
    assert str(LATTICE.rays(Cell(1, 1))[1]) == "rightwards from r1c1"


@QUICK
@given(
    st.lists(st.text("ab.", min_size=4, max_size=4), min_size=1, max_size=5),
    st.sampled_from([Grid, HexBoard, Torus]),
)
def test_rays_are_what_a_walk_from_cell_to_cell_meets(rows: list[str], kind: type[Grid]) -> None:
    there = kind(Grid.of_rows(rows).values)
    for cell in there.cells:
        for through_holes in (False, True, False):
            expected = []
            for down, right in ((-1, 0), (0, 1), (1, 0), (0, -1)):
                met = [Cell(cell.row + down * i, cell.column + right * i) for i in range(1, 6)]
                first_hole = next(i for i, c in enumerate(met) if c not in there.values)
                expected.append(
                    [c for c in (met if through_holes else met[:first_hole]) if c in there.values]
                )
            assert [list(ray) for ray in there.rays(cell, through_holes)] == expected


def test_rays_are_made_once() -> None:
    there = board(3, 3)
    assert all(there.rays(cell) is there.rays(cell) for cell in there.cells)


def test_lines_are_straight() -> None:
    square = board(4, 4)
    ends = [((1, 1), (1, 3)), ((4, 2), (2, 2)), ((1, 4), (4, 1)), ((3, 3), (3, 3))]
    assert names(square.line(Cell(*a), Cell(*b)) for a, b in ends) == [
        *("r1c1 r1c2 r1c3", "r4c2 r3c2 r2c2", "r1c4 r2c3 r3c2 r4c1", "r3c3")
    ]
    assert (
        names([LATTICE.line(Cell(1, 1), Cell(3, 3))]),
        str(square.line(Cell(1, 1), Cell(1, 2))),
    ) == (
        ["r1c1 r3c3"],
        "line r1c1–r1c2",
    )


def test_neighbours_skip_holes() -> None:
    assert names([LATTICE.neighbours(Cell(1, 2)), LATTICE.around(Cell(1, 2))]) == [
        "r1c1 r1c3",
        "r1c1 r1c3 r2c1 r2c3",
    ]
    assert names([board(3, 3).knight(Cell(1, 1))]) == ["r2c3 r3c2"]
    assert LATTICE.neighbours(Cell(1, 2)) is LATTICE.neighbours(Cell(1, 2))


def test_within_goes_around_what_it_must_not_enter() -> None:
    square = board(3, 3)
    assert names([square.within(Cell(1, 1), 1)]) == ["r1c1 r1c2 r2c1"]
    assert len(square.within(Cell(2, 2), 9)) == 9 and names([square.within(Cell(2, 2), -1)]) == [
        "r2c2"
    ]
    around = [cell for cell in square.cells if cell not in (Cell(1, 1), Cell(1, 2), Cell(2, 2))]
    assert names([square.within(Cell(1, 1), 4, around)]) == ["r1c1 r2c1 r3c1 r3c2 r3c3"]
    assert str(LATTICE.within(Cell(1, 2), 2)) == "within 2 of r1c2"
    for cell, steps in ((Cell(4, 1), 1), (Cell(1, 1), "two"), (Cell(1, 1), True)):
        with pytest.raises(InputError):
            square.within(cell, steps)


@QUICK
@given(st.sets(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1))
def test_neighbours_are_mutual_and_pairs_hold_each_once(cells) -> None:
    grid = Grid({Cell(*cell): None for cell in cells})
    for near, pairs in ((grid.neighbours, grid.adjacent), (grid.around, grid.touching)):
        both = {(a, b) for a in grid.cells for b in near(a)}
        assert both == {(b, a) for a, b in both}
        assert sorted({tuple(sorted(pair)) for pair in both}) == sorted(
            tuple(pair) for pair in pairs
        )
    assert sorted(cell for row in grid.rows for cell in row) == list(grid.cells)
    assert sorted(cell for slot in grid.slots(1) for cell in slot) == sorted([*grid.cells] * 2)
    assert grid == Grid(dict(reversed(grid.values.items())))
    assert hash(grid) == hash(Grid(grid.values))


@pytest.mark.parametrize(
    "ask",
    [
        lambda: LATTICE.neighbours(5),
        lambda: LATTICE.boxes(3),
        lambda: LATTICE.boxes((0, 3)),
        lambda: LATTICE.windows(0, 1),
        lambda: LATTICE.slots("a"),
        lambda: LATTICE.rays(Cell(2, 2)),
        lambda: LATTICE.rays(3),
        lambda: LATTICE.line(Cell(1, 1), Cell(2, 3)),
        lambda: LATTICE.line(Cell(1, 1), Cell(9, 9)),
        lambda: LATTICE.sides(Cell(2, 2)),
        lambda: LATTICE.sides(Corner(9, 9)),
        lambda: LATTICE.sides("a"),
        lambda: board(150, 150).windows(70, 70),
    ],
)
def test_what_a_board_cannot_solution(ask) -> None:
    with pytest.raises(InputError):
        ask()
