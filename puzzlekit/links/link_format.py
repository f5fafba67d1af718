"""How links write the puzzles of a type: what its section `links` states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from yaml.nodes import Node

from puzzlekit.dataclass import dataclass
from puzzlekit.lang import PuzzleType
from puzzlekit.links.codecs import Codec

HOLES = "_"  # the cells that a board does not have
BLANK = "."  # an empty cell
EDGES = ("edges", "dominoes")  # the targets of layers that separate regions
Settings = Mapping[str, Node]  # values of fields
# values of a field, each with those that a link may have for it; the first of them is written
ValueTable = Mapping[str, tuple[int | str | None, ...]]


@dataclass(frozen=True)
class LinkLayer:
    """A layer of the body of a link.

    Attributes:
        name: What the type calls it.
        target: What its values belong to: `cells`, `edges`, `rooms` …
        codec: How its values are written.
        fields: The fields that it fills; none if the layer must be blank. `_` stands for the holes.
        groups: The same fields; those of a group take turns.
        values: For each field what its values are in the link, where they differ.
        optional: Whether writers leave it out at the end of the body if it is blank.
        outside: The cells that belong to no region: those where a field has one of these values.
        sets: The pieces of named sets, by the letter of the set: how many of each length, or the
            code of each.
        flag: The flag with which the layer is there; empty if it always is.
    """

    name: str
    target: str
    codec: Codec
    fields: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    values: Mapping[str, ValueTable]
    optional: bool
    outside: tuple[str, tuple[str, ...]] | None
    sets: Mapping[str, Mapping[str, str]]
    flag: str = ""

    @property
    def is_holes(self) -> bool:
        """Whether its values are the holes of the board."""
        return self.fields == (HOLES,)

    def has_holes(self, name: str) -> bool:
        """Return whether the layer has a value for holes of a field."""
        return HOLES in self.values.get(name, {})


@dataclass(frozen=True)
class LinkFormat:
    """How links of puzz.link write the puzzles of a type.

    Attributes:
        names: The names of the type on the site, the values of fields that each stands for.
        also: Other names that readers accept for the first one.
        flags: The flags that a link may have, with the values of fields that each stands for.
        sizes: The sides that a square board may have, with values of fields; empty for any size.
        body: The layers in their order; None is a slash.
        file: Whether a file of the site has the same layers, a line for each row.
    """

    names: Mapping[str, Settings]
    also: tuple[str, ...]
    flags: Mapping[str, Settings]
    sizes: Mapping[int, Settings]
    body: tuple[LinkLayer | None, ...]
    file: bool

    @property
    def carried(self) -> frozenset[str]:
        """The fields whose values a link has."""
        return frozenset(field for layer in self.layers for field in layer.fields)

    @property
    def layers(self) -> tuple[LinkLayer, ...]:
        """The layers, without slashes."""
        return tuple(layer for layer in self.body if layer is not None)

    def settings(self, name: str) -> Settings | None:
        """Return the values of fields that a name on the site stands for; None if it is unknown."""
        if name in self.also:
            name = next(iter(self.names))
        return self.names.get(name)

    @property
    def filled(self) -> frozenset[str]:
        """The fields that a link fills."""
        return frozenset(self._filled())

    def _filled(self) -> Iterator[str]:
        for layer in self.layers:
            if not layer.is_holes:
                yield from layer.fields
        for settings in (*self.names.values(), *self.flags.values(), *self.sizes.values()):
            yield from settings


@dataclass(frozen=True)
class GameFormat(LinkFormat):
    """How a game ID writes the puzzles of a type: parameters, a colon, and the layers.

    Attributes:
        numbers: The field of each parameter that is a letter and a number.
        requires: The parameters without which an ID is for another type.
        size: How the parameters state the size of the board: `rectangle`, `square`, `box` or
            `pairs`.
        box: The field with the size of a box, of which the board has as many cells a side.
    """

    numbers: Mapping[str, str] = field(default_factory=dict)
    requires: tuple[str, ...] = ()
    size: str = "rectangle"
    box: str = ""

    @property
    def carried(self) -> frozenset[str]:
        more = [self.box] if self.box else []
        return super().carried | {*self.numbers.values(), *more}

    def _filled(self) -> Iterator[str]:
        yield from super()._filled()
        yield from self.numbers.values()
        if self.box:
            yield self.box


@dataclass(frozen=True)
class TextFormat:
    """How a text with rows of words writes the puzzles of a type.

    Attributes:
        names: The names of the type there; the first one is written.
        boards: The field of each section that has a row for each row of the board.
        labels: The fields of the clues outside: columns, rows.
        values: What values of the fields are in the text; the first of them is written.
    """

    names: tuple[str, ...]
    boards: Mapping[str, str]
    labels: tuple[str, ...] = ()
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def filled(self) -> frozenset[str]:
        """The fields that a text fills."""
        return frozenset((*self.boards.values(), *self.labels))


@dataclass
class LinkNotations:
    """What the section `links` of a type states, by its notations.

    Attributes:
        puzzlink: How links of puzz.link write the puzzles; None if they do not.
        drawn: Where drawings of penpa show the fields of which the picture does not say it.
        board_parts: The field of each part of the data of f-puzzles, and the value it stands for.
        boards: The `board`, a field, and the `kind` of notations of boards of letters, by the
            notation.
        game: How game IDs write the puzzles; None if they do not.
        texts: How texts with rows of words write the puzzles, by the notation.
    """

    puzzlink: LinkFormat | None = None
    drawn: Mapping[str, str | list[str] | Mapping[str, list[str]]] = field(default_factory=dict)
    board_parts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    boards: dict[str, dict[str, str]] = field(default_factory=dict)
    game: GameFormat | None = None
    texts: dict[str, TextFormat] = field(default_factory=dict)


def links_of(puzzle_type: PuzzleType) -> LinkNotations:
    """Return what the section `links` of a type states; nothing if the type has none."""
    section = puzzle_type.sections.get("links")
    if section is None:
        return LinkNotations()
    notations: LinkNotations = section.notations
    return notations
