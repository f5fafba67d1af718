"""Propagators on bits: the forward checking of the backtracking search.

A variable is a number, and its domain is a mask. Equal values have the same bit for all variables;
the bits of numbers come first, in their order. A rule returns masks of the values that may stay; 0
means none. If all of its variables are fixed, a rule keeps their values or returns 0.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np

from puzzlekit.limits import limits
from puzzlekit.model import Acyclic, Automaton, Circuit, Connected, RegionSizes, Structure, Table, Value
from puzzlekit.presolve.bit_graph import bits_of
from puzzlekit.presolve.region_sizes import prune, sizes_of

Live = Sequence[int]
Pruned = Sequence[tuple[int, int]]
Flag = tuple[int, int] | bool  # the variable has the value of this bit; or a known truth value
YES, NO, OPEN = 1, 0, 2


class Rule(Protocol):
    """A constraint. It is stateless, so that nothing has to be undone."""

    @property
    def scope(self) -> Sequence[int]:
        """The variables that it depends on."""

    def propagate(self, live: Live) -> Pruned:
        """Return variables, each with a mask of the values that may stay."""


def bits(mask: int) -> Iterator[int]:
    """Yield the bits of a mask, lowest first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


class _Memoised:
    """A rule that depends only on the domains of a few variables; its results are memoised."""

    def __init__(self, scope: Sequence[int]) -> None:
        self.scope = scope
        self._memo: dict[tuple[int, ...], Pruned] = {}
        self._most = limits().searching.rule_memo_entries

    def propagate(self, live: Live) -> Pruned:
        domains = tuple([live[number] for number in self.scope])
        found = self._memo.get(domains)
        if found is None:
            if len(self._memo) >= self._most:
                self._memo.clear()
            found = self._memo[domains] = list(zip(self.scope, self._kept(domains)))
        return found

    def _kept(self, domains: Sequence[int]) -> Sequence[int]:
        raise NotImplementedError


class TableRule(_Memoised):
    """A table: for each value of each variable the rows that contain it, one bit per row."""

    def __init__(self, table: Table, scope: Sequence[int], bit: Mapping[Value, int]) -> None:
        super().__init__(scope)
        self._all = (1 << len(table.rows)) - 1
        self._with: list[dict[int, int]] = []
        for column, book in zip(table.rows.T, table.books):
            rows: dict[int, int] = {}
            for code in np.unique(column).tolist():
                here = bits_of(column == code)
                own = bit.get(book[code], 0)
                rows[own] = rows.get(own, 0) | here
            self._with.append(rows)

    def _kept(self, domains: Sequence[int]) -> Sequence[int]:
        alive = self._all
        columns = [_live(rows, mask) for rows, mask in zip(self._with, domains)]
        for column in columns:
            here = 0
            for _, rows in column:
                here |= rows
            alive &= here
        kept = []
        for column in columns:
            stays = 0
            for bit, rows in column:
                if rows & alive:
                    stays |= bit
            kept.append(stays)
        return kept


def _live(rows: Mapping[int, int], mask: int) -> list[tuple[int, int]]:
    """Return the values in the mask that occur in rows, with the rows."""
    if 4 * mask.bit_count() < len(rows):
        return [(bit, rows[bit]) for bit in bits(mask) if bit in rows]
    return [(bit, having) for bit, having in rows.items() if bit & mask]


class AutomatonRule(_Memoised):
    """An automaton: each term keeps the values of some accepted reading."""

    def __init__(
        self, automaton: Automaton, terms: Sequence[int | Value], scope: Sequence[int], bit: Mapping[Value, int]
    ) -> None:
        super().__init__(scope)
        self._place = {number: place for place, number in enumerate(scope)}
        self._terms = [(isinstance(term, Number), term) for term in terms]
        self._accepting = automaton.accepting
        self._steps = [{bit.get(value, 0): after for value, after in step.items() if value in bit} for step in automaton.steps]

    def _kept(self, domains: Sequence[int]) -> Sequence[int]:
        choices = [domains[self._place[term]] if known else term for known, term in self._terms]
        forward: list[list[tuple[int, int, int]]] = []
        states = {0}
        for mask in choices:
            values = list(bits(mask))
            steps = [(state, self._steps[state]) for state in states]
            forward.append([(state, value, step[value]) for state, step in steps for value in values if value in step])
            states = {move[2] for move in forward[-1]}
        kept = list(domains)
        good: set[int] = set(self._accepting)
        for (known, term), moves in zip(reversed(self._terms), reversed(forward)):
            moves = [move for move in moves if move[2] in good]
            good = {move[0] for move in moves}
            if known:
                values_kept = 0
                for move in moves:
                    values_kept |= move[1]
                kept[self._place[term]] &= values_kept
        return kept if 0 in good or not self._terms else [0] * len(kept)


class Number(int):
    """The number of a variable, to distinguish it from the masks of constants."""


class AllDifferentRule:
    """All-different: fixed values are removed; with n values for n variables, each is taken."""

    def __init__(self, scope: Sequence[int]) -> None:
        self.scope = scope

    def propagate(self, live: Live) -> Pruned:
        domains = {number: live[number] for number in self.scope}
        if len(domains) < len(self.scope):
            return [(self.scope[0], 0)]
        waiting = [number for number, mask in domains.items() if not mask & (mask - 1)]
        while waiting:
            taken = waiting.pop()
            mask = domains[taken]
            for number, other in domains.items():
                if other & mask and number != taken:
                    other &= ~mask
                    domains[number] = other
                    if not other:
                        return [(number, 0)]
                    if not other & (other - 1):
                        waiting.append(number)
        once = twice = 0
        for mask in domains.values():
            twice |= once & mask
            once |= mask
        if once.bit_count() < len(domains):
            return [(self.scope[0], 0)]
        alone = once & ~twice
        if alone and once.bit_count() == len(domains):
            for number, mask in domains.items():
                if mask & alone:
                    own = mask & alone
                    domains[number] = 0 if own & (own - 1) else own
        return list(domains.items())


class CardinalityRule:
    """A cardinality: the number of true literals is within the bounds."""

    def __init__(self, literals: Sequence[tuple[int, int]], low: int, high: int) -> None:
        self.scope = list(dict.fromkeys(number for number, _ in literals))
        self.literals, self.low, self.high = literals, low, high

    def propagate(self, live: Live) -> Pruned:
        held = 0
        undecided: list[tuple[int, int]] = []
        for number, bit in self.literals:
            mask = live[number]
            if mask == bit:
                held += 1
            elif mask & bit:
                undecided.append((number, bit))
        if held > self.high or held + len(undecided) < self.low:
            return [(self.scope[0], 0)] if self.scope else NEVER
        if held == self.high:
            return [(number, ~bit) for number, bit in undecided]
        if held + len(undecided) == self.low:
            return undecided
        return ()


NEVER: Pruned = ((-1, 0),)


class LinearRule:
    """A sum within bounds, which may be tightened; `numbers` are the values of the lowest bits."""

    def __init__(self, weighted: Sequence[tuple[int, int]], low: int | None, high: int | None, numbers: Sequence[int]) -> None:
        self.scope = [number for _, number in weighted]
        self.weighted, self.low, self.high, self.numbers = weighted, low, high, numbers

    def propagate(self, live: Live) -> Pruned:
        numbers, low, high = self.numbers, self.low, self.high
        spans = []
        least = most = 0
        for weight, number in self.weighted:
            mask = live[number]
            small, large = weight * numbers[(mask & -mask).bit_length() - 1], weight * numbers[mask.bit_length() - 1]
            if weight < 0:
                small, large = large, small
            least += small
            most += large
            spans.append((small, large))
        if (high is not None and least > high) or (low is not None and most < low):
            return [(self.scope[0], 0)] if self.scope else NEVER
        found = []
        for (weight, number), (small, large) in zip(self.weighted, spans):
            top = large if high is None else high - least + small
            bottom = small if low is None else low - most + large
            if weight and (large > top or small < bottom):
                found.append((number, self._between(weight, bottom, top)))
        return found

    def _between(self, weight: int, bottom: int, top: int) -> int:
        """Return the mask of the numbers whose weighted value is within the bounds."""
        if weight < 0:
            weight, bottom, top = -weight, -top, -bottom
        first = bisect_left(self.numbers, -(-bottom // weight))
        after = bisect_right(self.numbers, top // weight)
        return (1 << after) - (1 << first) if after > first else 0


class CheckedRule:
    """Any condition: checked when at most one of its variables is not fixed."""

    def __init__(self, scope: Sequence[int], holds: Callable[[Sequence[int]], bool]) -> None:
        self.scope = scope
        self.holds = holds

    def propagate(self, live: Live) -> Pruned:
        domains = [live[number] for number in self.scope]
        undecided = [place for place, mask in enumerate(domains) if mask & (mask - 1)]
        if len(undecided) > 1:
            return ()
        place = undecided[0] if undecided else 0
        kept = 0
        for bit in bits(domains[place]) if domains else ():
            kept |= bit if self.holds([*domains[:place], bit, *domains[place + 1 :]]) else 0
        return [(self.scope[place], kept)] if domains else () if self.holds(domains) else NEVER


class ShapeRule:
    """A shape over flags; `_decided` returns the flags that it decides, or None for a conflict."""

    def __init__(self, shape: Structure, flags: Sequence[Flag]) -> None:
        self.shape = shape
        self.flags = flags
        self.scope = list(dict.fromkeys(flag[0] for flag in flags if not isinstance(flag, bool)))
        self._decided = {Connected: _Connected, Circuit: _OneCycle, Acyclic: _NoCycle}[type(shape)](shape).decided

    def propagate(self, live: Live) -> Pruned:
        states = [_state(flag, live) for flag in self.flags]
        decided = self._decided(states)
        if decided is None or (OPEN not in states and not self.shape.met(states)):
            return [(self.scope[0], 0)] if self.scope else NEVER
        return [(flag[0], flag[1] if value else ~flag[1]) for place, value in decided for flag in self._at(place)]

    def _at(self, place: int) -> Iterator[tuple[int, int]]:
        flag = self.flags[place]
        if not isinstance(flag, bool):
            yield flag


class RegionSizesRule:
    """Sizes of regions; `decoders` give the value of each bit of a size, for an unknown or a known one."""

    def __init__(
        self, shape: RegionSizes, links: Sequence[Flag], sizes: Sequence[tuple[int | None, Mapping[int, Value]]]
    ) -> None:
        self.shape = shape
        self.links = links
        self.sizes = sizes
        flags = (flag[0] for flag in links if not isinstance(flag, bool))
        self.scope = list(dict.fromkeys((*flags, *(number for number, _ in sizes if number is not None))))

    def propagate(self, live: Live) -> Pruned:
        states = [_state(flag, live) for flag in self.links]
        possible = [
            sizes_of(tuple(value for bit, value in book.items() if number is None or live[number] & bit))
            for number, book in self.sizes
        ]
        pruned = prune(self.shape, states, possible)
        if pruned is None:
            return [(self.scope[0], 0)] if self.scope else NEVER
        found = []
        for place, state in pruned.links.items():
            flag = self.links[place]
            if not isinstance(flag, bool):
                found.append((flag[0], flag[1] if state == YES else ~flag[1]))
        for place, kept in pruned.sizes.items():
            number, book = self.sizes[place]
            if number is not None:
                found.append((number, sum(bit for bit, value in book.items() if value in kept)))
        return found


def _state(flag: Flag, live: Live) -> int:
    if isinstance(flag, bool):
        return int(flag)
    mask = live[flag[0]]
    return YES if mask == flag[1] else OPEN if mask & flag[1] else NO


Decided = list[tuple[int, bool]]  # open flags with the values that they must have


class _Connected:
    """Connected: unreachable flags are false, and cut vertices between true flags are true."""

    def __init__(self, shape: Connected) -> None:
        self.beside: list[list[int]] = [[] for _ in shape.terms]
        for one, other in shape.links:
            self.beside[one].append(other)
            self.beside[other].append(one)

    def decided(self, states: Sequence[int]) -> Decided | None:
        root = next((place for place, state in enumerate(states) if state == YES), None)
        if root is None:
            return []
        seen = {root: 0}  # the order of discovery in a depth-first search
        lowest = {root: 0}  # the earliest vertex next to the subtree
        holds = {root: True}  # whether the subtree contains a true flag
        needed: Decided = []
        path = [(root, iter(self.beside[root]))]
        while path:
            place, others = path[-1]
            for other in others:
                if states[other] == NO:
                    continue
                if other not in seen:
                    seen[other] = lowest[other] = len(seen)
                    holds[other] = states[other] == YES
                    path.append((other, iter(self.beside[other])))
                    break
                lowest[place] = min(lowest[place], seen[other])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[above] = min(lowest[above], lowest[place])
                    holds[above] = holds[above] or holds[place]
                    if holds[place] and lowest[place] >= seen[above] and states[above] == OPEN:
                        needed.append((above, True))
        beyond = [place for place, state in enumerate(states) if state != NO and place not in seen]
        if any(states[place] == YES for place in beyond):
            return None
        return needed + [(place, False) for place in beyond]


class _Groups:
    """Disjoint sets of vertices, each with a leader."""

    def __init__(self) -> None:
        self._leader: dict[int, int] = {}

    def root(self, vertex: int) -> int:
        while (above := self._leader.get(vertex, vertex)) != vertex:
            vertex = above
        return vertex

    def join(self, one: int, other: int) -> bool:
        """Join two groups; return False if they were one."""
        one, other = self.root(one), self.root(other)
        self._leader[one] = other
        return one != other


class _OneCycle:
    """One cycle: edges that close a second cycle, or that true edges cannot reach, are false."""

    def __init__(self, shape: Circuit) -> None:
        self.edges = shape.edges

    def decided(self, states: Sequence[int]) -> Decided | None:
        true, possible = _Groups(), _Groups()
        closed = False
        for (one, other), state in zip(self.edges, states):
            if state != NO:
                possible.join(one, other)
            if state == YES and not true.join(one, other):
                closed = True
        ends = [self.edges[place][0] for place, state in enumerate(states) if state == YES]
        if len({possible.root(end) for end in ends}) > 1 or (closed and len({true.root(end) for end in ends}) > 1):
            return None
        if not ends:
            return []
        whole = len({true.root(end) for end in ends}) == 1
        home = possible.root(ends[0])
        found: Decided = []
        for place, ((one, other), state) in enumerate(zip(self.edges, states)):
            if state == OPEN:
                closing = one == other or (true.root(one) == true.root(other) and not whole)
                if closed or closing or possible.root(one) != home:
                    found.append((place, False))
        return found


class _NoCycle:
    """No cycle: an edge that would close one is false."""

    def __init__(self, shape: Acyclic) -> None:
        self.edges = shape.edges

    def decided(self, states: Sequence[int]) -> Decided | None:
        true = _Groups()
        for (one, other), state in zip(self.edges, states):
            if state == YES and not true.join(one, other):
                return None
        undecided = [place for place, state in enumerate(states) if state == OPEN]
        return [(p, False) for p in undecided if true.root(self.edges[p][0]) == true.root(self.edges[p][1])]
