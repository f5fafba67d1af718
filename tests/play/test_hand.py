"""The hand: fast strokes, pinches, and games that are never lost."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser import needs_browser
from tests.play.game import Game

pytestmark = needs_browser
Point = tuple[float, float]
PIXELS = 20.0  # that a finger moves between two events


def stroke(session: CDPSession, start: Point, end: Point, events: int) -> None:
    """Drag the mouse by so many events, whatever the page does in the meantime."""
    pressed = {"button": "left", "clickCount": 1}
    points = [
        (start[0] + (end[0] - start[0]) * k / events, start[1] + (end[1] - start[1]) * k / events)
        for k in range(1, events + 1)
    ]
    mouse(session, "mouseMoved", start, {})
    mouse(session, "mousePressed", start, {**pressed, "buttons": 1})
    for point in points:
        mouse(session, "mouseMoved", point, {"button": "left", "buttons": 1})
    mouse(session, "mouseReleased", end, pressed)


def mouse(session: CDPSession, type_: str, at: Point, more: dict[str, Any]) -> None:
    session.send("Input.dispatchMouseEvent", {"type": type_, "x": at[0], "y": at[1], **more})


def touch(session: CDPSession, type_: str, points: Sequence[Point]) -> None:
    touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
    session.send("Input.dispatchTouchEvent", {"type": type_, "touchPoints": touches})


def drawn(game: Game, entry: int = 0) -> int:
    """For how many places of an entry something stands on the page."""
    return sum(number == entry for number, _ in game.state()["drawn"])


@pytest.mark.parametrize("name", ["nurikabe", "shikaku", "masyu"])
def test_a_stroke_of_two_events_draws_all_on_its_way(
    name: str, browser: Page, tmp_path: Path
) -> None:
    game = Game(browser, tmp_path, name)
    session = browser.context.new_cdp_session(browser)
    places = game.data["entries"][0]["places"]
    row = [place for place in places if place[0] == places[-1][0]]
    start, end = game.on_screen(tuple(row[0][2:4])), game.on_screen(tuple(row[-1][-2:]))
    stroke(session, start, end, 2)
    open_places = [n for n, place in enumerate(places) if place in row and not _fixed(game, n)]
    assert drawn(game) == len(open_places)
    assert game.state()["undo"] == 1
    game.press("Undo")
    assert drawn(game) == 0


def _fixed(game: Game, place: int) -> bool:
    return str(place) in game.data["entries"][0].get("fixed", {})


@pytest.mark.parametrize("name", ["nurikabe", "shikaku", "akari"])
def test_a_pinch_enlarges_the_board_and_changes_nothing(
    name: str, browser: Page, tmp_path: Path
) -> None:
    game = Game(browser, tmp_path, name)
    session = browser.context.new_cdp_session(browser)
    before = game.now()
    x, y = game.point(len(game.data["entries"][0]["places"]) // 2)
    touch(session, "touchStart", [(x, y)])
    touch(session, "touchStart", [(x, y), (x + 3 * PIXELS, y)])
    for k in range(1, 6):
        touch(session, "touchMove", [(x - k * PIXELS, y), (x + (3 + k) * PIXELS, y)])
    touch(session, "touchEnd", [])
    assert game.now() == before and game.state()["undo"] == 0
    fit = browser.get_by_role("button", name="Fit", exact=True)
    assert browser.locator("svg.board.zoomed").count() == 1
    fit.click()
    assert browser.locator("svg.board.zoomed").count() == 0


@pytest.mark.slow
def test_the_wheel_enlarges_the_board_where_the_pointer_is(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "akari")
    x, y = game.point(3)
    browser.mouse.move(x, y)
    browser.keyboard.down("Control")
    browser.mouse.wheel(0, -300)
    browser.keyboard.up("Control")
    expect(browser.locator("svg.board.zoomed")).to_have_count(1)
    browser.mouse.click(x, y)
    assert game.now()[0]["held"][3] == 1


@pytest.mark.slow
def test_a_long_press_makes_a_cross(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "akari")
    session = browser.context.new_cdp_session(browser)
    touch(session, "touchStart", [game.point(0)])
    browser.wait_for_timeout(700)
    touch(session, "touchEnd", [])
    assert game.now()[0]["crossed"] == [0] and game.state()["undo"] == 1


def test_a_digit_goes_to_all_cells_that_are_chosen(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "sudoku")
    free = [n for n in range(36) if not _fixed(game, n)]
    browser.mouse.click(*game.point(free[0]))
    browser.keyboard.down("Control")
    browser.mouse.click(*game.point(free[3]))
    browser.keyboard.up("Control")
    browser.keyboard.press("Shift+Digit2")
    browser.keyboard.press("Control+Digit3")
    board = game.now()[0]
    assert board["notes"] == {str(n): ["2"] for n in (free[0], free[3])}
    assert board["centre"] == {str(n): ["3"] for n in (free[0], free[3])}
    browser.keyboard.press("5")
    board = game.now()[0]
    texts = game.data["entries"][0]["keys"]
    assert [texts[board["held"][n]] for n in (free[0], free[3])] == ["text:5"] * 2


@pytest.mark.slow
def test_a_new_value_thins_notes_out_and_a_conflict_is_shown(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "sudoku")
    places = game.data["entries"][0]["places"]
    free = [n for n in range(36) if not _fixed(game, n)]
    first = free[0]
    second = next(n for n in free[1:] if places[n][0] == places[first][0])
    browser.locator("details.options summary").click()
    thin = browser.locator("[data-option=thin]")
    thin.check()
    browser.mouse.click(*game.point(second))
    browser.keyboard.press("Shift+Digit1")
    assert game.now()[0]["notes"] == {str(second): ["1"]}
    browser.mouse.click(*game.point(first))
    browser.keyboard.press("1")
    assert game.now()[0]["notes"] == {}
    browser.mouse.click(*game.point(second))
    browser.keyboard.press("1")
    expect(browser.locator(".conflict")).not_to_have_count(0)
    thin.uncheck()


@pytest.mark.slow
def test_a_trial_of_many_moves_is_dropped_after_a_reload(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "akari")
    places = range(len(game.data["entries"][0]["places"]))
    browser.mouse.click(*game.point(0))
    before = game.now()
    game.press("Try")
    points = [game.point(n) for n in places]
    for k in range(340):
        browser.mouse.click(*points[k % len(points)])
    assert game.state()["undo"] == 341
    game.open()
    assert game.state()["undo"] == 341
    game.press("Drop trial")
    assert game.now() == before
    game.open()
    assert game.now() == before and game.state()["undo"] == 1


@pytest.mark.slow
def test_two_tabs_are_in_step(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "akari")
    tab = browser.context.new_page()
    tab.goto(game.file.as_uri())
    tab.evaluate("puzzlekit.ready")
    browser.mouse.click(*game.point(0))
    tab.wait_for_function("() => puzzlekit.state().undo === 1")
    assert tab.evaluate("puzzlekit.state().entries[0].held[0]") == 1
    tab.close()
    game.press("Undo")
    game.open()
    assert game.state()["redo"] == 1


@pytest.mark.slow
def test_a_full_store_is_told(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "akari")
    browser.evaluate(
        "() => { window.put = IDBObjectStore.prototype.put; IDBObjectStore.prototype.put = "
        "() => { throw new DOMException('full', 'QuotaExceededError'); }; }"
    )
    browser.mouse.click(*game.point(0))
    expect(browser.locator(".notice")).to_contain_text("no more room")
    browser.evaluate("() => { IDBObjectStore.prototype.put = window.put; }")
    browser.mouse.click(*game.point(1))
    expect(browser.locator(".notice")).to_be_empty()
    game.open()
    assert game.state()["undo"] == 2  # the step that had no room, too


@pytest.mark.slow
def test_a_game_goes_through_a_file_and_a_link(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "akari")
    browser.mouse.click(*game.point(0))
    browser.mouse.click(*game.point(3))
    before = game.now()
    browser.locator("details.options summary").click()
    with browser.expect_download() as download:
        game.press("Save the game")
    saved = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    game.press("Link to this board")
    link = browser.get_by_label("Link to this board").last.input_value()
    game.forget()
    game.open()
    browser.evaluate("(text) => puzzlekit.open(text)", json.dumps(saved))
    assert game.now() == before and game.state()["undo"] == 2
    game.forget()
    browser.goto(link)
    browser.evaluate("puzzlekit.ready")
    assert game.now() == before
    browser.evaluate("puzzlekit.open('nothing')")
    assert game.said() == "This file is no game." and game.now() == before


def test_words_are_marked_by_a_drag_and_no_control_tells_them(
    browser: Page, tmp_path: Path
) -> None:
    game = Game(browser, tmp_path, "word_search")
    assert browser.locator(".words select, .words input, .words button").count() == 0
    assert "5 left" in (browser.locator(".marked").text_content() or "")
    game.solve()
    assert "5 marked, 0 left" in (browser.locator(".marked").text_content() or "")
    assert game.said().startswith("Solved in")
