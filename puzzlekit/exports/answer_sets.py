"""Ground rules of answer set programming, as text that clingo reads."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Any

from puzzlekit.backends.asp import Asp, GroundProgram
from puzzlekit.backends.base import Budget
from puzzlekit.errors import InputError
from puzzlekit.exports.file_format import CLAIMS, Assigned, Assignment, FileFormat, Printed, Written
from puzzlekit.exports.names import names_of
from puzzlekit.lowering.planner import Form
from puzzlekit.model import Model, Value, Variable

NAMED = re.compile(r"\bv\(\d+\)")  # an atom of a value, as the backend calls it


class AnswerSets(FileFormat):
    """Ground rules; reachability is stated by rules, as for the backend `asp`."""

    name = "asp"
    about = "answer set programming for clingo"
    comment = "%"
    supports = replace(Asp.supports, forms=Asp.supports.forms - {Form.SIZES}, at_once=True)
    goals = True

    def write(self, model: Model, kept: Sequence[Variable], budget: Budget) -> Written:
        program = _Program()
        rules = GroundProgram(model, budget.check)
        rules.post(program)
        if model.goal is not None:
            program.add_minimize(0, rules.costs())

        readable = {program.names[number]: f"v({name})" for number, name in names_of(rules).items()}

        def place(variable: Variable, value: Value) -> Assigned:
            literal = rules.literal(variable, value)
            return readable[program.names[abs(literal)]], str(int(literal > 0))

        lines = (NAMED.sub(lambda found: readable[found[0]], line) for line in program.lines)
        return Written((), chain(lines, ("#show v/1.",)), place)

    def read(self, text: str, names: Collection[str]) -> Printed:
        return _read_json(text) if text.lstrip().startswith("{") else _read_text(text)


class _Program:
    """What a backend of clingo takes, as lines of text."""

    def __init__(self) -> None:
        self.names: list[str] = ["false"]  # of atoms, by their numbers
        self.lines: list[str] = []

    def add_atom(self, symbol: Any = None) -> int:
        self.names.append(f"x({len(self.names)})" if symbol is None else str(symbol))
        return len(self.names) - 1

    def add_rule(
        self, head: Sequence[int] = (), body: Sequence[int] = (), choice: bool = False
    ) -> None:
        atoms = "; ".join(self.names[atom] for atom in head)
        heads = f"{{{atoms}}}" if choice else atoms
        literals = ", ".join(map(self._literal, body))
        self.lines.append(
            f"{heads}{' :- ' if literals or not heads else ''}{literals or ('' if heads else '#true')}."
        )

    def add_weight_rule(
        self, head: Sequence[int], lower: int, body: Sequence[tuple[int, int]]
    ) -> None:
        atoms = "; ".join(self.names[atom] for atom in head)
        self.lines.append(
            f"{atoms}{' ' if atoms else ''}:- {lower} <= #sum {{ {self._weighted(body)} }}."
        )

    def add_acyc_edge(self, one: int, other: int, condition: Sequence[int]) -> None:
        self.lines.append(f"#edge ({one}, {other}) : {', '.join(map(self._literal, condition))}.")

    def add_minimize(self, priority: int, weighted: Sequence[tuple[int, int]]) -> None:
        self.lines.append(f"#minimize {{ {self._weighted(weighted, f'@{priority}')} }}.")

    def _literal(self, literal: int) -> str:
        return self.names[literal] if literal > 0 else f"not {self.names[-literal]}"

    def _weighted(self, weighted: Sequence[tuple[int, int]], priority: str = "") -> str:
        terms = enumerate(weighted)
        return "; ".join(
            f"{weight}{priority},{place} : {self._literal(literal)}"
            for place, (literal, weight) in terms
        )


def _read_text(text: str) -> Printed:
    """Read what clingo prints: after `Answer: 1`, a line of atoms."""
    lines = [line.strip() for line in text.splitlines()]
    claim = next((CLAIMS[line] for line in lines if line in CLAIMS), None)
    found = [
        _atoms(after.split()) for line, after in pairwise(lines) if re.match(r"Answer: \d+", line)
    ]
    if claim is None:
        raise InputError(
            "expected a line SATISFIABLE or UNSATISFIABLE of clingo, found none: the output may be cut off"
        )
    return Printed(claim, tuple(found))


def _read_json(text: str) -> Printed:
    """Read what clingo prints with --outf=2."""
    try:
        printed = json.loads(text)
        claim = CLAIMS[printed["Result"]]
        witnesses = [
            witness["Value"]
            for call in printed.get("Call", ())
            for witness in call.get("Witnesses", ())
        ]
        found = [*map(_atoms, witnesses)]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError("expected the JSON of clingo --outf=2, with Result and Call") from None
    return Printed(claim, tuple(found))


def _atoms(atoms: Iterator[str] | Sequence[str]) -> Assignment:
    return {str(atom): "1" for atom in atoms}
