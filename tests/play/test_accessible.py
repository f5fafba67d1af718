"""What a screen reader meets, what the keyboard reaches, and what is seen at 200 %."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import puzzlekit
from puzzlekit.play.game import Game as Pictures
from puzzlekit.play.page import play_page
from puzzlekit.play.spoken import spoken
from tests.browser import needs_browser
from tests.play.game import Game
from tests.shipped import SPECS

pytestmark = needs_browser


def nodes(page: Page) -> list[Any]:
    """The accessibility tree that the browser gives to screen readers, but what is ignored: roles,
    names, properties.
    """
    page.wait_for_function("() => !document.querySelector('[role=gridcell]:not([aria-label])')")
    session = page.context.new_cdp_session(page)
    found = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    return [
        (
            node["role"]["value"],
            node.get("name", {}).get("value", ""),
            {one["name"]: one["value"].get("value") for one in node.get("properties", ())},
        )
        for node in found
        if not node["ignored"]
    ]


HEARD = {  # a cell with what the picture shows there
    "akari": "row 1, column 4: black; 2",
    "shikaku": "row 1, column 4: in no piece; 4",
    "slant": "row 2, column 3: nothing drawn; 3; white circle",
    "skyscrapers": "row 3, column 3: empty; left 1, right 3; column: top 1, bottom 3",
    "star_battle": "row 2, column 1: empty; region 3",
    "sudoku": "row 1, column 3: 3, given; region 1",
    "koburin": None,
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", HEARD)
def test_the_board_is_a_grid_with_all_that_is_on_it(
    name: str, browser: Page, tmp_path: Path
) -> None:
    game = Game(browser, tmp_path, name)
    found = nodes(browser)
    heard = [own for role, own, _ in found if role == "gridcell"]
    assert HEARD[name] is None or HEARD[name] in heard
    grid = next(n for n, (role, *_) in enumerate(found) if role == "grid")
    assert found[grid][1] == game.puzzle.title
    assert all(
        own
        for role, own, _ in found
        if role in ("button", "gridcell", "row", "combobox", "textbox")
    )
    columns = browser.evaluate(
        "() => [...document.querySelectorAll('[role=row]')].map((r) => "
        "[...r.children].map((c) => c.ariaColIndex))"
    )
    assert all(
        list(map(int, row)) == sorted(map(int, row)) and len({*row}) == len(row) for row in columns
    )


def test_what_is_between_cells_is_heard_at_both() -> None:
    text = "puzzle: p\nlet: {pair: '(cell(1, 1), cell(1, 2))'}\n"
    text += "data: {g: 'grid[int | None]'}\nvariables: {'x[c]': 'between(1, 2) for c in g.cells'}\n"
    text += (
        "show: {picture: {text: [g, x], signs: {white_circle: '[pair]', black_circle: "
        "'g.corners[4:5]'}}}\n"
    )
    (scene,) = Pictures(puzzlekit.load(text, {"g": [". 2", ". ."]})).scenes
    assert spoken(scene) == {
        "cells": [
            "white circle on the right; black circle at the lower right",
            "2; white circle on the left; black circle at the lower left",
            "black circle at the upper right",
            "black circle at the upper left",
        ],
        "rows": {},
        "columns": {},
    }


@pytest.mark.slow
def test_buttons_keep_the_focus_and_entries_are_said(browser: Page, tmp_path: Path) -> None:
    Game(browser, tmp_path, "akari")
    focused = (
        "() => document.activeElement.getAttribute('aria-label') ?? "
        "document.activeElement.textContent"
    )
    browser.locator(".clock").focus()
    browser.keyboard.press("Tab")
    assert str(browser.evaluate(focused)).startswith("row 1, column 1: empty")
    browser.keyboard.press("ArrowRight")
    browser.keyboard.press(" ")
    assert browser.locator(".heard[aria-live=polite]").text_content() == browser.evaluate(focused)
    assert "bulb" in browser.evaluate(focused)
    browser.get_by_role("button", name="Undo").focus()
    browser.keyboard.press("Enter")
    assert browser.evaluate(focused) == "Redo"  # there is nothing to undo any more
    browser.keyboard.press("Enter")
    assert browser.evaluate(focused) == "Undo"
    browser.get_by_role("button", name="Try").focus()
    browser.keyboard.press("Enter")
    assert browser.evaluate(focused) == "Try"


@pytest.mark.slow
def test_a_cell_that_is_only_read_takes_no_entry(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "akari")
    browser.locator("[aria-label^='row 1, column 4:']").focus()
    before = game.now()
    browser.locator("[aria-label^='row 1, column 3:']").focus()
    for _ in range(4):
        browser.keyboard.press("ArrowRight")
    label = browser.evaluate("() => document.activeElement.getAttribute('aria-label')")
    assert label == "row 1, column 4: black; 2"
    for key in (" ", "x", "Backspace", "1"):
        browser.keyboard.press(key)
    assert game.now() == before
    assert (
        browser.locator("[aria-label='row 1, column 4: black; 2']").get_attribute("aria-readonly")
        == "true"
    )


@pytest.mark.slow
@pytest.mark.parametrize("wide", [320, 640])  # of 640 and 1280 pixels, at 200 %
@pytest.mark.parametrize(
    "name", ["sudoku/first", "zebra/fish", "nonogram/unknown", "waffle/pasted"]
)
def test_nothing_is_cut_at_two_hundred_per_cent(
    name: str, wide: int, browser: Page, tmp_path: Path
) -> None:
    file = tmp_path / "play.html"
    file.write_text(play_page(puzzlekit.load(None, SPECS[name])), encoding="utf-8")
    browser.set_viewport_size({"width": wide, "height": 400})
    browser.goto(file.as_uri())
    assert browser.evaluate("document.documentElement.scrollWidth") <= wide
    cut = browser.evaluate(
        """(wide) => [...document.querySelectorAll("button, select, input, svg.board")]
            .filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect())
            .filter(({left, right}) => left < -0.5 || right > wide + 0.5).length""",
        wide,
    )
    assert cut == 0


AXE = Path("node_modules/axe-core/axe.min.js")  # `make scripts` installs it
RUN_AXE = """() => axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"]})
    .then((report) => report.violations.map(({id, nodes}) => [id, nodes[0].html]))"""


@pytest.mark.slow
@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: npm ci")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "name",
    [
        *("akari/tiny", "codeword/tiny", "hashi/three", "koburin/tiny", "nurikabe/6x6"),
        *("shikaku/tiny", "slant/tiny", "sudoku/six", "word_search/first", "zebra/tiny"),
    ],
)
def test_axe_has_no_violation(name: str, scheme: Any, browser: Page, tmp_path: Path) -> None:
    file = tmp_path / "play.html"
    file.write_text(play_page(puzzlekit.load(None, SPECS[name])), encoding="utf-8")
    browser.emulate_media(color_scheme=scheme)
    browser.goto(file.as_uri())
    browser.evaluate("puzzlekit.ready")
    browser.evaluate(AXE.read_text(encoding="utf-8"))
    assert browser.evaluate(RUN_AXE) == []
    browser.emulate_media(color_scheme=None)


@pytest.mark.slow
def test_a_large_board_has_the_rows_around_the_cursor(browser: Page, tmp_path: Path) -> None:
    """Rows keep their numbers, and keys lead everywhere."""
    file = tmp_path / "large.html"
    html = play_page(puzzlekit.load(None, SPECS["slitherlink/giant"]))
    file.write_text(html, encoding="utf-8")
    browser.goto(file.as_uri())
    browser.evaluate("puzzlekit.ready")
    grid = browser.locator(".grid")
    rows = grid.locator("[role=row]")
    assert grid.get_attribute("aria-rowcount") == "32" and 2 < rows.count() < 10
    browser.locator(".tools button").nth(2).focus()
    browser.keyboard.press("ArrowDown")
    browser.keyboard.press("Control+End")
    focused = browser.locator("[role=gridcell]:focus")
    assert focused.get_attribute("aria-label") == "corner 32, 46: nothing drawn"
    numbers = [row.get_attribute("aria-rowindex") for row in rows.all()]
    assert numbers == [str(number) for number in range(28, 33)]
    browser.keyboard.press("Shift+ArrowUp")
    for _ in range(20):
        browser.keyboard.press("ArrowUp")
    assert (focused.get_attribute("aria-label") or "").startswith("corner 11, 46")
    browser.keyboard.press("Control+End")
    assert focused.get_attribute("aria-label") == "corner 32, 46: line up"
