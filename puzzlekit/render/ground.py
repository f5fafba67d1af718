"""Where the places of a scene are in a picture."""

from __future__ import annotations

from math import cos, pi, sin, sqrt

from rich.cells import cell_len

from puzzlekit.render.scene import At, Point, Scene, outside_of

MARGIN = 2.0  # around a board, for its lines


class Ground:
    """The coordinates of the places of a scene.

    Args:
        scene: The scene.
        size: The side of a square, or the width of a hexagon.

    Attributes:
        width: The width of the board with its clues.
        height: The height of them.
    """

    def __init__(self, scene: Scene, size: float) -> None:
        self.scene = scene
        self.size = size
        self.slanted = scene.slanted
        self.step = size * sqrt(3) / 2 if self.slanted else size  # from row to row
        self.top, self.bottom, self.left, self.right = scene.extent
        self.clue = size * 0.55  # the room of a clue outside
        self.before, self.after = (self._wide(side) for side in ("left", "right"))
        self.above, self.below = (self._high(side) for side in ("top", "bottom"))
        across = [self._across(cell) for cell in scene.cells] or [1.0]
        self._first = min(across)
        more = size * (2 / sqrt(3) - sqrt(3) / 2) if self.slanted else 0.0
        self.width = 2 * MARGIN + self.before + self.after + size * (max(across) - self._first + 1)
        self.height = 2 * MARGIN + self.above + self.below + self.step * (self.bottom - self.top + 1) + more

    def _wide(self, side: str) -> float:
        """Return the room that the clues beside the board take."""
        rows = outside_of(self.scene, side)
        return max((sum(self.clue_width(clue) for clue in row) for row in rows), default=0.0)

    def _high(self, side: str) -> float:
        return max(map(len, outside_of(self.scene, side)), default=0) * self.clue

    def clue_width(self, clue: str) -> float:
        """Return the room that one clue takes beside the board."""
        return self.clue * (0.7 + 0.4 * max(0, cell_len(clue) - 1)) + self.clue * 0.2

    def _across(self, cell: Point) -> float:
        return cell[1] + (cell[0] / 2 if self.slanted else 0.0)

    def at(self, place: At) -> tuple[float, float]:
        """Return the coordinates of a place in half steps."""
        y, x = place
        across = x / 2 + (y / 4 if self.slanted else 0.0) - self._first + 0.5
        down = y / 2 - self.top + 0.5
        middle = self.size * (1 / sqrt(3) - sqrt(3) / 4) if self.slanted else 0.0
        return MARGIN + self.before + self.size * across, MARGIN + self.above + self.step * down + middle

    def centre(self, cell: Point) -> tuple[float, float]:
        """Return the coordinates of the centre of a cell."""
        return self.at((2 * cell[0], 2 * cell[1]))

    def hexagon(self, cell: Point) -> list[tuple[float, float]]:
        """Return the corners of a hexagon, from the top clockwise."""
        x, y = self.centre(cell)
        radius = self.size / sqrt(3)
        return [(x + radius * sin(k * pi / 3), y - radius * cos(k * pi / 3)) for k in range(6)]

    def side(self, side: At) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the ends of the side with this middle."""
        y, x = side
        if self.slanted:
            one, other = ((y, x - 1), (y, x + 1)) if y % 2 == 0 else ((y - 1, x + x % 2), (y + 1, x - x % 2))
            (a, b), (c, d) = self.at(one), self.at(other)
            right, down = (d - b) / (2 * sqrt(3)), (a - c) / (2 * sqrt(3))
            return ((a + c) / 2 - right, (b + d) / 2 - down), ((a + c) / 2 + right, (b + d) / 2 + down)
        one, other = ((y, x - 1), (y, x + 1)) if y % 2 else ((y - 1, x), (y + 1, x))
        return self.at(one), self.at(other)
