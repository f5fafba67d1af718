"""What hangs together, loops and paths: held to a plain search, on unknowns and on values."""

from collections.abc import Collection, Iterable
from itertools import combinations
from typing import Any

import pytest

from puzzlekit.api import Puzzle, load
from puzzlekit.boards import Cell, board
from puzzlekit.errors import Problems
from puzzlekit.lang import bind, read_spec, type_of_text
from tests.lang.languages import build, only, refusal, type_text

CELLS = "flag[c]: bool for c in b.cells"
SIDES = "line[e]: bool for e in b.edges"
PAIRS = "line[e]: bool for e in b.adjacent"
TRIANGLE = "line[e]: bool for e in ((1, 2), (2, 3), (1, 3), (3, 4))"


def chosen(rule: str, variables: str, let: str = "b: board(2, 3)") -> set[frozenset[str]]:
    """The sets of unknowns that are true in the solutions; the model and the rules on plain values agree on each."""
    solutions = only(build(rule, variables=variables, let=let), "flag", "line")
    return {frozenset(name.split("[", 1)[1][:-1] for name, value in solution.items() if value) for solution in solutions}


def subsets(items: Collection[Any]) -> Iterable[tuple[Any, ...]]:
    return (part for size in range(len(items) + 1) for part in combinations(items, size))


def in_one_piece(nodes: Collection[Any], links: Collection[tuple[Any, Any]]) -> bool:
    reached = set(list(nodes)[:1])
    for _ in nodes:
        reached |= {n for link in links if reached & set(link) for n in link if n in nodes}
    return len(reached) == len(nodes)


def degrees(edges: Iterable[tuple[Any, Any]]) -> dict[Any, int]:
    found: dict[Any, int] = {}
    for edge in edges:
        for node in edge:
            found[node] = found.get(node, 0) + 1
    return found


def is_loop(edges: Collection[Any]) -> bool:
    return bool(edges) and set(degrees(edges).values()) == {2} and in_one_piece(degrees(edges), edges)


def is_path(edges: Collection[Any], *ends: Any) -> bool:
    found = degrees(edges)
    own = {node for node, degree in found.items() if degree == 1}
    return len(own) == 2 and max(found.values()) <= 2 and in_one_piece(found, edges) and set(ends) <= own


def named(edges: Iterable[Any]) -> frozenset[str]:
    return frozenset(map(str, edges))


@pytest.mark.parametrize(
    ("rule", "links"),
    [
        ("connected(flag)", board(2, 3).adjacent),
        ("connected(flag, moves=king)", board(2, 3).touching),
        ("connected({c: flag[c] for c in b.cells}, links=b.touching)", board(2, 3).touching),
        ("connected(flag, links=[p for p in b.adjacent if p[0].row == p[1].row])", board(2, 3).adjacent[::2]),
    ],
)
def test_connected(rule: str, links: Any) -> None:
    if "row" in rule:
        links = [(a, b) for a, b in board(2, 3).adjacent if a.row == b.row]
    assert chosen(rule, CELLS) == {named(part) for part in subsets(board(2, 3).cells) if in_one_piece(part, links)}


def test_some_of_what_is_asked_may_be_known() -> None:
    rule = "connected({c: flag[c] if c.column != 2 else c.row == 1 for c in b.cells})"
    assert chosen(rule + " and not flag[cell(1, 2)] and not flag[cell(2, 2)]", CELLS) == {
        frozenset({f"r1c{c}" for c in across} | {f"r2c{c}" for c in down})
        for across in subsets((1, 3))
        for down in subsets(across)
    }


def test_loops_and_paths_along_sides() -> None:
    parts = list(subsets(board(2, 2).edges))
    let = "b: board(2, 2)"
    assert chosen("single_loop(line)", SIDES, let) == {named(part) for part in parts if is_loop(part)}
    assert chosen("single_path(line)", SIDES, let) == {named(part) for part in parts if part and is_path(part)}
    assert len(chosen("single_loop(line)", SIDES, let)) == 13


def test_loops_and_paths_between_cells() -> None:
    parts = list(subsets(board(2, 3).adjacent))
    assert chosen("single_loop(line)", PAIRS) == {named(part) for part in parts if is_loop(part)}
    ends = (Cell(1, 1), Cell(2, 3))
    assert chosen("path(line, cell(1, 1), cell(2, 3))", PAIRS) == {
        named(part) for part in parts if part and is_path(part, *ends)
    }
    assert chosen("acyclic(line)", PAIRS) == {
        named(part) for part in parts if not any(is_loop(inner) for inner in subsets(part))
    }


def test_edges_join_any_nodes() -> None:
    assert chosen("single_loop(line)", TRIANGLE) == {frozenset({"(1, 2)", "(2, 3)", "(1, 3)"})}
    assert chosen("path(line, 1, 4)", TRIANGLE) == {
        frozenset({"(1, 3)", "(3, 4)"}),
        frozenset({"(1, 2)", "(2, 3)", "(3, 4)"}),
    }
    two = "line[a, c]: bool for a, c in ((1, 2), (2, 1))"
    assert chosen("single_loop(line)", two) == {frozenset({"1, 2", "2, 1"})}


def test_regions() -> None:
    made = build("regions(label)", variables="label[c]: between(0, 2) for c in b.cells", let="b: board(2, 2)")
    assert len(only(made, "label")) == 3**4 - 2 * 3 * 2 - 3 * 2  # a diagonal of one value, and neither other cell of that value
    made = build("regions(label, links=b.touching)", variables="label[c]: between(0, 2) for c in b.cells", let="b: board(2, 2)")
    assert len(only(made, "label")) == 3**4
    made = build("regions({c: 1 if flag[c] else 2 for c in b.cells})", variables=CELLS, let="b: board(1, 3)")
    assert len(only(made, "flag")) == 6
    made = build("regions({1: None, 2: w}, links=()) and regions({1: 'a', 2: w}, links=())", variables="w: distinct('ab')")
    assert [solution["w"] for solution in only(made, "w")] == ["b"]


def test_links_may_depend_on_unknowns() -> None:
    found = chosen("connected({c: True for c in b.cells}, links=line)", PAIRS, "b: board(2, 2)")
    assert found == {named(part) for part in subsets(board(2, 2).adjacent) if in_one_piece(board(2, 2).cells, part)}
    rule = "connected({c: c.row == 1 for c in b.cells}, links={p: line[p] or p[0].row == 2 for p in b.adjacent})"
    first = named(board(2, 2).adjacent[:1])
    assert all(first <= part for part in chosen(rule, PAIRS, "b: board(2, 2)"))
    assert len(chosen(rule, PAIRS, "b: board(2, 2)")) == 2**3


def test_sizes_of_regions() -> None:
    four = "b: board(2, 2)"
    made = build(
        "region_sizes(label)[c] == label[c] for c in b.cells", variables="label[c]: between(1, 4) for c in b.cells", let=four
    )
    found = {tuple(solution.values()) for solution in only(made, "label")}
    assert found == {(4, 4, 4, 4), (3, 3, 3, 1), (3, 3, 1, 3), (3, 1, 3, 3), (1, 3, 3, 3)}
    sizes = "sum(region_sizes(b.cells, links=line)[c] for c in b.cells) == 4 * 4"
    assert chosen(sizes, PAIRS, four) == {
        named(part) for part in subsets(board(2, 2).adjacent) if in_one_piece(board(2, 2).cells, part)
    }
    alone = "region_sizes({c: label[c] if c.row == 1 else None for c in b.cells})[cell(1, 1)] == 1"
    assert len(only(build(alone, variables="label[c]: between(0, 1) for c in b.cells", let=four), "label")) == 2 * 4


def test_inside_a_loop() -> None:
    one = "single_loop(line) and inside(line, cell(1, 1)) and not inside(line, cell(1, 2))"
    assert len(chosen(one, SIDES, "b: board(1, 2)")) == 1
    every = "single_loop(line) and exactly_one(inside(line, c) for c in b.corners)"
    assert chosen(every, PAIRS) == {
        named(edges) for r, c in ((1, 1), (1, 2)) if is_loop(edges := [e for e in board(2, 3).adjacent if around(e, r, c)])
    }
    middle = "single_loop(line) and inside(line, cell(2, 2))"
    assert len(chosen(middle, PAIRS, "b: board(3, 3)")) == 1
    assert len(chosen("inside(line, cell(1, 2)) and not line[b.edges[-1]]", SIDES, "b: board(1, 2)")) == 2**5


def around(pair: Any, row: int, column: int) -> bool:
    return all(row <= cell.row <= row + 1 and column <= cell.column <= column + 1 for cell in pair)


def test_parity() -> None:
    odd = "sum(flag) % 2 == 1"
    assert chosen(odd, CELLS) == {named(part) for part in subsets(board(2, 3).cells) if len(part) % 2}


@pytest.mark.parametrize("world", ["hex_board(2)", "hexagons(board(2, 4))", "triangle_board(3)", "triangles(board(3, 3))"])
def test_loops_around_hexagons_and_triangles(world: str) -> None:
    """On a board without holes, each loop encloses other cells, so the sets of cells give all loops."""
    variables = f"{SIDES}\nflag[c]: bool for c in b.cells"
    rule = "single_loop(line) and all(iff(flag[c], inside(line, c)) for c in b.cells)"
    text = type_text(rule, variables=variables, let=f"b: {world}")
    kind, spec = type_of_text("type.yaml", text), read_spec("spec.yaml", "title: a spec")
    instance = bind(kind, spec)
    b = instance.scope["b"]
    wanted = set()
    for part in subsets(b.cells):
        ring = [side for side in b.edges if sum(side in b.sides(cell) for cell in part) == 1]
        if is_loop(ring):
            wanted.add((named(ring), named(part)))
    found = set()
    for solution in Puzzle(kind, spec, instance).solve():
        assert instance.check(solution.assignment) is None
        true = [v.name for v, value in solution.assignment.items() if value is True]
        line, flag = (frozenset(n[5:-1] for n in true if n.startswith(what)) for what in ("line[", "flag["))
        found.add((line, flag))
    assert found == wanted and len(wanted) > 20


PLAIN = [
    "region_sizes(letters)[cell(1, 1)] == 1 and len(region_sizes(b)) == 0",
    "region_sizes({1: 'a', 2: 'a', 3: 'b'}, links=((1, 2), (2, 3)))[2] == 2",
    "region_sizes((1, 2, 3), links={(1, 2): False, (2, 3): True})[1] == 1",
    "connected({1: True, 2: True}, links={(1, 2): True}) and not connected({1: True, 2: True}, links={(1, 2): False})",
    "inside({e: e in b.sides(cell(1, 1)) for e in b.edges}, cell(1, 1))",
    "not inside({e: e in b.sides(cell(1, 1)) for e in b.edges}, first(b.corners)) and not inside({}, cell(1, 1))",
    "connected({c: c.row == 1 for c in b.cells}) and not connected({c: c.column != 2 for c in b.cells}) and connected({})",
    "connected({c: c.row == c.column for c in b.cells}, moves=king)",
    "single_loop({e: e in b.sides(cell(1, 1)) for e in b.edges}) and not single_loop({})",
    "path({(1, 2): True, (2, 3): True, (3, 4): False}, 1, 3) and not path({(1, 2): True, (2, 3): True}, 1, 2)",
    "single_path({(1, 2): True, (2, 3): True}) and not single_path({(1, 2): False}) and not single_path({})",
    "not single_path({(1, 2): True, (2, 3): True, (1, 3): True}) and not single_path({(1, 2): True, (3, 4): True})",
    "acyclic({(1, 2): True, (2, 3): True}) and not acyclic({(1, 2): True, (2, 1): True})",
    "regions(letters) and not regions({cell(1, i): i % 2 for i in range(3)}) and regions(b)",
]


@pytest.mark.parametrize("rule", PLAIN)
def test_on_plain_values(rule: str) -> None:
    assert build(rule).model.constraints == ()


NO_SIDE = "inside takes sides of cells, or edges between neighbours in a row or in a column"
WRONG = [
    ("region_sizes(3)[1] == 1", "expected labels with keys, got 3"),
    ("region_sizes({1: x[0]}, links={1: True})[1] == 1", "expected a pair of nodes as a link, got 1"),
    ("region_sizes({1: x[0], 2: 1}, links={(1, 2): 3})[1] == 1", "expected a condition, got 3"),
    ("inside({(1, 2): flag[0]}, cell(1, 1))", "inside takes a line between cells, or one between corners of one board"),
    ("inside({e: True for e in b.touching}, cell(1, 1))", NO_SIDE),
    ("inside({e: True for e in b.edges}, 3)", "expected a cell or a corner, got 3"),
    (
        "inside({e: True for e in b.edges}, hexagons(b).corners[0])",
        "+r1c1 is a corner of hexagons, and the line is one of squares",
    ),
    ("inside({edge(k, k): True for k in hexagons(b).corners}, cell(1, 1))", NO_SIDE),
    (
        "inside({(cell(1, 1), cell(1, 2)): True, (cell(9999, 1), cell(9999, 2)): True}, cell(1, 1))",
        "a line has at most 200 rows and columns",
    ),
    ("connected(n)", "expected flags with keys, got 3"),
    ("connected(k == 1)", "expected flags with keys, got an expression with unknowns"),
    ("connected(x)", "expected a condition, got x[0]"),
    ("connected(flag)", "only cells are linked by position, got 0"),
    ("connected(flag, links=[1])", "expected a pair of nodes as a link, got 1"),
    ("connected(flag, links=[(x[0], 1)])", "a link cannot depend on an unknown"),
    ("connected({c: True for c in b.cells}, moves='knight')", "expected king or rook as moves, got 'knight'"),
    ("single_loop(flag)", "expected a pair of nodes as an edge, got 0"),
    ("single_loop({c: True for c in b.cells})", "expected a pair of nodes as an edge, got r1c1"),
    ("path({(1, 2): flag[0]}, 1, 3)", "the path cannot end at 3: no edge leads there"),
    ("path({(1, 2): flag[0]}, 1, 1)", "a path has two ends, and both are 1"),
    ("path({(1, 2): flag[0]}, 1, x[0])", "an end of a path cannot depend on an unknown"),
    ("regions({1: x[0] + 1}, links=())", "expected an unknown, got a value computed from unknowns"),
    ("edge(1, 2) == 1", "an edge joins two cells or two corners, got 1 and 2"),
    ("edge(cell(1, 1), first(b.corners)) == 1", "an edge joins two cells or two corners, got r1c1 and +r1c1"),
    ("cell(k, 1) == 1", "the row of a cell cannot depend on an unknown"),
]


@pytest.mark.parametrize(("rule", "message"), WRONG, ids=[rule for rule, _ in WRONG])
def test_wrong_arguments_say_so(rule: str, message: str) -> None:
    assert refusal(rule).message == message


@pytest.mark.parametrize("world", ["torus(3, 3)", "hex_board(2)", "hexagons(board(2, 4))", "triangle_board(3)"])
@pytest.mark.parametrize(
    "rule",
    ["connected(LABELS)", "connected({c: x[c] for c in b.cells[:2]})", "regions(LABELS)", "region_sizes(LABELS)[KEY] == 1"],
)
def test_cells_that_are_no_squares_are_not_linked_as_squares(world: str, rule: str) -> None:
    """Nobody gets the links of squares by forgetting to say which."""
    text = (
        f"puzzle: t\nlet:\n  b: {world}\nvariables:\n  x[c]: bool for c in b.cells\n  y[c]: bool for c in board(9, 9).cells\n"
    )
    text += f"rules:\n  r: |\n    {rule}\n"
    own = text.replace("LABELS", "x").replace("KEY", "b.cells[0]")
    made = world.partition("(")[0]
    with pytest.raises(Problems, match=rf"linked as squares here, but {made}\(…\) made a board"):
        load(own)
    load(own.replace("(x)", "(x, links=b.adjacent)").replace("2]})", "2]}, links=b.adjacent)"))
    load(text.replace("LABELS", "y").replace("KEY", "cell(1, 1)").replace("b.cells[:2]", "[]"))  # other cells


def test_each_of_two_boards_that_are_no_squares_is_known() -> None:
    text = (
        "puzzle: t\nlet:\n  a: hexagons(board(3, 3))\n  b: hexagons(board(2, 2))\nvariables:\n  x[c]: bool for c in a.cells\n"
    )
    with pytest.raises(Problems, match="linked as squares"):
        load(f"{text}  y[c]: bool for c in b.cells\nrules:\n  r: connected(x)\n")
