"""The way back from covers to values, worked out only where it is looked at: engines list answers by the thousand."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlekit.model import Domain, Overlay, Value, Values, Variable
from puzzlekit.passes.columns import Column, column_of

Ints = NDArray[np.int64]
Block = tuple[int, tuple[Variable, ...], NDArray[Any], tuple[Domain, ...]]  # first option, variables, rows of codes, books


@dataclass(frozen=True, eq=False)
class Meaning:
    """What the options of a cover say of the model. The option after the last says nothing."""

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

    def columns(self, blocks: Sequence[Ints]) -> dict[Variable, Column]:
        """The values of many covers at once: a column for each variable that an option or a default speaks of.

        A block is an array with a row of options a cover.
        """
        count = sum(map(len, blocks))
        found = np.repeat(self._default[:, None], count, axis=1)
        chosen = np.concatenate([block.ravel() for block in blocks])
        row = np.repeat(np.arange(count), np.repeat([block.shape[1] for block in blocks], list(map(len, blocks))))
        starts, said, named, codes = self._entries
        for number in range(int(said.max())):
            speaking = said[chosen] > number
            if not speaking.all():
                chosen, row = chosen[speaking], row[speaking]
            entry = starts[chosen] + number
            found.reshape(-1)[named[entry] * count + row] = codes[entry]
        return {variable: self._values(variable)[column] for variable, column in zip(self._book, found)}

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
    def _default(self) -> NDArray[np.unsignedinteger[Any]]:
        """The code that each variable has where no option speaks of it."""
        codes = [book[self.common[variable]] if variable in self.common else 0 for variable, book in self._book.items()]
        return np.array(codes, dtype=np.min_scalar_type(max(map(len, self._book.values()), default=0)))

    @cached_property
    def _entries(self) -> tuple[Ints, Ints, Ints, NDArray[Any]]:
        """Where the entries of each option begin, and how many they are; of each entry, its variable's number and code.

        One option stands there more, that says nothing.
        """
        number = {variable: place for place, variable in enumerate(self._book)}
        parts = []
        for start, variables, rows, books in self.blocks:
            for place, (variable, values) in enumerate(zip(variables, books)):
                codes = np.array([self._book[variable][value] for value in values], dtype=np.int64)[rows[:, place]]
                parts.append((start + np.arange(len(rows)), np.full(len(rows), number[variable]), codes))
        option, named, codes = (np.concatenate([np.zeros(0, dtype=np.int64), *arrays]) for arrays in zip(*parts))
        order = np.argsort(option, kind="stable")
        starts = np.searchsorted(option[order], np.arange(self.options + 2))
        return starts[:-1], np.diff(starts), named[order], codes[order].astype(self._default.dtype)


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
    _own: dict[Variable, Value]

    def __init__(self, common: Mapping[Variable, Value], meaning: Meaning, chosen: Sequence[int] | Ints) -> None:
        self.common = common
        self.meaning = meaning
        self.chosen = chosen

    @property
    def own(self) -> Mapping[Variable, Value]:  # type: ignore[override]
        """What the options say."""
        try:
            return self._own
        except AttributeError:
            chosen = self.chosen.tolist() if isinstance(self.chosen, np.ndarray) else self.chosen
            self._own = dict(chain.from_iterable(map(self.meaning.told.__getitem__, chosen)))
        return self._own

    def over(self, common: Mapping[Variable, Value]) -> Chosen:
        return Chosen(common, self.meaning, self.chosen)


class Blocks(Iterator[Values]):
    """The answers of covers that an engine gives many at a time: arrays with a row of options a cover.

    They are read one by one, or block by block.
    """

    def __init__(self, meaning: Meaning, blocks: Iterator[Ints], common: Mapping[Variable, Value] | None = None) -> None:
        self.meaning = meaning
        self.blocks = blocks
        self.common = meaning.common if common is None else common
        self._answers = chain.from_iterable(map(self.answers, blocks))

    def __next__(self) -> Values:
        return next(self._answers)

    def answers(self, block: Ints) -> Iterator[Values]:
        """The answers of a block."""
        return map(Chosen, repeat(self.common), repeat(self.meaning), block)

    def before(self, fixed: Mapping[Variable, Value]) -> Blocks:
        """The same answers, before what is fixed."""
        return Blocks(self.meaning, self.blocks, {**fixed, **self.common})


def columns_of(answers: Sequence[Values]) -> dict[Variable, Column] | None:
    """The values of many answers by variable, where all of them are chosen from one cover; else None.

    What is common to them, beside the defaults of the cover, is not among them.
    """
    first = answers[0]
    if not isinstance(first, Chosen):
        return None
    chosen = [a.chosen for a in answers if type(a) is Chosen and a.meaning is first.meaning and a.common is first.common]
    return first.meaning.columns([block_of(chosen, first.meaning.options)]) if len(chosen) == len(answers) else None


def block_of(covers: Sequence[Sequence[int] | Ints], nothing: int) -> Ints:
    """The covers as an array, a row of options each; shorter ones are filled up with an option that says nothing."""
    width = max(map(len, covers))
    if any(len(cover) < width for cover in covers):
        covers = [[*cover, *[nothing] * (width - len(cover))] for cover in covers]
    return np.fromiter(chain.from_iterable(covers), dtype=np.int64, count=width * len(covers)).reshape(len(covers), width)
