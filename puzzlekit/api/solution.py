"""Solutions: the values of the unknowns, also as the plain data that JSON and specs use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from reprlib import Repr
from types import MappingProxyType
from typing import Any

from puzzlekit.api.equality import is_library_value, same_puzzle
from puzzlekit.api.pictures import solution_html
from puzzlekit.boards import Cell, Corner, Grid, Placement, Shape
from puzzlekit.errors import InputError
from puzzlekit.lang import BoundPuzzle, Family
from puzzlekit.lang.expressions.values import value_type
from puzzlekit.model import Value, Variable, as_dict

BRIEF = Repr()
BRIEF.maxlist = BRIEF.maxdict = 3
BRIEF.maxlevel = 2


class Solution(Mapping[str, Any]):
    """The values of all unknowns of a puzzle, checked against its rules.

    A solution is a mapping from the names of unknowns and shown values to plain Python values. A
    board of numbers is a list of rows of numbers (None for a hole); a board of letters is a list of
    strings, one per row (`.` for a hole). A family of Boolean unknowns that are not the cells of a
    board is the list of the indices that are true.

    Two solutions are equal if they belong to equal puzzles and their visible unknowns have the same
    values. Solutions can be hashed, copied and pickled. A notebook draws them.

    Attributes:
        value: The value of the goal that ranks the solutions; None if they are not ranked.
        then: The results of second types, by the name of the type.
        assignment: The value of each variable of the model.

    Examples:
        >>> import puzzlekit
        >>> puzzle = puzzlekit.load("examples/magic_square.yaml", "examples/magic_square_4.yaml")
        >>> (solution,) = puzzle.solve()
        >>> solution
        <Solution of magic_square: number=[[16, 3, 2, ...], [5, 10, 11, ...], [9, 6, 7, ...], ...]>
        >>> list(solution), solution["number"][0]
        (['number'], [16, 3, 2, 13])
    """

    value: int | None = None
    then: Mapping[str, Sequel] = MappingProxyType({})

    def __init__(self, instance: BoundPuzzle, assignment: Mapping[Variable, Value]) -> None:
        self.instance = instance
        self.assignment = assignment

    def work_out(self) -> None:
        """Evaluate the shown values now, so that Problems are raised here."""
        self.shown  # noqa: B018  it is cached

    @cached_property
    def shown(self) -> dict[str, Any]:
        """The values that the type shows beside unknowns. Raises Problems."""
        expressions = self.instance.puzzle.shown_expressions
        return {name: self.instance.evaluate(expression, self.assignment) for name, expression in expressions}

    @cached_property
    def families(self) -> dict[str, Family]:
        """The families of visible unknowns, with their values."""
        values = as_dict(self.assignment)
        return {
            name: family.filled(values)
            for name, family in self.instance.families.items()
            if not family or not all(variable in self.instance.model.auxiliary for variable in family)
        }

    def __getitem__(self, name: str) -> Any:
        return python_value(self.shown_or_family(name))

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self.families, *self.shown)))

    def __len__(self) -> int:
        return len(self.families.keys() | self.shown.keys())

    def __contains__(self, name: object) -> bool:
        return name in self.families or name in self.shown

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Solution):
            return NotImplemented
        return self is other or (same_puzzle(self.instance, other.instance) and self._texts == other._texts)

    def __hash__(self) -> int:
        return hash((self.instance.puzzle.name, self._texts))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={BRIEF.repr(python_value(family))}" for name, family in self.families.items())
        return f"<Solution of {self.instance.puzzle.name}: {values if len(values) <= 100 else values[:99] + '…'}>"

    def __reduce__(self) -> tuple[Callable[..., Solution], tuple[Any, ...]]:
        domains = self.instance.model.domains
        chosen = [(domains[variable].index(value), str(value)) for variable, value in self._by_variable()]
        return _restored, (self.instance, chosen, self.value, dict(self.then))

    def __copy__(self) -> Solution:
        return self

    def __deepcopy__(self, memo: Any) -> Solution:
        return self

    def _repr_html_(self) -> str:
        return solution_html(self)

    def _by_variable(self) -> Iterator[tuple[Variable, Value]]:
        values = as_dict(self.assignment)
        return ((variable, values[variable]) for variable in self.instance.model.domains)

    @cached_property
    def _texts(self) -> tuple[str, ...]:
        """The visible values as text: values of equal puzzles may differ by identity."""
        values = as_dict(self.assignment)
        return tuple(str(values[variable]) for variable in self.instance.model.visible())

    def shown_or_family(self, name: str) -> Any:
        """An unknown with its values, or a value that the type shows."""
        return self.families[name] if name in self.families else self.shown[name]

    def json(self) -> dict[str, Any]:
        """The solution as `puzzlekit solve --json` prints it.

        Returns:
            The unknowns and shown values as JSON data, with the results of second types under
            `then`. Unlike in the mapping, a board whose values have one character each is a list of
            strings, one per row.

        Examples:
            >>> import puzzlekit
            >>> spec = {"size": 3, "givens": ["2 . 6", ". . .", ". . ."]}
            >>> (solution,) = puzzlekit.load("examples/magic_square.yaml", spec).solve()
            >>> solution.json(), solution["number"]
            ({'number': ['276', '951', '438']}, [[2, 7, 6], [9, 5, 1], [4, 3, 8]])
        """
        found = {name: plain(value) for name, value in (*self.families.items(), *self.shown.items())}
        if self.then:
            found["then"] = {name: sequel.json() for name, sequel in self.then.items()}
        return found

    def key(self) -> tuple[Any, ...]:
        """A key that identifies a solution of one loaded puzzle: the visible values by name."""
        return tuple((variable.name, self.assignment[variable]) for variable in self.instance.model.visible())


def _restored(instance: BoundPuzzle, chosen: list[tuple[int, str]], value: int | None, then: Mapping[str, Sequel]) -> Solution:
    """Unpickle a solution.

    `chosen` has for each unknown the position of its value in the domain, and the value as text.
    """
    domains = instance.model.domains
    if len(domains) != len(chosen):
        raise InputError(f"the pickled solution of {instance.puzzle.name} is from another version of the puzzle")
    solution = Solution(instance, {v: _chosen(domain, *at) for (v, domain), at in zip(domains.items(), chosen)})
    solution.value = value
    if then:
        solution.then = then
    return solution


def _chosen(domain: Sequence[Value], position: int, text: str) -> Value:
    """The value at a position, or the one with the same text if the order of the domain changed."""
    if position < len(domain) and str(domain[position]) == text:
        return domain[position]
    for value in domain:
        if str(value) == text:
            return value
    raise InputError(f"the pickled solution has the value {text[:60]}, which is not in the domain of its unknown")


class Sequel(dict[str, Any]):
    """The result of a second type for a solution: a dict of the values that it shows, by name.

    Attributes:
        title: The title of the second type.
        outcome: What is known of its solution: proven optimal, the only one, one of several, none.
        optimal: Whether the solution is proven optimal; None if the second type has no goal.
        solution: The solution of the second type; None if there is none.
    """

    def __init__(self, title: str, outcome: str, optimal: bool | None, solution: Solution | None) -> None:
        self.title = title
        self.outcome = outcome
        self.optimal = optimal
        self.solution = solution
        shown = () if solution is None else solution.instance.puzzle.show
        super().__init__((part.name, solution.shown_or_family(part.name)) for part in shown if solution is not None)
        if optimal is not None:
            self["optimal"] = optimal

    def json(self) -> dict[str, Any]:
        """The result as plain data, with the results that follow from it under `then`."""
        found = {name: plain(value) for name, value in self.items()}
        if self.solution is not None and self.solution.then:
            found["then"] = {name: sequel.json() for name, sequel in self.solution.then.items()}
        return {**found, "outcome": self.outcome}


def python_value(value: Any) -> Any:
    """Convert a value for Python programs: like `plain`, but boards of numbers as rows of numbers.

    Examples:
        >>> board = Grid.of_rows([[1, 2], [None, 4]])
        >>> python_value(board), plain(board)
        ([[1, 2], [None, 4]], ['12', '.4'])
    """
    if is_library_value(value):
        return value.as_data()
    values = value.values if isinstance(value, Grid) else value.members if isinstance(value, Family) else {}
    if values and all(isinstance(cell, Cell) for cell in values):
        numbers = [item for item in values.values() if item is not None]
        if numbers and all(type(item) is int for item in numbers):
            height, width = max(cell.row for cell in values), max(cell.column for cell in values)
            return [[values.get(Cell(row, column)) for column in range(1, width + 1)] for row in range(1, height + 1)]
    return plain(value)


def plain(value: Any) -> Any:
    """Convert a value to JSON data.

    A board is a list of strings, one per row, with `.` for a hole. If a value is longer than one
    character, it is a list of lists, with None for a hole. A family of Boolean unknowns that are
    not the cells of a board is the list of the indices that are true.

    Examples:
        >>> plain(Grid.of_rows(["ab", ".c"])), plain((Cell(1, 2), True))
        (['ab', '.c'], ['r1c2', True])
    """
    known = value_type(value)
    if known is not None and known.json is not None:
        return known.json(value)
    match value:
        case Family():
            return _plain_family(value)
        case Grid():
            return _plain_board(value.values)
        case Placement():
            return {"piece": plain(value.piece), "cells": [str(cell) for cell in value.cells]}
        case Cell() | Corner() | Shape():
            return str(value)
        case None | bool() | int() | str():
            return value
        case Mapping():
            return {str(key): plain(item) for key, item in value.items()}
        case tuple() | list() | set() | frozenset() | range():
            return [plain(item) for item in value]
        case _:
            return str(value)


def _plain_family(family: Family) -> Any:
    members = family.members
    if family.arity == 0:
        return plain(members[()])
    if family.over_cells():
        return _plain_board(members)
    if all(isinstance(value, bool) for value in members.values()):
        return [plain(index) for index, value in members.items() if value]
    if list(members) == list(range(len(members))):
        return [plain(value) for value in members.values()]
    return {str(index): plain(value) for index, value in members.items()}


def _plain_board(values: Mapping[Cell, Any]) -> list[Any]:
    height, width = max(c.row for c in values), max(c.column for c in values)
    every = [[_mark_of(values, Cell(r, c)) for c in range(1, width + 1)] for r in range(1, height + 1)]
    if all(len(str(item)) == 1 for row in every for item in row):
        return ["".join(str(item) for item in row) for row in every]
    return [[None if item == "." else item for item in row] for row in every]


def _mark_of(values: Mapping[Cell, Any], cell: Cell) -> Any:
    if cell not in values or values[cell] is None:
        return "."
    value = values[cell]
    return ("#" if value else "-") if isinstance(value, bool) else plain(value)


def matches(expected: Any, found: Any) -> bool:
    """Whether plain data equals what a spec expects.

    The scalars of a spec are text, so values are compared as text. A board may be one block of
    text, its cells may be separated by blanks, and a hole may be `_` as well as `.`.

    Examples:
        >>> matches("ab\\n.c\\n", ["ab", ".c"]), matches(["1", "2"], [1, 2]), matches("a _\\nb c", ["a.", "bc"])
        (True, True, True)
    """
    if isinstance(found, Mapping):
        return isinstance(expected, Mapping) and all(k in found and matches(v, found[k]) for k, v in expected.items())
    if isinstance(found, Sequence) and not isinstance(found, str):
        rows = rows_of(expected)
        return len(rows) == len(found) and all(map(_matches_row, rows, found))
    return str(expected) == ("true" if found is True else "false" if found is False else str(found))


def rows_of(expected: Any) -> Sequence[Any]:
    """What a spec expects as rows: of a text, its lines, each split at blanks if it has some."""
    if isinstance(expected, str):
        return [line.split() if line.split()[1:] else line.strip() for line in expected.split("\n") if line.strip()]
    return expected if isinstance(expected, Sequence) else ()


def _matches_row(expected: Any, found: Any) -> bool:
    if found is None and expected in ("_", "."):
        return True
    if not isinstance(found, str):
        return matches(expected, found)
    cells = expected if isinstance(expected, list) else str(expected)
    return str(expected) == found or (
        len(cells) == len(found) and all(a == b or (a, b) == ("_", ".") for a, b in zip(cells, found))
    )
