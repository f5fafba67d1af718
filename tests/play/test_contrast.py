"""All that stands on a board can be read, in light and in dark."""

import random
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser import needs_browser
from tests.play.game import Game
from tests.play.hands import Mouse
from tests.play.test_hands import ENTERED

pytestmark = needs_browser
LEAST = 4.5
SCHEMES = ("light", "dark")
CONTRAST = Path(__file__).with_name("contrast.js").read_text(encoding="utf-8")
COLOURS = 6
LOOK = """() => {
    const {fill, stroke} = getComputedStyle(document.querySelector(".found, .full-found"));
    return [fill, stroke];
}"""
SOON = ("shikaku",)


def low(page: Page) -> list[Any]:
    """What has too little contrast, once for each colour and class."""
    found = page.evaluate(CONTRAST)
    return sorted({tuple(line[:3]) for line in found if line[0] < LEAST})


def filled(game: Game, colours: bool) -> list[Any]:
    """Marks of a board in part: values, crosses, notes of both kinds, and colours."""
    chance = random.Random(game.data["title"])
    marks: list[Any] = []
    for number, (entry, tokens) in enumerate(zip(game.data["entries"], game.held())):
        labels = [text.split(":")[1] for text in entry["keys"] if text.startswith("text:")]
        fixed = entry.get("fixed", {})
        for place, held in enumerate(tokens):
            mark: dict[str, Any] = {"held": held}
            turn = chance.randrange(4) if str(place) not in fixed else 1
            if turn == 0 and entry["kind"] in ("cells", "lines", "sides"):
                mark = {"held": "" if entry.get("free") else 0, "crossed": True}
                if len(labels) > 2:
                    mark = {**mark, "crossed": False, "notes": labels[:3], "centre": labels[-2:]}
            marks.append([number, place, mark])
    if colours and game.data["scenes"]:
        cells = game.data["scenes"][max(0, game.data["entries"][0]["scene"])]["cells"]
        number = len(game.data["entries"])
        marks += [[number, cell, {"held": 1 + cell % COLOURS}] for cell in range(len(cells))]
    return marks


@pytest.mark.parametrize(
    "name", [pytest.param(k, marks=[] if k in SOON else [pytest.mark.slow]) for k in ENTERED]
)
def test_all_that_is_entered_can_be_read(name: str, browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, name)
    for colours in (False, True):
        game.begin(filled(game, colours))
        for scheme in SCHEMES:
            browser.emulate_media(color_scheme=scheme)
            assert low(browser) == [], f"{scheme}, colours {colours}"
    browser.emulate_media(color_scheme=None)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sudoku", "crossword", "codeword", "kakuro"])
def test_chosen_cells_and_the_same_values_can_be_read(
    name: str, browser: Page, tmp_path: Path
) -> None:
    game = Game(browser, tmp_path, name)
    game.begin(filled(game, colours=False))
    browser.mouse.click(*game.point(0))
    for keys in ("ArrowRight", "Control+a"):
        browser.keyboard.press(keys)
        for scheme in SCHEMES:
            browser.emulate_media(color_scheme=scheme)
            assert low(browser) == [], f"{scheme} after {keys}"
    assert browser.locator(".selected").count()
    browser.keyboard.press("1" if name in ("sudoku", "kakuro") else "a")
    game.press("Check")
    for scheme in SCHEMES:
        browser.emulate_media(color_scheme=scheme)
        assert low(browser) == [], f"{scheme} after Check"
    assert browser.locator(".faulty").count() or name not in ("sudoku", "kakuro")
    browser.emulate_media(color_scheme=None)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sudoku", "nurikabe", "simple_loop"])
def test_a_trial_can_be_read(name: str, browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, name)
    game.press("Try")
    game.solve(Mouse)
    for scheme in SCHEMES:
        browser.emulate_media(color_scheme=scheme)
        assert low(browser) == [], scheme
    tried = browser.evaluate(LOOK)
    game.press("Keep trial")
    assert browser.evaluate(LOOK) != tried
    browser.emulate_media(color_scheme=None)
