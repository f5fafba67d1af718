"""A board: its cells, their values and their neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from puzzlekit.boards.cells import HEXAGON_STEPS, STEPS, WAYS, Cell, Cells, Corner, Step, direction
from puzzlekit.boards.lines import BoardSides, a_cell, named_lines
from puzzlekit.errors import InputError

Steps = tuple[tuple[int, int], ...]
KING = tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0))
ROOK = ((-1, 0), (0, -1), (0, 1), (1, 0))
KNIGHT = tuple((r, c) for r in (-2, -1, 1, 2) for c in (-2, -1, 1, 2) if abs(r) != abs(c))


# attributes that are computed from the values of a board; all others depend on its cells alone
OF_VALUES = frozenset({"given", "numbers", "regions"})


class Grid(BoardSides):
    """A board with a value for every cell, None for an empty one. A hole is not a cell."""

    has_no_unknowns = False  # set where no value depends on an unknown
    rook: Steps = ROOK  # steps to the cells that share a side
    king: Steps = KING  # steps to the cells that share a side or a corner

    def __init__(self, values: Mapping[Cell, Any]) -> None:
        self.values = {cell: values[cell] for cell in sorted(values)}
        self.cells = Cells(self.values, "cells")
        self._around: dict[tuple[str, Cell], Cells] = {}

    def attributes_of_cells(self) -> dict[str, Any]:
        """Return the attributes computed so far that boards with the same cells have, too."""
        of_this_board = {"values", "cells", *OF_VALUES}
        return {name: each for name, each in vars(self).items() if name not in of_this_board}

    def forget_values(self) -> None:
        """Forget the attributes that were computed from the values: these are looked at again."""
        for name in OF_VALUES:
            vars(self).pop(name, None)

    @classmethod
    def of_rows(cls, rows: Iterable[Sequence[Any]], hole: Any = ".") -> Grid:
        """Make a grid from rows of values.

        Args:
            rows: The values of each row.
            hole: The value that marks a hole.

        Examples:
            >>> Grid.of_rows(["ab", ".c"]).cells
            (r1c1, r1c2, r2c2)
        """
        values = {}
        for row_number, row in enumerate(rows, 1):
            for column_number, value in enumerate(row, 1):
                if value is not hole and value != hole:
                    values[Cell(row_number, column_number)] = value
        return cls(values)

    def __getitem__(self, cell: Cell) -> Any:
        return self.values[cell]

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the values of the cells in reading order."""
        return iter(self.values.values())

    def __len__(self) -> int:
        return len(self.values)

    def __eq__(self, grid: object) -> bool:
        return isinstance(grid, Grid) and self.values == grid.values

    def __hash__(self) -> int:
        return hash(tuple(self.values.items()))

    def __contains__(self, value: object) -> bool:
        return value in self.values.values()

    @cached_property
    def given(self) -> Cells:
        """The cells that have a value."""
        given = [cell for cell, value in self.values.items() if value is not None]
        return Cells(given, "given cells")

    @cached_property
    def numbers(self) -> Cells:
        """The cells whose value is a number."""
        numbers = [cell for cell, value in self.values.items() if type(value) is int]
        return Cells(numbers, "cells with numbers")

    def having(self, *values: Any) -> Cells:
        """The cells that have one of these values."""
        wanted = frozenset(values)
        cells = [cell for cell, value in self.values.items() if value in wanted]
        return Cells(cells, "cells")

    def _neighbourhood(self, name: str, cell: Cell, steps: Iterable[tuple[int, int]]) -> Cells:
        """Return the cells that these steps lead to from a cell, without the cell; cached."""
        key = name, cell
        if key not in self._around:
            a_cell(cell)
            by_position, moved = self._by_position, self._moved
            reached = dict.fromkeys([by_position.get(moved(cell, step)) for step in steps])
            reached.pop(cell, None)
            neighbours = [member for member in reached if member is not None]
            self._around[key] = Cells(neighbours, f"{name} {cell}")
        return self._around[key]

    @cached_property
    def _by_position(self) -> Mapping[tuple[int, int], Cell]:
        """The cells by row and column: a look-up takes less time than to make the cell anew."""
        return {cell: cell for cell in self.cells}

    def _moved(self, cell: Cell, step: Step) -> tuple[int, int]:
        """Return the row and column this far away, on the board or not."""
        row, column = cell
        down, right = step
        return row + down, column + right

    def neighbours(self, cell: Cell) -> Cells:
        """The cells that share a side with this one."""
        return self._neighbourhood("beside", cell, self._steps(self.rook, cell))

    def around(self, position: Cell | Corner) -> Cells:
        """The cells that share a side or a corner with this one, or those that have this corner.

        Raises:
            InputError: The board has no such corner.
        """
        if isinstance(position, Corner):
            return self._cells_at[self.on_corners(position)]
        return self._neighbourhood("around", position, self._steps(self.king, position))

    def next(self, cell: Cell, way: Any) -> Cell | None:
        """Return the next cell in a direction; None if the board has none there.

        Raises:
            InputError: The board has no such cell, or no such direction.
        """
        position = self._moved(self.on_board(cell), self._step(cell, way))
        next_cell = self._by_position.get(position)
        return None if next_cell == cell else next_cell

    def ray(self, cell: Cell, way: Any) -> Cells:
        """Return the cells in a direction, the nearest first, up to a hole or the edge of the
        board.

        Raises:
            InputError: The board has no such cell, or no such direction.
        """
        line = [self.on_board(cell)]
        while True:
            last = line[-1]
            # not self._moved: a ray ends at the edge of a torus
            next_cell = self._by_position.get(Grid._moved(self, last, self._step(last, way)))
            if next_cell is None or next_cell == last:
                return Cells(line[1:], f"{direction(way)} from {cell}")
            line.append(next_cell)

    def _step(self, cell: Cell, way: Any) -> Step:
        """Return the rows and columns from a cell to the next one in a direction."""
        name = direction(way)
        steps = self._ways(cell)
        if name not in steps:
            directions = ", ".join(steps)
            raise InputError(
                f"{name} is not a direction on a board of {self.form}s, which has {directions}"
            )
        return steps[name]

    def _ways(self, cell: Cell) -> Mapping[str, Step]:
        """The steps in each direction from a cell."""
        return STEPS

    def knight(self, cell: Cell) -> Cells:
        """The cells a knight's move away."""
        return self._neighbourhood("a knight's move from", cell, KNIGHT)

    def within(self, cell: Cell, steps: int, among: Iterable[Cell] | None = None) -> Cells:
        """Return a cell and those at most so many steps from neighbour to neighbour away, the
        nearest first.

        Args:
            cell: The cell.
            steps: The number of steps.
            among: The cells that the steps may lead to; all without it.

        Raises:
            InputError: The board has no such cell, or `steps` is not a number.
        """
        if type(steps) is not int:
            raise InputError("the number of steps is a whole number")
        remaining = set(self.values if among is None else among)
        cells = frontier = [self.on_board(cell)]
        remaining.discard(cell)
        for _ in range(min(steps, len(self.values))):
            neighbours = [neighbour for member in frontier for neighbour in self.neighbours(member)]
            frontier = [member for member in dict.fromkeys(neighbours) if member in remaining]
            if not frontier:
                break
            remaining.difference_update(frontier)
            cells = cells + frontier
        return Cells(cells, f"within {steps} of {cell}")

    @cached_property
    def adjacent(self) -> tuple[Cells, ...]:
        """Each pair of cells that share a side, once."""
        return self._pairs(self.rook)

    @cached_property
    def touching(self) -> tuple[Cells, ...]:
        """Each pair of cells that share a side or a corner, once."""
        return self._pairs(self.king)

    def links(self, cell: Cell) -> tuple[Cells, ...]:
        """The pairs of cells that share a side, this cell being one of them, in the order of
        `adjacent`.

        Raises:
            InputError: The board has no such cell.
        """
        return self._links[self.on_board(cell)]

    @cached_property
    def _links(self) -> Mapping[Cell, tuple[Cells, ...]]:
        links: dict[Cell, list[Cells]] = {cell: [] for cell in self.cells}
        for pair in self.adjacent:
            for cell in pair:
                links[cell].append(pair)
        return {cell: tuple(pairs) for cell, pairs in links.items()}

    def _steps(self, steps: Steps, cell: Cell) -> Steps:
        """Those of the steps, or their like, that lead from this cell to a neighbour."""
        return steps

    def _pairs(self, steps: Steps) -> tuple[Cells, ...]:
        by_position, moved = self._by_position, self._moved
        pairs: dict[tuple[Cell, Cell], None] = {}
        for cell in self.cells:
            # a step back from this cell is a step on from its neighbour
            forward = [step for step in self._steps(steps, cell) if step > (0, 0)]
            for step in forward:
                neighbour = by_position.get(moved(cell, step))
                if neighbour is None or neighbour == cell:
                    continue
                pair = (cell, neighbour) if cell < neighbour else (neighbour, cell)
                pairs[pair] = None
        return tuple([tuple.__new__(Cells, pair) for pair in pairs])  # Cells(pair) takes longer


def board(rows: int, columns: int) -> Grid:
    """Make an empty board.

    Examples:
        >>> len(board(3, 4))
        12
    """
    return Grid(_empty_block(rows, columns))


def _empty_block(rows: int, columns: int) -> dict[Cell, None]:
    values: dict[Cell, None] = {}
    for row in range(1, rows + 1):
        for column in range(1, columns + 1):
            values[Cell(row, column)] = None
    return values


HEXAGON = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))


class Torus(Grid):
    """A board whose neighbours wrap around at the edges. Its rows, rays and sides do not."""

    def _moved(self, cell: Cell, step: Step) -> tuple[int, int]:
        row, column = super()._moved(cell, step)
        return (row - 1) % self.height + 1, (column - 1) % self.width + 1


class HexBoard(Grid):
    """A board of hexagons with up to six neighbours each.

    Its lines in the three directions are rows, columns and diagonals.
    """

    form = "hexagon"
    rook = HEXAGON
    king = HEXAGON

    def _ways(self, cell: Cell) -> Mapping[str, Step]:
        return HEXAGON_STEPS

    @property
    def diagonals(self) -> tuple[Cells, ...]:
        """The lines of the third direction."""
        return tuple(line for line in self.all_diagonals if str(line).startswith("rising"))


class TriangleBoard(Grid):
    """A board of triangles with up to three neighbours each.

    A cell points up if the sum of its row and its column is even, and down otherwise.
    """

    form = "triangle"
    rook = ((0, -1), (0, 1), (1, 0))  # of a cell that points up
    king = (
        *((-1, c) for c in (-1, 0, 1)),
        *((0, c) for c in (-2, -1, 1, 2)),
        *((1, c) for c in (-2, -1, 0, 1, 2)),
    )

    def _steps(self, steps: Steps, cell: Cell) -> Steps:
        if sum(cell) % 2 == 0:
            return steps
        return tuple((-row, column) for row, column in steps)

    def _ways(self, cell: Cell) -> Mapping[str, Step]:
        """The three directions to a side, and (0, 0) for that to the point."""
        steps = {way: STEPS[way] for way in WAYS}
        point = "down" if sum(cell) % 2 else "up"
        steps[point] = (0, 0)
        return steps

    @property
    def diagonals(self) -> tuple[Cells, ...]:
        """The strips of cells in the two directions that are no rows: falling, then rising ones."""
        strips: dict[tuple[str, int], list[Cell]] = {}
        for cell in self.cells:
            falling = "falling", (cell.column - cell.row + 1) // 2
            rising = "rising", (cell.column + cell.row) // 2
            strips.setdefault(falling, []).append(cell)
            strips.setdefault(rising, []).append(cell)
        return named_lines(strips, "strip")


def triangles(grid: Grid) -> TriangleBoard:
    """The cells and values of a grid as triangles.

    Examples:
        >>> triangles(Grid.of_rows(["abc", "def"])).neighbours(Cell(1, 1))
        (r1c2, r2c1)
    """
    return TriangleBoard(grid.values)


def triangle_board(side: int) -> TriangleBoard:
    """Make an empty triangle of triangles with `side` rows.

    Examples:
        >>> [len(row) for row in triangle_board(3).rows]
        [1, 3, 5]
    """
    middle = side + 1 - side % 2  # so that the cell in the first row points up
    values: dict[Cell, None] = {}
    for row in range(1, side + 1):
        for column in range(middle - row + 1, middle + row):
            values[Cell(row, column)] = None
    return TriangleBoard(values)


def hexagons(grid: Grid) -> HexBoard:
    """The cells and values of a grid as hexagons, where each row is half a cell to the right.

    Examples:
        >>> hexagons(Grid.of_rows(["abc", "def"])).neighbours(Cell(2, 2))
        (r1c2, r1c3, r2c1, r2c3)
    """
    return HexBoard(grid.values)


def torus(rows: int, columns: int) -> Torus:
    """Make an empty board whose neighbours wrap around at the edges.

    Examples:
        >>> torus(3, 3).neighbours(Cell(1, 1))
        (r3c1, r1c3, r1c2, r2c1)
    """
    return Torus(_empty_block(rows, columns))


def hex_board(side: int) -> HexBoard:
    """Make an empty hexagon of hexagons with `side` cells along each side.

    Examples:
        >>> [len(row) for row in hex_board(2).rows], len(hex_board(2).neighbours(Cell(2, 2)))
        ([2, 3, 2], 6)
    """
    last = 2 * side - 1
    values: dict[Cell, None] = {}
    for cell in _empty_block(last, last):
        if side < cell.row + cell.column <= last + side:
            values[cell] = None
    return HexBoard(values)
