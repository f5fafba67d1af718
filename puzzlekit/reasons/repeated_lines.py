"""Lines of chains that an earlier step has, too: they are told once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from puzzlekit.dataclass import dataclass
from puzzlekit.sentences import LinesAgain

FEWEST = 3  # lines that are not told again


@dataclass(frozen=True)
class RepeatedLines:
    """The last lines of a chain, which an earlier step has in the same order.

    Attributes:
        step: The number of that step.
        start: How many lines of the chain come before them.
        first: The number of the first of them in that step.
        length: How many they are.
    """

    step: int
    start: int
    first: int
    length: int

    @property
    def text(self) -> str:
        """That they follow as there, with their numbers."""
        lines = f"{self.first}–{self.first + self.length - 1}"
        first, last = self.start + 1, self.start + self.length
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
        if not lines or lines[-1] not in numbers:
            continue
        last = numbers[lines[-1]]
        length = 1
        while length < len(lines) and numbers.get(lines[-length - 1]) == last - length:
            length += 1
        if length >= threshold:
            threshold = length + 1
            best = RepeatedLines(step, len(lines) - length, last - length + 1, length)
    return best
