"""Documents on paper: as many puzzles on a page as fit, boards of one type at one scale, the
solutions small at the end.

A document with a title is a book: it begins with a cover, contents, and a page of rules for each
type. Sizes are in points, but those of drawings, which are in pixels.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, groupby, takewhile
from math import ceil, inf

from puzzlekit.errors import InputError
from puzzlekit.options import PaperOptions
from puzzlekit.render.html_page import DocumentItem, small, solutions_title
from puzzlekit.render.printed import APART, Data, Drawn, clean, drawn, unbroken
from puzzlekit.render.qr import Code, code_of
from puzzlekit.render.sections import INCH, MM, Section, paper_size, sections_of
from puzzlekit.render.svg import CELL, SMALL
from puzzlekit.render.svg_shapes import FORBIDDEN
from puzzlekit.render.typeset import pages_of, typeset
from puzzlekit.scene import PicturePart

MARGIN = 0.08  # of the shorter side
BELOW = 16.0  # more, for the page number
GUTTERS = (
    (150, 0.375 * INCH),
    (300, 0.5 * INCH),
    (10**9, 0.625 * INCH),
)  # up to so many pages, at the inner margin

COMFORT = 22.0 / CELL  # a cell of 7.8 mm: as many puzzles as fit at this scale are on a page
LARGEST = 16 * MM / CELL  # a cell of 16 mm
LEAST = 3 * MM / CELL  # a cell of 3 mm
SOLVED = 11.0 / SMALL  # a cell of 3.9 mm in a solution
LARGE = 16.0  # the least size of texts in large print
TEXT, SMALLER = 11.0, 9.0
ACROSS, DOWN = 26.0, 22.0  # between boards
SPREAD = 1.3  # how much larger examples may be
BETWEEN = 16.0  # between solutions
CAPTION = 8.0  # below a caption
NARROW = 110.0  # of what stands below a caption
COLUMNS = 30  # on a page, at most
UNLIKE = 1.6  # how many times larger boards of one scale may be
COVER = 6  # boards on a cover
COVERED, TITLED = (
    0.07,
    50,
)  # the size of its title, of the shorter side; the letters that fit on it at this size
NARROWEST = 7  # letters of a solution
LINES, LINES_SOLVED = 9.0, 7.0  # sizes of lines of text

Example = tuple[Sequence[PicturePart], Sequence[PicturePart]]  # a puzzle and its solution


@dataclass(frozen=True)
class Grid:
    """Where the puzzles of a section stand: in columns, at one scale, with a gap between rows,
    `most` on a page.
    """

    columns: int
    scale: float
    gap: float
    most: int


def _of_a_size(pictures: Sequence[Drawn]) -> Iterator[slice]:
    """Yield runs of pictures that have one scale: none is much larger than another."""
    start, least, most = 0, inf, 0.0
    for place, one in enumerate(pictures):
        side = max(one.wide, one.high)
        least, most = min(least, side), max(most, side)
        if most > UNLIKE * least:
            yield slice(start, place)
            start, least, most = place, side, side
    yield slice(start, len(pictures))


@dataclass(frozen=True)
class Result:
    """A document, and what its reader should know."""

    content: bytes
    remarks: Sequence[str]


def pdf(
    title: str, chapters: Sequence[DocumentItem], how: PaperOptions, examples: Mapping[str, Example]
) -> Result:
    """Return a PDF document.

    Args:
        title: Its title for programs, unless it is a book, which has its own.
        chapters: The puzzles.
        how: Its paper, and what is asked for.
        examples: A solved puzzle of some types, by the title of the type, for the pages of rules.

    Raises:
        InputError: There is no such paper, or too many puzzles are wished on a page.
    """
    for _, gutter in GUTTERS:
        document = _Document(title, chapters, how, examples, gutter)
        data = json.dumps(document.data(), ensure_ascii=False)
        if not how.title or pages_of("document", data) <= next(
            most for most, own in GUTTERS if own == gutter
        ):
            break
    lacking = [
        f"no QR code for {_ranges(numbers)}: {reason}"
        for reason, numbers in document.uncoded.items()
    ]
    return Result(typeset("document", data, "pdf"), [*document.remarks, *lacking])


def _ranges(numbers: Sequence[int]) -> str:
    """Name numbers that rise.

    Examples:
        >>> _ranges([1, 2, 3, 5])
        '1–3, 5'
    """
    runs = [
        [value for _, value in run]
        for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
    ]
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


class _Document:
    """Lays out a document."""

    def __init__(
        self,
        title: str,
        chapters: Sequence[DocumentItem],
        how: PaperOptions,
        examples: Mapping[str, Example],
        gutter: float,
    ) -> None:
        self.title = how.title or title
        self.how = how
        self.examples = examples
        self.book = bool(how.title)
        self.sections = sections_of(chapters)
        self.count = len(chapters)
        self.width, self.height = paper_size(how.paper)
        self.shorter = min(self.width, self.height)
        self.margin = MARGIN * self.shorter
        self.inner = self.margin + (gutter if self.book else 0.0)
        self.wide = self.width - self.margin - self.inner
        self.high = self.height - 2 * self.margin - BELOW
        self.text = LARGE if how.large else TEXT
        self.remarks: list[str] = []
        self.uncoded: dict[str, list[int]] = {}  # numbers of puzzles without a code, by the reason

    def data(self) -> Data:
        """What `document.typ` gets."""
        known = [
            chapter for section in self.sections for chapter in section.chapters if chapter.remark
        ]
        common = {chapter.remark for chapter in known}
        shared = known[0].remark if len(known) > 1 and len(common) == 1 else ""
        items = [*self._items()]
        return {
            "name": FORBIDDEN.sub("\ufffd", self.title),
            "title": clean(self.title),
            "subtitle": clean(self.how.subtitle or ""),
            "author": clean(self.how.author or ""),
            "book": self.book,
            "page": [self.width, self.height],
            "margins": {
                "inner": self.inner,
                "outer": self.margin,
                "top": self.margin,
                "bottom": self.margin + BELOW,
            },
            "text": self.text,
            "small": LARGE if self.how.large else SMALLER,
            "apart": APART,
            "below-caption": CAPTION,
            "lines": LARGE if self.how.large else LINES,
            "lines-solved": LARGE if self.how.large else LINES_SOLVED,
            "letter": COVERED * self.shorter / max(1.0, len(self.title) / TITLED),
            "cover": self._cover() if self.book else [],
            "items": items,
            "heading": solutions_title(known) if self.count == 1 or not known else "Solutions",
            "shared": shared and f"Of each puzzle: {shared}.",
            "solutions": [*self._solutions(bool(shared))],
        }

    def _cover(self) -> list[Data]:
        """Boards of some types."""
        wide = (self.width - 2 * self.inner) / 2 - ACROSS
        shown = [drawn(section.chapters[0].parts, LINES) for section in self.sections]
        boards = [board for one in shown for board in one.boards[:1]][:COVER]
        high = self.height * 0.45 / max(1, ceil(len(boards) / 2)) - ACROSS
        return [
            {
                "svg": board["svg"],
                "alt": board["alt"],
                "width": min(wide, high * board["wide"] / board["high"]),
            }
            for board in boards
        ]

    def _items(self) -> Iterator[Data]:
        """The sections and rows of puzzles, one below the other."""
        on_page = 0  # puzzles on this page, if their number is fixed
        for number, section in enumerate(self.sections):
            pictures = [
                drawn(chapter.parts, LARGE if self.how.large else LINES)
                for chapter in section.chapters
            ]
            codes = [
                self._code(chapter, section.first + n) for n, chapter in enumerate(section.chapters)
            ]
            captions = [
                self._caption(chapter, section, n) for n, chapter in enumerate(section.chapters)
            ]
            if on_page == self.how.per_page:
                on_page = 0
            fresh = self.book or bool(self.how.per_page and not on_page)
            yield self._opening(section, new=fresh and (self.book or number > 0))
            fresh, on_page = (True, 0) if self.book else (False, on_page)
            for run in _of_a_size(pictures):
                grid = self._grid(section, pictures[run], captions[run], codes[run])
                at = run.start
                while at < run.stop:
                    if on_page >= grid.most and (self.book or self.how.per_page):
                        fresh, on_page = True, 0
                    left = grid.most - on_page if self.book or self.how.per_page else grid.columns
                    row = slice(at, at + min(grid.columns, left, run.stop - at))
                    yield {
                        "kind": "row",
                        "new": fresh,
                        "gap": grid.gap,
                        "columns": [self._column(grid.columns)]
                        * min(grid.columns, run.stop - run.start),
                        "across": ACROSS,
                        "cells": [
                            {
                                **caption,
                                "code": code and code.data(),
                                **self._board(picture, grid, caption),
                            }
                            for picture, caption, code in zip(
                                pictures[row], captions[row], codes[row]
                            )
                        ],
                    }
                    on_page += row.stop - row.start
                    at, fresh = row.stop, False
                if self.book:
                    fresh, on_page = True, 0

    def _column(self, columns: int) -> float:
        """The width of a column."""
        return (self.wide - (columns - 1) * ACROSS) / columns

    def _opening(self, section: Section, new: bool) -> Data:
        """The rules of a type, with an example in a book."""
        last = section.first + len(section.chapters) - 1
        alone = self.count == 1 and not self.book
        example, columns = list[list[Data]](), 2
        if self.book and (known := self.examples.get(section.kind)) is not None:
            both = [drawn(parts, self.text if self.how.large else LINES) for parts in known]
            wide, high = max(one.wide for one in both), max(one.high for one in both)
            beside = min((self.wide - ACROSS) / 2 / wide, 0.6 * self.high / high)
            below = min(self.wide / wide, 0.3 * self.high / high)
            least = LARGE / min(one.smallest for one in both) if self.how.large else 0.0
            columns, scale = (
                (2, beside) if beside > max(least, below / SPREAD) else (1, max(least, below))
            )
            column = self._column(columns)
            scale = min(scale, max(least, COMFORT * SPREAD), 0.85 * self.high / high)
            example = [one.data(scale, column) for one in both]
        return {
            "kind": "section",
            "new": new,
            "title": unbroken(section.chapters[0].title if alone else section.kind),
            "text": clean(section.text),
            "numbers": f"{section.first}–{last}" if last > section.first else f"{section.first}",
            "example": example,
            "columns": columns,
        }

    def _caption(self, chapter: DocumentItem, section: Section, place: int) -> Data:
        number = "" if self.count == 1 and not self.book else str(section.first + place)
        name = unbroken(chapter.name) if number else ""
        return {
            "number": number,
            "name": name,
            "level": clean(chapter.level),
            "rules": clean(section.added(chapter)),
        }

    def _code(self, chapter: DocumentItem, number: int) -> Code | None:
        """The code that leads to a page to play the puzzle, if there is such a page and a code is
        wished.
        """
        if not self.how.qr:
            return None
        address = min(chapter.links.values(), key=len, default="")
        code = code_of(address) if address else None
        if code is None:
            self.uncoded.setdefault(
                "the link is too long" if address else "there is no link", []
            ).append(number)
        return code

    def _board(self, picture: Drawn, grid: Grid, caption: Data) -> Data:
        column = self._column(grid.columns)
        parts = picture.data(grid.scale, column)
        letters = 0.52 * self.text * (4 + len(caption["name"]) + len(caption["level"]))
        widths = (NARROW, letters, picture.letters, *(part["width"] for part in parts))
        return {"parts": parts, "width": min(column, max(widths))}

    def _grid(
        self,
        section: Section,
        pictures: Sequence[Drawn],
        captions: Sequence[Data],
        codes: Sequence[Code | None],
    ) -> Grid:
        """Choose the columns, rows and scale of a section."""
        wide, high = max(one.wide for one in pictures), max(one.high for one in pictures)
        letters = max(one.letters for one in pictures)
        several = len(self.sections) > 1
        room = self._room(section)
        least = LARGE / min(one.smallest for one in pictures) if self.how.large else 0.0

        def texts(columns: int) -> float:
            """The height of what is above and below a board."""
            column = self._column(columns)
            return self._above(captions, codes, column) + max(one.below(column) for one in pictures)

        def scale_of(columns: int, rows: int) -> float:
            row = (room - (rows - 1) * DOWN) / rows - texts(columns) - 1.0  # for rounding
            if rows == 1 and room > 0:  # it goes on the next page if a long text is above it
                row = max(row, 0.05 * room)
            return min(self._column(columns) / wide, row / high, max(LARGEST, least))

        def rows_of(columns: int) -> int:
            """The most rows of boards that are not too small."""
            return sum(
                1 for _ in takewhile(lambda rows: scale_of(columns, rows) >= LEAST, count(1))
            )

        if self.how.per_page:
            most = self.how.per_page
        else:
            wished = max(COMFORT, least)
            columns = max(1, int((self.wide + ACROSS) / (max(wide * wished, letters) + ACROSS)))
            most = columns * max(1, int((room + DOWN) / (high * wished + texts(columns) + DOWN)))
        fill = most
        if not self.how.per_page and (self.book or not several):  # so that no page has a single one
            fill = ceil(len(pictures) / ceil(len(pictures) / most))
        widths = [
            c for c in range(1, min(fill, COLUMNS) + 1) if c == 1 or self._column(c) >= letters
        ]
        scale, columns, rows = max((scale_of(c, ceil(fill / c)), c, ceil(fill / c)) for c in widths)
        if self.how.per_page and scale < LEAST:
            fewer = max(c * rows_of(c) for c in widths)
            help = (
                f"write at most --per-page {fewer}, or take a larger paper"
                if fewer
                else "take a larger paper"
            )
            raise InputError(
                f"--per-page {most}: cells of {section.kind} would be less than 3 mm wide",
                help=help,
            )
        if scale < least - 0.01:
            size = LARGE * scale / least
            self.remarks.append(
                f"--large: the smallest texts of {section.kind} have {size:.0f} pt, as no larger board fits"
            )
        row = high * scale + texts(columns)
        spare = (room - rows * row - (rows - 1) * DOWN) / rows if self.book else 0.0
        return Grid(
            columns, scale, DOWN + max(0.0, spare), fill if self.how.per_page else columns * rows
        )

    def _room(self, section: Section) -> float:
        """The height for puzzles on a page: below the headings, or a whole page if they would take
        half of it.
        """
        below = self.high - (0.0 if self.book else self._head(section) * self._heads())
        return below if self.how.per_page or below > self.high / 2 else self.high

    def _above(
        self, captions: Sequence[Data], codes: Sequence[Code | None], column: float
    ) -> float:
        """The height of a caption in a column."""
        if not any(one["number"] for one in captions):
            return 0.0
        letters = min(column, self.wide / 2) / (0.5 * self.text)  # that fit on a line, roughly
        lines = max(ceil((5 + len(one["name"]) + len(one["level"])) / letters) for one in captions)
        rules = max(ceil(len(one["rules"]) / letters) for one in captions)
        high = max([1.3 * self.text * lines, *(code.side for code in codes if code)])
        return high + CAPTION + 1.3 * self.text * rules

    def _head(self, section: Section) -> float:
        """The height of a heading with its rules, roughly."""
        lines = ceil(len(section.text) * self.text * 0.45 / self.wide)
        return 3.5 * self.text + 1.45 * self.text * lines

    def _heads(self) -> int:
        """How many headings a page may have, if the number of its puzzles is fixed."""
        if not self.how.per_page:
            return 1
        fewest = min(len(section.chapters) for section in self.sections)
        return min(len(self.sections), max(1, self.how.per_page // fewest))

    def _solutions(self, shared: bool) -> Iterator[Data]:
        """Rows of solutions, as many side by side as fit; those of a section have one scale and one
        width.
        """
        row, left, title = list[Data](), 0.0, ""
        for section in self.sections:
            numbered = [
                (section.first + n, chapter)
                for n, chapter in enumerate(section.chapters)
                if chapter.remark
            ]
            shown = [
                drawn(small(chapter.solution), LARGE if self.how.large else LINES_SOLVED)
                for _, chapter in numbered
            ]
            if not shown:
                continue
            if row and self.book:
                yield {"title": title, "cells": row, "across": BETWEEN}
                row, title = [], ""
            title = unbroken(section.kind) if self.book else ""
            wide = max(one.wide for one in shown)
            least = LARGE / min(one.smallest for one in shown) if self.how.large else 0.0
            block = max(
                wide * max(SOLVED, least), NARROWEST * self.text, *(one.letters for one in shown)
            )
            columns = max(
                1,
                round((self.wide + BETWEEN) / (block + BETWEEN))
                if not least
                else int(self.wide / block),
            )
            block = (self.wide + BETWEEN) / columns - BETWEEN
            scale = min(
                max(SOLVED, least), block / wide, 0.9 * self.high / max(one.high for one in shown)
            )
            for (number, chapter), one in zip(numbered, shown):
                if row and block > left:
                    yield {"title": title, "cells": row, "across": BETWEEN}
                    row, title = [], ""
                left = (left if row else self.wide + 0.1) - block - BETWEEN
                alone = self.count == 1 and not self.book
                row.append(
                    {
                        "number": "" if alone else str(number),
                        "kind": ""
                        if self.book
                        else unbroken(chapter.title if alone else section.kind),
                        "remark": "" if shared else clean(chapter.remark),
                        "parts": one.data(scale, block),
                        "width": block,
                    }
                )
        if row:
            yield {"title": title, "cells": row, "across": BETWEEN}
