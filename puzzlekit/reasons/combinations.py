"""The values that unknowns can have, and sets of them, where a sum or another function of a few
unknowns is given.

A sum is filtered by dynamic programming over its partial sums, forward and backward: Trick, "A
dynamic programming approach for consistency and propagation for knapsack constraints" (2003).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

MOST_SETS = 12  # of values, which are told

# for each unknown, the numbers that it may have; a truth is 0 or 1
Choices = tuple[tuple[int, ...], ...]
Sets = tuple[tuple[int, ...], ...]
State = tuple[int, int]  # the numbers so far, as bits if they differ, and their sum


class Additions:
    """Choices of numbers that add up to a total.

    Attributes:
        choices: The numbers to choose from.
        total: The total; None if all totals are allowed.
        distinct: Whether the numbers differ.
    """

    def __init__(self, choices: Choices, total: int | None, distinct: bool) -> None:
        self.choices, self.total, self.distinct = choices, total, distinct
        self._numbers = sorted({number for numbers in choices for number in numbers})
        self._bits = dict.fromkeys(self._numbers, 0)
        if distinct:
            self._bits = {number: 1 << bit for bit, number in enumerate(self._numbers)}
        # the unknowns with few choices come first
        self._order = sorted(range(len(choices)), key=lambda index: len(choices[index]))
        self._layers = self._forward() if all(choices) else []
        self.supported = self._backward() if self._layers and self._layers[-1] else None

    def _forward(self) -> list[set[State]]:
        """Return the states after each choice, from which the total can still be reached."""
        layers: list[set[State]] = [{(0, 0)}]
        for index, (low, high) in zip(self._order, self._bounds()):
            steps = [(number, self._bits[number]) for number in self.choices[index]]
            layer = set[State]()
            for used, total in layers[-1]:
                for number, bit in steps:
                    next_total = total + number
                    if not used & bit and low <= next_total <= high:
                        layer.add((used | bit, next_total))
            layers.append(layer)
        return layers

    def _bounds(self) -> Sequence[tuple[float, float]]:
        """Return the least and the greatest sum after each choice."""
        if self.total is None:
            return [(float("-inf"), float("inf"))] * len(self._order)
        bounds = []
        low = high = self.total
        for index in reversed(self._order):
            bounds.append((low, high))
            low -= max(self.choices[index])
            high -= min(self.choices[index])
        return bounds[::-1]

    def _backward(self) -> tuple[frozenset[int], ...] | None:
        """Return the numbers of each unknown that occur in a choice for all of them."""
        supported: list[frozenset[int]] = [frozenset()] * len(self.choices)
        alive = self._layers[-1]
        for position in range(len(self._order) - 1, -1, -1):
            index = self._order[position]
            numbers = set[int]()
            before = set[State]()
            for used, total in self._layers[position]:
                for number in self.choices[index]:
                    bit = self._bits[number]
                    if not used & bit and (used | bit, total + number) in alive:
                        numbers.add(number)
                        before.add((used, total))
            supported[index] = frozenset(numbers)
            self._layers[position] = alive = before
        return tuple(supported)

    def sets(self) -> Sets:
        """Return the sets of numbers that add up to the total, but for zeros; nothing if there are
        too many to be told.
        """
        if self.supported is None:
            return ()
        sets: dict[State, set[tuple[int, ...]]] = {state: {()} for state in self._layers[-1]}
        if self.distinct:
            if len(self._layers[-1]) > MOST_SETS:
                return ()
            return tuple(sorted(self._numbers_of(used) for used, _ in self._layers[-1]))
        for position in range(len(self._order) - 1, -1, -1):
            sets = self._extended(sets, position)
            if any(len(each) > MOST_SETS for each in sets.values()):
                return ()
        return tuple(sorted(sets[0, 0]))

    def _numbers_of(self, used: int) -> tuple[int, ...]:
        return tuple(number for number in self._numbers if used & self._bits[number])

    def _extended(
        self, sets: dict[State, set[tuple[int, ...]]], position: int
    ) -> dict[State, set[tuple[int, ...]]]:
        """Return the sets of the numbers that come from a position on, by state."""
        extended: dict[State, set[tuple[int, ...]]] = {}
        for state in self._layers[position]:
            used, total = state
            of_state = extended[state] = set()
            for number in self.choices[self._order[position]]:
                first = (number,) if number else ()
                for rest in sets.get((used, total + number), ()):
                    of_state.add(tuple(sorted((*first, *rest))))
        return extended


@lru_cache(maxsize=20_000)
def addition_support(
    choices: Choices, total: int | None, distinct: bool
) -> tuple[frozenset[int], ...] | None:
    """Return the numbers of each unknown that occur in a choice with a total; None if there is no
    such choice.
    """
    return Additions(choices, total, distinct).supported


@lru_cache(maxsize=4_000)
def addition_sets(choices: Choices, total: int, distinct: bool) -> Sets:
    """Return the sets of numbers with a total, as far as they can be told."""
    return Additions(choices, total, distinct).sets()


class Rows:
    """The rows of a table of numbers, with the conditions that each of them satisfies.

    Attributes:
        numbers: The numbers, a column for each unknown.
        satisfied: For each condition, whether a row satisfies it.
    """

    def __init__(self, numbers: NDArray[np.int64], satisfied: dict[int, NDArray[np.bool_]]) -> None:
        self.numbers, self.satisfied = numbers, satisfied

    def _remaining(self, choices: Choices, conditions: Iterable[int]) -> NDArray[np.int64]:
        """Return the rows that satisfy conditions and consist of these choices."""
        remaining = np.ones(len(self.numbers), dtype=bool)
        for condition in conditions:
            remaining &= self.satisfied[condition]
        rows = self.numbers[remaining]
        for index, numbers in enumerate(choices):
            column = rows[:, index]
            rows = rows[np.logical_or.reduce([column == number for number in numbers])]
        return rows

    def support(
        self, choices: Choices, conditions: Collection[int]
    ) -> tuple[frozenset[int], ...] | None:
        """Return the numbers of each unknown in the rows; None if there are none."""
        if not all(choices):
            return None
        rows = self._remaining(choices, conditions)
        if not len(rows):
            return None
        return tuple(frozenset(column.tolist()) for column in rows.T)

    def sets(self, choices: Choices, conditions: Collection[int], columns: Sequence[int]) -> Sets:
        """Return the sets of numbers in some columns of the rows; nothing if they are too many to
        be told.
        """
        rows = self._remaining(choices, conditions)[:, list(columns)]
        sets = np.unique(np.sort(rows, axis=1), axis=0)
        if len(sets) > MOST_SETS:
            return ()
        return tuple(map(tuple, sets.tolist()))
