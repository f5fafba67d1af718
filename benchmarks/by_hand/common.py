"""What the encodings share: ask a library for all solutions, or for the first few,
and count them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

EVERY = 10**9
Clauses = Iterable[Sequence[int]]
Cuts = Callable[[set[int]], list[list[int]]]


def board(text: str) -> list[list[str]]:
    """A board's rows of marks: words where the row has spaces, else letters."""
    return [
        line.split() if " " in line.strip() else list(line.strip())
        for line in text.splitlines()
        if line.strip()
    ]


def sat(clauses: Clauses, visible: int, limit: int = EVERY, cuts: Cuts = lambda true: []) -> int:
    """Solutions of clauses, told apart by the literals 1 … visible;
    `cuts` gives the clauses that a wrong solution breaks.
    """
    from pysat.solvers import Solver

    found = 0
    with Solver("glucose4", bootstrap_with=clauses) as solver:
        while found < limit and solver.solve():
            true = {literal for literal in solver.get_model()[:visible] if literal > 0}
            wrong = cuts(true)
            for clause in wrong:
                solver.add_clause(clause)
            if not wrong:
                found += 1
                solver.add_clause([-literal for literal in true])
    return found


def z3(
    literals: Sequence[Any],
    state: Callable[[Any], None],
    limit: int = EVERY,
    cuts: Cuts = lambda true: [],
) -> int:
    """The same by Z3's solver for finite domains; `literals[i]` is a Bool,
    `state` adds the rules.
    """
    from z3 import Not, Or, SolverFor, is_true, sat

    found = 0
    solver = SolverFor("QF_FD")
    state(solver)
    while found < limit and solver.check() == sat:
        model = solver.model()
        true = {place for place, literal in enumerate(literals) if is_true(model[literal])}
        wrong = cuts(true)
        for clause in wrong:
            solver.add(
                Or([literals[place] if place > 0 else Not(literals[-place]) for place in clause])
            )
        if not wrong:
            found += 1
            solver.add(Or([Not(literals[place]) for place in true]))
    return found


def cp_sat(model: Any, limit: int = EVERY) -> int:
    """All solutions of a CP-SAT model, found in one search."""
    from ortools.sat.python.cp_model import CpSolver, CpSolverSolutionCallback

    class Count(CpSolverSolutionCallback):
        found = 0

        def on_solution_callback(self) -> None:
            self.found += 1
            if self.found == limit:
                self.stop_search()

    solver, count = CpSolver(), Count()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.solve(model, count)
    return count.found


def asp(program: str, limit: int = 0) -> int:
    """Models of a logic program by clingo; 0 is no limit."""
    from clingo import Control

    control = Control([str(limit), "--project=show"])
    control.add("base", [], program)
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        return sum(1 for _ in handle)


def dlx(options: Sequence[Sequence[int]], primary: int, items: int, limit: int = EVERY) -> int:
    """Exact covers by the package dlx; the first `primary` items must be covered,
    the others may be.
    """
    from dlx import DLX

    sys.setrecursionlimit(10_000)
    links = DLX([(item, DLX.PRIMARY if item < primary else DLX.SECONDARY) for item in range(items)])
    for option in options:
        links.appendRow(list(option))
    return sum(1 for _ in islice(links.solve(), limit))


def xcover(options: Sequence[Sequence[int]], primary: int, items: int, limit: int = EVERY) -> int:
    """Exact covers by the package xcover, its compiled algorithm called as it is."""
    import numpy as np
    from xcover import algorithm_c

    starts = np.cumsum([0, *map(len, options)]).astype(np.uint32)
    entries = np.array([item for option in options for item in option], dtype=np.uint32)
    covers = algorithm_c(
        entries, starts, np.zeros(len(entries), dtype=np.uint32), items, items - primary
    )
    return sum(1 for _ in islice(covers, limit))


def c_package(options: Sequence[Sequence[int]], primary: int, items: int) -> int:
    """Exact covers by the package exact-cover, in C.

    It has no items that may stay open: an option of its own fills each.
    """
    import numpy as np
    from exact_cover import get_all_solutions

    matrix = np.zeros((len(options) + items - primary, items), dtype=np.int32)
    for row, option in enumerate(options):
        matrix[row, list(option)] = 1
    for row, item in enumerate(range(primary, items), len(options)):
        matrix[row, item] = 1
    return len(get_all_solutions(matrix))


def bitsets(options: Sequence[Sequence[int]], primary: int, items: int, limit: int = EVERY) -> int:
    """Exact covers on the bits of plain ints: `live` has the options that may still be chosen."""
    users = [0] * items
    for number, option in enumerate(options):
        for item in option:
            users[item] |= 1 << number
    clashes = []
    for option in options:
        clash = 0
        for item in option:
            clash |= users[item]
        clashes.append(clash)
    needs = [sum(1 << item for item in option if item < primary) for option in options]
    found = 0

    def search(live: int, todo: list[int]) -> bool:
        nonlocal found
        least, ways = EVERY, 0
        for item in todo:
            some = live & users[item]
            number = some.bit_count()
            if number < least:
                if not number:
                    return False
                least, ways = number, some
                if number == 1:
                    break
        while ways:
            low = ways & -ways
            ways ^= low
            option = low.bit_length() - 1
            need = needs[option]
            rest = [item for item in todo if not need >> item & 1]
            if rest:
                if search(live & ~clashes[option], rest):
                    return True
            else:
                found += 1
                if found == limit:
                    return True
        return False

    search((1 << len(options)) - 1, list(range(primary)))
    return found
