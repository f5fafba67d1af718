"""Charts of seconds on logarithmic axes, as SVG that reads on a telephone, in light and in dark."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from puzzlekit.render.svg_shapes import escape
from puzzlekit.render.theme import DARK_INK, DARK_PAPER, DARK_RIM, INK, PAPER, RIM

COLOURS = ("#2f80ed", "#e4572e", "#2a9d5c", "#9b51e0", "#b8860b", "#d63384", "#0aa2c0", "#7a7a7a")
SHAPES = ("circle", "square", "diamond", "triangle")
WIDE = 400  # the width of a telephone
MARGIN = 12
ROW = 26
CHARACTER = 6.8  # the width of a character of a label, on average
LEAST = 1e-3  # seconds: what is faster is drawn here
STYLE = (
    f".back{{fill:{PAPER}}}text{{fill:{INK};font:13px system-ui,sans-serif}}.head{{font-weight:600}}"
    f".quiet{{fill:{RIM};font-size:12px}}.grid{{stroke:#d9d9d9}}.rule{{stroke:{RIM};stroke-width:1.5}}"
    ".end{text-anchor:end}.middle{text-anchor:middle}"
    f"@media(prefers-color-scheme:dark){{.back{{fill:{DARK_PAPER}}}text{{fill:{DARK_INK}}}"
    f".quiet{{fill:{DARK_RIM}}}.grid{{stroke:#33363b}}.rule{{stroke:{DARK_RIM}}}}}"
    "@media screen{svg{max-width:100%;height:auto}}@media print{.back{fill:none}}"
)


@dataclass(frozen=True)
class Bar:
    """One row: seconds to the first solution and to the end, the least and the most of them.

    The note says why it is not the end, or why there is no time.
    """

    name: str
    first: float | None = None
    all: float | None = None
    spread: tuple[float, float] | None = None
    note: str = ""


@dataclass(frozen=True)
class Axis:
    """A logarithmic axis of seconds, whole powers of ten, between two places."""

    low: int
    high: int
    start: float
    end: float

    @classmethod
    def over(cls, seconds: Iterable[float], start: float, end: float) -> Axis:
        """Return the axis that holds all of these."""
        powers = [math.log10(max(time, LEAST)) for time in seconds] or [0.0]
        low = math.floor(min(powers))
        return cls(low, max(low + 1, math.ceil(max(powers))), start, end)

    def at(self, seconds: float) -> float:
        """Return the place of a time."""
        share = (math.log10(max(seconds, LEAST)) - self.low) / (self.high - self.low)
        return round(self.start + (self.end - self.start) * min(max(share, 0.0), 1.0), 1)

    def ticks(self) -> list[tuple[float, str]]:
        """Return each power of ten: its place and its label."""
        return [(self.at(10.0**power), brief(10.0**power)) for power in range(self.low, self.high + 1)]


def brief(seconds: float) -> str:
    """Return a time in few characters.

    Examples:
        >>> [brief(time) for time in (0.0004, 0.0123, 0.7, 12.3, 450.0)]
        ['0 ms', '12 ms', '0.7 s', '12 s', '450 s']
    """
    return f"{1000 * seconds:.0f} ms" if seconds < 0.1 else f"{seconds:.2g} s" if seconds < 100 else f"{seconds:.0f} s"


def mark(number: int, x: float, y: float, says: str = "", hollow: bool = False) -> str:
    """Return the mark of a series: the colours and shapes repeat, their pairs do not soon."""
    colour = COLOURS[number % len(COLOURS)]
    look = f'fill="none" stroke="{colour}" stroke-width="1.6"' if hollow else f'fill="{colour}" fill-opacity="0.9"'
    title = f"<title>{escape(says)}</title>" if says else ""
    shape = SHAPES[number % len(SHAPES)]
    if shape == "circle":
        return f'<circle cx="{x}" cy="{y}" r="4.5" {look}>{title}</circle>'
    points = {
        "square": ((-4, -4), (4, -4), (4, 4), (-4, 4)),
        "diamond": ((0, -5.5), (5.5, 0), (0, 5.5), (-5.5, 0)),
        "triangle": ((0, -5), (5, 4), (-5, 4)),
    }[shape]
    return f'<polygon points="{" ".join(f"{x + a:g},{y + b:g}" for a, b in points)}" {look}>{title}</polygon>'


def bars(title: str, rows: Sequence[Bar]) -> str:
    """Draw a row for each name: a hollow mark at the first solution, a full one at the end."""
    left = MARGIN + CHARACTER * max((len(row.name) for row in rows), default=0) + 12
    times = [time for row in rows for time in (row.first, row.all, *(row.spread or ())) if time is not None]
    axis = Axis.over(times, left, WIDE - 78)
    top, bottom = 62.0, 62.0 + ROW * len(rows)
    parts = [_text(title, MARGIN, 22, "head"), _text("hollow: first solution · full: all of the search", MARGIN, 42, "quiet")]
    parts += _upright(axis, top, bottom)
    for number, row in enumerate(rows):
        y = top + ROW * (number + 0.5)
        parts.append(_text(row.name, MARGIN, y + 4))
        if row.all is None:
            parts.append(_text(row.note, left + 4, y + 4, "quiet"))
            continue
        ends = [axis.at(time) for time in (row.first, row.all, *(row.spread or ())) if time is not None]
        parts.append(f'<line class="rule" x1="{min(ends)}" x2="{max(ends)}" y1="{y:g}" y2="{y:g}"/>')
        if row.first is not None:
            parts.append(mark(number, axis.at(row.first), y, f"{row.name}: first {brief(row.first)}", hollow=True))
        if row.note:  # it would have gone on
            parts.append(_text("▸", axis.at(row.all), y + 4, "quiet"))
        else:
            parts.append(mark(number, axis.at(row.all), y, f"{row.name}: all {brief(row.all)}"))
        parts.append(_text(f"{row.note or brief(row.all)}", WIDE - MARGIN, y + 4, "end"))
    return _file(title, bottom + 34, parts)


def scatter(title: str, across: str, upward: str, points: Mapping[str, tuple[float | None, float | None]]) -> str:
    """Draw a point for each puzzle: the seconds of two backends; None if one did not finish."""
    times = [time for pair in points.values() for time in pair if time is not None]
    side = WIDE - 76.0
    span = Axis.over(times, 0, 0)
    x, y = Axis(span.low, span.high, 52, 52 + side - 12), Axis(span.low, span.high, 44 + side - 12, 56)
    beyond = WIDE - MARGIN - 4.0, 46.0  # where those that did not finish are drawn
    parts = [_text(title, MARGIN, 22, "head"), _text(f"↑ {upward}", MARGIN, 42, "quiet")]
    parts += _upright(x, 56, y.start)
    for at, label in y.ticks():
        parts.append(f'<line class="grid" x1="52" x2="{x.end:g}" y1="{at}" y2="{at}"/>')
        parts.append(_text(label, 46, at + 4, "quiet end"))
    parts.append(f'<line class="rule" x1="{x.start}" y1="{y.start}" x2="{x.end}" y2="{y.end}"/>')
    for name, (one, other) in points.items():
        place = beyond[0] if one is None else x.at(one), beyond[1] if other is None else y.at(other)
        says = ", ".join("not finished" if time is None else brief(time) for time in (one, other))
        parts.append(mark(0, *place, f"{name}: {says}", hollow=one is None or other is None))
    parts.append(_text(f"{across} →", WIDE - MARGIN, y.start + 40, "quiet end"))
    if any(None in pair for pair in points.values()):
        parts.append(_text("hollow, at the edge: not finished", MARGIN, y.start + 40, "quiet"))
    return _file(title, y.start + 54, parts)


def cactus(title: str, series: Mapping[str, Sequence[float]]) -> str:
    """Draw a line for each backend: how many puzzles it finishes within so many seconds each."""
    most = max((len(times) for times in series.values()), default=0)
    bottom = 310.0
    y = Axis.over([time for times in series.values() for time in times], bottom, 60)
    parts = [_text(title, MARGIN, 22, "head"), _text("↑ seconds for each puzzle, sorted", MARGIN, 42, "quiet")]
    for at, label in y.ticks():
        parts.append(f'<line class="grid" x1="56" x2="{WIDE - MARGIN}" y1="{at}" y2="{at}"/>')
        parts.append(_text(label, 50, at + 4, "quiet end"))
    step = (WIDE - MARGIN - 64 - 6) / max(most - 1, 1)
    labelled = range(0, most, max(1, math.ceil(most / 8)))
    parts += [_text(str(number + 1), 64 + number * step, bottom + 18, "quiet middle") for number in labelled]
    parts.append(_text("puzzles finished →", WIDE - MARGIN, bottom + 36, "quiet end"))
    row, place = bottom + 58, float(MARGIN)
    for number, (name, times) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = [(round(64 + each * step, 1), y.at(time)) for each, time in enumerate(sorted(times))]
        line = " ".join(f"{a:g},{b:g}" for a, b in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.4"/>')
        parts += [mark(number, a, b, f"{name}: {each} within {brief(time)}")
                  for each, ((a, b), time) in enumerate(zip(points, sorted(times)), 1)]  # fmt: skip
        label = f"{name} ({len(times)})"
        if place + CHARACTER * len(label) + 20 > WIDE - MARGIN:
            row, place = row + 20, float(MARGIN)
        parts += [mark(number, place + 5, row - 4), _text(label, place + 15, row)]
        place += CHARACTER * len(label) + 32
    return _file(title, row + 16, parts)


def _upright(axis: Axis, top: float, bottom: float) -> list[str]:
    """Return the lines of an axis that goes across, with labels that have room."""
    ticks = axis.ticks()
    parts = [f'<line class="grid" x1="{at}" x2="{at}" y1="{top:g}" y2="{bottom:g}"/>' for at, _ in ticks]
    every = max(1, math.ceil(48 * len(ticks) / max(axis.end - axis.start, 1.0)))
    return [*parts, *(_text(label, at, bottom + 18, "quiet middle") for at, label in ticks[::every])]


def _text(text: str, x: float, y: float, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}"{named}>{escape(text)}</text>'


def _file(title: str, height: float, parts: Sequence[str]) -> str:
    size = f'width="{WIDE}" height="{height:.0f}" viewBox="0 0 {WIDE} {height:.0f}"'
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><title>{escape(title)}</title><style>{STYLE}</style>'
        f'<rect class="back" width="100%" height="100%"/>\n{body}\n</svg>\n'
    )
