"""Pictures of single values: boards, words in rows, and text where a value is on no board."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

from rich.cells import cell_len

from puzzlekit.boards import Cell
from puzzlekit.boards.shapes import Shape
from puzzlekit.lang.expressions.values import Stacked, all_of_one_type
from puzzlekit.render.grouping import as_mapping, is_cell
from puzzlekit.render.layout import padded
from puzzlekit.render.make_layers import by_pair, tone
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
BETWEEN = (" ", ", ", "; ")  # items of a row, rows, and lists of rows


def board(
    values: Mapping[Cell, Any], colours: Mapping[Cell, Any] | None = None, form: Form = "square"
) -> Scene:
    """Return a board of these values, with cells of this form; a cell with a mark in `colours` has
    the colour of the mark.
    """
    categories: dict[Any, int] = {}
    tones = {
        cell: tone(what, categories) for cell, what in (colours or {}).items() if cell in values
    }
    truths = {cell: tone(what, {}) for cell, what in values.items() if isinstance(what, bool)}
    texts = texts_of({cell: what for cell, what in values.items() if not isinstance(what, bool)})
    shades: dict[CellPos, str] = dict([*truths.items(), *tones.items()])
    return Scene(tuple(sorted(values)), (Fill(False, shades), Text(False, texts)), form)


def rows(texts: Sequence[str], colours: Sequence[Sequence[Any]]) -> Scene:
    """Return words as rows, each letter in the colour of its mark."""
    letters = {
        Cell(row, column): letter
        for row, text in enumerate(texts, 1)
        for column, letter in enumerate(text, 1)
    }
    marks = {
        Cell(row, column): mark
        for row, own in enumerate(colours, 1)
        for column, mark in enumerate(own, 1)
    }
    return board(letters, marks)


def value_picture(name: str, what: Any, form: Form = "square") -> list[PicturePart]:
    """Return the picture of a value with its name.

    What has a value for each cell is a board of such cells, what has one for each pair of other
    keys a table. Values of a library may take a line each, other lists one line.
    """
    known = all_of_one_type(what) if isinstance(what, tuple | list) else None
    if known is not None and known.listed is not None:
        parts: list[PicturePart] = known.listed(what)
        return parts
    found = as_mapping(what)
    if found and all(map(is_cell, found)):
        return [[TextSpan(f"  {name}:")], board(found, form=form)]
    if pairs := by_pair(what):
        return [[TextSpan(f"  {name}:")], table(pairs)]
    if isinstance(what, tuple | list) and what and all(isinstance(item, Stacked) for item in what):
        return [
            line
            for number, rows in enumerate(what)
            for line in (*([[TextSpan("")]] if number else []), *columns(rows))
        ]
    if isinstance(what, Stacked):
        return columns(what)
    if isinstance(what, tuple | list):
        return [[TextSpan(f"  {name}: {_in_words(what) or 'none'}")]]
    if isinstance(what, Mapping):
        wide = max((cell_len(str(key)) for key in what), default=0)
        return [
            [TextSpan(f"  {padded(str(key), wide)}  {_in_words(item)}")]
            for key, item in what.items()
        ]
    return [[TextSpan(f"  {name}: {'yes' if what is True else 'no' if what is False else what}")]]


def shapes(name: str, what: Any, form: Form = "square") -> list[PicturePart]:
    """Return shapes as small boards of such cells, below their name: one shape, several, or a
    mapping of shapes.
    """
    named = (
        [(str(key), shape) for key, shape in what.items()]
        if isinstance(what, Mapping)
        else [("", shape) for shape in what]
    )
    if isinstance(what, Shape):
        named = [("", what)]
    scenes = [_shape(shape, title, form) for title, shape in named if isinstance(shape, Shape)]
    return [[TextSpan(f"  {name}:")], Group(scenes, small=True)] if scenes else []


def _shape(shape: Shape, title: str, form: Form) -> Scene:
    cells = tuple((row + 1, column + 1 + shape.odd) for row, column in shape)
    drawn = Fill(True, dict.fromkeys(cells, "region 0")), Borders(True, outline([cells], form))
    return Scene(cells, drawn, form, TextSpan(title))


def table(values: Mapping[tuple[Any, Any], Any]) -> Table:
    """Return a table of values by row and column; of conditions, the names of what is true if that
    is clear.

    Numbers as headings are in order, other headings in the order of their first occurrence.
    """
    rows, columns = (_headings(place, values) for place in (0, 1))
    true = [key for key, what in values.items() if what is True]
    if all(isinstance(what, bool) for what in values.values()):
        for own, other, turn in ((rows, columns, 1), (columns, rows, -1)):
            named = dict(key[::turn] for key in true)
            if len(true) == len(named) == len(own) and len(other) > 1:
                return Table((), [(str(one), (str(named[one]),)) for one in own])
    texts = {key: _in_table(what) for key, what in values.items()}
    return Table(
        [*map(str, columns)],
        [(str(row), [texts.get((row, column), "") for column in columns]) for row in rows],
    )


def _headings(place: int, values: Mapping[tuple[Any, Any], Any]) -> list[Any]:
    found = list(dict.fromkeys(key[place] for key in values))
    return sorted(found) if all(isinstance(heading, int) for heading in found) else found


def _in_table(what: Any) -> str:
    if isinstance(what, bool):
        return "■" if what else "·"
    return "" if what is None else _in_words(what) if isinstance(what, tuple | list) else str(what)


def _in_words(what: Any) -> str:
    """Return a value as text: blanks in a row, commas between rows, semicolons between lists of
    rows, then brackets.
    """
    if not _is_row(what):
        return upper(what)
    depth = _depth(what)
    texts = [
        _in_words(item) or "–" if _is_row(item) else upper(item) if depth > 1 else str(item)
        for item in what
    ]
    if depth > len(BETWEEN):
        return " ".join(f"[{text}]" if _is_row(item) else text for text, item in zip(texts, what))
    return BETWEEN[depth - 1].join(texts)


def _is_row(what: Any) -> bool:
    return isinstance(what, tuple | list) and not is_cell(what)


def _depth(what: Any) -> int:
    """Return how many lists are nested."""
    return 1 + max(map(_depth, what), default=0) if _is_row(what) else 0


def columns(rows: Stacked | Sequence[Sequence[str]]) -> list[PicturePart]:
    """Return rows in aligned columns, folded where they are longer than a usual line, with a blank
    line between.

    Texts that are alone in their rows are folded at their blanks, if they have as many words.
    """
    words = [row[0].split() for row in rows if len(row) == 1 and cell_len(row[0]) > FOLDED]
    if len(words) == len(rows) and len({*map(len, words)}) == 1:
        rows = words
    wide = [max(map(cell_len, column)) for column in zip(*rows)]
    starts, length = [0], 0
    for place, width in enumerate(wide):
        length += width + 1
        if length > FOLDED + 1 and place > starts[-1]:
            starts.append(place)
            length = width + 1
    lines: list[PicturePart] = []
    for start, end in pairwise([*starts, len(wide)]):
        lines += [[TextSpan("")]] if start else []
        lines += [
            [TextSpan("  " + " ".join(map(padded, row[start:end], wide[start:end])).rstrip())]
            for row in rows
        ]
    return lines


def legend(scenes: Collection[Scene]) -> list[Line]:
    """Return the lines that say what the letters of pieces and the colours of lines stand for."""
    drawn = [layer for scene in scenes for layer in scene.layers if isinstance(layer, Paths)]
    kinds = {colour: name for layer in drawn for colour, name in layer.names.items()}
    lines: list[Line] = []
    for colour, name in kinds.items():
        begins = (
            str(Cell(*path.cells[0]))
            for layer in drawn
            for path in layer.paths
            if path.colour == colour
        )
        where = f" from {', '.join(begins)}" if len(kinds) > 1 else ""
        lines.append([TextSpan("  "), TextSpan("   ", colour), TextSpan(f" {name}{where}")])
    pieces = (layer for scene in scenes for layer in scene.layers if isinstance(layer, Pieces))
    return [
        *lines,
        *([TextSpan(f" {letter}  {name}")] for layer in pieces for letter, name in layer.legend),
    ]
