"""Hold many answers at once to the conditions of the model that the rules made, before any pass touched it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from puzzlekit.errors import BackendBug, PuzzlekitError
from puzzlekit.model import Constraint, Model, Values
from puzzlekit.passes.columns import Sheet, column_of

MOST = 512  # answers that are held to the rules together
FEW = 12  # answers up to which it is quicker to take them one by one
PATIENCE = 0.1  # seconds that an answer waits for others


def broken_by(model: Model, answers: Sequence[Values]) -> Constraint | None:
    """A constraint that one of these answers breaks; None if all are sound."""
    if len(answers) < FEW:
        return next((broken for values in answers if (broken := model.broken(values)) is not None), None)
    columns = {variable: column_of([values[variable] for values in answers]) for variable in model.domains}
    sheet = Sheet(columns, len(answers))
    return next((c for c in model.constraints if not sheet.column(c.condition).all()), None)


def refereed(model: Model, answers: Iterator[Values]) -> Iterator[Values]:
    """The same answers, each one checked: the first at once, then more and more together.

    Raises BackendBug for an answer that breaks a rule. What was found before the stream failed is given first.
    """
    size = 1
    failure: BaseException | None = None
    while failure is None:
        batch: list[Values] = []
        until = time.monotonic() + PATIENCE
        try:
            while len(batch) < size and (not batch or time.monotonic() < until):
                batch.append(next(answers))
        except (StopIteration, PuzzlekitError, KeyboardInterrupt) as reason:
            failure = reason
        constraint = broken_by(model, batch) if batch else None
        if constraint is not None:
            raise BackendBug(f"an answer breaks the rule: {constraint.origin}")
        yield from batch
        size = min(2 * size, MOST)
    if not isinstance(failure, StopIteration):
        raise failure
