"""A small type to state rules in, and what comes of them."""

from collections.abc import Mapping
from itertools import product
from textwrap import indent
from typing import Any

import pytest

from puzzlekit.errors import Problem, Problems
from puzzlekit.lang import Instance, bind, read_spec, type_of_text

VARIABLES = """\
x[i]: between(0, 2) for i in range(3)
flag[i]: bool for i in range(3)
w[i]: distinct('abc') for i in range(3)
p[i, j]: between(0, 2) for i in range(2) for j in range(2)
k: between(0, 1)
"""
DATA = """\
n: int = 3
letters: grid[letter] = abc
names: list[word] = up down
"""


def type_text(
    rule: str, variables: str = VARIABLES, data: str = DATA, let: str = "b: board(3, 3)"
) -> str:
    """A type with one rule, r, written as block text so that nothing in it needs quotes."""
    return (
        f"puzzle: small\ndata:\n{indent(data, '  ')}\nlet:\n{indent(let, '  ')}\n"
        f"variables:\n{indent(variables, '  ')}\nrules:\n  r: |\n{indent(rule, '    ')}\n"
    )


def build(rule: str, spec: str = "title: a spec", **sections: str) -> Instance:
    """An instance with this one rule."""
    return bind(
        type_of_text("type.yaml", type_text(rule, **sections)), read_spec("spec.yaml", spec)
    )


def only(instance: Instance, *names: str) -> list[dict[str, Any]]:
    """The solutions of an instance, by trying all values of the unknowns whose names are given;
    the others take their first.

    Each is held to the model and to the rules run on plain values, which must agree.
    """
    domains = instance.model.domains
    chosen = {v: d if v.name.split("[")[0] in names else d[:1] for v, d in domains.items()}
    found = []
    for values in product(*chosen.values()):
        solution = dict(zip(chosen, values))
        by_model = all(
            constraint.condition.value(solution) for constraint in instance.model.constraints
        )
        assert by_model == (instance.check(solution) is None), {
            v.name: value for v, value in solution.items()
        }
        if by_model:
            found.append({v.name: value for v, value in solution.items()})
    return found


def values(solutions: list[dict[str, Any]], *names: str) -> list[tuple[Any, ...]]:
    """The values of some unknowns in each solution, each once."""
    return sorted({tuple(solution[name] for name in names) for solution in solutions})


def problems_of(
    text: str, spec: str = "title: a spec", settings: Mapping[str, str] | None = None
) -> list[Problem]:
    """What is told of a type and a spec that are wrong."""
    with pytest.raises(Problems) as raised:
        bind(type_of_text("type.yaml", text), read_spec("spec.yaml", spec), settings)
    return list(raised.value.problems)


def places_of(
    text: str, spec: str, settings: Mapping[str, str] | None = None
) -> list[tuple[str, int, int]]:
    """What is told of a type and a spec that are wrong: each message, with its line and column."""
    return [
        (p.message, p.position.line, p.position.column)
        for p in problems_of(text, spec, settings)
        if p.position
    ]


def refusal(rule: str, **sections: str) -> Problem:
    """The one problem of a rule."""
    found = problems_of(type_text(rule, **sections))
    assert len(found) == 1, [str(problem) for problem in found]
    return found[0]


def under_caret(problem: Problem, length: int = 1) -> str:
    """The source text at which a problem points."""
    assert problem.position is not None
    start = problem.position.column - 1
    return problem.position.text[start : start + length]


def type_with(field: str, more: str = "", rest: str = "") -> str:
    """The text of a type with a field `f` of this type,
    after other fields and before other sections.
    """
    return f"puzzle: t\ndata:\n{more}  f: {field}\n{rest}variables:\n  x: bool\n"
