"""What files hold: a sheet with the solutions of a puzzle, or chapters of puzzles with their
solutions, small, at the end.

HTML pages are self-contained and support light and dark themes.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from puzzlekit.render.layout import numeric, plain_text, text_lines
from puzzlekit.render.svg import drawing, inline
from puzzlekit.render.svg_shapes import escape
from puzzlekit.render.theme import LOOK, STYLE
from puzzlekit.scene import Group, Line, PicturePart, Scene, Table, TextSpan


@dataclass(frozen=True)
class Sheet:
    """The content of a file.

    Attributes:
        title: Its title.
        head: What is known before solving, in lines.
        solutions: The picture of each solution.
        foot: The closing line.
        puzzle: The picture of the puzzle alone, if the solutions show it, too.
        common: The picture of the puzzle, if they do not.
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
        """All parts in order."""
        blank: Line = [TextSpan("")]
        solutions = [
            part
            for number, solution in enumerate(self.solutions)
            for part in (*([blank] if number and not _is_line(solution) else []), *solution)
        ]
        return [
            [TextSpan(self.title)],
            *self.common,
            *([TextSpan(line)] for line in self.head.split("\n") if line),
            *([blank] if any(map(_is_line, self.solutions)) else []),
            *solutions,
            [TextSpan("")],
            *([TextSpan(line)] for line in self.foot.split("\n")),
        ]


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
        kind: The title of its type; empty for that of the puzzle.
        name: Its own title; empty if a machine gave it one.
        level: How hard it is, in a word; empty if nobody said.
        score: How hard it is, as a number; None if nobody said.
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


def numbered(chapters: Sequence[DocumentItem]) -> list[DocumentItem]:
    """Number the titles of several chapters from 1."""
    if len(chapters) < 2:
        return list(chapters)
    return [
        replace(chapter, title=f"{number}. {chapter.title}")
        for number, chapter in enumerate(chapters, 1)
    ]


def solutions_title(chapters: Sequence[DocumentItem]) -> str:
    """Return the heading above the solutions; empty if there are none."""
    known = sum(bool(chapter.remark) for chapter in chapters)
    return ("Solution" if len(chapters) == 1 else "Solutions") if known else ""


def small(parts: Sequence[PicturePart]) -> list[PicturePart]:
    """Make the boards of a picture small."""
    return [_small(part) if isinstance(part, Scene | Group) else part for part in parts]


def _small(part: Scene | Group) -> Group:
    return Group((part,), small=True) if isinstance(part, Scene) else replace(part, small=True)


def chapter_parts(chapters: Sequence[DocumentItem]) -> list[PicturePart]:
    """Return one long picture: the puzzles with their titles, then the solutions."""
    chapters = numbered(chapters)
    parts: list[PicturePart] = []
    for chapter in chapters:
        parts += [*_blank(parts), [TextSpan(chapter.title)], *chapter.parts]
    if title := solutions_title(chapters):
        parts += [*_blank(parts), [TextSpan(title)]]
    for chapter in chapters:
        if chapter.remark:
            parts += [
                [TextSpan("")],
                [TextSpan(f"{chapter.title} · {chapter.remark}")],
                *small(chapter.solution),
            ]
    return parts


def _blank(parts: Sequence[PicturePart]) -> list[PicturePart]:
    return [[TextSpan("")]] if parts else []


STEPPING = (
    "const steps=[...document.querySelectorAll('.step')],nav=document.querySelector('nav');let at=0;nav.hidden=false;"
    "function show(n){at=Math.max(0,Math.min(steps.length-1,n));steps.forEach((s,i)=>s.hidden=i!==at);"
    "document.getElementById('at').textContent=`${at} / ${steps.length-1}`;location.hash=at||''}"
    "addEventListener('keydown',e=>{const by={ArrowRight:1,ArrowDown:1,ArrowLeft:-1,ArrowUp:-1,Home:-1e9,End:1e9}[e.key];"
    "if(by){e.preventDefault();show(at+by)}});"
    "nav.addEventListener('click',e=>{if(e.target.dataset.by)show(at+Number(e.target.dataset.by))});"
    "show(Number(location.hash.slice(1))||0);"
)


def page(sheet: Sheet) -> str:
    """The HTML page. Each picture comes with its text, for readers who cannot see it."""
    if len(sheet.solutions) > 1 and all(map(_is_line, sheet.solutions)):
        items = "".join(f"<li>{_part(solution[0], '')}</li>" for solution in sheet.solutions)
        sections = f"<ol>{items}</ol>"
    else:
        several = len(sheet.solutions)
        sections = "".join(
            _solution(number, solution, several)
            for number, solution in enumerate(sheet.solutions, 1)
        )
    head = "".join(_head_line(line) for line in sheet.head.split("\n")) if sheet.head else ""
    common = with_text(sheet.common, "the puzzle; its text follows") if sheet.common else ""
    foot = "".join(f"<p>{escape(line)}</p>" for line in sheet.foot.split("\n"))
    alone = "".join(_part(part, "the puzzle") for part in sheet.puzzle)
    puzzle = f"<details><summary>The puzzle</summary>{alone}</details>\n" if alone else ""
    return whole(
        sheet.title,
        f"<h1>{escape(sheet.title)}</h1>{common}{head}{puzzle}{sections}{foot}{links_to(sheet.links)}",
    )


def _is_line(solution: Sequence[PicturePart]) -> bool:
    """Return whether a solution is one line of text."""
    return len(solution) == 1 and not isinstance(solution[0], Scene | Group | Table)


def _head_line(line: str) -> str:
    """A line of the heading; blanks at its start mean a row of a list, whose columns stay aligned."""
    return _part([TextSpan(line)], "") if line.startswith(" ") else f"<p>{escape(line)}</p>"


def stepwise(
    title: str,
    start: Sequence[PicturePart],
    steps: Sequence[tuple[str, Sequence[PicturePart]]],
    foot: str,
) -> str:
    """The HTML page of pictures that follow each other: one is shown, and arrow keys lead on;
    without scripts, all are.

    Args:
        title: The title.
        start: The first picture.
        steps: The others, each with what is said of it.
        foot: What is said at the end.
    """
    pictures = [("", start), *steps]
    sections = "".join(
        f'<section class="step"><p>{f"<b>{number}.</b> {escape(text)}" if text else "The puzzle"}</p>'
        f"{''.join(_part(part, text or 'the puzzle') for part in parts)}</section>\n"
        for number, (text, parts) in enumerate(pictures)
    )
    keys = "Arrow keys, or these buttons, lead from step to step."
    buttons = '<button data-by="-1">←</button> <button data-by="1">→</button> <span id="at"></span>'
    head = f'<h1>{escape(title)}</h1><nav hidden><p>{buttons}</p><p class="keys">{keys}</p></nav>'
    return whole(title, f"{head}{sections}<p>{escape(foot)}</p><script>{STEPPING}</script>")


def links_to(links: Mapping[str, str]) -> str:
    """Return links to pages of other sites on which a puzzle can be opened."""
    return "".join(
        f'<p class="open"><a href="{escape(address)}" rel="noreferrer">Open at {escape(host)}</a></p>'
        for host, address in links.items()
    )


def with_text(parts: Sequence[PicturePart], label: str) -> str:
    """Return a picture, and its text to unfold."""
    drawn = "".join(_part(part, label) for part in parts)
    if not any(isinstance(part, Scene | Group | Table) for part in parts):
        return drawn  # which is text
    return f"{drawn}<details><summary>As text</summary><pre>{escape(plain_text(text_lines(parts)))}</pre></details>"


def whole(title: str, content: str) -> str:
    """Return a page of this content."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{LOOK}{STYLE}</style></head>\n"
        f"<body><main>{content}</main></body></html>\n"
    )


def embedded(title: str, parts: Sequence[PicturePart]) -> str:
    """An element to embed in another page: the picture with its text below it.

    The picture is a separate image, so that its styles and those of the page do not mix.
    """
    image = b64encode(drawing(title, parts).encode()).decode()
    plain = escape(plain_text(text_lines(parts)))
    return (
        f'<figure><img alt="{escape(title)}; its text follows" src="data:image/svg+xml;base64,{image}">'
        f"<details><summary>As text</summary><pre>{plain}</pre></details></figure>"
    )


def _solution(number: int, parts: Sequence[PicturePart], of: int) -> str:
    title = f"<h2>Solution {number}</h2>" if of > 1 else ""
    drawn = with_text(parts, f"the picture of solution {number}; its text follows")
    return f"<section>{title}{drawn}</section>\n"


def _table(table: Table) -> str:
    """A table as an element; numbers stand at the right."""
    right = [' class="number"' if number else "" for number in numeric(table)]
    head = "".join(
        f'<th scope="col"{kind}>{escape(text)}</th>' for text, kind in zip(table.columns, right)
    )
    rows = (
        f'<tr><th scope="row">{escape(heading)}</th>'
        + "".join(f"<td{kind}>{escape(text)}</td>" for text, kind in zip(texts, right))
        + "</tr>"
        for heading, texts in table.rows
    )
    return f"<table>{f'<thead><tr><td></td>{head}</tr></thead>' if head else ''}<tbody>{''.join(rows)}</tbody></table>"


def _part(part: PicturePart, label: str) -> str:
    if isinstance(
        part, Group
    ):  # an element for each board, so that as many stand side by side as there is room
        boards = (
            inline(replace(part, scenes=(scene,)), scene.title.text or label)
            for scene in part.scenes
        )
        return f'<figure class="boards">{"".join(boards)}</figure>'
    if isinstance(part, Scene):
        return f"<figure>{inline(part, label)}</figure>"
    if isinstance(part, Table):
        return f'<figure class="table">{_table(part)}</figure>'
    spots = (
        f'<span class="{s.colour.replace(" ", "-")}">{escape(s.text)}</span>'
        if s.colour
        else escape(s.text)
        for s in part
    )
    return f'<div class="line">{"".join(spots)}</div>'
