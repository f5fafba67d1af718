"""The contents of a scene, as lines of text need them, and their characters."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import field
from itertools import pairwise

from puzzlekit.dataclass import dataclass
from puzzlekit.scene import (
    FULL,
    NOTHING,
    Borders,
    Cages,
    CellPos,
    ClueCell,
    Diagonals,
    Fill,
    Highlight,
    Lines,
    Paths,
    PencilMarks,
    Pieces,
    Point,
    Scene,
    SideLabels,
    Symbols,
    Text,
    TextSpan,
    centre,
    given_cells,
    middle,
    outline,
    outside_of,
    points_up,
    side_ends,
    signs_of,
)

LIGHT, HEAVY, DOUBLE = 1, 2, 3  # the weights of lines
NO_STROKES = (0, 0, 0, 0)

# by the weights of the strokes: up * 27 + right * 9 + down * 3 + left
JUNCTIONS = " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋"
DOUBLES = " ═║╝══╚╩║╗║╣╔╦╠╬"  # by the sum of double strokes: left 1, up 2, right 4, down 8
DIRECTIONS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # up, right, down, left
SLANTS = {(1, 1): "╲", (1, -1): "╱"}

# the colours of highlights
HIGHLIGHTS = {
    "reason": "yellow",
    "base": "base",
    "contradiction": "contradiction",
    "struck": "struck",
    "assumed": "assumed",
    "new": "green",
}
FILLED = {"found": "■", "given": "█", "block": "█"}  # the signs of cells without a text
CIRCLED = {str(number): chr(0x2460 + number - 1) for number in range(1, 21)}
SIGNS = {
    "white_circle": "○",
    "grey_circle": "◍",
    "black_circle": "●",
    "dot": "•",
    "star": "★",
    "bulb": "☼",
    "mine": "✱",
    "tree": "♣",
    "tent": "▲",
    "ship": "◆",
    "queen": "♛",
    "triangle": "△",
    "cross": "✕",
    "less": "<",
    "greater": ">",
    "half_up_left": "◤",
    "half_up_right": "◥",
    "half_down_right": "◢",
    "half_down_left": "◣",
    "up": "↑",
    "up_right": "↗",
    "right": "→",
    "down_right": "↘",
    "down": "↓",
    "down_left": "↙",
    "left": "←",
    "up_left": "↖",
    **{digit: digit for digit in "0123456789"},
}
UPRIGHT = {"less": "∧", "greater": "∨"}  # between a cell and the one below it
ARROWS = {
    (-1, 0): "↑",
    (-1, 1): "↗",
    (0, 1): "→",
    (1, 1): "↘",
    (1, 0): "↓",
    (1, -1): "↙",
    (0, -1): "←",
    (-1, -1): "↖",
}
HORIZONTAL = {LIGHT: "─", HEAVY: "━", DOUBLE: "═"}


def junction(strokes: Sequence[int]) -> str:
    """Return the character where lines of these weights meet: up, right, down, left.

    >>> junction((0, 1, 1, 0)), junction((2, 1, 2, 1)), junction((0, 3, 0, 3))
    ('┌', '╂', '═')
    """
    if DOUBLE in strokes and all(weight in (0, DOUBLE) for weight in strokes):
        number = 0
        for weight, share in zip(strokes, (2, 4, 8, 1)):
            if weight:
                number += share
        return DOUBLES[number]
    up, right, down, left = [LIGHT if weight == DOUBLE else weight for weight in strokes]
    return JUNCTIONS[27 * up + 9 * right + 3 * down + left]


def sign(name: str, upright: bool = False) -> str:
    """Return the character of a sign; one between a cell and the one below it is `upright`."""
    if upright and name in UPRIGHT:
        return UPRIGHT[name]
    return SIGNS[name]


@dataclass
class CharGrid:
    """The contents of a scene, as text needs them.

    Attributes:
        cells: The text of each cell; empty where it shows only lines.
        strokes: The weights of the lines that leave a point: up, right, down, left.
        colours: The colour of the lines at a point.
        points: Characters at points that are no cells: signs, dots, crossing diagonals.
        sides: The lines along sides of triangles.
        above: Texts on the line above cells, at their left.
        traced: Whether lines run from cell to cell.
        outside: The clues on each side of the board.
    """

    scene: Scene
    cells: dict[CellPos, TextSpan] = field(default_factory=dict)
    strokes: dict[Point, list[int]] = field(default_factory=dict)
    colours: dict[Point, str] = field(default_factory=dict)
    points: dict[Point, TextSpan] = field(default_factory=dict)
    sides: dict[Point, TextSpan] = field(default_factory=dict)
    above: dict[CellPos, TextSpan] = field(default_factory=dict)
    traced: bool = False
    outside: dict[str, Sequence[Sequence[str]]] = field(default_factory=dict)

    def link(self, start: Point, end: Point, weight: int, colour: str = "") -> None:
        """Draw a line between two points of one row, one column or one diagonal."""
        down = end[0] - start[0]
        right = end[1] - start[1]
        step = (_sign_of(down), _sign_of(right))
        if 0 in step:
            self._straight(start, end, step, weight, colour)
        elif abs(down) == abs(right) == 2:
            self._diagonal(start, step, colour)
            if self.scene.form == "hexagon":
                # the other slant is a straight line here; in a cell both look alike
                self._stroke(start, 1 + step[0], weight, colour)
                self._stroke(end, 1 - step[0], weight, colour)

    def _diagonal(self, start: Point, step: Point, colour: str) -> None:
        """Draw a slanted line between two cells that touch in a corner."""
        down, right = step
        middle = (start[0] + down, start[1] + right)
        slant = SLANTS[1, down * right]
        before = self.points.get(middle)
        if before is not None and before.text != slant:
            self.points[middle] = TextSpan("╳")
        else:
            self.points[middle] = TextSpan(slant, colour)

    def _straight(self, start: Point, end: Point, step: Point, weight: int, colour: str) -> None:
        direction = DIRECTIONS.index(step)
        opposite = (direction + 2) % 4
        point = start
        while point != end:
            next_point = (point[0] + step[0], point[1] + step[1])
            self._stroke(point, direction, weight, colour)
            self._stroke(next_point, opposite, weight, colour)
            point = next_point

    def _stroke(self, point: Point, direction: int, weight: int, colour: str) -> None:
        """Draw a line from a point upwards (0), to the right (1), downwards (2) or left (3)."""
        strokes = self.strokes.setdefault(point, [0, 0, 0, 0])
        strokes[direction] = max(strokes[direction], weight)
        if colour:
            self.colours[point] = colour

    def along(self, side: Point, weight: int) -> None:
        """Draw a line along the side of a cell with this middle."""
        y, x = side
        if self.scene.form == "triangle":
            self.sides[side] = TextSpan(triangle_side(side, HORIZONTAL[weight]))
        elif self.scene.form == "hexagon" and y % 2:
            self.points[side] = TextSpan("╲" if x % 2 else "╱")
        else:
            start, end = side_ends(side)
            self.link(start, end, weight)

    def strokes_at(self, point: Point) -> Sequence[int]:
        """Return the weights of the lines that leave a point: up, right, down, left."""
        return self.strokes.get(point, NO_STROKES)

    def colour_at(self, point: Point) -> str:
        """Return the colour of the lines at a point."""
        return self.colours.get(point, "")

    def append(self, cell: CellPos, span: TextSpan) -> None:
        """Write a sign into a cell, behind its text."""
        before = self.cells.get(cell)
        if before is not None:
            span = before._replace(text=before.text + span.text)
        self.cells[cell] = span


def _sign_of(number: int) -> int:
    return (number > 0) - (number < 0)


def triangle_side(side: Point, level: str = "─") -> str:
    """Return the character of the side of a triangle: a slanted one, or this if it is level."""
    y, x = side
    if y % 2:
        return level
    left_cell = (y // 2, x // 2)
    return "╲" if points_up(left_cell) else "╱"


def char_grid(scene: Scene) -> CharGrid:
    """Return the contents of a scene, as text needs them."""
    grid = CharGrid(scene)
    for side in ("top", "left", "right", "bottom"):
        lines = outside_of(scene, side)
        grid.outside[side] = [[clue for clue, _ in clues] for clues in lines]
    for layer in scene.layers:
        match layer:
            case Borders():
                for border in layer.sides:
                    grid.along(border, HEAVY)
            case Cages():
                _cages(grid, layer)
            case Lines():
                _lines(grid, layer)
            case Paths():
                _paths(grid, layer)
            case SideLabels():
                ink = "given" if layer.is_given else "found"
                for point, text in layer.texts.items():
                    grid.points[point] = TextSpan(text, "", ink)
            case Symbols():
                _signs(grid, layer)
            case Pieces():
                _pieces(grid, layer)
            case _:
                pass
    _texts(grid)
    for highlight in scene.of_type(Highlight):
        _highlights(grid, highlight)
    return grid


def _highlights(grid: CharGrid, layer: Highlight) -> None:
    """Fill the cells of what a step is about, and write the numbers of the lines of a chain."""
    for (y, x), role in layer.roles.items():
        if y % 2 == x % 2 == 0 and role in HIGHLIGHTS:
            cell = (y // 2, x // 2)
            before = grid.cells.get(cell, NOTHING)
            text = before.text or FILLED.get(before.colour, "·")
            grid.cells[cell] = before._replace(text=text, colour=HIGHLIGHTS[role])
    for point, label in layer.labels.items():
        _label(grid, point, TextSpan(CIRCLED.get(label, label), "", "found"))


def _label(grid: CharGrid, point: Point, span: TextSpan) -> None:
    """Write the label of a point where nothing is written; a supposed cell has a frame."""
    y, x = point
    if y % 2 or x % 2:
        if not any(grid.strokes_at(point)):
            grid.points.setdefault(point, span)
        return
    cell = (y // 2, x // 2)
    before = grid.cells.get(cell, NOTHING)
    if before.text in ("", "·") and span.text not in ("?", "!"):
        grid.cells[cell] = before._replace(text=span.text)


def _cages(grid: CharGrid, cages: Cages) -> None:
    for cells, clue in cages.groups:
        for side in outline([cells], grid.scene.form):
            grid.along(side, LIGHT)
        if clue:
            grid.above[min(cells)] = TextSpan(clue)


def _lines(grid: CharGrid, lines: Lines) -> None:
    if not lines.dots:
        grid.traced = True
    for dot in lines.dots:
        grid.points[dot] = TextSpan("·")
    for (start, end), count in lines.links.items():
        grid.points.pop(start, None)
        grid.points.pop(end, None)
        weight = HEAVY if lines.is_given else LIGHT
        if count > 1:
            weight = DOUBLE
        if lines.dots and grid.scene.form != "square":
            grid.along(middle(start, end), weight)
            continue
        grid.link(start, end, weight)
        if count > 2:  # the number stands on the double line
            y, x = start
            down = int(end[0] > y)
            right = int(end[1] > x)
            grid.points[y + down, x + right] = TextSpan(str(count))


def _paths(grid: CharGrid, paths: Paths) -> None:
    grid.traced = True
    for path in paths.paths:
        colour = path.colour.replace("region", "line")
        for first, second in pairwise(path.cells):
            grid.link(centre(first), centre(second), LIGHT, colour)
        if paths.style == "bulb":
            grid.cells[path.cells[0]] = TextSpan(sign("white_circle"), "", "sign")
        elif paths.style == "arrow" and len(path.cells) > 1:
            _arrow_head(grid, *path.cells[-2:])


def _arrow_head(grid: CharGrid, before_last: CellPos, last: CellPos) -> None:
    down = _sign_of(last[0] - before_last[0])
    right = _sign_of(last[1] - before_last[1])
    arrow = ARROWS.get((down, right), "")
    grid.cells[last] = TextSpan(arrow, "", "sign")


def _signs(grid: CharGrid, signs: Symbols) -> None:
    others = signs_of(grid.scene, not signs.is_given)
    for (y, x), name in signs.symbols.items():
        ink = "sign"
        if name in others:
            ink = "given" if signs.is_given else "found"
        span = TextSpan(sign(name, upright=y % 2 == 1), "", ink)
        if y % 2 or x % 2:
            grid.points[y, x] = span
        else:
            grid.append((y // 2, x // 2), span)


def _pieces(grid: CharGrid, pieces: Pieces) -> None:
    traced = any(grid.scene.of_type(Paths))
    for piece in pieces.pieces:
        for cell in piece.cells:
            grid.cells[cell] = TextSpan(piece.name, piece.colour)
        if not piece.name and not traced:
            for side in outline([piece.cells], grid.scene.form):
                grid.along(side, LIGHT)


def _texts(grid: CharGrid) -> None:
    """Write the texts of cells, and fill them."""
    scene = grid.scene
    mixed = bool(given_cells(scene))
    corners = {layer.is_given for layer in scene.of_type(Text) if layer.corner}
    mixed_corners = len(corners) == 2
    for layer in scene.layers:
        match layer:
            case Text():
                ink = ""
                if mixed_corners if layer.corner else mixed:
                    ink = "given" if layer.is_given else "found"
                for cell, text in layer.texts.items():
                    _text(grid, cell, TextSpan(text, "", ink), layer.corner)
            case PencilMarks():
                for cell, texts in layer.texts.items():
                    text = _pencil_marks(texts, layer.struck.get(cell, ()))
                    grid.cells.setdefault(cell, TextSpan(text, "", "faint"))
            case ClueCell():
                for cell, clues in layer.clues.items():
                    text = "\\".join(clues) if any(clues) else ""
                    grid.cells[cell] = TextSpan(text, "block")
            case Diagonals():
                _diagonals(grid, layer)
            case Fill():
                _fill(grid, layer)
            case _:
                pass


def _fill(grid: CharGrid, layer: Fill) -> None:
    """Fill cells; without colours, signs stand for printed areas and for grey among white cells."""
    filled = sum(map(bool, layer.tones.values()))
    is_partial = filled < len(grid.scene.cells)
    is_mixed = is_partial or len({*layer.tones.values()}) > 1
    for cell, tone in layer.tones.items():
        if not tone:
            continue
        colour = tone
        if tone == FULL:
            colour = "given" if layer.is_given else "found"
        elif tone.startswith("region ") and is_mixed:
            colour = tone.replace("region", "area")
        elif tone == "grey" and layer.is_given and is_partial:
            colour = "grey area"
        before = grid.cells.get(cell, NOTHING)
        grid.cells[cell] = before._replace(colour=colour)


def _pencil_marks(texts: Sequence[str], struck: Collection[str]) -> str:
    """Return pencil marks; those that are struck stand behind a minus."""
    remaining = "".join(text for text in texts if text not in struck)
    crossed_out = "".join(text for text in texts if text in struck)
    return f"{remaining}-{crossed_out}" if crossed_out else remaining


def _diagonals(grid: CharGrid, layer: Diagonals) -> None:
    for cell, falls in layer.falling.items():
        slant = "╲" if falls else "╱"
        before = grid.cells.get(cell)
        if before is None or slant not in before.text:
            grid.append(cell, TextSpan(slant, "", "sign"))


def _text(grid: CharGrid, cell: CellPos, span: TextSpan, corner: bool) -> None:
    """Write the text of a cell, before a sign in it."""
    before = grid.cells.get(cell, NOTHING)
    if corner:
        grid.above[cell] = span
    elif before.text and before.ink:  # a sign
        text = span.text + before.text
        grid.cells[cell] = before._replace(text=text, ink=span.ink or before.ink)
    else:
        grid.cells[cell] = before._replace(text=span.text, ink=span.ink)
