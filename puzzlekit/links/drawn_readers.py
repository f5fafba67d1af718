"""Readers of fields from the symbols of a drawing, by the positions where fields stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from puzzlekit.lang import Choice, Field, GridOf, ListOf, ReadContext, Union, WrongValueError
from puzzlekit.links import drawn_outside
from puzzlekit.links.drawing import (
    BOX,
    DARK,
    SHADE,
    SIDES,
    Drawing,
    DrawnSymbol,
    cell_around,
    cell_text,
)
from puzzlekit.links.drawn_decoration import BACKGROUND, consume_region_colours
from puzzlekit.links.link_board import label_of
from puzzlekit.links.link_format import BLANK, HOLES
from puzzlekit.scene import CellPos, Point, cells_beside, centre
from puzzlekit.source import SourceFile

SymbolValues = Mapping[str, list[str]]  # the values of symbols, by their names
Where = str | list[str] | SymbolValues  # a position, several to look at, or the values of symbols
# a value as specs give it; a list has the lines of a block
Plain = str | list[str] | dict[str, str]
NOT_SHOWN = "not shown"  # the position of a field that no page shows, and that has no usual value
IF_OUTSIDE = "not shown with clues outside"  # of one that matters only if there are clues outside
UNKNOWN = "?"
LEAST_FRAMED = 3  # rows of a board with a rim
COUNTS = re.compile(r"[0-9?](?:[\s,/]+[0-9?])+")  # small numbers, as 1 1 or 2,3
SHADED_TEXT = "shaded text"  # the name of what stands behind the text of a dark cell
TEXT = "text"  # the name of any text of a cell, which another field reads
UNKNOWN_SYMBOLS = ("white_circle", "white_square")  # of a cell whose number is unknown
LESS = {  # signs between cells, with whether they mean that the first one is less
    "less": True,
    "greater": False,
    **dict.fromkeys("<∧^", True),
    **dict.fromkeys(">∨v", False),
}
ARROWS = {"up": "↑", "right": "→", "down": "↓", "left": "←"}
DIRECTIONS = {(-1, 0): "n", (1, 0): "s", (0, 1): "e", (0, -1): "w"}


def positions_in(where: Where) -> list[str]:
    """Return the positions of a field: one or several; symbols with values stand where texts do."""
    if isinstance(where, list):
        return where
    return [where] if isinstance(where, str) else ["texts"]


def is_blank(value: Plain) -> bool:
    """Return whether a value says nothing."""
    if isinstance(value, list | str):
        return set("".join(value)) <= {BLANK, HOLES, " "}
    return not value


def names_of(cell_type: Any) -> Iterator[str]:
    """Yield the names that a cell may have."""
    alternatives = cell_type.items if isinstance(cell_type, Union) else (cell_type,)
    for alternative in alternatives:
        if isinstance(alternative, Choice):
            yield from alternative.names


class FieldReader:
    """Reads fields from a drawing, one after the other.

    Args:
        drawing: The drawing.
        positions: Where all fields of the type stand.
    """

    def __init__(self, drawing: Drawing, positions: set[str]) -> None:
        self.drawing = drawing
        self.positions = positions

    def read(self, field: Field, where: Where) -> Plain | None:
        """Return the value of a field; None if the drawing has none."""
        if isinstance(where, dict):
            if isinstance(field.type, ListOf):
                return self.between(where)
            return self.board(field, where, self._corner_or("texts"))
        value = None
        for position in positions_in(where):
            value = READERS[position](self, field, position)
            if value is not None and not is_blank(value):
                break
        return value

    def _corner_or(self, usual: str) -> str:
        """Return where the texts of cells stand: in their centres, or in corners if no centre has
        one and no field is there.
        """
        drawing = self.drawing
        centres = any(centre(cell) in drawing.texts for cell in drawing.cells())
        corners = any(map(drawing.small_text, drawing.small))
        if usual == "corner":
            return "texts" if centres and not corners else "corner"
        corner_is_free = not self.positions & {"corner", "clues", "split cells"}
        return "corner" if corners and not centres and corner_is_free else "texts"

    def outside(self, field: Field, position: str) -> str | list[str]:
        return drawn_outside.clues(self.drawing, self.positions, field, position)

    def texts(self, field: Field, position: str) -> list[str] | None:
        return self.board(field, {}, self._corner_or(position))

    def inner_texts(self, field: Field, position: str) -> list[str] | None:
        """Read a board inside a rim of cells without texts; None if the rim has some."""
        rows = self.texts(field, "texts")
        words = [row.split() for row in rows or ()]
        sides = [text for row in words for text in (row[0], row[-1])]
        rim = [*words[0], *words[-1], *sides]
        if len(words) < LEAST_FRAMED or not {*rim} <= {BLANK, HOLES}:
            return None
        return _lines([row[1:-1] for row in words[1:-1]])

    def board(self, field: Field, values: SymbolValues, position: str) -> list[str] | None:
        """Read a board: a cell has the value of its text if the field takes it, else that of its
        first symbol with a value.
        """
        if not isinstance(field.type, GridOf):
            return None
        drawing = self.drawing
        symbols = self._with_unknown(field, field.type, values)
        reader = _CellReader(drawing, field.type, symbols, position, field.unknown)
        rows = _rows(drawing, reader.value)
        if field.type.empty:
            for point in map(centre, drawing.cells()):
                if drawing.texts.get(point) == "":
                    drawing.consume("text", point)
        return rows

    def _with_unknown(self, field: Field, board_type: GridOf, values: SymbolValues) -> SymbolValues:
        """Return values of symbols together with the usual symbols of an unknown number."""
        unknown = field.unknown or UNKNOWN
        if unknown == BLANK or (unknown == UNKNOWN and UNKNOWN not in names_of(board_type.item)):
            return values
        names = [*values, *UNKNOWN_SYMBOLS, *self._backgrounds()]
        if not self.positions & {"regions", "boxes", "walls"}:  # else a box may be a region
            names.append(BOX)
        return {name: values.get(name, [unknown]) for name in names}

    def _backgrounds(self) -> set[str]:
        """Return the names of circles and squares that stand under all texts of cells, of which
        there are several.
        """
        drawing = self.drawing
        texts = [point for point in map(centre, drawing.cells()) if drawing.texts.get(point)]
        if len(texts) < 2:
            return set()
        names = [set(drawing.signs.get(point, ())) for point in texts]
        return set(filter(BACKGROUND.search, set.intersection(*names)))

    def regions(self, field: Field, position: str) -> list[str] | None:
        drawing = self.drawing
        regions = drawing.regions()
        has_borders = any(regions.values())
        if not has_borders and drawing.cages and "cages" not in self.positions:
            return self.cages(field, position)
        if field.optional and not has_borders:
            return None
        for cell, number in regions.items():
            for neighbour, side in _neighbours_before(cell):
                if regions.get(neighbour, number) != number:
                    drawing.consume("border", side)
        consume_region_colours(drawing, regions)
        return _rows(drawing, lambda cell: label_of(regions[cell]) if cell in regions else HOLES)

    def boxes(self, field: Field, position: str) -> str | None:
        """Read the size of boxes that all are alike."""
        regions = self.drawing.regions()
        if not any(regions.values()):
            return None
        first_region = [cell for cell, region in regions.items() if region == 0]
        rows, columns = zip(*first_region)
        height, width = max(rows), max(columns)
        pairs = set()
        for (row, column), region in regions.items():
            box = (row - 1) // height, (column - 1) // width
            pairs.add((region, box))
        region_count = len({region for region, _ in pairs})
        box_count = len({box for _, box in pairs})
        if not len(pairs) == region_count == box_count:
            return None
        self.regions(field, position)
        return f"{height}x{width}"

    def cages(self, field: Field, position: str) -> list[str] | None:
        """Read cages as a board of labels, or as the cells of each."""
        drawing = self.drawing
        if isinstance(field.type, ListOf):
            return self.groups("cage", drawing.cages)
        if not drawing.cages:
            return None
        labels = dict.fromkeys(drawing.holes, HOLES)
        for number, cage in enumerate(drawing.cages):
            if labels.keys().isdisjoint(cage):  # others overlap
                drawing.consume("cage", number)
                labels |= dict.fromkeys(cage, label_of(number))
        return _rows(drawing, lambda cell: labels.get(cell, BLANK))

    def clues(self, field: Field, position: str) -> dict[str, str]:
        """Read the clue of each cage or region, which stands in one of its cells."""
        drawing = self.drawing
        numbers = drawing.regions()
        if "cages" in self.positions or (drawing.cages and not any(numbers.values())):
            numbers = {cell: number for number, cage in enumerate(drawing.cages) for cell in cage}
        clues: dict[str, str] = {}
        for cell in sorted(numbers):
            label = label_of(numbers[cell])
            small = drawing.small_text(cell)
            text = drawing.texts.get(centre(cell)) if "texts" not in self.positions else ""
            if label in clues:
                continue
            if small is not None:
                quarter, clues[label] = small
                drawing.consume("small", (cell, quarter))
            elif text:
                clues[label] = text
                drawing.consume("text", centre(cell))
        return clues

    def bulbs(self, field: Field, position: str) -> list[str]:
        return self.groups("bulb", self.drawing.bulbs)

    def arrows(self, field: Field, position: str) -> list[str]:
        return self.groups("arrow", self.drawing.arrows)

    def paths(self, field: Field, position: str) -> list[str]:
        return self.groups("path", self.drawing.paths)

    def groups(self, category: str, groups: Sequence[Sequence[CellPos]]) -> list[str]:
        """Read cages or lines along cells. An arrow may have a circle at its first cell."""
        for number, cells in enumerate(groups):
            self.drawing.consume(category, number)
            first = centre(cells[0])
            if category == "arrow" and "white_circle" in self.drawing.signs.get(first, ()):
                self.drawing.consume("sign", (first, "white_circle"))
        return [" ".join(map(cell_text, cells)) for cells in groups]

    def corners(self, field: Field, position: str) -> list[str]:
        """Read a board with a cell for each corner of the cells, or for each of four cells."""
        rim = 0 if position == "corners" else 1
        rows = range(rim, self.drawing.height + 1 - rim)
        columns = range(rim, self.drawing.width + 1 - rim)
        lines = []
        for row in rows:
            points = [(2 * row + 1, 2 * column + 1) for column in columns]
            lines.append(list(map(self._corner, points)))
        return _lines(lines)

    def corner_digits(self, field: Field, position: str) -> list[str]:
        """Read digits where four cells meet, as the upper left of these cells and the digits."""
        drawing = self.drawing
        lines = []
        for y, x in sorted(drawing.texts):
            text = drawing.texts[y, x]
            if y % 2 and x % 2 and text.isdecimal():
                drawing.consume("text", (y, x))
                drawing.consume("sign", ((y, x), "white_circle"))
                lines.append(f"{cell_text((y // 2, x // 2))} {text}")
        return lines

    def diagonals(self, field: Field, position: str) -> str | None:
        """Return whether both long diagonals of a square board are drawn."""
        drawing = self.drawing
        side = drawing.height
        ends = [(2 * i - 1, 2 * i + 1) for i in range(1, side + 1)]
        falling = {((start, start), (end, end)) for start, end in ends}
        rising = set()
        for (y, x), (end_y, end_x) in falling:
            mirror = 2 * side + 2
            rising.add(((y, mirror - x), (end_y, mirror - end_x)))
        both = falling | rising
        if drawing.width != side or not both <= drawing.lines:
            return None
        for line in both:
            drawing.consume("line", line)
        return "yes"

    def _corner(self, point: Point) -> str:
        """Return the text or the digit at a corner."""
        drawing = self.drawing
        text = drawing.texts.get(point)
        if text is not None:
            drawing.consume("text", point)
            return text or BLANK
        for sign in drawing.signs.get(point, ()):
            if sign.isdigit():
                drawing.consume("sign", (point, sign))
                return sign
        return BLANK

    def inequalities(self, field: Field, position: str) -> list[str]:
        inequalities = []
        for side, symbols in self._between():
            first, second = map(cell_text, cells_beside(side))
            for name, symbol in symbols.items():
                if name in LESS:
                    self.drawing.consume(*symbol)
                    relation = "<" if LESS[name] else ">"
                    inequalities.append(f"{first} {relation} {second}")
        return inequalities

    def between(self, values: SymbolValues) -> list[str]:
        """Read symbols between two cells as these cells and a number: that of a text on the symbol,
        or the value of the symbol.
        """
        drawing = self.drawing
        lines = []
        for side, symbols in self._between():
            name = _first_in(values, symbols)
            if name is None:
                continue
            drawing.consume(*symbols[name])
            number = values[name][0]
            for text in symbols:
                if text.isdecimal():
                    number = text
                    break
            if number in symbols:
                drawing.consume(*symbols[number])
            first, second = map(cell_text, cells_beside(side))
            lines.append(f"{first} {second} {number}")
        return lines

    def _between(self) -> Iterator[tuple[Point, dict[str, DrawnSymbol]]]:
        """Yield the symbols on each side that has some: signs by their name, a text by itself in
        small and capital letters.
        """
        drawing = self.drawing
        points = {*drawing.signs, *drawing.texts}
        sides = [point for point in sorted(points) if sum(point) % 2]
        for side in sides:
            symbols: dict[str, DrawnSymbol] = {}
            for name in drawing.signs.get(side, ()):
                symbols[name] = ("sign", (side, name))
            text = drawing.texts.get(side)
            if text:
                symbols[text] = ("text", side)
                symbols[text.upper()] = ("text", side)
            yield side, symbols

    def walls(self, field: Field, position: str) -> list[str]:
        """Read thick lines as pairs of cells."""
        walls = []
        for side in sorted(self.drawing.borders):
            self.drawing.consume("border", side)
            walls.append(" ".join(map(cell_text, cells_beside(side))))
        return walls

    def directions(self, field: Field, position: str) -> list[str] | None:
        """Read for each cell the directions in which lines leave it; its text, if no lines are
        drawn.
        """
        if not self.drawing.lines:
            return self.texts(field, "texts")
        directions: dict[CellPos, set[str]] = {}
        for line in self.drawing.lines:
            for start, end in (line, line[::-1]):
                direction = self._direction(start, end)
                if direction is not None:
                    directions.setdefault(cell_around(start), set()).add(direction)
                    self.drawing.consume("line", line)
        for cell, letters in directions.items():
            if len(letters) == 1:  # a circle may stand where a line ends
                self.drawing.consume("sign", (centre(cell), "white_circle"))

        def text(cell: CellPos) -> str:
            letters = directions.get(cell, set())
            return "".join(letter for letter in "nsew" if letter in letters) or BLANK

        return _rows(self.drawing, text)

    def _direction(self, start: Point, end: Point) -> str | None:
        """Return the direction in which a line leaves a cell; None if it starts elsewhere."""
        cell = cell_around(start)
        if start != centre(cell) or not self.drawing.has(cell):
            return None
        (y, x), (end_y, end_x) = start, end
        return DIRECTIONS.get((_sign(end_y - y), _sign(end_x - x)))

    def split_cells(self, field: Field, position: str) -> list[str]:
        """Read dark cells with a clue for what is below, and one for what is on the right."""
        return _rows(self.drawing, self._split_cell)

    def _split_cell(self, cell: CellPos) -> str:
        drawing = self.drawing
        small = drawing.small.get(cell, {})
        clues: list[DrawnSymbol] = [
            ("small", (cell, quarter)) for quarter in (1, 2) if quarter in small
        ]
        dark = [
            symbol
            for name, symbol in drawing.names_at(cell)
            if name in (SHADE, "split_cell", "full_cell")
        ]
        if drawing.colours.get(cell) in DARK:  # of any tone: a cell to fill in is white
            dark.append(("colour", cell))
        if not dark and not clues:
            return BLANK
        for symbol in clues or dark:
            drawing.consume(*symbol)
        drawing.consume("colour", cell)
        return f"{small.get(2, '')}\\{small.get(1, '')}"

    def missing_clues(self, field: Field, position: str) -> str | None:
        """Return whether two white cells or more, across or down, lack the clue before them."""
        board: dict[CellPos, str] = {}
        for row, line in enumerate(self.split_cells(field, position), 1):
            for column, text in enumerate(line.split(), 1):
                board[row, column] = text
        for (row, column), text in board.items():
            if text != BLANK:
                continue
            for number, (down, right) in enumerate(((1, 0), (0, 1))):
                following = board.get((row + down, column + right))
                before = board.get((row - down, column - right), BLANK)
                if following != BLANK or before in (BLANK, HOLES):
                    continue
                if before.split("\\")[number] == "":
                    return "yes"
        return None


class _CellReader:
    """Reads the cells of a board.

    Args:
        drawing: The drawing.
        board_type: The type of the board.
        values: The values of symbols.
        position: Where texts stand: `texts` or `corner`.
        unknown: What `?` in a cell is read as; empty if the field does not say it.
    """

    def __init__(
        self,
        drawing: Drawing,
        board_type: GridOf,
        values: SymbolValues,
        position: str,
        unknown: str,
    ) -> None:
        self.drawing = drawing
        self.values = values
        self.position = position
        self.unknown = unknown
        self.empty = board_type.empty
        self.accepts = _AcceptedTexts(board_type.item)
        # what a letter of a text stands for
        self.letters = {name: texts[0] for name, texts in values.items() if len(name) == 1}

    def value(self, cell: CellPos) -> str:
        """Return the text of a cell as a spec writes it."""
        if cell in self.drawing.holes:
            return HOLES
        value = self._text_value(cell)
        if value is None:
            value = self._symbol_value(cell)
        if value is None:
            value = self._adjacent_value(cell)
        return value or (BLANK if self.empty else HOLES)

    def _text_value(self, cell: CellPos) -> str | None:
        """Return the text of a cell, with an arrow behind it, if the board accepts it."""
        point = centre(cell)
        symbol: DrawnSymbol = ("text", point)
        text = self.drawing.texts.get(point, "")
        if self.position == "corner":
            quarter, text = self.drawing.small_text(cell) or (0, "")
            symbol = ("small", (cell, quarter))
        if symbol in self.drawing.consumed:  # another field has read it
            text = ""
        if text == UNKNOWN and self.unknown:
            self.drawing.consume(*symbol)
            return self.unknown
        if symbol not in self.drawing.consumed and self._is_blank_clue(point):
            self.drawing.consume(*symbol)
            for name in filter(BACKGROUND.search, self.drawing.signs.get(point, ())):
                self.drawing.consume("sign", (point, name))
            return UNKNOWN
        if COUNTS.fullmatch(text) and self.accepts(f"{UNKNOWN}{UNKNOWN}"):
            text = re.sub("[^0-9?]", "", text)
        arrow = self._arrow(point)
        letters = text + ARROWS[arrow] if arrow else text
        full = "".join(self.letters.get(letter, letter) for letter in letters)
        suffix = self._suffix(cell) if text else ""
        if suffix:
            self.drawing.consume("colour", cell)
        full += suffix
        for candidate in (full, full.lower()):
            if candidate and self.accepts(candidate):
                if text:
                    self.drawing.consume(*symbol)
                if arrow:
                    self.drawing.consume("sign", (point, arrow))
                return candidate
        return None

    def _suffix(self, cell: CellPos) -> str:
        """Return what stands behind the text of a cell if the cell is dark."""
        is_dark = self.drawing.colours.get(cell) in self.drawing.shades
        return self.values[SHADED_TEXT][0] if is_dark and SHADED_TEXT in self.values else ""

    def _is_blank_clue(self, point: Point) -> bool:
        """Return whether a blank text stands where a number that is not told differs from none."""
        is_blank_text = self.position != "corner" and self.drawing.texts.get(point) == ""
        return is_blank_text and not self.unknown and self.accepts(UNKNOWN)

    def _arrow(self, point: Point) -> str | None:
        for sign in self.drawing.signs.get(point, ()):
            if ARROWS.get(sign) in self.letters:
                return sign
        return None

    def _symbol_value(self, cell: CellPos) -> str | None:
        """Return the value of the first symbol of a cell that has one and is not read."""
        consumed = self.drawing.consumed
        named_symbols = self.drawing.names_at(cell)
        symbols = {name: symbol for name, symbol in named_symbols if symbol not in consumed}
        first = _first_in(self.values, symbols)
        if first is not None:
            self.drawing.consume(*symbols[first])
            return self.values[first][0]
        if TEXT in self.values and self.drawing.texts.get(centre(cell)):
            return self.values[TEXT][0]
        return None

    def _adjacent_value(self, cell: CellPos) -> str | None:
        """Return the value of a symbol with four values: of a cell's centre, right side, lower side
        and corner.
        """
        y, x = centre(cell)
        points = product((y, y + 1), (x, x + 1))
        for number, point in enumerate(points):
            for sign in self.drawing.signs.get(point, ()):
                values = self.values.get(sign, ())
                if len(values) == 4:
                    self.drawing.consume("sign", (point, sign))
                    return values[number]
        return None


class _AcceptedTexts:
    """Whether a cell of a board may have a text."""

    def __init__(self, cell_type: Any) -> None:
        self.cell_type = cell_type
        self.reading = ReadContext(SourceFile("", ""))
        self.accepted: dict[str, bool] = {}

    def __call__(self, text: str) -> bool:
        if text not in self.accepted:
            self.accepted[text] = self._is_accepted(text)
        return self.accepted[text]

    def _is_accepted(self, text: str) -> bool:
        try:
            self.cell_type.value(text, self.reading)
        except WrongValueError:
            return False
        return len(text.split()) == 1 and text not in (BLANK, HOLES)


def _first_in(names: Iterable[str], symbols: Mapping[str, DrawnSymbol]) -> str | None:
    """Return the first of the names that symbols have."""
    for name in names:
        if name in symbols:
            return name
    return None


def _rows(drawing: Drawing, value: Callable[[CellPos], str]) -> list[str]:
    columns = range(1, drawing.width + 1)
    rows = range(1, drawing.height + 1)
    return _lines([value((row, column)) for column in columns] for row in rows)


def _lines(rows: Iterable[list[str]]) -> list[str]:
    """Return the rows of a board as text; one column alone would be read character by character."""
    return [" ".join([*row, HOLES] if len(row) == 1 else row) for row in rows]


def _neighbours_before(cell: CellPos) -> list[tuple[CellPos, Point]]:
    """Return the cells above and on the left, each with the side between."""
    row, column = cell
    y, x = centre(cell)
    above = ((row - 1, column), (y - 1, x))
    left = ((row, column - 1), (y, x - 1))
    return [above, left]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _not_shown(reader: FieldReader, field: Field, position: str) -> None:
    return None


def _bank(reader: FieldReader, field: Field, position: str) -> dict[str, str] | None:
    return drawn_outside.bank(reader.drawing, field)


def _letters(reader: FieldReader, field: Field, position: str) -> str | None:
    return drawn_outside.letters(reader.drawing)


def _highest(reader: FieldReader, field: Field, position: str) -> str | None:
    return drawn_outside.highest(reader.drawing)


def _number(reader: FieldReader, field: Field, position: str) -> str | None:
    return drawn_outside.number(reader.drawing, field)


OUTSIDE = [f"{side}{sign}" for side in SIDES for sign in ("", " plus", " minus")]
READERS: dict[str, Callable[[FieldReader, Field, str], Any]] = {
    NOT_SHOWN: _not_shown,
    IF_OUTSIDE: _not_shown,
    "texts": FieldReader.texts,
    "inner texts": FieldReader.inner_texts,
    "corner": FieldReader.texts,
    "regions": FieldReader.regions,
    "boxes": FieldReader.boxes,
    "cages": FieldReader.cages,
    "clues": FieldReader.clues,
    **dict.fromkeys(OUTSIDE, FieldReader.outside),
    "bulbs": FieldReader.bulbs,
    "arrows": FieldReader.arrows,
    "paths": FieldReader.paths,
    "corners": FieldReader.corners,
    "inner corners": FieldReader.corners,
    "inequalities": FieldReader.inequalities,
    "walls": FieldReader.walls,
    "ways": FieldReader.directions,
    "split cells": FieldReader.split_cells,
    "missing clues": FieldReader.missing_clues,
    "bank": _bank,
    "letters outside": _letters,
    "highest outside": _highest,
    "corner digits": FieldReader.corner_digits,
    "diagonals": FieldReader.diagonals,
    "number outside": _number,
}
