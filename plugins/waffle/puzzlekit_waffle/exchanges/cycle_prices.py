"""Arc prices at which no cycle costs less than 1: the dual of cutting arcs into the most cycles.

In every cut, the cycles cost together what the arcs cost. As each cycle costs at least 1, there are
no more cycles than the total price. The simplex method minimises that total and generates cycles as
columns on demand: the cheapest cycle at the current prices is a shortest closed walk. The prices
are then rounded to whole numbers and the bound is computed from those, so that no proof relies on
floating-point numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
        """Count steps, and raise WorkDoneError when none are left, and Stopped when the time is up."""
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
        number = {node: place for place, node in enumerate(self.nodes)}
        self.at = {(number[tail], number[head]): place for place, (tail, head) in enumerate(often)}
        self.tails, self.heads = np.array([*self.at]).T
        self.often = np.array([*often.values()])
        self.shares: dict[Loop, float] = {}
        prices = self._simplex(enough)
        self.prices = np.ceil(np.maximum(prices, 0) * FINE).astype(np.int64)
        self.apart, _ = self._distances(self.prices)
        self.least = int((self.prices + self.apart[self.heads, self.tails]).min())
        self.cost = int(self.often @ self.prices)

    @property
    def bound(self) -> int:
        """An upper bound on the number of cycles in a cut."""
        return self.cost // self.least

    def loops(self, slack: int) -> Iterator[tuple[Loop, int, float]]:
        """The cycles that cost at most `least` plus this slack, from their least node.

        With each, what it costs more than `least`, and its share in the fractional optimum.
        """
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
                        loop = tuple(path)
                        yield (
                            tuple(map(self.nodes.__getitem__, loop)),
                            cost + price - self.least,
                            self.shares.get(loop, 0.0),
                        )
                    elif (
                        head > start
                        and head not in path
                        and cost + price + apart[head][start] <= limit
                    ):
                        path[head] = cost + price
                        walk.append(iter(heads[head]))
                        break
                else:
                    walk.pop()
                    path.popitem()

    def _simplex(self, enough: int) -> NDArray[np.float64]:
        """The dual prices of the fractional cycle packing, by the simplex method."""
        size = len(self.at)
        columns = np.eye(size)  # a row for the slack of each arc, then one for each cycle
        gains = np.zeros(size)  # 1 for a cycle
        known: dict[Loop, int] = {}  # its row of `columns`
        basis = [-1] * size  # the row of `columns` that each row of the basis is
        inverse, worth, prices = np.eye(size), np.zeros(size), np.zeros(size)
        left = self.often + APART * (np.arange(1, size + 1) * 0.618034 % 1 + 0.1)
        while True:
            excess = gains - columns @ prices
            place = int(excess.argmax())
            if excess[place] <= SMALL:
                prices = np.maximum(prices, 0)
                cheap, cheapest = self._cheap(prices)
                made = [loop for loop in cheap if loop not in known]
                if not made or self.often @ prices < (enough + 1 - 1e-6) * (
                    cheapest - SMALL * size
                ):
                    shares = dict(zip(basis, left.tolist()))
                    self.shares = {
                        loop: shares[place] for loop, place in known.items() if place in shares
                    }
                    return prices
                known |= zip(made, range(len(columns), len(columns) + len(made)))
                rows = np.zeros((len(made), size))
                for new, loop in zip(rows, made):
                    new[[self.at[arc] for arc in pairwise((*loop, loop[0]))]] = 1
                columns, gains = np.vstack([columns, rows]), np.append(gains, np.ones(len(made)))
                continue
            self.work.spend(PIVOT + size * size // 200)
            column = inverse @ columns[place]
            ratio = np.full(size, np.inf)
            np.divide(left, column, out=ratio, where=column > SMALL)
            row = int(ratio.argmin())
            inverse[row] /= column[row]
            left[row] /= column[row]
            column[row] = 0
            inverse -= np.outer(column, inverse[row])
            left -= column * left[row]
            basis[row], worth[row] = place, gains[place]
            prices = worth @ inverse

    def _cheap(self, prices: NDArray[np.float64]) -> tuple[list[Loop], float]:
        """Cycles that cost less than 1, a cheapest one per arc, and the least cost of all."""
        apart, onward = self._distances(prices + SMALL)
        costs = prices + apart[self.heads, self.tails]
        made: dict[Loop, None] = {}
        for place in np.flatnonzero(costs < 1 - 1e-7):
            loop = [int(self.tails[place])]
            node = int(self.heads[place])
            while node != loop[0] and len(loop) < len(self.nodes):
                loop.append(node)
                node = int(onward[node, loop[0]])
            least = loop.index(min(loop))
            made[*loop[least:], *loop[:least]] = None
        return list(made), float(costs.min())

    def _distances(self, prices: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
        """Distances between all nodes, and the next node on a shortest path (Floyd–Warshall)."""
        size = len(self.nodes)
        self.work.spend(size * (10 + size * size // 500))
        apart = np.full(
            (size, size), 1 << 60 if prices.dtype.kind == "i" else np.inf, dtype=prices.dtype
        )
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
