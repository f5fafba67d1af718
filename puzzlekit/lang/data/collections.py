"""The data types of several values: boards and shapes as block text, lists, tuples and mappings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit.boards import Cell, Grid
from puzzlekit.lang.aliases import DataValue
from puzzlekit.lang.data.board_text import BoardLine, ShapeType, board_lines, cell_count
from puzzlekit.lang.data.scalars import (
    BLANK,
    NUMBERS,
    SCALARS,
    Choice,
    DataType,
    Key,
    OptionalType,
    ReadContext,
    ScalarType,
    Union,
    WrongValueError,
    clusters,
    quoted,
)
from puzzlekit.sentences.formatting import counted
from puzzlekit.source import SourceFile, Text, is_empty, node_type

BOARD_SIDE = 200  # rows or columns

HOLES = (".", "_")
SOLID = ("#", "-", "*", "■", "█")  # as others write a hole
Row = list[tuple[int, str]]  # the texts of a row's cells, each with its column in the line


class CellType(Protocol):
    """A type of value that a cell may hold."""

    close: ClassVar[bool]

    def value(self, text: str, reading: ReadContext) -> DataValue:
        """Return the value that the text of a cell spells. Raises WrongValueError."""

    def reads(self, text: str, reading: ReadContext) -> bool:
        """Return whether the text spells a value."""


@dataclass(frozen=True)
class GridOf(DataType):
    """A board, which has a value for every cell.

    Attributes:
        item: The type of the values.
        empty: Whether a cell may be left empty: None, written `.`, or `-` if that is no value.
        ragged: Whether rows may be shorter than others.
    """

    item: CellType
    empty: bool = False
    ragged: bool = False

    def read(self, node: Node, reading: ReadContext) -> DataValue:
        if (
            isinstance(node, SequenceNode)
            and node.value
            and all(isinstance(row, SequenceNode) for row in node.value)
        ):
            return self._of_lists(node, reading)
        lines = board_lines(node, reading.source)
        if lines is None:
            return None
        rows = self._split([line.text for line in lines])
        if reading.columns is not None and len(rows) == 1 and isinstance(node, ScalarNode):
            folded = _folded(rows[0], reading.columns, node, reading.source)
            if folded is None:
                return None
            rows, lines = folded, lines * len(folded)
        return self.board(rows, lines, node, reading)

    def _of_lists(self, node: SequenceNode, reading: ReadContext) -> DataValue:
        """Read a board that is a list of rows, each a list of cells."""
        source, rows, lines = reading.source, list[Row](), list[BoardLine]()
        for row in node.value:
            if wrong := next(
                (cell for cell in row.value if not isinstance(cell, ScalarNode)), None
            ):
                source.problem(
                    f"expected each cell of a row as text, got {node_type(wrong)}", wrong
                )
                return None
            places = [source.start(cell) for cell in row.value] or [source.start(row)]
            rows.append([(at, cell.value.strip() or ".") for at, cell in enumerate(row.value)])
            lines.append(BoardLine("", places.__getitem__))
        return self.board(rows, lines, node, reading)

    def board(
        self, rows: list[Row], lines: Sequence[BoardLine], node: Node, reading: ReadContext
    ) -> DataValue:
        """Return the board of these rows, written on these lines; None after noting a problem."""
        width = max(map(len, rows), default=0)
        if len(rows) > BOARD_SIDE or width > BOARD_SIDE:
            reading.source.problem(f"a board has at most {BOARD_SIDE} rows and columns", node)
            return None
        before = len(reading.source.problems)
        values = self._values(rows, lines, reading)
        if len(reading.source.problems) > before or reading.source.full:
            return None
        if not values:
            reading.source.problem("this board has no cells", node)
            return None
        return Grid(values)

    def _values(
        self, rows: Sequence[Row], lines: Sequence[BoardLine], reading: ReadContext
    ) -> dict[Cell, DataValue]:
        source = reading.source
        values: dict[Cell, Any] = {}
        known: dict[str, Any] = {".": None}  # the values of texts: many cells have the same
        if self.empty and not self.item.reads("-", reading):
            known["-"] = None
        usual = Counter(map(len, rows)).most_common(1)[0][0] if rows else 0
        model = next((number for number, row in enumerate(rows, 1) if len(row) == usual), 0)
        for number, (row, line) in enumerate(zip(rows, lines), 1):
            if not row and not self.ragged:
                source.problem(BLANK, line.position(0), "rows follow each other; write _ for a hole")
                continue
            if len(row) != usual and not self.ragged:
                message = f"row {number} has {cell_count(len(row))}, but row {model} has {usual}"
                dot = ", . for an empty cell" if self.empty else ""
                source.problem(
                    message, line.position(row[0][0] if row else 0), f"write _ for a hole{dot}"
                )
                continue
            for column, (at, text) in enumerate(row, 1):
                if text == "\t":
                    source.problem(
                        "there is a tab between these cells",
                        line.position(at),
                        "write blanks between them",
                    )
                    continue
                if text == "_" or text.isspace() or (text == "." and not self.empty):
                    continue
                cell = Cell(number, column)
                reading.positions.note((*reading.path, cell), line.position, at)
                try:
                    if text not in known:
                        known[text] = self.item.value(text, reading)
                    values[cell] = known[text]
                except WrongValueError as error:
                    help = (
                        "write _ for a hole, which is no cell"
                        if text in SOLID and not error.help
                        else error.help
                    )
                    source.problem(str(error), line.position(at), help)
        return values

    def _split(self, lines: Sequence[str]) -> list[Row]:
        """Return the cells of each row, each with its column in the line."""
        written = [line for line in lines if line.strip()]
        if self.item.close:
            rows = [[text for _, text in clusters(line.strip())] for line in written]
            apart = all(map(_alternates, rows)) and any(len(row) > 1 for row in rows)
        else:
            apart = any(re.search(r"\s", line.strip()) for line in written)
        if apart:
            return [
                [(found.start(), found.group()) for found in re.finditer(r"\S+", line)]
                for line in lines
            ]
        return [clusters(line.rstrip()) for line in lines]

    def __str__(self) -> str:
        return (
            f"grid[{self.item}{' | None' if self.empty else ''}]{' ragged' if self.ragged else ''}"
        )


def _folded(row: Row, columns: int, node: Node, source: SourceFile) -> list[Row] | None:
    """Split a line into rows of so many cells; None, after a problem, if some are left over."""
    if columns < 1:
        source.problem(f"a row cannot have {columns} cells: columns must be 1 or more", node)
    elif len(row) > columns and len(row) % columns:
        fits = [number for number in range(2, len(row) // 2 + 1) if len(row) % number == 0]
        help = (
            f"give columns, such as {min(fits, key=lambda n: abs(n * n - len(row)))}"
            if fits
            else ""
        )
        source.problem(f"{cell_count(len(row))} cannot be split into rows of {columns}", node, help)
    else:
        return [row[start : start + columns] for start in range(0, len(row), columns)]
    return None


def _alternates(characters: Sequence[str]) -> bool:
    """Return whether cells and blanks alternate, as in `S I I`."""
    return all(char.isspace() == (place % 2 == 1) for place, char in enumerate(characters))


@dataclass(frozen=True)
class ListOf(DataType):
    """A YAML list.

    Items that are single scalars may also be lines of block text, or have blanks or commas between
    them.
    """

    item: DataType

    def read(self, node: Node, reading: ReadContext) -> DataValue:
        if isinstance(node, SequenceNode):
            return tuple([self._item(part, at, reading) for at, part in enumerate(node.value)])
        if isinstance(node, ScalarNode) and node.value.strip() == "[]":
            return ()
        block = isinstance(self.item, GridOf | ShapeType)
        if (
            not isinstance(node, ScalarNode)
            or is_empty(node)
            or not (self.item.single or (node.style == "|" and not block))
        ):
            self.wrong(node, reading)
            return None
        parts = self._parts(node, reading)
        if not parts:
            reading.source.problem("this list is empty", node)
        return tuple([self.item.read(part, reading.on(at, part)) for at, part in enumerate(parts)])

    def _item(self, part: Node, at: int, reading: ReadContext) -> DataValue:
        """Read an item of a YAML list. An empty item of a list of lists is an empty list."""
        inner = reading.on(at, part)
        return () if self._of_lists and is_empty(part) else self.item.read(part, inner)

    def _parts(self, node: ScalarNode, reading: ReadContext) -> Sequence[ScalarNode]:
        """Return the items of a list that is written as one scalar."""
        if (own := self.item.pieces(node, reading)) is not None:
            return own
        source = reading.source
        if self.item is SCALARS["text"]:
            return pieces(node, source, blank=True) if node.style == "|" else [node]
        help = "write [] for an empty item" if self._of_lists else ""
        return pieces(
            node, source, isinstance(self.item, OptionalType) and not self._of_lists, help
        )

    @property
    def _of_lists(self) -> bool:
        """Whether items are lists, so that nothing might stand for an empty one."""
        return isinstance(
            self.item.item if isinstance(self.item, OptionalType) else self.item, ListOf
        )

    def __str__(self) -> str:
        return f"list[{self.item}]"


@dataclass(frozen=True)
class TupleOf(DataType):
    """A fixed number of values, each of its own type: a YAML list.

    Values that are single scalars may also have blanks or commas between them, or `\\` in a cell.
    """

    items: tuple[DataType, ...]

    def read(self, node: Node, reading: ReadContext) -> DataValue:
        if isinstance(node, SequenceNode):
            parts: Sequence[Node] = node.value
        elif (
            isinstance(node, ScalarNode)
            and not is_empty(node)
            and all(item.single for item in self.items)
        ):
            parts = pieces(node, reading.source)
        else:
            self.wrong(node, reading)
            return None
        if len(parts) != len(self.items):
            number = counted(len(parts), "value")
            reading.source.problem(f"expected {self}, got {number}", node)
            return None
        return tuple(
            [
                item.read(part, reading.on(at, part))
                for at, (item, part) in enumerate(zip(self.items, parts))
            ]
        )

    def value(self, text: str, reading: ReadContext) -> tuple[DataValue, ...]:
        """Return the values that the text of a cell spells. Raises WrongValueError."""
        parts = text.split("\\")
        if len(parts) != len(self.items):
            number = len(self.items)
            numbers = [str(item).startswith("int") for item in self.items]
            example = "\\".join(
                str(at) if is_number else "ba"[at % 2] for at, is_number in enumerate(numbers, 1)
            )
            message = f"expected {number} values with \\ between them, such as {example}, got {quoted(text)}"
            raise WrongValueError(
                message, help=f"write {text[:40].replace('/', chr(92))}" if "/" in text else ""
            )
        return tuple([_part(item, part, reading) for item, part in zip(self.items, parts)])

    def reads(self, text: str, reading: ReadContext) -> bool:
        """Return whether the text spells values."""
        return "\\" in text

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.items))}]"


def names_of(type_: Any, indexed: bool) -> tuple[str, ...] | None:
    """Return the texts that values of a type may be, or those at their indexes, if it lists them:
    `choice(a, b)`.
    """
    if isinstance(type_, OptionalType):
        type_ = type_.item
    if indexed:
        type_ = (
            type_.value
            if isinstance(type_, MapOf)
            else type_.item
            if isinstance(type_, ListOf | GridOf)
            else None
        )
        return names_of(type_, False)
    items = type_.items if isinstance(type_, Union) else (type_,)
    listed = [item.names for item in items if isinstance(item, Choice)]
    if not listed or any(
        not isinstance(item, Choice) and str(item) not in NUMBERS for item in items
    ):
        return None
    return tuple(name for names in listed for name in names)


def _part(item: DataType, text: str, reading: ReadContext) -> DataValue:
    """Return a part of the value of a cell; None if it may be left out and is."""
    if isinstance(item, OptionalType):
        return None if text in ("", ".") else _part(item.item, text, reading)
    assert isinstance(item, ScalarType), "a cell holds single values"
    return item.value(text, reading)


def pieces(
    node: ScalarNode, source: SourceFile, blank: bool = False, help: str = ""
) -> list[ScalarNode]:
    """Split a scalar into scalars: block text at line ends, other text at blanks and commas.

    A blank line, or nothing between two commas, is a part too. It is a problem, with this help,
    unless parts may be `blank`. Blank lines at the end are no parts.
    """
    text = Text(source, node)
    lines = node.style == "|"
    pattern = r"[^\n]*\n?" if lines else r"[^\s,]+|,(?=\s*,)|^\s*,"
    parts = []
    for found in re.finditer(pattern, text.value.rstrip()):
        piece = found.group().strip() if lines else found.group().strip(" \t\n,")
        if not piece and not blank and found.group():
            source.problem(
                BLANK if lines else "an item is missing here", text.position(found.start()), help
            )
        elif found.group():
            begin = len(found.group()) - len(found.group().lstrip()) if piece else 0
            parts.append(text.segment(found.start() + begin, piece))
    return parts


@dataclass(frozen=True)
class MapOf(DataType):
    """A YAML mapping."""

    key: DataType
    value: DataType

    def read(self, node: Node, reading: ReadContext) -> DataValue:
        if not isinstance(node, MappingNode):
            self.wrong(node, reading)
            return None
        found: dict[Any, Any] = {}
        for text, at, part in reading.source.entries(node, "this mapping"):
            key = self.key.read(at, reading)
            if key in found and key is not None:
                reading.source.problem(f"the key {text} is given twice", at, "keep one of them")
            reading.on(Key(key), at)
            found[key] = self.value.read(part, reading.on(key, part))
        return found

    def __str__(self) -> str:
        return f"map[{self.key}, {self.value}]"
