"""Each pass: the solutions before and after are the same under its lift."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count

import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st

from puzzlekit.errors import Unsupported
from puzzlekit.lowering.cover import PLAIN, Cover, colours_to_items, to_cover
from puzzlekit.lowering.decomposition import decompose_automata, decompose_counts
from puzzlekit.lowering.flattening import flatten
from puzzlekit.lowering.lazy_cuts import has_shapes
from puzzlekit.model import (
    Acyclic,
    AllDifferent,
    Apply,
    Cardinality,
    Circuit,
    Component,
    Connected,
    Linear,
    Model,
    RegionSizes,
    Table,
    Term,
    Value,
    Variable,
)
from puzzlekit.presolve.components import determined, split
from puzzlekit.presolve.domains import Inconsistent
from puzzlekit.presolve.normal_form import normalise
from puzzlekit.presolve.pipeline import presolve
from puzzlekit.presolve.rewrites import require_values
from puzzlekit.presolve.vector_eval import ColumnEvaluator, column_of
from tests.limits import replaced
from tests.model.drawn import Unfit, applies, drawn, require_fit
from tests.model.random_models import (
    all_have_values,
    best,
    combinations,
    has_value,
    models,
    shown,
    visible_solutions,
    whole_solutions,
)

LONG = settings(
    max_examples=2_000, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
BOUNDS = st.sampled_from(
    [(4_096, 20_000), (4, 17), (16, 40)]
)  # combinations for presolve's and for flatten's tables
Bounds = tuple[int, int]
STEPS = 10_000  # of the plain search for covers


def presolved(model: Model, bounds: Bounds) -> Model | None:
    try:
        with replaced(tracked_combinations=bounds[0]):
            return presolve(model)
    except Inconsistent:
        return None


def flat(model: Model, bounds: Bounds) -> Model:
    """The flattened model; nothing may be refused but what small bounds make too large."""
    try:
        with replaced(table_combinations=bounds[1]):
            return flatten(decompose_automata(model))
    except Unsupported as refusal:
        assert bounds[1] < 20_000, refusal
        raise Unfit from None


def decomposed(model: Model, bounds: Bounds) -> Model:
    """The model with few large tables: `same_decomposed` draws what counts as large."""
    try:
        return flatten(decompose_automata(model), small=bounds[1] if bounds[1] < 20_000 else 512)
    except Unsupported:
        raise Unfit from None


def small(model: Model) -> None:
    require_fit(math.prod(len(domain) for domain in model.domains.values()) <= 4_000)


def restricted(before: Model, after: Model) -> list[tuple[Value, ...]]:
    """The whole solutions of `after`, as the values of the variables of `before`:
    one entry for each.
    """
    return sorted(
        (tuple(values[v] for v in before.domains) for values in whole_solutions(after)), key=str
    )


def same_simplified(model: Model, bounds: Bounds) -> None:
    wanted = visible_solutions(model)
    after = presolved(model, bounds)
    if after is None:
        assert not wanted
        return
    assert not any(
        isinstance(part, Apply | Component)
        for c in after.constraints
        for part in every(c.condition)
    )
    small(after)
    assert {shown(model, values) for values in whole_solutions(after)} == wanted
    if model.goal is not None:
        assert best(after) == best(model)


def every(term: Term) -> Iterator[Term]:
    yield term
    for part in term.subterms():
        yield from every(part)


def same_split(model: Model, bounds: Bounds) -> None:
    after = presolved(model, bounds)
    require_fit(after is not None)
    assert after is not None
    small(after)
    fixed, parts = split(after)
    whole = 1
    for part in parts:
        whole *= len(whole_solutions(part))
        assert part.constraints or (len(part.domains) == 1 and part.goal is None)
    assert whole == len(whole_solutions(after))
    assert set(fixed) | {v for part in parts for v in part.domains} == set(after.domains)
    if determined(after):
        found = [shown(after, values) for values in whole_solutions(after)]
        assert len(found) == len(set(found))


def same_normalised(model: Model, bounds: Bounds) -> None:
    required = require_values(model)
    assert whole_solutions(required) == whole_solutions(model)
    for values in combinations(required):
        terms = [c.condition for c in required.constraints]
        goal = [required.goal.term] if required.goal else []
        whole = all_have_values((*terms, *goal), values)
        assert whole or not all(
            term.value(values) for term in terms if all_have_values([term], values)
        )
    assert whole_solutions(normalise(required)) == whole_solutions(model)


def same_flattened(
    model: Model, bounds: Bounds, passed: Callable[[Model, Bounds], Model] = flat
) -> None:
    before = presolved(model, bounds)
    require_fit(before is not None)
    assert before is not None
    after = passed(before, bounds)
    for constraint in after.constraints:
        if not isinstance(constraint.condition, Connected | Circuit | Acyclic | RegionSizes):
            assert isinstance(constraint.condition, Table | AllDifferent | Cardinality | Linear)
            assert all(isinstance(part, Variable) for part in constraint.condition.subterms())
    small(after)
    wanted = restricted(before, before)
    assert restricted(before, after) == wanted
    counted = decompose_counts(after)
    small(counted)
    assert restricted(before, counted) == wanted
    if model.goal is not None:
        assert best(counted) == best(before)


def covers(cover: Cover) -> list[frozenset[int]]:
    """The covers by plain search: item by item, no option twice."""
    options = [cover.entries(option) for option in range(cover.options)]
    by_item = [
        [o for o, entries in enumerate(options) if any(i == item for i, _ in entries)]
        for item in range(cover.primary)
    ]
    found: list[frozenset[int]] = []
    steps = count()

    def fits(entries: list[tuple[int, int]], taken: dict[int, int]) -> bool:
        own = dict(entries)
        clean = all(own[item] == colour for item, colour in entries) and len({*entries}) == len(
            entries
        )
        return clean and all(
            item not in taken or (colour != PLAIN and taken[item] == colour)
            for item, colour in entries
        )

    def search(item: int, taken: dict[int, int], chosen: frozenset[int]) -> None:
        require_fit(next(steps) < STEPS)
        while item < cover.primary and item in taken:
            item += 1
        if item == cover.primary:
            found.append(chosen)
            return
        for option in by_item[item]:
            if fits(options[option], taken):
                search(item, {**taken, **dict(options[option])}, chosen | {option})

    search(0, {}, frozenset())
    return found


def same_covered(model: Model, bounds: Bounds) -> None:
    before = presolved(model, bounds)
    require_fit(before is not None and not has_shapes(before))
    assert before is not None
    counted = decompose_counts(flat(before, bounds))
    small(counted)
    wanted = restricted(counted, counted)
    for colour_differences in (True, False):
        cover, meaning = to_cover(counted, colour_differences)
        require_fit(cover.options < 400)
        found = covers(cover)
        values = [meaning.values(sorted(options)) for options in found]
        assert sorted((tuple(v[x] for x in counted.domains) for v in values), key=str) == wanted
        if counted.goal is not None:
            costs = cover.costs or (0,) * cover.options
            sign = -1 if counted.goal.maximise else 1
            for options, each in zip(found, values):
                reached = sum(costs[option] for option in options) + cover.offset
                assert reached == sign * counted.goal.term.value(each)
    plain = colours_to_items(cover)
    assert set(plain.colour.tolist()) <= {PLAIN}
    cut = [
        frozenset(option for option in options if option < cover.options)
        for options in covers(plain)
    ]
    assert sorted(map(sorted, cut)) == sorted(map(sorted, found))


def same_columns(model: Model, bounds: Bounds) -> None:
    rows = combinations(model)
    sheet = ColumnEvaluator(
        {v: column_of([values[v] for values in rows]) for v in model.domains}, len(rows)
    )
    for constraint in model.constraints:
        column = sheet.column(constraint.condition)
        for values, found in zip(rows, column.tolist()):
            if has_value(constraint.condition, values):
                assert bool(found) == bool(constraint.condition.value(values))


def same_decomposed(model: Model, bounds: Bounds) -> None:
    same_flattened(model, bounds, decomposed)


MODELS = st.tuples(models() | models(goal=True), BOUNDS)
PROPERTIES = [
    same_simplified,
    same_split,
    same_normalised,
    same_flattened,
    same_decomposed,
    same_covered,
    same_columns,
]
Check = Callable[[Model, Bounds], None]


@pytest.mark.parametrize("check", PROPERTIES, ids=lambda check: check.__name__)
def test_a_pass_keeps_the_solutions(check: Check) -> None:
    fit = [applies(model, partial(check, model, bounds)) for model, bounds in drawn(MODELS, 300)]
    assert sum(fit) >= 100


@pytest.mark.slow
@pytest.mark.parametrize("check", PROPERTIES, ids=lambda check: check.__name__)
@LONG
@given(drawn=MODELS)
def test_a_pass_keeps_the_solutions_of_many_models(
    check: Check, drawn: tuple[Model, Bounds]
) -> None:
    model, bounds = drawn
    assume(applies(model, partial(check, model, bounds)))
