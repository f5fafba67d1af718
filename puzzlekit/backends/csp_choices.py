"""Decisions of the backtracking search: a variable's value, or the true one of some literals."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.backends.csp_rules import CardinalityRule, Live, Rule, bits

# literals of which exactly one holds; choosing it fixes the variables of all
Choice = tuple[tuple[int, int], ...]


def choices(rules: Sequence[Rule], start: Live, undecided: Sequence[int]) -> list[Choice]:
    """Return choices that decide these variables, with the domains in `start`.

    If exactly one of some literals holds, choosing it decides them all, so a board of truths is not
    decided one by one. Rules of this form may share variables and compete. They are selected
    greedily, in their order and in reverse; the better selection is returned.
    """
    ways = [_disjoint(some, start) for some in (rules, [*reversed(rules)])]
    taken = max(ways, key=lambda way: sum(map(len, way)))
    joined = {number for literals in taken for number, _ in literals}
    return [*(tuple((number, bit) for bit in bits(start[number])) for number in undecided if number not in joined), *taken]


def _disjoint(rules: Sequence[Rule], start: Live) -> list[Choice]:
    """Return the open literals of exactly-one rules, on two-valued variables, no variable twice."""
    seen: set[int] = set()
    found = []
    for rule in rules:
        if isinstance(rule, CardinalityRule) and rule.low == rule.high == 1:
            literals = tuple((number, bit) for number, bit in rule.literals if start[number] & bit and start[number] != bit)
            numbers = {number for number, _ in literals}
            pairs = all((start[number] ^ bit).bit_count() == 1 for number, bit in literals)
            if len(numbers) == len(literals) > 2 and pairs and seen.isdisjoint(numbers):
                seen |= numbers
                found.append(literals)
    return found
