"""A key that conditions share if they differ only in their variables."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from puzzlekit.model import Automaton, Constant, Table, Term, Variable
from puzzlekit.model.terms import field_names


def pattern(condition: Term, variables: Sequence[Variable]) -> Hashable | None:
    """Return the condition with numbers in place of its variables, or None if it holds arrays.

    Conditions with the same pattern have the same meaning.

    >>> from puzzlekit.model import Not
    >>> a, b = Variable("a"), Variable("b")
    >>> pattern(Not(a), [a]) == pattern(Not(b), [b])
    True
    """
    numbers = {variable: number for number, variable in enumerate(variables)}
    try:
        return _pattern(condition, numbers)
    except _Arrays:
        return None


class _Arrays(Exception):
    pass


def _pattern(item: Any, numbers: Mapping[Variable, int]) -> Hashable:
    match item:
        case Variable():
            return numbers[item]
        case Constant(value):
            return "constant", type(value), value
        case Table() | Automaton():
            raise _Arrays
        case Term():
            return type(item), *[_pattern(getattr(item, name), numbers) for name in field_names(type(item))]  # type: ignore[arg-type]
        case tuple():
            return type(item), *[_pattern(part, numbers) for part in item]
        case _:
            return type(item), item
