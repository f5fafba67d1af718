"""Why choices are out that no fact on the board excludes at a look."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from puzzlekit.reasons.card_words import CardWords
from puzzlekit.reasons.causes import Causes
from puzzlekit.reasons.deductions import Card
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.marks import Marks
from puzzlekit.sentences import Sentence, WithChoices, or_list

FEW_REASONS = 3  # that are told
FEW_CHOICES = 3  # that are told with a reason


class RuledOut:
    """Puts the reasons why choices are out into words, each once.

    Attributes:
        group_rules: The names of the rules that one of some choices is right.

    Args:
        card_words: The words of cards.
        board: The board as it is displayed.
        causes: Why choices are excluded.
    """

    def __init__(self, card_words: CardWords, board: Marks, causes: Causes) -> None:
        self._card_words = card_words
        self._board = board
        self._causes = causes
        self._told: set[int] = set()
        of_groups = filter(self._is_of_group, board.cards)
        instances = [instance for card in of_groups for instance in card.instances]
        self.group_rules = {instance.origin.rule for instance in instances}

    def note(self, choices: Iterable[int]) -> None:
        """Note that it was told why choices are out."""
        self._told.update(choices)

    def sentences(
        self,
        cards: Iterable[Card],
        remaining: Collection[int],
        new: Collection[int],
    ) -> tuple[Sentence, ...] | None:
        """Return why choices of cards are out that are not left; None if that takes more than a
        rule each, or if there are many.

        Args:
            cards: The cards.
            remaining: The choices that are left.
            new: What follows, which may be displayed.
        """
        by_reason: dict[str, list[int]] = {}
        for choice in self._choices(cards):
            if choice in remaining or choice in self._told:
                continue
            if self.is_seen(choice, new):
                continue
            reason = self._reason_by_choice(choice) or self._reason(choice)
            of_reason = by_reason.setdefault(reason, [])
            of_reason.append(choice)
        if "" in by_reason or len(by_reason) > FEW_REASONS:
            return None
        most = max(map(len, by_reason.values()), default=0)
        if most > FEW_CHOICES:
            return None
        sentences = []
        for reason, choices in by_reason.items():
            texts = map(self._card_words.choice_text, choices)
            sentences.append(WithChoices(or_list(list(texts)), reason))
            self.note(choices)
        return tuple(sentences)

    def untold(self, choices: Iterable[int]) -> dict[int, str]:
        """Return those of some choices that are out without a word and not at a look, each with
        what would be so with it; those are left out of which that cannot be said.
        """
        reasons: dict[int, str] = {}
        for choice in choices:
            if choice in self._told or self.is_seen(choice, ()):
                continue
            reason = self._reason_by_choice(choice) or self._reason(choice)
            if reason:
                reasons[choice] = reason
        return reasons

    def are_open(self, choices: Iterable[int], new: Collection[int]) -> bool:
        """Return whether some choices seem to be left: it was not told why they are out, and no
        fact on the board excludes them at a look, besides what is new.
        """
        untold = (choice for choice in choices if choice not in self._told)
        return any(not self.is_seen(choice, new) for choice in untold)

    def is_striker(self, fact: int, cards: Iterable[Card]) -> bool:
        """Return whether a fact on the board excludes a choice of cards at a look."""
        return any(fact in self._causes.strikers(choice) for choice in self._choices(cards))

    def _choices(self, cards: Iterable[Card]) -> Iterator[int]:
        """Yield the choices of cards."""
        literals = dict.fromkeys(literal for card in cards for literal in card.literals)
        return filter(self._card_words.is_choice, literals)

    def is_seen(self, choice: int, new: Collection[int]) -> bool:
        """Return whether a fact on the board excludes a choice at a look, besides what is new."""
        strikers = (each for each in self._causes.strikers(choice) if each not in new)
        return any(not self._card_words.is_choice(each) for each in strikers)

    def _reason_by_choice(self, choice: int) -> str:
        """Return what would be so with a choice besides one that is placed; nothing without it."""
        for card, placed in self._board.strikers(choice):
            if not self._card_words.is_choice(placed) or self._is_of_group(card):
                continue
            breach = self._breach(card.instances)
            if breach:
                return breach
        return ""

    def complete_group(self, cards: Iterable[Card]) -> str:
        """Return the group of choices of cards of which one is placed; empty if several have such
        groups, or none.
        """
        groups: set[str] = set()
        for choice in self._choices(cards):
            strikers = self._board.strikers(choice)
            of_groups = [card for card, _ in strikers if self._is_of_group(card)]
            rules = [self._card_words.rule(card.instances[0]) for card in of_groups]
            groups.update(rule.group for rule in rules)
        return groups.pop() if len(groups) == 1 else ""

    def _is_of_group(self, card: Card) -> bool:
        """Return whether a card says that one of some choices is right."""
        are_choices = all(map(self._card_words.is_choice, card.literals))
        return are_choices and card.low == card.high == 1

    def _reason(self, choice: int) -> str:
        """Return what would be so with a choice, by a rule besides that it has its cells; nothing
        if that takes several.
        """
        instances = self._causes.instances(-choice)
        tie_rules = self._card_words.tie_rules
        rules = [each for each in instances if each.origin.rule not in tie_rules]
        breach = self._breach(rules)
        if breach:
            return breach
        # whichever choice of a further group is right, one of these would be so
        outside = [each for each in rules if each.origin.rule not in self.group_rules]
        breaches = [self._breach([each]) for each in outside]
        is_told = 1 < len(breaches) <= FEW_REASONS and all(breaches)
        return or_list(list(dict.fromkeys(breaches))) if is_told else ""

    def _breach(self, instances: Sequence[GroundRule]) -> str:
        """Return what would be so if a rule was broken; empty if there are several, or if that
        cannot be said.
        """
        breach = self._card_words.breach(instances)
        if breach or len(instances) != 1:
            return breach
        for card in self._board.cards:
            is_clause = card.low == 1 < len(card.literals)
            if is_clause and card.instances == tuple(instances):
                return self._card_words.would_be([-each for each in card.literals])
        return ""
