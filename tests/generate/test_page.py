"""The page that plays a puzzle, in a real browser: by mouse, touch and keyboard,
on each size of board.

Without a browser these tests are left out, and said to be;
with PUZZLEKIT_BROWSER=required a missing one fails.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from puzzlekit.boards import Cell
from puzzlekit.libraries.words import Mark
from puzzlekit.making.generators import load_page
from tests.browser import needs_browser, reload
from tests.generate.board_page import (
    ROOT,
    SIZES,
    begin,
    check_swapped,
    clicks,
    drag_by_touch,
    drawn,
    enabled,
    lose,
    middle,
    press,
    solve,
    state,
    taps,
    text,
    two,
)
from tests.render.test_theme import contrast

pytestmark = needs_browser


def test_mouse_drag(page: Page) -> None:
    before, (a, b) = state(page), two(page)
    page.mouse.move(*middle(page, a))
    page.mouse.down()
    page.mouse.move(*middle(page, b), steps=2)
    assert page.evaluate(
        f"document.querySelector('.ring.focus').getAttribute('d') === ground({b}).getAttribute('d')"
    )
    assert page.evaluate(
        f"document.querySelector('.ghost .letter').textContent === face({a}).textContent"
    )
    page.mouse.up()
    check_swapped(page, before, a, b)


@pytest.mark.slow
def test_drag_beside_the_board_does_nothing(page: Page) -> None:
    before, (a, _) = state(page), two(page)
    page.mouse.move(*middle(page, a))
    page.mouse.down()
    page.mouse.move(3, 3)
    page.mouse.up()
    assert state(page) == before
    assert page.evaluate(
        f"document.querySelector('.ghost') === null && !buttons[{a}].classList.contains('away')"
    )


@pytest.mark.slow
@pytest.mark.parametrize("swap", [clicks, taps, drag_by_touch])
def test_two_cells_change_places(page: Page, swap: Callable[[Page, int, int], None]) -> None:
    for _ in range(2):
        before, (a, b) = state(page), two(page)
        swap(page, a, b)
        check_swapped(page, before, a, b)


def go(page: Page, cell: int) -> None:
    """Walk to a cell by arrow keys: first to its row, along a column without holes."""
    row, column = page.evaluate(f"puzzle.cells[{cell}]")

    def here() -> list[int]:
        return list(page.evaluate("puzzle.cells[buttons.indexOf(document.activeElement)]"))

    while here()[1] > 1 and here()[0] % 2:
        page.keyboard.press("ArrowLeft")
    while here()[0] % 2 == 0:
        page.keyboard.press("ArrowUp")
    while here()[1] > 1:
        page.keyboard.press("ArrowLeft")
    if row % 2:
        while here()[0] != row:
            page.keyboard.press("ArrowDown" if here()[0] < row else "ArrowUp")
        while here()[1] != column:
            page.keyboard.press("ArrowRight")
    else:
        while here()[1] != column:
            page.keyboard.press("ArrowRight")
        while here()[0] != row:
            page.keyboard.press("ArrowDown" if here()[0] < row else "ArrowUp")


def test_keyboard(page: Page) -> None:
    before, (a, b) = state(page), two(page)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Tab")
    assert page.evaluate("buttons.indexOf(document.activeElement)") == 0
    assert page.evaluate(
        "document.querySelector('.ring.focus').getAttribute('d') === ground(0).getAttribute('d')"
    )
    go(page, a)
    page.keyboard.press("Enter")
    assert page.evaluate(f"buttons[{a}].getAttribute('aria-pressed')") == "true"
    rings = [
        page.evaluate(f"getComputedStyle(document.querySelectorAll('.ring')[{k}]).stroke")
        for k in range(4)
    ]
    assert (
        rings[0] == rings[2] != rings[1] == rings[3]
    )  # each has a rim, so that it is seen on every colour
    assert page.evaluate(
        f"document.querySelector('.ring.held').getAttribute('d') === ground({a}).getAttribute('d')"
    )
    page.keyboard.press("Escape")
    assert page.evaluate(f"buttons[{a}].getAttribute('aria-pressed')") == "false"
    page.keyboard.press(" ")
    go(page, b)
    page.keyboard.press(" ")
    check_swapped(page, before, a, b)


@pytest.mark.slow
def test_green_cells_stay(page: Page) -> None:
    before = state(page)
    green = page.evaluate("colours.indexOf(2)")
    page.evaluate(f"focus({green})")
    page.keyboard.press("Enter")
    assert state(page) == before
    assert page.evaluate("held") is None
    assert "stays there" in page.evaluate("document.getElementById('said').textContent")


@pytest.mark.slow
def test_undo_takes_back_every_swap(page: Page) -> None:
    assert enabled(page) == {"hint", "next"}
    seen = []
    for _ in range(3):
        seen.append((state(page), drawn(page)))
        a, b = two(page)
        page.evaluate(f"choose({a}); choose({b})")
    assert enabled(page) == {"undo", "hint", "again", "next"}
    for before in reversed(seen[1:]):
        press(page, "undo")
        assert (state(page), drawn(page)) == before
    assert "are back in their places" in text(page, "said")
    page.keyboard.press("Control+z")
    assert (state(page), drawn(page)) == seen[0]
    assert enabled(page) == {"hint", "again", "next"}  # what was taken back is counted
    page.keyboard.press("Control+z")
    assert state(page) == seen[0][0]
    press(page, "again")
    assert enabled(page) == {"hint", "next"} and page.evaluate("game.undone") == 0


@pytest.mark.slow
def test_a_reload_keeps_the_game(page: Page) -> None:
    a, b = two(page)
    page.evaluate(f"swap({a}, {b})")
    press(page, "hint")
    press(page, "hint")
    press(page, "undo")
    before = state(page), drawn(page), page.evaluate("JSON.stringify(game)"), enabled(page)
    reload(page)
    assert (
        state(page),
        drawn(page),
        page.evaluate("JSON.stringify(game)"),
        enabled(page),
    ) == before
    assert "Here you left off: 13 swaps left" in text(page, "said")
    press(page, "undo")
    assert page.evaluate("left") == 14
    press(page, "next")
    assert page.evaluate(
        "number === 1 && left === puzzle.swaps && game.hints === 0"
    )  # each puzzle has its own
    reload(page)
    assert page.evaluate("number") == 1
    press(page, "previous")
    assert page.evaluate("left") == 14
    press(page, "again")
    reload(page)
    assert page.evaluate("left === puzzle.swaps && game.hints === 0")


@pytest.mark.slow
def test_a_reload_keeps_a_win_and_a_solution_that_was_shown(page: Page) -> None:
    solve(page)
    reload(page)
    assert text(page, "outcome") == "Solved!" and page.evaluate("solved()")
    page.evaluate("open(1)")
    lose(page)
    press(page, "reveal")
    reload(page)
    assert text(page, "outcome") == "The solution" and "undo" not in enabled(page)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kept",
    [
        *(
            "nonsense",
            "null",
            "[]",
            '{"moves": 3}',
            '{"moves": [[0, 1], 7], "hints": "x", "revealed": 1}',
        ),
        *(
            '{"moves": [[1, 1]]}',
            '{"moves": [[1, 99]]}',
            '{"moves": [["length", 1]], "hints": -4, "revealed": true}',
        ),
    ],
)
def test_what_the_browser_kept_wrong_is_left_out(page: Page, kept: str) -> None:
    assert page.evaluate("colours[0]") == 2  # so the first swap of these is against the rules
    page.evaluate(f"localStorage.setItem(`puzzlekit-${{puzzle.id}}`, {json.dumps(kept)})")
    reload(page)
    assert page.evaluate("left === puzzle.swaps && game.hints === 0 && !game.revealed && !over()")


@pytest.mark.slow
def test_it_plays_where_nothing_may_be_kept(browser: Page, file: Path) -> None:
    page = browser.context.new_page()
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', "
        "'SecurityError'); }});"
    )
    page.goto(file.as_uri())
    a, b = two(page)
    before = state(page)
    page.evaluate(f"choose({a}); choose({b})")
    check_swapped(page, before, a, b)
    press(page, "undo")
    assert state(page) == before
    page.close()


MOVING = "document.getAnimations().filter(one => buttons.includes(one.effect.target)).length"


def test_a_win(page: Page) -> None:
    assert text(page, "outcome") == ""
    solve(page)
    assert page.evaluate(MOVING) >= 21  # every tile
    used = page.evaluate("game.moves.length")
    left = page.evaluate("left")
    assert text(page, "said") == f"Solved, with {left} swap{'' if left == 1 else 's'} left."
    assert text(page, "outcome") == "Solved!"
    assert text(page, "stars") == "★" * left + "☆" * (5 - left)
    assert (
        page.evaluate("document.getElementById('stars').getAttribute('aria-label')")
        == f"{left} of 5 stars"
    )
    ending = "the fewest possible." if used == 10 else "the fewest possible are 10."
    assert text(page, "sentence") == f"You made it with {used} swaps, {left} left; {ending}"
    assert enabled(page) == {"again", "next"}
    title, stars, *rows = page.evaluate("document.getElementById('text').value").split("\n")
    assert (title, stars) == (
        "Waffle: Seed 3, number 1",
        "★" * left + "☆" * (5 - left) + f" {used} swaps (fewest 10)",
    )
    begun = iter(page.evaluate("coloursOf(puzzle.letters, puzzle.answer, puzzle.slots)"))
    lattice = [
        "".join("\u3000" if r % 2 and c % 2 else "⬛🟨🟩"[next(begun)] for c in range(5))
        for r in range(5)
    ]
    assert rows == lattice
    press(page, "next")
    assert page.evaluate("number") == 1 and not page.evaluate("solved()")
    assert text(page, "outcome") == ""


@pytest.mark.slow
def test_the_result_is_copied_or_selected(page: Page) -> None:
    solve(page)
    page.evaluate(
        "Object.defineProperty(navigator, 'clipboard', {value: {writeText: "
        "async text => { window.copied = text; }}})"
    )
    press(page, "copy")
    assert (
        page.evaluate("copied === document.getElementById('text').value")
        and text(page, "said") == "Copied."
    )
    page.evaluate(
        "navigator.clipboard.writeText = async () => { throw new Error('no'); }; "
        "document.execCommand = () => false"
    )
    press(page, "copy")
    assert text(page, "said") == "The result is selected: copy it."
    assert str(page.evaluate("getSelection().toString()")).startswith("Waffle: Seed 3")


@pytest.mark.slow
def test_nothing_moves_where_motion_is_not_wanted(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    solve(page)
    assert page.evaluate(MOVING) == 0
    assert text(page, "outcome") == "Solved!"


@pytest.mark.slow
def test_a_loss_then_undo_the_solution_and_again(page: Page) -> None:
    lose(page)
    assert "No swaps left" in text(page, "said") and text(page, "outcome") == "No swaps left"
    wrong = page.evaluate("letters.filter((letter, i) => letter !== puzzle.answer[i]).length")
    assert text(page, "sentence").startswith(f"{wrong} letters are not in place yet.")
    assert text(page, "stars") == text(page, "text") == ""
    assert enabled(page) == {"undo", "again", "reveal", "next"}
    press(page, "undo")
    assert text(page, "outcome") == "" and page.evaluate("left") == 1
    lose(page)
    press(page, "reveal")
    assert set(drawn(page)[1]) == {"green"} and drawn(page)[0] == page.evaluate("puzzle.answer")
    assert text(page, "outcome") == "The solution" and text(page, "stars") == ""
    assert enabled(page) == {"again", "next"}
    press(page, "again")
    assert page.evaluate("left === puzzle.swaps && !solved()") and text(page, "outcome") == ""


@pytest.mark.slow
def test_the_focus_is_not_lost_with_its_button(page: Page) -> None:
    page.evaluate("document.getElementById('hint').focus()")
    page.keyboard.press("Enter")
    page.evaluate("document.getElementById('undo').focus()")
    page.keyboard.press("Enter")
    assert page.evaluate("left === puzzle.swaps && buttons.includes(document.activeElement)")


@pytest.mark.slow
def test_every_cell_is_labelled(page: Page) -> None:
    labels = page.evaluate("buttons.map(b => b.getAttribute('aria-label'))")
    assert len(set(labels)) == len(labels) == 21
    assert labels[0].startswith("Row 1, column 1: ")
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    named = [
        node["name"]["value"]
        for node in tree
        if node.get("role", {}).get("value") == "button" and "name" in node
    ]
    assert [name for name in named if name.startswith("Row ")] == labels  # in reading order
    assert any(
        node.get("role", {}).get("value") == "group" and node["name"]["value"] == "The board"
        for node in tree
    )


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_letter_is_legible_and_yellow_is_yellow(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)

    def colour(element: str, style: str = "fill") -> str:
        parts = re.findall(r"\d+", page.evaluate(f"getComputedStyle({element}).{style}"))
        return "#" + "".join(f"{int(part):02x}" for part in parts[:3])

    def marked(mark: str) -> list[int]:
        return [i for i, name in enumerate(drawn(page)[1]) if name == mark]

    def check() -> None:
        for i, mark in enumerate(drawn(page)[1]):
            back = colour(f"ground({i})")
            assert back == {"green": "#3a7d34", "yellow": "#e2b93b", "grey": "#6b7075"}[mark]
            for part in ("face", "mark"):
                assert contrast(colour(f"{part}({i})"), back) >= 4.5
            assert (
                page.evaluate(f"mark({i}).textContent")
                == {"green": "✓", "yellow": "•", "grey": ""}[mark]
            )

    assert all(map(marked, ("green", "yellow", "grey")))
    check()
    press(page, "hint")
    check()
    paper = colour("document.body", "backgroundColor")
    assert (contrast(paper, "#000000") > 10) is (scheme == "light")
    for element in ("title", "left", "said", "hint", "help"):
        assert contrast(colour(f"document.getElementById('{element}')", "color"), paper) >= 4.5


@pytest.mark.sampled(2)
@pytest.mark.parametrize("width", [390, 1200])
@pytest.mark.parametrize("path", SIZES, ids=lambda path: path.stem)
def test_every_size_fits_a_phone_and_a_screen(page: Page, path: Path, width: int) -> None:
    high = 844 if width == 390 else 640
    page.set_viewport_size({"width": width, "height": high})
    begin(page, path)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tiles = page.evaluate(
        "buttons.map(b => { const r = b.getBoundingClientRect(); return [r.left, r.right, "
        "r.top, r.bottom]; })"
    )
    assert len(tiles) == page.evaluate("puzzle.cells.length")
    assert all(
        min(left, top) >= 0 and right <= width and bottom <= high
        for left, right, top, bottom in tiles
    )
    assert min(right - left for left, right, *_ in tiles) >= 24
    before, (a, b) = state(page), two(page)
    taps(page, a, b)
    check_swapped(page, before, a, b)
    page.evaluate("while (!over()) hint()")
    assert page.evaluate("solved() && document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
def test_print_shows_the_board_alone(page: Page) -> None:
    page.emulate_media(media="print")
    shown = page.evaluate(
        "[...document.querySelectorAll('nav, details, #said, #board svg, "
        "h1')].filter(x => x.checkVisibility())"
    )
    assert len(shown) == 2
    assert page.evaluate("getComputedStyle(svg).printColorAdjust") == "exact"


def test_without_a_script_the_start_is_seen(file: Path) -> None:
    markup = re.sub(r"<script>.*</script>", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert markup.count("<svg ") == 2 and markup.count('class="letter on ') == 42


def test_the_page_asks_for_nothing(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert not [
        outside for outside in ("http:", "https:", "src=", "@import", "url(") if outside in text
    ]


def test_the_template_has_no_colours_of_its_own() -> None:
    template = (ROOT / "plugins" / "waffle" / "puzzlekit_waffle" / "page.html").read_text(
        encoding="utf-8"
    )
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|rgba?\(|hsla?\(", template) == []


def test_texts_of_puzzles_are_escaped(page: Page, tmp_path: Path) -> None:
    module: Any = load_page("waffle")
    evil = "</script><img src=x onerror='window.evil = 1'>/*MARKS*/[]"
    stand = {Cell(1, 1): "<", Cell(1, 2): evil, Cell(1, 3): "&"}
    colours = dict(zip(stand, (Mark.YELLOW, Mark.GREY, Mark.GREEN)))
    game = {
        "cells": [[1, 1], [1, 2], [1, 3]],
        "slots": [[0, 1, 2]],
        "rows": 1,
        "columns": 3,
        "fewest": 1,
        "swaps": 3,
    }
    data = {
        "title": evil,
        "id": "0",
        "letters": list(stand.values()),
        "answer": [evil, "<", "&"],
        **game,
    }
    path = tmp_path / "page.html"
    path.write_text(module.filled([module.start_svg(stand, colours)], [data]), encoding="utf-8")
    begin(page, path)
    assert text(page, "title") == f"Waffle: {evil}" and drawn(page)[0] == list(
        map(str.lower, stand.values())
    )
    page.evaluate("hint()")
    assert page.evaluate("solved() && window.evil === undefined && document.images.length === 0")
