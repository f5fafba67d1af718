"""Builds the scenes of a puzzle, alone or with a solution, from the picture of its type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn
from weakref import WeakKeyDictionary

from puzzlekit.boards import Cell, Corner, Grid
from puzzlekit.lang import Instance
from puzzlekit.lang.expressions import Expression, error_in
from puzzlekit.lang.expressions.values import ExpressionError, VariableArray, display_text
from puzzlekit.lang.puzzle_type import Picture, PictureLayer
from puzzlekit.model import Value, Variable
from puzzlekit.render.default_picture import over_of, pictures_of
from puzzlekit.render.grouping import as_mapping, cells_of
from puzzlekit.render.make_layers import LayerValue, is_link, make_layer
from puzzlekit.scene import (
    NOTHING,
    Fill,
    Layer,
    Lines,
    Outside,
    Scene,
    Text,
    TextSpan,
    without_duplicates,
)

Values = Mapping[Variable, Value]


def shows_unknowns(layer: PictureLayer, instance: Instance) -> bool:
    """Return whether a layer shows unknowns, and so needs a solution."""
    return not layer.expression.names.isdisjoint(instance.families)


def drawn_unknowns(pictures: Iterable[Picture], instance: Instance) -> set[str]:
    """Return the names of the unknowns that pictures show."""
    names = {
        name
        for picture in pictures
        for expression in picture.expressions
        for name in expression.names
    }
    return names & instance.families.keys()


def scenes_of(
    instance: Instance, values: Values | None, pictures: Sequence[Picture] | None = None
) -> list[Scene]:
    """Return the scenes of a puzzle: alone if `values` is None, else with that solution.

    Of several pictures, the puzzle alone is those that show nothing of a solution, if there are
    any.

    Raises:
        Problems: A layer cannot show what its expression gives.
    """
    stated = pictures_of(instance) if pictures is None else pictures
    drawings = [board_picture(instance, picture) for picture in stated if picture.expressions]
    if values is None:
        alone = [
            own
            for own in drawings
            if not any(shows_unknowns(layer, instance) for layer in own.picture.layers)
        ]
        drawings = alone or drawings
    scenes = [
        scene for scene in (drawing.scene(instance, values) for drawing in drawings) if scene.cells
    ]
    if len(scenes) == 1 < len(stated):  # its title says which of several boards it is
        return [replace(scenes[0], title=NOTHING)]
    return scenes


class BoardPicture:
    """A picture of a bound puzzle: its board, and the layers that need no solution.

    Attributes:
        picture: The picture.
        units: Its layers; those that make one layer of the scene stand together.
        cells: The cells of the given layers and of the unknowns.
        board: The board that is drawn; None if no board has the cells.
        given: The layers that need no solution, by their place in `units`.
    """

    def __init__(self, instance: Instance, picture: Picture) -> None:
        self.picture = picture
        self.units = list(_units(picture))
        known = [
            n
            for n, unit in enumerate(self.units)
            if not any(shows_unknowns(layer, instance) for layer in unit)
        ]
        stated = {n: _stated(instance, self.units[n], None) for n in known}
        unknowns = [own for layer in picture.layers for own in _unknowns_of(layer, instance)]
        values = [*unknowns, *(one.value for parts in stated.values() for one in parts)]
        self.cells = {cell for value in values for cell in _cells_in(value)}
        own = None if picture.board is None else _board(instance, picture.board)
        self.board = _frame(instance, self.cells) if own is None else own
        lines = {
            n: unit[0]
            for n, unit in enumerate(self.units)
            if unit[0].name == "lines" and n not in stated
        }
        stated |= {n: [_where(instance, layer)] for n, layer in lines.items()}
        self.given = {
            n: self._made(instance, parts, self.board) for n, parts in stated.items() if parts
        }
        if any(_is_plain(unit, instance) for unit in self.units):
            self._try(instance)

    def _try(self, instance: Instance) -> None:
        """Make the layers of plain unknowns with any values: what they cannot show is reported
        before the search.
        """
        values = {variable: domain[0] for variable, domain in instance.model.domains.items()}
        for unit in self.units:
            if _is_plain(unit, instance) and (parts := _stated(instance, unit, values)):
                self._made(instance, parts, self.board)

    def scene(self, instance: Instance, values: Values | None) -> Scene:
        """Return the scene: of the puzzle alone if `values` is None, else with that solution."""
        layers, board, cells = dict(self.given), self.board, self.cells
        if values is not None:
            found = [
                n
                for n, unit in enumerate(self.units)
                if any(shows_unknowns(layer, instance) for layer in unit)
            ]
            stated = {n: _stated(instance, self.units[n], values) for n in found}
            computed = [
                one.value
                for parts in stated.values()
                for one in parts
                if not isinstance(one.value, VariableArray)
            ]
            more = {cell for value in computed for cell in _cells_in(value)} - cells
            if more and self.picture.board is None:
                cells = cells | more
                board = _frame(instance, cells)
            layers |= {
                n: self._made(instance, parts, board, cells) for n, parts in stated.items() if parts
            }
        frame = tuple(board.cells) if board is not None else tuple(sorted(cells))
        drawn = tuple(layers[n] for n in sorted(layers) if not _is_empty(layers[n]))
        if self.picture.coordinates and board is not None:
            columns, rows = (
                [(str(n),) for n in range(1, size + 1)] for size in (board.width, board.height)
            )
            drawn = (
                *drawn,
                Outside(True, columns, "top", rim=True),
                Outside(True, rows, "left", rim=True),
            )
        return without_duplicates(
            Scene(
                frame,
                drawn,
                board.form if board is not None else "square",
                TextSpan(self.picture.title),
            )
        )

    def layer(self, number: int, instance: Instance, values: Values) -> Layer | None:
        """Return one layer with a solution, whatever is given at its places; None if it shows
        nothing.
        """
        parts = _stated(instance, self.units[number], values)
        return self._made(instance, parts, self.board) if parts else None

    def _made(
        self,
        instance: Instance,
        parts: Sequence[LayerValue],
        board: Grid | None,
        cells: Iterable[Any] = (),
    ) -> Layer:
        frame = board or Grid(dict.fromkeys(cells or self.cells))
        at = parts[0].expression
        try:
            for part in parts:
                at = part.expression
                self._check_places(part, frame)
            at = parts[0].expression
            return make_layer(parts, frame)
        except ExpressionError as error:
            assert at is not None
            _raise_at(instance, at, error)

    def _check_places(self, part: LayerValue, board: Grid) -> None:
        """Raise ExpressionError if a layer has a cell or a corner that is not on the board."""
        places = {} if part.name == "outside" else dict.fromkeys(_places_in(part.value))
        known: set[Any] = {*board.values}
        if any(isinstance(place, Corner) for place in places):
            known.update(board.corners)
        if (stray := next((place for place in places if place not in known), None)) is not None:
            help = (
                ""
                if self.picture.board is None
                else "the board of a picture must have all cells of its layers"
            )
            raise ExpressionError(f"{stray} is not on the board of the picture", help=help)


def _is_empty(layer: Layer) -> bool:
    """Return whether a given layer has nothing to draw."""
    return layer.is_given and not isinstance(layer, Outside | Lines) and not layer.elements


_DRAWINGS: WeakKeyDictionary[Instance, dict[int, BoardPicture]] = WeakKeyDictionary()


def board_picture(instance: Instance, picture: Picture) -> BoardPicture:
    """Return the drawing of a picture: what needs no solution is worked out once."""
    own = _DRAWINGS.setdefault(instance, {})
    if id(picture) not in own:
        own[id(picture)] = BoardPicture(instance, picture)
    return own[id(picture)]


def _units(picture: Picture) -> Iterator[list[PictureLayer]]:
    """Yield what makes one layer of a scene: the parts of cages are one."""
    cages = [layer for layer in picture.layers if layer.name == "cages"]
    for layer in picture.layers:
        if layer.name != "cages":
            yield [layer]
        elif layer is cages[0]:
            yield cages


def _stated(
    instance: Instance, unit: Sequence[PictureLayer], values: Values | None
) -> list[LayerValue]:
    """Return the values of layers, except those that have none."""
    evaluated = [(layer, instance.evaluate(layer.expression, values)) for layer in unit]
    given = values is None
    return [
        LayerValue(layer.name, layer.variant, value, given, layer.expression)
        for layer, value in evaluated
        if value is not None
    ]


def _where(instance: Instance, layer: PictureLayer) -> LayerValue:
    """Return the lines of a layer as they are before they are found: only where they may be."""
    keys = {key: 0 for own in _unknowns_of(layer, instance) for key in own if is_link(key)}
    return LayerValue(layer.name, layer.variant, keys, True, layer.expression)


def _unknowns_of(layer: PictureLayer, instance: Instance) -> Iterator[Mapping[Any, Any]]:
    """Yield the unknowns that a layer shows, by index; of a definition, what it stands for."""
    defined = instance.definitions.get(layer.expression.text.text.strip())
    if isinstance(defined, VariableArray):
        yield defined.members
        return
    for name in sorted(layer.expression.names & instance.families.keys()):
        yield instance.families[name].members


def _is_plain(unit: Sequence[PictureLayer], instance: Instance) -> bool:
    """Return whether layers show unknowns, and nothing that is computed from them."""
    found = [layer for layer in unit if shows_unknowns(layer, instance)]
    return bool(found) and all(
        layer.expression.text.text.strip() in instance.families for layer in found
    )


def _board(instance: Instance, expression: Expression) -> Grid | None:
    """Return the board that a picture states; None if the data lack it.

    Raises:
        Problems: It is no board.
    """
    value = instance.evaluate(expression, None)
    if value is not None and not isinstance(value, Grid):
        help = "such as a grid of the data, or board(rows, columns)"
        _raise_at(
            instance,
            expression,
            ExpressionError(f"expected a board, got {display_text(value)}", help=help),
        )
    return value


def _raise_at(instance: Instance, expression: Expression, error: ExpressionError) -> NoReturn:
    """Raise Problems with an error at its expression."""
    error_in(expression, error)
    instance.type.source.raise_problems()
    raise error


def _cells_in(value: Any) -> Iterator[Cell]:
    """Yield the cells that a value is about."""
    return (place for place in _places_in(value) if isinstance(place, Cell))


def _places_in(value: Any) -> Iterator[Cell | Corner]:
    """Yield the cells and corners that a value is about: its keys, those in them, or those of the
    groups that it names.
    """
    found = as_mapping(value)
    for key in (
        found if found is not None else value if isinstance(value, tuple | frozenset) else ()
    ):
        if isinstance(key, Cell | Corner):
            yield key
            continue
        inner = getattr(key, "cells", key)
        if found is not None and not isinstance(inner, tuple | frozenset):
            inner = cells_of(found[key])
        yield from (
            (part for part in inner if isinstance(part, Cell | Corner))
            if isinstance(inner, tuple | frozenset)
            else ()
        )


def _frame(instance: Instance, cells: set[Any]) -> Grid | None:
    """Return the first board that has all of these cells: of the data, else of `let`."""
    lets = (instance.scope.get(let.name) for let in instance.type.lets)
    boards = [*instance.grids, *(value for value in lets if isinstance(value, Grid))]
    return next(
        (board for board in boards if cells <= board.values.keys() and (cells or len(board))), None
    )


def family_scene(instance: Instance, family: VariableArray, colours: Any = None) -> Scene | None:
    """Return a scene of one family of unknowns with these values; None if it is not on a board.

    It has what the puzzle alone shows, as far as the two do not fill the same cells.
    """
    own = over_of(family, tuple(family))
    kinds = {"cells": "shade" if own.truths or own.colours else "text", "links": "lines"}
    kind = kinds.get(own.over, "pieces" if own.over == "groups" and own.truths else "")
    if not kind or not family.members:
        return None
    cells = set(_cells_in(family))
    alone = next((scene for scene in scenes_of(instance, None) if cells <= set(scene.cells)), None)
    grid = _frame(instance, cells) or Grid(dict.fromkeys(cells))
    stated = [(kind, family), *([("shade", colours)] if colours is not None else [])]
    layers = [_layer_of(kind, what, grid) for kind, what in stated]
    if alone is None:
        return Scene(tuple(grid.cells), tuple(layers), grid.form)
    kept = [
        layer
        for layer in alone.layers
        if not isinstance(layer, Fill) and (kind != "text" or not isinstance(layer, Text))
    ]
    return replace(alone, layers=(*kept, *layers), title=NOTHING)


def _layer_of(kind: str, value: Any, grid: Grid) -> Layer:
    return make_layer([LayerValue(kind, "", value, False)], grid)
