"""What the sentences of a step share: the board as a reader sees it, and what the step leaves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from puzzlekit.boards import Cell
from puzzlekit.model import Value, Variable
from puzzlekit.reasons.area_words import AreaWords
from puzzlekit.reasons.arrangements import LineRows
from puzzlekit.reasons.card_words import ALL, CardWords
from puzzlekit.reasons.causes import Causes
from puzzlekit.reasons.deductions import Card, CardType, Deduction, SumGroup
from puzzlekit.reasons.equations import equation_of
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.literals import TRUE, ValueLiteral
from puzzlekit.reasons.marks import Marks
from puzzlekit.reasons.option_words import OptionWords
from puzzlekit.reasons.places import are_beside, cells_in, is_link, value_text
from puzzlekit.reasons.ruled_out import RuledOut
from puzzlekit.reasons.vertex_words import VertexWords
from puzzlekit.sentences import (
    GroupNeeds,
    LineOfChain,
    NowhereElse,
    OnlyOpenBeside,
    RemainingSum,
    RuleInside,
    RuleName,
    Sentence,
    and_list,
    counted,
    or_list,
    with_ranges,
)

FEW_REMAINING = 4  # values of a cell that are told rather than those that are struck
FEW_GIVEN = 4  # facts that a rule is told with
FEW_PLACES = 3  # cells or rectangles, where places are named
FEW_VALUES = 2  # of a cell beside another one, which are told
FEW_STRUCK = 3  # unknowns whose struck values are told, if many values are left
MANY_STRUCK = 16  # positions that are struck, beyond which they are only counted


class StepContext:
    """The board and the words that all sentences of steps share, and the deduction that is told.

    Attributes:
        card_words: The words of cards.
        board: The board as it is displayed before the step that is told.
        displayed: The literals that are displayed on it.
        adjacent: By unknown, those of the cells beside it, where each value lies beside the next
            one; empty elsewhere.
        option_words: The words of choices.
        vertex_words: The words of lines at vertices.
        area_words: The words of areas.
        line_rows: The rows of values that are left to lines.
        before: The literals that were known when the deduction was made.
        literals: What is new by the deduction itself.
        explained: What sentences have told so far.
        settled: The last values that the step leaves, by unknown.
        single_values: The unknowns whose sentence tells that they have one value left.
    """

    def __init__(
        self,
        card_words: CardWords,
        board: Marks,
        causes: Causes,
        adjacent: Mapping[Variable, Collection[Variable]],
    ) -> None:
        self.card_words = card_words
        self.board = board
        self.displayed = board.trail
        self.adjacent = adjacent
        self.option_words = OptionWords(card_words, RuledOut(card_words, board, causes))
        self.vertex_words = VertexWords(card_words, self.displayed)
        self.area_words = AreaWords(card_words)
        self.line_rows = LineRows(card_words, board)
        self.before: Collection[int] = ()
        self.literals: tuple[int, ...] = ()
        self.explained: set[int] = set()
        self.settled: dict[Variable, Value] = {}
        self.single_values: set[Variable] = set()

    def begin(
        self, before: Collection[int], literals: tuple[int, ...], consequences: Iterable[int]
    ) -> None:
        """Begin to tell a deduction.

        Args:
            before: The literals that were known when it was made.
            literals: What is new by it.
            consequences: The last values of unknowns that this leaves.
        """
        self.before, self.literals = before, literals
        self.single_values.clear()
        facts = map(self.card_words.literals.fact, consequences)
        self.settled = {fact.unknown: fact.value for fact in facts if fact.positive}

    def conclusion(self, literals: Iterable[int]) -> str:
        """Return what is new, as clauses; of many, some are only counted, as they are drawn, and
        many things that take several cells are not named if they are struck.
        """
        facts = self.card_words.visible_facts(literals)
        if not facts:
            return self.card_words.facts(literals)
        struck = [fact for fact in facts if fact.value is (not fact.positive)]
        most = FEW_STRUCK if self._take_several_cells(literals) else MANY_STRUCK
        words = self.card_words.words
        if len(struck) <= most:
            return words.facts(facts, ALL)
        placed = [fact for fact in facts if fact not in struck]
        texts = [words.facts(placed, ALL), words.facts(struck, ALL, counted_from=most + 1)]
        return and_list(list(filter(None, texts)))

    def elsewhere(self, literals: Collection[int], groups: str) -> str:
        """Return what is struck in the groups of a cover; of many facts, only that it is all."""
        positions = with_ranges(self.card_words.positions(literals))
        if len(positions) > FEW_STRUCK:
            return str(NowhereElse(groups))
        return self.conclusion(literals)

    def remaining(self, literals: Sequence[int]) -> str:
        """Return what is left where values are struck, or that they are struck."""
        return self.remaining_or_struck(literals)[0]

    def remaining_or_struck(self, literals: Sequence[int]) -> tuple[str, bool]:
        """Return what is left where values are struck, or that they are struck, and whether it is
        only told what is left.
        """
        card_words = self.card_words
        literals = [each for each in literals if card_words.visible_facts([each])]
        facts = card_words.visible_facts(literals)
        placed = {fact.unknown for fact in facts if fact.positive}
        if all(fact.unknown in placed for fact in facts):
            return self.conclusion(literals), False
        struck = self.board.consequences(literals)
        is_one_value = len({fact.value for fact in facts}) == 1
        by_values: dict[str, dict[Variable, ValueLiteral]] = {}
        widely: dict[Variable, list[int]] = {}  # where many values are left, what is struck
        for literal, fact in zip(literals, facts):
            if fact.unknown in placed:
                continue
            values = self.values_left(fact.unknown, struck)
            if not values:
                return self.conclusion(literals), False
            text = card_words.values_text(fact.unknown, values)
            if len(values) > FEW_REMAINING and is_one_value:
                widely.setdefault(fact.unknown, []).append(literal)
            else:
                by_values.setdefault(text, {})[fact.unknown] = fact
            if len(values) == 1:
                self.single_values.add(fact.unknown)
        clauses = []
        if placed:
            settled = (fact for fact in facts if fact.positive)
            clauses.append(card_words.words.facts(settled, ALL))
        for remaining, of_unknowns in by_values.items():
            clauses.append(card_words.words.remaining(of_unknowns.values(), remaining))
        if widely:
            denials = [literal for group in widely.values() for literal in group]
            clauses.append(self.conclusion(denials))
        return and_list(clauses, ALL), not widely

    def places_of(self, number: Value) -> dict[Variable, int]:
        """Return the unknowns in runs that may have a number, each with its literal."""
        literals = self.card_words.literals
        positions = {}
        for unknown in self.adjacent:
            if number in literals.domains[unknown]:
                positions[unknown] = literals.of(unknown, number)
        return {unknown: each for unknown, each in positions.items() if -each not in self.displayed}

    def only_open_beside(
        self, literals: Iterable[int], placed: Sequence[int] = ()
    ) -> OnlyOpenBeside | None:
        """Return that too few cells are open beside a cell for the numbers before and after those
        that are struck there; None if that is not why.

        Args:
            literals: What is struck.
            placed: What holds besides what is displayed.
        """
        facts = [self.card_words.literals.fact(each) for each in literals]
        struck = [fact for fact in facts if not fact.positive]
        unknowns = {fact.unknown for fact in facts}
        if len(unknowns) != 1 or not struck or unknowns.isdisjoint(self.adjacent):
            return None
        (unknown,) = unknowns
        established = self.card_words.literals.established_value
        trail = dict.fromkeys((*self.displayed, *placed), 0)
        is_open = [each for each in self.adjacent[unknown] if established(each, trail) is None]
        if len(is_open) > 1:
            return None
        cell = self.card_words.unknown_text(unknown)
        if not is_open:
            return OnlyOpenBeside("no cell", cell)
        values = self.values_left(is_open[0], ())
        missing = [self._missing_beside(fact.value, trail) for fact in struck]
        only = f"only {self.card_words.unknown_text(is_open[0])}"
        if all(len(numbers) > 1 for numbers in missing):
            return OnlyOpenBeside(only, cell)
        if len(values) > FEW_VALUES or any(numbers.issubset(values) for numbers in missing):
            return None
        return OnlyOpenBeside(only, cell, or_list(list(map(value_text, values))))

    def _missing_beside(self, value: Value, trail: Mapping[int, int]) -> set[Value]:
        """Return the numbers before and after a number that have several places, as far as a trail
        says.
        """
        numbers: set[Value] = set()
        for number in (value - 1, value + 1) if type(value) is int else ():
            positions = self.places_of(number).values()
            if positions and not any(each in trail for each in positions):
                numbers.add(number)
        return numbers

    def given(self, deduction: Deduction) -> str:
        """Return the facts from which something follows, if they are few; nothing where a clue is
        told and the facts are lines that are drawn there.
        """
        reasons = dict.fromkeys(map(self._settling, deduction.reasons))
        facts = self.card_words.visible_facts(reasons)
        placed = [each for each in facts if each.positive]
        if len(placed) != len(facts) or len(facts) > FEW_GIVEN:
            return ""
        if self._are_drawn(facts) and self._tells_clue(deduction):
            return ""
        text = self.card_words.words.facts(facts, ALL)
        rules = self.card_words.rules_at_start(deduction.reasons)
        return str(LineOfChain(text, rules)) if rules else text

    def _are_drawn(self, facts: Iterable[ValueLiteral]) -> bool:
        """Return whether facts are lines from cell to cell, or from corner to corner."""
        position = self.card_words.words.position
        return all(fact.value is True and is_link(position(fact.unknown)) for fact in facts)

    def _tells_clue(self, deduction: Deduction) -> bool:
        """Return whether what is told is just one rule, with the clue that it is about."""
        cards = [opened.card for opened in (*deduction.base, *deduction.cover)]
        instances = [instance for card in cards for instance in card.instances]
        instances += deduction.instances
        rules = {str(self.card_words.rule(instance)): instance for instance in instances}
        return len(rules) == 1 and all(each.origin.values_in_name for each in rules.values())

    def name_and_group(self, card: Card) -> str:
        """Return where a card is counted, or the rule if that has no name."""
        if card.unknown is not None:
            return ""
        if self.card_words.has_name(card):
            return self._group_needs(card) or self.card_words.group(card)
        if self.card_words.has_clue(card):
            rule = self.card_words.rule(card.instances[0])
            return self.card_words.clue(rule)
        needs = {instance: self._need_of(instance) for instance in card.instances}
        group_needs = set(filter(None, needs.values()))
        if len(group_needs) != 1:
            return self._names(card.instances)
        names = self._names([instance for instance, need in needs.items() if not need])
        return and_list([*group_needs, *filter(None, [names])])

    def _names(self, instances: Sequence[GroundRule]) -> str:
        """Return the names of rules."""
        names = self.card_words.rule_names(instances)
        texts = [str(inside(name)) for name in names]
        return and_list(texts, ALL)

    def _need_of(self, instance: GroundRule) -> str:
        """Return what the group of a rule needs; empty if the rule does not count a group."""
        for card in self.board.cards:
            if card.instances == (instance,):
                return self._group_needs(card)
        return ""

    def _group_needs(self, card: Card) -> str:
        """Return what a group needs; empty if that cannot be said of a card."""
        card_words = self.card_words
        if card.card_type is not CardType.COUNT:
            return ""
        if not card_words.has_name(card):
            return ""
        needed = card_words.needed(card, card.low)
        if not needed:
            return ""
        group = card_words.group(card)
        return str(GroupNeeds(group, needed))

    def needed_beside(self, card: Card) -> str:
        """Return what a card needs, with its article or its number."""
        if card.low == 1:
            return self.card_words.needed_thing(card)
        return self.card_words.needed(card, card.low)

    def guarded_cell(self, card: Card) -> str:
        """Return the cell of the guard of a card that counts things beside that cell; empty for
        another card.
        """
        cell = self.card_words.cell(card.guard)
        if cell is None or not self.card_words.thing(card)[0]:
            return ""
        counted_cells = map(self.card_words.cell, card.literals)
        are_all = all(each is not None and are_beside(cell, each) for each in counted_cells)
        return str(cell) if are_all else ""

    def is_of_area(self, card: Card) -> bool:
        """Return whether a card counts the cells that belong to something with a clue."""
        if len(card.instances) != 1 or not all(map(self.board.is_membership, card.literals)):
            return False
        return bool(self.card_words.clue(self.card_words.rule(card.instances[0])))

    def are_cells(self, literals: Iterable[int]) -> bool:
        """Return whether facts are about cells."""
        facts = self.card_words.visible_facts(literals)
        return all(isinstance(self.card_words.words.position(each.unknown), Cell) for each in facts)

    def _take_several_cells(self, literals: Iterable[int]) -> bool:
        """Return whether facts are about things on several cells: no cells, lines or corners."""
        words = self.card_words.words
        positions = [
            words.position(each.unknown) for each in self.card_words.visible_facts(literals)
        ]
        things = [position for position in positions if not is_link(position)]
        return any(len(cells_in(position)) > 1 for position in things)

    def few_positions(self, remaining: Sequence[int]) -> str:
        """Return where some literals are; empty if they are many, or not at cells."""
        positions = with_ranges(self.card_words.positions(remaining))
        if len(positions) > FEW_PLACES or not self.are_cells(remaining):
            return ""
        return and_list(positions, ALL)

    def open_literals(self, card: Card) -> list[int]:
        """Return the literals of a card that are displayed to be open."""
        return [each for each in card.literals if not self._is_displayed(each)]

    def value_before(self, unknown: Variable, holding: Collection[int] = ()) -> Value | None:
        """Return the value that an unknown had when the deduction was made, or that the board or
        further literals show; None without one.
        """
        literals = self.card_words.literals
        for value, literal in zip(literals.domains[unknown], literals.of_all(unknown)):
            if literal == TRUE or literal in self.before or literal in self.displayed:
                return value
            if literal in holding:
                return value
        return None

    def rest_of_sum(self, group: SumGroup, holding: Collection[int] = ()) -> tuple[int, int]:
        """Return what the open cells of a sum add up to, and how many they are.

        Args:
            group: The sum.
            holding: Literals that hold besides what the board shows.
        """
        total, opened = group.total, 0
        weights = group.weights or (1,) * len(group.unknowns)
        for unknown, weight in zip(group.unknowns, weights):
            value = self.value_before(unknown, holding)
            if value is None:
                opened += 1
            else:
                total -= weight * int(value)
        return total, opened

    def equation(
        self, rule: GroundRule, holding: Collection[int] = (), is_derived: bool = False
    ) -> str:
        """Return the sum that a rule states as an equation, with the values that are known; empty
        if it states none of numbers with names.

        Args:
            rule: The rule.
            holding: Literals that hold besides what the board shows.
            is_derived: Whether it follows from other sums.
        """
        return equation_of(
            rule,
            self.card_words.quantity_text,
            lambda unknown: self.value_before(unknown, holding),
            is_derived,
        )

    def remaining_sum(self, group: SumGroup, total: int, number: int) -> RemainingSum:
        """Return what is left of a sum, and for how many cells, or directions from a cell."""
        if group.weights:  # of which some are added and others are not
            return RemainingSum(f"the remaining {total}")
        positions = map(self.card_words.words.position, group.unknowns)
        noun = "direction" if all(map(is_link, positions)) else "cell"
        return RemainingSum(str(total), counted(number, noun))

    def last_value(self, unknown: Variable, assumed: Collection[int]) -> int:
        """Return the only value that an assumption leaves of an unknown which had several, as a
        literal; 0 if there is none, or if it was told.
        """
        values = self.card_words.literals.of_all(unknown)
        displayed = [each for each in values if -each not in self.displayed]
        remaining = [each for each in displayed if -each not in assumed]
        is_last = len(remaining) == 1 < len(displayed) and remaining[0] not in assumed
        return remaining[0] if is_last else 0

    def values_left(self, unknown: Variable, struck: Collection[int] = ()) -> list[Value]:
        """Return the values that an unknown may have after some are struck."""
        if unknown in self.settled:
            return [self.settled[unknown]]
        literals = self.card_words.literals
        remaining = [
            each
            for each in literals.of_all(unknown)
            if -each not in self.displayed and -each not in struck
        ]
        return [literals.fact(literal).value for literal in remaining]

    def _settling(self, literal: int) -> int:
        """Return to what a cell belongs, or that it belongs to nothing, instead of to what it does
        not belong; the literal itself if that is not known.
        """
        board = self.board
        if board.is_elimination(literal):
            for number in board.memberships.cards.intersection(board.cards_of.get(-literal, ())):
                for each in board.cards[number].literals:
                    if each in board.trail:
                        return each
        return literal

    def _is_displayed(self, literal: int) -> bool:
        """Return whether a literal is displayed to be true or to be false."""
        return literal in self.displayed or -literal in self.displayed


class StepWords:
    """Words of steps, by what all sentences of steps share.

    Args:
        context: What the sentences of a step share.
    """

    def __init__(self, context: StepContext) -> None:
        self._context = context
        self._card_words = context.card_words
        self._board = context.board
        self._displayed = context.displayed
        self._option_words = context.option_words
        self._vertex_words = context.vertex_words
        self._area_words = context.area_words
        self._line_rows = context.line_rows


def inside(name: Sentence) -> Sentence:
    """Return the name of a rule, or of a part of it, as it stands in parentheses."""
    if not isinstance(name, RuleName):
        return name
    return RuleInside(name.rule, name.where)
