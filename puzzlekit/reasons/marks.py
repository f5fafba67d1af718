"""The state that a person sees: values that are placed, and pencil marks.

What a placed value strikes by a single card is struck silently: it is drawn, and never told. (A
player strikes these marks without a thought.) The last value of an unknown is never placed
silently, since that is a step.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, MutableMapping, Sequence

from puzzlekit.model import Variable
from puzzlekit.presolve import Inconsistent
from puzzlekit.reasons.assumption_model import AssumptionModel
from puzzlekit.reasons.choices import NO_CHOICES, Choices
from puzzlekit.reasons.deductions import Card, CardType, Deduction, OpenCard
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.literals import TRUE, Literals
from puzzlekit.reasons.memberships import Memberships

SilentCause = tuple[GroundRule, tuple[int, ...]]  # a rule, and the fact that it needs, if any
# the instances and the literals from which a literal follows that a reader does not see
HiddenCause = tuple[tuple[GroundRule, ...], tuple[int, ...]]


class ViolatedInstance(Inconsistent):
    """The known facts violate an instance of a rule.

    Attributes:
        instance: The instance; None if an unknown has no value left.
    """

    def __init__(self, instance: GroundRule | None) -> None:
        super().__init__(None, None if instance is None else instance.origin)
        self.instance = instance


class Marks:
    """The literals that are known, with the counts of all cards.

    Attributes:
        trail: The known literals in order, each with the number of the step that told it, and 0 if
            it is given or was struck silently.
        true_counts: How many literals of each card are true.
        false_counts: How many are false.
        memberships: The unknowns that say to what a cell belongs, and how these were eliminated.
        changed: The numbers of the cards about which something new is known; `take_changed` gives
            and clears them.
    """

    def __init__(
        self,
        model: AssumptionModel,
        cards: Sequence[Card],
        unknowns: Collection[Variable],
        choices: Choices = NO_CHOICES,
    ) -> None:
        """Begin with nothing known.

        Args:
            model: The assumption model.
            cards: The cards; each is at the index that is its number.
            unknowns: The unknowns of the type; others name parts of rules.
            choices: Those of them that stand for several cells.
        """
        self.literals: Literals = model.literals
        self.cards: list[Card] = []
        self.trail: dict[int, int] = {TRUE: 0}
        self.true_counts: list[int] = []
        self.false_counts: list[int] = []
        self.sizes: list[int] = []  # of each card
        self.lows: list[int] = []
        self.highs: list[int] = []
        self.changed: dict[int, None] = {}
        # by literal of an unknown that is not of the type, if it was struck silently: the
        # instances and the literals from which it follows
        self.hidden_causes: dict[int, HiddenCause] = {}
        # by the denial of a choice that was rejected by more than one look, how
        self.rejections: dict[int, Deduction] = {}
        # by literal, if a rule about two unknowns struck it silently
        self.silent_causes: MutableMapping[int, SilentCause] = {}
        # by literal, the numbers of the cards that contain it
        self.cards_of: dict[int, list[int]] = {}
        self._unknowns = unknowns
        self.memberships = Memberships()
        self._choices = choices.unknowns
        self._drawn = choices.drawn
        # by the number of a card, how many of its literals were known at the last look at it
        self._opened: dict[int, tuple[int, OpenCard]] = {}
        for card in cards:
            self.add_card(card)

    def add_card(self, card: Card) -> None:
        """Let a card be counted from now on. Its number is its index."""
        true = sum(literal in self.trail for literal in card.literals)
        false = sum(-literal in self.trail for literal in card.literals)
        self.cards.append(card)
        self.true_counts.append(true)
        self.false_counts.append(false)
        self.sizes.append(len(card.literals))
        self.lows.append(card.low)
        self.highs.append(card.high)
        for literal in card.literals:
            self.cards_of.setdefault(literal, []).append(card.number)
        if card.guard != TRUE:
            self.cards_of.setdefault(card.guard, [])
        self.changed[card.number] = None

    # What is known --------------------------------------------------------------------------------

    def is_known(self, literal: int) -> bool:
        """Return whether a literal is known to be true or to be false."""
        return literal in self.trail or -literal in self.trail

    def open_literals(self, card: Card) -> tuple[int, ...]:
        """Return the literals of a card that are neither known to be true nor to be false."""
        trail = self.trail
        return tuple(
            literal for literal in card.literals if literal not in trail and -literal not in trail
        )

    def forced(self, card: Card) -> tuple[int, ...]:
        """Return what a card without a guard says of its open literals."""
        true = self.true_counts[card.number]
        open_count = len(card.literals) - true - self.false_counts[card.number]
        if open_count and card.low - true == open_count:
            return self.open_literals(card)
        if open_count and card.high == true:
            return tuple(-literal for literal in self.open_literals(card))
        return ()

    def open_card(self, card: Card) -> OpenCard:
        """Return a card as it is now."""
        true, false = self.true_counts[card.number], self.false_counts[card.number]
        closed, opened = self._opened.get(card.number, (-1, None))
        if opened is None or closed != true + false:
            literals = self.open_literals(card)
            opened = OpenCard(card, card.low - true, card.high - true, literals)
            self._opened[card.number] = true + false, opened
        return opened

    def open_values(self, variable: Variable) -> list[int]:
        """Return the literals of the values that an unknown may still have."""
        trail = self.trail
        return [value for value in self.literals.of_all(variable) if -value not in trail]

    def is_placed(self, variable: Variable) -> bool:
        """Return whether the value of an unknown is known."""
        trail = self.trail
        return any(value in trail for value in self.literals.of_all(variable))

    def is_visible(self, literal: int) -> bool:
        """Return whether a literal is about an unknown of the type that is no choice, or takes a
        choice that is drawn.
        """
        if not self.literals.is_value_literal(literal):
            return False
        fact = self.literals.fact(literal)
        if fact.unknown in self._choices:
            return fact.unknown in self._drawn and fact.value is True
        return fact.unknown in self._unknowns

    def is_undrawn(self, literal: int) -> bool:
        """Return whether a literal takes a choice that is not drawn."""
        return self.is_choice(literal) and not self.is_visible(literal)

    def is_choice(self, literal: int) -> bool:
        """Return whether a literal says that a choice is taken."""
        if not self._choices or not self.literals.is_value_literal(literal):
            return False
        fact = self.literals.fact(literal)
        return fact.unknown in self._choices and fact.value is fact.positive

    def is_rejection(self, literal: int) -> bool:
        """Return whether a literal says that a choice is not taken."""
        return self.is_choice(-literal)

    def has_choices(self, card: Card) -> bool:
        """Return whether a card counts choices that are taken."""
        return any(map(self.is_choice, card.literals))

    def is_membership(self, literal: int) -> bool:
        """Return whether a literal says to what a cell belongs, or does not belong."""
        unknowns = self.memberships.unknowns
        if not unknowns or not self.literals.is_value_literal(literal):
            return False
        return self.literals.fact(literal).unknown in unknowns

    def is_elimination(self, literal: int) -> bool:
        """Return whether a literal says that a cell does not belong to something."""
        return self.is_membership(literal) and self.is_denial(literal)

    def is_denial(self, literal: int) -> bool:
        """Return whether a literal says that a value or a truth does not hold."""
        if not self.literals.is_value_literal(literal):
            return literal < 0
        fact = self.literals.fact(literal)
        return not fact.positive or fact.value is False

    def is_decided(self, literal: int) -> bool:
        """Return whether a literal decides a truth that a reader sees."""
        if not self.is_visible(literal):
            return False
        fact = self.literals.fact(literal)
        return isinstance(fact.value, bool) and not self.is_membership(literal)

    def is_decision(self, literal: int) -> bool:
        """Return whether a literal is a value that a reader sees, or decides a truth."""
        if not self.is_visible(literal) or self.is_elimination(literal):
            return False
        if not self.is_denial(literal):
            return True
        unknown = self.literals.fact(literal).unknown
        return len(self.literals.domains[unknown]) == 2

    # What becomes known ---------------------------------------------------------------------------

    def establish(self, literals: Iterable[int], step: int) -> None:
        """Add literals to the trail, and strike silently what follows by one look.

        Raises:
            ViolatedInstance: They contradict what is known.
        """
        pending = list(literals)
        for literal in pending:
            if literal in self.trail:
                continue
            if -literal in self.trail:
                raise ViolatedInstance(None)
            self.trail[literal] = step
            self._count(literal)
            pending += self._other_values(literal)
            for card, struck in self._struck_by(literal):
                pending.append(struck)
                if not self.is_visible(struck):
                    self.hidden_causes.setdefault(struck, (card.instances, (literal,)))

    def _count(self, literal: int) -> None:
        """Count a new literal in its cards."""
        for number in self.cards_of.get(literal, ()):
            self.true_counts[number] += 1
            self.changed[number] = None
        for number in self.cards_of.get(-literal, ()):
            self.false_counts[number] += 1
            self.changed[number] = None

    def _other_values(self, literal: int) -> Iterator[int]:
        """Yield the denials of the other values of an unknown whose value is known now.

        For unknowns that are not of the type, also the only value that is left is yielded.
        """
        if not self.literals.is_value_literal(literal):
            return
        fact = self.literals.fact(literal)
        is_visible = fact.unknown in self._unknowns
        if not fact.positive and is_visible:
            return
        for consequence in self.literals.consequences(literal, self.trail):
            if not is_visible:
                reasons: tuple[int, ...] = (literal,)
                if not fact.positive:
                    reasons = tuple(self.literals.reasons(consequence, self.trail))
                self.hidden_causes.setdefault(consequence, ((), reasons))
            yield consequence

    def _struck_by(self, literal: int) -> Iterator[tuple[Card, int]]:
        """Yield what one true literal excludes by one card: values, and truths that do not hold."""
        for number in self.cards_of.get(literal, ()):
            card = self.cards[number]
            if card.high != 1 or card.card_type is CardType.IMPLIED or card.guard not in self.trail:
                continue
            if card.derivation is not None:  # nobody sees it without a word
                continue
            for excluded in card.literals:
                is_open = excluded != literal and -excluded not in self.trail
                if is_open and self.is_denial(-excluded):
                    yield card, -excluded

    def strikers(self, literal: int) -> Iterator[tuple[Card, int]]:
        """Yield the true literals that exclude a literal by a single look, each with the card."""
        for number in self.cards_of.get(literal, ()):
            card = self.cards[number]
            is_plain = card.derivation is None and card.guard == TRUE
            if card.high != 1 or not is_plain or card.card_type is CardType.IMPLIED:
                continue
            for striker in card.literals:
                if striker in self.trail and striker != literal:
                    yield card, striker

    def consequences(self, literals: Iterable[int]) -> set[int]:
        """Return literals with what they strike silently on this board."""
        closure = set(literals)
        pending = list(closure)
        for literal in pending:
            struck = {denial for _, denial in self._struck_by(literal)}
            struck.update(self._other_values(literal))
            pending += struck - closure
            closure |= struck
        return closure

    def take_changed(self) -> list[Card]:
        """Return the cards about which something new is known, and forget them."""
        cards = [self.cards[number] for number in sorted(self.changed)]
        self.changed.clear()
        return cards
