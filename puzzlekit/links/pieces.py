"""The pieces of a link: how many straight ones there are of each length, or the shape of each.

The code of a piece has its width and height, then its cells row by row, five in a character.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from puzzlekit.boards import Shape
from puzzlekit.errors import InputError
from puzzlekit.lang.data.scalars import ReadContext
from puzzlekit.links.layers import Number, WrongPart
from puzzlekit.links.link_board import Board, label_of
from puzzlekit.links.tokens import DIGITS

MOST = 1000  # pieces
LONGEST = 35  # rows and columns of a piece


class Pieces(Number):
    """Pieces of a mapping. Without any, the field is empty."""

    def known(self, values: Sequence[str]) -> Mapping[str, str] | None:
        """Return the known set of pieces that a letter stands for; None if each piece is there.
        Raises WrongPart.
        """
        if len(values) != 1 or len(values[0]) != 1:
            return None
        if values[0] not in self.layer.sets:
            raise WrongPart(f"the set of pieces {values[0]} is not known to {self.kind.name}")
        return self.layer.sets[values[0]]

    def codes(self, shapes: Sequence[Shape]) -> list[str]:
        """Return the codes of shapes. Raises InputError."""
        if len(shapes) > MOST:
            raise InputError(f"a link has at most {MOST:,} pieces")
        if wrong := next((shape for shape in shapes if max(map(max, shape)) >= LONGEST), None):
            raise InputError(f"a link has no pieces of {len(wrong)} cells")
        return list(map(code_of, shapes))


class Lengths(Pieces):
    """Straight pieces: how many there are of each length. So has a known set."""

    def fill(self, values: Sequence[Any], board: Board) -> None:
        known = self.known(values)
        if not values:
            found = None
        elif known is not None:
            found = {int(length): int(many) for length, many in known.items()}
        else:
            counted = Counter(len(_straight(code, at)) for at, code in enumerate(values))
            found = dict(sorted(counted.items(), reverse=True))
        board.values[self.fields[0]] = found

    def take(self, board: Board) -> list[Any]:
        counts = {length: count for length, count in board.data[self.fields[0]].items() if count}
        for letter, known in self.layer.sets.items():
            if counts == {int(length): int(count) for length, count in known.items()}:
                return [letter]
        shapes = []
        for length in sorted(counts, reverse=True):
            straight = Shape((0, column) for column in range(min(length, LONGEST + 1)))
            shapes += [straight] * min(counts[length], MOST + 1)
        return self.codes(shapes)


class Shapes(Pieces):
    """The shape of each piece, by its name. A known set has the code of each."""

    def fill(self, values: Sequence[Any], board: Board) -> None:
        (name,) = self.fields
        if not values:
            board.values[name] = None
            return
        known = self.known(values)
        if known is not None:
            found = {piece: shape_of(code, 0) for piece, code in known.items()}
        else:
            found = {label_of(number): shape_of(code, number) for number, code in enumerate(values)}
        field = self.kind.fields[name]
        usual = (
            {}
            if field.default is None
            else field.type.read(field.default, ReadContext(self.kind.source))
        )
        if _alike(found.values(), usual.values()):
            return
        board.values[name] = {
            piece: str(shape).replace("/", "\n") for piece, shape in found.items()
        }

    def take(self, board: Board) -> list[Any]:
        shapes = list(board.data[self.fields[0]].values())
        for letter, known in self.layer.sets.items():
            if _alike((shape_of(code, 0) for code in known.values()), shapes):
                return [letter]
        return self.codes(shapes)


def shape_of(code: str, at: int) -> Shape:
    """Return the shape of a code. Raises WrongPart, with the number of the piece."""
    numbers = [DIGITS.find(letter) for letter in code]
    if len(numbers) < 3 or min(numbers) < 0 or 0 in numbers[:2] or max(numbers[2:]) >= 32:
        raise WrongPart(f"{code[:40]} is not a piece", at)
    wide, high, *groups = numbers
    cells = [
        place for place, bit in enumerate("".join(f"{group:05b}" for group in groups)) if bit == "1"
    ]
    if not cells or cells[-1] >= wide * high:
        raise WrongPart(f"{code[:40]} is not a piece", at)
    return Shape(divmod(place, wide) for place in cells)


def code_of(shape: Shape) -> str:
    """Return the code of a shape.

    Examples:
        >>> code_of(Shape([(0, 0), (0, 1), (1, 0)]))
        '22s'
    """
    rows = str(shape).split("/")
    bits = "".join("1" if cell == "#" else "0" for row in rows for cell in row)
    groups = (bits[start : start + 5].ljust(5, "0") for start in range(0, len(bits), 5))
    return (
        DIGITS[len(rows[0])]
        + DIGITS[len(rows)]
        + "".join(DIGITS[int(group, 2)] for group in groups).rstrip("0")
    )


def _straight(code: str, at: int) -> Shape:
    """Return the shape of a straight piece. Raises WrongPart."""
    shape = shape_of(code, at)
    if max(shape) not in ((0, len(shape) - 1), (len(shape) - 1, 0)):
        raise WrongPart(f"{code[:40]} is not a straight piece", at)
    return shape


def _alike(one: Iterable[Shape], other: Iterable[Shape]) -> bool:
    """Return whether two sets of pieces are the same, each turned and turned over at will."""
    first, second = (Counter(min(shape.turns()) for shape in shapes) for shapes in (one, other))
    return first == second
