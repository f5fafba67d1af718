"""Dancing links, by the package dlx: the reference to check the own exact cover backend against."""

from collections.abc import Iterator
from typing import Any

from dlx import DLX

from puzzlekit.backends.base import Budget, allow_depth
from puzzlekit.backends.cover_lister import CoverLister
from puzzlekit.backends.exact_cover.backend import lower
from puzzlekit.lowering.cover import colours_to_items
from puzzlekit.model import Model, Values


class DancingLinks(CoverLister):
    """Knuth's Algorithm X with dancing links, colours compiled away."""

    name = "dlx"
    about = "dancing links by the package dlx; lists solutions, also to find the best"

    def covers(self, model: Model, budget: Budget) -> Iterator[Values]:
        with budget.building():
            cover, decoder = lower(model, budget, colour_differences=False)
            plain = colours_to_items(cover, budget.check)
            links = DLX([(item, DLX.PRIMARY if item < plain.primary else DLX.SECONDARY) for item in range(plain.items)])
            for option in range(plain.options):
                if not option % 64:
                    budget.check()
                links.appendRow([item for item, _ in plain.entries(option)], option)  # its name stands at each of its nodes
        allow_depth(plain.primary)

        def fewest_options(links: Any, _: Any) -> Any:
            budget.step()
            return links.smallestColumnSelector(_)

        for solution in links.solve(fewest_options):
            chosen = (links.N[node] for node in solution)
            yield decoder.values([option for option in chosen if option < cover.options])
