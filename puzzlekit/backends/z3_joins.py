"""Conjunctions, disjunctions and pseudo-boolean constraints in Z3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import z3

from puzzlekit.errors import Unsupported

LARGEST = 2**31 - 1  # the largest sum of weights that z3 can hold
TRUE, FALSE = z3.BoolVal(True), z3.BoolVal(False)


def conjunction(parts: Sequence[Any]) -> Any:
    return _join(z3.Z3_mk_and, [part for part in parts if part is not TRUE], TRUE, FALSE)


def disjunction(parts: Sequence[Any]) -> Any:
    return _join(z3.Z3_mk_or, [part for part in parts if part is not FALSE], FALSE, TRUE)


def _join(make: Any, parts: Sequence[Any], none: Any, decided: Any) -> Any:
    """Call Z3's C function directly: its Python layer takes most of the time of a large model."""
    if len(parts) < 2:
        return parts[0] if parts else none
    if any(part is decided for part in parts):
        return decided
    context = TRUE.ctx
    return z3.BoolRef(make(context.ref(), len(parts), (z3.Ast * len(parts))(*(part.as_ast() for part in parts))), context)


def bounded(pairs: Sequence[tuple[Any, int]], constant: int, low: int | None, high: int | None) -> Any:
    """Return low ≤ Σ weight · condition + constant ≤ high.

    For a negative weight, the negated condition is counted.
    """
    shift = constant + sum(weight for _, weight in pairs if weight < 0)
    positive = [(holds if weight > 0 else z3.Not(holds), abs(weight)) for holds, weight in pairs if weight]
    return between(positive, None if low is None else low - shift, None if high is None else high - shift)


def between(pairs: Sequence[tuple[Any, int]], low: int | None, high: int | None) -> Any:
    """Return low ≤ Σ weight · condition ≤ high, for positive weights.

    Raises Unsupported for sums that z3 cannot hold in this form.
    """
    pairs = [pair for pair in pairs if pair[0] is not FALSE]
    total = sum(weight for _, weight in pairs)
    if total > LARGEST:
        raise Unsupported(f"sums of {LARGEST:,} and more")
    if low is not None and low > (total if high is None else min(high, total)):
        return FALSE
    if high is not None and high < 0:
        return FALSE
    if low is not None and low == high and pairs:
        return z3.PbEq(list(pairs), low)
    facts = []
    if low is not None and low > 0:
        clause = all(weight >= low for _, weight in pairs)
        facts.append(disjunction([holds for holds, _ in pairs]) if clause else z3.PbGe(list(pairs), low))
    if high is not None and high < total:
        facts.append(z3.PbLe(list(pairs), high))
    return conjunction(facts)
