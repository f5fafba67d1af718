"""What a document consists of: its paper, and sections of puzzles of one type. Sizes are in points."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from puzzlekit.errors import InputError
from puzzlekit.render.html_page import DocumentItem

INCH, MM = 72.0, 72.0 / 25.4
PAPERS = {"a4": (210 * MM, 297 * MM), "a5": (148 * MM, 210 * MM), "letter": (8.5 * INCH, 11 * INCH)}
SENTENCE = re.compile(r"(?<=[.!?]) ")
SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)[x×]([0-9]+(?:\.[0-9]+)?)(mm|in)")
SHORTEST, LONGEST = 80 * MM, 1200 * MM  # sides of a paper


def paper_size(text: str) -> tuple[float, float]:
    """Return the width and the height of a paper. Raises InputError."""
    if found := SIZE.fullmatch(text.lower()):
        unit = MM if found[3] == "mm" else INCH
        sides = float(found[1]) * unit, float(found[2]) * unit
    elif text.lower() in PAPERS:
        sides = PAPERS[text.lower()]
    else:
        raise InputError(
            f"--paper {text}: expected {', '.join(PAPERS)}, or a size such as 6x9in or 170x240mm"
        )
    if not all(SHORTEST - 1 <= side <= LONGEST for side in sides):
        raise InputError(
            f"--paper {text}: expected sides from {SHORTEST / MM:.0f} to {LONGEST / MM:.0f} mm"
        )
    return sides


@dataclass(frozen=True)
class Section:
    """The puzzles of one type, numbered from `first`.

    Attributes:
        kind: The title of the type.
        text: The rules that all of them have.
        chapters: The puzzles.
        first: The number of the first one.
    """

    kind: str
    text: str
    chapters: Sequence[DocumentItem]
    first: int

    def added(self, chapter: DocumentItem) -> str:
        """Return the rules that only some of the puzzles have, of which this is one."""
        return chapter.text[len(self.text) :].strip()


def sections_of(chapters: Sequence[DocumentItem]) -> list[Section]:
    """Group puzzles by their type, in order of the first of each; easy ones come first if their
    scores are known.
    """
    found: dict[str, list[DocumentItem]] = {}
    for chapter in chapters:
        found.setdefault(chapter.type_name or chapter.title, []).append(chapter)
    made, first = list[Section](), 1
    for kind, own in found.items():
        if all(chapter.score is not None for chapter in own):
            own.sort(key=lambda chapter: chapter.score or 0.0)
        made.append(Section(kind, _shared([chapter.text for chapter in own]), own, first))
        first += len(own)
    return made


def _shared(texts: Sequence[str]) -> str:
    """Return the sentences with which all texts begin."""
    sentences = zip(*(SENTENCE.split(text) for text in texts), strict=False)
    return " ".join(own[0] for own in takewhile(lambda own: len({*own}) == 1, sentences))
