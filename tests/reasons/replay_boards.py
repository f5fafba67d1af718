"""The rules of sudoku, star battle and kakuro in plain Python, and candidates on such boards.

Nothing of `puzzlekit.reasons` is used: `replay` judges its explanations by this.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

Cell = tuple[int, int]
Literal = tuple[Cell, str]  # a cell has this value; the value of a star is "true"

STAR = "true"
BRANCHES = 3_000  # of a proof by trial, beyond which it is given up


class GivenUp(Exception):
    """A proof has too many branches."""


class Contradiction(Exception):
    """A group or a run cannot be completed."""


@dataclass(frozen=True)
class Group:
    """Between `low` and `high` of these literals are true."""

    name: str
    direction: str  # cell, row, column, box, region, corner or run
    value: str  # empty for the values of a cell, "true" for stars
    low: int
    high: int
    literals: tuple[Literal, ...]


@dataclass(frozen=True)
class Run:
    """Cells with different digits that add up to a total."""

    name: str
    rule: str
    total: int
    cells: tuple[Cell, ...]


class Board:
    """The groups and the runs of a puzzle, and the literals that are given."""

    def __init__(
        self, groups: Sequence[Group], runs: Sequence[Run] = (), givens: Iterable[Literal] = ()
    ) -> None:
        self.groups = groups
        self.runs = runs
        self.givens = tuple(givens)
        self.by_name = {(group.name, group.value): group for group in groups}
        self.groups_of: dict[Literal, list[Group]] = {}
        for group in groups:
            for literal in group.literals:
                self.groups_of.setdefault(literal, []).append(group)
        self.values: dict[Cell, list[str]] = {}
        for cell, value in self.groups_of:
            self.values.setdefault(cell, []).append(value)


class Candidates:
    """The literals that are true and those that are struck."""

    def __init__(self, board: Board, literals: Iterable[Literal] = ()) -> None:
        self.board = board
        self.true: set[Literal] = set()
        self.struck: set[Literal] = set()
        for literal in literals:
            self.place(literal)

    def copy(self) -> Candidates:
        """Return candidates that change by themselves."""
        twin = Candidates(self.board)
        twin.true, twin.struck = set(self.true), set(self.struck)
        return twin

    def is_open(self, literal: Literal) -> bool:
        return literal not in self.true and literal not in self.struck

    def open(self, group: Group) -> set[Literal]:
        """Return the literals of a group that are open."""
        return set(group.literals) - self.true - self.struck

    def needed(self, group: Group) -> int:
        return group.low - len(self.true.intersection(group.literals))

    def allowed(self, group: Group) -> int:
        return group.high - len(self.true.intersection(group.literals))

    def digits(self, cell: Cell) -> list[int]:
        """Return the digits that a cell may have."""
        return [int(each) for each in self.board.values[cell] if (cell, each) not in self.struck]

    def value(self, cell: Cell) -> str | None:
        """Return the value that was placed in a cell."""
        return next((each for each in self.board.values[cell] if (cell, each) in self.true), None)

    def knows(self, literal: Literal, is_true: bool) -> bool:
        return literal in (self.true if is_true else self.struck)

    def place(self, literal: Literal) -> None:
        """Place a literal, and strike what it excludes in groups with a single place."""
        self.true.add(literal)
        for group in self.board.groups_of[literal]:
            if group.high == 1:
                self.struck.update(each for each in group.literals if each != literal)

    def learn(self, literal: Literal, is_true: bool) -> None:
        if is_true:
            self.place(literal)
        else:
            self.struck.add(literal)

    def is_violated(self, group: Group) -> bool:
        return self.allowed(group) < 0 or self.needed(group) > len(self.open(group))

    def forced(self, group: Group) -> list[tuple[Literal, bool]]:
        """Return what a group says about its open literals."""
        literals = sorted(self.open(group))
        if literals and self.needed(group) == len(literals):
            return [(literal, True) for literal in literals]
        if self.allowed(group) == 0:
            return [(literal, False) for literal in literals]
        return []

    def unsupported(self, run: Run) -> set[Literal]:
        """Return the open literals of a run that no combination has."""
        fillings = list(self.fillings(run))
        used = {(cell, str(digit)) for filling in fillings for cell, digit in filling.items()}
        literals = {(cell, value) for cell in run.cells for value in self.board.values[cell]}
        return {literal for literal in literals - used if literal not in self.struck}

    def unsupported_by_sum(self, run: Run) -> set[Literal]:
        """Return the open literals of a run that no combination has, though its digits may differ
        with them.
        """
        return {each for each in self.unsupported(run) if self.may_differ(run, *each)}

    def may_differ(self, run: Run, cell: Cell, value: str) -> bool:
        """Return whether the cells of a run can have different digits if one is this: a matching
        of cells and digits, by augmenting paths.
        """
        cell_of_digit = {int(value): cell}

        def assign(other: Cell, tried: set[int]) -> bool:
            for digit in self.digits(other):
                if digit in tried or cell_of_digit.get(digit) == cell:
                    continue
                tried.add(digit)
                if digit not in cell_of_digit or assign(cell_of_digit[digit], tried):
                    cell_of_digit[digit] = other
                    return True
            return False

        return all(assign(other, set()) for other in run.cells if other != cell)

    def fillings(self, run: Run) -> Iterator[dict[Cell, int]]:
        """Yield the digits that a run may have."""

        def extend(filling: dict[Cell, int], rest: int) -> Iterator[dict[Cell, int]]:
            remaining = run.cells[len(filling) :]
            if not remaining:
                if rest == 0:
                    yield dict(filling)
                return
            for digit in self.digits(remaining[0]):
                if digit <= rest and digit not in filling.values():
                    yield from extend({**filling, remaining[0]: digit}, rest - digit)

        yield from extend({}, run.total)


class Proof:
    """A proof by propagation and trial that uses these groups and runs only."""

    def __init__(self, groups: Sequence[Group], runs: Sequence[Run]) -> None:
        self.groups = groups
        self.runs = runs
        self.branches = 0

    def refutes(self, candidates: Candidates) -> bool:
        """Return whether candidates have no completion. Raises GivenUp."""
        return self.completion(candidates) is None

    def completion(self, candidates: Candidates) -> Candidates | None:
        """Return a completion of candidates, or None."""
        self.branches += 1
        if self.branches > BRANCHES:
            raise GivenUp
        candidates = candidates.copy()
        try:
            self.propagate(candidates)
        except Contradiction:
            return None
        literal = self._branching(candidates)
        if literal is None:
            return candidates
        for is_true in (True, False):
            branch = candidates.copy()
            branch.true.add(literal) if is_true else branch.struck.add(literal)
            completion = self.completion(branch)
            if completion is not None:
                return completion
        return None

    def propagate(self, candidates: Candidates) -> None:
        """Add what groups and runs say. Raises Contradiction."""
        size = -1
        while size != len(candidates.true) + len(candidates.struck):
            size = len(candidates.true) + len(candidates.struck)
            for group in self.groups:
                if candidates.is_violated(group):
                    raise Contradiction
                for literal, is_true in candidates.forced(group):
                    (candidates.true if is_true else candidates.struck).add(literal)
            for run in self.runs:
                candidates.struck |= candidates.unsupported(run)
            if candidates.true & candidates.struck:
                raise Contradiction

    def _branching(self, candidates: Candidates) -> Literal | None:
        """Return an open literal of the group that has the fewest and needs some."""
        needing = [group for group in self.groups if candidates.needed(group) > 0]
        open_sets = [candidates.open(group) for group in needing]
        shortest = min((each for each in open_sets if each), key=len, default=set[Literal]())
        return min(shortest, default=None)


# Boards -------------------------------------------------------------------------------------------


def board_of(type_name: str, spec: Mapping[str, Any]) -> Board:
    """Return the board of a spec of one of the three types."""
    if type_name == "sudoku":
        return _sudoku(spec)
    if type_name == "star_battle":
        return _star_battle(spec)
    assert type_name == "kakuro", f"the rules of {type_name} are not written here"
    return _kakuro(spec)


def grid(text: str | Sequence[Sequence[Any]]) -> list[list[str]]:
    """Return the words of a board; without spaces each letter is one."""
    if not isinstance(text, str):
        return [[str(word) for word in row] for row in text]
    rows = [line.split() for line in text.strip().splitlines()]
    return [list(row[0]) if len(row) == 1 else row for row in rows]


def name_of(cell: Cell) -> str:
    return f"r{cell[0]}c{cell[1]}"


def cell_of(name: str) -> Cell:
    row, _, column = name.removeprefix("r").partition("c")
    return int(row), int(column)


def _sudoku(spec: Mapping[str, Any]) -> Board:
    givens = grid(spec["givens"])
    size = len(givens)
    height, width = map(int, spec.get("box", "3x3").split("x"))
    numbers = range(1, size + 1)
    values = [str(number) for number in numbers]
    cells = list(product(numbers, numbers))
    areas: list[tuple[str, str, list[Cell]]] = []
    for number in numbers:
        areas.append((f"row {number}", "row", [(number, column) for column in numbers]))
        areas.append((f"column {number}", "column", [(row, number) for row in numbers]))
    corners = product(range(1, size, height), range(1, size, width))
    for number, (row, column) in enumerate(corners, 1):
        box = list(product(range(row, row + height), range(column, column + width)))
        areas.append((f"box {number}", "box", box))
    groups = [_cell_group(cell, values) for cell in cells]
    for (name, direction, area), value in product(areas, values):
        literals = tuple((cell, value) for cell in area)
        groups.append(Group(name, direction, value, 1, 1, literals))
    words = [((r, c), word) for r, row in enumerate(givens, 1) for c, word in enumerate(row, 1)]
    return Board(groups, givens=[(cell, word) for cell, word in words if word in values])


def _cell_group(cell: Cell, values: Sequence[str]) -> Group:
    return Group(name_of(cell), "cell", "", 1, 1, tuple((cell, value) for value in values))


def _star_battle(spec: Mapping[str, Any]) -> Board:
    regions, stars = grid(spec["regions"]), int(spec.get("stars", 1))
    size = len(regions)
    numbers = range(1, size + 1)
    cells = [cell for cell in product(numbers, numbers) if _at(regions, cell) != "."]
    areas: dict[tuple[str, str], list[Literal]] = {}
    first_cells: dict[str, Cell] = {}  # by region
    for row, column in cells:
        first = first_cells.setdefault(regions[row - 1][column - 1], (row, column))
        for key in (
            (f"row {row}", "row"),
            (f"column {column}", "column"),
            (f"the region of {name_of(first)}", "region"),
        ):
            areas.setdefault(key, []).append(((row, column), STAR))
    groups = [
        Group(name, direction, "true", stars, stars, tuple(literals))
        for (name, direction), literals in areas.items()
    ]
    for row, column in product(range(size + 1), range(size + 1)):
        corner = product((row, row + 1), (column, column + 1))
        literals = tuple((cell, STAR) for cell in corner if cell in cells)
        name = _corner_name((row, column), cells)
        groups.append(Group(name, "corner", "true", 0, 1, literals))
    return Board(groups)


def _corner_name(cell: Cell, cells: Collection[Cell]) -> str:
    """Return the name of the lower right corner of a cell, from the last of the cells there; empty
    if there are none.
    """
    row, column = cell
    around = {
        (row + 1, column + 1): "upper left",
        (row + 1, column): "upper right",
        (row, column + 1): "lower left",
        (row, column): "lower right",
    }
    for (last_row, last_column), name in around.items():
        if (last_row, last_column) in cells:
            return f"the {name} corner of r{last_row}c{last_column}"
    return ""


def _at(rows: Sequence[Sequence[str]], cell: Cell) -> str:
    row, column = cell
    is_inside = 0 < row <= len(rows) and 0 < column <= len(rows[0])
    return rows[row - 1][column - 1] if is_inside else ""


def _kakuro(spec: Mapping[str, Any]) -> Board:
    board = grid(spec["board"])
    size = range(1, len(board) + 1), range(1, len(board[0]) + 1)
    digits = [str(digit) for digit in range(1, 10)]
    groups = [_cell_group(cell, digits) for cell in product(*size) if _at(board, cell) == "."]
    runs: list[Run] = []
    for row, column in product(*size):
        word = _at(board, (row, column))
        for direction, step in {"across": (0, 1), "down": (1, 0)}.items():
            first = (row + step[0], column + step[1])
            if word == "." or _at(board, first) != ".":
                continue
            cells = _white(board, first, step)
            below, _, right = word.partition("\\")
            total = right if direction == "across" else below
            of_total = f"of {total} " if total else ""
            name = f"the run {of_total}{direction} at {name_of((row, column))}"
            groups += [
                Group(name, "run", digit, 0, 1, tuple((cell, digit) for cell in cells))
                for digit in digits
            ]
            if total:
                rule = f"a run {direction} adds up to its sum"
                runs.append(Run(name, rule, int(total), tuple(cells)))
    return Board(groups, runs)


def _white(board: Sequence[Sequence[str]], first: Cell, step: tuple[int, int]) -> list[Cell]:
    cells = []
    row, column = first
    while _at(board, (row, column)) == ".":
        cells.append((row, column))
        row, column = row + step[0], column + step[1]
    return cells
