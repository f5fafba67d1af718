"""Functions of boards, cells, edges, and shapes on boards."""

from __future__ import annotations

from collections.abc import Mapping

from puzzlekit.boards import (
    Cell,
    Cells,
    Corner,
    Grid,
    Placement,
    Shape,
    Torus,
    board,
    edge,
    hex_board,
    hexagons,
    placements,
    polyominoes,
    rectangles,
    torus,
    triangle_board,
    triangles,
    turned,
)
from puzzlekit.lang.aliases import DataValue
from puzzlekit.lang.data.collections import BOARD_SIDE
from puzzlekit.lang.expressions.values import ExpressionError, display_text
from puzzlekit.lang.library import Functions

CELL = 8  # steps per cell of a new board: it is sorted, hashed and stored


class Geometry(Functions):
    """Boards, cells, edges, and shapes on boards."""

    def board(self, rows: int, columns: int) -> Grid:
        """Return a board of so many rows and columns, without data."""
        return board(*self._size(rows, columns))

    def torus(self, rows: int, columns: int) -> Grid:
        """Return a board without data that continues at the opposite edge."""
        return self._noted("torus", torus(*self._size(rows, columns)))

    def hex_board(self, side: int) -> Grid:
        """Return a hexagon of hexagons without data, with so many along each side."""
        return self._noted("hex_board", hex_board(self._half(side, "hexagons")))

    def hexagons(self, g: Grid) -> Grid:
        """Return the board with hexagons as cells; each row lies half a cell further right."""
        self._is_board(g)
        self.interpreter.spend(CELL * len(g))
        return self._noted("hexagons", hexagons(g))

    def triangle_board(self, side: int) -> Grid:
        """Return a triangle of triangles without data, with so many rows."""
        return self._noted("triangle_board", triangle_board(self._half(side, "triangles")))

    def triangles(self, g: Grid) -> Grid:
        """Return the board with triangles as cells: they point up where row plus column is even."""
        self._is_board(g)
        self.interpreter.spend(CELL * len(g))
        return self._noted("triangles", triangles(g))

    def _noted(self, function: str, new: Grid) -> Grid:
        """Note a board whose cells are not linked as squares are."""
        self.interpreter.unsquare_boards.append((function, new))
        return new

    def _half(self, side: int, cells: str) -> int:
        """Return the side of a board that is at most twice as wide."""
        length = self.interpreter.whole_number(side, "the side of a board")
        if not 0 < length <= BOARD_SIDE // 2:
            raise ExpressionError(f"the side of a board of {cells} is from 1 to {BOARD_SIDE // 2}")
        self._size(2 * length - 1, 2 * length - 1)
        return length

    def part(self, g: Grid, cells: DataValue) -> Grid:
        """Return the board with only these of its cells; the others are holes."""
        self._is_board(g)
        if isinstance(g, Torus):
            raise ExpressionError("part(…) cannot be used on a torus: a part has no opposite edges")
        subset = self._cells_of(g, cells)
        self.interpreter.spend(CELL * len(subset))
        return type(g)({cell: g.values[cell] for cell in subset})

    def _size(self, rows: int, columns: int) -> tuple[int, int]:
        height = self.interpreter.whole_number(rows, "the size of a board")
        width = self.interpreter.whole_number(columns, "the size of a board")
        if not (0 < height <= BOARD_SIDE and 0 < width <= BOARD_SIDE):
            raise ExpressionError(f"a board has from 1 to {BOARD_SIDE} rows and columns")
        self.interpreter.spend(CELL * height * width)
        return height, width

    def cell(self, row: int, column: int) -> Cell:
        """Return the cell with these numbers, on the board or not."""
        return Cell(
            self.interpreter.whole_number(row, "the row of a cell"),
            self.interpreter.whole_number(column, "the column of a cell"),
        )

    def turned(self, way: DataValue, n: int) -> str:
        """Return the direction after `n` quarter turns clockwise."""
        return turned(
            self.interpreter.require_fixed(way, "a direction"),
            self.interpreter.whole_number(n, "the number of turns"),
        )

    def edge(self, a: DataValue, b: DataValue) -> DataValue:
        """Return the pair of two cells, or corners, as boards have it; None if one is None."""
        if a is None or b is None:
            return None
        for class_ in (Cell, Corner):
            if isinstance(a, class_) and isinstance(b, class_):
                return edge(a, b)
        raise ExpressionError(
            f"an edge joins two cells or two corners, got {display_text(a)} and {display_text(b)}"
        )

    def placements(
        self, shapes: DataValue, g: Grid, rotate: bool = True, reflect: bool = True
    ) -> tuple[Placement, ...]:
        """Return every placement of every shape on the board, each once.

        Shapes are rotated and reflected, unless `rotate` or `reflect` is False.
        """
        are_shapes = isinstance(shapes, Mapping) and all(
            isinstance(shape, Shape) for shape in shapes.values()
        )
        if not are_shapes:
            raise ExpressionError(
                f"expected a mapping from names to shapes, got {display_text(shapes)}"
            )
        for word in (rotate, reflect):
            if not isinstance(word, bool):
                raise ExpressionError(
                    f"expected true or false as rotate or reflect, got {display_text(word)}"
                )
        self._is_board(g)
        return placements(shapes, g, rotate, reflect, self.interpreter.spend)

    def rectangles(
        self, g: Grid, largest: int | None = None, around: DataValue = None
    ) -> tuple[Cells, ...]:
        """Return every rectangle of cells of the board, of at most `largest` cells.

        With `around`, only those that have exactly one of these cells. A mapping says how many
        cells they have, or None for any number.
        """
        self._is_board(g)
        most = self._optional_number(largest, "the largest number of cells")
        sizes: dict[Cell, int | None] | None = None
        if around is not None:
            sizes = dict.fromkeys(self._cells_of(g, around))
        if isinstance(around, Mapping):
            sizes = {
                cell: self._optional_number(size, "the number of cells")
                for cell, size in around.items()
            }
        return rectangles(g, most, sizes, self.interpreter.spend)

    def _optional_number(self, number: DataValue, subject: str) -> int | None:
        return None if number is None else self.interpreter.whole_number(number, subject)

    def polyominoes(self, g: Grid, size: int) -> tuple[Cells, ...]:
        """Return every connected group of `size` cells of the board."""
        self._is_board(g)
        count = self.interpreter.whole_number(size, "the number of cells")
        return polyominoes(g, count, self.interpreter.spend)

    def _cells_of(self, g: Grid, cells: DataValue) -> tuple[Cell, ...]:
        """Return cells of the board as a row."""
        row: tuple[Cell, ...] = self.interpreter.require_fixed(self.items(cells), "a cell")
        for cell in row:
            if cell not in g.values:
                raise ExpressionError(f"this board has no cell {display_text(cell)}")
        return row

    def _is_board(self, grid: DataValue) -> None:
        if not isinstance(grid, Grid):
            raise ExpressionError(f"expected a board, got {display_text(grid)}")
