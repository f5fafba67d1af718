"""Access to the parts of values: `x[key]`, slices, `x.at(key, default)`, and attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from puzzlekit.boards import Cell, Cells, Grid, Placement
from puzzlekit.errors import nearest
from puzzlekit.lang.expressions.operations import Run
from puzzlekit.lang.expressions.values import (
    ATOMS,
    POINTS,
    ExpressionError,
    Family,
    Groups,
    NoValueError,
    is_row,
    shown,
    value_type,
)
from puzzlekit.model import Element, Member, Term

ROWS = frozenset({tuple, Cells})
ONLY_CELLS = frozenset({Cell})
INDEXES = 16  # of rows, that are kept
KEYED = (Family, Grid, Mapping, tuple, range, str)  # what `.at` looks into
# attributes of boards that are computed on first use: steps per cell
CALCULATED = dict.fromkeys(
    ("diagonals", "all_diagonals", "rows", "columns", "given", "regions", "adjacent", "touching"),
    16,
)
CALCULATED |= {"numbers": 4, "having": 4}
CALCULATED |= {"edges": 48, "corners": 48, "sides": 48, "links": 24}
BEHIND = {
    "edges": "_sides_of",
    "corners": "_cells_at",
    "sides": "_sides_of",
    "links": "_links",
}  # where a board keeps them
NUMBERED = {"row": 0, "column": 1}  # attributes of cells
INDEXED = frozenset({"through", "of"})  # attributes of rows


def index(run: Run, group: Any, key: Any) -> Any:
    """`group[key]`."""
    run.left -= 1
    if run.left < 0:
        run.look(1)
    of, kind = type(group), type(key)
    if of is Family:  # the most frequent cases come first
        if kind in ATOMS or kind is Cells or (kind is tuple and ATOMS.issuperset(map(type, key))):
            member = group.members.get(key)
            if member is not None:
                return member
            if (
                kind is Cells
                and group.arity == 1
                and None not in (members := tuple(map(group.members.get, key)))
            ):
                run.spend(len(members))
                return members
    elif of in ROWS:
        if kind is int and -len(group) <= key < len(group):
            return group[key]
        if kind is slice:
            return _part(run, group, key)
    elif of is Groups:
        return group.get(key, ()) if kind in ATOMS else _group(run, group, key)
    elif of is dict:
        if kind in ATOMS and key in group:
            return group[key]
    elif kind is Cell and isinstance(group, Grid) and key in group.values:
        return group.values[key]
    if isinstance(group, Term):
        raise ExpressionError("an unknown cannot be indexed")
    if isinstance(key, Term):
        return _element(run, group, key)
    if isinstance(group, Family):
        return _member(run, group, key)
    if isinstance(group, Grid):
        return _on_board(run, group, key)
    if isinstance(group, Mapping):
        if run.known(key, "a key") not in group:
            raise NoValueError(
                f"this mapping has no key {shown(key)}",
                help=nearest(shown(key), [shown(k) for k in group]),
            )
        return group[key]
    if not (is_row(group) or isinstance(group, str | range)):
        raise ExpressionError(f"{shown(group)} cannot be indexed")
    if isinstance(key, slice):
        return _part(run, group, key)
    if not isinstance(key, int):
        places = is_row(group) and bool(group) and isinstance(group[0], Placement)
        help = (
            "the placements of a piece are .of(piece), those with a cell .through(cell)"
            if places
            else ""
        )
        raise ExpressionError(f"expected a number as the position, got {shown(key)}", help=help)
    if not -len(group) <= key < len(group):
        where = f"positions run from 0 to {len(group) - 1}" if len(group) else "it is empty"
        lines = len(group) > 0 and key == len(group) and is_row(group[0])
        help = (
            "positions count from 0, the row and the column of a cell from 1: rows[c.row - 1]"
            if lines
            else ""
        )
        raise NoValueError(f"there is no position {shown(key)}: {where}", help=help)
    return group[key]


def _group(run: Run, groups: Groups, key: Any) -> tuple[Any, ...]:
    if run.symbolic(key):
        raise ExpressionError("the key of a mapping to groups cannot depend on an unknown")
    try:
        return groups.get(key, ())
    except TypeError:
        raise ExpressionError(f"{shown(key)} cannot be a key") from None


def through(run: Run, groups: tuple[Any, ...]) -> Groups:
    """Return the groups that have each thing; the things of a placement are its cells."""
    found: dict[Any, list[Any]] = {}
    for group in groups:
        known = value_type(group)
        cells = known is not None and "cells" in known.attributes and not isinstance(group, Grid)
        things = run.known(run.items(group.cells if cells else group), "a thing in a group")
        run.spend(2 * len(things))
        try:
            for thing in dict.fromkeys(things):
                found.setdefault(thing, []).append(group)
        except TypeError:
            raise ExpressionError(
                f"{shown(group)} is not a group of things: a thing in it cannot be a key"
            ) from None
    return Groups((thing, tuple(having)) for thing, having in found.items())


def _pieces(run: Run, places: tuple[Any, ...]) -> Groups:
    found: dict[Any, list[Any]] = {}
    for place in run.items(places):
        if not isinstance(place, Placement):
            raise ExpressionError(f"only placements of shapes have .of(…), got {shown(place)}")
        found.setdefault(place.piece, []).append(place)
    return Groups((piece, tuple(of)) for piece, of in found.items())


def index_of(run: Run, row: tuple[Any, ...], name: str) -> Callable[[Any], tuple[Any, ...]]:
    """Return `row.through` or `row.of`: the groups in a row that have a thing, the placements of a piece."""
    known = run.indexes.get((name, id(row)))
    if known is None:
        known = row, run.through(run.items(row)) if name == "through" else _pieces(run, row)
        if (
            len(run.indexes) >= INDEXES
        ):  # a row that is made anew in each turn of a loop is not worth keeping
            run.indexes.pop(next(iter(run.indexes)))
        run.indexes[name, id(row)] = known
    index = known[1]

    def found(key: Any) -> tuple[Any, ...]:
        return _group(run, index, key)

    found.__name__ = name
    return found


def _part(run: Run, group: Any, key: slice) -> Any:
    part = group[key]
    run.spend(len(part) if is_row(part) else len(part) >> 4)
    return part


def _member(run: Run, family: Family, key: Any) -> Any:
    if run.symbolic(key):
        parts = key if is_row(key) and len(key) == family.arity else ()
        unknown = [place for place, part in enumerate(parts) if isinstance(part, Term)]
        if len(unknown) != 1:
            raise ExpressionError("only one part of an index may depend on an unknown")
        place = unknown[0]
        run.spend(len(family))
        fitting = {
            index[place]: member
            for index, member in family.members.items()
            if all(at == place or part == own for at, (part, own) in enumerate(zip(key, index)))
        }
        return _element(run, fitting, key[place])
    found = family.at(key)
    if isinstance(found, tuple):
        run.spend(len(found))
    return found


def _on_board(run: Run, board: Grid, key: Any) -> Any:
    if isinstance(key, Cell):
        if key not in board.values:
            raise NoValueError(f"this board has no cell {key}")
        return board.values[key]
    if not isinstance(key, tuple | frozenset):
        raise ExpressionError(f"expected a cell as the index of a board, got {shown(key)}")
    if (
        isinstance(key, tuple)
        and ONLY_CELLS.issuperset(map(type, key))
        and board.values.keys() >= set(key)
    ):
        run.spend(2 * len(key))
        return tuple(map(board.values.__getitem__, key))
    return tuple(run.index(board, cell) for cell in run.iterate(key))


def _element(run: Run, group: Any, key: Term) -> Term:
    match group:
        case Family():
            pairs = dict(group.members)
        case Grid():
            pairs = dict(group.values)
        case Mapping():
            pairs = dict(group)
        case tuple() | str() | range():
            pairs = _positions(run, tuple(run.iterate(group)), key)
        case _:
            raise ExpressionError(f"{shown(group)} cannot be indexed")
    run.spend(len(pairs))
    kinds = run.kinds.of(key)
    if not pairs or (
        kinds is not None and all(kinds.isdisjoint(run.kinds.of(at) or kinds) for at in pairs)
    ):
        raise ExpressionError(f"no value that {shown(key)} may take is an index of {shown(group)}")
    possible = run.kinds.possible(key)
    if possible is None or not pairs.keys() >= set(possible):
        run.demands.append(Member(key, frozenset(pairs)))
    return Element(tuple(pairs), tuple(run.term(item) for item in pairs.values()), key)


def _positions(run: Run, row: tuple[Any, ...], key: Term) -> dict[int, Any]:
    """Return the items at positions that the key may take; negative ones count from the end."""
    possible = run.kinds.possible(key)
    reached = [at for at in range(-len(row), len(row)) if possible is None or at in possible]
    return {at: row[at] for at in reached or range(len(row))}


def sliced(run: Run, start: Any, stop: Any, step: Any) -> slice:
    """Return the slice of a subscript. Its ends must be known."""
    ends = [
        None if end is None else run.whole(end, "the end of a slice") for end in (start, stop, step)
    ]
    if ends[2] == 0:
        raise ExpressionError("the step of a slice cannot be 0")
    return slice(*ends)


def with_default(run: Run, group: Any) -> Callable[[Any, Any], Any]:
    """Return `group.at`."""

    def at(key: Any, default: Any) -> Any:
        """Return `group[key]`, or the default if nothing stands there or the key is None."""
        if run.symbolic(key):
            help = (
                "write x[key]: a rule that evaluates an index at which nothing stands does not hold"
            )
            raise ExpressionError("the key of .at(…) cannot depend on an unknown", help=help)
        if key is None or not _among_keys(run, group, key):
            return default
        return run.index(group, key)

    return at


def _among_keys(run: Run, group: Any, key: Any) -> bool:
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
    if (
        isinstance(group, Family)
        and group.arity > 1
        and not (is_row(key) and len(key) == group.arity)
    ):
        raise ExpressionError(
            f"{group.name} has {group.arity} indexes, which .at(…) takes as one row: .at((i, j), …)"
        )
    depth = _depth(key)
    if depth and members and all(_depth(other) != depth for other in members):
        raise ExpressionError(
            f"expected a single key, got {shown(key)}",
            help="write a loop: [x.at(key, 0) for key in …]",
        )
    return False


def _depth(key: Any) -> int:
    """Return how deeply rows are nested in a key."""
    depth = 0
    while is_row(key):
        depth += 1
        key = key[0] if key else None
    return depth


def attribute(run: Run, value: Any, name: str) -> Any:
    """Return `value.name`, if the registered type of the value lists this attribute."""
    run.left -= 1
    if type(value) is Cell and name in NUMBERED and run.left >= 0:  # the most frequent case
        return value[NUMBERED[name]]
    if run.left < 0:
        run.look(1)
    if name == "at" and isinstance(value, KEYED) and not isinstance(value, POINTS):
        return run.with_default(value)
    if name in INDEXED and is_row(value):
        return run.index_of(value, name)
    known = value_type(value)
    if known is not None and known.attributes:
        if name not in known.attributes:
            raise ExpressionError(
                f"a {known.type.__name__.lower()} has no .{name[:40]}",
                help=nearest(name[:40], known.attributes),
            )
        if (
            name in CALCULATED
            and isinstance(value, Grid)
            and BEHIND.get(name, name) not in vars(value)
        ):
            run.spend(CALCULATED[name] * len(value))
        return getattr(value, name)
    unknown = isinstance(value, Term)
    help = (
        "a value that is not known yet has no attributes"
        if unknown
        else "only the documented attributes can be used"
    )
    raise ExpressionError(f"{shown(value)} has no .{name[:40]}", help=help)
