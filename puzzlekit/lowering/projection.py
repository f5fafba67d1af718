"""Solutions told apart by what they show: auxiliary values are no part of a solution."""

from collections.abc import Iterable, Iterator

from puzzlekit.model import Model, Values
from puzzlekit.presolve.split import determined


def distinct(model: Model, solutions: Iterable[Values]) -> Iterator[Values]:
    """The solutions without those that agree on all visible variables with one before.

    Where the visible values fix the auxiliary ones nothing needs to be remembered.
    """
    return iter(solutions) if determined(model) else _distinct(model, solutions)


def _distinct(model: Model, solutions: Iterable[Values]) -> Iterator[Values]:
    visible = model.visible()
    seen = set()
    for values in solutions:
        shown = tuple(values[variable] for variable in visible)
        if shown not in seen:
            seen.add(shown)
            yield values
