"""The solutions of a type with a spec: the product of the domains,
and on each combination the rules.
"""

import re
from collections.abc import Iterator
from itertools import product
from math import prod
from types import CodeType
from typing import Any

import yaml

from tests.reference.plain import boards, functions, shapes, words
from tests.reference.plain.data import fields
from tests.reference.plain.rewrite import compiled, compiled_rule, compiled_with
from tests.reference.plain.values import (
    VariableArray,
    Wrong,
    at,
    at_or,
    chain,
    minus,
    plus,
    row,
    times,
)

LANGUAGE: dict[str, Any] = {
    **functions.FUNCTIONS,
    **words.FUNCTIONS,
    **shapes.FUNCTIONS,
    **{
        name: getattr(boards, name)
        for name in (
            "board",
            "torus",
            "hex_board",
            "hexagons",
            "triangle_board",
            "triangles",
            "part",
            "edge",
            "turned",
        )
    },
    "cell": boards.Cell,
    "ways": ("up", "right", "down", "left"),
    "_row": row,
    "_chain": chain,
    "_plus": plus,
    "_times": times,
    "_minus": minus,
    "_at": at,
    "_default": at_or,
    "_slice": slice,
    "__builtins__": {},
}
Solution = tuple[Any, ...]  # the values of the visible unknowns, in order


LOADER = getattr(
    yaml, "CBaseLoader", yaml.BaseLoader
)  # the first is faster, and not built everywhere


def load(text: str) -> Any:
    """YAML in which every scalar is text, since nothing is guessed of it."""
    return yaml.load(text, Loader=LOADER) or {}


class Interpreter:
    """A type with a spec, held to docs/language.md."""

    def __init__(self, type_text: str, spec_text: str = "") -> None:
        self.type, self.spec = load(type_text), load(spec_text)
        self.scope = dict(LANGUAGE)
        self.missed = False  # whether an index was met at which nothing stands
        self.scope |= fields(self.type.get("data") or {}, self.spec)
        for name, text in (self.type.get("let") or {}).items():
            self.scope[name] = self._run(compiled(text))
        self.cells: list[tuple[str, Any]] = []  # what is unknown: name and index
        self.domains: list[tuple[Any, ...]] = []
        self.visible: list[bool] = []
        self.families: dict[str, VariableArray] = {}
        for section in ("variables", "auxiliary"):
            for declaration, text in (self.type.get(section) or {}).items():
                self._declare(declaration, text, section == "variables")
        self.scope |= {name: family for name, family in self.families.items() if family.arity}
        self.definitions = []
        for declaration, text in (self.type.get("define") or {}).items():
            name, *index = re.findall(r"\w+", declaration)
            self.definitions.append((name, len(index), *compiled_with(text, tuple(index))))
        self.rules = [
            compiled_rule(t)
            for r in (self.type.get("rules") or {}).values()
            for t in ([r] if isinstance(r, str) else r)
        ]
        self.goals = {name: compiled(text) for name, text in (self.type.get("goals") or {}).items()}
        shown = self.type.get("show") or {}
        self.shown = (
            {n: compiled(t) for n, t in shown.items() if isinstance(t, str) and t}
            if isinstance(shown, dict)
            else {}
        )

    def _run(self, code: CodeType) -> Any:
        return eval(code, self.scope)

    def _declare(self, declaration: str, text: str, visible: bool) -> None:
        name, *index = re.findall(r"\w+", declaration)
        code, loop = compiled_with(text, tuple(index))
        pairs = row(self._run(code)) if loop else [((), self._run(code))]
        members: dict[Any, Any] = {}
        for key, domain in pairs:
            members[key] = None
            self.cells.append((name, key))
            self.domains.append(tuple(dict.fromkeys(row(domain))))
            self.visible.append(visible)
        self.families[name] = VariableArray(len(index), members)

    @property
    def size(self) -> int:
        """How many combinations there are."""
        return prod(map(len, self.domains))

    def _take(self, values: tuple[Any, ...]) -> None:
        for (name, key), value in zip(self.cells, values):
            self.families[name].members[key] = value
            if key == ():
                self.scope[name] = value
        self.defined = self._define()

    def _define(self) -> bool:
        """Work out what names stand for; whether each comes to something at every index."""
        try:
            for name, arity, code, loop in self.definitions:
                value = self._run(code)
                self.scope[name] = VariableArray(arity, dict(row(value))) if loop else value
        except LookupError:
            self.missed = True
            return False
        return True

    def holds(self, code: CodeType) -> bool:
        """Whether a rule holds: not where it comes to an index at which nothing stands."""
        try:
            for condition in self._run(code):
                if not isinstance(condition, bool):
                    raise Wrong(f"a rule gives {condition!r}")
                if not condition:
                    return False
        except LookupError:
            self.missed = True
            return False
        return True

    def combinations(self) -> Iterator[tuple[Any, ...]]:
        """The values of all unknowns for which every rule holds."""
        for values in product(*self.domains):
            self._take(values)
            if self.defined and all(map(self.holds, self.rules)):
                yield values

    def _solution(self, values: tuple[Any, ...]) -> Solution:
        return tuple(value for value, visible in zip(values, self.visible) if visible)

    def solve(self) -> None:
        """Find the solutions, what each shows, and the best solutions for each goal."""
        self.solutions: dict[Solution, dict[str, Any]] = {}
        values: dict[str, dict[Solution, int]] = {goal: {} for goal in self.goals}
        self.bests: dict[str, dict[int, tuple[Any, ...]]] = {}
        self.senses: dict[str, str] = {}
        self.right = list(self.combinations())
        for combination in self.right:
            self._take(combination)
            solution = self._solution(combination)
            if solution not in self.solutions:
                self.solutions[solution] = {
                    name: self._valued(code) for name, code in self.shown.items()
                }
            for goal, code in self.goals.items():
                found = self._valued(code)
                if found is None:
                    continue
                sense, value = found
                self.bests.setdefault(goal, {}).setdefault(value, combination)
                old = values[goal].get(solution, value)
                values[goal][solution] = min(old, value) if sense == "minimise" else max(old, value)
                self.senses[goal] = sense
        self.values = values

    def best(self, goal: str) -> tuple[int | None, set[Solution]]:
        """The best value of a goal, and the solutions that reach it."""
        values = self.values[goal]
        if not values:
            return None, set()
        best = (min if self.senses[goal] == "minimise" else max)(values.values())
        return best, {solution for solution, value in values.items() if value == best}

    def best_combination(self, goal: str) -> tuple[int | None, tuple[Any, ...]]:
        """A best value and values of all unknowns that have it."""
        value = self.best(goal)[0]
        return value, self.bests[goal][value] if value is not None else ()

    def _valued(self, code: CodeType) -> Any:
        try:
            value = self._run(code)
        except LookupError:
            self.missed = True
            return None
        return row(value) if isinstance(value, VariableArray) else value
