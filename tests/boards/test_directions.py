"""Directions by name, steps, and what lies in a direction on each kind of board."""

import pytest

from puzzlekit.boards import WAYS, Cell, Grid, board, hex_board, torus, triangle_board, turned
from puzzlekit.boards.cells import CIRCLE, direction
from puzzlekit.errors import InputError


def test_a_direction_has_a_name_signs_and_a_number() -> None:
    for number, names in enumerate(zip(WAYS, "urdl", "URDL", "^>v<", "nesw", "NESW", range(4))):
        assert {direction(name) for name in names} == {WAYS[number]}
    assert [direction(way) for way in CIRCLE] == [*CIRCLE] and direction("Up_Left") == "up_left"


@pytest.mark.parametrize(
    "way", ["", "x", "ne", "upwards", 4, -1, None, True, ("up",), Cell(1, 1), "u" * 500]
)
def test_anything_else_is_no_direction(way: object) -> None:
    one = Cell(1, 1)
    for ask in (
        lambda: direction(way),
        lambda: turned(way, 1),
        lambda: one.step(way),
        lambda: board(1, 1).ray(one, way),
    ):
        with pytest.raises(InputError, match="expected a direction, such as up, u, ") as raised:
            ask()
        assert len(str(raised.value)) < 90


def test_turns_go_clockwise() -> None:
    assert [turned(way, 1) for way in WAYS] == ["right", "down", "left", "up"]
    oblique = ["up_left", "up_right", "down_right", "down_left"]
    assert [turned("up_left", n) for n in (0, 1, 2, 3, 4, -1)] == [*oblique, "up_left", "down_left"]


@pytest.mark.parametrize("world", [Grid.of_rows(["abc", "d.e", "fgh"]), torus(3, 4)])
def test_the_next_cells_are_those_around(world: Grid) -> None:
    for cell in world.cells:
        assert {world.next(cell, way) for way in WAYS} - {None} == set(world.neighbours(cell))
        assert {world.next(cell, way) for way in CIRCLE} - {None} == set(world.around(cell))
        for way in CIRCLE:
            there = world.next(cell, way)
            assert there is None or world.next(there, turned(way, 2)) == cell


@pytest.mark.parametrize(
    "world", [Grid.of_rows(["abcd", "d.ee", "fghi"]), torus(3, 4), board(1, 5), board(3, 3)]
)
def test_rays_in_four_directions_are_the_rays(world: Grid) -> None:
    for cell in world.cells:
        assert tuple(world.ray(cell, way) for way in WAYS) == world.rays(cell)
        assert all(
            c == cell.step("up_right", n) for n, c in enumerate(world.ray(cell, "up_right"), 1)
        )
    assert str(board(2, 2).ray(Cell(2, 1), "N")) == "up from r2c1"


def test_hexagons_have_six_directions() -> None:
    comb = hex_board(3)
    six = [way for way in CIRCLE if way not in ("up", "down")]
    for cell in comb.cells:
        assert {comb.next(cell, way) for way in six} - {None} == set(comb.neighbours(cell))
    assert [len(comb.ray(Cell(3, 3), way)) for way in six] == [2] * 6
    assert comb.ray(Cell(3, 3), "up_right") == (Cell(2, 4), Cell(1, 5))
    with pytest.raises(
        InputError,
        match="up is not a direction on a board of hexagons, which has up_right, right, ",
    ):
        comb.next(Cell(3, 3), "up")


def test_triangles_have_three_sides() -> None:
    world = triangle_board(4)
    for cell in world.cells:
        assert {world.next(cell, way) for way in WAYS} - {None} == set(world.neighbours(cell))
        assert all(len(world.ray(cell, way)) <= 1 for way in ("up", "down"))
        assert len(world.ray(cell, "left")) + len(world.ray(cell, "right")) == 2 * cell.row - 2
    with pytest.raises(InputError, match="up_left is not a direction on a board of triangles"):
        world.ray(world.cells[0], "up_left")


def test_a_cell_off_the_board_has_no_next() -> None:
    for ask in (
        lambda: board(2, 2).next(Cell(3, 1), "up"),
        lambda: board(2, 2).ray(Cell(3, 1), "up"),
    ):
        with pytest.raises(InputError, match="this board has no cell r3c1"):
            ask()
    assert torus(1, 1).next(Cell(1, 1), "up") is None and torus(1, 3).next(Cell(1, 1), "up") is None
