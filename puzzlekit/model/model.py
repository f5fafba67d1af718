"""A puzzle as backends see it: variables with finite domains, constraints, an optional goal; walks
over their terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

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
    record,
)


@record
class Origin:
    """The origin of a constraint: its rule, its loop variables with their values, and its place.

    `said`: the name of the rule has the values.
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
        where = (
            ""
            if self.values_in_name
            else ", ".join(f"{name} = {value}" for name, value in self.bindings)
        )
        return f"{self.rule} ({where})" if where else self.rule


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

    def better(self, one: int, other: int) -> bool:
        return one > other if self.maximise else one < other


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
        known = EvaluationCache(values)
        return next((c for c in self.constraints if not c.condition.value(known)), None)


class Layered(Mapping[Variable, Value]):
    """The mapping `own`, layered over the shared mapping `common`. Neither may change.

    >>> x, y = Variable("x"), Variable("y")
    >>> [value for _, value in Layered({x: 1, y: 2}, {y: 3}).items()]
    [1, 3]
    """

    __slots__ = ("common", "own")

    def __init__(self, common: Mapping[Variable, Value], own: Mapping[Variable, Value]) -> None:
        self.common = common
        self.own = own

    def over(self, common: Mapping[Variable, Value]) -> Layered:
        """Return `own` layered over another mapping."""
        return Layered(common, self.own)

    def __getitem__(self, variable: Variable) -> Value:
        return self.own[variable] if variable in self.own else self.common[variable]

    def __iter__(self) -> Iterator[Variable]:
        return iter({**self.common, **self.own})

    def __len__(self) -> int:
        return len({**self.common, **self.own})


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
    return {**values.common, **values.own} if isinstance(values, Layered) else values


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
    """Return the number of parts of a term, written out, and of the levels on which they are
    nested.

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
