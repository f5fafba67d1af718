"""Where the places of a scene are in a picture."""

from __future__ import annotations

from math import cos, pi, sin, sqrt

from rich.cells import cell_len

from puzzlekit.render.scene import At, Point, Scene, Signs, outside_of, points_up

MARGIN = 2.0  # around a board, for its lines
HALF_SIGN = 0.3  # of a cell: what a sign on the rim of a board stands out


class Ground:
    """The coordinates of the places of a scene.

    Args:
        scene: The scene.
        size: The side of a square, or the width of a hexagon. Triangles are larger, so that a text fits.

    Attributes:
        across: The distance of the centres of cells of a row.
        step: The distance of two rows.
        width: The width of the board with its clues.
        height: The height of them.
    """

    def __init__(self, scene: Scene, size: float) -> None:
        self.scene = scene
        self.size = size
        self.form = scene.form
        self.across = size * 0.8 if self.form == "triangle" else size
        self.step = {"square": size, "hexagon": size * sqrt(3) / 2, "triangle": self.across * sqrt(3)}[self.form]
        self.top, self.bottom, self.left, self.right = scene.extent
        self.clue = size * 0.55  # the room of a clue outside
        self.before, self.after = (self._wide(side) for side in ("left", "right"))
        self.above, self.below = (self._high(side) for side in ("top", "bottom"))
        columns = [self._column(2 * cell[0], 2 * cell[1]) for cell in scene.cells] or [1.0]
        half = 1.0 if self.form == "triangle" else 0.5  # a cell, in columns
        self._first = min(columns) - half
        more = size * (2 / sqrt(3) - sqrt(3) / 2) if self.form == "hexagon" else 0.0
        self.margin = size * HALF_SIGN if self._signs_on_the_rim() else MARGIN
        self.width = 2 * self.margin + self.before + self.after + self.across * (max(columns) - self._first + half)
        self.height = 2 * self.margin + self.above + self.below + self.step * (self.bottom - self.top + 1) + more

    def _signs_on_the_rim(self) -> bool:
        places = [place for layer in self.scene.of_type(Signs) for place in layer.signs]
        if self.form != "square":
            return any(y % 2 for y, _ in places)
        rows, columns = {2 * self.top - 1, 2 * self.bottom + 1}, {2 * self.left - 1, 2 * self.right + 1}
        return any(y in rows or x in columns for y, x in places)

    def _wide(self, side: str) -> float:
        """Return the room that the clues beside the board take."""
        rows = outside_of(self.scene, side)
        return max((sum(self.clue_width(clue) for clue, _ in row) for row in rows), default=0.0)

    def _high(self, side: str) -> float:
        return max(map(len, outside_of(self.scene, side)), default=0) * self.clue

    def clue_width(self, clue: str) -> float:
        """Return the room that one clue takes beside the board."""
        return self.clue * (0.7 + 0.4 * max(0, cell_len(clue) - 1)) + self.clue * 0.2

    def _column(self, y: float, x: float) -> float:
        """Return the column of a place in half steps: each row of hexagons is half a cell further right."""
        return x / 2 + (y / 4 if self.form == "hexagon" else 0.0)

    def at(self, place: At) -> tuple[float, float]:
        """Return the coordinates of a place in half steps."""
        y, x = place
        if y < 0:
            return self._hexagon_corner(-y // 2 + 1, x)
        down = y / 2 - self.top + 0.5
        middle = self.size * (1 / sqrt(3) - sqrt(3) / 4) if self.form == "hexagon" else 0.0
        if self.form == "triangle" and y % 2 == x % 2 == 0:
            middle = self.step / (6 if points_up((y // 2, x // 2)) else -6)
        return (
            self.margin + self.before + self.across * (self._column(y, x) - self._first),
            self.margin + self.above + self.step * down + middle,
        )

    def _hexagon_corner(self, row: int, column: int) -> tuple[float, float]:
        """Return the coordinates of the top of a hexagon, or of its upper left corner, whose column is odd."""
        x, y = self.centre((row, (column + 1) // 2))
        radius = self.size / sqrt(3)
        return (x - self.size / 2, y - radius / 2) if column % 2 else (x, y - radius)

    def centre(self, cell: Point) -> tuple[float, float]:
        """Return the coordinates of the centre of a cell."""
        return self.at((2 * cell[0], 2 * cell[1]))

    def end_of_row(self, row: int, left: bool) -> tuple[float, float]:
        """Return where the board ends beside a row, on the left or on the right."""
        reach = 2 if self.form == "triangle" else 1
        column = 2 * self.left - reach if left else 2 * self.right + reach
        return self.at((0, column))[0], self.at((2 * row, 1))[1]

    def corner(self, cell: Point) -> tuple[float, float]:
        """Return where the room of a small text in a cell begins: at its top, on the left."""
        if self.form == "square":
            return self.at((2 * cell[0] - 1, 2 * cell[1] - 1))
        x, y = self.centre(cell)
        if self.form == "hexagon":
            return x - self.size / 3, y - self.size * 0.44
        return (x - self.size * 0.2, y - self.size * 0.6) if points_up(cell) else (x - self.size * 0.56, y - self.size * 0.46)

    def polygon(self, cell: Point) -> list[tuple[float, float]]:
        """Return the corners of a hexagon or a triangle, from the top clockwise."""
        x, y = self.centre(cell)
        if self.form == "triangle":
            far, near = (2 * self.step / 3, self.step / 3) if points_up(cell) else (-2 * self.step / 3, -self.step / 3)
            return [(x, y - far), (x + self.across, y + near), (x - self.across, y + near)]
        radius = self.size / sqrt(3)
        return [(x + radius * sin(k * pi / 3), y - radius * cos(k * pi / 3)) for k in range(6)]

    def side(self, side: At) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the ends of the side with this middle."""
        y, x = side
        if self.form == "hexagon":
            one, other = ((y, x - 1), (y, x + 1)) if y % 2 == 0 else ((y - 1, x + x % 2), (y + 1, x - x % 2))
            (a, b), (c, d) = self.at(one), self.at(other)
            right, down = (d - b) / (2 * sqrt(3)), (a - c) / (2 * sqrt(3))
            return ((a + c) / 2 - right, (b + d) / 2 - down), ((a + c) / 2 + right, (b + d) / 2 + down)
        if self.form == "triangle":
            (middle, down), turn = self.at(side), self.across / (2 if points_up((y // 2, x // 2)) else -2)
            if y % 2:
                return (middle - self.across, down), (middle + self.across, down)
            return (middle - turn, down - self.step / 2), (middle + turn, down + self.step / 2)
        one, other = ((y, x - 1), (y, x + 1)) if y % 2 else ((y - 1, x), (y + 1, x))
        return self.at(one), self.at(other)
