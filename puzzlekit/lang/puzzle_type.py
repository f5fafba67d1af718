"""A puzzle type as its YAML file states it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode

from puzzlekit.lang.data.scalars import DataType
from puzzlekit.lang.expressions.compiler import Expression
from puzzlekit.lang.library import Language
from puzzlekit.lang.source import Source


@dataclass(frozen=True)
class Within:
    """What a part of a field may hold: the numbers between two ends, either of which may be open, or else members.

    `steps` lead from the field to the part, as in `In`.
    """

    field: str
    steps: tuple[Any, ...]
    ends: tuple[Expression | None, ...]  # two, or the members alone
    text: str

    @property
    def names(self) -> frozenset[str]:
        """The names that it speaks of."""
        return frozenset().union(*(end.names for end in self.ends if end is not None))


@dataclass(frozen=True)
class Field:
    """A field of data that a spec gives."""

    name: str
    type: DataType
    spelled: str  # the type as it is declared, with what the field may hold
    place: ScalarNode
    default: Node | None = None
    optional: bool = False
    about: str = ""
    like: str | None = None  # the field whose cells this one has
    columns: str | None = None  # the field that says how many cells a row has, where the board is written on one line

    def __str__(self) -> str:
        default = f" = {self.default.value}" if isinstance(self.default, ScalarNode) else ""
        return f"{self.name}: {self.spelled}{default}"


@dataclass(frozen=True)
class Unknowns:
    """A declaration of unknowns: `name[i, j]: domain for i in … for j in …`."""

    name: str
    indexes: tuple[str, ...]
    domain: Expression
    auxiliary: bool


@dataclass(frozen=True)
class Rule:
    """A rule, a check, a goal or a let: a name and an expression."""

    name: str
    expression: Expression


@dataclass(frozen=True)
class Shown:
    """What `show` draws: an unknown, perhaps coloured by another value, or the value of an expression."""

    name: str
    expression: Expression | None = None
    colour: Expression | None = None


@dataclass(frozen=True)
class Then:
    """A second type, and the expressions that give its data from a solution."""

    name: str
    place: ScalarNode
    data: tuple[Rule, ...]


@dataclass
class PuzzleType:
    """A puzzle type as its file states it.

    Attributes:
        name: The name, as specs give it under `puzzle`.
        title: The title.
        about: What the puzzle is about.
        fields: The fields of a spec, by name.
        unknowns: The declarations of unknowns.
        rules: The rules.
        goals: The goals, by name.
        rank: The goal by which solutions come in order; empty for no order.
    """

    source: Source
    root: MappingNode = field(repr=False)
    language: Language = field(repr=False)
    name: str = ""
    title: str = ""
    about: str = ""
    fields: dict[str, Field] = field(default_factory=dict)
    within: list[Within] = field(default_factory=list)
    checks: list[Rule] = field(default_factory=list)
    lets: list[Rule] = field(default_factory=list)
    facts: list[Rule] = field(default_factory=list)
    unknowns: list[Unknowns] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    goals: dict[str, Rule] = field(default_factory=dict)
    rank: str = ""  # the goal by which solutions come in order, the best first
    show: list[Shown] = field(default_factory=list)
    then: list[Then] = field(default_factory=list)

    def __deepcopy__(self, memo: Any) -> PuzzleType:
        return self

    @cached_property
    def worked_out(self) -> list[tuple[str, Expression]]:
        """What is shown beside unknowns, with the expression that gives it."""
        return [(shown.name, shown.expression) for shown in self.show if shown.expression is not None]

    def fields_behind(self, names: Collection[str]) -> list[str]:
        """The fields that these names speak of: the fields themselves first, then those of which `let` works the others out."""
        found = dict.fromkeys(name for name in self.fields if name in names)
        behind = set(names)
        for let in reversed(self.lets):
            if let.name in behind:
                behind |= let.expression.names
        return [*found, *(name for name in self.fields if name in behind and name not in found)]

    def wanted(self) -> list[Field]:
        """The fields that a spec must give."""
        return [f for f in self.fields.values() if f.default is None and not f.optional]

    def default_goal(self, lacking: Collection[str] = ()) -> str:
        """The goal that is reached for where none is named: the first, unless it only puts the solutions in order; else empty.

        Goals that are lacking are passed over.
        """
        first = next((name for name in self.goals if name not in lacking), "")
        return first if first != self.rank else ""
