"""Deterministic automata for patterns (a small part of regular expressions) and lengths of runs.

A pattern becomes positions that each read one character, with the positions that may follow each
(Glushkov's construction: "The Abstract Theory of Automata", 1961). Sets of positions become the
states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from puzzlekit.dataclass import dataclass
from puzzlekit.lang.expressions.values import ExpressionError

MOST_CHARACTERS = 500  # of a pattern, with repetitions expanded
MOST_STATES = 1_000
MOST_LEVELS = 30  # of nested parentheses

Steps = tuple[Mapping[Any, int], ...]  # of each state: the next state by the value that is read


def of_runs(lengths: Sequence[int]) -> tuple[Steps, frozenset[int]]:
    """Return the steps and accepting states of the automaton for runs of true of these lengths.

    >>> of_runs([1])
    (({False: 0, True: 1}, {False: 2}, {False: 2}), frozenset({1, 2}))
    """
    steps: list[dict[Any, int]] = []
    for length in lengths:
        gap = len(steps)
        steps.append({False: gap, True: gap + 1})
        steps.extend({True: gap + read + 1} for read in range(1, length))
        steps.append({False: gap + length + 1})
    last = len(steps)
    steps.append({False: last})
    accepting = {last}
    if lengths:  # the last run may end the row
        accepting.add(last - 1)
    return tuple(steps), frozenset(accepting)


def of_product(
    target: int, values: Iterable[int], most: int
) -> tuple[Steps, frozenset[int]] | None:
    """Return the automaton that accepts the rows of values whose product is a number.

    Its states are divisors of the number.

    Args:
        target: The number, which is not 0.
        values: The values.
        most: The most states.

    Returns:
        The steps and the accepting states; None if there are more than `most` states.
    """
    factors = [value for value in dict.fromkeys(values) if value and target % value == 0]
    divisors = [1]
    state_of = {1: 0}
    steps: list[dict[Any, int]] = []
    for divisor in divisors:  # grows in the loop
        step: dict[Any, int] = {}
        for value in factors:
            if target // divisor % value == 0:
                product = divisor * value
                if product not in state_of:
                    state_of[product] = len(divisors)
                    divisors.append(product)
                step[value] = state_of[product]
        steps.append(step)
        if len(divisors) > most:
            return None
    accepting = {state_of[target]} if target in state_of else set[int]()
    return tuple(steps), frozenset(accepting)


def of_run_rows(
    rows: Collection[tuple[int, ...]], cyclic: bool, ascending: bool, spend: Callable[[int], None]
) -> tuple[Steps, frozenset[int]]:
    """Return the automaton for runs whose lengths are one of the rows.

    Args:
        rows: The rows of lengths.
        cyclic: Whether the first item comes after the last. A run across the end is the first one.
        ascending: Whether the lengths are sorted.
        spend: Counts steps.

    Returns:
        The steps and the accepting states.

    Raises:
        ExpressionError: The automaton has too many states.

    >>> of_run_rows([(2,)], True, False, lambda steps: None)[0][:2]
    ({False: 1, True: 2}, {False: 1, True: 3})
    """
    states = [_RunsRead(open_run=None if cyclic else 0)]
    numbers = {states[0]: 0}
    steps: list[dict[Any, int]] = []
    for state in states:  # grows in the loop
        step: dict[Any, int] = {}
        for value in (False, True):
            reached = state.after(value, ascending)
            spend(len(rows))
            if any(reached.leads_to(row, ascending) for row in rows):
                if reached not in numbers:
                    numbers[reached] = len(states)
                    states.append(reached)
                step[value] = numbers[reached]
        if len(states) > MOST_STATES:
            raise ExpressionError(
                f"these runs have more than {MOST_STATES:,} states",
                help="compare them with fewer or shorter rows",
            )
        steps.append(step)
    accepting = (state for state in states if state.lengths(ascending) in rows)
    return tuple(steps), frozenset(numbers[state] for state in accepting)


@dataclass(frozen=True)
class _RunsRead:
    """The runs that have been read of a row of conditions.

    Attributes:
        opening: The length of a run at the start of a cyclic row, which may go on at the end.
        ended: The lengths of the runs after it that have ended.
        open_run: The length so far of the run that is read, 0 without one; None as long as the
            opening run lasts.
    """

    opening: int = 0
    ended: tuple[int, ...] = ()
    open_run: int | None = 0

    def after(self, value: bool, ascending: bool) -> _RunsRead:
        """Return the runs that have been read after one more value."""
        if self.open_run is None:
            return replace(self, opening=self.opening + 1) if value else replace(self, open_run=0)
        if value or not self.open_run:
            return replace(self, open_run=self.open_run + value)
        ended = (*self.ended, self.open_run)
        return _RunsRead(self.opening, tuple(sorted(ended)) if ascending else ended, 0)

    def lengths(self, ascending: bool) -> tuple[int, ...]:
        """Return the lengths of all runs if the row ends here."""
        last = self.open_run or 0
        if self.opening:
            lengths = (self.opening + last, *self.ended)
        else:
            lengths = (*self.ended, last) if last else self.ended
        return tuple(sorted(lengths)) if ascending else lengths

    def leads_to(self, row: tuple[int, ...], ascending: bool) -> bool:
        """Return whether the lengths may become those of the row; False only if they cannot."""
        if ascending:
            return self._leads_to_sorted(row)
        if self.opening and row[:1] < (self.opening,):
            return False
        inner = row[1:] if self.opening else row  # without the run across the end
        count = len(self.ended)
        if inner[:count] != self.ended:
            return False
        next_length = inner[count : count + 1]
        if not next_length and self.opening:
            next_length = row[:1]
        return not self.open_run or next_length >= (self.open_run,)

    def _leads_to_sorted(self, row: tuple[int, ...]) -> bool:
        remaining = Counter(row)
        remaining.subtract(self.ended)
        if min(remaining.values(), default=0) < 0:
            return False
        longest = max((length for length, count in remaining.items() if count), default=0)
        return max(self.opening, self.open_run or 0) <= longest


def opposite(
    steps: Steps, accepting: frozenset[int], values: Iterable[Any]
) -> tuple[Steps, frozenset[int]]:
    """Return the automaton that accepts the rows of these values that the given one rejects."""
    trap = len(steps)  # the state after a value that the given automaton has no step for
    to_trap = dict.fromkeys(values, trap)
    completed = (*({**to_trap, **step} for step in steps), to_trap)
    return completed, frozenset(range(trap + 1)) - accepting


AGAIN = 30  # the steps of reading a fragment again
SPECIAL = ".[]()*+?{}|\\"
START = -1  # before the first position


@dataclass(frozen=True)
class _Fragment:
    """A piece of a pattern: whether it may be empty, and the positions at its start and its end."""

    empty: bool
    first: frozenset[int] = frozenset()
    last: frozenset[int] = frozenset()

    def optional(self) -> _Fragment:
        """Return the fragment, which may also be empty."""
        return replace(self, empty=True)


def compiled(
    pattern: str, characters: Iterable[str], spend: Callable[[int], None]
) -> tuple[Steps, frozenset[int]]:
    """Return the automaton for rows that match the pattern.

    Args:
        pattern: The pattern, which describes the entire row.
        characters: All characters that the rows may have.
        spend: Counts steps.

    Returns:
        The steps and the accepting states.

    Raises:
        ExpressionError: The pattern is wrong, or has too many states.

    >>> compiled("a*b", "ab", lambda steps: None)
    (({'a': 1, 'b': 2}, {'a': 1, 'b': 2}, {}), frozenset({2}))
    """
    spend(len(pattern))
    parser = _PatternParser(pattern, spend)
    fragment = parser.parse()
    alphabet = tuple(dict.fromkeys(characters))
    # a state is the set of positions that may have been read last; START means that none was
    follow = {START: fragment.first, **dict(enumerate(parser.follow))}
    states = [frozenset({START})]
    numbers = {states[0]: 0}
    steps: list[dict[str, int]] = []
    for state in states:  # grows in the loop
        following = _union(follow[position] for position in state)
        step = {}
        for character in alphabet:
            spend(len(following) + 1)
            reached = frozenset(
                position for position in following if parser.reads(position, character)
            )
            if reached:
                if reached not in numbers:
                    numbers[reached] = len(states)
                    states.append(reached)
                step[character] = numbers[reached]
        if len(states) > MOST_STATES:
            raise ExpressionError(
                f"this pattern has more than {MOST_STATES:,} states",
                help="shorten it, or split it into several",
            )
        steps.append(step)
    accepting = set()
    for state in states:
        if state & fragment.last or (fragment.empty and START in state):
            accepting.add(numbers[state])
    return tuple(steps), frozenset(accepting)


class _PatternParser:
    """Parses a pattern from left to right, and numbers its positions.

    Attributes:
        pattern: The pattern.
        offset: The offset of the next character.
        end: The offset at which to stop.
        depth: The number of open parentheses.
        sets: For each position, characters, and whether it reads these or all others.
        follow: For each position, those that may come next.
    """

    def __init__(self, pattern: str, spend: Callable[[int], None]) -> None:
        self.pattern = pattern
        self.spend = spend
        self.offset = 0
        self.end = len(pattern)
        self.depth = 0
        self.sets: list[tuple[bool, frozenset[str]]] = []
        self.follow: list[frozenset[int]] = []

    def reads(self, position: int, character: str) -> bool:
        included, characters = self.sets[position]
        return (character in characters) == included

    def parse(self) -> _Fragment:
        """Return the fragment of the entire pattern. Raises ExpressionError."""
        fragment = self._alternatives()
        if self.offset < len(self.pattern):
            raise self._error("this ) has no matching (")
        return fragment

    def _next(self) -> str:
        return self.pattern[self.offset] if self.offset < self.end else ""

    def _error(self, message: str, offset: int | None = None) -> ExpressionError:
        if offset is None:
            offset = self.offset
        return ExpressionError(
            f"the pattern {self.pattern[:40]!r} is wrong at character {offset + 1}: {message}"
        )

    def _alternatives(self) -> _Fragment:
        fragments = [self._sequence()]
        while self._next() == "|":
            self.offset += 1
            fragments.append(self._sequence())
        empty = any(fragment.empty for fragment in fragments)
        first = _union(fragment.first for fragment in fragments)
        last = _union(fragment.last for fragment in fragments)
        return _Fragment(empty, first, last)

    def _sequence(self) -> _Fragment:
        sequence = _Fragment(True)
        while self._next() not in ("", "|", ")"):
            sequence = self._joined(sequence, self._repeated())
        return sequence

    def _joined(self, left: _Fragment, right: _Fragment) -> _Fragment:
        """Return the sequence of two fragments, and note that the second follows the first."""
        for position in left.last:
            self.spend(len(right.first) + 1)
            self.follow[position] |= right.first
        first = left.first | right.first if left.empty else left.first
        last = left.last | right.last if right.empty else right.last
        return _Fragment(left.empty and right.empty, first, last)

    def _repeated(self) -> _Fragment:
        start = self.offset
        fragment = self._single()
        while sign := self._next():
            if sign in "*+":
                self.offset += 1
                self._joined(fragment, fragment)
                if sign == "*":
                    fragment = fragment.optional()
            elif sign == "?":
                self.offset += 1
                fragment = fragment.optional()
            elif sign == "{":
                fragment = self._repeated_in_range(start, fragment)
            else:
                break
        return fragment

    def _repeated_in_range(self, start: int, fragment: _Fragment) -> _Fragment:
        """Repeat the fragment that starts at an offset as often as the braces here allow.

        It is read again for each time after the first.
        """
        opened = self.offset
        least, most, closed = self._bounds()
        if not least:
            fragment = fragment.optional()
        repeated = fragment if most != 0 else _Fragment(True)
        for time in range(1, max(least, most or 1)):
            fragment = self._again(start, opened)
            repeated = self._joined(repeated, fragment if time < least else fragment.optional())
        if most is None:
            self._joined(fragment, fragment)
        self.offset = closed
        return repeated

    def _bounds(self) -> tuple[int, int | None, int]:
        """Return the least and the most repetitions in braces, and the offset after these."""
        inside, brace, _ = self.pattern[self.offset + 1 :].partition("}")
        low, comma, high = inside.partition(",")
        if not brace or not _is_number(low) or (high and not _is_number(high)):
            raise self._error("expected a number of repetitions: {2}, {2,} or {2,4}")
        least = int(low)
        most: int | None = int(high or low)
        if comma and not high:
            most = None
        if most is not None and most < least:
            raise self._error("the first number is greater than the second")
        if max(least, most or 0) > MOST_CHARACTERS:
            raise self._error(f"a part can be repeated at most {MOST_CHARACTERS} times")
        return least, most, self.offset + len(inside) + 2

    def _again(self, start: int, end: int) -> _Fragment:
        self.spend(AGAIN)
        outer_end = self.end
        self.offset = start
        self.end = end
        fragment = self._repeated()
        self.offset = end
        self.end = outer_end
        return fragment

    def _single(self) -> _Fragment:
        sign = self._next()
        if sign == "(":
            return self._group()
        if sign == "[":
            return self._set()
        if sign == ".":
            self.offset += 1
            return self._new_position(False, frozenset())
        return self._new_position(True, frozenset(self._character(SPECIAL)))

    def _group(self) -> _Fragment:
        opened = self.offset
        self.offset += 1
        self.depth += 1
        if self.depth > MOST_LEVELS:
            raise self._error(f"parentheses can be nested at most {MOST_LEVELS} levels deep")
        fragment = self._alternatives()
        if self._next() != ")":
            raise self._error("this parenthesis is not closed", opened)
        self.depth -= 1
        self.offset += 1
        return fragment

    def _set(self) -> _Fragment:
        opened = self.offset
        self.offset += 1
        included = self._next() != "^"
        if not included:
            self.offset += 1
        characters: set[str] = set()
        while self._next() != "]":
            if not self._next():
                raise self._error("this [ is not closed", opened)
            characters |= self._range_of_characters()
        if not characters:
            raise self._error("there is nothing between [ and ]", opened)
        self.offset += 1
        return self._new_position(included, frozenset(characters))

    def _range_of_characters(self) -> set[str]:
        """Return a character of a set, or those from one to another."""
        start = self.offset
        low = self._character("[\\")
        high = low
        after = self.pattern[self.offset + 1 : self.offset + 2]
        if self._next() == "-" and after not in ("]", ""):
            self.offset += 1
            high = self._character("[\\")
        if high < low or ord(high) - ord(low) > MOST_CHARACTERS:
            raise self._error(
                "a range must run from a character to a later one, not too far away", start
            )
        return {*map(chr, range(ord(low), ord(high) + 1))}

    def _character(self, special: str) -> str:
        character = self._next()
        if character == "\\":
            self.offset += 1
            character = self._next()
            if not character or (character.isalnum() and character.isascii()):
                raise self._error("\\ must be followed by a special character", self.offset - 1)
        elif character in special:
            if character in "*+?{":
                raise self._error(f"there is nothing before {character} to repeat")
            raise self._error(f"to match {character}, write \\{character}")
        self.offset += 1
        return character

    def _new_position(self, included: bool, characters: frozenset[str]) -> _Fragment:
        """Add a position that reads these characters, or all but these."""
        self.spend(len(characters) + 1)
        if len(self.sets) >= MOST_CHARACTERS:
            raise self._error(
                f"it matches more than {MOST_CHARACTERS} characters, with repetitions expanded"
            )
        position = frozenset({len(self.sets)})
        self.sets.append((included, characters))
        self.follow.append(frozenset())
        return _Fragment(False, position, position)


def _union(sets: Iterable[frozenset[int]]) -> frozenset[int]:
    return frozenset().union(*sets)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 4
