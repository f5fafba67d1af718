"""What hangs together, loops and paths: held to a plain search, on unknowns and on values."""

from collections.abc import Collection, Iterable
from itertools import combinations
from typing import Any

import pytest

from puzzlekit.api import Puzzle, load
from puzzlekit.errors import Problems
from puzzlekit.lang import bind, read_spec, type_of_text
from tests.lang.languages import build, refusal, type_text

SIDES = "line[e]: bool for e in b.edges"


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
    return (
        bool(edges) and set(degrees(edges).values()) == {2} and in_one_piece(degrees(edges), edges)
    )


def named(edges: Iterable[Any]) -> frozenset[str]:
    return frozenset(map(str, edges))


@pytest.mark.parametrize(
    "world",
    ["hex_board(2)", "hexagons(board(2, 4))", "triangle_board(3)", "triangles(board(3, 3))"],
)
def test_loops_around_hexagons_and_triangles(world: str) -> None:
    """On a board without holes, each loop encloses other cells,
    so the sets of cells give all loops.
    """
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
        line, flag = (
            frozenset(n[5:-1] for n in true if n.startswith(what)) for what in ("line[", "flag[")
        )
        found.add((line, flag))
    assert found == wanted and len(wanted) > 20


PLAIN = [
    "region_sizes(letters)[cell(1, 1)] == 1 and region_sizes(b)[cell(1, 1)] == 0",
    "region_sizes({1: 'a', 2: 'a', 3: 'b'}, links=((1, 2), (2, 3)))[2] == 2",
    "region_sizes((1, 2, 3), links={(1, 2): False, (2, 3): True})[1] == 1",
    (
        "connected({1: True, 2: True}, links={(1, 2): True}) "
        "and not connected({1: True, 2: True}, links={(1, 2): False})"
    ),
    "inside({e: e in b.sides(cell(1, 1)) for e in b.edges}, cell(1, 1))",
    (
        "not inside({e: e in b.sides(cell(1, 1)) for e in b.edges}, first(b.corners)) "
        "and not inside({}, cell(1, 1))"
    ),
    (
        "connected({c: c.row == 1 for c in b.cells}) and not connected({c: c.column != 2 "
        "for c in b.cells}) and connected({})"
    ),
    "connected({c: c.row == c.column for c in b.cells}, moves=king)",
    "single_loop({e: e in b.sides(cell(1, 1)) for e in b.edges}) and not single_loop({})",
    (
        "path({(1, 2): True, (2, 3): True, (3, 4): False}, 1, 3) "
        "and not path({(1, 2): True, (2, 3): True}, 1, 2)"
    ),
    (
        "single_path({(1, 2): True, (2, 3): True}) and not single_path({(1, 2): False}) "
        "and not single_path({})"
    ),
    (
        "not single_path({(1, 2): True, (2, 3): True, (1, 3): True}) "
        "and not single_path({(1, 2): True, (3, 4): True})"
    ),
    "acyclic({(1, 2): True, (2, 3): True}) and not acyclic({(1, 2): True, (2, 1): True})",
    "regions(letters) and not regions({cell(1, i): i % 2 for i in range(3)}) and regions(b)",
]


@pytest.mark.parametrize("rule", PLAIN)
def test_on_plain_values(rule: str) -> None:
    assert build(rule).model.constraints == ()


NO_SIDE = "inside takes sides of cells, or edges between neighbours in a row or in a column"
WRONG = [
    ("region_sizes(3)[1] == 1", "expected labels with keys, got 3"),
    (
        "region_sizes({1: x[0]}, links={1: True})[1] == 1",
        "expected a pair of nodes as a link, got 1",
    ),
    ("region_sizes({1: x[0], 2: 1}, links={(1, 2): 3})[1] == 1", "expected a condition, got 3"),
    (
        "inside({(1, 2): flag[0]}, cell(1, 1))",
        "inside takes a line between cells, or one between corners of one board",
    ),
    ("inside({e: True for e in b.touching}, cell(1, 1))", NO_SIDE),
    ("inside({e: True for e in b.edges}, 3)", "expected a cell or a corner, got 3"),
    (
        "inside({e: True for e in b.edges}, hexagons(b).corners[0])",
        "+r1c1 is a corner of hexagons, and the line is one of squares",
    ),
    ("inside({edge(k, k): True for k in hexagons(b).corners}, cell(1, 1))", NO_SIDE),
    (
        (
            "inside({(cell(1, 1), cell(1, 2)): True, (cell(9999, 1), cell(9999, 2)): True}, "
            "cell(1, 1))"
        ),
        "a line has at most 200 rows and columns",
    ),
    ("connected(n)", "expected flags with keys, got 3"),
    ("connected(k == 1)", "expected flags with keys, got an expression with unknowns"),
    ("connected(x)", "expected a condition, got x[0]"),
    ("connected(flag)", "only cells are linked by position, got 0"),
    ("connected(flag, links=[1])", "expected a pair of nodes as a link, got 1"),
    ("connected(flag, links=[(x[0], 1)])", "a link cannot depend on an unknown"),
    (
        "connected({c: True for c in b.cells}, moves='knight')",
        "expected king or rook as moves, got 'knight'",
    ),
    ("single_loop(flag)", "expected a pair of nodes as an edge, got 0"),
    ("single_loop({c: True for c in b.cells})", "expected a pair of nodes as an edge, got r1c1"),
    ("path({(1, 2): flag[0]}, 1, 3)", "the path cannot end at 3: no edge leads there"),
    ("path({(1, 2): flag[0]}, 1, 1)", "a path has two ends, and both are 1"),
    ("path({(1, 2): flag[0]}, 1, x[0])", "an end of a path cannot depend on an unknown"),
    ("regions({1: x[0] + 1}, links=())", "expected an unknown, got a value computed from unknowns"),
    ("edge(1, 2) == 1", "an edge joins two cells or two corners, got 1 and 2"),
    (
        "edge(cell(1, 1), first(b.corners)) == 1",
        "an edge joins two cells or two corners, got r1c1 and +r1c1",
    ),
    ("cell(k, 1) == 1", "the row of a cell cannot depend on an unknown"),
]


@pytest.mark.parametrize(("rule", "message"), WRONG, ids=[rule for rule, _ in WRONG])
def test_wrong_arguments_say_so(rule: str, message: str) -> None:
    assert refusal(rule).message == message


@pytest.mark.parametrize(
    "world", ["torus(3, 3)", "hex_board(2)", "hexagons(board(2, 4))", "triangle_board(3)"]
)
@pytest.mark.parametrize(
    "rule",
    [
        "connected(LABELS)",
        "connected({c: x[c] for c in b.cells[:2]})",
        "regions(LABELS)",
        "region_sizes(LABELS)[KEY] == 1",
    ],
)
def test_cells_that_are_no_squares_are_not_linked_as_squares(world: str, rule: str) -> None:
    """Nobody gets the links of squares by forgetting to say which."""
    text = (
        f"puzzle: t\nlet:\n  b: {world}\nvariables:\n  x[c]: bool for c in b.cells\n"
        f"  y[c]: bool for c in board(9, 9).cells\n"
    )
    text += f"rules:\n  r: |\n    {rule}\n"
    own = text.replace("LABELS", "x").replace("KEY", "b.cells[0]")
    made = world.partition("(")[0]
    with pytest.raises(Problems, match=rf"linked as squares here, but {made}\(…\) made a board"):
        load(own)
    load(own.replace("(x)", "(x, links=b.adjacent)").replace("2]})", "2]}, links=b.adjacent)"))
    load(
        text.replace("LABELS", "y").replace("KEY", "cell(1, 1)").replace("b.cells[:2]", "[]")
    )  # other cells


def test_each_of_two_boards_that_are_no_squares_is_known() -> None:
    text = (
        "puzzle: t\nlet:\n  a: hexagons(board(3, 3))\n  b: hexagons(board(2, 2))\nvariables:\n"
        "  x[c]: bool for c in a.cells\n"
    )
    with pytest.raises(Problems, match="linked as squares"):
        load(f"{text}  y[c]: bool for c in b.cells\nrules:\n  r: connected(x)\n")
