"""Presolve the common constraints of many models once; add those of each model to the outcome.

The propagators of the common constraints run to their fixpoint once. The constraints of one model
join them, everything is propagated, and the domains are reset. Only constraints without a state
are shared, so that the domains are those that presolve of the complete model would leave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import Any

from puzzlekit.dataclass import dataclass
from puzzlekit.model import (
    Acyclic,
    Automaton,
    Cardinality,
    Circuit,
    Connected,
    Constraint,
    Linear,
    Model,
    RegionSizes,
    Term,
    Variable,
    has_variables,
    variables_of,
)
from puzzlekit.presolve.bit_graph import bits_of
from puzzlekit.presolve.domains import Inconsistent, Propagator
from puzzlekit.presolve.pipeline import (
    conjuncts,
    has_one_variable,
    post_again,
    presolved_state,
    residual,
)
from puzzlekit.presolve.propagators import (
    AllDifferentPropagator,
    CardinalityPropagator,
    LinearPropagator,
)
from puzzlekit.presolve.structure_propagators import ConnectivityPropagator
from puzzlekit.presolve.tables import Rows
from puzzlekit.presolve.vector_eval import ColumnEvaluator
from puzzlekit.query import Presolve

STRUCTURES = (Acyclic, Automaton, Circuit, Connected, RegionSizes)
Posted = tuple[Propagator, Constraint]


class NotReusable(Exception):
    """A model cannot be presolved so; the message says why."""


@dataclass
class Addition:
    """The constraints of one model beside the common ones, ready to be propagated.

    Attributes:
        masks: The values that conditions on one unknown leave.
        posted: Propagators of the other conditions, with their constraints.
        truths: Those of the other conditions that have tables of truths.
        later: Constraints that have too many combinations of values to be propagated, as yet.
    """

    masks: list[tuple[Variable, int]] = field(default_factory=list)
    posted: list[Posted] = field(default_factory=list)
    truths: list[Posted] = field(default_factory=list)
    later: list[Constraint] = field(default_factory=list)

    @property
    def constraints(self) -> list[Constraint]:
        """The constraints on several unknowns."""
        posted = [constraint for _, constraint in (*self.posted, *self.truths)]
        return [*posted, *self.later]

    @property
    def is_long(self) -> bool:
        """Whether its clauses may be many: it has a sum, or a condition not yet propagated."""
        sums = (isinstance(each.condition, Linear) for _, each in self.posted)
        return bool(self.later) or any(sums)


class BasePresolve:
    """The common constraints of models, presolved.

    Attributes:
        store: The domains and propagators.
        model: What is left of the common constraints.
        masks: The masks of the domains.
    """

    def __init__(self, model: Model, check: Callable[[], None]) -> None:
        """Presolve the common constraints.

        Raises:
            NotReusable: They cannot be presolved on their own.
            Inconsistent: They have no solution.
        """
        self.store = store = presolved_state(model, check, Presolve.FULL)
        if store.tables:
            raise NotReusable("the rules have a table of rows")
        if store.opaque:
            raise NotReusable("the rules have a function of unknowns")
        if store.choices:
            raise NotReusable("the rules have tables that need not hold")
        store.propagators(CardinalityPropagator)  # counts that rest get propagators
        store.domains.propagate_to_fixpoint()
        self.model = residual(store)
        self.masks = dict(store.domains.masks)
        connected = store.propagators(ConnectivityPropagator)
        self._sizes = {len(propagator.flags.literals) for propagator in connected}
        self._watchers = store.domains.watchers()
        self._truths = [rows for rows, _ in store.truths if isinstance(rows, Rows)]

    def addition(self, constraint: Constraint) -> Addition:
        """Return what a constraint adds.

        Raises:
            NotReusable: It cannot be added to what was presolved.
            Inconsistent: It cannot hold.
        """
        addition = Addition()
        scope = variables_of(constraint.condition)
        domains = {variable: self.store.domains.values[variable] for variable in scope}
        small = conjuncts(Model(domains, (constraint,)))
        if len(small.domains) > len(domains):
            raise NotReusable(f"{constraint.origin.rule}: it names parts of unknowns")
        for conjunct in small.constraints:
            condition = conjunct.condition
            if not has_variables(condition):
                if not condition.value({}):
                    raise Inconsistent(None, conjunct.origin)
            elif has_one_variable(condition):
                addition.masks.append(self._filtered(condition))
            else:
                self._post(conjunct, addition)
        return addition

    def _filtered(self, condition: Term) -> tuple[Variable, int]:
        """Return the only variable of a condition, and the mask of the values that meet it."""
        (variable,) = variables_of(condition)
        column = self.store.domains.column(variable)
        is_true = ColumnEvaluator({variable: column}, len(column)).is_true(condition)
        return variable, bits_of(is_true)

    def _post(self, constraint: Constraint, addition: Addition) -> None:
        """Add the propagator of a constraint."""
        store = self.store
        condition = constraint.condition
        rule = constraint.origin.rule
        if isinstance(condition, STRUCTURES):
            raise NotReusable(f"{rule}: it states a structure for each board")
        if isinstance(condition, Cardinality) and len(condition.literals) in self._sizes:
            raise NotReusable(f"{rule}: it bounds the size of a connected area")
        propagated = len(store.propagated)
        truths = len(store.truths)
        later = len(store.unpropagated)
        unsupported: tuple[list[Any], ...] = (
            store.tables,
            store.opaque,
            store.choices,
            store.added,
            store.resting,
        )
        lengths = [len(entries) for entries in unsupported]
        try:
            store.post(constraint)
            addition.posted += store.propagated[propagated:]
            addition.truths += store.truths[truths:]
            addition.later += store.unpropagated[later:]
            if lengths != [len(entries) for entries in unsupported]:
                raise NotReusable(f"{rule}: a condition of another form")
        finally:
            del store.propagated[propagated:]
            del store.truths[truths:]
            del store.unpropagated[later:]
            for entries, length in zip(unsupported, lengths):
                del entries[length:]
            store.domains.reset(self.masks, self._watchers)

    @contextmanager
    def propagated(self, additions: Iterable[Addition]) -> Iterator[Mapping[Variable, int]]:
        """Yield the masks of the domains once these additions are propagated.

        Raises:
            Inconsistent: They have no solution.
        """
        store = self.store
        domains = store.domains
        added = [*additions]
        propagated = len(store.propagated)
        truths = len(store.truths)
        later = list(store.unpropagated)
        posted = [entry for addition in added for entry in addition.posted]
        tables = [entry for addition in added for entry in addition.truths]
        added_rows = [rows for rows, _ in tables if isinstance(rows, Rows)]
        saved = [(rows, rows.columns, dict(rows._seen)) for rows in (*self._truths, *added_rows)]
        try:
            for addition in added:
                for variable, mask in addition.masks:
                    domains.restrict(variable, mask)
            store.propagated += posted
            store.truths += tables  # type: ignore[arg-type]
            for propagator, _ in (*posted, *tables):
                domains.watch(propagator)
            domains.propagate_to_fixpoint()
            for addition in added:
                store.unpropagated += addition.later
            post_again(store)
            yield domains.masks
        finally:
            del store.propagated[propagated:]
            del store.truths[truths:]
            store.unpropagated = later
            for rows, columns, seen in saved:
                rows.columns, rows._seen = columns, seen
            domains.reset(self.masks, self._watchers)

    def remaining(self) -> Model:
        """Return what is left to search. It is asked while additions are propagated."""
        for count in self.store.propagators(CardinalityPropagator):
            count.last_state = None  # the state of its last run may be that of an earlier model
        return residual(self.store)

    def open_are_covered(
        self, masks: Mapping[Variable, int], undecided: Sequence[Variable], areas: int
    ) -> bool:
        """Return whether all of these unknowns are in one shape, or all-different without sums.

        It is asked while they are propagated. False means only that it is not seen at once.

        Args:
            masks: The values that each unknown still has, as masks.
            undecided: The unknowns.
            areas: The number of connected areas from which the answer is False.
        """
        uncovered = set(undecided)
        shapes = self.store.propagators(ConnectivityPropagator)
        if shapes:
            connected = sum(isinstance(shape.constraint, Connected) for shape in shapes)
            if connected >= areas:
                return False
            return any(uncovered <= {*shape.watched} for shape in shapes)
        if self.store.propagators(LinearPropagator):
            return False
        for difference in self.store.propagators(AllDifferentPropagator):
            open_masks = {
                variable: masks[variable]
                for variable in difference.variables
                if masks[variable] & (masks[variable] - 1)
            }
            union = total = 0
            for mask in open_masks.values():
                union |= mask
                total += mask.bit_count()
            if not difference.common_bits and total > union.bit_count():
                uncovered.difference_update(open_masks)
        return not uncovered
