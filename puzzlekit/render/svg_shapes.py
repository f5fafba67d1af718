"""The coordinates of a scene in an SVG picture, and shapes: lines, paths, cages and signs."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from html import escape as escaped
from math import cos, hypot, pi, sin, sqrt

from rich.cells import cell_len

from puzzlekit.scene import (
    CellPos,
    Path,
    Point,
    Scene,
    Symbols,
    around,
    centre,
    corner,
    outside_of,
    points_up,
    side_ends,
)

MARGIN = 2.0  # around a board, for its lines
HALF_SIGN = 0.3  # of a cell: how far a sign on the rim of a board reaches beyond it
CAGE_INSET = 0.07  # of a cell: how far the line of a cage lies inside its outline
# Not allowed in XML or HTML: control characters, surrogates and noncharacters
FORBIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(17))
    + "]"
)
SQRT3 = sqrt(3)
XY = tuple[float, float]
Points = Sequence[XY]


class Frame:
    """The coordinates of the points of a scene.

    Args:
        scene: The scene.
        size: The side of a square, or the width of a hexagon. Triangles are larger, so that a text
            fits.
        least_margin: The least margin around the board, as scenes of one board share it.

    Attributes:
        across: The distance of the centres of cells of a row.
        step: The distance of two rows.
        width: The width of the board with its clues.
        height: The height of the board with its clues.
    """

    def __init__(self, scene: Scene, size: float, least_margin: float = 0.0) -> None:
        self.scene = scene
        self.size = size
        self.form = scene.form
        self.across = size
        self.step = size
        half_cell = 0.5  # in columns
        tip = 0.0  # what the last row of hexagons reaches below its step
        if self.form == "hexagon":
            self.step = size * SQRT3 / 2
            tip = size * (2 / SQRT3 - SQRT3 / 2)
        elif self.form == "triangle":
            self.across = size * 0.8
            self.step = self.across * SQRT3
            half_cell = 1.0
        self.top, self.bottom, self.left, self.right = scene.extent
        self.clue = size * 0.55  # the room of a clue outside
        self.before = self._clues_width("left")
        self.after = self._clues_width("right")
        self.above = self._clues_height("top")
        self.below = self._clues_height("bottom")
        columns = [self._column(*centre(cell)) for cell in scene.cells] or [1.0]
        self._first = min(columns) - half_cell
        margin = size * HALF_SIGN if self._signs_on_the_rim() else MARGIN
        self.margin = max(margin, least_margin)
        margins = 2 * self.margin
        board_columns = max(columns) - self._first + half_cell
        board_width = self.across * board_columns
        board_height = self.step * (self.bottom - self.top + 1)
        self.width = margins + self.before + self.after + board_width
        self.height = margins + self.above + self.below + board_height + tip

    def _signs_on_the_rim(self) -> bool:
        points: list[Point] = []
        for layer in self.scene.of_type(Symbols):
            points += layer.symbols
        if self.form != "square":
            return any(y % 2 for y, _ in points)
        rim_y = (2 * self.top - 1, 2 * self.bottom + 1)
        rim_x = (2 * self.left - 1, 2 * self.right + 1)
        return any(y in rim_y or x in rim_x for y, x in points)

    def _clues_width(self, side: str) -> float:
        """Return the room that the clues on the left or on the right of the board take."""
        rows = outside_of(self.scene, side)
        widths = [sum(self.clue_width(clue) for clue, _ in row) for row in rows]
        return max(widths, default=0.0)

    def _clues_height(self, side: str) -> float:
        columns = outside_of(self.scene, side)
        return max(map(len, columns), default=0) * self.clue

    def clue_width(self, clue: str) -> float:
        """Return the room that one clue takes on the left or on the right of the board."""
        more_letters = max(0, cell_len(clue) - 1)
        letters = 0.7 + 0.4 * more_letters
        gap = self.clue * 0.2
        return self.clue * letters + gap

    def _column(self, y: float, x: float) -> float:
        """Return the column of a point: each row of hexagons is half a cell further right."""
        if self.form == "hexagon":
            return x / 2 + y / 4
        return x / 2

    def xy(self, point: Point) -> XY:
        """Return the coordinates of a point in half steps."""
        y, x = point
        if y < 0:
            return self._hexagon_corner(-y // 2 + 1, x)
        right = self._column(y, x) - self._first
        down = y / 2 - self.top + 0.5
        shift = 0.0  # from the middle of the row
        if self.form == "hexagon":
            shift = self.size * (1 / SQRT3 - SQRT3 / 4)
        elif self.form == "triangle" and y % 2 == x % 2 == 0:
            cell = (y // 2, x // 2)
            shift = self.step / (6 if points_up(cell) else -6)
        left_end = self.margin + self.before
        top_end = self.margin + self.above
        x_coordinate = left_end + self.across * right
        y_coordinate = top_end + self.step * down + shift
        return x_coordinate, y_coordinate

    def _hexagon_corner(self, row: int, column: int) -> XY:
        """Return the top of a hexagon, or its upper left corner if the column is odd."""
        cell = (row, (column + 1) // 2)
        x, y = self.centre(cell)
        radius = self.size / SQRT3
        if column % 2:
            return x - self.size / 2, y - radius / 2
        return x, y - radius

    def centre(self, cell: CellPos) -> XY:
        """Return the coordinates of the centre of a cell."""
        return self.xy(centre(cell))

    def end_of_row(self, row: int, left: bool) -> XY:
        """Return the point where the board ends in a row, on the left or on the right."""
        reach = 2 if self.form == "triangle" else 1
        column = 2 * self.right + reach
        if left:
            column = 2 * self.left - reach
        x, _ = self.xy((0, column))
        _, y = self.xy((2 * row, 1))
        return x, y

    def corner(self, cell: CellPos) -> XY:
        """Return the upper left corner of the room for a small text in a cell."""
        if self.form == "square":
            return self.xy(corner(cell))
        x, y = self.centre(cell)
        if self.form == "hexagon":
            return x - self.size / 3, y - self.size * 0.44
        if points_up(cell):
            return x - self.size * 0.2, y - self.size * 0.6
        return x - self.size * 0.56, y - self.size * 0.46

    def polygon(self, cell: CellPos) -> list[XY]:
        """Return the corners of a hexagon or a triangle, from the top clockwise."""
        x, y = self.centre(cell)
        if self.form == "triangle":
            to_tip = 2 * self.step / 3
            to_side = self.step / 3
            if not points_up(cell):
                to_tip = -to_tip
                to_side = -to_side
            tip = (x, y - to_tip)
            right = (x + self.across, y + to_side)
            left = (x - self.across, y + to_side)
            return [tip, right, left]
        radius = self.size / SQRT3
        angles = [number * pi / 3 for number in range(6)]
        offsets = [(radius * sin(angle), radius * cos(angle)) for angle in angles]
        return [(x + right, y - up) for right, up in offsets]

    def side(self, side: Point) -> tuple[XY, XY]:
        """Return the ends of the side with this middle."""
        if self.form == "hexagon":
            return self._hexagon_side(side)
        if self.form == "triangle":
            return self._triangle_side(side)
        start, end = side_ends(side)
        return self.xy(start), self.xy(end)

    def _hexagon_side(self, side: Point) -> tuple[XY, XY]:
        """Return the ends of a side, which crosses the line between the centres of two cells."""
        y, x = side
        if y % 2 == 0:
            first = (y, x - 1)
            second = (y, x + 1)
        else:
            first = (y - 1, x + x % 2)
            second = (y + 1, x - x % 2)
        x1, y1 = self.xy(first)
        x2, y2 = self.xy(second)
        right = (y2 - y1) / (2 * SQRT3)
        down = (x1 - x2) / (2 * SQRT3)
        middle_x = (x1 + x2) / 2
        middle_y = (y1 + y2) / 2
        start = (middle_x - right, middle_y - down)
        end = (middle_x + right, middle_y + down)
        return start, end

    def _triangle_side(self, side: Point) -> tuple[XY, XY]:
        y, x = side
        middle_x, middle_y = self.xy(side)
        right = self.across
        down = 0.0
        if y % 2 == 0:
            left_cell = (y // 2, x // 2)
            right = self.across / (2 if points_up(left_cell) else -2)
            down = self.step / 2
        start = (middle_x - right, middle_y - down)
        end = (middle_x + right, middle_y + down)
        return start, end


def escape(text: str) -> str:
    """Escape text for SVG and HTML.

    Examples:
        >>> escape("a < b\\ufffe") == "a &lt; b\\ufffd"
        True
    """
    return escaped(FORBIDDEN.sub("\ufffd", text))


def class_of(colour: str) -> str:
    """Return the class of a background."""
    return colour.replace(" ", "-")


def cage_svg(frame: Frame, cells: Sequence[CellPos]) -> str:
    """Return the dashed line inside the outline of a cage of squares."""
    inside = frozenset(cells)
    half = frame.size / 2
    inner_half = half - frame.size * CAGE_INSET
    steps = ""
    for cell in sorted(inside):
        row, column = cell
        x, y = frame.centre(cell)
        for down, right in around((0, 0)):
            if (row + down, column + right) in inside:
                continue
            start, end = _cage_reach(frame, inside, cell, (down, right))
            if right:
                side_x = x + right * inner_half
                steps += f"M{step_end((side_x, y - start))}V{y + end:.1f}"
            else:
                side_y = y + down * inner_half
                steps += f"M{step_end((x - start, side_y))}H{x + end:.1f}"
    return f'<path class="cage" stroke-width="1" d="{steps}"/>'


def _cage_reach(
    frame: Frame, inside: Collection[CellPos], cell: CellPos, side: CellPos
) -> list[float]:
    """Return how far the dashed line along a side of a cell reaches from its middle to both ends.

    The line turns away from the cage, goes straight on, or turns into the cage.
    """
    row, column = cell
    down, right = side
    half = frame.size / 2
    inset = frame.size * CAGE_INSET
    reaches = []
    for direction_along in (-1, 1):
        next_row = row + direction_along * abs(right)
        next_column = column + direction_along * abs(down)
        if (next_row, next_column) not in inside:
            reaches.append(half - inset)
        elif (next_row + down, next_column + right) in inside:
            reaches.append(half + inset)
        else:
            reaches.append(half)
    return reaches


def path_svg(
    frame: Frame,
    path: Path,
    style: str,
    given: bool,
    written: Collection[CellPos],
    filled: Collection[CellPos],
) -> Iterator[str]:
    """Yield a path: broad and grey if it is given, else a line that begins with a ring.

    Args:
        frame: The coordinates of the cells.
        path: The path.
        style: `round`, `bulb` or `arrow`.
        given: Whether the path is given.
        written: The cells with a text, for which a line leaves room.
        filled: The cells with a background.
    """
    if style == "round" and not given:
        yield from _walk(frame, path, written, filled)
        return
    size = frame.size
    points = [frame.centre(cell) for cell in path.cells]
    colour = path.colour.replace("region ", "line-")
    css_class = f"tube {colour}".strip()
    width = 0.12 if style == "arrow" else 0.34
    yield _tube(points, size * width, css_class)
    if style == "bulb":
        bulb_class = f"bulb {class_of(path.colour)}".strip()
        yield circle_svg(bulb_class, points[0], size * 0.38)
    elif style == "arrow" and len(points) > 1:
        yield _arrow_head(points, size, css_class)


def _walk(
    frame: Frame, path: Path, written: Collection[CellPos], filled: Collection[CellPos]
) -> Iterator[str]:
    """Yield a path of a solution: a ring around its start, and a line that spares texts."""
    size = frame.size
    radius = size * 0.36
    points = [frame.centre(cell) for cell in path.cells]
    text_room = size * 0.3
    rooms = [text_room if cell in written else 0.0 for cell in path.cells]
    rooms[0] = radius
    css_class = "walk"
    if all(cell in filled for cell in path.cells):
        css_class = "walk dark"
    steps = "".join(map(_step, points, points[1:], rooms, rooms[1:]))
    yield f'<path class="{css_class}" stroke-width="{size / 13:.1f}" d="{steps}"/>'
    yield circle_svg(css_class, points[0], radius, f' stroke-width="{size / 20:.1f}"')


def _arrow_head(points: Points, size: float, css_class: str) -> str:
    """Return the head of an arrow at the last point."""
    x, y = points[-1]
    unit_x, unit_y = direction(*points[-2:])
    right = unit_x * size * 0.2
    down = unit_y * size * 0.2
    base_x = x - right
    base_y = y - down
    left_end = (base_x - down, base_y + right)
    right_end = (base_x + down, base_y - right)
    return _tube([left_end, (x, y), right_end], size * 0.12, css_class)


def _joined(points: Points, form: str) -> str:
    """Return the coordinates of points, with blanks between points."""
    return " ".join(f"{x:{form}},{y:{form}}" for x, y in points)


def _tube(points: Points, width: float, css_class: str) -> str:
    ends = _joined(points, ".1f")
    return f'<polyline class="{css_class}" stroke-width="{width:.1f}" points="{ends}"/>'


def _step(start: XY, end: XY, start_room: float, end_room: float) -> str:
    """Return the line between two points as a step of a path, shortened at both ends."""
    right, down = direction(start, end)
    start_x = start[0] + start_room * right
    start_y = start[1] + start_room * down
    end_x = end[0] - end_room * right
    end_y = end[1] - end_room * down
    return f"M{step_end((start_x, start_y))}L{step_end((end_x, end_y))}"


def step_end(point: XY) -> str:
    """Return a point as a path has it."""
    x, y = point
    return f"{x:.1f} {y:.1f}"


def circle_svg(css_class: str, centre: XY, radius: float, stroke: str = "") -> str:
    """Return a circle of a class, with a stroke as attributes."""
    x, y = centre
    return f'<circle class="{css_class}"{stroke} cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>'


def direction(start: XY, end: XY) -> XY:
    """Return the vector of length 1 from one point to another."""
    right = end[0] - start[0]
    down = end[1] - start[1]
    distance = hypot(right, down) or 1.0
    return right / distance, down / distance


def line_svg(css_class: str, start: XY, end: XY, width: float | None = None) -> str:
    """Return a straight line of a class."""
    (x1, y1), (x2, y2) = start, end
    stroke = ""
    if width is not None:
        stroke = f' stroke-width="{width:.1f}"'
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line class="{css_class}"{stroke} {ends}/>'


def square(x: float, y: float, size: float) -> str:
    return f'x="{x:.1f}" y="{y:.1f}" width="{size:g}" height="{size:g}"'


def sign_svg(name: str, x: float, y: float, size: float, given: bool, upright: bool = False) -> str:
    """Return a sign in the middle of a square.

    Args:
        name: The name of the sign.
        x: The middle of the square.
        y: The middle of the square.
        size: Its side.
        given: Whether the sign is given.
        upright: Whether it stands between a cell and the one below it.
    """
    ink = "ink" if given else "ink found"
    transform = f"translate({x:.1f} {y:.1f})"
    turn = _turn(name, upright)
    if turn:
        transform += f" rotate({turn})"
    shape = SHAPES.get(name, _arrow)(ink)
    return f'<g transform="{transform} scale({size:g})">{shape}</g>'


def _turn(name: str, upright: bool) -> int:
    """Return the degrees by which the shape of a sign is turned."""
    if name in TURNS:
        return TURNS[name]
    if upright and name in ("less", "greater"):
        return 90
    return 0


HALF_SIGNS = ("half_up_left", "half_up_right", "half_down_right", "half_down_left")
ARROW_SIGNS = (
    *("up", "up_right", "right", "down_right"),
    *("down", "down_left", "left", "up_left"),
)
TURNS = {
    **{name: 45 * number for number, name in enumerate(ARROW_SIGNS)},
    **{name: 90 * number for number, name in enumerate(HALF_SIGNS)},
}


def _polygon(points: Points, css_class: str) -> str:
    corners = _joined(points, ".3g")
    return f'<polygon class="{css_class}" points="{corners}"/>'


def _stroke(points: Points, ink: str, width: float = 0.09) -> str:
    css_class = ink.replace("ink", "sign")
    ends = _joined(points, ".3g")
    return f'<polyline class="{css_class}" fill="none" stroke-width="{width:g}" points="{ends}"/>'


def _circle(radius: float, css_class: str, width: float = 0.0) -> str:
    stroke = f' stroke-width="{width:g}"' if width else ""
    return f'<circle class="{css_class}" r="{radius:g}"{stroke}/>'


def _star(ink: str, rays: int = 5, outer: float = 0.4, inner: float = 0.17) -> str:
    points = []
    for number in range(2 * rays):
        angle = pi * number / rays
        radius = inner if number % 2 else outer
        x = radius * sin(angle)
        y = -radius * cos(angle)
        points.append((x, y))
    return _polygon(points, ink)


def _arrow(ink: str) -> str:
    return _polygon(ARROW, ink)


ARROW = (
    *((0, -0.38), (0.26, -0.06), (0.09, -0.06), (0.09, 0.38)),
    *((-0.09, 0.38), (-0.09, -0.06), (-0.26, -0.06)),
)


def _bulb(ink: str) -> str:
    glass = ink.replace("ink", "hollow")
    shapes = [
        f'<circle class="{glass}" cy="-.04" r=".27" stroke-width=".06"/>',
        f'<path class="{ink}" d="M-.12 .2H.12V.39H-.12Z"/>',
        _stroke(FILAMENT, ink, 0.05),
    ]
    return "".join(shapes)


FILAMENT = ((-0.1, -0.03), (0, 0.11), (0.1, -0.03))


def _tree(ink: str) -> str:
    return f'<path class="{ink}" d="M0 -.42L.3 .16H.07V.4H-.07V.16H-.3Z"/>'


def _tent(ink: str) -> str:
    return f'<path class="{ink}" fill-rule="evenodd" d="M0 -.34L.38 .32H-.38ZM0 0L.12 .32H-.12Z"/>'


def _digit(digit: str, ink: str) -> str:
    """Return a digit in a circle."""
    letter = ink.replace("ink", "letter")
    circle = _circle(0.44, ink.replace("ink", "pearl white"), 0.05)
    return f'{circle}<text class="{letter} on" y=".24" font-size=".68">{digit}</text>'


def _queen(ink: str) -> str:
    shapes = _polygon(CROWN, ink)
    for x, y in BALLS:
        shapes += f'<circle class="{ink}" cx="{x:g}" cy="{y:g}" r=".055"/>'
    return shapes


CROWN = (
    *((-0.36, -0.2), (-0.2, 0.05), (-0.14, -0.3), (0, 0.02), (0.14, -0.3)),
    *((0.2, 0.05), (0.36, -0.2), (0.24, 0.32), (-0.24, 0.32)),
)
BALLS = ((-0.36, -0.22), (-0.14, -0.33), (0.14, -0.33), (0.36, -0.22))


def _half(ink: str) -> str:
    return _polygon(HALF, ink)


HALF = ((-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5))


SHAPES: dict[str, Callable[[str], str]] = {
    "white_circle": lambda ink: _circle(0.32, ink.replace("ink", "pearl white"), 0.07),
    "grey_circle": lambda ink: _circle(0.32, ink.replace("ink", "pearl half"), 0.07),
    "black_circle": lambda ink: _circle(0.32, ink.replace("ink", "pearl black"), 0.07),
    "dot": lambda ink: _circle(0.15, ink),
    "star": _star,
    "bulb": _bulb,
    "mine": lambda ink: _circle(0.24, ink) + _star(ink, 8, 0.38, 0.14),
    "tree": _tree,
    "tent": _tent,
    "ship": lambda ink: _polygon([(0, -0.36), (0.36, 0), (0, 0.36), (-0.36, 0)], ink),
    "queen": _queen,
    "triangle": lambda ink: _polygon([(0, -0.34), (0.36, 0.28), (-0.36, 0.28)], ink),
    "cross": lambda ink: (
        _stroke([(-0.25, -0.25), (0.25, 0.25)], ink) + _stroke([(0.25, -0.25), (-0.25, 0.25)], ink)
    ),
    "less": lambda ink: _stroke([(0.16, -0.28), (-0.16, 0), (0.16, 0.28)], ink, 0.12),
    "greater": lambda ink: _stroke([(-0.16, -0.28), (0.16, 0), (-0.16, 0.28)], ink, 0.12),
    **{digit: partial(_digit, digit) for digit in "0123456789"},
    **dict.fromkeys(HALF_SIGNS, _half),
}
