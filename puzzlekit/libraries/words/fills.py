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
        self.tables = {
            n: _Table(n, dict.fromkeys(words.get(n, ()))) for n in sorted(set(map(len, self.slots)))
        }
        self.mirror = mirror
        self.demanded = list(dict.fromkeys(map(fold, demanded)))
        for word in self.demanded:
            if len(word) not in self.tables:
                lengths = ", ".join(map(str, self.tables))
                raise InputError(f"{word} has {len(word)} letters, but the slots have {lengths}")
            if word not in self.tables[len(word)].number:
                number = len(self.tables[len(word)].words)
                raise InputError(f"{word} is not among the {number:,} words of {len(word)} letters")
        self.uses: dict[Hashable, list[tuple[int, int]]] = {}  # of each cell: (slot, place in it)
        for number, slot in enumerate(self.slots):
            for place, cell in enumerate(slot):
                self.uses.setdefault(cell, []).append((number, place))
        self.steps_used = 0  # steps of the last random search

    def every(self, most_steps: int | None = None) -> Iterator[Fill]:
        """Yield every fill, in a fixed order.

        Raises:
            Stopped: The search took more than `most_steps` steps.
        """
        steps = itertools.count() if most_steps is None else iter(range(most_steps))
        fills = itertools.chain.from_iterable(
            _Search(self, start, steps).fills() for start in self._starts()
        )
        return (fill for fill in fills if not self.mirror or fill[0] < fill[self.mirror[0]])

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
                    found = next(_Search(self, start, steps, random).fills(), None)
                except Stopped:
                    self.steps_used += allowed
                    continue
                self.steps_used += next(steps, allowed)
                if found is not None:
                    return (
                        found
                        if not self.mirror or found[0] < found[self.mirror[0]]
                        else self._mirrored(found)
                    )
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
        """The possible words of each slot, for each assignment of the demanded words to slots."""
        free = [self.tables[len(slot)].every for slot in self.slots]
        for places in itertools.permutations(range(len(self.slots)), len(self.demanded)):
            if all(
                len(self.slots[place]) == len(word) for place, word in zip(places, self.demanded)
            ):
                start = list(free)
                for place, word in zip(places, self.demanded):
                    start[place] = 1 << self.tables[len(word)].number[word]
                yield start

    def _mirrored(self, fill: Fill) -> Fill:
        return tuple(fill[number] for number in self.mirror)


class _Table:
    """The numbered words of one length; sets of words are bit sets."""

    def __init__(self, length: int, words: Mapping[str, object]) -> None:
        self.words = sorted(words)
        self.number = {word: i for i, word in enumerate(self.words)}
        self.every: Bits = (1 << len(self.words)) - 1
        self.with_letter: list[dict[str, Bits]] = []  # by place
        for place in range(length):
            rows: dict[str, bytearray] = {}
            for i, word in enumerate(self.words):
                row = rows.setdefault(word[place], bytearray(len(self.words) // 8 + 1))
                row[i >> 3] |= 1 << (i & 7)
            self.with_letter.append(
                {letter: int.from_bytes(row, "little") for letter, row in sorted(rows.items())}
            )
        self.unions: dict[tuple[int, str], Bits] = {}

    def letters(self, words: Bits, place: int) -> str:
        """The letters of these words at a place."""
        return "".join(
            letter for letter, having in self.with_letter[place].items() if having & words
        )

    def having(self, place: int, letters: str) -> Bits:
        """The words with one of these letters at a place."""
        found = self.unions.get((place, letters))
        if found is None:
            found = 0
            for letter in letters:
                found |= self.with_letter[place].get(letter, 0)
            if len(self.unions) < LETTER_UNIONS:
                self.unions[place, letters] = found
        return found


def _numbers(bits: Bits) -> Iterator[int]:
    """The indices of the set bits in ascending order; long sets are sparse, so read by bytes."""
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

    The letters that a crossing slot still allows in a cell depend only on its known letters, and
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
        self.order: list[int] = []
        taken: set[Hashable] = set()
        numbers = range(len(fills.slots))
        for number in numbers if random is None or random.random() < 0.5 else reversed(numbers):
            if taken.isdisjoint(fills.slots[number]):
                self.order.append(number)
                taken.update(fills.slots[number])
        self.order = [*self._in_order(self.order)]
        self.crossing = [number for number in numbers if number not in self.order]
        for one, other in itertools.combinations(self.crossing, 2):
            if not set(fills.slots[one]).isdisjoint(fills.slots[other]):
                raise InputError("slots of more than two directions cross")
        self.allowed: list[dict[tuple[int, str], str]] = [{} for _ in fills.slots]
        self.matching: list[dict[str, list[str]]] = [{} for _ in fills.slots]
        # For each slot in order, its crossings: (place, crossing slot, place in the crossing slot).
        self.meets = [
            [
                (place, *use)
                for place, cell in enumerate(fills.slots[number])
                for use in fills.uses[cell]
                if use[0] != number
            ]
            for number in self.order
        ]

    def fills(self) -> Iterator[Fill]:
        """Yield the fills. Raises Stopped when the steps are used up."""
        blank = [" " * len(table.with_letter) for table in self.tables]
        places = sorted(range(len(blank)), key=[*self.order, *self.crossing].__getitem__)
        in_place = itemgetter(*places) if len(places) > 1 else tuple
        for words, known in self._rows(0, blank, []):
            for rest in itertools.product(
                *[self._match(number, known[number]) for number in self.crossing]
            ):
                both = (*words, *rest)
                if len(set(both)) == len(both):
                    self._step()
                    yield in_place(both)

    def _rows(
        self, depth: int, known: list[str], words: list[str]
    ) -> Iterator[tuple[list[str], list[str]]]:
        """Extend `words` to all slots in order.

        `known` has the letters of each slot that crosses them; a blank is a letter not yet known.
        """
        if depth == len(self.order):
            yield words, known
            return
        number = self.order[depth]
        table = self.tables[number]
        possible = self.start[number]
        for place, other, at in self.meets[depth]:
            key = (at, known[other])
            letters = self.allowed[other].get(key)
            if letters is None:
                letters = self.allowed[other][key] = self.tables[other].letters(
                    self._having(other, known[other]), at
                )
            possible &= table.having(place, letters)
        for i in self._in_order(_numbers(possible)):
            word = table.words[i]
            if word in words:
                continue
            self._step()
            after = list(known)
            for place, other, at in self.meets[depth]:
                row = after[other]
                after[other] = row[:at] + word[place] + row[at + 1 :]
            yield from self._rows(depth + 1, after, [*words, word])

    def _step(self) -> None:
        if next(self.steps, None) is None:
            raise Stopped("there are too many fills to list")

    def _in_order(self, options: Iterable[T]) -> Iterable[T]:
        """The options in the order in which they are tried."""
        return (
            options
            if self.random is None
            else self.random.sample(found := list(options), len(found))
        )

    def _having(self, number: int, known: str) -> Bits:
        words = self.start[number]
        for place, letter in enumerate(known):
            if letter != " ":
                words &= self.tables[number].with_letter[place].get(letter, 0)
        return words

    def _match(self, number: int, known: str) -> Iterable[str]:
        found = self.matching[number].get(known)
        if found is None:
            words = self.tables[number].words
            found = self.matching[number][known] = [
                words[i] for i in _numbers(self._having(number, known))
            ]
        return self._in_order(found)
