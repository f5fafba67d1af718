"""Models that no backend finishes; run as a script, it searches one until it is interrupted.

python hard_models.py MODEL BACKEND QUERY
"""

import sys
from collections.abc import Callable, Mapping
from itertools import combinations

from puzzlekit.backends import Budget
from puzzlekit.model import (
    AllDifferent,
    Comparison,
    Constraint,
    Linear,
    Member,
    Model,
    Objective,
    Operation,
    Origin,
    Sum,
    Term,
    Variable,
)
from puzzlekit.query import Query, Task
from puzzlekit.solve.auto import solver
from puzzlekit.solve.search import ModelSearch


def pigeons() -> Model:
    """Fourteen pigeons, thirteen holes, and only pairs that tell of it."""
    return _model(
        14, range(13), lambda xs: [Comparison("!=", a, b) for a, b in combinations(xs, 2)]
    )


def many() -> Model:
    """More solutions than can be listed."""
    return _model(
        30,
        range(9),
        lambda xs: [Linear(tuple((1, x) for x in xs[i : i + 10]), 30, 50) for i in range(0, 21, 2)],
    )


def permutations() -> Model:
    """More solutions than can be listed, and the first one comes at once."""
    return _model(12, range(12), lambda xs: [AllDifferent(xs)])


def products() -> Model:
    """Equal products of three: integers, and not linear."""

    def product(xs: tuple[Variable, ...], first: int) -> Term:
        a, b, c = (xs[(first + i) % len(xs)] for i in range(3))
        return Operation("*", (Operation("*", (a, b)), c))

    def rules(xs: tuple[Variable, ...]) -> list[Term]:
        return [
            Comparison("==", product(xs, i), Sum(((1, product(xs, i + 3)),), 1 + i))
            for i in range(len(xs))
        ]

    return _model(8, range(2, 60), rules)


def parities() -> Model:
    """A graph in which every vertex wants so many of its edges, even or odd,
    that all together want half an edge.
    """
    count = 80

    def rules(xs: tuple[Variable, ...]) -> list[Term]:
        at: list[list[Variable]] = [[] for _ in range(count)]
        for i, x in enumerate(xs):
            step = (1, 17, 31)[i // count]
            at[i % count].append(x)
            at[(i + step) % count].append(x)
        even, odd = frozenset({0, 2, 4, 6}), frozenset({1, 3, 5})
        return [
            Member(Sum(tuple((1, x) for x in edges)), even if place else odd)
            for place, edges in enumerate(at)
        ]

    return _model(3 * count, range(2), rules)


def _model(count: int, values: range, rules: Callable[[tuple[Variable, ...]], list[Term]]) -> Model:
    variables = tuple(Variable(f"x{i}") for i in range(count))
    constraints = tuple(Constraint(condition, Origin("rule")) for condition in rules(variables))
    goal = Objective("weighted", Sum(tuple((i % 7 - 3, x) for i, x in enumerate(variables))))
    return Model(dict.fromkeys(variables, tuple(values)), constraints, goal)


MODELS: Mapping[str, Callable[[], Model]] = {
    made.__name__: made for made in (pigeons, many, permutations, products, parities)
}


def run_to_the_end(model: str, name: str, kind: str, budget: Budget) -> None:
    """Answer one kind of query to its end."""
    running = ModelSearch(MODELS[model](), solver(name), budget)
    if kind == Task.COUNT:
        running.count()
        return
    for _ in running.run(Query(Task(kind))):
        pass


if __name__ == "__main__":
    print("ready", flush=True)
    try:
        run_to_the_end(*sys.argv[1:4], Budget.of(60))
    except KeyboardInterrupt:
        print("interrupted", flush=True)
