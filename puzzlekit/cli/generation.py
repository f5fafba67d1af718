"""`generate`: puzzles that rules make, or the generator of a type; the options, and what is printed
and written.
"""

from __future__ import annotations

import re
import sys
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import SystemRandom
from types import SimpleNamespace
from typing import Any, NoReturn

from puzzlekit.catalogue import find, generators, has_generator
from puzzlekit.cli.files import writable, write
from puzzlekit.cli.options import settings
from puzzlekit.cli.screen import progress
from puzzlekit.cli.templates import example_text, spec_text, unchecked_text
from puzzlekit.errors import InputError, with_help
from puzzlekit.lang import PuzzleType, read_spec, read_text, read_type
from puzzlekit.lang.data.collections import GridOf
from puzzlekit.lang.making_section import making_of
from puzzlekit.making.by_rules import ByRules, command_of
from puzzlekit.making.fields import Base, base_of
from puzzlekit.making.generators import (
    COMMON,
    Generator,
    Made,
    Parameter,
    Tools,
    has_page,
    load_generator,
    load_page,
)
from puzzlekit.making.rows import Order, write_rows
from puzzlekit.processes.system import processors
from puzzlekit.renamed import OPTIONS, renaming
from puzzlekit.sentences.reports import RowsWritten


class _Parser(ArgumentParser):
    """A parser that raises InputError."""

    def print_help(self, file: object = None) -> None:
        print(self.format_help(), end="")

    def error(self, message: str) -> NoReturn:
        names = (word.partition("=")[0] for word in message.split())
        if old := next((name for name in names if name in OPTIONS), None):
            message = renaming(old, OPTIONS[old])
        raise InputError(message, help=f"{self.prog} --help lists the options")


def generate_puzzles(type_names: str, arguments: list[str]) -> int:
    """Generate puzzles and print or write them; returns 0, or 1 if there is none."""
    if type_names in ("-h", "--help"):
        print(
            "usage: puzzlekit generate TYPE [options]\n\nGenerate puzzles of a type whose clues act one by one, or ",
            end="",
        )
        print(
            f"that says under make: how; {' and '.join(generators())} have generators of their own."
        )
        print("puzzlekit generate TYPE --help lists the options of a type.")
        return 0
    kinds = dict(map(_sized, type_names.split(",")))
    by_code = len(kinds) == 1 and has_generator(type_names)
    generator = load_generator(type_names)[0] if by_code else ByRules
    page = by_code and has_page(type_names)
    options = parser_of(type_names, generator, page).parse_args(arguments, SimpleNamespace())
    if options.html is not None:
        if not page:
            raise InputError(f"{type_names} has no page: omit --html")
        writable("--html", options.html)
    if options.seed is None:
        options.seed = SystemRandom().randrange(1_000_000)
        _report(f"seed {options.seed}")
    if not by_code and options.out is not None and options.out.suffix == ".jsonl":
        return _rows(kinds, options)
    if len(kinds) > 1 and options.out is None:
        raise InputError("several types require --out: a folder, or FILE.jsonl")
    if getattr(options, "workers", None):
        raise InputError("--workers requires --out FILE.jsonl")
    if options.out is not None:
        if options.out.exists() and not options.out.is_dir():
            raise InputError(f"--out {options.out}: expected a folder, got a file")
        options.out.mkdir(parents=True, exist_ok=True)
        writable("--out", options.out / f"{next(iter(kinds))}.yaml")
    if by_code:
        return _made(*load_generator(type_names), options)
    code = 0
    for name, size in kinds.items():
        type_, own = read_type(find(name)), _of_size(options, size)
        code |= _made(ByRules(base_puzzle(type_, own)), type_, own)
    return code


def _sized(text: str) -> tuple[str, str | None]:
    """Return a type and a size, of TYPE or TYPE:SIZE."""
    found = re.fullmatch(r"(.+):([0-9]+(?:[x×][0-9]+)?)", text)
    return (found[1], found[2]) if found else (text, None)


def _of_size(options: SimpleNamespace, size: str | None) -> SimpleNamespace:
    """Return the options of a type that has a size of its own."""
    return SimpleNamespace(**{**vars(options), "size": size or options.size})


def _made(generator: Generator, type_: PuzzleType, options: SimpleNamespace) -> int:
    """Make puzzles of a type, and print or write each at once; returns 0, or 1 if there is none."""
    made: list[Made] = []
    tools = Tools(type_, options.seed, _report)
    stream = generator.generate(options, tools)
    while True:
        with progress(f"generating {type_.name}"):
            puzzle = next(stream, None)
        if puzzle is None:
            break
        _give(puzzle, options.out, not made)
        made.append(puzzle)
    if options.html is not None and made:
        page = load_page(type_.name)
        write(options.html, page.page([tools.puzzle(puzzle.text) for puzzle in made]))
    return 0 if made else 1


def _rows(kinds: Mapping[str, str | None], options: SimpleNamespace) -> int:
    """Write rows of puzzles of several types into a file; returns 0, or 1 if some are lacking."""
    writable("--out", options.out)
    told = {name: getattr(options, name) for name in ("like", "symmetry", "density", "minimal")}
    told |= {
        "set": tuple(options.set),
        "level": ",".join(one.name for one in options.level) if options.level else None,
    }
    orders = []
    for name, size in kinds.items():
        own, type_ = _of_size(options, size), read_type(find(name))
        base = base_puzzle(type_, own).spec.source.text
        source = command_of(type_, own, options.seed)
        told["size"] = own.size
        orders.append(
            Order(
                str(Path(type_.source.path).resolve()),
                base,
                tuple(told.items()),
                options.seed,
                source,
            )
        )
    with progress("generating"):
        written = write_rows(options.out, orders, options.count, options.workers or processors())
    lacking = options.count * len(orders) - written.before - written.added
    parts = [f"{written.before:,} before"] * bool(written.before)
    parts += [
        f"{written.twice:,} thrown away, which the file has, perhaps turned or mirrored"
    ] * bool(written.twice)
    parts += [f"{written.none:,} not found"] * bool(written.none)
    rows = f"{written.added:,} rows"
    print(RowsWritten(str(options.out), rows, tuple(parts)))
    return int(lacking > 0)


def base_puzzle(type_: PuzzleType, options: SimpleNamespace) -> Base:
    """What all puzzles have in common: of --like, or with empty boards of --size, with the fields
    of --set.

    Boards that hold no clues, as of regions, are those of the smallest spec that ships.
    """
    making = making_of(type_)
    if options.like:
        text = read_text(options.like)
    elif making.layout or making.design:
        text = unchecked_text(type_, options.size or making.size or "8x8")
    else:
        size = options.size or making.size or None
        full = any(
            isinstance(entry.type, GridOf) and not entry.type.empty for entry in type_.required()
        )
        text = (full and example_text(type_, size)) or spec_text(type_, size)
    spec = read_spec(str(options.like or "<made>"), text)
    given = settings(options.set)
    parts = [
        text[key.start_mark.index : node.end_mark.index]
        for name, (key, node) in spec.nodes.items()
        if name not in given
    ]
    parts += [f"{name}: {value}" for name, value in given.items()]
    return base_of(
        type_, "\n".join(["title: base", *map(str.rstrip, parts)]) + "\n", bool(options.like)
    )


def parser_of(type_name: str, generator: Generator | type[ByRules], has_page: bool) -> ArgumentParser:
    """The parser of the options of a type."""
    parser = _Parser(
        prog=f"puzzlekit generate {type_name}",
        description=generator.__doc__,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    common = (
        option if has_page or option.name != "html" else replace(option, help="")
        for option in COMMON
    )
    options = [*(replace(option, group="for every type") for option in common), *generator.OPTIONS]
    rivals = {option.rival for option in options}
    groups: dict[str, Any] = {}
    for option in options:
        group = groups[option.group] = groups.get(option.group) or parser.add_argument_group(
            option.group
        )
        first = option.rival or option.name
        if first in rivals:
            group = groups[f"--{first}"] = (
                groups.get(f"--{first}") or group.add_mutually_exclusive_group()
            )
        _add(group, option)
    return parser


def _add(group: Any, option: Parameter) -> None:
    help_ = option.help.format(default=option.default) or SUPPRESS
    if option.type is bool:
        group.add_argument(f"--{option.name}", action="store_true", help=help_)
        return
    group.add_argument(
        f"--{option.name}",
        action="append" if option.repeated else "store",
        type=_reader(option.type),
        default=[] if option.repeated else option.default,
        choices=option.choices or None,
        metavar=option.metavar,
        help=help_,
    )


def _reader(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """A reader whose errors the parser reports with the option."""

    def value(text: str) -> Any:
        try:
            return read(text)
        except InputError as error:
            raise ArgumentTypeError(with_help(str(error), error.help)) from None

    return value


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
