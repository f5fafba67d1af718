"""The outer format of Penpa+ links: compressed text of lines, and the numbers of points."""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from puzzlekit.errors import InputError
from puzzlekit.lang.data.collections import BOARD_SIDE
from puzzlekit.reading import FILE_BYTES
from puzzlekit.scene import CellPos, Point

_CODES = (  # of the quoted names, in the order of Penpa+
    *(
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
    ),
    *(
        "zN number",
        "zY symbol",
        "zP special",
        "zB board",
        "zR command_redo",
        "zU command_undo",
        "z8 command_replay",
    ),
    *(
        "z1 numberS",
        "zF freeline",
        "z2 freelineE",
        "zT thermo",
        "z3 arrows",
        "zD direction",
        "z0 squareframe",
    ),
    *("z5 polygon", "z4 deletelineE", "z6 killercages", "z7 nobulbthermo", "z_ __a"),
)
ABBREVIATIONS = {"z": "zZ", **{f'"{code[3:]}"': code[:2] for code in _CODES}, "null": "zO"}
LONG = {short: long for long, short in ABBREVIATIONS.items()}
SQUARES = ("square", "sudoku", "kakuro")  # the grids of squares
UPRIGHT = ["0", "1", "1"]  # the rotation and the mirrors of a page as it is made
LISTS = ("thermo", "nobulbthermo", "arrows", "direction", "squareframe", "polygon", "killercages")
LAYER = (
    *(
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
    ),
    *("squareframe", "thermo", "nobulbthermo", "arrows", "direction", "polygon", "killercages"),
)
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
        cells: The points of the cells of the board.
        problem: The layer of the problem, by the names of its parts.
        own_colours: Its colours that replace those of styles, by the names of its parts and the
            keys of marks.
        title: The title of the puzzle.
        author: Its author.
        source: Where it was published.
        rules: Its rules.
        tags: Its genres.
        open: Whether the sides of cells are not drawn.
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
    own_colours: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Points:
    """The numbers of the points of a page, whose board begins at a row and a column of it."""

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

    def cell(self, cell: CellPos) -> int:
        """Return the point of a cell, on the board or in a margin."""
        return self.across * (cell[0] + 1 + self.top) + cell[1] + 1 + self.left

    def of_cell(self, point: int) -> CellPos:
        """Return the cell of a point."""
        row, column = divmod(point, self.across)
        return row - 1 - self.top, column - 1 - self.left

    def at(self, place: Point) -> int:
        """Return the point of a place: of a cell, a corner, or the middle of a side."""
        y, x = place
        layer = {(0, 0): 0, (1, 1): 1, (1, 0): 2, (0, 1): 3}[y % 2, x % 2]
        return layer * self.size + self.cell((y // 2, x // 2))

    def place(self, point: int) -> Point | None:
        """Return the place of a point; None for the points inside cells."""
        layer, inner = divmod(point, self.size)
        if not 0 <= layer < 4:
            return None
        row, column = self.of_cell(inner)
        down, right = ((0, 0), (1, 1), (1, 0), (0, 1))[layer]
        return 2 * row + down, 2 * column + right

    def quarter(self, cell: CellPos, quarter: int) -> int:
        """Return the point of a quarter of a cell: 0 upper left, 1 upper right, 2 lower left, 3
        lower right.
        """
        return 4 * self.size + 4 * self.cell(cell) + quarter

    def small(self, point: int) -> tuple[CellPos, int] | None:
        """Return the cell and the quarter of a point; None of other points."""
        inner = point - 4 * self.size
        return (self.of_cell(inner // 4), inner % 4) if 0 <= inner < 4 * self.size else None


def page_of(data: str) -> Page:
    """Return the page behind the compressed text of a link.

    Raises:
        InputError: The text is not of this format, or the page is too large.
    """
    lines = _unpacked(data).split("\n")
    if lines[0][:1].isdigit():
        raise InputError(
            "this is a page of Penpa, version 1; open it in Penpa+ and copy the new link"
        )
    head = lines[0].split(",")
    if head[0] not in SQUARES:
        raise InputError(
            f"line 1: the grid is {head[0][:20]!r}; only grids of squares can be read: {', '.join(SQUARES)}"
        )
    if len(lines) < 6 or len(head) < 11:
        raise InputError(
            f"the page has only {len(lines)} lines, of which 6 are needed: the link is cut off"
        )
    if head[4:7] != UPRIGHT:
        raise InputError(
            "line 1: the page is turned or mirrored; turn it back in Penpa+, and copy the new link"
        )
    columns, rows = (_side(text) for text in head[1:3])
    problem = _json(lines, 3, dict)
    texts = [_text(part) for part in head[15:19]] + [""] * 4
    tags = _json(lines, 17, list, []) if len(lines) > 17 else []
    return Page(
        columns,
        rows,
        list(_cells(_json(lines, 5, list), columns, rows)),
        problem,
        texts[0].removeprefix("Title:").strip(),
        texts[1].removeprefix("Author:").strip(),
        texts[2],
        texts[3],
        [str(tag) for tag in tags if isinstance(tag, str)],
        own_colours=_json(lines, 14, dict, {})
        if len(lines) > 14 and lines[13].strip() == "1"
        else {},
    )


def _unpacked(data: str) -> str:
    text = re.sub(r"\s", "+", data.strip())  # a blank was a plus sign
    if bad := re.search(r"[^A-Za-z0-9+/=]", text):
        raise InputError(f"character {bad.start() + 1} of the data: {bad[0]!r} is not base64")
    most = FILE_BYTES
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4))
        inflate = zlib.decompressobj(-15)
        raw = inflate.decompress(packed, most)
    except (binascii.Error, zlib.error) as error:
        raise InputError(f"the data of the link cannot be unpacked: {error}") from None
    if inflate.unconsumed_tail:
        raise InputError(f"the data of the link are more than {most:,} bytes when unpacked")
    if not inflate.eof:
        raise InputError("the data of the link are cut off")
    try:
        short = raw.decode()
    except UnicodeDecodeError as error:
        raise InputError(
            f"the data of the link are no text: {error.reason} in byte {error.start + 1}"
        ) from None
    return re.sub("z(.)", lambda found: LONG.get(found[0], found[0]), short)


def _side(text: str) -> int:
    if not re.fullmatch(r"\d{1,6}", text) or not 1 <= int(text) <= BOARD_SIDE:
        raise InputError(
            f"line 1: expected a number of rows or columns up to {BOARD_SIDE}, got {text[:20]!r}"
        )
    return int(text)


def _json(lines: Sequence[str], line: int, kind: type, default: Any = None) -> Any:
    try:
        value = json.loads(lines[line])
    except (ValueError, RecursionError) as error:
        raise InputError(f"line {line + 1}: {error}") from None
    if not isinstance(value, kind):
        if default is not None:
            return default
        raise InputError(
            f"line {line + 1}: expected a {'list' if kind is list else 'mapping'}, got {str(value)[:40]}"
        )
    return value


def _cells(steps: Sequence[Any], columns: int, rows: int) -> Iterator[int]:
    point, size = 0, (columns + 4) * (rows + 4)
    if len(steps) > size:
        raise InputError(f"line 6: {len(steps)} cells on a page of {columns} × {rows}")
    for step in steps:
        if not isinstance(step, int):
            raise InputError(f"line 6: expected numbers of cells, got {str(step)[:20]!r}")
        point += step
        if not 0 <= point < size:
            raise InputError(f"line 6: the cell {point} is not on a page of {columns} × {rows}")
        yield point


def _text(text: str) -> str:
    return text.replace("%2C", ",").replace("%2D", "\n").replace("%2E", "&").replace("%2F", "=")


def data_of(page: Page) -> str:
    """Return the compressed text of a page."""
    plain = "\n".join(_lines(page))
    short = plain
    for long, code in ABBREVIATIONS.items():
        short = short.replace(long, code)
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(deflate.compress(short.encode()) + deflate.flush()).decode()


def _lines(page: Page) -> Iterator[str]:
    nothing: dict[str, Any] = {
        "command_redo": {"__a": []},
        "command_undo": {"__a": []},
        "command_replay": {"__a": []},
    }
    empty: dict[str, Any] = {part: [] if part in LISTS else {} for part in LAYER}
    solver = {**_TOOLS, **_SOLVER}
    tools = {
        "qa": "pu_a",
        "grid": ["3" if page.open else "1", "2", "1"],
        "pu_q": _TOOLS,
        "pu_a": solver,
    }
    points = Points(page.columns, page.rows)
    middle = points.cell((page.rows // 2 + 1, page.columns // 2 + 1))
    pixels = 38
    header = [
        *("square", page.columns, page.rows, pixels, 0, 1, 1),
        *(pixels * (page.columns + 1), pixels * (page.rows + 1), middle, middle, 0, 0, 0, 0),
        *(f"Title: {_coded(page.title)}", f"Author: {_coded(page.author)}", _coded(page.source)),
        *(_coded(page.rules).replace("&", "%2E").replace("=", "%2F"), "OFF", "false"),
    ]
    steps = [now - before for before, now in zip([0, *page.cells], page.cells)]
    yield ",".join(map(str, header))
    yield _plain(list(page.margins))
    yield _plain(tools)
    yield _plain({**nothing, **empty, **page.problem})
    yield _plain({**nothing, **empty})
    yield _plain(steps)
    yield from ("[]", "{}", '"x"', '"x"', "[3,2,1]", _plain(tools), '"x"', "0")
    yield from (_plain({**nothing, **{part: {} for part in LAYER}}),) * 2
    yield from ("{}", _plain(list(page.tags)), "false")


def _coded(text: str) -> str:
    return text.replace(",", "%2C").replace("\n", "%2D")


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
