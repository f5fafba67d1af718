"""Pictures of what joins or surrounds cells: edges along their sides, paths through their centres, regions and pieces."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from string import ascii_uppercase
from typing import Any

from puzzlekit.boards import Cell, Cells, Grid, Placement, Side
from puzzlekit.render.picture import PALETTE, Line, Spot, board, upper

Point = tuple[int, int]
GLYPHS = "·╵╶└╷│┌├╴┘─┴┐┤┬┼"  # by what leads away: up 1, right 2, down 4, left 8


def chosen(true: Collection[Any], keys: Collection[Any], grids: Iterable[Grid]) -> list[Line] | None:
    """What is true of `keys`, drawn: sides, pairs of cells, places of shapes, groups of cells; None for other keys.

    The first of the boards that has all the cells in question shows its values in them.
    """
    if keys and all(isinstance(key, Side) for key in keys):
        return _sides(true, keys, next((grid for grid in grids if set(grid.edges) >= set(keys)), None))
    if keys and all(isinstance(key, Placement) for key in keys):
        return _pieces(true, keys)
    if not keys or not all(isinstance(key, tuple) and all(isinstance(cell, Cell) for cell in key) for key in keys):
        return None
    cells = {cell for key in keys for cell in key}
    clues = next((grid for grid in grids if grid.values.keys() >= cells), None)
    if all(len(key) == 2 for key in keys):
        return _path(true, cells, clues) if all(map(_beside, true)) else None
    return _regions([Cells(key) for key in true], clues) if all(isinstance(key, Cells) for key in keys) else None


def _beside(pair: tuple[Cell, Cell]) -> bool:
    return abs(pair[0].row - pair[1].row) + abs(pair[0].column - pair[1].column) == 1


def _texts(clues: Grid | None) -> dict[Cell, str]:
    """What stands in the cells that have a value."""
    return {} if clues is None else {cell: upper(clues[cell]) for cell in clues.given}


def _sides(true: Iterable[Side], keys: Iterable[Side], clues: Grid | None) -> list[Line]:
    """The sides of cells that are true as lines, with the values of the cells between them."""
    inner = {tuple(cell): Spot(text) for cell, text in _texts(clues).items()}
    return _lattice({corner: "" for side in keys for corner in side}, true, inner)


def _path(true: Iterable[tuple[Cell, Cell]], cells: Iterable[Cell], clues: Grid | None) -> list[Line]:
    """The pairs of cells that are true as lines from centre to centre, through the values of the cells."""
    texts = _texts(clues)
    return _lattice({cell: texts.get(cell, "") for cell in cells}, true, {})


def _regions(regions: Sequence[Cells], clues: Grid | None) -> list[Line]:
    """Groups of cells with lines around them, each in a colour of its own, and the values of the cells."""
    owner = {cell: number for number, cells in enumerate(regions) for cell in cells}
    grid, texts = clues or Grid(owner), _texts(clues)
    colours = {cell: f"region {number % PALETTE}" for cell, number in owner.items()}
    inner = {tuple(cell): Spot(texts.get(cell, ""), colours.get(cell, "")) for cell in grid.cells}
    borders = [
        side
        for cell in grid.cells
        for side, other in zip(grid.sides(cell), _round(cell))
        if other not in grid.values or owner.get(cell) != owner.get(Cell(*other))
    ]
    return _lattice(dict.fromkeys(grid.corners, " "), borders, inner)


def _pieces(true: Collection[Placement], keys: Iterable[Placement]) -> list[Line]:
    """The board with the name of a piece in each of its cells, or a letter where names are longer, which are told below."""
    places = sorted(true, key=lambda place: place.cells)
    letters = (f"{letter}{number or ''}" for number in range(len(places)) for letter in ascii_uppercase)
    short = all(len(str(place.piece)) == 1 for place in places)
    names = {place: str(place.piece) if short else letter for place, letter in zip(places, letters)}
    owner = {cell: number for number, place in enumerate(places) for cell in place.cells}
    values: dict[Cell, Any] = {cell: None for key in keys for cell in key.cells}
    values |= {cell: names[places[number]] for cell, number in owner.items()}
    lines: list[Line] = []
    for row, line in enumerate(board(values), 1):
        numbers = (owner.get(Cell(row, column)) for column in range(1, len(line) + 1))
        lines.append([Spot(s.text, "" if n is None else f"region {n % PALETTE}") for s, n in zip(line, numbers)])
    lines += [] if short else [[Spot(f" {name}  {place.piece}")] for place, name in names.items()]
    return lines


def _lattice(nodes: Mapping[Any, str], joined: Iterable[tuple[Any, Any]], inner: Mapping[Any, Spot]) -> list[Line]:
    """Nodes at (row, column), lines between those that are joined, and what stands right of and below a node.

    A node is drawn as the lines that meet in it, unless it has a text of its own.
    """
    pairs = {frozenset((tuple(one), tuple(other))) for one, other in joined}
    rows, columns = (sorted({node[axis] for node in nodes}) for axis in (0, 1))
    gap = 2 + max((len(spot.text) for spot in inner.values()), default=1)
    thick = max(1, *map(len, nodes.values()), 1)
    lines: list[Line] = []
    for row in range(rows[0], rows[-1] + 1):
        across, below = [], []
        for column in range(columns[0], columns[-1] + 1):
            at = (row, column)
            ways = [frozenset((at, other)) in pairs for other in _round(at)]
            across += [Spot(_node(nodes.get(at, " "), ways, thick)), Spot(("─" if ways[1] else " ") * gap)]
            text, colour = inner.get(at, Spot(""))
            below += [Spot(f"{'│' if ways[2] else ' ':^{thick}}"), Spot(f"{text:^{gap}}", colour)]
        lines += [across, below]
    return lines[:-1]


def _round(at: Point) -> tuple[Point, ...]:
    row, column = at
    return (row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)


def _node(text: str, ways: Sequence[bool], thick: int) -> str:
    glyph = GLYPHS[sum(way << place for place, way in enumerate(ways))]
    shown = glyph if not text or (text == " " and any(ways)) else text
    left, right = ("─" if ways[3] else " "), ("─" if ways[1] else " ")
    before = (thick - len(shown)) // 2
    return left * before + shown + right * (thick - len(shown) - before)
