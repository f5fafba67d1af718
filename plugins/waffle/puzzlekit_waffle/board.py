"""The boards of waffles: their slots, the colours of letters on them, and which cells colours may
force.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from pathlib import Path

from puzzlekit.boards import Cell, Grid
from puzzlekit.errors import InputError
from puzzlekit.lang import read_text
from puzzlekit.libraries.words import Fill, Mark, cached_marks, crossing_marks

Letters = dict[Cell, str]
Colours = dict[Cell, Mark]


def read_board(size: tuple[int, int], solid: bool, path: Path | None) -> Grid:
    """Return the board drawn in a file, or else a lattice; the values of its cells have no meaning.

    Raises InputError.
    """
    if path is not None:
        if solid:
            raise InputError("--solid cannot be combined with --board")
        return _drawn(path)
    rows, columns = size
    if solid:
        return Grid.of_rows(["#" * columns] * rows)
    if rows % 2 == 0 or columns % 2 == 0:
        raise InputError(
            f"expected odd sides of a lattice, got {rows}x{columns}: use --solid or --board FILE"
        )
    return Grid.of_rows(lattice_rows(rows, columns))


def lattice_rows(rows: int, columns: int) -> list[str]:
    """Return the rows of a lattice: # for a cell, a dot for a hole."""
    full_row = "#" * columns
    row_with_holes = ("#." * columns)[:columns]
    return ([full_row, row_with_holes] * rows)[:rows]


def _drawn(path: Path) -> Grid:
    """Return the board drawn in a file. Raises InputError."""
    lines = {}
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if line.strip():
            lines[number] = line.rstrip()
    width = len(next(iter(lines.values()), ""))
    for number, line in lines.items():
        if wrong := re.search(r"[^#._ ]", line):
            raise InputError(
                f"{path}:{number}:{wrong.start() + 1}: expected # for a cell or . for a hole, "
                f"got {wrong[0]!r}"
            )
        if len(line) != width:
            raise InputError(
                f"{path}:{number}: expected {width} characters, as in the first row, "
                f"got {len(line)}; write . for a hole"
            )
    rows = [re.sub(r"[^#]", ".", line) for line in lines.values()]
    grid = Grid.of_rows(rows)
    if not grid.cells or grid.height > 25 or grid.width > 25:
        raise InputError(f"{path}: expected at least one cell (#) and at most 25 rows and columns")
    return grid


class Board:
    """A board, its slots, and its marking.

    Attributes:
        grid: The cells.
        slots: The cells of each word.
        slots_of: For each cell, the numbers of its slots.
        crossings: The cells of several slots.
        mirror: For each slot, the number of its mirror image at the main diagonal; empty if a slot
            has none.
        lines: The cells of each row, holes included.
    """

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.slots = [tuple(slot) for slot in grid.slots(2)]
        self.slots_of: dict[Cell, list[int]] = {cell: [] for cell in grid.cells}
        for number, slot in enumerate(self.slots):
            for cell in slot:
                self.slots_of[cell].append(number)
        for cell, slots in self.slots_of.items():
            if not slots:
                raise InputError(f"{cell} is in no word of two letters or more")
        self.crossings = [cell for cell, slots in self.slots_of.items() if len(slots) > 1]
        self.mirror = self._mirror()
        self.lines: list[list[Cell]] = []
        for row in range(1, grid.height + 1):
            line = [Cell(row, column) for column in range(1, grid.width + 1)]
            self.lines.append(line)

    def _mirror(self) -> list[int]:
        numbers = {slot: number for number, slot in enumerate(self.slots)}
        mirror = []
        for slot in self.slots:
            image = tuple(Cell(column, row) for row, column in slot)
            if image not in numbers:
                return []
            mirror.append(numbers[image])
        return mirror

    def letters(self, fill: Fill) -> Letters:
        """Return the letters of a fill, in reading order."""
        letters: Letters = {}
        for slot, word in zip(self.slots, fill):
            letters.update(zip(slot, word))
        return {cell: letters[cell] for cell in self.grid.cells}

    def word(self, slot: int, letters: Mapping[Cell, str]) -> str:
        """Return the word in a slot."""
        return "".join([letters[cell] for cell in self.slots[slot]])

    def colours(
        self,
        stand: Mapping[Cell, str],
        answer: Mapping[Cell, str],
        slots: Iterable[int] | None = None,
    ) -> Colours:
        """Mark each word as in Wordle; a cell shows its best mark."""
        marked = self.slots
        if slots is not None:
            marked = [self.slots[slot] for slot in slots]
        return crossing_marks(marked, stand, answer)

    def rows(self, values: Mapping[Cell, object]) -> list[str]:
        """Return lines of text, with a dot for a hole."""
        rows = []
        for line in self.lines:
            texts = [str(values.get(cell, ".")) for cell in line]
            rows.append("".join(texts))
        return rows

    def green(self, option: str) -> list[Cell]:
        """Return the cells that keep their letter. Raises InputError."""
        match option:
            case "none":
                return []
            case "corners":
                return self._corners()
            case "crossings":
                return list(self.crossings)
            case "game":
                return self._green_of_game()
            case _:
                return [self.named(name) for name in re.split(r"[\s,]+", option) if name]

    def _corners(self) -> list[Cell]:
        corners = []
        for cell in self.grid.cells:
            in_end_row = cell.row in (1, self.grid.height)
            if in_end_row and cell.column in (1, self.grid.width):
                corners.append(cell)
        return corners

    def _green_of_game(self) -> list[Cell]:
        """Return the cells that keep their letter as in the game's own puzzles."""
        height, width = self.grid.height, self.grid.width
        if len(self.crossings) <= 4:
            return []
        corners = self._corners()
        has_other_cells = len(self.crossings) < len(self.grid.cells)
        if has_other_cells and min(height, width) >= 7:
            return [cell for cell in self.crossings if cell not in corners]
        has_middle = height % 2 == width % 2 == 1
        middle = Cell((height + 1) // 2, (width + 1) // 2)
        if has_middle and middle in self.crossings:
            return [*corners, middle]
        return corners

    def named(self, name: str) -> Cell:
        """Return the cell with this name, such as r1c2. Raises InputError."""
        numbers = re.fullmatch(r"r(\d{1,2})c(\d{1,2})", name)
        cell = Cell(int(numbers[1]), int(numbers[2])) if numbers else None
        if cell is None or cell not in self.slots_of:
            raise InputError(
                f"--green {name}: there is no such cell; "
                "write game, none, corners, crossings or r1c1,r3c3"
            )
        return cell


def _unchanged(
    board: Board, letters: Letters, answer: Letters, colours: Colours
) -> Callable[..., bool]:
    """Return a function that says whether the colours stay when the answer has other letters in
    some cells, none of them green.
    """
    numbers = range(len(board.slots))
    words = [board.word(slot, letters) for slot in numbers]
    marks = [cached_marks(words[slot], board.word(slot, answer)) for slot in numbers]

    def unchanged(*moves: tuple[Cell, str]) -> bool:
        moved = dict(moves)
        if any(letters[cell] == letter for cell, letter in moves):  # would be green
            return False
        changed_slots = {slot: None for cell in moved for slot in board.slots_of[cell]}
        changed_marks = {}
        for slot in changed_slots:
            changed = [moved.get(cell) or answer[cell] for cell in board.slots[slot]]
            changed_marks[slot] = cached_marks(words[slot], "".join(changed))

        def mark_in(slot: int, cell: Cell) -> Mark:
            index = board.slots[slot].index(cell)
            return changed_marks.get(slot, marks[slot])[index]

        def keeps_colour(cell: Cell) -> bool:
            best = max(mark_in(slot, cell) for slot in board.slots_of[cell])
            return best == colours[cell]

        remarked = [slot for slot, changed in changed_marks.items() if changed != marks[slot]]
        return all(keeps_colour(cell) for slot in remarked for cell in board.slots[slot])

    return unchanged


def _loose(colours: Colours) -> list[Cell]:
    """Return the cells that are not green."""
    return [cell for cell, mark in colours.items() if mark != Mark.GREEN]


def forced(board: Board, letters: Letters, answer: Letters, colours: Colours) -> list[Cell]:
    """Return the cells that are not green and may be forced by the colours alone.

    A cell is not forced if two or three cells of the answer, among them this one, can exchange
    their letters without a change of colours.
    """
    loose = _loose(colours)
    free: set[Cell] = set()
    unchanged = _unchanged(board, letters, answer, colours)
    for a, b in combinations(loose, 2):
        if {a, b} <= free or answer[a] == answer[b]:
            continue
        if unchanged((a, answer[b]), (b, answer[a])):
            free |= {a, b}
    for a, b, c in combinations(loose, 3):
        if len(free) == len(loose):
            break
        if {a, b, c} <= free or len({answer[a], answer[b], answer[c]}) < 3:
            continue
        for x, y, z in ((b, c, a), (c, a, b)):
            moves = (a, answer[x]), (b, answer[y]), (c, answer[z])
            if unchanged(*moves):
                free |= {a, b, c}
    return [cell for cell in loose if cell not in free]


def exchanged_words(
    board: Board, letters: Letters, answer: Letters, colours: Colours, words: frozenset[str]
) -> bool:
    """Return whether another answer is found by exchanging the letters of two cells.

    Many puzzles with several answers have such a one, and it is found without solving the puzzle.
    """
    loose = _loose(colours)
    unchanged = _unchanged(board, letters, answer, colours)
    for a, b in combinations(loose, 2):
        if answer[a] == answer[b]:
            continue
        exchanged = {**answer, a: answer[b], b: answer[a]}
        crossed = dict.fromkeys((*board.slots_of[a], *board.slots_of[b]))
        if not all(board.word(slot, exchanged) in words for slot in crossed):
            continue
        fill = [board.word(slot, exchanged) for slot in range(len(board.slots))]
        is_distinct = len(set(fill)) == len(fill)
        if is_distinct and unchanged((a, exchanged[a]), (b, exchanged[b])):
            return True
    return False
