"""How hard a puzzle is, as a number: the steps of its explanation, and how few of them were open at
each moment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Literal

from puzzlekit.reasons.instances import Step

# What a step costs: by its tier, or for a look at a whole shape; for further instances, squared,
# and for each fact it needs.
TIERS = {1: 0.1, 2: 3.0, 3: 5.0, 4: 15.0}
SHAPE = 2.0
INSTANCE = 1.0
REASON = 0.02
LEVELS = {"easy": 0, "medium": 3, "hard": inf}  # the most steps of a higher tier than the first
Status = Literal["solved", "stuck", "unsatisfiable", "running"]


@dataclass(frozen=True)
class Rating:
    """The difficulty of a puzzle.

    Attributes:
        score: The cost of all steps; a step counts up to twice where few were open.
        tier: The highest tier of a step; 0 if there is none.
        steps: The number of steps of each tier.
        narrowest: How many steps were open where they were fewest; 0 if there is none.
        status: `solved` if the steps lead to the only solution; `stuck` if there are several,
            `unsatisfiable` if there is none; `running` if there was no time for all steps.
    """

    score: float
    tier: int
    steps: Mapping[int, int]
    narrowest: int
    status: Status

    @property
    def solved(self) -> bool:
        """Whether the steps lead to the only solution."""
        return self.status == "solved"

    @property
    def level(self) -> str | None:
        """How hard it is in a word: `easy`, `medium` or `hard`; None if the steps do not lead to
        the only solution.
        """
        if not self.solved:
            return None
        hard = 0
        for tier, count in self.steps.items():
            if tier > 1:
                hard += count
        return next(name for name, most in LEVELS.items() if hard <= most)

    def json(self) -> dict[str, Any]:
        """Return it as plain data."""
        steps = {str(tier): count for tier, count in self.steps.items()}
        return {
            "level": self.level,
            "score": self.score,
            "tier": self.tier,
            "steps": steps,
            "narrowest": self.narrowest,
            "status": self.status,
        }


def rate(steps: Sequence[Step], status: Status) -> Rating:
    """Return the difficulty of a puzzle with these steps. Reading what is given is no step."""
    rated = [step for step in steps if step.reasons or step.tier > 1]
    tiers = Counter(step.tier for step in rated)
    score = 0.0
    for step in rated:
        score += _cost(step) * (1 + 1 / step.open)
    narrowest = min((step.open for step in rated), default=0)
    hardest = max(tiers, default=0)
    counts = dict(sorted(tiers.items()))
    return Rating(round(score, 1), hardest, counts, narrowest, status)


def _cost(step: Step) -> float:
    is_of_shape = step.tier == 1 and step.instances[0].shape
    cost = SHAPE if is_of_shape else TIERS[step.tier]
    if step.tier > 2:  # one long trial is harder than several short ones
        further_instances = len(step.instances) - 1
        cost += INSTANCE * further_instances**2
    return cost + REASON * len(step.reasons)
