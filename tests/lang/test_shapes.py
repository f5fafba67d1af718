"""Shapes as data, and what is placed on boards."""

import pytest

from puzzlekit.boards import Shape
from tests.lang.languages import build, only, problems_of, refusal, type_text, under_caret

DATA = "g: grid[int | None]\nshapes: map[symbol, shape]\n"
SPEC = "g: |\n  ..\n  _.\nshapes:\n  I: |\n    ##\n  O: |\n    #\n"
LET = "places: placements(shapes, g)"
USE = "use[p]: bool for p in places"


def test_shapes_are_read_as_they_are_drawn() -> None:
    data = "one: shape\nmany: list[shape]\n"
    spec = (
        "one: |\n  .#\n  ##\nmany:\n  - '#'\n  - |\n    ..\n    ##\n  - ['##', '#.']\n"
        "  - '### .#.'\n"
    )
    made = build("len(one) == 3 and len(many) == 4", spec, data=data, variables="x: bool")
    assert made.model.constraints == ()
    assert made.data["one"] == Shape([(0, 1), (1, 0), (1, 1)])
    assert [str(shape) for shape in made.data["many"]] == ["#", "##", "##/#.", "###/.#."]


@pytest.mark.parametrize(
    ("written", "message", "caret"),
    [
        ("|\n    #x\n    ##", "'x' is not part of a shape: write # for a cell, . for a gap", "x"),
        ("'## #x'", "'x' is not part of a shape: write # for a cell, . for a gap", "x"),
        ("|\n    # #", "' ' is not part of a shape: write # for a cell, . for a gap", " "),
        ("|\n    ##\n    #", "row 2 of this shape has 1 cell, but row 1 has 2", "#"),
        ("|\n    ..", "this shape has no cells: mark them with #", "|"),
        ("", "expected a shape as block text, each row on a line (begin with |)", " "),
        ("{a: b}", "expected a shape as block text, each row on a line (begin with |)", "{"),
        ("'##\n\n    ##'", "the rows of a shape are on one line", "'"),
    ],
)
def test_wrong_shapes_say_where(written: str, message: str, caret: str) -> None:
    found = problems_of(
        type_text("n == 1", data="n: int = 1\nshapes: map[symbol, shape]"),
        f"shapes:\n  A: {written}\n",
    )
    assert [problem.message for problem in found] == [message]
    assert under_caret(found[0]) == caret


def test_a_list_of_shapes_is_no_block() -> None:
    found = problems_of(
        type_text("n == 1", data="n: int = 1\nshapes: list[shape]"), "shapes: |\n  ##\n  #.\n"
    )
    assert [problem.message for problem in found] == ["expected list[shape], got text"]


def test_pieces_cover_a_board() -> None:
    rule = (
        "all(exactly_one(use[p] for p in places.through(c)) for c in g.cells)"
        " and all(exactly_one(use[p] for p in places.of(s)) for s in shapes)"
    )
    solutions = only(build(rule, SPEC, data=DATA, let=LET, variables=USE), "use")
    assert [[name for name, value in solution.items() if value] for solution in solutions] == [
        ["use[I at r1c2 r2c2]", "use[O at r1c1]"],
        ["use[I at r1c1 r1c2]", "use[O at r2c2]"],
    ]


PLAIN = [
    (
        "[p for p in places if p.piece == 'I'].through(cell(1, 1)) == [p for p in places.of('I') "
        "if cell(1, 1) in p.cells]"
    ),
    (
        "[p for p in places if cell(1, 1) in p.cells].of('O') == [p for p in places.of('O') "
        "if cell(1, 1) in p.cells]"
    ),
    (
        "[p for p in places if p.piece == 'I'].of('O') == () "
        "and through(places)[cell(1, 1)] == places.through(cell(1, 1))"
    ),
    "len([r for r in rectangles(g) if len(r) == 2].through(cell(1, 1))) == 1",
    "places[0].piece == 'I' and places[0].cells == (cell(1, 1), cell(1, 2)) and len(places) == 5",
    "[len(placements(shapes, board(3, 4), rotate=r)) for r in (True, False)] == [29, 21]",
    "len(rectangles(g)) == 5 and len(rectangles(board(3, 3), 2)) == 21",
    (
        "[len(r) for r in rectangles(board(2, 2), around=[cell(1, 1)])] == [1, 2, 4, 2] "
        "and rectangles(g, 2, []) == ()"
    ),
    (
        "rectangles(board(2, 3), around={cell(1, 1): 2}) == rectangles(board(2, 3), 2, "
        "around=[cell(1, 1)])[1:]"
    ),
    "len(rectangles(board(2, 3), around={cell(1, 1): None, cell(2, 3): 1})) == 6",
    (
        "len(polyominoes(board(3, 3), 2)) == 12 and len(polyominoes(board(3, 3), "
        "4).through(cell(2, 2))) == 28"
    ),
    "[len(r) for r in rectangles(g).through(cell(2, 2))] == [2, 1]",
    "[s for s in shapes] == ['I', 'O']",
    (
        "len(b.edges) == 24 and len(b.corners) == 16 and len(b.sides(cell(1, 1))) == 4 "
        "and len(b.sides(b.corners[0])) == 2"
    ),
    (
        "b.corners[0].row == 1 and b.corners[5].column == 2 "
        "and edge(cell(1, 2), cell(1, 1)) == b.adjacent[0]"
    ),
    (
        "[len(r) for r in b.rays(cell(1, 1))] == [0, 2, 2, 0] "
        "and b.line(cell(1, 1), cell(3, 3)) == b.all_diagonals[2]"
    ),
    (
        "len(torus(3, 3).neighbours(cell(1, 1))) == 4 and len(hex_board(2).cells) == 7 "
        "and len(hex_board(2).diagonals[1]) == 3"
    ),
    (
        "len(hexagons(board(2, 3)).adjacent) == 9 "
        "and cell(1, 3) in hexagons(board(2, 3)).around(cell(2, 2))"
    ),
    "cell(1, 1) not in hexagons(b).around(cell(2, 2)) and hexagons(b).cells == b.cells",
    "len(hexagons(g).given) == len(g.given)",
    (
        "len(hex_board(2).edges) == 30 and len(hex_board(2).corners) == 24 "
        "and len(hexagons(b).sides(cell(2, 2))) == 6"
    ),
    (
        "len(triangle_board(3).edges) == 18 and len(triangle_board(3).corners) == 10 "
        "and len(triangles(b).sides(cell(2, 2))) == 3"
    ),
    (
        "max(len(hexagons(b).sides(k)) for k in hexagons(b).corners) == 3 "
        "and b.corners[0] != hexagons(b).corners[0]"
    ),
    "edge(hex_board(2).corners[1], hex_board(2).corners[0]) in hex_board(2).edges",
    (
        "len(triangle_board(3).cells) == 9 and len(triangle_board(3).diagonals) == 6 "
        "and triangles(b).cells == b.cells"
    ),
    "len(triangles(board(2, 3)).adjacent) == 6 and len(triangles(b).neighbours(cell(2, 2))) == 3",
    (
        "cell(3, 2) in triangles(b).neighbours(cell(2, 2)) "
        "and cell(1, 2) not in triangles(b).neighbours(cell(2, 2))"
    ),
    "connected({c: c.column != 2 for c in b.cells}, links=torus(3, 3).adjacent)",
    (
        "len(b.all_diagonals) == 10 and cell(4, 1) not in b.cells and cell(2, 2) in b.cells "
        "and len(shapes['I']) == 2"
    ),
]


@pytest.mark.parametrize("rule", PLAIN)
def test_on_plain_values(rule: str) -> None:
    made = build(rule, SPEC, data=DATA, let=LET + "\nb: board(3, 3)", variables="x: bool")
    assert made.model.constraints == ()


WRONG = [
    ("placements(names, b) == 1", "expected a mapping from names to shapes, got ('up', 'down')"),
    ("placements({}, 1) == 1", "expected a board, got 1"),
    ("placements({}, b, rotate=1) == 1", "expected true or false as rotate or reflect, got 1"),
    ("hex_board(0) == b", "the side of a board of hexagons is from 1 to 100"),
    ("hexagons(3) == b", "expected a board, got 3"),
    ("triangle_board(101) == b", "the side of a board of triangles is from 1 to 100"),
    ("triangles(3) == b", "expected a board, got 3"),
    ("triangles(b).sides(b.corners[0]) == ()", "this board has no corner +r1c1"),
    ("torus(k, 1) == b", "the size of a board cannot depend on an unknown"),
    ("rectangles(n) == 1", "expected a board, got 3"),
    ("rectangles(b, k) == 1", "the largest number of cells cannot depend on an unknown"),
    ("rectangles(b)['I'] == 1", "expected a number as the position, got 'I'"),
    ("polyominoes(1, 2) == 1", "expected a board, got 1"),
    ("polyominoes(b, k) == 1", "the number of cells cannot depend on an unknown"),
    ("rectangles(b, around=[cell(4, 1)]) == 1", "this board has no cell r4c1"),
    ("rectangles(b, around=[x[0]]) == 1", "a cell cannot depend on an unknown"),
    ("rectangles(b).of(1) == 1", "only placements of shapes have .of(…), got (r1c1)"),
    ("b.rays(x[0]) == 1", "the arguments of rays cannot depend on an unknown"),
    (
        "cell(1, 1).step('north') == 1",
        "expected a direction, such as up, u, ^, n or 0, got 'north'",
    ),
    ("cell(1, 1).step('up', 'a') == 1", "expected a whole number of steps"),
    ("cell(1, 1).step('up', x[0]) == 1", "the arguments of step cannot depend on an unknown"),
    ("b.next(cell(1, 1), x[0]) == 1", "the arguments of next cannot depend on an unknown"),
    ("b.ray(cell(9, 9), 'up') == 1", "this board has no cell r9c9"),
    ("b.next(None, 'up') == 1", "expected a cell, got another value"),
    ("turned(x[0], 1) == 1", "a direction cannot depend on an unknown"),
    ("turned('up', 'a') == 1", "expected a whole number as the number of turns, got 'a'"),
    ("b.links(cell(9, 9)) == 1", "this board has no cell r9c9"),
    ("b.links(b.corners[0]) == 1", "expected a cell, got another value"),
    ("b.links(cell(x[0], 1)) == 1", "the row of a cell cannot depend on an unknown"),
    ("b.rays(cell(9, 9)) == 1", "this board has no cell r9c9"),
    ("b.line(cell(1, 1), cell(2, 3)) == 1", "r1c1 and r2c3 are not on one row, column or diagonal"),
]


@pytest.mark.parametrize(("rule", "message"), WRONG, ids=[rule for rule, _ in WRONG])
def test_wrong_arguments_say_so(rule: str, message: str) -> None:
    assert refusal(rule).message == message


def test_families_over_sides_and_pairs() -> None:
    made = build(
        "count(line[b.sides(cell(1, 1))], True) == 4",
        let="b: board(1, 1)",
        variables="line[e]: bool for e in b.edges",
    )
    assert len(only(made, "line")) == 1
    rule = "line[edge(cell(1, 2), cell(1, 1))] and not line[edge(cell(1, 2), cell(1, 3))]"
    made = build(rule, let="b: board(1, 3)", variables="line[e]: bool for e in b.adjacent")
    assert [sorted(solution.values()) for solution in only(made, "line")] == [[False, True]]
    rule = "all(sum(line[b.links(c)]) == 2 for c in b.cells)"
    made = build(rule, let="b: board(2, 2)", variables="line[e]: bool for e in b.adjacent")
    assert [set(solution.values()) for solution in only(made, "line")] == [{True}]
    assert refusal(
        "line[1] == 1", let="b: board(1, 1)", variables="line[e]: bool for e in b.edges"
    ).message == ("line has no member at 1")
