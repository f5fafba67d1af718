"""The lines of chains in words: what is assumed, what follows and why."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from puzzlekit.reasons.card_words import ALL
from puzzlekit.reasons.conflict_words import ConflictWords
from puzzlekit.reasons.deductions import Card, CardType, ForcingChain, Line, OpenCard, SumGroup
from puzzlekit.reasons.instances import Area, GroundRule
from puzzlekit.reasons.places import value_text
from puzzlekit.reasons.step_context import StepContext, StepWords, inside
from puzzlekit.sentences import (
    AllAreThere,
    BothWays,
    CaseFails,
    EachHasBeside,
    ElseBroken,
    EquationOf,
    GraphReason,
    GroupHasAll,
    GroupNeeds,
    HasBeside,
    LineOfChain,
    NeedsBeside,
    NothingElseThere,
    OnlyOneLeft,
    OnlyPlaceForValue,
    OnlyPlaceOf,
    OthersAreAt,
    RestOfSum,
    RuleBroken,
    Sentence,
    SumOf,
    Supposed,
    TwoLinesMeet,
    WasOneOf,
    WithStrikers,
    WouldHaveBeside,
    WouldTouchBoth,
    all_neighbours,
    and_list,
    as_neighbours,
    or_list,
)

SEEN_AT_ONCE = 2  # literals of a familiar rule, which a chain does not name
FEW_CHOICES = 3  # that a cell had before a chain
FEW_VERTICES = 2  # that are named where two lines meet


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


class ChainLines(StepWords):
    """Puts the lines of chains into words.

    Args:
        context: What the sentences of a step share.
        conflicts: The words of contradictions.
    """

    def __init__(self, context: StepContext, conflicts: ConflictWords) -> None:
        super().__init__(context)
        self._conflicts = conflicts
        self._chain_literals: set[int] = set()  # of the chain that is told
        self._assumptions: tuple[int, ...] = ()  # of that chain, any of which may hold
        self._strikers: set[Card] = set()  # counts that lines of a chain have named

    def begin(self, chain: ForcingChain) -> None:
        """Begin to tell a chain."""
        self.forget_strikers()
        self._chain_literals = set(_literals_of_chain(chain))
        self._assumptions = chain.assumptions

    def forget_strikers(self) -> None:
        """Let the next lines name the counts again that lines before them have named."""
        self._strikers.clear()

    def lines(
        self, chain: ForcingChain, depth: int = 0, closed: Sequence[ForcingChain] = ()
    ) -> list[ToldLine]:
        """Return all lines of a chain.

        Args:
            chain: The chain.
            depth: How deep it is in branches.
            closed: The chains that fail with it: itself, or if it is the last branch of a chain,
                that one, the innermost first.
        """
        if depth == 0:
            self.begin(chain)
        assumed = Supposed(self._card_words.alternatives(chain.assumptions))
        lines = [ToldLine(depth, assumed, chain.assumptions)]
        told_lines = filter(self.is_visible, self.settled_lines(chain.lines))
        lines += [ToldLine(depth, self.line(line), line.literals) for line in told_lines]
        if chain.split is not None:
            lines += self._cases(chain, chain.split, depth, closed)
        if chain.contradiction is not None:
            conflict: Sentence = LineOfChain(str(self.conflict(chain)))
            if closed:
                conflict = self._closing(conflict, chain, closed)
            lines.append(ToldLine(depth, conflict, (), self._failing(chain.contradiction)))
        return lines

    def _cases(
        self, chain: ForcingChain, split: OpenCard, depth: int, closed: Sequence[ForcingChain]
    ) -> list[ToldLine]:
        """Return the lines of the branches of a chain, after what they are; those that are the same
        in all branches once.
        """
        cases: list[list[ToldLine]] = []
        for branch in chain.branches:
            failing: tuple[ForcingChain, ...] = (branch,)
            if branch is chain.branches[-1]:
                failing = (chain, *(each for each in closed if each is not chain))
            cases.append(self.lines(branch, depth + 1, failing))
        choices = self._card_words.alternatives(split.literals)
        rule = self._context.name_and_group(split.card)
        are_alike = len({tuple(map(str, _without_ends(case))) for case in cases}) == 1
        if len(cases) > 1 and are_alike:
            choice = ToldLine(depth, BothWays(choices, rule), split.literals)
            *body, last = cases[-1][1:]
            return [choice, *body, _as_only_case(last)]
        lines = [line for case in cases for line in case]
        if _has_both_values(split):
            return lines
        choice = ToldLine(depth, LineOfChain(f"either {choices}", rule), split.literals)
        return [choice, *lines]

    def _closing(
        self, conflict: Sentence, chain: ForcingChain, closed: Sequence[ForcingChain]
    ) -> Sentence:
        """Return the contradiction at the end of a branch, and what fails with it."""
        opposites = [self._card_words.facts([-each.assumed]) for each in closed]
        if closed[0] is chain:
            return CaseFails(conflict, opposites[0])
        return CaseFails(conflict, and_list(opposites, ALL), "neither way works, so")

    def line(self, line: Line) -> LineOfChain:
        """Return a line of a chain; of many cells that are cut off, only how many they are."""
        facts = self._card_words.facts(line.literals)
        if line.graph_reason is GraphReason.CUT_OFF:
            facts = self._card_words.counted_facts(line.literals)
        return LineOfChain(facts, self._because(line))

    def conflict(self, chain: ForcingChain) -> str | Sentence:
        """Return the contradiction at the end of a chain."""
        if chain.contradiction is None:
            return ""
        lines = self.settled_lines(chain.lines)
        named = [chain.assumed, *(literal for line in lines for literal in line.literals)]
        conflict = self._conflicts.conflict(chain.contradiction, named)
        if isinstance(conflict, RuleBroken):
            return conflict
        return self._with_strikers(conflict, chain.contradiction)

    def common_conflict(self, chains: Sequence[ForcingChain]) -> str | Sentence:
        """Return the contradiction at the end of chains without lines: the same one for all, where
        different places are left after each.
        """
        conflict = self.conflict(chains[0])
        contradiction = chains[0].contradiction
        if contradiction is None or not isinstance(contradiction.source, Card):
            return conflict
        if all(str(self.conflict(chain)) == str(conflict) for chain in chains[1:]):
            return conflict
        return self._conflicts.lacks_places(contradiction.source) or conflict

    def is_visible(self, line: Line) -> bool:
        """Return whether a line of a chain says something of unknowns of the type."""
        return bool(self._card_words.visible_facts(line.literals))

    def settled_lines(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Yield the lines of a chain, where what settles to what a cell belongs, or that it belongs
        to nothing, is told as that.
        """
        decided: set[int] = set()
        settled: list[Line] = []
        for line in lines:
            decided.update(line.literals)
            literals = dict.fromkeys(
                self._settled_by(literal, decided) for literal in line.literals
            )
            settled.append(replace(line, literals=tuple(literals)))
        for position, line in enumerate(settled):
            if line.graph_reason is GraphReason.TOO_FAR:
                settled[position] = line = self._with_later_reason(line, settled, position)
            if line.literals:
                yield replace(line, literals=self._card_words.in_order(line.literals))

    def _with_later_reason(self, line: Line, lines: list[Line], position: int) -> Line:
        """Return a line without the cells that an area does not reach where a later line says that
        another one does not reach them, either; that line has the reason for both.
        """
        remaining = line.literals
        assert line.area is not None
        for later in range(position + 1, len(lines)):
            later_line = lines[later]
            if later_line.graph_reason is not GraphReason.TOO_FAR:
                continue
            cells = set(map(self._card_words.cell, later_line.literals))
            both = [each for each in remaining if self._card_words.cell(each) in cells]
            is_all = len(both) == len(cells)
            if is_all and all(map(self._board.is_elimination, both)):
                remaining = tuple(each for each in remaining if each not in both)
                further_areas = (*later_line.further_areas, line.area)
                lines[later] = replace(later_line, further_areas=further_areas)
        return replace(line, literals=remaining)

    def _settled_by(self, literal: int, decided: Collection[int]) -> int:
        """Return what a literal leaves of the things to which its cell may belong, with those that
        are decided; the literal itself if that is not a single one.
        """
        board = self._board
        for number in board.memberships.cards.intersection(board.cards_of.get(-literal, ())):
            literals = board.cards[number].literals
            possible = (each for each in literals if -each not in self._context.before)
            remaining = [each for each in possible if -each not in decided]
            if len(remaining) == 1:
                return remaining[0]
        return literal

    def _failing(self, contradiction: Line) -> tuple[int, ...]:
        """Return the literals of what has no way on."""
        source = contradiction.source
        if isinstance(source, Card):
            return source.literals
        if isinstance(source, SumGroup):
            of_all = self._card_words.literals.of_all
            return tuple(literal for unknown in source.unknowns for literal in of_all(unknown))
        return contradiction.parents

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
        card_words = self._card_words
        clues = self._full_vertices(line)
        full: dict[str, dict[str, None]] = {}  # cells by what each of them has beside it
        for card in line.strikers:
            if card.card_type is not CardType.COUNT:
                continue
            clue = card_words.clue(card_words.rule(card.instances[0]))
            cell = "" if clue else self._context.guarded_cell(card)
            is_new = card is not line.source and card not in self._strikers
            if cell and is_new and card.high > 0:
                full.setdefault(card_words.needed(card, card.high), {})[cell] = None
            if clue and is_new and clue not in str(reason):
                share = card_words.share(card, card.high) or self._option_words.noun(card)
                clues.append(str(GroupHasAll(clue, share or "number")))
        for number, cells in full.items():
            clues.append(str(_have_beside(list(cells), number)))
        if line.literals:
            self._strikers.update(line.strikers)
        return WithStrikers(reason, and_list(list(dict.fromkeys(clues)), ALL)) if clues else reason

    def _full_vertices(self, line: Line) -> list[str]:
        """Return at which vertices two lines meet, so that what a line of a chain needs is out."""
        vertices = [card for card in line.strikers if card.card_type is CardType.IMPLIED]
        new = [card for card in vertices if card not in self._strikers and card is not line.source]
        names = dict.fromkeys(self._vertex_words.name(card.instances[0]) for card in new)
        if not 0 < len(names) <= FEW_VERTICES:
            return []
        return [str(TwoLinesMeet(and_list(list(names))))]

    def _reason(self, line: Line) -> str | Sentence:
        """Return why a line of a chain follows."""
        card_words = self._card_words
        source = line.source
        if isinstance(source, SumGroup):
            return self._sum_of_line(source, line.parents)
        at_vertex = self._vertex_words.reason(line)
        if at_vertex is not None:
            return at_vertex
        if not isinstance(source, Card):
            graph_reason, area = line.graph_reason, line.area
            if graph_reason is not None and area is not None and self._area_words.can_name(area):
                if line.further_areas:
                    areas = (*line.further_areas, area)
                    return self._area_words.not_reached(areas, line.literals)
                return self._area_words.reason(graph_reason, area, line.literals)
            if line.graph_reason is GraphReason.WOULD_CLOSE_SMALL_LOOP:
                closing = [-each for each in line.literals]
                holding = self._board.consequences(line.parents)
                return self._vertex_words.small_loop(line.graph_reason, holding, closing)
            if line.graph_reason is not None:
                return line.graph_reason.about(len(line.literals))
            holding = self._board.consequences(line.parents)
            equation = self._context.equation(source, holding)
            if equation:
                return EquationOf(equation)
            breach = card_words.breach([source])
            return ElseBroken(breach) if breach else self._rule_of_line([source])
        if source.derivation is not None:
            return self._context.name_and_group(source.group_card)
        if self._option_words.is_tie(source):
            return self._option_words.none_covers(source, line.literals)
        if source.card_type is CardType.CELL:
            open_values = [each for each in source.literals if -each not in self._displayed]
            if not 1 < len(open_values) <= FEW_CHOICES:
                return NothingElseThere()
            values = [card_words.literals.fact(each).value for each in open_values]
            texts = list(map(value_text, values))
            excluded = [each for each in open_values if each not in line.literals]
            placed = self._where_taken(excluded)
            values_text = or_list(texts)
            return OthersAreAt(values_text, placed) if placed else WasOneOf(values_text)
        is_placed = line.literals[0] in source.literals
        cell = self._context.guarded_cell(source)
        if cell and line.literals == (-source.guard,):
            return self._guard_fails(source, line.parents)
        if is_placed and self._context.is_of_area(source):
            area = Area(source.literals, source.low, source.low, source.instances[0])
            return self._area_words.reason(GraphReason.ROOM, area, line.literals)
        if cell and is_placed:
            return NeedsBeside(cell, as_neighbours(self._context.needed_beside(source)))
        if cell and -line.literals[0] in source.literals:
            return HasBeside(cell, all_neighbours(card_words.needed(source, source.high)))
        if source.card_type is CardType.VALUE and is_placed:
            if card_words.is_everywhere(source):
                return OnlyPlaceForValue(value_text(source.value))
            if not self._context.are_cells(source.literals):
                return OnlyOneLeft(value_text(source.value))
            return OnlyPlaceOf(card_words.group(source))
        breach = self._breach(source, line.literals[0])
        if breach and not card_words.is_group(source) and not card_words.has_clue(source):
            return ElseBroken(breach)
        if source.card_type is CardType.COUNT and card_words.has_name(source):
            if is_placed and card_words.needed(source, source.low):
                needed = card_words.needed(source, source.low)
                return GroupNeeds(card_words.group(source), needed)
            if not is_placed and card_words.needed(source, source.high):
                its_share = card_words.share(source, source.high)
                return GroupHasAll(card_words.group(source), its_share)
        if source.card_type is CardType.COUNT and not is_placed and not breach:
            number = card_words.needed(source, source.high)
            if number and source.low > 1 and not card_words.has_clue(source):
                return AllAreThere(number)
        return ElseBroken(breach) if breach else self._rule_of_line(source.instances)

    def _guard_fails(self, card: Card, parents: Sequence[int]) -> Sentence:
        """Return why a cell is out beside which too many or too few things would be."""
        is_over = self._conflicts.is_over(card, parents)
        true = [each for each in card.literals if self._holds(each, parents)]
        positions = self._card_words.positions(true)
        if is_over and len(positions) == card.high + 1 == 2 and self._context.are_cells(true):
            return WouldTouchBoth(*positions)
        return WouldHaveBeside(as_neighbours(self._conflicts.number_beside(card, is_over)))

    def _holds(self, literal: int, parents: Sequence[int]) -> bool:
        """Return whether a literal is displayed, or holds in the chain that is told."""
        return literal in self._displayed or literal in parents or literal in self._chain_literals

    def _sum_of_line(self, group: SumGroup, parents: Sequence[int]) -> str | Sentence:
        """Return the name of a sum from which a line follows, and what is left of it."""
        name = self._card_words.sum_name(group)
        if name == self._card_words.sum_cells(group):
            return SumOf(name)
        if group.weights or not group.is_sum or len({*self._assumptions}) > 1:
            return name
        holding = (*self._assumptions, *parents)
        total, cells_left = self._context.rest_of_sum(group, holding)
        if not 1 < cells_left < len(group.unknowns):
            return name
        return RestOfSum(name, self._context.remaining_sum(group, total, cells_left))

    def _breach(self, card: Card, literal: int) -> str:
        """Return what would be so if a literal that a card implies did not hold: in the words of
        the type, or the same of a few unknowns; empty if that cannot be said.
        """
        breach = self._card_words.breach_of_card(card, is_over=-literal in card.literals)
        if breach:
            return breach
        allows_all_but_one = card.high == len(card.literals) - 1
        if -literal in card.literals and allows_all_but_one:
            return self._card_words.would_be(card.literals)
        if literal in card.literals and card.low == 1:
            denials = [-each for each in card.literals]
            return self._card_words.would_be(denials)
        return ""

    def _where_taken(self, excluded: Sequence[int]) -> str:
        """Return where the values of a cell stand that a chain has placed beside it; empty if that
        does not exclude all of these.
        """
        if not self._context.are_cells(excluded):
            return ""
        texts = []
        for literal in excluded:
            placed = self._striker_in_chain(literal)
            if placed is None:
                return ""
            value = value_text(self._card_words.literals.fact(placed).value)
            alike = self._assumptions if placed in self._assumptions else (placed,)
            texts.append(f"{or_list(self._card_words.positions(alike))} is {value}")
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
        names = self._card_words.rule_names(instances, without_familiar=is_small)
        if not names:
            return ""
        if len(names) == 1:
            return inside(names[0])
        clues = [self._card_words.clue(self._card_words.rule(each)) for each in instances]
        if all(clues):
            return and_list(list(dict.fromkeys(clues)), ALL)
        return self._card_words.names(instances)


def _have_beside(cells: Sequence[str], number: str) -> Sentence:
    """Return that cells have as many of something beside them as they may have."""
    if len(cells) == 1:
        return HasBeside(cells[0], all_neighbours(number))
    return EachHasBeside(and_list(cells), all_neighbours(number, "them", "their"))


def _without_ends(lines: Sequence[ToldLine]) -> Iterator[Sentence | str]:
    """Yield the sentences of a case, without its assumption and what follows as it fails."""
    for line in lines[1:]:
        sentence = line.sentence
        yield sentence.conflict if isinstance(sentence, CaseFails) else sentence


def _as_only_case(line: ToldLine) -> ToldLine:
    """Return the last line of a chain where all of its cases were told as one."""
    sentence = line.sentence
    if isinstance(sentence, CaseFails):
        sentence = CaseFails(sentence.conflict, sentence.facts)
    return line._replace(sentence=sentence)


def all_lines(chain: ForcingChain) -> Iterator[Line]:
    """Yield the lines of a chain and of its branches, without the contradictions."""
    yield from chain.lines
    for branch in chain.branches:
        yield from all_lines(branch)


def _has_both_values(split: OpenCard) -> bool:
    """Return whether a split is between a truth and its opposite: that one holds is clear."""
    first, second = split.literals
    return first == -second


def _literals_of_chain(chain: ForcingChain) -> Iterator[int]:
    """Yield what is assumed in a chain, and what follows."""
    yield chain.assumed
    for line in chain.lines:
        yield from line.literals
    for branch in chain.branches:
        yield from _literals_of_chain(branch)
