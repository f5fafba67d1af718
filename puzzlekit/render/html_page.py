"""HTML pages: a document with the solutions of a puzzle, or pictures that follow each other.

The items of a document of several puzzles, for HTML and for paper, are here, too.

HTML pages are self-contained and support light and dark themes.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from puzzlekit.dataclass import dataclass
from puzzlekit.render.layout import numeric, plain_text, text_lines
from puzzlekit.render.svg import drawing, inline
from puzzlekit.render.svg_shapes import class_of, escape
from puzzlekit.render.theme import LOOK, STYLE
from puzzlekit.scene import Group, Line, PicturePart, Scene, Table, TextSpan


@dataclass(frozen=True)
class HtmlDocument:
    """The content of a file.

    Attributes:
        title: Its title.
        head: What is known before solving, in lines.
        solutions: The picture of each solution.
        foot: The closing line.
        puzzle: The picture of the puzzle alone, if the solutions show it, too.
        common: The picture of the puzzle, if the solutions do not show it.
        links: The web pages on which the puzzle can be opened, by their host.
    """

    title: str
    head: str
    solutions: Sequence[Sequence[PicturePart]]
    foot: str
    puzzle: Sequence[PicturePart] = ()
    common: Sequence[PicturePart] = ()
    links: Mapping[str, str] = field(default_factory=dict)

    def parts(self) -> list[PicturePart]:
        """Return the content of the file in order."""
        blank: Line = [TextSpan("")]
        has_lines = any(map(_is_line, self.solutions))
        parts: list[PicturePart] = [[TextSpan(self.title)], *self.common]
        parts += [[TextSpan(line)] for line in self.head.split("\n") if line]
        if has_lines:
            parts.append(blank)
        for number, solution in enumerate(self.solutions):
            if number and not _is_line(solution):
                parts.append(blank)
            parts += solution
        if self.foot:
            parts += [blank, *([TextSpan(line)] for line in self.foot.split("\n"))]
        return parts


@dataclass(frozen=True)
class DocumentItem:
    """A puzzle of a document.

    Attributes:
        title: Its title.
        text: Its rules, in words.
        parts: Its picture.
        remark: What is known of its solution, such as "the only solution"; empty if the document
            has no solutions.
        solution: The picture of its solution, if one is known.
        links: The web pages on which it can be opened, by their host.
        type_name: The title of its type; empty for that of the puzzle.
        name: The title that its author gave it; empty without one.
        level: How hard it is, in a word; empty if it is not rated.
        score: How hard it is, as a number; None if it is not rated.
        rank: The rank of its level among all, the easiest first.
    """

    title: str
    text: str
    parts: Sequence[PicturePart]
    remark: str = ""
    solution: Sequence[PicturePart] = ()
    links: Mapping[str, str] = field(default_factory=dict)
    type_name: str = ""
    name: str = ""
    level: str = ""
    score: float | None = None
    rank: int = 0


def numbered(chapters: Sequence[DocumentItem]) -> list[DocumentItem]:
    """Number the titles of several puzzles from 1."""
    if len(chapters) < 2:
        return list(chapters)
    items = []
    for number, item in enumerate(chapters, 1):
        items.append(replace(item, title=f"{number}. {item.title}"))
    return items


def solutions_title(chapters: Sequence[DocumentItem]) -> str:
    """Return the heading above the solutions; empty if there are none."""
    if not any(chapter.remark for chapter in chapters):
        return ""
    return "Solution" if len(chapters) == 1 else "Solutions"


def small(parts: Sequence[PicturePart]) -> list[PicturePart]:
    """Make the boards of a picture small."""
    return list(map(_small, parts))


def _small(block: PicturePart) -> PicturePart:
    match block:
        case Scene():
            return Group((block,), small=True)
        case Group():
            return replace(block, small=True)
        case _:
            return block


def chapter_parts(chapters: Sequence[DocumentItem]) -> list[PicturePart]:
    """Return one long picture: the puzzles with their titles, then the solutions."""
    blank: Line = [TextSpan("")]
    chapters = numbered(chapters)
    parts: list[PicturePart] = []
    for chapter in chapters:
        parts += [blank, [TextSpan(chapter.title)], *chapter.parts]
    title = solutions_title(chapters)
    if title:
        parts += [blank, [TextSpan(title)]]
    for chapter in chapters:
        if chapter.remark:
            heading = f"{chapter.title} · {chapter.remark}"
            parts += [blank, [TextSpan(heading)], *small(chapter.solution)]
    return parts[1:]


def page(document: HtmlDocument) -> str:
    """Return the HTML page.

    Each picture comes with its text, for readers who cannot see it.
    """
    text_paragraphs = [f"<p>{escape(line)}</p>" for line in document.foot.split("\n")]
    content = [f"<h1>{escape(document.title)}</h1>"]
    if document.common:
        content.append(with_text(document.common, "the puzzle; its text follows"))
    if document.head:
        content += map(_head_line, document.head.split("\n"))
    content += [_puzzle_alone(document), _solution_sections(document.solutions)]
    content += [*text_paragraphs, links_to(document.links)]
    return html_file(document.title, "".join(content))


def _puzzle_alone(document: HtmlDocument) -> str:
    """Return the picture of the puzzle without a solution, to unfold; empty without one."""
    picture = "".join(_block(block, "the puzzle") for block in document.puzzle)
    if not picture:
        return ""
    return f"<details><summary>The puzzle</summary>{picture}</details>\n"


def _solution_sections(solutions: Sequence[Sequence[PicturePart]]) -> str:
    """Return the solutions: as a list if each is a line, else as sections."""
    if len(solutions) > 1 and all(map(_is_line, solutions)):
        lines = [f"<li>{_block(solution[0], '')}</li>" for solution in solutions]
        return f"<ol>{''.join(lines)}</ol>"
    sections = []
    for number, solution in enumerate(solutions, 1):
        title = f"<h2>Solution {number}</h2>" if len(solutions) > 1 else ""
        picture = with_text(solution, f"the picture of solution {number}; its text follows")
        sections.append(f"<section>{title}{picture}</section>\n")
    return "".join(sections)


def _is_line(solution: Sequence[PicturePart]) -> bool:
    """Return whether a solution is one line of text."""
    return len(solution) == 1 and not isinstance(solution[0], Scene | Group | Table)


def _head_line(line: str) -> str:
    """Return a line of the heading as HTML.

    A line that begins with a blank is a row of a list, whose columns stay aligned.
    """
    if line.startswith(" "):
        return _block([TextSpan(line)], "")
    return f"<p>{escape(line)}</p>"


def links_to(links: Mapping[str, str]) -> str:
    """Return links to pages of other sites on which a puzzle can be opened."""
    paragraphs = []
    for host, address in links.items():
        link = f'<a href="{escape(address)}" rel="noreferrer">Open at {escape(host)}</a>'
        paragraphs.append(f'<p class="open">{link}</p>')
    return "".join(paragraphs)


def with_text(parts: Sequence[PicturePart], label: str) -> str:
    """Return a picture, and its text to unfold."""
    picture = "".join(_block(block, label) for block in parts)
    if not any(isinstance(block, Scene | Group | Table) for block in parts):
        return picture  # it is text
    return picture + _as_text(parts)


def _as_text(parts: Sequence[PicturePart]) -> str:
    """Return the text of a picture, to unfold."""
    text = escape(plain_text(text_lines(parts)))
    return f"<details><summary>As text</summary><pre>{text}</pre></details>"


def html_file(title: str, content: str) -> str:
    """Return a page of this content."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{LOOK}{STYLE}</style></head>\n"
        f"<body><main>{content}</main></body></html>\n"
    )


def embedded(title: str, parts: Sequence[PicturePart]) -> str:
    """Return an element to embed in another page: the picture with its text below it.

    The picture is a separate image, so that its styles and those of the page do not mix.
    """
    svg = drawing(title, parts)
    address = f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
    image = f'<img alt="{escape(title)}; its text follows" src="{address}">'
    return f"<figure>{image}{_as_text(parts)}</figure>"


def html_list(texts: Sequence[str]) -> str:
    """Return a numbered list, to embed in another page."""
    members = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<ol>{members}</ol>"


def html_table(caption: str, table: Table) -> str:
    """Return a table with a caption, to embed in another page."""
    return f"<figure><figcaption>{escape(caption)}</figcaption>{_table(table)}</figure>"


def _table(table: Table) -> str:
    """Return a table as an element; numbers stand at the right."""
    classes = [' class="number"' if is_number else "" for is_number in numeric(table)]
    head = ""
    for text, css_class in zip(table.columns, classes):
        head += f'<th scope="col"{css_class}>{escape(text)}</th>'
    if head:
        head = f"<thead><tr><td></td>{head}</tr></thead>"
    rows = []
    for heading, texts in table.rows:
        row = f'<th scope="row">{escape(heading)}</th>'
        for text, css_class in zip(texts, classes):
            row += f"<td{css_class}>{escape(text)}</td>"
        rows.append(f"<tr>{row}</tr>")
    return f"<table>{head}<tbody>{''.join(rows)}</tbody></table>"


def _block(block: PicturePart, label: str) -> str:
    """Return one part of a picture as an element."""
    match block:
        case Group():  # an element for each board, so that the browser puts them side by side
            boards = ""
            for scene in block.scenes:
                single = replace(block, scenes=(scene,))
                boards += inline(single, scene.title.text or label)
            return f'<figure class="boards">{boards}</figure>'
        case Scene():
            return f"<figure>{inline(block, label)}</figure>"
        case Table():
            return f'<figure class="table">{_table(block)}</figure>'
        case _:
            spans = "".join(map(_span, block))
            return f'<div class="line">{spans}</div>'


def _span(span: TextSpan) -> str:
    text = escape(span.text)
    if not span.colour:
        return text
    return f'<span class="{class_of(span.colour)}">{text}</span>'
