"""Random divisions of a board into regions, as a label for each cell."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from random import Random
from string import ascii_letters
from typing import NamedTuple

from puzzlekit.boards import Cell

MOST_LABELS = len(ascii_letters) * (len(ascii_letters) + 1)
ROUNDS = 40  # for each region, in which it may be divided anew with a neighbour
FEW = 5  # rectangles of which one may be one cell wide
REPAIRS = 12  # of rectangles that are one cell wide
SIDES = ((-1, 0), (0, 1), (1, 0), (0, -1))


def letters_of(number: int) -> str:
    """Return a letter for a number from 0, or two."""
    high, low = divmod(number, len(ascii_letters))
    if not high:
        return ascii_letters[low]
    return ascii_letters[high - 1] + ascii_letters[low]


def side_neighbours(cell: Cell) -> Iterable[Cell]:
    """Return the cells that share a side with a cell, on the board or not."""
    return (Cell(cell.row + down, cell.column + right) for down, right in SIDES)


def cut(random: Random, cells: Sequence[Cell], most: int) -> dict[Cell, str]:
    """Return rectangles that are placed around cells in random order, so that they lean nowhere.

    What is one cell wide is then cut anew together with its neighbours, until few such rectangles
    are left. Not until there is none, since small boards have few divisions without any.
    """
    rectangles = _filled(random, cells, most)
    for _ in range(REPAIRS):
        thin = [rectangle for rectangle in rectangles if rectangle.is_thin]
        if len(thin) * FEW <= len(rectangles):
            break
        around = random.choice(thin).touching(rectangles)
        freed: list[Cell] = []
        for rectangle in around:
            freed += rectangle.cells
        refilled = _filled(random, freed, most)
        if _count_thin(refilled) <= _count_thin(around):
            rectangles = [each for each in rectangles if each not in around]
            rectangles += refilled
    labels: dict[Cell, str] = {}
    for number, rectangle in enumerate(sorted(rectangles)):
        labels |= dict.fromkeys(rectangle.cells, letters_of(number))
    return labels


def _count_thin(rectangles: Iterable[_Rectangle]) -> int:
    return sum(rectangle.is_thin for rectangle in rectangles)


def _filled(random: Random, cells: Iterable[Cell], most: int) -> list[_Rectangle]:
    """Return random rectangles that fill some cells."""
    remaining = set(cells)
    rectangles: list[_Rectangle] = []

    def free_sides(cell: Cell) -> int:
        return sum(neighbour in remaining for neighbour in side_neighbours(cell))

    while remaining:
        mixed = random.sample(sorted(remaining), len(remaining))
        fitting = _rectangles_around(min(mixed, key=free_sides), remaining, most)
        rectangle = max(fitting, key=lambda each: each.weighted_chance(random))
        remaining.difference_update(rectangle.cells)
        rectangles.append(rectangle)
    return _joined(random, rectangles, most)


class _Rectangle(NamedTuple):
    row: int
    column: int
    height: int
    width: int

    @property
    def cells(self) -> list[Cell]:
        rows = range(self.row, self.row + self.height)
        columns = range(self.column, self.column + self.width)
        return [Cell(row, column) for row in rows for column in columns]

    @property
    def is_thin(self) -> bool:
        """Whether it is one cell wide or high."""
        return min(self.height, self.width) == 1

    def touching(self, rectangles: Iterable[_Rectangle]) -> list[_Rectangle]:
        """Return it and those of several rectangles that share a side with it."""
        reached = {neighbour for cell in self.cells for neighbour in side_neighbours(cell)}
        return [each for each in rectangles if each == self or not reached.isdisjoint(each.cells)]

    def weighted_chance(self, random: Random) -> float:
        """Return a random number, which is larger for large rectangles and for squares."""
        weight = (self.height * self.width * min(self.height, self.width)) ** 2
        return float(random.random() ** (1 / weight))

    def joined(self, neighbour: _Rectangle) -> _Rectangle | None:
        """Return the rectangle that consists of two; None if they make up none."""
        is_below = self.row + self.height == neighbour.row
        is_beside = self.column + self.width == neighbour.column
        if is_below and self.column == neighbour.column and self.width == neighbour.width:
            return self._replace(height=self.height + neighbour.height)
        if is_beside and self.row == neighbour.row and self.height == neighbour.height:
            return self._replace(width=self.width + neighbour.width)
        return None


def _rectangles_around(cell: Cell, free: Collection[Cell], most: int) -> list[_Rectangle]:
    """Return the rectangles of free cells that have a cell and at most so many cells."""
    row, column = cell
    rectangles = []
    for height in range(1, most + 1):
        for width in range(1, most // height + 1):
            for first_row in range(row - height + 1, row + 1):
                for first_column in range(column - width + 1, column + 1):
                    rectangle = _Rectangle(first_row, first_column, height, width)
                    if all(member in free for member in rectangle.cells):
                        rectangles.append(rectangle)
    return rectangles


def _joined(random: Random, rectangles: list[_Rectangle], most: int) -> list[_Rectangle]:
    """Join small rectangles with their neighbours, where that gives a rectangle of at most so many
    cells.
    """
    joined = set(rectangles)
    for rectangle in sorted(rectangles, key=lambda each: each.height * each.width):
        if rectangle not in joined or min(rectangle.height, rectangle.width) > 1:
            continue
        unions: list[tuple[_Rectangle, _Rectangle]] = []
        for neighbour in sorted(joined):
            union = rectangle.joined(neighbour) or neighbour.joined(rectangle)
            if union is not None and union.height * union.width <= most:
                unions.append((neighbour, union))
        if unions:
            neighbour, union = random.choice(unions)
            joined -= {rectangle, neighbour}
            joined.add(union)
    return sorted(joined)


def divided(random: Random, cells: Sequence[Cell], size: int) -> dict[Cell, str]:
    """Return a random division of a rectangle into connected regions of one size.

    The rows give a first division. Then two neighbouring regions are joined, and divided again
    where a random spanning tree can be cut into halves (ReCom: DeFord, Duchin and Solomon,
    *Recombination: A Family of Markov Chains for Redistricting*, 2021).
    """
    path = _serpentine(cells)
    regions = [path[start : start + size] for start in range(0, len(path), size)]
    owners = {cell: number for number, region in enumerate(regions) for cell in region}
    for _ in range(ROUNDS * len(regions)):
        number = random.randrange(len(regions))
        cell = random.choice(regions[number])
        neighbour = random.choice(list(side_neighbours(cell)))
        other_number = owners.get(neighbour, number)
        if other_number == number or len(regions[number]) != len(regions[other_number]):
            continue
        halves = _halves(random, regions[number] + regions[other_number])
        if halves is not None:
            for owner, half in zip((number, other_number), halves, strict=True):
                regions[owner] = half
                owners.update(dict.fromkeys(half, owner))
    ordered = sorted(map(sorted, regions))
    return {cell: letters_of(number) for number, region in enumerate(ordered) for cell in region}


def paths(
    random: Random, cells: Collection[Cell], least: int, most: int
) -> tuple[tuple[Cell, ...], ...]:
    """Return random paths that share no cell, each of `least` to `most` cells. Each begins where
    the fewest neighbours are free, so that few cells stay without a path.
    """
    free = set(cells)
    drawn: list[tuple[Cell, ...]] = []

    def free_neighbours(cell: Cell) -> list[Cell]:
        return [neighbour for neighbour in side_neighbours(cell) if neighbour in free]

    starts = random.sample(sorted(free), len(free))
    while starts:
        start = min(starts, key=lambda cell: len(free_neighbours(cell)))
        starts.remove(start)
        path = [start]
        free.discard(start)
        length = random.randint(least, most)
        while len(path) < length:
            neighbours = free_neighbours(path[-1])
            if not neighbours:
                break
            cell = random.choice(neighbours)
            path.append(cell)
            free.discard(cell)
        if len(path) < least:
            free.update(path[1:])
            continue
        starts = [cell for cell in starts if cell in free]
        if random.random() < 0.5:
            path.reverse()
        drawn.append(tuple(path))
    return tuple(drawn)


def _serpentine(cells: Iterable[Cell]) -> list[Cell]:
    """Return the cells row by row, to the right and to the left in turn."""
    rows: dict[int, list[Cell]] = {}
    for cell in sorted(cells):
        rows.setdefault(cell.row, []).append(cell)
    path: list[Cell] = []
    for number, row in enumerate(rows.values()):
        path += reversed(row) if number % 2 else row
    return path


def _halves(random: Random, cells: Collection[Cell]) -> tuple[list[Cell], list[Cell]] | None:
    """Return two connected halves of connected cells; None if a random tree has none."""
    members = sorted(cells)
    parents: dict[Cell, Cell] = {}
    order = [random.choice(members)]
    edge = [(order[0], neighbour) for neighbour in side_neighbours(order[0])]
    unreached = {*members} - {order[0]}
    while edge:
        cell, neighbour = edge.pop(random.randrange(len(edge)))
        if neighbour in unreached:
            unreached.remove(neighbour)
            parents[neighbour] = cell
            order.append(neighbour)
            edge += [(neighbour, further) for further in side_neighbours(neighbour)]
    below: dict[Cell, list[Cell]] = {cell: [cell] for cell in order}
    for cell in reversed(order[1:]):
        half = below[cell]
        if 2 * len(half) == len(members):
            half_cells = {*half}
            return half, [member for member in members if member not in half_cells]
        below[parents[cell]] += half
    return None
