"""The symbols of a Penpa+ page as a drawing, and back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from puzzlekit.errors import InputError
from puzzlekit.lang import BOARD_SIDE
from puzzlekit.links.drawing import COLOUR_NAMES, DARK, Drawing, cell_around
from puzzlekit.links.penpa_format import COMMANDS, LISTS, Page, PointNumbers
from puzzlekit.links.penpa_symbols import ARMS, SYMBOLS, digit_of, recoloured, signs_of
from puzzlekit.model import connected_components
from puzzlekit.scene import CellPos, Point, around, cells_beside, centre, sides

Quarter = tuple[CellPos, int]
THICK = (2, 21)  # the styles of a border
# styles of lines that are neither dashed nor double, nor a cross
SOLID = (1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 21, 107, 116)
DASHED = (12, 13)  # styles of dashed lines
LIKE_GRID = 80  # the style of a line that looks like the grid
BLACK, WHITE_ON_DARK, BORDER, CAGE = 1, 4, 2, 10  # styles of texts, lines and cages
BACKGROUNDS = {6: "white_circle", 7: "black_circle", 11: "red_circle"}  # of texts, by their style
DARK_GREY, FILLED = 1, 4  # colours under white texts
# the arrows after a number, by the digit that stands for each
ARROWS = "↑←→↓↖↗↙↘"
ARROW_NAMES = ("up", "left", "right", "down", "up_left", "up_right", "down_left", "down_right")
DIGITS = "0123456789"
COLOURED = ("surface", "symbol", "line", "lineE")  # sections whose colours count, if replaced
# from a pair of quarters of a cell to the side along which a line between them runs
QUARTER_SIDES = {(0, 1): (-1, 0), (2, 3): (1, 0), (0, 2): (0, -1), (1, 3): (0, 1)}


def drawing_of(page: Page) -> Drawing:
    """Return the drawing of the problem of a page.

    Raises:
        InputError: A section of the problem is no such section; the message names it.
    """
    on_page = PointNumbers(page.columns, page.rows)
    cells = list(map(on_page.cell, page.cells))
    if not cells:
        raise InputError("line 6: the page has no cells")
    rows, columns = zip(*cells)
    top = min(rows) - 1
    left = min(columns) - 1
    drawing = Drawing(max(rows) - top, max(columns) - left)
    numbers = PointNumbers(page.columns, page.rows, top, left)
    drawing.holes = set(drawing.cells())
    drawing.holes.difference_update(map(numbers.cell, page.cells))
    drawing.captions = {page.title.lower(), page.author.lower(), f"by {page.author.lower()}"}
    _PageParser(page, numbers, drawing).read()
    return drawing


class _PageParser:
    """Reads the sections of a layer into a drawing. A symbol that it does not know is one of the
    others, with its key.

    Attributes:
        section: The name of the section that is read.
        shapes: The symbols that stand for a sign in cells, on sides or on corners.
        thin_edges: The points, the style and the inner sides of each edge that is not thick.
    """

    def __init__(self, page: Page, numbers: PointNumbers, drawing: Drawing) -> None:
        self.layer = page.problem
        self.custom_colours = page.custom_colours
        self.numbers = numbers
        self.drawing = drawing
        self.section = ""
        self.shapes: dict[tuple[str, int, int], set[str]] = {}
        self.thin_edges: list[tuple[list[int], Any, list[Point]]] = []
        self.readers = {
            "surface": self._read_surface,
            "number": self._read_text,
            "numberS": self._read_small,
            "symbol": self._read_symbol,
            "line": self._read_line,
            "lineE": self._read_edge,
            "freelineE": self._read_edge,
            "deletelineE": self._read_missing_edge,
        }
        self.groups = {
            "killercages": drawing.cages,
            "thermo": drawing.bulbs,
            "arrows": drawing.arrows,
            "nobulbthermo": drawing.paths,
        }

    def read(self) -> None:
        """Read all sections."""
        for section, symbols in sorted(self.layer.items(), key=_reading_order):
            self.section = section
            if section in COMMANDS or not symbols:
                continue
            if section in LISTS:
                self._read_groups(self.groups.get(section), symbols)
            elif isinstance(symbols, dict):
                for key, symbol in symbols.items():
                    self._read(key, symbol)
            else:
                raise self._error(f"expected a mapping, got {str(symbols)[:40]}")
        self.section = "cage"
        self._read_cages(self.layer.get("cage") or {})
        self._read_thin_edges()
        self._tell_apart()
        self._raise_small_texts()

    def _read(self, key: str, symbol: Any) -> None:
        """Read a symbol, whose key names its points."""
        points = list(map(self._point_number, key.split(",")))
        if self.section == "cage":  # cages are read together
            return
        colour = self._custom_colour(key)
        description = f"{self.section} {_style_text(symbol)}"
        if colour:
            description += f" in {colour}"
        if isinstance(colour, str):
            symbol = recoloured(colour, self.section, symbol)
            if self.section == "surface" and symbol not in COLOUR_NAMES:
                cell = self.numbers.cell(points[0])
                self.drawing.styles["colour", cell] = description
        reader = self.readers.get(self.section)
        if reader is None or symbol is None or not reader(points, symbol):
            self._add_other(key, points, description)

    def _custom_colour(self, key: str) -> Any:
        if self.section not in COLOURED:
            return None
        colours = self.custom_colours.get(self.section)
        return colours.get(key) if isinstance(colours, dict) else None

    # Each of these puts a symbol into the drawing, or returns False if it does not know it. Symbols
    # of no effect are skipped.

    def _read_surface(self, points: list[int], colour: Any) -> bool:
        point = self._point(points)
        if point is None or not isinstance(colour, int):
            return False
        cell = cell_around(point)
        if point != centre(cell):
            return False
        if colour:
            self.drawing.colours[cell] = colour
        return True

    def _read_text(self, points: list[int], symbol: Any) -> bool:
        point = self._point(points)
        if point is None or not isinstance(symbol, list) or not symbol:
            return False
        text = symbol[0]
        style = symbol[1] if len(symbol) > 1 else BLACK
        mode = str(symbol[2]) if len(symbol) > 2 else "1"
        if mode == "7":  # digits that a cell may have; one alone is a digit
            digits = _digits_on(text)
            if len(digits) != 1:
                return False
            text = digits[0]
        text = str(text).strip()
        arrow = re.fullmatch(r"(.*)_([0-7])", text, re.DOTALL)
        if mode == "2" and arrow is not None:
            name = ARROW_NAMES[int(arrow[2])]
            self._add_sign(point, name, f"arrow of {text!r}")
            text = arrow[1]
            if not text:
                return True
        if isinstance(style, int) and style in BACKGROUNDS:
            circle = BACKGROUNDS[style]
            if circle != "black_circle" or not self._is_dark(point):  # else it cannot be seen
                self._add_sign(point, circle, f"circle of {text!r}")
        return self._add_text(point, text)

    def _is_dark(self, point: Point) -> bool:
        """Return whether a point is the centre of a dark cell."""
        cell = cell_around(point)
        return point == centre(cell) and self.drawing.colours.get(cell) in DARK

    def _read_small(self, points: list[int], symbol: Any) -> bool:
        cell_and_quarter = self.numbers.quarter(points[0])
        if cell_and_quarter is None or not isinstance(symbol, list) or not symbol:
            return False
        cell, quarter = cell_and_quarter
        text = str(symbol[0]).strip()
        if text:
            self.drawing.small.setdefault(cell, {})[quarter] = text
        return True

    def _read_symbol(self, points: list[int], symbol: Any) -> bool:
        point = self._point(points)
        if point is None or not isinstance(symbol, list) or len(symbol) < 2:
            return False
        style, name = symbol[0], str(symbol[1])
        if name == "cross" and isinstance(style, list):
            return self._add_arms(point, style)
        digit = digit_of(name, style)
        if digit:
            return self._add_text(point, digit)
        y, x = point
        description = f"{name} {_style_text(style)}"
        for sign in signs_of(name, style) or [description]:
            self._add_sign(point, sign, description)
            shapes = self.shapes.setdefault((sign, y % 2, x % 2), set())
            shapes.add(description if "_" in sign else name)
        return True

    def _add_arms(self, point: Point, style: Sequence[Any]) -> bool:
        """Draw the lines of a cross that are on."""
        y, x = point
        has_arms = False
        for (down, right), on in zip(ARMS, style):
            if on == 1:
                end = (y + down, x + right)
                self.drawing.lines.add((min(point, end), max(point, end)))
                has_arms = True
        return has_arms

    def _read_line(self, points: list[int], style: Any) -> bool:
        """Read a solid line of one step, if all lines of the page are alike: two styles may mean
        two things.
        """
        ends = self._ends(points)
        if ends is None or style not in SOLID:
            return False
        (y, x), (end_y, end_x) = ends
        length = max(abs(end_y - y), abs(end_x - x))
        if length > 2:
            return False
        if self.section == "line":
            styles = set(self.layer["line"].values())
            if len(styles) > 1:
                return False
        self.drawing.lines.add((min(ends), max(ends)))
        return True

    def _read_edge(self, points: list[int], style: Any) -> bool:
        ends = self._ends(points)
        if ends is None:
            return False
        edges = list(_sides_between(*ends))
        inner = list(filter(self.drawing.is_inside, edges))
        if style in THICK:
            self.drawing.borders.update(inner)
        elif inner and style != LIKE_GRID:
            self.thin_edges.append((points, style, inner))
        if edges:
            return True
        diagonal = list(_diagonals_between(*ends))
        if style not in SOLID and style not in DASHED:
            return False
        self.drawing.lines.update(diagonal)
        return bool(diagonal)

    def _read_thin_edges(self) -> None:
        """Read edges that are not thick: as borders, if all are solid and alike and none is thick;
        lines that only count cells say nothing.
        """
        sides = {side for _, _, inner in self.thin_edges for side in inner}
        if self.drawing.is_ruling(sides):
            return
        styles = {str(style) for _, style, _ in self.thin_edges}
        is_solid = all(style in SOLID for _, style, _ in self.thin_edges)
        if is_solid and len(styles) == 1 and not self.drawing.borders:
            self.drawing.borders.update(sides)
            for side in sides:
                self.drawing.styles["border", side] = f"lineE {min(styles)}"
            return
        self.section = "lineE"
        for points, style, _ in self.thin_edges:
            key = ",".join(map(str, points))
            self._add_other(key, points, f"lineE {_style_text(style)}")

    def _read_missing_edge(self, points: list[int], style: Any) -> bool:
        """Skip a removed line of the grid, if it lies on no side between two cells, or between two
        that have a colour or a text, which nothing enters.
        """
        ends = self._ends(points)
        if ends is None:
            return False
        inner = filter(self.drawing.is_inside, _sides_between(*ends))
        return all(all(map(self._is_clue, cells_beside(side))) for side in inner)

    def _is_clue(self, cell: CellPos) -> bool:
        return cell in self.drawing.colours or centre(cell) in self.drawing.texts

    def _read_groups(self, drawn: list[list[CellPos]] | None, groups: Any) -> None:
        """Read lists of cells into the groups of the drawing; None for a section without any."""
        if not isinstance(groups, list):
            raise self._error(f"expected a list, got {str(groups)[:40]}")
        for number, group in enumerate(filter(None, groups)):
            if not isinstance(group, list):
                raise self._error(f"expected a list of cells, got {str(group)[:40]}")
            points = list(map(self._point_number, group))
            if drawn is None:
                self._add_other(f"{number}", points[:1], self.section)
                continue
            cells = list(map(self.numbers.cell, points))
            for cell in cells:
                if not self.drawing.is_cell(cell):
                    row, column = cell
                    raise self._error(f"row {row}, column {column} is not on the board")
            drawn.append(cells)

    def _read_cages(self, outlines: Mapping[str, Any]) -> None:
        """Find the cages that only their outlines show, and note the outlines of no cage as other
        symbols.
        """
        keys = {}
        for key in outlines:
            ends = sorted(map(self._point_number, key.split(",")))
            keys[",".join(map(str, ends))] = key
        if not self.drawing.cages:
            self.drawing.cages = list(self._outlined(keys))
        if not keys:
            return
        expected = dict(_cage_sides(self.drawing.cages, self.numbers))
        for line in sorted(keys.keys() ^ expected.keys()):
            description = "gap in a cage"
            if line in keys:
                description = f"cage {_style_text(outlines[keys[line]])}"
            self._add_other(line, [int(line.split(",")[0])], description)

    def _outlined(self, lines: Iterable[str]) -> Iterator[list[CellPos]]:
        """Yield the cages inside outlines."""
        shut: set[tuple[CellPos, Point]] = set()
        for line in lines:
            quarters = [self.numbers.quarter(int(end)) for end in line.split(",")]
            side_of_cell = _side_along(quarters)
            if side_of_cell is not None:
                shut.add(side_of_cell)
        cells = list(self.drawing.cells())
        numbers = {cell: number for number, cell in enumerate(cells)}
        joins = []
        for cell, number in numbers.items():
            for neighbour, side in zip(around(cell), sides(cell)):
                lines_between = {(cell, side), (neighbour, side)}
                if neighbour in numbers and shut.isdisjoint(lines_between):
                    joins.append((number, numbers[neighbour]))
        outlined = {cell for cell, _ in shut}
        for component in connected_components(range(len(cells)), joins):
            cage = [cells[number] for number in component]
            if not outlined.isdisjoint(cage):
                yield cage

    def _raise_small_texts(self) -> None:
        """Let a small text that stands alone in a cell outside be the text of this cell."""
        drawing = self.drawing
        for cell, texts in list(drawing.small.items()):
            point = centre(cell)
            if len(texts) == 1 and not drawing.has(cell) and point not in drawing.texts:
                (text,) = texts.values()
                drawing.texts[point] = text
                del drawing.small[cell]

    def _tell_apart(self) -> None:
        """Give signs that are drawn in several sizes or styles, which may mean several things, the
        names of these.
        """
        for (y, x), names in self.drawing.signs.items():
            for number, name in enumerate(names):
                shapes = self.shapes.get((name, y % 2, x % 2), ())
                if len(shapes) > 1:
                    names[number] = self.drawing.styles["sign", ((y, x), name)]

    def _add_text(self, point: Point, text: str) -> bool:
        """Draw a text, unless there is one; return whether it is there."""
        return self.drawing.texts.setdefault(point, text) == text

    def _add_sign(self, point: Point, name: str, description: str) -> None:
        names = self.drawing.signs.setdefault(point, [])
        if name in names:  # the same sign in two styles is two symbols
            name = description
        names.append(name)
        self.drawing.styles["sign", (point, name)] = description

    def _add_other(self, key: str, points: list[int], description: str) -> None:
        point = self._first_point(points)
        self.drawing.others[f"{self.section} {key}"] = (description, point)

    def _first_point(self, points: list[int]) -> Point:
        """Return where a symbol stands: a line at its first side, else at its first point."""
        ends = self._ends(points)
        if ends is not None:
            for side in _sides_between(*ends):
                return side
        point = self.numbers.point(points[0])
        if point is not None:
            return point
        cell_and_quarter = self.numbers.quarter(points[0])
        if cell_and_quarter is not None:
            return centre(cell_and_quarter[0])
        cell_number = (points[0] // 4) % self.numbers.size
        return centre(self.numbers.cell(cell_number))

    def _ends(self, points: list[int]) -> tuple[Point, Point] | None:
        """Return the ends of a line; None if there are not two, outside the insides of cells."""
        if len(points) != 2:
            return None
        first, second = map(self.numbers.point, points)
        if first is None or second is None:
            return None
        return first, second

    def _point(self, points: list[int]) -> Point | None:
        if len(points) != 1:
            return None
        return self.numbers.point(points[0])

    def _point_number(self, key: Any) -> int:
        text = str(key)
        if text.isascii() and text.isdigit() and len(text) < 10:
            number = int(text)
            if number < 12 * self.numbers.size:
                return number
        raise self._error(f"{text[:20]!r} is no point of the page")

    def _error(self, message: str) -> InputError:
        return InputError(f"line 4, {self.section}: {message}")


def _reading_order(section: tuple[str, Any]) -> int:
    """Return when a section is read: colours stand under texts, and removed lines beside both."""
    name, _ = section
    return {"surface": 0, "deletelineE": 2}.get(name, 1)


def _digits_on(candidates: Any) -> list[str]:
    """Return the digits that are on in a list of candidates."""
    if not isinstance(candidates, list):
        return []
    return [str(digit) for digit, on in enumerate(candidates, 1) if on == 1]


def _style_text(style: Any) -> str:
    """Return the style of a symbol, as a short text; of components that are on or off, the numbers
    of those that are on.
    """
    if isinstance(style, list) and style and all(on in (0, 1) for on in style):
        numbers = [str(number) for number, on in enumerate(style, 1) if on]
        style = ",".join(numbers)
    return str(style)[:40]


def _is_corner(point: Point) -> bool:
    y, x = point
    return y % 2 == 1 and x % 2 == 1


def _side_along(quarters: Sequence[Quarter | None]) -> tuple[CellPos, Point] | None:
    """Return the cell and the side of it along which a line between two of its quarters runs; None
    for other lines.
    """
    if len(quarters) != 2:
        return None
    first, second = quarters
    if first is None or second is None:
        return None
    (cell, first_quarter), (second_cell, second_quarter) = first, second
    pair = min(first_quarter, second_quarter), max(first_quarter, second_quarter)
    if cell != second_cell or pair not in QUARTER_SIDES:
        return None
    y, x = centre(cell)
    down, right = QUARTER_SIDES[pair]
    return cell, (y + down, x + right)


def _sides_between(start: Point, end: Point) -> Iterator[Point]:
    """Yield the middles of the sides along a straight line between two corners."""
    if not _is_corner(start) or not _is_corner(end):
        return
    (y, x), (end_y, end_x) = start, end
    if x == end_x:
        for step in _odd_steps(end_y - y):
            yield y + step, x
    elif y == end_y:
        for step in _odd_steps(end_x - x):
            yield y, x + step


def _diagonals_between(start: Point, end: Point) -> Iterator[tuple[Point, Point]]:
    """Yield the diagonals of cells along a diagonal line between two corners, each from above."""
    if not _is_corner(start) or not _is_corner(end):
        return
    (y, x), (end_y, end_x) = sorted((start, end))
    if end_y - y != abs(end_x - x):
        return
    right = 2 if end_x > x else -2
    for step in range((end_y - y) // 2):
        above = (y + 2 * step, x + right * step)
        yield above, (above[0] + 2, above[1] + right)


def _odd_steps(distance: int) -> range:
    """Return the odd numbers between 0 and a distance, in its direction."""
    if distance > 0:
        return range(1, distance, 2)
    return range(-1, distance, -2)


def page_with(drawing: Drawing, margins: tuple[int, int, int, int]) -> Page:
    """Return the page of a drawing, with so many rows and columns of margins: top, bottom, left,
    right.

    Raises:
        InputError: The page would be too large.
    """
    top, bottom, left, right = margins
    rows = drawing.height + top + bottom
    columns = drawing.width + left + right
    if max(rows, columns) > BOARD_SIDE:
        raise InputError(
            f"a page has at most {BOARD_SIDE} rows and columns, this one {rows} and {columns}"
        )
    numbers = PointNumbers(columns, rows, top, left)
    texts, symbols = _texts_and_symbols(drawing, numbers)
    lines, edges = _lines_and_edges(drawing, numbers)
    surface = {str(numbers.of_cell(cell)): tone for cell, tone in drawing.colours.items()}
    cages = dict(_cage_sides(drawing.cages, numbers))
    problem: dict[str, Any] = {
        "surface": surface,
        "number": texts,
        "numberS": _small_texts(drawing, numbers),
        "symbol": symbols,
        "line": lines,
        "lineE": edges,
        "cage": cages,
    }
    groups = {
        "killercages": drawing.cages,
        "thermo": drawing.bulbs,
        "arrows": drawing.arrows,
        "nobulbthermo": drawing.paths,
    }
    for section, lists in groups.items():
        problem[section] = [list(map(numbers.of_cell, cells)) for cells in lists]
    board = list(map(numbers.of_cell, drawing.cells()))
    return Page(columns, rows, board, problem, margins=margins)


def _texts_and_symbols(
    drawing: Drawing, numbers: PointNumbers
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the sections `number` and `symbol`."""
    texts: dict[str, Any] = {}
    symbols: dict[str, Any] = {}
    for point, text in drawing.texts.items():
        texts[str(numbers.of_point(point))] = _text_symbol(drawing, point, text)
    for point, names in drawing.signs.items():
        key = str(numbers.of_point(point))
        for name in names:
            symbol = _symbol(name, point)
            if name in DIGITS:
                texts[key] = [name, 6, "5"]
            elif symbol is not None:
                symbols[key] = [*symbol, 1]
    return texts, symbols


def _text_symbol(drawing: Drawing, point: Point, text: str) -> list[Any]:
    """Return a text with its style and mode; an arrow at its end is a number."""
    cell = cell_around(point)
    is_dark = drawing.colours.get(cell) in (DARK_GREY, FILLED)
    style = WHITE_ON_DARK if is_dark and point == centre(cell) else BLACK
    if text and text[-1] in ARROWS:
        digit = ARROWS.index(text[-1])
        return [f"{text[:-1]}_{digit}", style, "2"]
    return [text, style, "1"]


def _small_texts(drawing: Drawing, numbers: PointNumbers) -> dict[str, Any]:
    """Return the section `numberS`."""
    small: dict[str, Any] = {}
    for cell, texts in drawing.small.items():
        for quarter, text in texts.items():
            small[str(numbers.of_quarter(cell, quarter))] = [text, BLACK]
    return small


def _lines_and_edges(
    drawing: Drawing, numbers: PointNumbers
) -> tuple[dict[str, int], dict[str, int]]:
    """Return the sections `line`, between centres, and `lineE`, between corners."""
    lines: dict[str, int] = {}
    edges: dict[str, int] = {}
    for start, end in drawing.lines:
        section = edges if start[0] % 2 else lines
        section[_line_key(numbers, start, end)] = BORDER
    for y, x in drawing.borders:
        down, right = (0, 1) if y % 2 else (1, 0)
        start = (y - down, x - right)
        end = (y + down, x + right)
        edges[_line_key(numbers, start, end)] = BORDER
    return lines, edges


def _symbol(name: str, point: Point) -> tuple[int, str] | None:
    """Return the style and the name of a sign; small ones stand on sides and corners."""
    y, x = point
    if name in ("less", "greater"):  # they point to the left or up, or to the right or down
        style = 5 if name == "less" else 7
        if x % 2 == 0:
            style += 1
        return style, "inequality"
    if name not in SYMBOLS:
        return None
    style, symbol = SYMBOLS[name]
    is_in_cell = y % 2 == x % 2 == 0
    return style, symbol if is_in_cell or not symbol.startswith("circle") else "circle_SS"


def _line_key(numbers: PointNumbers, start: Point, end: Point) -> str:
    first, second = sorted(map(numbers.of_point, (start, end)))
    return f"{first},{second}"


# from a quarter of a cell to the next one right or below, which may be in the next cell
STEPS = (
    *(((0, 0), (0, 1)), ((0, 1), (1, 0)), ((1, 0), (0, 1)), ((0, 0), (1, 0))),
    *(((0, 1), (0, 1)), ((1, 1), (0, 1)), ((1, 0), (1, 0)), ((1, 1), (1, 0))),
)


def _cage_sides(
    cages: Iterable[Iterable[CellPos]], numbers: PointNumbers
) -> Iterator[tuple[str, int]]:
    """Yield the dashed lines inside the outlines of cages: those between quarters of cells at which
    the cage ends.
    """
    for cage in cages:
        cells = set(cage)
        quarters: set[tuple[int, int]] = set()
        for row, column in cells:
            rows = 2 * row, 2 * row + 1
            columns = 2 * column, 2 * column + 1
            quarters.update(product(rows, columns))
        for (row, column), ((down, right), step) in product(cells, STEPS):
            y = 2 * row + down
            x = 2 * column + right
            quarter = (y, x)
            next_quarter = (y + step[0], x + step[1])
            if next_quarter not in quarters:
                continue
            if not quarters.issuperset(_on_both_sides(quarter, next_quarter, step)):
                ends = sorted(_quarter_number(numbers, *end) for end in (quarter, next_quarter))
                yield f"{ends[0]},{ends[1]}", CAGE


def _on_both_sides(
    quarter: tuple[int, int], next_quarter: tuple[int, int], step: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """Yield the quarters on both sides of a line between two of them."""
    down, right = step
    for y, x in (quarter, next_quarter):
        yield y - right, x - down
        yield y + right, x + down


def _quarter_number(numbers: PointNumbers, y: int, x: int) -> int:
    """Return the point number of a quarter by its coordinates, in half cells."""
    quarter = 2 * (y % 2) + x % 2
    return numbers.of_quarter((y // 2, x // 2), quarter)
