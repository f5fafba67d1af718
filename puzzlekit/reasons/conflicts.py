"""Why a puzzle has no solution, or several: a smallest conflict of rules and givens, or where two
solutions differ.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

from puzzlekit.boards import Cell
from puzzlekit.clock import check
from puzzlekit.errors import Stopped
from puzzlekit.reasons.explainer import Explainer
from puzzlekit.reasons.words import FactText, RuleInstance
from puzzlekit.sentences.formatting import counted
from puzzlekit.sentences.sentence import Sentence
from puzzlekit.sentences.verdicts import (
    CannotHold,
    ConflictingRules,
    Decides,
    NorThese,
    NothingDecides,
    OneSolution,
    RuleItem,
    RuleList,
    TwoSolutions,
)

NAMED_DIFFERENCES = 8  # places that the text names
DECIDING = 200  # places that are tried as the clue that decides


@dataclass(frozen=True)
class Conflict:
    """What keeps a puzzle from having one solution.

    Attributes:
        solutions: How many solutions there are: `none`, `one` or `several`.
        sentence: The same as a sentence, with its parts.
        conflicts: If there is none: sets of rules and givens that cannot all hold, of which none
            can be left out; the first is the smallest that was found.
        smallest: Whether no conflict is smaller than the first.
        differences: If there are several: where the two nearest that were found differ, as the
            facts of one and of the other.
        decides: If there are several: a fact that leaves one solution, if it is given; None if no
            single one does.
    """

    solutions: Literal["none", "one", "several"]
    sentence: Sentence
    conflicts: tuple[tuple[RuleInstance, ...], ...] = ()
    smallest: bool = False
    differences: tuple[tuple[FactText, FactText], ...] = ()
    decides: FactText | None = None

    def __bool__(self) -> bool:
        return self.solutions != "one"

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """The same in words."""
        return str(self.sentence)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the first conflict, or where the solutions differ."""
        rules = [
            cell for rule in (self.conflicts[0] if self.conflicts else ()) for cell in rule.cells
        ]
        return tuple(
            dict.fromkeys((*rules, *(cell for one, _ in self.differences for cell in one.cells)))
        )

    def json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "solutions": self.solutions,
            "conflicts": [
                [
                    {"rule": rule.rule, "where": rule.where, "cells": list(map(str, rule.cells))}
                    for rule in own
                ]
                for own in self.conflicts
            ],
            "smallest": self.smallest,
            "differences": [[one.text, other.text] for one, other in self.differences],
            "decides": None if self.decides is None else self.decides.text,
            "text": self.text,
        }


def conflict(explainer: Explainer, most: int = 1) -> Conflict:
    """Return why a puzzle has no solution, or several; at most so many conflicts. Raises Stopped."""
    asking = explainer.solver
    model = asking.model(asking.all_selectors)
    if model is None:
        return _none(explainer, most)
    other = explainer.another_model((), model)
    if other is None:
        return Conflict("one", OneSolution())
    return _several(explainer, model, other)


def _none(understood: Explainer, most: int) -> Conflict:
    found: list[list[int]] = []
    waiting: list[tuple[int, ...]] = [()]
    seen: set[tuple[int, ...]] = set()
    smallest = False
    for without in waiting:
        if len(found) == most:
            break
        if without in seen:
            continue
        seen.add(without)
        try:
            check()
            clash = understood.mus((), {*without})
        except Stopped:
            if found:
                break  # those so far are an answer when the time is up
            raise
        if clash is None:
            continue
        some, known = clash
        smallest |= known and not without
        if some not in found:
            found.append(some)
        waiting += [tuple(sorted((*without, one))) for one in some]
    found.sort(key=len)
    conflicts = tuple(
        tuple(understood.rules(understood.assumption_model.by_selector[one] for one in own)) for own in found
    )
    head = CannotHold.RULES.about(len(conflicts[0]))
    lists = tuple(RuleList(tuple(RuleItem(str(rule)) for rule in rules)) for rules in conflicts)
    sentence = ConflictingRules(head, lists[0], tuple(map(NorThese, lists[1:])))
    return Conflict("none", sentence, conflicts, smallest)


def _several(understood: Explainer, one: Collection[int], other: Collection[int]) -> Conflict:
    """Return where two solutions differ that differ as little as was found in a few tries."""
    first = understood.solution(one)
    nearest = _nearer(understood, first, other)
    literals = understood.assumption_model.literals
    unknowns = {literals.fact(literal).unknown: literal for literal in nearest}
    pairs = [
        (literal, unknowns[literals.fact(literal).unknown])
        for literal in first
        if literal not in nearest
    ]
    say = understood.words.fact_text
    differences = tuple((say(literals.fact(a)), say(literals.fact(b))) for a, b in pairs)
    values = [literal for pair in pairs for literal in pair]
    decides = _decides(understood, values[:DECIDING])
    fact = None if decides is None else say(literals.fact(decides))
    said = [
        understood.words.facts(map(literals.fact, own), NAMED_DIFFERENCES) for own in zip(*pairs)
    ]
    clue: Sentence | None = None
    if fact is not None:
        clue = Decides(fact.text)
    elif len(values) <= DECIDING:
        clue = NothingDecides()
    places = counted(len(pairs), "place")
    sentence = TwoSolutions(places, said[0], said[1], clue, understood.aside)
    return Conflict("several", sentence, differences=differences, decides=fact)


def _nearer(understood: Explainer, first: list[int], other: Collection[int]) -> set[int]:
    """Return the values of a solution that differs from the first in few places: a greedy search
    from another one on.
    """
    asking = understood.solver
    best = {*understood.solution(other)}
    literals = understood.assumption_model.literals
    switch = literals.fresh()
    asking.add([*(-literal for literal in first), -switch])
    agreed = [literal for literal in first if literal in best]
    for literal in first:
        if literal in best:
            continue
        check()
        model = asking.model([*asking.all_selectors, *agreed, literal, switch])
        if model is not None:
            best = {*understood.solution(model)}
            agreed = [own for own in first if own in best]
    asking.add([-switch])
    return best


def _decides(understood: Explainer, literals: list[int]) -> int | None:
    """Return the first of these literals that leaves one solution."""
    asking = understood.solver
    for literal in literals:
        check()
        model = asking.model([*asking.all_selectors, literal])
        if model is not None and understood.another_model([literal], model) is None:
            return literal
    return None
