"""Bounds of the work of a solver of python-sat in its next calls."""

from __future__ import annotations

import sys
import time
from typing import Any

# python-sat reads a bound as a C long into a variable of 64 bits that it does not initialise. Where
# a long has 32 bits, the upper half is what the stack held before, which `gmtime` leaves zero: it
# fills the same part of the stack with its fields.
_IS_NARROW = sys.platform == "emscripten"
NONE = -1  # for no bound


def bound_conflicts(solver: Any, most: int) -> None:
    """Bound the conflicts of the next calls. NONE also lifts a bound of propagations."""
    if _IS_NARROW:
        time.gmtime(0)
    solver.conf_budget(most)
    if most == NONE and _IS_NARROW:
        bound_propagations(solver, NONE)


def bound_propagations(solver: Any, most: int) -> None:
    """Bound the propagations of the next calls."""
    if _IS_NARROW:
        time.gmtime(0)
    solver.prop_budget(most)
