"""A board of triangles as lines of text.

A triangle is some lines high and has slanted sides. The text of one that points up stands on its
last line, the text of one that points down on its first: there they are widest.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from rich.cells import cell_len

from puzzlekit.render.plane import CharGrid, junction
from puzzlekit.scene import CellPos, Line, Point, TextSpan, centre, outline, points_up

NO_STROKES = (0, 0, 0, 0)
FRAMES = {"green": "[]", "yellow": "()", "found": "[]", "given": "██"}  # of cells without colour


def triangle_lines(plane: CharGrid, coloured: bool) -> list[Line]:
    """Return the lines of a board of triangles.

    Args:
        plane: What the scene has at each place.
        coloured: Whether colours are shown. Without them, signs stand for them.
    """
    return _Triangles(plane, coloured).lines()


class _Triangles:
    """The characters of a board of triangles, by line and column.

    Attributes:
        high: The number of lines of a triangle, without its level side.
    """

    def __init__(self, plane: CharGrid, coloured: bool) -> None:
        self.plane = plane
        self.scene = plane.scene
        self.coloured = coloured
        self.top, _, self.left, _ = self.scene.extent
        self.shown = {cell: self._shown(cell) for cell in self.scene.cells}
        texts = [
            *(spot.text for spot in self.shown.values()),
            *(spot.text for spot in plane.above.values()),
        ]
        self.high = max(2, 1 + (max(map(cell_len, texts), default=1) + 1) // 2 + bool(plane.above))
        self.chars: dict[Point, TextSpan] = {}

    def lines(self) -> list[Line]:
        """Return the lines of text, with clues around the board."""
        for cell in self.scene.cells:
            self._fill(cell)
        corners = {
            at
            for at in self.plane.points
            if at[0] % 2 and points_up(((at[0] + 1) // 2, at[1] // 2))
        }
        for side in self._sides():
            if side not in corners:
                self._side(side)
        for y, x in corners:
            level, middle = self._place((y + 1) // 2, x // 2)
            self.chars[level - 1, middle] = self.plane.points[y, x]
        for cell, clue in self.plane.above.items():
            self._write(cell, clue, below=False)
        for cell, spot in self.shown.items():
            self._write(cell, spot, below=True)
        self._around()
        first = min((x for _, x in self.chars), default=0)
        rows = sorted(
            {y for y, _ in self.chars}
        )  # a line between rows that has no side is left out
        return [self._line(y, first) for y in rows]

    def _line(self, y: int, first: int) -> Line:
        last = max((x for line, x in self.chars if line == y), default=first - 1)
        spots = [self.chars.get((y, x), TextSpan(" ")) for x in range(first, last + 1)]
        return [
            TextSpan("".join(spot.text for spot in own), colour, ink)
            for (colour, ink), own in groupby(spots, lambda spot: (spot.colour, spot.ink))
        ]

    def _place(self, row: int, column: int) -> Point:
        """Return the first line of a row of triangles, and the middle of a column."""
        return (self.high + 1) * (row - self.top) + 1, self.high * (column - self.left + 1)

    def _shown(self, cell: CellPos) -> TextSpan:
        """Return the text of a cell, with signs in place of its colour."""
        spot = self.plane.cells.get(cell, TextSpan(""))
        arms = self.plane.strokes.get(centre(cell), NO_STROKES)
        if not spot.text:
            text = junction(arms) if any(arms) else ""
            if not self.coloured and not text:
                text = {"found": "■", "given": "█", "block": "█"}.get(spot.colour, "")
            return spot._replace(text=text)
        if self.coloured:
            return spot
        frame = FRAMES.get(spot.colour) or (" '" if spot.ink == "given" else "  ")
        return spot._replace(text=f"{frame[0]}{spot.text}{frame[1]}".strip())

    def _inside(self, cell: CellPos, line: int) -> range:
        """Return the columns between the slanted sides of a cell on one of its lines."""
        _, x = self._place(*cell)
        half = line if points_up(cell) else self.high - 1 - line
        return range(x - half, x + half)

    def _fill(self, cell: CellPos) -> None:
        y, _ = self._place(*cell)
        colour = self.shown[cell].colour
        for line in range(self.high) if self.coloured and colour else ():
            self.chars |= {(y + line, x): TextSpan(" ", colour) for x in self._inside(cell, line)}

    def _sides(self) -> Iterator[Point]:
        """Yield the sides to draw: those of groups and of the board, or all if there are no groups."""
        drawn = self.plane.sides.keys()
        groups = (
            []
            if self.scene.open
            else [self.scene.cells]
            if drawn
            else [[cell] for cell in self.scene.cells]
        )
        yield from drawn | outline(groups, "triangle")
        yield from self.plane.points.keys() - drawn
        yield from (at for at in self.plane.strokes if at[0] % 2 or at[1] % 2)

    def _side(self, side: Point) -> None:
        """Draw a side: the whole of it, or the sign or the line in its middle."""
        crossed = any(self.plane.strokes.get(side, NO_STROKES))
        middle = TextSpan("│" if side[0] % 2 else "─") if crossed else self.plane.points.get(side)
        bare = self.scene.open and side not in self.plane.sides
        if side[0] % 2:
            y, x = self._place((side[0] + 1) // 2, side[1] // 2)
            places = [(y - 1, x + step) for step in range(-self.high, self.high)]
            stroke = self.plane.sides.get(side, TextSpan("─"))
        else:
            left = side[0] // 2, side[1] // 2
            y, x = self._place(*left)
            places = [
                (y + n, x + (n if points_up(left) else self.high - 1 - n)) for n in range(self.high)
            ]
            stroke = TextSpan("╲" if points_up(left) else "╱")
        if not bare:
            self.chars |= dict.fromkeys(places, stroke)
        if middle is not None:
            self.chars[places[len(places) // 2]] = middle

    def _write(self, cell: CellPos, spot: TextSpan, below: bool) -> None:
        """Write the text of a cell, or the clue above it."""
        line = (
            (self.high - 1 if below else self.high - 2)
            if points_up(cell)
            else int(below and bool(self.plane.above))
        )
        y, x = self._place(*cell)
        start = x - (cell_len(spot.text) + 1) // 2
        colour = self.shown[cell].colour if self.coloured else ""
        for number, character in enumerate(spot.text):
            self.chars[y + line, start + number] = TextSpan(character, colour, spot.ink)

    def _around(self) -> None:
        """Write the clues around the board."""
        ends = [x for _, x in self.chars] or [0]
        lines = [y for y, _ in self.chars] or [0]
        for side, clues in self.plane.outside.items():
            for number, own in enumerate(clues, 1):
                y, x = self._place(number, number)
                if side in ("left", "right"):
                    text = " ".join(own)
                    start = min(ends) - 1 - cell_len(text) if side == "left" else max(ends) + 2
                    self.chars |= {
                        (y + self.high // 2, start + n): TextSpan(c) for n, c in enumerate(text)
                    }
                    continue
                for place, clue in enumerate(own):
                    line = (
                        min(lines) - len(own) + place if side == "top" else max(lines) + 1 + place
                    )
                    self.chars |= {
                        (line, x - cell_len(clue) // 2 + n): TextSpan(c) for n, c in enumerate(clue)
                    }
