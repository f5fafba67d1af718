"""Chapters of a document: the puzzles, then their solutions, small, at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from puzzlekit.render.scene import Group, Part, Scene, Spot


@dataclass(frozen=True)
class Chapter:
    """A puzzle of a document.

    Attributes:
        title: Its title.
        text: Its rules, in words.
        parts: Its picture.
        remark: What is known of its solution, such as "the only solution"; empty if the document
            has no solutions.
        solution: The picture of its solution, if one is known.
        links: The web pages on which it can be opened, by their host.
    """

    title: str
    text: str
    parts: Sequence[Part]
    remark: str = ""
    solution: Sequence[Part] = ()
    links: Mapping[str, str] = field(default_factory=dict)


def numbered(chapters: Sequence[Chapter]) -> list[Chapter]:
    """Number the titles of several chapters from 1."""
    if len(chapters) < 2:
        return list(chapters)
    return [replace(chapter, title=f"{number}. {chapter.title}") for number, chapter in enumerate(chapters, 1)]


def solutions_title(chapters: Sequence[Chapter]) -> str:
    """Return the heading above the solutions; empty if there are none."""
    known = sum(bool(chapter.remark) for chapter in chapters)
    return ("Solution" if len(chapters) == 1 else "Solutions") if known else ""


def small(parts: Sequence[Part]) -> list[Part]:
    """Make the boards of a picture small."""
    return [_small(part) if isinstance(part, Scene | Group) else part for part in parts]


def _small(part: Scene | Group) -> Group:
    return Group((part,), small=True) if isinstance(part, Scene) else replace(part, small=True)


def chapter_parts(chapters: Sequence[Chapter]) -> list[Part]:
    """Return one long picture: the puzzles with their titles, then the solutions."""
    chapters = numbered(chapters)
    parts: list[Part] = []
    for chapter in chapters:
        parts += [*_blank(parts), [Spot(chapter.title)], *chapter.parts]
    if title := solutions_title(chapters):
        parts += [*_blank(parts), [Spot(title)]]
    for chapter in chapters:
        if chapter.remark:
            parts += [[Spot("")], [Spot(f"{chapter.title} · {chapter.remark}")], *small(chapter.solution)]
    return parts


def _blank(parts: Sequence[Part]) -> list[Part]:
    return [[Spot("")]] if parts else []
