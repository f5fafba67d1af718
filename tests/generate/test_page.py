"""The page that plays a puzzle, in a real browser: by mouse, touch and keyboard.

Without a browser these tests are left out, and said to be; with PUZZLEKIT_BROWSER=required a missing one fails.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import Browser, installed

REQUIRED = os.environ.get("PUZZLEKIT_BROWSER") == "required"
pytestmark = pytest.mark.skipif(not installed() and not REQUIRED, reason="no chromium here: the page was not tried")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "page.html"
    arguments = ["generate", "waffle", "--seed", "3", "--count", "2", "--html", str(path), "--common", "400"]
    subprocess.run([sys.executable, "-m", "puzzlekit", *arguments], check=True, capture_output=True, timeout=300)
    return path


@pytest.fixture(scope="module")
def started() -> Iterator[Browser]:
    program = installed()
    assert program, "PUZZLEKIT_BROWSER=required, and there is no chromium"
    browser = Browser(program)
    yield browser
    browser.close()


@pytest.fixture
def browser(started: Browser, page: Path) -> Browser:
    started.open(page)
    started.run("open(0)")
    return started


def state(browser: Browser) -> tuple[list[str], int]:
    return browser.run("letters"), browser.run("left")


def two(browser: Browser) -> tuple[int, int]:
    """Two cells that are not green, the second where the first one's letter belongs."""
    found = browser.run(
        "(() => { for (let a = 0; a < letters.length; a++) for (let b = 0; b < letters.length; b++)"
        " if (colours[a] < 2 && colours[b] < 2 && letters[a] === puzzle.answer[b]) return [a, b]; })()"
    )
    return found[0], found[1]


def swapped(before: list[str], a: int, b: int) -> list[str]:
    after = list(before)
    after[a], after[b] = after[b], after[a]
    return after


def check_swapped(browser: Browser, before: tuple[list[str], int], a: int, b: int) -> None:
    assert state(browser) == (swapped(before[0], a, b), before[1] - 1)
    assert "green" in browser.run(f"buttons[{b}].className")  # the colours follow
    assert browser.run(f"buttons[{b}].getAttribute('aria-label')").endswith(", green")
    assert browser.run("document.getElementById('left').textContent") == f"{before[1] - 1} swaps left"
    assert "changed places" in browser.run("document.getElementById('said').textContent")


def test_mouse_drag(browser: Browser) -> None:
    before, (a, b) = state(browser), two(browser)
    start, end = browser.middle(a), browser.middle(b)
    browser.mouse("mousePressed", start)
    browser.mouse("mouseMoved", {key: (start[key] + end[key]) / 2 for key in start})
    browser.mouse("mouseMoved", end)
    assert "over" in browser.run(f"buttons[{b}].className")
    browser.mouse("mouseReleased", end)
    check_swapped(browser, before, a, b)


def test_mouse_clicks(browser: Browser) -> None:
    before, (a, b) = state(browser), two(browser)
    for cell in (a, b):
        at = browser.middle(cell)
        browser.mouse("mousePressed", at)
        browser.mouse("mouseReleased", at)
    check_swapped(browser, before, a, b)


def test_drag_beside_the_board_does_nothing(browser: Browser) -> None:
    before, (a, _) = state(browser), two(browser)
    browser.mouse("mousePressed", browser.middle(a))
    browser.mouse("mouseMoved", {"x": 3, "y": 3})
    browser.mouse("mouseReleased", {"x": 3, "y": 3})
    assert state(browser) == before
    assert browser.run(f"buttons[{a}].style.transform") == ""


def test_touch_taps_and_drag(browser: Browser) -> None:
    before, (a, b) = state(browser), two(browser)
    for cell in (a, b):
        browser.touch("touchStart", browser.middle(cell))
        browser.touch("touchEnd")
    check_swapped(browser, before, a, b)
    before, (a, b) = state(browser), two(browser)
    start, end = browser.middle(a), browser.middle(b)
    browser.touch("touchStart", start)
    for part in (0.3, 0.7, 1.0):
        browser.touch("touchMove", {key: start[key] + part * (end[key] - start[key]) for key in start})
    browser.touch("touchEnd")
    check_swapped(browser, before, a, b)


def go(browser: Browser, cell: int) -> None:
    """Walk to a cell by arrow keys: first to its row, along a column without holes."""
    row, column = browser.run(f"puzzle.cells[{cell}]")

    def here() -> list[int]:
        return list(browser.run("puzzle.cells[Number(document.activeElement.dataset.cell)]"))

    while here()[1] > 1 and here()[0] % 2:
        browser.key("ArrowLeft")
    while here()[0] % 2 == 0:
        browser.key("ArrowUp")
    while here()[1] > 1:
        browser.key("ArrowLeft")
    if row % 2:
        while here()[0] != row:
            browser.key("ArrowDown" if here()[0] < row else "ArrowUp")
        while here()[1] != column:
            browser.key("ArrowRight")
    else:
        while here()[1] != column:
            browser.key("ArrowRight")
        while here()[0] != row:
            browser.key("ArrowDown" if here()[0] < row else "ArrowUp")


def test_keyboard(browser: Browser) -> None:
    before, (a, b) = state(browser), two(browser)
    browser.run("document.activeElement.blur()")
    browser.key("Tab")
    assert browser.run("document.activeElement.dataset.cell") == "0"
    go(browser, a)
    browser.key("Enter")
    assert browser.run(f"buttons[{a}].getAttribute('aria-pressed')") == "true"
    browser.key("Escape")
    assert browser.run(f"buttons[{a}].getAttribute('aria-pressed')") == "false"
    browser.key(" ")
    go(browser, b)
    browser.key(" ")
    check_swapped(browser, before, a, b)


def test_green_cells_stay(browser: Browser) -> None:
    before = state(browser)
    green = browser.run("colours.indexOf(2)")
    browser.run(f"focus({green})")
    browser.key("Enter")
    assert state(browser) == before
    assert browser.run("held") is None
    assert "stays there" in browser.run("document.getElementById('said').textContent")


def test_no_swaps_left_then_the_solution_and_again(browser: Browser) -> None:
    a, b = browser.run("[0, 1].map(k => letters.map((x, i) => i).filter(i => colours[i] === 0)[k])")
    while browser.run("left"):
        browser.run(f"swap({a}, {b})")
    assert "No swaps left" in browser.run("document.getElementById('said').textContent")
    browser.run("document.getElementById('reveal').click()")
    assert browser.run("solved() && colours.every(c => c === 2)")
    browser.run("document.getElementById('again').click()")
    assert browser.run("left === puzzle.swaps && !solved()")


def test_a_game_to_its_end_and_the_next(browser: Browser) -> None:
    while not browser.run("solved()"):
        a, b = two(browser)
        browser.run(f"choose({a}); choose({b})")
    assert browser.run("document.getElementById('said').textContent").startswith("Solved, with")
    browser.run("document.getElementById('next').click()")
    assert browser.run("number") == 1
    assert not browser.run("solved()")


def test_every_cell_is_labelled(browser: Browser) -> None:
    labels = browser.run("buttons.map(b => b.getAttribute('aria-label'))")
    assert len(set(labels)) == len(labels) == 21
    assert labels[0].startswith("Row 1, column 1: ")


def test_light_and_dark(browser: Browser) -> None:
    seen = []
    for scheme in ("light", "dark"):
        browser.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        seen.append(browser.run("getComputedStyle(document.body).backgroundColor"))
    browser.send("Emulation.setEmulatedMedia", features=[])
    assert seen[0] != seen[1]


def test_the_page_asks_for_nothing(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for outside in ("http:", "https:", "src=", "@import", "url("):
        assert outside not in text
