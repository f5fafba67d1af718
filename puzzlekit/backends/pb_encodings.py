"""Encode cardinality and pseudo-Boolean (PB) constraints as clauses.

A count of a few literals is one clause per group of them; of more, a totalizer (Bailleux and
Boufkhad, *Efficient CNF Encoding of Boolean Cardinality Constraints*, 2003). A sum is a decision
diagram (Abío, Nieuwenhuis et al., *A New Look at BDDs for Pseudo-Boolean Constraints*, 2012): a
node is a partial total from which the bounds can still be met, and totals with the same future
share a node. Unit propagation on it is complete: it keeps exactly the values of some solution. A
sum whose diagram is too wide is added up in binary, with full adders (Eén and Sörensson,
*Translating Pseudo-Boolean Constraints into SAT*, 2006).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, pairwise, product
from math import comb

import numpy as np
from numpy.typing import NDArray

from puzzlekit.backends.clauses import FALSE, TRUE, Choice, CnfBuilder

PAIRWISE_LITERALS = 6  # up to which "at most one" has a clause per pair
COUNT_CLAUSES = 100  # up to which a count is encoded without new literals
TOTALIZER_SIZE = 50_000  # literals times the bound
DIAGRAM_EDGES = 150_000  # of a decision diagram


def at_most_one(sink: CnfBuilder, literals: Sequence[int]) -> None:
    """Forbid two true literals: by pairs, or by groups, each with a commander literal.

    The commander encoding (Klieber and Kwon, 2007), without the clauses from a commander to its
    group.
    """
    rest = list(literals)
    most = PAIRWISE_LITERALS
    while len(rest) > most:
        group, rest = rest[: most - 2], rest[most - 2 :]
        commander = sink.fresh()  # true if a literal of the group is
        for literal in group:
            sink.clause((-literal, commander))
        _pairs(sink, group)
        rest = [*rest, commander]
    _pairs(sink, rest)


def _pairs(sink: CnfBuilder, literals: Sequence[int]) -> None:
    """Forbid the pairs that are not forbidden yet. Two cells may share two windows of a board, or a
    row and a box.
    """
    apart, by_number = sink.apart, sorted(literals, key=abs)
    if by_number == list(literals):  # the most frequent case
        pairs = [pair for pair in combinations(literals, 2) if pair not in apart]
        apart.update(pairs)
    else:
        found = {*combinations(by_number, 2)} - apart
        pairs = [pair for pair in combinations(literals, 2) if pair in found or pair[::-1] in found]
        apart |= found
    sink.clauses_over(literals, ([-literal, -other] for literal, other in pairs))


def total(sink: CnfBuilder, choices: Sequence[Choice], low: int, high: int) -> None:
    """Require a total weight, with one true literal per choice, within the bounds.

    At least one of the bounds excludes a total.
    """
    weights = {weight for choice in choices for _, weight in choice if weight}
    if len(weights) == 1:
        (unit,) = weights
        counted = [
            _one_of(sink, [literal for literal, weight in choice if weight], len(choice))
            for choice in choices
        ]
        count(sink, counted, -(-low // unit), high // unit)
    elif not _diagram(sink, choices, low, high):
        binary(sink, choices, low, high)


def _one_of(sink: CnfBuilder, literals: Sequence[int], of: int) -> int:
    """Return a literal equal to the disjunction of these; of `of` literals exactly one is true."""
    if len(literals) == of:
        return TRUE
    if len(literals) == 1:
        return literals[0]
    name = sink.fresh()
    for literal in literals:
        sink.clause((-literal, name))
    sink.clause((-name, *literals))
    return name


def count(sink: CnfBuilder, literals: Sequence[int], low: int, high: int) -> None:
    """Require `low` to `high` true literals."""
    if low <= 0 and high == 1:  # the most frequent case
        at_most_one(sink, literals)
        return
    number = len(literals)
    if 2 * low > number:  # count the false ones: there are fewer
        literals, low, high = [-literal for literal in literals], number - high, number - low
    if low > high:
        sink.clause(())
        return
    easy = [low <= 1 or _are_few(number, low - 1), high == 1 or _are_few(number, high + 1)]
    if easy[0] and low > 0:
        _some_of_each(sink, literals, number - low + 1)
    if high == 1:
        at_most_one(sink, literals)
    elif easy[1] and high < number:
        _some_of_each(sink, [-literal for literal in literals], high + 1)
    if not all(easy):
        _counter(sink, literals, 0 if easy[0] else low, number if easy[1] else high)


def _are_few(number: int, size: int) -> bool:
    """Return whether this many things have few groups of this size."""
    size = min(size, number - size)
    most = COUNT_CLAUSES
    # the binomial of a large number would be a huge integer
    return size < 1 or (number <= most and comb(number, size) <= most)


def _some_of_each(sink: CnfBuilder, literals: Sequence[int], size: int) -> None:
    """Require a true literal in each group of this size."""
    sink.clauses_over(literals, map(list, combinations(literals, size)))


def _counter(sink: CnfBuilder, literals: Sequence[int], low: int, high: int) -> None:
    """Count by a totalizer up to the bounds; very many literals are added up in binary."""
    number = len(literals)
    most = min(high + 1, number) if high < number else low
    if number * most > TOTALIZER_SIZE:
        binary(sink, [((-literal, 0), (literal, 1)) for literal in literals], low, high)
        return
    fresh, groups = _totalizer(number, low, high)
    own = [*literals, *range(sink.top + 1, sink.top + fresh + 1)]
    sink.top += fresh
    named = np.array(
        [0, *own, *(-literal for literal in reversed(own))]
    )  # by literal: negative ones count from the end
    sink.clauses_over(literals, [clause for group in groups for clause in named[group].tolist()])


@lru_cache(maxsize=32)
def _totalizer(number: int, low: int, high: int) -> tuple[int, list[NDArray[np.int64]]]:
    """Require `low` to `high` of the literals from 1 to `number`.

    Returns the number of other literals, which follow, and the clauses, those of one length in an
    array.
    """
    made: list[list[int]] = []
    top = number
    most = min(high + 1, number) if high < number else low
    sums: list[Sequence[int]] = [[literal] for literal in range(1, number + 1)]
    while len(sums) > 1:
        merged: list[Sequence[int]] = []
        for one, other in zip(sums[::2], sums[1::2]):
            merged.append(range(top + 1, top + 1 + min(len(one) + len(other), most)))
            top += len(merged[-1])
            made += _merging(one, other, merged[-1], low > 0, high < number)
        sums = [*merged, *sums[len(sums) // 2 * 2 :]]
    if low > 0:
        made.append([sums[0][low - 1]])
    if high < number:
        made.append([-sums[0][high]])
    lengths = sorted(set(map(len, made)))
    return top - number, [
        np.array([clause for clause in made if len(clause) == length]) for length in lengths
    ]


def _merging(
    one: Sequence[int], other: Sequence[int], merged: Sequence[int], down: bool, up: bool
) -> Iterator[list[int]]:
    """Yield clauses that add two unary counts: literal j means more than j are true. `up`, `down`:
    needed bounds.
    """
    if up:
        for i, first in enumerate([(), *((-literal,) for literal in one)]):
            for j, second in enumerate([(), *((-literal,) for literal in other)]):
                if 0 < i + j <= len(merged):
                    yield [merged[i + j - 1], *first, *second]
    if down:
        for i, first in enumerate([*((literal,) for literal in one), ()]):
            for j, second in enumerate([*((literal,) for literal in other), ()]):
                if i + j < len(merged):
                    yield [-merged[i + j], *first, *second]


# for each choice: weight → the literals with this weight
Levels = Sequence[Mapping[int, Sequence[int]]]


def _diagram(sink: CnfBuilder, choices: Sequence[Choice], low: int, high: int) -> bool:
    """Encode the sum as a decision diagram; return False if it would be too wide."""
    most = sum(max(weight for _, weight in choice) for choice in choices)
    if high >= most:  # only a lower bound: count what is missing
        tops = [max(weight for _, weight in choice) for choice in choices]
        choices = [
            [(literal, top - weight) for literal, weight in choice]
            for top, choice in zip(tops, choices)
        ]
        low, high = 0, most - low
    levels = sorted((_by_weight(choice) for choice in choices), key=lambda level: -max(level))
    reached = _reached(sink, levels, low, high)
    if reached is None:
        return False
    state = _bounded if low <= 0 else _exactly
    state(sink, levels, reached)
    return True


def at_least(sink: CnfBuilder, choice: Choice) -> list[tuple[int, int]]:
    """Return literals whose weights sum to that of the choice: one per increase of the weight."""
    level = _by_weight(choice)
    steps = zip(_at_least(sink, level)[1:], pairwise(level))
    return [(literal, larger - smaller) for literal, (smaller, larger) in steps]


def _by_weight(choice: Choice) -> Mapping[int, Sequence[int]]:
    found: dict[int, list[int]] = {}
    for literal, weight in sorted(choice, key=lambda pair: pair[1]):
        found.setdefault(weight, []).append(literal)
    return found


def _reached(sink: CnfBuilder, levels: Levels, low: int, high: int) -> list[set[int]] | None:
    """Return the totals before each choice, and after the last, that can meet the bounds."""
    rest = sum(map(max, levels))
    reached = [{0}]
    edges = 0
    for level in levels:
        sink.pause()
        edges += len(reached[-1]) * len(level)
        if edges > DIAGRAM_EDGES:
            return None
        rest -= max(level)
        totals = {total + weight for total in reached[-1] for weight in level}
        reached.append({total for total in totals if low - rest <= total <= high})
    for place in range(len(levels) - 1, -1, -1):
        reached[place] = {
            total
            for total in reached[place]
            if any(total + weight in reached[place + 1] for weight in levels[place])
        }
    return reached


def _bounded(sink: CnfBuilder, levels: Levels, reached: Sequence[set[int]]) -> None:
    """Encode an upper bound by two clauses per weight: the less is chosen, the weaker the node."""
    below: dict[int, int] = dict.fromkeys(reached[-1], TRUE)
    for level, totals in zip(reversed(levels), reversed(reached[:-1])):
        sink.pause()
        steps = _at_least(sink, level)
        known: dict[tuple[int, ...], int] = {}
        nodes: dict[int, int] = {}
        for total in totals:
            children = tuple(below.get(total + weight, FALSE) for weight in level)
            if len(set(children)) == 1:
                nodes[total] = children[0]
                continue
            if children not in known:
                known[children] = node = sink.fresh()
                before = TRUE
                for step, child in zip(steps, children):
                    if child != before:
                        sink.clause((-node, -step, child))
                    before = child
            nodes[total] = known[children]
        below = nodes
    sink.clause((below.get(0, FALSE),))


def _at_least(sink: CnfBuilder, level: Mapping[int, Sequence[int]]) -> list[int]:
    """Return per weight of a choice a literal that is true if the choice weighs at least that."""
    every = list(level.values())
    number = sum(map(len, every))
    return [
        _one_of(sink, [literal for literals in every[place:] for literal in literals], number)
        for place in range(len(every))
    ]


def _exactly(sink: CnfBuilder, levels: Levels, reached: Sequence[set[int]]) -> None:
    """Encode two bounds: a path of one true node per level, whose edges are the choices."""
    below: dict[int, int] = dict.fromkeys(reached[-1], TRUE)
    for place in range(len(levels) - 1, -1, -1):
        sink.pause()
        known: dict[tuple[int, ...], int] = {}
        nodes: dict[int, int] = {}
        into: dict[int, list[int]] = {}  # node of the next level → the edges that lead there
        by_weight: dict[int, list[int]] = {weight: [] for weight in levels[place]}
        chosen = {
            weight: _one_of(sink, literals, sum(map(len, levels[place].values())))
            for weight, literals in levels[place].items()
        }
        for total in reached[place]:
            children = tuple(below.get(total + weight, FALSE) for weight in levels[place])
            if children not in known:
                known[children] = node = sink.fresh() if place else TRUE
                edges = []
                for weight, child in zip(levels[place], children):
                    if child != FALSE:
                        edge = sink.fresh()
                        edges.append(edge)
                        into.setdefault(child, []).append(edge)
                        by_weight[weight].append(edge)
                        for end in (node, child, chosen[weight]):
                            sink.clause((-edge, end))
                sink.clause((-node, *edges))
            nodes[total] = known[children]
        for child, edges in into.items():
            sink.clause((-child, *edges))
        for weight, edges in by_weight.items():
            sink.clause((-chosen[weight], *edges))
        below = nodes
    if not reached[0]:
        sink.clause(())


def binary(sink: CnfBuilder, choices: Sequence[Choice], low: int, high: int) -> None:
    """Encode the sum in binary: add up each column of bits, and carry to the next."""
    columns: dict[int, deque[int]] = {}
    for choice in choices:
        for literal, weight in choice:
            for place in range(weight.bit_length()):
                if weight >> place & 1:
                    columns.setdefault(place, deque()).append(literal)
    bits: list[int] = []
    while len(bits) <= max(columns, default=-1):
        sink.pause()
        column = columns.get(len(bits), deque())
        carries = columns.setdefault(len(bits) + 1, deque()) if len(column) > 1 else deque()
        while len(column) > 1:
            one, two = column.popleft(), column.popleft()
            three = column.popleft() if column else FALSE
            added, carry = _full_adder(sink, one, two, three)
            column.append(added)
            carries.append(carry)
        bits.append(column[0] if column else FALSE)
    for place, bit in enumerate(bits):
        above = range(place + 1, len(bits))
        if not high >> place & 1 and not high >> len(bits):
            sink.clause((-bit, *(-bits[i] for i in above if high >> i & 1)))
        if low >> place & 1:
            sink.clause((bit, *(bits[i] for i in above if not low >> i & 1)))


def _full_adder(sink: CnfBuilder, one: int, two: int, three: int) -> tuple[int, int]:
    """Return the sum bit and the carry of three bits."""
    added, carry = sink.fresh(), sink.fresh()
    for a, b, c in product((1, -1), repeat=3):
        odd = a * b * c < 0  # of the three literals, those with sign -1 are true
        sink.clause((a * one, b * two, c * three, added if odd else -added))
    for x, y in ((one, two), (one, three), (two, three)):
        sink.clause((-x, -y, carry))
        sink.clause((x, y, -carry))
    return added, carry
