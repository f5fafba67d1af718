"""The rules that a page checks itself: terms of the model as data.

A script evaluates them on a board that is solved in part, with the values that each unknown may
still take. It reports a rule as *broken* only if no values remain. Terms that have no form here are
left out: a page then knows less, but reports nothing wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from puzzlekit.model import (
    Acyclic,
    AllDifferent,
    And,
    Automaton,
    Cardinality,
    Circuit,
    Comparison,
    Connected,
    Constant,
    Element,
    IfElse,
    Linear,
    Member,
    Model,
    Not,
    Operation,
    Or,
    Sum,
    Table,
    Term,
    Variable,
)
from puzzlekit.play.entries import Entry

ROOM = 120_000  # characters of all rules of a page
LONGEST = 20_000  # characters of one rule
TermData = list[Any] | int


class NoForm(Exception):
    """A term that a page cannot evaluate."""


def rules_of(model: Model, entries: Sequence[Entry]) -> Mapping[str, Any]:
    """Return the rules that a page checks.

    Returns:
        `unknowns`: for each unknown its positions, each as the number of its entry, that of the
        position, and that of a table; a run of unknowns with one position each, and the same table,
        is the number of the entry, that of the first position, how many they are, and the table.
        `tables`: the values of an unknown by the number of the token that stands for them.
        `rules`: for each constraint the number of its name, and its term. `names`: the names of the
        rules. `share`: how many constraints there are, and how many of them the page checks.
    """
    numbers, unknowns = _unknowns(model, entries)
    names: dict[str, int] = {}
    rules = []
    used = 0
    for constraint in model.constraints:
        try:
            term = _term(constraint.condition, numbers)
        except NoForm:
            continue
        length = len(json.dumps(term))
        if length <= LONGEST and used + length <= ROOM:
            used += length
            name_number = names.setdefault(constraint.origin.rule, len(names))
            rules.append([name_number, term])
    tables: list[dict[int, list[Any]]] = []
    return {
        "unknowns": _runs(unknowns, tables),
        "tables": tables,
        "rules": rules,
        "names": list(names),
        "share": [len(rules), len(model.constraints)],
    }


def _unknowns(
    model: Model, entries: Sequence[Entry]
) -> tuple[dict[Variable, int], list[list[list[Any]]]]:
    """Return the numbers of the unknowns of entries, and their positions with values by token."""
    numbers: dict[Variable, int] = {}
    unknowns: list[list[list[Any]]] = []
    for entry_number, entry in enumerate(entries):
        for position, (variable, tokens) in enumerate(zip(entry.unknowns, entry.by_value)):
            if variable is None:
                continue
            if variable not in numbers:
                numbers[variable] = len(unknowns)
                unknowns.append([])
            by_token: dict[int, list[Any]] = {}
            for token, value in zip(tokens, model.domains[variable]):
                by_token.setdefault(token, []).append(_value(value))
            unknowns[numbers[variable]].append([entry_number, position, by_token])
    return numbers, unknowns


def _runs(
    unknowns: Sequence[Sequence[Sequence[Any]]], tables: list[dict[int, list[Any]]]
) -> list[Any]:
    """Return unknowns with the numbers of their tables, and runs of alike ones as one."""
    numbers: dict[str, int] = {}
    runs: list[Any] = []
    for positions in unknowns:
        numbered = []
        for entry, position, table in positions:
            number = numbers.setdefault(json.dumps(table), len(tables))
            if number == len(tables):
                tables.append(table)
            numbered.append([entry, position, number])
        if len(numbered) > 1:
            runs.append(numbered)
            continue
        ((entry, position, number),) = numbered
        last = [-1, 0, 0, 0]
        if runs and isinstance(runs[-1][0], int):
            last = runs[-1]
        if last[0] == entry and last[3] == number and last[1] + last[2] == position:
            last[2] += 1
        else:
            runs.append([entry, position, 1, number])
    return runs


def _value(value: Any) -> Any:
    """Return a value as data: a truth as 0 or 1, a number, or a text that no other value has."""
    if isinstance(value, int):
        return int(value)
    if isinstance(value, str):
        return value
    return f"{type(value).__name__} {value}"


def _term(term: Term, numbers: Mapping[Variable, int]) -> TermData:
    """Return a term as data. Raises NoForm."""
    return _TermWriter(numbers).write(term)


class _TermWriter:
    """Writes terms as lists: the type of each, then its operands. An unknown is its number.

    Args:
        numbers: The numbers of the unknowns that a page knows.
    """

    def __init__(self, numbers: Mapping[Variable, int]) -> None:
        self.numbers = numbers

    def write(self, term: Term) -> TermData:
        """Return a term as data. Raises NoForm."""
        match term:
            case Variable():
                return self._number(term)
            case Constant():
                return ["c", _value(term.constant)]
            case Sum():
                return ["+", term.constant, *self._weighted_terms(term)]
            case Operation():
                return [term.operator, *self._all(term.operands)]
            case IfElse():
                return ["if", *self._all([term.condition, term.then, term.otherwise])]
            case Element():
                return self._element(term)
            case Comparison():
                return [term.operator, *self._all([term.left, term.right])]
            case Not():
                return ["not", self.write(term.condition)]
            case And():
                return ["and", *self._all(term.conditions)]
            case Or():
                return ["or", *self._all(term.conditions)]
            case Member():
                members = sorted(map(_value, term.members), key=str)
                return ["in", self.write(term.term), members]
            case _:
                return self._global(term)

    def _global(self, term: Term) -> list[Any]:
        """Return a constraint of many terms as a list."""
        match term:
            case AllDifferent():
                return ["different", *self._all(term.terms)]
            case Cardinality():
                literals = [[self._number(unknown), _value(v)] for unknown, v in term.literals]
                return ["count", literals, term.low, term.high]
            case Linear():
                weighted = [[weight, self._number(unknown)] for weight, unknown in term.weighted]
                return ["sum", weighted, term.low, term.high]
            case Table() if term.rows.size <= LONGEST // 4:
                return ["table", self._all(term.terms), _rows(term)]
            case Automaton():
                steps = list(map(_step, term.steps))
                return ["automaton", self._all(term.terms), steps, sorted(term.accepting)]
            case Connected():
                return ["connected", self._all(term.terms), list(term.links)]
            case Circuit():
                return ["circuit", self._all(term.terms), list(term.edges)]
            case Acyclic():
                return ["acyclic", self._all(term.terms), list(term.edges)]
            case _:
                raise NoForm

    def _all(self, terms: Iterable[Term]) -> list[Any]:
        return list(map(self.write, terms))

    def _number(self, unknown: Variable) -> int:
        if unknown not in self.numbers:
            raise NoForm
        return self.numbers[unknown]

    def _weighted_terms(self, term: Sum) -> list[list[Any]]:
        return [[weight, self.write(operand)] for weight, operand in term.weighted]

    def _element(self, term: Element) -> list[Any]:
        keys = list(map(_value, term.keys))
        return ["item", keys, self._all(term.items), self.write(term.index)]


def _rows(table: Table) -> list[list[Any]] | str:
    """Return the rows of a table as values; rows of letters as one text, one after the other."""

    def values(codes: Sequence[int]) -> list[Any]:
        return [_value(book[code]) for book, code in zip(table.dictionaries, codes)]

    rows = list(map(values, table.rows.tolist()))
    members = list(chain.from_iterable(rows))
    if members and all(map(_is_letter, members)):
        return "".join(members)
    return rows


def _is_letter(member: Any) -> bool:
    """Return whether a value is one character, which a script counts as one, too."""
    return isinstance(member, str) and len(member) == 1 and member <= "\uffff"


def _step(step: Mapping[Any, int]) -> list[list[Any]]:
    """Return the values of a step of an automaton, each with the next state."""
    return [[_value(value), state] for value, state in step.items()]
