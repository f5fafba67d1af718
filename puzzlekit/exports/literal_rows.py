"""A model as clauses and sums of literals, for formats that have both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from puzzlekit.backends.base import Budget
from puzzlekit.backends.clauses import FALSE, TRUE, Choice, Clausal
from puzzlekit.exports.file_format import Place, Placing
from puzzlekit.model import Acyclic, Circuit, Connected, Model, RegionSizes, Value, Variable

Weighted = Sequence[tuple[int, int]]  # literals with their weights


@dataclass(frozen=True)
class Row:
    """A sum of literals with weights from `low` to `high`; None means unbounded."""

    weighted: Weighted
    low: int | None = None
    high: int | None = None


class LiteralRows(Clausal):
    """A model as clauses and rows.

    Attributes:
        clauses: Lists of literals, of which at least one is true; they have no known literal.
        rows: Sums of literals.
    """

    def __init__(self, model: Model, budget: Budget) -> None:
        super().__init__(model, budget.check)
        self.clauses: list[list[int]] = []
        self.rows: list[Row] = []
        self.state()

    def clause(self, literals: Iterable[int]) -> None:
        kept = [literal for literal in literals if literal != FALSE]
        if TRUE not in kept:
            self.clauses.append(kept)

    def at_most_one(self, literals: Sequence[int]) -> None:
        if len(literals) > 1:
            self.rows.append(Row([(literal, 1) for literal in literals], high=1))

    def total(self, choices: Sequence[Choice], low: int, high: int) -> None:
        weighted = [pair for choice in choices for pair in choice if pair[1]]
        most = sum(max(weight for _, weight in choice) for choice in choices)
        self.rows.append(Row(weighted, low if low > 0 else None, high if high < most else None))

    def shape(self, shape: Connected | Circuit | Acyclic, flags: Sequence[int]) -> None:
        raise AssertionError("shapes are lowered before")

    def region_sizes(self, shape: RegionSizes, links: Sequence[int]) -> None:
        raise AssertionError("sizes of regions are lowered before")

    def placing(self) -> Placing:
        """Return the function that tells where a value of a variable is: `x12` is 1, or 0."""

        def place(variable: Variable, value: Value) -> Place:
            literal = self.literal(variable, value)
            return f"x{abs(literal)}", str(int(literal > 0))

        return place


def linear(weighted: Weighted) -> tuple[dict[int, int], int]:
    """Return the weight of each variable, from 2 on, and a constant; variable 1 is always true.

    >>> linear([(2, 3), (-4, 5), (1, 7)])
    ({2: 3, 4: -5}, 12)
    """
    weights: dict[int, int] = {}
    constant = 0
    for literal, weight in weighted:
        if literal < 0:
            constant, weight = constant + weight, -weight
        if abs(literal) == TRUE:
            constant += weight
        else:
            weights[abs(literal)] = weights.get(abs(literal), 0) + weight
    return {variable: weight for variable, weight in weights.items() if weight}, constant
