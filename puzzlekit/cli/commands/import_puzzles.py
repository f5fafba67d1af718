"""`puzzlekit import`: specs from links and notations of other programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlekit.cli.files import writable, write
from puzzlekit.cli.messages import report
from puzzlekit.errors import InputError
from puzzlekit.options import IgnoreSymbols, Option

if TYPE_CHECKING:
    from puzzlekit.lang import PuzzleType
    from puzzlekit.links import ParsedPuzzle


def import_puzzles(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="[TYPE] LINK|FILE…",
            help="links, and files with one on each line (- is standard input);"
            " before them the type, which some notations do not name",
        ),
    ],
    out: Annotated[Path | None, Option("write a file for each puzzle", "DIR")] = None,
    ignore_symbols: IgnoreSymbols = False,
) -> int:
    """Print the specs of puzzles that links or notations of other programs state."""
    from puzzlekit import links

    type_ = _type_of(arguments[0]) if len(arguments) > 1 else None
    if type_ is not None:
        arguments = arguments[1:]
    if out is not None:
        if out.exists() and not out.is_dir():
            raise InputError(f"--out {out}: expected a folder, got a file")
        out.mkdir(parents=True, exist_ok=True)
        writable("--out", out / "1.yaml")
    number = 0
    code = 0
    for where, text in [pair for argument in arguments for pair in _texts(argument)]:
        prefix = f"{where}: " if where else ""
        try:
            if isinstance(text, InputError):
                raise text
            if isinstance(text, str):
                puzzles = links.read(text, type_, ignore_symbols)
            else:
                puzzles = links.read_binary(_ending(where), text, type_)
        except InputError as error:
            code = 2
            report(f"{prefix}{error}", error.help)
            continue
        for puzzle in puzzles:
            number += 1
            if puzzle.unread:
                report(f"{prefix}ignored: {puzzle.named_unread}")
            _print_or_write(puzzle, number, out)
    return code


def _type_of(argument: str) -> PuzzleType | None:
    """Return the type that an argument names; None if it is a link or a file of links."""
    from puzzlekit import links
    from puzzlekit.catalogue import YAML, find, is_type
    from puzzlekit.lang import read_type

    path = Path(argument)
    if path.suffix.lower() not in YAML and path.is_file():
        return None
    if links.is_written(argument) or _ending(argument) in links.BINARY:
        return None
    return read_type(find(argument)) if is_type(argument) else None


def _ending(argument: str) -> str:
    return Path(argument).suffix.lower().removeprefix(".")


def _texts(argument: str) -> Iterator[tuple[str, str | bytes | InputError]]:
    """Yield the texts that an argument states, each with its position; for a file that cannot be
    read, the error.

    They are a link, a complete file, or a link on each line of a file.
    """
    try:
        yield from _texts_in(argument)
    except InputError as error:
        yield "", error


def _texts_in(argument: str) -> Iterator[tuple[str, str | bytes]]:
    """Yield the texts that an argument states. Raises InputError for a file that cannot be read."""
    from puzzlekit import links
    from puzzlekit.lang import STDIN, read_stdin, read_text
    from puzzlekit.reading import FILE_BYTES, read_bytes

    is_link = "://" in argument or links.is_written(argument)
    if is_link or (links.is_named(argument) and not Path(argument).exists()):
        yield "", argument  # perhaps of no known notation, which reading it says
        return
    if _ending(argument) in links.BINARY:
        yield argument, read_bytes(Path(argument), FILE_BYTES)
        return
    text = read_stdin() if argument == "-" else read_text(Path(argument))
    if links.is_written(text):  # JSON, a file of a site, or a board of several lines
        yield argument, text.strip()
        return
    file = STDIN if argument == "-" else argument
    if not links.has_puzzles(text):
        yield file, text
        return
    for number, line in enumerate(text.splitlines(), 1):
        link = line.strip()
        if link and not link.startswith("#"):
            yield f"{file}:{number}", link


def _print_or_write(puzzle: ParsedPuzzle, number: int, folder: Path | None) -> None:
    if folder is None:
        separator = "---\n" if number > 1 else ""
        print(f"{separator}{puzzle.text}", end="", flush=True)
        return
    path = folder / f"{puzzle.type}_{number}.yaml"
    if path.exists():
        raise InputError(f"--out {folder}: {path} is there already; no file is replaced")
    write(path, puzzle.text)
    print(path, flush=True)
