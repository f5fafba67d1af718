"""Sections of a type that other packages read.

Nothing of a package is imported before a type has its section.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from yaml.nodes import Node

if TYPE_CHECKING:
    from puzzlekit.lang.data.value_schema import Schema
    from puzzlekit.lang.puzzle_type import PuzzleType

SECTION_READERS = {"links": "puzzlekit.links.section"}  # the module of each section


class SectionReader(Protocol):
    """The functions of a module that reads a section."""

    def read_section(self, puzzle_type: PuzzleType, node: Node) -> object:
        """Return what the section states.

        Args:
            puzzle_type: The type, of which all else is read. Its source notes the problems.
            node: The section.
        """

    def section_schema(self) -> Schema:
        """Return the JSON Schema of the section."""


def section_reader(section: str) -> SectionReader:
    """Return the module that reads a section of `SECTION_READERS`."""
    return cast(SectionReader, import_module(SECTION_READERS[section]))
