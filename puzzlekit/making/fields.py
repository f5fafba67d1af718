"""The fields of a puzzle that is made: from the values of expressions, with clues or without, and
as text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from puzzlekit.api import Puzzle
from puzzlekit.boards import Cell, Grid, rows_over
from puzzlekit.dataclass import dataclass
from puzzlekit.lang import (
    DataType,
    Expression,
    Field,
    GridOf,
    Instance,
    ListOf,
    MapOf,
    OptionalType,
    PuzzleType,
    ReadContext,
    ScalarType,
    Spec,
    VariableArray,
    data_of,
    display_text,
    read_spec,
    spec_of_values,
)
from puzzlekit.making.flow_style import entry_text
from puzzlekit.reasons import PatternCache
from puzzlekit.yaml_nodes import spec_text

FieldCell = tuple[str, Any]  # a field, and a cell, the number of an item or the key of an entry
Clues = Mapping[FieldCell, Any]


class Statements(tuple[Any, ...]):
    """The items of a list each of which may be left out, such as sentences about a solution."""


@dataclass(frozen=True)
class JointClue:
    """What several boards have in one cell, such as a circle and the number in it.

    Attributes:
        values: By field, what stands there; the first field is that of the spot.
    """

    values: tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Base:
    """What all puzzles have in common: a spec, which need not meet the requirements of its type,
    and its data.

    Attributes:
        type: The type.
        spec: The spec.
        data: The value of each field.
        fixed: Whether all puzzles have the fields that a layout would draw.
        assigned: The fields that the command sets.
        patterns: What the conditions of its puzzles are as clauses.
    """

    type: PuzzleType
    spec: Spec
    data: Mapping[str, Any]
    fixed: bool = False
    assigned: frozenset[str] = frozenset()
    patterns: PatternCache = field(default_factory=dict, compare=False)

    def puzzle(self, data: Mapping[str, Any]) -> Puzzle:
        """Return a puzzle with these fields, which need not meet the requirements."""
        return Puzzle(self.type, self.spec, Instance(self.type, data, checked=False))


def base_of(
    type_: PuzzleType, text: str, fixed: bool = False, assigned: Iterable[str] = ()
) -> Base:
    """Return the base that a spec states. Raises Problems."""
    spec = read_spec("<made>", text)
    return Base(type_, spec, data_of(type_, spec), fixed, frozenset(assigned))


def item_of(type_: DataType) -> DataType | None:
    """Return the type of the clues of a field; None if it has none."""
    match type_:
        case GridOf(item=item, empty=True):
            return item  # type: ignore[return-value]
        case ListOf(item=OptionalType(item=item)):
            return item
        case _:
            return None


def clue_fields(type_: PuzzleType, data: Mapping[str, Any]) -> list[str]:
    """Return the fields that hold clues: boards and lists whose members may be empty."""
    names = []
    for name, entry in type_.fields.items():
        if data[name] is not None and item_of(entry.type) is not None:
            names.append(name)
    return names


def typed(entry: Field, before: Any, value: Any, of: Expression) -> Any:
    """Return the value of an expression as that of a field.

    Args:
        entry: The field.
        before: The value that the field had before: its board is retained.
        value: The value of the expression.
        of: The expression.

    Raises:
        Problems: The value does not fit the type of the field.
    """
    members: Any = value
    if isinstance(value, VariableArray):
        members = value.members
    elif isinstance(value, Grid):
        members = value.values
    is_mapping = isinstance(members, Mapping)
    if isinstance(entry.type, GridOf) and is_mapping:
        board = value if isinstance(value, Grid) else before
        return _typed_grid(entry.type, board, members)
    if isinstance(entry.type, MapOf) and is_mapping:
        mapping = dict(members)
        is_plain = isinstance(entry.type.value, ScalarType | ListOf)
        return mapping if is_plain else _read_value(entry, mapping)
    if isinstance(entry.type, ListOf) and isinstance(members, tuple):
        return tuple(map(_plain_tuple, members))
    is_collection = isinstance(entry.type, GridOf | MapOf | ListOf)
    if is_collection and (value is not None or not entry.optional):
        _raise_mismatch(entry, value, of)
    if is_collection or isinstance(entry.type, ScalarType | OptionalType):
        return value
    return _read_value(entry, value)


def _read_value(entry: Field, value: Any) -> Any:
    """Return a value as the type of data of a field reads it. Raises Problems."""
    spec = spec_of_values({entry.name: value}, {entry.name: entry})
    _, node = spec.nodes[entry.name]
    read = entry.type.read(node, ReadContext(spec.source, path=(entry.name,)))
    spec.source.raise_problems()
    return read


def _raise_mismatch(entry: Field, value: Any, of: Expression) -> None:
    source = of.text.source
    message = f"expected {entry.type} as {entry.name}, got {display_text(value)}"
    source.problem(message, of.text.node)
    source.raise_problems()


def _typed_grid(type_: GridOf, board: Any, members: Mapping[Any, Any]) -> Grid:
    """Return a board with these members: of the cells of a board, if these may be empty."""
    has_cells = isinstance(board, Grid) and type_.empty
    cells: Iterable[Cell] = board.cells if has_cells else sorted(members)
    of_text = str(type_.item) == "symbol"
    values: dict[Cell, Any] = {}
    for cell in cells:
        member = members.get(cell)
        values[cell] = str(member) if of_text and member is not None else member
    return Grid(values)


def _plain_tuple(member: Any) -> Any:
    """Return a group of cells as a plain tuple."""
    is_group = isinstance(member, tuple) and not isinstance(member, Cell)
    return tuple(member) if is_group else member


def with_clues(
    data: Mapping[str, Any], fields: Iterable[str], clues: Clues, retained: Clues
) -> dict[str, Any]:
    """Return the fields with these clues; elsewhere they have what is `retained`, or nothing."""
    separate = {**retained, **_separate(clues)}
    changed = dict(data)
    for name in fields:
        changed[name] = _with_members(changed[name], name, separate)
    return changed


def _separate(clues: Clues) -> dict[FieldCell, Any]:
    """Return clues with those of several boards apart."""
    separate: dict[FieldCell, Any] = {}
    for spot, clue in clues.items():
        if isinstance(clue, JointClue):
            for name, value in clue.values:
                separate[name, spot[1]] = value
        else:
            separate[spot] = clue
    return separate


def _with_members(field: Any, name: str, members: Clues) -> Any:
    """Return a field with these members; statements and entries without one are left out."""
    keys = [key for key, _ in _members_of(field)]
    present = [key for key in keys if (name, key) in members]
    match field:
        case Grid():
            values = {key: members.get((name, key)) for key in keys}
            return Grid(values)
        case Statements():
            return Statements(members[name, key] for key in present)
        case Mapping():
            return {key: members[name, key] for key in present}
        case _:
            return tuple(members.get((name, key)) for key in keys)


def places_in(data: Mapping[str, Any], fields: Iterable[str]) -> dict[FieldCell, Any]:
    """Return what stands where these fields may have clues: a clue, or None."""
    clues: dict[FieldCell, Any] = {}
    for name in fields:
        for key, clue in _members_of(data[name]):
            clues[name, key] = clue
    return clues


def _members_of(field: Any) -> Iterable[tuple[Any, Any]]:
    """Return the cells of a board, the keys of a mapping, or the numbers of a list, with what
    stands there.
    """
    if isinstance(field, Grid):
        return field.values.items()
    return field.items() if isinstance(field, Mapping) else enumerate(field)


def clues_in(data: Mapping[str, Any], fields: Iterable[str]) -> dict[FieldCell, Any]:
    """Return the clues of these fields."""
    return {spot: clue for spot, clue in places_in(data, fields).items() if clue is not None}


def has_members(field: Any) -> bool:
    """Return whether something stands on a board, in a list or in a mapping."""
    members: Iterable[Any] = ()
    if isinstance(field, Grid):
        members = field.values.values()
    elif isinstance(field, Mapping):
        members = field.values()
    elif isinstance(field, tuple):
        members = field
    return any(member is not None for member in members)


def information(type_: PuzzleType | None, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the information that a type has on these fields; nothing without a type."""
    if type_ is None:
        return {}
    instance = Instance(type_, data, checked=False)
    return instance.info


def lasting_spots(
    keep_all: Collection[str],
    lasting_cells: PuzzleType | None,
    data: Mapping[str, Any],
    spots: Iterable[FieldCell],
) -> set[FieldCell]:
    """Return the spots whose clues stay.

    Args:
        keep_all: The fields whose clues all stay.
        lasting_cells: A type whose `info` says which clues of fields stay; None for none.
        data: The fields with all clues.
        spots: The spots of the clues.
    """
    cells = information(lasting_cells, data)
    return {spot for spot in spots if spot[0] in keep_all or spot[1] in cells.get(spot[0], ())}


def fields_text(base: Base, data: Mapping[str, Any]) -> str:
    """Return the fields as a spec has them: those of the base as they stand there."""
    texts = []
    for name in base.type.fields:
        field, before = data[name], base.data[name]
        if field is before or field == before:
            if name in base.spec.nodes:
                texts.append(_text_in_spec(base.spec, name))
        elif isinstance(field, Grid):
            texts.append(spec_text({name: rows_of(field)}))
        else:
            texts.append(entry_text(name, field))
    return "".join(texts)


def _text_in_spec(spec: Spec, name: str) -> str:
    """Return the text of a field in a spec."""
    key, node = spec.nodes[name]
    text = spec.source.text[key.start_mark.index : node.end_mark.index]
    return text.rstrip() + "\n"


def rows_of(board: Grid) -> list[str]:
    """Return the rows of a board; _ is no cell."""
    texts = {cell: _cell(value) for cell, value in board.values.items()}
    return aligned_rows(rows_over(texts, "_"))


def aligned_rows(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows of a board as lines: cells of several characters stand in columns.

    Examples:
        >>> aligned_rows(["ab", ".c"]), aligned_rows([["1", "12"], ["11", "3"]])
        (['ab', '.c'], ['1  12', '11 3'])
    """
    width = max((len(text) for row in rows for text in row), default=1)
    if width == 1:
        return ["".join(row) for row in rows]
    lines = []
    for row in rows:
        columns = [text.ljust(width) for text in row]
        lines.append(" ".join(columns).rstrip())
    return lines


def _cell(value: Any) -> str:
    if value is None:
        return "."
    if isinstance(value, tuple):
        return "\\".join("" if number is None else str(number) for number in value)
    return str(value)


def cells_of(key: Any) -> Iterator[Cell]:
    """Yield the cells in an index or in what was drawn from."""
    if isinstance(key, Cell):
        yield key
    elif isinstance(key, tuple | list | frozenset):
        for member in key:
            yield from cells_of(member)
    elif hasattr(key, "cells"):
        yield from cells_of(tuple(key.cells))


def around(cells: Collection[Cell], distance: int) -> set[Cell]:
    """Return the cells in squares around some cells, at most so far away."""
    reach = range(-distance, distance + 1)
    offsets = [(down, right) for down in reach for right in reach]
    return {Cell(cell.row + down, cell.column + right) for cell in cells for down, right in offsets}
