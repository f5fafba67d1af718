"""What a scene has at each place, as lines of text need it: arms of lines, texts of cells; and the
characters for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

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
    signs_of,
)

LIGHT, HEAVY, DOUBLE = 1, 2, 3  # the weights of lines

# by the weights of the arms: up * 27 + right * 9 + down * 3 + left
JUNCTIONS = " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋"
DOUBLES = " ═║╝══╚╩║╗║╣╔╦╠╬"  # by the sum of double arms: left 1, up 2, right 4, down 8
SLANTS = {(1, 1): "╲", (1, -1): "╱"}

HIGHLIGHTS = {"reason": "yellow", "new": "green"}  # the colours of marks
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
HORIZONTAL = {LIGHT: "─", HEAVY: "━", DOUBLE: "═"}


def junction(arms: Sequence[int]) -> str:
    """Return the character where lines of these weights meet: up, right, down, left.

    >>> junction((0, 1, 1, 0)), junction((2, 1, 2, 1)), junction((0, 3, 0, 3))
    ('┌', '╂', '═')
    """
    if DOUBLE in arms and all(arm in (0, DOUBLE) for arm in arms):
        return DOUBLES[sum((arm > 0) * part for arm, part in zip(arms, (2, 4, 8, 1)))]
    up, right, down, left = (LIGHT if arm == DOUBLE else arm for arm in arms)
    return JUNCTIONS[27 * up + 9 * right + 3 * down + left]


def sign(name: str, beside: bool = True) -> str:
    """Return the character of a sign; `beside` is false between a cell and the one below it."""
    return SIGNS[name] if beside else UPRIGHT.get(name, SIGNS[name])


@dataclass
class CharGrid:
    """A scene as text needs it.

    Attributes:
        cells: The text of each cell; empty where it shows only lines.
        arms: The weights of the lines that leave a place: up, right, down, left.
        colours: The colour of the lines at a place.
        points: Characters at places that are no cells: signs, dots, crossing diagonals.
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

    def link(self, one: Point, other: Point, weight: int, colour: str = "") -> None:
        """Draw a line between two places of one row, one column or one diagonal."""
        down, right = other[0] - one[0], other[1] - one[1]
        step = (down > 0) - (down < 0), (right > 0) - (right < 0)
        if 0 in step:
            self._straight(one, other, step, weight, colour)
        elif abs(down) == abs(right) == 2:
            middle = one[0] + step[0], one[1] + step[1]
            slant = SLANTS[1, step[0] * step[1]]
            crossed = middle in self.points and self.points[middle].text != slant
            self.points[middle] = TextSpan("╳") if crossed else TextSpan(slant, colour)
            if (
                self.scene.form == "hexagon"
            ):  # the other slant is a straight line here; in a cell both look alike
                self._arm(one, 1 + step[0], weight, colour)
                self._arm(other, 1 - step[0], weight, colour)

    def _straight(self, one: Point, other: Point, step: Point, weight: int, colour: str) -> None:
        away = {(-1, 0): 0, (0, 1): 1, (1, 0): 2, (0, -1): 3}[step]
        at = one
        while at != other:
            there = at[0] + step[0], at[1] + step[1]
            self._arm(at, away, weight, colour)
            self._arm(there, (away + 2) % 4, weight, colour)
            at = there

    def _arm(self, place: Point, away: int, weight: int, colour: str) -> None:
        """Draw a line from the middle of a place upwards (0), to the right (1), downwards (2) or to
        the left (3).
        """
        arms = self.strokes.setdefault(place, [0, 0, 0, 0])
        arms[away] = max(arms[away], weight)
        if colour:
            self.colours[place] = colour

    def along(self, side: Point, weight: int) -> None:
        """Draw a line along the side of a cell with this middle."""
        y, x = side
        if self.scene.form == "triangle":
            left = y // 2, x // 2
            self.sides[side] = TextSpan(
                HORIZONTAL[weight] if y % 2 else "╲" if points_up(left) else "╱"
            )
            return
        if self.scene.form == "hexagon" and y % 2:
            self.points[side] = TextSpan("╲" if x % 2 else "╱")
            return
        one, other = ((y, x - 1), (y, x + 1)) if y % 2 else ((y - 1, x), (y + 1, x))
        self.link(one, other, weight)


def char_grid(scene: Scene) -> CharGrid:
    """Return what a scene has at each place."""
    plane = CharGrid(scene)
    for side in ("top", "left", "right", "bottom"):
        plane.outside[side] = [[clue for clue, _ in clues] for clues in outside_of(scene, side)]
    for layer in scene.layers:
        if isinstance(layer, Borders):
            for place in layer.sides:
                plane.along(place, HEAVY)
        elif isinstance(layer, Cages):
            _cages(plane, layer)
        elif isinstance(layer, Lines):
            _lines(plane, layer)
        elif isinstance(layer, Paths):
            _paths(plane, layer)
        elif isinstance(layer, SideLabels):
            plane.points |= {
                at: TextSpan(text, "", "given" if layer.is_given else "found")
                for at, text in layer.texts.items()
            }
        elif isinstance(layer, Symbols):
            _signs(plane, layer)
        elif isinstance(layer, Pieces):
            _pieces(plane, layer)
    _texts(plane)
    for highlight in scene.of_type(Highlight):
        _highlights(plane, highlight)
    return plane


def _highlights(plane: CharGrid, layer: Highlight) -> None:
    """Fill the cells of reasons and of what is new."""
    for (y, x), kind in layer.roles.items():
        if y % 2 == x % 2 == 0 and kind in HIGHLIGHTS:
            before = plane.cells.get((y // 2, x // 2), NOTHING)
            plane.cells[y // 2, x // 2] = before._replace(
                text=before.text or "·", colour=HIGHLIGHTS[kind]
            )


def _cages(plane: CharGrid, cages: Cages) -> None:
    for cells, clue in cages.groups:
        for side in outline([cells], plane.scene.form):
            plane.along(side, LIGHT)
        if clue:
            plane.above[min(cells)] = TextSpan(clue)


def _lines(plane: CharGrid, lines: Lines) -> None:
    plane.traced = plane.traced or not lines.dots
    for dot in lines.dots:
        plane.points[dot] = TextSpan("·")
    for (one, other), count in lines.links.items():
        plane.points.pop(one, None)
        plane.points.pop(other, None)
        weight = DOUBLE if count > 1 else HEAVY if lines.is_given else LIGHT
        if lines.dots and plane.scene.form != "square":
            plane.along(middle(one, other), weight)
        else:
            plane.link(one, other, weight)
            if count > 2:  # the number stands on the double line
                (y, x), (down, right) = one, other
                plane.points[y + (down > y), x + (right > x)] = TextSpan(str(count))


def _paths(plane: CharGrid, paths: Paths) -> None:
    plane.traced = True
    for path in paths.paths:
        for one, other in pairwise(path.cells):
            plane.link(centre(one), centre(other), LIGHT, path.colour.replace("region", "line"))
        if paths.style == "bulb":
            plane.cells[path.cells[0]] = TextSpan(sign("white_circle"), "", "sign")
        elif paths.style == "arrow" and len(path.cells) > 1:
            (a, b), (c, d) = path.cells[-2:]
            plane.cells[path.cells[-1]] = TextSpan(
                ARROWS.get(((c > a) - (c < a), (d > b) - (d < b)), ""), "", "sign"
            )


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


def _signs(plane: CharGrid, signs: Symbols) -> None:
    others = signs_of(plane.scene, not signs.is_given)
    for (y, x), name in signs.symbols.items():
        ink = "sign" if name not in others else "given" if signs.is_given else "found"
        spot = TextSpan(sign(name, y % 2 == 0), "", ink)
        if y % 2 or x % 2:
            plane.points[y, x] = spot
        else:
            before = plane.cells.get((y // 2, x // 2))
            plane.cells[y // 2, x // 2] = (
                spot if before is None else before._replace(text=before.text + spot.text)
            )


def _pieces(plane: CharGrid, pieces: Pieces) -> None:
    traced = any(plane.scene.of_type(Paths))
    for piece in pieces.pieces:
        for cell in piece.cells:
            plane.cells[cell] = TextSpan(piece.name, piece.colour)
        if not piece.name and not traced:
            for side in outline([piece.cells], plane.scene.form):
                plane.along(side, LIGHT)


def _texts(plane: CharGrid) -> None:
    """Write the texts of cells, and fill them."""
    scene, given = plane.scene, given_cells(plane.scene)
    corners = {layer.is_given for layer in scene.of_type(Text) if layer.corner}
    for layer in scene.layers:
        if isinstance(layer, Text):
            for cell, text in layer.texts.items():
                _text(plane, cell, text, layer, len(corners) == 2 if layer.corner else bool(given))
        elif isinstance(layer, PencilMarks):
            for cell, parts in layer.texts.items():
                plane.cells.setdefault(cell, TextSpan("".join(parts), "", "faint"))
        elif isinstance(layer, ClueCell):
            for cell, (below, right) in layer.clues.items():
                plane.cells[cell] = TextSpan(f"{below}\\{right}" if below or right else "", "block")
        elif isinstance(layer, Diagonals):
            for cell, falls in layer.falling.items():
                before, slant = (
                    plane.cells.get(cell, TextSpan("", "", "sign")),
                    "╲" if falls else "╱",
                )
                plane.cells[cell] = (
                    before if slant in before.text else before._replace(text=before.text + slant)
                )
        elif isinstance(layer, Fill):
            for cell, tone in layer.tones.items():
                if tone:
                    colour = tone if tone != FULL else "given" if layer.is_given else "found"
                    plane.cells[cell] = plane.cells.get(cell, NOTHING)._replace(colour=colour)


def _text(plane: CharGrid, cell: CellPos, text: str, layer: Text, mixed: bool) -> None:
    before = plane.cells.get(cell, NOTHING)
    ink = ("given" if layer.is_given else "found") if mixed else ""
    if layer.corner:
        plane.above[cell] = TextSpan(text, "", ink)
    elif before.text and before.ink:  # a sign
        plane.cells[cell] = before._replace(text=text + before.text, ink=ink or before.ink)
    else:
        plane.cells[cell] = before._replace(text=text, ink=ink)
