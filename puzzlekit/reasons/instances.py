"""Instances of rules, and what each entails by itself from known facts, with as few of them as
possible.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from puzzlekit.backends.incremental_solver import IncrementalSolver
from puzzlekit.clock import check
from puzzlekit.model import Origin, Term, Variable
from puzzlekit.reasons.literals import TRUE, Literals
from puzzlekit.reasons.patterns import Pattern
from puzzlekit.sentences.steps import GraphReason, RulePart

Trail = Mapping[
    int, int
]  # the literals that are known to be true, with the number of the step that found each
TruthValues = NDArray[np.bool_]  # for each number whether it is true in a model
MOST_ANSWERS = 50_000  # that a pattern keeps

T = TypeVar("T")


@dataclass(frozen=True)
class Inference:
    """What an instance entails from some facts: `literals`, or that the facts cannot all hold if
    there are none.

    Attributes:
        literals: What follows.
        reasons: The facts, none of which could be left out.
        how: Why, if the rule says more than the words of its name.
    """

    literals: tuple[int, ...]
    reasons: tuple[int, ...]
    graph_reason: GraphReason | None = None


@dataclass(eq=False)
class GroundRule:
    """A rule with values of its loop variables.

    Attributes:
        number: Its place among the instances of the puzzle.
        origins: The rule and the values; several where rules are joined.
        scope: The numbers of the literals that it is about.
        selector: The literal that switches it on.
        conditions: What it states.
        shape: Whether it is about a shape, which is looked at last.
        about: Which part of its rule it is; None if it is the whole.
    """

    number: int
    origins: tuple[Origin, ...]
    selector: int
    scope: tuple[int, ...] = ()
    conditions: tuple[Term, ...] = ()
    shape = False
    rule_part: RulePart | None = None

    @property
    def origin(self) -> Origin:
        return self.origins[0]

    def clauses(self) -> Iterator[list[int]]:
        """Yield what it says as clauses, as far as that can be said before the search."""
        return iter(())

    def cuts(self, truth: TruthValues) -> Iterator[list[int]]:
        """Yield clauses that it entails, and that a model with these true numbers violates."""
        return iter(())

    def inferences(self, trail: Trail, omitted: Collection[int] = ()) -> Iterator[Inference]:
        """Yield what follows from what is known and is not known yet, or one deduction without
        literals.

        What was `told` before may be left out.
        """
        raise NotImplementedError

    def entailed(self, trail: Trail) -> list[int] | None:
        """Return what follows from what is known and is not known yet, without reasons; None for a
        contradiction.
        """
        found: list[int] = []
        for deduction in self.inferences(trail):
            if not deduction.literals:
                return None
            found += deduction.literals
        return found

    def violated(self, trail: Trail) -> tuple[int, ...] | None:
        """Return the fewest facts that it does not allow; None if it allows all that is known."""
        for deduction in self.inferences(trail):
            if not deduction.literals:
                return deduction.reasons
        return None

    def single_reasons(self, literal: int, trail: Trail) -> list[int]:
        """Return known facts about other unknowns, each of which entails a literal by itself, as
        far as that is seen soon.
        """
        return []

    def facts_in_scope(self, trail: Collection[int]) -> list[int]:
        """Return those known literals that it is about."""
        return [
            one if one in trail else -one for one in self.scope if one in trail or -one in trail
        ]


@dataclass(frozen=True)
class Step:
    """Facts that follow from instances of rules and earlier facts.

    Attributes:
        tier: 1 for one instance, 2 for a pair, 3 for a trial that fails by propagation, 4 for a
            search.
        instances: The instances.
        reasons: The literals of the facts from which it follows.
        literals: The literals of the facts that are new.
        how: Why, if the rule says more than the words of its name.
        open: How many steps of its tier were open then.
    """

    tier: int
    instances: tuple[GroundRule, ...]
    reasons: tuple[int, ...]
    literals: tuple[int, ...]
    graph_reason: GraphReason | None = None
    open: int = 1


def shrink(given: Sequence[T], enough: Callable[[list[T]], bool]) -> list[T]:
    """Return a sublist that is enough, of which no element can be left out. Raises Stopped.

    Elements at the front are left out first. Deletion-based shrinking, as of minimal unsatisfiable
    subsets: Marques-Silva, "Minimal unsatisfiability: models, algorithms and applications" (2010).
    It tries chunks of halving length, as delta debugging does (Zeller and Hildebrandt, 2002).

    The sublist depends on the meaning of `enough` alone, not on the way in which it is computed.
    """
    kept = list(given)
    size = max(1, len(kept) // 2)
    while size:
        place = 0
        while place < len(kept):
            check()
            rest = kept[:place] + kept[place + size :]
            if enough(rest):
                kept = rest
            else:
                place += size
        size //= 2
    return kept


def entailed(
    solver: IncrementalSolver, assumed: Sequence[int], numbers: Iterable[int]
) -> frozenset[int] | None:
    """Return the literals of these numbers that the assumptions entail; None for a contradiction.

    They are the backbone under the assumptions, found by one test a candidate; each model of a test
    drops the candidates that it violates. Janota, Lynce and Marques-Silva, "Algorithms for
    computing backbones of propositional formulae" (2015).
    """
    implied = solver.propagate(assumed)
    if implied is None or not solver.holds(assumed):
        return None
    model, sure = solver.model, {*implied}
    candidates = dict.fromkeys(
        model[n - 1] for n in numbers if n <= len(model) and model[n - 1] not in sure
    )
    while candidates:
        candidate = next(iter(candidates))
        del candidates[candidate]
        if solver.holds((*assumed, -candidate)):
            model = solver.model
            for other in [one for one in candidates if model[abs(one) - 1] != one]:
                del candidates[other]
        else:
            sure.add(candidate)
    return frozenset(sure)


def grouped(found: Iterable[tuple[int, Sequence[int]]]) -> Iterator[Inference]:
    """Yield one deduction for all literals with the same reasons."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for literal, reasons in found:
        groups.setdefault(tuple(sorted(reasons, key=abs)), []).append(literal)
    for reasons, literals in groups.items():
        yield Inference(tuple(literals), reasons)


class PatternInstance(GroundRule):
    """An instance whose pattern is clauses; those with the same pattern share one solver and its
    answers.
    """

    def __init__(
        self,
        number: int,
        origins: tuple[Origin, ...],
        literals: Literals,
        variables: Sequence[Variable],
        pattern: Pattern,
    ) -> None:
        super().__init__(number, origins, literals.fresh())
        self.pattern, self.literals = pattern, literals
        self._inner: dict[int, int] = {
            TRUE: TRUE
        }  # by number of the puzzle, the literal of the pattern
        self._outer: dict[int, int] = {
            TRUE: TRUE
        }  # by number of the pattern, the literal of the puzzle
        for variable, numbers in zip(variables, pattern.values):
            for value, own in zip(literals.domains[variable], numbers):
                literal = literals.of(variable, value)
                if literal > TRUE:
                    self._inner[literal] = own
                if abs(literal) > TRUE:
                    self._outer[abs(own)] = literal if own > 0 else -literal
        self.scope = tuple(
            one for one, own in self._inner.items() if abs(own) in pattern.distinguished and one != TRUE
        )

    def outer(self, own: int) -> int:
        """Return the literal of the puzzle for one of the pattern."""
        if abs(own) not in self._outer:
            self._outer[abs(own)] = self.literals.fresh()
        return self._outer[abs(own)] if own > 0 else -self._outer[abs(own)]

    def inner(self, literal: int) -> int:
        """Return the literal of the pattern for one of the puzzle."""
        return self._inner[literal] if literal > 0 else -self._inner[-literal]

    def clauses(self) -> Iterator[list[int]]:
        for clause in self.pattern.clauses:
            made = [self.outer(own) for own in clause]
            if TRUE not in made:
                yield made

    def deductions(self, trail: Trail, omitted: Collection[int] = ()) -> Iterator[Inference]:
        facts = self.literals.concise(self.facts_in_scope(trail))
        found = self.entailed(trail)
        if found is None:
            yield Inference((), tuple(self._shrink(facts, None)))
        else:
            yield from grouped(
                (one, self._shrink(facts, self.inner(one))) for one in found if one not in omitted
            )

    def violated(self, trail: Trail) -> tuple[int, ...] | None:
        facts = self.literals.concise(self.facts_in_scope(trail))
        return (
            None
            if self.pattern.solver.holds([*map(self.inner, facts)])
            else tuple(self._shrink(facts, None))
        )

    def alone(self, literal: int, trail: Trail) -> list[int]:
        implied = self.pattern.solver.propagate([-self.inner(literal)]) or ()
        facts = (-self.outer(own) for own in implied if abs(own) in self._outer)
        unknown = self.literals.fact(literal).unknown
        return [one for one in facts if one in trail and self.literals.fact(one).unknown != unknown]

    def entailed(self, trail: Trail) -> list[int] | None:
        assumed = tuple(self.inner(one) for one in self.literals.concise(self.facts_in_scope(trail)))
        key, answers = frozenset(assumed), self.pattern.cache
        if key not in answers:
            if len(answers) > MOST_ANSWERS:
                answers.clear()
            numbers = dict.fromkeys(abs(self._inner[one]) for one in self.scope)
            answers[key] = entailed(self.pattern.solver, assumed, numbers)
        found: frozenset[int] | None = answers[key]
        if found is None:
            return None
        open_ = (
            (one, self._inner[one]) for one in self.scope if one not in trail and -one not in trail
        )
        return [
            one if own in found else -one for one, own in open_ if own in found or -own in found
        ]

    def _shrink(self, facts: Sequence[int], own: int | None) -> list[int]:
        """Return the fewest facts from which a literal of the pattern follows; of a contradiction,
        if it is None.
        """
        tail = () if own is None else (-own,)
        order = sorted(facts, key=lambda one: (not self.literals.denies(one), -abs(one)))
        inner = tuple(self.inner(one) for one in order)
        key = (own, inner)
        answers = self.pattern.cache
        if key not in answers:
            back = {self.inner(one): place for place, one in enumerate(order)}
            solver = self.pattern.solver
            enough = lambda some: not solver.holds((*some, *tail))  # noqa: E731
            answers[key] = tuple(back[one] for one in shrink(inner, enough))
        return [order[place] for place in answers[key]]


class TableInstance(GroundRule):
    """An instance whose pattern is a wide table. A fact strikes the rows that do not have it."""

    def __init__(
        self,
        number: int,
        origins: tuple[Origin, ...],
        literals: Literals,
        variables: Sequence[Variable],
        pattern: Pattern,
    ) -> None:
        super().__init__(number, origins, literals.fresh())
        assert pattern.rows is not None
        self.literals, self.rows = literals, pattern.rows
        self.columns: dict[
            int, tuple[int, int]
        ] = {}  # of each literal of a value its column, and its place in the domain
        self._literals_by_code: dict[tuple[int, int], int] = {}
        self._sizes = [len(literals.domains[variable]) for variable in variables]
        self._holders: dict[int, NDArray[np.bool_]] = {}
        for place, variable in enumerate(variables):
            for code, value in enumerate(literals.domains[variable]):
                literal = literals.of(variable, value)
                if abs(literal) != TRUE:
                    self.columns[literal] = place, code
                    self._literals_by_code[place, code] = literal
                    key = ("rows", place, code)
                    if key not in pattern.cache:
                        pattern.cache[key] = self.rows[:, place] == code
                    self._holders[literal] = pattern.cache[key]
        self.scope = tuple(dict.fromkeys(map(abs, self.columns)))

    def clauses(self) -> Iterator[list[int]]:
        """Yield clauses with a literal for each row."""
        rows = [self.literals.fresh() for _ in range(len(self.rows))]
        numbers = np.array(rows, dtype=np.int64)
        yield rows
        for literal, held in self._holders.items():
            with_it = numbers[held].tolist()
            yield [-literal, *with_it]
            yield from ([-row, literal] for row in with_it)

    def _with(self, fact: int) -> NDArray[np.bool_]:
        """Return the rows that have a fact."""
        return self._holders[fact] if fact in self._holders else ~self._holders[-fact]

    def _struck(self, facts: Iterable[int]) -> NDArray[np.bool_]:
        """Return the rows that are left."""
        left = np.ones(len(self.rows), dtype=bool)
        denied: dict[int, list[int]] = {}  # by column, the codes of values that it does not have
        for fact in facts:
            if fact in self._holders:
                left &= self._holders[fact]
            else:
                place, code = self.columns[-fact]
                denied.setdefault(place, []).append(code)
        for place, codes in denied.items():
            allowed = np.ones(self._sizes[place], dtype=bool)
            allowed[codes] = False
            left &= allowed[self.rows[:, place]]
        return left

    def deductions(self, trail: Trail, omitted: Collection[int] = ()) -> Iterator[Inference]:
        facts = self.literals.concise(self.facts_in_scope(trail))
        left = self._struck(facts)
        order = sorted(facts, key=lambda one: (not self.literals.denies(one), -abs(one)))
        if not left.any():
            yield Inference((), tuple(shrink(order, lambda some: not self._struck(some).any())))
        else:
            places, established = (
                {fact: place for place, fact in enumerate(order)},
                [fact for fact in order if fact in self._holders],
            )
            yield from grouped(
                (one, self._shrink(places, established, -one))
                for one in self._gone(trail, left)
                if one not in omitted
            )

    def violated(self, trail: Trail) -> tuple[int, ...] | None:
        left = self._struck(self.literals.concise(self.facts_in_scope(trail)))
        return None if left.any() else super().violated(trail)

    def entailed(self, trail: Trail) -> list[int] | None:
        left = self._struck(self.literals.concise(self.facts_in_scope(trail)))
        return self._gone(trail, left) if left.any() else None

    def _gone(self, trail: Trail, left: NDArray[np.bool_]) -> list[int]:
        """Return that values do not hold, which no row has that is left."""
        found = {
            (place, code)
            for place, column in enumerate(self.rows[left].T)
            for code in np.unique(column).tolist()
        }
        return [
            -one
            for one, at in self.columns.items()
            if one not in trail and -one not in trail and at not in found
        ]

    def _shrink(
        self, order: Mapping[int, int], established: Sequence[int], literal: int
    ) -> list[int]:
        """Return the fewest facts, given with their order, that strike all rows with a literal,
        which are few.

        Those that do not only deny a value are `established`.
        """
        rows = np.flatnonzero(self._holders[literal])
        inside = {
            (place, code)
            for place, codes in enumerate(self.rows[rows].T.tolist())
            for code in codes
        }
        denials = (-self._literals_by_code[one] for one in inside if one in self._literals_by_code)
        near = sorted(
            {*established, *(fact for fact in denials if fact in order)}, key=order.__getitem__
        )
        left = {fact: self._with(fact)[rows] for fact in near}
        every = np.ones(len(rows), dtype=bool)
        return shrink(
            [fact for fact in near if not left[fact].all()],
            lambda some: not np.logical_and.reduce([every, *(left[one] for one in some)]).any(),
        )
