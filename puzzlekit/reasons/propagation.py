"""What follows from an assumption by cards alone, breadth first, with the reasons of each literal.

It is unit propagation over cardinality constraints; a conflict makes the assumption a failed
literal (Freeman, "Improvements to propositional satisfiability search algorithms", 1995).
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Container,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from itertools import islice
from math import inf

from puzzlekit.backends import CountPropagator
from puzzlekit.dataclass import dataclass
from puzzlekit.reasons.deductions import Card, CardType, Line, SumGroup
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.marks import Marks
from puzzlekit.sentences import GraphReason, RulePart

MANY_LITERALS = 400  # that follow from an assumption, after which no further ones are looked at
LOCAL = 4  # literals of a card that says without a word to what a cell does not belong
FEW_PLACES = 4  # of a card that needs two or more, which may have no room for these

# What rules without cards say, given what holds, what of it follows from an assumption, and what of
# this is new.
Consequences = Callable[[Mapping[int, int], Collection[int], Collection[int]], Iterable[Line]]


@dataclass(eq=False, slots=True)
class Reason:
    """From what a literal follows.

    Attributes:
        source: The card, the sum or the instance.
        parents: The literals that it needs, of those that follow from the assumption.
        premises: The literals that it needs, of those that are known.
        line: The line of a source that is no card.
        packed: The card that leaves no room for a card that needs two or more.
    """

    source: Card | SumGroup | GroundRule
    parents: tuple[int, ...]
    premises: tuple[int, ...] = ()
    line: Line | None = None
    packed: Card | None = None


@dataclass(eq=False, slots=True)
class Look:
    """A look at a card, whose reason is made only if it is needed.

    Attributes:
        card: The card.
        is_full: Whether its true literals are enough, rather than its false ones too many.
        time: How many literals followed from the assumption before.
    """

    card: Card
    is_full: bool
    time: int


Cause = Look | Reason


class Propagation:
    """What follows from an assumption.

    Attributes:
        assumed: The assumption.
    """

    def __init__(self, assumed: int, run: _Run) -> None:
        self.assumed = assumed
        self._run = run
        self._reasons: dict[int, Reason] = {}  # by the identity of a look
        self._times: dict[int, int] = {}  # by literal, how many literals followed before it

    @property
    def causes(self) -> dict[int, Cause | None]:
        """The literals that follow, in order, with their causes; the first is the assumption, which
        has none.
        """
        return self._run.causes

    @property
    def fails(self) -> bool:
        """Whether the assumption fails soon."""
        return self._run.conflict is not None

    @property
    def conflict(self) -> Reason:
        """Why the assumption fails."""
        assert self._run.conflict is not None
        return self.reason_of(self._run.conflict)

    @property
    def is_finished(self) -> bool:
        """Whether nothing more follows."""
        return self._run.is_finished

    @property
    def depth(self) -> int:
        """How many lines may follow from one another so far."""
        return self._run.depth

    def note(self, literals: Iterable[int]) -> None:
        """Note what is known since, which touches nothing that follows so far."""
        self._run.note(literals)

    def deepen(self, depth: int | None = None) -> None:
        """Look at what needs no more than so many lines in a row, or at all."""
        self._run.deepen(depth)

    def reason(self, literal: int) -> Reason | None:
        """Return the reason of a literal that follows; None for an assumption."""
        cause = self.causes[literal]
        return None if cause is None else self.reason_of(cause)

    def reason_of(self, cause: Cause) -> Reason:
        """Return the reason of a cause."""
        if isinstance(cause, Reason):
            return cause
        reason = self._reasons.get(id(cause))
        if reason is None:
            if len(self._times) < len(self.causes):
                self._times = {literal: time for time, literal in enumerate(self.causes)}
            reason = self._reasons[id(cause)] = self._reason_of_look(cause)
        return reason

    def _reason_of_look(self, look: Look) -> Reason:
        """Return why a card says something: its true literals if it is full, or its false ones."""
        card, times, trail = look.card, self._times, self._run.trail
        literals = list(card.literals) if look.is_full else [-each for each in card.literals]
        if card.guard != TRUE:
            literals.append(card.guard)
        parents = [each for each in literals if times.get(each, look.time) < look.time]
        premises = tuple(each for each in literals if each in trail)
        return Reason(card, tuple(parents), premises)

    def needed_reasons(self, targets: Iterable[int]) -> dict[int, Reason | None]:
        """Return the literals that some literals need, and these, with their reasons, in order."""
        reasons: dict[int, Reason | None] = {}
        pending = [literal for literal in targets if literal in self.causes]
        for literal in pending:
            if literal not in reasons:
                reason = reasons[literal] = self.reason(literal)
                if reason is not None:
                    pending += reason.parents
        return {literal: reasons[literal] for literal in self.causes if literal in reasons}


class Propagator:
    """Propagates assumptions through the cards of a board."""

    def __init__(self, marks: Marks) -> None:
        self.marks = marks
        self._guarded: dict[int, list[int]] = {}
        for card in marks.cards:
            if card.guard != TRUE:
                self._guarded.setdefault(card.guard, []).append(card.number)
        self._native = CountPropagator()
        self._cards = 0  # that the native propagator has
        self._established = 0  # literals of the trail
        # by the number of a literal, the cards that need two or more of their open literals
        self._needing_room: dict[int, list[int]] = {}
        self._fewest_to_close = inf  # open literals of one of these, before it may have no room

    def _update(self) -> None:
        """Let the native propagator know what is known by now."""
        marks = self.marks
        for card in islice(marks.cards, self._cards, None):
            if is_seen(card):
                guard = None if card.guard == TRUE else card.guard
                self._native.add_count(card.literals, card.low, card.high, guard)
        self._cards = len(marks.cards)
        if self._established == len(marks.trail):
            return
        self._native.establish(islice(marks.trail, self._established, None))
        self._established = len(marks.trail)
        self._needing_room.clear()
        self._fewest_to_close = inf
        for card, true, false in zip(marks.cards, marks.true_counts, marks.false_counts):
            if card.low - true >= 2 and card.derivation is None:
                open_count = len(card.literals) - true - false
                self._fewest_to_close = min(self._fewest_to_close, open_count - FEW_PLACES)
                for literal in card.literals:
                    self._needing_room.setdefault(abs(literal), []).append(card.number)

    def adjacent(self, literals: Iterable[int]) -> set[int]:
        """Return these literals and those that share a card with one of them, with their
        opposites.
        """
        marks = self.marks
        numbers: set[int] = set()
        touched: set[int] = set()
        for literal in literals:
            touched.update((literal, -literal))
            numbers.update(marks.cards_of.get(literal, ()), marks.cards_of.get(-literal, ()))
            numbers.update(self._guarded.get(literal, ()))
        for number in numbers:
            touched.update(marks.cards[number].literals)
        return touched.union([-literal for literal in touched])

    def closure(self, *assumed: int) -> list[int] | None:
        """Return at least what `run` derives from assumptions, and these; None if they may fail.

        Each literal of it fails neither, alone or with some of the assumptions.
        """
        self._update()
        if not self._native.is_complete:
            return None
        implied = self._native.propagate(assumed)
        return None if implied is None or self._may_lack_room(implied) else implied

    def _may_lack_room(self, implied: Sequence[int]) -> bool:
        """Return whether a card that needs two literals or more has few open ones after others are
        known.
        """
        marks, needing_room = self.marks, self._needing_room
        if len(implied) < self._fewest_to_close:
            return False
        closed: dict[int, int] = {}
        for literal in implied:
            for number in needing_room.get(abs(literal), ()):
                closed[number] = closed.get(number, 0) + 1
        for number, count in closed.items():
            count += marks.true_counts[number] + marks.false_counts[number]
            if len(marks.cards[number].literals) - count <= FEW_PLACES:
                return True
        return False

    def run(
        self,
        assumed: int,
        before: Propagation | None = None,
        forbidden: Collection[int] = (),
        consequences: Consequences | None = None,
        depth: int | None = None,
        only: Container[int] | None = None,
    ) -> Propagation:
        """Return what follows from an assumption.

        Args:
            assumed: The literal.
            before: What was assumed before, whose literals hold, too.
            forbidden: Literals that may not be derived, so that another way is taken.
            consequences: Asks rules that have no cards.
            depth: How many lines may follow from one another; None for any number.
            only: The numbers of the cards that are looked at; None for all of them.
        """
        run = _Run(self.marks, self._guarded, assumed, before, forbidden, consequences)
        run.only = only
        run.deepen(depth)
        return Propagation(assumed, run)


class _Run:
    """One propagation, with counts of its own.

    What is struck silently is looked at before the next line.
    """

    def __init__(
        self,
        marks: Marks,
        guarded: Mapping[int, list[int]],
        assumed: int,
        before: Propagation | None,
        forbidden: Collection[int],
        consequences: Consequences | None,
    ) -> None:
        self.only: Container[int] | None = None  # the cards that are looked at, if not all
        self.marks = marks
        self.trail = marks.trail
        self.true = marks.true_counts[:]
        self.false = marks.false_counts[:]
        self.causes: dict[int, Cause | None] = {}
        self.conflict: Cause | None = None
        self._guarded = guarded
        self._forbidden = forbidden
        self._consequences = consequences
        if before is not None:
            self.causes.update(before.causes)
            for literal in before.causes:
                self._count(literal)
        self.causes[assumed] = None
        self.depth = 0
        self._queue = [assumed]  # literals of this depth
        self._next_queue: list[int] = []  # and of the next one
        self._position = 0  # in the queue
        self._unasked: list[int] = []  # literals about which no rules were asked yet

    @property
    def is_finished(self) -> bool:
        """Whether nothing more follows."""
        return self.conflict is not None or (self._is_at_end and not self._unasked)

    @property
    def _is_at_end(self) -> bool:
        """Whether nothing more follows by cards."""
        is_at_end = self._position == len(self._queue) and not self._next_queue
        return is_at_end or len(self.causes) >= MANY_LITERALS

    def _count(self, literal: int) -> None:
        """Count a literal in its cards."""
        cards_of = self.marks.cards_of
        true_counts, false_counts = self.true, self.false
        for number in cards_of.get(literal, ()):
            true_counts[number] += 1
        for number in cards_of.get(-literal, ()):
            false_counts[number] += 1

    def note(self, literals: Iterable[int]) -> None:
        """Count literals that are known since."""
        for literal in literals:
            self._count(literal)

    def deepen(self, depth: int | None) -> None:
        """Derive what needs no more than so many lines in a row, until there is a conflict."""
        self._propagate(depth)
        while self._unasked and self.conflict is None:
            self._ask()
            self._propagate(depth)

    def _propagate(self, depth: int | None) -> None:
        """Take all single steps through cards to some depth, until there is a conflict."""
        while self.conflict is None and not self._is_at_end:
            if self._position == len(self._queue):
                if depth is not None and self.depth >= depth:
                    return
                self._queue, self._next_queue = self._next_queue, []
                self._position = 0
                self.depth += 1
            literal = self._queue[self._position]
            self._position += 1
            self._look_at_cards_of(literal)
            if self._consequences is not None:
                self._unasked.append(literal)

    def _look_at_cards_of(self, literal: int) -> None:
        """Count a literal that is new, and derive what its cards say now."""
        self._count(literal)
        marks, true_counts, false_counts = self.marks, self.true, self.false
        highs, lows, sizes = marks.highs, marks.lows, marks.sizes
        only = self.only
        for number in marks.cards_of.get(literal, ()):
            if only is not None and number not in only:
                continue
            true = true_counts[number]
            if true >= highs[number]:
                self._look_if_full(marks.cards[number])
            elif lows[number] - true >= 2:
                self._look_for_room(marks.cards[number])
        for number in marks.cards_of.get(-literal, ()):
            if only is not None and number not in only:
                continue
            if sizes[number] - false_counts[number] <= lows[number]:
                self._look_if_short(marks.cards[number])
            elif lows[number] - true_counts[number] >= 2:
                self._look_for_room(marks.cards[number])
        for number in self._guarded.get(literal, ()):
            if only is not None and number not in only:
                continue
            self._look_if_full(marks.cards[number])
            self._look_if_short(marks.cards[number])

    def _holds(self, literal: int) -> bool:
        return literal in self.trail or literal in self.causes

    def _look_if_full(self, card: Card) -> None:
        """Derive that no further literal of a card is true if it has as many as it allows."""
        true = self.true[card.number]
        if true > card.high:
            self._fail(card, True)
        elif true == card.high and self._is_active(card):
            self._derive([-literal for literal in card.literals], card, True)

    def _look_if_short(self, card: Card) -> None:
        """Derive that the open literals of a card are true if it needs all of them."""
        open_or_true = len(card.literals) - self.false[card.number]
        if open_or_true < card.low:
            self._fail(card, False)
        elif open_or_true == card.low and self._is_active(card):
            self._derive(card.literals, card, False)

    def _is_active(self, card: Card) -> bool:
        """Return whether a card says something, unless it was derived from far away."""
        return is_seen(card) and (card.guard == TRUE or self._holds(card.guard))

    def _fail(self, card: Card, is_full: bool) -> None:
        """Note a conflict of a card, or that its guard is false."""
        if self._is_active(card):
            self.conflict = self.conflict or Look(card, is_full, len(self.causes))
        elif card.derivation is None:
            self._derive((-card.guard,), card, is_full)

    def _derive(self, literals: Iterable[int], card: Card, is_full: bool) -> None:
        """Add literals that follow from a look at a card."""
        trail, causes, forbidden = self.trail, self.causes, self._forbidden
        strikes = is_full and card.high == 1
        is_silent = strikes or card.card_type is CardType.IMPLIED
        is_silent |= card.number in self.marks.memberships.cards
        look: Look | None = None
        for literal in literals:
            if literal in causes or literal in trail or -literal in trail or literal in forbidden:
                continue
            if -literal in causes:
                if strikes and self._fails_early(literal, card):
                    return
                continue
            if look is None:
                look = Look(card, is_full, len(causes))
            causes[literal] = look
            if is_silent:
                self._queue.append(literal)
            else:
                self._next_queue.append(literal)

    def _fails_early(self, struck: int, card: Card) -> bool:
        """Note that a card has no place left where its only place is struck without a word before
        it is looked at; return whether it is so.
        """
        placed = -struck
        look = self.causes[placed]
        if not isinstance(look, Look) or look.is_full or look.card.guard != TRUE:
            return False
        is_new = placed in self._next_queue or placed in self._queue[self._position :]
        if card.guard != TRUE or not is_new or not self.marks.is_denial(struck):
            return False
        strike = Look(card, True, len(self.causes))
        self.causes = {
            struck if literal == placed else literal: strike if literal == placed else cause
            for literal, cause in self.causes.items()
        }
        self.conflict = Look(look.card, False, len(self.causes))
        return True

    def _reason(self, card: Card, is_full: bool) -> Reason:
        """Return why a card says something now."""
        return Propagation(0, self).reason_of(Look(card, is_full, len(self.causes)))

    def _look_for_room(self, card: Card) -> None:
        """Note a conflict if the open literals of a card lie in another one that allows fewer."""
        open_count = len(card.literals) - self.true[card.number] - self.false[card.number]
        if self.conflict is not None or open_count > FEW_PLACES or not self._is_active(card):
            return
        is_open = [
            literal
            for literal in card.literals
            if not self._holds(literal) and not self._holds(-literal)
        ]
        # literals that were just derived are not counted yet
        needed = card.low - sum(map(self._holds, card.literals))
        if needed < 2 or not is_open:
            return
        for number in self.marks.cards_of.get(is_open[0], ()):
            packed = self.marks.cards[number]
            allowed = packed.high - sum(map(self._holds, packed.literals))
            if packed is card or packed.guard != TRUE or allowed >= needed:
                continue
            if all(literal in packed.literals for literal in is_open):
                short, full = self._reason(card, False), self._reason(packed, True)
                parents = (*short.parents, *full.parents)
                premises = (*short.premises, *full.premises)
                self.conflict = Reason(card, parents, premises, packed=packed)
                return

    def _ask(self) -> None:
        """Ask rules without cards about what is new, until they say something."""
        assert self._consequences is not None
        new, self._unasked = self._unasked, []
        extended = {**self.trail, **dict.fromkeys(self.causes, 0)}
        first: Line | None = None  # that says something new
        for line in self._consequences(extended, self.causes, new):
            if first is not None and not _are_one_look(first, line):
                return
            parents = tuple(parent for parent in line.parents if parent in self.causes)
            premises = tuple(parent for parent in line.parents if parent in self.trail)
            reason = Reason(line.source, parents, premises, line)
            if not line.literals:
                self.conflict = reason
                return
            for literal in line.literals:
                if self._is_new(literal):
                    first = first or line
                    self.causes[literal] = reason
                    self._next_queue.append(literal)
            if first is not None and not _is_about_region(first):
                return

    def _is_new(self, literal: int) -> bool:
        """Return whether a literal may be derived, and neither it nor its negation holds."""
        is_decided = self._holds(literal) or self._holds(-literal)
        return not is_decided and literal not in self._forbidden


def is_seen(card: Card) -> bool:
    """Return whether a chain may use a card."""
    return card.derivation is None or card.derivation.is_seen


def is_silent(literal: int, reason: Reason, marks: Marks) -> bool:
    """Return whether a literal of a propagation is struck without a word: by one card, because of
    one literal.
    """
    card = reason.source
    if not isinstance(card, Card):
        return False
    if card.number in marks.memberships.cards:
        return True
    if len(card.literals) <= LOCAL and marks.is_elimination(literal):
        return card.derivation is None
    if len(reason.parents) <= 1 and is_of_choice(literal, reason, marks):
        return True
    if not marks.is_denial(literal):
        return False
    if card.card_type is CardType.CELL:
        return True
    if card.card_type is CardType.IMPLIED:
        instance = card.instances[0]
        if instance.rule_part is RulePart.AT_A_VERTEX and _two_meet(literal, card, marks):
            return True
        facts = map(marks.literals.fact, instance.scope)
        return len({fact.unknown for fact in facts}) <= 2
    if -literal not in card.literals:
        return False
    if card.high == 1:
        return len(reason.parents) <= 1
    return card.card_type is CardType.COUNT and len(card.literals) <= LOCAL


def _two_meet(literal: int, card: Card, marks: Marks) -> bool:
    """Return whether a link of a loop is out because two others meet at its end."""
    links = [-each for each in card.literals if each != literal]
    return len(links) == 2 and not any(map(marks.is_denial, links))


def is_of_choice(literal: int, reason: Reason, marks: Marks) -> bool:
    """Return whether a literal rejects a choice, or says that a cell belongs to one that is
    taken.
    """
    is_meant = all(map(marks.is_choice, reason.parents)) and not marks.is_choice(literal)
    return marks.is_rejection(literal) or (is_meant and reason.parents != ())


def told_reasons(
    propagation: Propagation, targets: Iterable[int], marks: Marks
) -> Iterator[tuple[Reason, list[int]]]:
    """Yield the reasons that must be told for these literals, each with its literals.

    Each reason comes after those of its parents. What follows from the same source in the same way
    is told together, if what it needs was told before that.
    """
    entries: list[tuple[Reason, list[int]]] = []
    positions: dict[int, int] = {}  # by literal, that of the last reason that it rests on
    by_reason: dict[int, int] = {}  # by the identity of a reason, its position
    by_source: dict[Hashable, int] = {}
    along: dict[int, int] = {}  # by literal at the end of a line along a loop, its position
    for literal, reason in propagation.needed_reasons(targets).items():
        if reason is None:
            positions[literal] = -1
            continue
        last = max((positions.get(parent, -1) for parent in reason.parents), default=-1)
        if is_silent(literal, reason, marks):
            positions[literal] = last
            continue
        source = _look_of(literal, reason, marks)
        position = by_reason.get(id(reason), by_source.get(source, -1))
        link_before = _link_before(literal, reason, marks)
        if link_before in along and along[link_before] == last:
            position = last
        elif position <= last:
            position = len(entries)
            entries.append((reason, []))
            by_source[source] = position
        if link_before is not None:
            along[literal] = position
        by_reason[id(reason)] = positions[literal] = position
        entries[position][1].append(literal)
    yield from entries


def _link_before(literal: int, reason: Reason, marks: Marks) -> int | None:
    """Return the link of a loop because of which it goes on at a vertex, or because of which
    another link would end there; None if something else is why.
    """
    card = reason.source
    if not isinstance(card, Card) or card.card_type is not CardType.IMPLIED or not reason.parents:
        return None
    if card.instances[0].rule_part is not RulePart.AT_A_VERTEX:
        return None
    is_denial = marks.is_denial(literal)
    facts = [-each for each in card.literals if each != literal]
    links = [each for each in facts if not marks.is_denial(each)]
    if is_denial:
        return None if links else reason.parents[-1]
    if len(links) != 1:
        return None
    return links[0]


def strikers(propagation: Propagation, reason: Reason, marks: Marks) -> Iterator[Card]:
    """Yield the counts and the vertices that strike without a word what a reason needs."""
    for parent in reason.parents:
        silent = propagation.reason(parent)
        if silent is None or not is_silent(parent, silent, marks):
            continue
        if _is_excluded_by_pair(-parent, propagation, marks):
            continue
        if isinstance(silent.source, Card) and _counts(silent.source):
            yield silent.source
        yield from strikers(propagation, silent, marks)


def _counts(card: Card) -> bool:
    """Return whether a card is a count, or says what lines meet at a vertex."""
    if card.card_type is CardType.IMPLIED:
        return card.instances[0].rule_part is RulePart.AT_A_VERTEX
    return card.card_type is CardType.COUNT


def _is_excluded_by_pair(literal: int, propagation: Propagation, marks: Marks) -> bool:
    """Return whether a truth excludes a literal by a rule about both, which needs no count."""
    for number in marks.cards_of.get(literal, ()):
        card = marks.cards[number]
        if card.card_type is CardType.PAIR:
            for each in card.literals:
                if each != literal and (each in propagation.causes or each in marks.trail):
                    return True
    return False


def _look_of(literal: int, reason: Reason, marks: Marks) -> Hashable:
    """Return what several literals that are told together have in common: the source, how a shape
    says so, and the literals from which clauses of one rule follow.
    """
    source = reason.source
    if isinstance(source, Card) and source.card_type is CardType.IMPLIED:
        instance = source.instances[0].number
        return instance, frozenset(reason.parents), len(reason.premises), marks.is_denial(literal)
    if reason.line is None:
        return id(source)
    return id(source), reason.line.graph_reason, _needs(reason.line)


def _needs(line: Line) -> Hashable:
    """Return the area that a line is about; what it needs, in one way for all that it needs."""
    area = line.area
    if area is None or not _is_about_region(line):
        return area
    return area.literals, area.size, area.room < area.size


def _are_one_look(first: Line, second: Line) -> bool:
    """Return whether two lines say what the same region needs."""
    if not _is_about_region(first) or not second.literals:
        return False
    return first.source is second.source and _needs(first) == _needs(second)


def _is_about_region(line: Line) -> bool:
    """Return whether a line says where a region must grow whose size is its number."""
    area = line.area
    is_about_room = line.graph_reason is GraphReason.ROOM
    return is_about_room and area is not None and area.source is None
