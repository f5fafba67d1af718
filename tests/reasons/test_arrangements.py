"""The rows that a rule leaves to a line, and the numbers that a clue would be: as plain search over
all rows has them.
"""

from itertools import permutations

import puzzlekit
from puzzlekit.reasons.arrangements import LineRows, arrangements, differences_from_target
from puzzlekit.reasons.explainer import Explainer
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.narration import Narrator
from puzzlekit.reasons.steps import Steps
from tests.commands import ROOT


def explainer(name: str) -> Explainer:
    return Explainer(puzzlekit.load(None, ROOT / "specs" / f"{name}.yaml").instance)


def instances(explained: Explainer, *names: str) -> list[GroundRule]:
    """The instances with these names."""
    rules = explained.assumption_model.instances
    return [rule for rule in rules if str(explained.rule(rule)) in names]


def seen(row: tuple[int, ...]) -> int:
    return sum(all(height > before for before in row[:index]) for index, height in enumerate(row))


LINE = [f"every line has each height once ({height} in row 3)" for height in range(1, 5)]
CLUE = "a clue counts the buildings that are seen (3 at the right of row 3)"


def test_the_rows_of_a_line_are_those_of_plain_search() -> None:
    explained = explainer("skyscrapers/tiny")
    rules = instances(explained, CLUE, *LINE)
    assert len(rules) == 5
    rows = arrangements(rules, explained.assumption_model.literals, {TRUE})
    assert rows is not None
    order = sorted(range(4), key=lambda index: rows.unknowns[index].name)
    listed = {tuple(int(row[index]) for index in order) for row in rows.rows}
    assert listed == {row for row in permutations(range(1, 5)) if seen(row[::-1]) == 3}


def test_a_clue_is_missed_by_what_plain_search_has() -> None:
    explained = explainer("skyscrapers/tiny")
    literals = explained.assumption_model.literals
    rules = instances(explained, CLUE)
    rules += instances(explained, *LINE)
    last = next(each for each in literals.domains if each.name == "height[r3c4]")
    trail = {TRUE, literals.of(last, 4)}
    assert differences_from_target(rules, literals, trail) == [1 - 3]
    trail = {TRUE, literals.of(last, 1)}
    seen_rows = {seen(row[::-1]) for row in permutations(range(1, 5)) if row[3] == 1}
    assert differences_from_target(rules, literals, trail) == sorted(n - 3 for n in seen_rows)


def test_words_of_a_list_are_those_with_the_letters() -> None:
    explained = explainer("crossword/tiny")
    rules = instances(explained, "every run spells a word (column 1)")
    literals = explained.assumption_model.literals
    unknown = next(each for each in literals.domains if each.name == "letter[r1c1]")
    rows = arrangements(rules, literals, {TRUE, literals.of(unknown, "a")})
    assert rows is not None
    assert {"".join(map(str, row)) for row in rows.rows} == {"asset"}


def texts(name: str) -> list[str]:
    puzzle = puzzlekit.load(None, ROOT / "specs" / f"{name}.yaml")
    return [step.text for step in puzzle.explain()]


def texts_with_lines(name: str) -> str:
    puzzle = puzzlekit.load(None, ROOT / "specs" / f"{name}.yaml")
    lines = [(step.text, *step.numbered_lines) for step in puzzle.explain()]
    return "\n".join("\n".join(each) for each in lines)


def test_steps_name_what_they_follow_from() -> None:
    assert texts("crossword/tiny")[2] == "Column 3 can only be OASIS, as r3c3 and r5c3 are S"
    assert texts("kakuro/tiny")[4] == "r5c3 is 9, as r4c3 is 7"
    houses = texts("zebra/tiny")
    assert houses[0] == (
        "Arnold is in house 1, as Peter is in house 2: water is the right neighbour of Arnold"
    )
    assert houses[2] == (
        "Water is in house 2, as Arnold is in house 1: water is the right neighbour of Arnold"
    )
    mines = " ".join(texts("minesweeper/tiny"))
    assert "two more mines, of which the 1 at r4c2 allows only one" in mines
    assert "for two more mines, since the 1 at r4c2 has its mine" in mines
    views = texts("skyscrapers/tiny")
    assert views[3] == "r4c3 is 2: the only place for 2 in column 3 (the 1 above column 3)"
    letters = texts("cryptarithm/send")
    assert letters[0] == "M is 1: M is the carry from column 4, at most 1"
    assert "S is 9: S + 1 + 0 = 10 (column 4 adds up)" in letters
    assert not any("the total is right" in text for text in letters)  # columns come first
    assert not any("otherwise" in text for text in letters)  # two columns together are enough
    together = next(text for text in letters if text.startswith("R is 8"))
    assert together.endswith("give R + the carry from column 1 = 9")
    assert letters[-1] == "Y is 2: 7 + 5 = 10 + Y (column 1 adds up)"


def test_chains_tell_what_is_left_of_a_sum() -> None:
    told = texts_with_lines("kakuro/tiny")
    assert "(the run of 15 down at r1c2: 7 in 3 cells)" in told
    assert "the run of 15 down at r1c2 could not come to 15" in told
    assert "or at least 16" not in told
    assert "the 21 in column 5 cannot be right" in texts_with_lines("kakurasu/first")


def test_lines_of_chains_name_clues_rather_than_rules() -> None:
    assert "column 1 has 2 + and column 1 has 3 -" in texts_with_lines("magnets/first")


def test_cells_with_too_few_values_are_named() -> None:
    puzzle = puzzlekit.load(None, ROOT / "specs/skyscrapers/first.yaml")
    told = [step.text for step in puzzle.explain({}, without=["set"])]
    assert any("have only 1 and 2 left" in text for text in told)
    assert not any("cannot be right" in text for text in told)


FORTY_CELLS = """
puzzle: weights
data: {weights: "list[int]", total: int}
variables:
  black[n]: bool for n in range(len(weights))
rules:
  the total is right: sum(weights[n] * black[n] for n in range(len(weights))) == total
"""


def test_cells_with_too_few_values_are_sought_among_those_that_differ() -> None:
    """Of forty cells, there are too many groups to look at."""
    puzzle = puzzlekit.load(FORTY_CELLS, {"weights": [*range(1, 41)], "total": 99})
    explained = Explainer(puzzle.instance)
    steps = Steps(explained)
    line_rows = LineRows(Narrator(explained, steps).card_words, steps.marks)
    (rule,) = explained.assumption_model.instances
    assert line_rows.crowded(rule, {TRUE}) == ((), [])


def test_a_count_of_one_tells_what_it_excludes() -> None:
    filled = texts("thermometers/tiny")[2]
    assert filled.endswith("so r4c4 and r4c5 are not filled (row 4 has its filled cell)"), filled
    puzzle = puzzlekit.load(None, ROOT / "specs/norinori/tiny.yaml")
    first = next(iter(puzzle.explain()))
    assert first.text.endswith("; so r4c1, r5c2 and r6c2 are unshaded")
    assert [str(fact.index) for fact in first.struck] == ["r4c1", "r5c2", "r6c2"]
    stars = puzzlekit.load(None, ROOT / "specs/star_battle/tiny.yaml").explain()
    # no clue: what a star excludes is drawn
    assert not any(step.struck for step in stars if step.placed)


def test_one_fact_by_one_rule_is_told_alone() -> None:
    told = texts("zebra/fish")
    assert "Dog is in house 5, as Swede is in house 5: Swede and dog share a house" in told


def test_like_reasons_about_several_cells_are_one() -> None:
    told = texts("thermometers/tiny")
    assert (
        told[3] == "r1c4 and r1c5 are filled, as r1c3 is filled: r1c4 and r1c5 are nearer the bulb"
    )


def test_a_hint_names_the_thing_it_is_about() -> None:
    puzzle = puzzlekit.load(None, ROOT / "specs/zebra/tiny.yaml")
    assert puzzle.hint().where == "Look at Arnold."
