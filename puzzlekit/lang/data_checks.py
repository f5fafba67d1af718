"""Checks the data of a spec by what its type says of them: the `in` of fields, and `require`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from puzzlekit.boards import Cell, Cells, Grid
from puzzlekit.errors import SourcePos, nearest
from puzzlekit.lang.aliases import DataValue
from puzzlekit.lang.data.collections import GridOf, ListOf
from puzzlekit.lang.data.scalars import DataType, Key, OptionalType, ValuePath, ValuePositions
from puzzlekit.lang.data.type_syntax import EACH, KEYS
from puzzlekit.lang.evaluation import Grounder, named
from puzzlekit.lang.expressions import RUN_ERRORS, error_in, sides_of
from puzzlekit.lang.expressions.interpreter import Interpreter
from puzzlekit.lang.expressions.values import ExpressionError, display_text
from puzzlekit.lang.puzzle_type import AllowedValues, Rule

NAMED = 12  # members that a message lists
PLAIN = frozenset({int, str, type(None)})  # types of values without members
NUMBERS = frozenset({int, type(None)})
COMPARED = 1_000  # of which it suggests the nearest
Complaint = tuple[str, Callable[[], str]]  # the message, and a function that returns the help
Check = Callable[[DataValue], Complaint | None]  # what is wrong with a value
Breach = tuple[ValuePath, Any, str, Callable[[], str]]  # a complaint after the path and the value
_LEFT_OUT = "write . where nothing is given"


def check_data(
    run: Grounder, data: Mapping[str, Any], positions: ValuePositions, beforehand: bool
) -> None:
    """Raise Problems with all values that fields may not have and all checks that fail.

    Conditions that use only fields are checked `beforehand`, the others after `let`.
    """
    source = run.type_.source
    lets = {let.name for let in run.type_.lets}
    earlier = len(source.problems)
    for limit in run.type_.within:
        if limit.names.isdisjoint(lets) is beforehand and run.runs(limit):
            _check_values(run, limit, data[limit.field], positions)
    for rule in run.type_.requirements:
        if rule.expression.names.isdisjoint(lets) is beforehand and run.runs(rule):
            _check_requirement(run, rule, data, positions)
    if len(source.problems) > earlier:
        source.raise_problems()


def _check_values(
    run: Grounder,
    limit: AllowedValues,
    value: DataValue,
    positions: Callable[[ValuePath], SourcePos | None],
) -> None:
    """Note the values of a field that are not allowed, each at its position."""
    if value is None or limit.names & run.failed or run.interpreter.exceeded:
        return
    source = run.type_.source
    field = run.type_.fields[limit.field]
    expressions = [end for end in limit.ends if end is not None]
    running = expressions[0]
    ends: list[Any] = []
    try:
        for end in limit.ends:
            if end is None:
                ends.append(None)
            else:
                running = end
                ends.append(end.run(run.scope))
        for path, single, message, help in _breaches(limit, ends, value, run.interpreter):
            if source.full:
                source.problem(message, None)
                continue
            cure = _LEFT_OUT if single == 0 and _may_be_left_out(field.type) else help()
            cure = cure or f"{run.type_.name} declares {field}"
            source.problem(message, positions(path), cure)
    except RUN_ERRORS as error:
        error_in(running, error)


def _check_requirement(
    run: Grounder, rule: Rule, data: Mapping[str, Any], positions: ValuePositions
) -> None:
    """Note a requirement that fails at the value of its loop variable, or else at a field."""
    expression = rule.expression
    source = run.type_.source
    fields = _fields_read(run, rule)
    for bindings, satisfied in run.each(expression, run.scope):
        if not isinstance(satisfied, bool):
            message = f"expected a condition as the requirement, got {display_text(satisfied)}"
            run.problem(expression, ExpressionError(message))
            break
        if satisfied:
            continue
        loop_values = tuple(zip(expression.loops or (), bindings))
        message = f"this does not hold: {named(rule.name, loop_values)}"
        if source.full:
            source.problem(message, None)
            continue
        position = _position_of(run, fields, bindings, data, positions)
        help = ""
        with suppress(*RUN_ERRORS):  # the steps may be used up
            help = sides_of(expression, {**run.scope, **dict(loop_values)})
        source.problem(message, position, help)


def _fields_read(run: Grounder, rule: Rule) -> list[str]:
    """Return the fields that a requirement reads: first those that it names."""
    type_ = run.type_
    direct = [name for name in rule.expression.read if name in type_.fields]
    return list(dict.fromkeys([*direct, *type_.fields_behind(rule.expression.names)]))


def _position_of(
    run: Grounder,
    fields: Sequence[str],
    bindings: Sequence[DataValue],
    data: Mapping[str, Any],
    positions: ValuePositions,
) -> SourcePos | None:
    """Return the position of what a loop variable is bound to in these fields.

    Without one, it is the position of the first field that is not a default.
    """
    for name in fields:
        path = path_of(bindings, data[name], (name,))
        if path:
            return positions(path)
    defaults: list[SourcePos] = []
    for name in fields:
        position = positions((name,))
        if position is None:
            continue
        if position.path != run.type_.source.path:
            return position
        defaults.append(position)
    return defaults[0] if defaults else None


# The values that fields may have ------------------------------------------------------------------


def _breaches(
    limit: AllowedValues, ends: Sequence[DataValue], value: DataValue, interpreter: Interpreter
) -> Iterator[Breach]:
    """Yield the single values of a field that are not allowed.

    `ends` are the values of the bounds, or only the collection of the members.
    """
    check = _members(ends[0], interpreter) if len(ends) == 1 else _between(ends, limit.text)
    for path, limited in _values_at(value, limit.steps, (limit.field,)):
        if isinstance(limited, Grid) and _is_allowed(limited, check):
            interpreter.spend(len(limited))
            continue
        for inner, single in singles(limited, path):
            interpreter.spend(1)
            if single is None or (limit.numbers and type(single) is not int):
                continue
            if complaint := check(single):
                yield inner, single, *complaint


def _is_allowed(board: Grid, check: Callable[[Any], object]) -> bool:
    """Return whether all values of a board are numbers that pass a check.

    The check is run once for each number.
    """
    contents = [*board.values.values()]
    if not NUMBERS.issuperset(map(type, contents)):
        return False
    return not any(check(number) for number in set(contents) if number is not None)


def _may_be_left_out(data_type: DataType) -> bool:
    """Return whether cells or items of a field may be left out."""
    if isinstance(data_type, GridOf):
        return data_type.empty
    return isinstance(data_type, ListOf) and isinstance(data_type.item, OptionalType)


def _values_at(
    value: DataValue, steps: tuple[DataValue, ...], path: ValuePath
) -> Iterator[tuple[ValuePath, DataValue]]:
    """Yield the values inside a value to which the steps lead."""
    if value is None or not steps:
        yield path, value
    elif steps[0] is KEYS:
        yield from (((*path, Key(key)), key) for key in value)
    else:
        step = steps[0]
        for inner, member in members(value, path):
            if step is EACH or inner[-1] == step:
                yield from _values_at(member, steps[1:], inner)


def _between(ends: Sequence[DataValue], text: str) -> Check:
    """Return the check of numbers in a range, which the type writes as `text`."""
    low, high = ends
    for end in ends:
        if end is not None and (isinstance(end, bool) or not isinstance(end, int)):
            raise ExpressionError(
                f"expected whole numbers as the ends of {text}, got {display_text(end)}"
            )
    if low is None:
        wanted = f"{high} or less"
    elif high is None:
        wanted = f"{low} or more"
    else:
        wanted = f"from {low} to {high}"

    def check(value: DataValue) -> Complaint | None:
        if not isinstance(value, int):
            raise ExpressionError(
                f"{text} requires numbers, but this field has {display_text(value)}"
            )
        too_low = low is not None and value < low
        too_high = high is not None and value > high
        return (f"{value} is not {wanted}", str) if too_low or too_high else None

    return check


def _members(collection: DataValue, interpreter: Interpreter) -> Check:
    """Return the check of the members of a collection."""
    if not isinstance(collection, Grid):
        return _among(collection, interpreter)
    board = collection

    def check(value: DataValue) -> Complaint | None:
        if not isinstance(value, Cell):  # the values of a board are seldom asked for
            return _among(board, interpreter)(value)
        if value in board.values:
            return None
        return f"{value} is not a cell of {display_text(board)}", str

    return check


def _among(collection: DataValue, interpreter: Interpreter) -> Check:
    allowed = dict.fromkeys(interpreter.items(collection))
    allowed.pop(None, None)
    names = [str(member) for member in allowed]
    listing = f"not one of the {len(names)} allowed values"
    if 0 < len(names) <= NAMED:
        listing = f"not one of {', '.join(names)}"

    def check(value: DataValue) -> Complaint | None:
        if value in allowed:
            return None

        def help() -> str:
            if len(names) > COMPARED:
                return ""
            return nearest(str(value)[:100], names)

        return f"{value} is {listing}", help

    return check


# The values inside a value ------------------------------------------------------------------------


def members(value: DataValue, path: ValuePath) -> Iterator[tuple[ValuePath, DataValue]]:
    """Yield the members of a collection with their paths. A single value has none."""
    if isinstance(value, Grid):
        yield from (((*path, cell), content) for cell, content in value.values.items())
    elif isinstance(value, Mapping):
        yield from (((*path, key), member) for key, member in value.items())
    elif type(value) is tuple:
        yield from (((*path, index), member) for index, member in enumerate(value))


def singles(value: DataValue, path: ValuePath) -> Iterator[tuple[ValuePath, DataValue]]:
    """Yield the single values in a value with their paths, without the keys of mappings."""
    if not isinstance(value, Grid | Mapping) and type(value) is not tuple:
        yield path, value
    for inner, member in members(value, path):
        if type(member) in PLAIN:  # most often
            yield inner, member
        else:
            yield from singles(member, inner)


def nested(value: DataValue, path: ValuePath) -> Iterator[tuple[ValuePath, DataValue]]:
    """Yield the value, all values in it, and the keys of mappings, with their paths."""
    yield path, value
    if isinstance(value, Mapping):
        yield from (((*path, Key(key)), key) for key in value)
    for inner, member in members(value, path):
        yield from nested(member, inner)


def path_of(wanted: Sequence[Any], value: Any, path: ValuePath) -> ValuePath | None:
    """Return the path of the first value inside a value that is in `wanted`, or at a cell in it.

    A group of cells counts as its first cell.
    """
    cells: set[Any] = set()
    objects: list[Any] = []  # which are the same as a value, not only equal
    for target in wanted:
        if isinstance(target, Cell):
            cells.add(target)
        elif isinstance(target, Cells) and target:
            cells.add(target[0])
        if isinstance(target, str | tuple):
            objects.append(target)
    for inner, member in nested(value, path):
        if inner == path:
            continue
        if inner[-1] in cells or any(member is target for target in objects):
            return inner
    return None
