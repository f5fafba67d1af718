"""Count the solutions of an all-different without listing them.

Either it is the only constraint, or it is over a few variables with large domains, such as words,
among other constraints.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, reduce
from math import factorial, prod

from puzzlekit.limits import limits
from puzzlekit.model import AllDifferent, Model, Term, Value, Variable
from puzzlekit.presolve.normalise import substitute


def count_all_different(model: Model) -> int | None:
    """Return the number of solutions of an all-different over a few visible variables.

    Returns None if the model has any other constraint. By Möbius inversion over the partitions of
    the variables into blocks, the number is the sum over partitions of the products over blocks B
    of (-1)^(|B|-1) · (|B|-1)! · (values that all of B can take).
    """
    if len(model.constraints) != 1 or model.goal is not None or model.auxiliary & model.domains.keys():
        return None
    condition = model.constraints[0].condition
    if not isinstance(condition, AllDifferent) or len(condition.terms) > limits().counting.partitioned_variables:
        return None
    variables = [term for term in condition.terms if isinstance(term, Variable)]
    if len(variables) < len(condition.terms) or len(set(variables)) < len(variables) or set(variables) != set(model.domains):
        return None
    if sum(len(model.domains[variable]) for variable in variables) << len(variables) > limits().counting.partition_steps:
        return None
    return _injective([frozenset(model.domains[variable]) for variable in variables])


def without_all_different(model: Model) -> tuple[tuple[Variable, ...], Model] | None:
    """Return a few all-different visible variables with large domains, and the model without it.

    Returns None if there are none.
    """
    few, many = limits().counting.block_variables, limits().counting.block_values
    for place, constraint in enumerate(model.constraints):
        condition = constraint.condition
        if isinstance(condition, AllDifferent) and len(condition.terms) <= few:
            variables = tuple(term for term in condition.terms if isinstance(term, Variable) and term not in model.auxiliary)
            if len(set(variables)) == len(condition.terms) and all(len(model.domains[v]) >= many for v in variables):
                others = model.constraints[:place] + model.constraints[place + 1 :]
                return variables, replace(model, constraints=others, goal=None)
    return None


def by_blocks(variables: tuple[Variable, ...], model: Model) -> Iterator[tuple[int, Model]]:
    """Yield factors and models: the sum of factor · solutions counts the all-different solutions.

    There is one model per partition of the variables into blocks of equal values. The formula of
    the factor is in `count_all_different`.
    """
    for blocks in _partitions(variables):
        domains = dict(model.domains)
        leaders: dict[Term, Term] = {}
        for block in blocks:
            shared = frozenset.intersection(*(frozenset(model.domains[variable]) for variable in block))
            domains[block[0]] = tuple(value for value in model.domains[block[0]] if value in shared)
            for variable in block[1:]:
                leaders[variable] = block[0]
                del domains[variable]
        if all(domains.values()):
            constraints = [replace(c, condition=substitute(c.condition, leaders)) for c in model.constraints]
            factor = prod((-1) ** (len(block) - 1) * factorial(len(block) - 1) for block in blocks)
            yield factor, replace(model, domains=domains, constraints=tuple(constraints))


def _partitions(variables: tuple[Variable, ...]) -> Iterator[list[list[Variable]]]:
    if not variables:
        yield []
        return
    *rest, last = variables
    for blocks in _partitions(tuple(rest)):
        yield [*blocks, [last]]
        for place, block in enumerate(blocks):
            yield [*blocks[:place], [*block, last], *blocks[place + 1 :]]


def _injective(domains: list[frozenset[Value]]) -> int:
    """Return the number of injective choices of a value from each domain."""

    @cache
    def shared(block: int) -> int:
        parts = [domain for place, domain in enumerate(domains) if block >> place & 1]
        sign = 1 if len(parts) % 2 else -1
        return sign * factorial(len(parts) - 1) * len(reduce(frozenset.intersection, parts))

    @cache
    def ways(left: int) -> int:
        """Count for the remaining variables, as bits: sum over the blocks of the first of them."""
        if not left:
            return 1
        first = left & -left
        rest, beside = left ^ first, left ^ first
        total: int = 0
        while True:  # every subset of the rest
            total += shared(first | beside) * ways(rest ^ beside)
            if not beside:
                return total
            beside = (beside - 1) & rest

    return ways((1 << len(domains)) - 1)
