"""Puzzles that the code beside a type makes: its options, and what it prints and writes."""

from __future__ import annotations

import sys
from argparse import SUPPRESS, ArgumentParser, RawDescriptionHelpFormatter
from contextlib import suppress
from pathlib import Path
from random import SystemRandom
from typing import Any, NoReturn

from puzzlekit.api.generate import Made, Tools, load_generator, positive, whole
from puzzlekit.catalogue import generators
from puzzlekit.cli.files import writable, write
from puzzlekit.cli.screen import progress
from puzzlekit.errors import InputError


class _Parser(ArgumentParser):
    """A parser that raises InputError."""

    def print_help(self, file: object = None) -> None:
        print(self.format_help(), end="")

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message}\n     = {self.prog} --help lists the options")


def generate_puzzles(kind: str, arguments: list[str]) -> int:
    """Generate puzzles and print or write them; returns 0, or 1 if there is none."""
    if kind in ("-h", "--help"):
        print(f"usage: puzzlekit generate TYPE [options]\n\nGenerate puzzles of a type: {' or '.join(generators())}.")
        print("puzzlekit generate TYPE --help lists the options of a type.")
        return 0
    found, type_ = load_generator(kind)
    generator: Any = found
    parser = _Parser(
        prog=f"puzzlekit generate {kind}",
        description=generator.__doc__,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    common = parser.add_argument_group("for every type")
    common.add_argument("--seed", type=whole, metavar="N", help="generate the same puzzles again, on any machine")
    common.add_argument("--count", type=positive, default=1, metavar="N", help="the number of puzzles; 1 by default")
    common.add_argument("--out", type=Path, metavar="DIR", help="write a file for each puzzle instead of printing them")
    page = "write one HTML page to play them on" if hasattr(generator, "page") else SUPPRESS
    common.add_argument("--html", type=Path, metavar="FILE", help=page)
    generator.options(parser)
    options = parser.parse_args(arguments)
    if options.html is not None:
        if not hasattr(generator, "page"):
            raise InputError(f"{kind} has no page: omit --html")
        writable("--html", options.html)
    if options.out is not None:
        if options.out.exists() and not options.out.is_dir():
            raise InputError(f"--out {options.out}: expected a folder, got a file")
        options.out.mkdir(parents=True, exist_ok=True)
        writable("--out", options.out / f"{kind}.yaml")
    if options.seed is None:
        options.seed = SystemRandom().randrange(1_000_000)
        _report(f"seed {options.seed}")
    made: list[Made] = []
    stream = generator.generate(options, Tools(type_, options.seed, _report))
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


def _report(message: str) -> None:
    with suppress(OSError):
        print(message, file=sys.stderr, flush=True)
