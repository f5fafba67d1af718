"""Marks on a board in the making: read as facts, and judged without a look at the solution."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from puzzlekit.boards import Cell
from puzzlekit.errors import InputError, nearest
from puzzlekit.lang import Instance, VariableArray
from puzzlekit.model import Value, Variable
from puzzlekit.reasons.literals import ValueLiteral

NOT = "not"  # the key of what is excluded
BLANK = ("", ".", "_", "?")  # an unknown that has no mark
YES, NO = ("#", "true", "yes"), ("-", "x", "false", "no")  # the marks of a truth


def read_marks(puzzle: Instance, marks: Mapping[str, Any]) -> list[ValueLiteral]:
    """Return the facts that marks state.

    Args:
        bound: The puzzle.
        marks: By the name of an unknown what is known of it, as `expect` states a solution: rows of
            a board, with `.` where nothing is known; a list of the indexes that are true; values by
            index; or a single value. `answer` stands for the first unknown. Under `not` stands in
            the same way what is excluded: a list of indexes that are false, or by index a value or
            a list of values that an unknown does not have.

    Raises:
        InputError: There is no such unknown, index or value.
    """
    facts: list[ValueLiteral] = []
    for name, value in marks.items():
        if name == NOT:
            if not isinstance(value, Mapping):
                raise InputError(
                    "expected what is excluded by the names of unknowns: not: {name: …}"
                )
            for own, excluded in value.items():
                facts += _excluded(puzzle, _family(puzzle, own), excluded)
        else:
            facts += _given(puzzle, _family(puzzle, name), value)
    return list(dict.fromkeys(facts))


def _family(bound: Instance, name: str) -> VariableArray:
    shown = [unknowns.name for unknowns in bound.type.unknowns if not unknowns.auxiliary]
    if name == "answer" and name not in bound.families:
        name = shown[0]
    if name not in bound.families:
        raise InputError(
            f"{bound.type.name} has no unknown {name}", help=f"{nearest(str(name), shown)}"
        )
    return bound.families[name]


def _given(bound: Instance, family: VariableArray, marks: Any) -> Iterator[ValueLiteral]:
    """Yield the facts of marks that say what holds."""
    domains = bound.model.domains
    if family.arity == 0:
        marks = {(): marks}
    elif family.over_cells() and not isinstance(marks, Mapping):
        marks = _on_board(family, marks)
    elif isinstance(marks, list | tuple) and _is_truth(family, domains):
        for index in marks:
            yield ValueLiteral(_member(family, index), True)
        return
    elif isinstance(marks, list | tuple):
        if len(marks) != len(family):
            raise InputError(
                f"{family.name}: expected {len(family)} marks, one for each index, got {len(marks)}"
            )
        marks = dict(zip(family.members, marks))
    if not isinstance(marks, Mapping):
        raise InputError(f"{family.name}: expected marks by index")
    for index, mark in marks.items():
        if mark is not None and str(mark) not in BLANK:
            variable = family.members[()] if index == () else _member(family, index)
            yield ValueLiteral(variable, _value(variable, mark, domains[variable]))


def _excluded(bound: Instance, family: VariableArray, marks: Any) -> Iterator[ValueLiteral]:
    """Yield the facts of marks that say what does not hold."""
    domains = bound.model.domains
    if isinstance(marks, list | tuple) and _is_truth(family, domains):
        marks = {_key(index): [True] for index in marks}
    if not isinstance(marks, Mapping):
        raise InputError(
            f"not {family.name}: expected values by index, or a list of indexes that are false"
        )
    by_key = {_key(index): variable for index, variable in family.members.items()}
    for index, values in marks.items():
        variable = by_key[_key(index)] if _key(index) in by_key else _member(family, index)
        for mark in values if isinstance(values, list | tuple) else [values]:
            value = _value(variable, mark, domains[variable])
            other = [known for known in domains[variable] if known != value]
            yield (
                ValueLiteral(variable, other[0])
                if len(other) == 1
                else ValueLiteral(variable, value, positive=False)
            )


def _is_truth(family: VariableArray, domains: Mapping[Variable, Sequence[Value]]) -> bool:
    return all(type(value) is bool for variable in family for value in domains[variable])


def _on_board(family: VariableArray, marks: Any) -> dict[Any, Any]:
    """Return the marks of rows by cell."""
    lines = (
        [line for line in marks.split("\n") if line.strip()] if isinstance(marks, str) else marks
    )
    if not isinstance(lines, Sequence):
        raise InputError(f"{family.name}: expected the rows of a board")
    rows = [
        line.split() if isinstance(line, str) and " " in line.strip() else list(_stripped(line))
        for line in lines
    ]
    height, width = (
        max(cell.row for cell in family.members),
        max(cell.column for cell in family.members),
    )
    if len(rows) != height:
        raise InputError(f"{family.name}: expected {height} rows, got {len(rows)}")
    found = {}
    for number, row in enumerate(rows, 1):
        if len(row) != width:
            raise InputError(f"{family.name}, row {number}: expected {width} marks, got {len(row)}")
        for column, mark in enumerate(row, 1):
            cell = Cell(number, column)
            if cell in family.members:
                found[cell] = mark
            elif mark is not None and str(mark) not in BLANK:
                raise InputError(f"{family.name} has no cell at {cell}, where {mark} is marked")
    return found


def _stripped(line: Any) -> Iterable[Any]:
    return line.strip() if isinstance(line, str) else line if isinstance(line, Sequence) else [line]


def _key(index: Any) -> str:
    """Return an index as text that does not depend on how it is written."""
    if isinstance(index, tuple | list) and not hasattr(index, "_fields"):
        return f"[{','.join(map(_key, index))}]"
    return str(index).replace(" ", "")


def _member(family: VariableArray, index: Any) -> Variable:
    """Return the unknown at an index, which may be written as a spec writes it."""
    try:
        if index in family.members:
            found: Variable = family.members[index]
            return found
    except TypeError:  # a list
        pass
    wanted = {
        _key(index),
        _key(list(reversed(index)) if isinstance(index, list | tuple) else index),
    }
    for known, variable in family.members.items():
        if _key(known) in wanted or str(known) == str(index):
            return variable  # type: ignore[no-any-return]
    raise InputError(
        f"{family.name} has no member at {_key(index)}",
        help=f"{nearest(_key(index), map(_key, family.members))}",
    )


def _value(variable: Variable, given: Any, domain: Sequence[Value]) -> Value:
    """Return the value of a domain that a mark stands for."""
    text = ("true" if given else "false") if isinstance(given, bool) else str(given).strip()
    if all(type(value) is bool for value in domain):
        if text.lower() in YES or text.lower() in NO:
            return text.lower() in YES
        raise InputError(f"{variable}: expected # or -, got {text}")
    written = [str(value) for value in domain]
    for texts, mark in ((written, text), ([one.lower() for one in written], text.lower())):
        if mark in texts:
            return domain[texts.index(mark)]
    some = ", ".join(map(str, domain[:12])) + (", …" if len(domain) > 12 else "")
    raise InputError(f"{variable} cannot be {text}", help=f"it is one of {some}")
