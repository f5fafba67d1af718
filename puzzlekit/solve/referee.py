"""Hold many answers at once to the conditions of the model that the rules made, before any pass touched it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import numpy as np

from puzzlekit.errors import BackendBug, PuzzlekitError
from puzzlekit.lowering.cover_decoder import Blocks, Ints, columns_of
from puzzlekit.model import Constraint, Model, Overlay, Values, Variable, as_dict
from puzzlekit.presolve.vector_eval import Column, Sheet, column_of

MOST = 16_384  # answers that are held to the rules together,
CELLS = 2_000_000  # or as many as have so many values
GROWTH = 4  # so many times as many as before
FEW = 12  # answers up to which it is quicker to take them one by one
PATIENCE = 0.1  # seconds that an answer waits for others,
SHARE = 0.2  # or, where they come in blocks, so much of the time so far


def broken_by(model: Model, answers: Sequence[Values]) -> Constraint | None:
    """A constraint that one of these answers breaks; None if all are sound."""
    if len(answers) < FEW:
        return next((broken for values in answers if (broken := model.broken(as_dict(values))) is not None), None)
    sheet = Sheet(_columns(model, answers), len(answers))
    return next((c for c in model.constraints if not sheet.column(c.condition).all()), None)


def _columns(model: Model, answers: Sequence[Values]) -> Mapping[Variable, Column]:
    """The answers' values by variable. Where answers share most of them, only what is an answer's own is looked at."""
    if (chosen := columns_of(answers)) is not None:
        return _with_shared(chosen, model, as_dict(answers[0]), len(answers))
    common = answers[0].common if isinstance(answers[0], Overlay) else None
    own = [values.own for values in answers if isinstance(values, Overlay) and values.common is common]
    if common is None or len(own) < len(answers):
        return {variable: column_of([values[variable] for values in answers]) for variable in model.domains}
    number = {variable: place for place, variable in enumerate({**common, **dict.fromkeys(chain.from_iterable(own))})}
    of = np.fromiter(map(number.__getitem__, chain.from_iterable(own)), dtype=np.int64)
    order = np.argsort(of, kind="stable")
    starts = np.searchsorted(of[order], np.arange(len(number) + 1))
    rows = np.repeat(np.arange(len(own)), list(map(len, own)))[order]
    said = np.fromiter(chain.from_iterable(values.values() for values in own), dtype=object, count=len(of))[order]
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


def _with_shared(columns: Mapping[Variable, Column], model: Model, shared: Values, count: int) -> Mapping[Variable, Column]:
    """The columns, and one of the same value throughout for each variable that has none."""
    rest = (variable for variable in model.domains if variable not in columns)
    return {**columns, **{variable: np.broadcast_to(column_of([shared[variable]]), count) for variable in rest}}


def _broken_in(model: Model, blocks: Sequence[Ints], answers: Blocks) -> Constraint | None:
    count = sum(map(len, blocks))
    if count < FEW:
        return broken_by(model, [*chain.from_iterable(map(answers.answers, blocks))])
    sheet = Sheet(_with_shared(answers.meaning.columns(blocks), model, answers.common, count), count)
    return next((c for c in model.constraints if not sheet.column(c.condition).all()), None)


def _blocks_refereed(model: Model, answers: Blocks) -> Iterator[Values]:
    began = until = time.monotonic()
    most = _most(model)
    failure: BaseException | None = None
    while failure is None:
        blocks: list[Ints] = []
        try:
            while not blocks or (sum(map(len, blocks)) < most and time.monotonic() < until):
                blocks.append(next(answers.blocks))
        except (StopIteration, PuzzlekitError, KeyboardInterrupt) as reason:
            failure = reason
        constraint = _broken_in(model, blocks, answers) if blocks else None
        if constraint is not None:
            raise BackendBug(f"an answer breaks the rule: {constraint.origin}")
        yield from chain.from_iterable(map(answers.answers, blocks))
        until = time.monotonic() + max(PATIENCE, SHARE * (time.monotonic() - began))
    if not isinstance(failure, StopIteration):
        raise failure


def _most(model: Model) -> int:
    """How many answers are held to the rules together."""
    return max(1, min(MOST, CELLS // max(1, len(model.domains))))


def refereed(model: Model, answers: Iterator[Values]) -> Iterator[Values]:
    """The same answers, each one checked: the first at once, then more and more together.

    Raises BackendBug for an answer that breaks a rule. What was found before the stream failed is given first.
    """
    return _blocks_refereed(model, answers) if isinstance(answers, Blocks) else _refereed(model, answers)


def _refereed(model: Model, answers: Iterator[Values]) -> Iterator[Values]:
    size = 1
    most = _most(model)
    failure: BaseException | None = None
    while failure is None:
        batch: list[Values] = []
        until = time.monotonic() + PATIENCE
        try:
            while len(batch) < size and (not batch or time.monotonic() < until):
                batch.append(next(answers))  # one by one: those that follow may be long in coming
        except (StopIteration, PuzzlekitError, KeyboardInterrupt) as reason:
            failure = reason
        constraint = broken_by(model, batch) if batch else None
        if constraint is not None:
            raise BackendBug(f"an answer breaks the rule: {constraint.origin}")
        yield from batch
        size = min(GROWTH * size, most)
    if not isinstance(failure, StopIteration):
        raise failure
