"""Counts the answers of an all-different that stands alone, without listing them."""

from functools import cache, reduce
from math import factorial

from puzzlekit.model import AllDifferent, Model, Value, Variable

MOST = 10  # variables: there are 3 to this power ways to choose blocks at most,
WORK = 20_000_000  # and for each of the 2 to this power blocks the values are gone through


def different(model: Model) -> int | None:
    """The number of answers, where an all-different of a few visible variables is all that the model asks; else None.

    The assignments without two equal values are, by Möbius inversion on the partitions of the variables into blocks, the sum
    over partitions of the products over blocks B of (-1)^(|B|-1) · (|B|-1)! · (values that all of B can take).
    """
    if len(model.constraints) != 1 or model.goal is not None or model.auxiliary & model.domains.keys():
        return None
    condition = model.constraints[0].condition
    if not isinstance(condition, AllDifferent) or len(condition.terms) > MOST:
        return None
    variables = [term for term in condition.terms if isinstance(term, Variable)]
    if len(variables) < len(condition.terms) or len(set(variables)) < len(variables) or set(variables) != set(model.domains):
        return None
    if sum(len(model.domains[variable]) for variable in variables) << len(variables) > WORK:
        return None
    return _injective([frozenset(model.domains[variable]) for variable in variables])


def _injective(domains: list[frozenset[Value]]) -> int:
    """In how many ways each domain can give a value, all of them different."""

    @cache
    def shared(block: int) -> int:
        parts = [domain for place, domain in enumerate(domains) if block >> place & 1]
        sign = 1 if len(parts) % 2 else -1
        return sign * factorial(len(parts) - 1) * len(reduce(frozenset.intersection, parts))

    @cache
    def ways(left: int) -> int:
        """Of the variables that are left, as bits: the blocks of the first one, times the ways of those beside it."""
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
