"""Puzzles with their data read and no rules run, which is all that links need."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from puzzlekit.boards import Shape
from puzzlekit.lang import Instance, PuzzleType, read_spec
from puzzlekit.lang.binding import _Binder
from puzzlekit.links.link_format import links_of


def data_of(kind: PuzzleType, text: str) -> dict[str, Any]:
    """Return the data of a spec."""
    return _Binder(kind, read_spec("<spec>", text), {}, None, {}).read()


def bound(kind: PuzzleType, text: str) -> Instance:
    """Return the type with the data of a spec."""
    return SimpleNamespace(type=kind, data=data_of(kind, text))  # type: ignore[return-value]


def alike(kind: PuzzleType, data: dict[str, Any]) -> dict[str, Any]:
    """Return data with regions that are numbered in reading order, their values by region,
    and pieces without names.
    """
    form = links_of(kind).puzzlink
    layers = form.layers if form is not None else ()
    regions = next(
        (layer.fields[0] for layer in layers if layer.target == "edges" and layer.fields), None
    )
    in_rooms = {layer.fields[0] for layer in layers if layer.target == "rooms"}
    numbers: dict[Any, int] = {}
    found = dict(data)
    for layer in layers:
        if layer.target == "pieces" and any(
            isinstance(piece, Shape) for piece in data[layer.fields[0]].values()
        ):
            found[layer.fields[0]] = sorted(
                min(piece.turns()) for piece in data[layer.fields[0]].values()
            )
    if regions is not None:
        labels = data[regions].values
        found[regions] = {
            c: None if label is None else numbers.setdefault(label, len(numbers))
            for c, label in labels.items()
        }
        for name in in_rooms:
            values = data[name]
            if not isinstance(values, Mapping):
                values = {
                    labels[cell]: value
                    for cell, value in values.values.items()
                    if value is not None
                }
            found[name] = {numbers[label]: value for label, value in values.items()}
    return found
