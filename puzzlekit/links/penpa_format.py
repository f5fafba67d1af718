"""The outer format of Penpa+ links: compressed text of lines, and the numbers of points."""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import pairwise
from typing import Any

from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError
from puzzlekit.lang import BOARD_SIDE
from puzzlekit.reading import FILE_BYTES
from puzzlekit.scene import CellPos, Point

# of the quoted names, in the order of Penpa+
_CODES = [
    "z9 qa",
    "zQ pu_q",
    "zA pu_a",
    "zG grid",
    "zM edit_mode",
    "zS surface",
    "zL line",
    "zE lineE",
    "zW wall",
    "zC cage",
    "zN number",
    "zY symbol",
    "zP special",
    "zB board",
    "zR command_redo",
    "zU command_undo",
    "z8 command_replay",
    "z1 numberS",
    "zF freeline",
    "z2 freelineE",
    "zT thermo",
    "z3 arrows",
    "zD direction",
    "z0 squareframe",
    "z5 polygon",
    "z4 deletelineE",
    "z6 killercages",
    "z7 nobulbthermo",
    "z_ __a",
]
ABBREVIATIONS = {"z": "zZ", **{f'"{code[3:]}"': code[:2] for code in _CODES}, "null": "zO"}
LONG = {short: long for long, short in ABBREVIATIONS.items()}
SQUARES = ("square", "sudoku", "kakuro")  # the grids of squares
UPRIGHT = ["0", "1", "1"]  # the rotation and the mirrors of a page as it is made
LISTS = ("thermo", "nobulbthermo", "arrows", "direction", "squareframe", "polygon", "killercages")
LAYER = (  # the sections of a layer
    "surface",
    "number",
    "numberS",
    "symbol",
    "freeline",
    "freelineE",
    "line",
    "lineE",
    "wall",
    "cage",
    "deletelineE",
    "squareframe",
    "thermo",
    "nobulbthermo",
    "arrows",
    "direction",
    "polygon",
    "killercages",
)
COMMANDS = ("command_redo", "command_undo", "command_replay")
PIXELS = 38  # of a cell
ESCAPES = {"%2C": ",", "%2D": "\n", "%2E": "&", "%2F": "="}  # in the first line
_TOOLS = {
    "edit_mode": "surface",
    "surface": ["", 1],
    "line": ["1", 2],
    "lineE": ["1", 2],
    "wall": ["", 2],
    "cage": ["1", 10],
    "number": ["1", 1],
    "symbol": ["circle_L", 1],
    "special": ["thermo", ""],
    "board": ["", ""],
    "move": ["1", ""],
    "combi": ["battleship", ""],
    "sudoku": ["1", 1],
}
_SOLVER = {
    "line": ["1", 3],
    "lineE": ["1", 3],
    "wall": ["", 3],
    "number": ["1", 2],
    "sudoku": ["1", 9],
}


@dataclass
class Page:
    """The text behind a link.

    Attributes:
        columns: The columns of the page, those of the margins among them.
        rows: The rows, likewise.
        cells: The point numbers of the cells of the board.
        problem: The layer of the problem, by the names of its sections.
        title: The title of the puzzle.
        author: Its author.
        source: Where it was published.
        rules: Its rules.
        tags: Its genres.
        open: Whether the sides of cells are not drawn.
        margins: The rows and columns around the board: top, bottom, left, right.
        custom_colours: The colours of the problem that replace those of styles, by the names of
            sections and the keys of symbols.
    """

    columns: int
    rows: int
    cells: Sequence[int]
    problem: Mapping[str, Any]
    title: str = ""
    author: str = ""
    source: str = ""
    rules: str = ""
    tags: Sequence[str] = ()
    open: bool = False
    margins: tuple[int, int, int, int] = (0, 0, 0, 0)
    custom_colours: Mapping[str, Any] = field(default_factory=dict)


# whether the row and the column of points are odd, by the layer of their numbers
_PARITIES = ((0, 0), (1, 1), (1, 0), (0, 1))


@dataclass(frozen=True)
class PointNumbers:
    """The numbers of the points of a page, whose board begins at a row and a column of it.

    Cells come first, then corners, the lower sides of cells, their right sides, and their quarters.
    """

    columns: int
    rows: int
    top: int = 0
    left: int = 0

    @property
    def across(self) -> int:
        return self.columns + 4

    @property
    def size(self) -> int:
        return self.across * (self.rows + 4)

    def of_cell(self, cell: CellPos) -> int:
        """Return the number of a cell, on the board or in a margin."""
        row, column = cell
        row_on_page = row + 1 + self.top
        column_on_page = column + 1 + self.left
        return self.across * row_on_page + column_on_page

    def cell(self, number: int) -> CellPos:
        """Return the cell of a number."""
        row_on_page, column_on_page = divmod(number, self.across)
        return row_on_page - 1 - self.top, column_on_page - 1 - self.left

    def of_point(self, point: Point) -> int:
        """Return the number of a point: of a cell, a corner, or the middle of a side."""
        y, x = point
        layer = _PARITIES.index((y % 2, x % 2))
        cell_number = self.of_cell((y // 2, x // 2))
        return layer * self.size + cell_number

    def point(self, number: int) -> Point | None:
        """Return the point of a number; None for the numbers of points inside cells."""
        layer, cell_number = divmod(number, self.size)
        if not 0 <= layer < 4:
            return None
        row, column = self.cell(cell_number)
        down, right = _PARITIES[layer]
        return 2 * row + down, 2 * column + right

    def of_quarter(self, cell: CellPos, quarter: int) -> int:
        """Return the number of a quarter of a cell: 0 upper left, 1 upper right, 2 lower left, 3
        lower right.
        """
        return 4 * (self.size + self.of_cell(cell)) + quarter

    def quarter(self, number: int) -> tuple[CellPos, int] | None:
        """Return the cell and the quarter of a number; None of other numbers."""
        offset = number - 4 * self.size
        if not 0 <= offset < 4 * self.size:
            return None
        cell_number, quarter = divmod(offset, 4)
        return self.cell(cell_number), quarter


def page_of(data: str) -> Page:
    """Return the page behind the compressed text of a link.

    Raises:
        InputError: The text is not of this format, or the page is too large.
    """
    lines = _unpacked(data).split("\n")
    head = lines[0].split(",")
    _check_head(lines, head)
    columns = _side(head[1])
    rows = _side(head[2])
    problem = _json(lines, 3, dict)
    texts = list(map(_decoded, head[15:19]))
    texts += [""] * (4 - len(texts))
    tags = _json(lines, 17, list, []) if len(lines) > 17 else []
    steps = _json(lines, 5, list)
    cells = list(_cells(steps, columns, rows))
    page = Page(columns, rows, cells, problem)
    page.title = texts[0].removeprefix("Title:").strip()
    page.author = texts[1].removeprefix("Author:").strip()
    page.source = texts[2]
    page.rules = texts[3]
    page.tags = [tag for tag in tags if isinstance(tag, str)]
    if len(lines) > 14 and lines[13].strip() == "1":
        page.custom_colours = _json(lines, 14, dict, {})
    return page


def _check_head(lines: Sequence[str], head: Sequence[str]) -> None:
    """Raise InputError if the first line of a page is not of this format."""
    if lines[0][:1].isdigit():
        raise InputError(
            "this is a page of Penpa, version 1; open it in Penpa+ and copy the new link"
        )
    if head[0] not in SQUARES:
        raise InputError(
            f"line 1: the grid is {head[0][:20]!r};"
            f" only grids of squares can be read: {', '.join(SQUARES)}"
        )
    if len(lines) < 6 or len(head) < 11:
        raise InputError(
            f"the page has only {len(lines)} lines, of which 6 are needed: the link is cut off"
        )
    if head[4:7] != UPRIGHT:
        raise InputError(
            "line 1: the page is turned or mirrored; turn it back in Penpa+, and copy the new link"
        )


def _unpacked(data: str) -> str:
    text = re.sub(r"\s", "+", data.strip())  # a blank was a plus sign
    wrong = re.search(r"[^A-Za-z0-9+/=]", text)
    if wrong is not None:
        raise InputError(f"character {wrong.start() + 1} of the data: {wrong[0]!r} is not base64")
    padding = "=" * (-len(text) % 4)
    inflate = zlib.decompressobj(-15)
    try:
        packed = base64.b64decode(text + padding)
        raw = inflate.decompress(packed, FILE_BYTES)
    except (binascii.Error, zlib.error) as error:
        raise InputError(f"the data of the link cannot be unpacked: {error}") from None
    if inflate.unconsumed_tail:
        raise InputError(f"the data of the link are more than {FILE_BYTES:,} bytes when unpacked")
    if not inflate.eof:
        raise InputError("the data of the link are cut off")
    try:
        short = raw.decode()
    except UnicodeDecodeError as error:
        raise InputError(
            f"the data of the link are no text: {error.reason} in byte {error.start + 1}"
        ) from None
    return re.sub("z(.)", lambda match: LONG.get(match[0], match[0]), short)


def _side(text: str) -> int:
    side = int(text) if re.fullmatch(r"\d{1,6}", text) else 0
    if not 1 <= side <= BOARD_SIDE:
        raise InputError(
            f"line 1: expected a number of rows or columns up to {BOARD_SIDE}, got {text[:20]!r}"
        )
    return side


def _json(lines: Sequence[str], index: int, required: type, default: Any = None) -> Any:
    """Return the JSON of a line; the default, if there is one, instead of another type."""
    try:
        value = json.loads(lines[index])
    except (ValueError, RecursionError) as error:
        raise InputError(f"line {index + 1}: {error}") from None
    if isinstance(value, required):
        return value
    if default is not None:
        return default
    name = "list" if required is list else "mapping"
    raise InputError(f"line {index + 1}: expected a {name}, got {str(value)[:40]}")


def _cells(steps: Sequence[Any], columns: int, rows: int) -> Iterator[int]:
    """Yield the numbers of cells, each of which is a step behind the one before."""
    number = 0
    size = (columns + 4) * (rows + 4)
    if len(steps) > size:
        raise InputError(f"line 6: {len(steps)} cells on a page of {columns} × {rows}")
    for step in steps:
        if not isinstance(step, int):
            raise InputError(f"line 6: expected numbers of cells, got {str(step)[:20]!r}")
        number += step
        if not 0 <= number < size:
            raise InputError(f"line 6: the cell {number} is not on a page of {columns} × {rows}")
        yield number


def _decoded(text: str) -> str:
    for code, letter in ESCAPES.items():
        text = text.replace(code, letter)
    return text


def data_of(page: Page) -> str:
    """Return the compressed text of a page."""
    text = "\n".join(_lines(page))
    for long, code in ABBREVIATIONS.items():
        text = text.replace(long, code)
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = deflate.compress(text.encode()) + deflate.flush()
    return base64.b64encode(packed).decode()


def _lines(page: Page) -> Iterator[str]:
    commands: dict[str, Any] = {command: {"__a": []} for command in COMMANDS}
    sections: dict[str, Any] = {name: [] if name in LISTS else {} for name in LAYER}
    no_colours: dict[str, Any] = {name: {} for name in LAYER}
    solver_tools = {**_TOOLS, **_SOLVER}
    grid = ["3" if page.open else "1", "2", "1"]
    tools = {"qa": "pu_a", "grid": grid, "pu_q": _TOOLS, "pu_a": solver_tools}
    yield ",".join(_header(page))
    yield _json_text(list(page.margins))
    yield _json_text(tools)
    yield _json_text({**commands, **sections, **page.problem})
    yield _json_text({**commands, **sections})
    steps = [cell - before for before, cell in pairwise([0, *page.cells])]
    yield _json_text(steps)
    yield from ("[]", "{}", '"x"', '"x"', "[3,2,1]")
    yield _json_text(tools)
    yield from ('"x"', "0")
    yield _json_text({**commands, **no_colours})
    yield _json_text({**commands, **no_colours})
    yield "{}"
    yield _json_text(list(page.tags))
    yield "false"


def _header(page: Page) -> Iterator[str]:
    """Yield the values of the first line."""
    numbers = PointNumbers(page.columns, page.rows)
    middle_row = page.rows // 2 + 1
    middle_column = page.columns // 2 + 1
    middle = numbers.of_cell((middle_row, middle_column))
    width = PIXELS * (page.columns + 1)
    height = PIXELS * (page.rows + 1)
    yield "square"
    yield from map(str, (page.columns, page.rows, PIXELS, 0, 1, 1))
    yield from map(str, (width, height, middle, middle, 0, 0, 0, 0))
    yield f"Title: {_coded(page.title)}"
    yield f"Author: {_coded(page.author)}"
    yield _coded(page.source)
    yield _coded(page.rules).replace("&", "%2E").replace("=", "%2F")
    yield from ("OFF", "false")


def _coded(text: str) -> str:
    return text.replace(",", "%2C").replace("\n", "%2D")


def _json_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
