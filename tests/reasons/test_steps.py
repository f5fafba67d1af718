"""Steps: each follows from its own instances and reasons, by another backend;
together they reach the solution.
"""

import gc
import re
import time
import weakref
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from itertools import islice, pairwise

import pytest
from soundness import unsound
from understanding import changed

import puzzlekit
from puzzlekit.api.explanation import Explanation
from puzzlekit.clock import Clock
from puzzlekit.errors import Stopped
from puzzlekit.reasons.assumption_model import AssumptionModel, AssumptionSolver
from puzzlekit.reasons.deductions import Pattern
from puzzlekit.reasons.explainer import Explainer, explainer_of
from puzzlekit.reasons.literals import TRUE, ValueLiteral
from puzzlekit.reasons.steps import Steps
from puzzlekit.reasons.words import FactText
from tests.shipped import SMALLEST, SPECS

SECONDS = 20  # for the steps of a puzzle; those so far are checked, too
UNFINISHED = (
    "bosanowa/tiny",
    "cryptogram/garden",
    "cryptogram/proverb",
)  # in that time
TOO_LARGE = ("word_ladder/first",)  # thousands of values for each unknown
# of each kind of instance: clauses, tables, functions in tables, all shapes, region sizes,
# hidden unknowns
FAST = [
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


@lru_cache(maxsize=40)
def loaded(name: str) -> puzzlekit.Puzzle:
    """The puzzle of a spec, for tests that only read it."""
    return puzzlekit.load(None, SPECS[name])


@lru_cache(maxsize=40)
def explained(name: str) -> tuple[Explainer, Explanation]:
    """What is understood of a spec, and its explanation at the end,
    for tests that only read them.
    """
    puzzle = loaded(name)
    known = explainer_of(puzzle.instance)
    explanation = puzzle.explain({}, timeout=SECONDS)
    with suppress(Stopped):
        for _ in explanation:
            pass
    return known, explanation


def texts(name: str) -> list[str]:
    """The steps of a spec as they are told."""
    return [step.text for step in explained(name)[1].steps]


def check(name: str) -> None:
    puzzle = loaded(name)
    known, explanation = explained(name)
    facts, wrong = unsound(known, explanation)
    assert bool(facts) == bool(explanation.steps)
    assert not wrong
    solutions = list(puzzle.solve(limit=2, goal="none"))
    if len(solutions) == 1:
        assert explanation.status == "solved" or name in UNFINISHED
        values = explanation.values()
        assert {
            v: values[v] for v in known.assumption_model.goal if v in values
        }.items() <= solutions[0].assignment.items()


@pytest.mark.parametrize("name", FAST)
def test_each_step_follows(name):
    check(name)


def test_the_rules_of_auxiliary_unknowns_are_named():
    """What a clue says about the inside of a loop is no fact that a step tells."""
    check("slitherlink/sheep")


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SMALLEST if name not in (*FAST, *TOO_LARGE)])
def test_each_step_follows_in_all_types(name):
    check(name)


@pytest.mark.parametrize("name", ["sudoku/six", "slitherlink/tiny", "nurikabe/6x6"])
def test_two_runs_give_the_same_steps(name):
    def told(puzzle: puzzlekit.Puzzle) -> list[str]:
        return [step.text for step in puzzle.explain()]

    again = puzzlekit.load(None, SPECS[name])
    again.check({})
    again.conflict()  # earlier questions change nothing
    assert texts(name) == told(again) == told(again)
    assert len(texts(name)) > 5


@pytest.mark.parametrize(
    "name", ["sudoku/six", "slitherlink/tiny", "nurikabe/6x6", "waffle/pasted"]
)
def test_a_loop_that_is_left_and_begun_again_loses_no_step(name):
    puzzle = puzzlekit.load(None, SPECS[name])
    whole = texts(name)
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
    whole = texts(name)
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


def test_facts_that_others_of_their_place_imply_are_not_told() -> None:
    """A cell that is sea is in no island, which needs no words."""
    steps = [*puzzlekit.load(None, SPECS["nurikabe/6x6"]).explain()]
    facts = [fact for step in steps for fact in step.facts]
    assert any(fact.name == "sea" and str(fact.index) == "r6c5" for fact in facts)
    assert not any(fact.name == "island" and str(fact.index_cell) == "r6c5" for fact in facts)


def test_a_step_has_the_parts_of_its_sentence() -> None:
    step = next(iter(puzzlekit.load(None, SPECS["sudoku/first"]).explain()))
    plain = step.json()
    assert plain["sentence"] == "OnlyPlaceIn" and plain["text"] == step.text
    assert plain["parts"]["fact"] == step.facts[0].text == plain["placed"][0]["text"]
    (base,) = plain["base"]
    assert (plain["pattern"], base["name"]) == ("hidden single", plain["parts"]["group"])
    assert all(text in step.text for text in plain["parts"].values())


def literals_of(known: Explainer, facts: Iterable[FactText]) -> list[int]:
    """The literals of facts as they are told."""
    literals = known.assumption_model.literals
    members = known.words.puzzle.families
    return [
        literals.of_fact(
            ValueLiteral(members[fact.name].members[fact.index], fact.value, fact.positive)
        )
        for fact in facts
    ]


@pytest.mark.parametrize(
    "name",
    [
        *("sudoku/six", "star_battle/tiny", "kakuro/4x4", "akari/tiny"),
        *("word_square/tiny", "hakoiri_masashi/untold"),  # rules of several instances
    ],
)
def test_no_rule_and_no_fact_can_be_left_out(name: str) -> None:
    """Without any one of its rules or reasons, a step does not follow."""
    known, explanation = explained(name)
    solver = known.solver
    by_name: dict[str, list[int]] = {}
    for instance in known.assumption_model.instances:
        for rule in known.rules([instance]):
            by_name.setdefault(str(rule), []).append(instance.selector)

    def follow(rules: Iterable[str], reasons: Iterable[int], facts: Iterable[int]) -> bool:
        selectors = [selector for rule in rules for selector in by_name[rule]]
        return all(not solver.possible([*selectors, *reasons, -fact]) for fact in facts)

    for step in explanation.steps:
        rules = list(map(str, step.rules))
        reasons, facts = literals_of(known, step.reasons), literals_of(known, step.facts)
        assert follow(rules, reasons, facts), step.text
        for rule in rules:
            assert not follow([each for each in rules if each != rule], reasons, facts), step.text
        for reason in reasons:
            others = [each for each in reasons if each != reason]
            assert not follow(rules, others, facts), (step.text, reason)


XY_WINGS = """
  9 . . 2 4 . . . .
  . 5 . 6 9 . 2 3 1
  . 2 . . 5 . . 9 .
  . 9 . 7 . . 3 2 .
  . . 2 9 3 5 6 . 7
  . 7 . . . 2 9 . .
  . 6 9 . 2 . . 7 3
  5 1 . . 7 9 . 6 2
  2 . 7 . 8 6 . . 9
"""


def test_the_next_chain_replaces_one_whose_pattern_is_left_out() -> None:
    """It takes no trial."""
    puzzle = puzzlekit.load("sudoku", {"givens": XY_WINGS})
    patterns = {step.pattern for step in puzzle.explain()}
    explanation = puzzle.explain(without=["XY-wing", "X-chain"])
    others = {step.pattern for step in explanation}
    assert Pattern.XY_WING in patterns and Pattern.CHAIN in others
    assert others.isdisjoint({Pattern.XY_WING, Pattern.X_CHAIN, Pattern.TRIAL, Pattern.SEARCH})
    assert explanation.status == "solved"


@pytest.mark.parametrize(
    ("name", "cell", "most"),
    [
        ("sudoku/first", "r8c3", 3),
        pytest.param("sudoku/first", "r2c2", 5, marks=pytest.mark.slow),
        ("sudoku/six", "r4c6", 10),
    ],
)
def test_a_cell_needs_few_easy_steps(name: str, cell: str, most: int) -> None:
    _, explanation = explained(name)
    assert len(explanation.steps) > 2 * most
    steps = explanation.until(cell).steps
    assert [step.number for step in steps] == [*range(1, len(steps) + 1)] and len(steps) <= most
    assert cell in [str(fact.index) for fact in steps[-1].facts]


@pytest.mark.parametrize(
    "name",
    ["sudoku/six", "nurikabe/6x6", "kakuro/4x4", "masyu/tiny", "hitori/tiny", "slitherlink/tiny"],
)
def test_each_step_to_a_place_follows(name: str) -> None:
    known, explanation = explained(name)
    places = {fact.text: str(fact.index) for step in explanation.steps for fact in step.facts}
    for place in [*places.values()][-3:]:
        found = explanation.until(place)
        facts, wrong = unsound(known, found)
        assert facts and not wrong
        assert place in [str(fact.index) for step in found.steps for fact in step.facts]
        assert len(found.steps) <= len(explanation.steps)


def test_a_place_is_known_after_the_time_is_up() -> None:
    explanation = puzzlekit.load(None, SPECS["slitherlink/tiny"]).explain({}, timeout=0.001)
    with pytest.raises(Stopped):
        list(explanation)
    assert explanation.until("above r1c1").steps == []


@pytest.mark.parametrize("name", ["araf/tiny", "nurikabe/6x6"])
def test_a_place_of_a_puzzle_without_a_solution_has_its_steps(name: str) -> None:
    puzzle = puzzlekit.load(None, SPECS[name])
    wrong = changed(puzzle, 0)
    assert wrong is not None
    explanation = puzzlekit.Puzzle(puzzle.type, puzzle.spec, wrong).explain({})
    places = {str(fact.index): step.number for step in explanation for fact in step.facts}
    assert explanation.status == "unsatisfiable" and places
    for place in places:
        assert place in [
            str(fact.index) for step in explanation.until(place).steps for fact in step.facts
        ]


def test_what_leads_to_a_place_takes_no_step_from_the_whole() -> None:
    puzzle = puzzlekit.load(None, SPECS["sudoku/six"])
    whole = texts("sudoku/six")
    explanation = puzzle.explain()
    assert [*explanation.until("r1c4")] == []
    place = [step.facts[0].index for step in islice(explanation, 5)][-1]
    part = explanation.until(str(place))
    assert [*part] == part.steps and part.status == "running"
    assert [step.text for step in explanation] == whole


@pytest.mark.parametrize("name", [*FAST, "masyu/7x7", "sudoku/first"])
def test_each_reason_was_told_or_is_seen_at_once(name: str) -> None:
    """A reason is given, was told, or follows from such facts by single rules."""
    known, explanation = explained(name)
    trail = {TRUE: 0, **dict.fromkeys(known.givens, 0)}

    def look() -> None:
        """Add what single instances say, as far as these are no shapes."""
        new = True
        while new:
            new = False
            for instance in known.assumption_model.instances:
                if instance.shape:
                    continue
                for literal in instance.entailed(trail) or ():
                    if literal not in trail:
                        trail.update(known.assumption_model.consequences([literal], trail) or {})
                        new = True

    for step in explanation.steps:
        reasons = literals_of(known, step.reasons)
        if not trail.keys() >= {*reasons}:
            look()
        assert trail.keys() >= {*reasons}, step.text
        trail.update(
            known.assumption_model.consequences(literals_of(known, step.facts), trail) or {}
        )


def test_values_that_are_left_are_those_of_each_place() -> None:
    kind = {
        "puzzle": "two",
        "data": {"b": "grid[int]"},
        "variables": {"x[c]": "between(1, b[c]) for c in b.cells"},
    }
    kind["rules"] = {"each is positive": "x[c] > 0 for c in b.cells"}
    words = Explainer(puzzlekit.load(kind, {"b": [[6, 9]]}).instance).words
    six, nine = words.keys
    denied = [
        [ValueLiteral(unknown, value, positive=False) for value in (3, 4, 5, 6)]
        for unknown in (six, nine)
    ]
    assert words.facts(denied[0]) == "r1c1 is 1 or 2"
    assert words.facts([*denied[0], *denied[1]]) == "r1c1 and r1c2 are not 3, 4, 5 or 6"


def test_a_step_knows_the_data_that_its_rules_read():
    read = [
        [(field, str(place)) for rule in step.rules for field, place in rule.clues]
        for step in puzzlekit.load(None, SPECS["slitherlink/5x5"]).explain()
    ]
    assert [("clues", "r1c5")] in read


def test_an_unknown_with_many_values_has_one_of_them():
    many = {
        "puzzle": "many",
        "variables": {"x": "between(1, 60)"},
        "rules": {"it is not small": "x > 30"},
    }
    puzzle = puzzlekit.load({**many, "rules": {"it is not small": "x > 30", "nor large": "x < 32"}})
    (step,) = puzzle.explain()
    assert [(fact.name, fact.value) for fact in step.placed] == [("x", 31)]
    assert step.pattern.text == "naked single"
    assert puzzlekit.load(many).conflict().solutions == "several"
    guarded = AssumptionModel(puzzlekit.load(many).model)
    literals = guarded.literals.of_all(guarded.goal[0])
    assert not AssumptionSolver(guarded).possible([literals[40], literals[50]])
    assert AssumptionSolver(guarded).possible(
        [-literal for literal in literals if literal != literals[40]]
    )


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
    (step,) = puzzlekit.load(kind, {"b": [[1, 2, None]]}).explain()
    assert [rule.rule for rule in step.rules] == ["row 1 differs"]


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
        explanation.status == puzzle.rate().status == "unsatisfiable"
        and puzzle.conflict().solutions == "none"
    )


def test_three_cells_of_a_row_are_not_called_the_row(tmp_path):
    path = tmp_path / "rows.yaml"
    path.write_text(
        """
puzzle: rows
data: {givens: "grid[int | None] in 0..1"}
variables: {"bit[c]": "between(0, 1) for c in givens.cells"}
rules:
  givens stay: bit[c] == givens[c] for c in givens.given
  no three in a row are alike: |
    not all_equal(bit[row[i:i + 3]]) for row in givens.rows for i in range(len(row) - 2)
show: bit
""",
        "utf-8",
    )
    puzzle = puzzlekit.load(path, {"givens": ["00..0"]})
    texts = [step.text for step in puzzle.explain()]
    assert texts[0] == "r1c3 is 1: r1c1–r1c3 has its two 0s already"
    assert not any("row 1" in text for text in texts)


def test_the_meaning_of_a_function_is_charged_to_no_single_instance() -> None:
    _, explanation = explained("slitherlink/sheep")
    inside = "sheep are inside the loop and wolves outside"
    clues = {rule.where for step in explanation.steps for rule in step.rules if rule.rule == inside}
    assert len(clues) > 3  # each animal where it is needed, not the first one everywhere
    by_sheep = [step for step in explanation.steps if str(step).startswith("S at r6c1")]
    assert by_sheep
    for step in by_sheep:
        assert {rule.where for rule in step.rules if rule.rule == inside} == {"S at r6c1"}
    steps = loaded("fillomino/tight").explain()
    by_room = next(step for step in steps if "has room for" in step.text)
    assert [rule.where for rule in by_room.rules] == [""]  # all sizes, not that of one cell


@pytest.mark.parametrize("name", ["wblink/tiny", "word_search/first", "nurikabe/6x6"])
def test_what_has_one_candidate_from_the_start_is_told(name: str) -> None:
    _, explanation = explained(name)
    first = explanation.steps[0]
    assert first.pattern is Pattern.ONLY_CANDIDATE
    assert first.placed and not first.reasons
    assert len({rule.rule for rule in first.rules}) == 1


def test_a_value_that_never_had_another_one_is_told_unless_it_is_given() -> None:
    first = explained("ripple_effect/tiny")[1].steps[0]
    assert {str(fact.index) for fact in first.facts} == {"r2c2", "r5c3"}  # rooms of one cell
    puzzle = loaded("ripple_effect/tiny")
    hint = puzzle.hint({"number": {"r2c2": 1, "r5c3": 1}})
    assert "r2c2 and r5c3" not in str(hint)  # who wrote them needs no hint
    patterns = {step.pattern for step in explained("sudoku/six")[1].steps}
    assert Pattern.ONLY_CANDIDATE not in patterns


def test_a_word_is_told_with_the_letters_that_stand_there() -> None:
    told = texts("codeword/tiny")
    assert told[0] == "Row 1 can only be AROMA"
    assert told[-1] == "Column 5 can only be ABIDE, as 8 is A, 10 is I and 6 is E"


def test_eliminations_by_one_rule_for_the_same_reasons_are_one_step() -> None:
    steps = explained("word_square/tiny")[1].steps
    struck = [step for step in steps if not step.placed and step.pattern is Pattern.WIDE_RULE]
    for before, after in pairwise(struck):
        is_next = after.number == before.number + 1
        reasons = {str(fact) for fact in after.reasons}
        depends = not reasons.isdisjoint(map(str, before.struck))
        assert not is_next or before.rules != after.rules or depends or after.lines


def test_words_that_a_row_may_be_are_named() -> None:
    assert any("Row 1 can only be MICA" in text for text in texts("word_square/tiny"))


def test_no_place_of_a_base_is_struck_that_is_shown_to_be_open() -> None:
    steps = islice(loaded("killer/harder").explain(), 50)
    covered = [step for step in steps if step.base and step.cover and not step.lines]
    assert covered
    for step in covered:
        open_places = {str(fact) for card in step.base for fact in card.facts}
        assert not {str(fact).replace(" not ", " ") for fact in step.struck} & open_places, (
            step.text
        )


def test_the_lines_of_a_chain_whose_end_alone_is_told_are_below_it() -> None:
    steps = explained("kakuro/tiny")[1].steps
    ended = [step for step in steps if "in the end" in step.text.lower()]
    assert len(ended) > 2
    assert ended == [step for step in steps if step.numbered_lines]


@pytest.mark.parametrize("name", ["killer/first", "kenken/tiny"])
def test_a_sum_leaves_no_value_that_its_combinations_lack(name: str) -> None:
    number = 0
    for step in explained(name)[1].steps:
        told = re.search(r"can only be ([\d+ ,or]+); so (.*)\.", step.text + ".")
        if told is None or " not " in told[2] or "what fits" in told[2]:
            continue
        number += 1
        without_cells = re.sub(r"r\d+c\d+", "", told[2])
        assert {*re.findall(r"\d+", without_cells)} <= {*re.findall(r"\d+", told[1])}, step.text
    assert number > (10 if name == "killer/first" else 0)


@pytest.mark.parametrize("name", ["heyawake/tiny", "slitherlink/small"])
def test_each_line_of_a_chain_follows_from_those_before_it(name: str) -> None:
    steps = Steps(explainer_of(loaded(name).instance)).run()
    chains = [chain for step in steps for chain in step.deduction.chains if chain.lines]
    assert any(len(chain.lines) > 3 for chain in chains)
    for chain in chains:
        later = {literal for line in chain.lines for literal in line.literals}
        for line in chain.lines:
            later.difference_update(line.literals)
            assert later.isdisjoint(line.parents)


def test_corners_and_sides_are_named_from_the_clue_that_is_spoken_of() -> None:
    told = texts("slitherlink/5x5")
    assert not any("+r" in text for text in told)
    assert told[1].startswith("The 1 at r4c5 has just one line at its lower right corner, where")
    named = [text for text in told if "the 3 at r2c5 has" in text]
    assert named == [
        "There are lines above, right of and below r2c5: the 3 at r2c5 has no other place for its"
        " lines"
    ]


def test_a_clue_is_named_without_the_clues_and_directions_that_its_rule_reads() -> None:
    assert texts("bright_light/tiny")[0].endswith("the 2 at r2c5 has no other place for its stars")
    directions = re.compile(r"\b(up|down|left|right)\b")
    assert not any(map(directions.search, texts("balance_loop/tiny")))


def test_links_that_are_out_are_named_if_they_are_few() -> None:
    first = texts("country_road/tiny")[0]
    assert first.startswith("No line goes r4c1–r5c1, r4c2–r5c2, r5c1–r5c2 and r5c2–r5c3: ")


def test_a_cell_at_which_two_links_have_no_other_way_is_named_once() -> None:
    first = texts("pipelink/tiny")[0]
    assert first.endswith("there is no other way at r1c4, r3c3, r3c5 and r4c1")
    assert "the loop turns on the black circle at r1c1" in texts("shingoki/tiny")[0]


def test_groups_that_an_assumption_fills_are_named() -> None:
    lines = texts("star_battle/tiny")
    assert lines[0].endswith("as the region of r1c1 has its star and no two stars touch")
    assert lines[1].endswith("as row 1 and column 3 have their star")
    no_lamp = next(text for text in texts("akari/first") if "r5c8" in text)
    assert "row 5" not in no_lamp  # at most one lamp, and perhaps none


def test_a_group_without_room_for_the_second_of_two_values_is_full() -> None:
    assert texts("binairo/tiny")[3] == "r4c2 and r5c2 are 0: column 2 has its three 1s already"


def test_the_signs_that_leave_one_cell_for_a_number_are_named() -> None:
    lines = texts("futoshiki/tiny")
    assert lines[0].endswith("as r2c1 is less than r1c1 and r2c1 is less than r3c1")


def test_clues_that_leave_nothing_open_are_told_at_once() -> None:
    assert texts("kenken/tiny")[0].endswith(": the 1 cage and the 2 cage have one cell each")
    assert texts("skyscrapers/tiny")[0].startswith("Row 2 can only be 1 2 3 4: ")


def test_the_last_line_of_a_chain_that_breaks_a_rule_is_told_as_the_breach() -> None:
    breach = ": otherwise r4c3–r4c5 would all be 1 (row 4 has its three 0s)"
    assert texts("binairo/tiny")[4] == f"r4c1 is 1{breach}"
    rule = "a number counts the bars of one direction: 3 at r2c3"
    level = f"r2c3 is upright: otherwise r2c3–r4c3 would all be level ({rule})"
    assert texts("juosan/tiny")[0] == level  # what is assumed is a part of it


def test_directions_are_told_in_words() -> None:
    first = texts("arrow_numbers/tiny")[0]
    assert first.startswith("r2c1 points down right: ")


def test_a_trial_supposes_a_truth_and_its_opposite_where_no_rule_has_two_places() -> None:
    steps = explained("chocona/tiny")[1].steps
    assert Pattern.SEARCH not in {step.pattern for step in steps}
    lines = next(step.numbered_lines for step in steps if step.pattern is Pattern.TRIAL)
    assert lines[0].strip() == "a) Suppose r4c4 is shaded:"
    assert any(line.endswith("b) Suppose r4c4 is unshaded:") for line in lines)


def test_a_cell_with_too_many_beside_it_has_not_too_few() -> None:
    """The two cells beside r3c6 were shaded before, so that its own count is over."""
    puzzle = puzzlekit.load(None, SPECS["norinori/first"])
    texts = [step.text for step in puzzle.explain({}, without=["locked"])]
    assert any("r3c6 has two shaded neighbours" in text for text in texts)


def test_cases_that_are_alike_are_told_once() -> None:
    trials = (s for s in explained("magnets/first")[1].steps if s.pattern is Pattern.TRIAL)
    step = next(step for step in trials if "r3c7 is +" in step.text)
    assert any(line.endswith("; either way:") for line in step.numbered_lines)
    assert step.numbered_lines[-1].endswith("so r3c7 is not +")


def test_groups_that_need_all_that_is_left_of_a_total_are_seen() -> None:
    """Without that, the mines around r2c2 need trials of 16 lines."""
    steps = explained("minesweeper/first")[1].steps
    assert Pattern.TRIAL not in {step.pattern for step in steps}
    assert any("still need eight mines, all that are left" in step.text for step in steps)


def test_a_trial_of_another_assumption_is_told_rather_than_a_search() -> None:
    for name in ("minesweeper/first", "kakurasu/first", "star_battle/nine"):
        assert Pattern.SEARCH not in {step.pattern for step in explained(name)[1].steps}


def test_sets_are_seen_where_a_rule_counts_each_value_by_itself() -> None:
    """A rule of skyscrapers has an instance for each line and height."""
    patterns = {step.pattern for step in explained("skyscrapers/first")[1].steps}
    assert Pattern.NAKED_TRIPLE in patterns


def test_a_rule_is_looked_at_before_a_single_that_rests_on_chains() -> None:
    """The 2 in row 1 gives r1c1, before chains that a single in row 5 would need."""
    steps = explained("doppelblock/first")[1].steps
    shaded = next(step.number for step in steps if "r1c1 is 0" in step.text)
    assert shaded == 14
    assert sum(step.pattern is Pattern.CHAIN for step in steps) <= 2


def test_a_value_that_another_one_decides_comes_first() -> None:
    lines = texts("magnets/tiny")
    position = next(index for index, line in enumerate(lines) if line.startswith("r3c2 is -"))
    assert lines[position + 1].startswith("r4c2 is +, as r3c2 is -")


def test_an_excerpt_shows_only_what_its_own_steps_place() -> None:
    explanation = explained("sudoku/first")[1]
    excerpt = explanation.until("r5c5")
    assert 1 < len(excerpt.steps) < len(explanation.steps)
    shown = len(excerpt.values(excerpt.steps[0]))
    for step in excerpt.steps:
        assert len(excerpt.values(step)) == shown
        shown += len(step.placed)


def test_an_excerpt_shows_no_candidate_that_a_value_beside_it_excludes() -> None:
    excerpt = explained("sudoku/first")[1].until("r1c7")
    (unknown,) = (each for each in excerpt.values() if str(each).endswith("[r1c7]"))
    value = excerpt.values()[unknown]
    in_row = [vs for each, vs in excerpt.candidates().items() if "[r1c" in str(each)]
    assert in_row and not any(value in values for values in in_row)


def test_an_excerpt_of_an_excerpt_has_all_steps_that_it_needs() -> None:
    excerpt = explained("sudoku/first")[1].until("r1c7")
    texts = [step.text for step in excerpt.steps]
    assert [step.text for step in excerpt.until("r1c7").steps] == texts
