"""The marks of a Penpa+ page as a drawing, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from puzzlekit.errors import InputError
from puzzlekit.lang.data.collections import BOARD_SIDE
from puzzlekit.links.drawing import Drawing
from puzzlekit.links.penpa_format import LISTS, Page, Points
from puzzlekit.links.penpa_symbols import ARMS, SYMBOLS, changed_by, digit_of, signs_of
from puzzlekit.model.graphs import connected_components
from puzzlekit.scene import CellPos, Point, around, centre, sides

THICK = (2, 21)  # the styles of a border
SOLID = (
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    16,
    21,
    107,
    116,
)  # styles of lines that are neither dashed nor double, nor a cross
LIKE_GRID = 80  # the style of a line that looks like the grid
BLACK, WHITE_ON_DARK, BORDER, CAGE = 1, 4, 2, 10  # styles of texts, lines and cages
BACKGROUNDS = {6: "white_circle", 7: "black_circle", 11: "red_circle"}  # of texts, by their style
FILLED = 4
WAYS = "↑←→↓↖↗↙↘"  # the arrows after a number, by the digit that stands for each
WAY_NAMES = ("up", "left", "right", "down", "up_left", "up_right", "down_left", "down_right")
DIGITS = "0123456789"
COLOURED = (
    "surface",
    "symbol",
    "line",
    "lineE",
)  # parts whose colours count, if a page replaces them
UNDONE = ("command_redo", "command_undo", "command_replay")  # what a layer has that is no mark


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
    height, width = (
        max(row for row, _ in cells) - top + 1,
        max(column for _, column in cells) - left + 1,
    )
    drawing = Drawing(height, width)
    drawing.holes = set(drawing.cells()) - {
        (row - top + 1, column - left + 1) for row, column in cells
    }
    _Reader(page, points, drawing).read()
    return drawing


class _Reader:
    """Reads the parts of a layer into a drawing. A mark that it does not know is one of the others,
    with its key.
    """

    def __init__(self, page: Page, points: Points, drawing: Drawing) -> None:
        self.layer = page.problem
        self.own_colours = page.own_colours
        self.points = points
        self.drawing = drawing
        self.part = ""
        self.forms: dict[
            tuple[str, int, int], set[str]
        ] = {}  # of the symbols that stand for a sign in cells, on sides, on corners

    def read(self) -> None:
        readers = {
            "surface": self._surface,
            "number": self._number,
            "numberS": self._small,
            "symbol": self._symbol,
            "line": self._line,
            "lineE": self._edge,
            "deletelineE": self._no_edge,
        }
        groups = {
            "killercages": self.drawing.cages,
            "thermo": self.drawing.bulbs,
            "arrows": self.drawing.arrows,
            "nobulbthermo": self.drawing.paths,
        }
        for part, value in self.layer.items():
            self.part = part
            if part in UNDONE or not value:
                continue
            if part in LISTS:
                self._groups(groups.get(part), value)
            elif isinstance(value, dict):
                own_colours = self.own_colours.get(part) if part in COLOURED else None
                for key, mark in value.items():
                    points = [self._point(point) for point in key.split(",")]
                    colour = own_colours.get(key) if isinstance(own_colours, dict) else None
                    known = changed_by(colour, part, mark) if isinstance(colour, str) else mark
                    if part != "cage" and not (
                        part in readers and known is not None and readers[part](points, known)
                    ):
                        self._other(
                            key, points, f"{part} {_shown(mark)}{f' in {colour}' if colour else ''}"
                        )
            else:
                raise self._error(f"expected a mapping, got {str(value)[:40]}")
        self._cages(self.layer.get("cage") or {})
        self._tell_apart()

    # Each of these puts a mark into the drawing, or returns False if it does not know it. Marks of
    # no effect are skipped.

    def _surface(self, points: list[int], colour: Any) -> bool:
        place = self._place(points)
        if place is None or place[0] % 2 or place[1] % 2 or not isinstance(colour, int):
            return False
        if colour:
            self.drawing.colours[place[0] // 2, place[1] // 2] = colour
        return True

    def _number(self, points: list[int], value: Any) -> bool:
        place = self._place(points)
        if place is None or not isinstance(value, list) or not value:
            return False
        text, style, mode = (
            value[0],
            value[1] if len(value) > 1 else BLACK,
            str(value[2]) if len(value) > 2 else "1",
        )
        if mode == "7":  # digits that a cell may have; one alone is a digit
            digits = (
                [str(digit) for digit, on in enumerate(text, 1) if on == 1]
                if isinstance(text, list)
                else []
            )
            if len(digits) != 1:
                return False
            text = digits[0]
        text = str(text).strip()
        if mode == "2" and text[-2:-1] == "_" and text[-1] in DIGITS[: len(WAYS)]:
            self._sign(place, WAY_NAMES[int(text[-1])], f"arrow of {text!r}")
            text = text[:-2]
            if not text:
                return True
        if isinstance(style, int) and style in BACKGROUNDS:
            self._sign(place, BACKGROUNDS[style], f"circle of {text!r}")
        return self._text(place, text)

    def _small(self, points: list[int], value: Any) -> bool:
        spot = self.points.small(points[0])
        if spot is None or not isinstance(value, list) or not value:
            return False
        if text := str(value[0]).strip():
            self.drawing.small.setdefault(spot[0], {})[spot[1]] = text
        return True

    def _symbol(self, points: list[int], value: Any) -> bool:
        place = self._place(points)
        if place is None or not isinstance(value, list) or len(value) < 2:
            return False
        style, name = value[0], str(value[1])
        if name == "cross" and isinstance(style, list):
            arms = [
                (place, (place[0] + down, place[1] + right))
                for (down, right), on in zip(ARMS, style)
                if on == 1
            ]
            self.drawing.lines |= {(min(arm), max(arm)) for arm in arms}
            return bool(arms)
        if digit := digit_of(name, style):
            return self._text(place, digit)
        about = f"{name} {_shown(style)}"
        for sign in signs_of(name, style) or [about]:
            self._sign(place, sign, about)
            self.forms.setdefault((sign, place[0] % 2, place[1] % 2), set()).add(
                about if "_" in sign else name
            )
        return True

    def _line(self, points: list[int], style: Any) -> bool:
        """Read a solid line of one step, if all lines of the page are alike: two styles may mean
        two things.
        """
        ends = self._ends(points)
        if (
            ends is None
            or style not in SOLID
            or max(abs(one - other) for one, other in zip(*ends)) > 2
        ):
            return False
        if self.part == "line" and len(set(self.layer["line"].values())) > 1:
            return False
        self.drawing.lines.add((min(ends), max(ends)))
        return True

    def _edge(self, points: list[int], style: Any) -> bool:
        if (ends := self._ends(points)) is None:
            return False
        sides = list(_sides_between(*ends))
        inner = [side for side in sides if self.drawing.is_inside(side)]
        if style not in THICK:
            return bool(sides) and (style == LIKE_GRID or not inner)
        self.drawing.borders.update(inner)
        return bool(sides) or (
            all(part % 2 for end in ends for part in end) and self._line(points, style)
        )  # a diagonal

    def _no_edge(self, points: list[int], style: Any) -> bool:
        ends = self._ends(points)
        return ends is not None and not any(
            self.drawing.is_inside(side) for side in _sides_between(*ends)
        )

    def _groups(self, kept: list[list[CellPos]] | None, found: Any) -> None:
        if not isinstance(found, list):
            raise self._error(f"expected a list, got {str(found)[:40]}")
        for number, group in enumerate(group for group in found if group):
            if not isinstance(group, list):
                raise self._error(f"expected a list of cells, got {str(group)[:40]}")
            points = [self._point(point) for point in group]
            if kept is None:
                self._other(f"{number}", points[:1], self.part)
                continue
            cells = [self.points.of_cell(point) for point in points]
            if stray := [
                cell for cell in cells if cell in self.drawing.holes or not self.drawing.has(cell)
            ]:
                raise self._error(f"row {stray[0][0]}, column {stray[0][1]} is not on the board")
            kept.append(cells)

    def _cages(self, outlines: Mapping[str, Any]) -> None:
        """Find the cages that only their outlines state, and keep the outlines of no cage as other
        marks.
        """
        self.part = "cage"
        drawn = {
            ",".join(str(end) for end in sorted(map(self._point, key.split(",")))): key
            for key in outlines
        }
        self.drawing.cages = self.drawing.cages or list(self._outlined(drawn))
        stated = dict(_cage_sides(self.drawing.cages, self.points))
        for ends in drawn.keys() ^ stated.keys() if drawn else ():
            about = f"cage {_shown(outlines[drawn[ends]])}" if ends in drawn else "gap in a cage"
            self._other(ends, [int(ends.split(",")[0])], about)

    def _outlined(self, drawn: Iterable[str]) -> Iterator[list[CellPos]]:
        """Yield the cages inside outlines."""
        ends = [tuple(self.points.small(int(end)) for end in key.split(",")) for key in drawn]
        shut = {
            _side_of(one, other)
            for one, other in (pair for pair in ends if len(pair) == 2)
            if one and other
        }
        cells = list(self.drawing.cells())
        numbers = {cell: number for number, cell in enumerate(cells)}
        joins = (
            (numbers[cell], numbers[near])
            for cell in cells
            for near, side in zip(around(cell), sides(cell))
            if near in numbers and (cell, side) not in shut and (near, side) not in shut
        )
        outlined = {cell for cell, _ in filter(None, shut)}
        for piece in connected_components(range(len(cells)), joins):
            if not outlined.isdisjoint(cage := [cells[number] for number in piece]):
                yield cage

    def _tell_apart(self) -> None:
        """Give signs that are drawn in several sizes or styles, which may mean several things, the
        names of these.
        """
        for place, names in self.drawing.signs.items():
            for number, name in enumerate(names):
                if len(self.forms.get((name, place[0] % 2, place[1] % 2), ())) > 1:
                    names[number] = self.drawing.styles["sign", (place, name)]

    def _text(self, place: Point, text: str) -> bool:
        return self.drawing.texts.setdefault(place, text) is text

    def _sign(self, place: Point, name: str, about: str) -> None:
        names = self.drawing.signs.setdefault(place, [])
        names.append(about if name in names else name)  # the same sign in two styles is two marks
        self.drawing.styles["sign", (place, names[-1])] = about

    def _other(self, key: str, points: list[int], about: str) -> None:
        inside = self.points.small(points[0])
        cell = inside[0] if inside else self.points.of_cell((points[0] // 4) % self.points.size)
        place = next(
            _sides_between(*(self._ends(points) or ((0, 0), (0, 0)))),
            self.points.place(points[0]) or centre(cell),
        )
        self.drawing.others[f"{self.part} {key}"] = (about, place)

    def _ends(self, points: list[int]) -> tuple[Point, Point] | None:
        places = [place for point in points if (place := self.points.place(point)) is not None]
        return (places[0], places[1]) if len(places) == len(points) == 2 else None

    def _place(self, points: list[int]) -> Point | None:
        return self.points.place(points[0]) if len(points) == 1 else None

    def _point(self, key: Any) -> int:
        text = str(key)
        if not (
            text.isascii()
            and text.isdigit()
            and len(text) < 10
            and int(text) < 12 * self.points.size
        ):
            raise self._error(f"{text[:20]!r} is no point of the page")
        return int(text)

    def _error(self, message: str) -> InputError:
        return InputError(f"line 4, {self.part}: {message}")


def _shown(style: Any) -> str:
    """Return the style of a mark, as a short text; of parts that are on or off, the numbers of
    those that are on.
    """
    if isinstance(style, list) and style and all(part in (0, 1) for part in style):
        style = ",".join(str(number) for number, on in enumerate(style, 1) if on)
    return str(style)[:40]


def _side_of(one: tuple[CellPos, int], other: tuple[CellPos, int]) -> tuple[CellPos, Point] | None:
    """Return the cell and the side of it along which a line between two of its quarters runs; None
    for other lines.
    """
    steps = {(0, 1): (-1, 0), (2, 3): (1, 0), (0, 2): (0, -1), (1, 3): (0, 1)}
    step = steps.get((min(one[1], other[1]), max(one[1], other[1]))) if one[0] == other[0] else None
    y, x = centre(one[0])
    return (one[0], (y + step[0], x + step[1])) if step else None


def _sides_between(one: Point, other: Point) -> Iterator[Point]:
    """Yield the middles of the sides along a straight line between two corners."""
    (y, x), (down, right) = one, (other[0] - one[0], other[1] - one[1])
    if y % 2 == 0 or x % 2 == 0 or other[0] % 2 == 0 or other[1] % 2 == 0 or (down and right):
        return
    step = ((down > 0) - (down < 0), (right > 0) - (right < 0))
    for number in range(1, abs(down + right), 2):
        yield y + step[0] * number, x + step[1] * number


def page_with(drawing: Drawing, margins: tuple[int, int, int, int]) -> Page:
    """Return the page of a drawing, with so many rows and columns of margins: top, bottom, left,
    right.

    Raises:
        InputError: The page would be too large.
    """
    top, bottom, left, right = margins
    rows, columns = drawing.height + top + bottom, drawing.width + left + right
    if max(rows, columns) > BOARD_SIDE:
        raise InputError(
            f"a page has at most {BOARD_SIDE} rows and columns, this one {rows} and {columns}"
        )
    points = Points(columns, rows, top, left)
    number, symbols = {}, {}
    for place, text in drawing.texts.items():
        dark = place[0] % 2 == place[1] % 2 == 0 and drawing.colours.get(
            (place[0] // 2, place[1] // 2)
        ) in (1, FILLED)
        arrow = text[-1:] in WAYS and text
        shown = f"{text[:-1]}_{WAYS.index(text[-1])}" if arrow else text
        number[str(points.at(place))] = [
            shown,
            WHITE_ON_DARK if dark else BLACK,
            "2" if arrow else "1",
        ]
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
        "line": {
            _pair(points, one, other): BORDER for one, other in drawing.lines if one[0] % 2 == 0
        },
        "lineE": {
            **{_pair(points, one, other): BORDER for one, other in drawing.lines if one[0] % 2},
            **edges,
        },
        "cage": dict(_cage_sides(drawing.cages, points)),
        "killercages": [[points.cell(cell) for cell in cage] for cage in drawing.cages],
        "thermo": [[points.cell(cell) for cell in line] for line in drawing.bulbs],
        "arrows": [[points.cell(cell) for cell in line] for line in drawing.arrows],
        "nobulbthermo": [[points.cell(cell) for cell in line] for line in drawing.paths],
    }
    return Page(
        columns, rows, [points.cell(cell) for cell in drawing.cells()], problem, margins=margins
    )


def _symbol(name: str, place: Point) -> tuple[int, str] | None:
    """Return the style and the name of a sign; small ones stand on sides and corners."""
    within = place[0] % 2 == place[1] % 2 == 0
    if name in ("less", "greater"):  # they point to the left or up, or to the right or down
        return (5 if name == "less" else 7) + (place[1] % 2 == 0), "inequality"
    if name not in SYMBOLS:
        return None
    style, symbol = SYMBOLS[name]
    return style, symbol if within or not symbol.startswith("circle") else "circle_SS"


def _pair(points: Points, one: Point, other: Point) -> str:
    return ",".join(map(str, sorted((points.at(one), points.at(other)))))


# from a quarter of a cell to the one beside it or below it, which may be in the next cell
STEPS = (
    *(((0, 0), (0, 1)), ((0, 1), (1, 0)), ((1, 0), (0, 1)), ((0, 0), (1, 0))),
    *(((0, 1), (0, 1)), ((1, 1), (0, 1)), ((1, 0), (1, 0)), ((1, 1), (1, 0))),
)


def _cage_sides(cages: Iterable[Iterable[CellPos]], points: Points) -> Iterator[tuple[str, int]]:
    """Yield the dashed lines inside the outlines of cages: those between quarters of cells beside
    which the cage ends.
    """
    for cage in cages:
        own = set(cage)
        inside = {
            (2 * row + down, 2 * column + right)
            for row, column in own
            for down in (0, 1)
            for right in (0, 1)
        }
        for row, column in own:
            for (y, x), (down, right) in STEPS:
                one = (2 * row + y, 2 * column + x)
                other = (one[0] + down, one[1] + right)
                beside = {
                    (y + way * right, x + way * down) for y, x in (one, other) for way in (-1, 1)
                }
                if other in inside and not beside <= inside:
                    ends = sorted(
                        points.quarter((y // 2, x // 2), 2 * (y % 2) + x % 2)
                        for y, x in (one, other)
                    )
                    yield f"{ends[0]},{ends[1]}", CAGE
