"""The arrangements of values that rules leave to a few unknowns, as people list them: the words
that fit a row of letters, the orders of a row of numbers.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from puzzlekit.dataclass import dataclass
from puzzlekit.model import (
    AllDifferent,
    Cardinality,
    Comparison,
    Constant,
    Linear,
    Sum,
    Table,
    Term,
    Value,
    Variable,
    variables_of,
)
from puzzlekit.presolve import ColumnEvaluator, column_of, numeric
from puzzlekit.reasons.card_words import CardWords
from puzzlekit.reasons.deductions import Card, CardType, Deduction
from puzzlekit.reasons.instances import GroundRule, TableInstance
from puzzlekit.reasons.literals import Literals, ValueLiteral
from puzzlekit.reasons.marks import Marks
from puzzlekit.reasons.places import value_text

FEW_ROWS = 4  # of values that a line may be
FEW_SPLIT = 3  # outlines of such rows, if some are by the positions of two values
FEWEST_CELLS = 3  # of a line whose rows are told
FEWEST_VALUES = 2  # that an outline tells, for it to be told
MOST_ROWS = 20_000  # that are listed on the way
MOST_CHOICES = 10_000_000  # of values for all unknowns, beyond which that is not tried

Row = tuple[Value, ...]
Outline = tuple[Value | None, ...]  # a row of which some values are open
# for each unknown and value, the indexes of the unknowns before it that cannot have it, too
Exclusions = dict[tuple[int, Value], list[int]]


@dataclass(frozen=True)
class Arrangements:
    """The arrangements that are left.

    Attributes:
        unknowns: The unknowns.
        rows: Their values in each arrangement.
    """

    unknowns: tuple[Variable, ...]
    rows: tuple[Row, ...]

    def values_of(self, unknown: Variable) -> list[Value]:
        """Return the values of an unknown in the arrangements, each once."""
        index = self.unknowns.index(unknown)
        return list(dict.fromkeys(row[index] for row in self.rows))

    def values(self) -> list[Value]:
        """Return the values in the arrangements, each once."""
        return list(dict.fromkeys(chain.from_iterable(self.rows)))


def _by_positions(rows: Iterable[Row], value: Value) -> list[list[Row]]:
    """Return groups of rows that have a value at the same positions."""
    groups: dict[tuple[bool, ...], list[Row]] = {}
    for row in rows:
        positions = tuple(each == value for each in row)
        groups.setdefault(positions, []).append(row)
    return list(groups.values())


def _common_values(rows: Sequence[Row]) -> Outline:
    """Return the values that all rows have at the same position; None elsewhere."""
    outline: list[Value | None] = []
    for values in zip(*rows):
        is_common = len({*values}) == 1
        outline.append(values[0] if is_common else None)
    return tuple(outline)


def _says_much(outline: Outline) -> bool:
    return len(outline) - outline.count(None) >= FEWEST_VALUES


class LineRows:
    """Lines of the board that a rule leaves only few rows of values.

    Args:
        card_words: The words of cards.
        board: The board.
    """

    def __init__(self, card_words: CardWords, board: Marks) -> None:
        self._card_words, self._board = card_words, board
        # the number of an instance and how much was displayed at the last look, and its rows
        self._looked_at = (-1, -1)
        self._rows: Arrangements | None = None

    def short_list(self, deduction: Deduction) -> Arrangements | None:
        """Return the rows that the first rule of a deduction, and the cards inside of its unknowns,
        leave to a line; None if that is no line, or if there are many.
        """
        rows = self.row_list(deduction)
        if rows is None or len(rows.rows) > FEW_ROWS:
            return None
        return rows

    def row_list(self, deduction: Deduction) -> Arrangements | None:
        """Return the rows that are left to a line, also many; None if it is no line, or if they are
        too many to be listed.
        """
        if deduction.base or deduction.cover or deduction.chains or deduction.sums is not None:
            return None
        if deduction.graph_reason is not None or not deduction.instances:
            return None
        instances = deduction.instances
        first = instances[0]
        unknowns = variables_of(*first.conditions)
        if len(unknowns) < FEWEST_CELLS or not self._card_words.line(first):
            return None
        for instance in instances:
            if not set(unknowns).issuperset(variables_of(*instance.conditions)):
                return None
        rows = self._rows_of(first)
        if rows is None or not rows.rows:
            return None
        return rows

    def of_rules(self, instances: Sequence[GroundRule]) -> Arrangements | None:
        """Return the rows that instances leave on the board; None if they are too many."""
        return arrangements(instances, self._card_words.literals, self._board.trail)

    def _rows_of(self, instance: GroundRule) -> Arrangements | None:
        """Return the rows that an instance leaves on the board as it is."""
        looked_at = instance.number, len(self._board.trail)
        if self._looked_at != looked_at:
            literals = self._card_words.literals
            rows = arrangements(self.with_cards(instance), literals, self._board.trail)
            self._looked_at, self._rows = looked_at, rows
        return self._rows

    def with_cards(self, instance: GroundRule) -> list[GroundRule]:
        """Return an instance, and those of the cards that count a value among its unknowns."""
        inside: dict[GroundRule, None] = {instance: None}
        for card in self._cards_inside(variables_of(*instance.conditions)):
            inside.update(dict.fromkeys(card.instances))
        return list(inside)

    def _cards_inside(self, unknowns: Collection[Variable]) -> Iterator[Card]:
        """Yield the cards that count a value among some of these unknowns and no others."""
        literals = self._card_words.literals
        numbers: dict[int, None] = {}
        for unknown in unknowns:
            for literal in literals.of_all(unknown):
                numbers.update(dict.fromkeys(self._board.cards_of.get(literal, ())))
        for number in numbers:
            card = self._board.cards[number]
            if card.card_type is not CardType.VALUE or card.derivation is not None:
                continue
            inside = (literals.fact(each).unknown in unknowns for each in card.literals)
            if all(inside):
                yield card

    def outlines(
        self,
        instance: GroundRule,
        rows: Arrangements,
        literals: Collection[int],
        by_two_values: bool,
    ) -> list[Outline]:
        """Return few outlines of the rows that are left to a line by which a reader sees that
        literals hold; none if there are no such outlines.

        Args:
            instance: The rule.
            rows: The rows.
            literals: The literals.
            by_two_values: Whether outlines by the positions of two values are looked for where one
                value is not enough.
        """
        unknowns = variables_of(*instance.conditions)
        cards = self._cards_inside(unknowns)
        entire = (card for card in cards if len(card.literals) == len(unknowns))
        single = {card.value for card in entire if card.high == 1}
        facts = list(map(self._card_words.literals.fact, literals))
        if not {fact.unknown for fact in facts} <= {*rows.unknowns}:
            return []
        look = _OutlineLook(rows, facts, single, by_two_values)
        fitting = list(filter(None, map(look.outlines, rows.values())))
        shortest = min(fitting, key=len, default=[])
        # else it says hardly more than what follows, and longer ones are far from that
        return shortest if all(map(_says_much, shortest)) else []

    def struck_by_clues(
        self, instance: GroundRule, rows: Arrangements
    ) -> list[tuple[int, GroundRule]]:
        """Return denials without which more rows would be left, and that follow by another rule
        from a placed value without a word, each with that rule.
        """
        board, literals = self._board, self._card_words.literals
        further = self.with_cards(instance)
        strikes = []
        for unknown in rows.unknowns:
            for literal in literals.of_all(unknown):
                striking = self._striking_pair(literal) if -literal in board.trail else None
                if striking is None or striking in further:
                    continue
                trail = set(board.trail) - {-literal}
                relaxed = arrangements(further, literals, trail)
                if relaxed is not None and len(relaxed.rows) > len(rows.rows):
                    strikes.append((-literal, striking))
        return strikes

    def _striking_pair(self, literal: int) -> GroundRule | None:
        """Return the rule by which a placed value and this literal exclude each other; None if they
        do not, or if a group with one such value excludes it.
        """
        trail = self._board.trail
        rule = None
        for number in self._board.cards_of.get(literal, ()):
            card = self._board.cards[number]
            placed = [each for each in card.literals if each in trail]
            if card.high != 1 or not placed:
                continue
            if card.card_type is CardType.VALUE:
                return None
            if card.card_type is CardType.PAIR:
                striking = (each for each in card.instances if each.entails(placed, (-literal,)))
                rule = next(striking, rule)
        return rule

    def crowded(
        self, instance: GroundRule, trail: Collection[int]
    ) -> tuple[tuple[Variable, ...], list[Value]]:
        """Return unknowns of an instance that differ and have fewer values than they are, with
        these; none if there are no such unknowns.
        """
        unknowns = variables_of(*instance.conditions)
        literals = self._card_words.literals
        differ = {card.value for card in self._cards_inside(unknowns) if card.high == 1}
        choices = {unknown: {*_open_values(unknown, literals, trail)} for unknown in unknowns}
        differing = [each for each in unknowns if choices[each] <= differ]
        narrow = [each for each in differing if len(choices[each]) <= FEW_ROWS]
        for size in range(2, len(narrow) + 1):
            for group in combinations(narrow, size):
                values = set[Value]().union(*(choices[unknown] for unknown in group))
                if len(values) < size:
                    return group, sorted(values, key=value_text)
        return (), []

    def excluded(self, remaining: Arrangements) -> list[int]:
        """Return the denials of open values that no row has."""
        literals = self._card_words.literals
        denials = []
        for unknown in remaining.unknowns:
            values = remaining.values_of(unknown)
            for value in literals.domains[unknown]:
                literal = literals.of(unknown, value)
                if value not in values and not self._board.is_known(literal):
                    denials.append(-literal)
        return denials


@dataclass(frozen=True)
class _OutlineLook:
    """A look for few outlines of rows by which a reader sees that facts hold: what all rows have in
    common that have a value at the same positions, or two values.

    Attributes:
        rows: The rows.
        facts: The facts, about unknowns of the rows.
        single: The values that a line has once.
        by_two_values: Whether the positions of two values may be told.
    """

    rows: Arrangements
    facts: Sequence[ValueLiteral]
    single: Collection[Value | None]
    by_two_values: bool

    def outlines(self, value: Value) -> list[Outline]:
        """Return the outlines by the positions of a value; of rows where these do not show the
        facts, by those of a second value, too. None if they are many, or do not show the facts.
        """
        outlines: list[Outline] = []
        is_split = False
        for group in _by_positions(self.rows.rows, value):
            if len(outlines) >= FEW_ROWS:
                return []
            outline = _common_values(group)
            further = [outline] if self._shows(outline, {value}) else self._split(group, value)
            if not further:
                return []
            outlines += further
            is_split |= len(further) > 1
        most = FEW_SPLIT if is_split else FEW_ROWS
        return outlines if len(outlines) <= most else []

    def _split(self, rows: Sequence[Row], value: Value) -> list[Outline]:
        """Return the outlines of rows by the positions of a second value that show the facts; none
        if there are no such outlines.
        """
        fitting = []
        for second in self.rows.values() if self.by_two_values else ():
            outlines = list(map(_common_values, _by_positions(rows, second)))
            if all(self._shows(outline, {value, second}) for outline in outlines):
                fitting.append(outlines)
        return min(fitting, key=len, default=[])

    def _shows(self, outline: Outline, distinguished: Collection[Value]) -> bool:
        """Return whether an outline shows the facts.

        Args:
            outline: The outline.
            distinguished: The values of which it shows all positions.
        """
        return all(self._shows_fact(outline, distinguished, fact) for fact in self.facts)

    def _shows_fact(
        self, outline: Outline, distinguished: Collection[Value], fact: ValueLiteral
    ) -> bool:
        value = outline[self.rows.unknowns.index(fact.unknown)]
        if fact.positive or value is not None:
            is_there = bool(value == fact.value)
            return is_there == fact.positive
        is_elsewhere = fact.value in self.single and fact.value in outline
        return is_elsewhere or fact.value in distinguished


def arrangements(
    instances: Sequence[GroundRule], literals: Literals, trail: Collection[int]
) -> Arrangements | None:
    """Return the arrangements that instances and known literals leave; None if they are too many.

    Args:
        instances: The instances.
        literals: The literals of the puzzle.
        trail: The literals that are known to be true.
    """
    conditions = [condition for instance in instances for condition in instance.conditions]
    unknowns = variables_of(*conditions)
    first = instances[0]
    if isinstance(first, TableInstance):
        if len(instances) > 1:
            return None
        displayed = dict.fromkeys(trail, 0)
        table_rows = first.remaining_values(displayed)
        return Arrangements(unknowns, tuple(table_rows))
    rows = _rows(unknowns, conditions, literals, trail)
    if not rows:
        return None
    evaluator = _evaluator(unknowns, rows)
    is_allowed = np.ones(len(rows), dtype=bool)
    for condition in conditions:
        is_allowed &= evaluator.is_true(condition)
    allowed = (rows[index] for index in np.flatnonzero(is_allowed))
    return Arrangements(unknowns, tuple(allowed))


def differences_from_target(
    instances: Sequence[GroundRule],
    literals: Literals,
    trail: Collection[int],
    untrue: Collection[int] = (),
) -> list[int]:
    """Return by how much a number that the first instance states would be missed, in order: what
    its function can be with known literals and by the further instances, minus that number.

    None are returned if it states no number, or if there are too many arrangements.

    Args:
        instances: The instances.
        literals: The literals of the puzzle.
        trail: The literals that are known to be true.
        untrue: Literals of which one at least does not hold; if there are none, that is no
            condition.
    """
    first, *further = instances
    if len(first.conditions) != 1:
        return []
    difference = _difference(first.conditions[0], literals)
    if difference is None:
        return []
    conditions = [condition for instance in further for condition in instance.conditions]
    unknowns = variables_of(difference, *conditions)
    rows = _rows(unknowns, conditions, literals, trail)
    if not rows:
        return []
    evaluator = _evaluator(unknowns, rows)
    is_allowed = np.ones(len(rows), dtype=bool)
    for condition in conditions:
        is_allowed &= evaluator.is_true(condition)
    if untrue:
        is_allowed &= _break_one(unknowns, rows, map(literals.fact, untrue))
    column = evaluator.column(difference)
    return sorted({int(number) for number in column[is_allowed]})


def _break_one(
    unknowns: Sequence[Variable], rows: Sequence[Row], facts: Iterable[ValueLiteral]
) -> NDArray[np.bool_]:
    """Return for each row of values whether some fact about them does not hold."""
    breaks = np.zeros(len(rows), dtype=bool)
    positions = {unknown: index for index, unknown in enumerate(unknowns)}
    for fact in facts:
        index = positions.get(fact.unknown)
        if index is not None:
            has_value = np.array([row[index] == fact.value for row in rows], dtype=bool)
            breaks |= has_value != fact.positive
    return breaks


def _difference(condition: Term, literals: Literals) -> Term | None:
    """Return the function that a condition equates with a number, minus that number."""
    match condition:
        case Linear(weighted, low, high) if low is not None and low == high:
            if all(weight > 0 for weight, _ in weighted):
                return Sum(tuple(weighted), -low)
        case Comparison("==", function, Constant(number)) if numeric(function, literals.domains):
            if isinstance(number, int) and not isinstance(number, bool):
                return Sum(((1, function),), -number)
        case Cardinality(counted, low, high) if low == high:
            truths = (Comparison("==", unknown, Constant(value)) for unknown, value in counted)
            return Sum(tuple((1, truth) for truth in truths), -low)
    return None


def _evaluator(unknowns: Sequence[Variable], rows: Sequence[Row]) -> ColumnEvaluator:
    columns = {unknown: column_of(values) for unknown, values in zip(unknowns, zip(*rows))}
    return ColumnEvaluator(columns, len(rows))


def _rows(
    unknowns: Sequence[Variable],
    conditions: Sequence[Term],
    literals: Literals,
    trail: Collection[int],
) -> list[Row]:
    """Return all rows of values, without those where values that differ are equal; none if there
    are too many.
    """
    choices = [_open_values(unknown, literals, trail) for unknown in unknowns]
    table = conditions[0] if conditions else None
    if isinstance(table, Table) and set(table.terms) == set(unknowns):
        return _rows_of_table(table, dict(zip(unknowns, choices)))
    if math.prod(map(len, choices)) > MOST_CHOICES:
        return []
    exclusions = _exclusions(unknowns, conditions, literals)
    rows: list[Row] = [()]
    for index, values in enumerate(choices):
        longer: list[Row] = []
        for value in values:
            excluded = exclusions.get((index, value), ())
            allowed = (row for row in rows if all(row[before] != value for before in excluded))
            longer += [(*row, value) for row in allowed]
        rows = longer
        if len(rows) > MOST_ROWS:
            return []
    return rows


def _rows_of_table(table: Table, choices: Mapping[Variable, Sequence[Value]]) -> list[Row]:
    """Return the values of unknowns in the rows of a table that have one of these values for each,
    the same one wherever an unknown occurs.
    """
    rows: list[Row] = []
    for codes in table.rows.tolist():
        values: dict[Term, Value] = {}
        for term, book, code in zip(table.terms, table.dictionaries, codes):
            if values.setdefault(term, book[code]) != book[code]:
                break
        else:
            if all(values[unknown] in choices[unknown] for unknown in choices):
                rows.append(tuple(values[unknown] for unknown in choices))
    return rows


def _open_values(unknown: Variable, literals: Literals, trail: Collection[int]) -> list[Value]:
    """Return the values that an unknown may have."""
    by_literal = dict(zip(literals.of_all(unknown), literals.domains[unknown]))
    placed = [value for literal, value in by_literal.items() if literal in trail]
    if len(by_literal) > 1 and placed:
        return placed
    return [value for literal, value in by_literal.items() if -literal not in trail]


def _exclusions(
    unknowns: Sequence[Variable], conditions: Sequence[Term], literals: Literals
) -> Exclusions:
    """Return what conditions exclude that say that unknowns differ, or that a value stands once."""
    positions = {unknown: index for index, unknown in enumerate(unknowns)}
    exclusions: Exclusions = {}
    for condition in conditions:
        match condition:
            case AllDifferent(terms) if all(isinstance(term, Variable) for term in terms):
                members = [term for term in terms if isinstance(term, Variable)]
                pairs = [(each, value) for each in members for value in literals.domains[each]]
            case Cardinality(counted, _, 1):
                pairs = list(counted)
            case _:
                continue
        by_value: dict[Value, list[int]] = {}
        for unknown, value in pairs:
            by_value.setdefault(value, []).append(positions[unknown])
        for value, indexes in by_value.items():
            for index in indexes:
                before = [each for each in indexes if each < index]
                exclusions.setdefault((index, value), []).extend(before)
    return exclusions
