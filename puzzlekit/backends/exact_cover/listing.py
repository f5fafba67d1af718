"""List exact covers: a search and a frontier take turns, until either is done."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import repeat

import numpy as np

from puzzlekit.backends.base import Budget
from puzzlekit.backends.exact_cover.block_listing import BlockListing
from puzzlekit.backends.exact_cover.cover_search import CoverListing, CoverSearch
from puzzlekit.backends.exact_cover.frontier import Covers, Frontier, Purpose
from puzzlekit.limits import limits


def listed(cover_search: CoverSearch, budget: Budget) -> Iterator[Sequence[int] | Covers]:
    """Yield every cover once, as its options; when the stream ends, it is complete.

    The search yields its first covers at once, and goes on in blocks of nodes. The frontier finds
    none before it is through, but needs a fraction of the time where partial covers leave the same
    items open. So it has its turns as long as it seems to need less than a part of the time that
    the search seems to need.
    """
    cover, most = cover_search.cover, limits().searching
    search: CoverListing | BlockListing = CoverListing(cover_search, budget)
    frontier: Frontier | None = None
    given: list[Sequence[int] | Covers] = []
    nodes = most.first_nodes + cover.options // most.first_options
    while True:
        for chosen in search.covers(nodes):
            if len(given) <= most.listed_covers:  # more are of no use
                given.append(chosen)
            yield chosen
        if search.is_complete:
            return
        if isinstance(search, CoverListing) and cover.options <= most.cached_options:
            search = BlockListing(search)
            nodes = max(nodes, most.listing_nodes)
            continue
        if len(given) > most.listed_covers or (frontier is not None and not frontier.possible):
            break
        # the states that the frontier could have in the time that the search seems to need
        states = int(search.pace * search.nodes / max(search.share, most.least_share))
        if frontier is None and states > most.tried_states + most.entry_states * len(cover.item):
            frontier = Frontier(cover, budget, Purpose.LIST)
        if frontier is not None and frontier.expected < most.listing_part * states:
            frontier.advance(int(search.pace * search.nodes) - frontier.work)
            if frontier.total is not None:
                yield from _others(frontier, {*map(_key, given, repeat(cover.options))}, cover.options)
                return
        nodes *= 2
    yield from search.covers()


def _others(frontier: Frontier, given: set[bytes], nothing: int) -> Iterator[Covers]:
    """Yield the covers that are not given yet."""
    for block in frontier.covers():
        for row in block:
            if given:
                key = _key(row, nothing)
                if key in given:
                    given.remove(key)
                    continue
            yield row


def _key(chosen: Sequence[int] | Covers, nothing: int) -> bytes:
    options = chosen.tolist() if isinstance(chosen, np.ndarray) else chosen
    return array("I", sorted([option for option in options if option < nothing])).tobytes()
