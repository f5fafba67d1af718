"""Shapes of SVG that run through several cells: paths, and the dashed lines of cages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot

from puzzlekit.render.ground import Ground
from puzzlekit.render.scene import Path, Point, around


def cage_svg(ground: Ground, cells: Sequence[Point]) -> str:
    """Return the dashed line inside the outline of a cage."""
    inside = frozenset(cells)
    edge = ground.size * 0.07
    steps = ""
    for cell in sorted(inside):
        x, y = ground.centre(cell)
        half = ground.size / 2
        up, right, down, left = (other in inside for other in around(cell))
        ends = {
            "up": x - half + (0 if left else edge),
            "right": x + half - (0 if right else edge),
            "top": y - half + (0 if up else edge),
            "low": y + half - (0 if down else edge),
        }
        if not up:
            steps += f"M{ends['up']:.1f} {ends['top']:.1f}H{ends['right']:.1f}"
        if not down:
            steps += f"M{ends['up']:.1f} {ends['low']:.1f}H{ends['right']:.1f}"
        if not left:
            steps += f"M{ends['up']:.1f} {ends['top']:.1f}V{ends['low']:.1f}"
        if not right:
            steps += f"M{ends['right']:.1f} {ends['top']:.1f}V{ends['low']:.1f}"
    return f'<path class="cage" stroke-width="1" d="{steps}"/>'


def path_svg(ground: Ground, path: Path, style: str, given: bool) -> Iterator[str]:
    """Yield a path: broad and grey if it is given, else a line that begins with a dot."""
    points = [ground.centre(cell) for cell in path.cells]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    if style == "round" and not given:
        (x, y), radius = points[0], ground.size * 0.34
        yield f'<polyline class="walk" stroke-width="{ground.size / 10:.1f}" points="{line}"/>'
        yield f'<circle class="start" fill-opacity=".3" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>'
        return
    width = ground.size * (0.12 if style == "arrow" else 0.34)
    yield f'<polyline class="tube" stroke-width="{width:.1f}" points="{line}"/>'
    if style == "bulb":
        x, y = points[0]
        yield f'<circle class="bulb" cx="{x:.1f}" cy="{y:.1f}" r="{ground.size * 0.38:.1f}"/>'
    elif style == "arrow" and len(points) > 1:
        yield from _arrow(ground, *points[-2:])


def _arrow(ground: Ground, before: tuple[float, float], end: tuple[float, float]) -> Iterator[str]:
    (a, b), (c, d) = before, end
    far = hypot(c - a, d - b) or 1.0
    right, down = (c - a) / far * ground.size * 0.2, (d - b) / far * ground.size * 0.2
    wings = [(c - right - down, d - down + right), (c, d), (c - right + down, d - down - right)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in wings)
    yield f'<polyline class="tube" stroke-width="{ground.size * 0.12:.1f}" points="{line}"/>'


def square(x: float, y: float, size: float) -> str:
    return f'x="{x:.1f}" y="{y:.1f}" width="{size:g}" height="{size:g}"'
