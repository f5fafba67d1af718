"""The sentences of steps by a rule that has no cards: of a line, an area or a vertex."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress, takewhile

from puzzlekit.model import Value, Variable, variables_of
from puzzlekit.reasons.arrangements import FEW_ROWS, differences_from_target
from puzzlekit.reasons.card_words import ALL, OPEN_VALUE, word_of
from puzzlekit.reasons.causes import Causes
from puzzlekit.reasons.deductions import Deduction, Pattern
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.literals import ValueLiteral
from puzzlekit.reasons.places import value_text
from puzzlekit.reasons.step_context import FEW_GIVEN, StepContext, StepWords, inside
from puzzlekit.sentences import (
    AndSo,
    ClueSays,
    EquationOf,
    FollowsByRule,
    FollowsFromGraph,
    GraphReason,
    HoweverItLies,
    LineCanOnlyBe,
    LineOfChain,
    LoopIsClosed,
    OneOfMany,
    OtherwiseBroken,
    OtherwiseChain,
    RuleName,
    Sentence,
    SumsGive,
    TheClue,
    WouldBreak,
    and_list,
    missing,
    or_list,
)

TWO_CELLS = 2  # that are left for a value of a run
FEW_OPEN = 2  # unknowns of a sum, whose values are told
TWO_RULES = 2
FEWEST_COMMON = 3  # words at the beginning of two names
TWO_OPEN = 2  # unknowns of a sum, each of which the value of the second one decides
SUMS_TOGETHER = 2  # of which another one follows
SEVERAL_RULES = 2  # from which rows of values follow
MOST_ROWS_LISTED = 8  # of values of unknowns that are no cells


class RuleSentences(StepWords):
    """Puts what follows by a rule without cards into words."""

    def __init__(self, context: StepContext, causes: Causes) -> None:
        super().__init__(context)
        self._causes = causes
        self._otherwise = ""  # the number that a clue of the last line would have otherwise

    def sentence(self, deduction: Deduction, literals: tuple[int, ...]) -> Sentence:
        """Return what a rule says that has no cards."""
        if deduction.pattern is Pattern.VERTEX:
            sentence = self._vertex_words.step(deduction, literals)
            if sentence is not None:
                return sentence
        self._otherwise = ""
        graph_reason, area = deduction.graph_reason, deduction.area
        if graph_reason is not None and area is not None and self._area_words.can_name(area):
            facts, is_rest = self._of_area(deduction, literals)
            return self._area_words.step(facts, graph_reason, area, literals, is_rest)
        line = self._line(deduction, literals)
        if line is not None:
            return line
        at_cell = self._vertex_words.way_through(deduction, literals)
        if at_cell is not None:
            return at_cell
        equations = self._equations(deduction)
        if equations:
            return self._by_equations(deduction, literals, equations)
        premises = self._context.given(deduction)
        broken = None if premises else self._broken(deduction, literals)
        if broken is not None:
            return broken
        is_told = bool(premises) or deduction.graph_reason is not None
        if deduction.graph_reason is None:
            rules = self._rules_of_line(deduction, is_told)
        else:
            rules = self._card_words.rule_names(deduction.instances, without_familiar=is_told)
        if deduction.graph_reason is GraphReason.LOOP_IS_CLOSED:
            return LoopIsClosed()
        if deduction.graph_reason is not None:
            dead_end = self._vertex_words.dead_end(deduction)
            if dead_end is not None:
                return FollowsFromGraph(self._card_words.facts(literals), dead_end, ())
            facts = self._card_words.facts(literals)
            return FollowsFromGraph(facts, deduction.graph_reason.about(len(literals)), rules)
        clue = self._card_words.clue(self._card_words.rule(deduction.instances[0]))
        if deduction.pattern is Pattern.OVERLAP and clue and not premises:
            return HoweverItLies(self._card_words.facts(literals), clue)
        sentence = self._several_rows(deduction, literals, premises, rules)
        if sentence is not None:
            return sentence
        return by_rules(self._context.remaining(literals), rules, premises, self._otherwise)

    def _missed_number(self, deduction: Deduction, literals: Sequence[int]) -> str:
        """Return which number a clue would have if one of some literals did not hold; empty if they
        follow from several clues, or if these are smaller numbers and greater ones.
        """
        first = deduction.instances[0]
        further = self._line_rows.with_cards(first)
        words = self._card_words.clue(self._card_words.rule(first)).split()
        if not set(further).issuperset(deduction.instances) or len(words) < 2:
            return ""
        if not words[1].isdecimal():
            return ""
        differences = differences_from_target(
            further, self._card_words.literals, self._displayed, literals
        )
        return "" if 0 in differences else missing(int(words[1]), differences)

    def _broken(self, deduction: Deduction, literals: Sequence[int]) -> Sentence | None:
        """Return what would be so if a rule was broken, perhaps after a value was placed at its
        other place; None if the type does not say it, or if other rules are needed, too.
        """
        breaches = [self._card_words.breach([instance]) for instance in deduction.instances]
        placed = []
        for instance, breach in zip(deduction.instances, breaches):
            literal = None if breach else self._second_place(instance, literals)
            if literal is not None:
                placed.append(literal)
            elif not breach:
                return None
        further = list(dict.fromkeys(filter(None, breaches)))
        of_run = self._context.only_open_beside(literals, placed) if further else None
        if of_run is None and len(further) != 1:
            return None
        facts = self._context.remaining(literals)
        conflict = of_run or WouldBreak(further[0])
        if not placed:
            return OtherwiseBroken(facts, conflict)
        line = LineOfChain(self._card_words.facts(placed))
        return OtherwiseChain(facts, (line,), conflict)

    def _equations(self, deduction: Deduction) -> tuple[Sentence, ...]:
        """Return the sum by which something follows as an equation, or two sums with what follows
        from them, and further rules; none if it does not follow by a sum of numbers with names.
        """
        joined_sum = deduction.joined_sum
        number_of_sums = 1 if joined_sum is None else SUMS_TOGETHER
        sums = deduction.instances[:number_of_sums]
        texts = list(map(self._context.equation, sums))
        if not all(texts):
            return ()
        names = [self._card_words.rule_names([instance])[0] for instance in sums]
        equations = list(map(EquationOf, texts, map(inside, names)))
        further = deduction.instances[number_of_sums:]
        rules = self._card_words.rule_names(further) if further else ()
        if joined_sum is None:
            return equations[0], *rules
        equation = self._context.equation(joined_sum, is_derived=True)
        return SumsGive(equations[0], equations[1], equation), *rules

    def _by_equations(
        self, deduction: Deduction, literals: Sequence[int], equations: tuple[Sentence, ...]
    ) -> Sentence:
        """Return what follows by equations: values first, and after them the ranges of others."""
        excluded = self._excluded_value(deduction, literals)
        if excluded is not None:
            facts = self._context.remaining(literals)
            return FollowsByRule(facts, equations[:1], str(excluded))
        premises = self._left_in_sum(deduction, literals)
        facts_of = self._card_words.literals.fact
        placed = {facts_of(each).unknown for each in literals if facts_of(each).positive}
        ranges = [each for each in literals if self._unknown(each) not in placed]
        if not placed or not ranges:
            facts = self._context.remaining(literals)
            return FollowsByRule(facts, equations, premises)
        values = [each for each in literals if each not in ranges]
        facts = self._context.remaining(values)
        sentence = FollowsByRule(facts, equations, premises)
        return AndSo(sentence, self._context.remaining(ranges))

    def _excluded_value(self, deduction: Deduction, literals: Sequence[int]) -> Sentence | None:
        """Return which value the second open unknown of a sum would have if the first one had the
        value that is struck, and the placed fact that excludes it; None if that is not why.
        """
        rule = deduction.joined_sum or deduction.instances[0]
        unknowns = variables_of(*rule.conditions)
        before = {each: self._context.value_before(each) for each in unknowns}
        opened = [each for each, value in before.items() if value is None]
        new = set(map(self._unknown, literals))
        if len(opened) != TWO_OPEN or not new <= {*opened}:
            return None
        for first, second in (opened, reversed(opened)):
            struck = self._struck_values(first, literals)
            if first not in new or len(struck) != 1:
                continue
            values = {**before, first: struck[0]}
            possible = self._values_with(rule, second, values)
            strikers = [striker for each in possible for striker in self._causes.strikers(each)]
            if len(possible) == 1 and strikers:
                fact = self._card_words.facts([-possible[0]])
                return LineOfChain(fact, self._card_words.facts(strikers[:1]))
        return None

    def _values_with(
        self, rule: GroundRule, unknown: Variable, values: Mapping[Variable, Value | None]
    ) -> list[int]:
        """Return the values of the last open unknown of a rule, as literals, with which it holds
        beside the values of the others.
        """
        possible = []
        for literal, value in self._values(unknown):
            row = {**values, unknown: value}
            if all(condition.value(row) for condition in rule.conditions):
                possible.append(literal)
        return possible

    def _struck_values(self, unknown: Variable, literals: Sequence[int]) -> list[Value]:
        """Return the values of an unknown that literals exclude, of those that it could have."""
        facts = map(self._card_words.literals.fact, literals)
        is_placed = any(fact.positive and fact.unknown == unknown for fact in facts)
        struck = []
        for literal, value in self._values(unknown):
            is_excluded = -literal in literals or (is_placed and literal not in literals)
            if is_excluded and -literal not in self._displayed:
                struck.append(value)
        return struck

    def _values(self, unknown: Variable) -> Iterator[tuple[int, Value]]:
        """Return the values of an unknown, each after its literal."""
        literals = self._card_words.literals
        return zip(literals.of_all(unknown), literals.domains[unknown])

    def _left_in_sum(self, deduction: Deduction, literals: Sequence[int]) -> str:
        """Return which values are left for the other open unknowns of a sum, if they are few."""
        rule = deduction.joined_sum or deduction.instances[0]
        new = set(map(self._unknown, literals))
        domains = self._card_words.literals.domains
        texts = []
        for unknown in variables_of(*rule.conditions):
            values = self._context.values_left(unknown)
            if unknown in new or not 1 < len(values) < len(domains[unknown]):
                continue
            values_text = self._card_words.values_text(unknown, values)
            if values_text.count(",") > FEW_OPEN:
                continue
            fact = ValueLiteral(unknown, values[0])
            texts.append(self._card_words.words.remaining([fact], values_text))
        return and_list(texts) if len(texts) <= FEW_OPEN else ""

    def _second_place(self, instance: GroundRule, literals: Sequence[int]) -> int | None:
        """Return the second place of a value that an instance counts, the first of which is at the
        unknown of some literals; None if it has others.
        """
        unknowns = set(map(self._unknown, literals))
        for card in self._board.cards:
            if card.instances != (instance,) or card.value is None:
                continue
            remaining = [each for each in card.literals if -each not in self._context.before]
            second = [each for each in remaining if self._unknown(each) not in unknowns]
            if len(remaining) == TWO_CELLS and len(second) == 1:
                return second[0]
        return None

    def _unknown(self, literal: int) -> Variable:
        return self._card_words.literals.fact(literal).unknown

    def _line(self, deduction: Deduction, literals: Sequence[int]) -> Sentence | None:
        """Return the rows of values that a rule leaves to a line, if they are few."""
        card_words = self._card_words
        remaining = self._line_rows.row_list(deduction)
        if remaining is None:
            return None
        first = deduction.instances[0]
        line = card_words.line(first)
        if len(remaining.rows) <= FEW_ROWS:
            rows = or_list(card_words.rows(first, remaining.unknowns, remaining.rows))
        elif card_words.are_letters(remaining.unknowns):
            rows = str(OneOfMany(len(remaining.rows), "words"))
        else:
            self._otherwise = self._missed_number(deduction, literals)
            outlines = self._line_rows.outlines(first, remaining, literals, not self._otherwise)
            if not outlines:
                return None
            texts = card_words.rows(first, remaining.unknowns, outlines)
            rows = or_list(sorted(texts, key=_open_last))
        premises = self._fixed_letters(first) or self._context.given(deduction)
        strikes = self._line_rows.struck_by_clues(first, remaining)
        if strikes and not premises:
            premises = and_list([self._struck_by_clue(*strike) for strike in strikes])
        rules: tuple[Sentence, ...] = ()
        if not card_words.are_letters(remaining.unknowns):
            rules = self._rules_of_line(deduction, bool(premises))
        facts = self._beside_rows(literals)
        if len(remaining.rows) == 1:
            facts = ""
            self._context.single_values.update(remaining.unknowns)
        if len(rules) == 1 and isinstance(rules[0], TheClue):
            clue = rules[0].clue
            if clue == line:
                clue = ""
            return LineCanOnlyBe(line, rows, clue, premises, (), facts)
        return LineCanOnlyBe(line, rows, "", premises, rules, facts)

    def _beside_rows(self, literals: Sequence[int]) -> str:
        """Return what is told beside the rows of a line that show some literals: placed values, or
        what is left of a single unknown.
        """
        placed = [each for each in literals if self._card_words.literals.fact(each).positive]
        is_single = len(set(map(self._unknown, literals))) == 1
        if placed or is_single:
            return self._context.remaining(placed or literals)
        return ""

    def _several_rows(
        self,
        deduction: Deduction,
        literals: Sequence[int],
        premises: str,
        rules: tuple[Sentence, ...],
    ) -> Sentence | None:
        """Return the rows of values that several rules leave to unknowns that are no cells; None if
        it is one row, if they are many, or if some literals do not follow from them.
        """
        unknowns = variables_of(*deduction.instances[0].conditions)
        if len(deduction.instances) < SEVERAL_RULES or not self._are_named(unknowns):
            return None
        remaining = self._line_rows.of_rules(deduction.instances)
        if remaining is None or not 1 < len(remaining.rows) <= MOST_ROWS_LISTED:
            return None
        if not {*literals} <= {*self._line_rows.excluded(remaining)}:
            return None
        is_open = [self._context.value_before(each) is None for each in remaining.unknowns]
        names = map(self._card_words.unknown_text, compress(remaining.unknowns, is_open))
        rows = [" ".join(map(value_text, compress(row, is_open))) for row in remaining.rows]
        return LineCanOnlyBe(" ".join(names), or_list(sorted(rows)), "", premises, rules)

    def _are_named(self, unknowns: Sequence[Variable]) -> bool:
        """Return whether unknowns are many, and have short names by themselves."""
        positions = map(self._card_words.words.position, unknowns)
        return len(unknowns) > TWO_CELLS and all(isinstance(each, str) for each in positions)

    def _struck_by_clue(self, denial: int, instance: GroundRule) -> str:
        """Return what does not hold, and the clue or the rule that says so."""
        rule = self._card_words.rule(instance)
        because = self._card_words.clue(rule) or rule.rule
        return str(LineOfChain(self._card_words.facts([denial]), because))

    def _rules_of_line(self, deduction: Deduction, is_told: bool) -> tuple[Sentence, ...]:
        """Return the names of the rules of a deduction; those that it is joined with only if they
        were not told yet, without where they are, and not beside a clue that was told before.
        """
        first, *joined = deduction.instances
        cards = self._line_rows.with_cards(first)
        if not joined or not set(cards).issuperset(joined):
            return self._card_words.rule_names(deduction.instances, without_familiar=is_told)
        rules = self._card_words.rule_names([first])
        if isinstance(rules[0], TheClue):
            return rules
        name = self._card_words.new_names(joined)
        return (*rules, RuleName(name)) if name else rules

    def _fixed_letters(self, instance: GroundRule) -> str:
        """Return the letters of a word that stand on the board, if there are few."""
        literals = self._card_words.literals
        fixed = []
        for unknown in word_of(instance):
            for literal, value in zip(literals.of_all(unknown), literals.domains[unknown]):
                if literal in self._displayed:
                    fixed.append(ValueLiteral(unknown, value))
        if len(fixed) > FEW_GIVEN:
            return ""
        return self._card_words.words.facts(dict.fromkeys(fixed), ALL)

    def _of_area(self, deduction: Deduction, literals: Sequence[int]) -> tuple[str, bool]:
        """Return what follows from a look at an area, and whether that is what is left of values,
        some of which are struck.
        """
        if deduction.graph_reason is GraphReason.NO_ROOM and len(literals) > 1:
            return self._context.remaining_or_struck(literals)
        return self._card_words.facts(self._card_words.in_order(literals)), False


def by_rules(
    facts: str, rules: tuple[Sentence, ...], premises: str, otherwise: str = ""
) -> Sentence:
    """Return that facts follow from rules; a clue that was told before comes first."""
    if len(rules) == 1 and isinstance(rules[0], TheClue):
        return ClueSays(rules[0].clue, facts, premises, otherwise)
    return FollowsByRule(facts, _with_one_beginning(rules), premises, otherwise)


def _with_one_beginning(rules: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """Return the names of two rules as one name if they begin with the same words: `row 3 has 2 +`
    and `row 3 has 2 -`.
    """
    if len(rules) != TWO_RULES or not all(map(_is_plain_name, rules)):
        return rules
    first, second = (str(rule).split() for rule in rules)
    alike = takewhile(lambda words: words[0] == words[1], zip(first, second))
    common = [word for word, _ in alike]
    if common[-1:] and common[-1].isdecimal():
        common.pop()
    if len(common) < FEWEST_COMMON:
        return rules
    rest = second[len(common) :]
    return (RuleName(" ".join([*first, "and", *rest])),)


def _is_plain_name(rule: Sentence) -> bool:
    return isinstance(rule, RuleName) and not rule.where


def _open_last(row: str) -> str:
    """Return what sorts rows by their values, those that are open after the others."""
    return row.replace(OPEN_VALUE, "~")
