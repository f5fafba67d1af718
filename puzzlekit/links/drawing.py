"""What a page of a drawing program shows: symbols at the points of a board of squares.

Points are in half steps, as in `scene.scene`: the centre of the cell in row r and column c is
(2r, 2c), a corner or the middle of a side lies between. Symbols outside the board are clues.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

from puzzlekit.dataclass import dataclass
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

DrawnSymbol = tuple[str, Any]  # a category, and a point, a cell or a number
Margins = tuple[int, int, int, int]
SHADE = "shade"  # the name of a cell that has a dark colour
BOX = "box"  # the name of a cell with thick lines all round
ARROW_SIGNS = {"↑": "up", "→": "right", "↓": "down", "←": "left"}
SIDES = ("top", "bottom", "left", "right")
LEAST_RULING = 4  # half steps between the lines of a ruling
NAMED = 3  # points in a report on symbols


@dataclass
class Drawing:
    """The symbols of a page, and which of them are read.

    Attributes:
        height: The number of rows of the board.
        width: The number of columns.
        holes: The cells of that rectangle that are not on the board.
        captions: Texts outside that say nothing, in small letters.
        colours: The colour of each filled cell, by number.
        texts: The text at each point; a blank one is empty.
        small: The small texts of each cell, by quarter: 0 upper left, 1 upper right, 2 lower left,
            3 lower right.
        signs: The names of the signs at each point.
        borders: The middles of the sides that are thick.
        lines: The pairs of points that a line joins.
        cages: The cells of each cage.
        bulbs: The cells of each line from a bulb on.
        arrows: The cells of each arrow, from its circle on.
        paths: The cells of each further line.
        others: The description and the point of each symbol that is none of these, by its key.
        styles: The description of symbols as the page names them, for reports.
        consumed: The symbols that are read.
    """

    height: int
    width: int
    holes: set[CellPos] = field(default_factory=set)
    captions: set[str] = field(default_factory=set)
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
    styles: dict[DrawnSymbol, str] = field(default_factory=dict)
    consumed: set[DrawnSymbol] = field(default_factory=set)

    def cells(self) -> Iterator[CellPos]:
        """Yield the cells of the board, row by row."""
        for row in range(1, self.height + 1):
            for column in range(1, self.width + 1):
                if (row, column) not in self.holes:
                    yield row, column

    def consume(self, category: str, key: Any) -> None:
        """Note that a symbol is read. A box around a cell is its sides."""
        if category != BOX:
            self.consumed.add((category, key))
            return
        for side in self.box(key):
            self.consumed.add(("border", side))

    def symbols(self) -> Iterator[tuple[DrawnSymbol, str, Point]]:
        """Yield all symbols, each with its description and its point."""
        for cell, colour in self.colours.items():
            yield ("colour", cell), f"colour {colour}", centre(cell)
        for point, text in self.texts.items():
            description = f"text {text!r}" if text else "blank text"
            yield ("text", point), description, point
        for cell, texts in self.small.items():
            for quarter, text in texts.items():
                yield ("small", (cell, quarter)), f"small text {text!r}", centre(cell)
        for point, names in self.signs.items():
            for name in names:
                yield ("sign", (point, name)), name, point
        for side in self.borders:
            yield ("border", side), "thick line", side
        for ends in self.lines:
            yield ("line", ends), "line", ends[0]
        yield from _group_symbols("cage", "cage", self.cages)
        yield from _group_symbols("bulb", "thermometer", self.bulbs)
        yield from _group_symbols("arrow", "arrow", self.arrows)
        yield from _group_symbols("path", "line", self.paths)
        for key, (description, point) in self.others.items():
            yield ("other", key), description, point

    def described(self) -> dict[tuple[DrawnSymbol, str], Point]:
        """Return the point of each symbol, with its description as the page names it."""
        points = {}
        for symbol, description, point in self.symbols():
            points[symbol, self.styles.get(symbol, description)] = point
        return points

    def unread(self) -> list[str]:
        """Return what is not read, by description, with the first points of each."""
        unread = []
        for (symbol, description), point in self.described().items():
            if symbol not in self.consumed:
                unread.append((description, point))
        return named(unread)

    def is_inside(self, side: Point) -> bool:
        """Return whether a side lies between two cells of the board."""
        return all(map(self.is_cell, cells_beside(side)))

    def is_ruling(self, sides: Collection[Point]) -> bool:
        """Return whether sides are lines across the board after every second, third, … row and
        column, which only help to count.
        """
        rows = {y for y, x in sides if y % 2}
        columns = {x for y, x in sides if x % 2}
        expected: set[Point] = set()
        for column in range(1, self.width + 1):
            expected.update((y, 2 * column) for y in rows)
        for row in range(1, self.height + 1):
            expected.update((2 * row, x) for x in columns)
        if set(sides) != set(filter(self.is_inside, expected)):
            return False
        first = min([*rows, *columns], default=1)
        step = first - 1
        if step < LEAST_RULING:
            return False
        regular_rows = set(range(first, 2 * self.height, step))
        regular_columns = set(range(first, 2 * self.width, step))
        return rows == regular_rows and columns == regular_columns

    def is_cell(self, cell: CellPos) -> bool:
        """Return whether a cell is on the board, and no hole."""
        return self.has(cell) and cell not in self.holes

    def has(self, cell: CellPos) -> bool:
        """Return whether a cell, or a hole, belongs to the rectangle of the board."""
        row, column = cell
        return 1 <= row <= self.height and 1 <= column <= self.width

    def box(self, cell: CellPos) -> list[Point]:
        """Return the thick sides of a cell that has thick lines all round, where it borders on
        cells; else none.
        """
        inner = list(filter(self.is_inside, sides(cell)))
        return inner if self.borders.issuperset(inner) else []

    @cached_property
    def shades(self) -> Collection[int]:
        """The colours of shaded cells: all dark ones; none if the board has black and grey ones,
        which may mean two things.
        """
        colours = {colour for cell, colour in self.colours.items() if self.has(cell)}
        tones = {COLOUR_NAMES[colour] for colour in colours.intersection(DARK)}
        return DARK if len(tones) < 2 else ()

    def names_at(self, cell: CellPos) -> Iterator[tuple[str, DrawnSymbol]]:
        """Yield the names of the symbols of a cell, but for its texts, each with the symbol. A
        small arrow has the name of an arrow.
        """
        for quarter, text in self.small.get(cell, {}).items():
            if text in ARROW_SIGNS:
                yield ARROW_SIGNS[text], ("small", (cell, quarter))
        point = centre(cell)
        for name in self.signs.get(point, ()):
            yield name, ("sign", (point, name))
            if name in FULL_SIGNS:
                yield SHADE, ("sign", (point, name))
        colour = self.colours.get(cell)
        if colour is not None:
            yield COLOUR_NAMES.get(colour, ""), ("colour", cell)
            if colour in self.shades:
                yield SHADE, ("colour", cell)
        if self.box(cell):
            yield BOX, (BOX, cell)

    def small_text(self, cell: CellPos) -> tuple[int, str] | None:
        """Return the quarter and the text of the small text of a cell: the upper left one, or the
        only one.
        """
        texts = self.small.get(cell, {})
        if 0 in texts:
            return 0, texts[0]
        return next(iter(texts.items())) if len(texts) == 1 else None

    def regions(self) -> dict[CellPos, int]:
        """Return the number of each cell's region, counted in the order of their first cells."""
        regions: dict[CellPos, int] = {}
        for number, area in enumerate(areas(self.cells(), self.borders)):
            regions.update(dict.fromkeys(area, number))
        return regions

    def outside(self, side: str) -> list[list[Point]]:
        """Return the points of the texts outside on one side that are not read, for each row or
        column, in reading order.
        """
        is_row = side in ("left", "right")
        count = self.height if is_row else self.width
        depth = self.width if is_row else self.height
        lines: list[list[Point]] = [[] for _ in range(count)]
        for point in sorted(self.texts):
            if ("text", point) in self.consumed:
                continue
            cell = cell_around(point)
            line, position = cell if is_row else cell[::-1]
            is_outside = position < 1 if side in ("left", "top") else position > depth
            if is_outside and point == centre(cell) and 1 <= line <= count:
                lines[line - 1].append(point)
        return lines

    def crop(self, first: CellPos, last: CellPos) -> None:
        """Let the board be a rectangle of its cells, whose corners are given. What is around it
        then stands outside.
        """
        down = first[0] - 1
        right = first[1] - 1

        def cell(old: CellPos) -> CellPos:
            return old[0] - down, old[1] - right

        def point(old: Point) -> Point:
            return old[0] - 2 * down, old[1] - 2 * right

        def key(category: str, old: Any) -> Any:
            match category:
                case "colour":
                    return cell(old)
                case "small":
                    return cell(old[0]), old[1]
                case "sign":
                    return point(old[0]), old[1]
                case "text" | "border":
                    return point(old)
                case "line":
                    return point(old[0]), point(old[1])
                case _:
                    return old

        self.height, self.width = cell(last)
        self.holes = set(map(cell, self.holes))
        self.colours = {cell(old): colour for old, colour in self.colours.items()}
        self.texts = {point(old): text for old, text in self.texts.items()}
        self.small = {cell(old): texts for old, texts in self.small.items()}
        self.signs = {point(old): names for old, names in self.signs.items()}
        self.borders = set(map(point, self.borders))
        self.lines = {(point(start), point(end)) for start, end in self.lines}
        for groups in (self.cages, self.bulbs, self.arrows, self.paths):
            groups[:] = [list(map(cell, group)) for group in groups]
        for name, (description, old) in self.others.items():
            self.others[name] = (description, point(old))
        styles = self.styles.items()
        self.styles = {(name, key(name, old)): style for (name, old), style in styles}

    def framed(self) -> tuple[CellPos, CellPos] | None:
        """Return the corners of a rectangle that thick lines frame, with texts in the cells around
        it; None if there is none.
        """
        cells = set(self.cells())
        corners = [(row, column) for row in (1, self.height) for column in (1, self.width)]
        for area in areas(self.cells(), self.borders):
            around = set(area)
            if around.isdisjoint(corners):
                continue
            inside = cells - around
            has_texts = not self.texts.keys().isdisjoint(map(centre, around))
            if not has_texts or not inside:
                continue
            rows, columns = map(sorted, zip(*inside))
            first = rows[0], columns[0]
            last = rows[-1], columns[-1]
            height = last[0] - first[0] + 1
            width = last[1] - first[1] + 1
            if len(inside) == height * width and min(height, width) > 1:
                return first, last
        return None


def _group_symbols(
    category: str, description: str, groups: Iterable[Sequence[CellPos]]
) -> Iterator[tuple[DrawnSymbol, str, Point]]:
    for number, cells in enumerate(groups):
        yield (category, number), description, centre(cells[0])


def cell_around(point: Point) -> CellPos:
    """Return the cell whose centre a point is, or of which it is the lower or right side."""
    y, x = point
    return y // 2, x // 2


def cell_text(cell: CellPos) -> str:
    """Return a cell as specs write it."""
    row, column = cell
    return f"r{row}c{column}"


def named(symbols: Iterable[tuple[str, Point]]) -> list[str]:
    """Return the descriptions of symbols as texts, each with its first points."""
    points_by_description: dict[str, list[Point]] = {}
    for description, point in symbols:
        points_by_description.setdefault(description, []).append(point)
    descriptions = points_by_description.items()
    return [f"{description} {_where(sorted(points))}" for description, points in descriptions]


def _where(points: list[Point]) -> str:
    """Return where symbols stand, as a text: at cells (r1c2), or between the cells around a side or
    a corner.
    """
    names = []
    for point in points[:NAMED]:
        first, second = map(cell_text, cells_beside(point))
        if first == second:
            names.append(f"at {first}")
        else:
            names.append(f"between {first} and {second}")
    text = ", ".join(names)
    more = len(points) - len(names)
    return f"{text} and {more} more" if more else text


COLOURS = {FULL: 4, "given": 4, "green": 2, "yellow": 7, "grey": 8}  # of tones
GREY = 8
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
    depths = dict.fromkeys(SIDES, 0)
    for layer in scene.layers:
        if not isinstance(layer, Outside):
            _draw(drawing, layer)
        elif not layer.rim:
            depths[layer.side] += _draw_outside(drawing, layer, depths[layer.side])
    return drawing, (depths["top"], depths["bottom"], depths["left"], depths["right"])


def _draw(drawing: Drawing, layer: Layer) -> None:
    match layer:
        case Fill(tones=tones):
            drawing.colours |= {cell: _colour(tone) for cell, tone in tones.items() if tone}
        case Text(texts=texts, corner=True):
            _draw_small(drawing, 0, texts.items())
        case Text(texts=texts):
            drawing.texts |= {centre(cell): text for cell, text in texts.items()}
        case PencilMarks(texts=candidates):
            joined = [(cell, " ".join(texts)) for cell, texts in candidates.items()]
            _draw_small(drawing, 0, joined)
        case Borders(sides=sides):
            drawing.borders |= sides
        case Cages(groups=groups):
            drawing.cages += [list(cells) for cells, _ in groups]
            _draw_small(drawing, 0, [(min(cells), clue) for cells, clue in groups if clue])
        case ClueCell():
            _draw_clue_cells(drawing, layer)
        case Lines(links=links):
            drawing.lines |= {(min(pair), max(pair)) for pair in links}
        case Symbols(symbols=signs):
            for point, name in signs.items():
                drawing.signs.setdefault(point, []).append(name)
        case Paths(paths=paths, style=style):
            styles = {"bulb": drawing.bulbs, "arrow": drawing.arrows}
            styles.get(style, drawing.paths).extend(list(path.cells) for path in paths)
        case Diagonals(falling=falling):
            for cell, falls in falling.items():
                drawing.lines.add(_diagonal(cell, falls))
        case _:  # pieces, which only solutions have
            pass


def _draw_clue_cells(drawing: Drawing, layer: ClueCell) -> None:
    """Draw full cells with a diagonal, and clues for what is below and on the right."""
    clues = layer.clues.items()
    drawing.colours |= dict.fromkeys(layer.clues, COLOURS[FULL])
    _draw_small(drawing, 2, [(cell, below) for cell, (below, _) in clues if below])
    _draw_small(drawing, 1, [(cell, right) for cell, (_, right) in clues if right])
    drawing.lines.update(_diagonal(cell, falls=True) for cell in layer.clues)


def _diagonal(cell: CellPos, falls: bool) -> tuple[Point, Point]:
    """Return the ends of a diagonal of a cell, which falls or rises to the right."""
    y, x = centre(cell)
    right = 1 if falls else -1  # of the lower end
    return (y - 1, x - right), (y + 1, x + right)


def _draw_small(drawing: Drawing, quarter: int, texts: Iterable[tuple[CellPos, str]]) -> None:
    for cell, text in texts:
        drawing.small.setdefault(cell, {})[quarter] = text


def _colour(tone: str) -> int:
    category, _, number = tone.partition(" ")
    if category == "region" and number.isdigit():
        return REGIONS[int(number) % len(REGIONS)]
    return COLOURS.get(tone, GREY)


def _draw_outside(drawing: Drawing, layer: Outside, before: int) -> int:
    """Draw clues outside, those nearest to the board last above and on the left; return how deep
    they are.
    """
    is_before = layer.side in ("top", "left")
    for line, clues in enumerate(layer.clues, 1):
        for number, clue in enumerate(clues):
            distance = before + number + 1
            if is_before:
                distance = before + len(clues) - number
            match layer.side:
                case "top":
                    cell = (1 - distance, line)
                case "bottom":
                    cell = (drawing.height + distance, line)
                case "left":
                    cell = (line, 1 - distance)
                case "right":
                    cell = (line, drawing.width + distance)
            drawing.texts[centre(cell)] = clue
    return max(map(len, layer.clues), default=0)
