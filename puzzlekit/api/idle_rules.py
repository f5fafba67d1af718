"""Rules of a type that never or always hold on sample boards, by trying all values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from puzzlekit.api.puzzle import Puzzle
from puzzlekit.model import Constraint, Model, variables_of

COMBINATIONS = 1_000  # of values of one condition; one with more is left out
CONDITIONS = 50  # of a rule on a board; a rule with more is left out


def idle_rules(boards: Sequence[Puzzle]) -> list[str]:
    """Return a remark on each rule that never holds, or that holds whatever the values are.

    A rule is reported only if this is true of all its conditions, on each board on which it has
    some. A single condition that cannot hold is usually an error of the board, not of the rule.
    """
    outcomes: dict[str, set[str]] = {}
    for board in boards:
        for rule in board.rules():
            if rule.constraints:
                outcome = _outcome(rule.constraints, board.model)
                outcomes.setdefault(rule.name, set()).add(outcome)
    remarks = []
    for name, seen in outcomes.items():
        if seen == {"never"}:
            remarks.append(f"on the boards that were tried, this rule can never hold: {name}")
        elif seen == {"always"}:
            remarks.append(f"on the boards that were tried, this rule always holds: {name}")
    return remarks


def _outcome(constraints: Sequence[Constraint], model: Model) -> str:
    """Return whether constraints hold `always`, each of them `never`, or `sometimes`."""
    if len(constraints) > CONDITIONS:
        return "sometimes"
    outcomes = {_truth(constraint, model) for constraint in constraints}
    return outcomes.pop() if len(outcomes) == 1 else "sometimes"


def _truth(constraint: Constraint, model: Model) -> str:
    """Return whether a constraint is true for all values of its unknowns, none, or some."""
    unknowns = list(variables_of(constraint.condition))
    domains = [model.domains[unknown] for unknown in unknowns]
    if prod(map(len, domains)) > COMBINATIONS:
        return "sometimes"
    truths = {
        bool(constraint.condition.value(dict(zip(unknowns, chosen))))
        for chosen in product(*domains)
    }
    if truths == {False}:
        return "never"
    return "always" if truths == {True} else "sometimes"
