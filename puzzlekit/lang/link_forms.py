"""How links of puzz.link write the puzzles of a type: what `puzzlink` in the section `links` states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from yaml.nodes import Node

from puzzlekit.lang.link_codecs import Layout

LAYERS = {  # by their name: the places of the values, how they are written unless `as` says it, how many fields there may be
    "cells": ("cells", "", (1, 2, 3)),
    "number16": ("cells", "runs g of hex | (.)", (1,)),
    "number10": ("cells", "runs a of digit | (.)", (1,)),
    "four_cell": ("cells", "four_cell", (1,)),
    "four_cell_corners": ("corners", "four_cell", (1,)),
    "circle": ("cells", "circle", (1,)),
    "bits": ("cells", "bits", (1,)),
    "inner": ("inner", "", (1,)),
    "rim": ("rim", "", (1, 2)),
    "dots": ("dots", "dots", (1,)),
    "border": ("edges", "border", (1,)),
    "rooms": ("rooms", "runs g of hex | (.)", (1,)),
    "outside": ("sides", "runs g of hex | (.)", (2, 4)),
    "count": ("number", "decimal", (1,)),
    "bank": ("pieces", "bank", (1,)),
}
HOLES = "_"  # the cells that a board does not have
BLANK = "."  # an empty cell
Settings = Mapping[str, Node]  # values of fields
Table = Mapping[str, tuple[int | str, ...]]  # values of a field, each with those of a link; the first of them is written


@dataclass(frozen=True)
class LinkLayer:
    """A layer of the body of a link.

    Attributes:
        name: Its name in `LAYERS`.
        layout: How its values are written.
        fields: The fields that it fills; none if the layer must be blank. `_` stands for the holes.
        groups: The same fields; those of a group take turns.
        values: For each field what its values are in the link, where they differ.
        optional: Whether writers leave it out at the end of the body if it is blank.
        outside: The cells that belong to no region: those where a field has one of these values.
        sets: The pieces of known sets, by the letter of the set.
    """

    name: str
    layout: Layout
    fields: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    values: Mapping[str, Table]
    optional: bool
    outside: tuple[str, tuple[str, ...]] | None
    sets: Mapping[str, Mapping[int, int]]

    @property
    def places(self) -> str:
        """What its values belong to."""
        return LAYERS[self.name][0]

    def has_holes(self, name: str) -> bool:
        """Return whether the layer has a value for holes of a field."""
        return HOLES in self.values.get(name, {})


@dataclass(frozen=True)
class LinkForm:
    """How links of puzz.link write the puzzles of a type.

    Attributes:
        names: The names of the type on the site, the values of fields that each stands for.
        also: Other names that readers accept for the first one.
        flags: The flags that a link may have, with the values of fields that each stands for.
        sizes: The sides that a square board may have, with values of fields; empty for any size.
        body: The layers in their order; None is a slash.
    """

    names: Mapping[str, Settings]
    also: tuple[str, ...]
    flags: Mapping[str, Settings]
    sizes: Mapping[int, Settings]
    body: tuple[LinkLayer | None, ...]

    @property
    def layers(self) -> tuple[LinkLayer, ...]:
        """The layers, without slashes."""
        return tuple(layer for layer in self.body if layer is not None)

    def settings(self, name: str) -> Settings | None:
        """Return the values of fields that a name on the site stands for; None for an unknown name."""
        return self.names.get(next(iter(self.names)) if name in self.also else name)

    @property
    def filled(self) -> frozenset[str]:
        """The fields that a link gives."""
        given = (*self.names.values(), *self.flags.values(), *self.sizes.values())
        layers = (name for layer in self.layers for name in layer.fields if name != HOLES)
        return frozenset((*layers, *(name for settings in given for name in settings)))
