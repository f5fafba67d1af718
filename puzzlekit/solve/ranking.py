"""Solutions of components in the order of the goal, and combinations of them, in any order too."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from itertools import count

from puzzlekit.backends import Budget
from puzzlekit.errors import Stopped, Undecided, option
from puzzlekit.model import Model, Objective, Value, Values, variables_of
from puzzlekit.presolve import determined
from puzzlekit.query import ObjectiveBound, Query, Task
from puzzlekit.solve.solvers import Solver

SORTED_SOLUTIONS = 20_000  # of a component that are listed and sorted
SORTED_SECONDS = 1.5  # for that; a component that takes longer is searched band by band
OPEN_COMBINATIONS = 500_000  # in the priority queue
BAND_SOLUTIONS = 500  # up to which the next band is twice as wide

# a solution of a component with its cost: its share of the goal, negated if that is maximised
Ranked = tuple[int, Values]


def in_order(
    component: Model, solutions: Iterator[Values], solver: Solver, budget: Budget
) -> Iterator[Ranked]:
    """Yield the solutions of a component, best first; `solutions` are the same in any order.

    If the time is up before the best is known, the best found is yielded before Stopped is raised.
    """
    goal = component.goal
    if goal is None:
        yield from ((0, values) for values in solutions)
        return
    if determined(component):
        yield from _in_order(component, goal, solutions, solver, budget)
        return
    # a solution may have several goal values: the best one counts
    visible = component.visible()
    auxiliary = component.auxiliary.difference(variables_of(goal.term))
    component = replace(component, auxiliary=auxiliary)
    yielded: set[tuple[Value, ...]] = set()
    solutions = solver.ask(component, Query(), budget)
    for cost, values in _in_order(component, goal, solutions, solver, budget):
        key = tuple(values[variable] for variable in visible)
        if key not in yielded:
            yielded.add(key)
            yield cost, values


def _in_order(
    component: Model, goal: Objective, solutions: Iterator[Values], solver: Solver, budget: Budget
) -> Iterator[Ranked]:
    """Yield the solutions of a component whose goal depends only on visible variables, best first.

    Listing all to sort them and querying band by band take turns, since either may take long.
    """
    listing = _Listing(goal, solutions)
    try:
        listing.go_on(SORTED_SECONDS)
    except (Stopped, Undecided, KeyboardInterrupt):
        yield from listing.sorted()[:1]
        raise
    bands = iter(()) if listing.ended else _by_band(component, goal, solver, budget)
    completed: int | None = None  # solutions up to this cost were yielded
    while not listing.ended:
        began = time.monotonic()
        band = next(bands, None)
        if band is None:
            return
        completed, solutions_of_band = band
        yield from solutions_of_band
        listing.go_on(time.monotonic() - began)
    for ranked in listing.sorted():
        if completed is None or ranked[0] > completed:
            yield ranked


class _Listing:
    """Solutions in any order, up to a limit."""

    def __init__(self, goal: Objective, solutions: Iterator[Values]) -> None:
        self.goal = goal
        self.solutions = solutions
        self.ranked: list[Ranked] = []
        self.ended = False

    def go_on(self, seconds: float) -> None:
        """Continue for this many seconds; `ended` is set if that was all."""
        until = time.monotonic() + seconds
        while not self.ended and len(self.ranked) <= SORTED_SOLUTIONS and time.monotonic() <= until:
            values = next(self.solutions, None)
            if values is None:
                self.ended = True
            else:
                self.ranked.append((_cost(self.goal, values), values))

    def sorted(self) -> list[Ranked]:
        return sorted(self.ranked, key=_first)


def _by_band(
    component: Model, goal: Objective, solver: Solver, budget: Budget
) -> Iterator[tuple[int, list[Ranked]]]:
    """Yield the solutions in bands of the goal's value, each with the cost that it completes.

    If the time is up before the best is known, the best found is yielded.
    """
    sign = -1 if goal.maximise else 1
    best: Ranked | None = None
    try:
        for values in solver.ask(component, Query(Task.OPTIMISE), budget):
            best = _cost(goal, values), values
    except (Stopped, Undecided, KeyboardInterrupt):
        if best is not None:
            cost, _ = best
            yield cost - 1, [best]
        raise
    if best is None:
        return
    largest: int | None = None  # cost, once it is needed
    edge, _ = best  # the largest cost of the band
    width = 1
    while True:
        query = Query(bound=ObjectiveBound(sign * edge))
        band = []
        for values in solver.ask(component, query, budget):
            cost = _cost(goal, values)
            if cost > edge - width:
                band.append((cost, values))
        yield edge, sorted(band, key=_first)
        if not band and largest is None:
            turned = replace(component, goal=replace(goal, maximise=not goal.maximise))
            *_, worst = solver.ask(turned, Query(Task.OPTIMISE), budget)
            largest = _cost(goal, worst)
        if largest is not None and edge >= largest:
            return
        if len(band) <= BAND_SOLUTIONS:
            width *= 2
        edge += width


def _cost(goal: Objective, values: Values) -> int:
    value = int(goal.term.value(values))
    return -value if goal.maximise else value


def _first(ranked: Ranked) -> int:
    return ranked[0]


def combined(streams: Sequence[Iterator[Ranked]]) -> Iterator[tuple[Values, ...]]:
    """Yield every combination of one solution per stream, least total cost first, reading lazily.

    The successors of a combination advance one stream, not before the one that was advanced last.
    So each combination is reached in exactly one way, through combinations that cost no more.
    Raises Stopped if the queue is too long.

    >>> streams = [iter([(0, {}), (5, {})]), iter([(1, {}), (2, {})])]
    >>> len(list(combined(streams)))
    4
    """
    buffers = [_BufferedStream(stream) for stream in streams]
    if not all(buffer.has(0) for buffer in buffers):
        return
    number = count()
    least_cost = sum(buffer.buffered[0][0] for buffer in buffers)
    start = (0,) * len(buffers)
    # cost, a number that breaks ties, the position in each stream, and the stream advanced last
    heap = [(least_cost, next(number), start, 0)]
    while heap:
        cost, _, positions, last_advanced = heappop(heap)
        chosen = [buffer.buffered[position] for buffer, position in zip(buffers, positions)]
        yield tuple(values for _, values in chosen)
        for index in range(last_advanced, len(buffers)):
            buffer, position = buffers[index], positions[index]
            if buffer.has(position + 1):
                step = buffer.buffered[position + 1][0] - buffer.buffered[position][0]
                successor = (*positions[:index], position + 1, *positions[index + 1 :])
                heappush(heap, (cost + step, next(number), successor, index))
        if len(heap) > OPEN_COMBINATIONS:
            raise Stopped(
                "so many solutions cannot be kept in order",
                help=f"{option('rank')} none returns them in any order",
            )


class _BufferedStream:
    """A stream and the items read so far."""

    def __init__(self, stream: Iterator[Ranked]) -> None:
        self.stream = stream
        self.buffered: list[Ranked] = []

    def has(self, position: int) -> bool:
        """Return whether there is an item at this position, reading up to it."""
        while len(self.buffered) <= position:
            ranked = next(self.stream, None)
            if ranked is None:
                return False
            self.buffered.append(ranked)
        return True


class CachedStream:
    """A stream that is read once and can be iterated repeatedly."""

    def __init__(self, make: Callable[[Model], Iterator[Values]], component: Model) -> None:
        self.make = make
        self.component = component
        self.stream: Iterator[Values] | None = None
        self.cached: list[Values] = []

    def __iter__(self) -> Iterator[Values]:
        position = 0
        while True:
            if position == len(self.cached):
                if self.stream is None:
                    self.stream = self.make(self.component)
                values = next(self.stream, None)
                if values is None:
                    return
                self.cached.append(values)
            yield self.cached[position]
            position += 1


def product(streams: Sequence[Iterable[Values]]) -> Iterator[tuple[Values, ...]]:
    """Yield every combination lazily; the last stream changes fastest."""
    if not streams:
        yield ()
    chosen: list[Values] = []
    reading = [iter(stream) for stream in streams[:1]]
    while reading:
        del chosen[len(reading) - 1 :]
        values = next(reading[-1], None)
        if values is None:
            reading.pop()
            continue
        chosen.append(values)
        if len(chosen) < len(streams):
            reading.append(iter(streams[len(chosen)]))
        else:
            yield tuple(chosen)
