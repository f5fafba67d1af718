"""The pieces of a link: how many straight ones there are of each length, or the shape of each.

The code of a piece has its width and height, then its cells row by row, five in a character.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from puzzlekit.boards import Shape
from puzzlekit.errors import InputError
from puzzlekit.lang import ReadContext
from puzzlekit.links.layers import LayerValueError, NumberLayer
from puzzlekit.links.link_board import Board, label_of
from puzzlekit.links.tokens import DIGITS

MOST = 1000  # pieces
LONGEST = 35  # rows and columns of a piece


class PieceLayer(NumberLayer):
    """Pieces of a mapping. Without any, the field is empty."""

    def named_set(self, values: Sequence[str]) -> Mapping[str, str] | None:
        """Return the set of pieces that a letter stands for; None if each piece is there. Raises
        LayerValueError.
        """
        if len(values) != 1 or len(values[0]) != 1:
            return None
        letter = values[0]
        if letter not in self.layer.sets:
            raise LayerValueError(f"the set of pieces {letter} is not known to {self.type.name}")
        return self.layer.sets[letter]

    def codes(self, shapes: Sequence[Shape]) -> list[str]:
        """Return the codes of shapes. Raises InputError."""
        if len(shapes) > MOST:
            raise InputError(f"a link has at most {MOST:,} pieces")
        for shape in shapes:
            if max(map(max, shape)) >= LONGEST:
                raise InputError(f"a link has no pieces of {len(shape)} cells")
        return list(map(code_of, shapes))


class LengthLayer(PieceLayer):
    """Straight pieces: how many there are of each length. So has a named set."""

    def fill(self, values: Sequence[Any], board: Board) -> None:
        name = self.fields[0]
        named = self.named_set(values)
        if not values:
            board.values[name] = None
        elif named is not None:
            board.values[name] = _counts(named)
        else:
            shapes = [_straight(code, index) for index, code in enumerate(values)]
            counts = Counter(map(len, shapes))
            board.values[name] = dict(sorted(counts.items(), reverse=True))

    def take(self, board: Board) -> list[Any]:
        lengths: Mapping[int, int] = board.data[self.fields[0]]
        counts = {length: count for length, count in lengths.items() if count}
        for letter, named in self.layer.sets.items():
            if counts == _counts(named):
                return [letter]
        shapes = []
        for length in sorted(counts, reverse=True):
            columns = range(min(length, LONGEST + 1))
            straight = Shape((0, column) for column in columns)
            count = min(counts[length], MOST + 1)
            shapes += [straight] * count
        return self.codes(shapes)


def _counts(named: Mapping[str, str]) -> dict[int, int]:
    return {int(length): int(count) for length, count in named.items()}


class ShapeLayer(PieceLayer):
    """The shape of each piece, by its name. A named set has the code of each."""

    def fill(self, values: Sequence[Any], board: Board) -> None:
        (name,) = self.fields
        if not values:
            board.values[name] = None
            return
        named = self.named_set(values)
        shapes: dict[str, Shape] = {}
        if named is not None:
            for piece, code in named.items():
                shapes[piece] = shape_of(code, 0)
        else:
            for index, code in enumerate(values):
                shapes[label_of(index)] = shape_of(code, index)
        if not _same_pieces(shapes.values(), self._default_shapes(name)):
            board.values[name] = {piece: _drawn(shape) for piece, shape in shapes.items()}

    def _default_shapes(self, name: str) -> Iterable[Shape]:
        field = self.type.fields[name]
        if field.default is None:
            return ()
        reading = ReadContext(self.type.source)
        shapes: Mapping[str, Shape] = field.type.read(field.default, reading)
        return shapes.values()

    def take(self, board: Board) -> list[Any]:
        shapes = list(board.data[self.fields[0]].values())
        for letter, named in self.layer.sets.items():
            named_shapes = [shape_of(code, 0) for code in named.values()]
            if _same_pieces(named_shapes, shapes):
                return [letter]
        return self.codes(shapes)


def _drawn(shape: Shape) -> str:
    """Return a shape as a spec draws it."""
    return str(shape).replace("/", "\n")


def shape_of(code: str, index: int) -> Shape:
    """Return the shape of a code. Raises LayerValueError, with the index of the piece."""
    wrong = LayerValueError(f"{code[:40]} is not a piece", index)
    numbers = [DIGITS.find(letter) for letter in code]
    if len(numbers) < 3 or min(numbers) < 0:
        raise wrong
    width, height, *groups = numbers
    if width == 0 or height == 0 or max(groups) >= 32:
        raise wrong
    bits = "".join(f"{group:05b}" for group in groups)
    cells = [index for index, bit in enumerate(bits) if bit == "1"]
    if not cells or cells[-1] >= width * height:
        raise wrong
    return Shape(divmod(cell, width) for cell in cells)


def code_of(shape: Shape) -> str:
    """Return the code of a shape.

    Examples:
        >>> code_of(Shape([(0, 0), (0, 1), (1, 0)]))
        '22s'
    """
    rows = str(shape).split("/")
    cells = "".join(rows)
    bits = cells.replace("#", "1").replace(".", "0")
    digits = ""
    for start in range(0, len(bits), 5):
        group = bits[start : start + 5].ljust(5, "0")
        digits += DIGITS[int(group, 2)]
    width = DIGITS[len(rows[0])]
    height = DIGITS[len(rows)]
    return width + height + digits.rstrip("0")


def _straight(code: str, index: int) -> Shape:
    """Return the shape of a straight piece. Raises LayerValueError."""
    shape = shape_of(code, index)
    end = len(shape) - 1
    if max(shape) not in ((0, end), (end, 0)):
        raise LayerValueError(f"{code[:40]} is not a straight piece", index)
    return shape


def _same_pieces(first: Iterable[Shape], second: Iterable[Shape]) -> bool:
    """Return whether two sets of pieces are the same, each turned and turned over at will."""
    return _normal_forms(first) == _normal_forms(second)


def _normal_forms(shapes: Iterable[Shape]) -> Counter[Shape]:
    return Counter(min(shape.turns()) for shape in shapes)
