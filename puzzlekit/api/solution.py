"""An answer: the values of its unknowns, checked, and the plain data that JSON and specs speak of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

from puzzlekit.boards import Cell, Corner, Exchange, Grid, Placement, Shape
from puzzlekit.lang import BoundPuzzle, Family
from puzzlekit.model import Value, Variable, as_dict
from puzzlekit.words import Mark, Tile


class Solution:
    """One answer of a puzzle. `answer["name"]` is an unknown, or a value that the type shows, as plain data."""

    value: int | None = None  # that of the goal by which solutions are ranked
    then: Mapping[str, Sequel] = MappingProxyType({})  # what follows, by type

    def __init__(self, instance: BoundPuzzle, values: Mapping[Variable, Value]) -> None:
        self.instance = instance
        self.values = values

    def work_out(self) -> None:
        """Work out now what else is to be shown, and so raise Problems here if it cannot be."""
        self.shown  # noqa: B018  it is kept

    @cached_property
    def shown(self) -> dict[str, Any]:
        """What the type shows beside unknowns. Raises Problems."""
        return {name: self.instance.evaluate(expression, self.values) for name, expression in self.instance.puzzle.worked_out}

    @cached_property
    def families(self) -> dict[str, Family]:
        """The families of unknowns that make the solution, with their values."""
        values = as_dict(self.values)
        return {
            name: family.filled(values)
            for name, family in self.instance.families.items()
            if not family or not all(variable in self.instance.model.auxiliary for variable in family)
        }

    def __getitem__(self, name: str) -> Any:
        return plain(self.shown_or_family(name))

    def shown_or_family(self, name: str) -> Any:
        """An unknown with its values, or a value that the type shows."""
        return self.families[name] if name in self.families else self.shown[name]

    def json(self) -> dict[str, Any]:
        """The unknowns and shown values as plain data, with what follows from the solution under `then`."""
        found = {name: plain(value) for name, value in (*self.families.items(), *self.shown.items())}
        if self.then:
            found["then"] = {name: sequel.json() for name, sequel in self.then.items()}
        return found

    def key(self) -> tuple[Any, ...]:
        """What tells solutions apart: the values of the visible unknowns, by their names."""
        return tuple((variable.name, self.values[variable]) for variable in self.instance.model.visible())


class Sequel(dict[str, Any]):
    """What a second type makes of an answer: what that type shows of its own answer, by name.

    `outcome` says what that solution is: proven optimal, the only one, one of several; or that there is none. `optimal` is
    None for a type without a goal.
    """

    def __init__(self, title: str, outcome: str, optimal: bool | None, solution: Solution | None) -> None:
        self.title = title
        self.outcome = outcome
        self.optimal = optimal
        self.solution = solution
        shown = solution.instance.puzzle.show if solution else ()
        super().__init__((part.name, solution.shown_or_family(part.name)) for part in shown if solution)
        if optimal is not None:
            self["optimal"] = optimal

    def json(self) -> dict[str, Any]:
        """It as plain data, with what follows from it in turn."""
        found = {name: plain(value) for name, value in self.items()}
        if self.solution is not None and self.solution.then:
            found["then"] = {name: sequel.json() for name, sequel in self.solution.then.items()}
        return {**found, "outcome": self.outcome}


def plain(value: Any) -> Any:
    """A value as JSON has it.

    A board is a list of row strings, `.` for a hole, or a list of lists (None for a hole) where a value is longer than one
    character. Unknowns that are true or not, over anything but cells, are the list of what is true.

    >>> plain(Grid.of_rows(["ab", ".c"])), plain((Cell(1, 2), True))
    (['ab', '.c'], ['r1c2', True])
    """
    match value:
        case Family():
            return _plain_family(value)
        case Grid():
            return _plain_board(value.values)
        case Tile():
            return {"words": list(value.words), "cells": [str(cell) for cell in value.cells]}
        case Placement():
            return {"piece": plain(value.piece), "cells": [str(cell) for cell in value.cells]}
        case Exchange():
            return [str(value.first), str(value.second)]
        case Cell() | Corner() | Shape() | Mark():
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
    """Whether plain data says what a spec expects. A spec's scalars are text, so they are compared as such; a board may be
    written as one block of text.

    >>> matches("ab\\n.c\\n", ["ab", ".c"]), matches(["1", "2"], [1, 2])
    (True, True)
    """
    if isinstance(found, Mapping):
        return isinstance(expected, Mapping) and all(k in found and matches(v, found[k]) for k, v in expected.items())
    if isinstance(found, Sequence) and not isinstance(found, str):
        if isinstance(expected, str):
            expected = [line.split() if line.split()[1:] else line for line in expected.split("\n") if line.strip()]
        return (
            isinstance(expected, Sequence)
            and len(expected) == len(found)
            and all(matches(a, b) for a, b in zip(expected, found))
        )
    return str(expected) == ("true" if found is True else "false" if found is False else str(found))
