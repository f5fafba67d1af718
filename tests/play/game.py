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
from tests.play.hands import Hand, Mouse, Point
from tests.play.player import Player
from tests.play.test_entries import entries, known, smallest
from tests.shipped import SPECS

FORGET = """() => new Promise((resolve) => {
    localStorage.clear();
    const request = indexedDB.deleteDatabase("puzzlekit");
    request.onsuccess = request.onerror = request.onblocked = resolve;
})"""


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
        page.set_viewport_size({"width": 390, "height": 844})
        self.forget()
        self.open()

    def forget(self) -> None:
        """Delete all games that the browser keeps."""
        empty = self.file.with_name("empty.html")
        empty.write_text("", encoding="utf-8")
        self.page.goto(empty.as_uri())
        self.page.evaluate(FORGET)

    def open(self) -> None:
        """Open the page, as a person does who comes back."""
        self.page.goto("about:blank")
        self.page.goto(self.file.as_uri())
        self.page.evaluate("puzzlekit.ready")

    def solve(self, hand: type[Hand] = Mouse) -> None:
        """Enter the solution."""
        player = Player(self.page, self.data, hand)
        for number, (entry, answer) in enumerate(zip(self.entries, self.answer)):
            player.play(number, entry, answer)

    def said(self) -> str:
        return self.page.locator(".said").text_content() or ""

    def state(self) -> Any:
        """What the page tells of the game."""
        return self.page.evaluate("puzzlekit.state()")

    def now(self) -> Any:
        """The board: what is entered for each entry."""
        return self.state()["entries"][:-1]

    def entered(self) -> list[list[str]]:
        """What is entered, as a solution has it: crosses and notes do not count."""
        pairs = zip(self.data["entries"], self.now())
        return [_texts_of(entry, board["held"]) for entry, board in pairs]

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def point(self, place: int, entry: int = 0) -> Point:
        """A place on the screen."""
        at = self.data["entries"][entry]["places"][place]
        return self.on_screen((at[2], at[3]), self.data["entries"][entry]["scene"])

    def on_screen(self, at: Point, scene: int = 0) -> Point:
        """The point on the screen of coordinates of a board."""
        mouse = Mouse(self.page, self.data["cell"])
        mouse.scene = scene
        return mouse.on_screen([at])[0]

    def drag(self, places: Sequence[int]) -> None:
        """Drag the mouse from place to place."""
        Mouse(self.page, self.data["cell"]).drag([self.point(place) for place in places])

    def start(self, held: Sequence[Sequence[Any]], crossed: Sequence[Sequence[int]]) -> None:
        """Open the page with a board in part."""
        marks: list[Any] = []
        for number, (tokens, crosses) in enumerate(zip(held, crossed)):
            for place, token in enumerate(tokens):
                marks.append([number, place, {"held": token, "crossed": place in crosses}])
        self.begin(marks)

    def begin(self, marks: Sequence[Any]) -> None:
        """Open the page with marks: each has the number of its entry and its place."""
        game = {
            "format": "puzzlekit game",
            "puzzle": self.data["id"],
            "done": 0,
            "length": 0,
            "trials": [],
            "base": marks,
            "steps": [],
        }
        self.forget()
        self.open()
        self.page.evaluate("(text) => puzzlekit.open(text)", json.dumps(game))

    def held(self) -> list[list[Any]]:
        """The answer as the page holds it, of each kind of entry."""
        return [
            _held(entry, answer, len(board["held"]))
            for entry, answer, board in zip(self.data["entries"], self.answer, self.now())
        ]

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


def _texts_of(entry: Any, held: Sequence[Any]) -> list[str]:
    """The text of each place of an entry; of pieces, the cells of each."""
    if entry["kind"] == "pieces":
        pieces: dict[int, list[str]] = {number: [] for number in held if number}
        for cell, number in enumerate(held):
            if number:
                pieces[number].append(str(cell))
        return sorted(map(" ".join, pieces.values()))
    if entry["kind"] == "words":
        texts = held if entry.get("free") else [entry["keys"][token] for token in held]
        return [text.removeprefix("text:") for text in texts]
    if entry.get("free"):
        return [f"text:{text}" if text else "" for text in held]
    return [entry["keys"][token] for token in held]


def _held(entry: Any, answer: Sequence[str], count: int) -> list[Any]:
    """What a page holds at each place of an entry, for the texts of an answer."""
    if entry["kind"] == "pieces":
        numbers = {
            cell: number
            for number, piece in enumerate(answer, 1)
            for cell in map(int, piece.split())
        }
        return [numbers.get(cell, 0) for cell in range(count)]
    if entry["kind"] == "words":
        return [
            text if entry.get("free") else entry["keys"].index(f"text:{text}") for text in answer
        ]
    if entry.get("free"):
        return [text.removeprefix("text:") for text in answer]
    return [entry["keys"].index(text) for text in answer]
