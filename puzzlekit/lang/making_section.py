"""Reads `make` of a type: how puzzles of the type are made where its rules alone do not tell it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import cast

from yaml.nodes import MappingNode, Node, ScalarNode

from puzzlekit.boards import SYMMETRIES, Symmetry
from puzzlekit.dataclass import dataclass
from puzzlekit.lang.data.collections import GridOf, ListOf, MapOf
from puzzlekit.lang.discovery import language
from puzzlekit.lang.expressions import Expression
from puzzlekit.lang.puzzle_type import PuzzleType, Rule
from puzzlekit.lang.type_reader import MAKE_KEYS, PREFER_KEYS, type_of_node
from puzzlekit.lang.type_sections import SectionReading, TypeSection
from puzzlekit.source import several

# the sections of the type that a design takes over
INHERITED = ("let", "variables", "auxiliary", "define", "rules")


@dataclass(frozen=True)
class Preferences:
    """What is preferred among puzzles of a type.

    Attributes:
        type: A type without rules, on whose data the expressions run.
        avoid: Expressions that count flaws.
        want: Expressions that count merits.
    """

    type: PuzzleType
    avoid: tuple[Rule, ...]
    want: tuple[Rule, ...]


@dataclass(frozen=True)
class MakeSection:
    """How puzzles of a type are made.

    Attributes:
        size: The size of boards without --size; empty for the usual one.
        symmetry: Which places lose clues together without --symmetry; None for none.
        layout: A type whose `info` holds the fields that are drawn first; None if none is.
        clue_cells: A type whose `info` says where the clues of fields may stand; None if anywhere.
        clue_values: A type whose `info` has the values that the clues of fields may have; None if
            the fields tell them.
        lasting_cells: A type whose `info` says which clues of fields stay; None for none.
        design: A type whose solutions are complete puzzles; None if the clues are those of the
            rules.
        draws_values: Whether the design has values under `let` that are drawn.
        fields: The fields that a solution of the design gives.
        statements: The fields of lists and mappings each of whose entries is a clue.
        keep_all: The fields whose clues all stay.
        reshape: The fields of regions that a search may change.
        bias: How many of a hundred unknowns of a name are tried as true first.
        prefer: What is preferred among puzzles; None for nothing.
    """

    size: str
    symmetry: Symmetry | None
    layout: PuzzleType | None
    clue_cells: PuzzleType | None
    clue_values: PuzzleType | None
    lasting_cells: PuzzleType | None
    design: PuzzleType | None
    draws_values: bool
    fields: tuple[Rule, ...]
    statements: tuple[str, ...]
    keep_all: tuple[str, ...]
    reshape: tuple[str, ...]
    bias: dict[str, int]
    prefer: Preferences | None

    @property
    def scatters(self) -> bool:
        """Whether cells are scattered: as many as --density says."""
        rules = [*self.fields]
        for type_ in (self.layout, self.design):
            if type_ is not None:
                rules += [*type_.lets, *type_.info]
        return any("scattered" in rule.expression.names for rule in rules)


def making_of(type_: PuzzleType) -> MakeSection:
    """Return how puzzles of a type are made. Raises Problems of its `make`."""
    if type_.making is None:
        type_.making = _MakeReader(type_).read()
    assert isinstance(type_.making, MakeSection)
    return type_.making


class _Expressions(TypeSection):
    """A section of named expressions: of the fields of a puzzle, or of what is preferred."""

    def __init__(self, reading: SectionReading) -> None:
        super().__init__(reading)
        name = reading.name
        repeated = name in PREFER_KEYS
        self.rules = tuple(reading.rules(reading.node, name, f"{name} {{}}", repeated))

    def expressions(self) -> Iterator[Expression]:
        yield from (rule.expression for rule in self.rules)


EXTRA_SECTIONS = dict.fromkeys(("give", *PREFER_KEYS), _Expressions)


class _MakeReader:
    """Reads the `make` of one type, as types of their own that share its data.

    Attributes:
        sections: The node of each section of the type, after that of its key.
        entries: The node of each entry of `make`.
    """

    def __init__(self, type_: PuzzleType) -> None:
        self.type_ = type_
        self.source = type_.source
        self.sections = {key.value: (key, node) for key, node in type_.root.value}
        self.entries: dict[str, Node] = {}
        if "make" in self.sections:
            _, make = self.sections["make"]
            for key, _, node in self.source.entries(make, "make"):
                if key in MAKE_KEYS:
                    self.entries[key] = node

    def read(self) -> MakeSection:
        layout = self._info_type("layout")
        clue_cells = self._info_type("places")
        clue_values = self._info_type("values")
        lasting_cells = self._info_type("keep")
        design, fields = self._design()
        for type_ in (layout, clue_cells, clue_values, lasting_cells):
            if type_ is not None:
                self._require_fields(type_.info)
        statements = tuple(self._statements())
        keep_all = tuple(self._names("keep_all", self.type_.fields, "field"))
        reshape = tuple(self._reshape())
        bias = self._bias()
        prefer = self._preferences()
        symmetry = self._symmetry()
        self.source.raise_problems()
        size = ""
        if "size" in self.entries:
            size = self.source.text_of(self.entries["size"], "size") or ""
        draws_values = design is not None and self._draws_values(design)
        return MakeSection(
            size=size,
            symmetry=symmetry,
            layout=layout,
            clue_cells=clue_cells,
            clue_values=clue_values,
            lasting_cells=lasting_cells,
            design=design,
            draws_values=draws_values,
            fields=fields,
            statements=statements,
            keep_all=keep_all,
            reshape=reshape,
            bias=bias,
            prefer=prefer,
        )

    def _info_type(self, key: str) -> PuzzleType | None:
        """Return a type whose `info` is an entry of `make`; None without the entry."""
        if key not in self.entries:
            return None
        extra = {"variables": self._no_unknowns(), "info": self.entries[key]}
        return self._type(key, ("let",), extra, ())

    def _no_unknowns(self) -> MappingNode:
        """Return unknowns for a type that has no use for any, since a type requires some."""
        return self._mapping([(self._scalar("nothing"), self._scalar("bool"))])

    def _preferences(self) -> Preferences | None:
        """Return what `prefer` states."""
        if "prefer" not in self.entries:
            return None
        sections: dict[str, Node] = {}
        for name, key, node in self.source.entries(self.entries["prefer"], "prefer"):
            if name in PREFER_KEYS:
                sections[name] = node
            else:
                self.source.unknown_key(name, key, "prefer has no key", list(PREFER_KEYS))
        extra: dict[str, Node] = {"variables": self._no_unknowns()}
        if "let" in self.sections:
            _, extra["let"] = self.sections["let"]
        type_ = self._type("prefer", (), {**extra, **sections}, ())
        expressions = dict.fromkeys(PREFER_KEYS, ())
        for name in sections:
            expressions[name] = type_.sections[name].rules
        return Preferences(type_, **expressions)

    def _design(self) -> tuple[PuzzleType | None, tuple[Rule, ...]]:
        """Return the type of designs, and the fields that a solution of it gives."""
        if "fields" not in self.entries:
            return None, ()
        inherited = () if "variables" in self.entries else INHERITED
        extra = {"give": self.entries["fields"]}
        design = self._type("design", INHERITED, extra, inherited)
        fields = design.sections["give"].rules
        self._require_fields(fields)
        return design, fields

    def _draws_values(self, design: PuzzleType) -> bool:
        """Return whether a value under `let` of a design is drawn."""
        drawing = design.language.names - self.type_.language.names
        return any(not drawing.isdisjoint(rule.expression.names) for rule in design.lets)

    def _reshape(self) -> Iterator[str]:
        """Yield the boards that `reshape` names."""
        for name in self._names("reshape", self.type_.fields, "field"):
            if not isinstance(self.type_.fields[name].type, GridOf):
                self.source.problem(f"reshape: {name} is no board", self.entries["reshape"])
            yield name

    def _statements(self) -> Iterator[str]:
        """Yield the lists and mappings that `statements` names."""
        for name in self._names("statements", self.type_.fields, "field"):
            if not isinstance(self.type_.fields[name].type, ListOf | MapOf):
                message = f"statements: {name} is neither a list nor a mapping"
                self.source.problem(message, self.entries["statements"])
            yield name

    def _symmetry(self) -> Symmetry | None:
        if "symmetry" not in self.entries:
            return None
        node = self.entries["symmetry"]
        name = self.source.text_of(node, "symmetry") or ""
        if name not in SYMMETRIES:
            message = f"expected {', '.join(SYMMETRIES)} as symmetry, got {name[:20]}"
            self.source.problem(message, node)
        return cast(Symmetry, name)

    def _bias(self) -> dict[str, int]:
        """Return the shares that `bias` states, in percent, by the names of unknowns."""
        bias: dict[str, int] = {}
        if "bias" not in self.entries:
            return bias
        for name, _, node in self.source.entries(self.entries["bias"], "bias"):
            share = self.source.text_of(node, name) or ""
            if share.isdecimal() and 0 < int(share) < 100:
                bias[name] = int(share)
            else:
                message = f"expected a number from 1 to 99 as the share of {name}"
                self.source.problem(f"{message}, got {share[:20]}", node)
        return bias

    def _type(
        self,
        name: str,
        sections: Iterable[str],
        extra: dict[str, Node],
        inherited: Collection[str],
    ) -> PuzzleType:
        """Return a type with the fields of this one, which states part of `make`.

        Args:
            name: What follows the name of this type in its name.
            sections: The entries of `make` that are its sections.
            extra: Its further sections.
            inherited: The sections of this type that come before those of `make`.
        """
        scalar = self._scalar
        title = scalar(f"{self.type_.name}_{name}")
        pairs: list[tuple[Node, Node]] = [(scalar("puzzle"), title)]
        pairs += [self.sections[key] for key in ("libraries", "data") if key in self.sections]
        for section in sections:
            node = self._joined(section, section in inherited)
            if node is not None:
                pairs.append((scalar(section), node))
        for section, node in extra.items():
            pairs.append((scalar(section), node))
        libraries = None
        if "libraries" in self.sections:
            libraries = [library.name for library in self.type_.language.libraries[1:]]
        drawing = language(libraries, drawing=True)
        return type_of_node(self.source, self._mapping(pairs), drawing, EXTRA_SECTIONS)

    def _joined(self, section: str, inherited: bool) -> Node | None:
        """Return a section of `make`, after that of the type if it is inherited."""
        pairs: list[tuple[Node, Node]] = []
        # also where nothing is inherited: the names are checked
        rules = [rule.name for rule in self.type_.rules]
        dropped = set(self._names("drop_rules", rules, "rule"))
        if inherited and section in self.sections:
            _, node = self.sections[section]
            for key, expression in node.value:
                if section != "rules" or key.value not in dropped:
                    pairs.append((key, expression))
        if section in self.entries:
            pairs += self.entries[section].value
        return self._mapping(pairs) if pairs else None

    def _scalar(self, text: str) -> ScalarNode:
        root = self.type_.root
        return ScalarNode("tag:yaml.org,2002:str", text, root.start_mark, root.end_mark)

    def _mapping(self, pairs: list[tuple[Node, Node]]) -> MappingNode:
        root = self.type_.root
        return MappingNode(root.tag, pairs, root.start_mark, root.end_mark)

    def _names(self, key: str, allowed: Collection[str], noun: str) -> Iterator[str]:
        """Yield the names in a list of `make`, after noting those that are not allowed."""
        for node in several(self.entries.get(key)):
            name = self.source.text_of(node, key) or ""
            if name in allowed:
                yield name
            else:
                self.source.unknown_key(name, node, f"there is no {noun}", list(allowed))

    def _require_fields(self, rules: Iterable[Rule]) -> None:
        """Note rules that are not named after a field of the type."""
        fields = list(self.type_.fields)
        for rule in rules:
            if rule.name not in self.type_.fields:
                stating = [
                    key
                    for key in ("fields", "places", "values", "keep", "layout")
                    if key in self.entries
                ]
                node = self.entries[stating[0]]
                message = f"{self.type_.name} has no field"
                self.source.unknown_key(rule.name, node, message, fields)
