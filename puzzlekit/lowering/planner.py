"""The chain of passes that lowers a presolved model to what a backend supports, planned from the backend's declaration.

A model is described by the forms that its constraints may have. A pass says which forms must be gone before it (`needs`),
which it removes, and which it leaves in their place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache

from puzzlekit.errors import Unsupported
from puzzlekit.lowering.counter_tables import count_with_tables
from puzzlekit.lowering.flatten import flatten
from puzzlekit.lowering.lazy_cuts import apart
from puzzlekit.lowering.unroll import unroll
from puzzlekit.model import Automaton, Constraint, Model
from puzzlekit.presolve.circuits import with_degrees
from puzzlekit.query import Kind

Pause = Callable[[], None]


class Form(Enum):
    """The forms of constraint that a presolved model may hold."""

    TABLE = "tables"
    ALL_DIFFERENT = "all-different"
    CHOICE = "exactly or at most one of some literals"
    COUNT = "counts of literals"
    SUM = "weighted sums"
    NESTED = "terms in terms"
    LARGE = "terms of too many values to name them"
    AUTOMATON = "automata"
    STRUCTURE = "connectedness, circuits and forests"
    DEGREES = "circuits without the degrees of their vertices beside them"


FLAT = frozenset({Form.TABLE, Form.ALL_DIFFERENT, Form.CHOICE, Form.COUNT, Form.SUM})
PRESOLVED = frozenset(Form)


@dataclass(frozen=True)
class Supports:
    """What a backend can do. All else is lowered, or answered by asking the backend something simpler.

    Args:
        forms: the forms of constraint that it takes.
        queries: the kinds of query that it answers by itself; `enumerate` must be among them. One that it cannot answer for a
            certain model raises Unsupported before the first solution. Counts and samples are asked of it only where the
            visible variables fix the auxiliary ones, and where no structure is cut off in turns with it.
        bounds: whether it takes a query with a bound on the goal.
        distinct: whether its solutions differ in visible variables; else one may come again with other auxiliary values.
        listing: whether it is quicker to look at all solutions than to ask again with a bound on the goal, or to count by
            cases.
        lazy_cuts: whether it cuts structures off by itself, as they turn up wrong, in the running solver.
        combinations: combinations of values up to which it takes a nested condition as a table; None for the usual number.
        degree: edges at a vertex from which it wants the degrees of a circuit stated; fewer it states by itself.
        product: what its own translation makes of the lowered model.
    """

    forms: frozenset[Form]
    queries: frozenset[Kind] = frozenset({Kind.ENUMERATE})
    bounds: bool = False
    distinct: bool = False
    listing: bool = False
    lazy_cuts: bool = False
    combinations: int | None = None
    degree: int = 0
    product: str = "model"


@dataclass(frozen=True)
class Pass:
    """One step of a chain."""

    name: str
    needs: frozenset[Form]  # forms that must be gone before
    removes: frozenset[Form]
    leaves: frozenset[Form]
    apply: Callable[[Model, Supports, Pause], Model]
    clears: frozenset[Form] = frozenset()  # forms that are gone as well, though it is not taken for that


def _flatten(model: Model, supports: Supports, pause: Pause) -> Model:
    """`flatten`, beside automata that stay; and beside terms that it cannot name where the backend takes them."""
    automata = tuple(c for c in model.constraints if isinstance(c.condition, Automaton))
    others = tuple(c for c in model.constraints if not isinstance(c.condition, Automaton))
    large: tuple[Constraint, ...] = ()
    try:
        flat = flatten(replace(model, constraints=others), pause, supports.combinations)
    except Unsupported:
        if Form.LARGE not in supports.forms:
            raise
        large = tuple(c for c in others if not _can_be_flat(model, c, pause))
        flat = flatten(replace(model, constraints=tuple(c for c in others if c not in large)), pause, supports.combinations)
    return replace(flat, constraints=(*automata, *flat.constraints, *large))


def _can_be_flat(model: Model, one: Constraint, pause: Pause) -> bool:
    try:
        flatten(replace(model, constraints=(one,), goal=None), pause)
    except Unsupported:
        return False
    return True


NONE: frozenset[Form] = frozenset()
LAZY_CUTS = Pass(
    "lazy cuts",
    needs=NONE,
    removes=frozenset({Form.STRUCTURE}),
    leaves=frozenset({Form.NESTED}),
    apply=lambda model, supports, pause: apart(model)[0],
    clears=frozenset({Form.DEGREES}),
)
PASSES = (  # where several would do, the first one is taken
    LAZY_CUTS,
    Pass(
        "unroll automata",
        needs=NONE,
        removes=frozenset({Form.AUTOMATON}),
        leaves=frozenset({Form.TABLE}),
        apply=lambda model, supports, pause: unroll(model),
    ),
    Pass(
        "state degrees",
        needs=NONE,
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
        needs=frozenset({Form.NESTED, Form.LARGE, Form.AUTOMATON, Form.STRUCTURE}),
        removes=frozenset({Form.COUNT, Form.SUM}),
        leaves=frozenset({Form.TABLE, Form.CHOICE}),
        apply=lambda model, supports, pause: count_with_tables(model, pause),
    ),
)


@lru_cache
def chain(supports: Supports) -> tuple[Pass, ...]:
    """The passes that leave a backend nothing but forms that it supports, in order.

    Raises TypeError where no pass lowers one of the other forms: a declaration that is wrong.

    >>> [step.name for step in chain(Supports(FLAT))]
    ['lazy cuts', 'unroll automata', 'flatten']
    """
    present = PRESOLVED
    steps: list[Pass] = []
    while missing := present - supports.forms:
        ready = (step for step in PASSES if step not in steps and step.removes & missing and not step.needs & present)
        step = next(ready, None)
        if step is None:
            raise TypeError(f"no pass lowers {', '.join(sorted(form.value for form in missing))}")
        present = present - step.removes - step.clears | step.leaves
        steps.append(step)
    return tuple(steps)


def lower(model: Model, supports: Supports, pause: Pause) -> Model:
    """A presolved model, without structures where they are cut off lazily, as the backend takes it.

    Raises: Unsupported, with the rule; what `pause` raises, which is called regularly.
    """
    for step in chain(supports):
        if step is not LAZY_CUTS:
            pause()
            model = step.apply(model, supports, pause)
    pause()
    return model


def described(supports: Supports) -> str:
    """The chain as a line to read, up to what the backend makes of the model."""
    return " → ".join([*(step.name for step in chain(supports)), supports.product])
