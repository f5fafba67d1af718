"""The sentences of sums: the values that are left, and the rule of 45."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from puzzlekit.reasons.card_words import merged
from puzzlekit.reasons.deductions import Card, Deduction, Derivation, Pattern, SumGroup
from puzzlekit.reasons.literals import ValueLiteral
from puzzlekit.reasons.rule_sentences import RuleSentences
from puzzlekit.reasons.step_context import StepContext, StepWords
from puzzlekit.sentences import (
    CellOfSum,
    CellsAddUp,
    RestOfSums,
    Sentence,
    SumCanOnlyBe,
    SumLeaves,
    SumOfCell,
    and_list,
    or_list,
)

TWO_OPEN = 2  # cells of a sum
FEW_VALUES = 2  # of the second one, which are told


class SumSentences(StepWords):
    """Puts what follows from sums into words."""

    def __init__(self, context: StepContext, rules: RuleSentences) -> None:
        super().__init__(context)
        self._rules = rules

    def sentence(
        self, deduction: Deduction, group: SumGroup, literals: tuple[int, ...]
    ) -> Sentence:
        """Return what a sum, or a set of values that differ, leaves."""
        card_words = self._card_words
        facts = self._context.remaining(literals)
        set_text = _added if group.is_sum else _together
        alternatives = or_list([set_text(values) for values in deduction.combinations])
        if group.derivation is not None:
            cells = card_words.sum_cells(group)
            if len(group.unknowns) == 1:
                return self._rest_of_sums(group.derivation, group.total, facts)
            opened = [each for each in group.unknowns if self._context.value_before(each) is None]
            conclusion: Sentence = CellsAddUp(cells, str(group.total), alternatives, facts)
            if len(opened) == 1:
                conclusion = CellOfSum(facts, cells, str(group.total))
            return self._rest_of_sums(group.derivation, group.total, conclusion)
        name = card_words.sum_name(group)
        if not group.is_sum:
            has_name = bool(alternatives) and not self._context.given(deduction)
            if has_name and name != card_words.sum_cells(group):
                return SumCanOnlyBe(name, alternatives, facts)
            return self._rules.sentence(deduction, literals)
        total, cells_left = self._context.rest_of_sum(group)
        if deduction.pattern is Pattern.ONE_CELL_OF_SUM:
            return SumOfCell(card_words.facts(literals), name, str(total) if group.weights else "")
        if cells_left == 1 and len(deduction.combinations) == 1:
            return SumOfCell(facts, name)
        is_whole = total == group.total
        remaining = str(self._context.remaining_sum(group, total, cells_left))
        if alternatives:
            is_single = len(deduction.combinations) == 1
            given = "" if is_single else self._second_cell(group, literals)
            return SumCanOnlyBe(name, alternatives, facts, "" if is_whole else remaining, given)
        return SumLeaves(name, remaining, facts)

    def _second_cell(self, group: SumGroup, literals: Sequence[int]) -> str:
        """Return the few values of the second open cell of a sum, where literals are about the
        first one; empty if more cells are open, or if the values are many.
        """
        opened = [each for each in group.unknowns if self._context.value_before(each) is None]
        about = {self._card_words.literals.fact(each).unknown for each in literals}
        others = [each for each in opened if each not in about]
        if len(opened) != TWO_OPEN or len(others) != 1:
            return ""
        values = self._context.values_left(others[0])
        if not 1 < len(values) <= FEW_VALUES:
            return ""
        text = self._card_words.values_text(others[0], values)
        fact = ValueLiteral(others[0], values[0])
        return self._card_words.words.remaining([fact], text)

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
            return self._card_words.sum_name(source)
        return self._card_words.group(source)

    def _total(self, source: Card | SumGroup) -> int:
        return source.total if isinstance(source, SumGroup) else source.low


def _added(values: Iterable[object]) -> str:
    """Return numbers that are added: `1+2`."""
    return "+".join(map(str, values))


def _together(values: Sequence[object]) -> str:
    """Return numbers that stand together: `1 and 2`, `1·2·6`."""
    texts = list(map(str, values))
    return and_list(texts) if len(texts) < 3 else "·".join(texts)
