"""Boards of values that are shown in columns."""

from pathlib import Path

from playwright.sync_api import Page

import puzzlekit
from puzzlekit.play.columns import WIDE
from puzzlekit.play.game import Game as PlayedGame
from puzzlekit.scene import Text
from tests.browser import needs_browser
from tests.play.game import Game

TYPE = """
puzzle: code
data: {text: "list[text]"}
let: {symbols: "distinct(s for line in text for s in line if s != ' ' and s != '!')"}
variables: {"letter[s]": "['a', 'b', 'c'] for s in symbols"}
rules: {r: all_different(letter)}
show:
  reading: stacked([line], [replaced(line, letter)]) for line in text
"""


def played(*lines: str) -> PlayedGame:
    return PlayedGame(puzzlekit.load(TYPE, {"puzzle": "code", "text": list(lines)}))


def texts_of(game: PlayedGame, corner: bool) -> dict[tuple[int, int], str]:
    (scene,) = game.scenes
    layers = [layer for layer in scene.of_type(Text) if layer.corner == corner]
    return {cell: text for layer in layers for cell, text in layer.texts.items()}


def test_symbols_are_cells_and_what_stays_is_given() -> None:
    game = played("xy! x", "yx")
    assert texts_of(game, corner=True) == {
        (1, 1): "x",
        (1, 2): "y",
        (1, 5): "x",
        (2, 1): "y",
        (2, 2): "x",
    }
    assert texts_of(game, corner=False) == {(1, 3): "!"}
    (entry,) = game.entries
    assert entry.category == "cells" and len(entry.positions) == 5
    assert sorted(map(len, entry.linked)) == [2, 3]
    assert [token[0][1] for token in entry.tokens[1:]] == ["A", "B", "C"]


def test_a_word_is_not_broken_if_it_fits_on_a_line() -> None:
    game = played("x" * (WIDE - 2) + " " + "yx" * 3 + " " + "x" * (WIDE + 1))
    rows = [row for row, _ in sorted(texts_of(game, corner=True))]
    assert [rows.count(row) for row in (1, 2, 3, 4)] == [WIDE - 2, 6, WIDE, 1]


def test_columns_that_cannot_be_shown_before_a_solution_are_listed() -> None:
    rows = "stacked([line], [line + line for x in letter if x == 'b']) for line in text"
    type_ = TYPE.replace("stacked([line], [replaced(line, letter)]) for line in text", rows)
    game = PlayedGame(puzzlekit.load(type_, {"puzzle": "code", "text": ["xy"]}))
    assert game.scenes == [] and [entry.category for entry in game.entries] == ["words"]


@needs_browser
def test_a_tap_shows_a_symbol_everywhere_and_a_key_enters_it(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "cryptogram")
    group = [place for place, _ in max(game.data["entries"][0]["linked"], key=len)]
    browser.touchscreen.tap(*game.point(group[0]))
    assert browser.locator(".below .same").count() == len(group) - 1
    assert browser.locator(".words select, .words input").count() == 0
    browser.locator(".keys").get_by_role("button", name="Q", exact=True).tap()
    token = game.data["entries"][0]["keys"].index("text:Q")
    assert {place for place, held in enumerate(game.now()[0]["held"]) if held == token} == set(
        group
    )
    assert browser.locator(".key.used").all_text_contents() == ["Q"]
