"""Dancing links, by the package dlx: the reference for the project's own exact cover."""

from collections.abc import Callable, Iterator
from typing import Any

from dlx import DLX

from puzzlekit.backends.base import Backend, Budget
from puzzlekit.backends.exact_cover import COVER_FORMS
from puzzlekit.lowering import Supports, colours_to_items, to_cover
from puzzlekit.model import Model
from puzzlekit.query import Query


class _Links(DLX):  # type: ignore[misc]
    """The links of the package, searched without recursion.

    The package searches with generators inside generators, one for each chosen option. Python 3.12
    aborts where they are many, whatever its recursion limit is.
    """

    nodes = 1  # nodes of the search tree: the root, and each option that was taken

    def _solve(
        self, depth: int, choose: Callable[[Any, Any], int], chosen_with: Any, statistics: Any
    ) -> Iterator[list[int]]:
        if self.R[self.header] == self.header:
            yield []
            return
        levels = [self._level(choose, chosen_with)]
        while levels:
            if not next(levels[-1], False):
                levels.pop()
            elif self.R[self.header] == self.header:
                yield self.partialsolution[:]
            else:
                levels.append(self._level(choose, chosen_with))

    def _level(self, choose: Callable[[Any, Any], int], chosen_with: Any) -> Iterator[bool]:
        """Take each option of one item in turn, and yield while it is taken."""
        item = choose(self, chosen_with)
        if item == self.header or not self.S[item]:
            return
        self._cover(item)
        option = self.D[item]
        while option != item:
            self.partialsolution.append(option)
            self.nodes += 1
            node = self.R[option]
            while node != option:
                self._cover(self.C[node])
                node = self.R[node]
            yield True
            self.partialsolution.pop()
            node = self.L[option]
            while node != option:
                self._uncover(self.C[node])
                node = self.L[node]
            option = self.D[option]
        self._uncover(item)


class DancingLinks(Backend):
    """Knuth's Algorithm X with dancing links; colours are compiled away."""

    name = "dlx"
    about = "dancing links by the package dlx; lists solutions, also to find the best"
    supports = Supports(
        forms=COVER_FORMS,
        listing=True,
        product="cover with colours → cover",
        reports=frozenset({"items", "options", "nodes"}),
    )

    def run(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        with budget.building():
            cover, decoder = to_cover(model, colour_differences=False)
            budget.check()
            plain = colours_to_items(cover, budget.check)
            priority = [DLX.PRIMARY] * plain.primary
            priority += [DLX.SECONDARY] * (plain.items - plain.primary)
            links = _Links(list(enumerate(priority)))
            for option in range(plain.options):
                if not option % 64:
                    budget.check()
                # each node has the name of its option
                links.appendRow([item for item, _ in plain.entries(option)], option)

        budget.note_sizes(items=plain.items, options=plain.options)

        def fewest_options(links: Any, _: Any) -> Any:
            budget.step()
            return links.smallestColumnSelector(_)

        efforts = lambda: {"nodes": links.nodes}  # noqa: E731
        for solution in budget.note_efforts(links.solve(fewest_options), efforts):
            chosen = (links.N[node] for node in solution)
            yield decoder.values([option for option in chosen if option < cover.options])
