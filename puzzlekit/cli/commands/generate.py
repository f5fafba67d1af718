"""`puzzlekit generate`: makes puzzles of a type, and writes whole files or none."""

from __future__ import annotations

import sys
from argparse import SUPPRESS, ArgumentParser, RawDescriptionHelpFormatter
from contextlib import suppress
from pathlib import Path
from random import SystemRandom
from typing import Any, NoReturn

from puzzlekit.api.generate import Made, Tools, load_generator, positive, whole
from puzzlekit.cli.screen import progress
from puzzlekit.cli.whole_files import writable, write
from puzzlekit.errors import InputError


class _Parser(ArgumentParser):
    """A parser whose complaints are errors of the input like all others."""

    def print_help(self, file: object = None) -> None:
        print(self.format_help(), end="")

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message}\n     = {self.prog} --help lists the options")


def generate(kind: str, arguments: list[str]) -> int:
    """Make puzzles and print or write them; returns the exit code: 0 if all were made, 1 if there can be none."""
    found, type_ = load_generator(kind)
    generator: Any = found
    parser = _Parser(
        prog=f"puzzlekit generate {kind}",
        description=generator.__doc__,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    common = parser.add_argument_group("for every type")
    common.add_argument("--seed", type=whole, metavar="N", help="the same puzzles again, on any machine")
    common.add_argument("--count", type=positive, default=1, metavar="N", help="so many puzzles")
    common.add_argument("--out", type=Path, metavar="DIR", help="a file for each puzzle; else they are printed")
    page = "one page that plays them in a browser" if hasattr(generator, "page") else SUPPRESS
    common.add_argument("--html", type=Path, metavar="FILE", help=page)
    generator.options(parser)
    options = parser.parse_args(arguments)
    if options.html is not None:
        if not hasattr(generator, "page"):
            raise InputError(f"no page comes with {kind}: leave out --html")
        writable("--html", options.html)
    if options.out is not None:
        if options.out.exists() and not options.out.is_dir():
            raise InputError(f"--out {options.out}: this is a file, and no folder")
        options.out.mkdir(parents=True, exist_ok=True)
        writable("--out", options.out / f"{kind}.yaml")
    if options.seed is None:
        options.seed = SystemRandom().randrange(1_000_000)
        _tell(f"seed {options.seed}")
    made: list[Made] = []
    stream = generator.generate(options, Tools(type_, options.seed, _tell))
    while True:
        with progress("generating"):
            puzzle = next(stream, None)
        if puzzle is None:
            break
        _give(puzzle, options.out, not made)
        made.append(puzzle)
    if options.html is not None and made:
        write(options.html, generator.page(made))
    return 0 if made else 1


def _give(puzzle: Made, folder: Path | None, first: bool) -> None:
    if folder is not None:
        path = folder / f"{puzzle.name}.yaml"
        write(path, puzzle.text)
        print(path, flush=True)
    else:
        print(puzzle.text if first else puzzle.separator + puzzle.text, end="", flush=True)


def _tell(message: str) -> None:
    with suppress(OSError):
        print(message, file=sys.stderr, flush=True)
