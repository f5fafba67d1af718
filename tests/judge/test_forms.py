"""Expressions around an index that may miss, each held to plain Python, on all backends by turns."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judge.compare import ENGINES, Case, differences

VARIABLES = "  x[i]: between(0, 2) for i in range(3)\n  y: between(0, 5)\n"
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


@pytest.mark.sampled(40)
@pytest.mark.parametrize(("place", "rule"), list(enumerate(FORMS)), ids=FORMS)
def test_forms_around_an_index_that_may_miss(place: int, rule: str) -> None:
    case = Case(f"puzzle: form\nvariables:\n{VARIABLES}rules:\n  r: |\n    {rule}\n", name=rule)
    assert differences(case, ("auto", ENGINES[place % len(ENGINES)])) == []


@pytest.mark.parametrize("backend", ENGINES)
def test_every_backend_misses_alike(backend: str) -> None:
    rules = "".join(f"    - {rule}\n" for rule in ("y > 3 or x[y - 1] == 1", "any((x[0] == 1, x[x[1]] == 2, y == 5))"))
    goals = "goals:\n  few: minimise(x[y] + x[0])\n  many: maximise(x[y])\n"
    case = Case(f"puzzle: form\nvariables:\n{VARIABLES}rules:\n  r:\n{rules}{goals}show:\n  a: x[y]\n  b: (x[y], 1)[1]\n")
    assert differences(case, (backend,)) == []


def test_the_judge_shares_no_code_with_the_package() -> None:
    for path in (Path(__file__).parent / "plain").glob("*.py"):
        assert "puzzlekit" not in path.read_text(encoding="utf-8"), path
