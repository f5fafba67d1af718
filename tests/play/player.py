"""A player that enters a solution on a page: it knows entries, and no type."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Page

from puzzlekit.play.entries import Entry, Token, token_text
from tests.play.hands import Hand, Link, Mouse, Point, Pointer, distance
from tests.shipped import SMALLEST

UNPLAYED = ("unwordle",)  # more solutions than a page recognises
KINDS = [kind for kind in (name.split("/")[0] for name in SMALLEST) if kind not in UNPLAYED]
WRITTEN = ("text", "corner")
LETTERS = """(scene) => Object.fromEntries(
    [...document.querySelectorAll("svg.board")[scene].querySelectorAll("text[data-cell]")]
        .map((text) => [text.dataset.cell, text.textContent.toLowerCase()]))"""


def each_type(*soon: str, but: Sequence[str] = ()) -> pytest.MarkDecorator:
    """Run a test for each type that can be played; it is slow for those that are not named,
    and left out for some.
    """
    kinds = [kind for kind in KINDS if kind not in but]
    return pytest.mark.parametrize(
        "name", [pytest.param(k, marks=[] if k in soon else [pytest.mark.slow]) for k in kinds]
    )


class Player:
    """Enters solutions on a page.

    Args:
        page: The page in a browser.
        data: What the page knows of the puzzle.
        hand: What it plays with: `Mouse`, `Touch` or `Keys`.
    """

    def __init__(self, page: Page, data: Any, hand: type[Hand] = Mouse) -> None:
        self.page = page
        self.data = data
        self.hand = hand(page, data["cell"])

    def play(self, number: int, entry: Entry, entered: Sequence[str]) -> None:
        """Enter what a solution has for one entry."""
        fixed = self.data["entries"][number].get("fixed", {})
        texts = [
            (place, text)
            for place, text in enumerate(entered)
            if text and str(place) not in fixed and place not in fixed
        ]
        self.hand.choose(number, max(0, entry.scene))
        if entry.category == "words":
            self._words(number, entry, texts)
        elif entry.category == "paths":
            for place, _ in texts:
                self.hand.trace(self.cells(number, self.places(number)[place]))
        elif entry.category == "pieces":
            for piece in entered:
                self.hand.join(self.cells(number, map(int, piece.split())))
        elif entry.category == "lines":
            self.hand.draw([self._link(number, place, text) for place, text in texts])
        elif entry.category == "sides":
            self.hand.border([self.point(number, place) for place, _ in texts])
        elif "moved" in self.data["entries"][number]:
            self._moved(number, entry, texts)
        else:
            self._cells(number, entry, texts)

    def places(self, number: int) -> Any:
        return self.data["entries"][number]["places"]

    def point(self, number: int, place: int) -> Point:
        """A cell, a corner or a side, in coordinates of its board."""
        x, y = self.places(number)[place][2:4]
        return x, y

    def cells(self, number: int, cells: Iterable[int]) -> list[Point]:
        """The middles of cells of the board of an entry."""
        all_cells = self.data["scenes"][self.data["entries"][number]["scene"]]["cells"]
        return [tuple(all_cells[cell][2:4]) for cell in cells]

    def _link(self, number: int, place: int, text: str) -> Link:
        at = self.places(number)[place]
        return tuple(at[2:4]), tuple(at[6:8]), int(text.split(":")[1])

    def _cells(self, number: int, entry: Entry, texts: Sequence[tuple[int, str]]) -> None:
        tokens = [token_text(token) for token in entry.tokens]
        is_typed = entry.free or sum(map(_is_written, entry.tokens)) > 2
        for place, text in texts:
            token = tokens.index(text) if text in tokens else 0
            allowed = entry.open[place] if entry.open else range(len(tokens))
            turn = [number for number in allowed if number].index(token) + 1 if token else 0
            if is_typed:
                label = _label(entry.tokens[token]) if token else text.split(":")[1]
                self.hand.write(self.point(number, place), label, turn)
            else:
                self.hand.turn(self.point(number, place), turn)

    def _moved(self, number: int, entry: Entry, texts: Sequence[tuple[int, str]]) -> None:
        """Exchange texts until each stands in its place."""
        tokens = [token_text(token) for token in entry.tokens]
        held = [tokens[token] for token in self.data["entries"][number]["moved"]]
        wanted = dict(texts)
        for place, text in texts:
            if held[place] != text:
                first = next(
                    other
                    for other in wanted
                    if held[other] == text and held[other] != wanted[other]
                )
                self.hand.exchange(self.point(number, first), self.point(number, place))
                held[first], held[place] = held[place], text

    def _words(self, number: int, entry: Entry, texts: Sequence[tuple[int, str]]) -> None:
        words = self.page.locator(".words")
        tokens = [token_text(token) for token in entry.tokens]
        for place, text in texts:
            field = words.locator(f"[data-at='{number} {place}']")
            way = self._spelling(text) if entry.free and isinstance(self.hand, Pointer) else None
            if way:
                self.hand.trace(way)
            elif entry.free:
                self.hand.fill(field, text)
            elif field.count():
                self.hand.select(field, text)
            else:
                tick = words.locator(f"[data-tick='{place} {tokens.index(f'text:{text}')}']")
                self.hand.press(tick.first, 2)  # a cross, then a tick

    def _spelling(self, word: str) -> list[Point] | None:
        """A way over the letters of the board that spells a word."""
        if not self.data["scenes"]:
            return None
        letters = self.page.evaluate(LETTERS, self.hand.scene)
        cells = [
            ((x, y), letters.get(f"r{row // 2}c{column // 2}", ""))
            for row, column, x, y in self.data["scenes"][self.hand.scene]["cells"]
        ]

        def ways(way: list[Point], left: str) -> Iterator[list[Point]]:
            if not left:
                yield way
            for cell, letter in cells:
                is_next = not way or distance(way[-1], cell) < 1.5 * self.data["cell"]
                if letter and left.startswith(letter) and is_next and cell not in way:
                    yield from ways([*way, cell], left[len(letter) :])

        return next(ways([], word.lower()), None)


def _is_written(token: Token) -> bool:
    return any(type_ in WRITTEN for type_, _ in token)


def _label(token: Token) -> str:
    """What stands on the key of a token."""
    texts = [content for type_, content in token if type_ in WRITTEN]
    return texts[0] if texts else " ".join("■" if t == "shade" else content for t, content in token)
