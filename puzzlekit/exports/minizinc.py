"""MiniZinc: integers, tables, all-different, counts and weighted sums."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import cast

import numpy as np

from puzzlekit.backends import NAMED, Budget
from puzzlekit.errors import InputError
from puzzlekit.exports.file_format import (
    Assignment,
    Claim,
    FileFormat,
    FileLiteral,
    Printed,
    Written,
    one_line,
)
from puzzlekit.exports.names import readable
from puzzlekit.lowering import FLAT, Supports
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

    def write(self, model: Model, reported: Sequence[Variable], budget: Budget) -> Written:
        terms = _Terms(model)
        used = {type(constraint.condition) for constraint in model.constraints}
        lines = [f'include "{name}.mzn";' for form, name in GLOBALS.items() if form in used]
        lines += map(terms.declaration, model.domains)
        for constraint in model.constraints:
            budget.check()
            condition = terms.condition(constraint.condition)
            origin = one_line(str(constraint.origin))
            lines.append(f"constraint {condition}; % {origin}")
        lines.append(f"solve {_goal(model, terms)};")
        return Written((), lines, terms.file_literal)

    def read(self, text: str, names: Collection[str]) -> Printed:
        assignments = tuple(_solutions(text, names))
        lines = list(map(str.strip, text.splitlines()))
        claim = _claim(text, lines)
        if claim is None and not assignments:
            raise InputError(
                "expected lines such as x12 = 3; or =====UNSATISFIABLE=====, found neither"
            )
        is_unreported = claim is Claim.SOLUTION and not assignments
        if claim is None or is_unreported:
            claim = Claim.OPTIMAL if "==========" in lines else Claim.SOLUTION
        return Printed(claim, assignments)


def _goal(model: Model, terms: _Terms) -> str:
    """Return what to solve for."""
    goal = model.goal
    if goal is None:
        return "satisfy"
    weighted = cast(Sum, goal.term).weighted
    total = terms.weighted(cast("Sequence[tuple[int, Variable]]", weighted))
    return f"maximize {total}" if goal.maximise else f"minimize {total}"


def _claim(text: str, lines: Sequence[str]) -> Claim | None:
    """Return the status that the solver prints on a line, or as JSON."""
    for status in (*lines, *re.findall(STATUS, text)):
        if status in STATUSES:
            return STATUSES[status]
    return None


class _Terms:
    """A flat model's variables and conditions as text; values that are not numbers have codes."""

    def __init__(self, model: Model) -> None:
        self.domains = model.domains
        names = readable(variable.name for variable in model.domains)
        self._names = dict(zip(model.domains, names))
        values = dict.fromkeys(chain.from_iterable(model.domains.values()))
        numbers = [int(value) for value in values if isinstance(value, int)]
        others = [value for value in values if not isinstance(value, int)]
        first_code = 1 + max(numbers, default=0)
        self._codes = {value: code for code, value in enumerate(others, max(first_code, 1))}

    def name(self, variable: Term) -> str:
        return self._names[cast(Variable, variable)]

    def code(self, value: Value) -> int:
        return int(value) if isinstance(value, int) else self._codes[value]

    def codes(self, variable: Variable) -> list[int]:
        return list(map(self.code, self.domains[variable]))

    def declaration(self, variable: Variable) -> str:
        domain = _domain(self.codes(variable))
        return f"var {domain}: {self.name(variable)};"

    def file_literal(self, variable: Variable, value: Value) -> FileLiteral:
        return self.name(variable), str(self.code(value))

    def weighted(self, weighted: Sequence[tuple[int, Variable]]) -> str:
        """Return a sum, such as 2*x - y."""
        terms = []
        for weight, variable in weighted:
            sign = "-" if weight < 0 else "+"
            factor = "" if abs(weight) == 1 else f"{abs(weight)}*"
            terms.append(f"{sign} {factor}{self.name(variable)}")
        return " ".join(terms).removeprefix("+ ") or "0"

    def condition(self, condition: Term) -> str:
        match condition:
            case Table():
                return self._table(condition)
            case AllDifferent(terms):
                return f"alldifferent([{self._list(terms)}])"
            case Cardinality():
                return self._cardinality(condition)
            case Linear(weighted, lowest, highest):
                return _between(self.weighted(weighted), lowest, highest)
            case _:
                raise AssertionError(f"{type(condition).__name__} is not left by flatten")

    def _list(self, terms: Iterable[Term]) -> str:
        return ", ".join(map(self.name, terms))

    def _cardinality(self, condition: Cardinality) -> str:
        equations = []
        for variable, value in condition.literals:
            if value in self.domains[variable]:
                code = self.code(value)
                equations.append(f"{self.name(variable)} = {code}")
        low, high = condition.low, condition.high
        if low == 1 and high >= len(condition.literals):
            return " \\/ ".join(equations) or "false"
        if not equations:
            return _between("0", low, high)
        counted = ", ".join(f"bool2int({equation})" for equation in equations)
        return _between(f"sum([{counted}])", low, high)

    def _table(self, table: Table) -> str:
        if not len(table.rows):
            return "false"
        if not table.terms:
            return "true"
        columns = []
        for column, book in enumerate(table.dictionaries):
            codes = np.array(list(map(self.code, book)))
            columns.append(codes[table.rows[:, column]])
        rows = np.stack(columns, axis=1).tolist()
        texts = [", ".join(map(str, row)) for row in rows]
        terms = self._list(table.terms)
        return f"table([{terms}], [| {' | '.join(texts)} |])"


def _domain(codes: Sequence[int] | Domain) -> str:
    numbers = sorted(codes)
    first, last = numbers[0], numbers[-1]
    if len(numbers) == last - first + 1:
        return f"{first}..{last}"
    return f"{{{', '.join(map(str, numbers))}}}"


def _between(total: str, low: int | None, high: int | None) -> str:
    if low is not None and low == high:
        return f"{total} = {low}"
    bounds = []
    if low is not None:
        bounds.append(f"{total} >= {low}")
    if high is not None:
        bounds.append(f"{total} <= {high}")
    return " /\\ ".join(bounds) or "true"


def _solutions(text: str, names: Collection[str]) -> Iterator[Assignment]:
    """Yield the solutions, as values of these names: lines or objects of JSON, each before a line
    of dashes.
    """
    for section in re.split(r"(?m)^\s*-{10}\s*$", text):
        objects = list(_objects(section))
        for values in objects:
            assignment = {name: str(value) for name, value in values.items() if name in names}
            if assignment:
                yield assignment
        pairs = re.findall(r"(?m)^\s*(\w+)\s*=\s*(-?\d+)\s*;", section)
        if pairs and not objects:
            yield dict(pairs)


def _objects(section: str) -> Iterator[dict[str, object]]:
    """Yield the values that MiniZinc prints with --output-mode json or --json-stream."""
    texts = [line for line in section.splitlines() if line.startswith('{"')]
    if not texts:
        start = section.find("{")
        end = section.rfind("}") + 1
        texts = [section[start:end]]
    for text in texts:
        values = _object(text)
        if values is not None and values.get("type") == "solution":
            output = values.get("output")
            values = _dict(output.get("json")) if isinstance(output, dict) else None
        if values is not None and int in map(type, values.values()):
            yield values


def _object(text: str) -> dict[str, object] | None:
    """Return an object of JSON; None if the text is none."""
    try:
        return _dict(json.loads(text))
    except (ValueError, RecursionError):
        return None


def _dict(value: object) -> dict[str, object] | None:
    return value if isinstance(value, dict) else None
