"""Sums as equations, with the values that are known."""

from __future__ import annotations

from collections.abc import Callable

from puzzlekit.model import Value, Variable
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.joined_sums import sum_of

FEWEST_TERMS = 3


def equation_of(
    rule: GroundRule,
    name: Callable[[Variable], str],
    value: Callable[[Variable], Value | None],
    is_derived: bool = False,
) -> str:
    """Return the equation that a rule states; empty if it states none of unknowns with names.

    Args:
        rule: The rule.
        name: Returns the name of an unknown; empty if it has none.
        value: Returns the value of an unknown; None if that is not known.
        is_derived: Whether it is a sum that follows from others: it may have two unknowns, and
            what is 0 is left out.
    """
    condition = sum_of(rule)
    if condition is None:
        return ""
    if len(condition.weighted) < FEWEST_TERMS and not is_derived:
        return ""
    assert condition.low is not None
    left: list[str] = []
    right: list[str] = []
    constant = condition.low
    for weight, unknown in condition.weighted:
        text = name(unknown)
        fixed = value(unknown)
        if not text:
            return ""
        if fixed is None:
            side = left if weight > 0 else right
            side.append(_product(abs(weight), text))
            continue
        product = weight * int(fixed)
        if weight < 0:
            constant -= product
        elif product or not is_derived:
            left.append(str(product))
    if constant < 0:
        left.append(str(-constant))
    elif constant or not right:
        right.insert(0, str(constant))
    left_side = " + ".join(left) or "0"
    right_side = " + ".join(right) or "0"
    return f"{left_side} = {right_side}"


def _product(weight: int, name: str) -> str:
    return name if weight == 1 else f"{weight} × {name}"
