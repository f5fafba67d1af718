"""A board of triangles as lines of text.

A triangle is some lines high and has slanted sides. The text of one that points up stands on its
last line, the text of one that points down on its first: there they are widest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.cells import cell_len

from puzzlekit.render.character_grid import FILLED, CharGrid, junction, triangle_side
from puzzlekit.scene import CellPos, Line, Point, TextSpan, centre, outline, points_up

AREAS = "░▒▓:~=+*^%#@"  # the signs of printed areas, one for each colour of the palette
FRAMES = {  # of cells without colour
    "green": "[]",
    "yellow": "()",
    "base": "()",
    "struck": "{}",
    "assumed": "??",
    "contradiction": "!!",
    "found": "[]",
    "given": "██",
    "grey area": "░░",
    **{f"area {number}": 2 * sign for number, sign in enumerate(AREAS)},
}


def triangle_lines(grid: CharGrid, coloured: bool) -> list[Line]:
    """Return the lines of a board of triangles.

    Args:
        grid: The contents of the scene.
        coloured: Whether the output has colours. Without them, signs stand for colours.
    """
    return _Triangles(grid, coloured).lines()


class _Triangles:
    """The characters of a board of triangles, by line and column.

    Attributes:
        texts: The text of each cell, with signs for colours if the output has none.
        high: The number of lines of a triangle, without its level side.
        chars: The characters, by line and column of text.
    """

    def __init__(self, grid: CharGrid, coloured: bool) -> None:
        self.grid = grid
        self.scene = grid.scene
        self.coloured = coloured
        self.top, _, self.left, _ = self.scene.extent
        self.texts = {cell: self._text(cell) for cell in self.scene.cells}
        spans = [*self.texts.values(), *grid.above.values()]
        longest = max((cell_len(span.text) for span in spans), default=1)
        half = (longest + 1) // 2
        self.high = max(2, 1 + half + bool(grid.above))
        self.chars: dict[Point, TextSpan] = {}

    def lines(self) -> list[Line]:
        """Return the lines of text, with clues around the board."""
        for cell in self.scene.cells:
            self._fill(cell)
        corners = set(filter(_is_corner, self.grid.points))
        for side in self._sides():
            if side not in corners:
                self._side(side)
        for y, x in corners:
            line, column = self._position((y + 1) // 2, x // 2)
            self.chars[line - 1, column] = self.grid.points[y, x]
        for cell, clue in self.grid.above.items():
            self._write(cell, clue, below=False)
        for cell, span in self.texts.items():
            self._write(cell, span, below=True)
        self._around()
        first = min((column for _, column in self.chars), default=0)
        numbers = {line for line, _ in self.chars}  # a line between rows without a side is left out
        return [self._line(number, first) for number in sorted(numbers)]

    def _line(self, number: int, first: int) -> Line:
        """Return a line of text from its first column, joined where characters look alike."""
        columns = [column for line, column in self.chars if line == number]
        last = max(columns, default=first - 1)
        blank = TextSpan(" ")
        positions = [(number, column) for column in range(first, last + 1)]
        spans = [self.chars.get(position, blank) for position in positions]
        line = []
        for (colour, ink), group in groupby(spans, _look):
            text = "".join(span.text for span in group)
            line.append(TextSpan(text, colour, ink))
        return line

    def _position(self, row: int, column: int) -> Point:
        """Return the first line of a row of triangles, and the middle of a column, in text."""
        row_height = self.high + 1
        line = row_height * (row - self.top) + 1
        middle = self.high * (column - self.left + 1)
        return line, middle

    def _text(self, cell: CellPos) -> TextSpan:
        """Return the text of a cell, with signs in place of its colour."""
        span = self.grid.cells.get(cell, TextSpan(""))
        if not span.text:
            return span._replace(text=self._empty(cell, span.colour))
        if self.coloured:
            return span
        frame = FRAMES.get(span.colour)
        if not frame:
            frame = " '" if span.ink == "given" else "  "
        text = f"{frame[0]}{span.text}{frame[1]}"
        return span._replace(text=text.strip())

    def _empty(self, cell: CellPos, colour: str) -> str:
        """Return the character of a cell without a text."""
        strokes = self.grid.strokes_at(centre(cell))
        character = junction(strokes) if any(strokes) else ""
        if character or self.coloured:
            return character
        return FILLED.get(colour, "")

    def _inside(self, cell: CellPos, line: int) -> range:
        """Return the columns between the slanted sides of a cell on one of its lines."""
        _, middle = self._position(*cell)
        half = line if points_up(cell) else self.high - 1 - line
        return range(middle - half, middle + half)

    def _fill(self, cell: CellPos) -> None:
        """Fill a cell with its colour, if it has one."""
        colour = self.texts[cell].colour
        if not self.coloured or not colour:
            return
        first_line, _ = self._position(*cell)
        for line in range(self.high):
            for column in self._inside(cell, line):
                self.chars[first_line + line, column] = TextSpan(" ", colour)

    def _sides(self) -> Iterator[Point]:
        """Yield the sides of groups and of the board, or all sides if there are no groups."""
        drawn = self.grid.sides.keys()
        groups: list[Sequence[CellPos]] = []
        if not self.scene.open and drawn:
            groups = [self.scene.cells]
        elif not self.scene.open:
            groups = [[cell] for cell in self.scene.cells]
        yield from drawn | outline(groups, "triangle")
        yield from self.grid.points.keys() - drawn
        for y, x in self.grid.strokes:
            if y % 2 or x % 2:
                yield y, x

    def _side(self, side: Point) -> None:
        """Draw a side, and the sign or the line in its middle."""
        is_level = side[0] % 2 == 1
        middle = self.grid.points.get(side)
        if any(self.grid.strokes_at(side)):  # a line crosses it
            middle = TextSpan("│" if is_level else "─")
        positions = self._side_positions(side)
        if not self.scene.open or side in self.grid.sides:
            stroke = TextSpan(triangle_side(side))
            if is_level:
                stroke = self.grid.sides.get(side, stroke)
            self.chars |= dict.fromkeys(positions, stroke)
        if middle is not None:
            self.chars[positions[len(positions) // 2]] = middle

    def _side_positions(self, side: Point) -> list[Point]:
        """Return the lines and columns of the characters of a side."""
        y, x = side
        if y % 2:
            line, middle = self._position((y + 1) // 2, x // 2)
            columns = range(middle - self.high, middle + self.high)
            return [(line - 1, column) for column in columns]
        left_cell = (y // 2, x // 2)
        line, column = self._position(*left_cell)
        steps = range(self.high)
        if points_up(left_cell):
            return [(line + step, column + step) for step in steps]
        last = column + self.high - 1
        return [(line + step, last - step) for step in steps]

    def _write(self, cell: CellPos, span: TextSpan, below: bool) -> None:
        """Write the text of a cell, or the clue above it."""
        line = int(below and bool(self.grid.above))
        if points_up(cell):
            line = self.high - (1 if below else 2)
        first_line, middle = self._position(*cell)
        start = middle - (cell_len(span.text) + 1) // 2
        colour = self.texts[cell].colour if self.coloured else ""
        for column, character in enumerate(span.text, start):
            self.chars[first_line + line, column] = TextSpan(character, colour, span.ink)

    def _around(self) -> None:
        """Write the clues around the board."""
        columns = [column for _, column in self.chars] or [0]
        lines = [line for line, _ in self.chars] or [0]
        first_line = min(lines)
        last_line = max(lines)
        for number, clues in enumerate(self.grid.outside["top"], 1):
            self._column_clues(number, clues, first_line - len(clues))
        self._row_clues("left", min(columns), max(columns))
        self._row_clues("right", min(columns), max(columns))
        for number, clues in enumerate(self.grid.outside["bottom"], 1):
            self._column_clues(number, clues, last_line + 1)

    def _row_clues(self, side: str, first_column: int, last_column: int) -> None:
        for number, clues in enumerate(self.grid.outside[side], 1):
            line, _ = self._position(number, number)
            text = " ".join(clues)
            start = last_column + 2
            if side == "left":
                start = first_column - 1 - cell_len(text)
            self._put(line + self.high // 2, start, text)

    def _column_clues(self, number: int, clues: Sequence[str], line: int) -> None:
        """Write the clues of a column, one below the other from this line."""
        _, middle = self._position(number, number)
        for below, clue in enumerate(clues):
            start = middle - cell_len(clue) // 2
            self._put(line + below, start, clue)

    def _put(self, line: int, start: int, text: str) -> None:
        for column, character in enumerate(text, start):
            self.chars[line, column] = TextSpan(character)


def _is_corner(point: Point) -> bool:
    """Return whether a point is a corner of triangles, not the middle of a level side."""
    y, x = point
    cell = ((y + 1) // 2, x // 2)
    return y % 2 == 1 and points_up(cell)


def _look(span: TextSpan) -> tuple[str, str]:
    return span.colour, span.ink
