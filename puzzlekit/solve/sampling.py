"""Draw solutions nearly uniformly at random, where there are too many to count.

A search of the model in random order finds a solution; some are more likely than others to be found
so. Then a block of random unknowns is opened again, a number of times: all ways to fill it are
listed, and one is chosen at random (Gibbs sampling). If there are too many, nothing changes. Such a
step keeps a uniform distribution uniform, as long as the size of the block does not depend on the
solution. So the size is chosen at random below a bound, which only the first draw tunes.

Fillings are put into one order before one is chosen. So a seed repeats the draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random

from puzzlekit.limits import limits
from puzzlekit.model import Model, Values

Listed = Callable[[Model], Iterator[Values]]  # lists the solutions of a model


def nearly_uniform(model: Model, random: Random, listed: Listed) -> Iterator[Values]:
    """Yield random solutions without end; nothing if there is none."""
    most = limits().sampling
    size = len(model.visible()) / 2
    tuned = 0
    while (values := next(listed(_shuffled(model, random)), None)) is not None:
        while tuned < most.tuned_blocks:
            tuned += 1
            other = _refilled(model, values, int(size), random, listed)
            size = max(2.0, size / most.block_growth) if other is None else size * most.block_growth
            values = other or values
        for _ in range(most.refilled_blocks):
            values = _refilled(model, values, random.randint(int(size) // 2, int(size)), random, listed) or values
        yield values


def _refilled(model: Model, values: Values, size: int, random: Random, listed: Listed) -> Values | None:
    """Return a random solution that differs in no more than this many unknowns; None if there are too many."""
    most = limits().sampling.listed_fillings
    variables = model.visible()
    block = set(random.sample(variables, min(size, len(variables))))
    fixed = {variable: (values[variable],) for variable in variables if variable not in block}
    ways = list(islice(listed(replace(model, domains={**model.domains, **fixed})), most + 1))
    if len(ways) > most:
        return None
    ways.sort(key=lambda way: [model.domains[variable].index(way[variable]) for variable in variables])
    return random.choice(ways)


def _shuffled(model: Model, random: Random) -> Model:
    """Return the model with its variables, values and constraints in random order, which searches follow."""
    variables = random.sample(list(model.domains), len(model.domains))
    domains = {variable: tuple(random.sample(model.domains[variable], len(model.domains[variable]))) for variable in variables}
    return replace(model, domains=domains, constraints=tuple(random.sample(model.constraints, len(model.constraints))))
