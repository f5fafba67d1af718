"""`puzzlekit draw`: puzzles on the terminal and in files, perhaps with their solutions."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from puzzlekit.cli.files import writable, write
from puzzlekit.cli.options import NoColor, Specs, clock_for, load_puzzle, named_puzzles
from puzzlekit.clock import Clock
from puzzlekit.errors import InputError, PuzzlekitError, printable
from puzzlekit.options import LoadOptions, Option, PaperOptions, Timeout
from puzzlekit.processes import end_command_after
from puzzlekit.query import Query

if TYPE_CHECKING:
    from puzzlekit.api import Puzzle, Run
    from puzzlekit.render import DocumentItem, Example
    from puzzlekit.scene import PicturePart

PLAIN = PaperOptions()
EXAMPLES = 12  # of a type that are tried
EXAMPLE_SECONDS = 5.0  # for loading an example, and for solving it
IN_HTML = ("title", "subtitle", "author")  # the options of a document that an HTML page has, too
TITLED = 200  # characters of each of these options
NAMED = 10  # characters that a message names
Files = Mapping[str, Path | None]  # by option


def draw(
    files: Specs,
    *,
    loading: LoadOptions,
    on_paper: PaperOptions,
    timeout: Timeout = None,
    svg: Annotated[Path | None, Option("write one picture", "FILE")] = None,
    png: Annotated[Path | None, Option("write one picture of pixels", "FILE")] = None,
    html: Annotated[Path | None, Option("write an HTML page to read or print", "FILE")] = None,
    pdf: Annotated[Path | None, Option("write a document to print", "FILE")] = None,
    solutions: Annotated[bool, Option("solve each puzzle and add its solution at the end")] = False,
    play: Annotated[
        bool, Option("with --html: a page to play the puzzle on, without a network")
    ] = False,
    backend: Annotated[
        str | None,
        Option("with --solutions or --play: the backend to use", "NAME|auto", completes="backends"),
    ] = None,
    no_color: NoColor = False,
) -> int:
    """Draw puzzles; with --solutions, their solutions follow at the end."""
    if backend is not None and not solutions and not play:
        raise InputError("--backend requires --solutions or --play")
    if play and (html is None or solutions or svg or png or pdf):
        raise InputError("--play requires --html, and no other file and no --solutions")
    pictures = {"--svg": svg, "--png": png, "--html": html, "--pdf": pdf}
    check_paper(on_paper, pdf, None if play else html)
    check_files(pictures)
    clock = clock_for(timeout)
    puzzles = [load_puzzle(*arguments, clock, loading) for arguments in named_puzzles(files)]
    if play:
        assert html is not None
        return _play(puzzles, html, backend or "auto", timeout)
    solver = (backend or "auto") if solutions else None
    return draw_puzzles(puzzles, pictures, solver, timeout, no_color, on_paper)


def check_paper(on_paper: PaperOptions, pdf: Path | None, html: Path | None) -> None:
    """Raise InputError unless a document can be made with these options."""
    for option in fields(on_paper):
        if getattr(on_paper, option.name) == option.default or pdf:
            continue
        if option.name not in IN_HTML:
            raise InputError(f"--{option.name.replace('_', '-')} requires --pdf")
        if not html:
            raise InputError(f"--{option.name} requires --pdf, or --html without --play")
    for name in IN_HTML:
        text = getattr(on_paper, name)
        if text is not None and not 0 < len(text.strip()) <= TITLED:
            raise InputError(f"--{name}: expected a text of at most {TITLED} characters")
    if on_paper.subtitle and not on_paper.title:
        raise InputError("--subtitle requires --title")
    if pdf is None:
        return
    from puzzlekit.render import paper_size, require_segno

    paper_size(on_paper.paper)
    if on_paper.qr:
        require_segno()


def _play(puzzles: Sequence[Puzzle], path: Path, backend: str, timeout: float | None) -> int:
    """Write a page to play a puzzle on; returns the exit code."""
    from puzzlekit.cli.screen import progress
    from puzzlekit.play import play_page

    if len(puzzles) != 1:
        raise InputError(f"--play makes a page of one puzzle, got {len(puzzles)}")
    end_command_after(timeout, anew=True)
    with progress(puzzles[0].title):
        page = play_page(puzzles[0], backend, timeout)
    end_command_after(None)
    write(path, page)
    return 0


def check_files(files: Files) -> None:
    """Raise InputError if the files of a command cannot be written.

    One cannot be written, two are the same, or a library for one is not installed.
    """
    options: dict[Path, str] = {}
    for option, path in files.items():
        if path is None:
            continue
        if option in ("--png", "--pdf"):
            from puzzlekit.render import require_typst

            require_typst(option)
        writable(option, path)
        first = options.setdefault(path.resolve(), option)
        if first != option and (path.is_file() or not path.exists()):
            raise InputError(f"{first} and {option} name the same file: {path}")


def draw_puzzles(
    puzzles: Sequence[Puzzle],
    files: Files,
    backend: str | None,
    timeout: float | None,
    no_color: bool,
    on_paper: PaperOptions = PLAIN,
) -> int:
    """Print the picture of each puzzle, or write all of them into the requested files.

    Args:
        puzzles: The puzzles.
        files: The files to write, by option.
        backend: The backend that solves each puzzle; None for a document without solutions.
        timeout: Seconds for solving each puzzle.
        no_color: Whether to print without colours.
        on_paper: How a document looks.

    Returns:
        The exit code.

    Raises:
        InputError: A file cannot be written.
    """
    from puzzlekit.cli.run_report import exit_code

    linked = files.get("--html") is not None or on_paper.qr
    chapters = [_chapter(puzzle, linked) for puzzle in puzzles]
    code = 0
    if backend is not None:
        for number, puzzle in enumerate(puzzles):
            run, chapters[number] = _solved(puzzle, chapters[number], backend, timeout)
            code = max(code, exit_code(run))
    examples: dict[str, Example] = {}
    if on_paper.title:
        by_type = {chapter.type_name: puzzle for chapter, puzzle in zip(chapters, puzzles)}
        for type_name, puzzle in by_type.items():
            example = _example(puzzle, puzzles)
            if example is not None:
                examples[type_name] = example
    end_command_after(None)
    if any(files.values()):
        _write(files, chapters, on_paper, examples)
    else:
        _print(chapters, no_color)
    return code


def _chapter(puzzle: Puzzle, linked: bool) -> DocumentItem:
    """Return a puzzle as a chapter without its solution.

    With `linked`, it has the links to pages that play the puzzle.
    """
    from puzzlekit.links import addresses
    from puzzlekit.render import DocumentItem

    links = addresses(puzzle.instance) if linked else {}
    generated_by = puzzle.spec.generated_by
    name = "" if generated_by else puzzle.spec.text("title")
    score = _number(generated_by.get("score", ""))
    return DocumentItem(
        puzzle.title,
        puzzle.instance.about,
        puzzle.parts(),
        links=links,
        type_name=puzzle.type.title or puzzle.type.name,
        name=name,
        level=generated_by.get("level", ""),
        score=score,
    )


def _number(text: str) -> float | None:
    with suppress(ValueError):
        return float(text)
    return None


def _example(puzzle: Puzzle, book: Sequence[Puzzle]) -> Example | None:
    """Return the smallest example that ships of a type and is not in the book, and its solution.

    Returns None if there is none.
    """
    from puzzlekit.api import solution_parts
    from puzzlekit.catalogue import example_specs

    for spec in example_specs(puzzle.type.name)[:EXAMPLES]:
        with suppress(PuzzlekitError):
            example = load_puzzle("", str(spec), Clock(EXAMPLE_SECONDS))
            same_rules = example.instance.about == puzzle.type.about
            if example.type is not puzzle.type or not same_rules or example in book:
                continue
            solutions = list(example.solve(limit=2, timeout=EXAMPLE_SECONDS))
            if len(solutions) == 1:
                return example.parts(), solution_parts(solutions[0])
    return None


def _solved(
    puzzle: Puzzle, chapter: DocumentItem, backend: str, timeout: float | None
) -> tuple[Run, DocumentItem]:
    """Solve a puzzle as `solve` does, and return the run and the chapter with its solution."""
    from puzzlekit.api import solution_parts
    from puzzlekit.cli.screen import progress

    end_command_after(timeout, anew=True)
    run = puzzle.run(Query(limit=1), backend, timeout)
    pictures: list[PicturePart] = []
    with progress(puzzle.title):
        for solution in run:
            pictures += solution_parts(solution)
    run.raise_unsupported()
    if run.interrupted:
        raise KeyboardInterrupt
    return run, replace(chapter, remark=_remark(run), solution=pictures)


def _remark(run: Run) -> str:
    """Return what is known of a solution."""
    if run.status == "complete":
        return run.outcome()
    if not run.count:
        return f"not solved: {run.reason}"
    if run.goal:
        return "a solution, not proven optimal in time"
    return "a solution; whether there are others is not known"


def _write(
    files: Files,
    chapters: Sequence[DocumentItem],
    on_paper: PaperOptions,
    examples: Mapping[str, Example],
) -> None:
    """Write the requested files, after all of them have been drawn."""
    title = chapters[0].title if len(chapters) == 1 else f"{len(chapters)} puzzles"
    contents: list[tuple[Path, str | bytes]] = []
    for option, path in files.items():
        if path is not None:
            contents.append((path, _content(option, title, chapters, on_paper, examples)))
    for path, content in contents:
        write(path, content)
    if files.get("--png") or files.get("--pdf"):
        titles = [getattr(on_paper, name) for name in IN_HTML]
        _report_fonts(chapters, [title for title in titles if title])


def _report_fonts(chapters: Sequence[DocumentItem], titles: Sequence[str]) -> None:
    """Report which characters depend on the fonts of this machine."""
    from puzzlekit.render import lacked

    characters = lacked(chapters, titles)
    if not characters:
        return
    named = " ".join(characters[:NAMED])
    if len(characters) > NAMED:
        named += " …"
    message = f"drawn with fonts of this machine, or as boxes if none has them: {named}"
    with suppress(OSError):
        print(printable(message), file=sys.stderr)


def _content(
    option: str,
    title: str,
    chapters: Sequence[DocumentItem],
    on_paper: PaperOptions,
    examples: Mapping[str, Example],
) -> str | bytes:
    """Return what is written into the file of an option."""
    from puzzlekit.render import chapter_parts, drawing

    if option == "--svg":
        return drawing(title, chapter_parts(chapters))
    if option == "--html":
        from puzzlekit.render import document

        return document(title, chapters, on_paper)
    if option == "--png":
        from puzzlekit.render import png

        return png(title, chapter_parts(chapters))
    from puzzlekit.render import pdf

    paper_document = pdf(title, chapters, on_paper, examples)
    for remark in paper_document.remarks:
        with suppress(OSError):
            print(printable(remark), file=sys.stderr)
    return paper_document.content


def _print(chapters: Sequence[DocumentItem], no_color: bool) -> None:
    from puzzlekit.cli.screen import console, show_lines
    from puzzlekit.render import numbered, solutions_title

    screen = console(no_color)
    chapters = numbered(chapters)
    for number, chapter in enumerate(chapters):
        if number > 0:
            screen.print()
        screen.print(chapter.title)
        show_lines(screen, chapter.parts)
    heading = solutions_title(chapters)
    if heading:
        screen.print(f"\n{heading}")
    for chapter in chapters:
        if chapter.remark:
            screen.print(f"\n{chapter.title} · {chapter.remark}")
            show_lines(screen, chapter.solution)
