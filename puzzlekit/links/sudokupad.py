"""Links of SudokuPad with the data of a puzzle: `scl…` and `ctc…`, a drawing as JSON.

The JSON is compressed by LZ-string, and perhaps shortened before: keys without quotes, short names
for the usual ones. A drawing names no type; without one, it is read as the type that has links of
f-puzzles. A link that this module writes names it, and states below the rules what the picture does
not show, so that it is read back without loss.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any
from urllib.parse import quote, unquote

from puzzlekit.catalogue import find, is_known
from puzzlekit.errors import InputError
from puzzlekit.lang import BOARD_SIDE, Instance, PuzzleType, read_type
from puzzlekit.links import ParsedPuzzle, type_with
from puzzlekit.links.drawing import Drawing, cell_around
from puzzlekit.links.lz_string import compress, decompress
from puzzlekit.links.penpa import (
    hidden_fields,
    picture_of,
    puzzle_from_here,
    puzzle_of_drawing,
    rules_with,
)
from puzzlekit.links.penpa_drawing import ARROW_NAMES
from puzzlekit.links.penpa_symbols import SURFACES, surface_of
from puzzlekit.scene import CellPos, Point, centre
from puzzlekit.source import FILE_CHARACTERS

SITE = "https://sudokupad.app/scl"
SITE_NAME = "SudokuPad"
DATA = r"([A-Za-z0-9+/=%-]{16,2000000})(?:[?&#]\S{0,2000})?"
LINK = re.compile(
    r"\s*(?:(?:https?://)?[\w.-]{1,80}/(?:\w{1,20}/)?(?:\?puzzleid=)?)?(?:scl|ctc)" + DATA + r"\s*"
)
OURS = "puzzlekit"  # the key of the name of the type in a link from here
STRING = re.compile(r'("(?:\\.|[^"\\])*")', re.DOTALL)
SHORT_KEYS = {
    "c": "color", "ca": "cages", "ct": "center", "c1": "borderColor", "c2": "backgroundColor",
    "ce": "cells", "cs": "cellSize", "a": "arrows", "o": "overlays", "u": "underlays",
    "w": "width", "h": "height", "v": "value", "vd": "videos", "l": "lines", "r": "rounded",
    "re": "regions", "fs": "fontSize", "th": "thickness", "hl": "headLength", "wp": "wayPoints",
    "t": "title", "te": "text", "d": "duration", "d2": "d",
}  # fmt: skip
SHORTENED = (  # what stands outside of strings, and what it is in JSON
    (re.compile(r"([,{\[])([a-zA-Z0-9]+):"), r'\1"\2":'),
    (re.compile(r"([,\[])(?=[,\]])"), r"\1{}"),
    (re.compile(r"(:)f(?=[,}\]])"), r"\1false"),
    (re.compile(r"(:)t(?=[,}\]])"), r"\1true"),
    (re.compile(r":#0(?=[,}\]])"), ':"#000000"'),
    (re.compile(r":#F(?=[,}\]])"), ':"#FFFFFF"'),
    (re.compile(r":([0-9a-fA-F]{6})(?=[,}\]])"), r':"#\1"'),
)
HIDDEN_CAGES = ("box", "rowcol")  # the styles of cages that repeat rows, columns and boxes
ABOUT = {"title": "title", "author": "source"}
SHAPES = {"#FFFFFF": "white", "#000000": "black"}
COLOURS = {number: f"#{digits}" for digits, number in SURFACES.items()}
# the texts of signs that are neither circles nor squares
SIGN_TEXTS = {
    **{name: sign for sign, name in zip("↑←→↓↖↗↙↘", ARROW_NAMES)},
    "cross": "✕", "star": "★", "tree": "♣", "tent": "⌂", "mine": "✹", "bulb": "☼", "sun": "☀",
    "moon": "☾", "triangle": "△", "queen": "♛", "plus": "＋", "minus": "－", "dot": "∙",
    "bar_across": "―", "bar_down": "❘", "ship": "■", "half_up_left": "◤", "half_up_right": "◥",
    "half_down_left": "◣", "half_down_right": "◢",
}  # fmt: skip
SIGN_NAMES = {text: name for name, text in SIGN_TEXTS.items()}
# by the name and whether it stands between two cells of a row
INEQUALITIES = {("less", 1): "<", ("greater", 1): ">", ("less", 0): "∧", ("greater", 0): "∨"}
DARK_COLOURS = (1, 4)
NOT_IN_PICTURE = "Not in the picture:"  # the line of the rules before the fields
BORDER, LINE = 5, 3  # how thick borders and the lines of a picture are
QUARTER = (0.2, 0.45)  # how far from the middle of its cell a small text stands
HOLE = 1.05  # the width of a square that hides a cell with its sides
FULL_CELL = 0.9  # the width from which a square fills its cell
MOST = 5000  # elements of a drawing


def recognises(text: str) -> bool:
    """Return whether a text is a link, or its end, with the data of a puzzle."""
    return LINK.fullmatch(text) is not None


def read(text: str, puzzle_type: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzle of a link.

    Raises:
        InputError: The link has an error, or marks that are none of a drawing.
    """
    match = LINK.fullmatch(text)
    assert match is not None
    sheet = _json(decompress(unquote(match[1]), FILE_CHARACTERS))
    metadata = sheet.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    puzzle_type = _type_of(metadata, puzzle_type)
    about = _about(sheet, metadata)
    rules = str(metadata.get("rules", ""))
    try:
        drawing = _Reader(sheet).drawing()
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError) as error:
        raise InputError(f"the data of the link have an unknown form: {error}") from None
    if OURS not in metadata and NOT_IN_PICTURE not in rules:
        return [puzzle_of_drawing(drawing, puzzle_type, about)]
    puzzle = puzzle_from_here(drawing, puzzle_type, rules, about, _redrawn)
    return [puzzle]


def _type_of(metadata: Mapping[str, Any], puzzle_type: PuzzleType | None) -> PuzzleType:
    """Return the type of the puzzle: the one that the user or the link names. Raises InputError."""
    name = metadata.get(OURS)
    if name is None:
        return puzzle_type or read_type(find(type_with("fpuzzles")))
    if puzzle_type is None:
        return read_type(find(str(name)[:100]))
    if puzzle_type.name != name and is_known(puzzle_type.name):
        raise InputError(f"the link is a puzzle of {str(name)[:40]}, not of {puzzle_type.name}")
    return puzzle_type


def _redrawn(puzzle: Instance) -> Drawing:
    drawing, _ = picture_of(puzzle, SITE_NAME)
    return _Reader(_sheet_of(drawing)).drawing()


def _json(text: str) -> dict[str, Any]:
    """Return the data that a text states as JSON, perhaps shortened. Raises InputError."""
    try:
        sheet = json.loads(text)
    except (ValueError, RecursionError):
        try:
            sheet = _with_long_keys(json.loads(_lengthened(text)))
        except (ValueError, RecursionError) as error:
            reason = "; the link may be cut off" if isinstance(error, ValueError) else ""
            raise InputError(f"the data of the link are not JSON{reason}") from None
    if not isinstance(sheet, dict):
        raise InputError("the data of the link: expected an object")
    return sheet


def _lengthened(text: str) -> str:
    """Return shortened JSON as JSON."""
    if '"' not in text:
        text = re.sub(r"\\'|'", lambda quote: "'" if quote[0] == r"\'" else '"', text)
    segments = STRING.split(text)
    for number in range(0, len(segments), 2):
        for pattern, full in SHORTENED:
            segments[number] = pattern.sub(full, segments[number])
    return "".join(segments)


def _with_long_keys(sheet: Any) -> Any:
    """Return data with the usual names of keys."""
    if isinstance(sheet, dict):
        return {SHORT_KEYS.get(key, key): _with_long_keys(value) for key, value in sheet.items()}
    return list(map(_with_long_keys, sheet)) if isinstance(sheet, list) else sheet


def _about(sheet: Mapping[str, Any], metadata: Mapping[str, Any]) -> dict[str, str]:
    """Return the title and the author, which may stand in cages without cells."""
    texts = {key: str(metadata[key]) for key in ABOUT if metadata.get(key)}
    for cage in sheet.get("cages") or ():
        if isinstance(cage, dict) and not cage.get("cells"):
            key, _, text = str(cage.get("value", "")).partition(":")
            texts.setdefault(key.strip(), text.strip())
    about = {field: " ".join(texts.get(key, "").split()) for key, field in ABOUT.items()}
    return {field: text for field, text in about.items() if text}


class _Reader:
    """Reads the data of a link into a drawing. Raises TypeError, ValueError, KeyError or
    AttributeError for data of another form.
    """

    def __init__(self, sheet: Mapping[str, Any]) -> None:
        self.sheet = sheet
        rows = sheet["cells"]
        height, width = len(rows), max(map(len, rows))
        if not (1 <= height <= BOARD_SIDE and 1 <= width <= BOARD_SIDE):
            raise ValueError(f"a board has from 1 to {BOARD_SIDE} rows and columns")
        self.target = Drawing(height, width)

    def drawing(self) -> Drawing:
        """Return the drawing."""
        for row, cells in enumerate(self.sheet["cells"], 1):
            for column, cell in enumerate(cells, 1):
                self._read_cell((row, column), cell or {})
        self._read_regions()
        for cage in self._elements("cages"):
            self._read_cage(cage)
        shapes = [*self._elements("underlays"), *self._elements("overlays")]
        circles = {self._point(shape["center"]) for shape in shapes if shape.get("rounded")}
        for line in self._elements("lines"):
            self._read_line(line, circles)
        for arrow in self._elements("arrows"):
            cells = self._cells_along(arrow)
            self._add(cells, self.target.arrows, "arrow", arrow)
        for shape in shapes:
            if _is_hole(shape):
                point = self._point(shape["center"])
                self.target.holes.add(cell_around(point))
            else:
                self._read_shape(shape)
        return self.target

    def _elements(self, key: str) -> Sequence[Mapping[str, Any]]:
        elements: Sequence[Mapping[str, Any]] = self.sheet.get(key) or []
        if len(elements) > MOST:
            raise ValueError(f"it has more than {MOST} {key}")
        return elements

    def _point(self, position: Sequence[float]) -> Point:
        y, x = position
        return round(2 * float(y) + 1), round(2 * float(x) + 1)

    def _other(self, description: str, point: Point) -> None:
        others = self.target.others
        others[str(len(others))] = (description, point)

    def _read_cell(self, cell: CellPos, entries: Mapping[str, Any]) -> None:
        clue = entries.get("value")
        if clue not in (None, ""):
            self.target.texts[centre(cell)] = str(clue)
        for key in ("pencilMarks", "centremarks", "candidates"):
            if entries.get(key):
                self._other("small digits", centre(cell))

    def _read_regions(self) -> None:
        """Read regions as the sides between them."""
        regions: dict[CellPos, int] = {}
        for number, cells in enumerate(self.sheet.get("regions") or ()):
            for row, column in cells:
                regions[row + 1, column + 1] = number
        if len(regions) != self.target.height * self.target.width:
            return
        for (row, column), region in regions.items():
            on_right = (row, column + 1), (2 * row, 2 * column + 1)
            below = (row + 1, column), (2 * row + 1, 2 * column)
            for neighbour, side in (on_right, below):
                if regions.get(neighbour, region) != region:
                    self.target.borders.add(side)

    def _read_cage(self, cage: Mapping[str, Any]) -> None:
        cells = [(row + 1, column + 1) for row, column in cage.get("cells") or ()]
        if not cells or cage.get("hidden") or cage.get("style") in HIDDEN_CAGES:
            return
        self.target.cages.append(cells)
        clue = cage.get("value")
        if clue not in (None, ""):
            self.target.small.setdefault(min(cells), {})[0] = str(clue)

    def _cells_along(self, line: Mapping[str, Any]) -> list[CellPos]:
        """Return the cells that a line passes from centre to centre; none if it runs elsewhere."""
        points = list(map(self._point, line.get("wayPoints") or ()))
        cells: list[CellPos] = []
        for point in points:
            cell = cell_around(point)
            if point != centre(cell) or not self.target.has(cell):
                return []
            cells += _between(cells[-1], cell) if cells else [cell]
        return cells

    def _read_line(self, line: Mapping[str, Any], circles: set[Point]) -> None:
        points = list(map(self._point, line.get("wayPoints") or ()))
        cells = self._cells_along(line)
        thickness = float(line.get("thickness") or BORDER)
        if cells and centre(cells[0]) in circles and self._is_bulb(line, cells[0]):
            self.target.bulbs.append(cells)
        elif thickness <= LINE and self._has_steps(points):
            self.target.lines.update((min(ends), max(ends)) for ends in pairwise(points))
        elif not cells and self._is_border(points):
            self.target.borders.update(_sides_between(points))
        else:
            self._add(cells, self.target.paths, "line", line)

    def _is_bulb(self, line: Mapping[str, Any], cell: CellPos) -> bool:
        """Return whether a circle of the line's colour stands at its first cell."""
        for shape in self._elements("underlays"):
            if shape.get("rounded") and self._point(shape["center"]) == centre(cell):
                colour = str(shape.get("backgroundColor", "")).upper()
                return colour == str(line.get("color", "")).upper()
        return False

    def _has_steps(self, points: Sequence[Point]) -> bool:
        """Return whether a line goes from cell to cell, or from corner to corner, step by step."""
        parities = {(y % 2, x % 2) for y, x in points}
        if len(points) < 2 or len(parities) > 1:
            return False
        for (y, x), (end_y, end_x) in pairwise(points):
            step = max(abs(end_y - y), abs(end_x - x))
            if step != 2:
                return False
        return True

    def _is_border(self, points: Sequence[Point]) -> bool:
        if len(points) < 2:
            return False
        straight = all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(points))
        return straight and all(y % 2 and x % 2 for y, x in points)

    def _add(
        self,
        cells: list[CellPos],
        groups: list[list[CellPos]],
        name: str,
        line: Mapping[str, Any],
    ) -> None:
        points = list(map(self._point, line.get("wayPoints") or ()))
        if cells:
            groups.append(cells)
        elif points:
            self._other(name, points[0])

    def _read_shape(self, shape: Mapping[str, Any]) -> None:
        """Read a text, a circle, a square or a colour."""
        point = self._point(shape["center"])
        text = str(shape.get("text") or "").strip()
        if text:
            self._add_text(shape["center"], text)
        colour = str(shape.get("backgroundColor") or "").upper()[:7]
        border = str(shape.get("borderColor") or "").upper()[:7]
        if not colour and not border:
            return
        if any(centre(bulb[0]) == point for bulb in self.target.bulbs):
            return
        tone = SHAPES.get(colour or "#FFFFFF", "grey")
        cell = cell_around(point)
        if shape.get("rounded"):
            self.target.signs.setdefault(point, []).append(f"{tone}_circle")
        elif point == centre(cell) and float(shape.get("width", 0)) >= FULL_CELL:
            self._add_colour(cell, colour)
        elif not text:
            self.target.signs.setdefault(point, []).append(f"{tone}_square")

    def _add_text(self, position: Sequence[float], text: str) -> None:
        """Add a text, as a small one if it stands in a quarter of a cell."""
        y, x = map(float, position)
        down = y % 1 - 0.5
        right = x % 1 - 0.5
        if _is_in_quarter(down) and _is_in_quarter(right):
            row = math.floor(y) + 1
            column = math.floor(x) + 1
            cell = (row, column)
            quarter = 2 * (down > 0) + (right > 0)
            self.target.small.setdefault(cell, {})[quarter] = text
        elif text in SIGN_NAMES:
            self.target.signs.setdefault(self._point(position), []).append(SIGN_NAMES[text])
        else:
            self.target.texts[self._point(position)] = text

    def _add_colour(self, cell: CellPos, colour: str) -> None:
        digits = colour.removeprefix("#").lower()
        if len(digits) == 3:
            digits = "".join(2 * digit for digit in digits)
        if re.fullmatch("[0-9a-f]{6}", digits):
            number = surface_of(digits)
            if number:
                self.target.colours[cell] = number
        else:
            self._other(f"colour {colour[:20]}", centre(cell))


def _is_in_quarter(offset: float) -> bool:
    """Return whether a text so far from the middle of its cell stands in a quarter of it."""
    least, most = QUARTER
    return least < abs(offset) < most


def _is_hole(shape: Mapping[str, Any]) -> bool:
    """Return whether a shape hides a cell: a white square that covers the lines around it."""
    colour = str(shape.get("backgroundColor"))
    if colour.upper() != "#FFFFFF" or shape.get("text") or shape.get("rounded"):
        return False
    width = shape.get("width", 0)
    return float(width) >= HOLE


def _between(first: CellPos, last: CellPos) -> list[CellPos]:
    """Return the cells behind the first one up to the last one, by steps of a king."""
    down = last[0] - first[0]
    right = last[1] - first[1]
    steps = max(abs(down), abs(right))
    cells = []
    for step in range(1, steps + 1):
        row = first[0] + round(down * step / steps)
        column = first[1] + round(right * step / steps)
        cells.append((row, column))
    return cells


def _sides_between(points: Sequence[Point]) -> Iterator[Point]:
    """Yield the middles of the sides of cells along a line from corner to corner."""
    for (y, x), (end_y, end_x) in pairwise(points):
        for middle in range(min(y, end_y) + 1, max(y, end_y), 2):
            yield middle, x
        for middle in range(min(x, end_x) + 1, max(x, end_x), 2):
            yield y, middle


def write(puzzle: Instance) -> str:
    """Return a link to the picture of a puzzle, with its rules in words, and below them the fields
    that the picture does not show.

    Raises:
        InputError: The puzzle has no picture of squares, or a field that cannot be written.
    """
    drawing, _ = picture_of(puzzle, SITE_NAME)
    assert puzzle.bound_from is not None
    spec = puzzle.bound_from[1]
    sheet = _sheet_of(drawing)
    hidden = hidden_fields(puzzle, _Reader(sheet).drawing())
    rules = rules_with(puzzle, hidden)
    if hidden:
        rules = rules.replace("\n", f"\n\n{NOT_IN_PICTURE}\n", 1)
    title = spec.text("title") or puzzle.type.title
    sheet["metadata"] = {
        "title": title,
        "author": spec.text("source"),
        "rules": rules,
        OURS: puzzle.type.name,
    }
    text = compress(json.dumps(sheet, separators=(",", ":")))
    return SITE + quote(text, safe="=")


def _sheet_of(drawing: Drawing) -> dict[str, Any]:
    """Return what SudokuPad shows for a drawing."""
    cells: list[list[dict[str, str]]] = [
        [{} for _ in range(drawing.width)] for _ in range(drawing.height)
    ]
    overlays, underlays = [], list(_colours(drawing))
    for point, text in drawing.texts.items():
        row, column = cell_around(point)
        cell = (row, column)
        is_dark = drawing.colours.get(cell) in DARK_COLOURS
        is_in_cell = point == centre(cell) and drawing.has(cell)
        if is_in_cell and len(text) == 1 and not is_dark:
            cells[row - 1][column - 1]["value"] = text
        elif text:
            colour = "#FFFFFF" if is_dark else "#000000"
            overlays.append(_text(point, text, 24, colour))
    caged = {min(cage) for cage in drawing.cages}
    for cell, texts in drawing.small.items():
        for quarter, text in texts.items():
            if quarter or cell not in caged:
                overlays.append(_small_text(cell, quarter, text))
    for point, names in drawing.signs.items():
        underlays += [_sign(point, name) for name in names]
    lines = [_line([side], BORDER) for side in map(_ends, drawing.borders)]
    lines += [_line([ends], LINE) for ends in drawing.lines]
    lines += [_path(cells_of_path) for cells_of_path in (*drawing.bulbs, *drawing.paths)]
    underlays += [_circle(bulb[0], "#CFCFCF") for bulb in drawing.bulbs]
    arrows = [_path(arrow) | {"color": "#888888", "headLength": 0.3} for arrow in drawing.arrows]
    overlays += [_circle(arrow[0], "#FFFFFF") for arrow in drawing.arrows]
    overlays += map(_hole, drawing.holes)
    cages = [_cage(drawing, cage) for cage in drawing.cages]
    return {
        "cellSize": 64,
        "cells": cells,
        "regions": [],
        "cages": cages,
        "lines": lines,
        "arrows": arrows,
        "underlays": underlays,
        "overlays": overlays,
    }


def _position(point: Point) -> list[float]:
    y, x = point
    return [(y - 1) / 2, (x - 1) / 2]


def _shape(point: Point, width: float, **looks: Any) -> dict[str, Any]:
    return {"center": _position(point), "width": width, "height": width, **looks}


def _text(point: Point, text: str, size: int, colour: str = "#000000") -> dict[str, Any]:
    return _shape(point, 0.25, text=text, fontSize=size, color=colour)


def _small_text(cell: CellPos, quarter: int, text: str) -> dict[str, Any]:
    row, column = cell
    below, right = divmod(quarter, 2)
    shape = _text(centre(cell), text, 14)
    y = row - 0.8 + 0.6 * below
    x = column - 0.8 + 0.6 * right
    return shape | {"center": [y, x]}


def _colours(drawing: Drawing) -> Iterator[dict[str, Any]]:
    for cell, colour in drawing.colours.items():
        yield _shape(centre(cell), 1, backgroundColor=COLOURS[colour])


def _sign(point: Point, name: str) -> dict[str, Any]:
    """Return a sign: circles and squares as they are, others as a character or their name."""
    tone, _, form = name.partition("_")
    fills = {"white": "#FFFFFF", "black": "#000000", "grey": "#BBBBBB"}
    if form in ("circle", "square") and tone in fills:
        width = 0.7 if point == centre(cell_around(point)) else 0.25
        looks = {"borderColor": "#000000", "backgroundColor": fills[tone]}
        return _shape(point, width, rounded=form == "circle", **looks)
    _, x = point
    text = INEQUALITIES.get((name, x % 2)) or SIGN_TEXTS.get(name)
    if text is None:
        return _text(point, name.replace("_", " "), 14)
    return _text(point, text, 20)


def _hole(cell: CellPos) -> dict[str, Any]:
    return _shape(centre(cell), HOLE, backgroundColor="#FFFFFF")


def _circle(cell: CellPos, colour: str) -> dict[str, Any]:
    return _shape(centre(cell), 0.8, rounded=True, backgroundColor=colour, borderColor="#888888")


def _ends(side: Point) -> tuple[Point, Point]:
    """Return the ends of a side of a cell."""
    y, x = side
    if x % 2:
        return (y - 1, x), (y + 1, x)
    return (y, x - 1), (y, x + 1)


def _line(pieces: Iterable[tuple[Point, Point]], thickness: int) -> dict[str, Any]:
    points = [_position(point) for ends in pieces for point in ends]
    return {"wayPoints": points, "color": "#000000", "thickness": thickness}


def _path(cells: Sequence[CellPos]) -> dict[str, Any]:
    points = [_position(centre(cell)) for cell in cells]
    return {"wayPoints": points, "color": "#CFCFCF", "thickness": 10}


def _cage(drawing: Drawing, cells: Sequence[CellPos]) -> dict[str, Any]:
    cage: dict[str, Any] = {"cells": [[row - 1, column - 1] for row, column in cells]}
    clue = drawing.small.get(min(cells), {}).get(0)
    if clue:
        cage["value"] = clue
    return cage
