"""The notation of the collection: pages of words, and how its solutions are compared with ours."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Rows = list[list[str]]


class Refused(Exception):
    """A puzzle that cannot be read, or that its type cannot express."""


@dataclass(frozen=True)
class Page:
    """A problem or a solution: the words of its first line, those of each line below it,
    and sections such as [lines].
    """

    head: list[str]
    rows: Rows
    sections: Mapping[str, Rows]

    @property
    def height(self) -> int:
        return self._side(0)

    @property
    def width(self) -> int:
        return self._side(1)

    def _side(self, place: int) -> int:
        if len(self.head) <= place or not self.head[place].isdigit():
            raise Refused(f"the first line has no size: {' '.join(self.head) or 'it is empty'}")
        return int(self.head[place])

    def board(self, number: int = 0, after: int = 0) -> Rows:
        """The board with this number (from 0), below the size and `after` lines of clues."""
        start = after + number * self.height
        found = self.rows[start : start + self.height]
        if len(found) < self.height or any(len(row) != self.width for row in found):
            widths = sorted({len(row) for row in found})
            raise Refused(
                f"{len(found)} rows of {widths} words, "
                f"where {self.height} of {self.width} are expected"
            )
        return found

    def cells(self, number: int = 0, after: int = 0, **signs: str | None) -> list[list[str | None]]:
        """That board as a value of a spec: - is an empty cell; `signs` replaces other words."""
        return cells(self.board(number, after), **signs)


def page(text: str) -> Page:
    """Read a problem or a solution. A line `unit 27` ends it, as a section such as [lines] does."""
    body, *sections = re.split(
        r"^[ \t]*\[(\w+)\][ \t]*$",
        re.sub(r"^unit.*", "", text, flags=re.MULTILINE),
        flags=re.MULTILINE,
    )
    head, *rows = _words(body)
    return Page(
        head, rows, {name: _words(part) for name, part in zip(sections[::2], sections[1::2])}
    )


def _words(text: str) -> Rows:
    """The words of each line. An empty line counts: it is a line of a nonogram without runs."""
    return [line.split() for line in text.removeprefix("\n").split("\n")]


def cells(rows: Rows, **signs: str | None) -> list[list[str | None]]:
    """A board as a value of a spec: - is an empty cell; `signs` replaces other words."""
    return [[signs.get(word, None if word == "-" else word) for word in row] for row in rows]


def line(words: Sequence[str]) -> list[int | None]:
    """A line of clues: a number each, or - for none."""
    wrong = next((word for word in words if word != "-" and not word.lstrip("-").isdigit()), None)
    if wrong is not None:
        raise Refused(f"{wrong} is not a number")
    return [None if word == "-" else int(word) for word in words]


# What the collection expects ----------------------------------------------------------------------

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Answer:
    """The collection's solution in a normal form,
    and how ours (`Solution.json()`) is brought into that form.
    """

    expected: Any
    found: Callable[[Json], Any]
    note: str = ""  # shown beside the reason if the puzzle does not agree


Case = tuple[Mapping[str, Any] | str, Answer]


@dataclass(frozen=True)
class Kind:
    """The type for a kind, and the converter from its two pages."""

    type: str
    convert: Callable[[Page, Page], Case]


def shaded(name: str, solution: Page, *signs: str) -> Answer:
    """The cells where a board of truth values is true:
    those with one of these words (x without any).
    """
    wanted = signs or ("x",)
    return Answer(_where(solution.board(), wanted), lambda json: _where(json[name], "#"))


def values(name: str, solution: Page, number: int = 0, **signs: str) -> Answer:
    """A board of numbers, letters or words; - and . are the same;
    `signs` replaces other words of the solution.
    """
    expected = [[signs.get(word, word) for word in row] for row in solution.board(number)]
    return Answer(_texts(expected), lambda json: _texts(json[name]))


def path(name: str, solution: Page) -> Answer:
    """Lines between neighbours: each cell of the solution says by n, e, s,
    w where lines leave it.
    """
    return Answer(
        lines_of(solution.board()),
        lambda json: frozenset(frozenset(map(str, pair)) for pair in json[name]),
    )


def parts(name: str, solution: Page, without: Collection[str] = ("-", ".")) -> Answer:
    """A board divided into parts, whatever the parts are called;
    cells with a word of `without` are in none.
    """
    return Answer(parts_of(solution.board(), without), lambda json: parts_of(json[name], without))


def every(*answers: Answer) -> Answer:
    """All of these answers."""
    return Answer(
        tuple(a.expected for a in answers), lambda json: tuple(a.found(json) for a in answers)
    )


def cell(row: int, column: int) -> str:
    """The name of a cell, from row 1 and column 1."""
    return f"r{row}c{column}"


STEPS = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}


def lines_of(rows: Rows) -> frozenset[frozenset[str]]:
    """The pairs of cells that lines join, from letters; a line must leave both its cells."""
    ends: dict[frozenset[str], int] = {}
    for r, row in enumerate(rows, 1):
        for c, word in enumerate(row, 1):
            for way in word if set(word) <= STEPS.keys() else ():
                down, right = STEPS[way]
                pair = frozenset((cell(r, c), cell(r + down, c + right)))
                ends[pair] = ends.get(pair, 0) + 1
    if half := sorted("-".join(sorted(pair)) for pair, count in ends.items() if count != 2):
        raise Refused(f"the lines of the collection's solution do not meet: {half[0]}")
    return frozenset(ends)


def parts_of(
    rows: Sequence[Sequence[Any]], without: Collection[str] = ()
) -> frozenset[frozenset[str]]:
    """The sets of cells that hold the same word."""
    found: dict[str, set[str]] = {}
    for r, row in enumerate(rows, 1):
        for c, word in enumerate(row, 1):
            if word is not None and str(word) not in without:
                found.setdefault(str(word), set()).add(cell(r, c))
    return frozenset(map(frozenset, found.values()))


def regions(rows: Rows) -> dict[str, list[str]]:
    """The cells of each region, in reading order."""
    found: dict[str, list[str]] = {}
    for r, row in enumerate(rows, 1):
        for c, word in enumerate(row, 1):
            found.setdefault(word, []).append(cell(r, c))
    return found


def _where(rows: Sequence[Sequence[Any]], wanted: Collection[Any]) -> tuple[tuple[bool, ...], ...]:
    return tuple(tuple(word in wanted for word in row) for row in rows)


def _texts(rows: Sequence[Sequence[Any]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple("." if word in (None, "-") else str(word) for word in row) for row in rows)
