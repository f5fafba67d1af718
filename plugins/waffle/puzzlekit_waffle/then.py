"""The section `then` of a type: other types that are solved next, with data from a solution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from yaml.nodes import ScalarNode

from puzzlekit.catalogue import find, is_path
from puzzlekit.errors import InputError, Problem, Problems, nearest
from puzzlekit.lang import (
    Expression,
    FollowUp,
    PuzzleType,
    Rule,
    SectionReading,
    TypeSection,
    read_type,
)
from puzzlekit.source import is_empty

CHAINED_TYPES = 20  # that follow one another


@dataclass(frozen=True)
class SecondType:
    """A type that is solved next, and the expressions that give its data from a solution.

    Attributes:
        name: Its name, or its path from the folder of the first type.
        node: Where the first type names it.
        data: Its fields.
    """

    name: str
    node: ScalarNode
    data: tuple[Rule, ...]


class Then(TypeSection):
    """The types that are solved next."""

    about = "Other types that are solved next, with data from a solution."
    example: ClassVar[Any] = {"exchange": {"from": "letters", "to": "answer"}}
    schema: ClassVar[Mapping[str, Any]] = {
        "type": ["object", "null"],
        "additionalProperties": {
            "type": "object",
            "additionalProperties": {"type": ["string", "number", "boolean", "null"]},
        },
    }

    def __init__(self, reading: SectionReading) -> None:
        super().__init__(reading)
        self.seconds: list[SecondType] = []
        for name, name_node, node in reading.entries():
            if is_empty(node):
                hint = "write name: expression for each field of that type"
                self.type_.source.problem(f"expected a mapping as then {name}", name_node, hint)
            rules = reading.rules(node, f"then {name}", f"{name}'s {{}}")
            self.seconds.append(SecondType(name, name_node, tuple(rules)))

    def expressions(self) -> Iterator[Expression]:
        for second in self.seconds:
            yield from (rule.expression for rule in second.data)

    def check(self) -> None:
        """Check the types that follow, and those that follow them.

        Each second type must exist and be valid, have the fields that are given and be given the
        fields that it requires, and no type may follow itself. Raises Problems.
        """
        for problem in self._problems((self.type_,), set()):
            self.type_.source.problem(problem.message, problem.position, problem.help)
        self.type_.source.raise_problems()

    def summary(self) -> str:
        return f"Then, from each solution: {', '.join(self.sequel_names())}"

    def files(self) -> Iterator[Path]:
        for second in self.seconds:
            yield Path(self.type_of(second).source.path)

    def sequel_names(self) -> list[str]:
        return [second.name for second in self.seconds]

    def follow_ups(self, evaluate: Callable[[Expression], Any]) -> Iterable[FollowUp]:
        for second in self.seconds:
            values = tuple((rule, evaluate(rule.expression)) for rule in second.data)
            yield FollowUp(second.name, self.type_of(second), values)

    def type_of(self, second: SecondType) -> PuzzleType:
        """Return a second type, by name or by path from the folder of the first.

        Raises InputError.
        """
        folder = self.type_.source.folder
        name = str(folder / second.name) if is_path(second.name) else second.name
        return read_type(find(name, folder))

    def _problems(self, chain: tuple[PuzzleType, ...], seen: set[Path]) -> Iterator[Problem]:
        """Yield the problems of a type at the end of a chain; skips types that were checked."""
        for second in self.seconds:
            position = self.type_.source.start(second.node)
            try:
                type_ = self.type_of(second)
            except Problems as error:
                yield Problem(f"the second type {second.name} has errors", position)
                yield from error.problems
                continue
            except InputError as error:
                yield Problem(str(error), position)
                continue
            yield from self._fields(second, type_)
            path = _path(type_)
            if path in map(_path, chain):
                cycle = " → ".join(member.name for member in (*chain, type_))
                hint = "remove one of the types from the cycle"
                yield Problem(f"{second.name} follows itself: {cycle}", position, hint)
            elif len(chain) > CHAINED_TYPES:
                yield Problem(f"a chain has at most {CHAINED_TYPES} types", position)
            elif path not in seen:
                following = type_.sections.get(self.name)
                if isinstance(following, Then):
                    yield from following._problems((*chain, type_), seen)
                seen.add(path)

    def _fields(self, second: SecondType, type_: PuzzleType) -> Iterator[Problem]:
        """Yield the problems of the fields that a second type is given."""
        source = self.type_.source
        for rule in second.data:
            if rule.name not in type_.fields:
                name = rule.name[:100]
                hint = f"{type_.name} has no fields"
                if type_.fields:
                    hint = nearest(name, type_.fields)
                position = source.start(rule.expression.text.node)
                yield Problem(f"{type_.name} has no field {name}", position, hint)
        given = {rule.name for rule in second.data}
        for field in type_.required():
            if field.name not in given:
                hint = f"{type_.name} requires {field}; add {field.name}: EXPRESSION"
                message = f"{second.name} requires the field {field.name}"
                yield Problem(message, source.start(second.node), hint)


def _path(type_: PuzzleType) -> Path:
    return Path(type_.source.path).absolute()
