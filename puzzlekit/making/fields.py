"""The fields of a puzzle that is made: from the values of expressions, with clues or without, and
as text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from puzzlekit.api import Puzzle
from puzzlekit.boards import Cell, Grid, rows_over
from puzzlekit.lang import Instance, PuzzleType, Spec, VariableArray, data_of, read_spec
from puzzlekit.lang.data.collections import GridOf, ListOf, MapOf
from puzzlekit.lang.data.scalars import DataType, OptionalType
from puzzlekit.lang.expressions import Expression
from puzzlekit.lang.expressions.values import display_text
from puzzlekit.lang.puzzle_type import Field
from puzzlekit.yaml_nodes import spec_text

FieldCell = tuple[str, Any]  # a field, and a cell or the number of an item
Clues = Mapping[FieldCell, Any]


@dataclass(frozen=True)
class Base:
    """What all puzzles have in common: a spec, which need not meet the requirements of its type,
    and its data.

    Attributes:
        type: The type.
        spec: The spec.
        data: The value of each field.
        fixed: Whether all puzzles have the fields that a layout would draw.
    """

    type: PuzzleType
    spec: Spec
    data: Mapping[str, Any]
    fixed: bool = False

    def puzzle(self, data: Mapping[str, Any]) -> Puzzle:
        """Return a puzzle with these fields, which need not meet the requirements."""
        return Puzzle(self.type, self.spec, Instance(self.type, data, checked=False))


def base_of(type_: PuzzleType, text: str, fixed: bool = False) -> Base:
    """Return the base that a spec states. Raises Problems."""
    spec = read_spec("<made>", text)
    return Base(type_, spec, data_of(type_, spec), fixed)


PLAIN = re.compile(r"[A-Za-z0-9.][A-Za-z0-9.+*/]*")  # what needs no quotes in YAML


def item_of(kind: DataType) -> DataType | None:
    """Return the type of the clues of a field; None if it has none."""
    match kind:
        case GridOf(item=item, empty=True):
            return item  # type: ignore[return-value]
        case ListOf(item=OptionalType(item=item)):
            return item
        case _:
            return None


def clue_fields(type_: PuzzleType, data: Mapping[str, Any]) -> list[str]:
    """Return the fields that hold clues: boards and lists whose parts may be empty."""
    return [
        name
        for name, entry in type_.fields.items()
        if data[name] is not None and item_of(entry.type) is not None
    ]


def typed(entry: Field, before: Any, value: Any, of: Expression) -> Any:
    """Return the value of an expression as that of a field, on the board that the field had before.
    Raises Problems.
    """
    members: Any = (
        value.members
        if isinstance(value, VariableArray)
        else value.values
        if isinstance(value, Grid)
        else value
    )
    match entry.type:
        case GridOf() if isinstance(members, Mapping):
            cells: Iterable[Cell] = before.cells if isinstance(before, Grid) else members
            text = str(entry.type.item) == "symbol"
            own = {cell: members.get(cell) for cell in cells}
            return Grid(
                {
                    cell: str(item) if text and item is not None else item
                    for cell, item in own.items()
                }
            )
        case MapOf() if isinstance(members, Mapping):
            return dict(members)
        case ListOf() if isinstance(members, tuple):
            return tuple(
                tuple(item) if isinstance(item, tuple) and not isinstance(item, Cell) else item
                for item in members
            )
        case GridOf() | MapOf() | ListOf() if value is not None or not entry.optional:
            source = of.text.source
            source.problem(
                f"expected {entry.type} as {entry.name}, got {display_text(value)}", of.text.node
            )
            source.raise_problems()
    return value


def with_clues(
    data: Mapping[str, Any], fields: Iterable[str], clues: Clues, retained: Clues
) -> dict[str, Any]:
    """Return the fields with these clues; a place without one has what is `kept` there, or nothing."""
    found = dict(data)
    for name in fields:
        value = found[name]
        keys: Iterable[Any] = value.cells if isinstance(value, Grid) else range(len(value))
        items = {key: clues.get((name, key), retained.get((name, key))) for key in keys}
        found[name] = Grid(items) if isinstance(value, Grid) else tuple(items.values())
    return found


def places_in(data: Mapping[str, Any], fields: Iterable[str]) -> dict[FieldCell, Any]:
    """Return what stands at the places of clues of these fields: a clue, or None."""
    found: dict[FieldCell, Any] = {}
    for name in fields:
        value = data[name]
        found |= {
            (name, key): clue
            for key, clue in (value.values.items() if isinstance(value, Grid) else enumerate(value))
        }
    return found


def clues_in(data: Mapping[str, Any], fields: Iterable[str]) -> dict[FieldCell, Any]:
    """Return the clues of these fields."""
    return {spot: clue for spot, clue in places_in(data, fields).items() if clue is not None}


def fields_text(base: Base, data: Mapping[str, Any]) -> str:
    """Return the fields as a spec has them: those of the base as they stand there."""
    parts = []
    for name in base.type.fields:
        value, before = data[name], base.data[name]
        if value is before or value == before:
            if name in base.spec.nodes:
                key, node = base.spec.nodes[name]
                parts.append(
                    base.spec.source.text[key.start_mark.index : node.end_mark.index].rstrip()
                    + "\n"
                )
        elif isinstance(value, Grid):
            parts.append(spec_text({name: rows_of(value)}))
        else:
            parts.append(f"{name}: {_flow(value)}\n")
    return "".join(parts)


def rows_of(board: Grid) -> list[str]:
    """Return the rows of a board; _ is no cell."""
    texts = {cell: _cell(value) for cell, value in board.values.items()}
    width = max(map(len, texts.values()))
    rows = rows_over(texts, "_")
    if width == 1:
        return ["".join(row) for row in rows]
    return [" ".join(text.rjust(width) for text in row).strip() for row in rows]


def _cell(value: Any) -> str:
    if value is None:
        return "."
    return (
        "\\".join("" if part is None else str(part) for part in value)
        if isinstance(value, tuple)
        else str(value)
    )


def _flow(value: Any) -> str:
    match value:
        case None:
            return "."
        case bool():
            return "yes" if value else "no"
        case tuple() | list() if not isinstance(value, Cell):
            return f"[{', '.join(map(_flow, value))}]"
        case Mapping():
            return f"{{{', '.join(f'{_flow(key)}: {_flow(part)}' for key, part in value.items())}}}"
        case _:
            text = str(value)
            return text if PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def cells_of(key: Any) -> Iterator[Cell]:
    """Yield the cells in an index or in what was drawn from."""
    if isinstance(key, Cell):
        yield key
    elif isinstance(key, tuple | list | frozenset):
        for part in key:
            yield from cells_of(part)
    elif hasattr(key, "cells"):
        yield from cells_of(tuple(key.cells))


def around(cells: Collection[Cell], far: int) -> set[Cell]:
    reach = range(-far, far + 1)
    return {
        Cell(cell.row + down, cell.column + right)
        for cell in cells
        for down in reach
        for right in reach
    }
