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
    given: Annotated[
        list[str],
        typer.Argument(
            metavar="[TYPE] LINK|FILE…",
            help="links, and files with one on each line (- is standard input); before them the type, which some notations"
            " do not name",
        ),
    ],
    out: Annotated[Path | None, Option("write a file for each puzzle", "DIR")] = None,
    ignore_symbols: IgnoreSymbols = False,
) -> int:
    """Print the specs of puzzles that links or notations of other programs state."""
    from puzzlekit import links

    kind = _type_of(given[0]) if len(given) > 1 else None
    given = given if kind is None else given[1:]
    if out is not None:
        if out.exists() and not out.is_dir():
            raise InputError(f"--out {out}: expected a folder, got a file")
        out.mkdir(parents=True, exist_ok=True)
        writable("--out", out / "1.yaml")
    texts = [pair for one in given for pair in _texts(one)]
    number = 0
    code = 0
    for where, text in texts:
        try:
            if isinstance(text, str):
                found = links.read(text, kind, ignore_symbols)
            else:
                found = links.read_binary(_ending(where), text, kind)
        except InputError as error:
            code = 2
            report(f"{where}: {error}" if where else str(error), error.help)
            continue
        for imported in found:
            number += 1
            if imported.unread:
                report(f"{where}{': ' if where else ''}ignored: {imported.named_unread}")
            _give(imported, number, out)
    return code


def _type_of(given: str) -> PuzzleType | None:
    """Return the type that an argument names; None if it is a link or a file of links."""
    from puzzlekit import links
    from puzzlekit.catalogue import find, is_known, read_header
    from puzzlekit.lang import read_type

    if links.is_written(given) or _ending(given) in links.BINARY:
        return None
    if not (read_header(Path(given)).is_type if Path(given).is_file() else is_known(given)):
        return None
    return read_type(find(given))


def _ending(given: str) -> str:
    return Path(given).suffix.lower().removeprefix(".")


def _texts(given: str) -> Iterator[tuple[str, str | bytes]]:
    """Yield what an argument states: a link, a whole file, or a link on each line; with where it
    stands.
    """
    from puzzlekit import links
    from puzzlekit.lang import STDIN, read_stdin, read_text
    from puzzlekit.reading import FILE_BYTES, read_bytes

    if links.is_written(given):
        yield "", given
        return
    if "://" in given:
        links.read(given)  # no notation does
    if _ending(given) in links.BINARY:
        yield given, read_bytes(Path(given), FILE_BYTES)
        return
    text = read_stdin() if given == "-" else read_text(Path(given))
    if links.is_written(text):  # JSON, a file of a site, or a board of several lines
        yield given, text.strip()
        return
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield f"{STDIN if given == '-' else given}:{number}", line.strip()


def _give(imported: ParsedPuzzle, number: int, folder: Path | None) -> None:
    if folder is None:
        print(f"{'---' + chr(10) if number > 1 else ''}{imported.text}", end="", flush=True)
        return
    path = folder / f"{imported.type}_{number}.yaml"
    if path.exists():
        raise InputError(f"--out {folder}: {path} is there already; no file is replaced")
    write(path, imported.text)
    print(path, flush=True)
