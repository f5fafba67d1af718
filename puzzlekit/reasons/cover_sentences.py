"""The sentences of bases and covers: locked candidates, sets, fish, derived cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from puzzlekit.model import Value
from puzzlekit.reasons.card_words import ALL, merged
from puzzlekit.reasons.causes import Causes
from puzzlekit.reasons.deductions import Card, CardType, Deduction, Derivation, OpenCard
from puzzlekit.reasons.places import value_text
from puzzlekit.reasons.runs import ends_of_run
from puzzlekit.reasons.step_context import FEW_REMAINING, StepContext, StepWords
from puzzlekit.sentences import (
    AllAreThere,
    AllExclude,
    AllInOneGroup,
    Fish,
    GroupsAreCovered,
    GroupsContain,
    HiddenSet,
    NakedSet,
    NeedAllIn,
    NeedAllLeft,
    NeedsOneInEach,
    OneOfThese,
    Packed,
    RoomInOneGroup,
    Sentence,
    UniqueRectangle,
    and_list,
    number_word,
    or_list,
)

PAIR = 2
AROUND_ONE = 2  # the difference of two numbers with one between them


class CoverSentences(StepWords):
    """Puts what follows from cards that need places, and cards that allow them, into words."""

    def __init__(self, context: StepContext, causes: Causes) -> None:
        super().__init__(context)
        self._causes = causes  # of what is excluded on the board

    def locked(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return that all places of a card exclude the same, as they lie in one group."""
        card_words = self._card_words
        truth, link = deduction.base[0], deduction.cover[0]
        conclusion = self._context.conclusion(literals)
        thing, _ = card_words.thing(truth.card)
        link_has_group = card_words.is_group(link.card)
        if thing and card_words.is_group(truth.card) and link_has_group:
            positions = card_words.positions(truth.literals)
            number = "both" if len(positions) == 2 else "all"
            link_group = card_words.group(link.card)
            conclusion = self._context.elsewhere(literals, link_group)
            group = card_words.group(truth.card)
            place_list = card_words.position_list(truth.literals)
            needed = card_words.needed_thing(truth.card)
            if truth.card.card_type is not CardType.VALUE:
                return RoomInOneGroup(group, needed, place_list, number, link_group, conclusion)
            return AllInOneGroup(group, place_list, thing, number, link_group, conclusion)
        rule = self._context.name_and_group(truth.card)
        if len(truth.literals) > FEW_REMAINING:
            return AllExclude(conclusion, len(truth.literals), rule)
        choices = card_words.alternatives(truth.literals)
        return OneOfThese(choices, rule, conclusion, self._clue_or_new_name(link.card))

    def _clue_or_new_name(self, card: Card) -> str:
        """Return the clue that a card is about, or else its rule if that was not told yet."""
        if self._card_words.has_clue(card):
            rule = self._card_words.rule(card.instances[0])
            return self._card_words.clue(rule)
        number = self._card_words.needed(card, card.high)
        is_count = card.card_type is CardType.COUNT and card.low > 1
        if is_count and number and not self._card_words.is_group(card):
            return str(AllAreThere(number))
        return self._card_words.new_names(card.instances)

    def packed(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return that a group has no room for what it needs but in each of some cards."""
        card_words = self._card_words
        truth = deduction.base[0]
        needed = card_words.needed(truth.card, truth.needed)
        if not needed:
            needed = f"{truth.needed} of {card_words.position_list(truth.literals)}"
        parts = [self._part_of_packed(truth, link) for link in deduction.cover]
        nameless = [link.card for link in deduction.cover if not card_words.has_clue(link.card)]
        rules = card_words.names(instance for card in nameless for instance in card.instances)
        conclusion = self._context.conclusion(literals)
        positions = and_list(parts, ALL)
        if truth.card.derivation is not None:  # the sentence before names the cells
            return Packed("they", needed, positions, rules, conclusion, "need")
        group = card_words.group(truth.card)
        return Packed(group, needed, positions, rules, conclusion)

    def _part_of_packed(self, truth: OpenCard, link: OpenCard) -> str:
        """Return how many of the places of a card another one allows, where, and by which clue."""
        inside = [each for each in truth.literals if each in link.literals]
        positions = self._card_words.positions(inside)
        if link.allowed == len(positions) > 1:
            text = f"{number_word(link.allowed)} at {and_list(positions)}"
        else:
            text = f"{number_word(link.allowed)} at {or_list(positions)}"
        clue = self._clue_or_new_name(link.card) if self._card_words.has_clue(link.card) else ""
        return f"{text} ({clue})" if clue else text

    def naked_set(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return that cells have only as many values together as they are."""
        card_words = self._card_words
        cells = card_words.position_list(_literals_of(deduction.base))
        values = or_list(_values(deduction.cover))
        card = deduction.cover[0].card
        group = ""
        if self._context.are_cells(card.literals) and not card_words.is_everywhere(card):
            group = card_words.group(card)
        name = deduction.pattern.text
        return NakedSet(cells, values, name, group, self._context.conclusion(literals))

    def hidden_set(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return that values have only as many places together as they are."""
        card_words = self._card_words
        card = deduction.base[0].card
        group = "" if card_words.is_everywhere(card) else card_words.group(card)
        covered = set(_literals_of(deduction.cover))
        positions = _literals_of(deduction.base)
        cells = card_words.position_list([each for each in positions if each in covered])
        untold = [-each for each in positions if each not in covered]
        instances = dict.fromkeys(rule for each in untold for rule in self._causes.instances(each))
        rules = card_words.rule_names(instances)
        if untold and not rules:  # why they are out cannot be said
            cells = card_words.position_list(positions)
        values = and_list(_values(deduction.base), ALL)
        name = deduction.pattern.text
        conclusion = self._context.remaining(literals)
        next_to = self._number_between(deduction)
        return HiddenSet(group, cells, values, name, conclusion, rules, next_to)

    def _number_between(self, deduction: Deduction) -> str:
        """Return the placed number, with its cell, beside which both numbers of a pair lie, one
        less and one greater; empty if the pair of a deduction is no such pair.
        """
        if not self._context.adjacent or len(deduction.base) != PAIR:
            return ""
        literals = sorted(_literals_of(deduction.base), key=self._value)
        lowest, greatest = self._value(literals[0]), self._value(literals[-1])
        if type(lowest) is not int or greatest - lowest != AROUND_ONE:
            return ""
        unknown = self._card_words.literals.fact(literals[0]).unknown
        ends = ends_of_run(unknown, lowest, self._displayed, self._card_words.literals)
        between = [end for end in ends if end.value == lowest + 1]
        if not between:
            return ""
        return f"{lowest + 1} ({self._card_words.unknown_text(between[0].unknown)})"

    def _value(self, literal: int) -> Value:
        return self._card_words.literals.fact(literal).value

    def fish(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return that the places for a value in lines lie in as many crossing lines."""
        card_words = self._card_words
        value = card_words.thing(deduction.base[0].card)[0]
        groups = card_words.groups(deduction.base)
        cover_groups = card_words.groups(deduction.cover)
        conclusion = self._context.elsewhere(literals, cover_groups)
        return Fish(groups, value, cover_groups, deduction.pattern.text, conclusion)

    def groups_in_groups(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return that groups need all that the groups around them can hold."""
        card_words = self._card_words
        card = deduction.base[0].card
        needed = sum(opened.needed for opened in deduction.base)
        groups = card_words.groups(deduction.base)
        total = deduction.cover[0].card
        if len(deduction.cover) == 1 and not card_words.has_name(total):
            count = card_words.needed(total, needed)
            return NeedAllLeft(groups, count, self._context.conclusion(literals))
        cover_groups = card_words.groups(deduction.cover)
        facts = self._context.elsewhere(literals, cover_groups)
        if card.card_type is CardType.VALUE:
            return Fish(groups, card_words.thing(card)[0], cover_groups, "", facts)
        is_begun = any(opened.needed < opened.card.low for opened in deduction.base)
        count = card_words.needed(card, needed)
        return NeedAllIn(groups, count, cover_groups, facts, "still " if is_begun else "")

    def unique_rectangle(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return that two values could be exchanged in four places otherwise."""
        assert deduction.rectangle is not None
        corners, values = deduction.rectangle
        of = self._card_words.literals.of
        positions = self._card_words.positions([of(corner, values[0]) for corner in corners])
        return UniqueRectangle(
            self._card_words.facts(literals),
            and_list(list(map(value_text, values))),
            and_list(sorted(positions)),
        )

    def derivation(self, card: Card, derivation: Derivation) -> Sentence | None:
        """Return how a card follows from cards of groups."""
        card_words = self._card_words
        outer = [source for source in derivation.outer if isinstance(source, Card)]
        inner = [source for source in derivation.inner if isinstance(source, Card)]
        if not outer or not inner or not card_words.thing(outer[0])[0]:
            return None
        if any(source.low != source.high for source in inner):
            return self._packing(outer[0], inner)
        groups = merged([card_words.group(source) for source in outer])
        further = merged([card_words.group(source) for source in inner])
        outer_total = sum(source.low for source in outer)
        inner_total = sum(source.low for source in inner)
        positions = card_words.positions(card.literals)
        hold = "holds" if len(positions) == 1 else "hold"
        need = "needs" if len(outer) == 1 else "need"
        rest = card_words.needed(card, card.low)
        place_list = and_list(positions, ALL)
        if derivation.is_cover:
            needed = card_words.needed(outer[0], inner_total)
            inside = _of_them(outer_total)
            lie = "lies" if len(outer) == 1 else "lie"
            return GroupsAreCovered(groups, lie, needed, inside, further, place_list, hold, rest)
        needed = card_words.needed(outer[0], outer_total)
        inside = _of_them(inner_total)
        return GroupsContain(groups, need, needed, inside, further, place_list, hold, rest)

    def _packing(self, card: Card, links: Sequence[Card]) -> Sentence:
        """Return that a group has one of what it needs in each of some exclusions."""
        card_words = self._card_words
        parts = []
        for link in links:
            inside = [each for each in self._context.open_literals(card) if each in link.literals]
            parts.append(f"one at {or_list(card_words.positions(inside))}")
        needed = card_words.needed(card, len(links))
        rules = card_words.names(instance for link in links for instance in link.instances)
        return NeedsOneInEach(card_words.group(card), needed, and_list(parts, ALL), rules)


def _of_them(number: int) -> str:
    return number_word(number) if number else "none"


def _literals_of(cards: Iterable[OpenCard]) -> list[int]:
    return [literal for opened in cards for literal in opened.literals]


def _values(cards: Iterable[OpenCard]) -> list[str]:
    return [value_text(opened.card.value) for opened in cards if opened.card.value is not None]
