"""Deterministic automata for patterns (a small part of regular expressions) and lengths of runs.

A pattern becomes places that each read one character, with the places that may follow each
(Glushkov's construction). Sets of places become the states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from puzzlekit.lang.expressions.values import ExpressionError

MOST_CHARACTERS = 500  # of a pattern, with repetitions expanded
MOST_STATES = 1_000
MOST_LEVELS = 30  # of nested parentheses

Steps = tuple[Mapping[Any, int], ...]


def of_runs(lengths: Sequence[int]) -> tuple[Steps, frozenset[int]]:
    """Return the steps and accepting states of the automaton for runs of true of these lengths.

    >>> of_runs([1])
    (({False: 0, True: 1}, {False: 2}, {False: 2}), frozenset({1, 2}))
    """
    steps: list[dict[Any, int]] = []
    for length in lengths:
        gap = len(steps)
        steps.append({False: gap, True: gap + 1})
        steps.extend({True: gap + place + 1} for place in range(1, length))
        steps.append({False: gap + length + 1})
    last = len(steps)
    steps.append({False: last})
    return tuple(steps), frozenset({last, last - 1 if lengths else last})


def of_product(
    target: int, values: Iterable[int], most: int
) -> tuple[Steps, frozenset[int]] | None:
    """Return the automaton that accepts rows of these values whose product is `target`, which is
    not 0.

    Its states are divisors of the target. None if there are more than `most` of them.
    """
    factors = [value for value in dict.fromkeys(values) if value and target % value == 0]
    numbers, divisors, steps = {1: 0}, [1], list[dict[Any, int]]()
    for divisor in divisors:
        step: dict[Any, int] = {}
        for value in factors:
            if target // divisor % value == 0:
                after = divisor * value
                if after not in numbers:
                    numbers[after] = len(divisors)
                    divisors.append(after)
                step[value] = numbers[after]
        steps.append(step)
        if len(divisors) > most:
            return None
    return tuple(steps), frozenset({numbers[target]} if target in numbers else ())


def of_run_rows(
    rows: Collection[tuple[int, ...]], cyclic: bool, ascending: bool, spend: Callable[[int], None]
) -> tuple[Steps, frozenset[int]]:
    """Return the steps and accepting states of the automaton for runs whose lengths are one of the
    rows.

    Args:
        rows: The rows of lengths.
        cyclic: Whether the first item comes after the last. A run across the end is the first one.
        ascending: Whether the lengths are sorted.
        spend: Counts steps.

    Raises:
        ExpressionError: The automaton has too many states.

    >>> of_run_rows([(2,)], True, False, lambda steps: None)[0][:2]
    ({False: 1, True: 2}, {False: 1, True: 3})
    """
    states = [_RunsRead(current=None if cyclic else 0)]
    number = {states[0]: 0}
    steps: list[dict[Any, int]] = []
    for state in states:  # grows in the loop
        step: dict[Any, int] = {}
        for value in (False, True):
            reached = state.after(value, ascending)
            spend(len(rows))
            if any(reached.leads_to(row, ascending) for row in rows):
                if reached not in number:
                    number[reached] = len(states)
                    states.append(reached)
                step[value] = number[reached]
        if len(states) > MOST_STATES:
            raise ExpressionError(
                f"these runs have more than {MOST_STATES:,} states",
                help="compare them with fewer or shorter rows",
            )
        steps.append(step)
    return tuple(steps), frozenset(
        number[state] for state in states if state.lengths(ascending) in rows
    )


@dataclass(frozen=True)
class _RunsRead:
    """What has been read of a row of conditions.

    Attributes:
        opening: The length of a run at the start of a cyclic row, which may go on at the end.
        ended: The lengths of the other runs that have ended.
        current: The length of the run so far, 0 without one; None as long as the opening run lasts.
    """

    opening: int = 0
    ended: tuple[int, ...] = ()
    current: int | None = 0

    def after(self, value: bool, ascending: bool) -> _RunsRead:
        """Return what has been read after one more value."""
        if self.current is None:
            return replace(self, opening=self.opening + 1) if value else replace(self, current=0)
        if value or not self.current:
            return replace(self, current=self.current + value)
        ended = (*self.ended, self.current)
        return _RunsRead(self.opening, tuple(sorted(ended)) if ascending else ended, 0)

    def lengths(self, ascending: bool) -> tuple[int, ...]:
        """Return the lengths of all runs if the row ends here."""
        last = self.current or 0
        found = (
            (self.opening + last, *self.ended)
            if self.opening
            else (*self.ended, *([last] if last else ()))
        )
        return tuple(sorted(found)) if ascending else found

    def leads_to(self, row: tuple[int, ...], ascending: bool) -> bool:
        """Return whether the lengths may become those of the row; False only if they cannot."""
        longest = max(self.opening, self.current or 0)
        if ascending:
            left = Counter(row)
            left.subtract(self.ended)
            return min(left.values(), default=0) >= 0 and longest <= max(
                (length for length in left if left[length]), default=0
            )
        if self.opening and row[:1] < (self.opening,):
            return False
        rest = row[1:] if self.opening else row
        after = rest[len(self.ended) : len(self.ended) + 1] or (row[:1] if self.opening else ())
        return rest[: len(self.ended)] == self.ended and (
            not self.current or after >= (self.current,)
        )


def opposite(
    steps: Steps, accepting: frozenset[int], values: Iterable[Any]
) -> tuple[Steps, frozenset[int]]:
    """Return the automaton that accepts the rows of these values that the given one rejects."""
    nowhere = len(steps)
    every = dict.fromkeys(values, nowhere)
    return (*({**every, **step} for step in steps), every), frozenset(
        range(nowhere + 1)
    ) - accepting


AGAIN = 30  # the steps of reading a part again
SPECIAL = ".[]()*+?{}|\\"


@dataclass(frozen=True)
class _Fragment:
    """A part of a pattern: whether it may be empty, and the places where it may begin and end."""

    empty: bool
    first: frozenset[int] = frozenset()
    last: frozenset[int] = frozenset()


def compiled(
    pattern: str, characters: Iterable[str], spend: Callable[[int], None]
) -> tuple[Steps, frozenset[int]]:
    """Return the steps and accepting states of the automaton for rows that match the pattern.

    Args:
        pattern: The pattern, which describes the whole row.
        characters: All characters that the rows may have.
        spend: Counts steps.

    Raises:
        ExpressionError: The pattern is wrong, or has too many states.

    >>> compiled("a*b", "ab", lambda steps: None)
    (({'a': 1, 'b': 2}, {'a': 1, 'b': 2}, {}), frozenset({2}))
    """
    spend(len(pattern))
    reader = _PatternReader(pattern, spend)
    whole = reader.whole()
    alphabet = tuple(dict.fromkeys(characters))
    # a state is the set of places that may have been read last; -1 means that none was
    follow = {-1: whole.first, **dict(enumerate(reader.follow))}
    states = [frozenset({-1})]
    number = {states[0]: 0}
    steps: list[dict[str, int]] = []
    for state in states:  # grows in the loop
        nexts = _all(follow[place] for place in state)
        step = {}
        for character in alphabet:
            spend(len(nexts) + 1)
            reached = frozenset(place for place in nexts if reader.reads(place, character))
            if reached:
                if reached not in number:
                    number[reached] = len(states)
                    states.append(reached)
                step[character] = number[reached]
        if len(states) > MOST_STATES:
            raise ExpressionError(
                f"this pattern has more than {MOST_STATES:,} states",
                help="shorten it, or split it into several",
            )
        steps.append(step)
    accepting = frozenset(
        number[state] for state in states if state & whole.last or (whole.empty and -1 in state)
    )
    return tuple(steps), accepting


class _PatternReader:
    """Reads a pattern from left to right."""

    def __init__(self, pattern: str, spend: Callable[[int], None]) -> None:
        self.pattern = pattern
        self.spend = spend
        self.at, self.end = 0, len(pattern)  # the part that is being read
        self.depth = 0
        # for each place: whether it reads these characters or all others
        self.sets: list[tuple[bool, frozenset[str]]] = []
        self.follow: list[frozenset[int]] = []

    def reads(self, place: int, character: str) -> bool:
        these, characters = self.sets[place]
        return (character in characters) == these

    def whole(self) -> _Fragment:
        part = self._either()
        if self.at < len(self.pattern):
            raise self._wrong("this ) has no matching (")
        return part

    def _next(self) -> str:
        return self.pattern[self.at] if self.at < self.end else ""

    def _wrong(self, what: str, at: int | None = None) -> ExpressionError:
        place = self.at if at is None else at
        return ExpressionError(
            f"the pattern {self.pattern[:40]!r} is wrong at character {place + 1}: {what}"
        )

    def _either(self) -> _Fragment:
        parts = [self._sequence()]
        while self._next() == "|":
            self.at += 1
            parts.append(self._sequence())
        return _Fragment(
            any(part.empty for part in parts),
            _all(part.first for part in parts),
            _all(part.last for part in parts),
        )

    def _sequence(self) -> _Fragment:
        made = _Fragment(True)
        while self._next() not in ("", "|", ")"):
            made = self._joined(made, self._repeated())
        return made

    def _joined(self, one: _Fragment, other: _Fragment) -> _Fragment:
        for place in one.last:
            self.spend(len(other.first) + 1)
            self.follow[place] |= other.first
        first = one.first | other.first if one.empty else one.first
        last = one.last | other.last if other.empty else other.last
        return _Fragment(one.empty and other.empty, first, last)

    def _repeated(self) -> _Fragment:
        begin = self.at
        part = self._single()
        while sign := self._next():
            if sign in "*+":
                self.at += 1
                self._joined(part, part)
                part = _Fragment(sign == "*" or part.empty, part.first, part.last)
            elif sign == "?":
                self.at += 1
                part = _Fragment(True, part.first, part.last)
            elif sign == "{":
                part = self._times(begin, part)
            else:
                break
        return part

    def _times(self, begin: int, part: _Fragment) -> _Fragment:
        """Repeat the part from `begin` to here. It is read again for each time after the first."""
        opened = self.at
        inside, closed, _ = self.pattern[opened + 1 :].partition("}")
        low, comma, high = inside.partition(",")
        if not closed or not _is_number(low) or not (_is_number(high) or not high):
            raise self._wrong("expected a number of repetitions: {2}, {2,} or {2,4}")
        least, most = int(low), (None if comma and not high else int(high or low))
        if most is not None and most < least:
            raise self._wrong("the first number is greater than the second")
        if max(least, most or 0) > MOST_CHARACTERS:
            raise self._wrong(f"a part can be repeated at most {MOST_CHARACTERS} times")
        after = opened + len(inside) + 2
        part = part if least else _Fragment(True, part.first, part.last)
        made = part if most != 0 else _Fragment(True)
        for time in range(1, max(least, most or 1)):
            again = self._again(begin, opened)
            made = self._joined(
                made, again if time < least else _Fragment(True, again.first, again.last)
            )
            part = again
        if most is None:
            self._joined(part, part)
        self.at = after
        return made

    def _again(self, begin: int, end: int) -> _Fragment:
        self.spend(AGAIN)
        before, self.end, self.at = self.end, end, begin
        part = self._repeated()
        self.end, self.at = before, end
        return part

    def _single(self) -> _Fragment:
        sign = self._next()
        if sign == "(":
            return self._group()
        if sign == "[":
            return self._set()
        if sign == ".":
            self.at += 1
            return self._place(False, frozenset())
        return self._place(True, frozenset(self._character(SPECIAL)))

    def _group(self) -> _Fragment:
        opened = self.at
        self.at += 1
        self.depth += 1
        if self.depth > MOST_LEVELS:
            raise self._wrong(f"parentheses can be nested at most {MOST_LEVELS} levels deep")
        part = self._either()
        if self._next() != ")":
            raise self._wrong("this parenthesis is not closed", opened)
        self.depth -= 1
        self.at += 1
        return part

    def _set(self) -> _Fragment:
        opened = self.at
        self.at += 1
        these = self._next() != "^"
        self.at += not these
        found: set[str] = set()
        while self._next() != "]":
            if not self._next():
                raise self._wrong("this [ is not closed", opened)
            begin = self.at
            low = self._character("[\\")
            high = low
            if self._next() == "-" and self.pattern[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                high = self._character("[\\")
            if high < low or ord(high) - ord(low) > MOST_CHARACTERS:
                raise self._wrong(
                    "a range must run from a character to a later one, not too far away", begin
                )
            found.update(map(chr, range(ord(low), ord(high) + 1)))
        if not found:
            raise self._wrong("there is nothing between [ and ]", opened)
        self.at += 1
        return self._place(these, frozenset(found))

    def _character(self, special: str) -> str:
        character = self._next()
        if character == "\\":
            self.at += 1
            character = self._next()
            if not character or (character.isalnum() and character.isascii()):
                raise self._wrong("\\ must be followed by a special character", self.at - 1)
        elif character in special:
            raise self._wrong(
                f"there is nothing before {character} to repeat"
                if character in "*+?{"
                else f"to match {character}, write \\{character}"
            )
        self.at += 1
        return character

    def _place(self, these: bool, characters: frozenset[str]) -> _Fragment:
        self.spend(len(characters) + 1)
        if len(self.sets) >= MOST_CHARACTERS:
            raise self._wrong(
                f"it matches more than {MOST_CHARACTERS} characters, with repetitions expanded"
            )
        place = frozenset({len(self.sets)})
        self.sets.append((these, characters))
        self.follow.append(frozenset())
        return _Fragment(False, place, place)


def _all(sets: Iterable[frozenset[int]]) -> frozenset[int]:
    return frozenset().union(*sets)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 4
