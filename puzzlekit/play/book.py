"""A page to play several puzzles on: a list of them, and the puzzle that is played."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from puzzlekit.api import Puzzle
from puzzlekit.errors import InputError
from puzzlekit.play.page import (
    PlayedPuzzle,
    definitions_html,
    document_html,
    played_puzzle,
    script_json,
    section_html,
)
from puzzlekit.render import escape


class BookTitle(NamedTuple):
    """What stands at the head of a book."""

    title: str
    subtitle: str = ""
    author: str = ""


def book_page(puzzles: Sequence[PlayedPuzzle], titles: BookTitle) -> str:
    """Return a page to play puzzles on: one file that needs no network.

    It begins with a list of the puzzles by type, with their levels and how far each is played. What
    is entered is kept for each puzzle. On paper, all puzzles follow each other with their rules.

    Args:
        puzzles: The puzzles, in their order.
        titles: The title of the page, and what follows it.
    """
    order = sorted(puzzles, key=_type_title)
    sections = "".join(_section(number, played) for number, played in enumerate(order, 1))
    data = script_json([played.data for played in order])
    body = (
        f'<main class="book">{_head(titles, len(order))}{_contents(order)}{sections}</main>'
        f"{definitions_html(order)}"
        '<script type="application/json" id="puzzles">'
        f"{data}</script>\n"
    )
    has_hints = any("hints" in played.data for played in order)
    extras = ["hints", "book"] if has_hints else ["book"]
    return document_html(titles.title, body, extras)


def book_puzzle(
    puzzle: Puzzle,
    file: str,
    backend: str = "auto",
    timeout: float | None = None,
    hints: bool = False,
) -> PlayedPuzzle:
    """Return a puzzle of a book.

    Args:
        puzzle: The puzzle.
        file: The file that it stands in, for errors.
        backend: The backend that finds its solutions.
        timeout: Seconds for all solutions, and for all hints.
        hints: Whether it has the steps to its solution as hints.

    Raises:
        InputError: It cannot be played, as in `play_page`.
        Stopped: The time is up.
    """
    try:
        return played_puzzle(puzzle, backend, timeout, hints)
    except InputError as error:
        raise InputError(f"{file}: {error}", help=error.help) from None


def _type_title(played: PlayedPuzzle) -> str:
    puzzle_type = played.puzzle.type
    return puzzle_type.title or puzzle_type.name


def _level(played: PlayedPuzzle) -> str:
    return str(played.puzzle.spec.generated_by.get("level", ""))


def _head(titles: BookTitle, count: int) -> str:
    """Return the titles, and where the script writes how many puzzles are solved."""
    lines = f"<h1>{escape(titles.title)}</h1>"
    if titles.subtitle:
        lines += f"<p>{escape(titles.subtitle)}</p>"
    if titles.author:
        lines += f"<p>{escape(titles.author)}</p>"
    progress = f'<p class="progress" role="status">{count} puzzles</p>'
    return f"<header>{lines}{progress}</header>"


def _contents(order: Sequence[PlayedPuzzle]) -> str:
    """Return the list of the puzzles, by type."""
    number = 0
    lists = ""
    for title, group in groupby(order, key=_type_title):
        items = ""
        for played in group:
            number += 1
            level = f" <small>{escape(_level(played))}</small>" if _level(played) else ""
            name = escape(played.puzzle.spec.text("title") or f"No. {number}")
            items += f'<li><a href="#{number}"><b>{number}</b> {name}{level}<i></i></a></li>'
        lists += f"<h2>{escape(title)}</h2><ul>{items}</ul>"
    return f'<nav class="contents" aria-label="Puzzles">{lists}</nav>'


def _section(number: int, played: PlayedPuzzle) -> str:
    level = f" <small>{escape(_level(played))}</small>" if _level(played) else ""
    heading = f"<h2>{number}. {escape(played.puzzle.title)}{level}</h2>"
    return f'<section class="play" hidden>{heading}{section_html(played)}</section>'
