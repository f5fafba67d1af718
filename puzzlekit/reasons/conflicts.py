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
from puzzlekit.sentences import (
    CannotHold,
    ConflictingRules,
    Decides,
    NorThese,
    NothingDecides,
    OneSolution,
    RuleItem,
    RuleList,
    Sentence,
    TwoSolutions,
    counted,
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
        cells: list[Cell] = []
        for rule in self.conflicts[0] if self.conflicts else ():
            cells += rule.cells
        for fact, _ in self.differences:
            cells += fact.cells
        return tuple(dict.fromkeys(cells))

    def json(self) -> dict[str, Any]:
        """Return it as plain data."""
        conflicts = [[rule.json() for rule in conflict] for conflict in self.conflicts]
        differences = [[first.text, second.text] for first, second in self.differences]
        return {
            "solutions": self.solutions,
            "conflicts": conflicts,
            "smallest": self.smallest,
            "differences": differences,
            "decides": None if self.decides is None else self.decides.text,
            "text": self.text,
        }


def conflict(explainer: Explainer, most: int = 1) -> Conflict:
    """Return why a puzzle has no solution, or several; at most so many conflicts.

    Raises Stopped.
    """
    model = explainer.solver.model(explainer.solver.all_selectors)
    if model is None:
        return _none(explainer, most)
    another = explainer.another_model((), model)
    if another is None:
        return Conflict("one", OneSolution())
    return _several(explainer, model, another)


def _none(explainer: Explainer, most: int) -> Conflict:
    muses, smallest = _muses(explainer, most)
    by_selector = explainer.assumption_model.by_selector
    conflicts = []
    for mus in muses:
        rules = explainer.rules(by_selector[selector] for selector in mus)
        conflicts.append(tuple(rules))
    head = CannotHold.RULES.about(len(conflicts[0]))
    lists = [RuleList(tuple(RuleItem(str(rule)) for rule in rules)) for rules in conflicts]
    sentence = ConflictingRules(head, lists[0], tuple(map(NorThese, lists[1:])))
    return Conflict("none", sentence, tuple(conflicts), smallest)


def _muses(explainer: Explainer, most: int) -> tuple[list[list[int]], bool]:
    """Return minimal sets of turns of rules that cannot all hold, the smallest first, and whether
    no set is smaller than the first.

    Further sets lack a turn of each set before.
    """
    muses: list[list[int]] = []
    pending: list[tuple[int, ...]] = [()]  # turns that are left out
    seen: set[tuple[int, ...]] = set()
    smallest = False
    for without in pending:
        if len(muses) == most:
            break
        if without in seen:
            continue
        seen.add(without)
        try:
            check()
            mus_and_proof = explainer.mus((), {*without})
        except Stopped:
            if muses:
                break  # those so far are an answer when the time is up
            raise
        if mus_and_proof is None:
            continue
        mus, is_smallest = mus_and_proof
        smallest |= is_smallest and not without
        if mus not in muses:
            muses.append(mus)
        pending += [tuple(sorted((*without, turn))) for turn in mus]
    return sorted(muses, key=len), smallest


def _several(
    explainer: Explainer, model: Collection[int], another_model: Collection[int]
) -> Conflict:
    """Return where two solutions differ that differ as little as was found in a few tries."""
    pairs = _differences(explainer, model, another_model)
    literals = explainer.assumption_model.literals
    fact_text = explainer.words.fact_text
    differences = []
    for first, second in pairs:
        differences.append((fact_text(literals.fact(first)), fact_text(literals.fact(second))))
    values = [literal for pair in pairs for literal in pair]
    decisive_literal = _decides(explainer, values[:DECIDING])
    decisive_fact = None
    clue: Sentence | None = None
    if decisive_literal is not None:
        decisive_fact = fact_text(literals.fact(decisive_literal))
        clue = Decides(decisive_fact.text)
    elif len(values) <= DECIDING:
        clue = NothingDecides()
    texts = []
    for solution in zip(*pairs):
        facts = explainer.facts(solution)
        texts.append(explainer.words.facts(facts, NAMED_DIFFERENCES))
    count = counted(len(pairs), "place")
    sentence = TwoSolutions(count, texts[0], texts[1], clue, explainer.aside)
    return Conflict("several", sentence, differences=tuple(differences), decides=decisive_fact)


def _differences(
    explainer: Explainer, model: Collection[int], another_model: Collection[int]
) -> list[tuple[int, int]]:
    """Return the values in which a solution and a similar one differ, in pairs."""
    literals = explainer.assumption_model.literals
    solution = explainer.solution(model)
    similar = _similar_solution(explainer, solution, another_model)
    similar_values = {literals.fact(literal).unknown: literal for literal in similar}
    differing = [literal for literal in solution if literal not in similar]
    return [(literal, similar_values[literals.fact(literal).unknown]) for literal in differing]


def _similar_solution(
    explainer: Explainer, solution: list[int], another_model: Collection[int]
) -> set[int]:
    """Return the values of another solution that differs in few: a greedy search from another
    model on.
    """
    solver = explainer.solver
    similar = {*explainer.solution(another_model)}
    switch = explainer.assumption_model.literals.fresh()
    solver.add([*(-literal for literal in solution), -switch])
    agreed = [literal for literal in solution if literal in similar]
    for literal in solution:
        if literal in similar:
            continue
        check()
        model = solver.model([*solver.all_selectors, *agreed, literal, switch])
        if model is not None:
            similar = {*explainer.solution(model)}
            agreed = [value for value in solution if value in similar]
    solver.add([-switch])
    return similar


def _decides(explainer: Explainer, literals: list[int]) -> int | None:
    """Return the first of these literals that leaves one solution."""
    solver = explainer.solver
    for literal in literals:
        check()
        model = solver.model([*solver.all_selectors, literal])
        if model is not None and explainer.another_model([literal], model) is None:
            return literal
    return None
