"""Cut the arcs of a directed multigraph into as many cycles as possible, with a proven bound.

Two reductions shrink most boards and lose nothing:

- *Two-cycles first.* If u→v lies on one cycle and v→u on another, the two arcs can form a cycle of
  their own: the rest of both cycles joins into a closed walk, so no cycle is lost.
- *Nodes with a single successor or predecessor* are removed, and their arcs are joined.

Each connected component of the rest is bounded by arc prices at which every cycle costs at least
`least` (`CyclePrices`): the cycles of a cut cost together what the arcs cost, so there are at most
`cost // least` of them. A cut into that many uses only cycles that cost little more than `least`,
and what they cost more adds up to a known sum. A search among these cycles finds the cut, or proves
that there is none; then a cut into one cycle fewer is tried.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from puzzlekit.boards import CYCLE_ARCS, CYCLES, Arc, Cycle
from puzzlekit.errors import InputError
from puzzlekit.model import connected_components
from puzzlekit_waffle.exchanges.cycle_prices import CyclePrices, Loop, Often, Work, WorkDoneError

STEPS = 4_000_000  # of the search for a cut: a few seconds


@dataclass(frozen=True)
class Cut:
    """A cut of arcs into cycles, and an upper bound on the number of cycles."""

    cycles: tuple[Cycle, ...]
    bound: int

    @property
    def proven(self) -> bool:
        """Whether no other cut has more cycles."""
        return len(self.cycles) == self.bound


class BestCycles(tuple[Cycle, ...]):
    """The candidate cycles for a cut of the arcs.

    `cut` is the best known cut, and `bound` is an upper bound on the number of cycles. `uniform` is
    true if every cut into the candidates has the same number of cycles.
    """

    cut: tuple[Cycle, ...]
    bound: int
    uniform: bool


def most_cycles(arcs: Iterable[Arc], steps: int = STEPS) -> Cut:
    """Cut arcs into as many cycles as possible.

    Args:
        arcs: Pairs (tail, head). A repeated arc counts as often as it occurs.
        steps: The work allowed.

    Returns:
        The best cut found, with an upper bound on the number of cycles.

    Raises:
        InputError: A node has different numbers of incoming and outgoing arcs.

    Examples:
        >>> cut = most_cycles(["ab", "bc", "ca", "ab", "ba"])
        >>> [str(cycle) for cycle in cut.cycles], cut.bound, cut.proven
        (['a→b→a', 'a→b→c→a'], 2, True)
    """
    nodes, often = _numbered(arcs)
    outgoing, incoming = _ends(often)
    for node, name in enumerate(nodes):
        if incoming[node] != outgoing[node]:
            raise InputError(
                "arcs can be cut into cycles only if they balance at each node: "
                f"{name} has {incoming[node]} incoming and {outgoing[node]} outgoing arcs"
            )
    loops, bound = _most(often, Work(steps))
    return Cut(tuple(_named(loop, nodes) for loop in loops), bound)


def best_cycles(arcs: Iterable[Arc], steps: int = STEPS) -> BestCycles:
    """Find all cycles that a cut of the arcs into the most cycles can contain, and perhaps others.

    Args:
        arcs: Pairs (tail, head). A repeated arc counts as often as it occurs.
        steps: The work allowed.

    Returns:
        The candidate cycles, those of the best known cut first. They are chosen by their prices, so
        that some may be in no best cut. If the best known cut is not proven to be the best, the
        cycles of better cuts are among the candidates, too. There are no candidates if the arcs
        cannot be cut into cycles.

    Raises:
        InputError: The cycles, the arcs in them or the work are more than the limits on boards
            allow.
    """
    nodes, often = _numbered(arcs)
    work = Work(steps)
    cut: list[Cycle] = []
    candidates: dict[Cycle, None] = {}
    bound, size, uniform = 0, 0, True
    outgoing, incoming = _ends(often)
    for component in _components(often if outgoing == incoming else {}):
        loops, most = _most(component, work)
        bound += most
        cut += [_named(loop, nodes) for loop in loops]
        least, loops_with_costs = _candidate_loops(component, loops, work)
        for loop, extra, _ in loops_with_costs:
            uniform &= len(loops) * extra < least
            cycle = _named(loop, nodes)
            candidates[cycle] = None
            size += len(cycle)
            if len(candidates) > CYCLES or size > CYCLE_ARCS:
                raise InputError(
                    f"there are too many candidate cycles: more than {len(candidates) - 1:,}"
                )
    best = BestCycles(dict.fromkeys([*cut, *candidates]))
    best.cut, best.bound, best.uniform = tuple(cut), bound, uniform
    return best


def _candidate_loops(
    component: Often, cut: Sequence[Loop], work: Work
) -> tuple[int, Iterator[tuple[Loop, int, float]]]:
    """Return the least cost of a cycle, and the cycles that a best cut may contain.

    With each, what it costs more than the least, and its share in the fractional optimum.
    """
    if len(component) <= len(cut[0]):  # a single cycle, perhaps of thousands of arcs
        return 1, iter([(cut[0], 0, 1.0)])
    prices = CyclePrices(component, work)
    return prices.least, prices.loops(prices.cost - len(cut) * prices.least)


def _numbered(arcs: Iterable[Arc]) -> tuple[list[Any], Often]:
    """Number the nodes, sorted if they can be, and count the arcs between the numbers."""
    often = Counter(arcs)
    nodes: list[Any] = list(dict.fromkeys(node for arc in often for node in arc))
    with suppress(TypeError):
        nodes.sort()
    numbers = {node: number for number, node in enumerate(nodes)}
    numbered: dict[tuple[int, int], int] = {}
    for (tail, head), times in often.items():
        numbered[numbers[tail], numbers[head]] = times
    return nodes, numbered


def _ends(often: Often) -> tuple[Counter[int], Counter[int]]:
    """Return the number of outgoing and of incoming arcs of each node."""
    outgoing: Counter[int] = Counter()
    incoming: Counter[int] = Counter()
    for (tail, head), times in often.items():
        outgoing[tail] += times
        incoming[head] += times
    return outgoing, incoming


def _named(loop: Loop, nodes: Sequence[Any]) -> Cycle:
    """Return the named cycle, starting at its least node."""
    start = loop.index(min(loop))
    closed = (*loop[start:], *loop[: start + 1])
    return Cycle(pairwise([nodes[node] for node in closed]))


def _around(loop: Loop) -> Iterable[tuple[int, int]]:
    """Return the arcs of a cycle."""
    return pairwise((*loop, loop[0]))


def _components(often: Often) -> Iterator[Often]:
    """Yield the arcs of each connected component."""
    nodes = dict.fromkeys(node for arc in often for node in arc)
    for component in connected_components(nodes, often):
        yield {arc: times for arc, times in often.items() if arc[0] in component}


def _most(often: Often, work: Work) -> tuple[list[Loop], int]:
    """Cut balanced arcs into cycles, and bound their number. They are unequal only if the work is
    used up.
    """
    loops, paths = _reduced(often)
    bound = len(loops)
    reduced = {arc: len(paths_of_arc) for arc, paths_of_arc in paths.items()}
    for component in _components(reduced):
        cut, most = _cut(component, work)
        bound += most
        for loop in cut:
            nodes = [node for arc in _around(loop) for node in paths[arc].pop()]
            loops.append(tuple(nodes))
    return loops, bound


def _reduced(often: Often) -> tuple[list[Loop], dict[tuple[int, int], list[Loop]]]:
    """Take two-cycles, and remove the nodes with a single successor or predecessor.

    Returns:
        The cycles of the two-cycles, and for each remaining arc the paths that it stands for, each
        without its last node.
    """
    loops: list[Loop] = []
    paths: defaultdict[tuple[int, int], list[Loop]] = defaultdict(list)
    heads: defaultdict[int, dict[int, None]] = defaultdict(dict)
    tails: defaultdict[int, dict[int, None]] = defaultdict(dict)

    def add(tail: int, head: int, new_paths: Iterable[Loop]) -> None:
        paths[tail, head] += new_paths
        heads[tail][head] = None
        tails[head][tail] = None

    def drop(tail: int, head: int) -> list[Loop]:
        del heads[tail][head], tails[head][tail]
        return paths.pop((tail, head))

    for (tail, head), times in often.items():
        add(tail, head, [(tail,)] * times)
    pending = dict.fromkeys(heads)
    while pending:
        node, _ = pending.popitem()
        for neighbour in sorted(heads[node].keys() & tails[node].keys()):
            if neighbour == node:
                loops += drop(node, node)
                continue
            onward, back = drop(node, neighbour), drop(neighbour, node)
            pairs = min(len(onward), len(back))
            loops += [there + back_again for there, back_again in zip(onward, back)]
            if onward[pairs:]:
                add(node, neighbour, onward[pairs:])
            elif back[pairs:]:
                add(neighbour, node, back[pairs:])
            pending[neighbour] = None
        if 1 in (len(heads[node]), len(tails[node])):
            before: list[tuple[int, Loop]] = []
            for tail in [*tails[node]]:
                before += [(tail, path) for path in drop(tail, node)]
            after: list[tuple[int, Loop]] = []
            for head in [*heads[node]]:
                after += [(head, path) for path in drop(node, head)]
            for (tail, first_path), (head, second_path) in zip(before, after):
                add(tail, head, [first_path + second_path])
                pending[tail] = None
                pending[head] = None
    return loops, paths


def _cut(often: Often, work: Work) -> tuple[list[Loop], int]:
    """Cut the arcs of a connected component into cycles, and bound their number."""
    loops = _shortest_first(often)
    bound = sum(often.values()) // len(loops[0])
    with suppress(WorkDoneError):
        if bound > len(loops):
            prices = CyclePrices(often, work, len(loops))
            bound = min(bound, prices.bound)
        while bound > len(loops):
            better = _cut_into(bound, often, prices, work)
            if better is not None:
                return better, bound
            bound -= 1
    return loops, bound


def _shortest_first(often: Often) -> list[Loop]:
    """Cut the arcs greedily, short cycles first."""
    remaining: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for (tail, head), times in often.items():
        remaining[tail][head] = times
    loops: list[Loop] = []
    for longest in range(1, len(remaining) + 1):
        for start in remaining:
            while loop := _shortest_through(remaining, start, longest):
                loops.append(loop)
                for tail, head in _around(loop):
                    remaining[tail][head] -= 1
                    if not remaining[tail][head]:
                        del remaining[tail][head]
    return loops


def _shortest_through(heads: Mapping[int, Iterable[int]], start: int, longest: int) -> Loop | None:
    """Return a shortest cycle through a node, or None if it has more arcs than `longest`."""
    paths: list[Loop] = [(start,)]
    reached = {start}
    for _ in range(longest):
        further = []
        for path in paths:
            for head in heads[path[-1]]:
                if head == start:
                    return path
                if head not in reached:
                    reached.add(head)
                    further.append((*path, head))
        paths = further
    return None


def _cut_into(number: int, often: Often, prices: CyclePrices, work: Work) -> list[Loop] | None:
    """Cut the arcs into so many cycles, or return None if that is impossible.

    A set of candidates is the bits of an int. They are sorted by what they cost more than `least`,
    so that those within the slack are the lowest bits. The search takes the candidates through the
    arc with the fewest, those with a large share first; one that failed is in no cut.
    """
    slack = prices.cost - number * prices.least
    candidates = sorted(prices.loops(slack), key=lambda candidate: candidate[1])
    loops = [loop for loop, *_ in candidates]
    extras = [extra for _, extra, _ in candidates]
    shares = [share for *_, share in candidates]
    through = dict.fromkeys(often, 0)  # for each arc, the candidates that contain it
    for index, loop in enumerate(loops):
        for arc in _around(loop):
            through[arc] |= 1 << index
    failed: set[tuple[int, frozenset[tuple[tuple[int, int], int]]]] = set()

    def search(remaining: Often, alive: int, slack: int) -> list[Loop] | None:
        if not remaining:
            return []
        key = (slack, frozenset(remaining.items()))
        if key in failed:
            return None
        work.spend(len(remaining))
        alive &= (1 << bisect_right(extras, slack)) - 1
        choices = min((alive & through[arc] for arc in remaining), key=int.bit_count)
        indexes = [index for index in range(choices.bit_length()) if choices >> index & 1]
        indexes.sort(key=shares.__getitem__, reverse=True)
        for index in indexes:
            remaining_after = dict(remaining)
            alive_after = alive
            for arc in _around(loops[index]):
                remaining_after[arc] -= 1
                if not remaining_after[arc]:
                    del remaining_after[arc]
                    alive_after &= ~through[arc]
            further_loops = search(remaining_after, alive_after, slack - extras[index])
            if further_loops is not None:
                return [loops[index], *further_loops]
            alive &= ~(1 << index)
        failed.add(key)
        return None

    return search(often, (1 << len(loops)) - 1, slack)
