"""The union of all node classes, and walks over the parts of terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from puzzlekit.model.structures import Acyclic, Automaton, Circuit, Connected, Inside, Regions, RegionSizes
from puzzlekit.model.terms import (
    AllDifferent,
    And,
    Apply,
    Cardinality,
    Comparison,
    Component,
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
    Variable,
)

Node: TypeAlias = (
    Variable
    | Constant
    | Sum
    | Operation
    | IfElse
    | Element
    | Apply
    | Component
    | Comparison
    | Not
    | And
    | Or
    | Member
    | AllDifferent
    | Cardinality
    | Linear
    | Table
    | Automaton
    | Connected
    | Circuit
    | Acyclic
    | RegionSizes
    | Regions
    | Inside
)
"""Every class of node. The type checker rejects a `match` over it that misses one."""


def kinds_in(terms: Iterable[Term]) -> set[type[Term]]:
    """Return the classes of these terms and of all their subterms, except variables."""
    kinds, seen, stack = set[type[Term]](), set[Term](), list(terms)
    while stack:
        term = stack.pop()
        kind = type(term)
        if kind is Variable or term in seen:
            continue
        kinds.add(kind)
        if isinstance(term, Not):
            stack.append(term.condition)
        elif isinstance(term, And | Or):
            stack += [part for part in term.conditions if type(part) is not Variable]
        else:
            seen.add(term)
            stack += [part for part in term.parts() if type(part) is not Variable]
    return kinds


def variables_of(*terms: Term) -> tuple[Variable, ...]:
    """Return the variables in these terms, each once, in order of first occurrence."""
    if len(terms) == 1 and isinstance(terms[0], Cardinality):
        return tuple(dict(terms[0].literals))
    return tuple(dict.fromkeys(variables_in(*terms)))


def variables_in(*terms: Term) -> Iterator[Variable]:
    """Yield the variables in these terms, in order; some several times."""
    seen: set[Term] = set()
    stack = list(reversed(terms))
    while stack:
        term = stack.pop()
        if type(term) is Not:
            term = term.condition
        if type(term) is Variable:
            yield term
        elif type(term) is not Constant and term not in seen:
            seen.add(term)
            _put_parts(term, stack)


def has_variables(term: Term) -> bool:
    """Return whether there is a variable in this term."""
    if type(term) is Cardinality:  # the most frequent one
        return bool(term.literals)
    return any(True for _ in variables_in(term))


def _put_parts(term: Term, stack: list[Term]) -> None:
    """Put the direct subterms on a stack, the first on top."""
    if isinstance(term, Comparison):  # the most frequent ones
        stack.append(term.right)
        stack.append(term.left)
    elif isinstance(term, Not):
        stack.append(term.condition)
    elif isinstance(term, And | Or):
        stack.extend(term.conditions[::-1])
    else:
        stack.extend([*term.parts()][::-1])


def size_of(term: Term, known: dict[Term, tuple[int, int]]) -> tuple[int, int]:
    """Return the number of parts of a term, written out, and of the levels on which they are nested.

    What has been measured before is read from `known`, and the result is kept there.
    """
    size, deepest, stack = 0, 0, [(term, 1)]
    while stack:
        part, level = stack.pop()
        own, depth = known.get(part, (1, 1))
        size, deepest = size + own, max(deepest, level + depth - 1)
        if part not in known:
            stack += [(inner, level + 1) for inner in part.parts()]
    known[term] = size, deepest
    return size, deepest
