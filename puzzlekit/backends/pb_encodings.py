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


def at_most_one(builder: CnfBuilder, literals: Sequence[int]) -> None:
    """Forbid two true literals: by pairs, or by groups, each with a commander literal.

    The commander encoding (Klieber and Kwon, 2007), without the clauses from a commander to its
    group.
    """
    rest = list(literals)
    most = PAIRWISE_LITERALS
    while len(rest) > most:
        group, rest = rest[: most - 2], rest[most - 2 :]
        commander = builder.new_literal()  # true if a literal of the group is
        for literal in group:
            builder.clause((-literal, commander))
        _pairs(builder, group)
        rest = [*rest, commander]
    _pairs(builder, rest)


def _pairs(builder: CnfBuilder, literals: Sequence[int]) -> None:
    """Forbid the pairs that are not forbidden yet.

    Two cells may share two windows of a board, or a row and a box.
    """
    exclusive = builder.exclusive_pairs
    by_number = sorted(literals, key=abs)
    if by_number == list(literals):  # the most frequent case
        pairs = [pair for pair in combinations(literals, 2) if pair not in exclusive]
        exclusive.update(pairs)
    else:
        added = {*combinations(by_number, 2)} - exclusive
        pairs = [pair for pair in combinations(literals, 2) if pair in added or pair[::-1] in added]
        exclusive |= added
    builder.clauses_over(literals, ([-first, -second] for first, second in pairs))


def total(builder: CnfBuilder, choices: Sequence[Choice], low: int, high: int) -> None:
    """Require a total weight, with one true literal per choice, within the bounds.

    At least one of the bounds excludes a total.
    """
    weights = {weight for choice in choices for _, weight in choice if weight}
    if len(weights) == 1:
        (unit,) = weights
        counted = []
        for choice in choices:
            with_weight = [literal for literal, weight in choice if weight]
            counted.append(_disjunction(builder, with_weight, len(choice)))
        count(builder, counted, -(-low // unit), high // unit)
    elif not _diagram(builder, choices, low, high):
        binary(builder, choices, low, high)


def _disjunction(builder: CnfBuilder, literals: Sequence[int], choice_size: int) -> int:
    """Return a literal equal to the disjunction of some literals of a choice of this size."""
    if len(literals) == choice_size:
        return TRUE
    if len(literals) == 1:
        return literals[0]
    disjunction = builder.new_literal()
    for literal in literals:
        builder.clause((-literal, disjunction))
    builder.clause((-disjunction, *literals))
    return disjunction


def count(builder: CnfBuilder, literals: Sequence[int], low: int, high: int) -> None:
    """Require `low` to `high` true literals."""
    if low <= 0 and high == 1:  # the most frequent case
        at_most_one(builder, literals)
        return
    number = len(literals)
    if 2 * low > number:  # count the false ones: there are fewer
        literals = [-literal for literal in literals]
        low, high = number - high, number - low
    if low > high:
        builder.clause(())
        return
    low_is_easy = low <= 1 or _are_few(number, low - 1)
    high_is_easy = high == 1 or _are_few(number, high + 1)
    if low_is_easy and low > 0:
        _clause_per_group(builder, literals, number - low + 1)
    if high == 1:
        at_most_one(builder, literals)
    elif high_is_easy and high < number:
        negated = [-literal for literal in literals]
        _clause_per_group(builder, negated, high + 1)
    if not (low_is_easy and high_is_easy):
        counted_low = 0 if low_is_easy else low
        counted_high = number if high_is_easy else high
        _counter(builder, literals, counted_low, counted_high)


def _are_few(number: int, size: int) -> bool:
    """Return whether this many things have few groups of this size."""
    size = min(size, number - size)
    most = COUNT_CLAUSES
    # the binomial of a large number would be a huge integer
    return size < 1 or (number <= most and comb(number, size) <= most)


def _clause_per_group(builder: CnfBuilder, literals: Sequence[int], size: int) -> None:
    """Require a true literal in each group of this size."""
    builder.clauses_over(literals, map(list, combinations(literals, size)))


def _counter(builder: CnfBuilder, literals: Sequence[int], low: int, high: int) -> None:
    """Count by a totalizer up to the bounds; very many literals are added up in binary."""
    number = len(literals)
    most = _largest_count(number, low, high)
    if number * most > TOTALIZER_SIZE:
        binary(builder, [((-literal, 0), (literal, 1)) for literal in literals], low, high)
        return
    fresh, groups = _totalizer(number, low, high)
    positive = [*literals, *range(builder.top + 1, builder.top + fresh + 1)]
    negative = [-literal for literal in reversed(positive)]
    builder.top += fresh
    by_number = np.array([0, *positive, *negative])  # negative numbers count from the end
    clauses = [clause for group in groups for clause in by_number[group].tolist()]
    builder.clauses_over(literals, clauses)


def _largest_count(number: int, low: int, high: int) -> int:
    """Return up to which number of true literals a totalizer counts."""
    return min(high + 1, number) if high < number else low


@lru_cache(maxsize=32)
def _totalizer(number: int, low: int, high: int) -> tuple[int, list[NDArray[np.int64]]]:
    """Require `low` to `high` of the literals from 1 to `number`.

    Returns the number of other literals, which follow, and the clauses, those of one length in an
    array.
    """
    clauses: list[list[int]] = []
    top = number
    most = _largest_count(number, low, high)
    sums: list[Sequence[int]] = [[literal] for literal in range(1, number + 1)]
    while len(sums) > 1:
        merged: list[Sequence[int]] = []
        for first, second in zip(sums[::2], sums[1::2]):
            size = min(len(first) + len(second), most)
            outputs = range(top + 1, top + 1 + size)
            merged.append(outputs)
            top += size
            clauses += _merging(first, second, outputs, low > 0, high < number)
        unpaired = sums[len(sums) // 2 * 2 :]
        sums = [*merged, *unpaired]
    (outputs_of_all,) = sums
    if low > 0:
        clauses.append([outputs_of_all[low - 1]])
    if high < number:
        clauses.append([-outputs_of_all[high]])
    by_length: dict[int, list[list[int]]] = {}
    for clause in clauses:
        by_length.setdefault(len(clause), []).append(clause)
    return top - number, [np.array(by_length[length]) for length in sorted(by_length)]


def _merging(
    first: Sequence[int], second: Sequence[int], merged: Sequence[int], down: bool, up: bool
) -> Iterator[list[int]]:
    """Yield clauses that add two unary counts.

    Literal j of a count means that more than j are true. `up` and `down` say which bounds need the
    clauses.
    """
    if up:
        first_premises = [[], *([-literal] for literal in first)]
        second_premises = [[], *([-literal] for literal in second)]
        for i, premise in enumerate(first_premises):
            for j, second_premise in enumerate(second_premises):
                if 0 < i + j <= len(merged):
                    yield [merged[i + j - 1], *premise, *second_premise]
    if down:
        first_premises = [*([literal] for literal in first), []]
        second_premises = [*([literal] for literal in second), []]
        for i, premise in enumerate(first_premises):
            for j, second_premise in enumerate(second_premises):
                if i + j < len(merged):
                    yield [-merged[i + j], *premise, *second_premise]


# for each choice: weight → the literals with this weight
Levels = Sequence[Mapping[int, Sequence[int]]]


def _diagram(builder: CnfBuilder, choices: Sequence[Choice], low: int, high: int) -> bool:
    """Encode the sum as a decision diagram; return False if it would be too wide."""
    largest = [max([weight for _, weight in choice]) for choice in choices]
    most = sum(largest)
    if high >= most:  # only a lower bound: count what is missing
        choices = [
            [(literal, top - weight) for literal, weight in choice]
            for top, choice in zip(largest, choices)
        ]
        low, high = 0, most - low
    levels = [_by_weight(choice) for choice in choices]
    levels.sort(key=lambda level: -max(level))
    reachable = _reachable_totals(builder, levels, low, high)
    if reachable is None:
        return False
    if low <= 0:
        _bounded(builder, levels, reachable)
    else:
        _exactly(builder, levels, reachable)
    return True


def at_least(builder: CnfBuilder, choice: Choice) -> list[tuple[int, int]]:
    """Return literals whose weights sum to that of the choice: one per increase of the weight."""
    level = _by_weight(choice)
    literals = _at_least(builder, level)[1:]
    increases = pairwise(level)
    return [(literal, larger - less) for literal, (less, larger) in zip(literals, increases)]


def _by_weight(choice: Choice) -> Mapping[int, Sequence[int]]:
    literals: dict[int, list[int]] = {}
    for literal, weight in sorted(choice, key=lambda pair: pair[1]):
        literals.setdefault(weight, []).append(literal)
    return literals


def _reachable_totals(
    builder: CnfBuilder, levels: Levels, low: int, high: int
) -> list[set[int]] | None:
    """Return the totals before each choice, and after the last, that can meet the bounds."""
    rest = sum(map(max, levels))
    reachable = [{0}]
    edges = 0
    for level in levels:
        builder.pause()
        edges += len(reachable[-1]) * len(level)
        if edges > DIAGRAM_EDGES:
            return None
        rest -= max(level)
        totals = {total + weight for total in reachable[-1] for weight in level}
        reachable.append({total for total in totals if low - rest <= total <= high})
    for index in range(len(levels) - 1, -1, -1):
        level, after = levels[index], reachable[index + 1]
        reachable[index] = {
            total for total in reachable[index] if any(total + weight in after for weight in level)
        }
    return reachable


def _bounded(builder: CnfBuilder, levels: Levels, reachable: Sequence[set[int]]) -> None:
    """Encode an upper bound by two clauses per weight: the less is chosen, the weaker the node."""
    below: dict[int, int] = dict.fromkeys(reachable[-1], TRUE)
    for level, totals in zip(reversed(levels), reversed(reachable[:-1])):
        builder.pause()
        steps = _at_least(builder, level)
        shared_nodes: dict[tuple[int, ...], int] = {}  # by their children
        nodes: dict[int, int] = {}
        for total in totals:
            children = tuple([below.get(total + weight, FALSE) for weight in level])
            if len(set(children)) == 1:
                nodes[total] = children[0]
                continue
            if children not in shared_nodes:
                node = builder.new_literal()
                shared_nodes[children] = node
                before = TRUE
                for step, child in zip(steps, children):
                    if child != before:
                        builder.clause((-node, -step, child))
                    before = child
            nodes[total] = shared_nodes[children]
        below = nodes
    root = below.get(0, FALSE)
    builder.clause((root,))


def _at_least(builder: CnfBuilder, level: Mapping[int, Sequence[int]]) -> list[int]:
    """Return per weight of a choice a literal that is true if the choice weighs at least that."""
    groups = list(level.values())
    number = sum(map(len, groups))
    steps = []
    for index in range(len(groups)):
        heavier = [literal for group in groups[index:] for literal in group]
        steps.append(_disjunction(builder, heavier, number))
    return steps


def _exactly(builder: CnfBuilder, levels: Levels, reachable: Sequence[set[int]]) -> None:
    """Encode two bounds: a path of one true node per level, whose edges are the choices."""
    below: dict[int, int] = dict.fromkeys(reachable[-1], TRUE)
    for index in range(len(levels) - 1, -1, -1):
        builder.pause()
        level = levels[index]
        shared_nodes: dict[tuple[int, ...], int] = {}  # by their children
        nodes: dict[int, int] = {}
        edges_into: dict[int, list[int]] = {}  # the edges to each node of the next level
        edges_by_weight: dict[int, list[int]] = {weight: [] for weight in level}
        choice_size = sum(map(len, level.values()))
        chosen = {
            weight: _disjunction(builder, literals, choice_size)
            for weight, literals in level.items()
        }
        for total in reachable[index]:
            children = tuple([below.get(total + weight, FALSE) for weight in level])
            if children not in shared_nodes:
                node = builder.new_literal() if index else TRUE
                shared_nodes[children] = node
                edges = []
                for weight, child in zip(level, children):
                    if child != FALSE:
                        edge = builder.new_literal()
                        edges.append(edge)
                        edges_into.setdefault(child, []).append(edge)
                        edges_by_weight[weight].append(edge)
                        for implied in (node, child, chosen[weight]):
                            builder.clause((-edge, implied))
                builder.clause((-node, *edges))
            nodes[total] = shared_nodes[children]
        for child, edges in edges_into.items():
            builder.clause((-child, *edges))
        for weight, edges in edges_by_weight.items():
            builder.clause((-chosen[weight], *edges))
        below = nodes
    if not reachable[0]:
        builder.clause(())


def binary(builder: CnfBuilder, choices: Sequence[Choice], low: int, high: int) -> None:
    """Encode the sum in binary: add up each column of bits, and carry to the next."""
    columns = _bit_columns(choices)
    bits: list[int] = []
    while len(bits) <= max(columns, default=-1):
        builder.pause()
        column = columns.get(len(bits), deque())
        carries: deque[int] = deque()
        if len(column) > 1:
            carries = columns.setdefault(len(bits) + 1, deque())
        while len(column) > 1:
            first, second = column.popleft(), column.popleft()
            third = column.popleft() if column else FALSE
            sum_bit, carry = _full_adder(builder, first, second, third)
            column.append(sum_bit)
            carries.append(carry)
        bits.append(column[0] if column else FALSE)
    _bound_bits(builder, bits, low, high)


def _bit_columns(choices: Sequence[Choice]) -> dict[int, deque[int]]:
    """Return the literals that count 2ⁿ, by n."""
    columns: dict[int, deque[int]] = {}
    for choice in choices:
        for literal, weight in choice:
            for exponent in range(weight.bit_length()):
                if weight >> exponent & 1:
                    columns.setdefault(exponent, deque()).append(literal)
    return columns


def _bound_bits(builder: CnfBuilder, bits: Sequence[int], low: int, high: int) -> None:
    """Require that a binary number, its lowest bit first, is from `low` to `high`."""
    high_fits = not high >> len(bits)
    for exponent, bit in enumerate(bits):
        above = range(exponent + 1, len(bits))
        if high_fits and not high >> exponent & 1:
            ones_above = [bits[i] for i in above if high >> i & 1]
            builder.clause((-bit, *(-above_bit for above_bit in ones_above)))
        if low >> exponent & 1:
            zeros_above = [bits[i] for i in above if not low >> i & 1]
            builder.clause((bit, *zeros_above))


def _full_adder(builder: CnfBuilder, first: int, second: int, third: int) -> tuple[int, int]:
    """Return the sum bit and the carry of three bits."""
    sum_bit, carry = builder.new_literal(), builder.new_literal()
    for a, b, c in product((1, -1), repeat=3):
        is_odd = a * b * c < 0  # of the three literals, those with sign -1 are true
        implied = sum_bit if is_odd else -sum_bit
        builder.clause((a * first, b * second, c * third, implied))
    for left, right in ((first, second), (first, third), (second, third)):
        builder.clause((-left, -right, carry))
        builder.clause((left, right, -carry))
    return sum_bit, carry
