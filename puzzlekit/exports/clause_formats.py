"""Clauses, and sums of their literals: the formats of SAT, MaxSAT, pseudo-Boolean, MILP and SMT
solvers.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from puzzlekit.backends import (
    CNF_SUPPORTS,
    FALSE,
    TRUE,
    Budget,
    Choice,
    Clauses,
    CnfBuilder,
    at_most_one,
)
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError
from puzzlekit.exports.file_format import (
    CLAIMS,
    Claim,
    FileFormat,
    FileLiteral,
    LiteralOf,
    Printed,
    Written,
)
from puzzlekit.exports.names import names_of
from puzzlekit.lowering import Form
from puzzlekit.model import Acyclic, Circuit, Connected, Model, Value, Variable

CLAUSES = replace(
    CNF_SUPPORTS, forms=CNF_SUPPORTS.forms - {Form.STRUCTURE, Form.SIZES}, at_once=True
)


class Dimacs(FileFormat):
    """Clauses in the format of the SAT competitions."""

    name = "dimacs"
    about = "clauses (CNF) for kissat, cadical, minisat and other SAT solvers"
    comment = "c"
    supports = CLAUSES
    goals = False

    def write(self, model: Model, reported: Sequence[Variable], budget: Budget) -> Written:
        clauses = Clauses(model, budget)
        visible = {abs(literal) for v in model.visible() for literal in clauses.literals[v]}

        def body() -> Iterator[str]:
            # for model counters: the variables of a solution
            yield f"c p show {' '.join(map(str, sorted(visible)))} 0"
            yield f"p cnf {clauses.top} {len(clauses.cnf)}"
            yield from map(_clause, clauses.cnf)

        return Written((), body(), _literal_of(clauses))

    def read(self, text: str, names: Collection[str]) -> Printed:
        return read_literals(text)


class Wcnf(FileFormat):
    """Hard clauses, and soft ones with weights, as in the MaxSAT evaluations since 2022."""

    name = "wcnf"
    about = "clauses with weights for RC2, MaxHS, EvalMaxSAT and other MaxSAT solvers"
    comment = "c"
    supports = CLAUSES
    goals = True

    def write(self, model: Model, reported: Sequence[Variable], budget: Budget) -> Written:
        clauses = Clauses(model, budget)
        softs = clauses.softs() if model.goal else []

        def body() -> Iterator[str]:
            yield from (f"h {_clause(clause)}" for clause in clauses.cnf)
            for literal, weight in softs:
                yield f"{weight} {-literal} 0"

        return Written((), body(), _literal_of(clauses))

    def read(self, text: str, names: Collection[str]) -> Printed:
        return read_literals(text, bits=True)


def _clause(literals: Iterable[int]) -> str:
    return " ".join(map(str, (*literals, 0)))


def _literal_of(
    clauses: CnfBuilder, names: Mapping[int, str] | None = None, prefix: str = ""
) -> LiteralOf:
    """Return the function that returns the literal of a value: its variable is 1, or 0."""

    def file_literal(variable: Variable, value: Value) -> FileLiteral:
        literal = clauses.literal(variable, value)
        number = abs(literal)
        name = f"{prefix}{number}" if names is None else names[number]
        return name, str(int(literal > 0))

    return file_literal


def read_literals(text: str, name: str = "", bits: bool = False) -> Printed:
    """Read the lines `s …` and `v …` of a competition, or what minisat writes into a file.

    Args:
        text: What the solver printed.
        name: What stands before the number of a variable, such as the x of `-x12`.
        bits: Whether a single word of zeros and ones has a digit per variable.
    """
    claim, words = _claim_and_words(text)
    if claim in (Claim.NONE, Claim.UNKNOWN) or not words:
        return Printed(claim)
    if bits and len(words) == 1 and re.fullmatch("[01]+", words[0]):
        bits_by_number = {str(number): bit for number, bit in enumerate(words[0], 1)}
        return Printed(claim, (bits_by_number,))
    assignment = dict(_literal(word, name) for word in words if word != "0")
    return Printed(claim, (assignment,))


def _claim_and_words(text: str) -> tuple[Claim, list[str]]:
    """Return what the solver claims, and the words of its solution."""
    claim: Claim | None = None
    words: list[str] = []
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        sign, _, rest = line.partition(" ")
        if sign == "s":
            claim = _claim(rest, line, number)
        elif line in CLAIMS:
            claim = CLAIMS[line]
        elif sign == "v":
            words += rest.split()
        elif claim is Claim.SOLUTION and re.fullmatch(r"-?\d+", sign):  # of minisat
            words += line.split()
    if claim is None:
        raise InputError(
            "expected a line such as s SATISFIABLE or s UNSATISFIABLE, found none:"
            " the output may be cut off"
        )
    return claim, words


def _claim(text: str, line: str, number: int) -> Claim:
    """Return the claim that a line states."""
    claim = CLAIMS.get(text.strip().upper())
    if claim is None:
        raise InputError(
            f"line {number}: expected s SATISFIABLE or s UNSATISFIABLE, got {line[:60]}"
        )
    return claim


def _literal(word: str, name: str) -> FileLiteral:
    match = re.fullmatch(rf"([-~]?)({name}[1-9]\d{{0,9}})", word)
    if match is None:
        raise InputError(
            f"expected literals such as {name}12 and -{name}13 in the lines v, got {word[:60]}"
        )
    sign, variable = match.groups()
    return variable, "0" if sign else "1"


Weighted = Sequence[tuple[int, int]]  # literals with their weights


@dataclass(frozen=True)
class Row:
    """A sum of literals with weights from `low` to `high`; None means unbounded."""

    weighted: Weighted
    low: int | None = None
    high: int | None = None


class LiteralRows(CnfBuilder):
    """A model as clauses and rows.

    Attributes:
        clauses: Lists of literals, of which at least one is true; they have no fixed literal.
        rows: Sums of literals.
    """

    def __init__(self, model: Model, budget: Budget) -> None:
        super().__init__(model, budget.check)
        self.clauses: list[list[int]] = []
        self.rows: list[Row] = []
        self.post_model()

    def clause(self, literals: Iterable[int]) -> None:
        clause = [literal for literal in literals if literal != FALSE]
        if TRUE not in clause:
            self.clauses.append(clause)

    def at_most_one(self, literals: Sequence[int]) -> None:
        if len(literals) > 1:
            self.rows.append(Row([(literal, 1) for literal in literals], high=1))

    def total(self, choices: Sequence[Choice], low: int, high: int) -> None:
        weighted = [pair for choice in choices for pair in choice if pair[1]]
        highest_weights = [max(weight for _, weight in choice) for choice in choices]
        highest = sum(highest_weights)
        low_bound = low if low > 0 else None
        high_bound = high if high < highest else None
        self.rows.append(Row(weighted, low_bound, high_bound))

    def shape(self, shape: Connected | Circuit | Acyclic, flags: Sequence[int]) -> None:
        raise AssertionError("shapes are lowered before")


def linear(weighted: Weighted) -> tuple[dict[int, int], int]:
    """Return the weight of each variable, from 2 on, and a constant; variable 1 is always true.

    >>> linear([(2, 3), (-4, 5), (1, 7)])
    ({2: 3, 4: -5}, 12)
    """
    weights: dict[int, int] = {}
    constant = 0
    for literal, weight in weighted:
        variable = abs(literal)
        if literal < 0:  # the weight of 1 - variable
            constant += weight
            weight = -weight
        if variable == TRUE:
            constant += weight
        else:
            weights[variable] = weights.get(variable, 0) + weight
    nonzero = {variable: weight for variable, weight in weights.items() if weight}
    return nonzero, constant


Side = tuple[Mapping[int, int], str, int]  # weights of variables, an operator, a number
NEVER: Side = ({1: 1}, ">=", 2)
TERMS = 10  # of a line
CLOSE = 1e-4  # to an integer


class Opb(FileFormat):
    """Linear constraints in the format of the pseudo-Boolean competitions."""

    name = "opb"
    about = "pseudo-Boolean constraints for RoundingSat, Exact, clasp, SCIP and others"
    comment = "*"
    supports = CLAUSES
    goals = True

    def write(self, model: Model, reported: Sequence[Variable], budget: Budget) -> Written:
        rows = LiteralRows(model, budget)
        sides = [*_sides(rows, operators=(">=", "="))]

        def body() -> Iterator[str]:
            if model.goal is not None:
                costs, _ = linear(rows.costs())
                yield f"min: {_plus(costs)} ;"
            for weights, operator, number in sides:
                yield f"{_plus(weights)} {operator} {number} ;"

        head = f"* #variable= {rows.top} #constraint= {len(sides)}"
        return Written([head], body(), _literal_of(rows, prefix="x"))

    def read(self, text: str, names: Collection[str]) -> Printed:
        return read_literals(text, "x")


class Lp(FileFormat):
    """An integer program in the LP format of CPLEX."""

    name = "lp"
    about = "an integer program for HiGHS, SCIP, CBC, GLPK, Gurobi and CPLEX"
    comment = "\\"
    supports = CLAUSES
    goals = True

    def write(self, model: Model, reported: Sequence[Variable], budget: Budget) -> Written:
        rows = LiteralRows(model, budget)
        names = names_of(rows)

        def body() -> Iterator[str]:
            costs, _ = linear(rows.costs() if model.goal else ())
            yield "Minimize"
            yield from _wrapped("obj:", costs or {1: 0}, "", names)
            yield "Subject To"
            sides = enumerate(_sides(rows, operators=(">=", "<=", "=")), 1)
            for number, (weights, operator, bound) in sides:
                end = f" {operator} {bound}"
                yield from _wrapped(f"c{number}:", weights, end, names)
            yield "Binary"
            for number in range(1, rows.top + 1):
                yield f" {names[number]}"
            yield "End"

        return Written((), body(), _literal_of(rows, names))

    def read(self, text: str, names: Collection[str]) -> Printed:
        return _read_columns(text, names)


def _sides(rows: LiteralRows, operators: tuple[str, ...]) -> Iterator[Side]:
    """Yield what the rows say, with these operators; an upper bound may become a lower one."""
    for row in chain(map(_clause_row, rows.clauses), rows.rows):
        weights, constant = linear(row.weighted)
        low = None if row.low is None else row.low - constant
        high = None if row.high is None else row.high - constant
        if not weights:
            if not (low or 0) <= 0 <= (high or 0):
                yield NEVER
        elif low is not None and low == high:
            yield weights, "=", low
        else:
            if low is not None:
                yield weights, ">=", low
            if high is not None and "<=" in operators:
                yield weights, "<=", high
            elif high is not None:
                negated = {variable: -weight for variable, weight in weights.items()}
                yield negated, ">=", -high


def _clause_row(clause: Iterable[int]) -> Row:
    return Row([(literal, 1) for literal in clause], low=1)


def _plus(weights: Mapping[int, int]) -> str:
    terms = [f"{weight:+d} x{variable}" for variable, weight in weights.items()]
    return " ".join(terms)


def _wrapped(
    name: str, weights: Mapping[int, int], end: str, names: Mapping[int, str]
) -> Iterator[str]:
    """Yield a row in lines of a few terms: some solvers read no long lines."""
    terms = []
    for variable, weight in weights.items():
        sign = "-" if weight < 0 else "+"
        terms.append(f"{sign} {abs(weight)} {names[variable]}")
    starts = range(0, len(terms), TERMS)
    lines = [" ".join(terms[start : start + TERMS]) for start in starts]
    lines[-1] += end
    yield f" {name} {lines[0]}"
    yield from (f"  {line}" for line in lines[1:])


def _read_columns(text: str, names: Collection[str]) -> Printed:
    """Read columns of these names with their values, as HiGHS, SCIP, CBC, GLPK and Gurobi print
    them.
    """
    columns: dict[str, str] = {}
    for line in text.splitlines():
        if re.match(r"\s*#\s*Dual", line):
            break
        match = re.match(r"\s*(?:\*\*\s*)?(?:\d+\s+)?(\w+)\s+(?:\*\s+)?([-+.\w]+)(?:\s|$)", line)
        if match is not None and match[1] in names:
            name, number = match.groups()
            columns[name] = str(_integer(name, number))
    none = re.search(r"(?im)\binfeasible\b|^\s*integer empty\b|\bstatus:?\s+integer empty\b", text)
    optimal = re.search(r"(?i)\boptimal\b|\boptimum\b", text)
    if none is not None and not optimal:
        return Printed(Claim.NONE)
    if re.search(r"(?im)^\s*(?:time limit|no solution available|unknown)", text) and not columns:
        return Printed(Claim.UNKNOWN)
    if not columns and not optimal:
        raise InputError(
            "expected lines with the name of a column and its value, such as x12 1; found none"
        )
    return Printed(Claim.OPTIMAL if optimal else Claim.SOLUTION, (columns,) if columns else ())


def _integer(name: str, text: str) -> int:
    """Return a number that is an integer but for rounding. Raises InputError."""
    try:
        number = float(text)
        if abs(number - round(number)) < CLOSE:
            return round(number)
    except (ValueError, OverflowError):
        pass
    raise InputError(f"expected 0 or 1 as the value of {name}, got {text[:60]}")


ANSWERS = {"sat": Claim.SOLUTION, "unsat": Claim.NONE, "unknown": Claim.UNKNOWN}


class SmtLib(FileFormat):
    """SMT-LIB 2.6 in the logic QF_LIA; a goal is `minimize`, which z3 and OptiMathSAT read."""

    name = "smt2"
    about = "SMT-LIB for z3, cvc5, Yices, MathSAT and other SMT solvers"
    comment = ";"
    supports = CLAUSES
    goals = True

    def write(self, model: Model, reported: Sequence[Variable], budget: Budget) -> Written:
        rows = _ClausesAndRows(model, budget)
        names = names_of(rows)
        literals = {abs(literal) for v in reported for literal in rows.literals.get(v, ())}
        reported_names = [names[number] for number in sorted(literals - {TRUE})]

        def body() -> Iterator[str]:
            yield "(set-option :produce-models true)"
            if not model.goal:
                yield "(set-logic QF_LIA)"
            for number in range(2, rows.top + 1):
                yield f"(declare-const {names[number]} Bool)"
            for clause in rows.clauses:
                yield f"(assert {_smt_clause(clause, names)})"
            for row in rows.rows:
                yield from _smt_row(row, names)
            if model.goal is not None:
                yield f"(minimize {_smt_sum(rows.costs(), names)})"
            yield "(check-sat)"
            if reported_names:
                yield f"(get-value ({' '.join(reported_names)}))"

        return Written((), body(), _literal_of(rows, names))

    def read(self, text: str, names: Collection[str]) -> Printed:
        lines = map(str.strip, text.splitlines())
        claim = next((ANSWERS[line] for line in lines if line in ANSWERS), None)
        if claim is None:
            raise InputError("expected a line sat, unsat or unknown, found none")
        if claim is not Claim.SOLUTION:
            return Printed(claim)
        defined = re.findall(r"\(\s*define-fun\s+(\w+)\s+\(\s*\)\s+Bool\s+(true|false)\s*\)", text)
        pairs = defined or re.findall(r"\(\s*(\w+)\s+(true|false)\s*\)", text)
        values = {name: "1" if truth == "true" else "0" for name, truth in pairs}
        return Printed(claim, (values,) if values else ())


class _ClausesAndRows(LiteralRows):
    """At most one of some literals is stated in clauses, which SMT solvers handle best."""

    def at_most_one(self, literals: Sequence[int]) -> None:
        at_most_one(self, literals)


def _smt_literal(literal: int, names: Mapping[int, str]) -> str:
    if abs(literal) == TRUE:
        return "true" if literal > 0 else "false"
    if literal > 0:
        return names[literal]
    return f"(not {names[-literal]})"


def _smt_clause(clause: Iterable[int], names: Mapping[int, str]) -> str:
    literals = [_smt_literal(literal, names) for literal in clause]
    if not literals:
        return "false"
    if len(literals) == 1:
        return literals[0]
    return f"(or {' '.join(literals)})"


def _smt_row(row: Row, names: Mapping[int, str]) -> Iterator[str]:
    total = _smt_sum(row.weighted, names)
    if row.low == row.high:
        yield f"(assert (= {total} {row.low}))"
        return
    if row.low is not None:
        yield f"(assert (<= {row.low} {total}))"
    if row.high is not None:
        yield f"(assert (<= {total} {row.high}))"


def _smt_sum(weighted: Weighted, names: Mapping[int, str]) -> str:
    terms = []
    for literal, weight in weighted:
        condition = _smt_literal(literal, names)
        terms.append(f"(ite {condition} {weight} 0)")
    if not terms:
        return "0"
    if len(terms) == 1:
        return terms[0]
    return f"(+ {' '.join(terms)})"
