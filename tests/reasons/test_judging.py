"""Boards in the making: right ones are never blamed, wrong ones always,
and what is blamed is to blame.
"""

import random

import pytest

import puzzlekit
from puzzlekit.reasons.checking import check
from puzzlekit.reasons.explainer import explainer_of
from puzzlekit.reasons.literals import ValueLiteral
from tests.shipped import SMALLEST, SPECS

SOME = [
    "sudoku/six",
    "slitherlink/tiny",
    "nurikabe/6x6",
    "masyu/tiny",
    "kakuro/4x4",
    "zebra/zebra",
    "waffle/pasted",
]
BOARDS = 26  # of each type: 40 types make more than a thousand


def half_filled(name, seeds):
    """Boards made from the only solution, as facts, and whether they are right:
    every other one has up to three errors.
    """
    puzzle = puzzlekit.load(None, SPECS[name])
    solutions = list(puzzle.solve(limit=2, goal="none"))
    if len(solutions) != 1:
        pytest.skip("the spec has several solutions")
    values = solutions[0].assignment
    goal = explainer_of(puzzle.instance).assumption_model.goal
    if len(goal) < 2:
        pytest.skip("the spec has a single unknown")
    for seed in seeds:
        rng = random.Random(seed)
        chosen = rng.sample(goal, rng.randint(1, len(goal)))
        facts = {variable: values[variable] for variable in chosen}
        wrong = seed % 2
        for variable in rng.sample(chosen, min(len(chosen), rng.randint(1, 3))) if wrong else ():
            facts[variable] = rng.choice(
                [value for value in puzzle.model.domains[variable] if value != values[variable]]
            )
        yield (
            puzzle,
            [ValueLiteral(variable, value) for variable, value in facts.items()],
            not wrong,
        )


def check_half_filled(name, seeds):
    for puzzle, facts, right in half_filled(name, seeds):
        found = check(explainer_of(puzzle.instance), facts)
        assert bool(found) == right, (found.text, list(map(str, facts)))
        if right:
            assert not found.several
            continue
        own = explainer_of(puzzle.instance)
        literal = {
            own.words.fact_text(fact): own.assumption_model.literals.of_fact(fact) for fact in facts
        }
        blamed = [literal[mark] for mark in found.facts]
        everything = own.solver.all_selectors
        assert not own.solver.possible([*everything, *blamed])
        assert all(
            own.solver.possible([*everything, *(one for one in blamed if one != left)])
            for left in blamed
        ) or (found.verdict == "violates")
        if found.verdict == "violates":
            broken = {rule.rule for rule in found.rules}
            named = [one for one in own.assumption_model.instances if one.origin.rule in broken]
            assert not own.solver.possible([*(i.selector for i in named), *own.givens, *blamed])


@pytest.mark.parametrize("name", SOME)
def test_half_filled_boards(name):
    check_half_filled(name, range(4))


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALLEST)
def test_half_filled_boards_of_all_types(name):
    check_half_filled(name, range(BOARDS))


def test_an_empty_board_is_right():
    puzzle = puzzlekit.load(None, SPECS["sudoku/first"])
    found = puzzle.check({})
    assert (found.verdict, found.several, found.complete) == ("ok", False, False)


def test_a_broken_rule_is_named_with_its_cells():
    puzzle = puzzlekit.load(None, SPECS["sudoku/first"])
    found = puzzle.check({"digit": {"r1c3": 4, "r1c4": 4}})
    assert found.verdict == "violates"
    assert found.rules[0].rule == "every row holds each digit once"
    assert [mark.text for mark in found.facts] == ["r1c3 is 4", "r1c4 is 4"]
    assert str(found.rules[0]) in found.text


def test_a_mark_that_no_solution_has_leads_nowhere():
    puzzle = puzzlekit.load(None, SPECS["sudoku/first"])
    found = puzzle.check({"digit": {"r1c3": 2}})
    assert found.verdict == "dead_end"
    assert [mark.text for mark in found.facts] == ["r1c3 is 2"]
    assert found.rules


def test_crosses():
    puzzle = puzzlekit.load(None, SPECS["sudoku/first"])
    assert puzzle.check({"not": {"digit": {"r1c3": [2, 3]}}})
    assert not puzzle.check({"not": {"digit": {"r1c3": 4}}})
    lines = puzzlekit.load(None, SPECS["slitherlink/5x5"])
    assert lines.check({"line": [["+r1c1", "+r1c2"]]})
    assert not lines.check({"not": {"line": [["+r1c1", "+r1c2"]]}})


def test_a_whole_wrong_answer_names_a_rule():
    puzzle = puzzlekit.load(None, SPECS["hitori/tiny"])
    (solution,) = puzzle.solve()
    rows = [list(row) for row in solution["shaded"]]
    rows[0][0] = "-" if rows[0][0] == "#" else "#"
    found = puzzle.check({"answer": ["".join(row) for row in rows]})
    assert (found.verdict, found.complete) == ("violates", True)
    assert str(found.rules[0]) in found.text


@pytest.mark.parametrize(
    ("marks", "message"),
    [
        ({"digits": {}}, "has no unknown digits"),
        ({"digit": {"r1c30": 4}}, "no member at r1c30"),
        ({"digit": {"r1c3": 40}}, "cannot be 40"),
        ({"digit": ["1"]}, "expected 9 rows, got 1"),
        ({"digit": ["1"] * 9}, "row 1: expected 9 marks, got 1"),
        ({"not": 3}, "what is excluded"),
        ({3: 1}, "no unknown 3"),
    ],
)
def test_wrong_marks_are_refused(marks, message):
    puzzle = puzzlekit.load(None, SPECS["sudoku/first"])
    with pytest.raises(puzzlekit.InputError, match=message):
        puzzle.check(marks)


def test_a_mark_against_a_given_names_the_rule_of_givens() -> None:
    puzzle = puzzlekit.load(None, SPECS["sudoku/six"])
    cell = next(
        c for c, value in puzzle.instance.data["givens"].values.items() if value is not None
    )
    value = puzzle.instance.data["givens"].values[cell]
    for marks in ({"digit": {str(cell): value % 6 + 1}}, {"not": {"digit": {str(cell): [value]}}}):
        found = puzzle.check(marks)
        assert found.verdict == "violates" and [rule.rule for rule in found.rules] == [
            "givens stay"
        ]


def test_a_mark_against_a_clue_about_the_inside_of_a_loop() -> None:
    puzzle = puzzlekit.load(None, SPECS["slitherlink/sheep"])
    verdict = puzzle.check({"not": {"line": [["+r3c1", "+r4c1"]]}})
    assert verdict.verdict == "violates"
    assert verdict.rules[0].where == "S at r3c1"
    assert verdict.facts


def test_what_a_reader_does_not_see_is_told_apart_from_what_is_marked() -> None:
    puzzle = puzzlekit.load(None, SPECS["nurikabe/tiny"])
    verdict = puzzle.check({"sea": {"r2c1": True}})
    forced = "r1c1, r1c2 and r2c2 are sea from the start"
    assert verdict.text.endswith(f"(r1c1–r2c2), but r2c1 is sea, and {forced}.")
    assert [str(fact) for fact in verdict.facts] == ["r2c1 is sea"]
