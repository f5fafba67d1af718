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
    """The board drawn in a file, or else a lattice; the values of its cells have no meaning. Raises
    InputError.
    """
    if path is None:
        rows, columns = size
        if solid:
            return Grid.of_rows(["#" * columns] * rows)
        if rows % 2 == 0 or columns % 2 == 0:
            raise InputError(
                f"expected odd sides of a lattice, got {rows}x{columns}: use --solid or --board FILE"
            )
        return Grid.of_rows(
            ["".join("." if r % 2 and c % 2 else "#" for c in range(columns)) for r in range(rows)]
        )
    if solid:
        raise InputError("--solid cannot be combined with --board")
    return _drawn(path)


def _drawn(path: Path) -> Grid:
    lines = {
        number: line.rstrip()
        for number, line in enumerate(read_text(path).splitlines(), 1)
        if line.strip()
    }
    width = len(next(iter(lines.values()), ""))
    for number, line in lines.items():
        if odd := re.search(r"[^#._ ]", line):
            raise InputError(
                f"{path}:{number}:{odd.start() + 1}: expected # for a cell or . for a hole, got {odd[0]!r}"
            )
        if len(line) != width:
            raise InputError(
                f"{path}:{number}: expected {width} characters, as in the first row, got {len(line)}; write . for a hole"
            )
    grid = Grid.of_rows(
        ["".join("#" if char == "#" else "." for char in line) for line in lines.values()]
    )
    if not grid.cells or grid.height > 25 or grid.width > 25:
        raise InputError(f"{path}: expected at least one cell (#) and at most 25 rows and columns")
    return grid


class Board:
    """A board, its slots, and its marking."""

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
        turned = {slot: number for number, slot in enumerate(self.slots)}
        mirror = [
            turned.get(tuple(Cell(cell.column, cell.row) for cell in slot)) for slot in self.slots
        ]
        self.mirror = (
            [number for number in mirror if number is not None] if None not in mirror else []
        )
        self.lines = [
            [Cell(r, c) for c in range(1, grid.width + 1)] for r in range(1, grid.height + 1)
        ]

    def letters(self, fill: Fill) -> Letters:
        """The letters of a fill, in reading order."""
        found = {
            cell: letter for slot, word in zip(self.slots, fill) for cell, letter in zip(slot, word)
        }
        return {cell: found[cell] for cell in self.grid.cells}

    def colours(
        self,
        stand: Mapping[Cell, str],
        answer: Mapping[Cell, str],
        slots: Iterable[int] | None = None,
    ) -> Colours:
        """Mark each word as in Wordle; a cell shows its best mark."""
        return crossing_marks(
            self.slots if slots is None else map(self.slots.__getitem__, slots), stand, answer
        )

    def rows(self, values: Mapping[Cell, object]) -> list[str]:
        """Lines of text, with a dot for a hole."""
        return ["".join([str(values.get(cell, ".")) for cell in line]) for line in self.lines]

    def green(self, option: str) -> list[Cell]:
        """The cells that keep their letter. Raises InputError."""
        grid = self.grid
        high, wide = grid.height, grid.width
        corners = [
            cell for cell in grid.cells if cell.row in (1, high) and cell.column in (1, wide)
        ]
        match option:
            case "none":
                return []
            case "corners":
                return corners
            case "crossings":
                return list(self.crossings)
            case "game" if len(self.crossings) <= 4:
                return []
            case "game" if min(high, wide) < 7 or len(self.crossings) == len(grid.cells):
                middle = Cell((high + 1) // 2, (wide + 1) // 2)
                return [
                    *corners,
                    *([middle] if high % 2 and wide % 2 and middle in self.crossings else []),
                ]
            case "game":
                return [cell for cell in self.crossings if cell not in corners]
            case _:
                return [self.named(name) for name in re.split(r"[\s,]+", option) if name]

    def named(self, name: str) -> Cell:
        """The cell with this name, such as r1c2. Raises InputError."""
        found = re.fullmatch(r"r(\d{1,2})c(\d{1,2})", name)
        cell = Cell(int(found[1]), int(found[2])) if found else None
        if cell is None or cell not in self.slots_of:
            raise InputError(
                f"--green {name}: there is no such cell; write game, none, corners, crossings or r1c1,r3c3"
            )
        return cell


def _unchanged(
    board: Board, letters: Letters, answer: Letters, colours: Colours
) -> Callable[..., bool]:
    """A function that says whether the colours stay when the answer has other letters in some
    cells, none of them green.
    """
    stood = ["".join([letters[cell] for cell in slot]) for slot in board.slots]
    marked = [
        cached_marks(word, "".join([answer[cell] for cell in slot]))
        for word, slot in zip(stood, board.slots)
    ]

    def unchanged(*moves: tuple[Cell, str]) -> bool:
        moved = dict(moves)
        if any(letters[cell] == letter for cell, letter in moves):  # would be green
            return False
        slots = dict.fromkeys(number for cell in moved for number in board.slots_of[cell])
        others = {
            n: cached_marks(stood[n], "".join([moved.get(c) or answer[c] for c in board.slots[n]]))
            for n in slots
        }
        return all(
            max(others.get(n, marked[n])[board.slots[n].index(cell)] for n in board.slots_of[cell])
            == colours[cell]
            for number in slots
            if others[number] != marked[number]
            for cell in board.slots[number]
        )

    return unchanged


def forced(board: Board, letters: Letters, answer: Letters, colours: Colours) -> list[Cell]:
    """The cells that are not green and may be forced by the colours alone.

    A cell is not forced if two or three cells of the answer, among them this one, can exchange
    their letters without a change of colours.
    """
    loose = [cell for cell, mark in colours.items() if mark != Mark.GREEN]
    seen: set[Cell] = set()
    unchanged = _unchanged(board, letters, answer, colours)
    for a, b in combinations(loose, 2):
        if (
            not {a, b} <= seen
            and answer[a] != answer[b]
            and unchanged((a, answer[b]), (b, answer[a]))
        ):
            seen |= {a, b}
    for a, b, c in combinations(loose, 3):
        if len(seen) == len(loose):
            break
        if not {a, b, c} <= seen and len({answer[a], answer[b], answer[c]}) == 3:
            for x, y, z in ((b, c, a), (c, a, b)):
                if unchanged((a, answer[x]), (b, answer[y]), (c, answer[z])):
                    seen |= {a, b, c}
    return [cell for cell in loose if cell not in seen]


def exchanged_words(
    board: Board, letters: Letters, answer: Letters, colours: Colours, words: frozenset[str]
) -> bool:
    """Whether another answer is found by exchanging the letters of two cells.

    Many puzzles with several answers have such a one, and it is found without solving the puzzle.
    """
    loose = [cell for cell, mark in colours.items() if mark != Mark.GREEN]
    unchanged = _unchanged(board, letters, answer, colours)
    for a, b in combinations(loose, 2):
        if answer[a] != answer[b]:
            other = {**answer, a: answer[b], b: answer[a]}
            crossed = dict.fromkeys((*board.slots_of[a], *board.slots_of[b]))
            if all(
                "".join([other[cell] for cell in board.slots[slot]]) in words for slot in crossed
            ):
                fill = ["".join([other[cell] for cell in slot]) for slot in board.slots]
                if len(set(fill)) == len(fill) and unchanged((a, other[a]), (b, other[b])):
                    return True
    return False
