"""Count without listing: a single all-different, and covers with multiplicities.

No backend counts these well.
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
from puzzlekit.presolve import normalise
from puzzlekit.python_settings import depth_for

PARTITIONED_VARIABLES = 10  # of an all-different: the work is at most 3 to this power
PARTITION_STEPS = 20_000_000  # 2 to the number of variables, times their values
# combinations of values per solution up to which a random solution is one that is not rejected
REJECTED = 100
MEMO_ENTRIES = 2_000_000  # beyond which counting continues without new ones
MOST_TIMES = 2_000  # that all rows must be covered together
Row = tuple[dict[Variable, None], int]  # variables, and the total of their values


def count_all_different(model: Model) -> int | None:
    """Return the number of solutions of an all-different over a few visible variables.

    Returns None if the model has any other constraint. By Möbius inversion over the partitions of
    the variables into blocks, the number is the sum over partitions of the products over blocks B
    of (-1)^(|B|-1) · (|B|-1)! · (values that all of B can take).
    """
    if len(model.constraints) != 1 or model.goal is not None:
        return None
    if model.auxiliary & model.domains.keys():
        return None
    condition = model.constraints[0].condition
    if not isinstance(condition, AllDifferent) or len(condition.terms) > PARTITIONED_VARIABLES:
        return None
    variables = [term for term in condition.terms if isinstance(term, Variable)]
    has_other_terms = len(variables) < len(condition.terms)
    has_repeats = len(set(variables)) < len(variables)
    if has_other_terms or has_repeats or set(variables) != set(model.domains):
        return None
    sizes = [len(model.domains[variable]) for variable in variables]
    steps = sum(sizes) << len(variables)
    if steps > PARTITION_STEPS:
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
    def weight(block: int) -> int:
        """Return the weight of a block: its sign and factor, times its shared values."""
        members = [domain for index, domain in enumerate(domains) if block >> index & 1]
        sign = 1 if len(members) % 2 else -1
        shared_values = reduce(frozenset.intersection, members)
        return sign * factorial(len(members) - 1) * len(shared_values)

    @cache
    def number(remaining: int) -> int:
        """Count for the remaining variables, as bits: sum over the blocks of the first of them."""
        if not remaining:
            return 1
        first = remaining & -remaining
        rest = remaining ^ first
        subset = rest
        total: int = 0
        while True:  # every subset of the rest
            total += weight(first | subset) * number(rest ^ subset)
            if not subset:
                return total
            subset = (subset - 1) & rest

    return number((1 << len(domains)) - 1)


def count_multicover(model: Model, step: Callable[[], None]) -> int | None:
    """Return the number of solutions of an exact cover with multiplicities (Knuth 7.2.2.1).

    Returns None for any other model.

    Each constraint is a row: the number of times that it must be covered. Each variable is a
    column: the number of times that it is chosen. The search branches on the row with the fewest
    columns that still fit. The remaining needs of the rows determine the rest, so they are the key
    of a memo.

    Every constraint must fix how many times some variables are chosen, and at least one row must
    need more than one cover. `step` is called for each way to cover a row and may raise to stop.
    """
    conditions = [constraint.condition for constraint in model.constraints]
    if not all(isinstance(term, Cardinality | Linear | Comparison) for term in conditions):
        return None
    model = normalise(model)
    rows = _rows(model)
    if rows is None:
        return None
    least = {variable: min(domain) for variable, domain in model.domains.items()}
    needs = []
    for row, times in rows:
        least_times = sum([least[variable] for variable in row])
        needs.append(times - least_times)
    if max(needs, default=0) < 2 or sum(needs) > MOST_TIMES:
        return None
    rows_of_column: dict[Variable, list[int]] = {variable: [] for variable in model.domains}
    for index, (row, _) in enumerate(rows):
        for variable in row:
            rows_of_column[variable].append(index)
    most = [len(domain) - 1 for domain in model.domains.values()]
    if min(needs) < 0:
        return 0
    with depth_for(8 * sum(needs)):
        counter = _MulticoverCounter([*rows_of_column.values()], most, len(needs), step)
        return counter.count(tuple(needs))


def _rows(model: Model) -> list[Row] | None:
    """Return the rows of a model; None if it is no cover of all its variables."""
    if model.auxiliary & model.domains.keys():
        return None
    if not all(map(_is_consecutive, model.domains.values())):
        return None
    rows = []
    covered: set[Variable] = set()
    for constraint in model.constraints:
        row = _row(constraint.condition)
        if row is None:
            return None
        rows.append(row)
        covered.update(row[0])
    return rows if covered.issuperset(model.domains) else None


def _row(condition: Term) -> Row | None:
    """Return the variables that are summed, and their total."""
    match condition:
        case Cardinality(literals, low, high) if low == high:
            if not all(value is True for _, value in literals):
                return None
            variables = dict.fromkeys([variable for variable, _ in literals])
            return (variables, low) if len(variables) == len(literals) else None
        case Linear(weighted, low, high) if low == high and low is not None:
            weights = {weight for weight, _ in weighted}
            if len(weights) != 1:
                return None
            variables = dict.fromkeys([variable for _, variable in weighted])
            times, remainder = divmod(low, weights.pop())
            return (variables, times) if len(variables) == len(weighted) and not remainder else None
        case _:
            return None


def _is_consecutive(domain: Sequence[object]) -> bool:
    """Return whether these are consecutive integers, or bools."""
    numbers = {int(value) for value in domain if isinstance(value, int)}
    if len(numbers) < len(domain):
        return False
    return len(numbers) == max(numbers) - min(numbers) + 1


class _MulticoverCounter:
    """Counts the covers of rows by columns.

    Args:
        rows_of_column: The rows of each column.
        most: How often each column may be chosen.
        rows: The number of rows.
        step: What is called for each way to cover a row.
    """

    def __init__(
        self,
        rows_of_column: Sequence[Sequence[int]],
        most: Sequence[int],
        rows: int,
        step: Callable[[], None],
    ) -> None:
        self.rows_of_column = rows_of_column
        self.most = most
        self.step = step
        self.users = [0] * rows  # the columns of each row, one bit per column
        for column, covered_rows in enumerate(rows_of_column):
            for row in covered_rows:
                self.users[row] |= 1 << column
        self.all_columns = (1 << len(rows_of_column)) - 1
        self.memo: dict[tuple[int, ...], int] = {}

    def count(self, needs: tuple[int, ...]) -> int:
        """Return the number of ways to meet the remaining needs of the rows."""
        self.step()
        cached = self.memo.get(needs)
        if cached is not None:
            return cached
        columns = self.all_columns
        for row, need in enumerate(needs):
            if not need:
                columns &= ~self.users[row]
        least, branched_row = 1 << 60, -1
        for row, need in enumerate(needs):
            if need:
                number = (columns & self.users[row]).bit_count()
                if number < least:
                    least, branched_row = number, row
        total = 1
        if branched_row >= 0:
            total = self._covered(list(needs), branched_row, columns & self.users[branched_row])
        if len(self.memo) < MEMO_ENTRIES:
            self.memo[needs] = total
        return total

    def _covered(self, needs: list[int], row: int, columns: int) -> int:
        """Return the number of ways to cover this row by these columns, the last one first."""
        if not needs[row]:
            return self.count(tuple(needs))
        total = 0
        while columns:
            column = columns.bit_length() - 1
            columns ^= 1 << column
            covered_rows = self.rows_of_column[column]
            times = min(self.most[column], *[needs[covered] for covered in covered_rows])
            for _ in range(times):
                for covered in covered_rows:
                    needs[covered] -= 1
                total += self._covered(needs, row, columns)
            for covered in covered_rows:
                needs[covered] += times
        return total
