"""What a player enters: at which positions of a picture, and what may stand there.

A picture shows a solution, and so what a player enters. Layers that show the same unknowns are
entered together. To learn what may stand at a position, the picture is drawn with the first value
of all unknowns, with the second, and so on: most positions depend on one unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain
from random import Random
from typing import Any, Literal, Protocol

from puzzlekit.boards import Side
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError
from puzzlekit.lang import Instance, Picture, VariableArray
from puzzlekit.model import Value, Variable
from puzzlekit.play.columns import ColumnsPicture
from puzzlekit.reasons import cells_in
from puzzlekit.render import BoardPicture, board_picture, point_of, shows_unknowns
from puzzlekit.scene import (
    Borders,
    CellPos,
    Diagonals,
    Fill,
    Layer,
    Lines,
    Pieces,
    Symbols,
    Text,
    cells_beside,
    centre,
    sides,
)

Values = Mapping[Variable, Value]
DomainValues = Mapping[Variable, Sequence[Value]]
EntryCategory = Literal["cells", "lines", "paths", "pieces", "sides", "words"]
Token = tuple[tuple[str, str], ...]  # pairs of a type and a content, such as a text

NOTHING: Token = ()
# the category of what is entered where layers of several categories show the same
ORDER: tuple[EntryCategory, ...] = ("pieces", "lines", "cells", "sides")
BOARDS = 16  # that are drawn at random, each in less than a thousandth of a second
TRIED = 64  # values of an unknown that are drawn; where it has more, any text may be entered


@dataclass(frozen=True)
class Entry:
    """What is entered for some unknowns.

    Attributes:
        name: The names of the unknowns.
        category: `cells` for signs, shades and texts at single points; `lines` between two points;
            `pieces` for groups of cells; `sides` for the borders of regions; `paths` for ways
            through cells that are on the board or not; `words` for other unknowns that no picture
            shows.
        scene: The number of the picture; -1 of `words`.
        positions: Where something may stand: points in half steps, pairs of them,
            the numbers of the cells of a path, or labels.
        tokens: What may stand at some position; the first is nothing.
        by_value: For each position, the number of the token for each value of its unknown.
        free: Whether any text may be entered; `by_value` is empty.
        unknowns: For each position, the unknown that alone determines its token, None where several
            do; empty of `pieces` and `sides`.
    """

    name: str
    category: EntryCategory
    scene: int
    positions: tuple[Any, ...]
    tokens: tuple[Token, ...] = (NOTHING,)
    by_value: tuple[tuple[int, ...], ...] = ()
    free: bool = False
    unknowns: tuple[Variable | None, ...] = ()
    _layers: tuple[tuple[EntryPicture, int], ...] = field(default=(), repr=False)

    @property
    def linked(self) -> list[list[int]]:
        """The positions that show the same unknown, where there are several."""
        numbers: dict[Variable, list[int]] = {}
        if self.by_value:
            for number, variable in enumerate(self.unknowns):
                if variable is not None:
                    numbers.setdefault(variable, []).append(number)
        return [group for group in numbers.values() if len(group) > 1]

    @property
    def open(self) -> tuple[tuple[int, ...], ...]:
        """For each position, the numbers of the tokens that may stand there."""
        return tuple(tuple(dict.fromkeys(tokens)) for tokens in self.by_value)

    def entered(self, instance: Instance, values: Values) -> list[str]:
        """Return what a player enters for a solution: a text for each position or each piece."""
        if self.category == "words":
            texts = [str(values[variable]) for variable in self.unknowns if variable is not None]
            return [text.lower() for text in texts] if self.free else texts
        if self.category == "paths":
            is_marked = [values[variable] for variable in self.unknowns if variable is not None]
            return [token_text(self.tokens[int(bool(value))]) for value in is_marked]
        layers = _layers_with(self._layers, instance, values)
        if self.category == "pieces":
            return self._entered_pieces(layers)
        tokens = _tokens(layers, self.category)
        return [token_text(tokens.get(position, NOTHING)) for position in self.positions]

    def _entered_pieces(self, layers: Sequence[Layer]) -> list[str]:
        """Return the numbers of the cells of each piece, as text."""
        numbers = {position: number for number, position in enumerate(self.positions)}
        texts = []
        for layer in layers:
            if isinstance(layer, Pieces):
                for piece in layer.pieces:
                    cells = sorted(numbers[centre(cell)] for cell in piece.cells)
                    texts.append(" ".join(map(str, cells)))
        return sorted(texts)

    def widened(self, entered: Sequence[str]) -> Entry:
        """Return the entry with room for a solution.

        Where a position depends on several unknowns, any text may be entered. Raises InputError
        where its contents are no text.
        """
        if self.free or self.category in ("paths", "pieces", "words"):
            return self
        texts = list(map(token_text, self.tokens))
        choices = [[texts[number] for number in numbers] for numbers in self.open]
        pairs = zip(entered, choices)
        if all(text in allowed for text, allowed in pairs):
            return self
        types = {type_ for token in self.tokens for type_, _ in token}
        if types - {"text"}:
            raise InputError(
                f"{self.name} cannot be entered: "
                "what is drawn at a place depends on several unknowns"
            )
        return replace(self, by_value=(), free=True, unknowns=())


def token_text(token: Token) -> str:
    """Return a token as text.

    Examples:
        >>> token_text((("shade", "full"), ("text", "7")))
        'shade:full,text:7'
    """
    return ",".join(f"{type_}:{content}" for type_, content in token)


class EntryPicture(Protocol):
    """A picture with layers that show unknowns."""

    @property
    def board(self) -> Any:
        """The board that is drawn; None if it is no board of the type."""

    def layer(self, number: int, instance: Instance, values: Values) -> Layer | None:
        """Return the layer of a number, for values of all unknowns."""


def entries_of(
    instance: Instance, pictures: Sequence[Picture], columns: Sequence[ColumnsPicture] = ()
) -> list[Entry]:
    """Return what a player enters, in the order of the pictures.

    Values in columns come next, and the unknowns that no picture shows last.
    """
    entries: list[Entry] = []
    drawn = set[str]()
    for scene, picture in enumerate(pictures):
        drawing = board_picture(instance, picture)
        for names, units in _together(instance, drawing):
            if names <= drawn:
                continue
            layers: list[tuple[EntryPicture, int]] = [(drawing, number) for number in units]
            entry = _UnknownsReader(instance, scene, names, layers).entry()
            if entry is not None:
                entries.append(entry)
                drawn |= names
    for scene, columns_picture in enumerate(columns, len(pictures)):
        reader = _UnknownsReader(instance, scene, columns_picture.names, [(columns_picture, 0)])
        entry = None if columns_picture.names <= drawn else reader.entry()
        if entry is not None:
            entries.append(entry)
            drawn |= columns_picture.names
    visible = set(instance.model.visible())
    for name, family in instance.families.items():
        if name not in drawn and not visible.isdisjoint(family):
            entries.append(
                _paths(instance, name, family, pictures) or _words(instance, name, family)
            )
    return entries


def _together(
    instance: Instance, drawing: BoardPicture
) -> Iterator[tuple[frozenset[str], list[int]]]:
    """Yield the layers that show the same unknowns, with the names of these."""
    groups: list[tuple[frozenset[str], list[int]]] = []
    for number, unit in enumerate(drawing.units):
        names = frozenset[str]()
        for layer in unit:
            if shows_unknowns(layer, instance):
                names |= layer.expression.names & instance.families.keys()
        if not names:
            continue
        separate = []
        units = []
        joined_names = names
        for group_names, group_units in groups:
            if group_names & names:
                joined_names |= group_names
                units += group_units
            else:
                separate.append((group_names, group_units))
        groups = [*separate, (joined_names, [*units, number])]
    yield from groups


def _layers_with(
    layers: Sequence[tuple[EntryPicture, int]], instance: Instance, values: Values
) -> list[Layer]:
    """Return the layers that show something of these values."""
    drawn = [drawing.layer(number, instance, values) for drawing, number in layers]
    return [layer for layer in drawn if layer is not None]


class _UnknownsReader:
    """Reads what is entered for unknowns from boards that are drawn with some of their values.

    Args:
        instance: The bound puzzle.
        scene: The number of the picture.
        names: The names of the unknowns.
        layers: The layers that show them.
    """

    def __init__(
        self,
        instance: Instance,
        scene: int,
        names: frozenset[str],
        layers: Sequence[tuple[EntryPicture, int]],
    ) -> None:
        self.instance = instance
        self.scene = scene
        self.names = sorted(names)
        self.layers = layers
        self.domains: DomainValues = instance.model.domains
        self.first_values = {variable: domain[0] for variable, domain in self.domains.items()}
        self.variables: list[Variable] = []
        for name in self.names:
            self.variables += instance.families[name]
        domains = map(self.domains.__getitem__, self.variables)
        self.longest = max(map(len, domains))

    def entry(self) -> Entry | None:
        """Return what is entered for the unknowns; None if no layer of them can be entered."""
        rows = self._rows()
        categories = {_category(layer) for row in rows for layer in row}
        category = next((category for category in ORDER if category in categories), None)
        if category is None:
            return None
        used = [layer for layer, drawn in zip(self.layers, rows[0]) if _category(drawn) == category]
        board = self.layers[0][0].board
        cells = () if board is None else tuple(board.cells)
        centres = tuple(map(centre, cells))
        name = ", ".join(self.names)
        entry = Entry(name, category, self.scene, centres, _layers=tuple(used))
        if category == "pieces":
            return entry
        if category == "sides":
            return _sides_entry(entry, cells)
        drawn_rows = [list(filter(None, row)) for row in rows]
        boards = [_tokens(row, category) for row in drawn_rows]
        entry = _with_tokens(entry, boards)
        if self.longest > TRIED:
            return replace(entry, by_value=(), free=True)
        entry = replace(entry, unknowns=self._unknowns(entry))
        return replace(entry, unknowns=self._sole_unknowns(entry))

    def _rows(self) -> list[list[Layer | None]]:
        """Return the layers with the first value of all unknowns, with the second, and so on."""
        values = dict(self.first_values)
        rows = []
        for turn in range(min(self.longest, TRIED)):
            for variable in self.variables:
                values[variable] = _value_at(self.domains[variable], turn)
            row = [drawing.layer(number, self.instance, values) for drawing, number in self.layers]
            rows.append(row)
        return rows

    def _drawn(self, entry: Entry, values: Values) -> dict[Any, Token]:
        """Return what stands at each position, for values of the unknowns."""
        layers = _layers_with(self.layers, self.instance, {**self.first_values, **values})
        return _tokens(layers, entry.category)

    def _unknowns(self, entry: Entry) -> tuple[Variable | None, ...]:
        """Return the unknown of each position: that of its index, else one that is decoded."""
        by_position = {}
        for name in self.names:
            for key, variable in self.instance.families[name].members.items():
                by_position[_position_of(key)] = variable
        if by_position.keys() >= set(entry.positions):
            return tuple(by_position[position] for position in entry.positions)
        return tuple(self._decoded(entry))

    def _decoded(self, entry: Entry) -> list[Variable | None]:
        """Return the unknown of each position.

        Unknowns are numbered from 1, and for each digit of these numbers in binary, those with a 1
        take another value: what then stands at a position spells the number of its unknown.
        """
        turns = list(map(_first_difference, entry.by_value))
        numbers = [0] * len(entry.positions)
        for turn in sorted(set(turns) - {0}):
            for digit in range(len(self.variables).bit_length()):
                values = {}
                for number, variable in enumerate(self.variables, 1):
                    has_digit = number >> digit & 1
                    values[variable] = _value_at(self.domains[variable], turn * has_digit)
                drawn = self._drawn(entry, values)
                for index, position in enumerate(entry.positions):
                    token = entry.tokens[entry.by_value[index][turn]]
                    is_changed = drawn.get(position, NOTHING) == token
                    if is_changed and turns[index] == turn:
                        numbers[index] |= 1 << digit
        by_number = dict(enumerate(self.variables, 1))
        return [by_number.get(number) for number in numbers]

    def _sole_unknowns(self, entry: Entry) -> tuple[Variable | None, ...]:
        """Return the unknowns of positions; None where others have an influence, too.

        Boards are drawn with values at random.
        """
        random = Random(0)
        unknowns = list(entry.unknowns)
        for _ in range(BOARDS):
            values = {
                variable: random.choice(self.domains[variable]) for variable in self.variables
            }
            drawn = self._drawn(entry, values)
            for index, position in enumerate(entry.positions):
                variable = unknowns[index]
                if variable is not None:
                    value_number = self.domains[variable].index(values[variable])
                    token = entry.tokens[entry.by_value[index][value_number]]
                    if drawn.get(position, NOTHING) != token:
                        unknowns[index] = None
        return tuple(unknowns)


def _sides_entry(entry: Entry, cells: Sequence[CellPos]) -> Entry:
    """Return the entry of the borders between cells."""
    board = {(row, column) for row, column in cells}
    every_side = set(chain.from_iterable(map(sides, board)))
    inner = [side for side in every_side if board.issuperset(cells_beside(side))]
    border: Token = (("side", "1"),)
    by_value = ((0, 1),) * len(inner)
    positions = tuple(sorted(inner))
    return replace(entry, positions=positions, tokens=(NOTHING, border), by_value=by_value)


def _with_tokens(entry: Entry, boards: Sequence[Mapping[Any, Token]]) -> Entry:
    """Return an entry with the positions and tokens of boards, one for each value."""
    positions = tuple(dict.fromkeys(chain.from_iterable(boards)))
    drawn = set[Token]()
    for board in boards:
        drawn.update(board.values())
    tokens = (NOTHING, *sorted(drawn - {NOTHING}, key=_token_order))
    numbers = {token: number for number, token in enumerate(tokens)}

    def by_board(position: Any) -> tuple[int, ...]:
        return tuple(numbers[board.get(position, NOTHING)] for board in boards)

    by_value = map(by_board, positions)
    return replace(entry, positions=positions, tokens=tokens, by_value=tuple(by_value))


def _first_difference(tokens: Sequence[int]) -> int:
    """Return the index of the first token that differs from the first; 0 if all are the same."""
    for index, token in enumerate(tokens):
        if token != tokens[0]:
            return index
    return 0


def _value_at(domain: Sequence[Value], turn: int) -> Value:
    """Return the value that an unknown has in a turn, the last one if it has no more."""
    return domain[min(turn, len(domain) - 1)]


def _category(layer: Layer | None) -> EntryCategory | None:
    """Return how a layer is entered; None of those that cannot be."""
    match layer:
        case Pieces():
            return "pieces"
        case Lines():
            return "lines"
        case Fill() | Text() | Symbols() | Diagonals():
            return "cells"
        case Borders():
            return "sides"
        case _:
            return None


def _tokens(layers: Sequence[Layer], category: EntryCategory) -> dict[Any, Token]:
    """Return the token at each position of the layers of a category."""
    tokens: dict[Any, Token] = {}
    for layer in layers:
        if _category(layer) == category:
            for position, token in _layer_tokens(layer):
                tokens[position] = (*tokens.get(position, NOTHING), *token)
    return tokens


def _layer_tokens(layer: Layer) -> Iterator[tuple[Any, Token]]:
    """Yield the token at each position of a layer; nothing where something may stand."""
    match layer:
        case Fill():
            for cell, tone in layer.tones.items():
                yield centre(cell), (("shade", tone),) if tone else NOTHING
        case Text():
            type_ = "corner" if layer.corner else "text"
            for cell, text in layer.texts.items():
                yield centre(cell), ((type_, text),)
        case Symbols():
            for point, name in layer.symbols.items():
                yield point, (("sign", name),)
        case Diagonals():
            for cell, falls in layer.falling.items():
                yield centre(cell), (("diagonal", str(int(falls))),)
        case Lines():
            for link, count in layer.links.items():
                yield link, (("line", str(count)),)
        case Borders():
            for side in layer.sides:
                yield side, (("side", "1"),)
        case _:
            pass


def _token_order(token: Token) -> tuple[Any, ...]:
    """Return the sort key of a token: numbers by size, then texts."""
    keys = []
    for type_, content in token:
        number = int(content) if content.isdecimal() else 10**9
        keys.append((type_, number, content))
    return tuple(keys)


def _position_of(key: Any) -> Any:
    """Return the position of an unknown with this index, as an entry has it."""
    if isinstance(key, tuple | Side):
        ends = [point_of(end) for end in key]
        if len(ends) == 2 and None not in ends:
            return tuple(sorted(end for end in ends if end is not None))
    return point_of(key)


def _paths(
    instance: Instance, name: str, family: VariableArray, pictures: Sequence[Picture]
) -> Entry | None:
    """Return an entry of conditions on ways through cells of a board; None of other unknowns."""
    domains = instance.model.domains
    if any(set(domains[variable]) - {True, False} for variable in family):
        return None
    routes = [
        tuple(centre((cell.row, cell.column)) for cell in cells_in(key)) for key in family.members
    ]
    if not routes or min(map(len, routes)) < 2 or len(set(routes)) < len(routes):
        return None
    for scene, picture in enumerate(pictures):
        board = board_picture(instance, picture).board
        cells = () if board is None else tuple(board.cells)
        numbers = {centre(cell): number for number, cell in enumerate(cells)}
        if numbers.keys() >= set(chain.from_iterable(routes)):
            positions = tuple(tuple(numbers[point] for point in route) for route in routes)
            by_value = tuple(tuple(map(int, domains[variable])) for variable in family)
            tokens: tuple[Token, ...] = (NOTHING, (("path", "1"),))
            unknowns = tuple(family)
            return Entry(name, "paths", scene, positions, tokens, by_value, unknowns=unknowns)
    return None


def _words(instance: Instance, name: str, family: VariableArray) -> Entry:
    """Return an entry of unknowns that no picture shows, by their labels."""
    labels = [name if key == () else f"{name} {key}" for key in family.members]
    unknowns = tuple(family)
    entry = Entry(name, "words", -1, tuple(labels), unknowns=unknowns)
    domains = [list(map(str, instance.model.domains[variable])) for variable in unknowns]
    if max(map(len, domains)) > TRIED:
        return replace(entry, free=True)
    texts = dict.fromkeys(chain.from_iterable(domains))
    numbers = {text: number for number, text in enumerate(texts, 1)}
    by_value = tuple(tuple(numbers[text] for text in domain) for domain in domains)
    tokens: list[Token] = [(("text", text),) for text in texts]
    return replace(entry, tokens=(NOTHING, *tokens), by_value=by_value)
