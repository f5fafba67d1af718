"""What a generator of puzzles gets and gives. A generator is a file of Python beside a type that ships."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Protocol, cast

from puzzlekit.api.puzzle import Puzzle
from puzzlekit.api.solution import Solution
from puzzlekit.catalogue import generator
from puzzlekit.lang import PuzzleType, bind, read_spec, read_type


@dataclass(frozen=True)
class Made:
    """A puzzle that was made: the name of its file, its spec, what its page needs, and what parts it from the one before."""

    name: str
    text: str
    page: Any = None
    separator: str = "---\n"


class Generator(Protocol):
    """What the file of a generator defines. One that can write a page has `page(made) -> str`, too."""

    def options(self, parser: ArgumentParser) -> None:
        """Add the options of this type."""

    def generate(self, options: Namespace, tools: Tools) -> Iterator[Made]:
        """Make `options.count` puzzles."""


@dataclass(frozen=True)
class Tools:
    """What a generator works with: its type, and `tell`, which says something to the person who waits."""

    kind: PuzzleType
    seed: int
    tell: Callable[[str], None]

    def random(self, number: int) -> Random:
        """The source of all chance for one puzzle: the same for the same seed and number, anywhere."""
        return Random(f"{self.seed} {number}")

    def puzzle(self, text: str) -> Puzzle:
        """The puzzle that the text of a spec states. Raises Problems."""
        spec = read_spec("<made>", text)
        return Puzzle(self.kind, spec, bind(self.kind, spec), 0.0)

    def solutions(self, text: str, limit: int = 2) -> Sequence[Solution]:
        """The solutions of a spec, so many at most, found by solving it."""
        return list(self.puzzle(text).solve(limit=limit))


def whole(text: str) -> int:
    """A whole number, for a generator's options."""
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text, re.ASCII):
        raise ArgumentTypeError(f"{text} is not a whole number")
    return int(text)


def positive(text: str) -> int:
    """A number from 1, for a generator's options."""
    if not text.isdecimal() or not 0 < int(text) <= 1_000_000:
        raise ArgumentTypeError(f"{text} is not a number from 1 to 1,000,000")
    return int(text)


def load_generator(name: str) -> tuple[Generator, PuzzleType]:
    """The generator that comes with a type, and the type. Raises InputError where there is none."""
    module, kind = load_beside(generator(name), name)
    return cast(Generator, module), kind


def load_beside(path: Path, name: str) -> tuple[ModuleType, PuzzleType]:
    """The file of Python that stands beside the type of this name, and the type."""
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None, "a file of Python can be loaded"
    module = sys.modules[path.stem] = module_from_spec(spec)  # where its classes look for their own module
    spec.loader.exec_module(module)
    return module, read_type(path.with_name(f"{name}.yaml"))
