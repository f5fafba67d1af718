"""What a count and a vertex of a loop say together of the links that they share: a clue has just
one line at a corner where a line comes in.

The links of a vertex and the literals of a count fall into *shares*: those that both have, and the
rest of each. A vertex has two links or none, so that the number of true literals of a share bounds
that of the rest. What is passed on from share to share is an argument along diagonals of clues;
with two links in a share, solvers call it a *dline* (Tatham, `loopy.c`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from puzzlekit.clock import check
from puzzlekit.dataclass import dataclass
from puzzlekit.model import Member
from puzzlekit.reasons.deductions import Card, CardType, Deduction, Pattern, Share
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.marks import Marks
from puzzlekit.sentences import RulePart

SHARED = 2.5  # the cost of a count and a vertex
MOVE = 0.1  # and of each further one
FEW_MOVES = 2  # by a count and a vertex
MOST_MOVES = 6  # from share to share
MOST_LITERALS = 6  # of a count
SHARED_LITERALS = 2  # of a vertex and a count, at least

Numbers = frozenset[int]  # how many literals of a share may be true


class _Move(NamedTuple):
    """A look from one share to another.

    Attributes:
        start: The share that is known better.
        end: The share about which that says something.
        totals: How many literals of both may be true.
        source: The count or the vertex.
    """

    start: frozenset[int]
    end: frozenset[int]
    totals: Numbers
    source: Card | GroundRule


@dataclass(frozen=True)
class _Vertex:
    """A vertex of a loop: how many of its links may be true."""

    instance: GroundRule
    links: frozenset[int]
    degrees: Numbers


class VertexCounts:
    """Finds what counts and vertices say together."""

    def __init__(self, marks: Marks, instances: Iterable[GroundRule]) -> None:
        self.marks = marks
        self._moves: dict[frozenset[int], list[_Move]] = {}  # by their starts
        vertices = list(filter(None, map(self._vertex, instances)))
        by_link: dict[int, list[_Vertex]] = {}
        for vertex in vertices:
            for link in vertex.links:
                by_link.setdefault(link, []).append(vertex)
        for card in marks.cards:
            self._add_card(card, by_link)
        self._shares_of: dict[int, list[frozenset[int]]] = {}  # by the number of a literal
        for share in self._moves:
            for literal in share:
                self._shares_of.setdefault(abs(literal), []).append(share)
        self._at_start: dict[frozenset[int], Numbers] = {}  # by what is known
        self._saying: set[frozenset[int]] = set()  # the shares that say something at once
        self._seen = 0  # literals of the trail that these know
        self._looked_at = -1  # literals of the trail
        self._deductions: list[Deduction] = []

    def _vertex(self, instance: GroundRule) -> _Vertex | None:
        """Return a vertex; None if an instance is about something else."""
        condition = instance.conditions[0] if instance.conditions else None
        if instance.rule_part is not RulePart.AT_A_VERTEX or not isinstance(condition, Member):
            return None
        links = (-number if self.marks.is_denial(number) else number for number in instance.scope)
        degrees = (degree for degree in condition.members if isinstance(degree, int))
        return _Vertex(instance, frozenset(links), frozenset(degrees))

    def _add_card(self, card: Card, by_link: dict[int, list[_Vertex]]) -> None:
        """Add the moves of a count and the vertices with which it shares links."""
        is_stated = card.card_type is CardType.COUNT and card.derivation is None
        if not is_stated or card.guard != TRUE or len(card.literals) > MOST_LITERALS:
            return
        literals = frozenset(card.literals)
        totals = frozenset(range(card.low, card.high + 1))
        vertices = {id(each): each for link in card.literals for each in by_link.get(link, ())}
        for vertex in vertices.values():
            shared = vertex.links & literals
            if len(shared) >= SHARED_LITERALS:
                self._add_moves(shared, vertex.links - shared, vertex.degrees, vertex.instance)
                self._add_moves(shared, literals - shared, totals, card)

    def _add_moves(
        self,
        share: frozenset[int],
        rest: frozenset[int],
        totals: Numbers,
        source: Card | GroundRule,
    ) -> None:
        for start, end in ((share, rest), (rest, share)):
            move = _Move(start, end, totals, source)
            moves = self._moves.setdefault(start, [])
            if move not in moves:
                moves.append(move)

    # What follows ---------------------------------------------------------------------------------

    def deductions(self) -> list[Deduction]:
        """Return what counts and vertices say by the fewest moves."""
        if self._looked_at != len(self.marks.trail):
            self._looked_at = len(self.marks.trail)
            self._deductions = list(self._of_fewest_moves()) if self._moves else []
        return self._deductions

    def _of_fewest_moves(self) -> Iterator[Deduction]:
        """Yield what follows by the fewest moves."""
        self._note_changes()
        numbers = dict(self._at_start)
        trace: list[_Move] = []  # that said something, in order
        pending = [share for share in self._moves if share in self._saying]
        for _ in range(MOST_MOVES):
            check()
            changed: dict[frozenset[int], Numbers] = {}
            for start in pending:
                for move in self._moves[start]:
                    before = changed.get(move.end, numbers[move.end])
                    after = _passed_on(numbers[start], before, move)
                    if after != before:
                        changed[move.end] = after
                        trace.append(move)
            numbers.update(changed)
            pending = list(changed)
            conclusions = [share for share in changed if self._decided(share, numbers[share])]
            if conclusions:
                moves = (self._shortened(share, trace) for share in conclusions)
                by_share: dict[frozenset[int], list[_Move]] = dict(zip(conclusions, moves))
                least = min(map(len, by_share.values()))
                for share, of_share in by_share.items():
                    if len(of_share) == least and of_share:
                        yield self._deduction(share, of_share)
                return

    def _note_changes(self) -> None:
        """Note how many literals of shares may be true by now, and which shares say something."""
        trail = self.marks.trail
        touched: dict[frozenset[int], None] = {}
        if not self._at_start:
            touched.update(dict.fromkeys(self._moves))
        for literal in islice(trail, self._seen, None):
            touched.update(dict.fromkeys(self._shares_of.get(abs(literal), ())))
        self._seen = len(trail)
        self._at_start.update({share: self._numbers(share) for share in touched})
        for share in touched:
            for start in (share, *(move.end for move in self._moves[share])):
                self._note_if_saying(start)

    def _note_if_saying(self, start: frozenset[int]) -> None:
        """Note whether a share says something of another one, by what is known."""
        for move in self._moves[start]:
            before = self._at_start[move.end]
            if _passed_on(self._at_start[start], before, move) != before:
                self._saying.add(start)
                return
        self._saying.discard(start)

    def _numbers(self, share: frozenset[int]) -> Numbers:
        """Return how many literals of a share may be true by what is known of them."""
        trail = self.marks.trail
        true = sum(literal in trail for literal in share)
        false = sum(-literal in trail for literal in share)
        return frozenset(range(true, len(share) - false + 1))

    def _decided(self, share: frozenset[int], numbers: Numbers) -> tuple[int, ...]:
        """Return what a number of true literals says of the open ones."""
        possible = self._numbers(share)
        if len(possible) < 2 or len(numbers) != 1:
            return ()
        trail = self.marks.trail
        opened = sorted(each for each in share if each not in trail and -each not in trail)
        if max(numbers) == max(possible):
            return tuple(opened)
        return tuple(-each for each in opened) if min(numbers) == min(possible) else ()

    def _follows(self, share: frozenset[int], moves: Sequence[_Move]) -> bool:
        """Return whether moves one after the other decide a share."""
        numbers: dict[frozenset[int], Numbers] = {}
        for move in moves:
            start = numbers.get(move.start) or self._numbers(move.start)
            end = numbers.get(move.end) or self._numbers(move.end)
            numbers[move.end] = _passed_on(start, end, move)
        return share in numbers and bool(self._decided(share, numbers[share]))

    def _shortened(self, share: frozenset[int], trace: Sequence[_Move]) -> list[_Move]:
        """Return the moves of a trace that decide a share, none of which can be left out."""
        needed = {share}
        moves: list[_Move] = []
        for move in reversed(trace):
            if move.end in needed:
                needed.add(move.start)
                moves.insert(0, move)
        positions = range(len(moves))
        for position in reversed(positions):
            fewer = moves[:position] + moves[position + 1 :]
            if self._follows(share, fewer):
                moves = fewer
        return moves

    def _deduction(self, share: frozenset[int], moves: Sequence[_Move]) -> Deduction:
        """Return what moves say of a share, with the shares that lead there."""
        numbers: dict[frozenset[int], Numbers] = {}
        shares = []
        for move in moves:
            arriving = None if move.start in numbers else self._arriving(move.start)
            start = numbers.get(move.start) or self._numbers(move.start)
            end = numbers.get(move.end) or self._numbers(move.end)
            numbers[move.end] = _passed_on(start, end, move)
            links = tuple(sorted(move.end))
            origin = tuple(sorted(move.start))
            shares.append(Share(links, numbers[move.end], move.source, origin, arriving))
        sources = dict.fromkeys(move.source for move in moves)
        cards = (each for each in sources if isinstance(each, Card))
        instances = (each for each in sources if isinstance(each, GroundRule))
        pattern = self._pattern(moves)
        cost = SHARED + MOVE * (len(moves) - 2)
        literals = self._decided(share, numbers[share])
        deduction = Deduction(pattern, cost, literals, shares=tuple(shares))
        base = tuple(map(self.marks.open_card, cards))
        reasons = tuple(self._reasons(moves))
        return replace(deduction, base=base, instances=tuple(instances), reasons=reasons)

    def _pattern(self, moves: Sequence[_Move]) -> Pattern:
        """Return the pattern: by one vertex where the other links are known, by one, or more."""
        if len(moves) > FEW_MOVES:
            return Pattern.VERTEX_COUNTS
        for move in moves:
            if isinstance(move.source, GroundRule):
                start, end = self._numbers(move.start), self._numbers(move.end)
                is_decided = len(start) == 1 or len(end) == 1
                if is_decided or self._is_reached(move):
                    return Pattern.INCOMING_LINE
        return Pattern.VERTEX_COUNT

    def _is_reached(self, move: _Move) -> bool:
        """Return whether a line is known at the vertex of a move."""
        trail = self.marks.trail
        links = move.start | move.end
        return not links.isdisjoint(trail)

    def _arriving(self, share: frozenset[int]) -> int | None:
        """Return how many literals of a share are true, if that is known to be all but for one."""
        true = sum(literal in self.marks.trail for literal in share)
        return true if len(self._numbers(share)) == 1 or true else None

    def _reasons(self, moves: Iterable[_Move]) -> Iterator[int]:
        """Yield what is known of the literals of moves."""
        literals = (each for move in moves for each in (*move.start, *move.end))
        for literal in dict.fromkeys(literals):
            if literal in self.marks.trail:
                yield literal
            elif -literal in self.marks.trail:
                yield -literal


def _passed_on(start: Numbers, end: Numbers, move: _Move) -> Numbers:
    """Return which numbers of true literals the end of a move may have; those that it had, if none
    of them fits: a rule is broken, and that is told otherwise.
    """
    fitting = {total - number for total in move.totals for number in start}
    return (end & fitting) or end
