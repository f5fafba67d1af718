"""`puzzlekit import`: specs from links and notations of other programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlekit.cli.files import writable, write
from puzzlekit.cli.program import report
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
    texts = [pair for argument in arguments for pair in _texts(argument)]
    number = 0
    code = 0
    for where, text in texts:
        prefix = f"{where}: " if where else ""
        try:
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
    from puzzlekit.catalogue import find, is_type
    from puzzlekit.lang import read_type

    if links.is_written(argument) or _ending(argument) in links.BINARY:
        return None
    return read_type(find(argument)) if is_type(argument) else None


def _ending(argument: str) -> str:
    return Path(argument).suffix.lower().removeprefix(".")


def _texts(argument: str) -> Iterator[tuple[str, str | bytes]]:
    """Yield the texts that an argument states, each with its position.

    They are a link, a complete file, or a link on each line of a file.
    """
    from puzzlekit import links
    from puzzlekit.lang import STDIN, read_stdin, read_text
    from puzzlekit.reading import FILE_BYTES, read_bytes

    if links.is_written(argument):
        yield "", argument
        return
    if "://" in argument:
        links.read(argument)  # raises that this is a link of no known notation
    if _ending(argument) in links.BINARY:
        yield argument, read_bytes(Path(argument), FILE_BYTES)
        return
    text = read_stdin() if argument == "-" else read_text(Path(argument))
    if links.is_written(text):  # JSON, a file of a site, or a board of several lines
        yield argument, text.strip()
        return
    file = STDIN if argument == "-" else argument
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
