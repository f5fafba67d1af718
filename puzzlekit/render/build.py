"""Builds the scenes of a puzzle, alone or with a solution, from the picture of its type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NoReturn
from weakref import WeakKeyDictionary

from puzzlekit.boards import Cell, Corner, Grid
from puzzlekit.lang import (
    Expression,
    ExpressionError,
    Instance,
    Picture,
    PictureLayer,
    VariableArray,
    display_text,
    error_in,
)
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
    names = set[str]()
    for picture in pictures:
        for expression in picture.expressions:
            names.update(expression.names)
    return names & instance.families.keys()


def scenes_of(
    instance: Instance, values: Values | None, pictures: Sequence[Picture] | None = None
) -> list[Scene]:
    """Return the scenes of a puzzle: alone if `values` is None, else with that solution.

    The puzzle alone has only those of several pictures that show nothing of a solution, if there
    are any.

    Raises:
        Problems: A layer cannot show the value of its expression.
    """
    if pictures is None:
        pictures = pictures_of(instance)
    boards = [board_picture(instance, picture) for picture in pictures if picture.expressions]
    if values is None:
        boards = [board for board in boards if not board.needs_solution] or boards
    scenes = [board.scene(instance, values) for board in boards]
    scenes = [scene for scene in scenes if scene.cells]
    if len(scenes) == 1 < len(pictures):  # its title says which of several boards it is
        return [replace(scenes[0], title=NOTHING)]
    return scenes


class BoardPicture:
    """A picture of a bound puzzle: its board, and the layers that need no solution.

    Attributes:
        picture: The picture.
        units: Its layers; those that make one layer of the scene stand together.
        needs_solution: Whether a layer shows unknowns.
        cells: The cells of the given layers and of the unknowns.
        board: The board that is drawn; None if no board has the cells.
        given: The layers that need no solution, by their index in `units`.
    """

    def __init__(self, instance: Instance, picture: Picture) -> None:
        self.picture = picture
        self.units = list(_units(picture))
        self._solved_units: list[int] = []  # those that need a solution
        given_values: dict[int, list[LayerValue]] = {}
        for number, unit in enumerate(self.units):
            if any(shows_unknowns(layer, instance) for layer in unit):
                self._solved_units.append(number)
            else:
                given_values[number] = _layer_values(instance, unit, None)
        self.needs_solution = bool(self._solved_units)
        self.cells = self._all_cells(instance, given_values.values())
        self.board = None
        if picture.board is not None:
            self.board = _board(instance, picture.board)
        if self.board is None:
            self.board = _board_with(instance, self.cells)
        for number in self._solved_units:
            layer = self.units[number][0]
            if layer.name == "lines":
                given_values[number] = [_possible_lines(instance, layer)]
        self.given: dict[int, Layer] = {}
        for number, values in given_values.items():
            if values:
                self.given[number] = self._make(instance, values, self.board)
        if any(_is_plain(unit, instance) for unit in self.units):
            self._try(instance)

    def _all_cells(
        self, instance: Instance, given_values: Iterable[Sequence[LayerValue]]
    ) -> set[Cell]:
        """Return the cells of the unknowns that layers show, and of given values."""
        cells = set[Cell]()
        for layer in self.picture.layers:
            for unknowns in _unknowns_of(layer, instance):
                cells.update(_cells_in(unknowns))
        for layer_value in chain.from_iterable(given_values):
            cells.update(_cells_in(layer_value.value))
        return cells

    def _try(self, instance: Instance) -> None:
        """Make the layers of plain unknowns with any values.

        A layer that cannot show them is reported before the search.
        """
        values = {variable: domain[0] for variable, domain in instance.model.domains.items()}
        for unit in self.units:
            if _is_plain(unit, instance):
                layer_values = _layer_values(instance, unit, values)
                if layer_values:
                    self._make(instance, layer_values, self.board)

    def scene(self, instance: Instance, values: Values | None) -> Scene:
        """Return the scene: of the puzzle alone if `values` is None, else with that solution."""
        layers = dict(self.given)
        board = self.board
        cells = self.cells
        if values is not None:
            solved = self._solved_values(instance, values)
            more_cells = _computed_cells(solved.values()) - cells
            if more_cells and self.picture.board is None:
                cells = cells | more_cells
                board = _board_with(instance, cells)
            for number, layer_values in solved.items():
                layers[number] = self._make(instance, layer_values, board, cells)
        drawn = [layers[number] for number in sorted(layers) if not _is_empty(layers[number])]
        title = TextSpan(self.picture.title)
        if board is None:
            scene = Scene(tuple(sorted(cells)), tuple(drawn), title=title)
        else:
            if self.picture.coordinates:
                drawn += _coordinates(board)
            scene = Scene(tuple(board.cells), tuple(drawn), board.form, title)
        return without_duplicates(scene)

    def _solved_values(self, instance: Instance, values: Values) -> dict[int, list[LayerValue]]:
        """Return the values of the layers that need a solution, by the index of their unit."""
        solved = {}
        for number in self._solved_units:
            layer_values = _layer_values(instance, self.units[number], values)
            if layer_values:
                solved[number] = layer_values
        return solved

    def layer(self, number: int, instance: Instance, values: Values) -> Layer | None:
        """Return the layer of one unit with a solution, without regard to what is given.

        None if it shows nothing.
        """
        layer_values = _layer_values(instance, self.units[number], values)
        if not layer_values:
            return None
        return self._make(instance, layer_values, self.board)

    def _make(
        self,
        instance: Instance,
        values: Sequence[LayerValue],
        board: Grid | None,
        cells: Iterable[Any] = (),
    ) -> Layer:
        """Return the layer of values. Raises Problems at the expression that cannot be shown."""
        if not board:
            board = Grid(dict.fromkeys(cells or self.cells))
        expression = values[0].expression
        try:
            for layer_value in values:
                expression = layer_value.expression
                self._check_cells(layer_value, board)
            expression = values[0].expression
            return make_layer(values, board)
        except ExpressionError as error:
            assert expression is not None
            _raise_at(instance, expression, error)

    def _check_cells(self, layer_value: LayerValue, board: Grid) -> None:
        """Raise ExpressionError if a layer has a cell or a corner that is not on the board."""
        if layer_value.name == "outside":
            return
        positions = list(_positions_in(layer_value.value))
        on_board: set[Any] = {*board.values}
        if any(isinstance(position, Corner) for position in positions):
            on_board.update(board.corners)
        for position in positions:
            if position not in on_board:
                help = ""
                if self.picture.board is not None:
                    help = "the board of a picture must have all cells of its layers"
                message = f"{position} is not on the board of the picture"
                raise ExpressionError(message, help=help)


def _computed_cells(values: Iterable[Sequence[LayerValue]]) -> set[Cell]:
    """Return the cells of values that are not plain unknowns."""
    cells = set[Cell]()
    for layer_value in chain.from_iterable(values):
        if not isinstance(layer_value.value, VariableArray):
            cells.update(_cells_in(layer_value.value))
    return cells


def _coordinates(board: Grid) -> list[Layer]:
    """Return the numbers of the columns and the rows of a board."""
    columns = [(str(number),) for number in range(1, board.width + 1)]
    rows = [(str(number),) for number in range(1, board.height + 1)]
    return [Outside(True, columns, "top", rim=True), Outside(True, rows, "left", rim=True)]


def _is_empty(layer: Layer) -> bool:
    """Return whether a given layer has nothing to draw."""
    return layer.is_given and not isinstance(layer, Outside | Lines) and not layer.elements


_BOARD_PICTURES: WeakKeyDictionary[Instance, dict[int, BoardPicture]] = WeakKeyDictionary()


def board_picture(instance: Instance, picture: Picture) -> BoardPicture:
    """Return a picture of a bound puzzle; what needs no solution is computed once."""
    cached = _BOARD_PICTURES.setdefault(instance, {})
    if id(picture) not in cached:
        cached[id(picture)] = BoardPicture(instance, picture)
    return cached[id(picture)]


def _units(picture: Picture) -> Iterator[list[PictureLayer]]:
    """Yield the layers that make one layer of a scene: all of cages are one."""
    cages = [layer for layer in picture.layers if layer.name == "cages"]
    for layer in picture.layers:
        if layer.name != "cages":
            yield [layer]
        elif layer is cages[0]:
            yield cages


def _layer_values(
    instance: Instance, unit: Sequence[PictureLayer], values: Values | None
) -> list[LayerValue]:
    """Return the values of layers, except those that are None."""
    is_given = values is None
    layer_values = []
    for layer in unit:
        value = instance.evaluate(layer.expression, values)
        if value is not None:
            layer_values.append(
                LayerValue(layer.name, layer.variant, value, is_given, layer.expression)
            )
    return layer_values


def _possible_lines(instance: Instance, layer: PictureLayer) -> LayerValue:
    """Return the lines of a layer before they are solved: only where they may be."""
    links: dict[Any, int] = {}
    for unknowns in _unknowns_of(layer, instance):
        links |= dict.fromkeys(filter(is_link, unknowns), 0)
    return LayerValue(layer.name, layer.variant, links, True, layer.expression)


def _unknowns_of(layer: PictureLayer, instance: Instance) -> Iterator[Mapping[Any, Any]]:
    """Yield the unknowns that a layer shows, by index; of a definition, those that it names."""
    definition = instance.definitions.get(layer.expression.text.text.strip())
    if isinstance(definition, VariableArray):
        yield definition.members
        return
    for name in sorted(layer.expression.names & instance.families.keys()):
        yield instance.families[name].members


def _is_plain(unit: Sequence[PictureLayer], instance: Instance) -> bool:
    """Return whether layers show unknowns, and nothing that is computed from them."""
    layers = [layer for layer in unit if shows_unknowns(layer, instance)]
    texts = [layer.expression.text.text.strip() for layer in layers]
    return bool(texts) and all(text in instance.families for text in texts)


def _board(instance: Instance, expression: Expression) -> Grid | None:
    """Return the board of the picture's `board:`; None if the data lack it.

    Raises:
        Problems: It is no board.
    """
    value = instance.evaluate(expression, None)
    if value is not None and not isinstance(value, Grid):
        message = f"expected a board, got {display_text(value)}"
        help = "such as a grid of the data, or board(rows, columns)"
        _raise_at(instance, expression, ExpressionError(message, help=help))
    return value


def _raise_at(instance: Instance, expression: Expression, error: ExpressionError) -> NoReturn:
    """Raise Problems with an error at its expression."""
    error_in(expression, error)
    instance.type.source.raise_problems()
    raise error


def _cells_in(value: Any) -> Iterator[Cell]:
    """Yield the cells of a value."""
    for position in _positions_in(value):
        if isinstance(position, Cell):
            yield position


def _positions_in(value: Any) -> Iterator[Cell | Corner]:
    """Yield the cells and corners of a value.

    They are its keys, those in its keys, or those of the groups that its keys name.
    """
    mapping = as_mapping(value)
    keys: Iterable[Any] = ()
    if mapping is not None:
        keys = mapping
    elif isinstance(value, tuple | frozenset):
        keys = value
    for key in keys:
        if isinstance(key, Cell | Corner):
            yield key
            continue
        members = getattr(key, "cells", key)
        if mapping is not None and not isinstance(members, tuple | frozenset):
            members = cells_of(mapping[key])
        if isinstance(members, tuple | frozenset):
            yield from (member for member in members if isinstance(member, Cell | Corner))


def _board_with(instance: Instance, cells: set[Any]) -> Grid | None:
    """Return the first board that has all of these cells: of the data, else of `let`."""
    lets = [instance.scope.get(let.name) for let in instance.type.lets]
    boards = [*instance.grids, *(board for board in lets if isinstance(board, Grid))]
    for board in boards:
        if cells <= board.values.keys() and (cells or len(board)):
            return board
    return None


def family_scene(instance: Instance, family: VariableArray, colours: Any = None) -> Scene | None:
    """Return a scene of one family of unknowns with these values; None if it is not on a board.

    It has what the puzzle alone shows, as far as both do not fill the same cells.
    """
    layer_name = _layer_name(family)
    if not layer_name or not family.members:
        return None
    cells = set(_cells_in(family))
    board = _board_with(instance, cells) or Grid(dict.fromkeys(cells))
    layers = [_solved_layer(layer_name, family, board)]
    if colours is not None:
        layers.append(_solved_layer("shade", colours, board))
    for scene in scenes_of(instance, None):
        if cells <= set(scene.cells):
            hidden = (Fill, Text) if layer_name == "text" else (Fill,)
            visible = [layer for layer in scene.layers if not isinstance(layer, hidden)]
            return replace(scene, layers=(*visible, *layers), title=NOTHING)
    return Scene(tuple(board.cells), tuple(layers), board.form)


def _layer_name(family: VariableArray) -> str:
    """Return the name of the layer that shows a family of values; empty if it is not on a board."""
    indexed = over_of(family, tuple(family))
    match indexed.over:
        case "cells":
            return "shade" if indexed.truths or indexed.colours else "text"
        case "links":
            return "lines"
        case "groups" if indexed.truths:
            return "pieces"
        case _:
            return ""


def _solved_layer(name: str, value: Any, board: Grid) -> Layer:
    return make_layer([LayerValue(name, "", value, False)], board)
