"""Plan the chain of passes that lowers a presolved model to what a backend supports.

A model is described by the forms that its constraints may have. A pass declares the forms that must
be absent before it (`needs`), the forms that it removes, and the forms that it leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import Enum
from functools import lru_cache

from puzzlekit.dataclass import dataclass
from puzzlekit.errors import Unsupported
from puzzlekit.lowering.decomposition import decompose_automata, decompose_counts
from puzzlekit.lowering.flattening import flatten
from puzzlekit.lowering.level_mapping import encode_region_sizes, encode_shapes
from puzzlekit.model import Automaton, Constraint, Model
from puzzlekit.presolve import with_degrees
from puzzlekit.query import Task

Pause = Callable[[], None]


class Form(Enum):
    """The forms of constraints in a presolved model."""

    TABLE = "tables"
    ALL_DIFFERENT = "all-different"
    CHOICE = "exactly or at most one of some literals"
    COUNT = "counts of literals"
    SUM = "weighted sums"
    EQUALITY = "equalities of two variables, which a literal may guard"
    NESTED = "nested terms"
    LARGE = "terms with too many values to name"
    AUTOMATON = "automata"
    STRUCTURE = "connectedness, circuits and forests"
    SIZES = "sizes of regions"
    DEGREES = "circuits without degree constraints"


FLAT = frozenset({Form.TABLE, Form.ALL_DIFFERENT, Form.CHOICE, Form.COUNT, Form.SUM})
PRESOLVED = frozenset(Form) - {Form.EQUALITY}  # only `flatten` states these


@dataclass(frozen=True)
class Supports:
    """The capabilities of a backend. Everything else is lowered, or reduced to simpler queries.

    Args:
        forms: the forms of constraints that it accepts.
        queries: the kinds of query that it answers itself; must include `enumerate`. If it cannot
            answer one for some model, it raises Unsupported before the first solution. It gets
            count and sample queries only if the visible variables determine the auxiliary ones, and
            if no structure is enforced by restarts.
        bounds: whether it accepts a query with a bound on the goal.
        distinct: whether its solutions differ in visible variables; otherwise one may be repeated
            with other auxiliary values.
        listing: whether enumerating all solutions is faster than repeated queries with a bound on
            the goal.
        lazy_cuts: whether it cuts off violated structures itself, in the running solver; this is
            only printed, with the chain.
        at_once: whether it gets the whole model before the search, as a file does; then shapes are
            stated by `lowering/level_mapping.py` instead of lazy cuts.
        levels: whether it then gets shapes as levels, for backends that do not learn from
            conflicts; otherwise as orders.
        combinations: up to this many combinations of values, a nested condition becomes a table;
            beyond, `flatten` names its parts. None if every condition that can becomes a table.
        degree: from this many edges at a vertex, it needs explicit degree constraints for circuits;
            it adds those of smaller vertices itself.
        product: the name of what its translation makes of the lowered model.
        reports: the names in `Statistics` of what it reports: the sizes of what it was given, and
            the efforts of its search.
    """

    forms: frozenset[Form]
    queries: frozenset[Task] = frozenset({Task.ENUMERATE})
    bounds: bool = False
    distinct: bool = False
    listing: bool = False
    lazy_cuts: bool = False
    at_once: bool = False
    levels: bool = False
    combinations: int | None = None
    degree: int = 0
    product: str = "model"
    reports: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Pass:
    name: str
    removes: frozenset[Form]
    leaves: frozenset[Form]
    # None for lazy cuts: they do not rewrite the model once, but wrap the rest of the chain
    apply: Callable[[Model, Supports, Pause], Model] | None
    # forms that must be absent before
    needs: frozenset[Form] = frozenset()
    # forms that disappear as a side effect; a pass is never chosen for these
    clears: frozenset[Form] = frozenset()


def _flatten(model: Model, supports: Supports, pause: Pause) -> Model:
    """Apply `flatten`, but skip automata and those large terms that the backend accepts."""

    def flat_of(constraints: Iterable[Constraint]) -> Model:
        equalities = Form.EQUALITY in supports.forms
        selected = replace(model, constraints=tuple(constraints))
        return flatten(selected, pause, supports.combinations, equalities)

    automata: list[Constraint] = []
    others: list[Constraint] = []
    for constraint in model.constraints:
        is_automaton = type(constraint.condition) is Automaton
        (automata if is_automaton else others).append(constraint)
    large: list[Constraint] = []
    try:
        flat = flat_of(others)
    except Unsupported:
        if Form.LARGE not in supports.forms:
            raise
        large = [constraint for constraint in others if not _can_be_flat(model, constraint, pause)]
        flat = flat_of([constraint for constraint in others if constraint not in large])
    return replace(flat, constraints=(*automata, *flat.constraints, *large))


def _can_be_flat(model: Model, constraint: Constraint, pause: Pause) -> bool:
    try:
        flatten(replace(model, constraints=(constraint,), goal=None), pause)
    except Unsupported:
        return False
    return True


PASSES = (  # the first applicable one is chosen
    Pass(
        "lazy cuts",
        removes=frozenset({Form.STRUCTURE, Form.SIZES}),
        leaves=frozenset({Form.NESTED}),
        apply=None,
        clears=frozenset({Form.DEGREES}),
    ),
    Pass(
        "state shapes",
        removes=frozenset({Form.STRUCTURE}),
        leaves=frozenset({Form.NESTED}),
        apply=lambda model, supports, pause: encode_shapes(model, supports.levels, pause),
        clears=frozenset({Form.DEGREES}),
    ),
    Pass(
        "state sizes",
        removes=frozenset({Form.SIZES}),
        leaves=frozenset({Form.NESTED}),
        apply=lambda model, supports, pause: encode_region_sizes(model, pause),
    ),
    Pass(
        "decompose automata",
        removes=frozenset({Form.AUTOMATON}),
        leaves=frozenset({Form.TABLE}),
        apply=lambda model, supports, pause: decompose_automata(model, pause),
    ),
    Pass(
        "state degrees",
        removes=frozenset({Form.DEGREES}),
        leaves=frozenset({Form.NESTED}),
        apply=lambda model, supports, pause: with_degrees(model, supports.degree),
    ),
    Pass(
        "flatten",
        needs=frozenset({Form.DEGREES}),
        removes=frozenset({Form.NESTED, Form.LARGE}),
        leaves=FLAT,
        apply=_flatten,
    ),
    Pass(
        "count with tables",
        needs=frozenset({Form.NESTED, Form.LARGE, Form.AUTOMATON, Form.STRUCTURE, Form.SIZES}),
        removes=frozenset({Form.COUNT, Form.SUM}),
        leaves=frozenset({Form.TABLE, Form.CHOICE}),
        apply=lambda model, supports, pause: decompose_counts(model, pause),
    ),
)


@lru_cache
def chain(supports: Supports) -> tuple[Pass, ...]:
    """Return the passes that leave only forms that the backend supports, in order.

    Raises TypeError for a wrong declaration: no pass lowers one of the other forms.

    >>> [step.name for step in chain(Supports(FLAT))]
    ['lazy cuts', 'decompose automata', 'flatten']
    """
    present = PRESOLVED
    passes = [step for step in PASSES if step.apply is not None or not supports.at_once]
    steps: list[Pass] = []
    while missing := present - supports.forms:
        candidates = [step for step in passes if step not in steps and step.removes & missing]
        ready = (step for step in candidates if not step.needs & present)
        step = next(ready, None)
        if step is None:
            lacking = ", ".join(form.name for form in Form if form in missing)
            raise TypeError(
                f"supports.forms must also have {lacking}: no pass lowers them to the others"
            )
        present = present - step.removes - step.clears | step.leaves
        steps.append(step)
    return tuple(steps)


def lower(model: Model, supports: Supports, pause: Pause) -> Model:
    """Lower a presolved model to the forms that the backend supports.

    If lazy cuts are part of the chain, the model is what `with_lazy_cuts` makes of it: without
    structures. Raises Unsupported, with the rule, and whatever `pause` raises, which is called
    regularly.
    """
    for step in chain(supports):
        if step.apply is not None:
            pause()
            model = step.apply(model, supports, pause)
    pause()
    return model


def described(supports: Supports) -> str:
    """Return the chain as a line of text that ends with the backend's product."""
    product = f"{supports.product}, with lazy cuts" if supports.lazy_cuts else supports.product
    return " → ".join([*(step.name for step in chain(supports)), product])
