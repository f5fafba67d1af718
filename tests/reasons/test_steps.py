"""Steps: each follows from its own instances and reasons, by another backend; together they reach the solution."""

import gc
import time
import weakref
from contextlib import suppress
from itertools import islice

import pytest
from soundness import unsound
from understanding import changed

import puzzlekit
from puzzlekit.clock import Clock
from puzzlekit.errors import Stopped
from puzzlekit.reasons.guarded import Asking, GuardedModel
from puzzlekit.reasons.literals import Fact
from puzzlekit.reasons.understanding import Understanding, understood
from tests.shipped import SMALLEST, SPECS

SECONDS = 20  # for the steps of a puzzle; those so far are checked, too
UNFINISHED = (
    "bosanowa/tiny",
    "cryptogram/garden",
    "cryptogram/proverb",
    "fillomino/small",
)  # in that time
TOO_LARGE = ("word_ladder/first",)  # thousands of values for each unknown
FAST = [  # of each kind of instance: clauses, tables, functions in tables, all shapes, region sizes, hidden unknowns
    *(
        "sudoku/six",
        "slitherlink/tiny",
        "nurikabe/6x6",
        "waffle/pasted",
        "kakuro/4x4",
        "star_battle/tiny",
        "hashi/small",
    ),
    *(
        "araf/tiny",
        "nawabari/tiny",
        "nonogram/rings",
        "masyu/tiny",
        "tents/tiny",
        "zebra/zebra",
        "binairo/tiny",
    ),
    *(
        "akari/tiny",
        "castle_wall/small",
        "creek/tiny",
        "slant/tiny",
        "hitori/tiny",
        "yajilin/tiny",
        "choco_banana/tiny",
    ),
]


def check(name: str) -> None:
    puzzle = puzzlekit.load(None, SPECS[name])
    known = understood(puzzle.instance)
    explanation = puzzle.explain({}, timeout=SECONDS)
    with suppress(Stopped):
        for _ in explanation:
            pass
    facts, wrong = unsound(known, explanation)
    assert facts and not wrong
    solutions = list(puzzle.solve(limit=2, goal="none"))
    if len(solutions) == 1:
        assert explanation.status == "solved" or name in UNFINISHED
        values = explanation.values()
        assert {v: values[v] for v in known.guarded.goal if v in values}.items() <= solutions[
            0
        ].assignment.items()


@pytest.mark.parametrize("name", FAST)
def test_each_step_follows(name):
    check(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SMALLEST if name not in (*FAST, *TOO_LARGE)])
def test_each_step_follows_in_all_types(name):
    check(name)


@pytest.mark.parametrize("name", ["sudoku/six", "slitherlink/tiny", "nurikabe/6x6"])
def test_two_runs_give_the_same_steps(name):
    def told(puzzle: puzzlekit.Puzzle) -> list[str]:
        return [step.text for step in puzzle.explain()]

    first = puzzlekit.load(None, SPECS[name])
    again = puzzlekit.load(None, SPECS[name])
    again.check({})
    again.conflict()  # earlier questions change nothing
    assert told(first) == told(again) == told(again)
    assert len(told(first)) > 5


@pytest.mark.parametrize(
    "name", ["sudoku/six", "slitherlink/tiny", "nurikabe/6x6", "waffle/pasted"]
)
def test_a_loop_that_is_left_and_begun_again_loses_no_step(name):
    puzzle = puzzlekit.load(None, SPECS[name])
    whole = [step.text for step in puzzle.explain()]
    explanation = puzzle.explain()
    for most in range(1, len(whole)):
        assert [step.text for step, _ in zip(explanation, range(most))] == whole[:most]
    assert [step.text for step in explanation] == whole


@pytest.mark.parametrize("name", ["sudoku/six", "slitherlink/tiny", "nurikabe/6x6"])
def test_a_run_that_is_stopped_anywhere_goes_on_as_if_it_was_not(name):
    class Impatient(Clock):
        left_to_ask = 0

        def check(self) -> None:
            self.left_to_ask -= 1
            if self.left_to_ask < 0:
                raise Stopped("the time is up")

    puzzle = puzzlekit.load(None, SPECS[name])
    whole = [step.text for step in puzzle.explain()]
    explanation, clock, stops = puzzle.explain(), Impatient(), 0
    while explanation.status == "running":
        clock.left_to_ask = (
            3 + 10 * stops
        )  # ever more, so that there is time for the longest search
        with suppress(Stopped), clock.running():
            for _ in explanation:
                pass
            continue
        stops += 1
    assert [step.text for step in explanation.steps] == whole and stops > 5


def test_a_look_at_a_wide_table_ends_when_the_time_is_up():
    explanation = puzzlekit.load(None, SPECS["word_ladder/first"]).explain()
    began = time.process_time()
    with pytest.raises(Stopped), Clock(1).running():
        list(explanation)
    assert time.process_time() - began < 5


def test_the_model_is_made_under_the_clock():
    puzzle = puzzlekit.load(None, SPECS["sudoku/first"])
    assert puzzle.rate(timeout=0).status == "running"
    explanation = puzzle.explain()
    with pytest.raises(Stopped), Clock(0).running():
        list(explanation)
    assert not explanation.steps and not explanation.values()
    assert list(explanation) and explanation.status == "solved"


def test_goals_are_said_to_be_left_out():
    kind = {
        "puzzle": "p",
        "variables": {"x": "between(1, 3)"},
        "rules": {"small": "x < 3"},
        "goals": {"most": "maximise(x)"},
    }
    puzzle = puzzlekit.load(kind)
    explanation = puzzle.explain()
    list(explanation)
    left_out = "All solutions count: the goal most is left out."
    assert (explanation.status, explanation.aside) == ("stuck", left_out)
    assert left_out in puzzle.conflict().text and left_out in puzzle.check({}).text


def test_a_step_reads_as_a_friend_would_say_it():
    told = {
        step.facts[0].text: step.text
        for step in puzzlekit.load(None, SPECS["sudoku/first"]).explain()
    }
    digits = "every row holds each digit once"
    assert told["r5c5 is 5"] == (
        "r5c5 is 5, since nothing else is left: column 5 has 1, 2, 6, 7, 8 and 9; row 5 has 3 and 4 "
        f"(every column holds each digit once and {digits})"
    )
    assert told["r4c4 is 7"].startswith(
        "r4c4 is 7, since nothing else in row 4 can be 7: r4c1 is 8, r4c5 is 6, r4c9 is 3 and r6c1, r7c6 and r5c7 are 7"
    )
    told = [step.text for step in puzzlekit.load(None, SPECS["nurikabe/6x6"]).explain()]
    assert "r6c5 is sea, since without it two parts could not meet: the sea hangs together" in told
    assert (
        "r4c3 is land, since r3c2, r3c3 and r4c2 are sea: no block of two by two is sea (r3c2–r4c3)"
        in "\n".join(told)
    )
    assert (
        "r3c4 and r4c5 are not in the island of r4c4, since r4c4 and r4c3 are in the island of r4c4: "
        in "\n".join(told)
    )
    assert any(
        step.endswith("; so r3c4 and r4c5 are sea (a cell is sea or in one island)")
        for step in told
    )
    assert not any("r2c6 is not in the island" in step for step in told)  # it is sea


@pytest.mark.parametrize(
    ("name", "step"),
    [
        (
            "slitherlink/5x5",
            "There is a line on the right of r5c5: otherwise there is no line at the bottom of r5c5 "
            "(the lines make one closed loop), but a clue counts the lines around its cell (3 at r5c5)",
        ),
        (
            "slitherlink/5x5",
            "There is no line at the top of r4c5, since there is a line on the right of r5c5: otherwise there are no lines at "
            "the top of r5c5 and on the right of r4c5 (a clue counts the lines around its cell: 1 at r4c5), "
            "but a loop does not end there (the lines make one closed loop)",
        ),
        (
            "kakuro/4x4",
            "r2c4 is not 7: otherwise r2c5 is 7 (a run across adds up to its sum: 14 at r2c3), "
            "but the digits of a run differ (r2c4 across)",
        ),
        (
            "star_battle/tiny",
            "There is no star at r2c4: otherwise there are no stars at r1c4, r1c3, r2c5 and r1c5 "
            "(no two stars touch: +r2c4 and +r2c5), but every region has its stars (region B)",
        ),
        (
            "nurikabe/6x6",
            "r5c5 is sea, since r1c2 is sea and r5c6 and r6c4 are land: otherwise r5c5 is in the island of r5c6 "
            "(a cell is sea or in one island: r5c5), then r6c5 is land (it would be cut off; the sea hangs together), "
            "but islands do not touch (r5c6, r5c5 and r6c5)",
        ),
    ],
)
def test_a_trial_is_told_rule_by_rule(name: str, step: str) -> None:
    assert step in [step.text for step in puzzlekit.load(None, SPECS[name]).explain()]


@pytest.mark.parametrize("name", ["sudoku/six", "sudoku/first"])
def test_each_rule_that_is_named_is_needed(name):
    for step in puzzlekit.load(None, SPECS[name]).explain():
        used = [
            {fact.text for fact in step.reasons if {*fact.cells} <= {*rule.cells}}
            for rule in step.rules
        ]
        if step.single and all(rule.group for rule in step.rules):
            assert all(
                own - set().union(*used[:n], *used[n + 1 :]) for n, own in enumerate(used)
            ), step.text


@pytest.mark.parametrize(
    ("name", "cell", "most"),
    [
        ("sudoku/first", "r8c3", 3),
        pytest.param("sudoku/first", "r2c2", 5, marks=pytest.mark.slow),
        ("sudoku/six", "r4c6", 8),
    ],
)
def test_a_cell_needs_few_easy_steps(name: str, cell: str, most: int) -> None:
    explanation = puzzlekit.load(None, SPECS[name]).explain()
    assert len([*explanation]) > 3 * most
    steps = explanation.until(cell).steps
    assert [step.number for step in steps] == [*range(1, len(steps) + 1)] and len(steps) <= most
    assert [str(fact.index) for fact in steps[-1].facts] == [cell]
    assert all("nothing else" in step.text for step in steps)


@pytest.mark.parametrize(
    "name",
    ["sudoku/six", "nurikabe/6x6", "kakuro/4x4", "masyu/tiny", "hitori/tiny", "slitherlink/tiny"],
)
def test_each_step_to_a_place_follows(name: str) -> None:
    puzzle = puzzlekit.load(None, SPECS[name])
    known = understood(puzzle.instance)
    explanation = puzzle.explain({})
    places = {fact.text: str(fact.index) for step in explanation for fact in step.facts}
    for place in [*places.values()][-3:]:
        found = explanation.until(place)
        facts, wrong = unsound(known, found)
        assert facts and not wrong
        assert place in [str(fact.index) for step in found.steps for fact in step.facts]
        assert len(found.steps) <= len(explanation.steps)


@pytest.mark.parametrize("name", ["araf/tiny", "hitori/blanks"])
def test_a_place_of_a_puzzle_without_a_solution_has_its_steps(name: str) -> None:
    puzzle = puzzlekit.load(None, SPECS[name])
    wrong = changed(puzzle, 0)
    assert wrong is not None
    explanation = puzzlekit.Puzzle(puzzle.type, puzzle.spec, wrong).explain({})
    places = {str(fact.index): step.number for step in explanation for fact in step.facts}
    assert explanation.status == "contradicted" and places
    for place in places:
        assert place in [
            str(fact.index) for step in explanation.until(place).steps for fact in step.facts
        ]


def test_what_leads_to_a_place_takes_no_step_from_the_whole() -> None:
    puzzle = puzzlekit.load(None, SPECS["sudoku/six"])
    whole = [step.text for step in puzzle.explain()]
    explanation = puzzle.explain()
    assert [*explanation.until("r1c4")] == []
    place = [step.facts[0].index for step in islice(explanation, 5)][-1]
    part = explanation.until(str(place))
    assert [*part] == part.steps and part.status == "running"
    assert [step.text for step in explanation] == whole


@pytest.mark.parametrize("name", [*FAST, "masyu/7x7", "sudoku/first"])
def test_each_reason_is_given_or_was_told_before(name):
    puzzle = puzzlekit.load(None, SPECS[name])
    known = understood(puzzle.instance)
    stated: dict[
        tuple[str, str], set[str]
    ] = {}  # by unknown, the rules that state its value by themselves
    told, places, rules = set[tuple[str, str]](), {"()"}, set[str]()
    for instance in known.guarded.instances:
        unknowns = {
            known.guarded.literals.fact(one).unknown
            for one in instance.scope
            if known.guarded.literals.knows(one)
        }
        for one in (
            unknowns & known.words.keys.keys() if len(unknowns) == 1 and not instance.shape else ()
        ):
            (name, key), (rule, *_), at = (
                known.words.keys[one],
                map(str, known.rules([instance])),
                str(known.words.at(one)),
            )
            stated.setdefault((name, str(key)), set()).add(rule)
            places.update([at] if at in rule else [])  # what is given there is seen
    for step in puzzle.explain():
        rules.update(map(str, step.rules))
        for reason in step.reasons:
            key = reason.name, str(reason.index)
            assert key in told or str(reason.at) in places or rules & stated.get(key, set()), (
                step.text,
                reason.text,
            )
        told.update((fact.name, str(fact.index)) for fact in step.facts)
        places.update(str(fact.at) for fact in step.facts)


@pytest.mark.parametrize(
    ("name", "part"),
    [
        (
            "slitherlink/5x5",
            "since there are no lines at the top of r1c5 and on the right of r1c5: a clue counts",
        ),
        (
            "slitherlink/5x5",
            "since there is no line at the top of r1c5, and a loop does not end there: the lines make one",
        ),
        (
            "slitherlink/5x5",
            "on the left of r1c5 and at the top of r2c5, and a loop does not fork: the lines make one closed",
        ),
        ("slitherlink/5x5", "a clue counts the lines around its cell (2 at r1c5)"),
        (
            "kakuro/4x4",
            "a run across adds up to its sum (22 at r4c1)",
        ),  # a clue that a `let` reads from the fields
        ("hitori/tiny", "no number is left twice in a row or column (2 in r1c5 and r5c5)"),
        (
            "hitori/tiny",
            "shaded cells do not touch (r1c3 and r1c4)",
        ),  # not the numbers there, which it does not read
        ("heyawake/tiny", "a number counts the shaded cells of its room (2 at r2c3)"),
        ("heyawake/tiny", "no two shaded cells are neighbours (r4c1 and r5c1; r5c3 and r5c4)"),
        ("skyscrapers/tiny", "a clue counts the buildings that are seen (clue 4 in row 2)"),
        (
            "skyscrapers/tiny",
            "since nothing else is left: row 1 has 3 and 4; column 1 has 1 (every line has each height once)",
        ),
        ("masyu/tiny", "since they would be cut off"),
        (
            "masyu/tiny",
            "before and after a black pearl: r3c2, left): the loop turns on a black pearl (r3c2, right)",
        ),
        ("nonogram/unknown", "r3c5 are black: every row has its runs (clue 5 in row 3)"),
        ("hashi/three", "r1c1–r1c3 and r1c1–r3c1 have 3 bridges"),
        ("hashi/three", "r1c3–r3c3 has 1 bridge, since"),
        ("zebra/tiny", "this is the right neighbour of that (water, arnold; milk, water)"),
        ("kakuro/4x4", "r3c5 is not 2, 6 or 7 and r3c4 is 3"),
        ("waffle/pasted", "r2c1 is not B or G"),  # as the board shows them
        ("waffle/pasted", "r1c3 is grey in row 1 and column 3: a cell shows its better mark"),
    ],
)
def test_a_rule_names_its_clues_and_places(name, part):
    assert part in "\n".join(step.text for step in puzzlekit.load(None, SPECS[name]).explain())


def test_values_that_are_left_are_those_of_each_place() -> None:
    kind = {
        "puzzle": "two",
        "data": {"b": "grid[int]"},
        "variables": {"x[c]": "between(1, b[c]) for c in b.cells"},
    }
    kind["rules"] = {"each is positive": "x[c] > 0 for c in b.cells"}
    words = Understanding(puzzlekit.load(kind, {"b": [[6, 9]]}).instance).words
    six, nine = words.keys
    denied = [
        [Fact(unknown, value, holds=False) for value in (3, 4, 5, 6)] for unknown in (six, nine)
    ]
    assert words.facts(denied[0]) == "r1c1 is 1 or 2"
    assert words.facts([*denied[0], *denied[1]]) == "r1c1 and r1c2 are not 3, 4, 5 or 6"


def test_a_step_knows_the_data_that_its_rules_read():
    step = next(
        step
        for step in puzzlekit.load(None, SPECS["slitherlink/5x5"]).explain()
        if "(2 at r1c5)" in step.text
    )
    assert [(field, str(place)) for rule in step.rules for field, place in rule.clues] == [
        ("clues", "r1c5")
    ]


def test_an_unknown_with_many_values_has_one_of_them():
    many = {
        "puzzle": "many",
        "variables": {"x": "between(1, 60)"},
        "rules": {"it is not small": "x > 30"},
    }
    puzzle = puzzlekit.load({**many, "rules": {"it is not small": "x > 30", "nor large": "x < 32"}})
    assert [step.text for step in puzzle.explain()] == [
        "X is 31, since nothing else is left: it is not small and nor large"
    ]
    assert puzzlekit.load(many).conflict().solutions == "several"
    guarded = GuardedModel(puzzlekit.load(many).model)
    literals = guarded.literals.of_all(guarded.goal[0])
    assert not Asking(guarded).possible([literals[40], literals[50]])
    assert Asking(guarded).possible([-literal for literal in literals if literal != literals[40]])


def test_a_rule_whose_name_has_values_keeps_them():
    kind = {
        "puzzle": "rows",
        "data": {"b": "grid[int | None]"},
        "variables": {"x[c]": "between(1, 3) for c in b.cells"},
    }
    kind["let"] = {"lines": "[[c for c in row] for row in b.rows]"}
    kind["rules"] = {
        "{line} differs": "all_different(x[line]) for line in lines",
        "stay": "x[c] == b[c] for c in b.numbers",
    }
    steps = [step.text for step in puzzlekit.load(kind, {"b": [[1, 2, None]]}).explain()]
    assert steps == ["r1c3 is 3, since nothing else is left: row 1 has 1 and 2 (row 1 differs)"]


def test_what_is_understood_of_a_puzzle_goes_with_it() -> None:
    puzzle = puzzlekit.load(None, SPECS["slant/tiny"])
    assert puzzle.rate() == puzzle.rate()
    left = weakref.ref(puzzle.instance)
    del puzzle
    gc.collect()
    assert left() is None


@pytest.mark.parametrize(
    ("variables", "rules"),
    [
        (
            "{'x[i]': 'between(1, 4) for i in range(5)'}",
            "{differ: 'x[i] != x[j] for i in range(5) for j in range(i)'}",
        ),
        ("{x: 'between(1, 3)', y: 'between(1, 3)'}", "{one: x == 1, two: y == 2, same: x == y}"),
    ],
    ids=["no step shows it", "it is never looked at"],
)
def test_a_puzzle_without_a_solution_is_not_said_to_have_one_or_several(
    variables: str, rules: str
) -> None:
    puzzle = puzzlekit.load(f"puzzle: p\nvariables: {variables}\nrules: {rules}\n")
    explanation = puzzle.explain()
    list(explanation)
    assert (
        explanation.status == puzzle.rate().status == "contradicted"
        and puzzle.conflict().solutions == "none"
    )
