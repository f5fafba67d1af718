"""MiniZinc: integers, tables, all-different, counts and weighted sums."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from typing import cast

import numpy as np

from puzzlekit.backends.base import Budget
from puzzlekit.backends.clauses import NAMED
from puzzlekit.errors import InputError
from puzzlekit.exports.file_format import (
    Assigned,
    Assignment,
    Claim,
    FileFormat,
    Printed,
    Written,
    one_line,
)
from puzzlekit.exports.names import readable
from puzzlekit.lowering.planner import FLAT, Supports
from puzzlekit.model import (
    AllDifferent,
    Cardinality,
    Domain,
    Linear,
    Model,
    Sum,
    Table,
    Term,
    Value,
    Variable,
)

STATUSES = {
    "=====UNSATISFIABLE=====": Claim.NONE,
    "=====UNKNOWN=====": Claim.UNKNOWN,
    "UNSATISFIABLE": Claim.NONE,
    "UNKNOWN": Claim.UNKNOWN,
    "SATISFIED": Claim.SOLUTION,
    "ALL_SOLUTIONS": Claim.SOLUTION,
    "OPTIMAL_SOLUTION": Claim.OPTIMAL,
}
GLOBALS = {Table: "table", AllDifferent: "alldifferent"}
STATUS = r'"status"\s*:\s*"(\w+)"'


class MiniZinc(FileFormat):
    """MiniZinc, with a variable of integers for each variable."""

    name = "mzn"
    about = "a model for MiniZinc and its solvers: Gecode, Chuffed, OR-tools, HiGHS"
    comment = "%"
    supports = Supports(
        forms=FLAT, combinations=NAMED, at_once=True, levels=True, product="integers"
    )
    goals = True

    def write(self, model: Model, kept: Sequence[Variable], budget: Budget) -> Written:
        terms = _Terms(model)
        used = {type(constraint.condition) for constraint in model.constraints}
        lines = [f'include "{name}.mzn";' for kind, name in GLOBALS.items() if kind in used]
        lines += [f"var {_domain(terms.codes(v))}: {terms.name(v)};" for v in model.domains]
        for constraint in model.constraints:
            budget.check()
            lines.append(
                f"constraint {terms.condition(constraint.condition)}; % {one_line(str(constraint.origin))}"
            )
        goal = model.goal
        if goal is None:
            lines.append("solve satisfy;")
        else:
            term = cast(Sum, goal.term)
            total = terms.weighted(cast("Sequence[tuple[int, Variable]]", term.weighted))
            lines.append(f"solve {'maximize' if goal.maximise else 'minimize'} {total};")
        return Written((), lines, lambda variable, value: terms.place(variable, value))

    def read(self, text: str, names: Collection[str]) -> Printed:
        found = [*_solutions(text, names)]
        lines = [line.strip() for line in text.splitlines()]
        claim = next((STATUSES[line] for line in lines if line in STATUSES), None)
        claim = claim or next(
            (STATUSES[word] for word in re.findall(STATUS, text) if word in STATUSES), None
        )
        if claim is None and not found:
            raise InputError(
                "expected lines such as x12 = 3; or =====UNSATISFIABLE=====, found neither"
            )
        best = Claim.OPTIMAL if "==========" in lines else Claim.SOLUTION
        return Printed(
            (claim or best) if found or claim is not Claim.SOLUTION else best, tuple(found)
        )


class _Terms:
    """A flat model's variables and conditions as text; values that are not numbers have codes."""

    def __init__(self, model: Model) -> None:
        self.domains = model.domains
        self._names = dict(
            zip(model.domains, readable(variable.name for variable in model.domains))
        )
        values = dict.fromkeys(value for domain in model.domains.values() for value in domain)
        first = 1 + max((int(value) for value in values if isinstance(value, int)), default=0)
        others = (value for value in values if not isinstance(value, int))
        self._codes = {value: code for code, value in enumerate(others, max(first, 1))}

    def name(self, variable: Term) -> str:
        return self._names[cast(Variable, variable)]

    def code(self, value: Value) -> int:
        return int(value) if isinstance(value, int) else self._codes[value]

    def codes(self, variable: Variable) -> list[int]:
        return [self.code(value) for value in self.domains[variable]]

    def place(self, variable: Variable, value: Value) -> Assigned:
        return self.name(variable), str(self.code(value))

    def weighted(self, weighted: Sequence[tuple[int, Variable]]) -> str:
        """Return a sum, such as 2*x - y."""
        signs = ("- " if weight < 0 else "+ " for weight, _ in weighted)
        terms = ("" if abs(weight) == 1 else f"{abs(weight)}*" for weight, _ in weighted)
        total = " ".join(
            f"{sign}{term}{self.name(variable)}"
            for sign, term, (_, variable) in zip(signs, terms, weighted)
        )
        return total.removeprefix("+ ") or "0"

    def condition(self, condition: Term) -> str:
        match condition:
            case Table(terms) if not len(condition.rows) or not terms:
                return "true" if len(condition.rows) else "false"
            case Table(terms):
                return self._table(condition)
            case AllDifferent(terms):
                return f"alldifferent([{', '.join(map(self.name, terms))}])"
            case Cardinality(literals, low, high):
                counted = [
                    f"{self.name(v)} = {self.code(value)}"
                    for v, value in literals
                    if value in self.domains[v]
                ]
                if low == 1 and high >= len(literals):
                    return " \\/ ".join(counted) or "false"
                return _between(
                    f"sum([{', '.join(f'bool2int({one})' for one in counted)}])"
                    if counted
                    else "0",
                    low,
                    high,
                )
            case Linear(weighted, lowest, highest):
                return _between(self.weighted(weighted), lowest, highest)
            case _:
                raise AssertionError(f"{type(condition).__name__} is not left by flatten")

    def _table(self, table: Table) -> str:
        columns = [
            np.array([*map(self.code, book)])[table.rows[:, place]]
            for place, book in enumerate(table.dictionaries)
        ]
        numbers = np.stack(columns, axis=1)
        rows = " | ".join(", ".join(map(str, row)) for row in numbers.tolist())
        return f"table([{', '.join(map(self.name, table.terms))}], [| {rows} |])"


def _domain(codes: Sequence[int] | Domain) -> str:
    numbers = sorted(codes)
    if len(numbers) == numbers[-1] - numbers[0] + 1:
        return f"{numbers[0]}..{numbers[-1]}"
    return f"{{{', '.join(map(str, numbers))}}}"


def _between(total: str, low: int | None, high: int | None) -> str:
    if low is not None and low == high:
        return f"{total} = {low}"
    bounds = [f"{total} >= {low}"] if low is not None else []
    bounds += [f"{total} <= {high}"] if high is not None else []
    return " /\\ ".join(bounds) or "true"


def _solutions(text: str, names: Collection[str]) -> Iterator[Assignment]:
    """Yield the solutions, as values of these names: lines or objects of JSON, each before a line
    of dashes.
    """
    for part in re.split(r"(?m)^\s*-{10}\s*$", text):
        objects = [*_objects(part)]
        for found in objects:
            if values := {name: str(value) for name, value in found.items() if name in names}:
                yield values
        pairs = re.findall(r"(?m)^\s*(\w+)\s*=\s*(-?\d+)\s*;", part)
        if pairs and not objects:
            yield dict(pairs)


def _objects(part: str) -> Iterator[dict[str, object]]:
    """Yield what MiniZinc prints with --output-mode json or --json-stream."""
    texts = [line for line in part.splitlines() if line.startswith('{"')] or [
        part[part.find("{") : part.rfind("}") + 1]
    ]
    for text in texts:
        try:
            found = json.loads(text) if text else None
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict) and found.get("type") == "solution":
            output = found.get("output")
            found = output.get("json") if isinstance(output, dict) else None
        if isinstance(found, dict) and any(type(value) is int for value in found.values()):
            yield found
