"""The page that plays a puzzle, in a real browser: by mouse, touch and keyboard, on each size of board.

Without a browser these tests are left out, and said to be; with PUZZLEKIT_BROWSER=required a missing one fails.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from puzzlekit.api.generate import Made, load_generator
from puzzlekit.boards import Cell
from puzzlekit.libraries.exchanges import most_cycles
from puzzlekit.libraries.words import Mark
from tests.browser import Browser, installed
from tests.render.test_theme import contrast

REQUIRED = os.environ.get("PUZZLEKIT_BROWSER") == "required"
pytestmark = pytest.mark.skipif(not installed() and not REQUIRED, reason="no chromium here: the page was not tried")

ROOT = Path(__file__).parents[2]
SIZES = sorted((ROOT / "examples" / "waffles").glob("*.html"))
CHANGES = ("Emulation.clearDeviceMetricsOverride", "Emulation.setEmulatedMedia")  # what a test may have set


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
    for change in CHANGES:
        started.send(change)
    begin(started, page)
    return started


def begin(browser: Browser, page: Path) -> None:
    """Open a page of which the browser has kept nothing."""
    load(browser, page)
    browser.run("Storage.prototype.setItem = () => {}; localStorage.clear()")  # this page stores nothing from now on
    load(browser, page)


def load(browser: Browser, page: Path) -> None:
    """Open a page, or open it again."""
    browser.run("window.before = true")
    if browser.run("location.href") == page.as_uri():
        browser.send("Page.reload")  # the same process goes on with what it has kept
    else:
        browser.open(page)
    until = time.monotonic() + 60
    while browser.run("window.before || document.readyState !== 'complete'"):
        assert time.monotonic() < until, "the page does not load"
        time.sleep(0.02)


def load_again(browser: Browser, page: Path) -> None:
    """Open the page again, once the browser's main process has what the page kept: it takes that over a moment later."""
    time.sleep(0.3)
    load(browser, page)


def media(browser: Browser, **features: str) -> None:
    """Set features of the medium: prefers_color_scheme="dark"."""
    named = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
    browser.send("Emulation.setEmulatedMedia", features=named)


def wide(browser: Browser, width: int, height: int) -> None:
    browser.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)


def press(browser: Browser, button: str) -> None:
    """Press a button of the page by the mouse."""
    at = browser.run(
        f"(() => {{ const b = document.getElementById('{button}'); b.scrollIntoView({{block: 'center'}});"
        " const r = b.getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + r.height / 2}; })()"
    )
    browser.mouse("mousePressed", at)
    browser.mouse("mouseReleased", at)


def text(browser: Browser, element: str) -> str:
    """The text of an element, empty if it is hidden."""
    return str(browser.run(f"(x => x.checkVisibility() ? x.innerText : '')(document.getElementById('{element}'))"))


def enabled(browser: Browser) -> set[str]:
    """The buttons of the game that can be pressed."""
    return set(browser.run("[...document.querySelectorAll('nav button')].filter(b => !b.disabled && !b.hidden).map(b => b.id)"))


def state(browser: Browser) -> tuple[list[str], int]:
    return browser.run("letters"), browser.run("left")


def drawn(browser: Browser) -> tuple[list[str], list[str]]:
    """The letters and the colours that the board shows."""
    letters = browser.run("buttons.map(b => b.querySelector('.letter:not(.corner)').textContent.toLowerCase())")
    return letters, browser.run("buttons.map(b => b.querySelector('.cell').getAttribute('class').replace('cell ', ''))")


def two(browser: Browser) -> tuple[int, int]:
    """Two cells that are not green, the second where the first one's letter belongs; nothing moves any more."""
    browser.run("document.getAnimations().forEach(one => one.finish())")
    found = browser.run(
        "(() => { for (let a = 0; a < letters.length; a++) for (let b = 0; b < letters.length; b++)"
        " if (colours[a] < 2 && colours[b] < 2 && letters[a] === puzzle.answer[b]) return [a, b]; })()"
    )
    return found[0], found[1]


def solve(browser: Browser) -> None:
    """Solve the puzzle by taps."""
    while not browser.run("solved()"):
        a, b = two(browser)
        browser.run(f"choose({a}); choose({b})")


def lose(browser: Browser) -> None:
    """Use up all swaps on two grey letters."""
    a, b = browser.run("[0, 1].map(k => letters.map((x, i) => i).filter(i => colours[i] === 0)[k])")
    while browser.run("left"):
        browser.run(f"swap({a}, {b})")


def swapped(before: list[str], a: int, b: int) -> list[str]:
    after = list(before)
    after[a], after[b] = after[b], after[a]
    return after


def check_swapped(browser: Browser, before: tuple[list[str], int], a: int, b: int) -> None:
    assert state(browser) == (swapped(before[0], a, b), before[1] - 1)
    assert drawn(browser)[0] == browser.run("letters") and drawn(browser)[1][b] == "green"  # the board follows
    assert browser.run(f"buttons[{b}].getAttribute('aria-label')").endswith(", green")
    assert browser.run("document.getElementById('left').textContent") == f"{before[1] - 1} swaps left"
    assert "changed places" in browser.run("document.getElementById('said').textContent")


def test_mouse_drag(browser: Browser) -> None:
    before, (a, b) = state(browser), two(browser)
    start, end = browser.middle(a), browser.middle(b)
    browser.mouse("mousePressed", start)
    browser.mouse("mouseMoved", {key: (start[key] + end[key]) / 2 for key in start})
    browser.mouse("mouseMoved", end)
    assert browser.run(f"document.querySelector('.ring.focus').getAttribute('d') === ground({b}).getAttribute('d')")
    assert browser.run(f"document.querySelector('.ghost .letter').textContent === face({a}).textContent")
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
    assert browser.run(f"document.querySelector('.ghost') === null && !buttons[{a}].classList.contains('away')")


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
        return list(browser.run("puzzle.cells[buttons.indexOf(document.activeElement)]"))

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
    assert browser.run("buttons.indexOf(document.activeElement)") == 0
    assert browser.run("document.querySelector('.ring.focus').getAttribute('d') === ground(0).getAttribute('d')")
    go(browser, a)
    browser.key("Enter")
    assert browser.run(f"buttons[{a}].getAttribute('aria-pressed')") == "true"
    rings = [browser.run(f"getComputedStyle(document.querySelectorAll('.ring')[{k}]).stroke") for k in range(4)]
    assert rings[0] == rings[2] != rings[1] == rings[3]  # each has a rim, so that it is seen on every colour
    assert browser.run(f"document.querySelector('.ring.held').getAttribute('d') === ground({a}).getAttribute('d')")
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


def test_undo_takes_back_every_swap(browser: Browser) -> None:
    assert enabled(browser) == {"hint", "next"}
    seen = []
    for _ in range(3):
        seen.append((state(browser), drawn(browser)))
        a, b = two(browser)
        browser.run(f"choose({a}); choose({b})")
    assert enabled(browser) == {"undo", "hint", "again", "next"}
    for before in reversed(seen[1:]):
        press(browser, "undo")
        assert (state(browser), drawn(browser)) == before
    assert "are back in their places" in text(browser, "said")
    browser.key("z", modifiers=2)
    assert (state(browser), drawn(browser)) == seen[0]
    assert enabled(browser) == {"hint", "again", "next"}  # what was taken back is counted
    browser.key("z", modifiers=2)
    assert state(browser) == seen[0][0]
    press(browser, "again")
    assert enabled(browser) == {"hint", "next"} and browser.run("game.undone") == 0


def test_a_hint_makes_a_swap_and_is_told(browser: Browser) -> None:
    before = state(browser)
    press(browser, "hint")
    (a, b), *rest = browser.run("game.moves")
    assert not rest and state(browser) == (swapped(before[0], a, b), before[1] - 1)
    right = [cell for cell in (a, b) if browser.run(f"letters[{cell}] === puzzle.answer[{cell}]")]
    assert right and all(drawn(browser)[1][cell] == "green" for cell in right)
    row, column = browser.run(f"puzzle.cells[{right[0]}]")
    assert text(browser, "said").startswith("Hint 1: ") and f"row {row}, column {column}" in text(browser, "said")
    press(browser, "undo")
    assert browser.run("game.hints") == 1
    while not browser.run("over()"):
        press(browser, "hint")
    assert browser.run("solved() && game.moves.length === puzzle.fewest && game.hints === puzzle.fewest + 1")
    assert "11 hints and 1 swap taken back on the way" in text(browser, "sentence")
    assert text(browser, "stars") == "☆☆☆☆☆"
    assert enabled(browser) == {"again", "next"}


def fewest(stand: list[str], answer: list[str]) -> int:
    """The exact least number of swaps."""
    arcs = [(one, other) for one, other in zip(stand, answer) if one != other]
    cut = most_cycles(arcs)
    assert cut.proven
    return len(arcs) - len(cut.cycles)


def hinted(browser: Browser, states: list[list[str]], answer: list[str]) -> list[list[int]]:
    """The swap of a hint for each of some states."""
    script = "states => states.map(state => { letters = state; return rightSwap().slice(0, 2); })"
    return list(browser.run(f"puzzle = {{...puzzle, answer: {json.dumps(answer)}}}; ({script})({json.dumps(states)})"))


def check_hints(browser: Browser, states: list[list[str]], answer: list[str]) -> None:
    for state, (a, b) in zip(states, hinted(browser, states, answer), strict=True):
        after = swapped(state, a, b)
        assert fewest(after, answer) == fewest(state, answer) - 1
        assert [state[i] == answer[i] for i in (a, b)] == [False, False]  # no green letter moves
        straight = any(x != y and (x, y) == (answer[j], answer[i]) for i, x in enumerate(state) for j, y in enumerate(state))
        assert (after[a], after[b]) == (answer[a], answer[b]) if straight else (after[a] == answer[a] or after[b] == answer[b])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("path", SIZES, ids=lambda path: path.stem)
def test_a_hint_lies_on_a_shortest_way(browser: Browser, path: Path) -> None:
    begin(browser, path)
    random = Random(path.stem)
    answer = browser.run("puzzle.answer")
    states = [browser.run("puzzle.letters")]
    for part in (0.2, 0.5, 1, 1):
        state = list(answer)
        moving = random.sample(range(len(state)), max(2, round(part * len(state))))
        for cell, other in zip(moving, random.sample(moving, len(moving))):
            state[cell] = answer[other]
        if state != answer:
            states.append(state)
    check_hints(browser, states, answer)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", [9, 15, 31, 51, 87, 99])
def test_a_hint_searches_where_no_letters_change_places(browser: Browser, seed: int) -> None:
    """Triples of letters that go round, no two of them there and back; the nearest cycles are too few."""
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
    check_hints(browser, [stand], answer)


def test_hints_lead_on_from_a_board_of_equal_letters(browser: Browser) -> None:
    random = Random(1)
    for letters in ("abc", "abcde", "abcdefghij"):
        answer = [random.choice(letters) for _ in range(60)]
        state = random.sample(answer, 60)
        states = []
        while state != answer:
            states.append(state)
            ((a, b),) = hinted(browser, [state], answer)
            state = swapped(state, a, b)
        check_hints(browser, states, answer)
        assert len(states) == fewest(states[0], answer)


def test_a_reload_keeps_the_game(browser: Browser, page: Path) -> None:
    a, b = two(browser)
    browser.run(f"swap({a}, {b})")
    press(browser, "hint")
    press(browser, "hint")
    press(browser, "undo")
    before = state(browser), drawn(browser), browser.run("JSON.stringify(game)"), enabled(browser)
    load_again(browser, page)
    assert (state(browser), drawn(browser), browser.run("JSON.stringify(game)"), enabled(browser)) == before
    assert "Here you left off: 13 swaps left" in text(browser, "said")
    press(browser, "undo")
    assert browser.run("left") == 14
    press(browser, "next")
    assert browser.run("number === 1 && left === puzzle.swaps && game.hints === 0")  # each puzzle has its own
    load_again(browser, page)
    assert browser.run("number") == 1
    press(browser, "previous")
    assert browser.run("left") == 14
    press(browser, "again")
    load_again(browser, page)
    assert browser.run("left === puzzle.swaps && game.hints === 0")


def test_a_reload_keeps_a_win_and_a_solution_that_was_shown(browser: Browser, page: Path) -> None:
    solve(browser)
    load_again(browser, page)
    assert text(browser, "outcome") == "Solved!" and browser.run("solved()")
    browser.run("open(1)")
    lose(browser)
    press(browser, "reveal")
    load_again(browser, page)
    assert text(browser, "outcome") == "The solution" and "undo" not in enabled(browser)


@pytest.mark.parametrize(
    "kept",
    [
        *("nonsense", "null", "[]", '{"moves": 3}', '{"moves": [[0, 1], 7], "hints": "x", "revealed": 1}'),
        *('{"moves": [[1, 1]]}', '{"moves": [[1, 99]]}', '{"moves": [["length", 1]], "hints": -4, "revealed": true}'),
    ],
)
def test_what_the_browser_kept_wrong_is_left_out(browser: Browser, page: Path, kept: str) -> None:
    assert browser.run("colours[0]") == 2  # so the first swap of these is against the rules
    browser.run(f"localStorage.setItem(`puzzlekit-${{puzzle.id}}`, {json.dumps(kept)})")
    load_again(browser, page)
    assert browser.run("left === puzzle.swaps && game.hints === 0 && !game.revealed && !over()")


def test_it_plays_where_nothing_may_be_kept(browser: Browser, page: Path) -> None:
    forbid = "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError'); }});"
    script = browser.send("Page.addScriptToEvaluateOnNewDocument", source=forbid)["identifier"]
    load_again(browser, page)
    browser.send("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
    a, b = two(browser)
    before = state(browser)
    browser.run(f"choose({a}); choose({b})")
    check_swapped(browser, before, a, b)
    press(browser, "undo")
    assert state(browser) == before


MOVING = "document.getAnimations().filter(one => buttons.includes(one.effect.target)).length"


def test_a_win(browser: Browser) -> None:
    assert text(browser, "outcome") == ""
    solve(browser)
    assert browser.run(MOVING) >= 21  # every tile
    used = browser.run("game.moves.length")
    left = browser.run("left")
    assert text(browser, "said") == f"Solved, with {left} swap{'' if left == 1 else 's'} left."
    assert text(browser, "outcome") == "Solved!"
    assert text(browser, "stars") == "★" * left + "☆" * (5 - left)
    assert browser.run("document.getElementById('stars').getAttribute('aria-label')") == f"{left} of 5 stars"
    ending = "the fewest possible." if used == 10 else "the fewest possible are 10."
    assert text(browser, "sentence") == f"You made it with {used} swaps, {left} left; {ending}"
    assert enabled(browser) == {"again", "next"}
    title, stars, *rows = browser.run("document.getElementById('text').value").split("\n")
    assert (title, stars) == ("Waffle: Seed 3, number 1", "★" * left + "☆" * (5 - left) + f" {used} swaps (fewest 10)")
    begun = iter(browser.run("coloursOf(puzzle.letters, puzzle.answer, puzzle.slots)"))
    lattice = ["".join("\u3000" if r % 2 and c % 2 else "⬛🟨🟩"[next(begun)] for c in range(5)) for r in range(5)]
    assert rows == lattice
    press(browser, "next")
    assert browser.run("number") == 1 and not browser.run("solved()")
    assert text(browser, "outcome") == ""


def test_the_result_is_copied_or_selected(browser: Browser) -> None:
    solve(browser)
    browser.run("Object.defineProperty(navigator, 'clipboard', {value: {writeText: async text => { window.copied = text; }}})")
    press(browser, "copy")
    assert browser.run("copied === document.getElementById('text').value") and text(browser, "said") == "Copied."
    browser.run("navigator.clipboard.writeText = async () => { throw new Error('no'); }; document.execCommand = () => false")
    press(browser, "copy")
    assert text(browser, "said") == "The result is selected: copy it."
    assert str(browser.run("getSelection().toString()")).startswith("Waffle: Seed 3")


def test_nothing_moves_where_motion_is_not_wanted(browser: Browser) -> None:
    media(browser, prefers_reduced_motion="reduce")
    solve(browser)
    assert browser.run(MOVING) == 0
    assert text(browser, "outcome") == "Solved!"


def test_a_loss_then_undo_the_solution_and_again(browser: Browser) -> None:
    lose(browser)
    assert "No swaps left" in text(browser, "said") and text(browser, "outcome") == "No swaps left"
    wrong = browser.run("letters.filter((letter, i) => letter !== puzzle.answer[i]).length")
    assert text(browser, "sentence").startswith(f"{wrong} letters are not in place yet.")
    assert text(browser, "stars") == text(browser, "text") == ""
    assert enabled(browser) == {"undo", "again", "reveal", "next"}
    press(browser, "undo")
    assert text(browser, "outcome") == "" and browser.run("left") == 1
    lose(browser)
    press(browser, "reveal")
    assert set(drawn(browser)[1]) == {"green"} and drawn(browser)[0] == browser.run("puzzle.answer")
    assert text(browser, "outcome") == "The solution" and text(browser, "stars") == ""
    assert enabled(browser) == {"again", "next"}
    press(browser, "again")
    assert browser.run("left === puzzle.swaps && !solved()") and text(browser, "outcome") == ""


def test_the_focus_is_not_lost_with_its_button(browser: Browser) -> None:
    browser.run("document.getElementById('hint').focus()")
    browser.key("Enter")
    browser.run("document.getElementById('undo').focus()")
    browser.key("Enter")
    assert browser.run("left === puzzle.swaps && buttons.includes(document.activeElement)")


def test_every_cell_is_labelled(browser: Browser) -> None:
    labels = browser.run("buttons.map(b => b.getAttribute('aria-label'))")
    assert len(set(labels)) == len(labels) == 21
    assert labels[0].startswith("Row 1, column 1: ")
    tree = browser.send("Accessibility.getFullAXTree")["nodes"]
    named = [node["name"]["value"] for node in tree if node.get("role", {}).get("value") == "button" and "name" in node]
    assert [name for name in named if name.startswith("Row ")] == labels  # in reading order
    assert any(node.get("role", {}).get("value") == "group" and node["name"]["value"] == "The board" for node in tree)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_letter_is_legible_and_yellow_is_yellow(browser: Browser, scheme: str) -> None:
    media(browser, prefers_color_scheme=scheme)

    def colour(element: str, style: str = "fill") -> str:
        parts = re.findall(r"\d+", browser.run(f"getComputedStyle({element}).{style}"))
        return "#" + "".join(f"{int(part):02x}" for part in parts[:3])

    def marked(mark: str) -> list[int]:
        return [i for i, name in enumerate(drawn(browser)[1]) if name == mark]

    def check() -> None:
        for i, mark in enumerate(drawn(browser)[1]):
            back = colour(f"ground({i})")
            assert back == {"green": "#3a7d34", "yellow": "#e2b93b", "grey": "#6b7075"}[mark]
            for part in ("face", "mark"):
                assert contrast(colour(f"{part}({i})"), back) >= 4.5
            assert browser.run(f"mark({i}).textContent") == {"green": "✓", "yellow": "•", "grey": ""}[mark]

    assert all(map(marked, ("green", "yellow", "grey")))
    check()
    press(browser, "hint")
    check()
    paper = colour("document.body", "backgroundColor")
    assert (contrast(paper, "#000000") > 10) is (scheme == "light")
    for element in ("title", "left", "said", "hint", "help"):
        assert contrast(colour(f"document.getElementById('{element}')", "color"), paper) >= 4.5


@pytest.mark.sampled(6)
@pytest.mark.parametrize("width", [390, 1200])
@pytest.mark.parametrize("path", SIZES, ids=lambda path: path.stem)
def test_every_size_fits_a_phone_and_a_screen(browser: Browser, path: Path, width: int) -> None:
    high = 844 if width == 390 else 640
    wide(browser, width, high)
    begin(browser, path)
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    tiles = browser.run("buttons.map(b => { const r = b.getBoundingClientRect(); return [r.left, r.right, r.top, r.bottom]; })")
    assert len(tiles) == browser.run("puzzle.cells.length")
    assert all(min(left, top) >= 0 and right <= width and bottom <= high for left, right, top, bottom in tiles)
    assert min(right - left for left, right, *_ in tiles) >= 24
    before, (a, b) = state(browser), two(browser)
    for cell in (a, b):
        browser.touch("touchStart", browser.middle(cell))
        browser.touch("touchEnd")
    check_swapped(browser, before, a, b)
    solve_by_hints = "while (!over()) hint()"
    browser.run(solve_by_hints)
    assert browser.run("solved() && document.documentElement.scrollWidth <= innerWidth")


def test_print_shows_the_board_alone(browser: Browser) -> None:
    browser.send("Emulation.setEmulatedMedia", media="print")
    shown = browser.run(
        "[...document.querySelectorAll('nav, details, #said, #board svg, h1')].filter(x => x.checkVisibility())"
    )
    assert len(shown) == 2
    assert browser.run("getComputedStyle(svg).printColorAdjust") == "exact"


def test_without_a_script_the_start_is_seen(page: Path) -> None:
    markup = re.sub(r"<script>.*</script>", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert markup.count("<svg ") == 2 and markup.count('class="letter on ') == 42


def test_the_page_asks_for_nothing(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for outside in ("http:", "https:", "src=", "@import", "url("):
        assert outside not in text


def test_the_template_has_no_colours_of_its_own() -> None:
    template = (ROOT / "puzzles" / "waffle_page.html").read_text(encoding="utf-8")
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|rgba?\(|hsla?\(", template) == []


def test_texts_of_puzzles_are_escaped(browser: Browser, tmp_path: Path) -> None:
    generator, _ = load_generator("waffle")
    evil = "</script><img src=x onerror='window.evil = 1'>/*MARKS*/[]"
    stand = {Cell(1, 1): "<", Cell(1, 2): evil, Cell(1, 3): "&"}
    colours = dict(zip(stand, (Mark.YELLOW, Mark.GREY, Mark.GREEN)))
    game = {"cells": [[1, 1], [1, 2], [1, 3]], "slots": [[0, 1, 2]], "rows": 1, "columns": 3, "fewest": 1, "swaps": 3}
    data = {"title": evil, "id": "0", "letters": list(stand.values()), "answer": [evil, "<", "&"], **game}
    played = generator.PlayedPuzzle(generator.start_svg(stand, colours), data)
    path = tmp_path / "page.html"
    path.write_text(generator.page([Made("", "", played)]), encoding="utf-8")
    begin(browser, path)
    assert text(browser, "title") == f"Waffle: {evil}" and drawn(browser)[0] == list(map(str.lower, stand.values()))
    browser.run("hint()")
    assert browser.run("solved() && window.evil === undefined && document.images.length === 0")
