"""What the backtracking search decides at a time: a variable's value, or which of some literals is the one that holds."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.backends.csp_rules import Counted, Live, Rule, bits

Choice = tuple[tuple[int, int], ...]  # literals of which exactly one holds, and that one decides the variables of all


def choices(rules: Sequence[Rule], start: Live, undecided: Sequence[int]) -> list[Choice]:
    """Choices that decide all of these variables, where the rules leave of each what `start` says.

    Where exactly one of some literals holds, to choose that one decides them all: so a board of truths is not decided truth by
    truth. Such rules that share variables compete; of those in their order and in the opposite one, the better are taken.
    """
    ways = [_disjoint(some, start) for some in (rules, [*reversed(rules)])]
    taken = max(ways, key=lambda way: sum(map(len, way)))
    joined = {number for literals in taken for number, _ in literals}
    return [*(tuple((number, bit) for bit in bits(start[number])) for number in undecided if number not in joined), *taken]


def _disjoint(rules: Sequence[Rule], start: Live) -> list[Choice]:
    """The open literals of rules of which exactly one holds, of variables of two values, no variable twice."""
    seen: set[int] = set()
    found = []
    for rule in rules:
        if isinstance(rule, Counted) and rule.low == rule.high == 1:
            literals = tuple((number, bit) for number, bit in rule.literals if start[number] & bit and start[number] != bit)
            numbers = {number for number, _ in literals}
            pairs = all((start[number] ^ bit).bit_count() == 1 for number, bit in literals)
            if len(numbers) == len(literals) > 2 and pairs and seen.isdisjoint(numbers):
                seen |= numbers
                found.append(literals)
    return found
