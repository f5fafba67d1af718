"""Shapes as levels and orders: the visible solutions stay the same."""

from itertools import product

import pytest

from puzzlekit.backends import load_backend
from puzzlekit.backends.base import Budget
from puzzlekit.lowering.level_mapping import REGISTERS, encode_region_sizes, encode_shapes
from puzzlekit.lowering.planner import lower
from puzzlekit.model import (
    Acyclic,
    Circuit,
    Connected,
    Constant,
    Constraint,
    Domain,
    Model,
    Origin,
    RegionSizes,
    Structure,
    Term,
    Variable,
)
from puzzlekit.query import Query

GRAPH = ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (3, 4), (4, 4), (4, 5), (3, 5))
FLAGS = tuple(Variable(f"flag {place}") for place in range(len(GRAPH)))
SIZES = tuple(Variable(f"size {place}") for place in range(2))
SHAPES = {
    "connected": Connected(FLAGS[:6], (*GRAPH[:6], (4, 5))),
    "connected with a known one": Connected(
        (Constant(True), *FLAGS[1:5], Constant(False)), GRAPH[:6]
    ),
    "circuit": Circuit(FLAGS, GRAPH),
    "circuit with known edges": Circuit((Constant(True), *FLAGS[1:8], Constant(False)), GRAPH),
    "forest": Acyclic(FLAGS, GRAPH),
    "forest with known edges": Acyclic((Constant(True), *FLAGS[1:8], Constant(False)), GRAPH),
    "sizes": RegionSizes((*FLAGS[:5], *SIZES), GRAPH[:5], (0, 3)),
}


def domain(variable: Term) -> Domain:
    return (1, 2, 3, 4) if variable in SIZES else (False, True)


@pytest.mark.parametrize("levels", [False, True], ids=["orders", "levels"])
@pytest.mark.parametrize("name", SHAPES)
def test_the_visible_solutions_are_the_same(name: str, levels: bool) -> None:
    shape: Structure = SHAPES[name]
    variables = [term for term in shape.terms if isinstance(term, Variable)]
    model = Model(
        {variable: domain(variable) for variable in variables},
        (Constraint(shape, Origin("shape")),),
    )
    expected = {
        row for row in product(*model.domains.values()) if shape.value(dict(zip(variables, row)))
    }
    stated = encode_region_sizes(encode_shapes(model, levels))
    assert not any(isinstance(constraint.condition, Structure) for constraint in stated.constraints)
    backend = load_backend("sat")
    found = [*backend.run(lower(stated, backend.supports, lambda: None), Query(), Budget())]
    rows = [tuple(values[variable] for variable in variables) for values in found]
    assert sorted(rows) == sorted(expected)
    assert 1 < len(expected) < len([*product(*model.domains.values())])


def test_registers_have_full_periods() -> None:
    for size, tap in REGISTERS.items():
        state = first = (1, *[0] * (size - 1))
        seen = set()
        while state not in seen:
            seen.add(state)
            state = (state[-1] ^ state[tap - 1], *state[:-1])
        assert (state, len(seen)) == (first, 2**size - 1)
