"""Rules that a page checks itself: terms of the model as data, for a script that knows a board in
part.

A script that evaluates them with the values that each unknown may still take says *broken* only
where no values are left. What has no form here is left out: a page then knows less, and never
something wrong.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from puzzlekit.model import Model, Variable
from puzzlekit.model.structures import Acyclic, Automaton, Circuit, Connected
from puzzlekit.model.terms import (
    AllDifferent,
    And,
    Cardinality,
    Comparison,
    Constant,
    Element,
    IfElse,
    Linear,
    Member,
    Not,
    Operation,
    Or,
    Sum,
    Table,
    Term,
)
from puzzlekit.play.entries import Entry

ROOM = 120_000  # characters of all rules of a page
LONGEST = 20_000  # characters of one


class NoForm(Exception):
    """A term that a page cannot evaluate."""


def rules_of(model: Model, entries: Sequence[Entry]) -> Mapping[str, Any]:
    """Return the rules that a page checks.

    Returns:
        `unknowns`: for each unknown its places, each as the number of its entry, that of the place,
        and the values by the number of the token that stands for them. `rules`: for each
        constraint the number of its name, and its term. `names`: the names of the rules. `share`:
        how many constraints there are, and how many of them the page checks.
    """
    number: dict[Variable, int] = {}
    unknowns: list[list[list[Any]]] = []
    for at, entry in enumerate(entries):
        for place, (variable, tokens) in enumerate(zip(entry.unknowns, entry.by_value)):
            if variable is None:
                continue
            if variable not in number:
                number[variable] = len(unknowns)
                unknowns.append([])
            by_token: dict[int, list[Any]] = {}
            for token, value in zip(tokens, model.domains[variable]):
                by_token.setdefault(token, []).append(_value(value))
            unknowns[number[variable]].append([at, place, by_token])
    names: dict[str, int] = {}
    rules, used = [], 0
    for constraint in model.constraints:
        try:
            term = _term(constraint.condition, number)
        except NoForm:
            continue
        long = len(json.dumps(term))
        if long <= LONGEST and used + long <= ROOM:
            used += long
            rules.append([names.setdefault(constraint.origin.rule, len(names)), term])
    return {
        "unknowns": unknowns,
        "rules": rules,
        "names": list(names),
        "share": [len(rules), len(model.constraints)],
    }


def _value(value: Any) -> Any:
    """Return a value as data: a truth as 0 or 1, a number, or a text that no other value has."""
    if isinstance(value, int):
        return int(value)
    return value if isinstance(value, str) else f"{type(value).__name__} {value}"


def _term(term: Term, number: Mapping[Variable, int]) -> list[Any]:
    """Return a term as a list: its kind, then its parts. Raises NoForm."""

    def all_of(terms: Sequence[Term]) -> list[Any]:
        return [_term(part, number) for part in terms]

    def known(variable: Variable) -> int:
        if variable not in number:
            raise NoForm
        return number[variable]

    match term:
        case Variable():
            return ["v", known(term)]
        case Constant():
            return ["c", _value(term.constant)]
        case Sum():
            return [
                "+",
                term.constant,
                *([coefficient, _term(part, number)] for coefficient, part in term.weighted),
            ]
        case Operation():
            return [term.operator, *all_of(term.operands)]
        case IfElse():
            return ["if", *all_of([term.condition, term.then, term.otherwise])]
        case Element():
            return [
                "item",
                list(map(_value, term.keys)),
                all_of(term.items),
                _term(term.index, number),
            ]
        case Comparison():
            return [term.operator, *all_of([term.left, term.right])]
        case Not():
            return ["not", _term(term.condition, number)]
        case And():
            return ["and", *all_of(term.conditions)]
        case Or():
            return ["or", *all_of(term.conditions)]
        case Member():
            return ["in", _term(term.term, number), sorted(map(_value, term.members), key=str)]
        case AllDifferent():
            return ["different", *all_of(term.terms)]
        case Cardinality():
            literals = [[known(variable), _value(value)] for variable, value in term.literals]
            return ["count", literals, term.low, term.high]
        case Linear():
            return [
                "sum",
                [[coefficient, known(variable)] for coefficient, variable in term.weighted],
                term.low,
                term.high,
            ]
        case Table() if term.rows.size <= LONGEST // 4:
            rows = [
                [_value(book[code]) for book, code in zip(term.dictionaries, row)]
                for row in term.rows.tolist()
            ]
            return ["table", all_of(term.terms), rows]
        case Automaton():
            steps = [[[_value(value), to] for value, to in step.items()] for step in term.steps]
            return ["automaton", all_of(term.terms), steps, sorted(term.accepting)]
        case Connected():
            return ["connected", all_of(term.terms), list(term.links)]
        case Circuit():
            return ["circuit", all_of(term.terms), list(term.edges)]
        case Acyclic():
            return ["acyclic", all_of(term.terms), list(term.edges)]
        case _:
            raise NoForm
