"""Terms as people read them: the conditions that rules became, nearly as the language writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from puzzlekit.model.structures import Automaton, Component, Structure
from puzzlekit.model.terms import (
    AllDifferent,
    And,
    Apply,
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
    Value,
    Variable,
)

PARTS = 4  # of a row that are shown
LEVELS = 6  # of terms in terms
LATER = "…"
FUNCTIONS = {
    "circuit": "single_loop"
}  # the functions that make structures, where their names differ


def term_text(term: Term, shown: Callable[[Value], str] = repr, levels: int = LEVELS) -> str:
    """Return the term as text; long rows and deep parts are cut.

    Args:
        term: The term.
        shown: Returns a known value as text.
        levels: How many levels of parts are shown.

    Example:
        >>> from puzzlekit.model import Variable
        >>> a, b = Variable("x[0]"), Variable("x[1]")
        >>> term_text(Comparison("<=", Sum(((1, a), (-2, b)), 3), Constant(4)))
        'x[0] - 2 * x[1] + 3 <= 4'
    """

    def inner(part: Term) -> str:
        return term_text(part, shown, levels - 1) if levels else LATER

    def nested(part: Term) -> str:
        text = inner(part)
        return (
            f"({text})" if isinstance(part, And | Or | Comparison | IfElse | Member | Sum) else text
        )

    match term:
        case Constant(value):
            return shown(value)
        case Sum(weighted, constant):
            return _sum(
                ((weight, nested(part)) for weight, part in weighted), len(weighted), constant
            )
        case Linear(weighted, low, high):
            total = _sum(((weight, str(part)) for weight, part in weighted), len(weighted), 0)
            if low is None or high is None or low == high:
                return (
                    f"{total} <= {high}"
                    if low is None
                    else f"{total} {'==' if low == high else '>='} {low}"
                )
            return f"{low} <= {total} <= {high}"
        case Operation("abs" | "min" | "max", operands):
            return f"{term.operator}({_row(operands, inner)})"
        case Operation(sign, operands):
            return f" {sign} ".join(map(nested, operands))
        case IfElse(condition, then, otherwise):
            return f"{inner(then)} if {inner(condition)} else {inner(otherwise)}"
        case Element(keys, items, index):
            pairs = list(zip(keys, items))
            return f"{{{_row(pairs, lambda pair: f'{shown(pair[0])}: {inner(pair[1])}')}}}[{inner(index)}]"
        case Apply(function, arguments):
            written = (
                f"({_row(own, inner)})" if isinstance(own, tuple) else inner(own)
                for own in arguments
            )
            return f"{function.name}({_row(written, str)})"
        case Component(whole, position):
            return f"{inner(whole)}[{position}]"
        case Comparison(sign, left, right):
            return f"{inner(left)} {sign} {inner(right)}"
        case Not(condition):
            return f"not {nested(condition)}"
        case And(conditions) | Or(conditions):
            return _row(conditions, nested, " and " if isinstance(term, And) else " or ")
        case Member(part, members):
            return f"{inner(part)} in ({_row(sorted(members, key=str), shown)})"
        case AllDifferent(terms):
            return f"all_different({_row(terms, inner)})"
        case Cardinality(literals, low, high):
            number = f"{low}" if low == high else f"{low} to {high}"
            return f"{number} of ({_row(literals, lambda pair: f'{pair[0]} == {shown(pair[1])}')})"
        case Table(terms, rows):
            return f"({_row(terms, inner)}) is one of {len(rows):,} rows"
        case Automaton(terms, steps):
            return f"({_row(terms, inner)}) is accepted by an automaton of {len(steps):,} states"
        case Structure(terms=terms):
            name = "_".join(re.findall("[A-Z][a-z]*", type(term).__name__)).lower()
            return f"{FUNCTIONS.get(name, name)}({_row(terms, inner)})"
        case Variable(name):
            return name
        case _:
            return f"a value of {type(term).__name__.lower()}"


def _row(items: Iterable[Any], text: Callable[[Any], str], joint: str = ", ") -> str:
    every = list(items)
    if len(every) <= PARTS + 1:
        return joint.join(map(text, every))
    return f"{joint.join(map(text, every[:PARTS]))}{joint}{LATER} ({len(every):,} in all)"


def _sum(weighted: Iterable[tuple[int, str]], number: int, constant: int) -> str:
    found = ""
    for place, (weight, part) in enumerate(weighted):
        if place == PARTS and number > PARTS + 1:
            found += f" + {LATER} ({number:,} in all)"
            break
        sign = (" - " if weight < 0 else " + ") if found else ("-" if weight < 0 else "")
        found += f"{sign}{part if abs(weight) == 1 else f'{abs(weight)} * {part}'}"
    if not found:
        return str(constant)
    return found if not constant else f"{found} {'-' if constant < 0 else '+'} {abs(constant)}"
