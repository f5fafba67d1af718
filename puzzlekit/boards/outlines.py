"""The sides of cells: their corners, the cells beyond them, and the faces that they enclose."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from puzzlekit.boards.cells import Corner, Form, Side, Step
from puzzlekit.dataclass import dataclass

Node = tuple[int, int]  # the row and the column of a cell or of a corner
Outer = tuple[str, Node, tuple[Node, Node]]  # a side: its name, the cell beyond it, its ends
FaceStep = tuple[int, int, int]  # from a face, to a face, across this edge; -1 for none

WIDE = {"square": 1, "hexagon": 2, "triangle": 1}  # the columns of corners for each column of cells


# For each form of cells, clockwise from the top: the name of a side, the step to the cell beyond
# it, and the steps from the first corner of the cell to the ends of the side. That corner is the
# upper left of a square, the top of a hexagon, and above the middle of a triangle: its tip, or the
# middle of its upper side. Each corner of a hexagon is one column after the other, on the zigzag
# above a row, so that a hexagon is two columns wide.
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


_CORNERS = {
    name: sorted({end for _, _, *ends in sides for end in ends}) for name, sides in _SIDES.items()
}


def corners_of(form: Form, cell: Node) -> list[Node]:
    """Return the corners of a cell, row by row.

    Examples:
        >>> corners_of("hexagon", (1, 1))
        [(1, 1), (1, 2), (1, 3), (2, 0), (2, 1), (2, 2)]
    """
    row, column = cell
    first = WIDE[form] * column
    steps = _CORNERS[_turned(form, cell)]
    return [(row + down, first + right) for down, right in steps]


def side_name(cell: Node, side: Side) -> str:
    """Return the name of a side of a cell; empty if the cell does not have it.

    Examples:
        >>> side = Side(Corner(2, 1), Corner(2, 2))
        >>> side_name((2, 1), side), side_name((1, 1), side), side_name((1, 2), side)
        ('top', 'bottom', '')
    """
    first, second = side
    ends = first[:2], second[:2]
    return next((name for name, _, joined in outline(first.form, cell) if joined == ends), "")


def corner_name(cell: Node, corner: Corner) -> str:
    """Return the name of a corner of a cell; empty if the cell does not have it.

    Examples:
        >>> corner_name((1, 1), Corner(2, 1)), corner_name((3, 1), Corner(2, 1))
        ('lower left', '')
        >>> corner_name((1, 1), Corner(1, 2, "hexagon"))
        'top'
    """
    corners = corners_of(corner.form, cell)
    if corner[:2] not in corners:
        return ""
    is_upper = corner.row == cell[0]
    columns = [column for row, column in corners if row == corner.row]
    position = columns.index(corner.column)
    if 2 * position == len(columns) - 1:
        return "top" if is_upper else "bottom"
    return f"{'upper' if is_upper else 'lower'} {'right' if position else 'left'}"


def _turned(form: Form, cell: Node) -> str:
    """Return the form of a cell, and how a triangle points."""
    if form != "triangle":
        return form
    return "triangle down" if sum(cell) % 2 else "triangle up"


def outline(form: Form, cell: Node) -> list[Outer]:
    """Return the sides of a cell, clockwise from the top.

    Each has its name, the cell beyond it, on the board or not, and the corners that it joins, the
    lesser first.

    Examples:
        >>> [name for name, _, _ in outline("triangle", (1, 2))]
        ['top', 'right', 'left']
    """
    row, column = cell
    first = WIDE[form] * column
    sides = []
    for name, (down, right), start, end in _SIDES[_turned(form, cell)]:
        beyond = row + down, column + right
        lesser = row + start[0], first + start[1]
        greater = row + end[0], first + end[1]
        sides.append((name, beyond, (lesser, greater)))
    return sides


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
    columns = [column for _, column in corners_of(form, (0, 0))]
    return min(columns), max(columns)


@dataclass(frozen=True)
class Faces:
    """The faces between edges: 0 is all that lies outside, the others are cells.

    `numbers` has the face of a cell; any other cell lies outside. The steps to the right come
    first, row by row, so that the first step to each face comes from a face that was reached
    before.
    """

    numbers: dict[Node, int]
    steps: tuple[FaceStep, ...]

    @property
    def count(self) -> int:
        """The number of faces, the one outside included."""
        return len(self.numbers) + 1

    def face_of(self, cell: Node) -> int:
        """Return the face of a cell."""
        return self.numbers.get(cell, 0)


def faces(edges: Sequence[tuple[Node, Node]], form: Form = "square") -> Faces:
    """Return the faces between edges that are sides of cells of this form.

    Other edges have no step.

    Examples:
        >>> square = [((1, 1), (1, 2)), ((1, 1), (2, 1)), ((1, 2), (2, 2)), ((2, 1), (2, 2))]
        >>> faces(square).steps
        ((0, 1, 1), (1, 0, 2), (0, 1, 0), (1, 0, 3))
    """
    if not edges:
        return Faces({}, ())
    enclosed = Faces(_enclosed(edges, form), ())
    indices = {(min(edge), max(edge)): index for index, edge in enumerate(edges)}
    rows = [row for edge in edges for row, _ in edge]
    columns = [column for edge in edges for _, column in edge]
    left = min(columns) // WIDE[form]
    right = max(columns) // WIDE[form]
    sideways = list[FaceStep]()
    downwards = list[FaceStep]()
    for row in range(min(rows), max(rows) + 1):
        for column in range(left - 1, right + 2):
            cell = row, column
            for _, beyond, ends in outline(form, cell):
                if beyond >= cell:
                    continue
                index = indices.get(ends, -1)
                step = enclosed.face_of(beyond), enclosed.face_of(cell), index
                if step == (0, 0, -1):
                    continue
                steps = sideways if beyond[0] == row else downwards
                steps.append(step)
    return Faces(enclosed.numbers, (*sideways, *downwards))


def _enclosed(edges: Sequence[tuple[Node, Node]], form: Form) -> dict[Node, int]:
    """Return a number from 1 for each cell that the edges may enclose."""
    corner_rows = [row for edge in edges for row, _ in edge]
    corner_columns = [column for edge in edges for _, column in edge]
    leftmost, rightmost = reach(form)
    width = WIDE[form]
    first = -((leftmost - min(corner_columns)) // width)
    last = (max(corner_columns) - rightmost) // width
    rows = range(min(corner_rows), max(corner_rows))
    cells = product(rows, range(first, last + 1))
    return {cell: number for number, cell in enumerate(cells, 1)}
