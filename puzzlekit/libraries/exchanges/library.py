"""The exchanges library, as types use it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from puzzlekit.boards import Cycle, Grid
from puzzlekit.lang.expressions.value_types import ValueType
from puzzlekit.lang.expressions.values import ExpressionError, Family, shown
from puzzlekit.lang.functions.connectivity import known_arcs
from puzzlekit.lang.functions.function_group import Functions
from puzzlekit.lang.functions.goals import Aim
from puzzlekit.lang.library import Library
from puzzlekit.libraries.exchanges.cycle_packing import BestCycles, best_cycles
from puzzlekit.libraries.exchanges.exchange import Exchange, exchanges
from puzzlekit.model import Variable


class Exchanges(Functions):
    """Ways from one board to another by exchanges of two cells, the fewest first."""

    def best_cycles(self, arcs: Any) -> BestCycles:
        """The cycles that a cut of the arcs into the most cycles can have, those of one such cut first."""
        cycles = best_cycles(known_arcs(self.runtime, arcs))
        self.runtime.spend(sum(map(len, cycles)))
        return cycles

    def known_best(self, goal: Any, bound: int, start: Any = None) -> Aim:
        """The goal, of which no solution is better than the bound; `start` is a solution that may be as good."""
        if not isinstance(goal, Aim):
            raise ExpressionError(f"expected minimise(…) or maximise(…) as the goal, got {shown(goal)}")
        least = self.runtime.whole(bound, "the bound of a goal")
        if start is None:
            return replace(goal, bound=least)
        pairs = self.items(start)
        if not all(type(pair) is tuple and len(pair) == 2 and isinstance(pair[0], Variable) for pair in pairs):
            raise ExpressionError("expected pairs of an unknown and its value as the start")
        values = self.runtime.known(tuple(value for _, value in pairs), "a value")
        return replace(goal, bound=least, start=dict(zip((unknown for unknown, _ in pairs), values)))

    def exchanges(self, start: Grid, target: Grid, cycles: Any) -> tuple[Exchange, ...]:
        """The exchanges of two cells, in order, that lead from one board to the other along cycles of (stands, belongs)."""
        ready = target.as_grid() if isinstance(target, Family) and target.over_cells() else target
        if not isinstance(start, Grid) or not isinstance(ready, Grid) or set(start.cells) != set(ready.cells):
            raise ExpressionError("exchanges require two boards with the same cells")
        walked = self.runtime.known(self.items(cycles), "a cycle")
        if not all(isinstance(cycle, Cycle) for cycle in walked):
            raise ExpressionError("the cycles must come from simple_cycles")
        self.runtime.spend(2 * len(start) + sum(map(len, walked)))
        return exchanges(start.values, self.runtime.known(ready, "a board").values, walked)


def _listed(steps: Sequence[Any]) -> Any:
    """Exchanges, numbered, a line each."""
    from puzzlekit.render.picture import Spot

    return [[Spot(f"{number:>4}  {step}")] for number, step in enumerate(steps, 1)]


LIBRARY = Library(
    "exchanges",
    functions=(Exchanges,),
    value_types=(
        ValueType(BestCycles, ("through", "of", "cut", "bound", "uniform")),
        ValueType(
            Exchange,
            shown=str,
            json=lambda step: [str(step.first), str(step.second)],
            listed=_listed,
            single=True,
        ),
    ),
)
