"""Shapes of SVG: text, lines, paths and dashed lines of cages through several cells, signs."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from html import escape as escaped
from math import cos, hypot, pi, sin

from puzzlekit.render.ground import Ground
from puzzlekit.render.scene import Path, Point, around

# Not allowed in XML or HTML: control characters, surrogates and noncharacters
FORBIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(17))
    + "]"
)
Place = tuple[float, float]
Points = Sequence[Place]


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


def cage_svg(ground: Ground, cells: Sequence[Point]) -> str:
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
    ground: Ground, path: Path, style: str, given: bool, written: Collection[Point], filled: Collection[Point]
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
    yield _tube(points, ground.size * (0.12 if style == "arrow" else 0.34))
    if style == "bulb":
        x, y = points[0]
        yield f'<circle class="bulb" cx="{x:.1f}" cy="{y:.1f}" r="{ground.size * 0.38:.1f}"/>'
    elif style == "arrow" and len(points) > 1:
        x, y = points[-1]
        right, down = (part * ground.size * 0.2 for part in direction(*points[-2:]))
        wings = [(x - right - down, y - down + right), (x, y), (x - right + down, y - down - right)]
        yield _tube(wings, ground.size * 0.12)


def _tube(points: Points, width: float) -> str:
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline class="tube" stroke-width="{width:.1f}" points="{line}"/>'


def _step(one: Place, other: Place, first: float, last: float) -> str:
    """Return the line between two points as a part of a path, shortened at both ends."""
    right, down = direction(one, other)
    (a, b), (c, d) = one, other
    return f"M{a + first * right:.1f} {b + first * down:.1f}L{c - last * right:.1f} {d - last * down:.1f}"


def direction(one: Place, other: Place) -> Place:
    """Return the way from one point to another, of length 1."""
    right, down = other[0] - one[0], other[1] - one[1]
    far = hypot(right, down) or 1.0
    return right / far, down / far


def line_svg(kind: str, one: Place, other: Place, width: float | None = None) -> str:
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
    name: 45 * k for k, name in enumerate(("up", "up_right", "right", "down_right", "down", "down_left", "left", "up_left"))
} | {name: 90 * k for k, name in enumerate(("half_up_left", "half_up_right", "half_down_right", "half_down_left"))}


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
    return _polygon([((outer, inner)[k % 2] * sin(t), -(outer, inner)[k % 2] * cos(t)) for k, t in enumerate(turns)], ink)


def _arrow(ink: str) -> str:
    return _polygon(
        [(0, -0.38), (0.26, -0.06), (0.09, -0.06), (0.09, 0.38), (-0.09, 0.38), (-0.09, -0.06), (-0.26, -0.06)], ink
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
    "cross": lambda ink: _stroke([(-0.25, -0.25), (0.25, 0.25)], ink) + _stroke([(0.25, -0.25), (-0.25, 0.25)], ink),
    "less": lambda ink: _stroke([(0.16, -0.28), (-0.16, 0), (0.16, 0.28)], ink, 0.12),
    "greater": lambda ink: _stroke([(-0.16, -0.28), (0.16, 0), (-0.16, 0.28)], ink, 0.12),
    **{digit: partial(_digit, digit) for digit in "0123456789"},
    **dict.fromkeys(("half_up_left", "half_up_right", "half_down_right", "half_down_left"), _half),
}
