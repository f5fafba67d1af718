"""Shapes that are placed on boards, rectangles, and cycles of arcs."""

from cmath import exp, pi
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import product
from typing import Any

from tests.reference.plain.boards import Board, Cell, corners_of_triangle
from tests.reference.plain.values import Wrong, row
from tests.reference.plain.words import Indexed

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


def _points(cell: Cell, world: str) -> tuple[complex, ...]:
    """The corners of a triangle, or the centre of a hexagon,
    in a plane where neighbours' centres or corners are 1 apart.
    """
    high = 3**0.5 / 2
    if world == "triangles":
        return tuple(complex(column / 2, row_ * high) for row_, column in corners_of_triangle(cell))
    return (complex(cell.column + cell.row / 2, cell.row * high),)


def _rounded(points: Iterable[complex]) -> frozenset[complex]:
    return frozenset(
        complex(round(point.real, 3) + 0, round(point.imag, 3) + 0) for point in points
    )


def _in_the_plane(shape: Shape, g: Board, rotate: bool, reflect: bool) -> set[tuple[Cell, ...]]:
    """Where a shape lies on hexagons or triangles: it is turned and moved in the plane,
    to where its first cell is one.
    """
    at = {_rounded(_points(cell, g.world)): cell for cell in g.cells}
    start = [_points(Cell(r + 1, c + 1), g.world) for r, c in sorted(shape)]
    found = set()
    for mirrored in (False, True) if reflect else (False,):
        for turn in range(6 if rotate else 1):
            angle = exp(1j * pi * turn / 3)
            turned = [
                [(-point.conjugate() if mirrored else point) * angle for point in points]
                for points in start
            ]
            for target in g.cells:
                moves = {goal - turned[0][0] for goal in _points(target, g.world)}
                for move in moves:
                    cells = [
                        at.get(_rounded(point + move for point in points)) for points in turned
                    ]
                    if cells[0] == target and None not in cells:
                        found.add(tuple(sorted(cell for cell in cells if cell is not None)))
    return found


def placements(shapes: Any, g: Board, rotate: bool = True, reflect: bool = True) -> Indexed:
    found = []
    for piece, shape in shapes.items():
        if g.world in ("hexagons", "triangles"):
            found += [
                Placement(piece, cells)
                for cells in sorted(_in_the_plane(shape, g, rotate, reflect))
            ]
            continue
        places = set()
        for turned in _turned(shape, rotate, reflect):
            for row_, column in product(range(1, g.high + 1), range(1, g.wide + 1)):
                cells = tuple(sorted(Cell(row_ + r, column + c) for r, c in turned))
                if all(cell in g.values for cell in cells):
                    places.add(cells)
        found += [Placement(piece, cells) for cells in sorted(places)]
    return Indexed(found)


def rectangles(g: Board, largest: int | None = None, around: Any = None) -> Indexed:
    found = []
    only = None if around is None else set(row(around))
    sizes = around if isinstance(around, Mapping) else {}
    for top, left in product(range(1, g.high + 1), range(1, g.wide + 1)):
        for high, wide in product(range(1, g.high + 2 - top), range(1, g.wide + 2 - left)):
            cells = tuple(Cell(top + r, left + c) for r in range(high) for c in range(wide))
            small = largest is None or len(cells) <= largest
            own = [cell for cell in cells if only is not None and cell in only]
            right = only is None or (len(own) == 1 and sizes.get(own[0]) in (None, len(cells)))
            if small and right and all(cell in g.values for cell in cells):
                found.append(cells)
    return Indexed(found)


def polyominoes(g: Board, size: int) -> Indexed:
    groups = {(cell,) for cell in g.cells} if size > 0 else set()
    for _ in range(size - 1):
        larger = (
            (group, near) for group in groups for cell in group for near in g.neighbours(cell)
        )
        groups = {tuple(sorted((*group, near))) for group, near in larger if near not in group}
    return Indexed(sorted(groups))


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
                    found |= {
                        tuple(sorted((*cut, cycle))) for cut in cuts(tuple(sorted(rest.items())))
                    }
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
    moving = Counter(
        (start.values[c], target.values[c])
        for c in start.cells
        if start.values[c] != target.values[c]
    )
    if moving != Counter(arc for cycle in row(cycles) for arc in cycle):
        raise Wrong("these cycles do not lead from one board to the other")
    return tuple(range(sum(moving.values()) - len(row(cycles))))


FUNCTIONS: dict[str, Any] = {
    "placements": placements,
    "rectangles": rectangles,
    "polyominoes": polyominoes,
    "simple_cycles": simple_cycles,
    "best_cycles": best_cycles,
    "known_best": lambda goal, bound, start=None: goal,
    "exchanges": exchanges,
}
