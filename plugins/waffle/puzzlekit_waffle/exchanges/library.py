"""The exchanges library: what a puzzle type can use."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from puzzlekit.boards import Arc, Cell, Cycle, Grid
from puzzlekit.errors import InputError, Stopped
from puzzlekit.lang import (
    Aim,
    ExpressionError,
    Functions,
    Library,
    ValueType,
    VariableArray,
    display_text,
    fixed_arcs,
)
from puzzlekit.model import Variable
from puzzlekit_waffle.exchanges.cycle_packing import BestCycles, best_cycles, most_cycles

C = TypeVar("C")


class Exchange(NamedTuple):
    """An exchange of the symbols of two cells, with the symbol of each before it.

    Examples:
        >>> str(Exchange(Cell(1, 2), "t", Cell(3, 4), "e"))
        'r1c2 T ↔ r3c4 E'
    """

    first: Cell
    symbol: Any
    second: Cell
    second_symbol: Any

    def __str__(self) -> str:
        first_symbol, second_symbol = _symbol_text(self.symbol), _symbol_text(self.second_symbol)
        return f"{self.first} {first_symbol} ↔ {self.second} {second_symbol}"


def _symbol_text(symbol: Any) -> str:
    text = str(symbol)
    is_letter = len(text) == len(text.upper()) == 1
    return text.upper() if is_letter else text


def fewest_exchanges(start: Mapping[C, Any], target: Mapping[C, Any]) -> int:
    """Return the fewest exchanges that turn `start` into `target`.

    They are the number of cells that change minus the most cycles of their arcs.

    Raises:
        Stopped: The number could not be proven.

    Examples:
        >>> fewest_exchanges({1: "a", 2: "b", 3: "c", 4: "d"}, {1: "b", 2: "c", 3: "a", 4: "d"})
        2
    """
    arcs = []
    for cell, symbol in start.items():
        if symbol != target[cell]:
            arcs.append((symbol, target[cell]))
    cut = most_cycles(arcs)
    if not cut.proven:
        raise Stopped("the least number of exchanges could not be proven")
    return len(arcs) - len(cut.cycles)


def exchanges(
    start: Mapping[Cell, Any], target: Mapping[Cell, Any], cycles: Iterable[Cycle]
) -> tuple[Exchange, ...]:
    """List the exchanges that turn `start` into `target` along the cycles.

    Args:
        start: The symbol of each cell before.
        target: The symbol of each cell after.
        cycles: Cycles of arcs (symbol before, symbol after). Each cell that changes lies on one.

    Returns:
        The exchanges in order. Each puts at least one symbol into its place; a cycle of k arcs
        takes k − 1 exchanges.

    Raises:
        InputError: The cycles do not turn `start` into `target`.
    """
    waiting: dict[Arc, deque[Cell]] = {}
    for cell, symbol in start.items():
        if symbol != target[cell]:
            waiting.setdefault((symbol, target[cell]), deque()).append(cell)
    symbols = dict(start)
    steps = []
    for cycle in cycles:
        if not all(waiting.get(arc) for arc in cycle):
            raise InputError("these cycles do not turn one board into the other")
        cells = [waiting[arc].popleft() for arc in cycle]
        for here, there in itertools.pairwise(cells):
            steps.append(Exchange(here, symbols[here], there, symbols[there]))
            symbols[here], symbols[there] = symbols[there], symbols[here]
    if symbols != dict(target):
        raise InputError("these cycles do not turn one board into the other")
    return tuple(steps)


class Exchanges(Functions):
    """Functions that turn one board into another by exchanging two cells at a time."""

    def best_cycles(self, arcs: Any) -> BestCycles:
        """Return the cycles of all cuts of the arcs into the most cycles, and perhaps others."""
        cycles = best_cycles(fixed_arcs(self.interpreter, arcs))
        self.interpreter.spend(sum(map(len, cycles)))
        return cycles

    def known_best(self, goal: Any, bound: int, start: Any = None) -> Aim:
        """Add to a goal a bound that no solution beats, and a first solution to start from."""
        if not isinstance(goal, Aim):
            raise ExpressionError(
                f"expected minimise(…) or maximise(…) as the goal, got {display_text(goal)}"
            )
        least = self.interpreter.whole_number(bound, "the bound of a goal")
        if start is None:
            return replace(goal, bound=least)
        pairs = self.items(start)
        if not all(map(_is_pair, pairs)):
            raise ExpressionError("expected pairs of an unknown and its value as the start")
        unknowns = [unknown for unknown, _ in pairs]
        values = self.interpreter.require_fixed(tuple(value for _, value in pairs), "a value")
        return replace(goal, bound=least, start=dict(zip(unknowns, values)))

    def exchanges(self, start: Grid, target: Grid, cycles: Any) -> tuple[Exchange, ...]:
        """Return the exchanges that turn one board into the other along (before, after) cycles."""
        target_grid = target
        if isinstance(target, VariableArray) and target.over_cells():
            target_grid = target.as_grid()
        are_boards = isinstance(start, Grid) and isinstance(target_grid, Grid)
        if not are_boards or set(start.cells) != set(target_grid.cells):
            raise ExpressionError("exchanges require two boards with the same cells")
        fixed_cycles = self.interpreter.require_fixed(self.items(cycles), "a cycle")
        if not all(isinstance(cycle, Cycle) for cycle in fixed_cycles):
            raise ExpressionError("the cycles must come from simple_cycles")
        self.interpreter.spend(2 * len(start) + sum(map(len, fixed_cycles)))
        fixed_target = self.interpreter.require_fixed(target_grid, "a board")
        return exchanges(start.values, fixed_target.values, fixed_cycles)


def _is_pair(pair: Any) -> bool:
    if type(pair) is not tuple or len(pair) != 2:
        return False
    return isinstance(pair[0], Variable)


def _numbered_lines(steps: Sequence[Any]) -> Any:
    """Return the numbered exchanges, one per line."""
    from puzzlekit.scene import TextSpan  # when something is drawn

    lines = []
    for number, step in enumerate(steps, 1):
        span = TextSpan(f"{number:>4}  {step}")
        lines.append([span])
    return lines


LIBRARY = Library(
    "exchanges",
    functions=(Exchanges,),
    value_types=(
        ValueType(BestCycles, ("cut", "bound", "uniform")),
        ValueType(
            Exchange,
            display=str,
            json=lambda step: [str(step.first), str(step.second)],
            row_picture=_numbered_lines,
            single=True,
        ),
    ),
)
