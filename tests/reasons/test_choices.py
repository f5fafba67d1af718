"""Ways to place a thing on several cells, and places of numbers in a path."""

from pathlib import Path

import puzzlekit
from puzzlekit.reasons.deductions import Pattern

SPECS = Path(__file__).resolve().parents[2] / "specs"


def steps_of(name: str) -> list[puzzlekit.ExplainedStep]:
    explanation = puzzlekit.load(None, SPECS / f"{name}.yaml").explain()
    steps = list(explanation)
    assert explanation.status == "solved"
    return steps


def test_shapes_are_told_by_their_cells() -> None:
    steps = steps_of("lits/tiny")
    assert {fact.name for step in steps for fact in step.placed} == {"shaded"}
    assert not any(step.lines for step in steps if step.pattern is Pattern.EVERY_OPTION)
    texts = [step.text for step in steps]
    assert "The I at r1c3–r1c6 does not fit" in " ".join(texts)
    shapes = "the L at r1c5 and r1c6–r3c6, the L at r1c4–r1c6 and r2c6 or the I at r1c3–r1c6"
    assert any(
        f"each shape left for the region of r1c3 ({shapes}) covers them" in text for text in texts
    )
    assert texts[2] == (
        "With the L at r4c2–r4c4 and r5c4, r4c4–r5c5 would be a shaded block; so r5c4 is unshaded: "
        "no shape can cover it any more"
    )
    assert any("would leave no shape for the region of r1c3" in text for text in texts)


def test_a_shape_is_excluded_by_the_nearest_told_fact() -> None:
    texts = [step.text for step in steps_of("lits/tiny")]
    told = "as r4c6 is unshaded and the L at r1c5 and r1c6–r3c6 does not fit"
    assert f"r3c6 is unshaded: no shape can cover it any more, {told}" in texts


def test_ships_are_told_by_their_cells() -> None:
    steps = steps_of("battleships/tiny")
    assert {fact.name for step in steps for fact in step.facts} == {"full"}
    texts = [step.text for step in steps]
    assert any("r1c3–r1c5 is left (the fleet has 1 of length 3)" in text for text in texts)
    assert any("row 2 has no other place for its ship cell" in text for text in texts)


def test_the_end_of_a_ship_is_told_with_the_cells_beside_it() -> None:
    (first, *_) = steps_of("battleships/tiny")
    end = "r1c5 is the right end of a ship"
    assert first.text == f"r1c4 is a ship cell and r1c6 and r2c5 are water: {end}"


def test_a_rejected_choice_is_a_reason_where_it_was_told() -> None:
    steps = steps_of("battleships/first")
    struck = {str(fact) for step in steps for fact in step.struck if fact.name == "ship"}
    reasons = {str(fact) for step in steps for fact in step.reasons if fact.name == "ship"}
    assert reasons
    assert reasons <= struck


def test_the_place_of_a_number_is_told_by_the_numbers_around_it() -> None:
    texts = [step.text for step in steps_of("hidato/tiny")]
    assert "r3c2 is 14: the only place for 14 between 13 (r2c2) and 15 (r3c3)" in texts
    assert "r4c3 is 6: the only place for 6 beside 5 (r4c4)" in texts
    assert "r3c1 is 9: the only place for 9 beside 10 (r1c2 or r2c1)" in texts
    pair = "Beside 11 (r1c1), only r1c2 and r2c1 can be 10 and 12 (hidden pair)"
    assert any(text.startswith(pair) for text in texts)


def test_the_places_of_a_number_are_no_group_with_a_name() -> None:
    texts = [step.text for step in steps_of("hidato/first")]
    assert "r2c1 is 44: the only place for 44 between 43 (r2c2) and 45 (r1c1)" in texts


def test_a_last_value_is_told_by_a_value_beside_and_by_what_would_be_so() -> None:
    texts = [step.text for step in steps_of("hidato/first")]
    assert "r1c6 is 5, as r1c7 is 4: otherwise 6 at r1c6 would have no 7 beside it" in texts


def test_last_values_that_an_assumption_leaves_are_told_where_they_close_a_place() -> None:
    texts = [step.text for step in steps_of("futoshiki/first")]
    step = next(text for text in texts if text.startswith("r2c4 is not 3: otherwise r2c3 is 4"))
    assert step.endswith("then r5c4 is 4, and row 4 has no place for 4")


def test_a_strike_that_is_seen_by_now_is_not_told_as_a_chain() -> None:
    """The 4 at r4c4 excludes 4 from r2c4, which something harder excluded before."""
    steps = steps_of("ripple_effect/first")
    assert not any("r2c4 is not 4" in step.text for step in steps)


def test_the_second_value_of_a_cell_is_what_is_assumed_otherwise() -> None:
    texts = [step.text for step in steps_of("ripple_effect/first")]
    assert any(text.startswith("r3c1 is 4: otherwise r3c1 is 2, then r4c1 is 1") for text in texts)


def test_too_few_open_cells_beside_a_number_are_told() -> None:
    texts = [step.text for step in steps_of("hidato/tiny")]
    only = "otherwise r2c4 is 2, and only r1c2 (10 or 12) is open beside r1c3"
    assert f"r1c3 is 2: {only}" in texts
    assert "r4c4 is not 6: only r4c3 is open beside r4c4; so r4c4 is 5" in texts


def test_what_only_the_last_value_of_a_cell_rests_on_is_not_told() -> None:
    """R1c3 is not 8 as r2c4 is not 7, and also by the rule that leaves 2 there."""
    assert not any("is not 7" in step.text for step in steps_of("hidato/tiny"))


def test_a_value_comes_before_what_it_strikes_silently() -> None:
    texts = [step.text for step in steps_of("hidato/tiny")]
    starts = [text.partition(":")[0] for text in texts]
    assert starts.index("r2c1 is 10") < starts.index("r1c2 is 12")


def test_a_dead_end_comes_before_the_way_of_the_loop_around_it() -> None:
    texts = [step.text for step in steps_of("yajilin/tiny")]
    off = texts.index("r5c5 is shaded: otherwise it would be a dead end")
    assert texts[off + 1] == "From r4c5, the line can only go r4c5–r2c5"


def test_a_line_that_is_complete_is_why_nothing_more_is_there() -> None:
    texts = [step.text for step in steps_of("tents/first")]
    only = "There is a tent at r4c3, the only cell left for the tree at r4c4"
    assert f"{only}; so there is no tent at r6c3 (column 3 has its tent)" in texts


def test_a_line_of_zero_is_told_with_all_its_cells() -> None:
    texts = [step.text for step in steps_of("battleships/tiny")]
    assert "The 0 in row 5: r5c1–r5c6 are water" in texts


def test_a_rule_is_not_told_with_a_choice_if_its_clues_are_seen() -> None:
    texts = [step.text for step in steps_of("battleships/tiny")]
    assert not any("a number counts" in text for text in texts)


def test_an_unshaded_cell_beside_a_shaded_one_is_told_where_it_counts() -> None:
    texts = [step.text for step in steps_of("hitori/tiny")]
    assert "r2c2 is unshaded: otherwise row 2 has 3 twice" in texts
    assert "r2c3 is shaded: otherwise row 2 has 3 twice, as r2c1 touches r3c1" in texts
    assert "r1c1 is shaded: otherwise column 1 has 3 twice" in texts  # r2c1 was told


def test_a_rectangle_is_told_with_its_clue() -> None:
    texts = [step.text for step in steps_of("shikaku/tiny")]
    assert "Only r3c1–r3c2 (the 2 at r3c1) can cover r3c1" in texts


def test_the_value_that_a_sign_rests_on_is_told_with_it() -> None:
    texts = [step.text for step in steps_of("futoshiki/tiny")]
    sign = "as r3c4 is not 1 and r3c4 is less than r2c4"
    assert f"r2c3 is 2: the only place for 2 in row 2, {sign}" in texts
