"""Links of f-puzzles: a square board of digits with constraints, as JSON that LZ-string has
compressed.

The section `links` of a type says which fields the parts of the data fill. A constraint that the
type lacks is unread; what is only drawn or noted is skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from puzzlekit.boards import Cell
from puzzlekit.catalogue import find
from puzzlekit.errors import InputError
from puzzlekit.lang import Instance, PuzzleType, read_type
from puzzlekit.links import PROGRESS, ParsedPuzzle, type_with
from puzzlekit.links.digit_line import box_of
from puzzlekit.links.form import links_of
from puzzlekit.links.fpuzzles_shapes import SHAPES, SUMS, Item, names_of
from puzzlekit.links.lz_string import compress, decompress
from puzzlekit.links.puzzlink import is_stated
from puzzlekit.reasons.progress import read_marks
from puzzlekit.source import FILE_CHARACTERS
from puzzlekit.yaml_nodes import plain_node

SITE = "https://f-puzzles.com/?load="
# up to the name of the parameter with the data
QUERY = r"[^\s?#]*\?(?:(?!load=|fpuz|puzzleid=)[\w.]+=[^&\s]*&)*"
DATA = r"([A-Za-z0-9+/=%]{8,})(?:[&?#]\S*)?"
LINK = re.compile(
    rf"\s*(?:{QUERY}load=([^&\s]*)(?:&\S*)?|{QUERY}(?:puzzleid=fpuz(?:zles)?|fpuz(?:zles?)?=(?:fpuz(?:zles)?)?){DATA}"
    rf"|(?:https?://(?:(?!fpuz)[^\s?#/]*/)*+)?fpuz(?:zles)?{DATA})\s*"
)
LARGEST = 36
LOOKS = (
    "size",
    "grid",
    "title",
    "author",
    "ruleset",
    "solution",
    "cage",
    "text",
    "line",
    "circle",
    "rectangle",
)
FLAGS = ("antiknight", "antiking", "disjointgroups", "nonconsecutive")
OUTSIDE = ("sandwichsum", "xsum", "skyscraper")
PARITY = ("odd", "even")
SIDES = ("top", "bottom", "left", "right")


def recognises(text: str) -> bool:
    """Return whether the text is a link with data to load."""
    return LINK.fullmatch(text) is not None


def read(text: str, kind: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzle of a link.

    Raises:
        InputError: The link has an error. The message names the part.
    """
    found = LINK.fullmatch(text)
    assert found is not None
    packed = re.sub(r"\s", "+", unquote(found[1] or found[2] or found[3] or ""))
    plain = decompress(packed, FILE_CHARACTERS)
    try:
        data = json.loads(plain)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the data of the link: {error}") from None
    if not isinstance(data, dict):
        raise InputError("the data of the link: expected an object")
    known = kind
    if known is None or not links_of(known).board_parts:
        known = read_type(find(type_with("fpuzzles")))
    reader = _Reader(data, links_of(known).board_parts)
    return [ParsedPuzzle((kind or known).name, reader.fields(), reader.unread)]


def write(puzzle: Instance) -> str:
    """Return a link to a puzzle.

    Raises:
        InputError: The puzzle is not of the type, or has a field that the site lacks.
    """
    if not links_of(puzzle.type).board_parts:
        raise InputError(f"f-puzzles has no {puzzle.type.name}")
    return SITE + compress(json.dumps(dict(_parts(puzzle)), separators=(",", ":")))


class _Reader:
    """Reads the parts of a board into the fields that the type names."""

    def __init__(self, data: Mapping[str, Any], parts: Mapping[str, tuple[str, str]]) -> None:
        self.data = data
        self.parts = parts
        size = data.get("size")
        if not isinstance(size, int) or not 1 <= size <= LARGEST:
            cut = "; the link may be cut off" if size is None else ""
            raise InputError(f"size: expected a number up to {LARGEST}, got {str(size)[:20]}{cut}")
        self.size = size
        self.box = box_of(size)
        self.found: dict[str, Any] = {}
        self.unread: list[str] = []
        self.rows = [["."] * size for _ in range(size)]

    def fields(self) -> dict[str, Any]:
        """Return the fields of the spec."""
        about = {
            key: self.data.get(name) for key, name in (("title", "title"), ("source", "author"))
        }
        self._grid()
        readers = {
            "killercage": self._cages,
            **dict.fromkeys(PARITY, self._parity),
            **dict.fromkeys(OUTSIDE, self._outside),
        }
        for name, value in self.data.items():
            if (name in SHAPES or name in readers) and (name in self.parts or not value):
                readers.get(name, self._shapes)(name, self._items(name, value))
            elif name in FLAGS and name in self.parts and value is True:
                field, own = self.parts[name]
                self.found[field] = (
                    f"{self.found[field]} {own}" if own and field in self.found else own or "yes"
                )
            elif (
                name not in (*LOOKS, "diagonal+", "diagonal-", "negative")
                and value
                and not isinstance(value, str)
            ):
                self.unread.append(f"the constraint {name[:40]}")
        self._diagonals()
        self._negative()
        high, wide = self.box
        board: dict[str, Any] = {self._field("grid"): [" ".join(row) for row in self.rows]}
        if (high, wide) != (3, 3):
            board[self._field("size")] = f"{high}x{wide}"
        known = {key: text for key, text in about.items() if isinstance(text, str) and text.strip()}
        return {**known, **board, **self.found, **self._answer()}

    def _field(self, part: str) -> str:
        """Return the field of a part."""
        if part not in self.parts:
            raise InputError(
                f"{part}: there is no such part here, and without it the puzzle is another one"
            )
        return self.parts[part][0]

    def _items(self, name: str, value: Any) -> list[Item]:
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise InputError(f"{name}: expected a list of objects")
        return [Item(item, f"{name}[{number}]", self.size) for number, item in enumerate(value)]

    def _add(self, part: str, lines: Sequence[Any]) -> None:
        if lines:
            self.found.setdefault(self._field(part), []).extend(lines)

    def _grid(self) -> None:
        grid = self.data.get("grid")
        if not isinstance(grid, list) or len(grid) != self.size:
            raise InputError(f"grid: expected {self.size} rows")
        high, wide = self.box
        regions = [
            [r // high * (self.size // wide) + c // wide for c in range(self.size)]
            for r in range(self.size)
        ]
        usual = [list(row) for row in regions]
        candidates = {}
        entered = [["."] * self.size for _ in range(self.size)]
        for r, row in enumerate(grid):
            if not isinstance(row, list) or len(row) != self.size:
                raise InputError(f"grid[{r}]: expected {self.size} cells")
            for c, cell in enumerate(row):
                where = f"grid[{r}][{c}]"
                if not isinstance(cell, dict):
                    raise InputError(f"{where}: expected an object, got {str(cell)[:20]}")
                if cell.get("given"):
                    self.rows[r][c] = str(Item(cell, where, self.size).number())
                elif cell.get("value"):  # what a solver has entered
                    entered[r][c] = str(Item(cell, where, self.size).number())
                if "region" in cell:
                    if not isinstance(cell["region"], int):
                        raise InputError(
                            f"{where}.region: a cell in no region cannot be written here"
                        )
                    regions[r][c] = cell["region"]
                if marks := cell.get("givenPencilMarks"):
                    candidates[f"r{r + 1}c{c + 1}"] = (
                        " ".join(map(str, marks)) if isinstance(marks, list) else str(marks)
                    )
        if any(mark != "." for row in entered for mark in row):
            self.found[PROGRESS] = {"answer": [" ".join(row) for row in entered]}
        if candidates:
            self.found[self._field("givenPencilMarks")] = candidates
        if regions != usual:
            self.found[self._field("region")] = [
                " ".join(f"R{number}" for number in row) for row in regions
            ]

    def _shapes(self, name: str, items: Sequence[Item]) -> None:
        for item in items:
            lines = SHAPES[name][0](item)
            if not lines and item.data.get("cells"):  # it is drawn, and says nothing
                self.unread.append(f"{item.where} without a line or a value")
            if name == "arrow" and any(isinstance(line, list) for line in lines):
                self._add("pill", lines)
            elif (
                name == "difference"
                and self.data.get("nonconsecutive") is True
                and lines[0].endswith(" 1")
            ):
                self._add("consecutive", [lines[0].removesuffix(" 1")])
            else:
                self._add(name, lines)

    def _cages(self, name: str, items: Sequence[Item]) -> None:
        labels: dict[str, str] = {}
        sums = {}
        for number, item in enumerate(items, 1):
            for cell in item.cells():
                if labels.setdefault(cell, f"K{number}") != f"K{number}":
                    raise InputError(
                        f"{item.where}.cells: {cell} is in two cages, which cannot be written here"
                    )
            if str(item.data.get("value", "") or "").strip():
                sums[f"K{number}"] = item.number()
        if labels:
            names = (
                [labels.get(f"r{r}c{c}", ".") for c in range(1, self.size + 1)]
                for r in range(1, self.size + 1)
            )
            self.found[self._field(name)] = [" ".join(row) for row in names]
            if sums:
                self.found[self._field("killersum")] = sums

    def _parity(self, name: str, items: Sequence[Item]) -> None:
        for item in items:
            r, c = item.cell()
            text = self.rows[r - 1][c - 1]
            if text == "." or (text.isdigit() and int(text) % 2 == (name == "odd")):
                self.rows[r - 1][c - 1] = self.parts[name][1] if text == "." else text
            else:
                raise InputError(f"{item.where}.cell: r{r}c{c} cannot be {name}, it is {text}")

    def _outside(self, name: str, items: Sequence[Item]) -> None:
        if not items:
            return
        field, own = self.parts[name]
        if (other := self.found.setdefault(field, own)) != own:
            raise InputError(
                f"{name}: all clues outside are of one kind here, and others are {other}"
            )
        for item in items:
            r, c = item.cell(beyond=1)
            last = self.size + 1
            side = next(
                (side for side, out in zip(SIDES, (r == 0, r == last, c == 0, c == last)) if out),
                "",
            )
            line = c if side in ("top", "bottom") else r
            if not side or not 1 <= line <= self.size:
                raise InputError(
                    f"{item.where}.cell: expected a place beside the board, got {item.data.get('cell')}"
                )
            field = self._field(side)
            clues = self.found.get(field, " ".join("." * self.size)).split()
            clues[line - 1] = str(item.number())
            self.found[field] = " ".join(clues)

    def _diagonals(self) -> None:
        falling, rising = (self.data.get(name) is True for name in ("diagonal-", "diagonal+"))
        if falling and rising:
            self.found[self._field("diagonal")] = "yes"
        elif falling or rising:
            numbers = range(1, self.size + 1)
            self._add(
                "extraregion",
                [" ".join(f"r{n}c{n if falling else self.size + 1 - n}" for n in numbers)],
            )

    def _negative(self) -> None:
        names, unmarked = self.data.get("negative") or [], set[int]()
        for name in names if isinstance(names, list | str | dict) else [names]:
            if name == "xv":
                unmarked |= set(SUMS.values())
            elif name == "ratio":
                unmarked |= {
                    2,
                    *(int(line.split()[-1]) for line in self.found.get(self._field(name), ())),
                }
            else:
                raise InputError(f"negative: there is no such rule for {str(name)[:40]!r} here")
        if any(number >= SUMS["V"] for number in unmarked - set(SUMS.values())):
            raise InputError("negative: only ratios up to 4 can be ruled out here")
        if unmarked:
            self.found[self._field("negative")] = " ".join(map(str, sorted(unmarked)))

    def _answer(self) -> dict[str, Any]:
        digits = self.data.get("solution")
        if (
            not isinstance(digits, list)
            or len(digits) != self.size**2
            or not all(str(digit).isdigit() for digit in digits)
        ):
            return {}
        rows = [digits[start : start + self.size] for start in range(0, len(digits), self.size)]
        return {"expect": {"solutions": 1, "answer": [" ".join(map(str, row)) for row in rows]}}


def _parts(puzzle: Instance) -> Iterator[tuple[str, Any]]:
    """Yield the parts of the data of a puzzle, each with its name. Raises InputError."""
    spec, given = puzzle.bound_from, _Given(puzzle)
    board = given["grid"]
    size = board.height
    if board.width != size or len(board.cells) != size * size:
        raise InputError("f-puzzles has one square board, without holes")
    sides = {side: given[side] for side in SIDES if given[side]}
    given.refuse_others(bool(sides))
    yield "size", size
    if spec is not None and (title := spec[1].text("title")):
        yield "title", title
    yield "grid", _grid(given, size)
    if given["diagonal"]:
        yield from (("diagonal+", True), ("diagonal-", True))
    yield from ((flag, True) for flag in FLAGS if given.states(flag))
    own = {
        "arrow": [*given["arrow"], *given["pill"]],
        "killercage": list(_cages(given)),
        "difference": [
            *given["difference"],
            *((bar[0], bar[1], 1) for bar in given["consecutive"]),
        ],
        **{name: list(board.having(given.value(name))) for name in PARITY},
    }
    for name, (_, items) in SHAPES.items():
        if several := [item for value in own.get(name, given[name]) for item in items(value)]:
            yield name, several
    for name in OUTSIDE:
        if given.states(name) and (clues := list(_clues(sides, size))):
            yield name, clues
    unmarked = set(given["negative"])
    negative = [
        name for name, numbers in (("ratio", {2}), ("xv", set(SUMS.values()))) if numbers & unmarked
    ]
    ratios = {2, *(k for _, _, k in given["ratio"])} if "ratio" in negative else set()
    if unmarked != ratios | (set(SUMS.values()) if "xv" in negative else set()):
        raise InputError(
            "f-puzzles rules out the ratio 2 and those of dots, and the sums 5 and 10 together"
        )
    if negative:
        yield "negative", negative


class _Given:
    """The values of a puzzle by the names of f-puzzles' parts; an empty row for a part that the
    type lacks.
    """

    def __init__(self, puzzle: Instance) -> None:
        self.puzzle = puzzle
        self.parts = links_of(puzzle.type).board_parts

    def __getitem__(self, part: str) -> Any:
        value = self.puzzle.data[self.parts[part][0]] if part in self.parts else None
        return () if value is None else value

    def marks(self) -> dict[Cell, Any]:
        """The values that the marks of the spec give to cells."""
        assert self.puzzle.bound_from is not None
        node = self.puzzle.bound_from[1].about.get(PROGRESS)
        families = [
            family.members for family in self.puzzle.families.values() if family.over_cells()
        ]
        cells = {variable: cell for members in families[:1] for cell, variable in members.items()}
        facts = [] if node is None else read_marks(self.puzzle, plain_node(node))
        return {
            cells[fact.unknown]: fact.value
            for fact in facts
            if fact.positive and fact.unknown in cells
        }

    def value(self, part: str) -> str:
        """The value of a field that a part stands for."""
        return self.parts[part][1] if part in self.parts else ""

    def states(self, part: str) -> bool:
        """Whether the puzzle has a part that stands for a value: itself, in a row, or yes."""
        value = self[part]
        return (
            value is True
            if not self.value(part)
            else self.value(part) in (value if isinstance(value, tuple) else (value,))
        )

    def refuse_others(self, clues_outside: bool) -> None:
        """Raise InputError if a field says something that no part does."""
        known = {field for field, _ in self.parts.values()}
        for field in self.puzzle.type.fields:
            if field not in known and not is_stated(self.puzzle, field, {}):
                raise InputError(f"f-puzzles has no {field}")
        if clues_outside and not any(map(self.states, OUTSIDE)):
            raise InputError("f-puzzles has no such clues outside")


def _grid(given: _Given, size: int) -> list[list[dict[str, Any]]]:
    board, box = given["grid"], given["size"]
    if not given["region"] and box.rows * box.columns != size:
        raise InputError("f-puzzles has one board, all cells of which are in boxes")
    marks = given.marks()
    labels = given["region"].values if given["region"] else {}
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels.values()))}

    def cell(place: Cell) -> dict[str, Any]:
        value = board.values[place]
        own = (
            {"value": value, "given": True}
            if isinstance(value, int)
            else {"value": marks[place]}
            if place in marks
            else {}
        )
        pencil = (
            {"givenPencilMarks": list(given["givenPencilMarks"][place])}
            if place in given["givenPencilMarks"]
            else {}
        )
        usual = (place.row - 1) // box.rows * (size // box.columns) + (
            place.column - 1
        ) // box.columns
        return {**own, **pencil, "region": numbers[labels[place]] if labels else usual}

    return [
        [cell(Cell(row, column)) for column in range(1, size + 1)] for row in range(1, size + 1)
    ]


def _cages(given: _Given) -> Iterator[dict[str, Any]]:
    cells: dict[str, list[Cell]] = {}
    sums = given["killersum"]
    for cell, label in given["killercage"].values.items() if given["killercage"] else ():
        if label is not None:
            cells.setdefault(label, []).append(cell)
    for label, own in cells.items():
        yield {"cells": names_of(own)} | ({"value": str(sums[label])} if label in sums else {})


def _clues(sides: Mapping[str, Sequence[int | None]], size: int) -> Iterator[dict[str, Any]]:
    for side, clues in sides.items():
        for line, clue in enumerate(clues, 1):
            if clue is not None:
                place = {
                    "top": (0, line),
                    "bottom": (size + 1, line),
                    "left": (line, 0),
                    "right": (line, size + 1),
                }[side]
                yield {"cell": "R{}C{}".format(*place), "value": str(clue)}
