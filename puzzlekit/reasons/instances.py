"""Instances of rules, and what each entails by itself from known facts, with as few of them as
possible.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from puzzlekit.backends import IncrementalSolver
from puzzlekit.clock import check
from puzzlekit.dataclass import dataclass
from puzzlekit.model import Origin, Term, Value, Variable
from puzzlekit.reasons.literals import FALSE, TRUE, Literals
from puzzlekit.reasons.patterns import Pattern
from puzzlekit.sentences import GraphReason, RulePart

# The literals that are known to be true, in the order in which they were established, each with the
# number of the step that established it.
Trail = Mapping[int, int]
TruthValues = NDArray[np.bool_]  # for each number whether it is true in a model
MOST_ANSWERS = 50_000  # that a pattern caches

T = TypeVar("T")


@dataclass(frozen=True)
class Area:
    """Cells that a look at a graph is about.

    Attributes:
        literals: What holds in the cells.
        size: How many cells the area needs; 0 if that is not said.
        room: How many it can have at most.
        source: The instance that states the size, if there is one of its own.
        touching: A cell that it cannot have, and then the cells of another area beside that.
        extent: The cells that it has or may have, as literals, if it is cut off.
        lengths: Returns, by literal, how many cells it would have with that cell; None if it does
            not count them.
    """

    literals: tuple[int, ...]
    size: int = 0
    room: int = 0
    source: GroundRule | None = None
    touching: tuple[int, ...] = ()
    extent: tuple[int, ...] = field(default=(), compare=False)
    lengths: Callable[[], Mapping[int, int]] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Inference:
    """What an instance entails from some facts: `literals`, or that the facts cannot all hold if
    there are none.

    Attributes:
        literals: What follows.
        reasons: The facts, none of which could be left out.
        graph_reason: Why, if the rule says more than the words of its name.
        area: The cells that the reason is about.
        is_minimal: Whether none of the reasons can be left out for certain.
    """

    literals: tuple[int, ...]
    reasons: tuple[int, ...]
    graph_reason: GraphReason | None = None
    area: Area | None = None
    is_minimal: bool = False


@dataclass(eq=False)
class GroundRule:
    """A rule with values of its loop variables.

    Attributes:
        number: Its index among the instances of the puzzle.
        origins: The rule and the values; several where rules are joined.
        selector: The literal that switches it on.
        scope: The numbers of the literals that it is about.
        conditions: What it states.
        shape: Whether it is about a shape, which is looked at last.
        rule_part: Which part of its rule it is; None if it is the entire rule.
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

    def cuts(self, truth: TruthValues, assumed: Collection[int] = ()) -> Iterator[list[int]]:
        """Yield clauses that it entails, and that a model with these true numbers violates.

        They are about literals in `assumed`, if possible.
        """
        return iter(())

    def inferences(self, trail: Trail, omitted: Collection[int] = ()) -> Iterator[Inference]:
        """Yield what follows from what is known and is not known yet, or one inference without
        literals.

        Literals in `omitted` may be left out.
        """
        raise NotImplementedError

    def entailed(self, trail: Trail) -> list[int] | None:
        """Return what follows from what is known and is not known yet, without reasons; None for a
        contradiction.
        """
        literals: list[int] = []
        for inference in self.inferences(trail):
            if not inference.literals:
                return None
            literals += inference.literals
        return literals

    def violated(self, trail: Trail) -> tuple[int, ...] | None:
        """Return the fewest facts that it does not allow; None if it allows all that is known."""
        for inference in self.inferences(trail):
            if not inference.literals:
                return inference.reasons
        return None

    def entails(self, facts: Sequence[int], literals: Iterable[int]) -> bool:
        """Return whether all these literals follow from facts in its scope, or the facts contradict
        it.
        """
        raise NotImplementedError

    def facts_in_scope(self, trail: Collection[int]) -> list[int]:
        """Return those known literals that it is about."""
        facts = []
        for number in self.scope:
            if number in trail:
                facts.append(number)
            elif -number in trail:
                facts.append(-number)
        return facts

    def open_numbers(self, trail: Collection[int]) -> list[int]:
        """Return the numbers in its scope that are neither known to be true nor to be false."""
        return [number for number in self.scope if number not in trail and -number not in trail]


def shrink(given: Sequence[T], enough: Callable[[list[T]], bool]) -> list[T]:
    """Return a sublist that is enough, of which no element can be left out. Raises Stopped.

    Elements at the front are left out first. Deletion-based shrinking, as of minimal unsatisfiable
    subsets: Marques-Silva, "Minimal unsatisfiability: models, algorithms and applications" (2010).
    It tries chunks of halving length, as delta debugging does (Zeller and Hildebrandt, 2002).

    The sublist depends on the meaning of `enough` alone, not on the way in which it is computed.
    """
    sublist = list(given)
    size = max(1, len(sublist) // 2)
    while size:
        start = 0
        while start < len(sublist):
            check()
            shorter = sublist[:start] + sublist[start + size :]
            if enough(shorter):
                sublist = shorter
            else:
                start += size
        size //= 2
    return sublist


def entailed(
    solver: IncrementalSolver, assumed: Sequence[int], numbers: Iterable[int]
) -> frozenset[int] | None:
    """Return the literals of these numbers that the assumptions entail; None for a contradiction.

    They are the backbone under the assumptions, found by one test a candidate; each model of a test
    drops the candidates that it violates. Janota, Lynce and Marques-Silva, "Algorithms for
    computing backbones of propositional formulae" (2015).
    """
    implied = solver.propagate(assumed)
    if implied is None or not solver.is_satisfiable(assumed):
        return None
    model = solver.model
    backbone = {*implied}
    literals = (model[number - 1] for number in numbers if number <= len(model))
    candidates = dict.fromkeys(literal for literal in literals if literal not in backbone)
    while candidates:
        candidate = next(iter(candidates))
        del candidates[candidate]
        if solver.is_satisfiable((*assumed, -candidate)):
            model = solver.model
            for literal in list(candidates):
                if model[abs(literal) - 1] != literal:
                    del candidates[literal]
        else:
            backbone.add(candidate)
    return frozenset(backbone)


def grouped(explained: Iterable[tuple[int, Sequence[int]]]) -> Iterator[Inference]:
    """Yield one inference for all literals with the same reasons."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for literal, reasons in explained:
        key = tuple(sorted(reasons, key=abs))
        groups.setdefault(key, []).append(literal)
    for reasons, literals in groups.items():
        yield Inference(tuple(literals), reasons)


class PatternInstance(GroundRule):
    """An instance whose pattern is clauses; those with the same pattern share one solver and its
    answers.

    An *inner* literal is one of the pattern, an *outer* literal one of the puzzle.
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
        self._inner: dict[int, int] = {TRUE: TRUE}  # by outer number, the inner literal
        self._outer: dict[int, int] = {TRUE: TRUE}  # by inner number, the outer literal
        for variable, inner_literals in zip(variables, pattern.values):
            for value, inner in zip(literals.domains[variable], inner_literals):
                outer = literals.of(variable, value)
                if outer > TRUE:
                    self._inner[outer] = inner
                if abs(outer) > TRUE:
                    self._outer[abs(inner)] = outer if inner > 0 else -outer
        scope = [
            outer for outer, inner in self._inner.items() if abs(inner) in pattern.distinguished
        ]
        self.scope = tuple(outer for outer in scope if outer != TRUE)

    def outer(self, inner: int) -> int:
        """Return the literal of the puzzle for one of the pattern."""
        number = abs(inner)
        if number not in self._outer:
            self._outer[number] = self.literals.fresh()
        return self._outer[number] if inner > 0 else -self._outer[number]

    def inner(self, outer: int) -> int:
        """Return the literal of the pattern for one of the puzzle."""
        return self._inner[outer] if outer > 0 else -self._inner[-outer]

    def clauses(self) -> Iterator[list[int]]:
        for inner_clause in self.pattern.clauses:
            clause = list(map(self.outer, inner_clause))
            if TRUE not in clause:
                yield clause

    def inferences(self, trail: Trail, omitted: Collection[int] = ()) -> Iterator[Inference]:
        facts = self.literals.concise(self.facts_in_scope(trail))
        entailed_literals = self.entailed(trail)
        if entailed_literals is None:
            yield Inference((), tuple(self._shrink(facts, None)))
            return
        new = (literal for literal in entailed_literals if literal not in omitted)
        yield from grouped((literal, self._shrink(facts, self.inner(literal))) for literal in new)

    def violated(self, trail: Trail) -> tuple[int, ...] | None:
        facts = self.literals.concise(self.facts_in_scope(trail))
        if self.pattern.solver.is_satisfiable([*map(self.inner, facts)]):
            return None
        return tuple(self._shrink(facts, None))

    def entails(self, facts: Sequence[int], literals: Iterable[int]) -> bool:
        assumed = [*map(self.inner, facts)]
        solver = self.pattern.solver
        return not any(
            solver.is_satisfiable((*assumed, -self.inner(literal))) for literal in literals
        )

    def entailed(self, trail: Trail) -> list[int] | None:
        facts = self.literals.concise(self.facts_in_scope(trail))
        assumed = tuple(map(self.inner, facts))
        backbone = self._backbone(assumed)
        if backbone is None:
            return None
        literals = []
        for number in self.open_numbers(trail):
            inner = self._inner[number]
            if inner in backbone:
                literals.append(number)
            elif -inner in backbone:
                literals.append(-number)
        return literals

    def _backbone(self, assumed: tuple[int, ...]) -> frozenset[int] | None:
        """Return the literals of the pattern that these entail; None for a contradiction."""
        key, cache = frozenset(assumed), self.pattern.cache
        if key not in cache:
            if len(cache) > MOST_ANSWERS:
                cache.clear()
            numbers = dict.fromkeys(abs(self._inner[number]) for number in self.scope)
            cache[key] = entailed(self.pattern.solver, assumed, numbers)
        backbone: frozenset[int] | None = cache[key]
        return backbone

    def _shrink(self, facts: Sequence[int], inner: int | None) -> list[int]:
        """Return the fewest facts from which a literal of the pattern follows; of a contradiction,
        if it is None.
        """
        negation = () if inner is None else (-inner,)
        order = self.literals.denials_first(facts)
        inner_facts = tuple(map(self.inner, order))
        key = (inner, inner_facts)
        cache = self.pattern.cache
        if key not in cache:
            solver = self.pattern.solver

            def contradicts(subset: Sequence[int]) -> bool:
                return not solver.is_satisfiable((*subset, *negation))

            positions = {fact: index for index, fact in enumerate(inner_facts)}
            cache[key] = tuple(positions[fact] for fact in shrink(inner_facts, contradicts))
        return [order[index] for index in cache[key]]


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
        # by the literal of a value, its column and its index in the domain
        self.columns: dict[int, tuple[int, int]] = {}
        self._literals_by_code: dict[tuple[int, int], int] = {}
        self._domains = [literals.domains[variable] for variable in variables]
        self._sizes = list(map(len, self._domains))
        self._rows_of: dict[int, NDArray[np.bool_]] = {}  # by literal, the rows that have it
        for column, variable in enumerate(variables):
            for code, value in enumerate(literals.domains[variable]):
                literal = literals.of(variable, value)
                if abs(literal) == TRUE:
                    continue
                self.columns[literal] = column, code
                self._literals_by_code[column, code] = literal
                key = ("rows", column, code)
                if key not in pattern.cache:
                    pattern.cache[key] = self.rows[:, column] == code
                self._rows_of[literal] = pattern.cache[key]
        self.scope = tuple(dict.fromkeys(map(abs, self.columns)))

    def clauses(self) -> Iterator[list[int]]:
        """Yield clauses with a literal for each row."""
        rows = [self.literals.fresh() for _ in range(len(self.rows))]
        numbers = np.array(rows, dtype=np.int64)
        yield rows
        for literal, rows_mask in self._rows_of.items():
            rows_with_literal = numbers[rows_mask].tolist()
            yield [-literal, *rows_with_literal]
            yield from ([-row, literal] for row in rows_with_literal)

    def _with(self, fact: int) -> NDArray[np.bool_]:
        """Return the rows that have a fact."""
        return self._rows_of[fact] if fact in self._rows_of else ~self._rows_of[-fact]

    def _remaining_rows(self, facts: Iterable[int]) -> NDArray[np.bool_]:
        """Return the rows that have all facts."""
        remaining = np.ones(len(self.rows), dtype=bool)
        denied: dict[int, list[int]] = {}  # by column, the codes of values that it does not have
        for fact in facts:
            if fact in self._rows_of:
                remaining &= self._rows_of[fact]
            else:
                column, code = self.columns[-fact]
                denied.setdefault(column, []).append(code)
        for column, codes in denied.items():
            allowed = np.ones(self._sizes[column], dtype=bool)
            allowed[codes] = False
            remaining &= allowed[self.rows[:, column]]
        return remaining

    def remaining_values(self, trail: Trail) -> list[tuple[Value, ...]]:
        """Return the rows that known facts leave, as the values of its unknowns."""
        remaining = self._remaining_rows(self.facts_in_scope(trail))
        rows = []
        for codes in self.rows[remaining].tolist():
            pairs = zip(self._domains, codes)
            rows.append(tuple(domain[code] for domain, code in pairs))
        return rows

    def _strikes_all(self, facts: Iterable[int]) -> bool:
        """Return whether no row has all facts."""
        return not self._remaining_rows(facts).any()

    def inferences(self, trail: Trail, omitted: Collection[int] = ()) -> Iterator[Inference]:
        facts = self.literals.concise(self.facts_in_scope(trail))
        remaining = self._remaining_rows(facts)
        order = self.literals.denials_first(facts)
        if not remaining.any():
            yield Inference((), tuple(shrink(order, self._strikes_all)))
            return
        positions = {fact: index for index, fact in enumerate(order)}
        values = [fact for fact in order if fact in self._rows_of]
        new = [denial for denial in self._denials(trail, remaining) if denial not in omitted]
        yield from grouped((denial, self._shrink(positions, values, -denial)) for denial in new)

    def violated(self, trail: Trail) -> tuple[int, ...] | None:
        facts = self.literals.concise(self.facts_in_scope(trail))
        return super().violated(trail) if self._strikes_all(facts) else None

    def entailed(self, trail: Trail) -> list[int] | None:
        facts = self.literals.concise(self.facts_in_scope(trail))
        remaining = self._remaining_rows(facts)
        return self._denials(trail, remaining) if remaining.any() else None

    def entails(self, facts: Sequence[int], literals: Iterable[int]) -> bool:
        remaining = self._remaining_rows(facts)
        if not remaining.any():
            return True
        return not any(
            literal == FALSE or (self._with(-literal) & remaining).any() for literal in literals
        )

    def _denials(self, trail: Trail, rows: NDArray[np.bool_]) -> list[int]:
        """Return the denials of open values that none of these rows has."""
        possible = set[tuple[int, int]]()
        for column, codes in enumerate(self.rows[rows].T):
            possible.update((column, code) for code in np.unique(codes).tolist())
        denials = []
        for literal, column_and_code in self.columns.items():
            is_open = literal not in trail and -literal not in trail
            if is_open and column_and_code not in possible:
                denials.append(-literal)
        return denials

    def _shrink(
        self, positions: Mapping[int, int], values: Sequence[int], literal: int
    ) -> list[int]:
        """Return the fewest facts that strike all rows with a literal, which are few.

        Args:
            positions: The facts, each with its position in the order in which they are left out.
            values: Those that do not only deny a value.
            literal: The literal of a value.
        """
        rows = np.flatnonzero(self._rows_of[literal])
        facts = {*values}
        for column, codes in enumerate(self.rows[rows].T.tolist()):
            for code in {*codes}:
                value_literal = self._literals_by_code.get((column, code))
                if value_literal is not None and -value_literal in positions:
                    facts.add(-value_literal)
        order = sorted(facts, key=positions.__getitem__)
        rows_with = {fact: self._with(fact)[rows] for fact in order}
        every_row = np.ones(len(rows), dtype=bool)

        def strikes_all(subset: Sequence[int]) -> bool:
            masks = [rows_with[fact] for fact in subset]
            return not np.logical_and.reduce([every_row, *masks]).any()

        return shrink([fact for fact in order if not rows_with[fact].all()], strikes_all)
