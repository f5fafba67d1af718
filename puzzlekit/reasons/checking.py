"""Check marks on a board in the making: right so far, against a rule, or without a solution."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from puzzlekit.boards import Cell
from puzzlekit.reasons.explainer import Explainer
from puzzlekit.reasons.instances import GroundRule, shrink
from puzzlekit.reasons.literals import TRUE, ValueLiteral
from puzzlekit.reasons.words import FactText, RuleInstance
from puzzlekit.sentences import (
    AllOfThis,
    BreaksRule,
    IsSolution,
    LeadsNowhere,
    NoSolutionAtAll,
    RightSoFar,
    Sentence,
    SolutionsLeft,
)

Verdict = Literal["ok", "violates", "dead_end"]


@dataclass(frozen=True)
class Check:
    """What is to be said of marks, without giving the solution away.

    Attributes:
        verdict: `ok`, if a solution continues the marks; `violates`, if they violate a rule by
            themselves; `dead_end`, if no rule is violated and yet no solution continues them.
        rules: The rules that are broken or that leave no solution.
        facts: The facts to blame, which the player wrote, of which none can be left out.
        several: Whether more than one solution continues the marks; None if there is none.
        complete: Whether the marks are a complete solution, or would be if they were right.
        sentence: The judgement as a sentence, with its parts.
    """

    verdict: Verdict
    rules: tuple[RuleInstance, ...]
    facts: tuple[FactText, ...]
    several: bool | None
    complete: bool
    sentence: Sentence

    def __bool__(self) -> bool:
        return self.verdict == "ok"

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """The judgement in words."""
        return str(self.sentence)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the marks to blame and of the broken rules."""
        described: list[FactText | RuleInstance] = [*self.facts, *self.rules]
        cells: dict[Cell, None] = {}
        for text in described:
            cells.update(dict.fromkeys(text.cells))
        return tuple(cells)

    def json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "verdict": self.verdict,
            "rules": [rule.json() for rule in self.rules],
            "facts": [fact.text for fact in self.facts],
            "several": self.several,
            "complete": self.complete,
            "text": self.text,
        }


def check(explainer: Explainer, marks: Sequence[ValueLiteral]) -> Check:
    """Return what is to be said of marks. Raises Stopped."""
    literals = list(map(explainer.assumption_model.literals.of_fact, marks))
    marked = {fact.unknown for fact in marks if fact.positive}
    complete = all(variable in marked for variable in explainer.assumption_model.goal)
    if broken := _broken(explainer, literals):
        return _violation(explainer, broken, literals, complete)
    solver = explainer.solver
    model = solver.model([*solver.all_selectors, *literals])
    if model is None:
        return _dead_end(explainer, literals, complete)
    several = explainer.another_model(literals, model) is not None
    sentence: Sentence = IsSolution(explainer.aside)
    if several or not complete:
        solutions = SolutionsLeft.LEFT.about(2 if several else 1)
        sentence = RightSoFar(solutions, explainer.aside)
    return Check("ok", (), (), several, complete, sentence)


def _violation(
    explainer: Explainer,
    broken: Sequence[tuple[GroundRule, list[int]]],
    marks: Sequence[int],
    complete: bool,
) -> Check:
    """Return that marks break rules; the marks to blame are those for the first rule."""
    instance, blamed = broken[0]
    rules = tuple(explainer.rule(rule) for rule, _ in broken)
    blamed_marks = explainer.facts(literal for literal in blamed if literal in marks)
    facts = explainer.words.facts(explainer.facts(blamed))
    sentence = BreaksRule(str(explainer.rule(instance)), facts)
    fact_texts = tuple(map(explainer.words.fact_text, blamed_marks))
    return Check("violates", rules, fact_texts, None, complete, sentence)


def _broken(explainer: Explainer, marks: Sequence[int]) -> list[tuple[GroundRule, list[int]]]:
    """Return the instances that marks break beside what is given, each with the fewest marks and
    givens for it.
    """
    trail: dict[int, int] = {TRUE: 0}
    source: dict[int, int] = {}
    for mark in (*explainer.givens, *marks):
        new = explainer.assumption_model.consequences([mark], trail)
        if new is None:  # it has another value: a rule may say so by itself
            if instances := _broken_alone(explainer, mark):
                return [(instance, [mark]) for instance in instances]
            continue
        for literal in new:
            trail.setdefault(literal, 0)
            source.setdefault(literal, mark)
    broken = []
    for instance in _instances_about(explainer, trail):
        reasons = instance.violated(trail)
        if reasons is not None:
            blamed = {source[reason] for reason in reasons}
            broken.append((instance, sorted(blamed, key=abs)))
    return broken


def _instances_about(explainer: Explainer, literals: Iterable[int]) -> list[GroundRule]:
    """Return the instances that literals are about, in order."""
    by_number: dict[int, GroundRule] = {}
    for literal in literals:
        for instance in explainer.assumption_model.about(literal):
            by_number[instance.number] = instance
    return [by_number[number] for number in sorted(by_number)]


def _broken_alone(explainer: Explainer, mark: int) -> list[GroundRule]:
    """Return the instances that a mark breaks alone."""
    consequences = explainer.assumption_model.consequences([mark], {TRUE: 0}) or {}
    instances = _instances_about(explainer, consequences)
    fails = explainer.solver.fails
    return [instance for instance in instances if fails([instance.selector, mark])]


def _dead_end(explainer: Explainer, marks: Sequence[int], complete: bool) -> Check:
    """Return the smallest set of marks and rules with which there is no solution."""
    blamed, selectors = _blamed(explainer, marks)
    by_selector = explainer.assumption_model.by_selector
    rules = tuple(explainer.rules(by_selector[selector] for selector in selectors))
    facts = explainer.facts(blamed)
    sentence: Sentence = NoSolutionAtAll()
    if facts:
        these = AllOfThis.FACTS.about(len(facts))
        sentence = LeadsNowhere(these, explainer.words.facts(facts))
    fact_texts = tuple(map(explainer.words.fact_text, facts))
    return Check("dead_end", rules, fact_texts, None, complete, sentence)


def _blamed(explainer: Explainer, marks: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the fewest marks with which there is no solution, then the fewest instances."""
    solver = explainer.solver
    core = solver.core([*solver.all_selectors, *marks]) or []
    blamed = [literal for literal in core if literal not in explainer.assumption_model.by_selector]

    def contradicts(subset: Sequence[int]) -> bool:
        return not solver.possible([*solver.all_selectors, *subset])

    blamed = shrink(blamed, contradicts)
    mus = explainer.mus(blamed)
    return blamed, [] if mus is None else mus[0]
