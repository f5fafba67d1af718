"""Pictures of lines, regions and pieces, as a terminal without colour shows them."""

from puzzlekit.boards import Cell, Cells, Grid, board, edge, placements, rectangles, simple_cycles
from puzzlekit.boards.shapes import Shape
from puzzlekit.lang.expressions.values import Stacked
from puzzlekit.render import chosen, value
from puzzlekit.render.layout import draw

CLUES = Grid({cell: 12 if cell == (1, 1) else None for cell in board(2, 3).cells})


def picture(true, keys, *grids) -> list[str]:
    lines = chosen(true, keys, grids)
    assert lines is not None
    return [str(line).rstrip() for line in draw(lines, colour=False)]


def test_sides_are_lines_round_the_clues() -> None:
    true = [*CLUES.sides(Cell(1, 1))[:1], *CLUES.sides(Cell(1, 1))[2:], CLUES.sides(Cell(1, 2))[2]]
    assert picture(true, CLUES.edges, board(1, 1), CLUES) == [
        "  ┌────╴    ·    ·",
        "  │ 12",
        "  └─────────╴    ·",
        "",
        "  ·    ·    ·    ·",
    ]
    assert picture([], board(1, 1).edges) == ["  ·   ·", "", "  ·   ·"]


def test_pairs_of_cells_are_lines_through_the_clues() -> None:
    true = [CLUES.adjacent[0], CLUES.adjacent[1], CLUES.adjacent[2]]
    assert picture(true, CLUES.adjacent, CLUES) == ["  12────────╴", "  │", "  ╵    ·    ·"]
    loop = [edge(Cell(*a), Cell(*b)) for a, b in (((1, 1), (1, 2)), ((1, 1), (2, 1)), ((2, 1), (2, 2)), ((1, 2), (2, 2)))]
    assert picture(loop, board(2, 2).adjacent) == ["  ┌───┐", "  │   │", "  └───┘"]


def test_groups_of_cells_are_regions() -> None:
    keys = rectangles(CLUES)
    true = [Cells([Cell(1, 1), Cell(1, 2)]), Cells([Cell(2, 1), Cell(2, 2)]), Cells([Cell(1, 3), Cell(2, 3)])]
    assert picture(true, keys, CLUES) == [
        "  ┌─────────┬────┐",
        "  │ 12      │    │",
        "  ├─────────┤    │",
        "  │         │    │",
        "  └─────────┴────┘",
    ]


def test_pieces_are_letters() -> None:
    shapes = {"I": Shape([(0, 0), (0, 1)]), "O": Shape([(0, 0)])}
    places = placements(shapes, board(1, 3))
    assert picture([places[0], places[-1]], places) == ["   I  I  O"]
    assert picture([places[0]], places) == ["   I  I  ·"]
    long = placements({"one": shapes["I"], "two": shapes["O"]}, board(1, 3))
    assert picture([long[-1], long[0]], long) == ["   A  A  B", "   A  one", "   B  two"]


def test_other_keys_have_no_picture() -> None:
    assert chosen([], [], []) is None
    assert chosen([1], [1, 2], []) is None
    assert chosen(simple_cycles([(1, 1)]), simple_cycles([(1, 1)]), []) is None
    far = Cells([Cell(1, 1), Cell(2, 2)])
    assert chosen([far], [far], []) is None


def test_rows_are_stacked_in_columns() -> None:
    """Signs that are two columns wide on the screen keep the letters below them in step."""
    one, other = Stacked([("🌲", "12", "x"), ("a", "b", "c")]), Stacked([("abc",), ("def",)])
    assert [str(line).rstrip() for line in draw(value("reading", (one, other)), colour=False)] == [
        "    🌲 12 x",
        "    a  b  c",
        "",
        "    abc",
        "    def",
    ]
    assert [str(line) for line in draw(value("reading", other), colour=False)] == ["    abc", "    def"]


def test_of_nothing_there_is_none() -> None:
    assert [str(line).rstrip() for line in draw(value("steps", ()), colour=False)] == ["    steps: none"]
