"""The marks of a Penpa+ page as a drawing, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from puzzlekit.errors import InputError
from puzzlekit.lang.data.collections import BOARD_SIDE
from puzzlekit.lang.show_reader import ARROWS
from puzzlekit.links.drawing import Drawing
from puzzlekit.links.penpa_format import Page, Points
from puzzlekit.render.scene import At, Point

THICK = (2, 21)  # the styles of a border
BLACK, WHITE_ON_DARK, BORDER, CAGE = 1, 4, 2, 10  # styles of texts, lines and cages
FILLED = 4
WAYS = "↑←→↓↖↗↙↘"  # the arrows after a number, by the digit that stands for each
DIGITS = "0123456789"

# the styles of symbols, by the name of the symbol and the style
CIRCLES = {1: "white_circle", 2: "black_circle", 3: "grey_circle", 5: "grey_circle", 6: "white_circle", 10: "white_circle"}
HALVES = {1: "half_up_left", 2: "half_down_left", 3: "half_down_right", 4: "half_up_right"}
OTHERS: dict[str, Mapping[int, str]] = {
    "star": {1: "star", 2: "star", 3: "star", 0: "cross"},
    "tents": {1: "tree", 2: "tent"},
    "tri": HALVES,
    "inequality": {1: "less", 2: "less", 3: "greater", 4: "greater", 5: "less", 6: "less", 7: "greater", 8: "greater"},
    "sun_moon": {1: "moon", 2: "sun", 3: "bulb", 4: "mine"},
}
CROSSES = {1: "white_circle", 2: "triangle", 4: "cross", 7: "cross"}
CLOCKWISE = [ARROWS[(number - 2) % 8] for number in range(8)]  # from the left on, as the styles count

# how the signs of pictures are written: in cells, and on sides and corners where that differs
SYMBOLS: dict[str, tuple[int, str]] = {
    "white_circle": (1, "circle_L"),
    "black_circle": (2, "circle_L"),
    "grey_circle": (5, "circle_L"),
    "dot": (2, "circle_SS"),
    "star": (2, "star"),
    "bulb": (3, "sun_moon"),
    "mine": (4, "sun_moon"),
    "tree": (1, "tents"),
    "tent": (2, "tents"),
    "ship": (2, "square_M"),
    "queen": (2, "star"),
    "triangle": (2, "ox_B"),
    "cross": (4, "ox_B"),
    **{name: (style, "tri") for style, name in HALVES.items()},
    **{name: (style, "arrow_S") for style, name in enumerate(CLOCKWISE, 1)},
}


def drawing_of(page: Page) -> Drawing:
    """Return the drawing of the problem of a page.

    Raises:
        InputError: A part of the problem is no such part; the message names it.
    """
    points = Points(page.columns, page.rows)
    cells = [points.of_cell(point) for point in page.cells]
    if not cells:
        raise InputError("line 6: the page has no cells")
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    points = Points(page.columns, page.rows, top - 1, left - 1)
    height, width = max(row for row, _ in cells) - top + 1, max(column for _, column in cells) - left + 1
    drawing = Drawing(height, width)
    drawing.holes = set(drawing.cells()) - {(row - top + 1, column - left + 1) for row, column in cells}
    reader = _Reader(page.problem, points, drawing)
    reader.read()
    return drawing


class _Reader:
    """Reads the parts of a layer into a drawing."""

    def __init__(self, layer: Mapping[str, Any], points: Points, drawing: Drawing) -> None:
        self.layer = layer
        self.points = points
        self.drawing = drawing
        self.part = ""

    def read(self) -> None:
        drawing = self.drawing
        for place, value in self._places("surface"):
            if isinstance(value, int):
                drawing.colours[place[0] // 2, place[1] // 2] = value
        for place, value in self._places("number"):
            if isinstance(value, list) and value and (text := _text(value)):
                drawing.texts[place] = text
        for key, value in self._items("numberS"):
            if (spot := self.points.small(self._point(key))) and isinstance(value, list) and value:
                drawing.small.setdefault(spot[0], {})[spot[1]] = str(value[0]).strip()
        for place, value in self._places("symbol"):
            if isinstance(value, list) and len(value) > 1:
                drawing.signs.setdefault(place, []).extend(_signs(str(value[1]), value[0]))
        for one, other, style in self._pairs("lineE"):
            if style in THICK:
                drawing.borders.update(_sides_between(one, other))
        for one, other, _ in self._pairs("line"):
            drawing.lines.add((min(one, other), max(one, other)))
        drawing.cages = self._groups("killercages")
        drawing.bulbs = self._groups("thermo")
        drawing.arrows = self._groups("arrows")
        drawing.paths = self._groups("nobulbthermo")

    def _items(self, part: str) -> Iterable[tuple[str, Any]]:
        self.part = part
        found = self.layer.get(part) or {}
        if not isinstance(found, dict):
            raise self._error(f"expected a mapping, got {str(found)[:40]}")
        return found.items()

    def _places(self, part: str) -> Iterator[tuple[At, Any]]:
        for key, value in self._items(part):
            if (place := self.points.place(self._point(key))) is not None:
                yield place, value

    def _pairs(self, part: str) -> Iterator[tuple[At, At, Any]]:
        for key, value in self._items(part):
            ends = [self.points.place(self._point(end)) for end in key.split(",")]
            if len(ends) == 2 and ends[0] is not None and ends[1] is not None:
                yield ends[0], ends[1], value

    def _groups(self, part: str) -> list[list[Point]]:
        self.part = part
        found = self.layer.get(part) or []
        if not isinstance(found, list):
            raise self._error(f"expected a list, got {str(found)[:40]}")
        return [self._group(group) for group in found if group]

    def _group(self, group: Any) -> list[Point]:
        if not isinstance(group, list):
            raise self._error(f"expected a list of cells, got {str(group)[:40]}")
        cells = [self.points.of_cell(self._point(point)) for point in group]
        board = set(self.drawing.cells())
        if stray := [cell for cell in cells if cell not in board]:
            raise self._error(f"row {stray[0][0]}, column {stray[0][1]} is not on the board")
        return cells

    def _point(self, key: Any) -> int:
        text = str(key)
        if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) < 12 * self.points.size):
            raise self._error(f"{text[:20]!r} is no point of the page")
        return int(text)

    def _error(self, message: str) -> InputError:
        return InputError(f"line 4, {self.part}: {message}")


def _text(value: list[Any]) -> str:
    """Return the text of a number; one with an arrow ends in the arrow."""
    text, mode = str(value[0]).strip(), str(value[2]) if len(value) > 2 else "1"
    if mode == "7":  # candidates
        return ""
    if mode == "2" and text[-2:-1] == "_" and text[-1] in DIGITS[: len(WAYS)]:
        return text[:-2] + WAYS[int(text[-1])]
    return text


def _signs(name: str, style: Any) -> list[str]:
    """Return the signs that a symbol of this name and style, or styles, stands for; none if it is unknown."""
    styles = [at for at, on in enumerate(style, 1) if on == 1] if isinstance(style, list) else [style]
    family = name.split("_")[0]
    if family == "circle":
        known: Mapping[int, str] = CIRCLES
    elif family == "arrow":
        known = dict(enumerate(CLOCKWISE, 1))
    elif family == "ox":
        known = CROSSES
    else:
        known = OTHERS.get(name, {})
    return [known[number] for number in styles if isinstance(number, int) and number in known]


def _sides_between(one: At, other: At) -> Iterator[At]:
    """Yield the middles of the sides along a straight line between two corners."""
    (y, x), (down, right) = one, (other[0] - one[0], other[1] - one[1])
    if y % 2 == 0 or x % 2 == 0 or (down and right):
        return
    step = ((down > 0) - (down < 0), (right > 0) - (right < 0))
    for number in range(1, abs(down + right), 2):
        yield y + step[0] * number, x + step[1] * number


def page_with(drawing: Drawing, margins: tuple[int, int, int, int]) -> Page:
    """Return the page of a drawing, with so many rows and columns of margins: top, bottom, left, right.

    Raises:
        InputError: The page would be too large.
    """
    top, bottom, left, right = margins
    rows, columns = drawing.height + top + bottom, drawing.width + left + right
    most = BOARD_SIDE
    if max(rows, columns) > most:
        raise InputError(f"a page has at most {most} rows and columns, this one {rows} and {columns}")
    points = Points(columns, rows, top, left)
    number, symbols = {}, {}
    for place, text in drawing.texts.items():
        dark = place[0] % 2 == place[1] % 2 == 0 and drawing.colours.get((place[0] // 2, place[1] // 2)) in (1, FILLED)
        arrow = text[-1:] in WAYS and text
        shown = f"{text[:-1]}_{WAYS.index(text[-1])}" if arrow else text
        number[str(points.at(place))] = [shown, WHITE_ON_DARK if dark else BLACK, "2" if arrow else "1"]
    for place, names in drawing.signs.items():
        for name in names:
            if name in DIGITS:
                number[str(points.at(place))] = [name, 6, "5"]
            elif symbol := _symbol(name, place):
                symbols[str(points.at(place))] = [*symbol, 1]
    edges = {}
    for y, x in drawing.borders:
        ends = ((y - 1, x), (y + 1, x)) if y % 2 == 0 else ((y, x - 1), (y, x + 1))
        edges[_pair(points, *ends)] = BORDER
    small = {
        str(points.quarter(cell, quarter)): [text, BLACK]
        for cell, texts in drawing.small.items()
        for quarter, text in texts.items()
    }
    problem = {
        "surface": {str(points.cell(cell)): colour for cell, colour in drawing.colours.items()},
        "number": number,
        "numberS": small,
        "symbol": symbols,
        "line": {_pair(points, one, other): BORDER for one, other in drawing.lines if one[0] % 2 == 0},
        "lineE": {**{_pair(points, one, other): BORDER for one, other in drawing.lines if one[0] % 2}, **edges},
        "cage": dict(_cage_sides(drawing.cages, points)),
        "killercages": [[points.cell(cell) for cell in cage] for cage in drawing.cages],
        "thermo": [[points.cell(cell) for cell in line] for line in drawing.bulbs],
        "arrows": [[points.cell(cell) for cell in line] for line in drawing.arrows],
        "nobulbthermo": [[points.cell(cell) for cell in line] for line in drawing.paths],
    }
    return Page(columns, rows, [points.cell(cell) for cell in drawing.cells()], problem, margins=margins)


def _symbol(name: str, place: At) -> tuple[int, str] | None:
    """Return the style and the name of a sign; small ones stand on sides and corners."""
    within = place[0] % 2 == place[1] % 2 == 0
    if name in ("less", "greater"):  # they point to the left or up, or to the right or down
        return (5 if name == "less" else 7) + (place[1] % 2 == 0), "inequality"
    if name not in SYMBOLS:
        return None
    style, symbol = SYMBOLS[name]
    return style, symbol if within or not symbol.startswith("circle") else "circle_SS"


def _pair(points: Points, one: At, other: At) -> str:
    return ",".join(map(str, sorted((points.at(one), points.at(other)))))


STEPS = (  # from a quarter of a cell to the one beside it or below it, which may be in the next cell
    *(((0, 0), (0, 1)), ((0, 1), (1, 0)), ((1, 0), (0, 1)), ((0, 0), (1, 0))),
    *(((0, 1), (0, 1)), ((1, 1), (0, 1)), ((1, 0), (1, 0)), ((1, 1), (1, 0))),
)


def _cage_sides(cages: Iterable[Iterable[Point]], points: Points) -> Iterator[tuple[str, int]]:
    """Yield the dashed lines inside the outlines of cages: those between quarters of cells beside which the cage ends."""
    for cage in cages:
        own = set(cage)
        inside = {(2 * row + down, 2 * column + right) for row, column in own for down in (0, 1) for right in (0, 1)}
        for row, column in own:
            for (y, x), (down, right) in STEPS:
                one = (2 * row + y, 2 * column + x)
                other = (one[0] + down, one[1] + right)
                beside = {(y + way * right, x + way * down) for y, x in (one, other) for way in (-1, 1)}
                if other in inside and not beside <= inside:
                    ends = sorted(points.quarter((y // 2, x // 2), 2 * (y % 2) + x % 2) for y, x in (one, other))
                    yield f"{ends[0]},{ends[1]}", CAGE
