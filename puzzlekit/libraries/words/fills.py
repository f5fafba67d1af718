"""Fill crossing slots with distinct words: list all fills, or draw one at random."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from math import exp
from operator import itemgetter
from random import Random
from typing import TypeAlias, TypeVar

from puzzlekit.errors import InputError, Stopped
from puzzlekit.folding import fold

Slot: TypeAlias = Sequence[Hashable]  # the cells of a word, in order
Fill: TypeAlias = tuple[str, ...]  # a word for each slot
FILL_STEPS = 100_000  # of a random search: half a minute or more with tens of thousands of words
DIVE_STEPS = 200  # before a random search begins anew; each later one gets half more
LETTER_UNIONS = 20_000  # cached sets of words
PROPOSALS = 8  # fills of which one is chosen
PROPOSAL_STEPS = 400  # of search, after which no further fill is proposed

T = TypeVar("T")
Bits: TypeAlias = int  # a set of words, or of letters, each a bit


class Fills:
    """The ways to fill slots with distinct words that agree in the letters of shared cells.

    Args:
        slots: The cells of each slot, in order.
        words: The words of each length.
        demanded: Words that must be in every fill.
        mirror: For each slot, the slot that it becomes when the board is mirrored. If given, only
            one of a fill and its mirror image counts.

    Raises:
        InputError: A demanded word fits no slot, or is none of the words.

    Examples:
        >>> square = [(0, 1), (2, 3), (0, 2), (1, 3)]
        >>> list(Fills(square, {2: ["at", "no", "on", "to"]}).every())
        []
        >>> list(Fills(square, {2: ["am", "as", "mo", "so"]}).every())
        [('am', 'so', 'as', 'mo'), ('as', 'mo', 'am', 'so')]
        >>> list(Fills(square, {2: ["am", "as", "mo", "so"]}, mirror=[2, 3, 0, 1]).every())
        [('am', 'so', 'as', 'mo')]
    """

    def __init__(
        self,
        slots: Sequence[Slot],
        words: Mapping[int, Sequence[str]],
        demanded: Sequence[str] = (),
        mirror: Sequence[int] = (),
    ) -> None:
        self.slots = [tuple(slot) for slot in slots]
        lengths = sorted(set(map(len, self.slots)))
        self.tables = {
            length: _Table(length, dict.fromkeys(words.get(length, ()))) for length in lengths
        }
        self.mirror = mirror
        self.demanded = list(dict.fromkeys(map(fold, demanded)))
        for word in self.demanded:
            self._require_slot(word)
        self.uses: dict[Hashable, list[tuple[int, int]]] = {}  # of each cell: (slot, position)
        for number, slot in enumerate(self.slots):
            for position, cell in enumerate(slot):
                self.uses.setdefault(cell, []).append((number, position))
        self.steps_used = 0  # by the last random search

    def _require_slot(self, word: str) -> None:
        """Raise InputError if a demanded word fits no slot, or is none of the words."""
        length = len(word)
        table = self.tables.get(length)
        if table is None:
            lengths = ", ".join(map(str, self.tables))
            raise InputError(f"{word} has {length} letters, but the slots have {lengths}")
        if word not in table.number:
            count = len(table.words)
            raise InputError(f"{word} is not among the {count:,} words of {length} letters")

    def every(self, most_steps: int | None = None) -> Iterator[Fill]:
        """Yield every fill, in a fixed order.

        Raises:
            Stopped: The search took more than `most_steps` steps.
        """
        steps = itertools.count() if most_steps is None else iter(range(most_steps))
        searches = (_Search(self, start, steps).fills() for start in self._starts())
        fills = itertools.chain.from_iterable(searches)
        if not self.mirror:
            return fills
        return (fill for fill in fills if not self._is_mirror_image(fill))

    def drawn(self, random: Random, most_steps: int = FILL_STEPS) -> Fill | None:
        """Find a fill by search in random order, which begins anew when it takes long.

        Fills are not equally probable.

        Args:
            random: The source of randomness.
            most_steps: The steps allowed.

        Returns:
            A fill, or None if there is none.

        Raises:
            Stopped: The search took more than `most_steps` steps.
        """
        starts = list(self._starts())
        random.shuffle(starts)
        self.steps_used = 0
        allowed = DIVE_STEPS
        while starts and self.steps_used < most_steps:
            for start in list(starts):
                steps = iter(range(allowed))
                try:
                    fill = next(_Search(self, start, steps, random).fills(), None)
                except Stopped:
                    self.steps_used += allowed
                    continue
                self.steps_used += next(steps, allowed)
                if fill is not None:
                    return self._mirrored(fill) if self._is_mirror_image(fill) else fill
                starts.remove(start)
            allowed += allowed // 2
        if starts:
            raise Stopped(f"no fill was found in {most_steps:,} steps of search")
        return None

    def balanced(self, random: Random, used: Mapping[str, int]) -> Fill | None:
        """Draw some fills, and choose one whose words are not used more often than others.

        Args:
            random: The source of randomness.
            used: How often words were used before.

        Raises:
            Stopped: No fill was found in the steps allowed.
        """
        fills: list[Fill] = []
        steps = 0
        while len(fills) < PROPOSALS and steps < PROPOSAL_STEPS:
            fill = self.drawn(random)
            if fill is None:
                return None
            fills.append(fill)
            steps += self.steps_used
        costs = [sum(used.get(word, 0) for word in fill) for fill in fills]
        least = min(costs)
        return random.choices(fills, [exp(least - cost) for cost in costs])[0]

    def _starts(self) -> Iterator[list[Bits]]:
        """Yield the possible words of each slot, for each assignment of demanded words to slots."""
        every = [self.tables[len(slot)].every for slot in self.slots]
        for numbers in itertools.permutations(range(len(self.slots)), len(self.demanded)):
            assigned = list(zip(numbers, self.demanded))
            if all(len(self.slots[number]) == len(word) for number, word in assigned):
                start = list(every)
                for number, word in assigned:
                    start[number] = 1 << self.tables[len(word)].number[word]
                yield start

    def _is_mirror_image(self, fill: Fill) -> bool:
        """Return whether the mirror image of a fill counts, and not the fill."""
        return bool(self.mirror) and fill[0] >= fill[self.mirror[0]]

    def _mirrored(self, fill: Fill) -> Fill:
        return tuple(fill[number] for number in self.mirror)


class _Table:
    """The numbered words of one length; sets of words are bit sets."""

    def __init__(self, length: int, words: Mapping[str, object]) -> None:
        self.words = sorted(words)
        self.number = {word: i for i, word in enumerate(self.words)}
        self.every: Bits = (1 << len(self.words)) - 1
        self.with_letter: list[dict[str, Bits]] = []  # by position
        size = len(self.words) // 8 + 1
        for position in range(length):
            rows: dict[str, bytearray] = {}
            for i, word in enumerate(self.words):
                row = rows.setdefault(word[position], bytearray(size))
                row[i >> 3] |= 1 << (i & 7)
            self.with_letter.append(
                {letter: int.from_bytes(row, "little") for letter, row in sorted(rows.items())}
            )
        self.unions: dict[tuple[int, str], Bits] = {}

    def letters(self, words: Bits, position: int) -> str:
        """Return the letters of these words at a position."""
        having = self.with_letter[position].items()
        return "".join(letter for letter, with_letter in having if with_letter & words)

    def having(self, position: int, letters: str) -> Bits:
        """Return the words with one of these letters at a position."""
        union = self.unions.get((position, letters))
        if union is None:
            union = 0
            for letter in letters:
                union |= self.with_letter[position].get(letter, 0)
            if len(self.unions) < LETTER_UNIONS:
                self.unions[position, letters] = union
        return union


def _numbers(bits: Bits) -> Iterator[int]:
    """Yield the indices of the set bits in ascending order.

    Long sets are sparse, so they are read by bytes.
    """
    if bits.bit_length() < 2_000:
        while bits:
            low = bits & -bits
            yield low.bit_length() - 1
            bits ^= low
        return
    for start, byte in enumerate(bits.to_bytes(bits.bit_length() // 8 + 1, "little")):
        while byte:
            low = byte & -byte
            yield 8 * start + low.bit_length() - 1
            byte ^= low


class _Search:
    """The fills from one start: first slots that do not cross each other, then the crossing ones.

    The letters that a crossing slot still allows in a cell depend only on its letters so far, and
    are cached by them. With `random`, slots are filled and words are tried in random order.
    """

    def __init__(
        self,
        fills: Fills,
        start: Sequence[Bits],
        steps: Iterator[int],
        random: Random | None = None,
    ) -> None:
        self.start = start
        self.steps = steps
        self.random = random
        self.tables = [fills.tables[len(slot)] for slot in fills.slots]
        numbers = range(len(fills.slots))
        self.order = [*self._in_order(self._parallel_slots(fills.slots))]
        self.crossing = [number for number in numbers if number not in self.order]
        for first, second in itertools.combinations(self.crossing, 2):
            if not set(fills.slots[first]).isdisjoint(fills.slots[second]):
                raise InputError("slots of more than two directions cross")
        self.allowed: list[dict[tuple[int, str], str]] = [{} for _ in fills.slots]
        self.matching: list[dict[str, list[str]]] = [{} for _ in fills.slots]
        # of each slot in order: (position, crossing slot, position in the crossing slot)
        self.meets = [self._crossings(fills, number) for number in self.order]

    def _parallel_slots(self, slots: Sequence[tuple[Hashable, ...]]) -> list[int]:
        """Return slots that do not cross each other, as many as possible in order."""
        numbers: Iterable[int] = range(len(slots))
        if self.random is not None and self.random.random() >= 0.5:
            numbers = reversed(range(len(slots)))
        parallel: list[int] = []
        covered: set[Hashable] = set()
        for number in numbers:
            if covered.isdisjoint(slots[number]):
                parallel.append(number)
                covered.update(slots[number])
        return parallel

    def _crossings(self, fills: Fills, number: int) -> list[tuple[int, int, int]]:
        crossings = []
        for position, cell in enumerate(fills.slots[number]):
            for crossing, crossing_position in fills.uses[cell]:
                if crossing != number:
                    crossings.append((position, crossing, crossing_position))
        return crossings

    def fills(self) -> Iterator[Fill]:
        """Yield the fills. Raises Stopped when the steps are used up."""
        blank = [" " * len(table.with_letter) for table in self.tables]
        slots = [*self.order, *self.crossing]
        positions = sorted(range(len(blank)), key=slots.__getitem__)
        by_slot = itemgetter(*positions) if len(positions) > 1 else tuple
        for words, letters in self._rows(0, blank, []):
            matches = [self._match(number, letters[number]) for number in self.crossing]
            for crossing_words in itertools.product(*matches):
                fill = (*words, *crossing_words)
                if len(set(fill)) == len(fill):
                    self._step()
                    yield by_slot(fill)

    def _rows(
        self, depth: int, letters: list[str], words: list[str]
    ) -> Iterator[tuple[list[str], list[str]]]:
        """Extend `words` to all slots in order.

        `letters` has those of each slot that crosses them; a blank is a letter not yet chosen.
        """
        if depth == len(self.order):
            yield words, letters
            return
        table = self.tables[self.order[depth]]
        for i in self._in_order(_numbers(self._fitting(depth, letters))):
            word = table.words[i]
            if word in words:
                continue
            self._step()
            extended = list(letters)
            for position, crossing, crossing_position in self.meets[depth]:
                row = extended[crossing]
                before = row[:crossing_position]
                after = row[crossing_position + 1 :]
                extended[crossing] = before + word[position] + after
            yield from self._rows(depth + 1, extended, [*words, word])

    def _fitting(self, depth: int, letters: list[str]) -> Bits:
        """Return the words of a slot whose letters the crossing slots allow."""
        number = self.order[depth]
        table = self.tables[number]
        fitting = self.start[number]
        for position, crossing, crossing_position in self.meets[depth]:
            key = crossing_position, letters[crossing]
            allowed = self.allowed[crossing].get(key)
            if allowed is None:
                words = self._having(crossing, letters[crossing])
                allowed = self.tables[crossing].letters(words, crossing_position)
                self.allowed[crossing][key] = allowed
            fitting &= table.having(position, allowed)
        return fitting

    def _step(self) -> None:
        if next(self.steps, None) is None:
            raise Stopped("there are too many fills to list")

    def _in_order(self, options: Iterable[T]) -> Iterable[T]:
        """Return the options in the order in which they are tried."""
        if self.random is None:
            return options
        row = list(options)
        return self.random.sample(row, len(row))

    def _having(self, number: int, letters: str) -> Bits:
        """Return the words of a slot that have these letters; a blank stands for any letter."""
        words = self.start[number]
        for position, letter in enumerate(letters):
            if letter != " ":
                words &= self.tables[number].with_letter[position].get(letter, 0)
        return words

    def _match(self, number: int, letters: str) -> Iterable[str]:
        matching = self.matching[number].get(letters)
        if matching is None:
            words = self.tables[number].words
            matching = [words[i] for i in _numbers(self._having(number, letters))]
            self.matching[number][letters] = matching
        return self._in_order(matching)
