"""A request about the texts of a page, and the puzzles that are loaded for it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from puzzlekit.api import FileText, Puzzle, load
from puzzlekit.batches import Files, are_unchanged, files_of
from puzzlekit.clock import Clock
from puzzlekit.questions.played import PlayedBoard
from puzzlekit.reading import recorded

Messages = Iterator[dict[str, Any]]
SPEC, TYPE = "spec.yaml", "<type>"  # what problems call the texts of the page
FOLDER = Path()  # that is served
PUZZLES = 4  # that a worker keeps loaded

loaded: OrderedDict[tuple[str, str], Loaded] = OrderedDict()


class Loaded(NamedTuple):
    """A puzzle, its board, and the digests of the files that were read for it."""

    puzzle: Puzzle
    board: PlayedBoard
    files: Files


class Request:
    """A request about the texts of a page.

    Attributes:
        given: All that the page sent.
        clock: The time that the answer may take.
    """

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = given
        self.clock = Clock(float(given["seconds"]))

    def text(self, name: str) -> str:
        """Return a text that the page sent; empty without one."""
        text = self.given.get(name, "")
        return text if isinstance(text, str) else ""

    def puzzle(self) -> tuple[Puzzle, PlayedBoard]:
        """Return the puzzle, and its board. Raises the errors of `load`."""
        key = (self.text("type"), self.text("spec"))
        if key not in loaded or not are_unchanged(loaded[key].files, FOLDER):
            with recorded() as paths:
                puzzle = self._load(*key)
            loaded[key] = Loaded(puzzle, PlayedBoard(puzzle), files_of(paths, FOLDER))
        loaded.move_to_end(key)
        while len(loaded) > PUZZLES:
            loaded.popitem(last=False)
        return loaded[key].puzzle, loaded[key].board

    def _load(self, type_text: str, spec_text: str) -> Puzzle:
        """Load the texts of a type and a spec; blank ones are not there."""
        spec = FileText(Path(SPEC), spec_text) if spec_text.strip() else None
        puzzle_type = f"{type_text}\n" if type_text.strip() else None
        return load(puzzle_type, spec, clock=self.clock)

    def marked(self) -> tuple[Puzzle, PlayedBoard, dict[str, Any]]:
        """Return the puzzle, its board, and the marks on it."""
        puzzle, board = self.puzzle()
        return puzzle, board, board.marks(self.given.get("board"))
