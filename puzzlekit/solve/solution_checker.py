"""Check many solutions at once against the constraints of the original model, before any pass."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeVar

import numpy as np

from puzzlekit.errors import BackendBug, PuzzlekitError
from puzzlekit.lowering import Ints, SolutionBlocks, columns_of
from puzzlekit.model import Constraint, Layered, Model, Values, Variable, as_dict
from puzzlekit.presolve import Column, ColumnEvaluator, column_of

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
            for values in solutions:
                violated = model.violated(as_dict(values))
                if violated is not None:
                    return violated
            return None
        evaluator = ColumnEvaluator(_columns(model, solutions), len(solutions))
        return _violated_in(model, evaluator)
    except KeyError as error:
        (missing,) = error.args
        if isinstance(missing, Variable):
            raise BackendBug(f"a solution has no value for {missing}") from error
        raise


def _violated_in(model: Model, evaluator: ColumnEvaluator) -> Constraint | None:
    """Return the first constraint that is false for one of the solutions, if any."""
    for constraint in model.constraints:
        if not evaluator.column(constraint.condition).all():
            return constraint
    return None


def _columns(model: Model, solutions: Sequence[Values]) -> Mapping[Variable, Column]:
    """Return the values of the solutions by variable; values that they share are skipped."""
    chosen = columns_of(solutions)
    if chosen is not None:
        return _with_shared(chosen, model, as_dict(solutions[0]), len(solutions))
    first = solutions[0]
    if isinstance(first, Layered):
        common = first.common
        upper = [
            values.overrides
            for values in solutions
            if isinstance(values, Layered) and values.common is common
        ]
        if len(upper) == len(solutions):
            return _columns_of_layers(model, common, upper)
    return {
        variable: column_of([values[variable] for values in solutions])
        for variable in model.domains
    }


def _columns_of_layers(
    model: Model, common: Values, upper: Sequence[Values]
) -> Mapping[Variable, Column]:
    """Return the values of solutions by variable: common values, and others that precede them."""
    variables = {**common, **dict.fromkeys(chain.from_iterable(upper))}
    number = {variable: index for index, variable in enumerate(variables)}
    entries = chain.from_iterable(upper)
    numbers = np.fromiter(map(number.__getitem__, entries), dtype=np.int64)
    order = np.argsort(numbers, stable=True)
    starts = np.searchsorted(numbers[order], np.arange(len(number) + 1))
    rows = np.repeat(np.arange(len(upper)), list(map(len, upper)))[order]
    members = chain.from_iterable(values.values() for values in upper)
    sorted_members = np.fromiter(members, dtype=object, count=len(numbers))[order]
    columns = {}
    for variable in model.domains:
        span = slice(starts[number[variable]], starts[number[variable] + 1])
        members_of_variable = sorted_members[span].tolist()
        size = len(members_of_variable)
        if size == len(upper):
            columns[variable] = column_of(members_of_variable)
        else:
            indices = np.zeros(len(upper), dtype=np.int64)  # 0 is the common value
            indices[rows[span]] = np.arange(1, 1 + size)
            columns[variable] = column_of([common[variable], *members_of_variable])[indices]
    return columns


def _with_shared(
    columns: Mapping[Variable, Column], model: Model, shared: Values, count: int
) -> Mapping[Variable, Column]:
    """Return the columns, with a constant one for each variable that has none."""
    complete = dict(columns)
    for variable in model.domains:
        if variable not in complete:
            complete[variable] = np.broadcast_to(column_of([shared[variable]]), count)
    return complete


def _violated_in_blocks(
    model: Model, blocks: Sequence[Ints], solutions: SolutionBlocks
) -> Constraint | None:
    count = sum(map(len, blocks))
    if count < CHECKED_ALONE:
        few_solutions = chain.from_iterable(map(solutions.solutions, blocks))
        return violated_by(model, list(few_solutions))
    chosen = solutions.decoder.columns(blocks)
    columns = _with_shared(chosen, model, solutions.common, count)
    return _violated_in(model, ColumnEvaluator(columns, count))


def _checked_blocks(model: Model, solutions: SolutionBlocks) -> Iterator[Values]:
    began = time.monotonic()
    until = began
    most = _most(model)

    def is_full(blocks: list[Ints]) -> bool:
        return sum(map(len, blocks)) >= most or time.monotonic() >= until

    for blocks in _batches(solutions.blocks, is_full):
        _require_sound(_violated_in_blocks(model, blocks, solutions))
        yield from chain.from_iterable(map(solutions.solutions, blocks))
        now = time.monotonic()
        until = now + max(CHECKED_SECONDS, CHECKED_SHARE * (now - began))


def _batches(stream: Iterator[T], is_full: Callable[[list[T]], bool]) -> Iterator[list[T]]:
    """Yield the items in lists. If the stream fails, earlier items are yielded first."""
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


def _require_sound(violated: Constraint | None) -> None:
    if violated is not None:
        raise BackendBug(f"a solution violates the rule: {violated.origin}")


def _most(model: Model) -> int:
    """Return the number of solutions that are checked together."""
    by_values = CHECKED_VALUES // max(1, len(model.domains))
    return max(1, min(CHECKED_SOLUTIONS, by_values))


def checked_solutions(model: Model, solutions: Iterator[Values]) -> Iterator[Values]:
    """Yield the same solutions, checked: the first at once, then in growing batches.

    Raises BackendBug for a solution that violates a rule. Solutions that come before the stream
    fails are yielded first.
    """
    if isinstance(solutions, SolutionBlocks):
        return _checked_blocks(model, solutions)
    return _checked_batches(model, solutions)


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
