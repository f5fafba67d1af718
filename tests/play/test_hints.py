"""Hints of a page: the steps of the explanation, until the puzzle is solved."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import puzzlekit
from puzzlekit.play import play_page
from puzzlekit.play.scripts import EXTRAS, play_file
from tests.browser import needs_browser
from tests.commands import called
from tests.play.game import Game
from tests.shipped import SPECS


def page_of(name: str, hints: bool = True) -> str:
    return play_page(puzzlekit.load(None, SPECS[name]), hints=hints)


def hints_in(page: str) -> Any:
    text = re.search('id="puzzle">(.*?)</script>', page, re.DOTALL)
    assert text
    return json.loads(text[1])["hints"]


def open_page(browser: Page, folder: Path, name: str) -> Game:
    """The page of the smallest spec of a type, with hints."""
    game = Game(browser, folder, name)
    html = play_page(game.puzzle, hints=True)
    game.file.write_text(html, encoding="utf-8")
    game.open()
    return game


def hint(game: Game) -> str:
    """Ask for the step, in three degrees."""
    for name in ("Hint", "Show the pattern", "Show the step"):
        game.press(name)
    return game.said()


def test_only_a_page_with_hints_has_the_script_of_hints() -> None:
    script = play_file(EXTRAS["hints"]) or "?"
    assert script not in page_of("akari/tiny", hints=False)
    assert script in page_of("akari/tiny")


def test_each_step_has_three_degrees_and_what_is_drawn() -> None:
    hints = hints_in(page_of("kakuro/tiny"))
    first, *others = hints["steps"]
    assert first["where"] == "Look at the run of 22 down at r2c3."
    assert first["pattern"].startswith(first["where"].removesuffix(".") + ": ")
    assert first["explained"] == 0 and first["moves"] == [] and first["notes"]
    assert first["for"] and all(others[user - 1]["text"] for user in first["for"])
    drawn = "".join(hints["shapes"][number] for number in first["drawn"][0])
    assert 'class="lit struck"' in drawn and 'class="lit scope"' in drawn
    assert "data-cell" in drawn  # pencil marks


def test_hints_belong_to_pages_to_play() -> None:
    refused = called("draw", "specs/akari/tiny.yaml", "--html", "page.html", "--hints")
    assert refused.returncode == 2 and "--hints requires --play" in refused.stderr


@needs_browser
@pytest.mark.parametrize(
    "name",
    [
        "akari",
        "shikaku",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("sudoku", "nurikabe", "kakuro", "araf")
        ),
    ],
)
def test_hints_alone_solve_a_puzzle(name: str, browser: Page, tmp_path: Path) -> None:
    game = open_page(browser, tmp_path, name)
    for _ in range(200):
        if game.state()["solved"]:
            break
        if not browser.get_by_role("button", name="Show the pattern").count():
            game.press("Hint")
        game.press("Show the pattern")
        game.press("Show the step")
        assert browser.locator(".boards .lit").count() > 0
        enter = browser.get_by_role("button", name="Enter it")
        enter.click() if enter.count() else game.press("Next step")
        assert browser.locator(".boards .lit").count() == 0
    assert game.said().startswith("Solved in")
    assert game.errors == []


@needs_browser
def test_a_hint_is_the_next_step_that_is_not_on_the_board(browser: Page, tmp_path: Path) -> None:
    game = open_page(browser, tmp_path, "sudoku")
    steps = hints_in(game.file.read_text(encoding="utf-8"))["steps"]
    first, second, third = [step["text"] for step in steps[:3]]
    assert hint(game).startswith(first)
    game.press("Next step")
    for name in ("Show the pattern", "Show the step"):
        game.press(name)
    assert game.said().startswith(second)
    game.press("Enter it")
    assert hint(game).startswith(third)
    game.press("Undo")
    assert hint(game).startswith(second)


@needs_browser
def test_a_phrase_lights_up_and_a_mistake_comes_first(browser: Page, tmp_path: Path) -> None:
    game = open_page(browser, tmp_path, "sudoku")
    hint(game)
    browser.locator(".phrase").first.hover()
    expect(browser.locator(".glow rect, rect.glow")).not_to_have_count(0)
    browser.locator("h1").hover()
    expect(browser.locator("rect.glow")).to_have_count(0)
    number, place, token = hints_in(game.file.read_text(encoding="utf-8"))["steps"][0]["moves"][0]
    browser.mouse.click(*game.point(place, number))
    browser.keyboard.press(str(token % 6 + 1))
    game.press("Hint")
    assert "wrong" in game.said() or "breaks the rule" in game.said()
