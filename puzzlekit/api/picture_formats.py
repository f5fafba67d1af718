"""Pictures in each format: text, SVG, PNG, HTML and PDF."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields, replace
from typing import TYPE_CHECKING

from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, option
from puzzlekit.options import PaperOptions
from puzzlekit.render import (
    DocumentItem,
    chapter_parts,
    document,
    draw as lines_of_parts,
    drawing,
    embedded,
    lacked,
    numbered,
    paper_size,
    pdf,
    png,
    require_segno,
    require_typst,
    solutions_title,
)
from puzzlekit.scene import PicturePart

if TYPE_CHECKING:
    from rich.text import Text

    from puzzlekit.render import Example

PLAIN = PaperOptions()
TITLES = ("title", "subtitle", "author")  # of a document, which an HTML page has, too
TITLE_CHARACTERS = 200


@dataclass(frozen=True)
class Picture:
    """A picture of puzzles, or of what is known of one. A notebook draws it.

    Attributes:
        chapters: What is drawn, in order.
        find_links: Returns for each chapter the pages of other sites that open it, by their host.
        find_examples: Returns a solved example of some types, by the title of the type.

    Examples:
        >>> import puzzlekit
        >>> picture = puzzlekit.load("examples/magic_square.yaml", {"size": 2}).draw()
        >>> picture.title, picture.svg[:4]
        ('Magic square', '<svg')
        >>> print(picture.text())
        Magic square
           ·  ·
           ·  ·
    """

    chapters: Sequence[DocumentItem]
    find_links: Callable[[], Sequence[Mapping[str, str]]] | None = field(default=None, repr=False)
    find_examples: Callable[[], Mapping[str, Example]] = field(default=dict, repr=False)

    @property
    def title(self) -> str:
        """The title of the only chapter, or the number of chapters."""
        if len(self.chapters) == 1:
            return self.chapters[0].title
        return f"{len(self.chapters)} puzzles"

    @property
    def svg(self) -> str:
        """The picture as a document of SVG."""
        return drawing(self.title, chapter_parts(self.chapters))

    def png(self) -> bytes:
        """Return the picture as a PNG file.

        Raises:
            MissingExtra: The library that makes it is not installed.
            InputError: The picture is too large.
        """
        require_typst(option("png"))
        return png(self.title, chapter_parts(self.chapters))

    def text(self, width: int = 80) -> str:
        """Return the picture as text without colours, in lines of this width where possible."""
        return "\n".join(line.plain for line in self.lines(width, colour=False))

    def lines(self, width: int, colour: bool) -> list[Text]:
        """Return the lines of the picture for a terminal."""
        from rich.text import Text

        lines: list[Text] = []
        chapters = numbered(self.chapters)
        for number, chapter in enumerate(chapters):
            if number > 0:
                lines.append(Text())
            lines += [Text(chapter.title), *lines_of_parts(chapter.parts, colour, width)]
        heading = solutions_title(chapters)
        if heading:
            lines += [Text(), Text(heading)]
        for chapter in chapters:
            if chapter.remark:
                lines += [Text(), Text(f"{chapter.title} · {chapter.remark}")]
                lines += lines_of_parts(chapter.solution, colour, width)
        return lines

    def html(self, paper: PaperOptions = PLAIN) -> str:
        """Return the picture as an HTML page, with links to pages of other sites.

        Args:
            paper: The title, the subtitle and the author of the page.

        Raises:
            InputError: A title is empty or too long, or there is a subtitle without a title.
        """
        check_titles(paper)
        return document(self.title, self._linked(), paper)

    def pdf(
        self,
        paper: PaperOptions = PLAIN,
        report: Callable[[str], object] | None = None,
    ) -> bytes:
        """Return the picture as a PDF document to print, or with a title as a book.

        Args:
            paper: The paper and the look of the document.
            report: Called with each remark on what could not be as the options say.

        Raises:
            MissingExtra: A library that makes it is not installed.
            InputError: An option is not valid.
        """
        require_typst(option("pdf"))
        check_titles(paper)
        paper_size(paper.paper)
        if paper.qr:
            require_segno()
        chapters = self._linked() if paper.qr else self.chapters
        examples = self.find_examples() if paper.title else {}
        file = pdf(self.title, chapters, paper, examples)
        if report is not None:
            for remark in file.remarks:
                report(remark)
        return file.content

    def lacking(self, paper: PaperOptions = PLAIN) -> str:
        """Return the characters that only fonts of the machine may have, for PNG and PDF."""
        titles = [getattr(paper, name) for name in TITLES]
        return lacked(self.chapters, [title for title in titles if title])

    def _linked(self) -> Sequence[DocumentItem]:
        """Return the chapters with the links to pages that play their puzzles."""
        if self.find_links is None:
            return self.chapters
        pairs = zip(self.chapters, self.find_links())
        return [replace(chapter, links=links) for chapter, links in pairs]

    def _repr_html_(self) -> str:
        return embedded(self.title, chapter_parts(self.chapters))


def picture_of(title: str, parts: Sequence[PicturePart]) -> Picture:
    """Return a picture of one chapter."""
    return Picture([DocumentItem(title, "", parts)])


def check_titles(paper: PaperOptions) -> None:
    """Raise InputError if a title is empty or too long, or there is a subtitle without a title."""
    for name in TITLES:
        title = getattr(paper, name)
        if title is not None and not 0 < len(title.strip()) <= TITLE_CHARACTERS:
            raise InputError(
                f"{option(name)}: expected a text of at most {TITLE_CHARACTERS} characters"
            )
    if paper.subtitle and not paper.title:
        raise InputError(f"{option('subtitle')} requires {option('title')}")


def for_paper_only(paper: PaperOptions) -> list[str]:
    """Return the names of the options that differ from their default and concern only PDF."""
    changed = [entry.name for entry in fields(paper) if getattr(paper, entry.name) != entry.default]
    return [name for name in changed if name not in TITLES]
