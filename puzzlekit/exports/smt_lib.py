"""SMT-LIB 2.6: clauses of Booleans, and sums of integers that depend on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from puzzlekit.backends.base import Budget
from puzzlekit.backends.clause_sums import at_most_one
from puzzlekit.backends.clauses import TRUE
from puzzlekit.errors import InputError
from puzzlekit.exports.dimacs import CLAUSES
from puzzlekit.exports.file_format import Claim, FileFormat, Printed, Written
from puzzlekit.exports.linear_rows import LiteralRows, Weighted
from puzzlekit.model import Model, Variable

CLAIMS = {"sat": Claim.SOLUTION, "unsat": Claim.NONE, "unknown": Claim.UNKNOWN}


class SmtLib(FileFormat):
    """SMT-LIB 2.6 in the logic QF_LIA; a goal is `minimize`, which z3 and OptiMathSAT read."""

    name = "smt2"
    about = "SMT-LIB for z3, cvc5, Yices, MathSAT and other SMT solvers"
    comment = ";"
    supports = CLAUSES
    goals = True

    def write(self, model: Model, kept: Sequence[Variable], budget: Budget) -> Written:
        rows = _Clauses(model, budget)
        seen = sorted({abs(literal) for v in kept for literal in rows.literals.get(v, ())} - {TRUE})

        def body() -> Iterator[str]:
            yield "(set-option :produce-models true)"
            yield from () if model.goal else ("(set-logic QF_LIA)",)
            yield from (f"(declare-const x{number} Bool)" for number in range(2, rows.top + 1))
            yield from (f"(assert {_joined(clause)})" for clause in rows.clauses)
            for row in rows.rows:
                bounds = [f"(<= {row.low} {_sum(row.weighted)})"] if row.low is not None else []
                bounds += [f"(<= {_sum(row.weighted)} {row.high})"] if row.high is not None else []
                if row.low == row.high:
                    bounds = [f"(= {_sum(row.weighted)} {row.low})"]
                yield from (f"(assert {bound})" for bound in bounds)
            if model.goal is not None:
                yield f"(minimize {_sum(rows.costs())})"
            yield "(check-sat)"
            yield from (f"(get-value ({' '.join(f'x{number}' for number in seen)}))",) if seen else ()

        return Written((), body(), rows.placing())

    def read(self, text: str) -> Printed:
        words = (line.strip() for line in text.splitlines())
        claim = next((CLAIMS[word] for word in words if word in CLAIMS), None)
        if claim is None:
            raise InputError("expected a line sat, unsat or unknown, found none")
        if claim is not Claim.SOLUTION:
            return Printed(claim)
        defined = re.findall(r"\(\s*define-fun\s+(x\d+)\s+\(\s*\)\s+Bool\s+(true|false)\s*\)", text)
        found = defined or re.findall(r"\(\s*(x\d+)\s+(true|false)\s*\)", text)
        values = {name: str(int(value == "true")) for name, value in found}
        return Printed(claim, (values,) if values else ())


class _Clauses(LiteralRows):
    """At most one of some literals is stated in clauses, which SMT solvers handle best."""

    def at_most_one(self, literals: Sequence[int]) -> None:
        at_most_one(self, literals)


def _literal(literal: int) -> str:
    if abs(literal) == TRUE:
        return "true" if literal > 0 else "false"
    return f"x{literal}" if literal > 0 else f"(not x{-literal})"


def _joined(clause: Iterable[int]) -> str:
    literals = [*map(_literal, clause)]
    if not literals:
        return "false"
    return f"(or {' '.join(literals)})" if len(literals) > 1 else literals[0]


def _sum(weighted: Weighted) -> str:
    terms = [f"(ite {_literal(literal)} {weight} 0)" for literal, weight in weighted]
    return f"(+ {' '.join(terms)})" if len(terms) > 1 else "".join(terms) or "0"
