"""Indexes, keys and slices in expressions, fixed or chosen by a solution."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from puzzlekit.boards import Cell, Cells, Grid, Placement
from puzzlekit.errors import nearest
from puzzlekit.lang.aliases import DataValue, Operand
from puzzlekit.lang.expressions.comparisons import Comparer
from puzzlekit.lang.expressions.operands import ONLY_CELLS
from puzzlekit.lang.expressions.values import (
    ATOMS,
    ExpressionError,
    Groups,
    UndefinedError,
    VariableArray,
    display_text,
    is_row,
    value_type,
)
from puzzlekit.model import Element, Member, Term

CACHED_INDEXES = 16  # of rows; some rows are built anew in each turn of a loop
INDEXES = frozenset({int, Cell, Cells})  # of families of unknowns, besides pairs
ROWS = frozenset({tuple, Cells})


class Indexer(Comparer):
    """Looks up members of collections, by a fixed key or by an unknown.

    Attributes:
        indexes: The last indexes of rows, by the method that built them and the identity of the
            row.
    """

    def __init__(self, max_evaluations: int | None = None) -> None:
        super().__init__(max_evaluations)
        self.indexes: dict[tuple[str, int], tuple[Any, Groups]] = {}

    def index(self, group: Operand, key: Operand) -> Operand:
        """`group[key]`."""
        self.remaining -= 1
        if self.remaining < 0:
            self.check_bounds(1)
        group_class, key_class = type(group), type(key)
        if group_class is VariableArray:  # the most frequent cases come first
            if (
                key_class in ATOMS
                or key_class is Cells
                or (key_class is tuple and ATOMS.issuperset(map(type, key)))
            ):
                member = group.members.get(key)
                if member is not None:
                    return member
                if key_class is Cells and group.arity == 1:
                    members = tuple(map(group.members.get, key))
                    if None not in members:
                        self.spend(len(members))
                        return members
        elif group_class in ROWS:
            if key_class is int and -len(group) <= key < len(group):
                return group[key]
            if key_class is slice:
                return self._slice_of(group, key)
        elif group_class is Groups:
            return group.get(key, ()) if key_class in ATOMS else self._group(group, key)
        elif group_class is dict:
            if key_class in ATOMS and key in group:
                return group[key]
        elif isinstance(group, Grid):
            if key_class is Cell and key in group.values:
                return group.values[key]
            if key_class is Cells:
                return self._of_cells(group, key)
        return self._index_general(group, key)

    def _index_general(self, group: Operand, key: Operand) -> Operand:
        if isinstance(group, Term):
            raise ExpressionError("an unknown cannot be indexed")
        if isinstance(key, Term):
            return self._element(group, key)
        if isinstance(group, VariableArray):
            return self._variable_at(group, key)
        if isinstance(group, Grid):
            return self._on_board(group, key)
        if isinstance(group, Mapping):
            return self._in_mapping(group, key)
        if not (is_row(group) or isinstance(group, str | range)):
            raise ExpressionError(f"{display_text(group)} cannot be indexed")
        if isinstance(key, slice):
            return self._slice_of(group, key)
        if not isinstance(key, int):
            raise _no_position(group, key)
        if not -len(group) <= key < len(group):
            raise _position_out_of_range(group, key)
        return group[key]

    # fixed keys

    def _variable_at(self, array: VariableArray, key: Operand) -> Operand:
        if self.symbolic(key):
            return self._element_along(array, key)
        member = array.lookup(key)
        if isinstance(member, tuple):
            self.spend(len(member))
        return member

    def _on_board(self, board: Grid, key: Operand) -> Operand:
        if isinstance(key, Cell):
            if key not in board.values:
                raise UndefinedError(f"this board has no cell {key}")
            return board.values[key]
        if not isinstance(key, tuple | frozenset):
            raise _no_cell_as_index(key)
        if isinstance(key, tuple) and ONLY_CELLS.issuperset(map(type, key)):
            return self._of_cells(board, key)
        return tuple(self.index(board, cell) for cell in self.iterate(key))

    def _of_cells(self, board: Grid, cells: tuple[Cell, ...]) -> tuple[Operand, ...]:
        self.spend(2 * len(cells))
        try:
            return tuple(map(board.values.__getitem__, cells))
        except KeyError as error:
            raise UndefinedError(f"this board has no cell {error.args[0]}") from None

    def _in_mapping(self, mapping: Mapping[Operand, Operand], key: Operand) -> Operand:
        if self.require_fixed(key, "a key") not in mapping:
            text = display_text(key)
            raise UndefinedError(
                f"this mapping has no key {text}", help=nearest(text, [*map(display_text, mapping)])
            )
        return mapping[key]

    def _group(self, groups: Groups, key: Operand) -> tuple[Operand, ...]:
        if self.symbolic(key):
            raise ExpressionError("the key of a mapping to groups cannot depend on an unknown")
        try:
            return groups.get(key, ())
        except TypeError:
            raise ExpressionError(f"{display_text(key)} cannot be a key") from None

    # unknowns as keys

    def _element(self, group: Operand, key: Term) -> Term:
        """Return the member of a collection at an index that a solution chooses."""
        members = self._members_by_key(group, key)
        self.spend(len(members))
        kinds = self.kinds.of(key)
        never = not members
        if kinds is not None and not never:
            never = all(kinds.isdisjoint(self.kinds.of(index) or kinds) for index in members)
        if never:
            raise ExpressionError(
                f"no value that {display_text(key)} may take is an index of {display_text(group)}"
            )
        possible = self.kinds.possible(key)
        if possible is None or not members.keys() >= set(possible):
            self.demands.append(Member(key, frozenset(members)))
        return Element(tuple(members), tuple(map(self.term, members.values())), key)

    def _members_by_key(self, group: Operand, key: Term) -> dict[Any, Operand]:
        match group:
            case VariableArray():
                return dict(group.members)
            case Grid():
                return dict(group.values)
            case Mapping():
                return dict(group)
            case tuple() | str() | range():
                return self._reachable(tuple(self.iterate(group)), key)
            case _:
                raise ExpressionError(f"{display_text(group)} cannot be indexed")

    def _reachable(self, row: tuple[Operand, ...], key: Term) -> dict[int, Operand]:
        """Return the items at positions that the key may take; negative ones count from the end."""
        positions = range(-len(row), len(row))
        possible = self.kinds.possible(key)
        if possible is not None:
            reached = [position for position in positions if position in possible]
            return {position: row[position] for position in reached or range(len(row))}
        return {position: row[position] for position in positions}

    def _element_along(self, array: VariableArray, key: Operand) -> Term:
        """Return the member at an index of several numbers, of which one is an unknown."""
        numbers = key if is_row(key) and len(key) == array.arity else ()
        unknown = [position for position, number in enumerate(numbers) if isinstance(number, Term)]
        if len(unknown) != 1:
            raise ExpressionError("only one part of an index may depend on an unknown")
        (free,) = unknown
        self.spend(len(array))
        rest = (*key[:free], *key[free + 1 :])
        fitting = {
            index[free]: member
            for index, member in array.members.items()
            if (*index[:free], *index[free + 1 :]) == rest
        }
        return self._element(fitting, key[free])

    # slices

    def sliced(self, start: Operand, stop: Operand, step: Operand) -> slice:
        """Return the slice of a subscript. Its ends must be fixed."""
        ends = [
            None if end is None else self.whole_number(end, "the end of a slice")
            for end in (start, stop, step)
        ]
        if ends[2] == 0:
            raise ExpressionError("the step of a slice cannot be 0")
        return slice(*ends)

    def _slice_of(self, group: Operand, key: slice) -> Operand:
        members = group[key]
        self.spend(len(members) if is_row(members) else len(members) >> 4)
        return members

    # group.at(key, default)

    def with_default(self, group: Operand) -> Callable[[Operand, Operand], Operand]:
        """Return `group.at`."""
        members = group.members if type(group) is VariableArray else None

        def lookup(key: DataValue, default: Operand) -> Operand:
            """Return `group[key]`, or the default if nothing stands there or the key is None."""
            if self.symbolic(key):
                help = (
                    "write x[key]: a rule that evaluates an index at which nothing stands"
                    " does not hold"
                )
                raise ExpressionError("the key of .at(…) cannot depend on an unknown", help=help)
            if members is not None and type(key) in INDEXES:  # the most frequent case
                member = members.get(key)
                if member is not None:
                    self.spend(1)
                    return member
            if key is None or not self._has_key(group, key):
                return default
            return self.index(group, key)

        lookup.__name__ = "at"
        return lookup

    def _has_key(self, group: Operand, key: DataValue) -> bool:
        """Return whether something stands at a key.

        Raises:
            ExpressionError: No key of the group is like this one.
        """
        if isinstance(group, tuple | range | str):
            if not isinstance(key, int):
                raise ExpressionError(f"expected a number as the position, got {display_text(key)}")
            return 0 <= key < len(group)
        if isinstance(group, Grid):
            if not isinstance(key, Cell):
                raise _no_cell_as_index(key)
            return key in group.values
        members = group.members if isinstance(group, VariableArray) else group
        try:
            if key in members:
                return True
        except TypeError:
            raise ExpressionError(f"expected a single key, got {display_text(key)}") from None
        if isinstance(group, VariableArray):
            _require_arity(group, key)
        depth = _depth(key)
        if depth and members and all(_depth(member) != depth for member in members):
            raise ExpressionError(
                f"expected a single key, got {display_text(key)}",
                help="write a loop: [x.at(key, 0) for key in …]",
            )
        return False

    # row.through(thing) and row.of(piece)

    def index_of(
        self, row: tuple[Operand, ...], name: str
    ) -> Callable[[Operand], tuple[Operand, ...]]:
        """Return `row.through`, the groups that have a thing, or `row.of`, the placements of a
        piece.
        """
        indexed = self.indexes.get((name, id(row)))
        if indexed is None:
            groups = self.through(self.items(row)) if name == "through" else self._by_piece(row)
            indexed = row, groups  # with the row, so that no other row gets its id
            if len(self.indexes) >= CACHED_INDEXES:
                self.indexes.pop(next(iter(self.indexes)))
            self.indexes[name, id(row)] = indexed
        _, index = indexed

        def lookup(key: DataValue) -> tuple[Operand, ...]:
            return self._group(index, key)

        lookup.__name__ = name
        return lookup

    def through(self, groups: tuple[Operand, ...]) -> Groups:
        """Return the groups that have each thing; the things of a placement are its cells."""
        having: dict[Any, list[Any]] = {}
        for group in groups:
            members = self.items(group.cells if _has_cells(group) else group)
            things = self.require_fixed(members, "a thing in a group")
            self.spend(2 * len(things))
            try:
                for thing in dict.fromkeys(things):
                    having.setdefault(thing, []).append(group)
            except TypeError:
                raise ExpressionError(
                    f"{display_text(group)} is not a group of things: a thing in it cannot be a key"
                ) from None
        return Groups((thing, tuple(row)) for thing, row in having.items())

    def _by_piece(self, row: tuple[Operand, ...]) -> Groups:
        placements: dict[Any, list[Placement]] = {}
        for placement in self.items(row):
            if not isinstance(placement, Placement):
                raise ExpressionError(
                    f"only placements of shapes have .of(…), got {display_text(placement)}"
                )
            placements.setdefault(placement.piece, []).append(placement)
        return Groups((piece, tuple(of_piece)) for piece, of_piece in placements.items())


def _has_cells(group: Operand) -> bool:
    type_ = value_type(group)
    return type_ is not None and "cells" in type_.attributes and not isinstance(group, Grid)


def _require_arity(array: VariableArray, key: DataValue) -> None:
    """Raise ExpressionError if the key has another number of indexes than the unknowns."""
    if array.arity > 1 and not (is_row(key) and len(key) == array.arity):
        raise ExpressionError(
            f"{array.name} has {array.arity} indexes, which .at(…) takes as one row: .at((i, j), …)"
        )


def _no_cell_as_index(key: DataValue) -> ExpressionError:
    return ExpressionError(f"expected a cell as the index of a board, got {display_text(key)}")


def _no_position(group: Operand, key: DataValue) -> ExpressionError:
    """Return the error for a position that is not a number."""
    help = ""
    if is_row(group) and group and isinstance(group[0], Placement):
        help = "the placements of a piece are .of(piece), those with a cell .through(cell)"
    message = f"expected a number as the position, got {display_text(key)}"
    return ExpressionError(message, help=help)


def _position_out_of_range(group: Operand, position: int) -> UndefinedError:
    """Return the error for a position that a row, a text or a range does not have."""
    range_text = f"positions run from 0 to {len(group) - 1}" if len(group) else "it is empty"
    help = ""
    if len(group) and position == len(group) and is_row(group[0]):
        help = "positions count from 0, the row and the column of a cell from 1: rows[c.row - 1]"
    message = f"there is no position {display_text(position)}: {range_text}"
    return UndefinedError(message, help=help)


def _depth(key: DataValue) -> int:
    """Return how deeply rows are nested in a key."""
    depth = 0
    while is_row(key):
        depth += 1
        key = key[0] if key else None
    return depth
