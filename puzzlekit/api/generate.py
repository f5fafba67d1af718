"""The interface of generators. A generator is a Python file beside a shipped type."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
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
    """A generated puzzle: file name, spec, data of its page, and separator before it."""

    name: str
    text: str
    page: Any = None
    separator: str = "---\n"


class Generator(Protocol):
    """The interface of a generator module. To write a page it also defines `page(made) -> str`."""

    def options(self, parser: ArgumentParser) -> None:
        """Add the options of this type."""

    def generate(self, options: Namespace, tools: Tools) -> Iterator[Made]:
        """Generate `options.count` puzzles."""


@dataclass(frozen=True)
class Tools:
    """The tools of a generator: its type, the seed, and `report`, which prints a message."""

    kind: PuzzleType
    seed: int
    report: Callable[[str], None]

    def random(self, number: int) -> Random:
        """The random generator of one puzzle, determined by the seed and the number."""
        return Random(f"{self.seed} {number}")

    def puzzle(self, text: str) -> Puzzle:
        """The puzzle of a spec given as text. Raises Problems."""
        spec = read_spec("<made>", text)
        return Puzzle(self.kind, spec, bind(self.kind, spec), 0.0)

    def solutions(self, text: str, limit: int = 2) -> Sequence[Solution]:
        """Up to `limit` solutions of a spec, without what the type solves next (`then`)."""
        alone = replace(self, kind=replace(self.kind, then=[]))
        return list(alone.puzzle(text).solve(limit=limit))


def whole(text: str) -> int:
    """Parse a whole number, for the options of a generator."""
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text, re.ASCII):
        raise ArgumentTypeError(f"expected a whole number, got {text}")
    return int(text)


def positive(text: str) -> int:
    """Parse a number from 1, for the options of a generator."""
    if not text.isdecimal() or not 0 < int(text) <= 1_000_000:
        raise ArgumentTypeError(f"expected a number from 1 to 1,000,000, got {text}")
    return int(text)


def load_generator(name: str) -> tuple[Generator, PuzzleType]:
    """The generator of a type, and the type. Raises InputError if there is none."""
    module, kind = load_beside(generator(name))
    return cast(Generator, module), kind


def load_beside(path: Path) -> tuple[ModuleType, PuzzleType]:
    """A generator or fetcher as a module, and its type."""
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None, "a Python file can be loaded"
    module = sys.modules[path.stem] = module_from_spec(spec)  # its classes look it up
    spec.loader.exec_module(module)
    return module, read_type(path.with_name(f"{path.stem.rpartition('_')[0]}.yaml"))
