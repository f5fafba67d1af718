"""A puzzle as backends see it: variables with finite domains, constraints, and an optional goal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from puzzlekit.errors import Place
from puzzlekit.model.terms import Domain, Term, Value, Values, Variable, node, record


@record
class Origin:
    """The origin of a constraint: its rule, its loop variables with their values, and its place."""

    rule: str
    names: tuple[str, ...] = ()
    values: tuple[Value, ...] = ()
    place: Place | None = None

    @property
    def bindings(self) -> Iterator[tuple[str, Value]]:
        """The loop variables, each with its value."""
        return zip(self.names, self.values)

    def __str__(self) -> str:
        where = ", ".join(f"{name} = {value}" for name, value in self.bindings)
        return f"{self.rule} ({where})" if where else self.rule


@node
class Constraint:
    """A condition that every solution meets, and its origin."""

    condition: Term
    origin: Origin


@node
class Goal:
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
    goal: Goal | None = None
    auxiliary: frozenset[Variable] = field(default_factory=frozenset)

    def visible(self) -> tuple[Variable, ...]:
        """The variables that make up a solution."""
        return tuple(variable for variable in self.domains if variable not in self.auxiliary)

    def broken(self, values: Values) -> Constraint | None:
        """Return the first constraint that these values violate, or None if they are a solution."""
        return next((c for c in self.constraints if not c.condition.value(values)), None)


class Overlay(Mapping[Variable, Value]):
    """The mapping `own`, layered over the shared mapping `common`. Neither may change.

    >>> x, y = Variable("x"), Variable("y")
    >>> [value for _, value in Overlay({x: 1, y: 2}, {y: 3}).items()]
    [1, 3]
    """

    __slots__ = ("common", "own")

    def __init__(self, common: Mapping[Variable, Value], own: Mapping[Variable, Value]) -> None:
        self.common = common
        self.own = own

    def over(self, common: Mapping[Variable, Value]) -> Overlay:
        """Return `own` layered over another mapping."""
        return Overlay(common, self.own)

    def __getitem__(self, variable: Variable) -> Value:
        return self.own[variable] if variable in self.own else self.common[variable]

    def __iter__(self) -> Iterator[Variable]:
        return iter({**self.common, **self.own})

    def __len__(self) -> int:
        return len({**self.common, **self.own})


def as_dict(values: Values) -> Mapping[Variable, Value]:
    """Return the same values as a plain dict, which is faster for many lookups."""
    return {**values.common, **values.own} if isinstance(values, Overlay) else values
