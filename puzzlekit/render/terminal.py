"""The pen of the terminal: a scene as lines of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.cells import cell_len

from puzzlekit.render.plane import CharGrid, junction, char_grid
from puzzlekit.render.triangle_lines import FRAMES, NO_STROKES, triangle_lines
from puzzlekit.scene import NOTHING, CellPos, Line, Scene, TextSpan


def scene_lines(scene: Scene, wide: int = 80, coloured: bool = False) -> list[Line]:
    """Return the lines of a scene; cells are narrower if the board is wider than `wide`.

    Args:
        scene: The scene.
        wide: The characters of a line.
        coloured: Whether colours are shown. Without them, signs stand for them.
    """
    plane = char_grid(scene)
    if scene.form == "triangle":
        return triangle_lines(plane, coloured)
    lines: list[Line] = []
    for room in (2, 1, 0):
        board = _Board(plane, coloured, room)
        if (
            board.gap and room == 1
        ):  # a blank on one side only; columns have blanks between them anyway
            continue
        lines = board.lines()
        if width(lines) <= wide or room <= _least_room(plane, coloured):
            break
    return lines


def width(lines: Sequence[Line]) -> int:
    """Return the number of columns that lines take."""
    return max(map(length, lines), default=0)


def length(line: Line) -> int:
    """Return the number of columns that a line takes."""
    return sum(cell_len(spot.text) for spot in line)


def _least_room(plane: CharGrid, coloured: bool) -> int:
    """Return how many blanks a cell needs: for lines, for signs beside its text, between numbers."""
    spots = plane.cells.values()
    framed = not coloured and any(
        spot.text and (spot.colour in FRAMES or spot.ink == "given") for spot in spots
    )
    if framed or plane.traced or plane.scene.form == "hexagon":
        return 2
    texts = [
        *(spot.text for spot in spots),
        *(clue for side in ("top", "bottom") for own in plane.outside[side] for clue in own),
    ]
    return 1 if any(cell_len(text) > 1 for text in texts) else 0


class _Board:
    """One layout of a scene: the columns and lines of text that its places take."""

    def __init__(self, plane: CharGrid, coloured: bool, room: int) -> None:
        self.plane = plane
        self.scene = plane.scene
        self.coloured = coloured
        self.open = plane.scene.open
        self.inside = frozenset(plane.scene.cells)
        self.centred = plane.traced or any(spot.colour == "block" for spot in plane.cells.values())
        self.top, self.bottom, self.left, self.right = self.scene.extent
        clues = [clue for side in ("top", "bottom") for own in plane.outside[side] for clue in own]
        texts = [*(spot.text for spot in plane.cells.values()), *clues]
        self.text = max(map(cell_len, texts), default=1) or 1
        above = max((cell_len(spot.text) for spot in plane.above.values()), default=0)
        self.cell = max(self.text + room, min(above + 1, self.text + 3) if above else 1)
        self.pad = (self.cell - self.text) // 2
        lattice = self.plane.traced or bool(self.plane.points) or self._uneven()
        self.gap = int(lattice or self.open)
        if (
            self.scene.form == "hexagon"
        ):  # slanted lines run from the middle of a cell to that of another
            self.cell += (self.cell + self.gap) % 2
            self.pad = self.cell // 2 - (self.text - 1) // 2
        self.kept_rows = self._kept(0, self._used(0), lattice)
        self.kept_columns = self._kept(1, self._used(1), lattice)
        self.wide: dict[int, int] = {}  # the width of each line between columns that has a text
        for (_, x), spot in plane.points.items():
            if x % 2:
                self.wide[x] = max(self.wide.get(x, 1), cell_len(spot.text))
        self.drawn: dict[
            tuple[TextSpan, tuple[int, ...], str], TextSpan
        ] = {}  # cells that look alike

    def _kept(self, axis: int, used: set[int], lattice: bool) -> set[int]:
        """Return the lines between rows (axis 0) or columns (axis 1) that are not left out."""
        first, last = ((self.top, self.bottom), (self.left, self.right))[axis]
        every = set(range(2 * first - 1, 2 * last + 2, 2))
        if self.open:
            return every
        return used & every | (every - {2 * first - 1, 2 * last + 1} if lattice else set())

    def _used(self, axis: int) -> set[int]:
        """Return the lines between rows (axis 0) or columns (axis 1) in which something stands."""
        along = ((1, 3), (0, 2))[axis]
        lines = {
            at[axis] for at, arms in self.plane.strokes.items() if arms[along[0]] or arms[along[1]]
        }
        above = {2 * cell[0] - 1 for cell in self.plane.above} if axis == 0 else set()
        points = {
            abs(at[axis]) for at in self.plane.points
        }  # corners of hexagons have negative rows
        return {line for line in (*lines, *points) if line % 2} | above

    def _uneven(self) -> bool:
        """Whether lines end inside the board, so that its rows and columns need the same distance."""
        across: Counter[int] = Counter()  # sides drawn on each line between rows
        along: Counter[int] = Counter()  # and between columns
        for (y, x), arms in self.plane.strokes.items():
            if y % 2 and x % 2 == 0 and arms[1]:
                across[y] += 1
            if x % 2 and y % 2 == 0 and arms[0]:
                along[x] += 1
        width, height = self.right - self.left + 1, self.bottom - self.top + 1
        return {*across.values()} - {width} != set() or {*along.values()} - {height} != set()

    def lines(self) -> list[Line]:
        """Return the lines of text, with clues around the board."""
        columns = [
            x
            for x in range(2 * self.left - 1, 2 * self.right + 2)
            if x % 2 == 0 or x in self.kept_columns
        ]
        drawn: dict[int, list[TextSpan]] = {}
        for y in range(2 * self.top - 1, 2 * self.bottom + 2):
            if y % 2 == 0 or y in self.kept_rows:
                drawn[y] = self._slide(y, [spot for x in columns if (spot := self._at(y, x)).text])
        before = self._beside("left")
        lines: list[Line] = [[TextSpan(" " * before), *line] for line in self._stacked("top")]
        after = self.plane.outside["right"]
        for y, line in drawn.items():
            row = y // 2 - 1
            own: list[TextSpan] = (
                [TextSpan(self._clues("left", row, before) if y % 2 == 0 else " " * before)]
                if before
                else []
            )
            end = [TextSpan(" " + " ".join(after[row]))] if after and y % 2 == 0 else []
            lines.append([*own, *line, *end])
        lines += [[TextSpan(" " * before), *line] for line in self._stacked("bottom")]
        return _cropped(lines) if (self.scene.form == "hexagon") or self.plane.traced else lines

    def _slide(self, y: int, line: list[TextSpan]) -> list[TextSpan]:
        """Move a row of hexagons aside."""
        if self.scene.form != "hexagon":
            return line
        pitch = self.cell + self.gap
        return (
            [TextSpan(" " * (pitch // 2 * ((y + y % 2) // 2 - self.top))), *line]
            if y % 2 == 0
            else self._slants(y, pitch)
        )

    def _slants(self, y: int, pitch: int) -> list[TextSpan]:
        """Return the line between two rows of hexagons: their sides and corners, and lines from one
        to the other.
        """
        row = y // 2
        lead = self.cell // 2 + (2 * self.left - 1 in self.kept_columns)
        steps: dict[int, TextSpan] = {}
        for column in range(self.left - 1, self.right + 2):
            middle = pitch * (column - self.left) + pitch // 2 * (row - self.top) + lead
            if self.plane.strokes.get((y, 2 * column), NO_STROKES)[2]:
                steps[middle + pitch // 4] = TextSpan(
                    "╲", self.plane.colours.get((y, 2 * column), "")
                )
            if (side := self.plane.points.get((y, 2 * column))) is not None:
                steps[middle + pitch // 4] = side
            if (aside := self.plane.points.get((y, 2 * column - 1))) is not None:
                steps[middle - pitch // 4] = aside
            for corner, x in ((2 * column - 1, middle), (2 * column, middle + pitch // 2)):
                if (point := self.plane.points.get((-y, corner))) is not None:
                    steps[x] = point
        line: list[TextSpan] = []
        at = 0
        for x, spot in sorted(steps.items()):
            if x >= at:
                line += [TextSpan(" " * (x - at)), spot]
                at = x + 1
        return line

    def _at(self, y: int, x: int) -> TextSpan:
        """Return what stands at a place: in a cell, on a side or at a corner."""
        if y % 2 == 0 and x % 2 == 0:
            return self._cell((y // 2, x // 2))
        arms = self.plane.strokes.get((y, x), NO_STROKES)
        point = self.plane.points.get((y, x))
        colour = self.plane.colours.get((y, x), "")
        if y % 2 and x % 2 == 0:
            return self._level(y, x, arms, point, colour)
        spot = self._aside(y, x, arms, point, colour)
        blanks = self.wide.get(x, 1) - cell_len(spot.text)
        if blanks < 1 or self.scene.form != "square":
            return spot
        left, right = (_run(arm) or " " for arm in (arms[3], arms[1]))
        return spot._replace(text=left * (blanks // 2) + spot.text + right * (blanks - blanks // 2))

    def _aside(
        self, y: int, x: int, arms: Sequence[int], point: TextSpan | None, colour: str
    ) -> TextSpan:
        """Return what stands between two cells of a row, or at a corner."""
        if point is not None and (not any(arms) or point.text != "·"):
            return point
        return TextSpan(junction(arms), colour) if any(arms) else self._between(y, x)

    def _between(self, y: int, x: int) -> TextSpan:
        """Return what stands between two cells without a line: their colour, if they share it."""
        if y % 2 or not self.coloured:
            return TextSpan(" ")
        one, other = (self.plane.cells.get((y // 2, (x + step) // 2)) for step in (-1, 1))
        same = one is not None and other is not None and one.colour == other.colour
        return TextSpan(
            " ", one.colour if same and one is not None and one.colour.startswith("region") else ""
        )

    def _level(
        self, y: int, x: int, arms: Sequence[int], point: TextSpan | None, colour: str
    ) -> TextSpan:
        """Return the line above a cell."""
        flat = junction((0, arms[1], 0, arms[3])) if arms[1] or arms[3] else " "
        half = self.pad + (self.text - 1) // 2
        middle = point.text if point is not None else junction(arms) if any(arms) else " "
        before = max(half - (cell_len(middle) - 1) // 2, 0)
        text = flat * before + middle + flat * (self.cell - before - cell_len(middle))
        clue = self.plane.above.get((y // 2 + 1, x // 2))
        if clue is None:
            return TextSpan(text, colour)
        written = clue.text + ("'" if clue.ink == "given" and not self.coloured else "")
        return TextSpan(written + text[cell_len(written) :], colour, clue.ink)

    def _cell(self, cell: CellPos) -> TextSpan:
        """Return the inside of a cell, with the lines that pass on both sides of its text."""
        if cell not in self.inside:
            return TextSpan(" " * self.cell)
        spot, place = self.plane.cells.get(cell, NOTHING), (2 * cell[0], 2 * cell[1])
        look = spot, tuple(self.plane.strokes.get(place, NO_STROKES)), self.plane.colours.get(place, "")
        if look not in self.drawn:
            self.drawn[look] = self._drawn(*look)
        return self.drawn[look]

    def _drawn(self, spot: TextSpan, arms: Sequence[int], behind: str) -> TextSpan:
        text, ink = spot.text, spot.ink
        if not text:
            text, ink = self._empty(spot.colour, arms)
        before = self.pad + self._before(cell_len(text))
        after = self.cell - before - cell_len(text)
        left, right = _run(arms[3]), _run(arms[1])
        colour = spot.colour or ("" if spot.text else behind)
        whole = left * before + text + right * after
        return TextSpan(
            whole if self.coloured else self._framed(whole, spot, before, after), colour, ink
        )

    def _before(self, length: int) -> int:
        """Return the blanks before a text: lines pass in the middle, numbers stand at the right."""
        return (self.text - length) // 2 if self.centred else self.text - length

    def _empty(self, colour: str, arms: Sequence[int]) -> tuple[str, str]:
        """Return what a cell without a text shows, and its ink."""
        if any(arms):
            return junction(arms), ""
        if colour in ("found", "given", "block"):
            if self.coloured:
                return " ", ""
            return ("■" if colour == "found" else "█" * max(1, self.text)), ""
        if (colour and colour != "grey") or self.open:
            return " ", ""
        return "·", "faint"

    def _framed(self, whole: str, spot: TextSpan, before: int, after: int) -> str:
        """Return a cell with signs in place of its colour and of its ink."""
        frame = FRAMES.get(spot.colour)
        if frame and (spot.text or spot.colour != "found") and before and after:
            text = whole[before : len(whole) - after]
            lead = frame[0] * before if spot.colour == "given" else " " * (before - 1) + frame[0]
            trail = frame[1] * after if spot.colour == "given" else frame[1] + " " * (after - 1)
            return lead + text + trail
        if spot.ink == "given" and after and spot.text.strip():
            return f"{whole[: len(whole) - after]}'{whole[len(whole) - after + 1 :]}"
        return whole

    def _beside(self, side: str) -> int:
        """Return the width of the clues beside the board."""
        rows = self.plane.outside[side]
        return max((cell_len(" ".join(row)) for row in rows), default=-1) + 1

    def _clues(self, side: str, row: int, wide: int) -> str:
        text = " ".join(self.plane.outside[side][row])
        return " " * (wide - 1 - cell_len(text)) + text + " "

    def _stacked(self, side: str) -> list[Line]:
        """Return the clues above or below the board, each over its column."""
        own = self.plane.outside[side]
        high = max(map(len, own), default=0)
        lines: list[Line] = []
        for level in range(high):
            line = ""
            for x in range(2 * self.left - 1, 2 * self.right + 2):
                if x % 2:
                    line += " " * self.wide.get(x, 1) if x in self.kept_columns else ""
                    continue
                clues = own[x // 2 - 1] if x // 2 - 1 < len(own) else ()
                at = level - (high - len(clues)) if side == "top" else level
                text = clues[at] if 0 <= at < len(clues) else ""
                line += " " * (self.cell - self.pad - cell_len(text)) + text + " " * self.pad
            lines.append([TextSpan(line)])
        return lines


def _run(weight: int) -> str:
    """Return the character of a level line of this weight."""
    return junction((0, weight, 0, weight)) if weight else " "


def _cropped(lines: list[Line]) -> list[Line]:
    """Remove the blanks that all lines begin with."""
    texts = ["".join(spot.text for spot in line) for line in lines]
    common = min((len(text) - len(text.lstrip()) for text in texts if text.strip()), default=0)
    found: list[Line] = []
    for line in lines:
        left, own = common, list[TextSpan]()
        for spot in line:
            cut = min(left, len(spot.text))
            left -= cut
            own += [spot._replace(text=spot.text[cut:])] if len(spot.text) > cut else []
        found.append(own)
    return found
