"""Exact covers listed by a search, in blocks and by a frontier: each once, whoever finds it."""

from collections import Counter
from dataclasses import replace
from math import inf
from random import Random

import numpy as np
import pytest

from puzzlekit.backends import cover_blocks, cover_frontier, cover_search, exact_cover
from puzzlekit.backends.base import Budget
from puzzlekit.backends.cover_blocks import BlockSearch
from puzzlekit.backends.cover_frontier import Covers, Frontier, Mode, start_frontier
from puzzlekit.backends.cover_search import CoverSearch
from puzzlekit.backends.exact_cover import list_covers
from puzzlekit.errors import Stopped
from puzzlekit.lowering.cover import PLAIN, Cover, to_cover
from puzzlekit.model import Cardinality, Constraint, Model, Origin, Variable
from puzzlekit.query import Query
from tests.model.asking import search
from tests.model.drawn import solved
from tests.model.random_models import shown, story


def tiling(wide: int, high: int) -> CoverSearch:
    """Dominoes on a board."""
    cells = [(row, column) for row in range(high) for column in range(wide)]
    pairs = [
        (a, b) for a in cells for b in cells if a < b and abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1
    ]
    places = {pair: Variable(f"{pair}") for pair in pairs}
    rules = [
        Cardinality(tuple((v, True) for pair, v in places.items() if cell in pair), 1, 1)
        for cell in cells
    ]
    model = Model(
        dict.fromkeys(places.values(), (False, True)),
        tuple(Constraint(rule, Origin("once")) for rule in rules),
    )
    return CoverSearch(to_cover(model)[0], Budget())


def set_constants(monkeypatch: pytest.MonkeyPatch, **constants: float) -> None:
    """Set constants of the search, the blocks and the frontier;
    the search goes on in blocks at once.
    """
    for name, value in {"FIRST_NODES": 1, "FIRST_OPTIONS": 1_000_000, **constants}.items():
        (owner,) = (
            one
            for one in (exact_cover, cover_search, cover_blocks, cover_frontier)
            if name in vars(one)
        )
        monkeypatch.setattr(owner, name, value)


@pytest.mark.parametrize(
    "constants",
    [
        {"LISTED_NODES": 1},  # the frontier lists nearly all
        {"LISTED_NODES": 3},
        {"BLOCK_NODES": 1},
        {"BLOCK_NODES": 3, "NARROW_NODES": 2, "WAITING_WORDS": 5},
        {"FIRST_NODES": 1_000_000},  # one by one
    ],
)
def test_every_solution_is_listed_once(
    constants: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One by one, in blocks, or by the frontier,
    which ends the listing early where no colours are.
    """
    set_constants(monkeypatch, **constants)
    for model, wanted in solved(100):
        found = Counter(
            shown(model, values) for values in search(model, "exact-cover").run(Query())
        )
        assert found == Counter(wanted), story(model)


@pytest.mark.parametrize(
    "constants",
    [
        {},
        {"LISTED_COVERS": 5},
        {"TRIAL_STATES": 1},
        {"LISTED_STORED_WORDS": 40},
        {"LISTED_STEP_STATES": 20},
    ],
)
def test_the_frontier_and_the_search_list_the_same_covers(
    constants: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the frontier is given up because of too many states."""
    covers = {options(chosen, 31) for chosen in tiling(4, 5).covers()}
    assert len(covers) == 95  # OEIS A028469
    set_constants(monkeypatch, LISTED_NODES=10, **constants)
    found = [options(row, 31) for row in list_covers(tiling(4, 5))]
    assert len(found) == 95 and set(found) == covers


def options(row: Covers | tuple[int, ...], number: int) -> frozenset[int]:
    """Return the options of a cover, which may be a padded row of an array."""
    return frozenset(int(option) for option in row if option < number)


@pytest.mark.parametrize("first_nodes", [0, 1, 5, 20, 40])
@pytest.mark.parametrize("block", [1, 2, 100])
def test_blocks_go_on_where_a_search_was_interrupted(
    first_nodes: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cover_blocks, "BLOCK_NODES", block)
    dominoes = tiling(4, 4)
    assert dominoes.cover.options == 24
    found = [options(cover, 24) for cover in dominoes.covers(first_nodes)]
    blocks = BlockSearch(dominoes)
    for nodes in range(1_000):
        found += [options(row, 24) for row in blocks.covers(nodes)]
        assert blocks.is_complete or nodes <= dominoes.nodes < max(nodes, first_nodes) + block + 1
    assert blocks.is_complete
    assert len(found) == 36 and set(found) == {
        options(cover, 24) for cover in tiling(4, 4).covers()
    }


def drawn_cover(random: Random) -> Cover:
    """A cover of a few options, some of which give secondary items a colour."""
    primary, items, options = random.randint(2, 6), random.randint(6, 8), random.randint(4, 14)
    entries = []
    for option in range(options):
        covered = random.sample(range(primary), random.randint(1, min(3, primary)))
        covered += random.sample(range(primary, items), random.randint(0, min(2, items - primary)))
        entries += [
            (option, item, random.randint(PLAIN, 1) if item >= primary else PLAIN)
            for item in covered
        ]
    option, item, colour = map(np.array, zip(*entries))
    return Cover(primary, items, options, option, item, colour)


def agree(cover: Cover, one: int, other: int) -> bool:
    """Whether two options may be chosen together."""
    shared = dict(cover.entries(one)).items(), dict(cover.entries(other))
    return all(
        colour == shared[1][item] != PLAIN for item, colour in shared[0] if item in shared[1]
    )


def tried(cover: Cover) -> set[tuple[int, ...]]:
    """All covers, by trying all sets of options that agree."""
    sets: list[tuple[int, ...]] = [()]
    for option in range(cover.options):
        sets += [
            (*chosen, option) for chosen in sets if all(agree(cover, one, option) for one in chosen)
        ]
    wanted = set(range(cover.primary))
    return {
        one
        for one in sets
        if {i for o in one for i, _ in cover.entries(o) if i < cover.primary} == wanted
    }


@pytest.mark.parametrize("block", [1, 3, 100])
def test_blocks_list_the_covers_that_exist(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cover_blocks, "BLOCK_NODES", block)
    several = 0
    for seed in range(150):
        cover = drawn_cover(Random(seed))
        first = CoverSearch(cover, Budget())
        found = [tuple(sorted(chosen)) for chosen in first.covers(1)]
        if first.waiting:
            found += [
                tuple(sorted(row[row < cover.options].tolist()))
                for row in BlockSearch(first).covers()
            ]
        assert Counter(found) == Counter(tried(cover)), seed
        several += len(found) > 1
    assert several > 20


def test_a_budget_of_steps_ends_a_search_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    set_constants(monkeypatch)
    with pytest.raises(Stopped):
        list(list_covers(CoverSearch(tiling(4, 5).cover, Budget(steps=40))))


def test_items_with_hundreds_of_options_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of options take two bytes there."""
    set_constants(monkeypatch)
    first, second = np.arange(256), np.arange(256, 512)
    cover = Cover(
        2,
        3,
        512,
        np.arange(512).repeat(2),
        np.array([[0, 2]] * 256 + [[1, 2]] * 256).ravel(),
        np.full(1024, PLAIN),
    )
    cover.colour[1::2] = np.concatenate(
        [first, second - 256]
    )  # an option of each item, with the same colour
    rows = map(np.asarray, list_covers(CoverSearch(cover, Budget())))
    found = Counter(tuple(sorted(row[row < 512].tolist())) for row in rows)
    assert found == Counter(zip(first.tolist(), second.tolist()))


@pytest.mark.parametrize("size", [4, 64, 140])
def test_states_of_several_words_are_found_again(size: int) -> None:
    """Each option covers half of the items: the even or the odd ones, or those of one half."""
    halves = [range(0, size, 2), range(1, size, 2), range(size // 2), range(size // 2, size)]
    item = np.array([item for half in halves for item in half])
    cover = Cover(size, size, 4, np.repeat(np.arange(4), size // 2), item, np.full(2 * size, PLAIN))
    listing, drawing = (
        swept(CoverSearch(cover, Budget()), purpose) for purpose in (Mode.LIST, Mode.DRAW)
    )
    assert {tuple(row) for block in listing.covers() for row in block.tolist()} == {(0, 1), (2, 3)}
    assert drawing.total == 2
    assert {frozenset(drawing.drawn(Random(seed))) for seed in range(20)} == {
        frozenset((0, 1)),
        frozenset((2, 3)),
    }


def swept(cover_search: CoverSearch, purpose: Mode) -> Frontier:
    frontier = start_frontier(cover_search, purpose)
    assert frontier is not None and frontier.advance(inf)
    return frontier


@pytest.mark.parametrize("growth", [2, 4])
@pytest.mark.parametrize("wide", [False, True])
def test_the_search_and_the_frontier_count_in_turns(
    growth: int, wide: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the frontier becomes too wide, the search counts the rest."""
    set_constants(
        monkeypatch, COUNTER_STEPS=1, FRONTIER_PACE=40, TURN_GROWTH=growth, TRIAL_STATES=1
    )
    if wide:
        set_constants(monkeypatch, STEP_STATES=2, TRIAL_STEP_STATES=2)
    known = exact_cover.count_covers(tiling(4, 5), Mode.DRAW)
    assert known.total == 95
    assert isinstance(known, CoverSearch if wide else Frontier)
    found = Counter(options(known.drawn(Random(seed)), 31) for seed in range(2_000))
    assert set(found) == {options(chosen, 31) for chosen in tiling(4, 5).covers()}


@pytest.mark.parametrize("ties", [False, True])
def test_the_cheapest_covers_are_those_of_all(ties: bool) -> None:
    """Listed within a cost, counted at the least one, and found."""
    several = 0
    for seed in range(150):
        cover, random = drawn_cover(Random(seed)), Random(seed)
        cover = replace(cover, costs=tuple(random.randint(-2, 3) for _ in range(cover.options)))
        costs = {chosen: sum(cover.costs[option] for option in chosen) for chosen in tried(cover)}
        found = [*CoverSearch(cover, Budget(), ties).improving()]
        assert bool(found) == bool(costs), seed
        least = min(costs.values(), default=0)
        assert not found or costs[tuple(sorted(found[-1]))] == least, seed
        assert not ties or CoverSearch(cover, Budget(), ties).count(least) == [
            *costs.values()
        ].count(least), seed
        for within in range(least - 1, least + 3):
            listed_within = [
                tuple(sorted(chosen))
                for chosen in CoverSearch(cover, Budget(), ties).covers_within(within)
            ]
            assert Counter(listed_within) == Counter(
                one for one in costs if costs[one] <= within
            ), seed
        several += len(costs) > 2
    assert several > 20
