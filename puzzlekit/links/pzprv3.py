"""Files of puzz.link, also in a link: the layers of its links, a line for each row.

They begin with `pzprv3`, the site's name of the type, and the size. The links of a type say by
`file: yes` that its files have the same layers. What a solver wrote into the cells, and what
follows the layers, is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn
from urllib.parse import unquote

from puzzlekit.errors import InputError, option
from puzzlekit.lang import BOARD_SIDE, Instance, PuzzleType
from puzzlekit.links import ParsedPuzzle
from puzzlekit.links.codecs import codec, has_arrows
from puzzlekit.links.layer_types import cell_layer
from puzzlekit.links.layers import CellLayer, LayerValueError, SideLayer
from puzzlekit.links.link_board import Board, BoardIndex
from puzzlekit.links.link_format import LinkLayer
from puzzlekit.links.puzzlink import Link, imported_from, type_of
from puzzlekit.links.tokens import UNKNOWN
from puzzlekit.source import FILE_CHARACTERS

HEAD = re.compile(r"\s*(?:(?:https?://)?[\w.-]+/[^\s?#]*\?)?(pzprv3(?:\.1)?\s*[/\n])")
ANSWERS = ("#", "+")  # what a solver has written into a cell
BORDERS = {"0": None, "1": 1}
DIRECTIONS = ("", "n", "s", "w", "e")
FOUR = codec("four_cell")
DRAWN = re.compile(r"^[A-Z-]$")  # by a solver, in rows of clues outside
NUMBER = re.compile(r"[0-9]{1,6}")
Word = tuple[str, int]  # with the number of its line
Value = tuple[Any, int]  # with the number of its line


def recognises(text: str) -> bool:
    """Return whether the text is a file, or a link that holds one."""
    return HEAD.match(text) is not None


def read(text: str, puzzle_type: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzle of a file.

    Raises:
        InputError: The file has an error, which the message names by its line, or its type has no
            files that are read.
    """
    head = HEAD.match(text)
    assert head is not None
    if len(text) > FILE_CHARACTERS:
        raise InputError(f"a file has at most {FILE_CHARACTERS:,} characters")
    lines = text[head.start(1) :].strip().splitlines()
    if len(lines) == 1:
        lines = [unquote(line) for line in lines[0].split("/")]
    parser = _FileParser([line.strip() for line in lines])
    return [parser.puzzle(puzzle_type)]


def write(puzzle: Instance) -> str:
    """Raise InputError: files are only read."""
    raise InputError(
        "files of puzz.link are read, and not written",
        help=f"{option('format')} puzzlink writes a link",
    )


class _FileParser:
    """Reads the lines of a file one after the other.

    Attributes:
        position: The index of the next line; the first one says what the file is.
        rim: The rows of a board whose first row and column are a rim.
        inside: The cells that stand in the rows of the clues outside.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.position = 1
        self.rim: list[list[Word]] = []
        self.inside: list[list[Word]] = []

    def refuse(self, message: str, line: int = 0, *, help: str = "") -> NoReturn:
        """Raise InputError for a line, by default the one that was read last."""
        raise InputError(f"line {line or self.position}: {message}", help=help)

    def next(self) -> str:
        """Take the next line. Raises InputError at the end of the file."""
        if self.position >= len(self.lines):
            raise InputError(f"line {len(self.lines)}: the file ends before the puzzle does")
        self.position += 1
        return self.lines[self.position - 1]

    def number(self, most: int = 9999) -> int:
        """Take a line with one number from 1 on."""
        line = self.next()
        number = int(line) if NUMBER.fullmatch(line) else 0
        if not 1 <= number <= most:
            self.refuse(f"expected a number from 1 to {most}, got {line[:20]!r}")
        return number

    def rows(self, height: int, width: int) -> list[list[Word]]:
        """Take so many lines of so many words."""
        rows = []
        for _ in range(height):
            texts = self.next().split()
            if len(texts) != width:
                self.refuse(f"expected {width} words, got {len(texts)}")
            rows.append([(text, self.position) for text in texts])
        return rows

    def words(self, height: int, width: int) -> list[Word]:
        """Take the words of so many lines of so many words."""
        return [word for row in self.rows(height, width) for word in row]

    def puzzle(self, puzzle_type: PuzzleType | None) -> ParsedPuzzle:
        """Read the entire file. Raises InputError."""
        name = self.next()
        link = Link(name, name, 0, "", 0, 0, 0, 0, 0)
        puzzle_type = puzzle_type or type_of(link)
        link_format = link.format_of(puzzle_type)
        if not link_format.file:
            self.refuse(
                f"files of {name} are not read", help="open it on the site, and copy its link"
            )
        link.height = self.number(BOARD_SIDE)
        link.width = link.height if link_format.sizes else self.number(BOARD_SIDE)
        has_more = self.position < len(self.lines)
        if has_more and re.fullmatch(r"[a-z]+", self.lines[self.position]):
            link.flags = self.next()
            link.text = link.flags
        board = Board(link.width, link.height)
        for layer in link_format.layers:
            if layer.optional and layer.is_holes:  # files have no holes by bits
                continue
            if layer.fields:
                self._fill(layer, cell_layer(layer, puzzle_type), board)
        return imported_from(link, puzzle_type, link_format, board)

    def _fill(self, layer: LinkLayer, cells: CellLayer, board: Board) -> None:
        """Take the values of a layer and put them into the fields."""
        values = self._values(layer, cells, board)
        try:
            cells.fill([value for value, _ in values], board)
        except LayerValueError as error:
            _, line = values[error.index]
            self.refuse(str(error), line)

    def _values(self, layer: LinkLayer, cells: CellLayer, board: Board) -> list[Value]:
        """Take the values of a layer."""
        match layer.target:
            case "number":
                return [(self.number(), self.position)]
            case "edges":
                return self._borders(board)
            case "sides":
                assert isinstance(cells, SideLayer)
                return self._outside(cells, board)
            case "rooms":
                return self._rooms(board)
            case "inner":
                self.rim = self.rows(board.height + 1, board.width + 1)
                words = [word for row in self.rim[1:] for word in row[1:]]
                return list(map(self._pair, words))
            case "rim":
                return self._rim_sums(cells.indices(board))
            case _:
                rows = self.inside
                if not rows:
                    extra = cells.extra
                    rows = self.rows(board.height + extra, board.width + extra)
                words = [word for row in rows for word in row]
                return list(map(self._reader(layer), words))

    def _reader(self, layer: LinkLayer) -> Callable[[Word], Value]:
        """Return the method that reads the words of a layer."""
        if has_arrows(layer.codec):
            return self._arrow
        return self._up_to_four if layer.codec == FOUR else self._value

    def _up_to_four(self, word: Word) -> Value:
        """Return a number up to 4; 5 is an unknown one."""
        text, line = word
        return self._value((text.replace("5", "-"), line))

    def _arrow(self, word: Word) -> Value:
        """Return a number with a direction."""
        text, line = word
        if text == "#":
            return "+", line
        if text == ".":
            return None, line
        match = re.fullmatch(r"([0-4]),([0-9]{1,3}|-)", text)
        if match is None:
            self.refuse(f"{text[:20]!r} has no meaning here", line)
        direction, number = match.groups()
        return number.replace("-", UNKNOWN) + DIRECTIONS[int(direction)], line

    def _pair(self, word: Word) -> Value:
        """Return the sums of a cell: down first, while a file has the one to the right first. 0 is
        none.
        """
        text, line = word
        match = re.fullmatch(r"([0-9]{1,3}),([0-9]{1,3})", text)
        if match is None:
            return self._value(word)
        right, down = map(int, match.groups())
        return (down or None, right or None), line

    def _rim_sums(self, cells: Sequence[BoardIndex]) -> list[Value]:
        """Return the sums in the first row and column, those of these cells."""
        sums: dict[BoardIndex, Value] = {}
        for row, words in enumerate(self.rim):
            for column, word in enumerate(words):
                if row == 0 or column == 0:
                    value, line = self._value(word)
                    sums[row, column] = value or None, line
        for cell, (total, line) in sums.items():
            if total is not None and cell not in cells:
                self.refuse(f"the sum {total} stands before a black cell", line)
        return [sums[cell] for cell in cells]

    def _rooms(self, board: Board) -> list[Value]:
        """Take the numbers of regions, each in one of its cells."""
        rows = self.rows(board.height, board.width)
        values: dict[int, Value] = {}
        for (row, column), region in board.regions.items():
            value, line = self._value(rows[row][column])
            if value is None:
                continue
            if region in values:
                self.refuse("a region has two numbers", line)
            values[region] = value, line
        regions = [board.regions[cell] for cell in board.first_cells]
        return [values.get(region, (None, 0)) for region in regions]

    def _value(self, word: Word) -> Value:
        text, line = word
        if text == "." or text in ANSWERS:
            return None, line
        if text == "-":
            return UNKNOWN, line
        if re.fullmatch(r"[0-9-](?:,[0-9-])+", text):  # several numbers of a cell
            return text.replace(",", "").replace("-", UNKNOWN), line
        if not NUMBER.fullmatch(text):
            self.refuse(f"{text[:20]!r} has no meaning here", line)
        return int(text), line

    def _borders(self, board: Board) -> list[Value]:
        """Take the labels of regions behind their number, or the borders between cells in rows,
        then those between rows.
        """
        width, height = board.width, board.height
        if self._next_are_labels(width):
            self.next()
            return self._borders_of_labels(self.rows(height, width), board)
        words = self.words(height, width - 1)
        words += self.words(height - 1, width)
        for text, line in words:
            if text not in BORDERS:
                self.refuse(f"expected 0 or 1 for a border, got {text[:20]!r}", line)
        return [(BORDERS[text], line) for text, line in words]

    def _next_are_labels(self, width: int) -> bool:
        """Return whether a number comes next, and rows of cells after it."""
        following = self.lines[self.position : self.position + 2]
        return [len(line.split()) for line in following] == [1, width]

    def _borders_of_labels(self, rows: Sequence[Sequence[Word]], board: Board) -> list[Value]:
        for row in rows:
            for text, line in row:
                if text != "." and not NUMBER.fullmatch(text):
                    self.refuse(f"expected the number of a region, got {text[:20]!r}", line)
        borders: list[Value] = []
        for (y, x), (next_y, next_x) in board.edges():
            label, _ = rows[y][x]
            next_label, line = rows[next_y][next_x]
            borders.append((1 if label != next_label else None, line))
        return borders

    def _outside(self, cells: SideLayer, board: Board) -> list[Value]:
        """Take the board with its margins above and on the left; the nearest clue of a line comes
        first.

        A layer of cells that follows has its values there, too, among what a solver has put into
        cells.
        """
        above = left = 1
        if cells.has_runs(cells.fields[0]):
            above = (board.height + 1) // 2
            left = (board.width + 1) // 2
        rows = self.rows(above + board.height, left + board.width)
        self.inside = []
        for row in rows[above:]:
            words = row[left:]
            self.inside.append([(DRAWN.sub(".", text), line) for text, line in words])
        clues: list[Word] = []
        for column in range(left, left + board.width):
            clues += [rows[y][column] for y in reversed(range(above))]
        for row in rows[above:]:
            clues += reversed(row[:left])
        # a solver has ticked off those with a c
        return [self._value((text.removeprefix("c"), line)) for text, line in clues]
