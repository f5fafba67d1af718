"""Boards of values that a type shows in columns, such as symbols above their letters.

A column whose lower text depends on an unknown is a cell, in which the text is entered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from puzzlekit.errors import Problems
from puzzlekit.lang import Expression, Instance, Stacked
from puzzlekit.model import Value, Variable
from puzzlekit.scene import CellPos, Layer, Scene, Text, upper

WIDE = 14  # columns of a board, so that a finger hits a cell on a phone
ROWS = 2  # symbols and letters
Values = Mapping[Variable, Value]
Rows = Sequence[Sequence[str]]
Column = tuple[int, int]  # the number of a block of rows, and that of a column in it


class ColumnsPicture:
    """A board of values in columns.

    Attributes:
        names: The names of the unknowns that it shows.
        board: None: its cells are not those of a board of the type.
    """

    board = None

    def __init__(self, instance: Instance, expression: Expression) -> None:
        self.names = frozenset(expression.names & instance.families.keys())
        self._expression = expression
        domains = instance.model.domains
        first = {variable: domain[0] for variable, domain in domains.items()}
        last = {variable: domain[-1] for variable, domain in domains.items()}
        self._blocks = self._texts(instance, first)
        self._cells = _layout(self._blocks)
        last_blocks = self._texts(instance, last)
        self._entered = [
            column
            for column in self._cells
            if _lower(self._blocks, column) != _lower(last_blocks, column)
        ]

    def _texts(self, instance: Instance, values: Values) -> list[Rows]:
        """Return the blocks of rows for values of all unknowns."""
        output = instance.evaluate(self._expression, values)
        blocks = [output] if isinstance(output, Stacked) else output
        return list(map(_rows, blocks))

    def layer(self, number: int, instance: Instance, values: Values) -> Layer:
        """Return the texts that are entered, for values of all unknowns."""
        blocks = self._texts(instance, values)
        texts = {self._cells[column]: upper(_lower(blocks, column)) for column in self._entered}
        return Text(False, texts)

    def scene(self) -> Scene:
        """Return the board without what is entered."""
        symbols = {self._cells[column]: _upper(self._blocks, column) for column in self._entered}
        others = {
            cell: _lower(self._blocks, column)
            for column, cell in self._cells.items()
            if cell not in symbols
        }
        cells = tuple(sorted(self._cells.values()))
        return Scene(cells, (Text(True, symbols, corner=True), Text(True, others)))


def columns_pictures(instance: Instance) -> list[ColumnsPicture]:
    """Return the boards of values that a type shows in columns of two rows, with unknowns."""
    domains = instance.model.domains
    values = {variable: domain[0] for variable, domain in domains.items()}
    pictures = []
    for _, expression in instance.type.output_expressions:
        if expression.names.isdisjoint(instance.families):
            continue
        try:
            output = instance.evaluate(expression, values)
        except Problems:  # it cannot show any values, but those of a solution
            continue
        blocks = (
            output if isinstance(output, tuple) and not isinstance(output, Stacked) else (output,)
        )
        if blocks and all(isinstance(each, Stacked) and len(each) == ROWS for each in blocks):
            pictures.append(ColumnsPicture(instance, expression))
    return pictures


def _rows(block: Stacked) -> Rows:
    """Return rows; those of one text each, of the same length, as rows of characters."""
    is_single = all(len(row) == 1 for row in block)
    if is_single and len({len(text) for row in block for text in row}) == 1:
        return ["".join(row) for row in block]
    return block


def _upper(blocks: Sequence[Rows], column: Column) -> str:
    block, index = column
    return blocks[block][0][index]


def _lower(blocks: Sequence[Rows], column: Column) -> str:
    block, index = column
    return blocks[block][-1][index]


def _layout(blocks: Sequence[Rows]) -> dict[Column, CellPos]:
    """Return the cell of each column that is not blank: words are not broken if they fit."""
    cells: dict[Column, CellPos] = {}
    row = 0
    for number, block in enumerate(blocks):
        row += 1
        start = 1
        for word in _words(block):
            if start > 1 and start + len(word) > WIDE + 1:
                row, start = row + 1, 1
            for index in word:
                if start > WIDE:
                    row, start = row + 1, 1
                cells[number, index] = (row, start)
                start += 1
            start += 1
    return cells


def _words(block: Rows) -> Iterator[list[int]]:
    """Yield the numbers of the columns between blank ones."""
    word: list[int] = []
    for index, texts in enumerate(zip(*block)):
        if any(text.strip() for text in texts):
            word.append(index)
        elif word:
            yield word
            word = []
    if word:
        yield word
