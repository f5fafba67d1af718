"""The levels of presolve: the same solutions on every backend, and what each level takes away."""

from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from puzzlekit.api import Presolve, Puzzle, Query, load
from puzzlekit.backends import BACKENDS
from puzzlekit.errors import InputError, Unsupported
from puzzlekit.model import Comparison, Constant, Constraint, Model, Origin, Table, Variable
from puzzlekit.presolve.pipeline import presolve, presolve_report
from tests.backends.test_agreement import AIMED, PLAIN, SHAPES
from tests.model.asking import search
from tests.model.drawn import drawn
from tests.model.random_models import best, shown, story, visible_solutions

ROOT = Path(__file__).resolve().parents[2]
LESS = (Presolve.NONE, Presolve.LIGHT)
FEW, MANY = 32, 600  # random models, in `make test` and in the long run
# types of many kinds, on specs that each backend solves quickly without presolve
SPECS = (
    *(
        "queens/n6.yaml",
        "sudoku/ai_escargot.yaml",
        "cryptarithm/two.yaml",
        "masyu/tiny.yaml",
        "zebra/fish.yaml",
    ),
    *(
        "sanalouhos/tiny.yaml",
        "kakuro/small.yaml",
        "star_battle/fourteen.yaml",
        "hitori/small.yaml",
        "unwordle/first.yaml",
    ),
)


def check(model: Model, name: str, level: Presolve) -> None:
    """The same solutions and the same number of them as by plain search."""
    plain = replace(model, goal=None)
    wanted = visible_solutions(plain)
    try:
        found = [shown(plain, values) for values in search(plain, name, level=level).run(Query())]
        assert sorted(found, key=str) == sorted(wanted, key=str)
        assert search(plain, name, level=level).count() == len(wanted)
        if model.goal is not None:
            goal = model.goal
            values = [
                goal.term.value(v) for v in search(model, name, level=level).run(Query("optimise"))
            ]
            assert (values[-1] if values else None) == best(model)
    except Exception as error:
        error.add_note(f"{name}, {level}\n{story(model)}")
        raise


@pytest.mark.parametrize("strategy", [PLAIN, SHAPES, AIMED], ids=["plain", "shapes", "aimed"])
def test_less_presolve_has_the_same_solutions(strategy: object) -> None:
    names = [*BACKENDS]
    for number, (model, _) in enumerate(drawn(strategy, FEW)):  # type: ignore[arg-type]
        check(model, names[number % len(names)], LESS[number // len(names) % 2])


@pytest.mark.slow
@pytest.mark.parametrize("level", LESS)
@pytest.mark.parametrize("name", BACKENDS)
@pytest.mark.parametrize("strategy", [PLAIN, SHAPES, AIMED], ids=["plain", "shapes", "aimed"])
def test_less_presolve_has_the_same_solutions_on_many(
    strategy: object, name: str, level: Presolve
) -> None:
    for model, _ in drawn(strategy, MANY):  # type: ignore[arg-type]
        check(model, name, level)


def found(puzzle: Puzzle, name: str, level: Presolve) -> set[object]:
    query = Query(limit=3, goal="none", ordered=False, presolve=level)
    run = puzzle.run(query, name, 60)
    solutions = {solution.key() for solution in islice(run, 3)}
    run.raise_reason()
    assert run.solved_by == name or level is not Presolve.NONE
    return solutions


def require_same(spec: str, name: str) -> None:
    puzzle = load(None, ROOT / "specs" / spec)
    with_it = found(puzzle, name, Presolve.FULL)
    for level in LESS:
        try:
            assert len(found(puzzle, name, level)) == len(with_it)
            assert len(with_it) == 3 or found(puzzle, name, level) == with_it
        except Unsupported:
            assert name != "sat"


@pytest.mark.parametrize(("number", "spec"), [*enumerate(SPECS)], ids=str)
def test_specs_have_the_same_solutions(number: int, spec: str) -> None:
    require_same(spec, ("sat", "asp", "z3", "cp-sat", "exact-cover")[number % 5])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sat", "asp", "z3", "cp-sat", "exact-cover"])
@pytest.mark.parametrize("spec", SPECS)
def test_specs_have_the_same_solutions_on_many_backends(spec: str, name: str) -> None:
    require_same(spec, name)


def board() -> Model:
    """x = 2, and y is the other one of 1 and 2 by a table; z is free."""
    x, y, z = map(Variable, "xyz")
    rows = [[0, 1], [1, 0]]
    from numpy import array, uint32

    table = Table((x, y), array(rows, dtype=uint32), ((1, 2), (1, 2)))
    known = Comparison("==", x, Constant(2))
    rules = (Constraint(known, Origin("x is known")), Constraint(table, Origin("they differ")))
    return Model({x: (1, 2), y: (1, 2), z: (1, 2)}, rules)


def test_without_presolve_nothing_is_removed() -> None:
    before = board()
    after = presolve(before, level=Presolve.NONE)
    assert dict(after.domains) == dict(before.domains)
    assert sorted(constraint.origin.rule for constraint in after.constraints) == [
        "they differ",
        "x is known",
    ]
    one = search(before, "sat", level=Presolve.NONE)
    assert len(one.components) == 1 and not one.fixed
    assert search(before, "sat").fixed.keys() == set(list(before.domains)[:2])


def test_the_report_counts_each_condition_once() -> None:
    full, none = (presolve_report(board(), level) for level in (Presolve.FULL, Presolve.NONE))
    assert (full.unknowns, full.fixed, full.values, full.removed, full.parts) == (3, 2, 6, 2, 0)
    assert [
        (rule.rule, rule.hold, rule.remaining, rule.rows, rule.rows_remaining)
        for rule in full.rules
    ] == [
        ("x is known", 1, 0, 0, 0),
        ("they differ", 1, 0, 2, 0),
    ]
    assert (none.fixed, none.removed, none.parts) == (0, 0, 1)
    assert [(rule.hold, rule.remaining, rule.rows_remaining) for rule in none.rules] == [
        (0, 1, 0),
        (0, 1, 2),
    ]
    for name in ("waffle/first.yaml", "sudoku/ai_escargot.yaml", "masyu/tiny.yaml"):
        model = load(None, ROOT / "specs" / name).model
        reports = [presolve_report(model, level) for level in Presolve]
        for report in reports:
            assert all(
                rule.conditions == rule.hold + rule.joined + rule.remaining for rule in report.rules
            )
            assert sum(rule.conditions for rule in report.rules) == len(model.constraints)
        assert reports[0].fixed <= reports[1].fixed <= reports[2].fixed
        assert reports[0].removed <= reports[1].removed <= reports[2].removed


def test_the_report_says_why_there_is_no_solution() -> None:
    x = Variable("x")
    rules = tuple(
        Constraint(Comparison("==", x, Constant(value)), Origin(f"x is {value}"))
        for value in (1, 2)
    )
    report = presolve_report(Model({x: (1, 2)}, rules), Presolve.FULL)
    assert "x is 2" in report.conflict and not report.rules


def test_an_unknown_level_is_reported() -> None:
    with pytest.raises(InputError, match="presolve requires one of none, light, full, got 'some'"):
        Query(presolve="some")  # type: ignore[arg-type]
