"""The way back from covers to values, worked out only where it is looked at: engines list answers by the thousand."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlekit.model import Domain, Overlay, Value, Values, Variable
from puzzlekit.passes.columns import Column, column_of

Ints = NDArray[np.int64]
Block = tuple[int, tuple[Variable, ...], NDArray[Any], tuple[Domain, ...]]  # first option, variables, rows of codes, books


@dataclass(frozen=True, eq=False)
class Meaning:
    """What the options of a cover say of the model. An option from `options` on says nothing."""

    blocks: tuple[Block, ...]
    defaults: tuple[tuple[Variable, Value], ...]
    options: int

    def values(self, chosen: Sequence[int]) -> Chosen:
        """The values that these options give; a variable that none names takes its default."""
        return Chosen(self.common, self, chosen)

    @cached_property
    def common(self) -> Mapping[Variable, Value]:
        """The defaults."""
        return dict(self.defaults)

    @cached_property
    def told(self) -> _Told:
        """The values that each option gives."""
        return _Told(self)

    def columns(self, many: Sequence[Sequence[int]]) -> dict[Variable, Column]:
        """The values of many covers at once: a column for each variable that an option or a default speaks of."""
        book, (starts, named, codes) = self._book, self._entries
        lengths = np.fromiter(map(len, many), dtype=np.intp, count=len(many))
        chosen = np.fromiter(chain.from_iterable(many), dtype=np.intp, count=int(lengths.sum()))
        row = np.repeat(np.arange(len(many)), lengths)
        speaking = chosen < self.options
        chosen, row = chosen[speaking], row[speaking]
        said = starts[chosen + 1] - starts[chosen]
        entry = np.repeat(starts[chosen] - np.cumsum(said) + said, said) + np.arange(said.sum())
        found = np.zeros((len(book), len(many)), dtype=codes.dtype)
        for number, variable in enumerate(book):
            if variable in self.common:
                found[number] = book[variable][self.common[variable]]
        found[named[entry], np.repeat(row, said)] = codes[entry]
        return {variable: self._values(variable)[column] for variable, column in zip(book, found)}

    def _values(self, variable: Variable) -> Column:
        if variable not in self._known:
            self._known[variable] = column_of([*self._book[variable]])
        return self._known[variable]

    @cached_property
    def _known(self) -> dict[Variable, Column]:
        return {}

    @cached_property
    def _book(self) -> dict[Variable, dict[Value, int]]:
        """A code for each value of each variable."""
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
    def _entries(self) -> tuple[Ints, Ints, Ints]:
        """Where the entries of each option begin, one more at the end; of each entry, its variable's number and code."""
        number = {variable: place for place, variable in enumerate(self._book)}
        parts = []
        for start, variables, rows, books in self.blocks:
            for place, (variable, values) in enumerate(zip(variables, books)):
                codes = np.array([self._book[variable][value] for value in values], dtype=np.int64)[rows[:, place]]
                parts.append((start + np.arange(len(rows)), np.full(len(rows), number[variable]), codes))
        option, named, codes = (np.concatenate([np.zeros(0, dtype=np.int64), *arrays]) for arrays in zip(*parts))
        order = np.argsort(option, kind="stable")
        codes = codes.astype(np.min_scalar_type(max(map(len, self._book.values()), default=0)))
        return np.searchsorted(option[order], np.arange(self.options + 1)), named[order], codes[order]


class _Told(dict[int, Sequence[tuple[Variable, Value]]]):
    """What each option says, worked out when it is asked for the first time."""

    def __init__(self, meaning: Meaning) -> None:
        self.meaning = meaning
        self.starts = [start for start, *_ in meaning.blocks]

    def __missing__(self, option: int) -> Sequence[tuple[Variable, Value]]:
        said: list[tuple[Variable, Value]] = []
        if option < self.meaning.options:
            start, variables, rows, books = self.meaning.blocks[bisect_right(self.starts, option) - 1]
            codes = rows[option - start].tolist()
            said = [(variable, book[code]) for variable, code, book in zip(variables, codes, books)]
        self[option] = said
        return said


class Chosen(Overlay):
    """The answer that options of a cover give, before what is common to it and others."""

    __slots__ = ("chosen", "meaning", "_own")

    def __init__(self, common: Mapping[Variable, Value], meaning: Meaning, chosen: Sequence[int]) -> None:
        self.common = common
        self.meaning = meaning
        self.chosen = chosen
        self._own: dict[Variable, Value] | None = None

    @property
    def own(self) -> Mapping[Variable, Value]:  # type: ignore[override]
        """What the options say."""
        if self._own is None:
            self._own = dict(chain.from_iterable(map(self.meaning.told.__getitem__, self.chosen)))
        return self._own

    def over(self, common: Mapping[Variable, Value]) -> Chosen:
        return Chosen(common, self.meaning, self.chosen)


def columns_of(answers: Sequence[Values]) -> dict[Variable, Column] | None:
    """The values of many answers by variable, where all of them are chosen from one cover; else None.

    What is common to them, beside the defaults of the cover, is not among them.
    """
    first = answers[0]
    if not isinstance(first, Chosen):
        return None
    chosen = [a.chosen for a in answers if type(a) is Chosen and a.meaning is first.meaning and a.common is first.common]
    return first.meaning.columns(chosen) if len(chosen) == len(answers) else None
