"""Marks on a board in the making are judged: right so far, against a rule, or without a solution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from puzzlekit.boards import Cell
from puzzlekit.reasons.explainer import Explainer
from puzzlekit.reasons.instances import GroundRule, shrink
from puzzlekit.reasons.literals import TRUE, ValueLiteral
from puzzlekit.reasons.words import FactText, RuleInstance
from puzzlekit.sentences.sentence import Sentence
from puzzlekit.sentences.verdicts import (
    AllOfThis,
    BreaksRule,
    IsSolution,
    LeadsNowhere,
    NoSolutionAtAll,
    RightSoFar,
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
        marks: The marks to blame, of which none can be left out.
        several: Whether more than one solution continues the marks; None if there is none.
        complete: Whether the marks are a whole solution, or would be if they were right.
        sentence: The judgement as a sentence, with its parts.
    """

    verdict: Verdict
    rules: tuple[RuleInstance, ...]
    marks: tuple[FactText, ...]
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
        parts: list[FactText | RuleInstance] = [*self.marks, *self.rules]
        return tuple(dict.fromkeys(cell for part in parts for cell in part.cells))

    def json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "verdict": self.verdict,
            "rules": [
                {"rule": rule.rule, "where": rule.where, "cells": list(map(str, rule.cells))}
                for rule in self.rules
            ],
            "marks": [mark.text for mark in self.marks],
            "several": self.several,
            "complete": self.complete,
            "text": self.text,
        }


def check(explainer: Explainer, marks: Sequence[ValueLiteral]) -> Check:
    """Return what is to be said of marks. Raises Stopped."""
    literals = [explainer.assumption_model.literals.of_fact(fact) for fact in marks]
    marked = {fact.unknown for fact in marks if fact.positive}
    complete = all(variable in marked for variable in explainer.assumption_model.goal)
    if broken := _broken(explainer, literals):
        instance, blamed = broken[0]
        rules = [explainer.rule(one) for one, _ in broken]
        own = [one for one in blamed if one in literals]
        statements = [
            explainer.words.fact_text(explainer.assumption_model.literals.fact(one)) for one in own
        ]
        said = explainer.words.facts(explainer.assumption_model.literals.fact(one) for one in blamed)
        breaks = BreaksRule(str(explainer.rule(instance)), said)
        return Check("violates", tuple(rules), tuple(statements), None, complete, breaks)
    asking = explainer.solver
    model = asking.model([*asking.all_selectors, *literals])
    if model is None:
        return _nowhere(explainer, literals, complete)
    several = explainer.another_model(literals, model) is not None
    sentence: Sentence = IsSolution(explainer.aside)
    if several or not complete:
        solutions = SolutionsLeft.LEFT.about(2 if several else 1)
        sentence = RightSoFar(solutions, explainer.aside)
    return Check("ok", (), (), several, complete, sentence)


def _broken(understood: Explainer, marks: Sequence[int]) -> list[tuple[GroundRule, list[int]]]:
    """Return the instances that marks break beside what is given, each with the fewest marks and
    givens for it.
    """
    known: dict[int, int] = {TRUE: 0}
    source: dict[int, int] = {}
    for mark in (*understood.givens, *marks):
        new = understood.assumption_model.consequences([mark], known)
        if new is None:  # it has another value: a rule may say so by itself
            if own := _against(understood, mark):
                return [(instance, [mark]) for instance in own]
            continue
        for literal in new:
            known.setdefault(literal, 0)
            source.setdefault(literal, mark)
    found = []
    near = {
        instance.number: instance
        for literal in known
        for instance in understood.assumption_model.about(literal)
    }
    for number in sorted(near):
        reasons = near[number].violated(known)
        if reasons is not None:
            found.append((near[number], sorted({source[one] for one in reasons}, key=abs)))
    return found


def _against(understood: Explainer, mark: int) -> list[GroundRule]:
    """Return the instances that a mark breaks alone."""
    guarded, asking = understood.assumption_model, understood.solver
    said = guarded.consequences([mark], {TRUE: 0}) or {}
    near = {instance.number: instance for literal in said for instance in guarded.about(literal)}
    return [near[number] for number in sorted(near) if asking.fails([near[number].selector, mark])]


def _nowhere(understood: Explainer, marks: Sequence[int], complete: bool) -> Check:
    """Return the smallest set of marks and rules with which there is no solution."""
    blamed, selectors = _blamed(understood, marks)
    rules = understood.rules(understood.assumption_model.by_selector[one] for one in selectors)
    facts = [understood.assumption_model.literals.fact(one) for one in blamed]
    said = understood.words.facts(facts)
    sentence: Sentence = NoSolutionAtAll()
    if facts:
        sentence = LeadsNowhere(AllOfThis.FACTS.about(len(facts)), said)
    return Check(
        "dead_end",
        tuple(rules),
        tuple(map(understood.words.fact_text, facts)),
        None,
        complete,
        sentence,
    )


def _blamed(understood: Explainer, marks: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the fewest marks with which there is no solution, then the fewest instances."""
    asking = understood.solver
    core = asking.core([*asking.all_selectors, *marks]) or []
    blamed = [one for one in core if one not in understood.assumption_model.by_selector]
    blamed = shrink(blamed, lambda some: not asking.possible([*asking.all_selectors, *some]))
    found = understood.mus(blamed)
    return blamed, [] if found is None else found[0]
