"""Cut the arcs of a directed multigraph into as many cycles as possible, with a proven bound.

Three reductions shrink most boards and lose nothing:

- *Two-cycles first.* If u→v lies on one cycle and v→u on another, the two arcs can form a cycle of
  their own: the rest of both cycles joins into a closed walk, so no cycle is lost.
- *Nodes with a single successor or predecessor* are removed, and their arcs are joined.
- *Blocks.* Every cycle lies within one biconnected component, so each component is solved alone.

Branch and bound solves the rest. The bound comes from arc prices at which every cycle costs at
least 1: there are no more cycles than the total price of all arcs (`cycle_prices`). A cut that
reaches the bound uses only cycles that cost little more than 1. The search branches on such cycles
through one arc and solves what remains after each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from puzzlekit.boards.graphs import Arc, Cycle, PieceRow
from puzzlekit.errors import InputError
from puzzlekit.libraries.exchanges.cycle_prices import Graph, Loop, Prices, Work, WorkDoneError, arcs_of
from puzzlekit.limits import limits

Loops = list[Loop]


@dataclass(frozen=True)
class Cut:
    """A cut of arcs into cycles, and an upper bound on the number of cycles."""

    cycles: tuple[Cycle, ...]
    bound: int

    @property
    def proven(self) -> bool:
        """Whether no other cut has more cycles."""
        return len(self.cycles) == self.bound


class BestCycles(PieceRow[Cycle]):
    """The candidate cycles for a cut of the arcs.

    `cut` is the best known cut, and `bound` is an upper bound on the number of cycles. `uniform` is
    true if every cut into the candidates has the same number of cycles.
    """

    cut: tuple[Cycle, ...]
    bound: int
    uniform: bool


def most_cycles(arcs: Iterable[Arc], steps: int | None = None) -> Cut:
    """Cut arcs into as many cycles as possible.

    Args:
        arcs: Pairs (tail, head). A repeated arc counts as often as it occurs.
        steps: The work allowed, by default the limit on boards.

    Returns:
        The best cut found, with an upper bound on the number of cycles.

    Raises:
        InputError: A node has different numbers of incoming and outgoing arcs.

    Examples:
        >>> cut = most_cycles(["ab", "bc", "ca", "ab", "ba"])
        >>> [str(cycle) for cycle in cut.cycles], cut.bound, cut.proven
        (['a→b→c→a', 'a→b→a'], 2, True)
    """
    often = Counter(arcs)
    nodes, graph = _numbered(often)
    heads = Counter({tail: sum(row.values()) for tail, row in graph.items()})
    tails: Counter[int] = Counter()
    for _, head, number in arcs_of(graph):
        tails[head] += number
    for node in graph:
        if heads[node] != tails[node]:
            found = f"{nodes[node]} has {tails[node]} incoming and {heads[node]} outgoing arcs"
            raise InputError(f"arcs can be cut into cycles only if they balance at each node: {found}")
    loops, bound = _Packing(_work(steps)).most(graph)
    return Cut(tuple(_named(loop, nodes) for loop in loops), bound)


def best_cycles(arcs: Iterable[Arc], steps: int | None = None) -> BestCycles:
    """Find all cycles that a cut of the arcs into the most cycles can contain, and perhaps others.

    Args:
        arcs: Pairs (tail, head). A repeated arc counts as often as it occurs.
        steps: The work allowed, by default the limit on boards.

    Returns:
        The candidate cycles, those of the best known cut first. They are chosen by their prices, so
        that some may be in no best cut. If the best known cut is not proven to be the best, the
        cycles of better cuts are among the candidates, too. There are no candidates if the arcs
        cannot be cut into cycles.

    Raises:
        InputError: The cycles, or the arcs in them, are more than the limits on boards allow.
    """
    often = Counter(arcs)
    nodes, graph = _numbered(often)
    work, limit = _work(steps), limits().boards
    cut: list[Cycle] = []
    others: dict[Cycle, None] = {}
    bound, size, uniform = 0, 0, True
    if Counter(tail for tail, _ in often.elements()) != Counter(head for _, head in often.elements()):
        graph = {}
    for block in _blocks(graph):
        loops, most = _Packing(work).most(block)
        bound += most
        cut += [_named(loop, nodes) for loop in loops]
        prices = None if _is_cycle(block) else Prices(block, work)
        for loop in [_around(block)] if prices is None else prices.loops(prices.cost - len(loops) * prices.least):
            uniform &= prices is None or len(loops) * (prices.price(loop) - prices.least) < prices.least
            cycle = _named(loop, nodes)
            others[cycle] = None
            size += len(cycle)
            if len(others) > limit.cycles or size > limit.cycle_arcs:
                raise InputError(f"there are too many candidate cycles: more than {len(others) - 1:,}")
    made = BestCycles(dict.fromkeys([*cut, *others]), lambda cycle: cycle)
    made.cut, made.bound, made.uniform = tuple(cut), bound, uniform
    return made


def _work(steps: int | None) -> Work:
    return Work(limits().boards.packing_steps if steps is None else steps)


def _numbered(often: Mapping[Arc, int]) -> tuple[list[Any], Graph]:
    """Number the nodes, sorted if they can be, and build the graph of their numbers."""
    nodes: list[Any] = list(dict.fromkeys(node for arc in often for node in arc))
    with suppress(TypeError):
        nodes.sort()
    number = {node: place for place, node in enumerate(nodes)}
    graph: Graph = {place: {} for place in number.values()}
    for (tail, head), times in often.items():
        graph[number[tail]][number[head]] = times
    return nodes, graph


def _named(loop: Loop, nodes: Sequence[Any]) -> Cycle:
    """The named cycle, starting at its least node."""
    start = loop.index(min(loop))
    return Cycle(pairwise([nodes[node] for node in (*loop[start:], *loop[: start + 1])]))


def _is_cycle(block: Graph) -> bool:
    return sum(map(len, block.values())) == len(block)


def _around(graph: Graph) -> Loop:
    """The nodes of a graph that is a single cycle, in order."""
    path = [min(graph)]
    while (head := next(iter(graph[path[-1]]))) != path[0]:
        path.append(head)
    return tuple(path)


class _Packing:
    """Cuts balanced graphs into cycles; remembers the best cut and bound of each block."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.known: dict[frozenset[tuple[int, int, int]], tuple[Loops, int]] = {}

    def most(self, graph: Graph, need: int = 0) -> tuple[Loops, int]:
        """Cut the graph into cycles, and bound their number.

        The search ends when the cut meets the bound, the bound is below `need`, or the work is
        used up.
        """
        reduced = _Reduced(graph)
        blocks = list(_blocks(reduced.graph))
        found = [self._begun(block) for block in blocks]
        for place, block in enumerate(blocks):
            bound = len(reduced.taken) + sum(bound for _, bound in found)
            if bound < need:
                break
            found[place] = self._block(block, need - bound + found[place][1])
        loops = reduced.restored([loop for cycles, _ in found for loop in cycles])
        return loops, len(reduced.taken) + sum(bound for _, bound in found)

    def _begun(self, block: Graph) -> tuple[Loops, int]:
        """The known cut and bound of a block; at first a greedy cut, shortest cycles first.

        The first bound is the number of arcs divided by the length of a shortest cycle.
        """
        key = _key(block)
        if key not in self.known:
            loops = _shortest_first(block)
            arcs = sum(number for _, _, number in arcs_of(block))
            self.known[key] = loops, arcs // len(loops[0])
        return self.known[key]

    def _block(self, block: Graph, need: int) -> tuple[Loops, int]:
        key = _key(block)
        loops, bound = self.known[key]
        if len(loops) == bound or bound < need:
            return loops, bound
        try:
            prices = Prices(block, self.work, len(loops))
            bound = min(bound, prices.bound)
            while bound > len(loops) and bound >= need:
                better = self._cut(block, prices, bound)
                if better is None:
                    bound -= 1
                else:
                    loops = better
        except WorkDoneError:
            pass
        self.known[key] = loops, bound
        return loops, bound

    def _cut(self, block: Graph, prices: Prices, number: int) -> Loops | None:
        """Cut the block into this many cycles, or return None if that is impossible."""
        through: dict[tuple[int, int], Loops] = {(tail, head): [] for tail, head, _ in arcs_of(block)}
        for loop in prices.loops(prices.cost - number * prices.least):
            for arc in pairwise((*loop, loop[0])):
                through[arc].append(loop)
        fewest = min(through.values(), key=lambda loops: len(loops))
        for loop in sorted(fewest, key=prices.share, reverse=True):
            rest = {tail: dict(row) for tail, row in block.items()}
            _take(rest, loop)
            loops, bound = self.most(rest, number - 1)
            if len(loops) >= number - 1:
                return [loop, *loops]
            if bound >= number - 1:
                raise WorkDoneError
        return None


def _key(block: Graph) -> frozenset[tuple[int, int, int]]:
    return frozenset(arcs_of(block))


def _take(graph: Graph, loop: Loop, times: int = 1) -> None:
    """Remove a cycle from a graph."""
    for tail, head in pairwise((*loop, loop[0])):
        graph[tail][head] -= times
        if not graph[tail][head]:
            del graph[tail][head]


def _shortest_first(block: Graph) -> Loops:
    """Cut the block greedily, taking a shortest cycle each time."""
    rest = {tail: dict(row) for tail, row in block.items()}
    found: Loops = []
    least = 2
    while starts := [node for node, row in rest.items() if row]:
        shortest: Loop | None = None
        for start in starts:
            loop = _shortest_through(rest, start, len(shortest) - 1 if shortest else len(rest))
            shortest = loop or shortest
            if shortest and len(shortest) <= least:
                break
        assert shortest is not None, "the rest of a balanced graph has a cycle"
        least = len(shortest)
        times = min(rest[tail][head] for tail, head in pairwise((*shortest, shortest[0])))
        _take(rest, shortest, times)
        found.extend([shortest] * times)
    return found


def _shortest_through(graph: Graph, start: int, longest: int) -> Loop | None:
    """A shortest cycle through a node of at most `longest` arcs, or None."""
    before = {start: start}
    layer = [start]
    for _ in range(longest):
        further = []
        for node in layer:
            for head in graph[node]:
                if head == start:
                    path = [node]
                    while path[-1] != start:
                        path.append(before[path[-1]])
                    return tuple(reversed(path))
                if head not in before:
                    before[head] = node
                    further.append(head)
        layer = further
    return None


class _Reduced:
    """A graph after two-cycles and nodes with one successor or predecessor are removed.

    `restored` maps its cycles back to cycles of the original graph.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph: Graph = {tail: dict(row) for tail, row in graph.items()}
        self.tails: dict[int, set[int]] = {node: set() for node in graph}
        for tail, row in graph.items():
            for head in row:
                self.tails[head].add(tail)
        self.taken: Loops = []
        # Removed node, its single neighbour, the others with their arcs, whether that neighbour is
        # the successor, and the number of cycles taken before.
        self._joined: list[tuple[int, int, dict[int, int], bool, int]] = []
        waiting = dict.fromkeys(graph)
        while waiting:
            node, _ = waiting.popitem()
            if node in self.graph:
                waiting.update(dict.fromkeys(self._at(node)))

    def _at(self, node: int) -> Iterable[int]:
        """Reduce the graph at a node, and return the nodes that may now be reducible."""
        row, tails = self.graph[node], self.tails[node]
        changed: set[int] = set()
        for other in sorted(tails & row.keys()):
            loop = (node,) if other == node else (node, other)
            times = row[other] if other == node else min(row[other], self.graph[other][node])
            self.taken.extend([loop] * times)
            self._less(node, other, times)
            if other != node:
                self._less(other, node, times)
            changed |= {node, other}
        if not row:
            del self.graph[node], self.tails[node]
            return changed - {node}
        if len(row) == 1:
            (beside,) = row
            others = {tail: self.graph[tail][node] for tail in tails}
            self._joined.append((node, beside, others, True, len(self.taken)))
        elif len(tails) == 1:
            (beside,) = tails
            others = dict(row)
            self._joined.append((node, beside, others, False, len(self.taken)))
        else:
            return changed
        ahead = len(row) == 1
        for other, times in others.items():
            self._less(*((other, node) if ahead else (node, other)), times)
            self._more(*((other, beside) if ahead else (beside, other)), times)
        self._less(*((node, beside) if ahead else (beside, node)), sum(others.values()))
        del self.graph[node], self.tails[node]
        return changed | {beside, *others} - {node}

    def _less(self, tail: int, head: int, times: int) -> None:
        self.graph[tail][head] -= times
        if not self.graph[tail][head]:
            del self.graph[tail][head]
            self.tails[head].discard(tail)

    def _more(self, tail: int, head: int, times: int) -> None:
        self.graph[tail][head] = self.graph[tail].get(head, 0) + times
        self.tails[head].add(tail)

    def restored(self, loops: Loops) -> Loops:
        """Map cycles of the reduced graph back to the original one, and add those taken."""
        end = len(self.taken)
        whole = [list(loop) for loop in loops]
        for node, beside, others, ahead, taken in reversed(self._joined):
            whole.extend(list(loop) for loop in self.taken[taken:end])
            end = taken
            left = dict(others)
            for loop in whole:
                if beside in loop:
                    at = loop.index(beside)
                    other = loop[at - 1] if ahead else loop[(at + 1) % len(loop)]
                    if left.get(other):
                        left[other] -= 1
                        loop.insert(at if ahead else at + 1, node)
        whole.extend(list(loop) for loop in self.taken[:end])
        return [tuple(loop) for loop in whole]


def _blocks(graph: Graph) -> Iterator[Graph]:
    """The biconnected components that have arcs, as graphs; a loop is a component of its own."""
    beside: dict[int, set[int]] = {node: set() for node in graph}
    for tail, head, number in arcs_of(graph):
        beside[tail].add(head)
        beside[head].add(tail)
        if tail == head:
            yield {tail: {tail: number}}
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    for root in graph:
        if root in order:
            continue
        order[root] = low[root] = len(order)
        seen = [root]  # nodes that are not yet in a finished component
        walk = [(root, iter(sorted(beside[root])))]
        while walk:
            node, others = walk[-1]
            for other in others:
                if other not in order:
                    order[other] = low[other] = len(order)
                    seen.append(other)
                    walk.append((other, iter(sorted(beside[other]))))
                    break
                low[node] = min(low[node], order[other])
            else:
                walk.pop()
                if not walk:
                    break
                parent = walk[-1][0]
                low[parent] = min(low[parent], low[node])
                if low[node] >= order[parent]:
                    at = seen.index(node)
                    part = {parent, *seen[at:]}
                    del seen[at:]
                    yield {
                        tail: {head: n for head, n in graph[tail].items() if head in part and head != tail}
                        for tail in sorted(part)
                    }
