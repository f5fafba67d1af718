"""Shapes by clingo's own means."""

from itertools import product

from puzzlekit.model import (
    Acyclic,
    Circuit,
    Connected,
    Constant,
    Constraint,
    Model,
    Origin,
    Variable,
)
from puzzlekit.model.structures import Structure
from puzzlekit.presolve.pipeline import presolve
from tests.model.asking import solutions

SIDE = 3
CELLS = list(product(range(SIDE), repeat=2))
LINKS = tuple(
    (CELLS.index((r, c)), CELLS.index(other))
    for r, c in CELLS
    for other in ((r, c + 1), (r + 1, c))
    if other in CELLS
)


def same(shape: Structure, flags: tuple[Variable, ...]) -> int:
    model = presolve(
        Model(dict.fromkeys(flags, (False, True)), (Constraint(shape, Origin("shape")),))
    )
    found = [tuple(values[flag] for flag in flags) for values in solutions("asp", model)]
    wanted = [
        row
        for row in product((False, True), repeat=len(flags))
        if shape.value(dict(zip(flags, row)))
    ]
    assert sorted(found) == wanted
    return len(found)


def test_shapes_on_a_grid() -> None:
    cells, edges = (
        tuple(Variable(f"{kind}{i}") for i in range(n)) for kind, n in (("cell", 9), ("edge", 12))
    )
    assert same(Connected(cells, LINKS), cells) == 219
    assert same(Circuit(edges, LINKS), edges) == 13  # OEIS A140517
    assert same(Acyclic(edges, LINKS), edges) == 3_102


def test_one_that_is_always_there_is_where_reaching_begins() -> None:
    cells = tuple(Variable(f"cell{i}") for i in range(8))
    assert (
        sum(same(Connected((Constant(corner), *cells), LINKS), cells) for corner in (False, True))
        == 219
    )
