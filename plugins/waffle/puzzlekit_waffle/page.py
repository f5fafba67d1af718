"""A page to play waffles on, made of their specs; each says in `expect` its answer and the fewest
swaps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from puzzlekit import Puzzle
from puzzlekit.api.checks import expected
from puzzlekit.boards import Cell, Grid
from puzzlekit.libraries.words import Mark
from puzzlekit.render.picture import board
from puzzlekit.render.svg import inline
from puzzlekit.render.theme import STYLE
from puzzlekit.scene import Text

SPARE = 5  # additional swaps of a player
SIGNS = {
    Mark.GREY: "",
    Mark.YELLOW: "•",
    Mark.GREEN: "✓",
}  # beside the letter, for who cannot tell the colours


def page(puzzles: Sequence[Puzzle]) -> str:
    """A self-contained HTML page to play the puzzles on."""
    starts = [
        start_svg(puzzle.instance.data["letters"].values, puzzle.instance.data["colours"].values)
        for puzzle in puzzles
    ]
    return filled(starts, list(map(_game, puzzles)))


def start_svg(letters: Mapping[Cell, str], colours: Mapping[Cell, Mark]) -> str:
    """The start as a picture whose letters and colours a script can change; a sign goes with each
    colour.
    """
    cells = sorted(letters)
    scene = board({cell: letters[cell] for cell in cells}, {cell: colours[cell] for cell in cells})
    signs = Text(True, {cell: SIGNS[colours[cell]] for cell in cells}, corner=True)
    layers = tuple(replace(layer, is_given=True) for layer in scene.layers)
    return inline(replace(scene, layers=(*layers, signs)), "The start", by_cell=True)


def _game(puzzle: Puzzle) -> Mapping[str, object]:
    """What the script needs to know of a puzzle."""
    letters: Grid = puzzle.instance.data["letters"]
    required = expected(puzzle)
    answer = Grid.of_rows(required["answer"].split()).values
    place = {cell: i for i, cell in enumerate(letters.cells)}
    game = {
        "rows": letters.height,
        "columns": letters.width,
        "cells": [[cell.row, cell.column] for cell in letters.cells],
        "letters": [letters.values[cell] for cell in letters.cells],
        "answer": [answer[cell] for cell in letters.cells],
        "slots": [[place[cell] for cell in slot] for slot in letters.slots(2)],
        "fewest": int(required["swaps"]),
        "swaps": int(required["swaps"]) + SPARE,
    }
    known = sha256(json.dumps(game).encode()).hexdigest()[:16]
    return {"title": puzzle.spec.text("title"), "id": known, **game}


def filled(starts: Sequence[str], games: Sequence[Mapping[str, object]]) -> str:
    """The page with the pictures of the starts, and what its script knows."""

    def script(data: object) -> str:
        return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")

    shown = [
        {"name": mark.name.lower(), "sign": sign, "square": mark.square}
        for mark, sign in SIGNS.items()
    ]
    parts = {
        "/*STYLE*/": STYLE,
        "<!--BOARDS-->": "\n".join(starts),
        "/*PUZZLES*/[]": script(games),
        "/*MARKS*/[]": script(shown),
    }
    template = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    return re.sub("|".join(map(re.escape, parts)), lambda place: parts[place[0]], template)
