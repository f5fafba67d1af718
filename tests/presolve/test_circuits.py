"""What the vertices of a circuit decide of its edges, and the cycles that edges make:
held to their definitions.
"""

from itertools import product

import numpy as np
from hypothesis import given, strategies as st

from puzzlekit.model import Circuit, Constraint, Model, Origin, Variable, variables_of
from puzzlekit.presolve.bit_graph import bit_positions, bits_of
from puzzlekit.presolve.circuit_graph import NO, OPEN, YES, CircuitGraph, with_degrees
from puzzlekit.presolve.structure_propagators import graph_of

VERTICES = st.integers(0, 4)
EDGES = st.lists(st.tuples(VERTICES, VERTICES), min_size=1, max_size=7)
CYCLES = st.lists(st.integers(1, 4), min_size=1, max_size=4)


def none_or_two(edges: list[tuple[int, int]], held: tuple[int, ...]) -> bool:
    ends = [vertex for edge, state in zip(edges, held) if state == YES for vertex in edge]
    return all(ends.count(vertex) == 2 for vertex in ends)


@given(EDGES, st.data())
def test_what_is_decided_is_what_every_completion_has(
    edges: list[tuple[int, int]], data: st.DataObject
) -> None:
    states = data.draw(
        st.lists(st.sampled_from((NO, YES, OPEN)), min_size=len(edges), max_size=len(edges))
    )
    choices = [(NO, YES) if state == OPEN else (state,) for state in states]
    sound = [held for held in product(*choices) if none_or_two(edges, held)]
    propagated = np.array(states)
    if not CircuitGraph(edges).propagate_degrees(propagated):
        assert not sound
        return
    for place, state in enumerate(propagated.tolist()):
        assert state == OPEN or all(held[place] == state for held in sound)
    if OPEN not in propagated:
        assert sound == [
            tuple(propagated.tolist())
        ]  # nothing is left open, so nothing was overlooked


def test_a_vertex_decides_what_it_can() -> None:
    star = [(0, 1), (0, 2), (0, 3)]
    for states, wanted in (
        ([OPEN, OPEN, NO], [NO, NO, NO]),  # the outer vertices have one edge
        ([OPEN, OPEN, OPEN], [NO, NO, NO]),
    ):
        propagated = np.array(states)
        assert CircuitGraph(star).propagate_degrees(propagated) and propagated.tolist() == wanted
    square = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]
    propagated = np.array([YES, OPEN, OPEN, OPEN, NO])
    assert CircuitGraph(square).propagate_degrees(propagated) and propagated.tolist() == [
        YES,
        YES,
        YES,
        YES,
        NO,
    ]
    assert not CircuitGraph(square).propagate_degrees(np.array([YES, OPEN, OPEN, YES, YES]))
    turn = [(0, 0), (0, 1), (1, 0)]
    propagated = np.array([OPEN, YES, OPEN])
    assert CircuitGraph(turn).propagate_degrees(propagated)
    assert propagated.tolist() == [NO, YES, YES]


@given(CYCLES, EDGES, st.randoms(use_true_random=False))
def test_cycles_and_what_leads_away_from_them(
    sizes: list[int], others: list[tuple[int, int]], random: st.DataObject
) -> None:
    starts = [sum(sizes[:place]) for place in range(len(sizes))]
    true = [
        (start + k, start + (k + 1) % size)
        for start, size in zip(starts, sizes)
        for k in range(size)
    ]
    last = sum(sizes)
    edges = [*true, *((one % (last + 2), other % (last + 2)) for one, other in others)]
    order = list(range(len(edges)))
    random.shuffle(order)  # type: ignore[attr-defined]
    mixed = [edges[place] for place in order]
    held = [place for place, old in enumerate(order) if old < len(true)]

    made = CircuitGraph(mixed)
    cycles = made.cycles(held)

    assert sorted(place for cycle in cycles for place in cycle) == held
    inside = [{vertex for place in cycle for vertex in mixed[place]} for cycle in cycles]
    assert sorted(map(sorted, inside)) == [
        [*range(start, start + size)] for start, size in zip(starts, sizes)
    ]
    for vertices, leaving in zip(inside, made.leaving(cycles)):
        assert leaving == [
            place for place, edge in enumerate(mixed) if sum(end in vertices for end in edge) == 1
        ]


@given(EDGES, st.data())
def test_what_is_reached(edges: list[tuple[int, int]], data: st.DataObject) -> None:
    states = data.draw(
        st.lists(st.sampled_from((NO, YES, OPEN)), min_size=len(edges), max_size=len(edges))
    )
    start = data.draw(st.integers(0, len(edges) - 1))
    found = {start}
    for _ in edges:
        vertices = {vertex for place in found for vertex in edges[place]}
        found |= {
            place
            for place, edge in enumerate(edges)
            if states[place] != NO and not vertices.isdisjoint(edge)
        }
    circuit = Circuit(tuple(Variable(f"e{place}") for place in range(len(edges))), tuple(edges))
    assert (
        set(bit_positions(graph_of(circuit).piece(1 << start, bits_of(np.array(states) != NO))))
        == found
    )


def test_what_is_stated_of_a_circuit_is_about_a_vertex_at_a_time() -> None:
    edges = [(number, (number + 1) % 30) for number in range(30)]
    circuit = Circuit(tuple(Variable(f"e{place}") for place in range(30)), tuple(edges))
    model = Model(
        dict.fromkeys(circuit.terms, (False, True)), (Constraint(circuit, Origin("loop")),)
    )  # type: ignore[arg-type]
    *stated, last = with_degrees(model).constraints
    assert last.condition is circuit
    assert len(stated) == 30
    assert all(
        len(variables_of(constraint.condition)) == 2 for constraint in stated
    )  # long ones are dear to covers
