"""Propagate a disjunction of conditions on one or two variables: what no condition allows is out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from puzzlekit.model import Or, Origin, Term, Variable
from puzzlekit.presolve.domains import Contradiction, Domains

Allowed = NDArray[np.bool_]


@dataclass(frozen=True)
class Alternative:
    """One of the conditions: its variables, one or two, and the combinations of codes it allows."""

    condition: Term
    variables: Sequence[Variable]
    allowed: Allowed

    def projections(self, domains: Domains) -> dict[Variable, Allowed]:
        """Return for each variable the live values that the condition allows."""
        alive = [domains.alive(variable) for variable in self.variables]
        if len(alive) == 1:
            return {self.variables[0]: self.allowed & alive[0]}
        one, other = alive
        left = self.allowed[:, other].any(axis=1) & one
        right = self.allowed[one].any(axis=0) & other
        return {self.variables[0]: left, self.variables[1]: right}

    def holds(self, domains: Domains) -> bool:
        """Return whether the condition holds for all live values."""
        return bool(self.allowed[np.ix_(*(domains.alive(variable) for variable in self.variables))].all())


class AlternativesPropagator:
    """At least one of the alternatives holds: a value stays if an alternative allows it."""

    costly = True

    def __init__(self, alternatives: Sequence[Alternative], origin: Origin) -> None:
        self.alternatives = list(alternatives)
        self.origin: Origin | None = origin
        self.watched: Iterable[Variable] = dict.fromkeys(v for one in alternatives for v in one.variables)

    def run(self, domains: Domains) -> None:
        found = [(one, one.projections(domains)) for one in self.alternatives]
        found = [(one, kept) for one, kept in found if all(values.any() for values in kept.values())]
        self.alternatives = [one for one, _ in found]
        if not found:
            raise Contradiction(next(iter(self.watched), None), self.origin)
        for variable in found[0][1]:
            if all(variable in kept for _, kept in found):
                domains.keep(variable, np.any([kept[variable] for _, kept in found], axis=0))

    def rest(self, domains: Domains) -> Term | None:
        """Return the condition without alternatives that cannot hold; None if one always holds."""
        if any(one.holds(domains) for one in self.alternatives):
            return None
        left = tuple(one.condition for one in self.alternatives)
        return Or(left) if len(left) > 1 else left[0]
