"""Links and notations of other programs: read as specs, and written from puzzles.

A notation is a module with the functions of `Notation`. A new one needs a line in `NOTATIONS`, or
in `BINARY` if its files are bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

from puzzlekit.catalogue import headers, types
from puzzlekit.errors import InputError, Problem, Problems, nearest
from puzzlekit.lang import Instance, PuzzleType, spec_text
from puzzlekit.lang.type_reader import SPEC_KEYS

NOTATIONS = {  # by the name that `--format` takes
    "pzprv3": "puzzlekit.links.pzprv3",
    "puzzlink": "puzzlekit.links.puzzlink",
    "penpa": "puzzlekit.links.penpa",
    "fpuzzles": "puzzlekit.links.fpuzzles",
    "line": "puzzlekit.links.digit_line",
    "ipuz": "puzzlekit.links.ipuz",
}
BINARY = {
    "puz": "puzzlekit.links.across_lite"
}  # notations of bytes, by their name, in which their files end
SHOWN = 12  # of what is unread
PROGRESS = "progress"  # the key of a spec
WITH_PROGRESS = ("penpa", "fpuzzles")  # the notations that carry it


@dataclass(frozen=True)
class ParsedPuzzle:
    """A puzzle that a notation states.

    Attributes:
        type: The name of the type, as specs give it under `puzzle`.
        fields: The fields of the spec, and `title` and `source` where they are known, as plain
            values: texts, numbers, mappings; a list of texts is a board, one row each.
        unread: What the text states beyond that, and no field stands for: symbols, with their
            places.
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
                help="--ignore-symbols reads the puzzle without it",
            )

    @property
    def named_unread(self) -> str:
        """What is unread, as a text; of much, the first."""
        more = len(self.unread) - SHOWN
        return "; ".join([*self.unread[:SHOWN], *([f"{more} more"] if more > 0 else [])])


class Format(Protocol):
    """The functions of a module that reads and writes a notation."""

    def recognises(self, text: str) -> bool:
        """Return whether a text is in this notation, right or wrong. It is quick."""

    def read(self, text: str, kind: PuzzleType | None = None) -> list[ParsedPuzzle]:
        """Return the puzzles in the text, as puzzles of the type that the user names, if any.

        Raises:
            InputError: The text has an error, whose place is given, or it is not for that type.
        """

    def write(self, puzzle: Instance) -> str:
        """Return the text for a puzzle. Raises InputError if the notation cannot carry the puzzle."""


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


def read_binary(name: str, data: bytes, kind: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzles in a file of a notation of `BINARY`. Raises InputError."""
    found: list[ParsedPuzzle] = import_module(BINARY[name]).read(data, kind)
    return found


def is_written(text: str) -> bool:
    """Return whether some notation recognises the text. The path of a file is none, and loads no
    notation.
    """
    return not _is_file(text) and any(notation(name).recognises(text) for name in NOTATIONS)


def _is_file(text: str) -> bool:
    """Return whether a text is the path of a file."""
    try:
        return "\n" not in text and (text.endswith((".yaml", ".yml")) or Path(text).is_file())
    except (OSError, ValueError):  # it is too long
        return False


def read(
    text: str, kind: PuzzleType | None = None, ignore_symbols: bool = False
) -> list[ParsedPuzzle]:
    """Return the puzzles in a text.

    Args:
        text: A link, or the text of a file.
        kind: The type of the puzzles; None to find it by what the text says.
        ignore_symbols: Whether puzzles are read that have symbols which no field stands for.

    Raises:
        InputError: No notation recognises the text, or it has an error, whose place is given, or
            symbols that are unread.
    """
    for name in NOTATIONS:
        if (found := notation(name)).recognises(text):
            puzzles = found.read(text, kind)
            for puzzle in puzzles:
                if kind is not None and (
                    others := puzzle.fields.keys() - {*kind.fields, *SPEC_KEYS}
                ):
                    raise InputError(
                        f"this is no puzzle of {kind.name}, which has no {min(others)}"
                    )
                if not ignore_symbols:
                    puzzle.refuse_unread()
            return puzzles
    known = f"notations: {', '.join(NOTATIONS)}; a short link holds no puzzle"
    raise InputError(f"{text[:80]}: no notation has such links", help=known)


def addresses(puzzle: Instance) -> dict[str, str]:
    """Return the web pages that know the rules of a puzzle and can open it, by their host."""
    found = {}
    for name in ("puzzlink", "fpuzzles"):
        with suppress(InputError):  # the notation cannot carry it
            text = notation(name).write(puzzle)
            if text.startswith("https://"):
                found[text.split("/")[2]] = text
    return found


def read_one(
    text: str, kind: PuzzleType | None = None, ignore_symbols: bool = False
) -> ParsedPuzzle:
    """Return the only puzzle in a text, as `read` does. Raises InputError, too, if there are
    several.
    """
    found = read(text, kind, ignore_symbols)
    if len(found) != 1:
        help = "puzzlekit import writes each as a spec"
        raise Problems([Problem(f"expected one puzzle, but the text has {len(found)}", help=help)])
    return found[0]
