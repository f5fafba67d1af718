"""Lay out tables as lines of text: as they are, transposed, or in several blocks of columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from puzzlekit.render.scene import Line, Spot, Table

BETWEEN = 2  # blanks between columns
RULE = 3  # the width of the line between the headings of rows and the first column


def fitted(table: Table, wide: int) -> list[Table]:
    """Return the table in at most `wide` characters: transposed, or in blocks of columns, if it must be.

    A single row is not transposed: that would be a long list.
    """
    if width(table) <= wide:
        return [table]
    if table.columns and len(table.rows) > 1 and width(other := table.transposed()) <= wide:
        return [other]
    blocks: list[Table] = []
    begin = 0
    for end in range(1, len(table.columns) + 1):
        if end == len(table.columns) or width(_part(table, begin, end + 1)) > wide:
            blocks.append(_part(table, begin, end))
            begin = end
    return blocks or [table]


def _part(table: Table, begin: int, end: int) -> Table:
    return Table(table.columns[begin:end], [(heading, texts[begin:end]) for heading, texts in table.rows])


def widths(table: Table) -> list[int]:
    """Return the widths of the headings of rows and of each column."""
    columns = zip(*(texts for _, texts in table.rows))
    inner = [max(map(cell_len, column)) for column in columns]
    headed = map(max, inner, map(cell_len, table.columns)) if table.columns else inner
    return [max((cell_len(heading) for heading, _ in table.rows), default=0), *headed]


def width(table: Table) -> int:
    """Return the number of characters in a line of the table."""
    first, *others = widths(table)
    return first + RULE + sum(others) + BETWEEN * (len(others) - 1)


def numeric(table: Table) -> list[bool]:
    """Return for each column whether it has only numbers, which stand at the right."""
    columns = zip(*(texts for _, texts in table.rows))
    return [all(not text or text.removeprefix("-").isdecimal() for text in column) for column in columns]


def table_lines(table: Table, wide: int) -> Iterator[Line]:
    """Yield the lines of a table, with a blank line between blocks that do not fit beside each other."""
    for number, block in enumerate(fitted(table, wide)):
        if number:
            yield [Spot("")]
        yield from _lines(block)


def _lines(table: Table) -> Iterator[Line]:
    first, *others = widths(table)
    right = numeric(table)
    if table.columns:
        yield [Spot(" " * first + " │ "), Spot(_row(table.columns, others, right), ink="given")]
        yield [Spot("─" * (first + 1) + "┼" + "─" * (width(table) - first - 2))]
    for heading, texts in table.rows:
        yield [Spot(_padded(heading, first), ink="given"), Spot(" │ "), Spot(_row(texts, others, right))]


def _row(texts: Sequence[str], wide: Sequence[int], right: Sequence[bool]) -> str:
    return (" " * BETWEEN).join(map(_padded, texts, wide, right))


def _padded(text: str, wide: int, right: bool = False) -> str:
    blanks = " " * (wide - cell_len(text))
    return blanks + text if right else text + blanks
