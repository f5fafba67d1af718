"""Lines of loops in words: paths, loops that are closed, reasons of clues."""

from __future__ import annotations

from pathlib import Path

import puzzlekit
from puzzlekit.boards import Cell, Corner
from puzzlekit.reasons.link_paths import closed_loop, loop_location, path_texts

SPECS = Path(__file__).resolve().parents[2] / "specs"


def texts(name: str) -> list[str]:
    return [step.text for step in puzzlekit.load(None, SPECS / f"{name}.yaml").explain()]


def link(first: tuple[int, int], second: tuple[int, int]) -> tuple[Cell, Cell]:
    return Cell(*first), Cell(*second)


def test_links_are_joined_to_paths() -> None:
    turning = [link((1, 1), (1, 2)), link((2, 2), (3, 2)), link((1, 2), (2, 2))]
    apart = [link((1, 1), (1, 2)), link((3, 1), (3, 2))]
    fork = [*turning[:2], link((2, 1), (2, 2)), link((2, 2), (2, 3))]
    assert path_texts(turning) == ["r1c1–r1c2–r3c2"]
    assert path_texts(apart) == ["r1c1–r1c2", "r3c1–r3c2"]
    assert path_texts(fork) == ["r1c1–r1c2", "r2c2–r3c2", "r2c1–r2c2", "r2c2–r2c3"]


def test_a_loop_is_seen_through_one_of_its_lines() -> None:
    corners = [Corner(1, 1), Corner(1, 2), Corner(2, 2), Corner(2, 1)]
    square = list(zip(corners, [*corners[1:], corners[0]]))
    beside = (Corner(3, 3), Corner(3, 4))
    loop = closed_loop([*square, beside], square[0])
    assert set(loop) == set(corners) and loop_location(loop) == "around r1c1"
    assert closed_loop([*square, beside], beside) == []
    assert closed_loop(square[:3], square[0]) == []


def test_a_clue_is_told_with_its_reason() -> None:
    told = texts("masyu/tiny")
    room = "from the black pearl at r3c2 there is no room to go two cells left"
    both = "a line between the black pearls at r3c2 and r4c2 would go straight through both"
    assert f"The line goes r3c2–r3c3: {room}" in told
    assert f"No line goes r3c2–r4c2: {both}" in told
    assert (
        "The line goes r1c2–r2c2: the loop goes two cells up from the black pearl at r3c2" in told
    )
    assert not any(text.startswith("No line goes r3c1–r3c2") for text in told)  # beside its clue
    assert told[-1] == "No further line is drawn: the loop is closed"


def test_a_small_loop_has_its_place_and_lines_are_told_once() -> None:
    steps = list(puzzlekit.load(None, SPECS / "slitherlink/small.yaml").explain())
    told = " ".join(step.text for step in steps)
    assert "a small loop is closed around r3c10" in told
    assert "the line above r1c6 is cut off" in told
    # what follows from several vertices together is no matter of one of them
    lines = [line for step in steps for line in step.numbered_lines]
    assert any("no line above r2c5 (it would lead to a dead end)" in line for line in lines)
    repeating = [step for step in steps if step.repeated]
    assert repeating
    for step in repeating:
        last = step.numbered_lines[-1]
        start, end = step.repeated.start, len(step.lines_below)
        assert last.startswith(f"   {start + 1}–{end}) as in lines "), last
        there = {line.text for line in steps[step.repeated.step - 1].lines_below}
        assert {line.text for line in step.lines_below[start:]} <= there


def test_a_cell_with_one_way_out_is_a_dead_end() -> None:
    told = texts("yajilin/tiny")
    assert "r4c3 is shaded: otherwise it would be a dead end; so r5c3 is unshaded" in told
    assert "r1c2 is unshaded: otherwise r1c1 would be a dead end" in told
    assert "The line goes r4c5–r4c4–r5c4: there is no other way at r4c4" in told


def test_a_path_to_a_cell_does_not_name_a_line_that_an_earlier_step_has() -> None:
    explanation = puzzlekit.load(None, SPECS / "slitherlink/small.yaml").explain()
    steps = list(explanation)
    number = next(step.number for step in steps if step.repeated)
    fact = next(fact for fact in steps[number - 1].facts)
    excerpt = explanation.until(str(fact.index)).steps
    assert all(each.repeated is None or each.repeated.step < each.number for each in excerpt)
