"""What presolve takes away from a model, rule by rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from puzzlekit.model import Constraint, Model, Table
from puzzlekit.presolve.domains import Contradiction, no_clock
from puzzlekit.presolve.presolve import presolved_state
from puzzlekit.presolve.residual import residual, rewritten
from puzzlekit.presolve.split import split
from puzzlekit.query import Presolve


@dataclass(frozen=True)
class RuleReport:
    """The conditions of one rule: `conditions` is the sum of `hold`, `joined` and `left`.

    Attributes:
        rule: The rule, as the type states it.
        conditions: Its conditions before presolve.
        hold: Those that hold for all values that are left.
        joined: Those that became columns of a table, or cut its rows, for good.
        left: Those that a backend gets, as they were or smaller.
        rows: The rows of its tables before presolve.
        rows_left: The rows of its tables that a backend gets, those of its functions included.
    """

    rule: str
    conditions: int
    hold: int
    joined: int
    left: int
    rows: int
    rows_left: int


@dataclass(frozen=True)
class PresolveReport:
    """What presolve takes away.

    Attributes:
        level: The level of presolve.
        unknowns: The unknowns of the puzzle.
        fixed: Those with one value left.
        values: The values of all unknowns together.
        removed: Those that are gone.
        parts: The independent parts that are left to search.
        rules: The rules, in the order of the type.
        conflict: Why there is no solution, if presolve proves that; nothing else is counted then.
    """

    level: Presolve
    unknowns: int
    fixed: int
    values: int
    removed: int
    parts: int
    rules: tuple[RuleReport, ...]
    conflict: str = ""


def presolve_report(model: Model, level: Presolve, check: Callable[[], None] = no_clock) -> PresolveReport:
    """Presolve a model, and report what that takes away. Raises what `presolve` raises otherwise."""
    values = sum(map(len, model.domains.values()))
    try:
        state = presolved_state(model, check, level)
        after = rewritten(state) if level is Presolve.NONE else residual(state)
    except Contradiction as conflict:
        return PresolveReport(level, len(model.domains), 0, values, 0, 0, (), str(conflict))
    kept = [len(after.domains[variable]) for variable in model.domains]
    parts = 1 if level is Presolve.NONE else sum(bool(part.constraints) for part in split(after)[1])
    joined = {constraint.origin for constraint in state.joined}
    left = {constraint.origin for constraint in after.constraints}
    rules = []
    for rule in dict.fromkeys(constraint.origin.rule for constraint in model.constraints):
        mine = [constraint for constraint in model.constraints if constraint.origin.rule == rule]
        there = sum(constraint.origin in left for constraint in mine)
        inside = sum(constraint.origin in joined - left for constraint in mine)
        rest = [constraint for constraint in after.constraints if constraint.origin.rule == rule]
        rules.append(RuleReport(rule, len(mine), len(mine) - there - inside, inside, there, _rows(mine), _rows(rest)))
    return PresolveReport(level, len(kept), kept.count(1), values, values - sum(kept), parts, tuple(rules))


def _rows(constraints: list[Constraint]) -> int:
    return sum(len(constraint.condition.rows) for constraint in constraints if isinstance(constraint.condition, Table))
