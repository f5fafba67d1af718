"""Documents of several puzzles as HTML pages.

The puzzles of a type stand side by side below their rules, the solutions, small, at the end.
"""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.options import PaperOptions
from puzzlekit.render.html_page import (
    DocumentItem,
    html_file,
    links_to,
    small,
    solutions_title,
    with_text,
)
from puzzlekit.render.sections import Section, sections_of
from puzzlekit.render.svg_shapes import escape


def document(title: str, chapters: Sequence[DocumentItem], options: PaperOptions) -> str:
    """Return the page of puzzles.

    Args:
        title: The title of the page for programs, unless the options have one.
        chapters: The puzzles.
        options: The title, the subtitle and the author.
    """
    sections = sections_of(chapters)
    several = len(chapters) > 1
    if len(chapters) == 1 and not options.title:
        content = _single_puzzle(chapters[0])
    else:
        content = _head(options, sections)
        level = 2 if options.title else 1
        for section in sections:
            content += _section(section, level)
    content += _solutions(sections, solutions_title(chapters), several)
    return html_file(options.title or title, content)


def _single_puzzle(chapter: DocumentItem) -> str:
    text = _paragraph(chapter.text)
    board = _board(chapter, chapter.title)
    return f"<section><h1>{escape(chapter.title)}</h1>{text}{board}</section>\n"


def _paragraph(text: str) -> str:
    """Return a paragraph; nothing if the text is empty."""
    return f"<p>{escape(text)}</p>" if text else ""


def _head(options: PaperOptions, sections: Sequence[Section]) -> str:
    """Return the title of a page, and links to its types."""
    head = ""
    if options.title:
        head = f"<h1>{escape(options.title)}</h1>"
    head += _paragraph(options.subtitle or "")
    head += _paragraph(options.author or "")
    if len(sections) > 1:
        head += f"<nav>{' · '.join(map(_link, sections))}</nav>"
    return f"<header>{head}</header>\n"


def _link(section: Section) -> str:
    return f'<a href="#p{section.first}">{escape(section.type_title)}</a>'


def _section(section: Section, level: int) -> str:
    indexes = range(len(section.chapters))
    puzzles = "".join(_puzzle(section, index, level + 1) for index in indexes)
    title = escape(section.type_title)
    heading = f'<h{level} id="p{section.first}">{title}</h{level}>'
    text = _paragraph(section.text)
    return f'<section>{heading}{text}<div class="puzzles">{puzzles}</div></section>\n'


def _puzzle(section: Section, index: int, level: int) -> str:
    chapter = section.chapters[index]
    number = section.first + index
    words = [f"{number}."]
    if chapter.name:
        words.append(escape(chapter.name))
    if chapter.level:
        words.append(f"<small>{escape(chapter.level)}</small>")
    heading = f"<h{level}>{' '.join(words)}</h{level}>"
    text = _paragraph(section.added(chapter))
    board = _board(chapter, f"puzzle {number}")
    return f'<section class="puzzle">{heading}{text}{board}</section>\n'


def _board(chapter: DocumentItem, name: str) -> str:
    picture = with_text(chapter.parts, f"{name}; its text follows")
    return picture + links_to(chapter.links)


def _solutions(sections: Sequence[Section], heading: str, several: bool) -> str:
    """Return the solutions, small; a remark that all have in common stands above them."""
    solved = []
    for section in sections:
        for number, chapter in enumerate(section.chapters, section.first):
            if chapter.remark:
                title = f"{number}. {section.type_title}" if several else chapter.title
                solved.append((title, chapter))
    if not solved:
        return ""
    _, first = solved[0]
    common = ""
    if several and all(chapter.remark == first.remark for _, chapter in solved):
        common = f"<p>Of each puzzle: {escape(first.remark)}.</p>"
    solutions = ""
    for title, chapter in solved:
        remark = "" if common else chapter.remark
        solutions += _solution(chapter, title, remark)
    content = f'<h1>{heading}</h1>{common}<div class="solved">{solutions}</div>'
    return f'<section class="solutions">{content}</section>\n'


def _solution(chapter: DocumentItem, title: str, remark: str) -> str:
    """Return a solution, small."""
    picture = ""
    if chapter.solution:
        label = f"the solution of {title}; its text follows"
        picture = with_text(small(chapter.solution), label)
    return f"<section><h2>{escape(title)}</h2>{_paragraph(remark)}{picture}</section>"
