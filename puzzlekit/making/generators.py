"""The interface of generators and their pages, which distributions offer by entry points."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Protocol, cast

from puzzlekit import plugins
from puzzlekit.api import Puzzle, Solution, load_module, type_of
from puzzlekit.catalogue import generator
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError
from puzzlekit.lang import PuzzleType, bind, read_spec


@dataclass(frozen=True)
class GeneratedSpec:
    """A generated puzzle: file name, spec, and separator before it."""

    name: str
    text: str
    separator: str = "---\n"


@dataclass(frozen=True)
class Parameter:
    """An option of a generator, from which a command makes its parser and its help.

    Attributes:
        name: Its name, without the dashes.
        help: What it does; `{default}` stands for the default. Help does not list an option
            without.
        type: Reads a text. Raises InputError for one that is no value. A switch has `bool`.
        default: The text of its value where it is not given; None for no value.
        metavar: What stands for its value in help.
        choices: The values that it takes; empty for any.
        group: The heading under which help lists it.
        rival: An option before it that cannot be given with it.
        repeated: Whether it can be given several times, and its value is a list.
    """

    name: str
    help: str = ""
    type: Callable[[str], Any] = str
    default: str | None = None
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    group: str = ""
    rival: str = ""
    repeated: bool = False


class Generator(Protocol):
    """The interface of a generator module."""

    OPTIONS: tuple[Parameter, ...]
    """The options of this type, beside those in `COMMON`."""

    def generate(self, options: SimpleNamespace, tools: Tools) -> Iterator[GeneratedSpec]:
        """Generate `options.count` puzzles.

        An option's attribute has the name of the option, with `_` for `-`.
        """


class Page(Protocol):
    """The interface of a page module."""

    def page(self, puzzles: Sequence[Puzzle]) -> str:
        """An HTML page to play puzzles on, whose specs say what to expect."""


@dataclass(frozen=True)
class Tools:
    """The tools of a generator: its type, the seed, and `report`, which prints a message."""

    type_: PuzzleType
    seed: int
    report: Callable[[str], None]

    def random(self, number: int) -> Random:
        """The random generator of one puzzle, determined by the seed and the number."""
        return Random(f"{self.seed} {number}")

    def puzzle(self, text: str) -> Puzzle:
        """The puzzle of a spec given as text. Raises Problems."""
        spec = read_spec("<made>", text)
        return Puzzle(self.type_, spec, bind(self.type_, spec), 0.0)

    def solutions(self, text: str, limit: int = 2) -> Sequence[Solution]:
        """Up to `limit` solutions of a spec, without what follows from them."""
        without_sections = replace(self, type_=replace(self.type_, sections={}))
        return list(without_sections.puzzle(text).solve(limit=limit))


def whole_number(text: str) -> int:
    """Parse a whole number. Raises InputError."""
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text, re.ASCII):
        raise InputError(f"expected a whole number, got {text}")
    return int(text)


def positive(text: str) -> int:
    """Parse a number from 1. Raises InputError."""
    if not text.isdecimal() or not 0 < int(text) <= 1_000_000:
        raise InputError(f"expected a number from 1 to 1,000,000, got {text}")
    return int(text)


COMMON = (
    Parameter("seed", "generate the same puzzles again, on any machine", whole_number, metavar="N"),
    Parameter(
        "count",
        "the number of puzzles; by default one, or as many as --level asks for",
        positive,
        metavar="N",
    ),
    Parameter("out", "write a file for each puzzle instead of printing them", Path, metavar="DIR"),
    Parameter("html", "write one HTML page to play them on", Path, metavar="FILE"),
)


def load_generator(name: str) -> tuple[Generator, PuzzleType]:
    """The generator of a type, and the type. Raises InputError if there is none."""
    point = generator(name)
    return cast(Generator, load_module(point)), type_of(point)


def has_page(name: str) -> bool:
    """Whether a type that has a generator also has a page. Raises InputError."""
    return plugins.find(plugins.PAGES, generator(name).name) is not None


def load_page(name: str) -> Page:
    """The page of a type that has a generator. Raises InputError if it has none."""
    point = plugins.find(plugins.PAGES, generator(name).name)
    if point is None:
        raise InputError(f"{name} has no page: omit --html")
    return cast(Page, load_module(point))
