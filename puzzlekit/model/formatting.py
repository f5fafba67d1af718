"""Terms as people read them: the conditions that rules became, nearly as in the language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from puzzlekit.dataclass import dataclass
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

OPERANDS = 4  # of a row that are written
LEVELS = 6  # of terms in terms
OMISSION = "…"
# the functions of the language that make structures, where their names differ
FUNCTIONS = {"circuit": "single_loop"}


def term_text(term: Term, value_text: Callable[[Value], str] = repr, levels: int = LEVELS) -> str:
    """Return the term as text; long rows and deep operands are cut.

    Args:
        term: The term.
        value_text: Returns a plain value as text.
        levels: How many levels of operands are written.

    Example:
        >>> from puzzlekit.model import Variable
        >>> a, b = Variable("x[0]"), Variable("x[1]")
        >>> term_text(Comparison("<=", Sum(((1, a), (-2, b)), 3), Constant(4)))
        'x[0] - 2 * x[1] + 3 <= 4'
    """
    return _Writer(value_text, levels).text(term)


@dataclass(frozen=True)
class _Writer:
    """Writes terms, down to a number of levels."""

    value_text: Callable[[Value], str]
    levels: int

    def text(self, term: Term) -> str:
        match term:
            case Constant(value):
                return self.value_text(value)
            case Variable(name):
                return name
            case Sum(weighted, constant):
                summands = [(weight, self.nested(operand)) for weight, operand in weighted]
                return _sum(summands, constant)
            case Linear():
                return _linear(term)
            case Operation("abs" | "min" | "max" as operator, operands):
                return f"{operator}({_row(operands, self.operand)})"
            case Operation(sign, operands):
                return f" {sign} ".join(map(self.nested, operands))
            case IfElse(condition, then, otherwise):
                branches = self.operand(then), self.operand(otherwise)
                return f"{branches[0]} if {self.operand(condition)} else {branches[1]}"
            case Element(keys, items, index):
                entries = _row(list(zip(keys, items)), self._entry)
                return f"{{{entries}}}[{self.operand(index)}]"
            case Apply(function, arguments):
                return f"{function.name}({_row(map(self._argument, arguments), str)})"
            case Component(tuple_term, position):
                return f"{self.operand(tuple_term)}[{position}]"
            case _:
                return self._condition(term)

    def _condition(self, term: Term) -> str:
        match term:
            case Comparison(sign, left, right):
                return f"{self.operand(left)} {sign} {self.operand(right)}"
            case Not(condition):
                return f"not {self.nested(condition)}"
            case And(conditions):
                return _row(conditions, self.nested, " and ")
            case Or(conditions):
                return _row(conditions, self.nested, " or ")
            case Member(operand, members):
                values = _row(sorted(members, key=str), self.value_text)
                return f"{self.operand(operand)} in ({values})"
            case AllDifferent(terms):
                return f"all_different({_row(terms, self.operand)})"
            case Cardinality(literals, low, high):
                number = f"{low}" if low == high else f"{low} to {high}"
                return f"{number} of ({_row(literals, self._literal)})"
            case Table(terms, rows):
                return f"({_row(terms, self.operand)}) is one of {len(rows):,} rows"
            case Automaton(terms, steps):
                operands = _row(terms, self.operand)
                return f"({operands}) is accepted by an automaton of {len(steps):,} states"
            case Structure(terms=terms):
                words = re.findall("[A-Z][a-z]*", type(term).__name__)
                name = "_".join(words).lower()
                return f"{FUNCTIONS.get(name, name)}({_row(terms, self.operand)})"
            case _:
                return f"a value of {type(term).__name__.lower()}"

    def operand(self, term: Term) -> str:
        if not self.levels:
            return OMISSION
        return term_text(term, self.value_text, self.levels - 1)

    def nested(self, term: Term) -> str:
        """Return an operand as text, in parentheses if its operator binds loosely."""
        text = self.operand(term)
        if isinstance(term, And | Or | Comparison | IfElse | Member | Sum):
            return f"({text})"
        return text

    def _argument(self, argument: Term | tuple[Term, ...]) -> str:
        if isinstance(argument, tuple):
            return f"({_row(argument, self.operand)})"
        return self.operand(argument)

    def _entry(self, entry: tuple[Value, Term]) -> str:
        key, item = entry
        return f"{self.value_text(key)}: {self.operand(item)}"

    def _literal(self, literal: tuple[Variable, Value]) -> str:
        variable, value = literal
        return f"{variable} == {self.value_text(value)}"


def _linear(linear: Linear) -> str:
    total = _sum([(weight, str(variable)) for weight, variable in linear.weighted], 0)
    low, high = linear.low, linear.high
    if low is None:
        return f"{total} <= {high}"
    if low == high:
        return f"{total} == {low}"
    if high is None:
        return f"{total} >= {low}"
    return f"{low} <= {total} <= {high}"


def _row(entries: Iterable[Any], text: Callable[[Any], str], joint: str = ", ") -> str:
    row = list(entries)
    if len(row) <= OPERANDS + 1:
        return joint.join(map(text, row))
    beginning = joint.join(map(text, row[:OPERANDS]))
    return f"{beginning}{joint}{OMISSION} ({len(row):,} in all)"


def _sum(weighted: Sequence[tuple[int, str]], constant: int) -> str:
    text = ""
    for position, (weight, operand) in enumerate(weighted):
        if position == OPERANDS and len(weighted) > OPERANDS + 1:
            text += f" + {OMISSION} ({len(weighted):,} in all)"
            break
        if text:
            text += " - " if weight < 0 else " + "
        elif weight < 0:
            text = "-"
        text += operand if abs(weight) == 1 else f"{abs(weight)} * {operand}"
    if not text:
        return str(constant)
    if not constant:
        return text
    sign = "-" if constant < 0 else "+"
    return f"{text} {sign} {abs(constant)}"
