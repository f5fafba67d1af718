"""Conditions on shapes for engines that cannot be told of them: ask, cut off what is wrong, ask again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from puzzlekit.lowering.lazy_cuts import Shape, apart, as_cardinality, lacking
from puzzlekit.model import Constraint, Model, Origin, Values


def lazily(model: Model, answers: Callable[[Model], Iterator[Values]]) -> Iterator[Values]:
    """The answers of a model with shapes, by an engine that gives the answers of a model without; auxiliary values included.

    After 1, 2, 4, … wrong answers the engine is asked anew, with the cuts that these have shown.
    """
    rest, shapes = apart(model)
    return _cut(model, rest, shapes, answers) if shapes else answers(model)


def _cut(model: Model, rest: Model, shapes: Sequence[Shape], answers: Callable[[Model], Iterator[Values]]) -> Iterator[Values]:
    given: set[tuple[object, ...]] = set()
    patience = 1
    wrong = patience
    while wrong >= patience:
        patience *= 2
        wrong = 0
        cuts: list[Constraint] = []
        for values in answers(rest):
            clauses = lacking(rest, shapes, values)
            cuts += [Constraint(as_cardinality(clause, rest), Origin("shape")) for clause in clauses]
            wrong += bool(clauses)
            if wrong >= patience:
                break
            key = tuple(values[variable] for variable in model.domains)
            if not clauses and key not in given:
                given.add(key)
                yield values
        rest = replace(rest, constraints=(*rest.constraints, *cuts))
