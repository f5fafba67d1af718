"""Where things are, and lists of that."""

from __future__ import annotations

import re
from collections.abc import Sequence

from puzzlekit.dataclass import dataclass
from puzzlekit.sentences.formatting import MOST_NAMED, and_list

CELL_NAME = re.compile(r"r(\d+)c(\d+)")
CORNER = re.compile("at the (.*) corner of")
DIAGONAL = ("upper left", "upper right", "lower left", "lower right")
# the prepositions of all sides of a square and of a hexagon, and of all corners of a square
AROUND = (
    {"above", "below", "left of", "right of"},
    {"left of", "right of", *(f"{direction} of" for direction in DIAGONAL)},
)
ALL_CORNERS = {f"at the {corner} corner of" for corner in DIAGONAL}
FEWEST_IN_RANGE = 3  # cells that are told as `r1c1–r1c3`

Point = tuple[int, int]  # the row and the column of a cell


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
    """Return locations as a list in which those after the same preposition stand together, or
    those before the same index.

    Examples:
        >>> left, top = "left of", "above"
        >>> grouped_list([Located(top, "r1c1"), Located(left, "r2c1"), Located(top, "r1c2")])
        'above r1c1 and r1c2 and left of r2c1'
        >>> grouped_list([Located(top, "r1c1"), Located(left, "r1c1")])
        'above and left of r1c1'
    """
    by_preposition: dict[str, list[str]] = {}
    for subject in _joined_at_index(subjects):
        by_preposition.setdefault(subject.preposition, []).append(subject.index)
    locations: list[Located] = []
    for preposition, indexes in by_preposition.items():
        locations += [Located(preposition, index) for index in with_ranges(indexes)]
    is_short = most is None or len(locations) <= most + 1
    named = locations if is_short else locations[:most]
    groups = []
    for preposition in by_preposition:
        group = [each.index for each in named if each.preposition == preposition]
        if preposition and group:
            groups.append(str(Located(preposition, and_list(group, most))))
        else:
            groups += group
    unnamed = len(locations) - len(named)
    if unnamed == 0:
        return and_list(groups, most)
    return f"{', '.join(groups)} and {unnamed} more"


def _joined_at_index(subjects: Sequence[Located]) -> list[Located]:
    """Return locations, where those at one index are one if that leaves fewer groups."""
    by_index: dict[str, list[str]] = {}
    for subject in subjects:
        by_index.setdefault(subject.index, []).append(subject.preposition)
    prepositions = {subject.preposition for subject in subjects}
    if "" in prepositions or len(by_index) >= len(prepositions):
        return list(subjects)
    return [Located(joined_prepositions(each), index) for index, each in by_index.items()]


def joined_prepositions(prepositions: Sequence[str], conjunction: str = "and") -> str:
    """Return several prepositions before one index.

    Examples:
        >>> joined_prepositions(["above", "left of"], "or")
        'above or left of'
        >>> joined_prepositions(["above", "right of", "below", "left of"])
        'around'
        >>> joined_prepositions(["at the upper left corner of", "at the top corner of"])
        'at the upper left and top corners of'
    """
    if conjunction == "and" and {*prepositions} in AROUND:
        return "around"
    if conjunction == "and" and {*prepositions} == ALL_CORNERS:
        return "at all corners of"
    corners = [corner for each in prepositions for corner in CORNER.findall(each)]
    if len(corners) == len(prepositions) > 1 and conjunction == "and":
        return f"at the {and_list(corners, None)} corners of"
    text = and_list(list(prepositions), None)
    parts = text.rsplit(" and ", 1)
    return f" {conjunction} ".join(parts)


def with_ranges(indexes: Sequence[str]) -> list[str]:
    """Return indexes, where three cells or more that are a rectangle are told by its corners.

    Examples:
        >>> with_ranges(["r1c1", "r1c2", "r3c4", "r4c4", "r1c3"])
        ['r1c1–r1c3', 'r3c4', 'r4c4']
    """
    points: dict[str, Point] = {}
    for index in indexes:
        cell = CELL_NAME.fullmatch(index)
        if cell is not None:
            points[index] = int(cell[1]), int(cell[2])
    remaining = set(points.values())
    ranges: dict[Point, str] = {}  # by each of their cells
    for first in sorted(remaining):
        if first not in remaining:
            continue
        last, cells = _rectangle(first, remaining)
        if len(cells) >= FEWEST_IN_RANGE:
            remaining -= cells
            text = f"r{first[0]}c{first[1]}–r{last[0]}c{last[1]}"
            ranges.update(dict.fromkeys(cells, text))
    texts = (ranges.get(points[index], index) if index in points else index for index in indexes)
    return list(dict.fromkeys(texts))


def _rectangle(first: Point, points: set[Point]) -> tuple[Point, set[Point]]:
    """Return the last cell, and all cells, of the largest rectangle of these that begins with one
    of them.
    """
    best = {first}
    last = row, column = first
    right = None
    while (row, column) in points:
        end = column
        while (row, end + 1) in points and (right is None or end < right):
            end += 1
        right = end
        rows = range(first[0], row + 1)
        columns = range(column, right + 1)
        cells = {(r, c) for r in rows for c in columns}
        if len(cells) > len(best):
            best, last = cells, (row, right)
        row += 1
    return last, best
