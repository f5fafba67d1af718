"""`puzzlekit draw`: puzzles alone, on the terminal and in files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from puzzlekit.api import Puzzle
from puzzlekit.api.pictures import puzzle_parts
from puzzlekit.cli.screen import console, show_lines
from puzzlekit.cli.whole_files import writable, write
from puzzlekit.render import Chapter, chapter_parts, document, drawing


def draw(puzzles: Sequence[Puzzle], svg: Path | None, html: Path | None, no_color: bool) -> None:
    """Print the picture of each puzzle, or write all of them into the requested files.

    Raises:
        InputError: A file cannot be written.
    """
    for option, path in (("--svg", svg), ("--html", html)):
        if path is not None:
            writable(option, path)
    chapters = [Chapter(puzzle.title, puzzle.type.about, puzzle_parts(puzzle.instance)) for puzzle in puzzles]
    title = chapters[0].title if len(chapters) == 1 else f"{len(chapters)} puzzles"
    if svg is not None:
        write(svg, drawing(title, chapter_parts(chapters)))
    if html is not None:
        write(html, document(title, chapters))
    if svg is None and html is None:
        screen = console(no_color)
        for number, chapter in enumerate(chapters):
            screen.print() if number else None
            screen.print(chapter.title)
            show_lines(screen, list(chapter.parts))
