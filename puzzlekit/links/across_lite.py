"""Files of Across Lite, `.puz`: the blocks of a board, its title and its author.

The letters of the solution and those that are filled in are not read: they answer clues. The type
is the one whose section `links` has `puz: {board: FIELD}`. The library is puzpy, the extra `puz`.
"""

from __future__ import annotations

import struct
from typing import Any

from puzzlekit.catalogue import find
from puzzlekit.errors import InputError, MissingExtra, installing
from puzzlekit.lang import Instance, PuzzleType, read_type
from puzzlekit.links import ParsedPuzzle, type_with
from puzzlekit.links.ipuz import HOLE, block_of, imported, rows_of, title_of

NAME = "puz"
BLOCKS = ".:"  # the second one where the solver finds the blocks
MOST = 500_000  # bytes of a file
WIDEST = 255


def _library() -> Any:
    try:
        import puz
    except ModuleNotFoundError:
        raise MissingExtra(f"files of .puz require an extra: {installing('puz')}") from None
    return puz


def read(data: bytes, kind: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzle of a file.

    Raises:
        InputError: The file is too large, is cut or has a wrong checksum, or the library is
            missing.
    """
    if len(data) > MOST:
        raise InputError(f"a file of .puz has at most {MOST:,} bytes")
    library = _library()
    try:
        found = library.load(data)
    except library.PuzzleFormatError as error:
        raise InputError(f"this is not a whole file of .puz: {error.message}") from None
    except (struct.error, ValueError, IndexError):  # a text or a number that is none
        raise InputError("this is not a whole file of .puz") from None
    size = found.width * found.height
    if not size or len(found.solution) != size:
        raise InputError(
            f"this is not a whole file of .puz: expected {size} cells, got {len(found.solution)}"
        )
    kind = kind or read_type(find(type_with(NAME)))
    block = block_of(kind, NAME)
    cells = [block if char in BLOCKS else None for char in found.solution]
    rows = [cells[start : start + found.width] for start in range(0, size, found.width)]
    about = ", ".join(text.strip() for text in (found.author, found.copyright) if text.strip())
    return [imported(kind, NAME, rows, found.title, about)]


def write(puzzle: Instance) -> bytes:
    """Return the file of a puzzle: its title, its blocks, given letters as filled in, and clues
    without text.

    Raises:
        InputError: The type has no such files, the puzzle has more than a board, or the library is
            missing.
    """
    rows = rows_of(puzzle, NAME)
    if max(len(rows), len(rows[0])) > WIDEST:
        raise InputError(f"a board of .puz has at most {WIDEST} rows and columns")
    library = _library()
    signs = {None: "-", HOLE: ".", block_of(puzzle.type, NAME): "."}
    made = library.Puzzle()
    made.title = title_of(puzzle).encode("latin-1", "replace").decode("latin-1").replace("\0", "?")
    made.width, made.height = len(rows[0]), len(rows)
    made.fill = "".join(signs.get(value) or str(value).upper() for row in rows for value in row)
    made.solution = "".join(signs.get(value, "-") for row in rows for value in row)
    made.solution_state = library.SolutionState.NotProvided
    made.clues = ["-"] * sum(
        map(len, library.get_grid_numbering(made.solution, made.width, made.height))
    )
    try:
        return bytes(made.tobytes())
    except ValueError:
        raise InputError("a letter of .puz is one of Latin-1, in one byte") from None
