"""Shapes that are placed on boards, rectangles, and cycles of arcs."""

from collections import Counter
from functools import cache
from itertools import product
from typing import Any

from tests.judge.plain.boards import Board, Cell
from tests.judge.plain.values import Wrong, row
from tests.judge.plain.words import Indexed

Shape = frozenset[tuple[int, int]]


class Placement:
    def __init__(self, piece: str, cells: tuple[Cell, ...]) -> None:
        self.piece, self.cells = piece, cells


def _turned(shape: Shape, rotate: bool, reflect: bool) -> set[Shape]:
    found = set()
    for mirrored in (False, True) if reflect else (False,):
        cells = {(r, -c if mirrored else c) for r, c in shape}
        for _ in range(4 if rotate else 1):
            top, left = min(r for r, _ in cells), min(c for _, c in cells)
            found.add(frozenset((r - top, c - left) for r, c in cells))
            cells = {(c, -r) for r, c in cells}
    return found


def placements(shapes: Any, g: Board, rotate: bool = True, reflect: bool = True) -> Indexed:
    found = []
    for piece, shape in shapes.items():
        places = set()
        for turned in _turned(shape, rotate, reflect):
            for row_, column in product(range(1, g.high + 1), range(1, g.wide + 1)):
                cells = tuple(sorted(Cell(row_ + r, column + c) for r, c in turned))
                if all(cell in g.values for cell in cells):
                    places.add(cells)
        found += [Placement(piece, cells) for cells in sorted(places)]
    return Indexed(found)


def rectangles(g: Board, largest: int | None = None) -> Indexed:
    found = []
    for top, left in product(range(1, g.high + 1), range(1, g.wide + 1)):
        for high, wide in product(range(1, g.high + 2 - top), range(1, g.wide + 2 - left)):
            cells = tuple(Cell(top + r, left + c) for r in range(high) for c in range(wide))
            if all(cell in g.values for cell in cells) and (largest is None or len(cells) <= largest):
                found.append(cells)
    return Indexed(found)


Arc = tuple[Any, Any]


class Cycles(Indexed):
    """Cycles, each a row of arcs."""

    cut: tuple[Any, ...] = ()
    bound = 0
    uniform = True


def _cycles(arcs: Any) -> set[tuple[Arc, ...]]:
    found = set()
    leads: dict[Any, set[Any]] = {}
    for a, b in arcs:
        leads.setdefault(a, set()).add(b)

    def walk(trail: tuple[Any, ...]) -> None:
        for node in leads.get(trail[-1], ()):
            if node == trail[0]:
                found.add(tuple(zip(trail, (*trail[1:], node))))
            elif node > trail[0] and node not in trail:
                walk((*trail, node))

    for start in leads:
        walk((start,))
    return found


def simple_cycles(arcs: Any) -> Cycles:
    return Cycles(sorted(_cycles(row(arcs))))


def best_cycles(arcs: Any) -> Cycles:
    every = sorted(_cycles(row(arcs)))

    @cache
    def cuts(left: tuple[tuple[Arc, int], ...]) -> frozenset[tuple[Any, ...]]:
        if not left:
            return frozenset([()])
        arc = left[0][0]
        found = set()
        for cycle in every:
            if arc in cycle:
                rest = Counter(dict(left)) - Counter(cycle)
                if sum(rest.values()) == sum(n for _, n in left) - len(cycle):
                    found |= {tuple(sorted((*cut, cycle))) for cut in cuts(tuple(sorted(rest.items())))}
        return frozenset(found)

    ways = cuts(tuple(sorted(Counter(tuple(a) for a in row(arcs)).items())))
    most = max((len(cut) for cut in ways), default=0)
    kept = Cycles(sorted({cycle for cut in ways if len(cut) == most for cycle in cut}))
    kept.cut = min((cut for cut in ways if len(cut) == most), default=())
    kept.bound = most
    kept.uniform = all(len(cut) == most for cut in ways if set(cut) <= set(kept))
    return kept


def exchanges(start: Board, target: Board, cycles: Any) -> tuple[int, ...]:
    """Only as many as there are: a cycle of k cells takes k - 1 exchanges."""
    moving = Counter((start.values[c], target.values[c]) for c in start.cells if start.values[c] != target.values[c])
    if moving != Counter(arc for cycle in row(cycles) for arc in cycle):
        raise Wrong("these cycles do not lead from one board to the other")
    return tuple(range(sum(moving.values()) - len(row(cycles))))


FUNCTIONS: dict[str, Any] = {
    "placements": placements,
    "rectangles": rectangles,
    "simple_cycles": simple_cycles,
    "best_cycles": best_cycles,
    "known_best": lambda goal, bound, start=None: goal,
    "exchanges": exchanges,
}
