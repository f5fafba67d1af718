"""The steps to the solution of a puzzle: at each moment the pattern that asks for the cheapest
look.

The patterns are looked for in the order of their costs; the search ends as soon as what was found
is cheaper than what the next patterns can give.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import islice

from puzzlekit.boards import Cell
from puzzlekit.clock import check
from puzzlekit.dataclass import dataclass
from puzzlekit.model import Value, Variable
from puzzlekit.reasons.cards import Cards
from puzzlekit.reasons.chains import Chains
from puzzlekit.reasons.choices import choices_of
from puzzlekit.reasons.covers import Covers
from puzzlekit.reasons.deductions import (
    Card,
    CardType,
    Deduction,
    Line,
    Pattern,
    PatternClass,
    SumGroup,
    instances_of,
)
from puzzlekit.reasons.differences import Differences
from puzzlekit.reasons.explainer import Explainer
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.marks import Marks, SilentCause, ViolatedInstance
from puzzlekit.reasons.memberships import Memberships
from puzzlekit.reasons.options import Options, is_short
from puzzlekit.reasons.positions import Positions
from puzzlekit.reasons.search import Search
from puzzlekit.reasons.shape_rules import told_by_shapes
from puzzlekit.reasons.singles import Singles
from puzzlekit.reasons.starting_facts import starting_facts
from puzzlekit.reasons.sums import SumGroups
from puzzlekit.reasons.uniqueness import UniqueRectangles
from puzzlekit.reasons.vertex_counts import VertexCounts
from puzzlekit.reasons.whole_rules import WholeRules
from puzzlekit.sentences import GraphReason

# The cost up to which no more expensive patterns are looked for.
ENOUGH_SINGLE = 1.5
ENOUGH_RULE = 2.4
ENOUGH_LOCKED = 2.7
ENOUGH_SET = 3.0
ENOUGH_CHAIN = 3.9
# the patterns of chains by cards alone
CHAINS = frozenset(
    {
        Pattern.LOOK_AHEAD,
        Pattern.SHORT_CHAIN,
        Pattern.TURBOT_FISH,
        Pattern.X_CHAIN,
        Pattern.XY_WING,
        Pattern.XY_CHAIN,
        Pattern.CHAIN,
    }
)
LONG_CHAIN = 3  # lines, beyond which it is also looked for what follows either way


@dataclass(frozen=True)
class Step:
    """A step.

    Attributes:
        deduction: The deduction.
        literals: What is new: the literals of the deduction, without those that are known, and the
            last values that they leave.
        last_values: The last values that they leave.
        meaning: What they mean for other unknowns of their positions, with the cards that say so.
        struck: What they exclude in counts of a clue, or beside a cell, that ask for one truth,
            with these cards.
    """

    deduction: Deduction
    literals: tuple[int, ...]
    last_values: tuple[int, ...] = ()
    meaning: Mapping[int, Card] = field(default_factory=dict)
    struck: Mapping[int, Card] = field(default_factory=dict)


class Steps:
    """Finds steps from what is known. Two runs find the same steps.

    Attributes:
        marks: What is known.
        steps: The steps so far; the first has the number 1.
        search: What solves the puzzle, and leaves out premises that are not needed.
    """

    def __init__(
        self,
        explainer: Explainer,
        progress: Iterable[int] = (),
        without: Collection[Pattern] = (),
        assume_unique: bool = False,
    ) -> None:
        """Begin with the givens of a puzzle.

        Args:
            explainer: The explainer of the puzzle.
            progress: Further literals that hold, such as the progress of a player.
            without: The patterns that are not looked for.
            assume_unique: Whether patterns are looked for that assume that there is one solution.
        """
        self.explainer = explainer
        self.model = explainer.assumption_model
        self.steps: list[Step] = []
        self._leave_out(without)
        self._local: dict[int, bool] = {}  # by card
        self._single_counts: dict[int, list[Card]] | None = None  # by literal
        self._last_cells: set[Cell] = set()  # the cells of the last step
        self._starts: list[int] = []  # by step, how many literals were known before
        self._debts: list[float] = []  # by step, what it costs to tell it; 0 if it is told
        self._needs: list[tuple[int, ...]] = []  # by step, the facts from which it follows
        self._start()
        self._rectangles: UniqueRectangles | None = None
        if assume_unique:
            self._rectangles = UniqueRectangles(self.marks, self.model.instances, self.model.goal)
        for literal, instance in explainer.givens.items():
            if not self.marks.is_visible(literal):
                self.marks.hidden_causes[literal] = (instance,), ()
        at_start = starting_facts(explainer, self.choices.unknowns - self.choices.drawn)
        self._candidates = list(filter(self.permits, at_start.candidates))  # not taken yet
        displayed = list(at_start.displayed)
        for deduction in at_start.candidates:
            if deduction not in self._candidates:
                displayed += deduction.literals
        self._violation: ViolatedInstance | None = None
        try:
            self.marks.establish([*displayed, *progress], 0)
        except ViolatedInstance as violation:
            self._violation = violation  # the first step raises it

    def _leave_out(self, patterns: Collection[Pattern]) -> None:
        self._without = patterns
        looked_for = [pattern for pattern in Pattern if pattern not in patterns]
        self._classes = {pattern.pattern_class for pattern in looked_for}
        self._asks_chains = not CHAINS.isdisjoint(looked_for)

    def leave_out(self, patterns: Collection[Pattern]) -> None:
        """Look for all patterns but these from now on, whatever was left out before."""
        self._leave_out(patterns)
        self._chains.without = patterns

    def know(self, literals: Iterable[int]) -> None:
        """Establish further literals that hold. Raises ViolatedInstance."""
        self.marks.establish(literals, 0)

    def _start(self) -> None:
        """Make the state and what looks at it."""
        unknowns = self.explainer.words.keys
        self._sums = SumGroups(self.model)
        consumed = self._sums.consumed.union(told_by_shapes(self.model))
        cards = Cards(self.model, unknowns, consumed)
        words = self.explainer.words
        self.choices = choices_of(cards.cards, words, self.model.literals)
        self.marks = Marks(self.model, cards.cards, unknowns, self.choices)
        self.marks.memberships = Memberships.of(cards.cards, words, self.model)
        self._positions = positions = Positions(words, self.model.literals)
        visible = unknowns.keys() - self.choices.unknowns
        self._rules = WholeRules(self.model, cards.rest, cards.cards, visible)
        self._asks_rules = bool(self._sums.groups)
        self._asks_rules |= any(not instance.shape for instance in cards.rest)
        self._asks_slow_rules = self._rules.has_totals
        self._asks_slow_rules |= any(instance.shape for instance in cards.rest)
        self._singles = Singles(self.marks, positions)
        self._vertex_counts = VertexCounts(self.marks, self.model.instances)
        self._covers = Covers(self.marks, positions)
        self._differences = Differences(self.marks, positions)
        solution = self.explainer.solution_literals
        self.search = Search(self.model, self.marks, self._words_of, solution)
        self._chains = Chains(
            self.marks, self.search.wrong_literals, positions, self.model.about, self._without
        )
        self._options = Options(self.marks, self._chains) if self.choices.unknowns else None

    @property
    def trail(self) -> dict[int, int]:
        """The known literals, each with the number of the step that told it; else 0."""
        return self.marks.trail

    @property
    def cells_beside(self) -> Mapping[Variable, Collection[Variable]]:
        """Where each value lies beside the next one, as in a path of numbers: by unknown, those of
        the cells beside it; empty elsewhere.
        """
        return self._rules.cells_beside

    @property
    def solved(self) -> bool:
        """Whether the values of all unknowns of a solution are known."""
        return all(map(self.marks.is_placed, self.model.goal))

    def value(self, variable: Variable) -> Value | None:
        """Return the value that an unknown is known to have, or None."""
        return self.model.literals.established_value(variable, self.trail)

    def run(self) -> Iterator[Step]:
        """Yield steps until the puzzle is solved, or nothing follows any more.

        Raises:
            ViolatedInstance: A rule is violated.
            Stopped: The time is up.
        """
        while True:
            step = self.next()
            if step is None:
                return
            yield step

    def next(self) -> Step | None:
        """Take the next step and return it; None if the puzzle is solved, or nothing follows any
        more.
        """
        if self._violation is not None:
            raise self._violation
        candidate = self._take_candidate()
        if candidate is not None:
            return candidate
        while True:
            self._strike_silently()
            if self.solved:
                return None
            deduction = self._deduction()
            if deduction is None:
                return None
            if self._is_told(deduction):
                return self.take(deduction)
            self._establish_silently(deduction)
            if deduction.pattern is Pattern.NO_PLACE_LEFT:
                for rejection in list(self._chains.rejections()):
                    self._establish_silently(rejection)

    def _is_told(self, deduction: Deduction) -> bool:
        """Return whether a deduction is a step: it says something that a reader sees and notes, or
        rejects a choice by a long chain.
        """
        visible = list(filter(self.marks.is_visible, deduction.literals))
        if visible:
            notes = not all(map(self.marks.is_elimination, visible))
            return notes or bool(deduction.chains)
        rejects = any(map(self.marks.is_rejection, deduction.literals))
        return rejects and not is_short(deduction)

    def _establish_silently(self, deduction: Deduction) -> None:
        """Establish what a reader does not see or note, with its cause."""
        self.marks.memberships.eliminate(deduction)
        if deduction.chains:
            if any(instance.shape for instance in deduction.instances):
                deduction = self.search.minimal(deduction)
            for literal in filter(self.marks.is_rejection, deduction.literals):
                self.marks.rejections[literal] = deduction
        cause = tuple(instances_of(deduction)), deduction.reasons
        for literal in deduction.literals:
            self.marks.hidden_causes.setdefault(literal, cause)
        self.marks.establish(deduction.literals, len(self.steps))

    def exhaust(self) -> bool:
        """Establish all that the patterns give, and return whether that solves the puzzle.

        No steps are taken: what patterns give together does not depend on their order, so that all
        deductions of the cheapest patterns are established at once, without their reasons.

        Raises:
            ViolatedInstance: A rule is violated.
            Stopped: The time is up.
        """
        if self._violation is not None:
            raise self._violation
        self._establish(self._candidates)
        while True:
            check()
            self._strike_silently()
            if self.solved:
                return True
            if not any(map(self._establish, self._stages())):
                return False

    def _establish(self, deductions: Iterable[Deduction | None]) -> bool:
        """Establish what deductions say, and return whether something of it is new."""
        before = len(self.trail)
        for deduction in self._permitted(deductions):
            self.marks.establish(deduction.literals, 0)
        return len(self.trail) > before

    def _stages(self) -> Iterator[Iterable[Deduction | None]]:
        """Yield what the patterns give, the cheapest first."""
        yield self._singles.deductions()
        if self._options is not None:
            yield [
                *self._options.deductions(are_last=True),
                *self._options.deductions(are_last=False),
            ]
        yield [
            *self._sums.deductions(self.marks),
            *self._rules.deductions_of_rules(self.marks),
            *self._rules.deductions_of_shapes(self.marks),
        ]
        if not self._classes <= {PatternClass.SINGLE}:
            yield list(self._covers.locked(self._covers.open_cards()))
        yield self._vertex_counts.deductions()
        yield [self._chains.no_place_left()]
        yield self._closing()
        if PatternClass.SET in self._classes:
            open_cards = self._covers.open_cards()
            yield [*self._covers.sets(open_cards), *self._covers.totals(open_cards)]
            if self._differences.derive():
                yield self._singles.deductions()
        if self._asks_chains:
            yield list(self._chains.failing())
        if PatternClass.CHAIN in self._classes:
            yield [self._chains.either_way()]
        yield self._hard_deductions()

    @property
    def has_candidates(self) -> bool:
        """Whether rules leave only one candidate for something, which was not taken yet."""
        return bool(self._candidates)

    def _take_candidate(self) -> Step | None:
        """Take what only one candidate is left for from the start; None if it is all known."""
        while self._candidates:
            candidate = self._candidates[0]
            is_new = any(literal not in self.trail for literal in candidate.literals)
            step = self.take(candidate) if is_new else None
            del self._candidates[0]  # only now: a run that was stopped may go on
            if step is not None:
                return step
        return None

    def _words_of(self, instance: GroundRule) -> str:
        """Return an instance of a rule in words."""
        (rule,) = self.explainer.rules([instance])
        return str(rule)

    def take(self, deduction: Deduction) -> Step:
        """Take a step."""
        if deduction.graph_reason is GraphReason.NO_ROOM:
            deduction = self._settling(deduction)
        if _needs_check(deduction):
            deduction = self.search.minimal(deduction)
        literals = tuple(
            literal for literal in dict.fromkeys(deduction.literals) if literal not in self.trail
        )
        last_values = self._last_values(literals)
        self._starts.append(len(self.trail))
        number = len(self.steps) + 1
        self.marks.establish((*literals, *last_values), number)
        meaning = self._meaning(number)
        new = (*literals, *last_values, *meaning)
        struck = self._struck(new, number)
        step = Step(deduction, (*new, *struck), last_values, meaning, struck)
        self.steps.append(step)
        self._note_debt(step)
        self._last_cells = {cell for each in step.literals for cell in self._positions.cells(each)}
        return step

    def _settling(self, deduction: Deduction) -> Deduction:
        """Return a deduction that strikes values only of the unknowns of which it leaves one value,
        if there are some: what else it strikes may never be needed.
        """
        fact = self.model.literals.fact
        settled = {fact(literal).unknown for literal in self._last_values(deduction.literals)}
        literals = [each for each in deduction.literals if fact(each).unknown in settled]
        return replace(deduction, literals=tuple(literals)) if literals else deduction

    def _meaning(self, number: int) -> dict[int, Card]:
        """Establish and return what the literals of the last step mean for other unknowns of their
        positions.
        """
        meaning: dict[int, Card] = {}
        start = self._starts[-1]
        while start < len(self.trail):
            new = list(islice(self.trail, start, None))
            start = len(self.trail)
            for literal in new:
                for card in self._local_cards_of(literal):
                    forced = self.marks.forced(card)
                    meaning.update(dict.fromkeys(forced, card))
                    self.marks.establish(forced, number)
        return meaning

    def _struck(self, new: Sequence[int], number: int) -> dict[int, Card]:
        """Establish and return what the truths of the last step exclude in counts that ask for one
        truth, with these cards.
        """
        struck: dict[int, Card] = {}
        for literal in new:
            if self.marks.is_denial(literal):
                continue
            for card in self._single_counts_of(literal):
                for denial in self._newly_struck(card, number):
                    struck.setdefault(denial, card)
        for literal in new:
            struck.pop(literal, None)
        self.marks.establish(struck, number)
        return struck

    def _newly_struck(self, card: Card, number: int) -> Iterator[int]:
        """Yield what is false by a count of one that is complete, as a step is taken."""
        trail = self.trail
        if card.guard not in trail or self.marks.true_counts[card.number] != 1:
            return
        for literal in card.literals:
            told_number = trail.get(-literal, number)
            if told_number == number and literal not in trail:
                yield -literal

    def _single_counts_of(self, literal: int) -> Sequence[Card]:
        """Return the counts with a literal, or guarded by it, that ask for one truth of several
        which the answer shows: those of a clue, or beside a cell.
        """
        if self._single_counts is None:
            self._single_counts = {}
            for card in filter(self._is_single_count, self.marks.cards):
                for each in (*card.literals, card.guard):
                    cards = self._single_counts.setdefault(each, [])
                    cards.append(card)
        return self._single_counts.get(literal, ())

    def _is_single_count(self, card: Card) -> bool:
        """Return whether a card is such a count."""
        if card.card_type is not CardType.COUNT or card.derivation is not None:
            return False
        bounds = card.low, card.high
        if bounds != (1, 1) or len(card.instances) != 1:
            return False
        if not all(map(self._is_decided, card.literals)):
            return False
        if card.guard != TRUE:
            return self._is_decided(card.guard)
        rule = self._positions.rule(card)
        return rule is not None and rule.has_clue

    def _is_decided(self, literal: int) -> bool:
        """Return whether a literal is a truth that is told when it is decided."""
        if self.marks.is_denial(literal) or not self.marks.is_decided(literal):
            return False
        fact = self.model.literals.fact(literal)
        return not self.explainer.words.is_one_of_several(fact.unknown)

    def _local_cards_of(self, literal: int) -> list[Card]:
        """Return the cards with a literal or its negation that are about a single place."""
        cards_of = self.marks.cards_of
        numbers = (*cards_of.get(literal, ()), *cards_of.get(-literal, ()))
        return [self.marks.cards[number] for number in numbers if self._is_local(number)]

    def _is_local(self, number: int) -> bool:
        """Return whether a card is about several unknowns of a single place."""
        if number not in self._local:
            card = self.marks.cards[number]
            is_stated = card.unknown is None and card.guard == TRUE
            self._local[number] = is_stated and self._positions.is_single(card)
        return self._local[number]

    def combinations(self, group: SumGroup, trail: Collection[int]) -> tuple[tuple[int, ...], ...]:
        """Return the sets of values that are left for the open unknowns of a group."""
        return self._sums.combinations(group, trail)

    def struck_by_rule(self, deduction: Deduction, trail: Mapping[int, int]) -> list[int]:
        """Return what the rule of a deduction strikes from its unknowns on a board."""
        return self._rules.struck(deduction, trail)

    def missing_facts(
        self, line: Line, displayed: Collection[int], trail: Collection[int]
    ) -> list[int]:
        """Return the known literals that a line of a chain needs besides those that are displayed,
        if it follows from a sum or a rule without cards.
        """
        if isinstance(line.source, Card):
            return []
        if isinstance(line.source, SumGroup):
            return self._sums.missing_facts(line, displayed, trail)
        return self._rules.missing_facts(line, displayed, trail)

    def with_room_on(self, step: Step, trail: Mapping[int, int]) -> Step:
        """Return a step that strikes values, or instead of it, if that says the same on the board
        as it is shown, that there is no room for them.

        Args:
            step: The step.
            trail: The literals that are shown.
        """
        deduction = step.deduction
        if deduction.graph_reason is None and not deduction.chains:
            return step
        if step.meaning:
            return step
        if not all(map(self.marks.is_denial, step.literals)):
            return step
        without_room = self._rules.without_room(deduction.literals, trail)
        if without_room is None:
            return step
        literals = tuple(each for each in without_room.literals if each in self.trail)
        if not set(literals).issuperset(step.literals):
            return step
        last_values = self._left_on(trail, literals)
        deduction = replace(without_room, literals=literals)
        return Step(deduction, (*literals, *last_values), last_values)

    def _left_on(self, trail: Collection[int], struck: Collection[int]) -> tuple[int, ...]:
        """Return the last values that are left on the board as it is shown."""
        all_literals = self.model.literals
        last_values = []
        facts = map(all_literals.fact, struck)
        unknowns = dict.fromkeys(fact.unknown for fact in facts)
        for unknown in unknowns:
            values = all_literals.of_all(unknown)
            unstruck = (each for each in values if -each not in struck)
            remaining = [each for each in unstruck if -each not in trail]
            if len(remaining) == 1:
                last_values += remaining
        return tuple(last_values)

    def struck_by_sum(
        self, group: SumGroup, trail: Collection[int], unknowns: Collection[Variable]
    ) -> list[int]:
        """Return the denials of open numbers that no combination of a group has; of some unknowns,
        also those that follow as the numbers differ.
        """
        return self._sums.struck_on(group, trail, unknowns)

    def known_before(self, number: int) -> list[int]:
        """Return the literals that were known before a step."""
        return list(islice(self.trail, self._starts[number - 1]))

    def established_by(self, number: int) -> list[int]:
        """Return the literals that a step made known, those that were struck silently among
        them.
        """
        start = self._starts[number - 1]
        end = self._starts[number] if number < len(self.steps) else len(self.trail)
        return list(islice(self.trail, start, end))

    def _strike_silently(self) -> None:
        """Strike what rules without cards say without a word."""
        number = len(self.steps)
        while struck := list(self._rules.silent(self.marks)):
            self.marks.establish(struck, number)
        if self._options is not None:
            for deduction in list(self._options.rejections()):
                self._establish_silently(deduction)

    def _last_values(self, literals: Iterable[int]) -> tuple[int, ...]:
        """Return the last values of unknowns whose other values are struck by these literals."""
        all_literals = self.model.literals
        struck = set(literals)
        unknowns: dict[Variable, None] = {}
        for literal in struck:
            if all_literals.denies(literal):
                unknowns[all_literals.fact(literal).unknown] = None
        last_values = []
        for unknown in sorted(unknowns, key=str):
            remaining = [each for each in self.marks.open_values(unknown) if -each not in struck]
            if len(remaining) == 1 and unknown in self.explainer.words.keys:
                last_values.append(remaining[0])
        return tuple(last_values)

    def _deduction(self) -> Deduction | None:
        """Return the cheapest deduction; None if nothing follows any more."""
        candidates = self._permitted(self._singles.deductions())
        candidates = [each for each in candidates if not self._takes_choice(each)]
        if self._options is not None:
            candidates += self._permitted(self._options.deductions(are_last=True))
        if self._cheapest(candidates) > ENOUGH_SINGLE:
            candidates += self._permitted(self._sums.deductions(self.marks))
            candidates += self._permitted(self._rules.deductions_of_rules(self.marks))
            if self._options is not None:
                candidates += self._permitted(self._options.deductions(are_last=False))
        if self._cheapest(candidates) > ENOUGH_RULE:
            candidates += self._permitted(self._rules.deductions_of_shapes(self.marks))
            candidates += self._cover_deductions(self._cheapest(candidates))
        if self._cheapest(candidates) > ENOUGH_RULE:
            candidates += self._permitted(self._closing())
        if self._cheapest(candidates) > ENOUGH_CHAIN and self._asks_chains:
            candidates += self._chain_deductions()
        if candidates:
            return self._rules.with_run(self._best(candidates), self.marks)
        if PatternClass.SET in self._classes and self._differences.derive():
            return self._deduction()
        return self._hard_deduction()

    def strikes(self, literal: int, marks: Marks) -> Iterator[tuple[int, SilentCause]]:
        """Yield what rules about a literal and a second unknown deny because of one fact of some
        marks, or of none, each with its rule and this fact.
        """
        return self._rules.strikes(literal, marks)

    def _is_of_cells(self, deduction: Deduction) -> bool:
        """Return whether a deduction says something that a reader sees."""
        return any(map(self.marks.is_visible, deduction.literals))

    def _takes_choice(self, deduction: Deduction) -> bool:
        """Return whether a choice is taken, which is told with what it means for its cells."""
        return any(map(self.marks.is_undrawn, deduction.literals))

    def _permitted(self, candidates: Iterable[Deduction | None]) -> list[Deduction]:
        """Return the deductions among these whose patterns are not left out."""
        return [each for each in candidates if each is not None and self.permits(each)]

    def permits(self, deduction: Deduction) -> bool:
        """Return whether the pattern of a deduction is looked for."""
        return deduction.pattern not in self._without

    def _cover_deductions(self, cheapest: float) -> list[Deduction]:
        """Return locked candidates, what would leave no place, and sets."""
        if self._classes <= {PatternClass.SINGLE}:
            at_vertices = self._permitted(self._vertex_counts.deductions())
            return at_vertices or self._permitted([self._chains.no_place_left()])
        open_cards = self._covers.open_cards()
        candidates = self._permitted(self._covers.locked(open_cards))
        if self._options is not None:  # a choice is rejected by what it would leave
            candidates = [each for each in candidates if self._is_of_cells(each)]
        candidates += self._permitted(self._vertex_counts.deductions())
        cheapest = min(cheapest, self._cheapest(candidates))
        if cheapest > ENOUGH_LOCKED:
            candidates += self._permitted([self._chains.no_place_left()])
            cheapest = min(cheapest, self._cheapest(candidates))
        if cheapest > ENOUGH_SET and PatternClass.SET in self._classes:
            candidates += self._permitted(self._covers.sets(open_cards))
            candidates += self._permitted(self._covers.totals(open_cards))
            if self._rectangles is not None:
                candidates += self._permitted(self._rectangles.deductions())
        return candidates

    def _closing(self) -> Iterator[Deduction]:
        """Yield that an edge closes the loop too soon."""
        edges = self._rules.closing_edges(self.marks)
        return self._chains.closing(edges, self._rules.broken)

    def _chain_deductions(self) -> list[Deduction]:
        """Return a short chain, and what follows either way where the chain is long."""
        candidates = self._permitted([self._chains.chain()])
        if PatternClass.CHAIN not in self._classes:
            return candidates
        if not candidates or candidates[0].chains[0].length > LONG_CHAIN:
            candidates += self._permitted([self._chains.either_way()])
        return candidates

    def _hard_deduction(self) -> Deduction | None:
        """Return a chain that asks rules without cards, a trial, or what a search says."""
        deductions = (each for each in self._hard_deductions() if each is not None)
        return next(filter(self.permits, deductions), None)

    def _hard_deductions(self) -> Iterator[Deduction | None]:
        looks_for_chains = PatternClass.CHAIN in self._classes
        if Pattern.SHORT_CHAIN not in self._without and not looks_for_chains:
            if self._asks_rules:
                yield self._chains.short_chain_with_rules("rules", self._consequences)
            if self._asks_slow_rules:
                yield self._chains.short_chain_with_rules(
                    "shapes", self._consequences_with_slow_rules
                )
        if self._asks_rules and looks_for_chains:
            yield self._chains.chain_with_rules("rules", self._consequences)
        if self._asks_slow_rules and looks_for_chains:
            yield self._chains.chain_with_rules("shapes", self._consequences_with_slow_rules)
        yield from self._rules.deductions_of_totals()
        if PatternClass.TRIAL in self._classes:
            yield self._chains.trial()
            searched = self.search.deduction()
            if searched is not None:
                opposite = -searched.literals[0]
                yield self._chains.trial_with_rules(opposite, self._consequences_with_slow_rules)
            yield searched

    def _consequences(
        self, trail: Mapping[int, int], extension: Collection[int], newest: Collection[int]
    ) -> Iterator[Line]:
        """Yield what sums and rules without cards say after an assumption."""
        yield from self._sums.consequences(trail, extension, newest)
        yield from self._rules.consequences(trail, extension, newest)

    def _consequences_with_slow_rules(
        self, trail: Mapping[int, int], extension: Collection[int], newest: Collection[int]
    ) -> Iterator[Line]:
        """Yield what sums, rules without cards, shapes and long sums say after an assumption."""
        yield from self._sums.consequences(trail, extension, newest)
        yield from self._rules.consequences(trail, extension, newest, with_slow_rules=True)

    def _best(self, candidates: list[Deduction]) -> Deduction:
        """Return the cheapest deduction; of equal ones, the one that costs least by itself, and
        then the one nearest to what was just placed.
        """
        least = self._cheapest(candidates)
        cheapest = [candidate for candidate in candidates if self._price(candidate) == least]
        return min(cheapest, key=lambda deduction: (deduction.cost, self._distance(deduction)))

    def _cheapest(self, candidates: Iterable[Deduction]) -> float:
        return min(map(self._price, candidates), default=float("inf"))

    def _price(self, deduction: Deduction) -> float:
        """Return the cost of a deduction, or of the hardest step that it needs and that nothing
        needed before; all chains count alike, as a new one is no better.
        """
        needed = max(map(self._debt, deduction.reasons), default=0.0)
        return max(deduction.cost, min(needed, ENOUGH_CHAIN))

    def _debt(self, reason: int) -> float:
        number = self.trail.get(reason, 0)
        return self._debts[number - 1] if 0 < number <= len(self._debts) else 0.0

    def _note_debt(self, step: Step) -> None:
        """Note what it costs to tell the last step, which is nothing if it places something: it is
        told then, with all that it needs.
        """
        reasons = (*step.deduction.reasons, *self._excluded(step.last_values))
        self._needs.append(reasons)
        self._debts.append(max([step.deduction.cost, *map(self._debt, reasons)]))
        if not any(map(self.marks.is_decision, step.literals)):
            return
        pending = [len(self._debts)]
        for number in pending:
            if number <= len(self._debts) and self._debts[number - 1]:
                self._debts[number - 1] = 0.0
                numbers = (self.trail.get(each, 0) for each in self._needs[number - 1])
                pending += filter(None, numbers)

    def _excluded(self, values: Iterable[int]) -> Iterator[int]:
        """Yield the denials of all other values of unknowns."""
        literals = self.model.literals
        for value in values:
            for each in literals.of_all(literals.fact(value).unknown):
                if each != value and -each in self.trail:
                    yield -each

    def _distance(self, deduction: Deduction) -> int:
        """Return how far a deduction is from the last step, in cells."""
        cells = [cell for each in deduction.literals for cell in self._positions.cells(each)]
        distances = (
            abs(cell.row - last_cell.row) + abs(cell.column - last_cell.column)
            for cell in cells
            for last_cell in self._last_cells
        )
        return min(distances, default=0)


def _needs_check(deduction: Deduction) -> bool:
    """Return whether the rules and facts of a deduction may be more than it needs, or fewer: where
    it rests on chains, shapes, derived cards or derived sums.
    """
    if deduction.is_minimal:
        return False
    if deduction.chains or deduction.shares or deduction.graph_reason is not None:
        return True
    if deduction.sums is not None and deduction.sums.derivation is not None:
        return True
    cards = [opened.card for opened in (*deduction.base, *deduction.cover)]
    return any(card.derivation is not None for card in cards)
