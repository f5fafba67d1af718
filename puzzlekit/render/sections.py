"""The paper of a document, and its sections: puzzles of one type. Sizes are in points."""

from __future__ import annotations

import re
from collections.abc import Sequence

from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, option
from puzzlekit.render.html_page import DocumentItem

INCH, MM = 72.0, 72.0 / 25.4
PAPERS = {"a4": (210 * MM, 297 * MM), "a5": (148 * MM, 210 * MM), "letter": (8.5 * INCH, 11 * INCH)}
SENTENCE = re.compile(r"(?<=[.!?]) ")
SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)[x×]([0-9]+(?:\.[0-9]+)?)(mm|in)")
SHORTEST, LONGEST = 80 * MM, 1200 * MM  # sides of a paper


def paper_size(text: str) -> tuple[float, float]:
    """Return the width and the height of a paper. Raises InputError."""
    name = text.lower()
    match = SIZE.fullmatch(name)
    if match:
        unit = MM if match[3] == "mm" else INCH
        sides = (float(match[1]) * unit, float(match[2]) * unit)
    elif name in PAPERS:
        sides = PAPERS[name]
    else:
        raise InputError(
            f"{option('paper')} {text}: expected {', '.join(PAPERS)}, or a size"
            " such as 6x9in or 170x240mm"
        )
    if not all(SHORTEST - 1 <= side <= LONGEST for side in sides):
        limits = f"from {SHORTEST / MM:.0f} to {LONGEST / MM:.0f} mm"
        raise InputError(f"{option('paper')} {text}: expected sides {limits}")
    return sides


@dataclass(frozen=True)
class Section:
    """The puzzles of one type, numbered from `first`.

    Attributes:
        type_title: The title of the type.
        text: The rules that all puzzles have.
        chapters: The puzzles.
        first: The number of the first puzzle.
    """

    type_title: str
    text: str
    chapters: Sequence[DocumentItem]
    first: int

    def added(self, chapter: DocumentItem) -> str:
        """Return the rules of a puzzle that not all puzzles of the section have."""
        return chapter.text[len(self.text) :].strip()


def sections_of(chapters: Sequence[DocumentItem]) -> list[Section]:
    """Group puzzles by their type, in the order of the first puzzle of each type.

    In a section easy puzzles come first if the scores of all are known.
    """
    by_type: dict[str, list[DocumentItem]] = {}
    for chapter in chapters:
        by_type.setdefault(chapter.type_name or chapter.title, []).append(chapter)
    sections: list[Section] = []
    first = 1
    for type_title, members in by_type.items():
        if all(chapter.score is not None for chapter in members):
            members.sort(key=_difficulty)
        text = _shared_rules([chapter.text for chapter in members])
        sections.append(Section(type_title, text, members, first))
        first += len(members)
    return sections


def _difficulty(chapter: DocumentItem) -> tuple[int, float]:
    """Return the level and the score: a puzzle of a harder level may have a lower score."""
    return chapter.rank, chapter.score or 0.0


def _shared_rules(texts: Sequence[str]) -> str:
    """Return the sentences with which all texts begin."""
    shared = []
    for sentences in zip(*map(SENTENCE.split, texts), strict=False):
        if len(set(sentences)) > 1:
            break
        shared.append(sentences[0])
    return " ".join(shared)
