"""A page to play a puzzle on: one HTML file that needs no network and hides the solution."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from puzzlekit.api import Puzzle, Query, known_values, progress_facts
from puzzlekit.errors import InputError
from puzzlekit.play.game import Game
from puzzlekit.play.scripts import SHEET, page_script, play_file
from puzzlekit.play.steps import hints_data
from puzzlekit.render import (
    CELL,
    STYLE,
    escape,
    folded,
    plain_text,
    scene_svg,
    text_lines,
)
from puzzlekit.scene import Group, Line, Scene, Table

MOST = 2000  # solutions that a page recognises
NARROW = 44  # characters on the screen of a phone
DARK = "@media(prefers-color-scheme:dark)"
DARK_ON_SCREEN = "@media screen and (prefers-color-scheme:dark)"  # paper is always light


def play_page(
    puzzle: Puzzle, backend: str = "auto", timeout: float | None = None, hints: bool = False
) -> str:
    """Return a page to play a puzzle on.

    The page knows the solution only as salted hashes of what a player enters, so that it can say
    *solved*. It begins with the progress of the spec.

    Args:
        puzzle: The puzzle.
        backend: The backend that finds its solutions.
        timeout: Seconds for all solutions, and for all hints.
        hints: Whether the page has the steps to the solution as hints.

    Raises:
        InputError: The puzzle has no solution, or more than a page can recognise, or it cannot be
            entered.
        Stopped: The time is up.
    """
    played = played_puzzle(puzzle, backend, timeout, hints)
    heading = f"<h1>{escape(puzzle.title)}</h1>"
    definitions = definitions_html([played])
    data = script_json(played.data)
    body = (
        f'<main class="play">{heading}{section_html(played)}</main>{definitions}'
        f'<script type="application/json" id="puzzle">{data}</script>\n'
    )
    return document_html(puzzle.title, body, ["hints"] if hints else [])


class PlayedPuzzle(NamedTuple):
    """A puzzle with all that a page needs to play it.

    Attributes:
        puzzle: The puzzle.
        data: The data by which the script draws and takes input.
        boards: The width, the height and the shapes of each board.
        signs: The shapes of the signs that are entered, by name.
    """

    puzzle: Puzzle
    data: Mapping[str, Any]
    boards: Sequence[tuple[float, float, str]]
    signs: Mapping[str, str]


def played_puzzle(
    puzzle: Puzzle, backend: str, timeout: float | None, hints: bool = False
) -> PlayedPuzzle:
    """Return a puzzle with all that a page needs to play it. Raises the errors of `play_page`."""
    query = Query(limit=MOST + 1, ordered=False)
    run = puzzle.run(query, backend, timeout)
    solutions = list(run)
    run.raise_reason()
    if not solutions:
        raise InputError(f"{puzzle.title} has no solution, so it cannot be played")
    if len(solutions) > MOST:
        raise InputError(
            f"{puzzle.title} has more than {MOST:,} solutions, more than a page recognises"
        )
    game = Game(puzzle)
    data = game.data(solutions[0])
    data |= game.solution_hashes(solutions)
    marks = progress_facts(puzzle)
    if marks:
        data["marks"] = game.partial_boards(*known_values(puzzle.model, marks))
    if hints:
        data["hints"] = hints_data(game, puzzle.explain(timeout=timeout))
    boards = [scene_svg(scene, CELL, by_cell=True) for scene in game.scenes]
    return PlayedPuzzle(puzzle, data, boards, game.signs())


def extra_text(puzzle: Puzzle) -> str:
    """Return what a player needs besides the boards, as text: lists, clues in words, pieces."""
    blocks = puzzle.parts()
    if blocks and isinstance(blocks[0], Scene | Group):
        blocks = blocks[1:]
    lines = list[Line]()
    for block in blocks:
        if isinstance(block, Scene | Group | Table):
            lines += text_lines([block], NARROW)
        else:
            lines += folded(block, NARROW)
    return plain_text(lines).strip("\n")


def section_html(played: PlayedPuzzle) -> str:
    """Return the rules, the boards and the lists of a puzzle."""
    puzzle = played.puzzle
    about = ""
    if puzzle.type.about:
        rules = f"<p>{escape(puzzle.instance.about)}</p>"
        about = f"<details open><summary>Rules</summary>{rules}</details>"
    boards = "".join(_board(*board) for board in played.boards)
    extra = extra_text(puzzle)
    if extra:
        extra = f'<pre class="beside">{escape(extra)}</pre>'
    return f'{about}<div class="boards">{boards}</div>{extra}'


def definitions_html(puzzles: Iterable[PlayedPuzzle]) -> str:
    """Return the shapes of all signs that are entered, each once."""
    signs: dict[str, str] = {}
    for played in puzzles:
        signs.update(played.signs)
    definitions = ""
    for name, shape in signs.items():
        definitions += f'<g id="sign-{name}">{shape}</g>'
    return f'<svg width="0" height="0" aria-hidden="true"><defs>{definitions}</defs></svg>'


def script_json(data: Any) -> str:
    """Return data as JSON that can stand in an element of HTML."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def document_html(title: str, body: str, extras: Iterable[str] = ()) -> str:
    """Return a page that needs no network, with the script that plays the puzzles of its body.

    Args:
        title: The title.
        body: The body.
        extras: What the script has besides: names of `scripts.EXTRAS`.
    """
    style = play_file(SHEET) or ""
    theme = STYLE.replace(DARK, DARK_ON_SCREEN)
    script = page_script(extras)
    script_hash = b64encode(sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{script_hash}'"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>{escape(title)}</title><style>{theme}{style}</style></head>\n"
        f"<body>{body}"
        f'<script type="module">{script}</script></body></html>\n'
    )


def _board(width: float, height: float, elements: str) -> str:
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" style="--wide:{width:.0f}"'
    return f'<svg class="board" {size}>{elements}<g class="entered"></g></svg>'
