"""What mouse, touch and keyboard enter in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import puzzlekit
from puzzlekit.play.page import play_page
from tests.browser import needs_browser
from tests.play.game import Game
from tests.shipped import SPECS

pytestmark = needs_browser


@pytest.mark.slow
def test_crosses_are_made_by_touch(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "akari")
    dots, bulbs = browser.locator(".entered .dot"), browser.locator(".entered use")
    game.press("• dots")
    browser.touchscreen.tap(*game.point(0))
    assert dots.count() == 1 and bulbs.count() == 0
    browser.touchscreen.tap(*game.point(0))
    assert dots.count() == 0
    browser.keyboard.press(".")
    assert browser.get_by_role("button", name="dots").get_attribute("aria-pressed") == "false"
    browser.touchscreen.tap(*game.point(0))
    assert dots.count() == 0 and bulbs.count() == 1


def _row(game: Game) -> list[int]:
    """Three free cells beside each other."""
    cells = {tuple(place[:2]): n for n, place in enumerate(game.data["entries"][0]["places"])}
    return next(
        [cells[row, column + step] for step in (0, 2, 4)]
        for row, column in cells
        if all((row, column + step) in cells for step in (2, 4))
    )


@pytest.mark.slow
def test_a_drag_of_a_mark_that_stands_alone_makes_crosses(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "akari")
    cells = _row(game)
    dots, bulbs = browser.locator(".entered .dot"), browser.locator(".entered use")
    browser.mouse.click(*game.point(cells[1]))
    game.drag(cells)
    assert dots.count() == 2 and bulbs.count() == 1  # the mark in the way stays
    game.drag(cells[1:])
    assert dots.count() == 2 and bulbs.count() == 1
    game.drag(cells)
    assert dots.count() == 0 and bulbs.count() == 1


@pytest.mark.slow
def test_a_tap_where_lines_meet_draws_none(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "masyu")
    lines = browser.locator(".entered line.found")
    _, _, a, b, _, _, c, d = game.data["entries"][0]["places"][0]
    browser.mouse.click(*game.on_screen((a + 3, b + 3)))
    assert lines.count() == 0
    browser.mouse.click(*game.on_screen(((a + c) / 2, (b + d) / 2)))
    assert lines.count() == 1  # above the pearls


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "crosses"), [("sudoku", 0), ("fillomino", 0), ("hidato", 0), ("abc_end_view", 1)]
)
def test_a_key_for_crosses_only_where_a_place_may_stay_empty(
    name: str, crosses: int, browser: Page, tmp_path: Path
) -> None:
    Game(browser, tmp_path, name)
    assert browser.locator(".keys button").count() > 1
    assert (
        browser.locator(".keys").get_by_role("button", name="cross", exact=True).count() == crosses
    )


@pytest.mark.slow
def test_a_clue_that_is_never_shaded_stays_as_it_is(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "nurikabe")
    clues = game.data["entries"][0]["fixed"]
    assert set(clues.values()) == {""} and len(clues) == len(
        game.puzzle.instance.data["clues"].given
    )
    browser.mouse.click(*game.point(int(next(iter(clues)))))
    assert browser.locator(".below .full-found").count() == 0
    browser.mouse.click(*game.point(next(n for n in range(4) if str(n) not in clues)))
    assert browser.locator(".below .full-found").count() == 1


def test_texts_that_are_only_moved_change_places(browser: Page, tmp_path: Path) -> None:
    """By a drag, by two taps, by keys and by typing: each is a step, and no text is lost."""
    game = Game(browser, tmp_path, "waffle")
    entry = game.data["entries"][0]
    start = list(entry["moved"])
    free = [n for n in range(len(start)) if str(n) not in entry["fixed"]]
    first, second = free[:2]
    swapped = list(start)
    swapped[first], swapped[second] = start[second], start[first]

    def held() -> list[int]:
        return list(game.now()[0]["held"])

    assert held() == start and game.state()["undo"] == 0
    game.drag([first, second])
    assert held() == swapped and game.state()["undo"] == 1
    assert browser.locator(".marked").text_content() == "Swaps: 1"
    browser.mouse.click(*game.point(first))
    browser.mouse.click(*game.point(second))
    assert held() == start and game.state()["undo"] == 2
    browser.mouse.click(*game.point(second))
    browser.keyboard.press("Space")  # puts it down where it is
    browser.keyboard.type(entry["keys"][start[first]].removeprefix("text:").lower())
    assert sorted(held()) == sorted(start) and held()[second] == start[first]
    browser.keyboard.press("Backspace")
    assert sorted(held()) == sorted(start)
    fixed = int(next(iter(entry["fixed"])))
    before = held()
    game.drag([first, fixed])
    assert held() == before
    game.press("Clear")
    assert held() == start and not game.errors


@pytest.mark.slow
def test_given_letters_of_a_moved_board_stand_in_their_places(
    browser: Page, tmp_path: Path
) -> None:
    game = Game(browser, tmp_path, "waffle")
    fixed = game.data["entries"][0]["fixed"]
    assert fixed and all(game.answer[0][int(place)] == text for place, text in fixed.items())
    letter = browser.locator(f".entered .letter[data-at='0 {next(iter(fixed))}']")
    assert letter.evaluate("(text) => getComputedStyle(text).fill") == "rgb(255, 255, 255)"
    boards = browser.locator("svg.board").all()
    tops = [(board.bounding_box() or {"y": 0.0})["y"] for board in boards]
    assert tops[game.data["entries"][0]["scene"]] == min(tops)


@pytest.mark.slow
def test_taps_in_the_middle_of_a_cell_turn_its_diagonal(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "slant")
    group = game.data["entries"][0]["linked"][0]
    _, _, x, y, _, _, to_x, to_y = game.data["entries"][0]["places"][group[0][0]]
    middle = game.on_screen(((x + to_x) / 2, (y + to_y) / 2))
    seen = []
    for _ in range(4):
        browser.touchscreen.tap(*middle)
        held = game.now()[0]["held"]
        seen.append([place for place, _ in group if held[place]])
    assert seen == [[group[0][0]], [group[1][0]], [], [group[0][0]]]


@pytest.mark.slow
def test_what_shows_the_same_unknown_is_entered_together(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "codeword")
    entry = game.data["entries"][0]
    first, *others = next(
        [place for place, _ in group]
        for group in entry["linked"]
        if str(group[0][0]) not in entry.get("fixed", {})
    )
    browser.mouse.click(*game.point(first))
    browser.keyboard.type("a")
    held = game.now()[0]["held"]
    assert held[first] and all(held[other] == held[first] for other in others)
    browser.mouse.click(*game.point(first))
    browser.keyboard.press("Backspace")  # though a letter stands there in every solution
    assert not any(game.now()[0]["held"][place] for place in (first, *others))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "rows"), [("akari/tiny", 0), ("sudoku/six", 2), ("sudoku/first", 2)]
)
def test_keys_stand_in_even_rows_on_a_phone(
    name: str, rows: int, browser: Page, tmp_path: Path
) -> None:
    file = tmp_path / "play.html"
    file.write_text(play_page(puzzlekit.load(None, SPECS[name])), encoding="utf-8")
    browser.set_viewport_size({"width": 390, "height": 800})
    browser.goto(file.as_uri())
    boxes = browser.evaluate(
        "() => [...document.querySelectorAll('.key')].map((e) => "
        "[e.getBoundingClientRect().y, e.scrollWidth - e.clientWidth])"
    )
    assert len({y for y, _ in boxes}) == rows and all(over <= 0 for _, over in boxes)


def test_a_page_is_printed_with_its_rules_and_white_cells(browser: Page, tmp_path: Path) -> None:
    """Though the rules are folded, and the screen is dark."""
    game = Game(browser, tmp_path, "sudoku")
    rules = browser.locator("details").first
    if rules.get_attribute("open") is not None:
        rules.locator("summary").click()
    expect(rules).not_to_have_attribute("open", "")
    browser.emulate_media(media="print", color_scheme="dark")
    browser.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(rules.locator("p")).to_be_visible()
    cell = browser.locator("svg.board .cell").first
    assert cell.evaluate("(cell) => getComputedStyle(cell).fill") == "rgb(255, 255, 255)"
    assert browser.locator(".tools").is_hidden() and browser.locator(".grid").is_hidden()
    browser.evaluate("dispatchEvent(new Event('afterprint'))")
    browser.emulate_media(media="screen", color_scheme=None)
    expect(rules).not_to_have_attribute("open", "")
    rules.locator("summary").click()
    assert game.errors == []


@pytest.mark.parametrize("name", ["codeword", "crossword"])
def test_the_keys_are_on_the_screen_of_a_phone(name: str, browser: Page, tmp_path: Path) -> None:
    """Also with the rules open, as soon as a cell is tapped."""
    game = Game(browser, tmp_path, name)
    browser.set_viewport_size({"width": 390, "height": 664})
    fixed = game.data["entries"][0].get("fixed", {})
    place = next(n for n in range(100) if str(n) not in fixed)
    browser.touchscreen.tap(*game.point(place))
    assert browser.locator("details").first.get_attribute("open") is not None
    key = browser.locator(".keys .key:not([disabled])").first.bounding_box()
    assert key and key["y"] >= 0 and key["y"] + key["height"] <= 664
