"""Remove duplicate solutions: those that differ only in auxiliary values count as one."""

from collections.abc import Iterable, Iterator

from puzzlekit.model import Model, Values
from puzzlekit.presolve.split import determined


def distinct(model: Model, solutions: Iterable[Values]) -> Iterator[Values]:
    """Yield the solutions whose visible values are new.

    Nothing is remembered where the visible values determine the auxiliary ones.
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
