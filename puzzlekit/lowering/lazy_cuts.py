"""Connectedness and cycles the lazy way: solve without them, and forbid each wrong shape that turns up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import TypeVar

from puzzlekit.model import (
    Acyclic,
    Cardinality,
    Circuit,
    Connected,
    Constant,
    Constraint,
    Model,
    Origin,
    Term,
    Value,
    Values,
    Variable,
    as_dict,
)
from puzzlekit.presolve.circuits import net, with_degrees
from puzzlekit.presolve.normalise import literal_of
from puzzlekit.presolve.structure_propagators import beside, piece_of

Shape = Connected | Circuit | Acyclic
Wish = tuple[Variable, Value, bool]  # the variable has the value, or has it not
Clause = tuple[Wish, ...]  # one wish at least comes true
S = TypeVar("S")
C = TypeVar("C")
Cut = tuple[Sequence[int], Sequence[int]]  # flags of a shape: one of the first is false, or one of the others true


def has_shapes(model: Model) -> bool:
    """Whether the model has conditions on shapes."""
    return any(isinstance(constraint.condition, Shape) for constraint in model.constraints)


def apart(model: Model) -> tuple[Model, tuple[Shape, ...]]:
    """The model without its conditions on shapes, and these.

    Needs:  a presolved model: a shape is over literals and constants.
    Leaves: a model, with the degrees of circuits, whose solutions are those of the whole if no shape is `lacking` anything.
    """
    return separated(with_degrees(model)) if has_shapes(model) else (model, ())


def separated(model: Model) -> tuple[Model, tuple[Shape, ...]]:
    """`apart`, of a model in which the degrees of circuits are stated."""
    shapes = tuple(c.condition for c in model.constraints if isinstance(c.condition, Shape))
    rest = tuple(constraint for constraint in model.constraints if not isinstance(constraint.condition, Shape))
    return replace(model, constraints=rest), shapes


def lacking(model: Model, shapes: Iterable[Shape], values: Values) -> list[Clause]:
    """Clauses that every solution meets and these values do not; none if the shapes are as they should be."""
    found = []
    values = as_dict(values)
    for shape in shapes:
        row = (values[term] if isinstance(term, Variable) else term.value(values) for term in shape.terms)
        true = [place for place, held in enumerate(row) if held]
        certain = lambda place, shape=shape: _certain(shape.terms[place], model)  # noqa: E731
        found += [_clause(shape, cut, model) for cut in wrong(shape, true, certain)]
    return found


def at_once(model: Model, shapes: Iterable[Shape]) -> list[Clause]:
    """Clauses that every solution meets, to begin with: what hangs together with something certain has a neighbour there."""
    found = []
    for shape in shapes:
        if isinstance(shape, Connected):
            certain = [place for place, term in enumerate(shape.terms) if _certain(term, model)]
            for place, others in enumerate(beside(shape)):
                if not certain or [place] == certain or any(other in certain for other in others):
                    continue
                if place in certain or not isinstance(shape.terms[place], Constant):
                    found.append(_clause(shape, ((place,), others), model))
    return found


def _certain(term: Term, model: Model) -> bool:
    """Whether the flag is true in every solution."""
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


def _clause(shape: Shape, cut: Cut, model: Model) -> Clause:
    clause = []
    for place, wanted in ((place, wanted) for wanted, places in enumerate(cut) for place in places):
        term = shape.terms[place]
        if isinstance(term, Constant):
            continue  # it is not as it is wished: else the clause would be met
        literal = literal_of(term, model.domains)
        assert literal is not None, "a presolved model has shapes over literals"
        clause.append((*literal, bool(wanted)))
    return tuple(clause)


def wrong(shape: Shape, true: Sequence[int], certain: Callable[[int], bool]) -> Iterator[Cut]:
    """What every solution meets and these true flags, in order, do not; nothing if the shape is as it should be.

    `certain` says whether a flag is true in every solution. Each vertex of a circuit has none of the true edges, or two.
    """
    if isinstance(shape, Acyclic):
        for cycle in _cycles(shape, true):
            yield cycle, ()
    elif true:
        yield from _joining(shape, true, certain)
    elif isinstance(shape, Circuit):
        yield (), range(len(shape.terms))


def _joining(shape: Connected | Circuit, true: Sequence[int], certain: Callable[[int], bool]) -> Iterator[Cut]:
    """A piece that is there, beside something else that is there, reaches out of itself."""
    found = net(shape).cycles(true) if isinstance(shape, Circuit) else _pieces(shape, true)
    if len(found) == 1:
        return
    found.sort(key=lambda piece: (len(piece), min(piece)))
    beyond = net(shape).leaving(found) if isinstance(shape, Circuit) else [_beyond(shape, piece) for piece in found]
    members = [min(filter(certain, piece), default=min(piece)) for piece in found]
    for member, out in zip(members, beyond):
        yield (member, members[-1] if member != members[-1] else members[0]), out


def _pieces(shape: Connected, true: Sequence[int]) -> list[list[int]]:
    left = set(true)
    found = []
    while left:
        piece = piece_of(min(left), beside(shape), left)
        left -= piece
        found.append([*piece])
    return found


def _beyond(shape: Connected, piece: Sequence[int]) -> list[int]:
    """The flags through which one leaves the piece."""
    neighbours, inside = beside(shape), set(piece)
    return sorted({other for place in piece for other in neighbours[place] if other not in inside})


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


def cut_off(ask: Callable[[], S | None], cuts: Callable[[S], list[C]], state: Callable[[list[C]], object]) -> S | None:
    """What `ask` gives, once it needs no cuts; those that it needs are stated in the running solver, which is asked again."""
    while (found := ask()) is not None and (missing := cuts(found)):
        state(missing)
    return found


def in_turns(
    listing: Callable[[], Iterator[S]], sound: Callable[[S], bool], state: Callable[[], object], patience: Iterable[int]
) -> Iterator[S]:
    """What is sound of a listing, which begins anew, with what is known of wrong ones stated, after so many wrong ones.

    One that is sound may come again, unless `state` sees to it.
    """
    for limit in patience:
        wrong = 0
        for found in listing():
            if sound(found):
                yield found
                continue
            wrong += 1
            if wrong >= limit:
                break
        else:
            return
        state()


def with_lazy_cuts(model: Model, solutions: Callable[[Model], Iterator[Values]]) -> Iterator[Values]:
    """The solutions of a model with structures, by a backend that solves models without; auxiliary values included.

    After 2, 4, 8, … wrong solutions the backend is asked anew, with the cuts that these have shown.
    """
    rest, shapes = apart(model)
    if not shapes:
        return solutions(model)
    stated: list[Constraint] = list(rest.constraints)
    known: list[Constraint] = []

    def sound(values: Values) -> bool:
        clauses = lacking(rest, shapes, values)
        known.extend(Constraint(as_cardinality(clause, rest), Origin("shape")) for clause in clauses)
        return not clauses

    def state() -> None:
        stated.extend(known)
        known.clear()

    listing = lambda: solutions(replace(rest, constraints=tuple(stated)))  # noqa: E731
    return _once(model, in_turns(listing, sound, state, (2**turn for turn in count(1))))


def _once(model: Model, solutions: Iterator[Values]) -> Iterator[Values]:
    given: set[tuple[object, ...]] = set()
    for values in solutions:
        key = tuple(values[variable] for variable in model.domains)
        if key not in given:
            given.add(key)
            yield values
