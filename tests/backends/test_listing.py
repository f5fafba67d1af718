"""Exact covers listed by a search and a frontier in turns: each once, whoever finds it."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from puzzlekit.backends.base import Budget
from puzzlekit.backends.exact_cover.block_listing import BlockListing
from puzzlekit.backends.exact_cover.cover_search import CoverListing, CoverSearch
from puzzlekit.backends.exact_cover.frontier import Frontier, Purpose
from puzzlekit.backends.exact_cover.listing import listed
from puzzlekit.errors import Stopped
from puzzlekit.limits import replaced
from puzzlekit.lowering.cover import PLAIN, Cover, to_cover
from puzzlekit.model import Cardinality, Constraint, Model, Origin, Variable
from puzzlekit.query import Query
from tests.model.asking import search
from tests.model.drawn import solved
from tests.model.random_models import shown, story


def tiling(wide: int, high: int) -> CoverSearch:
    """Dominoes on a board."""
    cells = [(row, column) for row in range(high) for column in range(wide)]
    pairs = [(a, b) for a in cells for b in cells if a < b and abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    places = {pair: Variable(f"{pair}") for pair in pairs}
    rules = [Cardinality(tuple((v, True) for pair, v in places.items() if cell in pair), 1, 1) for cell in cells]
    model = Model(dict.fromkeys(places.values(), (False, True)), tuple(Constraint(rule, Origin("once")) for rule in rules))
    return CoverSearch(to_cover(model)[0])


NONE_FIRST = {"first_nodes": 1, "first_options": 1_000_000}  # the search goes on in blocks at once


@pytest.mark.parametrize(
    "turns",
    [
        {"listing_nodes": 1, "tried_states": 0, "entry_states": 0, "listing_part": 1e9, "block_pace": 100_000},
        {"listing_nodes": 3, "tried_states": 0, "entry_states": 0, "listing_part": 1e9, "block_pace": 100_000},
        {"block_nodes": 1},
        {"block_nodes": 3, "narrow_nodes": 2, "waiting_words": 5},
        {"block_nodes": 1_000},
        {"cached_options": 0, "first_nodes": 1_000_000},
    ],
)
def test_every_solution_is_listed_once(turns: dict[str, int]) -> None:
    """One by one, in blocks, or by the frontier, which ends the listing early where no colours are."""
    with replaced(**{**NONE_FIRST, **turns}):
        for model, wanted in solved(100):
            found = Counter(shown(model, values) for values in search(model, "exact-cover").run(Query()))
            assert found == Counter(wanted), story(model)


@pytest.mark.parametrize("limits", [{}, {"listed_ways": 5}, {"trial_states": 1}, {"listing_words": 40}, {"listing_states": 20}])
def test_the_frontier_and_the_search_list_the_same_covers(limits: dict[str, int]) -> None:
    cover_search = tiling(4, 5)
    covers = {frozenset(chosen) for chosen in cover_search.covers(Budget())}
    assert len(covers) == 95  # OEIS A028469
    turns = {**NONE_FIRST, "listing_nodes": 10, "tried_states": 0, "entry_states": 0, "listing_part": 1e9}
    with replaced(**turns, **limits):
        found = [
            frozenset(row[row < cover_search.cover.options].tolist() if hasattr(row, "tolist") else row)
            for row in listed(cover_search, Budget())
        ]
    assert len(found) == 95 and set(found) == covers


def options(row) -> frozenset[int]:  # type: ignore[no-untyped-def]
    """The options of a cover, which may be a padded row of an array; 24 dominoes lie on 4 × 4."""
    return frozenset(option for option in row if option < 24)


@pytest.mark.parametrize("in_blocks", [0, 1, 5, 20, 40])
@pytest.mark.parametrize("block", [1, 2, 100])
def test_blocks_go_on_where_a_search_was_interrupted(in_blocks: int, block: int) -> None:
    cover_search = tiling(4, 4)
    assert cover_search.cover.options == 24
    first = CoverListing(cover_search, Budget())
    found = [options(cover) for cover in first.covers(in_blocks)]
    with replaced(block_nodes=block):
        blocks = BlockListing(first)
        for nodes in range(1_000):
            before = blocks.share
            found += map(options, blocks.covers(nodes))
            assert before <= blocks.share + 1e-9 and blocks.share <= 1.0 + 1e-9
            assert blocks.is_complete or blocks.nodes == max(nodes, first.nodes)
    assert blocks.is_complete and blocks.share == pytest.approx(1.0)
    assert len(found) == 36 and set(found) == {options(cover) for cover in cover_search.covers(Budget())}


def drawn_cover(random: Random) -> Cover:
    """A cover of a few options, some of which give secondary items a colour."""
    primary, items, options = random.randint(2, 6), random.randint(6, 8), random.randint(4, 14)
    entries = []
    for option in range(options):
        covered = random.sample(range(primary), random.randint(1, min(3, primary)))
        covered += random.sample(range(primary, items), random.randint(0, min(2, items - primary)))
        entries += [(option, item, random.randint(PLAIN, 1) if item >= primary else PLAIN) for item in covered]
    option, item, colour = map(np.array, zip(*entries))
    return Cover(primary, items, options, option, item, colour)


def agree(cover: Cover, one: int, other: int) -> bool:
    """Whether two options may be chosen together."""
    shared = dict(cover.entries(one)).items(), dict(cover.entries(other))
    return all(colour == shared[1][item] != PLAIN for item, colour in shared[0] if item in shared[1])


def tried(cover: Cover) -> set[tuple[int, ...]]:
    """All covers, by trying all sets of options that agree."""
    sets: list[tuple[int, ...]] = [()]
    for option in range(cover.options):
        sets += [(*chosen, option) for chosen in sets if all(agree(cover, one, option) for one in chosen)]
    wanted = set(range(cover.primary))
    return {one for one in sets if {i for o in one for i, _ in cover.entries(o) if i < cover.primary} == wanted}


@pytest.mark.parametrize("block", [1, 3, 100])
def test_blocks_list_the_covers_that_exist(block: int) -> None:
    several = 0
    for seed in range(150):
        cover = drawn_cover(Random(seed))
        first = CoverListing(CoverSearch(cover), Budget())
        found = [tuple(sorted(chosen)) for chosen in first.covers(1)]
        if not first.is_complete:
            with replaced(block_nodes=block):
                blocks = BlockListing(first)
                found += [tuple(sorted(row[row < cover.options].tolist())) for row in blocks.covers()]
            assert blocks.share == pytest.approx(1.0), seed
        assert Counter(found) == Counter(tried(cover)), seed
        several += len(found) > 1
    assert several > 20


def test_a_budget_of_steps_ends_a_search_in_blocks() -> None:
    cover_search = tiling(4, 5)
    with replaced(**NONE_FIRST), pytest.raises(Stopped):
        list(listed(cover_search, Budget(steps=40)))


def test_items_with_hundreds_of_options_in_blocks() -> None:
    """Numbers of options take two bytes there."""
    first, second = np.arange(256), np.arange(256, 512)
    cover = Cover(2, 3, 512, np.arange(512).repeat(2), np.array([[0, 2]] * 256 + [[1, 2]] * 256).ravel(), np.full(1024, PLAIN))
    cover.colour[1::2] = np.concatenate([first, second - 256])  # an option of each item, with the same colour
    with replaced(**NONE_FIRST):
        found = Counter(tuple(sorted(row[row < 512].tolist())) for row in map(np.asarray, listed(CoverSearch(cover), Budget())))
    assert found == Counter(zip(first.tolist(), second.tolist()))


def test_a_listing_goes_on_where_it_was_interrupted() -> None:
    cover_search = tiling(4, 4)
    listing = CoverListing(cover_search, Budget())
    found = []
    for nodes in range(1_000):
        shares = [listing.share]
        found += listing.covers(nodes)
        assert shares[-1] <= listing.share <= 1.0 + 1e-9
    assert listing.is_complete
    assert found == list(cover_search.covers(Budget())) and len(found) == 36


@pytest.mark.parametrize("size", [4, 64, 140])
def test_states_of_several_words_are_found_again(size: int) -> None:
    """Each option covers half of the items: the even or the odd ones, or those of one half."""
    halves = [range(0, size, 2), range(1, size, 2), range(size // 2), range(size // 2, size)]
    item = np.array([item for half in halves for item in half])
    cover = Cover(size, size, 4, np.repeat(np.arange(4), size // 2), item, np.full(2 * size, PLAIN))
    listing, drawing = (Frontier(cover, Budget(), purpose) for purpose in (Purpose.LIST, Purpose.DRAW))
    listing.advance(1_000_000)
    drawing.advance(1_000_000)
    assert {tuple(row) for block in listing.covers() for row in block.tolist()} == {(0, 1), (2, 3)}
    assert drawing.total == 2
    assert {frozenset(drawing.drawn(Random(seed))) for seed in range(20)} == {frozenset((0, 1)), frozenset((2, 3))}
