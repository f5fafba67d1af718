"""Slitherlink by hand: is there one loop?

Clauses are solved without the loop, and each wrong piece is cut off.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from by_hand import common

LIMIT = 2
Spec = dict[str, Any]


class Loop:
    """The sides of the cells as edges from 1, those at each corner, and those around each clue."""

    def __init__(self, spec: Spec) -> None:
        rows = common.board(spec["clues"])
        high, wide = len(rows), len(rows[0])
        corners = [(r, c) for r in range(high + 1) for c in range(wide + 1)]
        ends = [(p, (p[0], p[1] + 1)) for p in corners if p[1] < wide] + [
            (p, (p[0] + 1, p[1])) for p in corners if p[0] < high
        ]
        self.number = {pair: edge for edge, pair in enumerate(ends, 1)}
        self.ends = [((0, 0), (0, 0)), *ends]
        self.at: dict[tuple[int, int], list[int]] = {corner: [] for corner in corners}
        for pair, edge in self.number.items():
            for corner in pair:
                self.at[corner].append(edge)
        self.clues: list[tuple[list[int], int]] = []
        for r, row in enumerate(rows):
            for c, mark in enumerate(row):
                if mark != ".":
                    a, b, d, e = (r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)
                    self.clues.append(
                        (
                            [self.number[pair] for pair in ((a, b), (a, d), (b, e), (d, e))],
                            int(mark),
                        )
                    )

    def clauses(self) -> list[list[int]]:
        """The clues, no corner with one edge or three, and at least one edge."""
        found = [list(range(1, len(self.ends)))]
        for around, clue in self.clues:
            found += [[-edge for edge in some] for some in combinations(around, clue + 1)]
            found += [list(some) for some in combinations(around, len(around) - clue + 1)]
        for edges in self.at.values():
            found += [[-edge, *(other for other in edges if other != edge)] for edge in edges]
            found += [[-edge for edge in some] for some in combinations(edges, 3)]
        return found

    def cuts(self, true: set[int]) -> list[list[int]]:
        """For each piece, where there are several: it is not all there, or nothing else is,
        or it goes on somewhere.
        """
        pieces = []
        left = set(true)
        while left:
            waiting = [left.pop()]
            piece = set(waiting)
            while waiting:
                for corner in self.ends[waiting.pop()]:
                    for edge in self.at[corner]:
                        if edge in left:
                            left.discard(edge)
                            piece.add(edge)
                            waiting.append(edge)
            pieces.append(piece)
        if len(pieces) < 2:
            return []
        found = []
        for piece, other in zip(pieces, pieces[1:] + pieces[:1]):
            inside = {corner for edge in piece for corner in self.ends[edge]}
            out = {
                edge
                for corner in inside
                for edge in self.at[corner]
                if not inside.issuperset(self.ends[edge])
            }
            found.append([-min(piece), -min(other), *out])
        return found


def sat(spec: Spec) -> int:
    loop = Loop(spec)
    return common.sat(loop.clauses(), len(loop.ends) - 1, LIMIT, loop.cuts)


def z3(spec: Spec) -> int:
    from z3 import Bool, Not, Or

    loop = Loop(spec)
    line = [Bool(f"e{edge}") for edge in range(len(loop.ends))]
    absent = [Not(literal) for literal in line]

    def state(solver: Any) -> None:
        solver.add(
            [
                Or([line[edge] if edge > 0 else absent[-edge] for edge in clause])
                for clause in loop.clauses()
            ]
        )

    return common.z3(line, state, LIMIT, loop.cuts)


def cp_sat(spec: Spec) -> int:
    from ortools.sat.python.cp_model import FEASIBLE, OPTIMAL, CpModel, CpSolver

    loop = Loop(spec)
    model = CpModel()
    number = {corner: place for place, corner in enumerate(loop.at)}
    ways = [(model.new_bool_var(""), model.new_bool_var("")) for _ in loop.ends]
    line = [there + back for there, back in ways]
    arcs = [
        (place, place, model.new_bool_var("")) for place in number.values()
    ]  # a corner that the loop leaves out
    for (one, other), (there, back) in zip(loop.ends[1:], ways[1:]):
        model.add_at_most_one(there, back)
        arcs += [(number[one], number[other], there), (number[other], number[one], back)]
    model.add_circuit(arcs)
    model.add(sum(line[1:]) >= 1)
    for around, clue in loop.clues:
        model.add(sum(line[edge] for edge in around) == clue)
    solver, found = CpSolver(), 0
    solver.parameters.num_workers = 1
    while found < LIMIT and solver.solve(model) in (FEASIBLE, OPTIMAL):
        found += 1
        true = [
            edge for edge, way in enumerate(ways) if edge and any(map(solver.boolean_value, way))
        ]
        model.add(sum(line[edge] for edge in true) < len(true))
    return found


def asp(spec: Spec) -> int:
    loop = Loop(spec)
    facts = "".join(f"edge({edge})." for edge in range(1, len(loop.ends)))
    for place, edges in enumerate(loop.at.values()):
        facts += "".join(f"at({place},{edge})." for edge in edges)
    facts += "".join(f"clue({k},{clue})." for k, (_, clue) in enumerate(loop.clues))
    facts += "".join(
        f"by({k},{edge})." for k, (around, _) in enumerate(loop.clues) for edge in around
    )
    rules = """
        { line(E) } :- edge(E).
        :- clue(K,N), not N { line(E) : by(K,E) } N.
        on(P) :- line(E), at(P,E).
        :- on(P), not 2 { line(E) : at(P,E) } 2.
        after(P+1) :- on(P).  after(P+1) :- after(P), at(P,_).
        first(P) :- on(P), not after(P).
        reached(P) :- first(P).
        reached(Q) :- reached(P), line(E), at(P,E), at(Q,E).
        :- on(P), not reached(P).
        :- not on(P) : at(P,_).
        #show line/1."""
    return common.asp(facts + rules, LIMIT)


ENCODINGS = {
    "sat": ("sat", sat),
    "asp": ("asp", asp),
    "z3": ("z3", z3),
    "cp-sat": ("cp-sat", cp_sat),
}
