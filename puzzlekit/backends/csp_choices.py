"""What the backtracking search decides at a time: a variable's value, or which of some literals is the one that holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from puzzlekit.backends.csp_rules import Counted, Live, Rule, bits


@dataclass(frozen=True)
class Choice:
    """Alternatives of which exactly one comes: each says what is then left of every variable of the choice."""

    alternatives: tuple[tuple[tuple[int, int], ...], ...]
    telling: tuple[tuple[int, int], ...]  # of each alternative, a variable and the value without which it cannot come
    only: int = -1  # the variable, where all are about one

    def possible(self, live: Live) -> list[int]:
        """The alternatives that may still come."""
        return [place for place, (number, bit) in enumerate(self.telling) if live[number] & bit]

    def lost(self, before: Live, live: Live) -> list[int]:
        """The alternatives that could come before, and now cannot."""
        return [place for place, (number, bit) in enumerate(self.telling) if before[number] & bit and not live[number] & bit]


def choices(rules: Sequence[Rule], start: Live, undecided: Sequence[int]) -> list[Choice]:
    """Choices that decide all of these variables, where the rules leave of each what `start` says.

    Where exactly one of some literals holds, to choose that one decides them all: so a board of truths is not decided truth by
    truth. Such rules that share variables compete; of those in their order and in the opposite one, the better are taken.
    """
    ways = [_disjoint(some, start) for some in (rules, [*reversed(rules)])]
    taken = max(ways, key=lambda way: sum(map(len, way)))
    joined = {number for literals in taken for number, _ in literals}
    alone = [number for number in undecided if number not in joined]
    return [*(_of_value(number, start[number]) for number in alone), *(_of_literals(literals, start) for literals in taken)]


def _disjoint(rules: Sequence[Rule], start: Live) -> list[list[tuple[int, int]]]:
    """The open literals of rules of which exactly one holds, of variables of two values, no variable twice."""
    seen: set[int] = set()
    found = []
    for rule in rules:
        if isinstance(rule, Counted) and rule.low == rule.high == 1:
            literals = [(number, bit) for number, bit in rule.literals if start[number] & bit and start[number] != bit]
            numbers = {number for number, _ in literals}
            pairs = all((start[number] ^ bit).bit_count() == 1 for number, bit in literals)
            if len(numbers) == len(literals) > 2 and pairs and seen.isdisjoint(numbers):
                seen |= numbers
                found.append(literals)
    return found


def _of_value(number: int, mask: int) -> Choice:
    values = tuple((number, bit) for bit in bits(mask))
    return Choice(tuple((value,) for value in values), values, number)


def _of_literals(literals: Sequence[tuple[int, int]], start: Live) -> Choice:
    denied = {number: start[number] ^ bit for number, bit in literals}
    alternatives = tuple(tuple({**denied, number: bit}.items()) for number, bit in literals)
    return Choice(alternatives, tuple(literals))
