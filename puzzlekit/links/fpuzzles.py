"""Links of f-puzzles: a square board of digits with constraints, as JSON that LZ-string has
compressed.

The section `links` of a type says which fields the parts of the data fill. A constraint that the
type lacks is unread; what is only drawn or noted is skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any
from urllib.parse import unquote

from puzzlekit.boards import Cell
from puzzlekit.catalogue import find
from puzzlekit.errors import InputError
from puzzlekit.lang import Instance, PuzzleType, read_type
from puzzlekit.links import PROGRESS, ParsedPuzzle, type_with
from puzzlekit.links.digit_line import box_of
from puzzlekit.links.fpuzzles_shapes import (
    SHAPES,
    SUMS,
    ConstraintObject,
    cell_text,
    name_of,
    names_of,
)
from puzzlekit.links.link_format import links_of
from puzzlekit.links.lz_string import compress, decompress
from puzzlekit.links.puzzlink import is_stated
from puzzlekit.model import Value, Variable
from puzzlekit.reasons import read_marks
from puzzlekit.source import FILE_CHARACTERS
from puzzlekit.yaml_nodes import plain_node

SITE = "https://f-puzzles.com/?load="
# up to the name of the parameter with the data
QUERY = r"[^\s?#]*\?(?:(?!load=|fpuz|puzzleid=)[\w.]+=[^&\s]*&)*"
DATA = r"([A-Za-z0-9+/=%]{8,})(?:[&?#]\S*)?"
LINK = re.compile(
    rf"\s*(?:{QUERY}load=([^&\s]*)(?:&\S*)?"
    rf"|{QUERY}(?:puzzleid=fpuz(?:zles)?|fpuz(?:zles?)?=(?:fpuz(?:zles)?)?){DATA}"
    rf"|(?:https?://(?:(?!fpuz)[^\s?#/]*/)*+)?fpuz(?:zles)?{DATA})\s*"
)
LARGEST = 36
NOTES = "centerPencilMarks"  # of a solver: the digits that may stand in a cell
IGNORED = (  # looks and notes
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
    "diagonal+",  # the diagonals and `negative` are read apart
    "diagonal-",
    "negative",
)
FLAGS = ("antiknight", "antiking", "disjointgroups", "nonconsecutive")
OUTSIDE = ("sandwichsum", "xsum", "skyscraper")
PARITY = ("odd", "even")
SIDES = ("top", "bottom", "left", "right")


def recognises(text: str) -> bool:
    """Return whether the text is a link with data to load."""
    return LINK.fullmatch(text) is not None


def read(text: str, puzzle_type: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzle of a link.

    Raises:
        InputError: The link has an error. The message names the part.
    """
    match = LINK.fullmatch(text)
    assert match is not None
    compressed = next(filter(None, match.groups()), "")
    compressed = re.sub(r"\s", "+", unquote(compressed))
    text = decompress(compressed, FILE_CHARACTERS)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the data of the link: {error}") from None
    if not isinstance(data, dict):
        raise InputError("the data of the link: expected an object")
    board_type = puzzle_type
    if board_type is None or not links_of(board_type).board_parts:
        board_type = read_type(find(type_with("fpuzzles")))
    parser = _BoardParser(data, links_of(board_type).board_parts)
    puzzle_type = puzzle_type or board_type
    return [ParsedPuzzle(puzzle_type.name, parser.fields(), parser.unread)]


def write(puzzle: Instance) -> str:
    """Return a link to a puzzle.

    Raises:
        InputError: The puzzle is not of the type, or has a field that the site lacks.
    """
    if not links_of(puzzle.type).board_parts:
        raise InputError(f"f-puzzles has no {puzzle.type.name}")
    board = dict(_parts(puzzle))
    return SITE + compress(json.dumps(board, separators=(",", ":")))


class _BoardParser:
    """Reads the parts of a board into the fields that the type names.

    Attributes:
        data: The parts of the board, by their names on the site.
        parts: The field of each part, and the value that it stands for.
        size: The side of the board.
        values: The fields of the spec.
        unread: The constraints that the type lacks.
        rows: The givens, and the letters of even and odd cells.
    """

    def __init__(self, data: Mapping[str, Any], parts: Mapping[str, tuple[str, str]]) -> None:
        self.data = data
        self.parts = parts
        size = data.get("size")
        if not isinstance(size, int) or not 1 <= size <= LARGEST:
            cut = "; the link may be cut off" if size is None else ""
            raise InputError(f"size: expected a number up to {LARGEST}, got {str(size)[:20]}{cut}")
        self.size = size
        self.box = box_of(size)
        self.values: dict[str, Any] = {}
        self.unread: list[str] = []
        self.rows = [["."] * size for _ in range(size)]

    def fields(self) -> dict[str, Any]:
        """Return the fields of the spec."""
        self._read_grid()
        for name, value in self.data.items():
            self._read_part(name, value)
        self._read_diagonals()
        self._read_negative()
        fields: dict[str, Any] = {}
        for key, name in (("title", "title"), ("source", "author")):
            text = self.data.get(name)
            if isinstance(text, str) and text.strip():
                fields[key] = text
        fields[self._field("grid")] = _lines(self.rows)
        if self.box != (3, 3):
            height, width = self.box
            fields[self._field("size")] = f"{height}x{width}"
        return {**fields, **self.values, **self._answer()}

    def _read_part(self, name: str, value: Any) -> None:
        """Read a part of the data, but for the grid, the diagonals and what they lack."""
        reader = self._readers.get(name)
        if reader is not None and (name in self.parts or not value):
            reader(name, self._objects(name, value))
        elif name in FLAGS and name in self.parts and value is True:
            self._read_flag(name)
        elif name not in IGNORED and value and not isinstance(value, str):
            self.unread.append(f"the constraint {name[:40]}")

    @property
    def _readers(self) -> Mapping[str, Callable[[str, list[ConstraintObject]], None]]:
        return {
            **dict.fromkeys(SHAPES, self._read_shapes),
            "killercage": self._read_cages,
            **dict.fromkeys(PARITY, self._read_parity),
            **dict.fromkeys(OUTSIDE, self._read_outside),
        }

    def _read_flag(self, name: str) -> None:
        field, value = self.parts[name]
        if value and field in self.values:
            self.values[field] = f"{self.values[field]} {value}"
        else:
            self.values[field] = value or "yes"

    def _field(self, part_name: str) -> str:
        """Return the field of a part."""
        if part_name not in self.parts:
            raise InputError(
                f"{part_name}: there is no such part here, and without it the puzzle is another one"
            )
        return self.parts[part_name][0]

    def _objects(self, name: str, value: Any) -> list[ConstraintObject]:
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            raise InputError(f"{name}: expected a list of objects")
        return [
            ConstraintObject(entries, f"{name}[{number}]", self.size)
            for number, entries in enumerate(value)
        ]

    def _add(self, part_name: str, lines: Sequence[Any]) -> None:
        if lines:
            self.values.setdefault(self._field(part_name), []).extend(lines)

    def _read_grid(self) -> None:
        grid = self.data.get("grid")
        if not isinstance(grid, list) or len(grid) != self.size:
            raise InputError(f"grid: expected {self.size} rows")
        regions = _boxes(self.size, self.box)
        candidates = {}
        entered: dict[str, Any] = {}
        for row, cells in enumerate(grid):
            if not isinstance(cells, list) or len(cells) != self.size:
                raise InputError(f"grid[{row}]: expected {self.size} cells")
            for column, cell in enumerate(cells):
                where = f"grid[{row}][{column}]"
                if not isinstance(cell, dict):
                    raise InputError(f"{where}: expected an object, got {str(cell)[:20]}")
                if cell.get("given"):
                    self.rows[row][column] = self._digit(cell, where)
                elif cell.get("value"):  # what a solver has entered
                    entered[cell_text((row + 1, column + 1))] = self._digit(cell, where)
                elif cell.get(NOTES):
                    entered[cell_text((row + 1, column + 1))] = tuple(_words(cell[NOTES]).split())
                if "region" in cell:
                    regions[row][column] = _region(cell, where)
                pencil_marks = cell.get("givenPencilMarks")
                if pencil_marks:
                    candidates[cell_text((row + 1, column + 1))] = _words(pencil_marks)
        if entered:
            self.values[PROGRESS] = {"answer": entered}
        if candidates:
            self.values[self._field("givenPencilMarks")] = candidates
        if regions != _boxes(self.size, self.box):
            labels = [[f"R{number}" for number in numbers] for numbers in regions]
            self.values[self._field("region")] = _lines(labels)

    def _digit(self, cell: Mapping[str, Any], where: str) -> str:
        return str(ConstraintObject(cell, where, self.size).number())

    def _read_shapes(self, name: str, constraints: Sequence[ConstraintObject]) -> None:
        nonconsecutive = self.data.get("nonconsecutive") is True
        for constraint in constraints:
            lines = SHAPES[name].read(constraint)
            if not lines and constraint.entries.get("cells"):  # it is drawn, and says nothing
                self.unread.append(f"{constraint.where} without a line or a value")
            if name == "arrow" and any(isinstance(line, list) for line in lines):
                self._add("pill", lines)
            elif name == "difference" and nonconsecutive and lines[0].endswith(" 1"):
                self._add("consecutive", [lines[0].removesuffix(" 1")])
            else:
                self._add(name, lines)

    def _read_cages(self, name: str, constraints: Sequence[ConstraintObject]) -> None:
        labels: dict[str, str] = {}
        sums = {}
        for number, constraint in enumerate(constraints, 1):
            label = f"K{number}"
            for cell in constraint.cells():
                if labels.setdefault(cell, label) != label:
                    raise InputError(
                        f"{constraint.where}.cells: {cell} is in two cages,"
                        " which cannot be written here"
                    )
            total = constraint.entries.get("value") or ""
            if str(total).strip():
                sums[label] = constraint.number()
        if not labels:
            return
        sides = range(1, self.size + 1)
        rows = [[labels.get(cell_text((row, column)), ".") for column in sides] for row in sides]
        self.values[self._field(name)] = _lines(rows)
        if sums:
            self.values[self._field("killersum")] = sums

    def _read_parity(self, name: str, constraints: Sequence[ConstraintObject]) -> None:
        letter = self.parts[name][1] if name in self.parts else ""
        remainder = 1 if name == "odd" else 0
        for constraint in constraints:
            row, column = constraint.cell()
            cells = self.rows[row - 1]
            text = cells[column - 1]
            if text == ".":
                cells[column - 1] = letter
            elif not text.isdigit() or int(text) % 2 != remainder:
                cell = cell_text((row, column))
                raise InputError(f"{constraint.where}.cell: {cell} cannot be {name}, it is {text}")

    def _read_outside(self, name: str, constraints: Sequence[ConstraintObject]) -> None:
        if not constraints:
            return
        field, clue_type = self.parts[name]
        first_type = self.values.setdefault(field, clue_type)
        if first_type != clue_type:
            raise InputError(
                f"{name}: all clues outside are of one kind here, and others are {first_type}"
            )
        for constraint in constraints:
            side, line = self._side(constraint)
            field = self._field(side)
            no_clues = " ".join("." * self.size)
            clues = self.values.get(field, no_clues).split()
            clues[line - 1] = str(constraint.number())
            self.values[field] = " ".join(clues)

    def _side(self, constraint: ConstraintObject) -> tuple[str, int]:
        """Return the side on which a clue stands outside, and the number of its row or column."""
        row, column = constraint.cell(beyond=1)
        outside = (0, self.size + 1)
        if row in outside and column not in outside:
            return "top" if row == 0 else "bottom", column
        if column in outside and row not in outside:
            return "left" if column == 0 else "right", row
        cell = constraint.entries.get("cell")
        raise InputError(f"{constraint.where}.cell: expected a place beside the board, got {cell}")

    def _read_diagonals(self) -> None:
        falling = self.data.get("diagonal-") is True
        rising = self.data.get("diagonal+") is True
        rows = range(1, self.size + 1)
        if falling and rising:
            self.values[self._field("diagonal")] = "yes"
        elif falling or rising:
            columns = rows if falling else reversed(rows)
            self._add("extraregion", [" ".join(map(cell_text, zip(rows, columns)))])

    def _read_negative(self) -> None:
        names = self.data.get("negative") or []
        if not isinstance(names, list | str | dict):
            names = [names]
        unmarked: set[int] = set()
        sums = set(SUMS.values())
        for name in names:
            if name == "xv":
                unmarked |= sums
            elif name == "ratio":
                unmarked.add(2)
                for ratio in self.values.get(self._field(name), ()):
                    unmarked.add(int(ratio.split()[-1]))
            else:
                raise InputError(f"negative: there is no such rule for {str(name)[:40]!r} here")
        if any(number >= SUMS["V"] for number in unmarked - sums):
            raise InputError("negative: only ratios up to 4 can be ruled out here")
        if unmarked:
            self.values[self._field("negative")] = " ".join(map(str, sorted(unmarked)))

    def _answer(self) -> dict[str, Any]:
        digits = self.data.get("solution")
        if not isinstance(digits, list) or len(digits) != self.size**2:
            return {}
        texts = list(map(str, digits))
        if not all(map(str.isdigit, texts)):
            return {}
        starts = range(0, len(texts), self.size)
        rows = [texts[start : start + self.size] for start in starts]
        return {"expect": {"solutions": 1, "answer": _lines(rows)}}


def _lines(rows: Iterable[Iterable[str]]) -> list[str]:
    return list(map(" ".join, rows))


def _boxes(size: int, box: tuple[int, int]) -> list[list[int]]:
    """Return the number of the usual box of each cell."""
    height, width = box
    in_a_row = size // width
    boxes = []
    for row in range(size):
        first = row // height * in_a_row
        boxes.append([first + column // width for column in range(size)])
    return boxes


def _region(cell: Mapping[str, Any], where: str) -> int:
    region = cell["region"]
    if not isinstance(region, int):
        raise InputError(f"{where}.region: a cell in no region cannot be written here")
    return region


def _words(candidates: Any) -> str:
    if isinstance(candidates, list):
        return " ".join(map(str, candidates))
    return str(candidates)


def _parts(puzzle: Instance) -> Iterator[tuple[str, Any]]:
    """Yield the parts of the data of a puzzle, each with its name. Raises InputError."""
    spec = puzzle.bound_from
    values = _PartValues(puzzle)
    board = values["grid"]
    size = board.height
    if board.width != size or len(board.cells) != size * size:
        raise InputError("f-puzzles has one square board, without holes")
    clues_outside = {side: values[side] for side in SIDES if values[side]}
    values.refuse_others(bool(clues_outside))
    yield "size", size
    title = spec[1].text("title") if spec is not None else None
    if title:
        yield "title", title
    yield "grid", _grid(values, size)
    if values["diagonal"]:
        yield "diagonal+", True
        yield "diagonal-", True
    for flag in filter(values.states, FLAGS):
        yield flag, True
    yield from _shapes(values)
    for name in filter(values.states, OUTSIDE):
        objects = list(_clues(clues_outside, size))
        if objects:
            yield name, objects
    negative = _negative(values)
    if negative:
        yield "negative", negative


def _shapes(values: _PartValues) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the objects of the constraints in `SHAPES`."""
    board = values["grid"]
    consecutive = [(bar[0], bar[1], 1) for bar in values["consecutive"]]
    arrows = [*values["arrow"], *values["pill"]]
    differences = [*values["difference"], *consecutive]
    elements = {
        "arrow": arrows,
        "killercage": list(_cages(values)),
        "difference": differences,
    }
    for name in PARITY:
        elements[name] = list(board.having(values.stated_value(name)))
    for name, shape_format in SHAPES.items():
        objects: list[dict[str, Any]] = []
        for element in elements.get(name, values[name]):
            objects += shape_format.write(element)
        if objects:
            yield name, objects


def _negative(values: _PartValues) -> list[str]:
    """Return the constraints whose missing signs say something. Raises InputError."""
    unmarked = set(values["negative"])
    sums = set(SUMS.values())
    names = []
    expected: set[int] = set()
    if 2 in unmarked:
        names.append("ratio")
        expected |= {2, *(ratio for _, _, ratio in values["ratio"])}
    if not sums.isdisjoint(unmarked):
        names.append("xv")
        expected |= sums
    if unmarked != expected:
        raise InputError(
            "f-puzzles rules out the ratio 2 and those of dots, and the sums 5 and 10 together"
        )
    return names


class _PartValues:
    """The values of a puzzle by the names of f-puzzles' parts; an empty row for a part that the
    type lacks.
    """

    def __init__(self, puzzle: Instance) -> None:
        self.puzzle = puzzle
        self.parts = links_of(puzzle.type).board_parts

    def __getitem__(self, part_name: str) -> Any:
        if part_name not in self.parts:
            return ()
        field, _ = self.parts[part_name]
        value = self.puzzle.data[field]
        return () if value is None else value

    def progress(self) -> dict[Cell, dict[str, Any]]:
        """The entries of cells for the progress of the spec: values, and notes of several."""
        assert self.puzzle.bound_from is not None
        node = self.puzzle.bound_from[1].about.get(PROGRESS)
        if node is None:
            return {}
        cells: dict[Variable, Cell] = {}
        for family in self.puzzle.families.values():
            if family.over_cells():
                cells = {variable: cell for cell, variable in family.members.items()}
                break
        remaining: dict[Variable, list[Value]] = {}
        for fact in read_marks(self.puzzle, plain_node(node)):
            domain = remaining.get(fact.unknown, self.puzzle.model.domains[fact.unknown])
            allowed = [value for value in domain if (value == fact.value) == fact.positive]
            remaining[fact.unknown] = allowed
        entries: dict[Cell, dict[str, Any]] = {}
        for unknown, values in remaining.items():
            if unknown in cells and len(values) == 1:
                entries[cells[unknown]] = {"value": values[0]}
            elif unknown in cells:
                entries[cells[unknown]] = {NOTES: values}
        return entries

    def stated_value(self, part_name: str) -> str:
        """The value of a field that a part stands for."""
        return self.parts[part_name][1] if part_name in self.parts else ""

    def states(self, part_name: str) -> bool:
        """Whether the puzzle has a part that stands for a value: itself, in a row, or yes."""
        value = self[part_name]
        expected = self.stated_value(part_name)
        if not expected:
            return value is True
        return expected in value if isinstance(value, tuple) else bool(expected == value)

    def refuse_others(self, has_clues_outside: bool) -> None:
        """Raise InputError if a field says something that no part does."""
        carried = {field for field, _ in self.parts.values()}
        for field in self.puzzle.type.fields:
            if field not in carried and not is_stated(self.puzzle, field, {}):
                raise InputError(f"f-puzzles has no {field}")
        if has_clues_outside and not any(map(self.states, OUTSIDE)):
            raise InputError("f-puzzles has no such clues outside")


def _grid(values: _PartValues, size: int) -> list[list[dict[str, Any]]]:
    board = values["grid"]
    box = values["size"]
    if not values["region"] and box.rows * box.columns != size:
        raise InputError("f-puzzles has one board, all cells of which are in boxes")
    progress = values.progress()
    candidates = values["givenPencilMarks"]
    regions = _region_numbers(values, size)
    rows: list[list[dict[str, Any]]] = [[] for _ in range(size)]
    for row, column in product(range(size), range(size)):
        cell = Cell(row + 1, column + 1)
        entries: dict[str, Any] = {}
        value = board.values[cell]
        if isinstance(value, int):
            entries |= {"value": value, "given": True}
        elif cell in progress:
            entries |= progress[cell]
        if cell in candidates:
            entries["givenPencilMarks"] = list(candidates[cell])
        entries["region"] = regions[row][column]
        rows[row].append(entries)
    return rows


def _region_numbers(values: _PartValues, size: int) -> list[list[int]]:
    """Return the number of the region of each cell, or of its usual box."""
    if not values["region"]:
        box = values["size"]
        return _boxes(size, (box.rows, box.columns))
    labels = values["region"].values
    numbers: dict[Any, int] = {}
    for label in labels.values():
        numbers.setdefault(label, len(numbers))
    sides = range(1, size + 1)
    return [[numbers[labels[Cell(row, column)]] for column in sides] for row in sides]


def _cages(values: _PartValues) -> Iterator[dict[str, Any]]:
    if not values["killercage"]:
        return
    cells: dict[str, list[Cell]] = {}
    for cell, label in values["killercage"].values.items():
        if label is not None:
            cells.setdefault(label, []).append(cell)
    sums = values["killersum"]
    for label, cage in cells.items():
        entries: dict[str, Any] = {"cells": names_of(cage)}
        if label in sums:
            entries["value"] = str(sums[label])
        yield entries


def _clues(sides: Mapping[str, Sequence[int | None]], size: int) -> Iterator[dict[str, Any]]:
    for side, clues in sides.items():
        for line, clue in enumerate(clues, 1):
            if clue is None:
                continue
            match side:
                case "top":
                    cell = Cell(0, line)
                case "bottom":
                    cell = Cell(size + 1, line)
                case "left":
                    cell = Cell(line, 0)
                case _:
                    cell = Cell(line, size + 1)
            yield {"cell": name_of(cell), "value": str(clue)}
