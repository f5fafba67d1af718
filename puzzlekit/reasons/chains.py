"""Deductions by assumptions: what would leave no place, chains, either way, trials.

Each line of a chain is one look at one card. The chains are the forcing chains of puzzle
solvers; a chain over one value is an X-chain, over cells with two values an XY-chain.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Container,
    Iterable,
    Iterator,
    Sequence,
)
from dataclasses import replace
from functools import cached_property
from itertools import islice
from math import inf

from puzzlekit.clock import check
from puzzlekit.dataclass import dataclass
from puzzlekit.reasons.deductions import (
    Card,
    CardType,
    ClosingEdge,
    Deduction,
    ForcingChain,
    Line,
    OpenCard,
    Pattern,
    SumGroup,
)
from puzzlekit.reasons.instances import GroundRule, Trail
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.marks import Marks
from puzzlekit.reasons.positions import Positions
from puzzlekit.reasons.propagation import (
    Consequences,
    Propagation,
    Propagator,
    Reason,
    strikers,
    told_reasons,
)
from puzzlekit.sentences import GraphReason, RulePart

NO_PLACE = 2.7  # of an assumption that leaves no place at once
NO_PLACE_OF_TRUTHS = 1.9  # and for each open place
OPEN_PLACE = 0.1
TRUTH_CHAIN = 3.0  # a chain whose conclusion is a truth
CHAIN = 3.9
LINE = 0.25  # of a chain
WITH_RULES = 1.0  # more if rules without cards are asked
EITHER_WAY = 4.0
TRIAL = 6.0
LOOK_AHEAD = 2.8  # a chain of one line about truths, by small cards
CLOSING = 2.5  # the loop too soon
LOCAL_CARD = 4  # literals of such a card
SHORT_TRUTHS = 3  # lines of a chain about few values, beyond which it is no short chain
FEW_VALUES = 3  # of an unknown
LONGEST_CHAIN = 6  # lines, beyond which it is a trial
LONGEST_DRAWN = 12  # lines, those where a loop goes on among them
MANY_ASSUMPTIONS = 20  # of chains that ask rules without cards
SMALL_RULE = 40  # numbers of a rule, likewise
SMALL_CARD = 12  # literals of a card through which what is new is beside an assumption
SEEN_BESIDE = 2  # sources besides those that strike the places of a card
SHORT_CHAIN = 2  # lines of such a chain that is short enough
DEPTHS = (SHORT_CHAIN, LONGEST_CHAIN, None)  # of such chains, one after the other
REJECTION = 3  # lines that a chain may have more that rejects no choice
SHORTENED = 12  # chains that are made shorter
SHORTENED_WITH_RULES = 12
MOST_GAIN = 4  # lines that a useful chain gains on others
MANY_PLACES = 3  # of a card whose literals are tried one by one
MANY_RUNS = 400  # of a trial that asks rules without cards
MANY_TRIALS = 5  # times as many runs, where all assumptions are tried
MOST_MISSED = 3  # trials that are missed, before only one assumption is tried
DEEPEST_TRIAL = 2  # splits of such a trial, one below the other
LONGEST_TRIAL = 40  # lines of such a trial, beyond which nobody follows it
SHORT_TRIAL = 4  # lines of the branches of a trial that is good enough


# a rule without cards that is broken by facts, some of which are the newest
BrokenRule = Callable[[Trail, Iterable[int]], GroundRule | None]


@dataclass(frozen=True)
class _Refutation:
    """An assumption that fails.

    Attributes:
        propagation: What follows from it.
        lines: The reasons that must be told, each with its literals.
        sources: How many sources are needed.
        local: The pattern, if it fails by cards that are seen at one look.
    """

    propagation: Propagation
    lines: list[tuple[Reason, list[int]]]
    sources: int
    local: Pattern | None = None

    @property
    def assumed(self) -> int:
        return self.propagation.assumed

    @property
    def conflict(self) -> Reason:
        return self.propagation.conflict


@dataclass(frozen=True)
class _Tree:
    """How an assumption fails, at once or with each literal of a card.

    Attributes:
        propagation: What follows from it.
        length: How many lines its branches have, or itself, if it fails at once.
        opened: The card; None if it fails at once.
        branches: How the literals of the card fail after it.
    """

    propagation: Propagation
    length: int = 0
    opened: OpenCard | None = None
    branches: tuple[_Tree, ...] = ()

    def nodes(self) -> Iterator[_Tree]:
        """Yield it, and all below it."""
        yield self
        for branch in self.branches:
            yield from branch.nodes()

    def needed(self) -> set[int]:
        """Return what it needs of what follows from the assumption and those before."""
        propagation = self.propagation
        if self.opened is None:
            return {*propagation.needed_reasons(propagation.conflict.parents)}
        literals = {*propagation.needed_reasons(_closed(self.opened.card, propagation))}
        for branch in self.branches:
            literals |= branch.needed() & propagation.causes.keys()
        return literals

    def reasons(self) -> Iterator[Reason]:
        """Yield the reasons of what it needs, silent ones among them."""
        yield from reasons_of(self.propagation, self.needed())
        if self.opened is None:
            yield self.propagation.conflict


# the numbers of a card and of the one that leaves it no room, whether the card has too many true
# literals, and the literals that close its places
_Conflict = tuple[int, int, bool, frozenset[int]]


class Chains:
    """Finds deductions by assumptions.

    Attributes:
        marks: The state.
        wrong_literals: Returns the literals that are false in the solution and not known to be
            so: only these are worth an assumption. (It is a matter of speed alone.)
    """

    def __init__(
        self,
        marks: Marks,
        wrong_literals: Callable[[], list[int]],
        positions: Positions,
        rules_about: Callable[[int], Sequence[GroundRule]],
        without: Container[Pattern] = (),
    ) -> None:
        self.marks = marks
        self._positions = positions
        self._nearby: dict[int, frozenset[int]] = {}  # by the number of a literal
        self._inside: dict[int, frozenset[int]] = {}  # by the number of a card
        self._rules_about = rules_about
        self.wrong_literals = wrong_literals
        self.without = without  # the patterns that are not looked for
        # of the trail, and how many cards there were, when the refutations were found
        self._looked_at = (-1, -1)
        self._noted = 0  # literals of the trail that the propagations know
        self._cards = 0  # how many there were then
        self._refutations: list[_Refutation] = []
        self._suspects: list[Propagation] = []  # that may fail at a greater depth
        self._propagations: dict[int, Propagation] = {}  # by assumption
        # by which rules were asked, the assumptions that led to nothing, with what is beside them
        self._hopeless: dict[str, dict[int, set[int]]] = {}
        self._runs_left = 0  # of a trial
        self._missed = 0  # trials of this puzzle that were looked for in vain
        self._seen = 0  # literals of the trail, when these were looked through

    @cached_property
    def propagator(self) -> Propagator:
        """The propagator of all cards but those that are derived from others."""
        return Propagator(self.marks)

    def _look(self) -> None:
        """Try what follows from all assumptions without a line, unless nothing new is known."""
        propagator = self.propagator
        looked_at = (len(self.marks.trail), len(self.marks.cards))
        if self._looked_at == looked_at:
            return
        self._retain_propagations()
        self._refutations, self._suspects = [], []
        consistent: set[int] = set()
        for assumed in self.wrong_literals():
            check()
            if assumed in consistent:
                continue
            closure = propagator.closure(assumed)
            if closure is not None:
                consistent.update(closure)
                continue
            propagation = self._propagations.get(assumed)
            if propagation is None:
                propagation = self._propagations[assumed] = propagator.run(assumed, depth=0)
            self._suspects.append(propagation)
        self._note_refutations()
        self._looked_at = looked_at

    def _retain_propagations(self) -> None:
        """Retain the propagations that what is new does not touch."""
        marks = self.marks
        new = list(islice(marks.trail, self._noted, None))
        self._noted = len(marks.trail)
        if self._cards != len(marks.cards):
            self._propagations.clear()
        self._cards = len(marks.cards)
        touched = self.propagator.adjacent(new)
        for assumed, propagation in list(self._propagations.items()):
            if touched.isdisjoint(propagation.causes):
                propagation.note(new)
            else:
                del self._propagations[assumed]

    def _note_refutations(self) -> None:
        """Note which suspects fail by now."""
        failing = [propagation for propagation in self._suspects if propagation.fails]
        self._refutations += map(self._seen_or_not, failing)
        self._suspects = [each for each in self._suspects if not each.is_finished]

    def _deepen(self) -> None:
        """Try the assumptions with more and more lines, as long as that may give a shorter
        chain.
        """
        depth = 0
        deepest = self._deepest
        while self._suspects and self._fewest_lines > depth + 1 and depth < deepest:
            depth += 1
            for propagation in self._suspects:
                check()
                propagation.deepen(depth)
            self._note_refutations()

    @property
    def _deepest(self) -> float:
        """The lines of the longest chain that is looked for."""
        if Pattern.CHAIN not in self.without:
            return inf
        return SHORT_TRUTHS if Pattern.SHORT_CHAIN not in self.without else 1

    @property
    def _fewest_lines(self) -> float:
        """The lines of the shortest refutation so far that is looked for."""
        permitted = filter(self._permits, self._refutations)
        return min((len(each.lines) + self._detour(each) for each in permitted), default=inf)

    def _detour(self, refutation: _Refutation) -> int:
        """Return how many lines more a chain may have that says something of cells, rather than
        rejects a choice.
        """
        is_long = len(refutation.lines) > SHORT_CHAIN
        return REJECTION if is_long and self.marks.is_choice(refutation.assumed) else 0

    def _propagation(self, assumed: int) -> Propagation:
        """Return all that follows from an assumption now."""
        propagation = self._propagations.get(assumed)
        if propagation is None:
            propagation = self._propagations[assumed] = self.propagator.run(assumed)
        propagation.deepen()
        return propagation

    def _seen_or_not(self, propagation: Propagation) -> _Refutation:
        """Return the refutation of an assumption that fails, by cards that are seen at one look if
        these are enough.
        """
        refutation = self._refutation(propagation)
        if propagation.depth > 1:
            return refutation
        assumed = propagation.assumed
        nearby = self._nearby_cards(assumed)
        at_once = self.propagator.run(assumed, depth=0, only=nearby)
        if at_once.fails:
            shorter = self._refutation(at_once) if refutation.lines else refutation
            return replace(shorter, local=Pattern.NO_PLACE_NEARBY)
        if not refutation.lines or not self._is_about_truth(assumed):
            return refutation
        for cards in (nearby, *self._cards_inside(assumed)):
            after_a_line = self.propagator.run(assumed, depth=1, only=cards)
            if after_a_line.fails:
                shorter = refutation
                if len(refutation.lines) > 1:
                    shorter = self._refutation(after_a_line)
                return replace(shorter, local=Pattern.LOOK_AHEAD)
        return refutation

    def _nearby_cards(self, literal: int) -> frozenset[int]:
        """Return the numbers of the small cards that lie close to a literal."""
        if abs(literal) not in self._nearby:
            area = self._positions.close_to(literal)
            is_nearby: dict[int, bool] = {}  # by the number of a card
            pending = {literal: None}
            while pending:
                each, _ = pending.popitem()
                for number in self._numbers_about(each):
                    if number in is_nearby:
                        continue
                    card = self.marks.cards[number]
                    is_small = len(card.literals) <= LOCAL_CARD
                    is_nearby[number] = is_small and self._positions.is_inside(card, area)
                    if is_nearby[number]:
                        pending.update(dict.fromkeys(card.literals))
            nearby = (number for number, is_near in is_nearby.items() if is_near)
            self._nearby[abs(literal)] = frozenset(nearby)
        return self._nearby[abs(literal)]

    def _cards_inside(self, literal: int) -> Iterator[frozenset[int]]:
        """Yield the cards inside of each wide count about a literal, such as that of a row."""
        for number in self._numbers_about(literal):
            wide = self.marks.cards[number]
            if wide.card_type is not CardType.COUNT:
                continue
            if len(wide.literals) <= LOCAL_CARD:
                continue
            if number not in self._inside:
                self._inside[number] = frozenset(self._inside_of(wide))
            yield self._inside[number]

    def _inside_of(self, wide: Card) -> Iterator[int]:
        """Yield the numbers of the cards about nothing else than a card, that one among them."""
        scope = set(map(abs, wide.literals))
        numbers: dict[int, None] = {}
        for literal in wide.literals:
            numbers.update(dict.fromkeys(self._numbers_about(literal)))
        for number in numbers:
            literals = self.marks.cards[number].literals
            if scope.issuperset(map(abs, literals)):
                yield number

    def _numbers_about(self, literal: int) -> Iterator[int]:
        """Yield the numbers of the cards about a literal or its opposite."""
        yield from self.marks.cards_of.get(literal, ())
        yield from self.marks.cards_of.get(-literal, ())

    def _refutation(self, propagation: Propagation) -> _Refutation:
        targets = propagation.conflict.parents
        lines = list(told_reasons(propagation, targets, self.marks))
        reasons = propagation.needed_reasons(targets).values()
        return _Refutation(propagation, lines, len(set(map(id, reasons))))

    # No place left --------------------------------------------------------------------------------

    def no_place_left(self) -> Deduction | None:
        """Return the literals that would leave a card no place at once, most of them together."""
        groups = self._conflicts()
        if not groups:
            return None
        _, refutations = max(groups.items(), key=lambda entry: (len(entry[1]), -entry[0][0]))
        visible = [each for each in refutations if self.marks.is_visible(-each.assumed)]
        return self._leave_no_place(visible or refutations)

    def rejections(self) -> Iterator[Deduction]:
        """Yield the choices that would leave a card no place at once."""
        for refutations in self._conflicts().values():
            of_choices = [each for each in refutations if self.marks.is_choice(each.assumed)]
            if of_choices:
                yield self._leave_no_place(of_choices)

    def _conflicts(self) -> dict[_Conflict, list[_Refutation]]:
        """Return the refutations that leave a card too few places at once, by that card and the
        places that they close.
        """
        self._look()
        by_conflict: dict[_Conflict, list[_Refutation]] = {}
        for refutation in filter(self._permits, self._refutations):
            conflict = refutation.conflict
            if refutation.lines or not isinstance(conflict.source, Card):
                continue
            if refutation.sources > len(conflict.parents) + SEEN_BESIDE:
                continue
            packed = -1 if conflict.packed is None else conflict.packed.number
            closed = frozenset(conflict.parents) if conflict.source.low > 1 else frozenset[int]()
            key = (conflict.source.number, packed, _is_over(conflict), closed)
            by_conflict.setdefault(key, []).append(refutation)
        return {key: self._without_implied(group) for key, group in by_conflict.items()}

    def _without_implied(self, refutations: Sequence[_Refutation]) -> list[_Refutation]:
        """Return refutations without those that say to what a cell does not belong, where another
        one says that it belongs to nothing.
        """
        memberships = self.marks.memberships
        literals = {-refutation.assumed for refutation in refutations}
        remaining: list[_Refutation] = []
        for refutation in refutations:
            cards_of = self.marks.cards_of.get(refutation.assumed, ())
            numbers = memberships.cards.intersection(cards_of)
            cards = [self.marks.cards[number] for number in numbers]
            if all(literals.isdisjoint(card.literals) for card in cards):
                remaining.append(refutation)
        return remaining

    def _leave_no_place(self, refutations: Sequence[_Refutation]) -> Deduction:
        conflict = refutations[0].conflict
        card = conflict.source
        assert isinstance(card, Card)
        opened = self.marks.open_card(card)
        cost = NO_PLACE
        if conflict.packed is None and self._is_about_truths(card):
            cost = min(NO_PLACE, NO_PLACE_OF_TRUTHS + OPEN_PLACE * len(opened.literals))
        literals = tuple(-refutation.assumed for refutation in refutations)
        cards = self._cards_of(refutations)
        cover = [self.marks.open_card(link) for link in cards if link is not card]
        pattern, _ = self._name(refutations[0])
        instances = _instances(cards)
        premises = self._premises(refutations)
        chains = tuple(map(self._chain, refutations))
        return Deduction(
            pattern,
            cost,
            literals,
            (opened,),
            tuple(cover),
            instances,
            premises,
            chains=chains,
        )

    def _is_about_truths(self, card: Card) -> bool:
        """Return whether a card is about unknowns with two values."""
        literals = self.marks.literals
        unknowns = (literals.fact(literal).unknown for literal in card.literals)
        return all(len(literals.domains[unknown]) == 2 for unknown in unknowns)

    # Chains ---------------------------------------------------------------------------------------

    def chain(self) -> Deduction | None:
        """Return the shortest chain by cards alone."""
        self._look()
        self._deepen()
        return self._shortest(self._refutations, None)

    def failing(self) -> Iterator[Deduction]:
        """Yield what each assumption that fails by a chain that is looked for says, without its
        reasons.
        """
        self._look()
        self._deepen()
        permitted = list(filter(self._permits, self._refutations))
        if not permitted:
            longer = filter(self._may_be_shortened, self._refutations)
            shortened = (self._shortened(refutation, None) for refutation in longer)
            permitted = list(filter(self._permits, shortened))
        for refutation in permitted:
            pattern, cost = self._name(refutation)
            yield Deduction(pattern, cost, (-refutation.assumed,))

    def _may_be_shortened(self, refutation: _Refutation) -> bool:
        """Return whether a shorter chain may have a pattern that is looked for."""
        if Pattern.CHAIN not in self.without:
            return True
        return self._has_few_values(refutation.assumed)

    def closing(self, edges: Iterable[ClosingEdge], broken: BrokenRule) -> Iterator[Deduction]:
        """Yield that an edge closes the loop too soon: no line outside of it leaves a rule short.

        Args:
            edges: The open edges that would close the loop.
            broken: Returns a rule without cards that is broken by facts.
        """
        if Pattern.SMALL_LOOP in self.without:
            return
        for edge in edges:
            closed = {edge.literal: 0, **dict.fromkeys(edge.outside, 0)}
            trail = {**self.marks.trail, **closed}
            source = self._broken_card(trail, edge.outside) or broken(trail, edge.outside)
            if source is not None:
                yield self._closing(edge, source)

    def _broken_card(self, trail: Collection[int], newest: Iterable[int]) -> Card | None:
        """Return a card that facts break, by some of the newest of them."""
        numbers: dict[int, None] = {}
        for literal in newest:
            numbers.update(dict.fromkeys(self.marks.cards_of.get(-literal, ())))
        for number in numbers:
            card = self.marks.cards[number]
            if card.guard not in trail or card.derivation is not None:
                continue
            possible = 0
            for each in card.literals:
                possible += -each not in trail
            if possible < card.low:
                return card
        return None

    def _closing(self, edge: ClosingEdge, source: Card | GroundRule) -> Deduction:
        """Return the deduction that a loop would be closed too soon for a card or a rule."""
        scope = source.literals if isinstance(source, Card) else source.scope
        numbers = set(map(abs, scope))
        outside = tuple(literal for literal in edge.outside if abs(literal) in numbers)
        reason = GraphReason.LOOP_IS_CLOSED
        closed = Line(outside, edge.shape, (edge.literal,), graph_reason=reason)
        broken = Line((), source, outside)
        chain = ForcingChain(edge.literal, (closed,), broken)
        rules = (source,) if isinstance(source, GroundRule) else source.instances
        facts = [literal for literal in self.marks.trail if abs(literal) in numbers]
        deduction = Deduction(Pattern.SMALL_LOOP, CLOSING, (-edge.literal,), chains=(chain,))
        instances = (edge.shape, *edge.vertices, *rules)
        return replace(deduction, instances=instances, reasons=(*edge.loop, *facts))

    def short_chain_with_rules(self, name: str, consequences: Consequences) -> Deduction | None:
        """Return a short chain in which rules without cards are asked, too, as the next method."""
        hopeless = self._hopeless.setdefault(f"short, {name}", {})
        self._forget()
        assumptions = [each for each in self.wrong_literals() if each not in hopeless]
        for assumed in sorted(filter(self._has_few_values, assumptions), key=self._narrowness):
            check()
            propagation = self.propagator.run(
                assumed, consequences=consequences, depth=LONGEST_CHAIN
            )
            if propagation.fails:
                refutation = self._refutation(propagation)
                if SHORT_TRUTHS < len(refutation.lines) <= LONGEST_CHAIN:
                    refutation = self._shortened(refutation, consequences)
                if self._permits(refutation):
                    return self._told([refutation], True)
            hopeless[assumed] = self._adjacent(propagation.causes)
        return None

    def chain_with_rules(self, name: str, consequences: Consequences) -> Deduction | None:
        """Return a short chain in which rules without cards are asked, too.

        The assumptions beside the fewest open places come first. As these chains take long, only
        some are tried once there is one, and none after one without a line.

        Args:
            name: Which rules are asked; assumptions that led to nothing are noted by this.
            consequences: Asks the rules.
        """
        hopeless = self._hopeless.setdefault(name, {})
        self._forget()
        assumptions = (each for each in self.wrong_literals() if each not in hopeless)
        started: list[Propagation] = []

        def start() -> Iterator[Propagation]:
            for assumed in sorted(assumptions, key=self._narrowness):
                started.append(self.propagator.run(assumed, consequences=consequences, depth=0))
                yield started[-1]

        propagations: Iterable[Propagation] = start()
        for depth in DEPTHS:
            refutations = self._first_refutations(propagations, depth)
            if refutations:
                return self._shortest(refutations, consequences)
            finished = [propagation for propagation in started if propagation.is_finished]
            hopeless.update((each.assumed, self._adjacent(each.causes)) for each in finished)
            propagations = started = [each for each in started if not each.is_finished]
        return None

    def _first_refutations(
        self, propagations: Iterable[Propagation], depth: int | None
    ) -> list[_Refutation]:
        """Return assumptions that fail at a depth: up to one without a line, or some."""
        refutations: list[_Refutation] = []
        for tried, propagation in enumerate(propagations):
            check()
            if refutations and tried >= MANY_ASSUMPTIONS:
                break
            propagation.deepen(depth)
            if propagation.fails:
                refutations.append(self._refutation(propagation))
                if not refutations[-1].lines:
                    break
        return refutations

    def _forget(self) -> None:
        """Forget that assumptions led to nothing where something new is known beside what
        followed from them.
        """
        new = {abs(literal) for literal in islice(self.marks.trail, self._seen, None)}
        for by_assumption in self._hopeless.values():
            for assumed in [each for each, adjacent in by_assumption.items() if adjacent & new]:
                del by_assumption[assumed]
        self._seen = len(self.marks.trail)

    def _adjacent(self, literals: Iterable[int]) -> set[int]:
        """Return the numbers of literals that share a small card or rule with these."""
        marks = self.marks
        adjacent: set[int] = set()
        for literal in literals:
            adjacent.add(abs(literal))
            for rule in self._rules_about(literal):
                if not rule.shape and len(rule.scope) <= SMALL_RULE:
                    adjacent.update(rule.scope)
            for number in (*marks.cards_of.get(literal, ()), *marks.cards_of.get(-literal, ())):
                card = marks.cards[number]
                if len(card.literals) <= SMALL_CARD:
                    adjacent.update(map(abs, card.literals))
        return adjacent

    def _narrowness(self, literal: int) -> tuple[int, int]:
        """Return how few open literals the narrowest card about a literal has."""
        marks = self.marks
        narrowest = 10**6
        for number in (*marks.cards_of.get(literal, ()), *marks.cards_of.get(-literal, ())):
            closed = marks.true_counts[number] + marks.false_counts[number]
            narrowest = min(narrowest, len(marks.cards[number].literals) - closed)
        return narrowest, abs(literal)

    def _shortest(
        self, refutations: Sequence[_Refutation], consequences: Consequences | None
    ) -> Deduction | None:
        """Return the shortest chain whose pattern is looked for."""
        candidates = sorted(refutations, key=self._shortness)
        size = SHORTENED if consequences is None else SHORTENED_WITH_RULES
        for start in range(0, len(candidates), size):
            batch = candidates[start : start + size]
            shortened = self._all_shortened(batch, consequences)
            permitted = list(filter(self._permits, shortened))
            if permitted:
                best = min(permitted, key=lambda each: self._usefulness(each, consequences))
                before = batch[shortened.index(best)]
                for each in batch:
                    if _are_same(before, each):
                        shortened.append(self._shortened(each, consequences))
                alike = {each.assumed: each for each in shortened}
                same = [each for each in alike.values() if self._are_told_together(best, each)]
                if consequences is not None and self._is_about_truth(best.assumed):
                    same += self._nearby_alike([best, *same], consequences)
                together = self._without_implied([best, *same])
                return self._told(together, consequences is not None)
        return None

    def _nearby_alike(
        self, refutations: Sequence[_Refutation], consequences: Consequences
    ) -> Iterator[_Refutation]:
        """Yield further refutations that are told together with some, of assumptions beside them
        one after the other.
        """
        best = refutations[0]
        tried = {refutation.assumed for refutation in refutations}
        pending = list(tried)
        for assumed in pending:
            for nearby in self._wrong_beside(assumed) - tried:
                tried.add(nearby)
                depth = len(best.lines) + 1  # one more, as silent lines count, too
                propagation = self.propagator.run(nearby, consequences=consequences, depth=depth)
                if propagation.fails:
                    refutation = self._refutation(propagation)
                    if self._are_told_together(best, refutation):
                        pending.append(nearby)
                        yield refutation

    def _wrong_beside(self, literal: int) -> set[int]:
        """Return the literals that are false in the solution beside a literal."""
        area = self._positions.close_to(literal)
        wrong = set()
        for each in self.wrong_literals():
            for point in self._positions.points(each):
                if (point.row, point.column) in area:
                    wrong.add(each)
        return wrong

    def _are_told_together(self, best: _Refutation, second: _Refutation) -> bool:
        """Return whether a refutation says more than the best one, in the same way."""
        literals = self.marks.literals
        if self.marks.is_membership(best.assumed) != self.marks.is_membership(second.assumed):
            return False
        first = literals.fact(-best.assumed)
        is_implied = first.positive and literals.fact(second.assumed).unknown == first.unknown
        return second is not best and not is_implied and _are_same(best, second)

    def _permits(self, refutation: _Refutation) -> bool:
        """Return whether the pattern of a chain is looked for."""
        return self._name(refutation)[0] not in self.without

    def _told(self, refutations: Sequence[_Refutation], asks_rules: bool) -> Deduction:
        """Return the deduction of a chain, which may refute several assumptions."""
        pattern, cost = self._name(refutations[0])
        if asks_rules:
            cost += WITH_RULES
        chain = self._chain(refutations[0])
        further = refutations[1:]
        alternatives = tuple(refutation.assumed for refutation in further)
        chain = replace(chain, alternatives=alternatives)
        literals = tuple(-assumed for assumed in chain.assumptions)
        deduction = Deduction(pattern, cost, literals, chains=(chain,))
        instances = self._instances_of(refutations)
        reasons = self._premises(refutations)
        return replace(deduction, instances=instances, reasons=reasons)

    def _all_shortened(
        self, refutations: Iterable[_Refutation], consequences: Consequences | None
    ) -> list[_Refutation]:
        """Return shorter refutations; those that are longer than the shortest useful one stay."""
        shortened: list[_Refutation] = []
        shortest = inf
        for refutation in refutations:
            gain = self._leaves_placement(-refutation.assumed)
            is_short = len(refutation.lines) - gain <= shortest
            if consequences is not None or is_short:
                refutation = self._shortened(refutation, consequences)
            shortened.append(refutation)
            if self._permits(refutation):
                length, _, _ = self._usefulness(refutation, consequences)
                shortest = min(shortest, length)
        return shortened

    def _shortened(self, refutation: _Refutation, consequences: Consequences | None) -> _Refutation:
        """Return a shorter refutation of the same assumption, by forbidding one line after the
        other.
        """
        if refutation.local is not None:
            return refutation
        best = refutation
        is_shorter = True
        while is_shorter and best.lines:
            is_shorter = False
            for _, literals in best.lines:
                propagation = self.propagator.run(
                    best.assumed,
                    forbidden=set(literals),
                    consequences=consequences,
                    depth=len(best.lines) - 1,
                )
                if not propagation.fails:
                    continue
                shorter = self._refutation(propagation)
                if len(shorter.lines) < len(best.lines):
                    best, is_shorter = shorter, True
                    break
        return best

    def _usefulness(
        self, refutation: _Refutation, consequences: Consequences | None
    ) -> tuple[int, int, int]:
        """Return how useful a chain is: how short, where one that leaves a placement gains a line;
        if rules are asked, so does one for each value or truth that follows by cards.
        """
        conclusion = -refutation.assumed
        gain = self._leaves_placement(conclusion)
        if consequences is not None:
            following = self.propagator.run(conclusion).causes.keys() - {conclusion}
            gain = max(gain, min(MOST_GAIN, sum(map(self.marks.is_decision, following))))
        length = len(refutation.lines) - gain + self._detour(refutation)
        return length, refutation.sources, abs(refutation.assumed)

    def _shortness(self, refutation: _Refutation) -> tuple[int, int, int]:
        length = len(refutation.lines) + self._detour(refutation)
        return length, refutation.sources, abs(refutation.assumed)

    def _leaves_placement(self, literal: int) -> int:
        """Return 1 if a literal leaves a card just the places that it needs, or decides a truth; 2
        if it places a value, which needs no other look.
        """
        marks = self.marks
        if not marks.is_denial(literal):
            return 1 if self._is_about_truth(literal) else 2
        for number in marks.cards_of.get(-literal, ()):
            card = marks.cards[number]
            open_count = len(card.literals) - marks.true_counts[number] - marks.false_counts[number]
            needed = card.low - marks.true_counts[number]
            if card.card_type is not CardType.IMPLIED and open_count - 1 == needed > 0:
                return 1
        return 0

    def _name(self, refutation: _Refutation) -> tuple[Pattern, float]:
        """Return the pattern of a chain, and its cost."""
        lines = refutation.lines
        if refutation.local is not None:
            return refutation.local, LOOK_AHEAD if lines else NO_PLACE
        if not lines:
            return Pattern.NO_PLACE_LEFT, NO_PLACE
        is_about_truth = self._is_about_truth(refutation.assumed)
        base_cost = TRUTH_CHAIN if is_about_truth else CHAIN
        cost = base_cost + LINE * len(lines)
        if _is_long(refutation):
            return Pattern.TRIAL, TRIAL + LINE * len(lines)
        if len(lines) <= SHORT_TRUTHS and self._has_few_values(refutation.assumed):
            return Pattern.SHORT_CHAIN, cost
        return self._chain_pattern(refutation), cost

    def _is_about_truth(self, literal: int) -> bool:
        """Return whether a literal is about an unknown with two values."""
        literals = self.marks.literals
        return len(literals.domains[literals.fact(literal).unknown]) == 2

    def _has_few_values(self, literal: int) -> bool:
        """Return whether a literal is about an unknown with a few values."""
        literals = self.marks.literals
        unknown = literals.fact(literal).unknown
        return len(literals.domains[unknown]) <= FEW_VALUES

    def _chain_pattern(self, refutation: _Refutation) -> Pattern:
        lines = refutation.lines
        sources = _sources(refutation)
        kinds = {source.card_type if isinstance(source, Card) else None for source in sources}
        if kinds == {CardType.CELL} and all(map(self._has_two_values, sources)):
            return Pattern.XY_WING if len(lines) == 2 else Pattern.XY_CHAIN
        literals = self.marks.literals
        values = {
            literals.fact(literal).value
            for literal in (refutation.assumed, *(each for _, line in lines for each in line))
        }
        if kinds == {CardType.VALUE} and len(values) == 1 and not _is_over(refutation.conflict):
            return Pattern.TURBOT_FISH if len(lines) == 1 else Pattern.X_CHAIN
        return Pattern.CHAIN

    def _has_two_values(self, source: Card | SumGroup | GroundRule) -> bool:
        """Return whether a card is that of an unknown with two values left."""
        return isinstance(source, Card) and len(self.marks.open_literals(source)) == 2

    # What a chain consists of ---------------------------------------------------------------------

    def _reasons(self, refutations: Iterable[_Refutation]) -> Iterator[Reason]:
        """Yield all reasons of refutations, silent ones among them."""
        for refutation in refutations:
            yield from reasons_of(refutation.propagation, refutation.conflict.parents)
            yield refutation.conflict

    def _cards_of(self, refutations: Iterable[_Refutation]) -> list[Card]:
        """Return the cards of refutations, without those of unknowns alone."""
        cards: dict[Card, None] = {}
        for reason in self._reasons(refutations):
            if isinstance(reason.source, Card):
                cards[reason.source] = None
            if reason.packed is not None:
                cards[reason.packed] = None
        return list(cards)

    def _instances_of(self, refutations: Iterable[_Refutation]) -> tuple[GroundRule, ...]:
        """Return the instances of rules of refutations, each once."""
        instances: dict[GroundRule, None] = {}
        for reason in self._reasons(refutations):
            instances.update(dict.fromkeys(instances_of_reason(reason)))
        return tuple(instances)

    def _premises(self, refutations: Iterable[_Refutation]) -> tuple[int, ...]:
        premises: dict[int, None] = {}
        for reason in self._reasons(refutations):
            premises.update(dict.fromkeys(reason.premises))
        premises.pop(TRUE, None)
        return tuple(premises)

    def _chain(self, refutation: _Refutation) -> ForcingChain:
        propagation = refutation.propagation
        lines = tuple(
            self._line(propagation, reason, literals) for reason, literals in refutation.lines
        )
        contradiction = self._line(propagation, refutation.conflict, ())
        return ForcingChain(refutation.assumed, lines, contradiction)

    def _line(self, propagation: Propagation, reason: Reason, literals: Sequence[int]) -> Line:
        """Return a line of a chain."""
        striking = dict.fromkeys(strikers(propagation, reason, self.marks))
        return replace(_line(reason, literals), strikers=tuple(striking))

    # Either way -----------------------------------------------------------------------------------

    def either_way(self) -> Deduction | None:
        """Return what follows from each open literal of a card with two or three of them."""
        self._look()
        best: tuple[int, int, OpenCard, list[Propagation]] | None = None
        for card in self._undecided():
            opened = self.marks.open_card(card)
            runs = self._runs(opened.literals)
            if runs is None:
                continue
            common = set(runs[0].causes).intersection(*(run.causes for run in runs[1:]))
            for literal in sorted(common.difference(opened.literals), key=abs):
                length = len(runs)
                for run in runs:
                    length += len(list(told_reasons(run, [literal], self.marks)))
                if length <= LONGEST_CHAIN and (best is None or length < best[0]):
                    best = length, literal, opened, runs
        if best is None:
            return None
        length, literal, opened, runs = best
        return self._either_way(length, literal, opened, runs)

    def _undecided(self) -> Iterator[Card]:
        """Yield the cards that need one of two or three open literals."""
        marks = self.marks
        for card in marks.cards:
            true, false = marks.true_counts[card.number], marks.false_counts[card.number]
            open_count = len(card.literals) - true - false
            is_told = card.card_type is not CardType.IMPLIED and card.guard == TRUE
            if is_told and card.low - true == 1 and 2 <= open_count <= MANY_PLACES:
                yield card

    def _runs(self, literals: Sequence[int]) -> list[Propagation] | None:
        """Return what follows from each of these literals; None if one of them fails, or if
        nothing follows from all of them.
        """
        common: set[int] | None = None
        for literal in literals:
            closure = self.propagator.closure(literal)
            if closure is None:
                continue
            common = {*closure} if common is None else common.intersection(closure)
            if not common:
                return None
        runs = list(map(self._propagation, literals))
        return None if any(run.fails for run in runs) else runs

    def _either_way(
        self, length: int, literal: int, opened: OpenCard, runs: Sequence[Propagation]
    ) -> Deduction:
        chains = []
        reasons = []
        for run in runs:
            lines = told_reasons(run, [literal], self.marks)
            chain_lines = tuple(self._line(run, reason, literals) for reason, literals in lines)
            chains.append(ForcingChain(run.assumed, chain_lines))
            reasons += list(reasons_of(run, [literal]))
        premises = dict.fromkeys(
            -each for each in opened.card.literals if -each in self.marks.trail
        )
        for reason in reasons:
            premises.update(dict.fromkeys(reason.premises))
        premises.pop(TRUE, None)
        cards = [reason.source for reason in reasons if isinstance(reason.source, Card)]
        cost = EITHER_WAY + LINE * length
        instances = _instances([opened.card, *cards])
        return Deduction(
            Pattern.EITHER_WAY,
            cost,
            (literal,),
            (opened,),
            instances=instances,
            reasons=tuple(premises),
            chains=tuple(chains),
        )

    # Trials ---------------------------------------------------------------------------------------

    def trial(self) -> Deduction | None:
        """Return a trial: an assumption after which both literals of some card fail."""
        self._look()
        best: _Tree | None = None
        cards = [self.marks.open_card(card) for card in self.marks.cards if _may_split(card)]
        opened_cards = [card for card in cards if len(card.literals) >= 2 and card.needed >= 1]
        for assumed in self.wrong_literals():
            check()
            if assumed in self._propagations and self._propagation(assumed).fails:
                continue
            longest = None if best is None else best.length - 1
            for opened, refutations in self._failing_splits(assumed, opened_cards, longest):
                length = sum(len(each.lines) for each in refutations)
                if best is None or length < best.length:
                    branches = tuple(_Tree(each.propagation) for each in refutations)
                    best = _Tree(self._propagation(assumed), length, opened, branches)
            if best is not None and best.length <= SHORT_TRIAL:
                break
        return None if best is None else self._trial(best)

    def trial_with_rules(self, searched: int, consequences: Consequences) -> Deduction | None:
        """Return a trial in which rules without cards are asked, too, and where an assumption may
        follow another one; None if there is none that people could follow.

        Args:
            searched: The assumption that a search refutes. Others are tried if it has no trial.
            consequences: Asks the rules.
        """
        self._runs_left = MANY_RUNS
        tree = self._tree(searched, None, consequences, DEEPEST_TRIAL)
        if (tree is None or tree.length > LONGEST_TRIAL) and self._missed < MOST_MISSED:
            tree = self._shortest_tree(consequences)
        if tree is None or tree.length > LONGEST_TRIAL:
            self._missed += 1
            return None
        return self._trial(tree)

    def _shortest_tree(self, consequences: Consequences) -> _Tree | None:
        """Return how one of all assumptions fails in the fewest lines, of those that few runs try;
        None if they show none.
        """
        self._runs_left = MANY_TRIALS * MANY_RUNS
        assumptions = sorted(self.wrong_literals(), key=self._reach, reverse=True)
        for depth in range(1, DEEPEST_TRIAL + 1):
            best: _Tree | None = None
            for assumed in assumptions:
                tree = self._tree(assumed, None, consequences, depth)
                if tree is not None and (best is None or tree.length < best.length):
                    best = tree
                if self._runs_left < 0 or (best is not None and best.length <= SHORT_TRIAL):
                    break
            if best is not None:
                return best
        return None

    def _reach(self, assumed: int) -> int:
        """Return how much follows from an assumption by cards."""
        check()
        return len(self._propagation(assumed).causes)

    def _tree(
        self, assumed: int, before: Propagation | None, consequences: Consequences, depth: int
    ) -> _Tree | None:
        """Return how an assumption after another one fails, with so many splits one below the
        other; None if that takes more.
        """
        check()
        self._runs_left -= 1
        propagation = self.propagator.run(assumed, before, consequences=consequences)
        if propagation.fails:
            lines = self._refutation(propagation).lines
            return _Tree(propagation, len(lines))
        if depth == 0:
            return None
        cards = filter(_may_split, self.marks.cards)
        splits = (_split(self.marks.open_card(card), propagation.causes) for card in cards)
        tree = self._best_tree(filter(None, splits), propagation, consequences, depth)
        if tree is not None:
            return tree
        return self._best_tree(self._truth_splits(propagation), propagation, consequences, depth)

    def _best_tree(
        self,
        splits: Iterable[OpenCard],
        propagation: Propagation,
        consequences: Consequences,
        depth: int,
    ) -> _Tree | None:
        """Return how an assumption fails with both literals of one of some cards, in the fewest
        lines; None if it does not, or if that takes too many runs.
        """
        best: _Tree | None = None
        for split in splits:
            if self._runs_left < 0:
                break
            branches = self._branches(split.literals, propagation, consequences, depth - 1)
            length = sum(branch.length for branch in branches)
            if branches and (best is None or length < best.length):
                best = _Tree(propagation, length, split, branches)
        return best

    def _truth_splits(self, propagation: Propagation) -> Iterator[OpenCard]:
        """Yield the open truths beside what follows from an assumption, as cards of both values."""
        literals = self.marks.literals
        trail = self.marks.trail
        for literal in sorted(self._adjacent(propagation.causes)):
            is_open = literal not in trail and -literal not in trail
            if not is_open or not literals.is_value_literal(literal):
                continue
            if literal in propagation.causes or -literal in propagation.causes:
                continue
            if self._is_about_truth(literal):
                both = (literal, -literal)
                unknown = literals.fact(literal).unknown
                card = Card(len(self.marks.cards), both, 1, 1, CardType.CELL, unknown=unknown)
                yield OpenCard(card, 1, 1, both)

    def _branches(
        self,
        split: Iterable[int],
        before: Propagation,
        consequences: Consequences,
        depth: int,
    ) -> tuple[_Tree, ...]:
        """Return how each of some literals fails; nothing if one does not."""
        branches = []
        for literal in split:
            branch = self._tree(literal, before, consequences, depth)
            if branch is None:
                return ()
            branches.append(branch)
        return tuple(branches)

    def _failing_splits(
        self, assumed: int, cards: Iterable[OpenCard], longest: int | None
    ) -> Iterator[tuple[OpenCard, list[_Refutation]]]:
        """Yield the cards with two literals that both fail after an assumption, unless that takes
        more lines than the longest that is looked for.
        """
        propagator = self.propagator
        is_true = set(propagator.closure(assumed) or self._propagation(assumed).causes)
        runs: dict[int, Propagation] = {}  # by the second assumption
        refutations: dict[int, _Refutation] = {}  # likewise
        consistent: set[int] = set()  # literals that do not fail with the assumption
        for opened in cards:
            if not consistent.isdisjoint(opened.literals):
                continue
            split = _split(opened, is_true)
            if split is None:
                continue
            closures = (propagator.closure(assumed, literal) for literal in split.literals)
            closure = next(filter(None, closures), None)
            if closure is not None:
                consistent.update(closure)
                consistent -= is_true
                continue
            propagation = self._propagation(assumed)
            if _split(opened, propagation.causes) != split:
                continue
            length = 0
            for literal in split.literals:
                if longest is not None and length >= longest:
                    break
                if literal not in runs:
                    runs[literal] = propagator.run(literal, before=propagation, depth=longest)
                if not runs[literal].fails:
                    consistent.add(literal)
                    if runs[literal].is_finished:
                        consistent.update(runs[literal].causes)
                        consistent -= is_true
                    break
                if literal not in refutations:
                    refutations[literal] = self._refutation(runs[literal])
                length += len(refutations[literal].lines)
            else:
                yield split, [refutations[literal] for literal in split.literals]

    def _trial(self, tree: _Tree) -> Deduction:
        """Return the deduction of a trial."""
        chain = self._chain_of_tree(tree, None)
        premises: dict[int, None] = {}
        instances: dict[GroundRule, None] = {}
        for each in tree.nodes():
            if each.opened is not None:
                instances.update(dict.fromkeys(each.opened.card.instances))
                premises.update(dict.fromkeys(self._known(each.opened.card)))
            for reason in each.reasons():
                instances.update(dict.fromkeys(instances_of_reason(reason)))
                premises.update(dict.fromkeys(reason.premises))
        premises.pop(TRUE, None)
        cost = TRIAL + LINE * chain.length
        literals = (-chain.assumed,)
        deduction = Deduction(Pattern.TRIAL, cost, literals, chains=(chain,))
        return replace(deduction, instances=tuple(instances), reasons=tuple(premises))

    def _chain_of_tree(self, tree: _Tree, before: Propagation | None) -> ForcingChain:
        """Return the chain of a trial, without the lines that stand before.

        The lines of branches come after those that they need of the assumption before.
        """
        propagation = tree.propagation
        lines = []
        for reason, literals in told_reasons(propagation, tree.needed(), self.marks):
            if before is None or not before.causes.keys() >= {*literals}:
                lines.append(self._line(propagation, reason, literals))
        chain = ForcingChain(propagation.assumed, tuple(lines))
        if tree.opened is None:
            contradiction = self._line(propagation, propagation.conflict, ())
            return replace(chain, contradiction=contradiction)
        branches = (self._chain_of_tree(branch, propagation) for branch in tree.branches)
        return replace(chain, split=tree.opened, branches=tuple(branches))

    def _known(self, card: Card) -> list[int]:
        """Return the literals of a card that are known to be false, as facts."""
        return [-literal for literal in card.literals if -literal in self.marks.trail]


def _sources(refutation: _Refutation) -> list[Card | SumGroup | GroundRule]:
    """Return from what the lines of a refutation and its contradiction follow."""
    return [*(reason.source for reason, _ in refutation.lines), refutation.conflict.source]


def _is_at_vertex(card: Card) -> bool:
    """Return whether a card says that a loop neither ends nor forks at a vertex."""
    parts = {each.rule_part for each in card.instances}
    return RulePart.AT_A_VERTEX in parts


def _is_long(refutation: _Refutation) -> bool:
    """Return whether a chain is longer than people follow; a line that goes on at a vertex of a
    loop is no look of its own, unless there are many.
    """
    looks = 0
    for reason, _ in refutation.lines:
        source = reason.source
        is_drawn = isinstance(source, Card) and _is_at_vertex(source)
        looks += not is_drawn
    if looks > LONGEST_CHAIN:
        return True
    return len(refutation.lines) > LONGEST_DRAWN


def _may_split(card: Card) -> bool:
    """Return whether it can be told that one of two literals of a card is true."""
    return card.card_type is not CardType.IMPLIED and card.guard == TRUE and card.low >= 1


def _split(opened: OpenCard, is_true: Container[int]) -> OpenCard | None:
    """Return a card with its two open literals of which it needs one, given what holds; None if
    these are not two.
    """
    needed, remaining = opened.needed, []
    for literal in opened.literals:
        if literal in is_true:
            needed -= 1
        elif -literal not in is_true:
            remaining.append(literal)
    if needed != 1 or len(remaining) != 2:
        return None
    return OpenCard(opened.card, 1, 1, tuple(remaining))


def reasons_of(propagation: Propagation, targets: Iterable[int]) -> Iterator[Reason]:
    """Yield the reasons of the literals that some literals need, silent ones among them."""
    reasons = propagation.needed_reasons(targets).values()
    yield from filter(None, reasons)


def _closed(card: Card, propagation: Propagation) -> Iterator[int]:
    """Yield what a propagation says of the literals of a card."""
    for literal in card.literals:
        if literal in propagation.causes:
            yield literal
        if -literal in propagation.causes:
            yield -literal


def _is_over(conflict: Reason) -> bool:
    """Return whether a card has too many true literals, rather than too few places."""
    card = conflict.source
    if not isinstance(card, Card):
        return False
    return any(parent in card.literals for parent in conflict.parents)


def _are_same(first: _Refutation, second: _Refutation) -> bool:
    """Return whether two refutations have the same lines and contradiction."""
    if not first.lines or _extent(first) != _extent(second):
        return False
    return _looks_of(first) == _looks_of(second)


def _extent(refutation: _Refutation) -> frozenset[int]:
    """Return the cells, as literals, that a contradiction cuts off; none if it cuts off none."""
    line = refutation.conflict.line
    area = None if line is None else line.area
    return frozenset() if area is None else frozenset(area.extent)


def _looks_of(refutation: _Refutation) -> list[tuple[int, list[int]]]:
    """Return the sources of lines, by their identity, with what follows."""
    conflict = refutation.conflict
    looks = []
    for reason, literals in refutation.lines:
        looks.append((_identity(reason.source), literals))
    is_over = int(_is_over(conflict))
    looks.append((_identity(conflict.source), [is_over]))
    return looks


def _identity(source: Card | SumGroup | GroundRule) -> int:
    """Return the identity of a source; of several clauses of a rule, that of the rule."""
    if isinstance(source, Card) and source.card_type is CardType.IMPLIED:
        return id(source.instances[0])
    return id(source)


def _line(reason: Reason, literals: Sequence[int]) -> Line:
    line = Line(tuple(literals), reason.source, reason.parents, packed=reason.packed)
    if reason.line is None:
        return line
    return replace(line, graph_reason=reason.line.graph_reason, area=reason.line.area)


def instances_of_reason(reason: Reason) -> tuple[GroundRule, ...]:
    """Return the instances of rules of a reason."""
    further = () if reason.line is None else reason.line.instances
    if isinstance(reason.source, GroundRule):
        return (reason.source, *further)
    packed = () if reason.packed is None else reason.packed.instances
    return (*reason.source.instances, *packed, *further)


def _instances(cards: Iterable[Card]) -> tuple[GroundRule, ...]:
    """Return the instances of rules of cards, each once."""
    return tuple(dict.fromkeys(instance for card in cards for instance in card.instances))
