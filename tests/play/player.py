"""A player that enters a solution with the mouse, as a person does."""

from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Page

from puzzlekit.play.entries import Entry, token_text
from tests.shipped import SMALLEST

UNPLAYED = ("unwordle",)  # more solutions than a page recognises


def each_type(*soon: str, but: Sequence[str] = ()) -> pytest.MarkDecorator:
    """Run a test for each type that can be played; it is slow for those that are not named,
    and left out for some.
    """
    kinds = [
        kind for kind in (name.split("/")[0] for name in SMALLEST) if kind not in (*UNPLAYED, *but)
    ]
    return pytest.mark.parametrize(
        "name", [pytest.param(k, marks=[] if k in soon else [pytest.mark.slow]) for k in kinds]
    )


class Player:
    """Enters solutions on a page.

    Args:
        page: The page in a browser.
        data: What the page knows of the puzzle.
    """

    def __init__(self, page: Page, data: Any) -> None:
        self.page = page
        self.data = data

    def at(self, scene: int, x: float, y: float) -> tuple[float, float]:
        """The place on the screen of coordinates of a board."""
        found = self.page.evaluate(
            """([scene, x, y]) => {
                const board = document.querySelectorAll("svg.board")[scene];
                board.scrollIntoView({block: "center"});
                const p = new DOMPoint(x, y).matrixTransform(board.getScreenCTM());
                return [p.x, p.y];
            }""",
            [scene, x, y],
        )
        return found[0], found[1]

    def play(self, number: int, entry: Entry, entered: Sequence[str]) -> None:
        """Enter what a solution has for one entry."""
        if self.page.locator(".bar [aria-pressed]").count():
            self.page.locator(".bar button").nth(number).click()
        known = self.data["entries"][number]
        ticks = self.page.locator(".words .ticks")
        if entry.category == "words" and not entry.free and ticks.count():
            texts = [token_text(token) for token in entry.tokens]
            for place, text in enumerate(entered):
                tick = self.page.locator(f"[data-tick='{place} {texts.index(f'text:{text}')}']")
                tick.first.click()
                tick.first.click()
        elif entry.category == "paths":
            cells = {"places": self.data["scenes"][entry.scene]["cells"]}
            for path, text in zip(known["places"], entered):
                if text:
                    self.drag(cells, entry.scene, path)
        elif entry.category == "words":
            fields = self.page.locator(f".words [data-at^='{number} ']")
            for place, text in enumerate(entered):
                field = fields.nth(place)
                field.fill(text) if entry.free else field.select_option(label=text)
                field.blur()
        elif entry.category == "pieces":
            for piece in entered:
                self._piece(entry, known, [int(cell) for cell in piece.split()])
        else:
            texts = [token_text(token) for token in entry.tokens]
            for place, text in enumerate(entered):
                if (
                    text
                    and str(place) not in known.get("fixed", {})
                    and place not in known.get("fixed", {})
                ):
                    self._place(entry, known, place, text, texts)

    def _place(self, entry: Entry, known: Any, place: int, text: str, texts: Sequence[str]) -> None:
        at = known["places"][place]
        written = [
            part.split(":")[1] for part in text.split(",") if part.startswith(("text", "corner"))
        ]
        typed = entry.free or sum("text:" in t or "corner:" in t for t in texts) > 2
        if entry.category == "lines":
            one, other = self.at(entry.scene, *at[2:4]), self.at(entry.scene, *at[6:8])
            for _ in range(int(text.split(":")[1])):
                self.page.mouse.move(*one)
                self.page.mouse.down()
                self.page.mouse.move(*other, steps=4)
                self.page.mouse.up()
            return
        self.page.mouse.click(*self.at(entry.scene, *at[2:4]))
        if typed and written and written[0].isascii():
            self.page.keyboard.type(written[0])
        elif typed and written:
            self.page.locator(".keys").get_by_role("button", name=written[0], exact=True).click()
        elif typed:
            which = [
                n for n, t in enumerate(texts) if n and "text:" not in t and "corner:" not in t
            ].index(texts.index(text))
            keys = sum("text:" in t or "corner:" in t for t in texts)
            self.page.locator(".keys button").nth(keys + which).click()
        else:
            may = [n for n in (entry.open[place] if entry.open else range(len(texts))) if n]
            for _ in range(may.index(texts.index(text))):
                self.page.mouse.click(*self.at(entry.scene, *at[2:4]))

    def _piece(self, entry: Entry, known: Any, cells: Sequence[int]) -> None:
        """Drag through all cells of a piece."""
        self.drag(known, entry.scene, self.path(known, cells))

    def drag(self, known: Any, scene: int, path: Sequence[int]) -> None:
        """Drag from cell to cell."""
        first, *rest = (self.at(scene, *known["places"][cell][2:4]) for cell in path)
        self.page.mouse.move(*first)
        self.page.mouse.down()
        for point in rest:
            self.page.mouse.move(*point, steps=2)
        self.page.mouse.up()

    def path(self, known: Any, cells: Sequence[int]) -> list[int]:
        """A way through all cells of a piece, and back where it branches."""
        where = {tuple(known["places"][cell][:2]): cell for cell in cells}
        path: list[int] = []

        def walk(cell: int) -> None:
            path.append(cell)
            row, column = known["places"][cell][:2]
            for down, right in (
                (0, 2),
                (2, 0),
                (0, -2),
                (-2, 0),
                (2, 2),
                (2, -2),
                (-2, 2),
                (-2, -2),
                (2, 0),
            ):
                beside = where.get((row + down, column + right))
                if beside is not None and beside not in path:
                    walk(beside)
                    path.append(cell)

        walk(cells[0])
        return path
