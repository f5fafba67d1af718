"""Hints of the page that plays a puzzle, in a real browser."""

import json
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page
from puzzlekit_waffle.exchanges import fewest_exchanges

from tests.browser import needs_browser
from tests.generate.board_page import SIZES, begin, drawn, enabled, press, state, swapped, text

pytestmark = needs_browser


def test_a_hint_makes_a_swap_and_is_told(page: Page) -> None:
    before = state(page)
    press(page, "hint")
    (a, b), *rest = page.evaluate("game.moves")
    assert not rest and state(page) == (swapped(before[0], a, b), before[1] - 1)
    right = [cell for cell in (a, b) if page.evaluate(f"letters[{cell}] === puzzle.answer[{cell}]")]
    assert right and all(drawn(page)[1][cell] == "green" for cell in right)
    row, column = page.evaluate(f"puzzle.cells[{right[0]}]")
    assert text(page, "said").startswith("Hint 1: ") and f"row {row}, column {column}" in text(
        page, "said"
    )
    press(page, "undo")
    assert page.evaluate("game.hints") == 1
    while not page.evaluate("over()"):
        press(page, "hint")
    assert page.evaluate(
        "solved() && game.moves.length === puzzle.fewest && game.hints === puzzle.fewest + 1"
    )
    assert "11 hints and 1 swap taken back on the way" in text(page, "sentence")
    assert text(page, "stars") == "☆☆☆☆☆"
    assert enabled(page) == {"again", "next"}


def fewest(stand: list[str], answer: list[str]) -> int:
    """The exact least number of swaps."""
    return fewest_exchanges(dict(enumerate(stand)), dict(enumerate(answer)))


def hinted(page: Page, states: list[list[str]], answer: list[str]) -> list[list[int]]:
    """The swap of a hint for each of some states."""
    script = "states => states.map(state => { letters = state; return rightSwap().slice(0, 2); })"
    return list(
        page.evaluate(
            f"puzzle = {{...puzzle, answer: {json.dumps(answer)}}}; "
            f"({script})({json.dumps(states)})"
        )
    )


def check_hints(page: Page, states: list[list[str]], answer: list[str]) -> None:
    for stand, (a, b) in zip(states, hinted(page, states, answer), strict=True):
        after = swapped(stand, a, b)
        assert fewest(after, answer) == fewest(stand, answer) - 1
        assert [stand[i] == answer[i] for i in (a, b)] == [False, False]  # no green letter moves
        straight = any(
            x != y and (x, y) == (answer[j], answer[i])
            for i, x in enumerate(stand)
            for j, y in enumerate(stand)
        )
        assert (
            (after[a], after[b]) == (answer[a], answer[b])
            if straight
            else (after[a] == answer[a] or after[b] == answer[b])
        )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("path", SIZES, ids=lambda path: path.stem)
def test_a_hint_lies_on_a_shortest_way(page: Page, path: Path) -> None:
    begin(page, path)
    random = Random(path.stem)
    answer = page.evaluate("puzzle.answer")
    states = [page.evaluate("puzzle.letters")]
    for part in (0.2, 0.5, 1, 1):
        state = list(answer)
        moving = random.sample(range(len(state)), max(2, round(part * len(state))))
        for cell, other in zip(moving, random.sample(moving, len(moving))):
            state[cell] = answer[other]
        if state != answer:
            states.append(state)
    check_hints(page, states, answer)


@pytest.mark.slow
@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", [9, 15, 31, 51, 87, 99])
def test_a_hint_searches_where_no_letters_change_places(page: Page, seed: int) -> None:
    """Triples of letters that go round, no two of them there and back;
    the nearest cycles are too few.
    """
    random = Random(seed)
    arcs: list[tuple[str, str]] = []
    while len(arcs) < 33:
        a, b, c = random.sample("abcdefghij", 3)
        if not {(b, a), (c, b), (a, c)} & set(arcs):
            arcs += [(a, b), (b, c), (c, a)]
        elif random.random() < 0.01:
            break
    random.shuffle(arcs)
    stand, answer = ([arc[end] for arc in arcs] for end in (0, 1))
    check_hints(page, [stand], answer)


@pytest.mark.slow
def test_hints_lead_on_from_a_board_of_equal_letters(page: Page) -> None:
    random = Random(1)
    for letters in ("abc", "abcde", "abcdefghij"):
        answer = [random.choice(letters) for _ in range(60)]
        state = random.sample(answer, 60)
        states = []
        while state != answer:
            states.append(state)
            ((a, b),) = hinted(page, [state], answer)
            state = swapped(state, a, b)
        check_hints(page, states, answer)
        assert len(states) == fewest(states[0], answer)
