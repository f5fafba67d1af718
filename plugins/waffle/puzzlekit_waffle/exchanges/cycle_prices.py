"""Arc prices at which no cycle costs less than 1: the dual of cutting arcs into the most cycles.

In every cut, the cycles cost together what the arcs cost. As each cycle costs at least 1, there are
no more cycles than the total price. The simplex method minimises that total and generates cycles as
columns on demand: the cheapest cycle at the current prices is a shortest closed walk. The prices
are then rounded to whole numbers and the bound is computed from those, so that no proof relies on
floating-point numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from puzzlekit.clock import check
from puzzlekit.errors import InputError

Often: TypeAlias = Mapping[tuple[int, int], int]  # how often each arc (tail, head) occurs
Loop: TypeAlias = tuple[int, ...]  # the nodes of a cycle, in order
FINE = 1 << 30  # the whole number that stands for the price 1
SMALL = 1e-9  # tolerance of the simplex
APART = 1e-6  # perturbation of the right-hand side, so that the simplex does not cycle
PIVOT = 20  # steps that a pivot costs beside its matrix; a step is about a microsecond


class WorkDoneError(InputError):
    """Raised when the steps of a search are used up."""


class Work:
    """A budget of steps."""

    def __init__(self, steps: int) -> None:
        self.steps = self.left = steps

    def spend(self, steps: int = 1) -> None:
        """Count steps.

        Raises WorkDoneError when none are left, and Stopped when the time is up.
        """
        check()
        self.left -= steps
        if self.left < 0:
            raise WorkDoneError(f"finding the best cycles takes more than {self.steps:,} steps")


class CyclePrices:
    """Whole-number prices of arcs at which every cycle costs at least `least`.

    All arcs together cost `cost`. It is minimal, or low enough to prove that no cut has more than
    `enough` cycles.

    Raises WorkDoneError if the work is used up first.
    """

    def __init__(self, often: Often, work: Work, enough: int = 0) -> None:
        self.work = work
        self.nodes = sorted({tail for tail, _ in often})
        numbers = {node: number for number, node in enumerate(self.nodes)}
        self.numbers: dict[tuple[int, int], int] = {}  # of arcs between numbered nodes
        for arc, (tail, head) in enumerate(often):
            self.numbers[numbers[tail], numbers[head]] = arc
        self.tails, self.heads = np.array([*self.numbers]).T
        self.often = np.array([*often.values()])
        self.shares: dict[Loop, float] = {}
        prices = self._simplex(enough)
        self.prices = np.ceil(np.maximum(prices, 0) * FINE).astype(np.int64)
        self.distances, _ = self._shortest_paths(self.prices)
        self.least = int((self.prices + self.distances[self.heads, self.tails]).min())
        self.cost = int(self.often @ self.prices)

    @property
    def bound(self) -> int:
        """The upper bound on the number of cycles in a cut."""
        return self.cost // self.least

    def loops(self, slack: int) -> Iterator[tuple[Loop, int, float]]:
        """Yield the cycles that cost at most `least` plus this slack, from their least node.

        With each, what it costs more than `least`, and its share in the fractional optimum.
        """
        prices = self.prices.tolist()
        heads: list[list[tuple[int, int]]] = [[] for _ in self.nodes]
        for (tail, head), arc in self.numbers.items():
            heads[tail].append((head, prices[arc]))
        for loop, cost in self._cheap_loops(heads, self.least + slack):
            named = tuple(map(self.nodes.__getitem__, loop))
            yield named, cost - self.least, self.shares.get(loop, 0.0)

    def _cheap_loops(
        self, heads: Sequence[Sequence[tuple[int, int]]], limit: int
    ) -> Iterator[tuple[Loop, int]]:
        """Yield the cycles that cost at most a limit, with their costs, by depth-first search.

        Args:
            heads: For each node, the heads of its arcs with the prices.
            limit: The limit.
        """
        distances = self.distances.tolist()
        for start in range(len(self.nodes)):
            path = {start: 0}  # the cost of reaching each node
            walk = [iter(heads[start])]
            while walk:
                cost = next(reversed(path.values()))
                for head, price in walk[-1]:
                    self.work.spend()
                    cost_after = cost + price
                    if head == start and cost_after <= limit:
                        yield tuple(path), cost_after
                        continue
                    is_new = head > start and head not in path
                    if is_new and cost_after + distances[head][start] <= limit:
                        path[head] = cost_after
                        walk.append(iter(heads[head]))
                        break
                else:
                    walk.pop()
                    path.popitem()

    def _simplex(self, enough: int) -> NDArray[np.float64]:
        """Return the dual prices of the fractional cycle packing, by the simplex method."""
        size = len(self.numbers)
        columns = np.eye(size)  # a row for the slack of each arc, then one for each cycle
        gains = np.zeros(size)  # 1 for a cycle
        row_of: dict[Loop, int] = {}  # the row of `columns` of each cycle
        basis = [-1] * size  # the row of `columns` that each row of the basis is
        inverse = np.eye(size)
        worth = np.zeros(size)
        prices = np.zeros(size)
        fractions = np.arange(1, size + 1) * 0.618034 % 1
        perturbation = APART * (fractions + 0.1)
        amounts = self.often + perturbation
        while True:
            excess = gains - columns @ prices
            entering = int(excess.argmax())
            if excess[entering] <= SMALL:
                prices = np.maximum(prices, 0)
                cheap_loops, cheapest = self._cheapest_loops(prices)
                new_loops = [loop for loop in cheap_loops if loop not in row_of]
                least = cheapest - SMALL * size
                limit = (enough + 1 - 1e-6) * least
                if not new_loops or self.often @ prices < limit:
                    shares = dict(zip(basis, amounts.tolist()))
                    self.shares = {
                        loop: shares[row] for loop, row in row_of.items() if row in shares
                    }
                    return prices
                row_of |= {loop: row for row, loop in enumerate(new_loops, len(columns))}
                columns = np.vstack([columns, self._columns_of(new_loops)])
                gains = np.append(gains, np.ones(len(new_loops)))
                continue
            self.work.spend(PIVOT + size * size // 200)
            column = inverse @ columns[entering]
            ratio = np.full(size, np.inf)
            np.divide(amounts, column, out=ratio, where=column > SMALL)
            row = int(ratio.argmin())
            inverse[row] /= column[row]
            amounts[row] /= column[row]
            column[row] = 0
            inverse -= np.outer(column, inverse[row])
            amounts -= column * amounts[row]
            basis[row] = entering
            worth[row] = gains[entering]
            prices = worth @ inverse

    def _columns_of(self, loops: Sequence[Loop]) -> NDArray[np.float64]:
        """Return for each cycle a row that has 1 for each of its arcs."""
        rows = np.zeros((len(loops), len(self.numbers)))
        for row, loop in zip(rows, loops):
            arcs = pairwise((*loop, loop[0]))
            row[[self.numbers[arc] for arc in arcs]] = 1
        return rows

    def _cheapest_loops(self, prices: NDArray[np.float64]) -> tuple[list[Loop], float]:
        """Return cycles that cost less than 1, a cheapest one per arc, and the least cost."""
        distances, next_nodes = self._shortest_paths(prices + SMALL)
        costs = prices + distances[self.heads, self.tails]
        loops: dict[Loop, None] = {}
        for arc in np.flatnonzero(costs < 1 - 1e-7):
            loop = [int(self.tails[arc])]
            node = int(self.heads[arc])
            while node != loop[0] and len(loop) < len(self.nodes):
                loop.append(node)
                node = int(next_nodes[node, loop[0]])
            start = loop.index(min(loop))
            loops[*loop[start:], *loop[:start]] = None
        return list(loops), float(costs.min())

    def _shortest_paths(self, prices: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
        """Return the distances between all nodes, and the next node on a shortest path
        (Floyd–Warshall).
        """
        size = len(self.nodes)
        self.work.spend(size * (10 + size * size // 500))
        infinity = 1 << 60 if prices.dtype.kind == "i" else np.inf
        distances = np.full((size, size), infinity, dtype=prices.dtype)
        next_nodes = np.full((size, size), -1)
        distances[self.tails, self.heads] = prices
        next_nodes[self.tails, self.heads] = self.heads
        np.fill_diagonal(distances, 0)
        for middle in range(size):
            through = distances[:, middle, None] + distances[None, middle]
            is_shorter = through < distances
            distances = np.where(is_shorter, through, distances)
            next_nodes = np.where(is_shorter, next_nodes[:, middle, None], next_nodes)
        return distances, next_nodes
