"""What an automaton decides of the values that it reads, held to all readings."""

from itertools import product

import pytest
from hypothesis import given, strategies as st

from puzzlekit.lowering.decomposition import decompose_automata
from puzzlekit.model import Automaton, Constraint, Model, Origin, Table, Variable
from puzzlekit.presolve.domains import DomainStore, Inconsistent
from puzzlekit.presolve.structure_propagators import AutomatonPropagator

STATES = 4
STEPS = st.lists(
    st.dictionaries(st.integers(0, 2), st.integers(0, STATES - 1)), min_size=STATES, max_size=STATES
)
DOMAINS = st.lists(
    st.lists(st.integers(0, 2), min_size=1, max_size=3, unique=True), min_size=1, max_size=4
)


@given(STEPS, st.sets(st.integers(0, STATES - 1)), DOMAINS)
def test_the_values_that_stay_are_those_of_accepted_readings(
    steps: list[dict[int, int]], accepting: set[int], values: list[list[int]]
) -> None:
    variables = [Variable(f"x{place}") for place in range(len(values))]
    automaton = Automaton(tuple(variables), tuple(steps), frozenset(accepting))
    domains = DomainStore(
        {variable: tuple(own) for variable, own in zip(variables, values)}, lambda: None
    )
    propagator = AutomatonPropagator(automaton, Origin("rule"), domains)
    accepted = [row for row in product(*values) if automaton.met(row)]
    if not accepted:
        with pytest.raises(Inconsistent):
            propagator.run(domains)
        return
    propagator.run(domains)
    assert [set(domains.live_values(variable)) for variable in variables] == [
        set(column) for column in zip(*accepted)
    ]


def test_an_automaton_that_accepts_nothing_becomes_tables_without_rows() -> None:
    x, y = Variable("x"), Variable("y")
    automaton = Automaton((x, y), ({1: 0},), frozenset([5]))
    model = Model({x: (1, 2), y: (1, 2)}, (Constraint(automaton, Origin("never")),), None)
    tables = [constraint.condition for constraint in decompose_automata(model).constraints]
    assert all(isinstance(table, Table) for table in tables)
    assert [table.rows.shape for table in tables] == [(0, 1), (0, 1)]
