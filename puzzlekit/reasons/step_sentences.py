"""The sentence of a step: chooses by its pattern who puts it into words."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from puzzlekit.boards import Cell, Side
from puzzlekit.model import Variable
from puzzlekit.reasons.card_words import ALL, CardWords, merged
from puzzlekit.reasons.causes import Causes
from puzzlekit.reasons.chain_lines import FEW_CHOICES, ChainLines, ToldLine, all_lines
from puzzlekit.reasons.chain_sentences import ChainSentences
from puzzlekit.reasons.conflict_words import ConflictWords
from puzzlekit.reasons.cover_sentences import CoverSentences
from puzzlekit.reasons.deductions import (
    Card,
    CardType,
    Deduction,
    ForcingChain,
    Line,
    Pattern,
    is_about_areas,
)
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.marks import Marks
from puzzlekit.reasons.places import value_text
from puzzlekit.reasons.rule_sentences import RuleSentences
from puzzlekit.reasons.single_sentences import SingleSentences
from puzzlekit.reasons.step_context import StepContext
from puzzlekit.reasons.sum_sentences import SumSentences
from puzzlekit.sentences import (
    AndSo,
    AsRejected,
    BecauseOf,
    ByRules,
    ChoicesBreak,
    ElseBroken,
    GroupsHaveShare,
    LineOfChain,
    NoneLeft,
    OnlyPosition,
    RuleBroken,
    Sentence,
    ThenHolds,
    TooFewFor,
    WasOneOf,
    WithChoices,
    WouldLeaveNone,
    and_list,
    or_list,
)

Maker = Callable[[Deduction, tuple[int, ...]], Sentence]
LINE = re.compile(r"(row|column) \d+$")
AT_VERTICES = (Pattern.INCOMING_LINE, Pattern.VERTEX_COUNT, Pattern.VERTEX_COUNTS)
LOCKED = (Pattern.POINTING, Pattern.CLAIMING, Pattern.LOCKED)
NAKED_SETS = (Pattern.NAKED_PAIR, Pattern.NAKED_TRIPLE, Pattern.NAKED_QUAD)
HIDDEN_SETS = (Pattern.HIDDEN_PAIR, Pattern.HIDDEN_TRIPLE, Pattern.HIDDEN_QUAD)
FISH = (Pattern.X_WING, Pattern.SWORDFISH, Pattern.JELLYFISH)


class StepSentences:
    """Makes the sentences of steps.

    The pattern of a deduction says which of its parts puts it into words; this adds what else the
    step leaves, and why choices are rejected.
    """

    def __init__(
        self,
        card_words: CardWords,
        board: Marks,
        causes: Causes,
        adjacent: Mapping[Variable, Collection[Variable]],
    ) -> None:
        """Prepare the sentences.

        Args:
            card_words: The words of cards.
            board: The board as it is displayed before the step that is told.
            causes: Why values are excluded on it.
            adjacent: By unknown, those of the cells beside it, where values are runs.
        """
        self._card_words = card_words
        self._context = StepContext(card_words, board, causes, adjacent)
        self._area_words = self._context.area_words
        self._option_words = self._context.option_words
        self.line_rows = self._context.line_rows
        self._singles = SingleSentences(self._context, causes)
        self._rules = RuleSentences(self._context, causes)
        self._sums = SumSentences(self._context, self._rules)
        self._covers = CoverSentences(self._context, causes)
        self._conflicts = ConflictWords(self._context)
        self._chain_lines = ChainLines(self._context, self._conflicts)
        self._chains = ChainSentences(self._context, self._chain_lines)
        self._rejecting_chains: dict[int, ForcingChain] = {}  # by choice
        self._makers = self._makers_by_pattern()

    def _makers_by_pattern(self) -> dict[Pattern, Maker]:
        """Return what makes the sentences of the patterns that have sentences to themselves."""
        singles, covers, chains = self._singles, self._covers, self._chains
        makers: dict[Pattern, Maker] = {
            Pattern.ONLY_CANDIDATE: singles.only_candidates,
            Pattern.LAST_PLACE: singles.last_place,
            Pattern.HIDDEN_SINGLE: singles.hidden_single,
            Pattern.NAKED_SINGLE: singles.naked_single,
            Pattern.NO_OTHER_PLACE: singles.no_other_place,
            Pattern.FULL: singles.full,
            Pattern.LAST_CHANCE: singles.last_chance,
            Pattern.PACKED: covers.packed,
            Pattern.GROUPS_IN_GROUPS: covers.groups_in_groups,
            Pattern.EITHER_WAY: chains.either_way,
            Pattern.SEARCH: chains.search,
        }
        makers[Pattern.UNIQUE_RECTANGLE] = covers.unique_rectangle
        makers.update(dict.fromkeys(AT_VERTICES, self._context.vertex_words.counts))
        makers.update(dict.fromkeys(LOCKED, covers.locked))
        makers.update(dict.fromkeys(NAKED_SETS, covers.naked_set))
        makers.update(dict.fromkeys(HIDDEN_SETS, covers.hidden_set))
        makers.update(dict.fromkeys(FISH, covers.fish))
        return makers

    def sentence(
        self,
        deduction: Deduction,
        literals: tuple[int, ...],
        consequences: Sequence[int],
        before: Collection[int],
        rejections: Sequence[Deduction] = (),
        instances: Sequence[GroundRule] = (),
        reasons: Sequence[int] = (),
    ) -> Sentence:
        """Return the sentence of a deduction.

        Args:
            deduction: The deduction.
            literals: What is new by it, as far as it is told.
            consequences: The last values of cells that this leaves, and what it means for other
                unknowns of the same positions.
            before: The literals that were known when the deduction was made.
            rejections: How choices were rejected, which is told with it.
            instances: The instances by which it follows, those among them that reject choices.
            reasons: The earlier facts from which it follows.
        """
        self._context.begin(before, literals, consequences)
        self._chain_lines.forget_strikers()
        is_all = not literals or self._card_words.decide(consequences, literals)
        if consequences and is_all:
            literals, consequences = tuple(consequences), ()
        main = self._main_conclusion(deduction, literals)
        if main is not None:
            deduction, literal = main
            rest = (each for each in literals if each != literal)
            consequences = self._card_words.in_order(dict.fromkeys([*rest, *consequences]))
            literals = (literal,)
        rejections = [each for each in rejections if not self._is_seen(each, literals)]
        self._is_rejected = bool(rejections)
        chains = [chain for rejection in rejections for chain in rejection.chains]
        self._option_words.ruled_out.note(chain.assumed for chain in chains)
        if len(chains) == 1:  # what it leads to is told with the rules
            of_lines = {rule for line in chains[0].lines for rule in _rules_of(line)}
            for card in self._breaking_cards(chains[0]).values():
                of_lines.update(instance.origin.rule for instance in card.instances)
            instances = [each for each in instances if each.origin.rule not in of_lines]
        sentence = self._sentence(deduction, literals, instances, reasons)
        new = {*literals, *consequences}
        self._context.explained |= new
        unknowns = {self._card_words.literals.fact(each).unknown for each in literals}
        repeated = unknowns if deduction.sums is not None else self._context.single_values
        consequences = [
            each
            for each in consequences
            if each not in literals and self._card_words.literals.fact(each).unknown not in repeated
        ]
        if rejections:
            sentence = self._after_rejections(sentence, rejections)
        if isinstance(sentence, OnlyPosition):
            there = self._at_position_of(literals[0], consequences)
            if there:
                sentence = sentence.of_position(self._card_words.facts(there))
            consequences = [each for each in consequences if each not in there]
        if consequences:
            was = self._were(consequences) if is_about_areas(deduction) else None
            was = was or self._complete_lines(consequences, new)
            sentence = AndSo(sentence, self._card_words.facts(consequences), was)
        for opened in (*deduction.base, *deduction.cover):
            derivation = opened.card.derivation
            if derivation is not None and not deduction.chains:
                note = self._covers.derivation(opened.card, derivation)
                if note is not None:
                    sentence = BecauseOf(note, sentence)
        return sentence

    def _main_conclusion(
        self, deduction: Deduction, literals: Sequence[int]
    ) -> tuple[Deduction, int] | None:
        """Return a deduction with the opposite of one literal assumed, and this literal: the one
        that excludes all others at a look, where the opposites of all fail alike; None if there is
        none.
        """
        if len(literals) < 2 or len(deduction.chains) != 1:
            return None
        chain = deduction.chains[0]
        opposites = {-assumed for assumed in chain.assumptions}
        if not opposites >= {*literals}:
            return None
        for literal in literals:
            if self._seen_with(literal) >= {*literals}:
                further = tuple(each for each in chain.assumptions if each != -literal)
                chain = replace(chain, assumed=-literal, alternatives=further)
                return replace(deduction, chains=(chain,)), literal
        return None

    def _seen_with(self, literal: int) -> set[int]:
        """Return a literal with what it strikes on the board, also at a vertex that is full."""
        board = self._context.board
        literals = board.consequences([literal])
        for number in board.cards_of.get(-literal, ()):
            card = board.cards[number]
            if card.card_type is not CardType.IMPLIED:
                continue
            opened = [each for each in card.literals if -each not in board.trail]
            further = [each for each in opened if each != -literal]
            if len(further) == 1 and board.is_denial(further[0]):
                literals.add(further[0])
        return literals

    def _is_seen(self, rejection: Deduction, new: Sequence[int]) -> bool:
        """Return whether facts on the board exclude all that is rejected at a look, by now."""
        choices = [chain.assumed for chain in rejection.chains]
        return all(self._option_words.ruled_out.is_seen(choice, new) for choice in choices)

    def _at_position_of(self, literal: int, consequences: Sequence[int]) -> list[int]:
        """Return the consequences that are about the same position as a literal."""
        position = self._card_words.position_text(literal)
        return [each for each in consequences if self._card_words.position_text(each) == position]

    def cells_spoken_of(self, deduction: Deduction, literals: Iterable[int]) -> Iterator[Cell]:
        """Yield the cells of the clues that a sentence names, and then those of the unknowns."""
        for instance in _instances_in_order(deduction):
            for _, index in self._card_words.rule(instance).clues:
                if isinstance(index, Cell):
                    yield index
        for fact in self._card_words.visible_facts(literals):
            position = self._card_words.words.position(fact.unknown)
            if isinstance(position, Side):
                yield position.cell

    def lines(self, chain: ForcingChain) -> list[ToldLine]:
        """Return all lines of a chain, with their sentences."""
        return self._chain_lines.lines(chain)

    def _sentence(
        self,
        deduction: Deduction,
        literals: tuple[int, ...],
        instances: Sequence[GroundRule],
        reasons: Sequence[int],
    ) -> Sentence:
        if deduction.exclusion is not None:
            return self._area_words.exclusion(deduction.exclusion, literals)
        of_choices = self._option_words.sentence(
            deduction, literals, instances, reasons, self._is_rejected
        )
        if of_choices is not None:
            return of_choices
        if deduction.sums is not None:
            return self._sums.sentence(deduction, deduction.sums, literals)
        if deduction.pattern is Pattern.DIFFERENCE:
            teller = self._singles.no_other_place if deduction.base else self._singles.full
            return teller(deduction, literals)
        if deduction.pattern in self._makers:
            return self._makers[deduction.pattern](deduction, literals)
        if deduction.chains:
            return self._chains.chain(deduction, literals)
        if deduction.pattern in (Pattern.NO_PLACE_NEARBY, Pattern.NO_PLACE_LEFT):
            return self._conflicts.guard(deduction, literals)
        return self._rules.sentence(deduction, literals)

    def _after_rejections(self, sentence: Sentence, rejections: Iterable[Deduction]) -> Sentence:
        """Return a sentence after the reasons why choices are rejected, with their rules."""
        rejected = self._rejected(rejections)
        if isinstance(sentence, AsRejected):
            return AsRejected(sentence.step, (*rejected, *sentence.rejections))
        if isinstance(sentence, ByRules):
            return AsRejected(sentence.step, rejected, sentence.rules)
        return AsRejected(sentence, rejected)

    def _rejected(self, rejections: Iterable[Deduction]) -> tuple[Sentence, ...]:
        """Return why choices are rejected, those for like reasons together."""
        by_type: dict[type[Sentence], dict[int, Sentence]] = {}
        self._rejecting_chains.clear()
        for rejection in rejections:
            for chain in rejection.chains:
                if chain.contradiction is not None:
                    conflict = self._conflicts.conflict(chain.contradiction, [chain.assumed])
                    by_type.setdefault(type(conflict), {})[chain.assumed] = conflict
                    self._rejecting_chains[chain.assumed] = chain
        return tuple(map(self._rejection, by_type.values()))

    def _rejection(self, conflicts: Mapping[int, Sentence]) -> Sentence:
        """Return to which contradictions choices lead, which are alike."""
        options = self._option_words.options(conflicts)
        missing = [each for each in conflicts.values() if isinstance(each, NoneLeft)]
        if missing:
            groups = _with_rules_last([conflict.group for conflict in missing])
            chains = [self._rejecting_chains[each] for each in conflicts]
            names = options, missing[0].noun, or_list(groups)
            if len(chains) > 1:
                return WouldLeaveNone(*names)
            return self._would_leave_none(*names, chains[0])
        broken = [each.rule for each in conflicts.values() if isinstance(each, RuleBroken)]
        if broken:
            return ChoicesBreak(options, or_list(list(dict.fromkeys(map(str, broken)))))
        texts = dict.fromkeys(map(str, conflicts.values()))
        return WithChoices(options, or_list(list(texts)))

    def _would_leave_none(
        self, options: str, noun: str, groups: str, chain: ForcingChain
    ) -> WouldLeaveNone:
        """Return that none would be left with the reasons why, as a chain has them."""
        lines = list(map(_then, map(self._chain_lines.line, chain.lines)))
        broken = self._broken_alternatives(chain)
        if not lines:
            return WouldLeaveNone(options, noun, groups, because=broken)
        return WouldLeaveNone(options, noun, groups, and_list(lines, ALL), broken)

    def _broken_alternatives(self, chain: ForcingChain) -> tuple[Sentence, ...]:
        """Return what would be so with the choices that the one which is assumed excludes, and with
        those that are out without a word.
        """
        by_breach: dict[str, list[int]] = {}
        for choice, card in self._breaking_cards(chain).items():
            breach = self._card_words.breach(card.instances)
            by_breach.setdefault(breach, []).append(choice)
        for choice, reason in self._option_words.ruled_out.untold(self._out_before(chain)).items():
            by_breach.setdefault(reason, []).append(choice)
            self._option_words.ruled_out.note([choice])
        options = self._option_words.options
        broken = (WithChoices(options(choices), breach) for breach, choices in by_breach.items())
        return tuple(broken)

    def _out_before(self, chain: ForcingChain) -> list[int]:
        """Return the choices where none is left at the end of a chain that were out before, and
        that the lines of the chain do not exclude.
        """
        end = chain.contradiction
        if end is None or not isinstance(end.source, Card):
            return []
        choices = filter(self._card_words.is_choice, end.source.literals)
        struck = self._struck_by_lines(chain)
        out = (each for each in choices if -each in self._context.before)
        return [each for each in out if -each not in struck]

    def _struck_by_lines(self, chain: ForcingChain) -> set[int]:
        """Return what the lines of a chain strike on the board."""
        literals = (each for line in chain.lines for each in line.literals)
        return self._context.board.consequences(literals)

    def _breaking_cards(self, chain: ForcingChain) -> dict[int, Card]:
        """Return the open choices where none is left at the end of a chain that the choice which it
        assumes excludes, each with the card that says so; none if they are many, or if it cannot be
        said of each of them what would be so.
        """
        end = chain.contradiction
        if end is None or not isinstance(end.source, Card):
            return {}
        board = self._context.board
        struck = self._struck_by_lines(chain)
        of_assumed = board.cards_of.get(chain.assumed, ())
        breaking: dict[int, Card] = {}
        for choice in filter(self._card_words.is_choice, end.source.literals):
            if -choice in self._context.before or -choice in struck:
                continue
            of_both = [number for number in board.cards_of[choice] if number in of_assumed]
            cards = [board.cards[number] for number in of_both]
            with_breach = list(filter(self._says_breach, cards))
            if not with_breach:
                return {}
            breaking[choice] = with_breach[0]
        return breaking if len(breaking) <= FEW_CHOICES else {}

    def _says_breach(self, card: Card) -> bool:
        """Return whether it can be said what is so if two literals of a card are true."""
        return card.high == 1 and bool(self._card_words.breach(card.instances))

    def _complete_lines(self, consequences: Sequence[int], new: set[int]) -> Sentence | None:
        """Return the lines of the board whose clues have the one truth that they ask for, by what
        is new, so that others do not hold; None if there are none.
        """
        groups: dict[str, str] = {}  # with what each of them has
        for denial in consequences:
            for number in self._context.board.cards_of.get(-denial, ()):
                card = self._context.board.cards[number]
                group = self._card_words.group(card)
                is_one = card.low == card.high == 1 and card.card_type is CardType.COUNT
                if is_one and not new.isdisjoint(card.literals) and LINE.match(group):
                    groups[group] = self._card_words.share(card, 1)
        shares = set(groups.values())
        if len(shares) != 1:
            return None
        verb = "has its" if len(groups) == 1 else "have their"
        return GroupsHaveShare(merged(list(groups)), shares.pop(), verb)

    def _were(self, literals: Sequence[int]) -> Sentence | None:
        """Return the few values that an unknown had, of which one is left; None if they are many,
        or about several unknowns.
        """
        facts = list(map(self._card_words.literals.fact, literals))
        if len(facts) != 1 or isinstance(facts[0].value, bool):
            return None
        values = self._card_words.literals.of_all(facts[0].unknown)
        open_values = [each for each in values if -each not in self._context.displayed]
        if not 1 < len(open_values) <= FEW_CHOICES:
            return None
        open_facts = map(self._card_words.literals.fact, open_values)
        return WasOneOf(or_list([value_text(fact.value) for fact in open_facts]))


def _then(line: LineOfChain) -> str:
    """Return a line of a chain, with what would be so else after a comma."""
    is_breach = isinstance(line.because, ElseBroken)
    return str(ThenHolds(line.facts, line.because) if is_breach else line)


def _rules_of(line: Line) -> Iterator[str]:
    """Yield the names of the rules from which a line of a chain follows."""
    source = line.source
    instances = [source] if isinstance(source, GroundRule) else source.instances
    yield from (instance.origin.rule for instance in instances)


def _instances_in_order(deduction: Deduction) -> Iterator[GroundRule]:
    """Yield the instances of rules of a deduction in the order in which they are told."""
    for opened in (*deduction.base, *deduction.cover):
        yield from opened.card.instances
    for chain in deduction.chains:
        for line in (*all_lines(chain), chain.contradiction):
            source = None if line is None else line.source
            if isinstance(source, GroundRule):
                yield source
            elif source is not None:
                yield from source.instances
    yield from deduction.instances


def _with_rules_last(groups: Iterable[str]) -> list[str]:
    """Return for what no choice is left, each once: positions, and then rules, which need some."""
    positions: dict[str, None] = {}
    rules: dict[str, None] = {}
    for group in groups:
        texts = rules if group.startswith("(") else positions
        texts[group] = None
    if not positions:
        return list(rules)
    too_few = map(TooFewFor, rules)
    return [*positions, *map(str, too_few)]
