"""Render pictures as lines of text: boards side by side if there is room, tables, long lines
folded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from rich.cells import cell_len
from rich.text import Text

from puzzlekit.render.terminal import length, scene_lines, width
from puzzlekit.render.theme import INKS, STYLES
from puzzlekit.scene import Group, Line, PicturePart, Scene, Table, TextSpan

BOARDS_APART = 3  # blanks between boards side by side
COLUMNS_APART = 2  # blanks between the columns of a table
RULE = 3  # the width of the line between the headings of rows and the first column
INDENT = "  "  # of tables, which stand below their name
HANGING = 2  # blanks before what continues a line, beside those that the line begins with


def text_lines(parts: Iterable[PicturePart], wide: int = 80, coloured: bool = False) -> list[Line]:
    """The lines of a picture, at most `wide` characters where possible.

    Signs replace colours unless `coloured`.
    """
    lines: list[Line] = []
    for part in parts:
        if isinstance(part, Scene):
            lines += _titled(part, wide, coloured)
        elif isinstance(part, Group):
            lines += _group(part, wide, coloured)
        elif isinstance(part, Table):
            lines += ([TextSpan(INDENT), *line] for line in table_lines(part, wide - len(INDENT)))
        else:
            lines.append(part)
    return lines


def _group(group: Group, wide: int, coloured: bool) -> list[Line]:
    """Boards side by side, with a blank line below each row of boards."""
    blocks = [_titled(scene, wide, coloured) for scene in group.scenes]
    lines: list[Line] = []
    row: list[list[Line]] = []
    for block in blocks:
        if row and sum(map(width, [*row, block])) + BOARDS_APART * len(row) > wide:
            lines += [*_beside(row), [TextSpan("")]]
            row = []
        row.append(block)
    return [*lines, *_beside(row), [TextSpan("")]] if row else lines


def _titled(scene: Scene, wide: int, coloured: bool) -> list[Line]:
    """A board with its title above it."""
    title: list[Line] = (
        [[TextSpan(f" {scene.title.text} ", scene.title.colour)]] if scene.title.text else []
    )
    return [*title, *scene_lines(scene, wide, coloured)]


def _beside(blocks: list[list[Line]]) -> list[Line]:
    """Blocks of lines side by side."""
    lines: list[Line] = []
    for number in range(max(map(len, blocks))):
        line: list[TextSpan] = []
        for place, block in enumerate(blocks):
            own = list(block[number]) if number < len(block) else []
            last = place == len(blocks) - 1
            line += [
                *own,
                *([] if last else [TextSpan(" " * (width(block) - length(own) + BOARDS_APART))]),
            ]
        lines.append(line)
    return lines


def draw(parts: Sequence[PicturePart], colour: bool, wide: int = 80) -> list[Text]:
    """A picture as rich text, indented by two blanks, for a terminal of this width."""
    lines = text_lines(parts, wide - 2, colour)
    drawn = [Text("  ").append_text(_line(line, colour)) for line in lines]
    widest = width(lines) + 2
    if widest > wide and any(isinstance(part, Scene | Group | Table) for part in parts):
        note = f"({widest} columns: widen the window, or use draw --svg, --html, --png or --pdf)"
        drawn += (Text(f"  {line}") for line in wrap(note, max(20, min(wide, 80) - 2)))
    for text in () if colour else drawn:
        text.rstrip()
    return drawn


def _line(line: Line, colour: bool) -> Text:
    if not colour:
        return Text("".join(spot.text for spot in line).rstrip())
    return Text.assemble(
        *((spot.text, STYLES.get(spot.colour) or INKS.get(spot.ink, "")) for spot in line)
    )


def plain_text(lines: Sequence[Line]) -> str:
    """Return lines as plain text."""
    return "\n".join("".join(spot.text for spot in line).rstrip() for line in lines)


def folded(line: Line, wide: int) -> list[Line]:
    """Return a line as lines of at most `wide` columns, broken at blanks where possible.

    Examples:
        >>> [line[0].text for line in folded([Spot("  one two three")], 10)]
        ['  one two ', '    three']
    """
    whole = "".join(spot.text for spot in line)
    if cell_len(whole) <= wide:
        return [line]
    indent = min(len(whole) - len(whole.lstrip()) + HANGING, wide // 2)
    longest = (wide - indent) // (
        1 if cell_len(whole) == len(whole) else 2
    )  # characters may be two columns wide
    lines: list[list[TextSpan]] = [[]]
    used = 0
    for spot in line:
        for text in (
            [spot.text] if spot.colour else re.findall(rf"\s+|\S{{1,{longest}}}", spot.text)
        ):
            if used + cell_len(text) > wide and used > indent:
                lines.append([TextSpan(" " * indent)])
                used = indent
                if text.isspace():
                    continue
            last = lines[-1][-1] if lines[-1] else None
            if (
                last is not None
                and not spot.colour
                and (last.colour, last.ink) == (spot.colour, spot.ink)
            ):
                lines[-1][-1] = spot._replace(text=last.text + text)
            else:
                lines[-1].append(spot._replace(text=text))
            used += cell_len(text)
    return list(lines)


def fitted(table: Table, wide: int) -> list[Table]:
    """Return the table in at most `wide` characters: transposed, or in blocks of columns, if it
    must be.

    A single row is not transposed: that would be a long list.
    """
    if table_width(table) <= wide:
        return [table]
    if table.columns and len(table.rows) > 1 and table_width(other := table.transposed()) <= wide:
        return [other]
    blocks: list[Table] = []
    begin = 0
    for end in range(1, len(table.columns) + 1):
        if end == len(table.columns) or table_width(_part(table, begin, end + 1)) > wide:
            blocks.append(_part(table, begin, end))
            begin = end
    return blocks or [table]


def _part(table: Table, begin: int, end: int) -> Table:
    return Table(
        table.columns[begin:end], [(heading, texts[begin:end]) for heading, texts in table.rows]
    )


def widths(table: Table) -> list[int]:
    """Return the widths of the headings of rows and of each column."""
    columns = zip(*(texts for _, texts in table.rows))
    inner = [max(map(cell_len, column)) for column in columns]
    headed = map(max, inner, map(cell_len, table.columns)) if table.columns else inner
    return [max((cell_len(heading) for heading, _ in table.rows), default=0), *headed]


def table_width(table: Table) -> int:
    """Return the number of characters in a line of the table."""
    first, *others = widths(table)
    return first + RULE + sum(others) + COLUMNS_APART * (len(others) - 1)


def numeric(table: Table) -> list[bool]:
    """Return for each column whether it has only numbers, which stand at the right."""
    columns = zip(*(texts for _, texts in table.rows))
    return [
        all(not text or text.removeprefix("-").isdecimal() for text in column) for column in columns
    ]


def table_lines(table: Table, wide: int) -> Iterator[Line]:
    """Yield the lines of a table, with a blank line between blocks that do not fit beside each
    other.
    """
    for number, block in enumerate(fitted(table, wide)):
        if number:
            yield [TextSpan("")]
        yield from _block_lines(block)


def _block_lines(table: Table) -> Iterator[Line]:
    first, *others = widths(table)
    right = numeric(table)
    if table.columns:
        yield [
            TextSpan(" " * first + " │ "),
            TextSpan(_row(table.columns, others, right), ink="given"),
        ]
        yield [TextSpan("─" * (first + 1) + "┼" + "─" * (table_width(table) - first - 2))]
    for heading, texts in table.rows:
        yield [
            TextSpan(padded(heading, first), ink="given"),
            TextSpan(" │ "),
            TextSpan(_row(texts, others, right)),
        ]


def _row(texts: Sequence[str], wide: Sequence[int], right: Sequence[bool]) -> str:
    return (" " * COLUMNS_APART).join(map(padded, texts, wide, right))


def padded(text: str, wide: int, right: bool = False) -> str:
    """Return a text with blanks after it, or before it if it stands at the right."""
    blanks = " " * (wide - cell_len(text))
    return blanks + text if right else text + blanks
