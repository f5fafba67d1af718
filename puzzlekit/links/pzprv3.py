"""Files of puzz.link, also in a link: the layers of its links, a line for each row.

They begin with `pzprv3`, the site's name of the type, and the size. The links of a type say by
`file: yes` that its files have the same layers. What a solver wrote into the cells, and what
follows the layers, is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NoReturn
from urllib.parse import unquote

from puzzlekit.errors import InputError
from puzzlekit.lang import Instance, PuzzleType
from puzzlekit.lang.data.collections import BOARD_SIDE
from puzzlekit.links import ParsedPuzzle
from puzzlekit.links.codecs import codec, has_arrows
from puzzlekit.links.form import HOLES, LinkLayer
from puzzlekit.links.layers import Places, WrongPart
from puzzlekit.links.link_board import Board, BoardIndex, has_runs
from puzzlekit.links.places import places_of
from puzzlekit.links.puzzlink import Link, imported_from, type_of
from puzzlekit.links.tokens import UNKNOWN
from puzzlekit.source import FILE_CHARACTERS

HEAD = re.compile(r"\s*(?:(?:https?://)?[\w.-]+/[^\s?#]*\?)?(pzprv3(?:\.1)?\s*[/\n])")
ANSWERS = ("#", "+")  # what a solver has written into a cell
BORDERS = {"0": None, "1": 1}
WAYS = ("", "n", "s", "w", "e")
FOUR = codec("four_cell")
DRAWN = re.compile(r"^[A-Z-]$")  # by a solver, in rows of clues outside
Word = tuple[str, int]  # with the number of its line


def recognises(text: str) -> bool:
    """Return whether the text is a file, or a link that holds one."""
    return HEAD.match(text) is not None


def read(text: str, kind: PuzzleType | None = None) -> list[ParsedPuzzle]:
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
    reader = _Reader([line.strip() for line in lines])
    return [reader.puzzle(kind)]


def write(puzzle: Instance) -> str:
    """Raise InputError: files are only read."""
    raise InputError(
        "files of puzz.link are read, and not written", help="--format puzzlink writes a link"
    )


class _Reader:
    """Reads the lines of a file one after the other."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.at = 1  # the index of the next line; the first one says what the file is
        self.rim: list[list[Word]] = []  # the rows of a board whose first row and column are a rim
        self.inside: list[list[Word]] = []  # the cells that stand in the rows of the clues outside

    def refuse(self, message: str, line: int = 0, *, help: str = "") -> NoReturn:
        """Raise InputError for a line, by default the one that was read last."""
        raise InputError(f"line {line or self.at}: {message}", help=help)

    def next(self) -> str:
        """Take the next line. Raises InputError at the end of the file."""
        if self.at >= len(self.lines):
            raise InputError(f"line {len(self.lines)}: the file ends before the puzzle does")
        self.at += 1
        return self.lines[self.at - 1]

    def number(self, most: int = 9999) -> int:
        """Take a line with one number from 1 on."""
        line = self.next()
        if not re.fullmatch(r"[0-9]{1,6}", line) or not 1 <= int(line) <= most:
            self.refuse(f"expected a number from 1 to {most}, got {line[:20]!r}")
        return int(line)

    def rows(self, height: int, width: int) -> list[list[Word]]:
        """Take so many lines of so many words."""
        found = []
        for _ in range(height):
            words = self.next().split()
            found.append([(word, self.at) for word in words])
            if len(words) != width:
                self.refuse(f"expected {width} words, got {len(words)}")
        return found

    def puzzle(self, kind: PuzzleType | None) -> ParsedPuzzle:
        """Read the whole file. Raises InputError."""
        name = self.next()
        link = Link(name, name, 0, "", 0, 0, 0, 0, 0)
        kind = kind or type_of(link)
        form = link.form_of(kind)
        if not form.file:
            self.refuse(
                f"files of {name} are not read", help="open it on the site, and copy its link"
            )
        link.height = self.number(BOARD_SIDE)
        link.width = link.height if form.sizes else self.number(BOARD_SIDE)
        if self.at < len(self.lines) and re.fullmatch(r"[a-z]+", self.lines[self.at]):
            link.text = link.flags = self.next()
        board = Board(link.width, link.height)
        for layer in form.layers:
            if layer.fields and not (
                layer.optional and layer.fields == (HOLES,)
            ):  # files have no holes by bits
                places = places_of(layer, kind)
                values = self._values(layer, places, board)
                try:
                    places.fill([value for value, _ in values], board)
                except WrongPart as error:
                    self.refuse(str(error), values[error.at][1])
        return imported_from(link, kind, form, board)

    def _values(self, layer: LinkLayer, places: Places, board: Board) -> list[tuple[Any, int]]:
        """Take the values of a layer, each with the number of its line."""
        match layer.places:
            case "number":
                return [(self.number(), self.at)]
            case "edges":
                return self._borders(board)
            case "sides":
                return self._outside(places, board)
            case "rooms":
                return self._rooms(board)
            case "inner":
                self.rim = self.rows(board.height + 1, board.width + 1)
                return [self._pair(word) for row in self.rim[1:] for word in row[1:]]
            case "rim":
                return self._rim(places.places(board))
            case _:
                more = places.beyond
                rows = self.inside or self.rows(board.height + more, board.width + more)
                read = (
                    self._arrow
                    if has_arrows(layer.layout)
                    else self._small
                    if layer.layout == FOUR
                    else self._value
                )
                return [read(word) for row in rows for word in row]

    def _small(self, word: Word) -> tuple[Any, int]:
        """Return a number up to 4; 5 is one that is not told."""
        text, line = word
        return self._value((text.replace("5", "-"), line))

    def _arrow(self, word: Word) -> tuple[Any, int]:
        """Return a number with a direction."""
        text, line = word
        if text == "#":
            return "+", line
        if text == ".":
            return None, line
        if not (found := re.fullmatch(r"([0-4]),([0-9]{1,3}|-)", text)):
            self.refuse(f"{text[:20]!r} has no meaning here", line)
        return found[2].replace("-", UNKNOWN) + WAYS[int(found[1])], line

    def _pair(self, word: Word) -> tuple[Any, int]:
        """Return the sums of a cell: down first, while a file has the one to the right first. 0 is
        none.
        """
        text, line = word
        if not (found := re.fullmatch(r"([0-9]{1,3}),([0-9]{1,3})", text)):
            return self._value(word)
        right, down = (int(part) or None for part in found.groups())
        return (down, right), line

    def _rim(self, places: Sequence[BoardIndex]) -> list[tuple[Any, int]]:
        """Return the sums in the first row and column."""
        words = {
            (r, c): word
            for r, row in enumerate(self.rim)
            for c, word in enumerate(row)
            if 0 in (r, c)
        }
        sums = {
            place: (value or None, line)
            for place, (value, line) in ((at, self._value(word)) for at, word in words.items())
        }
        for place, (value, line) in sums.items():
            if value is not None and place not in places:
                self.refuse(f"the sum {value} stands before a black cell", line)
        return [sums[place] for place in places]

    def _rooms(self, board: Board) -> list[tuple[Any, int]]:
        """Take the numbers of regions, each in one of its cells."""
        rows = self.rows(board.height, board.width)
        found = dict[int, tuple[Any, int]]()
        for (r, c), region in board.regions.items():
            value, line = self._value(rows[r][c])
            if value is not None and region in found:
                self.refuse("a region has two numbers", line)
            if value is not None:
                found[region] = value, line
        return [found.get(board.regions[place], (None, 0)) for place in board.first_cells]

    def _value(self, word: Word) -> tuple[Any, int]:
        text, line = word
        if text == "." or text in ANSWERS:
            return None, line
        if text == "-":
            return UNKNOWN, line
        if re.fullmatch(r"[0-9-](?:,[0-9-])+", text):  # several numbers of a cell
            return text.replace(",", "").replace("-", UNKNOWN), line
        if not re.fullmatch(r"[0-9]{1,6}", text):
            self.refuse(f"{text[:20]!r} has no meaning here", line)
        return int(text), line

    def _borders(self, board: Board) -> list[tuple[Any, int]]:
        """Take the labels of regions behind their number, or the borders between cells in rows,
        then those between rows.
        """
        width, height = board.width, board.height
        by_label = self.at + 1 < len(self.lines) and len(self.lines[self.at].split()) == 1
        if by_label and len(self.lines[self.at + 1].split()) == width:
            self.next()
            rows = self.rows(height, width)
            if wrong := [
                word for row in rows for word in row if not re.fullmatch(r"[0-9]{1,6}|\.", word[0])
            ]:
                self.refuse(
                    f"expected the number of a region, got {wrong[0][0][:20]!r}", wrong[0][1]
                )
            pairs = ((rows[r][c], rows[s][d]) for (r, c), (s, d) in board.edges())
            return [(1 if one[0] != other[0] else None, other[1]) for one, other in pairs]
        words = [
            word
            for row in (*self.rows(height, width - 1), *self.rows(height - 1, width))
            for word in row
        ]
        if wrong := [word for word in words if word[0] not in BORDERS]:
            self.refuse(f"expected 0 or 1 for a border, got {wrong[0][0][:20]!r}", wrong[0][1])
        return [(BORDERS[text], line) for text, line in words]

    def _outside(self, places: Places, board: Board) -> list[tuple[Any, int]]:
        """Take the board with its margins above and on the left; the nearest clue of a line comes
        first.

        A layer of cells that follows has its values there, too, beside what a solver has put into
        cells.
        """
        runs = has_runs(places.kind.fields[places.fields[0]].type)
        high, wide = (-(-board.height // 2), -(-board.width // 2)) if runs else (1, 1)
        rows = self.rows(high + board.height, wide + board.width)
        above = [
            rows[high - 1 - k][wide + column] for column in range(board.width) for k in range(high)
        ]
        self.inside = [
            [(re.sub(DRAWN, ".", text), line) for text, line in row[wide:]] for row in rows[high:]
        ]
        left = [rows[high + row][wide - 1 - k] for row in range(board.height) for k in range(wide)]
        return [
            self._value((text.removeprefix("c"), line)) for text, line in (*above, *left)
        ]  # c: a solver has ticked it off
