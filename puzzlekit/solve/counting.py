"""Count without listing what no backend counts well: a lone all-different, and covers with
multiplicities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, reduce
from math import factorial, prod
from random import Random

from puzzlekit.model import (
    AllDifferent,
    Cardinality,
    Comparison,
    Linear,
    Model,
    Term,
    Value,
    Values,
    Variable,
)
from puzzlekit.presolve.normal_form import normalise
from puzzlekit.python_settings import depth_for

PARTITIONED_VARIABLES = 10  # of an all-different: the work is at most 3 to this power
PARTITION_STEPS = 20_000_000  # 2 to the number of variables, times their values
# combinations of values per solution up to which a random solution is one that is not rejected
REJECTED = 100
MEMO_ENTRIES = 2_000_000  # beyond which counting continues without new ones
MOST_TIMES = 2_000  # that all rows must be covered together
Row = tuple[dict[Variable, None], int]


def count_all_different(model: Model) -> int | None:
    """Return the number of solutions of an all-different over a few visible variables.

    Returns None if the model has any other constraint. By Möbius inversion over the partitions of
    the variables into blocks, the number is the sum over partitions of the products over blocks B
    of (-1)^(|B|-1) · (|B|-1)! · (values that all of B can take).
    """
    if (
        len(model.constraints) != 1
        or model.goal is not None
        or model.auxiliary & model.domains.keys()
    ):
        return None
    condition = model.constraints[0].condition
    if not isinstance(condition, AllDifferent) or len(condition.terms) > PARTITIONED_VARIABLES:
        return None
    variables = [term for term in condition.terms if isinstance(term, Variable)]
    if (
        len(variables) < len(condition.terms)
        or len(set(variables)) < len(variables)
        or set(variables) != set(model.domains)
    ):
        return None
    if (
        sum(len(model.domains[variable]) for variable in variables) << len(variables)
        > PARTITION_STEPS
    ):
        return None
    return _injective([frozenset(model.domains[variable]) for variable in variables])


def draws_all_different(model: Model, random: Random) -> Iterator[Values] | None:
    """Return random solutions without end of such an all-different, uniformly drawn.

    Returns None for any other model, and if most combinations of values are no solutions.
    """
    number = count_all_different(model)
    if not number or prod(map(len, model.domains.values())) > REJECTED * number:
        return None
    return _draws(model, random)


def _draws(model: Model, random: Random) -> Iterator[Values]:
    while True:
        values = {variable: random.choice(domain) for variable, domain in model.domains.items()}
        if len(set(values.values())) == len(values):
            yield values


def _injective(domains: list[frozenset[Value]]) -> int:
    """Return the number of injective choices of a value from each domain.

    Möbius inversion on the lattice of set partitions (Rota, "On the foundations of combinatorial
    theory I", 1964): a block of n variables that are equal weighs (−1)ⁿ⁻¹ (n − 1)!.
    """

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


def count_multicover(model: Model, step: Callable[[], None]) -> int | None:
    """Return the number of solutions of an exact cover with multiplicities (Knuth 7.2.2.1), or None
    for any other model.

    Each constraint is a row: the number of times that it must be covered. Each variable is a
    column: the number of times that it is taken. The search branches on the row with the fewest
    columns that still fit. The remaining needs of the rows determine the rest, so they are the key
    of a memo.

    Every constraint must fix how many times some variables are taken, and at least one row must
    need more than one cover. `step` is called for each way to cover a row and may raise to stop.
    """
    if not all(
        isinstance(constraint.condition, Cardinality | Linear | Comparison)
        for constraint in model.constraints
    ):
        return None
    model = normalise(model)
    rows = [_row(constraint.condition) for constraint in model.constraints]
    known = [row for row in rows if row is not None]
    least = {
        variable: min(domain) for variable, domain in model.domains.items() if _from_least(domain)
    }
    if (
        len(known) < len(rows)
        or len(least) < len(model.domains)
        or model.auxiliary & model.domains.keys()
    ):
        return None
    if not {variable for row, _ in known for variable in row}.issuperset(least):
        return None
    needs = [times - sum(least[variable] for variable in row) for row, times in known]
    if max(needs, default=0) < 2 or sum(needs) > MOST_TIMES:
        return None
    number = {variable: place for place, variable in enumerate(model.domains)}
    at: list[list[int]] = [[] for _ in number]
    for place, (row, _) in enumerate(known):
        for variable in row:
            at[number[variable]].append(place)
    most = [len(domain) - 1 for domain in model.domains.values()]
    if min(needs) < 0:
        return 0
    with depth_for(8 * sum(needs)):
        return _Count(at, most, len(needs), step).ways(tuple(needs))


def _row(condition: Term) -> Row | None:
    """Return the variables that are summed, and their total."""
    match condition:
        case Cardinality(literals, low, high) if low == high and all(
            value is True for _, value in literals
        ):
            row = dict.fromkeys(variable for variable, _ in literals)
            return (row, low) if len(row) == len(literals) else None
        case Linear(weighted, low, high) if (
            low == high and low is not None and len({weight for weight, _ in weighted}) == 1
        ):
            row = dict.fromkeys(variable for _, variable in weighted)
            times, rest = divmod(low, weighted[0][0])
            return (row, times) if len(row) == len(weighted) and not rest else None
        case _:
            return None


def _from_least(domain: Sequence[object]) -> bool:
    """Return whether these are consecutive integers, or bools."""
    if not all(isinstance(value, int) for value in domain):
        return False
    whole = {int(value) for value in domain if isinstance(value, int)}
    return len(whole) == len(domain) == max(whole) - min(whole) + 1


class _Count:
    """`at` lists the rows of each column, `most` limits how often it may be taken."""

    def __init__(
        self, at: Sequence[Sequence[int]], most: Sequence[int], rows: int, step: Callable[[], None]
    ) -> None:
        self.at = at
        self.most = most
        self.step = step
        self.users = [0] * rows  # the columns of each row, one bit per column
        for column, own in enumerate(at):
            for row in own:
                self.users[row] |= 1 << column
        self.every = (1 << len(at)) - 1
        self.memo: dict[tuple[int, ...], int] = {}

    def ways(self, needs: tuple[int, ...]) -> int:
        """Return the number of ways to meet the remaining needs of the rows."""
        self.step()
        known = self.memo.get(needs)
        if known is not None:
            return known
        live = self.every
        for row, need in enumerate(needs):
            if not need:
                live &= ~self.users[row]
        fewest, place = 1 << 60, -1
        for row, need in enumerate(needs):
            if need and (number := (live & self.users[row]).bit_count()) < fewest:
                fewest, place = number, row
        found = self._covered(list(needs), place, live & self.users[place]) if place >= 0 else 1
        if len(self.memo) < MEMO_ENTRIES:
            self.memo[needs] = found
        return found

    def _covered(self, needs: list[int], row: int, columns: int) -> int:
        """Return the number of ways to cover this row by these columns, the last one first."""
        if not needs[row]:
            return self.ways(tuple(needs))
        total = 0
        while columns:
            column = columns.bit_length() - 1
            columns ^= 1 << column
            at = self.at[column]
            times = min(self.most[column], *(needs[row] for row in at))
            for _ in range(times):
                for own in at:
                    needs[own] -= 1
                total += self._covered(needs, row, columns)
            for own in at:
                needs[own] += times
        return total
