"""Looks at areas in words: what they reach, what would be cut off, which numbers they have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from puzzlekit.reasons.card_words import ALL, CardWords, merged
from puzzlekit.reasons.deductions import Exclusion
from puzzlekit.reasons.instances import Area
from puzzlekit.reasons.places import value_text
from puzzlekit.sentences import (
    AreJoined,
    ButNot,
    CornerOfBoard,
    FollowsByExclusion,
    FollowsFromArea,
    GraphReason,
    HasRoom,
    IsComplete,
    IsCutOff,
    NeedsIt,
    NoneCanContain,
    NoOtherRoom,
    NothingLeftFor,
    NotReached,
    OtherwiseBroken,
    RoomThere,
    Sentence,
    TheLine,
    ThingsAround,
    Touches,
    ValuesAt,
    Without,
    WouldMake,
    WouldNeed,
    and_list,
    number_word,
    with_ranges,
)

MOST_CELLS = 4  # of an area, or ranges of cells, which are named
FEW_CELLS = 2  # ranges of cells, which are named rather than the corner of the board


class AreaWords:
    """Puts looks at areas into words."""

    def __init__(self, card_words: CardWords) -> None:
        self._card_words = card_words

    def can_name(self, area: Area) -> bool:
        """Return whether an area has cells with unknowns of the type, by which it is named."""
        return bool(self._positions(area))

    def step(
        self,
        facts: str,
        graph_reason: GraphReason,
        area: Area,
        literals: Sequence[int],
        is_rest: bool = False,
    ) -> Sentence:
        """Return that facts follow from a look at an area.

        Args:
            facts: The facts in words.
            graph_reason: Why.
            area: The area.
            literals: The facts.
            is_rest: Whether the facts say which values are left, rather than which are struck.
        """
        reason = self.reason(graph_reason, area, literals)
        if isinstance(reason, RoomThere) and is_rest:
            return FollowsFromArea(facts, self._room_there(area, "any other number"))
        if isinstance(reason, Without | NeedsIt):
            return OtherwiseBroken(facts, self.conflict(graph_reason, area, facts))
        if isinstance(reason, NoOtherRoom):
            return FollowsFromArea(facts, NoOtherRoom(self._name_after(facts, area)))
        return FollowsFromArea(facts, reason)

    def _name_after(self, facts: str, area: Area) -> str:
        """Return what an area is called after facts, which may have named it."""
        name, _ = self._name(area)
        return name.partition(" at ")[0] if name in facts else name

    def none_can_contain(self, facts: str, noun: str, is_single: bool) -> Sentence:
        """Return that cells belong to nothing, as nothing can contain them."""
        return FollowsFromArea(facts, NoneCanContain(noun, "it" if is_single else "them"))

    def complete(self, facts: str, names: Sequence[str]) -> Sentence:
        """Return that facts follow as areas are complete, by their names."""
        verb = "is" if len(names) == 1 else "are"
        return FollowsFromArea(facts, IsComplete(merged(names), verb))

    def exclusion(self, exclusion: Exclusion, literals: Sequence[int]) -> Sentence:
        """Return that literals hold since all else is excluded."""
        facts = self._card_words.facts(literals)
        given = self._but_not(exclusion.facts) or self._card_words.facts(exclusion.facts)
        if not exclusion.areas:
            return FollowsByExclusion(facts, given)
        complete: list[Area] = []
        far: list[Area] = []
        for graph_reason, area in exclusion.areas:
            is_complete = graph_reason is GraphReason.COMPLETE
            (complete if is_complete else far).append(area)
        reasons = []
        if complete:
            names, is_several = self._names(complete)
            conclusion = IsComplete(names, "are" if is_several else "is")
            if not far and self._is_about(exclusion.facts, complete):
                # What it has beside the cell is clear then.
                return FollowsFromArea(facts, conclusion)
            reasons.append(str(conclusion))
        if far and self._is_about(exclusion.facts, far):
            # its cells are needed to reach the one beside
            reasons.append(str(NothingLeftFor(self._name_after(given, far[0]))))
        elif far:
            reasons.append(str(self.not_reached(far, literals)))
        return FollowsByExclusion(facts, given, and_list(reasons))

    def _but_not(self, literals: Sequence[int]) -> str:
        """Return that a cell belongs to an area and another one does not, in short; empty if two
        facts say something else.
        """
        facts = list(map(self._card_words.literals.fact, literals))
        if [fact.value for fact in facts] != [True, False]:
            return ""
        if len(self._belongs_to(literals)) > 1:
            return ""
        cell = self._card_words.position_text(literals[1])
        return str(ButNot(self._card_words.facts(literals[:1]), cell))

    def _is_about(self, literals: Sequence[int], areas: Sequence[Area]) -> bool:
        """Return whether literals say of an only area what belongs to it."""
        belongs_to = self._belongs_to(literals)
        return len(areas) == 1 and belongs_to == self._belongs_to(areas[0].literals)

    def _belongs_to(self, literals: Iterable[int]) -> set[tuple[str, Any]]:
        """Return to what literals say that cells belong, or do not."""
        facts = map(self._card_words.literals.fact, literals)
        return {self._card_words.words.area(fact.unknown) for fact in facts}

    def not_reached(self, areas: Sequence[Area], literals: Sequence[int]) -> Sentence:
        """Return that areas do not reach the cells of literals; of one area, with how many cells it
        would.
        """
        names, _ = self._names(areas)
        lengths = self._lengths(areas[0], literals) if len(areas) == 1 else []
        if not lengths:
            return NotReached(names, "it" if len(literals) == 1 else "them")
        number = str(min(lengths))
        return WouldNeed(names, number if len(set(lengths)) == 1 else f"{number} or more")

    def _lengths(self, area: Area, literals: Iterable[int]) -> list[int]:
        """Return how many cells an area would have with each cell of literals; none if it has no
        way to one of them.
        """
        if area.lengths is None:
            return []
        cells = {self._card_words.cell(each) for each in literals}
        lengths = {self._card_words.cell(each): n for each, n in area.lengths().items()}
        return [lengths[cell] for cell in cells] if lengths.keys() >= cells else []

    def _names(self, areas: Sequence[Area]) -> tuple[str, bool]:
        """Return what areas are called, and whether that is plural."""
        names = [self._name(area) for area in areas]
        is_several = len(names) > 1 or names[0][1]
        return merged([name for name, _ in names]), is_several

    def reason(self, graph_reason: GraphReason, area: Area, literals: Sequence[int]) -> Sentence:
        """Return why facts follow from a look at an area."""
        pronoun = "it" if len(literals) == 1 else "them"
        match graph_reason:
            case GraphReason.CUT_OFF:
                return IsCutOff("it" if len(literals) == 1 else "they", "would be")
            case GraphReason.TOO_FAR:
                return self.not_reached([area], literals)
            case GraphReason.COMPLETE:
                name, is_several = self._name(area)
                return IsComplete(name, "are" if is_several else "is")
            case GraphReason.TOO_LARGE:
                return WouldMake(self._cells(area), self._many(area))
            case GraphReason.NO_ROOM:
                return self._room_there(area, "it" if len(literals) == 1 else "they")
            case GraphReason.ROOM if area.room == area.size:
                return NoOtherRoom(self._name(area)[0])
            case GraphReason.ROOM:
                name, is_several = self._name(area)
                return NeedsIt(name, "need" if is_several else "needs", pronoun)
            case _:
                return Without(pronoun, self.conflict(graph_reason, area))

    def _room_there(self, area: Area, numbers: str) -> Sentence:
        """Return how much room numbers would have."""
        is_named = 1 < area.room <= MOST_CELLS
        cells = self._cells(area) if is_named else ""
        return RoomThere(numbers, self._room(area), cells, self._touching(area))

    def _touching(self, area: Area) -> str:
        """Return which cell an area cannot have, as it touches another one."""
        if not area.touching:
            return ""
        cell = self._card_words.position_text(area.touching[0])
        return str(Touches(cell, self._name(Area(area.touching[1:]))[0]))

    def conflict(self, graph_reason: GraphReason, area: Area, facts: str = "") -> Sentence:
        """Return what is wrong with an area, after facts."""
        match graph_reason:
            case GraphReason.ROOM:
                verb = "have" if self._name(area)[1] else "has"
                return HasRoom(self._name_after(facts, area), verb, self._room(area))
            case GraphReason.TOO_LARGE:
                return AreJoined(self._many(area), self._cells(area))
            case _:
                return self._is_cut_off(area)

    def _is_cut_off(self, area: Area) -> Sentence:
        """Return that an area is cut off: its cells, or if they are many, its corner."""
        line = self._card_words.line_text(area.literals)
        if line:
            return IsCutOff(str(TheLine(line)), "is")
        cells = with_ranges(self._positions(area))
        if len(cells) > FEW_CELLS:
            extent = set(map(self._card_words.cell, area.extent))
            corner = self._card_words.words.only_corner(extent)
            if corner:
                return IsCutOff(str(CornerOfBoard(corner)), "is")
        if len(cells) > MOST_CELLS:
            _, things = self._card_words.things(area.literals)
            first = self._positions(area)[0]
            named = ThingsAround(things or "cells", first)
            return IsCutOff(str(named), "are")
        verb = "is" if self._number(area) == 1 else "are"
        return IsCutOff(and_list(cells), verb)

    def _name(self, area: Area) -> tuple[str, bool]:
        """Return what an area is called: its clue, its number or its cells; and whether that is
        plural.
        """
        if area.source is not None:
            clue = self._card_words.clue(self._card_words.rule(area.source))
            if clue:
                return clue, False
        is_several = self._number(area) > 1
        value = self._value(area)
        if not value:
            return self._cells(area), is_several
        values = f"{value}s" if is_several else value
        return str(ValuesAt(values, self._cells(area))), is_several

    def _positions(self, area: Area) -> list[str]:
        """Return where the unknowns of the type are that an area is about."""
        facts = self._card_words.visible_facts(area.literals)
        return list(dict.fromkeys(self._card_words.unknown_text(fact.unknown) for fact in facts))

    def _number(self, area: Area) -> int:
        return len(self._positions(area))

    def _cells(self, area: Area) -> str:
        """Return the cells of an area."""
        return and_list(with_ranges(self._positions(area)), ALL)

    def _value(self, area: Area) -> str:
        """Return the value that all cells of an area have; empty if they have truths."""
        facts = self._card_words.visible_facts(area.literals)
        values = {fact.value for fact in facts if not isinstance(fact.value, bool)}
        return value_text(values.pop()) if len(values) == 1 else ""

    def _many(self, area: Area) -> str:
        """Return how many cells have the value of an area."""
        return f"{number_word(area.room)} {self._value(area)}s"

    def _room(self, area: Area) -> str:
        """Return how many cells there are for an area."""
        return f"{number_word(area.room)} {'cell' if area.room == 1 else 'cells'}"
