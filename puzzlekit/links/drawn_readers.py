"""Readers of fields from the marks of a drawing, by the places where fields stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from puzzlekit.lang.data.collections import GridOf, ListOf
from puzzlekit.lang.data.scalars import Choice, ReadContext, Union, WrongValueError
from puzzlekit.lang.puzzle_type import Field
from puzzlekit.links import drawn_outside
from puzzlekit.links.drawing import BOX, SHADE, SIDES, Drawing, Mark
from puzzlekit.links.form import BLANK, HOLES
from puzzlekit.links.link_board import label_of
from puzzlekit.scene import CellPos, Point, centre
from puzzlekit.source import SourceFile

Marks = Mapping[str, list[str]]  # the values of marks
Where = str | list[str] | Marks  # a place, several to look at, or the values of marks
Plain = (
    str | list[str] | dict[str, str]
)  # a value as specs give it; a list has the lines of a block
NOT_SHOWN = "not shown"  # the place of a field that no page shows, and that has no usual value
IF_OUTSIDE = "not shown with clues outside"  # of one that matters only if there are clues outside
UNKNOWN = "?"
UNKNOWN_MARKS = ("white_circle", "white_square")  # of a cell whose number is not told
LESS = {
    "less": True,
    "greater": False,
    **dict.fromkeys("<∧^", True),
    **dict.fromkeys(">∨v", False),
}  # signs between cells
ARROWS = {"up": "↑", "right": "→", "down": "↓", "left": "←"}


def places_in(where: Where) -> list[str]:
    """Return the places of a field: one or several; marks stand where texts do."""
    return where if isinstance(where, list) else [where] if isinstance(where, str) else ["texts"]


def is_blank(value: Plain) -> bool:
    """Return whether a value says nothing."""
    return (
        not set("".join(value)) - {*f"{BLANK}{HOLES} "}
        if isinstance(value, list | str)
        else not value
    )


def names_of(item: Any) -> Iterator[str]:
    """Yield the names that a cell may have."""
    for part in item.items if isinstance(item, Union) else (item,):
        if isinstance(part, Choice):
            yield from part.names


class Reader:
    """Reads fields from a drawing, one after the other.

    Args:
        drawing: The drawing.
        places: Where all fields of the type stand.
    """

    def __init__(self, drawing: Drawing, places: set[str]) -> None:
        self.drawing = drawing
        self.places = places

    def read(self, field: Field, where: Where) -> Plain | None:
        """Return the value of a field; None if the drawing has none."""
        if isinstance(where, dict):
            return (
                self.between(where)
                if isinstance(field.type, ListOf)
                else self.board(field, where, self._corner_or("texts"))
            )
        value = None
        for place in places_in(where):
            value = READERS[place](self, field, place)
            if value is not None and not is_blank(value):
                break
        return value

    def _corner_or(self, usual: str) -> str:
        """Return where the texts of cells stand: in their centres, or in corners if no centre has
        one and no field is there.
        """
        drawing = self.drawing
        centres = any(centre(cell) in drawing.texts for cell in drawing.cells())
        corners = any(0 in texts for texts in drawing.small.values())
        if usual == "texts":
            return (
                "corner"
                if corners and not centres and not self.places & {"corner", "clues", "split cells"}
                else "texts"
            )
        return "texts" if centres and not corners else "corner"

    def outside(self, field: Field, place: str) -> str | list[str]:
        return drawn_outside.clues(self.drawing, self.places, field, place)

    def texts(self, field: Field, place: str) -> list[str] | None:
        return self.board(field, {}, self._corner_or(place))

    def board(self, field: Field, marks: Marks, place: str) -> list[str] | None:
        """Read a board: a cell has the value of its text if the field takes it, else that of its
        first known mark.
        """
        if not isinstance(field.type, GridOf):
            return None
        drawing = self.drawing
        letters = {mark: values[0] for mark, values in marks.items() if len(mark) == 1}
        takes = _Takes(field.type.item, field.type.empty)
        if UNKNOWN in names_of(field.type.item):
            box = (
                [] if self.places & {"regions", "boxes", "walls"} else [BOX]
            )  # else it may be a region
            marks = {
                **marks,
                **{mark: [UNKNOWN] for mark in (*UNKNOWN_MARKS, *box) if mark not in marks},
            }

        def value(cell: CellPos) -> str:
            if cell in drawing.holes:
                return HOLES
            spot = ("small", (cell, 0)) if place == "corner" else ("text", centre(cell))
            text = (
                drawing.small.get(cell, {}).get(0, "")
                if place == "corner"
                else drawing.texts.get(centre(cell), "")
            )
            text = "" if spot in drawing.taken else text  # another field has read it
            arrow = next(
                (
                    sign
                    for sign in drawing.signs.get(centre(cell), ())
                    if ARROWS.get(sign) in letters
                ),
                None,
            )
            full = "".join(
                letters.get(char, char) for char in text + (ARROWS[arrow] if arrow else "")
            )
            for known in (full, full.lower()):
                if known and takes(known):
                    if text:
                        drawing.take(*spot)
                    if arrow:
                        drawing.take("sign", (centre(cell), arrow))
                    return known
            here = {name: own for name, own in drawing.names_at(cell) if own not in drawing.taken}
            if (name := next((mark for mark in marks if mark in here), None)) is not None:
                drawing.take(*here[name])
                return marks[name][0]
            return self._beside(cell, marks) or (BLANK if takes.empty else HOLES)

        rows = _rows(drawing, value)
        for cell in drawing.cells() if takes.empty else ():
            if drawing.texts.get(centre(cell)) == "":
                drawing.take("text", centre(cell))
        return rows

    def _beside(self, cell: CellPos, marks: Marks) -> str | None:
        """Return the value of a mark with four values: of a cell's centre, right side, lower side
        and corner.
        """
        y, x = centre(cell)
        for number, place in enumerate(((y, x), (y, x + 1), (y + 1, x), (y + 1, x + 1))):
            for sign in self.drawing.signs.get(place, ()):
                if len(marks.get(sign, ())) == 4:
                    self.drawing.take("sign", (place, sign))
                    return marks[sign][number]
        return None

    def regions(self, field: Field, place: str) -> list[str] | None:
        drawing = self.drawing
        regions = drawing.regions()
        if not any(regions.values()) and drawing.cages and "cages" not in self.places:
            return self.cages(field, place)
        if field.optional and not any(regions.values()):  # without borders
            return None
        for cell, number in regions.items():
            for near, side in zip(_before(cell), _sides_before(cell)):
                if regions.get(near, number) != number:
                    drawing.take("border", side)
        _take_colours(drawing, regions)
        return _rows(drawing, lambda cell: label_of(regions[cell]) if cell in regions else HOLES)

    def boxes(self, field: Field, place: str) -> str | None:
        """Read the size of boxes that all are alike."""
        regions = self.drawing.regions()
        first = [cell for cell in regions if regions[cell] == 0]
        high, wide = (max(side) for side in zip(*first))
        expected = {cell: ((cell[0] - 1) // high, (cell[1] - 1) // wide) for cell in regions}
        pairs = set(zip(regions.values(), expected.values()))
        if not any(regions.values()) or not len(pairs) == len(set(expected.values())) == len(
            set(regions.values())
        ):
            return None
        self.regions(field, place)
        return f"{high}x{wide}"

    def cages(self, field: Field, place: str) -> list[str] | None:
        """Read cages as a board of labels, or as the cells of each."""
        if isinstance(field.type, ListOf):
            return self.groups("cage", self.drawing.cages)
        labels = dict.fromkeys(self.drawing.holes, HOLES)
        for number, cage in enumerate(self.drawing.cages):
            if labels.keys().isdisjoint(cage):  # others overlap
                self.drawing.take("cage", number)
                labels |= dict.fromkeys(cage, label_of(number))
        return (
            _rows(self.drawing, lambda cell: labels.get(cell, BLANK))
            if self.drawing.cages
            else None
        )

    def clues(self, field: Field, place: str) -> dict[str, str]:
        """Read the clue of each cage or region, which stands in one of its cells."""
        drawing = self.drawing
        labels = drawing.regions()
        if "cages" in self.places or (drawing.cages and not any(labels.values())):
            labels = {cell: number for number, cage in enumerate(drawing.cages) for cell in cage}
        found: dict[str, str] = {}
        for cell in sorted(labels):
            small, label = drawing.small.get(cell, {}).get(0), label_of(labels[cell])
            text = small or ("" if "texts" in self.places else drawing.texts.get(centre(cell)))
            if text and label not in found:
                found[label] = text
                drawing.take(*(("small", (cell, 0)) if small else ("text", centre(cell))))
        return found

    def groups(self, kind: str, groups: Sequence[Sequence[CellPos]]) -> list[str]:
        """Read cages or lines along cells. An arrow may have a circle at its first cell."""
        for number, cells in enumerate(groups):
            self.drawing.take(kind, number)
            if kind == "arrow" and "white_circle" in self.drawing.signs.get(centre(cells[0]), ()):
                self.drawing.take("sign", (centre(cells[0]), "white_circle"))
        return [" ".join(f"r{row}c{column}" for row, column in group) for group in groups]

    def corners(self, field: Field, place: str) -> list[str]:
        """Read a board with a cell for each corner of the cells, or for each where four cells meet."""
        drawing = self.drawing

        def value(at: Point) -> str:
            digit = next((sign for sign in drawing.signs.get(at, ()) if sign.isdigit()), "")
            if text := drawing.texts.get(at, ""):
                drawing.take("text", at)
            elif digit:
                drawing.take("sign", (at, digit))
            return text or digit or BLANK

        rim = int(place != "corners")
        rows, columns = range(rim, drawing.height + 1 - rim), range(rim, drawing.width + 1 - rim)
        return _lines([value((2 * row + 1, 2 * column + 1)) for column in columns] for row in rows)

    def inequalities(self, field: Field, place: str) -> list[str]:
        found = []
        for (y, x), names in self._between():
            for sign in filter(LESS.__contains__, names):
                self.drawing.take(*names[sign])
                found.append(
                    f"r{y // 2}c{x // 2} {'<' if LESS[sign] else '>'} r{(y + 1) // 2}c{(x + 1) // 2}"
                )
        return found

    def between(self, marks: Marks) -> list[str]:
        """Read marks between two cells as these cells and a number: that of a text on the mark, or
        the value of the mark.
        """
        drawing, found = self.drawing, []
        for (y, x), names in self._between():
            if (name := next((mark for mark in marks if mark in names), None)) is not None:
                drawing.take(*names[name])
                number = next((text for text in names if text.isdecimal()), marks[name][0])
                if number in names:
                    drawing.take(*names[number])
                found.append(f"r{y // 2}c{x // 2} r{(y + 1) // 2}c{(x + 1) // 2} {number}")
        return found

    def _between(self) -> Iterator[tuple[Point, dict[str, Mark]]]:
        """Yield the marks on each side that has some: signs by their name, a text by itself in
        small and capital letters.
        """
        drawing = self.drawing
        for y, x in sorted({place for place in (*drawing.signs, *drawing.texts) if sum(place) % 2}):
            names: dict[str, Mark] = {
                name: ("sign", ((y, x), name)) for name in drawing.signs.get((y, x), ())
            }
            text = drawing.texts.get((y, x), "")
            yield (
                (y, x),
                {**names, **{word: ("text", (y, x)) for word in (text, text.upper()) if word}},
            )

    def walls(self, field: Field, place: str) -> list[str]:
        """Read thick lines as pairs of cells."""
        for side in self.drawing.borders:
            self.drawing.take("border", side)
        return [
            f"r{y // 2}c{x // 2} r{(y + 1) // 2}c{(x + 1) // 2}"
            for y, x in sorted(self.drawing.borders)
        ]

    def ways(self, field: Field, place: str) -> list[str] | None:
        """Read for each cell the directions in which lines leave it; its text, if no lines are
        drawn.
        """
        if not self.drawing.lines:
            return self.texts(field, "texts")
        found: dict[CellPos, set[str]] = {}
        for one, other in self.drawing.lines:
            for (y, x), (to_y, to_x) in ((one, other), (other, one)):
                inside = y % 2 == 0 and x % 2 == 0 and self.drawing.has((y // 2, x // 2))
                if inside and (way := WAYS.get(((to_y > y) - (to_y < y), (to_x > x) - (to_x < x)))):
                    found.setdefault((y // 2, x // 2), set()).add(way)
                    self.drawing.take("line", (one, other))
        return _rows(
            self.drawing,
            lambda cell: "".join(way for way in "nsew" if way in found.get(cell, ())) or BLANK,
        )

    def split_cells(self, field: Field, place: str) -> list[str]:
        """Read dark cells with a clue for what is below, and one for what is on the right."""
        drawing = self.drawing

        def value(cell: CellPos) -> str:
            small = drawing.small.get(cell, {})
            dark = [
                mark
                for name, mark in drawing.names_at(cell)
                if name in (SHADE, "split_cell", "full_cell")
            ]
            if not dark and not small.keys() & {1, 2}:
                return BLANK
            clues: list[Mark] = [
                ("small", (cell, quarter)) for quarter in (1, 2) if quarter in small
            ]
            for mark in clues or dark:
                drawing.take(*mark)
            return f"{small.get(2, '')}\\{small.get(1, '')}"

        return _rows(drawing, value)

    def missing_clues(self, field: Field, place: str) -> str | None:
        """Return whether two white cells or more, across or down, lack the clue before them."""
        board = {
            (row, column): text
            for row, line in enumerate(self.split_cells(field, place), 1)
            for column, text in enumerate(line.split(), 1)
        }
        runs = (
            (board.get((row - down, column - right), BLANK), number)
            for row, column in board
            for number, (down, right) in enumerate(((1, 0), (0, 1)))
            if board[row, column] == board.get((row + down, column + right)) == BLANK
        )
        lacking = any(
            before != BLANK and before.split("\\")[number] == ""
            for before, number in runs
            if before != HOLES
        )
        return "yes" if lacking else None


def _rows(drawing: Drawing, value: Callable[[CellPos], str]) -> list[str]:
    return _lines(
        [value((row, column)) for column in range(1, drawing.width + 1)]
        for row in range(1, drawing.height + 1)
    )


def _lines(rows: Iterable[list[str]]) -> list[str]:
    """Return the rows of a board as text; one column alone would be read character by character."""
    return [" ".join([*row, *[HOLES] * (len(row) == 1)]) for row in rows]


def _take_colours(drawing: Drawing, regions: Mapping[CellPos, int]) -> None:
    """Take the colours that only repeat the regions: each has one or none, and neighbours differ."""
    colours: dict[int, set[int | None]] = {}
    for cell, number in regions.items():
        colours.setdefault(number, set()).add(drawing.colours.get(cell))
    sides = {
        (regions[(r, c)], regions[near])
        for r, c in regions
        for near in ((r + 1, c), (r, c + 1))
        if near in regions
    }
    several = sum(own != {None} for own in colours.values()) > 1
    if (
        several
        and all(len(own) == 1 for own in colours.values())
        and all(one == two or colours[one] != colours[two] for one, two in sides)
    ):
        for cell in drawing.colours.keys() & regions.keys():
            drawing.take("colour", cell)


def _before(cell: CellPos) -> list[CellPos]:
    return [(cell[0] - 1, cell[1]), (cell[0], cell[1] - 1)]


def _sides_before(cell: CellPos) -> list[Point]:
    y, x = centre(cell)
    return [(y - 1, x), (y, x - 1)]


class _Takes:
    """Whether a cell of a board may hold a text."""

    def __init__(self, item: Any, empty: bool) -> None:
        self.item = item
        self.empty = empty
        self.reading = ReadContext(SourceFile("", ""))
        self.known: dict[str, bool] = {}

    def __call__(self, text: str) -> bool:
        if text not in self.known:
            try:
                self.item.value(text, self.reading)
                self.known[text] = len(text.split()) == 1 and text not in (BLANK, HOLES)
            except WrongValueError:
                self.known[text] = False
        return self.known[text]


WAYS = {(-1, 0): "n", (1, 0): "s", (0, 1): "e", (0, -1): "w"}


READERS: dict[str, Callable[[Reader, Field, str], Any]] = {
    **dict.fromkeys((NOT_SHOWN, IF_OUTSIDE), lambda reader, field, place: None),
    "texts": Reader.texts,
    "corner": Reader.texts,
    "regions": Reader.regions,
    "boxes": Reader.boxes,
    "cages": Reader.cages,
    "clues": Reader.clues,
    **dict.fromkeys(
        [f"{side}{sign}" for side in SIDES for sign in ("", " plus", " minus")], Reader.outside
    ),
    "bulbs": lambda reader, field, place: reader.groups("bulb", reader.drawing.bulbs),
    "arrows": lambda reader, field, place: reader.groups("arrow", reader.drawing.arrows),
    "paths": lambda reader, field, place: reader.groups("path", reader.drawing.paths),
    **dict.fromkeys(("corners", "inner corners"), Reader.corners),
    "inequalities": Reader.inequalities,
    "walls": Reader.walls,
    "ways": Reader.ways,
    "split cells": Reader.split_cells,
    "missing clues": Reader.missing_clues,
    "bank": lambda reader, field, place: drawn_outside.bank(reader.drawing, field),
}
