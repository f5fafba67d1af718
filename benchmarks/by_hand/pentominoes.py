"""Pentominoes by hand: all ways to cover the board with the twelve pieces."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from by_hand import common

Spec = dict[str, Any]
Cells = frozenset[tuple[int, int]]
PIECES = """
    F .##/##./.#.   I #####   L #./#./#./##   N .#/.#/##/#.   P ##/##/#.   T ###/.#./.#.
    U #.#/###   V #../#../###   W #../##./.##   X .#./###/.#.   Y .#/##/.#/.#   Z ##./.#./.##
"""


def turned(cells: Cells) -> set[Cells]:
    """A piece turned and turned over, moved to the corner."""
    found = set()
    for _ in range(4):
        cells = frozenset((c, -r) for r, c in cells)
        for side in (cells, frozenset((r, -c) for r, c in cells)):
            top, left = min(r for r, _ in side), min(c for _, c in side)
            found.add(frozenset((r - top, c - left) for r, c in side))
    return found


def cover(spec: Spec) -> tuple[list[list[int]], int, int]:
    """Options: a piece in a place. Items: the pieces and the cells."""
    rows = spec["field"].split()
    words = PIECES.split()
    cells = [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#"]
    free = {cell: number for number, cell in enumerate(cells, len(words) // 2)}
    options = []
    for piece, text in enumerate(words[1::2]):
        shape = frozenset(
            (r, c)
            for r, row in enumerate(text.split("/"))
            for c, mark in enumerate(row)
            if mark == "#"
        )
        for side in turned(shape):
            for down in range(len(rows)):
                for right in range(len(rows[0])):
                    place = [(r + down, c + right) for r, c in side]
                    if all(cell in free for cell in place):
                        options.append([piece, *(free[cell] for cell in place)])
    items = len(words) // 2 + len(free)
    return options, items, items


def users_of(options: list[list[int]], items: int) -> list[list[int]]:
    """For each item the options that use it."""
    users: list[list[int]] = [[] for _ in range(items)]
    for number, option in enumerate(options):
        for item in option:
            users[item].append(number)
    return users


def sat(spec: Spec) -> int:
    options, _, items = cover(spec)
    clauses: list[list[int]] = []
    top = len(options)
    for some in users_of(options, items):
        group = [number + 1 for number in some]
        clauses.append(group)
        while len(group) > 4:  # at most one, three at a time and a literal for these
            top += 1
            head, group = group[:3], [*group[3:], top]
            clauses += [[-literal, top] for literal in head] + [
                [-a, -b] for a, b in combinations(head, 2)
            ]
        clauses += [[-a, -b] for a, b in combinations(group, 2)]
    return common.sat(clauses, len(options))


def z3(spec: Spec) -> int:
    from z3 import Bool, PbEq

    options, _, items = cover(spec)
    literals = [Bool(f"o{number}") for number in range(len(options))]
    sums = [
        PbEq([(literals[number], 1) for number in some], 1) for some in users_of(options, items)
    ]
    return common.z3(literals, lambda solver: solver.add(sums))


def cp_sat(spec: Spec) -> int:
    from ortools.sat.python.cp_model import CpModel

    options, _, items = cover(spec)
    model = CpModel()
    use = [model.new_bool_var("") for _ in options]
    for some in users_of(options, items):
        model.add_exactly_one([use[number] for number in some])
    return common.cp_sat(model)


def asp(spec: Spec) -> int:
    options, _, items = cover(spec)
    facts = f"item(0..{items - 1})." + "".join(
        f"uses({o},{i})." for o, option in enumerate(options) for i in option
    )
    return common.asp(facts + "1 { use(O) : uses(O,I) } 1 :- item(I). #show use/1.")


ENCODINGS = {
    "python": ("exact-cover", lambda spec: common.bitsets(*cover(spec))),
    "sat": ("sat", sat),
    "asp": ("asp", asp),
    "z3": ("z3", z3),
    "dlx": ("dlx", lambda spec: common.dlx(*cover(spec))),
    "cp-sat": ("cp-sat", cp_sat),
    "xcover": ("xcover", lambda spec: common.xcover(*cover(spec))),
}
