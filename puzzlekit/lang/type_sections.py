"""The interface of a section of types that another package or a plugin owns.

`docs/plugins.md` shows how to write one. Nothing of its package is imported before a type has the
section.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from yaml.nodes import Node, ScalarNode

from puzzlekit import plugins
from puzzlekit.lang.expressions import Expression
from puzzlekit.lang.puzzle_type import PuzzleType, Rule
from puzzlekit.plugins import EntryPoint

# The sections that packages of puzzlekit own, with their classes.
PACKAGE_SECTIONS = {"links": EntryPoint("links", "puzzlekit.links.section:LinksSection")}


class SectionReading(NamedTuple):
    """What a section is read from.

    Attributes:
        name: The name of the section.
        node: Its YAML.
        type_: The type that has the section. Its other sections have been read.
        compiled: Compiles the expression of a node, which its second argument names in messages.
            Returns None after noting a problem. With `split_loops=True`, the loops after the
            expression give one value each time.
    """

    name: str
    node: Node
    type_: PuzzleType
    compiled: Callable[..., Expression | None]

    def entries(self) -> Iterator[tuple[str, ScalarNode, Node]]:
        """Yield the keys of the section, if it is a mapping, with their nodes and values."""
        return self.type_.source.entries(self.node, self.name)

    def rules(
        self, node: Node, mapping: str, expression: str, split_loops: bool = False
    ) -> Iterator[Rule]:
        """Yield the named expressions of a mapping.

        Args:
            node: The mapping.
            mapping: What messages call it.
            expression: What messages call an expression, with {} for its name.
            split_loops: Whether the loops after an expression give one value each time.
        """
        for key, _, value in self.type_.source.entries(node, mapping):
            compiled = self.compiled(value, expression.replace("{}", key), split_loops=split_loops)
            if compiled:
                yield Rule(key, compiled)


class FollowUp(NamedTuple):
    """A puzzle that follows from a solution.

    Attributes:
        name: What its solution is called: in JSON, in `Solution.sequels` and under `expect`.
        type_: Its type.
        data: The values of its fields, each with the rule that gave it. None leaves a field out.
    """

    name: str
    type_: PuzzleType
    data: tuple[tuple[Rule, Any], ...]


class TypeSection:
    """The section of one type: the base class of those that plugins offer.

    Attributes:
        about: What the section is for, for editors.
        example: An example of its content, for editors; None for none.
        schema: The JSON Schema of its content.
        name: The name of the section.
        type_: The type that has it.
    """

    about: ClassVar[str] = ""
    example: ClassVar[Any] = None
    schema: ClassVar[Mapping[str, Any]] = {}

    @classmethod
    def json_schema(cls) -> Mapping[str, Any]:
        """Return the JSON Schema of the content."""
        return cls.schema

    def __init__(self, reading: SectionReading) -> None:
        """Read the section. Note what is wrong as problems of `reading.type_.source`."""
        self.name = reading.name
        self.type_ = reading.type_

    def expressions(self) -> Iterable[Expression]:
        """Return the expressions of the section: what they read counts as used."""
        return ()

    def check(self) -> None:
        """Check what requires other files, before a puzzle is solved. Raises Problems."""

    def summary(self) -> str:
        """Return a line for `puzzlekit show`; empty for none."""
        return ""

    def files(self) -> Iterable[Path]:
        """Return the files that the section depends on, which `--watch` watches.

        Raises InputError.
        """
        return ()

    def sequel_names(self) -> Iterable[str]:
        """Return the names of what follows from a solution, which a spec may expect."""
        return ()

    def follow_ups(self, evaluate: Callable[[Expression], Any]) -> Iterable[FollowUp]:
        """Return the puzzles that follow from a solution.

        Args:
            evaluate: Gives the value that an expression has for the solution. Raises Problems.
        """
        return ()


def sections_of(type_: PuzzleType) -> Iterable[TypeSection]:
    """Return the sections of a type that packages and plugins own."""
    sections: dict[str, TypeSection] = type_.sections
    return sections.values()


def check_sections(type_: PuzzleType) -> None:
    """Check the sections of a type that packages and plugins own. Raises Problems."""
    for section in sections_of(type_):
        section.check()


def section_names() -> list[str]:
    """Return the names of the sections that packages and plugins offer."""
    offered = [point.name for point in plugins.offered(plugins.SECTIONS)]
    return [*PACKAGE_SECTIONS, *offered]


def section_class(name: str) -> type[TypeSection] | str | None:
    """Return the class of a section that a plugin offers.

    Returns:
        The class; why it cannot be loaded; None if no plugin offers such a section.
    """
    point = PACKAGE_SECTIONS.get(name) or plugins.find(plugins.SECTIONS, name)
    if point is None:
        return None
    try:
        loaded = point.load()
    except Exception as error:  # code of another distribution
        return f"{type(error).__name__}: {error}"
    if isinstance(loaded, type) and issubclass(loaded, TypeSection):
        return loaded
    return f"the entry point names a {type(loaded).__name__}, not a class of TypeSection"
