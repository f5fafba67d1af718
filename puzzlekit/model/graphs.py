"""Walks over undirected graphs: components, paths, articulation points, bridges, disjoint sets.

Vertices are hashable. `neighbours` is a function that returns the neighbours of a vertex, so that a
caller can leave vertices out without a copy of the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Generic, TypeVar

V = TypeVar("V", bound=Hashable)
Neighbours = Callable[[V], Iterable[V]]
Arcs = Mapping[int, Sequence[tuple[int, int]]]  # by vertex: each edge at it, with its other end


def reachable(start: V, neighbours: Neighbours[V]) -> set[V]:
    """Return the vertices that a walk from `start` can reach, `start` included.

    >>> sorted(reachable(1, {1: [2], 2: [1, 3], 3: [2], 4: []}.__getitem__))
    [1, 2, 3]
    """
    reached = {start}
    waiting = [start]
    while waiting:
        for neighbour in neighbours(waiting.pop()):
            if neighbour not in reached:
                reached.add(neighbour)
                waiting.append(neighbour)
    return reached


def connected_components(vertices: Iterable[V], edges: Iterable[tuple[V, V]]) -> list[set[V]]:
    """Return the connected components of the vertices; edges to other vertices are ignored.

    Hopcroft and Tarjan, "Algorithm 447: efficient algorithms for graph manipulation" (1973).

    >>> connected_components([1, 2, 3], [(1, 2), (3, 4)])
    [{1, 2}, {3}]
    """
    unreached: dict[V, list[V]] = {vertex: [] for vertex in vertices}
    for tail, head in edges:
        if tail in unreached and head in unreached:
            unreached[tail].append(head)
            unreached[head].append(tail)
    components = []
    while unreached:
        component: set[V] = set()
        waiting = [next(iter(unreached))]
        while waiting:
            vertex = waiting.pop()
            if vertex in unreached:
                component.add(vertex)
                waiting += unreached.pop(vertex)
        components.append(component)
    return components


def shortest_path(arcs: Arcs, start: int, goal: int, without: int = -1) -> list[int] | None:
    """Return the edges of a shortest path, from the goal back to the start; None if there is none.

    Args:
        arcs: By vertex, pairs of an edge and its other end.
        start: The vertex where the breadth-first search begins.
        goal: The vertex where the path ends.
        without: An edge that the path does not use.
    """
    arrival: dict[int, tuple[int, int]] = {start: (start, -1)}  # the vertex before, and the edge
    waiting = [start]
    for vertex in waiting:
        if goal in arrival:
            break
        for edge, neighbour in arcs.get(vertex, ()):
            if neighbour not in arrival and edge != without:
                arrival[neighbour] = vertex, edge
                waiting.append(neighbour)
    if goal not in arrival:
        return None
    path = []
    vertex = goal
    while vertex != start:
        vertex, edge = arrival[vertex]
        path.append(edge)
    return path


class DepthFirstTree(Generic[V]):
    """The tree of a depth-first search, with the lowpoint of each vertex.

    The lowpoint is the least position in preorder that the subtree of a vertex reaches by one edge,
    the edge to its parent left out. Tarjan, "Depth-first search and linear graph algorithms"
    (1972); Hopcroft and Tarjan, "Algorithm 447" (1973).

    Args:
        root: The vertex where the search begins.
        neighbours: The neighbours of a vertex, once for each parallel edge.

    Attributes:
        preorder: The vertices in the order in which the search reaches them.
        position: By vertex, its index in `preorder`.
    """

    def __init__(self, root: V, neighbours: Neighbours[V]) -> None:
        self.preorder = [root]
        self.position = {root: 0}
        self._lowpoint = [0]  # this and the next two by position
        self._parent = [-1]
        self._end = [0]  # the position after the subtree
        self._postorder: list[int] = []
        self._search(neighbours)

    def _search(self, neighbours: Neighbours[V]) -> None:
        position = self.position
        lowpoint = self._lowpoint
        parent = self._parent
        stack = [(0, iter(neighbours(self.preorder[0])))]
        left_out = [False]  # by position: whether the edge to the parent was met
        while stack:
            here, unvisited = stack[-1]
            for neighbour in unvisited:
                there = position.get(neighbour)
                if there is None:
                    there = position[neighbour] = len(self.preorder)
                    self.preorder.append(neighbour)
                    lowpoint.append(there)
                    parent.append(here)
                    left_out.append(False)
                    self._end.append(0)
                    stack.append((there, iter(neighbours(neighbour))))
                    break
                if there == parent[here] and not left_out[here]:
                    left_out[here] = True
                else:
                    lowpoint[here] = min(lowpoint[here], there)
            else:
                stack.pop()
                self._end[here] = len(self.preorder)
                if here:
                    self._postorder.append(here)
                    above = parent[here]
                    lowpoint[above] = min(lowpoint[above], lowpoint[here])

    def articulation_points(self, terminals: Collection[V]) -> Iterator[tuple[V, V]]:
        """Yield the vertices without which the root cannot reach some terminal.

        The root is none of them. Each vertex comes with each of its children whose subtree holds
        such a terminal and is a side that the root cannot reach; children come in postorder.
        """
        ahead = [0, *accumulate(vertex in terminals for vertex in self.preorder)]
        for child in self._postorder:
            above = self._parent[child]
            separates = above > 0 and self._lowpoint[child] >= above
            if separates and ahead[self._end[child]] > ahead[child]:
                yield self.preorder[above], self.preorder[child]

    def bridges(self) -> Iterator[tuple[V, V, list[V]]]:
        """Yield the edges that lie on no cycle: upper end, lower end, and the subtree below.

        Edges come in postorder of the lower end; a subtree is listed in preorder.
        """
        for child in self._postorder:
            above = self._parent[child]
            if self._lowpoint[child] > above:
                subtree = self.preorder[child : self._end[child]]
                yield self.preorder[above], self.preorder[child], subtree


class DisjointSets(Generic[V]):
    """Disjoint sets, each with a root; an element that was not joined yet is alone in its set.

    Union by size and path compression: Tarjan, "Efficiency of a good but not linear set union
    algorithm" (1975).

    Examples:
        >>> sets = DisjointSets[int]()
        >>> sets.join(1, 2), sets.join(2, 3), sets.join(1, 3), sets.size(3)
        (True, True, False, 3)
        >>> sets.root(1) == sets.root(3)
        True
    """

    def __init__(self) -> None:
        self._above: dict[V, V] = {}
        self._size: dict[V, int] = {}  # of the sets that were joined, by root

    def root(self, element: V) -> V:
        """Return the root of the element's set."""
        above = self._above
        while (parent := above.get(element, element)) != element:
            above[element] = element = above.get(parent, parent)
        return element

    def size(self, element: V) -> int:
        """Return the size of the element's set."""
        return self._size.get(self.root(element), 1)

    def join(self, first: V, second: V) -> bool:
        """Join the sets of two elements; return False if both are in one set already."""
        larger = self.root(first)
        smaller = self.root(second)
        if larger == smaller:
            return False
        larger_size = self._size.get(larger, 1)
        smaller_size = self._size.get(smaller, 1)
        if larger_size < smaller_size:
            larger, smaller = smaller, larger
        self._above[smaller] = larger
        self._size[larger] = larger_size + smaller_size
        return True
