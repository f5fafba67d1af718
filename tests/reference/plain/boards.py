"""Boards, cells, corners and sides, by docs/language.md."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

ROOK = ((-1, 0), (0, 1), (1, 0), (0, -1))  # upwards, rightwards, downwards, leftwards
BENT = ((-1, -1), (-1, 1), (1, -1), (1, 1))
KNIGHT = tuple((a, b) for a, b in product((-2, -1, 1, 2), repeat=2) if abs(a) != abs(b))
HEXAGONAL = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))


COMPASS = {"up": (-1, 0), "up_right": (-1, 1), "right": (0, 1), "down_right": (1, 1)}
COMPASS |= {"down": (1, 0), "down_left": (1, -1), "left": (0, -1), "up_left": (-1, -1)}


def named(way: Any) -> str:
    """The name of a direction."""
    for signs in (("up", "right", "down", "left"), "urdl", "^>v<", "nesw", (0, 1, 2, 3)):
        for name, sign in zip(("up", "right", "down", "left"), signs):
            if sign == (way.lower() if isinstance(way, str) else way):
                return name
    return str(way)


def turned(way: Any, n: int) -> str:
    """The direction after so many quarter turns clockwise."""
    around = list(COMPASS)
    return around[(around.index(named(way)) + 2 * n) % 8]


class Size(NamedTuple):
    rows: int
    columns: int


@dataclass(frozen=True, order=True)
class Cell:
    row: int
    column: int

    def __str__(self) -> str:
        return f"r{self.row}c{self.column}"

    def step(self, way: Any, n: int = 1) -> "Cell":
        down, right = COMPASS[named(way)]
        return Cell(self.row + n * down, self.column + n * right)

    @property
    def pair(self) -> tuple[int, int]:
        """The pair that the cell is equal to."""
        return self.row, self.column


@dataclass(frozen=True, order=True)
class Corner:
    row: int
    column: int

    def __str__(self) -> str:
        return f"+r{self.row}c{self.column}"


def edge(a: Any, b: Any) -> tuple[Any, Any] | None:
    """The pair of two cells, or corners, as the board has it; None where one is None."""
    if a is None or b is None:
        return None
    return (a, b) if a <= b else (b, a)


class Board:
    """Cells and what stands in them; `world` is plain, torus, hexagons or triangles."""

    def __init__(
        self, values: dict[Cell, Any], world: str = "plain", size: tuple[int, int] = (0, 0)
    ) -> None:
        self.values = {cell: values[cell] for cell in sorted(values)}
        self.cells = tuple(self.values)
        self.world = world
        self.high = max([c.row for c in self.cells] + [size[0]])
        self.wide = max([c.column for c in self.cells] + [size[1]])
        self.given = tuple(c for c in self.cells if self.values[c] is not None)

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def numbers(self) -> tuple[Cell, ...]:
        return tuple(
            c
            for c in self.cells
            if isinstance(self.values[c], int) and not isinstance(self.values[c], bool)
        )

    def having(self, *values: Any) -> tuple[Cell, ...]:
        return tuple(c for c in self.cells if self.values[c] in values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values.values())

    def at_cell(self, cell: Any) -> Any:
        return self.values[cell]

    def items(self) -> Iterable[tuple[Cell, Any]]:
        """As a mapping: what stands at each cell."""
        return self.values.items()

    def _here(self, cells: Iterable[Cell]) -> tuple[Cell, ...]:
        return tuple(c for c in cells if c in self.values)

    def _lines(self, number: Any) -> tuple[tuple[Cell, ...], ...]:
        numbers = sorted({number(c) for c in self.cells})
        return tuple(tuple(c for c in self.cells if number(c) == n) for n in numbers)

    @property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        return tuple(
            tuple(c for c in self.cells if c.row == n)
            for n in range(1, max(c.row for c in self.cells) + 1)
        )

    @property
    def columns(self) -> tuple[tuple[Cell, ...], ...]:
        return tuple(
            tuple(c for c in self.cells if c.column == n)
            for n in range(1, max(c.column for c in self.cells) + 1)
        )

    @property
    def diagonals(self) -> tuple[tuple[Cell, ...], ...]:
        if self.world == "hexagons":
            return self._lines(lambda c: c.row + c.column)
        if self.world == "triangles":
            falling = self._lines(lambda c: (c.column - c.row + 1) // 2)
            return falling + self._lines(lambda c: (c.column + c.row) // 2)
        n = self.high
        return tuple(self._here(Cell(i, j) for i, j in line) for line in _long_diagonals(n))

    @property
    def all_diagonals(self) -> tuple[tuple[Cell, ...], ...]:
        return self._lines(lambda c: c.column - c.row) + self._lines(lambda c: c.column + c.row)

    def boxes(self, size: Any) -> tuple[tuple[Cell, ...], ...]:
        high, wide = size
        corners = product(range(1, self.high + 1, high), range(1, self.wide + 1, wide))
        return tuple(self._here(_block(r, c, high, wide)) for r, c in corners)

    def windows(self, high: int, wide: int) -> tuple[tuple[Cell, ...], ...]:
        blocks = (
            _block(r, c, high, wide)
            for r, c in product(range(1, self.high + 1), range(1, self.wide + 1))
        )
        return tuple(block for block in blocks if len(self._here(block)) == high * wide)

    @property
    def regions(self) -> tuple[tuple[Cell, ...], ...]:
        values = list(dict.fromkeys(self.values[c] for c in self.given))
        return tuple(tuple(c for c in self.given if self.values[c] == value) for value in values)

    def across(self, shortest: int = 2) -> tuple[tuple[Cell, ...], ...]:
        return self._runs(self.cells, (0, 1), shortest)

    def down(self, shortest: int = 2) -> tuple[tuple[Cell, ...], ...]:
        return self._runs(sorted(self.cells, key=lambda c: (c.column, c.row)), (1, 0), shortest)

    def slots(self, shortest: int = 2) -> tuple[tuple[Cell, ...], ...]:
        return self.across(shortest) + self.down(shortest)

    def _runs(
        self, order: Iterable[Cell], way: tuple[int, int], shortest: int
    ) -> tuple[tuple[Cell, ...], ...]:
        starts = [c for c in order if Cell(c.row - way[0], c.column - way[1]) not in self.values]
        runs = [(c, *self._ray(c, way, False)) for c in starts]
        return tuple(run for run in runs if len(run) >= shortest)

    def _ray(self, cell: Cell, way: tuple[int, int], through_holes: bool) -> tuple[Cell, ...]:
        found = []
        for step in range(1, max(self.high, self.wide) + 1):
            here = Cell(cell.row + step * way[0], cell.column + step * way[1])
            if here in self.values:
                found.append(here)
            elif not through_holes:
                break
        return tuple(found)

    def _steps(self, cell: Cell, ways: Iterable[tuple[int, int]]) -> tuple[Cell, ...]:
        self.at_cell(cell)
        if self.world != "torus":
            return self._here(Cell(cell.row + a, cell.column + b) for a, b in ways)
        round_ = (
            Cell((cell.row + a - 1) % self.high + 1, (cell.column + b - 1) % self.wide + 1)
            for a, b in ways
        )
        return tuple(dict.fromkeys(c for c in round_ if c != cell))

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        if self.world == "triangles":
            return self._sharing(cell, 2)
        return self._steps(cell, HEXAGONAL if self.world == "hexagons" else ROOK)

    def around(self, cell: Cell | Corner) -> tuple[Cell, ...]:
        if isinstance(cell, Corner):
            return tuple(c for c in self.cells if any(cell in side for side in self.sides(c)))
        if self.world == "triangles":
            return self._sharing(cell, 1)
        return self._steps(cell, HEXAGONAL if self.world == "hexagons" else ROOK + BENT)

    def _sharing(self, cell: Cell, number: int) -> tuple[Cell, ...]:
        """The triangles that share so many corners with one, or more."""
        self.at_cell(cell)
        own = corners_of_triangle(cell)
        return tuple(
            c for c in self.cells if c != cell and len(own & corners_of_triangle(c)) >= number
        )

    def knight(self, cell: Cell) -> tuple[Cell, ...]:
        return self._steps(cell, KNIGHT)

    def within(self, cell: Cell, steps: int, among: Any = None) -> tuple[Cell, ...]:
        self.at_cell(cell)
        far = {cell: 0}
        for _ in self.cells:  # relax every distance as often as there are cells
            for one in self.cells:
                if among is None or one in among:
                    for other in self.neighbours(one):
                        if other in far and far.get(one, steps + 1) > far[other] + 1 <= steps:
                            far[one] = far[other] + 1
        return tuple(sorted(far, key=lambda one: (far[one], one)))

    def _pairs(self, near: Any) -> tuple[tuple[Cell, Cell], ...]:
        return tuple(sorted({edge(c, d) for c in self.cells for d in near(c)}))

    @property
    def adjacent(self) -> tuple[tuple[Cell, Cell], ...]:
        return self._pairs(self.neighbours)

    @property
    def touching(self) -> tuple[tuple[Cell, Cell], ...]:
        return self._pairs(self.around)

    def links(self, cell: Cell) -> tuple[tuple[Cell, Cell], ...]:
        self.at_cell(cell)
        return tuple(pair for pair in self.adjacent if cell in pair)

    def next(self, cell: Cell, way: Any) -> Cell | None:
        self.at_cell(cell)
        row, column, name = cell.row, cell.column, named(way)
        if self.world == "hexagons":
            there = {
                "up_left": (-1, 0),
                "up_right": (-1, 1),
                "down_left": (1, -1),
                "down_right": (1, 0),
            }
            down, right = ({"left": (0, -1), "right": (0, 1)} | there)[name]
        else:
            down, right = COMPASS[name]
        if self.world == "torus":
            found = Cell((row + down - 1) % self.high + 1, (column + right - 1) % self.wide + 1)
        else:
            found = Cell(row + down, column + right)
        return (
            found
            if found in self.neighbours(cell) + self.around(cell) and self._open(cell, name)
            else None
        )

    def _open(self, cell: Cell, way: str) -> bool:
        """Whether the cell has a side, or in a plain board a corner, in this direction."""
        return self.world != "triangles" or way != (
            "down" if (cell.row + cell.column) % 2 else "up"
        )

    def ray(self, cell: Cell, way: Any) -> tuple[Cell, ...]:
        found = []
        here = self.next(cell, way)
        while here is not None and self._onwards(found[-1] if found else cell, here, named(way)):
            found.append(here)
            here = self.next(here, way)
        return tuple(found)

    def _onwards(self, here: Cell, there: Cell, way: str) -> bool:
        """Whether a step does not cross the edge of a torus."""
        down, right = COMPASS[way]
        return self.world != "torus" or there == Cell(here.row + down, here.column + right)

    def rays(self, cell: Cell, through_holes: bool = False) -> tuple[tuple[Cell, ...], ...]:
        return tuple(self._ray(cell, way, through_holes) for way in ROOK)

    def line(self, a: Cell, b: Cell) -> tuple[Cell, ...]:
        long = max(abs(b.row - a.row), abs(b.column - a.column))
        down, right = ((y > x) - (y < x) for x, y in ((a.row, b.row), (a.column, b.column)))
        return tuple(Cell(a.row + k * down, a.column + k * right) for k in range(long + 1))

    def sides(self, of: Cell | Corner) -> tuple[tuple[Corner, Corner], ...]:
        if isinstance(of, Cell):
            self.at_cell(of)
            r, c = of.row, of.column
            if self.world == "hexagons":
                return _around(
                    (
                        (r, 2 * c),
                        (r, 2 * c + 1),
                        (r + 1, 2 * c),
                        (r + 1, 2 * c - 1),
                        (r + 1, 2 * c - 2),
                        (r, 2 * c - 1),
                    )
                )
            if self.world == "triangles":
                up = (r, c), (r + 1, c + 1), (r + 1, c - 1)
                return _around(up if (r + c) % 2 == 0 else ((r, c - 1), (r, c + 1), (r + 1, c)))
            return (
                (Corner(r, c), Corner(r, c + 1)),
                (Corner(r, c + 1), Corner(r + 1, c + 1)),
                (Corner(r + 1, c), Corner(r + 1, c + 1)),
                (Corner(r, c), Corner(r + 1, c)),
            )
        return tuple(side for side in self.edges if of in side)

    @property
    def edges(self) -> tuple[tuple[Corner, Corner], ...]:
        return tuple(sorted({side for c in self.cells for side in self.sides(c)}))

    @property
    def corners(self) -> tuple[Corner, ...]:
        return tuple(sorted({corner for side in self.edges for corner in side}))


def _around(ring: tuple[tuple[int, int], ...]) -> tuple[tuple[Corner, Corner], ...]:
    """The sides between the corners of a ring."""
    corners = [Corner(*place) for place in ring]
    return tuple((min(a, b), max(a, b)) for a, b in zip(corners, [*corners[1:], corners[0]]))


def _long_diagonals(n: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    return tuple((i, i) for i in range(1, n + 1)), tuple((i, n + 1 - i) for i in range(1, n + 1))


def _block(row: int, column: int, high: int, wide: int) -> tuple[Cell, ...]:
    return tuple(Cell(row + a, column + b) for a in range(high) for b in range(wide))


def board(rows: int, columns: int) -> Board:
    return Board(dict.fromkeys(_block(1, 1, rows, columns)))


def torus(rows: int, columns: int) -> Board:
    return Board(dict.fromkeys(_block(1, 1, rows, columns)), "torus")


def hex_board(side: int) -> Board:
    wide = 2 * side - 1
    cells = (Cell(r, c) for r in range(1, wide + 1) for c in range(1, wide + 1))
    return Board(
        {c: None for c in cells if side + 1 <= c.row + c.column <= 3 * side - 1}, "hexagons"
    )


def part(g: Board, cells: Iterable[Cell]) -> Board:
    return Board({c: g.values[c] for c in cells}, g.world)


def corners_of_triangle(cell: Cell) -> frozenset[tuple[int, int]]:
    """The corners of a triangle: its row counts lines between rows, its column half columns."""
    row, column = cell.row, cell.column
    level = row + 1 if (row + column) % 2 == 0 else row
    return frozenset({(level, column - 1), (level, column + 1), (2 * row + 1 - level, column)})


def triangle_board(side: int) -> Board:
    middle = side if side % 2 else side + 1
    return Board(
        {Cell(r, c): None for r in range(1, side + 1) for c in range(middle - r + 1, middle + r)},
        "triangles",
    )


def triangles(g: Board) -> Board:
    return Board(g.values, "triangles")


def hexagons(g: Board) -> Board:
    return Board(g.values, "hexagons")
