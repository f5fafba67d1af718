"""The domains during presolve, as bit masks, and the queue of propagators that watch them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise, takewhile
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from puzzlekit.model import Domain, Origin, Value, Variable
from puzzlekit.presolve.bit_graph import bits_of
from puzzlekit.presolve.vector_eval import Column, column_of

VALUES_READ_BY_BIT = 64  # up to which a mask is read bit by bit rather than as an array


def no_clock() -> None:
    """Never stop."""


class Inconsistent(Exception):
    """The constraints have no solution: a domain is empty, or a constraint cannot hold.

    Attributes:
        variable: The variable whose domain is empty; None if a constraint cannot hold.
        origin: The origin of the constraint that removed the last value, or cannot hold.
    """

    def __init__(self, variable: Variable | None, origin: Origin | None) -> None:
        self.variable = variable
        self.origin = origin
        super().__init__(variable, origin)

    def __str__(self) -> str:
        wrong = "never holds" if self.variable is None else f"leaves no value for {self.variable}"
        return f"the rule «{self.origin}» {wrong}"


class Propagator(Protocol):
    """A constraint that prunes domains. A `costly` one runs only when no other is waiting."""

    origin: Origin | None
    costly: bool

    @property
    def watched(self) -> Iterable[Variable | tuple[Variable, int]]:
        """The variables whose changes wake it; with the mask of a value, only that it goes, or
        alone is left.
        """

    def run(self, domains: DomainStore) -> None:
        """Remove impossible values from the domains, or raise Inconsistent."""


# an ordered set; the first item of a plain dict takes longer the more were deleted before it
Waiting = OrderedDict[Propagator, None]


class DomainStore:
    """The live values of each variable, as a bit mask over its initial domain."""

    def __init__(self, domains: Mapping[Variable, Domain], check: Callable[[], None]) -> None:
        self.check = check  # raises Stopped when the time is up
        self.values: dict[Variable, Domain] = {}
        self.masks: dict[Variable, int] = {}
        # the rule of the running propagator, for the message if a domain becomes empty
        self.origin: Origin | None = None
        self._read_by_bit = VALUES_READ_BY_BIT
        self._codes: dict[int, dict[Value, int]] = {}
        self._columns: dict[int, Column] = {}
        self._ascending: dict[int, Sequence[int]] = {}
        # each with the mask of a literal, or 0
        self._watchers: dict[Variable, list[tuple[Propagator, int]]] = {}
        self.changed = False  # whether a value was removed
        # filed under what they watch when the next domain changes
        self._unfiled: list[Propagator] = []
        # cheap ones, costly ones
        self._waiting: tuple[Waiting, Waiting] = (OrderedDict(), OrderedDict())
        for variable, values in domains.items():
            self.add(variable, values)

    def add(self, variable: Variable, values: Domain) -> None:
        """Add a variable with all of these values live."""
        self.values[variable] = values
        self.masks[variable] = (1 << len(values)) - 1
        if not values:
            raise Inconsistent(variable, self.origin)

    def codes(self, variable: Variable) -> Mapping[Value, int]:
        """Return the position of each value in the variable's initial domain."""
        values = self.values[variable]
        if id(values) not in self._codes:
            self._codes[id(values)] = {value: code for code, value in enumerate(values)}
        return self._codes[id(values)]

    def column(self, variable: Variable) -> Column:
        """Return the variable's initial domain as an array."""
        values = self.values[variable]
        if id(values) not in self._columns:
            self._columns[id(values)] = column_of(values)
        return self._columns[id(values)]

    def ascending(self, variable: Variable) -> Sequence[int]:
        """Return the numbers of the initial domain if they come first and in ascending order, else
        nothing.
        """
        values = self.values[variable]
        if id(values) not in self._ascending:
            self._ascending[id(values)] = _ascending(values)
        return self._ascending[id(values)]

    def live_values(self, variable: Variable) -> Domain:
        """Return the live values, in order."""
        values = self.values[variable]
        mask = self.masks[variable]
        if mask == (1 << len(values)) - 1:
            return values
        if mask.bit_count() == 1:
            return (values[mask.bit_length() - 1],)
        if len(values) <= self._read_by_bit:
            return tuple(value for code, value in enumerate(values) if mask >> code & 1)
        return tuple(value for value, alive in zip(values, self.alive(variable).tolist()) if alive)

    def size(self, variable: Variable) -> int:
        """Return the number of live values."""
        return self.masks[variable].bit_count()

    def fixed(self, variable: Variable) -> bool:
        """Return whether only one value is live."""
        mask = self.masks[variable]
        return not mask & (mask - 1)

    def alive(self, variable: Variable) -> NDArray[np.bool_]:
        """Return the mask as an array, one bool per value."""
        count = len(self.values[variable])
        mask = self.masks[variable].to_bytes((count + 7) // 8, "little")
        raw = np.frombuffer(mask, dtype=np.uint8)
        return np.unpackbits(raw, bitorder="little", count=count).astype(bool)

    def bit(self, variable: Variable, value: Value) -> int:
        """Return the mask of one value; 0 if it is not in the initial domain."""
        code = self.codes(variable).get(value)
        return 0 if code is None else 1 << code

    def bits(self, literals: Iterable[tuple[Variable, Value]]) -> list[tuple[Variable, int]]:
        """Return each variable with the mask of its value."""
        masked = []
        values: Domain | None = None
        codes: Mapping[Value, int] = {}
        for variable, value in literals:
            if self.values[variable] is not values:
                values = self.values[variable]
                codes = self.codes(variable)
            masked.append((variable, 1 << codes[value] if value in codes else 0))
        return masked

    def restrict(self, variable: Variable, mask: int) -> None:
        """Keep only the values in the mask, and wake the propagators that watch the variable."""
        old = self.masks[variable]
        new = old & mask
        if new == old:
            return
        self.masks[variable] = new
        self.changed = True
        if not new:
            raise Inconsistent(variable, self.origin)
        if self._unfiled:
            self._file_watchers()
        gone = old ^ new
        for propagator, bit in self._watchers.get(variable, ()):
            if not bit or gone & bit or new == bit:
                self._waiting[propagator.costly][propagator] = None

    def keep(self, variable: Variable, alive: NDArray[np.bool_]) -> int:
        """Do `restrict` with the mask as an array, and return the mask as bits."""
        mask = bits_of(alive)
        self.restrict(variable, mask)
        return mask

    def watch_changes(self, propagator: Propagator) -> None:
        """Queue the propagator whenever a variable that it watches changes, but not now."""
        self._unfiled.append(propagator)

    def watch(self, propagator: Propagator) -> None:
        """Queue the propagator now, and whenever a variable that it watches changes."""
        self.watch_changes(propagator)
        self._waiting[propagator.costly][propagator] = None

    def _file_watchers(self) -> None:
        unfiled, self._unfiled = self._unfiled, []
        for propagator in unfiled:
            for watched in dict.fromkeys(propagator.watched):
                variable, bit = watched if isinstance(watched, tuple) else (watched, 0)
                self._watchers.setdefault(variable, []).append((propagator, bit))

    def watchers(self) -> dict[Variable, int]:
        """Return how many propagators watch each variable."""
        self._file_watchers()
        return {variable: len(watchers) for variable, watchers in self._watchers.items()}

    def reset(self, masks: Mapping[Variable, int], watchers: Mapping[Variable, int]) -> None:
        """Go back to these masks, watched by as many propagators as before. None is waiting."""
        self.masks = dict(masks)
        self._unfiled.clear()
        for waiting in self._waiting:
            waiting.clear()
        for variable, propagators in self._watchers.items():
            del propagators[watchers.get(variable, 0) :]

    def propagate_to_fixpoint(self) -> None:
        """Run propagators until none is queued: all are at a fixpoint.

        A queue as in AC-3 (Mackworth, "Consistency in networks of relations", 1977), of propagators
        instead of arcs, the cheap ones first.
        """
        quick, costly = self._waiting
        while waiting := quick or costly:
            self.check()
            propagator, _ = waiting.popitem(last=False)
            self.origin = propagator.origin
            propagator.run(self)
        self.origin = None

    def follow(
        self,
        masks: dict[Variable, int],
        variable: Variable,
        mask: int,
        also: Iterable[Propagator] = (),
    ) -> bool:
        """Restrict one more variable from these masks on, which must be a fixpoint, and propagate.

        Returns False if a domain becomes empty. The masks are not changed, so that a caller who
        keeps them can come back to them.
        """
        self.masks = dict(masks)
        try:
            self.restrict(variable, mask)
            for propagator in also:
                self._waiting[propagator.costly][propagator] = None
            self.propagate_to_fixpoint()
        except Inconsistent:
            for waiting in self._waiting:
                waiting.clear()
            return False
        return True


def _ascending(values: Domain) -> Sequence[int]:
    """Return the numbers if they come first and in ascending order, else nothing."""
    numbers = [int(value) for value in takewhile(lambda value: isinstance(value, int), values)]
    if any(isinstance(value, int) for value in values[len(numbers) :]):
        return ()
    if any(number >= following for number, following in pairwise(numbers)):
        return ()
    return numbers
