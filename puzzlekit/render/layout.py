"""Renders pictures as lines of text: boards, side by side if there is room, tables and lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from rich.cells import cell_len
from rich.text import Text

from puzzlekit.errors import option
from puzzlekit.render.terminal import length, scene_lines, width
from puzzlekit.render.theme import INKS, STYLES
from puzzlekit.scene import Group, Line, PicturePart, Scene, Table, TextSpan

BOARDS_APART = 3  # blanks between boards side by side
COLUMNS_APART = 2  # blanks between the columns of a table
RULE = 3  # the width of the line between the headings of rows and the first column
INDENT = "  "  # of tables, which stand below their name
HANGING = 2  # blanks before what continues a line, more than those that the line begins with


def text_lines(parts: Iterable[PicturePart], wide: int = 80, coloured: bool = False) -> list[Line]:
    """Return the lines of a picture, at most `wide` characters where possible.

    Signs replace colours unless `coloured`.
    """
    lines: list[Line] = []
    for block in parts:
        match block:
            case Scene():
                lines += _titled(block, wide, coloured)
            case Group():
                lines += _group(block, wide, coloured)
            case Table():
                inner = table_lines(block, wide - len(INDENT))
                lines += ([TextSpan(INDENT), *line] for line in inner)
            case _:
                lines.append(block)
    return lines


def _group(group: Group, wide: int, coloured: bool) -> list[Line]:
    """Return boards side by side, with a blank line below each row of boards."""
    lines: list[Line] = []
    row: list[list[Line]] = []
    row_width = 0
    for scene in group.scenes:
        block = _titled(scene, wide, coloured)
        block_width = width(block)
        if row and row_width + block_width > wide:
            lines += _side_by_side(row)
            row = []
            row_width = 0
        row.append(block)
        row_width += block_width + BOARDS_APART
    if row:
        lines += _side_by_side(row)
    return lines


def _titled(scene: Scene, wide: int, coloured: bool) -> list[Line]:
    """Return a board with its title above it."""
    lines = scene_lines(scene, wide, coloured)
    if not scene.title.text:
        return lines
    title = TextSpan(f" {scene.title.text} ", scene.title.colour)
    return [[title], *lines]


def _side_by_side(blocks: list[list[Line]]) -> list[Line]:
    """Return blocks of lines side by side, and a blank line."""
    widths = [width(block) + BOARDS_APART for block in blocks]
    lines: list[Line] = []
    for number in range(max(map(len, blocks))):
        line: list[TextSpan] = []
        for block, block_width in zip(blocks[:-1], widths):
            spans = block[number] if number < len(block) else []
            blanks = " " * (block_width - length(spans))
            line += [*spans, TextSpan(blanks)]
        if number < len(blocks[-1]):
            line += blocks[-1][number]
        lines.append(line)
    return [*lines, [TextSpan("")]]


def draw(parts: Sequence[PicturePart], colour: bool, wide: int = 80) -> list[Text]:
    """Return a picture as rich text, indented by two blanks, for a terminal of this width."""
    lines = text_lines(parts, wide - 2, colour)
    texts = [Text("  ").append_text(_line(line, colour)) for line in lines]
    widest = width(lines) + 2
    has_board = any(isinstance(block, Scene | Group | Table) for block in parts)
    if has_board and widest > wide:
        formats = f"{option('svg')}, {option('html')}, {option('png')} or {option('pdf')}"
        note = f"({widest} columns: widen the window, or use draw {formats})"
        note_width = max(20, min(wide, 80) - 2)
        texts += [Text(f"  {line}") for line in wrap(note, note_width)]
    if not colour:
        for text in texts:
            text.rstrip()
    return texts


def _line(line: Line, colour: bool) -> Text:
    if not colour:
        return Text(_plain(line))
    pieces = []
    for span in line:
        style = STYLES.get(span.colour) or INKS.get(span.ink, "")
        pieces.append((span.text, style))
    return Text.assemble(*pieces)


def plain_text(lines: Sequence[Line]) -> str:
    """Return lines as plain text."""
    return "\n".join(map(_plain, lines))


def _plain(line: Line) -> str:
    return "".join(span.text for span in line).rstrip()


def folded(line: Line, wide: int) -> list[Line]:
    """Return a line as lines of at most `wide` columns, broken at blanks where possible.

    Examples:
        >>> [line[0].text for line in folded([TextSpan("  one two three")], 10)]
        ['  one two ', '    three']
    """
    text = "".join(span.text for span in line)
    columns = cell_len(text)
    if columns <= wide:
        return [line]
    leading_blanks = len(text) - len(text.lstrip())
    indent = min(leading_blanks + HANGING, wide // 2)
    longest = wide - indent
    if columns != len(text):  # characters may be two columns wide
        longest //= 2
    lines: list[list[TextSpan]] = [[]]
    used = 0
    for span in line:
        for piece in _pieces(span, longest):
            piece_width = cell_len(piece)
            if used + piece_width > wide and used > indent:
                lines.append([TextSpan(" " * indent)])
                used = indent
                if piece.isspace():
                    continue
            _append(lines[-1], span._replace(text=piece))
            used += piece_width
    return list(lines)


def _pieces(span: TextSpan, longest: int) -> list[str]:
    """Return the blanks and words of a span; a coloured one is not broken."""
    if span.colour:
        return [span.text]
    return re.findall(rf"\s+|\S{{1,{longest}}}", span.text)


def _append(line: list[TextSpan], span: TextSpan) -> None:
    """Add a span to a line, joined with the last one if both look alike and have no colour."""
    last = line[-1] if line else None
    if last is None or span.colour or last.colour or last.ink != span.ink:
        line.append(span)
    else:
        line[-1] = span._replace(text=last.text + span.text)


def fitted(table: Table, wide: int) -> list[Table]:
    """Return the table in at most `wide` characters.

    If it must be, it is transposed, or cut into blocks of columns. A single row is not transposed:
    that would be a long list.
    """
    if table_width(table) <= wide:
        return [table]
    if table.columns and len(table.rows) > 1:
        transposed = table.transposed()
        if table_width(transposed) <= wide:
            return [transposed]
    blocks: list[Table] = []
    start = 0
    for end in range(1, len(table.columns) + 1):
        is_last = end == len(table.columns)
        if is_last or table_width(_columns(table, start, end + 1)) > wide:
            blocks.append(_columns(table, start, end))
            start = end
    return blocks or [table]


def _columns(table: Table, start: int, end: int) -> Table:
    rows = [(heading, texts[start:end]) for heading, texts in table.rows]
    return Table(table.columns[start:end], rows)


def widths(table: Table) -> list[int]:
    """Return the widths of the headings of rows and of each column."""
    columns = zip(*(texts for _, texts in table.rows))
    column_widths = [max(map(cell_len, column)) for column in columns]
    if table.columns:
        column_widths = list(map(max, column_widths, map(cell_len, table.columns)))
    headings = [cell_len(heading) for heading, _ in table.rows]
    return [max(headings, default=0), *column_widths]


def table_width(table: Table) -> int:
    """Return the number of characters in a line of the table."""
    first, *others = widths(table)
    gaps = COLUMNS_APART * (len(others) - 1)
    return first + RULE + sum(others) + gaps


def numeric(table: Table) -> list[bool]:
    """Return for each column whether it has only numbers, which stand at the right."""
    columns = zip(*(texts for _, texts in table.rows))
    return [all(map(_is_number, column)) for column in columns]


def _is_number(text: str) -> bool:
    """Return whether a text is an integer or empty."""
    return not text or text.removeprefix("-").isdecimal()


def table_lines(table: Table, wide: int) -> Iterator[Line]:
    """Yield the lines of a table, with a blank line between its blocks of columns."""
    for number, block in enumerate(fitted(table, wide)):
        if number:
            yield [TextSpan("")]
        yield from _block_lines(block)


def _block_lines(table: Table) -> Iterator[Line]:
    first, *others = widths(table)
    right = numeric(table)
    if table.columns:
        headings = _row(table.columns, others, right)
        yield [TextSpan(" " * first + " │ "), TextSpan(headings, ink="given")]
        rule = "─" * (table_width(table) - first - 2)
        yield [TextSpan("─" * (first + 1) + "┼" + rule)]
    for heading, texts in table.rows:
        title = TextSpan(padded(heading, first), ink="given")
        yield [title, TextSpan(" │ "), TextSpan(_row(texts, others, right))]


def _row(texts: Sequence[str], wide: Sequence[int], right: Sequence[bool]) -> str:
    return (" " * COLUMNS_APART).join(map(padded, texts, wide, right))


def padded(text: str, wide: int, right: bool = False) -> str:
    """Return a text with blanks after it, or before it if it stands at the right."""
    blanks = " " * (wide - cell_len(text))
    return blanks + text if right else text + blanks
