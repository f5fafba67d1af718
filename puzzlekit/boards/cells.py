"""Cells, groups of cells, corners and sides, with their names; directions from cell to cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any, Literal, NamedTuple, TypeVar

from puzzlekit.errors import InputError

T = TypeVar("T")
Form = Literal["square", "hexagon", "triangle"]
Step = tuple[int, int]  # rows and columns

EDGE_LABELS = 4_096  # that are cached
WAYS = ("up", "right", "down", "left")
# clockwise
CIRCLE = ("up", "up_right", "right", "down_right", "down", "down_left", "left", "up_left")
STEPS: dict[str, Step] = {
    "up": (-1, 0),
    "right": (0, 1),
    "down": (1, 0),
    "left": (0, -1),
    "up_right": (-1, 1),
    "down_right": (1, 1),
    "down_left": (1, -1),
    "up_left": (-1, -1),
}
HEXAGON_STEPS: dict[str, Step] = {
    "up_right": (-1, 1),
    "right": (0, 1),
    "down_right": (1, 0),
    "down_left": (1, -1),
    "left": (0, -1),
    "up_left": (-1, 0),
}
NAMES: dict[object, str] = {
    **{name: name for name in CIRCLE},
    **{sign: way for signs in ("urdl", "^>v<", "nesw") for sign, way in zip(signs, WAYS)},
    **dict(enumerate(WAYS)),
}


class Size(NamedTuple):
    """A number of rows and a number of columns."""

    rows: int
    columns: int

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"


class Cell(NamedTuple):
    """A position on a board; `row` and `column` count from 1.

    Examples:
        >>> str(Cell(1, 2))
        'r1c2'
    """

    row: int
    column: int

    def step(self, way: Any, n: int = 1) -> Cell:
        """Return the cell n steps away in a direction, on a board or not.

        Raises:
            InputError: This is no direction, or n is not a whole number.

        Examples:
            >>> Cell(2, 2).step("up"), Cell(2, 2).step(">", 3), Cell(2, 2).step("down_left", -1)
            (r1c2, r2c5, r1c3)
        """
        down, right = STEPS[direction(way)]
        if type(n) is not int:
            raise InputError("expected a whole number of steps")
        return Cell(self.row + n * down, self.column + n * right)

    def __str__(self) -> str:
        return f"r{self.row}c{self.column}"

    def __repr__(self) -> str:
        return str(self)


def rows_over(values: Mapping[Cell, T], blank: T) -> list[list[T]]:
    """Return values by cell as the rows of the smallest board; `blank` stands where no cell is."""
    height = max(cell.row for cell in values)
    width = max(cell.column for cell in values)
    rows = range(1, height + 1)
    columns = range(1, width + 1)
    return [[values.get(Cell(row, column), blank) for column in columns] for row in rows]


class Cells(tuple[Cell, ...]):
    """Cells in order, with a name for the group, such as `row 3` or `box r1c4`.

    Attributes:
        label: The name in messages about a spec; without one, the first and the last cell stand
            for the group.
        name_on_board: The name for somebody who sees the board alone, if it is another one:
            pictures draw the border of `region A`, and not its letter.
    """

    label = ""
    name_on_board = ""

    def __new__(cls, cells: Iterable[Cell], label: str = "", name_on_board: str = "") -> Cells:
        group = super().__new__(cls, cells)
        if label:
            group.label = label
        if name_on_board:
            group.name_on_board = name_on_board
        return group

    @cached_property
    def members(self) -> frozenset[Cell]:
        """The cells as a set, for quick tests of membership."""
        return frozenset(self)

    @property
    def looked_up(self) -> bool:
        """Whether `members` was computed before."""
        return "members" in vars(self)

    def __str__(self) -> str:
        if not self:
            return "no cells"
        return self.label or f"{self[0]}–{self[-1]}"


class Corner(NamedTuple):
    """A point where cells meet: the upper left corner of the square with its row and column.

    Of triangles, it is the tip of the one that points up. Hexagons have two corners for each: the
    upper left one of the hexagon in column n has column 2n - 1, its top one 2n. None of these cells
    need be on the board.

    Examples:
        >>> str(Corner(1, 2))
        '+r1c2'
    """

    row: int
    column: int
    # of the cells; it makes a corner unequal to the cell with its row and column
    form: Form = "square"

    def __str__(self) -> str:
        return f"+r{self.row}c{self.column}"

    def __repr__(self) -> str:
        return str(self)


class Side(tuple[Corner, Corner]):
    """A side of a cell: the two corners that it joins, the upper or left one first.

    Examples:
        >>> str(Side(Corner(1, 1), Corner(1, 2))), str(Side(Corner(1, 1), Corner(2, 1)))
        ('top of r1c1', 'left of r1c1')
    """

    direction: str  # from the cell, such as `top`
    cell: Cell

    def __new__(
        cls, first: Corner, second: Corner, direction: str = "", cell: Cell | None = None
    ) -> Side:
        side = super().__new__(cls, (first, second))
        side.direction = direction or ("top" if first.row == second.row else "left")
        side.cell = cell or Cell(*first[:2])
        return side

    def __str__(self) -> str:
        return f"{self.direction} of {self.cell}"


def edge(a: Any, b: Any) -> tuple[Any, Any]:
    """The edge between two nodes: the pair of them, the lesser first.

    Examples:
        >>> edge(Cell(1, 2), Cell(1, 1))
        (r1c1, r1c2)
    """
    first, second = (a, b) if a <= b else (b, a)
    if isinstance(first, Cell) and isinstance(second, Cell):
        return Cells((first, second), _edge_label(first, second))  # type: ignore[return-value]
    return first, second


@lru_cache(maxsize=EDGE_LABELS)
def _edge_label(first: Cell, second: Cell) -> str:
    return f"{first}–{second}"


def direction(way: Any) -> str:
    """Return the name of a direction, which is written as its name, a sign or a number.

    Raises:
        InputError: It is no direction.

    Examples:
        >>> direction("E"), direction("v"), direction(0), direction("up_left")
        ('right', 'down', 'up', 'up_left')
    """
    name = NAMES.get(way) if type(way) in (str, int) else None
    if name is None and type(way) is str:
        name = NAMES.get(way.lower())
    if name is None:
        written = _written(way)
        raise InputError(f"expected a direction, such as up, u, ^, n or 0, got {written}")
    return name


def _written(way: Any) -> str:
    if isinstance(way, str):
        return repr(way[:20])
    return str(way) if type(way) is int else "another value"


def turned(way: Any, n: int) -> str:
    """Return the direction that n quarter turns clockwise make of a direction.

    Examples:
        >>> turned("up", 1), turned("left", 2), turned("up_right", -1)
        ('right', 'right', 'up_left')
    """
    position = CIRCLE.index(direction(way)) + 2 * n
    return CIRCLE[position % len(CIRCLE)]
