"""Functions of graphs: connectedness, loops, paths and cycles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from puzzlekit.boards import Cell, Cycle, Grid, Pieces, simple_cycles
from puzzlekit.lang.expressions.runtime import Runtime
from puzzlekit.lang.expressions.values import ExpressionError, Family, shown
from puzzlekit.lang.functions.arithmetic import Counting
from puzzlekit.lang.library import Functions
from puzzlekit.limits import limits
from puzzlekit.model import Acyclic, Circuit, Connected, Structure, Term

Pair = tuple[int, int]
Edges = Sequence[Pair]
# half of the moves: those to later cells
LATER = {"rook": ((0, 1), (1, 0)), "king": ((0, 1), (1, -1), (1, 0), (1, 1))}
LINK = 6  # steps per link or edge
SEARCHES = 10  # searches per run: each costs this fraction of all steps
VALUE = 20  # steps to separate the cells of one label from others


class Graphs(Functions):
    """Connectedness, loops, paths and cycles.

    Conditions and labels have keys: they are a family of unknowns, a mapping or a board.
    """

    def __init__(self, runtime: Runtime) -> None:
        super().__init__(runtime)
        self.counting = Counting(runtime)

    def connected(self, flags: Any, links: Any = None, moves: str = "rook") -> Any:
        """Return whether the keys that are true are connected. No true key at all is connected.

        Args:
            flags: The conditions.
            links: The pairs of keys that are linked; without it, cells are, by their positions.
            moves: `rook` links cells that share a side, `king` also those that share a corner.
        """
        found = self._conditions(flags, "flags")
        return self._stated(list(found.values()), self._links(found, links, moves), Connected)

    def regions(self, labels: Any, links: Any = None) -> Any:
        """Return whether, for each label, the keys with it are connected. None is not a label."""
        found = self._keyed(labels, "labels")
        holding: dict[Any, dict[Any, Any]] = {}
        for key, label in found.items():
            for value in () if label is None else self.runtime.possible(label):
                holding.setdefault(value, {})[key] = label
        parts = []
        for value, keys in holding.items():
            self.runtime.spend(VALUE)
            flags = [self.runtime.compare("==", label, value) for label in keys.values()]
            parts.append(self._stated(flags, self._links(keys, links, "rook"), Connected))
        return self.runtime.joined(parts, False)

    def single_loop(self, line: Any) -> Any:
        """Return whether the edges that are true form one loop, which visits no node twice."""
        flags, _, edges = self._edges(line)
        return self._stated(flags, edges, Circuit)

    def single_path(self, line: Any) -> Any:
        """Return whether the edges that are true form one path, which visits no node twice.

        A path is a loop through one more node, which is joined to each node that has one true edge.
        """
        flags, nodes, edges = self._edges(line)
        at: list[list[Any]] = [[] for _ in nodes]
        for flag, edge in zip(flags, edges):
            for node in edge:
                at[node].append(flag)
        ends = [self.counting.exactly_one(tuple(around)) for around in at]
        beyond = [(node, len(nodes)) for node in range(len(nodes))]
        loop = self._stated([*flags, *ends], [*edges, *beyond], Circuit)
        return self.runtime.joined((self.runtime.compare("==", self.counting.sum(tuple(ends)), 2), loop), False)

    def path(self, line: Any, a: Any, b: Any) -> Any:
        """Return whether the edges that are true form one path from node `a` to node `b`.

        It visits no node twice: an edge between its ends makes it a loop.
        """
        flags, nodes, edges = self._edges(line)
        for node in self.runtime.known((a, b), "an end of a path"):
            if node not in nodes:
                raise ExpressionError(f"the path cannot end at {shown(node)}: no edge leads there")
        if a == b:
            raise ExpressionError(f"a path has two ends, and both are {shown(a)}", "use single_loop(…) for a loop")
        return self._stated([*flags, True], [*edges, (nodes[a], nodes[b])], Circuit)

    def acyclic(self, line: Any) -> Any:
        """Return whether the edges that are true form no loop."""
        flags, _, edges = self._edges(line)
        return self._stated(flags, edges, Acyclic)

    def simple_cycles(self, arcs: Any) -> Pieces[Cycle]:
        """Return every cycle along the arcs (from, to) that visits no node twice."""
        cycles = simple_cycles(known_arcs(self.runtime, arcs))
        self.runtime.spend(sum(map(len, cycles)))
        return cycles

    def _stated(self, flags: Sequence[Any], pairs: Edges, kind: Callable[..., Structure]) -> Any:
        """Return the structure as a condition, or a bool if all flags are known."""
        self.runtime.spend(len(flags) + LINK * len(pairs))
        if any(isinstance(flag, Term) for flag in flags):
            return kind(tuple(map(self.runtime.term, flags)), tuple(pairs))
        return kind((), tuple(pairs)).met(flags)

    def _keyed(self, group: Any, what: str) -> Mapping[Any, Any]:
        match group:
            case Family() if group.arity:
                found: Mapping[Any, Any] = group.members
            case Grid():
                found = group.values
            case Mapping():
                found = group
            case _:
                hint = "write the name of the unknowns without an index, or a mapping: {c: flag[c] for c in …}"
                raise ExpressionError(f"expected {what} with keys, got {shown(group)}", hint)
        self.runtime.spend(len(found))
        return found

    def _conditions(self, group: Any, what: str) -> dict[Any, Any]:
        return {key: self.runtime.condition(flag) for key, flag in self._keyed(group, what).items()}

    def _edges(self, line: Any) -> tuple[list[Any], dict[Any, int], list[Pair]]:
        """Return the conditions of the edges, the numbers of the nodes, the nodes of each edge."""
        found = self._conditions(line, "edges")
        nodes: dict[Any, int] = {}
        edges = []
        for key in found:
            one, other = self._pair(key, "an edge")
            edges.append((nodes.setdefault(one, len(nodes)), nodes.setdefault(other, len(nodes))))
        return list(found.values()), nodes, edges

    def _pair(self, key: Any, what: str) -> tuple[Any, Any]:
        if not isinstance(key, tuple) or isinstance(key, Cell) or len(key) != 2:
            raise ExpressionError(f"expected a pair of nodes as {what}, got {shown(key)}")
        return key

    def _links(self, keys: Mapping[Any, Any], links: Any, moves: str) -> list[Pair]:
        """Return the linked pairs of keys, by number; a link to anything else is ignored."""
        number = {key: place for place, key in enumerate(keys)}
        if links is not None:
            pairs = [self._pair(link, "a link") for link in self.runtime.known(self.items(links), "a link")]
            return [(number[one], number[other]) for one, other in pairs if one in number and other in number]
        if moves not in LATER:
            raise ExpressionError(f"expected king or rook as moves, got {shown(moves)}")
        for key in keys:
            if not isinstance(key, Cell):
                hint = "give the links: links=[(a, b), …]"
                raise ExpressionError(f"only cells are linked by position, got {shown(key)}", hint)
        beside = ((key, Cell(key.row + down, key.column + right)) for key in keys for down, right in LATER[moves])
        return [(number[cell], number[other]) for cell, other in beside if other in number]


def known_arcs(runtime: Runtime, arcs: Any) -> tuple[tuple[Any, Any], ...]:
    """Return the arcs (from, to) of a graph and spend the steps of a search through it."""
    pairs: tuple[tuple[Any, Any], ...] = runtime.known(runtime.items(arcs), "an arc")
    if not all(type(pair) is tuple and len(pair) == 2 for pair in pairs):
        raise ExpressionError("expected a pair (from, to) as an arc")
    spend_search(runtime)
    return pairs


def spend_search(runtime: Runtime) -> None:
    """Spend the fixed cost of a search through a board or graph."""
    runtime.spend(limits().rules.steps // SEARCHES)
