"""Presolves what many models have in common once; what each has besides is propagated from there.

The propagators of the common constraints run to their fixpoint once. The constraints of one model
join them, everything is propagated, and the domains are as they were before. Only constraints that
keep no state are shared, so that the domains are those that presolve of the whole model would
leave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from puzzlekit.model import (
    Acyclic,
    Automaton,
    Cardinality,
    Circuit,
    Connected,
    Constraint,
    Model,
    RegionSizes,
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
    """What one model has besides, ready to be propagated.

    Attributes:
        masks: The values that conditions on one unknown leave.
        posted: Propagators of the others, with what they state.
        truths: Those of `posted` that are tables of truths.
        later: What has too many combinations of values to be propagated, as yet.
    """

    masks: list[tuple[Variable, int]] = field(default_factory=list)
    posted: list[Posted] = field(default_factory=list)
    truths: list[Posted] = field(default_factory=list)
    later: list[Constraint] = field(default_factory=list)

    @property
    def constraints(self) -> list[Constraint]:
        """What is stated on several unknowns."""
        return [*(constraint for _, constraint in (*self.posted, *self.truths)), *self.later]


class BasePresolve:
    """The common part of models, presolved.

    Attributes:
        state: The state of its propagators.
        model: What is left of it.
        live: The masks of its domains.
    """

    def __init__(self, model: Model, check: Callable[[], None]) -> None:
        """Presolve the common part. Raises NotReusable, and Inconsistent if it has no solution."""
        self.state = state = presolved_state(model, check, Presolve.FULL)
        for lists, what in (
            (state.tables, "a table of rows"),
            (state.opaque, "a function of unknowns"),
            (state.choices, "tables that need not hold"),
        ):
            if lists:
                raise NotReusable(f"the rules have {what}")
        state.propagators(CardinalityPropagator)  # counts that rest get propagators
        state.domains.propagate_to_fixpoint()
        self.model = residual(state)
        self.masks = dict(state.domains.masks)
        self._sizes = {len(one.flags.literals) for one in state.propagators(ConnectivityPropagator)}
        self._watchers = state.domains.watchers()
        self._truths = [rows for rows, _ in state.truths if isinstance(rows, Rows)]

    def addition(self, constraint: Constraint) -> Addition:
        """Return what a constraint adds. Raises NotReusable, and Inconsistent if it cannot hold."""
        state, found = self.state, Addition()
        domains = {
            variable: state.domains.values[variable]
            for variable in variables_of(constraint.condition)
        }
        small = conjuncts(Model(domains, (constraint,)))
        if len(small.domains) > len(domains):
            raise NotReusable(f"{constraint.origin.rule}: it names parts of unknowns")
        for one in small.constraints:
            if not has_variables(one.condition):
                if not one.condition.value({}):
                    raise Inconsistent(None, one.origin)
            elif has_one_variable(one.condition):
                (variable,) = variables_of(one.condition)
                column = state.domains.column(variable)
                found.masks.append(
                    (
                        variable,
                        bits_of(
                            ColumnEvaluator({variable: column}, len(column)).is_true(one.condition)
                        ),
                    )
                )
            else:
                self._post(one, found)
        return found

    def _post(self, constraint: Constraint, found: Addition) -> None:
        """Add the propagator of a constraint."""
        state, condition, rule = self.state, constraint.condition, constraint.origin.rule
        if isinstance(condition, STRUCTURES):
            raise NotReusable(f"{rule}: it states a structure for each board")
        if isinstance(condition, Cardinality) and len(condition.literals) in self._sizes:
            raise NotReusable(f"{rule}: it bounds the size of a connected area")
        propagated, truths, later = (
            len(state.propagated),
            len(state.truths),
            len(state.unpropagated),
        )
        others: tuple[list[Any], ...] = (
            state.tables,
            state.opaque,
            state.choices,
            state.added,
            state.resting,
        )
        before = [len(each) for each in others]
        try:
            state.post(constraint)
            found.posted += state.propagated[propagated:]
            found.truths += state.truths[truths:]
            found.later += state.unpropagated[later:]
            if before != [len(each) for each in others]:
                raise NotReusable(f"{rule}: a condition of another form")
        finally:
            del state.propagated[propagated:], state.truths[truths:], state.unpropagated[later:]
            for grown, length in zip(others, before):
                del grown[length:]
            state.domains.reset(self.masks, self._watchers)

    @contextmanager
    def propagated(self, additions: Iterable[Addition]) -> Iterator[Mapping[Variable, int]]:
        """Yield the masks of the domains once these additions are propagated. Raises Inconsistent."""
        state = self.state
        domains, own = state.domains, [*additions]
        propagated, truths, later = (
            len(state.propagated),
            len(state.truths),
            list(state.unpropagated),
        )
        posted = [each for one in own for each in one.posted]
        tables = [each for one in own for each in one.truths]
        kept = [
            (rows, rows.columns, dict(rows._seen))
            for rows in (*self._truths, *(rows for rows, _ in tables if isinstance(rows, Rows)))
        ]
        try:
            for one in own:
                for variable, mask in one.masks:
                    domains.restrict(variable, mask)
            state.propagated += posted
            state.truths += tables  # type: ignore[arg-type]
            for propagator, _ in (*posted, *tables):
                domains.watch(propagator)
            domains.propagate_to_fixpoint()
            state.unpropagated += [each for one in own for each in one.later]
            post_again(state)
            yield domains.masks
        finally:
            del state.propagated[propagated:], state.truths[truths:]
            state.unpropagated = later
            for rows, columns, seen in kept:
                rows.columns, rows._seen = columns, seen
            state.domains.reset(self.masks, self._watchers)

    def remaining(self) -> Model:
        """Return what is left to search. It is asked while additions are propagated."""
        for count in self.state.propagators(CardinalityPropagator):
            count.last_state = None  # the state of its last run may be that of an earlier model
        return residual(self.state)

    def open_are_covered(
        self, masks: Mapping[Variable, int], undecided: Sequence[Variable], areas: int
    ) -> bool:
        """Return whether all of these unknowns are in one shape, or all-different without sums.

        It is asked while they are propagated. False means only that it is not seen at once.

        Args:
            live: The values that each unknown still has, as masks.
            undecided: The unknowns.
            areas: The number of connected areas from which the answer is False.
        """
        state, left = self.state, set(undecided)
        shapes = state.propagators(ConnectivityPropagator)
        if shapes:
            connected = sum(isinstance(shape.constraint, Connected) for shape in shapes)
            return connected < areas and any(left <= {*shape.watched} for shape in shapes)
        if state.propagators(LinearPropagator):
            return False
        for one in state.propagators(AllDifferentPropagator):
            variables = [
                variable for variable in one.variables if masks[variable] & (masks[variable] - 1)
            ]
            once = total = 0
            for variable in variables:
                once |= masks[variable]
                total += masks[variable].bit_count()
            if not one.common_bits and total > once.bit_count():
                left.difference_update(variables)
        return not left
