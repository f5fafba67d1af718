"""Pictures of lines, regions and pieces, as a terminal without colour shows them."""

import pytest

from puzzlekit.boards import Cell, Cells, Grid, board, edge, placements, rectangles, simple_cycles
from puzzlekit.boards.shapes import Shape
from puzzlekit.lang.expressions.values import Stacked, VariableArray
from puzzlekit.render.default_picture import over_of
from puzzlekit.render.layout import draw
from puzzlekit.render.make_layers import LayerValue, make_layer
from puzzlekit.render.picture import legend, value_picture
from puzzlekit.scene import Fill, Scene, Text, TextSpan

CLUES = Grid({cell: 12 if cell == (1, 1) else None for cell in board(2, 3).cells})


def picture(kind: str, true, keys, grid: Grid) -> list[str]:
    stated = [
        LayerValue(kind, "", {key: key in true for key in keys}, False),
        LayerValue("text", "", grid, True),
    ]
    scene = Scene(tuple(grid.cells), tuple(make_layer([one], grid) for one in stated))
    return [str(line).rstrip() for line in draw([scene, *legend([scene])], colour=False)]


def test_sides_are_lines_round_the_clues() -> None:
    true = [*CLUES.sides(Cell(1, 1))[:1], *CLUES.sides(Cell(1, 1))[2:], CLUES.sides(Cell(1, 2))[2]]
    assert picture("lines", true, CLUES.edges, CLUES) == [
        "  ┌────╴    ·    ·",
        "  │ 12",
        "  └─────────╴    ·",
        "",
        "  ·    ·    ·    ·",
    ]
    assert picture("lines", [], board(1, 1).edges, board(1, 1)) == ["  ·   ·", "", "  ·   ·"]


def test_more_than_two_lines_have_their_number() -> None:
    grid = board(1, 2)
    scene = Scene(
        tuple(grid.cells),
        (make_layer([LayerValue("lines", "", {grid.adjacent[0]: 3}, False)], grid),),
    )
    assert [str(line) for line in draw([scene], colour=False)] == ["  ══3══"]


def test_printed_areas_have_signs() -> None:
    """Without colours, the rules of the areas can be read from the text alone."""
    grid = board(2, 3)
    areas = dict(zip(grid.cells, ["a", "a", None, "b", "c", None]))
    layers = [LayerValue("shade", "", areas, True), LayerValue("text", "", CLUES, True)]
    scene = Scene(tuple(grid.cells), tuple(make_layer([layer], grid) for layer in layers))
    assert [str(line) for line in draw([scene], colour=False)] == [
        "  ░12░ ░·░  ·",
        "   ▒·▒ ▓·▓  ·",
    ]
    assert "░" not in "".join(str(line) for line in draw([scene], colour=True))


def test_a_grey_cell_has_a_sign_among_white_ones_only() -> None:
    grid = board(1, 2)
    tones = [{(1, 1): "grey", (1, 2): ""}, {(1, 1): "grey", (1, 2): "green"}]
    texts = []
    for cells in tones:
        layers = (Fill(True, cells), Text(True, {(1, 1): "A", (1, 2): "B"}))
        (line,) = draw([Scene(tuple(grid.cells), layers)], colour=False)
        texts.append(str(line))
    assert texts == ["  ░A░ B", "   A [B]"]


def test_pairs_of_cells_are_lines_through_the_clues() -> None:
    true = [CLUES.adjacent[0], CLUES.adjacent[1], CLUES.adjacent[2]]
    assert picture("lines", true, CLUES.adjacent, CLUES) == [
        "  12────────╴",
        "  │",
        "  ╵    ·    ·",
    ]
    loop = [
        edge(Cell(*a), Cell(*b))
        for a, b in (((1, 1), (1, 2)), ((1, 1), (2, 1)), ((2, 1), (2, 2)), ((1, 2), (2, 2)))
    ]
    assert picture("lines", loop, board(2, 2).adjacent, board(2, 2)) == [
        "  ┌───┐",
        "  │   │",
        "  └───┘",
    ]


def test_groups_of_cells_are_regions() -> None:
    keys = rectangles(CLUES)
    true = [
        Cells([Cell(1, 1), Cell(1, 2)]),
        Cells([Cell(2, 1), Cell(2, 2)]),
        Cells([Cell(1, 3), Cell(2, 3)]),
    ]
    assert picture("pieces", true, keys, CLUES) == [
        "  ┌─────────┬────┐",
        "  │ 12      │    │",
        "  ├─────────┤    │",
        "  │         │    │",
        "  └─────────┴────┘",
    ]


def test_pieces_are_letters() -> None:
    shapes = {"I": Shape([(0, 0), (0, 1)]), "O": Shape([(0, 0)])}
    strip = board(1, 3)
    places = placements(shapes, strip)
    assert picture("pieces", [places[0], places[-1]], places, strip) == ["   I  I  O"]
    assert picture("pieces", [places[0]], places, strip) == ["   I  I  ·"]
    long = placements({"one": shapes["I"], "two": shapes["O"]}, strip)
    assert picture("pieces", [long[-1], long[0]], long, strip) == [
        "   A  A  B",
        "   A  one",
        "   B  two",
    ]


def test_other_keys_are_on_no_board() -> None:
    far = Cells([Cell(1, 1), Cell(2, 2)])
    cases = {
        "": ([1, 2], simple_cycles([(1, 1)])),
        "groups": ([far, Cells([Cell(1, 1)])],),
        "links": ([far],),
    }
    for over, keys in cases.items():
        assert [
            over_of(VariableArray("x", dict.fromkeys(own), 1), (True, False)).over for own in keys
        ] == [over] * len(keys)


def test_rows_are_stacked_in_columns() -> None:
    """Signs that are two columns wide on the screen keep the letters below them in step."""
    one, other = Stacked([("🌲", "12", "x"), ("a", "b", "c")]), Stacked([("abc",), ("def",)])
    assert [
        str(line).rstrip() for line in draw(value_picture("reading", (one, other)), colour=False)
    ] == [
        "    🌲 12 x",
        "    a  b  c",
        "",
        "    abc",
        "    def",
    ]
    assert [str(line) for line in draw(value_picture("reading", other), colour=False)] == [
        "    abc",
        "    def",
    ]


def test_of_nothing_there_is_none() -> None:
    assert [str(line).rstrip() for line in draw(value_picture("steps", ()), colour=False)] == [
        "    steps: none"
    ]


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ((1, "ab"), "1 ab"),
        (((1, 2), (3, 4)), "1 2, 3 4"),
        ((((1, 1), (1, 2)), ((2, 1), (2, 2))), "1 1, 1 2; 2 1, 2 2"),
        ((((1, 1), (1, 2), (2, 1), (2, 2)),), "1 1, 1 2, 2 1, 2 2"),
        (((3, (1, 2)), (4, (1,)), (5, ())), "3, 1 2; 4, 1; 5, –"),
        (((((1, 2), (3,)), ((4,),)), (((5,),),)), "[1 2, 3; 4] [5]"),
    ],
)
def test_nested_lists_keep_their_structure(what: object, text: str) -> None:
    assert value_picture("tubes", what) == [[TextSpan(f"  tubes: {text}")]]
