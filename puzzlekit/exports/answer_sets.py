"""Ground rules of answer set programming, as text that clingo reads."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Any

from puzzlekit.backends import Asp, Budget, GroundProgram
from puzzlekit.errors import InputError
from puzzlekit.exports.file_format import (
    CLAIMS,
    Assignment,
    FileFormat,
    FileLiteral,
    Printed,
    Written,
)
from puzzlekit.exports.names import names_of
from puzzlekit.lowering import Form
from puzzlekit.model import Model, Value, Variable

NAMED = re.compile(r"\bv\(\d+\)")  # an atom of a value, as the backend calls it


class AnswerSets(FileFormat):
    """Ground rules; reachability is stated by rules, as for the backend `asp`."""

    name = "asp"
    about = "answer set programming for clingo"
    comment = "%"
    supports = replace(Asp.supports, forms=Asp.supports.forms - {Form.SIZES}, at_once=True)
    goals = True

    def write(self, model: Model, reported: Sequence[Variable], budget: Budget) -> Written:
        program = _Program()
        rules = GroundProgram(model, budget.check)
        rules.post(program)
        if model.goal is not None:
            program.add_minimize(0, rules.costs())

        names = names_of(rules)
        atoms = {program.names[number]: f"v({name})" for number, name in names.items()}

        def file_literal(variable: Variable, value: Value) -> FileLiteral:
            literal = rules.literal(variable, value)
            atom = atoms[program.names[abs(literal)]]
            return atom, str(int(literal > 0))

        def readable_name(match: re.Match[str]) -> str:
            return atoms[match[0]]

        lines = (NAMED.sub(readable_name, line) for line in program.lines)
        return Written((), chain(lines, ("#show v/1.",)), file_literal)

    def read(self, text: str, names: Collection[str]) -> Printed:
        is_json = text.lstrip().startswith("{")
        return _read_json(text) if is_json else _read_text(text)


class _Program:
    """What a backend of clingo takes, as lines of text."""

    def __init__(self) -> None:
        self.names: list[str] = ["false"]  # of atoms, by their numbers
        self.lines: list[str] = []

    def add_atom(self, symbol: Any = None) -> int:
        number = len(self.names)
        name = f"x({number})" if symbol is None else str(symbol)
        self.names.append(name)
        return number

    def add_rule(
        self, head: Sequence[int] = (), body: Sequence[int] = (), choice: bool = False
    ) -> None:
        heads = self._atoms(head)
        if choice:
            heads = f"{{{heads}}}"
        literals = self._literals(body)
        if not literals and heads:
            self.lines.append(f"{heads}.")
        else:
            self.lines.append(f"{heads} :- {literals or '#true'}.")

    def add_weight_rule(
        self, head: Sequence[int], lower: int, body: Sequence[tuple[int, int]]
    ) -> None:
        heads = self._atoms(head)
        terms = self._weighted(body)
        rule = f":- {lower} <= #sum {{ {terms} }}."
        self.lines.append(f"{heads} {rule}" if heads else rule)

    def add_acyc_edge(self, tail: int, head: int, condition: Sequence[int]) -> None:
        literals = self._literals(condition)
        self.lines.append(f"#edge ({tail}, {head}) : {literals}.")

    def add_minimize(self, priority: int, weighted: Sequence[tuple[int, int]]) -> None:
        terms = self._weighted(weighted, f"@{priority}")
        self.lines.append(f"#minimize {{ {terms} }}.")

    def _atoms(self, head: Sequence[int]) -> str:
        return "; ".join(self.names[atom] for atom in head)

    def _literals(self, literals: Sequence[int]) -> str:
        return ", ".join(map(self._literal, literals))

    def _literal(self, literal: int) -> str:
        if literal > 0:
            return self.names[literal]
        return f"not {self.names[-literal]}"

    def _weighted(self, weighted: Sequence[tuple[int, int]], priority: str = "") -> str:
        terms = []
        for number, (literal, weight) in enumerate(weighted):
            condition = self._literal(literal)
            terms.append(f"{weight}{priority},{number} : {condition}")
        return "; ".join(terms)


def _read_text(text: str) -> Printed:
    """Read what clingo prints: after `Answer: 1`, a line of atoms."""
    lines = [line.strip() for line in text.splitlines()]
    claim = next((CLAIMS[line] for line in lines if line in CLAIMS), None)
    if claim is None:
        raise InputError(
            "expected a line SATISFIABLE or UNSATISFIABLE of clingo, found none:"
            " the output may be cut off"
        )
    assignments = []
    for line, next_line in pairwise(lines):
        if re.match(r"Answer: \d+", line):
            assignments.append(_assignment(next_line.split()))
    return Printed(claim, tuple(assignments))


def _read_json(text: str) -> Printed:
    """Read what clingo prints with --outf=2."""
    try:
        printed = json.loads(text)
        claim = CLAIMS[printed["Result"]]
        assignments: list[Assignment] = []
        for call in printed.get("Call", ()):
            witnesses = call.get("Witnesses", ())
            assignments += [_assignment(witness["Value"]) for witness in witnesses]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError("expected the JSON of clingo --outf=2, with Result and Call") from None
    return Printed(claim, tuple(assignments))


def _assignment(atoms: Iterable[str]) -> Assignment:
    return {str(atom): "1" for atom in atoms}
