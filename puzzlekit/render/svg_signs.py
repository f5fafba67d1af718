"""The signs of a scene as shapes of SVG."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import cos, pi, sin

Points = list[tuple[float, float]]  # in a square from -0.5 to 0.5


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
