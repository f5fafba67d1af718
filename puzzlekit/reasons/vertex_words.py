"""What a loop does at its vertices, as sentences: why it goes on or not, and how many of its lines
a clue has there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

from puzzlekit.boards import Cell, Corner, Side, corner_name
from puzzlekit.model import Circuit, variables_of
from puzzlekit.reasons.card_words import CardWords
from puzzlekit.reasons.deductions import Card, CardType, Deduction, Line, Share
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.link_paths import closed_loop, loop_location, path_text
from puzzlekit.reasons.literals import ValueLiteral
from puzzlekit.reasons.places import cells_in, is_link
from puzzlekit.reasons.words import shared_end
from puzzlekit.sentences import (
    CannotComeBack,
    CannotGoOn,
    CannotPass,
    CountsAtVertices,
    DeadEnd,
    EndInTurn,
    GraphReason,
    LineEnd,
    LinesAtVertex,
    NoOtherWay,
    NoOtherWayAt,
    OnlyPath,
    OnlyWayFrom,
    OnlyWayOn,
    OnlyWaysFrom,
    OnlyWaysOn,
    OtherwiseBroken,
    RulePart,
    Sentence,
    SmallLoop,
    ThreeMeetAt,
    TwoMeet,
    TwoMeetAt,
    WaysOut,
    WouldEnd,
    WouldEndAt,
    WouldEndInTurn,
    and_list,
    number_word,
    the_thing,
    with_ranges,
)

MOST_CELLS = 4  # or ranges of cells, which are named


class VertexWords:
    """Puts what happens at a vertex into words.

    Args:
        card_words: The words of cards.
        displayed: The literals that are displayed; it grows from step to step.
    """

    def __init__(self, card_words: CardWords, displayed: Collection[int]) -> None:
        self.card_words = card_words
        self._displayed = displayed

    def step(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence | None:
        """Return why a loop goes on or not at a vertex; None if that is no simple case."""
        vertex = self.name(deduction.instances[0])
        facts = self.card_words.facts(literals)
        links = sum(not self._is_denial(each) for each in deduction.reasons)
        placed = sum(not self._is_denial(each) for each in literals)
        is_run = len(deduction.instances) > 1
        if is_run and placed == len(literals):
            path = self._path(deduction, literals)
            return OnlyPath(vertex, path) if path else OnlyWaysOn(vertex, facts)
        if is_run and links == 0:
            return WouldEndInTurn(facts, vertex)
        if links == placed == 1:
            line = self._line_text(deduction.reasons)
            return OnlyWayOn(facts, "" if line else vertex, line)
        if links == 2 and not placed:
            return TwoMeet(facts, vertex)
        if links == placed == 0 and len(literals) == 1:
            end = self._end(deduction.instances[0], literals)
            return WouldEnd(facts, str(end) if end else vertex)
        return None

    def _path(self, deduction: Deduction, literals: Sequence[int]) -> str:
        """Return the path of links from a vertex, by the cells at which it turns; empty if they are
        no path from cell to cell.
        """
        start = self.card_words.rule(deduction.instances[0]).vertex
        if not isinstance(start, Cell):
            return ""
        path = [start]
        for fact in self.card_words.visible_facts(literals):
            link = self.card_words.words.position(fact.unknown)
            ends = cells_in(link)
            if len(ends) != 2 or path[-1] not in ends:
                return ""
            (following,) = (end for end in ends if end != path[-1])
            path.append(following)
        return path_text(path)

    def way_through(self, deduction: Deduction, literals: Sequence[int]) -> Sentence | None:
        """Return what a rule about the links at a cell says: that they are its only ways, or that
        the loop does not pass it; None if it says something else.
        """
        if len(deduction.instances) != 1:
            return None
        if self.card_words.rule(deduction.instances[0]).names_values:
            return None
        cell = self._cell_of_links_rule(deduction.instances[0])
        if cell is None:
            return None
        facts = self.card_words.facts(literals)
        links = list(self._links_in(literals))
        if len(links) == len(literals) == 2:
            return NoOtherWay(facts, str(cell))
        cells = [self.card_words.cell(literal) for literal in literals]
        if cells != [cell]:
            return None
        has_no_links = all(map(self._is_denial, deduction.reasons))
        return OtherwiseBroken(facts, DeadEnd("it")) if has_no_links else None

    def _cell_of_links_rule(self, instance: GroundRule) -> Cell | None:
        """Return the cell that a rule is about with the links there; None if it is about something
        else.
        """
        if instance.rule_part is not None:
            return None
        facts = self.card_words.visible_facts(instance.scope)
        positions = [self.card_words.words.position(each.unknown) for each in facts]
        cell = shared_end(positions)
        has_links = any(map(is_link, positions))
        return cell if isinstance(cell, Cell) and has_links else None

    # Counts of the links at a cell ----------------------------------------------------------------

    def count_step(self, deduction: Deduction, literals: Sequence[int]) -> Sentence | None:
        """Return what a count says of the links at a cell; None if that is no simple case."""
        cards = [opened.card for opened in (*deduction.base, *deduction.cover)]
        cells = [self._cell_of_links(card) for card in cards]
        if not cells or None in cells:
            return None
        facts = self.card_words.facts(literals)
        denials = sum(map(self._is_denial, literals))
        links = {self._links_of(card, self._displayed) for card in cards}
        vertices = and_list(list(dict.fromkeys(map(str, cells))), None)
        if links == {2} and denials == len(literals):
            return TwoMeet(facts, vertices)
        missing = sum(card.low - self._links_of(card, self._displayed) for card in cards)
        if denials or len(literals) != missing:
            return None
        if links == {1} and len(cards) == 1:
            return OnlyWayOn(facts, vertices)
        return NoOtherWay(facts, vertices) if links == {0} else None

    def covers_cells(self, literals: Iterable[int]) -> bool:
        """Return whether literals are about things that cover cells, rather than links of a
        loop.
        """
        facts = self.card_words.visible_facts(literals)
        names = {self.card_words.words.keys[fact.unknown][0] for fact in facts}
        return names.isdisjoint(self._names_of_links)

    @cached_property
    def _names_of_links(self) -> set[str]:
        """The names of the unknowns that are links of a loop."""
        words = self.card_words.words
        names: set[str] = set()
        for constraint in words.puzzle.model.constraints:
            if isinstance(constraint.condition, Circuit):
                variables = variables_of(constraint.condition)
                names.update(words.keys[each][0] for each in variables if each in words.keys)
        return names

    def _cell_of_links(self, card: Card) -> Cell | None:
        """Return the cell that all links of a count share; None if it counts something else."""
        if card.high != 2 or any(map(self._is_denial, card.literals)):
            return None
        if self.covers_cells(card.literals):
            return None
        facts = self.card_words.visible_facts(card.literals)
        if len(facts) < len(card.literals):
            return None
        end = shared_end([self.card_words.words.position(fact.unknown) for fact in facts])
        return end if isinstance(end, Cell) else None

    def _links_of(self, card: Card, known_facts: Collection[int]) -> int:
        return sum(literal in known_facts for literal in card.literals)

    def _reason_of_count(self, line: Line) -> Sentence | None:
        """Return why a line of a chain follows from a count of the links at a cell."""
        card = line.source
        if not isinstance(card, Card) or card.card_type is not CardType.COUNT:
            return None
        cell = self._cell_of_links(card)
        if cell is None:
            return None
        links = self._links_of(card, {*line.parents, *self._displayed})
        denials = sum(map(self._is_denial, line.literals))
        if links == 2 and denials == len(line.literals):
            return TwoMeetAt(str(cell))
        if denials or links + len(line.literals) != card.low:
            return None
        return OnlyWayFrom(str(cell)) if links == 1 else NoOtherWayAt(str(cell))

    def _reason_at_cell(self, line: Line) -> Sentence | None:
        """Return why a line of a chain follows from a rule about a cell and the links there."""
        cell = self._cell_of_rule(line)
        if cell is None:
            return None
        facts = self.card_words.visible_facts(line.literals)
        are_links = map(self._is_about_link, facts)
        if not all(are_links):
            return None
        links = self._links_at(line)
        if any(map(self._is_denial, line.literals)):
            if links == 0 and len(facts) == 1:
                return WouldEndAt(str(cell))
            return TwoMeetAt(str(cell)) if links == 2 else None
        if links == 1:
            return OnlyWayFrom(str(cell))
        return NoOtherWayAt(str(cell)) if links == 0 else None

    def _cell_of_rule(self, line: Line) -> Cell | None:
        """Return the cell that a rule is about with the links there, from which a line of a chain
        follows; None if it is about something else.
        """
        source = line.source
        if isinstance(source, Card) and source.card_type is CardType.IMPLIED:
            source = source.instances[0]
        return self._cell_of_links_rule(source) if isinstance(source, GroundRule) else None

    def _broken_at_cell(self, line: Line) -> Sentence | None:
        """Return how a rule about a cell and the links there is broken."""
        cell = self._cell_of_rule(line)
        if cell is None:
            return None
        links = self._links_at(line)
        if links < 2:
            return DeadEnd(str(cell))
        return ThreeMeetAt(str(cell)) if links == 3 else None

    # Lines of chains ------------------------------------------------------------------------------

    def reason(self, line: Line) -> Sentence | None:
        """Return why a line of a chain follows at a vertex; None if that is no simple case."""
        instance = _instance_at_vertex(line)
        if instance is None:
            return self._reason_of_count(line) or self._reason_at_cell(line)
        if {*map(abs, line.literals)}.isdisjoint(instance.scope):
            return None  # it follows from several vertices together
        vertex, links = self.name(instance), self._links_at(line)
        placed = sum(not self._is_denial(each) for each in line.literals)
        end = self._end(instance, line.literals)
        if links == placed == 1:
            line_text = self._line_text(self._facts_at(line))
            return OnlyWayFrom("" if line_text else vertex, line_text)
        if placed == len(line.literals) > 1:
            return OnlyWaysFrom(vertex)
        if links == placed == 0 and len(line.literals) > 1:
            return EndInTurn(vertex)
        if links == 2 and not placed:
            return TwoMeetAt(vertex)
        if links == placed == 0 and len(line.literals) == 1:
            return WouldEndAt(str(end) if end else vertex)
        return None

    def conflict(self, line: Line) -> Sentence | None:
        """Return how a loop ends or forks at a vertex; None if that is no simple case."""
        instance = _instance_at_vertex(line)
        if instance is None:
            return self._broken_at_cell(line) or self._too_few_ways(line)
        vertex, links = self.name(instance), self._links_at(line)
        if links == 1:
            return CannotGoOn(vertex)
        return ThreeMeetAt(vertex) if links == 3 else None

    def dead_end(self, deduction: Deduction) -> Sentence | None:
        """Return the cells from which a loop could not come back; None if that is not why, or if
        they are many.
        """
        if deduction.graph_reason is not GraphReason.WOULD_LEAD_TO_DEAD_END:
            return None
        rules = [self.card_words.rule(instance) for instance in deduction.instances]
        cells = [str(rule.vertex) for rule in rules if isinstance(rule.vertex, Cell)]
        named = with_ranges(cells)
        if not named or len(named) > MOST_CELLS or len(cells) < len(rules):
            return None
        text = and_list(named, None)
        return CannotComeBack(text if len(cells) == 1 else f"the cells {text}")

    def small_loop(
        self, reason: GraphReason, holding: Iterable[int], closing: Sequence[int]
    ) -> Sentence:
        """Return that a loop is closed too soon, and where, if it is seen.

        Args:
            reason: That it is closed, or would be.
            holding: What holds besides what is displayed.
            closing: What closes it, as literals: at least one line of it is among them.
        """
        true_links = [*self._links_in([*self._displayed, *holding, *closing])]
        loops = [closed_loop(true_links, link) for link in self._links_in(closing)]
        loop = next(filter(None, loops), [])
        several = len(closing) if reason is GraphReason.WOULD_CLOSE_SMALL_LOOP else 1
        return SmallLoop(reason.about(several), loop_location(loop) if loop else "")

    def _is_about_link(self, fact: ValueLiteral) -> bool:
        """Return whether a fact is about a link from cell to cell, or from corner to corner."""
        position = self.card_words.words.position(fact.unknown)
        return is_link(position)

    def _links_in(self, literals: Iterable[int]) -> Iterator[Any]:
        """Yield the links that literals say to be lines of a loop."""
        for fact in self.card_words.visible_facts(dict.fromkeys(literals)):
            position = self.card_words.words.position(fact.unknown)
            if is_link(position) and fact.positive == (fact.value is True):
                yield position

    def _too_few_ways(self, line: Line) -> Sentence | None:
        """Return that a count of the links of a cell has too few of them; None for another count
        and another contradiction.
        """
        card = line.source
        if not isinstance(card, Card) or line.packed is not None:
            return None
        if card.low not in (1, 2) or not card.instances:
            return None
        if any(map(self._is_denial, card.literals)) or self.covers_cells(card.literals):
            return None
        facts = self.card_words.visible_facts(card.literals)
        position = self.card_words.words.position
        vertex = shared_end([position(fact.unknown) for fact in facts])
        is_over = any(parent in card.literals for parent in line.parents)
        if not isinstance(vertex, Cell) or len(facts) < len(card.literals):
            return None
        if is_over:
            return ThreeMeetAt(str(vertex)) if card.high == 2 else None
        known_facts = {*line.parents, *self._displayed}
        open_count = sum(-literal not in known_facts for literal in card.literals)
        if open_count == 0 and card.low == 1:
            are_links = all(map(self._is_about_link, facts))
            return CannotPass(str(vertex)) if are_links else DeadEnd(str(vertex))
        guard = self.card_words.facts([card.guard]) if card.guard in line.parents else ""
        if open_count and self.card_words.cell(card.guard) == vertex:
            return DeadEnd(str(vertex))
        number = "only one way" if open_count else "no way"
        if guard:
            return WaysOut(guard, f"with {number}")
        return WaysOut(str(vertex), f"has {number}")

    def name(self, instance: GroundRule) -> str:
        """Return the name of the vertex that a rule is about."""
        return self.card_words.where(self.card_words.rule(instance))

    def _end(self, instance: GroundRule, literals: Sequence[int]) -> LineEnd | None:
        """Return at which end of the only line that is told a corner of squares is."""
        vertex = self.card_words.rule(instance).vertex
        facts = self.card_words.visible_facts(literals)
        if len(facts) != 1 or not isinstance(vertex, Corner):
            return None
        side = self.card_words.words.position(facts[0].unknown)
        return _end_of(side, vertex) if isinstance(side, Side) else None

    def _is_denial(self, literal: int) -> bool:
        """Return whether a literal says that a truth does not hold."""
        fact = self.card_words.literals.fact(literal)
        return fact.positive == (fact.value is False)

    def _line_text(self, literals: Iterable[int]) -> str:
        """Return the only line among literals: `the line above r1c1`; empty if it is a link from
        cell to cell.
        """
        links = [each for each in literals if not self._is_denial(each)]
        return the_thing(self.card_words.facts(links))

    def _links_at(self, line: Line) -> int:
        """Return how many links of a loop a line of a chain rests on."""
        return sum(not self._is_denial(each) for each in self._facts_at(line))

    def _facts_at(self, line: Line) -> list[int]:
        """Return on what a line of a chain rests of the links at its vertex."""
        if isinstance(line.source, Card):
            return [-each for each in line.source.literals if each not in line.literals]
        assert isinstance(line.source, GroundRule)
        known_facts = {*line.parents, *self._displayed}
        return [each for each in line.source.scope if each in known_facts]

    # Counts at vertices ---------------------------------------------------------------------------

    def counts(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return what counts and vertices say of the lines that they share."""
        shares = _in_order_of_origins(deduction.shares)
        last = shares[-1]
        last_two = shares[-2:]
        if {share.literals for share in last_two} == {last.literals}:
            # a line that comes in is told, and what a clue says by itself is seen
            last_two.sort(key=lambda share: isinstance(share.source, Card))
            shares[-2:] = last_two
        statements: dict[tuple[int, ...], Sentence] = {}
        group = ""
        for share, following in pairwise(shares):
            statement = self._lines_at_vertex(share, following, last, group)
            if statement is not None:
                card = _count_of(share, following)
                group = "" if card is None else self.card_words.group(card)
                statements.pop(share.literals, None)
                statements[share.literals] = statement
        facts = self.card_words.facts(literals)
        return CountsAtVertices(tuple(statements.values()), facts)

    def _lines_at_vertex(
        self, share: Share, following: Share, last: Share, group_before: str
    ) -> Sentence | None:
        """Return how many lines a count has at a vertex; None if there is no count or no vertex.

        Args:
            share: The lines.
            following: What is said next, from the vertex if this is from the count.
            last: What is said at the end.
            group_before: What was spoken of before.
        """
        card = _count_of(share, following)
        vertex = following.source if share.source is card else share.source
        if card is None or not isinstance(vertex, GroundRule):
            return None
        group = self.card_words.group(card)
        reason = ""
        if share.source is vertex and share.arriving is not None:
            reason = "where a line comes in" if share.arriving else "which no other line reaches"
        elif following is last and vertex is last.source and self._has_line(last):
            reason = "where another one comes in"
        where = self._vertex_of(vertex, card)
        subject = "it" if group == group_before else group
        return LinesAtVertex(subject, _number_of_lines(share), where, reason)

    def _has_line(self, share: Share) -> bool:
        return any(literal in self._displayed for literal in share.literals)

    def _vertex_of(self, vertex: GroundRule, card: Card) -> str:
        """Return the name of a vertex, from the cell of a clue if it is a corner of that."""
        rule = self.card_words.rule(vertex)
        if isinstance(rule.vertex, Corner):
            for _, index in self.card_words.rule(card.instances[0]).clues:
                name = corner_name(index, rule.vertex) if isinstance(index, Cell) else ""
                if name:
                    return f"its {name} corner"
        return self.card_words.where(rule)


def _in_order_of_origins(shares: Sequence[Share]) -> list[Share]:
    """Return shares in an order where those that lead to the last one follow one another, and
    others about the same literals as the last one come just before that.
    """
    path = [shares[-1]]
    for share in reversed(shares[:-1]):
        if share.literals == path[0].origin:
            path.insert(0, share)
    aside = [share for share in shares if share not in path]
    return [*path[:-1], *aside, path[-1]]


def _end_of(side: Side, corner: Corner) -> LineEnd | None:
    """Return at which end of a side a corner of squares is."""
    first, last = side
    if corner.form != "square":
        return None
    if first.row == last.row:
        return LineEnd.LEFT if corner == first else LineEnd.RIGHT
    return LineEnd.TOP if corner == first else LineEnd.BOTTOM


def _instance_at_vertex(line: Line) -> GroundRule | None:
    """Return the part of a rule for a vertex from which a line follows; None if it is none."""
    source = line.source
    if isinstance(source, Card):
        if len(source.instances) != 1 or source.card_type is not CardType.IMPLIED:
            return None
        source = source.instances[0]
    is_at_vertex = isinstance(source, GroundRule) and source.rule_part is RulePart.AT_A_VERTEX
    return source if is_at_vertex else None  # type: ignore[return-value]


def _count_of(share: Share, following: Share) -> Card | None:
    """Return the count of a share, or else that of what is said next."""
    sources = (share.source, following.source)
    return next((source for source in sources if isinstance(source, Card)), None)


def _number_of_lines(share: Share) -> str:
    """Return how many lines there are among those of a share."""
    least, most = min(share.numbers), max(share.numbers)
    size = len(share.literals)
    if least == most == size == 2:
        return "both lines"
    if most == 0:
        return "no line"
    if least == most:
        return f"just {_lines_in_words(most)}"
    if len(share.numbers) == most - least + 1:
        is_bounded = most < size
        bound = _lines_in_words(most if is_bounded else least)
        return f"at most {bound}" if is_bounded else f"at least {bound}"
    return "both lines or none" if size == 2 else f"{least} or {most} lines"


def _lines_in_words(number: int) -> str:
    """Return a number of lines in words: `one line`."""
    return f"{number_word(number)} {'line' if number == 1 else 'lines'}"
