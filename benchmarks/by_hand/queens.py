"""Queens by hand: all solutions."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from by_hand import common

Spec = dict[str, Any]


def cover(spec: Spec) -> tuple[list[list[int]], int, int]:
    """Options: a queen on a square.

    Rows and columns must be covered, diagonals of two squares or more may be.
    """
    n = int(spec["size"])
    options = []
    for r in range(n):
        for c in range(n):
            rising, falling = r + c - 1, r - c + n - 2
            lines = [2 * n + rising] * (0 <= rising < 2 * n - 3) + [4 * n - 3 + falling] * (
                0 <= falling < 2 * n - 3
            )
            options.append([r, n + c, *lines])
    return options, 2 * n, 6 * n - 6


def lines(spec: Spec) -> tuple[int, list[list[int]], int]:
    """The number of squares, the squares of each line, and how many of the lines need a queen."""
    options, primary, items = cover(spec)
    users: list[list[int]] = [[] for _ in range(items)]
    for square, option in enumerate(options):
        for item in option:
            users[item].append(square)
    return len(options), users, primary


def python(spec: Spec) -> int:
    n = int(spec["size"])
    every = (1 << n) - 1

    def place(columns: int, rising: int, falling: int) -> int:
        free = every & ~(columns | rising | falling)
        found = 0
        while free:
            spot = free & -free
            free ^= spot
            if columns | spot == every:
                return found + 1
            found += place(columns | spot, (rising | spot) << 1, (falling | spot) >> 1)
        return found

    return place(0, 0, 0)


def sat(spec: Spec) -> int:
    squares, users, primary = lines(spec)
    clauses = [[square + 1 for square in line] for line in users[:primary]]
    for line in users:
        clauses += [[-a - 1, -b - 1] for a, b in combinations(line, 2)]
    return common.sat(clauses, squares)


def z3(spec: Spec) -> int:
    from z3 import AtMost, Bool, PbEq

    squares, users, primary = lines(spec)
    literals = [Bool(f"q{square}") for square in range(squares)]

    def state(solver: Any) -> None:
        solver.add(
            [PbEq([(literals[square], 1) for square in line], 1) for line in users[:primary]]
        )
        solver.add([AtMost(*[literals[square] for square in line], 1) for line in users[primary:]])

    return common.z3(literals, state)


def cp_sat(spec: Spec) -> int:
    from ortools.sat.python.cp_model import CpModel

    n = int(spec["size"])
    model = CpModel()
    column = [model.new_int_var(0, n - 1, "") for _ in range(n)]
    model.add_all_different(column)
    model.add_all_different([column[r] + r for r in range(n)])
    model.add_all_different([column[r] - r for r in range(n)])
    return common.cp_sat(model)


def asp(spec: Spec) -> int:
    rules = """
        1 { q(R,C) : C = 1..n } 1 :- R = 1..n.  1 { q(R,C) : R = 1..n } 1 :- C = 1..n.
        :- { q(R,C) : R = 1..n, C = S - R, C >= 1, C <= n } > 1, S = 3..2*n-1.
        :- { q(R,C) : R = 1..n, C = R - D, C >= 1, C <= n } > 1, D = 2-n..n-2.
        #show q/2."""
    return common.asp(f"#const n = {spec['size']}." + rules)


def csp(spec: Spec) -> int:
    from constraint import AllDifferentConstraint, Problem

    n = int(spec["size"])
    problem = Problem()
    problem.addVariables(range(n), range(n))
    problem.addConstraint(AllDifferentConstraint(), range(n))
    for a, b in combinations(range(n), 2):
        problem.addConstraint(lambda x, y, apart=b - a: abs(x - y) != apart, (a, b))
    return len(problem.getSolutions())


ENCODINGS = {
    "python": ("exact-cover", python),
    "python covers": ("exact-cover", lambda spec: common.bitsets(*cover(spec))),
    "C package": ("exact-cover", lambda spec: common.c_package(*cover(spec))),
    "sat": ("sat", sat),
    "asp": ("asp", asp),
    "z3": ("z3", z3),
    "dlx": ("dlx", lambda spec: common.dlx(*cover(spec))),
    "csp": ("csp", csp),
    "cp-sat": ("cp-sat", cp_sat),
    "xcover": ("xcover", lambda spec: common.xcover(*cover(spec))),
}
