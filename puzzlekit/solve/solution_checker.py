"""Check many solutions at once against the constraints of the original model, before any pass."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeVar

import numpy as np

from puzzlekit.errors import BackendBug, PuzzlekitError
from puzzlekit.lowering.cover_decoder import Ints, SolutionBlocks, columns_of
from puzzlekit.model import Constraint, Layered, Model, Values, Variable, as_dict
from puzzlekit.presolve.vector_eval import Column, ColumnEvaluator, column_of

CHECKED_ALONE = 12  # solutions up to which checking one by one is faster
CHECKED_SECONDS = 0.1  # for which a solution waits for others
CHECKED_SOLUTIONS = 16_384  # per block
CHECKED_VALUES = 2_000_000  # per block, in all its solutions together
CHECKED_GROWTH = 4  # of a block relative to the one before
CHECKED_SHARE = 0.2  # of the elapsed time that it may wait, if that is longer

T = TypeVar("T")


def violated_by(model: Model, solutions: Sequence[Values]) -> Constraint | None:
    """Return a constraint that one of these solutions violates, or None if all are sound.

    Raises BackendBug for a solution that lacks a value.
    """
    try:
        if len(solutions) < CHECKED_ALONE:
            return next(
                (
                    broken
                    for values in solutions
                    if (broken := model.violated(as_dict(values))) is not None
                ),
                None,
            )
        sheet = ColumnEvaluator(_columns(model, solutions), len(solutions))
        return next((c for c in model.constraints if not sheet.column(c.condition).all()), None)
    except KeyError as error:
        (missing,) = error.args
        if isinstance(missing, Variable):
            raise BackendBug(f"a solution has no value for {missing}") from error
        raise


def _columns(model: Model, solutions: Sequence[Values]) -> Mapping[Variable, Column]:
    """Return the values of the solutions by variable; values that they share are skipped."""
    if (chosen := columns_of(solutions)) is not None:
        return _with_shared(chosen, model, as_dict(solutions[0]), len(solutions))
    common = solutions[0].common if isinstance(solutions[0], Layered) else None
    own = [
        values.overrides
        for values in solutions
        if isinstance(values, Layered) and values.common is common
    ]
    if common is None or len(own) < len(solutions):
        return {
            variable: column_of([values[variable] for values in solutions])
            for variable in model.domains
        }
    number = {
        variable: place
        for place, variable in enumerate({**common, **dict.fromkeys(chain.from_iterable(own))})
    }
    of = np.fromiter(map(number.__getitem__, chain.from_iterable(own)), dtype=np.int64)
    order = np.argsort(of, kind="stable")
    starts = np.searchsorted(of[order], np.arange(len(number) + 1))
    rows = np.repeat(np.arange(len(own)), list(map(len, own)))[order]
    said = np.fromiter(
        chain.from_iterable(values.values() for values in own), dtype=object, count=len(of)
    )[order]
    columns = {}
    for variable in model.domains:
        span = slice(starts[number[variable]], starts[number[variable] + 1])
        if span.stop - span.start == len(own):
            columns[variable] = column_of(said[span].tolist())
        else:
            which = np.zeros(len(own), dtype=np.int64)
            which[rows[span]] = np.arange(1, 1 + span.stop - span.start)
            columns[variable] = column_of([common[variable], *said[span].tolist()])[which]
    return columns


def _with_shared(
    columns: Mapping[Variable, Column], model: Model, shared: Values, count: int
) -> Mapping[Variable, Column]:
    """Return the columns, with a constant one for each variable that has none."""
    rest = (variable for variable in model.domains if variable not in columns)
    return {
        **columns,
        **{variable: np.broadcast_to(column_of([shared[variable]]), count) for variable in rest},
    }


def _broken_in(
    model: Model, blocks: Sequence[Ints], solutions: SolutionBlocks
) -> Constraint | None:
    count = sum(map(len, blocks))
    if count < CHECKED_ALONE:
        return violated_by(model, [*chain.from_iterable(map(solutions.solutions, blocks))])
    sheet = ColumnEvaluator(
        _with_shared(solutions.decoder.columns(blocks), model, solutions.common, count), count
    )
    return next((c for c in model.constraints if not sheet.column(c.condition).all()), None)


def _checked_blocks(model: Model, solutions: SolutionBlocks) -> Iterator[Values]:
    began = until = time.monotonic()
    most = _most(model)

    def is_full(blocks: list[Ints]) -> bool:
        return sum(map(len, blocks)) >= most or time.monotonic() >= until

    for blocks in _batches(solutions.blocks, is_full):
        _require_sound(_broken_in(model, blocks, solutions))
        yield from chain.from_iterable(map(solutions.solutions, blocks))
        until = time.monotonic() + max(CHECKED_SECONDS, CHECKED_SHARE * (time.monotonic() - began))


def _batches(stream: Iterator[T], is_full: Callable[[list[T]], bool]) -> Iterator[list[T]]:
    """Yield the items in lists. If the stream fails, what it gave before is yielded first."""
    batch: list[T] = []
    try:
        for item in stream:  # one by one: the next may take long
            batch.append(item)
            if is_full(batch):
                full, batch = batch, []
                yield full
    except (PuzzlekitError, KeyboardInterrupt):
        if batch:
            yield batch
        raise
    if batch:
        yield batch


def _require_sound(broken: Constraint | None) -> None:
    if broken is not None:
        raise BackendBug(f"a solution violates the rule: {broken.origin}")


def _most(model: Model) -> int:
    """Return the number of solutions that are checked together."""
    return max(1, min(CHECKED_SOLUTIONS, CHECKED_VALUES // max(1, len(model.domains))))


def checked_solutions(model: Model, solutions: Iterator[Values]) -> Iterator[Values]:
    """Yield the same solutions, checked: the first at once, then in growing batches.

    Raises BackendBug for a solution that violates a rule. Solutions found before the stream fails
    are yielded first.
    """
    return (
        _checked_blocks(model, solutions)
        if isinstance(solutions, SolutionBlocks)
        else _checked_batches(model, solutions)
    )


def _checked_batches(model: Model, solutions: Iterator[Values]) -> Iterator[Values]:
    size = 1
    most = _most(model)
    until = time.monotonic() + CHECKED_SECONDS

    def is_full(batch: list[Values]) -> bool:
        return len(batch) >= size or time.monotonic() >= until

    for batch in _batches(solutions, is_full):
        _require_sound(violated_by(model, batch))
        yield from batch
        size = min(CHECKED_GROWTH * size, most)
        until = time.monotonic() + CHECKED_SECONDS
