"""Each layer of a scene, as both pens draw it, and what a picture of a type may say."""

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st

from puzzlekit.api import load
from puzzlekit.api.pictures import sections
from puzzlekit.boards import Cell
from puzzlekit.errors import Problems
from puzzlekit.lang import type_of_text
from puzzlekit.lang.show_reader import LAYERS, SIGNS
from puzzlekit.render.build import scenes_of
from puzzlekit.render.character_grid import SIGNS as GLYPHS, CharGrid
from puzzlekit.render.default_picture import inferred
from puzzlekit.render.layout import draw
from puzzlekit.render.make_layers import MAKERS
from puzzlekit.render.picture import legend
from puzzlekit.render.svg import drawing
from puzzlekit.render.svg_shapes import SHAPES, TURNS
from puzzlekit.render.terminal import scene_lines
from puzzlekit.scene import (
    PALETTE,
    STEPS,
    Borders,
    Grouped,
    Lines,
    Outside,
    Paths,
    PencilMarks,
    Piece,
    Pieces,
    Scene,
    Side,
    SideLabels,
    Text,
    around,
    cell_text,
    coloured,
    upper,
)
from tests.commands import ROOT
from tests.render.golden import FOLDER, NAMES, as_svg, as_text, scenes


@pytest.mark.parametrize("name", NAMES)
def test_a_layer_is_drawn_as_it_was_looked_at(name: str) -> None:
    assert as_text(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert as_svg(name) == (FOLDER / f"{name}.svg.txt").read_text(encoding="utf-8")
    ElementTree.fromstring(drawing(name, scenes(name)))


def test_each_layer_and_sign_is_known_to_every_pen() -> None:
    assert LAYERS.keys() == {*MAKERS, "cages"}
    assert set(SIGNS) == set(GLYPHS) == {*SHAPES, *TURNS}
    assert set(LAYERS["outside"]) == set(get_args(Side))
    drawn = {
        layer
        for name in NAMES
        for layer in load(FOLDER / f"{name}.yaml", {}).type.pictures[0].layers
    }
    assert {layer.name for layer in drawn} == LAYERS.keys()


TYPE = """puzzle: p
data: {board: "grid[int | None]", rows: "list[int]"}
variables: {"x[c]": "between(1, 2) for c in board.cells"}
rules: {they are so: "x[c] == 1 for c in board.cells"}
show:
  picture:
"""


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        ("    txt: x", "7:5: there is no layer txt\n"),
        ("    signs: {start: x}", "7:13: signs has no part start\n"),
        ("    outside: rows", "7:14: outside has parts: top, left, right, bottom\n"),
        ("    text: [x, y]", "7:15: y is not known here\n"),
        (
            "    text: {middle: {a: x}}",
            "7:20: expected an expression as text, middle, got a mapping\n",
        ),
        ("    - text: x\n    - board", "8:7: expected picture to be a mapping, got text\n"),
    ],
)
def test_a_wrong_picture_is_reported_at_its_place(picture: str, message: str) -> None:
    with pytest.raises(Problems) as raised:
        type_of_text("t", TYPE + picture)
    assert f"t:{message}" in f"{raised.value}\n"


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        ("text: len(rows)", "7:11: expected a value of each cell for text, got 2"),
        (
            "outside: {left: board.cells}",
            "7:21: expected a clue for each of the 1 rows on the left, got 2",
        ),
        ("lines: x", "7:12: expected pairs of cells or corners for lines"),
        ("borders: rows", "7:14: expected a label of each cell, or groups of cells, for borders"),
        (
            'signs: "{c: 10 * x[c] for c in board.cells}"',
            "7:12: expected the name of a sign, got 10",
        ),
        ("signs: {star: rows}", "7:19: expected cells, sides or corners for signs"),
        ("split: x", "7:12: expected two values of each blocked cell for split, got 1"),
        (
            "diagonals: board",
            "7:16: expected \\ or /, or a condition, as the diagonal of r1c1, got 3",
        ),
        ("paths: rows", "7:12: expected rows of cells for paths"),
        ("cages: {clues: rows}", "7:20: cages require cells: the label of each cell"),
    ],
)
def test_a_value_that_a_layer_cannot_show_is_reported_at_its_expression(
    picture: str, message: str
) -> None:
    puzzle = load(TYPE + f"    {picture}", {"board": [[3, 4]], "rows": [1, 2]})
    with pytest.raises(Problems) as raised:
        (solution,) = puzzle.solve()
        scenes_of(puzzle.instance, solution.assignment)
    assert f"<type>:{message}" in str(raised.value)


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        ("{board: len(rows), text: x}", "20: expected a board, got 2"),
        ("{board: x, text: x}", "20: expected a board, got x (all of the unknowns of that name)"),
        ('{board: "board(1, 1)", text: grid}', "41: r1c2 is not on the board of the picture"),
        ('{board: "board(1, 1)", shade: x}', "42: r1c2 is not on the board of the picture"),
        (
            '{text: grid, signs: {dot: "board(1, 3).corners"}}',
            "38: +r1c4 is not on the board of the picture",
        ),
        (
            '{board: grid, borders: "{1: [cell(1, 1)], 2: [cell(1, 3)]}"}',
            "35: r1c3 is not on the board of the picture",
        ),
        (
            "{text: grid, diagonals: x}",
            "36: expected \\ or /, or a condition, as the diagonal of r1c1, got 1",
        ),
        ("{text: grid, lines: x}", "32: expected pairs of cells or corners for lines"),
    ],
)
def test_a_picture_is_checked_before_the_search(picture: str, message: str) -> None:
    puzzle = load(
        ON_GRID.replace("  picture:\n", f"  picture: {picture}\n"),
        {"grid": [[3, 4]], "rows": [1, 2]},
    )
    with pytest.raises(Problems) as raised:
        scenes_of(puzzle.instance, None)
    assert f"<type>:6:{message}" in str(raised.value)


def test_a_cell_of_a_solution_that_is_not_on_the_board_is_reported() -> None:
    picture = '{board: grid, text: "{cell(1, x[c] + 2): 1 for c in grid.cells}"}'
    puzzle = load(
        ON_GRID.replace("  picture:\n", f"  picture: {picture}\n"),
        {"grid": [[3, 4]], "rows": [1, 2]},
    )
    assert scenes_of(puzzle.instance, None)
    with pytest.raises(Problems, match="r1c3 is not on the board of the picture"):
        scenes_of(puzzle.instance, next(puzzle.solve()).assignment)


ON_GRID = TYPE.replace("board", "grid")


def test_a_misspelled_picture_is_reported_as_one() -> None:
    with pytest.raises(Problems) as raised:
        type_of_text("t", TYPE.replace("  picture:", "  pictures:") + "    text: board")
    assert str(raised.value).startswith("t:6:3: show has no key pictures\n")
    assert str(raised.value).endswith("= did you mean picture?")


def test_a_picture_may_be_none() -> None:
    puzzle = load(TYPE + "    {}", {"board": [[3, 4]], "rows": [1, 2]})
    assert scenes_of(puzzle.instance, next(puzzle.solve()).assignment) == []


def test_a_picture_does_not_depend_on_where_cells_come_from() -> None:
    """Groups of cells are pieces, whether `rectangles` or a comprehension made them."""
    text = """
puzzle: p
data: {board: "grid[int | None]"}
let: {areas: "AREAS"}
variables: {"use[r]": "bool for r in areas"}
rules:
  each cell is covered once: exactly_one(use[r] for r in areas if c in r) for c in board.cells
"""
    for areas in (
        "rectangles(board)",
        "[r for r in rectangles(board) if len(r) > 0]",
        "[(c,) for c in board.cells]",
    ):
        puzzle = load(text.replace("AREAS", areas), {"board": [[3, 4]]})
        scene = scenes_of(puzzle.instance, next(puzzle.solve()).assignment)[0]
        assert [type(layer) for layer in scene.layers] == [Text, Pieces], areas


def test_where_lines_may_run_is_drawn_before_they_are_found() -> None:
    puzzle = load(None, ROOT / "specs/slitherlink/tiny.yaml")
    (scene,) = scenes_of(puzzle.instance, None)
    (lines,) = scene.of_type(Lines)
    assert isinstance(lines, Lines) and lines.is_given and not lines.links and len(lines.dots) == 25


def test_lines_may_be_computed_from_unknowns_of_cells() -> None:
    picture = '{lines: "{e: x[e[0]] == 1 for e in grid.adjacent}"}'
    puzzle = load(
        ON_GRID.replace("  picture:\n", f"  picture: {picture}\n"),
        {"grid": [[3, 4]], "rows": [1, 2]},
    )
    assert scenes_of(puzzle.instance, None)
    scenes = [
        scenes_of(puzzle.instance, solution.assignment)[0] for solution in puzzle.solve(limit=9)
    ]
    assert [
        len(layer.links)
        for scene in scenes
        for layer in scene.layers
        if isinstance(layer, Lines)
        if layer.links
    ] == [1]


def test_texts_stand_between_cells_and_at_corners() -> None:
    texts = (
        "{grid.adjacent[0]: 'V', grid.corners[0]: ('a', x[grid.cells[0]]), grid.corners[1]: None}"
    )
    picture = f'{{board: grid, text: {{middle: grid, between: "{texts}"}}}}'
    puzzle = load(
        ON_GRID.replace("  picture:\n", f"  picture: {picture}\n"),
        {"grid": [[3, 4]], "rows": [1, 2]},
    )
    (scene,) = scenes_of(puzzle.instance, next(puzzle.solve()).assignment)
    assert [layer.texts for layer in scene.layers if isinstance(layer, SideLabels)] == [
        {(2, 3): "V", (1, 1): "A1"}
    ]
    assert [str(line).rstrip() for line in draw([scene], colour=False)] == ["  A1", "     3 V 4"]
    assert drawing("t", [scene]).count("over on") == 2


def test_entries_differ_from_clues_that_stand_between_cells() -> None:
    picture = "{board: grid, text: {middle: x, between: '{grid.adjacent[0]: 7}'}}"
    puzzle = load(
        ON_GRID.replace("  picture:\n", f"  picture: {picture}\n"),
        {"grid": [[3, 4]], "rows": [1, 2]},
    )
    scenes = scenes_of(puzzle.instance, next(puzzle.solve()).assignment)
    assert 'class="letter found"' in drawing("t", scenes)


def test_a_row_is_shown_as_its_parts_and_never_as_a_tuple() -> None:
    assert [upper((1, "b", (2, "c"))), cell_text((3, "d")), cell_text(None)] == [
        "1 B 2 C",
        "3 D",
        "",
    ]


def test_kinds_of_lines_have_colours_and_a_legend() -> None:
    picture = (
        "{board: grid, paths: {round: \"{'one': [grid.cells], 'none': [], 'two': "
        '[grid.cells[1:]]}"}}'
    )
    puzzle = load(
        ON_GRID.replace("  picture:\n", f"  picture: {picture}\n"),
        {"grid": [[3, 4]], "rows": [1, 2]},
    )
    (scene,) = scenes_of(puzzle.instance, None)
    (paths,) = (layer for layer in scene.layers if isinstance(layer, Paths))
    assert [path.colour for path in paths.paths] == ["region 0", "region 2"]
    assert ["".join(spot.text for spot in line).strip() for line in legend([scene])] == [
        "one from r1c1",
        "two from r1c2",
    ]


def test_pieces_keep_their_colours_and_differ_from_their_neighbours() -> None:
    puzzle = load(None, ROOT / "specs/pentominoes/6x10.yaml")
    seen: dict[str, set[str]] = {}
    for solution in puzzle.solve(limit=5):
        (scene,) = scenes_of(puzzle.instance, solution.assignment)
        (layer,) = scene.of_type(Pieces)
        assert isinstance(layer, Pieces)
        for piece in layer.pieces:
            seen.setdefault(piece.name, set()).add(piece.colour)
    assert len(seen) == 12 and all(len(colours) == 1 for colours in seen.values())
    squares = [
        Grouped(((row, column),), None, "") for row in range(1, 20) for column in range(1, 20)
    ]
    colour = {piece.cells[0]: piece.colour for piece in coloured(squares)}
    assert all(
        colour[r, c] != colour.get((r + 1, c)) != colour.get((r, c + 1), "") for r, c in colour
    )


CELLS = st.tuples(st.integers(1, 5), st.integers(1, 5))


def test_a_range_is_a_row_of_texts_and_of_clues() -> None:
    picture = (
        '{text: {small: "{c: range(1, 3) for c in grid.cells}"}, outside: {top: "range(2)", left: '
        '"[range(5, 8)]"}}'
    )
    puzzle = load(
        ON_GRID.replace("  picture:\n", f"  picture: {picture}\n"),
        {"grid": [[3, 4]], "rows": [1, 2]},
    )
    (scene,) = scenes_of(puzzle.instance, None)
    small, top, left = scene.layers
    assert isinstance(small, PencilMarks) and [*small.texts.values()] == [("1", "2")] * 2
    assert isinstance(top, Outside) and top.clues == [("0",), ("1",)]
    assert isinstance(left, Outside) and left.clues == [("5", "6", "7")]


@given(st.lists(st.sets(CELLS, min_size=1, max_size=3), max_size=24))
def test_a_piece_has_its_own_colour_unless_another_has_it(
    cells: list[set[tuple[int, int]]],
) -> None:
    """Pieces may overlap, as words do that cross; the cells may be hexagons;
    up to twelve pieces all differ.
    """
    pieces = coloured([Grouped(tuple(sorted(own)), None, "") for own in cells])
    others = [
        [other for other in range(len(pieces)) if other != own and _meet(pieces, own, other)]
        for own in range(len(pieces))
    ]
    for piece, beside in zip(pieces, others):
        (alone,) = coloured([Grouped(piece.cells, None, "")])
        assert piece.colour == alone.colour or alone.colour in {
            pieces[other].colour for other in beside
        }
        if len(beside) < PALETTE:  # of two that meet, the later one may have no colour left
            assert piece.colour not in {
                pieces[other].colour for other in beside if len(others[other]) < PALETTE
            }


def _meet(pieces: Sequence[Piece], one: int, other: int) -> bool:
    """Whether two pieces have to differ."""
    steps = ((0, 0), *STEPS["hexagon", 0])
    near = {
        (row + down, column + right) for row, column in pieces[one].cells for down, right in steps
    }
    return len(pieces) <= PALETTE or bool(near & set(pieces[other].cells))


def test_words_keep_their_colours_and_differ_from_their_neighbours() -> None:
    puzzle = load(None, ROOT / "specs/sanalouhos/five.yaml")
    seen: dict[tuple[object, ...], list[str]] = {}
    for solution in puzzle.solve(limit=14):
        (scene,) = (
            part for _, parts in sections(solution) for part in parts if isinstance(part, Scene)
        )
        (layer,) = scene.of_type(Pieces)
        assert isinstance(layer, Pieces)
        for piece in layer.pieces:
            seen.setdefault(piece.cells, []).append(piece.colour)
            near = {other for cell in piece.cells for other in around(cell)} - set(piece.cells)
            assert piece.colour not in {
                other.colour for other in layer.pieces if near & set(other.cells)
            }
    often = [colours for colours in seen.values() if len(colours) > 1]
    assert len(often) > 9 and sum(len(set(colours)) == 1 for colours in often) > 0.7 * len(often)


def test_a_board_of_the_scene_has_no_hole() -> None:
    (scene, _) = scenes("borders")
    (borders,) = scene.of_type(Borders)
    assert Cell(3, 1) not in scene.cells and isinstance(borders, Borders)
    assert scene.extent == (1, 3, 1, 3) and Scene(()).extent == (1, 0, 1, 0)


@pytest.mark.parametrize("size", ["box", "(2, 2)"])
def test_boxes_in_a_rule_are_borders(size: str) -> None:
    text = f"""\
puzzle: p
data: {{"b": "grid[int | None]", box: size = 2x2}}
variables: {{"v[c]": "between(1, 4) for c in b.cells"}}
rules: {{r: "all_different(v[part]) for part in b.boxes({size})"}}
"""
    type_ = load(text, {"b": ["....", "....", "....", "...."]}).type
    (picture,) = inferred(type_)
    assert "borders" in [layer.name for layer in picture.layers]


@pytest.mark.parametrize("clue", ["1", "55", "555", "5555"])
def test_slanting_lines_of_hexagons_lie_between_the_middles_of_cells(clue: str) -> None:
    """However wide the texts are: lines leave the middle of a cell and reach that of another."""
    text = """
puzzle: ring
data: {clues: "grid[int | None]"}
let: {b: hexagons(clues)}
variables: {"line[e]": bool for e in b.adjacent}
rules: {one loop: single_loop(line), around it: "not any(line[b.links(c)]) for c in b.given"}
"""
    puzzle = load(text, {"clues": f"_ . .\n. {clue} .\n. . _"})
    (solution,) = puzzle.solve()
    (scene,) = scenes_of(puzzle.instance, solution.assignment)
    rows = ["".join(spot.text for spot in line) for line in scene_lines(scene)]
    above, slants, middle, falls, below = rows[-5:]
    left, right = above.index("┌"), above.index("┐")
    assert abs(2 * slants.index("╱") - left - middle.index("│")) <= 1
    assert abs(2 * slants.index("╲") - right - middle.rindex("│")) <= 1
    assert abs(2 * falls.index("╲") - below.index("└") - middle.index("│")) <= 1
    assert abs(2 * falls.index("╱") - below.index("┘") - middle.rindex("│")) <= 1


def test_a_cell_with_a_slanting_line_does_not_look_empty_on_hexagons() -> None:
    (scene,) = scenes_of(load(None, ROOT / "specs/slitherlink/hexagons.yaml").instance, None)
    for form, arms in (("hexagon", {(2, 4): [0, 0, 1, 0], (4, 2): [1, 0, 0, 0]}), ("square", {})):
        plane = CharGrid(replace(scene, form=form))
        plane.link((2, 4), (4, 2), 1)
        assert plane.points[3, 3].text == "╱" and plane.strokes == arms
