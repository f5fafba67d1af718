"""How hard a puzzle is: the hardest pattern that its steps need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from puzzlekit.dataclass import dataclass
from puzzlekit.reasons.deductions import Pattern, PatternClass
from puzzlekit.reasons.narration import ExplainedStep
from puzzlekit.sentences import and_list, counted

LEVELS = tuple(pattern_class.level for pattern_class in PatternClass)  # the easiest first
CLASSES = tuple(PatternClass)

Status = Literal["solved", "stuck", "unsatisfiable", "running"]


@dataclass(frozen=True)
class Rating:
    """The difficulty of a puzzle.

    Attributes:
        score: The cost of all steps.
        patterns: How often each pattern was needed, the hardest first.
        steps: How many steps are of each class of patterns, by its name.
        status: `solved` if the steps lead to the only solution; `stuck` if there are several,
            `unsatisfiable` if there is none; `running` if there was no time for all steps.
    """

    score: float
    patterns: Mapping[Pattern, int]
    steps: Mapping[str, int]
    status: Status

    @property
    def solved(self) -> bool:
        """Whether the steps lead to the only solution."""
        return self.status == "solved"

    @property
    def hardest(self) -> PatternClass | None:
        """The hardest class of patterns that was needed; None if there was no step."""
        classes = [pattern.pattern_class for pattern in self.patterns]
        return max(classes, key=CLASSES.index, default=None)

    @property
    def level(self) -> str | None:
        """How hard the puzzle is in a word, from `easy` to `extreme`; None if the steps do not lead
        to the only solution.
        """
        if not self.solved:
            return None
        return LEVELS[0] if self.hardest is None else self.hardest.level

    @property
    def text(self) -> str:
        """The level, and the patterns of the hardest class, such as `hard: 1 X-wing`."""
        if self.level is None:
            return ""
        return f"{self.level}: {self.hardest_patterns}" if self.patterns else self.level

    @property
    def hardest_patterns(self) -> str:
        """The patterns of the hardest class, with how often each was needed."""
        named = [
            counted(number, pattern.text, pattern.plural)
            for pattern, number in self.patterns.items()
            if pattern.pattern_class is self.hardest
        ]
        return and_list(named, None)

    def json(self) -> dict[str, Any]:
        """Return it as plain data."""
        patterns = {pattern.text: number for pattern, number in self.patterns.items()}
        return {
            "level": self.level,
            "text": self.text,
            "score": self.score,
            "patterns": patterns,
            "steps": dict(self.steps),
            "status": self.status,
        }


def rate(steps: Sequence[ExplainedStep], status: Status) -> Rating:
    """Return the difficulty of a puzzle with these steps."""
    counts = Counter(step.pattern for step in steps)
    costs = {step.pattern: step.cost for step in steps}

    def hardness(pattern: Pattern) -> tuple[int, float]:
        return CLASSES.index(pattern.pattern_class), costs[pattern]

    patterns = {pattern: counts[pattern] for pattern in sorted(counts, key=hardness, reverse=True)}
    of_classes = Counter(step.pattern.pattern_class.text for step in steps)
    score = sum(step.cost for step in steps)
    return Rating(round(score, 1), patterns, of_classes, status)
