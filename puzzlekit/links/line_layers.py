"""Layers whose values belong to lines of a board, or to the whole puzzle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from puzzlekit.errors import InputError
from puzzlekit.links.places import Board, Filling, Given, Places, WrongPart, written


class Sides(Places):
    """Values at the lines: of columns and rows, or at the top, bottom, left and right."""

    def size(self, data: Mapping[str, Any]) -> tuple[int, int] | None:
        return len(data[self.fields[0]]), len(data[self.fields[-1]])

    def lengths(self, board: Board) -> list[int]:
        """Return the number of values of each field."""
        several = len(self.fields) // 2
        return [*[board.width] * several, *[board.height] * several]

    def count(self, board: Board) -> int:
        return sum(self.lengths(board))

    def fill(self, values: Sequence[Any], puzzle: Filling) -> None:
        at = 0
        for name, length in zip(self.fields, self.lengths(puzzle)):
            part = [*values[at : at + length], *[None] * (at + length - max(len(values), at))][:length]
            puzzle.values[name] = [self.ours(name, value, at + place) for place, value in enumerate(part)]
            at += length

    def take(self, puzzle: Given) -> list[Any]:
        found: list[Any] = []
        for name, length in zip(self.fields, self.lengths(puzzle)):
            values = puzzle.data[name]
            if values is not None and len(values) != length:
                raise InputError(f"{name} has {len(values)} values for a board of {puzzle.width}×{puzzle.height} cells")
            found += [None] * length if values is None else [self.theirs(name, written(value)) for value in values]
        return found


class Pairs(Sides):
    """Two values at each line, the nearer to the board first: two fields of columns, then two of rows."""

    def fill(self, values: Sequence[Any], puzzle: Filling) -> None:
        values = [*values, *[None] * (self.count(puzzle) - len(values))]
        columns, rows = values[: 2 * puzzle.width], values[2 * puzzle.width :]
        super().fill([*columns[::2], *columns[1::2], *rows[::2], *rows[1::2]], puzzle)

    def take(self, puzzle: Given) -> list[Any]:
        values = super().take(puzzle)
        ends = [0, puzzle.width, 2 * puzzle.width, 2 * puzzle.width + puzzle.height, len(values)]
        near, far, left, right = (values[begin:end] for begin, end in pairwise(ends))
        return [value for one, other in ((near, far), (left, right)) for pair in zip(one, other) for value in pair]


class Runs(Places):
    """The runs of each column and row, the last of them first; a line without runs is 0 in a spec."""

    def size(self, data: Mapping[str, Any]) -> tuple[int, int] | None:
        return len(data[self.fields[0]]), len(data[self.fields[1]])

    def lines(self, board: Board) -> Iterator[tuple[str, int, int]]:
        """Yield for both fields how many lines there are, and how many runs each may have."""
        columns, rows = self.fields
        yield columns, board.width, -(-board.height // 2)
        yield rows, board.height, -(-board.width // 2)

    def count(self, board: Board) -> int:
        return sum(lines * most for _, lines, most in self.lines(board))

    def fill(self, values: Sequence[Any], puzzle: Filling) -> None:
        begin = 0
        for name, lines, most in self.lines(puzzle):
            found = []
            for at in range(begin, begin + lines * most, most):
                runs = [self.ours(name, value, place) for place, value in enumerate(values[at : at + most], at)]
                found.append([run for run in reversed(runs) if run is not None] or ["0"])
            puzzle.values[name] = found
            begin += lines * most

    def take(self, puzzle: Given) -> list[Any]:
        found: list[Any] = []
        for name, _, most in self.lines(puzzle):
            for runs in puzzle.data[name]:
                reverse = [run for run in reversed(runs) if run != 0]
                if len(reverse) > most:
                    raise InputError(f"a line of {name} has {len(reverse)} runs, and a link has room for {most}")
                found += [*reverse, *[None] * (most - len(reverse))]
        return found


class Number(Places):
    """A single number."""

    def count(self, board: Board) -> int:
        return 1

    def fill(self, values: Sequence[Any], puzzle: Filling) -> None:
        if not values:
            raise WrongPart(f"the number {self.fields[0]} is missing")
        self.ours(self.fields[0], values[0], 0)
        puzzle.values[self.fields[0]] = values[0]

    def take(self, puzzle: Given) -> list[Any]:
        return [puzzle.data[self.fields[0]]]


class Letters(Number):
    """The first so many letters."""

    def fill(self, values: Sequence[Any], puzzle: Filling) -> None:
        if not values or not 1 <= values[0] <= 26:
            raise WrongPart("a number of letters from 1 to 26 is expected")
        puzzle.values[self.fields[0]] = [chr(ord("a") + number) for number in range(values[0])]

    def take(self, puzzle: Given) -> list[Any]:
        letters = list(map(str, puzzle.data[self.fields[0]]))
        if letters != [chr(ord("a") + number) for number in range(len(letters))]:
            raise InputError(f"{self.fields[0]} must be the first letters of the alphabet, in order")
        return [len(letters)]


class Pieces(Number):
    """Straight pieces: how many there are of each length."""

    def fill(self, values: Sequence[Any], puzzle: Filling) -> None:
        (name,) = self.fields
        if len(values) == 1 and len(values[0]) == 1:
            if values[0] not in self.layer.sets:
                raise WrongPart(f"the set of pieces {values[0]} is not known to {self.kind.name}")
            puzzle.values[name] = dict(self.layer.sets[values[0]])
            return
        found: dict[int, int] = {}
        for at, piece in enumerate(values):
            length = next((n for n in range(1, 36) if piece in _straight(n)), None)
            if length is None:
                raise WrongPart(f"{piece} is not a straight piece", at)
            found[length] = found.get(length, 0) + 1
        puzzle.values[name] = dict(sorted(found.items(), reverse=True))

    def take(self, puzzle: Given) -> list[Any]:
        pieces = {length: many for length, many in puzzle.data[self.fields[0]].items() if many}
        for letter, known in self.layer.sets.items():
            if known == pieces:
                return [letter]
        if wrong := next((length for length in pieces if length > 35), None):
            raise InputError(f"a link has no pieces of {wrong} cells")
        if sum(pieces.values()) > 1000:
            raise InputError("a link has at most 1,000 pieces")
        return [_straight(length)[0] for length in sorted(pieces, reverse=True) for _ in range(pieces[length])]


def _straight(length: int) -> tuple[str, str]:
    """Return the two forms of a straight piece: across and down."""
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    full, rest = divmod(length, 5)
    cells = "v" * full + (digits[32 - 2 ** (5 - rest)] if rest else "")
    return f"{digits[length]}1{cells}", f"1{digits[length]}{cells}"
