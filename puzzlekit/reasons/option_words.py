"""The sentences of steps about choices: the ways to place a thing that are left."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from puzzlekit.boards import Cell, Cells, Placement
from puzzlekit.dataclass import dataclass
from puzzlekit.reasons.card_words import ALL, CardWords
from puzzlekit.reasons.deductions import Card, Deduction, OpenCard, Pattern
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.places import cells_in
from puzzlekit.reasons.ruled_out import RuledOut
from puzzlekit.reasons.words import RuleInstance
from puzzlekit.sentences import (
    AsRejected,
    ByRules,
    CoveredByAll,
    CoveredByNone,
    GroupIsComplete,
    NoneCovers,
    NoneLeft,
    OnlyOneCovers,
    OnlyOption,
    OnlyTheseCover,
    Sentence,
    SoOnlyOption,
    TakenCovers,
    WhicheverIsRight,
    and_list,
    counted,
    or_list,
)

CLUE = re.compile(r"the \d")
FEW_REASONS = 3
FEW_CLUES = 3
FEW_OPTIONS = 4  # that are named


@dataclass(frozen=True)
class _Setting:
    """What is told beside a step about choices.

    Attributes:
        given: The earlier facts from which it follows, if they are few.
        is_after_reasons: Whether it is told before why choices are out.
        are_all_named: Whether the choices that are left can be named.
    """

    given: str
    is_after_reasons: bool
    are_all_named: bool


class OptionWords:
    """Puts steps about choices into words."""

    def __init__(self, card_words: CardWords, ruled_out: RuledOut) -> None:
        self.card_words = card_words
        self.ruled_out = ruled_out

    def sentence(
        self,
        deduction: Deduction,
        literals: Sequence[int],
        instances: Iterable[GroundRule],
        reasons: Sequence[int],
        is_rejected: bool,
    ) -> Sentence | None:
        """Return the sentence of a deduction about choices; None if it is about something else.

        Args:
            deduction: The deduction.
            literals: What is told.
            instances: The instances of rules by which it follows. Their rules are told once.
            reasons: The earlier facts from which it follows, which are told if they are few.
            is_rejected: Whether it is told before why choices are rejected.
        """
        cards = [opened.card for opened in (*deduction.base, *deduction.cover)]
        familiar = {*self.card_words.tie_rules, *self.ruled_out.group_rules}
        for opened in deduction.base:
            for instance in opened.card.instances:
                familiar.add(instance.origin.rule)
        ruled_out, are_all_named = self._ruled_out(deduction, literals, cards)
        if ruled_out is not None:
            reasons = [each for each in reasons if self.ruled_out.is_striker(each, cards)]
        is_after_reasons = is_rejected or bool(ruled_out)
        setting = _Setting(self._few_facts(reasons), is_after_reasons, are_all_named)
        sentence = self._sentence(deduction, literals, setting)
        if sentence is None:
            return None
        if ruled_out:
            return AsRejected(sentence, ruled_out)
        rules = ""
        is_excluding = deduction.pattern is Pattern.EVERY_OPTION and any(
            map(self._is_empty, literals)
        )
        if is_rejected or ruled_out is None or is_excluding:
            rules = self._names(each for each in instances if each.origin.rule not in familiar)
        return ByRules(sentence, rules) if rules else sentence

    def _few_facts(self, facts: Sequence[int]) -> str:
        """Return facts if they are few, those about choices last; else nothing."""
        if len(facts) > FEW_REASONS:
            return ""
        choices = list(filter(self.card_words.is_choice, facts))
        further = [each for each in facts if each not in choices]
        texts = map(self.card_words.facts, (further, choices))
        return and_list(list(filter(None, texts)), ALL)

    def _names(self, instances: Iterable[GroundRule]) -> str:
        """Return the names of rules, or if all have clues with numbers, a few of these."""
        clues = {each: self.card_words.clue(self.card_words.rule(each)) for each in instances}
        numbers = list(dict.fromkeys(clue for clue in clues.values() if CLUE.match(clue)))
        rules = self.card_words.names(each for each, clue in clues.items() if clue not in numbers)
        if not rules and len(numbers) <= FEW_CLUES:
            rules = and_list(numbers, ALL)
        return rules

    def _ruled_out(
        self,
        deduction: Deduction,
        literals: Sequence[int],
        cards: Sequence[Card],
    ) -> tuple[tuple[Sentence, ...] | None, bool]:
        """Return why choices are out that a deduction does not leave, None if that cannot be told
        of each of them; and whether those that it leaves can be named.
        """
        remaining: set[int] = set()
        are_all_named = True
        if deduction.pattern is Pattern.EVERY_OPTION:
            for opened in deduction.base:
                remaining.update(opened.literals)
                is_last = opened.needed == len(opened.literals)
                if not is_last and not any(map(self._is_empty, literals)):
                    covering = set(self._covering(opened.card, literals))
                    are_open = self.ruled_out.are_open(covering - remaining, literals)
                    are_all_named = not are_open
                    remaining |= covering
        elif not self._is_of_ties(deduction, cards) or not all(map(self._is_empty, literals)):
            return None, are_all_named
        return self.ruled_out.sentences(cards, remaining, literals), are_all_named

    def _covering(self, card: Card, literals: Sequence[int]) -> Iterator[int]:
        """Yield the choices of a card that have the cells of some literals: whether they are left
        makes no difference.
        """
        cells = {self.card_words.cell(each) for each in literals}
        for choice in filter(self.card_words.is_choice, card.literals):
            unknown = self.card_words.literals.fact(choice).unknown
            if cells.issubset(cells_in(self.card_words.words.keys[unknown][1])):
                yield choice

    def _sentence(
        self, deduction: Deduction, literals: Sequence[int], setting: _Setting
    ) -> Sentence | None:
        if deduction.pattern is Pattern.EVERY_OPTION and deduction.base:
            return self._every_option(deduction.base[0], literals, setting)
        cards = [opened.card for opened in (*deduction.base, *deduction.cover)]
        if not self._is_of_ties(deduction, cards):
            return None
        if any(map(self.card_words.is_choice, literals)):
            return None
        noun = self.noun(cards[0])
        facts = self.card_words.facts(literals)
        if all(map(self._is_empty, literals)):
            group = "" if setting.given else self.ruled_out.complete_group(cards)
            if group and not setting.is_after_reasons:
                return GroupIsComplete(facts, group, noun)
            return CoveredByNone(facts, noun, _them(literals), setting.given)
        options = [each for each in deduction.reasons if self.card_words.is_choice(each)]
        return TakenCovers(facts, self.options(options), _them(literals)) if options else None

    def _every_option(
        self, opened: OpenCard, literals: Sequence[int], setting: _Setting
    ) -> Sentence:
        cells = [each for each in literals if not self.card_words.is_choice(each)]
        facts = self.card_words.facts(cells)
        noun, group = self.noun(opened.card), self._group(opened.card)
        if opened.needed == len(opened.literals):
            verb = "is" if opened.needed == 1 else "are"
            options = self.options(opened.literals, ALL)
            is_named = options.startswith(f"the {group.removeprefix('for ')} at ")
            if setting.is_after_reasons:
                return SoOnlyOption(options, verb, "" if is_named else group, setting.given, facts)
            return OnlyOption(options, verb, "" if is_named else group, setting.given, facts)
        if any(map(self._is_empty, cells)):
            return WhicheverIsRight(facts, noun, group, setting.given, self._few_options(opened))
        options = self._few_options(opened) if setting.are_all_named else ""
        return CoveredByAll(facts, noun, group, _them(cells), setting.given, options)

    def _few_options(self, opened: OpenCard) -> str:
        """Return the choices that are left; empty if they are many."""
        if len(opened.literals) > FEW_OPTIONS:
            return ""
        return self.options(opened.literals)

    def none_covers(self, card: Card, literals: Sequence[int]) -> str | Sentence:
        """Return why a line of a chain says that a cell is empty; nothing if it says otherwise."""
        if not all(map(self._is_empty, literals)):
            return ""
        return NoneCovers(self.noun(card), _them(literals))

    def none_left(self, card: Card) -> Sentence:
        """Return that no choice is left where one is needed."""
        return NoneLeft(self.noun(card), self._group(card))

    def options(self, choices: Iterable[int], most: int | None = FEW_OPTIONS) -> str:
        """Return choices by where they are; many of them are only counted."""
        choices = list(choices)
        texts = list(map(self.card_words.choice_text, choices))
        if most is not None and len(texts) > most:
            return counted(len(texts), self.card_words.noun_of_choice(choices[0]))
        return and_list(texts, ALL) if most is None else or_list(texts)

    def only_covering(
        self, literals: Sequence[int], instances: Sequence[GroundRule]
    ) -> OnlyTheseCover | None:
        """Return that things are the only ones that can cover some cells; None if the literals are
        about something else, or a thing has no such cell.
        """
        rules = [self.card_words.rule(each) for each in instances]
        things: list[OnlyOneCovers] = []
        for literal in literals:
            fact = self.card_words.literals.fact(literal)
            index = self.card_words.words.keys[fact.unknown][1]
            if fact.value is not True or not isinstance(index, Cells | Placement):
                return None
            cells = [cell for rule in rules for cell in _cells_inside(rule, index)]
            if not cells:
                return None
            cell = min(cells, key=lambda entry: entry[0])[1]
            things.append(OnlyOneCovers(self._thing(literal), str(cell)))
        return OnlyTheseCover(tuple(things))

    def _thing(self, choice: int) -> str:
        """Return a thing by its cells, or a piece by its name, too."""
        unknown = self.card_words.literals.fact(choice).unknown
        index = self.card_words.words.keys[unknown][1]
        if isinstance(index, Placement):
            return self.card_words.choice_text(choice)
        return self.card_words.words.index_text(index)

    def noun(self, card: Card) -> str:
        """Return what a choice of a card is called; empty if it has none."""
        choices = filter(self.card_words.is_choice, card.literals)
        return next(map(self.card_words.noun_of_choice, choices), "")

    def _group(self, card: Card) -> str:
        """Return for what one of some choices is needed."""
        cells = [each for each in card.literals if not self.card_words.is_choice(each)]
        if cells:
            return f"at {self.card_words.position_list(cells)}"
        rule = self.card_words.rule(card.instances[0])
        where = rule.group or rule.where
        return f"for {where}" if where else f"({rule.rule})"

    def _is_of_ties(self, deduction: Deduction, cards: Sequence[Card]) -> bool:
        """Return whether a deduction follows from what choices some cells belong to."""
        return bool(cards) and not deduction.chains and all(map(self.is_tie, cards))

    def is_tie(self, card: Card) -> bool:
        """Return whether a card says which choices a cell belongs to."""
        is_choice = [self.card_words.is_choice(each) for each in card.literals]
        return any(is_choice) and is_choice.count(False) == 1

    def _is_empty(self, literal: int) -> bool:
        """Return whether a literal says that a cell belongs to nothing."""
        fact = self.card_words.literals.fact(literal)
        is_cell = isinstance(self.card_words.words.position(fact.unknown), Cell)
        return is_cell and fact.value is False


def _them(literals: Sequence[int]) -> str:
    return "it" if len(literals) == 1 else "them"


def _cells_inside(rule: RuleInstance, index: Cells | Placement) -> Iterator[tuple[bool, Cell]]:
    """Yield the cells of a thing that a rule is about, each with whether there is a clue."""
    of_index = cells_in(index)
    for value in rule.values.values():
        if isinstance(value, Cell) and value in of_index:
            yield rule.has_clue, value
