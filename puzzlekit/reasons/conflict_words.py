"""Contradictions in words: what is broken where an assumption leads no further."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from puzzlekit.reasons.arrangements import FEW_ROWS, arrangements, differences_from_target
from puzzlekit.reasons.deductions import Card, CardType, Deduction, Line, SumGroup
from puzzlekit.reasons.instances import Area, GroundRule
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.places import value_text
from puzzlekit.reasons.step_context import FEW_GIVEN, StepWords, inside
from puzzlekit.sentences import (
    CannotAddUp,
    ClueBroken,
    ClueMissed,
    EquationOf,
    GraphBroken,
    GraphReason,
    HasBeside,
    HasTooMany,
    HasTwice,
    LineCouldOnlyBe,
    NoneHolds,
    NoPlaceFor,
    NoPlaceLeftFor,
    NoRoomFor,
    NoValueLeft,
    OtherwiseBroken,
    PartAt,
    RuleBroken,
    RuleName,
    Sentence,
    TooFewPlaces,
    TooFewValues,
    TwoValues,
    WouldBreak,
    and_list,
    as_neighbours,
    missing,
    number_word,
    or_list,
    with_ranges,
)


class ConflictWords(StepWords):
    """Puts contradictions into words."""

    def guard(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return that a condition for a count that cannot be met does not hold."""
        is_over = not deduction.base
        card = (*deduction.base, *deduction.cover)[0].card
        conflict = self.guarded(card, is_over, card.guard)
        if conflict is None:
            conflict = self._too_many(card) if is_over else self._too_few(card)
        return OtherwiseBroken(self._card_words.facts(literals), conflict)

    def conflict(self, line: Line, named: Sequence[int]) -> Sentence:
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
                names = self._card_words.rule_names([source], without_familiar=True)
                rule = inside(names[0]) if names else ""
                if line.graph_reason is GraphReason.CLOSES_SMALL_LOOP:
                    closing = [*line.parents, *named]
                    where = self._vertex_words.small_loop(line.graph_reason, assumed, closing)
                    return GraphBroken(where, rule)
                return GraphBroken(line.graph_reason.about(1), rule)
            equation = self._context.equation(source, assumed)
            if equation:
                denials = list(filter(self._board.is_denial, line.parents))
                facts = self._card_words.facts(denials or line.parents)
                return RuleBroken(facts, EquationOf(equation))
            breach = self._card_words.breach([source])
            return self._broken([source, *line.instances], named, assumed, breach=breach)
        if source.derivation is not None:
            return self._too_few(source.group_card, named, assumed, line.parents)
        if line.packed is not None:
            return self._no_room(source, line.packed, line)
        if self.is_over(source, line.parents):
            return self._too_many(source, named, assumed)
        if self._context.is_of_area(source):
            area = self._area_left(source, line.parents)
            return self._area_words.conflict(GraphReason.ROOM, area)
        return self._too_few(source, named, assumed, line.parents)

    def is_over(self, card: Card, parents: Iterable[int]) -> bool:
        """Return whether more literals of a card hold than it allows, if some literals do; else
        too few can hold.
        """
        parents = set(parents)
        if not parents.isdisjoint(card.literals):
            return True
        holding = {*self._displayed, *self._board.consequences(parents)}
        number = sum(each in holding for each in card.literals)
        return card.guard != TRUE and number > card.high

    def guarded(self, card: Card, is_over: bool, named: int = TRUE) -> Sentence | None:
        """Return that a count has too many or too few where its guard is true; None if it is not
        about the cells beside the guard.

        Args:
            card: The card.
            is_over: Whether it has too many.
            named: A literal that the sentence names before.
        """
        cell = self._context.guarded_cell(card)
        if not cell:
            return None
        subject = "it" if named == card.guard else cell
        return HasBeside(subject, as_neighbours(self.number_beside(card, is_over)))

    def number_beside(self, card: Card, is_over: bool) -> str:
        """Return how many things are beside a cell, if they are too many or too few."""
        if is_over:
            return self._card_words.needed(card, card.high + 1)
        if card.low == 1:
            return f"no {self._card_words.thing(card)[0]}"
        return f"fewer than {self._card_words.needed(card, card.low)}"

    def _not_reached(self, group: SumGroup, assumed: Collection[int]) -> Sentence:
        """Return that a sum cannot be reached, and which sums can, if it is beyond all of them."""
        trail = {*self._displayed, *assumed}
        literals = self._card_words.literals
        differences = differences_from_target(group.instances, literals, trail)
        if not differences:  # values that differ are too few
            differences = differences_from_target(group.instances[:1], literals, trail)
        name = self._card_words.sum_name(group)
        numbers = missing(group.total, differences)
        if not numbers and name.startswith(f"the {group.total} "):
            return ClueBroken(name)
        remaining = [self._context.last_value(each, assumed) for each in group.unknowns]
        facts = self._card_words.facts(filter(None, remaining))
        total = "" if numbers else str(group.total)
        return CannotAddUp(name, numbers, total, facts)

    def _area_left(self, card: Card, denials: Collection[int]) -> Area:
        """Return the area whose cells a card counts, with the room that denials leave for it."""
        possible = [each for each in card.literals if -each not in self._context.before]
        room = sum(-each not in denials for each in possible)
        return Area(card.literals, card.low, room, card.instances[0])

    def _no_room(self, card: Card, packed: Card, line: Line) -> Sentence:
        card_words = self._card_words
        if any(map(card_words.is_choice, card.literals)):
            return self._option_words.none_left(card)
        gone = {-parent for parent in line.parents}
        is_open = [each for each in self._context.open_literals(card) if each in packed.literals]
        remaining = [each for each in is_open if each not in gone]
        positions = card_words.position_list(remaining)
        group = card_words.group(card)
        trail = {*self._displayed, *line.parents}
        needed = card_words.needed(card, card.low) or str(card.low)
        needed = self._still_needed(card, needed, trail)
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
        card_words = self._card_words
        group = card_words.group(card)
        if any(map(card_words.is_choice, card.literals)):
            return self._option_words.none_left(card)
        guarded = self.guarded(card, is_over=False)
        if guarded is not None:
            return guarded
        if card.card_type is CardType.CELL:
            return NoValueLeft(group)
        if card_words.is_everywhere(card):
            return NoPlaceLeftFor(value_text(card.value))
        if card.card_type is CardType.VALUE and not self._context.are_cells(card.literals):
            return NoneHolds(card_words.denied_of_all(card.literals))
        needed = card_words.needed(card, card.low)
        if needed and (card.card_type is CardType.VALUE or card_words.has_name(card)):
            if card.card_type is CardType.VALUE or card.low == 1:
                is_value = card.card_type is CardType.VALUE
                return NoPlaceFor(group, needed if is_value else card_words.needed_thing(card))
            return self._lacks_places(card, (*named, *parents))
        denials = [-literal for literal in card.literals]
        breach = card_words.breach_of_card(card, is_over=False)
        return self._broken(card.instances, named, assumed, denials, breach)

    def lacks_places(self, card: Card) -> TooFewPlaces | None:
        """Return that a card has too few places, without those that are left; None if what it
        counts has no name.
        """
        if not self._card_words.thing(card)[0] or not self._card_words.has_name(card):
            return None
        return TooFewPlaces(
            self._card_words.group(card), f"its {self._card_words.share(card, card.low)}"
        )

    def _lacks_places(self, card: Card, assumed: Collection[int]) -> TooFewPlaces:
        """Return which places a group has left after some literals, and what it needs."""
        card_words = self._card_words
        group = card_words.group(card)
        trail = {*self._displayed, *assumed}
        needed = self._still_needed(card, card_words.share(card, card.low), trail)
        open_literals = self._context.open_literals(card)
        remaining = [each for each in open_literals if trail.isdisjoint((each, -each))]
        positions = self._context.few_positions(remaining)
        if not remaining:
            return TooFewPlaces(group, needed, "has no place left")
        if not positions or not assumed:
            return TooFewPlaces(group, needed)
        return TooFewPlaces(group, needed, f"has only {positions} left")

    def _still_needed(self, card: Card, needed: str, trail: Collection[int]) -> str:
        """Return what a group needs besides what it has: `its two mines`, or `another mine`."""
        true = sum(each in trail for each in card.literals)
        if not true:
            return f"its {needed}"
        singular, plural = self._card_words.thing(card)
        missing = card.low - true
        return f"another {singular}" if missing == 1 else f"{number_word(missing)} more {plural}"

    def _broken(
        self,
        instances: Sequence[GroundRule],
        named: Sequence[int],
        assumed: Collection[int],
        literals: Sequence[int] = (),
        breach: str = "",
    ) -> Sentence:
        """Return that the first of some rules is broken, or the part of it that is.

        Args:
            instances: The rules.
            named: The literals that were told before.
            assumed: The literals that were assumed, and that follow from it, which it needs.
            literals: What breaks it, if that is not just these.
            breach: What would be so, in the words of the type.
        """
        card_words = self._card_words
        first = instances[0]
        if first.rule_part is not None:
            where = card_words.where(card_words.rule(first))
            return PartAt(first.rule_part.broken, where)
        clue = card_words.clue(card_words.rule(first))
        if clue:
            name = card_words.rule_names(instances, named)[0]
            rule = name.rule if isinstance(name, RuleName) else ""
            trail = {*self._displayed, *assumed}
            further = self._line_rows.with_cards(first)
            differences = differences_from_target(further, card_words.literals, trail)
            number = clue.split()[1]
            numbers = ""
            if number.isdecimal() and 0 not in differences:
                numbers = missing(int(number), differences)
            if numbers:
                return ClueMissed(clue, numbers, rule, self._rows_left(first, further, trail))
            group, values = self._line_rows.crowded(first, trail)
            if group:
                cells = with_ranges(list(map(card_words.unknown_text, group)))
                return TooFewValues(and_list(cells), and_list(list(map(value_text, values))))
            return ClueBroken(clue, rule)
        if breach:
            return WouldBreak(breach)
        is_said = {*named[-len(literals) :]} == {*literals}
        breach = "" if is_said else card_words.would_be(literals)
        if breach:
            rules = card_words.rule_names(instances[:1], literals, without_familiar=True)
            if not rules:
                return WouldBreak(breach)
            return WouldBreak(breach, inside(rules[0]))
        opposite = named[:1]  # of the conclusion, which the sentence begins with
        literals = [each for each in literals if each not in opposite] or literals
        facts = card_words.facts(literals)
        if not facts or len(card_words.positions(literals)) > FEW_GIVEN:
            about = {each for each in (named or assumed) if abs(each) in first.scope}
            facts = card_words.counted_facts(sorted(about, key=abs) or named or assumed)
        return RuleBroken(facts, card_words.rule_names(instances, named)[0])

    def _rows_left(
        self, first: GroundRule, further: Sequence[GroundRule], trail: Collection[int]
    ) -> Sentence | None:
        """Return the rows of values that rules leave to a line; None if they are many.

        Args:
            first: The rule that is broken.
            further: This and the others.
            trail: The literals that are known to be true.
        """
        line = self._card_words.line(first)
        others = [each for each in further if each is not first]
        if not line or not others:
            return None
        remaining = arrangements(others, self._card_words.literals, trail)
        if remaining is None or not 0 < len(remaining.rows) <= FEW_ROWS:
            return None
        rows = self._card_words.rows(first, remaining.unknowns, remaining.rows)
        return LineCouldOnlyBe(line, or_list(sorted(rows)))

    def _too_many(
        self, card: Card, named: Sequence[int] = (), assumed: Collection[int] = ()
    ) -> Sentence:
        card_words = self._card_words
        group = card_words.group(card)
        guarded = self.guarded(card, is_over=True)
        if guarded is not None:
            return guarded
        if card.card_type is CardType.CELL:
            return TwoValues(group)
        breach = card_words.breach_of_card(card, is_over=True)
        if breach:
            return WouldBreak(breach)
        needed = card_words.needed(card, card.high)
        are_cells = card.card_type is CardType.VALUE and self._context.are_cells(card.literals)
        if are_cells and needed:
            return HasTwice(group, needed)
        if needed and card_words.has_name(card) and card.high > 0:
            return HasTooMany(group, needed)
        trail = {*self._displayed, *assumed}
        true = [literal for literal in card.literals if literal in trail]
        return self._broken(card.instances, named, assumed, true)
