"""A puzzle type as its YAML file states it."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit.dataclass import dataclass
from puzzlekit.lang.aliases import DataValue
from puzzlekit.lang.data.scalars import DataType
from puzzlekit.lang.expressions import Expression
from puzzlekit.lang.library import Language
from puzzlekit.sentences import Saying
from puzzlekit.source import SourceFile


@dataclass(frozen=True)
class AllowedValues:
    """What values inside a field may be: numbers in a range, or the members of a collection.

    Attributes:
        field: The name of the field.
        steps: The steps from the field to the values, as in `In`.
        ends: The two ends of the range, None for an open one; or only the collection.
        text: What the type says after `in`.
        numbers: Whether it restricts only the numbers among other values.
    """

    field: str
    steps: tuple[Any, ...]
    ends: tuple[Expression | None, ...]
    text: str
    numbers: bool = False

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that its expressions read."""
        expressions = [end for end in self.ends if end is not None]
        return frozenset().union(*(end.names for end in expressions))

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The two ends of a range; None for one that is open, or that depends on the data."""
        if len(self.ends) != 2:
            return None, None
        low, high = map(_number, self.ends)
        return low, high


def _number(end: Expression | None) -> int | None:
    """Return the number that an expression consists of; None for any other one."""
    text = "" if end is None else end.text.value.strip()
    return int(text) if re.fullmatch(r"-?[0-9]{1,15}", text) else None


@dataclass(frozen=True)
class Field:
    """A field of data that a spec gives."""

    name: str
    type: DataType
    type_text: str  # the type as it is declared, with `in`
    node: ScalarNode
    default: Node | None = None
    optional: bool = False
    about: str = ""
    # what it adds to the rules, by its value; "" for any
    rule: Mapping[str, str] = field(default_factory=dict)
    like: str | None = None  # the field whose cells this one has
    columns: str | None = None  # the field with the width of a board that is on one line
    unknown: str = ""  # what `?` in a cell of a board is read as; "" if the type says nothing

    def adds(self, value: DataValue, default: DataValue) -> str:
        """Return what this value adds to the rules, as people read them.

        It is empty for nothing, for false unless that has a text of its own, and for the default
        unless the text shows the value.
        """
        if value is None or value in ((), {}):
            return ""
        text = self._rule_text(value)
        placeholder = f"{{{self.name}}}"
        if value == default and placeholder not in text:
            return ""
        return text.replace(placeholder, str(value))

    def _rule_text(self, value: DataValue) -> str:
        """Return the text of this value, or else that of any value."""
        key = str(value)
        if isinstance(value, bool):
            key = "yes" if value else "no"
        usual = "" if value is False else self.rule.get("", "")
        return self.rule.get(key, usual)

    def __str__(self) -> str:
        text = f"{self.name}: {self.type_text}"
        return text if self.default is None else f"{text} = {_flow(self.default)}"


def _flow(node: Node) -> str:
    """Return the node as YAML on one line."""
    match node:
        case SequenceNode(value=members):
            return f"[{', '.join(map(_flow, members))}]"
        case MappingNode(value=pairs):
            entries = [f"{_flow(key)}: {_flow(value)}" for key, value in pairs]
            return f"{{{', '.join(entries)}}}"
        case ScalarNode(value=text) if "\n" in text.rstrip():
            return json.dumps(text.rstrip(), ensure_ascii=False)
        case ScalarNode(style="'" | '"', value=text):
            return "'" + str(text).replace("'", "''") + "'"
        case _:
            return str(node.value).rstrip()


@dataclass(frozen=True)
class VariableDecl:
    """A declaration of unknowns: `name[i, j]: domain for i in … for j in …`."""

    name: str
    indexes: tuple[str, ...]
    domain: Expression
    auxiliary: bool


@dataclass(frozen=True)
class Definition:
    """A named expression of unknowns: `name: expression`, or `name[i]: expression for i in …`."""

    name: str
    indexes: tuple[str, ...]
    expression: Expression


@dataclass(frozen=True)
class Rule:
    """A rule, a requirement, a goal, a let or a name of groups: a name and an expression."""

    name: str
    expression: Expression


@dataclass(frozen=True)
class ShowEntry:
    """An entry of `show`: an unknown, perhaps with colours, or the value of an expression."""

    name: str
    expression: Expression | None = None
    colour: Expression | None = None


@dataclass(frozen=True)
class PictureLayer:
    """A layer of a picture and the expression that it draws.

    Attributes:
        name: What is drawn: `text`, `borders`, ….
        variant: Where or how: `corner` of a text, `left` of the board, the name of a sign; or
            empty.
        expression: The values that are drawn, from the data or from a solution.
    """

    name: str
    variant: str
    expression: Expression


@dataclass(frozen=True)
class Picture:
    """A picture of a puzzle and its solution: layers over a board.

    Attributes:
        layers: The layers, in the order of the type.
        board: The board; None for the first one that has all cells of the layers.
        title: What is written above the board, where several stand side by side.
        coordinates: Whether the numbers of rows and columns stand at the rim.
    """

    layers: tuple[PictureLayer, ...]
    board: Expression | None = None
    title: str = ""
    coordinates: bool = False

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """The expressions of the layers, then that of the board, if it has one."""
        of_layers = [layer.expression for layer in self.layers]
        of_board = [] if self.board is None else [self.board]
        return (*of_layers, *of_board)


@dataclass
class PuzzleType:
    """A puzzle type as its file states it.

    Attributes:
        source: The text of the type.
        root: The node of the whole text.
        language: The core language and the libraries that the type uses.
        name: The name, as specs give it under `puzzle`.
        title: The title.
        aliases: Other names of the puzzle, by which it is found.
        group: The group of types that it belongs to, such as `loops`; empty for none.
        tags: Further words by which it is found.
        about: What the puzzle is about.
        fields: The fields of a spec, by name.
        within: What values inside fields may be.
        requirements: The conditions on the data.
        lets: The values computed from the data, in order.
        info: The values that are shown before the solutions.
        unknowns: The declarations of unknowns.
        definitions: The named expressions of unknowns, in order.
        rules: The rules.
        goals: The goals, by name.
        rank: The goal that sorts the solutions, the best first; empty for no order.
        show: The entries of `show`, which are printed beside the pictures.
        pictures: The pictures, side by side; none where they are inferred.
        below: The fields and named values that are printed below the picture of the puzzle alone;
            None where they are inferred.
        say: The texts of facts about each unknown: of a true fact, and perhaps of a false one.
        breaches: What would be so where a rule is broken, by the name of the rule: the section
            `broken`.
        group_names: The names of groups of cells, with the groups: the section `call`.
        sections: What the sections of other packages and of plugins state, by name: objects of
            `type_sections.TypeSection`.
        making: The section `make`, a `MakeSection`, once something has read it.
        cache: What puzzles of the type share while the process runs.
    """

    source: SourceFile
    root: MappingNode = field(repr=False)
    language: Language = field(repr=False)
    name: str = ""
    title: str = ""
    aliases: tuple[str, ...] = ()
    group: str = ""
    tags: tuple[str, ...] = ()
    about: str = ""
    fields: dict[str, Field] = field(default_factory=dict)
    within: list[AllowedValues] = field(default_factory=list)
    requirements: list[Rule] = field(default_factory=list)
    lets: list[Rule] = field(default_factory=list)
    info: list[Rule] = field(default_factory=list)
    unknowns: list[VariableDecl] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    goals: dict[str, Rule] = field(default_factory=dict)
    rank: str = ""
    show: list[ShowEntry] = field(default_factory=list)
    pictures: tuple[Picture, ...] = ()
    below: tuple[ShowEntry, ...] | None = None
    say: dict[str, tuple[Saying, ...]] = field(default_factory=dict)
    breaches: dict[str, str] = field(default_factory=dict)
    group_names: list[Rule] = field(default_factory=list)
    sections: dict[str, Any] = field(default_factory=dict, repr=False)
    making: object = field(default=None, repr=False)
    cache: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __deepcopy__(self, memo: Any) -> PuzzleType:
        return self

    @cached_property
    def output_expressions(self) -> list[tuple[str, Expression]]:
        """The values under `show` that are not unknowns: their names and expressions."""
        return [
            (entry.name, entry.expression) for entry in self.show if entry.expression is not None
        ]

    @cached_property
    def statements(self) -> list[tuple[int, Definition | Rule]]:
        """The definitions, with negative numbers, and the rules, with their numbers from 0."""
        statements: list[Definition | Rule] = [*self.definitions, *self.rules]
        return [*enumerate(statements, -len(self.definitions))]

    def fields_behind(self, names: Collection[str]) -> list[str]:
        """Return the fields among these names, then those from which `let` computes the others."""
        direct = [name for name in self.fields if name in names]
        behind = set(names)
        for let in reversed(self.lets):
            if let.name in behind:
                behind |= let.expression.names
        behind -= set(direct)
        return direct + [name for name in self.fields if name in behind]

    def required(self) -> list[Field]:
        """Return the fields that a spec must give."""
        return [
            field for field in self.fields.values() if field.default is None and not field.optional
        ]

    def default_goal(self, lacking: Collection[str] = ()) -> str:
        """Return the goal to use if none is requested: the first that is not lacking.

        It is empty if there is none, or if that goal sorts the solutions (`rank`).
        """
        first = next((name for name in self.goals if name not in lacking), "")
        return first if first != self.rank else ""
