"""Cut the arcs of a directed multigraph into as many cycles as possible, with a proven bound.

Two reductions shrink most boards and lose nothing:

- *Two-cycles first.* If u→v lies on one cycle and v→u on another, the two arcs can form a cycle of
  their own: the rest of both cycles joins into a closed walk, so no cycle is lost.
- *Nodes with a single successor or predecessor* are removed, and their arcs are joined.

Each connected part of the rest is bounded by arc prices at which every cycle costs at least `least`
(`CyclePrices`): the cycles of a cut cost together what the arcs cost, so there are at most
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

from puzzlekit.boards.graphs import CYCLE_ARCS, CYCLES, Arc, Cycle
from puzzlekit.errors import InputError
from puzzlekit.model.graphs import connected_components
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
            found = f"{name} has {incoming[node]} incoming and {outgoing[node]} outgoing arcs"
            raise InputError(
                f"arcs can be cut into cycles only if they balance at each node: {found}"
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
    others: dict[Cycle, None] = {}
    bound, size, uniform = 0, 0, True
    outgoing, incoming = _ends(often)
    for part in _components(often if outgoing == incoming else {}):
        loops, most = _most(part, work)
        bound += most
        cut += [_named(loop, nodes) for loop in loops]
        least, candidates = 1, iter([(loops[0], 0, 1.0)])
        if len(part) > len(
            loops[0]
        ):  # otherwise it is a single cycle, perhaps of thousands of arcs
            prices = CyclePrices(part, work)
            least, candidates = prices.least, prices.loops(prices.cost - len(loops) * prices.least)
        for loop, extra, _ in candidates:
            uniform &= len(loops) * extra < least
            cycle = _named(loop, nodes)
            others[cycle] = None
            size += len(cycle)
            if len(others) > CYCLES or size > CYCLE_ARCS:
                raise InputError(
                    f"there are too many candidate cycles: more than {len(others) - 1:,}"
                )
    made = BestCycles(dict.fromkeys([*cut, *others]))
    made.cut, made.bound, made.uniform = tuple(cut), bound, uniform
    return made


def _numbered(arcs: Iterable[Arc]) -> tuple[list[Any], Often]:
    """Number the nodes, sorted if they can be, and count the arcs between the numbers."""
    often = Counter(arcs)
    nodes: list[Any] = list(dict.fromkeys(node for arc in often for node in arc))
    with suppress(TypeError):
        nodes.sort()
    number = {node: place for place, node in enumerate(nodes)}
    return nodes, {(number[tail], number[head]): times for (tail, head), times in often.items()}


def _ends(often: Often) -> tuple[Counter[int], Counter[int]]:
    """The number of outgoing and of incoming arcs of each node."""
    outgoing: Counter[int] = Counter()
    incoming: Counter[int] = Counter()
    for (tail, head), times in often.items():
        outgoing[tail] += times
        incoming[head] += times
    return outgoing, incoming


def _named(loop: Loop, nodes: Sequence[Any]) -> Cycle:
    """The named cycle, starting at its least node."""
    start = loop.index(min(loop))
    return Cycle(pairwise([nodes[node] for node in (*loop[start:], *loop[: start + 1])]))


def _around(loop: Loop) -> Iterable[tuple[int, int]]:
    """The arcs of a cycle."""
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
    for part in _components({arc: len(found) for arc, found in paths.items()}):
        cut, most = _cut(part, work)
        bound += most
        loops += [tuple(node for arc in _around(loop) for node in paths[arc].pop()) for loop in cut]
    return loops, bound


def _reduced(often: Often) -> tuple[list[Loop], dict[tuple[int, int], list[Loop]]]:
    """Take two-cycles, and remove the nodes with a single successor or predecessor.

    Returns the cycles taken, and for each arc that is left the paths that it stands for, each
    without its last node.
    """
    taken: list[Loop] = []
    paths: defaultdict[tuple[int, int], list[Loop]] = defaultdict(list)
    heads: defaultdict[int, dict[int, None]] = defaultdict(dict)
    tails: defaultdict[int, dict[int, None]] = defaultdict(dict)

    def add(tail: int, head: int, made: Iterable[Loop]) -> None:
        paths[tail, head] += made
        heads[tail][head] = tails[head][tail] = None

    def drop(tail: int, head: int) -> list[Loop]:
        del heads[tail][head], tails[head][tail]
        return paths.pop((tail, head))

    for (tail, head), times in often.items():
        add(tail, head, [(tail,)] * times)
    waiting = dict.fromkeys(heads)
    while waiting:
        node, _ = waiting.popitem()
        for other in sorted(heads[node].keys() & tails[node].keys()):
            if other == node:
                taken += drop(node, node)
                continue
            onward, back = drop(node, other), drop(other, node)
            pairs = min(len(onward), len(back))
            taken += [one + two for one, two in zip(onward, back)]
            if onward[pairs:]:
                add(node, other, onward[pairs:])
            elif back[pairs:]:
                add(other, node, back[pairs:])
            waiting[other] = None
        if 1 in (len(heads[node]), len(tails[node])):
            before = [(tail, path) for tail in [*tails[node]] for path in drop(tail, node)]
            after = [(head, path) for head in [*heads[node]] for path in drop(node, head)]
            for (tail, one), (head, two) in zip(before, after):
                add(tail, head, [one + two])
                waiting[tail] = waiting[head] = None
    return taken, paths


def _cut(often: Often, work: Work) -> tuple[list[Loop], int]:
    """Cut the arcs of a connected part into cycles, and bound their number."""
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
    left: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for (tail, head), times in often.items():
        left[tail][head] = times
    found: list[Loop] = []
    for longest in range(1, len(left) + 1):
        for start in left:
            while loop := _shortest_through(left, start, longest):
                found.append(loop)
                for tail, head in _around(loop):
                    left[tail][head] -= 1
                    if not left[tail][head]:
                        del left[tail][head]
    return found


def _shortest_through(heads: Mapping[int, Iterable[int]], start: int, longest: int) -> Loop | None:
    """A shortest cycle through a node, or None if it has more arcs than `longest`."""
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
    found = sorted(prices.loops(slack), key=lambda candidate: candidate[1])
    loops, extras = [loop for loop, *_ in found], [extra for _, extra, _ in found]
    through = dict.fromkeys(often, 0)
    for place, loop in enumerate(loops):
        for arc in _around(loop):
            through[arc] |= 1 << place
    failed: set[tuple[int, frozenset[tuple[tuple[int, int], int]]]] = set()

    def search(left: Often, alive: int, slack: int) -> list[Loop] | None:
        if not left:
            return []
        if (key := (slack, frozenset(left.items()))) in failed:
            return None
        work.spend(len(left))
        alive &= (1 << bisect_right(extras, slack)) - 1
        fewest = min((alive & through[arc] for arc in left), key=int.bit_count)
        places = [place for place in range(fewest.bit_length()) if fewest >> place & 1]
        for place in sorted(places, key=lambda place: found[place][2], reverse=True):
            rest, possible = dict(left), alive
            for arc in _around(loops[place]):
                rest[arc] -= 1
                if not rest[arc]:
                    del rest[arc]
                    possible &= ~through[arc]
            others = search(rest, possible, slack - extras[place])
            if others is not None:
                return [loops[place], *others]
            alive &= ~(1 << place)
        failed.add(key)
        return None

    return search(often, (1 << len(loops)) - 1, slack)
