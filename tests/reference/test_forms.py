"""Rules of each kind, each held to plain Python, on all backends by turns: missing indexes,
graphs, rows, tilings.
"""

from pathlib import Path

import pytest

from tests.reference.compare import ENGINES, Case, differences

VARIABLES = "x[i]: between(0, 2) for i in range(3)\n  y: between(0, 5)"
ROW = "(x[0], x[1], x[2])"

FORMS = [
    # a row of one, or folded away by what it is asked
    "all_equal((x[y],))",
    "all_different((x[y],))",
    "increasing((x[y],))",
    "len((x[y],)) == 1",
    "len([x[y], 1]) == 2",
    "visible((x[y],)) == 1",
    "sum([x[y]]) >= 0",
    "sum((x[y], -x[y])) == 0",
    "0 * x[y] == 0",
    "x[y] - x[y] == 0",
    "x[y] == x[y]",
    "x[y] <= 2",
    "x[y] != 7",
    "x[y] in (0, 1, 2)",
    "x[y] in between(0, 9)",
    "x[y] not in ()",
    "count((x[y],), 5) == 0",
    "count((), x[y]) == 0",
    "x[y] % 1 == 0",
    "min(x[y], -1) == -1",
    "max((x[y], 9)) == 9",
    "abs(x[y]) >= 0",
    "number((0, x[y])) < 10",
    # decided before, or after
    "any((x[y] == 1, True))",
    "any((True, x[y] == 1))",
    "any([x[y] == 1 or True])",
    "all((x[y] == 1, False)) == False",
    "not all([False, x[y] == 1])",
    "x[y] == 1 or True",
    "True or x[y] == 1",
    "not (x[y] == 1 and False)",
    "not (False and x[y] == 1)",
    "implies(x[y] == 1, True)",
    "implies(True, x[y] <= 2)",
    "implies(False, x[y] == 1)",
    "implies(q=x[y] == 1, p=y < 3)",
    "iff(x[y] == 1, x[y] == 1)",
    "iff(True, x[y] >= 0)",
    "exactly_one((True, x[y] == 7))",
    "at_most_one((x[y] == 7, True))",
    "at_least(0, (x[y] == 1,))",
    "at_most(5, [x[y] == 1])",
    "y > 2 or x[y] == 1",
    "y < 3 and x[y] == 1",
    "x[y] == 1 or y > 2",
    "not x[y] == 1",
    "(x[y] == 1) == (x[y] == 1)",
    "(x[y] if y < 3 else 0) == 0",
    "(0 if y > 2 else x[y]) == 0",
    "(1 if x[y] == 1 else 1) == 1",
    "(True if x[y] < 9 else False)",
    "0 < y < x[y]",
    "9 < y < x[y] or True",
    "x[y] <= y != 9",
    # runs, patterns, rows
    "runs((x[y] == 1,)) != [5]",
    "runs((x[y] == 9, True)) == [1]",
    "runs(()) == [] and runs((x[y] == 9,)) == [0]",
    "matches((x[y],), '.')",
    "matches((x[y], 1), '.{3}') or True",
    "lex_less((0, x[y]), (1, 0))",
    "lex_less((x[y],), (x[y], 0))",
    "not lex_less((1, x[y]), (0,))",
    "(0, x[y]) != (1, 0)",
    "(x[y],) != (1, 2)",
    "not (0, x[y]) == (1, 1)",
    "(x[y], 1) in [(0, 1), (1, 1), (2, 1)]",
    "(x[y], 1) not in [(0, 2)]",
    "all_different([(0, x[y]), (1, x[y])])",
    "all_equal([(x[y], 1), (x[y], 1)])",
    # parts, loops
    "first((1, x[y])) == 1",
    "first((x[y], 1)) <= 2",
    "(0, x[y])[0] == 0",
    "(0, x[y])[:1] == (0,)",
    "len((0, x[y])[1:]) == 1",
    "reversed((x[y], 0))[0] == 0",
    "([x[y]] * 0) == []",
    "((x[y],) + (1,))[1] == 1",
    "zip((x[y],), (1,))[0][1] == 1",
    "enumerate((x[y],))[0][0] == 0",
    "pairs((0, x[y], 1))[1] == (0, 1)",
    "len([x[y] for i in range(2)]) == 2",
    "len(x[y] for i in range(0)) == 0",
    "all(x[y] <= 2 for i in range(0))",
    "all(x[y + i] == 1 for i in range(2))",
    "any(x[y + i] == 1 for i in range(2))",
    "any([x[y + i] == 1 for i in range(2)])",
    "any(x[y - i] == 1 for i in range(3))",
    "sum(x[y + i] for i in range(2)) == 2",
    "{0: 1, 1: x[y]}[0] == 1",
    "{0: 1, 1: 2}[y] == 2",
    "{i: x[i + 1] for i in range(2)}[y] == 1",
    # indexes of indexes, positions from the end
    "x[x[y]] == 1",
    "x[y - 1] == 1",
    "x[2 - y] == 1",
    f"{ROW}[y - 3] == 1",
    f"{ROW}[y - 5] == x[y - 3] or y == 5",
    f"{ROW}[-1] == {ROW}[y]",
    f"{ROW}[1:][y - 1] == 1",
    "'abc'[y] == 'b'",
    "'abc'[y - 4] in 'ab'",
    "range(4)[y] == x[0]",
    "(x[0], x[1])[x[2]] == y",
    "(x[y], x[0])[y] == 1",
    # several rules and loops at the top
    "x[y] == i for i in range(0)",
    "x[i] <= x[y] for i in range(2)",
    "x[y] == 1 or y == i for i in (3, 3)",
    "implies(y == i, x[y] == 1) for i in range(4)",
]


TILED = [  # on sides of hexagons and triangles
    "single_loop(line)",
    "not single_loop(line)",
    "single_path(line)",
    "path(line, b.corners[0], b.corners[3])",
    "acyclic(line) and sum(line) > 4",
    "single_loop(line) and sum(line[b.sides(c)]) == 2 for c in b.cells[:1]",
    "count(line[b.sides(k)], True) in (0, 2) for k in b.corners",
    "line[edge(s[1], s[0])] == (s[0].row < s[1].row) for s in b.sides(b.cells[0])",
    "sum(k.column * count(line[b.sides(k)], True) for k in b.corners) == 12",
]

CELLS, SIDES, PAIRS = (
    "flag[c]: bool for c in b.cells",
    "line[e]: bool for e in b.edges",
    "line[e]: bool for e in b.adjacent",
)
FIVE = "flag[i]: bool for i in range(5)"
RULES = {  # by their unknowns, and what let says
    (CELLS, "b: board(2, 3)"): [
        "connected(flag)",
        "connected(flag, moves=king)",
        "connected({c: flag[c] for c in b.cells}, links=b.touching)",
        "connected(flag, links=[p for p in b.adjacent if p[0].row == p[1].row])",
        (
            "connected({c: flag[c] if c.column != 2 else c.row == 1 for c in b.cells}) "
            "and not flag[cell(1, 2)]"
        ),
        "sum(flag) % 2 == 1",
    ],
    (PAIRS, "b: board(2, 3)"): [
        "single_loop(line)",
        "path(line, cell(1, 1), cell(2, 3))",
        "acyclic(line)",
        "single_loop(line) and exactly_one(inside(line, c) for c in b.corners)",
    ],
    (PAIRS, "b: board(2, 2)"): [
        "connected({c: True for c in b.cells}, links=line)",
        (
            "connected({c: c.row == 1 for c in b.cells}, links={p: line[p] or p[0].row == 2 "
            "for p in b.adjacent})"
        ),
        "sum(region_sizes(b.cells, links=line)[c] for c in b.cells) == 4 * 4",
        "all(sum(line[b.links(c)]) == 2 for c in b.cells)",
    ],
    (SIDES, "b: board(1, 2)"): [
        "single_loop(line)",
        "single_path(line)",
        "single_loop(line) and inside(line, cell(1, 1)) and not inside(line, cell(1, 2))",
        "inside(line, cell(1, 2)) and not line[b.edges[-1]]",
        "count(line[b.sides(cell(1, 1))], True) == 4",
    ],
    ("line[e]: bool for e in ((1, 2), (2, 3), (1, 3), (3, 4))", ""): [
        "single_loop(line)",
        "path(line, 1, 4)",
    ],
    ("line[a, c]: bool for a, c in ((1, 2), (2, 1))", ""): ["single_loop(line)"],
    ("label[c]: between(0, 2) for c in b.cells", "b: board(2, 2)"): [
        "regions(label)",
        "regions(label, links=b.touching)",
        "region_sizes({c: label[c] if c.row == 1 else None for c in b.cells})[cell(1, 1)] == 1",
        "region_sizes({c: label[c] if c.row == 1 else None for c in b.cells})[cell(2, 1)] == 0",
    ],
    ("label[c]: between(1, 4) for c in b.cells", "b: board(2, 2)"): [
        "region_sizes(label)[c] == label[c] for c in b.cells"
    ],
    (CELLS, "b: board(1, 3)"): ["regions({c: 1 if flag[c] else 2 for c in b.cells})"],
    (FIVE, ""): [
        *(
            f"runs(flag) == {lengths}"
            for lengths in ("()", "[0]", "(5,)", "[1, 1]", "(2, 1)", "(1, 1, 1)", "[3, 2]", "[7]")
        ),
        *(f"{lengths} != runs(flag)" for lengths in ("()", "[5]", "(2, 1)", "[3, 2]")),
        "runs(flag, cyclic=True) == [2, 1]",
        "runs(flag, True) != [3]",
        "runs(flag, cyclic=True) == [5]",
        "sorted(runs(flag)) == [1, 2]",
        "sorted(runs(flag)) == [2, 1]",
        "sorted(runs(flag, cyclic=True)) in [[0], [1, 1], [4, 4]]",
        "runs(flag) in [[2, 1], (1, 2)]",
        "runs(flag) not in [[2, 1], [7]]",
        "runs(flag) in [[7]] or runs(flag) in ()",
        *(f"leading(flag) == {number}" for number in range(6)),
    ],
    ("w[i]: distinct('abc') for i in range(3)", ""): [
        *(
            f"matches(w, '{pattern}')"
            for pattern in (
                "a*b",
                "(a|b)+",
                ".b.",
                "[^a].*",
                "a?b?c?",
                "(ab|c){1,2}.?",
                "",
                "c{2,}",
            )
        ),
        "matches(w, '[a-b]{2}c|b{3}')",
        "all_different(['b', (w[0],), w[range(1, 2)]])",
    ],
    ("x[i]: between(0, 2) for i in range(3)", ""): [
        "runs([x[0] > 0, True, x[1] == 2, 3 == 4, x[2] == 0]) == [2, 1]",
        "matches(x, '0[12]*')",
        "matches(x, ['0', '[12]' * 2])",
        "matches([x[0] == 0, x[1] > 1, True], '(01)?1+')",
        "visible(x) == 2",
        "lex_less(x, (1, 0, 2))",
        "lex_less([x[0], x[1]], [x[1], x[0], x[2]])",
        "leading([True, x[0] > 0, True, x[1] > x[0], False, x[2] > 0]) == 2 + x[2]",
        (
            "sum(until(x, [False, True, False])) == 1 and [len(part) "
            "for part in segments(x, 'aab')] == [2, 1]"
        ),
        "all(all_equal(part) for part in segments(x, (1, 1, None)))",
    ],
}


def case(rule: str, variables: str, let: str = "") -> Case:
    """A type with one rule."""
    let = f"let:\n  {let}\n" if let else ""
    return Case(
        f"puzzle: form\n{let}variables:\n  {variables}\nrules:\n  r: |\n    {rule}\n", name=rule
    )


@pytest.mark.sampled(40)
@pytest.mark.parametrize(("place", "rule"), list(enumerate(FORMS)), ids=FORMS)
def test_forms_around_an_index_that_may_miss(place: int, rule: str) -> None:
    assert differences(case(rule, VARIABLES), ("auto", ENGINES[place % len(ENGINES)])) == []


@pytest.mark.parametrize("board", ["hex_board(1)", "triangle_board(2)", "triangles(board(1, 3))"])
@pytest.mark.parametrize(("place", "rule"), list(enumerate(TILED)), ids=TILED)
def test_sides_of_other_boards(place: int, rule: str, board: str) -> None:
    made = case(rule, "line[e]: bool for e in b.edges", f"b: {board}")
    assert differences(made, ("auto", ENGINES[place % len(ENGINES)])) == []


EVERY_RULE = [(*unknowns, rule) for unknowns, rules in RULES.items() for rule in rules]


@pytest.mark.parametrize(
    ("variables", "let", "rule"), EVERY_RULE, ids=[rule for *_, rule in EVERY_RULE]
)
def test_rules_of_graphs_and_rows(variables: str, let: str, rule: str) -> None:
    assert (
        differences(case(rule, variables, let), ("auto", ENGINES[len(rule) % len(ENGINES)])) == []
    )


@pytest.mark.parametrize("backend", ENGINES)
def test_every_backend_misses_alike(backend: str) -> None:
    rules = "".join(
        f"    - {rule}\n"
        for rule in ("y > 3 or x[y - 1] == 1", "any((x[0] == 1, x[x[1]] == 2, y == 5))")
    )
    goals = "goals:\n  few: minimise(x[y] + x[0])\n  many: maximise(x[y])\n"
    case = Case(
        f"puzzle: form\nvariables:\n  {VARIABLES}\nrules:\n  r:\n{rules}{goals}show:\n"
        f"  a: x[y]\n  b: (x[y], 1)[1]\n"
    )
    assert differences(case, (backend,)) == []


def test_the_reference_interpreter_shares_no_code_with_the_package() -> None:
    for path in (Path(__file__).parent / "plain").glob("*.py"):
        assert "puzzlekit" not in path.read_text(encoding="utf-8"), path
