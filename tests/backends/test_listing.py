"""Exact covers listed by a search and a frontier in turns: each once, whoever finds it."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from puzzlekit.backends.base import Budget
from puzzlekit.backends.exact_cover.cover_search import CoverListing, CoverSearch
from puzzlekit.backends.exact_cover.frontier import Frontier, Purpose
from puzzlekit.backends.exact_cover.listing import listed
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


@pytest.mark.parametrize("nodes", [1, 3])
def test_every_solution_is_listed_once(nodes: int) -> None:
    """The frontier gets its turn after very few nodes, and ends the listing where no colours are."""
    with replaced(listing_nodes=nodes, tried_states=0, entry_states=0, listing_part=1e9, listing_pace=100_000):
        for model, wanted in solved(100):
            found = Counter(shown(model, values) for values in search(model, "exact-cover").run(Query()))
            assert found == Counter(wanted), story(model)


@pytest.mark.parametrize("limits", [{}, {"listed_ways": 5}, {"trial_states": 1}, {"listing_words": 40}, {"listing_states": 20}])
def test_the_frontier_and_the_search_list_the_same_covers(limits: dict[str, int]) -> None:
    cover_search = tiling(4, 5)
    covers = {frozenset(chosen) for chosen in cover_search.covers(Budget())}
    assert len(covers) == 95  # OEIS A028469
    turns = {"listing_nodes": 10, "tried_states": 0, "entry_states": 0, "listing_part": 1e9}
    with replaced(**turns, **limits):
        found = [
            frozenset(row[row < cover_search.cover.options].tolist() if hasattr(row, "tolist") else row)
            for row in listed(cover_search, Budget())
        ]
    assert len(found) == 95 and set(found) == covers


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
