"""Numbers for what can be known of the unknowns of a puzzle: that one has a value, or does not have
it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from puzzlekit.dataclass import dataclass
from puzzlekit.model import Domain, Value, Variable

MANY = 24  # values of an unknown, from which not each two of them exclude each other by a clause
TRUE, FALSE = 1, -1  # a literal that is always true, and its negation


@dataclass(frozen=True)
class ValueLiteral:
    """That an unknown has a value, or that it does not have it.

    Attributes:
        unknown: The unknown.
        value: The value.
        positive: Whether the unknown has the value. Of an unknown with two values, this is always
            true.
    """

    unknown: Variable
    value: Value
    positive: bool = True

    def __str__(self) -> str:
        sign = "=" if self.positive else "≠"
        return f"{self.unknown} {sign} {self.value}"


class Literals:
    """Literals for the values of unknowns: numbers from 2, and their negations.

    An unknown with two values has one number, which is true for the second value. One with more has
    a number for each value.
    """

    def __init__(self, domains: Mapping[Variable, Domain]) -> None:
        self.domains: dict[Variable, Domain] = {}
        self.top = TRUE
        self.clauses: list[list[int]] = [[TRUE]]
        self._of: dict[tuple[Variable, Value], int] = {}
        self._all: dict[Variable, list[int]] = {}
        self._facts: dict[int, ValueLiteral] = {}
        for variable, domain in domains.items():
            self.add(variable, domain)

    def fresh(self) -> int:
        """Return a new literal."""
        self.top += 1
        return self.top

    def add(self, variable: Variable, domain: Domain) -> None:
        """Number the values of an unknown."""
        self.domains[variable] = domain
        if len(domain) == 1:
            self._of[variable, domain[0]] = TRUE
        elif len(domain) == 2:
            number = self.fresh()
            for literal, value in zip((-number, number), domain):
                self._of[variable, value] = literal
                self._facts[literal] = ValueLiteral(variable, value)
        elif domain:
            numbers = [self.fresh() for _ in domain]
            for literal, value in zip(numbers, domain):
                self._of[variable, value] = literal
                self._facts[literal] = ValueLiteral(variable, value)
                self._facts[-literal] = ValueLiteral(variable, value, positive=False)
            self.clauses.append(numbers)
            self._exclude_pairs(numbers)
        else:
            self.clauses.append([FALSE])

    def _exclude_pairs(self, numbers: Sequence[int]) -> None:
        """Add clauses that say that at most one of these literals is true.

        Many literals have further ones, each of which says that a literal or one before it is true
        (the sequential counter of Sinz, "Towards an optimal CNF encoding of Boolean cardinality
        constraints", 2005).
        """
        if len(numbers) < MANY:
            for index, second in enumerate(numbers):
                self.clauses += [[-second, -first] for first in numbers[:index]]
            return
        prefixes = [self.fresh() for _ in numbers]
        for number, prefix in zip(numbers, prefixes):
            self.clauses.append([-number, prefix])
        for prefix, next_prefix, next_number in zip(prefixes, prefixes[1:], numbers[1:]):
            self.clauses += [[-prefix, next_prefix], [-prefix, -next_number]]

    def of(self, variable: Variable, value: Value) -> int:
        """Return the literal that says that an unknown has a value; FALSE if it never has."""
        return self._of.get((variable, value), FALSE)

    def of_fact(self, fact: ValueLiteral) -> int:
        """Return the literal of a fact."""
        literal = self.of(fact.unknown, fact.value)
        return literal if fact.positive else -literal

    def fact(self, literal: int) -> ValueLiteral:
        """Return what a literal of a value says. Raises KeyError for any other."""
        return self._facts[literal]

    def is_value_literal(self, literal: int) -> bool:
        """Return whether a literal is about an unknown."""
        return literal in self._facts

    def of_all(self, variable: Variable) -> list[int]:
        """Return the literals of all values of an unknown."""
        if variable not in self._all:
            domain = self.domains[variable]
            self._all[variable] = [self._of[variable, value] for value in domain]
        return self._all[variable]

    def denies(self, literal: int) -> bool:
        """Return whether a literal only says that an unknown does not have a value."""
        fact = self._facts.get(literal)
        return fact is not None and not fact.positive

    def consequences(self, literal: int, trail: Mapping[int, object]) -> Iterator[int]:
        """Yield what a new literal says of the other values of its unknown, given what is known.

        A literal that is yielded may be known to be false: then no value remains.
        """
        fact = self._facts.get(literal)
        if fact is None or len(self.domains[fact.unknown]) < 3:
            return
        literals = self.of_all(fact.unknown)
        if fact.positive:
            for excluded in literals:
                if excluded != literal and -excluded not in trail:
                    yield -excluded
            return
        not_excluded = (value for value in literals if -value not in trail)
        remaining = list(islice(not_excluded, 2))
        if not remaining:
            yield -literal
        elif len(remaining) == 1 and remaining[0] not in trail:
            yield remaining[0]

    def reasons(self, literal: int, trail: Container[int]) -> list[int]:
        """Return the literals of the same unknown from which one follows: a value excludes others,
        and the only remaining value is true.
        """
        fact = self.fact(literal)
        number = abs(literal)
        others = [value for value in self.of_all(fact.unknown) if abs(value) != number]
        if fact.positive:
            return [-value for value in others]
        return [value for value in others if value in trail]

    def established_value(self, variable: Variable, trail: Mapping[int, object]) -> Value | None:
        """Return the value that an unknown is known to have, or None."""
        for value in self.domains[variable]:
            if self._of[variable, value] in trail:
                return value
        return None

    def concise(self, literals: Iterable[int]) -> list[int]:
        """Return the literals without those that another one implies: that a known unknown has no
        other value.
        """
        facts = {literal: self._facts.get(literal) for literal in literals}
        fixed = {fact.unknown for fact in facts.values() if fact is not None and fact.positive}
        concise = []
        for literal, fact in facts.items():
            if fact is None or fact.positive or fact.unknown not in fixed:
                concise.append(literal)
        return concise

    def denials_first(self, facts: Iterable[int]) -> list[int]:
        """Return facts in the order in which they are left out: values last.

        A sentence of few values reads better than one of many denials, so that these are left out
        first.
        """

        def order(fact: int) -> tuple[bool, int]:
            return not self.denies(fact), -abs(fact)

        return sorted(facts, key=order)
