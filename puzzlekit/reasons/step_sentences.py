"""The sentence of a step: one for each pattern."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from puzzlekit.boards import Cell, Side
from puzzlekit.model import Value, Variable
from puzzlekit.reasons.area_words import AreaWords
from puzzlekit.reasons.arrangements import FEW_ROWS, LineRows, differences_from_target
from puzzlekit.reasons.card_words import ALL, CardWords, merged, word_of
from puzzlekit.reasons.causes import Causes
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
from puzzlekit.reasons.instances import Area, GroundRule
from puzzlekit.reasons.literals import TRUE, ValueLiteral
from puzzlekit.reasons.marks import Marks
from puzzlekit.reasons.option_words import OptionWords
from puzzlekit.reasons.places import are_beside, spaced, value_text
from puzzlekit.reasons.runs import ends_of_run
from puzzlekit.reasons.vertex_words import VertexWords
from puzzlekit.sentences import (
    AllExclude,
    AllInOneGroup,
    AndSo,
    AsRejected,
    BecauseOf,
    BranchLeads,
    CannotAddUp,
    CellOfSum,
    CellsAddUp,
    ChoicesBreak,
    ClueBroken,
    ClueMissed,
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
    HasBeside,
    HasTooMany,
    HasTwice,
    HiddenSet,
    LastOpenCell,
    LineCanOnlyBe,
    LineOfChain,
    LongChain,
    LongTrial,
    NakedSet,
    NeedAllIn,
    NeedsBeside,
    NeedsOneInEach,
    NoneHolds,
    NoneLeft,
    NoOtherPlace,
    NoOtherWay,
    NoPlaceFor,
    NoPlaceLeftFor,
    NoRoomFor,
    NothingElseThere,
    NoValueLeft,
    NowhereElse,
    OneOfMany,
    OneOfThese,
    OneOfTwoPlaces,
    OnlyCandidates,
    OnlyOneLeft,
    OnlyOneLeftFor,
    OnlyPlaceBeside,
    OnlyPlaceBetween,
    OnlyPlaceForValue,
    OnlyPlaceIn,
    OnlyPlaceOf,
    OnlyPosition,
    OnlyValue,
    OnlyValueBeside,
    OthersArePlaced,
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
    TooFewValues,
    TwoValues,
    UniqueRectangle,
    WasOneOf,
    WithChoices,
    WithStrikers,
    WouldLeaveNone,
    WouldRuleOut,
    and_list,
    counted,
    missing,
    number_word,
    or_list,
    with_pronoun,
    with_ranges,
)

FEW_REMAINING = 4  # values of a cell that are told rather than those that are struck
FEW_GIVEN = 4  # facts that a rule is told with
SEEN_AT_ONCE = 2  # literals of a familiar rule, which a chain does not name
FEW_MEMBERS = 6  # of a group of things that are no cells, which are named
SEVERAL_CLOSED = 2  # members of a group that have a value, which are not named
FEW_CHOICES = 3  # that a cell had before a chain
MANY_REMAINING = 7  # values of a cell, beyond which those that are struck are told
FEW_RULES = 4  # that a search is told with
LONGEST_TOLD = 2  # lines of a chain that are told in the sentence, and not below it
FEW_PLACES = 3  # cells or rectangles, where places are named
FEW_STRUCK = 3  # unknowns whose struck values are told, if many values are left
MANY_STRUCK = 16  # positions that are struck, beyond which they are only counted


Maker = Callable[[Deduction, tuple[int, ...]], Sentence]

AT_VERTICES = (Pattern.INCOMING_LINE, Pattern.VERTEX_COUNT, Pattern.VERTEX_COUNTS)
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
        self, card_words: CardWords, board: Marks, causes: Causes, has_runs: bool = False
    ) -> None:
        """Prepare the sentences.

        Args:
            card_words: The words of cards.
            board: The board as it is displayed before the step that is told.
            causes: Why values are excluded on it.
            has_runs: Whether each value lies beside the next one.
        """
        self.card_words = card_words
        self.option_words = OptionWords(card_words)
        self._board = board
        self._displayed = board.trail
        self._causes = causes
        self.line_rows = LineRows(card_words, board)
        self._vertex_words = VertexWords(card_words, self._displayed)
        self._area_words = AreaWords(card_words)
        self._before: Collection[int] = ()
        self._opposite: tuple[int, ...] = ()  # what is new by the deduction itself
        self._instances: Sequence[GroundRule] = ()
        self._reasons: Sequence[int] = ()
        self._lines_of_rejections: dict[int, list[int]] = {}  # by choice
        self._has_runs = has_runs
        self._single_values: set[Variable] = set()  # unknowns that are told their value
        self._chain_literals: set[int] = set()  # of the chain that is told
        self._strikers: set[Card] = set()  # counts that lines of a chain have named
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
        self._makers[Pattern.UNIQUE_RECTANGLE] = self._unique_rectangle
        self._makers.update(dict.fromkeys(AT_VERTICES, self._vertex_words.counts))
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
        self._before = before
        self._single_values.clear()
        self._strikers.clear()
        literal_facts = map(self.card_words.literals.fact, consequences)
        self._settled = {fact.unknown: fact.value for fact in literal_facts if fact.positive}
        self._opposite = literals
        if consequences and self.card_words.decide(consequences, literals):
            literals, consequences = tuple(consequences), ()
        self._instances, self._reasons = instances, reasons
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
            was = self._were(consequences) if _is_about_areas(deduction) else None
            sentence = AndSo(sentence, self.card_words.facts(consequences), was)
        for opened in (*deduction.base, *deduction.cover):
            derivation = opened.card.derivation
            if derivation is not None:
                note = self._derivation(opened.card, derivation)
                if note is not None:
                    sentence = BecauseOf(note, sentence)
        return sentence

    def cells_spoken_of(self, deduction: Deduction, literals: Iterable[int]) -> Iterator[Cell]:
        """Yield the cells of the clues that a sentence names, and then those of the unknowns."""
        for instance in _instances_in_order(deduction):
            for _, index in self.card_words.rule(instance).clues:
                if isinstance(index, Cell):
                    yield index
        for fact in self.card_words.visible_facts(literals):
            position = self.card_words.words.position(fact.unknown)
            if isinstance(position, Side):
                yield position.cell

    def _conclusion(self, literals: Iterable[int]) -> str:
        """Return what is new, as clauses; of many, some are only counted, as they are drawn, and
        many things that take several cells are not named if they are struck.
        """
        facts = self.card_words.visible_facts(literals)
        if not facts:
            return self.card_words.facts(literals)
        struck = [fact for fact in facts if fact.value is (not fact.positive)]
        most = MANY_STRUCK if self._are_cells(literals) else FEW_STRUCK
        words = self.card_words.words
        if len(struck) <= most:
            return words.facts(facts, ALL)
        placed = [fact for fact in facts if fact not in struck]
        texts = [words.facts(placed, ALL), words.facts(struck, ALL, counted_from=most + 1)]
        return and_list(list(filter(None, texts)))

    def _elsewhere(self, literals: Collection[int], groups: str) -> str:
        """Return what is struck in the groups of a cover; of many facts, only that it is all."""
        positions = with_ranges(self.card_words.positions(literals))
        if len(positions) > FEW_STRUCK:
            return str(NowhereElse(groups))
        return self._conclusion(literals)

    def _rejected(self, rejections: Iterable[Deduction]) -> tuple[Sentence, ...]:
        """Return why choices are rejected, those for like reasons together."""
        by_type: dict[type[Sentence], dict[int, Sentence]] = {}
        self._lines_of_rejections.clear()
        for rejection in rejections:
            for chain in rejection.chains:
                if chain.contradiction is not None:
                    conflict = self._conflict(chain.contradiction, [chain.assumed])
                    by_type.setdefault(type(conflict), {})[chain.assumed] = conflict
                    lines = [literal for line in chain.lines for literal in line.literals]
                    self._lines_of_rejections[chain.assumed] = lines
        return tuple(map(self._rejection, by_type.values()))

    def _rejection(self, conflicts: Mapping[int, Sentence]) -> Sentence:
        """Return to which contradictions choices lead, which are alike."""
        options = self.option_words.options(conflicts)
        missing = [each for each in conflicts.values() if isinstance(each, NoneLeft)]
        if missing:
            groups = dict.fromkeys(conflict.group for conflict in missing)
            lines = [self._lines_of_rejections[each] for each in conflicts]
            facts = self.card_words.facts(lines[0]) if len(lines) == 1 and lines[0] else ""
            return WouldLeaveNone(options, missing[0].noun, or_list(list(groups)), facts)
        broken = [each.rule for each in conflicts.values() if isinstance(each, RuleBroken)]
        if broken:
            return ChoicesBreak(options, or_list(list(dict.fromkeys(map(str, broken)))))
        texts = dict.fromkeys(map(str, conflicts.values()))
        return WithChoices(options, or_list(list(texts)))

    def _sentence(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        if deduction.exclusion is not None:
            facts = self.card_words.facts(literals)
            return self._area_words.exclusion(facts, deduction.exclusion, len(literals) == 1)
        premises = self._instances, self._reasons
        of_choices = self.option_words.sentence(deduction, literals, *premises)
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
        if deduction.pattern in (Pattern.NO_PLACE_NEARBY, Pattern.NO_PLACE_LEFT):
            return self._guard(deduction, literals)
        return self._rule(deduction, literals)

    def _unique_rectangle(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        assert deduction.rectangle is not None
        corners, values = deduction.rectangle
        of = self.card_words.literals.of
        positions = self.card_words.positions([of(corner, values[0]) for corner in corners])
        return UniqueRectangle(
            self.card_words.facts(literals),
            and_list(list(map(value_text, values))),
            and_list(sorted(positions)),
        )

    # Singles --------------------------------------------------------------------------------------

    def _last_place(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        card = deduction.base[0].card
        if self.card_words.is_everywhere(card):
            return self._only_place(literals, value_text(card.value))
        group = self.card_words.group(card)
        facts = self.card_words.facts(literals)
        if self._are_cells(literals):
            return LastOpenCell(facts, group)
        if len(card.literals) > FEW_MEMBERS:
            group = ""
        return LastOpenCell(facts, group, "one")

    def _hidden_single(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        card = deduction.base[0].card
        value = "" if card.value is None else value_text(card.value)
        facts = self.card_words.facts(literals)
        if self.card_words.is_everywhere(card) and self._has_runs:
            return self._only_place(literals, value)
        group = "" if self.card_words.is_everywhere(card) else self.card_words.group(card)
        closed = [each for each in card.literals if each not in literals]
        if group and not self._are_cells(literals):
            return OnlyOneLeftFor(facts, self._closed_facts(closed), self._because_of(closed))
        # a reader sees what placed values strike
        rules = self._causes.rules(closed, by_values=False)
        if len(rules) != 1:
            return OnlyPlaceIn(facts, value, group)
        because = self.card_words.rule_names(rules, without_familiar=True)
        return OnlyPlaceIn(facts, value, group, because)

    def _because_of(self, excluded: Sequence[int]) -> tuple[Sentence, ...]:
        """Return the names of the rules about two unknowns by which literals are excluded."""
        rules = self._causes.rules(excluded)
        return self.card_words.rule_names(rules, without_familiar=True) if rules else ()

    def _closed_facts(self, closed: Iterable[int]) -> str:
        """Return what excludes literals: other values of their unknowns, or only that they do not
        hold.
        """
        placed: list[int] = []
        denials: list[int] = []
        for literal in closed:
            unknown = self.card_words.literals.fact(literal).unknown
            values = [each for each in self._literals_of(unknown) if each in self._displayed]
            placed += values
            denials += [] if values else [-literal]
        if len(placed) < SEVERAL_CLOSED or not denials:
            return self.card_words.facts((*denials, *placed))
        facts = self.card_words.facts(denials)
        return str(OthersArePlaced(facts))

    def _literals_of(self, unknown: Variable) -> list[int]:
        return self.card_words.literals.of_all(unknown)

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

    def _were(self, literals: Sequence[int]) -> Sentence | None:
        """Return the few values that an unknown had, of which one is left; None if they are many,
        or about several unknowns.
        """
        facts = list(map(self.card_words.literals.fact, literals))
        if len(facts) != 1 or isinstance(facts[0].value, bool):
            return None
        values = self.card_words.literals.of_all(facts[0].unknown)
        open_values = [each for each in values if -each not in self._displayed]
        if not 1 < len(open_values) <= FEW_CHOICES:
            return None
        open_facts = map(self.card_words.literals.fact, open_values)
        return WasOneOf(or_list([value_text(fact.value) for fact in open_facts]))

    def _areas_to_contain(self, instances: Iterable[GroundRule]) -> str:
        """Return what cells may belong to by some rules, such as `island`; empty if these are about
        something else.
        """
        memberships = self._board.memberships
        cards = [self._board.cards[number] for number in memberships.cards]
        rules = {instance.origin.rule for card in cards for instance in card.instances}
        if not rules.issuperset(instance.origin.rule for instance in instances):
            return ""
        names = {self.card_words.words.keys[unknown][0] for unknown in memberships.unknowns}
        return spaced(min(names, default=""))

    def _only_candidates(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        noun = self._areas_to_contain(deduction.instances)
        if noun:
            facts = self.card_words.facts(literals)
            return self._area_words.none_can_contain(facts, noun, len(literals) == 1)
        if self._has_runs and len(literals) == 1:
            fact = self.card_words.literals.fact(literals[0])
            return self._only_place(literals, value_text(fact.value))
        covering = self.option_words.only_covering(literals, deduction.instances)
        if covering is not None:
            if self._vertex_words.covers_cells(literals):
                return covering
            cells = and_list([thing.cell for thing in covering.things], ALL)
            return NoOtherWay(self.card_words.facts(literals), cells)
        rules = self.card_words.rule_names(deduction.instances)
        return OnlyCandidates(self.card_words.facts(literals), rules)

    def _naked_single(self, _: Deduction, literals: tuple[int, ...]) -> Sentence:
        facts = self.card_words.facts(literals)
        if len(literals) > 1:
            return OnlyValue(facts)
        (literal,) = literals
        unknown = self.card_words.literals.fact(literal).unknown
        excluded = [each for each in self._literals_of(unknown) if each != literal]
        given = self._causes.facts(excluded)
        because = self._because_of(excluded)
        if not given and because:
            return FollowsByRule(facts, because)
        if not given:
            return OnlyValue(facts)
        return OnlyValueBeside(facts, self.card_words.facts(given), because)

    def _no_other_place(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        card = deduction.base[0].card
        if len(deduction.base) == 1 and self._is_of_area(card):
            return self._only_growth(card, literals)
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

    def _only_growth(self, card: Card, literals: Sequence[int]) -> Sentence:
        """Return that an area whose cells a card counts can only grow at some cells."""
        facts = self.card_words.facts(literals)
        area = Area(card.literals, card.low, card.low, card.instances[0])
        return self._area_words.step(facts, GraphReason.ROOM, area, literals)

    def _last_chance(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        at_cell = self._vertex_words.count_step(deduction, literals)
        if at_cell is not None:
            return at_cell
        cards = [opened.card for opened in (*deduction.base, *deduction.cover)]
        if deduction.base and len(cards) == 1 and self._is_of_area(cards[0]):
            return self._only_growth(cards[0], literals)
        if deduction.base and len(cards) == 1 and cards[0].card_type is CardType.COUNT:
            needed = self.card_words.needed(cards[0], cards[0].low)
            if needed and self.card_words.has_name(cards[0]):
                group = self.card_words.group(cards[0])
                its_share = self.card_words.share(cards[0], cards[0].low)
                return NoOtherPlace(self.card_words.facts(literals), group, its_share)
        if self._has_runs and deduction.base and literals[0] in cards[0].literals:
            value = value_text(self.card_words.literals.fact(literals[0]).value)
            return self._only_place(literals, value)
        cell = self._guarded_cell(cards[0])
        if cell and deduction.base and len(cards) == 1 and literals[0] in cards[0].literals:
            needed = self._needed_beside(cards[0])
            noun = "place left" if len(literals) == 1 else "places left"
            return OnlyPlaceBeside(self.card_words.facts(literals), noun, needed, cell)
        instances = [instance for card in cards for instance in card.instances]
        if deduction.base and self._is_last_of(cards[0], deduction):
            facts = self.card_words.facts(literals)
            others = [each for each in cards[0].literals if each not in literals]
            closed = self.card_words.facts(-each for each in others)
            return OnlyPosition(facts, with_pronoun(closed, facts))
        covering = self.option_words.only_covering(literals, instances) if deduction.base else None
        if covering is not None and self._vertex_words.covers_cells(literals):
            return covering
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
        if not closed or len(closed) < len(deduction.reasons):
            return False
        facts = map(self.card_words.literals.fact, card.literals)
        return all(self.card_words.words.is_one_of_several(fact.unknown) for fact in facts)

    def _given(self, deduction: Deduction) -> str:
        """Return the facts from which something follows, if they are few."""
        reasons = dict.fromkeys(map(self._settling, deduction.reasons))
        facts = self.card_words.visible_facts(reasons)
        placed = [each for each in facts if each.positive]
        if len(placed) != len(facts) or len(facts) > FEW_GIVEN:
            return ""
        text = self.card_words.words.facts(facts, ALL)
        rules = self.card_words.rules_at_start(deduction.reasons)
        return str(LineOfChain(text, rules)) if rules else text

    def _rule(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return what a rule says that has no cards."""
        if deduction.pattern is Pattern.VERTEX:
            sentence = self._vertex_words.step(deduction, literals)
            if sentence is not None:
                return sentence
        graph_reason, area = deduction.graph_reason, deduction.area
        if graph_reason is not None and area is not None and self._area_words.can_name(area):
            facts = self._of_area(deduction, literals)
            return self._area_words.step(facts, graph_reason, area, literals)
        line = self._line(deduction, literals)
        if line is not None:
            return line
        given = self._given(deduction)
        is_told = bool(given) or deduction.graph_reason is not None
        if deduction.graph_reason is None:
            rules = self._rules_of_line(deduction, is_told)
        else:
            rules = self.card_words.rule_names(deduction.instances, without_familiar=is_told)
        if deduction.graph_reason is not None:
            dead_end = self._vertex_words.dead_end(deduction)
            if dead_end is not None:
                return FollowsFromGraph(self.card_words.facts(literals), dead_end, ())
            reason = deduction.graph_reason.about(len(literals))
            return FollowsFromGraph(self.card_words.facts(literals), reason, rules)
        line = self._line(deduction, literals)
        if line is not None:
            return line
        of_run = self._one_of_two_places(deduction, literals)
        return of_run or _by_rules(self._remaining(literals), rules, given)

    def _one_of_two_places(self, deduction: Deduction, literals: Sequence[int]) -> Sentence | None:
        """Return why a value of a run is at one of two cells: at the other one, no number would fit
        at the first; None if it is something else.
        """
        unknowns = {self.card_words.literals.fact(each).unknown for each in literals}
        if not self._has_runs or len(unknowns) != 1 or len(literals) < SEVERAL_CLOSED:
            return None
        (unknown,) = unknowns
        if unknown not in self._settled:
            return None
        value = self._settled[unknown]
        instances = {instance.number for instance in deduction.instances}
        for card in self._board.cards:
            if card.value != value or instances.isdisjoint(each.number for each in card.instances):
                continue
            open_literals = self._board.open_literals(card)
            if len(open_literals) == SEVERAL_CLOSED:
                here, there = sorted(
                    map(self.card_words.unknown_text, map(self._unknown, open_literals)),
                    key=lambda text: text != self.card_words.unknown_text(unknown),
                )
                facts = self._remaining(literals)
                return OneOfTwoPlaces(value_text(value), here, there, facts)
        return None

    def _unknown(self, literal: int) -> Variable:
        return self.card_words.literals.fact(literal).unknown

    def _line(self, deduction: Deduction, literals: Sequence[int]) -> Sentence | None:
        """Return the rows of values that a rule leaves to a line, if they are few."""
        card_words = self.card_words
        remaining = self.line_rows.row_list(deduction)
        if remaining is None:
            return None
        first = deduction.instances[0]
        line = card_words.line(first)
        if len(remaining.rows) <= FEW_ROWS:
            rows = or_list(card_words.rows(first, remaining.unknowns, remaining.rows))
        elif card_words.are_letters(remaining.unknowns):
            rows = str(OneOfMany(len(remaining.rows), "words"))
        else:
            return None
        given = self._fixed_letters(first) or self._given(deduction)
        strikes = self.line_rows.struck_by_clues(first, remaining)
        if strikes and not given:
            given = and_list([self._struck_by_clue(*strike) for strike in strikes])
        rules: tuple[Sentence, ...] = ()
        if not card_words.are_letters(remaining.unknowns):
            rules = self._rules_of_line(deduction, bool(given))
        facts = self._remaining(literals)
        if len(remaining.rows) == 1:
            facts = ""
            self._single_values.update(remaining.unknowns)
        if len(rules) == 1 and isinstance(rules[0], TheClue):
            clue = rules[0].clue
            if clue == line:
                clue = ""
            return LineCanOnlyBe(line, rows, clue, given, (), facts)
        return LineCanOnlyBe(line, rows, "", given, rules, facts)

    def _struck_by_clue(self, denial: int, instance: GroundRule) -> str:
        """Return what does not hold, and the clue or the rule that says so."""
        rule = self.card_words.rule(instance)
        because = self.card_words.clue(rule) or rule.rule
        return str(LineOfChain(self.card_words.facts([denial]), because))

    def _rules_of_line(self, deduction: Deduction, is_told: bool) -> tuple[Sentence, ...]:
        """Return the names of the rules of a deduction; those that it is joined with only if they
        were not told yet, and without where they are.
        """
        first, *joined = deduction.instances
        cards = self.line_rows.with_cards(first)
        if not joined or not set(cards).issuperset(joined):
            return self.card_words.rule_names(deduction.instances, without_familiar=is_told)
        rules = self.card_words.rule_names([first])
        name = self.card_words.new_names(joined)
        return (*rules, RuleName(name)) if name else rules

    def _fixed_letters(self, instance: GroundRule) -> str:
        """Return the letters of a word that stand on the board, if there are few."""
        fixed = []
        for unknown in word_of(instance):
            for literal, value in zip(self._literals_of(unknown), self._domain(unknown)):
                if literal in self._displayed:
                    fixed.append(ValueLiteral(unknown, value))
        if len(fixed) > FEW_GIVEN:
            return ""
        return self.card_words.words.facts(dict.fromkeys(fixed), ALL)

    def _domain(self, unknown: Variable) -> Sequence[Value]:
        return self.card_words.literals.domains[unknown]

    def _of_area(self, deduction: Deduction, literals: Sequence[int]) -> str:
        """Return what follows from a look at an area: of struck values, perhaps what is left."""
        if deduction.graph_reason is GraphReason.NO_ROOM and len(literals) > 1:
            return self._remaining(literals)
        in_order = sorted(literals, key=lambda literal: str(self.card_words.cell(literal)))
        return self.card_words.facts(in_order)

    def _guard(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return that a condition for a count that cannot be met does not hold."""
        is_over = not deduction.base
        card = (*deduction.base, *deduction.cover)[0].card
        conflict = self._guarded(card, is_over, card.guard)
        if conflict is None:
            conflict = self._too_many(card) if is_over else self._too_few(card)
        return OtherwiseBroken(self.card_words.facts(literals), conflict)

    def _guarded(self, card: Card, is_over: bool, named: int = TRUE) -> Sentence | None:
        """Return that a count has too many or too few where its guard is true; None if it is not
        about the cells beside the guard.

        Args:
            card: The card.
            is_over: Whether it has too many.
            named: A literal that the sentence names before.
        """
        cell = self._guarded_cell(card)
        if not cell:
            return None
        subject = "it" if named == card.guard else cell
        if is_over:
            return HasBeside(subject, self.card_words.needed(card, card.high + 1))
        if card.low == 1:
            return HasBeside(subject, f"no {self.card_words.thing(card)[0]}")
        return HasBeside(subject, f"fewer than {self.card_words.needed(card, card.low)}")

    def _needed_beside(self, card: Card) -> str:
        """Return what a card needs, with its article or its number."""
        if card.low == 1:
            return self.card_words.needed_thing(card)
        return self.card_words.needed(card, card.low)

    def _guarded_cell(self, card: Card) -> str:
        """Return the cell of the guard of a card that counts things beside that cell; empty for
        another card.
        """
        cell = self.card_words.cell(card.guard)
        if cell is None or not self.card_words.thing(card)[0]:
            return ""
        counted_cells = map(self.card_words.cell, card.literals)
        are_all = all(each is not None and are_beside(cell, each) for each in counted_cells)
        return str(cell) if are_all else ""

    def _remaining(self, literals: Sequence[int]) -> str:
        """Return what is left where values are struck, or that they are struck."""
        card_words = self.card_words
        literals = [each for each in literals if card_words.visible_facts([each])]
        facts = card_words.visible_facts(literals)
        placed = {fact.unknown for fact in facts if fact.positive}
        if all(fact.unknown in placed for fact in facts):
            return self._conclusion(literals)
        struck = self._board.consequences(literals)
        is_one_value = len({fact.value for fact in facts}) == 1
        by_values: dict[str, dict[Variable, ValueLiteral]] = {}
        widely: dict[Variable, list[int]] = {}  # where many values are left, what is struck
        for literal, fact in zip(literals, facts):
            if fact.unknown in placed:
                continue
            values = self._values_left(fact.unknown, struck)
            if not values:
                return self._conclusion(literals)
            text = card_words.values_text(fact.unknown, values)
            if len(values) > FEW_REMAINING and is_one_value:
                widely.setdefault(fact.unknown, []).append(literal)
            else:
                by_values.setdefault(text, {})[fact.unknown] = fact
            if len(values) == 1:
                self._single_values.add(fact.unknown)
        clauses = []
        if placed:
            settled = (fact for fact in facts if fact.positive)
            clauses.append(card_words.words.facts(settled, ALL))
        for remaining, of_unknowns in by_values.items():
            clauses.append(card_words.words.remaining(of_unknowns.values(), remaining))
        if widely:
            denials = [literal for group in widely.values() for literal in group]
            clauses.append(self._conclusion(denials))
        return and_list(clauses, ALL)

    def _values_left(self, unknown: Variable, struck: Collection[int]) -> list[Value]:
        """Return the values that an unknown may have after some are struck."""
        if unknown in self._settled:
            return [self._settled[unknown]]
        literals = self.card_words.literals
        remaining = [
            each
            for each in literals.of_all(unknown)
            if -each not in self._displayed and -each not in struck
        ]
        return [literals.fact(literal).value for literal in remaining]

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
            if len(group.unknowns) == 1:
                return self._rest_of_sums(group.derivation, group.total, facts)
            opened = [each for each in group.unknowns if self._value_before(each) is None]
            conclusion: Sentence = CellsAddUp(cells, str(group.total), alternatives, facts)
            if len(opened) == 1:
                conclusion = CellOfSum(facts, cells, str(group.total))
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
        if self.card_words.has_name(card):
            return self.card_words.group(card)
        if self.card_words.has_clue(card):
            rule = self.card_words.rule(card.instances[0])
            return self.card_words.clue(rule)
        names = map(_inside, self.card_words.rule_names(card.instances))
        return and_list(list(map(str, names)), ALL)

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
        card = deduction.cover[0].card
        group = ""
        if self._are_cells(card.literals):
            group = card_words.group(card)
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
        card_words = self.card_words
        chain = deduction.chains[0]
        has_several = bool(chain.alternatives)
        facts = card_words.facts(literals) if has_several else self._conclusion(literals)
        assumed = card_words.alternatives(chain.assumptions)
        self._chain_literals = set(_literals_of_chain(chain))
        conflict = self.conflict(chain)
        if chain.length == 0:
            rules = self._rules_of_conflict(deduction)
            rules = "" if isinstance(conflict, WithStrikers) else rules
            ruled_out = self._ruled_out(deduction, facts, rules)
            if ruled_out is not None:
                return ruled_out
            closed = "" if rules else self._closed_places(deduction)
            if closed and isinstance(conflict, RuleBroken):
                return OtherwiseChain(facts, (LineOfChain(closed),), conflict.rule, "but")
            if isinstance(conflict, RuleBroken) and conflict.facts == assumed:
                return FollowsByRule(facts, card_words.rule_names(deduction.instances))
            return OtherwiseBroken(facts, conflict, rules)
        told_lines = list(filter(self._is_told, self._settled_lines(_all_lines(chain))))
        below = len(self.lines(chain)) - 1
        count = counted(below - 1 if conflict else below, "line")
        self._strikers.clear()
        if deduction.pattern is Pattern.TRIAL:
            return LongTrial(assumed, count, conflict, facts)
        is_opposite = {*self._opposite} <= {-each for each in chain.assumptions}
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

    def _ruled_out(self, deduction: Deduction, facts: str, rules: str) -> Sentence | None:
        """Return that assumptions rule out the few places that a group has for what it needs; None
        if they do not, or if the places are many.

        Args:
            deduction: The deduction, whose chains have no lines.
            facts: What it concludes.
            rules: The rules that are told with it.
        """
        contradiction = deduction.chains[0].contradiction
        if contradiction is None or not isinstance(contradiction.source, Card):
            return None
        card, card_words = contradiction.source, self.card_words
        positions = self._few_positions(self._open_literals(card))
        is_denied = all(map(self._board.is_denial, deduction.literals))
        is_told = isinstance(self.conflict(deduction.chains[0]), NoPlaceFor | NoPlaceLeftFor)
        if not is_denied or not positions or not is_told or card.low != 1:
            return None
        group, needed = card_words.group(card), card_words.needed(card, 1)
        where = f"that {group} has for {card_words.needed_thing(card)}"
        if card_words.is_everywhere(card):
            where = f"for {needed}"
        elif card.card_type is CardType.VALUE:
            where = f"for {needed} in {group}"
        subject = "it" if len(deduction.literals) == 1 else "each"
        noun = "place" if len(self._open_literals(card)) == 1 else "places"
        return WouldRuleOut(facts, subject, positions, where, rules, noun)

    def _few_positions(self, remaining: Sequence[int]) -> str:
        """Return where some literals are; empty if they are many, or not at cells."""
        positions = with_ranges(self.card_words.positions(remaining))
        if len(positions) > FEW_PLACES or not self._are_cells(remaining):
            return ""
        return and_list(positions, ALL)

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

    def _settled_lines(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Yield the lines of a chain, where what settles to what a cell belongs, or that it belongs
        to nothing, is told as that.
        """
        decided: set[int] = set()
        for line in lines:
            decided.update(line.literals)
            literals = dict.fromkeys(
                self._settled_by(literal, decided) for literal in line.literals
            )
            yield replace(line, literals=tuple(literals))

    def _settled_by(self, literal: int, decided: Collection[int]) -> int:
        """Return what a literal leaves of the things to which its cell may belong, with those that
        are decided; the literal itself if that is not a single one.
        """
        board = self._board
        for number in board.memberships.cards.intersection(board.cards_of.get(-literal, ())):
            literals = board.cards[number].literals
            possible = (each for each in literals if -each not in self._before)
            remaining = [each for each in possible if -each not in decided]
            if len(remaining) == 1:
                return remaining[0]
        return literal

    def _settling(self, literal: int) -> int:
        """Return to what a cell belongs, or that it belongs to nothing, instead of to what it does
        not belong; the literal itself if that is not known.
        """
        board = self._board
        if board.is_elimination(literal):
            for number in board.memberships.cards.intersection(board.cards_of.get(-literal, ())):
                for each in board.cards[number].literals:
                    if each in board.trail:
                        return each
        return literal

    def _is_told(self, line: Line) -> bool:
        """Return whether a line of a chain says something of unknowns of the type."""
        return bool(self.card_words.visible_facts(line.literals))

    def _rules_of_conflict(self, deduction: Deduction) -> str:
        """Return the rules that strike the positions of a contradiction, but not its own rule."""
        contradiction = deduction.chains[0].contradiction
        assert contradiction is not None
        if contradiction.area is not None:
            return ""
        hidden: set[str] = set()
        for card in (contradiction.source, contradiction.packed):
            if isinstance(card, Card):
                hidden |= {instance.origin.rule for instance in card.instances}
        instances = [each for each in deduction.instances if each.origin.rule not in hidden]
        return self.card_words.new_names(instances)

    def lines(self, chain: ForcingChain, depth: int = 0) -> list[ToldLine]:
        """Return all lines of a chain, which is this deep in branches."""
        if depth == 0:
            self._strikers.clear()
            self._chain_literals = set(_literals_of_chain(chain))
        assumed = Supposed(self.card_words.alternatives(chain.assumptions))
        lines = [ToldLine(depth, assumed, chain.assumptions)]
        told_lines = filter(self._is_told, self._settled_lines(chain.lines))
        lines += [ToldLine(depth, self.line(line), line.literals) for line in told_lines]
        if chain.split is not None:
            choices = self.card_words.alternatives(chain.split.literals)
            choice = LineOfChain(f"either {choices}", self._name_and_group(chain.split.card))
            lines.append(ToldLine(depth, choice, chain.split.literals))
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
        """Return why a line of a chain follows, and which clues had to have all for that."""
        reason = self._reason(line)
        return self._with_strikers(reason, line) if reason else reason

    def _with_strikers(self, reason: str | Sentence, line: Line) -> str | Sentence:
        """Return a reason or a contradiction with the clues that strike without a word what it
        needs; what is seen of a shape needs no such words.
        """
        if line.graph_reason is not None:
            return reason
        card_words = self.card_words
        clues = []
        for card in line.strikers:
            clue = card_words.clue(card_words.rule(card.instances[0]))
            is_new = card is not line.source and card not in self._strikers
            if clue and is_new and clue not in str(reason):
                its_share = card_words.share(card, card.high)
                clues.append(str(GroupHasAll(clue, its_share or "number")))
        if line.literals:
            self._strikers.update(line.strikers)
        return WithStrikers(reason, and_list(list(dict.fromkeys(clues)), ALL)) if clues else reason

    def _reason(self, line: Line) -> str | Sentence:
        """Return why a line of a chain follows."""
        card_words = self.card_words
        source = line.source
        if isinstance(source, SumGroup):
            name = card_words.sum_name(source)
            return SumOf(name) if name == card_words.sum_cells(source) else name
        at_vertex = self._vertex_words.reason(line)
        if at_vertex is not None:
            return at_vertex
        if not isinstance(source, Card):
            graph_reason, area = line.graph_reason, line.area
            if graph_reason is not None and area is not None and self._area_words.can_name(area):
                return self._area_words.reason(graph_reason, area, line.literals)
            if line.graph_reason is not None:
                return line.graph_reason.about(len(line.literals))
            return self._rule_of_line([source])
        if self.option_words.is_tie(source):
            return self.option_words.none_covers(source, line.literals)
        if source.card_type is CardType.CELL:
            open_values = [each for each in source.literals if -each not in self._displayed]
            if not 1 < len(open_values) <= FEW_CHOICES:
                return NothingElseThere()
            values = [card_words.literals.fact(each).value for each in open_values]
            texts = list(map(value_text, values))
            others = [each for each in open_values if each not in line.literals]
            return WasOneOf(or_list(texts), self._where_taken(others))
        is_placed = line.literals[0] in source.literals
        cell = self._guarded_cell(source)
        if is_placed and self._is_of_area(source):
            area = Area(source.literals, source.low, source.low, source.instances[0])
            return self._area_words.reason(GraphReason.ROOM, area, line.literals)
        if cell and is_placed:
            return NeedsBeside(cell, self._needed_beside(source))
        if cell and -line.literals[0] in source.literals:
            return HasBeside(cell, card_words.needed(source, source.high))
        if source.card_type is CardType.VALUE and is_placed:
            if card_words.is_everywhere(source):
                return OnlyPlaceForValue(value_text(source.value))
            if not self._are_cells(source.literals):
                return OnlyOneLeft(value_text(source.value))
            return OnlyPlaceOf(card_words.group(source))
        if source.card_type is CardType.COUNT and card_words.has_name(source):
            if is_placed and card_words.needed(source, source.low):
                needed = card_words.needed(source, source.low)
                return GroupNeeds(card_words.group(source), needed)
            if not is_placed and card_words.needed(source, source.high):
                its_share = card_words.share(source, source.high)
                return GroupHasAll(card_words.group(source), its_share)
        return self._rule_of_line(source.instances)

    def _where_taken(self, excluded: Sequence[int]) -> str:
        """Return where the values of a cell stand that a chain has placed beside it; empty if that
        does not exclude all of these.
        """
        if not self._are_cells(excluded):
            return ""
        texts = []
        for literal in excluded:
            placed = self._striker_in_chain(literal)
            if placed is None:
                return ""
            fact = self.card_words.literals.fact(placed)
            texts.append(f"{value_text(fact.value)} is at {self.card_words.position_text(placed)}")
        return and_list(texts)

    def _striker_in_chain(self, literal: int) -> int | None:
        """Return a literal of the chain that excludes a value by a group with one such value."""
        for number in self._board.cards_of.get(literal, ()):
            card = self._board.cards[number]
            if card.card_type is CardType.VALUE and card.high == 1 and card.derivation is None:
                for each in card.literals:
                    if each != literal and each in self._chain_literals:
                        return each
        return None

    def _rule_of_line(self, instances: Sequence[GroundRule]) -> str | Sentence:
        """Return the rules by which a line of a chain follows; empty if they are familiar and about
        two things.
        """
        is_small = all(len(instance.scope) <= SEEN_AT_ONCE for instance in instances)
        names = self.card_words.rule_names(instances, without_familiar=is_small)
        if not names:
            return ""
        return _inside(names[0]) if len(names) == 1 else self.card_words.names(instances)

    def conflict(self, chain: ForcingChain) -> str | Sentence:
        """Return the contradiction at the end of a chain."""
        if chain.contradiction is None:
            return ""
        named = [chain.assumed, *(each for line in chain.lines for each in line.literals)]
        conflict = self._conflict(chain.contradiction, named)
        if isinstance(conflict, RuleBroken):
            return conflict
        return self._with_strikers(conflict, chain.contradiction)

    def _conflict(self, line: Line, named: Sequence[int]) -> Sentence:
        """Return a contradiction after these literals were told."""
        source = line.source
        assumed = self._board.consequences((*named, *line.parents))
        if isinstance(source, SumGroup):
            return self._not_reached(source, assumed)
        broken_vertex = self._vertex_words.conflict(line)
        if broken_vertex is not None:
            return broken_vertex
        if not isinstance(source, Card):
            graph_reason, area = line.graph_reason, line.area
            if graph_reason is not None and area is not None and self._area_words.can_name(area):
                return self._area_words.conflict(graph_reason, area)
            if line.graph_reason is not None:
                names = self.card_words.rule_names([source], without_familiar=True)
                rule = _inside(names[0]) if names else ""
                return GraphBroken(line.graph_reason.about(1), rule)
            return self._broken([source, *line.instances], named, assumed)
        if line.packed is not None:
            return self._no_room(source, line.packed, line)
        if any(parent in source.literals for parent in line.parents):
            return self._too_many(source, named, assumed)
        if self._is_of_area(source):
            area = self._area_left(source, line.parents)
            return self._area_words.conflict(GraphReason.ROOM, area)
        return self._too_few(source, named, assumed, line.parents)

    def _not_reached(self, group: SumGroup, assumed: Collection[int]) -> Sentence:
        """Return that a sum cannot be reached, and the nearest sums that can."""
        trail = {*self._displayed, *assumed}
        literals = self.card_words.literals
        differences = differences_from_target(group.instances, literals, trail)
        if not differences:  # values that differ are too few
            differences = differences_from_target(group.instances[:1], literals, trail)
        name = self.card_words.sum_name(group)
        return CannotAddUp(name, missing(group.total, differences))

    def _is_of_area(self, card: Card) -> bool:
        """Return whether a card counts the cells that belong to something with a clue."""
        if len(card.instances) != 1 or not all(map(self._board.is_membership, card.literals)):
            return False
        return bool(self.card_words.clue(self.card_words.rule(card.instances[0])))

    def _area_left(self, card: Card, denials: Collection[int]) -> Area:
        """Return the area whose cells a card counts, with the room that denials leave for it."""
        possible = [each for each in card.literals if -each not in self._before]
        room = sum(-each not in denials for each in possible)
        return Area(card.literals, card.low, room, card.instances[0])

    def _no_room(self, card: Card, packed: Card, line: Line) -> Sentence:
        card_words = self.card_words
        if any(map(card_words.is_choice, card.literals)):
            return self.option_words.none_left(card)
        gone = {-parent for parent in line.parents}
        is_open = [each for each in self._open_literals(card) if each in packed.literals]
        remaining = [each for each in is_open if each not in gone]
        positions = card_words.position_list(remaining)
        needed = card_words.needed(card, card.low) or str(card.low)
        group = card_words.group(card)
        trail = {*self._displayed, *line.parents}
        true = sum(each in trail for each in card.literals)
        if len(remaining) + true < card.low:
            return NoRoomFor(group, positions, needed)
        if not card_words.has_name(packed):
            return NoRoomFor(group, positions, needed, card_words.names(packed.instances))
        true = sum(each in trail for each in packed.literals)
        allowed = packed.high - true
        text = "none"
        if allowed:
            text = f"only {number_word(allowed)}"
        clue = card_words.group(packed)
        return NoRoomFor(group, positions, needed, "", clue, text)

    def _too_few(
        self,
        card: Card,
        named: Sequence[int] = (),
        assumed: Collection[int] = (),
        parents: Collection[int] = (),
    ) -> Sentence:
        """Return that a card has too few places left.

        Args:
            card: The card.
            named: The literals that were told before.
            assumed: The literals that were assumed, and that follow from it, which it needs.
            parents: Those of them that are about the card.
        """
        card_words = self.card_words
        group = card_words.group(card)
        if any(map(card_words.is_choice, card.literals)):
            return self.option_words.none_left(card)
        guarded = self._guarded(card, is_over=False)
        if guarded is not None:
            return guarded
        if card.card_type is CardType.CELL:
            return NoValueLeft(group)
        if card_words.is_everywhere(card):
            return NoPlaceLeftFor(value_text(card.value))
        if card.card_type is CardType.VALUE and not self._are_cells(card.literals):
            return NoneHolds(card_words.denied_of_all(card.literals))
        needed = card_words.needed(card, card.low)
        if needed and (card.card_type is CardType.VALUE or card_words.has_name(card)):
            if card.card_type is CardType.VALUE or card.low == 1:
                is_value = card.card_type is CardType.VALUE
                return NoPlaceFor(group, needed if is_value else card_words.needed_thing(card))
            return self._lacks_places(card, (*named, *parents))
        denials = [-literal for literal in card.literals]
        return self._broken(card.instances, named, assumed, denials)

    def _lacks_places(self, card: Card, assumed: Collection[int]) -> TooFewPlaces:
        """Return which places a group has left after some literals, and what it needs."""
        card_words = self.card_words
        group = card_words.group(card)
        needed = f"its {card_words.share(card, card.low)}"
        trail = {*self._displayed, *assumed}
        true = sum(each in trail for each in card.literals)
        if true:
            singular, plural = card_words.thing(card)
            missing = card.low - true
            needed = f"another {singular}"
            if missing > 1:
                needed = f"{number_word(missing)} more {plural}"
        remaining = [each for each in self._open_literals(card) if trail.isdisjoint((each, -each))]
        positions = self._few_positions(remaining)
        if not remaining:
            return TooFewPlaces(group, needed, "has no place left")
        if not positions or not assumed:
            return TooFewPlaces(group, needed)
        return TooFewPlaces(group, needed, f"has only {positions} left")

    def _broken(
        self,
        instances: Sequence[GroundRule],
        named: Sequence[int],
        assumed: Collection[int],
        literals: Sequence[int] = (),
    ) -> Sentence:
        """Return that the first of some rules is broken, or the part of it that is.

        Args:
            instances: The rules.
            named: The literals that were told before.
            assumed: The literals that were assumed, and that follow from it, which it needs.
            literals: What breaks it, if that is not just these.
        """
        card_words = self.card_words
        first = instances[0]
        if first.rule_part is not None:
            where = card_words.where(card_words.rule(first))
            return PartAt(first.rule_part.broken, where)
        name = card_words.rule_names(instances, named)[0]
        clue = card_words.clue(card_words.rule(first))
        if clue:
            rule = name.rule if isinstance(name, RuleName) else ""
            trail = {*self._displayed, *assumed}
            further = self.line_rows.with_cards(first)
            differences = differences_from_target(further, card_words.literals, trail)
            number = clue.split()[1]
            if number.isdecimal() and differences and 0 not in differences:
                return ClueMissed(clue, missing(int(number), differences), rule)
            group, values = self.line_rows.crowded(first, trail)
            if group:
                cells = with_ranges(list(map(card_words.unknown_text, group)))
                return TooFewValues(and_list(cells), and_list(list(map(value_text, values))))
            return ClueBroken(clue, rule)
        opposite = named[:1]  # of the conclusion, which the sentence begins with
        literals = [each for each in literals if each not in opposite] or literals
        facts = card_words.facts(literals)
        if not facts or len(card_words.positions(literals)) > FEW_GIVEN:
            about = {each for each in (named or assumed) if abs(each) in first.scope}
            facts = card_words.counted_facts(sorted(about, key=abs) or named or assumed)
        return RuleBroken(facts, name)

    def _too_many(
        self, card: Card, named: Sequence[int] = (), assumed: Collection[int] = ()
    ) -> Sentence:
        card_words = self.card_words
        group = card_words.group(card)
        guarded = self._guarded(card, is_over=True)
        if guarded is not None:
            return guarded
        if card.card_type is CardType.CELL:
            return TwoValues(group)
        needed = card_words.needed(card, card.high)
        are_cells = card.card_type is CardType.VALUE and self._are_cells(card.literals)
        if are_cells and needed:
            return HasTwice(group, needed)
        if needed and card_words.has_name(card) and card.high > 0:
            return HasTooMany(group, needed)
        trail = {*self._displayed, *assumed}
        true = [literal for literal in card.literals if literal in trail]
        return self._broken(card.instances, named, assumed, true)

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


def _instances_in_order(deduction: Deduction) -> Iterator[GroundRule]:
    """Yield the instances of rules of a deduction in the order in which they are told."""
    for opened in (*deduction.base, *deduction.cover):
        yield from opened.card.instances
    for chain in deduction.chains:
        for line in (*_all_lines(chain), chain.contradiction):
            source = None if line is None else line.source
            if isinstance(source, GroundRule):
                yield source
            elif source is not None:
                yield from source.instances
    yield from deduction.instances


def _is_about_areas(deduction: Deduction) -> bool:
    """Return whether a deduction, or the end of its chain, is a look at an area."""
    ends = [chain.contradiction for chain in deduction.chains]
    areas = [deduction.area, *(end.area for end in ends if end is not None)]
    return any(area is not None for area in areas)


def _by_rules(facts: str, rules: tuple[Sentence, ...], given: str) -> Sentence:
    """Return that facts follow from rules; a clue that was told before comes first."""
    if len(rules) == 1 and isinstance(rules[0], TheClue):
        return ClueSays(rules[0].clue, facts, given)
    return FollowsByRule(facts, rules, given)


def _literals_of_chain(chain: ForcingChain) -> Iterator[int]:
    """Yield what is assumed in a chain, and what follows."""
    yield chain.assumed
    for line in chain.lines:
        yield from line.literals
    for branch in chain.branches:
        yield from _literals_of_chain(branch)


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
