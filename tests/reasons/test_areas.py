"""Areas that need some number of cells: how they grow, and how that is told."""

from functools import lru_cache
from itertools import pairwise

import puzzlekit
from puzzlekit.reasons.areas import Growth
from puzzlekit.reasons.deductions import Pattern
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
    assert f"r6c1 is 3: {fits_elsewhere}" in texts
    assert "r2c1 is 5: otherwise the 5 at r3c1 has room for only three cells" in texts
    assert any("as r5c1 touches the 2 at r5c2" in text for text in texts)


def test_numbers_without_room_are_struck_together_on_the_board_as_shown() -> None:
    texts = [step.text for step in explained("fillomino/small")]
    assert any(text.startswith("r1c4 is 2 or 6: any other number") for text in texts)
    assert not any("only seven cells" in text or "only eight cells" in text for text in texts)


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
    assert texts[0].endswith("are complete; r1c1 is sea: no island can contain it")
    assert any("the 11s at r9c5 and r10c7 cannot reach" in text for text in texts)
    assert not any(" more are cut off" in text for text in texts)
    assert all(first.number + 1 == second.number for first, second in pairwise(steps))


def test_a_chain_is_told_once_for_all_cells_beside_each_other() -> None:
    texts = [step.text for step in explained("nurikabe/small")]
    told = [text for text in texts if "otherwise r3c4 and r3c5 belong to the 11 at r9c5" in text]
    assert len(told) == 1
    assert told[0].startswith("r4c7–r8c7 do not belong to the 11 at r9c5")


def test_many_cells_that_are_cut_off_are_named_by_their_corner() -> None:
    texts = [step.text for step in explained("nurikabe/small")]
    assert "r7c4 is sea: otherwise the bottom left corner is cut off" in texts
    assert "r2c5 is sea: otherwise the sea cells around r1c5 are cut off" in texts


def test_a_chain_looks_at_the_room_of_a_small_group() -> None:
    """Heyawake: a room of two by two that needs two shaded cells has only two ways."""
    steps = explained("heyawake/tiny")
    assert all(step.pattern is not Pattern.TRIAL for step in steps)
    texts = [step.text for step in steps]
    room = "the room at r5c1 has only r5c3 and r5c4 left for its two shaded cells"
    assert f"r5c1 is shaded: otherwise {room}" in texts


def test_a_count_around_a_cell_names_the_cell() -> None:
    texts = [step.text for step in explained("norinori/tiny")]
    assert "r4c2 is unshaded: otherwise it has two shaded neighbours" in texts
    only_place = "r1c1 is shaded: the only place left for a shaded cell beside r1c2"
    assert f"{only_place}; so r2c1 is unshaded" in texts
    assert not any("this is broken" in text for text in texts)


def test_a_split_says_what_its_group_needs() -> None:
    lines = [line.text for step in explained("star_battle/medium") for line in step.lines]
    needed = "(the region of r2c3 needs two stars and no two stars touch)"
    assert f"either there is a star at r4c3 or r4c4 {needed}" in lines


def test_a_trial_in_cases_tells_how_the_last_case_ends() -> None:
    steps = explained("star_battle/medium")
    (trial,) = [step for step in steps if "Neither way works" in step.text]
    assert trial.lines[-1].text.endswith("neither way works, so there is no star at r5c7")


def test_a_cell_that_does_not_belong_to_the_area_beside_it_is_sea() -> None:
    texts = [step.text for step in explained("nurikabe/small")]
    assert "r6c7 is sea, as r6c6 belongs to the 11 at r9c5, but r6c7 cannot" in texts
    near = "r2c7 is sea, as r2c6 belongs to the 11 at r9c5"
    assert f"{near}: the 11 has no cell left for it" in texts


def test_what_an_area_would_need_to_reach_cells_is_counted() -> None:
    texts = [step.text for step in explained("nurikabe/small")]
    assert "r3c10 is sea: the 11 at r10c7 would need 12" in texts
    assert any("(the 11 at r9c5 would need 13 or more)" in text for text in texts)
    assert "r1c6 and r1c7 are sea: the 11s at r9c5 and r10c7 cannot reach them" in texts


def test_a_cell_names_what_it_has_beside_it() -> None:
    texts = [step.text for step in explained("snake/first")]
    already = "r6c8 has its two snake neighbours already (r5c8 and r7c8)"
    assert f"r6c7 is empty: {already}" in texts


def test_a_piece_of_known_cells_alone_is_looked_at() -> None:
    puzzle = puzzlekit.load("spiral_galaxies", "7x7:cfdrfppiitzdfs")  # some galaxies have one cell
    assert puzzle.rate().solved
