"""Pictures of single values: boards, words in rows, and text where a value is on no board."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from rich.cells import cell_len

from puzzlekit.boards import Cell, Shape
from puzzlekit.lang import Stacked, all_of_one_type
from puzzlekit.render.grouping import as_mapping, is_cell
from puzzlekit.render.layout import padded
from puzzlekit.render.make_layers import table_entries, tone
from puzzlekit.scene import (
    Borders,
    CellPos,
    Fill,
    Form,
    Group,
    Line,
    Paths,
    PicturePart,
    Pieces,
    Scene,
    Table,
    Text,
    TextSpan,
    outline,
    texts_of,
    upper,
)

FOLDED = 74  # characters of stacked rows on a line
BETWEEN = (" ", ", ", "; ")  # members of a row, rows, and lists of rows


def board(
    values: Mapping[Cell, Any], colours: Mapping[Cell, Any] | None = None, form: Form = "square"
) -> Scene:
    """Return a board of these values, with cells of this form.

    A cell with a mark in `colours` has the colour of the mark.
    """
    categories: dict[Any, int] = {}
    tones: dict[CellPos, str] = {}
    texts: dict[Cell, Any] = {}
    for cell, content in values.items():
        if isinstance(content, bool):
            tones[cell] = tone(content, {})
        else:
            texts[cell] = content
    for cell, mark in (colours or {}).items():
        if cell in values:
            tones[cell] = tone(mark, categories)
    layers = (Fill(False, tones), Text(False, texts_of(texts)))
    return Scene(tuple(sorted(values)), layers, form)


def rows(texts: Sequence[str], colours: Sequence[Sequence[Any]]) -> Scene:
    """Return words as rows, each letter in the colour of its mark."""
    return board(_by_cell(texts), _by_cell(colours))


def _by_cell(rows: Sequence[Sequence[Any]]) -> dict[Cell, Any]:
    contents: dict[Cell, Any] = {}
    for row_number, row in enumerate(rows, 1):
        for column, content in enumerate(row, 1):
            contents[Cell(row_number, column)] = content
    return contents


def value_picture(name: str, value: Any, form: Form = "square") -> list[PicturePart]:
    """Return the picture of a value with its name.

    A value for each cell is a board of such cells, a value for each pair of other keys a table.
    Values of a library may take a line each, other lists one line.
    """
    is_list = isinstance(value, tuple | list)
    library_type = all_of_one_type(value) if is_list else None
    if library_type is not None and library_type.row_picture is not None:
        lines: list[PicturePart] = library_type.row_picture(value)
        return lines
    heading = [TextSpan(f"  {name}:")]
    mapping = as_mapping(value)
    if mapping and all(map(is_cell, mapping)):
        return [heading, board(mapping, form=form)]
    pairs = table_entries(value)
    if pairs:
        return [heading, table(pairs)]
    if isinstance(value, Stacked):
        return columns(value)
    if is_list and value and all(isinstance(member, Stacked) for member in value):
        return _separated(map(columns, value))
    if is_list:
        return [[TextSpan(f"  {name}: {_in_words(value) or 'none'}")]]
    if isinstance(value, Mapping):
        return _mapping_lines(value)
    text = str(value)
    if isinstance(value, bool):
        text = "yes" if value else "no"
    return [[TextSpan(f"  {name}: {text}")]]


def _separated(blocks: Iterable[list[PicturePart]]) -> list[PicturePart]:
    """Return blocks of lines with a blank line between."""
    lines: list[PicturePart] = []
    for number, block in enumerate(blocks):
        if number:
            lines.append([TextSpan("")])
        lines += block
    return lines


def _mapping_lines(mapping: Mapping[Any, Any]) -> list[PicturePart]:
    """Return a line for each key of a mapping."""
    key_width = max((cell_len(str(key)) for key in mapping), default=0)
    lines: list[PicturePart] = []
    for key, content in mapping.items():
        text = f"  {padded(str(key), key_width)}  {_in_words(content)}"
        lines.append([TextSpan(text)])
    return lines


def shapes(name: str, value: Any, form: Form = "square") -> list[PicturePart]:
    """Return shapes as small boards of such cells, below their name.

    The value is one shape, a list of shapes, or a mapping to shapes.
    """
    if isinstance(value, Shape):
        titled = [("", value)]
    elif isinstance(value, Mapping):
        titled = [(str(key), shape) for key, shape in value.items()]
    else:
        titled = [("", shape) for shape in value]
    scenes = [_shape(shape, title, form) for title, shape in titled if isinstance(shape, Shape)]
    if not scenes:
        return []
    return [[TextSpan(f"  {name}:")], Group(scenes, small=True)]


def _shape(shape: Shape, title: str, form: Form) -> Scene:
    cells = tuple((row + 1, column + 1 + shape.odd) for row, column in shape)
    fill = Fill(True, dict.fromkeys(cells, "region 0"))
    borders = Borders(True, outline([cells], form))
    return Scene(cells, (fill, borders), form, TextSpan(title))


def table(values: Mapping[tuple[Any, Any], Any]) -> Table:
    """Return a table of values by row and column.

    Of conditions of which one is true in each row or each column, it has the names of these.
    Numbers as headings are in order, other headings in the order of their first occurrence.
    """
    rows = _headings(row for row, _ in values)
    columns = _headings(column for _, column in values)
    if all(isinstance(content, bool) for content in values.values()):
        true = [key for key, content in values.items() if content]
        by_row = _matched(true, rows, columns)
        if by_row is not None:
            return by_row
        by_column = _matched([(column, row) for row, column in true], columns, rows)
        if by_column is not None:
            return by_column
    table_rows = []
    for row in rows:
        texts = [_in_table(values.get((row, column))) for column in columns]
        table_rows.append((str(row), texts))
    return Table(list(map(str, columns)), table_rows)


def _matched(
    pairs: Sequence[tuple[Any, Any]], headings: Sequence[Any], names: Sequence[Any]
) -> Table | None:
    """Return a table with the name of each heading; None if a heading has none or several."""
    name_of = dict(pairs)
    if not len(pairs) == len(name_of) == len(headings) or len(names) < 2:
        return None
    rows = [(str(heading), (str(name_of[heading]),)) for heading in headings]
    return Table((), rows)


def _headings(occurrences: Iterable[Any]) -> list[Any]:
    headings = list(dict.fromkeys(occurrences))
    if all(isinstance(heading, int) for heading in headings):
        headings.sort()
    return headings


def _in_table(value: Any) -> str:
    if isinstance(value, bool):
        return "■" if value else "·"
    if value is None:
        return ""
    return _in_words(value) if isinstance(value, tuple | list) else str(value)


def _in_words(value: Any) -> str:
    """Return a value as text.

    Blanks stand in a row, commas between rows, semicolons between lists of rows, then brackets.
    """
    if not _is_row(value):
        return upper(value)
    depth = _depth(value)
    texts = [_member_text(member, depth) for member in value]
    if depth <= len(BETWEEN):
        return BETWEEN[depth - 1].join(texts)
    bracketed = []
    for text, member in zip(texts, value):
        bracketed.append(f"[{text}]" if _is_row(member) else text)
    return " ".join(bracketed)


def _member_text(member: Any, depth: int) -> str:
    """Return the text of a member of a list that nests so deep."""
    if _is_row(member):
        return _in_words(member) or "–"
    return upper(member) if depth > 1 else str(member)


def _is_row(value: Any) -> bool:
    return isinstance(value, tuple | list) and not is_cell(value)


def _depth(value: Any) -> int:
    """Return how many lists are nested."""
    if not _is_row(value):
        return 0
    return 1 + max(map(_depth, value), default=0)


def columns(rows: Stacked | Sequence[Sequence[str]]) -> list[PicturePart]:
    """Return rows in aligned columns.

    Rows that are longer than a usual line are folded, with a blank line between the blocks. Texts
    that are alone in their rows are folded at their blanks, if they have as many words.
    """
    words = [row[0].split() for row in rows if len(row) == 1 and cell_len(row[0]) > FOLDED]
    lengths = set(map(len, words))
    if len(words) == len(rows) and len(lengths) == 1:
        rows = words
    widths = [max(map(cell_len, column)) for column in zip(*rows)]
    starts = [0]
    length = 0
    for index, width in enumerate(widths):
        length += width + 1
        if length > FOLDED + 1 and index > starts[-1]:
            starts.append(index)
            length = width + 1
    blocks = []
    for start, end in pairwise([*starts, len(widths)]):
        blocks.append([_aligned(row[start:end], widths[start:end]) for row in rows])
    return _separated(blocks)


def _aligned(texts: Sequence[str], widths: Sequence[int]) -> PicturePart:
    text = " ".join(map(padded, texts, widths))
    return [TextSpan(f"  {text}".rstrip())]


def legend(scenes: Collection[Scene]) -> list[Line]:
    """Return the lines that explain the colours of lines and the letters of pieces."""
    layers = [layer for scene in scenes for layer in scene.layers]
    path_layers = [layer for layer in layers if isinstance(layer, Paths)]
    names: dict[str, str] = {}
    for paths in path_layers:
        names |= paths.names
    lines: list[Line] = []
    for colour, name in names.items():
        text = f" {name}"
        if len(names) > 1:
            text += f" from {', '.join(_starts(path_layers, colour))}"
        lines.append([TextSpan("  "), TextSpan("   ", colour), TextSpan(text)])
    for layer in layers:
        if isinstance(layer, Pieces):
            lines += [[TextSpan(f" {letter}  {name}")] for letter, name in layer.legend]
    return lines


def _starts(layers: Iterable[Paths], colour: str) -> Iterator[str]:
    """Yield the first cells of the paths of a colour."""
    for layer in layers:
        for path in layer.paths:
            if path.colour == colour:
                yield str(Cell(*path.cells[0]))
