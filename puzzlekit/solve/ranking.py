"""Solutions of components in the order of the goal, and combinations of them, in any order too."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from itertools import count

from puzzlekit.backends.base import Budget
from puzzlekit.errors import Stopped, Undecided
from puzzlekit.model import Model, Objective, Value, Values, variables_of
from puzzlekit.presolve.components import determined
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
    component = replace(
        component, auxiliary=component.auxiliary.difference(variables_of(goal.term))
    )
    given: set[tuple[Value, ...]] = set()
    for cost, values in _in_order(
        component, goal, solver.ask(component, Query(), budget), solver, budget
    ):
        key = tuple(values[variable] for variable in visible)
        if key not in given:
            given.add(key)
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
    done: int | None = None  # solutions up to this cost were yielded
    while not listing.ended:
        began = time.monotonic()
        band = next(bands, None)
        if band is None:
            return
        done, found = band
        yield from found
        listing.go_on(time.monotonic() - began)
    yield from (ranked for ranked in listing.sorted() if done is None or ranked[0] > done)


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
        most = SORTED_SOLUTIONS
        while not self.ended and len(self.ranked) <= most and time.monotonic() <= until:
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
    least = None
    try:
        for values in solver.ask(component, Query(Task.OPTIMISE), budget):
            least = _cost(goal, values), values
    except (Stopped, Undecided, KeyboardInterrupt):
        if least is not None:
            yield least[0] - 1, [least]
        raise
    if least is None:
        return
    most: int | None = None
    edge, band = least[0], 1
    while True:
        within = (
            (_cost(goal, values), values)
            for values in solver.ask(component, Query(bound=ObjectiveBound(sign * edge)), budget)
        )
        found = [ranked for ranked in within if ranked[0] > edge - band]
        yield edge, sorted(found, key=_first)
        if not found and most is None:
            turned = replace(component, goal=replace(goal, maximise=not goal.maximise))
            *_, worst = solver.ask(turned, Query(Task.OPTIMISE), budget)
            most = _cost(goal, worst)
        if most is not None and edge >= most:
            return
        band = band if len(found) > BAND_SOLUTIONS else 2 * band
        edge += band


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
    read = [_BufferedStream(stream) for stream in streams]
    if not all(stream.has(0) for stream in read):
        return
    number = count()
    heap = [(sum(stream.buffered[0][0] for stream in read), next(number), (0,) * len(read), 0)]
    while heap:
        cost, _, places, moved = heappop(heap)
        yield tuple(stream.buffered[place][1] for stream, place in zip(read, places))
        for index in range(moved, len(read)):
            stream, place = read[index], places[index]
            if stream.has(place + 1):
                step = stream.buffered[place + 1][0] - stream.buffered[place][0]
                heappush(
                    heap,
                    (
                        cost + step,
                        next(number),
                        (*places[:index], place + 1, *places[index + 1 :]),
                        index,
                    ),
                )
        if len(heap) > OPEN_COMBINATIONS:
            raise Stopped(
                "so many solutions cannot be kept in order; --rank none gives them in any"
            )


class _BufferedStream:
    """A stream and the items read so far."""

    def __init__(self, stream: Iterator[Ranked]) -> None:
        self.stream = stream
        self.buffered: list[Ranked] = []

    def has(self, position: int) -> bool:
        """Return whether there is an item at this position, reading up to it."""
        while len(self.buffered) <= position:
            found = next(self.stream, None)
            if found is None:
                return False
            self.buffered.append(found)
        return True


class CachedStream:
    """A stream that is read once and can be iterated repeatedly."""

    def __init__(self, make: Callable[[Model], Iterator[Values]], component: Model) -> None:
        self.make = make
        self.component = component
        self.stream: Iterator[Values] | None = None
        self.cached: list[Values] = []

    def __iter__(self) -> Iterator[Values]:
        place = 0
        while True:
            if place == len(self.cached):
                if self.stream is None:
                    self.stream = self.make(self.component)
                found = next(self.stream, None)
                if found is None:
                    return
                self.cached.append(found)
            yield self.cached[place]
            place += 1


def product(streams: Sequence[Iterable[Values]]) -> Iterator[tuple[Values, ...]]:
    """Yield every combination lazily; the last stream changes fastest."""
    if not streams:
        yield ()
    chosen: list[Values] = []
    reading = [iter(stream) for stream in streams[:1]]
    while reading:
        del chosen[len(reading) - 1 :]
        found = next(reading[-1], None)
        if found is None:
            reading.pop()
            continue
        chosen.append(found)
        if len(chosen) < len(streams):
            reading.append(iter(streams[len(chosen)]))
        else:
            yield tuple(chosen)
