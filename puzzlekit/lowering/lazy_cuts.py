"""Lazy constraints: solve without connectedness and cycles, and cut off each violation.

On circuits these are subtour elimination cuts (Dantzig, Fulkerson and Johnson, "Solution of a
large-scale traveling-salesman problem", 1954). In general it is refinement of an abstraction by its
counterexamples (CEGAR: Clarke, Grumberg, Jha, Lu and Veith, 2000).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import TypeVar, get_args

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
    shortest_path,
)
from puzzlekit.presolve import (
    BitGraph,
    CircuitGraph,
    SizeCut,
    bit_positions,
    bits_of,
    first,
    graph_of,
    graph_of_circuit,
    literal_of,
    neighbours_of,
    with_degrees,
    wrong_sizes,
)

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
    Leaves: a model with degree constraints for circuits; its solutions are those of `model` if
            there are no `violated_clauses`.
    """
    return separate_shapes(with_degrees(model)) if has_shapes(model) else (model, ())


def separate_shapes(model: Model) -> tuple[Model, tuple[Shape, ...]]:
    """Do the same as `lower_shapes`, for a model that already has degree constraints."""
    shapes: list[Shape] = []
    others: list[Constraint] = []
    for constraint in model.constraints:
        if isinstance(constraint.condition, Shape):
            shapes.append(constraint.condition)
        else:
            others.append(constraint)
    return replace(model, constraints=tuple(others)), tuple(shapes)


def violated_clauses(model: Model, shapes: Iterable[Shape], values: Values) -> list[Clause]:
    """Return clauses that every solution meets and these values violate, if any."""
    clauses = []
    values = as_dict(values)
    for shape in shapes:
        row = [
            values[term] if isinstance(term, Variable) else term.value(values)
            for term in shape.terms
        ]
        if isinstance(shape, RegionSizes):
            sizes = row[len(shape.links) :]
            wrong = wrong_sizes(shape, row.__getitem__, sizes)
            clauses += [_size_clause(shape, cut, model) for cut in wrong]
        else:
            cuts = violated_cuts(shape, np.array(row, dtype=bool))
            clauses += [_clause(shape, cut, model) for cut in cuts]
    return clauses


def as_cardinality(clause: Clause, model: Model) -> Cardinality:
    """Return the clause as a cardinality."""
    literals: dict[tuple[Variable, Value], None] = {}
    for variable, value, has_value in clause:
        for candidate in [value] if has_value else model.domains[variable]:
            if has_value or candidate != value:
                literals[variable, candidate] = None
    return Cardinality(tuple(literals), 1, len(literals))


def _size_clause(shape: RegionSizes, cut: SizeCut, model: Model) -> Clause:
    clause = _clause(shape, (cut.no, cut.yes), model)
    size = shape.terms[len(shape.links) + cut.size]
    if not isinstance(size, Variable):
        return clause
    sizes = cut.sizes(model.domains[size])
    return (*clause, *((size, value, True) for value in sizes))


def _clause(shape: Shape, cut: Cut, model: Model) -> Clause:
    clause = []
    for truth, flags in zip((False, True), cut):
        for flag in flags:
            term = shape.terms[flag]
            if isinstance(term, Constant):
                continue  # the clause is violated, so this term does not satisfy it
            literal = literal_of(term, model.domains)
            assert literal is not None, "a presolved model has shapes over literals"
            clause.append((*literal, truth))
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
        yield from _circuit_cuts(graph_of_circuit(shape), true)
    else:
        yield (), range(len(shape.terms))


def island_cuts(shape: Connected, flags: NDArray[np.bool_], cuts: Sequence[Cut]) -> Iterator[Cut]:
    """Yield a cut per flag if most of the pieces that these cuts join to others are single flags.

    If a flag and one of another piece are true, a neighbour of the flag is. Without these cuts,
    many rounds would each find a piece or two.
    """
    neighbours = neighbours_of(shape)
    members = [no[0] for no, _ in cuts]
    islands = sum(not flags[neighbours[member]].any() for member in members)
    if 2 * islands <= len(members):
        return
    largest = members[-1]  # a member of the largest piece
    for flag, around in enumerate(neighbours):
        if flag != largest and largest not in around:
            yield (flag, largest), around


def _piece_cuts(graph: BitGraph, vertices: int) -> Iterator[Cut]:
    """Yield a cut per piece: if something outside is true, a neighbour of the piece is."""
    pieces = list(graph.pieces(vertices))
    pieces.sort(key=lambda piece: (piece.bit_count(), piece & -piece))
    if len(pieces) > 1:
        neighbours = (bit_positions(graph.neighbours(piece)) for piece in pieces)
        yield from _cuts([first(piece) for piece in pieces], neighbours)


def _circuit_cuts(graph: CircuitGraph, true: Sequence[int]) -> Iterator[Cut]:
    """Yield a subtour elimination cut per cycle: with a true edge outside, one leads out of it."""
    cycles = graph.cycles(true)
    if len(cycles) > 1:
        cycles.sort(key=lambda cycle: (len(cycle), min(cycle)))
        yield from _cuts([min(cycle) for cycle in cycles], graph.leaving(cycles))


def _cuts(members: Sequence[int], exits: Iterable[Sequence[int]]) -> Iterator[Cut]:
    """Yield a cut per component, from a member of each and what leads out of each.

    The largest component comes last.
    """
    first_member = members[0]
    last_member = members[-1]
    for member, out in zip(members, exits):
        outside = last_member if member != last_member else first_member
        yield (member, outside), out


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
    """Repeat `ask` until its answer needs no cuts; add needed cuts to the running solver.

    Raises: BackendBug if the solver breaks the cuts that it was given last; else this would not
    end.
    """
    posted: list[C] = []
    while (answer := ask()) is not None and (missing := cuts(answer)):
        if missing == posted:
            raise BackendBug("it returned a shape that it was told to exclude")
        post(missing)
        posted = missing
    return answer


def enumerate_with_restarts(
    listing: Callable[[], Iterator[S]],
    sound: Callable[[S], bool],
    post: Callable[[], object],
    patience: Iterable[int],
) -> Iterator[S]:
    """Yield the sound answers of a listing, which restarts with cuts after enough unsound ones.

    `patience` gives the number of unsound answers before each restart. Sound answers are repeated
    after a restart, unless `post` prevents it.
    """
    for limit in patience:
        unsound = 0
        for answer in listing():
            if sound(answer):
                yield answer
                continue
            unsound += 1
            if unsound >= limit:
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
    posted: list[Constraint] = list(rest.constraints)
    violated: list[Constraint] = []  # by the solutions since the last restart

    def sound(values: Values) -> bool:
        clauses = violated_clauses(rest, shapes, values)
        counts = [as_cardinality(clause, rest) for clause in clauses]
        violated.extend(Constraint(count, Origin("shape")) for count in counts)
        return not clauses

    def post() -> None:
        posted.extend(violated)
        violated.clear()

    def listing() -> Iterator[Values]:
        return solutions(replace(rest, constraints=tuple(posted)))

    patience = (2**turn for turn in count(1))
    sound_solutions = enumerate_with_restarts(listing, sound, post, patience)
    return distinct_solutions(sound_solutions, [*model.domains])
