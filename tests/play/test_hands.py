"""Puzzles are played to their end by mouse, by touch, and by keys alone."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser import needs_browser
from tests.play.game import Game
from tests.play.hands import Keys, Mouse, Touch
from tests.play.player import KINDS

pytestmark = needs_browser
HANDS = {"mouse": Mouse, "touch": Touch, "keys": Keys}
SOON = ("koburin",)  # shades and lines
# types of all kinds of entry: for each of them, the smallest spec that ships
ENTERED = (
    *("aquarium", "kuroshuto", "nonogram", "nurikabe", "tapa"),  # shades
    *("akari", "moonlight", "queens", "squaro", "thermometers"),  # signs that stand alone
    *("arrow_numbers", "shakashaka", "yin_yang", "binairo", "juosan"),  # signs in turn
    *("sudoku", "kakuro", "hidato", "bosanowa", "cryptarithm"),  # numbers
    *("doppelblock", "graeco_latin_square", "magnets", "triplets"),  # numbers and signs
    *("cipher", "codeword", "crossword", "waffle", "word_ladder"),  # letters
    *("simple_loop", "koburin", "hashi", "slant", "wblink", "fivecells", "stitches"),  # lines
    *("araf", "spiral_galaxies"),  # sides
    *("shikaku", "dominosa", "polyforms", "pentominoes", "statue_park"),  # pieces
    *("word_search", "strands", "sanalouhos"),  # ways through cells
    *("boggle", "wordle", "cryptogram", "swaps", "zebra"),  # words, and what no picture shows
)
CASES = [(kind, hand) for kind in KINDS for hand in HANDS if kind in ENTERED or hand == "mouse"]


@pytest.mark.parametrize(
    ("name", "hand"),
    [
        pytest.param(*case, id="-".join(case), marks=[] if case[0] in SOON else [pytest.mark.slow])
        for case in CASES
    ],
)
def test_each_type_is_played_to_its_end(
    name: str, hand: str, browser: Page, tmp_path: Path
) -> None:
    game = Game(browser, tmp_path, name)
    assert game.said() == "" and browser.evaluate("document.documentElement.scrollWidth") <= 390
    game.solve(HANDS[hand])
    assert game.said().startswith("Solved in") and game.state()["solved"] and not game.errors
    assert game.entered() == game.answer
