"""What a player enters: at which places of a picture, and what may stand there.

A picture says what a solution looks like, and so what a player enters. Layers that show the same
unknowns are entered together. What may stand at a place is found by drawing the picture with the
first value of all unknowns, with the second, and so on: most places depend on one unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Literal

from puzzlekit.boards import Side
from puzzlekit.errors import InputError
from puzzlekit.lang import Instance
from puzzlekit.lang.puzzle_type import Picture
from puzzlekit.model import Value, Variable
from puzzlekit.render.build import BoardPicture, board_picture, shows_unknowns
from puzzlekit.render.make_layers import point_of
from puzzlekit.scene import (
    Borders,
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
EntryCategory = Literal["cells", "lines", "pieces", "sides", "words"]
Token = tuple[tuple[str, str], ...]  # what stands at a place: pairs of a kind and what it shows
Draw = Callable[[Values], dict[Any, Token]]  # what stands at each place, for values of the unknowns

NOTHING: Token = ()
ORDER: tuple[EntryCategory, ...] = (
    "pieces",
    "lines",
    "cells",
    "sides",
)  # what is entered where layers of several kinds show the same
BOARDS = 16  # that are drawn at random, each in less than a thousandth of a second
TRIED = 64  # values of an unknown that are drawn; where it has more, any text may be entered


@dataclass(frozen=True)
class Entry:
    """What is entered for some unknowns.

    Attributes:
        name: The names of the unknowns.
        kind: `cells` for signs, shades and texts at single places; `lines` between two places;
            `pieces` for groups of cells; `sides` for the borders of regions; `words` for unknowns
            that no picture shows.
        scene: The number of the picture; -1 of `words`.
        places: Where something may stand: points in half steps, pairs of them, or labels.
        tokens: What may stand at some place; the first is nothing.
        by_value: For each place, the number of the token for each value of its unknown.
        free: Whether any text may be entered; `by_value` is empty.
        unknowns: For each place, the unknown that alone says what stands there, None where several
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
    _layers: tuple[tuple[BoardPicture, int], ...] = field(default=(), repr=False)

    @property
    def linked(self) -> list[list[int]]:
        """The places that show the same unknown, where there are several."""
        places: dict[Variable, list[int]] = {}
        for place, variable in enumerate(self.unknowns if self.by_value else ()):
            if variable is not None:
                places.setdefault(variable, []).append(place)
        return [group for group in places.values() if len(group) > 1]

    @property
    def open(self) -> tuple[tuple[int, ...], ...]:
        """For each place, the numbers of the tokens that may stand there."""
        return tuple(tuple(dict.fromkeys(tokens)) for tokens in self.by_value)

    def entered(self, instance: Instance, values: Values) -> list[str]:
        """Return what a player enters for a solution: a text for each place, or for each piece."""
        if self.category == "words":
            texts = [str(values[variable]) for variable in self.unknowns if variable is not None]
            return [text.lower() for text in texts] if self.free else texts
        drawn = [
            layer
            for drawing, number in self._layers
            if (layer := drawing.layer(number, instance, values))
        ]
        if self.category == "pieces":
            number = {cell: place for place, cell in enumerate(self.positions)}
            groups = (
                piece.cells
                for layer in drawn
                if isinstance(layer, Pieces)
                for piece in layer.pieces
            )
            return sorted(
                " ".join(map(str, sorted(number[centre(cell)] for cell in group)))
                for group in groups
            )
        shown = _tokens(drawn, self.category)
        return [token_text(shown.get(place, NOTHING)) for place in self.positions]

    def widened(self, entered: Sequence[str]) -> Entry:
        """Return the entry with room for a solution: where a place depends on several unknowns, any
        text may be entered.

        Raises InputError where it is no text.
        """
        if self.free or self.category in ("pieces", "words"):
            return self
        texts = [token_text(token) for token in self.tokens]
        if all(text in [texts[n] for n in may] for text, may in zip(entered, self.open)):
            return self
        if any(kind != "text" for token in self.tokens for kind, _ in token):
            raise InputError(
                f"{self.name} cannot be entered: what is drawn at a place depends on several unknowns"
            )
        return replace(self, by_value=(), free=True, unknowns=())


def token_text(token: Token) -> str:
    """Return a token as text.

    Examples:
        >>> token_text((("shade", "full"), ("text", "7")))
        'shade:full,text:7'
    """
    return ",".join(f"{kind}:{what}" for kind, what in token)


def entries_of(instance: Instance, pictures: Sequence[Picture]) -> list[Entry]:
    """Return what a player enters, in the order of the pictures; last the unknowns that no picture
    shows.
    """
    entries: list[Entry] = []
    drawn = set[str]()
    for scene, picture in enumerate(pictures):
        drawing = board_picture(instance, picture)
        for names, units in _together(instance, drawing):
            if not names <= drawn and (
                entry := _entry(instance, scene, names, [(drawing, n) for n in units])
            ):
                entries.append(entry)
                drawn |= names
    left = {name: family for name, family in instance.families.items() if name not in drawn}
    visible = set(instance.model.visible())
    for name, family in left.items():
        if family and any(variable in visible for variable in family):
            labels = tuple(f"{name} {key}" if key != () else name for key in family.members)
            entries.append(_words(instance, name, labels, tuple(family)))
    return entries


def _together(instance: Instance, drawing: BoardPicture) -> Iterator[tuple[frozenset[str], list[int]]]:
    """Yield the layers that show the same unknowns, with the names of these."""
    groups: list[tuple[frozenset[str], list[int]]] = []
    for number, unit in enumerate(drawing.units):
        found = [layer for layer in unit if shows_unknowns(layer, instance)]
        names = frozenset(
            name for layer in found for name in layer.expression.names & instance.families.keys()
        )
        if names:
            joined = [group for group in groups if group[0] & names]
            groups = [group for group in groups if group not in joined]
            groups.append(
                (
                    names.union(*(own for own, _ in joined)),
                    [n for _, own in joined for n in own] + [number],
                )
            )
    yield from groups


def _entry(
    instance: Instance, scene: int, names: frozenset[str], layers: list[tuple[BoardPicture, int]]
) -> Entry | None:
    """Return what is entered for unknowns; None if their layers have no places for a pen."""
    variables = [variable for name in sorted(names) for variable in instance.families[name]]
    domains = instance.model.domains
    values = {variable: domain[0] for variable, domain in domains.items()}
    most = max(len(domains[variable]) for variable in variables)
    made: list[tuple[int, list[Layer | None]]] = []
    for turn in range(min(most, TRIED)):
        values |= {variable: _at(domains[variable], turn) for variable in variables}
        made.append((turn, [drawing.layer(number, instance, values) for drawing, number in layers]))
    kinds = {kind for _, row in made for layer in row if (kind := _kind(layer))}
    kind = next((kind for kind in ORDER if kind in kinds), None)
    if kind is None:
        return None
    name = ", ".join(sorted(names))
    own = tuple(at for at, layer in zip(layers, made[0][1]) if _kind(layer) == kind)
    board = tuple(map(centre, layers[0][0].board.cells)) if layers[0][0].board is not None else ()
    if kind == "pieces":
        return Entry(name, kind, scene, board, _layers=own)
    shown = [_tokens([layer for layer in row if layer], kind) for _, row in made]
    places = tuple(dict.fromkeys(place for row in shown for place in row))
    if kind == "sides":
        cells = {(y // 2, x // 2) for y, x in board}
        places = tuple(
            sorted(
                {
                    side
                    for cell in cells
                    for side in sides(cell)
                    if cells.issuperset(cells_beside(side))
                }
            )
        )
        return Entry(
            name,
            kind,
            scene,
            places,
            (NOTHING, (("side", "1"),)),
            tuple((0, 1) for _ in places),
            _layers=own,
        )
    found = {row.get(place, NOTHING) for row in shown for place in places} - {NOTHING}
    tokens = (NOTHING, *sorted(found, key=_order))
    number = {token: n for n, token in enumerate(tokens)}
    by_value = tuple(tuple(number[row.get(place, NOTHING)] for row in shown) for place in places)
    if most > TRIED:
        return Entry(name, kind, scene, places, tokens, free=True, _layers=own)

    def drawn(given: Values) -> dict[Any, Token]:
        found = (drawing.layer(number, instance, {**values, **given}) for drawing, number in layers)
        return _tokens([layer for layer in found if layer], kind)

    by_place = {
        _keyed(key): variable
        for n in sorted(names)
        for key, variable in instance.families[n].members.items()
    }
    entry = Entry(name, kind, scene, places, tokens, by_value, _layers=own)
    keyed = by_place.keys() >= {*places}
    unknowns = (
        [by_place[place] for place in places]
        if keyed
        else _decoded(entry, variables, domains, drawn)
    )
    return replace(
        entry, unknowns=_alone(replace(entry, unknowns=tuple(unknowns)), variables, domains, drawn)
    )


def _decoded(
    entry: Entry, variables: Sequence[Variable], domains: DomainValues, drawn: Draw
) -> list[Variable | None]:
    """Return the unknown of each place.

    Unknowns are numbered from 1, and for each digit of these numbers in binary, those with a 1 take
    another value: what then stands at a place spells the number of its unknown.
    """
    other = [next((n for n, token in enumerate(by) if token != by[0]), 0) for by in entry.by_value]
    found = [0] * len(entry.positions)
    for turn in sorted({*other} - {0}):
        for digit in range(len(variables).bit_length()):
            shown = drawn(
                {v: _at(domains[v], turn * (n >> digit & 1)) for n, v in enumerate(variables, 1)}
            )
            for place, at in enumerate(entry.positions):
                if (
                    other[place] == turn
                    and shown.get(at, NOTHING) == entry.tokens[entry.by_value[place][turn]]
                ):
                    found[place] |= 1 << digit
    return [variables[number - 1] if 0 < number <= len(variables) else None for number in found]


def _alone(
    entry: Entry, variables: Sequence[Variable], domains: DomainValues, drawn: Draw
) -> tuple[Variable | None, ...]:
    """Return the unknowns of places but where another one has a say: boards are drawn with values
    at random.
    """
    chance, alone = Random(0), list(entry.unknowns)
    for _ in range(BOARDS):
        values = {variable: chance.choice(domains[variable]) for variable in variables}
        shown = drawn(values)
        for place, (at, variable) in enumerate(zip(entry.positions, alone)):
            if variable is not None:
                token = entry.by_value[place][domains[variable].index(values[variable])]
                alone[place] = variable if shown.get(at, NOTHING) == entry.tokens[token] else None
    return tuple(alone)


def _at(domain: Sequence[Value], turn: int) -> Value:
    """Return the value that an unknown has in a turn, the last one if it has no more."""
    return domain[min(turn, len(domain) - 1)]


def _kind(layer: Layer | None) -> EntryCategory | None:
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


def _tokens(layers: Sequence[Layer], kind: EntryCategory) -> dict[Any, Token]:
    """Return what layers of a kind show at each place."""
    found: dict[Any, Token] = {}
    for layer in layers:
        if _kind(layer) == kind:
            for place, part in _shown(layer):
                found[place] = (*found.get(place, NOTHING), *part)
    return found


def _shown(layer: Layer) -> Iterator[tuple[Any, Token]]:
    """Yield what a layer shows, by place; nothing at the places where something may stand."""
    match layer:
        case Fill():
            yield from (
                (centre(cell), (("shade", tone),) if tone else NOTHING)
                for cell, tone in layer.tones.items()
            )
        case Text():
            kind = "corner" if layer.corner else "text"
            yield from ((centre(cell), ((kind, text),)) for cell, text in layer.texts.items())
        case Symbols():
            yield from ((place, (("sign", name),)) for place, name in layer.symbols.items())
        case Diagonals():
            yield from (
                (centre(cell), (("diagonal", str(int(falls))),))
                for cell, falls in layer.falling.items()
            )
        case Lines():
            yield from ((link, (("line", str(count)),)) for link, count in layer.links.items())
        case Borders():
            yield from ((side, (("side", "1"),)) for side in layer.sides)
        case _:
            pass


def _order(token: Token) -> tuple[Any, ...]:
    """Return what sorts tokens: numbers by size, then texts."""
    return tuple((kind, int(what) if what.isdecimal() else 10**9, what) for kind, what in token)


def _keyed(key: Any) -> Any:
    """Return the place of an unknown with this index, as an entry has it."""
    ends = [point_of(end) for end in key] if isinstance(key, tuple | Side) else []
    return (
        tuple(sorted(end for end in ends if end)) if len(ends) == 2 and all(ends) else point_of(key)
    )


def _words(
    instance: Instance, name: str, labels: tuple[str, ...], unknowns: tuple[Variable, ...]
) -> Entry:
    """Return an entry of unknowns that no picture shows, by their labels."""
    domains = [[str(value) for value in instance.model.domains[variable]] for variable in unknowns]
    if max(map(len, domains)) > TRIED:
        return Entry(name, "words", -1, labels, free=True, unknowns=unknowns)
    tokens = tuple(dict.fromkeys(text for domain in domains for text in domain))
    number = {text: n for n, text in enumerate(tokens, 1)}
    by_value = tuple(tuple(number[text] for text in domain) for domain in domains)
    return Entry(
        name,
        "words",
        -1,
        labels,
        (NOTHING, *((("text", text),) for text in tokens)),
        by_value,
        unknowns=unknowns,
    )
