"""Render SVG: boards with their layers, and lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len

from puzzlekit.render.layout import COLUMNS_APART, RULE, fitted, folded, numeric, widths
from puzzlekit.render.svg_layers import described, scene_svg
from puzzlekit.render.svg_shapes import class_of, escape
from puzzlekit.render.theme import STYLE
from puzzlekit.scene import Group, Line, PicturePart, Scene, Table, TextSpan

CELL = 40.0  # the side of a square, the width of a hexagon
SMALL = 22.0  # the same on boards side by side
CHARACTER = 8.4  # width of a character of text
LINE = 24.0  # height of a line of text
GAP = 16.0
WIDE = 760.0  # the width of a row of boards

Drawn = tuple[float, float, str]  # width, height, SVG


def drawing(title: str, parts: Iterable[PicturePart]) -> str:
    """The SVG file."""
    return picture(title, parts)[2]


def picture(title: str, parts: Iterable[PicturePart], style: str = STYLE) -> Drawn:
    """The SVG file, with its size."""
    body: list[str] = []
    wide, y, before = 200.0, GAP, True
    parts = list(parts)
    for part in parts:
        width, height, text = _drawn(part)
        y, before = y + (GAP / 2 if before and not _is_line(part) else 0), _is_line(part)
        body.append(f'<g transform="translate({GAP:g} {y:.6g})">{text}</g>')
        wide, y = max(wide, width), y + height + (0 if _is_line(part) else GAP)
    width, height = wide + 2 * GAP, y + GAP
    file = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}"'
        f' viewBox="0 0 {width:.0f} {height:.0f}" role="img">'
        f"<title>{escape(title)}</title><desc>{escape(description(parts))}</desc><style>{style}</style>"
        f'<rect class="back" width="100%" height="100%"/>{"".join(body)}</svg>\n'
    )
    return width, height, file


def bare(part: Scene | Group | Table, style: str) -> Drawn:
    """A picture without a margin as an SVG file, with its size."""
    width, height, text = _drawn(part)
    size = f'width="{width:.1f}" height="{height:.1f}" viewBox="0 0 {width:.1f} {height:.1f}"'
    return (
        width,
        height,
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{style}</style>{text}</svg>',
    )


def inline(part: Scene | Group, label: str, by_cell: bool = False) -> str:
    """A picture as an SVG element of a page with STYLE.

    With `by_cell`, a script can find what belongs to one cell: the background and the texts of the
    cell in row 1 and column 2 have `data-cell="r1c2"`.
    """
    width, height, text = _drawn(part, by_cell)
    return (
        f'<svg width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" role="img"'
        f' aria-label="{escape(label)}"><title>{escape(label)}</title>'
        f"<desc>{escape(description([part]))}</desc>{text}</svg>"
    )


def description(parts: Iterable[PicturePart]) -> str:
    """Describe the boards and tables of a picture, for readers who cannot see it."""
    said: dict[str, None] = {}
    for part in parts:
        if isinstance(part, Scene | Group):
            said |= dict.fromkeys(
                described(scene) for scene in (part.scenes if isinstance(part, Group) else (part,))
            )
        elif isinstance(part, Table):
            said[f"A table of {len(part.rows)} rows and {max(1, len(part.columns))} columns."] = (
                None
            )
    return " ".join(said)


def _is_line(part: PicturePart) -> bool:
    return not isinstance(part, Scene | Group | Table)


def _drawn(part: PicturePart, by_cell: bool = False) -> Drawn:
    match part:
        case Scene():
            return _titled(part, CELL, by_cell)
        case Group():
            return _group(part, by_cell)
        case Table():
            return _stacked([_table(block) for block in fitted(part, int(WIDE / CHARACTER))])
        case _:
            lines = [_line(line) for line in folded(part, int(WIDE / CHARACTER))]
            return _stacked(lines, gap=0.0)


def _stacked(blocks: Sequence[Drawn], gap: float = GAP) -> Drawn:
    """Drawings one below the other."""
    y, drawn = 0.0, []
    for _, height, text in blocks:
        drawn.append(f'<g transform="translate(0 {y:g})">{text}</g>' if y else text)
        y += height + gap
    return max(width for width, _, _ in blocks), y - gap, "".join(drawn)


def _table(table: Table) -> Drawn:
    """A table with a line between headings and values."""
    first, *others = (CHARACTER * wide for wide in widths(table))
    line = first + CHARACTER * RULE / 2
    drawn, y = list[str](), 0.0
    for heading, texts in [*([("", table.columns)] if table.columns else []), *table.rows]:
        headed = not y and bool(table.columns)
        drawn.append(_text(heading, 0, y, "given"))
        x = first + CHARACTER * RULE
        for text, wide, right in zip(texts, others, numeric(table)):
            drawn.append(
                _text(
                    text,
                    x + (wide - CHARACTER * cell_len(text) if right else 0),
                    y,
                    "given" if headed else "",
                )
            )
            x += wide + CHARACTER * COLUMNS_APART
        y += LINE
    wide = x - CHARACTER * COLUMNS_APART
    level = f"M0 {LINE - 3:g}H{wide:.1f}" if table.columns else ""
    drawn.append(f'<path class="outline" stroke-width="1" d="{level}M{line:.1f} 0V{y - 3:g}"/>')
    return wide, y, "".join(drawn)


def _text(text: str, x: float, y: float, kind: str) -> str:
    if not text.strip():
        return ""
    return f'<text class="{f"text {kind}".strip()}" xml:space="preserve" x="{x:.1f}" y="{y + 16:g}">{escape(text)}</text>'


def _line(line: Line) -> Drawn:
    """A line of text, each piece on its background colour."""
    x, drawn = 0.0, []
    for spot in line:
        width = CHARACTER * cell_len(spot.text)
        fill = class_of(spot.colour)
        if fill:
            drawn.append(
                f'<rect class="{fill}" x="{x:.1f}" width="{width:.1f}" height="{LINE - 3:g}" rx="3"/>'
            )
        drawn.append(_text(spot.text, x, 0, f"on on-{fill}" if fill else ""))
        x += width
    return x, LINE, "".join(drawn)


def _titled(scene: Scene, size: float, by_cell: bool) -> Drawn:
    """A board with its title above it, if it has one."""
    width, height, text = scene_svg(scene, size, by_cell)
    if not scene.title.text:
        return width, height, text
    title_width, title_height, title = _line(
        [TextSpan(f" {scene.title.text} ", scene.title.colour)]
    )
    below = f'{title}<g transform="translate(0 {LINE:g})">{text}</g>'
    return max(width, title_width), height + title_height, below


def _group(group: Group, by_cell: bool) -> Drawn:
    """Boards side by side, in as many rows as they take."""
    x = y = wide = high = 0.0
    drawn = []
    size = SMALL if group.small else CELL
    for scene in group.scenes:
        width, height, text = _titled(scene, size, by_cell)
        if x and x + width > WIDE:
            x, y, high = 0.0, y + high + GAP, 0.0
        drawn.append(f'<g transform="translate({x:.1f} {y:.1f})">{text}</g>')
        x, wide, high = x + width + GAP, max(wide, x + width), max(high, height)
    return wide, y + high, "".join(drawn)
