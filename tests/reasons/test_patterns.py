"""Patterns that have names in sudoku: each is named where it stands, with its base, its cover and
what it strikes, as `replay` verifies.
"""

import json
from collections.abc import Mapping
from typing import Any

import pytest

import puzzlekit
from puzzlekit import ExplainedStep
from tests.reasons.replay import StepJudge
from tests.reasons.replay_boards import Board, Candidates, board_of

# the pattern, its first sentence, and a sudoku that needs it; most are examples of sudokuwiki.org
NEEDED = (
    (
        "pointing",
        "In box 5, only r5c4 and r5c6 can be 9, both in row 5; so nowhere else in row 5",
        "070408029002000004854020007008374200020000000003261700000093612200000403130642070",
    ),
    (
        "naked triple",
        "r1c1, r1c2 and r1c5 can only be 7, 8 or 9 (naked triple); so in row 1 r1c9 is not 8 and"
        " r1c7 and r1c9 are not 9",
        "000001030231090000065003100678924300103050006000136700009360570006019843300000000",
    ),
    (
        "X-wing",
        "In rows 2 and 6, 7 can only be in columns 4 and 8 (X-wing); so nowhere else in columns 4"
        " and 8",
        "100000569492056108056109240009640801064010000218035604040500016905061402621000005",
    ),
    (
        "swordfish",
        "In columns 1, 5 and 7, 8 can only be in rows 2 to 4 (swordfish); so nowhere else in"
        " rows 2 to 4",
        "529410703006003002003200000052300076637050200190627530300069420200830600960742305",
    ),
    (
        "XY-wing",
        "r7c6 is not 4 (XY-wing): otherwise r7c1 is 8 (4 or 8, and r7c6 is 4), then"
        " r8c4 is 3 (3 or 4, and r7c6 is 4), and r8c3 has no value left; so r7c6 is 1",
        "900240000050690231020050090090700320002935607070002900069020073510079062207086009",
    ),
)
# the pattern, its sentence, and the places that are left on an empty board
COMPOSED = (
    (
        "hidden triple",
        "In row 1, only r1c1, r1c4 and r1c7 can be 1, 2 and 3 (hidden triple); so r1c1, r1c4 and"
        " r1c7 are 1, 2 or 3",
        {(1, 1): [1, 4, 7], (1, 2): [1, 4, 7], (1, 3): [1, 4, 7]},
    ),
    (
        "hidden quad",
        "In row 1, only r1c1, r1c4, r1c6 and r1c7 can be 1, 2, 3 and 5 (hidden quad); so r1c1,"
        " r1c4, r1c6 and r1c7 are 1, 2, 3 or 5",
        {(1, value): [1, 4, 6, 7] for value in (1, 2, 3, 5)},
    ),
    (
        "jellyfish",
        "In rows 1, 3, 5 and 7, 5 can only be in columns 1, 3, 6 and 8 (jellyfish); so nowhere"
        " else in columns 1, 3, 6 and 8",
        {(1, 5): [1, 3, 6], (3, 5): [3, 6, 8], (5, 5): [1, 6, 8], (7, 5): [1, 3, 8]},
    ),
)


def spec_of(givens: str) -> dict[str, Any]:
    """Return the spec of a sudoku in one line, with 0 for an empty cell."""
    rows = [list(givens[start : start + 9]) for start in range(0, 81, 9)]
    text = "\n".join(" ".join(row) for row in rows)
    return {"puzzle": "sudoku", "givens": text.replace("0", ".")}


def plain(step: ExplainedStep) -> Any:
    """Return a step as another program reads it."""
    return json.loads(json.dumps(step.json()))


def first(pattern: str, steps: list[ExplainedStep]) -> ExplainedStep:
    """Return the first step with a pattern."""
    return next(step for step in steps if step.pattern.text == pattern)


def wrong_pattern(
    board: Board, candidates: Candidates, steps: list[ExplainedStep], step: ExplainedStep
) -> list[str]:
    """Return what is against the definition of the pattern of a step, after those before it."""
    for before in steps[: step.number - 1]:
        for literal, is_true in StepJudge(board, candidates, plain(before)).new:
            candidates.learn(literal, is_true)
    return StepJudge(board, candidates, plain(step)).wrong_pattern()


@pytest.mark.parametrize(("pattern", "text", "givens"), NEEDED, ids=[case[0] for case in NEEDED])
def test_a_sudoku_that_needs_it_names_it(pattern: str, text: str, givens: str) -> None:
    spec = spec_of(givens)
    steps = list(puzzlekit.load("sudoku", {"givens": spec["givens"]}).explain())
    step = first(pattern, steps)
    assert step.text == text
    board = board_of("sudoku", spec)
    assert wrong_pattern(board, Candidates(board, board.givens), steps, step) == []


@pytest.mark.parametrize(
    ("pattern", "text", "places"), COMPOSED, ids=[case[0] for case in COMPOSED]
)
def test_it_is_named_among_marks(
    pattern: str, text: str, places: Mapping[tuple[int, int], list[int]]
) -> None:
    spec = spec_of("0" * 81)
    struck: dict[str, list[int]] = {}
    for (row, value), columns in places.items():
        for column in set(range(1, 10)).difference(columns):
            struck.setdefault(f"r{row}c{column}", []).append(value)
    puzzle = puzzlekit.load("sudoku", {"givens": spec["givens"]})
    explanation = puzzle.explain({"not": {"digit": struck}})
    steps = list(explanation)
    step = first(pattern, steps)
    assert step.text == text
    board = board_of("sudoku", spec)
    candidates = Candidates(board)
    for cell, values in struck.items():
        for value in values:
            candidates.struck.add(((int(cell[1]), int(cell[3])), str(value)))
    assert wrong_pattern(board, candidates, steps, step) == []
