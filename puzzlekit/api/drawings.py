"""Draw puzzles, with their solutions, as chapters of a picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from puzzlekit.api.boards import loaded_parts
from puzzlekit.api.picture_formats import Picture
from puzzlekit.api.pictures import solution_parts
from puzzlekit.api.run import Run
from puzzlekit.api.solution import LoadedPuzzle
from puzzlekit.catalogue import example_specs
from puzzlekit.clock import Clock
from puzzlekit.errors import InputError, PuzzlekitError
from puzzlekit.lang import bind, read_spec, read_text
from puzzlekit.links import addresses
from puzzlekit.query import Query
from puzzlekit.reading import shipped
from puzzlekit.reasons import LEVELS
from puzzlekit.render import DocumentItem
from puzzlekit.scene import PicturePart

if TYPE_CHECKING:
    from puzzlekit.render import Example

EXAMPLES = 12  # of a type that are tried
EXAMPLE_SECONDS = 5.0  # for loading an example, and for solving it


def draw(
    puzzles: LoadedPuzzle | Iterable[LoadedPuzzle],
    solutions: bool = False,
    backend: str = "auto",
    timeout: float | None = None,
) -> Picture:
    """Draw puzzles, each with the progress of its spec.

    Args:
        puzzles: A puzzle, or several.
        solutions: Whether each is solved, and its solution is drawn at the end.
        backend: The name of the backend that solves them, or "auto".
        timeout: Seconds for solving each puzzle. One that is not solved in time has no solution in
            the picture, but a remark.

    Raises:
        Problems: The progress of a spec is wrong.
        InputError: There are no puzzles, or an argument is not valid.
        Unsupported: The backend does not support a puzzle.

    Examples:
        >>> import puzzlekit
        >>> square = puzzlekit.load("examples/magic_square.yaml", {"size": 1})
        >>> text = puzzlekit.draw([square, square], solutions=True).text()
        >>> print(text[text.index("1. Magic square ·") :])
        1. Magic square · the only solution
           1
        <BLANKLINE>
        2. Magic square · the only solution
           1
    """
    puzzles = [puzzles] if isinstance(puzzles, LoadedPuzzle) else list(puzzles)
    if not puzzles:
        raise InputError("there are no puzzles to draw")
    chapters = list(map(chapter_of, puzzles))
    if solutions:
        for number, puzzle in enumerate(puzzles):
            run = Run(puzzle, Query(limit=1), backend, timeout)
            chapters[number] = with_solution(chapters[number], run)
    return chapters_picture(chapters, puzzles)


def chapters_picture(chapters: Sequence[DocumentItem], puzzles: Sequence[LoadedPuzzle]) -> Picture:
    """Return the picture of puzzles, each of which is a chapter."""
    return Picture(
        chapters,
        lambda: [addresses(puzzle.instance) for puzzle in puzzles],
        lambda: book_examples(puzzles),
    )


def chapter_of(puzzle: LoadedPuzzle) -> DocumentItem:
    """Return a puzzle as a chapter without its solution."""
    generated_by = puzzle.spec.generated_by
    name = "" if generated_by else puzzle.spec.text("title")
    score = None
    with suppress(ValueError):
        score = float(generated_by.get("score", ""))
    level = generated_by.get("level", "")
    levels = [*LEVELS]
    rank = 0
    if level in levels:
        rank = levels.index(level)
    type_name = puzzle.type.title or puzzle.type.name
    return DocumentItem(
        puzzle.title,
        puzzle.instance.about,
        loaded_parts(puzzle),
        type_name=type_name,
        name=name,
        level=level,
        score=score,
        rank=rank,
    )


def with_solution(chapter: DocumentItem, run: Run) -> DocumentItem:
    """Return the chapter of a puzzle with the solutions of a run, which is iterated over.

    Raises:
        Unsupported: The backend does not support the puzzle.
        KeyboardInterrupt: The run was interrupted.
    """
    parts: list[PicturePart] = []
    for solution in run:
        parts += solution_parts(solution)
    run.raise_unsupported()
    if run.interrupted:
        raise KeyboardInterrupt
    return replace(chapter, remark=_remark(run), solution=parts)


def _remark(run: Run) -> str:
    """Return what is known of a solution."""
    if run.status == "complete":
        return run.outcome()
    if not run.count:
        return f"not solved: {run.reason}"
    if run.goal:
        return "a solution, not proven optimal in time"
    return "a solution; whether there are others is not known"


# Documents ----------------------------------------------------------------------------------------


def book_examples(puzzles: Sequence[LoadedPuzzle]) -> Mapping[str, Example]:
    """Return a solved example of each type of a book, by the title of the type, if one ships."""
    by_type = {puzzle.type.title or puzzle.type.name: puzzle for puzzle in puzzles}
    examples = {}
    for type_title, puzzle in by_type.items():
        example = _example(puzzle, puzzles)
        if example is not None:
            examples[type_title] = example
    return examples


def _example(puzzle: LoadedPuzzle, book: Sequence[LoadedPuzzle]) -> Example | None:
    """Return the smallest example that ships of a type and is not in the book, and its solution.

    Returns None if there is none.
    """
    type_ = puzzle.type
    if Path(type_.source.path).resolve().parent != shipped():
        return None
    for path in example_specs(type_.name)[:EXAMPLES]:
        with suppress(PuzzlekitError), Clock(EXAMPLE_SECONDS).running():
            spec = read_spec(str(path), read_text(path))
            example = LoadedPuzzle(type_, spec, bind(type_, spec, folder=path.parent))
            if example.instance.about != puzzle.instance.about or example in book:
                continue
            run = Run(example, Query(limit=2, goal="none"), timeout=EXAMPLE_SECONDS)
            solutions = list(run)
            if run.interrupted:
                raise KeyboardInterrupt
            if len(solutions) == 1:
                return loaded_parts(example), solution_parts(solutions[0])
    return None
