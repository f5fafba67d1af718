"""Lazy constraints: solve without connectedness and cycles, and cut off each violation.

On circuits these are subtour elimination cuts (Dantzig, Fulkerson and Johnson, "Solution of a
large-scale traveling-salesman problem", 1954). In general it is refinement of an abstraction by its
counterexamples (CEGAR: Clarke, Grumberg, Jha, Lu and Veith, 2000).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import TypeVar, cast, get_args

import numpy as np
from numpy.typing import NDArray

from puzzlekit.errors import BackendBug
from puzzlekit.model import (
    Acyclic,
    Cardinality,
    Circuit,
    Connected,
    Constant,
    Constraint,
    Model,
    Origin,
    RegionSizes,
    Value,
    Values,
    Variable,
    as_dict,
    distinct_solutions,
)
from puzzlekit.model.graphs import shortest_path
from puzzlekit.presolve.bit_graph import BitGraph, bits_of, first, bit_positions
from puzzlekit.presolve.circuit_graph import CircuitGraph, circuit_graph, with_degrees
from puzzlekit.presolve.normal_form import literal_of
from puzzlekit.presolve.region_sizes import SizeCut, wrong_sizes
from puzzlekit.presolve.structure_propagators import neighbours_of, graph_of

Shape = Connected | Circuit | Acyclic | RegionSizes
SHAPES = frozenset(get_args(Shape))
SignedLiteral = tuple[Variable, Value, bool]  # the variable has the value, or does not have it
Clause = tuple[SignedLiteral, ...]  # at least one of these is true
S = TypeVar("S")
C = TypeVar("C")
# positions of flags in a shape: one of the first is false, or one of the second is true
Cut = tuple[Sequence[int], Sequence[int]]


def has_shapes(model: Model) -> bool:
    """Return whether the model has constraints on shapes."""
    return not SHAPES.isdisjoint([type(constraint.condition) for constraint in model.constraints])


def lower_shapes(model: Model) -> tuple[Model, tuple[Shape, ...]]:
    """Return the model without its shape constraints, and the shapes.

    Needs:  a presolved model: shapes are over literals and constants.
    Leaves: a model with degree constraints for circuits; its solutions are those of the whole model
            if there are no `violated_clauses`.
    """
    return separate_shapes(with_degrees(model)) if has_shapes(model) else (model, ())


def separate_shapes(model: Model) -> tuple[Model, tuple[Shape, ...]]:
    """Do the same as `lower_shapes`, for a model that already has degree constraints."""
    shapes = tuple(c.condition for c in model.constraints if isinstance(c.condition, Shape))
    rest = tuple(
        constraint
        for constraint in model.constraints
        if not isinstance(constraint.condition, Shape)
    )
    return replace(model, constraints=rest), shapes


def violated_clauses(model: Model, shapes: Iterable[Shape], values: Values) -> list[Clause]:
    """Return clauses that every solution meets and these values violate, if any."""
    found = []
    values = as_dict(values)
    for shape in shapes:
        row = [
            values[term] if isinstance(term, Variable) else term.value(values)
            for term in shape.terms
        ]
        if isinstance(shape, RegionSizes):
            sizes = row[len(shape.links) :]
            found += [
                _size_clause(shape, cut, model)
                for cut in wrong_sizes(shape, row.__getitem__, sizes)
            ]
            continue
        held = np.array(row, dtype=bool)
        found += [_clause(shape, cut, model) for cut in violated_cuts(shape, held)]
    return found


def as_cardinality(clause: Clause, model: Model) -> Cardinality:
    """Return the clause as a cardinality."""
    literals: list[tuple[Variable, Value]] = []
    for variable, value, has in clause:
        literals += (
            [(variable, value)]
            if has
            else [(variable, other) for other in model.domains[variable] if other != value]
        )
    literals = list(dict.fromkeys(literals))
    return Cardinality(tuple(literals), 1, len(literals))


def _size_clause(shape: RegionSizes, cut: SizeCut, model: Model) -> Clause:
    size = shape.terms[len(shape.links) + cut.size]
    taken = cut.sizes(model.domains[size]) if isinstance(size, Variable) else ()
    return (
        *_clause(shape, (cut.no, cut.yes), model),
        *((cast(Variable, size), value, True) for value in taken),
    )


def _clause(shape: Shape, cut: Cut, model: Model) -> Clause:
    clause = []
    for place, has in ((place, has) for has, side in enumerate(cut) for place in side):
        term = shape.terms[place]
        if isinstance(term, Constant):
            continue  # the clause is violated, so this part of it is false
        literal = literal_of(term, model.domains)
        assert literal is not None, "a presolved model has shapes over literals"
        clause.append((*literal, bool(has)))
    return tuple(clause)


def violated_cuts(shape: Connected | Circuit | Acyclic, flags: NDArray[np.bool_]) -> Iterator[Cut]:
    """Yield cuts that every solution meets and these flags violate.

    Each vertex of a circuit has no true edge, or two.
    """
    if isinstance(shape, Connected):
        yield from _piece_cuts(graph_of(shape), bits_of(flags))
        return
    true = np.flatnonzero(flags).tolist()
    if isinstance(shape, Acyclic):
        for cycle in _cycles(shape, true):
            yield cycle, ()
    elif true:
        yield from _circuit_cuts(circuit_graph(shape), true)
    else:
        yield (), range(len(shape.terms))


def island_cuts(shape: Connected, flags: NDArray[np.bool_], cuts: Sequence[Cut]) -> Iterator[Cut]:
    """Yield a cut per flag if most of the pieces that these cuts join to others are single flags.

    If a flag and one of another piece are true, a neighbour of the flag is. Without these cuts,
    many rounds would each find a piece or two.
    """
    near = neighbours_of(shape)
    members = [no[0] for no, _ in cuts]
    if 2 * sum(not flags[near[member]].any() for member in members) > len(members):
        other = members[-1]  # of the largest piece
        yield from (
            ((place, other), around)
            for place, around in enumerate(near)
            if place != other and other not in around
        )


def _piece_cuts(graph: BitGraph, held: int) -> Iterator[Cut]:
    """Yield a cut per piece: if something outside is true, a neighbour of the piece is."""
    found = sorted(graph.pieces(held), key=lambda piece: (piece.bit_count(), piece & -piece))
    if len(found) > 1:
        yield from _cuts(
            [first(piece) for piece in found],
            (bit_positions(graph.neighbours(piece)) for piece in found),
        )


def _circuit_cuts(graph: CircuitGraph, true: Sequence[int]) -> Iterator[Cut]:
    """Yield a subtour elimination cut per cycle: if an edge outside is true, one leads out of it."""
    found = graph.cycles(true)
    if len(found) > 1:
        found.sort(key=lambda cycle: (len(cycle), min(cycle)))
        yield from _cuts([min(cycle) for cycle in found], graph.leaving(found))


def _cuts(members: Sequence[int], beyond: Iterable[Sequence[int]]) -> Iterator[Cut]:
    """Yield a cut per component, from a member of each and what leads out of each; the largest
    comes last.
    """
    for member, out in zip(members, beyond):
        yield (member, members[-1] if member != members[-1] else members[0]), out


def _cycles(shape: Acyclic, true: Iterable[int]) -> Iterator[list[int]]:
    """Yield one cycle per edge that closes one, adding the edges in order."""
    forest: dict[int, list[tuple[int, int]]] = {}
    for edge in true:
        tail, head = shape.edges[edge]
        path = shortest_path(forest, tail, head)
        if path is not None:
            yield [*path, edge]
        else:
            forest.setdefault(tail, []).append((edge, head))
            forest.setdefault(head, []).append((edge, tail))


def solve_with_cuts(
    ask: Callable[[], S | None], cuts: Callable[[S], list[C]], post: Callable[[list[C]], object]
) -> S | None:
    """Repeat `ask` until its result needs no cuts; add needed cuts to the running solver.

    Raises: BackendBug if the solver breaks the cuts that it was given last; else this would not
    end.
    """
    given: list[C] = []
    while (found := ask()) is not None and (missing := cuts(found)):
        if missing == given:
            raise BackendBug("it returned a shape that it was told to exclude")
        post(missing)
        given = missing
    return found


def enumerate_with_restarts(
    listing: Callable[[], Iterator[S]],
    sound: Callable[[S], bool],
    post: Callable[[], object],
    patience: Iterable[int],
) -> Iterator[S]:
    """Yield the sound results of a listing, which restarts with cuts after enough unsound ones.

    `patience` gives the number of unsound results before each restart. Sound results are repeated
    after a restart, unless `state` prevents it.
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
        post()


def with_lazy_cuts(
    model: Model, solutions: Callable[[Model], Iterator[Values]]
) -> Iterator[Values]:
    """Yield the solutions of a model with structures, from a backend that does not support them.

    The solutions include auxiliary values. After 2, 4, 8, … wrong solutions, the backend restarts
    with the cuts that they violate.
    """
    rest, shapes = lower_shapes(model)
    if not shapes:
        return solutions(model)
    stated: list[Constraint] = list(rest.constraints)
    known: list[Constraint] = []

    def sound(values: Values) -> bool:
        clauses = violated_clauses(rest, shapes, values)
        known.extend(
            Constraint(as_cardinality(clause, rest), Origin("shape")) for clause in clauses
        )
        return not clauses

    def state() -> None:
        stated.extend(known)
        known.clear()

    listing = lambda: solutions(replace(rest, constraints=tuple(stated)))  # noqa: E731
    sound_solutions = enumerate_with_restarts(listing, sound, state, (2**turn for turn in count(1)))
    return distinct_solutions(sound_solutions, [*model.domains])
