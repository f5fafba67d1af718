"""Pieces of graphs as bits, against those of plain sets."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from puzzlekit.boards import board, hexagons, torus
from puzzlekit.model.graphs import connected_components
from puzzlekit.presolve import bit_graph
from puzzlekit.presolve.bit_graph import BitGraph, bit_positions, bits_of, first

VERTEX = st.integers(0, 40)
QUICK = settings(derandomize=True, deadline=None, max_examples=100)


@QUICK
@given(
    st.lists(st.tuples(VERTEX, VERTEX), max_size=60), st.sets(VERTEX), st.sampled_from([0, 4, 40])
)
def test_a_graph_as_bits_is_the_graph(
    links: list[tuple[int, int]], vertices: set[int], most: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bit_graph, "MOST_DISTANCES", most)
        graph = BitGraph(links)
    held = sum(1 << vertex for vertex in vertices)
    assert sorted(map(bit_positions, graph.pieces(held))) == sorted(
        map(sorted, connected_components(vertices, links))
    )
    near = {b for one, other in links for a, b in ((one, other), (other, one)) if a in vertices}
    assert bit_positions(graph.neighbours(held)) == sorted(near - vertices)
    if vertices:
        start = first(held)
        own = next(piece for piece in connected_components(vertices, links) if start in piece)
        assert bit_positions(graph.piece(1 << start, held & ~(1 << start))) == sorted(own)


@pytest.mark.parametrize("grid", [board(5, 7), torus(5, 7), hexagons(board(5, 7))])
def test_a_board_has_few_distances(grid) -> None:  # type: ignore[no-untyped-def]
    number = {cell: place for place, cell in enumerate(grid.cells)}
    graph = BitGraph([(number[a], number[b]) for a, b in grid.adjacent])
    assert graph._shifts and len(graph._lower) <= 4
    assert [*graph.pieces((1 << len(grid.cells)) - 1)] == [(1 << len(grid.cells)) - 1]


@QUICK
@given(st.sets(st.integers(0, 200)))
def test_places_of_bits(vertices: set[int]) -> None:
    held = np.zeros(201, dtype=bool)
    held[list(vertices)] = True
    assert bit_positions(bits_of(held)) == sorted(vertices)
