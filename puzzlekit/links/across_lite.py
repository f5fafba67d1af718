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
BLOCKS = ".:"  # `:` where the solver finds the blocks
MOST = 500_000  # bytes of a file
WIDEST = 255


def _library() -> Any:
    try:
        import puz
    except ModuleNotFoundError:
        raise MissingExtra(f"files of .puz require an extra: {installing('puz')}") from None
    return puz


def read(data: bytes, puzzle_type: PuzzleType | None = None) -> list[ParsedPuzzle]:
    """Return the puzzle of a file.

    Raises:
        InputError: The file is too large, is cut or has a wrong checksum, or the library is
            missing.
    """
    if len(data) > MOST:
        raise InputError(f"a file of .puz has at most {MOST:,} bytes")
    library = _library()
    try:
        file = library.load(data)
    except library.PuzzleFormatError as error:
        raise InputError(f"this is not a whole file of .puz: {error.message}") from None
    except (struct.error, ValueError, IndexError):  # a text or a number that is none
        raise InputError("this is not a whole file of .puz") from None
    width = file.width
    size = width * file.height
    letters = file.solution
    if not size or len(letters) != size:
        message = f"expected {size} cells, got {len(letters)}"
        raise InputError(f"this is not a whole file of .puz: {message}")
    puzzle_type = puzzle_type or read_type(find(type_with(NAME)))
    block = block_of(puzzle_type, NAME)
    cells = [block if letter in BLOCKS else None for letter in letters]
    rows = [cells[start : start + width] for start in range(0, size, width)]
    names = (file.author.strip(), file.copyright.strip())
    source = ", ".join(filter(None, names))
    return [imported(puzzle_type, NAME, rows, file.title, source)]


def write(puzzle: Instance) -> bytes:
    """Return the file of a puzzle: its title, its blocks, given letters as filled in, and clues
    without text.

    Raises:
        InputError: The type has no such files, the puzzle has more than a board, or the library is
            missing.
    """
    rows = rows_of(puzzle, NAME)
    height = len(rows)
    width = len(rows[0])
    if max(height, width) > WIDEST:
        raise InputError(f"a board of .puz has at most {WIDEST} rows and columns")
    library = _library()
    signs = {None: "-", HOLE: ".", block_of(puzzle.type, NAME): "."}
    cells = [cell for row in rows for cell in row]
    file = library.Puzzle()
    file.title = _latin(title_of(puzzle))
    file.width = width
    file.height = height
    letters = [signs.get(cell) or str(cell).upper() for cell in cells]
    file.fill = "".join(letters)
    file.solution = "".join(signs.get(cell, "-") for cell in cells)
    file.solution_state = library.SolutionState.NotProvided
    across, down = library.get_grid_numbering(file.solution, width, height)
    file.clues = ["-"] * (len(across) + len(down))
    try:
        return bytes(file.tobytes())
    except ValueError:
        raise InputError("a letter of .puz is one of Latin-1, in one byte") from None


def _latin(text: str) -> str:
    """Return a text with a question mark for each character that a file cannot have."""
    return text.encode("latin-1", "replace").decode("latin-1").replace("\0", "?")
