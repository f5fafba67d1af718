"""Render SVG: boards of squares or hexagons, words as lines through their cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape as escaped
from math import cos, pi, sin, sqrt

from rich.cells import cell_len

from puzzlekit.render.picture import REGIONS, Figure, Group, Line, Part, Path, Point, Spot

CELL = 40.0  # the side of a square, the width of a hexagon
SMALL = 22.0  # the same on boards side by side
CHARACTER = 8.4  # width of a character of text
LINE = 24.0  # height of a line of text
GAP = 16.0
FULL = "■"
WIDE = 760.0  # the width of a row of boards

STYLE = (
    ".back{fill:#fff}.text{fill:#1b1b1b;font:14px ui-monospace,Menlo,Consolas,monospace;white-space:pre}"
    ".letter{fill:#1b1b1b;font-family:system-ui,sans-serif;font-weight:600;text-anchor:middle;dominant-baseline:central}"
    ".faint{opacity:.35}.cell{fill:#fff;stroke:#b5b5b5}.side{stroke:#1b1b1b;stroke-width:3;stroke-linecap:round}"
    ".dot{fill:#8a8a8a}.path{fill:none;stroke-linecap:round;stroke-linejoin:round;stroke:#1b1b1b}.start{fill:#1b1b1b}"
    ".green{fill:#3a7d34;stroke:#3a7d34}.yellow{fill:#e2b93b;stroke:#e2b93b}.grey{fill:#6b7075;stroke:#6b7075}"
    ".on{fill:#1b1b1b}.on-green,.on-grey{fill:#fff}.full{fill:#1b1b1b}.walk{fill:none;stroke:#1b1b1b;stroke-opacity:.45}"
    + "".join(f".region-{number}{{fill:{colour}}}" for number, colour in enumerate(REGIONS))
    + "@media(prefers-color-scheme:dark){.back{fill:#17181a}.text,.letter,.dot{fill:#ececec}.cell{fill:#242629;stroke:#55585c}"
    ".side,.path{stroke:#ececec}.letter.on,.text.on{fill:#1b1b1b}.full{fill:#ececec}"
    + "".join(f".cell.region-{number}{{fill:{colour}}}" for number, colour in enumerate(REGIONS))
    + ".cell.green{fill:#3a7d34}.cell.yellow{fill:#e2b93b}.cell.grey{fill:#6b7075}.letter.on-green,.letter.on-grey{fill:#fff}}"
)

# Not allowed in XML or HTML: control characters, surrogates and noncharacters
FORBIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(17))
    + "]"
)

Drawn = tuple[float, float, str]  # width, height, SVG


def escape(text: str) -> str:
    """Escape text for SVG and HTML.

    Examples:
        >>> escape("a < b\\ufffe") == "a &lt; b\\ufffd"
        True
    """
    return escaped(FORBIDDEN.sub("\ufffd", text))


def drawing(title: str, parts: Iterable[Part]) -> str:
    """The SVG file."""
    body: list[str] = []
    wide, y, before = 200.0, GAP, True
    for part in parts:
        width, height, text = _drawn(part)
        y, before = y + (GAP / 2 if before and not _is_line(part) else 0), _is_line(part)
        body.append(f'<g transform="translate({GAP:g} {y:.4g})">{text}</g>')
        wide, y = max(wide, width), y + height + (0 if _is_line(part) else GAP)
    width, height = wide + 2 * GAP, y + GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}"'
        f' viewBox="0 0 {width:.0f} {height:.0f}" role="img"><title>{escape(title)}</title><style>{STYLE}</style>'
        f'<rect class="back" width="100%" height="100%"/>{"".join(body)}</svg>\n'
    )


def inline(part: Figure | Group, label: str) -> str:
    """A picture as an SVG element of a page with STYLE."""
    width, height, text = _drawn(part)
    return (
        f'<svg width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" role="img"'
        f' aria-label="{escape(label)}">{text}</svg>'
    )


def _is_line(part: Part) -> bool:
    return not isinstance(part, Figure | Group)


def _drawn(part: Part) -> Drawn:
    if isinstance(part, Figure):
        return _figure(part, CELL)
    if isinstance(part, Group):
        return _group(part)
    return _line(part)


def _line(line: Line) -> Drawn:
    """A line of text, each piece on its background colour."""
    x, drawn = 0.0, []
    for spot in line:
        width = CHARACTER * cell_len(spot.text)
        if spot.colour:
            drawn.append(f'<rect class="{_class(spot.colour)}" x="{x:.1f}" width="{width:.1f}" height="{LINE - 3:g}" rx="3"/>')
        if spot.text.strip():
            ink = f"text {_ink(spot.colour)}".rstrip()
            drawn.append(f'<text class="{ink}" xml:space="preserve" x="{x:.1f}" y="16">{escape(spot.text)}</text>')
        x += width
    return x, LINE, "".join(drawn)


def _group(group: Group) -> Drawn:
    """Small boards side by side, each with a title."""
    x = y = wide = high = 0.0
    drawn = []
    for figure in group.figures:
        width, height, text = _figure(figure, SMALL)
        title_width, title_height, title = _line([Spot(f" {figure.title.text} ", figure.title.colour)])
        width, height = max(width, title_width), height + title_height
        if x and x + width > WIDE:
            x, y, high = 0.0, y + high + GAP, 0.0
        drawn.append(f'<g transform="translate({x:.1f} {y:.1f})">{title}<g transform="translate(0 {LINE:g})">{text}</g></g>')
        x, wide, high = x + width + GAP, max(wide, x + width), max(high, height)
    return wide, y + high, "".join(drawn)


class _Ground:
    """The coordinates of the cells and corners of a board."""

    def __init__(self, figure: Figure, size: float) -> None:
        self.size = size
        self.slanted = figure.slanted
        self.height = size * sqrt(3) / 2 if figure.slanted else size  # of a row
        points = [*figure.cells, *figure.corners]
        self.top = min((point[0] for point in points), default=1)
        self.left = min((self._across(point) for point in points), default=1.0)
        ends = [*((row + 1, column + 1) for row, column in figure.cells), *figure.corners]
        more = 0.5 if figure.slanted else 0.0
        self.width = max((self._across(point) for point in ends), default=1.0) - more - self.left
        self.rows = max((point[0] for point in ends), default=1) - self.top

    def _across(self, point: Point) -> float:
        return point[1] + (point[0] / 2 if self.slanted else 0.0)

    def corner(self, point: Point) -> tuple[float, float]:
        return 2 + self.size * (self._across(point) - self.left), 2 + self.height * (point[0] - self.top)

    def centre(self, point: Point) -> tuple[float, float]:
        x, y = self.corner(point)
        return x + self.size / 2, y + (self.size / sqrt(3) if self.slanted else self.size / 2)

    @property
    def extent(self) -> tuple[float, float]:
        more = self.size * (2 / sqrt(3) - sqrt(3) / 2) if self.slanted else 0.0
        return 4 + self.size * self.width, 4 + self.height * self.rows + more


def _figure(figure: Figure, size: float) -> Drawn:
    ground = _Ground(figure, size)
    open_board = bool(figure.corners) or (figure.paths is not None and not any(s.colour for s in figure.cells.values()))
    drawn = []
    if not open_board:
        drawn += [_cell(ground, at, "full" if spot.text == FULL else spot.colour) for at, spot in figure.cells.items()]
    drawn += [_dot(*ground.corner(corner), 1.8) for corner in sorted(figure.corners)]
    drawn += [_side(ground, *sorted(side)) for side in sorted(figure.sides, key=sorted)]
    drawn += [_path(ground, path) for path in figure.paths or ()]
    drawn += [_letter(ground, at, spot, open_board and figure.paths is not None) for at, spot in figure.cells.items()]
    return *ground.extent, "".join(drawn)


def _cell(ground: _Ground, at: Point, colour: str) -> str:
    name = f"cell {_class(colour)}".rstrip()
    if not ground.slanted:
        x, y = ground.corner(at)
        return f'<rect class="{name}" x="{x:.1f}" y="{y:.1f}" width="{ground.size:g}" height="{ground.size:g}"/>'
    x, y = ground.centre(at)
    radius = ground.size / sqrt(3)
    points = (f"{x + radius * sin(k * pi / 3):.1f},{y - radius * cos(k * pi / 3):.1f}" for k in range(6))
    return f'<polygon class="{name}" points="{" ".join(points)}"/>'


def _side(ground: _Ground, one: Point, other: Point) -> str:
    (a, b), (c, d) = ground.corner(one), ground.corner(other)
    return f'<line class="side" x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}"/>'


def _path(ground: _Ground, path: Path) -> str:
    """A line through cells; the line of a word is broad and begins with a dot."""
    points = [ground.centre(cell) for cell in path.cells]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    if not path.colour:
        return f'<polyline class="path" stroke-width="3" points="{line}"/>'
    (x, y), radius = points[0], ground.size * 0.34
    start = f'<circle class="start" fill-opacity=".3" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>'
    return f'<polyline class="walk" stroke-width="{ground.size / 10:.1f}" points="{line}"/>{start}'


def _letter(ground: _Ground, at: Point, spot: Spot, open_path: bool) -> str:
    if not spot.text.strip():
        return _dot(*ground.centre(at), 1.8) if open_path else ""
    x, y = ground.centre(at)
    if spot.text == FULL:
        return ""
    faint = " faint" if spot.text == "·" else ""
    size = ground.size * min(0.5, 1.4 / max(1, cell_len(spot.text)))
    ink = f"letter {_ink(spot.colour)}".rstrip()
    disc = f'<circle class="cell" cx="{x:.1f}" cy="{y:.1f}" r="{ground.size * 0.32:.1f}"/>' if open_path else ""
    return f'{disc}<text class="{ink}{faint}" x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}">{escape(spot.text)}</text>'


def _dot(x: float, y: float, radius: float) -> str:
    return f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}"/>'


def _class(colour: str) -> str:
    return colour.replace(" ", "-")


def _ink(colour: str) -> str:
    """The class of a text on this background colour."""
    return f"on on-{_class(colour)}" if colour else ""


def texts(lines: Sequence[Line]) -> str:
    """Lines as plain text."""
    return "\n".join("".join(spot.text for spot in line).rstrip() for line in lines)
