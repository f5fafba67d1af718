"""Why a puzzle has no solution, or several: a smallest conflict of rules and givens, or where two
solutions differ.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal

from puzzlekit.backends import HittingSets
from puzzlekit.boards import Cell
from puzzlekit.clock import check
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import Stopped
from puzzlekit.reasons.explainer import Explainer
from puzzlekit.reasons.instances import shrink
from puzzlekit.reasons.words import FactText, RuleInstance
from puzzlekit.sentences import (
    BlamedClues,
    CannotHold,
    ClueChange,
    ConflictingRules,
    Decides,
    NorThese,
    OneSolution,
    RuleItem,
    RuleList,
    Sentence,
    TwoSolutions,
    and_list,
    counted,
)

NAMED_DIFFERENCES = 8  # places that the text names
DIFFERENCES = 150  # between solutions, of which the clues that decide are the fewest


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
        decides: If there are several: facts that leave one solution, if they are given; the fewest
            where that is soon known.
        clues: If there is none: the clues a change of which leaves a solution, as far as that is
            soon known.
    """

    solutions: Literal["none", "one", "several"]
    sentence: Sentence
    conflicts: tuple[tuple[RuleInstance, ...], ...] = ()
    smallest: bool = False
    differences: tuple[tuple[FactText, FactText], ...] = ()
    decides: tuple[FactText, ...] = ()
    clues: tuple[Any, ...] = ()

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

    def blaming(self, clues: tuple[Any, ...]) -> Conflict:
        """Return the same with the clues a change of which leaves a solution."""
        if not clues or not isinstance(self.sentence, ConflictingRules):
            return self
        blamed = BlamedClues(ClueChange.CLUES.about(len(clues)), and_list(list(map(str, clues))))
        sentence = ConflictingRules(
            self.sentence.head, self.sentence.rules, self.sentence.others, blamed
        )
        return replace(self, sentence=sentence, clues=clues)

    def json(self) -> dict[str, Any]:
        """Return it as plain data."""
        conflicts = [[rule.json() for rule in conflict] for conflict in self.conflicts]
        differences = [[first.text, second.text] for first, second in self.differences]
        decides = [fact.text for fact in self.decides]
        clues = [clue.json() for clue in self.clues]
        return {
            "solutions": self.solutions,
            "conflicts": conflicts,
            "smallest": self.smallest,
            "differences": differences,
            "decides": decides,
            "clues": clues,
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
    decisive = explainer.facts(_clues(explainer, model, pairs))
    clue = Decides(explainer.words.facts(decisive, NAMED_DIFFERENCES))
    texts = []
    for solution in zip(*pairs):
        facts = explainer.facts(solution)
        texts.append(explainer.words.facts(facts, NAMED_DIFFERENCES))
    count = counted(len(pairs), "place")
    sentence = TwoSolutions(count, texts[0], texts[1], clue, explainer.aside)
    decides = tuple(map(fact_text, decisive))
    return Conflict("several", sentence, differences=tuple(differences), decides=decides)


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


def _clues(
    explainer: Explainer, model: Collection[int], pairs: Sequence[tuple[int, int]]
) -> list[int]:
    """Return the values of one of two solutions that leave it alone, if they are given: the fewest
    where that is soon known.

    Args:
        explainer: The explainer.
        model: A model of the first solution.
        pairs: Where the solutions differ, the values of the first and of the second.
    """
    first = explainer.solution(model)
    seconds = dict(pairs)
    second = [seconds.get(literal, literal) for literal in first]
    clues = []
    for solution, literals in zip((first, second), zip(*pairs)):
        clues.append(_clues_to(explainer, solution, literals))
    return min(clues, key=len)


def _clues_to(explainer: Explainer, solution: list[int], difference: Sequence[int]) -> list[int]:
    """Return values of a solution that no further solution has.

    They hit each difference from a further solution. The smallest such set is known when a smallest
    hitting set of the differences seen so far leaves no further solution: the implicit hitting sets
    of Davies and Bacchus, "Solving MAXSAT by solving a sequence of simpler SAT instances" (2011).

    Args:
        explainer: The explainer.
        solution: The values of the solution.
        difference: Those that a further solution does not have.
    """
    with HittingSets() as hitting_sets:
        hitting_sets.add(list(difference))
        for _ in range(DIFFERENCES):
            check()
            clues = hitting_sets.smallest()
            another = explainer.another_model(clues, solution)
            if another is None:
                return sorted(clues)
            hitting_sets.add(_lacking(solution, another))
    while another is not None:  # too many: not the fewest
        check()
        clues.append(_lacking(solution, another)[0])
        another = explainer.another_model(clues, solution)
    return shrink(clues, lambda fewer: explainer.another_model(fewer, solution) is None)


def _lacking(solution: Iterable[int], model: Collection[int]) -> list[int]:
    """Return the values of a solution that a model does not have."""
    true = {*model}
    return [literal for literal in solution if literal not in true]
