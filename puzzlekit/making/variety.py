"""How much two solutions have in common, beyond chance, and solutions that are spread over all."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import Any

from puzzlekit.api import Solution
from puzzlekit.dataclass import dataclass
from puzzlekit.reasons import AssumptionSolver

ALIKE = 0.5  # the similarity from which two solutions are too much alike for one set
ANCHORS = 10  # random literals that a random solution begins with
ATTEMPTS = 20  # to find them

UnknownValue = tuple[str, Any, Any]  # an unknown, its index, and its value


@dataclass(frozen=True)
class Outline:
    """The values of a solution that say something: a Boolean unknown that is false says nothing.

    Attributes:
        facts: The values.
        alternatives: How many values all unknowns can have together; one for each Boolean unknown.
    """

    facts: frozenset[UnknownValue]
    alternatives: int

    def similarity(self, second: Outline) -> float:
        """Return the share of values that both have, beyond the share that they have by chance.

        It is 1 for equal solutions, about 0 for two that were drawn independently, and negative
        for opposite ones. (Cohen's kappa, for sets.)
        """
        smaller = min(len(self.facts), len(second.facts))
        alternatives = max(self.alternatives, second.alternatives, 1)
        by_chance = len(self.facts) * len(second.facts) / alternatives
        if smaller <= by_chance:
            return float(self.facts == second.facts)
        return (len(self.facts & second.facts) - by_chance) / (smaller - by_chance)

    def greatest_similarity(self, outlines: Collection[Outline]) -> float:
        """Return the similarity to the one of several outlines that is most alike."""
        return max((self.similarity(outline) for outline in outlines), default=-1.0)


def outline_of(solution: Solution) -> Outline:
    """Return the outline of a solution."""
    instance = solution.instance
    facts: set[UnknownValue] = set()
    alternatives = 0
    for unknowns in instance.type.unknowns:
        if unknowns.auxiliary:
            continue
        for index, variable in instance.families[unknowns.name].members.items():
            value = solution.assignment[variable]
            is_boolean = isinstance(value, bool)
            alternatives += 1 if is_boolean else len(instance.model.domains[variable])
            if not is_boolean or value:
                facts.add((unknowns.name, index, value))
    return Outline(frozenset(facts), alternatives)


def anchors(
    solver: AssumptionSolver, assumed: Sequence[int], literals: Sequence[int], random: Random
) -> list[int]:
    """Return random literals that are true together in some model of what is assumed.

    A search that prefers random values is led by its order of decisions: the first unknowns are
    drawn, and the others follow from them. From random literals, searches lead to solutions that
    are spread over all.

    Raises ConflictBudgetExceeded.
    """
    chosen: list[int] = []
    for literal in random.sample(literals, min(ATTEMPTS, len(literals))):
        if len(chosen) == ANCHORS:
            break
        if solver.possible([*assumed, *chosen, literal]):
            chosen.append(literal)
    return chosen
