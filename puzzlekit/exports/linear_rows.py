"""Clauses and sums of literals: pseudo-Boolean files, and those of MILP solvers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from puzzlekit.backends.base import Budget
from puzzlekit.backends.clauses import FALSE, TRUE, Choice, Clausal
from puzzlekit.errors import InputError
from puzzlekit.exports.dimacs import CLAUSES, read_literals
from puzzlekit.exports.file_format import Claim, FileFormat, Place, Placing, Printed, Written
from puzzlekit.model import Acyclic, Circuit, Connected, Model, Value, Variable

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


Side = tuple[Mapping[int, int], str, int]  # weights of variables, an operator, a number
NEVER: Side = ({1: 1}, ">=", 2)
TERMS = 10  # of a line
CLOSE = 1e-4  # to a whole number


class Opb(FileFormat):
    """Linear constraints in the format of the pseudo-Boolean competitions."""

    name = "opb"
    about = "pseudo-Boolean constraints for RoundingSat, Exact, clasp, SCIP and others"
    comment = "*"
    supports = CLAUSES
    goals = True

    def write(self, model: Model, kept: Sequence[Variable], budget: Budget) -> Written:
        rows = LiteralRows(model, budget)
        sides = [*_sides(rows, operators=(">=", "="))]

        def body() -> Iterator[str]:
            if model.goal is not None:
                yield f"min: {_plus(linear(rows.costs())[0])} ;"
            for weights, operator, number in sides:
                yield f"{_plus(weights)} {operator} {number} ;"

        return Written([f"* #variable= {rows.top} #constraint= {len(sides)}"], body(), rows.placing())

    def read(self, text: str) -> Printed:
        return read_literals(text, "x")


class Lp(FileFormat):
    """An integer program in the LP format of CPLEX."""

    name = "lp"
    about = "an integer program for HiGHS, SCIP, CBC, GLPK, Gurobi and CPLEX"
    comment = "\\"
    supports = CLAUSES
    goals = True

    def write(self, model: Model, kept: Sequence[Variable], budget: Budget) -> Written:
        rows = LiteralRows(model, budget)

        def body() -> Iterator[str]:
            goal = linear(rows.costs())[0] if model.goal else {}
            yield "Minimize"
            yield from _wrapped("obj:", goal or {1: 0}, "")
            yield "Subject To"
            for number, (weights, operator, bound) in enumerate(_sides(rows, operators=(">=", "<=", "=")), 1):
                yield from _wrapped(f"c{number}:", weights, f"{operator} {bound}")
            yield "Binary"
            yield from (f" x{variable}" for variable in range(1, rows.top + 1))
            yield "End"

        return Written((), body(), rows.placing())

    def read(self, text: str) -> Printed:
        return _read_columns(text)


def _sides(rows: LiteralRows, operators: tuple[str, ...]) -> Iterator[Side]:
    """Yield what the rows say, with these operators; an upper bound may become a lower one."""
    for row in chain((Row([(literal, 1) for literal in clause], low=1) for clause in rows.clauses), rows.rows):
        weights, constant = linear(row.weighted)
        low = None if row.low is None else row.low - constant
        high = None if row.high is None else row.high - constant
        if not weights:
            if (low or 0) > 0 or (high or 0) < 0:
                yield NEVER
        elif low is not None and low == high:
            yield weights, "=", low
        else:
            if low is not None:
                yield weights, ">=", low
            if high is not None and "<=" in operators:
                yield weights, "<=", high
            elif high is not None:
                yield {variable: -weight for variable, weight in weights.items()}, ">=", -high


def _plus(weights: Mapping[int, int]) -> str:
    return " ".join(f"{weight:+d} x{variable}" for variable, weight in weights.items())


def _wrapped(name: str, weights: Mapping[int, int], end: str) -> Iterator[str]:
    """Yield a row in lines of a few terms: some solvers read no long lines."""
    terms = [f"{'-' if weight < 0 else '+'} {abs(weight)} x{variable}" for variable, weight in weights.items()]
    for start in range(0, len(terms), TERMS):
        line = " ".join(terms[start : start + TERMS])
        yield f" {f'{name} ' if not start else ' '}{line}{f' {end}' if start + TERMS >= len(terms) and end else ''}"


def _read_columns(text: str) -> Printed:
    """Read columns with their values, as HiGHS, SCIP, CBC, GLPK and Gurobi print them."""
    columns: dict[str, str] = {}
    for line in text.splitlines():
        if re.match(r"\s*#\s*Dual", line):
            break
        found = re.match(r"\s*(?:\*\*\s*)?(?:\d+\s+)?(x[1-9]\d{0,9})\s+(?:\*\s+)?([-+.\w]+)(?:\s|$)", line)
        if found is not None:
            columns[found[1]] = str(_whole(found[1], found[2]))
    none = re.search(r"(?im)\binfeasible\b|^\s*integer empty\b|\bstatus:?\s+integer empty\b", text)
    optimal = re.search(r"(?i)\boptimal\b|\boptimum\b", text)
    if none is not None and not optimal:
        return Printed(Claim.NONE)
    if re.search(r"(?im)^\s*(?:time limit|no solution available|unknown)", text) and not columns:
        return Printed(Claim.UNKNOWN)
    if not columns and not optimal:
        raise InputError("expected lines with the name of a column and its value, such as x12 1; found none")
    return Printed(Claim.OPTIMAL if optimal else Claim.SOLUTION, (columns,) if columns else ())


def _whole(name: str, text: str) -> int:
    """Return a number that is whole but for rounding. Raises InputError."""
    try:
        number = float(text)
        if abs(number - round(number)) < CLOSE:
            return round(number)
    except (ValueError, OverflowError):
        pass
    raise InputError(f"expected 0 or 1 as the value of {name}, got {text[:60]}")
