"""A puzzle on a page of its own."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

import puzzlekit
from puzzlekit import Query
from puzzlekit.play.entries import token_text
from puzzlekit.play.page import play_page
from tests.play.player import Player
from tests.play.test_entries import entries, known, smallest
from tests.shipped import SPECS


class Game:
    """A puzzle on its page, and what a player enters to solve it."""

    def __init__(self, page: Page, folder: Path, name: str) -> None:
        self.page = page
        self.puzzle = puzzlekit.load(None, SPECS[smallest(name)])
        html = play_page(self.puzzle)
        self.data = known(html)
        self.file = folder / "play.html"
        self.file.write_text(html, encoding="utf-8")
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        solution = next(iter(self.puzzle.run(Query(limit=1, ordered=False))))
        own = entries(self.puzzle)
        self.answer = [entry.entered(self.puzzle.instance, solution.assignment) for entry in own]
        self.entries = [entry.widened(answer) for entry, answer in zip(own, self.answer)]
        page.set_viewport_size({"width": 390, "height": 800})
        self._keep(None)

    def _keep(self, board: str | None) -> None:
        """Open the page with a board that was kept; None for none."""
        beside = self.file.with_name(
            "beside.html"
        )  # the page itself keeps its board when it is left
        beside.write_text("", encoding="utf-8")
        name = f"puzzlekit {self.data['id']}"
        wanted = None if board is None else json.loads(board)["now"]
        for _ in range(
            5
        ):  # what a page kept when it was left may arrive later than what is set here
            self.page.goto(beside.as_uri())
            self.page.evaluate(
                "([n, b]) => b === null ? localStorage.removeItem(n) : localStorage.setItem(n, b)",
                [name, board],
            )
            self.open()
            found = self.page.evaluate("(name) => JSON.parse(localStorage.getItem(name))", name)
            if found["now"] == wanted or (
                board is None and not found["past"] and not found["solved"]
            ):
                return
        raise AssertionError("the page does not begin with this board")

    def open(self) -> None:
        self.page.goto("about:blank")
        self.page.goto(self.file.as_uri())

    def solve(self) -> None:
        player = Player(self.page, self.data)
        for number, (entry, answer) in enumerate(zip(self.entries, self.answer)):
            player.play(number, entry, answer)

    def said(self) -> str:
        return self.page.locator(".said").text_content() or ""

    def now(self) -> Any:
        """What the page keeps of the board."""
        return self.page.evaluate(
            "(name) => JSON.parse(localStorage.getItem(name)).now", f"puzzlekit {self.data['id']}"
        )

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def point(self, place: int, entry: int = 0) -> tuple[float, float]:
        at = self.data["entries"][entry]["places"][place]
        return Player(self.page, self.data).at(self.data["entries"][entry]["scene"], *at[2:4])

    def start(self, held: Sequence[Sequence[Any]], crossed: Sequence[Sequence[int]]) -> None:
        """Open the page with a board in part, as it was kept."""
        now = [
            {"held": list(own), "crossed": list(no), "notes": {}} for own, no in zip(held, crossed)
        ]
        kept = {"now": now, "past": [], "future": [], "trials": [], "seconds": 0, "solved": False}
        self._keep(json.dumps(kept))

    def numbers(self) -> list[list[int]]:
        """The answer as the page holds it: the number of the token at each place."""
        held = []
        for entry, answer in zip(self.entries, self.answer):
            texts = [token_text(token) for token in entry.tokens]
            held.append(
                [
                    texts.index(text) if entry.category != "words" else texts.index(f"text:{text}")
                    for text in answer
                ]
            )
        return held
