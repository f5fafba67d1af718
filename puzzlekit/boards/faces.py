"""The faces between the edges of a square lattice: the squares that a line may enclose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Node = tuple[int, int]  # row and column
Step = tuple[int, int, int]  # from a face, to a face, across the edge at this place; -1 for none


@dataclass(frozen=True)
class Faces:
    """The faces of a lattice: 0 is all that lies outside, the others are squares.

    `numbers` has the face whose upper left corner is this node; any other one lies outside. The
    steps to the left neighbours come first, row by row, so that the first step to each face comes
    from a face that was reached before.
    """

    numbers: dict[Node, int]
    steps: tuple[Step, ...]

    @property
    def count(self) -> int:
        """The number of faces, the one outside included."""
        return len(self.numbers) + 1

    def at(self, node: Node) -> int:
        """Return the face to the lower right of a node."""
        return self.numbers.get(node, 0)


def faces(edges: Sequence[tuple[Node, Node]]) -> Faces:
    """Return the faces between edges that each join two neighbours of a row or of a column.

    Examples:
        >>> square = [((1, 1), (1, 2)), ((1, 1), (2, 1)), ((1, 2), (2, 2)), ((2, 1), (2, 2))]
        >>> faces(square).steps
        ((0, 1, 1), (1, 0, 2), (0, 1, 0), (1, 0, 3))
    """
    nodes = [node for edge in edges for node in edge]
    rows = range(min((row for row, _ in nodes), default=0), max((row for row, _ in nodes), default=0))
    columns = range(min((column for _, column in nodes), default=0), max((column for _, column in nodes), default=0))
    squares = [(row, column) for row in rows for column in columns]
    found = Faces({square: number for number, square in enumerate(squares, 1)}, ())
    places = {(min(edge), max(edge)): place for place, edge in enumerate(edges)}

    def steps(across: Node) -> Iterator[Step]:
        """Yield the steps that cross the edges in this direction, given as (rows, columns)."""
        down, right = across
        for row in range(rows.start, rows.stop + down):
            for column in range(columns.start, columns.stop + right):
                place = places.get(((row, column), (row + right, column + down)), -1)
                yield found.at((row - down, column - right)), found.at((row, column)), place

    return Faces(found.numbers, (*steps((0, 1)), *steps((1, 0))))
