"""Decode covers to values, on access only: backends list solutions by the thousand."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlekit.dataclass import dataclass
from puzzlekit.errors import BackendBug
from puzzlekit.model import Domain, Layered, Value, Values, Variable
from puzzlekit.presolve import Column, column_of

DECODED_NUMBERS = 8_192  # per array of a block, few enough that its memory is reused
Ints = NDArray[np.uint32]
# first option, variables, rows of codes, dictionaries
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
        values = np.repeat(self._default[:, None], sum(map(len, blocks)), axis=1)
        assigned = []
        for row, chosen in _pieces(blocks):
            for variables, codes in self._layers:
                variable = variables[chosen]
                if (variable < 0).any():
                    assigning = variable >= 0
                    chosen = chosen[assigning]
                    row = row[assigning]
                    variable = variable[assigning]
                values[variable, row] = codes[chosen]
                if not self._assigned_once:
                    assigned.append((variable, row, codes[chosen]))
        if any((values[variable, row] != codes).any() for variable, row, codes in assigned):
            raise BackendBug("two options of one cover give a variable different values")
        columns = {}
        for decoded, domain, codes in zip(self._dictionaries, self._domains, values):
            columns[decoded] = codes.view(bool) if domain is None else domain[codes]
        return columns

    @cached_property
    def _domains(self) -> list[Column | None]:
        """Per variable its values in the order of their codes; None if they are False and True."""
        bytes_suffice = self._default.itemsize == 1
        domains: list[Column | None] = []
        for dictionary in self._dictionaries.values():
            domain = column_of(list(dictionary))
            is_truth = domain.dtype == bool and domain.tolist() == [False, True]
            domains.append(None if bytes_suffice and is_truth else domain)
        return domains

    @cached_property
    def _dictionaries(self) -> dict[Variable, dict[Value, int]]:
        """Per variable a code for each value."""
        code_of: dict[Variable, dict[Value, int]] = {}
        for _, variables, _, dictionaries in self.blocks:
            for variable, values in zip(variables, dictionaries):
                codes = code_of.setdefault(variable, {})
                for value in values:
                    codes.setdefault(value, len(codes))
        for variable, value in self.defaults:
            codes = code_of.setdefault(variable, {})
            codes.setdefault(value, len(codes))
        return code_of

    @cached_property
    def _assigned_once(self) -> bool:
        """Whether each variable occurs in one option only."""
        assigned: list[Variable] = []
        for _, variables, rows, _ in self.blocks:
            if len(rows) > 1 and variables:
                return False
            if len(rows):
                assigned += variables
        return len(set(assigned)) == len(assigned)

    @cached_property
    def _default(self) -> NDArray[np.unsignedinteger[Any]]:
        """Per variable the code of its default, or 0."""
        codes = []
        for variable, dictionary in self._dictionaries.items():
            has_default = variable in self.common
            codes.append(dictionary[self.common[variable]] if has_default else 0)
        largest = max(map(len, self._dictionaries.values()), default=0)
        return np.array(codes, dtype=np.min_scalar_type(largest))

    @cached_property
    def _layers(self) -> list[tuple[NDArray[np.int64], NDArray[Any]]]:
        """The first assignment of each option, then the second, and so on: variable and code.

        The variable is −1 where an option has no more assignments. One more option is appended,
        which has none.
        """
        number = {variable: index for index, variable in enumerate(self._dictionaries)}
        dtype = self._default.dtype
        layers: list[tuple[NDArray[np.int64], NDArray[Any]]] = []
        for start, variables, rows, dictionaries in self.blocks:
            span = slice(start, start + len(rows))
            for position, (variable, values) in enumerate(zip(variables, dictionaries)):
                if position == len(layers):
                    no_variables = np.full(self.options + 1, -1, dtype=np.int64)
                    layers.append((no_variables, np.zeros(self.options + 1, dtype=dtype)))
                code_of = self._dictionaries[variable]
                codes = np.array([code_of[value] for value in values], dtype=dtype)
                layer_variables, layer_codes = layers[position]
                layer_variables[span] = number[variable]
                layer_codes[span] = codes[rows[:, position]]
        return layers


class _Assignments(dict[int, Sequence[tuple[Variable, Value]]]):
    """The assignments of each option, decoded on first access."""

    def __init__(self, decoder: CoverDecoder) -> None:
        # not the decoder, which refers to this mapping
        self.blocks = decoder.blocks
        self.options = decoder.options
        self.starts = [start for start, *_ in decoder.blocks]

    def __missing__(self, option: int) -> Sequence[tuple[Variable, Value]]:
        assigned: list[tuple[Variable, Value]] = []
        if option < self.options:
            block = self.blocks[bisect_right(self.starts, option) - 1]
            start, variables, rows, dictionaries = block
            codes = rows[option - start].tolist()
            values = [dictionary[code] for code, dictionary in zip(codes, dictionaries)]
            assigned = list(zip(variables, values))
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
            options = self.chosen
            chosen = options.tolist() if isinstance(options, np.ndarray) else options
            assignments = map(self.decoder.assignments.__getitem__, chosen)
            self._overrides = dict(chain.from_iterable(assignments))
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
        of_block = partial(_solutions, self.common, decoder)
        self._solutions = chain.from_iterable(map(of_block, blocks))

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
    decoder, common = first.decoder, first.common
    covers = []
    for solution in solutions:
        if type(solution) is not Chosen or solution.decoder is not decoder:
            return None
        if solution.common is not common:
            return None
        covers.append(solution.chosen)
    return decoder.columns([block_of(covers, decoder.options)])


def _pieces(blocks: Sequence[Ints]) -> Iterator[tuple[NDArray[np.int64], Ints]]:
    """Yield the options of a few covers at a time, each with its row number."""
    block_start = 0
    for block in blocks:
        count, width = block.shape
        step = 1 + DECODED_NUMBERS // (width + 1)
        for start in range(0, count, step):
            piece = block[start : start + step]
            first_row = block_start + start
            rows = np.arange(first_row, first_row + len(piece))
            yield np.repeat(rows, width), piece.ravel()
        block_start += count


def block_of(covers: Sequence[Sequence[int] | Ints], nothing: int) -> Ints:
    """Return the covers as an array, one per row, padded with the option that assigns nothing."""
    width = max(map(len, covers))
    padded = covers
    if any(len(cover) < width for cover in covers):
        padding = [nothing] * width
        padded = [[*cover, *padding[len(cover) :]] for cover in covers]
    options = chain.from_iterable(padded)
    array = np.fromiter(options, dtype=np.uint32, count=width * len(covers))
    return array.reshape(len(covers), width)
