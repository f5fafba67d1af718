"""Checks the data of a spec by what its type says of them: the `in` of fields, and `require`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from puzzlekit.boards import Cell, Cells, Grid
from puzzlekit.errors import SourcePos, nearest
from puzzlekit.lang.aliases import DataValue
from puzzlekit.lang.data.collections import GridOf, ListOf
from puzzlekit.lang.data.scalars import DataType, Key, OptionalType, ValuePositions, ValuePath
from puzzlekit.lang.data.type_syntax import EACH, KEYS
from puzzlekit.lang.evaluation import Grounder, named
from puzzlekit.lang.expressions import RUN_ERRORS, error_in, sides_of
from puzzlekit.lang.expressions.interpreter import Interpreter
from puzzlekit.lang.expressions.values import ExpressionError, display_text
from puzzlekit.lang.puzzle_type import AllowedValues, Rule

NAMED = 12  # members that a message lists
PLAIN = frozenset({int, str, type(None)})  # types of values without parts
COMPARED = 1_000  # of which it suggests the nearest
Complaint = tuple[str, Callable[[], str]]  # the message, and a function that returns the help
Breach = tuple[ValuePath, Any, str, Callable[[], str]]  # the same, after the path and the value
_LEFT_OUT = "write . where nothing is given"


def check_data(run: Grounder, data: Mapping[str, Any], places: ValuePositions, beforehand: bool) -> None:
    """Raise Problems with all values that fields may not hold and all checks that fail.

    Conditions that use only fields are checked `beforehand`, the others after `let`.
    """
    source = run.puzzle.source
    lets, known = {let.name for let in run.puzzle.lets}, len(source.problems)
    for within in run.puzzle.within:
        if within.names.isdisjoint(lets) is beforehand and run.runs(within):
            _hold(run, within, data[within.field], places)
    for rule in run.puzzle.requirements:
        if rule.expression.names.isdisjoint(lets) is beforehand and run.runs(rule):
            _check(run, rule, data, places)
    if len(source.problems) > known:
        source.raise_problems()


def _hold(
    run: Grounder,
    within: AllowedValues,
    value: DataValue,
    places: Callable[[DataValue], SourcePos | None],
) -> None:
    """Note the values of a field that it may not hold, each at its place."""
    source, ends = run.puzzle.source, list[Any]()
    if value is None or within.names & run.failed or run.interpreter.exceeded:
        return
    at = next(end for end in within.ends if end is not None)
    field = run.puzzle.fields[within.field]
    declared = f"{run.puzzle.name} declares {field}"
    try:
        for end in within.ends:
            at = end or at
            ends.append(None if end is None else end.run(run.scope))
        for path, single, wrong, help in _breaches(within, ends, value, run.interpreter):
            meant = _LEFT_OUT if single == 0 and _may_be_left_out(field.type) else ""
            source.problem(
                wrong,
                None if source.full else places(path),
                "" if source.full else meant or help() or declared,
            )
    except RUN_ERRORS as error:
        error_in(at, error)


def _check(run: Grounder, rule: Rule, data: Mapping[str, Any], places: ValuePositions) -> None:
    """Note a requirement that fails at what its loop variable is bound to, or else at a field."""
    puzzle = run.puzzle
    read = [name for name in rule.expression.read if name in puzzle.fields]
    fields = list(dict.fromkeys([*read, *puzzle.fields_behind(rule.expression.names)]))
    for bindings, holds in run.each(rule.expression, run.scope):
        if not isinstance(holds, bool):
            run.problem(
                rule.expression,
                ExpressionError(
                    f"expected a condition as the requirement, got {display_text(holds)}"
                ),
            )
            break
        if not holds:
            bound, full = tuple(zip(rule.expression.loops or (), bindings)), puzzle.source.full
            place = None if full else _place_of(run, fields, bindings, data, places)
            help = ""
            with suppress(*RUN_ERRORS):  # no steps may be left
                help = "" if full else sides_of(rule.expression, {**run.scope, **dict(bound)})
            puzzle.source.problem(f"this does not hold: {named(rule.name, bound)}", place, help)


def _place_of(
    run: Grounder,
    fields: Sequence[str],
    bindings: Sequence[DataValue],
    data: Mapping[str, Any],
    places: ValuePositions,
) -> SourcePos | None:
    """Return the place of what a loop variable is bound to in these fields.

    Without one, it is the place of the first field that is not a default.
    """
    path = next((path for name in fields if (path := path_of(bindings, data[name], (name,)))), None)
    if path is not None:
        return places(path)
    found = [place for name in fields if (place := places((name,)))]
    return next(
        (place for place in found if place.path != run.puzzle.source.path),
        found[0] if found else None,
    )


# What fields may hold -----------------------------------------------------------------------------


def _breaches(
    within: AllowedValues, ends: Sequence[DataValue], value: DataValue, interpreter: Interpreter
) -> Iterator[Breach]:
    """Yield the single values of a field that it may not hold. `ends` are the values of the bounds,
    or of the members.
    """
    complaint = _members(ends[0], interpreter) if len(ends) == 1 else _between(ends, within.text)
    of_all = (
        complaint
        if not within.numbers
        else lambda single: complaint(single) if type(single) is int else None
    )
    for path, part in _at(value, within.steps, (within.field,)):
        for inner, single in singles(part, path):
            interpreter.spend(1)
            if single is not None and (wrong := of_all(single)):
                yield inner, single, *wrong


def _may_be_left_out(kind: DataType) -> bool:
    """Return whether cells or items of a field may be left out."""
    return (
        kind.empty
        if isinstance(kind, GridOf)
        else isinstance(kind, ListOf) and isinstance(kind.item, OptionalType)
    )


def _at(
    value: DataValue, steps: tuple[DataValue, ...], path: ValuePath
) -> Iterator[tuple[ValuePath, DataValue]]:
    """Yield the parts of a value to which the steps lead."""
    if value is None or not steps:
        yield path, value
    elif steps[0] is KEYS:
        yield from (((*path, Key(key)), key) for key in value)
    else:
        for inner, part in parts(value, path):
            if steps[0] is EACH or inner[-1] == steps[0]:
                yield from _at(part, steps[1:], inner)


def _between(ends: Sequence[DataValue], text: str) -> Callable[[DataValue], Complaint | None]:
    low, high = ends
    for end in ends:
        if end is not None and (isinstance(end, bool) or not isinstance(end, int)):
            raise ExpressionError(
                f"expected whole numbers as the ends of {text}, got {display_text(end)}"
            )
    wanted = (
        f"{high} or less"
        if low is None
        else f"{low} or more"
        if high is None
        else f"from {low} to {high}"
    )

    def complaint(value: DataValue) -> Complaint | None:
        if not isinstance(value, int):
            raise ExpressionError(
                f"{text} requires numbers, but this field has {display_text(value)}"
            )
        held = (low is None or low <= value) and (high is None or value <= high)
        return None if held else (f"{value} is not {wanted}", str)

    return complaint


def _members(
    collection: DataValue, interpreter: Interpreter
) -> Callable[[DataValue], Complaint | None]:
    cells = collection if isinstance(collection, Grid) else None
    among = _among(collection, interpreter) if cells is None else None

    def complaint(value: DataValue) -> Complaint | None:
        if cells is not None and isinstance(value, Cell):
            return (
                None
                if value in cells.values
                else (f"{value} is not a cell of {display_text(cells)}", str)
            )
        return (among or _among(collection, interpreter))(
            value
        )  # of a board, the values are seldom asked for

    return complaint


def _among(
    collection: DataValue, interpreter: Interpreter
) -> Callable[[DataValue], Complaint | None]:
    members = {member: None for member in interpreter.items(collection) if member is not None}
    names = [str(member) for member in members]
    among = (
        f"not one of {', '.join(names)}"
        if 0 < len(names) <= NAMED
        else f"not one of the {len(names)} allowed values"
    )

    def complaint(value: DataValue) -> Complaint | None:
        if value in members:
            return None
        return (
            f"{value} is {among}",
            lambda: nearest(str(value)[:100], names) if len(names) <= COMPARED else "",
        )

    return complaint


# The parts of a value -----------------------------------------------------------------------------


def parts(value: DataValue, path: ValuePath) -> Iterator[tuple[ValuePath, DataValue]]:
    """Yield the parts of a collection with their paths. A single value has no parts."""
    if isinstance(value, Grid):
        yield from (((*path, cell), part) for cell, part in value.values.items())
    elif isinstance(value, Mapping):
        yield from (((*path, key), part) for key, part in value.items())
    elif type(value) is tuple:
        yield from (((*path, at), part) for at, part in enumerate(value))


def singles(value: DataValue, path: ValuePath) -> Iterator[tuple[ValuePath, DataValue]]:
    """Yield the single values in a value with their paths, without the keys of mappings."""
    if not isinstance(value, Grid | Mapping) and type(value) is not tuple:
        yield path, value
    for inner, part in parts(value, path):
        if type(part) in PLAIN:  # most often
            yield inner, part
        else:
            yield from singles(part, inner)


def nested(value: DataValue, path: ValuePath) -> Iterator[tuple[ValuePath, DataValue]]:
    """Yield the value, all values in it, and the keys of mappings, with their paths."""
    yield path, value
    if isinstance(value, Mapping):
        yield from (((*path, Key(key)), key) for key in value)
    for inner, part in parts(value, path):
        yield from nested(part, inner)


def path_of(wanted: Sequence[Any], value: Any, path: ValuePath) -> ValuePath | None:
    """Return the path of the first part of a value that is in `wanted`, or at a cell in it.

    A group of cells counts as its first cell.
    """
    cells = {
        part if isinstance(part, Cell) else part[0]
        for part in wanted
        if isinstance(part, Cell | Cells) and part
    }
    others = [part for part in wanted if isinstance(part, str | tuple)]
    for inner, part in nested(value, path):
        if inner != path and (any(part is other for other in others) or inner[-1] in cells):
            return inner
    return None
