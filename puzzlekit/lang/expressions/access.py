"""Access to the parts of values: `x[key]`, slices, and `x.at(key, default)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from puzzlekit.boards import Cell, Cells, Grid, Placement
from puzzlekit.errors import nearest
from puzzlekit.lang.expressions.conditions import Conditions, is_row
from puzzlekit.lang.expressions.values import ATOMS, ExpressionError, Family, Groups, NoValueError, shown, value_type
from puzzlekit.model import Element, Member, Term

ROWS = frozenset({tuple, Cells})
ONLY_CELLS = frozenset({Cell})
INDEXES = 16  # of rows, that are kept
KEYED = (Family, Grid, Mapping, tuple, range, str)  # what `.at` looks into


class Access(Conditions):
    """The operations that return parts of values."""

    def __init__(self, steps: int | None = None) -> None:
        super().__init__(steps)
        self._indexes: dict[tuple[str, int], tuple[Any, Groups]] = {}  # of rows, by their identity

    def index(self, group: Any, key: Any) -> Any:
        """`group[key]`."""
        self._left -= 1
        if self._left < 0:
            self._look(1)
        of, kind = type(group), type(key)
        if of is Family:  # the most frequent cases come first
            if kind in ATOMS or kind is Cells or (kind is tuple and ATOMS.issuperset(map(type, key))):
                member = group.members.get(key)
                if member is not None:
                    return member
                if kind is Cells and group.arity == 1 and None not in (members := tuple(map(group.members.get, key))):
                    self.spend(len(members))
                    return members
        elif of in ROWS:
            if kind is int and -len(group) <= key < len(group):
                return group[key]
            if kind is slice:
                return self._part(group, key)
        elif of is Groups:
            return group.get(key, ()) if kind in ATOMS else self._group(group, key)
        elif of is dict:
            if kind in ATOMS and key in group:
                return group[key]
        elif kind is Cell and isinstance(group, Grid) and key in group.values:
            return group.values[key]
        if isinstance(group, Term):
            raise ExpressionError("an unknown cannot be indexed")
        if isinstance(key, Term):
            return self._element(group, key)
        if isinstance(group, Family):
            return self._member(group, key)
        if isinstance(group, Grid):
            return self._on_board(group, key)
        if isinstance(group, Mapping):
            if self.known(key, "a key") not in group:
                raise NoValueError(f"this mapping has no key {shown(key)}", nearest(shown(key), [shown(k) for k in group]))
            return group[key]
        if not (is_row(group) or isinstance(group, str | range)):
            raise ExpressionError(f"{shown(group)} cannot be indexed")
        if isinstance(key, slice):
            return self._part(group, key)
        if not isinstance(key, int):
            places = is_row(group) and bool(group) and isinstance(group[0], Placement)
            hint = "the placements of a piece are .of(piece), those with a cell .through(cell)" if places else ""
            raise ExpressionError(f"expected a number as the position, got {shown(key)}", hint)
        if not -len(group) <= key < len(group):
            where = f"positions run from 0 to {len(group) - 1}" if len(group) else "it is empty"
            raise NoValueError(f"there is no position {shown(key)}: {where}")
        return group[key]

    def _group(self, groups: Groups, key: Any) -> tuple[Any, ...]:
        if self.symbolic(key):
            raise ExpressionError("the key of a mapping to groups cannot depend on an unknown")
        try:
            return groups.get(key, ())
        except TypeError:
            raise ExpressionError(f"{shown(key)} cannot be a key") from None

    def through(self, groups: tuple[Any, ...]) -> Groups:
        """Return the groups that have each thing; the things of a placement are its cells."""
        found: dict[Any, list[Any]] = {}
        for group in groups:
            known = value_type(group)
            cells = known is not None and "cells" in known.attributes and not isinstance(group, Grid)
            things = self.known(self.items(group.cells if cells else group), "a thing in a group")
            self.spend(2 * len(things))
            try:
                for thing in dict.fromkeys(things):
                    found.setdefault(thing, []).append(group)
            except TypeError:
                raise ExpressionError(f"{shown(group)} is not a group of things: a thing in it cannot be a key") from None
        return Groups((thing, tuple(having)) for thing, having in found.items())

    def _pieces(self, places: tuple[Any, ...]) -> Groups:
        """Return the placements of each piece."""
        found: dict[Any, list[Any]] = {}
        for place in self.items(places):
            if not isinstance(place, Placement):
                raise ExpressionError(f"only placements of shapes have .of(…), got {shown(place)}")
            found.setdefault(place.piece, []).append(place)
        return Groups((piece, tuple(of)) for piece, of in found.items())

    def index_of(self, row: tuple[Any, ...], name: str) -> Callable[[Any], tuple[Any, ...]]:
        """Return `row.through` or `row.of`: the groups in a row that have a thing, the placements of a piece."""
        known = self._indexes.get((name, id(row)))
        if known is None:
            known = row, self.through(self.items(row)) if name == "through" else self._pieces(row)
            if len(self._indexes) >= INDEXES:  # a row that is made anew in each turn of a loop is not worth keeping
                self._indexes.pop(next(iter(self._indexes)))
            self._indexes[name, id(row)] = known
        index = known[1]

        def found(key: Any) -> tuple[Any, ...]:
            return self._group(index, key)

        found.__name__ = name
        return found

    def _part(self, group: Any, key: slice) -> Any:
        part = group[key]
        self.spend(len(part) if is_row(part) else len(part) >> 4)
        return part

    def _member(self, family: Family, key: Any) -> Any:
        if self.symbolic(key):
            parts = key if is_row(key) and len(key) == family.arity else ()
            unknown = [place for place, part in enumerate(parts) if isinstance(part, Term)]
            if len(unknown) != 1:
                raise ExpressionError("only one part of an index may depend on an unknown")
            place = unknown[0]
            self.spend(len(family))
            fitting = {
                index[place]: member
                for index, member in family.members.items()
                if all(at == place or part == own for at, (part, own) in enumerate(zip(key, index)))
            }
            return self._element(fitting, key[place])
        found = family.at(key)
        if isinstance(found, tuple):
            self.spend(len(found))
        return found

    def _on_board(self, board: Grid, key: Any) -> Any:
        if isinstance(key, Cell):
            if key not in board.values:
                raise NoValueError(f"this board has no cell {key}")
            return board.values[key]
        if not isinstance(key, tuple | frozenset):
            raise ExpressionError(f"expected a cell as the index of a board, got {shown(key)}")
        if isinstance(key, tuple) and ONLY_CELLS.issuperset(map(type, key)) and board.values.keys() >= set(key):
            self.spend(2 * len(key))
            return tuple(map(board.values.__getitem__, key))
        return tuple(self.index(board, cell) for cell in self.iterate(key))

    def _element(self, group: Any, key: Term) -> Term:
        match group:
            case Family():
                pairs = dict(group.members)
            case Grid():
                pairs = dict(group.values)
            case Mapping():
                pairs = dict(group)
            case tuple() | str() | range():
                pairs = self._positions(tuple(self.iterate(group)), key)
            case _:
                raise ExpressionError(f"{shown(group)} cannot be indexed")
        self.spend(len(pairs))
        kinds = self.kinds.of(key)
        if not pairs or (kinds is not None and all(kinds.isdisjoint(self.kinds.of(at) or kinds) for at in pairs)):
            raise ExpressionError(f"no value that {shown(key)} may take is an index of {shown(group)}")
        possible = self.kinds.possible(key)
        if possible is None or not pairs.keys() >= set(possible):
            self.demands.append(Member(key, frozenset(pairs)))
        return Element(tuple(pairs), tuple(self.term(item) for item in pairs.values()), key)

    def _positions(self, row: tuple[Any, ...], key: Term) -> dict[int, Any]:
        """Return the items at positions that the key may take; negative ones count from the end."""
        low, high = self.kinds.bounds(key)
        first = -len(row) if low is None else max(low, -len(row))
        last = len(row) - 1 if high is None else min(high, len(row) - 1)
        reached = range(first, last + 1) or range(len(row))
        return {position: row[position] for position in reached}

    def slice(self, start: Any, stop: Any, step: Any) -> slice:
        """Return the slice of a subscript. Its ends must be known."""
        ends = [None if end is None else self.whole(end, "the end of a slice") for end in (start, stop, step)]
        if ends[2] == 0:
            raise ExpressionError("the step of a slice cannot be 0")
        return slice(*ends)

    def with_default(self, group: Any) -> Callable[[Any, Any], Any]:
        """Return `group.at`."""

        def at(key: Any, default: Any) -> Any:
            """Return `group[key]`, or the default if nothing stands there or the key is None."""
            if self.symbolic(key):
                hint = "write x[key]: a rule that evaluates an index at which nothing stands does not hold"
                raise ExpressionError("the key of .at(…) cannot depend on an unknown", hint)
            if key is None or not self._among_keys(group, key):
                return default
            return self.index(group, key)

        return at

    def _among_keys(self, group: Any, key: Any) -> bool:
        """Return whether something stands at a known key. Raises ExpressionError if none like it is a key."""
        if isinstance(group, tuple | range | str):
            if not isinstance(key, int):
                raise ExpressionError(f"expected a number as the position, got {shown(key)}")
            return 0 <= key < len(group)
        if isinstance(group, Grid):
            if not isinstance(key, Cell):
                raise ExpressionError(f"expected a cell as the index of a board, got {shown(key)}")
            return key in group.values
        members = group.members if isinstance(group, Family) else group
        try:
            if key in members:
                return True
        except TypeError:
            raise ExpressionError(f"expected a single key, got {shown(key)}") from None
        if isinstance(group, Family) and group.arity > 1 and not (is_row(key) and len(key) == group.arity):
            raise ExpressionError(f"{group.name} has {group.arity} indexes, which .at(…) takes as one row: .at((i, j), …)")
        depth = _depth(key)
        if depth and members and all(_depth(other) != depth for other in members):
            raise ExpressionError(f"expected a single key, got {shown(key)}", "write a loop: [x.at(key, 0) for key in …]")
        return False


def _depth(key: Any) -> int:
    """Return how deeply rows are nested in a key."""
    depth = 0
    while is_row(key):
        depth += 1
        key = key[0] if key else None
    return depth
