"""The sentences of singles: the last place, the only value, a group that is full."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from puzzlekit.model import Value, Variable, variables_of
from puzzlekit.reasons.arrangements import FEWEST_CELLS
from puzzlekit.reasons.card_words import ALL, is_group_name, merged, with_the
from puzzlekit.reasons.causes import Causes
from puzzlekit.reasons.deductions import Card, CardType, Deduction
from puzzlekit.reasons.instances import Area, GroundRule
from puzzlekit.reasons.places import are_beside, spaced, value_text
from puzzlekit.reasons.rule_sentences import by_rules
from puzzlekit.reasons.runs import ends_of_run
from puzzlekit.reasons.step_context import StepContext, StepWords
from puzzlekit.sentences import (
    ClueSays,
    FollowsByRule,
    GraphReason,
    GroupIsFull,
    HasAllBeside,
    LastOpenCell,
    LineCanOnlyBe,
    NeedsAll,
    NoOtherPlace,
    NoOtherWay,
    OnlyCandidates,
    OnlyCellOf,
    OnlyOneLeftFor,
    OnlyPlaceBeside,
    OnlyPlaceBetween,
    OnlyPlaceIn,
    OnlyPosition,
    OnlyValue,
    OnlyValueBeside,
    OthersArePlaced,
    OtherwiseBroken,
    RuleName,
    Sentence,
    SoFacts,
    TheClue,
    Touches,
    TwoReasons,
    all_neighbours,
    and_list,
    number_word,
    or_list,
)

ZERO = re.compile(r"the 0\b")
FEW_RULES = 2  # that say why a value has only one place in a group
FEW_CLUES = 2  # that say so
FEW_MEMBERS = 6  # of a group of things that are no cells, which are named
FEW_PLACES = 2  # of a number, beside which another one is
SEVERAL_CLOSED = 2  # members of a group that have a value, which are not named


class SingleSentences(StepWords):
    """Puts singles into words, and cards that have only the needed places left, or none."""

    def __init__(self, context: StepContext, causes: Causes) -> None:
        super().__init__(context)
        self._causes = causes  # of what is excluded on the board

    def last_place(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return that facts are the last open place of a group."""
        card = deduction.base[0].card
        if self._card_words.is_everywhere(card):
            return self._only_place(literals, value_text(card.value))
        group = self._card_words.group(card)
        facts = self._card_words.facts(literals)
        if self._context.are_cells(literals):
            return LastOpenCell(facts, group)
        if len(card.literals) > FEW_MEMBERS:
            group = ""
        return LastOpenCell(facts, group, "one")

    def hidden_single(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return that a value has only one place in a group."""
        card = deduction.base[0].card
        value = "" if card.value is None else value_text(card.value)
        facts = self._card_words.facts(literals)
        if self._card_words.is_everywhere(card) and self._context.adjacent:
            return self._only_place(literals, value)
        group = "" if self._card_words.is_everywhere(card) else self._card_words.group(card)
        closed = [each for each in card.literals if each not in literals]
        if group and not self._context.are_cells(literals):
            return OnlyOneLeftFor(facts, self._closed_facts(closed), self._because_of(closed))
        # a reader sees what placed values strike
        rules = self._causes.rules(closed, by_values=False)
        clues = self._clues_against(closed)
        if not 0 < len(rules) <= FEW_RULES:
            return OnlyPlaceIn(facts, value, group, clues=clues)
        all_rules = self._causes.rules(closed)  # also those by which placed values strike
        tells_all = len(rules) < len(all_rules) <= FEW_RULES
        names = self._card_words.rule_names(
            all_rules if tells_all else rules, without_familiar=True
        )
        struck = ""
        if names and not tells_all:
            struck = self._card_words.facts(self._causes.struck_facts(closed))
        because = (RuleName(struck), *names) if struck else names
        return OnlyPlaceIn(facts, value, group, because, clues)

    def _clues_against(self, excluded: Sequence[int]) -> str:
        """Return the clues that alone exclude literals beside placed facts."""
        clues: dict[str, None] = {}
        for cards in map(self._causes.cards, excluded):
            types = {card.card_type for card in cards}
            if types != {CardType.PAIR}:
                continue
            instance = cards[0].instances[0]
            rule = self._card_words.rule(instance)
            clue = self._card_words.clue(rule)
            if clue:
                clues[clue] = None
        if len(clues) > FEW_CLUES:
            return ""
        names = list(clues)
        return and_list(names, ALL)

    def naked_single(self, _: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return that unknowns have only one value left."""
        facts = self._card_words.facts(literals)
        if len(literals) > 1:
            return OnlyValue(facts)
        (literal,) = literals
        unknown = self._card_words.literals.fact(literal).unknown
        excluded = [each for each in self._card_words.literals.of_all(unknown) if each != literal]
        cause = self._causes.single(excluded)
        if cause is not None:
            premise, instance = cause
            rule = self._card_words.rule_names([instance], without_familiar=True)
            premises_text = self._card_words.facts([premise])
            return OnlyValueBeside(facts, premises_text, rule)
        premises = self._causes.facts(excluded)
        breach = self._card_words.breach(self._causes.rules(excluded))
        if not premises and breach:
            return OtherwiseBroken(facts, breach)
        because = self._because_of(excluded)
        if not premises and because:
            return FollowsByRule(facts, because)
        if not premises:
            return OnlyValue(facts)
        premises_text = self._card_words.facts(premises)
        if breach and because:
            return OnlyValueBeside(facts, premises_text, breach=breach)
        return OnlyValueBeside(facts, premises_text, because)

    def only_candidates(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return that rules leave only one candidate from the start."""
        groups = self._groups_of_one_cell(deduction.instances)
        if groups:
            statement = "has one cell" if len(groups) == 1 else "have one cell each"
            return OnlyCellOf(self._card_words.facts(literals), merged(groups), statement)
        noun = self._areas_to_contain(deduction.instances)
        if noun:
            return self._none_can_contain(literals, noun)
        if self._context.adjacent and len(literals) == 1:
            fact = self._card_words.literals.fact(literals[0])
            return self._only_place(literals, value_text(fact.value))
        covering = self._option_words.only_covering(literals, deduction.instances)
        is_reason = any(instance.origin.values_in_name for instance in deduction.instances)
        if covering is not None and not is_reason:
            if self._vertex_words.covers_cells(literals):
                return covering
            cells = dict.fromkeys(thing.cell for thing in covering.things)
            return NoOtherWay(self._card_words.facts(literals), and_list(list(cells), ALL))
        rules = self._card_words.rule_names(deduction.instances)
        return OnlyCandidates(self._card_words.facts(literals), rules)

    def no_other_place(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return that a group needs all of the places that are left."""
        card = deduction.base[0].card
        if len(deduction.base) == 1 and self._context.is_of_area(card):
            return self._only_growth(card, literals)
        needed = self._card_words.needed(card, card.low)
        is_group = self._card_words.has_name(card) or card.derivation is not None
        if not needed or not is_group or len(deduction.base) > 1:
            return self.last_chance(deduction, literals)
        facts = self._card_words.facts(literals)
        if card.derivation is not None:
            return SoFacts(facts)
        group = self._card_words.group(card)
        rest = self._share_of_second_value(card)
        if rest:
            return GroupIsFull(facts, group, rest)
        if card.low == len(card.literals):
            return NeedsAll(facts, group)
        share = self._card_words.share(card, card.low)
        return NoOtherPlace(facts, group, share, self._untold_rules(card))

    def _untold_rules(self, card: Card) -> str:
        """Return the rules by which a look at placed facts excludes places of a card, if they are
        no counts of groups and were not told before.
        """
        rules: list[GroundRule] = []
        for literal in card.literals:
            if literal in self._displayed:
                continue
            cards = self._causes.cards(literal)
            if not cards:
                rules += self._causes.rules([literal])
            elif not any(map(self._card_words.has_name, cards)):
                rules += cards[0].instances
        return self._card_words.new_names(rules)

    def full(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return that a group has all that it can hold."""
        card = deduction.cover[0].card
        needed = self._card_words.needed(card, card.high)
        is_group = self._card_words.has_name(card) or card.derivation is not None
        breach = ""
        if len(deduction.cover) == 1:
            breach = self._card_words.breach_of_card(card, is_over=True)
        if breach:
            untold = self._touching(card)
            return OtherwiseBroken(self._card_words.facts(literals), breach, untold)
        is_empty = card.high == 0 and card.derivation is None
        zero = self._zero(deduction) if is_empty else ""
        if zero:
            denials = [-each for each in card.literals]
            texts = (self._card_words.facts(denials), self._card_words.facts(literals))
            return ClueSays(zero, min(texts, key=lambda text: len(text.split())))
        if is_empty or not needed or not is_group or len(deduction.cover) > 1:
            return self.last_chance(deduction, literals)
        facts = self._card_words.facts(literals)
        if card.derivation is not None:
            return SoFacts(facts)
        its_share = self._card_words.share(card, card.high)
        return GroupIsFull(facts, self._card_words.group(card), its_share)

    def _touching(self, card: Card) -> str:
        """Return which cells beside others hold what a card counts, where that was not told."""
        texts = []
        for literal in card.literals:
            if literal not in self._displayed or literal in self._context.explained:
                continue
            cell = self._card_words.cell(literal)
            for striker in self._causes.strikers(-literal):
                adjacent = self._card_words.cell(striker)
                if cell and adjacent and are_beside(cell, adjacent):
                    texts.append(str(Touches(str(cell), str(adjacent))))
                    self._context.explained.add(literal)
                    break
        return and_list(texts, ALL)

    def _zero(self, deduction: Deduction) -> str:
        """Return the clue of a count if it is 0; empty if it is something else."""
        card = deduction.cover[0].card
        if len(deduction.cover) > 1 or not self._card_words.has_clue(card):
            return ""
        rule = self._card_words.rule(card.instances[0])
        clue = self._card_words.clue(rule)
        is_zero = ZERO.match(clue) is not None
        return clue if is_zero else ""

    def last_chance(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return that a card has only the places left that it needs, or that it allows no more."""
        at_cell = self._vertex_words.count_step(deduction, literals)
        if at_cell is not None:
            return at_cell
        cards = [opened.card for opened in (*deduction.base, *deduction.cover)]
        if deduction.base and len(cards) == 1 and self._context.is_of_area(cards[0]):
            return self._only_growth(cards[0], literals)
        if deduction.base and len(cards) == 1 and cards[0].card_type is CardType.COUNT:
            needed = self._card_words.needed(cards[0], cards[0].low)
            if needed and self._card_words.has_name(cards[0]):
                group = self._card_words.group(cards[0])
                its_share = self._card_words.share(cards[0], cards[0].low)
                return NoOtherPlace(self._card_words.facts(literals), group, its_share)
        if self._context.adjacent and deduction.base and literals[0] in cards[0].literals:
            value = value_text(self._card_words.literals.fact(literals[0]).value)
            return self._only_place(literals, value)
        cell = self._context.guarded_cell(cards[0])
        if cell and deduction.base and len(cards) == 1 and literals[0] in cards[0].literals:
            needed = self._context.needed_beside(cards[0])
            noun = "place left" if len(literals) == 1 else "places left"
            return OnlyPlaceBeside(self._card_words.facts(literals), noun, needed, cell)
        if cell and deduction.cover and len(cards) == 1 and cards[0].high > 0:
            return self._has_all_beside(cell, cards[0], literals)
        instances = [instance for card in cards for instance in card.instances]
        if deduction.base and self._is_last_of(cards[0], deduction):
            noun = "cell" if self._context.are_cells(literals) else "place"
            return OnlyPosition(self._card_words.facts(literals), noun)
        breach = ""
        if len(cards) == 1:
            breach = self._card_words.breach_of_card(cards[0], is_over=not deduction.base)
        if breach:
            return OtherwiseBroken(self._card_words.facts(literals), breach)
        covering = self._option_words.only_covering(literals, instances) if deduction.base else None
        if covering is not None and self._vertex_words.covers_cells(literals):
            return covering
        premises = self._context.given(deduction)
        named = (*literals, *deduction.reasons) if premises else literals
        rules = self._card_words.rule_names(instances, named, without_familiar=bool(premises))
        row = self._only_row(instances, literals)
        if row:
            line = self._card_words.line(instances[0])
            if isinstance(rules[0], TheClue):
                return LineCanOnlyBe(line, row, rules[0].clue)
            return LineCanOnlyBe(line, row, rules=rules)
        return by_rules(self._card_words.facts(literals), rules, premises)

    def _has_all_beside(self, cell: str, card: Card, literals: Sequence[int]) -> Sentence:
        """Return that a cell has beside it all that a card allows, and where that is."""
        true = [literal for literal in card.literals if literal in self._displayed]
        positions = self._card_words.position_list(true)
        facts = self._card_words.facts(literals)
        number = self._card_words.needed(card, card.high)
        return HasAllBeside(facts, cell, all_neighbours(number), positions)

    def _only_row(self, instances: Sequence[GroundRule], literals: Sequence[int]) -> str:
        """Return the values of a line, all of which follow by its only rule; empty if it is no
        line, or if some of its values do not follow.
        """
        first = instances[0]
        unknowns = variables_of(*first.conditions)
        if len(instances) > 1 or len(literals) != len(unknowns):
            return ""
        facts = map(self._card_words.literals.fact, literals)
        values = {fact.unknown: fact.value for fact in facts if fact.positive}
        is_entire = set(values) == {*unknowns}
        if not is_entire or not self._card_words.line(first) or len(unknowns) < FEWEST_CELLS:
            return ""
        row = [values[unknown] for unknown in unknowns]
        return self._card_words.rows(first, unknowns, [row])[0]

    def _groups_of_one_cell(self, instances: Iterable[GroundRule]) -> list[str]:
        """Return the groups that rules are about, each of one cell; none if one is about more."""
        groups = []
        for instance in instances:
            group = self._card_words.rule(instance).group
            if not is_group_name(group) or len(variables_of(*instance.conditions)) > 1:
                return []
            groups.append(with_the(group))
        return groups

    def _share_of_second_value(self, card: Card) -> str:
        """Return what a group has of the second value of its unknowns, if these have two, and no
        more than that is allowed.
        """
        literals = self._card_words.literals
        second = []
        for literal in card.literals:
            fact = literals.fact(literal)
            if isinstance(fact.value, bool):
                return ""
            second += [each for each in literals.of_all(fact.unknown) if each != literal]
        singular, plural = self._card_words.things(second)
        number = len(card.literals) - card.low
        if len(second) != len(card.literals) or not singular or number == 0:
            return ""
        return singular if number == 1 else f"{number_word(number)} {plural}"

    def _because_of(self, excluded: Sequence[int]) -> tuple[Sentence, ...]:
        """Return the names of the rules about two unknowns by which literals are excluded."""
        rules = self._causes.rules(excluded)
        return self._card_words.rule_names(rules, without_familiar=True) if rules else ()

    def _closed_facts(self, closed: Iterable[int]) -> str:
        """Return what excludes literals: other values of their unknowns, or only that they do not
        hold.
        """
        placed: list[int] = []
        denials: list[int] = []
        for literal in closed:
            unknown = self._card_words.literals.fact(literal).unknown
            of_unknown = self._card_words.literals.of_all(unknown)
            values = [each for each in of_unknown if each in self._displayed]
            placed += values
            denials += [] if values else [-literal]
        if len(placed) < SEVERAL_CLOSED or not denials:
            return self._card_words.facts((*denials, *placed))
        facts = self._card_words.facts(denials)
        return str(OthersArePlaced(facts))

    def _only_place(self, literals: Sequence[int], value: str) -> Sentence:
        """Return that a value has only one place, wherever that may be."""
        facts = self._card_words.facts(literals)
        next_to = self._context.adjacent and self._next_beside(literals[0])
        if next_to:
            return OnlyPlaceBetween(facts, value, next_to=next_to)
        ends = self._ends_of_run(literals)
        if not ends:
            return OnlyPlaceIn(facts, value)
        if len(ends) == 1:
            return OnlyPlaceBetween(facts, value, end=ends[0])
        return OnlyPlaceBetween(facts, value, and_list(ends))

    def _next_beside(self, literal: int) -> str:
        """Return a number before or after a number, with its few places, beside which no other
        cell is open; empty if there is none.
        """
        fact = self._card_words.literals.fact(literal)
        cells_beside = self._context.adjacent
        if type(fact.value) is not int:
            return ""
        is_possible = {each for each in cells_beside if self._is_possible(each, fact.value)}
        for number in (fact.value - 1, fact.value + 1):
            cells = self._context.places_of(number).keys()
            is_open = {each for each in is_possible if not cells.isdisjoint(cells_beside[each])}
            if 0 < len(cells) <= FEW_PLACES and is_open == {fact.unknown}:
                positions = map(self._card_words.unknown_text, cells)
                return f"{number} ({or_list(list(positions))})"
        return ""

    def _is_possible(self, unknown: Variable, value: Value) -> bool:
        """Return whether a reader does not see that an unknown has another value."""
        literals = self._card_words.literals
        if literals.established_value(unknown, self._displayed) is not None:
            return False
        is_candidate = value in literals.domains[unknown]
        return not is_candidate or not self._causes.is_seen(-literals.of(unknown, value))

    def _ends_of_run(self, literals: Sequence[int]) -> list[str]:
        """Return the fixed values at the ends of the run of values that a value belongs to, with
        their positions.
        """
        if not self._context.adjacent:
            return []
        card_words = self._card_words
        fact = card_words.literals.fact(literals[0])
        texts = []
        for end in ends_of_run(fact.unknown, fact.value, self._displayed, card_words.literals):
            position = card_words.unknown_text(end.unknown)
            texts.append(f"{value_text(end.value)} ({position})")
        return texts

    def _areas_to_contain(self, instances: Iterable[GroundRule]) -> str:
        """Return what cells may belong to by some rules, such as `island`; empty if these are about
        something else.
        """
        memberships = self._board.memberships
        cards = [self._board.cards[number] for number in memberships.cards]
        rules = {instance.origin.rule for card in cards for instance in card.instances}
        if not rules.issuperset(instance.origin.rule for instance in instances):
            return ""
        names = {self._card_words.words.keys[unknown][0] for unknown in memberships.unknowns}
        return spaced(min(names, default=""))

    def _none_can_contain(self, literals: Sequence[int], noun: str) -> Sentence:
        """Return that cells belong to nothing: they are beside areas of a single cell, or no area
        can contain them.
        """
        adjacent: list[int] = []
        rest: list[int] = []
        single: dict[str, None] = {}  # the areas of single cells
        for literal in literals:
            names = list(self._single_beside(literal))
            single.update(dict.fromkeys(names))
            group = adjacent if names else rest
            group.append(literal)
        sentences: list[Sentence] = []
        if adjacent:
            facts = self._card_words.facts(adjacent)
            sentences.append(self._area_words.complete(facts, list(single)))
        if rest:
            facts = self._card_words.facts(rest)
            is_single = len(rest) == 1
            sentences.append(self._area_words.none_can_contain(facts, noun, is_single))
        return sentences[0] if len(sentences) == 1 else TwoReasons(*sentences)

    def _single_beside(self, literal: int) -> Iterator[str]:
        """Yield the clues of areas of a single cell that exclude that a literal is false."""
        board, words = self._board, self._card_words.words
        for number in board.cards_of.get(literal, ()):
            clause = board.cards[number].literals
            if len(clause) != 2:
                continue
            area = -sum(each for each in clause if each != literal)
            if area not in board.trail:
                continue
            unknown = self._card_words.literals.fact(area).unknown
            if words.is_one_of_several(unknown) and words.is_alone(unknown):
                yield words.clue_text(words.position(unknown))

    def _only_growth(self, card: Card, literals: Sequence[int]) -> Sentence:
        """Return that an area whose cells a card counts can only grow at some cells."""
        facts = self._card_words.facts(literals)
        area = Area(card.literals, card.low, card.low, card.instances[0])
        return self._area_words.step(facts, GraphReason.ROOM, area, literals)

    def _is_last_of(self, card: Card, deduction: Deduction) -> bool:
        """Return whether a literal of a card is placed because several others are closed, which
        are truths with several indexes: that a tree has its tent at some cell.
        """
        if card.low != 1 or card.unknown is not None:
            return False
        if len(deduction.literals) != 1 or deduction.literals[0] not in card.literals:
            return False
        closed = [reason for reason in deduction.reasons if -reason in card.literals]
        if not closed or len(closed) < len(deduction.reasons):
            return False
        facts = map(self._card_words.literals.fact, card.literals)
        return all(self._card_words.words.is_one_of_several(fact.unknown) for fact in facts)
