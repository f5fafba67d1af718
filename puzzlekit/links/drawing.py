"""What a page of a drawing program shows: marks at the places of a board of squares.

Places are in half steps, as in `scene.scene`: the centre of the cell in row r and column c is
(2r, 2c), a corner or the middle of a side lies between. Marks outside the board are clues.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from puzzlekit.scene import (
    FULL,
    Borders,
    Cages,
    CellPos,
    ClueCell,
    Diagonals,
    Fill,
    Layer,
    Lines,
    Outside,
    Paths,
    PencilMarks,
    Point,
    Scene,
    Symbols,
    Text,
    areas,
    cells_beside,
    centre,
    sides,
)

Mark = tuple[str, Any]  # a kind, and a place or a number
Margins = tuple[int, int, int, int]
SHADE, BOX = (
    "shade",
    "box",
)  # the marks of a cell that has a dark colour, and of one with thick lines all round
SIDES = ("top", "bottom", "left", "right")
NAMED = 3  # places in a report on marks


@dataclass
class Drawing:
    """The marks of a page, and which of them are read.

    Attributes:
        height: The number of rows of the board.
        width: The number of columns.
        holes: The cells of that rectangle that are not on the board.
        colours: The colour of each filled cell, by number.
        texts: The text at each place; a blank one is empty.
        small: The small texts of each cell, by quarter: 0 upper left, 1 upper right, 2 lower left,
            3 lower right.
        signs: The names of the signs at each place.
        borders: The middles of the sides that are thick.
        lines: The pairs of places that a line joins.
        cages: The cells of each cage.
        bulbs: The cells of each line from a bulb on.
        arrows: The cells of each arrow, from its circle on.
        paths: The cells of each other line.
        others: The place and the kind of each mark that is none of these, by its key.
        styles: The kind and the style of marks as the page names them, for reports.
        taken: The marks that are read: their kind and place, or number.
    """

    height: int
    width: int
    holes: set[CellPos] = field(default_factory=set)
    colours: dict[CellPos, int] = field(default_factory=dict)
    texts: dict[Point, str] = field(default_factory=dict)
    small: dict[CellPos, dict[int, str]] = field(default_factory=dict)
    signs: dict[Point, list[str]] = field(default_factory=dict)
    borders: set[Point] = field(default_factory=set)
    lines: set[tuple[Point, Point]] = field(default_factory=set)
    cages: list[list[CellPos]] = field(default_factory=list)
    bulbs: list[list[CellPos]] = field(default_factory=list)
    arrows: list[list[CellPos]] = field(default_factory=list)
    paths: list[list[CellPos]] = field(default_factory=list)
    others: dict[str, tuple[str, Point]] = field(default_factory=dict)
    styles: dict[Mark, str] = field(default_factory=dict)
    taken: set[Mark] = field(default_factory=set)

    def cells(self) -> Iterator[CellPos]:
        """Yield the cells of the board, row by row."""
        for row in range(1, self.height + 1):
            for column in range(1, self.width + 1):
                if (row, column) not in self.holes:
                    yield row, column

    def take(self, kind: str, key: Any) -> None:
        """Note that a mark is read. A box around a cell is its sides."""
        self.taken |= {("border", side) for side in self.box(key)} if kind == BOX else {(kind, key)}

    def marks(self) -> Iterator[tuple[Mark, str, Point]]:
        """Yield all marks, each with its kind and style, and its place."""
        for cell, colour in self.colours.items():
            yield ("colour", cell), f"colour {colour}", centre(cell)
        for place, text in self.texts.items():
            yield ("text", place), f"text {text!r}" if text else "blank text", place
        for cell, texts in self.small.items():
            for quarter, text in texts.items():
                yield ("small", (cell, quarter)), f"small text {text!r}", centre(cell)
        for place, names in self.signs.items():
            for name in names:
                yield ("sign", (place, name)), name, place
        for side in self.borders:
            yield ("border", side), "thick line", side
        for ends in self.lines:
            yield ("line", ends), "line", ends[0]
        for kind, groups in (
            ("cage", self.cages),
            ("bulb", self.bulbs),
            ("arrow", self.arrows),
            ("path", self.paths),
        ):
            for number, cells in enumerate(groups):
                yield (
                    (kind, number),
                    {"bulb": "thermometer", "path": "line"}.get(kind, kind),
                    centre(cells[0]),
                )
        for key, (about, place) in self.others.items():
            yield ("other", key), about, place

    def stated(self) -> dict[tuple[Mark, str], Point]:
        """Return the place of each mark, with its kind and style."""
        return {(mark, self.styles.get(mark, about)): place for mark, about, place in self.marks()}

    def unread(self) -> list[str]:
        """Return what is not read, by kind and style, with the first places of each."""
        return named(
            (about, place)
            for (mark, about), place in self.stated().items()
            if mark not in self.taken
        )

    def is_inside(self, side: Point) -> bool:
        """Return whether a side lies between two cells of the board."""
        return all(cell not in self.holes and self.has(cell) for cell in cells_beside(side))

    def has(self, cell: CellPos) -> bool:
        """Return whether a cell, or a hole, belongs to the rectangle of the board."""
        return 1 <= cell[0] <= self.height and 1 <= cell[1] <= self.width

    def box(self, cell: CellPos) -> list[Point]:
        """Return the thick sides of a cell that has thick lines all round, where it borders on
        cells; else none.
        """
        inner = [side for side in sides(cell) if self.is_inside(side)]
        return inner if all(side in self.borders for side in inner) else []

    @cached_property
    def shades(self) -> Collection[int]:
        """The colours of shaded cells: all dark ones; none if the board has black and grey ones,
        which may mean two things.
        """
        tones = {
            COLOUR_NAMES[colour]
            for cell, colour in self.colours.items()
            if colour in DARK and self.has(cell)
        }
        return DARK if len(tones) < 2 else ()

    def names_at(self, cell: CellPos) -> Iterator[tuple[str, Mark]]:
        """Yield the names of the marks of a cell, but for its texts, each with the mark."""
        for name in self.signs.get(centre(cell), ()):
            yield name, ("sign", (centre(cell), name))
            if name in FULL_SIGNS:
                yield SHADE, ("sign", (centre(cell), name))
        if (colour := self.colours.get(cell)) is not None:
            yield COLOUR_NAMES.get(colour, ""), ("colour", cell)
            if colour in self.shades:
                yield SHADE, ("colour", cell)
        if self.box(cell):
            yield BOX, (BOX, cell)

    def regions(self) -> dict[CellPos, int]:
        """Return the number of the region of each cell, counted in the order of their first cells."""
        return {
            cell: number
            for number, area in enumerate(areas(self.cells(), self.borders))
            for cell in area
        }

    def outside(self, side: str) -> list[list[Point]]:
        """Return the places of the texts outside on one side, for each row or column, in reading
        order.
        """
        across = side in ("left", "right")
        lines: list[list[tuple[int, Point]]] = [
            [] for _ in range(self.height if across else self.width)
        ]
        for y, x in self.texts:
            line, depth, most = (y, x, self.width) if across else (x, y, self.height)
            before = side in ("left", "top")
            if line % 2 or depth % 2 or not 1 <= line // 2 <= len(lines):
                continue
            if depth < 1 if before else depth > 2 * most:
                lines[line // 2 - 1].append((depth, (y, x)))
        return [[place for _, place in sorted(line)] for line in lines]


def named(marks: Iterable[tuple[str, Point]]) -> list[str]:
    """Return the kinds and styles of marks as texts, each with its first places."""
    found: dict[str, list[Point]] = {}
    for about, place in marks:
        found.setdefault(about, []).append(place)
    return [f"{about} {_at(sorted(places))}" for about, places in found.items()]


def _at(places: list[Point]) -> str:
    """Return where marks stand, as a text: at cells (r1c2), or between the cells around a side or a
    corner.
    """
    names = []
    for y, x in places[:NAMED]:
        one, other = cells_beside((y, x))
        ends = [f"r{row}c{column}" for row, column in (one, other)]
        names.append(f"at {ends[0]}" if one == other else f"between {ends[0]} and {ends[1]}")
    more = len(places) - NAMED
    return ", ".join(names) + (f" and {more} more" if more > 0 else "")


COLOURS = {FULL: 4, "given": 4, "green": 2, "yellow": 7, "grey": 8}  # of tones
REGIONS = (3, 5, 6, 7, 9, 2, 10, 11, 12)  # of the tones `region 0`, …
DARK = (1, 3, 4, 8)  # dark grey, light grey, black, grey: what stands for a shaded cell
COLOUR_NAMES = {
    **dict.fromkeys((1, 4), "black_cell"),
    **dict.fromkeys((3, 8), "grey_cell"),
    2: "green_cell",
    5: "blue_cell",
    6: "red_cell",
    7: "yellow_cell",
    9: "pink_cell",
    10: "orange_cell",
    11: "purple_cell",
    12: "brown_cell",
}
FULL_SIGNS = ("black_square", "full_cell")  # that shade a cell


def drawing_of_scene(scene: Scene) -> tuple[Drawing, Margins]:
    """Return the drawing, and how many rows and columns its clues outside need: top, bottom, left,
    right.
    """
    first_row, last_row, first_column, last_column = scene.extent
    assert first_row >= 1 and first_column >= 1, "boards begin at row 1 and column 1"
    drawing = Drawing(last_row, last_column)
    drawing.holes = set(drawing.cells()) - set(scene.cells)
    depths = dict.fromkeys(("top", "bottom", "left", "right"), 0)
    for layer in scene.layers:
        if isinstance(layer, Outside):
            if not layer.rim:
                depths[layer.side] += _outside(drawing, layer, depths[layer.side])
        else:
            _draw(drawing, layer)
    return drawing, (depths["top"], depths["bottom"], depths["left"], depths["right"])


def _draw(drawing: Drawing, layer: Layer) -> None:
    match layer:
        case Fill(tones=tones):
            drawing.colours |= {cell: _colour(tone) for cell, tone in tones.items() if tone}
        case Text(texts=texts, corner=True):
            _small(drawing, 0, texts.items())
        case Text(texts=texts):
            drawing.texts |= {centre(cell): text for cell, text in texts.items()}
        case PencilMarks(texts=several):
            _small(drawing, 0, ((cell, " ".join(texts)) for cell, texts in several.items()))
        case Borders(sides=sides):
            drawing.borders |= sides
        case Cages(groups=groups):
            drawing.cages += [list(cells) for cells, _ in groups]
            _small(drawing, 0, ((min(cells), clue) for cells, clue in groups if clue))
        case ClueCell(clues=clues):
            drawing.colours |= dict.fromkeys(clues, COLOURS[FULL])
            _small(drawing, 2, ((cell, below) for cell, (below, _) in clues.items() if below))
            _small(drawing, 1, ((cell, right) for cell, (_, right) in clues.items() if right))
            for row, column in clues:
                drawing.lines.add(((2 * row - 1, 2 * column - 1), (2 * row + 1, 2 * column + 1)))
        case Lines(links=links):
            drawing.lines |= {(min(pair), max(pair)) for pair in links}
        case Symbols(symbols=signs):
            for place, name in signs.items():
                drawing.signs.setdefault(place, []).append(name)
        case Paths(paths=paths, style=style):
            kept = {"bulb": drawing.bulbs, "arrow": drawing.arrows}.get(style, drawing.paths)
            kept += [list(path.cells) for path in paths]
        case Diagonals(falling=falling):
            for (row, column), falls in falling.items():
                left, right = (
                    (2 * row - falls * 2 + 1, 2 * column - 1),
                    (2 * row + falls * 2 - 1, 2 * column + 1),
                )
                drawing.lines.add((min(left, right), max(left, right)))
        case _:  # pieces, which are only found
            pass


def _small(drawing: Drawing, quarter: int, texts: Iterable[tuple[CellPos, str]]) -> None:
    for cell, text in texts:
        drawing.small.setdefault(cell, {})[quarter] = text


def _colour(tone: str) -> int:
    kind, _, number = tone.partition(" ")
    return (
        REGIONS[int(number) % len(REGIONS)]
        if kind == "region" and number.isdigit()
        else COLOURS.get(tone, 8)
    )


def _outside(drawing: Drawing, layer: Outside, before: int) -> int:
    """Add clues outside, those nearest to the board last above and on the left; returns how deep
    they are.
    """
    deep = max(map(len, layer.clues), default=0)
    for line, clues in enumerate(layer.clues, 1):
        for number, clue in enumerate(clues):
            away = before + (len(clues) - number if layer.side in ("top", "left") else number + 1)
            match layer.side:
                case "top":
                    cell = (1 - away, line)
                case "bottom":
                    cell = (drawing.height + away, line)
                case "left":
                    cell = (line, 1 - away)
                case "right":
                    cell = (line, drawing.width + away)
            drawing.texts[centre(cell)] = clue
    return deep
