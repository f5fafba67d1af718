"""The data types of several values: boards and shapes as block text, lists, tuples and mappings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Protocol

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit.boards import Cell, Grid
from puzzlekit.dataclass import dataclass
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
from puzzlekit.sentences import counted
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
        rows_of_lists = isinstance(node, SequenceNode) and all(
            isinstance(row, SequenceNode) for row in node.value
        )
        if rows_of_lists and node.value:
            assert isinstance(node, SequenceNode)
            return self._of_lists(node, reading)
        lines = board_lines(node, reading.source)
        if lines is None:
            return None
        rows = self._split([line.text for line in lines])
        if self.ragged and not self._blanks_are_clear(rows, lines, reading.source):
            return None
        if reading.columns is not None and len(rows) == 1 and isinstance(node, ScalarNode):
            folded = _folded(rows[0], reading.columns, node, reading.source)
            if folded is None:
                return None
            rows, lines = folded, lines * len(folded)
        return self.board(rows, lines, node, reading)

    def _blanks_are_clear(
        self, rows: Sequence[Row], lines: Sequence[BoardLine], source: SourceFile
    ) -> bool:
        """Return whether blanks stand between cells; note a problem if they may be cells, as rows
        with them have single characters, and another row has none.
        """
        with_blanks = [row for row in rows if len(row) > 1]
        words = [text for row in with_blanks for _, text in row]
        solid = [row for row in rows if len(row) == 1 and len(clusters(row[0][1])) > 1]
        if not solid or any(len(clusters(text)) > 1 for text in words):
            return True
        first = rows.index(with_blanks[0]) if with_blanks else 0
        if with_blanks:
            source.problem(
                "this row has blanks between characters, and another row has none",
                lines[first].position(with_blanks[0][0][0]),
                "write _ for a hole, or blanks between all cells",
            )
        return not with_blanks

    def _of_lists(self, node: SequenceNode, reading: ReadContext) -> DataValue:
        """Read a board that is a list of rows, each a list of cells."""
        source = reading.source
        rows: list[Row] = []
        lines: list[BoardLine] = []
        for row in node.value:
            for cell in row.value:
                if not isinstance(cell, ScalarNode):
                    message = f"expected each cell of a row as text, got {node_type(cell)}"
                    source.problem(message, cell)
                    return None
            positions = [source.start(cell) for cell in row.value] or [source.start(row)]
            texts = [cell.value.strip() or "." for cell in row.value]
            rows.append(list(enumerate(texts)))
            lines.append(BoardLine("", positions.__getitem__))
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
        parsed: dict[str, Any] = {}  # the values of texts: many cells have the same
        if self.empty:
            parsed["."] = None
        if self.empty and not self.item.reads("-", reading):
            parsed["-"] = None
        if reading.unknown:
            is_empty_cell = self.empty and reading.unknown == "."
            parsed["?"] = None if is_empty_cell else self.item.value(reading.unknown, reading)
        lengths = list(map(len, rows))
        usual = Counter(lengths).most_common(1)[0][0] if rows else 0
        for number, (row, line) in enumerate(zip(rows, lines), 1):
            if not row and not self.ragged:
                help = "rows follow each other; write _ for a hole"
                source.problem(BLANK, line.position(0), help)
                continue
            if len(row) != usual and not self.ragged:
                model = lengths.index(usual) + 1
                message = f"row {number} has {cell_count(len(row))}, but row {model} has {usual}"
                help = "write _ for a hole" + ", . for an empty cell" * self.empty
                source.problem(message, line.position(row[0][0]), help)
                continue
            for column, (offset, text) in enumerate(row, 1):
                if text == "\t":
                    message = "there is a tab between these cells"
                    source.problem(message, line.position(offset), "write blanks between them")
                    continue
                if text not in parsed and (text in "_." or text.isspace()):
                    continue
                cell = Cell(number, column)
                reading.positions.note((*reading.path, cell), line.position, offset)
                try:
                    if text not in parsed:
                        parsed[text] = self.item.value(text, reading)
                    values[cell] = parsed[text]
                except WrongValueError as error:
                    help = error.help
                    if text in SOLID and not help:
                        help = "write _ for a hole, which is no cell"
                    source.problem(str(error), line.position(offset), help)
        return values

    def _split(self, lines: Sequence[str]) -> list[Row]:
        """Return the cells of each row, each with its column in the line."""
        written = [line for line in lines if line.strip()]
        if self.item.close:
            rows = [[text for _, text in clusters(line.strip())] for line in written]
            apart = all(map(_alternates, rows)) and any(len(row) > 1 for row in rows)
        else:
            apart = any(re.search(r"\s", line.strip()) for line in written)
        if not apart:
            return [clusters(line.rstrip()) for line in lines]
        words = (re.finditer(r"\S+", line) for line in lines)
        return [[(word.start(), word.group()) for word in of_line] for of_line in words]

    def __str__(self) -> str:
        item = f"{self.item} | None" if self.empty else str(self.item)
        return f"grid[{item}]" + " ragged" * self.ragged


def _folded(row: Row, columns: int, node: Node, source: SourceFile) -> list[Row] | None:
    """Split a line into rows of so many cells; None, after a problem, if some are left over."""
    if columns < 1:
        source.problem(f"a row cannot have {columns} cells: columns must be 1 or more", node)
        return None
    count = len(row)
    if count > columns and count % columns:
        numbers = range(2, count // 2 + 1)
        divisors = [number for number in numbers if count % number == 0]
        help = ""
        if divisors:
            most_square = min(divisors, key=lambda number: abs(number * number - count))
            help = f"give columns, such as {most_square}"
        source.problem(f"{cell_count(count)} cannot be split into rows of {columns}", node, help)
        return None
    return [row[start : start + columns] for start in range(0, count, columns)]


def _alternates(characters: Sequence[str]) -> bool:
    """Return whether cells and blanks alternate, as in `S I I`."""
    blanks = [char.isspace() for char in characters]
    return all(blanks[1::2]) and not any(blanks[::2])


@dataclass(frozen=True)
class ListOf(DataType):
    """A YAML list.

    Items that are single scalars may also be lines of block text, or have blanks or commas between
    them.
    """

    item: DataType

    def read(self, node: Node, reading: ReadContext) -> DataValue:
        if isinstance(node, SequenceNode):
            members = enumerate(node.value)
            return tuple([self._item(member, position, reading) for position, member in members])
        if not isinstance(node, ScalarNode):
            self.wrong(node, reading)
            return None
        if node.value.strip() == "[]":
            return ()
        in_block = node.style == "|" and not isinstance(self.item, GridOf | ShapeType)
        if is_empty(node) or not (self.item.single or in_block):
            self.wrong(node, reading)
            return None
        nodes = self._pieces(node, reading)
        if not nodes:
            reading.source.problem("this list is empty", node)
        return _read_members([self.item] * len(nodes), nodes, reading)

    def _item(self, node: Node, position: int, reading: ReadContext) -> DataValue:
        """Read an item of a YAML list. An empty item of a list of lists is an empty list."""
        inner = reading.on(position, node)
        return () if self._of_lists and is_empty(node) else self.item.read(node, inner)

    def _pieces(self, node: ScalarNode, reading: ReadContext) -> Sequence[ScalarNode]:
        """Return the items of a list that is written as one scalar."""
        by_type = self.item.pieces(node, reading)
        if by_type is not None:
            return by_type
        source = reading.source
        if self.item is SCALARS["text"]:
            return pieces(node, source, blank=True) if node.style == "|" else [node]
        if self._of_lists:
            return pieces(node, source, help="write [] for an empty item")
        return pieces(node, source, blank=isinstance(self.item, OptionalType))

    @property
    def _of_lists(self) -> bool:
        """Whether items are lists, so that nothing might stand for an empty one."""
        item = self.item.item if isinstance(self.item, OptionalType) else self.item
        return isinstance(item, ListOf)

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
            nodes: Sequence[Node] = node.value
        elif isinstance(node, ScalarNode) and not is_empty(node) and self._are_single():
            nodes = pieces(node, reading.source)
        else:
            self.wrong(node, reading)
            return None
        if len(nodes) != len(self.items):
            count = counted(len(nodes), "value")
            reading.source.problem(f"expected {self}, got {count}", node)
            return None
        return _read_members(self.items, nodes, reading)

    def _are_single(self) -> bool:
        return all(item.single for item in self.items)

    def value(self, text: str, reading: ReadContext) -> tuple[DataValue, ...]:
        """Return the values that the text of a cell spells. Raises WrongValueError."""
        texts = text.split("\\")
        if len(texts) != len(self.items):
            raise self._wrong_count(text)
        return tuple(
            [_value_in_cell(item, piece, reading) for item, piece in zip(self.items, texts)]
        )

    def _wrong_count(self, text: str) -> WrongValueError:
        examples = [
            str(number) if str(item).startswith("int") else "ba"[number % 2]
            for number, item in enumerate(self.items, 1)
        ]
        example = "\\".join(examples)
        message = (
            f"expected {len(self.items)} values with \\ between them,"
            f" such as {example}, got {quoted(text)}"
        )
        help = ""
        if "/" in text:
            help = "write " + text[:40].replace("/", "\\")
        return WrongValueError(message, help=help)

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
        match type_:
            case MapOf():
                return names_of(type_.value, False)
            case ListOf() | GridOf():
                return names_of(type_.item, False)
            case _:
                return None
    names: list[str] = []
    for item in type_.items if isinstance(type_, Union) else (type_,):
        if isinstance(item, Choice):
            names += item.names
        elif str(item) not in NUMBERS:
            return None
    return tuple(names) or None


def _read_members(
    types: Iterable[DataType], nodes: Iterable[Node], reading: ReadContext
) -> tuple[DataValue, ...]:
    """Read the values at several nodes, each of its own type."""
    pairs = enumerate(zip(types, nodes))
    return tuple(
        [type_.read(node, reading.on(position, node)) for position, (type_, node) in pairs]
    )


def _value_in_cell(item: DataType, text: str, reading: ReadContext) -> DataValue:
    """Return one of the values of a cell; None if it may be left out and is."""
    if isinstance(item, OptionalType):
        return None if text in ("", ".") else _value_in_cell(item.item, text, reading)
    assert isinstance(item, ScalarType), "a cell holds single values"
    return item.value(text, reading)


def pieces(
    node: ScalarNode, source: SourceFile, blank: bool = False, help: str = ""
) -> list[ScalarNode]:
    """Split a scalar into scalars: block text at line ends, other text at blanks and commas.

    A blank line, or nothing between two commas, is a piece too. It is a problem, with this help,
    unless pieces may be `blank`. Blank lines at the end are no pieces.
    """
    text = Text(source, node)
    lines = node.style == "|"
    pattern = r"[^\n]*\n?" if lines else r"[^\s,]+|,(?=\s*,)|^\s*,"
    nodes = []
    for match in re.finditer(pattern, text.value.rstrip()):
        written = match.group()
        if not written:
            continue
        piece = written.strip() if lines else written.strip(" \t\n,")
        if not piece and not blank:
            message = BLANK if lines else "an item is missing here"
            source.problem(message, text.position(match.start()), help)
            continue
        start = match.start()
        if piece:
            start += len(written) - len(written.lstrip())
        nodes.append(text.segment(start, piece))
    return nodes


@dataclass(frozen=True)
class MapOf(DataType):
    """A YAML mapping."""

    key: DataType
    value: DataType

    def read(self, node: Node, reading: ReadContext) -> DataValue:
        if not isinstance(node, MappingNode):
            self.wrong(node, reading)
            return None
        mapping: dict[Any, Any] = {}
        for text, key_node, value_node in reading.source.entries(node, "this mapping"):
            key = self.key.read(key_node, reading)
            if key in mapping and key is not None:
                message = f"the key {text} is given twice"
                reading.source.problem(message, key_node, "keep one of them")
            reading.on(Key(key), key_node)
            mapping[key] = self.value.read(value_node, reading.on(key, value_node))
        return mapping

    def __str__(self) -> str:
        return f"map[{self.key}, {self.value}]"
