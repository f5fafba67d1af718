"""Reads `make` of a type: how puzzles of the type are made where its rules alone do not tell it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit.lang.data.collections import GridOf
from puzzlekit.lang.discovery import language
from puzzlekit.lang.expressions import Expression
from puzzlekit.lang.puzzle_type import PuzzleType, Rule
from puzzlekit.lang.type_reader import MAKE_KEYS, type_of_node
from puzzlekit.lang.type_sections import SectionReading, TypeSection

OWN = ("let", "variables", "auxiliary", "define", "rules")  # of the type, which a design takes over


@dataclass(frozen=True)
class MakeSection:
    """How puzzles of a type are made.

    Attributes:
        size: The size of boards without --size; empty for the usual one.
        layout: A type whose `info` holds the fields that are drawn first; None if none is.
        places: A type whose `info` says where the clues of fields may stand; None if anywhere.
        design: A type whose solutions are whole puzzles; None if the clues are those of the rules.
        fields: The fields that a solution of the design gives.
        keep_all: The fields whose clues all stay.
        reshape: The fields of regions that a search may change.
        bias: How many of a hundred unknowns of a name are tried as true first.
    """

    size: str
    layout: PuzzleType | None
    clue_cells: PuzzleType | None
    design: PuzzleType | None
    fields: tuple[Rule, ...]
    keep_all: tuple[str, ...]
    reshape: tuple[str, ...]
    bias: dict[str, int]

    @property
    def scatters(self) -> bool:
        """Whether cells are scattered: as many as --density says."""
        pages = [page for page in (self.layout, self.design) if page is not None]
        rules = [rule for page in pages for rule in (*page.lets, *page.info)] + [*self.fields]
        return any("scattered" in rule.expression.names for rule in rules)


def making_of(type_: PuzzleType) -> MakeSection:
    """Return how puzzles of a type are made. Raises Problems of its `make`."""
    if type_.making is None:
        type_.making = _Reader(type_).read()
    made = type_.making
    assert isinstance(made, MakeSection)
    return made


class _Give(TypeSection):
    """The section of a design that gives the fields of a puzzle."""

    def __init__(self, reading: SectionReading) -> None:
        super().__init__(reading)
        self.rules = tuple(reading.rules(reading.node, "give", "give {}"))

    def expressions(self) -> Iterator[Expression]:
        yield from (rule.expression for rule in self.rules)


class _Reader:
    """Reads the `make` of one type, as types of their own that share its data."""

    def __init__(self, kind: PuzzleType) -> None:
        self.kind = kind
        self.source = kind.source
        self.own = {key.value: (key, node) for key, node in kind.root.value}
        entries = self.source.entries(self.own["make"][1], "make") if "make" in self.own else ()
        self.made = {key: (place, node) for key, place, node in entries if key in MAKE_KEYS}

    def read(self) -> MakeSection:
        layout, places = (
            self._type(key, ["info"], {"info": key}, []) if key in self.made else None
            for key in ("layout", "places")
        )
        design, fields = None, tuple[Rule, ...]()
        if "fields" in self.made:
            taken = () if "variables" in self.made else OWN
            design = self._type("design", OWN, {"give": "fields"}, taken)
            fields = design.sections["give"].rules
            self._fields(rule.name for rule in fields)
        for page in (layout, places):
            self._fields(rule.name for rule in (page.info if page else ()))
        keep_all, reshape = (
            tuple(self._names(key, self.kind.fields, "field")) for key in ("keep_all", "reshape")
        )
        for name in reshape:
            if not isinstance(self.kind.fields[name].type, GridOf):
                self.source.problem(f"reshape: {name} is no board", self.made["reshape"][1])
        bias = {}
        for key, _, node in self._parts("bias"):
            share = self.source.text_of(node, key) or ""
            if share.isdecimal() and 0 < int(share) < 100:
                bias[key] = int(share)
            else:
                self.source.problem(
                    f"expected a number from 1 to 99 as the share of {key}, got {share[:20]}", node
                )
        self.source.raise_problems()
        return MakeSection(
            self._text("size"), layout, places, design, fields, keep_all, reshape, bias
        )

    def _type(
        self, name: str, sections: Iterable[str], renamed: dict[str, str], taken: Iterable[str]
    ) -> PuzzleType:
        """Return a type of the fields of this one, with sections of `make`, and with those of the
        type that are taken over.
        """
        scalar = self._scalar
        pairs: list[tuple[Node, Node]] = [(scalar("puzzle"), scalar(f"{self.kind.name}_{name}"))]
        pairs += [self.own[key] for key in ("libraries", "data") if key in self.own]
        for section in dict.fromkeys(["let", *sections]):
            node = self._joined(section, section in taken)
            if node is not None:
                pairs.append((scalar(section), node))
        if name != "design":
            pairs.append(
                (scalar("variables"), self._mapping([(scalar("nothing"), scalar("bool"))]))
            )
        for section, key in renamed.items():
            pairs.append((scalar(section), self.made[key][1]))
        drawing = language([one.name for one in self.kind.language.libraries[1:]], drawing=True)
        return type_of_node(self.source, self._mapping(pairs), drawing, {"give": _Give})

    def _joined(self, section: str, taken: bool) -> Node | None:
        """Return a section of `make` after that of the type, if it is taken over."""
        dropped = set(self._names("drop_rules", [rule.name for rule in self.kind.rules], "rule"))
        own = self.own[section][1].value if taken and section in self.own else []
        more = self.made[section][1].value if section in self.made else []
        pairs = [
            (key, node) for key, node in own if section != "rules" or key.value not in dropped
        ] + [*more]
        return self._mapping(pairs) if pairs else None

    def _scalar(self, text: str) -> ScalarNode:
        root = self.kind.root
        return ScalarNode("tag:yaml.org,2002:str", text, root.start_mark, root.end_mark)

    def _mapping(self, pairs: list[tuple[Node, Node]]) -> MappingNode:
        root = self.kind.root
        return MappingNode(root.tag, pairs, root.start_mark, root.end_mark)

    def _text(self, key: str) -> str:
        return self.source.text_of(self.made[key][1], key) or "" if key in self.made else ""

    def _parts(self, key: str) -> Iterator[tuple[str, ScalarNode, Node]]:
        return self.source.entries(self.made[key][1], key) if key in self.made else iter(())

    def _names(self, key: str, known: Iterable[str], what: str) -> Iterator[str]:
        """Yield the names in a list of `make`."""
        node = self.made[key][1] if key in self.made else None
        for part in (
            [] if node is None else node.value if isinstance(node, SequenceNode) else [node]
        ):
            name = self.source.text_of(part, key) or ""
            if name in known:
                yield name
            else:
                self.source.unknown_key(name, part, f"there is no {what}", list(known))

    def _fields(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self.kind.fields:
                node = next(
                    self.made[key][1] for key in ("fields", "places", "layout") if key in self.made
                )
                self.source.unknown_key(
                    name, node, f"{self.kind.name} has no field", list(self.kind.fields)
                )
