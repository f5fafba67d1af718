"""A thousand boards in the making of a hundred types: right ones pass, wrong ones are caught, at
once.
"""

import time
from statistics import median
from typing import Any

import pytest

import puzzlekit
from puzzlekit import links
from puzzlekit.links import fpuzzles, penpa
from puzzlekit.questions.played import PlayedBoard
from tests.reasons.half_filled import half_filled_boards
from tests.shipped import SMALLEST, SPECS

SOME = ["hidato/tiny", "shugaku/tiny", "crossword/tiny", "akari/tiny", "zebra/tiny"]
BOARDS = 8  # of each type: 132 types have one solution


def seconds_of_checks(name: str, seeds: range) -> list[float]:
    """Check the verdict on boards of a spec; return the seconds of processor time of each."""
    puzzle = puzzlekit.load(None, SPECS[name])
    solutions = list(puzzle.solve(limit=2, goal="none"))
    seconds = []
    if len(solutions) == 1:
        for board in half_filled_boards(puzzle, solutions[0].assignment, seeds):
            began = time.process_time()
            verdict = puzzle.check(board.progress)
            seconds.append(time.process_time() - began)
            assert bool(verdict) == board.is_right, (name, verdict.text, board.progress)
    return seconds


@pytest.mark.parametrize("name", SOME)
def test_half_filled_boards(name: str) -> None:
    assert len(seconds_of_checks(name, range(4))) == 4


@pytest.mark.slow
def test_a_thousand_half_filled_boards() -> None:
    seconds = [second for name in SMALLEST for second in seconds_of_checks(name, range(BOARDS))]
    assert len(seconds) > 1_000
    assert median(seconds) < 0.1
    assert max(seconds) < 2


def test_crossing_out_the_only_value_is_judged() -> None:
    puzzle = puzzlekit.load(None, SPECS["hidato/tiny"])
    (cell, given), *_ = [
        (cell, values[0])
        for cell, variable in puzzle.instance.families["number"].members.items()
        if len(values := puzzle.model.domains[variable]) == 1
    ]
    for progress in ({"not": {"answer": {str(cell): given}}}, {"answer": {str(cell): given + 1}}):
        verdict = puzzle.check(progress)
        assert verdict.verdict == "violates" and verdict.cells == (cell,)
        assert f"{cell} is {given}" in verdict.text


def test_a_line_is_read_from_the_end_that_is_written() -> None:
    puzzle = puzzlekit.load(None, SPECS["shugaku/tiny"])
    (solution,) = puzzle.solve()
    beds = puzzle.instance.families["bed"].members
    for index, variable in beds.items():
        assert bool(puzzle.check({"bed": [list(index)]})) == solution.assignment[variable]


def test_notes_are_judged_together() -> None:
    puzzle = puzzlekit.load(None, SPECS["sudoku/first"])
    assert puzzle.check({"digit": {"r1c3": [1, 2, 4]}})
    verdict = puzzle.check({"digit": {"r1c3": [1, 2]}})
    assert not verdict
    assert "r1c3 is 1 or 2" in verdict.text
    assert "4" not in verdict.text


@pytest.mark.parametrize("notation", [fpuzzles, penpa])
@pytest.mark.parametrize(("notes", "is_right"), [([1, 2, 4], True), ([1, 2], False)])
def test_notes_are_carried_by_links(notation: Any, notes: list[int], is_right: bool) -> None:
    text = SPECS["sudoku/first"].read_text(encoding="utf-8")
    spec = f"{text}\nprogress: {{answer: {{r1c3: {notes}}}}}\n"
    link = notation.write(puzzlekit.load(None, spec).instance)
    carried = puzzlekit.load(None, links.read(link)[0].text)
    assert bool(carried.check()) == is_right


def test_notes_of_a_served_page_are_marks() -> None:
    puzzle = puzzlekit.load(None, SPECS["sudoku/six"])
    (solution,) = puzzle.solve()
    right = solution["digit"][0][1]
    other = right % 6 + 1
    for notes, is_right in (([right, other], True), ([other], False)):
        board = {"held": [0] * 36, "crossed": [], "notes": {"1": list(map(str, notes))}}
        marks = PlayedBoard(puzzle).marks([board])
        assert bool(puzzle.check(marks)) == is_right
