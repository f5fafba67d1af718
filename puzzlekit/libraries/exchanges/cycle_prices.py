"""Arc prices at which no cycle costs less than 1: the dual of cutting arcs into the most cycles.

In every cut, the cycles cost together what the arcs cost. As each cycle costs at least 1, there are
no more cycles than the total price. The simplex method minimises that total and generates cycles as
columns on demand: the cheapest cycle at the current prices is a shortest closed walk. The prices
are then rounded to whole numbers and the bound is computed from those, so that no proof relies on
floating-point numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Graph = dict[int, dict[int, int]]  # how often each arc occurs, by tail and head
Loop = tuple[int, ...]  # the nodes of a cycle, in order
FINE = 1 << 30  # the whole number that stands for the price 1
SMALL = 1e-9  # tolerance of the simplex
APART = 1e-6  # perturbation of the right-hand side, so that the simplex does not cycle
PIVOT = 20  # steps that a pivot costs beside its matrix; a step is about a microsecond


class WorkDoneError(Exception):
    """Raised when the steps of a search are used up."""


class Work:
    """A budget of steps."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int = 1) -> None:
        """Count steps, and raise WorkDoneError when none are left."""
        self.left -= steps
        if self.left < 0:
            raise WorkDoneError


def arcs_of(graph: Graph) -> Iterator[tuple[int, int, int]]:
    """The distinct arcs as (tail, head, multiplicity)."""
    return ((tail, head, number) for tail, row in graph.items() for head, number in row.items())


class Prices:
    """Whole-number prices of the arcs of a graph.

    Every cycle costs at least `least`; all arcs together cost `cost`. The total is minimal, or low
    enough to prove that no cut has more than `enough` cycles.

    Raises WorkDoneError if the work is used up first.
    """

    def __init__(self, graph: Graph, work: Work, enough: int = 0) -> None:
        self.work = work
        self.nodes = list(graph)
        number = {node: place for place, node in enumerate(self.nodes)}
        arcs = [(number[tail], number[head], often) for tail, head, often in arcs_of(graph)]
        self.tails, self.heads, self.often = (np.array(part) for part in zip(*arcs))
        self.at = {(tail, head): place for place, (tail, head, _) in enumerate(arcs)}
        self.loops_known: dict[frozenset[int], Loop] = {}
        self.shares: dict[frozenset[int], float] = {}
        prices = self._simplex(enough)
        self.prices = np.ceil(np.maximum(prices, 0) * FINE).astype(np.int64)
        self.apart, _ = self._distances(self.prices)
        self.least = int((self.prices + self.apart[self.heads, self.tails]).min())
        self.cost = int(self.often @ self.prices)

    @property
    def bound(self) -> int:
        """An upper bound on the number of cycles in a cut."""
        return self.cost // self.least

    def price(self, loop: Loop) -> int:
        """The price of a cycle."""
        return sum(int(self.prices[place]) for place in self._arcs(loop))

    def share(self, loop: Loop) -> float:
        """The value of a cycle in the fractional optimum."""
        return self.shares.get(self._arcs(loop), 0.0)

    def _arcs(self, loop: Loop) -> frozenset[int]:
        places = [self.nodes.index(node) for node in loop]
        return frozenset(self.at[arc] for arc in pairwise((*places, places[0])))

    def loops(self, slack: int) -> Iterator[Loop]:
        """The cycles that cost at most `least` plus this slack, each from its least node."""
        limit = self.least + slack
        prices = self.prices.tolist()
        apart = self.apart.tolist()
        heads: list[list[tuple[int, int]]] = [[] for _ in self.nodes]
        for (tail, head), place in self.at.items():
            heads[tail].append((head, prices[place]))
        for start in range(len(self.nodes)):
            path = {start: 0}  # the cost of reaching each node
            walk = [iter(heads[start])]
            while walk:
                cost = next(reversed(path.values()))
                for head, price in walk[-1]:
                    self.work.spend()
                    if head == start and cost + price <= limit:
                        yield tuple(self.nodes[place] for place in path)
                    elif head > start and head not in path and cost + price + apart[head][start] <= limit:
                        path[head] = cost + price
                        walk.append(iter(heads[head]))
                        break
                else:
                    walk.pop()
                    path.popitem()

    def _simplex(self, enough: int) -> NDArray[np.float64]:
        """The dual prices of the fractional cycle packing, by the simplex method."""
        size = len(self.at)
        inverse = np.eye(size)
        left = self.often + APART * (np.arange(1, size + 1) * 0.618034 % 1 + 0.1)
        basis: list[int] = [-1] * size  # the cycle of each row; -1 for the slack of an arc
        worth = np.zeros(size)
        prices = np.zeros(size)
        cycles = np.zeros((0, size))
        known: list[frozenset[int]] = []
        while True:
            gains = 1 - cycles @ prices
            place = int(gains.argmax()) if len(gains) else -1
            arc = int(prices.argmin())
            if place >= 0 and gains[place] > SMALL and gains[place] >= -prices[arc]:
                column, gain = inverse @ cycles[place], 1.0
            elif prices[arc] < -SMALL:
                column, gain, place = inverse[:, arc].copy(), 0.0, -1
            else:
                made, cheapest = self._cheap(np.maximum(prices, 0), {*known})
                if not made or self.often @ np.maximum(prices, 0) < (enough + 1 - 1e-6) * (cheapest - SMALL * size):
                    break
                cycles = np.vstack([cycles, *(self._row(loop) for loop in made)])
                known.extend(made)
                continue
            self.work.spend(PIVOT + size * size // 200)
            ratio = np.full(size, np.inf)
            np.divide(left, column, out=ratio, where=column > SMALL)
            row = int(ratio.argmin())
            inverse[row] /= column[row]
            left[row] /= column[row]
            column[row] = 0
            inverse -= np.outer(column, inverse[row])
            left -= column * left[row]
            basis[row], worth[row] = place, gain
            prices = worth @ inverse
        self.shares = {known[place]: float(share) for place, share in zip(basis, left) if place >= 0}
        return prices

    def _row(self, loop: frozenset[int]) -> NDArray[np.float64]:
        row = np.zeros((1, len(self.at)))
        row[0, list(loop)] = 1
        return row

    def _cheap(self, prices: NDArray[np.float64], known: set[frozenset[int]]) -> tuple[list[frozenset[int]], float]:
        """New cycles that cost less than 1, a cheapest one per arc, and the least cost of all."""
        apart, onward = self._distances(prices + SMALL)
        costs = prices + apart[self.heads, self.tails]
        made: dict[frozenset[int], None] = {}
        for place in np.flatnonzero(costs < 1 - 1e-7):
            start, node = int(self.tails[place]), int(self.heads[place])
            arcs = [int(place)]
            while node != start and len(arcs) <= len(self.nodes):
                further = int(onward[node, start])
                arcs.append(self.at[node, further])
                node = further
            loop = frozenset(arcs)
            if loop not in known:
                made[loop] = None
        return list(made), float(costs.min())

    def _distances(self, prices: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
        """Distances between all nodes, and the next node on a shortest path (Floyd–Warshall)."""
        size = len(self.nodes)
        self.work.spend(size * (10 + size * size // 500))
        apart = np.full((size, size), 1 << 60 if prices.dtype.kind == "i" else np.inf, dtype=prices.dtype)
        onward = np.full((size, size), -1)
        apart[self.tails, self.heads] = prices
        onward[self.tails, self.heads] = self.heads
        np.fill_diagonal(apart, 0)
        for middle in range(size):
            through = apart[:, middle, None] + apart[None, middle]
            shorter = through < apart
            apart = np.where(shorter, through, apart)
            onward = np.where(shorter, onward[:, middle, None], onward)
        return apart, onward
