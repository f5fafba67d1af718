"""A question about the texts of a page, and the puzzles that are loaded for it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from puzzlekit.api import Puzzle, load
from puzzlekit.api.sources import FileText
from puzzlekit.clock import Clock
from puzzlekit.serve.played import PlayedBoard

Found = Iterator[dict[str, Any]]
SPEC, TYPE = "spec.yaml", "<type>"  # what problems call the texts of the page
PUZZLES = 4  # that a worker keeps loaded

loaded: OrderedDict[tuple[str, str], tuple[Puzzle, PlayedBoard]] = OrderedDict()


class Asked:
    """A question about the texts of a page.

    Attributes:
        given: All that the page sent.
        clock: The time of the question.
    """

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = given
        self.clock = Clock(float(given["seconds"]))

    def text(self, name: str) -> str:
        """Return a text that the page sent; empty if it did not."""
        found = self.given.get(name, "")
        return found if isinstance(found, str) else ""

    def puzzle(self) -> tuple[Puzzle, PlayedBoard]:
        """Return the puzzle, and its board. Raises the errors of `load`."""
        key = self.text("type"), self.text("spec")
        if key not in loaded:
            kind, spec = (text if text.strip() else None for text in key)
            puzzle = load(
                None if kind is None else f"{kind}\n",
                None if spec is None else FileText(Path(SPEC), spec),
                clock=self.clock,
            )
            loaded[key] = puzzle, PlayedBoard(puzzle)
        loaded.move_to_end(key)
        while len(loaded) > PUZZLES:
            loaded.popitem(last=False)
        return loaded[key]

    def marked(self) -> tuple[Puzzle, PlayedBoard, dict[str, Any]]:
        """Return the puzzle, its board, and the marks on it."""
        puzzle, board = self.puzzle()
        return puzzle, board, board.marks(self.given.get("board"))
