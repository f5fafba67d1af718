"""Areas that need some number of cells: how they grow, and how that is told."""

from functools import lru_cache
from itertools import pairwise

import puzzlekit
from puzzlekit.reasons.areas import Growth
from tests.shipped import SPECS

ROW = [[1], [0, 2], [1, 3], [2, 4], [3]]  # the neighbours of five vertices in a row


@lru_cache(maxsize=2)
def explained(name: str) -> list[puzzlekit.ExplainedStep]:
    return list(puzzlekit.load(None, SPECS[name]).explain())


def test_an_area_reaches_what_is_near() -> None:
    growth = Growth(ROW, {1, 2, 3, 4}, [frozenset([0])])
    reach = growth.reach([0], 2)
    assert reach.costs == {0: 0, 1: 1, 2: 2} and set(reach.far) == {3}
    assert growth.reach([0], 2, without=1).costs == {0: 0}


def test_a_group_that_is_joined_costs_its_cells() -> None:
    groups = [frozenset([0]), frozenset([3, 4])]
    counted = Growth(ROW, {1, 2}, groups, are_counted=True)
    assert counted.reach([0], 4).costs == {0: 0, 1: 1, 2: 4, 3: 4, 4: 4}
    assert set(counted.reach([0], 3).far) == {2}
    assert Growth(ROW, {1, 2}, groups).reach([0], 2).costs == {0: 0, 1: 1, 2: 2, 3: 2, 4: 2}


def test_what_an_area_needs_is_among_the_near_cells() -> None:
    reach = Growth(ROW, {1, 2, 3, 4}, [frozenset([0])]).reach([0], 4)
    assert reach.needed([1, 2, 3, 4], 3) == [1, 2]
    assert reach.border(ROW) == []


def test_regions_of_equal_numbers_need_no_search() -> None:
    texts = [step.text for step in explained("fillomino/small")]
    assert not any("every way to go on" in text for text in texts)
    fits_elsewhere = "any other number would have room for only two cells (r5c1 and r6c1)"
    assert any(text.startswith("r5c1 is 1, 2 or 3") and fits_elsewhere in text for text in texts)
    assert "r2c1 is 5: otherwise the 5 at r3c1 has room for only three cells" in texts
    assert any("as r5c1 touches the 2 at r5c2" in text for text in texts)


def test_numbers_without_room_are_struck_together_on_the_board_as_shown() -> None:
    texts = [step.text for step in explained("fillomino/small")]
    assert any(text.startswith("r1c4 is 3 or 6: any other number") for text in texts)
    assert not any("room for only 7 cells" in text or "only 8 cells" in text for text in texts)


def test_a_value_that_areas_leave_comes_after_the_others_are_struck() -> None:
    steps = explained("fillomino/small")
    values = {f"r2c5 is not {value}" for value in range(1, 10) if value != 4}
    placing = next(step for step in steps if "r2c5 is 4" in str(list(map(str, step.placed))))
    struck = {str(fact) for step in steps[: placing.number] for fact in step.struck}
    assert values <= struck | {str(fact) for fact in placing.struck} | {"r2c5 is not 5"}


def test_it_is_not_noted_to_what_a_cell_does_not_belong() -> None:
    """Nurikabe: a reader notes sea and the cells of islands."""
    steps = explained("nurikabe/small")
    plain = [step for step in steps if not step.lines]
    assert not any(fact.name == "island" for step in plain for fact in step.struck)
    texts = [step.text for step in steps]
    assert any("no island can contain them" in text for text in texts)
    assert any("the 11 at r9c5 and the 11 at r10c7 cannot reach" in text for text in texts)
    assert not any(" more are cut off" in text for text in texts)
    assert all(first.number + 1 == second.number for first, second in pairwise(steps))


def test_a_count_around_a_cell_names_the_cell() -> None:
    texts = [step.text for step in explained("norinori/tiny")]
    assert "r4c2 is unshaded: otherwise it has two shaded cells beside it" in texts
    assert "r1c1 is shaded: the only place left for a shaded cell beside r1c2" in texts
    assert not any("this is broken" in text for text in texts)


def test_a_split_says_what_its_group_needs() -> None:
    lines = [line.text for step in explained("heyawake/tiny") for line in step.lines]
    needed = "(the room at r2c3 needs two shaded cells and no two shaded cells are neighbours)"
    assert f"either r2c3 or r2c4 is shaded {needed}" in lines


def test_a_trial_in_cases_tells_how_the_last_case_ends() -> None:
    (trial,) = [step for step in explained("heyawake/tiny") if "neither way works" in step.text]
    assert "neither way works, so r2c4 is white and r1c1 is shaded" in trial.lines[-1].text
