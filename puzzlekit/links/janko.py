"""Puzzles of janko.at as text: from `begin` to `end`, a section of rows below each key word.

A type says under `links: janko:` its name there (`puzzle`), the fields of the sections `problem`
and `areas`, those of `labels` (columns and rows, which are `clabels` and `rlabels` in the text),
and what `values` are in the text. `-` is an empty cell. What a player has entered is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from puzzlekit.boards import Grid
from puzzlekit.catalogue import headers, types
from puzzlekit.errors import InputError
from puzzlekit.lang import BOARD_SIDE, GridOf, Instance, PuzzleType, read_type
from puzzlekit.links import ParsedPuzzle
from puzzlekit.links.link_board import cell_at, rows_of, written
from puzzlekit.links.link_format import BLANK, HOLES, TextFormat, links_of
from puzzlekit.links.section import accepts
from puzzlekit.links.tokens import UNKNOWN

NAME = "janko"
HEAD = re.compile(r"\s*begin[ \t\r]*\n(?:.*\n){0,20}?[ \t]*puzzle[ \t]+(\S+)")
LONGEST = 200_000  # characters of a text
ABOUT = {"title": "title", "author": "source"}
COLUMN_LABELS, ROW_LABELS = "clabels", "rlabels"
EMPTY = ("-", ".")
READ = ("problem", "areas", COLUMN_LABELS, ROW_LABELS)
ENTERED = ("solution", "moves")  # sections that are skipped
HEADS = (
    *ABOUT,
    "puzzle",
    "size",
    "rows",
    "cols",
    "source",
    "info",
    "mail",
    "options",
    "pmode",
    "smode",
    "unit",
    "pid",
    "depth",
    "copyright",
    "opts",
    "patterns",
)
Section = list[tuple[int, list[str]]]  # the words of its lines, each with its number


def recognises(text: str) -> bool:
    """Return whether a text begins with `begin` and names a puzzle soon."""
    return len(text) <= LONGEST and HEAD.match(text) is not None


def read(text: str, puzzle_type: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzle of a text.

    Raises:
        InputError: The text has an error, which the message names by its line, or its type is not
            read.
    """
    head = HEAD.match(text)
    assert head is not None
    puzzle_type = puzzle_type or _type_of(head[1].lower())
    text_format = links_of(puzzle_type).texts.get(NAME)
    if text_format is None:
        raise InputError(f"{puzzle_type.name} is not read from texts of janko.at")
    about, sections = _sections(text)
    reader = _SectionReader(puzzle_type, text_format, sections)
    return [ParsedPuzzle(puzzle_type.name, {**about, **reader.fields()})]


def _type_of(name: str) -> PuzzleType:
    for type_name, header in headers(types()).items():
        if header is not None and name in header.links.get(NAME, ()):
            puzzle_type = read_type(types()[type_name])
            text_format = links_of(puzzle_type).texts.get(NAME)
            if text_format is not None and name in text_format.names:
                return puzzle_type
    raise InputError(
        f"no type has texts of janko.at for {name[:40]}", help="write the type before the file"
    )


def _sections(text: str) -> tuple[dict[str, str], dict[str, Section]]:
    """Return the title and the author of a text, and its sections. Raises InputError for an unknown
    word, or without an end.
    """
    about: dict[str, str] = {}
    sections: dict[str, Section] = {}
    section: Section | None = None
    for number, line in enumerate(text.splitlines(), 1):
        word, *rest = line.split() or [""]
        if word == "end":
            return about, sections
        if word in (*READ, *ENTERED) and not rest:
            section = sections.setdefault(word, [])
        elif word in HEADS and not (section and word not in ABOUT):
            section = None
            if word in ABOUT and rest:
                about[ABOUT[word]] = " ".join(rest)
        elif section is not None and word:
            section.append((number, line.split()))
        elif word and word != "begin":
            raise InputError(f"line {number}: {line.strip()[:40]!r} has no meaning here")
    raise InputError("the text has no line end; it may be cut off")


class _SectionReader:
    """Reads the fields of a type from the sections of a text."""

    def __init__(
        self, puzzle_type: PuzzleType, text_format: TextFormat, sections: Mapping[str, Section]
    ) -> None:
        self.type = puzzle_type
        self.format = text_format
        self.sections = sections
        # what a word of the text stands for
        self.values = {word: text for text, words in text_format.values.items() for word in words}

    def fields(self) -> dict[str, Any]:
        """Return the fields of the spec. Raises InputError."""
        fields: dict[str, Any] = {}
        read = set(ENTERED)
        for section, name in self.format.boards.items():
            read.add(section)
            rows = self.sections.get(section)
            if rows:
                fields[name] = self._board(section, name, rows)
            elif not self.type.fields[name].optional:
                raise InputError(f"the text has no section {section}")
        for section, name in zip((COLUMN_LABELS, ROW_LABELS), self.format.labels):
            read.add(section)
            fields[name] = self._labels(section, name)
        for section in self.sections.keys() - read:
            raise InputError(f"{self.type.name} has no field for the section {section}")
        return {name: fields[name] for name in self.type.fields if name in fields}

    def _board(self, section: str, name: str, rows: Section) -> list[str]:
        width = len(rows[0][1])
        if len(rows) > BOARD_SIDE or width > BOARD_SIDE:
            raise InputError(f"{section}: a board has at most {BOARD_SIDE} rows and columns")
        texts: dict[tuple[int, int], str | None] = {}
        for row, (number, words) in enumerate(rows):
            if len(words) != width:
                self._refuse(number, f"expected {width} cells, got {len(words)}")
            for column, word in enumerate(words):
                texts[row, column] = self._text(name, word, number)
        return rows_of(texts)

    def _labels(self, section: str, name: str) -> str:
        rows = self.sections.get(section, [])
        words = [word for _, line in rows for word in line]
        if not words:
            raise InputError(f"the text has no section {section}")
        return " ".join(self._text(name, word, rows[0][0]) or BLANK for word in words)

    def _text(self, name: str, word: str, number: int) -> str | None:
        """Return what a field has for a word; None if it is empty. Raises InputError."""
        text = self.values.get(word, BLANK if word in EMPTY else word)
        unknown = self.type.fields[name].unknown
        text = unknown if text == UNKNOWN and unknown else text
        if text == BLANK:
            return None
        if text != HOLES and not accepts(self.type.fields[name].type, text):
            self._refuse(number, f"{self.type.name} cannot have {word[:20]!r} in {name}")
        return text

    def _refuse(self, number: int, message: str) -> NoReturn:
        raise InputError(f"line {number}: {message}")


def write(puzzle: Instance) -> str:
    """Return the text of a puzzle. Raises InputError if it cannot carry all of it."""
    text_format = links_of(puzzle.type).texts.get(NAME)
    if text_format is None or puzzle.bound_from is None:
        raise InputError(f"{puzzle.type.name} is not written as a text of janko.at")
    _, spec, settings, *_ = puzzle.bound_from
    extra = {*spec.nodes, *(settings or {})} - text_format.filled
    if extra:
        raise InputError(f"a text of janko.at cannot carry {min(extra)}")
    lines = ["begin", f"puzzle {text_format.names[0]}"]
    for word, key in ABOUT.items():
        text = " ".join(spec.text(key).split())
        lines += [f"{word} {text}"] if text else []
    lines += _size(puzzle, text_format)
    for section, name in text_format.boards.items():
        if puzzle.data[name] is not None:
            lines += [section, *_rows(puzzle, text_format, name)]
    for section, name in zip((COLUMN_LABELS, ROW_LABELS), text_format.labels):
        words = [_word(text_format, written(label)) for label in puzzle.data[name]]
        lines += [section, " ".join(words)]
    return "\n".join([*lines, "end"]) + "\n"


def _size(puzzle: Instance, text_format: TextFormat) -> list[str]:
    board: Grid = puzzle.data[next(iter(text_format.boards.values()))]
    if board.height == board.width:
        return [f"size {board.height}"]
    return [f"rows {board.height}", f"cols {board.width}"]


def _rows(puzzle: Instance, text_format: TextFormat, name: str) -> Iterator[str]:
    board: Grid = puzzle.data[name]
    assert isinstance(puzzle.type.fields[name].type, GridOf)
    for row in range(board.height):
        cells = [cell_at((row, column)) for column in range(board.width)]
        texts = [
            HOLES if cell not in board.values else written(board.values[cell]) for cell in cells
        ]
        yield " ".join(_word(text_format, text) for text in texts)


def _word(text_format: TextFormat, text: str | None) -> str:
    """Return the word of the text for a value of a field. Raises InputError."""
    if text is None:
        return EMPTY[0]
    words: Sequence[str] = text_format.values.get(text, ())
    if text == HOLES and not words:
        raise InputError("a text of janko.at cannot carry holes of the board")
    return words[0] if words else text
