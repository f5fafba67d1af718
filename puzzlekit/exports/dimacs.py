"""Clauses: the formats of the competitions of SAT and MaxSAT solvers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from puzzlekit.backends.base import Budget
from puzzlekit.backends.clauses import CLAUSAL
from puzzlekit.backends.sat import Clauses
from puzzlekit.errors import InputError
from puzzlekit.exports.file_format import Claim, FileFormat, Place, Placing, Printed, Written
from puzzlekit.lowering.planner import Form
from puzzlekit.model import Model, Value, Variable

CLAUSES = replace(CLAUSAL, forms=CLAUSAL.forms - {Form.STRUCTURE, Form.SIZES}, at_once=True)
CLAIMS = {
    "SATISFIABLE": Claim.SOLUTION,
    "SAT": Claim.SOLUTION,
    "OPTIMUM FOUND": Claim.OPTIMAL,
    "UNSATISFIABLE": Claim.NONE,
    "UNSAT": Claim.NONE,
    "UNKNOWN": Claim.UNKNOWN,
    "INDET": Claim.UNKNOWN,
}


class Dimacs(FileFormat):
    """Clauses in the format of the SAT competitions."""

    name = "dimacs"
    about = "clauses (CNF) for kissat, cadical, minisat and other SAT solvers"
    comment = "c"
    supports = CLAUSES
    goals = False

    def write(self, model: Model, kept: Sequence[Variable], budget: Budget) -> Written:
        clauses = Clauses(model, budget)
        seen = sorted({abs(literal) for v in model.visible() for literal in clauses.literals[v]})

        def body() -> Iterator[str]:
            yield f"c p show {' '.join(map(str, seen))} 0"  # for model counters: the variables of a solution
            yield f"p cnf {clauses.top} {len(clauses.made)}"
            yield from map(_clause, clauses.made)

        return Written((), body(), _places(clauses))

    def read(self, text: str) -> Printed:
        return read_literals(text)


class Wcnf(FileFormat):
    """Hard clauses, and soft ones with weights, in the format of the MaxSAT evaluations since 2022."""

    name = "wcnf"
    about = "clauses with weights for RC2, MaxHS, EvalMaxSAT and other MaxSAT solvers"
    comment = "c"
    supports = CLAUSES
    goals = True

    def write(self, model: Model, kept: Sequence[Variable], budget: Budget) -> Written:
        clauses = Clauses(model, budget)
        softs = clauses.softs() if model.goal else []

        def body() -> Iterator[str]:
            yield from (f"h {_clause(clause)}" for clause in clauses.made)
            yield from (f"{weight} {-literal} 0" for literal, weight in softs)

        return Written((), body(), _places(clauses))

    def read(self, text: str) -> Printed:
        return read_literals(text, bits=True)


def _clause(literals: Iterable[int]) -> str:
    return " ".join(map(str, (*literals, 0)))


def _places(clauses: Clauses) -> Placing:
    def place(variable: Variable, value: Value) -> Place:
        literal = clauses.literal(variable, value)
        return str(abs(literal)), str(int(literal > 0))

    return place


def read_literals(text: str, name: str = "", bits: bool = False) -> Printed:
    """Read the lines `s …` and `v …` of a competition, or what minisat writes into a file.

    Args:
        text: What the solver printed.
        name: What stands before the number of a variable, such as the x of `-x12`.
        bits: Whether a single word of zeros and ones has a digit per variable.
    """
    claim: Claim | None = None
    words: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        sign, _, rest = line.strip().partition(" ")
        if sign == "s" or line.strip() in CLAIMS:
            claim = CLAIMS.get((rest if sign == "s" else line).strip().upper())
            if claim is None:
                raise InputError(f"line {number}: expected s SATISFIABLE or s UNSATISFIABLE, got {line.strip()[:60]}")
        elif sign == "v":
            words += rest.split()
        elif claim is Claim.SOLUTION and re.fullmatch(r"-?\d+", sign):  # of minisat
            words += line.split()
    if claim is None:
        raise InputError("expected a line such as s SATISFIABLE or s UNSATISFIABLE, found none: the output may be cut off")
    if claim in (Claim.NONE, Claim.UNKNOWN) or not words:
        return Printed(claim)
    if bits and len(words) == 1 and re.fullmatch("[01]+", words[0]):
        return Printed(claim, ({str(place): bit for place, bit in enumerate(words[0], 1)},))
    return Printed(claim, (dict(_literal(word, name) for word in words if word != "0"),))


def _literal(word: str, name: str) -> tuple[str, str]:
    match = re.fullmatch(rf"([-~]?)({name}[1-9]\d{{0,9}})", word)
    if match is None:
        raise InputError(f"expected literals such as {name}12 and -{name}13 in the lines v, got {word[:60]}")
    return match[2], str(int(not match[1]))
