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

SizedSvg = tuple[float, float, str]  # width, height, elements


def drawing(title: str, parts: Iterable[PicturePart]) -> str:
    """Return the SVG file of a picture."""
    return picture(title, parts)[2]


def picture(title: str, parts: Iterable[PicturePart], style: str = STYLE) -> SizedSvg:
    """Return the SVG file of a picture, with its size."""
    parts = list(parts)
    groups: list[str] = []
    content_width = 200.0
    y = GAP
    after_line = True
    for block in parts:
        is_line = not isinstance(block, Scene | Group | Table)
        width, height, content = _part_svg(block)
        if after_line and not is_line:
            y += GAP / 2
        groups.append(f'<g transform="translate({GAP:g} {y:.6g})">{content}</g>')
        y += height
        if not is_line:
            y += GAP
        content_width = max(content_width, width)
        after_line = is_line
    width = content_width + 2 * GAP
    height = y + GAP
    size = _size(f"{width:.0f}", f"{height:.0f}")
    about = f"<title>{escape(title)}</title><desc>{escape(description(parts))}</desc>"
    file = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">{about}<style>{style}</style>'
        f'<rect class="back" width="100%" height="100%"/>{"".join(groups)}</svg>\n'
    )
    return width, height, file


def bare(block: Scene | Group | Table, style: str) -> SizedSvg:
    """Return a picture without a margin as an SVG file, with its size."""
    width, height, content = _part_svg(block)
    size = _size(f"{width:.1f}", f"{height:.1f}")
    file = f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{style}</style>{content}</svg>'
    return width, height, file


def inline(block: Scene | Group, label: str, by_cell: bool = False) -> str:
    """Return a picture as an SVG element of a page with STYLE.

    With `by_cell`, a script can find what belongs to one cell: the background and the texts of the
    cell in row 1 and column 2 have `data-cell="r1c2"`.
    """
    width, height, content = _part_svg(block, by_cell)
    text = escape(label)
    size = _size(f"{width:.0f}", f"{height:.0f}")
    about = f"<title>{text}</title><desc>{escape(description([block]))}</desc>"
    return f'<svg {size} role="img" aria-label="{text}">{about}{content}</svg>'


def _size(width: str, height: str) -> str:
    return f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'


def description(parts: Iterable[PicturePart]) -> str:
    """Describe the boards and tables of a picture, for readers who cannot see it."""
    sentences: list[str] = []
    for block in parts:
        match block:
            case Scene():
                sentences.append(described(block))
            case Group():
                sentences += map(described, block.scenes)
            case Table():
                columns = max(1, len(block.columns))
                sentences.append(f"A table of {len(block.rows)} rows and {columns} columns.")
            case _:
                pass
    return " ".join(dict.fromkeys(sentences))


def _part_svg(block: PicturePart, by_cell: bool = False) -> SizedSvg:
    columns = int(WIDE / CHARACTER)
    match block:
        case Scene():
            return _titled(block, CELL, by_cell)
        case Group():
            return _group(block, by_cell)
        case Table():
            return _stacked([_table(table) for table in fitted(block, columns)])
        case _:
            return _stacked([_line(line) for line in folded(block, columns)], gap=0.0)


def _stacked(blocks: Sequence[SizedSvg], gap: float = GAP) -> SizedSvg:
    """Return pictures one below the other."""
    y = 0.0
    groups = []
    for _, height, content in blocks:
        groups.append(f'<g transform="translate(0 {y:g})">{content}</g>' if y else content)
        y += height + gap
    width = max(width for width, _, _ in blocks)
    return width, y - gap, "".join(groups)


def _table(table: Table) -> SizedSvg:
    """Return a table, with lines between headings and texts."""
    first, *others = [CHARACTER * width for width in widths(table)]
    rule_x = first + CHARACTER * RULE / 2
    right = numeric(table)
    rows = [*table.rows]
    if table.columns:
        rows.insert(0, ("", table.columns))
    elements: list[str] = []
    y = 0.0
    for heading, texts in rows:
        css_class = "given" if table.columns and not y else ""
        elements.append(_text(heading, 0, y, "given"))
        x = first + CHARACTER * RULE
        for text, width, at_right in zip(texts, others, right):
            start = x
            if at_right:
                start = x + width - CHARACTER * cell_len(text)
            elements.append(_text(text, start, y, css_class))
            x += width + CHARACTER * COLUMNS_APART
        y += LINE
    total_width = x - CHARACTER * COLUMNS_APART
    rules = f"M{rule_x:.1f} 0V{y - 3:g}"
    if table.columns:
        rules = f"M0 {LINE - 3:g}H{total_width:.1f}{rules}"
    elements.append(f'<path class="outline" stroke-width="1" d="{rules}"/>')
    return total_width, y, "".join(elements)


def _text(text: str, x: float, y: float, css_class: str) -> str:
    """Return a text on a line that begins at `y`; nothing of blanks."""
    if not text.strip():
        return ""
    classes = f"text {css_class}".strip()
    position = f'x="{x:.1f}" y="{y + 16:g}"'
    return f'<text class="{classes}" xml:space="preserve" {position}>{escape(text)}</text>'


def _line(line: Line) -> SizedSvg:
    """Return a line of text, each span on its background colour."""
    x = 0.0
    elements = []
    for span in line:
        width = CHARACTER * cell_len(span.text)
        fill = class_of(span.colour)
        css_class = ""
        if fill:
            css_class = f"on on-{fill}"
            box = f'x="{x:.1f}" width="{width:.1f}" height="{LINE - 3:g}"'
            elements.append(f'<rect class="{fill}" {box} rx="3"/>')
        elements.append(_text(span.text, x, 0, css_class))
        x += width
    return x, LINE, "".join(elements)


def _titled(scene: Scene, size: float, by_cell: bool) -> SizedSvg:
    """Return a board with its title above it, if it has one."""
    width, height, board = scene_svg(scene, size, by_cell)
    if not scene.title.text:
        return width, height, board
    span = TextSpan(f" {scene.title.text} ", scene.title.colour)
    title_width, title_height, title = _line([span])
    content = f'{title}<g transform="translate(0 {LINE:g})">{board}</g>'
    return max(width, title_width), height + title_height, content


def _group(group: Group, by_cell: bool) -> SizedSvg:
    """Return boards side by side, in as many rows as they take."""
    x = 0.0
    y = 0.0
    group_width = 0.0
    row_height = 0.0
    elements = []
    size = SMALL if group.small else CELL
    for scene in group.scenes:
        width, height, content = _titled(scene, size, by_cell)
        if x and x + width > WIDE:
            x = 0.0
            y += row_height + GAP
            row_height = 0.0
        elements.append(f'<g transform="translate({x:.1f} {y:.1f})">{content}</g>')
        group_width = max(group_width, x + width)
        row_height = max(row_height, height)
        x += width + GAP
    return group_width, y + row_height, "".join(elements)
