"""Finds what installed distributions offer to puzzlekit by entry points.

The files of entry points are read once in a process, when one is first looked up. They are read
without `importlib.metadata`, which takes longer to load than all of them to read. Distributions in
the current folder do not count.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

LIBRARIES = "puzzlekit.libraries"  # functions, types of data and types of value
GENERATORS = "puzzlekit.generators"  # modules that generate puzzles of a type
PAGES = "puzzlekit.pages"  # modules that write a page to play generated puzzles on
SECTIONS = "puzzlekit.sections"  # classes of sections of types
FETCHERS = "puzzlekit.fetchers"  # modules that fetch published puzzles of a type

PREFIX = b"[puzzlekit."  # begins the line of each of these groups
FILES = ("*.dist-info/entry_points.txt", "*.egg-info/entry_points.txt")


class EntryPoint(NamedTuple):
    """An object that a distribution offers.

    Attributes:
        name: Its name.
        reference: Where it is: `module`, or `module:attribute`.
    """

    name: str
    reference: str

    def load(self) -> Any:
        """Import the object. Raises what its module raises, ImportError and AttributeError."""
        module, _, attribute = self.reference.partition(":")
        imported = import_module(module)
        return attrgetter(attribute)(imported) if attribute else imported


def offered(group: str) -> Sequence[EntryPoint]:
    """Return the entry points of a group by name; those of one name in the order of `sys.path`."""
    return _by_group().get(group, ())


def find(group: str, name: str) -> EntryPoint | None:
    """Return the first entry point of a group that has this name; None if there is none."""
    return next((point for point in offered(group) if point.name == name), None)


@cache
def _by_group() -> Mapping[str, Sequence[EntryPoint]]:
    groups: dict[str, list[EntryPoint]] = {}
    for file in _files():
        text = file.read_bytes()
        if PREFIX in text:
            for group, point in _parsed(text.decode()):
                groups.setdefault(group, []).append(point)
    for points in groups.values():
        points.sort(key=lambda point: point.name)
    return groups


def _files() -> Iterator[Path]:
    """Yield the files of entry points; of a distribution that is installed twice, the first."""
    seen: set[str] = set()
    for folder in _folders():
        for pattern in FILES:
            for file in sorted(folder.glob(pattern)):
                name = _normalised(file.parent.name)
                if name not in seen and file.is_file():
                    seen.add(name)
                    yield file


def _folders() -> Iterator[Path]:
    """Yield the folders that modules are imported from, without the current one."""
    try:
        here = Path.cwd().resolve()
    except OSError:  # the folder was deleted
        here = None
    for folder in map(Path, sys.path):
        if folder.is_absolute() and folder.resolve() != here:
            yield folder


def _normalised(folder: str) -> str:
    """Return the name of a distribution, given that of its folder of metadata.

    Examples:
        >>> _normalised("Puzzlekit.Dice-1.0.dist-info"), _normalised("puzzlekit_dice.egg-info")
        ('puzzlekit_dice', 'puzzlekit_dice')
    """
    name = folder.rpartition(".")[0].partition("-")[0]
    return re.sub(r"[-_.]+", "_", name).lower()


def _parsed(text: str) -> Iterator[tuple[str, EntryPoint]]:
    """Yield the group and the content of each line of a file `entry_points.txt`.

    Examples:
        >>> list(_parsed("[puzzlekit.libraries]\\ndice = puzzlekit_dice:LIBRARY\\n"))
        [('puzzlekit.libraries', EntryPoint(name='dice', reference='puzzlekit_dice:LIBRARY'))]
    """
    group = ""
    for line in map(str.strip, text.splitlines()):
        name, equals, reference = line.partition("=")
        if line.startswith("[") and line.endswith("]"):
            group = line[1:-1].strip()
        elif equals and not line.startswith(("#", ";")):
            module = reference.partition("[")[0]  # extras of the distribution may follow
            yield group, EntryPoint(name.strip(), module.strip())
