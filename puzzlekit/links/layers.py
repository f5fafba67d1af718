"""The layers of a link and the fields of a spec: which value belongs to which element of a field.

The values of a layer belong to the cells of a board, its edges, the lines beside it … For each such
target there is a subclass of `CellLayer`, which leads both ways: it fills fields with the values of
a link, and takes the values from the data of a puzzle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Any

from puzzlekit.boards import Grid
from puzzlekit.errors import InputError
from puzzlekit.lang import GridOf, ListOf, MapOf, PuzzleType
from puzzlekit.links.link_board import Board, BoardIndex, cell_at, has_runs, written
from puzzlekit.links.link_format import BLANK, HOLES, LinkLayer
from puzzlekit.links.section import accepts
from puzzlekit.links.tokens import UNKNOWN

Slot = tuple[str, BoardIndex]  # an element of a field
# where in a cell dots may be, by odd row and odd column
DOTS = (("centre", "right"), ("below", "corner"))
COLOURS = {1: "", 2: "black "}  # of dots
WAYS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
LEFT, DOWN = 4, 8  # the bits of two ways out of a cell
WAY_BITS = (("n", 2, (-1, 0)), ("s", DOWN, (1, 0)), ("e", 1, (0, 1)), ("w", LEFT, (0, -1)))


class LayerValueError(Exception):
    """A value that a field or a layer cannot take; `index` is its index among the values of the
    layer, if that is known.
    """

    def __init__(self, message: str, index: int = 0) -> None:
        super().__init__(message)
        self.index = index


class CellLayer:
    """A layer whose values belong to the cells of boards.

    Args:
        layer: The layer.
        puzzle_type: The type, whose fields the layer fills.
    """

    margin = 0  # rows above and columns to the left that have no values
    further = 0  # rows below and columns to the right that a link does not count

    def __init__(self, layer: LinkLayer, puzzle_type: PuzzleType) -> None:
        self.layer = layer
        self.type = puzzle_type
        self.fields = layer.fields

    @property
    def extra(self) -> int:
        """How many rows and columns the board has beyond those of the cells of a link."""
        return self.margin + self.further

    def indices(self, board: Board) -> list[BoardIndex]:
        """Return the index of each value on a board."""
        cells = board.cells(self.further)
        return [(row + self.margin, column + self.margin) for row, column in cells]

    def count(self, board: Board) -> int:
        """Return how many values the layer has."""
        return len(self.indices(board))

    def size(self, data: Mapping[str, Any]) -> tuple[int, int] | None:
        """Return the width and height of the board that the data has; None if this layer does not
        show it.
        """
        board = data.get(self.fields[0]) if self.fields else None
        if not isinstance(board, Grid):
            return None
        return board.width - self.extra, board.height - self.extra

    def fill(self, values: Sequence[Any], board: Board) -> None:
        """Put the values of the layer, the last of which may be missing, into the fields. Raises
        LayerValueError.
        """
        cells = self.indices(board)
        is_cut = len(values) < len(cells)
        if is_cut and any(map(self._names_blank, self.fields)):
            message = f"the link ends before the last value of {self.fields[0]}"
            raise LayerValueError(message, len(values))
        padded_values = padded(values, len(cells))
        for index, (cell, value) in enumerate(zip(cells, padded_values)):
            values_of_cell = [value] * len(self.fields)
            if isinstance(value, tuple) and len(self.fields) > 1:
                values_of_cell = list(value)
            for name, field_value in zip(self.fields, values_of_cell):
                text = self.field_text(name, field_value, index)
                if text is None and not self._may_be_empty(name):
                    message = f"{name} of {self.type.name} has a value in every cell"
                    raise LayerValueError(message, index)
                if text == HOLES:
                    board.holes.add(cell)
                board.texts[name][cell] = text

    def _may_be_empty(self, name: str) -> bool:
        field_type = self.type.fields[name].type
        return isinstance(field_type, GridOf) and field_type.empty

    def take(self, board: Board) -> list[Any]:
        """Return the values of the layer. Raises InputError for a field that has no room in it."""
        return [self._value_at(cell, board) for cell in self.indices(board)]

    def _value_at(self, cell: BoardIndex, board: Board) -> Any:
        values = []
        is_blank = True
        for name in self.fields:
            text = board.text_at(name, cell)
            if text == HOLES and not self.layer.has_holes(name):
                text = None
            is_blank = is_blank and text is None
            values.append(self.link_value(name, text))
        if len(values) == 1:
            return values[0]
        return None if is_blank else tuple(values)

    def where(self, index: int, board: Board) -> str:
        """Return where a value stands, for messages; empty if that has no name."""
        return f" at {cell_at(self.indices(board)[index])}"

    def field_text(self, name: str, value: Any, index: int) -> str | None:
        """Return the text that a field has for a value of a link. Raises LayerValueError."""
        table = self.layer.values.get(name, {})
        for text, link_values in table.items():
            if value in link_values:
                return None if text == BLANK else text
        if value is None:
            return None
        unknown = self.type.fields[name].unknown
        if value == UNKNOWN and unknown:
            return None if unknown == BLANK else unknown
        text = written(value) or ""
        if not accepts(self.type.fields[name].type, text):
            raise LayerValueError(f"{self.type.name} cannot have {text} in {name}", index)
        if isinstance(value, int):
            self._check_bounds(name, value, index)
        return text

    def _check_bounds(self, name: str, number: int, index: int) -> None:
        low, high = bounds_of(self.type, name)
        too_low = low is not None and number < low
        too_high = high is not None and number > high
        if too_low or too_high:
            ends = [f"from {low}"] if low is not None else []
            ends += [f"to {high}"] if high is not None else []
            message = f"{name} of {self.type.name} takes numbers"
            raise LayerValueError(f"{message} {' '.join(ends)}, got {number}", index)

    def link_value(self, name: str, text: Any) -> Any:
        """Return the value that a link has for a text of a field."""
        table = self.layer.values.get(name, {})
        if text is None and self._names_blank(name):
            return table[BLANK][0]
        if text is None or isinstance(text, tuple):
            return text
        if text in table:
            return table[text][0]
        return int(text) if text.isdecimal() else text

    def _names_blank(self, name: str) -> bool:
        """Return whether a blank of the link stands for a value of the field, and a value for a
        blank.
        """
        table = self.layer.values.get(name, {})
        return any(None in link_values for link_values in table.values())


def bounds_of(puzzle_type: PuzzleType, name: str) -> tuple[int | None, int | None]:
    """Return the least and the greatest number that a field takes, where its type says them."""
    for within in puzzle_type.within:
        if within.field == name and within.bounds != (None, None):
            return within.bounds
    return None, None


def padded(values: Sequence[Any], count: int) -> list[Any]:
    """Return values, with blanks for those that are missing."""
    return [*values, *[None] * (count - len(values))]


class CornerLayer(CellLayer):
    """The values of the corners of cells."""

    further = 1


class HoleLayer(CellLayer):
    """The cells that no board of the puzzle has: those with a value."""

    def size(self, data: Mapping[str, Any]) -> None:
        return None

    def fill(self, values: Sequence[Any], board: Board) -> None:
        for cell, value in zip(self.indices(board), values):
            if value is not None:
                board.holes.add(cell)

    def take(self, board: Board) -> list[Any]:
        grid = next(grid for grid in board.data.values() if isinstance(grid, Grid))
        cells = map(cell_at, self.indices(board))
        return [None if cell in grid.values else 1 for cell in cells]


class InnerLayer(CellLayer):
    """The cells of a board whose first row and column are a rim, which a layer `rim` fills."""

    margin = 1


class FrameLayer(InnerLayer):
    """The sums on the rim: down at columns and right at rows that begin with a blank cell.

    A second field says whether cells that are blank side by side lack their sum.
    """

    def indices(self, board: Board) -> list[BoardIndex]:
        name = self.fields[0]
        first_cells: dict[BoardIndex, BoardIndex] = {}  # of the lines, by their cells of the rim
        for column in range(1, board.width + 1):
            first_cells[0, column] = (1, column)
        for row in range(1, board.height + 1):
            first_cells[row, 0] = (row, 1)
        is_written = name in board.data
        indices = []
        for rim_cell, first_cell in first_cells.items():
            if is_written:
                text = board.text_at(name, first_cell)
            else:
                text = board.texts[name][first_cell]
            if text is None:
                indices.append(rim_cell)
        return indices

    def _rim(self, board: Board) -> list[BoardIndex]:
        return [cell for cell in board.cells(1) if 0 in cell]

    def fill(self, values: Sequence[Any], board: Board) -> None:
        name, *flags = self.fields
        texts = board.texts[name]
        no_sums = self.field_text(name, (None, None), 0)
        texts.update(dict.fromkeys(self._rim(board), no_sums))
        for index, (cell, value) in enumerate(zip(self.indices(board), values)):
            in_first_row = cell[0] == 0
            sums = (value, None) if in_first_row else (None, value)
            texts[cell] = self.field_text(name, sums, index)
        if any(self._lacks_sum(cell, texts) for cell in texts):
            board.values.update(dict.fromkeys(flags, True))

    def _lacks_sum(self, cell: BoardIndex, texts: Mapping[BoardIndex, str | None]) -> bool:
        """Return whether two blank cells follow a clue cell below or on the right, and it has no
        sum for them.
        """
        text = texts[cell]
        if text is None:
            return False
        row, column = cell
        below = [(row + 1, column), (row + 2, column)]
        right = [(row, column + 1), (row, column + 2)]
        for total, run in zip(text.split("\\"), (below, right)):
            is_run = all(texts.get(neighbour, "") is None for neighbour in run)
            if is_run and not total:
                return True
        return False

    def take(self, board: Board) -> list[Any]:
        name = self.fields[0]
        sums_by_cell = board.data[name].values
        indices = self.indices(board)
        for index in self._rim(board):
            along = 1 if index[0] == 0 else 0  # the number of the sum that lies in the rim
            sums = sums_by_cell.get(cell_at(index), (None, None))
            if sums is None or sums[along] is not None:
                message = "the first row and column have no white cells, and no sums along them"
                raise self._error(index, message)
            if index not in indices and sums != (None, None):
                raise self._error(index, "this sum stands before a black cell")
        return [sums_by_cell[cell_at(index)][index[0] != 0] for index in indices]

    def _error(self, index: BoardIndex, message: str) -> InputError:
        name = self.fields[0]
        return InputError(f"a link cannot carry {name} at {cell_at(index)}: {message}")


class DotLayer(CellLayer):
    """The centres of cells, the middles of their sides and their corners, inside the board: twice
    as close as cells.
    """

    def indices(self, board: Board) -> list[BoardIndex]:
        rows = range(2 * board.height - 1)
        columns = range(2 * board.width - 1)
        return list(product(rows, columns))

    def fill(self, values: Sequence[Any], board: Board) -> None:
        (name,) = self.fields
        texts: dict[BoardIndex, str | None] = dict.fromkeys(board.cells())
        board.texts[name] = texts
        for index, ((y, x), value) in enumerate(zip(self.indices(board), values)):
            if value is not None:
                cell = y // 2, x // 2
                dot = COLOURS[value] + DOTS[y % 2][x % 2]
                text = self.field_text(name, dot, index)
                if texts[cell] is not None:
                    raise LayerValueError("there are two dots at one cell", index)
                texts[cell] = text

    def take(self, board: Board) -> list[Any]:
        (name,) = self.fields
        colours: dict[BoardIndex, int] = {}
        for row, column in board.cells():
            text = board.text_at(name, (row, column))
            if text is None or text == HOLES:
                continue
            *black, position = str(self.link_value(name, text)).split()
            down = int(position in DOTS[1])
            right = DOTS[down].index(position)
            y = 2 * row + down
            x = 2 * column + right
            colours[y, x] = 2 if black else 1
        return [colours.get(index) for index in self.indices(board)]


class EdgeLayer(CellLayer):
    """The edges between neighbours: those between regions have the value 1."""

    def count(self, board: Board) -> int:
        return len(board.edges())

    def fill(self, values: Sequence[Any], board: Board) -> None:
        borders = zip(board.edges(), values)
        board.walls = {edge for edge, border in borders if border is not None}
        board.find_regions()

    def take(self, board: Board) -> list[Any]:
        regions = board.regions
        borders = [regions[first] != regions[second] for first, second in board.edges()]
        return [1 if is_border else None for is_border in borders]


class RoomLayer(CellLayer):
    """The regions that the borders make; in a spec, a value stands in one cell of its region, or
    with its label.
    """

    @property
    def _by_label(self) -> bool:
        return isinstance(self.type.fields[self.fields[0]].type, MapOf)

    def size(self, data: Mapping[str, Any]) -> tuple[int, int] | None:
        return None if self._by_label else super().size(data)

    def indices(self, board: Board) -> list[BoardIndex]:
        return board.first_cells

    def fill(self, values: Sequence[Any], board: Board) -> None:
        (name,) = self.fields
        if not self._by_label:
            board.texts[name].update(dict.fromkeys(board.cells()))
            super().fill(values, board)
            return
        clues = [value for index, value in enumerate(values) if self._has_text(name, value, index)]
        cells = [cell for cell, value in zip(board.first_cells, values) if value is not None]
        board.of_regions[name] = dict(zip(cells, clues))

    def _has_text(self, name: str, value: Any, index: int) -> bool:
        return self.field_text(name, value, index) is not None

    def take(self, board: Board) -> list[Any]:
        (name,) = self.fields
        regions = [board.regions[cell] for cell in board.first_cells]
        if self._by_label:
            clues = board.data[name]
            return [clues.get(board.label_of[region]) for region in regions]
        texts: dict[int, str] = {}
        for cell in board.cells():
            text = board.text_at(name, cell)
            if text is None or text == HOLES:
                continue
            if texts.setdefault(board.regions[cell], text) != text:
                raise InputError(f"a region has two values in {name}, and a link has room for one")
        return [self.link_value(name, texts.get(region)) for region in regions]


class SideLayer(CellLayer):
    """The lines outside: those of columns, then those of rows. The fields of a group take turns,
    the nearest one first.

    A list of lists has as many values at each line as it may have runs, the last run first.
    Elsewhere an unknown value is none.
    """

    def size(self, data: Mapping[str, Any]) -> tuple[int, int] | None:
        columns = data[self.fields[0]]
        rows = data[self.fields[-1]]
        return len(columns), len(rows)

    def has_runs(self, name: str) -> bool:
        """Return whether a field has several values at each line."""
        return has_runs(self.type.fields[name].type)

    def slots(self, board: Board) -> list[Slot]:
        """Return the field, the line and the number of each value."""
        return list(self._slots(board))

    def _slots(self, board: Board) -> Iterator[Slot]:
        groups = self.layer.groups
        for number, names in enumerate(groups):
            is_columns = number < len(groups) // 2
            lines = board.width if is_columns else board.height
            cells = board.height if is_columns else board.width
            most_runs = -(-cells // 2)
            for line, name in product(range(lines), names):
                runs = most_runs if self.has_runs(name) else 1
                for run in reversed(range(runs)):
                    yield name, (line, run)

    def count(self, board: Board) -> int:
        return len(self.slots(board))

    def fill(self, values: Sequence[Any], board: Board) -> None:
        slots = self.slots(board)
        padded_values = padded(values, len(slots))
        for index, (slot, value) in enumerate(zip(slots, padded_values)):
            name, line_and_run = slot
            if value == UNKNOWN and not self.has_runs(name):
                board.texts[name][line_and_run] = None
            else:
                board.texts[name][line_and_run] = self.field_text(name, value, index)

    def take(self, board: Board) -> list[Any]:
        slots = self.slots(board)
        link_values: dict[Slot, Any] = {}
        for name in self.fields:
            lines_and_runs = [line_and_run for field, line_and_run in slots if field == name]
            line_count = lines_and_runs[-1][0] + 1
            most_runs = lines_and_runs[0][1] + 1
            self._check_count(name, line_count, board)
            for line, value in enumerate(board.data[name] or ()):
                runs = self._runs(name, value)
                if len(runs) > most_runs:
                    message = f"a line of {name} has {len(runs)} runs"
                    raise InputError(f"{message}, and a link has room for {most_runs}")
                for number, run in enumerate(reversed(runs), 1):
                    link_values[name, (line, most_runs - number)] = run
        return [link_values.get(slot) for slot in slots]

    def _check_count(self, name: str, line_count: int, board: Board) -> None:
        values = board.data[name]
        if self.has_runs(name) or values is None or len(values) == line_count:
            return
        size = f"{board.width}×{board.height}"
        raise InputError(f"{name} has {len(values)} values for a board of {size} cells")

    def _runs(self, name: str, value: Any) -> list[Any]:
        """Return the values that a link has for a line."""
        if not self.has_runs(name):
            return [self.link_value(name, written(value))]
        if value is None:
            raise InputError(
                f"{name} has a line without a clue, and in a link such a line has no runs"
            )
        return [run for run in value if run != 0]

    def where(self, index: int, board: Board) -> str:
        return ""


class ExitLayer(SideLayer):
    """The lines outside, with a mark before the number of the column and of the row at whose end a
    line leaves the board: below, and on the left.
    """

    def take(self, board: Board) -> list[Any]:
        numbers = super().take(board)
        if None in numbers:
            raise InputError(f"a game ID of {self.type.name} has a number for each row and column")
        column, row = board.exits
        marked = (column, board.width + row)
        return [f"S{n}" if line in marked else n for line, n in enumerate(numbers)]


class ColumnLayer(SideLayer):
    """The lines above or below the board."""

    is_columns = True

    def size(self, data: Mapping[str, Any]) -> None:
        return None

    def _slots(self, board: Board) -> Iterator[Slot]:
        (name,) = self.fields
        for line in range(board.width if self.is_columns else board.height):
            yield name, (line, 0)


class RowLayer(ColumnLayer):
    """The lines on the left or on the right of the board."""

    is_columns = False


class DominoLayer(CellLayer):
    """The pairs of cells that the ends of dominoes state: left, right, top, bottom; `*` alone."""

    def fill(self, values: Sequence[Any], board: Board) -> None:
        ends = dict(zip(self.indices(board), values))
        joins = set()
        for first, second in board.edges():
            pair = "LR" if first[0] == second[0] else "TB"
            if (ends.get(first), ends.get(second)) == (pair[0], pair[1]):
                joins.add((first, second))
        joined = [cell for join in joins for cell in join]
        for index, (cell, end) in enumerate(ends.items()):
            if joined.count(cell) != (end != "*"):
                raise LayerValueError("this end of a domino has no other end", index)
        board.walls = set(board.edges()) - joins
        board.find_regions()

    def take(self, board: Board) -> list[Any]:
        ends = dict.fromkeys(board.cells(), "*")
        for first, second in board.edges():
            if board.regions[first] == board.regions[second]:
                ends[first], ends[second] = "LR" if first[0] == second[0] else "TB"
        return list(ends.values())


class RoomCellLayer(RoomLayer):
    """The values of regions, each at the first cell of its region."""

    def fill(self, values: Sequence[Any], board: Board) -> None:
        cells = board.cells()
        padded_values = dict(zip(cells, padded(values, len(cells))))
        first_cells = board.first_cells
        for index, (cell, value) in enumerate(padded_values.items()):
            if value is not None and cell not in first_cells:
                raise LayerValueError("this is not the first cell of its region", index)
        super().fill([padded_values[cell] for cell in first_cells], board)

    def count(self, board: Board) -> int:
        return len(board.cells())

    def take(self, board: Board) -> list[Any]:
        values = dict(zip(board.first_cells, super().take(board)))
        for cell, value in values.items():
            if value is None:
                raise InputError(f"a game ID has a number for each region, also at {cell_at(cell)}")
        return [values.get(cell) for cell in board.cells()]

    def where(self, index: int, board: Board) -> str:
        return f" at {cell_at(board.cells()[index])}"


class ComparedLayer(CellLayer):
    """Numbers in cells, and signs between neighbours: a board, and a list of two cells with the
    sign between them.
    """

    def fill(self, values: Sequence[Any], board: Board) -> None:
        numbers, signs = self.fields
        cells = self.indices(board)
        lines = []
        for index, (cell, (number, sides)) in enumerate(zip(cells, values)):
            board.texts[numbers][cell] = self.field_text(numbers, number, index)
            for side in sides:
                row, column = WAYS[side]
                neighbour = cell[0] + row, cell[1] + column
                if neighbour not in cells:
                    raise LayerValueError("there is no cell on this side", index)
                lines.append(f"{cell_at(cell)} > {cell_at(neighbour)}")
        if lines:
            board.values[signs] = lines

    def take(self, board: Board) -> list[Any]:
        numbers, signs = self.fields
        sides: dict[BoardIndex, str] = dict.fromkeys(self.indices(board), "")
        for first, sign, second in board.data[signs]:
            greater, less = (first, second) if sign == ">" else (second, first)
            step = less.row - greater.row, less.column - greater.column
            (side,) = (letter for letter, way in WAYS.items() if way == step)
            sides[greater.row - 1, greater.column - 1] += side
        return [
            (int(self.link_value(numbers, board.text_at(numbers, cell)) or 0), text)
            for cell, text in sides.items()
        ]


class WayLayer(CellLayer):
    """The ways out of cells, as the sum of 1 for right, 2 for up, 4 for left and 8 for down. Ways
    off the board, of which an ID has two, are left out.
    """

    def fill(self, values: Sequence[Any], board: Board) -> None:
        cells = self.indices(board)
        for index, (cell, value) in enumerate(zip(cells, padded(values, len(cells)))):
            text = None
            if value is not None:
                text = self.field_text(
                    self.fields[0], self._ways(cell, int(str(value), 16), cells), index
                )
            board.texts[self.fields[0]][cell] = text

    def _ways(self, cell: BoardIndex, code: int, cells: Sequence[BoardIndex]) -> str:
        letters = ""
        for letter, bit, (row, column) in WAY_BITS:
            neighbour = cell[0] + row, cell[1] + column
            if code & bit and neighbour in cells:
                letters += letter
        return letters

    def take(self, board: Board) -> list[Any]:
        texts = {cell: board.text_at(self.fields[0], cell) for cell in self.indices(board)}
        codes: dict[BoardIndex, int] = {}
        for cell, text in texts.items():
            if text is not None:
                codes[cell] = sum(bit for letter, bit, _ in WAY_BITS if letter in text)
        ends = [cell for cell in codes if len(texts[cell] or "") == 1]
        left, below = self._ends(ends, board)
        codes[left] += LEFT
        codes[below] += DOWN
        board.exits = (below[1], left[0])
        digits = [*range(10), *"ABCDEF"]
        return [digits[codes[cell]] if cell in codes else None for cell in texts]

    def _ends(self, ends: list[BoardIndex], board: Board) -> tuple[BoardIndex, BoardIndex]:
        """Return the end that has an exit on the left, and that with an exit below."""
        for left, below in permutations(ends, 2):
            if left[1] == 0 and below[0] == board.height - 1 and len(ends) == 2:
                return left, below
        raise InputError(
            f"a game ID of {self.type.name} has one end at the left side, and one at the bottom"
        )


class NumberLayer(CellLayer):
    """A single number, or how many of the first letters of the alphabet a list has. Without it the
    field is empty.
    """

    def count(self, board: Board) -> int:
        return 1

    def size(self, data: Mapping[str, Any]) -> None:
        return None

    @property
    def _is_list(self) -> bool:
        return isinstance(self.type.fields[self.fields[0]].type, ListOf)

    def fill(self, values: Sequence[Any], board: Board) -> None:
        (name,) = self.fields
        if not values:
            board.values[name] = None
            return
        number = values[0]
        if not self._is_list:
            self.field_text(name, number, 0)
            board.values[name] = number
            return
        if not 1 <= number <= 26:
            raise LayerValueError("a number of letters from 1 to 26 is expected")
        board.values[name] = _letters(number)

    def take(self, board: Board) -> list[Any]:
        name = self.fields[0]
        number_or_letters = board.data[name]
        if not self._is_list:
            return [number_or_letters]
        count = len(number_or_letters)
        if list(map(str, number_or_letters)) != _letters(count):
            raise InputError(f"{name} must be the first letters of the alphabet, in order")
        return [count]

    def where(self, index: int, board: Board) -> str:
        return ""


def _letters(count: int) -> list[str]:
    return [chr(ord("a") + number) for number in range(count)]
