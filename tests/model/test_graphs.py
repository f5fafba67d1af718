"""Walks over graphs, against the definitions: remove a vertex or edge, count the components."""

from collections import defaultdict

from hypothesis import given, settings, strategies as st

from puzzlekit.model.graphs import (
    DepthFirstTree,
    DisjointSets,
    connected_components,
    reachable,
    shortest_path,
)

Edge = tuple[int, int]
VERTEX = st.integers(0, 8)
EDGES = st.lists(st.tuples(VERTEX, VERTEX), max_size=14)  # with loops and parallel edges
VERTICES = range(9)
QUICK = settings(derandomize=True, deadline=None, max_examples=300)


def arcs_of(edges: list[Edge]) -> dict[int, list[tuple[int, int]]]:
    """Return the edges at each vertex, each with its other end."""
    arcs = defaultdict[int, list[tuple[int, int]]](list)
    for number, (tail, head) in enumerate(edges):
        arcs[tail].append((number, head))
        arcs[head].append((number, tail))
    return arcs


def tree_of(root: int, edges: list[Edge]) -> DepthFirstTree[int]:
    arcs = arcs_of(edges)
    return DepthFirstTree(root, lambda vertex: [end for _, end in arcs[vertex]])


def component_of(root: int, edges: list[Edge], without: int | None = None) -> set[int]:
    """Return the component of a vertex by relaxation, with one vertex removed."""
    component = {root}
    for _ in VERTICES:
        for tail, head in edges:
            if without not in (tail, head) and component & {tail, head}:
                component |= {tail, head}
    return component


@QUICK
@given(EDGES)
def test_components_are_the_closure_of_the_edges(edges: list[Edge]) -> None:
    components = connected_components(VERTICES, edges)
    assert sorted(vertex for component in components for vertex in component) == [*VERTICES]
    for component in components:
        root = min(component)
        assert component == component_of(root, edges)
        assert component == reachable(root, lambda v: [end for _, end in arcs_of(edges)[v]])
        assert component == set(tree_of(root, edges).preorder)


@QUICK
@given(VERTEX, EDGES, st.frozensets(VERTEX))
def test_articulation_points_separate_the_root_from_a_terminal(
    root: int, edges: list[Edge], terminals: frozenset[int]
) -> None:
    points = [*tree_of(root, edges).articulation_points(terminals)]
    component = component_of(root, edges)
    expected = set()
    for vertex in component - {root}:
        beyond = component - component_of(root, edges, vertex) - {vertex}
        if beyond & terminals:
            expected.add(vertex)
        sides = [child for point, child in points if point == vertex]
        separated = [component_of(child, edges, vertex) for child in sides]
        assert all(side <= beyond and side & terminals for side in separated)
        assert set().union(*separated) & terminals == beyond & terminals
        assert sum(map(len, separated)) == len(set().union(*separated))
    assert {vertex for vertex, _ in points} == expected


@QUICK
@given(VERTEX, EDGES)
def test_removing_a_bridge_splits_its_component(root: int, edges: list[Edge]) -> None:
    bridges = [*tree_of(root, edges).bridges()]
    expected = set()
    for number, (tail, head) in enumerate(edges):
        remaining = edges[:number] + edges[number + 1 :]
        if tail in component_of(root, edges) and head not in component_of(tail, remaining):
            expected.add(frozenset((tail, head)))
    assert {frozenset((above, below)) for above, below, _ in bridges} == expected
    assert len(bridges) == len(expected)
    for above, below, subtree in bridges:
        others = [edge for edge in edges if set(edge) != {above, below}]
        assert set(subtree) == component_of(below, others)
        assert root not in subtree


@QUICK
@given(VERTEX, VERTEX, EDGES, st.integers(-1, 13))
def test_a_shortest_path_has_as_many_edges_as_rounds(
    start: int, goal: int, edges: list[Edge], without: int
) -> None:
    usable = [edge for number, edge in enumerate(edges) if number != without]
    path = shortest_path(arcs_of(edges), start, goal, without)
    layers = [{start}]
    while goal not in layers[-1] and len(layers) <= len(VERTICES):
        ends = {v for edge in usable if layers[-1] & set(edge) for v in edge}
        layers.append(layers[-1] | ends)
    if goal not in layers[-1]:
        assert path is None
        return
    assert path is not None
    assert len(path) == len(layers) - 1
    vertex = goal
    for number in path:
        assert number != without and vertex in edges[number]
        tail, head = edges[number]
        vertex = tail + head - vertex
    assert vertex == start


@QUICK
@given(EDGES)
def test_disjoint_sets_are_the_components(edges: list[Edge]) -> None:
    sets = DisjointSets[int]()
    for number, (tail, head) in enumerate(edges):
        was_apart = head not in component_of(tail, edges[:number])
        assert sets.join(tail, head) is was_apart
    for vertex in VERTICES:
        component = component_of(vertex, edges)
        assert sets.size(vertex) == len(component)
        assert {v for v in VERTICES if sets.root(v) == sets.root(vertex)} == component
