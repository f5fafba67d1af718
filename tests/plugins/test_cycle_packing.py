"""The most cycles, held to brute force, to prices that prove them, and to boards of every size."""

import random
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from puzzlekit_waffle.exchanges import best_cycles, cycle_packing as module, most_cycles
from puzzlekit_waffle.exchanges.cycle_prices import CyclePrices, Work

from puzzlekit.boards import Cycle, simple_cycles
from puzzlekit.errors import InputError
from tests.limits import replaced

Arcs = list[tuple[int, int]]
QUICK = settings(derandomize=True, deadline=None, max_examples=200)
# Boards of up to eight letters: from and to are the same letters in another order.
BOARDS = st.lists(st.integers(0, 7), max_size=15).flatmap(
    lambda row: st.tuples(st.just(row), st.permutations(row))
)
# Six letters, every pair of which may be an arc several times: dense,
# where two-cycles and prices matter.
LETTERS = "etaoinshrdlucmfwypvbgkjqxz"
OFTEN = (12, 9, 8, 8, 7, 7, 6, 6, 6, 4, 4, 3, 3, 2, 2, 2, 2, 2, 1, 1, 2, 1, 1, 1, 1, 1)


def arcs_between(start: list[int], target: list[int]) -> Arcs:
    return [(a, b) for a, b in zip(start, target) if a != b]


def every_cut(arcs: Arcs) -> list[frozenset[tuple[Cycle, int]]]:
    """Every way to cut the arcs into cycles, by trying for the least arc each cycle through it."""
    cycles = [(cycle, Counter(cycle)) for cycle in simple_cycles(arcs)]

    @cache
    def cuts(left: tuple[tuple[int, int], ...]) -> frozenset[tuple[tuple[Cycle, int], ...]]:
        if not left:
            return frozenset({()})
        often = Counter(left)
        found = set()
        for cycle, used in cycles:
            if left[0] in used and used <= often:
                for rest in cuts(tuple(sorted((often - used).elements()))):
                    times = Counter(dict(rest))
                    times[cycle] += 1
                    found.add(tuple(sorted(times.items())))
        return frozenset(found)

    return [frozenset(cut) for cut in cuts(tuple(sorted(arcs)))]


def random_board(seed: int, cells: int, green: int = 2) -> list[tuple[str, str]]:
    """The arcs of a board of English letters, shuffled but for some green cells."""
    source = random.Random(seed)
    start = source.choices(LETTERS, OFTEN, k=cells)
    target = start[green:]
    source.shuffle(target)
    return [(a, b) for a, b in zip(start[green:], target) if a != b]


def assert_cuts(cycles: tuple[Cycle, ...], arcs: object) -> None:
    assert Counter(arc for cycle in cycles for arc in cycle) == Counter(arcs)  # type: ignore[call-overload]
    for cycle in cycles:
        assert len({tail for tail, _ in cycle}) == len(cycle)
        assert all(one[1] == other[0] for one, other in pairwise((*cycle, cycle[0])))


@QUICK
@given(BOARDS)
def test_no_cut_has_more_cycles(boards: tuple[list[int], list[int]]) -> None:
    arcs = arcs_between(*boards)
    cuts = every_cut(arcs)
    most = max(sum(times for _, times in cut) for cut in cuts)
    cut = most_cycles(arcs)
    assert_cuts(cut.cycles, arcs)
    assert (len(cut.cycles), cut.bound, cut.proven) == (most, most, True)


@QUICK
@given(BOARDS)
def test_best_cycles_hold_every_best_cut(boards: tuple[list[int], list[int]]) -> None:
    arcs = arcs_between(*boards)
    cycles = best_cycles(arcs)
    assert_cuts(cycles.cut, arcs)
    assert cycles[: len(set(cycles.cut))] == tuple(dict.fromkeys(cycles.cut))
    assert len(set(cycles)) == len(cycles)
    for cut in every_cut(arcs):
        if sum(times for _, times in cut) == cycles.bound:
            assert {cycle for cycle, _ in cut} <= set(cycles)
        if cycles.uniform and {cycle for cycle, _ in cut} <= set(cycles):
            assert sum(times for _, times in cut) == cycles.bound
    assert set(cycles) <= set(simple_cycles(arcs))


def most_by_brute_force(arcs: Arcs) -> int:
    """The number of cycles alone, which takes less time than the cuts."""
    cycles = [Counter(cycle) for cycle in simple_cycles(arcs)]

    @cache
    def most(left: tuple[tuple[int, int], ...]) -> int:
        if not left:
            return 0
        often = Counter(left)
        usable = (cycle for cycle in cycles if left[0] in cycle and cycle <= often)
        return max(1 + most(tuple(sorted((often - cycle).elements()))) for cycle in usable)

    return most(tuple(sorted(arcs)))


@pytest.mark.parametrize("hundred", range(30))
def test_thousands_of_random_multigraphs(hundred: int) -> None:
    """Up to nine letters and 22 cells."""
    for seed in range(100 * hundred, 100 * hundred + 100):
        source = random.Random(seed)
        start = [source.randrange(source.randint(2, 9)) for _ in range(source.randint(2, 22))]
        arcs = arcs_between(start, source.sample(start, len(start)))
        cut = most_cycles(arcs)
        assert_cuts(cut.cycles, arcs)
        assert len(cut.cycles) == cut.bound == most_by_brute_force(arcs), seed


def test_loops_are_cycles_and_nodes_may_be_of_any_kind() -> None:
    cut = most_cycles([(1, 1), (1, 1), (1, "a"), ("a", 1)])
    assert sorted(map(len, cut.cycles)) == [1, 1, 2]
    assert cut.proven
    cycles = best_cycles([(1, 1), (1, 1), (1, "a"), ("a", 1)])
    assert sorted(map(len, cycles)) == [1, 2]
    assert (len(cycles.cut), cycles.bound) == (3, 3)
    assert most_cycles([]).proven
    assert best_cycles([]) == ()


def test_what_cannot_be_cut() -> None:
    with pytest.raises(InputError, match="balance at each node: 1 has 0 incoming"):
        most_cycles([(1, 2)])
    assert best_cycles([(1, 2)]) == ()


@pytest.mark.parametrize(("cells", "seeds"), [(21, 100), (40, 60), (65, 30), (96, 15)])
def test_boards_of_every_size_are_proven(cells: int, seeds: int) -> None:
    for seed in range(seeds):
        arcs = random_board(seed, cells)
        cut = most_cycles(arcs)
        assert_cuts(cut.cycles, arcs)
        assert cut.proven


def test_a_board_is_proven_again_by_prices_alone() -> None:
    """The prices of a whole board, two-cycles and all, show the same bound,
    and each cycle costs at least their least.
    """
    shown = 0
    for seed in range(20):
        arcs = random_board(seed, 40)
        cut = most_cycles(arcs)
        nodes, often = module._numbered(arcs)
        prices = CyclePrices(often, Work(10**9))
        of = {
            (nodes[tail], nodes[head]): int(prices.prices[place])
            for place, (tail, head) in enumerate(often)
        }
        assert all(sum(of[arc] for arc in cycle) >= prices.least for cycle in simple_cycles(arcs))
        assert sum(of[arc] for arc in arcs) == prices.cost
        assert len(cut.cycles) <= prices.bound
        shown += len(cut.cycles) == prices.bound
    assert shown >= 15


def test_steps_that_run_out_prove_nothing_false() -> None:
    arcs = random_board(1, 96)
    best = len(most_cycles(arcs).cycles)
    unproven = 0
    for steps in (0, 100, 1_000, 10_000):
        cut = most_cycles(arcs, steps)
        assert_cuts(cut.cycles, arcs)
        assert len(cut.cycles) <= best <= cut.bound
        unproven += not cut.proven
    assert unproven


def test_branching_is_needed_and_proves() -> None:
    """Boards on which the greedy cut is not the best,
    and a graph on which no cut has as many cycles as the prices allow.
    """
    tried = []
    whole = module._cut_into

    def counted(number: int, *others: Any) -> object:
        found = whole(number, *others)
        tried.append(found is not None)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_cut_into", counted)
        assert all(most_cycles(random_board(seed, 96)).proven for seed in range(30))
        ring = [(i, (i + step) % 10) for i in range(10) for step in (1, 6, 8)]
        assert len(most_cycles(ring).cycles) == most_cycles(ring).bound == most_by_brute_force(ring)
    assert {*tried} == {True, False}


def test_too_many_cycles_are_refused() -> None:
    with replaced(cycles=9), pytest.raises(InputError, match="more than 9"):
        best_cycles(random_board(1, 96))
    with pytest.raises(InputError, match="takes more than 100 steps"):
        best_cycles(random_board(1, 96), 100)


def test_a_cycle_of_thousands_of_cells() -> None:
    nodes = range(5_000)
    arcs = list(zip(nodes, [*nodes[1:], 0]))
    assert len(most_cycles(arcs).cycles) == 1
    assert len(best_cycles(arcs)) == 1
