"""Decode covers to values, on access only: backends list solutions by the thousand."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlekit.errors import BackendBug
from puzzlekit.model import Domain, Layered, Value, Values, Variable
from puzzlekit.presolve.vector_eval import Column, column_of

DECODED_NUMBERS = 8_192  # per array of a block, few enough that its memory is reused
Ints = NDArray[np.uint32]
# first option, variables, rows of codes, books
Block = tuple[int, tuple[Variable, ...], NDArray[Any], tuple[Domain, ...]]


@dataclass(frozen=True, eq=False)
class CoverDecoder:
    """The values that the options of a cover assign. The option after the last assigns none."""

    blocks: tuple[Block, ...]
    defaults: tuple[tuple[Variable, Value], ...]
    options: int

    def values(self, chosen: Sequence[int] | Ints) -> Chosen:
        """Return the solution of these options; a variable that none assigns takes its default."""
        return Chosen(self.common, self, chosen)

    @cached_property
    def common(self) -> Mapping[Variable, Value]:
        return dict(self.defaults)

    @cached_property
    def assignments(self) -> _Assignments:
        """The values that each option assigns."""
        return _Assignments(self)

    def columns(self, blocks: Sequence[Ints]) -> dict[Variable, Column]:
        """Decode many covers at once: return a column per variable with an option or a default.

        A block is an array with one cover per row. Raises BackendBug if a cover is contradictory.
        """
        found = np.repeat(self._default[:, None], sum(map(len, blocks)), axis=1)
        assigned = []
        for row, chosen in _pieces(blocks):
            for named, codes in self._layers:
                variable = named[chosen]
                if (variable < 0).any():
                    assigning = variable >= 0
                    chosen, row, variable = chosen[assigning], row[assigning], variable[assigning]
                found[variable, row] = codes[chosen]
                assigned += [] if self._assigned_once else [(variable, row, codes[chosen])]
        if any((found[variable, row] != codes).any() for variable, row, codes in assigned):
            raise BackendBug("two options of one cover give a variable different values")
        return {
            variable: column.view(bool) if values is None else values[column]
            for variable, values, column in zip(self._book, self._values, found)
        }

    @cached_property
    def _values(self) -> list[Column | None]:
        """Per variable its values in the order of their codes; None if they are False and True."""
        known = map(column_of, map(list, self._book.values()))
        plain = self._default.itemsize == 1
        return [
            None if plain and column.dtype == bool and column.tolist() == [False, True] else column
            for column in known
        ]

    @cached_property
    def _book(self) -> dict[Variable, dict[Value, int]]:
        """Per variable a code for each value."""
        book: dict[Variable, dict[Value, int]] = {}
        for _, variables, _, books in self.blocks:
            for variable, values in zip(variables, books):
                own = book.setdefault(variable, {})
                for value in values:
                    own.setdefault(value, len(own))
        for variable, value in self.defaults:
            book.setdefault(variable, {}).setdefault(value, len(book[variable]))
        return book

    @cached_property
    def _assigned_once(self) -> bool:
        """Whether each variable occurs in one option only."""
        options = [
            variable
            for _, variables, rows, _ in self.blocks
            for variable in variables
            for _ in range(min(2, len(rows)))
        ]
        return len(set(options)) == len(options)

    @cached_property
    def _default(self) -> NDArray[np.unsignedinteger[Any]]:
        """Per variable the code of its default, or 0."""
        codes = [
            book[self.common[variable]] if variable in self.common else 0
            for variable, book in self._book.items()
        ]
        return np.array(
            codes, dtype=np.min_scalar_type(max(map(len, self._book.values()), default=0))
        )

    @cached_property
    def _layers(self) -> list[tuple[NDArray[np.int64], NDArray[Any]]]:
        """The first assignment of each option, then the second, and so on: variable and code.

        The variable is −1 where an option has no more assignments. One more option is appended,
        which has none.
        """
        number = {variable: place for place, variable in enumerate(self._book)}
        layers: list[tuple[NDArray[np.int64], NDArray[Any]]] = []
        for start, variables, rows, books in self.blocks:
            for place, (variable, values) in enumerate(zip(variables, books)):
                if place == len(layers):
                    named = np.full(self.options + 1, -1, dtype=np.int64)
                    layers.append((named, np.zeros(self.options + 1, dtype=self._default.dtype)))
                codes = np.array(
                    [self._book[variable][value] for value in values], dtype=self._default.dtype
                )
                layers[place][0][start : start + len(rows)] = number[variable]
                layers[place][1][start : start + len(rows)] = codes[rows[:, place]]
        return layers


class _Assignments(dict[int, Sequence[tuple[Variable, Value]]]):
    """The assignments of each option, decoded on first access."""

    def __init__(self, decoder: CoverDecoder) -> None:
        self.blocks, self.options = (
            decoder.blocks,
            decoder.options,
        )  # not the decoder, which holds this mapping
        self.starts = [start for start, *_ in decoder.blocks]

    def __missing__(self, option: int) -> Sequence[tuple[Variable, Value]]:
        assigned: list[tuple[Variable, Value]] = []
        if option < self.options:
            start, variables, rows, books = self.blocks[bisect_right(self.starts, option) - 1]
            codes = rows[option - start].tolist()
            assigned = [
                (variable, book[code]) for variable, code, book in zip(variables, codes, books)
            ]
        self[option] = assigned
        return assigned


class Chosen(Layered):
    """The solution that options of a cover give, layered over values shared with others."""

    __slots__ = ("_overrides", "chosen", "decoder")
    _overrides: dict[Variable, Value]

    def __init__(
        self, common: Mapping[Variable, Value], decoder: CoverDecoder, chosen: Sequence[int] | Ints
    ) -> None:
        self.common = common
        self.decoder = decoder
        self.chosen = chosen

    @property
    def overrides(self) -> Mapping[Variable, Value]:  # type: ignore[override]
        """The values that the options assign."""
        try:
            return self._overrides
        except AttributeError:
            chosen = self.chosen.tolist() if isinstance(self.chosen, np.ndarray) else self.chosen
            self._overrides = dict(
                chain.from_iterable(map(self.decoder.assignments.__getitem__, chosen))
            )
        return self._overrides

    def over(self, common: Mapping[Variable, Value]) -> Chosen:
        return Chosen(common, self.decoder, self.chosen)


class SolutionBlocks(Iterator[Values]):
    """Solutions from a backend that returns covers in blocks: arrays with one cover per row.

    They can be read one by one or block by block.
    """

    def __init__(
        self,
        decoder: CoverDecoder,
        blocks: Iterator[Ints],
        common: Mapping[Variable, Value] | None = None,
    ) -> None:
        self.decoder = decoder
        self.blocks = blocks
        self.common = decoder.common if common is None else common
        self._solutions = chain.from_iterable(
            map(partial(_solutions, self.common, decoder), blocks)
        )

    def __next__(self) -> Values:
        return next(self._solutions)

    def close(self) -> None:
        """Stop the search."""
        if isinstance(self.blocks, Generator):
            self.blocks.close()

    def solutions(self, block: Ints) -> Iterator[Values]:
        return _solutions(self.common, self.decoder, block)

    def before(self, fixed: Mapping[Variable, Value]) -> SolutionBlocks:
        """Return the same solutions, extended by fixed values."""
        return SolutionBlocks(self.decoder, self.blocks, {**fixed, **self.common})


def _solutions(
    common: Mapping[Variable, Value], decoder: CoverDecoder, block: Ints
) -> Iterator[Values]:
    return map(Chosen, repeat(common), repeat(decoder), block)


def columns_of(solutions: Sequence[Values]) -> dict[Variable, Column] | None:
    """Return the values of many solutions by variable, or None if they are from different covers.

    Of the values that they share, only the defaults of the cover are included.
    """
    first = solutions[0]
    if not isinstance(first, Chosen):
        return None
    chosen = [
        a.chosen
        for a in solutions
        if type(a) is Chosen and a.decoder is first.decoder and a.common is first.common
    ]
    return (
        first.decoder.columns([block_of(chosen, first.decoder.options)])
        if len(chosen) == len(solutions)
        else None
    )


def _pieces(blocks: Sequence[Ints]) -> Iterator[tuple[NDArray[np.int64], Ints]]:
    """Yield the options of a few covers at a time, each with its row number."""
    begin = 0
    for block in blocks:
        count, width = block.shape
        for start in range(0, count, step := 1 + DECODED_NUMBERS // (width + 1)):
            piece = block[start : start + step]
            yield (
                np.repeat(np.arange(begin + start, begin + start + len(piece)), width),
                piece.ravel(),
            )
        begin += count


def block_of(covers: Sequence[Sequence[int] | Ints], nothing: int) -> Ints:
    """Return the covers as an array, one per row, padded with the option that assigns nothing."""
    width = max(map(len, covers))
    if any(len(cover) < width for cover in covers):
        covers = [[*cover, *[nothing] * (width - len(cover))] for cover in covers]
    return np.fromiter(
        chain.from_iterable(covers), dtype=np.uint32, count=width * len(covers)
    ).reshape(len(covers), width)
