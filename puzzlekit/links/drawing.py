"""What a page of a drawing program shows: marks at the places of a board of squares.

Places are in half steps, as in `render.scene`: the centre of the cell in row r and column c is
(2r, 2c), a corner or the middle of a side lies between. Marks outside the board are clues.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from puzzlekit.render.scene import At, Point, around, centre, sides

SHADE = "shade"  # the mark of a cell that is filled with a dark colour


@dataclass
class Drawing:
    """The marks of a page.

    Attributes:
        height: The number of rows of the board.
        width: The number of columns.
        holes: The cells of that rectangle that are not on the board.
        colours: The colour of each filled cell, by number; the dark ones are in `DARK`.
        texts: The text at each place.
        small: The small texts of each cell, by quarter: 0 upper left, 1 upper right, 2 lower left, 3 lower right.
        signs: The names of the signs at each place.
        borders: The middles of the sides that are thick.
        lines: The pairs of places that a line joins.
        cages: The cells of each cage.
        bulbs: The cells of each line from a bulb on.
        arrows: The cells of each arrow, from its circle on.
        paths: The cells of each other line.
    """

    height: int
    width: int
    holes: set[Point] = field(default_factory=set)
    colours: dict[Point, int] = field(default_factory=dict)
    texts: dict[At, str] = field(default_factory=dict)
    small: dict[Point, dict[int, str]] = field(default_factory=dict)
    signs: dict[At, list[str]] = field(default_factory=dict)
    borders: set[At] = field(default_factory=set)
    lines: set[tuple[At, At]] = field(default_factory=set)
    cages: list[list[Point]] = field(default_factory=list)
    bulbs: list[list[Point]] = field(default_factory=list)
    arrows: list[list[Point]] = field(default_factory=list)
    paths: list[list[Point]] = field(default_factory=list)

    def cells(self) -> Iterator[Point]:
        """Yield the cells of the board, row by row."""
        for row in range(1, self.height + 1):
            for column in range(1, self.width + 1):
                if (row, column) not in self.holes:
                    yield row, column

    def regions(self) -> dict[Point, int]:
        """Return the number of the region of each cell, counted in the order of their first cells."""
        found: dict[Point, int] = {}
        board = set(self.cells())
        for first in self.cells():
            if first in found:
                continue
            number, queue = len(set(found.values())), [first]
            found[first] = number
            while queue:
                cell = queue.pop()
                for near, side in zip(around(cell), sides(cell)):
                    if near in board and near not in found and side not in self.borders:
                        found[near] = number
                        queue.append(near)
        return found

    def outside(self, side: str) -> list[list[str]]:
        """Return the texts outside on one side, for each row or column, in reading order."""
        across = side in ("left", "right")
        lines: list[list[tuple[int, str]]] = [[] for _ in range(self.height if across else self.width)]
        for (y, x), text in self.texts.items():
            line, depth, most = (y, x, self.width) if across else (x, y, self.height)
            before = side in ("left", "top")
            if line % 2 or depth % 2 or not 1 <= line // 2 <= len(lines):
                continue
            if depth < 1 if before else depth > 2 * most:
                lines[line // 2 - 1].append((depth, text))
        return [[text for _, text in sorted(line)] for line in lines]


DARK = (1, 3, 4, 8)  # dark grey, light grey, black, grey: what stands for a shaded cell


def marks_at(drawing: Drawing, cell: Point) -> list[str]:
    """Return the names of the signs of a cell, with `SHADE` for a dark one."""
    shade = [SHADE] if drawing.colours.get(cell) in DARK else []
    return [*drawing.signs.get(centre(cell), ()), *shade]


def outlines(groups: Mapping[Point, object] | Iterable[Iterable[Point]]) -> set[At]:
    """Return the sides between cells of different groups, and around them."""
    if not isinstance(groups, Mapping):
        groups = {cell: number for number, group in enumerate(groups) for cell in group}
    own = groups
    return {side for cell in own for near, side in zip(around(cell), sides(cell)) if own.get(near) != own[cell]}
