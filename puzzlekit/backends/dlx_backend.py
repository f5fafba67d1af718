"""Dancing links, by the package dlx: the reference for the project's own exact cover."""

from collections.abc import Iterator
from typing import Any

from dlx import DLX

from puzzlekit.backends.base import Backend, Budget
from puzzlekit.backends.exact_cover.backend import COVER_FORMS
from puzzlekit.interpreter import deeply
from puzzlekit.lowering.cover import colours_to_items, to_cover
from puzzlekit.lowering.planner import Supports
from puzzlekit.model import Model
from puzzlekit.query import Query


class DancingLinks(Backend):
    """Knuth's Algorithm X with dancing links; colours are compiled away."""

    name = "dlx"
    about = "dancing links by the package dlx; lists solutions, also to find the best"
    supports = Supports(forms=COVER_FORMS, listing=True, product="cover with colours → cover")

    def run(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        with budget.building():
            cover, decoder = to_cover(model, colour_differences=False)
            budget.check()
            plain = colours_to_items(cover, budget.check)
            links = DLX([(item, DLX.PRIMARY if item < plain.primary else DLX.SECONDARY) for item in range(plain.items)])
            for option in range(plain.options):
                if not option % 64:
                    budget.check()
                # each node has the name of its option
                links.appendRow([item for item, _ in plain.entries(option)], option)

        def fewest_options(links: Any, _: Any) -> Any:
            budget.step()
            return links.smallestColumnSelector(_)

        for solution in deeply(links.solve(fewest_options), 4 * plain.primary):
            chosen = (links.N[node] for node in solution)
            yield decoder.values([option for option in chosen if option < cover.options])
