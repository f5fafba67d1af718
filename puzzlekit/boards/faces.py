"""The faces between the sides of cells: those that a line may enclose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from puzzlekit.boards.cells import Form
from puzzlekit.boards.outlines import WIDE, Node, outline, reach

Step = tuple[int, int, int]  # from a face, to a face, across the edge at this place; -1 for none


@dataclass(frozen=True)
class Faces:
    """The faces between edges: 0 is all that lies outside, the others are cells.

    `numbers` has the face of a cell; any other cell lies outside. The steps to the right come
    first, row by row, so that the first step to each face comes from a face that was reached
    before.
    """

    numbers: dict[Node, int]
    steps: tuple[Step, ...]

    @property
    def count(self) -> int:
        """The number of faces, the one outside included."""
        return len(self.numbers) + 1

    def at(self, cell: Node) -> int:
        """Return the face of a cell."""
        return self.numbers.get(cell, 0)


def faces(edges: Sequence[tuple[Node, Node]], form: Form = "square") -> Faces:
    """Return the faces between edges that are sides of cells of this form; other edges have no step.

    Examples:
        >>> square = [((1, 1), (1, 2)), ((1, 1), (2, 1)), ((1, 2), (2, 2)), ((2, 1), (2, 2))]
        >>> faces(square).steps
        ((0, 1, 1), (1, 0, 2), (0, 1, 0), (1, 0, 3))
    """
    nodes = [node for edge in edges for node in edge]
    if not nodes:
        return Faces({}, ())
    (top, bottom), (left, right) = ((min(numbers), max(numbers)) for numbers in zip(*nodes))
    wide = WIDE[form]
    first, last = (reach(form)[end] for end in (0, 1))
    columns = range(-((first - left) // wide), (right - last) // wide + 1)  # of the cells that edges may enclose
    within = ((row, column) for row in range(top, bottom) for column in columns)
    found = Faces({cell: number for number, cell in enumerate(within, 1)}, ())
    places = {(min(edge), max(edge)): place for place, edge in enumerate(edges)}
    aside, down = list[Step](), list[Step]()
    for row in range(top, bottom + 1):
        for column in range(left // wide - 1, right // wide + 2):
            for _, beyond, ends in outline(form, (row, column)):
                if beyond < (row, column):
                    step = found.at(beyond), found.at((row, column)), places.get(ends, -1)
                    if step != (0, 0, -1):
                        (aside if beyond[0] == row else down).append(step)
    return Faces(found.numbers, (*aside, *down))
