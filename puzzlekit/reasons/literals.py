"""Numbers for what can be known of the unknowns of a puzzle: that one has a value, or does not have
it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from puzzlekit.model import Domain, Value, Variable

MANY = 24  # values of an unknown, from which not each two of them exclude each other by a clause
TRUE, FALSE = 1, -1  # a literal that is always true, and its negation


@dataclass(frozen=True)
class ValueLiteral:
    """That an unknown has a value, or that it does not have it.

    Attributes:
        unknown: The unknown.
        value: The value.
        holds: Whether the unknown has the value. Of an unknown with two values, this is always
            true.
    """

    unknown: Variable
    value: Value
    positive: bool = True

    def __str__(self) -> str:
        return f"{self.unknown} {'=' if self.positive else '≠'} {self.value}"


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
            one = self.fresh()
            for literal, value in ((-one, domain[0]), (one, domain[1])):
                self._of[variable, value] = literal
                self._facts[literal] = ValueLiteral(variable, value)
        elif domain:
            own = [self.fresh() for _ in domain]
            for literal, value in zip(own, domain):
                self._of[variable, value] = literal
                self._facts[literal] = ValueLiteral(variable, value)
                self._facts[-literal] = ValueLiteral(variable, value, positive=False)
            self.clauses.append(own)
            if len(own) < MANY:
                self.clauses += [
                    [-one, -other] for place, one in enumerate(own) for other in own[:place]
                ]
            else:  # a further number says that a value or one before it is taken
                taken = [self.fresh() for _ in own]
                self.clauses += [[-one, before] for one, before in zip(own, taken)]
                self.clauses += [
                    clause
                    for a, b, one in zip(taken, taken[1:], own[1:])
                    for clause in ([-a, b], [-a, -one])
                ]
        else:
            self.clauses.append([FALSE])

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
            self._all[variable] = [self._of[variable, value] for value in self.domains[variable]]
        return self._all[variable]

    def denies(self, literal: int) -> bool:
        """Return whether a literal only says that an unknown does not have a value."""
        fact = self._facts.get(literal)
        return fact is not None and not fact.positive

    def consequences(self, literal: int, trail: Mapping[int, object]) -> Iterator[int]:
        """Yield what a new literal says of the other values of its unknown, given what is known.

        A literal that is yielded may be known to be false: then no value is left.
        """
        fact = self._facts.get(literal)
        if fact is None or len(self.domains[fact.unknown]) < 3:
            return
        own = self.of_all(fact.unknown)
        if fact.positive:
            yield from (-other for other in own if other != literal and -other not in trail)
        else:
            left = [*islice((other for other in own if -other not in trail), 2)]
            if len(left) == 1 and left[0] not in trail:
                yield left[0]
            elif not left:
                yield -literal

    def reasons(self, literal: int, trail: Container[int]) -> list[int]:
        """Return the literals of the same unknown from which one follows: a value excludes others,
        and the last is left.
        """
        own = [one for one in self.of_all(self.fact(literal).unknown) if abs(one) != abs(literal)]
        return (
            [-one for one in own]
            if self.fact(literal).positive
            else [one for one in own if one in trail]
        )

    def established_value(self, variable: Variable, trail: Mapping[int, object]) -> Value | None:
        """Return the value that an unknown is known to have, or None."""
        return next(
            (value for value in self.domains[variable] if self._of[variable, value] in trail), None
        )

    def concise(self, literals: Iterable[int]) -> list[int]:
        """Return the literals without those that another one implies: that a known unknown has no
        other value.
        """
        found = list(literals)
        known = {
            self._facts[one].unknown
            for one in found
            if one in self._facts and self._facts[one].positive
        }
        return [
            one for one in found if not (self.denies(one) and self._facts[one].unknown in known)
        ]
