"""Links and notations of other programs: read as specs, and written from puzzles.

A notation is a module with the functions of `Notation`. A new one needs a line in `NOTATIONS`, or
in `BINARY` if its files are bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, cast

from puzzlekit.catalogue import headers, types
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, Problem, Problems, nearest, option
from puzzlekit.lang import SPEC_KEYS, Instance, PuzzleType, spec_text

NOTATIONS = {  # by the name that `--format` takes
    "pzprv3": "puzzlekit.links.pzprv3",
    "puzzlink": "puzzlekit.links.puzzlink",
    "penpa": "puzzlekit.links.penpa",
    "fpuzzles": "puzzlekit.links.fpuzzles",
    "line": "puzzlekit.links.digit_line",
    "ipuz": "puzzlekit.links.ipuz",
    "non": "puzzlekit.links.non",
    "webpbn": "puzzlekit.links.webpbn",
    "opensudoku": "puzzlekit.links.opensudoku",
    "janko": "puzzlekit.links.janko",
    "kanpen": "puzzlekit.links.kanpen",
    "sudokupad": "puzzlekit.links.sudokupad",
    "tatham": "puzzlekit.links.tatham",  # the last one, as it reads words without a name
}
BINARY = {  # notations of bytes, by their name, in which their files end
    "puz": "puzzlekit.links.across_lite",
}
FIRST_LINES = 40  # of a file of links, of which one must be recognised
NAMED = 12  # symbols that are unread in a message
PROGRESS = "progress"  # the key of a spec
WITH_PROGRESS = ("penpa", "fpuzzles")  # the notations that carry it


@dataclass(frozen=True)
class ParsedPuzzle:
    """A puzzle that a notation states.

    Attributes:
        type: The name of the type, as specs give it under `puzzle`.
        fields: The fields of the spec, and `title` and `source` where they are known, as plain
            values: texts, numbers, mappings; a list of texts is a board, one row each.
        unread: What the text states beyond that, and no field stands for: symbols, with the cells
            where they stand.
    """

    type: str
    fields: Mapping[str, Any]
    unread: Sequence[str] = ()

    @property
    def text(self) -> str:
        """The text of the spec."""
        return spec_text({"puzzle": self.type, **self.fields})

    def refuse_unread(self) -> None:
        """Raise InputError if something is unread, which it names."""
        if self.unread:
            raise InputError(
                f"no field of {self.type} stands for this,"
                f" and without it the puzzle is another one: {self.named_unread}",
                help=f"{option('ignore_symbols')} reads the puzzle without it",
            )

    @property
    def named_unread(self) -> str:
        """What is unread, as a text; of much, the first."""
        named = list(self.unread[:NAMED])
        more = len(self.unread) - len(named)
        if more > 0:
            named.append(f"{more} more")
        return "; ".join(named)


class Format(Protocol):
    """The functions of a module that reads and writes a notation."""

    def recognises(self, text: str) -> bool:
        """Return whether a text is in this notation, right or wrong. It is quick."""

    def read(self, text: str, puzzle_type: PuzzleType | None = None) -> list[ParsedPuzzle]:
        """Return the puzzles in the text, as puzzles of the type that the user names, if any.

        Raises:
            InputError: The text has an error, whose position is named, or it is not for that type.
        """

    def write(self, puzzle: Instance) -> str:
        """Return the text for a puzzle. Raises InputError if the notation cannot carry it."""


def notation(name: str) -> Format:
    """Return the notation of this name. Raises InputError."""
    if name not in NOTATIONS:
        raise InputError(f"there is no notation {name}; {nearest(name, NOTATIONS)}")
    return cast(Format, import_module(NOTATIONS[name]))


def type_with(notation: str) -> str:
    """Return the name of the type whose section `links` names a notation.

    Raises:
        InputError: There is none.
    """
    for name, header in headers(types()).items():
        if header is not None and notation in header.links:
            return name
    raise InputError(f"no type has {notation} in its section links")


def read_binary(
    name: str, data: bytes, puzzle_type: PuzzleType | None = None
) -> list[ParsedPuzzle]:
    """Return the puzzles in a file of a notation of `BINARY`. Raises InputError."""
    puzzles: list[ParsedPuzzle] = import_module(BINARY[name]).read(data, puzzle_type)
    return puzzles


def refusal(text: str) -> InputError:
    """Return the error for a text that no notation recognises: it names what the text is."""
    return cast(InputError, import_module("puzzlekit.links.unreadable").refusal(text))


def is_named(text: str) -> bool:
    """Return whether a text that no notation recognises is something else that has a name."""
    return bool(import_module("puzzlekit.links.unreadable").is_named(text))


def has_puzzles(text: str) -> bool:
    """Return whether one of the first lines of a text is a link or a board."""
    lines = islice(filter(None, map(str.strip, text.splitlines())), FIRST_LINES)
    return any(_recognised(line) is not None for line in lines if not line.startswith("#"))


def is_written(text: str) -> bool:
    """Return whether some notation recognises the text. The path of a file is none, and loads no
    notation.
    """
    return not _is_file(text) and _recognised(text) is not None


def _recognised(text: str) -> Format | None:
    """Return the first notation that recognises a text."""
    for name in NOTATIONS:
        candidate = notation(name)
        if candidate.recognises(text):
            return candidate
    return None


def _is_file(text: str) -> bool:
    """Return whether a text is the path of a file."""
    try:
        if "\n" in text:
            return False
        return text.endswith((".yaml", ".yml")) or Path(text).is_file()
    except (OSError, ValueError):  # it is too long
        return False


def read(
    text: str, puzzle_type: PuzzleType | None = None, ignore_symbols: bool = False
) -> list[ParsedPuzzle]:
    """Return the puzzles in a text.

    Args:
        text: A link, or the text of a file.
        puzzle_type: The type of the puzzles; None to find it by what the text says.
        ignore_symbols: Whether puzzles are read that have symbols which no field stands for.

    Raises:
        InputError: No notation recognises the text, or it has an error, whose position is named,
            or symbols that are unread.
    """
    recognised = _recognised(text)
    if recognised is None:
        raise refusal(text)
    puzzles = recognised.read(text, puzzle_type)
    for puzzle in puzzles:
        if puzzle_type is not None:
            _refuse_other_fields(puzzle, puzzle_type)
        if not ignore_symbols:
            puzzle.refuse_unread()
    return puzzles


def _refuse_other_fields(puzzle: ParsedPuzzle, puzzle_type: PuzzleType) -> None:
    """Raise InputError if a puzzle has a field that the type lacks."""
    unknown = puzzle.fields.keys() - {*puzzle_type.fields, *SPEC_KEYS}
    if unknown:
        raise InputError(f"this is no puzzle of {puzzle_type.name}, which has no {min(unknown)}")


def addresses(puzzle: Instance) -> dict[str, str]:
    """Return the web pages that know the rules of a puzzle and can open it, by their host."""
    pages = {}
    for name in ("puzzlink", "fpuzzles"):
        with suppress(InputError):  # the notation cannot carry it
            link = notation(name).write(puzzle)
            if link.startswith("https://"):
                host = link.split("/")[2]
                pages[host] = link
    return pages


def read_one(
    text: str, puzzle_type: PuzzleType | None = None, ignore_symbols: bool = False
) -> ParsedPuzzle:
    """Return the only puzzle in a text, as `read` does. Raises InputError, too, if there are
    several.
    """
    puzzles = read(text, puzzle_type, ignore_symbols)
    if len(puzzles) != 1:
        message = f"expected one puzzle, but the text has {len(puzzles)}"
        help = "puzzlekit import writes each as a spec"
        raise Problems([Problem(message, help=help)])
    return puzzles[0]
