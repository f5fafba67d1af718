"""Simple cycles, held to brute force, and the exchanges that walk along them."""

from collections import Counter
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings, strategies as st
from puzzlekit_waffle.exchanges import exchanges

from puzzlekit.boards import Cell, Cycle, simple_cycles
from puzzlekit.errors import InputError
from tests.limits import replaced

QUICK = settings(derandomize=True, deadline=None, max_examples=80)
NODES = st.integers(0, 5)
ARCS = st.lists(st.tuples(NODES, NODES), max_size=14)


def brute(arcs: list[tuple[int, int]]) -> set[tuple[tuple[int, int], ...]]:
    """Every cycle that begins at its least node, by trying every order of every few nodes."""
    found = set()
    for count in range(1, 7):
        for nodes in permutations(range(6), count):
            cycle = tuple(zip(nodes, (*nodes[1:], nodes[0])))
            if nodes[0] == min(nodes) and set(cycle) <= set(arcs):
                found.add(cycle)
    return found


@QUICK
@given(ARCS)
def test_simple_cycles_are_those_of_brute_force(arcs: list[tuple[int, int]]) -> None:
    cycles = simple_cycles(arcs)
    assert len(set(cycles)) == len(cycles)
    assert {tuple(cycle) for cycle in cycles} == brute(arcs)


def test_a_cycle_prints_its_nodes() -> None:
    assert [str(cycle) for cycle in simple_cycles([("a", "b"), ("b", "a"), ("b", "b")])] == [
        "a→b→a",
        "b→b",
    ]
    assert str(Cycle()) == ""


def test_too_many_cycles_or_steps_are_refused() -> None:
    arcs = [(a, b) for a in range(6) for b in range(6)]
    for name, message in (
        ("cycles", "too many"),
        ("cycle_arcs", "too many"),
        ("cycle_steps", "more than 9 steps"),
    ):
        with replaced(**{name: 9}), pytest.raises(InputError, match=message):
            simple_cycles(arcs)
    with pytest.raises(InputError, match="must have one type"):
        simple_cycles([(1, "a")])


@QUICK
@given(
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=10).flatmap(
        lambda s: st.tuples(st.just(s), st.permutations(s))
    )
)
def test_exchanges_lead_from_start_to_target(boards: tuple[list[str], list[str]]) -> None:
    start, target = (
        {Cell(1, column): symbol for column, symbol in enumerate(row, 1)} for row in boards
    )
    arcs = [(start[c], target[c]) for c in start if start[c] != target[c]]
    cycles = _cover(arcs)
    now = dict(start)
    steps = exchanges(start, target, cycles)
    for step in steps:
        assert (now[step.first], now[step.second]) == (step.symbol, step.second_symbol)
        right = sum(now[c] == target[c] for c in (step.first, step.second))
        now[step.first], now[step.second] = now[step.second], now[step.first]
        assert right == 0 or len(cycles) < len(arcs)
        assert sum(now[c] == target[c] for c in (step.first, step.second)) > right
    assert now == target
    assert len(steps) == len(arcs) - len(cycles)


def _cover(arcs: list[tuple[str, str]]) -> list[Cycle]:
    """The arcs, each once, as cycles that meet no node twice: walk until a node comes again,
    and cut the cycle off.
    """
    left = Counter(arcs)
    found = []
    while left:
        path = [min(left)[0]]
        while path[-1] not in path[:-1]:
            path.append(min(arc for arc in left if arc[0] == path[-1])[1])
        nodes = path[path.index(path[-1]) :]
        cycle = Cycle(pairwise(nodes))
        found.append(cycle)
        left -= Counter(cycle)
    return found


def test_cycles_that_lead_elsewhere_are_refused() -> None:
    start = {Cell(1, 1): "a", Cell(1, 2): "b"}
    target = {Cell(1, 1): "b", Cell(1, 2): "a"}
    with pytest.raises(InputError, match="do not turn"):
        exchanges(start, target, [])
    with pytest.raises(InputError, match="do not turn"):
        exchanges(start, target, [Cycle([("a", "c"), ("c", "a")])])
    (step,) = exchanges(start, target, [Cycle([("a", "b"), ("b", "a")])])
    assert str(step) == "r1c1 A ↔ r1c2 B"
