"""Functions that draw at random. Only `make:` knows them: a type's rules are the same at each run."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from random import Random
from string import ascii_letters
from typing import Any

from puzzlekit.boards import Cell, Grid
from puzzlekit.lang.aliases import DataValue
from puzzlekit.lang.expressions.draws import RandomChoices
from puzzlekit.lang.expressions.values import ExpressionError, VariableArray, display_text
from puzzlekit.lang.library import Functions, Library

MOST_LABELS = len(ascii_letters) * (len(ascii_letters) + 1)
SIDES = ((-1, 0), (0, 1), (1, 0), (0, -1))


def letters_of(number: int) -> str:
    """Return a letter for a number from 0, or two."""
    high, low = divmod(number, len(ascii_letters))
    return ascii_letters[low] if not high else ascii_letters[high - 1] + ascii_letters[low]


def side_neighbours(cell: Cell) -> Iterable[Cell]:
    """Return the cells that share a side with a cell, on the board or not."""
    return (Cell(cell.row + down, cell.column + right) for down, right in SIDES)


def _near(pairs: Iterable[DataValue]) -> dict[DataValue, list[DataValue]]:
    """Return what each end of some pairs is joined with."""
    near: dict[Any, list[Any]] = {}
    for pair in pairs:
        if isinstance(pair, Cell) or not isinstance(pair, tuple) or len(pair) != 2:
            raise ExpressionError(f"expected pairs of cells, got {display_text(pair)}")
        one, other = pair
        near.setdefault(one, []).append(other)
        near.setdefault(other, []).append(one)
    return near


class RandomFunctions(Functions):
    """Random choices, and parts of boards."""

    def choice(self, xs: DataValue) -> DataValue:
        """Return one of several things."""
        items = self._items(xs)
        return self._drawn(("choice", items), lambda random: random.choice(items))

    def shuffled(self, xs: DataValue) -> DataValue:
        """Return the things in random order."""
        items = self._items(xs, least=0)
        return self._drawn(
            ("shuffled", items), lambda random: tuple(random.sample(items, len(items)))
        )

    def scattered(self, cells: DataValue, share: int, apart: bool = False) -> DataValue:
        """Return random cells: so many of a hundred, symmetric as --symmetry says, or else turned
        by 180 degrees.

        Args:
            cells: The cells.
            share: How many of a hundred, if --density does not say it.
            apart: Whether no two of them share a side.
        """
        found = self._cells(cells)
        share = self._draws.density or self.interpreter.whole_number(share, "a share")
        return self._drawn(
            ("scattered", found, share, apart),
            lambda random: self._scattered(random, found, share, apart),
        )

    def grown(self, g: Grid, seeds: DataValue) -> DataValue:
        """Return regions that grow from seeds, as a label for each cell. A seed is a cell, or cells
        that are joined.
        """
        rows = tuple(
            (seed,) if isinstance(seed, Cell) else self._cells(seed) for seed in self._items(seeds)
        )
        cells = self._board(g)
        return self._drawn(("grown", cells, rows), lambda random: _grown(random, cells, rows))

    def cut(self, g: Grid, most: int) -> DataValue:
        """Return rectangles that fill the board, as a label for each cell; each has at most so many
        cells.
        """
        cells, most = self._board(g), self._positive(most, "a number of cells")
        return self._drawn(("cut", cells, most), lambda random: _cut(random, cells, most))

    def clusters(self, cells: DataValue, size: int) -> DataValue:
        """Return groups of so many cells that are near each other."""
        found, size = self._cells(cells), self._positive(size, "a size")
        return self._drawn(("clusters", found, size), lambda random: _clusters(random, found, size))

    def pieces(self, flags: DataValue, value: DataValue = True) -> DataValue:
        """Return the groups of cells with this value that are connected by their sides.

        If the keys are pairs of cells, such as sides between cells, groups are joined by those with
        this value.
        """
        members = self._members(flags)
        chosen = [key for key, own in members.items() if own == value]
        if all(isinstance(key, Cell) for key in chosen):
            near = {
                key: [other for other in side_neighbours(key) if members.get(other) == value]
                for key in chosen
            }
        else:
            near = _near(chosen)
        found, seen = [], set[Any]()
        for first in near:
            piece = [] if first in seen else [first]
            seen.add(first)
            for cell in piece:
                new = [other for other in near[cell] if other not in seen]
                seen.update(new)
                piece += new
            found += [tuple(sorted(piece))] * bool(piece)
        return tuple(found)

    def along(self, line: DataValue) -> DataValue:
        """Return the cells of a path or a loop in order, for pairs of cells with whether a line
        joins them.
        """
        near = _near(pair for pair, drawn in self._members(line).items() if drawn)
        found = dict.fromkeys([min(near, key=lambda cell: (len(near[cell]), cell))] if near else [])
        while (
            step := next(
                (cell for cell in near.get(next(reversed(found), None), ()) if cell not in found),
                None,
            )
        ) is not None:
            found[step] = None
        return tuple(found)

    def chopped(self, xs: DataValue, least: int, most: int) -> DataValue:
        """Return parts of a row, one after the other, each with so many items."""
        items = self._items(xs)
        low, high = self._positive(least, "a length"), self._positive(most, "a length")
        return self._drawn(
            ("chopped", items, low, high), lambda random: _chopped(random, items, low, high)
        )

    def label(self, number: int) -> str:
        """Return a letter for a number from 0; from 52, two of them."""
        return letters_of(self.interpreter.whole_number(number, "a number") % MOST_LABELS)

    def text(self, *parts: DataValue) -> str:
        """Return numbers and texts, or rows of them, as one text."""
        known = self.interpreter.require_fixed(parts, "a text")
        return "".join(self.text(*part) if isinstance(part, tuple) else str(part) for part in known)

    @property
    def _draws(self) -> RandomChoices:
        if self.interpreter.draws is None:
            raise ExpressionError("only `make` draws at random")
        return self.interpreter.draws

    def _drawn(self, key: Hashable, draw: Callable[[Random], DataValue]) -> DataValue:
        return self._draws.drawn(key, draw)

    def _items(self, xs: DataValue, least: int = 1) -> tuple[DataValue, ...]:
        items: tuple[Any, ...] = self.interpreter.require_fixed(self.items(xs), "what is drawn from")
        if len(items) < least:
            raise ExpressionError("there is nothing to draw from")
        self.interpreter.spend(len(items))
        return items

    def _cells(self, xs: DataValue) -> tuple[Cell, ...]:
        items = self._items(xs)
        for item in items:
            if not isinstance(item, Cell):
                raise ExpressionError(f"expected cells, got {display_text(item)}")
        return items

    def _board(self, g: DataValue) -> tuple[Cell, ...]:
        if not isinstance(g, Grid):
            raise ExpressionError(f"expected a board, got {display_text(g)}")
        return tuple(g.cells)

    def _members(self, flags: DataValue) -> Mapping[DataValue, DataValue]:
        members = flags.members if isinstance(flags, VariableArray) else flags
        if not isinstance(members, Mapping):
            raise ExpressionError(
                f"expected a value for each cell or pair of cells, got {display_text(flags)}"
            )
        self.interpreter.spend(len(members))
        return members

    def _positive(self, number: DataValue, what: str) -> int:
        found = self.interpreter.whole_number(number, what)
        if found < 1:
            raise ExpressionError(f"expected {what} from 1, got {found}")
        return found

    def _scattered(
        self, random: Random, cells: tuple[Cell, ...], share: int, apart: bool
    ) -> tuple[Cell, ...]:
        symmetry = self._draws.symmetry
        own, left = set(cells), len(cells) * share // 100
        height, width = max(c.row for c in cells) + 1, max(c.column for c in cells) + 1
        found: dict[Cell, None] = {}
        for cell in random.sample(cells, len(cells)):
            turned = Cell(
                height - cell.row if symmetry == "rotate" else cell.row, width - cell.column
            )
            orbit = dict.fromkeys(
                [cell] if symmetry == "none" or turned not in own else [cell, turned]
            )
            near = {other for one in orbit for other in side_neighbours(one)}
            if len(found) < left and not (apart and (near & found.keys() or near & orbit.keys())):
                found |= orbit
        return tuple(sorted(found))


def _grown(
    random: Random, cells: Iterable[Cell], seeds: tuple[tuple[Cell, ...], ...]
) -> dict[Cell, str]:
    board, found = set(cells), dict[Cell, str]()
    for number, seed in enumerate(seeds):
        for cell in seed:
            found.setdefault(cell, letters_of(number))
    for number, seed in enumerate(seeds):
        for cell in seed[1:]:
            found |= dict.fromkeys(
                _joining(random, board, found, cell, letters_of(number)), letters_of(number)
            )
    edge = sorted(found)
    while edge:
        place = random.randrange(len(edge))
        free = [other for other in side_neighbours(edge[place]) if other in board and other not in found]
        if free:
            chosen = random.choice(free)
            found[chosen] = found[edge[place]]
            edge.append(chosen)
        else:
            edge[place] = edge[-1]
            edge.pop()
    return found


def _joining(
    random: Random, board: set[Cell], found: Mapping[Cell, str], start: Cell, own: str
) -> list[Cell]:
    """Return the free cells between a cell of a seed and another one of it; none if no way is free."""
    before: dict[Cell, Cell | None] = {start: None}
    queue = [start]
    for cell in queue:
        if cell != start and found.get(cell) == own:
            way, step = [], before[cell]
            while step is not None:
                way.append(step)
                step = before[step]
            return way
        near = [
            other
            for other in side_neighbours(cell)
            if other in board and other not in before and found.get(other, own) == own
        ]
        for other in random.sample(near, len(near)):
            before[other] = cell
            queue.append(other)
    return []


def _cut(random: Random, cells: Iterable[Cell], most: int) -> dict[Cell, str]:
    left = set(cells)
    found: dict[Cell, str] = {}
    number = 0
    for cell in cells:
        if cell not in left:
            continue
        shapes = [
            (high, wide) for high in range(1, most + 1) for wide in range(1, most // high + 1)
        ]
        shapes.sort(
            key=lambda shape: random.random() ** (1 / (shape[0] * shape[1] * min(shape))),
            reverse=True,
        )
        for high, wide in shapes:
            part = [
                Cell(cell.row + down, cell.column + right)
                for down in range(high)
                for right in range(wide)
            ]
            if left.issuperset(part):
                break
        left.difference_update(part)
        found |= dict.fromkeys(part, letters_of(number))
        number += 1
    return found


def _clusters(random: Random, cells: tuple[Cell, ...], size: int) -> tuple[tuple[Cell, ...], ...]:
    left, found = random.sample(cells, len(cells)), []
    while left:
        first = left.pop()
        left.sort(key=lambda cell: -abs(cell.row - first.row) - abs(cell.column - first.column))
        found.append((first, *(left.pop() for _ in range(min(size - 1, len(left))))))
    return tuple(found)


def _chopped(
    random: Random, items: tuple[DataValue, ...], least: int, most: int
) -> tuple[tuple[DataValue, ...], ...]:
    found, begun = [], 0
    while begun < len(items):
        left = len(items) - begun
        fitting = [
            size for size in range(least, most + 1) if size == left or left - size >= least
        ] or [left]
        size = random.choice(fitting)
        found.append(items[begun : begun + size])
        begun += size
    return tuple(found)


DRAWING = Library("drawing", functions=(RandomFunctions,))
