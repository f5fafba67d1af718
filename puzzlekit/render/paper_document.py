"""Documents on paper: as many puzzles on a page as fit, the solutions, small, at the end.

The boards of one type have one scale. A document with a title is a book: it begins with a cover,
contents, and a page of rules for each type. Sizes are in points, except those of boards, which are
in pixels.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from itertools import chain
from math import ceil, inf

from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, option
from puzzlekit.options import PaperOptions
from puzzlekit.render.html_page import DocumentItem, small, solutions_title
from puzzlekit.render.printed import APART, Data, PrintedPicture, clean, printed_picture, unbroken
from puzzlekit.render.qr import Code, code_of
from puzzlekit.render.sections import INCH, MM, Section, paper_size, sections_of
from puzzlekit.render.svg import CELL, SMALL
from puzzlekit.render.svg_shapes import FORBIDDEN
from puzzlekit.render.typeset import pages_of, typeset
from puzzlekit.scene import PicturePart

MARGIN = 0.08  # of the shorter side
BELOW = 16.0  # more, for the page number
GUTTERS = (  # the most pages, and what the inner margin has more
    (150, 0.375 * INCH),
    (300, 0.5 * INCH),
    (10**9, 0.625 * INCH),
)

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
COVERED = 0.07  # of the shorter side: the size of the title on the cover
TITLED = 50  # letters of a title that fit on the cover at this size
NARROWEST = 7  # letters of a solution
LINES, LINES_SOLVED = 9.0, 7.0  # sizes of lines of text

Example = tuple[Sequence[PicturePart], Sequence[PicturePart]]  # a puzzle and its solution


@dataclass(frozen=True)
class Grid:
    """The layout of the puzzles of a section.

    Attributes:
        columns: The number of columns.
        scale: The scale of the boards.
        gap: The space between rows.
        most: The most puzzles on a page.
    """

    columns: int
    scale: float
    gap: float
    most: int


def _similar_runs(pictures: Sequence[PrintedPicture]) -> Iterator[slice]:
    """Yield runs of pictures that have one scale: none is much larger than another."""
    start = 0
    least = inf
    most = 0.0
    for index, picture in enumerate(pictures):
        side = max(picture.board_width, picture.board_height)
        least = min(least, side)
        most = max(most, side)
        if most > UNLIKE * least:
            yield slice(start, index)
            start = index
            least = side
            most = side
    yield slice(start, len(pictures))


@dataclass(frozen=True)
class PdfFile:
    """A PDF document, and remarks for its reader."""

    content: bytes
    remarks: Sequence[str]


def pdf(
    title: str,
    chapters: Sequence[DocumentItem],
    options: PaperOptions,
    examples: Mapping[str, Example],
) -> PdfFile:
    """Return a PDF document.

    Args:
        title: Its title for programs, unless it is a book, which has its own.
        chapters: The puzzles.
        options: The paper and the look of the document.
        examples: A solved puzzle of some types, by the title of the type, for the pages of rules.

    Raises:
        InputError: There is no such paper, or too many puzzles are wished on a page.
    """
    for most_pages, gutter in GUTTERS:
        document = _Document(title, chapters, options, examples, gutter)
        data = json.dumps(document.data(), ensure_ascii=False)
        if not options.title or pages_of("document", data) <= most_pages:
            break
    remarks = document.remarks
    for reason, numbers in document.uncoded.items():
        remarks.append(f"no QR code for {_ranges(numbers)}: {reason}")
    return PdfFile(typeset("document", data, "pdf"), remarks)


def _ranges(numbers: Sequence[int]) -> str:
    """Name numbers that rise.

    Examples:
        >>> _ranges([1, 2, 3, 5])
        '1–3, 5'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(map(_range, runs))


def _range(run: Sequence[int]) -> str:
    if len(run) == 1:
        return str(run[0])
    return f"{run[0]}–{run[-1]}"


class _Document:
    """Lays out a document.

    Attributes:
        book: Whether it has a cover, contents, and pages of rules.
        count: The number of its puzzles.
        column_width: The width of the text on a page.
        column_height: The height of the text on a page.
        remarks: What its reader should know.
        uncoded: The numbers of puzzles without a QR code, by the reason.
    """

    def __init__(
        self,
        title: str,
        chapters: Sequence[DocumentItem],
        options: PaperOptions,
        examples: Mapping[str, Example],
        gutter: float,
    ) -> None:
        self.title = options.title or title
        self.options = options
        self.examples = examples
        self.book = bool(options.title)
        self.sections = sections_of(chapters)
        self.count = len(chapters)
        self.alone = self.count == 1 and not self.book
        self.width, self.height = paper_size(options.paper)
        self.shorter = min(self.width, self.height)
        self.margin = MARGIN * self.shorter
        self.inner = self.margin
        if self.book:
            self.inner += gutter
        self.text_width = self.width - self.margin - self.inner
        self.text_height = self.height - 2 * self.margin - BELOW
        self.text = LARGE if options.large else TEXT
        self.line_size = LARGE if options.large else LINES
        self.solution_line_size = LARGE if options.large else LINES_SOLVED
        self.remarks: list[str] = []
        self.uncoded: dict[str, list[int]] = {}

    def data(self) -> Data:
        """Return the data of `document.typ`."""
        shared = self._shared_remark()
        return {
            **self._title_data(),
            **self._look_data(),
            "cover": self._cover() if self.book else [],
            "items": [*self._items()],
            "heading": self._solutions_heading(),
            "shared": shared and f"Of each puzzle: {shared}.",
            "solutions": [*self._solutions(bool(shared))],
        }

    def _title_data(self) -> Data:
        return {
            "name": FORBIDDEN.sub("\ufffd", self.title),
            "title": clean(self.title),
            "subtitle": clean(self.options.subtitle or ""),
            "author": clean(self.options.author or ""),
            "book": self.book,
        }

    def _look_data(self) -> Data:
        title_letters = max(1.0, len(self.title) / TITLED)
        small_size = SMALLER
        if self.options.large:
            small_size = LARGE
        return {
            "page": [self.width, self.height],
            "margins": self._margins(),
            "text": self.text,
            "small": small_size,
            "apart": APART,
            "below-caption": CAPTION,
            "lines": self.line_size,
            "lines-solved": self.solution_line_size,
            "letter": COVERED * self.shorter / title_letters,
        }

    def _margins(self) -> Data:
        return {
            "inner": self.inner,
            "outer": self.margin,
            "top": self.margin,
            "bottom": self.margin + BELOW,
        }

    def _solved(self) -> list[DocumentItem]:
        """Return the puzzles that have a remark on their solution."""
        chapters = chain.from_iterable(section.chapters for section in self.sections)
        return [chapter for chapter in chapters if chapter.remark]

    def _shared_remark(self) -> str:
        """Return the remark that several solutions have in common; empty if they differ."""
        solved = self._solved()
        remarks = {chapter.remark for chapter in solved}
        if len(solved) > 1 and len(remarks) == 1:
            return solved[0].remark
        return ""

    def _solutions_heading(self) -> str:
        solved = self._solved()
        if self.count == 1 or not solved:
            return solutions_title(solved)
        return "Solutions"

    def _cover(self) -> list[Data]:
        """Return boards of some types."""
        boards: list[Data] = []
        for section in self.sections:
            picture = printed_picture(section.chapters[0].parts, LINES)
            boards += picture.boards[:1]
        boards = boards[:COVER]
        rows = max(1, ceil(len(boards) / 2))
        most_width = (self.width - 2 * self.inner) / 2 - ACROSS
        most_height = self.height * 0.45 / rows - ACROSS
        cover = []
        for board in boards:
            width = min(most_width, most_height * board["wide"] / board["high"])
            cover.append({"svg": board["svg"], "alt": board["alt"], "width": width})
        return cover

    def _items(self) -> Iterator[Data]:
        """Yield the headings of sections and the rows of puzzles, one below the other."""
        on_page = 0  # puzzles on this page, if their number is fixed
        for number, section in enumerate(self.sections):
            if on_page == self.options.per_page:
                on_page = 0
            begins_page = self.book or bool(self.options.per_page and not on_page)
            is_new = self.book or number > 0
            yield self._opening(section, new=begins_page and is_new)
            if self.book:
                on_page = 0
            rows = _PuzzleRows(self, section)
            on_page = yield from rows.items(on_page, begins_page=self.book)

    def column(self, columns: int) -> float:
        """Return the width of a column."""
        return (self.text_width - (columns - 1) * ACROSS) / columns

    def _opening(self, section: Section, new: bool) -> Data:
        """Return the rules of a type, with an example in a book."""
        first = section.first
        last = first + len(section.chapters) - 1
        title = section.chapters[0].title if self.alone else section.type_title
        example: list[list[Data]] = []
        columns = 2
        parts = self.examples.get(section.type_title)
        if self.book and parts is not None:
            columns, example = self._example(parts)
        numbers = f"{first}"
        if last > first:
            numbers = f"{first}–{last}"
        return {
            "kind": "section",
            "new": new,
            "title": unbroken(title),
            "text": clean(section.text),
            "numbers": numbers,
            "example": example,
            "columns": columns,
        }

    def _example(self, parts: Example) -> tuple[int, list[list[Data]]]:
        """Return a puzzle and its solution, and the number of columns that they take."""
        line_size = self.text if self.options.large else LINES
        pictures = [printed_picture(content, line_size) for content in parts]
        width = max(picture.board_width for picture in pictures)
        height = max(picture.board_height for picture in pictures)
        half_width = (self.text_width - ACROSS) / 2
        side_by_side = min(half_width / width, 0.6 * self.text_height / height)
        one_below = min(self.text_width / width, 0.3 * self.text_height / height)
        least = self.least_scale(pictures)
        columns = 1
        scale = max(least, one_below)
        if side_by_side > max(least, one_below / SPREAD):
            columns = 2
            scale = side_by_side
        column = self.column(columns)
        comfortable = max(least, COMFORT * SPREAD)
        scale = min(scale, comfortable, 0.85 * self.text_height / height)
        return columns, [picture.data(scale, column) for picture in pictures]

    def least_scale(self, pictures: Sequence[PrintedPicture]) -> float:
        """Return the scale at which all texts of boards have the size of large print, if wished."""
        if not self.options.large:
            return 0.0
        return LARGE / min(picture.smallest for picture in pictures)

    def room(self, section: Section) -> float:
        """Return the height for puzzles on a page.

        It is what remains below the headings, or a whole page if they would take half of it.
        """
        headings = 0.0
        if not self.book:
            headings = self._heading_height(section) * self._headings_on_page()
        room = self.text_height - headings
        if self.options.per_page or room > self.text_height / 2:
            return room
        return self.text_height

    def _heading_height(self, section: Section) -> float:
        """Return the rough height of a heading with its rules."""
        length = len(section.text) * self.text * 0.45
        lines = ceil(length / self.text_width)
        return 3.5 * self.text + 1.45 * self.text * lines

    def _headings_on_page(self) -> int:
        """Return how many headings a page may have, if the number of its puzzles is fixed."""
        if not self.options.per_page:
            return 1
        smallest = min(len(section.chapters) for section in self.sections)
        return min(len(self.sections), max(1, self.options.per_page // smallest))

    def _solutions(self, shared: bool) -> Iterator[Data]:
        """Yield rows of solutions, as many side by side as fit.

        The solutions of a section have one scale and one width.
        """
        row: list[Data] = []
        room = 0.0  # in the row
        title = ""
        for section in self.sections:
            numbers, chapters = _numbered_solutions(section)
            if not chapters:
                continue
            if row and self.book:
                yield _solution_row(title, row)
                row = []
                title = ""
            if self.book:
                title = unbroken(section.type_title)
            solutions = [small(chapter.solution) for chapter in chapters]
            pictures = [printed_picture(parts, self.solution_line_size) for parts in solutions]
            block, scale = self._solution_scale(pictures)
            for number, chapter, picture in zip(numbers, chapters, pictures):
                if row and block > room:
                    yield _solution_row(title, row)
                    row = []
                    title = ""
                if not row:
                    room = self.text_width + 0.1
                room = room - block - BETWEEN
                solution = {
                    "number": "" if self.alone else str(number),
                    "kind": self._solution_title(section, chapter),
                    "remark": "" if shared else clean(chapter.remark),
                    "parts": picture.data(scale, block),
                    "width": block,
                }
                row.append(solution)
        if row:
            yield _solution_row(title, row)

    def _solution_scale(self, pictures: Sequence[PrintedPicture]) -> tuple[float, float]:
        """Return the width of the solutions of a section, and their scale."""
        width = max(picture.board_width for picture in pictures)
        height = max(picture.board_height for picture in pictures)
        line_width = max(picture.line_width for picture in pictures)
        least = self.least_scale(pictures)
        wished = max(SOLVED, least)
        block = max(width * wished, NARROWEST * self.text, line_width)
        columns = int(self.text_width / block)
        if not least:
            columns = round((self.text_width + BETWEEN) / (block + BETWEEN))
        block = (self.text_width + BETWEEN) / max(1, columns) - BETWEEN
        return block, min(wished, block / width, 0.9 * self.text_height / height)

    def _solution_title(self, section: Section, chapter: DocumentItem) -> str:
        if self.book:
            return ""
        return unbroken(chapter.title if self.alone else section.type_title)


def _numbered_solutions(section: Section) -> tuple[list[int], list[DocumentItem]]:
    """Return the puzzles of a section that have a remark on their solution, and their numbers."""
    numbers = []
    chapters = []
    for number, chapter in enumerate(section.chapters, section.first):
        if chapter.remark:
            numbers.append(number)
            chapters.append(chapter)
    return numbers, chapters


def _solution_row(title: str, row: Sequence[Data]) -> Data:
    return {"title": title, "cells": row, "across": BETWEEN}


class _PuzzleRows:
    """Lays out the puzzles of a section in rows."""

    def __init__(self, document: _Document, section: Section) -> None:
        self.document = document
        self.options = document.options
        self.section = section
        self.pictures: list[PrintedPicture] = []
        self.codes: list[Code | None] = []
        self.captions: list[Data] = []
        for number, chapter in enumerate(section.chapters, section.first):
            self.pictures.append(printed_picture(chapter.parts, document.line_size))
            self.codes.append(self._code(chapter, number))
            self.captions.append(self._caption(chapter, number))

    def items(self, on_page: int, begins_page: bool) -> Generator[Data, None, int]:
        """Yield the rows; return the number of puzzles on the last page.

        Args:
            on_page: The puzzles that the page has already, if their number is fixed.
            begins_page: Whether the first row begins a page.
        """
        book = self.document.book
        fixed = book or bool(self.options.per_page)  # the number of puzzles on a page
        for run in _similar_runs(self.pictures):
            grid = self._grid(run)
            start = run.start
            while start < run.stop:
                if on_page >= grid.most and fixed:
                    begins_page = True
                    on_page = 0
                room = grid.most - on_page if fixed else grid.columns
                size = min(grid.columns, room, run.stop - start)
                row = slice(start, start + size)
                columns = min(grid.columns, run.stop - run.start)
                widths = [self.document.column(grid.columns)] * columns
                yield {
                    "kind": "row",
                    "new": begins_page,
                    "gap": grid.gap,
                    "columns": widths,
                    "across": ACROSS,
                    "cells": self._cells(row, grid),
                }
                on_page += size
                start = row.stop
                begins_page = False
            if book:
                begins_page = True
                on_page = 0
        return on_page

    def _cells(self, row: slice, grid: Grid) -> list[Data]:
        cells = []
        puzzles = zip(self.pictures[row], self.captions[row], self.codes[row])
        for picture, caption, code in puzzles:
            code_data = None if code is None else code.data()
            cells.append({**caption, "code": code_data, **self._board(picture, grid, caption)})
        return cells

    def _caption(self, chapter: DocumentItem, number: int) -> Data:
        name = ""
        shown_number = ""
        if not self.document.alone:
            name = unbroken(chapter.name)
            shown_number = str(number)
        return {
            "number": shown_number,
            "name": name,
            "level": clean(chapter.level),
            "rules": clean(self.section.added(chapter)),
        }

    def _code(self, chapter: DocumentItem, number: int) -> Code | None:
        """Return the QR code of the page to play the puzzle, if there is one and it is wished."""
        if not self.options.qr:
            return None
        address = min(chapter.links.values(), key=len, default="")
        code = code_of(address) if address else None
        if code is None:
            reason = "the link is too long" if address else "there is no link"
            self.document.uncoded.setdefault(reason, []).append(number)
        return code

    def _board(self, picture: PrintedPicture, grid: Grid, caption: Data) -> Data:
        column = self.document.column(grid.columns)
        blocks = picture.data(grid.scale, column)
        letters = 4 + len(caption["name"]) + len(caption["level"])
        caption_width = 0.52 * self.document.text * letters
        widths = [block["width"] for block in blocks]
        width = max(NARROW, caption_width, picture.line_width, *widths)
        return {"parts": blocks, "width": min(column, width)}

    def _grid(self, run: slice) -> Grid:
        """Choose the columns, rows and scale of a run of puzzles of one scale."""
        sizing = _Sizing(self, run)
        columns, scale = sizing.best()
        if self.options.per_page and scale < LEAST:
            raise self._too_many(sizing)
        if scale < sizing.least - 0.01:
            size = LARGE * scale / sizing.least
            texts = f"the smallest texts of {self.section.type_title} have {size:.0f} pt"
            self.document.remarks.append(f"{option('large')}: {texts}, as no larger board fits")
        rows = sizing.rows(columns)
        most = sizing.fill if self.options.per_page else columns * rows
        gap = DOWN
        if self.document.book:
            height = sizing.height * scale + sizing.texts(columns)
            gaps = (rows - 1) * DOWN
            spare = (sizing.room - rows * height - gaps) / rows
            gap += max(0.0, spare)
        return Grid(columns, scale, gap, most)

    def _too_many(self, sizing: _Sizing) -> InputError:
        fewer = max(columns * sizing.rows_that_fit(columns) for columns in sizing.columns)
        help = "take a larger paper"
        if fewer:
            help = f"write at most {option('per_page')} {fewer}, or take a larger paper"
        title = self.section.type_title
        per_page = f"{option('per_page')} {self.options.per_page}"
        message = f"{per_page}: cells of {title} would be less than 3 mm wide"
        return InputError(message, help=help)


class _Sizing:
    """The scales that a run of puzzles can have.

    Attributes:
        width: The pixels of the widest board.
        height: The pixels of the highest board.
        letters: The width of the widest line.
        room: The height for puzzles on a page.
        least: The least scale for large print.
        fill: The number of puzzles that a page should have.
        columns: The numbers of columns to choose from.
    """

    def __init__(self, rows: _PuzzleRows, run: slice) -> None:
        self.document = rows.document
        self.options = rows.options
        self.pictures = rows.pictures[run]
        self.captions = rows.captions[run]
        self.codes = rows.codes[run]
        self.width = max(picture.board_width for picture in self.pictures)
        self.height = max(picture.board_height for picture in self.pictures)
        self.letters = max(picture.line_width for picture in self.pictures)
        self.room = self.document.room(rows.section)
        self.least = self.document.least_scale(self.pictures)
        self.fill = self._fill()
        self.columns = [1]
        for columns in range(2, min(self.fill, COLUMNS) + 1):
            if self.document.column(columns) >= self.letters:
                self.columns.append(columns)

    def _fill(self) -> int:
        if self.options.per_page:
            return self.options.per_page
        wished = max(COMFORT, self.least)
        board_width = max(self.width * wished, self.letters)
        board_columns = (self.document.text_width + ACROSS) / (board_width + ACROSS)
        columns = max(1, int(board_columns))
        row_height = self.height * wished + self.texts(columns) + DOWN
        rows = max(1, int((self.room + DOWN) / row_height))
        most = columns * rows
        if self.document.book or len(self.document.sections) == 1:  # no page has a single puzzle
            pages = ceil(len(self.pictures) / most)
            return ceil(len(self.pictures) / pages)
        return most

    def best(self) -> tuple[int, float]:
        """Return the number of columns with the largest scale, and the scale."""

        def scale(columns: int) -> tuple[float, int]:
            return self._scale(columns, self.rows(columns)), columns

        columns = max(self.columns, key=scale)
        largest, _ = scale(columns)
        return columns, largest

    def rows(self, columns: int) -> int:
        """Return the number of rows on a page."""
        return ceil(self.fill / columns)

    def texts(self, columns: int) -> float:
        """Return the height of what is above and below a board."""
        column = self.document.column(columns)
        below = [picture.text_height(column) for picture in self.pictures]
        return self._above(column) + max(below)

    def _scale(self, columns: int, rows: int) -> float:
        """Return the scale of boards in so many columns and rows."""
        row_height = (self.room - (rows - 1) * DOWN) / rows
        board_height = row_height - self.texts(columns) - 1.0  # for rounding
        if rows == 1 and self.room > 0:  # it goes on the next page if a long text is above it
            board_height = max(board_height, 0.05 * self.room)
        by_width = self.document.column(columns) / self.width
        return min(by_width, board_height / self.height, max(LARGEST, self.least))

    def rows_that_fit(self, columns: int) -> int:
        """Return the most rows of boards that are not too small."""
        rows = 0
        while self._scale(columns, rows + 1) >= LEAST:
            rows += 1
        return rows

    def _above(self, column: float) -> float:
        """Return the rough height of a caption in a column."""
        if not any(caption["number"] for caption in self.captions):
            return 0.0
        text = self.document.text
        line_width = min(column, self.document.text_width / 2)
        letters = line_width / (0.5 * text)  # that fit on a line
        lines = 0
        rule_lines = 0
        for caption in self.captions:
            length = 5 + len(caption["name"]) + len(caption["level"])
            lines = max(lines, ceil(length / letters))
            rule_lines = max(rule_lines, ceil(len(caption["rules"]) / letters))
        code_sides = [code.side for code in self.codes if code is not None]
        height = max([1.3 * text * lines, *code_sides])
        return height + CAPTION + 1.3 * text * rule_lines
