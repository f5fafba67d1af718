"""Shapes of SVG that run through several cells: paths, and the dashed lines of cages."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import hypot

from puzzlekit.render.ground import Ground
from puzzlekit.render.scene import Path, Point, around


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
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    width = ground.size * (0.12 if style == "arrow" else 0.34)
    yield f'<polyline class="tube" stroke-width="{width:.1f}" points="{line}"/>'
    if style == "bulb":
        x, y = points[0]
        yield f'<circle class="bulb" cx="{x:.1f}" cy="{y:.1f}" r="{ground.size * 0.38:.1f}"/>'
    elif style == "arrow" and len(points) > 1:
        yield from _arrow(ground, *points[-2:])


def _step(one: tuple[float, float], other: tuple[float, float], first: float, last: float) -> str:
    """Return the line between two points as a part of a path, shortened at both ends."""
    (a, b), (c, d) = one, other
    far = hypot(c - a, d - b) or 1.0
    right, down = (c - a) / far, (d - b) / far
    return f"M{a + first * right:.1f} {b + first * down:.1f}L{c - last * right:.1f} {d - last * down:.1f}"


def _arrow(ground: Ground, before: tuple[float, float], end: tuple[float, float]) -> Iterator[str]:
    (a, b), (c, d) = before, end
    far = hypot(c - a, d - b) or 1.0
    right, down = (c - a) / far * ground.size * 0.2, (d - b) / far * ground.size * 0.2
    wings = [(c - right - down, d - down + right), (c, d), (c - right + down, d - down - right)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in wings)
    yield f'<polyline class="tube" stroke-width="{ground.size * 0.12:.1f}" points="{line}"/>'


def square(x: float, y: float, size: float) -> str:
    return f'x="{x:.1f}" y="{y:.1f}" width="{size:g}" height="{size:g}"'
