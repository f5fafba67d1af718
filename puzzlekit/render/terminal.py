"""The renderer of the terminal: a scene as lines of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from rich.cells import cell_len

from puzzlekit.render.character_grid import CharGrid, char_grid, junction
from puzzlekit.render.triangle_lines import FRAMES, triangle_lines
from puzzlekit.scene import NOTHING, CellPos, Line, Point, Scene, TextSpan, centre


def scene_lines(scene: Scene, wide: int = 80, coloured: bool = False) -> list[Line]:
    """Return the lines of a scene; cells are narrower if the board is wider than `wide`.

    Args:
        scene: The scene.
        wide: The characters of a line.
        coloured: Whether the output has colours. Without them, signs stand for colours.
    """
    grid = char_grid(scene)
    if scene.form == "triangle":
        return triangle_lines(grid, coloured)
    least_room = _least_room(grid, coloured)
    lines: list[Line] = []
    for room in (2, 1, 0):
        board = _Board(grid, coloured, room)
        if board.gap and room == 1:  # columns have blanks between them anyway
            continue
        lines = board.lines()
        if room <= least_room or width(lines) <= wide:
            break
    return lines


def width(lines: Sequence[Line]) -> int:
    """Return the number of columns that lines take."""
    return max(map(length, lines), default=0)


def length(line: Line) -> int:
    """Return the number of columns that a line takes."""
    return sum(map(_span_width, line))


def _span_width(span: TextSpan) -> int:
    return cell_len(span.text)


def _least_room(grid: CharGrid, coloured: bool) -> int:
    """Return how many blanks a cell needs for lines, signs beside its text, or other numbers."""
    if grid.traced or grid.scene.form == "hexagon":
        return 2
    spans = grid.cells.values()
    if not coloured and any(map(_needs_frame, spans)):
        return 2
    texts = [*(span.text for span in spans), *_column_clues(grid)]
    return 1 if any(cell_len(text) > 1 for text in texts) else 0


def _needs_frame(span: TextSpan) -> bool:
    """Return whether signs stand for the colour or the ink of a text."""
    if not span.text:
        return False
    return span.colour in FRAMES or span.ink == "given"


def _column_clues(grid: CharGrid) -> list[str]:
    """Return the clues above and below the board."""
    columns = [*grid.outside["top"], *grid.outside["bottom"]]
    return list(chain.from_iterable(columns))


class _Board:
    """One layout of a scene: the columns and lines of text that its points take.

    Attributes:
        text: The width of the widest text.
        cell: The width of a cell.
        pad: The blanks before the widest text of a cell.
        gap: The least width between two cells.
        rows: The lines between rows that are not left out, as y of their points.
        columns: The lines between columns that are not left out, as x of their points.
        line_widths: The width of each line between columns that has a text.
        cells: The cells that were laid out, by their look.
    """

    def __init__(self, grid: CharGrid, coloured: bool, room: int) -> None:
        self.grid = grid
        self.scene = grid.scene
        self.coloured = coloured
        self.open = grid.scene.open
        self.inside = frozenset(grid.scene.cells)
        spans = grid.cells.values()
        self.centred = grid.traced or any(span.colour == "block" for span in spans)
        self.top, self.bottom, self.left, self.right = self.scene.extent
        texts = [*(span.text for span in spans), *_column_clues(grid)]
        self.text = max(map(cell_len, texts), default=1) or 1
        above = max(map(_span_width, grid.above.values()), default=0)
        self.cell = self.text + room
        if above:
            self.cell = max(self.cell, min(above + 1, self.text + 3))
        self.pad = (self.cell - self.text) // 2
        lattice = grid.traced or bool(grid.points) or self._uneven()
        self.gap = int(lattice or self.open)
        if self.scene.form == "hexagon":  # slanted lines run between the middles of cells
            self.cell += (self.cell + self.gap) % 2
            self.pad = self.cell // 2 - (self.text - 1) // 2
        self.rows = self._lines_between(self.top, self.bottom, self._used_rows(), lattice)
        self.columns = self._lines_between(self.left, self.right, self._used_columns(), lattice)
        self.line_widths: dict[int, int] = {}
        for (_, x), span in grid.points.items():
            if x % 2:
                line_width = self.line_widths.get(x, 1)
                self.line_widths[x] = max(line_width, _span_width(span))
        self.cells: dict[tuple[TextSpan, tuple[int, ...], str], TextSpan] = {}

    def _lines_between(self, first: int, last: int, used: set[int], lattice: bool) -> set[int]:
        """Return the lines between rows or columns that are not left out.

        Args:
            first: The first row or column.
            last: The last row or column.
            used: The lines that have contents.
            lattice: Whether all lines inside the board remain.
        """
        every = {line for line in _half_steps(first, last) if line % 2}
        if self.open:
            return every
        lines = used & every
        if lattice:
            lines |= every - {min(every), max(every)}
        return lines

    def _used_rows(self) -> set[int]:
        """Return the lines between rows that have contents."""
        lines = {2 * row - 1 for row, _ in self.grid.above}
        for (y, _), (_, right, _, left) in self.grid.strokes.items():
            if right or left:
                lines.add(y)
        lines.update(abs(y) for y, _ in self.grid.points)  # negative: the corners of hexagons
        return {y for y in lines if y % 2}

    def _used_columns(self) -> set[int]:
        """Return the lines between columns that have contents."""
        lines = {abs(x) for _, x in self.grid.points}
        for (_, x), (up, _, down, _) in self.grid.strokes.items():
            if up or down:
                lines.add(x)
        return {x for x in lines if x % 2}

    def _uneven(self) -> bool:
        """Return whether lines end inside the board.

        Its rows and columns then need the same distance.
        """
        across: Counter[int] = Counter()  # sides drawn on each line between rows
        along: Counter[int] = Counter()  # and between columns
        for (y, x), (up, right, _, _) in self.grid.strokes.items():
            is_level = y % 2 > x % 2
            is_upright = x % 2 > y % 2
            if is_level and right:
                across[y] += 1
            if is_upright and up:
                along[x] += 1
        width = self.right - self.left + 1
        height = self.bottom - self.top + 1
        across_ends = any(count != width for count in across.values())
        return across_ends or any(count != height for count in along.values())

    def lines(self) -> list[Line]:
        """Return the lines of text, with clues around the board."""
        indent = self._clues_width("left")
        margin = TextSpan(" " * indent)
        xs = self._xs()
        lines: list[Line] = [[margin, *line] for line in self._stacked("top")]
        for y in _half_steps(self.top, self.bottom):
            if y % 2 and y not in self.rows:
                continue
            spans = [self._at(y, x) for x in xs]
            line = self._slide(y, [span for span in spans if span.text])
            before = self._left_clues(y, indent)
            after = self._right_clues(y)
            lines.append([*before, *line, *after])
        lines += [[margin, *line] for line in self._stacked("bottom")]
        if self.scene.form == "hexagon" or self.grid.traced:
            return _cropped(lines)
        return lines

    def _xs(self) -> list[int]:
        """Return the columns, and the lines between them that are not left out, as x of points."""
        every = _half_steps(self.left, self.right)
        return [x for x in every if x % 2 == 0 or x in self.columns]

    def _left_clues(self, y: int, width: int) -> list[TextSpan]:
        if not width:
            return []
        if y % 2:
            return [TextSpan(" " * width)]
        clues = self.grid.outside["left"][y // 2 - 1]
        text = " ".join(clues)
        blanks = " " * (width - 1 - cell_len(text))
        return [TextSpan(f"{blanks}{text} ")]

    def _right_clues(self, y: int) -> list[TextSpan]:
        rows = self.grid.outside["right"]
        if not rows or y % 2:
            return []
        text = " ".join(rows[y // 2 - 1])
        return [TextSpan(f" {text}")]

    def _slide(self, y: int, line: list[TextSpan]) -> list[TextSpan]:
        """Move a row of hexagons aside."""
        if self.scene.form != "hexagon":
            return line
        pitch = self.cell + self.gap
        if y % 2:
            return self._slants(y, pitch)
        row = y // 2
        blanks = " " * (pitch // 2 * (row - self.top))
        return [TextSpan(blanks), *line]

    def _slants(self, y: int, pitch: int) -> list[TextSpan]:
        """Return the line between two rows of hexagons: their sides, corners, and slanted lines."""
        spans = self._slant_spans(y, pitch)
        line: list[TextSpan] = []
        used = 0
        for x, span in sorted(spans.items()):
            if x >= used:
                line += [TextSpan(" " * (x - used)), span]
                used = x + 1
        return line

    def _slant_spans(self, y: int, pitch: int) -> dict[int, TextSpan]:
        """Return the characters between two rows of hexagons, by their column of text."""
        row = y // 2
        points = self.grid.points
        quarter = pitch // 4
        has_left_line = 2 * self.left - 1 in self.columns
        shift = pitch // 2 * (row - self.top)
        start = self.cell // 2 + has_left_line + shift
        spans: dict[int, TextSpan] = {}

        def put(position: int, point: Point) -> None:
            if point in points:
                spans[position] = points[point]

        for column in range(self.left - 1, self.right + 2):
            middle = start + pitch * (column - self.left)
            x = 2 * column
            if self.grid.strokes_at((y, x))[2]:
                colour = self.grid.colour_at((y, x))
                spans[middle + quarter] = TextSpan("╲", colour)
            put(middle + quarter, (y, x))
            put(middle - quarter, (y, x - 1))
            put(middle, (-y, x - 1))
            put(middle + pitch // 2, (-y, x))
        return spans

    def _at(self, y: int, x: int) -> TextSpan:
        """Return the text at a point: in a cell, on a side or at a corner."""
        if x % 2 == 0:
            if y % 2:
                return self._level((y, x))
            return self._cell((y // 2, x // 2))
        span = self._aside((y, x))
        blanks = self.line_widths.get(x, 1) - cell_len(span.text)
        if blanks < 1 or self.scene.form != "square":
            return span
        _, right_weight, _, left_weight = self.grid.strokes_at((y, x))
        before = blanks // 2
        after = blanks - before
        left = _run(left_weight) or " "
        right = _run(right_weight) or " "
        return span._replace(text=left * before + span.text + right * after)

    def _aside(self, point: Point) -> TextSpan:
        """Return the text between two cells of a row, or at a corner."""
        strokes = self.grid.strokes_at(point)
        span = self.grid.points.get(point)
        if span is not None and (not any(strokes) or span.text != "·"):
            return span
        if any(strokes):
            return TextSpan(junction(strokes), self.grid.colour_at(point))
        return TextSpan(" ", self._shared_colour(point))

    def _shared_colour(self, point: Point) -> str:
        """Return the colour that the cells on both sides of a point share; else none."""
        y, x = point
        if y % 2 or not self.coloured:
            return ""
        row = y // 2
        column = x // 2
        left = self.grid.cells.get((row, column), NOTHING)
        right = self.grid.cells.get((row, column + 1), NOTHING)
        if left.colour == right.colour and left.colour.startswith(("region", "area")):
            return left.colour
        return ""

    def _level(self, point: Point) -> TextSpan:
        """Return the line above a cell, as wide as the cell."""
        y, x = point
        strokes = self.grid.strokes_at(point)
        colour = self.grid.colour_at(point)
        _, right, _, left = strokes
        line = " "
        if right or left:
            line = junction((0, right, 0, left))
        middle = self._middle(point)
        middle_width = cell_len(middle)
        half = self.pad + (self.text - 1) // 2
        before = max(half - (middle_width - 1) // 2, 0)
        after = self.cell - before - middle_width
        text = line * before + middle + line * after
        cell = (y // 2 + 1, x // 2)
        clue = self.grid.above.get(cell)
        if clue is None:
            return TextSpan(text, colour)
        clue_text = clue.text
        if clue.ink == "given" and not self.coloured:
            clue_text += "'"
        return TextSpan(clue_text + text[cell_len(clue_text) :], colour, clue.ink)

    def _middle(self, point: Point) -> str:
        """Return the text at a point of a line above a cell."""
        if point in self.grid.points:
            return self.grid.points[point].text
        strokes = self.grid.strokes_at(point)
        return junction(strokes) if any(strokes) else " "

    def _cell(self, cell: CellPos) -> TextSpan:
        """Return the inside of a cell, with the lines that pass on both sides of its text."""
        if cell not in self.inside:
            return TextSpan(" " * self.cell)
        point = centre(cell)
        span = self.grid.cells.get(cell, NOTHING)
        strokes = tuple(self.grid.strokes_at(point))
        look = (span, strokes, self.grid.colour_at(point))
        if look not in self.cells:
            self.cells[look] = self._laid_out(*look)
        return self.cells[look]

    def _laid_out(self, span: TextSpan, strokes: Sequence[int], line_colour: str) -> TextSpan:
        """Return the inside of a cell with this text and these lines."""
        text = span.text
        ink = span.ink
        colour = span.colour
        if not text:
            text, ink = self._empty(colour, strokes)
            colour = colour or line_colour
        text_width = cell_len(text)
        before = self.pad + self._shift(text_width)
        after = self.cell - before - text_width
        _, right, _, left = strokes
        lead = _run(left) * before
        trail = _run(right) * after
        inside = lead + text + trail
        if not self.coloured:
            inside = _framed(inside, span, before, after)
        return TextSpan(inside, colour, ink)

    def _shift(self, length: int) -> int:
        """Return the blanks before a text: lines pass in the middle, numbers stand at the right."""
        blanks = self.text - length
        return blanks // 2 if self.centred else blanks

    def _empty(self, colour: str, strokes: Sequence[int]) -> tuple[str, str]:
        """Return the text of a cell without one, and its ink."""
        if any(strokes):
            return junction(strokes), ""
        if colour in ("found", "given", "block"):
            if self.coloured:
                return " ", ""
            if colour == "found":
                return "■", ""
            return "█" * self.text, ""
        if "area" in colour and not self.coloured:
            return "·", ""
        if colour not in ("", "grey") or self.open:
            return " ", ""
        return "·", "faint"

    def _clues_width(self, side: str) -> int:
        """Return the width of the clues beside the board, with a blank."""
        rows = self.grid.outside[side]
        texts = map(" ".join, rows)
        return max(map(cell_len, texts), default=-1) + 1

    def _stacked(self, side: str) -> list[Line]:
        """Return the clues above or below the board, each over its column."""
        columns = self.grid.outside[side]
        height = max(map(len, columns), default=0)
        lines: list[Line] = []
        for level in range(height):
            line = ""
            for x in _half_steps(self.left, self.right):
                index = x // 2 - 1
                if x in self.columns:
                    line += " " * self.line_widths.get(x, 1)
                elif x % 2 == 0:
                    clues = columns[index] if index < len(columns) else ()
                    line += self._over_column(_clue_at(clues, level, height, side))
            lines.append([TextSpan(line)])
        return lines

    def _over_column(self, text: str) -> str:
        blanks = " " * (self.cell - self.pad - cell_len(text))
        return blanks + text + " " * self.pad


def _half_steps(first: int, last: int) -> range:
    """Return y or x of rows or columns, of the lines between them, and of those at both ends."""
    return range(2 * first - 1, 2 * last + 2)


def _clue_at(clues: Sequence[str], level: int, height: int, side: str) -> str:
    """Return the clue on a level; clues above the board stand directly on it."""
    index = level
    if side == "top":
        index -= height - len(clues)
    return clues[index] if 0 <= index < len(clues) else ""


def _framed(inside: str, span: TextSpan, before: int, after: int) -> str:
    """Return the inside of a cell with signs in place of its colour and of its ink."""
    text_end = len(inside) - after
    frame = FRAMES.get(span.colour)
    is_shade = span.colour == "found" and not span.text
    if frame and not is_shade and before and after:
        left = frame[0]
        right = frame[1]
        text = inside[before:text_end]
        if span.colour == "given":
            return left * before + text + right * after
        lead = " " * (before - 1)
        trail = " " * (after - 1)
        return lead + left + text + right + trail
    if span.ink == "given" and after and span.text.strip():
        return f"{inside[:text_end]}'{inside[text_end + 1 :]}"
    return inside


def _run(weight: int) -> str:
    """Return the character of a level line of this weight."""
    return junction((0, weight, 0, weight)) if weight else " "


def _cropped(lines: list[Line]) -> list[Line]:
    """Remove the blanks that all lines begin with."""
    texts = ["".join(span.text for span in line) for line in lines]
    visible = [text for text in texts if text.strip()]
    indents = [len(text) - len(text.lstrip()) for text in visible]
    common = min(indents, default=0)
    return [_without_start(line, common) for line in lines]


def _without_start(line: Line, count: int) -> Line:
    """Return a line without its first characters."""
    spans = []
    for span in line:
        text = span.text[count:]
        count -= min(count, len(span.text))
        if text:
            spans.append(span._replace(text=text))
    return spans
