"""Named expressions of unknowns: `define`."""

from itertools import product
from textwrap import indent

import pytest

from puzzlekit.api import Puzzle
from puzzlekit.lang import bind, read_spec, type_of_text
from puzzlekit.lang.evaluation import Grounder
from puzzlekit.render.build import scenes_of
from tests.lang.languages import only, problems_of, values

VARIABLES = "x[i]: between(0, 2) for i in range(3)\ny: between(0, 4)"
X3 = list(product(range(3), repeat=3))
NAMES = ("x[0]", "x[1]", "x[2]")


def text(define: str, rule: str, after: str = "") -> str:
    return (
        f"puzzle: small\nlet:\n  b: board(2, 2)\nvariables:\n{indent(VARIABLES, '  ')}\n"
        f"define:\n{indent(define, '  ')}\nrules:\n  r: |\n{indent(rule, '    ')}\n{after}"
    )


def built(define: str, rule: str, after: str = ""):
    return bind(
        type_of_text("type.yaml", text(define, rule, after)),
        read_spec("spec.yaml", "title: a spec"),
    )


def puzzle(define: str, rule: str, after: str = "") -> Puzzle:
    made = built(define, rule, after)
    return Puzzle(made.type, read_spec("spec.yaml", "title: a spec"), made, 0.0)


USES = [
    ("total: sum(x)", "total == 4", lambda t: sum(t) == 4),
    ("d[i]: x[i] + x[i + 1] for i in range(2)", "d[0] < d[1]", lambda t: t[0] < t[2]),
    ("d[i]: x[i] + x[i + 1] for i in range(2)", "all_different(d)", lambda t: t[0] != t[2]),
    (
        "d[i]: x[i] == 2 for i in range(3)",
        "sum(d[[0, 2]]) == 1",
        lambda t: (t[0] == 2) != (t[2] == 2),
    ),
    (
        "d[i, j]: x[i] + j for i in range(3) for j in range(2)",
        "sum(d[0, ...]) == d[2, 1]",
        lambda t: 2 * t[0] + 1 == t[2] + 1,
    ),
    (
        "d[i]: x[i] > 0 for i in range(3)\nmany: sum(d)",
        "many == x[0]",
        lambda t: sum(v > 0 for v in t) == t[0],
    ),
    (
        "pairs_of[i]: (x[i], x[2 - i]) for i in range(3)",
        "pairs_of[0] == pairs_of[2]",
        lambda t: t[0] == t[2],
    ),
    ("d[i]: x[i] + 1 for i in range(3)", "v != 2 for v in d", lambda t: 1 not in t),
    ("row: x[[0, 1]]", "v > 0 for v in row", lambda t: t[0] > 0 and t[1] > 0),
    (
        "known[i]: i * i for i in range(3)",
        "x[i] <= known[i] for i in range(3)",
        lambda t: t[0] == 0 and t[1] <= 1,
    ),
    ("d[i]: 2 - x[i] for i in range(3)", "d[x[0]] == 2", lambda t: t[t[0]] == 0),
]


@pytest.mark.parametrize(("define", "rule", "holds"), USES, ids=[rule for _, rule, _ in USES])
def test_a_definition_stands_for_its_expression(define: str, rule: str, holds) -> None:
    assert values(only(built(define, rule), "x"), *NAMES) == [t for t in X3 if holds(t)]


@pytest.mark.parametrize(("define", "rule", "holds"), USES, ids=[rule for _, rule, _ in USES])
def test_a_solution_is_checked_with_what_definitions_stand_for(
    define: str, rule: str, holds
) -> None:
    made = built(define, rule)
    variables = {variable.name: variable for variable in made.model.domains}
    for t in X3:
        values = {variables["y"]: 4, **{variables[f"x[{i}]"]: v for i, v in enumerate(t)}}
        assert (made.check(values) is None) == holds(t)


def test_a_definition_that_only_names_unknowns_is_not_run_again_for_a_solution(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = built(
        "row: x[[0, 1]]\nd[i]: (x[i], i, 'text', b.cells) for i in range(3)\ntotal: sum(row)",
        "total + d[2][0] >= d[1][1]",
    )
    run = []
    each = Grounder.each
    monkeypatch.setattr(
        Grounder, "each", lambda self, *given: run.append(given[2:]) or each(self, *given)
    )
    assert made.check(dict.fromkeys(made.model.domains, 1)) is None
    assert str(made.check(dict.fromkeys(made.model.domains, 0))) == "r"
    assert run == [("total",), ()] * 2


def test_a_definition_is_made_once() -> None:
    made = built(
        "d[i]: max(x[i], x[0]) for i in range(3)", "d[0] > 0 or d[1] > 1 for t in range(20)"
    )
    condition, *others = [constraint.condition for constraint in made.model.constraints]
    parts = {
        id(part)
        for one in (condition, *others)
        for side in one.subterms()
        for part in side.subterms()
    }
    assert len(others) == 19
    assert {id(made.definitions["d"].members[i]) for i in (0, 1)} <= parts
    assert len([part for part in parts if part in {id(m) for m in made.definitions["d"]}]) == 2


STEPS = [  # each uses the definition before it twice
    ("{0} and {0}", lambda d, t: d and d),
    ("({0} or x[1] > 0) != ({0} and x[2] == 1)", lambda d, t: (d or t[1] > 0) != (d and t[2] == 1)),
    ("{0} + {0}", lambda d, t: d + d),
    ("max({0}, x[2] + {0} % 2)", lambda d, t: max(d, t[2] + d % 2)),
    (
        "min(9, {0} * {0}) // 2 if x[1] > 0 else 3 - {0} % 3",
        lambda d, t: min(9, d * d) // 2 if t[1] > 0 else 3 - d % 3,
    ),
    ("0 + [1, 0, {0} % 2][{0} % 3] + {0} % 2", lambda d, t: [1, 0, d % 2][d % 3] + d % 2),
]


@pytest.mark.parametrize(("step", "computed"), STEPS, ids=[step for step, _ in STEPS])
def test_definitions_use_each_other(step: str, computed) -> None:
    truth = "and" in step
    lines = [
        "d0: x[0] > 0" if truth else "d0: x[0] + 1",
        *(f"d{k + 1}: {step.format(f'd{k}')}" for k in range(6)),
    ]

    def last(t: tuple[int, ...]) -> int:
        value = t[0] > 0 if truth else t[0] + 1
        for _ in range(6):
            value = computed(value, t)
        return value

    wanted = last((2, 1, 0))
    rule = f"d6 == ({wanted} == 1)" if truth else f"d6 == {wanted}"
    goal = "goals:\n  most: known_best(maximise(y), 4, [(y, 4), (x[0], 2), (x[1], 1)])\n"
    made = puzzle("\n".join(lines), rule, goal)
    found = list(made.solve(limit=None))
    assert {tuple(solution["x"]) for solution in found} == {t for t in X3 if last(t) == wanted}
    assert set(found[0]) == {"x", "y"}
    best = made.best("most")
    assert best is not None
    assert (best["y"], tuple(best["x"])) == (4, (2, 1, 0))


def doubled(step: str, times: int, first: str = "d0: x[0] + 1") -> str:
    return "\n".join((first, *(f"d{k + 1}: {step.format(f'd{k}')}" for k in range(times))))


def test_definitions_may_mix_numbers_and_texts() -> None:
    mixed = text(
        doubled("({0} if x[0] > 0 else {0}) if x[1] > 0 else x[0] + x[1]", 3, "d0: z"), "d3 != 1"
    )
    mixed = mixed.replace("variables:\n", "variables:\n  z: \"[1, 2, 'a']\"\n")
    spec = read_spec("spec.yaml", "title: a spec")
    found = Puzzle(
        (made := bind(type_of_text("type.yaml", mixed), spec)).type, spec, made, 0.0
    ).solve(limit=None)
    assert (
        len({(*solution["x"], solution["z"]) for solution in found}) == 54
    )  # x[1] is 0 and x[0] is not 1, or x[1] is not 0 and z is not 1


def test_definitions_may_be_rows() -> None:
    rows = doubled("(max({0}[0], {0}[1]), min({0}[1], {0}[0]))", 3, "d0: (x[0], x[1])")
    found = puzzle(rows, "d3[1] == 1").solve(limit=None)
    assert {tuple(solution["x"]) for solution in found} == {t for t in X3 if min(t[:2]) == 1}


LONG = [
    (
        "d0: x[0]",
        "max({0}, x[2] + {0} % 2)",
        14,
        15,
        "this has more than 100,000 parts, written out",
    ),
    (
        "d0: (x[0], x[1])",
        "(max({0}[0], {0}[1]), min({0}[1], {0}[0]))",
        15,
        16,
        "this has more than 100,000 parts, written out",
    ),
    ("d0: x[0]", "abs({0} - 2)", 49, 50, "this is nested too deeply"),
    (
        "d0: x[0]",
        "(({0} + 1) * ({0} + x[1]))",
        14,
        400,
        "this has more than 100,000 parts, written out",
    ),
]


@pytest.mark.parametrize(
    ("first", "step", "fine", "wrong", "message"), LONG, ids=[step for _, step, *_ in LONG]
)
def test_definitions_that_grow_have_a_limit(
    first: str, step: str, fine: int, wrong: int, message: str
) -> None:
    built(doubled(step, fine, first), "True")
    problem, *_ = problems_of(text(doubled(step, wrong, first), "True"))
    assert (problem.message, problem.help) == (
        message,
        "declare an auxiliary unknown that equals a part of it",
    )


def test_a_definition_must_have_a_value() -> None:
    assert values(only(built("z: x[y]", "True"), "y"), "y") == [(0,), (1,), (2,)]
    assert values(only(built("z[i]: x[y - i] for i in (1, 0)", "z[1] == 0"), "y"), "y") == [
        (1,),
        (2,),
    ]
    guarded = built("z: x[y] if y < 3 else 7", "z != 7 or y == 4")
    assert values(only(guarded, "y"), "y") == [(0,), (1,), (2,), (4,)]
    broken = built("z: x[y]", "True")
    assert (
        str(broken.check({v: d[-1] for v, d in broken.model.domains.items()})) == "definition of z"
    )


def test_goals_and_show_use_definitions_and_solutions_have_only_unknowns() -> None:
    after = "goals:\n  most: maximise(total)\nshow:\n  x: {}\n  total: total\n  double: 2 * total\n"
    best = puzzle("total: sum(x)", "total < 5 and y == 0", after).best("most")
    assert best is not None
    assert best.json()["total"] == sum(best["x"]) == 4 == best["total"] == best["double"] // 2
    hidden = next(iter(puzzle("total: sum(x)", "total == 6 and y == 0").solve()))
    assert set(hidden) == {"x", "y"}
    alone = next(
        iter(
            puzzle("d[c]: x[c.row] for c in b.cells", "sum(x) == 6 and y == 0", "show: d\n").solve()
        )
    )
    assert alone.json()["d"] == ["22", "22"]


def test_pictures_show_definitions() -> None:
    after = "show:\n  picture:\n    text: d\n    lines: join\n"
    define = "d[c]: x[c.row] + c.column for c in b.cells\njoin[e]: d[e[1]] == 3 for e in b.adjacent"
    made = puzzle(define, "x[1] == 0 and x[2] == 1 and y == 0 and x[0] == 0", after)
    solution = next(iter(made.solve()))
    text, lines = scenes_of(made.instance, solution.assignment)[0].layers
    assert list(text.texts.values()) == ["1", "2", "2", "3"]
    assert len(lines.links) == 2
    assert [layer.links for layer in scenes_of(made.instance, None)[0].layers] == [{}]


WRONG = [
    ("total: sum(z)", "True", "z is not known here", "z"),
    ("total: total + 1", "True", "total is not known here", "total"),
    ("x: 3", "True", "the name x is already used in line 5", "x"),
    ("a b: 3", "True", "'a b' does not declare a name: write name, name[i] or name[i, j]", "a b"),
    ("d[i]: 3", "True", "there is no loop over i", "3"),
    ("d: x[i] for i in range(3)", "True", "d has no index, but its definition loops over i", "d"),
    ("d[i]: x[0] for i in range(2) for j in range(2)", "True", "d[0] is defined twice", "x[0]"),
    ("d[i]: x[i] for i in range(4)", "d[0] == 1", "x has no member at 3", "x[i]"),
    ("d[v]: 1 for v in (x[0],)", "True", "an index cannot depend on an unknown", "1"),
    ("d[i]: x[i] for i in range(3)", "d[4] == 1", "d has no member at 4", "d[4]"),
    ("d: x[0] + 'a'", "d == 1", "expected a number, got 'a'", "x[0] + 'a'"),
]


@pytest.mark.parametrize(
    ("define", "rule", "message", "at"), WRONG, ids=[define for define, *_ in WRONG]
)
def test_wrong_definitions_are_reported_at_their_place(
    define: str, rule: str, message: str, at: str
) -> None:
    (problem,) = problems_of(text(define, rule))
    assert problem.message == message
    assert problem.position is not None
    assert problem.position.text[problem.position.column - 1 :].startswith(at)


def test_domains_and_data_cannot_use_definitions() -> None:
    typed = text("total: sum(x)", "True").replace("  y:", "  w: between(0, total)\n  y:")
    assert [problem.message for problem in problems_of(typed)] == ["total is not known here"]
