"""What solvers are used to, on boards of several types."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import needs_browser
from tests.play.game import Game
from tests.play.hands import Keys
from tests.play.test_hand import touch

pytestmark = [needs_browser, pytest.mark.slow]
HOLD = 700  # milliseconds, longer than a tap
TYPED = ("sudoku", "crossword", "magnets", "kakuro", "hidato")


def free_places(game: Game, entry: int = 0) -> list[int]:
    """The places of an entry where something may be entered."""
    fixed = game.data["entries"][entry].get("fixed", {})
    count = len(game.data["entries"][entry]["places"])
    return [place for place in range(count) if str(place) not in fixed]


def side_by_side(game: Game) -> list[int]:
    """Two free cells, one at the right of the other."""
    places = game.data["entries"][0]["places"]
    free = free_places(game)
    at = {tuple(places[place][:2]): place for place in free}
    return next(
        [place, at[places[place][0], places[place][1] + 2]]
        for place in free
        if (places[place][0], places[place][1] + 2) in at
    )


def text_for(game: Game, places: list[int]) -> str:
    """A text of one character that may stand at all of these places."""
    entry = game.data["entries"][0]
    for token, key in enumerate(entry["keys"]):
        text = key.removeprefix("text:")
        may_stand = all("open" not in entry or token in entry["open"][place] for place in places)
        if len(text) == 1 and text.isascii() and may_stand:
            return text
    raise AssertionError("no text stands at all places")


def held(game: Game, places: list[int]) -> list[str]:
    return [game.entered()[0][place].removeprefix("text:") for place in places]


@pytest.mark.parametrize("name", TYPED)
@pytest.mark.parametrize("way", ["drag", "Control", "Shift", "Shift with an arrow"])
def test_what_is_typed_goes_to_all_chosen_cells(
    name: str, way: str, browser: Page, tmp_path: Path
) -> None:
    game = Game(browser, tmp_path, name)
    cells = side_by_side(game)
    first, second = map(game.point, cells)
    if way == "drag":
        game.drag(cells)
    elif way == "Shift with an arrow":
        browser.mouse.click(*first)
        browser.keyboard.press("Shift+ArrowRight")
    else:
        browser.mouse.click(*first)
        browser.keyboard.down(way)
        browser.mouse.click(*second)
        browser.keyboard.up(way)
    text = text_for(game, cells)
    browser.keyboard.type(text.lower())
    assert held(game, cells) == [text, text] and game.state()["undo"] == 1
    browser.keyboard.press("Backspace")
    assert held(game, cells) == ["", ""]
    browser.keyboard.press("Control+z")
    assert held(game, cells) == [text, text]


@pytest.mark.parametrize("name", TYPED)
def test_notes_are_typed_in_their_modes(name: str, browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, name)
    cells = side_by_side(game)
    text = text_for(game, cells)
    game.drag(cells)
    for key, field in (("notes", "notes"), ("centre", "centre")):
        game.press(key)
        browser.keyboard.type(text.lower())
        assert game.now()[0][field] == {str(cell): [text] for cell in cells}
        game.press(key)
    game.drag(cells)  # the keyboard is on the board again, not on a key
    browser.keyboard.press("Space")
    browser.keyboard.type(text.lower())
    assert not any(game.now()[0]["notes"].values())


@pytest.mark.parametrize("name", ["sudoku", "akari", "simple_loop", "shikaku", "araf", "squaro"])
def test_cells_take_colours(name: str, browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, name)
    cells = game.data["scenes"][0]["cells"]
    points = [game.on_screen((cell[2], cell[3])) for cell in cells[:3]]
    before = game.entered()
    game.press("colours")
    browser.mouse.click(*points[0])
    browser.keyboard.press("3")
    browser.mouse.move(*points[1])
    browser.mouse.down()
    browser.mouse.move(*points[2])
    browser.mouse.up()
    colours = game.state()["entries"][-1]["held"]
    assert colours[:3] == [3, 3, 3] and game.entered() == before
    browser.keyboard.press("Backspace")
    assert game.state()["entries"][-1]["held"][:3].count(3) == 2


@pytest.mark.parametrize("name", ["sudoku", "crossword", "kakuro", "triplets"])
def test_the_same_value_is_highlighted(name: str, browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, name)
    game.solve()
    answer = game.answer[0]
    place = next(place for place in free_places(game) if answer.count(answer[place]) > 1)
    browser.mouse.click(*game.point(place))
    assert browser.locator(".same").count() == answer.count(answer[place]) - 1
    browser.locator("details.options summary").click()
    same = browser.locator("[data-option=same]")
    same.uncheck()
    assert browser.locator(".same").count() == 0
    same.check()


@pytest.mark.parametrize("name", ["akari", "queens", "star_battle", "binairo", "tents"])
def test_a_broken_rule_shows_while_one_enters(name: str, browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, name)
    for place in free_places(game):
        browser.mouse.click(*game.point(place))
        if browser.locator(".conflict").count():
            break
        browser.wait_for_timeout(30)
    expect(browser.locator(".conflict")).not_to_have_count(0)
    browser.locator("details.options summary").click()
    conflicts = browser.locator("[data-option=conflicts]")
    conflicts.uncheck()
    expect(browser.locator(".conflict")).to_have_count(0)
    conflicts.check()
    game.press("Check")
    assert game.said().startswith("This breaks the rule")


@pytest.mark.parametrize("name", ["sudoku", "akari", "simple_loop", "shikaku", "araf", "squaro"])
def test_keys_go_over_the_board(name: str, browser: Page, tmp_path: Path) -> None:
    Game(browser, tmp_path, name)
    browser.keyboard.press("ArrowDown")

    def stop() -> Any:
        return browser.evaluate(
            "() => { const {x, y, width, height} = document.activeElement.getBBox();"
            " return [x + width / 2, y + height / 2]; }"
        )

    browser.keyboard.press("Control+Home")
    start = stop()
    for there, back in (("ArrowRight", "ArrowLeft"), ("d", "a"), ("ArrowDown", "w"), ("c", "q")):
        browser.keyboard.press(there)
        assert stop() != start
        browser.keyboard.press(back)
        assert stop() == start
    browser.keyboard.press("End")
    right = stop()
    assert right[1] == start[1] and right[0] > start[0]
    browser.keyboard.press("Home")
    assert stop() == start
    browser.keyboard.press("Control+End")
    assert stop()[1] > start[1]


@pytest.mark.parametrize("name", ["akari", "nurikabe", "squaro", "simple_loop", "araf", "slant"])
def test_crosses_by_a_long_press_by_x_and_by_the_right_button(
    name: str, browser: Page, tmp_path: Path
) -> None:
    game = Game(browser, tmp_path, name)
    place = free_places(game)[0]
    at = game.data["entries"][0]["places"][place]
    is_line = len(at) == 8
    x, y = ((at[2] + at[6]) / 2, (at[3] + at[7]) / 2) if is_line else (at[2], at[3])
    point = game.on_screen((x, y))
    session = browser.context.new_cdp_session(browser)
    touch(session, "touchStart", [point])
    browser.wait_for_timeout(HOLD)
    touch(session, "touchEnd", [])
    assert len(game.now()[0]["crossed"]) == 1 and game.state()["undo"] == 1
    browser.mouse.click(*point, button="right")
    assert not game.now()[0]["crossed"]
    keys = Keys(browser, game.data["cell"])
    keys.choose(0, 0)
    keys.go((at[2], at[3]))
    browser.keyboard.press("x")
    if is_line or game.data["entries"][0]["kind"] == "sides":
        browser.keyboard.press("c" if name == "slant" else "ArrowRight")
    assert len(game.now()[0]["crossed"]) == 1


@pytest.mark.parametrize("name", ["simple_loop", "numberlink", "moon_or_sun"])
def test_lines_are_coloured_by_connected_part(name: str, browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, name)
    browser.locator("details.options summary").click()
    parts = browser.locator("[data-option=parts]")
    parts.check()
    browser.keyboard.press("ArrowDown")
    browser.keyboard.press("Control+Home")
    browser.keyboard.press("Shift+ArrowRight")
    browser.keyboard.press("ArrowRight")
    browser.keyboard.press("Shift+ArrowRight")

    def colours() -> set[str]:
        lines = browser.locator("line.found").all()
        classes = [(line.get_attribute("class") or "").split() for line in lines]
        return {next((c for c in names if c.startswith("part-")), "") for names in classes}

    drawn = sum(map(bool, game.now()[0]["held"]))
    assert "" not in colours() and len(colours()) == drawn
    browser.keyboard.press("ArrowLeft")
    browser.keyboard.press("Shift+ArrowLeft")
    if sum(map(bool, game.now()[0]["held"])) == 3:
        assert len(colours()) == 1
        browser.keyboard.press("Control+z")
        assert len(colours()) == drawn
    parts.uncheck()
    assert colours() == {""}


def test_the_clock_can_be_hidden_for_all_puzzles(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "akari")
    clock = browser.locator(".clock")
    assert clock.text_content() == "0:00"
    clock.click()
    assert clock.text_content() == "clock"
    game = Game(browser, tmp_path, "sudoku")
    assert game.page.locator(".clock").text_content() in ("clock", "0:00")
    browser.locator("details.options summary").click()
    browser.locator("[data-option=clock]").check()
    assert ":" in (browser.locator(".clock").text_content() or "")


def test_a_path_of_the_keyboard_is_seen_and_left(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "word_search")
    browser.keyboard.press("ArrowDown")
    browser.keyboard.press("Control+Home")
    browser.keyboard.press("Shift+ArrowRight")
    browser.keyboard.press("Shift+c")
    assert browser.locator(".traced").count() == 3
    browser.keyboard.press("ArrowDown")
    assert browser.locator(".traced").count() == 0
    browser.keyboard.press("Space")
    assert game.state()["undo"] == 0


def test_the_keys_of_a_grid_pass_what_cannot_be_and_undo_takes_back(
    browser: Page, tmp_path: Path
) -> None:
    game = Game(browser, tmp_path, "zebra")
    browser.locator(".ticks button:enabled").first.focus()
    browser.keyboard.press("Space")
    browser.keyboard.press("ArrowDown")
    browser.keyboard.press("x")
    assert game.state()["undo"] == 2
    assert browser.locator(".ticks button", has_text="×").count() == 2
    browser.keyboard.press("Control+z")
    assert browser.locator(".ticks button", has_text="×").count() == 1
