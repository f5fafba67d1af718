"""The sentence of a step: one for each pattern."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from puzzlekit.boards import Cell
from puzzlekit.model import Value, Variable
from puzzlekit.reasons.card_words import ALL, CardWords, merged
from puzzlekit.reasons.deductions import (
    Card,
    CardType,
    Deduction,
    Derivation,
    ForcingChain,
    Line,
    OpenCard,
    Pattern,
    SumGroup,
)
from puzzlekit.reasons.instances import GroundRule, TableInstance
from puzzlekit.reasons.literals import TRUE, ValueLiteral
from puzzlekit.reasons.option_words import OptionWords
from puzzlekit.reasons.places import value_text
from puzzlekit.reasons.runs import ends_of_run
from puzzlekit.sentences import (
    AllExclude,
    AllInOneGroup,
    AndSo,
    AsRejected,
    BecauseOf,
    BranchLeads,
    CannotAddUp,
    CellsAddUp,
    ChoicesBreak,
    ClueBroken,
    ClueSays,
    EitherWay,
    Fish,
    FollowsByRule,
    FollowsFromGraph,
    GraphBroken,
    GraphReason,
    GroupHasAll,
    GroupIsFull,
    GroupNeeds,
    GroupsAreCovered,
    GroupsContain,
    HasTooMany,
    HasTwice,
    HiddenSet,
    KeepsFitting,
    LastOpenCell,
    LineOfChain,
    LongChain,
    LongTrial,
    NakedSet,
    NeedAllIn,
    NeedsOneInEach,
    NoneLeft,
    NoOtherPlace,
    NoPlaceFor,
    NoPlaceLeftFor,
    NoRoomFor,
    NothingElseCovers,
    NothingElseThere,
    NoValueLeft,
    NowhereElse,
    OneOfThese,
    OnlyCandidates,
    OnlyOneLeftFor,
    OnlyPlaceBetween,
    OnlyPlaceForValue,
    OnlyPlaceIn,
    OnlyPlaceOf,
    OnlyValue,
    OnlyWayOn,
    OtherwiseBroken,
    OtherwiseChain,
    OtherwiseLong,
    Packed,
    PartAt,
    RemainingSum,
    RestOfSums,
    RoomInOneGroup,
    RuleBroken,
    RuleInside,
    RuleName,
    SearchRefutes,
    Sentence,
    SoFacts,
    SumCanOnlyBe,
    SumLeaves,
    SumOf,
    SumOfCell,
    SupposeChain,
    Supposed,
    TheClue,
    TooFewPlaces,
    TwoMeet,
    TwoValues,
    WithChoices,
    WouldEnd,
    WouldLeaveNone,
    and_list,
    counted,
    number_word,
    or_list,
    with_ranges,
)

FEW_REMAINING = 4  # values of a cell that are told rather than those that are struck
FEW_GIVEN = 4  # facts that a rule is told with
SEVERAL_CLOSED = 2  # literals of a card, of which only the last one is told
FEW_WORDS = 3  # that a row of letters may be
FEW_RULES = 4  # that a search is told with
LONGEST_TOLD = 2  # lines of a chain that are told in the sentence, and not below it
FEW_STRUCK = 3  # unknowns whose struck values are told, if many values are left
MANY_STRUCK = 8  # positions that are struck, beyond which only the group is told


Maker = Callable[[Deduction, tuple[int, ...]], Sentence]

LOCKED = (Pattern.POINTING, Pattern.CLAIMING, Pattern.LOCKED)
NAKED_SETS = (Pattern.NAKED_PAIR, Pattern.NAKED_TRIPLE, Pattern.NAKED_QUAD)
HIDDEN_SETS = (Pattern.HIDDEN_PAIR, Pattern.HIDDEN_TRIPLE, Pattern.HIDDEN_QUAD)
NAMED_CHAINS = (Pattern.TURBOT_FISH, Pattern.X_CHAIN, Pattern.XY_WING, Pattern.XY_CHAIN)
FISH = (Pattern.X_WING, Pattern.SWORDFISH, Pattern.JELLYFISH)


class ToldLine(NamedTuple):
    """A line of a chain with its sentence.

    Attributes:
        depth: How many assumptions it is below.
        sentence: The sentence.
        literals: What is assumed, or follows.
        failing: The literals of what has no way on, at a contradiction.
    """

    depth: int
    sentence: Sentence
    literals: tuple[int, ...]
    failing: tuple[int, ...] = ()


class StepSentences:
    """Makes the sentences of steps."""

    def __init__(
        self,
        card_words: CardWords,
        displayed: Collection[int],
        has_runs: bool = False,
    ) -> None:
        """Prepare the sentences.

        Args:
            card_words: The words of cards.
            displayed: The literals that are displayed before the step that is told; it grows from
                step to step.
            has_runs: Whether each value lies beside the next one.
        """
        self.card_words = card_words
        self.option_words = OptionWords(card_words)
        self._displayed = displayed
        self._before: Collection[int] = ()
        self._instances: Sequence[GroundRule] = ()
        self._has_runs = has_runs
        self._single_values: set[Variable] = set()  # unknowns that are told their value
        self._settled: dict[Variable, Value] = {}  # the last values that the step leaves
        self._makers: dict[Pattern, Maker] = {
            Pattern.ONLY_CANDIDATE: self._only_candidates,
            Pattern.LAST_PLACE: self._last_place,
            Pattern.HIDDEN_SINGLE: self._hidden_single,
            Pattern.NAKED_SINGLE: self._naked_single,
            Pattern.NO_OTHER_PLACE: self._no_other_place,
            Pattern.FULL: self._full,
            Pattern.LAST_CHANCE: self._last_chance,
            Pattern.PACKED: self._packed,
            Pattern.GROUPS_IN_GROUPS: self._groups_in_groups,
            Pattern.EITHER_WAY: self._either_way,
            Pattern.SEARCH: self._search,
        }
        self._makers.update(dict.fromkeys(LOCKED, self._locked))
        self._makers.update(dict.fromkeys(NAKED_SETS, self._naked_set))
        self._makers.update(dict.fromkeys(HIDDEN_SETS, self._hidden_set))
        self._makers.update(dict.fromkeys(FISH, self._fish))

    def sentence(
        self,
        deduction: Deduction,
        literals: tuple[int, ...],
        consequences: Sequence[int],
        before: Collection[int],
        rejections: Sequence[Deduction] = (),
        instances: Sequence[GroundRule] = (),
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
        """
        self._before = before
        self._single_values.clear()
        literal_facts = map(self.card_words.literals.fact, consequences)
        self._settled = {fact.unknown: fact.value for fact in literal_facts if fact.positive}
        self._instances = instances
        sentence = self._sentence(deduction, literals)
        unknowns = {self.card_words.literals.fact(each).unknown for each in literals}
        repeated = unknowns if deduction.sums is not None else self._single_values
        consequences = [
            each
            for each in consequences
            if each not in literals and self.card_words.literals.fact(each).unknown not in repeated
        ]
        if rejections:
            sentence = AsRejected(sentence, self._rejected(rejections))
        if consequences:
            sentence = AndSo(sentence, self.card_words.facts(consequences))
        for opened in (*deduction.base, *deduction.cover):
            derivation = opened.card.derivation
            if derivation is not None:
                note = self._derivation(opened.card, derivation)
                if note is not None:
                    sentence = BecauseOf(note, sentence)
        return sentence

    def _conclusion(self, literals: Iterable[int]) -> str:
        """Return what is new, as clauses; of many, some are only counted, as they are drawn, and
        many things that take several cells are not named if they are struck.
        """
        facts = self.card_words.told_facts(literals)
        struck = [fact for fact in facts if fact.value is (not fact.positive)]
        if len(struck) > FEW_STRUCK and not self._are_cells(literals):
            placed = [fact for fact in facts if fact not in struck]
            fitting = str(KeepsFitting())
            if not placed:
                return fitting
            return and_list([self.card_words.words.facts(placed, ALL), fitting])
        return self.card_words.words.facts(facts, MANY_STRUCK)

    def _elsewhere(self, literals: Collection[int], groups: str) -> str:
        """Return what is struck in the groups of a cover; of many facts, only that it is all."""
        positions = with_ranges(self.card_words.positions(literals))
        if len(positions) > FEW_STRUCK:
            return str(NowhereElse(groups))
        return self._conclusion(literals)

    def _rejected(self, rejections: Iterable[Deduction]) -> tuple[Sentence, ...]:
        """Return why choices are rejected, those for like reasons together."""
        by_type: dict[type[Sentence], dict[int, Sentence]] = {}
        for rejection in rejections:
            for chain in rejection.chains:
                if chain.contradiction is not None:
                    conflict = self._conflict(chain.contradiction, [chain.assumed])
                    by_type.setdefault(type(conflict), {})[chain.assumed] = conflict
        return tuple(map(self._rejection, by_type.values()))

    def _rejection(self, conflicts: Mapping[int, Sentence]) -> Sentence:
        """Return to which contradictions choices lead, which are alike."""
        options = self.option_words.options(conflicts)
        missing = [each for each in conflicts.values() if isinstance(each, NoneLeft)]
        if missing:
            groups = dict.fromkeys(conflict.group for conflict in missing)
            return WouldLeaveNone(options, missing[0].noun, or_list(list(groups)))
        broken = [each.rule for each in conflicts.values() if isinstance(each, RuleBroken)]
        if broken:
            return ChoicesBreak(options, or_list(list(dict.fromkeys(map(str, broken)))))
        texts = dict.fromkeys(map(str, conflicts.values()))
        return WithChoices(options, or_list(list(texts)))

    def _sentence(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        of_choices = self.option_words.sentence(deduction, literals, self._instances)
        if of_choices is not None:
            return of_choices
        if deduction.sums is not None:
            return self._sum(deduction, deduction.sums, literals)
        if deduction.pattern is Pattern.DIFFERENCE:
            teller = self._no_other_place if deduction.base else self._full
            return teller(deduction, literals)
        if deduction.pattern in self._makers:
            return self._makers[deduction.pattern](deduction, literals)
        if deduction.chains:
            return self._chain(deduction, literals)
        if deduction.pattern is Pattern.NO_PLACE_LEFT:
            return self._guard(deduction, literals)
        return self._rule(deduction, literals)

    # Singles --------------------------------------------------------------------------------------

    def _last_place(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        card = deduction.base[0].card
        if self.card_words.is_everywhere(card):
            return self._only_place(literals, value_text(card.value))
        group = self.card_words.group(card)
        noun = "open cell" if self._are_cells(literals) else "one"
        return LastOpenCell(self.card_words.facts(literals), group, noun)

    def _hidden_single(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        card = deduction.base[0].card
        value = "" if card.value is None else value_text(card.value)
        facts = self.card_words.facts(literals)
        if self.card_words.is_everywhere(card):
            return self._only_place(literals, value)
        group = self.card_words.group(card)
        if group and not self._are_cells(literals):
            return OnlyOneLeftFor(facts, group, value)
        return OnlyPlaceIn(facts, value, group)

    def _only_place(self, literals: Sequence[int], value: str) -> Sentence:
        """Return that a value has only one place, wherever that may be."""
        facts = self.card_words.facts(literals)
        ends = self._ends_of_run(literals)
        if not ends:
            return OnlyPlaceIn(facts, value)
        if len(ends) == 1:
            return OnlyPlaceBetween(facts, value, end=ends[0])
        return OnlyPlaceBetween(facts, value, and_list(ends))

    def _ends_of_run(self, literals: Sequence[int]) -> list[str]:
        """Return the fixed values at the ends of the run of values that a value belongs to, with
        their positions.
        """
        if not self._has_runs:
            return []
        card_words = self.card_words
        fact = card_words.literals.fact(literals[0])
        texts = []
        for end in ends_of_run(fact.unknown, fact.value, self._displayed, card_words.literals):
            position = card_words.unknown_text(end.unknown)
            texts.append(f"{value_text(end.value)} ({position})")
        return texts

    def _are_cells(self, literals: Iterable[int]) -> bool:
        """Return whether facts are about cells."""
        facts = self.card_words.visible_facts(literals)
        return all(isinstance(self.card_words.words.position(each.unknown), Cell) for each in facts)

    def _only_candidates(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        cells = self.option_words.cells_covered(literals, deduction.instances)
        if cells:
            return NothingElseCovers(self.card_words.facts(literals), cells)
        rules = self.card_words.rule_names(deduction.instances)
        return OnlyCandidates(self.card_words.facts(literals), rules)

    def _naked_single(self, _: Deduction, literals: tuple[int, ...]) -> Sentence:
        return OnlyValue(self.card_words.facts(literals))

    def _no_other_place(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        card = deduction.base[0].card
        needed = self.card_words.needed(card, card.low)
        is_group = self.card_words.has_name(card) or card.derivation is not None
        if not needed or not is_group or len(deduction.base) > 1:
            return self._last_chance(deduction, literals)
        facts = self.card_words.facts(literals)
        if card.derivation is not None:
            return SoFacts(facts)
        its_share = self.card_words.share(card, card.low)
        return NoOtherPlace(facts, self.card_words.group(card), its_share)

    def _full(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        card = deduction.cover[0].card
        needed = self.card_words.needed(card, card.high)
        is_group = self.card_words.has_name(card) or card.derivation is not None
        is_empty = card.high == 0 and card.derivation is None
        if is_empty or not needed or not is_group or len(deduction.cover) > 1:
            return self._last_chance(deduction, literals)
        facts = self.card_words.facts(literals)
        if card.derivation is not None:
            return SoFacts(facts)
        its_share = self.card_words.share(card, card.high)
        return GroupIsFull(facts, self.card_words.group(card), its_share)

    def _last_chance(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        cards = [opened.card for opened in (*deduction.base, *deduction.cover)]
        if deduction.base and len(cards) == 1 and cards[0].card_type is CardType.COUNT:
            needed = self.card_words.needed(cards[0], cards[0].low)
            if needed and self.card_words.has_name(cards[0]):
                group = self.card_words.group(cards[0])
                its_share = self.card_words.share(cards[0], cards[0].low)
                return NoOtherPlace(self.card_words.facts(literals), group, its_share)
        instances = [instance for card in cards for instance in card.instances]
        if deduction.base and self._is_last_of(cards[0], deduction):
            rules = self.card_words.rule_names(instances, literals, without_familiar=True)
            return OnlyCandidates(self.card_words.facts(literals), rules)
        cells = self.option_words.cells_covered(literals, instances)
        if deduction.base and cells:
            return NothingElseCovers(self.card_words.facts(literals), cells)
        given = self._given(deduction)
        named = (*literals, *deduction.reasons) if given else literals
        rules = self.card_words.rule_names(instances, named, without_familiar=bool(given))
        return _by_rules(self.card_words.facts(literals), rules, given)

    def _is_last_of(self, card: Card, deduction: Deduction) -> bool:
        """Return whether a literal of a card is placed because several others are closed, which
        are truths with several indexes: that a tree has its tent at some cell.
        """
        if card.low != 1 or card.unknown is not None:
            return False
        if len(deduction.literals) != 1 or deduction.literals[0] not in card.literals:
            return False
        closed = [reason for reason in deduction.reasons if -reason in card.literals]
        if len(closed) < SEVERAL_CLOSED or len(closed) < len(deduction.reasons):
            return False
        facts = map(self.card_words.literals.fact, card.literals)
        return all(self.card_words.words.is_one_of_several(fact.unknown) for fact in facts)

    def _given(self, deduction: Deduction) -> str:
        """Return the facts from which something follows, if they are few."""
        facts = self.card_words.visible_facts(deduction.reasons)
        placed = [each for each in facts if each.positive]
        if len(placed) != len(facts) or len(facts) > FEW_GIVEN:
            return ""
        return self.card_words.words.facts(facts, ALL)

    def _rule(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return what a rule says that has no cards."""
        if deduction.pattern is Pattern.VERTEX:
            sentence = self._vertex(deduction, literals)
            if sentence is not None:
                return sentence
        given = self._given(deduction)
        is_told = bool(given) or deduction.graph_reason is not None
        rules = self.card_words.rule_names(deduction.instances, without_familiar=is_told)
        if deduction.graph_reason is not None:
            reason = deduction.graph_reason.about(len(literals))
            return FollowsFromGraph(self.card_words.facts(literals), reason, rules)
        words = self._words_left(deduction.instances[0])
        if words:
            row = self.card_words.place_of_rule(deduction.instances[0])
            return SumCanOnlyBe(row, or_list(words), self._remaining(literals))
        return _by_rules(self._remaining(literals), rules, given)

    def _words_left(self, instance: GroundRule) -> list[str]:
        """Return the words that the board still allows in a row of letters, if they are few."""
        if not isinstance(instance, TableInstance):
            return []
        if not self.card_words.place_of_rule(instance):
            return []
        rows = instance.remaining_values(dict.fromkeys(self._displayed, 0))
        if len(rows) > FEW_WORDS or not all(map(_is_word, rows)):
            return []
        return ["".join(map(value_text, row)) for row in rows]

    def _vertex(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence | None:
        """Return why a loop goes on or not at a vertex; None if that is no simple case."""
        card_words = self.card_words
        vertex = card_words.rule(deduction.instances[0]).where
        facts = card_words.facts(literals)
        links = sum(not self._is_denial(each) for each in deduction.reasons)
        placed = sum(not self._is_denial(each) for each in literals)
        if links == placed == 1:
            return OnlyWayOn(facts, vertex)
        if links == 2 and not placed:
            return TwoMeet(facts, vertex)
        if links == placed == 0 and len(literals) == 1:
            return WouldEnd(facts, vertex)
        return None

    def _is_denial(self, literal: int) -> bool:
        """Return whether a literal says that a truth does not hold."""
        return self.card_words.literals.fact(literal).positive == (
            self.card_words.literals.fact(literal).value is False
        )

    def _guard(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return that a condition for a count that cannot be met does not hold."""
        if deduction.base:
            conflict = self._too_few(deduction.base[0].card)
        else:
            conflict = self._too_many(deduction.cover[0].card)
        return OtherwiseBroken(self.card_words.facts(literals), conflict)

    def _remaining(self, literals: Sequence[int]) -> str:
        """Return what is left where values are struck, or that they are struck."""
        card_words = self.card_words
        facts = card_words.visible_facts(literals)
        placed = {fact.unknown for fact in facts if fact.positive}
        struck = set(literals)
        by_values: dict[tuple[str, ...], dict[Variable, ValueLiteral]] = {}
        widely: list[str] = []  # where many values are left
        for fact in facts:
            values = self._values_left(fact.unknown, struck)
            if fact.unknown in placed or not values:
                return self._conclusion(literals)
            if len(values) > FEW_REMAINING:
                widely.append(card_words.unknown_text(fact.unknown))
            else:
                by_values.setdefault(tuple(values), {})[fact.unknown] = fact
        widely = list(dict.fromkeys(widely))
        if widely and len({fact.value for fact in facts}) == 1:
            return card_words.facts(literals)
        if not by_values and len(widely) < FEW_STRUCK:
            return self._conclusion(literals)
        clauses = []
        for remaining, of_unknowns in by_values.items():
            clauses.append(card_words.words.remaining(of_unknowns.values(), remaining))
            if len(remaining) == 1:
                self._single_values.update(of_unknowns)
        if widely:
            clauses.append(str(KeepsFitting(and_list(with_ranges(widely), ALL))))
        return and_list(clauses, ALL)

    def _values_left(self, unknown: Variable, struck: set[int]) -> list[str]:
        """Return the values that an unknown may have after some are struck."""
        if unknown in self._settled:
            return [value_text(self._settled[unknown])]
        literals = self.card_words.literals
        remaining = [
            each
            for each in literals.of_all(unknown)
            if -each not in self._displayed and -each not in struck
        ]
        return [value_text(literals.fact(literal).value) for literal in remaining]

    def _is_displayed(self, literal: int) -> bool:
        """Return whether a literal is displayed to be true or to be false."""
        return literal in self._displayed or -literal in self._displayed

    def _value_before(self, unknown: Variable) -> Value | None:
        """Return the value that an unknown had when the deduction was made; None without one."""
        literals = self.card_words.literals
        for value, literal in zip(literals.domains[unknown], literals.of_all(unknown)):
            if literal == TRUE or literal in self._before:
                return value
        return None

    # Sums -----------------------------------------------------------------------------------------

    def _sum(self, deduction: Deduction, group: SumGroup, literals: tuple[int, ...]) -> Sentence:
        card_words = self.card_words
        facts = self._remaining(literals)
        set_text = _added if group.is_sum else _together
        alternatives = or_list([set_text(values) for values in deduction.combinations])
        if group.derivation is not None:
            cells = card_words.sum_cells(group)
            is_single = len(group.unknowns) == 1
            conclusion = CellsAddUp(
                cells, str(group.total), alternatives, "" if is_single else facts
            )
            if is_single:
                return self._rest_of_sums(group.derivation, group.total, facts)
            return self._rest_of_sums(group.derivation, group.total, conclusion)
        name = card_words.sum_name(group)
        if not group.is_sum:
            has_name = bool(alternatives) and not self._given(deduction)
            if has_name and name != card_words.sum_cells(group):
                return SumCanOnlyBe(name, alternatives, facts)
            return self._rule(deduction, literals)
        open_unknowns = [each for each in group.unknowns if self._value_before(each) is None]
        total = self._remaining_total(group)
        if deduction.pattern is Pattern.ONE_CELL_OF_SUM:
            return SumOfCell(card_words.facts(literals), name, str(total) if group.weights else "")
        is_whole = total == group.total
        remaining = str(RemainingSum(str(total), counted(len(open_unknowns), "cell")))
        if alternatives:
            return SumCanOnlyBe(name, alternatives, facts, "" if is_whole else remaining)
        return SumLeaves(name, remaining, facts)

    def _remaining_total(self, group: SumGroup) -> int:
        """Return what the open cells of a sum add up to."""
        weights = group.weights or (1,) * len(group.unknowns)
        total = group.total
        for unknown, weight in zip(group.unknowns, weights):
            value = self._value_before(unknown)
            if value is not None:
                total -= weight * int(value)
        return total

    def _rest_of_sums(
        self, derivation: Derivation, rest: int, conclusion: str | Sentence
    ) -> Sentence:
        """Return the rule of 45: what sums inside or across of groups leave."""
        groups = merged([self._source_name(source) for source in derivation.outer])
        add = "adds" if len(derivation.outer) == 1 else "add"
        inner = sum(self._total(source) for source in derivation.inner)
        total = inner - rest if derivation.is_cover else inner + rest
        relation = "inside"
        if derivation.is_cover:
            relation = "that cover it" if len(derivation.outer) == 1 else "that cover them"
        return RestOfSums(groups, add, str(total), relation, str(inner), conclusion)

    def _source_name(self, source: Card | SumGroup) -> str:
        if isinstance(source, SumGroup):
            return self.card_words.sum_name(source)
        return self.card_words.group(source)

    def _total(self, source: Card | SumGroup) -> int:
        return source.total if isinstance(source, SumGroup) else source.low

    # Bases and covers -----------------------------------------------------------------------------

    def _locked(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        card_words = self.card_words
        truth, link = deduction.base[0], deduction.cover[0]
        conclusion = self._conclusion(literals)
        thing, _ = card_words.thing(truth.card)
        link_has_group = card_words.is_group(link.card)
        if thing and card_words.is_group(truth.card) and link_has_group:
            positions = card_words.positions(truth.literals)
            number = "both" if len(positions) == 2 else "all"
            link_group = card_words.group(link.card)
            conclusion = self._elsewhere(literals, link_group)
            group = card_words.group(truth.card)
            place_list = card_words.position_list(truth.literals)
            needed = card_words.needed_thing(truth.card)
            if truth.card.card_type is not CardType.VALUE:
                return RoomInOneGroup(group, needed, place_list, number, link_group, conclusion)
            return AllInOneGroup(group, place_list, thing, number, link_group, conclusion)
        rule = self._name_and_group(truth.card)
        if len(truth.literals) > FEW_REMAINING:
            return AllExclude(conclusion, len(truth.literals), rule)
        choices = card_words.alternatives(truth.literals)
        return OneOfThese(choices, rule, conclusion, card_words.new_names(link.card.instances))

    def _name_and_group(self, card: Card) -> str:
        """Return where a card is counted, or the rule if that has no name."""
        if card.unknown is not None:
            return ""
        if self.card_words.is_group(card):
            return self.card_words.group(card)
        return and_list([str(name) for name in self.card_words.rule_names(card.instances)], ALL)

    def _packed(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        card_words = self.card_words
        truth = deduction.base[0]
        needed = card_words.needed(truth.card, truth.needed)
        if not needed:
            needed = f"{truth.needed} of {card_words.position_list(truth.literals)}"
        parts = []
        for link in deduction.cover:
            inside = [each for each in truth.literals if each in link.literals]
            number = number_word(link.allowed)
            parts.append(f"{number} at {or_list(card_words.positions(inside))}")
        rules = card_words.names(
            instance for link in deduction.cover for instance in link.card.instances
        )
        group = card_words.group(truth.card)
        return Packed(group, needed, and_list(parts, ALL), rules, self._conclusion(literals))

    def _naked_set(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        card_words = self.card_words
        cells = card_words.position_list(_literals_of(deduction.base))
        values = or_list(_values(deduction.cover))
        group = card_words.group(deduction.cover[0].card)
        name = deduction.pattern.text
        return NakedSet(cells, values, name, group, self._conclusion(literals))

    def _hidden_set(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        card_words = self.card_words
        card = deduction.base[0].card
        group = "" if card_words.is_everywhere(card) else card_words.group(card)
        cells = card_words.position_list(_literals_of(deduction.base))
        values = and_list(_values(deduction.base), ALL)
        name = deduction.pattern.text
        return HiddenSet(group, cells, values, name, self._remaining(literals))

    def _fish(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        card_words = self.card_words
        value = card_words.thing(deduction.base[0].card)[0]
        groups = card_words.groups(deduction.base)
        others = card_words.groups(deduction.cover)
        conclusion = self._elsewhere(literals, others)
        return Fish(groups, value, others, deduction.pattern.text, conclusion)

    def _groups_in_groups(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        card_words = self.card_words
        card = deduction.base[0].card
        needed = sum(opened.needed for opened in deduction.base)
        groups = card_words.groups(deduction.base)
        others = card_words.groups(deduction.cover)
        facts = self._elsewhere(literals, others)
        if card.card_type is CardType.VALUE:
            return Fish(groups, card_words.thing(card)[0], others, "", facts)
        is_begun = any(opened.needed < opened.card.low for opened in deduction.base)
        count = card_words.needed(card, needed)
        return NeedAllIn(groups, count, others, facts, "still " if is_begun else "")

    def _derivation(self, card: Card, derivation: Derivation) -> Sentence | None:
        """Return how a card follows from cards of groups."""
        card_words = self.card_words
        outer = [source for source in derivation.outer if isinstance(source, Card)]
        inner = [source for source in derivation.inner if isinstance(source, Card)]
        if not outer or not inner or not card_words.thing(outer[0])[0]:
            return None
        if any(source.low != source.high for source in inner):
            return self._packing(outer[0], inner)
        groups = merged([card_words.group(source) for source in outer])
        others = merged([card_words.group(source) for source in inner])
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
            return GroupsAreCovered(groups, lie, needed, inside, others, place_list, hold, rest)
        needed = card_words.needed(outer[0], outer_total)
        inside = _of_them(inner_total)
        return GroupsContain(groups, need, needed, inside, others, place_list, hold, rest)

    def _packing(self, card: Card, links: Sequence[Card]) -> Sentence:
        """Return that a group has one of what it needs in each of some exclusions."""
        card_words = self.card_words
        parts = []
        for link in links:
            inside = [each for each in self._open_literals(card) if each in link.literals]
            parts.append(f"one at {or_list(card_words.positions(inside))}")
        needed = card_words.needed(card, len(links))
        rules = card_words.names(instance for link in links for instance in link.instances)
        return NeedsOneInEach(card_words.group(card), needed, and_list(parts, ALL), rules)

    def _open_literals(self, card: Card) -> list[int]:
        """Return the literals of a card that are displayed to be open."""
        return [each for each in card.literals if not self._is_displayed(each)]

    # Chains ---------------------------------------------------------------------------------------

    def _chain(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        chain = deduction.chains[0]
        facts = self._conclusion(literals)
        conflict = self.conflict(chain)
        if chain.length == 0 or len(deduction.chains) > 1:
            rules = self._rules_of_conflict(deduction, chain)
            closed = "" if rules else self._closed_places(deduction)
            if closed and isinstance(conflict, RuleBroken):
                return OtherwiseChain(facts, (LineOfChain(closed),), conflict.rule, "but")
            return OtherwiseBroken(facts, conflict, rules)
        told_lines = list(filter(self._is_told, _all_lines(chain)))
        count = counted(len(told_lines) + len(chain.branches), "line")
        assumed = self.card_words.facts([chain.assumed])
        if deduction.pattern is Pattern.TRIAL:
            return LongTrial(assumed, count, conflict, facts)
        is_opposite = literals == (-chain.assumed,)
        name = deduction.pattern.text if deduction.pattern in NAMED_CHAINS else ""
        if len(told_lines) > LONGEST_TOLD:
            if is_opposite:
                return OtherwiseLong(facts, count, conflict, name)
            return LongChain(assumed, count, conflict, facts)
        lines = tuple(map(self.line, told_lines))
        if not lines:
            return OtherwiseBroken(facts, conflict)
        if is_opposite and isinstance(conflict, RuleBroken):
            return OtherwiseChain(facts, lines, conflict.rule, "but", name)
        if is_opposite:
            return OtherwiseChain(facts, lines, conflict, "and", name)
        return SupposeChain(assumed, lines, conflict, facts)

    def _closed_places(self, deduction: Deduction) -> str:
        """Return what becomes of the open literals of a rule that assumptions break at once; empty
        if the assumptions are about it themselves.
        """
        contradiction = deduction.chains[0].contradiction
        if contradiction is None or not isinstance(contradiction.source, Card):
            return ""
        card = contradiction.source
        literals = self._open_literals(card)
        assumed = {abs(chain.assumed) for chain in deduction.chains}
        if len(literals) > FEW_GIVEN or not assumed.isdisjoint(map(abs, literals)):
            return ""
        is_over = any(parent in card.literals for parent in contradiction.parents)
        return self.card_words.facts(literals if is_over else [-each for each in literals])

    def _is_told(self, line: Line) -> bool:
        """Return whether a line of a chain says something of unknowns of the type."""
        return bool(self.card_words.visible_facts(line.literals))

    def _rules_of_conflict(self, deduction: Deduction, chain: ForcingChain) -> str:
        """Return the rules that strike the positions of a contradiction, but not its own rule."""
        assert chain.contradiction is not None
        source = chain.contradiction.source
        hidden: set[str] = set()
        if isinstance(source, Card):
            hidden = {instance.origin.rule for instance in source.instances}
        if chain.contradiction.packed is not None:
            hidden |= {each.origin.rule for each in chain.contradiction.packed.instances}
        instances = [each for each in deduction.instances if each.origin.rule not in hidden]
        return self.card_words.new_names(instances)

    def lines(self, chain: ForcingChain, depth: int = 0) -> list[ToldLine]:
        """Return all lines of a chain, which is this deep in branches."""
        assumed = Supposed(self.card_words.facts([chain.assumed]))
        lines = [ToldLine(depth, assumed, (chain.assumed,))]
        told_lines = filter(self._is_told, chain.lines)
        lines += [ToldLine(depth, self.line(line), line.literals) for line in told_lines]
        for branch in chain.branches:
            lines += self.lines(branch, depth + 1)
        if chain.contradiction is not None:
            conflict = LineOfChain(str(self.conflict(chain)))
            lines.append(ToldLine(depth, conflict, (), self._failing(chain.contradiction)))
        return lines

    def _failing(self, contradiction: Line) -> tuple[int, ...]:
        """Return the literals of what has no way on."""
        source = contradiction.source
        if isinstance(source, Card):
            return source.literals
        if isinstance(source, SumGroup):
            of_all = self.card_words.literals.of_all
            return tuple(literal for unknown in source.unknowns for literal in of_all(unknown))
        return contradiction.parents

    def line(self, line: Line) -> LineOfChain:
        """Return a line of a chain; of many cells that are cut off, only how many they are."""
        facts = self.card_words.facts(line.literals)
        if line.graph_reason is GraphReason.CUT_OFF:
            facts = self.card_words.counted_facts(line.literals)
        return LineOfChain(facts, self._because(line))

    def _because(self, line: Line) -> str | Sentence:
        """Return why a line of a chain follows."""
        card_words = self.card_words
        source = line.source
        if isinstance(source, SumGroup):
            name = card_words.sum_name(source)
            return SumOf(name) if name == card_words.sum_cells(source) else name
        if not isinstance(source, Card):
            if line.graph_reason is not None:
                return line.graph_reason.about(len(line.literals))
            return self._rule_of_line([source])
        if source.card_type is CardType.CELL:
            return NothingElseThere()
        is_placed = line.literals[0] in source.literals
        if source.card_type is CardType.VALUE and is_placed:
            if card_words.is_everywhere(source):
                return OnlyPlaceForValue(value_text(source.value))
            return OnlyPlaceOf(card_words.group(source))
        if source.card_type is CardType.COUNT and card_words.has_name(source):
            if is_placed and card_words.needed(source, source.low):
                needed = card_words.needed(source, source.low)
                return GroupNeeds(card_words.group(source), needed)
            if not is_placed and card_words.needed(source, source.high):
                its_share = card_words.share(source, source.high)
                return GroupHasAll(card_words.group(source), its_share)
        return self._rule_of_line(source.instances)

    def _rule_of_line(self, instances: Sequence[GroundRule]) -> str | Sentence:
        """Return the rules by which a line of a chain follows; empty if they are familiar."""
        names = self.card_words.rule_names(instances, without_familiar=True)
        if not names:
            return ""
        return _inside(names[0]) if len(names) == 1 else self.card_words.names(instances)

    def conflict(self, chain: ForcingChain) -> str | Sentence:
        """Return the contradiction at the end of a chain."""
        if chain.contradiction is None:
            return ""
        named = [chain.assumed, *(each for line in chain.lines for each in line.literals)]
        return self._conflict(chain.contradiction, named)

    def _conflict(self, line: Line, named: Sequence[int]) -> Sentence:
        """Return a contradiction after these literals were told."""
        card_words = self.card_words
        source = line.source
        if isinstance(source, SumGroup):
            return CannotAddUp(card_words.sum_name(source))
        if not isinstance(source, Card):
            if line.graph_reason is not None:
                rule = self._rule_of_line([source])
                return GraphBroken(line.graph_reason.about(1), rule)
            return self._broken([source], named)
        if line.packed is not None:
            return self._no_room(source, line.packed, line)
        if any(parent in source.literals for parent in line.parents):
            return self._too_many(source, named)
        return self._too_few(source, named)

    def _no_room(self, card: Card, packed: Card, line: Line) -> Sentence:
        card_words = self.card_words
        if any(map(card_words.is_choice, card.literals)):
            return self.option_words.none_left(card)
        gone = {-parent for parent in line.parents}
        is_open = [each for each in self._open_literals(card) if each in packed.literals]
        positions = card_words.position_list(each for each in is_open if each not in gone)
        needed = card_words.needed(card, card.low) or str(card.low)
        rule = card_words.names(packed.instances)
        return NoRoomFor(card_words.group(card), positions, needed, rule)

    def _too_few(self, card: Card, named: Sequence[int] = ()) -> Sentence:
        card_words = self.card_words
        group = card_words.group(card)
        if any(map(card_words.is_choice, card.literals)):
            return self.option_words.none_left(card)
        if card.card_type is CardType.CELL:
            return NoValueLeft(group)
        if card_words.is_everywhere(card):
            return NoPlaceLeftFor(value_text(card.value))
        needed = card_words.needed(card, card.low)
        if needed and (card.card_type is CardType.VALUE or card_words.has_name(card)):
            if card.card_type is CardType.VALUE or card.low == 1:
                is_value = card.card_type is CardType.VALUE
                return NoPlaceFor(group, needed if is_value else card_words.needed_thing(card))
            return TooFewPlaces(group, card_words.share(card, card.low))
        return self._broken(card.instances, named)

    def _broken(self, instances: Sequence[GroundRule], named: Sequence[int]) -> Sentence:
        """Return that the first of some rules is broken, or the part of it that is."""
        first = instances[0]
        if first.rule_part is not None:
            return PartAt(first.rule_part.broken, self.card_words.rule(first).where)
        name = self.card_words.rule_names(instances, named)[0]
        clue = self.card_words.clue(self.card_words.rule(first))
        if isinstance(name, TheClue):
            return ClueBroken(name.clue)
        if isinstance(name, RuleName) and clue:
            return ClueBroken(clue, name.rule)
        return RuleBroken(name)

    def _too_many(self, card: Card, named: Sequence[int] = ()) -> Sentence:
        card_words = self.card_words
        group = card_words.group(card)
        if card.card_type is CardType.CELL:
            return TwoValues(group)
        needed = card_words.needed(card, card.high)
        if card.card_type is CardType.VALUE and needed:
            return HasTwice(group, needed)
        if needed and card_words.has_name(card) and card.high > 0:
            return HasTooMany(group, needed)
        return self._broken(card.instances, named)

    def _either_way(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        card_words = self.card_words
        opened = deduction.base[0]
        branches: list[Sentence] = []
        for chain in deduction.chains:
            assumed = card_words.facts([chain.assumed])
            lines = tuple(map(self.line, filter(self._is_told, chain.lines)))
            if not lines:
                lines = (LineOfChain(card_words.facts(literals)),)
            branches.append(BranchLeads(assumed, lines))
        choices = card_words.alternatives(opened.literals)
        rule = self._name_and_group(opened.card)
        return EitherWay(choices, rule, tuple(branches), card_words.facts(literals))

    def _search(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        instances = deduction.instances
        names = {instance.origin.rule for instance in instances}
        rules = self.card_words.names(instances) if len(names) <= FEW_RULES else ""
        return SearchRefutes(self.card_words.facts(literals), rules)


def _is_word(values: Iterable[Value]) -> bool:
    """Return whether all values are letters."""
    return all(isinstance(value, str) and len(value) == 1 for value in values)


def _by_rules(facts: str, rules: tuple[Sentence, ...], given: str) -> Sentence:
    """Return that facts follow from rules; a clue that was told before comes first."""
    if len(rules) == 1 and isinstance(rules[0], TheClue):
        return ClueSays(rules[0].clue, facts, given)
    return FollowsByRule(facts, rules, given)


def _all_lines(chain: ForcingChain) -> Iterator[Line]:
    """Yield the lines of a chain and of its branches, without the contradictions."""
    yield from chain.lines
    for branch in chain.branches:
        yield from _all_lines(branch)


def _inside(name: Sentence) -> Sentence:
    """Return the name of a rule, or of a part of it, as it stands in parentheses."""
    if not isinstance(name, RuleName):
        return name
    return RuleInside(name.rule, name.where)


def _of_them(number: int) -> str:
    return number_word(number) if number else "none"


def _added(values: Iterable[object]) -> str:
    """Return numbers that are added: `1+2`."""
    return "+".join(map(str, values))


def _together(values: Sequence[object]) -> str:
    """Return numbers that stand together: `1 and 2`, `1·2·6`."""
    texts = list(map(str, values))
    return and_list(texts) if len(texts) < 3 else "·".join(texts)


def _literals_of(cards: Iterable[OpenCard]) -> list[int]:
    return [literal for opened in cards for literal in opened.literals]


def _values(cards: Iterable[OpenCard]) -> list[str]:
    return [value_text(opened.card.value) for opened in cards if opened.card.value is not None]
