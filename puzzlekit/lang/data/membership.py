"""Checks the data against the `in` of the fields' declarations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from puzzlekit.boards import Cell, Grid
from puzzlekit.errors import nearest
from puzzlekit.lang.data.locations import Key, Path, parts, singles
from puzzlekit.lang.data.type_syntax import EACH, KEYS
from puzzlekit.lang.expressions.runtime import Runtime
from puzzlekit.lang.expressions.values import ExpressionError, shown
from puzzlekit.lang.puzzle_type import Within
from puzzlekit.limits import limits

Complaint = tuple[str, Callable[[], str]]  # the message, and a function that returns the hint
Breach = tuple[Path, str, Callable[[], str]]  # the same, after the path


def breaches(within: Within, ends: Sequence[Any], value: Any, runtime: Runtime) -> Iterator[Breach]:
    """Yield the single values of a field that it may not hold.

    Args:
        within: What a part of the field may hold.
        ends: The values of its two bounds, None for an open one, or only that of its members.
        value: The value of the field.
        runtime: The run of expressions that counts the steps.

    Raises:
        ExpressionError: The ends are not whole numbers, or the members are not a collection.
    """
    complaint = _members(ends[0], runtime) if len(ends) == 1 else _between(ends, within.text)
    of_all = complaint if not within.numbers else lambda single: complaint(single) if type(single) is int else None
    for path, part in _at(value, within.steps, (within.field,)):
        for inner, single in singles(part, path):
            runtime.spend(1)
            if single is not None and (wrong := of_all(single)):
                yield inner, *wrong


def _at(value: Any, steps: tuple[Any, ...], path: Path) -> Iterator[tuple[Path, Any]]:
    """Yield the parts of a value to which the steps lead."""
    if value is None or not steps:
        yield path, value
    elif steps[0] is KEYS:
        yield from (((*path, Key(key)), key) for key in value)
    else:
        for inner, part in parts(value, path):
            if steps[0] is EACH or inner[-1] == steps[0]:
                yield from _at(part, steps[1:], inner)


def _between(ends: Sequence[Any], text: str) -> Callable[[Any], Complaint | None]:
    low, high = ends
    for end in ends:
        if end is not None and (isinstance(end, bool) or not isinstance(end, int)):
            raise ExpressionError(f"expected whole numbers as the ends of {text}, got {shown(end)}")
    wanted = f"{high} or less" if low is None else f"{low} or more" if high is None else f"from {low} to {high}"

    def complaint(value: Any) -> Complaint | None:
        if not isinstance(value, int):
            raise ExpressionError(f"{text} requires numbers, but this field has {shown(value)}")
        held = (low is None or low <= value) and (high is None or value <= high)
        return None if held else (f"{value} is not {wanted}", str)

    return complaint


def _members(collection: Any, runtime: Runtime) -> Callable[[Any], Complaint | None]:
    members = {member: None for member in runtime.items(collection) if member is not None}
    cells = collection if isinstance(collection, Grid) else None
    names = [str(member) for member in members]
    most = limits().reading
    among = (
        f"not one of {', '.join(names)}"
        if 0 < len(names) <= most.named_members
        else f"not one of the {len(names)} allowed values"
    )

    def complaint(value: Any) -> Complaint | None:
        if cells is not None and isinstance(value, Cell):
            return None if value in cells.values else (f"{value} is not a cell of {shown(cells)}", str)
        if value in members:
            return None
        return f"{value} is {among}", lambda: nearest(str(value)[:100], names) if len(names) <= most.compared_members else ""

    return complaint
