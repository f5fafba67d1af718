"""What is known before the first step, and what of it a reader does not see."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from puzzlekit.boards import Grid
from puzzlekit.dataclass import dataclass
from puzzlekit.lang import Instance
from puzzlekit.model import Comparison, Constant, Term, Value, Variable
from puzzlekit.reasons.deductions import Deduction, Pattern
from puzzlekit.reasons.explainer import Explainer
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.places import value_text

COST = 1.1  # of a look at candidates of which there is only one


@dataclass(frozen=True)
class StartingFacts:
    """What rules about a single unknown state.

    Attributes:
        displayed: The literals that a reader sees: givens, and all that does not hold.
        candidates: The other literals, such as the only rectangle that holds a clue: a deduction
            for each rule that states some.
    """

    displayed: tuple[int, ...]
    candidates: tuple[Deduction, ...]


def starting_facts(explainer: Explainer, choices: Collection[Variable] = ()) -> StartingFacts:
    """Return what rules about a single unknown state.

    Args:
        explainer: The explainer of the puzzle.
        choices: Unknowns that are taken only by steps, with what they mean for cells.
    """
    displayed: list[int] = []
    by_rule: dict[str, dict[int, GroundRule]] = {}
    stating = _stating_rules(explainer)
    for literal, instance in explainer.givens.items():
        fact = explainer.assumption_model.literals.fact(literal)
        if fact.unknown in choices and fact.value is True:
            continue
        is_lemma = str(instance.origin.position) in stating
        if is_lemma or not _is_displayed(explainer, literal, instance):
            by_rule.setdefault(instance.origin.rule, {})[literal] = instance
        else:
            displayed.append(literal)
    candidates = []
    for instances in by_rule.values():
        of_rule = tuple(dict.fromkeys(instances.values()))
        candidates.append(
            Deduction(Pattern.ONLY_CANDIDATE, COST, tuple(instances), instances=of_rule)
        )
    return StartingFacts(tuple(displayed), tuple(candidates))


def _stating_rules(explainer: Explainer) -> set[str]:
    """Return the positions of the rules that only state truths, and whose names show loop values:
    they are reasons, such as what other rules mean for a clue, which a reader has to be told.
    """
    stating: set[str] = set()
    further: set[str] = set()
    for instance in explainer.assumption_model.instances:
        is_reason = instance.origin.values_in_name and explainer.is_about_truth(instance)
        positions = stating if is_reason else further
        positions.add(str(instance.origin.position))
    return stating - further


def _is_displayed(explainer: Explainer, literal: int, instance: GroundRule) -> bool:
    """Return whether a reader sees a fact, or does not have to: it does not hold, its clue stands
    where it is, or its rule says just that.
    """
    fact = explainer.assumption_model.literals.fact(literal)
    rule = explainer.rule(instance)
    is_denial = not fact.positive or fact.value is False
    if is_denial or explainer.words.is_hidden(fact.unknown):
        return True
    clues = [index for _, index in rule.clues]
    is_beside = rule.has_clue and not rule.names_values  # a clue beside a line stands at no cell
    if clues or is_beside:
        return explainer.words.position(fact.unknown) in clues
    return any(_states(condition, fact.unknown, fact.value) for condition in instance.conditions)


def _states(condition: Term, unknown: Variable, value: Value) -> bool:
    """Return whether a condition is nothing but that an unknown has a value."""
    if not isinstance(condition, Comparison) or condition.operator != "==":
        return condition == unknown
    sides = (condition.left, condition.right)
    constants = [side.constant for side in sides if isinstance(side, Constant)]
    if unknown not in sides:
        return False
    same_type = [each for each in constants if type(each) is type(value)]
    return value in same_type


def single_values(explainer: Explainer) -> dict[Variable, Value]:
    """Return the values of unknowns that can have only one from the start, and which the data do
    not show where they are.
    """
    puzzle, words = explainer.puzzle, explainer.words
    values: dict[Variable, Value] = {}
    for unknown in puzzle.model.visible():
        domain = puzzle.model.domains[unknown]
        if len(domain) != 1 or domain[0] is False:
            continue
        if not is_in_data(puzzle, words.position(unknown), domain[0]):
            values[unknown] = domain[0]
    return values


def is_in_data(puzzle: Instance, index: object, value: Value) -> bool:
    """Return whether the data show a value at an index, or as a field."""
    text = value_text(value)
    for entry in puzzle.data.values():
        content: Any = entry.values if isinstance(entry, Grid) else entry
        if isinstance(content, Mapping):
            content = content.get(index)
        if content is not None and value_text(content) == text:
            return True
    return False
