"""`puzzlekit draw`: puzzles on the terminal and in files, perhaps with their solutions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from puzzlekit.cli.files import writable, write
from puzzlekit.cli.messages import report
from puzzlekit.cli.options import NoColor, Specs, clock_for, load_puzzle, named_puzzles
from puzzlekit.errors import InputError, option
from puzzlekit.options import LoadOptions, Option, PaperOptions, Timeout
from puzzlekit.processes import end_command_after
from puzzlekit.query import Query

if TYPE_CHECKING:
    from puzzlekit.api import Picture, Puzzle

PLAIN = PaperOptions()
IN_HTML = ("title", "subtitle", "author")  # the options of a document that an HTML page has, too
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
        bool, Option("with --html: a page to play the puzzles on, without a network")
    ] = False,
    hints: Annotated[
        bool, Option("with --play: the page has the steps to the solution as hints")
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
    if hints and not play:
        raise InputError("--hints requires --play")
    pictures = {"--svg": svg, "--png": png, "--html": html, "--pdf": pdf}
    check_paper(on_paper, pdf, html)
    check_files(pictures)
    clock = clock_for(timeout)
    names = named_puzzles(files)
    puzzles = [load_puzzle(*arguments, clock, loading) for arguments in names]
    if play:
        assert html is not None
        specs = [spec or type_or_spec for type_or_spec, spec in names]
        named = dict(zip(specs, puzzles))
        page = _play(named, on_paper, backend or "auto", timeout, hints)
        write(html, page)
        return 0
    solver = (backend or "auto") if solutions else None
    return draw_puzzles(puzzles, pictures, solver, timeout, no_color, on_paper)


def check_paper(on_paper: PaperOptions, pdf: Path | None, html: Path | None) -> None:
    """Raise InputError unless a document can be made with these options."""
    from puzzlekit.api import check_titles, for_paper_only

    only_paper = for_paper_only(on_paper)
    if only_paper and not pdf:
        raise InputError(f"{option(only_paper[0])} requires --pdf")
    has_document = pdf is not None or html is not None
    for name in IN_HTML:
        if getattr(on_paper, name) is not None and not has_document:
            raise InputError(f"{option(name)} requires --pdf or --html")
    check_titles(on_paper)
    if pdf is None:
        return
    from puzzlekit.render import paper_size, require_segno

    paper_size(on_paper.paper)
    if on_paper.qr:
        require_segno()


def _play(
    puzzles: Mapping[str, Puzzle],
    on_paper: PaperOptions,
    backend: str,
    timeout: float | None,
    hints: bool,
) -> str:
    """Return a page to play puzzles on, which are given by the names of their specs."""
    from puzzlekit.cli.screen import progress
    from puzzlekit.play import BookTitle, book_page, book_puzzle, play_page
    from puzzlekit.sentences import counted

    is_book = len(puzzles) > 1 or any(getattr(on_paper, name) for name in IN_HTML)
    played = []
    for name, puzzle in puzzles.items():
        end_command_after(timeout, anew=True)
        with progress(puzzle.title):
            if not is_book:
                return play_page(puzzle, backend, timeout, hints)
            played.append(book_puzzle(puzzle, name, backend, timeout, hints))
    end_command_after(None)
    title = on_paper.title or counted(len(played), "puzzle")
    return book_page(played, BookTitle(title, on_paper.subtitle or "", on_paper.author or ""))


def check_files(files: Files) -> None:
    """Raise InputError if the files of a command cannot be written.

    One cannot be written, two are the same, or a library for one is not installed.
    """
    options: dict[Path, str] = {}
    for name, path in files.items():
        if path is None:
            continue
        if name in ("--png", "--pdf"):
            from puzzlekit.render import require_typst

            require_typst(name)
        writable(name, path)
        first = options.setdefault(path.resolve(), name)
        if first != name and (path.is_file() or not path.exists()):
            raise InputError(f"{first} and {name} name the same file: {path}")


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
    from puzzlekit.api import chapter_of, chapters_picture, with_solution
    from puzzlekit.cli.run_report import exit_code
    from puzzlekit.cli.screen import progress

    chapters = list(map(chapter_of, puzzles))
    code = 0
    if backend is not None:
        for number, puzzle in enumerate(puzzles):
            end_command_after(timeout, anew=True)
            run = puzzle.run(Query(limit=1), backend, timeout)
            with progress(puzzle.title):
                chapters[number] = with_solution(chapters[number], run)
            code = max(code, exit_code(run))
    end_command_after(None)
    picture = chapters_picture(chapters, puzzles)
    if any(files.values()):
        _write(files, picture, on_paper)
    else:
        _print(picture, no_color)
    return code


def _write(files: Files, picture: Picture, on_paper: PaperOptions) -> None:
    """Write the requested files, after all of them have been drawn."""
    contents: list[tuple[Path, str | bytes]] = []
    for name, path in files.items():
        if path is not None:
            contents.append((path, _content(name, picture, on_paper)))
    for path, content in contents:
        write(path, content)
    if files.get("--png") or files.get("--pdf"):
        _report_fonts(picture.lacking(on_paper))


def _report_fonts(characters: str) -> None:
    """Report which characters depend on the fonts of this machine."""
    if not characters:
        return
    named = " ".join(characters[:NAMED])
    if len(characters) > NAMED:
        named += " …"
    report(f"drawn with fonts of this machine, or as boxes if none has them: {named}")


def _content(name: str, picture: Picture, on_paper: PaperOptions) -> str | bytes:
    """Return what is written into the file of an option."""
    match name:
        case "--svg":
            return picture.svg
        case "--png":
            return picture.png()
        case "--html":
            return picture.html(on_paper)
        case _:
            return picture.pdf(on_paper, report)


def _print(picture: Picture, no_color: bool) -> None:
    from puzzlekit.cli.screen import coloured, console, show_all

    screen = console(no_color)
    show_all(screen, picture.lines(screen.width, coloured(screen)))
