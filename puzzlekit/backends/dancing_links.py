"""Dancing links, by the package dlx: the reference to check the own exact cover engine against."""

from collections.abc import Iterator
from typing import Any

from dlx import DLX

from puzzlekit.backends.base import Backend, Budget, allow_depth
from puzzlekit.backends.exact_cover import lower
from puzzlekit.model import Model, Values
from puzzlekit.passes.cover import colours_to_items
from puzzlekit.passes.projection import distinct


class DancingLinks(Backend):
    """Knuth's Algorithm X with dancing links, colours compiled away."""

    name = "dlx"
    about = "dancing links by the package dlx; lists answers, and improves a goal by asking again"

    def answers(self, model: Model, budget: Budget) -> Iterator[Values]:
        cover, meaning = lower(model, colour_differences=False)
        plain = colours_to_items(cover)

        def fewest_options(links: Any, _: Any) -> Any:
            budget.step()
            return links.smallestColumnSelector(_)

        columns = [(item, DLX.PRIMARY if item < plain.primary else DLX.SECONDARY) for item in range(plain.items)]
        rows = [[item for item, _ in plain.entries(option)] for option in range(plain.options)]
        links = DLX(columns)
        links.appendRows(rows, range(len(rows)))  # a row's name, its option, stands at each of its nodes

        allow_depth(plain.primary)

        def values() -> Iterator[Values]:
            for solution in links.solve(fewest_options):
                chosen = (links.N[node] for node in solution)
                yield meaning.values(option for option in chosen if option < cover.options)

        return distinct(model, values())
