"""The sentences of steps about choices: the ways to place a thing that are left."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from puzzlekit.boards import Cell, Cells, Placement
from puzzlekit.reasons.card_words import ALL, CardWords
from puzzlekit.reasons.deductions import Card, Deduction, OpenCard, Pattern
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.places import cells_in, place_text, spaced, value_text
from puzzlekit.sentences import (
    ByRules,
    CoveredByAll,
    CoveredByNone,
    NoneLeft,
    OnlyOption,
    Sentence,
    TakenCovers,
    WhicheverIsRight,
    and_list,
    counted,
    or_list,
    with_ranges,
)

PIECE = "piece"
IS_A = re.compile(r"\} is an? ([a-z ]+)$")  # what a type says that a thing is
FEW_OPTIONS = 4  # that are named


class OptionWords:
    """Puts steps about choices into words."""

    def __init__(self, card_words: CardWords) -> None:
        self.card_words = card_words

    def sentence(
        self, deduction: Deduction, literals: Sequence[int], instances: Iterable[GroundRule]
    ) -> Sentence | None:
        """Return the sentence of a deduction about choices; None if it is about something else.

        Args:
            deduction: The deduction.
            literals: What is told.
            instances: The instances of rules by which it follows. Their rules are told once.
        """
        sentence = self._sentence(deduction, literals)
        if sentence is None:
            return None
        familiar = {*self.card_words.tie_rules}
        for opened in deduction.base:
            for instance in opened.card.instances:
                familiar.add(instance.origin.rule)
        new = [each for each in instances if each.origin.rule not in familiar]
        rules = self.card_words.new_names(new)
        return ByRules(sentence, rules) if rules else sentence

    def _sentence(self, deduction: Deduction, literals: Sequence[int]) -> Sentence | None:
        if deduction.pattern is Pattern.EVERY_OPTION and deduction.base:
            return self._every_option(deduction.base[0], literals)
        if deduction.chains:
            return None
        cards = [opened.card for opened in (*deduction.base, *deduction.cover)]
        if not cards or not all(map(self._is_tie, cards)):
            return None
        if any(map(self.card_words.is_choice, literals)):
            return None
        noun = self._noun(cards[0])
        facts = self.card_words.facts(literals)
        if all(map(self._is_empty, literals)):
            return CoveredByNone(facts, noun, _them(literals))
        options = [each for each in deduction.reasons if self.card_words.is_choice(each)]
        return TakenCovers(facts, self.options(options), _them(literals)) if options else None

    def _every_option(self, opened: OpenCard, literals: Sequence[int]) -> Sentence:
        cells = [each for each in literals if not self.card_words.is_choice(each)]
        facts = self.card_words.facts(cells)
        noun, group = self._noun(opened.card), self._group(opened.card)
        if opened.needed == len(opened.literals):
            verb = "is" if opened.needed == 1 else "are"
            options = self.options(opened.literals, ALL)
            is_named = options.startswith(f"the {group.removeprefix('for ')} at ")
            return OnlyOption(options, verb, "" if is_named else group, facts)
        if any(map(self._is_empty, cells)):
            return WhicheverIsRight(facts, noun, group)
        return CoveredByAll(facts, noun, group, _them(cells))

    def none_left(self, card: Card) -> Sentence:
        """Return that no choice is left where one is needed."""
        return NoneLeft(self._noun(card), self._group(card))

    def options(self, choices: Iterable[int], most: int | None = FEW_OPTIONS) -> str:
        """Return choices by where they are; many of them are only counted."""
        choices = list(choices)
        texts = list(map(self._option, choices))
        if most is not None and len(texts) > most:
            return counted(len(texts), self._noun_of(choices[0]))
        return and_list(texts, ALL) if most is None else or_list(texts)

    def cells_covered(self, literals: Sequence[int], instances: Sequence[GroundRule]) -> str:
        """Return the cells that things are needed for, which cover several cells each: one cell of
        each thing; empty if the literals are about something else, or a thing has no such cell.
        """
        covered: dict[str, None] = {}
        loop_values = [value for each in instances for _, value in each.origin.bindings]
        cells = [value for value in loop_values if isinstance(value, Cell)]
        for literal in literals:
            fact = self.card_words.literals.fact(literal)
            index = self.card_words.words.keys[fact.unknown][1]
            if fact.value is not True or not isinstance(index, Cells | Placement):
                return ""
            of_index = cells_in(index)
            first = next((cell for cell in cells if cell in of_index), None)
            if first is None:
                return ""
            covered[str(first)] = None
        return and_list(list(covered), ALL)

    def _option(self, choice: int) -> str:
        """Return a choice by its cells: `the L at r1c1–r3c1 r3c2`."""
        index = self.card_words.words.keys[self.card_words.literals.fact(choice).unknown][1]
        cells = place_text(index)
        if isinstance(index, Placement):
            cells = " ".join(with_ranges(list(map(str, index.cells))))
        if isinstance(index, Placement):
            return f"the {value_text(index.piece)} at {cells}"
        return f"the {self._noun_of(choice)} at {cells}"

    def _noun(self, card: Card) -> str:
        """Return what a choice is called."""
        return self._noun_of(next(filter(self.card_words.is_choice, card.literals)))

    def _noun_of(self, choice: int) -> str:
        """Return what a choice is called: as the type says, or by the name of an unknown that is a
        noun; a placement in a solution is called a piece.
        """
        words = self.card_words.words
        name, index = words.keys[self.card_words.literals.fact(choice).unknown]
        for saying in words.puzzle.type.say.get(name, ())[:1]:
            noun = IS_A.search(saying.singular)
            if noun is not None:
                return noun[1]
        is_placement = isinstance(index, Placement) and not words.is_auxiliary(name)
        return PIECE if is_placement else spaced(name)

    def _group(self, card: Card) -> str:
        """Return for what one of some choices is needed."""
        cells = [each for each in card.literals if not self.card_words.is_choice(each)]
        if cells:
            return f"at {self.card_words.position_list(cells)}"
        rule = self.card_words.rule(card.instances[0])
        where = rule.group or rule.where
        return f"for {where}" if where else f"({rule.rule})"

    def _is_tie(self, card: Card) -> bool:
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
