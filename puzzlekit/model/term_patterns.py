"""Patterns of terms: their structure, with numbers in place of the variables."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from puzzlekit.dataclass import dataclass
from puzzlekit.model.structures import Automaton, Component
from puzzlekit.model.term_keys import ATOMS, key_of
from puzzlekit.model.terms import (
    And,
    Apply,
    Comparison,
    Constant,
    Not,
    Or,
    Sum,
    Table,
    Term,
    Value,
    Variable,
    field_names,
)

LITERAL_SIGNS = frozenset({"==", "!="})
Literal = tuple[Variable, Value]


@dataclass(frozen=True, slots=True)
class TermPattern:
    """What a term is but for its variables. It is read in one walk.

    Attributes:
        variables: The variables, each once, in order of first occurrence.
        literals: The pairs of a variable and a value that the term compares by `==` or `!=`, each
            once; None if it depends on a variable in another way.
        structure: The term with numbers in place of its variables, without the values that they
            are compared with. If no two literals have one variable, terms of the same structure
            are the same function of their literals.
        values: These values, each with its class.
        is_comparable: Whether terms of the same structure and values have the same meaning. That
            is not known of a term that holds a table or an automaton.
        has_calls: Whether it holds functions of unknowns, components of tuples included.
    """

    variables: tuple[Variable, ...]
    literals: tuple[Literal, ...] | None
    structure: tuple[Hashable, ...]
    values: tuple[Hashable, ...]
    is_comparable: bool
    has_calls: bool

    @property
    def key(self) -> Hashable | None:
        """Equal for terms that have the same meaning on their variables; None if not comparable."""
        return (self.structure, self.values) if self.is_comparable else None


def pattern_of(term: Term) -> TermPattern:
    """Return the pattern of a term.

    Raises:
        TypeError: The term holds a value that cannot be hashed.

    Examples:
        >>> a, b = Variable("a"), Variable("b")
        >>> pattern_of(Not(a)).key == pattern_of(Not(b)).key
        True
        >>> pattern_of(Or((a, b))).key == pattern_of(Or((a, a))).key
        False
    """
    reader = _PatternReader()
    reader.read(term)
    variables = tuple(reader.numbers)
    literals = None
    if reader.only_literals:
        literals = tuple(reader.literals)
    structure = tuple(reader.tokens)
    values = tuple(reader.values)
    return TermPattern(
        variables, literals, structure, values, reader.is_comparable, reader.has_calls
    )


class _PatternReader:
    """Reads a term from the left, in prefix notation: each node tells how many tokens follow."""

    __slots__ = (
        "has_calls",
        "is_comparable",
        "literals",
        "numbers",
        "only_literals",
        "tokens",
        "values",
    )

    def __init__(self) -> None:
        self.numbers: dict[Variable, int] = {}
        self.literals: dict[Literal, None] = {}
        self.tokens: list[Any] = []
        self.values: list[Any] = []
        self.only_literals = True
        self.is_comparable = True
        self.has_calls = False

    def read(self, term: Any) -> None:
        node = type(term)
        if node is Comparison:  # the most frequent ones first
            self._read_comparison(term)
        elif node is Variable:
            self.only_literals = False
            self.tokens.append(self.numbers.setdefault(term, len(self.numbers)))
        elif node is And or node is Or:
            self.tokens += (node, len(term.conditions))
            for condition in term.conditions:
                self.read(condition)
        elif node is Not:
            self.tokens.append(node)
            self.read(term.condition)
        elif node is Sum:
            self.tokens += (node, term.constant, len(term.weighted))
            for weight, summand in term.weighted:
                self.tokens.append(weight)
                self.read(summand)
        else:
            self._read_node(term, node)

    def _read_comparison(self, comparison: Comparison) -> None:
        variable, bound, operator = comparison.left, comparison.right, comparison.operator
        if type(variable) is not Variable or type(bound) is not Constant:
            self.tokens += (Comparison, operator)
            self.read(variable)
            self.read(bound)
            return
        numbers = self.numbers
        self.tokens += (Constant, operator, numbers.setdefault(variable, len(numbers)))
        value = bound.constant
        class_ = type(value)
        if class_ in ATOMS:
            self.values.append((class_, value))
        else:
            self.values.append(key_of(bound))
        if operator in LITERAL_SIGNS:
            self.literals[variable, value] = None
        else:
            self.only_literals = False

    def _read_node(self, term: Term, node: Any) -> None:
        """Read a term of any class, field by field."""
        if node is Table or node is Automaton:
            self.is_comparable = False
            for subterm in term.subterms():
                self.read(subterm)
            return
        self.has_calls |= node is Apply or node is Component
        self.tokens.append(node)
        for name in field_names(node):
            self._read_operand(getattr(term, name))

    def _read_operand(self, operand: Any) -> None:
        if isinstance(operand, Term):
            self.read(operand)
        elif isinstance(operand, tuple):
            self.tokens += (tuple, len(operand))
            for member in operand:
                self._read_operand(member)
        else:
            self.tokens.append(key_of(operand))
