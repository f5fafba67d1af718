"""Where the places of a scene are in an SVG picture, and shapes there: lines, paths, dashed lines
of cages, signs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from html import escape as escaped
from math import cos, hypot, pi, sin, sqrt

from rich.cells import cell_len

from puzzlekit.scene import CellPos, Path, Point, Scene, Symbols, around, outside_of, points_up

MARGIN = 2.0  # around a board, for its lines
HALF_SIGN = 0.3  # of a cell: what a sign on the rim of a board stands out
# Not allowed in XML or HTML: control characters, surrogates and noncharacters
FORBIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(17))
    + "]"
)
XY = tuple[float, float]
Points = Sequence[XY]


class Frame:
    """The coordinates of the places of a scene.

    Args:
        scene: The scene.
        size: The side of a square, or the width of a hexagon. Triangles are larger, so that a text
            fits.

    Attributes:
        across: The distance of the centres of cells of a row.
        step: The distance of two rows.
        width: The width of the board with its clues.
        height: The height of them.
    """

    def __init__(self, scene: Scene, size: float) -> None:
        self.scene = scene
        self.size = size
        self.form = scene.form
        self.across = size * 0.8 if self.form == "triangle" else size
        self.step = {
            "square": size,
            "hexagon": size * sqrt(3) / 2,
            "triangle": self.across * sqrt(3),
        }[self.form]
        self.top, self.bottom, self.left, self.right = scene.extent
        self.clue = size * 0.55  # the room of a clue outside
        self.before, self.after = (self._wide(side) for side in ("left", "right"))
        self.above, self.below = (self._high(side) for side in ("top", "bottom"))
        columns = [self._column(2 * cell[0], 2 * cell[1]) for cell in scene.cells] or [1.0]
        half = 1.0 if self.form == "triangle" else 0.5  # a cell, in columns
        self._first = min(columns) - half
        more = size * (2 / sqrt(3) - sqrt(3) / 2) if self.form == "hexagon" else 0.0
        self.margin = size * HALF_SIGN if self._signs_on_the_rim() else MARGIN
        self.width = (
            2 * self.margin
            + self.before
            + self.after
            + self.across * (max(columns) - self._first + half)
        )
        self.height = (
            2 * self.margin
            + self.above
            + self.below
            + self.step * (self.bottom - self.top + 1)
            + more
        )

    def _signs_on_the_rim(self) -> bool:
        places = [place for layer in self.scene.of_type(Symbols) for place in layer.symbols]
        if self.form != "square":
            return any(y % 2 for y, _ in places)
        rows, columns = (
            {2 * self.top - 1, 2 * self.bottom + 1},
            {2 * self.left - 1, 2 * self.right + 1},
        )
        return any(y in rows or x in columns for y, x in places)

    def _wide(self, side: str) -> float:
        """Return the room that the clues beside the board take."""
        rows = outside_of(self.scene, side)
        return max((sum(self.clue_width(clue) for clue, _ in row) for row in rows), default=0.0)

    def _high(self, side: str) -> float:
        return max(map(len, outside_of(self.scene, side)), default=0) * self.clue

    def clue_width(self, clue: str) -> float:
        """Return the room that one clue takes beside the board."""
        return self.clue * (0.7 + 0.4 * max(0, cell_len(clue) - 1)) + self.clue * 0.2

    def _column(self, y: float, x: float) -> float:
        """Return the column of a place in half steps: each row of hexagons is half a cell further
        right.
        """
        return x / 2 + (y / 4 if self.form == "hexagon" else 0.0)

    def at(self, place: Point) -> XY:
        """Return the coordinates of a place in half steps."""
        y, x = place
        if y < 0:
            return self._hexagon_corner(-y // 2 + 1, x)
        down = y / 2 - self.top + 0.5
        middle = self.size * (1 / sqrt(3) - sqrt(3) / 4) if self.form == "hexagon" else 0.0
        if self.form == "triangle" and y % 2 == x % 2 == 0:
            middle = self.step / (6 if points_up((y // 2, x // 2)) else -6)
        return (
            self.margin + self.before + self.across * (self._column(y, x) - self._first),
            self.margin + self.above + self.step * down + middle,
        )

    def _hexagon_corner(self, row: int, column: int) -> XY:
        """Return the coordinates of the top of a hexagon, or of its upper left corner, whose column
        is odd.
        """
        x, y = self.centre((row, (column + 1) // 2))
        radius = self.size / sqrt(3)
        return (x - self.size / 2, y - radius / 2) if column % 2 else (x, y - radius)

    def centre(self, cell: CellPos) -> XY:
        """Return the coordinates of the centre of a cell."""
        return self.at((2 * cell[0], 2 * cell[1]))

    def end_of_row(self, row: int, left: bool) -> XY:
        """Return where the board ends beside a row, on the left or on the right."""
        reach = 2 if self.form == "triangle" else 1
        column = 2 * self.left - reach if left else 2 * self.right + reach
        return self.at((0, column))[0], self.at((2 * row, 1))[1]

    def corner(self, cell: CellPos) -> XY:
        """Return where the room of a small text in a cell begins: at its top, on the left."""
        if self.form == "square":
            return self.at((2 * cell[0] - 1, 2 * cell[1] - 1))
        x, y = self.centre(cell)
        if self.form == "hexagon":
            return x - self.size / 3, y - self.size * 0.44
        return (
            (x - self.size * 0.2, y - self.size * 0.6)
            if points_up(cell)
            else (x - self.size * 0.56, y - self.size * 0.46)
        )

    def polygon(self, cell: CellPos) -> list[XY]:
        """Return the corners of a hexagon or a triangle, from the top clockwise."""
        x, y = self.centre(cell)
        if self.form == "triangle":
            far, near = (
                (2 * self.step / 3, self.step / 3)
                if points_up(cell)
                else (-2 * self.step / 3, -self.step / 3)
            )
            return [(x, y - far), (x + self.across, y + near), (x - self.across, y + near)]
        radius = self.size / sqrt(3)
        return [(x + radius * sin(k * pi / 3), y - radius * cos(k * pi / 3)) for k in range(6)]

    def side(self, side: Point) -> tuple[XY, XY]:
        """Return the ends of the side with this middle."""
        y, x = side
        if self.form == "hexagon":
            one, other = (
                ((y, x - 1), (y, x + 1)) if y % 2 == 0 else ((y - 1, x + x % 2), (y + 1, x - x % 2))
            )
            (a, b), (c, d) = self.at(one), self.at(other)
            right, down = (d - b) / (2 * sqrt(3)), (a - c) / (2 * sqrt(3))
            return ((a + c) / 2 - right, (b + d) / 2 - down), (
                (a + c) / 2 + right,
                (b + d) / 2 + down,
            )
        if self.form == "triangle":
            (middle, down), turn = (
                self.at(side),
                self.across / (2 if points_up((y // 2, x // 2)) else -2),
            )
            if y % 2:
                return (middle - self.across, down), (middle + self.across, down)
            return (middle - turn, down - self.step / 2), (middle + turn, down + self.step / 2)
        one, other = ((y, x - 1), (y, x + 1)) if y % 2 else ((y - 1, x), (y + 1, x))
        return self.at(one), self.at(other)


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


def cage_svg(ground: Frame, cells: Sequence[CellPos]) -> str:
    """Return the dashed line inside the outline of a cage."""
    inside = frozenset(cells)
    edge, half = ground.size * 0.07, ground.size / 2
    steps = ""
    for row, column in sorted(inside):
        x, y = ground.centre((row, column))
        for down, right in around((0, 0)):
            if (row + down, column + right) in inside:
                continue
            ends = []
            for along in (-1, 1):  # the line turns away, goes on straight, or turns into the cage
                beside = row + along * abs(right), column + along * abs(down)
                reach = half - edge
                if beside in inside:
                    reach = half + edge if (beside[0] + down, beside[1] + right) in inside else half
                ends.append(along * reach)
            if right:
                steps += f"M{x + right * (half - edge):.1f} {y + ends[0]:.1f}V{y + ends[1]:.1f}"
            else:
                steps += f"M{x + ends[0]:.1f} {y + down * (half - edge):.1f}H{x + ends[1]:.1f}"
    return f'<path class="cage" stroke-width="1" d="{steps}"/>'


def path_svg(
    ground: Frame,
    path: Path,
    style: str,
    given: bool,
    written: Collection[CellPos],
    filled: Collection[CellPos],
) -> Iterator[str]:
    """Yield a path: broad and grey if it is given, else a line that begins with a ring.

    Args:
        ground: Where the cells are.
        path: The path.
        style: `round`, `bulb` or `arrow`.
        given: Whether the path is given.
        written: The cells with a text, where a line leaves room for it.
        filled: The cells with a background of their own.
    """
    points = [ground.centre(cell) for cell in path.cells]
    if style == "round" and not given:
        (x, y), radius = points[0], ground.size * 0.36
        room = [ground.size * 0.3 if cell in written else 0.0 for cell in path.cells]
        room[0] = radius
        kind = "walk dark" if all(cell in filled for cell in path.cells) else "walk"
        steps = "".join(map(_step, points, points[1:], room, room[1:]))
        yield f'<path class="{kind}" stroke-width="{ground.size / 13:.1f}" d="{steps}"/>'
        yield f'<circle class="{kind}" stroke-width="{ground.size / 20:.1f}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>'
        return
    kind = f"tube {path.colour.replace('region ', 'line-')}".strip()
    yield _tube(points, ground.size * (0.12 if style == "arrow" else 0.34), kind)
    if style == "bulb":
        x, y = points[0]
        kind = f"bulb {path.colour.replace(' ', '-')}".strip()
        yield f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{ground.size * 0.38:.1f}"/>'
    elif style == "arrow" and len(points) > 1:
        x, y = points[-1]
        right, down = (part * ground.size * 0.2 for part in direction(*points[-2:]))
        wings = [(x - right - down, y - down + right), (x, y), (x - right + down, y - down - right)]
        yield _tube(wings, ground.size * 0.12, kind)


def _tube(points: Points, width: float, kind: str) -> str:
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline class="{kind}" stroke-width="{width:.1f}" points="{line}"/>'


def _step(one: XY, other: XY, first: float, last: float) -> str:
    """Return the line between two points as a part of a path, shortened at both ends."""
    right, down = direction(one, other)
    (a, b), (c, d) = one, other
    return f"M{a + first * right:.1f} {b + first * down:.1f}L{c - last * right:.1f} {d - last * down:.1f}"


def direction(one: XY, other: XY) -> XY:
    """Return the way from one point to another, of length 1."""
    right, down = other[0] - one[0], other[1] - one[1]
    far = hypot(right, down) or 1.0
    return right / far, down / far


def line_svg(kind: str, one: XY, other: XY, width: float | None = None) -> str:
    """Return a straight line of a class."""
    (a, b), (c, d) = one, other
    wide = "" if width is None else f' stroke-width="{width:.1f}"'
    return f'<line class="{kind}"{wide} x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}"/>'


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
    turned = f" rotate({_turn(name, upright)})" if _turn(name, upright) else ""
    shape = SHAPES.get(name, _arrow)(ink)
    return f'<g transform="translate({x:.1f} {y:.1f}){turned} scale({size:g})">{shape}</g>'


def _turn(name: str, upright: bool) -> int:
    if name in TURNS:
        return TURNS[name]
    return 90 if upright and name in ("less", "greater") else 0


TURNS = {
    name: 45 * k
    for k, name in enumerate(
        ("up", "up_right", "right", "down_right", "down", "down_left", "left", "up_left")
    )
} | {
    name: 90 * k
    for k, name in enumerate(("half_up_left", "half_up_right", "half_down_right", "half_down_left"))
}


def _polygon(points: Points, kind: str) -> str:
    return f'<polygon class="{kind}" points="{" ".join(f"{x:.3g},{y:.3g}" for x, y in points)}"/>'


def _stroke(points: Points, ink: str, width: float = 0.09) -> str:
    kind, ends = ink.replace("ink", "sign"), " ".join(f"{x:.3g},{y:.3g}" for x, y in points)
    return f'<polyline class="{kind}" fill="none" stroke-width="{width:g}" points="{ends}"/>'


def _circle(radius: float, kind: str, width: float = 0.0) -> str:
    line = f' stroke-width="{width:g}"' if width else ""
    return f'<circle class="{kind}" r="{radius:g}"{line}/>'


def _star(ink: str, rays: int = 5, outer: float = 0.4, inner: float = 0.17) -> str:
    turns = [pi * k / rays for k in range(2 * rays)]
    return _polygon(
        [
            ((outer, inner)[k % 2] * sin(t), -(outer, inner)[k % 2] * cos(t))
            for k, t in enumerate(turns)
        ],
        ink,
    )


def _arrow(ink: str) -> str:
    return _polygon(
        [
            (0, -0.38),
            (0.26, -0.06),
            (0.09, -0.06),
            (0.09, 0.38),
            (-0.09, 0.38),
            (-0.09, -0.06),
            (-0.26, -0.06),
        ],
        ink,
    )


def _bulb(ink: str) -> str:
    glass = ink.replace("ink", "hollow")
    return (
        f'<circle class="{glass}" cy="-.04" r=".27" stroke-width=".06"/>'
        f'<path class="{ink}" d="M-.12 .2H.12V.39H-.12Z"/>'
        f"{_stroke([(-0.1, -0.03), (0, 0.11), (0.1, -0.03)], ink, 0.05)}"
    )


def _tree(ink: str) -> str:
    return f'<path class="{ink}" d="M0 -.42L.3 .16H.07V.4H-.07V.16H-.3Z"/>'


def _tent(ink: str) -> str:
    return f'<path class="{ink}" fill-rule="evenodd" d="M0 -.34L.38 .32H-.38ZM0 0L.12 .32H-.12Z"/>'


def _digit(digit: str, ink: str) -> str:
    """Return a digit in a circle."""
    text = f'<text class="{ink.replace("ink", "letter")} on" y=".24" font-size=".68">{digit}</text>'
    return _circle(0.44, ink.replace("ink", "pearl white"), 0.05) + text


def _queen(ink: str) -> str:
    crown = [
        (-0.36, -0.2),
        (-0.2, 0.05),
        (-0.14, -0.3),
        (0, 0.02),
        (0.14, -0.3),
        (0.2, 0.05),
        (0.36, -0.2),
        (0.24, 0.32),
        (-0.24, 0.32),
    ]
    balls = "".join(
        f'<circle class="{ink}" cx="{x:g}" cy="{y:g}" r=".055"/>'
        for x, y in ((-0.36, -0.22), (-0.14, -0.33), (0.14, -0.33), (0.36, -0.22))
    )
    return _polygon(crown, ink) + balls


def _half(ink: str) -> str:
    return _polygon([(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5)], ink)


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
    **dict.fromkeys(("half_up_left", "half_up_right", "half_down_right", "half_down_left"), _half),
}
