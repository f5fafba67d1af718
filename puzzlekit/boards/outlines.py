"""The sides of one cell: where they lie, what is beyond them, and which corners they join."""

from __future__ import annotations

from puzzlekit.boards.cells import Form
from puzzlekit.boards.directions import Step

Node = tuple[int, int]  # the row and the column of a cell or of a corner
Outer = tuple[str, Node, tuple[Node, Node]]  # a side: its name, the cell beyond it, its ends

WIDE = {"square": 1, "hexagon": 2, "triangle": 1}  # the columns of corners for each column of cells


# For each form of cells, clockwise from the top: the name of a side, the step to the cell beyond it, and the steps from
# the first corner of the cell to the ends of the side. That corner is the upper left of a square, the top of a hexagon,
# and above the middle of a triangle: its tip, or the middle of its upper side. Each corner of a hexagon is one column
# after the other, on the zigzag above a row, so that a hexagon is two columns wide.
_SIDES: dict[str, tuple[tuple[str, Step, Step, Step], ...]] = {
    "square": (
        ("top", (-1, 0), (0, 0), (0, 1)),
        ("right", (0, 1), (0, 1), (1, 1)),
        ("bottom", (1, 0), (1, 0), (1, 1)),
        ("left", (0, -1), (0, 0), (1, 0)),
    ),
    "hexagon": (
        ("upper right", (-1, 1), (0, 0), (0, 1)),
        ("right", (0, 1), (0, 1), (1, 0)),
        ("lower right", (1, 0), (1, -1), (1, 0)),
        ("lower left", (1, -1), (1, -2), (1, -1)),
        ("left", (0, -1), (0, -1), (1, -2)),
        ("upper left", (-1, 0), (0, -1), (0, 0)),
    ),
    "triangle up": (
        ("right", (0, 1), (0, 0), (1, 1)),
        ("bottom", (1, 0), (1, -1), (1, 1)),
        ("left", (0, -1), (0, 0), (1, -1)),
    ),
    "triangle down": (
        ("top", (-1, 0), (0, -1), (0, 1)),
        ("right", (0, 1), (0, 1), (1, 0)),
        ("left", (0, -1), (0, -1), (1, 0)),
    ),
}


_CORNERS = {name: sorted({end for _, _, *ends in sides for end in ends}) for name, sides in _SIDES.items()}


def corners_of(form: Form, cell: Node) -> list[Node]:
    """Return the corners of a cell, row by row.

    Examples:
        >>> corners_of("hexagon", (1, 1))
        [(1, 1), (1, 2), (1, 3), (2, 0), (2, 1), (2, 2)]
    """
    row, column = cell
    first = WIDE[form] * column
    return [(row + down, first + right) for down, right in _CORNERS[_turned(form, cell)]]


def _turned(form: Form, cell: Node) -> str:
    """Return the form of a cell, and how a triangle points."""
    return f"{form} {'down' if sum(cell) % 2 else 'up'}" if form == "triangle" else form


def outline(form: Form, cell: Node) -> list[Outer]:
    """Return the sides of a cell, clockwise from the top.

    Each has where it lies on the cell, the cell beyond it, on the board or not, and the corners that
    it joins, the lesser first.

    Examples:
        >>> [name for name, _, _ in outline("triangle", (1, 2))]
        ['top', 'right', 'left']
    """
    row, column = cell
    first = WIDE[form] * column
    return [
        (name, (row + down, column + right), ((row + a, first + b), (row + c, first + d)))
        for name, (down, right), (a, b), (c, d) in _SIDES[_turned(form, cell)]
    ]


def below(form: Form, corner: Node) -> Node:
    """Return the cell, on the board or not, of which this corner is the upper left or the top one.

    Examples:
        >>> below("hexagon", (1, 3)), below("hexagon", (1, 4)), below("square", (1, 3))
        ((1, 2), (1, 2), (1, 3))
    """
    row, column = corner
    return row, -(-column // WIDE[form])


def reach(form: Form) -> tuple[int, int]:
    """Return the columns of the leftmost and of the rightmost corner of the cell in column 0."""
    columns = [column for _, _, ends in outline(form, (0, 0)) for _, column in ends]
    return min(columns), max(columns)
