"""Lines of chains that an earlier step has, too: they are told once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from puzzlekit.dataclass import dataclass
from puzzlekit.sentences import LinesAgain, and_list, number_ranges

FEWEST = 3  # lines that are not told again


@dataclass(frozen=True)
class RepeatedLines:
    """The last lines of a chain, which are among those of an earlier step.

    Attributes:
        step: The number of that step.
        start: How many lines of the chain come before them.
        numbers: Their numbers in that step.
    """

    step: int
    start: int
    numbers: tuple[int, ...]

    @property
    def text(self) -> str:
        """That they follow as there, with their numbers."""
        first, last = self.start + 1, self.start + len(self.numbers)
        lines = and_list(number_ranges(self.numbers), None)
        return f"{first}–{last}) {LinesAgain(lines, self.step)}"


def repeated_lines(
    lines: Sequence[str], earlier: Iterable[tuple[int, Mapping[str, int]]]
) -> RepeatedLines | None:
    """Return which of the last lines of a chain an earlier step has; of several steps, the one
    with most of them; None if they are few.

    Args:
        lines: The lines.
        earlier: The numbers of earlier steps, and of their lines by text.
    """
    best: RepeatedLines | None = None
    threshold = FEWEST
    for step, numbers in earlier:
        start = len(lines)
        while start > 0 and lines[start - 1] in numbers:
            start -= 1
        if len(lines) - start >= threshold:
            threshold = len(lines) - start + 1
            there = sorted(numbers[each] for each in lines[start:])
            best = RepeatedLines(step, start, tuple(there))
    return best
