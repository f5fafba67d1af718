"""Finds what a drawing shows beyond its fields and what says nothing: decoration.

Each function consumes symbols. What none consumes may mean something, and is named in a refusal.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Set

from puzzlekit.links.drawing import BOX, SIDES, Drawing, DrawnSymbol, cell_around
from puzzlekit.links.drawn_outside import RANGE, is_counting
from puzzlekit.scene import CellPos, Point, centre

BACKGROUND = re.compile(r"_(circle|square|diamond|cell)$")  # signs that may stand under a text
BORDERED = {"regions", "boxes", "walls"}  # the positions of fields that thick lines show
LEAST_PATTERN = 3  # rows and columns of a board whose colours may follow a pattern
SPLIT = ("split_cell", "full_cell")  # the signs of cells for clues


def consume_backgrounds(drawing: Drawing, symbols: Collection[DrawnSymbol], where: object) -> None:
    """Consume what stands where a field has values: boxes, and what is alike under all its texts,
    signs or colours.

    Under a single one, only a symbol that the field could read says nothing.

    Args:
        drawing: The drawing.
        symbols: The symbols that the field has consumed.
        where: Where the field stands; a mapping has the names of the symbols that it reads.
    """
    readable = where if isinstance(where, Mapping) else {}
    for points in _points_of(drawing, symbols):
        backgrounds: dict[str, list[DrawnSymbol]] = {}
        for point in points:
            cell = cell_around(point)
            if point == centre(cell):
                drawing.consume(BOX, cell)
            names = {symbol for name, symbol in drawing.names_at(cell) if name in readable}
            for description, symbol in _under(drawing, point):
                if len(points) > 1 or symbol in names:
                    backgrounds.setdefault(description, []).append(symbol)
        for alike in backgrounds.values():
            if len(alike) == len(points):
                for symbol in alike:
                    drawing.consume(*symbol)


def _points_of(drawing: Drawing, symbols: Collection[DrawnSymbol]) -> list[set[Point]]:
    """Return the points of the texts, of the signs and of the colours among symbols.

    A blank text counts if something stands under it.
    """
    texts: set[Point] = set()
    signs: set[Point] = set()
    colours: set[Point] = set()
    for symbol in symbols:
        match symbol:
            case ("text", point) if drawing.texts[point] or drawing.signs.get(point):
                texts.add(point)
            case ("small", (cell, _)):
                texts.add(centre(cell))
            case ("sign", (point, _)):
                signs.add(point)
            case ("colour", cell):
                colours.add(centre(cell))
            case _:
                pass
    return [texts, signs - texts, colours]


def _under(drawing: Drawing, point: Point) -> Iterator[tuple[str, DrawnSymbol]]:
    """Yield what may stand under a text: signs, a colour and a diagonal."""
    for name in drawing.signs.get(point, ()):
        if BACKGROUND.search(name):
            yield name, ("sign", (point, name))
    cell = cell_around(point)
    if point != centre(cell):
        return
    if cell in drawing.colours:
        yield f"colour {drawing.colours[cell]}", ("colour", cell)
    y, x = point
    upper_left = y - 1, x - 1
    lower_right = y + 1, x + 1
    diagonal = (upper_left, lower_right)
    if diagonal in drawing.lines:
        yield "diagonal", ("line", diagonal)


def consume_decoration(drawing: Drawing, positions: Set[str]) -> None:
    """Consume what says nothing.

    Args:
        drawing: The drawing, whose fields are read.
        positions: Where all fields of the type stand.
    """
    _consume_blank_texts(drawing)
    _consume_counting(drawing)
    for side in drawing.borders:
        if not drawing.is_inside(side):
            drawing.consume("border", side)
    if BORDERED.isdisjoint(positions) and drawing.is_ruling(drawing.borders):
        for side in drawing.borders:
            drawing.consume("border", side)
    if "bank" not in positions:
        _consume_margins(drawing)
    elif positions.isdisjoint(SIDES):
        _consume_labels(drawing)
    for cell in drawing.holes & drawing.colours.keys():
        drawing.consume("colour", cell)
    _consume_colours(drawing)


def _consume_blank_texts(drawing: Drawing) -> None:
    for point, text in drawing.texts.items():
        if not text and not _is_cell(drawing, point):
            drawing.consume("text", point)


def _consume_counting(drawing: Drawing) -> None:
    """Consume numbers that only count rows or columns, and the circles around them."""
    for side_name in SIDES:
        lines = drawing.outside(side_name)
        last_points = [points[-1] for points in lines if points]
        is_complete = len(last_points) == len(lines)
        if not is_complete or not is_counting(drawing, last_points):
            continue
        counting: list[DrawnSymbol] = [("text", point) for point in last_points]
        for symbol in counting:
            drawing.consume(*symbol)
        consume_backgrounds(drawing, counting, "")


def consume_captions(drawing: Drawing) -> None:
    """Consume texts outside that are the title or the author, or that say which numbers there are,
    if these are 1 to the side of the board.
    """
    for point, text in drawing.texts.items():
        if drawing.has(cell_around(point)) or not text:
            continue
        numbers = RANGE.fullmatch(text)
        last = int(numbers[1]) if numbers else 0
        is_usual = last == drawing.width == drawing.height
        if is_usual or text.lower() in drawing.captions:
            drawing.consume("text", point)


def _consume_labels(drawing: Drawing) -> None:
    """Consume the letters that name pieces outside."""
    for point, text in drawing.texts.items():
        if len(text) == 1 and text.isalpha() and not drawing.has(cell_around(point)):
            drawing.consume("text", point)


def _consume_margins(drawing: Drawing) -> None:
    """Consume the colours of cells outside, and the signs of cells for clues there."""
    for cell in drawing.colours:
        if not drawing.has(cell):
            drawing.consume("colour", cell)
    for point, names in drawing.signs.items():
        cell = cell_around(point)
        if drawing.has(cell) or point != centre(cell):
            continue
        for name in names:
            if name in SPLIT:
                drawing.consume("sign", (point, name))
    for start, end in drawing.lines:
        (y, x), (end_y, end_x) = start, end
        row = (y + end_y) // 4
        column = (x + end_x) // 4
        is_diagonal = y % 2 == x % 2 == 1
        if is_diagonal and not drawing.has((row, column)):
            drawing.consume("line", (start, end))


def _consume_colours(drawing: Drawing) -> None:
    """Consume colours of cells that say nothing, or only what texts say; unless some colours have
    been read.
    """
    colours = {cell: colour for cell, colour in drawing.colours.items() if drawing.is_cell(cell)}
    symbols = [("colour", cell) for cell in colours]
    if not colours or not drawing.consumed.isdisjoint(symbols):
        return
    if _is_pattern(drawing, colours) or _repeats_texts(drawing, colours):
        for symbol in symbols:
            drawing.consume(*symbol)


def _is_pattern(drawing: Drawing, colours: Mapping[CellPos, int]) -> bool:
    """Return whether cells are coloured by their position alone: as a chessboard or in stripes, or
    all of them, or all that have no text and no sign.
    """
    cells = list(drawing.cells())
    free = {cell for cell in cells if not _is_marked(drawing, cell)}
    is_of_free_cells = colours.keys() == free and len(free) < len(cells)
    tones = set(colours.values())
    if is_of_free_cells and len(tones) == 1:
        return True
    if min(drawing.height, drawing.width) < LEAST_PATTERN:
        return False
    parities = (
        lambda row, column: 0,
        lambda row, column: (row + column) % 2,
        lambda row, column: row % 2,
        lambda row, column: column % 2,
    )
    for parity in parities:
        pairs = {(parity(*cell), colours.get(cell)) for cell in cells}
        numbers = {number for number, _ in pairs}
        if len(pairs) == len(numbers):
            return True
    return False


def _is_marked(drawing: Drawing, cell: CellPos) -> bool:
    point = centre(cell)
    return bool(drawing.texts.get(point) or drawing.signs.get(point))


def _repeats_texts(drawing: Drawing, colours: Mapping[CellPos, int]) -> bool:
    """Return whether each colour goes with one text, and all cells with this text have it."""
    texts: dict[int, set[str]] = {}
    for cell, colour in colours.items():
        text = drawing.texts.get(centre(cell), "")
        texts.setdefault(colour, set()).add(text)
    named = set().union(*texts.values())
    if "" in named or len(named) < 2 or len(named) != len(texts):
        return False
    if any(len(names) > 1 for names in texts.values()):
        return False
    with_text = {point for point, text in drawing.texts.items() if text in named}
    return with_text == set(map(centre, colours))


def consume_region_colours(drawing: Drawing, regions: Mapping[CellPos, int]) -> None:
    """Consume the colours that only repeat the regions: each has one or none, and neighbours
    differ, or all have one.
    """
    colours: dict[int, set[int | None]] = {}
    for cell, region in regions.items():
        colours.setdefault(region, set()).add(drawing.colours.get(cell))
    coloured = [region for region in colours if colours[region] != {None}]
    is_mixed = any(len(tones) > 1 for tones in colours.values())
    if is_mixed or len(coloured) < 2:
        return
    different = set(map(str, colours.values()))
    is_complete = len(coloured) == len(colours) and len(different) > 1
    pairs = _neighbouring(regions)
    if is_complete or all(colours[first] != colours[second] for first, second in pairs):
        for cell in drawing.colours.keys() & regions.keys():
            drawing.consume("colour", cell)


def _neighbouring(regions: Mapping[CellPos, int]) -> Iterable[tuple[int, int]]:
    """Yield pairs of regions that share a side."""
    for (row, column), region in regions.items():
        for neighbour in ((row - 1, column), (row, column - 1)):
            if regions.get(neighbour, region) != region:
                yield regions[neighbour], region


def _is_cell(drawing: Drawing, point: Point) -> bool:
    """Return whether a point is the centre of a cell of the board."""
    cell: CellPos = cell_around(point)
    return point == centre(cell) and drawing.has(cell)
