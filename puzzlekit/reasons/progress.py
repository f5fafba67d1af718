"""Read marks on a board in the making as facts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain
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
INT_TEXT = re.compile(r"[+-]?\d{1,18}", re.ASCII)


def read_marks(
    puzzle: Instance, marks: Mapping[str, Any], to_judge: bool = False
) -> list[ValueLiteral]:
    """Return the facts that marks state.

    Args:
        puzzle: The puzzle.
        marks: By the name of an unknown what is known of it, as `expect` states a solution: rows of
            a board, with `.` where nothing is known; a list of the indexes that are true; values by
            index; or a single value. `answer` stands for the first unknown. A list in place of a
            value is notes, the values that may still stand there. Under `not` stands in the same
            way what is excluded: a list of indexes that are false, or by index a value or a list of
            values that an unknown does not have.
        to_judge: Whether a value that its unknown never has, but others of its name may have, is
            returned, too, as it is for a judgement of the marks.

    Raises:
        InputError: There is no such unknown, index or value.
    """
    facts: list[ValueLiteral] = []
    for name, marked in marks.items():
        if name != NOT:
            facts += _MarkReader(puzzle, _array(puzzle, name), to_judge).positive_facts(marked)
            continue
        if not isinstance(marked, Mapping):
            raise InputError("expected what is excluded by the names of unknowns: not: {name: …}")
        for excluded_name, excluded in marked.items():
            array = _array(puzzle, excluded_name)
            facts += _MarkReader(puzzle, array, to_judge).excluded_facts(excluded)
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


class _MarkReader:
    """Reads the marks for the unknowns of a name."""

    def __init__(self, puzzle: Instance, array: VariableArray, to_judge: bool) -> None:
        self._array = array
        self._to_judge = to_judge
        domains = puzzle.model.domains
        self._domains = {variable: domains[variable] for variable in array}
        all_values = chain.from_iterable(self._domains.values())
        self._values: Sequence[Value] = [*dict.fromkeys(all_values)]
        integers = [entry for entry in self._values if type(entry) is int]
        self._integers = range(0)  # those between the least and the greatest value
        if integers and len(integers) == len(self._values):
            self._integers = range(min(integers), max(integers) + 1)
        self._is_truth = _is_truth_domain(self._values)

    def positive_facts(self, marks: Any) -> Iterator[ValueLiteral]:
        """Yield the facts of marks that say what holds."""
        array = self._array
        if array.arity == 0:
            marks = {(): marks}
        elif array.over_cells() and not isinstance(marks, Mapping):
            marks = _on_board(array, marks)
        elif isinstance(marks, list | tuple) and self._is_truth:
            for index in marks:
                yield ValueLiteral(self._member(index), True)
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
                variable = self._member(index)
                yield from self._mark_facts(variable, mark)

    def _mark_facts(self, variable: Variable, mark: Any) -> Iterator[ValueLiteral]:
        """Yield the facts of a value, or of notes."""
        if isinstance(mark, list | tuple):
            notes = {self._value(variable, note) for note in mark}
            domain = self._domains[variable]
            yield from self._denials(variable, [option for option in domain if option not in notes])
            return
        entry = self._value(variable, mark)
        if entry not in self._domains[variable] and not self._to_judge:
            raise self._refused(variable, mark)
        yield ValueLiteral(variable, entry)

    def excluded_facts(self, marks: Any) -> Iterator[ValueLiteral]:
        """Yield the facts of marks that say what does not hold."""
        array = self._array
        if isinstance(marks, list | tuple) and self._is_truth:
            marks = {_key(index): [True] for index in marks}
        if array.arity == 0 and not isinstance(marks, Mapping):
            marks = {(): marks}
        if not isinstance(marks, Mapping):
            raise InputError(
                f"not {array.name}: expected values by index, or a list of indexes that are false"
            )
        for index, values in marks.items():
            variable = self._member(index)
            excluded = values if isinstance(values, list | tuple) else [values]
            yield from self._denials(variable, [self._value(variable, mark) for mark in excluded])

    @cached_property
    def _by_text(self) -> dict[str, Variable]:
        """The unknowns by their indexes, as specs and as messages write them."""
        members = self._array.members.items()
        by_text = {str(index): variable for index, variable in members}
        return by_text | {_key(index): variable for index, variable in members}

    def _member(self, index: Any) -> Variable:
        """Return the unknown at an index, which may be written as a spec writes it."""
        members: Mapping[Any, Variable] = self._array.members
        with suppress(TypeError):  # of a list
            if index in members:
                return members[index]
        texts = [_key(index), str(index)]
        if isinstance(index, list | tuple):  # a line is written from either end
            texts.append(_key(index[::-1]))
        for text in texts:
            if text in self._by_text:
                return self._by_text[text]
        hint = nearest(texts[0], map(_key, members))
        raise InputError(f"{self._array.name} has no member at {texts[0]}", help=f"{hint}")

    def _denials(self, variable: Variable, excluded: Iterable[Value]) -> Iterator[ValueLiteral]:
        """Yield that an unknown does not have values; of two values, it has the other one."""
        domain = self._domains[variable]
        for denied in excluded:
            if denied not in domain:
                continue  # it never has that value
            remaining = [alternative for alternative in domain if alternative != denied]
            if len(remaining) == 1:
                yield ValueLiteral(variable, remaining[0])
            else:
                yield ValueLiteral(variable, denied, positive=False)

    def _value(self, variable: Variable, mark: Any) -> Value:
        """Return the value that a mark stands for, of those of an unknown or else of all unknowns
        of its name.
        """
        text = str(mark).lower() if isinstance(mark, bool) else str(mark).strip()
        lower = text.lower()
        if self._is_truth:
            if lower in YES or lower in NO:
                return lower in YES
            raise InputError(f"{variable}: expected # or -, got {text}")
        for values in (self._domains[variable], self._values):
            written = list(map(str, values))
            if text in written:
                return values[written.index(text)]
            written_lower = list(map(str.lower, written))
            if lower in written_lower:
                return values[written_lower.index(lower)]
        if INT_TEXT.fullmatch(text) and int(text) in self._integers:
            return int(text)
        raise self._refused(variable, text)

    def _refused(self, variable: Variable, mark: Any) -> InputError:
        values = shortened(list(map(str, self._domains[variable])), 12)
        return InputError(f"{variable} cannot be {mark}", help=f"it is one of {values}")


def _is_blank(mark: Any) -> bool:
    return mark is None or mark in ([], ()) or str(mark) in BLANK


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
