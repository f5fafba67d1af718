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
from puzzlekit.api import expected
from puzzlekit.boards import Cell, Grid
from puzzlekit.libraries.words import Mark
from puzzlekit.render import STYLE, board, inline
from puzzlekit.scene import Text

SPARE = 5  # additional swaps of a player
# beside the letter, for who cannot tell the colours
SIGNS = {Mark.GREY: "", Mark.YELLOW: "•", Mark.GREEN: "✓"}


def page(puzzles: Sequence[Puzzle]) -> str:
    """Return a self-contained HTML page to play the puzzles on."""
    return filled(list(map(_start_of, puzzles)), list(map(_game, puzzles)))


def _start_of(puzzle: Puzzle) -> str:
    data = puzzle.instance.data
    return start_svg(data["letters"].values, data["colours"].values)


def start_svg(letters: Mapping[Cell, str], colours: Mapping[Cell, Mark]) -> str:
    """Return the start as a picture whose letters and colours a script can change.

    A sign goes with each colour.
    """
    cells = sorted(letters)
    sorted_letters = {cell: letters[cell] for cell in cells}
    sorted_colours = {cell: colours[cell] for cell in cells}
    scene = board(sorted_letters, sorted_colours)
    signs = Text(True, {cell: SIGNS[colours[cell]] for cell in cells}, corner=True)
    layers = [replace(layer, is_given=True) for layer in scene.layers]
    with_signs = replace(scene, layers=(*layers, signs))
    return inline(with_signs, "The start", by_cell=True)


def _game(puzzle: Puzzle) -> Mapping[str, object]:
    """Return what the script needs to know of a puzzle."""
    letters: Grid = puzzle.instance.data["letters"]
    required = expected(puzzle)
    answer = Grid.of_rows(required["answer"].split()).values
    numbers = {cell: number for number, cell in enumerate(letters.cells)}
    cells, start, end = [], [], []
    for cell in letters.cells:
        cells.append([cell.row, cell.column])
        start.append(letters.values[cell])
        end.append(answer[cell])
    slots = [[numbers[cell] for cell in slot] for slot in letters.slots(2)]
    swaps = int(required["swaps"])
    size = {"rows": letters.height, "columns": letters.width}
    symbols = {"cells": cells, "letters": start, "answer": end, "slots": slots}
    game = {**size, **symbols, "fewest": swaps, "swaps": swaps + SPARE}
    identity = sha256(json.dumps(game).encode()).hexdigest()[:16]
    return {"title": puzzle.spec.text("title"), "id": identity, **game}


def filled(starts: Sequence[str], games: Sequence[Mapping[str, object]]) -> str:
    """Return the page with the pictures of the starts, and what its script knows."""
    marks = []
    for mark, sign in SIGNS.items():
        marks.append({"name": mark.name.lower(), "sign": sign, "square": mark.square})
    texts = {
        "/*STYLE*/": STYLE,
        "<!--BOARDS-->": "\n".join(starts),
        "/*PUZZLES*/[]": _script(games),
        "/*MARKS*/[]": _script(marks),
    }
    template = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    placeholders = "|".join(map(re.escape, texts))
    return re.sub(placeholders, lambda placeholder: texts[placeholder[0]], template)


def _script(constant: object) -> str:
    """Return a constant of a script, as it may stand in HTML."""
    return json.dumps(constant, ensure_ascii=False).replace("<", "\\u003c")
