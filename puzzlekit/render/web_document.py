"""Documents as HTML pages: the puzzles of a type side by side below their rules, the solutions
small at the end.
"""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.options import PaperOptions
from puzzlekit.render.html_page import (
    DocumentItem,
    links_to,
    small,
    solutions_title,
    whole,
    with_text,
)
from puzzlekit.render.sections import Section, sections_of
from puzzlekit.render.svg_shapes import escape


def document(title: str, chapters: Sequence[DocumentItem], how: PaperOptions) -> str:
    """Return the page of puzzles.

    Args:
        title: Its title for programs, unless it has one of its own.
        chapters: The puzzles.
        how: What is asked for; of this, a page has the title, the subtitle and the author.
    """
    sections = sections_of(chapters)
    if len(chapters) == 1 and not how.title:
        (chapter,) = chapters
        text = f"<p>{escape(chapter.text)}</p>" if chapter.text else ""
        puzzles = f"<section><h1>{escape(chapter.title)}</h1>{text}{_board(chapter, chapter.title)}</section>\n"
    else:
        puzzles = _head(how, sections) + "".join(
            _section(section, 2 if how.title else 1) for section in sections
        )
    return whole(
        how.title or title,
        puzzles + _solutions(sections, solutions_title(chapters), len(chapters) > 1),
    )


def _head(how: PaperOptions, sections: Sequence[Section]) -> str:
    """The title of a page, and links to its types."""
    said = f"<h1>{escape(how.title)}</h1>" if how.title else ""
    said += "".join(f"<p>{escape(text)}</p>" for text in (how.subtitle, how.author) if text)
    links = " · ".join(
        f'<a href="#p{section.first}">{escape(section.kind)}</a>' for section in sections
    )
    return f"<header>{said}{f'<nav>{links}</nav>' if len(sections) > 1 else ''}</header>\n"


def _section(section: Section, level: int) -> str:
    text = f"<p>{escape(section.text)}</p>" if section.text else ""
    puzzles = "".join(_puzzle(section, place, level + 1) for place in range(len(section.chapters)))
    heading = f'<h{level} id="p{section.first}">{escape(section.kind)}</h{level}>'
    return f'<section>{heading}{text}<div class="puzzles">{puzzles}</div></section>\n'


def _puzzle(section: Section, place: int, level: int) -> str:
    chapter, number = section.chapters[place], section.first + place
    level_of = f"<small>{escape(chapter.level)}</small>" if chapter.level else ""
    title = " ".join(filter(None, (f"{number}.", escape(chapter.name), level_of)))
    added = section.added(chapter)
    text = f"<p>{escape(added)}</p>" if added else ""
    return f'<section class="puzzle"><h{level}>{title}</h{level}>{text}{_board(chapter, f"puzzle {number}")}</section>\n'


def _board(chapter: DocumentItem, name: str) -> str:
    return f"{with_text(chapter.parts, f'{name}; its text follows')}{links_to(chapter.links)}"


def _solutions(sections: Sequence[Section], heading: str, several: bool) -> str:
    known = [
        (section, section.first + place, chapter)
        for section in sections
        for place, chapter in enumerate(section.chapters)
        if chapter.remark
    ]
    if not known:
        return ""
    common = several and len({chapter.remark for _, _, chapter in known}) == 1
    said = f"<p>Of each puzzle: {escape(known[0][2].remark)}.</p>" if common else ""
    solved = "".join(
        _solved(
            chapter,
            f"{number}. {section.kind}" if several else chapter.title,
            "" if common else chapter.remark,
        )
        for section, number, chapter in known
    )
    return f'<section class="solutions"><h1>{heading}</h1>{said}<div class="solved">{solved}</div></section>\n'


def _solved(chapter: DocumentItem, title: str, remark: str) -> str:
    """A solution, small."""
    drawn = (
        with_text(small(chapter.solution), f"the solution of {title}; its text follows")
        if chapter.solution
        else ""
    )
    said = f"<p>{escape(remark)}</p>" if remark else ""
    return f"<section><h2>{escape(title)}</h2>{said}{drawn}</section>"
