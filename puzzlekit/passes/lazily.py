"""Connectedness and cycles the lazy way: solve without them, and forbid each wrong shape that turns up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from puzzlekit.model import Acyclic, Cardinality, Circuit, Connected, Constant, Model, Term, Value, Values, Variable, as_dict
from puzzlekit.passes.normalise import literal_of
from puzzlekit.passes.shapes import beside, piece_of

Shape = Connected | Circuit | Acyclic
Wish = tuple[Variable, Value, bool]  # the variable has the value, or has it not
Clause = tuple[Wish, ...]  # one wish at least comes true


def has_shapes(model: Model) -> bool:
    """Whether the model has conditions on shapes."""
    return any(isinstance(constraint.condition, Shape) for constraint in model.constraints)


def apart(model: Model) -> tuple[Model, tuple[Shape, ...]]:
    """The model without its conditions on shapes, and these.

    Needs:  a simplified model: a shape is over literals and constants, and the degrees of a circuit are stated beside it.
    Leaves: a model whose answers are those of the whole if no shape is `lacking` anything.
    """
    shapes = tuple(c.condition for c in model.constraints if isinstance(c.condition, Shape))
    if not shapes:
        return model, ()
    rest = tuple(constraint for constraint in model.constraints if not isinstance(constraint.condition, Shape))
    return replace(model, constraints=rest), shapes


def lacking(model: Model, shapes: Iterable[Shape], values: Values) -> list[Clause]:
    """Clauses that every answer meets and these values do not; none if the shapes are as they should be."""
    found = []
    values = as_dict(values)
    for shape in shapes:
        row = [bool(values[term] if isinstance(term, Variable) else term.value(values)) for term in shape.terms]
        if not shape.met(row):
            found += [_clause(shape, wishes, model) for wishes in _wishes(shape, row, model)]
    return found


def at_once(model: Model, shapes: Iterable[Shape]) -> list[Clause]:
    """Clauses that every answer meets, to begin with: what hangs together with something certain has a neighbour there."""
    found = []
    for shape in shapes:
        if isinstance(shape, Connected):
            certain = [place for place, term in enumerate(shape.terms) if _certain(term, model)]
            for place, others in enumerate(beside(shape)):
                if not certain or [place] == certain or any(other in certain for other in others):
                    continue
                if place in certain or not isinstance(shape.terms[place], Constant):
                    found.append(_clause(shape, [(place, False), *((other, True) for other in others)], model))
    return found


def _certain(term: Term, model: Model) -> bool:
    """Whether the flag is true in every answer."""
    if isinstance(term, Constant):
        return bool(term.constant)
    literal = literal_of(term, model.domains)
    return literal is not None and model.domains[literal[0]] == (literal[1],)


def as_cardinality(clause: Clause, model: Model) -> Cardinality:
    """The clause as a count of literals."""
    literals: list[tuple[Variable, Value]] = []
    for variable, value, has in clause:
        literals += [(variable, value)] if has else [(variable, other) for other in model.domains[variable] if other != value]
    literals = list(dict.fromkeys(literals))
    return Cardinality(tuple(literals), 1, len(literals))


def _clause(shape: Shape, wishes: Iterable[tuple[int, bool]], model: Model) -> Clause:
    clause = []
    for place, wanted in wishes:
        term = shape.terms[place]
        if isinstance(term, Constant):
            continue  # it is not as it is wished: else the clause would be met
        literal = literal_of(term, model.domains)
        assert literal is not None, "a simplified model has shapes over literals"
        clause.append((*literal, wanted))
    return tuple(clause)


def _wishes(shape: Shape, row: Sequence[bool], model: Model) -> Iterator[list[tuple[int, bool]]]:
    """For each clause, the flags that it names and how they are wished."""
    true = [place for place, held in enumerate(row) if held]
    if isinstance(shape, Acyclic):
        for cycle in _cycles(shape, true):
            yield [(place, False) for place in cycle]
    elif not true:
        yield [(place, True) for place in range(len(row))]
    else:
        yield from _joining(shape, true, model)


def _joining(shape: Connected | Circuit, true: Sequence[int], model: Model) -> Iterator[list[tuple[int, bool]]]:
    """A piece that is there, beside something else that is there, reaches out of itself."""
    left = set(true)
    found = []
    while left:
        found.append(piece_of(min(left), beside(shape), left))
        left -= found[-1]
    found.sort(key=len)
    members = [_surest(shape, piece, model) for piece in found]
    for piece, member in zip(found, members):
        other = members[-1] if member != members[-1] else members[0]
        yield [(member, False), (other, False), *((place, True) for place in _beyond(shape, piece))]


def _surest(shape: Shape, piece: set[int], model: Model) -> int:
    """A member of the piece, one that is always there if it has one."""
    return next((place for place in sorted(piece) if _certain(shape.terms[place], model)), min(piece))


def _beyond(shape: Connected | Circuit, piece: set[int]) -> list[int]:
    """The flags through which one leaves the piece."""
    near = {other for place in piece for other in beside(shape)[place] if other not in piece}
    if isinstance(shape, Circuit):
        inside = {vertex for place in piece for vertex in shape.edges[place]}
        near = {place for place in near if not inside.issuperset(shape.edges[place])}
    return sorted(near)


def _cycles(shape: Acyclic, true: Iterable[int]) -> Iterator[list[int]]:
    """A cycle for each edge that closes one, the edges taken in order."""
    at: dict[int, list[tuple[int, int]]] = {}
    for place in true:
        one, other = shape.edges[place]
        path = _path(at, one, other)
        if path is not None:
            yield [*path, place]
        else:
            at.setdefault(one, []).append((other, place))
            at.setdefault(other, []).append((one, place))


def _path(at: dict[int, list[tuple[int, int]]], start: int, goal: int) -> list[int] | None:
    """The edges of the path through a forest, if there is one."""
    came: dict[int, tuple[int, int] | None] = {start: None}
    waiting = [start]
    while waiting and goal not in came:
        vertex = waiting.pop()
        for other, place in at.get(vertex, ()):
            if other not in came:
                came[other] = (vertex, place)
                waiting.append(other)
    if goal not in came:
        return None
    edges = []
    step = came[goal]
    while step is not None:
        edges.append(step[1])
        step = came[step[0]]
    return edges
