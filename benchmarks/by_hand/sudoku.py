"""Sudoku by hand: is there one solution?"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from by_hand import common

LIMIT = 2
Spec = dict[str, Any]


def read(spec: Spec) -> tuple[int, list[int], list[list[int]]]:
    """The size, the givens (0 for none) and the units, each a list of cells."""
    rows = common.board(spec["givens"])
    n = len(rows)
    high, wide = map(int, str(spec.get("box", "3x3")).split("x"))
    givens = [0 if mark in ".0" else int(mark) for row in rows for mark in row]
    units = [[r * n + c for c in range(n)] for r in range(n)] + [
        [r * n + c for r in range(n)] for c in range(n)
    ]
    for top in range(0, n, high):
        units += [
            [(top + r) * n + left + c for r in range(high) for c in range(wide)]
            for left in range(0, n, wide)
        ]
    return n, givens, units


def candidates(n: int, givens: list[int], units: list[list[int]]) -> list[list[int]]:
    """The digits of each cell that no given forbids, from 0."""
    seen: list[set[int]] = [set() for _ in givens]
    for unit in units:
        taken = {givens[cell] for cell in unit}
        for cell in unit:
            seen[cell] |= taken
    return [
        [given - 1] if given else [d for d in range(n) if d + 1 not in seen[cell]]
        for cell, given in enumerate(givens)
    ]


def cover(spec: Spec) -> tuple[list[list[int]], int, int]:
    """Options: a digit in a cell. Items: each cell, and each digit in each unit."""
    n, givens, units = read(spec)
    at: list[list[int]] = [[] for _ in givens]
    for number, unit in enumerate(units):
        for cell in unit:
            at[cell].append(len(givens) + number * n)
    options = [
        [cell, *(item + d for item in at[cell])]
        for cell, ds in enumerate(candidates(n, givens, units))
        for d in ds
    ]
    items = len(givens) + len(units) * n
    return options, items, items


def sat(spec: Spec) -> int:
    options, _, items = cover(spec)
    users: list[list[int]] = [[] for _ in range(items)]
    for literal, option in enumerate(options, 1):
        for item in option:
            users[item].append(literal)
    clauses = list(users)
    for literals in users:
        clauses += [[-a, -b] for a, b in combinations(literals, 2)]
    return common.sat(clauses, len(options), LIMIT)


def z3(spec: Spec) -> int:
    from z3 import Bool, PbEq

    options, _, items = cover(spec)
    literals = [Bool(f"o{number}") for number in range(len(options))]
    users: list[list[Any]] = [[] for _ in range(items)]
    for literal, option in zip(literals, options):
        for item in option:
            users[item].append((literal, 1))
    return common.z3(literals, lambda solver: solver.add([PbEq(some, 1) for some in users]), LIMIT)


def cp_sat(spec: Spec) -> int:
    from ortools.sat.python.cp_model import CpModel, Domain

    n, givens, units = read(spec)
    model = CpModel()
    cells = [
        model.new_int_var_from_domain(Domain.from_values(ds), "")
        for ds in candidates(n, givens, units)
    ]
    for unit in units:
        model.add_all_different([cells[cell] for cell in unit])
    return common.cp_sat(model, LIMIT)


def asp(spec: Spec) -> int:
    n, givens, units = read(spec)
    facts = "".join(
        f"may({cell},{d})." for cell, ds in enumerate(candidates(n, givens, units)) for d in ds
    )
    facts += "".join(f"in({number},{cell})." for number, unit in enumerate(units) for cell in unit)
    rules = (
        "1 { is(C,D) : may(C,D) } 1 :- may(C,_). 1 { is(C,D) : in(U,C), may(C,D) } 1 :- in(U,_), "
        "may(_,D). #show is/2."
    )
    return common.asp(facts + rules, LIMIT)


def csp(spec: Spec) -> int:
    from constraint import AllDifferentConstraint, Problem

    n, givens, units = read(spec)
    problem = Problem()
    for cell, digits in enumerate(candidates(n, givens, units)):
        problem.addVariable(cell, digits)
    for unit in units:
        problem.addConstraint(AllDifferentConstraint(), unit)
    return sum(1 for _, _ in zip(range(LIMIT), problem.getSolutionIter()))


ENCODINGS = {
    "python": ("exact-cover", lambda spec: common.bitsets(*cover(spec), LIMIT)),
    "sat": ("sat", sat),
    "asp": ("asp", asp),
    "z3": ("z3", z3),
    "dlx": ("dlx", lambda spec: common.dlx(*cover(spec), LIMIT)),
    "csp": ("csp", csp),
    "cp-sat": ("cp-sat", cp_sat),
    "xcover": ("xcover", lambda spec: common.xcover(*cover(spec), LIMIT)),
}
