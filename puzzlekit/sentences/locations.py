"""Where things are, and lists of that."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.dataclass import dataclass
from puzzlekit.sentences.formatting import MOST_NAMED, and_list


@dataclass(frozen=True)
class Located:
    """Where a thing is.

    Attributes:
        preposition: What several things may share, such as `at` or `on the left of`; may be empty.
        index: The index in words.
    """

    preposition: str
    index: str

    def __str__(self) -> str:
        return f"{self.preposition} {self.index}" if self.preposition else self.index


def grouped_list(subjects: Sequence[Located], most: int | None = MOST_NAMED) -> str:
    """Return locations as a list in which those after the same preposition stand together.

    Examples:
        >>> left, top = "on the left of", "at the top of"
        >>> grouped_list([Located(top, "r1c1"), Located(left, "r2c1"), Located(top, "r1c2")])
        'at the top of r1c1 and r1c2 and on the left of r2c1'
    """
    is_short = most is None or len(subjects) <= most + 1
    named = subjects if is_short else subjects[:most]
    indexes: dict[str, list[str]] = {}  # by preposition; none for a text without one
    for subject in named:
        if subject.preposition:
            indexes.setdefault(subject.preposition, []).append(subject.index)
        else:
            indexes.setdefault(subject.index, [])
    groups = []
    for preposition, group in indexes.items():
        located = str(Located(preposition, and_list(group, most)))
        groups.append(located if group else preposition)
    unnamed = len(subjects) - len(named)
    if unnamed == 0:
        return and_list(groups, most)
    return f"{', '.join(groups)} and {unnamed} more"
