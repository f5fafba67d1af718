"""`generate`: puzzles that a type's rules or its own generator make.

The options depend on the type, so argparse reads them, and not typer.
"""

from __future__ import annotations

import re
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping
from dataclasses import replace
from inspect import cleandoc
from pathlib import Path
from random import SystemRandom
from types import SimpleNamespace
from typing import Any, NoReturn

from puzzlekit.catalogue import find, generators, has_generator
from puzzlekit.cli.files import writable, write, write_new
from puzzlekit.cli.messages import report
from puzzlekit.cli.screen import progress
from puzzlekit.cli.wrapping import wrapped
from puzzlekit.errors import InputError, closest, with_help
from puzzlekit.lang import PuzzleType, read_type
from puzzlekit.making import (
    COMMON,
    GeneratedSpec,
    Generator,
    Parameter,
    RuleGenerator,
    Tools,
    base_puzzle,
    has_page,
    load_generator,
    load_page,
    order,
    write_rows,
)
from puzzlekit.processes import processors
from puzzlekit.renamed import OPTIONS, renaming
from puzzlekit.sentences import RowsWritten, SetIsShort


class _Parser(ArgumentParser):
    """A parser that raises InputError."""

    def print_help(self, file: object = None) -> None:
        print(self.format_help(), end="")

    def error(self, message: str) -> NoReturn:
        help = f"{self.prog} --help lists the options"
        for word in message.split():
            name = word.partition("=")[0].rstrip(":,")
            if name in OPTIONS:
                raise InputError(renaming(name, OPTIONS[name]), help=help)
            if name.startswith("--") and name not in self._option_string_actions:
                help = closest(name, self._option_string_actions) or help
        raise InputError(message, help=help)


def generate_puzzles(type_names: str, arguments: list[str]) -> int:
    """Generate puzzles and print or write them; return 0, or 1 if some are missing.

    Args:
        type_names: A type, or with commas several types, each perhaps with a size.
        arguments: The options, which depend on the type.
    """
    if type_names in ("-h", "--help"):
        _print_help()
        return 0
    sizes = _sizes(type_names)
    by_code = len(sizes) == 1 and has_generator(type_names)
    generator = load_generator(type_names)[0] if by_code else RuleGenerator
    page = by_code and has_page(type_names)
    options = parser_of(type_names, generator, page).parse_args(arguments, SimpleNamespace())
    if options.html is not None:
        if not page:
            raise InputError(f"{type_names} has no page: omit --html")
        writable("--html", options.html)
    if options.count is None:
        levels = getattr(options, "level", None) or ()
        is_numbered = getattr(options, "number", None) is not None
        options.count = 1 if is_numbered else max(len(levels), 1)
    draws_seed = options.seed is None
    if draws_seed:
        options.seed = SystemRandom().randrange(1_000_000)
    code = _generate_all(sizes, type_names, by_code, options)
    if draws_seed:
        report(f"seed {options.seed}")
    return code


def _generate_all(
    sizes: Mapping[str, str | None], type_names: str, by_code: bool, options: SimpleNamespace
) -> int:
    """Generate puzzles of all types.

    Args:
        sizes: The size of each type, as asked for with its name.
        type_names: The types as they were asked for.
        by_code: Whether a program generates them, rather than the rules.
        options: The options.
    """
    if not by_code and options.out is not None and options.out.suffix == ".jsonl":
        return _write_rows(sizes, options)
    if len(sizes) > 1 and options.out is None:
        raise InputError("several types require --out: a folder, or FILE.jsonl")
    if getattr(options, "workers", None):
        raise InputError("--workers requires --out FILE.jsonl")
    if options.out is not None:
        _make_folder(options.out, f"{Path(next(iter(sizes))).stem}.yaml")
    if by_code:
        return _generate(*load_generator(type_names), options)
    code = 0
    for name, size in sizes.items():
        type_ = read_type(find(name))
        options_of_type = _of_size(options, size)
        generator_by_rules = RuleGenerator(base_puzzle(type_, options_of_type))
        code |= _generate(generator_by_rules, type_, options_of_type)
    return code


def _print_help() -> None:
    names = " and ".join(generators())
    print("usage: puzzlekit generate TYPE [options]\n")
    text = (
        "Generate puzzles of a type whose clues act one by one, or whose section make says how. "
        f"{names} have generators of their own."
    )
    print(wrapped(text))
    print("puzzlekit generate TYPE --help lists the options of a type.")


def _make_folder(folder: Path, file: str) -> None:
    """Make a folder for puzzles. Raises InputError if a file cannot be written there."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out {folder}: expected a folder, got a file")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--out {folder}: cannot make this folder: {error.strerror}") from None
    writable("--out", folder / file)


def _sizes(type_names: str) -> dict[str, str | None]:
    """Return the size of each type. Raises InputError for a type that is named twice."""
    sizes: dict[str, str | None] = {}
    for name, size in map(_sized, type_names.split(",")):
        if name in sizes:
            raise InputError(f"{name} is named twice", help="run the command once for each size")
        sizes[name] = size
    return sizes


def _sized(text: str) -> tuple[str, str | None]:
    """Return a type and a size, of TYPE or TYPE:SIZE."""
    match = re.fullmatch(r"(.+):([0-9]+(?:[x×][0-9]+)?)", text)
    return (match[1], match[2]) if match else (text, None)


def _of_size(options: SimpleNamespace, size: str | None) -> SimpleNamespace:
    """Return the options of a type, with the size that was stated with the type, if any."""
    return SimpleNamespace(**{**vars(options), "size": size or options.size})


def _generate(generator: Generator, type_: PuzzleType, options: SimpleNamespace) -> int:
    """Generate puzzles of a type, and print or write each at once.

    Returns 0, or 1 if there is none, or if some of those that the rules make are missing.
    """
    puzzles: list[GeneratedSpec] = []
    tools = Tools(type_, options.seed, report)
    stream = generator.generate(options, tools)
    state = generator.state if isinstance(generator, RuleGenerator) else str
    while True:
        with progress(f"generating {type_.name}", state):
            puzzle = next(stream, None)
        if puzzle is None:
            break
        _print_or_write(puzzle, options.out, not puzzles)
        puzzles.append(puzzle)
    if options.html is not None and puzzles:
        loaded = [tools.puzzle(puzzle.text) for puzzle in puzzles]
        write(options.html, load_page(type_.name).page(loaded))
    is_short = isinstance(generator, RuleGenerator) and len(puzzles) < options.count
    if is_short and options.count > 1:
        report(str(SetIsShort(type_.name, len(puzzles), options.count)))
    return int(is_short or not puzzles)


def _write_rows(sizes: Mapping[str, str | None], options: SimpleNamespace) -> int:
    """Write rows of puzzles of several types into a file; return 0, or 1 if some are missing."""
    if options.number is not None:
        raise InputError("--number cannot be combined with --out FILE.jsonl")
    writable("--out", options.out)
    orders = []
    for name, size in sizes.items():
        orders.append(order(read_type(find(name)), _of_size(options, size)))
    workers = options.workers or processors()
    with progress("generating"):
        written = write_rows(options.out, orders, options.count, workers)
    notes = []
    if written.before:
        notes.append(f"{written.before:,} before")
    if written.duplicates:
        notes.append(
            f"{written.duplicates:,} thrown away, which the file has, perhaps turned or mirrored"
        )
    for name, number in written.not_found.items():
        notes.append(f"{number:,} of {name} not found")
    print(RowsWritten(str(options.out), f"{written.added:,} rows", tuple(notes)))
    missing = options.count * len(orders) - written.before - written.added
    return int(missing > 0)


def parser_of(
    type_name: str, generator: Generator | type[RuleGenerator], has_page: bool
) -> ArgumentParser:
    """Return the parser of the options of a type."""
    parser = _Parser(
        prog=f"puzzlekit generate {type_name}",
        description=_description(generator),
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    options = []
    for option in COMMON:
        if option.name == "html" and not has_page:
            option = replace(option, help="")
        options.append(replace(option, group="for every type"))
    options += generator.OPTIONS
    rivals = {option.rival for option in options}
    groups: dict[str, Any] = {}
    exclusive: dict[str, Any] = {}  # by the first of options of which only one may be given
    for option in options:
        group = groups.get(option.group)
        if group is None:
            group = parser.add_argument_group(option.group or "for this type")
            groups[option.group] = group
        first = option.rival or option.name
        if first in rivals:
            if first not in exclusive:
                exclusive[first] = group.add_mutually_exclusive_group()
            group = exclusive[first]
        _add(group, option)
    return parser


def _description(generator: Generator | type[RuleGenerator]) -> str:
    """Return the paragraphs of the docstring of a generator, as wide as the terminal."""
    paragraphs = cleandoc(generator.__doc__ or "").split("\n\n")
    return "\n\n".join(map(wrapped, paragraphs))


def _add(group: Any, option: Parameter) -> None:
    """Add an option to a group of argparse."""
    help_ = option.help.format(default=option.default) or SUPPRESS
    if option.type is bool:
        group.add_argument(f"--{option.name}", action="store_true", help=help_)
        return
    action = "store"
    default: Any = option.default
    if option.repeated:
        action = "append"
        default = []
    group.add_argument(
        f"--{option.name}",
        action=action,
        type=_reader(option.type),
        default=default,
        choices=option.choices or None,
        metavar=option.metavar,
        help=help_,
    )


def _reader(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a reader whose errors the parser reports with the option."""

    def value(text: str) -> Any:  # argparse shows its name in messages
        try:
            return read(text)
        except InputError as error:
            raise ArgumentTypeError(with_help(str(error), error.help)) from None

    return value


def _print_or_write(puzzle: GeneratedSpec, folder: Path | None, is_first: bool) -> None:
    if folder is None:
        text = puzzle.text if is_first else puzzle.separator + puzzle.text
        print(text, end="", flush=True)
    else:
        path = folder / f"{puzzle.name}.yaml"
        write_new(path, puzzle.text)
        print(path, flush=True)
