"""Models: variables with finite domains, constraints and an optional goal; walks over terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from puzzlekit.dataclass import dataclass
from puzzlekit.errors import SourcePos
from puzzlekit.model.structures import EvaluationCache
from puzzlekit.model.terms import (
    And,
    Cardinality,
    Comparison,
    Constant,
    Domain,
    Not,
    Or,
    Term,
    Value,
    Values,
    Variable,
    node,
)


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a constraint: its rule, the values of its loop variables, and its position.

    `values_in_name`: the name of the rule has the values.
    """

    rule: str
    names: tuple[str, ...] = ()
    values: tuple[Value, ...] = ()
    position: SourcePos | None = None
    values_in_name: bool = False

    @property
    def bindings(self) -> Iterator[tuple[str, Value]]:
        """The loop variables, each with its value."""
        return zip(self.names, self.values)

    def __str__(self) -> str:
        if self.values_in_name:
            return self.rule
        values = ", ".join(f"{name} = {value}" for name, value in self.bindings)
        return f"{self.rule} ({values})" if values else self.rule


@node
class Constraint:
    """A condition that every solution meets, and its origin."""

    condition: Term
    origin: Origin


@node
class Objective:
    """A term to minimise (or, with `maximise`, to maximise); every solution must give it a value.

    `partial`: for some values of the variables, the term may have no value.
    """

    name: str
    term: Term
    maximise: bool = False
    partial: bool = False

    def better(self, candidate: int, incumbent: int) -> bool:
        """Return whether the first value is better than the second."""
        return candidate > incumbent if self.maximise else candidate < incumbent


@node
class Model:
    """Variables with their domains, the constraints, and an optional goal.

    `auxiliary` variables help to express the rules and are not part of a solution: solutions that
    differ only in them count as one.
    """

    domains: Mapping[Variable, Domain]
    constraints: tuple[Constraint, ...]
    goal: Objective | None = None
    auxiliary: frozenset[Variable] = field(default_factory=frozenset)

    def visible(self) -> tuple[Variable, ...]:
        """The variables that make up a solution."""
        return tuple(variable for variable in self.domains if variable not in self.auxiliary)

    def violated(self, values: Values) -> Constraint | None:
        """Return the first constraint that these values violate, or None if they are a solution."""
        cache = EvaluationCache(values)
        violated = (c for c in self.constraints if not c.condition.value(cache))
        return next(violated, None)


class Layered(Mapping[Variable, Value]):
    """The mapping `overrides`, layered over the shared mapping `common`. Neither may change.

    >>> x, y = Variable("x"), Variable("y")
    >>> [value for _, value in Layered({x: 1, y: 2}, {y: 3}).items()]
    [1, 3]
    """

    __slots__ = ("common", "overrides")

    def __init__(
        self, common: Mapping[Variable, Value], overrides: Mapping[Variable, Value]
    ) -> None:
        self.common = common
        self.overrides = overrides

    def over(self, common: Mapping[Variable, Value]) -> Layered:
        """Return `overrides` layered over another mapping."""
        return Layered(common, self.overrides)

    def __getitem__(self, variable: Variable) -> Value:
        return self.overrides[variable] if variable in self.overrides else self.common[variable]

    def __iter__(self) -> Iterator[Variable]:
        return iter({**self.common, **self.overrides})

    def __len__(self) -> int:
        return len({**self.common, **self.overrides})


def distinct_solutions(
    solutions: Iterable[Values], variables: Sequence[Variable]
) -> Iterator[Values]:
    """Yield the solutions whose values of these variables differ from those of all before."""
    seen = set[tuple[Value, ...]]()
    for solution in solutions:
        projection = tuple(solution[variable] for variable in variables)
        if projection not in seen:
            seen.add(projection)
            yield solution


def as_dict(values: Values) -> Mapping[Variable, Value]:
    """Return the same values as a plain dict, which is faster for many lookups."""
    if isinstance(values, Layered):
        return {**values.common, **values.overrides}
    return values


def classes_in(terms: Iterable[Term]) -> set[type[Term]]:
    """Return the classes of these terms and their subterms, except variables and constants."""
    classes: set[type[Term]] = set()
    seen: set[Term] = set()
    stack = list(terms)
    while stack:
        term = stack.pop()
        term_class = type(term)
        if term_class is not Variable and term_class is not Constant and term not in seen:
            classes.add(term_class)
            seen.add(term)
            _push_subterms(term, stack)
    return classes


def variables_of(*terms: Term) -> tuple[Variable, ...]:
    """Return the variables in these terms, each once, in order of first occurrence."""
    first = terms[0] if len(terms) == 1 else None
    if type(first) is Cardinality:
        return tuple(dict(first.literals))
    return tuple(dict.fromkeys(variables_in(*terms)))


def variables_in(*terms: Term) -> Iterator[Variable]:
    """Yield the variables in these terms, in order; some several times."""
    seen: set[Term] = set()
    stack = list(reversed(terms))
    while stack:
        term = stack.pop()
        term_class = type(term)
        if term_class is Variable:
            yield term  # type: ignore[misc]  # a subclass has no other class
        elif term_class is not Constant and term not in seen:
            seen.add(term)
            _push_subterms(term, stack)


def has_variables(term: Term) -> bool:
    """Return whether there is a variable in this term."""
    if type(term) is Cardinality:  # the most frequent one
        return bool(term.literals)
    if type(term) is Comparison and type(term.left) is Variable:
        return True
    if type(term) is Or or type(term) is And:
        return any(map(has_variables, term.conditions))
    return next(variables_in(term), None) is not None


def _push_subterms(term: Any, stack: list[Term]) -> None:
    """Push the direct subterms on a stack, the first on top."""
    term_class = type(term)
    if term_class is Comparison:  # the most frequent ones
        if type(term.right) is not Constant:
            stack.append(term.right)
        stack.append(term.left)
    elif term_class is Not:
        stack.append(term.condition)
    elif term_class is And or term_class is Or:
        stack.extend(term.conditions[::-1])
    else:
        stack.extend([*term.subterms()][::-1])


def size_of(term: Term, measured: dict[Term, tuple[int, int]]) -> tuple[int, int]:
    """Return the number of subterms of a term, written out, and of the levels of their nesting.

    Terms that were measured before are read from `measured`, and this term is added to it.
    """
    total = 0
    deepest = 0
    stack = [(term, 1)]
    while stack:
        subterm, level = stack.pop()
        size, depth = measured.get(subterm, (1, 1))
        total += size
        deepest = max(deepest, level + depth - 1)
        if subterm not in measured:
            stack += [(operand, level + 1) for operand in subterm.subterms()]
    measured[term] = total, deepest
    return total, deepest
