"""Functions that choose at random.

They are only available in `make:`, because the rules of a type are the same in each run.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

from puzzlekit.boards import Cell, Grid, images
from puzzlekit.lang.aliases import DataValue
from puzzlekit.lang.expressions.draws import RandomChoices
from puzzlekit.lang.expressions.values import ExpressionError, VariableArray, display_text
from puzzlekit.lang.functions.divisions import (
    MOST_LABELS,
    cut,
    divided,
    letters_of,
    paths,
    side_neighbours,
)
from puzzlekit.lang.functions.tours import tour
from puzzlekit.lang.library import Functions, Library


def _neighbours(pairs: Iterable[DataValue]) -> dict[DataValue, list[DataValue]]:
    """Return the neighbours of each end of pairs."""
    neighbours: dict[Any, list[Any]] = {}
    for pair in pairs:
        if isinstance(pair, Cell) or not isinstance(pair, tuple) or len(pair) != 2:
            raise ExpressionError(f"expected pairs of cells, got {display_text(pair)}")
        first, second = pair
        neighbours.setdefault(first, []).append(second)
        neighbours.setdefault(second, []).append(first)
    return neighbours


def _piece_of(
    start: DataValue, neighbours: Mapping[DataValue, Sequence[DataValue]]
) -> list[DataValue]:
    """Return the cells that are connected with a cell, the nearest first."""
    piece = [start]
    seen = {start}
    for cell in piece:  # grows in the loop
        for neighbour in neighbours[cell]:
            if neighbour not in seen:
                seen.add(neighbour)
                piece.append(neighbour)
    return piece


class DrawingFunctions(Functions):
    """The base of functions that choose at random: a choice stays for one puzzle."""

    @property
    def _draws(self) -> RandomChoices:
        if self.interpreter.draws is None:
            raise ExpressionError("only `make` draws at random")
        return self.interpreter.draws

    def _drawn(self, key: Hashable, draw: Callable[[Random], DataValue]) -> DataValue:
        return self._draws.drawn(key, draw)

    def _items(self, xs: DataValue, least: int = 1) -> tuple[DataValue, ...]:
        items: tuple[Any, ...] = self.interpreter.require_fixed(
            self.items(xs), "what is drawn from"
        )
        if len(items) < least:
            raise ExpressionError("there is nothing to draw from")
        self.interpreter.spend(len(items))
        return items


class RandomFunctions(DrawingFunctions):
    """Random choices, and groups of cells."""

    def choice(self, xs: DataValue) -> DataValue:
        """Return one of several things."""
        items = self._items(xs)
        return self._drawn(("choice", items), lambda random: random.choice(items))

    def shuffled(self, xs: DataValue) -> DataValue:
        """Return the things in random order."""
        items = self._items(xs, least=0)

        def shuffle(random: Random) -> tuple[DataValue, ...]:
            return tuple(random.sample(items, len(items)))

        return self._drawn(("shuffled", items), shuffle)

    def scattered(self, cells: DataValue, share: int, apart: bool = False) -> DataValue:
        """Return random cells: so many of a hundred, symmetric as --symmetry says, or else turned
        by 180 degrees.

        Args:
            cells: The cells.
            share: How many of a hundred, if --density does not say it.
            apart: Whether no two of them share a side.
        """
        row = self._cells(cells)
        percent = self._draws.density or self.interpreter.whole_number(share, "a share")
        symmetry = self._draws.symmetry
        return self._drawn(
            ("scattered", row, percent, apart),
            lambda random: _scattered(random, row, percent, symmetry, apart),
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
        cells = self._board(g)
        most = self._positive(most, "a number of cells")
        return self._drawn(("cut", cells, most), lambda random: cut(random, cells, most))

    def divided(self, g: Grid, size: int) -> DataValue:
        """Return regions that all have so many cells, as a label for each cell of a board without
        holes. The cells of a board that are left over have a region of their own.
        """
        cells = self._board(g)
        if len(cells) != g.height * g.width:
            raise ExpressionError("divided takes a board without holes")
        size = self._positive(size, "a number of cells")
        return self._drawn(("divided", cells, size), lambda random: divided(random, cells, size))

    def paths(self, g: Grid, least: int, most: int) -> DataValue:
        """Return random paths of cells that share no cell, each of so many cells at least and at
        most.
        """
        cells = self._board(g)
        least = self._positive(least, "a length")
        most = self.interpreter.whole_number(most, "a length")
        if most < least:
            raise ExpressionError(f"expected a length from {least}, got {most}")
        return self._drawn(
            ("paths", cells, least, most), lambda random: paths(random, cells, least, most)
        )

    def tour(self, g: Grid, diagonal: bool = False) -> DataValue:
        """Return the cells of a board in the order of a random path through all of them.

        Args:
            g: The board.
            diagonal: Whether cells that touch by a corner may follow each other.
        """
        cells = self._board(g)
        steps = g.around if diagonal else g.neighbours

        def draw(random: Random) -> tuple[Cell, ...]:
            path = tour(random, {cell: steps(cell) for cell in cells})
            if path is None:
                raise ExpressionError("no path through all cells was found")
            return path

        self.interpreter.spend(len(cells))
        return self._drawn(("tour", cells, diagonal), draw)

    def clusters(self, cells: DataValue, size: int) -> DataValue:
        """Return groups of so many cells that are near each other."""
        row = self._cells(cells)
        size = self._positive(size, "a size")
        return self._drawn(("clusters", row, size), lambda random: _clusters(random, row, size))

    def pieces(self, flags: DataValue, value: DataValue = True) -> DataValue:
        """Return the groups of cells with this value that are connected by their sides.

        If the keys are pairs of cells, such as sides between cells, groups are joined by those with
        this value.
        """
        members = self._members(flags)
        chosen = {key: None for key, member in members.items() if member == value}
        if all(isinstance(key, Cell) for key in chosen):
            neighbours = {
                cell: [neighbour for neighbour in side_neighbours(cell) if neighbour in chosen]
                for cell in chosen
            }
        else:
            neighbours = _neighbours(chosen)
        pieces = []
        seen = set[Any]()
        for start in neighbours:
            if start not in seen:
                piece = _piece_of(start, neighbours)
                seen.update(piece)
                pieces.append(tuple(sorted(piece)))
        return tuple(pieces)

    def along(self, line: DataValue) -> DataValue:
        """Return the cells of a path or a loop in order, for pairs of cells with whether a line
        joins them.
        """
        neighbours = _neighbours(pair for pair, drawn in self._members(line).items() if drawn)
        if not neighbours:
            return ()
        start = min(neighbours, key=lambda cell: (len(neighbours[cell]), cell))  # an end, if any
        path = {start: None}
        further = neighbours[start]
        while further:
            path[further[0]] = None
            further = [cell for cell in neighbours[further[0]] if cell not in path]
        return tuple(path)

    def chopped(self, xs: DataValue, least: int, most: int) -> DataValue:
        """Return pieces of a row, one after the other, each with so many items."""
        items = self._items(xs)
        low = self._positive(least, "a length")
        high = self._positive(most, "a length")
        return self._drawn(
            ("chopped", items, low, high), lambda random: _chopped(random, items, low, high)
        )

    def label(self, number: int) -> str:
        """Return a letter for a number from 0; from 52, two of them."""
        return letters_of(self.interpreter.whole_number(number, "a number") % MOST_LABELS)

    def text(self, *parts: DataValue) -> str:
        """Return numbers and texts, or rows of them, as one text."""
        values = self.interpreter.require_fixed(parts, "a text")
        texts = [self.text(*row) if isinstance(row, tuple) else str(row) for row in values]
        return "".join(texts)

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

    def _positive(self, number: DataValue, subject: str) -> int:
        positive = self.interpreter.whole_number(number, subject)
        if positive < 1:
            raise ExpressionError(f"expected {subject} from 1, got {positive}")
        return positive


def _scattered(
    random: Random, cells: tuple[Cell, ...], share: int, symmetry: str, apart: bool
) -> tuple[Cell, ...]:
    most = len(cells) * share // 100
    height = max(cell.row for cell in cells)
    width = max(cell.column for cell in cells)
    available = set(cells)
    scattered: set[Cell] = set()
    for cell in random.sample(cells, len(cells)):
        if len(scattered) >= most:
            break
        orbit = available & images(cell, height, width, symmetry)
        neighbours = {neighbour for member in orbit for neighbour in side_neighbours(member)}
        if not apart or neighbours.isdisjoint(scattered | orbit):
            scattered |= orbit
    return tuple(sorted(scattered))


def _grown(
    random: Random, cells: Iterable[Cell], seeds: tuple[tuple[Cell, ...], ...]
) -> dict[Cell, str]:
    board = set(cells)
    labels: dict[Cell, str] = {}
    for number, seed in enumerate(seeds):
        for cell in seed:
            labels.setdefault(cell, letters_of(number))
    for number, seed in enumerate(seeds):
        label = letters_of(number)
        for cell in seed[1:]:
            labels |= dict.fromkeys(_joining(random, board, labels, cell, label), label)
    edge = sorted(labels)
    while edge:
        position = random.randrange(len(edge))
        cell = edge[position]
        free = [
            neighbour
            for neighbour in side_neighbours(cell)
            if neighbour in board and neighbour not in labels
        ]
        if free:
            chosen = random.choice(free)
            labels[chosen] = labels[cell]
            edge.append(chosen)
        else:
            edge[position] = edge[-1]
            edge.pop()
    return labels


def _joining(
    random: Random, board: set[Cell], labels: Mapping[Cell, str], start: Cell, label: str
) -> list[Cell]:
    """Return the free cells between a cell of a seed and the next one of it; none if no path is
    free.
    """
    previous: dict[Cell, Cell | None] = {start: None}
    queue = [start]
    for cell in queue:  # grows in the loop
        if cell != start and labels.get(cell) == label:
            return _cells_before(cell, previous)
        neighbours = [
            neighbour
            for neighbour in side_neighbours(cell)
            if neighbour in board
            and neighbour not in previous
            and labels.get(neighbour, label) == label
        ]
        for neighbour in random.sample(neighbours, len(neighbours)):
            previous[neighbour] = cell
            queue.append(neighbour)
    return []


def _cells_before(cell: Cell, previous: Mapping[Cell, Cell | None]) -> list[Cell]:
    cells = []
    before = previous[cell]
    while before is not None:
        cells.append(before)
        before = previous[before]
    return cells


def _clusters(random: Random, cells: tuple[Cell, ...], size: int) -> tuple[tuple[Cell, ...], ...]:
    remaining = random.sample(cells, len(cells))
    clusters = []
    while remaining:
        first = remaining.pop()
        row, column = first
        remaining.sort(key=lambda cell: -abs(cell.row - row) - abs(cell.column - column))
        count = min(size - 1, len(remaining))
        nearest_cells = [remaining.pop() for _ in range(count)]
        clusters.append((first, *nearest_cells))
    return tuple(clusters)


def _chopped(
    random: Random, items: tuple[DataValue, ...], least: int, most: int
) -> tuple[tuple[DataValue, ...], ...]:
    pieces = []
    start = 0
    while start < len(items):
        remaining = len(items) - start
        sizes = range(least, most + 1)
        fitting = [size for size in sizes if size == remaining or remaining - size >= least]
        size = random.choice(fitting or [remaining])
        pieces.append(items[start : start + size])
        start += size
    return tuple(pieces)


DRAWING = Library("drawing", functions=(RandomFunctions,))
