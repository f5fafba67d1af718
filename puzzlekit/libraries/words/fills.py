"""Fill crossing slots with distinct words: list all fills, or draw one at random."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Mapping, Sequence
from math import exp, log
from operator import itemgetter
from random import Random
from typing import TypeAlias

from puzzlekit.errors import InputError, Stopped
from puzzlekit.folding import fold
from puzzlekit.limits import limits

Slot: TypeAlias = Sequence[Hashable]  # the cells of a word, in order
Fill: TypeAlias = tuple[str, ...]  # a word for each slot
PROPOSALS = 8  # fills of which one is chosen
PROPOSAL_STEPS = 400  # of search, after which no further fill is proposed
OVERUSED = 0.6  # the part of a word's overuse by which it is avoided, as was measured
RAREST = 1e-6  # the share of a letter that no crossing word has

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
        self.tables = {n: _Table(n, dict.fromkeys(words.get(n, ()))) for n in sorted(set(map(len, self.slots)))}
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
        self.taken = 0  # steps of the last random search
        self._overuse: dict[str, float] = {}

    def every(self, most_steps: int | None = None) -> Iterator[Fill]:
        """Yield every fill, in a fixed order.

        Raises:
            Stopped: The search took more than `most_steps` steps.
        """
        steps = itertools.count() if most_steps is None else iter(range(most_steps))
        return itertools.chain.from_iterable(_Listing(self, start, steps).every() for start in self._starts())

    def drawn(self, random: Random, most_steps: int | None = None) -> Fill | None:
        """Find a fill by search in random order.

        Fills are not equally probable.

        Args:
            random: The source of randomness.
            most_steps: The steps allowed, by default the limit on words.

        Returns:
            A fill, or None if there is none.

        Raises:
            Stopped: The search took more than `most_steps` steps.
        """
        starts = list(self._starts())
        random.shuffle(starts)
        self.taken = 0
        most_steps = limits().words.fill_steps if most_steps is None else most_steps
        allowed, left = limits().words.dive_steps, most_steps
        while starts and left > 0:
            for start in list(starts):
                search = _Search(self, random, min(allowed, left))
                found = search.found(start)
                self.taken += search.taken
                if found is not None:
                    return self._upright(found)
                left -= search.taken
                if search.left > 0:  # the search was complete
                    starts.remove(start)
            allowed += allowed // 2
        if starts:
            raise Stopped(f"no fill was found in {most_steps:,} steps of search")
        return None

    def balanced(self, random: Random, used: Mapping[str, int]) -> Fill | None:
        """Draw some fills, and choose one whose words are not used more often than others.

        Search favours words whose letters at crossings are wanted more often than words have them
        there. A word counts as used for each earlier fill, and for its `overuse`.

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
            steps += self.taken
        costs = [sum(OVERUSED * self.overuse(word) + used.get(word, 0) for word in fill) for fill in fills]
        least = min(costs)
        return random.choices(fills, [exp(least - cost) for cost in costs])[0]

    def overuse(self, word: str) -> float:
        """The logarithm of how much more often its letters are wanted at crossings than words have them."""
        if word not in self._overuse:
            slots = [number for number, slot in enumerate(self.slots) if len(slot) == len(word)]
            ratios = [exp(sum(self._demand(number, place, letter) for place, letter in enumerate(word))) for number in slots]
            self._overuse[word] = log(sum(ratios) / len(ratios))
        return self._overuse[word]

    def _demand(self, number: int, place: int, letter: str) -> float:
        """The logarithm of how often the crossing words have a letter, compared with the words of the slot."""
        table = self.tables[len(self.slots[number])]
        total = 0.0
        for other, at in self.uses[self.slots[number][place]]:
            if other != number:
                crossing = self.tables[len(self.slots[other])]
                total += log(max(crossing.share(at, letter), RAREST) / table.share(place, letter))
        return total

    def _starts(self) -> Iterator[list[Bits]]:
        """The possible words of each slot, for each assignment of the demanded words to slots."""
        free = [self.tables[len(slot)].every for slot in self.slots]
        for places in itertools.permutations(range(len(self.slots)), len(self.demanded)):
            if all(len(self.slots[place]) == len(word) for place, word in zip(places, self.demanded)):
                start = list(free)
                for place, word in zip(places, self.demanded):
                    start[place] = 1 << self.tables[len(word)].number[word]
                yield start

    def counts(self, fill: Fill) -> bool:
        """Whether the fill counts, rather than its mirror image."""
        return not self.mirror or fill[0] < fill[self.mirror[0]]

    def _upright(self, fill: Fill) -> Fill:
        return fill if self.counts(fill) else tuple(fill[number] for number in self.mirror)


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
            self.with_letter.append({letter: int.from_bytes(row, "little") for letter, row in sorted(rows.items())})
        self.unions: dict[tuple[int, str], Bits] = {}

    def share(self, place: int, letter: str) -> float:
        """The share of the words that have a letter at a place."""
        return self.with_letter[place].get(letter, 0).bit_count() / len(self.words)

    def letters(self, words: Bits, place: int) -> str:
        """The letters of these words at a place."""
        return "".join(letter for letter, having in self.with_letter[place].items() if having & words)

    def having(self, place: int, letters: str) -> Bits:
        """The words with one of these letters at a place."""
        found = self.unions.get((place, letters))
        if found is None:
            found = 0
            for letter in letters:
                found |= self.with_letter[place].get(letter, 0)
            if len(self.unions) < limits().words.letter_unions:
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


class _Listing:
    """All fills from one start: first slots that do not cross each other, then the crossing ones.

    The letters that a crossing slot still allows in a cell depend only on its known letters, and
    are cached by them.
    """

    def __init__(self, fills: Fills, start: Sequence[Bits], steps: Iterator[int]) -> None:
        self.fills = fills
        self.start = list(start)
        self.whole = start[fills.mirror[0]] if fills.mirror else 0  # of the first slot's mirror
        self.steps = steps
        self.tables = [fills.tables[len(slot)] for slot in fills.slots]
        self.order: list[int] = []  # begins with the first slot
        taken: set[Hashable] = set()
        for number, slot in enumerate(fills.slots):
            if taken.isdisjoint(slot):
                self.order.append(number)
                taken.update(slot)
        self.crossing = [number for number in range(len(fills.slots)) if number not in self.order]
        for one, other in itertools.combinations(self.crossing, 2):
            if not set(fills.slots[one]).isdisjoint(fills.slots[other]):
                raise InputError("slots of more than two directions cross")
        self.allowed: list[dict[tuple[int, str], str]] = [{} for _ in fills.slots]
        self.matching: list[dict[str, list[str]]] = [{} for _ in fills.slots]
        # For each slot in order, its crossings: (place, crossing slot, place in the crossing slot).
        self.meets = [
            [(place, *use) for place, cell in enumerate(fills.slots[number]) for use in fills.uses[cell] if use[0] != number]
            for number in self.order
        ]

    def _rows(self, depth: int, known: list[str], words: list[str]) -> Iterator[tuple[list[str], list[str]]]:
        """Extend `words` to all slots in order.

        `known` has the letters of each slot that crosses them; a blank is a letter not yet known.
        """
        number = self.order[depth]
        is_last = depth + 1 == len(self.order)
        table = self.tables[number]
        possible = self.start[number]
        for place, other, at in self.meets[depth]:
            key = (at, known[other])
            letters = self.allowed[other].get(key)
            if letters is None:
                letters = self.allowed[other][key] = self.tables[other].letters(self._having(other, known[other]), at)
            possible &= table.having(place, letters)
        for i in _numbers(possible):
            word = table.words[i]
            if word in words:
                continue
            if next(self.steps, None) is None:
                raise Stopped("there are too many fills to list")
            if not depth and self.fills.mirror:
                self._only_after(i, self.fills.mirror[0])
            after = list(known)
            for place, other, at in self.meets[depth]:
                row = after[other]
                after[other] = row[:at] + word[place] + row[at + 1 :]
            if is_last:
                yield [*words, word], after
            else:
                yield from self._rows(depth + 1, after, [*words, word])

    def every(self) -> Iterator[Fill]:
        """Yield the fills that count."""
        blank = [" " * len(slot) for slot in self.fills.slots]
        places = sorted(range(len(blank)), key=[*self.order, *self.crossing].__getitem__)
        in_place = itemgetter(*places) if len(places) > 1 else tuple
        for words, known in self._rows(0, blank, []):
            for rest in itertools.product(*[self._match(number, known[number]) for number in self.crossing]):
                both = (*words, *rest)
                if len(set(both)) == len(both):
                    if next(self.steps, None) is None:
                        raise Stopped("there are too many fills to list")
                    yield in_place(both)

    def _only_after(self, word: int, twin: int) -> None:
        """Restrict the mirror of the first slot to later words, which excludes mirror images."""
        self.start[twin] = self.whole & -1 << word + 1
        self.allowed[twin].clear()
        self.matching[twin].clear()

    def _having(self, number: int, known: str) -> Bits:
        words = self.start[number]
        for place, letter in enumerate(known):
            if letter != " ":
                words &= self.tables[number].with_letter[place].get(letter, 0)
        return words

    def _match(self, number: int, known: str) -> list[str]:
        found = self.matching[number].get(known)
        if found is None:
            words = self.tables[number].words
            found = self.matching[number][known] = [words[i] for i in _numbers(self._having(number, known))]
        return found


class _Search:
    """One search in random order that branches on the slot with the fewest words and propagates."""

    def __init__(self, fills: Fills, random: Random, most_steps: int) -> None:
        self.fills = fills
        self.random = random
        self.left = most_steps
        self.taken = 0
        self.tables = [fills.tables[len(slot)] for slot in fills.slots]
        self.crosses = [
            [(place, *use) for place, cell in enumerate(slot) for use in fills.uses[cell] if use[0] != number]
            for number, slot in enumerate(fills.slots)
        ]

    def found(self, start: Sequence[Bits]) -> Fill | None:
        """Return a fill or None. If it is None and steps are left, there is no fill."""
        domains = list(start)
        if not self._agree(domains, list(range(len(domains)))):
            return None
        return self._from(domains)

    def _from(self, domains: list[Bits]) -> Fill | None:
        sizes = [domain.bit_count() for domain in domains]
        if max(sizes, default=1) == 1:
            return tuple(table.words[domain.bit_length() - 1] for table, domain in zip(self.tables, domains))
        number = min((size, i) for i, size in enumerate(sizes) if size > 1)[1]
        options = list(_numbers(domains[number]))
        self.random.shuffle(options)
        for option in options:
            if self.left <= 0:
                return None
            self.left -= 1
            self.taken += 1
            after = list(domains)
            after[number] = 1 << option
            if self._agree(after, [number]):
                found = self._from(after)
                if found is not None:
                    return found
        return None

    def _agree(self, domains: list[Bits], changed: list[int]) -> bool:
        """Propagate crossings and used words to a fixed point; False if a slot has no words."""
        waiting = dict.fromkeys(changed)
        while waiting:
            number = next(iter(waiting))
            del waiting[number]
            domain, table = domains[number], self.tables[number]
            smaller: dict[int, Bits] = {}
            if domain & (domain - 1) == 0:
                for other, slot in enumerate(self.fills.slots):
                    if other != number and len(slot) == len(self.fills.slots[number]):
                        smaller[other] = domains[other] & ~domain
            for place, other, at in self.crosses[number]:
                letters = table.letters(domain, place)
                smaller[other] = smaller.get(other, domains[other]) & self.tables[other].having(at, letters)
            for other, words in smaller.items():
                if not words:
                    return False
                if words != domains[other]:
                    domains[other] = words
                    waiting[other] = None
        return bool(all(domains))
