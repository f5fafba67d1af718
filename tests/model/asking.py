"""Queries about a model, asked of a backend by name, as the tests ask them."""

from collections.abc import Iterator

from puzzlekit.backends.base import Budget
from puzzlekit.model import Model, Values
from puzzlekit.query import ObjectiveBound, Presolve, Query, Task
from puzzlekit.solve.auto import solver
from puzzlekit.solve.search import ModelSearch


def solutions(
    name: str, model: Model, budget: Budget | None = None, bound: ObjectiveBound | None = None
) -> Iterator[Values]:
    """The solutions by one backend, without the parts and the referee of a search."""
    return solver(name).ask(model, Query(bound=bound), budget or Budget())


def improving(name: str, model: Model, budget: Budget | None = None) -> Iterator[Values]:
    """Better and better solutions by one backend."""
    return solver(name).ask(model, Query(Task.OPTIMISE), budget or Budget())


def counted(name: str, model: Model, bound: ObjectiveBound | None = None) -> int:
    """The number of solutions by one backend."""
    (found,) = solver(name).ask(model, Query(Task.COUNT, bound=bound), Budget())
    return int(found)


def search(
    model: Model,
    name: str,
    budget: Budget | None = None,
    isolated: bool = False,
    level: Presolve = Presolve.FULL,
) -> ModelSearch:
    """The search of a model on one backend."""
    return ModelSearch(model, solver(name, isolated), budget or Budget(), level)
