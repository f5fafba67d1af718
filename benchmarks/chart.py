"""One chart as plain SVG: a row a case, a dot a backend, seconds on a logarithmic axis.

It reads in light and in dark.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

COLOURS = ("#2f80ed", "#e4572e", "#2a9d5c", "#9b51e0", "#b8860b", "#d63384", "#0aa2c0", "#7a7a7a")
SHAPES = (  # the corners of a mark, from its middle
    ((-4, -4), (4, -4), (4, 4), (-4, 4)),
    ((0, -5.5), (5.5, 0), (0, 5.5), (-5.5, 0)),
    ((0, -5), (5, 4), (-5, 4)),
)
LEFT, WIDTH, ROW, TOP = 300, 620, 19, 64
LOW, HIGH = -3, 1.5  # powers of ten of a second
STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .quiet { fill: #6e7781 } .head { font-weight: 600 }
  .grid { stroke: #d0d7de } .span { stroke: #afb8c1 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .quiet { fill: #9198a1 }
    .grid { stroke: #30363d } .span { stroke: #545d68 }
  }
"""
Row = tuple[str, str, Mapping[str, float]]  # set, size, seconds by backend


def drawn(rows: Sequence[Row], backends: Sequence[str], title: str) -> str:
    """The chart as the text of an SVG file."""
    sets = list(dict.fromkeys(name for name, _, _ in rows))
    height = TOP + ROW * len(rows) + 8 * len(sets) + 34
    parts = [f'<text class="head" x="10" y="14">{escape(title)}</text>']
    x = 10
    for number, backend in enumerate(backends):
        parts += [mark(number, x + 5, 28), f'<text x="{x + 14}" y="32">{escape(backend)}</text>']
        x += 32 + 7 * len(backend)
    for power in range(LOW, math.ceil(HIGH)):
        at = _place(10.0**power)
        parts.append(f'<line class="grid" x1="{at}" x2="{at}" y1="{TOP - 8}" y2="{height - 26}"/>')
        for y in (TOP - 12, height - 10):
            parts.append(
                f'<text class="quiet" x="{at}" y="{y}" text-anchor="middle">{10.0**power:g} '
                f"s</text>"
            )
    y, before = float(TOP), ""
    for name, size, seconds in rows:
        if name != before:
            y += 8
            parts.append(f'<text class="head" x="10" y="{y + 11}">{escape(name)}</text>')
            before = name
        parts.append(
            f'<text class="quiet" x="{LEFT - 12}" y="{y + 11}" '
            f'text-anchor="end">{escape(size)}</text>'
        )
        if seconds:
            ends = sorted(map(_place, seconds.values()))
            parts.append(
                f'<line class="span" x1="{ends[0]}" x2="{ends[-1]}" y1="{y + 7}" y2="{y + 7}"/>'
            )
        for number, backend in reversed(list(enumerate(backends))):
            if backend in seconds:
                parts.append(
                    mark(
                        number,
                        _place(seconds[backend]),
                        y + 7,
                        f"{backend}: {seconds[backend]:.3g} s",
                    )
                )
        y += ROW
    size = (
        f'width="{LEFT + WIDTH + 30}" height="{height}" viewBox="0 0 {LEFT + WIDTH + 30} {height}"'
    )
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">\n<style>{STYLE}</style>\n'
        f"{body}\n</svg>\n"
    )


def mark(number: int, x: float, y: float, says: str = "") -> str:
    """The mark of a series: the colours and shapes repeat, their pairs do not soon."""
    look = f'fill="{COLOURS[number % len(COLOURS)]}" fill-opacity="0.9"'
    title = f"<title>{escape(says)}</title>" if says else ""
    shape = number % (len(SHAPES) + 1)
    if not shape:
        return f'<circle cx="{x}" cy="{y}" r="4.5" {look}>{title}</circle>'
    points = " ".join(f"{x + a:g},{y + b:g}" for a, b in SHAPES[shape - 1])
    return f'<polygon points="{points}" {look}>{title}</polygon>'


def _place(seconds: float) -> float:
    power = min(max(math.log10(max(seconds, 1e-9)), LOW), HIGH)
    return round(LEFT + WIDTH * (power - LOW) / (HIGH - LOW), 1)
