"""Read marks on a board in the making as facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from puzzlekit.boards import Cell
from puzzlekit.errors import InputError, nearest
from puzzlekit.lang import Instance, VariableArray
from puzzlekit.model import Value, Variable
from puzzlekit.reasons.literals import ValueLiteral
from puzzlekit.sentences import shortened

NOT = "not"  # the key of what is excluded
BLANK = ("", ".", "_", "?")  # an unknown that has no mark
YES, NO = ("#", "true", "yes"), ("-", "x", "false", "no")  # the marks of a truth


def read_marks(puzzle: Instance, marks: Mapping[str, Any]) -> list[ValueLiteral]:
    """Return the facts that marks state.

    Args:
        puzzle: The puzzle.
        marks: By the name of an unknown what is known of it, as `expect` states a solution: rows of
            a board, with `.` where nothing is known; a list of the indexes that are true; values by
            index; or a single value. `answer` stands for the first unknown. Under `not` stands in
            the same way what is excluded: a list of indexes that are false, or by index a value or
            a list of values that an unknown does not have.

    Raises:
        InputError: There is no such unknown, index or value.
    """
    facts: list[ValueLiteral] = []
    for name, marked in marks.items():
        if name != NOT:
            facts += _positive_facts(puzzle, _array(puzzle, name), marked)
            continue
        if not isinstance(marked, Mapping):
            raise InputError("expected what is excluded by the names of unknowns: not: {name: …}")
        for excluded_name, excluded in marked.items():
            facts += _excluded_facts(puzzle, _array(puzzle, excluded_name), excluded)
    return list(dict.fromkeys(facts))


def _array(puzzle: Instance, name: str) -> VariableArray:
    """Return the unknowns of a name. Raises InputError if there are none."""
    names = [unknowns.name for unknowns in puzzle.type.unknowns if not unknowns.auxiliary]
    if name == "answer" and name not in puzzle.families:
        name = names[0]
    if name not in puzzle.families:
        message = f"{puzzle.type.name} has no unknown {name}"
        raise InputError(message, help=f"{nearest(str(name), names)}")
    return puzzle.families[name]


def _positive_facts(puzzle: Instance, array: VariableArray, marks: Any) -> Iterator[ValueLiteral]:
    """Yield the facts of marks that say what holds."""
    domains = puzzle.model.domains
    if array.arity == 0:
        marks = {(): marks}
    elif array.over_cells() and not isinstance(marks, Mapping):
        marks = _on_board(array, marks)
    elif isinstance(marks, list | tuple) and _is_truth(array, domains):
        for index in marks:
            yield ValueLiteral(_member(array, index), True)
        return
    elif isinstance(marks, list | tuple):
        expected = len(array)
        if len(marks) != expected:
            raise InputError(
                f"{array.name}: expected {expected} marks, one for each index, got {len(marks)}"
            )
        marks = dict(zip(array.members, marks))
    if not isinstance(marks, Mapping):
        raise InputError(f"{array.name}: expected marks by index")
    for index, mark in marks.items():
        if not _is_blank(mark):
            variable = array.members[()] if index == () else _member(array, index)
            yield ValueLiteral(variable, _value(variable, mark, domains[variable]))


def _excluded_facts(puzzle: Instance, array: VariableArray, marks: Any) -> Iterator[ValueLiteral]:
    """Yield the facts of marks that say what does not hold."""
    domains = puzzle.model.domains
    if isinstance(marks, list | tuple) and _is_truth(array, domains):
        marks = {_key(index): [True] for index in marks}
    if not isinstance(marks, Mapping):
        raise InputError(
            f"not {array.name}: expected values by index, or a list of indexes that are false"
        )
    by_key = {_key(index): variable for index, variable in array.members.items()}
    for index, values in marks.items():
        key = _key(index)
        variable = by_key[key] if key in by_key else _member(array, index)
        domain = domains[variable]
        for mark in values if isinstance(values, list | tuple) else [values]:
            excluded = _value(variable, mark, domain)
            remaining = [value for value in domain if value != excluded]
            if len(remaining) == 1:
                yield ValueLiteral(variable, remaining[0])
            else:
                yield ValueLiteral(variable, excluded, positive=False)


def _is_blank(mark: Any) -> bool:
    return mark is None or str(mark) in BLANK


def _is_truth(array: VariableArray, domains: Mapping[Variable, Sequence[Value]]) -> bool:
    return all(_is_truth_domain(domains[variable]) for variable in array)


def _is_truth_domain(domain: Sequence[Value]) -> bool:
    return all(type(value) is bool for value in domain)


def _on_board(array: VariableArray, marks: Any) -> dict[Any, Any]:
    """Return the marks of rows by cell."""
    lines = marks
    if isinstance(marks, str):
        lines = list(filter(str.strip, marks.split("\n")))
    if not isinstance(lines, Sequence):
        raise InputError(f"{array.name}: expected the rows of a board")
    rows = list(map(_marks_of_line, lines))
    height = max(cell.row for cell in array.members)
    width = max(cell.column for cell in array.members)
    if len(rows) != height:
        raise InputError(f"{array.name}: expected {height} rows, got {len(rows)}")
    marks_by_cell = {}
    for number, row in enumerate(rows, 1):
        if len(row) != width:
            raise InputError(f"{array.name}, row {number}: expected {width} marks, got {len(row)}")
        for column, mark in enumerate(row, 1):
            cell = Cell(number, column)
            if cell in array.members:
                marks_by_cell[cell] = mark
            elif not _is_blank(mark):
                raise InputError(f"{array.name} has no cell at {cell}, where {mark} is marked")
    return marks_by_cell


def _marks_of_line(line: Any) -> list[Any]:
    """Return the marks of a row: characters, words between spaces, or the items of a list."""
    if isinstance(line, str):
        stripped = line.strip()
        return stripped.split() if " " in stripped else list(stripped)
    return list(line) if isinstance(line, Sequence) else [line]


def _key(index: Any) -> str:
    """Return an index as text that does not depend on how it is written."""
    if isinstance(index, tuple | list) and not hasattr(index, "_fields"):
        return f"[{','.join(map(_key, index))}]"
    return str(index).replace(" ", "")


def _member(array: VariableArray, index: Any) -> Variable:
    """Return the unknown at an index, which may be written as a spec writes it."""
    try:
        if index in array.members:
            member: Variable = array.members[index]
            return member
    except TypeError:  # a list
        pass
    key = _key(index)
    wanted = {key}
    if isinstance(index, list | tuple):
        wanted.add(_key(index[::-1]))
    text = str(index)
    for member_index, variable in array.members.items():
        if _key(member_index) in wanted or str(member_index) == text:
            return variable  # type: ignore[no-any-return]
    hint = nearest(key, map(_key, array.members))
    raise InputError(f"{array.name} has no member at {key}", help=f"{hint}")


def _value(variable: Variable, mark: Any, domain: Sequence[Value]) -> Value:
    """Return the value of a domain that a mark stands for."""
    text = str(mark).lower() if isinstance(mark, bool) else str(mark).strip()
    lower = text.lower()
    if _is_truth_domain(domain):
        if lower in YES or lower in NO:
            return lower in YES
        raise InputError(f"{variable}: expected # or -, got {text}")
    written = list(map(str, domain))
    if text in written:
        return domain[written.index(text)]
    written_lower = [value.lower() for value in written]
    if lower in written_lower:
        return domain[written_lower.index(lower)]
    values = shortened(written, 12)
    raise InputError(f"{variable} cannot be {text}", help=f"it is one of {values}")
